//! A change against what a finding promised: real programs that do less, more, or something else.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, Ran, manifest, samples};

/// `work ROUNDS MEBIBYTES WORDS EXIT`: computes, touches memory, prints, ends.
const PROGRAM: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile uint64_t sink;
__attribute__((noinline)) static void crunch(long rounds) {
    uint64_t state = 1;
    for (long round = 0; round < rounds; round++)
        state = state * 6364136223846793005ULL + round;
    sink = state;
}
int main(int count, char **words) {
    crunch(atol(words[1]));
    size_t bytes = (size_t)atol(words[2]) << 20;
    char *memory = malloc(bytes + 1);
    memset(memory, 1, bytes + 1);
    sink = memory[bytes];
    if (!strcmp(words[3], "pid")) printf("%d\n", getpid());
    else puts(words[3]);
    return count > 4 ? atoi(words[4]) : 0;
}
"#;

struct Promise {
    place: Place,
    program: PathBuf,
    run: PathBuf,
}

impl Promise {
    /// A program that was asked why it is slow.
    fn of(words: &[&str]) -> Self {
        let place = Place::new();
        let source = place.file("work.c", PROGRAM);
        let program = place.path().join("work");
        let built = Command::new("gcc").args(["-O1", "-g"]).arg(&source).arg("-o").arg(&program).status();
        assert!(built.unwrap().success());
        let asked = ["why", "--runs", "6", "--quiet", "--out", "promise", "--", program.to_str().unwrap()];
        place.slowpath(asked.iter().chain(words)).exits(0);
        let run = place.path().join("promise");
        Self { place, program, run }
    }

    /// Verifies on CPU time, which a busy machine leaves alone.
    fn verify(&self, options: &[&str], words: &[&str]) -> Ran {
        let fixed = ["verify", "promise", "--metric", "cpu", "--margin", "20%", "--warmup", "1", "--json"];
        let program = self.program.to_str().unwrap();
        self.place.slowpath(fixed.iter().chain(options).chain(&["--", program]).chain(words))
    }
}

/// Short runs: a loaded machine takes its time over sixty of them.
const OLD: [&str; 3] = ["12000000", "0", "done"];

/// The answer is valid, kept, and the same whenever it is asked for.
#[track_caller]
fn is_kept(place: &Place, ran: &Ran) -> Value {
    let answer = ran.json();
    is_valid("verify", &answer);
    let run = place.last_run();
    assert_eq!(fs::read(run.join("answer.json")).unwrap(), ran.stdout);
    assert_eq!(place.slowpath(["report", "last", "--json"]).exits(0).stdout, ran.stdout);
    place.slowpath(["report", "last", "--html", "-o", "again.html"]).exits(0);
    let page = fs::read(run.join("report.html")).unwrap();
    assert!(String::from_utf8_lossy(&page).contains("Did the fix do what was promised?"));
    assert_eq!(fs::read(place.path().join("again.html")).unwrap(), page);
    for form in ["--markdown", "--quiet"] {
        let shown = place.slowpath(["report", "last", form]).exits(0);
        assert!(shown.text().contains(answer["verdict"].as_str().unwrap()), "{}", shown.text());
    }
    answer
}

#[test]
fn a_tenth_of_the_work_is_accepted_and_a_change_for_nothing_is_not() {
    let promise = Promise::of(&OLD);
    let ran = promise.verify(&["--tests", "true"], &["1000000", "0", "done"]).exits(0);
    let answer = is_kept(&promise.place, &ran);
    assert_eq!(answer["verdict"], "accepted", "{answer:#}");
    assert_eq!(answer["prediction"]["run"], "promise");
    assert_eq!(answer["prediction"]["metric"], "cpu");
    assert_eq!(answer["behaviour"]["behaviour"], "same");
    assert_eq!(answer["tests"]["ended"]["code"], 0);
    let passes = manifest(&promise.place.last_run())["passes"].clone();
    assert!(passes.as_array().unwrap().iter().any(|pass| pass["pass"] == "account"), "{passes:#}");
    let same = promise.verify(&["--no-record"], &OLD);
    let answer = same.json();
    assert_ne!(answer["verdict"], "accepted", "{answer:#}");
    assert!([Some(1), Some(5)].contains(&same.code), "{same:?}");
}

#[test]
fn a_gain_that_costs_memory_is_refuted_unless_that_was_agreed() {
    let promise = Promise::of(&OLD);
    let new = ["100000", "3", "done"];
    let answer = promise.verify(&["--no-record"], &new).exits(1).json();
    assert_eq!(answer["harms"], serde_json::json!(["rss"]), "{answer:#}");
    let summary = answer["summary"].as_str().unwrap();
    assert!(summary.contains("helps cpu") && summary.contains("harms rss"), "{summary}");
    let answer = promise.verify(&["--no-record", "--allow", "rss"], &new).exits(0).json();
    assert_eq!(answer["verdict"], "accepted", "{answer:#}");
}

/// `walk WORDS ROUNDS`: reads every eighth of so many words, which is one of each cache line, so often.
const WALK: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static volatile long words[1 << 19];
__attribute__((noinline)) static long sum(long count, long rounds) {
    long total = 0;
    for (long round = 0; round < rounds; round++)
        for (long at = 0; at < count; at += 8) total += words[at];
    return total;
}
int main(int count, char **given) {
    (void)count;
    printf("%ld\n", sum(atol(given[1]), atol(given[2])));
}
"#;

