//! Two git revisions, built and measured in worktrees of their own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::place::{Place, actor, manifest};

/// A repository whose program spins: little in the first commit, much in the second.
struct Repository {
    place: Place,
    temporary: PathBuf,
}

impl Repository {
    fn new() -> Self {
        let place = Place::new();
        let temporary = place.path().parent().unwrap().join("temporary");
        fs::create_dir(&temporary).unwrap();
        let this = Self { place, temporary };
        this.git(&["init", "--quiet", "--initial-branch=main"]);
        for (tag, rounds) in [("small", 1_000_000), ("large", 20_000_000)] {
            this.place.file("sub/rounds", format!("{rounds}\n"));
            this.git(&["add", "."]);
            this.git(&["commit", "--quiet", "-m", tag]);
            this.git(&["tag", tag]);
        }
        this
    }

    fn git(&self, words: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(words);
        self.place.dress(&mut command);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.place.command(["compare", "--json", "--margin", "30%"]);
        command.args(words).env("TMPDIR", &self.temporary).env("ACTOR", actor());
        command
    }

    fn compare(&self, words: &[&str]) -> crate::place::Ran {
        self.place.start(self.command(words)).end()
    }

    /// No worktree, no temporary file, and the user's tree as it was.
    #[track_caller]
    fn is_untouched(&self, status: &str) {
        assert_eq!(self.git(&["worktree", "list", "--porcelain"]).matches("worktree ").count(), 1);
        let left: Vec<_> = fs::read_dir(&self.temporary).unwrap().flatten().collect();
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(self.git(&["status", "--porcelain"]), status);
        assert!(!self.place.path().join("sub/program").exists());
        assert_eq!(self.git(&["symbolic-ref", "HEAD"]), "refs/heads/main\n");
    }
}

/// A program that has its rounds built in, so that a side without a build cannot run.
const BUILD: &str = "printf '#!/bin/sh\\nexec \"%s\" spin %s\\n' \"$ACTOR\" $(cat sub/rounds) > sub/program && chmod +x sub/program";

#[test]
fn two_revisions_are_built_compared_and_removed() {
    let repository = Repository::new();
    repository.place.file("sub/rounds", "dirty\n");
    repository.place.file("untracked", "mine\n");
    let status = repository.git(&["status", "--porcelain"]);
    let ran = repository.compare(&["--rev", "small..large", "--build", BUILD, "--", "sub/program"]).exits(0);
    let answer = ran.json();
    assert_eq!(answer["verdict"], "worse", "{answer:#}");
    assert!(answer["base"]["label"].as_str().unwrap().starts_with("small ("), "{answer:#}");
    repository.is_untouched(&status);
    assert_eq!(repository.place.read("sub/rounds"), "dirty\n");
    let arms = manifest(&repository.place.last_run())["arms"].clone();
    assert_ne!(arms[0]["target"]["cwd"], arms[1]["target"]["cwd"]);
    let again = repository.place.slowpath(["report", "last", "--json"]).exits(0);
    assert_eq!(again.stdout, ran.stdout);
}

#[test]
fn a_base_alone_is_compared_with_head_from_a_subfolder() {
    let repository = Repository::new();
    let build = BUILD.replace("sub/", "");
    let mut command = repository.command(&["--rev", "small", "--build", &build, "--", "./program"]);
    command.current_dir(repository.place.path().join("sub"));
    let answer = repository.place.start(command).end().exits(0).json();
    assert_eq!(answer["verdict"], "worse", "{answer:#}");
    assert!(answer["new"]["label"].as_str().unwrap().starts_with("HEAD ("));
    repository.is_untouched("");
}

#[test]
fn a_build_that_fails_is_told_and_leaves_nothing() {
    let repository = Repository::new();
    let build = "echo no compiler >&2; exit 3";
    let ran = repository.compare(&["--rev", "small", "--build", build, "--", "sub/program"]);
    ran.complains(4, &["the build command failed", "no compiler", "exit status 3"]);
    repository.is_untouched("");
    // Without its build the program is not there.
    repository.compare(&["--rev", "small", "--", "sub/program"]).complains(4, &["sub/program"]);
    repository.is_untouched("");
}

#[test]
fn it_works_inside_a_git_hook() {
    let repository = Repository::new();
    repository.place.file("staged", "mine\n");
    repository.git(&["add", "staged"]);
    let build = "git rev-parse HEAD >> \"$LOG\"; git add --all; git status --porcelain >> \"$LOG\"";
    let mut command = repository.command(&["--rev", "small", "--pairs", "2", "--build", build, "--", "true"]);
    let log = repository.temporary.with_file_name("log");
    // As git sets them for its hooks.
    command.env("GIT_DIR", ".git").env("GIT_INDEX_FILE", ".git/index").env("GIT_PREFIX", "").env("LOG", &log);
    repository.place.start(command).end().exits(5);
    repository.is_untouched("A  staged\n");
    let wanted = repository.git(&["rev-parse", "small^{commit}", "large^{commit}"]);
    assert_eq!(fs::read_to_string(log).unwrap(), wanted, "each build stands in its own revision");
}

#[test]
fn an_unknown_revision_is_wrong_usage() {
    let repository = Repository::new();
    for range in ["nothing", "small..nothing", "nothing..small", "--help", "small...large", ""] {
        let range = format!("--rev={range}");
        repository.compare(&[&range, "--", "true"]).complains(2, &["revision"]);
        repository.is_untouched("");
    }
    repository.compare(&["--rev", "small"]).complains(2, &["no command"]);
    repository.compare(&["--rev", "small", "--cwd", "sub", "--", "true"]).complains(2, &["--cwd"]);
    let outside = Place::new();
    outside.slowpath(["compare", "--rev", "main", "--", "true"]).complains(2, &["git"]);
}

#[test]
fn an_interrupt_in_the_build_removes_the_worktrees() {
    let repository = Repository::new();
    for group in [true, false] {
        let ready = repository.temporary.with_file_name(format!("ready-{group}"));
        let build = format!("touch '{}'; sleep 300; true", ready.display());
        let mut live =
            repository.place.start(repository.command(&["--rev", "small", "--build", &build, "--", "true"]));
        live.until(|| ready.exists());
        if group {
            live.signal_group("INT");
        } else {
            live.signal("INT");
        }
        let ran = live.end();
        assert!(ran.signal == Some(2) || ran.code == Some(130), "{ran:?}");
        repository.place.is_left_by_all();
        repository.is_untouched("");
    }
}

#[test]
fn the_worktrees_of_a_killed_slowpath_are_removed_by_the_next_one() {
    let repository = Repository::new();
    let ready = repository.temporary.with_file_name("ready");
    let build = format!("touch '{}'; sleep 300; true", ready.display());
    let mut live =
        repository.place.start(repository.command(&["--rev", "small", "--build", &build, "--", "true"]));
    live.until(|| ready.exists());
    live.signal("KILL");
    live.end();
    repository.place.is_left_by_all();
    repository.compare(&["--rev", "small", "--pairs", "2", "--", "true"]);
    repository.is_untouched("");
}
