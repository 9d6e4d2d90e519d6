//! What the frames of a recording are called and what its stacks weigh: the ground of all pictures and exports.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use model::Unit;
use model::leaf::Charge;
use model::recording::{Frame, Recording, StackIndex, Weight};

use crate::waiting::pieces;
use crate::{number, words};

/// Which part of a recording is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// What ran: the hits.
    #[default]
    OnCpu,
    /// What waited, by the stack it waited in; the innermost frame is the leaf of the account.
    OffCpu,
    /// Both.
    Wall,
}

/// What stands for a stack of which nothing is known.
pub(crate) const NO_STACK: &str = "[no stack]";

/// The function, or what else tells the place apart. Foreign text, not yet inert.
pub(crate) fn name(recording: &Recording, frame: &Frame) -> String {
    if let Some(function) = frame.function.as_deref().filter(|function| !function.is_empty()) {
        return function.to_owned();
    }
    let module = module(recording, frame).map(|path| path.rsplit('/').next().unwrap_or(path));
    match (module, frame.offset) {
        (Some(module), Some(offset)) => format!("{module}+{offset:#x}"),
        (Some(module), None) => format!("[{module}]"),
        (None, Some(offset)) => format!("{offset:#x}"),
        (None, None) => "[unknown]".to_owned(),
    }
}

/// The path of the file a frame's code was loaded from.
pub(crate) fn module<'a>(recording: &'a Recording, frame: &Frame) -> Option<&'a str> {
    let module = recording.modules.get(frame.module? as usize)?;
    Some(module.path.as_str())
}

/// The unit of added-up weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Nanoseconds.
    Time,
    Samples,
    Bytes,
    Other(String),
}

impl Measure {
    /// What the hits of a recording weigh: time wherever it can be told.
    pub(crate) fn of(recording: &Recording) -> Self {
        match &recording.weight {
            Weight::CpuTime | Weight::WallTime | Weight::OffCpuTime => Self::Time,
            Weight::Samples if recording.period.is_some() => Self::Time,
            Weight::Samples => Self::Samples,
            Weight::Bytes => Self::Bytes,
            Weight::Other(unit) => Self::Other(unit.clone()),
        }
    }

    /// A weight for people.
    pub(crate) fn shown(&self, weight: u64) -> String {
        #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
        let value = weight as f64;
        match self {
            Self::Time => number::quantity(value / 1e9, Unit::Seconds),
            Self::Samples => words::plural(weight, "sample"),
            Self::Bytes => number::quantity(value, Unit::Bytes),
            Self::Other(unit) => format!("{} {unit}", number::count(weight)),
        }
    }
}

/// How much one unit of a hit's weight is in [`Measure::of`] the recording.
pub(crate) fn scale(recording: &Recording) -> u64 {
    match recording.weight {
        Weight::Samples => recording.period.map_or(1, |period| period.as_nanos()),
        _ => 1,
    }
}

/// Stacks with their weights, each once, in a fixed order.
pub(crate) struct Weighed {
    pub(crate) measure: Measure,
    pub(crate) stacks: Vec<Heap>,
}

/// All that was seen of one stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Heap {
    pub(crate) stack: Option<StackIndex>,
    /// `None` while it ran.
    pub(crate) leaf: Option<Charge>,
    pub(crate) weight: u64,
}

/// Adds up. Sums saturate: they are nanoseconds, and 584 years are not reached by honest files.
pub(crate) fn weigh(recording: &Recording, kind: Kind) -> Weighed {
    let measure = Measure::of(recording);
    let timed = measure == Measure::Time;
    let whole = recording.weight == Weight::WallTime;
    let (hits, waits) = match kind {
        Kind::OnCpu => (true, false),
        Kind::OffCpu => (recording.weight == Weight::OffCpuTime, true),
        // Without a period, hits and waits are not in one unit.
        Kind::Wall => (timed || recording.waits.is_empty(), !whole),
    };
    let mut stacks = if hits { hit_heaps(recording) } else { Vec::new() };
    if waits {
        stacks.extend(wait_heaps(recording));
    }
    Weighed { measure: if hits { measure } else { Measure::Time }, stacks }
}

fn hit_heaps(recording: &Recording) -> Vec<Heap> {
    let scale = scale(recording);
    let mut weights = vec![0_u64; recording.nodes.len()];
    let mut bare = 0_u64;
    for hit in &recording.hits {
        let weight = hit.weight.saturating_mul(scale);
        match hit.stack.and_then(|stack| weights.get_mut(stack as usize)) {
            Some(sum) => *sum = sum.saturating_add(weight),
            None => bare = bare.saturating_add(weight),
        }
    }
    let heap =
        |(at, weight): (usize, &u64)| Heap { stack: u32::try_from(at).ok(), leaf: None, weight: *weight };
    let mut heaps: Vec<Heap> = weights.iter().enumerate().map(heap).filter(|heap| heap.weight > 0).collect();
    if bare > 0 {
        heaps.push(Heap { stack: None, leaf: None, weight: bare });
    }
    heaps
}

fn wait_heaps(recording: &Recording) -> Vec<Heap> {
    let mut weights: Quick<(Option<StackIndex>, Charge), u64> = Quick::default();
    for wait in &recording.waits {
        let stack = wait.stack.filter(|stack| (*stack as usize) < recording.nodes.len());
        for (leaf, from, to) in pieces(recording, wait) {
            let sum = weights.entry((stack, leaf)).or_default();
            *sum = sum.saturating_add(to.as_nanos().saturating_sub(from.as_nanos()));
        }
    }
    let heap = |((stack, leaf), weight)| Heap { stack, leaf: Some(leaf), weight };
    let mut heaps: Vec<Heap> = weights.into_iter().map(heap).collect();
    heaps.sort_unstable();
    heaps
}

/// A map for keys that are positions in our own tables: nobody can choose them to collide on purpose.
pub(crate) type Quick<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Multiplies and folds each word; several times as fast as the standard hasher on small keys.
#[derive(Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ SEED) * u128::from(PRIME);
        #[expect(clippy::cast_possible_truncation, reason = "both halves are folded into one word")]
        let folded = (wide >> 64) as u64 ^ wide as u64;
        self.0 = folded;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word.unsigned_abs() as u64);
    }
}

/// Digits of the golden ratio and of pi: odd, and without a pattern.
const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;
const SEED: u64 = 0x243f_6a88_85a3_08d3;
