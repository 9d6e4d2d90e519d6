//! `run.json`: what a run folder holds and how it came to be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::Settings;
use crate::fingerprint::Fingerprint;
use crate::{Arg, Arm, Gap};

/// The manifest's schema name. A reader refuses another number.
pub const SCHEMA: &str = "slowpath.run/1";

/// Where the samples of a run lie, one JSON object a line.
pub const SAMPLES: &str = "tier1/samples.jsonl";

/// Where the counts of a run lie, one JSON object a line.
pub const COUNTS: &str = "tier1/counts.jsonl";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    pub schema: String,
    /// The run's name: UTC time and a random part.
    pub id: String,
    pub kind: Kind,
    pub state: State,
    pub slowpath: String,
    /// RFC 3339, UTC.
    pub started: String,
    pub ended: Option<String>,
    /// The slowpath command line.
    pub argv: Vec<Arg>,
    pub cwd: Arg,
    /// Seeds every random choice of this run: order, resampling, permutation.
    pub seed: u64,
    pub arms: Vec<Arm>,
    pub settings: Settings,
    /// The scenario of `slowpath.toml` it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<crate::scenario::Scenario>,
    pub fingerprint: Fingerprint,
    #[serde(default)]
    pub conditions: Conditions,
    pub passes: Vec<Pass>,
    pub artifacts: Vec<Artifact>,
    pub gaps: Vec<Gap>,
}

/// What the run began under. Unlike the fingerprint it moves by itself, so that nothing is compared by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Conditions {
    /// `kernel.perf_event_paranoid`. `null` where the kernel did not tell.
    pub perf_paranoid: Option<i32>,
    /// Load average of the minute before. `null` where the kernel did not tell.
    pub load_avg_1m: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Why,
    Bench,
    Compare,
    /// `doctor --noise`: a comparison of a command with itself.
    Noise,
    /// One command at several sizes.
    Scale,
    /// One recorded run.
    Record,
    /// Another tool's recording.
    Import,
    /// An old and a new program, against what a finding promised.
    Verify,
    /// Scenarios against their budgets and a baseline; each has a run folder of its own inside.
    Gate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Being measured, or slowpath was killed: the samples so far are whole.
    Running,
    Complete,
    /// Ended early by the user.
    Interrupted,
    /// Ended by an error: the samples before it are whole.
    Failed,
}

/// One execution of the target under one instrument, repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pass {
    /// `baseline` (timing alone), `account` (stacks and waits) or `count` (instructions).
    pub pass: String,
    pub instrument: String,
    pub runs: u32,
    /// Wall time against the baseline; `None` for the baseline itself or when it was not measured.
    pub ratio: Option<f64>,
}

/// A raw file of the run folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Artifact {
    /// Relative to the run folder.
    pub path: String,
    pub bytes: u64,
    pub sha256: String,
}
