//! The scorecard: seven dimensions of four points each, scored by what was measured and by nothing else.
//!
//! The dimensions, their names and most limits come from the rubric that `benchmark_summary.json` has always carried;
//! how each figure is made, and what excuses it, is ours.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Metric;
use crate::compare::{Comparable, Difference, RatioEstimate, Verdict};
use crate::summary::Summary;

/// The names of the dimensions, in their order.
pub const DIMENSIONS: [&str; 7] = [
    "Algorithmic Scaling",
    "Wall-Time Stability",
    "CPU Efficiency",
    "L1 Cache Efficiency",
    "Last-Level Cache",
    "Branch Prediction",
    "Memory Profile",
];

/// Where the standard of a run lies, if it is not the usual one.
pub const STANDARD: &str = "tier1/standard.json";

/// Where the findings of a run lie.
pub const FINDINGS: &str = "findings.json";

/// What a run is judged by besides the rubric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Standard {
    /// A spread of wall times above this share says more of the machine than of the program.
    pub max_cv: f64,
    /// An earlier result of the same workload on the same machine.
    pub baseline: Option<Summary>,
}

/// The noise gate where the user sets none.
pub const MAX_CV: f64 = 0.05;

impl Default for Standard {
    fn default() -> Self {
        Self { max_cv: MAX_CV, baseline: None }
    }
}

/// Seven dimensions and what they add up to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scorecard {
    /// Points of the dimensions that were measured.
    pub total: u32,
    /// Four for each of them; 28 when all seven were.
    pub max: u32,
    /// `6 of 7`.
    pub coverage: String,
    /// `18/24, 6 of 7 measured`.
    pub summary: String,
    /// `null` when there is none: nothing was measured, the program mostly waits, or [`Scorecard::stop`] stands.
    pub band: Option<Band>,
    /// What to mend before anything else. `null` when nothing forbids work on the rest.
    pub stop: Option<String>,
    /// What a reader must know before the points.
    pub notes: Vec<String>,
    /// In the order of [`DIMENSIONS`].
    pub dimensions: Vec<Dimension>,
    /// Against the baseline. `null` when there is none.
    pub baseline: Option<Regressions>,
    /// Questions to ask of the code, for what was found.
    pub questions: Vec<String>,
}

/// What the points mean as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Band {
    /// `strong` from 22 of 28 on, `workable` from 15 on, `high risk` below.
    pub name: String,
    /// Points of 28: as they are when all seven were measured, else scaled.
    pub points: u32,
    pub scaled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Tier {
    #[serde(rename = "PASS")]
    Pass,
    #[serde(rename = "WARN")]
    Warn,
    #[serde(rename = "FAIL")]
    Fail,
    #[serde(rename = "not measured")]
    NotMeasured,
    /// Measured, but the machine was too unsteady to say anything of the program.
    #[serde(rename = "noise")]
    Noise,
}

impl Tier {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
            Self::NotMeasured => "not measured",
            Self::Noise => "noise",
        }
    }

    /// As consumers of `benchmark_summary.json` have always read it.
    #[must_use]
    pub const fn contract(self) -> &'static str {
        match self {
            Self::NotMeasured => "N/A",
            Self::Noise => "N/A (noise)",
            other => other.word(),
        }
    }

    /// `None` when it has no points.
    #[must_use]
    pub const fn score(self) -> Option<u32> {
        match self {
            Self::Pass => Some(4),
            Self::Warn => Some(2),
            Self::Fail => Some(0),
            Self::NotMeasured | Self::Noise => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dimension {
    pub name: String,
    /// 4, 2 or 0. `null` when it was not measured or drowned in noise.
    pub score: Option<u32>,
    pub tier: Tier,
    /// The characteristic of ISO/IEC 25010 it belongs to.
    pub iso: String,
    /// Why the tier is what it is, in one sentence with its number.
    pub because: String,
    /// What it rests on, the deciding one first.
    pub figures: Vec<Figure>,
    /// Algorithmic Scaling has six; the others none.
    pub checks: Vec<SubCheck>,
    /// What was not measured, why, and what would close the gap.
    pub missing: Vec<String>,
    /// Where the deciding figure is from. `null` for the program as a whole.
    pub location: Option<Location>,
    /// What to change, and where. `null` when there is nothing to.
    pub prescription: Option<String>,
}

/// One of the questions of Algorithmic Scaling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubCheck {
    /// Permanent: `complexity_exponent`, `call_amplification`, `data_reuse`, `write_amplification`,
    /// `allocation_churn`, `multiplicative_paths`.
    pub name: String,
    pub tier: Tier,
    pub because: String,
    /// `null` when it was not measured.
    pub figure: Option<Figure>,
    pub location: Option<Location>,
    pub prescription: Option<String>,
}

/// A number with all it takes to check it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// Permanent, as findings name it: `wall_time_cv`, `l1_miss_rate`, …
    pub name: String,
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub unit: String,
    /// PASS up to (or from) here. `null` for a figure that decides nothing by itself.
    pub limit: Option<f64>,
    /// FAIL beyond here.
    pub fail: Option<f64>,
    pub better: Better,
    /// The input size it was measured at. `null` when the command has none, or it is of all sizes.
    pub size: Option<u64>,
    /// Runs or sizes behind it.
    pub n: Option<u32>,
    /// Share of the estimated cycles that it costs. `null` where it has no such cost.
    pub cost: Option<f64>,
    pub location: Option<Location>,
    pub artifact: String,
    pub source: String,
    /// The command that gives it again.
    pub command: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    Lower,
    Higher,
}

