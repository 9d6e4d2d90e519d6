//! Machine code that a compiler inside the process made, named by the list it keeps for debuggers.
//!
//! LLVM's just-in-time compiler, which Numba compiles Python functions with, links each object it makes into the list
//! `__jit_debug_descriptor` (GDB's manual, "JIT Compilation Interface", version 1): version and action (4 bytes each), the
//! entry last added, the first entry; an entry is next, previous, address and size of an ELF object whose sections carry
//! the addresses they were put at. The list is read from outside while the process runs; nothing is asked of it. Names are
//! those of Numba's mangling: `_ZN`, then module and function in parts with their lengths, then tags and argument types.
//! Checked with Numba 0.68 and llvmlite 0.50.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use crate::perf_map::PerfMap;
use crate::python::find;
use crate::python::memory::{self, Remote};
use crate::raw::Mapping;

const DESCRIPTOR: &[u8] = b"__jit_debug_descriptor";
const DESCRIPTOR_LENGTH: usize = 24;
const ENTRY_LENGTH: usize = 32;

/// Objects that are read of one process, and bytes of one of them: ordinary ones have some 10 KB.
const MOST_OBJECTS: usize = 10_000;
const MOST_BYTES: u64 = 16 << 20;

/// A source file that is larger is not searched for a line.
const MOST_SOURCE: u64 = 1 << 20;

/// Whether a mapped file may hold such a compiler.
#[must_use]
pub fn may_compile(path: &[u8]) -> bool {
    path.rsplit(|byte| *byte == b'/').next().is_some_and(|name| name.starts_with(b"libllvmlite"))
}

/// The code made so far in one process.
#[derive(Clone, Debug)]
pub struct Jitted {
    pid: u32,
    /// Where the list begins.
    descriptor: u64,
    known: HashSet<u64>,
    sources: Sources,
    /// In the form of a perf map.
    text: String,
    /// Nothing more can be read.
    ended: bool,
}

impl Jitted {
    /// `None` when the process has no such compiler, or it cannot be read.
    #[must_use]
    pub fn find(pid: u32) -> Option<Self> {
        let mappings = find::mappings(pid).ok()?;
        let mapping = mappings.iter().find(|mapping| mapping.executable && may_compile(&mapping.path))?;
        let descriptor = descriptor(pid, mapping)?;
        let sources = Sources::of(pid, mapping);
        Some(Self { pid, descriptor, known: HashSet::new(), sources, text: String::new(), ended: false })
    }

    /// The code of a process that was just forked: its memory is a copy.
    #[must_use]
    pub fn forked(&self, pid: u32) -> Self {
        Self { pid, ..self.clone() }
    }

    /// Reads what was added since the last time. A process that has ended has nothing more to tell.
    pub fn read(&mut self) {
        if self.ended {
            return;
        }
        let memory = Remote { pid: self.pid };
        let head = memory::bytes(&memory, self.descriptor, DESCRIPTOR_LENGTH);
        self.ended = head.is_err();
        let Ok(Some(head)) = head else { return };
        if memory::half_at(&head, 0) != Some(1) {
            return;
        }
        let mut at = memory::word_at(&head, 16).unwrap_or(0);
        // New entries come first, so whatever follows a known one is known.
        while at != 0 && self.known.len() < MOST_OBJECTS && self.known.insert(at) {
            let Ok(Some(entry)) = memory::bytes(&memory, at, ENTRY_LENGTH) else { return };
            let (next, file, size) =
                (memory::word_at(&entry, 0), memory::word_at(&entry, 16), memory::word_at(&entry, 24));
            if let (Some(file), Some(size)) = (file, size.filter(|size| *size <= MOST_BYTES))
                && let Ok(Some(object)) =
                    memory::bytes(&memory, file, usize::try_from(size).unwrap_or_default())
            {
                self.add(&object);
            }
            at = next.unwrap_or(0);
        }
    }

    /// The names by address.
    #[must_use]
    pub fn map(&self) -> PerfMap {
        PerfMap::parse(self.text.as_bytes())
    }

    fn add(&mut self, bytes: &[u8]) {
        for (start, size, name) in functions(bytes) {
            let name = self.sources.told(&name);
            let _ = writeln!(self.text, "{start:x} {size:x} {name}");
        }
    }
}

/// Functions of an object in memory: start, size, mangled name.
fn functions(bytes: &[u8]) -> Vec<(u64, u64, String)> {
    let Ok(object) = object::File::parse(bytes) else { return Vec::new() };
    let function = |symbol: object::Symbol<'_, '_>| {
        let section = object.section_by_index(symbol.section_index()?).ok()?;
        let start = section.address().checked_add(symbol.address())?;
        let name = symbol.name().ok()?.replace(['\n', '\r'], " ");
        (section.address() != 0 && symbol.size() > 0).then_some((start, symbol.size(), name))
    };
    let symbols = object.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    symbols.filter_map(function).collect()
}

fn descriptor(pid: u32, mapping: &Mapping) -> Option<u64> {
    let file = find::open(pid, mapping)?;
    // SAFETY: the file is mapped privately and only read; it is a library in use, which installers replace whole.
    let bytes = unsafe { Mmap::map(&file) }.ok()?;
    let object = object::File::parse(&*bytes).ok()?;
    let bias = find::bias(&object, mapping)?;
    let mut symbols = object.symbols();
    let symbol = symbols.find(|symbol| symbol.name_bytes().is_ok_and(|name| name == DESCRIPTOR))?;
    Some(symbol.address().wrapping_add(bias))
}

