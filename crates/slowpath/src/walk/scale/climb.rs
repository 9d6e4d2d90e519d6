//! Which sizes are measured: a first run of each tells what it costs and whether it works.

use std::time::Duration;

use model::Gap;
use model::scale::PARAMETER;
use run::RunError;

use crate::cli::parse::Parameter;
use crate::cli::scale::Scale;
use crate::request::{self, Written};
use crate::sitting::Sitting;
use crate::stop::{Stop, ended_words};
use crate::walk::scale::too_few;

/// The size an automatic choice begins with.
pub(super) const SMALLEST: u64 = 4;

/// The largest size that is tried when the cost does not grow: 2^26.
const LARGEST: u64 = 1 << 26;

/// First runs may take this share of the limit.
const SHARE: f64 = 0.3;

/// An automatic choice ends where one run takes this share of the limit: forty times slower under cachegrind, and once
/// more in sum over the smaller sizes, it still fits.
const LAST_RUN: f64 = 1.0 / 120.0;

/// A run on the way up may take this many times the last one's share before it is ended.
const PATIENCE: f64 = 4.0;

/// Until growth shows, sizes go up by this factor, and then by `FINE`.
const COARSE: u64 = 4;
const FINE: u64 = 2;

/// Sizes that are measured of an automatic choice, the smallest beside them.
const KEPT: usize = 8;

/// One size that works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::walk) struct Step {
    pub(super) arm: usize,
    pub(super) size: u64,
    /// Seconds of its first run, or of its shortest one once it was timed.
    pub(super) wall: f64,
}

/// How a first run ended.
pub(in crate::walk) enum Tried {
    Worked(Step),
    Failed(Stop),
    TooLong,
}

/// The sizes the user named, as far as they work and the limit reaches.
pub(super) fn given(sitting: &mut Sitting<'_>, asked: &Scale) -> Result<Vec<Step>, Stop> {
    let (mut steps, mut first_failure) = (Vec::new(), None);
    for arm in 0..sitting.arms() {
        let Some(size) = size_of(sitting, arm) else { continue };
        let left = SHARE * asked.limit.as_secs_f64() - sitting.elapsed().as_secs_f64();
        let enough = left > 0.0 || steps.len() < stats::LEAST_SIZES;
        let patience = Duration::from_secs_f64(left.max(SHARE * asked.limit.as_secs_f64()));
        match if enough { tried(sitting, arm, size, patience)? } else { Tried::TooLong } {
            Tried::Worked(step) => steps.push(step),
            Tried::Failed(stop) => {
                note_failure(sitting, size, &stop);
                first_failure.get_or_insert(stop);
            }
            Tried::TooLong => {
                let why = format!("it takes too long for `--limit {}s`", asked.limit.as_secs());
                let next = format!("--limit {}s", asked.limit.as_secs() * 4);
                sitting.manifest.gaps.push(Gap::new(&format!("sizes from {size} on"), why, Some(&next)));
                break;
            }
        }
    }
    settled(steps, first_failure, asked)
}

/// With too few sizes the first failure is the answer.
fn settled(mut steps: Vec<Step>, failure: Option<Stop>, asked: &Scale) -> Result<Vec<Step>, Stop> {
    steps.sort_by_key(|step| step.size);
    match failure {
        _ if steps.len() >= stats::LEAST_SIZES => Ok(steps),
        Some(stop) => Err(stop),
        None => Err(too_few(steps.len(), asked)),
    }
}

/// Sizes from small to large until a run takes its share of the limit. Where the next step up takes far too long, as in
/// exponential growth, the sizes between are tried.
pub(super) fn chosen(sitting: &mut Sitting<'_>, asked: &Scale, written: &Written) -> Result<Vec<Step>, Stop> {
    let last_run = asked.limit.as_secs_f64() * LAST_RUN;
    let patience = Duration::from_secs_f64((last_run * PATIENCE).max(0.5));
    let mut climb = Climb { asked, written, patience, steps: Vec::new(), failure: None };
    let (mut size, mut barrier) = (SMALLEST, None);
    while size <= LARGEST {
        if !climb.add(sitting, size)? {
            barrier = Some(size);
            break;
        }
        let wall = climb.steps.last().map_or(0.0, |step| step.wall);
        if wall >= last_run {
            break;
        }
        let shows = climb.steps.first().is_some_and(|first| wall > 2.0 * first.wall);
        size *= if shows { FINE } else { COARSE };
    }
    if let Some(barrier) = barrier {
        climb.below(sitting, barrier, last_run)?;
    }
    let failure = climb.failure.take();
    let steps = settled(climb.steps, failure, asked)?;
    let skipped = steps.len().saturating_sub(KEPT).max(1);
    Ok(steps.iter().take(1).chain(steps.iter().skip(skipped)).copied().collect())
}