/// A place in the program's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// The program or library it is in.
    pub module: Option<String>,
    /// `false` for libraries.
    pub project: bool,
}

/// A result against an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Regressions {
    /// The earlier run.
    pub run: String,
    /// Something got worse beyond doubt.
    pub blocker: bool,
    /// Why it is one, or why not.
    pub reasons: Vec<String>,
    pub comparable: Comparable,
    pub differences: Vec<Difference>,
    /// By metric and size.
    pub metrics: Vec<MetricChange>,
    /// Dimensions whose tier changed.
    pub tiers: Vec<TierChange>,
}

/// One metric at one size, now and before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricChange {
    pub metric: Metric,
    pub size: Option<u64>,
    pub base: f64,
    pub new: f64,
    /// New divided by base, with its 95 % interval.
    pub ratio: RatioEstimate,
    pub verdict: Verdict,
    /// The smallest change that counts here.
    pub margin: f64,
    /// Runs of the side with fewer.
    pub n: u32,
    pub source: String,
}

/// A dimension whose tier is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TierChange {
    pub dimension: String,
    pub baseline_tier: Tier,
    pub current_tier: Tier,
    /// Steps down; negative when it got better.
    pub drop: i32,
    /// Whether the drop alone stops a merge.
    pub blocks: bool,
}

/// One entry of the findings file, in the shape that auditing tools of the rubric's family share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Sixteen hexadecimal digits of leaf, path, symbol and metric: the same in every checkout.
    pub id: String,
    /// Who says so: `slowpath`.
    pub leaf: String,
    /// `PERF`.
    pub signal: String,
    pub severity: Severity,
    /// Relative to the target's working directory; `.` for the workload as a whole.
    pub path: String,
    pub location: Lines,
    pub metric: FindingMetric,
    pub evidence: FindingEvidence,
    pub confidence: Confidence,
    pub suggested_action: String,
    pub dimension: String,
    pub tier: Tier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    High,
    Medium,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    High,
    Medium,
}

/// The lines of a finding; 0 where they are not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    pub line_start: u32,
    pub line_end: u32,
    /// The function; `<workload>` for the whole.
    pub symbol: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindingMetric {
    pub name: String,
    pub value: f64,
    /// Where PASS ends. Never zero for a figure that is divided by it.
    pub threshold: f64,
    pub unit: String,
    pub better: Better,
    /// How many times the threshold is missed, whichever direction is better: 1 is at the threshold.
    pub times: f64,
}

/// Where the number is from and how to get it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindingEvidence {
    /// What measured it.
    pub tool: String,
    /// The number in words.
    pub raw: String,
    /// In the run folder.
    pub artifact: String,
    pub command: Option<String>,
    pub run: String,
}

/// `slowpath.ledger/1`: one line of a ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerEntry {
    pub schema: String,
    pub key: LedgerKey,
    pub run: String,
    /// RFC 3339.
    pub timestamp_utc: String,
    pub rubric_total: u32,
    pub rubric_max: u32,
    /// Tiers by dimension.
    pub dimensions: BTreeMap<String, Tier>,
    pub metrics: Vec<LedgerMetric>,
}

pub const LEDGER_SCHEMA: &str = "slowpath.ledger/1";

/// Entries are compared only when all of it is equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerKey {
    /// The command as it was written.
    pub workload: String,
    pub tier: String,
    pub sizes: Vec<u64>,
    /// A hash of what makes two machines comparable.
    pub machine: String,
}

/// The runs of one metric at one size, summed up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerMetric {
    pub metric: Metric,
    pub size: Option<u64>,
    pub median: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub n: u32,
}

/// An entry against the last and the best one before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerRegressions {
    pub vs_last: Vec<LedgerChange>,
    pub vs_best: Vec<LedgerChange>,
    pub warnings: Vec<String>,
    /// Earlier entries with the same key.
    pub entries: u32,
}

/// Something that got worse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerChange {
    pub run: String,
    /// A dimension's name, or a metric with its size.
    pub what: String,
    pub before: String,
    pub now: String,
    /// New divided by old, for metrics.
    pub ratio: Option<f64>,
}
