//! `slowpath.doctor/1`: what this machine can measure, and how noisy it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Metric;
use crate::fingerprint::Fingerprint;

pub const SCHEMA: &str = "slowpath.doctor/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Doctor {
    pub schema: String,
    pub level: Level,
    pub probes: Vec<Probe>,
    pub fingerprint: Fingerprint,
    /// With `--noise`.
    pub noise: Option<Noise>,
}

/// How much of waiting and the kernel can be seen, from most to least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Level {
    /// Root: both witnesses of each wait.
    C,
    /// Kernel stacks and switches of one's own tasks.
    B,
    /// An ordinary user: own tasks, user stacks, system calls.
    A,
    /// No perf events at all.
    D,
}

/// One thing tried on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Probe {
    /// Kebab-case and permanent.
    pub id: String,
    pub what: String,
    /// What slowpath uses it for.
    pub gives: String,
    pub works: Works,
    /// What was seen when it was tried.
    pub because: String,
    #[serde(rename = "try")]
    pub next: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Works {
    Yes,
    Partly,
    No,
}

/// The machine against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Noise {
    pub command: String,
    pub run: String,
    pub pairs: u32,
    pub metrics: Vec<MetricNoise>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricNoise {
    pub metric: Metric,
    /// Robust spread of single runs, as a share of the median.
    pub run_spread: f64,
    /// Robust spread of one block's log ratio.
    pub block_spread: f64,
    /// Ratio of the command to itself, with its interval.
    pub ratio: crate::compare::RatioEstimate,
    /// Smallest change these pairs find 95 times in 100.
    pub detectable: Option<f64>,
    pub needed: Vec<Needed>,
}

/// Pairs it takes to see a change of this share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Needed {
    pub change: f64,
    pub pairs: u64,
    pub seconds: f64,
}
