//! `slowpath.profile/1`: a recording, added up: the account, hotspots, waits and the call tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Account, AnswerTarget, Overhead};
use crate::doctor::Level;
use crate::recording::{Language, Losses, Owner, Weight};
use crate::{Gap, Nanos};

pub const SCHEMA: &str = "slowpath.profile/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    pub schema: String,
    pub run: String,
    /// `null` for imports that do not tell.
    pub target: Option<AnswerTarget>,
    /// `slowpath`, or the format it was imported from.
    pub source: String,
    /// `null` for imports.
    pub level: Option<Level>,
    pub weight: Weight,
    /// Wall time of the recorded run. `null` when the source keeps no clock.
    pub wall_s: Option<f64>,
    /// Hits in all.
    pub hits: u64,
    /// Wall time along the critical path. `null` for imports without a clock.
    pub account: Option<Account>,
    /// Every thread's own time, largest first.
    pub threads: Vec<ThreadAccount>,
    /// By self weight, largest first.
    pub hotspots: Vec<Hotspot>,
    /// Places that waited, longest first.
    pub waits: Vec<WaitSite>,
    /// The call tree from its outermost frames; small branches left out.
    pub tree: Vec<CallNode>,
    pub losses: Losses,
    pub overhead: Vec<Overhead>,
    pub gaps: Vec<Gap>,
}

/// A place in the code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The function's name. `module+0x1190` is one that nothing names, by where it begins; `module (no symbols)` stands for
    /// all code of a module that nothing names.
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub module: Option<String>,
    pub language: Language,
    pub owner: Owner,
}

/// What stands behind a module's name where it is the name for all its code.
const NO_SYMBOLS: &str = " (no symbols)";

impl Place {
    /// The name of all code of a module that nothing names.
    #[must_use]
    pub fn name_of_module(base_name: &str) -> String {
        format!("{base_name}{NO_SYMBOLS}")
    }

    /// All code of a module that nothing names: many functions, of which no one is known.
    #[must_use]
    pub fn is_whole_module(&self) -> bool {
        self.function.ends_with(NO_SYMBOLS)
    }

    /// The name of a function that nothing names, by where it begins in its module.
    #[must_use]
    pub fn name_of_start(base_name: &str, start: u64) -> String {
        format!("{base_name}+{start:#x}")
    }

    /// Code that nothing names: one function, or all of a module.
    #[must_use]
    pub fn is_nameless(&self) -> bool {
        let module = self.module.as_deref().and_then(|path| path.rsplit('/').next());
        let start = module.and_then(|name| self.function.strip_prefix(name)?.strip_prefix("+0x"));
        self.is_whole_module() || start.is_some_and(|start| u64::from_str_radix(start, 16).is_ok())
    }
}

/// A share of the whole, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// A function and what it costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hotspot {
    /// The function, with its most expensive line.
    pub place: Place,
    /// Hits in the function itself.
    pub own: Share,
    /// Hits in it or in what it called.
    pub total: Share,
    /// Hits that `own` rests on.
    pub n: u64,
    /// Seconds in the function itself, in the recorded run. `null` when weights are not time.
    pub seconds: Option<f64>,
    /// How many times as fast the program can become at most when this function, with all it calls, costs nothing.
    /// `null` when it is on every stack.
    pub ceiling: Option<f64>,
    /// The first frame of the user's own code on the way out, where the function itself is not or has no name of its own.
    pub project: Option<Place>,
    /// Its expensive lines, largest first, at most five.
    pub lines: Vec<LineCost>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LineCost {
    pub line: u32,
    /// Of the whole recording.
    pub share: f64,
}

/// A place that waited for something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaitSite {
    /// The leaf of the account.
    pub leaf: String,
    /// What it waited for, in words: "/var/log/x", "10.0.0.1:5432", "lock 0x7f… held by worker-3".
    pub what: Option<String>,
    /// The system call.
    pub call: Option<String>,
    /// The innermost frame of the user's own code; else the innermost frame outside the system library.
    pub place: Option<Place>,
    /// Outermost first.
    pub stack: Vec<Place>,
    pub seconds: f64,
    pub count: u64,
    pub longest_s: f64,
    /// Seconds of it that held up the program: on the critical path.
    pub critical_s: f64,
    /// Seconds that its threads then queued for a CPU, not part of `seconds`. `null` where nobody counted them.
    #[serde(default)]
    pub queued_s: Option<f64>,
    /// Threads that waited here.
    pub threads: u32,
    /// Waits for the next piece of work, as a pool's workers and event loops do.
    pub idle: bool,
}

/// One thread's life, each nanosecond in one leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadAccount {
    pub process: String,
    pub pid: u32,
    pub tid: u32,
    pub name: String,
    pub from: Nanos,
    pub to: Nanos,
    pub account: Account,
    /// Seconds of it in waits for work that did not hold up the program.
    pub idle_s: f64,
    /// Share of the moments looked at in which it held the interpreter's lock. `null` for other runtimes.
    pub interpreter_lock: Option<f64>,
}

/// A function in the place where it was called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallNode {
    pub place: Place,
    /// Of the whole recording: in it and in what it called.
    pub total: f64,
    /// In it alone.
    pub own: f64,
    pub children: Vec<CallNode>,
}
