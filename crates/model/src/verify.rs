//! `slowpath.verify/1`: did the change do what the finding promised?

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Finding;
use crate::bench::Warning;
use crate::compare::{Comparable, Difference, MetricVerdict, Side};
use crate::standing::{Before, Standing};
use crate::{Ended, Gap, Metric};

pub const SCHEMA: &str = "slowpath.verify/1";

/// Where a run of `verify` keeps what it was asked.
pub const ASKED: &str = "tier1/prediction.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verify {
    pub schema: String,
    pub run: String,
    pub seed: u64,
    pub verdict: Outcome,
    /// The verdict in one sentence.
    pub summary: String,
    pub prediction: Prediction,
    /// What was saved of wall time, against the bound; `null` when nothing was measured.
    pub saving: Option<Saving>,
    pub base: Side,
    pub new: Side,
    /// Every metric that was judged, the one that decides among them.
    pub metrics: Vec<MetricVerdict>,
    /// Metrics proven to be worse by more than the margin.
    pub harms: Vec<Metric>,
    /// Every dimension of the scorecard, held against the run that the finding comes from.
    #[serde(default)]
    pub dimensions: Vec<Standing>,
    /// `null` when no tests were named.
    pub tests: Option<Tests>,
    pub behaviour: Behaviour,
    /// The finding in the new program.
    pub after: After,
    /// The smallest change that matters, as a share.
    pub margin: f64,
    pub warnings: Vec<Warning>,
    pub gaps: Vec<Gap>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The metric that the finding named is better, nothing else is worse, and tests and output are as before.
    Accepted,
    /// No better, or better at the price of something else, or no longer the same program.
    Refuted,
    /// The measurements do not tell.
    Undecided,
}

impl Outcome {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
        }
    }
}

/// What the stored run promised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    /// The run that the finding comes from.
    pub run: String,
    pub finding: Finding,
    /// The metric that decides.
    pub metric: Metric,
    /// Median wall time of that run, in seconds.
    pub wall_s: f64,
    /// Whether that run was made on a machine like this one. The old program is measured again, so this weakens the
    /// bound and not the verdict.
    pub comparable: Comparable,
    pub differences: Vec<Difference>,
}

/// Measured saving and promised bound, as shares of the old program's wall time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Saving {
    pub share: f64,
    /// `null` while there are too few blocks to bound it.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// At most so much could be saved: the interval of the finding's share, of the time in which others did not hold the
    /// CPUs.
    pub bound_low: f64,
    pub bound_high: f64,
    pub bound: Bound,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The saving may lie within what the finding said can be saved.
    Within,
    /// The saving is proven to be larger: the change did more than the finding is about.
    Beyond,
    /// Nothing is proven to be saved.
    NotReached,
}

/// The user's tests on the new program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tests {
    pub command: String,
    pub ended: Ended,
}

/// Whether the new program still does the same, seen in one run of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "behaviour", rename_all = "kebab-case")]
pub enum Behaviour {
    /// Nobody looked.
    Unchecked { why: String },
    /// Standard output and exit status are equal.
    Same,
    /// The old program's output differs from itself, so nothing can be said.
    Unsteady,
    /// The new program prints something else.
    OutputDiffers { base: String, new: String },
    /// The new program ends in another way.
    EndsDifferently { base: Ended, new: Ended },
}

/// The finding looked for in the new program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct After {
    pub state: Remains,
    pub because: String,
    /// The finding's share of wall time before.
    pub share_before: f64,
    /// And in the new program: 0 when it is gone, `null` when it could not be looked for.
    pub share_after: Option<f64>,
    /// What stands first in the new program.
    pub next: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Remains {
    Gone,
    Smaller,
    Remains,
    Unknown,
}

/// What a run of `verify` was asked, kept so that it can be concluded again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub prediction: Prediction,
    pub tests: Option<Tests>,
    pub behaviour: Behaviour,
    /// Metrics that may get worse.
    #[serde(default)]
    pub allowed: Vec<Metric>,
    /// Dimensions of the scorecard that may get worse.
    #[serde(default)]
    pub allowed_dimensions: Vec<String>,
    /// The scorecard before the change. `null` when the earlier run has none.
    #[serde(default)]
    pub before: Option<Before>,
}
