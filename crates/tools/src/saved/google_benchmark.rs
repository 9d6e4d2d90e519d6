//! Google Benchmark's `--benchmark_format=json` and `--benchmark_out`.
//!
//! Source: `src/json_reporter.cc` and `docs/user_guide.md` of google/benchmark. Checked with 1.7.1; needs 1.5 or newer, which
//! says of each row whether it is a measurement or an aggregate. Aggregates are no samples and are left out.

use model::Metric;
use serde::Deserialize;

use super::value::{checked, common_passes, seconds};
use super::{Benchmark, ByName, Each, Format, Saved, SavedHost, Series, json, with_samples};
use crate::ParseError;

pub(super) const FORMAT: Format = Format {
    name: "Google Benchmark JSON",
    recognises: |bytes| {
        let keys = json::Keys::of(bytes);
        !keys.inside_list && keys.has("context") && !keys.has("machine_info")
    },
    parse,
};

const REMEDY: &str = "run at least one benchmark, without `--benchmark_report_aggregates_only`";

#[derive(Deserialize)]
struct File {
    context: Context,
    benchmarks: Vec<Row>,
}

#[derive(Deserialize)]
struct Context {
    num_cpus: Option<u64>,
    library_version: Option<String>,
    library_build_type: Option<String>,
    json_schema_version: Option<u64>,
}

#[derive(Deserialize)]
struct Row {
    run_name: String,
    run_type: String,
    iterations: Option<u64>,
    real_time: Option<f64>,
    cpu_time: Option<f64>,
    time_unit: Option<String>,
    #[serde(default)]
    error_occurred: bool,
    error_message: Option<String>,
    /// The benchmark asked not to be measured; versions after 1.7.1 write this, none was captured.
    #[serde(default)]
    skipped: bool,
    skip_message: Option<String>,
}

/// The repetitions of one benchmark.
#[derive(Default)]
struct Repetitions {
    wall: Vec<f64>,
    cpu: Vec<f64>,
    passes: Vec<u64>,
    notes: Vec<String>,
}

fn parse(bytes: &[u8]) -> Result<Saved, ParseError> {
    let file: File = json::parse(FORMAT.name, bytes)?;
    if let Some(other) = file.context.json_schema_version.filter(|version| *version != 1) {
        return Err(ParseError::Unsupported {
            format: FORMAT.name,
            found: format!("json_schema_version {other}"),
            known: "Google Benchmark 1.5 or newer, json_schema_version 1",
        });
    }
    let mut repetitions = ByName::<Repetitions>::new();
    for (place, row) in file.benchmarks.iter().enumerate() {
        match row.run_type.as_str() {
            "aggregate" => {}
            "iteration" => add(&mut repetitions, place, row)?,
            other => return Err(bad(place, "run_type", other, "`iteration` or `aggregate`")),
        }
    }
    let debug = file.context.library_build_type.as_deref() == Some("debug");
    let saved = Saved {
        tool: "Google Benchmark",
        version: file.context.library_version,
        host: SavedHost {
            cpus: file.context.num_cpus.map(|count| count.to_string()),
            ..SavedHost::default()
        },
        benchmarks: repetitions.rows.into_iter().map(benchmark).collect(),
        notes: debug
            .then(|| "the benchmark library calls itself a debug build".to_owned())
            .into_iter()
            .collect(),
    };
    with_samples(saved, FORMAT.name, REMEDY)
}

fn add(repetitions: &mut ByName<Repetitions>, place: usize, row: &Row) -> Result<(), ParseError> {
    if row.error_occurred || row.skipped {
        let message = row.error_message.as_ref().or(row.skip_message.as_ref());
        let message = message.map_or("no reason given", String::as_str);
        let word = if row.error_occurred { "failed" } else { "was skipped" };
        repetitions.change(&row.run_name, |one| one.notes.push(format!("a repetition {word}: {message}")));
        return Ok(());
    }
    let wall = time(place, "real_time", row.real_time, row)?;
    let cpu = time(place, "cpu_time", row.cpu_time, row)?;
    let passes = row.iterations.filter(|passes| *passes > 0);
    let passes = passes.ok_or_else(|| bad(place, "iterations", "absent or 0", "a number of passes"))?;
    repetitions.change(&row.run_name, |one| {
        one.wall.push(wall);
        one.cpu.push(cpu);
        one.passes.push(passes);
    });
    Ok(())
}

fn time(place: usize, field: &str, value: Option<f64>, row: &Row) -> Result<f64, ParseError> {
    let unit = row.time_unit.as_deref().unwrap_or("absent");
    let value = value.ok_or_else(|| bad(place, field, "absent", "a time"))?;
    let value =
        seconds(value, unit).ok_or_else(|| bad(place, "time_unit", unit, "`ns`, `us`, `ms` or `s`"))?;
    checked(FORMAT.name, || format!("benchmarks[{place}].{field}"), value)
}

fn bad(place: usize, field: &str, found: &str, wanted: &'static str) -> ParseError {
    ParseError::BadValue {
        format: FORMAT.name,
        place: format!("benchmarks[{place}].{field}"),
        found: found.to_owned(),
        wanted,
    }
}

fn benchmark((name, one): (String, Repetitions)) -> Benchmark {
    let each = Each::Pass { of: common_passes(one.passes) };
    let series = [(Metric::Wall, one.wall), (Metric::Cpu, one.cpu)];
    let series = series.into_iter().filter(|(_, values)| !values.is_empty());
    Benchmark {
        name,
        series: series.map(|(metric, values)| Series { metric, values, each }).collect(),
        notes: one.notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_sound_time_is_an_error() {
        for fields in [
            r#""cpu_time": 1, "time_unit": "ns", "iterations": 1"#,
            r#""cpu_time": 1, "real_time": 1, "iterations": 1"#,
            r#""cpu_time": 1, "real_time": 1, "time_unit": "h", "iterations": 1"#,
            r#""cpu_time": -1, "real_time": 1, "time_unit": "ns", "iterations": 1"#,
            r#""cpu_time": 1, "real_time": 1, "time_unit": "ns", "iterations": 0"#,
            r#""cpu_time": 1, "real_time": 1, "time_unit": "ns""#,
        ] {
            let text = format!(
                r#"{{"context": {{}}, "benchmarks": [{{"run_name": "x", "run_type": "iteration", {fields}}}]}}"#
            );
            assert!(parse(text.as_bytes()).is_err(), "{fields}");
        }
    }
}
