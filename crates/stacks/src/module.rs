//! A file with code: its bytes, where its code lies, and how frames in it are undone.
//!
//! A module is kept in its own addresses (those of its ELF headers), so that one table of unwind rules serves every
//! process that maps the file, wherever it was mapped.

use std::fs::File;
use std::io::Read;
use std::ops::{Deref, Range};
use std::sync::Arc;

use framehop::{ExplicitModuleSectionInfo, MayAllocateDuringUnwind, Unwinder as _, UnwinderNative};
use object::elf;
use object::read::elf::{ElfFile64, FileHeader as _, ProgramHeader as _};
use object::{CompressionFormat, Endianness, Object as _, ObjectSection as _, ObjectSymbol as _};

use crate::go::table::Table;
use crate::raw::Mapping;

pub(crate) type Rules = UnwinderNative<Piece, MayAllocateDuringUnwind>;

/// Sections for which an index has to be built (no `.eh_frame_hdr`) are left out above this size.
const INDEXED_LIMIT: u64 = 64 << 20;
/// More program headers than this are not a program's.
const SEGMENT_LIMIT: usize = 256;

/// The bytes of a module.
#[derive(Debug)]
pub(crate) enum Image {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Deref for Image {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl Image {
    /// `None` when the file is empty or cannot be mapped.
    pub(crate) fn of_file(file: &File) -> Option<Self> {
        // SAFETY: the mapping is private and read-only. Another process may shorten the file; like every reader of
        // mapped programs we rely on programs being replaced, not cut, while they are in use.
        unsafe { memmap2::Mmap::map(file) }.ok().map(Self::Mapped)
    }

    /// The kernel's little library, which is the same in every process of this kernel. `None` when there is none.
    pub(crate) fn of_vdso() -> Option<Self> {
        use std::os::unix::fs::FileExt;
        let mut maps = Vec::new();
        File::open("/proc/self/maps").ok()?.read_to_end(&mut maps).ok()?;
        let vdso = crate::space::parse_maps(&maps).find(|mapping| mapping.path == b"[vdso]")?;
        let mut bytes = vec![0; usize::try_from(vdso.end.checked_sub(vdso.start)?).ok()?.min(1 << 20)];
        File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, vdso.start).ok()?;
        Some(Self::Owned(bytes))
    }
}

/// Part of an image, as the unwinder wants it.
#[derive(Default)]
pub(crate) struct Piece {
    image: Option<Arc<Image>>,
    range: Range<usize>,
}

impl Deref for Piece {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.image.as_ref().and_then(|image| image.get(self.range.clone())).unwrap_or_default()
    }
}

/// What tells one file from another. The path is part of it because a name is what users know a module by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileKey {
    pub(crate) path: Vec<u8>,
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) size: u64,
    /// A file that was written anew in place is another module.
    pub(crate) modified: (i64, i64),
}

/// A loaded piece of the file that holds code.
#[derive(Clone, Copy, Debug)]
struct Segment {
    offset: u64,
    length: u64,
    address: u64,
}

/// What a module is when it is the program of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Program,
    Library,
}

/// A file with code.
pub struct Module {
    pub(crate) key: FileKey,
    pub(crate) image: Option<Arc<Image>>,
    segments: Vec<Segment>,
    /// From `.eh_frame`; empty (frame pointers only) where there is none.
    pub(crate) rules: Rules,
    /// From `.debug_frame` where both are there: hand-picked tables for start-up code may hide it otherwise.
    pub(crate) more_rules: Option<Rules>,
    pub(crate) has_rules: bool,
    /// Code of the Go compiler, which keeps frame pointers and has no tables.
    go_code: Option<Range<u64>>,
    pub(crate) is_elf: bool,
    pub(crate) is_go: bool,
    /// The dynamic linker.
    pub(crate) is_linker: bool,
    build_id: Option<Vec<u8>>,
    role: Role,
    /// A program that holds its libraries.
    is_static: bool,
    /// Where its first instruction lies.
    entry: Option<u64>,
}

impl Module {
    /// A module without known bytes: its addresses are offsets in the file.
    pub(crate) fn opaque(key: FileKey) -> Self {
        let name = key.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let is_linker = name.starts_with(b"ld-") || name.starts_with(b"ld.so") || name.starts_with(b"ld64");
        Self {
            key,
            image: None,
            segments: Vec::new(),
            rules: Rules::new(),
            more_rules: None,
            has_rules: false,
            go_code: None,
            is_elf: false,
            is_go: false,
            is_linker,
            build_id: None,
            role: Role::Library,
            is_static: false,
            entry: None,
        }
    }

    /// Whether this is code that the kernel starts the program at: nobody called it.
    pub(crate) fn is_entry(&self, address: u64) -> bool {
        const LENGTH: u64 = 32;
        self.entry.is_some_and(|entry| (entry..entry.saturating_add(LENGTH)).contains(&address))
    }

