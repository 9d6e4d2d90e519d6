//! The lab programs of the reference pipeline's weaknesses, end to end: what they are is known, and must be what is said.
//!
//! Verdicts rest on counts, never on times: they hold on any machine, however busy. Sizes are the smallest that decide.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, Ran, counted};

/// Simulators are slow, and slower still beside a build.
const PATIENCE: Duration = Duration::from_secs(240);

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specimens/score").join(name)
}

/// Compiles a lab program where the test works.
fn build(place: &Place, name: &str, options: &[&str]) {
    let file = format!("{name}.c");
    place.copy(&source(&file), &file);
    compile(place, name, options);
}

fn compile(place: &Place, name: &str, options: &[&str]) {
    let done = Command::new("gcc")
        .args(["-O2", "-g", "-pthread", "-o", name, &format!("{name}.c")])
        .args(options)
        .current_dir(place.path())
        .status();
    assert!(done.unwrap().success(), "install gcc");
}

fn can_simulate() -> bool {
    let here = Command::new("valgrind").arg("--version").output().is_ok();
    if !here {
        println!("skipped: valgrind is not installed");
    }
    here
}

/// A Python that has a module: the one that `SLOWPATH_TEST_PYTHON` names, else the one of the path with what `cargo xtask
/// test` installed below `target`. With it, where its modules lie.
fn python_with(module: &str) -> Option<(String, String)> {
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("lab");
    let named = std::env::var("SLOWPATH_TEST_PYTHON").ok().map(|python| (python, String::new()));
    let ours = ("python3".to_owned(), installed.to_str().unwrap().to_owned());
    let has = |(python, modules): &(String, String)| {
        let mut asked = Command::new(python);
        asked.args(["-c", &format!("import {module}")]).env("PYTHONPATH", modules);
        asked.output().is_ok_and(|asked| asked.status.success())
    };
    let found = named.into_iter().chain([ours]).find(has);
    if found.is_none() {
        println!("skipped: no Python has {module}; `cargo xtask test` installs it");
    }
    found
}

fn why(place: &Place, options: &[&str], words: &[&str]) -> Ran {
    let fixed = ["why", "--json", "--warmup", "0"];
    let command = place.command(fixed.iter().chain(options).chain(&["--"]).chain(words));
    place.start(command).end_within(PATIENCE)
}

/// The answer of a run whose gate of growth may say whatever it says.
fn answer(ran: &Ran) -> Value {
    assert!(matches!(ran.code, Some(0 | 1 | 5)), "{ran:?}");
    let answer = ran.json();
    is_valid("answer", &answer);
    answer
}

fn card(place: &Place, options: &[&str], words: &[&str]) -> Value {
    answer(&why(place, options, words))["scorecard"].clone()
}

fn dimension<'a>(card: &'a Value, name: &str) -> &'a Value {
    let all = card["dimensions"].as_array().unwrap();
    all.iter().find(|dimension| dimension["name"] == name).unwrap()
}

fn check<'a>(card: &'a Value, name: &str) -> &'a Value {
    let all = card["dimensions"][0]["checks"].as_array().unwrap();
    all.iter().find(|check| check["name"] == name).unwrap()
}

fn document(folder: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
}

const UNRECORDED: [&str; 5] = ["--no-record", "--runs", "1", "--tier", "medium"];

#[test]
fn sorting_is_no_defect() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    build(&place, "nlogn", &[]);
    let sizes = ["--sizes", "1k,2k,4k", "--expected", "nlogn"];
    let card = card(&place, &[&UNRECORDED[..], &sizes].concat(), &["./nlogn", "{SIZE}"]);
    assert_eq!(card["dimensions"][0]["tier"], "PASS", "{card:#}");
    let k = check(&card, "complexity_exponent")["figure"]["value"].as_f64().unwrap();
    assert!((1.02..1.2).contains(&k), "{k}");
    let failed = card["dimensions"].as_array().unwrap().iter().find(|one| one["tier"] == "FAIL");
    assert_eq!(failed, None);
}

