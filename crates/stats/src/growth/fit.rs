//! One model fitted: start-up, a leading term, perhaps one of lower order.

use super::Cost;
use super::class::{Class, Shape};
use super::least_squares::{dot, nonnegative};

/// A class with the coefficients that fit best.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub class: Class,
    /// The exponent of a free power, the base of an exponential that is not 2.
    pub parameter: Option<f64>,
    /// Root mean square of the relative residuals.
    pub residual: f64,
    /// Smaller is better; differences are twice log likelihoods.
    pub score: f64,
    /// Sum of the squared residuals, each in units of what it may be.
    pub(super) square: f64,
    terms: Vec<Term>,
    largest: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Term {
    shape: Shape,
    /// The term's cost at the largest size.
    cost: f64,
}

/// The leading term must make up this much of the cost at the largest size, start-up aside: what is less is no evidence of
/// where it leads, only of a better bend.
const LEADS: f64 = 0.2;

/// From the smallest size to the largest cost must grow by more than this many errors to be growth at all.
const SHOWS: f64 = 2.0;

/// By what factor steps cost more at the largest size where the data outgrow a cache, root mean square: 1.5 over eight
/// programs of `specimens/growth` (an instruction of tree took 2.5 times as long, of hashset 1.7, of heap 1.3, of grid,
/// libsort, merge, sum and words as long). `LEADS` makes 5 the most.
const SLOWDOWN: f64 = 1.5;

/// Each round weighs the errors by the model of the round before; beyond three nothing moves.
const ROUNDS: usize = 3;

/// The best model of a class. `None` when the class needs a term that the costs leave at nothing.
pub(super) fn best(class: Class, costs: &[Cost], floor: f64) -> Option<Fit> {
    all(class, costs, floor).into_iter().min_by(|a, b| a.score.total_cmp(&b.score))
}

/// Every model of a class that the costs allow.
pub(super) fn all(class: Class, costs: &[Cost], floor: f64) -> Vec<Fit> {
    if class == Class::Constant {
        return fitted(class, &[], None, costs, floor).into_iter().collect();
    }
    let mut all = Vec::new();
    for shape in class.shapes() {
        all.extend(fitted(class, &[*shape], None, costs, floor));
        all.extend(
            class.lower().iter().filter_map(|lower| fitted(class, &[*shape, *lower], None, costs, floor)),
        );
    }
    if class == Class::Exponential {
        all.extend(free_base(costs, floor));
    }
    all
}

/// The leading term of a class alone, with steps that cost more from one of these sizes on.
pub(super) fn slowed(class: Class, outgrown: &[f64], costs: &[Cost], floor: f64) -> Option<Fit> {
    let shape = *class.shapes().first()?;
    let from = |from: &f64| fitted(class, &[shape, shape.slowed(*from)?], None, costs, floor);
    outgrown.iter().filter_map(from).min_by(|a, b| a.score.total_cmp(&b.score))
}

/// An exponential of any base. The logarithm of the base is sought between a growth of 2 % and of 20 times a unit.
fn free_base(costs: &[Cost], floor: f64) -> Option<Fit> {
    let at = |log: f64| fitted(Class::Exponential, &[Shape::Base(log.exp())], Some(log.exp()), costs, floor);
    sought((0.02, 3.0), |log| at(log).map_or(f64::INFINITY, |fit| fit.score)).and_then(at)
}

/// Where a function of one variable is smallest: a coarse look, then ever finer ones about the best place.
pub(super) fn sought(range: (f64, f64), of: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut low, mut high) = range;
    let mut found = None;
    for _ in 0..6 {
        let step = (high - low) / 20.0;
        let places = (0..=20).map(|at| low + step * f64::from(at));
        let best = places.map(|place| (of(place), place)).min_by(|a, b| a.0.total_cmp(&b.0))?;
        if best.0 == f64::INFINITY {
            return None;
        }
        found = Some(best.1);
        (low, high) = ((best.1 - step).max(range.0), (best.1 + step).min(range.1));
    }
    found
}

