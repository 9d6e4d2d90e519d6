//! Recording without perf events: what /proc shows, look by look, and where threads stand that a tracer stops (`seized`).
//!
//! Between two looks at a thread the scheduler's account says how long it was on a CPU and how long it waited for one;
//! the rest it was blocked, in the call it was seen in. So the account closes here too; what is missing is the order of what
//! happened between two looks, and where nothing may be traced, native stacks on the CPU.

mod ends;
mod modes;
mod samples;
mod seized;
mod turns;

pub(super) use ends::Total;
pub(super) use seized::Ended;

use std::collections::HashMap;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use model::Nanos;
use model::recording::Why;

use super::assemble::{Assembler, Hit, Wait};
use super::goroutines;
use super::look;
use super::objects::PRESENT;
use super::poll::{Event, Place, Poller, Program, Seen};
use super::pythons::{WasHit, this_cpu};
use super::sight::Sight;
use super::thread::{InCall, Left, State};
use super::wakes::{Away, SOON};
use crate::clock::monotonic;
use crate::launch;
use crate::process::SchedStat;
use modes::Modes;
use samples::{Family, Samples};
use seized::{Maps, Traced};
use turns::Turns;

/// Between two ticks of the slowest common kernel, 250 a second.
const TICK: u64 = 4_000_000;

/// Who leaves the CPU more often than this between two looks does so to wait, not because others want it.
const FEW: u64 = 4;

pub(super) struct Polled {
    /// The first process.
    first: u32,
    poller: Poller,
    pub(super) assembler: Assembler,
    last: HashMap<u32, Last>,
    /// How each thread left its CPU.
    turns: HashMap<u32, Turns>,
    modes: Modes,
    /// The last wait booked for each thread.
    told: HashMap<u32, usize>,
    /// How many threads were on a CPU or ready for one at the last look, and how many CPUs there are.
    ready: u64,
    cpus: u64,
    refused: bool,
    /// Threads that are traced, and how many may not be.
    traced: HashMap<u32, Traced>,
    untraced: usize,
    samples: Samples,
    maps: HashMap<u32, Maps>,
    stack_bytes: usize,
    bytes: Vec<u8>,
    random: u64,
}

/// A thread when it was last seen.
#[derive(Clone, Copy)]
struct Last {
    at: u64,
    /// Time on a CPU that was booked so far. The scheduler tells of it at the kernel's next tick.
    on_cpu: u64,
    /// Time ready for a CPU that was booked so far. The scheduler tells of it when the thread has got its CPU.
    booked: u64,
    slices: u64,
    waits: Option<(Why, Option<Sight>)>,
    /// What it was last seen waiting in, however long ago.
    known: Option<(Why, Option<Sight>)>,
    doubt: Option<Doubt>,
}

/// A wait that was over before a look found its thread in the queue. When exactly, the scheduler tells with the next CPU
/// it gets.
#[derive(Clone, Copy)]
struct Doubt {
    wait: usize,
    /// Since the look that found it waiting.
    length: u64,
}

impl Last {
    /// A thread that nobody has looked at yet.
    fn counted(at: u64, before: &SchedStat) -> Self {
        let (on_cpu, booked) = (before.on_cpu.as_nanos(), before.runnable.as_nanos());
        Self { at, on_cpu, booked, slices: before.slices, waits: None, known: None, doubt: None }
    }

    /// What it waited for was of the launcher: none of it is the target's.
    fn forget(&mut self) {
        (self.waits, self.known, self.doubt) = (None, None, None);
    }
}

