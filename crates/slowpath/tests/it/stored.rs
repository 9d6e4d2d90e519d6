//! Stored runs and other tools' files: read, compared, and refused when they cannot be trusted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::answers::is_valid;
use crate::place::{Place, Ran, fixture, part};

fn measured(place: &Place, out: &str, runs: &str, name: &str, words: &str) -> PathBuf {
    let target = part(words);
    place
        .slowpath(["bench", "--runs", runs, "--warmup", "1", "--name", name, "--out", out, &target])
        .exits(0);
    place.path().join(out)
}

fn compared(place: &Place, base: &str, new: &str) -> Ran {
    place.slowpath(["compare", "--json", "--margin", "30%", "--runs", base, new])
}

/// A changed copy of a file.
fn change(path: &Path, change: impl FnOnce(String) -> String) {
    fs::write(path, change(fs::read_to_string(path).unwrap())).unwrap();
}

#[test]
fn stored_runs_are_compared_also_with_unequal_n() {
    let place = Place::new();
    measured(&place, "a", "20", "x", "spin 2000000");
    measured(&place, "b", "31", "x", "spin 8000000");
    let answer = compared(&place, "a", "b").exits(0).json();
    is_valid("compare", &answer);
    assert_eq!(answer["verdict"], "worse", "{answer:#}");
    assert_eq!((&answer["base"]["n"], &answer["new"]["n"]), (&20.into(), &31.into()));
    let back = compared(&place, "b", "a").exits(0).json();
    assert_ne!(back["verdict"], "worse", "{back:#}");
    let gate = place.slowpath(["compare", "--margin", "30%", "--fail-on", "worse", "--runs", "a", "b"]);
    gate.exits(1);
    let same = compared(&place, "a", "a");
    assert!(same.json()["verdict"] == "no-change" || same.code == Some(5), "{same:?}");
}

#[test]
fn a_baseline_that_cannot_be_read_is_never_no_change() {
    let place = Place::new();
    measured(&place, "good", "5", "x", "spin 1000");
    let broken = |name: &str, spoil: &dyn Fn(&Path)| {
        let copied = Command::new("cp").args(["-r", "good", name]).current_dir(place.path()).status();
        assert!(copied.unwrap().success());
        spoil(&place.path().join(name));
    };
    broken("cut-manifest", &|run| change(&run.join("run.json"), |text| text[..text.len() / 2].to_owned()));
    broken("garbage", &|run| fs::write(run.join("run.json"), b"\x00\xff garbage").unwrap());
    broken("empty", &|run| fs::write(run.join("run.json"), b"").unwrap());
    broken("newer", &|run| {
        change(&run.join("run.json"), |text| text.replace("slowpath.run/1", "slowpath.run/2"));
    });
    broken("damaged-line", &|run| {
        change(&run.join("tier1/samples.jsonl"), |text| text.replacen("\"wall_ns\":", "\"wall_ns\":-", 1));
    });
    broken("no-manifest", &|run| fs::remove_file(run.join("run.json")).unwrap());
    place.file("garbage.json", "{\"not\": \"a result\"}");
    place.file("empty.json", "");
    fs::write(place.path().join("bytes"), b"\xff\xfe\x00").unwrap();
    let names = [
        "cut-manifest",
        "garbage",
        "empty",
        "newer",
        "damaged-line",
        "no-manifest",
        "garbage.json",
        "empty.json",
        "bytes",
        "nothing-there",
    ];
    for name in names {
        compared(&place, name, "good").complains(2, &[]);
        compared(&place, "good", name).complains(2, &[]);
        place.slowpath(["report", name]).complains(2, &[]);
    }
    place.slowpath(["report", "newer"]).complains(2, &["newer slowpath", "slowpath.run/2"]);
    place.slowpath(["report", "damaged-line"]).complains(2, &["line 1"]);
}

#[test]
fn a_cut_last_line_is_a_gap_and_not_a_sample() {
    let place = Place::new();
    let run = measured(&place, "run", "5", "x", "spin 1000");
    change(&run.join("tier1/samples.jsonl"), |text| text[..text.len() - 20].to_owned());
    let answer = place.slowpath(["report", "--json", "run"]).exits(0).json();
    assert_eq!(answer["commands"][0]["n"], 4);
    let gaps = answer["gaps"].to_string();
    assert!(gaps.contains("was cut while it was written"), "{gaps}");
    assert!(gaps.contains("changed after the run"), "{gaps}");
    assert!(compared(&place, "run", "run").json()["gaps"].to_string().contains("was cut"));
}

