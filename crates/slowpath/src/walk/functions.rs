//! The pass that watches functions of a native program: which calls repeat, and which take longer the more there is.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use diagnose::cause::wants_functions;
use diagnose::profile::Study;
use inspect::{Image, Wanted};
use model::manifest::Pass;
use model::native::Callable;
use model::profile::Place;
use model::runtime::{Collector, NATIVE, RUNTIME, Runtime, SCHEMA};
use model::{Gap, Stage};
use run::{Recipe, RunError, Slot};

use crate::heard::{heard, words_of};
use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::calls::{TOO_LONG, is_too_long, spare, usual};

/// Reading the debug information of a larger image would take longer than many programs run.
const LARGEST: u64 = 64 << 20;

/// Watched, a run takes up to half as long again. One that takes so much longer hangs.
const LONGER: f64 = 1.5;
const PATIENCE: f64 = 3.0;
const LEAST: Duration = Duration::from_secs(15);

const WHAT: &str = "which calls repeat or take longer the more there is";
const UNWATCHED: &str = "no function can be watched: the compiler has put them into their callers, or no debug information tells what they are given";

/// Watches functions in one run, if the recording leaves a question that only their calls can answer. A pass that fails is a gap.
pub(crate) fn watch(sitting: &mut Sitting<'_>, study: &Study, may: bool) -> Result<(), Stop> {
    let arm = sitting.subject();
    let wanted = sitting.passes.recording.as_ref().and_then(|recording| wants_functions(recording, study));
    let (Some(wanted), Some(usual)) = (wanted, usual(&sitting.samples, arm)) else { return Ok(()) };
    // One document tells of calls, and somebody has written it.
    if sitting.passes.runtime.is_some() {
        return Ok(());
    }
    if !may {
        return left_out(sitting, "`--no-runtimes` leaves them alone".to_owned());
    }
    let spare = spare(sitting, usual);
    if is_too_long(spare, usual, LONGER) {
        return left_out(sitting, TOO_LONG.to_owned());
    }
    let functions = callables(&wanted.functions);
    if functions.is_empty() {
        return left_out(sitting, UNWATCHED.to_owned());
    }
    sitting.progress.pass(&format!("watching functions, because {}", wanted.why), Some(usual));
    sitting.prepare(arm)?;
    let order = u32::try_from(sitting.samples.len() + 8).unwrap_or(u32::MAX);
    let slot =
        Slot { arm: u32::try_from(arm).unwrap_or(u32::MAX), order, block: None, stage: Stage::Measure };
    let Some(recipe) = sitting.recipe(arm) else { return Ok(()) };
    let limit = Duration::from_secs_f64(usual * PATIENCE).max(LEAST);
    let timeout = Some(recipe.timeout.map_or(limit, |timeout| timeout.min(limit)));
    let recipe = Recipe { timeout, ..heard(recipe) };
    let expected = Duration::from_secs_f64(usual);
    let mut watched = match run::functions::watch(&sitting.rig, &recipe, slot, functions, expected) {
        Ok(watched) => watched,
        Err(source @ RunError::Interrupted { .. }) => return Err(sitting.stopped(arm, source)),
        Err(source) => return left_out(sitting, crate::stop::chain(&source)),
    };
    if !watched.run.sample.ended.succeeded() && !sitting.ignores_failure() {
        let why = format!("the watched run failed: {}", words_of(&watched.run));
        return left_out(sitting, why);
    }
    let sample = watched.run.sample;
    sitting.manifest.gaps.append(&mut watched.gaps);
    watched.repeats.sort_by(|one, other| (other.same, &one.function).cmp(&(one.same, &other.function)));
    watched.costs.sort_by(|one, other| (other.taken, &one.function).cmp(&(one.taken, &other.function)));
    let ratio = (usual > 0.0).then(|| sample.wall.as_secs_f64() / usual);
    let runtime = Runtime {
        schema: SCHEMA.to_owned(),
        runtime: NATIVE.to_owned(),
        processes: watched.processes,
        collector: Collector::default(),
        sites: None,
        repeats: watched.repeats,
        costs: watched.costs,
        steps: Vec::new(),
        natives: Vec::new(),
        copies: Vec::new(),
        watched: Some(watched.watched),
        watched_on_cpu: None,
        waits: None,
        run: sample,
    };
    sitting.store(RUNTIME, &runtime)?;
    let instrument = "breakpoints".to_owned();
    sitting.note_pass(Pass { pass: "functions".to_owned(), instrument, runs: 1, ratio });
    sitting.passes.runtime = Some(runtime);
    sitting.conclude(sitting.subject())
}

/// The functions that can be watched.
fn callables(places: &[Place]) -> Vec<Callable> {
    let mut modules: BTreeMap<&str, Vec<&Place>> = BTreeMap::new();
    for place in places {
        if let Some(module) = place.module.as_deref() {
            modules.entry(module).or_default().push(place);
        }
    }
    let of = |(module, places): (&str, Vec<&Place>)| {
        let bytes = fs::metadata(module)
            .ok()
            .filter(|file| file.is_file() && file.len() <= LARGEST)
            .and_then(|_| fs::read(module).ok());
        let image = bytes.as_deref().and_then(|bytes| Image::parse(bytes).ok());
        let wanted: Vec<Wanted<'_>> = places
            .iter()
            .map(|place| Wanted {
                function: &place.function,
                file: place.file.as_deref().unwrap_or_default(),
                line: place.line.unwrap_or(0),
            })
            .collect();
        let found = image.map(|image| inspect::callables(&image, module, &wanted));
        found.into_iter().flatten().flatten().collect::<Vec<Callable>>()
    };
    modules.into_iter().flat_map(of).collect()
}

/// What the pass would have told is a gap; the user's command after a run is due all the same.
fn left_out(sitting: &mut Sitting<'_>, why: String) -> Result<(), Stop> {
    sitting.manifest.gaps.push(Gap::new(WHAT, why, Some("slowpath scale")));
    sitting.conclude(sitting.subject())
}
