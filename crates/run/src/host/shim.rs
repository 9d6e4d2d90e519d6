//! Programs behind the shims of version managers.
//!
//! pyenv, rbenv, nodenv and their kin put a shell script for each program on PATH. It looks up which version is wanted and
//! executes that, after forty processes of its own. The scripts end alike: `exec "…/pyenv" exec "$program" "$@"`, and
//! `pyenv which python3` names the program. Checked with pyenv 2.6.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::versions::{PATIENCE, answer};

/// Shims are shorter; what is longer does more.
const LONGEST: u64 = 4096;

/// The program that a shim executes in `cwd` with this environment. `None` for whatever is not a shim.
#[must_use]
pub fn behind_shim(path: &Path, env: &[(OsString, OsString)], cwd: Option<&Path>) -> Option<PathBuf> {
    let name = path.file_name()?;
    let shim = text(path)?;
    let mut asked = Command::new(manager(&shim)?);
    asked.arg("which").arg(name).env_clear().envs(env.iter().map(|(name, value)| (name, value)));
    asked.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    if let Some(cwd) = cwd {
        asked.current_dir(cwd);
    }
    let found = PathBuf::from(answer(asked.spawn().ok()?, Instant::now() + PATIENCE)?);
    (found.is_absolute() && found.is_file() && found != path).then_some(found)
}

/// The whole of a short script.
fn text(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    if file.metadata().ok()?.len() > LONGEST {
        return None;
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    text.starts_with("#!").then_some(text)
}

/// The manager that a shim hands over to.
fn manager(shim: &str) -> Option<&OsStr> {
    let last = shim.lines().rfind(|line| !line.trim().is_empty())?;
    let manager = last.strip_prefix("exec \"")?.strip_suffix("\" exec \"$program\" \"$@\"")?;
    Path::new(manager).is_absolute().then_some(OsStr::new(manager))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Another process writes the scripts, so that no descriptor of ours is open for writing when they are executed.
    fn script(path: &Path, text: &str) {
        let write = "printf '%s\n' \"$1\" > \"$2\" && chmod 755 \"$2\"";
        let written = Command::new("sh").args(["-c", write, "sh", text]).arg(path).status();
        assert!(written.unwrap().success());
    }

    #[test]
    fn a_shim_is_seen_through_and_other_scripts_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let (shim, manager) = (folder.path().join("sh"), folder.path().join("manager"));
        script(&manager, "#!/bin/sh\ntest \"$1 $2\" = 'which sh' && echo \"$WANTED\"");
        let last = format!("exec \"{}\" exec \"$program\" \"$@\"", manager.display());
        script(&shim, &format!("#!/bin/sh\nprogram=\"${{0##*/}}\"\n{last}"));
        let env = |wanted: &str| vec![(OsString::from("WANTED"), OsString::from(wanted))];
        assert_eq!(behind_shim(&shim, &env("/bin/sh"), None), Some(PathBuf::from("/bin/sh")));
        assert_eq!(behind_shim(&shim, &env("/no/such/program"), None), None);
        assert_eq!(behind_shim(&shim, &env(""), None), None);
        assert_eq!(behind_shim(&manager, &env("/bin/sh"), None), None);
        assert_eq!(behind_shim(Path::new("/bin/sh"), &env("/bin/sh"), None), None);
        script(&shim, &format!("#!/bin/sh\n{last}\necho more"));
        assert_eq!(behind_shim(&shim, &env("/bin/sh"), None), None);
    }
}
