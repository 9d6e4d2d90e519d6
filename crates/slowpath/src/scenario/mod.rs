//! Named scenarios of `slowpath.toml`: another source of the options that the command line takes.
//!
//! `parse` turns the file's bytes into scenarios and checks every value with the command line's own parsers; `expand`
//! writes a scenario as flags behind what the user typed and lets the command line read them, so an option means the same
//! wherever it stands.

pub(crate) mod expand;
mod keys;
mod parse;

use std::fs;
use std::path::{Path, PathBuf};

use model::scenario::Budget;

use crate::stop::Stop;

/// The name of the file, looked for here and above.
pub(crate) const FILE: &str = "slowpath.toml";

/// All scenarios of a file.
#[derive(Debug)]
pub(crate) struct Scenarios {
    pub(crate) path: PathBuf,
    /// Builds a revision for `gate --rev`.
    pub(crate) build: Option<String>,
    /// In the order of the file.
    pub(crate) all: Vec<Scenario>,
}

/// One named scenario.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scenario {
    pub(crate) command: Words,
    /// Flags by their names, with their values as the command line takes them; paths are still relative to the file.
    pub(crate) options: Vec<(&'static str, String)>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) size: Option<u64>,
    pub(crate) margin: Option<f64>,
    pub(crate) pairs: Option<u32>,
    pub(crate) budgets: Vec<Budget>,
    /// Its name, its work and the user's hypotheses: what goes into the run folder.
    pub(crate) asked: model::scenario::Scenario,
}

/// A command as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Words {
    /// One text, split as a shell would, or left whole for one.
    Text(String),
    Spelled(Vec<String>),
}

impl Scenario {
    pub(crate) fn name(&self) -> &str {
        &self.asked.name
    }

    /// The value of an option as the file has it.
    pub(crate) fn option(&self, flag: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| *name == flag).map(|(_, value)| value.as_str())
    }
}

impl Scenarios {
    pub(crate) fn named(&self, name: &str) -> Option<&Scenario> {
        self.all.iter().find(|scenario| scenario.name() == name)
    }

    /// The folder of the file: where scenarios run, and what their paths are relative to.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    pub(crate) fn unknown(&self, name: &str) -> Stop {
        let names: Vec<&str> = self.all.iter().map(Scenario::name).collect();
        let near = keys::nearest(name, names.iter().copied());
        Stop::Usage {
            what: format!("there is no scenario `{name}`"),
            why: Some(format!("`{}` has {}", self.path.display(), list(&names))),
            next: match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("for a command of that name: `-- {name}`"),
            },
        }
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "no scenarios".to_owned() } else { names.join(", ") }
}

/// The scenarios of the nearest file. `None` when there is none here or above, up to the repository's root.
pub(crate) fn load() -> Result<Option<Scenarios>, Stop> {
    let here = std::env::current_dir().unwrap_or_default();
    let Some(path) = find(&here) else { return Ok(None) };
    let unreadable =
        |why: String, next: &str| Stop::NotRead { path: path.clone(), why, next: next.to_owned() };
    let bytes =
        fs::read(&path).map_err(|error| unreadable(error.to_string(), "check the file's permissions"))?;
    match parse::parse(&bytes) {
        Ok(parsed) => Ok(Some(Scenarios { path, build: parsed.build, all: parsed.scenarios })),
        Err(fault) => {
            Err(unreadable(fault.to_string(), "correct that line; `examples/slowpath.toml` shows every key"))
        }
    }
}

/// The scenarios, or why there are none.
pub(crate) fn expected() -> Result<Scenarios, Stop> {
    load()?.ok_or_else(|| {
        Stop::usage(
            format!("there is no `{FILE}` in this folder or above it"),
            "write one: `[scenario.NAME]` and `command = \"…\"`, as in examples/slowpath.toml",
        )
    })
}

/// The file in this folder or the nearest above; a repository's root is the last place to look.
fn find(folder: &Path) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        let path = folder.join(FILE);
        // A name that is there but is no plain file is told when it is read.
        if path.symlink_metadata().is_ok() {
            return Some(path);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
