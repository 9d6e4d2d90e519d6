//! hyperfine's `--export-json`: form 1 (hyperfine 1.x, no version in the file) and form 2 (hyperfine 2.0).
//!
//! Source: `src/export/json.rs` and `src/benchmark/benchmark_result.rs` of hyperfine. Checked with 1.15.0, 1.20.0 and 2.0.0.

use std::collections::BTreeMap;

use model::{Bytes, Count, Metric};
use serde::{Deserialize, Deserializer};

use super::value::{all_checked, checked, same_length};
use super::{Benchmark, Each, Format, Saved, SavedHost, Series, json, with_samples};
use crate::ParseError;

pub(super) const V1: Format = Format {
    name: "hyperfine 1 JSON",
    recognises: |bytes| {
        let keys = json::Keys::of(bytes);
        !keys.inside_list && keys.has("results") && !keys.has("schema_version")
    },
    parse: parse_v1,
};

pub(super) const V2: Format = Format {
    name: "hyperfine 2 JSON",
    recognises: |bytes| {
        let keys = json::Keys::of(bytes);
        !keys.inside_list && keys.has("schema_version")
    },
    parse: parse_v2,
};

const REMEDY: &str = "measure at least one command with `hyperfine --export-json FILE`";

#[derive(Deserialize)]
struct FileV1 {
    results: Vec<ResultV1>,
}

#[derive(Deserialize)]
struct ResultV1 {
    command: String,
    times: Vec<f64>,
    user: f64,
    system: f64,
    /// Not in 1.15, but in 1.20.
    memory_usage_byte: Option<Vec<u64>>,
    /// Since 1.12; `null` for a run that a signal ended.
    exit_codes: Option<Vec<Option<i32>>>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

fn parse_v1(bytes: &[u8]) -> Result<Saved, ParseError> {
    let file: FileV1 = json::parse(V1.name, bytes)?;
    let named = file.results.iter().map(|row| (row.command.as_str(), row.parameters.clone()));
    let names = distinct(named.collect());
    let rows = file.results.iter().zip(names).enumerate();
    let benchmarks = rows.map(|(place, (row, name))| benchmark_v1(place, row, name));
    let saved = Saved {
        tool: "hyperfine",
        version: None,
        host: SavedHost::default(),
        benchmarks: benchmarks.collect::<Result<_, _>>()?,
        notes: Vec::new(),
    };
    with_samples(saved, V1.name, REMEDY)
}

fn benchmark_v1(place: usize, row: &ResultV1, name: String) -> Result<Benchmark, ParseError> {
    let at = |field: &str| format!("results[{place}].{field}");
    let n = row.times.len();
    let wall = all_checked(V1.name, &at("times"), row.times.iter().copied())?;
    let user = checked(V1.name, || at("user"), row.user)?;
    let system = checked(V1.name, || at("system"), row.system)?;
    let each = Each::Mean { of: u64::try_from(n).unwrap_or(u64::MAX) };
    let mut series = vec![
        one(Metric::Wall, wall, Each::Run),
        one(Metric::Cpu, vec![user + system], each),
        one(Metric::User, vec![user], each),
        one(Metric::System, vec![system], each),
    ];
    if let Some(memory) = &row.memory_usage_byte {
        same_length(V1.name, &at("memory_usage_byte"), memory.len(), n)?;
        let peaks = memory.iter().map(|peak| Bytes::from_bytes(*peak).as_f64());
        series.push(one(Metric::Rss, peaks.collect(), Each::Run));
    }
    let mut notes: Vec<String> = vanished(&row.times).into_iter().collect();
    match &row.exit_codes {
        Some(codes) => {
            same_length(V1.name, &at("exit_codes"), codes.len(), n)?;
            notes.extend(failures(codes));
        }
        None => notes.push("the file does not say how the runs ended".into()),
    }
    if n > 1 {
        notes.push("CPU time is one mean over all runs: hyperfine 1 does not keep it for each run".into());
    }
    Ok(Benchmark { name, series, notes })
}

#[derive(Deserialize)]
struct VersionV2 {
    schema_version: u64,
}

#[derive(Deserialize)]
struct FileV2 {
    metadata: Metadata,
    results: Vec<ResultV2>,
}

#[derive(Deserialize)]
struct Metadata {
    hyperfine_version: String,
}

#[derive(Deserialize)]
struct ResultV2 {
    command: String,
    name: Option<String>,
    measurements: Vec<Measurement>,
    #[serde(default)]
    parameters: BTreeMap<String, Parameter>,
}

#[derive(Deserialize)]
struct Parameter {
    value: String,
}

/// Cycles, cache and branch counters stand here too; slowpath has no metric for them.
#[derive(Deserialize)]
struct Measurement {
    time_wall_clock: Quantity,
    time_cpu: Quantity,
    time_user: Quantity,
    time_system: Quantity,
    memory_peak_resident: Option<Quantity>,
    instructions: Option<Counter>,
    /// `null` for a run that a signal ended, but always there.
    #[serde(deserialize_with = "present")]
    exit_code: Option<i32>,
}

#[derive(Deserialize)]
struct Quantity {
    value: f64,
    unit: String,
}

#[derive(Deserialize)]
struct Counter {
    value: u64,
}

/// A field that may be `null` but not absent.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i32>, D::Error> {
    Option::deserialize(from)
}

