//! Whole comparisons, walked look by look with confirmation, as `slowpath compare` walks them.

use stats::{Judged, Rng, Rule, Step, Values};

use super::super::need::{drawn, true_pairs};
use super::super::table::Target;
use super::shape::{SPREAD, Shape};
use super::{Desk, Pool, SHAPES};

/// Pairs 30 and 128: the default of a comparison and a long one.
const SIZES: [usize; 2] = [15, 64];

/// Walks one comparison; `d` gives as many blocks as are asked for, the earlier ones unchanged.
fn walk(max_blocks: usize, seed: u64, d: &[f64]) -> Judged {
    match stats::next_step(d, max_blocks, &Rule::default(), seed) {
        Step::Stop { judged, .. } => judged,
        // More was asked for than the longest walk takes, which no walk does.
        Step::Measure { .. } => Judged::Undecided,
    }
}

/// Blocks for the longest walk of this size: the last look and its confirmation.
fn longest(max_blocks: usize) -> usize {
    max_blocks + stats::confirm_blocks(max_blocks)
}

fn is_alarm(judged: Judged) -> bool {
    matches!(judged, Judged::Worse | Judged::Better)
}

/// Equal commands called different, with peeking.
pub(super) fn false_alarms(desk: &mut Desk, pools: &[Pool]) {
    for max_blocks in SIZES {
        let trials = if max_blocks > 32 { desk.trials.div_ceil(4) } else { desk.trials };
        for shape in SHAPES {
            let what = format!("A/A alarm, looks({max_blocks}), {}", shape.name());
            desk.rate(&what, "next_step", Target::AtMost(0.01), trials, |seed| {
                let d = shape.blocks(longest(max_blocks), 0.0, &mut Rng::new(seed));
                Some(is_alarm(walk(max_blocks, seed, &d)))
            });
        }
        for pool in pools {
            let own: Vec<&Vec<f64>> = pool.trials.iter().collect();
            let what = format!("A/A alarm, looks({max_blocks}), {}", pool.name);
            desk.rate(&what, "next_step", Target::AtMost(0.01), trials, |seed| {
                let d = drawn(&own, longest(max_blocks), &mut Rng::new(seed));
                Some(is_alarm(walk(max_blocks, seed, &d)))
            });
        }
    }
    let trials = desk.trials;
    desk.rate(
        "A/A alarm before confirmation, looks(15), normal",
        "judge",
        Target::AtMost(0.01),
        trials,
        |seed| {
            let d = Shape::Normal.blocks(15, 0.0, &mut Rng::new(seed));
            let judged = stats::looks(15).into_iter().find_map(|look| {
                let seen = Values::new(d.get(..look.blocks)?.to_vec())?;
                Some(stats::judge(&seen, &look, &Rule::default(), seed))
                    .filter(|judged| *judged != Judged::Undecided)
            });
            Some(judged.is_some_and(is_alarm))
        },
    );
}

/// Effects found, and wrongly called no change.
pub(super) fn power(desk: &mut Desk) {
    let trials = desk.trials.div_ceil(2);
    for (spread, effect, wanted) in [
        (0.002, 0.01, Target::AtLeast(0.85)),
        (0.002, 0.02, Target::AtLeast(0.95)),
        (0.01, 0.01, Target::None),
        (0.01, 0.02, Target::None),
    ] {
        let what = format!("{:+.0} % found, looks(15), block spread {:.1} %", effect * 100.0, spread * 100.0);
        desk.rate(&what, "next_step", wanted, trials, |seed| {
            let d = normal_blocks(longest(15), spread, effect, seed);
            Some(walk(15, seed, &d) == Judged::Worse)
        });
    }
    for shape in SHAPES {
        let what = format!("+2.05 % called no change, looks(15), {}", shape.name());
        desk.rate(&what, "next_step", Target::AtMost(0.01), trials, |seed| {
            let d = shape.blocks(longest(15), 0.0205, &mut Rng::new(seed));
            Some(walk(15, seed, &d) == Judged::NoChange)
        });
    }
    // Below the margin "no change" may come first, and is right: shown without a goal.
    for (spread, target) in [(3.0 * SPREAD, Target::Between(0.90, 0.99)), (SPREAD, Target::None)] {
        for blocks in [15, 32] {
            let Some(effect) = stats::detectable(spread, blocks) else { continue };
            let what = format!("found at the detectable effect ({:+.2} %), looks({blocks})", effect * 100.0);
            desk.rate(&what, "detectable", target, trials, |seed| {
                let d = normal_blocks(longest(blocks), spread, effect, seed);
                Some(walk(blocks, seed, &d) == Judged::Worse)
            });
        }
    }
}

fn normal_blocks(blocks: usize, spread: f64, effect: f64, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed);
    (0..blocks).map(|_| effect.ln_1p() + spread * rng.normal()).collect()
}

/// "About N more pairs" against what it takes.
pub(super) fn need(desk: &mut Desk) {
    let trials = desk.trials.div_ceil(4);
    for spread in [0.02, 0.05] {
        let pool: Vec<Vec<f64>> = (0..100).map(|seed| normal_blocks(20, spread, 0.0, seed)).collect();
        let Some(truth) = true_pairs(&pool, desk.seed) else { continue };
        let what = format!("N within x2 of {truth:.0} pairs, block spread {:.0} %", spread * 100.0);
        desk.rate(&what, "pairs_needed", Target::AtLeast(0.5), trials, |seed| {
            let d = Values::new(normal_blocks(15, spread, 0.0, seed))?;
            let look = stats::looks(15).pop()?;
            if stats::judge(&d, &look, &Rule::default(), seed) != Judged::Undecided {
                return None;
            }
            let said = 30.0 + stats::pairs_needed(&d, &Rule::default())? as f64;
            Some((truth / 2.0..=truth * 2.0).contains(&said))
        });
    }
}
