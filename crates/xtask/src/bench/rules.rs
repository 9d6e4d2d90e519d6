//! Other tools' decision rules, written again and applied to given samples. They show the mechanism, not the tool: the
//! tools' own commands are measured beside them.

use std::f64::consts::FRAC_PI_2;

use stats::{Rng, Values};

/// The runs of two commands, in the order of measurement.
#[derive(Clone, Default)]
pub(crate) struct Sides {
    pub(crate) base: Vec<f64>,
    pub(crate) new: Vec<f64>,
}

/// What a rule says of the new side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Called {
    Slower,
    Faster,
    Nothing,
}

pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) call: fn(&Sides, u64) -> Option<Called>,
}

/// Each answers `None` on too few runs.
pub(crate) const RULES: [Rule; 4] = [
    Rule { name: "rule: Welch p<.05 (hyperfine's script)", call: |sides, _| welch(sides) },
    Rule { name: "rule: Mann-Whitney p<.05 (benchstat)", call: |sides, _| mann_whitney(sides) },
    Rule { name: "rule: CI beyond 1 % (poop)", call: |sides, _| poop(sides) },
    Rule { name: "rule: p<.05 and CI beyond 1 % (criterion)", call: criterion },
];

/// Below this the two are called equal by no one.
const LEVEL: f64 = 0.05;
/// poop's and criterion's threshold for noise.
const NOISE: f64 = 0.01;

/// `scripts/welch_ttest.py` of hyperfine.
fn welch(sides: &Sides) -> Option<Called> {
    let (base, new) = (Moments::of(&sides.base)?, Moments::of(&sides.new)?);
    let t = welch_t(&base, &new)?;
    Some(called(t.p < LEVEL, new.mean - base.mean))
}

/// benchstat's default test.
fn mann_whitney(sides: &Sides) -> Option<Called> {
    let (base, new) = (Values::new(sides.base.clone())?, Values::new(sides.new.clone())?);
    let shift = stats::hodges_lehmann_shift(&base, &new);
    Some(called(stats::mann_whitney(&base, &new) < LEVEL, shift))
}

/// The whole 95 % interval of the difference of means, with the pooled deviation, lies beyond 1 % of the base's mean:
/// `printPercent` and its caller in poop's `src/main.zig`.
fn poop(sides: &Sides) -> Option<Called> {
    let (base, new) = (Moments::of(&sides.base)?, Moments::of(&sides.new)?);
    let freedom = base.n + new.n - 2.0;
    let pooled = ((base.variance * (base.n - 1.0) + new.variance * (new.n - 1.0)) / freedom).sqrt();
    let half = critical_t(freedom) * pooled * (1.0 / base.n + 1.0 / new.n).sqrt() / base.mean;
    let change = (new.mean - base.mean) / base.mean;
    Some(called(change.abs() - half >= NOISE, change))
}

/// criterion's `compare`: a bootstrapped t-test and the bootstrap interval of the change of the mean, all of it beyond the
/// noise threshold. 1,000 resamples where criterion takes 100,000.
fn criterion(sides: &Sides, seed: u64) -> Option<Called> {
    const RESAMPLES: u32 = 1_000;
    let (base, new) = (Moments::of(&sides.base)?, Moments::of(&sides.new)?);
    let test = welch_t(&base, &new)?;
    // A change within the noise threshold, or nowhere near significant, needs no resampling to be called nothing.
    if (new.mean / base.mean - 1.0).abs() <= NOISE || test.p > 10.0 * LEVEL {
        return Some(Called::Nothing);
    }
    let seen = test.t.abs();
    let both = [sides.base.as_slice(), &sides.new].concat();
    let mut rng = Rng::new(seed);
    let mut as_far = 0;
    let mut changes = Vec::new();
    for _ in 0..RESAMPLES {
        // The test draws both sides from the joined runs, the interval each side from its own.
        let mixed =
            [resampled(&both, sides.base.len(), &mut rng), resampled(&both, sides.new.len(), &mut rng)];
        let [a, b] = mixed.each_ref().map(|side| Moments::of(side));
        as_far += u32::from(welch_t(&a?, &b?).is_some_and(|t| t.t.abs() >= seen));
        let own = [
            resampled(&sides.base, sides.base.len(), &mut rng),
            resampled(&sides.new, sides.new.len(), &mut rng),
        ];
        let [a, b] = own.each_ref().map(|side| Moments::of(side));
        changes.push(b?.mean / a?.mean - 1.0);
    }
    let p = f64::from(as_far) / f64::from(RESAMPLES);
    let changes = Values::new(changes)?;
    let (low, high) = (stats::quantile(&changes, 0.025), stats::quantile(&changes, 0.975));
    let beyond = low > NOISE || high < -NOISE;
    Some(called(p < LEVEL && beyond, low))
}