impl Polled {
    /// Begins with the first process, which may be gone before the first look. `stack_bytes` are copied of a stack.
    pub(super) fn new(pid: u32, mut assembler: Assembler, stack_bytes: u32) -> Self {
        let now = monotonic();
        if assembler.process_index(pid).is_none() {
            let process = assembler.add_process(pid, None, String::new(), now);
            assembler.add_thread(pid, process, now, State::Off { since: now, left: Left::Before });
        }
        let last = assembler.living_tids().into_iter().filter_map(|tid| {
            let index = assembler.living_thread(tid)?;
            // What the scheduler counted so far is of another time.
            let before = SchedStat::of_thread(assembler.pid_of(index)?, tid)?;
            Some((tid, Last::counted(now, &before)))
        });
        Self {
            first: pid,
            poller: Poller::new(pid),
            last: last.collect(),
            assembler,
            turns: HashMap::new(),
            modes: Modes::default(),
            told: HashMap::new(),
            ready: 1,
            cpus: std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64),
            refused: false,
            traced: HashMap::new(),
            untraced: 0,
            samples: Samples::default(),
            maps: HashMap::new(),
            stack_bytes: stack_bytes as usize,
            bytes: Vec::new(),
            random: now | 1,
        }
    }

    /// Works until `stop` becomes readable.
    pub(super) fn work(&mut self, stop: BorrowedFd<'_>) {
        let mut events = Vec::new();
        loop {
            self.look(&mut events);
            if sleeps(stop, self.poller.pause()) {
                return;
            }
        }
    }

    /// Looks once at the whole tree.
    fn look(&mut self, events: &mut Vec<Event>) {
        self.assembler.code_names.look(monotonic());
        self.poller.tick(monotonic(), events);
        // Those who are gone were among the ready of the look before.
        let ready =
            events.iter().filter(|event| matches!(event, Event::Seen(seen) if seen.state == 'R')).count();
        for event in events.drain(..) {
            self.take(event);
        }
        self.ready = ready as u64;
        self.assembler.pythons.look(&[], monotonic(), &mut self.assembler.tree);
        look::at_runtimes(&mut self.assembler);
        if let Some(code) = &mut self.assembler.generated {
            code.look();
        }
        goroutines::look(&mut self.assembler, monotonic());
    }

    /// Whether calls of the target could not be read.
    pub(super) fn refused(&self) -> bool {
        self.refused
    }

    /// Threads that may not be traced though others are.
    pub(super) fn untraced(&self) -> usize {
        self.untraced
    }

    fn take(&mut self, event: Event) {
        let assembler = &mut self.assembler;
        match event {
            Event::NewProcess { at, pid, parent, program } => {
                assembler.start.get_or_insert(at);
                let parent = parent.and_then(|parent| assembler.process_index(parent));
                if assembler.process_index(pid).is_none() {
                    assembler.add_process(pid, parent, String::new(), at);
                }
                self.program(pid, program);
            }
            Event::NewThread { at, pid, tid, name } => {
                if let (Some(process), None) = (assembler.process_index(pid), assembler.living_thread(tid)) {
                    let index =
                        assembler.add_thread(tid, process, at, State::Off { since: at, left: Left::Before });
                    if let Some(thread) = assembler.threads.get_mut(index as usize) {
                        thread.name = name;
                    }
                }
            }
            Event::Exec { pid, program, .. } => self.program(pid, program),
            Event::Named { tid, name, .. } => {
                if let Some(thread) =
                    assembler.living_thread(tid).and_then(|index| assembler.threads.get_mut(index as usize))
                {
                    thread.name = name;
                }
            }
            // The last look at who is traced and has ended comes when the kernel tells of it.
            Event::Seen(seen) if matches!(seen.state, 'Z' | 'X') && self.traced.contains_key(&seen.tid) => {}
            Event::Seen(seen) => self.seen(&seen),
            Event::GoneThread { at, pid, tid } => self.gone(pid, tid, at),
            // Its threads went before it.
            Event::GoneProcess { .. } => {}
            Event::CallsRefused { .. } => self.refused = true,
        }
    }

    fn program(&mut self, pid: u32, program: Program) {
        let assembler = &mut self.assembler;
        if !self.traced.contains_key(&pid) {
            assembler.pythons.maybe(pid);
        }
        // A process that may not be seen has no stacks.
        self.read_mappings(pid);
        let assembler = &mut self.assembler;
        assembler.goroutines.forget(pid);
        assembler.goroutines.loaded(pid);
        let Some(process) = assembler.process_index(pid) else { return };
        let before = assembler.processes.get(process as usize).and_then(|process| process.program.clone());
        if before.is_some_and(|before| launch::is_launcher(&before)) {
            self.last.entry(pid).and_modify(Last::forget);
            // It stands at its beginning: what was counted so far was the launcher's.
            let stands = self.traced.contains_key(&pid);
            if let Some(before) = SchedStat::of_thread(pid, pid).filter(|_| stands) {
                self.last.insert(pid, Last::counted(monotonic(), &before));
            }
        }
        if let Some(process) = assembler.processes.get_mut(process as usize) {
            process.name.clone_from(&program.name);
            process.program = program.file.map(|file| file.as_os_str().to_owned().into());
            process.argv = program.argv.iter().map(|word| word.as_os_str().to_owned()).collect();
        }
        if let Some(first) =
            assembler.living_thread(pid).and_then(|index| assembler.threads.get_mut(index as usize))
        {
            first.name = program.name;
        }
    }

    /// Reads what a process mapped; whether that can be read.
    fn read_mappings(&mut self, pid: u32) -> bool {
        let Ok(text) = std::fs::read(format!("/proc/{pid}/maps")) else { return false };
        for line in text.split(|byte| *byte == b'\n') {
            if let Some(path) = line.iter().position(|byte| *byte == b'/').and_then(|at| line.get(at..)) {
                self.assembler.pythons.mapped(pid, path);
            }
        }
        self.assembler.unwinder.read_maps(pid).is_ok()
    }

    fn seen(&mut self, seen: &Seen) {
        let seen = &self.as_if_alone(*seen);
        let Some(index) = self.assembler.living_thread(seen.tid) else { return };
        // Kernels without scheduler accounts still count ticks, which are coarser.
        let ticks = seen.user.as_nanos().saturating_add(seen.system.as_nanos());
        let on_cpu = seen.on_cpu.map_or(ticks, Nanos::as_nanos);
        // What nobody tells is booked as blocked, in the call it was seen in.
        let queued = seen.queued.map_or(0, Nanos::as_nanos);
        let modes = self.modes.of((seen.pid, seen.tid), on_cpu, (seen.user, seen.system));
        if let Some(thread) = self.assembler.threads.get_mut(index as usize) {
            thread.scheduler =
                seen.on_cpu.zip(seen.queued).map(|(on, queued)| (on.as_nanos(), queued.as_nanos()));
            thread.modes = (thread.scheduled_before == (0, 0)).then_some(modes);
        }
        let born = self.assembler.thread(index).map_or(seen.at, |thread| thread.from);
        let last = self.last.get(&seen.tid).copied();
        let unseen =
            Last { at: born, on_cpu: 0, booked: 0, slices: 0, waits: None, known: None, doubt: None };
        let mut last = last.unwrap_or(unseen);
        let waits = self.waits(index, seen);
        let slices = seen.slices.unwrap_or(0);
        let stops = self.traced.get(&seen.tid).map_or(0, |traced| traced.stops);
        // Who was pushed off has not been put on a CPU since.
        if (slices != last.slices || waits.is_none() || last.waits.is_none())
            && let Some(turns) =
                Turns::since(seen, waits.is_some(), stops, self.turns.get(&seen.tid).copied())
        {
            self.turns.insert(seen.tid, turns);
        }
        if let Some(doubt) = last.doubt.filter(|_| slices != last.slices) {
            last.booked +=
                self.settle(doubt, queued.saturating_sub(last.booked), seen.at.saturating_sub(last.at));
        }
        let known = waits.or(last.known);
        let mut now = Last { at: seen.at, on_cpu, booked: last.booked, slices, waits, known, doubt: None };
        let (on, ready) = self.between(index, seen, &last, &now, queued);
        (now.on_cpu, now.booked) = (last.on_cpu + on, last.booked + ready);
        if slices == last.slices && waits.is_none() {
            let wait = self.told.get(&index).filter(|_| last.waits.is_some() && on == 0 && ready == 0);
            now.doubt = wait
                .map(|wait| Doubt { wait: *wait, length: seen.at.saturating_sub(last.at) })
                .or(last.doubt);
        }
        self.last.insert(seen.tid, now);
    }

    /// As it would be without us: who stands still for the tracer runs, and has not left its CPU for that.
    fn as_if_alone(&self, seen: Seen) -> Seen {
        let Some(traced) = self.traced.get(&seen.tid) else { return seen };
        let stands = seen.state == 't' && !traced.halted;
        Seen {
            state: if stands { 'R' } else { seen.state },
            place: if stands { Place::Running } else { seen.place },
            slices: seen.slices.map(|slices| slices.saturating_sub(traced.stops)),
            ..seen
        }
    }

    /// It stood in the queue for so long that nobody booked, at the end of its wait or in the `since` the last look: most
    /// likely in both alike. Returns what is booked of it by that.
    fn settle(&mut self, doubt: Doubt, queued: u64, since: u64) -> u64 {
        let Some(wait) = self.assembler.waits.get_mut(doubt.wait) else { return 0 };
        let part = share(queued, doubt.length, doubt.length + since).max(queued.saturating_sub(since));
        let part = part.min(doubt.length);
        if wait.woken.is_some() || part == 0 {
            return 0;
        }
        wait.woken = Some(wait.to - part.min(wait.to - wait.from));
        part
    }

    /// Books the time between two looks: blocked first where it was blocked before, else on the CPU first. Returns the
    /// time on the CPU and the time ready for one.
    fn between(&mut self, index: u32, seen: &Seen, last: &Last, now: &Last, queued: u64) -> (u64, u64) {
        let whole = now.at.saturating_sub(last.at);
        let mut on = now.on_cpu.saturating_sub(last.on_cpu).min(whole);
        let mut ready = queued.saturating_sub(last.booked).min(whole - on);
        let slices = now.slices.saturating_sub(last.slices);
        if slices == 0 && last.waits.is_some() && now.waits.is_some() {
            // It slept all the time; what the scheduler has told beyond the time between looks was before.
            (on, ready) = (0, 0);
        }
        let ended = seen.state == 'Z';
        // Those who are stopped for a look may be so for long on a busy machine.
        let stayed = self.traced.contains_key(&seen.tid)
            && self.turns.get(&seen.tid).is_some_and(|turns| !turns.has_left());
        if last.waits.is_none() && now.waits.is_none() && (slices <= FEW || stayed) {
            // Who runs at both ends and seldom left the CPU was not blocked between. Who used some CPU time was on it,
            // up to the tick that will tell of it; else it stood in the queue.
            // Of who has ended the scheduler has told all.
            let rest = if ended { 0 } else { whole - on - ready };
            let untold = if on > 0 { rest.min(TICK) } else { 0 };
            on += untold;
            ready += rest - untold;
        }
        let blocked = whole - on - ready;
        // Of many short waits the one that is seen now is as good as any; a single one is the one seen before.
        let cause = if slices > 1 { now.waits.or(last.waits) } else { last.waits.or(now.waits) };
        // Who did not leave the CPU by itself before its end was not in a call: we had stopped it, or came late.
        let waited = !ended || self.turns.get(&seen.tid).is_some_and(|turns| turns.has_waited());
        let cause = cause.or(now.known.filter(|_| waited));
        let cause = cause.unwrap_or((Why::Unknown, None));
        let mut at = last.at;
        if last.waits.is_some() && blocked > 0 {
            // What it was ready for came after its wait: that is the way back to a CPU, unless it was pushed off since.
            // Who has not got a CPU yet has not come all the way.
            let turns = self.turns.get_mut(&seen.tid).filter(|_| slices > 0);
            let pushed = turns.map_or(0, |turns| turns.pushed_since_waking(ready));
            let back = at + blocked + ready - pushed;
            let woken = (ready > pushed).then_some(at + blocked);
            self.tell(index, at, back, cause, woken);
            self.hit(index, seen, back, on);
            self.tell(index, back + on, back + on + pushed, (Why::Preempted, None), None);
            return (on, ready);
        }
        self.hit(index, seen, at, on);
        at += on;
        let woken = now.known.filter(|(why, _)| matches!(why, Why::Call | Why::Fault));
        let pushed = match (woken, self.turns.get(&seen.tid)) {
            (Some(_), Some(turns)) => turns.pushed_of(ready, slices),
            _ => ready,
        };
        self.tell(index, at, at + pushed, (Why::Preempted, None), None);
        if let Some(cause) = woken {
            self.tell(index, at + pushed, at + ready, cause, Some(at + pushed));
        }
        at += ready;
        self.tell(index, at, at + blocked, cause, None);
        (on, ready)
    }

    /// Books a wait, as one with the wait before where that goes on.
    fn tell(
        &mut self,
        index: u32,
        from: u64,
        to: u64,
        (why, sight): (Why, Option<Sight>),
        woken: Option<u64>,
    ) {
        if from >= to {
            return;
        }
        let assembler = &mut self.assembler;
        let call = assembler.thread(index).and_then(|thread| thread.call);
        let holder = call.filter(|call| call.sight == sight).and_then(|call| call.holder);
        let told = self.told.get(&index).and_then(|told| assembler.waits.get_mut(*told));
        let witness = |assembler: &Assembler, from| {
            let object = assembler.sights.object_of(sight?.call);
            let process = assembler.thread(index)?.process;
            assembler.wakes.witness(Away { thread: index, from, to, soon: SOON }, process, object)
        };
        match told {
            Some(told)
                if told.to == from
                    && (told.why, told.sight, told.holder) == (why, sight, holder)
                    && told.woken.is_none() =>
            {
                (told.to, told.woken) = (to, woken);
            }
            _ => {
                self.told.insert(index, assembler.waits.len());
                assembler.waits.push(Wait { woken, holder, ..wait(index, from, to, why, sight) });
            }
        }
        let Some(position) = self.told.get(&index).copied() else { return };
        let from = assembler.waits.get(position).map_or(from, |wait| wait.from);
        if let Some((_, by)) = witness(assembler, from)
            && let Some(wait) = assembler.waits.get_mut(position)
        {
            wait.by = Some(by);
        }
    }

    fn hit(&mut self, index: u32, seen: &Seen, at: u64, weight: u64) {
        let assembler = &mut self.assembler;
        if weight == 0 {
            return;
        }
        if let Some(thread) = assembler.threads.get_mut(index as usize) {
            thread.on_cpu += weight;
        }
        let bare = Hit { at, thread: index, stack: None, weight, kernel: false };
        if self.traced.contains_key(&seen.tid) {
            let family = family(assembler, index);
            self.samples.book(seen.tid, family, bare, &mut assembler.hits);
            return;
        }
        // On our own CPU it does not run now.
        let runs = seen.place == Place::Running && seen.cpu != this_cpu();
        let was_hit = WasHit { pid: seen.pid, tid: seen.tid, runs, left: None };
        assembler.pythons.look(&[was_hit], seen.at, &mut assembler.tree);
        let stack = assembler.stack(seen.pid, seen.tid, Some(seen.at), [], None);
        assembler.hits.push(Hit { stack, ..bare });
    }

    fn ran(&mut self, index: u32, at: u64, weight: u64) {
        if weight == 0 {
            return;
        }
        if let Some(thread) = self.assembler.threads.get_mut(index as usize) {
            thread.on_cpu += weight;
        }
        self.assembler.hits.push(Hit { at, thread: index, stack: None, weight, kernel: false });
    }

    /// Libraries come after the program: before a stack is taken at a new place, the mappings are read again.
    fn refresh(&mut self, pid: u32, index: u32, call: &InCall) {
        let process = self.assembler.thread(index).map_or(0, |thread| thread.process);
        let place = self.assembler.sights.of(pid, process, PRESENT, call).place;
        if self.assembler.sights.stack_of(place).is_none() {
            let _ = self.assembler.unwinder.read_maps(pid);
        }
    }

    /// What a thread waits in now. `None` when it runs.
    fn waits(&mut self, index: u32, seen: &Seen) -> Option<(Why, Option<Sight>)> {
        let sight = match seen.place {
            Place::Running => return None,
            // A signal may stop a thread inside a call too.
            _ if matches!(seen.state, 'T' | 't') => return Some((Why::Stopped, None)),
            Place::Outside { .. } => return Some((Why::Fault, None)),
            Place::Refused | Place::Unknown => {
                return (seen.state != 'R').then_some((Why::Unknown, None));
            }
            Place::Call(call) => self.assembler.sights.begun(seen.pid, InCall::seen(&call)),
        };
        self.refresh(seen.pid, index, &sight);
        look::at_call(&mut self.assembler, index, sight, seen.at);
        let sight = self.assembler.thread(index).and_then(|thread| thread.last_sight);
        Some((Why::Call, sight))
    }
}

