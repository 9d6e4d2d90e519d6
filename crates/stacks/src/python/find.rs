//! Is a process CPython, which one, and where is its runtime?

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use memmap2::Mmap;
use object::elf::PF_X;
use object::{Object, ObjectSegment, ObjectSymbol, SegmentFlags};

use super::NotPython;
use super::memory::{self, Memory, Remote, Unreadable};
use super::offsets::{self, Offsets, TABLE_LENGTH, TableFault};
use crate::raw::Mapping;

/// The code of the evaluation loop: where Python frames belong in a native stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalCode {
    /// The file, as the target's mappings name it.
    pub path: Vec<u8>,
    /// Addresses as the file counts (its ELF virtual addresses).
    pub ranges: Vec<Range<u64>>,
}

impl EvalCode {
    /// Whether an address of this file, as the file counts, lies in the loop.
    #[must_use]
    pub fn contains(&self, address: u64) -> bool {
        self.ranges.iter().any(|range| range.contains(&address))
    }
}

/// Where the types are by which objects are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Types {
    pub(crate) code: u64,
    pub(crate) frame: u64,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) minor: u8,
    pub(crate) offsets: Offsets,
    pub(crate) runtime: u64,
    pub(crate) types: Types,
    pub(crate) eval: EvalCode,
}

/// Symbols of one file, as the file counts.
#[derive(Debug, Default)]
struct Symbols {
    runtime: Option<u64>,
    code_type: Option<u64>,
    frame_type: Option<u64>,
    version: Option<u64>,
    eval: Vec<Range<u64>>,
}

pub(crate) fn find(pid: u32) -> Result<Found, NotPython> {
    let mappings = mappings(pid)?;
    for mapping in candidates(&mappings) {
        let Some((symbols, bias)) = symbols(pid, mapping) else { continue };
        let types = symbols.code_type.zip(symbols.frame_type);
        if let (Some(runtime), Some((code, frame))) = (symbols.runtime, types) {
            let at = |address: u64| address.wrapping_add(bias);
            let minor = version(pid, symbols.version.map(at), mapping, &mappings)?;
            return Ok(Found {
                minor,
                offsets: row(pid, minor, at(runtime))?,
                runtime: at(runtime),
                types: Types { code: at(code), frame: at(frame) },
                eval: EvalCode { path: mapping.path.clone(), ranges: symbols.eval },
            });
        }
    }
    Err(NotPython::NoInterpreter)
}

/// Code of files called python, and of the program itself, which may have CPython linked in under any name.
fn candidates(mappings: &[Mapping]) -> impl Iterator<Item = &Mapping> {
    let program = mappings.iter().find(|mapping| mapping.executable && mapping.path.starts_with(b"/"));
    let named = mappings.iter().filter(|mapping| mapping.executable && is_named_python(&mapping.path));
    named.chain(program.filter(|program| !is_named_python(&program.path)))
}

fn is_named_python(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    name.starts_with(b"python") || name.starts_with(b"libpython")
}

pub(crate) fn mappings(pid: u32) -> Result<Vec<Mapping>, NotPython> {
    let text = fs::read(format!("/proc/{pid}/maps")).map_err(|cause| match cause.kind() {
        io::ErrorKind::PermissionDenied => NotPython::Refused { pid },
        _ => NotPython::Gone { pid },
    })?;
    // The kernel gives an empty list for a process that has ended or is one of its own.
    if text.is_empty() {
        return Err(NotPython::Gone { pid });
    }
    Ok(text.split(|byte| *byte == b'\n').filter_map(mapping).collect())
}

/// `start-end perms offset device inode path`.
fn mapping(line: &[u8]) -> Option<Mapping> {
    let mut fields = line.splitn(6, |byte| *byte == b' ');
    let mut text = || str::from_utf8(fields.next()?).ok();
    let (start, end) = text()?.split_once('-')?;
    let permissions = text()?;
    let offset = text()?;
    let (_device, _inode) = (text()?, text()?);
    Some(Mapping {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        offset: u64::from_str_radix(offset, 16).ok()?,
        path: fields.next().unwrap_or_default().trim_ascii_start().to_vec(),
        executable: permissions.contains('x'),
    })
}

/// The symbols of the file behind a mapping, and what to add to its addresses. `None` when it cannot be read.
fn symbols(pid: u32, mapping: &Mapping) -> Option<(Symbols, u64)> {
    let file = open(pid, mapping)?;
    // SAFETY: the file is mapped privately and only read. Somebody who cuts it meanwhile could end us by SIGBUS; it is
    // a program being executed, which the kernel protects from writing, or a library, which installers replace whole.
    let bytes = unsafe { Mmap::map(&file) }.ok()?;
    let object = object::File::parse(&*bytes).ok()?;
    let bias = bias(&object, mapping)?;
    let mut symbols = Symbols::default();
    object.dynamic_symbols().for_each(|symbol| symbols.note(&symbol));
    // A program of another name would be searched for nothing: interpreters export what extensions need.
    if symbols.runtime.is_some() || is_named_python(&mapping.path) {
        object.symbols().for_each(|symbol| symbols.note(&symbol));
    }
    Some((symbols, bias))
}

