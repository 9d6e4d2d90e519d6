//! The classes of growth, and the shapes that belong to each.

/// A class of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    Constant,
    Logarithmic,
    SquareRoot,
    Linear,
    Linearithmic,
    ThreeHalves,
    Quadratic,
    QuadraticLogarithmic,
    Cubic,
    Exponential,
    Factorial,
    /// A power that is none of the named ones.
    Power,
}

impl Class {
    /// From the slowest growing to the fastest.
    pub const NAMED: [Self; 11] = [
        Self::Constant,
        Self::Logarithmic,
        Self::SquareRoot,
        Self::Linear,
        Self::Linearithmic,
        Self::ThreeHalves,
        Self::Quadratic,
        Self::QuadraticLogarithmic,
        Self::Cubic,
        Self::Exponential,
        Self::Factorial,
    ];

    /// What its score is raised by: classes that few programs have need somewhat better evidence. An odds of e against
    /// the uncommon, e² against what is rarer still.
    pub(super) const fn rarity(self) -> f64 {
        match self {
            Self::Constant | Self::Linear | Self::Linearithmic | Self::Quadratic => 0.0,
            Self::Logarithmic | Self::Cubic | Self::Exponential => 2.0,
            Self::SquareRoot
            | Self::ThreeHalves
            | Self::QuadraticLogarithmic
            | Self::Factorial
            | Self::Power => 4.0,
        }
    }

    /// Its leading terms.
    pub(super) const fn shapes(self) -> &'static [Shape] {
        match self {
            Self::Constant | Self::Power => &[],
            Self::Logarithmic => &[Shape::Log],
            Self::SquareRoot => &[Shape::Power(0.5)],
            Self::Linear => &[Shape::Power(1.0)],
            Self::Linearithmic => &[Shape::PowerLog(1.0)],
            Self::ThreeHalves => &[Shape::Power(1.5)],
            Self::Quadratic => &[Shape::Power(2.0)],
            Self::QuadraticLogarithmic => &[Shape::PowerLog(2.0)],
            Self::Cubic => &[Shape::Power(3.0)],
            Self::Exponential => &[Shape::Base(2.0), Shape::SizeTimesBase(2.0)],
            Self::Factorial => &[Shape::Factorial, Shape::SizeTimesFactorial],
        }
    }

    /// Its place on the scale of exponents; a logarithm counts as a hundredth. `None` for what is no power or has none yet.
    pub(super) const fn order(self) -> Option<f64> {
        match self {
            Self::Constant => Some(0.0),
            Self::Logarithmic => Some(0.01),
            Self::SquareRoot => Some(0.5),
            Self::Linear => Some(1.0),
            Self::Linearithmic => Some(1.01),
            Self::ThreeHalves => Some(1.5),
            Self::Quadratic => Some(2.0),
            Self::QuadraticLogarithmic => Some(2.01),
            Self::Cubic => Some(3.0),
            Self::Exponential | Self::Factorial | Self::Power => None,
        }
    }

    /// Terms of lower order that programs of this class often have: the loop that makes the input, the simple pass.
    pub(super) const fn lower(self) -> &'static [Shape] {
        match self {
            Self::Linearithmic | Self::ThreeHalves | Self::Exponential | Self::Factorial => {
                &[Shape::Power(1.0)]
            }
            Self::Quadratic => &[Shape::Power(1.0), Shape::PowerLog(1.0)],
            Self::QuadraticLogarithmic | Self::Cubic => &[Shape::Power(1.0), Shape::Power(2.0)],
            _ => &[],
        }
    }
}

/// A term's dependence on the size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    One,
    Log,
    Power(f64),
    /// nᵏ log n.
    PowerLog(f64),
    /// cⁿ.
    Base(f64),
    /// n cⁿ.
    SizeTimesBase(f64),
    Factorial,
    /// n n!.
    SizeTimesFactorial,
    /// nᵏ log(n / c), nothing up to c: what the steps cost more from there on. Each doubling of the data beyond a cache
    /// costs about the same again, in misses of that cache, of the next and of the page tables.
    Slowed(f64, f64),
    /// nᵏ log n log(n / c).
    SlowedLog(f64, f64),
}

impl Shape {
    /// The term's logarithm; infinitely small at size 1 for what begins at nothing there.
    pub(super) fn ln(self, size: f64) -> f64 {
        let log = size.ln();
        match self {
            Self::One => 0.0,
            Self::Log => log.ln(),
            Self::Power(power) => power * log,
            Self::PowerLog(power) => power * log + log.ln(),
            Self::Base(base) => size * base.ln(),
            Self::SizeTimesBase(base) => size * base.ln() + log,
            Self::Factorial => ln_factorial(size),
            Self::SizeTimesFactorial => ln_factorial(size) + log,
            Self::Slowed(power, from) => power * log + (size / from).ln().max(0.0).ln(),
            Self::SlowedLog(power, from) => power * log + log.ln() + (size / from).ln().max(0.0).ln(),
        }
    }

    /// What its steps cost more from a size on. `None` for what has no steps that memory slows.
    pub(super) const fn slowed(self, from: f64) -> Option<Self> {
        match self {
            Self::Log => Some(Self::SlowedLog(0.0, from)),
            Self::Power(power) => Some(Self::Slowed(power, from)),
            Self::PowerLog(power) => Some(Self::SlowedLog(power, from)),
            _ => None,
        }
    }

    pub(super) const fn is_slowed(self) -> bool {
        matches!(self, Self::Slowed(..) | Self::SlowedLog(..))
    }

    /// The term at `size` as a share of the term at `largest`, which keeps 2ⁿ within range.
    pub(super) fn share(self, size: f64, largest: f64) -> f64 {
        (self.ln(size) - self.ln(largest)).exp()
    }
}

/// ln n! by Stirling's series, good to 1e-7 from 1 on.
fn ln_factorial(n: f64) -> f64 {
    let x = n + 1.0;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stirling_is_close_to_the_product() {
        for (n, product) in [(1.0, 1.0_f64), (5.0, 120.0), (10.0, 3_628_800.0)] {
            assert!((ln_factorial(n) - product.ln()).abs() < 1e-5, "{n}");
        }
    }

    #[test]
    fn shapes_of_large_sizes_stay_finite() {
        assert_eq!(Shape::Base(2.0).share(1.0, 1e9), 0.0);
        assert_eq!(Shape::PowerLog(1.0).share(1.0, 1e9), 0.0);
        assert_eq!(Shape::Factorial.share(20.0, 20.0), 1.0);
    }
}
