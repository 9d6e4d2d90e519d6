//! How cost grows with the size of the input: the class, the classes that cannot be told from it, the exponent.
//!
//! Cost spans decades, so every residual is relative. A model is start-up plus one shape of growth, at most with one term
//! of lower order, all coefficients at least zero. Models are not exact, so a relative error below the floor counts as none;
//! the rest is scored by an information criterion, and whatever is not clearly worse than the best stays in the set.

mod bend;
mod class;
mod exponent;
mod fit;
mod least_squares;
mod machine;

pub use bend::Bend;
pub use class::Class;
pub use fit::Fit;
pub use machine::Machine;

/// The cost at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// At least 1.
    pub size: f64,
    /// More than 0.
    pub cost: f64,
    /// Relative standard error of the cost; 0 where it repeats to the digit.
    pub noise: f64,
}

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// What is known of the growth.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The best model of each class and of a free power, the best first; then classes that only memory may have slowed to
    /// look like it.
    pub fits: Vec<Fit>,
    /// `None` for exponential growth, whose slope never settles.
    pub exponent: Option<Estimate>,
    pub bend: Option<Bend>,
    /// The points the fits rest on: those beyond the bend where there is one.
    costs: Vec<Cost>,
    floor: f64,
}

/// Sizes it takes to tell anything of growth: start-up, a coefficient, and one to check them by.
pub const LEAST_SIZES: usize = 3;

/// A class stays in the set while its score is at most this much worse than the best: e^-3 of its likelihood. Set
/// beforehand; `cargo xtask bench growth` shows how often the set then holds the truth.
const TELLS_APART: f64 = 6.0;

/// A free power takes over only where every named class is off by more than this (root mean square) and it is not.
const NAMED_FITS: f64 = 0.03;

/// A model that is off by a factor of two on average is none, however few its parameters, where another comes twice as close.
const ASTRAY: f64 = std::f64::consts::LN_2;

/// Points above a bend that a fit of their own takes.
const ENOUGH_ABOVE: usize = 4;

/// Fits every class to costs at distinct sizes. `floor` is the relative error a right model may have. `None` with fewer
/// than three distinct sizes, and for sizes or costs that are not positive numbers.
pub fn growth(costs: &[Cost], floor: f64) -> Option<Growth> {
    growth_on(&Machine::default(), costs, floor)
}

/// The same for times, in which a step costs what the machine makes of it.
pub fn growth_on(machine: &Machine, costs: &[Cost], floor: f64) -> Option<Growth> {
    let mut costs = costs.to_vec();
    costs.sort_by(|a, b| a.size.total_cmp(&b.size));
    costs.dedup_by(|a, b| a.size == b.size);
    let sound = |c: &Cost| {
        c.size >= 1.0 && c.size < 1e15 && c.cost > 0.0 && c.cost < 1e100 && (0.0..1e3).contains(&c.noise)
    };
    if costs.len() < LEAST_SIZES || !costs.iter().all(sound) {
        return None;
    }
    let bend = bend::bend(&costs, floor);
    if let Some(bend) = &bend {
        let above: Vec<Cost> = costs.iter().copied().filter(|cost| cost.size >= bend.size).collect();
        if above.len() >= ENOUGH_ABOVE {
            costs = above;
        }
    }
    let mut fits =
        Class::NAMED.iter().filter_map(|class| fit::best(*class, &costs, floor)).collect::<Vec<_>>();
    fits.extend(exponent::fit(&costs, floor));
    let closest = fits.iter().map(|fit| fit.residual).fold(f64::INFINITY, f64::min);
    fits.retain(|fit| fit.residual <= ASTRAY.max(2.0 * closest));
    if grows(&costs, floor) && fits.iter().any(|fit| fit.class != Class::Constant) {
        fits.retain(|fit| fit.class != Class::Constant);
    }
    fits.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    let named = fits
        .iter()
        .filter(|fit| fit.class != Class::Power)
        .map(|fit| fit.residual)
        .fold(f64::INFINITY, f64::min);
    if named < NAMED_FITS.max(2.0 * floor) {
        // A named class describes it: the free power is no better answer for its extra parameter.
        fits.sort_by_key(|fit| fit.class == Class::Power);
    }
    let mut exponent = exponent::exponent(&costs, fits.first()?, floor);
    if machine.is_timed() {
        exponent = exponent.map(|known| exponent::unexplained(&costs, known));
    }
    let mut growth = Growth { fits, exponent, bend, costs, floor };
    machine.allow_for(&mut growth);
    Some(growth)
}

