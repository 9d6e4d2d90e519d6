//! The runs of one command that count, and their values.

use model::{Metric, Sample, Stage};
use stats::Values;

/// The runs of one arm, in order of measurement.
#[derive(Clone, Debug)]
pub struct Pool<'a> {
    samples: Vec<&'a Sample>,
    warm_up: u32,
    /// What the kernel's peak-RSS figure missed in the run where it was also read exactly.
    rss_lag: f64,
}

impl<'a> Pool<'a> {
    #[must_use]
    pub fn of(samples: &'a [Sample], arm: u32) -> Self {
        Self::with_lag(samples, arm, samples.iter().filter(|sample| sample.arm == arm).find_map(lag))
    }

    /// The pools of two commands that are compared. The lag was read in one run of each and wanders between runs, so
    /// each command with its own would differ from itself; both get the larger one.
    #[must_use]
    pub fn pair(samples: &'a [Sample], base: u32, new: u32) -> (Self, Self) {
        let lag = samples.iter().filter(|sample| [base, new].contains(&sample.arm)).filter_map(lag).max();
        (Self::with_lag(samples, base, lag), Self::with_lag(samples, new, lag))
    }

    fn with_lag(samples: &'a [Sample], arm: u32, rss_lag: Option<u64>) -> Self {
        let own = || samples.iter().filter(|sample| sample.arm == arm);
        #[expect(clippy::cast_precision_loss, reason = "a lag is a few hundred KiB")]
        Self {
            samples: own().filter(|sample| sample.stage != Stage::WarmUp).collect(),
            warm_up: own()
                .filter(|sample| sample.stage == Stage::WarmUp)
                .count()
                .try_into()
                .unwrap_or(u32::MAX),
            rss_lag: rss_lag.unwrap_or(0) as f64,
        }
    }

    #[must_use]
    pub fn samples(&self) -> &[&'a Sample] {
        &self.samples
    }

    #[must_use]
    pub fn n(&self) -> u32 {
        self.samples.len().try_into().unwrap_or(u32::MAX)
    }

    #[must_use]
    pub fn warm_up(&self) -> u32 {
        self.warm_up
    }

    /// One run's value, the kernel's lag in peak RSS made good. `None` when the machine did not give it.
    #[must_use]
    pub fn value(&self, metric: Metric, sample: &Sample) -> Option<f64> {
        let value = metric.of(sample)?;
        Some(if metric == Metric::Rss { value + self.rss_lag } else { value })
    }

    /// The values of all runs; `None` when there are none or one of them lacks the metric.
    #[must_use]
    pub fn values(&self, metric: Metric) -> Option<Values> {
        let values: Option<Vec<f64>> = self.samples.iter().map(|sample| self.value(metric, sample)).collect();
        Values::new(values?)
    }

    #[must_use]
    pub fn median(&self, metric: Metric) -> Option<f64> {
        self.values(metric).map(|values| stats::median(&values))
    }
}

/// What the fast figure missed in a run where both were read; it can only lag behind.
fn lag(sample: &Sample) -> Option<u64> {
    Some(sample.exact_peak_rss?.as_bytes().saturating_sub(sample.peak_rss.as_bytes()))
}
