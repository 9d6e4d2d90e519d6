//! The pass that runs the target on one CPU, made when threads may be in each other's way.

use diagnose::cause::wants_solo;
use diagnose::profile::Study;
use model::manifest::Pass;
use model::solo::{SCHEMA, SOLO, Solo};
use model::{Gap, Sample, Stage};
use run::{RunError, Slot};

use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::calls::usual;

/// CPU times wander; of two runs the smaller one is meant.
const RUNS: u32 = 2;

/// A run that takes longer than this on all CPUs is made once.
const LONG: f64 = 2.0;

/// Runs the target on one CPU, if the recording leaves a question that only this can answer.
pub(crate) fn alone(sitting: &mut Sitting<'_>, study: &Study) -> Result<(), Stop> {
    let arm = sitting.subject();
    let wanted = sitting.passes.recording.as_ref().and_then(|recording| wants_solo(recording, study));
    let (Some(why), Some(usual)) = (wanted, usual(&sitting.samples, arm)) else { return Ok(()) };
    let mut runs: Vec<Sample> = Vec::new();
    for repeat in 0..if usual > LONG { 1 } else { RUNS } {
        sitting.progress.pass(&format!("on one CPU, because {why}"), Some(usual * 2.0));
        sitting.prepare(arm)?;
        let order = u32::try_from(sitting.samples.len() + 4).unwrap_or(u32::MAX).saturating_add(repeat);
        let slot =
            Slot { arm: u32::try_from(arm).unwrap_or(u32::MAX), order, block: None, stage: Stage::Measure };
        let Some(recipe) = sitting.recipe(arm) else { return Ok(()) };
        match run::on_one_cpu(|| run::measure(&sitting.rig, recipe, slot)) {
            Some(Ok(measured)) if measured.sample.ended.succeeded() || sitting.ignores_failure() => {
                runs.push(measured.sample);
            }
            Some(Ok(measured)) => {
                let why =
                    format!("on one CPU it failed: {}", crate::stop::ended_words(measured.sample.ended));
                return left_out(sitting, why);
            }
            Some(Err(source @ RunError::Interrupted { .. })) => return Err(sitting.stopped(arm, source)),
            Some(Err(source)) => return left_out(sitting, crate::stop::chain(&source)),
            None => return left_out(sitting, "the kernel did not allow to choose a CPU".to_owned()),
        }
        sitting.conclude(sitting.subject())?;
    }
    let ratio = runs.first().map(|sample| sample.wall.as_secs_f64() / usual).filter(|_| usual > 0.0);
    let count = u32::try_from(runs.len()).unwrap_or(u32::MAX);
    let solo = Solo { schema: SCHEMA.to_owned(), runs };
    sitting.store(SOLO, &solo)?;
    let instrument = "one CPU".to_owned();
    sitting.note_pass(Pass { pass: "solo".to_owned(), instrument, runs: count, ratio });
    sitting.passes.solo = Some(solo);
    Ok(())
}

fn left_out(sitting: &mut Sitting<'_>, why: String) -> Result<(), Stop> {
    sitting.manifest.gaps.push(Gap::new("the program on one CPU", why, Some("taskset -c 0")));
    sitting.conclude(sitting.subject())
}
