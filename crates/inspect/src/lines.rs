//! Source lines and compilers, from an image's debug information (DWARF).

use std::cell::OnceCell;

use gimli::{EndianSlice, LittleEndian};
use model::machine_code::SourceLine;
use object::read::elf::ElfFile64;
use object::{CompressionFormat, Object, ObjectSection};

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// The debug information of an image, parsed at the first question.
pub(crate) struct Lines<'a> {
    sections: Vec<(gimli::SectionId, &'a [u8])>,
    compressed: bool,
    context: OnceCell<Option<addr2line::Context<Slice<'a>>>>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(file: &ElfFile64<'a>) -> Self {
        let mut sections = Vec::new();
        let mut compressed = false;
        for id in WANTED {
            let Some(section) = file.section_by_name(id.name()) else { continue };
            let plain =
                section.compressed_file_range().is_ok_and(|range| range.format == CompressionFormat::None);
            compressed |= !plain;
            if let (true, Ok(bytes)) = (plain, section.data()) {
                sections.push((id, bytes));
            }
        }
        Self { sections, compressed, context: OnceCell::new() }
    }

    /// Why there are no lines. `None` when there are.
    pub(crate) fn obstacle(&self) -> Option<&'static str> {
        let has = |wanted| self.sections.iter().any(|(id, _)| *id == wanted);
        match () {
            () if self.compressed => Some("its debug information is compressed"),
            () if !has(gimli::SectionId::DebugInfo) => Some("it has no debug information"),
            () if self.context().is_none() => Some("its debug information is damaged"),
            () => None,
        }
    }

    pub(crate) fn at(&self, address: u64) -> Option<SourceLine> {
        let location = self.context()?.find_location(address).ok()??;
        // Line 0 stands for code that no line stands for.
        let line = location.line.filter(|line| *line > 0)?;
        Some(SourceLine { file: location.file?.to_owned(), line })
    }

    /// The compiler and its options, as far as it recorded them.
    pub(crate) fn producer_at(&self, address: u64) -> Option<String> {
        let unit = self.context()?.find_dwarf_and_unit(address).skip_all_loads()?;
        let mut entries = unit.entries();
        let root = entries.next_dfs().ok()??;
        let producer = root.attr_value(gimli::DW_AT_producer)?;
        let text = unit.attr_string(producer).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    fn context(&self) -> Option<&addr2line::Context<Slice<'a>>> {
        let parse = || {
            let section = |wanted: gimli::SectionId| {
                let found = self.sections.iter().find(|(id, _)| *id == wanted);
                let bytes = found.map_or(&[][..], |(_, bytes)| *bytes);
                Ok::<_, gimli::Error>(EndianSlice::new(bytes, LittleEndian))
            };
            addr2line::Context::from_dwarf(gimli::Dwarf::load(section).ok()?).ok()
        };
        self.context.get_or_init(parse).as_ref()
    }
}

const WANTED: [gimli::SectionId; 11] = [
    gimli::SectionId::DebugAbbrev,
    gimli::SectionId::DebugAddr,
    gimli::SectionId::DebugAranges,
    gimli::SectionId::DebugInfo,
    gimli::SectionId::DebugLine,
    gimli::SectionId::DebugLineStr,
    gimli::SectionId::DebugRanges,
    gimli::SectionId::DebugRngLists,
    gimli::SectionId::DebugStr,
    gimli::SectionId::DebugStrOffsets,
    gimli::SectionId::DebugTypes,
];
