//! How far a prediction reaches beyond what was measured, and whether there was growth to predict from.

use model::bench::Warning;
use model::scale::Fit;

use super::{as_f64, largest, what};

/// Beyond so many times the largest measured size, caches, memory and algorithms have had room to change.
const FAR: f64 = 8.0;

/// Where more than this share of the largest measured cost is the same at every size, a small error of the rest becomes
/// a large one of the prediction.
const HIDDEN: f64 = 0.5;

/// Why the predictions of a fit may not hold.
pub(super) fn doubts(fit: &Fit) -> Vec<Warning> {
    let what = what(fit.metric);
    let measured = largest(fit);
    let mut doubts = Vec::new();
    let mut doubt = |id: &str, text: String| {
        let next = Some("measure larger sizes".to_owned());
        doubts.push(Warning { id: id.to_owned(), text, next });
    };
    let furthest = fit.predictions.iter().map(|prediction| prediction.size).max();
    let Some(furthest) = furthest.filter(|size| as_f64(*size) > measured) else { return doubts };
    let times = as_f64(furthest) / measured;
    if times > FAR {
        doubt(
            "far-prediction",
            format!(
                "{what}: size {furthest} is {times:.0} times the largest one measured, {measured:.0}; the growth may change in between"
            ),
        );
    }
    let whole = fit.points.last().map_or(0.0, |point| point.cost);
    let fixed = fit.fixed.map_or(0.0, |fixed| fixed.value);
    if whole > 0.0 && fixed > HIDDEN * whole {
        doubt(
            "predicted-from-start-up",
            format!(
                "{what}: {:.0} % of the cost at the largest size measured is the same at every size, so little growth was seen to predict from",
                fixed / whole * 100.0
            ),
        );
    }
    doubts
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::scale::{Class, Estimate, Point, Prediction};
    use model::{Metric, Unit};

    fn fit(fixed: f64, predicted: u64) -> Fit {
        let estimate = |value| Estimate { value, low: value, high: value };
        Fit {
            metric: Metric::Instructions,
            unit: Unit::One,
            source: String::new(),
            class: Class::Linear,
            set: Vec::new(),
            exponent: None,
            base: None,
            residual: 0.0,
            fixed: Some(estimate(fixed)),
            marginal: None,
            bend: None,
            predictions: vec![Prediction { size: predicted, cost: estimate(1.0) }],
            points: [100, 1000].map(|size| Point { size, cost: 1e6, fitted: 1e6, n: 1 }).into(),
        }
    }

    #[test]
    fn a_prediction_far_out_or_from_start_up_says_so() {
        let ids = |fit: &Fit| doubts(fit).into_iter().map(|doubt| doubt.id).collect::<Vec<_>>();
        assert_eq!(ids(&fit(0.0, 4000)), Vec::<String>::new());
        assert_eq!(ids(&fit(0.0, 9000)), ["far-prediction"]);
        assert_eq!(ids(&fit(9e5, 4000)), ["predicted-from-start-up"]);
        assert_eq!(ids(&fit(9e5, 500)), Vec::<String>::new(), "between measured sizes nothing is guessed");
        assert_eq!(ids(&fit(9e5, 50_000)), ["far-prediction", "predicted-from-start-up"]);
    }
}
