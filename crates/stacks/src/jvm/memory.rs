//! Memory of a running JVM.

use std::collections::HashMap;

use crate::python::{Memory as _, Piece, Remote};

const PAGE: u64 = 4096;

/// The memory of one process. Whatever is not mapped, or not ours to read, is `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    remote: Remote,
}

impl Memory {
    pub(super) fn of(pid: u32) -> Self {
        Self { remote: Remote { pid } }
    }

    /// Exactly these bytes.
    pub(super) fn bytes(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let mut into = vec![0; length];
        let filled = self.remote.fill(&[Piece { address, length }], &mut into).ok()?;
        (filled == length && address != 0).then_some(into)
    }

    pub(super) fn word(&self, address: u64) -> Option<u64> {
        number(&self.bytes(address, 8)?, 0, 8)
    }

    /// Text that ends with a zero. `None` when it is longer than the limit.
    pub(super) fn text(&self, address: u64) -> Option<String> {
        Pages::of(*self).text(address)
    }
}

/// Whole pages of memory that does not change, kept: tables are read in many small pieces.
pub(super) struct Pages {
    memory: Memory,
    pages: HashMap<u64, Option<Vec<u8>>>,
}

impl Pages {
    pub(super) fn of(memory: Memory) -> Self {
        Self { memory, pages: HashMap::new() }
    }

    /// Exactly these bytes.
    pub(super) fn bytes(&mut self, address: u64, length: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let at = address.checked_add(u64::try_from(bytes.len()).ok()?)?;
            let inside = usize::try_from(at % PAGE).ok()?;
            let page = self.page(at - at % PAGE)?.get(inside..)?;
            bytes.extend(page.iter().take(length - bytes.len()));
        }
        Some(bytes)
    }

    pub(super) fn word(&mut self, address: u64) -> Option<u64> {
        number(&self.bytes(address, 8)?, 0, 8)
    }

    /// As [`Memory::text`].
    pub(super) fn text(&mut self, address: u64) -> Option<String> {
        const LIMIT: usize = 256;
        let inside = usize::try_from(address % PAGE).ok()?;
        let mut text = self.page(address - address % PAGE)?.get(inside..)?.to_vec();
        if !text.contains(&0) {
            text = self.bytes(address, text.len().checked_add(LIMIT)?)?;
        }
        let length = text.iter().position(|byte| *byte == 0).filter(|length| *length < LIMIT)?;
        text.truncate(length);
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    fn page(&mut self, start: u64) -> Option<&[u8]> {
        let length = usize::try_from(PAGE).ok()?;
        self.pages.entry(start).or_insert_with(|| self.memory.bytes(start, length)).as_deref()
    }
}

/// The unsigned number of so many bytes at `offset`.
pub(super) fn number(bytes: &[u8], offset: u64, width: usize) -> Option<u64> {
    let at = usize::try_from(offset).ok()?;
    let found = bytes.get(at..at.checked_add(width)?)?;
    let mut word = [0; 8];
    word.get_mut(..width)?.copy_from_slice(found);
    Some(u64::from_le_bytes(word))
}

/// The signed number of four bytes at `offset`.
pub(super) fn signed(bytes: &[u8], offset: u64) -> Option<i32> {
    let at = usize::try_from(offset).ok()?;
    Some(i32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_at_its_zero_and_is_none_without() {
        let text = c"a text".to_owned();
        let own = Memory::of(std::process::id());
        assert_eq!(own.text(text.as_ptr().addr() as u64).as_deref(), Some("a text"));
        let endless = vec![b'x'; 3 * 4096];
        assert_eq!(own.text(endless.as_ptr().addr() as u64), None);
        assert_eq!(own.text(0), None);
    }

    #[test]
    fn pieces_may_lie_on_several_pages() {
        let bytes: Vec<u8> = (0..20_000_u32).map(|number| (number % 251) as u8).collect();
        let mut pages = Pages::of(Memory::of(std::process::id()));
        let read = pages.bytes(bytes.as_ptr().addr() as u64 + 7, 9000);
        assert_eq!(read.as_deref(), bytes.get(7..9007));
    }
}
