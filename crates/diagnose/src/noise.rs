//! A command against itself → the machine's noise floor.

use model::doctor::{MetricNoise, Needed, Noise};
use model::manifest::Manifest;
use model::{Metric, Sample};
use stats::Values;

use crate::blocks::{self, log_ratios};
use crate::compare::PAIRS_PER_BLOCK;
use crate::pool::Pool;

/// The changes a user asks about.
const CHANGES: [f64; 3] = [0.01, 0.02, 0.05];

/// The noise of each judged metric.
#[must_use]
pub fn noise(manifest: &Manifest, samples: &[Sample]) -> Noise {
    let (one, other) = Pool::pair(samples, 0, 1);
    let metrics: Vec<MetricNoise> =
        Metric::JUDGED.iter().filter_map(|metric| metric_noise(*metric, &one, &other)).collect();
    Noise {
        command: manifest.arms.first().map(|arm| arm.label.clone()).unwrap_or_default(),
        run: manifest.id.clone(),
        pairs: one.n().min(other.n()),
        metrics,
    }
}

fn metric_noise(metric: Metric, one: &Pool<'_>, other: &Pool<'_>) -> Option<MetricNoise> {
    let logs = log_ratios(one, other, metric);
    let values = Values::new(logs.clone())?;
    let spread = stats::spread(&values);
    let pair_seconds = one.median(Metric::Wall)? + other.median(Metric::Wall)?;
    #[expect(clippy::cast_precision_loss, reason = "an estimate of seconds")]
    let needed = |change: f64| {
        let pairs = stats::blocks_for(spread, change)? * u64::from(PAIRS_PER_BLOCK);
        Some(Needed { change, pairs, seconds: pairs as f64 * pair_seconds })
    };
    Some(MetricNoise {
        metric,
        run_spread: stats::robust_cv(&one.values(metric)?)?,
        block_spread: spread,
        ratio: blocks::ratio(&logs)?,
        detectable: stats::detectable(spread, values.n()),
        needed: CHANGES.iter().filter_map(|change| needed(*change)).collect(),
    })
}
