//! Who holds the heap, as a tree of callers below the allocating functions.

use model::Bytes;

use super::super::frame::Frame;
use super::super::hash::Table;
use super::super::text::{Text, number};
use super::FORMAT;
use crate::ParseError;

/// Which nodes of [`super::Massif::nodes`] are a snapshot's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    pub kind: TreeKind,
    pub(super) from: usize,
    pub(super) to: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// One of those taken in between.
    Detailed,
    /// That of the largest heap.
    Peak,
}

/// A caller, after the function it calls and before its own callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The root has none.
    pub depth: u16,
    /// Its place in [`super::Massif::places`].
    pub place: u32,
    pub bytes: Bytes,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// The root: functions that allocate, or system calls that map pages.
    Allocators,
    Frame(Frame<'a>),
    /// Places too small for massif to name.
    Below {
        places: u64,
    },
}

/// Nodes and places of all trees so far.
#[derive(Default)]
pub(super) struct Sites<'a> {
    nodes: Vec<Node>,
    places: Vec<Place<'a>>,
    numbers: Table<&'a [u8], u32>,
    /// Nodes whose callers are still to come, with how many and how many bytes of them.
    open: Vec<Open>,
}

struct Open {
    callers: u64,
    bytes: u64,
    sum: u64,
}

impl<'a> Sites<'a> {
    pub(super) fn finish(self) -> (Vec<Node>, Vec<Place<'a>>) {
        (self.nodes, self.places)
    }

    /// Reads a tree up to its last node.
    pub(super) fn tree(
        &mut self,
        text: &mut Text<'a>,
        kind: TreeKind,
        heap: Bytes,
    ) -> Result<Tree, ParseError> {
        let from = self.nodes.len();
        let root = self.node(text)?;
        check(heap.as_bytes(), root)?;
        while !self.open.is_empty() {
            self.node(text)?;
        }
        Ok(Tree { kind, from, to: self.nodes.len() })
    }

    /// Reads `nCALLERS: BYTES PLACE`, indented by its depth, and returns the bytes.
    fn node(&mut self, text: &mut Text<'a>) -> Result<u64, ParseError> {
        let before = *text;
        let line = text.line("the rest of a heap tree")?;
        let (callers, bytes, place) = taken_apart(line, self.open.len()).ok_or_else(|| before.unknown())?;
        let place = self.place(place).ok_or_else(|| before.unknown())?;
        // Deeper than massif goes.
        let depth = u16::try_from(self.open.len()).map_err(|_| before.unknown())?;
        self.nodes.push(Node { depth, place, bytes: Bytes::from_bytes(bytes) });
        if let Some(callee) = self.open.last_mut() {
            callee.callers -= 1;
            callee.sum = callee.sum.checked_add(bytes).ok_or_else(|| before.unknown())?;
        }
        self.open.push(Open { callers, bytes, sum: 0 });
        self.close(callers == 0)?;
        Ok(bytes)
    }

    /// Takes away nodes that have all their callers. A leaf has none to add up.
    fn close(&mut self, leaf: bool) -> Result<(), ParseError> {
        if leaf {
            self.open.pop();
        }
        while let Some(done) = self.open.pop_if(|open| open.callers == 0) {
            check(done.bytes, done.sum)?;
        }
        Ok(())
    }

    fn place(&mut self, text: &'a [u8]) -> Option<u32> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        let number = u32::try_from(self.places.len()).ok()?;
        self.places.push(place(text)?);
        self.numbers.insert(text, number);
        Some(number)
    }
}

/// Callers, bytes and place of a node at this depth.
fn taken_apart(line: &[u8], depth: usize) -> Option<(u64, u64, &[u8])> {
    let (blanks, rest) = line.split_at_checked(depth)?;
    let (callers, rest) = number(rest.strip_prefix(b"n")?)?;
    let (bytes, rest) = number(rest.strip_prefix(b": ")?)?;
    blanks.iter().all(|byte| *byte == b' ').then_some((callers, bytes, rest.strip_prefix(b" ")?))
}

fn place(text: &[u8]) -> Option<Place<'_>> {
    if text.starts_with(b"(") {
        return Some(Place::Allocators);
    }
    if let Some(rest) = text.strip_prefix(b"in ") {
        let (places, rest) = number(rest)?;
        let below = rest.starts_with(b" place") && rest.windows(5).any(|word| word == b"below");
        return below.then_some(Place::Below { places });
    }
    Frame::of(text).map(Place::Frame)
}

fn check(bytes: u64, sum: u64) -> Result<(), ParseError> {
    if bytes == sum {
        return Ok(());
    }
    Err(ParseError::SumDiffers { format: FORMAT, event: "bytes".into(), lines: sum, summary: bytes })
}
