//! `slowpath.machine-code/1`: what the instructions of measured-hot loops are like, and what kept them from being better.
//!
//! Everything here was read from the machine code of one image; only weights were measured. A loop without weight is
//! not in the answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Gap, Ratio};

pub const SCHEMA: &str = "slowpath.machine-code/1";

/// Where the audit of a run lies.
pub const MACHINE_CODE: &str = "tier4/machine-code.json";

/// Where the audit of code that the processes made while they ran lies.
pub const GENERATED_CODE: &str = "tier4/generated-code.json";

/// The hot functions of one image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MachineCode {
    pub schema: String,
    /// The file, as the caller named it; or the process whose memory alone held the code.
    pub image: String,
    pub architecture: Architecture,
    /// All weight that was given, in the measurement's own unit.
    pub weight: u64,
    /// What a weight counts, in the measurement's own words: "samples", "instructions".
    pub weight_unit: String,
    /// Weight at addresses that no function of the image holds.
    pub unplaced: u64,
    /// Heaviest first.
    pub functions: Vec<HotFunction>,
    pub gaps: Vec<Gap>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Architecture {
    X86_64,
    Aarch64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HotFunction {
    /// Demangled. `null` when no symbol names it.
    pub name: Option<String>,
    /// Addresses as the image counts them, from the first to behind the last.
    pub from: u64,
    pub to: u64,
    pub weight: u64,
    /// Of all weight that was given. `null` when none was.
    pub share: Option<Ratio>,
    pub instructions: u32,
    pub build: Build,
    /// Loops with weight, heaviest first, or innermost loops where their weight is not known. An outer loop comes without patterns: its inner loops carry them.
    pub loops: Vec<HotLoop>,
    /// Weight in the function outside every loop. `null` when only the function as a whole was measured.
    pub outside_loops: Option<u64>,
    /// What is not known of it.
    pub gaps: Vec<Gap>,
}

/// How a function was compiled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Build {
    /// `true`: a debug build. `null`: neither the code nor the debug information tells.
    pub unoptimised: Option<bool>,
    /// What that rests on, a sentence each.
    pub evidence: Vec<String>,
    /// The compiler with its options, as the debug information names it.
    pub producer: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HotLoop {
    /// Address of the first instruction of the loop's head.
    pub head: u64,
    /// 1 for an outermost loop.
    pub depth: u32,
    pub innermost: bool,
    /// Of its blocks, inner loops included. `null` when only the function as a whole was measured.
    pub weight: Option<u64>,
    /// Of all weight that was given.
    pub share: Option<Ratio>,
    pub instructions: u32,
    pub bytes: u64,
    /// First and last source line, where all of its lines are of one file.
    pub source: Option<SourceSpan>,
    /// One for each of the six patterns; empty for a loop that holds others.
    pub patterns: Vec<Pattern>,
    /// What kept the compiler from using vector instructions, as far as the code shows.
    pub blockers: Vec<Blocker>,
    /// The instructions in order; empty for a loop that holds others.
    pub listing: Vec<ListingLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceSpan {
    pub file: String,
    pub from: u32,
    pub to: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SourceLine {
    pub file: String,
    pub line: u32,
}

/// One of the six questions, answered for one loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pattern {
    pub verdict: Verdict,
    #[serde(flatten)]
    pub found: Found,
    /// The instructions the verdict rests on.
    pub at: Vec<u64>,
    /// Their source lines, each once. Empty without debug information.
    pub lines: Vec<SourceLine>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Good,
    /// May cost time; whether it does here is for a measurement to say.
    Attention,
    Bad,
    /// The question does not arise in this loop, or its code does not answer it.
    Unknown,
}

/// What a pattern rests on, counted in instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "pattern")]
pub enum Found {
    Vector {
        /// Arithmetic on several elements at once.
        packed: u32,
        /// Floating-point arithmetic on one element.
        scalar_float: u32,
        /// Integer arithmetic on one element that was loaded in the loop.
        scalar_integer: u32,
        /// The widest registers among the packed ones. `null`: none, or their width is the processor's choice (SVE).
        bits: Option<u32>,
        /// What the processor could do. `null` when the caller did not say.
        machine_bits: Option<u32>,
    },
    Branches {
        /// Conditional jumps inside the loop that depend on loaded values.
        by_loaded_values: u32,
        /// Conditional jumps inside the loop that depend on registers alone.
        by_registers: u32,
        /// Jumps out of the loop, the loop's own condition included.
        exits: u32,
        /// Conditional moves and the like.
        selects: u32,
    },
    Calls {
        calls: Vec<CallSite>,
    },
    Access {
        accesses: Vec<Access>,
    },
    Spills {
        /// Stack slots that are both written and read in the loop.
        slots: u32,
        /// All reads of the stack in the loop.
        loads: u32,
        /// All writes to the stack in the loop.
        stores: u32,
        /// On the longest way through one iteration.
        instructions: u32,
    },
    Alignment {
        /// The largest power of two up to 64 that the head's address is a multiple of.
        aligned_to: u32,
        bytes: u64,
        /// Lines of 64 bytes that the loop touches.
        cache_lines: u64,
        /// The fewest lines that so many bytes can lie in.
        fewest_lines: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallSite {
    pub at: u64,
    /// The callee's name. `null` when nothing names it.
    pub to: Option<String>,
    /// Through a register or memory: the callee may differ from time to time.
    pub indirect: bool,
    pub each_iteration: bool,
}

/// One place in memory that the loop walks over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// The first of the instructions.
    pub at: u64,
    /// Instructions that share its address but for a constant.
    pub instructions: u32,
    pub direction: Direction,
    /// Of the widest of them. `null` when the instruction does not tell.
    pub bytes: Option<u32>,
    pub walk: Walk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    Read,
    Write,
    Both,
}

/// How an address moves from one iteration to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "walk")]
pub enum Walk {
    /// It stays.
    Fixed,
    /// Without a hole.
    Unit,
    /// By so many bytes, more than are used.
    Stride { bytes: i64 },
    /// By the same distance each time, which only the running program knows.
    RuntimeStride,
    /// To where another load said: `values[at[i]]`.
    Indexed,
    /// To where the last step of the same walk said: `node = node->next`.
    Chase,
    /// The code does not tell.
    Unknown,
}

/// What kept the loop scalar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blocker {
    pub kind: BlockerKind,
    pub at: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BlockerKind {
    Unoptimised,
    Call,
    /// A way out that depends on loaded values: later iterations may not be begun.
    EarlyExit,
    /// It ends as soon as what it adds up reaches a limit, so each step has to wait for the one before.
    EndsBySum,
    /// Each step needs the floating-point result of the one before; reordering it needs `-ffast-math` or
    /// `-fassociative-math`.
    FloatReduction,
    PointerChasing,
    IntegerDivision,
    /// Elements would have to be gathered one by one.
    Gather,
    /// Elements lie apart.
    Stride,
    /// It stores through one pointer and loads through another: they may overlap for all the compiler knows.
    PossibleAlias,
    /// Elements are found by a number of fewer bits than an address, which may wrap around for all the compiler knows.
    WrappingIndex,
    DataDependentBranch,
}

/// One instruction as the report shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListingLine {
    pub address: u64,
    pub text: String,
    pub weight: Option<u64>,
    /// Of the loop's weight.
    pub share: Option<Ratio>,
    pub source: Option<SourceLine>,
}
