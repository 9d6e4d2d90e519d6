//! Which line an instruction belongs to: the three tables CPython has used.
//!
//! Formats: `Objects/lnotab_notes.txt` (3.8, 3.9 and 3.10) and `InternalDocs/code_objects.md` (from 3.11) in CPython's
//! sources. Checked against 3.8.18, 3.9.18, 3.10.13, 3.11.7, 3.12.1, 3.13.0, 3.14.10 and 3.15.2.

/// How a version writes its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    /// `co_lnotab`, 3.8 and 3.9: steps of address and line.
    Steps,
    /// `co_linetable` of 3.10: lengths and steps of line, some ranges without a line.
    Ranges,
    /// `co_linetable` from 3.11: entries with columns.
    Locations,
}

/// Where each run of instructions begins and its line, ordered by address. `None`: no line of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines(Vec<(u32, Option<u32>)>);

impl Lines {
    /// Reads a table. What is cut short or does not fit ends it; it never panics.
    pub(crate) fn parse(table: Table, bytes: &[u8], first_line: u32) -> Self {
        let mut lines = Self(Vec::new());
        match table {
            Table::Steps => lines.add_steps(bytes, first_line),
            Table::Ranges => lines.add_ranges(bytes, first_line),
            Table::Locations => lines.add_locations(bytes, first_line),
        }
        lines
    }

    /// The line of the instruction at this byte offset.
    pub(crate) fn at(&self, offset: u32) -> Option<u32> {
        let after = self.0.partition_point(|(start, _)| *start <= offset);
        self.0.get(after.checked_sub(1)?)?.1
    }

    fn add_steps(&mut self, bytes: &[u8], first_line: u32) {
        let (mut address, mut line) = (0, i64::from(first_line));
        self.push(address, Some(line));
        for pair in bytes.chunks_exact(2) {
            let [step, line_step] = *pair else { break };
            address += u32::from(step);
            line += i64::from(line_step.cast_signed());
            self.push(address, Some(line));
        }
    }

    fn add_ranges(&mut self, bytes: &[u8], first_line: u32) {
        let (mut address, mut line) = (0, i64::from(first_line));
        for pair in bytes.chunks_exact(2) {
            let [length, line_step] = *pair else { break };
            // −128 says that the range has no line; the count goes on from the line before.
            let step = line_step.cast_signed();
            if step == i8::MIN {
                self.push(address, None);
            } else {
                line += i64::from(step);
                self.push(address, Some(line));
            }
            address += u32::from(length);
        }
        self.push(address, None);
    }

    fn add_locations(&mut self, bytes: &[u8], first_line: u32) {
        let (mut address, mut line) = (0_u32, i64::from(first_line));
        let mut rest = bytes.iter().copied();
        while let Some(head) = rest.next() {
            // Only the first byte of an entry has the top bit: the others are its columns.
            if head & 0x80 == 0 {
                continue;
            }
            let units = u32::from(head & 7) + 1;
            match (head >> 3) & 15 {
                15 => self.push(address, None),
                kind => {
                    line += match kind {
                        13 | 14 => signed(&mut rest).unwrap_or(0),
                        10..=12 => i64::from(kind) - 10,
                        _ => 0,
                    };
                    self.push(address, Some(line));
                }
            }
            // A unit is two bytes.
            address = address.saturating_add(units * 2);
        }
        self.push(address, None);
    }

    fn push(&mut self, address: u32, line: Option<i64>) {
        let line = line.and_then(|line| u32::try_from(line).ok());
        match self.0.last_mut() {
            Some(last) if last.0 == address => last.1 = line,
            Some(last) if last.1 == line => {}
            _ => self.0.push((address, line)),
        }
    }
}

/// Six bits a byte, smallest first, 0x40 says that more follow; the lowest bit of all is the sign.
fn signed(bytes: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let mut value = 0_i64;
    for shift in (0..36).step_by(6) {
        let byte = bytes.next()?;
        value |= i64::from(byte & 0x3f) << shift;
        if byte & 0x40 == 0 {
            break;
        }
    }
    Some(if value & 1 == 0 { value >> 1 } else { -(value >> 1) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(table: Table, bytes: &[u8], expected: &[(u32, Option<u32>)]) {
        let lines = Lines::parse(table, bytes, 10);
        for (offset, line) in expected {
            assert_eq!(lines.at(*offset), *line, "offset {offset} of {bytes:?}");
        }
    }

    #[test]
    fn steps_go_forward_and_back() {
        check(
            Table::Steps,
            &[0, 1, 6, 2, 4, 0xff],
            &[(0, Some(11)), (5, Some(11)), (6, Some(13)), (10, Some(12))],
        );
        check(Table::Steps, &[], &[(0, Some(10)), (400, Some(10))]);
    }

    #[test]
    fn a_range_without_a_line_has_none_and_the_count_goes_on() {
        check(
            Table::Ranges,
            &[4, 1, 2, 0x80, 4, 2],
            &[(0, Some(11)), (4, None), (6, Some(13)), (9, Some(13)), (10, None)],
        );
    }

    #[test]
    fn locations_of_every_kind() {
        // One unit short form; two units, one line on; no location; long form three lines back.
        let bytes = [0x80, 0x12, 0xd9, 1, 2, 0xf8, 0xf0, 7, 0, 1, 1];
        check(
            Table::Locations,
            &bytes,
            &[(0, Some(10)), (2, Some(11)), (5, Some(11)), (6, None), (8, Some(8)), (10, None)],
        );
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>, first_line: u32, offset: u32) {
            for table in [Table::Steps, Table::Ranges, Table::Locations] {
                Lines::parse(table, &bytes, first_line).at(offset);
            }
        }
    }
}
