//! JMH's `-rf json`.
//!
//! Source: `JSONResultFormat.java` of openjdk/jmh. Checked with 1.37. Throughput is turned into seconds per operation; in the
//! mode `sample` the file has a histogram for each iteration, of which the mean is kept.

use std::collections::BTreeMap;

use model::Metric;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::value::{all_checked, checked, seconds};
use super::{Benchmark, Each, Format, Saved, SavedHost, Series, json, with_samples};
use crate::ParseError;

pub(super) const FORMAT: Format = Format {
    name: "JMH JSON",
    recognises: |bytes| {
        let keys = json::Keys::of(bytes);
        keys.inside_list && (keys.has("jmhVersion") || (keys.has("benchmark") && keys.has("mode")))
    },
    parse,
};

#[derive(Deserialize)]
struct Row {
    #[serde(rename = "jmhVersion")]
    version: Option<String>,
    benchmark: String,
    mode: String,
    threads: u64,
    #[serde(default)]
    params: BTreeMap<String, String>,
    #[serde(rename = "primaryMetric")]
    primary: Primary,
    #[serde(default, rename = "secondaryMetrics")]
    secondary: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
struct Primary {
    #[serde(rename = "scoreUnit")]
    unit: String,
    /// By fork and iteration.
    #[serde(rename = "rawData")]
    scores: Option<Vec<Vec<f64>>>,
    /// By fork and iteration, in the mode `sample`.
    #[serde(rename = "rawDataHistogram")]
    histograms: Option<Vec<Vec<Histogram>>>,
}

/// Values and how often each was seen.
type Histogram = Vec<(f64, u64)>;

fn parse(bytes: &[u8]) -> Result<Saved, ParseError> {
    let rows: Vec<Row> = json::parse(FORMAT.name, bytes)?;
    let version = rows.first().and_then(|row| row.version.clone());
    if let Some(other) = version.as_ref().filter(|version| !version.starts_with("1.")) {
        return Err(ParseError::Unsupported {
            format: FORMAT.name,
            found: format!("jmhVersion {other}"),
            known: "JMH 1.x",
        });
    }
    let benchmarks = rows.iter().enumerate().map(|(place, row)| benchmark(place, row));
    let saved = Saved {
        tool: "JMH",
        version,
        host: SavedHost::default(),
        benchmarks: benchmarks.collect::<Result<_, _>>()?,
        notes: Vec::new(),
    };
    with_samples(saved, FORMAT.name, "run at least one benchmark with `-rf json`")
}

fn benchmark(place: usize, row: &Row) -> Result<Benchmark, ParseError> {
    let mut notes = Vec::new();
    let forks = scores(place, &row.primary)?;
    let n: usize = forks.iter().map(Vec::len).sum();
    if forks.len() > 1 && n > forks.len() {
        notes.push(format!(
            "{n} values come from {} forks; those of one fork are not independent",
            forks.len()
        ));
    }
    let scores = all_checked(FORMAT.name, &at(place, "primaryMetric.rawData"), forks.into_iter().flatten())?;
    let unit = row.primary.unit.as_str();
    let values = match unit.split_once('/') {
        Some(("ops", span)) => {
            notes.push(format!("`{unit}` is turned into seconds per operation"));
            inverted(place, unit, span, &scores)?
        }
        Some((span, "op")) => per_operation(place, unit, span, &scores)?,
        _ => return Err(bad_unit(place, unit)),
    };
    let each = match row.mode.as_str() {
        "ss" => Each::Run,
        "avgt" | "sample" | "thrpt" => Each::Pass { of: None },
        other => {
            return Err(ParseError::BadValue {
                format: FORMAT.name,
                place: at(place, "mode"),
                found: other.to_owned(),
                wanted: "`avgt`, `sample`, `ss` or `thrpt`",
            });
        }
    };
    if row.threads != 1 {
        notes.push(format!("{} threads ran at once", row.threads));
    }
    if !row.secondary.is_empty() {
        let names: Vec<&str> = row.secondary.keys().map(String::as_str).collect();
        notes.push(format!("secondary metrics are not compared: {}", names.join(", ")));
    }
    Ok(Benchmark { name: full_name(row), series: vec![Series { metric: Metric::Wall, values, each }], notes })
}

/// The mode belongs to the name, because one file may hold a benchmark in several modes.
fn full_name(row: &Row) -> String {
    let parameters = row.params.iter().map(|(name, value)| format!("{name} = {value}"));
    let inside: Vec<String> = parameters.chain([row.mode.clone()]).collect();
    format!("{} ({})", row.benchmark, inside.join(", "))
}

/// One score for each iteration, by fork, in the file's unit.
fn scores(place: usize, primary: &Primary) -> Result<Vec<Vec<f64>>, ParseError> {
    if let Some(scores) = &primary.scores {
        return Ok(scores.clone());
    }
    let Some(histograms) = &primary.histograms else {
        return Err(ParseError::NoSamples {
            format: FORMAT.name,
            remedy: "let JMH write the file itself, `-rf json`, so that it has `rawData`",
        });
    };
    let forks = histograms.iter().map(|fork| fork.iter().map(|rows| mean(place, rows)).collect());
    forks.collect()
}

fn mean(place: usize, rows: &[(f64, u64)]) -> Result<f64, ParseError> {
    let place = || at(place, "primaryMetric.rawDataHistogram");
    let mut sum = 0.0;
    let mut count = 0.0;
    for (value, times) in rows {
        let times = model::Count(*times).as_f64();
        sum += checked(FORMAT.name, place, *value)? * times;
        count += times;
    }
    // No sample gives 0/0, which is refused here.
    checked(FORMAT.name, place, sum / count)
}

fn per_operation(place: usize, unit: &str, span: &str, scores: &[f64]) -> Result<Vec<f64>, ParseError> {
    let values = scores.iter().map(|score| seconds(*score, span));
    values.collect::<Option<_>>().ok_or_else(|| bad_unit(place, unit))
}

fn inverted(place: usize, unit: &str, span: &str, scores: &[f64]) -> Result<Vec<f64>, ParseError> {
    let span = seconds(1.0, span).ok_or_else(|| bad_unit(place, unit))?;
    // No operation at all would take for ever: infinite, and refused.
    all_checked(FORMAT.name, &at(place, "primaryMetric.rawData"), scores.iter().map(|score| span / score))
}

fn bad_unit(place: usize, unit: &str) -> ParseError {
    ParseError::BadValue {
        format: FORMAT.name,
        place: at(place, "primaryMetric.scoreUnit"),
        found: unit.to_owned(),
        wanted: "a time per operation or operations per time",
    }
}

fn at(place: usize, field: &str) -> String {
    format!("[{place}].{field}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mode: &str, unit: &str, scores: &str) -> Result<Saved, ParseError> {
        let text = format!(
            r#"[{{"jmhVersion": "1.37", "benchmark": "x", "mode": "{mode}", "threads": 1,
            "primaryMetric": {{"scoreUnit": "{unit}", {scores}}}}}]"#
        );
        parse(text.as_bytes())
    }

    #[test]
    fn scores_become_seconds_per_operation() {
        for (mode, unit, scores, wanted) in [
            ("avgt", "us/op", r#""rawData": [[2.5]]"#, 2.5e-6),
            ("ss", "ms/op", r#""rawData": [[3]]"#, 3e-3),
            ("thrpt", "ops/s", r#""rawData": [[4]]"#, 0.25),
            ("thrpt", "ops/ms", r#""rawData": [[4]]"#, 0.25e-3),
            ("sample", "ns/op", r#""rawDataHistogram": [[[[1, 3], [5, 1]]]]"#, 2e-9),
        ] {
            let saved = row(mode, unit, scores).unwrap();
            assert_eq!(saved.benchmarks[0].series[0].values, [wanted], "{mode} {unit}");
        }
    }

    #[test]
    fn what_is_no_time_is_an_error() {
        for (mode, unit, scores) in [
            ("thrpt", "ops/s", r#""rawData": [[0]]"#),
            ("avgt", "B/op", r#""rawData": [[1]]"#),
            ("avgt", "us", r#""rawData": [[1]]"#),
            ("avgt", "us/op", r#""rawData": [["NaN"]]"#),
            ("avgt", "us/op", r#""rawData": []"#),
            ("avgt", "us/op", r#""score": 1"#),
            ("all", "us/op", r#""rawData": [[1]]"#),
            ("sample", "us/op", r#""rawDataHistogram": [[[]]]"#),
        ] {
            assert!(row(mode, unit, scores).is_err(), "{mode} {unit} {scores}");
        }
    }
}
