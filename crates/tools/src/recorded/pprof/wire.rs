//! The messages of a profile, and its outermost fields one by one.

use prost::encoding::{WireType, decode_key, decode_varint};

use super::super::RecordedError;
use super::{NAME, bad};

pub(super) const SAMPLE_TYPE: u32 = 1;
pub(super) const SAMPLE: u32 = 2;
pub(super) const MAPPING: u32 = 3;
pub(super) const LOCATION: u32 = 4;
pub(super) const FUNCTION: u32 = 5;
pub(super) const STRING: u32 = 6;
pub(super) const DURATION: u32 = 10;
pub(super) const DEFAULT_TYPE: u32 = 14;

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ValueType {
    #[prost(int64, tag = "1")]
    pub(super) kind: i64,
    #[prost(int64, tag = "2")]
    pub(super) unit: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Sample {
    /// Innermost first.
    #[prost(uint64, repeated, tag = "1")]
    pub(super) locations: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    pub(super) values: Vec<i64>,
    #[prost(message, repeated, tag = "3")]
    pub(super) labels: Vec<Label>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Label {
    #[prost(int64, tag = "1")]
    pub(super) key: i64,
    #[prost(int64, tag = "2")]
    pub(super) text: i64,
    #[prost(int64, tag = "3")]
    pub(super) number: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Mapping {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
    #[prost(uint64, tag = "2")]
    pub(super) start: u64,
    #[prost(uint64, tag = "4")]
    pub(super) offset: u64,
    #[prost(int64, tag = "5")]
    pub(super) file: i64,
    #[prost(int64, tag = "6")]
    pub(super) build_id: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Location {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
    #[prost(uint64, tag = "2")]
    pub(super) mapping: u64,
    #[prost(uint64, tag = "3")]
    pub(super) address: u64,
    #[prost(message, repeated, tag = "4")]
    pub(super) lines: Vec<Line>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Line {
    #[prost(uint64, tag = "1")]
    pub(super) function: u64,
    #[prost(int64, tag = "2")]
    pub(super) line: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Function {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
    #[prost(int64, tag = "2")]
    pub(super) name: i64,
    #[prost(int64, tag = "4")]
    pub(super) file: i64,
}

/// One field of the outermost message.
pub(super) struct Field<'a> {
    pub(super) number: u32,
    /// Of a number.
    pub(super) value: u64,
    /// Of a message or a string.
    pub(super) bytes: Option<&'a [u8]>,
}

/// The fields of the outermost message, in file order.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn field(&mut self) -> Result<Field<'a>, RecordedError> {
        let cut = || RecordedError::Cut { format: NAME, wanted: "the end of a field" };
        let key = decode_key(&mut self.rest);
        let (number, kind) =
            key.map_err(|error| bad("a field", &error.to_string(), "a protocol buffer's"))?;
        let mut field = Field { number, value: 0, bytes: None };
        let length = match kind {
            WireType::Varint => {
                field.value = decode_varint(&mut self.rest).map_err(|_| cut())?;
                return Ok(field);
            }
            WireType::SixtyFourBit => 8,
            WireType::ThirtyTwoBit => 4,
            WireType::LengthDelimited => {
                let length = decode_varint(&mut self.rest).map_err(|_| cut())?;
                usize::try_from(length).map_err(|_| cut())?
            }
            WireType::StartGroup | WireType::EndGroup => return Err(bad("a field", "a group", "known")),
        };
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or_else(cut)?;
        field.bytes = (kind == WireType::LengthDelimited).then_some(bytes);
        self.rest = rest;
        Ok(field)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, RecordedError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.rest = b"";
        }
        Some(field)
    }
}
