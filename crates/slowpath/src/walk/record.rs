//! `slowpath record`: one run, or a running process, moment by moment.

use std::time::{Duration, Instant};

use model::Exit;
use model::manifest::Kind;
use run::RunError;
use run::record::Options;

use crate::cli::{Record, RecorderOptions};
use crate::document::{Form, conclude};
use crate::request::{self, Written};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::look;
use crate::walk::why::settings;

/// Samples a second of CPU time where the length of the run is not known.
const RATE: u32 = 999;

/// How long a running process is watched when nobody says.
pub(crate) const USUAL: Duration = Duration::from_secs(10);

/// Samples that tell the shares of a short run well; more are taken a second for it.
const WANTED: f64 = 600.0;

/// Above this rate the timer interrupts cost a run more than seven hundredths of its time.
const MOST: u32 = 4999;

/// A run longer than this is sampled half as often, which still gives more than is needed.
const LONG: f64 = 120.0;

pub(crate) fn record(record: &Record) -> Result<End, Stop> {
    let arms = match record.pid {
        Some(pid) => vec![request::running(pid)],
        None => {
            request::arms(&[Written::spelled(&record.argv, record.target.shell)], &[], &[], &record.target)?
        }
    };
    let duration = record.duration.unwrap_or(USUAL);
    let plan = Plan {
        kind: Kind::Record,
        arms,
        settings: settings(&record.target, Some(1), 0.0, duration.as_secs_f64()),
        gaps: Vec::new(),
        starts: record.pid.is_none(),
    };
    let mut sitting = Sitting::open(plan, &record.target, &record.show)?;
    let options = options(&sitting, &record.recorder, None);
    let outcome = match (record.pid, record.duration) {
        (Some(pid), _) => attach(&mut sitting, pid, duration, &options),
        (None, Some(duration)) => start(&mut sitting, duration, &options),
        (None, None) => sitting.set_up().and_then(|()| {
            sitting.progress.draw(&format!("{}: recording", sitting.label(0)), None);
            sitting.record(&options).map(drop)
        }),
    };
    let outcome = outcome.and_then(|()| look::look_at_lines(&mut sitting));
    let outcome = sitting.end(outcome);
    let document = conclude(&sitting.manifest, &sitting.samples, &[], &sitting.passes, &sitting.gaps());
    let form = Form::of(&record.show, record.csv).with_tree(record.tree);
    match show::finish(&sitting, document.as_ref(), outcome, &record.show, form) {
        Err(stop @ Stop::TargetFailed { ended, .. }) if record.exit_with_target => {
            show::complain(&stop.render());
            return Ok(End::Target(ended));
        }
        other => other?,
    }
    let ended =
        sitting.passes.recording.as_ref().and_then(|recording| recording.run.as_ref()).map(|run| run.ended);
    Ok(match ended {
        Some(ended) if record.exit_with_target => End::Target(ended),
        _ => End::Exit(Exit::Answered),
    })
}

/// Runs the command for so long, and ends it with all its children. One that ends before is answered as well.
pub(crate) fn start(sitting: &mut Sitting<'_>, duration: Duration, options: &Options) -> Result<(), Stop> {
    sitting.set_up()?;
    sitting.progress.pass("watching it, then ending it", Some(duration.as_secs_f64()));
    if let Some(recipe) = sitting.recipes.first_mut() {
        recipe.timeout = Some(recipe.timeout.map_or(duration, |timeout| timeout.min(duration)));
    }
    match sitting.record(options) {
        Err(Stop::Run { source: RunError::TimedOut { .. }, .. }) => sitting.conclude(0),
        other => other.map(drop),
    }
}

/// Watches a process that runs already, and leaves it alone.
pub(crate) fn attach(
    sitting: &mut Sitting<'_>,
    pid: u32,
    duration: Duration,
    options: &Options,
) -> Result<(), Stop> {
    sitting.progress.pass(&format!("watching process {pid}"), Some(duration.as_secs_f64()));
    let until = Instant::now() + duration;
    let recording = run::record::attach(pid, until, &sitting.rig.interrupt, options)
        .map_err(|source| sitting.stopped(0, source))?;
    // A user who has seen enough is not a failure.
    sitting.rig.interrupt.acknowledge();
    sitting.keep(recording)
}

/// How to record, for a run that takes about this long.
pub(crate) fn options(sitting: &Sitting<'_>, asked: &RecorderOptions, wall: Option<Duration>) -> Options {
    Options {
        rate: asked.rate.unwrap_or_else(|| rate(wall)),
        stack: asked.stack,
        level: asked.level,
        project: sitting.folder_of_target(),
        cache: sitting.cache(),
        runtimes: !asked.no_runtimes,
        generated: false,
        seed: sitting.manifest.seed,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to four digits")]
fn rate(wall: Option<Duration>) -> u32 {
    match wall.map(|wall| wall.as_secs_f64()) {
        Some(wall) if wall > LONG => RATE / 2,
        Some(wall) if wall > 0.0 => ((WANTED / wall) as u32).clamp(RATE, MOST),
        _ => RATE,
    }
}
