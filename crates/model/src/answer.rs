//! `slowpath.answer/1`: why the program is slow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::profile::{Hotspot, Place, Share, WaitSite};
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
    /// What to change, by recoverable time.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// Every cause that was considered, with its state and the number that decided it.
    #[serde(default)]
    pub hypotheses: Vec<Hypothesis>,
    /// Why changing the program may be the wrong tool; those that hold only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indicators: Vec<Indicator>,
    /// Where the CPU time of the recorded run went, largest first. Empty when nothing was recorded.
    #[serde(default)]
    pub hotspots: Vec<Hotspot>,
    /// Where the recorded run waited, longest first.
    #[serde(default)]
    pub waits: Vec<WaitSite>,
    /// How the cost grows with the size, when several were named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling: Option<crate::scale::Scale>,
    /// The costliest functions on the simulated machine, from tier `medium` on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<crate::simulated::Glance>,
    /// One series for each benchmark, when the target was a suite of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<crate::suite::Suite>,
    /// Seven dimensions of four points each, as far as they were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scorecard: Option<crate::scorecard::Scorecard>,
    /// How deep the evidence goes, and why it ends there. `null` where nothing was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Depth>,
    pub evidence: Vec<Evidence>,
    pub gaps: Vec<Gap>,
    pub overhead: Vec<Overhead>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerTarget {
    pub argv: Vec<Arg>,
    /// `null` when the run was cut short.
    pub exit: Option<Ended>,
}

/// Wall time of one run, pooled. Without a timed run (`n` = 0), the time that the program was watched for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wall {
    pub median_s: f64,
    /// `null` while n is too small to bound the median.
    pub low_s: Option<f64>,
    pub high_s: Option<f64>,
    pub n: u32,
}

/// Where the wall time of one run, or of one thread, went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Account {
    pub unit: String,
    /// Largest first; a leaf without time is left out.
    pub leaves: Vec<Leaf>,
    /// Share of wall time that no leaf explains.
    pub unaccounted: f64,
    /// The account against other witnesses of the same time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leaf {
    /// `on-cpu/user`, `on-cpu/kernel`, `runnable/preempted`, `runnable/woken`, `blocked/lock`, …
    pub leaf: String,
    pub seconds: f64,
    pub share: f64,
    /// What it is made of, largest first: system calls, files, peers, locks, functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub what: String,
    pub seconds: f64,
}

/// Two witnesses of one time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What both measured: "time on a CPU, all threads".
    pub what: String,
    /// The other witness: "rusage", "schedstat".
    pub against: String,
    pub ours_s: f64,
    pub theirs_s: f64,
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

/// How sure a cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Two witnesses that do not depend on each other, and nothing against it.
    Confirmed,
    /// One witness, and nothing against it.
    Likely,
    /// Nothing against it.
    Possible,
    /// A measurement excludes it.
    Rejected,
    /// What would tell was not measured.
    Untestable,
}

impl State {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Likely => "likely",
            Self::Possible => "possible",
            Self::Rejected => "rejected",
            Self::Untestable => "untestable",
        }
    }
}

/// A cause at a place, with what it costs and what to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    pub rank: u32,
    /// The cause's id, and a number where one cause was found at several places.
    pub id: String,
    pub class: String,
    pub cause: String,
    pub state: State,
    /// What it is, in one sentence.
    pub summary: String,
    /// The place to change. `null` when the whole program or machine is meant.
    pub location: Option<Place>,
    /// The function of an installed package that does most of it on behalf of the place, or that is the place. `null`: none
    /// does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<Place>,
    /// Of wall time.
    pub share: Extent,
    /// Seconds of the median run that it takes: those of the lower end of `share`.
    pub recoverable_s: f64,
    /// How many times as fast the program becomes at most without this share, taken at its upper end. `null` when nothing else
    /// takes time.
    pub at_most: Option<f64>,
    /// What may go with it when it is changed: what the place calls, makes and has freed, and its part of queueing for a CPU.
    /// `null` where that is not more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<With>,
    /// Why the state is what it is: each witness with its number.
    pub because: Vec<Reason>,
    /// From the symptom down: each step rests on evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Reason>,
    /// Ids of all evidence.
    pub evidence: Vec<String>,
    pub prescription: String,
    /// The command that shows whether the change helped.
    pub verify: String,
}

/// A finding's share of wall time. `low` and `high` are the ends of its 95 % interval; what was measured once has the spread of
/// wall time between the timed runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extent {
    pub value: f64,
    /// `null` where one observation is all there is.
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Extent {
    /// What it surely is, as far as anybody knows.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.low.unwrap_or(self.value)
    }

    /// What it can be, as far as anybody knows.
    #[must_use]
    pub fn most(&self) -> f64 {
        self.high.unwrap_or(self.value)
    }
}

impl From<Share> for Extent {
    fn from(share: Share) -> Self {
        Self { value: share.value, low: Some(share.low), high: Some(share.high) }
    }
}

/// A finding with all that may go with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct With {
    /// Of the time that the program had.
    pub share: f64,
    /// How many times as fast the program becomes at most without that. `null` when nothing else takes time.
    pub at_most: Option<f64>,
}

/// A step of reasoning, with the evidence it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    pub what: String,
    pub evidence: Vec<String>,
}

/// A cause that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hypothesis {
    /// The cause's id.
    pub id: String,
    pub class: String,
    pub state: State,
    /// The number that decided.
    pub because: String,
    /// Where it was closest to being true.
    pub location: Option<Place>,
    pub evidence: Vec<String>,
    /// The command that would tell more. `null` when nothing is open.
    pub next: Option<String>,
}

/// A reason to leave the program as it is, with the number that decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Indicator {
    /// `external_service_no_alternative`, `within_industry_norm`, `infrastructure_bound` or `already_optimized`.
    pub indicator: String,
    pub because: String,
    pub value: Option<f64>,
    pub limit: Option<f64>,
}

/// The levels of evidence that were reached, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Depth {
    pub levels: Vec<DepthLevel>,
    pub stopped: Stopped,
    pub because: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DepthLevel {
    /// `function`, `line` or `memory`.
    pub level: String,
    /// The instrument.
    pub by: String,
    /// Its run against the baseline. `null` where nothing ran for it.
    pub ratio: Option<f64>,
    pub artifact: String,
}

/// Why no deeper level was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    CauseClear,
    LevelsExhausted,
    /// An instrument cost more than a fifth of the run.
    Overhead,
    /// No evidence asked for more.
    NotAsked,
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
    /// The share of the run, or of the part that it is about, that the source saw. `null` where nobody knows.
    #[serde(default)]
    pub coverage: Option<f64>,
}

/// What a pass cost the target, against the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overhead {
    pub pass: String,
    pub ratio: f64,
}