/// So many standard errors between the smallest and the largest size are no accident.
const SURE: f64 = 4.0;

/// What clock rates and caches make of the same work stays below this.
const MORE: f64 = 1.5;

/// Whether the largest size costs more than the smallest beyond doubt. With three sizes the scores alone would not say so: one
/// parameter against two is worth more there than any misfit.
fn grows(costs: &[Cost], floor: f64) -> bool {
    let (Some(first), Some(last)) = (costs.first(), costs.last()) else { return false };
    let error = (first.noise.powi(2) + last.noise.powi(2) + 2.0 * floor.powi(2)).sqrt();
    let ratio = last.cost / first.cost;
    ratio > MORE && ratio.ln() > SURE * error
}

/// Score and a word for what is common: without it a rare shape wins ties against the shapes that loops make.
fn rank(fit: &Fit) -> f64 {
    fit.score + fit.class.rarity()
}

impl Growth {
    /// The best fit.
    pub fn best(&self) -> Option<&Fit> {
        self.fits.first()
    }

    /// The classes that cannot be told from the best, the best first.
    pub fn set(&self) -> Vec<&Fit> {
        let Some(best) = self.best() else { return Vec::new() };
        let close = |fit: &&Fit| std::ptr::eq(*fit, best) || rank(fit) - rank(best) <= TELLS_APART;
        let named = |fit: &&Fit| fit.class != Class::Power || best.class == Class::Power;
        self.fits.iter().filter(close).filter(named).collect()
    }

    /// How likely each class of the set is, given that one of them is right.
    pub fn weight(&self, fit: &Fit) -> f64 {
        let Some(best) = self.best() else { return 0.0 };
        let likelihood = |fit: &Fit| ((rank(best) - rank(fit)) / 2.0).min(0.0).exp();
        let whole: f64 = self.set().into_iter().map(likelihood).sum();
        likelihood(fit) / whole
    }

    /// The cost at a size, between the least and the most that the models of the set say (95 % each).
    pub fn predicted(&self, size: f64) -> Option<Estimate> {
        let best = self.best()?;
        let value = best.cost(size);
        let mut bounds = (value, value);
        let fits = |fit: &Fit| fit.residual <= best.residual.max(self.floor);
        let classes = self.set().into_iter().map(|fit| fit.class);
        // Models of one class differ by their lower terms, which matter beyond the measured sizes.
        let models = classes.flat_map(|class| fit::all(class, &self.costs, self.floor)).filter(fits);
        for fit in models.chain([best.clone()]).collect::<Vec<_>>().iter() {
            let interval = self.jackknife(fit, |fit| fit.cost(size))?;
            bounds = (bounds.0.min(interval.low), bounds.1.max(interval.high));
        }
        Some(Estimate { value, low: bounds.0, high: bounds.1 })
    }

    /// What costs the same at every size.
    pub fn fixed(&self) -> Option<Estimate> {
        self.jackknife(self.best()?, Fit::fixed)
    }

    /// What one more unit costs at the largest size.
    pub fn marginal(&self) -> Option<Estimate> {
        let largest = self.costs.last()?.size;
        self.jackknife(self.best()?, |fit| fit.marginal(largest))
    }

