//! `slowpath.simulated/1`: what one run of the target cost on valgrind's simulated machine, by function and line.
//!
//! Counts are exact and repeat; they are of the simulated caches and branch predictor, not of this processor's. What an
//! instrument did not count is `null`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Gap;

pub const SCHEMA: &str = "slowpath.simulated/1";

/// Where it lies in the run folder; the instruments' own files lie beside it, and in `tier3/`.
pub const SIMULATED: &str = "tier2/simulated.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Simulated {
    pub schema: String,
    /// The size in place of `{SIZE}`. `null` when the command has none.
    pub size: Option<u64>,
    /// In the order they ran.
    pub instruments: Vec<Instrument>,
    /// The simulated caches. `null` when none were.
    pub caches: Option<Caches>,
    /// Of all processes and threads. `null` when nothing could be counted.
    pub totals: Option<Events>,
    /// The costliest by their own instructions; what was left out is `others`.
    pub functions: Vec<Function>,
    /// Own costs of the functions that were left out.
    pub others: Option<Events>,
    /// The costliest lines with a known file.
    pub lines: Vec<Line>,
    /// Calls between functions, the most frequent first. Empty when callgrind did not run.
    pub edges: Vec<Edge>,
    /// All calls. `null` when callgrind did not run.
    pub calls: Option<u64>,
    /// Costs outside the prefixes the user gave. `null` when none were given.
    pub outside: Option<Events>,
    /// The heap as massif and DHAT saw it.
    pub heap: Option<SimulatedHeap>,
    /// Hardware and software counters of `perf stat`, run alone.
    pub counters: Vec<Counter>,
    /// Allocations of Python as tracemalloc saw them, by line.
    pub python_heap: Option<PythonHeap>,
    pub gaps: Vec<Gap>,
}

/// The simulated machine in an answer: a first look, with everything else in [`SIMULATED`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Glance {
    pub artifact: String,
    /// The size that was simulated. `null` when the command has none.
    pub size: Option<u64>,
    /// Of all processes and threads.
    pub totals: Events,
    /// The costliest by their own instructions.
    pub functions: Vec<Function>,
    /// All that lies outside the prefixes the user gave. `null` when none were given.
    #[serde(default)]
    pub outside: Option<Events>,
}

impl Simulated {
    /// The first few functions after the start of the program that have a thousandth of the instructions or more. `None`
    /// when nothing was counted.
    #[must_use]
    pub fn glance(&self, most: usize) -> Option<Glance> {
        let totals = self.totals?;
        let weighty = |one: &&Function| !one.startup && one.own.ir >= totals.ir / 1000;
        Some(Glance {
            artifact: SIMULATED.to_owned(),
            size: self.size,
            totals,
            functions: self.functions.iter().filter(weighty).take(most).cloned().collect(),
            outside: self.outside,
        })
    }
}

/// One tool, as it was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Instrument {
    /// `cachegrind`, `callgrind`, `massif`, `dhat`, `perf stat`, `tracemalloc`.
    pub name: String,
    pub version: Option<String>,
    /// The command line that does the same.
    pub command: String,
    /// Its files in the run folder.
    pub artifacts: Vec<String>,
    pub processes: u32,
    pub wall_s: f64,
    /// Against the median baseline run of the same size.
    pub ratio: Option<f64>,
}

/// What the host has and what was simulated: a set count must be a power of two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Caches {
    pub i1: Cache,
    pub d1: Cache,
    pub ll: Cache,
}

/// As `bytes,ways,line`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cache {
    /// `null` when the host does not tell.
    pub real: Option<String>,
    pub simulated: String,
}

/// Counts under the names cachegrind uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Events {
    /// Instructions.
    pub ir: u64,
    /// First-level and last-level instruction misses.
    pub i1mr: Option<u64>,
    pub ilmr: Option<u64>,
    /// Reads, and those that missed the first and the last level.
    pub dr: Option<u64>,
    pub d1mr: Option<u64>,
    pub dlmr: Option<u64>,
    /// Writes, and those that missed the first and the last level.
    pub dw: Option<u64>,
    pub d1mw: Option<u64>,
    pub dlmw: Option<u64>,
    /// Conditional branches and how many were mispredicted; indirect ones likewise.
    pub bc: Option<u64>,
    pub bcm: Option<u64>,
    pub bi: Option<u64>,
    pub bim: Option<u64>,
}

impl Events {
    /// The sum; unknown in either is unknown.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let add = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
        Self {
            ir: self.ir.saturating_add(other.ir),
            i1mr: add(self.i1mr, other.i1mr),
            ilmr: add(self.ilmr, other.ilmr),
            dr: add(self.dr, other.dr),
            d1mr: add(self.d1mr, other.d1mr),
            dlmr: add(self.dlmr, other.dlmr),
            dw: add(self.dw, other.dw),
            d1mw: add(self.d1mw, other.d1mw),
            dlmw: add(self.dlmw, other.dlmw),
            bc: add(self.bc, other.bc),
            bcm: add(self.bcm, other.bcm),
            bi: add(self.bi, other.bi),
            bim: add(self.bim, other.bim),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    pub name: String,
    pub file: Option<String>,
    /// Its first line with a cost.
    pub line: Option<u32>,
    pub module: Option<String>,
    /// Part of the user's own code: below the working directory or a prefix the user gave.
    pub project: bool,
    /// Of the program's loader and start-up, before `main`.
    pub startup: bool,
    pub own: Events,
    /// With everything it calls. `null` when callgrind did not run.
    pub inclusive: Option<u64>,
    /// How often it was called. `null` when callgrind did not run.
    pub calls: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    pub file: String,
    pub line: u32,
    pub function: String,
    pub own: Events,
}

/// Calls from one function to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Edge {
    pub caller: String,
    pub callee: String,
    /// Of the call.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub calls: u64,
    pub inclusive: u64,
}

/// The heap as valgrind's instruments saw it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimulatedHeap {
    /// By massif; of the process with the largest peak.
    pub peak: Option<u64>,
    /// What was live at the peak, by who allocated it, the largest first.
    pub at_peak: Vec<HeapSite>,
    /// By DHAT: blocks and bytes allocated in the whole run.
    pub blocks: Option<u64>,
    pub bytes: Option<u64>,
    /// By blocks, the most first.
    pub sites: Vec<HeapSite>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeapSite {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub project: bool,
    pub bytes: u64,
    /// `null` from massif.
    pub blocks: Option<u64>,
    /// Mean life of a block in instructions as a share of the run. `null` from massif.
    pub lifetime: Option<f64>,
    /// Reads and writes of its blocks. `null` from massif.
    pub accesses: Option<u64>,
}

/// One counter of `perf stat`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counter {
    pub event: String,
    /// `null` where the event is not supported or was not counted.
    pub value: Option<f64>,
    pub unit: String,
    /// Share of the time it was really counted.
    pub enabled: Option<f64>,
}

/// What tracemalloc saw in the target's own interpreter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PythonHeap {
    pub peak: u64,
    pub at_end: u64,
    /// At the end, by line, the largest first.
    pub sites: Vec<HeapSite>,
}
