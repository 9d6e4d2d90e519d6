//! `slowpath.compare/1`: did it change?

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bench::Warning;
use crate::{Arm, Gap, Metric};

pub const SCHEMA: &str = "slowpath.compare/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compare {
    pub schema: String,
    pub run: Option<String>,
    pub seed: u64,
    pub base: Side,
    pub new: Side,
    /// The worst proven verdict of the metrics.
    pub verdict: Verdict,
    /// The verdict in one sentence.
    pub summary: String,
    pub metrics: Vec<MetricVerdict>,
    pub comparable: Comparable,
    /// The fingerprint fields that differ or are unknown, behind `comparable`.
    pub differences: Vec<Difference>,
    /// The smallest change that matters, as a share.
    pub margin: f64,
    /// How the sides were measured: `interleaved`, `same run` or `separate sittings`.
    pub order: String,
    /// The base against itself in the same blocks, with `--control`.
    pub control: Option<Vec<MetricVerdict>>,
    /// Further benchmarks, when the stored results hold several.
    pub benchmarks: Vec<BenchmarkVerdict>,
    pub warnings: Vec<Warning>,
    pub gaps: Vec<Gap>,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    pub label: String,
    /// Runs that count.
    pub n: u32,
    /// Medians by metric, in the metric's unit.
    pub medians: Vec<Median>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Median {
    pub metric: Metric,
    pub value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Better,
    Worse,
    /// No change larger than the margin.
    NoChange,
    Inconclusive,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricVerdict {
    pub metric: Metric,
    pub ratio: RatioEstimate,
    pub verdict: Verdict,
    /// Pairs measured, confirmation included.
    pub pairs: u32,
    /// About how many more pairs would decide; `null` when decided or when no number would.
    pub needed: Option<u64>,
    /// About how long those pairs would take, in seconds.
    pub needed_s: Option<f64>,
    /// The smallest change these pairs find 95 times in 100, as a share; `null` when there are too few.
    pub detectable: Option<f64>,
    /// Chance of a difference at least this clear between equal commands, at the look that decided (or the last).
    pub p: Option<f64>,
    /// `true` when fresh blocks repeated the difference, which every claim needs; `null` without a claim.
    pub confirmed: Option<bool>,
    /// Where the number comes from: `clock`, `rusage`, `pmu`, `cachegrind`.
    pub source: String,
}

/// New divided by base, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatioEstimate {
    pub value: f64,
    /// `null` while there are too few blocks to bound it.
    pub low: Option<f64>,
    pub high: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Comparable {
    Fully,
    /// Something that may matter differs or is unknown.
    Advisory,
    /// Something that must be equal differs.
    Not,
}

/// A fingerprint field that keeps two sides from being fully comparable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    pub field: String,
    /// `null` is unknown.
    pub base: Option<String>,
    pub new: Option<String>,
    /// Whether the field must be equal.
    pub must: bool,
}

/// One benchmark of a stored suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchmarkVerdict {
    pub name: String,
    pub verdict: Verdict,
    pub metric: MetricVerdict,
    /// The p-value after correction for the size of the suite.
    pub adjusted_p: Option<f64>,
}

/// How a sitting was asked to be measured and judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    pub margin: f64,
    /// Most pairs before a verdict; `None` outside comparisons.
    pub pairs: Option<u32>,
    pub control: bool,
    /// Exactly this many runs a command.
    pub runs: Option<u32>,
    /// Half-width of the median's interval at which a benchmark may stop, as a share.
    pub precision: f64,
    pub budget_s: f64,
    pub ignore_failure: bool,
    pub cold: bool,
    pub captured: bool,
    /// Whether the user chose the number of warm-up runs.
    pub warm_up: Option<u32>,
    pub count: bool,
    /// A command whose instructions are subtracted as start-up; counted as the arm after the last.
    #[serde(default)]
    pub startup: Option<Arm>,
    /// What was asked of growth; `None` outside `slowpath scale`.
    #[serde(default)]
    pub scale: Option<crate::scale::Asked>,
}
