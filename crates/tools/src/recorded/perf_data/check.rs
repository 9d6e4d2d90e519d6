//! A look at a file before the reader of the crate sees it: all its sizes lie inside the file.
//!
//! The crate reserves room by the file's own numbers, so a damaged one would take all memory.

use super::super::RecordedError;
use super::NAME;
use super::fields::{Fields, Order};

const HEADER: usize = 104;
const PIPE_HEADER: u64 = 16;
const AUXTRACE: u32 = 71;
const HEADER_FEATURE: u32 = 80;
const COMPRESSED: [u32; 2] = [81, 83];
/// The number of the feature that describes the events.
const EVENT_DESC: u64 = 12;
const LARGEST_ATTR: u64 = 4096;

/// How the file was written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// To a file, with a table of its parts.
    File,
    /// To a pipe: records only.
    Pipe,
}

/// The layout of a file that can be read; an error when it is cut or its numbers cannot be true.
pub(super) fn layout(bytes: &[u8], order: Order) -> Result<Layout, RecordedError> {
    let mut header = Fields::new(bytes, order);
    header.skip(8)?;
    let size = header.u64()?;
    if size == PIPE_HEADER {
        records(part(bytes, PIPE_HEADER, bytes.len() as u64 - PIPE_HEADER)?, order)?;
        return Ok(Layout::Pipe);
    }
    let attr_size = header.u64()?;
    let attrs = section(bytes, &mut header)?;
    let data_at = header.u64()?;
    let data_size = header.u64()?;
    if data_size == 0 {
        return Err(cut("the size of its records; perf was killed before it wrote that"));
    }
    let data = part(bytes, data_at, data_size)?;
    let types = section(bytes, &mut header)?;
    let unlikely = attr_size == 0 || attr_size > LARGEST_ATTR || attrs.is_empty() || !types.is_empty();
    if header.at() != HEADER - 32 || size > bytes.len() as u64 || unlikely {
        return Err(super::unsupported("a header of another version".to_owned()));
    }
    let mut features = (data_at + data_size, 0_u64);
    for word in 0..4 {
        let bits = header.u64()?;
        for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
            let row = part(bytes, features.0, 16)?;
            let mut row = Fields::new(row, order);
            let feature = section(bytes, &mut row)?;
            features = (features.0 + 16, features.1.saturating_add(feature.len() as u64));
            if word * 64 + bit == EVENT_DESC {
                event_descriptions(feature, order)?;
            }
        }
    }
    if features.1 > bytes.len() as u64 {
        return Err(super::bad("the size of the features", features.1, "less than the file"));
    }
    records(data, order)?;
    Ok(Layout::File)
}

fn section<'a>(bytes: &'a [u8], fields: &mut Fields<'_>) -> Result<&'a [u8], RecordedError> {
    let (start, size) = (fields.u64()?, fields.u64()?);
    part(bytes, start, size)
}

fn part(bytes: &[u8], start: u64, size: u64) -> Result<&[u8], RecordedError> {
    let end = start.checked_add(size).and_then(|end| usize::try_from(end).ok());
    let start = usize::try_from(start).ok();
    let part = start.zip(end).and_then(|(start, end)| bytes.get(start..end));
    part.ok_or_else(|| cut("a part that its header names"))
}

/// Every record lies inside its part of the file and can be read.
fn records(bytes: &[u8], order: Order) -> Result<(), RecordedError> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let mut fields = Fields::new(rest, order);
        let (kind, _misc, size) = (fields.u32()?, fields.u16()?, fields.u16()?);
        let mut length = usize::from(size);
        if COMPRESSED.contains(&kind) {
            return Err(RecordedError::Unsupported {
                format: NAME,
                found: "compressed records (perf record -z)".to_owned(),
                remedy: "unpack it with `perf inject -i FILE -o PLAIN`, and import that",
            });
        }
        if length < 8 {
            return Err(super::bad("the size of a record", u64::from(size), "at least 8"));
        }
        if kind == AUXTRACE {
            let more = usize::try_from(fields.u64()?).ok();
            length = more.and_then(|more| length.checked_add(more)).unwrap_or(usize::MAX);
        }
        let (record, behind) = rest.split_at_checked(length).ok_or_else(|| cut("the end of a record"))?;
        if kind == HEADER_FEATURE && Fields::new(record, order).skipped(8)?.u64()? == EVENT_DESC {
            event_descriptions(record.get(16..).unwrap_or_default(), order)?;
        }
        rest = behind;
    }
    Ok(())
}

/// The numbers and lengths in the description of the events.
fn event_descriptions(bytes: &[u8], order: Order) -> Result<(), RecordedError> {
    let mut fields = Fields::new(bytes, order);
    let (number, attr_size) = (fields.u32()?, fields.u32()?);
    // Each takes its attributes at least.
    if u64::from(number) * u64::from(attr_size.max(64)) > bytes.len() as u64 {
        return Err(super::bad("the number of events", u64::from(number), "as many as there are"));
    }
    for _ in 0..number {
        fields.skip(attr_size as usize)?;
        let ids = fields.u32()? as usize;
        let name = fields.u32()? as usize;
        fields.skip(name)?;
        fields.skip(ids.saturating_mul(8))?;
    }
    Ok(())
}

pub(super) fn cut(wanted: &'static str) -> RecordedError {
    RecordedError::Cut { format: NAME, wanted }
}
