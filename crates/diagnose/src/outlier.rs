//! Runs far above the others, and what else was unusual about them. They are labelled, never dropped.

use model::bench::Outlier;
use model::{Metric, Nanos, Sample};
use stats::Values;

use crate::pool::Pool;

/// A disturbance explains an outlier when it takes at least this share of the time the run lost: half, so that the
/// named reason is the larger part of the story.
const EXPLAINS: f64 = 0.5;

/// Very steady runs make a run stand out that is no slower to speak of; below the default margin it is not worth a word.
const WORTH_A_WORD: f64 = 1.02;

/// The outliers in wall time, each with its reason if the covariates show one.
#[must_use]
pub fn outliers(pool: &Pool<'_>) -> Vec<Outlier> {
    let Some(values) = pool.values(Metric::Wall) else { return Vec::new() };
    let median = stats::median(&values);
    stats::outliers(&values)
        .into_iter()
        .filter_map(|index| {
            let (sample, value) = (pool.samples().get(index)?, *values.in_order().get(index)?);
            (value >= WORTH_A_WORD * median).then_some(())?;
            Some(Outlier {
                order: sample.order,
                metric: Metric::Wall,
                value,
                times_median: value / median,
                reason: reason(sample, pool.samples(), value - median),
            })
        })
        .collect()
}

/// The first disturbance that explains the time lost, the most direct first.
fn reason(sample: &Sample, all: &[&Sample], lost: f64) -> Option<String> {
    let covariates = &sample.covariates;
    let spans: [(Option<Nanos>, &str); 5] = [
        (covariates.throttled, "held back by the CPU quota"),
        (covariates.steal, "taken by the hypervisor (steal)"),
        (sample.main_thread.map(|thread| thread.runnable), "spent waiting for a CPU"),
        (covariates.io_pressure, "of I/O stalls on the machine (PSI)"),
        (covariates.memory_pressure, "of memory stalls on the machine (PSI)"),
    ];
    let span = spans.iter().find_map(|(span, words)| {
        let seconds = (*span)?.as_secs_f64();
        (seconds >= EXPLAINS * lost).then(|| format!("{:.1} ms {words}", seconds * 1e3))
    });
    span.or_else(|| more_than_usual(sample, all, |sample| sample.major_faults.as_f64(), "major page faults"))
        .or_else(|| more_cpu(sample, all, lost))
}

/// A count at least twice the median of all runs and at least ten more than it.
fn more_than_usual(sample: &Sample, all: &[&Sample], of: fn(&Sample) -> f64, words: &str) -> Option<String> {
    let usual = stats::median(&Values::new(all.iter().map(|sample| of(sample)).collect())?);
    let seen = of(sample);
    (seen >= 2.0 * usual && seen >= usual + 10.0).then(|| format!("{seen:.0} {words} (usually {usual:.0})"))
}

/// The run itself used more CPU: no disturbance from outside, but caches, frequency or the program's own doing.
fn more_cpu(sample: &Sample, all: &[&Sample], lost: f64) -> Option<String> {
    let cpu = |sample: &Sample| sample.cpu().map(Nanos::as_secs_f64);
    let usual = stats::median(&Values::new(all.iter().filter_map(|sample| cpu(sample)).collect())?);
    let more = cpu(sample)? - usual;
    (more >= EXPLAINS * lost).then(|| format!("{:.1} ms more CPU time than usual", more * 1e3))
}
