//! What could not be seen.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that was not measured, why, and what would close the gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// What is missing, as a noun: "hardware counters".
    pub what: String,
    /// The reason as the machine gave it.
    pub why: String,
    /// The command or step that closes it; `None` when nothing on this machine does.
    #[serde(rename = "try")]
    pub next: Option<String>,
}

impl Gap {
    #[must_use]
    pub fn new(what: &str, why: impl Into<String>, next: Option<&str>) -> Self {
        Self { what: what.to_owned(), why: why.into(), next: next.map(str::to_owned) }
    }
}
