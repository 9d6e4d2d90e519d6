//! Every command answers, in every form, with the exit status and the shape that was promised.

use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;

use serde_json::Value;

use crate::place::{Place, lines, manifest, metric, part, samples};

fn schemas() -> &'static BTreeMap<String, Value> {
    static SCHEMAS: OnceLock<BTreeMap<String, Value>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let ran = Place::new().slowpath(["generate", "schemas"]).exits(0);
        serde_json::from_slice(&ran.stdout).unwrap()
    })
}

#[track_caller]
pub(crate) fn is_valid(schema: &str, document: &Value) {
    let schema = &schemas()[schema];
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
}

/// The answer of a run: valid, alone on standard output, the same in the folder and when it is asked for again.
#[track_caller]
fn is_kept(place: &Place, schema: &str, arguments: &[&str], code: i32) -> Value {
    let ran = place.slowpath(arguments).exits(code);
    let answer = ran.json();
    is_valid(schema, &answer);
    let run = place.last_run();
    assert_eq!(manifest(&run)["state"], "complete");
    is_valid("run", &manifest(&run));
    for sample in samples(&run) {
        is_valid("sample", &sample);
    }
    assert_eq!(fs::read(run.join("answer.json")).unwrap(), ran.stdout);
    let id = run.file_name().unwrap().to_str().unwrap();
    assert_eq!(answer["run"], id);
    let names = [run.to_str().unwrap(), id, &id[..id.len() - 2], "last"];
    for name in names {
        let again = place.slowpath(["report", name, "--json"]).exits(0);
        assert_eq!(again.text(), ran.text(), "{name}");
    }
    for form in ["--markdown", "--quiet"] {
        let shown = place.slowpath(["report", "last", form]).exits(0);
        assert!(!shown.stdout.is_empty() && shown.stderr.is_empty(), "{}", shown.stderr);
    }
    answer
}

#[test]
fn a_benchmark_answers_in_json_and_keeps_it() {
    let place = Place::new();
    let spin = part("spin 100000");
    let answer = is_kept(&place, "bench", &["bench", "--json", "--runs", "7", &spin], 0);
    assert_eq!(answer["schema"], "slowpath.bench/1");
    let command = &answer["commands"][0];
    assert_eq!(command["n"], 7);
    let wall = metric(&command["metrics"], "wall");
    assert_eq!(wall["values"].as_array().unwrap().len(), 7);
    let (low, median, high) = (&wall["interval"]["low"], &wall["median"], &wall["interval"]["high"]);
    assert!(low.as_f64() <= median.as_f64() && median.as_f64() <= high.as_f64(), "{wall:#}");
}

#[test]
fn several_commands_are_interleaved_and_set_against_the_first() {
    let place = Place::new();
    let (one, two) = (part("spin 100"), part("spin 200"));
    let answer =
        is_kept(&place, "bench", &["bench", "--json", "--runs", "8", "--warmup", "1", &one, &two], 0);
    assert_eq!(answer["ratios"].as_array().unwrap().len(), 3);
    // No arm runs more than twice in a row within a block, so at most four times over a border.
    let arms: Vec<u64> = samples(&place.last_run()).iter().map(|s| s["arm"].as_u64().unwrap()).collect();
    assert_eq!(arms.iter().filter(|arm| **arm == 0).count(), 9);
    assert!(arms[2..].chunks(4).all(|block| block.iter().sum::<u64>() == 2), "{arms:?}");
}

#[test]
fn a_comparison_answers_in_json_and_keeps_it() {
    let place = Place::new();
    let (one, two) = (part("spin 1000000"), part("spin 4000000"));
    let arguments = ["compare", "--json", "--margin", "20%", "--pairs", "16", &one, &two];
    let answer = is_kept(&place, "compare", &arguments, 0);
    assert_eq!(answer["schema"], "slowpath.compare/1");
    assert_eq!(answer["verdict"], "worse", "{answer:#}");
    assert_eq!(answer["comparable"], "fully", "{answer:#}");
    assert_eq!(answer["margin"], 0.2);
    let cpu = metric(&answer["metrics"], "cpu");
    assert_eq!(cpu["verdict"], "worse");
    for field in ["value", "low", "high"] {
        assert!(cpu["ratio"][field].as_f64().unwrap() > 1.2, "{cpu:#}");
    }
    assert!(cpu["pairs"].as_u64().unwrap() > 0);
    assert_eq!(cpu["needed"], Value::Null, "decided, so none is needed");
    assert_eq!(cpu["confirmed"], true);
}

#[test]
fn why_answers_in_json_and_keeps_it() {
    let place = Place::new();
    let answer = is_kept(&place, "answer", &["--json", "--runs", "7", "--", "sleep", "0.01"], 0);
    assert_eq!(answer["schema"], "slowpath.answer/1");
    assert_eq!(answer["target"]["exit"]["code"], 0);
    assert_eq!(answer["wall"]["n"], 7);
    let leaves = answer["account"]["leaves"].as_array().unwrap();
    let sum: f64 = leaves.iter().map(|leaf| leaf["share"].as_f64().unwrap()).sum();
    let sum = sum + answer["account"]["unaccounted"].as_f64().unwrap();
    assert!((sum - 1.0).abs() < 1e-9, "the account closes: {sum}");
    let explicit = place.slowpath(["why", "--json", "--runs", "2", "--", "true"]).exits(0);
    is_valid("answer", &explicit.json());
}

