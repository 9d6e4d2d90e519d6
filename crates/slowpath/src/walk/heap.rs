//! The pass that watches the heap, made when the recording asks for it.

use std::time::Duration;

use diagnose::cause::wants_heap;
use diagnose::profile::Study;
use model::heap::HEAP;
use model::manifest::Pass;
use model::{Gap, Stage};
use run::alloc::Options;
use run::{Recipe, RunError, Slot};

use crate::heard::{heard, words_of};
use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::calls::{TOO_LONG, is_too_long, spare, usual};

/// A watched run takes hardly longer than a plain one; one that takes so many times as long hangs.
const PATIENCE: f64 = 5.0;
const LEAST: Duration = Duration::from_secs(10);

/// A run longer than this is made once more only if no other pass was made or there is time for it: the whole command stays within
/// six runs.
const LONG: f64 = 2.0;

/// So many times as long as a plain run may a watched one take.
const LONGER: f64 = 1.2;

/// Watches one run, if the recording leaves a question that only the heap can answer. A pass that fails is a gap.
pub(crate) fn watch(sitting: &mut Sitting<'_>, study: &Study) -> Result<(), Stop> {
    let arm = sitting.subject();
    let (Some(why), Some(usual)) = (wants_heap(study), usual(&sitting.samples, arm)) else { return Ok(()) };
    let is_long = usual > LONG && sitting.passes.calls.is_some();
    if is_long && is_too_long(spare(sitting, usual), usual, LONGER) {
        return left_out(sitting, TOO_LONG.to_owned());
    }
    sitting.progress.pass(&format!("watching the heap, because {why}"), Some(usual));
    let options = Options { interval: Options::INTERVAL, project: sitting.folder_of_target() };
    sitting.prepare(arm)?;
    let order = u32::try_from(sitting.samples.len() + 3).unwrap_or(u32::MAX);
    let slot =
        Slot { arm: u32::try_from(arm).unwrap_or(u32::MAX), order, block: None, stage: Stage::Measure };
    let Some(recipe) = sitting.recipe(arm) else { return Ok(()) };
    let limit = Duration::from_secs_f64(usual * PATIENCE).max(LEAST);
    let timeout = Some(recipe.timeout.map_or(limit, |timeout| timeout.min(limit)));
    let watched = match run::alloc::watch(&sitting.rig, &Recipe { timeout, ..heard(recipe) }, slot, &options)
    {
        Ok(watched) => watched,
        Err(source @ RunError::Interrupted { .. }) => return Err(sitting.stopped(arm, source)),
        Err(source) => return left_out(sitting, crate::stop::chain(&source)),
    };
    let sample = &watched.measured.sample;
    if !sample.ended.succeeded() && !sitting.ignores_failure() {
        let why = format!("the watched run failed: {}", words_of(&watched.measured));
        return left_out(sitting, why);
    }
    let ratio = (usual > 0.0).then(|| sample.wall.as_secs_f64() / usual);
    sitting.store(HEAP, &watched.heap)?;
    sitting.note_pass(Pass {
        pass: "heap".to_owned(),
        instrument: "allocator hook".to_owned(),
        runs: 1,
        ratio,
    });
    sitting.passes.heap = Some(watched.heap);
    sitting.conclude(sitting.subject())
}

/// What the pass would have told is a gap; the user's command after a run is due all the same.
fn left_out(sitting: &mut Sitting<'_>, why: String) -> Result<(), Stop> {
    sitting.manifest.gaps.push(Gap::new("who allocates what", why, Some("valgrind --tool=dhat")));
    sitting.conclude(sitting.subject())
}
