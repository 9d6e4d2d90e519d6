//! Recording a process tree: where its threads were on the CPU, where they waited and for what.
//!
//! While the target is stopped before its first instruction, perf events are opened on it that every thread and child
//! inherits (`events`). A thread of ours empties their rings (`ring`, `decode`), puts the records in order and follows
//! each thread on and off the CPU (`assemble`, `thread`), and looks at whoever waits (`look`, `sight`, `wakes`). When
//! the target has ended, addresses get names (`finish`). Where no perf events are granted, /proc is polled and
//! threads that run are stopped for a moment by a tracer (`polled`).

pub(crate) mod alarm;
mod assemble;
mod bell;
mod closer;
mod code_names;
mod collector;
mod copies;
mod cut;
mod decode;
mod events;
mod finish;
mod generated;
mod goroutines;
mod instrument;
mod limit;
mod look;
pub(crate) mod memory;
mod nameless;
mod newborn;
pub(crate) mod objects;
mod poll;
mod polled;
pub(crate) mod pythons;
mod resident;
mod returning;
mod ring;
mod runtimes;
mod sampled;
pub(crate) use finish::is_of_text;
pub use generated::{Generated, Piece};
use runtimes::unasked;
pub(crate) use runtimes::{asked, tidy_process, written_since};
mod sight;
mod storm;
mod subject;
pub(crate) mod syscalls;
mod thread;
mod tracepoints;
mod wakes;
mod watched;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Instant;

use model::doctor::Level;
use model::recording::{Cost, Recording, Span};
use model::{Gap, Nanos};
use stacks::Project;

use assemble::Assembler;
use closer::Quiet;
use collector::Collector;
use events::{Begin, Events, Wish};
use generated::GeneratedCode;
use polled::Ended;
use resident::Memory;
use syscalls::Syscall;

use crate::clock::{monotonic, of_this_thread};
use crate::measure::{Measured, Recipe, Rig, Slot, measure_with, set_user_id};
use crate::{Interrupt, RunError};

/// Of a stack, copied at each hit, unless the user asks for something else. The kernel copies what is there and no more, so
/// only deep stacks cost: with 8 KiB three of five stacks of V8's compiler were cut, with this none, at the same CPU time.
const STACK_BYTES: u32 = 32 * 1024;

/// The kernel copies less than 64 KiB.
const MOST_STACK_BYTES: u32 = 65_528;

/// How to record.
#[derive(Clone, Debug)]
pub struct Options {
    /// Hits in a second of CPU time.
    pub rate: u32,
    /// Bytes of stack copied with each hit. `None`: enough for most programs, and less while that is enough for this one.
    pub stack: Option<u32>,
    /// Use no more than this level grants. `None`: all there is.
    pub level: Option<Level>,
    /// Where the user's own code lies.
    pub project: PathBuf,
    /// Where ids of tracepoints are kept between runs.
    pub cache: Option<PathBuf>,
    /// Ask runtimes by environment variables to tell their frames.
    pub runtimes: bool,
    /// Copy the machine code that processes make while they run, where it is hit.
    pub generated: bool,
    /// Shifts the period a little, so that no two recordings beat with the program alike.
    pub seed: u64,
}

/// A recorded run. What was seen of a run that was cut short is kept too.
#[derive(Debug)]
pub struct Recorded {
    pub run: Result<Measured, RunError>,
    pub recording: Recording,
    /// Empty unless it was asked for.
    pub generated: Vec<Generated>,
    /// Hits while little of a stack was copied, because that was enough for those before.
    pub short_copies: u64,
}

/// Runs the target once under the recorder.
///
/// # Errors
/// When the target could not be started, or no recorder. One that is refused something records less and says so in the
/// gaps.
pub fn record(rig: &Rig, recipe: &Recipe, slot: Slot, options: &Options) -> Result<Recorded, RunError> {
    let recipe = if options.runtimes { asked(recipe) } else { recipe.clone() };
    // SAFETY: takes nothing and cannot fail.
    let is_root = unsafe { libc::geteuid() == 0 };
    let tracing = if set_user_id(&recipe) && !is_root { Tracing::TakesPrivileges } else { Tracing::Harmless };
    let mut watch = None;
    let run = measure_with(rig, &recipe, slot, None, |pid| {
        watch = Some(Watch::begin(&[pid], Begin::AtExec, tracing, options));
    });
    let ended = monotonic();
    match (watch, run) {
        // It never came to its first instruction.
        (None, Err(error)) => Err(error),
        (None, Ok(_)) => Err(RunError::RecorderLost),
        (Some(Err(source)), _) => Err(RunError::NoRecorder { source }),
        (Some(Ok(watch)), run) => {
            let clock = run.as_ref().ok().map(Clock::of);
            let Seen { mut recording, generated, short_copies } = watch.end(clock, ended, options)?;
            if let Some(why) = options.runtimes.then(|| unasked(&recipe, &recording)).flatten() {
                recording.gaps.retain(|gap| gap.what != why.what);
                recording.gaps.push(why);
            }
            recording.gaps.extend(run.as_ref().ok().and_then(|run| abandoned(run.sample.left_behind.0)));
            Ok(Recorded { run, recording, generated, short_copies })
        }
    }
}

