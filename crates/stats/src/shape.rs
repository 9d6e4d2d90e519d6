//! What the order of measurement and the far values say about a sample.

use crate::location::{MAD_TO_SD, mean_of};
use crate::{Values, mad, mean, median};

/// The correlation of neighbours in the order of measurement, between −1 and 1. Independent values show about −1/n.
/// `None` for fewer than 3 values or when all are equal.
pub fn lag1(values: &Values) -> Option<f64> {
    let centre = mean(values);
    let moved: Vec<f64> = values.in_order().iter().map(|value| value - centre).collect();
    let squares: f64 = moved.iter().map(|x| x * x).sum();
    let products: f64 = moved.iter().zip(moved.iter().skip(1)).map(|(x, next)| x * next).sum();
    (values.n() >= 3 && squares > 0.0).then(|| products / squares)
}

/// How many independent values would say as much about the mean: n (1 − r) / (1 + r) with r = [`lag1`], the first-order
/// rule of Bayley and Hammersley (1946); from 1 to n. Correlation within what independent values show by chance, one-sided
/// 5 %, and negative correlation leave n as it is.
pub fn effective_n(values: &Values) -> f64 {
    let n = values.n() as f64;
    // 1.645 standard errors of the correlation of independent values, which is 1/√n.
    let by_chance = 1.645 / n.sqrt();
    match lag1(values) {
        Some(r) if r > by_chance => (n * (1.0 - r) / (1.0 + r)).clamp(1.0, n),
        _ => n,
    }
}

/// The indices, in the order of measurement, of values far above the others: more than 3 robust standard deviations
/// (1.4826 · MAD) above the median on the log scale, on the plain scale when a value is not positive.
///
/// Only a label: no function here removes a value.
pub fn outliers(values: &Values) -> Vec<usize> {
    let scaled = values.ln().unwrap_or_else(|| values.clone());
    let limit = median(&scaled) + far(&scaled);
    let above = scaled.in_order().iter().enumerate().filter(|(_, value)| **value > limit);
    above.map(|(index, _)| index).collect()
}

/// How far above the median a value must lie to be an outlier.
fn far(scaled: &Values) -> f64 {
    let deviation = MAD_TO_SD * mad(scaled);
    if deviation > 0.0 {
        return 3.0 * deviation;
    }
    // More than half of the values are equal, so the MAD is blind; Iglewicz and Hoaglin (1993) then take the mean absolute
    // deviation, √(π/2) times which is the standard deviation of normal values.
    let centre = median(scaled);
    let deviations: Vec<f64> = scaled.in_order().iter().map(|value| (value - centre).abs()).collect();
    let fallback = 3.0 * std::f64::consts::FRAC_PI_2.sqrt() * mean_of(&deviations);
    fallback.max(rounding_step(scaled))
}

/// The smallest distance between different values, when it can be the step of a clock or a counter. Equal values come from
/// rounding, and the next step up is then no outlier. A gap above 10 % is too coarse to be taken for one.
fn rounding_step(scaled: &Values) -> f64 {
    const COARSEST: f64 = 0.1;
    let steps = scaled.sorted().windows(2).filter_map(|pair| match pair {
        [low, high] if high > low => Some(high - low),
        _ => None,
    });
    // A little more than the step itself, so that rounding in the logarithm does not decide.
    let step = 1.001 * steps.fold(f64::INFINITY, f64::min);
    if step <= COARSEST { step } else { 0.0 }
}

/// Whether warm-up is over: neither of the newest two runs improves by more than 3 % on the best run before them. Asked
/// after each warm-up run; `false` before the third.
///
/// A slower run does not prolong the warm-up: noise comes and goes, only improvement shows that caches still fill.
pub fn steady(walls: &[f64]) -> bool {
    const IMPROVES: f64 = 0.03;
    let best = |walls: &[f64]| walls.iter().copied().fold(f64::INFINITY, f64::min);
    match walls {
        [before @ .., second, newest] if !before.is_empty() => {
            second.min(*newest) >= (1.0 - IMPROVES) * best(before)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn values(of: &[f64]) -> Values {
        Values::new(of.to_vec()).unwrap()
    }

    #[test]
    fn alternating_and_drifting_values_correlate_with_opposite_signs() {
        assert!(lag1(&values(&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0])).unwrap() < -0.5);
        assert!(lag1(&values(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).unwrap() > 0.4);
        assert_eq!(lag1(&values(&[1.0, 2.0])), None);
        assert_eq!(lag1(&values(&[1.0; 9])), None);
    }

    #[test]
    fn correlated_values_count_less_and_independent_ones_fully() {
        let mut rng = Rng::new(1);
        let noise: Vec<f64> = (0..400).map(|_| rng.normal()).collect();
        let mut level = 0.0;
        let walk: Vec<f64> = noise
            .iter()
            .map(|x| {
                level = 0.6 * level + x;
                level
            })
            .collect();
        assert_eq!(effective_n(&values(&noise)), 400.0);
        let effective = effective_n(&values(&walk));
        assert!((60.0..160.0).contains(&effective), "{effective}: theory says 100");
        assert_eq!(effective_n(&values(&[1.0])), 1.0);
    }

    #[test]
    fn a_far_value_above_is_labelled_and_one_below_is_not() {
        assert_eq!(outliers(&values(&[100.0, 101.0, 160.0, 99.0, 100.5, 98.0])), [2]);
        assert_eq!(outliers(&values(&[100.0, 101.0, 60.0, 99.0, 100.5, 98.0])), [0_usize; 0]);
    }

    #[test]
    fn among_equal_values_only_more_than_a_rounding_step_is_far() {
        let ticks = [vec![100.0; 12], vec![104.0; 2]].concat();
        assert_eq!(outliers(&values(&ticks)), [0_usize; 0]);
        assert_eq!(outliers(&values(&[ticks, vec![140.0]].concat())), [14]);
        assert_eq!(outliers(&values(&[vec![1000.0; 9], vec![5000.0]].concat())), [9]);
        assert_eq!(outliers(&values(&[3.0; 5])), [0_usize; 0]);
    }

    #[test]
    fn counts_with_zeros_are_judged_on_the_plain_scale() {
        assert_eq!(outliers(&values(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 12.0])), [6]);
        assert_eq!(outliers(&values(&[0.0, 1.0, 2.0, 3.0, 2.0, 1.0])), [0_usize; 0]);
    }

    #[test]
    fn warm_up_ends_when_two_runs_bring_nothing_new() {
        let cases: [(&[f64], bool); 8] = [
            (&[], false),
            (&[1.0, 1.0], false),
            (&[1.0, 1.0, 1.0], true),
            (&[10.0, 5.0, 5.0], false),
            (&[10.0, 5.0, 5.0, 5.0], true),
            (&[10.0, 5.0, 4.9, 5.1], true),
            (&[10.0, 8.0, 6.0, 5.0], false),
            (&[5.0, 5.1, 9.0], true),
        ];
        for (walls, expected) in cases {
            assert_eq!(steady(walls), expected, "{walls:?}");
        }
    }
}
