//! An ELF image: its code by address, its functions, and the names that calls lead to.

use std::collections::BTreeMap;
use std::ops::Range;

use gimli::UnwindSection;
use model::machine_code::Architecture;
use object::read::elf::{ElfFile64, FileHeader};
use object::{
    Endianness, Object, ObjectSection, ObjectSegment, ObjectSymbol, RelocationTarget, SymbolKind, elf,
};

use crate::code::Function;
use crate::lines::Lines;

/// Sections that hold entries of the linkage table begin so.
const LINKAGE: &str = ".plt";

#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    #[error("the bytes are no ELF image")]
    NotElf(#[source] object::read::Error),
    #[error("code for machine {machine} of {bits} bits is not understood")]
    OtherMachine { machine: u16, bits: u32 },
}

/// A program or library, read from its bytes.
pub struct Image<'a> {
    pub(crate) architecture: Architecture,
    segments: Vec<Segment<'a>>,
    /// In address order, none empty, the first of several names at a place.
    pub(crate) functions: Vec<Function>,
    /// Names of what words filled in by the dynamic linker point to, by the word's address.
    linked: BTreeMap<u64, String>,
    linkage: Vec<Range<u64>>,
    pub(crate) lines: Lines<'a>,
}

struct Segment<'a> {
    address: u64,
    offset: u64,
    bytes: &'a [u8],
    executable: bool,
}

impl<'a> Image<'a> {
    /// Reads headers and symbols; debug information is only looked at when asked for.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ImageError> {
        // Of a 32-bit image not even the header can be read by the next line.
        if let (Some(b"\x7fELF\x01"), Some(machine)) = (bytes.get(..5), bytes.get(18..20)) {
            let machine = u16::from_le_bytes(machine.try_into().unwrap_or_default());
            return Err(ImageError::OtherMachine { machine, bits: 32 });
        }
        let file = ElfFile64::<Endianness>::parse(bytes).map_err(ImageError::NotElf)?;
        let machine = file.elf_header().e_machine(file.endian());
        let architecture = match (machine, file.endian()) {
            (elf::EM_X86_64, Endianness::Little) => Architecture::X86_64,
            (elf::EM_AARCH64, Endianness::Little) => Architecture::Aarch64,
            _ => return Err(ImageError::OtherMachine { machine: machine.0, bits: 64 }),
        };
        let segments = segments(&file);
        Ok(Self {
            architecture,
            functions: functions(&file, &segments),
            segments,
            linked: linked(&file),
            linkage: linkage(&file),
            lines: Lines::of(&file),
        })
    }

    /// The address that a place in the file is loaded to, as the image counts.
    pub(crate) fn address_of(&self, offset: u64) -> Option<u64> {
        let holds = |segment: &&Segment<'_>| {
            offset >= segment.offset && offset - segment.offset < segment.bytes.len() as u64
        };
        let segment = self.segments.iter().filter(holds).max_by_key(|segment| segment.executable)?;
        segment.address.checked_add(offset - segment.offset)
    }

    /// The place in the file of an address.
    pub(crate) fn offset_of(&self, address: u64) -> Option<u64> {
        let holds = |segment: &&Segment<'_>| {
            address >= segment.address && address - segment.address < segment.bytes.len() as u64
        };
        let segment = self.segments.iter().filter(holds).max_by_key(|segment| segment.executable)?;
        segment.offset.checked_add(address - segment.address)
    }

    /// The code of a range, cut where the image ends. `None` outside of executable segments.
    pub(crate) fn code(&self, range: &Range<u64>) -> Option<&'a [u8]> {
        let rest = code_from(&self.segments, range.start)?;
        let length = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        Some(rest.get(..length).unwrap_or(rest))
    }

    pub(crate) fn function_at(&self, address: u64) -> Option<&Function> {
        let before = self.functions.partition_point(|function| function.range.start <= address);
        let function = self.functions.get(before.checked_sub(1)?)?;
        function.range.contains(&address).then_some(function)
    }

    /// What lies at a call's target: a function, or the function an entry of the linkage table leads to.
    pub(crate) fn callee(&self, address: u64) -> Option<String> {
        if self.linkage.iter().any(|range| range.contains(&address)) {
            let bytes = code_from(&self.segments, address)?;
            let word = match self.architecture {
                Architecture::X86_64 => crate::x86::jumps_through(bytes, address),
                Architecture::Aarch64 => crate::aarch64::jumps_through(bytes, address),
            };
            return self.linked_to(word?);
        }
        let function = self.function_at(address)?;
        let name = crate::code::demangled(function.name.as_ref()?);
        match address - function.range.start {
            0 => Some(name),
            offset => Some(format!("{name}+{offset:#x}")),
        }
    }

    /// The code, segment by segment.
    pub(crate) fn executable(&self) -> impl Iterator<Item = &'a [u8]> {
        self.segments.iter().filter(|segment| segment.executable).map(|segment| segment.bytes)
    }

    /// Names of other images that it uses.
    pub(crate) fn links(&self) -> impl Iterator<Item = &str> {
        self.linked.values().map(String::as_str)
    }

    /// What the word at this address is made to point to.
    pub(crate) fn linked_to(&self, word: u64) -> Option<String> {
        self.linked.get(&word).cloned()
    }
}

