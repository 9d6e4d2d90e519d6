//! The performance map for those who read it: YAML, and what the ln-81x runtime takes.
//!
//! That runtime's schemas are closed: a result may have these fields only, and lists hold texts. So everything else of
//! the map travels inside `performance_map`, which it takes as it is.

use model::manifest::Manifest;
use model::performance_map::{PerformanceMap, SuspicionVerdict};
use serde_json::{Value, json};

/// The worker whose result a map is.
const WORKER: &str = "ln-811";

/// The version of the runtime's summary envelope.
const ENVELOPE: &str = "1.0.0";

/// The result of ln-811: `profile_result`.
#[must_use]
pub fn map_profile_result(map: &PerformanceMap) -> String {
    let inner = json!({
        "test_command": map.test_command,
        "baseline": map.baseline,
        "baseline_intervals": map.baseline_intervals,
        "steps": map.steps,
        "bottleneck_classification": map.bottleneck_classification,
        "bottleneck_detail": map.bottleneck_detail,
        "top_bottlenecks": map.top_bottlenecks,
    });
    crate::json(&json!({
        "entry_point_info": map.entry_point_info,
        "performance_map": inner,
        "bottleneck_classification": map.bottleneck_classification,
        "bottleneck_detail": map.bottleneck_detail,
        "top_bottlenecks": map.top_bottlenecks,
        "optimization_hints": map.optimization_hints,
        "suspicion_stack": map.suspicion_stack,
        "e2e_test": map.e2e_test,
        "instrumented_files": map.instrumented_files,
        "wrong_tool_indicators": holding(map),
    }))
}

/// What ln-810's `record-worker-result` takes.
#[must_use]
pub fn map_worker_result(map: &PerformanceMap) -> String {
    crate::json(&worker_result(map))
}

/// The summary that a worker leaves for its coordinator.
#[must_use]
pub fn map_worker_summary(map: &PerformanceMap, manifest: &Manifest) -> String {
    let mut payload = worker_result(map);
    if let Some(fields) = payload.as_object_mut() {
        fields.insert("status".to_owned(), "completed".into());
        fields.insert("artifact_path".to_owned(), model::performance_map::MAP.into());
    }
    let identifier = match &manifest.scenario {
        Some(scenario) => scenario.name.clone(),
        None => map.test_command.clone(),
    };
    crate::json(&json!({
        "schema_version": ENVELOPE,
        "summary_kind": "optimization-profile",
        "run_id": map.run,
        "identifier": identifier,
        "producer_skill": WORKER,
        "produced_at": manifest.ended.as_ref().unwrap_or(&manifest.started),
        "payload": payload,
    }))
}

fn worker_result(map: &PerformanceMap) -> Value {
    json!({
        "worker": WORKER,
        "baseline": map.baseline,
        "performance_map": map,
        "wrong_tool_indicators": holding(map),
        "e2e_test": map.e2e_test,
        "instrumented_files": map.instrumented_files,
        "hypotheses": map.optimization_hints,
        "local_codebase_findings": found(map),
    })
}

/// Names of the indicators that hold.
fn holding(map: &PerformanceMap) -> Vec<&'static str> {
    let named = map.wrong_tool_indicators.named();
    named.into_iter().filter(|(_, decided)| decided.holds == Some(true)).map(|(name, _)| name).collect()
}

/// What is more than possible, in one sentence each.
fn found(map: &PerformanceMap) -> Vec<String> {
    let sure = map
        .suspicion_stack
        .iter()
        .filter(|one| matches!(one.verdict, SuspicionVerdict::Confirmed | SuspicionVerdict::Likely));
    sure.map(|one| {
        let at = one.location.as_ref().map(|location| format!(" ({location})")).unwrap_or_default();
        format!("{}{at}: {}", one.cause, one.description)
    })
    .collect()
}
