//! Beginnings and ends that no record tells: of the run, of times in which switches are told, of threads.

use super::super::decode::{Body, Record};
use super::super::poll::{Living, Stat, tree_of};
use super::super::thread::{Left, State, Thread};
use super::{Assembler, index};
use crate::clock::{monotonic, since_boot};
use crate::process::SchedStat;

/// The kernel tells births to 10 ms, and records may come late by a little.
const TOLD_LATE: u64 = 25_000_000;

/// By our own clock.
fn born(stat: &Stat) -> u64 {
    let age = since_boot().saturating_sub(stat.born.as_nanos());
    monotonic().saturating_sub(age)
}

impl Assembler {
    /// Begins with a tree that runs already.
    pub(in super::super) fn adopt(&mut self, tree: &[Living], now: u64) {
        self.start = Some(now);
        for living in tree {
            let of = |tid: u32| Stat::of(living.pid, tid).filter(|stat| !stat.has_ended());
            let threads: Vec<(u32, Stat)> =
                living.threads.iter().filter_map(|tid| Some((*tid, of(*tid)?))).collect();
            // Gone, or nobody has asked yet how it ended.
            let Some((_, first)) = threads.first() else { continue };
            let name = Stat::of(living.pid, living.pid).map_or_else(|| first.name.clone(), |stat| stat.name);
            let parent = living.parent.and_then(|parent| self.process_index(parent));
            let process = self.add_process(living.pid, parent, name, now);
            if let Some(process) = self.processes.get_mut(process as usize) {
                (process.fresh, process.adopted) = (true, true);
            }
            // A process that may not be seen has no stacks; the account tells what is missing.
            let _ = self.unwinder.read_maps(living.pid);
            // Its files were mapped before anybody could be told of them.
            self.pythons.maybe(living.pid);
            for (tid, stat) in threads {
                let index = self.add_thread(tid, process, now, State::Unknown(now));
                let before = SchedStat::of_thread(living.pid, tid);
                if let Some(thread) = self.threads.get_mut(index as usize) {
                    thread.name = stat.name;
                    thread.scheduled_before = before
                        .map_or((0, 0), |before| (before.on_cpu.as_nanos(), before.runnable.as_nanos()));
                }
            }
        }
    }

    /// Finds who was born, has ended or loaded a program while nobody told, which is since `last`.
    pub(in super::super) fn look_around(&mut self, last: u64, now: u64) {
        self.look_for(last, now, u64::MAX);
    }

    /// Finds who was born since `last` while records were lost, of which those up to `read` have been taken. Whose birth may
    /// still be told is left for the next time.
    pub(in super::super) fn look_for_missed(&mut self, last: u64, read: u64) {
        self.look_for(last, read, read.saturating_sub(TOLD_LATE));
    }

    /// Those that were born after `latest` are left out.
    fn look_for(&mut self, last: u64, now: u64, latest: u64) {
        for living in self.processes.first().map(|first| tree_of(first.pid)).unwrap_or_default() {
            let known = self.process_index(living.pid);
            for (tid, stat) in
                living.threads.iter().filter_map(|tid| Some((*tid, Stat::of(living.pid, *tid)?)))
            {
                match (self.living_thread(tid), stat.has_ended()) {
                    (Some(_), true) => self.exited(living.pid, tid, now),
                    (None, false) if born(&stat) <= latest => self.found(&living, tid, stat, (last, now)),
                    _ => {}
                }
            }
            if known.is_some() {
                self.look_at_program(living.pid, now);
            }
        }
    }

    fn found(&mut self, living: &Living, tid: u32, stat: Stat, (last, now): (u64, u64)) {
        let born = born(&stat).clamp(last.min(now), now);
        let process = match self.process_index(living.pid) {
            Some(process) => process,
            None => {
                let parent = living.parent.and_then(|parent| self.process_index(parent));
                let process = self.add_process(living.pid, parent, stat.name.clone(), born);
                if let Some(process) = self.processes.get_mut(process as usize) {
                    process.fresh = true;
                }
                let _ = self.unwinder.read_maps(living.pid);
                self.pythons.maybe(living.pid);
                process
            }
        };
        let index = self.add_thread(tid, process, born, State::Unknown(born));
        if let Some(thread) = self.threads.get_mut(index as usize) {
            thread.name = stat.name;
        }
    }

    /// What it has mapped since is not told, nor that it loaded another program.
    fn look_at_program(&mut self, pid: u32, now: u64) {
        // A process that may not be seen has no stacks; the account tells what is missing.
        let _ = self.unwinder.read_maps(pid);
        let program = std::fs::read_link(format!("/proc/{pid}/exe")).ok();
        let known = self.process_index(pid).and_then(|index| self.processes.get(index as usize));
        let other = known
            .is_some_and(|known| known.program.is_some() && program.is_some() && known.program != program);
        if let Some(stat) = Stat::of(pid, pid).filter(|_| other) {
            self.named(pid, pid, now, stat.name.as_bytes(), true);
            let _ = self.unwinder.read_maps(pid);
            self.pythons.maybe(pid);
        }
    }

