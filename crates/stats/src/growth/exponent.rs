//! The exponent of growth net of start-up, with its interval.

use super::class::{Class, Shape};
use super::fit::{Fit, fitted, sought};
use super::{Cost, Estimate};

/// Exponents are sought in this range.
const RANGE: (f64, f64) = (0.02, 8.0);

/// From this exponent on a linear part is of lower order.
const BEYOND_LINEAR: f64 = 1.25;

/// A lower term larger than the power would leave the exponent open to any height.
const LEADS: f64 = 0.5;

/// Whether a term of lower order may stand beside the power.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lower {
    None,
    One,
}

/// Start-up and a free power.
pub(super) fn fit(costs: &[Cost], floor: f64) -> Option<Fit> {
    model(costs, floor, Lower::None)
}

fn model(costs: &[Cost], floor: f64, lower: Lower) -> Option<Fit> {
    let power = sought(RANGE, |power| at(power, costs, floor, lower).map_or(f64::INFINITY, |fit| fit.score))?;
    at(power, costs, floor, lower)
}

/// The best fit with this power: alone, or beside a linear part, or beside what its own loops cost, one order lower.
fn at(power: f64, costs: &[Cost], floor: f64, lower: Lower) -> Option<Fit> {
    let leading = Shape::Power(power);
    let mut models = vec![vec![leading]];
    if lower == Lower::One && power >= BEYOND_LINEAR {
        models.push(vec![leading, Shape::Power(1.0)]);
    }
    if lower == Lower::One && power >= BEYOND_LINEAR + 1.0 {
        models.push(vec![leading, Shape::Power(power - 1.0)]);
    }
    let fits = models.iter().filter_map(|shapes| fitted(Class::Power, shapes, Some(power), costs, floor));
    fits.filter(|fit| fit.leading() >= LEADS).min_by(|a, b| a.square.total_cmp(&b.square))
}

/// The exponent over the measured sizes. With a term of lower order beside the power where that is clearly better. The
/// interval holds every exponent whose fit is not significantly worse (profile likelihood).
pub(super) fn exponent(costs: &[Cost], best: &Fit, floor: f64) -> Option<Estimate> {
    if matches!(best.class, Class::Exponential | Class::Factorial) {
        return None;
    }
    if best.class == Class::Constant {
        return Some(flat(costs, floor));
    }
    // Counts are far more exact than the models of classes: the exponent may use that.
    let fine = floor / SHARPER;
    let (plain, mixed) = (model(costs, fine, Lower::None)?, model(costs, fine, Lower::One)?);
    let found = if mixed.score + CLEARLY < plain.score { &mixed } else { &plain };
    let value = found.parameter?;
    // A lower term may hide in the power even where nothing shows it, so the interval always allows for one.
    let least = mixed.square.min(plain.square);
    let left = costs.len().saturating_sub(mixed.parameters());
    // Student's t is for noise that only the residuals tell of. Where it was measured and they are no larger, it is known.
    let measured = costs.iter().all(|cost| cost.noise > fine);
    let spread = if measured && least <= chi_square(left) {
        KNOWN_NOISE
    } else {
        KNOWN_NOISE.max(student(left).powi(2) * least / left.max(1) as f64)
    };
    let allowed = least + spread;
    let inside = |power: f64| at(power, costs, fine, Lower::One).is_some_and(|fit| fit.square <= allowed);
    Some(Estimate { value, low: edge(value, RANGE.0, inside), high: edge(value, RANGE.1, inside) })
}

/// Start-up, a coefficient and an exponent go through any three points: the residuals are nothing then, and leave out of the
/// interval what differs between the sizes and not within one, as a machine that is busy meanwhile. A power alone leaves
/// one degree of freedom, whose Student's t the interval then holds too.
pub(super) fn unexplained(costs: &[Cost], known: Estimate) -> Estimate {
    let [_, _, _] = costs else { return known };
    if known.value == 0.0 {
        return known;
    }
    let (slope, error) = line(costs);
    let half = student(1) * error;
    let (low, high) = ((slope - half).max(RANGE.0), (slope + half).min(RANGE.1));
    Estimate { low: known.low.min(low), high: known.high.max(high), ..known }
}

/// The slope of the logarithms, and its standard error by what they are off a line.
fn line(costs: &[Cost]) -> (f64, f64) {
    let n = costs.len() as f64;
    let mean = |of: fn(&Cost) -> f64| costs.iter().map(|cost| of(cost).ln()).sum::<f64>() / n;
    let (x, y) = (mean(|cost| cost.size), mean(|cost| cost.cost));
    let moves = |cost: &Cost| (cost.size.ln() - x, cost.cost.ln() - y);
    let square: f64 = costs.iter().map(moves).map(|(x, _)| x * x).sum();
    let slope = costs.iter().map(moves).map(|(x, y)| x * y).sum::<f64>() / square;
    let off: f64 = costs.iter().map(moves).map(|(x, y)| (y - slope * x).powi(2)).sum();
    (slope, (off / (n - 2.0) / square).sqrt())
}

