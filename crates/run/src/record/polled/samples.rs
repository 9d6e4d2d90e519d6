//! Stacks of threads that were stopped while they ran, until it is known how long they ran.
//!
//! A sample says where a thread was, the scheduler's account how long it was on a CPU: the time between two looks is divided
//! among the samples between them. Time without a sample gets its stack from the next one of its thread: who runs for a
//! part of the time is found there in proportion to it, and most looks find it off the CPU. Who ended before a look found
//! it running did most likely what others do that began as it did.

use std::collections::HashMap;
use std::path::PathBuf;

use super::super::assemble::Hit;

/// Time without a sample does not wait for one longer than this.
const OLDEST: u64 = 1_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) stack: Option<u32>,
    pub(super) kernel: bool,
}

/// Threads of one process, or children of one with the same program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Family {
    /// Position of the process they belong to, or of their parent.
    pub(super) process: u32,
    pub(super) program: Option<PathBuf>,
}

/// By thread.
#[derive(Debug, Default)]
pub(super) struct Samples {
    fresh: HashMap<u32, Vec<Sample>>,
    /// Hits without a stack, by their position.
    bare: HashMap<u32, (Option<Family>, Vec<usize>)>,
    /// The same of threads that have ended.
    left: HashMap<Family, Vec<usize>>,
}

impl Samples {
    pub(super) fn add(&mut self, tid: u32, sample: Sample) {
        self.fresh.entry(tid).or_default().push(sample);
    }

    /// Forgets a thread that ended or became another program.
    pub(super) fn forget(&mut self, tid: u32) {
        self.fresh.remove(&tid);
        if let Some((Some(family), positions)) = self.bare.remove(&tid) {
            self.left.entry(family).or_default().extend(positions);
        }
    }

    /// Books the time on a CPU since the last look as hits.
    pub(super) fn book(&mut self, tid: u32, family: Option<Family>, hit: Hit, hits: &mut Vec<Hit>) {
        let Some(samples) = self.fresh.remove(&tid) else {
            self.bare.entry(tid).or_insert((family, Vec::new())).1.push(hits.len());
            hits.push(hit);
            return;
        };
        let own = self.bare.remove(&tid).map(|(_, positions)| positions).unwrap_or_default();
        let others = family.and_then(|family| self.left.remove(&family)).unwrap_or_default();
        for (position, sample) in own.into_iter().chain(others).zip(samples.iter().cycle()) {
            let bare = hits.get_mut(position).filter(|bare| hit.at.saturating_sub(bare.at) <= OLDEST);
            if let Some(bare) = bare {
                (bare.stack, bare.kernel) = (sample.stack, sample.kernel);
            }
        }
        let count = samples.len() as u64;
        for (number, sample) in (0..).zip(&samples) {
            let part = |number: u64| {
                u64::try_from(u128::from(hit.weight) * u128::from(number) / u128::from(count)).unwrap_or(0)
            };
            let (from, to) = (part(number), part(number + 1));
            let (at, weight) = (hit.at + from, to - from);
            hits.push(Hit { at, weight, stack: sample.stack, kernel: sample.kernel, ..hit });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(at: u64, weight: u64) -> Hit {
        Hit { at, thread: 0, stack: None, weight, kernel: false }
    }

    fn sample(stack: u32) -> Sample {
        Sample { stack: Some(stack), kernel: false }
    }

    fn told(hits: &[Hit]) -> Vec<(u64, u64, Option<u32>)> {
        hits.iter().map(|hit| (hit.at, hit.weight, hit.stack)).collect()
    }

    #[test]
    fn time_is_divided_among_the_samples_and_none_is_lost() {
        let (mut samples, mut hits) = (Samples::default(), Vec::new());
        for stack in [7, 8, 9] {
            samples.add(1, Sample { stack: Some(stack), kernel: stack == 8 });
        }
        samples.book(1, None, hit(100, 10), &mut hits);
        assert_eq!(told(&hits), [(100, 3, Some(7)), (103, 3, Some(8)), (106, 4, Some(9))]);
        assert_eq!(hits.iter().map(|hit| hit.kernel).collect::<Vec<_>>(), [false, true, false]);
    }

    #[test]
    fn time_without_a_sample_gets_the_next_one_of_its_thread_if_that_is_near() {
        let (mut samples, mut hits) = (Samples::default(), Vec::new());
        samples.book(1, None, hit(10, 5), &mut hits);
        samples.book(2, None, hit(20, 5), &mut hits);
        samples.forget(2);
        for tid in [1, 2] {
            samples.add(tid, sample(tid));
            samples.book(tid, None, hit(30, 1), &mut hits);
        }
        assert_eq!(told(&hits), [(10, 5, Some(1)), (20, 5, None), (30, 1, Some(1)), (30, 1, Some(2))]);
        samples.book(1, None, hit(40, 5), &mut hits);
        samples.add(1, sample(3));
        samples.book(1, None, hit(50 + OLDEST, 1), &mut hits);
        assert_eq!(hits[4].stack, None);
    }

    #[test]
    fn who_ended_unseen_did_what_its_family_does() {
        let (mut samples, mut hits) = (Samples::default(), Vec::new());
        let family = |process| Some(Family { process, program: None });
        for (tid, process) in [(1, 0), (2, 5)] {
            samples.book(tid, family(process), hit(10, 5), &mut hits);
            samples.forget(tid);
        }
        samples.add(3, sample(9));
        samples.book(3, family(0), hit(20, 1), &mut hits);
        assert_eq!(told(&hits), [(10, 5, Some(9)), (10, 5, None), (20, 1, Some(9))]);
    }
}
