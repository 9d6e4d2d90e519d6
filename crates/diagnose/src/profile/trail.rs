//! The critical path as a trail: which stack spent each piece of it, and who waited for that meanwhile.
//!
//! The account adds the path up by leaf and forgets the way. A map of steps needs the way: a child process's time
//! belongs below the function that waited for the child. So each piece is kept with its *behalf*, the chain of waits
//! that it explains.

use model::leaf::Charge;

use super::hash::QuickMap;
use super::lives::Absence;
use super::places::NONE;
use super::tally::Tally;

/// Waits for waits for waits: nobody reads deeper, and in a ring of threads there would be no end.
const DEEPEST: u32 = 6;

/// Different chains of waits. A storm of short ones would make a chain for each pair of stacks.
const MOST: usize = 4096;

/// The critical path, piece by piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail {
    /// The first is the program itself.
    pub behalves: Vec<Behalf>,
    pub pieces: Vec<Piece>,
    /// Share of wall time in which the path could have gone on, had a CPU been free.
    pub queued: f64,
    /// Share of wall time on a CPU that no hit places: the kernel's, where its stacks may not be seen.
    pub unplaced: f64,
}

/// A wait that somebody else's doings explain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behalf {
    /// Position of the wait that this one's thread explains in turn. `None` for the program itself.
    pub outer: Option<u32>,
    /// Who waits: position in the recording's processes.
    pub process: u32,
    /// Where it waits.
    pub stack: Option<u32>,
    depth: u32,
}

/// Time of one kind at one stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Position in [`Trail::behalves`].
    pub behalf: u32,
    pub process: u32,
    pub stack: Option<u32>,
    /// `None`: on a CPU.
    pub charge: Option<Charge>,
    /// Position in the recording's calls.
    pub call: Option<u32>,
    /// Of wall time.
    pub share: f64,
}

type Key = (u32, u32, u32, u32, u32);

/// The trail while the path is walked.
pub(super) struct Collected {
    behalves: Vec<Behalf>,
    known: QuickMap<(u32, u32, u32), u32>,
    /// By behalf, process, stack, charge and call; [`NONE`] for what is not there.
    pieces: QuickMap<Key, u64>,
}

impl Collected {
    pub(super) fn new() -> Self {
        Self {
            behalves: vec![Behalf { outer: None, process: 0, stack: None, depth: 0 }],
            known: QuickMap::default(),
            pieces: QuickMap::default(),
        }
    }

    /// The chain that ends with a wait of `process` at `stack`.
    pub(super) fn behalf(&mut self, outer: u32, process: u32, stack: u32) -> u32 {
        if let Some(known) = self.known.get(&(outer, process, stack)) {
            return *known;
        }
        let depth = self.behalves.get(outer as usize).map_or(0, |behalf| behalf.depth) + 1;
        if depth > DEEPEST || self.behalves.len() >= MOST {
            return outer;
        }
        let index = u32::try_from(self.behalves.len()).unwrap_or(0);
        self.behalves.push(Behalf { outer: Some(outer), process, stack: some(stack), depth });
        self.known.insert((outer, process, stack), index);
        index
    }

    /// Who waits for the one that waits.
    pub(super) fn outer(&self, behalf: u32) -> u32 {
        self.behalves.get(behalf as usize).and_then(|behalf| behalf.outer).unwrap_or(0)
    }

    pub(super) fn computed(&mut self, behalf: u32, process: u32, stack: u32, weight: u64) {
        self.add((behalf, process, stack, NONE, NONE), weight);
    }

    pub(super) fn waited(&mut self, behalf: u32, process: u32, absence: &Absence, nanos: u64) {
        self.add((behalf, process, absence.stack, absence.charge as u32, absence.call), nanos);
    }

    fn add(&mut self, key: Key, amount: u64) {
        let sum = self.pieces.entry(key).or_insert(0);
        *sum = sum.saturating_add(amount);
    }

    /// Each kind of time is scaled to what the account says of it. `sampled`: the share of wall time that hits stand for.
    pub(super) fn finish(self, tally: &Tally, sampled: f64) -> Trail {
        let wall = tally.sum().max(1) as f64;
        let share = |charge: Charge| tally.of(charge) as f64 / wall;
        let mut pieces: Vec<(Key, u64)> = self.pieces.into_iter().collect();
        pieces.sort_unstable();
        let mut sums: QuickMap<u32, f64> = QuickMap::default();
        for ((.., charge, _), amount) in &pieces {
            *sums.entry(*charge).or_insert(0.0) += *amount as f64;
        }
        let hits = sums.get(&NONE).is_some_and(|sum| *sum > 0.0);
        let sampled = if hits { sampled } else { 0.0 };
        let piece = |((behalf, process, stack, charge, call), amount): (Key, u64)| {
            let kind = charge_of(charge);
            let whole = kind.map_or(sampled, share);
            let sum = sums.get(&charge).copied().filter(|sum| *sum > 0.0)?;
            Some(Piece {
                behalf,
                process,
                stack: some(stack),
                charge: kind,
                call: some(call),
                share: amount as f64 / sum * whole,
            })
        };
        let on_cpu = share(Charge::User) + share(Charge::Kernel) + share(Charge::Computing);
        Trail {
            behalves: self.behalves,
            pieces: pieces.into_iter().filter_map(piece).filter(|piece| piece.share > 0.0).collect(),
            queued: share(Charge::Preempted) + share(Charge::Woken),
            unplaced: (on_cpu - sampled).max(0.0),
        }
    }
}

fn some(index: u32) -> Option<u32> {
    (index != NONE).then_some(index)
}

fn charge_of(index: u32) -> Option<Charge> {
    model::leaf::LEAVES.get(index as usize).map(|(charge, _, _)| *charge)
}