/// Those who began as this thread did: threads of the same process, or children of the same one with the same program.
fn family(assembler: &Assembler, index: u32) -> Option<Family> {
    let thread = assembler.thread(index)?;
    let process = assembler.processes.get(thread.process as usize)?;
    let first = process.pid == thread.tid;
    Some(Family {
        process: if first { process.parent? } else { thread.process },
        program: first.then(|| process.program.clone()).flatten(),
    })
}

/// `part` of `of`, taken of `whole`; all of it where there is nothing to take part of.
fn share(whole: u64, part: u64, of: u64) -> u64 {
    if of == 0 {
        return whole;
    }
    let part = u128::from(whole) * u128::from(part.min(of)) / u128::from(of);
    u64::try_from(part).unwrap_or(whole)
}

fn wait(thread: u32, from: u64, to: u64, why: Why, sight: Option<Sight>) -> Wait {
    Wait {
        thread,
        from,
        to,
        woken: None,
        why,
        sight,
        fault: None,
        stack: None,
        by: None,
        holder: None,
        cpu: None,
    }
}

/// `true` when it is time to stop.
fn sleeps(stop: BorrowedFd<'_>, pause: Duration) -> bool {
    let mut fd = libc::pollfd { fd: stop.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let time = libc::timespec {
        tv_sec: libc::time_t::try_from(pause.as_secs()).unwrap_or(1),
        tv_nsec: libc::c_long::from(pause.subsec_nanos()),
    };
    // SAFETY: one descriptor of ours, a time that outlives the call, no signal mask.
    let seen = unsafe { libc::ppoll(&raw mut fd, 1, &raw const time, std::ptr::null()) };
    seen > 0
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn of_many_who_are_ready_each_has_its_part() {
        for (part, of, expected) in
            [(2, 2000, 1), (2, 1, 1000), (0, 0, 1000), (0, 5, 0), (u64::MAX, u64::MAX, 1000)]
        {
            assert_eq!(share(1000, part, of), expected, "{part} of {of}");
        }
    }

    /// A look at the first thread at a millisecond: in the queue or asleep, with what the scheduler has told so far.
    pub(super) fn look(
        polled: &mut Polled,
        at: u64,
        asleep: bool,
        (on_cpu, queued, slices): (u64, u64, u64),
    ) {
        let pid = std::process::id();
        let place = if asleep { Place::Outside { sp: 0, pc: 0 } } else { Place::Running };
        let millis = |count: u64| Some(Nanos::from_nanos(count * 1_000_000));
        polled.seen(&Seen {
            at: at * 1_000_000,
            pid,
            tid: pid,
            state: if asleep { 'S' } else { 'R' },
            place,
            on_cpu: millis(on_cpu),
            queued: millis(queued),
            slices: Some(slices),
            user: Nanos::ZERO,
            system: Nanos::ZERO,
            cpu: None,
        });
    }

    #[test]
    fn what_the_launcher_waits_for_is_none_of_the_targets() {
        let pid = std::process::id();
        for (before, stopped) in [("/memfd:slowpath-launcher (deleted)", 0), ("/bin/sh", 1)] {
            let mut polled = Polled::new(pid, Assembler::new(1), 1024);
            let program = |file: &str| Program {
                name: "made".to_owned(),
                file: Some(std::ffi::OsString::from(file).into()),
                argv: Vec::new(),
            };
            let counted = SchedStat { on_cpu: Nanos::ZERO, runnable: Nanos::ZERO, slices: 1 };
            polled.last.insert(pid, Last::counted(0, &counted));
            polled.program(pid, program(before));
            polled.last.entry(pid).and_modify(|last| last.waits = Some((Why::Stopped, None)));
            polled.program(pid, program("/bin/sleep"));
            look(&mut polled, 10, true, (0, 0, 2));
            let of_before = polled.assembler.waits.iter().filter(|wait| wait.why == Why::Stopped).count();
            assert_eq!(of_before, stopped, "{before} {:#?}", polled.assembler.waits);
        }
    }

    #[test]
    fn who_is_found_in_the_queue_after_a_wait_stood_there_before_the_look() {
        let pid = std::process::id();
        let mut polled = Polled::new(pid, Assembler::new(1), 1024);
        let before = SchedStat { on_cpu: Nanos::ZERO, runnable: Nanos::ZERO, slices: 1 };
        polled.last.insert(pid, Last::counted(0, &before));
        look(&mut polled, 10, true, (0, 0, 1));
        look(&mut polled, 20, false, (0, 0, 1));
        // It stood there for 8 ms before the look and for 6 after it, ran for 1 and waits again.
        look(&mut polled, 30, true, (1, 14, 2));
        let waits = &polled.assembler.waits;
        let queued = |wait: &Wait| wait.woken.map_or(0, |woken| wait.to - woken);
        let preempted = waits.iter().filter(|wait| wait.why == Why::Preempted);
        let ready: u64 = waits.iter().map(queued).chain(preempted.map(|wait| wait.to - wait.from)).sum();
        assert_eq!(ready, 14_000_000, "{waits:#?}");
        let first = waits.iter().find(|wait| wait.to == 20_000_000).unwrap();
        assert_eq!(first.woken, Some(13_000_000), "{waits:#?}");
    }
}
