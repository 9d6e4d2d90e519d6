//! A program's memory as it will be loaded, and what its linker notes there about itself.

use std::collections::HashMap;

use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSection as _, RelocationTarget};

use super::bytes;

/// Where the description of the module may lie: newer linkers have a section for it.
const MODULE_SECTIONS: [&str; 5] =
    [".go.module", ".noptrdata", ".data", ".data.rel.ro", ".data.rel.ro.local"];
const BUILD: &[u8] = b"\xff Go buildinf:";
/// The version stands in the block itself, and not behind a pointer, since 1.18.
const IS_INLINE: u8 = 2;

/// A program's sections by address.
pub(super) struct Image<'a> {
    elf: &'a ElfFile64<'a, Endianness>,
    /// By address: with sections that are in memory and hold bytes.
    sections: Vec<(u64, &'a [u8])>,
    /// Words that the dynamic linker will fill in, as if the program were loaded where its file says. Empty for programs
    /// that lie where they were linked to.
    filled: HashMap<u64, u64>,
}

/// The address of `runtime.firstmoduledata`'s fields.
#[derive(Clone, Copy)]
pub(super) struct Described {
    start: u64,
    pub(super) text: u64,
}

impl Described {
    /// Where it says at which address blocks of functions begin. `None` for versions that are not known.
    pub(super) fn blocks(self, minor: u32) -> Option<u64> {
        let index = match minor {
            18 | 19 => 38,
            20..=26 => 40,
            27 => 43,
            _ => return None,
        };
        self.start.checked_add(index * 8)
    }
}

impl<'a> Image<'a> {
    pub(super) fn of(elf: &'a ElfFile64<'a, Endianness>) -> Self {
        let sections = elf.sections().filter(|section| section.address() != 0);
        let mut sections: Vec<_> =
            sections.filter_map(|section| Some((section.address(), section.data().ok()?))).collect();
        sections.retain(|(_, bytes)| !bytes.is_empty());
        sections.sort_unstable_by_key(|(address, _)| *address);
        let mut filled = HashMap::new();
        for (address, relocation) in elf.dynamic_relocations().into_iter().flatten() {
            if relocation.target() == RelocationTarget::Absolute {
                filled.insert(address, relocation.addend().cast_unsigned());
            }
        }
        Self { elf, sections, filled }
    }

    pub(super) fn section(&self, name: &str) -> Option<(u64, &'a [u8])> {
        let section = self.elf.section_by_name(name)?;
        Some((section.address(), section.data().ok()?)).filter(|(_, bytes)| !bytes.is_empty())
    }

    pub(super) fn bytes(&self, address: u64, length: usize) -> Option<&'a [u8]> {
        let after = self.sections.partition_point(|(start, _)| *start <= address);
        let (start, bytes) = self.sections.get(after.checked_sub(1)?)?;
        let offset = usize::try_from(address - start).ok()?;
        bytes.get(offset..offset.checked_add(length)?)
    }

    pub(super) fn word(&self, address: u64) -> Option<u64> {
        let filled = self.filled.get(&address).copied();
        filled.or_else(|| bytes::word(self.bytes(address, 8)?, 0))
    }

    /// The description of the module whose table and names lie at these addresses, by its first two words.
    pub(super) fn module(&self, table: u64, names: u64) -> Option<Described> {
        let is_it = |start: &u64| {
            let second = start.checked_add(8).and_then(|second| self.word(second));
            self.word(*start) == Some(table) && second == Some(names)
        };
        let filled = self.filled.iter().filter(|(_, target)| **target == table).map(|(start, _)| *start);
        let start = filled.into_iter().find(is_it).or_else(|| {
            let sections = MODULE_SECTIONS.iter().filter_map(|name| self.section(name));
            sections.flat_map(|(start, bytes)| words_equal(start, bytes, table)).find(is_it)
        })?;
        Some(Described { start, text: start.checked_add(22 * 8)? })
    }

    /// The version of Go that built the program: `go1.22.10`.
    pub(super) fn version(&self) -> Option<String> {
        let (_, block) = self.section(".go.buildinfo")?;
        let flags = *block.strip_prefix(BUILD)?.get(1)?;
        let length = usize::from(*block.get(32).filter(|length| flags & IS_INLINE != 0 && **length < 0x80)?);
        let version = block.get(33..33_usize.checked_add(length)?)?;
        std::str::from_utf8(version).ok().map(str::to_owned)
    }
}

/// The addresses of words with this value.
fn words_equal(start: u64, bytes: &[u8], value: u64) -> impl Iterator<Item = u64> {
    let (words, _) = bytes.as_chunks::<8>();
    let addresses = (start..).step_by(8);
    addresses
        .zip(words)
        .filter(move |(_, word)| u64::from_le_bytes(**word) == value)
        .map(|(address, _)| address)
}
