//! A bend: below a size the cost grows one way, above it another, as where a cache is full or another algorithm sets in.

use super::class::Class;
use super::{Cost, exponent, fit};

/// Where the growth changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// The first measured size above it.
    pub size: f64,
    /// The last measured size below it.
    pub after: f64,
    /// The exponents on both sides, start-up aside.
    pub below: f64,
    pub above: f64,
}

/// Points each side needs: two make any line.
const EACH_SIDE: usize = 3;

/// No single model may come closer than this, or the bend is one of a model.
const UNFIT: f64 = 0.05;

/// How many times closer two lines must come than the best single model.
const CLOSER: f64 = 4.0;

/// A smaller change of the exponent is no bend.
const LEAST_TURN: f64 = 0.3;

/// Shares of the smallest cost that are tried as start-up.
const STARTS: [f64; 6] = [0.0, 0.5, 0.8, 0.9, 0.97, 0.99];

/// The bend, if two straight lines on logarithmic paper explain what no single model does.
pub(super) fn bend(costs: &[Cost], floor: f64) -> Option<Bend> {
    if costs.len() < 2 * EACH_SIDE {
        return None;
    }
    let named = Class::NAMED.iter().filter_map(|class| fit::best(*class, costs, floor));
    let single =
        named.chain(exponent::fit(costs, floor)).map(|fit| fit.residual).fold(f64::INFINITY, f64::min);
    let noise = costs.iter().map(|cost| cost.noise).fold(0.0, f64::max);
    if single < UNFIT.max(4.0 * floor).max(3.0 * noise) {
        return None;
    }
    let least = costs.iter().map(|cost| cost.cost).fold(f64::INFINITY, f64::min);
    let splits = EACH_SIDE..=costs.len() - EACH_SIDE;
    let tried = splits.flat_map(|split| STARTS.map(|share| (split, share * least)));
    let bent = tried.filter_map(|(split, start)| bent(costs, split, start));
    let (residual, bend) = bent.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (residual * CLOSER < single && (bend.above - bend.below).abs() >= LEAST_TURN).then_some(bend)
}

/// Two lines, the second from the `split`-th point on, with the root mean square of what they are off by.
fn bent(costs: &[Cost], split: usize, start: f64) -> Option<(f64, Bend)> {
    let logs: Vec<(f64, f64)> = costs.iter().map(|cost| (cost.size.ln(), (cost.cost - start).ln())).collect();
    let (left, right) = logs.split_at_checked(split)?;
    let (left, right) = (line(left)?, line(right)?);
    let share = |cost: &Cost| (cost.cost - start) / cost.cost;
    // Off by so much of the cost net of start-up is off by less of the whole.
    let off = |line: &Line, at: usize| {
        let ((x, y), cost) = (logs.get(at)?, costs.get(at)?);
        Some(((y - line.at(*x)) * share(cost)).powi(2))
    };
    let squares: Option<Vec<f64>> =
        (0..costs.len()).map(|at| off(if at < split { &left } else { &right }, at)).collect();
    let residual = (squares?.iter().sum::<f64>() / costs.len() as f64).sqrt();
    let bend = Bend {
        size: costs.get(split)?.size,
        after: costs.get(split.checked_sub(1)?)?.size,
        below: left.slope,
        above: right.slope,
    };
    residual.is_finite().then_some((residual, bend))
}

struct Line {
    slope: f64,
    middle: (f64, f64),
}

impl Line {
    fn at(&self, x: f64) -> f64 {
        self.middle.1 + self.slope * (x - self.middle.0)
    }
}

fn line(points: &[(f64, f64)]) -> Option<Line> {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let middle = (mean(|point| point.0), mean(|point| point.1));
    let across: f64 = points.iter().map(|point| (point.0 - middle.0).powi(2)).sum();
    let along: f64 = points.iter().map(|point| (point.0 - middle.0) * (point.1 - middle.1)).sum();
    let slope = along / across;
    slope.is_finite().then_some(Line { slope, middle })
}