fn segments<'a>(file: &ElfFile64<'a>) -> Vec<Segment<'a>> {
    let segments = file.segments().filter_map(|segment| {
        let (offset, _) = segment.file_range();
        let executable = match segment.flags() {
            object::SegmentFlags::Elf { p_flags, .. } => p_flags.contains(elf::PF_X),
            _ => false,
        };
        Some(Segment { address: segment.address(), offset, bytes: segment.data().ok()?, executable })
    });
    segments.collect()
}

fn code_from<'a>(segments: &[Segment<'a>], address: u64) -> Option<&'a [u8]> {
    let executable = segments.iter().filter(|segment| segment.executable);
    let mut rests = executable.filter_map(|segment| {
        let start = usize::try_from(address.checked_sub(segment.address)?).ok()?;
        segment.bytes.get(start..).filter(|rest| !rest.is_empty())
    });
    rests.next()
}

/// Functions by symbol, and by unwind tables where no symbol is, as in a stripped program.
fn functions(file: &ElfFile64<'_>, segments: &[Segment<'_>]) -> Vec<Function> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let named = symbols.filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    let named = named.filter_map(|symbol| {
        let name = String::from_utf8_lossy(symbol.name_bytes().ok()?).into_owned();
        let end = symbol.address().checked_add(symbol.size())?;
        (!name.is_empty() && !name.starts_with('$')).then(|| Function::new(Some(name), symbol.address()..end))
    });
    let mut functions: Vec<Function> = named.collect();
    let unwound = unwound(file).into_iter().map(|range| Function::new(None, range));
    functions.extend(unwound);
    // At one place the longer one first, and of equal ones that with a name.
    functions.sort_by(|one, other| {
        let key = |function: &Function| (function.range.start, std::cmp::Reverse(function.range.end));
        key(one).cmp(&key(other)).then(one.name.is_none().cmp(&other.name.is_none()))
    });
    keep_names(&mut functions);
    end_the_endless(&mut functions, segments);
    functions.retain(|function| !function.range.is_empty());
    functions
}

/// One function for each start; its name may come from a symbol that is shorter than the unwind tables tell.
fn keep_names(functions: &mut Vec<Function>) {
    functions.dedup_by(|later, earlier| {
        if later.range.start != earlier.range.start {
            return false;
        }
        match earlier.name {
            None => earlier.name = later.name.take(),
            Some(_) => earlier.aliases.extend(later.name.take()),
        }
        true
    });
}

/// Assembler sources often give no size: such a function goes on to the next one.
fn end_the_endless(functions: &mut [Function], segments: &[Segment<'_>]) {
    let starts: Vec<u64> = functions.iter().skip(1).map(|function| function.range.start).collect();
    for (at, function) in functions.iter_mut().enumerate().filter(|(_, function)| function.range.is_empty()) {
        let start = function.range.start;
        let left = code_from(segments, start).map_or(0, |rest| rest.len() as u64);
        let end = start.saturating_add(left);
        function.range.end = starts.get(at).map_or(end, |next| end.min(*next));
    }
}

/// The ranges of `.eh_frame`, as far as it can be read.
fn unwound(file: &ElfFile64<'_>) -> Vec<Range<u64>> {
    let Some(section) = file.section_by_name(".eh_frame") else { return Vec::new() };
    let Ok(bytes) = section.data() else { return Vec::new() };
    let text = file.section_by_name(".text").map_or(0, |section| section.address());
    let bases = gimli::BaseAddresses::default().set_eh_frame(section.address()).set_text(text);
    let table = gimli::EhFrame::new(bytes, gimli::LittleEndian);
    let mut entries = table.entries(&bases);
    let mut ranges = Vec::new();
    while let Ok(Some(entry)) = entries.next() {
        let gimli::CieOrFde::Fde(partial) = entry else { continue };
        let Ok(entry) = partial.parse(UnwindSection::cie_from_offset) else { continue };
        if let Some(end) = entry.initial_address().checked_add(entry.len()) {
            ranges.push(entry.initial_address()..end);
        }
    }
    ranges
}

fn linked(file: &ElfFile64<'_>) -> BTreeMap<u64, String> {
    let Some(table) = file.dynamic_symbol_table() else { return BTreeMap::new() };
    let relocations = file.dynamic_relocations().into_iter().flatten();
    let named = relocations.filter_map(|(address, relocation)| {
        let RelocationTarget::Symbol(index) = relocation.target() else { return None };
        let symbol = object::ObjectSymbolTable::symbol_by_index(&table, index).ok()?;
        let name = String::from_utf8_lossy(symbol.name_bytes().ok()?).into_owned();
        Some((address, crate::code::demangled(&name)))
    });
    named.collect()
}

fn linkage(file: &ElfFile64<'_>) -> Vec<Range<u64>> {
    let sections =
        file.sections().filter(|section| section.name().is_ok_and(|name| name.starts_with(LINKAGE)));
    let ranges = sections.map(|section| section.address()..section.address().saturating_add(section.size()));
    ranges.collect()
}
