//! A metric over the runs of one command.

use model::Metric;
use model::bench::{Bounds, MetricSummary, Percentile};
use stats::{Interval, Values};

/// The percentiles shown, as far as n supports them.
const PERCENTILES: [f64; 2] = [0.95, 0.99];

/// Pools the values of one metric.
#[must_use]
pub fn summary(metric: Metric, values: &Values) -> MetricSummary {
    MetricSummary {
        metric,
        unit: metric.unit(),
        n: u32::try_from(values.n()).unwrap_or(u32::MAX),
        median: stats::median(values),
        interval: stats::run_interval(values, 0.95).map(bounds),
        mean: stats::mean(values),
        standard_deviation: stats::standard_deviation(values),
        mad: stats::mad(values),
        min: values.min(),
        max: values.max(),
        percentiles: PERCENTILES.iter().map(|p| percentile(values, *p)).collect(),
        effective_n: stats::effective_n(values),
        values: values.in_order().to_vec(),
    }
}

fn percentile(values: &Values, wanted: f64) -> Percentile {
    match stats::percentile(values, wanted) {
        stats::Percentile::Solid { p, value, interval } => {
            Percentile::Solid { p, value, interval: interval.map(bounds) }
        }
        stats::Percentile::Bounded { p, upper } => Percentile::Bounded { p, upper },
        stats::Percentile::MaxOf { n, max } => {
            Percentile::MaxOf { p: wanted, n: u32::try_from(n).unwrap_or(u32::MAX), max }
        }
    }
}

pub(crate) fn bounds(interval: Interval) -> Bounds {
    Bounds { low: interval.low, high: interval.high, confidence: interval.confidence }
}
