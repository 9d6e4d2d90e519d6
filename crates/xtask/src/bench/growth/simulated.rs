//! Power laws with start-up and noise, drawn: how often do the interval, the set and the prediction hold the truth?

use stats::{Class, Cost, Rng};

use super::super::table::{Figure, Table, Target};

/// Relative noise of each cost, and the floor that goes with it.
const NOISES: [(&str, f64, f64); 4] =
    [("0.1 %", 0.001, 0.004), ("1 %", 0.01, 0.015), ("3 %", 0.03, 0.015), ("8 %", 0.08, 0.015)];

const POWERS: [(f64, Class); 5] = [
    (0.5, Class::SquareRoot),
    (1.0, Class::Linear),
    (1.5, Class::ThreeHalves),
    (2.0, Class::Quadratic),
    (3.0, Class::Cubic),
];

pub(super) fn rows(table: &mut Table, trials: u32, seed: u64) {
    for (name, noise, floor) in NOISES {
        let mut rng = Rng::new(seed);
        let (mut covered, mut held, mut predicted, mut n) = (0, 0, 0, 0);
        for _ in 0..trials {
            let drawn = Drawn::new(&mut rng, noise);
            let Some(growth) = stats::growth(&drawn.costs, floor) else { continue };
            n += 1;
            let holds = |known: stats::Estimate, truth: f64| (known.low..=known.high).contains(&truth);
            covered += u64::from(growth.exponent.is_some_and(|known| holds(known, drawn.power)));
            held += u64::from(growth.set().iter().any(|fit| fit.class == drawn.class));
            let ahead = drawn.costs.last().map_or(1.0, |cost| cost.size * 4.0);
            predicted +=
                u64::from(growth.predicted(ahead).is_some_and(|known| holds(known, drawn.truth(ahead))));
        }
        let mut row = |goal, what: &str, hits, target| {
            let what = format!("{what}, simulated, noise {name}");
            table.rate(&Figure { goal, what: &what, who: "stats::growth" }, hits, n, target);
        };
        row("R7", "exponent's interval covers", covered, Target::Between(0.9, 0.98));
        row("R6", "truth in the set", held, Target::AtLeast(0.95));
        row("R6", "prediction at four times the size holds", predicted, Target::AtLeast(0.9));
    }
}

/// One program that never was.
struct Drawn {
    power: f64,
    class: Class,
    start: f64,
    costs: Vec<Cost>,
}

impl Drawn {
    fn new(rng: &mut Rng, noise: f64) -> Self {
        let (power, class) = POWERS.get(rng.below(POWERS.len())).copied().unwrap_or((1.0, Class::Linear));
        let count = 5 + rng.below(5);
        let factor = if power > 2.0 { 1.5 } else { 2.0 };
        // Start-up from nothing to ten times what the smallest size costs.
        let start = [0.0, 1.0, 10.0].get(rng.below(3)).copied().unwrap_or(0.0);
        let mut drawn = Self { power, class, start, costs: Vec::new() };
        for at in 0..count {
            let size = (100.0 * f64::powi(factor, i32::try_from(at).unwrap_or(0))).round();
            let cost = drawn.truth(size) * (1.0 + noise * rng.normal());
            drawn.costs.push(Cost { size, cost, noise: if noise > 0.002 { noise } else { 0.0 } });
        }
        drawn
    }

    fn truth(&self, size: f64) -> f64 {
        1e6 * (self.start + (size / 100.0).powf(self.power))
    }
}
