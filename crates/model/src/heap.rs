//! `slowpath.heap/1`: what one pass saw of a process tree's heap.
//!
//! Totals are counted and exact. Sites are interned stacks, as in a [`Recording`](crate::recording::Recording); what is
//! said of a site is estimated from samples, and stands with its interval and their number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::recording::{Cost, Frame, Module, Node, StackIndex};
use crate::{Arg, Bytes, Count, Gap, Nanos, Ratio};

pub const SCHEMA: &str = "slowpath.heap/1";

/// Where the heap of a run lies.
pub const HEAP: &str = "tier2/heap.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Heap {
    pub schema: String,
    /// Mean bytes between two samples that come by chance, as asked for. Threads that would be sampled more than some thousand
    /// times a second are sampled less.
    pub interval: Bytes,
    /// From the start of the program to the end of its first process. `null` when the run failed.
    pub wall: Option<Nanos>,
    /// Of all processes that were seen. `null` when none was: then nothing is known, which is not nothing.
    pub totals: Option<Totals>,
    /// Programs that were counted, in the order of their start; a process that loads another one stands twice.
    pub processes: Vec<Process>,
    pub modules: Vec<Module>,
    pub frames: Vec<Frame>,
    pub nodes: Vec<Node>,
    /// By bytes, the largest first.
    pub sites: Vec<Site>,
    /// Live bytes of all processes, in time order, at most a few hundred moments.
    pub timeline: Vec<Moment>,
    pub losses: Losses,
    /// The run as the runner measured it, under this instrument: no timing comes from it.
    pub run: Option<crate::Sample>,
    pub cost: Option<Cost>,
    pub gaps: Vec<Gap>,
}

/// Exact, up to what [`Losses::crowded_threads`] says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Calls that gave a block, reallocations included.
    pub allocations: Count,
    pub reallocations: Count,
    /// Blocks given back, by a reallocation too; of small objects of Python only those that were sampled.
    pub frees: Count,
    /// As they were asked for.
    pub bytes: Bytes,
    /// As the allocator rounds them, with its own word before each; small objects of Python as their arenas, and what forked
    /// children had from their parents included.
    pub live_at_end: Bytes,
    /// The sum of each process's own peak, rounded likewise; right to 64 KiB a thread.
    pub peak_live: Bytes,
    /// Allocations by size, none empty; without small objects of Python.
    pub classes: Vec<Class>,
}

/// Allocations of `from` bytes up to twice as many, the end not included; the first holds those of nothing too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Class {
    pub from: Bytes,
    pub allocations: Count,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Process {
    pub pid: u32,
    /// The process it was forked from and shares its program with. `null` for one that loaded its program itself.
    pub forked_from: Option<u32>,
    pub program: Option<Arg>,
    pub argv: Vec<Arg>,
    pub from: Nanos,
    /// When its live bytes were at their peak.
    pub peak_at: Option<Nanos>,
    /// Threads that allocated or freed.
    pub threads: Count,
    pub totals: Totals,
    /// `python 3.11`: Python's frames are in the stacks.
    pub runtime: Option<String>,
}

/// Where memory is allocated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Site {
    /// Who called the allocator. `null` when its stack could not be told.
    pub stack: Option<StackIndex>,
    /// Samples behind the figures; those of `freed` and `lifetimes` come from the same.
    pub samples: Count,
    pub allocations: Estimate,
    pub bytes: Estimate,
    /// Of `bytes`, those given back before the end.
    pub freed: Estimate,
    pub live_at_end: Estimate,
    /// Live when its process was at its peak.
    pub at_peak: Estimate,
    /// `null` when no sampled block was freed.
    pub lifetimes: Option<Lifetimes>,
}

/// A figure from samples, with the bounds between which it lies in 95 of 100 passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    pub value: u64,
    pub low: u64,
    pub high: u64,
}

/// How long blocks live, by allocations. The rest was alive at the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lifetimes {
    /// Shares of all allocations of the site that were freed within so long.
    pub within_100_micros: Ratio,
    pub within_1_milli: Ratio,
    pub within_1_second: Ratio,
    pub freed: Ratio,
    /// Of the freed blocks, those freed by the thread that made them.
    pub by_same_thread: Ratio,
    /// Sampled blocks that were freed.
    pub n: Count,
}

/// Live bytes at a moment, as `[at, live]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "(Nanos, Bytes)", into = "(Nanos, Bytes)")]
#[schemars(with = "(Nanos, Bytes)")]
pub struct Moment {
    pub at: Nanos,
    pub live: Bytes,
}

impl From<(Nanos, Bytes)> for Moment {
    fn from((at, live): (Nanos, Bytes)) -> Self {
        Self { at, live }
    }
}

impl From<Moment> for (Nanos, Bytes) {
    fn from(moment: Moment) -> Self {
        (moment.at, moment.live)
    }
}

/// What the pass knows that it missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Losses {
    /// Samples for which the ring had no room.
    pub samples: u64,
    /// Frees of sampled blocks that were not seen: their blocks count as live.
    pub frees: u64,
    /// Stacks that end before their thread's first function, of all taken.
    pub cut_stacks: u64,
    pub stacks: u64,
    /// Threads that shared their counters with others, whose totals may miss some.
    pub crowded_threads: u64,
}

impl Heap {
    /// A heap of which nothing is known yet.
    #[must_use]
    pub fn new(interval: Bytes) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            interval,
            wall: None,
            totals: None,
            processes: Vec::new(),
            modules: Vec::new(),
            frames: Vec::new(),
            nodes: Vec::new(),
            sites: Vec::new(),
            timeline: Vec::new(),
            losses: Losses::default(),
            run: None,
            cost: None,
            gaps: Vec::new(),
        }
    }

    /// The frames of a stack from the innermost outwards. Ends at a node that points nowhere or forward.
    pub fn frames_of(&self, stack: StackIndex) -> impl Iterator<Item = &Frame> {
        let mut next = Some(stack);
        std::iter::from_fn(move || {
            let index = next?;
            let node = *self.nodes.get(index as usize)?;
            next = node.parent.filter(|parent| *parent < index);
            self.frames.get(node.frame as usize)
        })
    }
}