/// What the target left running, and was ended with it.
fn abandoned(processes: u64) -> Option<Gap> {
    let why = format!("{processes} of its processes went on when the command had ended; slowpath ended them");
    let next = Some("start it by itself, then watch it: slowpath --pid PID");
    (processes > 0).then(|| Gap::new("what it leaves behind", why, next))
}

/// What the runner knows of a run: when it began and ended, the scheduler's account of its first thread at its end, and the
/// CPU time of all who were waited for.
struct Clock {
    begun: u64,
    end: u64,
    first: Option<(u64, u64)>,
    used: u64,
}

impl Clock {
    fn of(measured: &Measured) -> Self {
        Self {
            begun: measured.begun,
            end: measured.begun + measured.sample.wall.as_nanos(),
            first: measured
                .sample
                .main_thread
                .map(|first| (first.on_cpu.as_nanos(), first.runnable.as_nanos())),
            used: measured.sample.user.as_nanos() + measured.sample.system.as_nanos(),
        }
    }
}

/// Records a tree that runs already, until `until` or until the user interrupts or the tree has ended.
///
/// # Errors
/// When the process does not exist or may not be seen.
pub fn attach(
    pid: u32,
    until: Instant,
    interrupt: &Interrupt,
    options: &Options,
) -> Result<Recording, RunError> {
    let tree = poll::tree_of(pid);
    if tree.is_empty() {
        return Err(RunError::NoSuchProcess { pid });
    }
    if let Some(user) = whose(pid) {
        return Err(RunError::NotOurs { pid, user });
    }
    let threads: Vec<i32> =
        tree.iter().flat_map(|process| &process.threads).filter_map(|tid| i32::try_from(*tid).ok()).collect();
    let watch = Watch::begin(&threads, Begin::AtOnce, Tracing::Harmless, options)
        .map_err(|source| RunError::NoRecorder { source })?;
    let mut memory = Memory::of(tree.iter().map(|process| process.pid));
    while Instant::now() < until && interrupt.raised().is_none() && crate::process::exists(pid) {
        std::thread::sleep(std::time::Duration::from_millis(20));
        memory.look();
    }
    let seen = watch.end(None, monotonic(), options)?;
    Ok(Recording { resident: memory.into_resident(), ..seen.recording })
}

/// The other user that a process belongs to, whose program the kernel hides from us.
fn whose(pid: u32) -> Option<u32> {
    let hidden = std::fs::read_link(format!("/proc/{pid}/exe"))
        .is_err_and(|cause| cause.kind() == io::ErrorKind::PermissionDenied);
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok().filter(|_| hidden)?;
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    let user = users.split_whitespace().next()?.parse().ok()?;
    // SAFETY: asks for a number.
    let own = unsafe { libc::geteuid() };
    (user != own).then_some(user)
}

/// What a tracer of this user does to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tracing {
    Harmless,
    /// A set-user-id program stays its user's under it.
    TakesPrivileges,
}

/// A recorder at work.
struct Watch {
    stop: File,
    worker: JoinHandle<Worked>,
    quiet: Quiet,
}

/// What the worker hands over.
struct Worked {
    hands: Hands,
    level: Level,
    gaps: Vec<Gap>,
    cpu: Nanos,
}

/// What was seen, with names.
struct Seen {
    recording: Recording,
    generated: Vec<Generated>,
    short_copies: u64,
}

/// What does the recording.
enum Hands {
    Events(Box<Collector>),
    Polls(Box<polled::Polled>),
}

