//! Waits that are not what they seem: for children by a signal, for nothing at all, still open when we leave; processes of others;
//! and what a target says is what it always said.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use crate::place::{Place, in_some_run, is_root};
use crate::recorded::{closes, levels, played, scene, seconds};

/// Most of what a shell waits for with `wait` is what its children compute.
#[test]
fn a_shell_that_waits_for_its_children_does_not_sleep() {
    for level in levels() {
        let place = Place::new();
        let scene = scene().to_str().unwrap();
        let script = format!("{scene} compute 400 & {scene} compute 100 & wait");
        let words = ["record", "--json", "--level", level, "--", "/bin/sh", "-c", &script];
        let profile = place.slowpath(words).exits(0).json();
        closes(&profile);
        assert!(seconds(&profile, "blocked/sleep") < 0.1, "{level}: {:#}", profile["account"]);
        let charged = seconds(&profile, "on-cpu") + seconds(&profile, "runnable");
        assert!(charged > 0.25, "{level}: {:#}", profile["account"]);
    }
}

#[test]
fn who_selects_nothing_sleeps() {
    let place = Place::new();
    let text =
        "import select\nfor _ in range(3):\n    select.select([], [], [], 0.1)\nselect.poll().poll(100)\n";
    place.file("nothing.py", text);
    for level in levels() {
        let words = ["record", "--json", "--level", level, "--", "/usr/bin/python3", "nothing.py"];
        let profile = place.slowpath(words).exits(0).json();
        assert!(seconds(&profile, "blocked/sleep") > 0.35, "{level}: {:#}", profile["account"]);
        assert!(seconds(&profile, "blocked/poll") < 0.05, "{level}: {:#}", profile["account"]);
    }
}

#[test]
fn a_wait_for_a_child_that_is_still_open_when_we_leave_is_the_childs_work() {
    for level in levels() {
        let place = Place::new();
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{} compute 60000; true", scene().to_str().unwrap())]);
        place.dress(&mut command);
        let mut target = command.process_group(0).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let pid = target.id().to_string();
        let words = ["record", "--json", "--level", level, "--pid", &pid, "--duration", "600ms"];
        let ran = place.slowpath(words);
        // The group that this test has started.
        let group = format!("-{}", target.id());
        assert!(Command::new("kill").args(["-s", "KILL", "--", &group]).status().unwrap().success());
        target.wait().unwrap();
        let profile = ran.exits(0).json();
        let charged = seconds(&profile, "on-cpu") + seconds(&profile, "runnable");
        assert!(charged > seconds(&profile, "blocked/child"), "{level}: {:#}", profile["account"]);
    }
}

#[test]
fn a_command_is_recorded_for_as_long_as_asked() {
    let (profile, recording) = played(&["--duration", "500ms"], &["sleep", "60000"]);
    closes(&profile);
    let wall = recording["wall"].as_u64().unwrap();
    assert!((400_000_000..20_000_000_000).contains(&wall), "{wall}");
}

#[test]
fn a_text_on_the_command_line_has_functions_of_its_own() {
    let text = "import time\ndef nap():\n    time.sleep(0.3)\nnap()\n";
    let place = Place::new();
    place.slowpath(["record", "--json", "--", "/usr/bin/python3", "-c", text]).exits(0);
    let recording = crate::recorded::recording(&place);
    let frames = recording["frames"].as_array().unwrap();
    let own = frames.iter().find(|frame| frame["function"] == "nap").unwrap();
    assert_eq!(own["owner"], "project", "{own}");
}

#[test]
fn a_process_of_another_user_is_refused_with_the_reason() {
    if !is_root() {
        return eprintln!("skipped: only root has others' processes");
    }
    let place = Place::new();
    place.open_to_all();
    let slowpath = place.copy(env!("CARGO_BIN_EXE_slowpath").as_ref(), "slowpath");
    let mut target = Command::new("sleep").arg("600").spawn().unwrap();
    let mut command = Command::new(&slowpath);
    command.args(["record", "--pid", &target.id().to_string(), "--duration", "200ms"]);
    place.dress(&mut command);
    command.uid(65534).gid(65534);
    let ran = place.start(command).end();
    target.kill().unwrap();
    target.wait().unwrap();
    ran.complains(3, &["belongs to user 0", "as root"]);
}

/// V8 writes what it logs to the program's output where it cannot make a file.
#[test]
fn node_says_nothing_of_ours_in_a_folder_that_cannot_be_written() {
    if !is_root() {
        return eprintln!("skipped: only root can become a user who may not write");
    }
    let place = Place::new();
    place.open_to_all();
    let slowpath = place.copy(env!("CARGO_BIN_EXE_slowpath").as_ref(), "slowpath");
    let text = "function grow(s) { for (let i = 0; i < 4000; i++) { s += 'abcdefghij'; s.endsWith('x'); } return s; }
const end = Date.now() + 300; let said; while (Date.now() < end) said = grow('').length; console.log(said);";
    let script = place.file("rope.js", text);
    let shut = place.path().join("shut");
    fs::create_dir(&shut).unwrap();
    fs::set_permissions(&shut, PermissionsExt::from_mode(0o555)).unwrap();
    let said = place.path().join("said");
    let mut command = Command::new(&slowpath);
    command.args(["record", "--json", "--out"]).arg(place.path().join("run")).arg("--stdout").arg(&said);
    command.args(["--", "node"]).arg(&script);
    place.dress(&mut command);
    command.current_dir(&shut).uid(65534).gid(65534);
    let profile = place.start(command).end().exits(0).json();
    assert_eq!(fs::read_to_string(&said).unwrap(), "40000\n");
    assert!(fs::read_dir(&shut).unwrap().next().is_none(), "something was written");
    assert!(profile["hotspots"].to_string().contains("\"grow\""), "{:#}", profile["hotspots"]);
    assert!(!profile["gaps"].to_string().contains("names of JavaScript functions"), "{:#}", profile["gaps"]);
}

/// Two ends of pipes into which nobody writes for the first three times.
const EXPIRES: &str = "import os, select
both = [os.pipe(), os.pipe()]
poll = select.poll()
for ends in both:
    poll.register(ends[0])
for _ in range(3):
    poll.poll(80)
";

#[test]
fn a_wait_for_several_that_only_its_time_limit_ended_is_a_sleep() {
    let place = Place::new();
    place.file("expires.py", EXPIRES);
    // Within a time limit something may happen in time on a machine that stands still.
    in_some_run(|| {
        let words = ["record", "--json", "--level", "A", "--", "/usr/bin/python3", "-S", "expires.py"];
        let profile = place.slowpath(words).exits(0).json();
        assert!(seconds(&profile, "blocked/sleep") > 0.23, "{:#}", profile["account"]);
        assert!(seconds(&profile, "blocked/poll") < 0.01, "{:#}", profile["account"]);
    });
}