#[test]
fn threads_that_fight_for_a_lock_are_no_full_marks() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    build(&place, "threads", &[]);
    let options = ["--runs", "1", "--tier", "medium", "--sizes", "20k,40k,80k", "--expected", "linear"];
    let card = card(&place, &options, &["./threads", "{SIZE}"]);
    let cpu = dimension(&card, "CPU Efficiency");
    // A failure where both threads were seen, a warning where one ended before the recorder looked.
    assert!(cpu["tier"] == "FAIL" || cpu["tier"] == "WARN", "{cpu:#}");
    assert_eq!(cpu["location"]["function"], "fight", "{cpu:#}");
    assert!(cpu["prescription"].as_str().unwrap().contains("take the lock once"), "{cpu:#}");
    assert!(card["questions"].to_string().contains("Locking:"), "{:#}", card["questions"]);
}

#[test]
fn a_script_is_followed_to_the_function_that_grows() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    build(&place, "quad", &[]);
    place.script("wrap", "#!/bin/sh\n./quad $1\ntrue\n");
    let sizes = ["--sizes", "200,400,800", "--expected", "linear"];
    let card = card(&place, &[&UNRECORDED[..], &sizes].concat(), &["./wrap", "{SIZE}"]);
    let growth = &card["dimensions"][0];
    assert_eq!((&growth["tier"], &growth["location"]["function"]), (&"FAIL".into(), &"pairs".into()));
    let finding = document(&place.last_run(), "findings.json")[0].clone();
    assert_eq!(finding["path"], "quad.c", "{finding:#}");
}

#[test]
fn a_win_at_the_largest_size_is_seen_at_that_size_and_percentiles_stay_within_it() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    build(&place, "adaptive", &[]);
    let sizes = ["--no-record", "--runs", "6", "--tier", "medium", "--sizes", "20k,40k,320k"];
    let words = ["./adaptive", "{SIZE}"];
    answer(&why(&place, &[&sizes[..], &["--out", "before"]].concat(), &words));
    let before = document(&place.path().join("before"), "benchmark_summary.json");
    let told = &before["wall_time_percentiles"];
    assert_eq!((&told["size"], &told["p99"]), (&320_000.into(), &Value::Null), "six runs have no p99");
    let walls = before["samples"].as_array().unwrap().iter();
    let wall = walls.clone().find(|one| one["metric"] == "wall" && one["size"] == 320_000).unwrap();
    let all: Vec<f64> =
        wall["values"].as_array().unwrap().iter().map(|wall| wall.as_f64().unwrap()).collect();
    let p50 = told["p50"].as_f64().unwrap();
    assert!(all.iter().any(|wall| *wall <= p50) && all.iter().any(|wall| *wall >= p50), "{told}");
    compile(&place, "adaptive", &["-DLARGE=320000"]);
    let after = card(&place, &[&sizes[..], &["--baseline", "before"]].concat(), &words);
    let changes = after["baseline"]["metrics"].as_array().unwrap();
    let instructions = |size: u64| {
        let found = changes.iter().find(|one| one["metric"] == "instructions" && one["size"] == size);
        found.unwrap_or_else(|| panic!("{changes:#?}"))
    };
    assert_eq!(instructions(320_000)["verdict"], "better");
    assert!(instructions(320_000)["ratio"]["value"].as_f64().unwrap() < 0.4, "{:#}", instructions(320_000));
    assert_eq!(instructions(20_000)["verdict"], "no-change", "{:#}", instructions(20_000));
}

/// The interpreter without whatever is installed beside it.
const PYTHON: [&str; 2] = ["/usr/bin/python3", "-S"];

#[test]
fn python_that_grows_with_the_square_is_named_and_its_interpreter_not_judged() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    place.copy(&source("dedup.py"), "dedup.py");
    let options = ["--runs", "1", "--tier", "medium", "--sizes", "300,600,3k", "--expected", "linear"];
    let words = [&PYTHON[..], &["dedup.py", "{SIZE}"]].concat();
    let ran = why(&place, &options, &words).exits(1);
    let card = &ran.json()["scorecard"];
    let growth = &card["dimensions"][0];
    assert_eq!(growth["tier"], "FAIL");
    // On a busy machine so short a run may be hit too seldom to tell the place, but never another one.
    let place_of_growth = &growth["location"]["function"];
    assert!(place_of_growth.is_null() || place_of_growth == "dedup", "{growth:#}");
    let k = check(card, "complexity_exponent")["figure"]["value"].as_f64().unwrap();
    assert!((k - 2.0).abs() < 0.05, "{k}");
    for name in ["L1 Cache Efficiency", "Last-Level Cache", "Branch Prediction"] {
        assert_eq!(dimension(card, name)["tier"], "not measured", "{:#}", dimension(card, name));
    }
    let summary = document(&place.last_run(), "benchmark_summary.json");
    let hot = &summary["hot_functions"][0];
    assert!(hot["file"] == "dedup.py" && hot["line"].is_u64(), "{hot:#}");
    let version = summary["environment"]["python_version"].as_str().unwrap();
    assert!(version.starts_with("3."), "{version}");
    assert!(summary["prerequisites"]["python_ok"].is_boolean(), "{summary:#}");
    let load = summary["environment"]["load_avg_1m"].as_f64();
    assert!(load.is_some_and(|load| load >= 0.0), "{load:?}");
    let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok();
    let paranoid = paranoid.and_then(|text| text.trim().parse::<i64>().ok());
    assert_eq!(summary["prerequisites"]["perf_paranoid"].as_i64(), paranoid);
    let report = fs::read_to_string(place.last_run().join("benchmark_report.md")).unwrap();
    assert!(report.contains("dedup.py:"), "{report}");
}

