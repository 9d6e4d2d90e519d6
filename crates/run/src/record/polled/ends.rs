//! Ends: of a thread that no look saw end, and of the recording. What the scheduler tells then bounds what was booked.

use model::recording::Why;

use super::super::assemble::{Assembler, Wait};
use super::super::poll::Event;
use super::{Last, Polled, share, wait};
use crate::clock::monotonic;

/// Waits among which the last ones of a thread lie.
pub(super) const TAIL: usize = 4096;

/// What the scheduler counted of a thread from `begun` to its end.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Total {
    pub(in super::super) begun: u64,
    pub(in super::super) on_cpu: u64,
    pub(in super::super) queued: u64,
}

impl Polled {
    /// `first`: what the scheduler told of the first thread at its end, in all since `begun`.
    pub(in super::super) fn finish(mut self, end: u64, first: Option<Total>) -> Assembler {
        self.last_look(end);
        let open: Vec<(u32, Last)> = self.last.drain().collect();
        for (tid, last) in open {
            let Some(index) = self.assembler.living_thread(tid).filter(|_| last.at < end) else { continue };
            match (last.waits, first.filter(|_| tid == self.first)) {
                (Some(cause), _) => self.tell(index, last.at, end, cause, None),
                (None, None) => self.went_on(index, &last, end),
                (None, Some(total)) => self.went_on_until(index, last.at.max(total.begun), end, total),
            }
        }
        if let Some(total) = first {
            self.bound_first(total);
        }
        // What a look did not find is not what an earlier one had found.
        self.assembler.threads.iter_mut().for_each(|thread| thread.last_sight = None);
        self.assembler
    }

    /// Between the last look and its end the first thread did what the scheduler counted beyond what was booked before.
    fn went_on_until(&mut self, index: u32, at: u64, end: u64, total: Total) {
        let Assembler { hits, waits, .. } = &self.assembler;
        let hits = hits.iter().filter(|hit| hit.thread == index && hit.at >= total.begun);
        let waits = waits.iter().filter(|wait| wait.thread == index && wait.from >= total.begun);
        let (ran, stood) = (hits.map(|hit| hit.weight).sum(), waits.map(in_queue).sum());
        let on = total.on_cpu.saturating_sub(ran).min(end.saturating_sub(at));
        let queued = total.queued.saturating_sub(stood).min(end.saturating_sub(at + on));
        self.ran(index, at, on);
        self.tell(index, at + on, at + on + queued, (Why::Preempted, None), None);
        self.tell(index, at + on + queued, end, (Why::Unknown, None), None);
    }

    fn bound_first(&mut self, total: Total) {
        // It may have ended before the recording did.
        let first = (0..).zip(&self.assembler.threads).find(|(_, thread)| thread.tid == self.first);
        let Some((index, _)) = first else { return };
        let waits = self.assembler.waits.iter();
        let own = waits.filter(|wait| wait.thread == index && wait.to > total.begun);
        let stood: u64 = own.map(in_queue).sum();
        self.bound(index, stood.saturating_sub(total.queued), usize::MAX);
    }

    /// Who was ready at two looks is taken to have stood in the queue between them. Where the scheduler told of less at last,
    /// nobody knows what the rest was. `among`: so many of the last waits, of all threads, are looked at.
    pub(super) fn bound(&mut self, index: u32, mut over: u64, among: usize) {
        let mut unknown = Vec::new();
        let own = self.assembler.waits.iter_mut().rev().take(among).filter(|wait| wait.thread == index);
        for one in own {
            let part = over.min(in_queue(one));
            over -= part;
            match (one.why, one.woken) {
                _ if part == 0 => {}
                (Why::Preempted, _) => {
                    one.to -= part;
                    unknown.push((one.to, one.to + part));
                }
                (_, Some(woken)) => one.woken = Some(woken + part),
                _ => {}
            }
        }
        let unknown = unknown.into_iter().map(|(from, to)| wait(index, from, to, Why::Unknown, None));
        self.assembler.waits.extend(unknown);
        self.told.remove(&index);
    }

    /// Who has ended since the last look, ended before the first process did.
    fn last_look(&mut self, end: u64) {
        let mut events = Vec::new();
        self.poller.tick(monotonic(), &mut events);
        let first = self.assembler.processes.first().map(|process| process.pid);
        for event in events {
            if let Event::GoneThread { pid, tid, .. } = event
                && Some(pid) != first
            {
                self.gone(pid, tid, end);
            }
        }
    }

