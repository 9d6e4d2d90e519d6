//! The tracer's loop: traps, steps, signals, new threads and programs.

use std::collections::{HashMap, VecDeque};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::mpsc;
use std::thread::JoinHandle;

use libc::user_regs_struct;
use model::native::Where;

use super::book::{Begun, Book};
use super::first::{self, First};
use super::pace::{Allowance, Pace};
use super::places::{entry_point, mapped};
use super::seen::Seen;
use super::space::{Placed, Space};
use super::told::{self, Moment, in_vectors, uses_vectors};
use super::{Callable, Duration, RunError};
use crate::clock::monotonic;
use crate::process::SchedStat;
use crate::ptrace::{self, Stop, Waited};
use crate::record::alarm::Alarm;

/// Stops at programs loaded and in whatever is made. Without its tracer the target ends.
const OPTIONS: i32 = libc::PTRACE_O_TRACEEXEC | ptrace::WHOLE_TREE | libc::PTRACE_O_EXITKILL;

/// Calls of one function under way in one thread that are looked at. Deeper ones are let through.
const DEEP: usize = 16;

/// What a stop adds to a thread's own time, in nanoseconds, until that is measured; and the last stops that tell it.
const STOP: u64 = 3_000;
const MEASURES: usize = 15;

/// Of the calls of a function, one in so many stops once more for that.
const OFTEN: u64 = 8;

/// Why a trap was raised: by the instruction for it (`SI_KERNEL`), by a step, by a breakpoint of the processor's, and at the beginning
/// of a signal's handler (the kernel says `SIGTRAP`).
const BY_KERNEL: i32 = 0x80;
const STEPPED: i32 = 2;
const BREAKPOINT: i32 = 1;
const IN_HANDLER: i32 = libc::SIGTRAP;

/// A program begins at its entry point, which is no function that was asked for.
const START: usize = usize::MAX;

/// A tracer at work, on a thread of its own because the kernel ties tracing to one.
pub(super) struct Tracer {
    thread: JoinHandle<Seen>,
}

impl Tracer {
    /// Begins to trace a stopped target and everything it will start.
    pub(super) fn attach(pid: i32, functions: Vec<Callable>, expected: Duration) -> Result<Self, RunError> {
        let (sender, ready) = mpsc::channel();
        let thread = std::thread::Builder::new().name("tracer".to_owned()).spawn(move || {
            let attached = Alarm::new().and_then(|alarm| ptrace::seize(pid, OPTIONS).map(|()| alarm));
            let mut engine = Engine::new(functions, expected);
            match attached {
                Ok(alarm) => {
                    let _ = sender.send(Ok(()));
                    engine.work(&alarm);
                }
                Err(error) => {
                    let _ = sender.send(Err(error));
                }
            }
            engine.seen
        });
        let thread = thread.map_err(|source| RunError::NoRecorder { source })?;
        let attached = ready.recv().map_err(|_| RunError::RecorderLost)?;
        attached.map_err(|source| RunError::NoRecorder { source })?;
        Ok(Self { thread })
    }

    /// What it saw, once all processes have ended.
    pub(super) fn seen(self) -> Result<Seen, RunError> {
        self.thread.join().map_err(|_| RunError::RecorderLost)
    }
}

#[derive(Debug, Default)]
struct Thread {
    pid: u32,
    /// The memory it runs in, if anything is watched there.
    space: Option<u32>,
    /// It takes one step from here.
    stepping: Option<u64>,
    /// A signal came before the step was made: it will come here again, with this stack pointer.
    comes_again: Option<(u64, u64)>,
    frames: Vec<Frame>,
    /// Its account at the scheduler.
    clock: Option<File>,
    /// What stops have added to its time.
    held_up: u64,
}

/// A call under way.
#[derive(Debug)]
struct Frame {
    function: usize,
    /// Where the return address lies.
    sp: u64,
    returns_to: u64,
    begun: Begun,
    given: user_regs_struct,
    clock: Option<u64>,
    held_up: u64,
}

struct Engine {
    seen: Seen,
    firsts: HashMap<u64, Option<First>>,
    paces: Vec<Pace>,
    /// Where each function begins, by memory.
    entries: HashMap<(u32, usize), u64>,
    spaces: HashMap<u32, Space>,
    threads: HashMap<i32, Thread>,
    allowance: Allowance,
    /// What stops added to the time of their threads, of late.
    measured: VecDeque<u64>,
    /// And what a step does, which virtual machines make dear.
    step: u64,
    /// The last call of each function, by the clock of its thread, and the mean time between two of a burst.
    lasts: Vec<Last>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    tid: i32,
    clock: u64,
    held_up: u64,
    between: f64,
    /// Calls have gone by unseen.
    paused: bool,
}

