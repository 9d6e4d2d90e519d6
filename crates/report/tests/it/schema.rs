//! What is written is what the schemas promise.

use std::collections::BTreeMap;

use model::bench::Bench;
use model::compare::Settings;
use model::fingerprint::Fingerprint;
use model::manifest::{Artifact, Conditions, Kind, Manifest, Pass, SCHEMA, State};
use model::sample::{Counted, Covariates, Io, MainThread};
use model::{Arg, Arm, Bytes, Count, Ended, Nanos, Sample, Stage, Target};
use serde::Serialize;
use serde_json::Value;

use crate::wire;

fn value(document: &impl Serialize) -> Value {
    serde_json::from_str(&report::json(document)).unwrap()
}

pub(crate) fn manifest() -> Manifest {
    let target = Target { argv: vec!["true".into()], shell: false, cwd: None, env: BTreeMap::new() };
    Manifest {
        schema: SCHEMA.to_owned(),
        id: "20260801T101500Z-7f3a".to_owned(),
        kind: Kind::Bench,
        state: State::Complete,
        slowpath: "0.1.0".to_owned(),
        started: "2026-08-01T10:15:00Z".to_owned(),
        ended: None,
        argv: ["slowpath", "bench", "--", "true"].map(Arg::from).into(),
        cwd: "/tmp".into(),
        seed: u64::MAX,
        arms: vec![Arm { label: "true".to_owned(), target, params: BTreeMap::new() }],
        settings: Settings {
            margin: 0.02,
            pairs: None,
            control: false,
            runs: None,
            precision: 0.01,
            budget_s: 60.0,
            ignore_failure: false,
            cold: false,
            captured: false,
            warm_up: None,
            count: false,
            startup: None,
            scale: None,
        },
        scenario: None,
        fingerprint: Fingerprint::default(),
        conditions: Conditions::default(),
        passes: vec![Pass { pass: "baseline".into(), instrument: "none".into(), runs: 12, ratio: None }],
        artifacts: vec![Artifact { path: "tier1/samples.jsonl".into(), bytes: 12, sha256: "00".into() }],
        gaps: vec![wire::counters()],
    }
}

pub(crate) fn sample() -> Sample {
    let time = Nanos::from_nanos(1_000_000);
    let bytes = Bytes::from_bytes(4096);
    Sample {
        arm: 0,
        order: 0,
        block: None,
        stage: Stage::WarmUp,
        ended: Ended::Signal(9),
        wall: time,
        user: time,
        system: time,
        own_cpu: None,
        peak_rss: bytes,
        exact_peak_rss: None,
        peak_mapped: None,
        minor_faults: Count(1),
        major_faults: Count(0),
        voluntary_switches: Count(1),
        involuntary_switches: Count(0),
        io: Some(Io {
            read: bytes,
            written: bytes,
            block_read: bytes,
            block_written: bytes,
            read_calls: Count(1),
            write_calls: Count(1),
        }),
        main_thread: Some(MainThread { on_cpu: time, runnable: time }),
        tree: None,
        covariates: Covariates::default(),
        left_behind: Count(0),
        output: None,
    }
}

fn counted() -> Counted {
    Counted {
        arm: 0,
        order: 1,
        ended: Ended::Code(0),
        instructions: Count(123_456),
        source: "cachegrind".to_owned(),
        processes: 1,
        wall: Nanos::from_nanos(5),
    }
}

/// One instance of each, and a field of it with a value it must not have.
fn instances() -> Vec<(&'static str, Value, &'static str, Value)> {
    vec![
        ("answer", value(&wire::answer()), "/wall/median_s", "fast".into()),
        ("baseline", value(&wire::baseline()), "/scenarios/0/series/0/metric", "speed".into()),
        ("bench", value(&wire::many()), "/commands/0/metrics/0/metric", "speed".into()),
        ("compare", value(&wire::compare()), "/verdict", "great".into()),
        ("counted", value(&counted()), "/instructions", (-1).into()),
        ("doctor", value(&wire::doctor()), "/level", "Z".into()),
        ("findings", value(&wire::findings()), "/0/severity", "awful".into()),
        ("gate", value(&wire::gate()), "/verdict", "great".into()),
        ("ledger", value(&wire::ledger()), "/key/sizes", "all".into()),
        ("performance_map", value(&wire::map()), "/steps/0/type", "Magic".into()),
        ("profile", value(&wire::profile()), "/hotspots/0/own", "much".into()),
        ("recording", value(&wire::recordings::recording()), "/weight", 3.into()),
        ("run", value(&manifest()), "/state", "gone".into()),
        ("runtime", value(&wire::runtime(sample())), "/repeats/0/calls", (-1).into()),
        ("sample", value(&sample()), "/ended", "badly".into()),
        ("scale", value(&wire::scale()), "/class", "n^9".into()),
        ("simulated", value(&wire::simulated()), "/totals/ir", "many".into()),
        ("summary", value(&wire::summary()), "/rubric/total", "all".into()),
        ("verify", value(&wire::verify()), "/verdict", "great".into()),
        ("worklist", value(&wire::worklist("scan")), "/opportunities/0/effort", "weeks".into()),
    ]
}

#[test]
fn what_is_written_is_valid_and_what_is_wrong_is_refused() {
    let schemas = report::schemas();
    assert!(schemas.keys().eq(instances().iter().map(|(name, ..)| name)), "one instance a schema");
    for (name, instance, field, wrong) in instances() {
        let schema = jsonschema::validator_for(&schemas[name]).unwrap();
        if let Err(error) = schema.validate(&instance) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
        let mut spoilt = instance.clone();
        *spoilt.pointer_mut(field).unwrap() = wrong;
        assert!(!schema.is_valid(&spoilt), "{name} takes a wrong {field}");
        if instance.is_array() {
            continue;
        }
        let first = schemas[name]["required"][0].as_str().unwrap();
        let mut cut = instance;
        cut.as_object_mut().unwrap().remove(first);
        assert!(!schema.is_valid(&cut), "{name} takes a document without {first}");
    }
}

#[test]
fn another_version_is_another_document() {
    let schemas = report::schemas();
    for (name, mut instance, ..) in instances() {
        if let Some(version) = instance.get_mut("schema") {
            *version = "slowpath.other/9".into();
            assert!(!jsonschema::validator_for(&schemas[name]).unwrap().is_valid(&instance), "{name}");
        }
    }
}

#[test]
fn json_survives_the_way_there_and_back() {
    let bench = wire::single();
    let text = report::json(&bench);
    assert!(text.ends_with("}\n") && text.starts_with("{\n  \"schema\""), "{text}");
    assert_eq!(serde_json::from_str::<Bench>(&text).unwrap(), bench);
}
