//! `performance_map.yaml`: what one run found, in the words of the optimisation workers that read it.
//!
//! Field names and types of step follow ln-811, so times are in milliseconds and shares in percent; what those
//! workers do not know of (intervals, evidence, the numbers behind an indicator) stands beside them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const SCHEMA: &str = "slowpath.performance_map/1";

/// Where the map of a run lies.
pub const MAP: &str = "performance_map.yaml";

/// Where the looks at a GPU lie; only where there is one.
pub const GPU: &str = "tier1/gpu.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PerformanceMap {
    pub schema: String,
    pub run: String,
    /// The command that was measured, as a shell takes it.
    pub test_command: String,
    pub entry_point_info: EntryPoint,
    /// Medians of the runs that nothing was attached to. `null`: not measured.
    pub baseline: Baseline,
    /// How well the figures of `baseline` are known, by the same names.
    pub baseline_intervals: BTreeMap<String, Spread>,
    /// The critical path of the recorded run, from the program down. Empty when nothing was recorded.
    pub steps: Vec<Step>,
    /// `null` while no evidence tells the kind of problem.
    pub bottleneck_classification: Option<StepType>,
    pub bottleneck_detail: String,
    /// At most three, dearest first.
    pub top_bottlenecks: Vec<Bottleneck>,
    /// What to change; from confirmed causes only.
    pub optimization_hints: Vec<String>,
    /// Every cause that was considered.
    pub suspicion_stack: Vec<Suspicion>,
    pub wrong_tool_indicators: WrongTool,
    pub e2e_test: EndToEnd,
    /// Files that were changed to measure. Always empty: nothing is.
    pub instrumented_files: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntryPoint {
    /// `pipeline`: a whole command was run.
    #[serde(rename = "type")]
    pub kind: String,
    /// `file:line` of the outermost function of the user's own. `null` when none was seen.
    pub location: Option<String>,
    /// `null`: a command has none.
    pub route: Option<String>,
    pub function: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Baseline {
    pub wall_time_ms: Option<f64>,
    pub cpu_time_ms: Option<f64>,
    /// Largest resident size of any one process.
    pub memory_peak_mb: Option<f64>,
    /// What the heap held more at the end than at the start, in the run whose heap was watched.
    pub memory_delta_mb: Option<f64>,
    pub io_read_bytes: Option<f64>,
    pub io_write_bytes: Option<f64>,
    /// HTTP requests that the program sent, in the run whose calls were traced. `null` when none was, when it was not
    /// traced to its end, or when connections are encrypted.
    pub http_round_trips: Option<u64>,
    /// `null` without an NVIDIA device.
    pub gpu: Option<Gpu>,
}

/// What the first NVIDIA device was doing before the first run, during the recorded one, and after the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gpu {
    pub name: String,
    pub memory_before_mb: Option<f64>,
    pub memory_after_mb: Option<f64>,
    pub use_before_pct: Option<f64>,
    pub use_after_pct: Option<f64>,
    /// The largest of the looks during the recorded run. `null` when none was taken.
    #[serde(default)]
    pub memory_peak_mb: Option<f64>,
    /// The mean of these looks.
    #[serde(default)]
    pub use_mean_pct: Option<f64>,
    /// How many there were.
    #[serde(default)]
    pub looks: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Runs that were measured; not called `n`, which YAML 1.1 reads as "no".
    pub runs: u32,
    /// Of the median, 95 %. `null` while n is too small to bound it.
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub source: String,
}

/// The kinds that ln-811 tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum StepType {
    #[serde(rename = "CPU")]
    Cpu,
    #[serde(rename = "I/O-DB")]
    Database,
    #[serde(rename = "I/O-Network")]
    Network,
    #[serde(rename = "I/O-File")]
    File,
    Architecture,
    External,
    Cache,
}

impl StepType {
    /// The kind of a finding's class; `None` for a class that is no kind of time.
    #[must_use]
    pub fn of_class(class: &str) -> Option<Self> {
        Some(match class {
            "CPU" | "Memory" => Self::Cpu,
            "I/O-DB" => Self::Database,
            "I/O-Network" => Self::Network,
            "I/O-File" => Self::File,
            "Architecture" | "Lock" => Self::Architecture,
            "External" => Self::External,
            "Cache" => Self::Cache,
            _ => return None,
        })
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Database => "I/O-DB",
            Self::Network => "I/O-Network",
            Self::File => "I/O-File",
            Self::Architecture => "Architecture",
            Self::External => "External",
            Self::Cache => "Cache",
        }
    }
}

/// A function, a wait, another process: with all that it waited for on the way to the program's end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// `1.2.1`: the first child of the second child of the program.
    pub id: String,
    pub function: String,
    /// `file:line`, the dearest line.
    pub location: Option<String>,
    /// The other process or peer that does this step. `null` in the program itself.
    pub service: Option<String>,
    /// Milliseconds of the median run.
    pub wall_time_ms: f64,
    /// Of the program's wall time.
    pub time_share_pct: f64,
    /// Of it, what no child explains: its own work, and children too small to show.
    pub self_share_pct: f64,
    #[serde(rename = "type")]
    pub kind: StepType,
    /// HTTP requests sent from here or below. `null` when calls were not traced.
    pub http_round_trips: Option<u64>,
    pub children: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bottleneck {
    /// The id of a step.
    pub step: String,
    #[serde(rename = "type")]
    pub kind: StepType,
    /// Percent of wall time.
    pub share: f64,
    pub priority: Priority,
    pub description: String,
    /// The cause's id. `null` where no cause is known for its time.
    pub cause: Option<String>,
}

/// By share: more than half, more than a fifth, less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    Primary,
    Secondary,
    Tertiary,
}

impl Priority {
    #[must_use]
    pub fn of(percent: f64) -> Self {
        if percent > 50.0 {
            Self::Primary
        } else if percent >= 20.0 {
            Self::Secondary
        } else {
            Self::Tertiary
        }
    }
}

/// A cause that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Suspicion {
    /// `connection management`, `data flow`, `async patterns`, `resource lifecycle`, `configuration`,
    /// `redundant work`, `architecture` or `open`.
    pub category: String,
    /// The cause's id.
    pub cause: String,
    pub location: Option<String>,
    pub description: String,
    pub verdict: SuspicionVerdict,
    pub evidence: Vec<Cited>,
    /// How it was decided, or what would decide it.
    pub verification_note: String,
}

/// Two witnesses confirm, a number dismisses; the others are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SuspicionVerdict {
    Confirmed,
    Likely,
    Possible,
    Dismissed,
    /// What would tell was not measured.
    Untested,
}

/// A number of the answer's evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cited {
    pub id: String,
    pub metric: String,
    pub value: f64,
    pub unit: String,
    pub samples: u32,
}

/// Reasons why changing this program is not what helps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WrongTool {
    pub external_service_no_alternative: Decided,
    pub within_industry_norm: Decided,
    pub infrastructure_bound: Decided,
    pub already_optimized: Decided,
}

impl WrongTool {
    /// Each by its name.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &Decided); 4] {
        [
            ("external_service_no_alternative", &self.external_service_no_alternative),
            ("within_industry_norm", &self.within_industry_norm),
            ("infrastructure_bound", &self.infrastructure_bound),
            ("already_optimized", &self.already_optimized),
        ]
    }
}

/// An indicator with the number that decided it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decided {
    /// `null` when what would decide was not measured or not given.
    pub holds: Option<bool>,
    pub because: String,
    pub value: Option<f64>,
    pub limit: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EndToEnd {
    /// `null` when nobody named one.
    pub command: Option<String>,
    /// `user`, or `none`.
    pub source: String,
}
