//! Is a process a Go program, which version, and where is its list of goroutines?

use std::collections::HashSet;
use std::fs::{self, File};

use memmap2::Mmap;
use object::read::elf::{ElfFile64, FileHeader as _, ProgramHeader as _};
use object::{Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, elf};

use super::NotGo;
use super::offsets::{self, Offsets};
use crate::python::{Memory, Piece, Remote};

/// A version is a short word.
const VERSION: u64 = 200;

/// There are some forty reasons to wait.
const REASONS: u64 = 100;

/// What was found. Addresses are the process's.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) version: String,
    pub(crate) offsets: Offsets,
    pub(crate) list: List,
    /// The runtime's words for why a goroutine waits, by their number.
    pub(crate) reasons: Vec<String>,
    /// Functions of the runtime that goroutines of its own begin with.
    pub(crate) own_starts: HashSet<u64>,
}

/// Where the list of all goroutines is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The word with the address of the array.
    pub(crate) array: u64,
    /// The word with its length.
    pub(crate) length: u64,
}

/// Symbols of the program, as its file counts.
#[derive(Debug, Default)]
struct Symbols {
    version: Option<u64>,
    array: Option<u64>,
    length: Option<u64>,
    slice: Option<u64>,
    reasons: Option<(u64, u64)>,
    own_starts: HashSet<u64>,
}

pub(crate) fn find(pid: u32) -> Result<Found, NotGo> {
    let gone = || NotGo::Unreadable { pid };
    let file = File::open(format!("/proc/{pid}/exe")).map_err(|_| gone())?;
    // SAFETY: the mapping is private and read-only, and the kernel protects a program being executed from writing.
    let bytes = unsafe { Mmap::map(&file) }.map_err(|_| NotGo::OtherProgram)?;
    let program = ElfFile64::<Endianness>::parse(&*bytes).map_err(|_| NotGo::OtherProgram)?;
    let is_go = [".gopclntab", ".data.rel.ro.gopclntab", ".go.buildinfo"];
    if !is_go.iter().any(|name| program.section_by_name(name).is_some_and(|section| section.size() > 0)) {
        return Err(NotGo::OtherProgram);
    }
    let bias = bias(&program, pid).ok_or_else(gone)?;
    of_symbols(&Remote { pid }, &Symbols::of(&program), bias)
}

/// What the symbols lead to.
fn of_symbols<M: Memory>(memory: &M, symbols: &Symbols, bias: u64) -> Result<Found, NotGo> {
    let at = |address: u64| address.wrapping_add(bias);
    // The list is published in two words, the address before the length; older programs have the slice alone.
    let list = match (symbols.array, symbols.length, symbols.slice) {
        (Some(array), Some(length), _) => List { array: at(array), length: at(length) },
        (_, _, Some(slice)) => List { array: at(slice), length: at(slice).wrapping_add(8) },
        _ => return Err(NotGo::Stripped),
    };
    // Until the runtime has its first goroutine, the linker may not have moved the words of a program that may lie anywhere.
    if words(memory, list.array).is_some_and(|[array, _]| array == 0) {
        return Err(NotGo::TooEarly);
    }
    let version = symbols.version.and_then(|version| text(memory, at(version), VERSION));
    let version = version.ok_or(NotGo::Stripped)?;
    let offsets = offsets::of_version(&version)
        .ok_or_else(|| NotGo::Unsupported { version: version.chars().take(40).collect() })?;
    let reasons = symbols.reasons.map(|(start, size)| {
        let places = (0..(size / 16).min(REASONS)).map(|index| at(start).wrapping_add(index * 16));
        places.map(|place| text(memory, place, VERSION).unwrap_or_default()).collect()
    });
    let own_starts = symbols.own_starts.iter().map(|start| at(*start)).collect();
    Ok(Found { version, offsets, list, reasons: reasons.unwrap_or_default(), own_starts })
}

impl Symbols {
    fn of(program: &ElfFile64<'_, Endianness>) -> Self {
        let mut symbols = Self::default();
        for symbol in program.symbols() {
            let Some(name) = symbol.name().ok().and_then(|name| name.strip_prefix("runtime.")) else {
                continue;
            };
            let address = symbol.address();
            match name {
                "buildVersion" => symbols.version = Some(address),
                "allgptr" => symbols.array = Some(address),
                "allglen" => symbols.length = Some(address),
                "allgs" => symbols.slice = Some(address),
                "waitReasonStrings" => symbols.reasons = Some((address, symbol.size())),
                // Where the user's own code begins.
                "main" => {}
                _ => {
                    symbols.own_starts.insert(address);
                }
            }
        }
        symbols
    }
}

/// A Go string: the header lies at `place`.
fn text<M: Memory>(memory: &M, place: u64, most: u64) -> Option<String> {
    let [start, length] = words(memory, place)?;
    let length = usize::try_from(length).ok().filter(|_| length <= most)?;
    let mut bytes = vec![0; length];
    let filled = memory.fill(&[Piece { address: start, length }], &mut bytes).ok()?;
    String::from_utf8(bytes).ok().filter(|_| filled == length)
}

/// Two words, one after the other.
fn words<M: Memory>(memory: &M, address: u64) -> Option<[u64; 2]> {
    let mut bytes = [0; 16];
    let filled = memory.fill(&[Piece { address, length: 16 }], &mut bytes).ok()?;
    let (words, _) = bytes.as_chunks::<8>();
    let [first, second] = *words.first_chunk::<2>()?;
    (filled == 16).then(|| [u64::from_le_bytes(first), u64::from_le_bytes(second)])
}

/// What was added to the file's addresses when it was loaded: nothing, except for programs that may lie anywhere.
fn bias(program: &ElfFile64<'_, Endianness>, pid: u32) -> Option<u64> {
    let endian = program.endian();
    if program.elf_header().e_type(endian) == elf::ET_EXEC {
        return Some(0);
    }
    let path = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    let maps = fs::read(format!("/proc/{pid}/maps")).ok()?;
    let path = path.as_os_str().as_encoded_bytes();
    let start = crate::space::parse_maps(&maps)
        .filter(|mapping| mapping.path == path && mapping.offset == 0)
        .map(|mapping| mapping.start)
        .min()?;
    let first = program
        .elf_program_headers()
        .iter()
        .find(|header| header.p_type(endian) == elf::PT_LOAD && header.p_offset(endian) == 0)?;
    Some(start.wrapping_sub(first.p_vaddr(endian)))
}

#[cfg(test)]
pub(crate) mod made {
    //! A program's words in made-up memory.

    use super::*;

    /// A list of goroutines at known places, read as Go 1.19 lays it out.
    pub(crate) fn found(list: List) -> Found {
        Found {
            version: "go1.19".to_owned(),
            offsets: offsets::of_version("go1.19").unwrap(),
            list,
            reasons: vec![String::new(), "IO wait".to_owned()],
            own_starts: HashSet::from([0x7777]),
        }
    }

    /// Whatever the symbols lead to, it ends without a panic.
    pub(crate) fn try_symbols<M: Memory>(memory: &M, places: [u64; 4], size: u64) -> Result<String, NotGo> {
        let [version, array, length, reasons] = places;
        let symbols = Symbols {
            version: Some(version),
            array: Some(array),
            length: Some(length),
            slice: None,
            reasons: Some((reasons, size)),
            own_starts: HashSet::new(),
        };
        of_symbols(memory, &symbols, 0).map(|found| found.version)
    }
}