#[test]
fn python_that_is_linear_is_not_condemned() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    place.copy(&source("dedup_set.py"), "dedup_set.py");
    let sizes = ["--sizes", "4k,16k,64k", "--expected", "nlogn"];
    let words = [&PYTHON[..], &["dedup_set.py", "{SIZE}"]].concat();
    let answer = answer(&why(&place, &[&UNRECORDED[..], &sizes].concat(), &words).exits(0));
    let card = &answer["scorecard"];
    assert_eq!(card["dimensions"][0]["tier"], "PASS", "{card:#}");
    let k = check(card, "complexity_exponent")["figure"]["value"].as_f64().unwrap();
    assert!((k - 1.0).abs() < 0.1, "{k}");
    assert_eq!(document(&place.last_run(), "findings.json"), serde_json::json!([]));
}

#[test]
fn times_that_are_mostly_start_up_do_not_acquit() {
    let place = Place::new();
    place.copy(&source("dedup.py"), "dedup.py");
    let options = ["--no-record", "--runs", "4", "--sizes", "50,100,200,400", "--expected", "linear"];
    let words = [&PYTHON[..], &["dedup.py", "{SIZE}"]].concat();
    let ran = why(&place, &options, &words);
    assert_ne!(ran.code, Some(0), "quadratic, and nothing shows that it is not: {}", ran.text());
    let card = &ran.json()["scorecard"];
    assert_ne!(card["dimensions"][0]["tier"], "PASS", "{:#}", card["dimensions"][0]);
}

#[test]
fn a_comment_that_looks_like_a_row_changes_nothing() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    build(&place, "quad", &[]);
    let options = [&UNRECORDED[..], &["--size", "600"]].concat();
    let told = |place: &Place| {
        let card = card(place, &options, &["./quad", "{SIZE}"]);
        let tiers = card["dimensions"].as_array().unwrap().iter().skip(2).map(|one| one["tier"].clone());
        let found = document(&place.last_run(), "tier2/simulated.json");
        let own = found["functions"].as_array().unwrap().iter().filter(|one| one["project"] == true);
        let own: Vec<Value> =
            own.map(|one| serde_json::json!([one["name"], one["own"]["ir"], one["calls"]])).collect();
        (tiers.collect::<Vec<_>>(), own)
    };
    let plain = told(&place);
    let row = |name: &str| plain.1.iter().find(|row| row[0] == name).unwrap();
    assert_eq!((&row("near")[2], &row("pairs")[2]), (&(600 * 599 / 2).into(), &1.into()));
    let text = place.read("quad.c").replace("count += near(", "/* phase:1 pairs */ count += near(");
    place.file("quad.c", text);
    compile(&place, "quad", &[]);
    assert_eq!(told(&place), plain);
    let summary = document(&place.last_run(), "benchmark_summary.json");
    assert_eq!(summary["deterministic_tier"], true);
}