fn parse_v2(bytes: &[u8]) -> Result<Saved, ParseError> {
    let version: VersionV2 = json::parse(V2.name, bytes)?;
    if version.schema_version != 2 {
        return Err(ParseError::Unsupported {
            format: V2.name,
            found: format!("schema_version {}", version.schema_version),
            known: "hyperfine 1.x or 2.x (schema_version 2)",
        });
    }
    let file: FileV2 = json::parse(V2.name, bytes)?;
    let named = file.results.iter().map(|row| {
        let parameters = row.parameters.iter();
        (
            row.name.as_deref().unwrap_or(&row.command),
            parameters.map(|(key, parameter)| (key.clone(), parameter.value.clone())).collect(),
        )
    });
    let names = distinct(named.collect());
    let rows = file.results.iter().zip(names).enumerate();
    let benchmarks = rows.map(|(place, (row, name))| benchmark_v2(place, row, name));
    let saved = Saved {
        tool: "hyperfine",
        version: Some(file.metadata.hyperfine_version),
        host: SavedHost::default(),
        benchmarks: benchmarks.collect::<Result<_, _>>()?,
        notes: Vec::new(),
    };
    with_samples(saved, V2.name, REMEDY)
}

fn benchmark_v2(place: usize, row: &ResultV2, name: String) -> Result<Benchmark, ParseError> {
    let runs = Runs { place: format!("results[{place}].measurements"), measurements: &row.measurements };
    let mut series = vec![
        runs.series(Metric::Wall, "time_wall_clock", "second", |run| Some(&run.time_wall_clock))?,
        runs.series(Metric::Cpu, "time_cpu", "second", |run| Some(&run.time_cpu))?,
        runs.series(Metric::User, "time_user", "second", |run| Some(&run.time_user))?,
        runs.series(Metric::System, "time_system", "second", |run| Some(&run.time_system))?,
    ];
    if row.measurements.iter().any(|run| run.memory_peak_resident.is_some()) {
        series.push(
            runs.series(Metric::Rss, "memory_peak_resident", "byte", |run| {
                run.memory_peak_resident.as_ref()
            })?,
        );
    }
    if row.measurements.iter().any(|run| run.instructions.is_some()) {
        series.push(runs.instructions()?);
    }
    let codes: Vec<Option<i32>> = row.measurements.iter().map(|run| run.exit_code).collect();
    let wall: Vec<f64> = row.measurements.iter().map(|run| run.time_wall_clock.value).collect();
    let notes = vanished(&wall).into_iter().chain(failures(&codes)).collect();
    Ok(Benchmark { name, series, notes })
}

/// The runs of one command, with their place in the file.
struct Runs<'a> {
    place: String,
    measurements: &'a [Measurement],
}

impl Runs<'_> {
    fn series(
        &self,
        metric: Metric,
        field: &'static str,
        unit: &'static str,
        of: impl Fn(&Measurement) -> Option<&Quantity>,
    ) -> Result<Series, ParseError> {
        let values = self.measurements.iter().enumerate().map(|(run, measurement)| {
            let quantity = of(measurement).ok_or_else(|| self.bad(run, field, "absent".into()))?;
            if quantity.unit != unit {
                return Err(self.bad(run, field, format!("in {}s", quantity.unit)));
            }
            Ok(quantity.value)
        });
        let values = values.collect::<Result<Vec<f64>, ParseError>>()?;
        let place = format!("{}[].{field}", self.place);
        Ok(one(metric, all_checked(V2.name, &place, values)?, Each::Run))
    }

    fn instructions(&self) -> Result<Series, ParseError> {
        let values = self.measurements.iter().enumerate().map(|(run, measurement)| {
            let counter = measurement.instructions.as_ref();
            let counter = counter.ok_or_else(|| self.bad(run, "instructions", "absent".into()))?;
            Ok(Count(counter.value).as_f64())
        });
        Ok(one(Metric::Instructions, values.collect::<Result<_, ParseError>>()?, Each::Run))
    }

    fn bad(&self, run: usize, field: &str, found: String) -> ParseError {
        ParseError::BadValue {
            format: V2.name,
            place: format!("{}[{run}].{field}", self.place),
            found,
            wanted: "a value in seconds, bytes or events for each run",
        }
    }
}

