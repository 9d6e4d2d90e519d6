//! However slowpath ends, what it measured can be read and nothing it started stays.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::place::{Live, Place, manifest, part, samples};

/// Who gets the signal: a terminal sends it to the whole group, a supervisor to slowpath alone.
#[derive(Clone, Copy, Debug)]
enum To {
    Group,
    Slowpath,
}

/// Starts slowpath, waits until the file `ready` appears, interrupts it; its folder, if it has one by then.
#[track_caller]
fn interrupted(place: &Place, arguments: &[&str], signal: (&str, i32), to: To) -> Option<PathBuf> {
    let ready = place.path().join("ready");
    let _ = fs::remove_file(&ready);
    let mut live: Live = place.start(place.command(arguments));
    live.until(|| ready.exists());
    match to {
        To::Group => live.signal_group(signal.0),
        To::Slowpath => live.signal(signal.0),
    }
    let ran = live.end();
    assert!(ran.signal == Some(signal.1) || ran.code == Some(128 + signal.1), "{to:?}: {ran:?}");
    assert!(ran.stderr.contains("interrupted"), "{ran:?}");
    place.is_left_by_all();
    let run = place.runs().pop()?;
    assert_eq!(manifest(&run)["state"], "interrupted", "{to:?}");
    Some(run)
}

const INT: (&str, i32) = ("INT", 2);
const BOTH: [To; 2] = [To::Group, To::Slowpath];

#[test]
fn an_interrupt_in_the_setup_ends_it() {
    let place = Place::new();
    for to in BOTH {
        let setup = "touch ready; sleep 300";
        let arguments = ["bench", "--setup", setup, "--cleanup", "touch cleaned", "--", "true"];
        interrupted(&place, &arguments, INT, to).unwrap();
        assert!(place.path().join("cleaned").exists());
        place.slowpath(["report", "last"]).complains(3, &[]);
    }
}

#[test]
fn an_interrupt_in_the_warm_up_ends_the_target() {
    let place = Place::new();
    for to in BOTH {
        let target = "touch ready; sleep 300 & setsid sleep 300; true";
        interrupted(&place, &["bench", "--", "sh", "-c", target], INT, to).unwrap();
        place.slowpath(["report", "last"]).complains(3, &[]);
    }
}

/// A target that stays in its n-th run.
fn stays_in(run: u32) -> String {
    format!("echo x >> n; test $(wc -l < n) -lt {run} || {{ touch ready; exec sleep 300; }}")
}

#[test]
fn an_interrupt_while_measuring_keeps_and_shows_what_there_is() {
    let place = Place::new();
    for signal in [INT, ("TERM", 15), ("HUP", 1)] {
        let _ = fs::remove_file(place.path().join("n"));
        let arguments = ["bench", "--json", "--warmup", "1", "--runs", "9", "--", "sh", "-c", &stays_in(5)];
        let run = interrupted(&place, &arguments, signal, To::Slowpath).unwrap();
        assert_eq!(samples(&run).len(), 4);
        let again = place.slowpath(["report", "last", "--json"]).exits(0).json();
        assert_eq!(again["commands"][0]["n"], 3);
        assert_eq!(again["gaps"][0]["why"], "the run was interrupted");
    }
}

#[test]
fn an_interrupted_answer_says_that_it_is_one() {
    let place = Place::new();
    let ready = place.path().join("ready");
    let target = stays_in(5);
    let arguments = ["bench", "--json", "--warmup", "1", "--runs", "9", "--", "sh", "-c", &target];
    let mut live = place.start(place.command(arguments));
    live.until(|| ready.exists());
    live.signal("INT");
    let ran = live.end();
    let answer = ran.json();
    assert_eq!(answer["gaps"][0]["why"], "the run was interrupted", "{answer:#}");
    assert_eq!(fs::read(place.last_run().join("answer.json")).unwrap(), ran.stdout);
    assert_eq!(place.slowpath(["report", "last", "--json"]).exits(0).stdout, ran.stdout);
}