#[test]
fn a_rounded_cache_is_one_that_the_simulator_takes() {
    if !can_simulate() {
        return;
    }
    for (bytes, ways) in [(12_582_912, 8), (37_486_592, 11)] {
        let geometry = tools::valgrind::legal_geometry(bytes, ways, 64).unwrap();
        assert_ne!(geometry.real.to_string(), geometry.simulated.to_string());
        let ran = Command::new("valgrind")
            .args(["--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null"])
            .args([&format!("--LL={}", geometry.simulated), "true"])
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

#[test]
fn two_calls_an_element_are_linear_and_an_unknown_size_divides_nothing() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    build(&place, "lin3", &[]);
    let sizes = ["--sizes", "200k,400k,800k", "--expected", "linear"];
    let sized = card(&place, &[&UNRECORDED[..], &sizes].concat(), &["./lin3", "{SIZE}"]);
    assert_eq!(sized["dimensions"][0]["tier"], "PASS", "{sized:#}");
    assert_eq!(check(&sized, "multiplicative_paths")["tier"], "PASS");
    let calls = check(&sized, "call_amplification");
    assert_eq!((&calls["tier"], &calls["figure"]["value"]), (&"PASS".into(), &2.0.into()), "{calls:#}");
    let unsized_card = card(&place, &UNRECORDED, &["./lin3", "800000"]);
    for name in ["call_amplification", "data_reuse", "write_amplification", "multiplicative_paths"] {
        let check = check(&unsized_card, name);
        assert_eq!((&check["tier"], &check["figure"]), (&"not measured".into(), &Value::Null), "{check:#}");
    }
}

#[test]
fn runs_of_a_millisecond_all_count() {
    let place = Place::new();
    build(&place, "linear", &[]);
    let options = ["--no-record", "--runs", "3", "--sizes", "1k,10k,100k"];
    answer(&why(&place, &options, &["./linear", "{SIZE}"]));
    let samples: Vec<Value> =
        counted(&place.last_run()).into_iter().filter(|one| one["stage"] == "measure").collect();
    for arm in 0..3 {
        assert!(samples.iter().filter(|one| one["arm"] == arm).count() >= 3, "{samples:#?}");
    }
    assert!(samples.iter().all(|one| one["wall_ns"].as_u64().unwrap() > 0), "{samples:#?}");
}

#[test]
fn memory_is_held_against_the_same_source_and_what_lacks_is_told_in_both_files() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    build(&place, "resident", &[]);
    let words = ["./resident", "32768"];
    let deep = ["--no-record", "--runs", "3", "--tier", "deep", "--out", "deep"];
    why(&place, &deep, &words).exits(0);
    let folder = place.path().join("deep");
    let summary = document(&folder, "benchmark_summary.json");
    is_valid("summary", &summary);
    let report = fs::read_to_string(folder.join("benchmark_report.md")).unwrap();
    // What does not apply to a native program is no error, and what is one stands in both.
    for gap in summary["errors"].as_array().unwrap() {
        let what = gap["what"].as_str().unwrap();
        assert!(!what.contains("Python"), "{gap}");
        assert!(report.contains(what), "no {what} in\n{report}");
    }
    let fast = card(&place, &["--no-record", "--runs", "3", "--baseline", "deep"], &words);
    let memory = dimension(&fast, "Memory Profile");
    let ratio = memory["figures"][0]["value"].as_f64().unwrap();
    assert_eq!((&memory["tier"], &memory["figures"][0]["name"]), (&"PASS".into(), &"baseline_ratio".into()));
    assert!((0.95..1.05).contains(&ratio), "{memory:#}");
    let peak = memory["figures"].as_array().unwrap().iter().find(|one| one["name"] == "peak_bytes").unwrap();
    let mebibytes = peak["value"].as_f64().unwrap() / 1_048_576.0;
    assert!((32.0..36.0).contains(&mebibytes), "{peak:#}");
}

/// Runs a command where no tool can be found.
pub(crate) fn without_tools(place: &Place, words: &[&str]) -> Ran {
    fs::create_dir(place.path().join("bin")).unwrap();
    std::os::unix::fs::symlink("/usr/bin/env", place.path().join("bin/env")).unwrap();
    let mut command = place.command(words);
    command.env("PATH", place.path().join("bin"));
    place.start(command).end_within(PATIENCE)
}

