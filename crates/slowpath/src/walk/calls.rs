//! The pass that traces system calls, made when the recording asks for it.

use std::time::Duration;

use diagnose::cause::wants_calls;
use diagnose::profile::Study;
use model::calls::CALLS;
use model::manifest::Pass;
use model::{Gap, Sample, Stage};
use run::{Recipe, RunError, Slot};
use stats::Values;

use crate::heard::{heard, words_of};
use crate::sitting::Sitting;
use crate::stop::Stop;

/// A traced run is ended after this many times its usual length: a traced call takes some tens of microseconds, so a
/// storm of calls would never end, and what its first seconds show is enough.
const PATIENCE: f64 = 2.0;
const LEAST: Duration = Duration::from_secs(2);
const MOST: Duration = Duration::from_secs(10);

/// Traces one run, if the recording leaves a question that only calls can answer. A pass that fails is a gap.
pub(crate) fn trace(sitting: &mut Sitting<'_>, study: &Study) -> Result<(), Stop> {
    let arm = sitting.subject();
    let (Some(why), Some(usual)) = (wants_calls(study), usual(&sitting.samples, arm)) else { return Ok(()) };
    sitting.progress.pass(&format!("tracing calls, because {why}"), Some(usual));
    let limit = Duration::from_secs_f64(usual * PATIENCE).clamp(LEAST, MOST);
    // Traced calls are slow calls. A program that hardly does anything else is not watched to its end.
    let watched = spare(sitting, usual).map(|spare| Duration::from_secs_f64(spare.max(usual * 1.5)));
    let options =
        run::calls::Options { limit: watched, ..run::calls::Options::new(sitting.folder_of_target()) };
    sitting.prepare(arm)?;
    let order = u32::try_from(sitting.samples.len() + 2).unwrap_or(u32::MAX);
    let slot =
        Slot { arm: u32::try_from(arm).unwrap_or(u32::MAX), order, block: None, stage: Stage::Measure };
    let traced = match sitting.recipe(arm) {
        Some(recipe) => {
            let timeout = Some(recipe.timeout.map_or(limit, |timeout| timeout.min(limit)));
            run::calls::trace(&sitting.rig, &Recipe { timeout, ..heard(recipe) }, slot, &options)
        }
        None => return Ok(()),
    };
    let mut traced = match traced {
        Ok(traced) => traced,
        Err(source) => return failed(sitting, source),
    };
    tools::wire::tell(&mut traced.calls, &traced.messages);
    let ratio = match traced.run {
        Ok(measured) => {
            if !measured.sample.ended.succeeded() && !sitting.ignores_failure() {
                let why = format!("the traced run failed: {}", words_of(&measured));
                return fails_traced(sitting, why);
            }
            let ratio = (usual > 0.0).then(|| measured.sample.wall.as_secs_f64() / usual);
            traced.calls.run = Some(measured.sample);
            ratio
        }
        Err(RunError::TimedOut { after, .. }) => {
            let why = format!("the traced run was ended after {:.0} s", after.as_secs_f64());
            traced.calls.gaps.push(Gap::new("the rest of the traced run", why, None));
            None
        }
        Err(source) => return failed(sitting, source),
    };
    sitting.store(CALLS, &traced.calls)?;
    sitting.note_pass(Pass { pass: "calls".to_owned(), instrument: "tracer".to_owned(), runs: 1, ratio });
    sitting.passes.calls = Some(traced.calls);
    sitting.conclude(sitting.subject())
}

/// The user's interrupt ends everything; any other failure only leaves a question open.
fn failed(sitting: &mut Sitting<'_>, source: RunError) -> Result<(), Stop> {
    if let RunError::Interrupted { .. } = source {
        return Err(sitting.stopped(sitting.subject(), source));
    }
    left_out(sitting, crate::stop::chain(&source))
}

/// A program that fails under a tracer fails under any.
fn fails_traced(sitting: &mut Sitting<'_>, why: String) -> Result<(), Stop> {
    sitting.manifest.gaps.push(Gap::new("calls one by one", why, None));
    sitting.conclude(sitting.subject())
}

/// What the pass would have told is a gap; the user's command after a run is due all the same.
fn left_out(sitting: &mut Sitting<'_>, why: String) -> Result<(), Stop> {
    sitting.manifest.gaps.push(Gap::new("calls one by one", why, Some("slowpath doctor")));
    sitting.conclude(sitting.subject())
}

/// Why a pass is left out for which too little is left.
pub(crate) const TOO_LONG: &str =
    "the answer would take longer than six runs and two seconds; a larger `--budget` makes room for it";

/// Whether a pass that makes a run so many times as long is left out. `None` is spared by whoever set the number of runs.
pub(crate) fn is_too_long(spare: Option<f64>, usual: f64, longer: f64) -> bool {
    spare.is_some_and(|spare| spare < usual * longer)
}

/// What is left of six runs and two seconds, which the whole command is to take, or of the user's budget where that is more, once
/// this run is over and the answer is written. `None` where the user has set the number of runs.
pub(crate) fn spare(sitting: &Sitting<'_>, usual: f64) -> Option<f64> {
    const WRITING: f64 = 0.2;
    let most = (usual * 6.0 + 2.0).max(sitting.manifest.settings.budget_s);
    let spent = sitting.elapsed().as_secs_f64();
    sitting.manifest.settings.runs.is_none().then(|| (most - spent - WRITING).max(0.0))
}

/// Median wall time of the runs without an instrument.
pub(crate) fn usual(samples: &[Sample], arm: usize) -> Option<f64> {
    let own = samples.iter().filter(|sample| usize::try_from(sample.arm) == Ok(arm));
    let walls = own.filter(|sample| sample.stage != Stage::WarmUp);
    Some(stats::median(&Values::new(walls.map(|sample| sample.wall.as_secs_f64()).collect())?))
}
