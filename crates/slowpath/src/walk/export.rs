//! `slowpath export`: a recording for other tools, or as a picture.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use ::report::export;
use ::report::flame::{self, Direction, Flame};
use model::Exit;
use model::recording::Recording;

use crate::cli::{Export, ExportFormat, View};
use crate::document::Document;
use crate::show::{self, End};
use crate::stop::Stop;
use crate::walk::{import, map, report, revision, stored};

pub(crate) fn export(export: &Export) -> Result<End, Stop> {
    if export.format == ExportFormat::Sarif {
        return findings(export);
    }
    if let Some(text) = map::exported(export)? {
        return hand_over(export, &text);
    }
    let recording = recording(&export.run)?;
    let before = export.against.as_deref().map(self::recording).transpose()?;
    if before.is_some() && export.format != ExportFormat::Flame {
        return Err(Stop::usage("only a flame graph shows a difference", "add `--format flame`"));
    }
    match export.output() {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            match write(export, &recording, before.as_ref(), &mut out).and_then(|()| out.flush()) {
                // A reader that has gone away is no error.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    return Err(not_written(Path::new("standard output"), &error));
                }
                _ => {}
            }
        }
        Some(path) => {
            let file = File::create(path).map_err(|error| not_written(path, &error))?;
            let mut out = BufWriter::new(file);
            write(export, &recording, before.as_ref(), &mut out)
                .and_then(|()| out.flush())
                .map_err(|error| not_written(path, &error))?;
        }
    }
    Ok(End::Exit(Exit::Answered))
}

/// The findings of an answer or a gate, for a code scanner.
fn findings(export: &Export) -> Result<End, Stop> {
    let root = revision::root().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    let roots = [root.display().to_string()];
    let text = match report::document(&export.run)? {
        Document::Why(answer) => ::report::answer_sarif(&answer, &roots),
        Document::Gate(gate) => ::report::gate_sarif(&gate, &roots),
        _ => {
            return Err(Stop::usage(
                "only the findings of `why` and `gate` can be written as SARIF",
                "name a run of `slowpath -- COMMAND` or `slowpath gate`",
            ));
        }
    };
    hand_over(export, &text)
}

fn hand_over(export: &Export, text: &str) -> Result<End, Stop> {
    match export.output() {
        None => show::print(text)?,
        Some(path) => std::fs::write(path, text).map_err(|error| not_written(path, &error))?,
    }
    Ok(End::Exit(Exit::Answered))
}

fn write(
    asked: &Export,
    recording: &Recording,
    before: Option<&Recording>,
    out: &mut impl Write,
) -> io::Result<()> {
    let kind = match asked.view {
        View::Cpu => flame::Kind::OnCpu,
        View::OffCpu => flame::Kind::OffCpu,
        View::Wall => flame::Kind::Wall,
    };
    match asked.format {
        ExportFormat::Folded => export::folded(recording, kind, out),
        ExportFormat::Pprof => export::pprof(recording, out),
        ExportFormat::Speedscope => export::speedscope(recording, out),
        ExportFormat::Firefox => export::firefox(recording, out),
        ExportFormat::Chrome => export::chrome(recording, out),
        ExportFormat::Flame => {
            let direction = if asked.reverse { Direction::Callers } else { Direction::Callees };
            let flame = Flame { kind, direction, before, title: None };
            out.write_all(flame::svg(recording, &flame).as_bytes())
        }
        // Conclusions are no recording; they were written above.
        ExportFormat::Sarif
        | ExportFormat::ProfileResult
        | ExportFormat::WorkerResult
        | ExportFormat::WorkerSummary => Ok(()),
        ExportFormat::Timeline => out.write_all(flame::timeline(recording).as_bytes()),
    }
}

/// A run's recording, or another tool's file.
pub(crate) fn recording(name: &Path) -> Result<Recording, Stop> {
    if name.is_file() {
        return import::read(name, None);
    }
    let (id, recording) = stored::recording(name)?;
    recording.ok_or_else(|| Stop::Nothing {
        why: format!("run {id} has no recording"),
        next: "record one: `slowpath record -- COMMAND`".to_owned(),
    })
}

fn not_written(path: &Path, error: &io::Error) -> Stop {
    Stop::NotWritten {
        path: path.to_owned(),
        why: error.to_string(),
        next: "choose another file with `-o`".to_owned(),
    }
}
