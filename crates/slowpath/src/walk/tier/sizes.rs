//! Which sizes are run, and which one each instrument takes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use diagnose::pool::Pool;
use model::scale::{Asked, PARAMETER};
use model::{Arm, Gap, Metric, Stage};

use super::Tour;
use crate::cli::Why;
use crate::cli::parse::Parameter;
use crate::cli::tier::Tier;
use crate::request::{self, Written};
use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::bench::{Stopping, measure};
use crate::walk::scale::climb::{Tried, note_failure, tried};
use crate::walk::suite;

/// Timed runs of each size when nobody says how many: the fewest that give a median its interval.
const RUNS: u32 = 6;

/// Runs of each size that are made even where they take longer than the budget.
const LEAST: u32 = 3;

/// The share of the limit that the first run of one size may take.
const PATIENCE: f64 = 0.3;

/// CPU time of a run that a simulator takes a few seconds for, and most of which comes after start-up.
const QUICK: f64 = 0.05;

/// CPU time of a run that is counted in less than a second; a size that takes longer is dear to count.
pub(super) const CHEAP: f64 = 0.05;

/// Sizes that are counted where those asked for are dear.
const COUNTED: usize = 3;

/// The command at each size, the one that the answer is about first. One arm without sizes.
pub(crate) fn arms(why: &Why, written: &Written) -> Result<Vec<Arm>, Stop> {
    let options = &why.tier;
    if options.expected.is_some() && options.sizes.is_none() && suite::of(why).is_none() {
        return Err(Stop::Usage {
            what: "`--expected` needs sizes whose growth it is held against".to_owned(),
            why: Some(
                "`--sizes` is not given, and the command is no suite of benchmarks with its own".to_owned(),
            ),
            next: format!("`--sizes 1k,4k,16k`, with `{{{PARAMETER}}}` where the size belongs"),
        });
    }
    let asked = options.sizes.as_ref().map(|sizes| sizes.0.as_slice()).unwrap_or_default();
    let different: BTreeSet<u64> = asked.iter().copied().collect();
    if options.sizes.is_some() && different.len() < stats::LEAST_SIZES {
        return Err(Stop::Usage {
            what: format!("growth needs at least {} different sizes", stats::LEAST_SIZES),
            why: Some(format!("`--sizes` names {}", different.len())),
            next: "`--sizes 1k,2k,4k,8k`, or one size with `--size`".to_owned(),
        });
    }
    let sizes: Vec<u64> = match options.size {
        Some(size) => {
            std::iter::once(size).chain(different.into_iter().rev().filter(|other| *other != size)).collect()
        }
        None => different.into_iter().rev().collect(),
    };
    let place = format!("{{{PARAMETER}}}");
    let placed = why.argv.iter().any(|word| word.to_string_lossy().contains(&place));
    let program = why.argv.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    match (sizes.is_empty(), placed) {
        (true, false) => request::arms(std::slice::from_ref(written), &[], &[], &why.target),
        (true, true) => Err(Stop::Usage {
            what: format!("no size stands for `{place}`"),
            why: Some("neither `--sizes` nor `--size` is given".to_owned()),
            next: format!("`slowpath why --size 10k -- {program} {place}`, or `--sizes 1k,4k,16k`"),
        }),
        (false, false) => Err(Stop::Usage {
            what: "the command has no place for the size".to_owned(),
            why: Some(format!("`{place}` does not occur in it")),
            next: format!(
                "write `{place}` where the size belongs: `slowpath why --sizes 1k,4k,16k -- {program} {place}`"
            ),
        }),
        (false, true) => {
            let values = sizes.iter().map(u64::to_string).collect();
            let parameter = Parameter { name: PARAMETER.to_owned(), values };
            request::arms(std::slice::from_ref(written), &[parameter], &[], &why.target)
        }
    }
}

/// What is to be told of the growth. `None` when no sizes were named and nothing is expected of a suite's own.
pub(crate) fn asked(why: &Why, written: &Written) -> Option<Asked> {
    (why.tier.sizes.is_some() || why.tier.expected.is_some()).then_some(())?;
    let command = written.label().replace("'{SIZE}'", "{SIZE}");
    Some(Asked { command, expected: why.tier.expected, predict: Vec::new() })
}

/// The timed runs: of one command as ever, of several sizes in turns.
pub(crate) fn time(sitting: &mut Sitting<'_>, why: &Why, stopping: &Stopping) -> Result<(), Stop> {
    if sitting.manifest.settings.scale.is_none() {
        return measure(sitting, stopping);
    }
    let patience = Duration::from_secs_f64(why.tier.limit.as_secs_f64() * PATIENCE);
    first(sitting, why, patience)?;
    let mut arms = vec![0];
    for arm in 1..sitting.arms() {
        let Some(size) = size_of(sitting, arm) else { continue };
        match tried(sitting, arm, size, patience)? {
            Tried::Worked(_) => arms.push(arm),
            Tried::Failed(stop) => note_failure(sitting, size, &stop),
            Tried::TooLong => too_long(sitting, size, why),
        }
    }
    rounds(sitting, &arms, why)?;
    if why.tier.tier >= Tier::Medium { add_smaller(sitting, why) } else { Ok(()) }
}

