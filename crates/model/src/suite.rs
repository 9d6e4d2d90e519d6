//! The benchmarks of a suite that was the target: one series each, as the suite's own tool measured it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scale::{Fit, Gate};
use crate::{Metric, Unit};

/// Where it lies in the run folder; what the suite's tool wrote lies beside it.
pub const SUITE: &str = "tier1/suite.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Suite {
    /// `pytest-benchmark`, `go test`, `Google Benchmark`, `JMH`, `criterion`.
    pub tool: String,
    pub version: Option<String>,
    /// What the tool wrote, in the run folder or where the tool keeps it.
    pub artifacts: Vec<String>,
    /// In the tool's order. One that measured nothing is not here; a note says so.
    pub benchmarks: Vec<Benchmark>,
    /// Benchmarks that differ by one number alone, where there are enough of them: how their time grows with it.
    pub families: Vec<Family>,
    pub notes: Vec<String>,
}

/// One series. Less is better.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Benchmark {
    pub name: String,
    pub metric: Metric,
    pub unit: Unit,
    pub median: f64,
    /// Of the median, at 95 %. `null` while n is too small to bound it.
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub n: u32,
    /// What one value stands for: `run`, `mean of 100 passes`.
    pub each: String,
    /// The number in its name, if there is one alone.
    pub size: Option<u64>,
}

/// How one benchmark grows with the number in its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Family {
    /// The name, with `{SIZE}` for the number.
    pub name: String,
    pub growth: Fit,
    /// Whether it grows as expected; `null` when nothing was.
    pub gate: Option<Gate>,
}