    /// A quantity of a fit with the spread it has when each size is left out in turn.
    fn jackknife(&self, fit: &Fit, quantity: impl Fn(&Fit) -> f64) -> Option<Estimate> {
        let value = quantity(fit);
        let without = |left_out: usize| {
            let rest: Vec<Cost> =
                self.costs.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, c)| *c).collect();
            fit.again(&rest, self.floor).map(|fit| quantity(&fit))
        };
        let values: Vec<f64> = (0..self.costs.len()).filter_map(without).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() * (n - 1.0) / n;
        // What the model itself may be off by is not in how it moves.
        let model = value * fit.residual.max(self.floor);
        let half = exponent::student(self.costs.len().saturating_sub(fit.parameters()))
            * (spread + model * model).sqrt();
        half.is_finite().then(|| Estimate { value, low: (value - half).max(0.0), high: value + half })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn made(sizes: &[f64], of: impl Fn(f64) -> f64) -> Vec<Cost> {
        sizes.iter().map(|size| Cost { size: *size, cost: of(*size), noise: 0.0 }).collect()
    }

    fn doubling(from: f64, count: u32) -> Vec<f64> {
        (0..count).map(|at| from * f64::from(1_u32 << at)).collect()
    }

    type Case<'a> = (&'a [f64], fn(f64) -> f64, Class);

    fn class_of(costs: &[Cost]) -> Class {
        growth(costs, 0.003).unwrap().best().unwrap().class
    }

    #[test]
    fn exact_costs_have_their_class() {
        let wide = doubling(1000.0, 7);
        let small: Vec<f64> = (4..=11).map(f64::from).collect();
        let factorial = |n: f64| (1..=n as u32).map(f64::from).product::<f64>();
        let cases: [Case<'_>; 11] = [
            (&wide, |_| 1e5, Class::Constant),
            (&wide, |n| 1e5 + 3e4 * n.ln(), Class::Logarithmic),
            (&wide, |n| 1e5 + 4e3 * n.sqrt(), Class::SquareRoot),
            (&wide, |n| 1e5 + 30.0 * n, Class::Linear),
            (&wide, |n| 1e5 + 9.0 * n + 7.0 * n * n.log2(), Class::Linearithmic),
            (&wide, |n| 1e5 + 9.0 * n + 3.0 * n.powf(1.5), Class::ThreeHalves),
            (&wide, |n| 1e5 + 50.0 * n + 0.5 * n * n, Class::Quadratic),
            (&wide, |n| 1e5 + 50.0 * n + 0.5 * n * n * n.log2(), Class::QuadraticLogarithmic),
            (&wide, |n| 1e5 + 50.0 * n + 0.5 * n.powi(3), Class::Cubic),
            (&small, |n| 1e3 + 50.0 * n + 40.0 * n.exp2(), Class::Exponential),
            (&wide, |n| 1e5 + 0.1 * n.powf(2.6), Class::Power),
        ];
        for (sizes, of, class) in cases {
            assert_eq!(class_of(&made(sizes, of)), class);
        }
        assert_eq!(class_of(&made(&small, |n| 1e3 + 20.0 * factorial(n))), Class::Factorial);
    }

    #[test]
    fn start_up_does_not_bend_the_exponent() {
        let costs = made(&doubling(100.0, 6), |n| 3e7 + 60.0 * n * n);
        let exponent = growth(&costs, 0.003).unwrap().exponent.unwrap();
        assert!(
            (exponent.value - 2.0).abs() < 0.01 && exponent.low <= 2.0 && exponent.high >= 2.0,
            "{exponent:?}"
        );
    }

    #[test]
    fn noise_leaves_neighbours_in_the_set() {
        let mut rng = Rng::new(5);
        let mut held = 0;
        for _ in 0..100 {
            let noisy = |n: f64| (1e5 + 7.0 * n * n.log2()) * (1.0 + 0.02 * rng.normal());
            let sizes = doubling(1000.0, 7);
            let costs: Vec<Cost> = sizes
                .iter()
                .copied()
                .zip(sizes.iter().copied().map(noisy))
                .map(|(size, cost)| Cost { size, cost, noise: 0.02 })
                .collect();
            let growth = growth(&costs, 0.01).unwrap();
            held += u32::from(growth.set().iter().any(|fit| fit.class == Class::Linearithmic));
        }
        assert!(held >= 93, "{held}");
    }

    #[test]
    fn growth_by_far_more_than_the_noise_is_growth() {
        // Three passes of a Go benchmark on a machine that was busy meanwhile.
        let costs = [(64.0, 2.69, 0.04), (128.0, 12.3, 0.28), (256.0, 44.1, 0.12), (512.0, 222.0, 0.28)];
        let costs: Vec<Cost> = costs
            .iter()
            .map(|(size, cost, noise)| Cost { size: *size, cost: *cost, noise: *noise })
            .collect();
        let growth = growth(&costs, 0.03).unwrap();
        assert_ne!(growth.best().unwrap().class, Class::Constant);
        let exponent = growth.exponent.unwrap();
        assert!((1.5..2.5).contains(&exponent.value) && exponent.low > 0.1, "{exponent:?}");
    }

    #[test]
    fn three_sizes_are_enough_to_see_a_cost_that_quintuples() {
        // A loop of a million steps, on a machine whose clock rate changed by half.
        let costs = [(1000.0, 13.2, 0.2), (2000.0, 27.4, 0.21), (4000.0, 64.4, 0.2)];
        let costs: Vec<Cost> = costs
            .iter()
            .map(|(size, cost, noise)| Cost { size: *size, cost: *cost, noise: *noise })
            .collect();
        let growth = growth(&costs, 0.015).unwrap();
        assert!(growth.set().iter().all(|fit| fit.class != Class::Constant));
        assert!(growth.set().iter().any(|fit| fit.class == Class::Linear));
        assert!(growth.exponent.unwrap().value > 0.5, "{:?}", growth.exponent);
    }

    #[test]
    fn few_parameters_do_not_make_up_for_being_astray() {
        let costs = [(64.0, 3.0, 0.17), (128.0, 11.7, 0.16), (256.0, 65.3, 0.037), (512.0, 154.8, 0.004)];
        let costs: Vec<Cost> = costs
            .iter()
            .map(|(size, cost, noise)| Cost { size: *size, cost: *cost, noise: *noise })
            .collect();
        let growth = growth(&costs, 0.03).unwrap();
        assert!(growth.set().iter().all(|fit| fit.class != Class::Constant));
        assert!((1.5..2.5).contains(&growth.exponent.unwrap().value), "{:?}", growth.exponent);
    }

    #[test]
    fn a_bend_is_found_and_the_growth_above_it_is_the_answer() {
        let costs =
            made(&doubling(1000.0, 10), |n| if n < 20_000.0 { 50.0 * n } else { 50.0 * n * (n / 20_000.0) });
        let growth = growth(&costs, 0.003).unwrap();
        let bend = growth.bend.unwrap();
        assert_eq!((bend.after, bend.size), (16_000.0, 32_000.0));
        assert!((bend.below - 1.0).abs() < 0.1 && (bend.above - 2.0).abs() < 0.1, "{bend:?}");
        assert_eq!(growth.best().unwrap().class, Class::Quadratic);
    }

    #[test]
    fn a_prediction_holds_the_truth() {
        let of = |n: f64| 1e6 + 9.0 * n + 7.0 * n * n.log2();
        let growth = growth(&made(&doubling(1000.0, 6), of), 0.003).unwrap();
        let predicted = growth.predicted(1e6).unwrap();
        assert!(predicted.low <= of(1e6) && of(1e6) <= predicted.high, "{predicted:?} {}", of(1e6));
        assert!(growth.predicted(1e6).unwrap().high < 3.0 * of(1e6));
    }

    #[test]
    fn what_is_no_growth_is_refused() {
        let one = |size, cost| Cost { size, cost, noise: 0.0 };
        for costs in [
            vec![],
            vec![one(1.0, 1.0), one(2.0, 2.0)],
            vec![one(1.0, 1.0), one(1.0, 1.0), one(2.0, 2.0)],
            vec![one(1.0, 1.0), one(2.0, 0.0), one(4.0, 4.0)],
            vec![one(0.0, 1.0), one(2.0, 2.0), one(4.0, 4.0)],
            vec![one(1.0, f64::NAN), one(2.0, 2.0), one(4.0, 4.0)],
        ] {
            assert!(growth(&costs, 0.003).is_none());
        }
    }
}