    /// The living were counted after this.
    pub(super) fn told_before(&mut self, record: &Record<'_>) {
        match &record.body {
            Body::Name { name, .. } => {
                self.names_before.insert(record.pid, String::from_utf8_lossy(name).into_owned());
            }
            Body::Fork { pid, parent_pid, .. } => {
                let parent =
                    self.process_index(*parent_pid).and_then(|index| self.processes.get(index as usize));
                if let Some(parent) = parent {
                    self.names_before.insert(*pid, parent.name.clone());
                }
            }
            _ => {}
        }
    }

    /// A process whose birth was not told. Gone again, it has no name any more.
    pub(super) fn add_unheard_of(&mut self, pid: u32, at: u64) -> u32 {
        let stat = Stat::of(pid, pid);
        let parent = stat.as_ref().and_then(|stat| self.process_index(stat.parent));
        let name = stat.map(|stat| stat.name).or_else(|| self.names_before.remove(&pid));
        let process = self.add_process(pid, parent, name.unwrap_or_else(|| "(gone)".to_owned()), at);
        if let Some(process) = self.processes.get_mut(process as usize) {
            (process.fresh, process.adopted) = (true, true);
        }
        // Then it has no stacks either.
        let _ = self.unwinder.read_maps(pid);
        process
    }

    /// Whether a thread that was found among the living is the one whose birth is told only now.
    pub(super) fn was_found(&self, tid: u32, born: u64) -> bool {
        let known = self.living_thread(tid).and_then(|index| self.thread(index));
        known.is_some_and(|thread| match thread.state {
            State::Unknown(found) => born.abs_diff(found) < TOLD_LATE,
            _ => false,
        })
    }

    /// Whether its birth is told of a thread that was found among the living before.
    pub(super) fn was_adopted(&self, tid: u32) -> bool {
        let known = self.living_thread(tid).and_then(|index| self.thread(index));
        known.is_some_and(|thread| self.start.is_some_and(|start| thread.state == State::Unknown(start)))
    }

    /// The clock of the run itself began at `at`, before the kernel told of the program: that time was spent loading it.
    pub(in super::super) fn begin_at(&mut self, at: u64) {
        let told = self.start.replace(at).unwrap_or(at);
        if let Some(process) = self.processes.first_mut() {
            process.from = at;
        }
        if let Some(thread) = self.threads.first_mut() {
            thread.from = at;
            thread.on_cpu += told.saturating_sub(at);
        }
    }

    /// The run has ended, and with it its first process: in a storm nobody may have told.
    pub(in super::super) fn end_at(&mut self, at: u64) {
        if let Some(process) = self.processes.first_mut() {
            process.to.get_or_insert(at);
        }
        if let Some(thread) = self.threads.first_mut() {
            thread.to.get_or_insert(at);
        }
    }

    /// The scheduler's account of the first thread at its end.
    pub(in super::super) fn note_first(&mut self, on_cpu: u64, queued: u64) {
        if let Some(first) = self.threads.first_mut() {
            let before = first.scheduler.replace((on_cpu, queued)).map_or(0, |(_, before)| before);
            first.on_cpu_asked = None;
            self.settle_endings(0, queued.saturating_sub(before));
        }
    }

    /// Where no switches are told, the first thread was on a CPU for as long as the scheduler says, though no look found it.
    pub(in super::super) fn trust_first(&mut self) {
        let begun = self.start.unwrap_or(0);
        let Some(first) = self.threads.first_mut() else { return };
        let counted = first.scheduled().map_or(0, |(on_cpu, _)| on_cpu);
        let unseen = counted.saturating_sub(first.on_cpu);
        if unseen > 0 {
            first.on_cpu += unseen;
            self.hits.push(super::Hit { at: begun, thread: 0, stack: None, weight: unseen, kernel: false });
        }
    }

    /// The CPU time of all together. What the others leave of it is that of the only one that the scheduler was never asked
    /// about, unless hits say that it used far more: then it was not waited for.
    pub(in super::super) fn note_used(&mut self, used: u64) {
        let known = self.threads.iter().filter_map(Thread::scheduled).map(|(on_cpu, _)| on_cpu);
        let rest = used.saturating_sub(known.sum());
        let mut unknown = (0..).zip(&mut self.threads).filter(|(_, thread)| thread.scheduler.is_none());
        if let (Some((index, only)), None) = (unknown.next(), unknown.next()) {
            let hits = self.hits.iter().filter(|hit| hit.thread == index).map(|hit| hit.weight);
            only.left_for_it = Some(rest).filter(|rest| hits.sum::<u64>() / 2 <= *rest);
        }
    }

