//! Intervals for medians and quantiles from order statistics: no assumption on the shape, only independent values.

use crate::binomial::quantile_rank;
use crate::{Interval, Values, effective_n, median};

/// The interval for the median: the binomial order statistics around the wanted confidence, joined by the interpolation of
/// Hettmansperger and Sheather (1986), so that it covers about as often as it says and not far more. `None` while there are
/// too few values, fewer than 6 for 95 %, or when the confidence is not between 0 and 1.
pub fn median_interval(values: &Values, confidence: f64) -> Option<Interval> {
    let outer = quantile_rank(values.n(), 0.5, tail(confidence)?)?;
    let share = inner_share(values.n(), outer.rank, confidence);
    let towards = |outer: f64, inner: f64| outer + share * (inner - outer);
    // A single value has no inner neighbour, and its interval is itself.
    let inner = outer.rank + 1;
    let (low, high) = (values.smallest(outer.rank)?, values.largest(outer.rank)?);
    Some(Interval {
        low: towards(low, values.smallest(inner).unwrap_or(low)),
        high: towards(high, values.largest(inner).unwrap_or(high)),
        confidence,
    })
}

/// The interval for the median of runs in their order: [`median_interval`], widened about the median by √(n / effective n)
/// where neighbours in time resemble each other. Order statistics alone cover about 72 % instead of 95 % of a series with
/// a correlation of 0.6. Equal to [`median_interval`] where no correlation shows.
pub fn run_interval(values: &Values, confidence: f64) -> Option<Interval> {
    let plain = median_interval(values, confidence)?;
    let wider = (values.n() as f64 / effective_n(values)).sqrt();
    let centre = median(values);
    Some(Interval {
        low: centre - wider * (centre - plain.low),
        high: centre + wider * (plain.high - centre),
        confidence,
    })
}

/// How far the ends move from the `rank`-th towards the next order statistic. The formula is exact for the Laplace
/// distribution and close for others, Hettmansperger and Sheather (1986), equation 2.
fn inner_share(n: usize, rank: u64, confidence: f64) -> f64 {
    let covers = |rank: u64| 1.0 - 2.0 * crate::binomial_cdf(rank - 1, n as u64, 0.5);
    let (outer, inner) = (covers(rank), covers(rank + 1));
    let surplus = (outer - confidence) / (outer - inner);
    let (n, rank) = (n as f64, rank as f64);
    ((n - rank) * surplus / (rank + (n - 2.0 * rank) * surplus)).clamp(0.0, 1.0)
}

/// The exact interval for the `p`-quantile: two order statistics, each wrong with at most half of the allowed error. The
/// reached confidence is in it. `None` when the sample does not reach that far out, or when the confidence is not between
/// 0 and 1.
pub fn quantile_interval(values: &Values, p: f64, confidence: f64) -> Option<Interval> {
    let error = tail(confidence)?;
    let below = quantile_rank(values.n(), p, error)?;
    let above = quantile_rank(values.n(), 1.0 - p, error)?;
    Some(Interval {
        low: values.smallest(below.rank)?,
        high: values.largest(above.rank)?,
        confidence: 1.0 - below.error - above.error,
    })
}

/// The error left for each side. `None` unless the confidence is between 0 and 1.
pub(crate) fn tail(confidence: f64) -> Option<f64> {
    (confidence > 0.0 && confidence < 1.0).then_some((1.0 - confidence) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_to(n: u32) -> Values {
        Values::new((1..=n).map(f64::from).collect()).unwrap()
    }

    #[test]
    fn fewer_than_six_values_bound_no_median_at_95_percent() {
        assert_eq!(median_interval(&one_to(5), 0.95), None);
        assert!(median_interval(&one_to(6), 0.95).is_some());
        assert_eq!(median_interval(&one_to(1), 0.95), None);
    }

    /// By hand from the published formula: n = 10, 95 %, ranks 2 (97.85 %) and 3 (89.06 %), I = 0.3244, λ = 0.6577.
    #[test]
    fn the_interpolation_agrees_with_the_formula() {
        let interval = median_interval(&one_to(10), 0.95).unwrap();
        assert!((interval.low - 2.657_7).abs() < 1e-3, "{interval:?}");
        assert!((interval.high - 8.342_3).abs() < 1e-3, "{interval:?}");
        assert_eq!(interval.confidence, 0.95);
    }

    /// SciPy: binom.cdf(12, 100, .05) = 0.9985, cdf(9) = 0.9718, cdf(0) = 0.0059, cdf(1) = 0.0371.
    #[test]
    fn a_tail_quantile_has_the_ranks_of_the_binomial() {
        let interval = quantile_interval(&one_to(100), 0.05, 0.95).unwrap();
        assert_eq!((interval.low, interval.high), (1.0, 11.0));
        assert!(interval.confidence > 0.95 && interval.confidence < 0.99, "{interval:?}");
    }

    #[test]
    fn a_quantile_beyond_the_sample_has_no_interval() {
        assert_eq!(quantile_interval(&one_to(100), 0.99, 0.95), None);
        assert_eq!(quantile_interval(&one_to(100), 1.0, 0.95), None);
    }

    #[test]
    fn a_confidence_outside_zero_to_one_has_no_interval() {
        for confidence in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
            assert_eq!(median_interval(&one_to(20), confidence), None);
        }
    }

    #[test]
    fn runs_that_resemble_their_neighbours_get_a_wider_interval() {
        let drifting = one_to(20);
        let (plain, wider) =
            (median_interval(&drifting, 0.95).unwrap(), run_interval(&drifting, 0.95).unwrap());
        assert!(wider.low < plain.low && wider.high > plain.high, "{plain:?} {wider:?}");
        let mixed = Values::new((1..=20).map(|i| f64::from(i * 7 % 20)).collect()).unwrap();
        assert_eq!(run_interval(&mixed, 0.95), median_interval(&mixed, 0.95));
    }
}
