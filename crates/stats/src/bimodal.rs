//! Whether values fall into two groups.

use crate::dip::dip;
use crate::location::{MAD_TO_SD, median_of};
use crate::{Rng, Values, mad, median};

/// Two groups of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bimodal {
    /// The median of the lower group.
    pub low: f64,
    /// The median of the upper group.
    pub high: f64,
    /// The share of values in the upper group, from 0.1 to 0.9.
    pub share_high: f64,
    /// How often values of one mode show as deep a valley, below 0.01.
    pub p: f64,
}

const ERROR: f64 = 0.01;
/// A smaller group is a tail: some far values are the rule for run times.
const LEAST_SHARE: f64 = 0.1;
/// Fewer values can show no valley at this error.
const LEAST_VALUES: usize = 10;
const SIMULATIONS: u32 = 1_999;

/// The two groups, when Hartigan's dip test of the logarithms says p < 0.01 and both groups hold at least a tenth of the
/// values. `None` otherwise, also for fewer than 10 values or one that is not positive.
///
/// The null is the uniform distribution, the hardest of all with one mode, so tails however heavy stay quiet. Tied values
/// are spread over the step they were rounded to first; two distinct values are therefore never two groups.
pub fn bimodality(values: &Values, seed: u64) -> Option<Bimodal> {
    if values.n() < LEAST_VALUES {
        return None;
    }
    let logs = unrounded(values)?.ln()?;
    let p = dip_p(logs.sorted(), seed)?;
    let groups = split(&logs)?;
    let share_high = groups.high.len() as f64 / values.n() as f64;
    let real = (LEAST_SHARE..=1.0 - LEAST_SHARE).contains(&share_high);
    let middle = |group: &[f64]| median_of(group.to_vec()).exp();
    real.then(|| Bimodal { low: middle(groups.low), high: middle(groups.high), share_high, p })
}

/// The values, tied ones spread evenly over the smallest distance between distinct values, which is then taken for the step
/// of the clock. `None` when all are equal.
fn unrounded(values: &Values) -> Option<Values> {
    let neighbours = values.sorted().iter().zip(values.sorted().iter().skip(1));
    let gaps = neighbours.map(|(low, high)| high - low).filter(|gap| *gap > 0.0);
    let step = gaps.min_by(f64::total_cmp)?;
    let spread = |tied: &[f64]| {
        let count = tied.len() as f64;
        let places = tied
            .iter()
            .zip(0_u32..)
            .map(|(value, place)| value + step * ((f64::from(place) + 0.5) / count - 0.5));
        places.collect::<Vec<_>>()
    };
    Values::new(values.sorted().chunk_by(|a, b| a == b).flat_map(spread).collect())
}

/// How often uniform values show as deep a dip. `None` as soon as it is known to be [`ERROR`] or more.
fn dip_p(sorted: &[f64], seed: u64) -> Option<f64> {
    // The dip shrinks with √n, so a large sample is compared with smaller ones: `diptest` interpolates its table so.
    const LARGEST: usize = 300;
    let n = sorted.len().min(LARGEST);
    let seen = dip(sorted) * (sorted.len() as f64 / n as f64).sqrt();
    let mut rng = Rng::new(seed);
    let mut as_deep = 1;
    for _ in 0..SIMULATIONS {
        let mut uniform: Vec<f64> = (0..n).map(|_| rng.uniform()).collect();
        uniform.sort_unstable_by(f64::total_cmp);
        as_deep += u32::from(dip(&uniform) >= seen);
        if f64::from(as_deep) >= ERROR * f64::from(SIMULATIONS + 1) {
            return None;
        }
    }
    Some(f64::from(as_deep) / f64::from(SIMULATIONS + 1))
}

struct Groups<'a> {
    low: &'a [f64],
    high: &'a [f64],
}

/// The cut into two groups that leaves the least squares within them. Far values are pulled in to 5 robust standard
/// deviations for this, or a single one would be a group. `None` for fewer than 2 values.
fn split(logs: &Values) -> Option<Groups<'_>> {
    let (centre, reach) = (median(logs), 5.0 * MAD_TO_SD * mad(logs));
    let pulled: Vec<f64> =
        logs.sorted().iter().map(|log| log.clamp(centre - reach, centre + reach)).collect();
    let n = pulled.len() as f64;
    let whole: f64 = pulled.iter().sum();
    let between = pulled.iter().zip(1..logs.n()).scan(0.0, |low_sum, (log, cut)| {
        *low_sum += log;
        let (low, high) = (cut as f64, n - cut as f64);
        Some((low * high * ((whole - *low_sum) / high - *low_sum / low).powi(2), cut))
    });
    let (_, cut) = between.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (low, high) = logs.sorted().split_at(cut);
    Some(Groups { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(n: usize, seed: u64, value: impl Fn(&mut Rng) -> f64) -> Values {
        let mut rng = Rng::new(seed);
        Values::new((0..n).map(|_| value(&mut rng)).collect()).unwrap()
    }

    #[test]
    fn two_groups_are_found_with_their_share() {
        let values =
            drawn(60, 1, |rng| if rng.uniform() < 0.3 { 150.0 } else { 100.0 } * (0.03 * rng.normal()).exp());
        let found = bimodality(&values, 1).unwrap();
        assert!((found.low - 100.0).abs() < 3.0 && (found.high - 150.0).abs() < 4.0, "{found:?}");
        assert!((found.share_high - 0.3).abs() < 0.15 && found.p < 0.01, "{found:?}");
    }

    #[test]
    fn heavy_tails_with_one_mode_stay_quiet() {
        let alarms = |value: fn(&mut Rng) -> f64| {
            (0..40).filter(|&seed| bimodality(&drawn(60, seed, value), seed).is_some()).count()
        };
        assert_eq!(alarms(|rng| (0.5 * rng.normal()).exp()), 0);
        assert_eq!(alarms(|rng| (rng.normal() / (rng.uniform() + 0.05)).clamp(-50.0, 50.0).exp()), 0);
        assert_eq!(
            alarms(|rng| if rng.uniform() < 0.05 { 160.0 } else { 100.0 } * (0.02 * rng.normal()).exp()),
            0
        );
    }

    #[test]
    fn clock_ticks_and_equal_values_stay_quiet() {
        for seed in 0..10 {
            assert_eq!(
                bimodality(&drawn(50, seed, |rng| 4.0 * (25.0 + 0.8 * rng.normal()).round()), seed),
                None
            );
            assert_eq!(
                bimodality(&drawn(50, seed, |rng| if rng.uniform() < 0.5 { 100.0 } else { 104.0 }), seed),
                None
            );
        }
        assert_eq!(bimodality(&drawn(50, 0, |_| 7.0), 0), None);
    }

    #[test]
    fn two_groups_of_ticks_are_still_two_groups() {
        let values =
            drawn(60, 3, |rng| 4.0 * (if rng.uniform() < 0.5 { 25.0 } else { 50.0 } + rng.normal()).round());
        assert!(bimodality(&values, 1).is_some());
    }

    #[test]
    fn few_values_or_a_zero_show_no_groups() {
        assert_eq!(bimodality(&drawn(9, 1, |rng| rng.uniform()), 1), None);
        assert_eq!(bimodality(&drawn(20, 1, |_| 0.0), 1), None);
    }
}