    /// A thread is gone whose end was not told, because that record was lost too or none of its events was open yet. One
    /// that is told late is not: it takes two looks.
    pub(in super::super) fn missed(&mut self, index: u32, now: u64) {
        let unheard_of = self.thread(index).is_some_and(|thread| self.was_adopted(thread.tid));
        let unseen = self.thread(index).is_some_and(|thread| thread.out_of_sight.is_some());
        let lost = self.losses.records > 0 || self.unheard || unheard_of || unseen;
        let Some(thread) = self.threads.get_mut(index as usize).filter(|_| lost) else {
            return;
        };
        let tid = thread.tid;
        if std::mem::replace(&mut thread.missed, true)
            && let Some(pid) = self.pid_of(index)
        {
            self.exited(pid, tid, now);
        }
    }

    /// Whoever is gone now ended before the run did, though nobody told.
    pub(in super::super) fn note_gone(&mut self, end: u64) {
        let first = self.processes.first().map(|first| first.pid);
        for index in self.living() {
            let (Some(pid), Some(tid)) = (self.pid_of(index), self.thread(index).map(|thread| thread.tid))
            else {
                continue;
            };
            if Some(pid) != first && SchedStat::of_thread(pid, tid).is_none() {
                self.exited(pid, tid, end);
            }
        }
    }

    /// Ends or begins a time in which all switches are told.
    pub(in super::super) fn watch(&mut self, at: u64, watched: bool) {
        for index in 0..index(self.threads.len()) {
            if self.thread(index).is_none_or(|thread| thread.to.is_some()) {
                continue;
            }
            let goes_on = if watched { self.went_on(index) } else { self.hold(index, at) };
            if goes_on {
                continue;
            }
            self.settle(index, at);
            if let Some(thread) = self.threads.get_mut(index as usize) {
                thread.state = State::Unknown(at);
                if watched {
                    (thread.call, thread.outside) = (None, None);
                }
            }
        }
        self.blind = !watched;
    }

    /// A long wait may outlast the time in which nobody tells; then it is one wait, with one end. What the scheduler
    /// counted must be known from inside the wait: asked only now, it may have run in between.
    fn hold(&mut self, index: u32, at: u64) -> bool {
        let Some(thread) = self.threads.get_mut(index as usize) else { return false };
        let waits = match thread.state {
            State::Off { since, left: Left::ByItself | Left::Before } => (since..=at).contains(&thread.asked),
            _ => false,
        };
        thread.held = thread.scheduler.filter(|_| waits).map(|(on_cpu, _)| on_cpu);
        thread.held.is_some()
    }

    /// Whether a thread that was held has not run since.
    fn went_on(&mut self, index: u32) -> bool {
        let Some(held) = self.threads.get_mut(index as usize).and_then(|thread| thread.held.take()) else {
            return false;
        };
        self.thread(index).is_some_and(|thread| matches!(thread.state, State::Off { .. }))
            && self.scheduled(index) == Some(held)
    }

    fn scheduled(&self, index: u32) -> Option<u64> {
        let seen = SchedStat::of_thread(self.pid_of(index)?, self.thread(index)?.tid)?;
        Some(seen.on_cpu.as_nanos())
    }

    /// Books what a thread did until now.
    fn settle(&mut self, index: u32, at: u64) {
        let Some(thread) = self.threads.get_mut(index as usize) else { return };
        match thread.state {
            State::On(_) => thread.settle(at),
            State::Off { since, left } if since < at => self.tell_wait(index, since, at, left, None),
            // It neither came nor left nor was hit, so it was off the CPU all the time. Where nobody told, it was if looks
            // found it so.
            State::Unknown(since) if since < at && (!self.blind || thread.was_seen_waiting()) => {
                self.tell_wait(index, since, at, Left::ByItself, None);
            }
            State::Off { .. } | State::Unknown(_) => {}
        }
    }

    /// The recording is over: every span still open ends now. The first process is the last to go: after its events have
    /// gone, it still gives its memory back.
    pub(in super::super) fn end(&mut self, at: u64) {
        if let Some(first) = self.threads.first_mut()
            && let Some(to) = first.to.filter(|to| *to < at)
        {
            first.on_cpu += at - to;
            first.to = Some(at);
        }
        for index in 0..index(self.threads.len()) {
            if self.thread(index).is_some_and(|thread| thread.to.is_none()) {
                self.settle(index, at);
            }
        }
    }
}
