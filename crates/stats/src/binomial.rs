//! The binomial distribution: how many of n independent values lie below a quantile.

use crate::ranks::{Cut, deepest};

/// P(X ≤ `hits`) for X hits in `n` tries of chance `p` (clamped to 0..1). Right to about 10 digits up to n of a million.
pub fn binomial_cdf(hits: u64, n: u64, p: f64) -> f64 {
    match p {
        _ if hits >= n => 1.0,
        p if p <= 0.0 => 1.0,
        p if p >= 1.0 => 0.0,
        p => incomplete_beta((n - hits) as f64, hits as f64 + 1.0, 1.0 - p),
    }
}

/// The exact interval for the chance behind `hits` of `n` (Clopper and Pearson 1934). It holds the chance with at least the
/// confidence; (0, 1) when `n` is 0.
pub fn clopper_pearson(hits: u64, n: u64, confidence: f64) -> (f64, f64) {
    let hits = hits.min(n);
    let error = (1.0 - confidence) / 2.0;
    let low = match hits.checked_sub(1) {
        None => 0.0,
        Some(fewer) => falling_root(|p| binomial_cdf(fewer, n, p), 1.0 - error),
    };
    let high = if hits == n { 1.0 } else { falling_root(|p| binomial_cdf(hits, n, p), error) };
    (low, high)
}

/// The largest `rank` such that the `rank`-th smallest of `n` values lies above the `p`-quantile with a chance of at most
/// `error`. `None` when even the smallest value does so more often.
pub(crate) fn quantile_rank(n: usize, p: f64, error: f64) -> Option<Cut> {
    let n = n as u64;
    deepest(n, error, |below| binomial_cdf(below, n, p))
}

/// Where a falling function of 0..1 takes the value `wanted`. Halving 60 times leaves less than f64 can show.
fn falling_root(function: impl Fn(f64) -> f64, wanted: f64) -> f64 {
    let (low, high) = (0..60).fold((0.0, 1.0), |(low, high), _| {
        let middle = f64::midpoint(low, high);
        if function(middle) > wanted { (middle, high) } else { (low, middle) }
    });
    f64::midpoint(low, high)
}

/// The regularised incomplete beta function I_x(a, b), by its continued fraction: DLMF 8.17.22.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    // The fraction converges fast below the mean only; the mirror image serves the other side.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    (front.exp() / a * beta_fraction(a, b, x)).clamp(0.0, 1.0)
}

/// The continued fraction of I_x(a, b), evaluated by Lentz's method.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const STEPS: u32 = 100_000;
    let (mut c, mut d, mut value) = (1.0_f64, 0.0_f64, 1.0_f64);
    for step in 0..STEPS {
        let term = beta_term(a, b, x, step);
        d = 1.0 / (1.0 + term * d);
        c = 1.0 + term / c;
        value *= c * d;
        if step > 0 && (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    1.0 / value
}

/// The numerators of DLMF 8.17.23; `step` 0 is d₁.
fn beta_term(a: f64, b: f64, x: f64, step: u32) -> f64 {
    let m = f64::from(step.div_ceil(2));
    let place = a + 2.0 * m;
    if step.is_multiple_of(2) {
        -(a + m) * (a + b + m) * x / (place * (place + 1.0))
    } else {
        m * (b - m) * x / ((place - 1.0) * place)
    }
}

/// ln Γ(x) for x ≥ 1, by the Lanczos approximation with g = 7 and 9 terms (Godfrey 2001), right to 15 digits.
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let places = std::iter::successors(Some(1.0), |place| Some(place + 1.0));
    let sum: f64 = TERMS.iter().zip(places).map(|(term, place)| term / (x + place)).sum();
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + (sum + 0.999_999_999_999_809_9).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From SciPy: `scipy.stats.binom.cdf(hits, n, p)`.
    #[test]
    fn the_distribution_agrees_with_scipy() {
        let cases = [
            (0, 8, 0.5, 0.003_906_25),
            (2, 15, 0.5, 0.003_692_626_953_125),
            (58, 59, 0.95, 0.951_505_474_750_576_9),
            (949, 1_000, 0.95, 0.462_470_959_198_575),
            (49_800, 100_000, 0.5, 0.103_519_485_882_111_25),
            (3, 1_000_000, 1e-5, 0.010_335_785_844_903_855),
        ];
        for (hits, n, p, expected) in cases {
            let found = binomial_cdf(hits, n, p);
            assert!((found / expected - 1.0).abs() < 1e-9, "{hits} of {n} at {p}: {found}");
        }
    }

    #[test]
    fn the_ends_are_certain() {
        assert_eq!(binomial_cdf(8, 8, 0.5), 1.0);
        assert_eq!(binomial_cdf(0, 8, 0.0), 1.0);
        assert_eq!(binomial_cdf(7, 8, 1.0), 0.0);
    }

    /// From SciPy: `scipy.stats.binomtest(hits, n).proportion_ci(0.95, "exact")`.
    #[test]
    fn the_exact_interval_agrees_with_scipy() {
        let cases = [
            (0, 600, 0.0, 0.006_129_271_330_670_19),
            (2, 600, 0.000_403_937_360_194_063_97, 0.011_988_833_958_652_429),
            (5, 20, 0.086_571_469_101_434_55, 0.491_045_871_707_957_55),
            (20, 20, 0.831_566_529_016_914_5, 1.0),
        ];
        for (hits, n, low, high) in cases {
            let found = clopper_pearson(hits, n, 0.95);
            assert!(
                (found.0 - low).abs() < 1e-9 && (found.1 - high).abs() < 1e-9,
                "{hits} of {n}: {found:?}"
            );
        }
        assert_eq!(clopper_pearson(0, 0, 0.95), (0.0, 1.0));
    }

    #[test]
    fn eight_values_bound_the_median_by_their_ends_with_an_error_of_one_in_256() {
        let cut = quantile_rank(8, 0.5, 0.004).unwrap();
        assert_eq!(cut.rank, 1);
        assert!((cut.error - 1.0 / 256.0).abs() < 1e-12);
        assert!(quantile_rank(7, 0.5, 0.004).is_none());
    }
}
