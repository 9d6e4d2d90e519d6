//! Where values lie and how far they spread.

use crate::Values;

/// 1 / Φ⁻¹(3/4): makes the MAD of normal values their standard deviation.
pub(crate) const MAD_TO_SD: f64 = 1.482_602_218_505_602;

/// The middle value, or the mean of the two middle ones.
pub fn median(values: &Values) -> f64 {
    quantile(values, 0.5)
}

/// The arithmetic mean.
pub fn mean(values: &Values) -> f64 {
    mean_of(values.in_order())
}

/// The standard deviation with n − 1 in the denominator. `None` for a single value, whose spread is unknown, not zero.
pub fn standard_deviation(values: &Values) -> Option<f64> {
    let n = values.n() as f64;
    let centre = mean(values);
    let squares: f64 = values.in_order().iter().map(|value| (value - centre).powi(2)).sum();
    (values.n() >= 2).then(|| (squares / (n - 1.0)).sqrt())
}

/// The median absolute deviation from the median, not scaled. Zero for a single value and whenever more than half of
/// the values are equal.
pub fn mad(values: &Values) -> f64 {
    let centre = median(values);
    median_of(values.in_order().iter().map(|value| (value - centre).abs()).collect())
}

/// 1.4826 · MAD / median: the coefficient of variation that outliers do not move. `None` when the median is zero.
pub fn robust_cv(values: &Values) -> Option<f64> {
    let centre = median(values);
    (centre != 0.0).then(|| MAD_TO_SD * mad(values) / centre.abs())
}

/// Standard deviation / mean. `None` for a single value or a mean of zero.
pub fn cv(values: &Values) -> Option<f64> {
    let centre = mean(values);
    (centre != 0.0).then_some(standard_deviation(values)? / centre.abs())
}

/// The value below which the share `p` lies, between order statistics by a straight line: definition 7 of Hyndman and Fan
/// (1996), the default of R and NumPy. `p` is clamped to 0..1.
pub fn quantile(values: &Values, p: f64) -> f64 {
    quantile_of(values.sorted(), p)
}

/// The mean without the `share` smallest and the `share` largest values, rounded down to whole values. A share of one half
/// or more leaves the median.
pub fn trimmed_mean(values: &Values, share: f64) -> f64 {
    let cut = (values.n() as f64 * share.clamp(0.0, 0.5)).floor() as usize;
    match values.sorted().get(cut..values.n() - cut) {
        Some(kept) if !kept.is_empty() => mean_of(kept),
        _ => median(values),
    }
}

/// The mean; not a number for no values.
pub(crate) fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The median; not a number for no values.
pub(crate) fn median_of(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    quantile_of(&values, 0.5)
}

/// [`quantile`] of sorted values; not a number for no values.
pub(crate) fn quantile_of(sorted: &[f64], p: f64) -> f64 {
    let position = p.clamp(0.0, 1.0) * sorted.len().saturating_sub(1) as f64;
    let below = position.floor();
    match sorted.get(below as usize..) {
        Some([low, high, ..]) => low + (position - below) * (high - low),
        Some([last]) => *last,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: &[f64]) -> Values {
        Values::new(of.to_vec()).unwrap()
    }

    #[test]
    fn an_even_number_of_values_has_its_median_between_the_middle_two() {
        assert_eq!(median(&values(&[4.0, 1.0, 3.0, 2.0])), 2.5);
        assert_eq!(median(&values(&[7.0])), 7.0);
    }

    /// From NumPy 2: `np.quantile([1, 2, 4, 8, 16], p)`.
    #[test]
    fn quantiles_agree_with_numpy() {
        let sample = values(&[16.0, 1.0, 4.0, 2.0, 8.0]);
        for (p, expected) in [(0.0, 1.0), (0.1, 1.4), (0.25, 2.0), (0.6, 5.6), (0.9, 12.8), (1.0, 16.0)] {
            assert!((quantile(&sample, p) - expected).abs() < 1e-12, "p {p}");
        }
    }

    #[test]
    fn one_wild_value_moves_the_classic_cv_and_not_the_robust_one() {
        let calm = values(&[98.0, 99.0, 100.0, 101.0, 102.0]);
        let wild = values(&[98.0, 99.0, 100.0, 101.0, 1000.0]);
        assert_eq!(robust_cv(&calm), robust_cv(&wild));
        assert!(cv(&wild).unwrap() > 20.0 * cv(&calm).unwrap());
    }

    #[test]
    fn a_single_value_has_no_standard_deviation() {
        assert_eq!(standard_deviation(&values(&[5.0])), None);
        assert_eq!(cv(&values(&[5.0])), None);
        assert_eq!(mad(&values(&[5.0])), 0.0);
    }

    #[test]
    fn a_share_of_zero_is_not_a_share() {
        assert_eq!(robust_cv(&values(&[0.0, 0.0, 1.0])), None);
        assert_eq!(cv(&values(&[-1.0, 1.0])), None);
    }

    #[test]
    fn trimming_cuts_both_ends_and_ends_at_the_median() {
        let sample = values(&[0.0, 1.0, 2.0, 6.0, 1000.0]);
        assert_eq!(trimmed_mean(&sample, 0.2), 3.0);
        assert_eq!(trimmed_mean(&sample, 0.0), 201.8);
        assert_eq!(trimmed_mean(&sample, 0.5), 2.0);
        assert_eq!(trimmed_mean(&values(&[1.0, 3.0]), 0.9), 2.0);
    }
}
