//! The scorecard of real programs: their truth by instruction counts, baselines and ledgers by exit statuses.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, Ran, actor};

/// A lab program, built where the test works.
fn build(place: &Place, name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../specimens/score/{name}.c"));
    place.copy(&source, &format!("{name}.c"));
    let built = Command::new("gcc")
        .args(["-O2", "-g", "-o", name, &format!("{name}.c")])
        .current_dir(place.path())
        .status();
    assert!(built.unwrap().success(), "{name}");
}

fn here(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        println!("skipped: {tool} is not installed");
    }
    found
}

/// The scorecard of a lab program at three sizes.
fn card(name: &str, tier: &str, sizes: &str, expected: &str) -> (Place, Value) {
    let place = Place::new();
    build(&place, name);
    let fixed = ["why", "--json", "--no-record", "--runs", "3", "--warmup", "1", "--tier", tier];
    let command = ["--sizes", sizes, "--expected", expected, "--", &format!("./{name}"), "{SIZE}"];
    let ran = place.slowpath(fixed.iter().chain(&command));
    // The growth gate may be broken or undecided: it is not what is asked here.
    assert!(matches!(ran.code, Some(0 | 1 | 5)), "{ran:?}");
    let answer = ran.json();
    is_valid("answer", &answer);
    let card = answer["scorecard"].clone();
    (place, card)
}

fn dimension<'a>(card: &'a Value, name: &str) -> &'a Value {
    let all = card["dimensions"].as_array().unwrap();
    all.iter().find(|dimension| dimension["name"] == name).unwrap()
}

fn sub_check<'a>(card: &'a Value, name: &str) -> &'a Value {
    let all = card["dimensions"][0]["checks"].as_array().unwrap();
    all.iter().find(|check| check["name"] == name).unwrap()
}

/// The growth of a lab program of which nobody says what is expected.
fn unasked(name: &str, sizes: &str) -> Value {
    let place = Place::new();
    build(&place, name);
    let fixed = ["why", "--json", "--no-record", "--runs", "3", "--warmup", "1", "--tier", "medium"];
    let command = ["--sizes", sizes, "--", &format!("./{name}"), "{SIZE}"];
    let answer = place.slowpath(fixed.iter().chain(&command)).exits(0).json();
    is_valid("answer", &answer);
    answer
}

#[test]
fn growth_that_is_the_datas_own_is_no_defect_and_growth_over_a_list_is() {
    if !here("valgrind") || !here("gcc") {
        return;
    }
    let matrix = unasked("colrow", "500,1000,2000");
    let card = &matrix["scorecard"];
    assert_eq!(card["dimensions"][0]["tier"], "PASS", "{:#}", card["dimensions"][0]);
    assert!(card["stop"].is_null(), "{}", card["stop"]);
    let because = sub_check(card, "complexity_exponent")["because"].as_str().unwrap();
    assert!(because.contains("the cost grows as the data do"), "{because}");
    assert!((matrix["scaling"]["data"]["value"].as_f64().unwrap() - 2.0).abs() < 0.5, "{matrix:#}");
    let memory = dimension(card, "Memory Profile");
    assert_ne!(memory["tier"], "FAIL", "{memory:#}");
    let list = unasked("quad", "1000,2000,4000");
    let card = &list["scorecard"];
    assert_eq!(card["dimensions"][0]["tier"], "FAIL", "{:#}", card["dimensions"][0]);
    assert!(card["stop"].as_str().unwrap().contains("n log n expected"), "{}", card["stop"]);
}

