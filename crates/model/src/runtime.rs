//! `slowpath.runtime/1`: what a program's runtime says of itself, in a run of its own: its collector, where objects are made,
//! calls that repeat, calls that take longer the more there is, and what its event loop waited for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::profile::Place;
use crate::{Bytes, Count, Nanos, Ratio, Sample};

pub const SCHEMA: &str = "slowpath.runtime/1";

/// What [`Runtime::runtime`] says of a program without one, whose functions were watched from outside.
pub const NATIVE: &str = "native";

/// Where it lies in the run folder.
pub const RUNTIME: &str = "tier2/runtime.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Runtime {
    pub schema: String,
    /// `python`, `v8`, `jvm` or `go`; `native` for a program without one, whose functions were watched from outside.
    pub runtime: String,
    /// Processes that told something.
    pub processes: u32,
    /// All zero for a native program, which has none.
    pub collector: Collector,
    /// Where objects are made, by samples of the runtime's own. `null` where it was not asked, or did not tell.
    #[serde(default)]
    pub sites: Option<Sites>,
    /// Functions of the program that were watched, those that repeat most first. Of Go none.
    pub repeats: Vec<Repeat>,
    /// Functions whose time may go with how much there is, those that took longest first. Of Go none.
    #[serde(default)]
    pub costs: Vec<Cost>,
    /// What functions without a frame of their own did for the program, those that took longest first. Python only.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Functions without a frame of their own that were watched, each for one function of the program. Python only.
    #[serde(default)]
    pub natives: Vec<Native>,
    /// Functions that put arrays together anew which then hold almost what they held. Python only.
    #[serde(default)]
    pub copies: Vec<Copies>,
    /// How long functions and steps were watched, from the start. `null` where they were not.
    #[serde(default, rename = "watched_ns")]
    pub watched: Option<Nanos>,
    /// What the watched process had had of a CPU by then. Python only.
    #[serde(default, rename = "watched_on_cpu_ns")]
    pub watched_on_cpu: Option<Nanos>,
    /// What the event loop of the first process waited for. Of Node; `null` where it was not asked, or did not tell.
    #[serde(default)]
    pub waits: Option<Waits>,
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
    /// From the beginning of the first collection to the end of the last. `null` where the runtime does not tell.
    #[serde(rename = "span_ns", default)]
    pub span: Option<Nanos>,
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
            span: self.span.max(other.span),
        }
    }
}

impl Runtime {
    /// Whether it is a program without a runtime.
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.runtime == NATIVE
    }
}

/// Which functions objects are made in. Of Node and the JVM.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sites {
    /// What all samples stand for, sites that are not here included.
    pub bytes: Bytes,
    pub samples: Count,
    /// The largest, by bytes.
    pub largest: Vec<Site>,
    /// What was changed about the program so that the runtime could tell, in words: `functions are not inlined`.
    pub changed: Option<String>,
}

impl Sites {
    /// Sites that are kept.
    pub const MOST: usize = 40;

    /// What a site makes of all bytes. `None` when none was sampled.
    #[must_use]
    pub fn share_of(&self, site: &Site) -> Option<Ratio> {
        let all = self.bytes.as_bytes();
        (all > 0).then(|| Ratio(site.bytes.as_bytes() as f64 / all as f64))
    }
}

/// A function that makes objects, itself or through libraries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Site {
    /// The innermost function of the user's own code, with the line that makes most (the JVM) or the line it begins at
    /// (Node); where no function of the stack is the user's, the innermost one.
    pub place: Place,
    /// The innermost function, where that is another one.
    pub inside: Option<Place>,
    /// Estimated from the samples.
    pub bytes: Bytes,
    pub samples: Count,
}

/// Patterns that were matched, or statements that a database executed, for one line of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    pub kind: StepKind,
    /// The innermost function of the program's own, and the line it was at.
    pub by: StepPlace,
    /// Who called it: the same function, or one of a package.
    pub inside: StepPlace,
    pub calls: u64,
    #[serde(rename = "taken_ns")]
    pub taken: Nanos,
    /// Of that, on a CPU. `null` where nobody looked.
    #[serde(default, rename = "on_cpu_ns")]
    pub on_cpu: Option<Nanos>,
    /// On a CPU, where that is known.
    #[serde(rename = "longest_ns")]
    pub longest: Nanos,
    /// Of all that, matches in one text that take less, or more, the further on they are: each goes through what is left.
    /// `null` where nobody looked.
    #[serde(default, rename = "again_ns")]
    pub again: Option<Nanos>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// A regular expression was matched.
    Match,
    /// A database was asked for rows.
    Query,
    /// A database was told something else, or nothing tells what.
    Statement,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepPlace {
    pub function: String,
    pub file: String,
    pub line: u32,
}

