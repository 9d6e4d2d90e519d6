//! Time on a run queue: how much of each wait it was, and whose fault.

use std::collections::BTreeMap;

use super::lives::{Absence, Lives};
use super::places::NONE;
use model::leaf::Charge;

/// Where no witness told when a thread was made runnable: the scheduler's figure for its time on a queue, less what is
/// known to be that, is spread over its other waits, the same for each, but never longer than the wait itself.
pub(super) fn spread(absences: &mut [Absence], queued: Option<u64>) {
    let told = |absence: &Absence| {
        absence.witnessed || absence.charge.is_runnable() || absence.charge == Charge::Stopped
    };
    let known = |absence: &Absence| {
        if absence.charge.is_runnable() { absence.to - absence.from } else { absence.to - absence.woken }
    };
    let Some(queued) = queued else { return };
    let known: u64 = absences.iter().map(known).sum();
    let delay = queued.saturating_sub(known);
    let mut lengths: Vec<u64> =
        absences.iter().filter(|absence| !told(absence)).map(|absence| absence.to - absence.from).collect();
    lengths.sort_unstable();
    let level = level(&lengths, delay);
    for absence in absences.iter_mut().filter(|absence| !told(absence)) {
        absence.woken = absence.to - level.min(absence.to - absence.from);
    }
}

/// The height to which `amount` fills vessels of these sizes, smallest first.
pub(super) fn level(sizes: &[u64], amount: u64) -> u64 {
    let mut left = amount;
    let mut open = sizes.len() as u64;
    let mut filled = 0;
    for size in sizes {
        let step = size - filled;
        if step.saturating_mul(open) > left {
            return filled + left / open;
        }
        left -= step * open;
        filled = *size;
        open -= 1;
    }
    filled
}

/// When each CPU was taken by a thread of the tree.
pub(super) struct Cpus(BTreeMap<u32, Busy>);

/// Spans that are added up one by one; most waits for a CPU see one or two.
const NEAR: usize = 8;

/// Disjoint spans in order, with the time taken before each.
struct Busy {
    spans: Vec<(u64, u64)>,
    before: Vec<u64>,
}

impl Cpus {
    pub(super) fn of(lives: &Lives<'_>) -> Self {
        let mut slices: BTreeMap<u32, Vec<(u64, u64)>> = BTreeMap::new();
        for (thread, life) in (0_u32..).zip(&lives.lives) {
            let absences = lives.absences(thread);
            let ends = absences.iter().skip(1).map(|next| next.from).chain([life.to]);
            for (absence, end) in absences.iter().zip(ends) {
                // A thread that changes its CPU leaves the old one first, so a slice has one CPU.
                if absence.cpu != NONE && absence.to < end {
                    slices.entry(absence.cpu).or_default().push((absence.to, end));
                }
            }
        }
        Self(slices.into_iter().map(|(cpu, slices)| (cpu, Busy::of(slices))).collect())
    }

    /// How long a thread of the tree had the CPU between two moments.
    pub(super) fn busy(&self, cpu: u32, low: u64, high: u64) -> u64 {
        self.0.get(&cpu).map_or(0, |busy| busy.between(low, high))
    }
}

impl Busy {
    fn of(mut slices: Vec<(u64, u64)>) -> Self {
        // Stable, because that is quick for the sorted runs that threads leave.
        slices.sort();
        let mut spans: Vec<(u64, u64)> = Vec::with_capacity(slices.len());
        for (from, to) in slices {
            match spans.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => spans.push((from, to)),
            }
        }
        let mut sum = 0;
        let before = spans.iter().map(|(from, to)| {
            let before = sum;
            sum += to - from;
            before
        });
        Self { before: before.collect(), spans }
    }

    fn between(&self, low: u64, high: u64) -> u64 {
        let start = self.spans.partition_point(|(_, to)| *to <= low);
        let near = self.spans.get(start..).unwrap_or_default();
        let (mut busy, mut count) = (0, 0);
        for (from, to) in near.iter().take(NEAR).take_while(|(from, _)| *from < high) {
            busy += high.min(*to) - low.max(*from);
            count += 1;
        }
        if count < NEAR { busy } else { self.until(high) - self.until(low) }
    }

    fn until(&self, moment: u64) -> u64 {
        let Some(last) = self.spans.partition_point(|(from, _)| *from < moment).checked_sub(1) else {
            return 0;
        };
        let before = self.before.get(last).copied().unwrap_or(0);
        before + self.spans.get(last).map_or(0, |(from, to)| moment.min(*to) - from)
    }
}

/// Time a thread could have run, by who had the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rivals {
    pub(super) own: u64,
    pub(super) others: u64,
    /// Nobody told which CPU it was about.
    pub(super) unknown: u64,
}

impl Rivals {
    pub(super) fn add(&mut self, cpus: &Cpus, cpu: u32, low: u64, high: u64) {
        if low == high {
            return;
        }
        if cpu == NONE {
            self.unknown = self.unknown.saturating_add(high - low);
            return;
        }
        let own = cpus.busy(cpu, low, high).min(high - low);
        self.own = self.own.saturating_add(own);
        self.others = self.others.saturating_add(high - low - own);
    }

    /// The rivals in words, with their weights. `quota` and `steal` are shares of the time that was not our own, `idle` of
    /// that in which nobody had the CPU yet.
    pub(super) fn parts(&self, outside: Outside, idle: f64) -> Vec<(&'static str, f64)> {
        let (own, behind, unknown) = (self.own as f64, self.others as f64, self.unknown as f64);
        let others = behind * (1.0 - idle);
        let quota = others * outside.quota;
        let steal = (outside.steal * (own + others)).min(others - quota).max(0.0);
        vec![
            ("own threads", own),
            ("neighbours", others - quota - steal),
            ("quota", quota),
            ("steal", steal),
            ("an idle CPU wakes up", behind - others),
            ("rival not known", unknown),
        ]
    }
}

/// What the whole run tells of time that was taken from outside.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outside {
    /// Share of the time behind others in which the group was out of its quota.
    pub(super) quota: f64,
    /// Share of the machine's CPU time that the hypervisor took.
    pub(super) steal: f64,
    /// Share of the time from being woken to running that the scheduler does not count as time on a queue: a CPU that
    /// sleeps takes a while to answer.
    pub(super) idle: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vessels_are_filled_to_one_level_and_never_over_their_rim() {
        for (sizes, amount, expected) in
            [(&[10, 10, 10][..], 6, 2), (&[1, 10, 10], 9, 4), (&[1, 2, 3], 100, 3), (&[], 5, 0), (&[5], 0, 0)]
        {
            assert_eq!(level(sizes, amount), expected, "{sizes:?} {amount}");
        }
    }

    #[test]
    fn a_cpu_is_busy_once_even_when_slices_overlap() {
        let busy = Busy::of(vec![(10, 20), (15, 30), (50, 60)]);
        for (low, high, expected) in [(0, 100, 30), (12, 55, 23), (31, 49, 0), (20, 20, 0)] {
            assert_eq!(busy.between(low, high), expected);
        }
        let many = Busy::of((0..20).map(|index| (index * 10, index * 10 + 5)).collect());
        assert_eq!(many.between(2, 192), 95);
    }
}
