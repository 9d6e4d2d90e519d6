//! Numbers, texts and tables of values, as Go's linker writes them.

/// A name or a path is not longer.
const TEXT_LIMIT: usize = 4096;

pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

pub(super) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|number| u32::from_le_bytes(*number))
}

pub(super) fn signed(bytes: &[u8], at: usize) -> Option<i32> {
    number(bytes, at).map(u32::cast_signed)
}

/// The text at a place, up to its zero byte.
pub(super) fn text(bytes: &[u8], at: u32) -> Option<String> {
    let bytes = bytes.get(usize::try_from(at).ok()?..)?;
    let length = bytes.iter().take(TEXT_LIMIT).position(|byte| *byte == 0)?;
    bytes.get(..length).map(|text| String::from_utf8_lossy(text).into_owned())
}

/// The value that a table has for the instruction so many steps into a function: pairs of differences, of the value and
/// of the address up to which it holds. `None` behind its end.
pub(super) fn value_at(table: &[u8], steps: u64) -> Option<i32> {
    let mut rest = table;
    let mut value = -1_i32;
    let mut end = 0_u64;
    let mut is_first = true;
    loop {
        let difference = variable(&mut rest)?;
        if difference == 0 && !is_first {
            return None;
        }
        is_first = false;
        // The lowest bit is the sign.
        let magnitude = (difference >> 1).cast_signed();
        value = value.wrapping_add(if difference & 1 == 0 { magnitude } else { !magnitude });
        end = end.checked_add(u64::from(variable(&mut rest)?))?;
        if steps < end {
            return Some(value);
        }
    }
}

/// A number in groups of seven bits, the lowest first.
fn variable(rest: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_hold_up_to_the_next_difference() {
        // From -1: +8 for 4 steps, -2 for 300 steps.
        let table = [16, 4, 3, 0xac, 2, 0];
        let at = |steps| value_at(&table, steps);
        assert_eq!([at(0), at(3), at(4), at(303), at(304)], [Some(7), Some(7), Some(5), Some(5), None]);
    }

    #[test]
    fn a_table_that_is_cut_has_no_value() {
        assert_eq!(value_at(&[], 0), None);
        assert_eq!(value_at(&[16], 0), None);
        assert_eq!(value_at(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80], 0), None);
    }
}
