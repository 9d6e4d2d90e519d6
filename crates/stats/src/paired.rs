//! Paired comparisons: one value per block, d = ln(mean of the block's B runs) − ln(mean of its A runs).

use crate::binomial::quantile_rank;
use crate::interval::tail;
use crate::order::{PairSums, Pairs};
use crate::ranks::{deepest, signed_rank};
use crate::{Interval, Values, median_interval};

/// The pseudomedian: the median of the means of all pairs, each value paired with itself too (Hodges and Lehmann 1963).
/// Nearly as precise as the mean for normal values, and hardly moved by far ones.
pub fn hodges_lehmann(values: &Values) -> f64 {
    let halves = halves(values);
    walsh(&halves).median()
}

/// The interval for the pseudomedian that belongs to Wilcoxon's signed-rank test: two of the pair means. Covers as it says
/// when the differences are symmetric, as they are between equal programs; skewed ones are covered less. Exact up to 100
/// values; ties make it wider. `None` while there are too few values, fewer than 6 for 95 %.
pub fn signed_rank_interval(values: &Values, confidence: f64) -> Option<Interval> {
    let halves = halves(values);
    let means = walsh(&halves);
    let null = signed_rank(values.n());
    let cut = deepest(means.len(), tail(confidence)?, |below| null.cdf(below))?;
    let (low, high) = (means.smallest(cut.rank), means.largest(cut.rank));
    Some(Interval { low, high, confidence: 1.0 - 2.0 * cut.error })
}

/// The printed interval for the median of the blocks: [`median_interval`], which asks nothing of their shape. It belongs to
/// the median; the pseudomedian may, rarely, lie outside. `None` for fewer than 6 blocks at 95 %.
pub fn sign_interval(values: &Values, confidence: f64) -> Option<Interval> {
    median_interval(values, confidence)
}

/// Bounds for the median, each wrong with a chance of at most `one_sided_error`: the order statistics themselves, not
/// interpolated, for proofs that nothing changed. The reached two-sided confidence is in it. `None` while even the smallest
/// and the largest block err more often, which is below 8 blocks at 1/256.
pub fn sign_bounds(values: &Values, one_sided_error: f64) -> Option<Interval> {
    let cut = quantile_rank(values.n(), 0.5, one_sided_error)?;
    let (low, high) = (values.smallest(cut.rank)?, values.largest(cut.rank)?);
    Some(Interval { low: low.min(high), high: high.max(low), confidence: 1.0 - 2.0 * cut.error })
}

fn halves(values: &Values) -> Vec<f64> {
    values.sorted().iter().map(|value| 0.5 * value).collect()
}

/// The means of all pairs, as sums of halves.
fn walsh(halves: &[f64]) -> PairSums<'_> {
    PairSums { left: halves, right: halves, pairs: Pairs::Unordered }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences of Hollander and Wolfe's depression scores, the example of R's `wilcox.test`.
    fn depression() -> Values {
        Values::new(vec![0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01]).unwrap()
    }

    /// R: `wilcox.test(x, y, paired = TRUE, conf.int = TRUE)` gives 0.46, 0.010 to 0.786, at 96.1 %.
    #[test]
    fn the_pseudomedian_and_its_interval_agree_with_r() {
        let interval = signed_rank_interval(&depression(), 0.95).unwrap();
        assert!((hodges_lehmann(&depression()) - 0.46).abs() < 1e-9);
        assert!((interval.low - 0.01).abs() < 1e-9 && (interval.high - 0.786).abs() < 1e-9, "{interval:?}");
        assert!((interval.confidence - 0.960_937_5).abs() < 1e-9, "{interval:?}");
    }

    #[test]
    fn bounds_are_order_statistics_with_the_reached_confidence() {
        let fifteen = Values::new((1..=15).map(f64::from).collect()).unwrap();
        let bounds = sign_bounds(&fifteen, 0.006).unwrap();
        assert_eq!((bounds.low, bounds.high), (3.0, 13.0));
        assert!((bounds.confidence - (1.0 - 2.0 * 0.003_692_626_953_125)).abs() < 1e-12);
    }

    #[test]
    fn too_few_blocks_bound_nothing() {
        let five = Values::new(vec![1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!(signed_rank_interval(&five, 0.95), None);
        assert_eq!(sign_interval(&five, 0.95), None);
        assert_eq!(sign_bounds(&five, 0.004), None);
        assert_eq!(hodges_lehmann(&five), 3.0);
    }
}
