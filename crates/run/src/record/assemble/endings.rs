//! What a process does after the kernel's last record of it: it gives its memory back, and whoever waits for it is woken
//! only then. Of a child that lives for a millisecond that is a tenth to a quarter.
//!
//! Nobody tells when a child is done. Its parent comes back later than that by its time in the queue, which the scheduler
//! tells for all its waits together. Of those that nobody waited for in time the kernel tells at the end of the run, again
//! for all together: what the tree used and no record told. Part of it is ours, events being taken from the child.

use std::collections::HashMap;

use model::recording::{Object, Why};

use super::super::thread::Thread;
use super::{Assembler, Wait};

/// Of one alone nobody knows whether it was kept from the CPU meanwhile. Of so many …
const MANY: usize = 5;

/// … those were that took this many times the lower quartile.
const FAR: u64 = 2;

/// How long one may have taken, of those that are known by the sum or a waking alone: twice what a shell's child was seen to take.
const MOST: u64 = 250_000;

/// By thread that waited.
pub(super) type Endings = HashMap<u32, Batch>;

/// Those that are not settled yet, and how long their parent stood in the queue meanwhile.
#[derive(Debug, Default)]
pub(super) struct Batch {
    endings: Vec<Ending>,
    queued: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    child: u32,
    /// In the table of waits.
    wait: usize,
    /// The child's last record.
    ended: u64,
    /// From then until its parent came back.
    length: u64,
}

impl Assembler {
    /// A wait is about to be told: was it for a child, or for the end of its pipe, that had ended as far as anybody told?
    pub(super) fn note_ending(&mut self, wait: &Wait) {
        if let (Some(woken), Some(by)) = (wait.woken, wait.by) {
            self.lives_until(by, woken);
        }
        let object = wait.sight.and_then(|sight| self.sights.object_of(sight.call));
        let may_end = matches!(object, Some(Object::Child { .. } | Object::Pipe { .. }));
        if wait.why != Why::Call || wait.woken.is_some() || !may_end {
            return;
        }
        let Some(child) = wait.by else { return };
        let ended = self.thread(child).and_then(|thread| thread.to);
        if let Some(ended) = ended.filter(|ended| (wait.from..wait.to).contains(ended)) {
            let ending = Ending { child, wait: self.waits.len(), ended, length: wait.to - ended };
            self.endings.entry(wait.thread).or_default().endings.push(ending);
        }
    }

    /// It woke somebody at this moment, so it was not done yet. Whether it had the CPU all the time nobody tells.
    fn lives_until(&mut self, thread: u32, at: u64) {
        let Some(thread) = self.threads.get_mut(thread as usize) else { return };
        let Some(to) = thread.to.filter(|to| *to < at && at - to <= MOST) else { return };
        thread.on_cpu += at - to;
        thread.to = Some(at);
        if let Some(process) = self.processes.get_mut(thread.process as usize) {
            process.to = process.to.map(|before| before.max(at));
        }
    }

    /// Of the CPU time of all together, what no record told was used by those whose end the scheduler was never asked about.
    pub(in super::super) fn note_endings(&mut self, used: u64, end: u64) {
        let told = |thread: &Thread| thread.scheduled_to_end().map_or(thread.on_cpu, |(on_cpu, _)| on_cpu);
        let rest = used.saturating_sub(self.threads.iter().map(told).sum());
        let short = |thread: &&mut Thread| thread.scheduler.is_none() && thread.to.is_some_and(|to| to < end);
        let number = self.threads.iter_mut().filter(short).count() as u64;
        let each = rest.checked_div(number).unwrap_or(0).min(MOST);
        for thread in self.threads.iter_mut().filter(short) {
            let to = thread.to.map(|to| (to + each).min(end));
            thread.on_cpu += to.zip(thread.to).map_or(0, |(later, to)| later - to);
            thread.to = to;
            if let Some(process) = self.processes.get_mut(thread.process as usize) {
                process.to = process.to.map(|before| to.map_or(before, |to| before.max(to)));
            }
        }
    }

