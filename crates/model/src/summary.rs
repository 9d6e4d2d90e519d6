//! `slowpath.summary/1`: `benchmark_summary.json`, the contract of the original rubric pipeline, with what it lacked.
//!
//! Keys that existed keep their names and meaning, except where the old meaning was wrong: percentiles are of one size,
//! and a dimension without a score has `null`, never -1. New keys stand after the old ones.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;
use crate::scorecard::{Band, LedgerRegressions, Location, Regressions, Tier, TierChange};
use crate::{Arg, Gap, Metric, Unit};

pub const SCHEMA: &str = "slowpath.summary/1";

/// Where it lies in the run folder.
pub const SUMMARY: &str = "benchmark_summary.json";

/// Where the report for people lies.
pub const REPORT: &str = "benchmark_report.md";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    pub schema: String,
    /// `null` when growth was not measured or has no exponent.
    pub complexity_exponent: Option<f64>,
    /// Whether instructions were counted, so that the exponent and the costs repeat.
    pub deterministic_tier: bool,
    /// When the run ended; RFC 3339.
    pub generated_at: String,
    /// The target's working directory.
    pub root: Arg,
    /// `fast`, `medium`, `deep` or `asm`.
    pub tier: String,
    pub rubric: Rubric,
    pub prerequisites: Prerequisites,
    pub baseline_regressions: Vec<TierChange>,
    pub regression_blocker: bool,
    /// The largest over sizes, in percent.
    pub wall_time_cv: Option<f64>,
    #[serde(default)]
    pub wall_time_cv_by_size: BTreeMap<String, f64>,
    #[serde(default)]
    pub wall_time_mean_by_size: BTreeMap<String, f64>,
    /// Seconds; only of a command without sizes.
    pub wall_time_mean: Option<f64>,
    pub environment: Environment,
    /// Seconds, of the largest size alone. `null` where n does not support one.
    pub wall_time_percentiles: Option<Percentiles>,
    pub tracemalloc_peak_bytes: Option<u64>,
    pub massif_peak_bytes: Option<u64>,
    pub ledger_regressions: Option<LedgerRegressions>,

    // What the contract lacked.
    pub run: String,
    pub slowpath: String,
    /// The command as it was written, `{SIZE}` and all.
    pub workload: String,
    pub command: Vec<Arg>,
    pub sizes: Vec<u64>,
    pub coverage: String,
    pub band: Option<Band>,
    pub stop: Option<String>,
    pub notes: Vec<String>,
    pub complexity_exponent_interval: Option<(f64, f64)>,
    pub complexity_class: Option<String>,
    /// Whether the machine left the program alone. `null` when the kernel did not tell.
    pub quiet: Option<bool>,
    /// Every value behind the figures, by metric and size.
    pub samples: Vec<Series>,
    /// Where the cost is, the costliest first.
    pub hot_functions: Vec<HotFunction>,
    pub tools: BTreeMap<String, Option<String>>,
    /// What did not work.
    pub errors: Vec<Gap>,
    pub regressions: Option<Regressions>,
    pub fingerprint: Fingerprint,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rubric {
    pub total: u32,
    pub max_possible: u32,
    pub dimensions: BTreeMap<String, DimensionResult>,
}

/// One dimension under the old contract's names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionResult {
    /// `null` when it was not measured.
    pub score: Option<u32>,
    /// `PASS`, `WARN`, `FAIL`, `N/A` or `N/A (noise)`.
    pub tier: String,
    pub iso_25010: String,
    pub because: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cv: Option<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cv_by_size: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_fn_pct: Option<f64>,
    #[serde(default, rename = "IPC", skip_serializing_if = "Option::is_none")]
    pub ipc: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst_pct: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_ratio: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sub_checks: BTreeMap<String, CheckResult>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_sub_checks: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    pub location: Option<Location>,
    pub prescription: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckResult {
    pub tier: Tier,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Short-lived allocations an element; the old contract counted bumps of a curve here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peaks: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_count: Option<f64>,
    pub because: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prerequisites {
    /// Whether the Python that ran is 3.10 or newer. `null` when none was seen.
    #[serde(default)]
    pub python_ok: Option<bool>,
    /// Whether valgrind answered.
    pub valgrind: bool,
    /// `kernel.perf_event_paranoid` when the run began. `null` where the kernel did not tell.
    #[serde(default)]
    pub perf_paranoid: Option<i32>,
    pub governor: Option<String>,
    /// As `bytes,ways,line`: what was simulated, by `D1`, `I1`, `LL`.
    pub cache_topology: BTreeMap<String, String>,
    pub ram_mb: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Environment {
    pub cpu_model: Option<String>,
    pub kernel: Option<String>,
    pub governor: Option<String>,
    pub smt: Option<String>,
    /// Load average of the minute before the run. `null` where the kernel did not tell.
    #[serde(default)]
    pub load_avg_1m: Option<f64>,
    /// Of the Python that the recorded run was in. `null` when none was seen.
    #[serde(default)]
    pub python_version: Option<String>,
    pub timestamp_utc: String,
}

/// Of one size; a percentile that n does not support is `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Percentiles {
    pub size: Option<u64>,
    pub n: u32,
    pub p50: f64,
    pub p95: Option<f64>,
    pub p99: Option<f64>,
}

/// The values of one metric at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    pub metric: Metric,
    pub unit: Unit,
    pub size: Option<u64>,
    pub source: String,
    pub median: f64,
    /// 95 %. `null` while n is too small.
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub values: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HotFunction {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub module: Option<String>,
    pub project: bool,
    /// Shares of the whole.
    pub own: f64,
    pub inclusive: Option<f64>,
    /// What the shares are of: `instructions`, `samples`.
    pub of: String,
}
