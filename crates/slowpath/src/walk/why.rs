//! `slowpath -- CMD`.

use std::time::Duration;

use model::compare::Settings;
use model::manifest::Kind;
use model::{Exit, Stage};
use run::record::Options;
use stats::Values;

use crate::cli::tier::Tier;
use crate::cli::{RecorderOptions, TargetOptions, Why};
use crate::document::{Document, Form, conclude};
use crate::request::Written;
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::bench::Stopping;
use crate::walk::look::{self, Loops};
use crate::walk::{
    calls, functions, generated, gpu, heap, map, record, runtime, scale, score, solo, stored, suite, tier,
    watch, worklist,
};

/// How well the median must be known before the answer is given.
const PRECISION: f64 = 0.02;

pub(crate) fn why(why: &Why) -> Result<End, Stop> {
    if why.pid.is_some() || why.duration.is_some() && !why.argv.is_empty() {
        return watch::watch(why);
    }
    if why.argv.is_empty() {
        return Err(Stop::usage(
            "there is no COMMAND to explain",
            "`slowpath -- COMMAND`, or `slowpath why SCENARIO` for one of `slowpath.toml`",
        ));
    }
    let standard = score::standard(&why.score)?;
    let written = Written::spelled(&why.argv, why.target.shell);
    let suite = suite::of(why);
    let mut gaps = Vec::new();
    let plan = Plan {
        kind: Kind::Why,
        arms: suite::arms(suite, tier::arms(why, &written)?, why, &mut gaps)?,
        settings: Settings {
            scale: tier::asked(why, &written),
            ..settings(&why.target, why.runs, PRECISION, why.budget.as_secs_f64())
        },
        gaps,
        starts: true,
    };
    let mut sitting = Sitting::open(plan, &why.target, &why.show)?;
    score::keep(&mut sitting, standard)?;
    let stopping = Stopping { runs: why.runs, budget: timing(why.budget), precision: PRECISION, least: 6 };
    let loops = if why.tier.tier == Tier::Asm { Loops::All } else { Loops::Hottest };
    let (before, mut gpu) = (gpu::look(), None);
    let timed = match suite {
        Some(suite) => suite::time(&mut sitting, suite, why.runs),
        None => tier::time(&mut sitting, why, &stopping),
    };
    let mut during = Vec::new();
    let outcome = timed
        .and_then(|()| {
            if why.no_record {
                return Ok(());
            }
            let watch = gpu::Watch::begin(before.as_ref());
            let recorded = account_with(&mut sitting, &why.recorder, loops);
            during = watch.map(gpu::Watch::end).unwrap_or_default();
            recorded
        })
        .and_then(|()| {
            if let Some(suite) = suite.filter(|_| why.tier.tier >= Tier::Medium) {
                suite::fix(&mut sitting, suite)?;
            }
            tier::gather(&mut sitting, &why.tier)
        })
        .and_then(|()| {
            gpu = gpu::keep(&sitting, before, &during)?;
            Ok(())
        });
    let outcome = sitting.end(outcome);
    let mut document =
        conclude(&sitting.manifest, &sitting.samples, &sitting.counted, &sitting.passes, &sitting.gaps());
    if let Some(document) = &mut document {
        stored::add_kept(document, sitting.folder().path());
        score::add(document, &sitting.manifest, &sitting.samples, &sitting.passes);
    }
    map::write(&sitting, document.as_ref(), gpu.as_ref())?;
    worklist::write(&sitting, document.as_ref())?;
    let compared = score::write(&sitting, document.as_ref(), &why.score, outcome.is_ok())?;
    match show::finish(&sitting, document.as_ref(), outcome, &why.show, Form::of(&why.show, false)) {
        // The failure is told as ever; only the exit status is the target's.
        Err(stop @ Stop::TargetFailed { ended, .. }) if why.exit_with_target => {
            show::complain(&stop.render());
            return Ok(End::Target(ended));
        }
        other => other?,
    }
    let last = sitting.samples.iter().rfind(|sample| sample.stage != Stage::WarmUp);
    match last {
        Some(sample) if why.exit_with_target => Ok(End::Target(sample.ended)),
        _ => Ok(End::Exit(exit(why, document.as_ref(), compared))),
    }
}

