//! Lines and numbers of text formats, straight from the bytes.

use super::RecordedError;

/// No tool writes longer lines; what has no end of a line so far is not read to its own.
const LONGEST: usize = 16 << 20;

/// The lines of a text, without their ends. A last line without an end is an error: it may have been cut.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    format: &'static str,
    /// The number of the line last returned, from one.
    pub(super) number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8], format: &'static str) -> Self {
        Self { rest: bytes, format, number: 0 }
    }

    pub(super) fn next(&mut self) -> Result<Option<&'a [u8]>, RecordedError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let cut = || RecordedError::Cut { format: self.format, wanted: "the end of the last line" };
        let near = self.rest.get(..LONGEST).unwrap_or(self.rest);
        let long =
            || RecordedError::LongLine { format: self.format, line: self.number + 1, longest: LONGEST };
        let end = newline(near).ok_or_else(|| if near.len() < self.rest.len() { long() } else { cut() })?;
        let (line, rest) = self.rest.split_at_checked(end).ok_or_else(cut)?;
        self.rest = rest.get(1..).unwrap_or_default();
        self.number += 1;
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

/// Eight bytes at a time: a byte is a newline when it is zero after the newlines are taken away.
fn newline(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word) ^ (ONES * u64::from(b'\n'));
        let zeros = word.wrapping_sub(ONES) & !word & (ONES << 7);
        if zeros != 0 {
            return Some(number * 8 + (zeros.trailing_zeros() / 8) as usize);
        }
    }
    rest.iter().position(|byte| *byte == b'\n').map(|place| words.len() * 8 + place)
}

/// A whole decimal number. `None` for anything else and for what does not fit.
pub(super) fn decimal(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |sum, byte| {
        let digit = byte.is_ascii_digit().then(|| byte - b'0')?;
        sum.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// A whole hexadecimal number, without prefix.
pub(super) fn hexadecimal(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 16 {
        return None;
    }
    text.iter().try_fold(0_u64, |sum, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        Some((sum << 4) | u64::from(digit))
    })
}

/// The first word and what stands behind it.
pub(super) fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, b""))
}

/// What stands before and behind the first such byte.
pub(super) fn split_once(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|other| *other == byte)?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}

/// Where a shorter text first lies in a longer one.
pub(super) fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len().max(1)).position(|window| window == wanted)
}

pub(super) fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newline_is_found_wherever_it_stands() {
        for length in 0..40 {
            for place in 0..length {
                // 0x0b and 0x8a are what a careless trick takes for a newline.
                let mut bytes = vec![[0x0b, 0x8a, b'x'][place % 3]; length];
                assert_eq!(newline(&bytes), None);
                bytes[place] = b'\n';
                assert_eq!(newline(&bytes), Some(place));
                bytes[length - 1] = b'\n';
                assert_eq!(newline(&bytes), Some(place));
            }
        }
    }

    #[test]
    fn a_line_that_does_not_end_is_not_read_to_the_end_of_the_file() {
        let mut bytes = b"a;b 1\n".to_vec();
        bytes.resize(LONGEST + 100, 0);
        let mut lines = Lines::new(&bytes, "text");
        assert_eq!(lines.next().unwrap(), Some(&b"a;b 1"[..]));
        assert!(matches!(lines.next(), Err(RecordedError::LongLine { line: 2, .. })));
    }

    #[test]
    fn numbers_are_whole_or_nothing() {
        assert_eq!(decimal(b"18446744073709551615"), Some(u64::MAX));
        for text in ["", "18446744073709551616", "1x", "-1", "1.5"] {
            assert_eq!(decimal(text.as_bytes()), None, "{text}");
        }
        assert_eq!(hexadecimal(b"ffffffffffffffff"), Some(u64::MAX));
        assert_eq!(hexadecimal(b"0ffffffffffffffff"), None);
    }
}
