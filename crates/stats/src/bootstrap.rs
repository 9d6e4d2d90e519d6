//! Intervals for any statistic by resampling.

use crate::interval::tail;
use crate::location::{mean_of, quantile_of};
use crate::{Interval, Rng, Values, normal};

/// The bias-corrected and accelerated (BCa) bootstrap interval of Efron (1987) for `statistic`, which must not depend on
/// the order of its values.
///
/// The confidence in it is the nominal one: below some 20 values it covers less, and values must be independent. `None` for
/// fewer than 5 values, fewer than 100 resamples, a confidence not between 0 and 1, or a statistic that is not finite on
/// some resample. For a median prefer [`crate::median_interval`].
pub fn bootstrap_interval(
    values: &Values,
    statistic: impl Fn(&[f64]) -> f64,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Option<Interval> {
    let error = tail(confidence)?;
    if values.n() < 5 || resamples < 100 {
        return None;
    }
    let estimates = resampled(values, &statistic, resamples, seed)?;
    let correction = Correction {
        bias: bias(&estimates, statistic(values.in_order())),
        acceleration: acceleration(values, &statistic)?,
    };
    let end = |p| quantile_of(&estimates, correction.moved(p));
    Some(Interval { low: end(error), high: end(1.0 - error), confidence })
}

/// The statistic of each resample, sorted. `None` when one is not finite.
fn resampled(
    values: &Values,
    statistic: impl Fn(&[f64]) -> f64,
    resamples: usize,
    seed: u64,
) -> Option<Vec<f64>> {
    let mut rng = Rng::new(seed);
    let mut resample = Vec::with_capacity(values.n());
    let mut estimates = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        resample.clear();
        resample.extend((0..values.n()).filter_map(|_| values.in_order().get(rng.below(values.n()))));
        estimates.push(statistic(&resample));
    }
    estimates.sort_unstable_by(f64::total_cmp);
    estimates.iter().all(|estimate| estimate.is_finite()).then_some(estimates)
}

struct Correction {
    bias: f64,
    acceleration: f64,
}

impl Correction {
    /// The percentile of the resamples that stands for `p`: Efron (1987), equation 1.9.
    fn moved(&self, p: f64) -> f64 {
        let z = self.bias + normal::inverse_cdf(p);
        normal::cdf(self.bias + z / (1.0 - self.acceleration * z))
    }
}

/// How far the middle of the resamples lies from the estimate, in standard deviations. Ties count half.
fn bias(sorted: &[f64], estimate: f64) -> f64 {
    let below = sorted.partition_point(|&resample| resample < estimate);
    let not_above = sorted.partition_point(|&resample| resample <= estimate);
    let share = (below + not_above) as f64 / (2 * sorted.len()) as f64;
    // At least one resample on each side, or the correction would be infinite.
    let least = 1.0 / sorted.len() as f64;
    normal::inverse_cdf(share.clamp(least, 1.0 - least))
}

/// The skewness of the leave-one-out estimates, by six: Efron (1987), equation 7.3. `None` when one is not finite.
fn acceleration(values: &Values, statistic: impl Fn(&[f64]) -> f64) -> Option<f64> {
    let left_out: Vec<f64> = (0..values.n())
        .map(|left_out| {
            let kept = values.in_order().iter().enumerate().filter(|(at, _)| *at != left_out);
            statistic(&kept.map(|(_, value)| *value).collect::<Vec<_>>())
        })
        .collect();
    let centre = mean_of(&left_out);
    let power =
        |exponent: i32| left_out.iter().map(|estimate| (centre - estimate).powi(exponent)).sum::<f64>();
    let acceleration = match power(2) {
        0.0 => 0.0,
        squares => power(3) / (6.0 * squares.powf(1.5)),
    };
    acceleration.is_finite().then_some(acceleration)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skewed() -> Values {
        Values::new((1..=40).map(|step| (f64::from(step) / 20.0).exp()).collect()).unwrap()
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let interval = |seed| bootstrap_interval(&skewed(), mean_of, 0.95, 500, seed);
        assert_eq!(interval(1), interval(1));
        assert_ne!(interval(1), interval(2));
    }

    /// SciPy's `bootstrap(method="BCa")` on the same 40 values, 100,000 resamples: 2.749 to 3.891.
    #[test]
    fn the_interval_agrees_with_scipy() {
        let interval = bootstrap_interval(&skewed(), mean_of, 0.95, 20_000, 3).unwrap();
        assert!((interval.low - 2.749).abs() < 0.03 && (interval.high - 3.891).abs() < 0.03, "{interval:?}");
    }

    #[test]
    fn equal_values_give_their_own_value() {
        let same = Values::new(vec![2.0; 8]).unwrap();
        let interval = bootstrap_interval(&same, mean_of, 0.95, 200, 1).unwrap();
        assert_eq!((interval.low, interval.high), (2.0, 2.0));
    }

    #[test]
    fn too_little_to_resample_and_what_is_not_finite_have_no_interval() {
        let few = Values::new(vec![1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(bootstrap_interval(&few, mean_of, 0.95, 500, 1), None);
        assert_eq!(bootstrap_interval(&skewed(), mean_of, 0.95, 99, 1), None);
        assert_eq!(bootstrap_interval(&skewed(), |_| f64::NAN, 0.95, 500, 1), None);
    }
}
