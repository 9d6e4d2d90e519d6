//! One number a block: the log ratio of two commands that ran in it.

use std::collections::BTreeMap;

use model::Metric;
use model::compare::RatioEstimate;
use stats::Values;

use crate::pool::Pool;

/// `ln(new / base)` of each whole block, in order. A block in which one side ran more often than the other
/// was cut short and does not count; neither does one with a value that has no logarithm.
#[must_use]
pub fn log_ratios(base: &Pool<'_>, new: &Pool<'_>, metric: Metric) -> Vec<f64> {
    let (base, new) = (by_block(base, metric), by_block(new, metric));
    base.iter()
        .filter_map(|(block, base)| {
            let new = new.get(block)?;
            let ratio = (least(new)? / least(base)?).ln();
            (base.len() == new.len() && ratio.is_finite()).then_some(ratio)
        })
        .collect()
}

fn by_block(pool: &Pool<'_>, metric: Metric) -> BTreeMap<u32, Vec<f64>> {
    let mut blocks: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for sample in pool.samples() {
        if let (Some(block), Some(value)) = (sample.block, pool.value(metric, sample)) {
            blocks.entry(block).or_default().push(value);
        }
    }
    blocks
}

/// The smaller of a side's runs speaks for the block: what disturbs a run makes it slower, hardly ever faster. On the
/// machines measured it spreads by 10 to 60 % less than the mean, and it treats both sides alike, so the sign-flip test
/// stays exact.
fn least(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::min)
}

/// The ratio over blocks with its 95 % interval. `None` without blocks.
#[must_use]
pub fn ratio(log_ratios: &[f64]) -> Option<RatioEstimate> {
    let values = Values::new(log_ratios.to_vec())?;
    let interval = stats::sign_interval(&values, 0.95);
    let value = stats::hodges_lehmann(&values);
    Some(RatioEstimate {
        value: value.exp(),
        // Two estimators may disagree by a hair; the printed interval always holds the printed value.
        low: interval.map(|interval| interval.low.min(value).exp()),
        high: interval.map(|interval| interval.high.max(value).exp()),
    })
}