#[test]
fn missing_samples_are_no_answer() {
    let place = Place::new();
    let run = measured(&place, "run", "5", "x", "spin 1000");
    fs::remove_file(run.join("tier1/samples.jsonl")).unwrap();
    place.slowpath(["report", "run"]).complains(3, &[]);
    let ran = compared(&place, "run", "run");
    assert!(matches!(ran.code, Some(2 | 3)), "{ran:?}");
}

#[test]
fn a_field_from_the_future_is_no_obstacle() {
    let place = Place::new();
    let run = measured(&place, "run", "5", "x", "spin 1000");
    let before = place.slowpath(["report", "--json", "run"]).exits(0).json();
    change(&run.join("run.json"), |text| text.replacen('{', "{\n  \"invented_later\": [1],", 1));
    let after = place.slowpath(["report", "--json", "run"]).exits(0).json();
    assert_eq!(before, after);
}

#[test]
fn another_machine_is_not_comparable() {
    let place = Place::new();
    measured(&place, "here", "8", "x", "spin 1000");
    let there = measured(&place, "there", "8", "x", "spin 1000");
    change(&there.join("run.json"), |text| {
        let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        manifest["fingerprint"]["machine"]["cpu_model"] = "Another CPU".into();
        if manifest["fingerprint"]["machine"]["cpu_vendor"].is_null() {
            println!("this machine does not name its vendor");
        }
        manifest.to_string()
    });
    let answer = compared(&place, "here", "there").exits(6).json();
    assert_eq!(answer["comparable"], "not");
    let differences = answer["differences"].to_string();
    assert!(differences.contains("Another CPU"), "{differences}");
    // A gate is not consulted: the numbers say nothing.
    place.slowpath(["compare", "--fail-on", "worse", "--runs", "here", "there"]).exits(6);
}

#[test]
fn an_unknown_machine_is_advisory_because_unknown_is_not_equal() {
    let place = Place::new();
    for name in ["a", "b"] {
        let run = measured(&place, name, "8", "x", "spin 1000");
        change(&run.join("run.json"), |text| {
            let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
            manifest["fingerprint"]["machine"]["cpu_model"] = serde_json::Value::Null;
            manifest.to_string()
        });
    }
    assert_eq!(compared(&place, "a", "b").json()["comparable"], "advisory");
}

#[test]
fn results_without_a_shared_name_are_refused() {
    let place = Place::new();
    for name in ["a", "b"] {
        let (one, two) = (part("spin 1000"), part("spin 2000"));
        let names = [format!("{name}1"), format!("{name}2")];
        let fixed = ["bench", "--runs", "3", "--out", name, "--name", &names[0], "--name", &names[1]];
        place.slowpath(fixed.iter().chain(&[one.as_str(), &two])).exits(0);
    }
    compared(&place, "a", "b").complains(2, &["no benchmark has the same name", "a1", "b1"]);
}

#[test]
fn other_tools_files_are_shown_and_compared() {
    let place = Place::new();
    let files = [
        "hyperfine/1.15.0/ordinary",
        "hyperfine/1.20.0/ordinary",
        "hyperfine/2.0.0/ordinary",
        "pyperf/2.10.0/ordinary",
        "pytest-benchmark/5.3.1/ordinary",
        "criterion/0.8.2/ordinary",
        "go/1.19/ordinary",
        "google-benchmark/1.7.1/ordinary",
        "jmh/1.37/ordinary",
    ];
    for name in files {
        let input = fixture(name).join("input");
        let input = input.to_str().unwrap();
        let shown = place.slowpath(["report", "--json", input]).exits(0).json();
        is_valid("bench", &shown);
        assert!(shown["commands"].as_array().is_some_and(|commands| !commands.is_empty()), "{name}");
        place.slowpath(["report", input]).exits(0);
        let ran = compared(&place, input, input);
        assert!(matches!(ran.code, Some(0 | 5)), "{name}: {ran:?}");
        let answer = ran.json();
        is_valid("compare", &answer);
        assert!(
            answer["verdict"] == "no-change" || answer["verdict"] == "inconclusive",
            "{name}: {answer:#}"
        );
        assert_eq!(answer["comparable"], "advisory", "{name}: the machine is not known");
    }
    for name in ["hyperfine/2.0.0/cut", "pyperf/2.10.0/cut", "go/1.19/empty"] {
        let input = fixture(name).join("input");
        compared(&place, input.to_str().unwrap(), input.to_str().unwrap()).complains(2, &[]);
    }
    assert!(place.runs().is_empty(), "reading writes nothing");
}
