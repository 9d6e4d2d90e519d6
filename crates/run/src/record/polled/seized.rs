//! Looking at threads that run by stopping them for a moment, where no perf events do that.
//!
//! The tree is traced. A tracer is told at once of each birth, program and end, so that short lives are in the account.
//! Some hundred times a second the threads that run are asked to stop; each is let go as soon as its registers and its stack
//! are copied, and unwound afterwards. Who waits is left alone: some calls would tell the program. Between the question and
//! the stop a thread may begin to wait; such a call is begun again by the kernel (`ptrace::standing`).
//!
//! The kernel ties tracing to one thread, and lets go of all it traced when that ends: a target that goes on longer than
//! its recording is not stopped for that.

use std::collections::HashMap;
use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use super::super::alarm::Alarm;
use super::super::assemble::Stopped;
use super::super::memory::read_memory;
use super::super::poll::{Stat, tree_of};
use super::super::pythons::WasHit;
use super::samples::Sample;
use super::{Polled, ends, sleeps};
use crate::clock::{monotonic, of_this_thread};
use crate::ptrace::{self, Standing, Stop, Waited};

const OPTIONS: i32 = ptrace::WHOLE_TREE | libc::PTRACE_O_TRACEEXEC;

/// Between two times that threads are asked to stop.
const SHORTEST_PAUSE: u64 = 2_000_000;
const LONGEST_PAUSE: u64 = 50_000_000;

/// One part of CPU time for stops to this many of pausing.
const PAUSES: u64 = 40;

/// CPU time of a round in which one thread stops, more or less.
const USUAL_COST: u64 = 40_000;

/// Threads that are asked at once.
const MOST: usize = 16;

/// Threads that are traced. The kernel goes through all of them for each stop, and each birth is two: of thousands, looks at
/// /proc tell more for less.
const CROWD: usize = 128;

/// Of a parent with no more threads than this, each is looked at when a child ends.
const FAMILY: usize = 2;

/// Rounds in which a tree that grows meanwhile is looked for threads.
const ROUNDS: usize = 20;

/// Hits among which the last ones of a thread lie.
const TAIL: usize = 512;

/// For so long after it was seen on a CPU, what a thread does in the queue is not looked at; for so long after any look, not what it
/// does in a call there. A look further away than [`super::samples`] waits for would tell of nothing.
const NEAR: u64 = 100_000_000;
const NEAR_CALL: u64 = 500_000_000;

/// Nanoseconds that whoever was asked last gets to stop before it is let go.
const LAST: u64 = 20_000_000;

/// Between two readings of a process's mappings because of code that is not in them, at least, and parts of that time to
/// one of reading. Each that does not help doubles it.
const MAPS: u64 = 10_000_000;
const MAPS_PAUSES: u64 = 100;
const MAPS_LONGEST: u64 = 1_000_000_000;

/// How a tracer came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Ended {
    /// With the recording.
    Asked,
    /// There are too many threads to trace.
    Crowded,
}

/// What only the thread that traces may hold.
pub(in super::super) struct Seized {
    alarm: Alarm,
    /// CPU time that a round of stops takes, smoothed, and what this round has taken so far.
    cost: u64,
    round: u64,
}

/// A traced thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traced {
    pid: u32,
    /// How often it stood still for us: each time the scheduler counts as one that it left its CPU by itself.
    pub(super) stops: u64,
    /// It was asked to stop and has not yet.
    asked: bool,
    /// How often it had been put on a CPU when it was asked.
    arrivals: Option<u64>,
    begun: u64,
    /// When it last stopped on a CPU.
    stopped_on_cpu: Option<u64>,
    /// When it was last looked at.
    looked_at: u64,
    /// It stands for job control.
    pub(super) halted: bool,
}

/// When the mappings of a process were last read because of unknown code, and when they may be again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Maps {
    again: u64,
    pause: u64,
}

impl Polled {
    /// Begins to trace the whole tree, from this thread.
    ///
    /// # Errors
    /// When nothing may be traced; then nothing is. Processes that were made by others may be refused alone.
    pub(in super::super) fn seize(&mut self) -> io::Result<Seized> {
        let alarm = Alarm::new()?;
        let mut refused = HashMap::new();
        for _ in 0..ROUNDS {
            let threads = tree_of(self.first)
                .into_iter()
                .flat_map(|process| process.threads.into_iter().map(move |tid| (process.pid, tid)));
            let new: Vec<(u32, u32)> = threads
                .filter(|(_, tid)| !self.traced.contains_key(tid) && !refused.contains_key(tid))
                .collect();
            if new.is_empty() {
                break;
            }
            for (pid, tid) in new {
                match ptrace::seize(tid.cast_signed(), OPTIONS) {
                    Ok(()) => {
                        self.traced.insert(tid, Traced::new(pid));
                    }
                    // It is gone.
                    Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                    Err(error) if self.traced.is_empty() => return Err(error),
                    Err(error) => {
                        refused.insert(tid, error);
                    }
                }
            }
        }
        self.untraced = refused.len();
        Ok(Seized { alarm, cost: USUAL_COST, round: 0 })
    }