struct Climb<'a> {
    asked: &'a Scale,
    written: &'a Written,
    patience: Duration,
    steps: Vec<Step>,
    failure: Option<Stop>,
}

impl Climb<'_> {
    /// Tries a size; whether it worked.
    fn add(&mut self, sitting: &mut Sitting<'_>, size: u64) -> Result<bool, Stop> {
        // The sitting was opened with the smallest size.
        let arm = if size == SMALLEST && self.steps.is_empty() { 0 } else { self.arm(sitting, size)? };
        match tried(sitting, arm, size, self.patience)? {
            Tried::Worked(step) => self.steps.push(step),
            Tried::Failed(stop) => {
                note_failure(sitting, size, &stop);
                self.failure.get_or_insert(stop);
                return Ok(false);
            }
            Tried::TooLong => return Ok(false),
        }
        Ok(true)
    }

    fn arm(&self, sitting: &mut Sitting<'_>, size: u64) -> Result<usize, Stop> {
        let parameter = Parameter { name: PARAMETER.to_owned(), values: vec![size.to_string()] };
        let arms = request::arms(std::slice::from_ref(self.written), &[parameter], &[], &self.asked.target)?;
        for arm in arms {
            sitting.add(arm)?;
        }
        Ok(sitting.arms() - 1)
    }

    /// Sizes below one that did not work: the largest that does by bisection, then those between, until there are enough.
    fn below(&mut self, sitting: &mut Sitting<'_>, barrier: u64, last_run: f64) -> Result<(), Stop> {
        let mut barrier = barrier;
        while let Some(largest) = self.steps.iter().map(|step| step.size).max() {
            let middle = u64::midpoint(largest, barrier);
            let slow = self.steps.iter().any(|step| step.size == largest && step.wall >= last_run);
            if middle == largest || slow || self.steps.len() >= KEPT {
                break;
            }
            if !self.add(sitting, middle)? {
                barrier = middle;
            }
        }
        while self.steps.len() < KEPT {
            self.steps.sort_by_key(|step| step.size);
            let gaps = self.steps.windows(2).filter_map(|pair| match pair {
                [a, b] if b.size - a.size > 1 => Some((b.wall - a.wall, u64::midpoint(a.size, b.size))),
                _ => None,
            });
            let Some((_, size)) = gaps.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            if !self.add(sitting, size)? {
                break;
            }
        }
        Ok(())
    }
}

fn size_of(sitting: &Sitting<'_>, arm: usize) -> Option<u64> {
    sitting.manifest.arms.get(arm)?.params.get(PARAMETER)?.parse().ok()
}

pub(in crate::walk) fn note_failure(sitting: &mut Sitting<'_>, size: u64, stop: &Stop) {
    let why = match stop {
        Stop::TargetFailed { ended, .. } => format!("the command failed: {}", ended_words(*ended)),
        other => other.to_string(),
    };
    sitting.manifest.gaps.push(Gap::new(&format!("size {size}"), why, None));
}

/// The first run of a size. It is ended when it takes longer than `patience`, or than the user allows.
pub(in crate::walk) fn tried(
    sitting: &mut Sitting<'_>,
    arm: usize,
    size: u64,
    patience: Duration,
) -> Result<Tried, Stop> {
    let words = format!("size {size}: first run");
    sitting.progress.draw(&words, None);
    let allowed = sitting.recipes.get(arm).and_then(|recipe| recipe.timeout);
    let set = |sitting: &mut Sitting<'_>, timeout| {
        if let Some(recipe) = sitting.recipes.get_mut(arm) {
            recipe.timeout = timeout;
        }
    };
    set(sitting, Some(allowed.map_or(patience, |allowed| allowed.min(patience))));
    let tried = sitting.first(arm);
    set(sitting, allowed);
    match tried {
        Ok(sample) => Ok(Tried::Worked(Step { arm, size, wall: sample.wall.as_secs_f64() })),
        Err(Stop::Run { source: RunError::TimedOut { .. }, .. }) => Ok(Tried::TooLong),
        Err(stop @ (Stop::TargetFailed { .. } | Stop::OutputDiffers { .. })) => Ok(Tried::Failed(stop)),
        Err(stop) => Err(stop),
    }
}