fn resampled(values: &[f64], n: usize, rng: &mut Rng) -> Vec<f64> {
    (0..n).filter_map(|_| values.get(rng.below(values.len()))).copied().collect()
}

fn called(different: bool, change: f64) -> Called {
    match different {
        false => Called::Nothing,
        true if change > 0.0 => Called::Slower,
        true => Called::Faster,
    }
}

struct Moments {
    n: f64,
    mean: f64,
    variance: f64,
}

impl Moments {
    /// `None` for fewer than two values.
    fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (values.len() >= 2).then(|| Self { n, mean, variance: squares / (n - 1.0) })
    }
}

struct Student {
    t: f64,
    p: f64,
}

/// `None` when both sides are constant.
fn welch_t(base: &Moments, new: &Moments) -> Option<Student> {
    let (a, b) = (base.variance / base.n, new.variance / new.n);
    if a + b <= 0.0 {
        return None;
    }
    let t = (new.mean - base.mean) / (a + b).sqrt();
    let freedom = (a + b).powi(2) / (a.powi(2) / (base.n - 1.0) + b.powi(2) / (new.n - 1.0));
    Some(Student { t, p: two_sided(t, freedom) })
}

/// P(|T| ≥ |t|). With x = √ν tan θ the density of Student's t becomes cos^(ν−1) θ.
fn two_sided(t: f64, freedom: f64) -> f64 {
    let end = (t.abs() / freedom.sqrt()).atan();
    let below = |end: f64| simpson(0.0, end, |angle| angle.cos().max(0.0).powf(freedom - 1.0));
    (below(FRAC_PI_2) - below(end)) / below(FRAC_PI_2)
}

/// The t beyond which 5 % lie, both sides together.
fn critical_t(freedom: f64) -> f64 {
    let halved = (0..50).fold((0.0, 100.0), |(low, high), _| {
        let middle = f64::midpoint(low, high);
        if two_sided(middle, freedom) > LEVEL { (middle, high) } else { (low, middle) }
    });
    halved.0
}

fn simpson(from: f64, to: f64, function: impl Fn(f64) -> f64) -> f64 {
    const STEPS: u32 = 400;
    let step = (to - from) / f64::from(STEPS);
    let weight = |index: u32| match index {
        0 | STEPS => 1.0,
        odd if odd % 2 == 1 => 4.0,
        _ => 2.0,
    };
    (0..=STEPS).map(|index| weight(index) * function(from + f64::from(index) * step)).sum::<f64>() * step
        / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tails_of_students_t_are_those_of_the_tables() {
        for (t, freedom, p) in
            [(2.228, 10.0, 0.05), (2.002, 58.0, 0.05), (3.169, 10.0, 0.01), (0.0, 5.0, 1.0)]
        {
            assert!((two_sided(t, freedom) - p).abs() < 2e-4, "{t} {freedom}: {}", two_sided(t, freedom));
        }
        assert!((critical_t(10.0) - 2.228).abs() < 1e-3);
    }

    fn sides(change: f64) -> Sides {
        let mut rng = Rng::new(3);
        let mut side = |centre: f64| (0..30).map(|_| centre * (1.0 + 0.01 * rng.normal())).collect();
        Sides { base: side(1.0), new: side(1.0 + change) }
    }

    #[test]
    fn every_rule_finds_a_large_change_and_its_side() {
        for rule in RULES {
            assert_eq!((rule.call)(&sides(0.1), 1), Some(Called::Slower), "{}", rule.name);
            assert_eq!((rule.call)(&sides(-0.1), 1), Some(Called::Faster), "{}", rule.name);
        }
    }

    #[test]
    fn a_threshold_for_noise_hides_one_percent() {
        assert_eq!(poop(&sides(0.01)), Some(Called::Nothing));
        assert_eq!(criterion(&sides(0.01), 1), Some(Called::Nothing));
        assert_eq!(welch(&sides(0.01)), Some(Called::Slower));
    }

    #[test]
    fn a_single_run_is_judged_by_none() {
        let one = Sides { base: vec![1.0], new: vec![2.0] };
        assert!(welch(&one).is_none() && poop(&one).is_none() && criterion(&one, 1).is_none());
    }
}