#[test]
fn a_quadratic_program_fails_stops_and_leaves_findings_that_can_be_acted_on() {
    if !here("valgrind") || !here("gcc") {
        return;
    }
    let (place, card) = card("quad", "medium", "500,1000,2000", "linear");
    assert_eq!(card["dimensions"][0]["tier"], "FAIL", "{card:#}");
    assert!(card["stop"].as_str().unwrap().starts_with("STOP"));
    assert!(card["band"].is_null());
    let run = place.last_run();
    let read = |name: &str| -> Value { serde_json::from_slice(&fs::read(run.join(name)).unwrap()).unwrap() };
    let findings = read("findings.json");
    is_valid("findings", &findings);
    let growth = findings.as_array().unwrap().iter().find(|f| f["metric"]["name"] == "complexity_exponent");
    let growth = growth.unwrap();
    assert_eq!((&growth["path"], &growth["severity"]), (&"quad.c".into(), &"high".into()), "{growth:#}");
    assert_eq!(growth["location"]["symbol"], "pairs");
    assert!(growth["location"]["line_start"].as_u64().unwrap() > 0);
    let summary = read("benchmark_summary.json");
    is_valid("summary", &summary);
    assert!((summary["complexity_exponent"].as_f64().unwrap() - 2.0).abs() < 0.05, "{summary:#}");
    assert_eq!(summary["rubric"]["dimensions"]["Algorithmic Scaling"]["tier"], "FAIL");
    assert_eq!(summary["sizes"], serde_json::json!([500, 1000, 2000]));
    let report = fs::read_to_string(run.join("benchmark_report.md")).unwrap();
    for section in
        ["## Prerequisites", "## Algorithmic Scaling Analysis", "STOP", "## Rubric Scorecard", "## Findings"]
    {
        assert!(report.contains(section), "no {section} in\n{report}");
    }
    // The stored run says the same again.
    let again = place.slowpath(["report", "--json", "last"]).exits(0).json();
    assert_eq!(again["scorecard"], card);
}

#[test]
fn a_linear_loop_is_not_condemned_and_columns_are() {
    if !here("valgrind") || !here("gcc") {
        return;
    }
    let (_linear, clean) = card("linear", "medium", "50000,100000,200000", "nlogn");
    for name in [
        "Algorithmic Scaling",
        "CPU Efficiency",
        "L1 Cache Efficiency",
        "Last-Level Cache",
        "Branch Prediction",
    ] {
        assert_eq!(dimension(&clean, name)["tier"], "PASS", "{:#}", dimension(&clean, name));
    }
    // A column of a thousand lines does not fit into the largest first-level cache, of 48 KiB.
    let (_colrow, sick) = card("colrow", "medium", "250,500,1000", "quadratic");
    let l1 = dimension(&sick, "L1 Cache Efficiency");
    assert_eq!((&l1["tier"], &l1["location"]["function"]), (&"FAIL".into(), &"by_column".into()), "{l1:#}");
    assert!(l1["figures"][0]["value"].as_f64().unwrap() > 90.0, "{l1:#}");
    assert!(l1["figures"][0]["command"].as_str().unwrap().contains("cachegrind"), "{l1:#}");
}

#[test]
fn branches_and_churn_are_seen_and_phases_are_not_blamed() {
    if !here("valgrind") || !here("gcc") {
        return;
    }
    let (_branchy, branchy) = card("branchy", "medium", "2000,4000,8000", "linear");
    let branches = dimension(&branchy, "Branch Prediction");
    assert_eq!(branches["tier"], "FAIL", "{branches:#}");
    assert_eq!(branches["location"]["function"], "count");
    let (_churn, churn) = card("churn", "deep", "500,1000,2000", "linear");
    let blocks = sub_check(&churn, "allocation_churn");
    assert_eq!(
        (&blocks["tier"], &blocks["location"]["function"]),
        (&"FAIL".into(), &"turn".into()),
        "{blocks:#}"
    );
    let (_phases, phases) = card("phases", "deep", "500,1000,2000", "linear");
    assert_eq!(sub_check(&phases, "allocation_churn")["tier"], "PASS", "{phases:#}");
    assert_eq!(dimension(&phases, "Memory Profile")["tier"], "PASS");
}

#[test]
fn a_program_that_sleeps_is_told_to_wait() {
    if !here("gcc") {
        return;
    }
    let place = Place::new();
    build(&place, "waiter");
    let ran =
        place.slowpath(["why", "--json", "--no-record", "--runs", "3", "--", "./waiter", "40"]).exits(0);
    let card = &ran.json()["scorecard"];
    let notes = card["notes"].to_string();
    assert!(notes.contains("is waiting"), "{card:#}");
    assert_ne!(card["coverage"], "7 of 7");
}

/// A script that runs the actor; replacing it keeps the command and changes the work.
fn worker(place: &Place, name: &str, work: &str) {
    place.script(name, &format!("#!/bin/sh\nexec {} {work}\n", actor().display()));
}

fn why(place: &Place, options: &[&str], words: &[&str]) -> Ran {
    let fixed = ["why", "--json", "--no-record", "--runs", "6", "--warmup", "1"];
    place.slowpath(fixed.iter().chain(options).chain(&["--"]).chain(words))
}