fn one(metric: Metric, values: Vec<f64>, each: Each) -> Series {
    Series { metric, values, each }
}

/// A note on runs that did not exit with 0. They are kept: hyperfine stops on them unless it was told to ignore them.
fn failures(codes: &[Option<i32>]) -> Option<String> {
    let failed: Vec<&Option<i32>> = codes.iter().filter(|code| **code != Some(0)).collect();
    let first = match failed.first()? {
        Some(code) => format!("the first with exit code {code}"),
        None => "the first by a signal".into(),
    };
    Some(format!("{} of {} runs failed, {first}", failed.len(), codes.len()))
}

/// A note on runs without a time. Hyperfine subtracts what its shell needs to start, and stops at zero.
fn vanished(wall: &[f64]) -> Option<String> {
    let zeros = wall.iter().filter(|time| **time == 0.0).count();
    (zeros > 0).then(|| format!("{zeros} of {} runs took no longer than hyperfine's shell", wall.len()))
}

/// The names, with the parameters added to those that occur more than once.
fn distinct(named: Vec<(&str, BTreeMap<String, String>)>) -> Vec<String> {
    let mut times = BTreeMap::<&str, usize>::new();
    for (name, _) in &named {
        *times.entry(name).or_default() += 1;
    }
    let rows = named.iter().map(|(name, parameters)| {
        if parameters.is_empty() || times.get(name) == Some(&1) {
            return (*name).to_owned();
        }
        let list: Vec<String> = parameters.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        format!("{name} ({})", list.join(", "))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v1(fields: &str) -> String {
        format!(r#"{{"results": [{{"command": "x", "user": 1, "system": 1{fields}}}]}}"#)
    }

    #[test]
    fn every_bad_list_is_an_error() {
        for fields in [
            "",
            r#", "times": []"#,
            r#", "times": null"#,
            r#", "times": [1, null]"#,
            r#", "times": [1, -1]"#,
            r#", "times": [1e999]"#,
            r#", "times": [NaN]"#,
            r#", "times": ["1"]"#,
            r#", "times": [1, 2], "exit_codes": [0]"#,
            r#", "times": [1, 2], "memory_usage_byte": [1]"#,
            r#", "times": [1], "memory_usage_byte": [-1]"#,
        ] {
            assert!(parse_v1(v1(fields).as_bytes()).is_err(), "{fields}");
        }
        assert!(parse_v1(v1(r#", "times": [1, 2]"#).as_bytes()).is_ok());
    }

    #[test]
    fn an_absent_exit_code_is_not_a_signal() {
        let text = |end: &str| {
            let second = r#"{"value": 1, "unit": "second"}"#;
            format!(
                r#"{{"schema_version": 2, "metadata": {{"hyperfine_version": "2.0.0"}}, "results": [{{"command": "x",
                "measurements": [{{"time_wall_clock": {second}, "time_cpu": {second}, "time_user": {second},
                "time_system": {second}{end}}}]}}]}}"#
            )
        };
        assert!(parse_v2(text("").as_bytes()).is_err());
        let saved = parse_v2(text(r#", "exit_code": null"#).as_bytes()).unwrap();
        assert_eq!(saved.benchmarks[0].notes, ["1 of 1 runs failed, the first by a signal"]);
        let fine = text(r#", "exit_code": 0"#);
        assert!(parse_v2(fine.as_bytes()).unwrap().benchmarks[0].notes.is_empty());
        assert!(parse_v2(fine.replace("second", "hour").as_bytes()).is_err());
    }

    #[test]
    fn repeated_names_get_their_parameters() {
        let with = |n: &str| BTreeMap::from([("n".to_owned(), n.to_owned())]);
        let names = distinct(vec![("a", with("1")), ("a", with("2")), ("b", with("3"))]);
        assert_eq!(names, ["a (n = 1)", "a (n = 2)", "b"]);
    }
}
