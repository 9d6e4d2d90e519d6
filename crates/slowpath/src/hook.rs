//! Shell commands around the runs: setup, prepare, conclude, cleanup, check, and the build of a revision.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use model::{Arm, Ended};
use run::launch::{Layout, environment};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, RunError};

use crate::request::{filled, program};
use crate::stop::{Stop, ended_words};

/// A shell command of the user's, and what it reads.
pub(crate) struct Hook<'a> {
    pub(crate) name: &'static str,
    pub(crate) text: &'a OsStr,
    pub(crate) input: Option<&'a Path>,
}

/// Runs a hook of an arm, with its parameters, environment and directory. Its output is of no interest unless it
/// fails; meanwhile what it says goes to the file `said`, and not to a pipe, because a server it starts keeps that.
pub(crate) fn hook(rig: &Rig, hook: &Hook<'_>, arm: &Arm, said: &Path) -> Result<(), Stop> {
    let mut recipe = shell(&filled(hook.text, &arm.params), arm)?;
    recipe.stdin = hook.input.map_or(Input::Null, |path| Input::File(path.to_owned()));
    recipe.stderr = Output::File(said.to_owned());
    let ended = run::beside(rig, &recipe);
    let words = fs::read(said).unwrap_or_default();
    let _ = fs::remove_file(said);
    let (ended, _) = ended.map_err(|source| stopped(hook.text, source))?;
    succeeded(hook, ended, &words)
}

pub(crate) fn stopped(text: &OsStr, source: RunError) -> Stop {
    match source {
        RunError::Interrupted { signal } => Stop::Interrupted { signal },
        source => Stop::Run { command: text.to_string_lossy().into_owned(), source },
    }
}

/// The failure of a hook, with its last words.
pub(crate) fn succeeded(hook: &Hook<'_>, ended: Ended, said: &[u8]) -> Result<(), Stop> {
    if ended.succeeded() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(said);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).map(|line| format!(": {line}"));
    let why = format!(
        "`{}` ended with {}{}",
        hook.text.to_string_lossy(),
        ended_words(ended),
        last.unwrap_or_default()
    );
    Err(Stop::HookFailed { hook: hook.name, why })
}

/// `sh -c TEXT` where and how the arm's target runs.
pub(crate) fn shell(text: &OsStr, arm: &Arm) -> Result<Recipe, Stop> {
    let env = environment(arm.target.env.iter().map(|(name, value)| (OsStr::new(name), value.as_os_str())));
    let cwd = arm.target.cwd.as_ref().map(|cwd| cwd.as_os_str().into());
    Ok(Recipe {
        path: program(OsStr::new("sh"), &env, None)?,
        argv: vec!["sh".into(), "-c".into(), text.to_owned()],
        env,
        cwd,
        stdin: Input::Null,
        stdout: Output::Null,
        stderr: Output::Null,
        timeout: None,
        layout: Layout::Random,
    })
}