#[test]
fn a_baseline_catches_thirty_times_the_work_and_not_the_same_work() {
    let place = Place::new();
    worker(&place, "tool", "spin 2000000");
    why(&place, &["--out", "base"], &["./tool"]).exits(0);
    let same = why(&place, &["--baseline", "base", "--out", "same"], &["./tool"]).exits(0).json();
    assert_eq!(same["scorecard"]["baseline"]["blocker"], false, "{same:#}");
    worker(&place, "tool", "spin 60000000");
    let slow = why(&place, &["--baseline", "base", "--out", "slow"], &["./tool"]).exits(1).json();
    assert_eq!(slow["scorecard"]["baseline"]["blocker"], true, "{slow:#}");
    // A summary alone is as good, and a better program is no regression.
    let file = "slow/benchmark_summary.json";
    worker(&place, "tool", "spin 2000000");
    let better = why(&place, &["--baseline", file, "--out", "better"], &["./tool"]).exits(0).json();
    assert_eq!(better["scorecard"]["baseline"]["blocker"], false);
    let stored = place.slowpath(["report", "--json", "slow"]).exits(0).json();
    assert_eq!(stored["scorecard"], slow["scorecard"], "the baseline is stored with the run");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = Place::new();
    worker(&place, "tool", "spin 1000");
    why(&place, &["--out", "base"], &["./tool"]).exits(0);
    why(&place, &["--baseline", "/nonexistent.json"], &["./tool"]).complains(2, &[]);
    place.file("garbage.json", "{\"total\": 3}");
    why(&place, &["--baseline", "garbage.json"], &["./tool"]).complains(2, &["garbage.json"]);
    place.file("cut.json", "{\"schema\": \"slowpath.summary/1\", ");
    why(&place, &["--baseline", "cut.json"], &["./tool"]).complains(2, &["cut.json"]);
    why(&place, &["--findings-out", "nowhere/f.json"], &["./tool"]).complains(2, &["nowhere"]);
    // Another command, and another machine.
    why(&place, &["--baseline", "base"], &["./tool", "other"]).exits(6);
    let path = place.path().join("base/benchmark_summary.json");
    let mut summary: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    summary["fingerprint"]["machine"]["cpu_model"] = "Another CPU".into();
    place.file("elsewhere.json", summary.to_string());
    let there = why(&place, &["--baseline", "elsewhere.json"], &["./tool"]).exits(6).json();
    assert_eq!(there["scorecard"]["baseline"]["comparable"], "not");
}

#[test]
fn a_ledger_grows_by_a_line_and_survives_broken_ones() {
    let place = Place::new();
    worker(&place, "tool", "spin 2000000");
    let entered = |words: &[&str]| why(&place, &["--ledger", "ledger.jsonl"], words).exits(0);
    entered(&["./tool"]);
    let first = fs::read_to_string(place.path().join("ledger.jsonl")).unwrap();
    let entry: Value = serde_json::from_str(first.trim()).unwrap();
    is_valid("ledger", &entry);
    place.file("ledger.jsonl", format!("{first}not json\n{}", &first[..20]));
    let warned = entered(&["./tool"]);
    assert!(
        warned.stderr.contains("line 2 cannot be read") && warned.stderr.contains("line 3"),
        "{}",
        warned.stderr
    );
    let text = fs::read_to_string(place.path().join("ledger.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.starts_with(&first) && text.contains("not json"));
    let told = |place: &Place| -> Value {
        let bytes = fs::read(place.last_run().join("benchmark_summary.json")).unwrap();
        serde_json::from_slice::<Value>(&bytes).unwrap()["ledger_regressions"].clone()
    };
    assert_eq!(told(&place)["entries"], 1);
    // Another command has no predecessor, and much more work of the same one is told.
    entered(&["./tool", "other"]);
    assert_eq!(told(&place)["entries"], 0);
    worker(&place, "tool", "spin 60000000");
    entered(&["./tool"]);
    let worse = told(&place)["vs_last"].to_string();
    assert!(worse.contains("cpu"), "{worse}");
}

#[test]
fn findings_go_where_they_are_sent() {
    let place = Place::new();
    why(&place, &["--findings-out", "f.json"], &[actor().to_str().unwrap(), "spin", "1000"]).exits(0);
    let sent: Value = serde_json::from_str(&place.read("f.json")).unwrap();
    is_valid("findings", &sent);
    let kept: Value =
        serde_json::from_slice(&fs::read(place.last_run().join("findings.json")).unwrap()).unwrap();
    assert_eq!(sent, kept);
}
