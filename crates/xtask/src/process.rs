//! Starting other programs in the repository, with errors that name the command line.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The cargo that started this task, to be run in `folder`.
pub(crate) fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder);
    command
}

/// The folder of the workspace's `Cargo.toml`, from any folder inside it.
pub(crate) fn workspace_root() -> Result<PathBuf> {
    let mut locate = cargo(Path::new("."));
    locate.args(["locate-project", "--workspace", "--message-format", "plain"]);
    let manifest = String::from_utf8(stdout_of(&mut locate)?).context("the workspace's path is not UTF-8")?;
    let folder = Path::new(manifest.trim_end()).parent();
    Ok(folder.context("the workspace has no folder")?.to_owned())
}

/// What the command prints. Its own error output is part of the error when it does not succeed.
pub(crate) fn stdout_of(command: &mut Command) -> Result<Vec<u8>> {
    let shown = shown(command);
    let output = command.output().with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` ended with {}: {}", output.status, stderr.trim());
    }
    Ok(output.stdout)
}

/// Lets the command write to our terminal. An end other than success is an error.
pub(crate) fn follow(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

/// The command line as one would type it: the program without its folder.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words: Vec<_> = [name].into_iter().chain(command.get_args()).map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_failing_command_is_an_error_with_its_line_status_and_words() {
        let error = stdout_of(&mut shell("echo no such thing >&2; exit 3")).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("`sh -c echo"), "{text}");
        assert!(text.contains("exit status: 3: no such thing"), "{text}");
    }

    #[test]
    fn following_a_failing_command_is_an_error() {
        assert!(follow(&mut shell("exit 1")).is_err());
        assert!(follow(&mut shell("exit 0")).is_ok());
    }

    #[test]
    fn the_workspace_root_is_found_from_a_crate() {
        assert!(workspace_root().unwrap().join("crates/xtask").is_dir());
    }
}
