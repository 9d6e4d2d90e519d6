//! `slowpath -- CMD`.

use std::time::Duration;

use model::compare::Settings;
use model::manifest::Kind;
use model::{Exit, Stage};
use stats::Values;

use crate::cli::{TargetOptions, Why};
use crate::document::{Form, conclude};
use crate::request::{self, Written};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::bench::{Stopping, measure};
use crate::walk::{calls, look, record};

/// How well the median must be known before the answer is given.
const PRECISION: f64 = 0.02;

pub(crate) fn why(why: &Why) -> Result<End, Stop> {
    let written = Written::spelled(&why.argv, why.target.shell);
    let plan = Plan {
        kind: Kind::Why,
        arms: request::arms(&[written], &[], &[], &why.target)?,
        settings: settings(&why.target, why.runs, PRECISION, why.budget.as_secs_f64()),
        gaps: Vec::new(),
        starts: true,
    };
    let mut sitting = Sitting::open(plan, &why.target, &why.show)?;
    let stopping = Stopping { runs: why.runs, budget: why.budget, precision: PRECISION, least: 6 };
    let outcome = measure(&mut sitting, &stopping).and_then(|()| account(&mut sitting, why));
    let outcome = sitting.end(outcome);
    let document = conclude(&sitting.manifest, &sitting.samples, &[], &sitting.passes, &sitting.gaps());
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
        _ => Ok(End::Exit(Exit::Answered)),
    }
}

/// One run under the recorder. What it sees stands beside the timing; the timing never comes from it.
fn account(sitting: &mut Sitting<'_>, why: &Why) -> Result<(), Stop> {
    if why.no_record {
        return Ok(());
    }
    let walls: Vec<f64> = sitting.samples.iter().map(|sample| sample.wall.as_secs_f64()).collect();
    let wall = Values::new(walls).map(|walls| Duration::from_secs_f64(stats::median(&walls)));
    sitting.progress.draw(&format!("{}: recording one run", sitting.label(0)), None);
    sitting.record(&record::options(sitting, &why.recorder, wall))?;
    let Some(recording) = sitting.passes.recording.as_ref() else { return Ok(()) };
    let study = diagnose::recorded::study_of(&sitting.manifest, &sitting.samples, recording, &[]);
    look::look(sitting, &study)?;
    calls::trace(sitting, &study)
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
