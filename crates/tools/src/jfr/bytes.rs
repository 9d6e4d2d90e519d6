//! Numbers and texts of a flight recording, with the place they stand at.

use super::FORMAT;
use crate::ParseError;

pub(super) struct Bytes<'a> {
    left: &'a [u8],
    /// Where `left` begins in the file.
    at: usize,
}

/// A text, or the number of one among the constants.
pub(super) enum Text {
    Here(String),
    Constant(u64),
}

impl<'a> Bytes<'a> {
    pub(super) fn new(left: &'a [u8], at: usize) -> Self {
        Self { left, at }
    }

    pub(super) fn bad(&self, wanted: &'static str) -> ParseError {
        let found = self.left.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        ParseError::BadValue { format: FORMAT, place: format!("byte {}", self.at), found, wanted }
    }

    pub(super) fn take(&mut self, length: usize, wanted: &'static str) -> Result<&'a [u8], ParseError> {
        let cut = ParseError::CutAt { format: FORMAT, byte: self.at, wanted };
        let (taken, left) = self.left.split_at_checked(length).ok_or(cut)?;
        self.left = left;
        self.at += length;
        Ok(taken)
    }

    /// A number of so many bytes, the highest first.
    pub(super) fn fixed(&mut self, length: usize) -> Result<u64, ParseError> {
        let bytes = self.take(length, "a number")?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Groups of seven bits, the lowest first, the highest bit of a byte says that another follows; a ninth byte is whole.
    pub(super) fn number(&mut self) -> Result<u64, ParseError> {
        let mut number = 0_u64;
        for group in 0..9 {
            let byte = self.take(1, "a number")?.first().copied().unwrap_or_default();
            if group == 8 {
                return Ok(number | u64::from(byte) << 56);
            }
            number |= u64::from(byte & 0x7f) << (7 * group);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(number)
    }

    /// The length of something that is not read yet.
    pub(super) fn size(&mut self) -> Result<usize, ParseError> {
        let number = self.number()?;
        usize::try_from(number).map_err(|_| self.bad("a length"))
    }

    /// How many values follow, each at least a byte long.
    pub(super) fn count(&mut self) -> Result<usize, ParseError> {
        let count = self.size()?;
        if count > self.left.len() { Err(self.bad("a count of what follows")) } else { Ok(count) }
    }

    /// `None` where there is none.
    pub(super) fn text(&mut self) -> Result<Option<Text>, ParseError> {
        let encoding = self.take(1, "a text")?.first().copied().unwrap_or_default();
        Ok(match encoding {
            0 => None,
            1 => Some(Text::Here(String::new())),
            2 => Some(Text::Constant(self.number()?)),
            3 => {
                let length = self.count()?;
                Some(Text::Here(String::from_utf8_lossy(self.take(length, "a text")?).into_owned()))
            }
            4 => {
                let length = self.count()?;
                let units = (0..length).map(|_| self.number());
                let units: Vec<u16> = units
                    .map(|unit| Ok(u16::try_from(unit?).unwrap_or(0xfffd)))
                    .collect::<Result<_, ParseError>>()?;
                Some(Text::Here(String::from_utf16_lossy(&units)))
            }
            5 => {
                let length = self.count()?;
                let bytes = self.take(length, "a text")?;
                Some(Text::Here(bytes.iter().map(|byte| char::from(*byte)).collect()))
            }
            _ => return Err(self.bad("an encoding of text from 0 to 5")),
        })
    }
}
