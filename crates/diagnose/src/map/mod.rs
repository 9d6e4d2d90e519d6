//! The performance map of a run: the critical path as steps, what they are made of, what was suspected, and whether
//! changing the program is the right tool at all. Pure: from what was measured and what was concluded of it.

mod bottlenecks;
mod kinds;
mod requests;
mod show;
mod steps;
mod suspicions;
mod wrong_tool;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use model::answer::Answer;
use model::manifest::Manifest;
use model::passes::Passes;
use model::performance_map::{
    Baseline, EndToEnd, EntryPoint, Gpu, PerformanceMap, SCHEMA, Spread, Step, StepType,
};
use model::{Arg, Metric, Sample};

use crate::pool::Pool;
use crate::recorded::study_of;
use crate::summary::summary;

pub(crate) use self::wrong_tool::{Grounds, indicators};

/// What a map is made of.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    pub manifest: &'a Manifest,
    pub samples: &'a [Sample],
    pub passes: &'a Passes,
    pub answer: &'a Answer,
    /// `None` where there is no device.
    pub gpu: Option<&'a Gpu>,
}

#[must_use]
pub fn performance_map(inputs: &Inputs<'_>) -> PerformanceMap {
    let Inputs { manifest, samples, passes, answer, .. } = *inputs;
    let (baseline, baseline_intervals) = baseline(inputs);
    let study = passes.recording.as_ref().map(|recording| study_of(manifest, samples, recording, &[]));
    let steps = passes.recording.as_ref().zip(study.as_ref()).map(|(recording, study)| {
        let tree = steps::tree(recording, &study.trail, passes.calls.as_ref());
        show::shown(&tree, answer, passes.calls.as_ref())
    });
    let steps: Vec<Step> = steps.into_iter().collect();
    let grounds = Grounds {
        findings: &answer.findings,
        hypotheses: &answer.hypotheses,
        scenario: manifest.scenario.as_ref(),
        wall: &answer.wall,
        passes,
        study: study.as_ref(),
    };
    let top = bottlenecks::top(answer, &steps);
    PerformanceMap {
        schema: SCHEMA.to_owned(),
        run: manifest.id.clone(),
        test_command: command(&answer.target.argv),
        entry_point_info: entry_point(&steps),
        baseline,
        baseline_intervals,
        bottleneck_classification: answer
            .verdict
            .class
            .as_deref()
            .and_then(StepType::of_class)
            .or_else(|| top.first().map(|top| top.kind)),
        bottleneck_detail: answer.verdict.summary.clone(),
        top_bottlenecks: top,
        optimization_hints: suspicions::hints(answer),
        suspicion_stack: suspicions::stack(answer),
        wrong_tool_indicators: wrong_tool::wrong_tool(&grounds),
        steps,
        e2e_test: EndToEnd { command: None, source: "none".to_owned() },
        instrumented_files: Vec::new(),
    }
}

/// As a shell takes it.
fn command(argv: &[Arg]) -> String {
    argv.iter().map(|arg| crate::cause::shell_word(&arg.lossy())).collect::<Vec<_>>().join(" ")
}

/// The user's outermost function on the dearest way down.
fn entry_point(steps: &[Step]) -> EntryPoint {
    let program = steps.first();
    let first = program.and_then(|program| {
        let own = program.children.iter().filter(|step| step.service.is_none() && step.location.is_some());
        own.max_by(|one, other| one.time_share_pct.total_cmp(&other.time_share_pct))
    });
    EntryPoint {
        kind: "pipeline".to_owned(),
        location: first.and_then(|step| step.location.clone()),
        route: None,
        function: first.map(|step| step.function.clone()),
    }
}

/// Bytes in a megabyte.
const MEGA: f64 = 1e6;

fn baseline(inputs: &Inputs<'_>) -> (Baseline, BTreeMap<String, Spread>) {
    let pool = Pool::of(inputs.samples, 0);
    let mut spreads = BTreeMap::new();
    let mut median = |name: &str, metric: Metric, unit: f64, source: &str| -> Option<f64> {
        let summary = summary(metric, &pool.values(metric)?);
        let scaled = |value: f64| rounded(value / unit, 6);
        let spread = Spread {
            runs: summary.n,
            low: summary.interval.map(|interval| scaled(interval.low)),
            high: summary.interval.map(|interval| scaled(interval.high)),
            source: source.to_owned(),
        };
        spreads.insert(name.to_owned(), spread);
        Some(scaled(summary.median))
    };
    let baseline = Baseline {
        wall_time_ms: median("wall_time_ms", Metric::Wall, 1e-3, "monotonic clock"),
        cpu_time_ms: median("cpu_time_ms", Metric::Cpu, 1e-3, "rusage of the process tree"),
        memory_peak_mb: median("memory_peak_mb", Metric::Rss, MEGA, "rusage, largest process"),
        memory_delta_mb: None,
        io_read_bytes: median("io_read_bytes", Metric::ReadBytes, 1.0, "/proc/PID/io of the process tree"),
        io_write_bytes: median(
            "io_write_bytes",
            Metric::WrittenBytes,
            1.0,
            "/proc/PID/io of the process tree",
        ),
        http_round_trips: inputs.passes.calls.as_ref().and_then(requests::total),
        gpu: inputs.gpu.cloned(),
    };
    let once = |source: &str| Spread { runs: 1, low: None, high: None, source: source.to_owned() };
    if baseline.http_round_trips.is_some() {
        spreads.insert("http_round_trips".to_owned(), once("traced calls of one run"));
    }
    let heap = inputs.passes.heap.as_ref().and_then(|heap| heap.totals.as_ref());
    let memory_delta_mb = heap.map(|totals| rounded(totals.live_at_end.as_f64() / MEGA, 6));
    if memory_delta_mb.is_some() {
        spreads.insert("memory_delta_mb".to_owned(), once("heap of one run, live at its end"));
    }
    (Baseline { memory_delta_mb, ..baseline }, spreads)
}

/// With so many digits after the point: more would be noise that changes with each run.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}