    /// Works until `stop` becomes readable, or there are too many. The calling thread must end then: only so are they let go.
    pub(in super::super) fn work_seized(&mut self, stop: BorrowedFd<'_>, mut seized: Seized) -> Ended {
        let mut events = Vec::new();
        self.look(&mut events);
        if self.untraced == 0 {
            self.poller.be_told();
        }
        let (mut look, mut ask) = (self.next_look(), monotonic());
        while self.traced.len() <= CROWD {
            let now = monotonic();
            if now >= look.min(ask) && sleeps(stop, Duration::ZERO) {
                break;
            }
            if now >= ask {
                seized.begins();
                seized.spends(|| self.ask());
                ask = monotonic() + seized.pause(&mut self.random);
            }
            if now >= look {
                self.look(&mut events);
                look = self.next_look();
            }
            let left = Duration::from_nanos(look.min(ask).saturating_sub(monotonic()));
            if !self.wait(&mut seized, left) && sleeps(stop, left) {
                break;
            }
        }
        // Whoever was asked would be in a call that ends for it.
        let until = monotonic() + LAST;
        while self.traced.values().any(|thread| thread.asked) && monotonic() < until {
            self.wait(&mut seized, Duration::from_millis(1));
        }
        if self.traced.len() <= CROWD {
            return Ended::Asked;
        }
        self.traced.clear();
        self.poller.be_told_no_more();
        Ended::Crowded
    }

    fn next_look(&mut self) -> u64 {
        let pause = u64::try_from(self.poller.pause().as_nanos()).unwrap_or(u64::MAX);
        monotonic().saturating_add(pause)
    }

    /// Waits for one stop, not longer than this. `false` when nobody is traced any more.
    fn wait(&mut self, seized: &mut Seized, longest: Duration) -> bool {
        seized.alarm.ring_in(longest);
        let waited = ptrace::peek();
        seized.alarm.off();
        match waited {
            Waited::Stopped(tid, Stop::Trapped) => seized.spends(|| self.stopped(tid, Stop::Trapped)),
            Waited::Stopped(tid, stop) => self.stopped(tid, stop),
            Waited::Interrupted => {}
            Waited::Nobody => return false,
        }
        true
    }

    /// Asks threads that run to stop.
    fn ask(&mut self) {
        for (pid, tid) in self.poller.may_run(MOST) {
            let Some(thread) = self.traced.get_mut(&tid).filter(|thread| !thread.asked && !thread.halted)
            else {
                continue;
            };
            if self.poller.runs(pid, tid) {
                thread.arrivals = self.poller.arrivals(pid, tid);
                thread.asked = ptrace::interrupt(tid.cast_signed());
            }
        }
    }

    fn stopped(&mut self, tid: i32, stop: Stop) {
        if let Stop::Gone(_) = stop {
            self.ended(tid.cast_unsigned());
            ptrace::taken(tid);
            return;
        }
        ptrace::taken(tid);
        if !self.traced.contains_key(&tid.cast_unsigned()) {
            self.begun(tid);
        }
        if let Some(thread) = self.traced.get_mut(&tid.cast_unsigned()) {
            thread.stops += 1;
            thread.halted = stop == Stop::Halted;
        }
        match stop {
            Stop::Trapped => self.trapped(tid),
            Stop::Signal(signal) => ptrace::go(tid, signal),
            Stop::Halted => ptrace::leave_halted(tid),
            Stop::Made => {
                self.made(tid);
                self.see(tid.cast_unsigned());
                ptrace::go(tid, 0);
            }
            Stop::Loaded => {
                self.loaded(tid.cast_unsigned());
                ptrace::go(tid, 0);
            }
            _ => ptrace::go(tid, 0),
        }
    }

    /// A thread stops for the first time, before who made it has told.
    fn begun(&mut self, tid: i32) {
        let Some((pid, parent)) = crate::process::family(tid) else { return };
        let tid = tid.cast_unsigned();
        let parent = if pid == tid { parent } else { pid };
        let Some(stat) = Stat::of(pid, tid) else { return };
        self.born(pid, tid, parent, stat.name);
    }

