//! How each dimension of the scorecard stands after a change, against the run that the change was made for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scorecard::Tier;
use crate::simulated::Events;

/// One dimension, before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    pub dimension: String,
    pub before: Tier,
    pub now: Tier,
    pub stands: Stands,
    /// Why the new tier is what it is, or why nothing could be said.
    pub because: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stands {
    Better,
    Same,
    /// A lower tier: harm.
    Worse,
    /// A lower tier that rests on samples, one step down: within their noise.
    Doubtful,
    /// A lower tier, because less of everything else is left: what it is about became smaller.
    Uncovered,
    /// Not measured in both programs, so nobody can say.
    Unchecked,
}

impl Stands {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Same => "no change",
            Self::Worse => "harmed",
            Self::Doubtful => "in doubt",
            Self::Uncovered => "uncovered",
            Self::Unchecked => "not checked",
        }
    }
}

/// The scorecard of the earlier run, as far as a later one is held against it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Before {
    pub scored: Vec<Scored>,
    /// What its simulated run counted in all. `null` when nothing was simulated, or not the command that runs again.
    pub totals: Option<Events>,
    /// The share of wall time in which it was ready but others held the CPUs. `null` when it was not recorded.
    #[serde(default)]
    pub crowded: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    pub dimension: String,
    pub tier: Tier,
    pub because: String,
}