impl Symbols {
    fn note<'file>(&mut self, symbol: &impl ObjectSymbol<'file>) {
        if !symbol.is_definition() && symbol.address() == 0 {
            return;
        }
        match symbol.name_bytes().unwrap_or_default() {
            b"_PyRuntime" => self.runtime = Some(symbol.address()),
            b"PyCode_Type" => self.code_type = Some(symbol.address()),
            b"PyFrame_Type" => self.frame_type = Some(symbol.address()),
            b"Py_Version" => self.version = Some(symbol.address()),
            // Parts that the compiler moved away have a suffix. Where each instruction is a function of its own (3.14 with
            // tail calls), this one still calls the first of them, so it stands once for each loop.
            name if name.starts_with(b"_PyEval_EvalFrameDefault") => {
                let range = symbol.address()..symbol.address().saturating_add(symbol.size());
                if !self.eval.contains(&range) {
                    self.eval.push(range);
                }
            }
            _ => {}
        }
    }
}

/// The target's own view of the file system first: it may live in a container.
pub(crate) fn open(pid: u32, mapping: &Mapping) -> Option<File> {
    let path = str::from_utf8(&mapping.path).ok()?;
    let places = [
        PathBuf::from(format!("/proc/{pid}/root{path}")),
        // Works for deleted files too, but only with privileges.
        PathBuf::from(format!("/proc/{pid}/map_files/{:x}-{:x}", mapping.start, mapping.end)),
        PathBuf::from(path),
    ];
    places.iter().find_map(|place| File::open(place).ok())
}

/// What was added to the file's addresses when it was loaded, told by its executable segment.
pub(crate) fn bias(object: &object::File<'_>, mapping: &Mapping) -> Option<u64> {
    let executable = |flags| matches!(flags, SegmentFlags::Elf { p_flags, .. } if (p_flags & PF_X).0 != 0);
    object.segments().filter(|segment| executable(segment.flags())).find_map(|segment| {
        let (offset, size) = segment.file_range();
        // The mapping begins at the page in which the segment begins, or inside the segment.
        let inside = mapping.offset.wrapping_sub(offset);
        let begins_here = offset.wrapping_sub(mapping.offset) < mapping.end - mapping.start;
        (begins_here || inside < size)
            .then(|| mapping.start.wrapping_sub(segment.address().wrapping_add(inside)))
    })
}

/// The minor version: by the interpreter's own number (3.11 and later), else by the names of mapped files.
fn version(pid: u32, version: Option<u64>, mapping: &Mapping, mappings: &[Mapping]) -> Result<u8, NotPython> {
    if let Some(address) = version {
        let number = memory::word(&Remote { pid }, address).map_err(|cause| refusal(pid, cause))?;
        if let Some([_, _, minor, 3]) = number.map(|number| (number as u32).to_le_bytes()) {
            return Ok(minor);
        }
    }
    let paths = std::iter::once(mapping).chain(mappings).map(|mapping| &mapping.path);
    paths.into_iter().find_map(|path| minor_in(path)).ok_or(NotPython::VersionUnknown)
}

/// The digits after `python3.` in a path.
fn minor_in(path: &[u8]) -> Option<u8> {
    let path = str::from_utf8(path).ok()?;
    let (_, after) = path.rsplit_once("python3.")?;
    let digits = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
    after.get(..digits)?.parse().ok()
}

fn row(pid: u32, minor: u8, runtime: u64) -> Result<Offsets, NotPython> {
    if minor < 8 {
        return Err(NotPython::Unsupported { minor });
    }
    if let Some(offsets) = offsets::frozen(minor) {
        return Ok(offsets);
    }
    let mut table = vec![0; TABLE_LENGTH];
    let piece = memory::Piece { address: runtime, length: TABLE_LENGTH };
    Remote { pid }.fill(&[piece], &mut table).map_err(|cause| refusal(pid, cause))?;
    offsets::parse_table(&table, minor).map_err(|fault| match fault {
        TableFault::NoCookie | TableFault::Strange => NotPython::Unsupported { minor },
        TableFault::FreeThreaded => NotPython::FreeThreaded { minor },
    })
}

fn refusal(pid: u32, cause: Unreadable) -> NotPython {
    match cause {
        Unreadable::Gone => NotPython::Gone { pid },
        Unreadable::Refused => NotPython::Refused { pid },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_names() {
        let cases = [
            ("/usr/lib/libpython3.8.so.1.0", Some(8)),
            ("/opt/python3.7/lib/libpython3.10.so.1.0", Some(10)),
            ("/usr/bin/python3.12", Some(12)),
            ("/usr/bin/python3", None),
            ("/usr/bin/python3.x", None),
            ("/usr/bin/perl", None),
        ];
        for (path, minor) in cases {
            assert_eq!(minor_in(path.as_bytes()), minor, "{path}");
        }
    }

    #[test]
    fn a_mapping_may_have_spaces_in_its_name() {
        let line = b"7f00-7f10 r-xp 00001000 08:01 42                         /opt/my python/python3.9";
        let mapping = mapping(line).unwrap();
        assert_eq!((mapping.start, mapping.offset, mapping.executable), (0x7f00, 0x1000, true));
        assert_eq!(mapping.path, b"/opt/my python/python3.9");
    }
}