/// Where the modules of a Python process come from.
#[derive(Clone, Debug, Default)]
struct Sources {
    script: Option<PathBuf>,
    /// Folders that modules are looked for in.
    roots: Vec<PathBuf>,
    /// Files by module.
    files: HashMap<String, Option<PathBuf>>,
}

impl Sources {
    fn of(pid: u32, library: &Mapping) -> Self {
        let folder = fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words = words.split(|byte| *byte == 0).skip(1).map(String::from_utf8_lossy);
        let words: Vec<String> = words.map(std::borrow::Cow::into_owned).collect();
        // site-packages/llvmlite/binding/libllvmlite.so
        let packages = str::from_utf8(&library.path).ok().and_then(|path| Path::new(path).ancestors().nth(3));
        let mut sources = Self { roots: vec![folder.clone()], ..Self::default() };
        let named = words.iter().position(|word| word == "-m").and_then(|at| words.get(at + 1).cloned());
        sources.script = match named {
            Some(module) => sources.file(&module),
            None => words.iter().map(|word| folder.join(word)).find(|path| path.is_file()),
        };
        sources.roots.extend(sources.script.iter().filter_map(|script| script.parent()).map(Path::to_owned));
        sources.roots.extend(packages.map(Path::to_owned));
        sources
    }

    /// The file of a module, `a.b` as a rule in `a/b.py`.
    fn file(&mut self, module: &str) -> Option<PathBuf> {
        if module == "__main__" {
            return self.script.clone();
        }
        if let Some(known) = self.files.get(module) {
            return known.clone();
        }
        let path = module.replace('.', "/");
        let forms = [format!("{path}.py"), format!("{path}/__init__.py")];
        let all = self.roots.iter().flat_map(|root| forms.iter().map(|form| root.join(form)));
        let found = all.into_iter().find(|path| path.is_file());
        self.files.insert(module.to_owned(), found.clone());
        found
    }

    /// A name in the form of CPython's own perf maps where the file is known, with the line of its definition.
    fn told(&mut self, mangled: &str) -> String {
        let Some(parts) = parts(mangled) else { return mangled.to_owned() };
        for length in (1..parts.len()).rev() {
            let (module, function) = parts.split_at(length);
            if let Some(file) = self.file(&module.join(".")) {
                let line = function.last().and_then(|name| defined_at(&file, name));
                let line = line.map(|line| format!(":{line}")).unwrap_or_default();
                return format!("jit::{}:{}{line}", function.join("."), file.display());
            }
        }
        parts.join(".")
    }
}

/// Module and function of a mangled name. `None` when it is in another form.
fn parts(mangled: &str) -> Option<Vec<String>> {
    let mut rest = mangled.strip_prefix("_ZN")?;
    let mut parts = Vec::new();
    while rest.starts_with(|letter: char| letter.is_ascii_digit()) {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let length: usize = rest.get(..digits)?.parse().ok()?;
        let end = digits.checked_add(length)?;
        parts.push(rest.get(digits..end)?.replace("_3c", "<").replace("_3e", ">"));
        rest = rest.get(end..)?;
    }
    // What unpacks the arguments of a call from Python belongs to the function it calls.
    if parts.first().is_some_and(|first| first == "cpython") {
        parts.remove(0);
    }
    (parts.len() > 1).then_some(parts)
}

/// The line that defines a function. `None` when there is none, or more than one.
fn defined_at(file: &Path, name: &str) -> Option<u32> {
    if fs::metadata(file).ok()?.len() > MOST_SOURCE {
        return None;
    }
    let text = fs::read_to_string(file).ok()?;
    let start = format!("def {name}(");
    let mut lines = (1_u32..).zip(text.lines()).filter(|(_, line)| line.trim_start().starts_with(&start));
    let (line, _) = lines.next()?;
    lines.next().is_none().then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_are_taken_apart() {
        let dot =
            "8__main__3dotB2v1B38c8tJTIeFIjxB2IKSgI4CrvQClQZ6FczSBAA_3dE5ArrayIdLi1E1C7mutable7alignedE";
        let cases = [
            (format!("_ZN{dot}"), Some(vec!["__main__", "dot"])),
            (format!("_ZN7cpython{dot}"), Some(vec!["__main__", "dot"])),
            (
                "_ZN3pkg4deep5outer12_3clocals_3e5innerB2v1E".to_owned(),
                Some(vec!["pkg", "deep", "outer", "<locals>", "inner"]),
            ),
            ("_ZN99dot".to_owned(), None),
            ("_ZN3dotE".to_owned(), None),
            ("NRT_decref".to_owned(), None),
            ("_ZN18446744073709551615a1b".to_owned(), None),
        ];
        for (mangled, expected) in cases {
            let expected = expected.map(|parts| parts.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(parts(&mangled), expected, "{mangled}");
        }
    }

    #[test]
    fn bytes_that_are_no_object_have_no_functions() {
        assert!(functions(b"").is_empty() && functions(b"\x7fELF and nothing else").is_empty());
    }

    #[test]
    fn a_module_is_found_as_python_finds_it() {
        let folder = std::env::temp_dir().join(format!("slowpath-jitted-{}", std::process::id()));
        fs::create_dir_all(folder.join("pkg")).unwrap();
        fs::write(folder.join("pkg/deep.py"), "import x\n\n@njit\ndef inner(a):\n    return a\n").unwrap();
        let mut sources = Sources { roots: vec![folder.clone()], ..Sources::default() };
        let told = sources.told("_ZN3pkg4deep5innerB2v1E");
        assert_eq!(told, format!("jit::inner:{}:4", folder.join("pkg/deep.py").display()));
        assert_eq!(sources.told("_ZN5other5innerE"), "other.inner");
        fs::remove_dir_all(folder).unwrap();
    }
}