#[test]
fn a_virtual_environment_and_flags_of_the_interpreter_are_kept() {
    let place = Place::new();
    let made = Command::new("/usr/bin/python3")
        .args(["-m", "venv", "--without-pip", ".venv"])
        .current_dir(place.path())
        .output()
        .unwrap();
    if !made.status.success() {
        println!("skipped: this Python makes no virtual environment");
        return;
    }
    let library = place.path().join(".venv/lib");
    let version = fs::read_dir(&library).unwrap().next().unwrap().unwrap().file_name();
    let packages = format!(".venv/lib/{}/site-packages", version.to_str().unwrap());
    place.file(
        &format!("{packages}/only_here.py"),
        "def words(n):\n    return [str(i) * 20 for i in range(n)]\n",
    );
    place.file("sibling.py", "from only_here import words\n");
    place.file("main.py", "import sys, sibling\nassert sys.flags.utf8_mode\nkept = sibling.words(20000)\n");
    let options = ["why", "--json", "--runs", "1", "--warmup", "0", "--tier", "deep", "--"];
    let words = [&options[..], &[".venv/bin/python", "-X", "utf8", "main.py"]].concat();
    without_tools(&place, &words).exits(0);
    let heap = document(&place.last_run(), "tier2/simulated.json")["python_heap"].clone();
    assert!(heap["peak"].as_u64().unwrap() > 1_000_000, "{heap:#}");
    assert_eq!(heap["sites"][0]["function"], "words", "{heap:#}");
}

#[test]
fn nothing_runs_beside_a_run_that_is_timed() {
    if !can_simulate() {
        return;
    }
    let place = Place::new();
    build(&place, "alone", &[]);
    let options = ["--runs", "3", "--tier", "deep"];
    why(&place, &options, &["./alone", "log", "200000"]).exits(0);
    let log = place.read("log");
    let (mut bare, mut simulated) = (0, 0);
    for line in log.lines() {
        let step = if line.ends_with("begins") { 1 } else { -1 };
        if line.starts_with("bare") {
            bare += step
        } else {
            simulated += step
        };
        assert!(bare <= 1 && (bare == 0 || simulated == 0), "two at once:\n{log}");
    }
    assert!(log.contains("simulated ends") && log.matches("bare ends").count() >= 4, "{log}");
}

#[test]
fn hot_loops_are_checked_whatever_the_path_and_without_any_tool() {
    let place = Place::new();
    build(&place, "linear", &[]);
    let options = ["why", "--json", "--runs", "1", "--warmup", "0", "--tier", "asm", "--"];
    without_tools(&place, &[&options[..], &["./linear", "20000000"]].concat()).exits(0);
    let code = document(&place.last_run(), "tier4/machine-code.json");
    let hot = &code[0]["functions"][0];
    assert_eq!(hot["name"], "main", "{hot:#}");
    let patterns = hot["loops"][0]["patterns"].as_array().unwrap();
    assert_eq!(patterns.len(), 6, "{patterns:#?}");
    assert!(patterns.iter().all(|pattern| pattern["verdict"].is_string()), "{patterns:#?}");
    // The answer tells it too, below everything else.
    for form in [&["report", "last"][..], &["report", "last", "--markdown"]] {
        let text = place.slowpath(form).exits(0).text();
        let below = text.split("hot loop").last().unwrap();
        for word in ["vector", "alignment", "instruction"] {
            assert!(below.contains(word), "{word}: {text}");
        }
    }
    serde_json::from_str::<Value>(&place.slowpath(["report", "last", "--json"]).exits(0).text()).unwrap();
}

#[test]
fn points_stand_beside_their_coverage_and_the_machine_is_known() {
    let place = Place::new();
    build(&place, "linear", &[]);
    let options = ["--no-record", "--runs", "3", "--max-cv", "0.0001%"];
    let card = card(&place, &options, &["./linear", "100000"]);
    let stability = dimension(&card, "Wall-Time Stability");
    assert_eq!((&stability["tier"], &stability["score"]), (&"noise".into(), &Value::Null), "{stability:#}");
    let scored = card["dimensions"].as_array().unwrap().iter().filter(|one| one["score"].is_u64()).count();
    assert_eq!(card["coverage"], format!("{scored} of 7"));
    assert!(card["summary"].as_str().unwrap().contains(&format!("{scored} of 7")), "{card:#}");
    let summary = document(&place.last_run(), "benchmark_summary.json");
    let fingerprint = &summary["fingerprint"];
    for (part, key) in [("machine", "cpus_present"), ("limits", "cpus_allowed"), ("system", "kernel")] {
        assert!(!fingerprint[part][key].is_null(), "{part}.{key}: {fingerprint:#}");
    }
    for key in ["sha256", "build_id", "optimisation"] {
        assert!(fingerprint["programs"][0][key].is_string(), "{key}: {fingerprint:#}");
    }
    assert!(summary["tools"]["slowpath"].is_string());
}

