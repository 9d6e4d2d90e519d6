//! Run times as they are drawn: around 1, with a spread of some 1 %.

use stats::{Rng, Values};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Normal,
    Lognormal,
    /// One in twenty is 10 to 30 % slower.
    Contaminated,
    /// Two in five are 10 % slower: the median lies in the lower group.
    Bimodal,
    /// AR(1): each deviation keeps 0.6 of the one before.
    Correlated,
}

pub(super) const SPREAD: f64 = 0.01;

impl Shape {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Lognormal => "lognormal",
            Self::Contaminated => "5 % slow runs",
            Self::Bimodal => "bimodal",
            Self::Correlated => "AR(1) 0.6",
        }
    }

    /// `n` runs in the order of measurement.
    pub(super) fn runs(self, n: usize, rng: &mut Rng) -> Vec<f64> {
        let mut last = rng.normal();
        (0..n).map(|_| self.run(&mut last, rng)).collect()
    }

    fn run(self, last: &mut f64, rng: &mut Rng) -> f64 {
        let quiet = 1.0 + SPREAD * rng.normal();
        match self {
            Self::Normal => quiet,
            // Skewed far more than its spread of 50 % alone would be at 1 %.
            Self::Lognormal => (0.5 * rng.normal()).exp(),
            Self::Contaminated if rng.uniform() < 0.05 => quiet * (1.1 + 0.2 * rng.uniform()),
            Self::Contaminated => quiet,
            Self::Bimodal if rng.uniform() < 0.4 => quiet * 1.1,
            Self::Bimodal => quiet,
            Self::Correlated => {
                *last = 0.6 * *last + 0.8 * rng.normal();
                1.0 + SPREAD * *last
            }
        }
    }

    /// Log ratios of `blocks` ABBA blocks whose B takes `effect` longer: as a comparison measures them.
    pub(super) fn blocks(self, blocks: usize, effect: f64, rng: &mut Rng) -> Vec<f64> {
        let runs = self.runs(4 * blocks, rng);
        let ratio = |block: &[f64]| match block {
            [first, second, third, fourth] => {
                (1.0 + effect).ln() + ((second + third) / (first + fourth)).ln()
            }
            _ => f64::NAN,
        };
        runs.chunks(4).map(ratio).collect()
    }

    /// A quantile of the shape itself, from many draws.
    pub(super) fn quantile(self, p: f64) -> f64 {
        self.of_many(|values| stats::quantile(values, p))
    }

    pub(super) fn mean(self) -> f64 {
        self.of_many(stats::mean)
    }

    fn of_many(self, of: impl Fn(&Values) -> f64) -> f64 {
        // A thousandth of the spread: far below what any interval here can resolve.
        Values::new(self.runs(1_000_000, &mut Rng::new(99))).map_or(f64::NAN, |values| of(&values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effect_is_the_median_of_the_blocks() {
        for shape in super::super::SHAPES {
            let blocks = Values::new(shape.blocks(4_000, 0.05, &mut Rng::new(1))).unwrap();
            let spread = if shape == Shape::Lognormal { 0.03 } else { 0.003 };
            assert!((stats::median(&blocks) - 1.05_f64.ln()).abs() < spread, "{shape:?}");
        }
    }

    #[test]
    fn runs_keep_their_spread() {
        let normal = Values::new(Shape::Normal.runs(20_000, &mut Rng::new(1))).unwrap();
        let correlated = Values::new(Shape::Correlated.runs(20_000, &mut Rng::new(1))).unwrap();
        for values in [normal, correlated] {
            let deviation = stats::standard_deviation(&values).unwrap();
            assert!((deviation / SPREAD - 1.0).abs() < 0.05, "{deviation}");
        }
    }
}