impl Watch {
    fn begin(threads: &[i32], begin: Begin, tracing: Tracing, options: &Options) -> io::Result<Self> {
        let first = threads.first().copied().and_then(|pid| u32::try_from(pid).ok()).unwrap_or(0);
        let (stop, stopped) = pipe()?;
        let mut gaps = Vec::new();
        let quiet = Quiet::begin();
        let events = events(threads, begin, options, &mut gaps);
        let without = events.as_ref().err().cloned();
        let mut assembler = Assembler::new(period(options));
        assembler.generated = options.generated.then(GeneratedCode::default);
        assembler.cuts.wish = stack_bytes(options) as usize;
        if begin == Begin::AtOnce {
            // Who has come and gone while events were opened is known only now.
            let now = monotonic();
            assembler.adopt(&poll::tree_of(first), now);
        }
        let (hands, level) = match events {
            Ok(events) => {
                let level = match (events.waking, events.kernel) {
                    (true, _) => Level::C,
                    (false, true) => Level::B,
                    (false, false) => Level::A,
                };
                (Hands::Events(Box::new(Collector::new(events, assembler))), level)
            }
            Err(_) => {
                let polled = polled::Polled::new(first, assembler, stack_bytes(options));
                (Hands::Polls(Box::new(polled)), Level::D)
            }
        };
        let seizes = without.is_some();
        let (ready, is_ready) = mpsc::channel::<()>();
        let worker = std::thread::Builder::new().name("recorder".to_owned()).spawn(move || {
            let (mut hands, mut used) = (hands, Nanos::ZERO);
            match &mut hands {
                Hands::Events(collector) => collector.work(stopped.as_fd()),
                Hands::Polls(polled) => {
                    let (ended, cpu) = traced(polled, tracing, ready, stopped.as_fd());
                    used = cpu;
                    gaps.extend(without.map(|why| blind(why, &ended, polled.untraced())));
                    if !matches!(ended, Ok(Ended::Asked)) {
                        polled.work(stopped.as_fd());
                    }
                }
            }
            let cpu = of_this_thread().plus(used).unwrap_or(used);
            Worked { hands, level, gaps, cpu }
        })?;
        if seizes {
            // Nothing is sent: the other end is dropped.
            let _ = is_ready.recv();
        }
        Ok(Self { stop: File::from(stop), worker, quiet })
    }

    /// Stops, and names what was seen. The run's own clock is better than when we heard of its end.
    fn end(mut self, clock: Option<Clock>, ended: u64, options: &Options) -> Result<Seen, RunError> {
        // A worker that is gone already has its reason told by `join`.
        let _ = self.stop.write_all(b"x");
        let worked = self.worker.join().map_err(|_| RunError::RecorderLost)?;
        let (mut gaps, level) = (worked.gaps, worked.level);
        let end = clock.as_ref().map_or(ended, |clock| clock.end);
        let (mut assembler, watched) = match worked.hands {
            Hands::Events(collector) => {
                gaps.extend(silenced(&collector));
                collector.finish(end)
            }
            Hands::Polls(polled) => {
                gaps.extend(polled.refused().then(refused));
                let total = clock.as_ref().and_then(|clock| {
                    let (on_cpu, queued) = clock.first?;
                    Some(polled::Total { begun: clock.begun, on_cpu, queued })
                });
                (polled.finish(end, total), Vec::<Span>::new())
            }
        };
        drop(self.quiet);
        if let Some(clock) = clock {
            assembler.begin_at(clock.begun);
            assembler.end_at(clock.end);
            if let Some((on_cpu, queued)) = clock.first {
                assembler.note_first(on_cpu, queued);
                if level == Level::D {
                    assembler.trust_first();
                }
                assembler.note_used(clock.used);
                if level != Level::D && watched.is_empty() {
                    assembler.note_endings(clock.used, end);
                }
            }
        }
        assembler.tell_unseen(end);
        gaps.extend(assembler.unseen_programs());
        gaps.extend(assembler.goroutines.gap());
        gaps.extend(assembler.pythons.gaps());
        let short_copies = assembler.copying.short;
        let program = assembler.processes.first().and_then(|process| process.program.clone());
        let project = Project { root: options.project.clone(), program };
        let mut cost = Cost { cpu: worked.cpu, after: Nanos::ZERO, peak_rss_bytes: None };
        cost.peak_rss_bytes = crate::process::own_peak();
        let (mut recording, generated, cut) =
            finish::recording(assembler, options.runtimes, watched, end, level, &project, cost);
        let longest = stack_bytes(options) == MOST_STACK_BYTES;
        gaps.extend(cut.gap(recording.losses.stacks, longest));
        gaps.extend(nameless::gap(&recording));
        recording.gaps = gaps;
        if let Some(cost) = &mut recording.cost {
            cost.after = Nanos::from_nanos(monotonic().saturating_sub(ended));
        }
        Ok(Seen { recording, generated, short_copies })
    }
}

/// Opens what is granted.
///
/// # Errors
/// When nothing is, with the reason.
fn events(threads: &[i32], begin: Begin, options: &Options, gaps: &mut Vec<Gap>) -> Result<Events, String> {
    if options.level == Some(Level::D) {
        return Err("perf events were not asked for (--level D)".to_owned());
    }
    let tracepoints =
        match tracepoints::find(options.cache.as_ref().map(|cache| cache.join("tracepoints")).as_deref()) {
            Ok(found) => Some(found),
            Err(error) => {
                let next = Some("run `slowpath doctor` to see which events are granted");
                gaps.push(Gap::new("short waits by system call", error.to_string(), next));
                None
            }
        };
    let wish = Wish {
        period: period(options),
        stack_bytes: stack_bytes(options),
        short_bytes: (options.stack.is_none() && threads.len() <= copies::MOST_THREADS)
            .then_some(copies::SHORT),
        begin,
        kernel: !matches!(options.level, Some(Level::A)),
        waking: !matches!(options.level, Some(Level::A | Level::B)),
        tracepoints: tracepoints.as_ref(),
    };
    let events = Events::open(threads, &wish).map_err(|error| format!("perf_event_open: {error}"))?;
    if !events.kernel && options.level != Some(Level::A) {
        let next = Some("as root: sysctl kernel.perf_event_paranoid=1, or setcap cap_perfmon+ep slowpath");
        let why = "kernel.perf_event_paranoid does not let users see them";
        gaps.push(Gap::new("kernel functions", why, next));
    }
    Ok(events)
}

