//! A quick hash for small keys of our own making. The keys come from positions, so nobody can aim at it, and the order
//! of a map is never shown.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub(super) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

#[derive(Clone, Copy, Default)]
pub(super) struct Quick(u64);

/// Odd, with its bits well spread: the golden ratio's fraction.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Quick {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.mix(u64::from(*byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_isize(&mut self, word: isize) {
        self.mix(word as u64);
    }

    /// Tables take their place from the low bits, which a product leaves poor.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
