//! Earlier results that scenarios are held against: saved by `--save`, a stored run, or another tool's file.

use std::fs;
use std::path::Path;

use diagnose::stored::{Stored, of_run};
use history::Loaded;
use jiff::Timestamp;
use model::fingerprint::Fingerprint;
use model::gate::{BASELINE_SCHEMA, Baseline, Gate, Saved, Series};
use model::manifest::Kind;

use super::kept;
use crate::stop::Stop;
use crate::walk::stored::{self, Source};

/// The baselines of a file or run, by scenario. What cannot be read is never "no baseline".
pub(super) fn load(path: &Path) -> Result<Vec<Baseline>, Stop> {
    if path.is_file() {
        let bytes = fs::read(path).map_err(|error| unreadable(path, error.to_string()))?;
        if let Some(schema) = schema_of(&bytes) {
            return saved(path, &bytes, &schema);
        }
    }
    match stored::load(path)? {
        Source::Run(run) if run.manifest.kind == Kind::Gate => of_gate(&stored::folder(path)?),
        Source::Run(run) => Ok(of_loaded(&run, None)),
        Source::File(label, saved) => {
            let source = Source::File(label, saved);
            Ok(named(stored::results(&source), &stored::fingerprint(&source)))
        }
    }
}

/// The schema a file of ours names; `None` for anything else.
fn schema_of(bytes: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let schema = value.get("schema")?.as_str()?;
    schema.starts_with("slowpath.").then(|| schema.to_owned())
}

fn saved(path: &Path, bytes: &[u8], schema: &str) -> Result<Vec<Baseline>, Stop> {
    if schema != BASELINE_SCHEMA {
        return Err(unreadable(path, format!("it is `{schema}`, not `{BASELINE_SCHEMA}`")));
    }
    let saved: Saved = serde_json::from_slice(bytes).map_err(|error| unreadable(path, error.to_string()))?;
    let values =
        saved.scenarios.iter().flat_map(|scenario| &scenario.series).flat_map(|series| &series.values);
    if values.into_iter().any(|value| !value.is_finite() || *value < 0.0) {
        return Err(unreadable(path, "a value is below zero".to_owned()));
    }
    Ok(saved.scenarios)
}

fn unreadable(path: &Path, why: String) -> Stop {
    Stop::NotRead {
        path: path.to_owned(),
        why,
        next: "a baseline is what `slowpath gate --save FILE` wrote, or a run of `gate` or `bench`"
            .to_owned(),
    }
}

fn of_gate(folder: &Path) -> Result<Vec<Baseline>, Stop> {
    let asked = kept::asked(folder)?;
    let kept = kept::load(folder, &asked)?;
    let known = kept.iter().filter(|kept| kept.asked.failed.is_none());
    Ok(known
        .filter_map(|kept| Some((kept, kept.runs.as_ref()?)))
        .flat_map(|(kept, run)| of_loaded(run, Some(&kept.asked.name)))
        .collect())
}

/// The arms of a run by their labels; with a name, the gated arm alone.
fn of_loaded(run: &Loaded, name: Option<&str>) -> Vec<Baseline> {
    let mut stored = of_run(&run.manifest, &run.samples, &run.counted);
    if let Some(name) = name {
        stored.benchmarks = stored.benchmarks.pop().into_iter().collect();
        stored.benchmarks.iter_mut().for_each(|benchmark| name.clone_into(&mut benchmark.name));
    }
    named(stored, &run.manifest.fingerprint)
}

fn named(stored: Stored, fingerprint: &Fingerprint) -> Vec<Baseline> {
    let of = |(metric, values): (model::Metric, Vec<f64>)| Series { metric, values };
    stored
        .benchmarks
        .into_iter()
        .map(|benchmark| Baseline {
            name: benchmark.name,
            fingerprint: fingerprint.clone(),
            series: benchmark.series.into_iter().map(of).collect(),
        })
        .collect()
}

/// The results of a gate as a baseline for later ones.
pub(super) fn of(folder: &Path, verdicts: &Gate) -> Result<Saved, Stop> {
    Ok(Saved {
        schema: BASELINE_SCHEMA.to_owned(),
        slowpath: env!("CARGO_PKG_VERSION").to_owned(),
        saved: Timestamp::now().to_string(),
        scenarios: of_gate(folder)?
            .into_iter()
            .filter(|baseline| verdicts.scenarios.iter().any(|scenario| scenario.name == baseline.name))
            .collect(),
    })
}