    pub(crate) fn new(key: FileKey, image: Image) -> Self {
        let image = Arc::new(image);
        let mut module = Self::opaque(key);
        // A hostile file may reach a corner of the readers that panics; it is then a module without tables.
        let filled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| module.fill(&image)));
        if !matches!(filled, Ok(Some(()))) {
            module.is_elf = module.is_elf && !module.segments.is_empty();
        }
        module.image = Some(image);
        module
    }

    /// Reads the ELF headers. `None` when it is none, or one of another machine.
    fn fill(&mut self, image: &Arc<Image>) -> Option<()> {
        let elf = ElfFile64::<Endianness>::parse(&***image).ok()?;
        let endian = elf.endian();
        if !endian_is_ours(endian) || elf.elf_header().e_machine(endian) != MACHINE {
            return None;
        }
        let headers = elf.elf_program_headers();
        if headers.len() > SEGMENT_LIMIT {
            return None;
        }
        self.is_elf = true;
        for header in headers {
            match header.p_type(endian) {
                elf::PT_LOAD if header.p_flags(endian).contains(elf::PF_X) => self.segments.push(Segment {
                    offset: header.p_offset(endian),
                    length: header.p_filesz(endian),
                    address: header.p_vaddr(endian),
                }),
                elf::PT_INTERP => self.role = Role::Program,
                _ => {}
            }
        }
        if elf.elf_header().e_type(endian) == elf::ET_EXEC {
            self.role = Role::Program;
        }
        self.entry = Some(elf.elf_header().e_entry(endian)).filter(|entry| *entry != 0);
        self.build_id = elf.build_id().ok().flatten().map(<[u8]>::to_vec);
        self.is_go = [".gopclntab", ".data.rel.ro.gopclntab", ".go.buildinfo"]
            .iter()
            .any(|name| elf.section_by_name(name).is_some());
        let loads = headers.iter().any(|header| header.p_type(endian) == elf::PT_INTERP);
        self.is_static = self.role == Role::Program && !loads && !self.is_go;
        if self.is_go {
            self.go_code = go_code(&elf).or_else(|| Table::open(&elf)?.code());
        }
        self.read_rules(&elf, image);
        Some(())
    }

    fn read_rules(&mut self, elf: &ElfFile64<'_, Endianness>, image: &Arc<Image>) {
        let section = |name: &str| {
            let section = elf.section_by_name(name)?;
            let range = section.compressed_file_range().ok()?;
            // What is compressed would have to be unpacked; only debuggers' tables ever are.
            let plain = range.format == CompressionFormat::None;
            let start = usize::try_from(range.offset).ok().filter(|_| plain)?;
            let end = start.checked_add(usize::try_from(range.compressed_size).ok()?)?;
            image.get(start..end)?;
            let addresses = section.address()..section.address().checked_add(section.size())?;
            Some((addresses, Piece { image: Some(Arc::clone(image)), range: start..end }))
        };
        let base = self.base();
        let eh_frame = section(".eh_frame");
        let header = section(".eh_frame_hdr");
        let debug_frame = section(".debug_frame").filter(|(_, piece)| piece.len() as u64 <= INDEXED_LIMIT);
        let indexed = eh_frame.as_ref().is_none_or(|(_, piece)| piece.len() as u64 <= INDEXED_LIMIT);
        let text = elf
            .section_by_name(".text")
            .map(|text| text.address()..text.address().saturating_add(text.size()));
        let got =
            elf.section_by_name(".got").map(|got| got.address()..got.address().saturating_add(got.size()));
        if let Some((addresses, bytes)) = eh_frame
            && (header.is_some() || indexed)
        {
            let (header_addresses, header) = header.unzip();
            self.has_rules = true;
            self.rules = rules(ExplicitModuleSectionInfo {
                base_svma: base,
                text_svma: text,
                got_svma: got,
                eh_frame_svma: Some(addresses),
                eh_frame: Some(bytes),
                eh_frame_hdr_svma: header_addresses,
                eh_frame_hdr: header,
                ..ExplicitModuleSectionInfo::default()
            });
        }
        if let Some((_, bytes)) = debug_frame {
            let tables = rules(ExplicitModuleSectionInfo {
                base_svma: base,
                debug_frame: Some(bytes),
                ..ExplicitModuleSectionInfo::default()
            });
            if self.has_rules {
                self.more_rules = Some(tables);
            } else {
                self.has_rules = true;
                self.rules = tables;
            }
        }
    }

    /// From where the unwinder counts. It counts in 32 bits; only programs linked to high addresses need another base
    /// than zero.
    fn base(&self) -> u64 {
        let end = self.segments.iter().map(|segment| segment.address.saturating_add(segment.length)).max();
        if end.is_some_and(|end| end <= u64::from(u32::MAX)) {
            return 0;
        }
        self.segments.iter().map(|segment| segment.address).min().unwrap_or(0)
    }

    /// What to subtract from an address in the mapping to get the file's own. `None` when no code of the file is there.
    ///
    /// Mappings are whole pages and may begin with the tail of the segment before: only executable segments count, and
    /// of those the one that fills most of the mapping.
    pub(crate) fn bias(&self, mapping: &Mapping) -> Option<u64> {
        let file_bias = mapping.start.wrapping_sub(mapping.offset);
        if !self.is_elf {
            return Some(file_bias);
        }
        let end = mapping.offset.saturating_add(mapping.end.saturating_sub(mapping.start));
        let overlap = |segment: &Segment| {
            let segment_end = segment.offset.saturating_add(segment.length);
            segment_end.min(end).saturating_sub(segment.offset.max(mapping.offset))
        };
        let segment = self.segments.iter().max_by_key(|segment| overlap(segment))?;
        (overlap(segment) > 0).then(|| file_bias.wrapping_add(segment.offset).wrapping_sub(segment.address))
    }

    /// The module's own address of a place in its file. `None` where no code is.
    pub(crate) fn address_of(&self, offset: u64) -> Option<u64> {
        let holds = |segment: &&Segment| offset >= segment.offset && offset - segment.offset < segment.length;
        let segment = self.segments.iter().find(holds)?;
        Some(segment.address.wrapping_add(offset - segment.offset))
    }

    /// Code of the module, by its own address. `None` where the file holds none.
    pub(crate) fn code(&self, address: u64, length: usize) -> Option<&[u8]> {
        let image = self.image.as_deref()?;
        let segment = self
            .segments
            .iter()
            .find(|segment| address >= segment.address && address - segment.address < segment.length)?;
        let start = usize::try_from(segment.offset.checked_add(address - segment.address)?).ok()?;
        image.get(start..start.checked_add(length)?)
    }

    /// Whether the Go compiler made the code at this address.
    pub(crate) fn is_go_code(&self, address: u64) -> bool {
        self.go_code.as_ref().is_some_and(|range| range.contains(&address))
    }

    /// What a function of Go has put on the stack at this address, by Go's own table.
    pub(crate) fn go_depth(&self, address: u64) -> Option<u64> {
        if !self.is_go_code(address) {
            return None;
        }
        let elf = ElfFile64::<Endianness>::parse(&***self.image.as_ref()?).ok()?;
        Table::open(&elf)?.depth(address)
    }

    /// As the kernel names it.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        &self.key.path
    }

    #[must_use]
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build_id.as_deref()
    }

    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// Whether it was linked with its libraries and loads none.
    pub(crate) fn is_static(&self) -> bool {
        self.is_static
    }
}

