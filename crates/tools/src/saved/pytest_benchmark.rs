//! pytest-benchmark's `--benchmark-json=FILE`, and `--benchmark-save` with `--benchmark-save-data`.
//!
//! Source: `pytest_benchmark/session.py` and `stats.py`. Checked with 4.0.0 and 5.3.1.
//! A value of `stats.data` is seconds of one pass, the mean over the `iterations` of its round.

use model::Metric;
use serde::Deserialize;

use super::value::all_checked;
use super::{Benchmark, Each, Format, Saved, SavedHost, Series, json, with_samples};
use crate::ParseError;

pub(super) const FORMAT: Format = Format {
    name: "pytest-benchmark JSON",
    recognises: |bytes| {
        let keys = json::Keys::of(bytes);
        !keys.inside_list && keys.has("machine_info")
    },
    parse,
};

const REMEDY: &str = "use `--benchmark-json=FILE`, or add `--benchmark-save-data` to `--benchmark-save`";

#[derive(Deserialize)]
struct Version {
    version: String,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "machine_info")]
    machine: Machine,
    benchmarks: Vec<Row>,
}

#[derive(Deserialize)]
struct Machine {
    system: Option<String>,
    release: Option<String>,
    cpu: Option<Cpu>,
}

#[derive(Deserialize)]
struct Cpu {
    brand_raw: Option<String>,
    count: Option<u64>,
}

#[derive(Deserialize)]
struct Row {
    fullname: String,
    options: Options,
    stats: Stats,
}

#[derive(Deserialize)]
struct Options {
    timer: Option<String>,
}

#[derive(Deserialize)]
struct Stats {
    /// Absent when only the summary was saved.
    #[serde(rename = "data")]
    values: Option<Vec<f64>>,
    iterations: u64,
}

fn parse(bytes: &[u8]) -> Result<Saved, ParseError> {
    let Version { version } = json::parse(FORMAT.name, bytes)?;
    if !["4.", "5."].iter().any(|major| version.starts_with(major)) {
        return Err(ParseError::Unsupported {
            format: FORMAT.name,
            found: format!("version {version}"),
            known: "pytest-benchmark 4 or 5",
        });
    }
    let file: File = json::parse(FORMAT.name, bytes)?;
    let benchmarks = file.benchmarks.iter().enumerate().map(|(place, row)| benchmark(place, row));
    let benchmarks = benchmarks.collect::<Result<_, _>>()?;
    let Machine { system, release, cpu } = file.machine;
    let (model, count) = cpu.map_or((None, None), |cpu| (cpu.brand_raw, cpu.count));
    let saved = Saved {
        tool: "pytest-benchmark",
        version: Some(version),
        host: SavedHost {
            cpu: model,
            kernel: release.filter(|_| system.as_deref() == Some("Linux")),
            cpus: count.map(|count| count.to_string()),
        },
        benchmarks,
        notes: Vec::new(),
    };
    with_samples(saved, FORMAT.name, REMEDY)
}

fn benchmark(place: usize, row: &Row) -> Result<Benchmark, ParseError> {
    let Some(values) = &row.stats.values else {
        return Err(ParseError::NoSamples { format: FORMAT.name, remedy: REMEDY });
    };
    let place = format!("benchmarks[{place}].stats.data");
    let values = all_checked(FORMAT.name, &place, values.iter().copied())?;
    let (metric, note) = match row.options.timer.as_deref() {
        Some("process_time" | "thread_time" | "process_time_ns" | "thread_time_ns") => (Metric::Cpu, None),
        Some("perf_counter" | "time" | "monotonic" | "default_timer") => (Metric::Wall, None),
        Some(other) => (Metric::Wall, Some(format!("the timer `{other}` is taken for wall time in seconds"))),
        None => (Metric::Wall, Some("the timer is unknown and taken for wall time".into())),
    };
    let each = Each::Pass { of: Some(row.stats.iterations) };
    Ok(Benchmark {
        name: row.fullname.clone(),
        series: vec![Series { metric, values, each }],
        notes: note.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(timer: &str, wanted: Metric) {
        let text = format!(
            r#"{{"machine_info": {{}}, "version": "5.0.0", "benchmarks": [{{"fullname": "x",
            "options": {{"timer": "{timer}"}}, "stats": {{"data": [1.5], "iterations": 1}}}}]}}"#
        );
        let saved = parse(text.as_bytes()).unwrap();
        assert_eq!(saved.benchmarks[0].series[0].metric, wanted, "{timer}");
    }

    #[test]
    fn the_timer_decides_the_metric() {
        check("perf_counter", Metric::Wall);
        check("process_time", Metric::Cpu);
    }
}
