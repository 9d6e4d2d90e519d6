//! `slowpath.worklist/1`: what to do in which order, where the time is, and what was judged, each row with its artifact.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Extent, State};
use crate::profile::Place;

pub const SCHEMA: &str = "slowpath.worklist/1";

/// Where it lies in the run folder, as data and for people.
pub const WORKLIST: &str = "worklist.json";
pub const TEXT: &str = "worklist.md";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Worklist {
    pub schema: String,
    pub run: String,
    /// Of the median run.
    pub wall_s: f64,
    /// What may be changed, the best bargain first.
    pub opportunities: Vec<Opportunity>,
    /// Where the time is, most first, whatever its cause.
    pub hotspots: Vec<Row>,
    /// Every hypothesis with its verdict.
    pub ledger: Vec<Entry>,
}

/// A finding as a bargain: `score` is impact times confidence by effort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Opportunity {
    pub rank: u32,
    pub cause: String,
    pub class: String,
    pub state: State,
    /// `null` when the whole program or machine is meant.
    pub place: Option<Place>,
    /// Of wall time, measured.
    pub share: Extent,
    /// How many times as fast the program becomes at most without that share. `null` when nothing else takes time.
    pub ceiling: Option<f64>,
    /// Seconds of the median run that can be saved, by the lower end of the share.
    pub saves_s: f64,
    /// 1 to 5, by the share: below 5 %, 10 %, 25 %, 50 %, and above.
    pub impact: u8,
    /// 5: two independent witnesses. 3: one. 1: none.
    pub confidence: u8,
    pub effort: Effort,
    pub score: f64,
    /// The score is at least 2 and the share worth an afternoon.
    pub act: bool,
    pub first_step: String,
    pub verify: String,
    pub artifacts: Vec<String>,
}

/// How long the usual change takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// A line, a flag, a setting.
    Minutes,
    /// A function and its callers.
    Hours,
    /// How the program is built.
    Days,
}

impl Effort {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Minutes => "minutes",
            Self::Hours => "hours",
            Self::Days => "days",
        }
    }

    /// What a score is divided by.
    #[must_use]
    pub const fn weight(self) -> u8 {
        match self {
            Self::Minutes => 1,
            Self::Hours => 3,
            Self::Days => 5,
        }
    }
}

/// A place that computes or waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    pub rank: u32,
    /// `null` where nothing names it.
    pub place: Option<Place>,
    /// `on-cpu`, or the leaf of the account that it waits in.
    pub category: String,
    /// What is computed or waited for, in words.
    pub what: Option<String>,
    /// On a CPU: of CPU time. Waiting: of wall time, as far as it held up the program.
    pub share: f64,
    pub seconds: Option<f64>,
    /// Hits or waits that it rests on.
    pub n: u64,
    pub artifact: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    pub hypothesis: String,
    pub class: String,
    pub verdict: State,
    /// The number that decided.
    pub number: String,
    pub place: Option<Place>,
    /// Evidence by id, and the file that it lies in.
    pub evidence: Vec<Cited>,
    /// What would change the verdict. `null` when nothing is open.
    pub revive: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cited {
    pub id: String,
    pub artifact: String,
}
