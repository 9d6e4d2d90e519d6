//! Percentiles no further out than the sample supports.

use crate::binomial::quantile_rank;
use crate::{Interval, Values, quantile, quantile_interval};

/// What a sample can say about a percentile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Percentile {
    /// At least 10 values lie beyond it on both sides.
    Solid {
        p: f64,
        value: f64,
        /// 95 %, exact. `None` never happens for a solid percentile inside 0 to 1.
        interval: Option<Interval>,
    },
    /// Too few values to name it, enough to say that it is at most `upper`, with 95 % confidence.
    Bounded { p: f64, upper: f64 },
    /// Too few values for either. The largest of `n` values is usually *below* a far percentile, so none is named.
    MaxOf { n: usize, max: f64 },
}

/// How many values must lie beyond a percentile before it is named.
const BEYOND: f64 = 10.0;
const CONFIDENCE: f64 = 0.95;

/// What the sample supports about the `p`-quantile: its value from 10 values beyond it on, an upper bound from
/// n ≥ ln 0.05 / ln p on (59 for p95, 299 for p99, 2,995 for p99.9), else only the largest value.
pub fn percentile(values: &Values, p: f64) -> Percentile {
    let beyond = values.n() as f64 * p.min(1.0 - p);
    if beyond >= BEYOND - 1e-9 {
        let interval = quantile_interval(values, p, CONFIDENCE);
        return Percentile::Solid { p, value: quantile(values, p), interval };
    }
    let bound = quantile_rank(values.n(), 1.0 - p, 1.0 - CONFIDENCE).and_then(|cut| values.largest(cut.rank));
    match bound {
        Some(upper) => Percentile::Bounded { p, upper },
        None => Percentile::MaxOf { n: values.n(), max: values.max() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_to(n: u32) -> Values {
        Values::new((1..=n).map(f64::from).collect()).unwrap()
    }

    #[test]
    fn a_percentile_is_named_from_ten_values_beyond_it_on() {
        for (p, n) in [(0.5, 20), (0.95, 200), (0.99, 1_000), (0.05, 200), (0.999, 10_000)] {
            let solid = percentile(&one_to(n), p);
            assert!(matches!(solid, Percentile::Solid { interval: Some(_), .. }), "{solid:?}");
            let fewer = percentile(&one_to(n - 1), p);
            assert!(!matches!(fewer, Percentile::Solid { .. }), "{fewer:?}");
        }
    }

    #[test]
    fn an_upper_bound_exists_from_the_published_sizes_on() {
        for (p, n) in [(0.5, 5), (0.95, 59), (0.99, 299), (0.999, 2_995)] {
            assert_eq!(percentile(&one_to(n), p), Percentile::Bounded { p, upper: f64::from(n) });
            let max = f64::from(n - 1);
            assert_eq!(percentile(&one_to(n - 1), p), Percentile::MaxOf { n: n as usize - 1, max });
        }
    }

    #[test]
    fn the_bound_comes_closer_with_more_values() {
        let Percentile::Bounded { upper, .. } = percentile(&one_to(180), 0.95) else { panic!("not bounded") };
        assert!(upper < 180.0 && upper > 171.0, "{upper}");
    }

    #[test]
    fn no_sample_is_large_enough_for_the_hundredth_percentile() {
        assert!(matches!(percentile(&one_to(5_000), 1.0), Percentile::MaxOf { .. }));
    }
}