#[test]
fn findings_have_a_place_a_command_and_ids_that_outlive_the_checkout() {
    if !can_simulate() {
        return;
    }
    let found = |name: &str| {
        let place = Place::new();
        build(&place, name, &[]);
        let options = [&UNRECORDED[..], &["--sizes", "200,400,800", "--expected", "linear"]].concat();
        let card = card(&place, &options, &[&format!("./{name}"), "{SIZE}"]);
        let findings = document(&place.last_run(), "findings.json");
        is_valid("findings", &findings);
        let report = fs::read_to_string(place.last_run().join("benchmark_report.md")).unwrap();
        (place, card, findings.as_array().unwrap().clone(), report)
    };
    let (place, card, findings, report) = found("quad");
    assert!(findings.len() >= 4, "{findings:#?}");
    for finding in &findings {
        let symbol = finding["location"]["symbol"].as_str().unwrap();
        assert_eq!(finding["path"], "quad.c", "{finding:#}");
        assert!(finding["location"]["line_start"].as_u64().unwrap() > 0, "{finding:#}");
        assert!(finding["suggested_action"].as_str().unwrap().starts_with(symbol), "{finding:#}");
        assert!(finding["metric"]["times"].as_f64().unwrap() > 1.0, "{finding:#}");
        assert!(report.contains(finding["id"].as_str().unwrap()));
        let again = finding["evidence"]["command"].as_str().unwrap();
        let grows = ["complexity_exponent", "multiplicative_paths"]
            .contains(&finding["metric"]["name"].as_str().unwrap());
        let wanted = if grows { "slowpath scale --sizes 200,400,800 -- ./quad {SIZE}" } else { "valgrind " };
        assert!(again.starts_with(wanted), "{finding:#}");
    }
    assert!(report.contains("## Prescriptions") && report.contains("## Questions"), "{report}");
    for question in card["questions"].as_array().unwrap() {
        assert!(report.contains(question.as_str().unwrap()), "no {question} in\n{report}");
    }
    let again = findings.iter().find(|one| one["metric"]["name"] == "data_reuse").unwrap();
    let command = again["evidence"]["command"].as_str().unwrap();
    let ran = Command::new("sh").args(["-c", command]).current_dir(place.path()).output().unwrap();
    assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
    let ids = |findings: &[Value]| findings.iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&findings), ids(&found("quad").2));
}

#[test]
fn each_benchmark_of_a_suite_is_a_series_of_its_own() {
    let Some((python, modules)) = python_with("pytest_benchmark") else { return };
    let place = Place::new();
    place.copy(&source("test_speed.py"), "test_speed.py");
    let ran = Command::new(&python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--benchmark-json=saved.json", "."])
        .env("PYTHONPATH", modules)
        .current_dir(place.path())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    let shown = place.slowpath(["report", "--json", "saved.json"]).exits(0).json();
    let all = shown["commands"].as_array().unwrap();
    assert_eq!(all.len(), 6, "{shown:#}");
    let median = |name: &str| {
        let one = all.iter().find(|one| one["label"].as_str().unwrap().ends_with(name)).unwrap();
        one["metrics"][0]["median"].as_f64().unwrap()
    };
    // Sixteen times the work against four times: the two are not averaged into one.
    let growth = |name: &str| median(&format!("{name}[400]")) / median(&format!("{name}[100]"));
    assert!(growth("quadratic") > growth("linear"), "{shown:#}");
}

#[test]
fn code_that_numba_compiled_belongs_to_the_python_function() {
    let Some((python, modules)) = python_with("numba") else { return };
    let place = Place::new();
    place.copy(&source("dot.py"), "dot.py");
    let modules = format!("PYTHONPATH={modules}");
    // Long enough to be much of a run that compiles first.
    let words = [python.as_str(), "dot.py", "1000000", "3000"];
    let answer = answer(&why(&place, &["--runs", "1", "--env", &modules], &words));
    let hotspots = answer["hotspots"].as_array().unwrap();
    let dot = hotspots.iter().find(|one| one["place"]["function"] == "dot");
    let dot = dot.unwrap_or_else(|| panic!("{hotspots:#?}"));
    let place = &dot["place"];
    assert!(place["file"].as_str().unwrap().ends_with("/dot.py") && place["line"] == 10, "{place:#}");
    assert_eq!(place["owner"], "project", "{place:#}");
    assert!(dot["own"]["value"].as_f64().unwrap() > 0.1, "{dot:#}");
}