#[test]
fn doctor_answers_with_a_step_for_everything_that_does_not_work() {
    let place = Place::new();
    let ran = place.slowpath(["doctor", "--json"]).exits(0);
    let answer = ran.json();
    is_valid("doctor", &answer);
    for probe in answer["probes"].as_array().unwrap() {
        assert!(probe["works"] == "yes" || !probe["because"].as_str().unwrap().is_empty(), "{probe:#}");
    }
    assert!(place.runs().is_empty(), "a doctor without --noise runs nothing");
    assert!(!place.slowpath(["doctor"]).exits(0).stdout.is_empty());
    assert!(!place.slowpath(["doctor", "--markdown"]).exits(0).stdout.is_empty());
}

#[test]
fn doctor_measures_a_command_against_itself() {
    let place = Place::new();
    let actor = crate::place::actor().to_str().unwrap();
    let ran = place.slowpath(["doctor", "--noise", "--pairs", "16", "--json", "--", actor, "spin", "100000"]);
    let answer = ran.exits(0).json();
    is_valid("doctor", &answer);
    assert_eq!(answer["noise"]["pairs"], 16);
    let changes = &metric(&answer["noise"]["metrics"], "cpu")["needed"];
    assert_eq!(changes.as_array().unwrap().len(), 3, "{changes:#}");
    place.slowpath(["report", "last"]).exits(0);
}

#[test]
fn csv_has_one_header_and_a_row_for_each_metric() {
    let place = Place::new();
    let ran = place.slowpath(["bench", "--csv", "--runs", "3", "true", "sleep 0"]).exits(0);
    let text = ran.text();
    let rows: Vec<&str> = text.lines().collect();
    let fields = rows[0].split(',').count();
    assert!(rows.len() > 2 && fields > 3, "{text}");
    assert!(rows.iter().all(|row| row.split(',').count() == fields), "{text}");
    assert_eq!(place.slowpath(["report", "last", "--csv"]).exits(0).text(), text);
    place.slowpath(["compare", "--pairs", "2", "true", "true"]);
    place.slowpath(["report", "last", "--csv"]).complains(2, &["CSV"]);
}

#[test]
fn markdown_is_a_table() {
    let place = Place::new();
    let ran = place.slowpath(["bench", "--markdown", "--runs", "3", "--", "true"]).exits(0);
    assert!(ran.text().lines().any(|line| line.starts_with('|')), "{}", ran.text());
}

#[test]
fn the_text_goes_to_standard_output_and_the_path_of_the_page_to_standard_error() {
    let place = Place::new();
    let ran = place.slowpath(["bench", "--runs", "3", "--", "true"]).exits(0);
    assert!(ran.stderr.starts_with("report: "), "{}", ran.stderr);
    assert!(!ran.text().contains('\u{1b}'), "no colour without a terminal");
    let quiet = place.slowpath(["bench", "--quiet", "--runs", "3", "--", "true"]).exits(0);
    assert!(quiet.stderr.is_empty(), "{}", quiet.stderr);
    let coloured = place.slowpath(["bench", "--color", "always", "--runs", "3", "--", "true"]).exits(0);
    assert!(coloured.text().contains('\u{1b}'));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = Place::new();
    let mut command = std::process::Command::new("sh");
    let slowpath = env!("CARGO_BIN_EXE_slowpath");
    command.args(["-c", "{ \"$0\" bench --json --runs 3 -- true; echo $? > code; } | head -c 1", slowpath]);
    place.dress(&mut command);
    place.start(command).end().exits(0);
    assert_eq!(place.read("code"), "0\n");
}

#[test]
fn the_last_of_several_runs_is_the_newest_one() {
    let place = Place::new();
    for round in 0..6 {
        let name = format!("round {round}");
        place.slowpath(["bench", "--runs", "1", "--warmup", "0", "--name", &name, "true"]).exits(0);
        let last = place.slowpath(["report", "last", "--json"]).exits(0).json();
        assert_eq!(last["commands"][0]["label"], name);
    }
    place.slowpath(["report", "2"]).complains(2, &["6 runs"]);
    place.slowpath(["report", "nothing"]).complains(2, &["nothing"]);
}

#[test]
fn every_artifact_is_listed_with_its_hash() {
    let place = Place::new();
    place.slowpath(["bench", "--runs", "2", "--", "true"]).exits(0);
    let run = place.last_run();
    let listed = manifest(&run)["artifacts"].clone();
    assert_eq!(listed[0]["path"], "tier1/samples.jsonl");
    let bytes = fs::read(run.join("tier1/samples.jsonl")).unwrap();
    assert_eq!(listed[0]["bytes"], bytes.len());
    assert_eq!(lines(&run.join("tier1/samples.jsonl")).len(), samples(&run).len());
}
