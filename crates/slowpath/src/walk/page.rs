//! `slowpath report RUN --html`: the page of a stored run, written again.

use std::fs;
use std::path::{Path, PathBuf};

use history::Loaded;
use model::Exit;
use model::manifest::Manifest;
use model::passes::Passes;

use crate::cli::Report;
use crate::document::Parts;
use crate::show::{self, End, PAGE};
use crate::stop::Stop;
use crate::walk::stored::{Source, load};
use crate::walk::{export, import, report, stored};

pub(crate) fn page(asked: &Report) -> Result<End, Stop> {
    let run = kept(&asked.run)?;
    let path = match &asked.output {
        Some(path) => path.clone(),
        None => beside(&asked.run)?,
    };
    let before = asked.against.as_deref().map(export::recording).transpose()?;
    let document = report::document(&asked.run)?;
    let parts = Parts {
        manifest: run.manifest(),
        samples: run.samples(),
        passes: run.passes(),
        before: before.as_ref(),
    };
    let Some(text) = document.html(&parts) else {
        return Err(Stop::usage("this run has no page", "`slowpath report` shows it as text"));
    };
    fs::write(&path, text).map_err(|error| Stop::NotWritten {
        path: path.clone(),
        why: error.to_string(),
        next: "write it elsewhere: `-o FILE`".to_owned(),
    })?;
    if !asked.show.quiet {
        show::complain(&format!("report: {}\n", path.display()));
    }
    Ok(End::Exit(Exit::Answered))
}

/// What is known besides the document.
enum Kept {
    Run(Box<Loaded>),
    /// Another tool's recording.
    Passes(Box<Passes>),
    /// Another tool's results, which are all in the document.
    Nothing(Box<Passes>),
}

impl Kept {
    fn manifest(&self) -> Option<&Manifest> {
        match self {
            Self::Run(run) => Some(&run.manifest),
            Self::Passes(_) | Self::Nothing(_) => None,
        }
    }

    fn samples(&self) -> &[model::Sample] {
        match self {
            Self::Run(run) => &run.samples,
            Self::Passes(_) | Self::Nothing(_) => &[],
        }
    }

    fn passes(&self) -> &Passes {
        match self {
            Self::Run(run) => &run.passes,
            Self::Passes(passes) => passes,
            Self::Nothing(passes) => passes,
        }
    }
}

fn kept(name: &Path) -> Result<Kept, Stop> {
    if import::is_recording(name) {
        let recording = Some(import::read(name, None)?);
        return Ok(Kept::Passes(Box::new(Passes { recording, ..Passes::default() })));
    }
    Ok(match load(name)? {
        Source::Run(run) => Kept::Run(run),
        Source::File(..) => Kept::Nothing(Box::default()),
    })
}

/// Where the page of a run lies.
fn beside(name: &Path) -> Result<PathBuf, Stop> {
    if name.is_file() {
        return Err(Stop::usage("another tool's file has no run folder to write to", "`-o FILE` says where"));
    }
    Ok(stored::folder(name)?.join(PAGE))
}
