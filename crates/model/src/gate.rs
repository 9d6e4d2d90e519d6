//! `slowpath.gate/1`: do the scenarios keep their budgets and their speed?

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Finding;
use crate::bench::Warning;
use crate::compare::{Comparable, Difference, MetricVerdict};
use crate::fingerprint::Fingerprint;
use crate::scenario::Budget;
use crate::{Gap, Metric};

pub const SCHEMA: &str = "slowpath.gate/1";

/// The schema of a saved baseline.
pub const BASELINE_SCHEMA: &str = "slowpath.baseline/1";

/// Where a run of `gate` keeps what it was asked.
pub const ASKED: &str = "tier1/gate.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    pub schema: String,
    pub run: String,
    pub seed: u64,
    pub verdict: GateVerdict,
    /// The verdict in one sentence.
    pub summary: String,
    /// What the scenarios were held against.
    pub baseline: Against,
    pub scenarios: Vec<ScenarioVerdict>,
    pub warnings: Vec<Warning>,
    pub gaps: Vec<Gap>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GateVerdict {
    /// Proven to hold.
    Holds,
    /// There is nothing to hold it against yet.
    New,
    /// The measurements do not tell.
    Inconclusive,
    /// The baseline comes from a machine that must not be compared with this one.
    NotComparable,
    /// A budget is exceeded, or something is proven to be slower than the baseline.
    Broken,
    /// The program could not be measured.
    Failed,
}

impl GateVerdict {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::New => "new",
            Self::Inconclusive => "inconclusive",
            Self::NotComparable => "not comparable",
            Self::Broken => "broken",
            Self::Failed => "failed",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Against {
    /// Budgets alone.
    Nothing,
    /// Stored results: drift between the sittings is not in the intervals.
    Stored { name: String },
    /// Another revision, measured in turns with the new one.
    Revision { name: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioVerdict {
    pub name: String,
    pub command: String,
    pub verdict: GateVerdict,
    /// What decided, each in one sentence.
    pub because: Vec<String>,
    pub budgets: Vec<BudgetVerdict>,
    pub changes: Vec<Change>,
    pub comparable: Option<Comparable>,
    pub differences: Vec<Difference>,
    /// Whether fresh runs repeated what is broken; `null` where nothing was.
    pub repeated: Option<bool>,
    /// Why it is slow, where it is broken and could be recorded.
    pub findings: Vec<Finding>,
    /// Runs that count.
    pub n: u32,
    /// Their wall time together, in seconds.
    pub measured_s: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetVerdict {
    pub metric: Metric,
    pub limit: f64,
    /// Median, with its 95 % interval, or the range of fewer than six runs; `null` when it was not measured.
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub n: u32,
    pub verdict: GateVerdict,
}

/// A metric against the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    pub judged: MetricVerdict,
    pub base: Option<f64>,
    pub new: Option<f64>,
    /// The p-value after correction for the size of the suite; `null` for counts, which have none.
    pub adjusted_p: Option<f64>,
    pub verdict: GateVerdict,
}

/// What a run of `gate` was asked, kept so that it can be concluded again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub baseline: Against,
    pub scenarios: Vec<AskedScenario>,
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskedScenario {
    pub name: String,
    pub command: String,
    pub margin: f64,
    pub budgets: Vec<Budget>,
    /// Folder of its runs, relative to the gate's own: `scenarios/0`.
    pub folder: String,
    /// `None` when it is new, or held against a revision or nothing.
    pub baseline: Option<Baseline>,
    /// Why it could not be measured.
    pub failed: Option<String>,
    /// Why the base revision could not be measured, so that only the new one was.
    #[serde(default)]
    pub new: Option<String>,
}

/// A saved baseline: what `gate --save` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Saved {
    pub schema: String,
    pub slowpath: String,
    /// RFC 3339, UTC.
    pub saved: String,
    pub scenarios: Vec<Baseline>,
}

/// One scenario's earlier runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Baseline {
    pub name: String,
    pub fingerprint: Fingerprint,
    pub series: Vec<Series>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    pub metric: Metric,
    pub values: Vec<f64>,
}
