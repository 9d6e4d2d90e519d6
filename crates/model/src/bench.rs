//! `slowpath.bench/1`: how fast the commands are.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::RatioEstimate;
use crate::{Arg, Ended, Gap, Metric, Unit};

pub const SCHEMA: &str = "slowpath.bench/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bench {
    pub schema: String,
    /// The run folder's id; `None` for imported results.
    pub run: Option<String>,
    pub seed: u64,
    /// How the runs were ordered: `interleaved blocks` or, for imports, `unknown`.
    pub order: String,
    /// Labels such as `cold cache`, `output captured`.
    pub conditions: Vec<String>,
    pub commands: Vec<CommandSummary>,
    /// Each command against the first, when there are several.
    pub ratios: Vec<Against>,
    /// One series for each benchmark, when the only command was a suite of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<crate::suite::Suite>,
    pub warnings: Vec<Warning>,
    pub gaps: Vec<Gap>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandSummary {
    pub label: String,
    pub argv: Vec<Arg>,
    pub params: BTreeMap<String, String>,
    /// Runs that count.
    pub n: u32,
    pub warm_up: u32,
    /// How the last counted run ended; `None` for imported results.
    pub ended: Option<Ended>,
    pub metrics: Vec<MetricSummary>,
    pub outliers: Vec<Outlier>,
    pub warnings: Vec<Warning>,
}

/// A metric over the runs of one command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricSummary {
    pub metric: Metric,
    pub unit: Unit,
    pub n: u32,
    pub median: f64,
    /// 95 % interval of the median; `None` while n is too small to bound it.
    pub interval: Option<Bounds>,
    pub mean: f64,
    /// `None` for a single run.
    pub standard_deviation: Option<f64>,
    /// Median absolute deviation.
    pub mad: f64,
    pub min: f64,
    pub max: f64,
    pub percentiles: Vec<Percentile>,
    /// Independent runs these are worth, after autocorrelation.
    pub effective_n: f64,
    /// Every value in order of measurement.
    pub values: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds {
    pub low: f64,
    pub high: f64,
    pub confidence: f64,
}

/// A percentile (`p` is a share, 0.95 for the 95th), or as much of it as n supports.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "class", rename_all = "kebab-case")]
pub enum Percentile {
    /// At least ten runs lie beyond it.
    Solid { p: f64, value: f64, interval: Option<Bounds> },
    /// Only an upper bound (95 %) exists.
    Bounded { p: f64, upper: f64 },
    /// Nothing can be said of the percentile; the largest value seen.
    MaxOf { p: f64, n: u32, max: f64 },
}

/// A run far above the others, with the reason if the machine shows one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outlier {
    pub order: u32,
    pub metric: Metric,
    pub value: f64,
    /// Times the median.
    pub times_median: f64,
    /// What else was unusual in that run; `None` when nothing was.
    pub reason: Option<String>,
}

/// A ratio of two commands of the same sitting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Against {
    pub command: String,
    pub against: String,
    pub metric: Metric,
    /// Over blocks; without bounds while there are too few.
    pub ratio: RatioEstimate,
    pub blocks: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// Kebab-case and permanent.
    pub id: String,
    pub text: String,
    #[serde(rename = "try")]
    pub next: Option<String>,
}
