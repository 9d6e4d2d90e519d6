//! Two samples from different times, as stored results are: only as good as the machine was steady between them.

use crate::interval::tail;
use crate::order::{PairSums, Pairs};
use crate::ranks::{Null, deepest, doubled_ranks, rank_sum, tie_term};
use crate::{Interval, Values, normal};

/// Up to this many values in both samples together, distributions are exact.
const EXACT_UP_TO: usize = 50;

/// How far `b` lies above `a`: the median of all differences b − a (Hodges and Lehmann 1963).
pub fn hodges_lehmann_shift(a: &Values, b: &Values) -> f64 {
    let negated = negated(a);
    differences(&negated, b).median()
}

/// The interval for the shift that belongs to the Mann-Whitney test: two of the differences. Exact up to 50 values
/// together, normal approximation beyond; ties make it wider. Sizes may differ. `None` while there are too few values,
/// fewer than 4 and 4 for 95 %.
pub fn rank_interval(a: &Values, b: &Values, confidence: f64) -> Option<Interval> {
    let negated = negated(a);
    let differences = differences(&negated, b);
    let null = untied_null(a.n(), b.n());
    let cut = deepest(differences.len(), tail(confidence)?, null)?;
    let (low, high) = (differences.smallest(cut.rank), differences.largest(cut.rank));
    (low <= high).then_some(Interval { low, high, confidence: 1.0 - 2.0 * cut.error })
}

/// The two-sided p of the Mann-Whitney test that neither sample tends to be larger. Exact up to 50 values together, ties
/// included; beyond, the normal approximation with ties and continuity corrected.
pub fn mann_whitney(a: &Values, b: &Values) -> f64 {
    let mut all = [a.sorted(), b.sorted()].concat();
    all.sort_unstable_by(f64::total_cmp);
    let ranks = doubled_ranks(&all);
    let sum = rank_sum_of(a, &all, &ranks);
    if all.len() <= EXACT_UP_TO {
        exact_p(&ranks, a.n(), sum)
    } else {
        normal_p(a.n(), b.n(), sum, tie_term(&all))
    }
}

fn negated(a: &Values) -> Vec<f64> {
    a.sorted().iter().rev().map(|value| -value).collect()
}

fn differences<'a>(negated: &'a [f64], b: &'a Values) -> PairSums<'a> {
    PairSums { left: negated, right: b.sorted(), pairs: Pairs::All }
}

/// P(U ≤ u) of samples of these sizes without ties.
fn untied_null(n: usize, m: usize) -> impl Fn(u64) -> f64 {
    let least = n * (n + 1) / 2;
    let null = if n + m <= EXACT_UP_TO {
        rank_sum(&(1..=n + m).collect::<Vec<_>>(), n)
    } else {
        let (mean, variance) = rank_sum_moments(n as f64, m as f64, 0.0);
        Null::Normal { mean, sd: variance.sqrt() }
    };
    move |u| null.cdf(u + least as u64)
}

/// Mean and variance of the rank sum of the first sample: Lehmann (1975), Nonparametrics, section 1.4.
fn rank_sum_moments(n: f64, m: f64, tie_term: f64) -> (f64, f64) {
    let all = n + m;
    let variance = n * m / 12.0 * (all + 1.0 - tie_term / (all * (all - 1.0)));
    (n * (all + 1.0) / 2.0, variance)
}

/// Twice the rank sum of `a` among all values.
fn rank_sum_of(a: &Values, all: &[f64], doubled_ranks: &[usize]) -> usize {
    let place = |value: &f64| all.partition_point(|other| other < value);
    a.sorted().iter().filter_map(|value| doubled_ranks.get(place(value))).sum()
}

fn exact_p(doubled_ranks: &[usize], n: usize, sum: usize) -> f64 {
    let null = rank_sum(doubled_ranks, n);
    let not_above = null.cdf(sum as u64);
    let not_below = 1.0 - sum.checked_sub(1).map_or(0.0, |below| null.cdf(below as u64));
    (2.0 * not_above.min(not_below)).clamp(f64::MIN_POSITIVE, 1.0)
}