impl Engine {
    fn new(functions: Vec<Callable>, expected: Duration) -> Self {
        let count = functions.len();
        let expected = u64::try_from(expected.as_nanos()).unwrap_or(u64::MAX);
        let seen = Seen {
            functions,
            books: std::iter::repeat_with(Book::default).take(count).collect(),
            processes: 0,
            found: vec![false; count],
            is_cut: false,
            stop: STOP,
        };
        Self {
            seen,
            firsts: HashMap::new(),
            paces: vec![Pace::new(); count],
            entries: HashMap::new(),
            spaces: HashMap::new(),
            threads: HashMap::new(),
            allowance: Allowance::new(monotonic(), expected),
            measured: VecDeque::new(),
            step: STOP,
            lasts: vec![Last::default(); count],
        }
    }

    /// Until all traced threads are gone.
    fn work(&mut self, alarm: &Alarm) {
        let mut due = None;
        loop {
            let next = self.paces.iter().filter_map(|pace| pace.again).min();
            if next != due {
                due = next;
                match due {
                    Some(at) => alarm.ring_in(Duration::from_nanos(at.saturating_sub(monotonic()))),
                    None => alarm.off(),
                }
            }
            match ptrace::next_or_alarm() {
                Waited::Stopped(tid, stop) => self.stopped(tid, stop),
                Waited::Interrupted => {}
                Waited::Nobody => return,
            }
            if due.is_some_and(|at| at <= monotonic()) {
                self.resume();
            }
        }
    }

    fn stopped(&mut self, tid: i32, stop: Stop) {
        if let Stop::Gone(_) = stop {
            return self.gone(tid);
        }
        self.adopt(tid);
        match stop {
            Stop::Signal(libc::SIGTRAP) => self.trapped(tid),
            Stop::Signal(signal) => self.go(tid, signal),
            Stop::Halted => ptrace::leave_halted(tid),
            Stop::Loaded => {
                self.loaded(tid);
                ptrace::go(tid, 0);
            }
            _ => self.go(tid, 0),
        }
    }

    /// Lets a thread go on; one that was to take a step still is.
    fn go(&mut self, tid: i32, signal: i32) {
        if self.threads.get(&tid).is_some_and(|thread| thread.stepping.is_some()) {
            ptrace::step(tid, signal);
        } else {
            ptrace::go(tid, signal);
        }
    }

    /// Takes in a thread at its first stop. What shares the memory of another runs over the same traps; a copy gets none.
    fn adopt(&mut self, tid: i32) {
        if self.threads.contains_key(&tid) {
            return;
        }
        let (pid, parent) = crate::process::family(tid).unwrap_or((tid.cast_unsigned(), 0));
        let of_process = |pid: u32| self.threads.values().find(|thread| thread.pid == pid);
        let space = match of_process(pid) {
            Some(other) => other.space,
            None => {
                let above = of_process(parent).and_then(|above| above.space);
                above.filter(|space| ptrace::shares_memory(tid, space.cast_signed()))
            }
        };
        if space.is_none() {
            self.spaces.values().for_each(|space| space.cleanse(tid.cast_unsigned()));
        }
        self.threads.insert(tid, Thread { pid, space, ..Thread::default() });
    }

    /// Another program: its other threads are gone, and so is what was put into its memory.
    fn loaded(&mut self, tid: i32) {
        let pid = tid.cast_unsigned();
        self.threads.retain(|other, thread| thread.pid != pid || *other == tid);
        self.forget(pid);
        let space = self.begin(pid);
        self.threads.insert(tid, Thread { pid, space, ..Thread::default() });
    }

    /// Prepares the memory of a program that holds a function, or loads what does: it stops once more where it begins, when its
    /// libraries are there.
    fn begin(&mut self, pid: u32) -> Option<u32> {
        let mut space = Space::open(pid).ok()?;
        let start = entry_point(pid)?;
        space.start = space.begin_watching(start, START).then_some(start);
        space.start?;
        self.spaces.insert(pid, space);
        Some(pid)
    }

    /// The libraries of a program are there: traps go where functions begin.
    fn started(&mut self, pid: u32) {
        let Some(space) = self.spaces.get_mut(&pid) else { return };
        if let Some(start) = space.start.take() {
            space.end_watching(start);
        }
        let maps = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
        let mut any = false;
        for (at, function) in self.seen.functions.iter().enumerate().filter(|_| !self.seen.is_cut) {
            let Some(address) = mapped(&maps, &function.module, function.offset) else { continue };
            if space.begin_watching(address, at) {
                any = true;
                self.entries.insert((pid, at), address);
                if let Some(found) = self.seen.found.get_mut(at) {
                    *found = true;
                }
            }
        }
        self.seen.processes += u32::from(any);
    }

