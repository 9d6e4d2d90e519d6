//! Performance maps: read by a real reader of YAML, and what the ln-81x runtime takes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use model::performance_map::PerformanceMap;
use serde_json::{Value, json};

use crate::hostile::NASTY;
use crate::schema::manifest;
use crate::wire;

const READER: &str = "import json, sys, yaml\n\
    print(json.dumps(yaml.safe_load(sys.stdin.buffer.read().decode('utf-8'))))";

/// What PyYAML makes of a text. `None` when it is not installed; `cargo xtask test` puts it into `target/pyyaml`.
fn parsed(text: &str) -> Option<Value> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pyyaml");
    let mut command = Command::new("python3");
    if ours.join("yaml").is_dir() {
        command.env("PYTHONPATH", ours);
    }
    let has = command.args(["-c", "import yaml"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        println!("skipped: PyYAML is not installed");
        return None;
    }
    let mut reader = Command::new("python3");
    reader.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut child = reader.args(["-c", READER]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "PyYAML refused {text}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn value(map: &PerformanceMap) -> Value {
    serde_json::from_str(&report::json(map)).unwrap()
}

/// Texts that a careless writer loses.
const HOSTILE: [&str; 44] = [
    "",
    " ",
    "  leading",
    "trailing ",
    "a: b",
    "a:",
    ": a",
    "a #b",
    "# a",
    "- a",
    "-",
    "---",
    "...",
    "yes",
    "No",
    "ON",
    "y",
    "n",
    "null",
    "~",
    "Null",
    "true",
    "FALSE",
    "0x1",
    "0o7",
    "0b1",
    "1_000",
    "1e5",
    ".5",
    ".inf",
    ".NaN",
    "12:30:45",
    "2026-08-01",
    "*alias",
    "&anchor",
    "!!tag x",
    "%YAML 1.2",
    "@at",
    "`tick`",
    "[a]",
    "{a: b}",
    "'q'",
    "\"q\"",
    "a\\b",
];

#[test]
fn every_text_comes_back_as_it_was() {
    let odd = [
        "line\nbreak",
        "\r\n",
        "\ttab",
        "nul\0",
        "\u{85}next",
        "\u{2028}\u{2029}",
        "\u{feff}bom",
        "\u{fffe}\u{ffff}",
        "\u{1f600} \u{202e}rtl",
        "e\u{301}\u{300}",
        "<<",
        "=",
        "? a",
        "| a",
        "> a",
        "a\n- b: c\n#d",
        NASTY,
    ];
    let texts: Vec<&str> = HOSTILE.into_iter().chain(odd).collect();
    let keys: serde_json::Map<String, Value> =
        texts.iter().map(|text| ((*text).to_owned(), json!({"deep": [[*text], {"x": *text}]}))).collect();
    let document = json!({ "texts": texts, "keys": keys, "lone": NASTY });
    let text = report::yaml(&document);
    assert!(
        text.lines().all(|line| line.chars().all(|c| c == ' ' || !c.is_whitespace() && !c.is_control())),
        "{text}"
    );
    if let Some(read) = parsed(&text) {
        assert_eq!(read, document);
    }
}

#[test]
fn numbers_come_back_to_the_last_digit() {
    let document =
        json!([0.1, 1e-7, 1e21, -0.5, 1.0, 3, -3, u64::MAX, 123_456.789_012_345, f64::MIN_POSITIVE, 5e300]);
    if let Some(read) = parsed(&report::yaml(&document)) {
        assert_eq!(read, document);
    }
}

#[test]
fn a_map_read_by_another_program_is_the_map_and_valid() {
    let schema = jsonschema::validator_for(&report::schemas()["performance_map"]).unwrap();
    let mut hostile = wire::map();
    hostile.test_command = NASTY.to_owned();
    hostile.steps[0].function = NASTY.to_owned();
    hostile.steps[0].children[0].service = Some("yes".to_owned());
    hostile.optimization_hints = HOSTILE.map(str::to_owned).into();
    for map in [wire::map(), hostile] {
        let text = report::yaml(&map);
        assert!(text.starts_with("schema: slowpath.performance_map/1\nrun: "), "{text}");
        if let Some(read) = parsed(&text) {
            assert_eq!(read, value(&map));
            assert!(schema.is_valid(&read));
            assert_eq!(serde_json::from_value::<PerformanceMap>(read).unwrap(), map);
        }
    }
}

/// The runtime's own closed schema of a worker's result, as far as this worker's fields go.
fn closed(status: bool) -> Value {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let object = json!({"type": "object"});
    let mut schema = json!({
        "type": "object",
        "required": ["worker"],
        "additionalProperties": false,
        "properties": {
            "worker": {"type": "string", "minLength": 1},
            "branch": {"type": "string"},
            "baseline": object, "performance_map": object, "e2e_test": object, "industry_benchmark": object,
            "target_metrics": object, "final": object,
            "wrong_tool_indicators": texts, "instrumented_files": texts, "hypotheses": texts,
            "local_codebase_findings": texts, "corrections_applied": texts, "concerns": texts,
            "hypotheses_applied": texts, "hypotheses_removed": texts,
            "verdict": {"type": "string"}, "total_improvement_pct": {"type": "number"},
            "target_met": {"type": "boolean"}, "strike_result": {"type": "string"}, "recorded_at": {"type": "string"},
        },
    });
    if status {
        schema["required"] = json!(["status", "worker"]);
        schema["properties"]["status"] = json!({"enum": ["completed", "skipped", "error"]});
        schema["properties"]["artifact_path"] = json!({"type": ["string", "null"]});
    }
    schema
}

#[track_caller]
fn assert_valid(schema: &Value, instance: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    if let Err(error) = validator.validate(instance) {
        panic!("{error} at {}: {instance:#}", error.instance_path());
    }
}

#[test]
fn the_workers_result_passes_the_closed_schema_with_everything_inside_the_map() {
    let result: Value = serde_json::from_str(&report::map_worker_result(&wire::map())).unwrap();
    assert_valid(&closed(false), &result);
    assert_eq!(result["performance_map"], value(&wire::map()));
    assert_eq!(result["wrong_tool_indicators"], json!(["infrastructure_bound"]));
    assert_eq!(result["hypotheses"], json!(["`dedup` (report.py:41): keep a `set`"]));
    assert_eq!(result["baseline"]["wall_time_ms"], 1240.0);
}

#[test]
fn the_summary_stands_in_the_runtimes_envelope_and_is_dated_by_the_run() {
    let manifest = manifest();
    let text = report::map_worker_summary(&wire::map(), &manifest);
    let summary: Value = serde_json::from_str(&text).unwrap();
    let text_of = json!({"type": "string", "minLength": 1});
    let fields = [
        "schema_version",
        "summary_kind",
        "run_id",
        "identifier",
        "producer_skill",
        "produced_at",
        "payload",
    ];
    assert_valid(
        &json!({
            "type": "object", "required": fields, "additionalProperties": false,
            "properties": {
                "schema_version": {"const": "1.0.0"}, "summary_kind": {"const": "optimization-profile"},
                "run_id": text_of, "identifier": text_of, "producer_skill": {"const": "ln-811"},
                "produced_at": {"const": "2026-08-01T10:15:00Z"}, "payload": closed(true),
            },
        }),
        &summary,
    );
    assert_eq!(text, report::map_worker_summary(&wire::map(), &manifest));
}

#[test]
fn the_profile_result_has_the_fields_of_ln_811() {
    let result: Value = serde_json::from_str(&report::map_profile_result(&wire::map())).unwrap();
    let fields: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = vec![
        "entry_point_info",
        "performance_map",
        "bottleneck_classification",
        "bottleneck_detail",
        "top_bottlenecks",
        "optimization_hints",
        "suspicion_stack",
        "e2e_test",
        "instrumented_files",
        "wrong_tool_indicators",
    ];
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(result["performance_map"]["steps"][0]["children"][0]["id"], "1.1");
}
