//! Suites of benchmarks as targets: one series for each benchmark, the project's code named, growth by the sizes in names.

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, Ran};

/// A suite runs for seconds, and for longer beside a build.
const PATIENCE: Duration = Duration::from_secs(240);

const GO: &str = r#"package sums

import (
	"fmt"
	"testing"
)

var sink int

func pairs(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			sum += i ^ j
		}
	}
	return sum
}

func BenchmarkPairs(b *testing.B) {
	for _, n := range []int{64, 128, 256, 512} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				sink += pairs(n)
			}
		})
	}
}
"#;

/// Takes pytest-benchmark's options and writes its format, so that no package has to be installed. The work is real; the
/// times are what it would take on a quiet machine.
const PYTEST: &str = r#"#!/usr/bin/python3
import json, sys
import work

def main():
    out = [word.split("=", 1)[1] for word in sys.argv if word.startswith("--benchmark-json=")]
    repeats = 1 if any(word.startswith("--benchmark-max-time") for word in sys.argv) else 300
    rows = []
    for name, call in [("linear", work.linear), ("quadratic", work.quadratic)]:
        for n in [100, 200, 400, 800]:
            values = []
            cost = 1e-7 * n if name == "linear" else 1e-8 * n * n
            for i in range(repeats):
                call(n)
                values.append(cost * (1 + 0.0005 * (i % 9)))
            rows.append({"fullname": f"test_bench.py::test_{name}[{n}]", "options": {"timer": "perf_counter"},
                         "stats": {"data": values, "iterations": 1}})
    if out:
        with open(out[0], "w") as file:
            json.dump({"machine_info": {}, "version": "5.1.0", "benchmarks": rows}, file)

main()
"#;

const WORK: &str = "def linear(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def quadratic(n):
    seen = []
    for i in range(n):
        if i not in seen:
            seen.append(i)
    return len(seen)
";

fn why(place: &Place, options: &[&str], words: &[&str]) -> Ran {
    let command = place.command(["why", "--json"].iter().chain(options).chain(&["--"]).chain(words));
    place.start(command).end_within(PATIENCE)
}

fn family<'f>(suite: &'f Value, name: &str) -> &'f Value {
    let all = suite["families"].as_array().unwrap();
    let found = all.iter().find(|family| family["name"].as_str().unwrap().contains(name));
    &found.unwrap_or_else(|| panic!("no {name} in {all:#?}"))["growth"]
}

#[test]
fn each_benchmark_of_a_pytest_suite_is_a_series_and_the_projects_code_is_the_culprit() {
    let place = Place::new();
    place.file("work.py", WORK);
    place.script("pytest", PYTEST);
    let ran = why(&place, &["--runs", "1"], &["./pytest", "--benchmark-only"]).exits(0);
    let answer = ran.json();
    is_valid("answer", &answer);
    let suite = &answer["suite"];
    let benchmarks = suite["benchmarks"].as_array().unwrap();
    assert_eq!(benchmarks.len(), 8, "{suite:#}");
    assert_eq!(benchmarks[0]["name"], "test_bench.py::test_linear[100]");
    assert_eq!((&benchmarks[0]["n"], &benchmarks[0]["size"]), (&300.into(), &100.into()));
    // Two functions at the same sizes are two laws, not their mean.
    let exponent = |name: &str| family(suite, name)["exponent"]["value"].as_f64().unwrap();
    assert!(exponent("quadratic") > exponent("linear") + 0.5, "{suite:#}");
    let hottest = &answer["hotspots"][0];
    assert!(answer["hotspots"].to_string().contains("work.py"), "{hottest:#}");
    assert!(place.last_run().join("tier1/pytest_benchmark.json").is_file());
    let again = place.slowpath(["report", "last", "--json"]).exits(0);
    assert_eq!(again.text(), ran.text());
}

#[test]
fn the_growth_of_a_suite_is_in_the_scorecard_of_its_answer() {
    let place = Place::new();
    place.file("work.py", WORK);
    place.script("pytest", PYTEST);
    let words = ["./pytest", "--benchmark-only"];
    for (expected, code, tier) in [("linear", 1, "FAIL"), ("quadratic", 0, "PASS")] {
        let ran = why(&place, &["--no-record", "--expected", expected], &words).exits(code);
        let answer = ran.json();
        is_valid("answer", &answer);
        assert_eq!(answer["scaling"]["class"], "n^2", "{:#}", answer["scaling"]);
        let growth = &answer["scorecard"]["dimensions"][0];
        let check = &growth["checks"][0];
        assert_eq!(check["tier"], tier, "{growth:#}");
        let because = check["because"].as_str().unwrap();
        assert!(because.contains("wall time grows in test_bench.py::test_quadratic[{SIZE}]"), "{because}");
        assert_eq!(check["figure"]["command"], "slowpath scale -- ./pytest --benchmark-only");
        assert!(place.last_run().join(check["figure"]["artifact"].as_str().unwrap()).is_file());
        let again = place.slowpath(["report", "last", "--json"]).exits(0);
        assert!(again.text() == ran.text(), "told otherwise the second time");
    }
    let summary = fs::read(place.last_run().join("benchmark_summary.json")).unwrap();
    let summary: Value = serde_json::from_slice(&summary).unwrap();
    assert!((summary["complexity_exponent"].as_f64().unwrap() - 2.0).abs() < 0.2, "{summary:#}");
}