/// What an event loop did nothing for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waits {
    /// When the process began, in milliseconds since 1970.
    pub began_ms: u64,
    /// How long the loop was watched.
    #[serde(rename = "watched_ns")]
    pub watched: Nanos,
    /// Of that, how long it had nothing to do.
    #[serde(rename = "idle_ns")]
    pub idle: Nanos,
    /// What ended its idle times, what ended most of them first.
    pub sites: Vec<Awaited>,
    /// Functions of the program that give promises, those that the loop was idle for longest first.
    pub functions: Vec<Pending>,
}

/// What was asked for at one place, and ended idle times of the loop when it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Awaited {
    /// As Node names it: `Timeout`, `FSREQPROMISE`, `TCPWRAP`.
    pub kind: String,
    /// Who asked for it, innermost first: functions of the program and of packages, those that await the others included. Empty
    /// where nobody looked, or the runtime asked by itself.
    pub stack: Vec<StepPlace>,
    /// How often it was asked for, and how often it came.
    pub asked: u64,
    pub came: u64,
    /// Idle time that it ended.
    #[serde(rename = "idle_ns")]
    pub idle: Nanos,
    /// From asking to coming, all of them together.
    #[serde(rename = "taken_ns")]
    pub taken: Nanos,
}

/// A function that gives promises, and how many of them were open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pending {
    pub function: String,
    pub file: String,
    pub line: u32,
    pub calls: u64,
    /// Calls whose promise was open at once, at most.
    pub most: u64,
    /// From the call to the end of its promise, all of them together.
    #[serde(rename = "taken_ns")]
    pub taken: Nanos,
    /// How long the loop was idle while at least one was open.
    #[serde(rename = "idle_ns")]
    pub idle: Nanos,
    /// The same, once for each that was open.
    #[serde(rename = "queued_ns")]
    pub queued: Nanos,
}

impl Pending {
    /// How many were open on average while the loop was idle for them. `None` when it never was.
    #[must_use]
    pub fn at_once(&self) -> Option<f64> {
        let idle = self.idle.as_secs_f64();
        (idle > 0.0).then(|| self.queued.as_secs_f64() / idle)
    }
}

/// How often a function was called with what it had been called with before, and gave what it had given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Repeat {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// Calls that were looked at. Of many different inputs always the same part is.
    pub calls: u64,
    /// Of these, about how many had the input and the result of an earlier one: inputs that come often count once, others stand for
    /// those that were left out.
    pub same: u64,
    /// Calls with an input of their own and a large result that an earlier one had given.
    #[serde(default)]
    pub given: u64,
    /// What all its calls took, about. `null` where nobody counted.
    #[serde(default, rename = "taken_ns")]
    pub taken: Option<Nanos>,
    /// Watched functions that call it. Of Node, which hides in its callers what it puts into them.
    #[serde(default)]
    pub callers: Vec<StepPlace>,
}

/// Calls of a function of C, Cython or Rust, or of what a line does with an object of such a type, for one function of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Native {
    /// Its name, or the operation as it is written: `tree[number]`.
    pub function: String,
    /// The extension module, or the file that the operation stands in.
    pub file: String,
    /// 0 for a function of a module.
    pub line: u32,
    /// The innermost function of the program's own behind it, and the line it begins at.
    pub by: StepPlace,
    /// As of [`Repeat`], for all functions of the program together.
    pub calls: u64,
    pub same: u64,
    pub given: u64,
    /// What it took for that one, about.
    #[serde(rename = "taken_ns")]
    pub taken: Nanos,
    /// As of functions with a frame.
    pub costs: Vec<Cost>,
}

/// Arrays that a function's object has, or that it gives, and that it put together anew: with what there was before, and a little more
/// or less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Copies {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// Calls that were looked at.
    pub calls: u64,
    /// What they put together anew.
    pub bytes: Bytes,
    #[serde(rename = "taken_ns")]
    pub taken: Nanos,
}

/// What calls of a function took, by how much of something there was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// Calls that were looked at, without those inside another call of it: the first ones, of Node some of the later ones.
    pub calls: u64,
    /// What they took; of Node, what all calls took, about.
    #[serde(rename = "taken_ns")]
    pub taken: Nanos,
    /// As above.
    #[serde(default)]
    pub callers: Vec<StepPlace>,
    pub over: Over,
    /// The argument whose length or number it is.
    pub argument: Option<String>,
    /// Of the calls, those that were given what the one before was given.
    pub again: u64,
    /// From the smallest on, each about twice the one before.
    pub sizes: Vec<AtSize>,
}

/// What there was more or less of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// The length of what the call before was given, too: the same object, or a text with more or less of it.
    Kept,
    /// A number that goes up or down from call to call, while something else is given again.
    Place,
    /// How often the same things were given before; of the JVM, where each call is given another thing of unknown size, how
    /// many calls came before.
    Turn,
    /// The length of something that is another one each time.
    Given,
    /// The length of what it gave.
    Result,
}

/// Calls of about one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AtSize {
    /// The median one.
    pub size: u64,
    pub calls: u64,
    #[serde(rename = "median_ns")]
    pub median: Nanos,
}
