//! Code objects: their names, files and lines, read once and kept.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::Torn;
use super::lines::{Lines, Table};
use super::memory::{self, Memory, half_at, word_at};
use super::offsets::{FrameSize, Offsets};

/// One function, method, comprehension or module body: position in the interpreter's table. Never used again for
/// another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodeId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// Qualified (`Parser.feed`) from 3.11 on, plain before.
    pub name: String,
    /// As the interpreter was told; may be relative, or no file at all (`<string>`).
    pub file: String,
    pub first_line: u32,
}

/// What tells one code object from another that was later made at the same address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    file: u64,
    name: u64,
    lines: u64,
    first_line: u32,
    /// From 3.11 the number of instructions, before that of arguments.
    size: u64,
    /// Until 3.10 the `bytes` that hold the instructions.
    bytes: Option<u64>,
    /// From 3.11 how long its frames are.
    pub(crate) frame: Option<u64>,
}

/// A code object at its address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolved {
    pub(crate) address: u64,
    pub(crate) id: CodeId,
    /// Where its instructions begin, and their length in bytes.
    pub(crate) start: u64,
    pub(crate) length: u64,
    /// Until 3.10: the frame that it kept for its next call when it was last looked at, or null.
    pub(crate) kept: u64,
    /// From 3.11: the length of its frames in bytes. `None` where the version does not tell.
    pub(crate) frame: Option<u64>,
}

/// A code object as it was read.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Source {
    code: Code,
    table: Vec<u8>,
}

#[derive(Debug, Default)]
pub(crate) struct Codes {
    known: HashMap<u64, (Identity, Resolved)>,
    /// The same by where their instructions begin.
    starts: BTreeMap<u64, Resolved>,
    ids: HashMap<Arc<Source>, CodeId>,
    sources: Vec<(Arc<Source>, Lines)>,
}

/// Where the type of an object stands, in every version that has a lock.
pub(crate) const OBJECT_TYPE: usize = 8;

/// The number of items, in objects that have one.
const OBJECT_SIZE: usize = 16;

/// What of a code object must be looked at each time: everything from its type on.
pub(crate) const CODE_START: u64 = OBJECT_TYPE as u64;

/// Programs that make code without end would fill the table of addresses.
const MOST_KNOWN: usize = 1 << 16;

/// Longer names, paths and tables are taken for garbage.
const LONGEST_STRING: u64 = 1 << 14;
const LONGEST_TABLE: u64 = 1 << 24;

impl Identity {
    /// `None` when it is not a code object. `bytes` begins at [`CODE_START`].
    pub(crate) fn parse(bytes: &[u8], offsets: &Offsets, code_type: u64) -> Option<Self> {
        let start = OBJECT_TYPE;
        let word = |offset: usize| word_at(bytes, offset.checked_sub(start)?);
        if word(OBJECT_TYPE)? != code_type {
            return None;
        }
        Some(Self {
            file: word(offsets.code_file)?,
            name: word(offsets.code_best_name())?,
            lines: word(offsets.code_lines)?,
            first_line: half_at(bytes, offsets.code_first_line.checked_sub(start)?)?,
            size: word(OBJECT_SIZE)?,
            bytes: offsets.code_objects().and_then(|(bytes, _)| word(bytes)),
            frame: frame_size(bytes, offsets),
        })
    }

    /// Where the instructions begin, and their length in bytes. `None` when they are not what they should be.
    fn instructions<M: Memory>(
        &self,
        memory: &M,
        offsets: &Offsets,
        address: u64,
    ) -> Result<Option<(u64, u64)>, Torn> {
        let Some(bytes) = self.bytes else {
            let inside = offsets.code_instructions().map(|inside| address.wrapping_add(inside as u64));
            return Ok(inside.map(|start| (start, self.size.saturating_mul(2))));
        };
        let length = memory::word(memory, bytes.wrapping_add(OBJECT_SIZE as u64))?;
        let length = length.filter(|length| *length <= LONGEST_TABLE);
        Ok(length.map(|length| (bytes.wrapping_add(offsets.bytes_start as u64), length)))
    }
}

impl Codes {
    pub(crate) fn known(&self, address: u64, identity: &Identity) -> Option<Resolved> {
        self.known.get(&address).filter(|(known, _)| known == identity).map(|(_, resolved)| *resolved)
    }

    /// Whose instruction an address is, of the code objects seen so far.
    pub(crate) fn at(&self, address: u64) -> Option<&Resolved> {
        let (start, code) = self.starts.range(..=address).next_back()?;
        (address - start <= code.length).then_some(code)
    }

    pub(crate) fn code(&self, id: CodeId) -> Option<&Code> {
        self.sources.get(id.0 as usize).map(|(source, _)| &source.code)
    }

    /// `None` for an offset before the first instruction means the function has just been called.
    pub(crate) fn line(&self, id: CodeId, offset: Option<u32>) -> Option<u32> {
        let (source, lines) = self.sources.get(id.0 as usize)?;
        match offset {
            Some(offset) => lines.at(offset),
            None => Some(source.code.first_line),
        }
    }

