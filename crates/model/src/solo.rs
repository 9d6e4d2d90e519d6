//! `slowpath.solo/1`: the target on one CPU, to be held against its runs on all of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sample;

pub const SCHEMA: &str = "slowpath.solo/1";

/// Where the runs on one CPU lie.
pub const SOLO: &str = "tier2/solo.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Solo {
    pub schema: String,
    /// Runs with nothing attached, on one CPU.
    pub runs: Vec<Sample>,
}
