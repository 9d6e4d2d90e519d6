//! Run folders: where they lie, who may write them, what a full disk or a second slowpath does to them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::{Place, is_root, manifest, part, samples};

#[test]
fn a_folder_of_ones_choice_must_be_new_or_empty() {
    let place = Place::new();
    fs::create_dir(place.path().join("empty")).unwrap();
    for out in ["empty", "new", "deep/er"] {
        place.slowpath(["bench", "--runs", "2", "--out", out, "--", "true"]).exits(0);
        assert_eq!(manifest(&place.path().join(out))["state"], "complete");
        place.slowpath(["report", out]).exits(0);
    }
    assert!(!place.path().join(".slowpath").exists(), "nothing is written elsewhere");
    place.slowpath(["bench", "--out", "new", "--", "true"]).complains(2, &["already holds something"]);
    place.file("file", "x");
    place.slowpath(["bench", "--out", "file", "--", "true"]).complains(2, &["file"]);
    assert_eq!(place.read("file"), "x");
}

#[test]
fn a_read_only_directory_is_refused_with_a_way_out() {
    let place = Place::new();
    place.open_to_all();
    let slowpath = place.copy(env!("CARGO_BIN_EXE_slowpath").as_ref(), "slowpath");
    fs::set_permissions(place.path(), PermissionsExt::from_mode(0o555)).unwrap();
    let ordinary = |words: &[&str]| {
        let mut command = Command::new(&slowpath);
        command.args(["bench", "--runs", "2"]).args(words);
        place.dress(&mut command);
        if is_root() {
            command.uid(65534).gid(65534);
        }
        place.start(command).end()
    };
    ordinary(&["--", "true"]).complains(2, &["--out DIR"]);
    let out = place.path().parent().unwrap().join("elsewhere");
    ordinary(&["--out", out.to_str().unwrap(), "--", "true"]).exits(0);
    assert_eq!(manifest(&out)["state"], "complete");
    ordinary(&["--cold", "--out", out.with_file_name("cold").to_str().unwrap(), "--", "true"])
        .complains(3, &["page cache", "--cold"]);
    fs::set_permissions(place.path(), PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn git_never_sees_a_run() {
    let place = Place::new();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(words);
        place.dress(&mut command);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    place.slowpath(["bench", "--runs", "2", "--", "true"]).exits(0);
    place.slowpath(["bench", "--runs", "2", "--out", "mine", "--", "true"]).exits(0);
    assert_eq!(git(&["status", "--porcelain", "--untracked-files=all"]), "");
}

/// A tiny file system; unmounted when dropped.
struct Tiny(PathBuf);

impl Tiny {
    fn mount(path: &Path) -> Option<Self> {
        fs::create_dir(path).unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"]).arg(path).output();
        mounted.is_ok_and(|output| output.status.success()).then(|| Self(path.to_owned()))
    }
}

impl Drop for Tiny {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_told_and_what_was_written_stays_whole() {
    let place = Place::new();
    let Some(tiny) = Tiny::mount(&place.path().join("tiny")) else {
        println!("skipped: only root can mount a tiny file system");
        return;
    };
    let run = tiny.0.join("run");
    let ran =
        place.slowpath(["bench", "--json", "--runs", "5000", "--out", "tiny/run", "--", "true"]).exits(0);
    assert!(ran.stderr.contains("could not be written") && ran.stderr.contains("No space left"), "{ran:?}");
    assert_eq!(ran.json()["commands"][0]["n"], 5000, "what was measured is told");
    let gaps = ran.json()["gaps"].to_string();
    assert!(gaps.contains("`tier1/samples.jsonl`") && gaps.contains("--out"), "{gaps}");
    let text = fs::read_to_string(run.join("tier1/samples.jsonl")).unwrap();
    let whole: Vec<&str> = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
    assert!(whole.len() > 10);
    for line in whole {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    let again = place.slowpath(["report", "--json", "tiny/run"]).exits(0).json();
    assert!(!again["gaps"].as_array().unwrap().is_empty());
    // No room at all: refused before anything runs.
    fs::write(tiny.0.join("filler"), vec![0; 200_000]).unwrap_err();
    let ran = place.slowpath(["bench", "--out", "tiny/next", "--", "touch", "ran"]);
    assert!(matches!(ran.code, Some(2 | 3)) && ran.stderr.contains("No space left"), "{ran:?}");
    assert!(!place.path().join("ran").exists());
}

#[test]
fn an_answer_whose_page_finds_no_room_is_printed() {
    let place = Place::new();
    let Some(tiny) = Tiny::mount(&place.path().join("tiny")) else {
        println!("skipped: only root can mount a tiny file system");
        return;
    };
    let spin = part("spin 100000");
    let words = ["bench", "--runs", "3", "--out", "tiny/run", &spin];
    fs::write(tiny.0.join("filler"), vec![0; 100_000]).unwrap();
    let ran = place.slowpath(words).exits(0);
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("wall") && ran.stderr.contains("report.html"),
        "{ran:?}"
    );
    assert!(!tiny.0.join("run/report.html").exists() && tiny.0.join("run/answer.json").exists());
}

#[test]
fn two_slowpaths_at_once_have_a_folder_each() {
    let place = Place::new();
    let spin = part("spin 100000");
    let start = || place.start(place.command(["bench", "--json", "--runs", "20", &spin]));
    let [one, two, three] = [start(), start(), start()];
    let runs: Vec<_> = [one, two, three].map(|live| live.end().exits(0).json()["run"].clone()).into();
    assert!(runs[0] != runs[1] && runs[1] != runs[2] && runs[0] != runs[2], "{runs:?}");
    assert_eq!(place.runs().len(), 3);
    for run in place.runs() {
        assert_eq!(manifest(&run)["state"], "complete");
        assert_eq!(samples(&run).iter().filter(|sample| sample["stage"] == "measure").count(), 20);
    }
}
