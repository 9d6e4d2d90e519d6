//! Hashing for tables that are asked millions of times. Hashes differ from run to run, so no file can be built to make them collide.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A table with the hashes of this module.
pub(super) type Table<K, V> = HashMap<K, V, Seed>;

#[derive(Clone, Copy)]
pub(super) struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }
}

impl BuildHasher for Seed {
    type Hasher = Mixer;

    fn build_hasher(&self) -> Mixer {
        Mixer(self.0)
    }
}

pub(super) struct Mixer(u64);

impl Mixer {
    /// Both halves of a product with the golden ratio of 2^64, so that every bit of the input reaches every bit of the result.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for Mixer {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        // Slices are hashed with their length before them, which tells `a` from `\0a`.
        self.mix(rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte)));
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_again_and_seeds_differ() {
        let mut table: Table<(u32, Option<u32>), u32> = Table::default();
        for number in 0..5000 {
            table.insert((number, number.checked_sub(9)), number);
        }
        assert!((0..5000).all(|number| table.get(&(number, number.checked_sub(9))) == Some(&number)));
        assert_ne!(Seed::default().hash_one(7_u32), Seed::default().hash_one(7_u32));
        let seed = Seed::default();
        assert_ne!(seed.hash_one(&b"a"[..]), seed.hash_one(&b"\0a"[..]));
    }
}