    /// Reads its strings, its table, and where its instructions are.
    pub(crate) fn load<M: Memory>(
        &mut self,
        memory: &M,
        offsets: &Offsets,
        table: Table,
        address: u64,
        identity: Identity,
    ) -> Result<Resolved, Torn> {
        let source = Arc::new(Source {
            code: Code {
                name: string(memory, offsets, identity.name)?.ok_or(Torn::Moved)?,
                file: string(memory, offsets, identity.file)?.ok_or(Torn::Moved)?,
                first_line: identity.first_line,
            },
            table: byte_string(memory, offsets, identity.lines)?.ok_or(Torn::Moved)?,
        });
        let (start, length) = identity.instructions(memory, offsets, address)?.ok_or(Torn::Moved)?;
        let resolved =
            Resolved { address, id: self.id(source, table)?, start, length, kept: 0, frame: identity.frame };
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
            self.starts.clear();
        }
        self.known.insert(address, (identity, resolved));
        self.starts.insert(start, resolved);
        Ok(resolved)
    }

    pub(crate) fn forget(&mut self, address: u64) {
        if let Some((_, forgotten)) = self.known.remove(&address) {
            self.starts.remove(&forgotten.start);
        }
    }

    fn id(&mut self, source: Arc<Source>, table: Table) -> Result<CodeId, Torn> {
        if let Some(id) = self.ids.get(&source) {
            return Ok(*id);
        }
        let id = CodeId(u32::try_from(self.sources.len()).map_err(|_| Torn::Moved)?);
        let lines = Lines::parse(table, &source.table, source.code.first_line);
        self.ids.insert(Arc::clone(&source), id);
        self.sources.push((source, lines));
        Ok(id)
    }
}

/// The frame that a code object keeps for its next call, until 3.10. `bytes` begins at [`CODE_START`].
pub(crate) fn kept_frame(bytes: &[u8], offsets: &Offsets) -> Option<u64> {
    let (_, kept) = offsets.code_objects()?;
    word_at(bytes, kept.checked_sub(OBJECT_TYPE)?)
}

/// How long the frames of a code object are, from 3.11. `bytes` begins at [`CODE_START`].
fn frame_size(bytes: &[u8], offsets: &Offsets) -> Option<u64> {
    let number = |offset: usize| half_at(bytes, offset.checked_sub(OBJECT_TYPE)?);
    let words = match offsets.code_frame {
        FrameSize::Sum { fixed, variables, values } => {
            u64::from(number(variables)?) + u64::from(number(values)?) + u64::from(fixed)
        }
        FrameSize::Whole(size) => number(size)?.into(),
        FrameSize::Unknown => return None,
    };
    Some(words * 8)
}

/// A `str`. `None` when it is not one.
fn string<M: Memory>(memory: &M, offsets: &Offsets, address: u64) -> Result<Option<String>, Torn> {
    let Some(head) = memory::bytes(memory, address, offsets.string_state + 4)? else { return Ok(None) };
    let Some((length, state)) = word_at(&head, OBJECT_SIZE).zip(half_at(&head, offsets.string_state)) else {
        return Ok(None);
    };
    // Bits: 2 interned, 3 width of a character, 1 compact, 1 ascii. Names made by the compiler are always compact.
    let (width, compact, ascii) = ((state >> 2) & 7, state & 0x20 != 0, state & 0x40 != 0);
    if !compact || !matches!(width, 1 | 2 | 4) || length > LONGEST_STRING {
        return Ok(None);
    }
    // After the short header come a length and a pointer to UTF-8, and until 3.11 one more length.
    let longer = if offsets.ascii_size == 48 { 24 } else { 16 };
    let start = offsets.ascii_size + if ascii { 0 } else { longer };
    let length = usize::try_from(length).unwrap_or(0) * width as usize;
    let bytes = memory::bytes(memory, address.wrapping_add(start as u64), length)?;
    Ok(bytes.and_then(|bytes| characters(&bytes, width)))
}

fn characters(bytes: &[u8], width: u32) -> Option<String> {
    let points: Vec<u32> = match width {
        1 => bytes.iter().map(|byte| u32::from(*byte)).collect(),
        2 => bytes
            .chunks_exact(2)
            .map(|pair| pair.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
            .collect(),
        _ => bytes.chunks_exact(4).filter_map(|four| half_at(four, 0)).collect(),
    };
    // Lone surrogates stand for bytes of a path that are not UTF-8; everything else beyond Unicode is garbage.
    points
        .into_iter()
        .map(|point| match point {
            0xd800..=0xdfff => Some(char::REPLACEMENT_CHARACTER),
            point => char::from_u32(point),
        })
        .collect()
}

/// A `bytes`. `None` when it is not one.
fn byte_string<M: Memory>(memory: &M, offsets: &Offsets, address: u64) -> Result<Option<Vec<u8>>, Torn> {
    let Some(length) = memory::word(memory, address.wrapping_add(OBJECT_SIZE as u64))? else {
        return Ok(None);
    };
    if length > LONGEST_TABLE {
        return Ok(None);
    }
    let start = address.wrapping_add(offsets.bytes_start as u64);
    Ok(memory::bytes(memory, start, usize::try_from(length).unwrap_or(0))?)
}
