//! `slowpath why --tier`: what the simulators count of real programs, and everything that can go wrong with them.
//!
//! Counts only: they repeat to the digit on any machine, which times do not.

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, Ran, manifest};

const COLROW: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) long by_column(const int *cells, long n) {
    long sum = 0;
    for (long column = 0; column < n; column++)
        for (long row = 0; row < n; row++) sum += cells[row * n + column];
    return sum;
}
__attribute__((noinline)) long by_row(const int *cells, long n) {
    long sum = 0;
    for (long cell = 0; cell < n * n; cell++) sum += cells[cell];
    return sum;
}
int main(int argc, char **argv) {
    long n = atol(argv[1]);
    int *cells = calloc(n * n, sizeof *cells);
    printf("%ld %ld\n", by_column(cells, n), by_row(cells, n));
    return 0;
}
"#;

const BRANCHY: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) long jump(const unsigned char *bytes, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++) {
        if (bytes[i] & 1) { __asm__ volatile("" ::: "memory"); sum += i; }
    }
    return sum;
}
int main(int argc, char **argv) {
    long n = atol(argv[1]), sum = 0;
    unsigned char *bytes = malloc(n);
    unsigned state = 1;
    for (long i = 0; i < n; i++) { state = state * 1664525u + 1013904223u; bytes[i] = state >> 24; }
    for (int pass = 0; pass < 20; pass++) sum += jump(bytes, n);
    printf("%ld\n", sum);
    return 0;
}
"#;

const CHURN: &str = r#"
#include <stdlib.h>
__attribute__((noinline)) void turn(void) {
    char *volatile block = malloc(64);
    block[0] = 1;
    free(block);
}
int main(int argc, char **argv) {
    for (long i = 0; i < atol(argv[1]); i++) turn();
    return 0;
}
"#;

const QUAD: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) int close_to(unsigned a, unsigned b) { return (a > b ? a - b : b - a) < 1000; }
int main(int argc, char **argv) {
    long n = atol(argv[1]), found = 0;
    unsigned *values = malloc(n * sizeof *values), state = 1;
    for (long i = 0; i < n; i++) { state = state * 1664525u + 1013904223u; values[i] = state; }
    for (long i = 0; i < n; i++) for (long j = i + 1; j < n; j++) found += close_to(values[i], values[j]);
    printf("%ld\n", found);
    return 0;
}
"#;

/// Valgrind loads its own libraries into the target by a variable.
const VGFAIL: &str = r#"
#include <stdlib.h>
int main(void) {
    volatile long sum = 0;
    for (long i = 0; i < 1000000; i++) sum += i;
    return getenv("LD_PRELOAD") ? 3 : 0;
}
"#;

const FORKER: &str = r#"
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) long spin(long n) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i; return sum; }
int main(void) {
    spin(1000000);
    if (fork() == 0) { spin(500000); _exit(0); }
    wait(0);
    return 0;
}
"#;

fn compiled(place: &Place, name: &str, source: &str) {
    let file = place.file(&format!("{name}.c"), source);
    let done = Command::new("gcc").args(["-O1", "-g", "-o"]).arg(place.path().join(name)).arg(file).status();
    assert!(done.unwrap().success(), "install gcc");
}

fn can_simulate() -> bool {
    let here = Command::new("valgrind").arg("--version").output().is_ok();
    if !here {
        println!("skipped: valgrind is not installed");
    }
    here
}

/// Simulators are slow, and slower still beside a build.
const PATIENCE: Duration = Duration::from_secs(240);

/// One timed run is enough here: nothing of time is asserted.
fn why(place: &Place, options: &[&str], words: &[&str]) -> Ran {
    let fixed = ["why", "--json", "--runs", "1", "--warmup", "0"];
    let command = place.command(fixed.iter().chain(options).chain(&["--"]).chain(words));
    place.start(command).end_within(PATIENCE)
}

fn simulated(place: &Place) -> Value {
    let found = fs::read(place.last_run().join("tier2/simulated.json")).unwrap();
    let found = serde_json::from_slice(&found).unwrap();
    is_valid("simulated", &found);
    adds_up(&found);
    found
}

