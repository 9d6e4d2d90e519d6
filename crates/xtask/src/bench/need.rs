//! C4, the second half: whether "about N more pairs" is within a factor of two of what it really takes.

use model::Metric;
use model::compare::Verdict;
use stats::{Judged, Rng, Rule, Values};

use super::case::{Case, Kind};
use super::compare::Trials;
use super::table::{Figure, Table, Target};

/// Comparisons drawn at each size.
const DRAWN: u32 = 80;
/// Blocks that stay together when they are drawn, so that what neighbours have in common survives.
const TOGETHER: usize = 5;
/// No comparison decides before this many blocks.
const FIRST_LOOK: usize = 8;
/// Sizes beyond this are not tried.
const MOST_BLOCKS: usize = 32_768;

pub(crate) fn rows(table: &mut Table, cases: &[Case], trials: &Trials, seed: u64) {
    let same = cases.iter().enumerate().filter(|(_, case)| case.kind == Kind::Same);
    let (mut within, mut all) = (0, 0);
    for (index, case) in same {
        let own: Vec<_> =
            trials.slowpath.iter().filter(|(case, _)| *case == index).map(|(_, compared)| compared).collect();
        let pool: Vec<Vec<f64>> = own.iter().map(|compared| compared.blocks(Metric::Wall)).collect();
        let said: Vec<f64> = own
            .iter()
            .filter_map(|compared| compared.metric(Metric::Wall))
            .filter(|metric| metric.verdict == Verdict::Inconclusive)
            .filter_map(|metric| Some(f64::from(metric.pairs) + metric.needed? as f64))
            .collect();
        let what = format!("{}: needed pairs said, median", case.program);
        let Some(truth) = true_pairs(&pool, seed) else {
            table.note(format!(
                "{}: the true need of wall time is beyond {MOST_BLOCKS} blocks or unknown",
                case.program
            ));
            continue;
        };
        let hits = said.iter().filter(|said| (truth / 2.0..=truth * 2.0).contains(*said)).count() as u64;
        (within, all) = (within + hits, all + said.len() as u64);
        let Some(said) = Values::new(said) else {
            table.note(format!("{}: wall time was always decided, so no need was said", case.program));
            continue;
        };
        let quartiles =
            format!("{:.0} to {:.0} (quartiles)", stats::quantile(&said, 0.25), stats::quantile(&said, 0.75));
        let text = format!("{:.0} (true {truth:.0})", stats::median(&said));
        table.value(
            &Figure { goal: "C4", what: &what, who: "slowpath compare" },
            text,
            said.n() as u64,
            Some(quartiles),
        );
    }
    let figure = Figure { goal: "C4", what: "N within x2 of the true need, wall", who: "slowpath compare" };
    table.rate(&figure, within, all, Target::AtLeast(0.5));
    table.note("the true need is the number of pairs at which half of the comparisons drawn from all A/A blocks are decided; the goal names no share for N, half is ours");
}

/// The pairs that decide half of the comparisons drawn from this pool of block ratios. `None` without a pool, or beyond
/// [`MOST_BLOCKS`].
pub(crate) fn true_pairs(pool: &[Vec<f64>], seed: u64) -> Option<f64> {
    let whole: Vec<&Vec<f64>> = pool.iter().filter(|blocks| blocks.len() >= TOGETHER).collect();
    if whole.is_empty() {
        return None;
    }
    let mut rng = Rng::new(seed);
    let mut decided = |blocks: usize| {
        let hits = (0..DRAWN).filter(|_| is_decided(&drawn(&whole, blocks, &mut rng))).count();
        hits as f64 / f64::from(DRAWN)
    };
    let mut reached = FIRST_LOOK;
    while decided(reached) < 0.5 {
        reached *= 2;
        if reached > MOST_BLOCKS {
            return None;
        }
    }
    if reached == FIRST_LOOK {
        return Some(2.0 * FIRST_LOOK as f64);
    }
    // Three more halvings on the scale of ratios: to within a tenth.
    let (mut short, mut enough) = (reached as f64 / 2.0, reached as f64);
    for _ in 0..3 {
        let middle = (short * enough).sqrt();
        if decided(middle.round() as usize) < 0.5 { short = middle } else { enough = middle }
    }
    Some(2.0 * (short * enough).sqrt())
}

/// A look of this size alone, at the error the last of its looks would have.
fn is_decided(d: &[f64]) -> bool {
    let Some((values, look)) = Values::new(d.to_vec()).zip(stats::looks(d.len()).pop()) else { return false };
    stats::judge(&values, &look, &Rule::default(), 1) != Judged::Undecided
}

/// Blocks drawn a few neighbours at a time.
pub(crate) fn drawn(pool: &[&Vec<f64>], blocks: usize, rng: &mut Rng) -> Vec<f64> {
    let mut d = Vec::with_capacity(blocks + TOGETHER);
    while d.len() < blocks {
        let Some(trial) = pool.get(rng.below(pool.len())) else { break };
        let from = rng.below(trial.len() + 1 - TOGETHER.min(trial.len()));
        d.extend(trial.iter().skip(from).take(TOGETHER));
    }
    d.truncate(blocks);
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_blocks_need_the_least_and_noisy_ones_more() {
        let mut rng = Rng::new(1);
        let mut pool = |spread: f64| {
            (0..50).map(|_| (0..15).map(|_| spread * rng.normal()).collect()).collect::<Vec<_>>()
        };
        let (quiet, noisy) = (true_pairs(&pool(0.001), 1), true_pairs(&pool(0.03), 1));
        assert_eq!(quiet, Some(16.0));
        // (4.5 spreads / margin)² blocks, two pairs each.
        assert!(noisy.is_some_and(|pairs| (50.0..130.0).contains(&pairs)), "{noisy:?}");
    }

    #[test]
    fn an_empty_pool_has_no_need() {
        assert_eq!(true_pairs(&[], 1), None);
    }
}