    /// It ended between the last look and this one: half-way, if it ran; who waited for it has been woken since.
    pub(super) fn gone(&mut self, pid: u32, tid: u32, at: u64) {
        let end = self.last.get(&tid).map_or(at, |last| last.at + at.saturating_sub(last.at) / 2).min(at);
        self.leaves(pid, tid, end);
    }

    /// A thread has ended at this time.
    pub(super) fn leaves(&mut self, pid: u32, tid: u32, end: u64) {
        let (last, index) = (self.last.remove(&tid), self.assembler.living_thread(tid));
        self.turns.remove(&tid);
        self.modes.forget(tid);
        self.samples.forget(tid);
        let Some(index) = index else { return };
        if let Some(last) = last {
            match last.waits {
                Some(cause) => self.tell(index, last.at, end, cause, None),
                None => self.went_on(index, &last, end),
            }
        }
        self.assembler.exited(pid, tid, end);
    }

    /// It ran or was ready when it was last seen, and nobody knows better: of many who were ready each had its part of the
    /// CPUs, and who was known for as long before went on as it had. What else it did is unknown.
    pub(super) fn went_on(&mut self, index: u32, last: &Last, end: u64) {
        let span = end.saturating_sub(last.at);
        let known = last.on_cpu.saturating_add(last.booked);
        let own = if known < span { span } else { share(span, last.on_cpu, known) };
        let on = own.min(share(span, self.cpus, self.ready));
        self.ran(index, last.at, on);
        self.tell(index, last.at + on, end, (Why::Unknown, None), None);
    }
}

/// Time that a wait stood in the queue, as far as it is told.
fn in_queue(wait: &Wait) -> u64 {
    match wait.why {
        Why::Preempted => wait.to - wait.from,
        _ => wait.woken.map_or(0, |woken| wait.to.saturating_sub(woken)),
    }
}

#[cfg(test)]
mod tests {
    use model::Nanos;

    use super::super::super::sight::Sight;
    use super::super::tests::look;
    use super::*;
    use crate::process::SchedStat;

    #[test]
    fn who_has_ended_stood_in_the_queue_as_long_as_the_scheduler_says_and_the_rest_is_unknown() {
        let pid = std::process::id();
        let mut polled = Polled::new(pid, Assembler::new(1), 1024);
        let before = SchedStat { on_cpu: Nanos::ZERO, runnable: Nanos::ZERO, slices: 1 };
        polled.last.insert(pid, Last::counted(0, &before));
        // Ready at both ends of 10 ms, which is all that is known by then.
        look(&mut polled, 10, false, (1, 0, 1));
        let index = polled.assembler.living_thread(pid).unwrap();
        let queued = |polled: &Polled| polled.assembler.waits.iter().map(in_queue).sum::<u64>();
        assert_eq!(queued(&polled), 5_000_000, "after a tick's time on the CPU");
        polled.bound(index, 4_000_000, TAIL);
        assert_eq!(queued(&polled), 1_000_000);
        let unknown = polled.assembler.waits.iter().filter(|wait| wait.why == Why::Unknown);
        let unknown: Vec<u64> = unknown.map(|wait| wait.to - wait.from).collect();
        assert_eq!(unknown, [4_000_000], "{:#?}", polled.assembler.waits);
    }

    #[test]
    fn what_the_first_thread_did_after_the_last_look_the_scheduler_told() {
        let pid = std::process::id();
        for (on_cpu, queued, expected) in
            [(600, 8, (600, 8, 92)), (0, 0, (0, 0, 700)), (900, 900, (700, 0, 0))]
        {
            let mut polled = Polled::new(pid, Assembler::new(1), 1024);
            let index = polled.assembler.living_thread(pid).unwrap();
            let total = Total { begun: 100, on_cpu, queued };
            polled.went_on_until(index, 100, 800, total);
            let of = |why: Why| {
                let waits = polled.assembler.waits.iter().filter(move |wait| wait.why == why);
                waits.map(|wait| wait.to - wait.from).sum::<u64>()
            };
            let ran: u64 = polled.assembler.hits.iter().map(|hit| hit.weight).sum();
            assert_eq!((ran, of(Why::Preempted), of(Why::Unknown)), expected, "{on_cpu} {queued}");
        }
    }

    #[test]
    fn a_wait_that_nobody_may_look_at_is_not_what_was_seen_before() {
        let pid = std::process::id();
        let mut polled = Polled::new(pid, Assembler::new(1), 1024);
        let sight = Sight { call: 0, place: 0 };
        polled.assembler.threads[0].last_sight = Some(sight);
        let assembler = polled.finish(1, None);
        assert_eq!(assembler.threads[0].last_sight, None);
    }
}