/// Halves of the smallest size, to be counted in place of sizes that are dear to count. They are never timed.
fn add_smaller(sitting: &mut Sitting<'_>, why: &Why) -> Result<(), Stop> {
    let cost = |arm: usize| Pool::of(&sitting.samples, u32::try_from(arm).ok()?).median(Metric::Cpu);
    let timed: Vec<usize> = (0..sitting.arms()).filter(|arm| cost(*arm).is_some()).collect();
    let cheap = timed.iter().filter(|arm| cost(**arm).is_some_and(|cpu| cpu <= CHEAP)).count();
    // A setup makes what a size needs, and is not run once more for a size that nobody asked for.
    if cheap == timed.len() || cheap >= stats::LEAST_SIZES || sitting.has_hooks() {
        return Ok(());
    }
    let smallest = timed.iter().filter_map(|arm| size_of(sitting, *arm)).min().unwrap_or(0);
    let written = Written::spelled(&why.argv, why.target.shell);
    let halves =
        std::iter::successors(Some(smallest / 2), |size| Some(size / 2)).take_while(|size| *size > 1);
    for size in halves.take(COUNTED.saturating_sub(cheap)) {
        let parameter = Parameter { name: PARAMETER.to_owned(), values: vec![size.to_string()] };
        for arm in request::arms(std::slice::from_ref(&written), &[parameter], &[], &why.target)? {
            sitting.add(arm)?;
        }
    }
    Ok(())
}

/// The size that the answer is about: the largest that works, unless the user named it.
fn first(sitting: &mut Sitting<'_>, why: &Why, patience: Duration) -> Result<(), Stop> {
    while let Some(size) = size_of(sitting, 0) {
        let last = sitting.arms() == 1 || why.tier.size.is_some();
        match tried(sitting, 0, size, patience)? {
            Tried::Worked(_) => return Ok(()),
            Tried::Failed(stop) if last => return Err(stop),
            Tried::TooLong if last => {
                return Err(Stop::Nothing {
                    why: format!("one run at size {size} takes longer than {:.0} s", patience.as_secs_f64()),
                    next: "smaller sizes, or a longer `--limit`".to_owned(),
                });
            }
            Tried::Failed(stop) => note_failure(sitting, size, &stop),
            Tried::TooLong => too_long(sitting, size, why),
        }
        // It has no sample yet, so no number of an arm is in use.
        sitting.manifest.arms.remove(0);
        sitting.recipes.remove(0);
    }
    Err(Stop::Defect { what: "no size is left".to_owned() })
}

fn too_long(sitting: &mut Sitting<'_>, size: u64, why: &Why) {
    let limit = why.tier.limit.as_secs();
    let reason = format!("one run takes too long for `--limit {limit}s`");
    let next = format!("--limit {}s", limit * 4);
    sitting.manifest.gaps.push(Gap::new(&format!("size {size}"), reason, Some(&next)));
}

/// All sizes in random order and back, as often as was asked for or the budget allows.
fn rounds(sitting: &mut Sitting<'_>, arms: &[usize], why: &Why) -> Result<(), Stop> {
    let wanted = why.runs.unwrap_or(RUNS);
    let begun = Instant::now();
    let blocks = usize::try_from(wanted.div_ceil(2)).unwrap_or(1);
    let mut runs = 0;
    for (block, order) in stats::balanced_order(arms.len(), blocks, sitting.manifest.seed).iter().enumerate()
    {
        for half in order.chunks(arms.len()) {
            let each = begun.elapsed() / runs.max(1);
            let late = why.runs.is_none() && runs >= LEAST && begun.elapsed() + each > why.budget;
            if runs >= wanted || late {
                return Ok(());
            }
            let words = format!("{} sizes: run {} of up to {wanted}", arms.len(), runs + 1);
            sitting.progress.draw(&words, Some(f64::from(runs) / f64::from(wanted)));
            let order: Vec<usize> = half.iter().filter_map(|at| arms.get(*at).copied()).collect();
            sitting.block(block, &order, Stage::Measure)?;
            runs += 1;
        }
    }
    Ok(())
}

pub(super) fn size_of(sitting: &Sitting<'_>, arm: usize) -> Option<u64> {
    sitting.manifest.arms.get(arm)?.params.get(PARAMETER)?.parse().ok()
}

/// The arm for the simulators: the one that is looked at, else of several sizes the largest that is quickly simulated.
pub(super) fn simulated(tour: &Tour<'_, '_>) -> usize {
    let sitting = &tour.sitting;
    // Sizes of a suite are its own.
    let sized = (0..sitting.arms()).any(|arm| size_of(sitting, arm).is_some());
    if tour.options.size.is_some() || sitting.manifest.settings.scale.is_none() || !sized {
        return sitting.subject();
    }
    let cost = |arm: usize| {
        let index = u32::try_from(arm).ok()?;
        Pool::of(&sitting.samples, index).median(Metric::Cpu).map(|cpu| (cpu, arm))
    };
    let mut costs: Vec<(f64, usize)> = (0..sitting.arms()).filter_map(cost).collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let quick = costs.iter().rfind(|(cpu, _)| *cpu <= QUICK);
    quick.or(costs.first()).map_or(0, |(_, arm)| *arm)
}
