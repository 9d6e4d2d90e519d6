//! Numbers and texts of a record, one after the other.

use super::super::RecordedError;
use super::check::cut;

/// The order of a number's bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

#[derive(Clone)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    order: Order,
}

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8], order: Order) -> Self {
        Self { bytes, at: 0, order }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn bytes(&mut self, length: usize) -> Result<&'a [u8], RecordedError> {
        let end = self.at.checked_add(length);
        let bytes = end.and_then(|end| self.bytes.get(self.at..end));
        let bytes = bytes.ok_or_else(|| cut("a field of a record"))?;
        self.at += length;
        Ok(bytes)
    }

    pub(super) fn skip(&mut self, length: usize) -> Result<(), RecordedError> {
        self.bytes(length).map(|_| ())
    }

    pub(super) fn skipped(mut self, length: usize) -> Result<Self, RecordedError> {
        self.skip(length)?;
        Ok(self)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], RecordedError> {
        let bytes = self.bytes(N)?;
        let mut array: [u8; N] = bytes.try_into().map_err(|_| cut("a field of a record"))?;
        if self.order == Order::Big {
            array.reverse();
        }
        Ok(array)
    }

    pub(super) fn u8(&mut self) -> Result<u8, RecordedError> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, RecordedError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, RecordedError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, RecordedError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A list of numbers; its length is checked against what is there.
    pub(super) fn list(&mut self, length: u64) -> Result<List<'a>, RecordedError> {
        let length = usize::try_from(length).ok().and_then(|length| length.checked_mul(8));
        let bytes = self.bytes(length.ok_or_else(|| cut("a field of a record"))?)?;
        Ok(List { bytes, order: self.order })
    }

    /// Up to the first zero byte, or all that is left.
    pub(super) fn text(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }
}

/// Numbers of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    bytes: &'a [u8],
    order: Order,
}

impl<'a> List<'a> {
    pub(super) fn iter(self) -> impl Iterator<Item = u64> + 'a {
        let order = self.order;
        self.bytes.as_chunks::<8>().0.iter().map(move |bytes| match order {
            Order::Little => u64::from_le_bytes(*bytes),
            Order::Big => u64::from_be_bytes(*bytes),
        })
    }
}
