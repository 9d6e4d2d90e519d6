//! Whether values rise or fall over the order of measurement.

use crate::location::median_of;
use crate::ranks::discordant_pairs;
use crate::{Values, median, normal};

/// A steady rise or fall over the runs, and how likely chance alone shows one as clear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// The Theil-Sen slope per run, as a share of the median.
    pub slope_share_per_run: f64,
    /// What the slope adds from the first run to the last, as a share of the median.
    pub total_share: f64,
    /// The two-sided Mann-Kendall p.
    pub p: f64,
}

/// The slope of Theil and Sen with the test of Mann and Kendall, which no outlier can fake; ties are handled. Neighbouring
/// values that depend on each other make `p` too small. `None` for fewer than 5 values, which can prove no trend, and for a
/// median of zero.
pub fn trend(values: &Values) -> Option<Trend> {
    let centre = median(values).abs();
    if values.n() < 5 || centre == 0.0 {
        return None;
    }
    let slope_share_per_run = slope(values.in_order()) / centre;
    let total_share = slope_share_per_run * (values.n() - 1) as f64;
    Some(Trend { slope_share_per_run, total_share, p: mann_kendall(values) })
}

/// The median slope over all pairs. Beyond 1,000 values every k-th is used, which keeps the pairs below half a million.
fn slope(in_order: &[f64]) -> f64 {
    const MOST: usize = 1_000;
    let stride = in_order.len().div_ceil(MOST);
    let points: Vec<(f64, f64)> =
        (0_u32..).map(f64::from).zip(in_order.iter().copied()).step_by(stride).collect();
    let pairs = points
        .iter()
        .enumerate()
        .flat_map(|(at, early)| points.iter().skip(at + 1).map(move |late| (early, late)));
    median_of(pairs.map(|(early, late)| (late.1 - early.1) / (late.0 - early.0)).collect())
}

/// Exact up to 50 values without ties, else the normal approximation with ties and continuity corrected: Kendall (1975),
/// Rank Correlation Methods, chapter 4.
fn mann_kendall(values: &Values) -> f64 {
    let (rising, falling) = pairs(values.in_order());
    let n = values.n();
    let ties = rising + falling < (n * (n - 1) / 2) as u64;
    if n <= 50 && !ties {
        return (2.0 * discordant_pairs(n).cdf(rising.min(falling))).min(1.0);
    }
    let score = rising.abs_diff(falling).saturating_sub(1) as f64;
    2.0 * normal::upper_tail(score / score_variance(values.sorted()).sqrt().max(f64::MIN_POSITIVE))
}

/// How many pairs rise and how many fall, in the order of measurement.
fn pairs(in_order: &[f64]) -> (u64, u64) {
    let mut counts = (0, 0);
    for (at, early) in in_order.iter().enumerate() {
        for late in in_order.iter().skip(at + 1) {
            counts.0 += u64::from(late > early);
            counts.1 += u64::from(late < early);
        }
    }
    counts
}

/// The variance of rising minus falling pairs: (Σ over all − Σ over ties of t (t − 1) (2t + 5)) / 18.
fn score_variance(sorted: &[f64]) -> f64 {
    let term = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
    let ties: f64 = sorted.chunk_by(|a, b| a == b).map(|tied| term(tied.len() as f64)).sum();
    (term(sorted.len() as f64) - ties) / 18.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Option<Trend> {
        trend(&Values::new(values.to_vec()).unwrap())
    }

    /// From SciPy: `scipy.stats.kendalltau(range(10), y, method="exact").pvalue` and `theilslopes(y).slope`.
    #[test]
    fn a_rise_agrees_with_scipy() {
        let rise = of(&[10.0, 10.3, 10.1, 10.6, 10.5, 10.9, 10.7, 11.2, 11.0, 11.4]).unwrap();
        assert!((rise.p - 0.000_357_694_003_527_336_9).abs() < 1e-9, "{rise:?}");
        assert!((rise.slope_share_per_run * 10.65 - 0.15).abs() < 1e-9, "{rise:?}");
        assert!((rise.total_share - 9.0 * rise.slope_share_per_run).abs() < 1e-12);
    }

    #[test]
    fn equal_values_have_no_trend() {
        let level = of(&[4.0; 12]).unwrap();
        assert_eq!((level.slope_share_per_run, level.p), (0.0, 1.0));
    }

    /// By hand: 9 pairs rise, 3 fall, variance (6·5·17 − 3·(2·1·9)) / 18 = 25.33, z = 5 / 5.033.
    #[test]
    fn ties_shrink_the_variance() {
        let tied = of(&[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]).unwrap();
        assert!((tied.p - 0.320_5).abs() < 1e-4, "{tied:?}");
    }

    #[test]
    fn one_wild_run_is_no_trend() {
        assert!(of(&[5.0, 5.1, 4.9, 5.0, 5.2, 5.1, 4.8, 90.0]).unwrap().p > 0.2);
    }

    #[test]
    fn four_values_prove_nothing() {
        assert_eq!(of(&[1.0, 2.0, 3.0, 4.0]), None);
        assert_eq!(of(&[0.0; 9]), None);
    }

    #[test]
    fn many_values_are_thinned_and_keep_their_slope() {
        let line: Vec<f64> = (0..3_000).map(|run| 1_000.0 + f64::from(run)).collect();
        let rise = of(&line).unwrap();
        assert!((rise.total_share * 2_499.5 - 2_999.0).abs() < 1e-6 && rise.p < 1e-9, "{rise:?}");
    }
}