/// Start-up and these terms, the first of them leading.
pub(super) fn fitted(
    class: Class,
    shapes: &[Shape],
    parameter: Option<f64>,
    costs: &[Cost],
    floor: f64,
) -> Option<Fit> {
    let (smallest, largest) = (costs.first()?.size, costs.last()?.size);
    let shapes: Vec<Shape> = shapes.iter().copied().chain([Shape::One]).collect();
    let error = |noise: f64| (floor * floor + noise * noise).sqrt();
    let scale = costs.last()?.cost;
    let at = |found: &[f64], size: f64| -> f64 {
        shapes.iter().zip(found).map(|(shape, by)| by * scale * shape.share(size, largest)).sum()
    };
    // Errors are in proportion to the true cost. That of the model is closer to it than the measured one, by which too low
    // a model could be off by no more than all.
    let mut truth: Vec<f64> = costs.iter().map(|cost| cost.cost).collect();
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let weights: Vec<f64> =
            costs.iter().zip(&truth).map(|(cost, truth)| 1.0 / (truth * error(cost.noise))).collect();
        let weighted = |of: &dyn Fn(&Cost) -> f64| -> Vec<f64> {
            costs.iter().zip(&weights).map(|(cost, weight)| of(cost) * weight).collect()
        };
        let columns: Vec<Vec<f64>> = shapes
            .iter()
            .map(|shape| weighted(&|cost: &Cost| scale * shape.share(cost.size, largest)))
            .collect();
        found = nonnegative(&columns, &weighted(&|cost: &Cost| cost.cost));
        for (truth, cost) in truth.iter_mut().zip(costs) {
            *truth = Some(at(&found, cost.size)).filter(|known| *known > 0.0).unwrap_or(*truth);
        }
    }
    let whole: f64 = found.iter().rev().skip(1).sum();
    let noise = costs.iter().map(|cost| cost.noise).sum::<f64>() / costs.len() as f64;
    let grows = (at(&found, largest) / at(&found, smallest)).ln();
    let unseen = grows < SHOWS * error(noise);
    if class != Class::Constant && (unseen || found.first().is_none_or(|leading| *leading <= LEADS * whole)) {
        return None;
    }
    let logs: Vec<f64> = costs.iter().map(|cost| (cost.cost / at(&found, cost.size)).ln()).collect();
    let rest: Vec<f64> = logs.iter().zip(costs).map(|(log, cost)| log / error(cost.noise)).collect();
    let n = costs.len() as f64;
    let square = dot(&rest, &rest);
    let free = shapes.len() + usize::from(parameter.is_some());
    let slowed = shapes.iter().filter(|shape| shape.is_slowed()).count();
    Some(Fit {
        class,
        parameter,
        residual: (dot(&logs, &logs) / n).sqrt(),
        score: n * (1.0 + square / n).ln() + penalty(free - slowed, costs.len()) + slowness(&shapes, &found),
        square,
        terms: shapes
            .iter()
            .zip(&found)
            .map(|(shape, by)| Term { shape: *shape, cost: by * scale })
            .collect(),
        largest,
    })
    .filter(|fit| fit.score.is_finite())
}

/// The price of steps that cost more beyond a cache. That the data outgrew one was measured, so it is no guess that few
/// points must be kept from: Akaike's 2, and what the slowdown has against it, as a normal logarithm.
fn slowness(shapes: &[Shape], found: &[f64]) -> f64 {
    let slowed = shapes.iter().zip(found).find(|(shape, _)| shape.is_slowed());
    let Some((leading, (_, more))) = found.first().zip(slowed) else { return 0.0 };
    2.0 + ((1.0 + more / leading).ln() / SLOWDOWN.ln()).powi(2)
}

/// Akaike's price of a parameter with Hurvich and Tsai's correction for few points, which is kept finite: with three points
/// and two parameters it would forbid every model.
fn penalty(free: usize, points: usize) -> f64 {
    let (free, points) = (free as f64, points as f64);
    2.0 * free + 2.0 * free * (free + 1.0) / (points - free - 1.0).max(1.0)
}

impl Fit {
    /// The cost at a size.
    pub fn cost(&self, size: f64) -> f64 {
        self.terms.iter().map(|term| term.cost * term.shape.share(size, self.largest)).sum()
    }

    /// The leading term's share of what grows, at the largest size.
    pub(super) fn leading(&self) -> f64 {
        let grows = || self.terms.iter().filter(|term| term.shape != Shape::One).map(|term| term.cost);
        grows().next().unwrap_or(0.0) / grows().sum::<f64>()
    }

    /// The cost of start-up.
    pub fn fixed(&self) -> f64 {
        self.terms.iter().filter(|term| term.shape == Shape::One).map(|term| term.cost).sum()
    }

    /// Whether it holds only with steps that cost more beyond a cache.
    pub fn is_slowed(&self) -> bool {
        self.terms.iter().any(|term| term.shape.is_slowed())
    }

    /// Its place on the scale of exponents. `None` for what is no power.
    pub(super) fn order(&self) -> Option<f64> {
        if self.class == Class::Power { self.parameter } else { self.class.order() }
    }

    /// What one more unit costs at a size.
    pub fn marginal(&self, size: f64) -> f64 {
        self.cost(size + 1.0) - self.cost(size)
    }

    /// Parameters that were free.
    pub(super) fn parameters(&self) -> usize {
        self.terms.len() + usize::from(self.parameter.is_some())
    }

    /// The same model on other points.
    pub(super) fn again(&self, costs: &[Cost], floor: f64) -> Option<Self> {
        if self.class == Class::Power {
            return super::exponent::fit(costs, floor);
        }
        if self.class == Class::Exponential && self.parameter.is_some() {
            return free_base(costs, floor);
        }
        let shapes: Vec<Shape> =
            self.terms.iter().map(|term| term.shape).filter(|shape| *shape != Shape::One).collect();
        fitted(self.class, &shapes, None, costs, floor)
    }
}
