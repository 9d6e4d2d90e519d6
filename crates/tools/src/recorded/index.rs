//! Finding what was seen before: hash tables of positions.
//!
//! The things themselves lie in tables elsewhere; four bytes a thing are all that is added. Hashes differ from run to
//! run, so no file can be built to make them collide; positions, and with them all results, do not.

use std::hash::{BuildHasher, Hasher, RandomState};

const FREE: u32 = u32::MAX;
/// An odd number without pattern (the golden ratio of 2^64).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Positions of things in a table of the caller's, found by hash. Open addressing, at most three quarters full.
pub(super) struct Index {
    slots: Vec<u32>,
    used: usize,
    seed: u64,
}

impl Index {
    pub(super) fn new() -> Self {
        Self { slots: vec![FREE; 64], used: 0, seed: RandomState::new().build_hasher().finish() }
    }

    pub(super) fn hash(&self, bytes: &[u8]) -> u64 {
        let (words, rest) = bytes.as_chunks::<8>();
        let whole = words.iter().fold(self.seed, |hash, word| mix(hash, u64::from_le_bytes(*word)));
        let rest = rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
        // The length tells `a` from `\0a`.
        mix(mix(whole, rest), bytes.len() as u64)
    }

    pub(super) fn hash_pair(&self, first: u32, second: u32) -> u64 {
        mix(self.seed, (u64::from(first) << 32) | u64::from(second))
    }

    pub(super) fn hash_words(&self, words: [u64; 2]) -> u64 {
        words.iter().fold(self.seed, |hash, word| mix(hash, *word))
    }

    /// The position whose thing `is` the one looked for.
    pub(super) fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = place(hash, mask);
        loop {
            let position = self.slots.get(slot).copied().unwrap_or(FREE);
            if position == FREE {
                return None;
            }
            if is(position) {
                return Some(position);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a position that is not there yet. `hash_of` gives the hashes of those that are, for when the table grows.
    pub(super) fn add(&mut self, hash: u64, position: u32, hash_of: impl Fn(&Self, u32) -> u64) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            let larger = vec![FREE; self.slots.len() * 2];
            for old in std::mem::replace(&mut self.slots, larger) {
                if old != FREE {
                    let hash = hash_of(self, old);
                    self.put(hash, old);
                }
            }
        }
        self.put(hash, position);
        self.used += 1;
    }

    fn put(&mut self, hash: u64, position: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = place(hash, mask);
        while let Some(there) = self.slots.get_mut(slot) {
            if *there == FREE {
                *there = position;
                return;
            }
            slot = (slot + 1) & mask;
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only the low bits are wanted")]
fn place(hash: u64, mask: usize) -> usize {
    hash as usize & mask
}

/// Both halves of a product, so that every bit of the input reaches every bit of the result.
#[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(FACTOR);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Names that are parts of the input, each numbered once.
pub(super) struct Names<'a> {
    names: Vec<(&'a [u8], u32)>,
    index: Index,
}

impl<'a> Names<'a> {
    pub(super) fn new() -> Self {
        Self { names: Vec::new(), index: Index::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &'a [u8]> {
        self.names.iter().map(|(name, _)| *name)
    }

    /// Forgets all names but those at these places, which are numbered by their order.
    pub(super) fn keep(&mut self, places: &[u32]) {
        let old = std::mem::replace(self, Self::new());
        for (number, place) in (0_u32..).zip(places) {
            if let Some((name, _)) = old.names.get(*place as usize) {
                let _: Result<u32, ()> = self.number(name, || Ok(number));
            }
        }
    }

    /// The number of a name; `make` gives that of a new one.
    pub(super) fn number<E>(
        &mut self,
        name: &'a [u8],
        make: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let hash = self.index.hash(name);
        let same = |at: u32| self.names.get(at as usize).is_some_and(|(other, _)| *other == name);
        if let Some(at) = self.index.find(hash, same) {
            return Ok(self.names.get(at as usize).map_or(0, |(_, number)| *number));
        }
        let number = make()?;
        // More names than fit are still right, only not found again.
        if let Some(at) = u32::try_from(self.names.len()).ok().filter(|at| *at != FREE) {
            let names = &self.names;
            let hash_of =
                |index: &Index, old: u32| names.get(old as usize).map_or(0, |(other, _)| index.hash(other));
            self.index.add(hash, at, hash_of);
            self.names.push((name, number));
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_keeps_its_number() {
        let texts: Vec<String> = (0..5000).map(|n| format!("{}{n}", "x".repeat(n % 19))).collect();
        let mut names = Names::new();
        for round in 0..2 {
            for (number, text) in texts.iter().enumerate() {
                let number = u32::try_from(number).unwrap();
                let make = || if round == 0 { Ok(number) } else { Err(()) };
                assert_eq!(names.number(text.as_bytes(), make), Ok(number));
            }
        }
    }

    #[test]
    fn a_name_and_its_padded_twin_differ() {
        let index = Index::new();
        assert_ne!(index.hash(b"a"), index.hash(b"\0a"));
        assert_ne!(index.hash(b""), index.hash(b"\0"));
    }
}