/// Traces the tree from a thread of its own, because whoever is traced is let go without a stop only when that ends. How it
/// ended, or why it did not begin; and the CPU time that it used.
fn traced(
    polled: &mut polled::Polled,
    tracing: Tracing,
    ready: mpsc::Sender<()>,
    stop: BorrowedFd<'_>,
) -> (io::Result<Ended>, Nanos) {
    let work = || {
        let seized = match tracing {
            Tracing::Harmless => polled.seize(),
            Tracing::TakesPrivileges => Err(io::ErrorKind::Unsupported.into()),
        };
        // Before its first instruction it is traced, if at all.
        drop(ready);
        let ended = seized.map(|seized| polled.work_seized(stop, seized));
        (ended, of_this_thread())
    };
    let tracer = std::thread::scope(|scope| {
        let tracer = std::thread::Builder::new().name("tracer".to_owned()).spawn_scoped(scope, work)?;
        tracer.join().map_err(|_| io::Error::other("the tracer was lost"))
    });
    tracer.unwrap_or_else(|error| (Err(error), Nanos::ZERO))
}

/// What is not seen without perf events: much, where threads may not be stopped either.
fn blind(why: String, ended: &io::Result<Ended>, untraced: usize) -> Gap {
    match ended.as_ref().err() {
        None if matches!(ended, Ok(Ended::Crowded)) => {
            let why = format!("{why}; it has more threads than can be traced");
            Gap::new("stacks on the CPU", why, Some("run `slowpath doctor` to see why"))
        }
        Some(error) if error.kind() == io::ErrorKind::Unsupported => {
            let next = Some("run it as root: under the tracer of another user it would lose its privileges");
            Gap::new("stacks on the CPU", format!("{why}; a set-user-id program is not traced"), next)
        }
        Some(error) => {
            let next = "run `slowpath doctor` to see why; in a container: docker run --cap-add SYS_PTRACE";
            Gap::new("stacks on the CPU", format!("{why}; ptrace: {error}"), Some(next))
        }
        None if untraced > 0 => {
            let why = format!("{why}; {untraced} of the threads may not be traced");
            Gap::new("stacks on the CPU", why, Some("attach as root"))
        }
        None => {
            let next = "run `slowpath doctor` to see why; without them threads are stopped to look at them";
            Gap::new("every switch and wake", why, Some(next))
        }
    }
}

/// Where Yama does not restrict everybody, it is the target alone that may not be looked into.
fn refused() -> Gap {
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    let restricts = scope.is_ok_and(|scope| scope.trim() != "0");
    let (why, next) = if restricts {
        (
            "kernel.yama.ptrace_scope does not let users look into processes",
            "as root: sysctl kernel.yama.ptrace_scope=0",
        )
    } else {
        (
            "the target may not be looked into: it has forbidden that (PR_SET_DUMPABLE), or runs with other privileges",
            "run it as root",
        )
    };
    Gap::new("what it waited for", why, Some(next))
}

fn silenced(collector: &Collector) -> Option<Gap> {
    let names: Vec<&str> = collector.silenced().into_iter().filter_map(Syscall::name).collect();
    let why = format!(
        "{} came more than 15,000 times a second, so calls were looked at each 10 ms instead",
        names.join(", ")
    );
    (!names.is_empty()).then(|| Gap::new("every single call", why, None))
}

/// Bytes of a stack that are copied.
fn stack_bytes(options: &Options) -> u32 {
    options.stack.unwrap_or(STACK_BYTES).clamp(1024, MOST_STACK_BYTES) / 8 * 8
}

/// The period for a rate, a little off the round number and different each time.
fn period(options: &Options) -> u64 {
    let round = 1_000_000_000 / u64::from(options.rate.clamp(1, 20_000));
    round + round / 1000 * (options.seed % 23) + 1 + options.seed % 97
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: an array of two descriptors; the results are new and ours.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
            return Err(io::Error::last_os_error());
        }
        let [read, write] = ends;
        Ok((OwnedFd::from_raw_fd(write), OwnedFd::from_raw_fd(read)))
    }
}