impl std::fmt::Debug for Module {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Module({})", String::from_utf8_lossy(&self.key.path))
    }
}

#[cfg(target_arch = "x86_64")]
const MACHINE: elf::Machine = elf::EM_X86_64;
#[cfg(target_arch = "aarch64")]
const MACHINE: elf::Machine = elf::EM_AARCH64;

fn endian_is_ours(endian: Endianness) -> bool {
    matches!(endian, Endianness::Little)
}

/// Rules for a file as if it were loaded at the addresses it states.
fn rules(sections: ExplicitModuleSectionInfo<Piece>) -> Rules {
    let mut rules = Rules::new();
    let base = sections.base_svma;
    rules.add_module(framehop::Module::new(String::new(), base..u64::MAX, base, sections));
    rules
}

/// The range of Go code in a program that may hold C too.
///
/// `None` without a symbol table; then the table of the Go part decides, or else those of the C part.
fn go_code(elf: &ElfFile64<'_, Endianness>) -> Option<Range<u64>> {
    let mut start = None;
    let mut end = None;
    for symbol in elf.symbols() {
        match symbol.name() {
            Ok("runtime.text") => start = Some(symbol.address()),
            Ok("runtime.etext") => end = Some(symbol.address()),
            _ => continue,
        }
        if start.is_some() && end.is_some() {
            break;
        }
    }
    Some(start?..end?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_program_begins_nobody_called() {
        let file = File::open("/proc/self/exe").unwrap();
        let key = FileKey { path: b"/self".to_vec(), device: 0, inode: 0, size: 0, modified: (0, 0) };
        let module = Module::new(key, Image::of_file(&file).unwrap());
        let entry = module.entry.unwrap();
        assert!(module.is_entry(entry) && module.is_entry(entry + 8));
        assert!(!module.is_entry(entry - 1) && !module.is_entry(entry + 4096));
    }
}