fn normal_p(n: usize, m: usize, doubled_sum: usize, tie_term: f64) -> f64 {
    let (mean, variance) = rank_sum_moments(n as f64, m as f64, tie_term);
    let distance = ((doubled_sum as f64 / 2.0 - mean).abs() - 0.5).max(0.0);
    (2.0 * normal::upper_tail(distance / variance.sqrt().max(f64::MIN_POSITIVE)))
        .clamp(f64::MIN_POSITIVE, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: &[f64]) -> Values {
        Values::new(of.to_vec()).unwrap()
    }

    /// Hollander and Wolfe's permeability constants, the example of R's `wilcox.test`.
    fn permeability() -> (Values, Values) {
        (
            values(&[1.15, 0.88, 0.90, 0.74, 1.21]),
            values(&[0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]),
        )
    }

    /// SciPy: `mannwhitneyu(x, y, method="exact")` gives p = 0.2544; R: `wilcox.test(y, x, conf.int = TRUE)` gives
    /// −0.15 to 0.76 at 95 %, estimate 0.305.
    #[test]
    fn the_permeability_example_agrees_with_scipy_and_r() {
        let (x, y) = permeability();
        assert!((mann_whitney(&x, &y) - 0.254_412_254_412_254_4).abs() < 1e-12);
        assert!((hodges_lehmann_shift(&x, &y) - 0.305).abs() < 1e-9);
        let interval = rank_interval(&x, &y, 0.95).unwrap();
        assert!((interval.low + 0.15).abs() < 1e-9 && (interval.high - 0.76).abs() < 1e-9, "{interval:?}");
        assert!(interval.confidence >= 0.95 && interval.confidence < 0.97, "{interval:?}");
    }

    #[test]
    fn swapping_the_samples_turns_the_shift_round_and_keeps_p() {
        let (x, y) = permeability();
        assert!((mann_whitney(&x, &y) - mann_whitney(&y, &x)).abs() < 1e-12);
        assert!((hodges_lehmann_shift(&x, &y) + hodges_lehmann_shift(&y, &x)).abs() < 1e-12);
    }

    /// SciPy: `mannwhitneyu(a, b, method="asymptotic")`.
    #[test]
    fn large_tied_samples_agree_with_scipy() {
        let a: Vec<f64> = (0..40).map(|i| f64::from(i % 7)).collect();
        let b: Vec<f64> = (0..50).map(|i| f64::from(i % 9)).collect();
        let p = mann_whitney(&values(&a), &values(&b));
        assert!((p - 0.102_664_333_746_870_19).abs() < 1e-9, "{p}");
    }

    /// SciPy: `permutation_test` of the rank sum over all 126 choices.
    #[test]
    fn small_tied_samples_agree_with_every_permutation() {
        let p = mann_whitney(&values(&[1.0, 2.0, 2.0, 3.0]), &values(&[2.0, 3.0, 3.0, 4.0, 5.0]));
        assert!((p - 0.158_730_158_730_158_72).abs() < 1e-12, "{p}");
    }

    #[test]
    fn equal_samples_show_no_difference() {
        let same = values(&[2.0; 8]);
        assert_eq!(mann_whitney(&same, &same), 1.0);
        assert_eq!(hodges_lehmann_shift(&same, &same), 0.0);
        let many = values(&[2.0; 80]);
        assert_eq!(mann_whitney(&many, &many), 1.0);
    }

    #[test]
    fn three_and_three_values_bound_nothing_at_95_percent() {
        assert_eq!(rank_interval(&values(&[1.0, 2.0, 3.0]), &values(&[4.0, 5.0, 6.0]), 0.95), None);
        assert!(
            rank_interval(&values(&[1.0, 2.0, 3.0, 4.0]), &values(&[4.0, 5.0, 6.0, 7.0]), 0.95).is_some()
        );
    }
}