/// The timed runs need no more than this, whatever the budget; of a larger one half, the other half is for the passes.
const TIMING: Duration = Duration::from_millis(1100);

/// What the timed runs may take of a budget.
fn timing(budget: Duration) -> Duration {
    budget.min(TIMING).max(budget / 2)
}

/// The gates the user set: on the growth, and against a baseline. A broken one is the answer, then one that cannot tell.
fn exit(why: &Why, document: Option<&Document>, compared: Exit) -> Exit {
    let growth = match document {
        // What was not measured does not hold.
        Some(Document::Why(answer)) if answer.scaling.is_none() && why.tier.expected.is_some() => {
            Exit::Inconclusive
        }
        Some(Document::Why(answer)) => scale::exit(answer.scaling.as_ref()),
        _ => Exit::Answered,
    };
    match (growth, compared) {
        (Exit::GateBroken, _) | (_, Exit::GateBroken) => Exit::GateBroken,
        (growth, Exit::Answered) => growth,
        (_, compared) => compared,
    }
}

/// One run under the recorder. What it sees stands beside the timing; the timing never comes from it.
pub(crate) fn account(sitting: &mut Sitting<'_>, recorder: &RecorderOptions) -> Result<(), Stop> {
    account_with(sitting, recorder, Loops::Hottest)
}

/// The same, with a say in which machine code is looked at.
fn account_with(sitting: &mut Sitting<'_>, recorder: &RecorderOptions, loops: Loops) -> Result<(), Stop> {
    let arm = u32::try_from(sitting.subject()).unwrap_or(u32::MAX);
    let own = sitting.samples.iter().filter(|sample| sample.arm == arm);
    let walls: Vec<f64> = own.map(|sample| sample.wall.as_secs_f64()).collect();
    let wall = Values::new(walls).map(|walls| Duration::from_secs_f64(stats::median(&walls)));
    sitting
        .progress
        .pass("recording one run: where is it, moment by moment", wall.map(|wall| wall.as_secs_f64()));
    let options = Options { generated: loops == Loops::All, ..record::options(sitting, recorder, wall) };
    let made = sitting.record(&options)?;
    let Some(recording) = sitting.passes.recording.as_ref() else { return Ok(()) };
    let study = diagnose::recorded::study_of(&sitting.manifest, &sitting.samples, recording, &[]);
    look::look(sitting, &study, loops)?;
    generated::look(sitting, &made)?;
    calls::trace(sitting, &study)?;
    look::look_at_callers(sitting)?;
    heap::watch(sitting, &study)?;
    solo::alone(sitting, &study)?;
    runtime::ask(sitting, &study, !recorder.no_runtimes)?;
    functions::watch(sitting, &study, !recorder.no_runtimes)?;
    look::look_at_awaited(sitting)
}

/// The settings of a request that compares nothing.
pub(crate) fn settings(
    options: &TargetOptions,
    runs: Option<u32>,
    precision: f64,
    budget_s: f64,
) -> Settings {
    Settings {
        margin: 0.02,
        pairs: None,
        control: false,
        runs,
        precision,
        budget_s,
        ignore_failure: options.ignore_failure,
        cold: options.cold,
        captured: options.stdout == crate::cli::parse::Stream::Capture
            || options.stderr == crate::cli::parse::Stream::Capture,
        warm_up: options.warmup,
        count: false,
        startup: None,
        scale: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_budget_is_divided_between_runs_and_passes() {
        let timed = |millis: u64| timing(Duration::from_millis(millis)).as_millis();
        assert_eq!([timed(300), timed(1100), timed(2000), timed(15_000)], [300, 1100, 1100, 7500]);
    }
}