/// The functions, what was left out and what is outside are all there is.
fn adds_up(found: &Value) {
    for event in ["ir", "dr", "d1mr", "dw", "bc", "bcm"] {
        let of = |row: &Value| row[event].as_u64();
        let Some(total) = of(&found["totals"]) else { continue };
        let functions = found["functions"].as_array().unwrap().iter().map(|one| of(&one["own"]).unwrap());
        let rest = ["others", "outside"].map(|rest| of(&found[rest]).unwrap_or(0));
        assert_eq!(functions.chain(rest).sum::<u64>(), total, "{event}");
    }
}

fn function<'f>(found: &'f Value, name: &str) -> &'f Value {
    let all = found["functions"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no {name} in {all:#?}"))
}

fn share(own: &Value, part: &str, whole: &str) -> f64 {
    own[part].as_f64().unwrap() / own[whole].as_f64().unwrap()
}

fn gap<'g>(found: &'g Value, what: &str) -> &'g Value {
    let all = found["gaps"].as_array().unwrap();
    all.iter().find(|gap| gap["what"].as_str().unwrap().contains(what)).unwrap_or_else(|| panic!("{all:#?}"))
}

#[test]
fn a_column_walk_misses_with_every_read_and_a_row_walk_with_every_sixteenth() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "colrow", COLROW);
    let answer =
        why(&place, &["--tier", "medium", "--size", "1000"], &["./colrow", "{SIZE}"]).exits(0).json();
    is_valid("answer", &answer);
    let found = simulated(&place);
    assert_eq!(found["size"], 1000);
    let column = function(&found, "by_column");
    assert!(share(&column["own"], "d1mr", "dr") > 0.99, "{column:#}");
    let row = share(&function(&found, "by_row")["own"], "d1mr", "dr");
    assert!((row - 1.0 / 16.0).abs() < 0.01, "{row}");
    assert!(column["file"].as_str().unwrap().ends_with("/colrow.c"), "{column:#}");
    assert_eq!((&column["project"], &column["startup"]), (&Value::Bool(true), &Value::Bool(false)));
    assert_eq!(column["calls"], 1);
    assert!(column["inclusive"].as_u64() >= column["own"]["ir"].as_u64());
    let [d1, ll] = ["d1", "ll"].map(|cache| &found["caches"][cache]);
    assert!(d1["simulated"].as_str().unwrap().split(',').count() == 3 && ll["simulated"].is_string());
    let first = &answer["simulated"]["functions"][0];
    assert!(["by_column", "by_row"].contains(&first["name"].as_str().unwrap()), "{first}");
    let shown = place.slowpath(["report", "last"]).exits(0).text();
    assert!(shown.contains("simulated machine") && shown.contains("by_column"), "{shown}");
    let again = place.slowpath(["report", "last", "--json"]).exits(0).json();
    assert_eq!(again, answer);
    assert!(function(&found, "_dl_relocate_object")["startup"].as_bool().unwrap());
}

#[test]
fn random_jumps_are_mispredicted() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "branchy", BRANCHY);
    why(&place, &["--tier", "medium"], &["./branchy", "20000"]).exits(0);
    let found = simulated(&place);
    let missed = share(&function(&found, "jump")["own"], "bcm", "bc");
    assert!((0.2..0.3).contains(&missed), "{missed}");
    let line = found["lines"].as_array().unwrap().iter().find(|line| line["function"] == "jump").unwrap();
    assert!(
        line["file"].as_str().unwrap().ends_with("/branchy.c") && line["line"].as_u64().unwrap() > 4,
        "{line}"
    );
}

#[test]
fn churn_is_counted_by_blocks_and_lives() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "churn", CHURN);
    let answer = why(&place, &["--tier", "deep"], &["./churn", "200000"]).exits(0).json();
    let found = simulated(&place);
    let heap = &found["heap"];
    assert_eq!(heap["blocks"], 200_000, "{heap:#}");
    assert_eq!(heap["bytes"], 12_800_000);
    let site = &heap["sites"][0];
    assert_eq!((&site["function"], &site["blocks"]), (&Value::from("turn"), &Value::from(200_000)));
    assert!(site["lifetime"].as_f64().unwrap() < 1e-4 && site["project"].as_bool().unwrap(), "{site:#}");
    assert_eq!(heap["peak"], 64);
    let names: Vec<&str> =
        found["instruments"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.ends_with(&["cachegrind", "callgrind", "massif", "dhat"]), "{names:?}");
    let run = place.last_run();
    for instrument in found["instruments"].as_array().unwrap() {
        for artifact in instrument["artifacts"].as_array().unwrap() {
            assert!(run.join(artifact.as_str().unwrap()).is_file(), "{artifact}");
        }
    }
    // What perf cannot count has no value; a number stands only where there is one.
    for counter in found["counters"].as_array().unwrap() {
        let name = counter["event"].as_str().unwrap();
        assert!(counter["value"].is_null() || counter["value"].as_f64().unwrap() >= 0.0, "{name}");
    }
    assert!(answer["overhead"].as_array().unwrap().iter().any(|pass| pass["pass"] == "dhat"), "{answer:#}");
}

