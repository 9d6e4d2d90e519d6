//! pyperf's JSON, `-o FILE`.
//!
//! Source: <https://pyperf.readthedocs.io/en/latest/api.html#pyperf-json-format>. Checked with pyperf 2.10.0, form "1.0".
//! A value is seconds of one pass; metadata equal for all benchmarks stands once, at the top.

use model::{Bytes, Metric};
use serde::Deserialize;

use super::value::{all_checked, common_passes};
use super::{Benchmark, Each, Format, Saved, SavedHost, Series, json, with_samples};
use crate::ParseError;

pub(super) const FORMAT: Format = Format {
    name: "pyperf JSON",
    recognises: |bytes| {
        let keys = json::Keys::of(bytes);
        let others = ["context", "machine_info", "schema_version"];
        !keys.inside_list && keys.has("benchmarks") && !others.iter().any(|key| keys.has(key))
    },
    parse,
};

#[derive(Deserialize)]
struct Version {
    version: String,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    metadata: Metadata,
    benchmarks: Vec<Suite>,
}

#[derive(Deserialize)]
struct Suite {
    #[serde(default)]
    metadata: Metadata,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    #[serde(default)]
    metadata: Metadata,
    /// Absent in runs that only found out how many passes to time.
    values: Option<Vec<f64>>,
}

#[derive(Clone, Default, Deserialize)]
struct Metadata {
    name: Option<String>,
    unit: Option<String>,
    loops: Option<u64>,
    inner_loops: Option<u64>,
    mem_max_rss: Option<u64>,
    /// Of the command, where pyperf measured one with `pyperf command`.
    command_max_rss: Option<u64>,
    perf_version: Option<String>,
    cpu_model_name: Option<String>,
    cpu_count: Option<u64>,
    platform: Option<String>,
}

impl Metadata {
    /// What stands here, else what stands further out.
    fn within(&self, outer: &Self) -> Self {
        let (inner, outer) = (self.clone(), outer.clone());
        Self {
            name: inner.name.or(outer.name),
            unit: inner.unit.or(outer.unit),
            loops: inner.loops.or(outer.loops),
            inner_loops: inner.inner_loops.or(outer.inner_loops),
            mem_max_rss: inner.mem_max_rss.or(outer.mem_max_rss),
            command_max_rss: inner.command_max_rss.or(outer.command_max_rss),
            perf_version: inner.perf_version.or(outer.perf_version),
            cpu_model_name: inner.cpu_model_name.or(outer.cpu_model_name),
            cpu_count: inner.cpu_count.or(outer.cpu_count),
            platform: inner.platform.or(outer.platform),
        }
    }
}

fn parse(bytes: &[u8]) -> Result<Saved, ParseError> {
    let version: Version = json::parse(FORMAT.name, bytes)?;
    if version.version != "1.0" {
        return Err(ParseError::Unsupported {
            format: FORMAT.name,
            found: format!("version {}", version.version),
            known: "pyperf with a file of version 1.0",
        });
    }
    let file: File = json::parse(FORMAT.name, bytes)?;
    let benchmarks = file.benchmarks.iter().enumerate();
    let benchmarks = benchmarks.map(|(place, suite)| benchmark(place, suite, &file.metadata));
    let benchmarks = benchmarks.collect::<Result<_, _>>()?;
    // With one benchmark the machine may stand beside it instead of at the top.
    let all = file.benchmarks.first().map_or(file.metadata.clone(), |suite| {
        let suite_wide = suite.metadata.within(&file.metadata);
        suite.runs.first().map_or(suite_wide.clone(), |run| run.metadata.within(&suite_wide))
    });
    let saved = Saved {
        tool: "pyperf",
        version: all.perf_version,
        host: SavedHost {
            cpu: all.cpu_model_name,
            kernel: all.platform.as_deref().and_then(kernel),
            cpus: all.cpu_count.map(|count| count.to_string()),
        },
        benchmarks,
        notes: Vec::new(),
    };
    with_samples(saved, FORMAT.name, "measure at least one benchmark with pyperf, `-o FILE`")
}

