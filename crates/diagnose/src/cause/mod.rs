//! From where the time went to why: hypotheses as data, each with what would refute it, judged on measured facts.
//!
//! `facts` turns a study of the recording, the source around its hot lines and the other passes into subjects (a place
//! that computes, a place that waits, the whole run), each with named metrics. A [`Cause`] says which metrics speak for
//! it and which against it. `judge` gives every cause its state at every subject; `finding` words what is left.

mod again;
pub(crate) mod asked;
mod awaited;
mod calls;
mod ceiling;
mod collector;
mod compiling;
mod costs;
mod coverage;
mod facts;
mod finding;
mod handed;
mod hash;
mod heap;
mod holding;
mod hypothesis;
mod journals;
mod judge;
mod kernel;
mod known;
mod loops;
mod machine;
mod mapper;
mod meanwhile;
mod metrics;
pub(crate) mod naming;
mod natives;
mod pattern;
mod per_file;
mod polling;
mod pool;
mod resident;
mod rules;
mod runtime;
mod shell;
mod simulated;
mod sites;
mod sizes;
mod sorting;
mod source;
mod spread;
mod statements;
mod subject;
mod tasks;
mod team;
mod threads;
mod timed;
mod waiting;
mod wants;
mod whole;

#[cfg(test)]
mod tests;

use model::answer::{Evidence, Finding, Hypothesis};
use model::worklist::Effort;

pub(crate) use facts::shell_word;
pub use facts::{Facts, Inputs};
pub(crate) use finding::words as place_words;
pub use hypothesis::words_of;
pub use judge::judge;
pub use natives::Natives;
pub use rules::{CAUSES, explained};
pub use wants::{Asked, Watching, wants_calls, wants_functions, wants_heap, wants_runtime, wants_solo};

/// Which subjects a cause can be true of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A place of the user's code that computes.
    Computing,
    /// A place of the user's code that waits.
    Waiting,
    /// The run as a whole.
    Whole,
}

impl Cause {
    /// It lies in the machine, not in the program: it has no place there and stands behind what the program can change.
    fn is_outside(&self) -> bool {
        self.class == "External" && self.kinds == [Kind::Whole]
    }

    /// It lies in a package that the program uses.
    fn is_others(&self) -> bool {
        self.class == "External" && !self.is_outside()
    }

    /// It lies in how threads share the CPUs, which other programs disturb; so do they whoever holds a lock.
    fn is_queueing(&self) -> bool {
        matches!(self.part, Some("queue.part" | "parallel.part")) || self.id == "lock-contention"
    }

    /// What else may go with it. `None`: nothing, as all that is done below it is counted.
    fn reach(&self) -> Option<ceiling::Reach> {
        Some(match self.class {
            _ if self.part == Some("starting") => return None,
            "Cache" => ceiling::Reach::All,
            "Memory" if self.id == "page-faults" => ceiling::Reach::All,
            "I/O-Network" => ceiling::Reach::Peers,
            "Lock" if self.id == "lock-across-io" => ceiling::Reach::Waits,
            _ => ceiling::Reach::Place,
        })
    }
}

/// A way to be slow, with what speaks for it and against it.
#[derive(Clone, Copy, Debug)]
pub struct Cause {
    /// Kebab-case, permanent.
    pub id: &'static str,
    pub class: &'static str,
    /// "Threads queue for one lock".
    pub title: &'static str,
    pub kinds: &'static [Kind],
    /// What must be true for it to matter at all; a gate that fails rejects it with its number.
    pub gates: &'static [Condition],
    /// Each witness counts once, however many of its conditions hold.
    pub supports: &'static [Condition],
    /// Any of these excludes it.
    pub rejects: &'static [Condition],
    /// The part of the subject's time that it explains: a metric between 0 and 1. `None`: all of it.
    pub part: Option<&'static str>,
    /// The more special wins where two causes are equally sure of the same time.
    pub special: u8,
    /// What to do, by language, or by the way it is done and the language (`concatenation go`); the first is for all others.
    /// `{function}`, `{line}`, `{what}`, `{count}` are filled in.
    pub fixes: &'static [(&'static str, &'static str)],
    /// What the usual change takes.
    pub effort: Effort,
    /// What would tell more, as a command.
    pub next: Option<&'static str>,
    pub page: Page,
}

/// What `slowpath explain` prints besides the rule.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub what: &'static str,
    pub by_hand: &'static str,
    pub confused: &'static str,
}

/// A comparison of one metric with a threshold.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    pub metric: &'static str,
    pub is: Is,
    /// Witnesses with different names do not depend on each other.
    pub witness: &'static str,
    /// What it means when it holds.
    pub means: &'static str,
}

impl Condition {
    /// It holds where the source does not show something.
    fn is_absence(&self) -> bool {
        self.witness == "source" && matches!(self.is, Is::AtMost(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Is {
    AtLeast(f64),
    AtMost(f64),
}

impl Is {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(threshold) => value >= threshold,
            Self::AtMost(threshold) => value <= threshold,
        }
    }
}

/// All that was concluded about causes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    pub findings: Vec<Finding>,
    pub hypotheses: Vec<Hypothesis>,
    pub evidence: Vec<Evidence>,
}
