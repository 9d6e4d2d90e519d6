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
    let ran = scaled(&place, &["--sizes", "100..1600*2", "--predict", "100k"], "./pairs").exits(0);
    let again = place.slowpath(["report", "last", "--json"]).exits(0);
    assert_eq!(again.text(), ran.text());
    let run = place.last_run();
    is_valid("run", &manifest(&run));
    assert_eq!(fs::read(run.join("answer.json")).unwrap(), ran.stdout);
    assert!(fs::read_to_string(run.join("growth.svg")).unwrap().ends_with("</svg>\n"));
    if !can_count() {
        // Times of a busy machine may fit too badly for a prediction.
        return;
    }
    let predicted = &ran.json()["fits"][0]["predictions"][0];
    assert_eq!(predicted["size"], 100_000, "{:#}", ran.json());
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

/// Adds with 512 bits wherever it runs: nothing in it asks whether the processor can.
#[cfg(target_arch = "x86_64")]
const WIDE: &str = r#"
#include <immintrin.h>
#include <stdlib.h>
__attribute__((noinline)) int total(const int *numbers, long n) {
    __m512i sum = _mm512_setzero_si512();
    for (long i = 0; i + 16 <= n; i += 16) sum = _mm512_add_epi32(sum, _mm512_loadu_si512(numbers + i));
    return _mm512_reduce_add_epi32(sum);
}
int main(int argc, char **argv) {
    long n = atol(argv[1]);
    volatile int sum = 0;
    int *numbers = calloc(n, sizeof *numbers);
    for (int pass = 0; pass < 20; pass++) sum += total(numbers, n);
    return 0;
}
"#;

#[test]
#[cfg(target_arch = "x86_64")]
fn a_program_built_for_avx_512_is_timed_and_not_counted() {
    if !can_count() || !std::arch::is_x86_feature_detected!("avx512f") {
        println!("skipped: this processor has no AVX-512");
        return;
    }
    let place = Place::new();
    let source = place.file("wide.c", WIDE);
    let options = ["-O2", "-mavx512f", "-o"];
    let gcc = Command::new("gcc").args(options).arg(place.path().join("wide")).arg(source).status();
    assert!(gcc.unwrap().success(), "install gcc");
    let options =
        ["scale", "--json", "--runs", "2", "--sizes", "20k,80k,320k,1280k", "--", "./wide", "{SIZE}"];
    let answer = place.slowpath(options).exits(0).json();
    if answer["metric"] == "instructions" {
        println!("skipped: this machine counts without valgrind");
        return;
    }
    assert_eq!(answer["metric"], "cpu", "{answer:#}");
    let gaps = answer["gaps"].as_array().unwrap();
    assert_eq!(gaps.len(), 1, "{gaps:#?}");
    assert_eq!(gaps[0]["what"], "instruction counts");
    let why = gaps[0]["why"].as_str().unwrap();
    assert!(why.contains("AVX-512") && why.contains("does not ask the processor"), "{why}");
    assert!(gaps[0]["try"].as_str().unwrap().contains("-march=native"), "{gaps:#?}");
    assert!(!place.last_run().join("tier2").exists(), "valgrind was started");
}

/// Valgrind 3.19 gives up at what rustc writes; 3.24 reads it, and then nothing has to be copied.
#[test]
fn debug_information_that_valgrind_cannot_read_costs_no_count() {
    if !can_count() {
        return;
    }
    let place = Place::new();
    let source = "#[inline(never)]\nfn squares(n: u64) -> u64 {\n    (0..n * n).fold(0, |sum, i| std::hint::black_box(sum ^ i))\n}\nfn main() {\n    let n = std::env::args().nth(1).unwrap().parse().unwrap();\n    println!(\"{}\", squares(n));\n}\n";
    let file = place.file("squares.rs", source);
    let options = ["-C", "debuginfo=2", "-C", "opt-level=1", "-C", "dwarf-version=5", "-o"];
    let rustc = Command::new("rustc").args(options).arg(place.path().join("squares")).arg(file).status();
    assert!(rustc.is_ok_and(|ended| ended.success()), "rustc");
    let options = ["scale", "--json", "--runs", "2", "--sizes", "100,200,400,800"];
    let answer = place.slowpath(options.iter().chain(&["--", "./squares", "{SIZE}"])).exits(0).json();
    assert_eq!(answer["metric"], "instructions", "{answer:#}");
    let functions = answer["functions"].as_array().unwrap();
    let Some(squares) = functions.iter().find(|one| one["name"] == "squares::squares") else {
        assert!(functions.is_empty(), "{functions:#?}");
        println!("skipped: this machine counts without valgrind");
        return;
    };
    assert_eq!(squares["class"], "n^2", "{squares}");
    assert!(squares["file"].as_str().unwrap().ends_with("squares.rs"), "{squares}");
    if place.last_run().join("tier2/bare-0").exists() {
        assert_eq!(squares["line"], 2, "{squares}");
        assert_eq!(answer["gaps"][0]["what"], "source lines of simulated costs");
    }
}

/// A simulator that is far slower than anybody foresees: the limit holds all the same.
#[test]
fn counting_ends_at_the_limit() {
    let place = Place::new();
    specimen(&place, "pairs");
    fs::create_dir(place.path().join("slow")).unwrap();
    let slow = "#!/bin/sh\n[ \"$1\" = --version ] && echo valgrind-3.19.0 && exit\nexec sleep 600\n";
    place.script("slow/valgrind", slow);
    let options = ["scale", "--json", "--runs", "1", "--limit", "3s", "--sizes", "100,200,400"];
    let mut command = place.command(options.iter().chain(&["--", "./pairs", "{SIZE}"]));
    command.env("PATH", format!("{}:/usr/bin:/bin", place.path().join("slow").display()));
    let answer = place.start(command).end().exits(0).json();
    if answer["metric"] == "instructions" {
        println!("skipped: this machine counts without valgrind");
        return;
    }
    let gap = &answer["gaps"][0];
    assert_eq!(gap["what"], "instruction counts", "{answer:#}");
    assert!(gap["why"].as_str().unwrap().contains("counting size 100 was ended after"), "{gap}");
    place.is_left_by_all();
}
