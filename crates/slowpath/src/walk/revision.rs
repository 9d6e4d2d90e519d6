//! Two git revisions, each in a worktree of its own, built there and removed afterwards.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use model::{Arg, Arm};
use run::Rig;
use run::stdio::{Captured, Output};

use crate::hook::{Hook, shell, stopped, succeeded};
use crate::progress::Progress;
use crate::stop::Stop;

/// The name of our folders, followed by the process id, so that those of a killed slowpath can be told.
const PREFIX: &str = "slowpath-rev-";

/// What git tells its hooks about the repository they run in; it is not true of a worktree of ours.
const LOCAL: [&str; 5] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"];

/// How a revision is built.
pub(crate) struct Build<'a> {
    pub(crate) text: Option<&'a OsStr>,
    /// Whose environment and parameters the build has.
    pub(crate) arm: &'a Arm,
    /// Where it runs, from the repository's root; where the user stands without it.
    pub(crate) at: Option<&'a Path>,
    pub(crate) quiet: bool,
}

/// Two checked-out revisions; dropping them removes the worktrees.
pub(crate) struct Revisions {
    folder: PathBuf,
    /// From the repository's root to where the user stands.
    inside: PathBuf,
    sides: Vec<(String, PathBuf)>,
}

impl Revisions {
    /// Checks out and builds both sides. The user's tree is not touched.
    pub(crate) fn check_out(range: &str, build: &Build<'_>) -> Result<Self, Stop> {
        // Signals are caught from here on, so that the worktrees are removed whatever happens.
        let rig = Rig::open().map_err(|source| Stop::Run { command: "the build".to_owned(), source })?;
        let (base, new) = range.split_once("..").unwrap_or((range, "HEAD"));
        let new = if new.is_empty() { "HEAD" } else { new };
        let inside = git(&["rev-parse", "--show-prefix"]).map_err(|why| failed(range, why))?;
        sweep();
        let folder = std::env::temp_dir().join(format!("{PREFIX}{}", process::id()));
        std::fs::create_dir(&folder).map_err(|error| failed(range, error.to_string()))?;
        let mut this = Self { folder, inside: path_of(&inside), sides: Vec::new() };
        // Names of one length: the length of a path can move what is measured.
        for (name, revision) in [("a", base), ("b", new)] {
            let added = this.add(name, revision);
            if let Some(signal) = rig.interrupt.raised() {
                return Err(Stop::Interrupted { signal });
            }
            added?;
        }
        this.build(&rig, build)?;
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

    fn build(&self, rig: &Rig, asked: &Build<'_>) -> Result<(), Stop> {
        let Some(build) = asked.text else { return Ok(()) };
        let mut progress = Progress::new(asked.quiet);
        for arm in &self.arms(asked.arm, asked.at) {
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

    /// The command in each worktree, in the folder `at` below its root, or where the user stands.
    pub(crate) fn arms(&self, arm: &Arm, at: Option<&Path>) -> Vec<Arm> {
        let inside = at.unwrap_or(&self.inside);
        let placed = |(label, path): &(String, PathBuf)| {
            let mut arm = arm.clone();
            arm.label.clone_from(label);
            arm.target.cwd = Some(Arg::from(path.join(inside).into_os_string()));
            arm
        };
        self.sides.iter().map(placed).collect()
    }

    /// Where the sides lie.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.sides.iter().map(|(_, path)| path.clone()).collect()
    }

    /// What the sides are called.
    pub(crate) fn labels(&self) -> Vec<&str> {
        self.sides.iter().map(|(label, _)| label.as_str()).collect()
    }
}

/// The root of the repository one stands in. `None` outside of any.
pub(crate) fn root() -> Option<PathBuf> {
    git(&["rev-parse", "--show-toplevel"]).ok().map(|root| path_of(&root))
}

/// A folder as seen from the root of the repository that holds it.
pub(crate) fn inside(folder: &Path) -> Result<PathBuf, Stop> {
    let root = git(&["rev-parse", "--show-toplevel"]).map_err(|why| failed("HEAD", why))?;
    let (root, folder) = (path_of(&root), folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
    folder.strip_prefix(root).map(Path::to_owned).map_err(|_| Stop::Usage {
        what: format!("`{}` is not in the repository", folder.display()),
        why: None,
        next: "a scenario that is measured in revisions runs inside the repository".to_owned(),
    })
}

impl Drop for Revisions {
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