    fn made(&mut self, by: i32) {
        let Some(parent) = self.traced.get(&by.cast_unsigned()).map(|thread| thread.pid) else { return };
        let Some(tid) = ptrace::made(by).map(i32::cast_unsigned) else { return };
        if self.traced.contains_key(&tid) {
            return;
        }
        // A number in a namespace of its own, or gone already.
        let found = [parent, tid].into_iter().find_map(|pid| Some((pid, Stat::of(pid, tid)?)));
        if let Some((pid, stat)) = found.filter(|(_, stat)| !stat.has_ended()) {
            self.born(pid, tid, parent, stat.name);
        }
    }

    fn born(&mut self, pid: u32, tid: u32, parent: u32, name: String) {
        self.traced.insert(tid, Traced::new(pid));
        if self.assembler.living_thread(tid).is_none() {
            self.assembler.forked(pid, tid, parent, monotonic());
        }
        self.poller.born(pid, tid, parent, name);
    }

    /// Another program: its other threads are gone, and so is what was known of the code.
    fn loaded(&mut self, pid: u32) {
        let now = monotonic();
        let others: Vec<u32> = self
            .traced
            .iter()
            .filter(|(tid, thread)| thread.pid == pid && **tid != pid)
            .map(|(tid, _)| *tid)
            .collect();
        for tid in others {
            self.traced.remove(&tid);
            self.leaves(pid, tid, now);
            self.poller.ended(pid, tid);
        }
        self.samples.forget(pid);
        self.maps.remove(&pid);
        if let Some(thread) = self.traced.get_mut(&pid) {
            thread.asked = false;
        }
        let Some(program) = self.poller.loaded(pid) else { return };
        self.assembler.named(pid, pid, now, program.name.as_bytes(), true);
        self.program(pid, program);
    }

    /// A thread has ended; the kernel keeps its account until it is taken.
    fn ended(&mut self, tid: u32) {
        let Some(thread) = self.traced.get(&tid).copied() else { return };
        let now = monotonic();
        if let Some(seen) = self.poller.last_look(thread.pid, tid, now) {
            self.seen(&seen);
            self.trim(tid);
        }
        let process = self.assembler.process_index(tid);
        let parent = process.and_then(|process| self.assembler.processes.get(process as usize)?.parent);
        self.traced.remove(&tid);
        self.leaves(thread.pid, tid, now);
        self.poller.ended(thread.pid, tid);
        if thread.pid == tid {
            self.maps.remove(&tid);
        }
        // Who waits for it still does: it does not know yet.
        let parent = parent.and_then(|parent| self.assembler.processes.get(parent as usize)).map(|of| of.pid);
        for tid in parent.map(|pid| self.poller.few_threads(pid, FAMILY)).unwrap_or_default() {
            self.see(tid);
        }
    }

    /// Looks at a thread that ran took it to run up to the kernel's next tick. Of one that has ended the scheduler tells all, and
    /// what was booked beyond is taken back from its last hits.
    fn trim(&mut self, tid: u32) {
        let Some(index) = self.assembler.living_thread(tid) else { return };
        let booked = self.last.get(&tid).map_or(0, |last| last.booked);
        if let Some((_, queued)) = self.assembler.thread(index).and_then(|thread| thread.scheduler) {
            self.bound(index, booked.saturating_sub(queued), ends::TAIL);
        }
        let Some(thread) = self.assembler.threads.get_mut(index as usize) else { return };
        let Some((on_cpu, _)) = thread.scheduled() else { return };
        let mut over = thread.on_cpu.saturating_sub(on_cpu);
        thread.on_cpu -= over;
        let own = self.assembler.hits.iter_mut().rev().take(TAIL).filter(|hit| hit.thread == index);
        for hit in own {
            let part = over.min(hit.weight);
            (hit.weight, over) = (hit.weight - part, over - part);
        }
    }

    /// A look at one thread, so that a moment that matters lies between two looks.
    fn see(&mut self, tid: u32) {
        let Some(pid) = self.traced.get(&tid).map(|thread| thread.pid) else { return };
        if let Some(seen) = self.poller.see(pid, tid, monotonic()) {
            self.seen(&seen);
        }
    }

