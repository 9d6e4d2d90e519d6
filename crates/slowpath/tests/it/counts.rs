//! Instruction counts: exact, blind to noise, and a gap where nothing can count.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::place::{Place, actor, lines, metric, part};

/// Whether something here can count.
fn can_count() -> bool {
    let here = Command::new("valgrind").arg("--version").output().is_ok();
    if !here {
        println!("skipped: valgrind is not installed");
    }
    here
}

#[test]
fn counts_repeat_to_the_digit() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    let spin = part("spin 1000000");
    let answer = place.slowpath(["bench", "--json", "--count", "--runs", "2", &spin]).exits(0).json();
    let instructions = metric(&answer["commands"][0]["metrics"], "instructions").clone();
    let counts = lines(&place.last_run().join("tier1/counts.jsonl"));
    for counted in &counts {
        crate::answers::is_valid("counted", counted);
    }
    if counts[0]["source"] == "pmu" {
        println!("skipped: this machine has a counter, which wanders by a few instructions");
        return;
    }
    assert_eq!(instructions["min"], instructions["max"], "{instructions:#}");
    assert!(instructions["median"].as_f64().unwrap() > 3e6, "{instructions:#}");
}

#[test]
fn half_a_percent_more_is_worse_and_the_same_is_no_change() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    let compared = |base: &str, new: &str| {
        let (base, new) = (part(base), part(new));
        let fixed = ["compare", "--json", "--count", "--margin", "0.2%", "--pairs", "2"];
        let answer = place.slowpath(fixed.iter().chain(&[base.as_str(), &new])).json();
        metric(&answer["metrics"], "instructions").clone()
    };
    let more = compared("spin 3000000", "spin 3015000");
    assert_eq!(more["verdict"], "worse", "{more:#}");
    assert!((more["ratio"]["value"].as_f64().unwrap() - 1.005).abs() < 0.001, "{more:#}");
    assert_eq!(compared("spin 3000000", "spin 3000000")["verdict"], "no-change");
    assert_eq!(compared("spin 3015000", "spin 3000000")["verdict"], "better");
}

#[test]
fn start_up_is_subtracted_on_request() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    let count = |more: &[&str]| {
        let spin = part("spin 100000");
        let fixed = ["bench", "--json", "--count", "--runs", "1"];
        let answer = place.slowpath(fixed.iter().chain(more).chain(&[spin.as_str()])).exits(0).json();
        metric(&answer["commands"][0]["metrics"], "instructions")["median"].as_f64().unwrap()
    };
    let nothing = part("spin 0");
    let (whole, rest) = (count(&[]), count(&["--count-minus", &nothing]));
    assert!(rest < whole && rest > 300_000.0 && rest < 1_000_000.0, "{whole} {rest}");
}

/// A folder with the few programs a run needs, and no valgrind.
fn path_without_valgrind(place: &Place) -> String {
    let folder = place.path().join("bin");
    fs::create_dir(&folder).unwrap();
    for name in ["sh", "true", "env"] {
        let found = ["/usr/bin", "/bin"].map(|bin| format!("{bin}/{name}"));
        let found = found.iter().find(|path| fs::metadata(path).is_ok()).unwrap();
        symlink(found, folder.join(name)).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

#[test]
fn without_valgrind_there_is_a_gap_with_the_command_that_closes_it() {
    let place = Place::new();
    let mut command = place.command(["bench", "--json", "--count", "--runs", "2", "--", "true"]);
    command.env("PATH", path_without_valgrind(&place));
    let answer = place.start(command).end().exits(0).json();
    if answer["gaps"].as_array().unwrap().is_empty() {
        println!("skipped: this machine's processor counts by itself");
        return;
    }
    let gap = &answer["gaps"][0];
    assert_eq!(gap["what"], "instruction counts");
    assert!(gap["why"].as_str().unwrap().contains("no hardware counter"), "{gap:#}");
    assert!(gap["try"].as_str().unwrap().contains("install valgrind"), "{gap:#}");
    let again = place.slowpath(["report", "last", "--json"]).exits(0).json();
    assert_eq!(again["gaps"], answer["gaps"]);
}

#[test]
fn a_target_that_cannot_be_counted_keeps_its_times() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    // Valgrind sets this, and the target does not like it.
    let target = "#!/bin/sh\ncase \"$LD_PRELOAD\" in *vgpreload*) exit 5;; esac\n";
    place.script("target", target);
    let answer =
        place.slowpath(["bench", "--json", "--count", "--runs", "3", "--", "./target"]).exits(0).json();
    assert_eq!(answer["commands"][0]["n"], 3);
    if answer["gaps"].as_array().unwrap().is_empty() {
        println!("skipped: this machine's processor counts by itself");
        return;
    }
    assert!(answer["gaps"][0]["why"].as_str().unwrap().contains("exit status 5"), "{}", answer["gaps"]);
}

#[test]
fn what_counting_costs_is_announced_before_it_begins() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    let program = actor().to_str().unwrap();
    for (options, words) in [
        (&["bench", "--count", "--runs", "1", "--"][..], [program, "spin", "100000"]),
        (&["why", "--tier", "medium", "--no-record", "--runs", "1", "--"], [program, "spin", "100000"]),
        (
            &["scale", "--runs", "1", "--no-functions", "--sizes", "20k,40k,80k", "--"],
            [program, "spin", "{SIZE}"],
        ),
    ] {
        let ran = place.slowpath(options.iter().chain(&words)).exits(0);
        let counted = place.last_run().join("tier2").exists();
        assert_eq!(ran.stderr.contains(" times slower, about "), counted, "{}", ran.stderr);
        let quiet = options.iter().take(1).chain(&["--quiet"]).chain(options.iter().skip(1));
        let ran = place.slowpath(quiet.chain(&words)).exits(0);
        assert!(!ran.stderr.contains("slower"), "{}", ran.stderr);
    }
}