fn benchmark(place: usize, suite: &Suite, top: &Metadata) -> Result<Benchmark, ParseError> {
    let at = format!("benchmarks[{place}]");
    let bad = |field: &str, found: &str, wanted| ParseError::BadValue {
        format: FORMAT.name,
        place: format!("{at}.{field}"),
        found: found.to_owned(),
        wanted,
    };
    let outer = suite.metadata.within(top);
    let mut values = Vec::new();
    let mut passes = Vec::new();
    let mut peaks = Vec::new();
    let mut processes = 0_u32;
    let mut all = outer.clone();
    for (row, run) in suite.runs.iter().enumerate() {
        let own = run.metadata.within(&outer);
        if let Some(found) = &run.values {
            values.extend(all_checked(
                FORMAT.name,
                &format!("{at}.runs[{row}].values"),
                found.iter().copied(),
            )?);
            passes.push(own.loops.and_then(|loops| loops.checked_mul(own.inner_loops.unwrap_or(1))));
            peaks.push(own.command_max_rss.or(own.mem_max_rss));
            processes += 1;
        }
        all = all.within(&own);
    }
    let name = all.name.ok_or_else(|| bad("metadata.name", "absent", "a name"))?;
    if values.is_empty() {
        return Err(bad("runs", "without values", "a list of runs with values"));
    }
    // Bytes are what `--track-memory` or `--tracemalloc` count, which is not the peak RSS that slowpath compares.
    if let Some(unit) = all.unit.filter(|unit| unit != "second") {
        return Err(bad("metadata.unit", &unit, "`second`"));
    }
    let known = passes.iter().copied().collect::<Option<Vec<u64>>>();
    let mut notes = Vec::new();
    if values.len() > peaks.len() {
        notes.push(format!(
            "{} values come from {processes} processes; those of one process are not independent",
            values.len()
        ));
    }
    if suite.runs.iter().any(|run| run.metadata.command_max_rss.is_some()) {
        notes.push("the RSS of a small command may be that of the Python process that started it".into());
    }
    let of = known.and_then(common_passes);
    let mut series = vec![Series { metric: Metric::Wall, values, each: Each::Pass { of } }];
    if let Some(peaks) = peaks.into_iter().collect::<Option<Vec<u64>>>() {
        let values = peaks.into_iter().map(|peak| Bytes::from_bytes(peak).as_f64()).collect();
        series.push(Series { metric: Metric::Rss, values, each: Each::Process });
    }
    Ok(Benchmark { name, series, notes })
}

/// The release in what Python's `platform.platform()` gives on Linux: `Linux-RELEASE-MACHINE-with-LIBC`.
fn kernel(platform: &str) -> Option<String> {
    let (machine, _libc) = platform.strip_prefix("Linux-")?.rsplit_once("-with-")?;
    let (release, _machine) = machine.rsplit_once('-')?;
    Some(release.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_taken_out_of_the_platform() {
        for (platform, wanted) in [
            ("Linux-6.1.0-13-amd64-x86_64-with-glibc2.36", Some("6.1.0-13-amd64")),
            ("macOS-14.1-arm64-arm-64bit", None),
            ("Linux-", None),
        ] {
            assert_eq!(kernel(platform).as_deref(), wanted, "{platform}");
        }
    }

    #[test]
    fn metadata_is_found_at_each_level() {
        for (top, suite, run) in
            [(r#""name": "x""#, "", ""), ("", r#""name": "x""#, ""), ("", "", r#""name": "x""#)]
        {
            let text = format!(
                r#"{{"version": "1.0", "metadata": {{{top}}}, "benchmarks": [
                {{"metadata": {{{suite}}}, "runs": [{{"metadata": {{{run}}}, "values": [1.5]}}]}}]}}"#
            );
            let saved = parse(text.as_bytes()).unwrap();
            assert_eq!(saved.benchmarks[0].name, "x");
        }
    }

    #[test]
    fn a_unit_we_cannot_compare_is_an_error() {
        let text = r#"{"version": "1.0", "benchmarks": [
            {"metadata": {"name": "x", "unit": "integer"}, "runs": [{"values": [1.5]}]}]}"#;
        assert!(parse(text.as_bytes()).unwrap_err().to_string().contains("`integer`"));
    }
}
