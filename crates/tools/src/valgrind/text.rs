//! Lines and numbers of valgrind's text formats, straight from the bytes.

use crate::ParseError;

/// The text not read yet.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) rest: &'a [u8],
    /// Of the line that `rest` begins with, from 1.
    number: usize,
    format: &'static str,
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8], format: &'static str) -> Self {
        Self { rest: bytes, number: 1, format }
    }

    /// The next line, without its end. Without that end it may be cut short.
    pub(super) fn line(&mut self, wanted: &'static str) -> Result<&'a [u8], ParseError> {
        let end = self.rest.iter().position(|byte| *byte == b'\n').ok_or_else(|| self.cut(wanted))?;
        let (line, after) = self.rest.split_at_checked(end).ok_or_else(|| self.cut(wanted))?;
        self.past(after.strip_prefix(b"\n").unwrap_or_default());
        Ok(line)
    }

    /// Goes on behind a line that was read without looking for its end first.
    pub(super) fn past(&mut self, rest: &'a [u8]) {
        self.rest = rest;
        self.number += 1;
    }

    /// The value of a `cmd:` line, whose first line was just read from `before`. It has line breaks if its arguments have, so it
    /// goes on until the text `ends` it.
    pub(super) fn command(&mut self, before: Self, ends: fn(&[u8]) -> bool) -> Result<&'a [u8], ParseError> {
        while !ends(self.rest) {
            self.line("the end of the command")?;
        }
        let length = before.rest.len() - self.rest.len();
        let lines = before.rest.get(..length.saturating_sub(1)).unwrap_or_default();
        Ok(lines.strip_prefix(b"cmd:").unwrap_or(lines).trim_ascii_start())
    }

    pub(super) fn cut(&self, wanted: &'static str) -> ParseError {
        ParseError::Cut { format: self.format, line: self.number, wanted }
    }

    /// Why the line at which the text stands is not understood: it is cut, or it is another kind of line.
    pub(super) fn refused(&self, wanted: &'static str) -> ParseError {
        let mut whole = *self;
        whole.line(wanted).err().unwrap_or_else(|| self.unknown())
    }

    pub(super) fn unknown(&self) -> ParseError {
        let line = self.rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        ParseError::UnknownLine {
            format: self.format,
            line: self.number,
            text: String::from_utf8_lossy(line).chars().take(80).collect(),
        }
    }
}

pub(super) fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty())
}

pub(super) fn past_blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', after @ ..] = text {
        text = after;
    }
    text
}

/// The decimal number the text begins with, and the text after it. `None` when there is none or it does not fit 64 bits.
#[inline]
pub(super) fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let [first @ b'0'..=b'9', rest @ ..] = text else {
        return None;
    };
    let mut rest = rest;
    let mut value = u64::from(first - b'0');
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        let digit = u64::from(digit - b'0');
        // Nearly all are far from the largest number.
        value = if value < u64::MAX / 10 {
            value * 10 + digit
        } else {
            value.checked_mul(10)?.checked_add(digit)?
        };
        rest = after;
    }
    Some((value, rest))
}

/// The same for a number that is hexadecimal when it begins with `0x`.
#[inline]
pub(super) fn number_or_address(text: &[u8]) -> Option<(u64, &[u8])> {
    let Some(digits) = text.strip_prefix(b"0x") else {
        return number(text);
    };
    let length = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let (digits, rest) = digits.split_at_checked(length)?;
    Some((hexadecimal(digits)?, rest))
}

/// `None` when it is not one hexadecimal number of at most 64 bits.
pub(super) fn hexadecimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    digits.iter().try_fold(0, |value: u64, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        Some((value << 4) | u64::from(digit))
    })
}

/// A field that is one number and nothing else.
pub(super) fn whole(field: &[u8]) -> Option<u64> {
    number(field).filter(|(_, rest)| rest.is_empty()).map(|(value, _)| value)
}

/// Reads counts up to and with the line end: how many there were, written to the beginning of `room`, and the text after them.
/// `None` when something else stands there, when there are more than `room` takes, or when the line is cut.
#[inline]
pub(super) fn counts<'a>(text: &'a [u8], room: &mut [u64]) -> Option<(usize, &'a [u8])> {
    let mut rest = text;
    let mut counted = 0;
    loop {
        let spaced = past_blanks(rest);
        if let [b'\n', after @ ..] = spaced {
            return Some((counted, after));
        }
        // Two numbers without a blank between them are no counts.
        if spaced.len() == rest.len() {
            return None;
        }
        let (count, after) = match spaced {
            // Cachegrind's way to write that an event did not happen there.
            [b'.', after @ ..] => (0, after),
            _ => number(spaced)?,
        };
        *room.get_mut(counted)? = count;
        counted += 1;
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_counts_are_read() {
        for (text, wanted) in [
            (" 2\nx", Some(1)),
            (" 2 3 \nx", Some(2)),
            ("\nx", Some(0)),
            (" .\nx", Some(1)),
            (" 2", None),
            (" 2 3 4\nx", None),
            (" 2x\nx", None),
            (" .2\nx", None),
            (" +2\nx", None),
            ("x\n", None),
            ("", None),
        ] {
            let read = counts(text.as_bytes(), &mut [0; 2]).map(|(counted, rest)| {
                assert_eq!(rest, b"x");
                counted
            });
            assert_eq!(read, wanted, "{text:?}");
        }
    }

    #[test]
    fn addresses_have_a_prefix_and_sixteen_digits_at_most() {
        for (text, wanted) in [
            ("0x1f 2", Some((0x1f, " 2"))),
            ("12 2", Some((12, " 2"))),
            ("0x", None),
            ("0x12345678901234567", None),
            ("0xffffffffffffffff", Some((u64::MAX, ""))),
        ] {
            let read = number_or_address(text.as_bytes());
            assert_eq!(read, wanted.map(|(value, rest)| (value, rest.as_bytes())), "{text}");
        }
    }
}
