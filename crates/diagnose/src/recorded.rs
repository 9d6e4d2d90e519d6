//! A recorded run and its timed runs → what the recording adds up to, and what recording cost.

use model::answer::{AnswerTarget, Overhead};
use model::manifest::Manifest;
use model::profile::Profile;
use model::recording::Recording;
use model::{Gap, Metric, Nanos, Sample};

use crate::pool::Pool;
use crate::profile::{Context, Study, study};
use crate::summary::summary;
use crate::unlike;

/// The profile of a run folder's recording.
#[must_use]
pub fn of_run(manifest: &Manifest, samples: &[Sample], recording: &Recording, gaps: &[Gap]) -> Profile {
    study_of(manifest, samples, recording, gaps).profile
}

/// The same, with what the search for causes needs.
#[must_use]
pub fn study_of(manifest: &Manifest, samples: &[Sample], recording: &Recording, gaps: &[Gap]) -> Study {
    let run = recording.run.as_ref();
    let argv = manifest.arms.first().map(|arm| arm.target.argv.clone());
    let context = Context {
        run: manifest.id.clone(),
        target: argv.map(|argv| AnswerTarget { argv, exit: run.map(|run| run.ended) }),
        cpu: run.and_then(Sample::cpu),
        user: run.map(|run| run.user),
        system: run.map(|run| run.system),
        faults: run.map(|run| run.minor_faults.0),
        steal: run.and_then(|run| steal(run, manifest.fingerprint.machine.cpus_present?)),
        throttled: run.and_then(|run| run.covariates.throttled),
        watched: run.is_none(),
        baseline_wall: median(samples, Metric::Wall),
        baseline_cpu: median(samples, Metric::Cpu),
    };
    let mut study = study(recording, &context);
    let profile = &mut study.profile;
    let told = std::mem::take(&mut profile.gaps);
    profile.gaps = gaps.iter().cloned().chain(told).chain(unlike::gap(Some(recording), samples)).collect();
    profile.overhead.retain(|one| unlike::is_overhead(one.ratio, samples));
    profile.overhead.extend(own_cost(recording, context.baseline_cpu.or(context.cpu)));
    study
}

/// What the recorder itself used of the CPUs, on top of the target.
fn own_cost(recording: &Recording, target: Option<Nanos>) -> Option<Overhead> {
    let own = recording.cost?.cpu.share_of(target?)?;
    Some(Overhead { pass: "recorder's own CPU time".to_owned(), ratio: 1.0 + own.0 })
}

/// Share of the machine's CPU time that the hypervisor took while the run went on.
fn steal(run: &Sample, cpus: u32) -> Option<f64> {
    let stolen = run.covariates.steal?.as_secs_f64();
    let whole = run.wall.as_secs_f64() * f64::from(cpus);
    (whole > 0.0).then_some(stolen / whole)
}

/// CPU time of the recorded run against the median of the timed ones. `None` without timed runs.
#[must_use]
pub fn slowdown(recording: &Recording, samples: &[Sample]) -> Option<f64> {
    let recorded = recording.run.as_ref()?.cpu()?.as_secs_f64();
    let plain = median(samples, Metric::Cpu)?.as_secs_f64();
    (plain > 0.0).then_some(recorded / plain)
}

fn median(samples: &[Sample], metric: Metric) -> Option<Nanos> {
    let values = Pool::of(samples, 0).values(metric)?;
    Nanos::from_secs_f64(summary(metric, &values).median)
}
