//! How often intervals hold the truth.

use stats::{Interval, Percentile, Rng, Values};

use super::super::need::drawn;
use super::super::table::Target;
use super::shape::Shape;
use super::{Desk, Pool, SHAPES};

/// The goal for what is printed.
const PRINTED: Target = Target::Between(0.94, 0.97);
/// Exact intervals promise at least this.
const AT_LEAST: Target = Target::AtLeast(0.95);

fn covers(interval: Option<Interval>, truth: f64) -> Option<bool> {
    interval.map(|interval| interval.holds(truth))
}

/// Intervals over the runs of one command.
pub(super) fn of_runs(desk: &mut Desk) {
    let trials = desk.trials;
    for shape in SHAPES {
        let (middle, mean) = (shape.quantile(0.5), shape.mean());
        for n in [10, 30, 100] {
            let what = format!("median of {n} runs, {}", shape.name());
            desk.rate(&what, "median_interval", PRINTED, trials, |seed| {
                covers(stats::median_interval(&values(shape, n, seed)?, 0.95), middle)
            });
            desk.rate(&what, "run_interval, as printed", PRINTED, trials, |seed| {
                covers(stats::run_interval(&values(shape, n, seed)?, 0.95), middle)
            });
        }
        for n in [15, 30] {
            let what = format!("mean of {n} runs, {}", shape.name());
            desk.rate(&what, "bootstrap_interval", PRINTED, trials.div_ceil(4), |seed| {
                let mean_of = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
                covers(stats::bootstrap_interval(&values(shape, n, seed)?, mean_of, 0.95, 500, seed), mean)
            });
        }
    }
}

fn values(shape: Shape, n: usize, seed: u64) -> Option<Values> {
    Values::new(shape.runs(n, &mut Rng::new(seed)))
}

/// Intervals over the blocks of a comparison, also on real ones.
pub(super) fn of_blocks(desk: &mut Desk, pools: &[Pool]) {
    let trials = desk.trials;
    const EFFECT: f64 = 0.02;
    for shape in SHAPES {
        let truth = EFFECT.ln_1p();
        let blocks = |n: usize, seed: u64| Values::new(shape.blocks(n, EFFECT, &mut Rng::new(seed)));
        for n in [8, 15, 32] {
            let what = format!("ratio over {n} blocks, {}", shape.name());
            desk.rate(&what, "sign_interval", PRINTED, trials, |seed| {
                covers(stats::sign_interval(&blocks(n, seed)?, 0.95), truth)
            });
        }
        let what = format!("ratio over 15 blocks, {}", shape.name());
        desk.rate(&what, "signed_rank_interval", PRINTED, trials, |seed| {
            covers(stats::signed_rank_interval(&blocks(15, seed)?, 0.95), truth)
        });
        desk.rate(&what, "sign_bounds, error 1 %", Target::AtLeast(0.98), trials, |seed| {
            covers(stats::sign_bounds(&blocks(15, seed)?, 0.01), truth)
        });
    }
    for pool in pools {
        real(desk, pool);
    }
}

/// Blocks drawn a few neighbours at a time from stored comparisons; the truth is the median of all of them.
fn real(desk: &mut Desk, pool: &Pool) {
    let all: Vec<f64> = pool.trials.iter().flatten().copied().collect();
    let Some(truth) = Values::new(all).map(|all| stats::median(&all)) else { return };
    let trials: Vec<&Vec<f64>> = pool.trials.iter().collect();
    let count = desk.trials;
    for n in [15, 32] {
        let what = format!("ratio over {n} blocks, {}", pool.name);
        desk.rate(&what, "sign_interval", PRINTED, count, |seed| {
            covers(stats::sign_interval(&Values::new(drawn(&trials, n, &mut Rng::new(seed)))?, 0.95), truth)
        });
        desk.rate(&what, "signed_rank_interval", PRINTED, count, |seed| {
            covers(
                stats::signed_rank_interval(&Values::new(drawn(&trials, n, &mut Rng::new(seed)))?, 0.95),
                truth,
            )
        });
    }
}

/// The interval for the shift between two stored samples.
pub(super) fn of_samples(desk: &mut Desk) {
    let trials = desk.trials;
    for shape in SHAPES {
        for n in [15, 30] {
            let what = format!("shift of {n} and {n} runs, {}", shape.name());
            desk.rate(&what, "rank_interval", PRINTED, trials.div_ceil(2), |seed| {
                let mut rng = Rng::new(seed);
                let (a, b) = (Values::new(shape.runs(n, &mut rng))?, Values::new(shape.runs(n, &mut rng))?);
                covers(stats::rank_interval(&a, &b, 0.95), 0.0)
            });
        }
    }
}

/// Percentiles: exact intervals where they are solid, upper bounds where they are not.
pub(super) fn percentiles(desk: &mut Desk) {
    let trials = desk.trials;
    for shape in [Shape::Normal, Shape::Lognormal, Shape::Contaminated] {
        for (p, n) in [(0.5, 30), (0.9, 100), (0.95, 300)] {
            let truth = shape.quantile(p);
            let what = format!("p{:.0} of {n} runs, {}", p * 100.0, shape.name());
            desk.rate(&what, "quantile_interval", AT_LEAST, trials, |seed| {
                covers(stats::quantile_interval(&values(shape, n, seed)?, p, 0.95), truth)
            });
        }
        let truth = shape.quantile(0.99);
        let what = format!("p99 at most, 299 runs, {}", shape.name());
        desk.rate(
            &what,
            "percentile, bounded",
            AT_LEAST,
            trials.div_ceil(2),
            |seed| match stats::percentile(&values(shape, 299, seed)?, 0.99) {
                Percentile::Bounded { upper, .. } => Some(truth <= upper),
                Percentile::Solid { .. } | Percentile::MaxOf { .. } => None,
            },
        );
    }
}
