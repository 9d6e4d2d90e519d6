//! `slowpath.answer/1`: why the program is slow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Arg, Ended, Gap};

pub const SCHEMA: &str = "slowpath.answer/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    pub schema: String,
    pub run: String,
    pub target: AnswerTarget,
    pub wall: Wall,
    pub account: Account,
    pub verdict: AnswerVerdict,
    pub evidence: Vec<Evidence>,
    pub gaps: Vec<Gap>,
    pub overhead: Vec<Overhead>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerTarget {
    pub argv: Vec<Arg>,
    pub exit: Ended,
}

/// Wall time of one run, pooled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wall {
    pub median_s: f64,
    /// `null` while n is too small to bound the median.
    pub low_s: Option<f64>,
    pub high_s: Option<f64>,
    pub n: u32,
}

/// Where the wall time of one run went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Account {
    pub unit: String,
    pub leaves: Vec<Leaf>,
    /// Share of wall time that no leaf explains.
    pub unaccounted: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leaf {
    pub leaf: String,
    pub seconds: f64,
    pub share: f64,
}

/// What the measurements so far say of the program as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerVerdict {
    /// `null` while no evidence tells the kind of problem.
    pub class: Option<String>,
    pub cause: Option<String>,
    /// `confirmed`, `likely`, `possible`, `rejected` or `untestable`.
    pub state: String,
    pub summary: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    pub id: String,
    pub metric: String,
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub unit: String,
    pub n: u32,
    pub artifact: String,
    pub source: String,
}

/// What a pass cost the target, against the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overhead {
    pub pass: String,
    pub ratio: f64,
}
