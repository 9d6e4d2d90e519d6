//! HotSpot's packed numbers (`utilities/unsigned5.hpp`, until JDK 19 in `code/compressedStream.cpp`): small ones in one
//! byte, the largest in five.

/// Bytes from here on say that another byte follows.
const LARGE: u32 = 192;
const BITS: u32 = 6;
const MOST_BYTES: u32 = 5;

/// How a JVM packs numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packing {
    /// Since JDK 20 no byte of a number is zero.
    pub(super) without_zero: bool,
}

/// A place in packed bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<'a> {
    pub(super) packing: Packing,
    pub(super) bytes: &'a [u8],
}

impl Packed<'_> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// `None` when the bytes end within the number.
    pub(super) fn unsigned(&mut self) -> Option<u32> {
        let excluded = u32::from(self.packing.without_zero);
        let large = LARGE - excluded;
        let mut sum = 0_u32;
        for at in 0..MOST_BYTES {
            let digit = u32::from(self.byte()?).checked_sub(excluded)?;
            sum = sum.wrapping_add(digit.wrapping_shl(BITS * at));
            if digit < large {
                break;
            }
        }
        Some(sum)
    }

    /// The sign is the lowest bit.
    pub(super) fn signed(&mut self) -> Option<i32> {
        let number = self.unsigned()?;
        let half = (number >> 1).cast_signed();
        Some(if number & 1 == 0 { half } else { !half })
    }
}

/// Of a method: the first instruction of each piece, and its line.
///
/// A byte of zero ends the table, one of 255 announces two whole numbers, any other holds both differences. `None` when
/// it has no end.
pub(super) fn lines(mut table: Packed<'_>) -> Option<Vec<(u32, u32)>> {
    const END: u8 = 0;
    const WIDE: u8 = 255;
    let (mut instruction, mut line) = (0_u32, 0_u32);
    let mut lines = Vec::new();
    loop {
        let (forward, lower) = match table.byte()? {
            END => return Some(lines),
            WIDE => (table.signed()?, table.signed()?),
            both => (i32::from(both >> 3), i32::from(both & 7)),
        };
        instruction = instruction.checked_add_signed(forward)?;
        line = line.checked_add_signed(lower)?;
        lines.push((instruction, line));
    }
}

/// The line of an instruction: that of the last piece which begins no later.
pub(super) fn line_of(lines: &[(u32, u32)], instruction: u32) -> Option<u32> {
    let begun = lines.iter().filter(|(from, _)| *from <= instruction);
    // Pieces stand in the order of the source, not of the code.
    begun.max_by_key(|(from, _)| *from).map(|(_, line)| *line).filter(|line| *line > 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn arbitrary_bytes_are_a_table_or_none(bytes: Vec<u8>, without_zero: bool, at: u32) {
            let table = lines(packed(&bytes, without_zero)).unwrap_or_default();
            prop_assert!(table.len() <= bytes.len());
            line_of(&table, at);
        }
    }

    fn packed(bytes: &[u8], without_zero: bool) -> Packed<'_> {
        Packed { packing: Packing { without_zero }, bytes }
    }

    #[test]
    fn numbers_take_one_to_five_bytes() {
        assert_eq!(packed(&[0], false).unsigned(), Some(0));
        assert_eq!(packed(&[191], false).unsigned(), Some(191));
        assert_eq!(packed(&[192, 0], false).unsigned(), Some(192));
        assert_eq!(packed(&[255, 2], false).unsigned(), Some(255 + 128));
        assert_eq!(packed(&[1], true).unsigned(), Some(0));
        assert_eq!(packed(&[192, 1], true).unsigned(), Some(191));
        assert_eq!(packed(&[3], false).signed(), Some(-2));
        assert_eq!(packed(&[4], false).signed(), Some(2));
    }

    #[test]
    fn a_cut_number_is_none() {
        assert_eq!(packed(&[], false).unsigned(), None);
        assert_eq!(packed(&[192], false).unsigned(), None);
        assert_eq!(packed(&[0], true).unsigned(), None);
    }

    #[test]
    fn a_table_of_lines_ends_with_zero_and_is_nothing_without() {
        // Instruction 0 is line 10, instruction 5 line 12, instruction 3 line 300.
        let table = [255, 0, 20, (5 << 3) | 2, 255, 3, 192, 6, 0];
        let whole = lines(packed(&table, false)).unwrap();
        assert_eq!(whole, [(0, 10), (5, 12), (3, 300)]);
        assert_eq!([0, 2, 3, 4, 5, 9].map(|at| line_of(&whole, at)), [10, 10, 300, 300, 12, 12].map(Some));
        for length in 0..table.len() {
            assert_eq!(lines(packed(&table[..length], false)), None, "{length}");
        }
    }
}