#[test]
fn a_gate_on_growth_without_sizes_does_not_hold() {
    let place = Place::new();
    place.file("work.py", WORK);
    place.script("pytest", PYTEST.replace("[100, 200, 400, 800]", "[100, 200]").as_str());
    why(&place, &["--no-record", "--expected", "linear"], &["./pytest", "--benchmark-only"]).exits(5);
    why(&place, &["--no-record", "--expected", "linear"], &["true"])
        .complains(2, &["`--expected` needs sizes", "--sizes 1k,4k,16k"]);
}

#[test]
fn the_benchmarks_of_go_are_read_from_what_it_prints() {
    if Command::new("go").arg("version").output().is_err() {
        println!("skipped: go is not installed");
        return;
    }
    let place = Place::new();
    place.file("go.mod", "module example.com/sums\n\ngo 1.19\n");
    place.file("sums_test.go", GO);
    let built = Command::new("go")
        .args(["test", "-c", "-o", "sums.test"])
        .current_dir(place.path())
        .env("GOCACHE", place.path().join("cache"))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let words = ["./sums.test", "-test.run=NONE", "-test.bench=.", "-test.benchtime=50ms", "-test.count=3"];
    let answer = why(&place, &["--no-record"], &words).exits(0).json();
    let suite = &answer["suite"];
    assert_eq!(suite["benchmarks"].as_array().unwrap().len(), 4, "{suite:#}");
    assert_eq!(suite["benchmarks"][3]["n"], 3);
    // Three short passes each on a machine that may be busy: faster than the size is all that is sure.
    let exponent = family(suite, "Pairs")["exponent"]["value"].as_f64().unwrap();
    assert!(exponent > 1.0, "{suite:#}");
    // What `go` does before is not what the answer is about.
    let cache = format!("GOCACHE={}", place.path().join("cache").display());
    let words = ["go", "test", "-run", "NONE", "-bench", ".", "-benchtime=50ms"];
    let answer = why(&place, &["--no-record", "--env", &cache], &words).exits(0).json();
    assert_eq!(answer["suite"]["benchmarks"].as_array().unwrap().len(), 4, "{:#}", answer["suite"]);
    let argv: Vec<&str> =
        answer["target"]["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert!(argv[0].ends_with(".slowpath/cache/work.test"), "{argv:?}");
    assert_eq!(argv[1..], ["-test.run=NONE", "-test.bench=.", "-test.benchtime=50ms"]);
}

#[test]
fn a_suite_that_saves_nothing_is_answered_with_a_gap() {
    let place = Place::new();
    place.script("pytest", "#!/bin/sh\nexit 0\n");
    let answer = why(&place, &["--no-record"], &["./pytest", "--benchmark-only"]).exits(0).json();
    assert!(answer["suite"].is_null());
    let gaps = answer["gaps"].to_string();
    assert!(gaps.contains("a series for each benchmark") && gaps.contains("wrote no results"), "{gaps}");
}

#[test]
fn a_benchmark_of_a_suite_shows_its_series() {
    let place = Place::new();
    place.file("work.py", WORK);
    place.script("pytest", PYTEST);
    let ran = place.slowpath(["bench", "--json", "--", "./pytest", "--benchmark-only"]).exits(0);
    let bench = ran.json();
    is_valid("bench", &bench);
    assert_eq!(bench["suite"]["benchmarks"].as_array().unwrap().len(), 8, "{:#}", bench["suite"]);
    let again = place.slowpath(["report", "last", "--json"]).exits(0);
    assert!(again.text() == ran.text(), "told otherwise the second time");
    let text = place.slowpath(["report", "last"]).exits(0);
    assert!(text.text().contains("test_bench.py::test_linear[100]"), "{}", text.text());
    // Other commands are measured as ever.
    let both = place
        .slowpath(["bench", "--json", "--runs", "2", "true", "./pytest --benchmark-only"])
        .exits(0)
        .json();
    assert!(both["suite"].is_null());
}

fn scale(place: &Place, options: &[&str], words: &[&str]) -> Ran {
    let command = place.command(["scale"].iter().chain(options).chain(&["--"]).chain(words));
    place.start(command).end_within(PATIENCE)
}

#[test]
fn a_suite_grows_by_the_sizes_in_its_names() {
    let place = Place::new();
    place.file("work.py", WORK);
    place.script("pytest", PYTEST);
    let words = ["./pytest", "--benchmark-only"];
    let ran = scale(&place, &["--json", "--predict", "1600"], &words).exits(0);
    let answer = ran.json();
    is_valid("scale", &answer);
    assert_eq!((&answer["class"], &answer["metric"]), (&"n^2".into(), &"wall".into()), "{answer:#}");
    let summary = answer["summary"].as_str().unwrap();
    assert!(summary.contains("test_quadratic[{SIZE}], the worst of 2 families"), "{summary}");
    for (name, class) in [("linear", "n"), ("quadratic", "n^2")] {
        let growth = family(&answer["suite"], name);
        assert_eq!(growth["class"], class, "{growth:#}");
        assert_eq!(growth["points"].as_array().unwrap().len(), 4);
        assert_eq!(growth["predictions"][0]["size"], 1600);
    }
    let again = place.slowpath(["report", "last", "--json"]).exits(0);
    assert!(again.text() == ran.text(), "told otherwise the second time");
    let text = place.slowpath(["report", "last"]).exits(0).text();
    assert!(text.contains("test_linear[{SIZE}]") && text.contains('•'), "{text}");
    let plot = fs::read_to_string(place.last_run().join("growth.svg")).unwrap();
    assert!(
        plot.contains("test_linear[{SIZE}]: n,") && plot.contains("test_quadratic[{SIZE}]: n^2,"),
        "{plot}"
    );
    assert!(
        fs::read_to_string(place.last_run().join("report.html")).unwrap().contains("test_linear[{SIZE}]")
    );
}

#[test]
fn the_worst_family_of_a_suite_breaks_the_gate() {
    let place = Place::new();
    place.file("work.py", WORK);
    place.script("pytest", PYTEST);
    let words = ["./pytest", "--benchmark-only"];
    for (expected, code, verdicts) in [("n^2", 0, ["holds", "holds"]), ("linear", 1, ["holds", "broken"])] {
        let answer = scale(&place, &["--json", "--expected", expected], &words).exits(code).json();
        let families = answer["suite"]["families"].as_array().unwrap();
        let found: Vec<&Value> = families.iter().map(|family| &family["gate"]["verdict"]).collect();
        assert_eq!(found, verdicts, "{answer:#}");
        assert_eq!(answer["gate"]["verdict"], verdicts[1]);
    }
}

#[test]
fn a_suite_without_sizes_is_told_how_to_get_them() {
    let place = Place::new();
    let two = PYTEST.replace("[100, 200, 400, 800]", "[100, 200]");
    place.file("work.py", WORK);
    place.script("pytest", &two);
    let words = ["./pytest", "--benchmark-only"];
    scale(&place, &[], &words)
        .complains(3, &["none of the suite's 4 benchmarks", "test_linear[100]", "parametrize"]);
    place.script("pytest", "#!/bin/sh\nexit 0\n");
    scale(&place, &[], &words).complains(3, &["wrote no results"]);
    // Sizes of slowpath's own need a place in the command.
    scale(&place, &["--sizes", "1,2,3"], &words)
        .complains(2, &["a suite has sizes of its own", "leave `--sizes` out"]);
}

#[test]
fn a_suite_with_a_place_for_the_size_is_a_command_like_any_other() {
    let place = Place::new();
    place.script("pytest", "#!/bin/sh\ni=0; while [ $i -lt $2 ]; do i=$((i+1)); done\n");
    let options = ["--json", "--no-count", "--runs", "2", "--sizes", "1k,2k,4k"];
    let answer = scale(&place, &options, &["./pytest", "--benchmark-only", "{SIZE}"]).exits(0).json();
    assert!(answer["suite"].is_null());
    assert_eq!(answer["fits"][0]["points"].as_array().unwrap().len(), 3);
}

/// Stands for cargo, and for what it built: criterion takes a minute to compile. What it saves was saved by criterion 0.5.1, by
/// `cargo bench --bench grow -- --sample-size 10 --measurement-time 1`.
const CARGO: &str = r#"#!/usr/bin/python3
import json, os, sys

here = os.getcwd()
if "--no-run" in sys.argv:
    print(json.dumps({"reason": "compiler-artifact", "manifest_path": here + "/Cargo.toml",
                      "target": {"kind": ["bench"]}, "executable": here + "/target/release/deps/grow-1"}))
    sys.exit()
for line in open("criterion.jsonl"):
    row = json.loads(line)
    folder = here + "/target/criterion/" + row["folder"] + "/new"
    os.makedirs(folder, exist_ok=True)
    for name in ["sample", "benchmark"]:
        with open(folder + "/" + name + ".json", "w") as file:
            json.dump(row[name], file)
"#;

/// Runs its benchmarks as criterion's `--profile-time` and `--test` ask for.
const GROW: &str = r#"#!/usr/bin/python3
import sys


def pairs(numbers):
    return sum(1 for one in numbers for other in numbers if one == other)


assert "--bench" in sys.argv
for i in range(60 if "--profile-time" in sys.argv else 1):
    pairs(range(200))
"#;

fn criterion(place: &Place) -> String {
    for folder in ["target", "target/release", "target/release/deps"] {
        fs::create_dir(place.path().join(folder)).unwrap();
    }
    place.file("criterion.jsonl", include_str!("criterion.jsonl"));
    place.script("cargo", CARGO);
    place.script("target/release/deps/grow-1", GROW);
    place.path().join("cargo").to_str().unwrap().to_owned()
}

#[test]
fn a_criterion_suite_grows_by_the_numbers_in_its_names() {
    let place = Place::new();
    let cargo = criterion(&place);
    let words = [cargo.as_str(), "bench", "--bench", "grow"];
    let scale = |options: &[&str]| {
        place.slowpath(["scale", "--json"].iter().chain(options).chain(&["--"]).chain(&words))
    };
    let answer = scale(&[]).exits(0).json();
    is_valid("scale", &answer);
    let suite = &answer["suite"];
    assert_eq!(suite["tool"], "criterion");
    // In the order in which they ran, not in that of their names.
    let names: Vec<&str> =
        suite["benchmarks"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names[..5], ["pairs/100", "pairs/200", "pairs/400", "pairs/800", "pairs/1600"]);
    assert_eq!(names.len(), 10, "{names:?}");
    assert_eq!(family(suite, "pairs")["class"], "n^2", "{suite:#}");
    assert_eq!(family(suite, "sorts")["class"], "n log n", "{suite:#}");
    scale(&["--expected", "linear"]).exits(1);
    // What it saved can be shown, and compared with itself or a baseline that has a name.
    let shown = place.slowpath(["report", "target/criterion", "--json"]).exits(0).json();
    assert_eq!(shown["commands"].as_array().unwrap().len(), 10, "{shown:#}");
    place.slowpath(["compare", "--runs", "target/criterion", "target/criterion:new"]);
    let absent = place.slowpath(["compare", "--runs", "target/criterion", "target/criterion:main"]);
    absent.complains(2, &["target/criterion:main"]);
}

#[test]
fn series_of_a_suite_that_were_cut_or_changed_are_told() {
    let place = Place::new();
    let cargo = criterion(&place);
    place.slowpath(["bench", "--json", "--", cargo.as_str(), "bench"]).exits(0);
    let file = place.last_run().join("tier1/suite.json");
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, whole.replace("pairs/100", "pairs/101")).unwrap();
    let answer = place.slowpath(["report", "last", "--json"]).exits(0).json();
    assert_eq!(answer["gaps"][0]["what"], "tier1/suite.json", "{:#}", answer["gaps"]);
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    place.slowpath(["report", "last"]).complains(2, &["suite.json` is damaged"]);
}

#[test]
fn why_a_criterion_suite_is_slow_is_told_of_its_benchmarks_alone() {
    let place = Place::new();
    let cargo = criterion(&place);
    let ran = why(&place, &["--runs", "1"], &[&cargo, "bench", "--bench", "grow", "pairs"]).exits(0);
    let answer = ran.json();
    is_valid("answer", &answer);
    let argv: Vec<&str> =
        answer["target"]["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert!(argv[0].ends_with("target/release/deps/grow-1"), "{argv:?}");
    assert_eq!(argv[1..], ["--bench", "pairs", "--profile-time", "1"]);
    assert_eq!(answer["suite"]["benchmarks"].as_array().unwrap().len(), 10);
    assert!(answer["hotspots"].to_string().contains("pairs"), "{:#}", answer["hotspots"]);
    let gaps = answer["gaps"].as_array().unwrap();
    assert!(gaps.iter().any(|gap| gap["what"] == "source lines"), "{gaps:#?}");
    let again = place.slowpath(["report", "last", "--json"]).exits(0);
    assert_eq!(again.text(), ran.text());
}
