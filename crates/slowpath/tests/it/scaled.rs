//! `slowpath scale`: growth of real programs, the gate, and everything that can be wrong with sizes.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, manifest};

/// Compiles one of the specimens of known growth.
fn specimen(place: &Place, name: &str) {
    let source = format!("{}/../../specimens/growth/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let compiled =
        Command::new("gcc").args(["-O2", "-g", "-o"]).arg(place.path().join(name)).arg(source).status();
    assert!(compiled.unwrap().success(), "install gcc");
}

fn can_count() -> bool {
    let here = Command::new("valgrind").arg("--version").output().is_ok();
    if !here {
        println!("skipped: valgrind is not installed");
    }
    here
}

fn scaled(place: &Place, options: &[&str], program: &str) -> crate::place::Ran {
    let fixed = ["scale", "--json", "--runs", "2", "--no-functions"];
    place.slowpath(fixed.iter().chain(options).chain(&["--", program, "{SIZE}"]))
}

fn holds(answer: &Value, class: &str) -> bool {
    answer["set"].as_array().unwrap().iter().any(|each| each == class)
}

#[test]
fn counts_tell_the_class_and_the_exponent() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    for (name, sizes, class, exponent) in
        [("lookups", "4k..64k*2", "n", 1.0), ("pairs", "100..1600*2", "n^2", 2.0)]
    {
        specimen(&place, name);
        let answer = scaled(&place, &["--sizes", sizes], &format!("./{name}")).exits(0).json();
        is_valid("scale", &answer);
        assert_eq!(answer["metric"], "instructions");
        assert_eq!(answer["class"], class, "{answer:#}");
        let found = &answer["exponent"];
        assert!((found["value"].as_f64().unwrap() - exponent).abs() < 0.05, "{found}");
        // On a busy machine the largest size may not be counted within the limit.
        let counted = answer["fits"][0]["points"].as_array().unwrap().len();
        assert!((3..=5).contains(&counted), "{answer:#}");
        assert_eq!(answer["fits"][1]["metric"], "cpu");
    }
}

#[test]
fn a_cost_that_does_not_depend_on_the_size_is_said_so() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    specimen(&place, "constant");
    let answer = scaled(&place, &["--sizes", "1k,2k,4k,8k"], "./constant").exits(0).json();
    assert_eq!(answer["class"], "1", "{answer:#}");
    assert!(
        answer["summary"].as_str().unwrap().contains("do not depend on the size"),
        "{}",
        answer["summary"]
    );
}

#[test]
fn a_stored_run_is_shown_again_to_the_byte() {
    let place = Place::new();
    specimen(&place, "pairs");
    let ran =
        scaled(&place, &["--sizes", "500..4k*2", "--no-count", "--predict", "100k"], "./pairs").exits(0);
    let again = place.slowpath(["report", "last", "--json"]).exits(0);
    assert_eq!(again.text(), ran.text());
    let run = place.last_run();
    is_valid("run", &manifest(&run));
    assert_eq!(fs::read(run.join("answer.json")).unwrap(), ran.stdout);
    assert!(fs::read_to_string(run.join("growth.svg")).unwrap().ends_with("</svg>\n"));
    let predicted = &ran.json()["fits"][0]["predictions"][0];
    assert_eq!(predicted["size"], 100_000);
    for form in ["--markdown", "--quiet"] {
        let shown = place.slowpath(["report", "last", form]).exits(0).text();
        assert!(shown.contains("./pairs") && shown.contains("100k"), "{shown}");
    }
}

#[test]
fn the_gate_breaks_only_where_the_expected_class_is_excluded() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    specimen(&place, "pairs");
    for (expected, code, verdict) in
        [("quadratic", 0, "holds"), ("cubic", 0, "holds"), ("nlogn", 1, "broken"), ("linear", 1, "broken")]
    {
        let answer =
            scaled(&place, &["--sizes", "100..1600*2", "--expected", expected], "./pairs").exits(code).json();
        assert_eq!(answer["gate"]["verdict"], verdict, "{expected}");
    }
}

#[test]
fn sizes_that_say_nothing_are_refused() {
    let place = Place::new();
    for (sizes, words) in [
        ("1k,2k", "three"),
        ("1k,1000,1k", "three"),
        ("1k,x,4k", "no size"),
        ("0,1,2", "no size"),
        ("9..1", "range"),
    ] {
        let words: &[&str] =
            if words == "three" { &["at least 3 different sizes", "names"] } else { &[words] };
        place.slowpath(["scale", "--sizes", sizes, "--", "true", "{SIZE}"]).complains(2, words);
    }
    place
        .slowpath(["scale", "--sizes", "1,2,3", "--", "true"])
        .complains(2, &["no place for the size", "{SIZE}"]);
    place.slowpath(["scale", "--expected", "fast", "--", "true", "{SIZE}"]).complains(2, &["quadratic"]);
    place.slowpath(["scale"]).complains(2, &["COMMAND"]);
}

#[test]
fn sizes_that_fail_are_left_out_and_named() {
    let place = Place::new();
    let script = "[ $1 -lt 5000 ] || exit 7; i=0; while [ $i -lt $1 ]; do i=$((i+1)); done";
    place.script("target", &format!("#!/bin/sh\n{script}\n"));
    let sizes = ["--no-count", "--sizes", "500,1k,2k,4k,8k"];
    let answer = scaled(&place, &sizes, "./target").exits(0).json();
    assert_eq!(answer["fits"][0]["points"].as_array().unwrap().len(), 4);
    let gap = &answer["gaps"][0];
    assert_eq!(gap["what"], "size 8000");
    assert!(gap["why"].as_str().unwrap().contains("exit status 7"), "{gap}");
    let few = ["--no-count", "--sizes", "1k,2k,8k,16k"];
    scaled(&place, &few, "./target").complains(4, &["failed: exit status 7"]);
}

#[test]
fn a_size_that_takes_too_long_ends_the_climb() {
    let place = Place::new();
    place.script("target", "#!/bin/sh\n[ $1 -lt 100 ] || exec sleep 60\n");
    let answer = scaled(&place, &["--no-count", "--limit", "4s", "--sizes", "1,2,4,8,200,400"], "./target")
        .exits(0)
        .json();
    assert_eq!(answer["gaps"][0]["what"], "sizes from 200 on", "{answer:#}");
    assert_eq!(answer["fits"][0]["points"].as_array().unwrap().len(), 4);
}

#[test]
fn sizes_are_chosen_when_none_are_named() {
    let place = Place::new();
    // CPU time of a busy machine leaves the neighbours of a class in doubt.
    for (name, classes) in
        [("insertion", ["n^1.5", "n^2", "n^2 log n", "n^3"]), ("towers", ["2^n", "n!", "n^k", "n^3"])]
    {
        specimen(&place, name);
        let answer = scaled(&place, &["--no-count", "--limit", "20s"], &format!("./{name}")).exits(0).json();
        let points = answer["fits"][0]["points"].as_array().unwrap();
        assert!(points.len() >= 3, "{answer:#}");
        assert!(classes.iter().any(|class| holds(&answer, class)), "{name}: {answer:#}");
    }
}
