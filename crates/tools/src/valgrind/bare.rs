//! A program without its debug information, for a valgrind that cannot read it.

use std::ops::Range;

/// Beginnings of the names of sections with debug information, and what they become: names of the same length that nobody asks for.
const NAMES: [(&[u8], &[u8]); 2] = [(b".debug_", b".unread"), (b".zdebug_", b".zunread")];

/// The same program, its debug information under other names. `None` when it has none, or is no 64-bit little-endian ELF file.
///
/// Nothing moves: code, symbols and unwind tables are where they were, so it runs and its functions have their names.
#[must_use]
pub fn without_debug(image: &[u8]) -> Option<Vec<u8>> {
    let names = section_names(image)?;
    let mut bytes = image.to_vec();
    let table = bytes.get_mut(names)?;
    let mut changed = false;
    for (name, other) in NAMES {
        for place in 0..table.len() {
            if let Some(found) = table.get_mut(place..place + name.len()).filter(|found| *found == name) {
                found.copy_from_slice(other);
                changed = true;
            }
        }
    }
    changed.then_some(bytes)
}

/// Where the names of the sections lie.
fn section_names(image: &[u8]) -> Option<Range<usize>> {
    image.starts_with(b"\x7fELF\x02\x01").then_some(())?;
    let (headers, size) = (word(image, 0x28)?, half(image, 0x3a)?);
    let header = headers.checked_add(half(image, 0x3e)?.checked_mul(size)?)?;
    let (from, length) = (word(image, header.checked_add(0x18)?)?, word(image, header.checked_add(0x20)?)?);
    let to = from.checked_add(length)?;
    (to <= image.len()).then_some(from..to)
}

fn word(image: &[u8], place: usize) -> Option<usize> {
    let bytes = image.get(place..)?.first_chunk::<8>()?;
    usize::try_from(u64::from_le_bytes(*bytes)).ok()
}

fn half(image: &[u8], place: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(*image.get(place..)?.first_chunk::<2>()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A head with one section header, that of the names.
    fn image(names: &[u8]) -> Vec<u8> {
        let mut image = vec![0; 0x40];
        image[..6].copy_from_slice(b"\x7fELF\x02\x01");
        image[0x28] = 0x40;
        image[0x3a] = 0x40;
        image.resize(0x80, 0);
        image[0x40 + 0x18] = 0x80;
        image[0x40 + 0x20] = u8::try_from(names.len()).unwrap();
        image.extend_from_slice(names);
        image
    }

    #[test]
    fn debug_sections_get_other_names_and_nothing_else_changes() {
        let given = image(b"\0.text\0.debug_info\0.zdebug_line\0.rela.debug_str\0");
        let wanted = image(b"\0.text\0.unreadinfo\0.zunreadline\0.rela.unreadstr\0");
        assert_eq!(without_debug(&given), Some(wanted));
    }

    #[test]
    fn what_has_no_debug_information_or_is_no_program_is_left_alone() {
        let bare = image(b"\0.text\0");
        let mut beyond = image(b"\0.debug_info\0");
        beyond[0x40 + 0x20] = 0xff;
        for given in [&bare[..], &beyond, b"", b"#!/bin/sh\n", b"\x7fELF\x02\x01"] {
            assert_eq!(without_debug(given), None);
        }
        let whole = image(b"\0.debug_info\0");
        for length in 0..whole.len() {
            assert_eq!(without_debug(&whole[..length]), None, "{length}");
        }
    }
}