#[test]
fn what_a_script_starts_is_seen_and_growth_is_told_by_function() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "quad", QUAD);
    place.script("wrap", "#!/bin/sh\n./quad $1\ntrue\n");
    let sizes = ["--tier", "medium", "--sizes", "500,1k,2k,4k", "--expected", "linear"];
    let answer = why(&place, &sizes, &["./wrap", "{SIZE}"]).exits(1).json();
    is_valid("answer", &answer);
    let scaling = &answer["scaling"];
    assert_eq!(
        (&scaling["class"], &scaling["gate"]["verdict"]),
        (&"n^2".into(), &"broken".into()),
        "{scaling:#}"
    );
    assert_eq!(scaling["metric"], "instructions");
    let found = simulated(&place);
    // Which size is simulated depends on how fast the machine is.
    let size = found["size"].as_u64().unwrap();
    let quad = function(&found, "close_to");
    assert_eq!(quad["calls"], size * (size - 1) / 2);
    assert!(quad["own"]["ir"].as_u64().unwrap() > found["totals"]["ir"].as_u64().unwrap() / 4, "{quad:#}");
    assert!(found["instruments"][0]["processes"].as_u64().unwrap() >= 2, "{:#}", found["instruments"]);
    assert!(answer["target"]["argv"][1] == "4000", "{}", answer["target"]);
    place.slowpath(["report", "last", "--json"]).exits(0).json();
}

#[test]
fn the_growth_of_a_program_names_its_quadratic_function() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "quad", QUAD);
    let ran =
        why(&place, &["--tier", "medium", "--no-record", "--sizes", "500..4k*2"], &["./quad", "{SIZE}"])
            .exits(0);
    let functions = ran.json()["scaling"]["functions"].clone();
    let quad = functions.as_array().unwrap().iter().find(|one| one["name"] == "close_to").unwrap();
    assert_eq!((&quad["class"], &quad["inclusive"]), (&"n^2".into(), &Value::Null), "{functions:#}");
    let again = place.slowpath(["report", "last", "--json"]).exits(0);
    assert_eq!(again.text(), ran.text());
}

#[test]
fn a_program_that_fails_only_under_valgrind_is_not_counted() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "vgfail", VGFAIL);
    let answer = why(&place, &["--tier", "medium"], &["./vgfail"]).exits(0).json();
    let found = simulated(&place);
    assert!(found["totals"].is_null() && found["functions"].as_array().unwrap().is_empty(), "{found:#}");
    let gap = gap(&answer, "cache misses");
    assert!(gap["why"].as_str().unwrap().contains("exit status 3"), "{gap}");
    assert!(gap["try"].as_str().unwrap().starts_with("valgrind "), "{gap}");
    assert!(gap["try"].as_str().unwrap().contains(" --tool=cachegrind "), "{gap}");
    assert_eq!(answer["simulated"], Value::Null);
    // All sizes fail alike, which is said once.
    let sized = ["--tier", "medium", "--no-record", "--sizes", "1,2,3"];
    let answer = why(&place, &sized, &["./vgfail", "{SIZE}"]).json();
    let gaps = answer["gaps"].as_array().unwrap();
    let counts = gaps.iter().filter(|gap| gap["what"] == "instruction counts of all sizes");
    assert_eq!(counts.count(), 1, "{gaps:#?}");
}

