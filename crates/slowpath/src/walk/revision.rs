//! Two git revisions, each in a worktree of its own, built there and removed afterwards.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use model::{Arg, Arm};
use run::Rig;
use run::stdio::{Captured, Output};

use crate::cli::Compare;
use crate::hook::{Hook, shell, stopped, succeeded};
use crate::progress::Progress;
use crate::request::{self, Written};
use crate::stop::Stop;
use crate::walk::compare::with_control;

/// The name of our folders, followed by the process id, so that those of a killed slowpath can be told.
const PREFIX: &str = "slowpath-rev-";

/// What git tells its hooks about the repository they run in; it is not true of a worktree of ours.
const LOCAL: [&str; 5] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"];

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
        // Signals are caught from here on, so that the worktrees are removed whatever happens.
        let rig = Rig::open().map_err(|source| Stop::Run { command: "the build".to_owned(), source })?;
        let (base, new) = range.split_once("..").unwrap_or((range, "HEAD"));
        let new = if new.is_empty() { "HEAD" } else { new };
        let inside = git(&["rev-parse", "--show-prefix"]).map_err(|why| failed(range, why))?;
        sweep();
        let folder = std::env::temp_dir().join(format!("{PREFIX}{}", process::id()));
        std::fs::create_dir(&folder).map_err(|error| failed(range, error.to_string()))?;
        let mut this = Self { compare, folder, inside: path_of(&inside), sides: Vec::new() };
        // Names of one length: the length of a path can move what is measured.
        for (name, revision) in [("a", base), ("b", new)] {
            let added = this.add(name, revision);
            if let Some(signal) = rig.interrupt.raised() {
                return Err(Stop::Interrupted { signal });
            }
            added?;
        }
        this.build(&rig)?;
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

    fn build(&self, rig: &Rig) -> Result<(), Stop> {
        let Some(build) = &self.compare.build else { return Ok(()) };
        let mut progress = Progress::new(self.compare.show.quiet);
        for arm in &self.arms()? {
            progress.draw(&format!("building {}", arm.label), None);
            let mut recipe = shell(build, arm)?;
            recipe.env.retain(|(name, _)| !LOCAL.iter().any(|local| name == local));
            recipe.stderr = Output::Capture;
            let (ended, said) = run::beside(rig, &recipe).map_err(|source| stopped(build, source))?;
            let said = said.as_ref().map(Captured::tail).unwrap_or_default();
            succeeded(&Hook { name: "build", text: build, input: None }, ended, said)?;
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
    let mut command = Command::new("git");
    command.args(arguments).stdin(Stdio::null());
    LOCAL.iter().for_each(|name| {
        command.env_remove(name);
    });
    let output = command.output().map_err(|error| format!("cannot start git: {error}"))?;
    if output.status.success() { Ok(output.stdout) } else { Err(last_words(&output)) }
}

fn last_words(output: &process::Output) -> String {
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