#[test]
fn a_gain_that_the_caches_pay_for_is_refuted_and_what_nobody_measured_is_not_called_fine() {
    let place = Place::new();
    let source = place.file("walk.c", WALK);
    let built = Command::new("gcc")
        .args(["-O1", "-g"])
        .arg(&source)
        .arg("-o")
        .arg(place.path().join("walk"))
        .status();
    assert!(built.unwrap().success());
    let old = ["./walk", "2048", "30000"];
    let asked = ["why", "--tier", "medium", "--runs", "6", "--quiet", "--out", "promise", "--"];
    place.slowpath(asked.iter().chain(&old)).exits(0);
    let verify = |options: &[&str], new: &[&str]| {
        let fixed = ["verify", "promise", "--metric", "cpu", "--pairs", "4", "--warmup", "1", "--json"];
        place.slowpath(fixed.iter().chain(options).chain(&["--"]).chain(new))
    };
    let stands = |answer: &Value, name: &str| {
        let all = answer["dimensions"].as_array().unwrap();
        assert_eq!(all.len(), 7, "{answer:#}");
        all.iter().find(|one| one["dimension"] == name).unwrap()["stands"].as_str().unwrap().to_owned()
    };
    // Fewer reads, of an array that no cache of the first level holds. Too few pairs to decide, so harm alone speaks.
    let ran = verify(&[], &["./walk", "524288", "30"]).exits(1);
    let answer = is_kept(&place, &ran);
    assert_eq!(stands(&answer, "L1 Cache Efficiency"), "worse", "{answer:#}");
    assert_eq!(stands(&answer, "Memory Profile"), "unchecked", "{answer:#}");
    let summary = answer["summary"].as_str().unwrap();
    assert!(summary.contains("L1 Cache Efficiency") && summary.contains("PASS"), "{summary}");
    // Without the simulators nobody knows, and it is said so.
    let answer = verify(&["--tier", "fast"], &["./walk", "524288", "30"]).json();
    assert_eq!(stands(&answer, "L1 Cache Efficiency"), "unchecked", "{answer:#}");
    let answer = verify(&["--allow", "l1,last-level"], &["./walk", "524288", "30"]).json();
    assert_eq!(stands(&answer, "L1 Cache Efficiency"), "worse", "{answer:#}");
    assert!(!answer["summary"].as_str().unwrap().contains("Cache"), "{answer:#}");
    assert!(answer["warnings"].to_string().contains("which was allowed"), "{answer:#}");
}

#[test]
fn failing_tests_refute_before_anything_is_measured() {
    let promise = Promise::of(&OLD);
    let ran =
        promise.verify(&["--tests", "echo two of nine failed >&2; exit 3"], &["5", "0", "done"]).exits(1);
    let answer = is_kept(&promise.place, &ran);
    assert_eq!(answer["tests"]["ended"]["code"], 3, "{answer:#}");
    assert!(ran.stderr.contains("two of nine failed"), "{}", ran.stderr);
    assert!(samples(&promise.place.last_run()).is_empty());
}

#[test]
fn a_program_that_does_something_else_is_refuted() {
    let promise = Promise::of(&OLD);
    let ran = promise.verify(&[], &["5", "0", "other"]).exits(1);
    assert_eq!(is_kept(&promise.place, &ran)["behaviour"]["behaviour"], "output-differs");
    let ran = promise.verify(&[], &["5", "0", "done", "7"]).exits(1);
    let answer = is_kept(&promise.place, &ran);
    assert_eq!(answer["behaviour"]["behaviour"], "ends-differently");
    assert_eq!(answer["behaviour"]["new"]["code"], 7);
    let ran =
        promise.verify(&["--other-output", "--no-record", "--pairs", "2"], &["5", "0", "other"]).exits(5);
    assert_eq!(ran.json()["behaviour"]["behaviour"], "unchecked");
}

#[test]
fn an_output_that_never_repeats_proves_nothing() {
    let promise = Promise::of(&["12000000", "0", "pid"]);
    let ran = promise.verify(&["--no-record", "--pairs", "2"], &["1000000", "0", "pid"]).exits(5);
    let answer = is_kept(&promise.place, &ran);
    assert_eq!(answer["behaviour"]["behaviour"], "unsteady");
    let warnings = answer["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["id"] == "output-unsteady"), "{warnings:#?}");
}

#[test]
fn a_promise_from_another_machine_is_told_and_still_verified() {
    let promise = Promise::of(&OLD);
    let manifest = promise.run.join("run.json");
    let mut run: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    run["fingerprint"]["machine"]["cpu_model"] = "another one".into();
    fs::write(&manifest, run.to_string()).unwrap();
    let answer = promise.verify(&["--no-record"], &["1000000", "0", "done"]).exits(0).json();
    assert_eq!(answer["prediction"]["comparable"], "not");
    let warnings = answer["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|one| one["id"] == "prediction-from-elsewhere"), "{warnings:#?}");
}

#[test]
fn what_cannot_be_verified_is_refused() {
    let promise = Promise::of(&OLD);
    let place = &promise.place;
    place.slowpath(["verify", "nothing", "--", "true"]).complains(2, &[]);
    place.slowpath(["verify", "promise"]).complains(2, &["COMMAND"]);
    place.slowpath(["verify", "promise", "--finding", "no-such", "--", "true"]).complains(2, &["no-such"]);
    place
        .slowpath(["verify", "promise", "--metric", "instructions", "--", "true"])
        .complains(2, &["--count"]);
    place.slowpath(["verify", "promise", "--", "no-such-program"]).complains(4, &["no-such-program"]);
    place.slowpath(["bench", "--runs", "1", "--out", "bench", "--", "true"]).exits(0);
    place.slowpath(["verify", "bench", "--", "true"]).complains(2, &["compare"]);
    fs::write(promise.run.join("run.json"), b"{").unwrap();
    place.slowpath(["verify", "promise", "--", "true"]).complains(2, &[]);
}
