//! Source lines and compilers, from an image's debug information (DWARF).

use std::cell::OnceCell;
use std::io::Read;
use std::rc::Rc;

use gimli::{EndianRcSlice, LittleEndian, Reader};
use model::machine_code::SourceLine;
use object::read::elf::ElfFile64;
use object::{CompressedData, CompressionFormat, Object, ObjectSection};

type Slice = EndianRcSlice<LittleEndian>;

/// A compressed section that claims to be larger than this is damaged or meant to do harm.
const LARGEST: u64 = 1 << 30;

/// The debug information of an image, read and parsed at the first question.
pub(crate) struct Lines<'a> {
    sections: Vec<(gimli::SectionId, CompressedData<'a>)>,
    /// Compressed in a way that we do not read.
    foreign: bool,
    context: OnceCell<Option<addr2line::Context<Slice>>>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(file: &ElfFile64<'a>) -> Self {
        let mut sections = Vec::new();
        let mut foreign = false;
        for id in WANTED.into_iter().chain(LOCATIONS) {
            let Some(data) =
                file.section_by_name(id.name()).and_then(|section| section.compressed_data().ok())
            else {
                continue;
            };
            match data.format {
                CompressionFormat::None | CompressionFormat::Zlib => sections.push((id, data)),
                _ => foreign = true,
            }
        }
        Self { sections, foreign, context: OnceCell::new() }
    }

    /// Why there are no lines. `None` when there are.
    pub(crate) fn obstacle(&self) -> Option<&'static str> {
        let has = |wanted| self.sections.iter().any(|(id, _)| *id == wanted);
        match () {
            () if self.foreign => {
                Some("its debug information is compressed in a way that slowpath does not read")
            }
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
        Some(text.to_string_lossy().ok()?.into_owned())
    }

    fn context(&self) -> Option<&addr2line::Context<Slice>> {
        let parse = || addr2line::Context::from_dwarf(self.load(&WANTED)?).ok();
        self.context.get_or_init(parse).as_ref()
    }

    /// All of the debug information, with where variables lie. `None` where there is none, or it is damaged.
    pub(crate) fn with_locations(&self) -> Option<gimli::Dwarf<Slice>> {
        self.sections.iter().any(|(id, _)| *id == gimli::SectionId::DebugInfo).then_some(())?;
        let all: Vec<gimli::SectionId> = WANTED.into_iter().chain(LOCATIONS).collect();
        self.load(&all)
    }

    fn load(&self, wanted: &[gimli::SectionId]) -> Option<gimli::Dwarf<Slice>> {
        let section = |id: gimli::SectionId| {
            let found = self.sections.iter().find(|(known, _)| *known == id && wanted.contains(&id));
            let bytes = found.map_or_else(|| Some(Rc::from([])), |(_, data)| plain(data));
            let bytes = bytes.ok_or(gimli::Error::UnexpectedEof(gimli::ReaderOffsetId(0)))?;
            Ok::<_, gimli::Error>(EndianRcSlice::new(bytes, LittleEndian))
        };
        gimli::Dwarf::load(section).ok()
    }
}

/// The bytes of a section. `None` when they are damaged.
fn plain(data: &CompressedData<'_>) -> Option<Rc<[u8]>> {
    if data.format == CompressionFormat::None {
        return Some(Rc::from(data.data));
    }
    let size = Some(data.uncompressed_size).filter(|size| *size <= LARGEST)?;
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(data.data).take(size).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == size).then(|| Rc::from(bytes))
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

/// Where variables lie; lines do not need them.
const LOCATIONS: [gimli::SectionId; 2] = [gimli::SectionId::DebugLoc, gimli::SectionId::DebugLocLists];