    /// The scheduler says how long a thread has stood in the queue since it was asked last.
    pub(in super::super) fn settle_endings(&mut self, thread: u32, queued: u64) {
        let Some(batch) = self.endings.get_mut(&thread) else { return };
        batch.queued += queued;
        if batch.endings.len() < MANY {
            return;
        }
        for (ending, took) in parted(std::mem::take(batch)) {
            let Some(child) = self.threads.get_mut(ending.child as usize) else { continue };
            let done = ending.ended + took;
            // It may have been waited for in two ways.
            child.on_cpu += child.to.map_or(0, |to| done.saturating_sub(to));
            child.to = child.to.max(Some(done));
            if let Some(process) = self.processes.get_mut(child.process as usize) {
                process.to = process.to.max(child.to);
            }
            if let Some(wait) = self.waits.get_mut(ending.wait) {
                wait.woken = Some(done);
            }
        }
    }
}

/// How long each took, of what is not the queue's.
fn parted(Batch { endings, queued }: Batch) -> impl Iterator<Item = (Ending, u64)> {
    let mut lengths: Vec<u64> = endings.iter().map(|ending| ending.length).collect();
    lengths.sort_unstable();
    let most = lengths.get(lengths.len() / 4).map_or(0, |quartile| quartile.saturating_mul(FAR));
    let sum: u64 = lengths.iter().sum();
    endings.into_iter().map(move |ending| {
        let part =
            u128::from(ending.length) * u128::from(sum.saturating_sub(queued)) / u128::from(sum.max(1));
        (ending, u64::try_from(part).unwrap_or(0).min(most))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::thread::State;
    use super::*;

    /// A run with a shell and this many children, each 600 µs long.
    fn run(children: u32) -> Assembler {
        let mut assembler = Assembler::new(1_000_000);
        for number in 0..=children {
            let from = u64::from(number) * 1_000_000;
            let process =
                assembler.add_process(100 + number, (number > 0).then_some(0), "sh".to_owned(), from);
            assembler.add_thread(100 + number, process, from, State::On(from));
            if number > 0 {
                assembler.exited(100 + number, 100 + number, from + 600_000);
            }
        }
        assembler.threads[0].scheduler = Some((5_000_000, 0));
        assembler
    }

    #[test]
    fn what_no_record_told_is_the_end_of_those_who_ended() {
        let mut assembler = run(10);
        assembler.note_endings(5_000_000 + 10 * 700_000, 1_000_000_000);
        let child = &assembler.threads[3];
        assert_eq!((child.on_cpu, child.to), (700_000, Some(3_700_000)));
        assert_eq!(assembler.processes[3].to, Some(3_700_000));
        assert_eq!(assembler.threads[0].to, None);
        // Somebody else used that much, not ten ends.
        let mut assembler = run(10);
        assembler.note_endings(5_000_000_000, 1_000_000_000);
        assert_eq!(assembler.threads[3].on_cpu, 600_000 + MOST);
        // Nothing is left, nobody ended, and nobody lives longer than the run.
        let mut assembler = run(10);
        assembler.note_endings(0, 1_000_000_000);
        assert_eq!(assembler.threads[3].on_cpu, 600_000);
        run(0).note_endings(9_000_000, 1_000_000_000);
        let mut assembler = run(1);
        assembler.note_endings(5_700_000, 1_650_000);
        assert_eq!(assembler.threads[1].to, Some(1_650_000));
    }

    #[track_caller]
    fn check(lengths: &[u64], queued: u64, expected: &[u64]) {
        let endings =
            lengths.iter().map(|length| Ending { child: 0, wait: 0, ended: 0, length: *length }).collect();
        let took: Vec<u64> = parted(Batch { endings, queued }).map(|(_, took)| took).collect();
        assert_eq!(took, expected);
    }

    #[test]
    fn the_queue_has_its_part_and_who_was_kept_from_the_cpu_is_no_measure() {
        check(&[100, 100], 0, &[100, 100]);
        check(&[100, 150], 100, &[60, 90]);
        check(&[100, 100], 500, &[0, 0]);
        check(&[100, 90, 110, 100, 4000], 0, &[100, 90, 110, 100, 200]);
        check(&[0], 0, &[0]);
        check(&[], 7, &[]);
    }
}