    /// It stands where it was when it was asked, or has just begun.
    fn trapped(&mut self, tid: i32) {
        let at = monotonic();
        // Also of who is not looked at: its call may have to begin again.
        let standing = ptrace::standing(tid).filter(|standing| !standing.waits);
        let in_call = standing.is_some_and(|standing| standing.call.is_some());
        let Some((pid, standing)) = self.was_asked(tid.cast_unsigned(), at, in_call).zip(standing) else {
            ptrace::go(tid, 0);
            return;
        };
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.resize(self.stack_bytes, 0);
        let read = read_memory(pid, standing.registers.sp, &mut bytes);
        let tid = tid.cast_unsigned();
        if self.assembler.pythons.knows(pid) {
            // What the interpreter does is read while it stands: both stacks are of the same moment.
            let was_hit = WasHit { pid, tid, runs: true, left: None };
            self.assembler.pythons.look(&[was_hit], at, &mut self.assembler.tree);
        }
        ptrace::go(tid.cast_signed(), 0);
        self.sample(pid, tid, at, standing, bytes.get(..read).unwrap_or_default());
        self.bytes = bytes;
    }

    /// The process of a thread that stops because we asked, unless a better look at it was taken a short while ago: who had to
    /// be put on a CPU first stands where it had left the last one. Kernels take a CPU away at the end of a call more often than
    /// where a thread computes: beside others who want it, three looks of four would find a call that takes a hundredth of the time, so
    /// that such looks only count where the kernel's ticks tell of more time in calls. Of a thread that has just begun a look outside
    /// its calls is better than none.
    fn was_asked(&mut self, tid: u32, now: u64, in_call: bool) -> Option<u32> {
        let thread = self.traced.get_mut(&tid)?;
        if !std::mem::take(&mut thread.asked) {
            return None;
        }
        if self.poller.arrivals(thread.pid, tid) == thread.arrivals {
            thread.stopped_on_cpu = Some(now);
        } else {
            let is_near = now.saturating_sub(thread.stopped_on_cpu.unwrap_or(thread.begun)) <= NEAR;
            let is_young = thread.stopped_on_cpu.is_none();
            let counts = match in_call {
                true => now.saturating_sub(thread.looked_at) > NEAR_CALL || self.modes.lacks_kernel(tid),
                false => is_young || !is_near,
            };
            if !counts {
                return None;
            }
        }
        thread.looked_at = now;
        Some(thread.pid)
    }

    fn sample(&mut self, pid: u32, tid: u32, at: u64, standing: Standing, bytes: &[u8]) {
        let stopped = Stopped { pid, tid, at, standing, may_be_kernel: self.modes.may_be_kernel(tid) };
        let mut cut = self.assembler.losses.cut_stacks;
        let (mut stack, mut kernel) = self.assembler.stopped(&stopped, bytes);
        // Libraries come after the program.
        if self.assembler.losses.cut_stacks > cut && self.read_maps(pid, at) {
            cut = self.assembler.losses.cut_stacks;
            (stack, kernel) = self.assembler.stopped(&stopped, bytes);
            let helped = self.assembler.losses.cut_stacks == cut;
            self.assembler.losses.cut_stacks = if helped { cut - 1 } else { cut };
            self.assembler.losses.stacks -= 1;
            if let Some(maps) = self.maps.get_mut(&pid).filter(|_| helped) {
                *maps = Maps::default();
            }
        }
        self.modes.sampled(tid, kernel);
        self.samples.add(tid, Sample { stack, kernel });
    }

    /// Whether it was time to read the mappings of a process again.
    fn read_maps(&mut self, pid: u32, now: u64) -> bool {
        if self.maps.get(&pid).is_some_and(|maps| now < maps.again) {
            return false;
        }
        let read = self.read_mappings(pid);
        let took = monotonic().saturating_sub(now);
        let maps = self.maps.entry(pid).or_default();
        maps.pause = (maps.pause * 2).clamp(MAPS, MAPS_LONGEST).max(took * MAPS_PAUSES);
        maps.again = now + maps.pause;
        read
    }
}

impl Traced {
    fn new(pid: u32) -> Self {
        let begun = monotonic();
        Self {
            pid,
            stops: 0,
            asked: false,
            arrivals: None,
            begun,
            stopped_on_cpu: None,
            looked_at: begun,
            halted: false,
        }
    }
}

impl Seized {
    /// Another round begins. One that read a library's tables for the first time is not like the others.
    fn begins(&mut self) {
        let cost = std::mem::take(&mut self.round).min(self.cost * 4);
        self.cost = (self.cost * 7 + cost) / 8;
    }

    fn spends(&mut self, work: impl FnOnce()) {
        let began = of_this_thread().as_nanos();
        work();
        self.round += of_this_thread().as_nanos().saturating_sub(began);
    }

    /// Nanoseconds to the next round, between half and one and a half of what is usual.
    fn pause(&self, random: &mut u64) -> u64 {
        // Marsaglia's xorshift.
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        let pause = (self.cost * PAUSES).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
        pause / 2 + pause / 1024 * (*random % 1024)
    }
}
