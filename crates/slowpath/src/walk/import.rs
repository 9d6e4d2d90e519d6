//! `slowpath import`: another tool's recording as a run of ours.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use model::Exit;
use model::manifest::Kind;
use model::recording::Recording;
use tools::recorded::{self, Options};

use crate::cli::{Import, TargetOptions};
use crate::document::{Form, conclude};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::why::settings;

/// Enough of a file to tell its format.
const HEAD: u64 = 64 * 1024;

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
    let document =
        conclude(&sitting.manifest, &sitting.samples, &[], sitting.recording.as_ref(), &sitting.gaps());
    let form = Form::of(&import.show, import.csv).with_tree(import.tree);
    show::finish(&sitting, document.as_ref(), outcome, &import.show, form)?;
    Ok(End::Exit(Exit::Answered))
}

/// Reads a file in whichever format it is.
pub(crate) fn read(path: &Path, event: Option<&str>) -> Result<Recording, Stop> {
    let unreadable = |why: String, next: String| Stop::NotRead { path: path.to_owned(), why, next };
    let missing = |error: std::io::Error| unreadable(error.to_string(), "check the path".to_owned());
    let mut head = Vec::new();
    File::open(path).map_err(missing)?.take(HEAD).read_to_end(&mut head).map_err(missing)?;
    let Some(format) = recorded::recognise(path, &head) else {
        return Err(unreadable(
            "no known recording looks like this".to_owned(),
            "perf.data, perf script, folded stacks, pprof, speedscope and .cpuprofile files can be read"
                .to_owned(),
        ));
    };
    let bytes = fs::read(path).map_err(missing)?;
    let options = Options { event };
    recorded::parse(format, &bytes, &options)
        .map_err(|error| unreadable(error.to_string(), error.next_step()))
}