    /// Measures what a stop adds to the time of a thread that stands at a trap: it runs into that some times more. Whether it stands
    /// there still.
    fn calibrate(&mut self, tid: i32, all: &mut user_regs_struct, times: usize) -> bool {
        let mut before = self.clock(tid);
        for _ in 0..times {
            ptrace::set_general(tid, all);
            ptrace::go(tid, 0);
            match ptrace::wait_for(tid) {
                Some(Stop::Signal(libc::SIGTRAP)) if ptrace::signal_code(tid) == Some(BY_KERNEL) => {}
                Some(other) => {
                    self.stopped(tid, other);
                    return false;
                }
                None => return false,
            }
            let now = self.clock(tid);
            if let Some(taken) = before.zip(now).map(|(before, now)| now.saturating_sub(before)) {
                if self.measured.len() >= MEASURES {
                    self.measured.pop_front();
                }
                self.measured.push_back(taken);
            }
            before = now;
        }
        let mut measured: Vec<u64> = self.measured.iter().copied().collect();
        measured.sort_unstable();
        self.seen.stop = measured.get(measured.len() / 2).copied().unwrap_or(STOP);
        true
    }

    /// Measures what a step adds, and lets the thread go.
    fn calibrate_steps(&mut self, tid: i32) {
        let mut taken = Vec::new();
        let mut before = self.clock(tid);
        for _ in 0..MEASURES {
            ptrace::step(tid, 0);
            match ptrace::wait_for(tid) {
                Some(Stop::Signal(libc::SIGTRAP)) if ptrace::signal_code(tid) == Some(STEPPED) => {}
                Some(other) => return self.stopped(tid, other),
                None => return,
            }
            let now = self.clock(tid);
            taken.extend(before.zip(now).map(|(before, now)| now.saturating_sub(before)));
            before = now;
        }
        taken.sort_unstable();
        self.step = taken.get(taken.len() / 2).copied().unwrap_or(STOP);
        ptrace::go(tid, 0);
    }

    fn forget(&mut self, pid: u32) {
        self.spaces.remove(&pid);
        self.entries.retain(|(space, _), _| *space != pid);
    }

    fn gone(&mut self, tid: i32) {
        let Some(thread) = self.threads.remove(&tid) else { return };
        self.drop_frames(thread.space, thread.frames);
        if thread.pid == tid.cast_unsigned() {
            self.forget(thread.pid);
        }
    }

    /// Nobody returns from these calls any more.
    fn drop_frames(&mut self, space: Option<u32>, frames: Vec<Frame>) {
        let Some(space) = space.and_then(|space| self.spaces.get_mut(&space)) else { return };
        for frame in frames {
            space.expect_no_more(frame.returns_to);
        }
    }

    /// A trap: one of ours, the end of a step, or the program's own.
    fn trapped(&mut self, tid: i32) {
        let from = monotonic();
        let code = ptrace::signal_code(tid);
        if let Some(address) = self.threads.get(&tid).and_then(|thread| thread.stepping) {
            match code {
                Some(STEPPED | BREAKPOINT | IN_HANDLER) => return self.stepped(tid, address, code),
                // The trap was put back before the step was made.
                Some(BY_KERNEL) => {
                    if let Some(thread) = self.threads.get_mut(&tid) {
                        thread.stepping = None;
                    }
                }
                // Somebody sent it this signal.
                _ => return self.go(tid, libc::SIGTRAP),
            }
        }
        let space = self.threads.get(&tid).and_then(|thread| thread.space);
        let all = ptrace::general(tid).filter(|_| code == Some(BY_KERNEL));
        let known = space.filter(|space| self.spaces.contains_key(space));
        let Some((mut all, space)) = all.zip(known) else {
            ptrace::go(tid, libc::SIGTRAP);
            return;
        };
        all.rip = all.rip.wrapping_sub(1);
        let placed = self.spaces.get(&space).and_then(|space| space.at(all.rip));
        match placed {
            Some(placed) => {
                self.ours(tid, space, placed, all);
                self.allowance.spend(monotonic().saturating_sub(from));
                if self.allowance.is_spent() && !self.seen.is_cut {
                    self.cut();
                }
            }
            // It ran into a trap that was taken out before it could tell.
            None if self.spaces.get(&space).is_some_and(|space| space.held_trap(all.rip)) => {
                ptrace::set_general(tid, &mut all);
                ptrace::go(tid, 0);
            }
            None => ptrace::go(tid, libc::SIGTRAP),
        }
    }

