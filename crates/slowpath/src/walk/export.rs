//! `slowpath export`: a recording for other tools, or as a picture.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use model::Exit;
use model::recording::Recording;
use report::export;
use report::flame::{self, Direction, Flame};

use crate::cli::{Export, ExportFormat, View};
use crate::show::End;
use crate::stop::Stop;
use crate::walk::{import, stored};

pub(crate) fn export(export: &Export) -> Result<End, Stop> {
    let recording = recording(&export.run)?;
    let before = export.against.as_deref().map(self::recording).transpose()?;
    if before.is_some() && export.format != ExportFormat::Flame {
        return Err(Stop::usage("only a flame graph shows a difference", "add `--format flame`"));
    }
    match &export.output {
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
        ExportFormat::Timeline => out.write_all(flame::timeline(recording).as_bytes()),
    }
}

/// A run's recording, or another tool's file.
fn recording(name: &Path) -> Result<Recording, Stop> {
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
