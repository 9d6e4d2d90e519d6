//! `slowpath import`: another tool's recording as a run of ours.

mod perf_data;

use std::io;
use std::path::Path;

use model::Exit;
use model::manifest::Kind;
use model::recording::Recording;
use tools::recorded::{self, Format, Options, RecordedError};

use crate::cli::{Import, TargetOptions};
use crate::document::{Form, conclude};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::{self, Stop};
use crate::walk::why::settings;

pub(crate) fn import(import: &Import) -> Result<End, Stop> {
    let recording = read(&import.file, import.event.as_deref())?;
    let target = TargetOptions::default();
    let plan = Plan {
        kind: Kind::Import,
        arms: Vec::new(),
        settings: settings(&target, None, 0.0, 0.0),
        gaps: Vec::new(),
        starts: false,
    };
    let mut sitting = Sitting::open(plan, &target, &import.show)?;
    let outcome = sitting.keep(recording);
    let outcome = sitting.end(outcome);
    let document = conclude(&sitting.manifest, &sitting.samples, &[], &sitting.passes, &sitting.gaps());
    let form = Form::of(&import.show, import.csv).with_tree(import.tree);
    show::finish(&sitting, document.as_ref(), outcome, &import.show, form)?;
    Ok(End::Exit(Exit::Answered))
}

/// Reads a file in whichever format it is.
pub(crate) fn read(path: &Path, event: Option<&str>) -> Result<Recording, Stop> {
    let unreadable = |why: String, next: String| Stop::NotRead { path: path.to_owned(), why, next };
    let refused = |error: RecordedError| unreadable(stop::chain(&error), error.next_step());
    let file = stacks::mapped(path).map_err(|error| missing(path, &error))?;
    if file.is_empty() {
        return Err(refused(RecordedError::Empty));
    }
    let options = Options { event };
    match recorded::recognise(path, &file) {
        Some(Format::PerfData) => perf_data::read(&file, &options).map_err(refused),
        Some(format) => recorded::parse(format, &file, &options).map_err(refused),
        None => Err(recorded::damage(&file).map_or_else(
            || {
                unreadable(
            "no known recording looks like this".to_owned(),
            "perf.data, perf script, folded stacks, pprof, speedscope and .cpuprofile files can be read"
                .to_owned(),
        )
            },
            refused,
        )),
    }
}

/// Whether a file looks like another tool's recording, as opposed to its results; one that was cut before that can be told
/// is refused as a recording.
pub(crate) fn is_recording(path: &Path) -> bool {
    path.is_file()
        && stacks::mapped(path)
            .is_ok_and(|file| recorded::recognise(path, &file).is_some() || recorded::damage(&file).is_some())
}

fn missing(path: &Path, error: &io::Error) -> Stop {
    let next = match error.kind() {
        io::ErrorKind::IsADirectory => "name the file in it; `slowpath report` shows run folders",
        _ => "check the path",
    };
    Stop::NotRead { path: path.to_owned(), why: error.to_string(), next: next.to_owned() }
}