#[test]
fn an_interrupt_in_a_comparison_keeps_the_blocks_before_it() {
    let place = Place::new();
    let target = stays_in(20);
    for kind in ["spin 1000", "spin 2000"] {
        place.script(&kind.replace(' ', "-"), &format!("#!/bin/sh\n{target}\nexec {}\n", part(kind)));
    }
    let arguments = ["compare", "--json", "--warmup", "1", "./spin-1000", "./spin-2000"];
    let run = interrupted(&place, &arguments, INT, To::Slowpath).unwrap();
    assert_eq!(samples(&run).len(), 19);
    let again = place.slowpath(["report", "last", "--json"]).exits(0).json();
    assert_eq!(again["metrics"][0]["pairs"], 8, "{again:#}");
    assert_eq!(again["gaps"][0]["why"], "the run was interrupted");
}

#[test]
fn an_interrupt_while_counting_ends_the_target() {
    let place = Place::new();
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed");
        return;
    }
    let stays = "#!/bin/sh\ncase \"$LD_PRELOAD\" in *vgpreload*) touch ready; exec sleep 300;; esac\n";
    place.script("target", stays);
    interrupted(&place, &["bench", "--count", "--runs", "3", "--", "./target"], INT, To::Slowpath).unwrap();
    assert_eq!(place.slowpath(["report", "last", "--json"]).exits(0).json()["commands"][0]["n"], 3);
}

#[test]
fn an_interrupt_in_any_hook_between_runs_ends_it() {
    let place = Place::new();
    for hook in ["--prepare", "--conclude", "--check"] {
        let _ = fs::remove_file(place.path().join("n"));
        let text = stays_in(3).replace("exec ", "");
        let arguments = ["bench", "--warmup", "1", hook, &text, "--", "true"];
        interrupted(&place, &arguments, INT, To::Slowpath).unwrap();
        place.slowpath(["report", "last"]).exits(0);
    }
}

#[test]
fn killed_at_any_moment_the_folder_is_readable_and_nothing_stays() {
    let place = Place::new();
    let target = part("spin 200000");
    let target = format!("{target} & {target}; sleep 0.01; wait");
    for moment in 0..10 {
        let out = format!("run-{moment}");
        let run = place.path().join(&out);
        let arguments =
            ["bench", "--runs", "5000", "--budget", "1h", "--out", &out, "--shell", "--", &target];
        let mut live = place.start(place.command(arguments));
        // From before the first run to some way into the measuring; the rest is left to chance.
        live.until(|| run.join("run.json").exists() && samples_so_far(&run) >= moment * 2);
        live.signal("KILL");
        assert_eq!(live.end().signal, Some(9));
        place.is_left_by_all();
        let report = place.slowpath(["report", &out, "--json"]);
        match report.code {
            Some(0) => assert!(report.json()["gaps"].as_array().is_some_and(|gaps| !gaps.is_empty())),
            _ => drop(report.complains(3, &["before its first counted run"])),
        }
    }
}

fn samples_so_far(run: &std::path::Path) -> usize {
    fs::read(run.join("tier1/samples.jsonl")).map_or(0, |bytes| bytes.iter().filter(|b| **b == b'\n').count())
}

#[test]
fn a_daemon_of_the_target_does_not_outlive_a_killed_slowpath() {
    let place = Place::new();
    for warmup in ["0", "1"] {
        let _ = fs::remove_file(place.path().join("log"));
        let target = format!("{}; sleep 300", part("daemon log"));
        let arguments = ["bench", "--warmup", warmup, "--shell", "--", &target];
        let mut live = place.start(place.command(arguments));
        live.until(|| place.path().join("log").exists());
        live.signal("KILL");
        live.end();
        place.is_left_by_all();
    }
}

#[test]
fn a_hook_does_not_outlive_a_killed_slowpath() {
    let place = Place::new();
    let arguments = ["bench", "--setup", "touch ready; sleep 300; true", "--", "true"];
    let mut live = place.start(place.command(arguments));
    live.until(|| place.path().join("ready").exists());
    live.signal("KILL");
    live.end();
    place.is_left_by_all();
}

#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let place = Place::new();
    let mut command = Command::new("env");
    command.args([
        "--ignore-signal=HUP",
        env!("CARGO_BIN_EXE_slowpath"),
        "bench",
        "--runs",
        "1",
        "--warmup",
        "0",
    ]);
    command.args(["--", "sh", "-c", "touch ready; while ! test -e go; do sleep 0.01; done"]);
    place.dress(&mut command);
    let mut live = place.start(command);
    live.until(|| place.path().join("ready").exists());
    live.signal("HUP");
    place.file("go", "");
    live.end().exits(0);
}
