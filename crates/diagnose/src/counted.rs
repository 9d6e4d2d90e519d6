//! Instruction counts: nearly exact, so the smallest and largest of a few runs are their own interval.

use model::Metric;
use model::bench::Warning;
use model::compare::{MetricVerdict, RatioEstimate, Settings, Verdict};
use model::sample::Counted;
use stats::Values;

/// The smallest change in instructions that is claimed. Pinned counts repeat to the digit; without pinning CPython
/// wanders by 0.13 % (reference/benchmark-landscape.md), so below a thousandth nothing is said to have changed.
pub const LEAST_EFFECT: f64 = 0.001;

/// The counts of one arm, start-up subtracted where it was counted. `None` without counts, and when start-up is not
/// smaller than the whole.
#[must_use]
pub fn values(counted: &[Counted], arm: usize, settings: &Settings, arms: usize) -> Option<Values> {
    let startup = if settings.startup.is_some() { stats::median(&of(counted, arms)?) } else { 0.0 };
    let counts: Vec<f64> = of(counted, arm)?.in_order().iter().map(|count| count - startup).collect();
    counts.iter().all(|count| *count > 0.0).then(|| Values::new(counts)).flatten()
}

fn of(counted: &[Counted], arm: usize) -> Option<Values> {
    let own = counted.iter().filter(|counted| usize::try_from(counted.arm) == Ok(arm));
    Values::new(own.map(|counted| counted.instructions.as_f64()).collect())
}

/// Counts of one arm that differ from run to run by more than this are not pinned: what is pinned repeats to the digit,
/// threads move it by 0.003 % (reference/feasibility.md).
const WANDERS: f64 = 0.0001;

/// A warning when an arm's counts do not repeat.
#[must_use]
pub fn wandering(counted: &[Counted], arm: usize) -> Option<Warning> {
    let values = of(counted, arm)?;
    let share = values.max() / values.min() - 1.0;
    (share > WANDERS).then(|| Warning {
        id: "counts-wander".to_owned(),
        text: format!("its instruction counts differ by {:.2} % from run to run", share * 100.0),
        next: Some(
            "pin what is random in it; `python3 -E` and `-I` ignore the hash seed slowpath pins".to_owned(),
        ),
    })
}

/// Judges two sets of counts. `None` when one side was not counted.
#[must_use]
pub fn verdict(counted: &[Counted], settings: &Settings, arms: usize) -> Option<MetricVerdict> {
    let (base, new) = (values(counted, 0, settings, arms)?, values(counted, 1, settings, arms)?);
    let ratio = stats::median(&new) / stats::median(&base);
    let (low, high) = (new.min() / base.max(), new.max() / base.min());
    let verdict = if low > 1.0 && ratio >= 1.0 + LEAST_EFFECT {
        Verdict::Worse
    } else if high < 1.0 && ratio <= 1.0 / (1.0 + LEAST_EFFECT) {
        Verdict::Better
    } else if high < 1.0 + settings.margin && low > 1.0 / (1.0 + settings.margin) {
        Verdict::NoChange
    } else {
        Verdict::Inconclusive
    };
    Some(MetricVerdict {
        metric: Metric::Instructions,
        ratio: RatioEstimate { value: ratio, low: Some(low), high: Some(high) },
        verdict,
        pairs: u32::try_from(base.n().min(new.n())).unwrap_or(u32::MAX),
        needed: None,
        needed_s: None,
        detectable: Some(LEAST_EFFECT.max(high / low - 1.0)),
        p: None,
        confirmed: None,
        source: counted.first().map(|counted| counted.source.clone()).unwrap_or_default(),
    })
}