/// A lower term beside the power must be worth this much of the score, or the power alone is the estimate.
const CLEARLY: f64 = 2.0;

/// Chi-square at 95 % for one parameter: what residuals no larger than the noise leave open.
const KNOWN_NOISE: f64 = 3.84;

/// The floor of a class is this many times what a power law may be off by.
const SHARPER: f64 = 6.0;

/// Between a place inside and one that may be outside, where the inside ends.
fn edge(inner: f64, outer: f64, inside: impl Fn(f64) -> bool) -> f64 {
    if inside(outer) {
        return outer;
    }
    let (mut inner, mut outer) = (inner, outer);
    for _ in 0..40 {
        let middle = (inner + outer) / 2.0;
        if inside(middle) { inner = middle } else { outer = middle }
    }
    outer
}

/// A cost that does not depend on the size has the exponent 0, at most what its largest difference would make.
fn flat(costs: &[Cost], floor: f64) -> Estimate {
    let logs = |of: fn(&Cost) -> f64| costs.iter().map(move |cost| of(cost).ln());
    let span = |values: Vec<f64>| {
        values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            - values.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let noise = costs.iter().map(|cost| cost.noise).fold(floor, f64::max);
    let high =
        (span(logs(|cost| cost.cost).collect()) + 2.0 * noise) / span(logs(|cost| cost.size).collect());
    Estimate { value: 0.0, low: 0.0, high }
}

/// Student's t for a two-sided 95 %, by degrees of freedom; with none left the data say nothing and one is assumed.
pub(super) fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [12.706, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
    // Beyond the table the first terms of Fisher's expansion are good to three digits.
    let expansion = |freedom: f64| 1.960 + 2.372 / freedom + 2.823 / freedom.powi(2);
    TABLE.get(freedom).copied().unwrap_or_else(|| expansion(freedom as f64))
}

/// Chi-square at 95 % by degrees of freedom: what the squares of residuals add up to at most where the noise is known. None
/// without freedom, in which residuals say nothing.
fn chi_square(freedom: usize) -> f64 {
    // Wilson and Hilferty's cube root, good to a hundredth of it from two degrees on.
    let freedom = match freedom {
        0 => return 0.0,
        1 => return KNOWN_NOISE,
        more => more as f64,
    };
    let share = 2.0 / (9.0 * freedom);
    freedom * (1.0 - share + 1.645 * share.sqrt()).powi(3)
}

#[cfg(test)]
mod tests {
    use super::super::{Machine, growth_on};
    use super::*;
    use crate::Rng;

    /// Linear costs at three sizes that the machine made up to a tenth or so longer (root mean square), each by its own
    /// factor, and which were each repeated until next to no noise was left: how often the interval holds 1.
    fn held(step: f64, machine: &Machine) -> u32 {
        let mut rng = Rng::new(11);
        let mut held = 0;
        for _ in 0..300 {
            let busy = |at: i32| {
                let size = 1000.0 * step.powi(at);
                Cost { size, cost: 1e-8 * size * (0.1 * rng.normal()).exp(), noise: 0.002 }
            };
            let costs: Vec<Cost> = (0..3).map(busy).collect();
            let exponent = growth_on(machine, &costs, 0.015).unwrap().exponent;
            held += u32::from(exponent.is_none_or(|known| known.low <= 1.0 && 1.0 <= known.high));
        }
        held
    }

    #[test]
    fn three_times_have_an_interval_that_holds_the_truth() {
        let timed = Machine { drift: 0.1, ..Machine::default() };
        for step in [2.0, 4.0, 10.0] {
            let held = held(step, &timed);
            assert!(held >= 270, "step {step}: {held} of 300");
        }
    }

    #[test]
    fn more_than_three_sizes_and_counts_are_told_by_their_residuals() {
        let at = |size: f64, cost: f64| Cost { size, cost, noise: 0.0 };
        let counted = [at(500.0, 2.6e6), at(1000.0, 1.01e7), at(2000.0, 4.01e7)];
        let exponent = growth_on(&Machine::default(), &counted, 0.004).unwrap().exponent.unwrap();
        assert!(exponent.low > 1.9 && exponent.high < 2.1, "{exponent:?}");
        let four = [at(1.0, 1.0), at(2.0, 2.2), at(4.0, 5.0), at(8.0, 10.0)];
        let known = Estimate { value: 1.1, low: 1.0, high: 1.2 };
        assert_eq!(unexplained(&four, known), known);
        let three = unexplained(&four[..3], known);
        assert!(three.low < 1.0 && three.high > 1.3, "{three:?}");
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, wanted) in [(1, 3.841), (2, 5.991), (5, 11.070), (10, 18.307)] {
            assert!((chi_square(freedom) / wanted - 1.0).abs() < 0.01, "{freedom}: {}", chi_square(freedom));
        }
        for (freedom, wanted) in [(2, 4.303), (10, 2.228), (30, 2.042)] {
            assert!((student(freedom) / wanted - 1.0).abs() < 0.002, "{freedom}: {}", student(freedom));
        }
    }
}
