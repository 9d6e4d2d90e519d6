//! `slowpath.runtime/1`: what a program's runtime says of itself, in a run of its own: its collector, and calls that repeat.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Nanos, Sample};

pub const SCHEMA: &str = "slowpath.runtime/1";

/// Where it lies in the run folder.
pub const RUNTIME: &str = "tier2/runtime.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Runtime {
    pub schema: String,
    /// `python`, `v8`, `jvm` or `go`.
    pub runtime: String,
    /// Processes that told something.
    pub processes: u32,
    pub collector: Collector,
    /// Functions of the program that were watched, those that repeat most first. Python only.
    pub repeats: Vec<Repeat>,
    /// The run as the runner measured it, while the runtime was asked.
    pub run: Sample,
}

/// What finding unneeded objects took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Collector {
    pub collections: u64,
    #[serde(rename = "taken_ns")]
    pub taken: Nanos,
    #[serde(rename = "longest_ns")]
    pub longest: Nanos,
    /// `taken` is CPU time beside the program; else the program stood still meanwhile.
    pub beside: bool,
    /// Bytes that were allocated between the first collection and the last. `null` where the runtime does not tell.
    pub allocated: Option<u64>,
    /// The most bytes that a collection of the whole heap left. `null` where the runtime does not tell, or made none.
    #[serde(default)]
    pub kept: Option<u64>,
}

impl Collector {
    /// Two processes, or two pieces of a log, together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            collections: self.collections.saturating_add(other.collections),
            taken: self.taken.plus(other.taken).unwrap_or(self.taken),
            longest: self.longest.max(other.longest),
            beside: self.beside || other.beside,
            allocated: match (self.allocated, other.allocated) {
                (Some(one), Some(more)) => Some(one.saturating_add(more)),
                (one, more) => one.or(more),
            },
            kept: self.kept.max(other.kept),
        }
    }
}

/// How often a function was called with what it had been called with before, and gave what it had given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Repeat {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// Calls that were looked at: the first ones.
    pub calls: u64,
    /// Of these, calls with the input and the result of an earlier one.
    pub same: u64,
    /// Calls with an input of their own and a large result that an earlier one had given.
    #[serde(default)]
    pub given: u64,
}
