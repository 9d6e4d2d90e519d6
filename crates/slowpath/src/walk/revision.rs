//! Two git revisions, each in a worktree of its own, built there and removed afterwards.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use model::{Arg, Arm};

use crate::cli::Compare;
use crate::progress::Progress;
use crate::request::{self, Written};
use crate::stop::Stop;
use crate::walk::compare::with_control;

/// The name of our folders, followed by the process id, so that those of a killed slowpath can be told.
const PREFIX: &str = "slowpath-rev-";

/// Two checked-out revisions; dropping them removes the worktrees.
pub(crate) struct Revisions<'a> {
    compare: &'a Compare,
    folder: PathBuf,
    /// From the repository's root to where the user stands.
    inside: PathBuf,
    sides: Vec<(String, PathBuf)>,
}

impl<'a> Revisions<'a> {
    /// Checks out and builds both sides. The user's tree is not touched.
    pub(crate) fn check_out(range: &str, compare: &'a Compare) -> Result<Self, Stop> {
        if compare.argv.is_empty() {
            return Err(Stop::usage(
                "there is no command to run in the revisions",
                "`slowpath compare --rev BASE..HEAD --build 'make' -- ./prog 1`",
            ));
        }
        if compare.target.cwd.is_some() {
            return Err(Stop::usage(
                "`--cwd` and `--rev` contradict each other",
                "go to the folder of the repository where the command belongs",
            ));
        }
        let (base, new) = range.split_once("..").unwrap_or((range, "HEAD"));
        let new = if new.is_empty() { "HEAD" } else { new };
        let inside = git(&["rev-parse", "--show-prefix"]).map_err(|why| failed(range, why))?;
        sweep();
        let folder = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
        std::fs::create_dir(&folder).map_err(|error| failed(range, error.to_string()))?;
        let mut this = Self { compare, folder, inside: path_of(&inside), sides: Vec::new() };
        // Names of one length: the length of a path can move what is measured.
        for (name, revision) in [("a", base), ("b", new)] {
            this.add(name, revision)?;
        }
        this.build()?;
        Ok(this)
    }

    fn add(&mut self, name: &str, revision: &str) -> Result<(), Stop> {
        let commit =
            git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])
                .map_err(|_| Stop::Revision {
                    revision: revision.to_owned(),
                    why: "git knows no such commit".to_owned(),
                    next: "`git log --oneline` lists commits; `--rev BASE..HEAD` names two".to_owned(),
                })?;
        let commit = String::from_utf8_lossy(&commit).trim().to_owned();
        let path = self.folder.join(name);
        let mut arguments: Vec<&OsStr> =
            ["worktree", "add", "--quiet", "--detach"].iter().map(OsStr::new).collect();
        arguments.extend([path.as_os_str(), OsStr::new(&commit)]);
        git(&arguments).map_err(|why| failed(revision, why))?;
        let short: String = commit.chars().take(10).collect();
        self.sides.push((format!("{revision} ({short})"), path));
        Ok(())
    }

    fn build(&self) -> Result<(), Stop> {
        let Some(build) = &self.compare.build else { return Ok(()) };
        let mut progress = Progress::new(self.compare.show.quiet);
        for (label, path) in &self.sides {
            progress.draw(&format!("building {label}"), None);
            let output = Command::new("sh")
                .arg("-c")
                .arg(build)
                .current_dir(path.join(&self.inside))
                .stdin(Stdio::null())
                .output()
                .map_err(|error| failed(label, error.to_string()))?;
            if !output.status.success() {
                let why = format!("{} in {label}", last_words(&output));
                return Err(Stop::HookFailed { hook: "build", why });
            }
        }
        Ok(())
    }

    /// The command in each worktree.
    pub(crate) fn arms(&self) -> Result<Vec<Arm>, Stop> {
        let written = Written::spelled(&self.compare.argv, self.compare.target.shell);
        let mut arms = Vec::new();
        for (label, path) in &self.sides {
            let made = request::arms(std::slice::from_ref(&written), &[], &[], &self.compare.target)?;
            arms.extend(made.into_iter().map(|mut arm| {
                arm.label.clone_from(label);
                arm.target.cwd = Some(Arg::from(path.join(&self.inside).into_os_string()));
                arm
            }));
        }
        Ok(with_control(arms, self.compare.control))
    }
}

impl Drop for Revisions<'_> {
    fn drop(&mut self) {
        for (_, path) in &self.sides {
            remove(path);
        }
        let _ = std::fs::remove_dir_all(&self.folder);
        let _ = git(&["worktree", "prune"]);
    }
}

fn remove(path: &Path) {
    let arguments = [OsStr::new("worktree"), OsStr::new("remove"), OsStr::new("--force"), path.as_os_str()];
    let _ = git(&arguments);
}

/// Removes worktrees that a killed slowpath left behind.
fn sweep() {
    let list = git(&["worktree", "list", "--porcelain"]).unwrap_or_default();
    for line in list.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"worktree ")) {
        let path = PathBuf::from(OsString::from_vec(line.to_vec()));
        let Some(folder) = path.parent() else { continue };
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let dead = name.strip_prefix(PREFIX).is_some_and(|pid| !Path::new("/proc").join(pid).exists());
        if dead {
            remove(&path);
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// What git prints, or why it refuses.
fn git(arguments: &[impl AsRef<OsStr>]) -> Result<Vec<u8>, String> {
    let output = Command::new("git")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start git: {error}"))?;
    if output.status.success() { Ok(output.stdout) } else { Err(last_words(&output)) }
}

fn last_words(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    format!("{}: {}", output.status, line.trim())
}

fn failed(revision: &str, why: String) -> Stop {
    Stop::Revision {
        revision: revision.to_owned(),
        why,
        next: "run it inside a git repository, with a revision it knows".to_owned(),
    }
}

fn path_of(line: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(line.trim_ascii_end().to_vec()))
}
