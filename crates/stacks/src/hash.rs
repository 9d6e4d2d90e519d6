//! A quick hash for keys that nobody chooses to harm us: numbers we made ourselves, addresses.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// One multiplication a word; the high bits are the good ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quick(u64);

/// 2^64 divided by the golden ratio, odd.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
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
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(SPREAD);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word.cast_unsigned() as u64);
    }
}