    /// A thread has made its step; where a signal's handler came first, it will be here again.
    fn stepped(&mut self, tid: i32, address: u64, code: Option<i32>) {
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.stepping = None;
            thread.held_up = thread.held_up.saturating_add(self.step);
            thread.comes_again = thread.comes_again.filter(|_| code == Some(IN_HANDLER));
            if let Some(space) = thread.space.and_then(|space| self.spaces.get_mut(&space)) {
                space.put_back(address);
            }
        }
        ptrace::go(tid, 0);
    }

    fn ours(&mut self, tid: i32, space: u32, placed: Placed, mut all: user_regs_struct) {
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.held_up = thread.held_up.saturating_add(self.seen.stop);
        }
        let address = all.rip;
        match placed.entry {
            Some(START) if !self.calibrate(tid, &mut all, MEASURES) => return,
            Some(START) => {
                self.started(space);
                ptrace::set_general(tid, &mut all);
                return self.calibrate_steps(tid);
            }
            // A trap that another thread steps over would be missed.
            Some(function) if placed.is_in && self.is_due(function) && !self.calibrate(tid, &mut all, 1) => {
                return;
            }
            Some(function) => self.begins(tid, space, function, &all),
            None => {}
        }
        if placed.is_expected() {
            self.returns(tid, space, &all);
        }
        let Some(memory) = self.spaces.get_mut(&space) else { return };
        // What has just gone for good needs no step.
        if memory.at(address).is_none() {
            ptrace::set_general(tid, &mut all);
            ptrace::go(tid, 0);
            return;
        }
        let first = *self.firsts.entry(address).or_insert_with(|| {
            let mut bytes = [0; first::LONGEST];
            memory.code(address, &mut bytes).then(|| First::decode(&bytes)).flatten()
        });
        if let Some(first) = first {
            let before = all;
            let written = first.carry_out(&mut all);
            if written.is_none_or(|(at, value)| memory.write_word(at, value)) {
                ptrace::set_general(tid, &mut all);
                ptrace::go(tid, 0);
                return;
            }
            all = before;
        }
        memory.lift(address);
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.stepping = Some(address);
            thread.comes_again = placed.entry.map(|_| (address, all.rsp));
        }
        ptrace::set_general(tid, &mut all);
        ptrace::step(tid, 0);
    }

    /// Now and then it is measured what a stop takes: caches and other programs change that.
    fn is_due(&self, function: usize) -> bool {
        self.seen.books.get(function).is_some_and(|book| book.looked.is_multiple_of(OFTEN))
    }

    /// A function begins.
    fn begins(&mut self, tid: i32, space: u32, function: usize, all: &user_regs_struct) {
        let clock = self.clock(tid);
        let (Some(thread), Some(memory)) = (self.threads.get_mut(&tid), self.spaces.get_mut(&space)) else {
            return;
        };
        if thread.comes_again.take() == Some((all.rip, all.rsp)) {
            return;
        }
        // Whoever began further in has been left: by an exception, by a long jump, or for this one.
        let left = thread.frames.iter().position(|frame| frame.sp <= all.rsp).unwrap_or(thread.frames.len());
        for frame in thread.frames.drain(left..) {
            memory.expect_no_more(frame.returns_to);
        }
        let inside = thread.frames.iter().filter(|frame| frame.function == function).count();
        let Some(returns_to) = memory.word(all.rsp).filter(|_| inside < DEEP) else { return };
        let Some(of) = self.seen.functions.get(function) else { return };
        let vectors = uses_vectors(of).then(|| ptrace::vectors(tid)).flatten();
        let given = told::given(&Moment { space: memory, general: all, vectors }, &of.parameters);
        if !memory.expect(returns_to) {
            return;
        }
        let held_up = thread.held_up;
        self.unseen(tid, function, clock, held_up);
        let Some(book) = self.seen.books.get_mut(function) else { return };
        let begun = book.begins(given, inside > 0);
        let frame = Frame { function, sp: all.rsp, returns_to, begun, given: *all, clock, held_up };
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.frames.push(frame);
        }
        let active = self.seen.books.iter().filter(|book| book.looked > 0).count() as u64;
        if let Some(pace) = self.paces.get_mut(function) {
            pace.stopped();
            let lately = self.seen.books.get(function).and_then(Book::lately);
            if pace.called(&self.allowance, lately, active, monotonic()) {
                self.pause(function);
            }
        }
    }

    /// Estimates how many calls went by while nobody looked, by the time between two of those that were seen before.
    fn unseen(&mut self, tid: i32, function: usize, clock: Option<u64>, held_up: u64) {
        let (Some(last), Some(clock)) = (self.lasts.get_mut(function), clock) else { return };
        if last.tid == tid {
            let own = clock.saturating_sub(last.clock);
            let own = own.saturating_sub(held_up.saturating_sub(last.held_up)) as f64;
            if last.paused && last.between > 0.0 {
                if let Some(book) = self.seen.books.get_mut(function) {
                    book.calls += (own / last.between - 1.0).max(0.0);
                }
            } else if !last.paused {
                // The last few count most: calls may take ever longer.
                last.between = if last.between > 0.0 { last.between * 0.9 + own * 0.1 } else { own };
            }
        }
        (last.tid, last.clock, last.held_up, last.paused) = (tid, clock, held_up, false);
    }

    /// Somebody may have returned to here.
    fn returns(&mut self, tid: i32, space: u32, all: &user_regs_struct) {
        let ended = self.clock(tid);
        let (Some(thread), Some(memory)) = (self.threads.get_mut(&tid), self.spaces.get_mut(&space)) else {
            return;
        };
        let is_it = |frame: &Frame| frame.returns_to == all.rip && frame.sp.wrapping_add(8) == all.rsp;
        let Some(at) = thread.frames.iter().rposition(is_it) else { return };
        let mut left = thread.frames.drain(at..);
        let Some(frame) = left.next() else { return };
        for further_in in left {
            memory.expect_no_more(further_in.returns_to);
        }
        memory.expect_no_more(frame.returns_to);
        let (Some(of), Some(book)) =
            (self.seen.functions.get(frame.function), self.seen.books.get_mut(frame.function))
        else {
            return;
        };
        let vectors = of.result.as_ref().is_some_and(in_vectors).then(|| ptrace::vectors(tid)).flatten();
        let gave = of.result.as_ref().and_then(|result| {
            let in_memory = matches!(result.at, Where::Memory { .. });
            let general = if in_memory { &frame.given } else { all };
            told::result(&Moment { space: memory, general, vectors }, result)
        });
        // What its parameters pointed to, as it is now.
        let then = Moment { space: memory, general: &frame.given, vectors: None };
        let after = if gave.is_some() { told::given(&then, &of.parameters) } else { Vec::new() };
        let held_up = thread.held_up.saturating_sub(frame.held_up);
        let Some(taken) = frame.clock.zip(ended).map(|(from, to)| to.saturating_sub(from)) else { return };
        book.ends(frame.begun, taken.saturating_sub(held_up), gave, &after);
        if let Some(pace) = self.paces.get_mut(frame.function) {
            pace.stopped();
        }
    }

    /// What a thread has had of a CPU.
    fn clock(&mut self, tid: i32) -> Option<u64> {
        let thread = self.threads.get_mut(&tid)?;
        if thread.clock.is_none() {
            thread.clock = File::open(format!("/proc/{}/task/{tid}/schedstat", thread.pid)).ok();
        }
        let mut text = [0; 96];
        let length = thread.clock.as_ref()?.read_at(&mut text, 0).ok()?;
        Some(SchedStat::parse(text.get(..length)?)?.on_cpu.as_nanos())
    }

    /// Lets a function be called without a stop for a while.
    fn pause(&mut self, function: usize) {
        for ((space, at), address) in &self.entries {
            if let Some(space) = self.spaces.get_mut(space).filter(|_| *at == function) {
                space.end_watching(*address);
            }
        }
        if let Some(last) = self.lasts.get_mut(function) {
            last.paused = true;
        }
    }

    /// Watches functions again whose time has come.
    fn resume(&mut self) {
        let now = monotonic();
        for (function, pace) in self.paces.iter_mut().enumerate() {
            if self.seen.is_cut || pace.again.is_none_or(|again| again > now) {
                continue;
            }
            pace.again = None;
            for ((space, _), address) in self.entries.iter().filter(|((_, at), _)| *at == function) {
                if let Some(space) = self.spaces.get_mut(space) {
                    space.begin_watching(*address, function);
                }
            }
        }
    }

    /// The target is left alone from here on.
    fn cut(&mut self) {
        self.seen.is_cut = true;
        self.spaces.values_mut().for_each(Space::clear);
        self.threads.values_mut().for_each(|thread| thread.frames.clear());
        self.paces.iter_mut().for_each(|pace| pace.again = None);
    }
}
