//! `slowpath --pid PID` and `slowpath --duration TIME -- COMMAND`: why is a program slow that does not end by itself?
//!
//! Nothing is timed: the answer is about the time in which it was watched.

use model::Exit;
use model::manifest::Kind;

use crate::cli::Why;
use crate::document::{Form, conclude};
use crate::request::{self, Written};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::look::{self, Loops};
use crate::walk::why::settings;
use crate::walk::{map, record, score, worklist};

pub(crate) fn watch(why: &Why) -> Result<End, Stop> {
    let arms = match why.pid {
        Some(pid) => vec![request::running(pid)],
        None => request::arms(&[Written::spelled(&why.argv, why.target.shell)], &[], &[], &why.target)?,
    };
    let duration = why.duration.unwrap_or(record::USUAL);
    let plan = Plan {
        kind: Kind::Why,
        arms,
        settings: settings(&why.target, Some(1), 0.0, duration.as_secs_f64()),
        gaps: Vec::new(),
        starts: why.pid.is_none(),
    };
    let mut sitting = Sitting::open(plan, &why.target, &why.show)?;
    let options = record::options(&sitting, &why.recorder, None);
    let outcome = match why.pid {
        Some(pid) => record::attach(&mut sitting, pid, duration, &options),
        None => record::start(&mut sitting, duration, &options),
    };
    let outcome = outcome.and_then(|()| {
        let Some(recording) = sitting.passes.recording.as_ref() else { return Ok(()) };
        let study = diagnose::recorded::study_of(&sitting.manifest, &sitting.samples, recording, &[]);
        look::look(&mut sitting, &study, Loops::Hottest)
    });
    let outcome = sitting.end(outcome);
    let mut document = conclude(&sitting.manifest, &sitting.samples, &[], &sitting.passes, &sitting.gaps());
    if let Some(document) = &mut document {
        score::add(document, &sitting.manifest, &sitting.samples, &sitting.passes);
    }
    map::write(&sitting, document.as_ref(), None)?;
    worklist::write(&sitting, document.as_ref())?;
    show::finish(&sitting, document.as_ref(), outcome, &why.show, Form::of(&why.show, false))?;
    Ok(End::Exit(Exit::Answered))
}
