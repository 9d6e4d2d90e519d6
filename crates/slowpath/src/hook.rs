//! Shell commands around the runs: setup, prepare, conclude, cleanup, check.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use model::Arm;

use crate::request::filled;
use crate::stop::Stop;

/// Runs a hook of an arm, with its parameters, environment and directory. Its output is of no interest unless it fails.
pub(crate) fn hook(
    name: &'static str,
    text: Option<&OsString>,
    arm: &Arm,
    input: Option<&Path>,
) -> Result<(), Stop> {
    let Some(text) = text else { return Ok(()) };
    let failed = |why: String| Stop::HookFailed { hook: name, why };
    let stdin = match input {
        Some(path) => Stdio::from(File::open(path).map_err(|error| failed(error.to_string()))?),
        None => Stdio::null(),
    };
    let output = shell(&filled(text, &arm.params), arm)
        .stdin(stdin)
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).map(|line| format!(": {line}"));
    Err(failed(format!(
        "`{}` ended with {}{}",
        text.to_string_lossy(),
        output.status,
        last.unwrap_or_default()
    )))
}

/// `sh -c TEXT` where and how the arm's target runs.
pub(crate) fn shell(text: &OsString, arm: &Arm) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(text);
    let env: &BTreeMap<String, model::Arg> = &arm.target.env;
    command.envs(env.iter().map(|(name, value)| (name, value.as_os_str())));
    if let Some(cwd) = &arm.target.cwd {
        command.current_dir(cwd.as_os_str());
    }
    command
}
