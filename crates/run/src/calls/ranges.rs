//! Which bytes of a file were touched.

use std::collections::BTreeMap;

/// More separate pieces than this are not kept.
const MOST: usize = 100_000;

/// Merged, disjoint pieces.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    /// End by start.
    pieces: BTreeMap<u64, u64>,
    covered: u64,
    /// There were too many pieces, or a place that is not known.
    lost: bool,
}

impl Ranges {
    /// Adds a piece; how many of its bytes were there before. `None` once that cannot be told.
    pub(super) fn add(&mut self, start: u64, length: u64) -> Option<u64> {
        if self.lost {
            return None;
        }
        let end = start.checked_add(length)?;
        let (mut from, mut to, mut known) = (start, end, 0);
        while let Some((&piece, &piece_end)) =
            self.pieces.range(..=to).next_back().filter(|(_, end)| **end >= from)
        {
            known += piece_end.min(end).saturating_sub(piece.max(start));
            self.covered -= piece_end - piece;
            (from, to) = (from.min(piece), to.max(piece_end));
            self.pieces.remove(&piece);
        }
        if from < to {
            self.pieces.insert(from, to);
            self.covered += to - from;
        }
        if self.pieces.len() > MOST {
            self.lose();
        }
        Some(known)
    }

    /// Something was touched, and nobody knows where.
    pub(super) fn lose(&mut self) {
        self.lost = true;
        self.pieces = BTreeMap::new();
    }

    /// Different bytes touched. `None` when that cannot be told.
    pub(super) fn covered(&self) -> Option<u64> {
        (!self.lost).then_some(self.covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_touched_twice_are_told_and_counted_once() {
        let mut ranges = Ranges::default();
        for (start, length, known, covered) in [
            (0, 10, 0, 10),
            (20, 10, 0, 20),
            (10, 10, 0, 30),
            (0, 30, 30, 30),
            (25, 10, 5, 35),
            (100, 0, 0, 35),
            (50, 1, 0, 36),
            (0, 200, 36, 200),
        ] {
            assert_eq!(ranges.add(start, length), Some(known), "{start}+{length}");
            assert_eq!(ranges.covered(), Some(covered), "{start}+{length}");
        }
        assert_eq!(ranges.pieces.len(), 1);
    }

    #[test]
    fn pieces_agree_with_a_plain_set_of_bytes() {
        let (mut ranges, mut bytes, mut seed) = (Ranges::default(), std::collections::BTreeSet::new(), 1_u64);
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (start, length) = (seed >> 33 & 0x3ff, seed >> 60);
            let known = (start..start + length).filter(|byte| !bytes.insert(*byte)).count() as u64;
            assert_eq!(ranges.add(start, length), Some(known));
            assert_eq!(ranges.covered(), Some(bytes.len() as u64));
        }
    }

    #[test]
    fn a_lost_place_makes_the_whole_unknown() {
        let mut ranges = Ranges::default();
        ranges.add(0, 10);
        ranges.lose();
        assert_eq!(ranges.add(0, 10), None);
        assert_eq!(ranges.covered(), None);
    }
}
