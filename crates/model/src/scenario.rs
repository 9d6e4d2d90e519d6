//! What a named scenario of `slowpath.toml` asks beyond its command.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Metric;

/// The scenario a run was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scenario {
    pub name: String,
    /// Units of work one run does; `null` when nobody said.
    #[serde(default)]
    pub work: Option<f64>,
    /// What a unit of work is called: `row`, `request`.
    #[serde(default)]
    pub unit: Option<String>,
    /// What the user believes, each with the number that would refute it.
    #[serde(default)]
    pub hypotheses: Vec<Asked>,
}

/// A hypothesis of the user's, with its falsifier. At least one of the two bounds is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    pub id: String,
    pub claim: String,
    /// The name of the evidence that decides: `cpu`, `wall of parse`, `blocked/lock`.
    pub metric: String,
    /// The claim is refuted when the metric lies below this.
    #[serde(default)]
    pub refuted_below: Option<f64>,
    /// The claim is refuted when the metric lies above this.
    #[serde(default)]
    pub refuted_above: Option<f64>,
}

/// The most one run may take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    pub metric: Metric,
    /// In the metric's unit.
    pub limit: f64,
}
