//! The normal distribution.

use std::f64::consts::PI;

/// P(Z > `z`), right to about 12 digits in the far tail as well.
pub(crate) fn upper_tail(z: f64) -> f64 {
    match z {
        z if z < -3.0 => 1.0 - upper_tail(-z),
        z if z < 3.0 => 0.5 - density(z) * series(z),
        z => density(z) / fraction(z),
    }
}

/// P(Z ≤ `z`).
pub(crate) fn cdf(z: f64) -> f64 {
    upper_tail(-z)
}

/// The `z` with P(Z ≤ z) = `p`; infinite at 0 and 1.
pub(crate) fn inverse_cdf(p: f64) -> f64 {
    match p {
        p if p <= 0.0 => f64::NEG_INFINITY,
        p if p >= 1.0 => f64::INFINITY,
        p if p > 0.5 => inverse_upper_tail(1.0 - p),
        p => -inverse_upper_tail(p),
    }
}

/// Abramowitz and Stegun 26.2.23 (error below 4.5e-4), then Newton steps, which double the right digits each.
fn inverse_upper_tail(p: f64) -> f64 {
    let t = (-2.0 * p.ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    (0..3).fold(t - above / below, |z, _| z + (upper_tail(z) - p) / density(z))
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// z + z³/3 + z⁵/15 + …: (Φ(z) − ½) / φ(z), Marsaglia (2004), "Evaluating the normal distribution".
fn series(z: f64) -> f64 {
    let mut term = z;
    let mut sum = z;
    let mut odd = 1.0;
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    sum
}

/// z + 1/(z + 2/(z + 3/…)): φ(z) / P(Z > z), Abramowitz and Stegun 26.2.14. 100 steps are more than enough from z = 3 on.
fn fraction(z: f64) -> f64 {
    (1..=100).rev().fold(z, |rest, step| z + f64::from(step) / rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From SciPy: `scipy.stats.norm.sf(z)`.
    #[test]
    fn tails_agree_with_scipy() {
        let cases = [
            (-8.0, 0.999_999_999_999_999_3),
            (-1.0, 0.841_344_746_068_542_9),
            (0.0, 0.5),
            (1.959_963_984_540_054, 0.025),
            (2.999_999, 0.001_349_902_463_485_155_2),
            (3.0, 0.001_349_898_031_630_093_3),
            (6.0, 9.865_876_450_376_946e-10),
            (20.0, 2.753_624_118_606_155_6e-89),
        ];
        for (z, expected) in cases {
            assert!((upper_tail(z) / expected - 1.0).abs() < 1e-11, "z {z}: {}", upper_tail(z));
        }
    }

    #[test]
    fn the_inverse_gives_back_the_probability() {
        for p in [1e-300, 1e-12, 0.001, 0.02, 0.3, 0.5, 0.500_001, 0.9, 0.975, 0.999_999] {
            assert!((cdf(inverse_cdf(p)) / p - 1.0).abs() < 1e-10, "p {p}");
        }
        assert_eq!((inverse_cdf(0.0), inverse_cdf(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
