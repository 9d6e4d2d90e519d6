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
    use super::*;

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