#[test]
fn counts_that_begin_with_the_parents_are_not_used() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "forker", FORKER);
    let answer = why(&place, &["--tier", "medium"], &["./forker"]).exits(0).json();
    assert!(simulated(&place)["totals"].is_null());
    assert!(gap(&answer, "cache misses")["why"].as_str().unwrap().contains("forks"), "{answer:#}");
}

#[test]
fn a_prefix_leaves_one_sum_for_everything_outside() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "colrow", COLROW);
    let here = place.path().to_str().unwrap();
    let prefixes =
        ["--tier", "medium", "--no-record", "--source-prefix", here, "--source-prefix", "/nowhere"];
    let answer = why(&place, &prefixes, &["./colrow", "200"]).exits(0).json();
    let found = simulated(&place);
    assert_eq!(answer["simulated"]["outside"], found["outside"]);
    let shown = place.slowpath(["report", "last"]).exits(0);
    assert!(shown.text().contains("(outside the prefixes)"), "{}", shown.text());
    let all = found["functions"].as_array().unwrap();
    assert!(all.iter().all(|one| one["project"].as_bool().unwrap()), "{all:#?}");
    assert!(found["outside"]["ir"].as_u64().unwrap() > 0);
    function(&found, "by_column");
    let prefix = ["--tier", "medium", "--no-record", "--source-prefix", "/nowhere"];
    let answer = why(&place, &prefix, &["./colrow", "200"]).exits(0).json();
    let found = simulated(&place);
    assert_eq!(found["outside"], found["totals"]);
    assert!(gap(&answer, "costs below")["why"].as_str().unwrap().contains("`/nowhere`"), "{answer:#}");
}

#[test]
fn what_does_not_fit_the_limit_is_named_with_its_command() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "churn", CHURN);
    let options = ["--tier", "deep", "--limit", "50ms", "--no-record"];
    let answer = why(&place, &options, &["./churn", "1000"]).exits(0).json();
    let gap = gap(&answer, "calls and inclusive costs");
    assert!(gap["why"].as_str().unwrap().contains("--limit"), "{gap}");
    assert!(gap["try"].as_str().unwrap().contains("--tool=callgrind"), "{gap}");
    assert!(simulated(&place)["totals"].is_null());
}

#[test]
fn waiting_is_seen_in_every_tier() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    let answer = why(&place, &["--tier", "medium"], &["sleep", "0.4"]).exits(0).json();
    let leaf = &answer["account"]["leaves"][0];
    assert_eq!(leaf["leaf"], "blocked/sleep", "{leaf}");
    simulated(&place);
}

/// A command that finds no tool at all.
fn without_tools(place: &Place, arguments: &[&str]) -> Ran {
    fs::create_dir(place.path().join("bin")).unwrap();
    std::os::unix::fs::symlink("/usr/bin/env", place.path().join("bin/env")).unwrap();
    let mut command = place.command(arguments);
    command.env("PATH", place.path().join("bin"));
    place.start(command).end_within(PATIENCE)
}

#[test]
fn tracemalloc_runs_in_the_targets_own_interpreter_and_absent_tools_are_gaps() {
    let place = Place::new();
    place.file(
        "sibling.py",
        "def fill(n):\n    kept = []\n    for i in range(n):\n        kept.append(str(i) * 20)\n    return kept\n",
    );
    let main = "import sys, sibling\nkept = sibling.fill(int(sys.argv[1]))\ntotal = 0\nfor _ in range(40):\n    for word in kept:\n        total += len(word)\nprint(total)\n";
    place.file("main.py", main);
    let options = ["why", "--json", "--runs", "1", "--warmup", "0", "--tier", "deep", "--"];
    let words = ["/usr/bin/python3", "main.py", "20000"];
    let all: Vec<&str> = options.iter().chain(&words).copied().collect();
    let answer = without_tools(&place, &all).exits(0).json();
    let found = simulated(&place);
    let heap = &found["python_heap"];
    assert!(heap["peak"].as_u64().unwrap() > 1_000_000, "{heap:#}");
    let site = &heap["sites"][0];
    assert!(site["file"].as_str().unwrap().ends_with("sibling.py"), "{site:#}");
    assert_eq!(
        (&site["function"], &site["line"], &site["project"]),
        (&"fill".into(), &4.into(), &true.into())
    );
    assert!(site["blocks"].as_u64().unwrap() >= 20_000, "{site:#}");
    assert!(gap(&answer, "instructions, caches")["why"].as_str().unwrap().contains("valgrind"), "{answer:#}");
    assert!(
        gap(&answer, "counters of the processor")["try"].as_str().unwrap().contains("install"),
        "{answer:#}"
    );
    assert!(found["totals"].is_null() && found["heap"].is_null());
}

#[test]
fn the_functions_of_an_interpreter_are_not_taken_for_pythons() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    // On a busy machine the limit may end the simulation, which is a gap like any other.
    let options = ["--tier", "medium", "--limit", "12s"];
    let script = "sum(i * i % 7 for i in range(300000))";
    let answer = why(&place, &options, &["/usr/bin/python3", "-S", "-c", script]).exits(0).json();
    gap(&answer, "instructions by Python function");
    gap(&answer, "calls and inclusive costs");
    let found = simulated(&place);
    assert!(found["calls"].is_null() && found["edges"].as_array().unwrap().is_empty());
}

#[test]
fn sizes_and_places_must_fit_together() {
    let place = Place::new();
    for (options, words, said) in [
        (&[][..], &["true", "{SIZE}"][..], "no size stands for"),
        (&["--sizes", "1k,2k,4k"], &["true"], "no place for the size"),
        (&["--size", "5"], &["true"], "no place for the size"),
        (&["--sizes", "1k,x"], &["true", "{SIZE}"], "no size"),
        (&["--sizes", "1k,1000,1k"], &["true", "{SIZE}"], "different sizes"),
        (&["--expected", "linear"], &["true"], "--sizes"),
        (&["--tier", "deepest"], &["true"], "medium"),
        (&["--limit", "0s"], &["true"], "longer than nothing"),
    ] {
        let fixed = ["why", "--quiet"];
        place.slowpath(fixed.iter().chain(options).chain(&["--"]).chain(words)).complains(2, &[said]);
    }
    assert!(place.runs().is_empty());
}

#[test]
fn the_largest_size_that_works_is_the_subject() {
    let place = Place::new();
    place.script(
        "target",
        "#!/bin/sh\n[ $1 -lt 5000 ] || exit 7\ni=0; while [ $i -lt $1 ]; do i=$((i+1)); done\n",
    );
    let answer =
        why(&place, &["--no-record", "--sizes", "500,1k,4k,8k"], &["./target", "{SIZE}"]).exits(0).json();
    assert_eq!(answer["target"]["argv"][1], "4000");
    assert!(gap(&answer, "size 8000")["why"].as_str().unwrap().contains("exit status 7"));
    assert_eq!(answer["scaling"]["fits"][0]["points"].as_array().unwrap().len(), 3, "{}", answer["scaling"]);
    is_valid("run", &manifest(&place.last_run()));
    let named = ["--no-record", "--size", "8k", "--sizes", "500,1k,4k"];
    why(&place, &named, &["./target", "{SIZE}"]).complains(4, &["exit status 7"]);
}

#[test]
fn a_valgrind_too_old_is_not_started() {
    let place = Place::new();
    fs::create_dir(place.path().join("old")).unwrap();
    place
        .script("old/valgrind", "#!/bin/sh\n[ \"$1\" = --version ] || touch started\necho valgrind-3.12.0\n");
    let path = format!("{}:/usr/bin:/bin", place.path().join("old").display());
    let mut command = place.command([
        "why",
        "--json",
        "--runs",
        "1",
        "--warmup",
        "0",
        "--no-record",
        "--tier",
        "medium",
        "--",
        "true",
    ]);
    command.env("PATH", path);
    let answer = place.start(command).end_within(PATIENCE).exits(0).json();
    let gap = gap(&answer, "instructions, caches");
    assert!(gap["why"].as_str().unwrap().contains("valgrind 3.12 is older than 3.15"), "{gap}");
    assert!(!place.path().join("started").exists());
}

/// Valgrind 3.19 gives up at what rustc writes; 3.24 reads it, and then nothing has to be copied.
#[test]
fn debug_information_that_valgrind_cannot_read_is_left_out_of_a_copy() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    let source = "#[inline(never)]\nfn squares(n: u64) -> u64 {\n    (0..n).fold(0, |sum, i| std::hint::black_box(sum ^ i * i))\n}\nfn main() {\n    println!(\"{}\", squares(20_000_000));\n}\n";
    let file = place.file("squares.rs", source);
    let options = ["-C", "debuginfo=2", "-C", "opt-level=1", "-C", "dwarf-version=5", "-o"];
    let rustc = Command::new("rustc").args(options).arg(place.path().join("squares")).arg(file).status();
    assert!(rustc.is_ok_and(|ended| ended.success()), "rustc");
    let answer = why(&place, &["--tier", "medium"], &["./squares"]).exits(0).json();
    let found = simulated(&place);
    let all = found["functions"].as_array().unwrap();
    let squares = all.iter().find(|one| one["name"].as_str().unwrap().contains("squares"));
    let squares = squares.unwrap_or_else(|| panic!("{all:#?}"));
    assert!(squares["own"]["ir"].as_u64().unwrap() > 20_000_000, "{squares:#}");
    if place.last_run().join("tier2/bare").exists() {
        assert!(squares["file"].as_str().unwrap().ends_with("squares.rs"), "{squares:#}");
        assert!(gap(&answer, "source lines")["why"].as_str().unwrap().contains("debug information"));
    }
}

/// The bytes of `vpaddd %zmm0, %zmm0, %zmm0`, executed under valgrind alone, because this processor may not know them either.
fn wide(ask: &str) -> String {
    format!(
        r#"
#include <stdlib.h>
int main(void) {{
    volatile long sum = 0;
    for (long i = 0; i < 1000000; i++) sum += i;
    {ask}
    if (getenv("LD_PRELOAD")) __asm__ volatile(".byte 0x62, 0xf1, 0x7d, 0x48, 0xfe, 0xc0");
    return 0;
}}
"#
    )
}

#[test]
fn an_instruction_that_valgrind_does_not_know_is_the_reason_given() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    // It may choose, so that it is tried.
    compiled(&place, "wide", &wide("sum += __builtin_cpu_supports(\"avx512f\");"));
    let answer = why(&place, &["--tier", "medium"], &["./wide"]).exits(0).json();
    assert!(simulated(&place)["totals"].is_null());
    let gap = gap(&answer, "cache misses");
    assert!(gap["why"].as_str().unwrap().contains("does not know the instruction `0x62 0xF1"), "{gap}");
    assert!(gap["try"].as_str().unwrap().contains("AVX-512"), "{gap}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_program_built_for_avx_512_is_refused_before_the_simulator_starts() {
    if !can_simulate() || !std::arch::is_x86_feature_detected!("avx512f") {
        println!("skipped: this processor has no AVX-512");
        return;
    }
    let place = Place::new();
    compiled(&place, "wide", &wide(""));
    let answer = why(&place, &["--tier", "medium"], &["./wide"]).exits(0).json();
    let gap = gap(&answer, "instructions, caches");
    let why = gap["why"].as_str().unwrap();
    assert!(why.contains("`main` of the program has AVX-512 instructions"), "{gap}");
    assert!(gap["try"].as_str().unwrap().contains("-march=native"), "{gap}");
    assert!(simulated(&place)["instruments"].as_array().unwrap().is_empty());
    assert!(!place.last_run().join("tier2/cachegrind").exists(), "it was started");
}

#[test]
fn sizes_that_are_dear_to_count_are_replaced_by_smaller_ones() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    compiled(&place, "quad", QUAD);
    let options = ["--tier", "medium", "--sizes", "4000,8000,24000", "--no-record"];
    let answer = why(&place, &options, &["./quad", "{SIZE}"]).exits(0).json();
    let counts = &answer["scaling"]["fits"][0];
    assert_eq!(counts["metric"], "instructions", "{counts:#}");
    let exponent = counts["exponent"]["value"].as_f64().unwrap();
    assert!((exponent - 2.0).abs() < 0.05, "{counts:#}");
    let manifest = manifest(&place.last_run());
    let sizes: Vec<&str> = manifest["arms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arm| arm["params"]["SIZE"].as_str().unwrap())
        .collect();
    assert!(sizes.contains(&"2000"), "{sizes:?}");
    // What is only counted is no size of the measurement.
    let summary = fs::read(place.last_run().join("benchmark_summary.json")).unwrap();
    let summary: Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!(summary["sizes"], serde_json::json!([4000, 8000, 24000]));
}
