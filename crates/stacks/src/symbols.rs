//! Addresses of one module → functions, files and lines.
//!
//! blazesym reads symbol tables and debug information, also those kept apart: by debug link, by build-id, as `.dwp`.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use blazesym::helper::ElfResolver;
use blazesym::symbolize::source::{Elf, Source};
use blazesym::symbolize::{
    CodeInfo, FindSymOpts, Input, SrcLang, Sym, Symbolize as _, Symbolized, Symbolizer,
};
use model::recording::Language;
use object::read::elf::ElfFile64;
use object::{CompressionFormat, Endianness, Object as _, ObjectSection as _};

use crate::files;
use crate::go::table::Table;
use crate::kept::Kept;
use crate::lambda;
use crate::module::Module;

/// Debug information that claims to unpack to more is not believed.
const UNPACKED_LIMIT: u64 = 2 << 30;

/// How far behind an instruction without a line the one is looked for that has its line, in bytes, and in which steps.
const BEHIND: u64 = 160;
const STEP: usize = 4;

/// One function at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    /// Demangled. `None` when only its line is known.
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) language: Language,
    pub(crate) inlined: bool,
}

/// For each address its function and those expanded into it, outer first. Empty where nothing is known.
pub(crate) fn symbols(module: &Module, addresses: &[u64], kept: Option<&Kept>) -> Vec<Vec<Symbol>> {
    let shelf = kept.and_then(|kept| Some((kept, kept.shelf(module)?)));
    let Some((kept, mut shelf)) = shelf else {
        return look_up(module, addresses).unwrap_or_else(|| vec![Vec::new(); addresses.len()]);
    };
    let is_missing = |address: &u64| !shelf.names.contains_key(address);
    let missing: Vec<u64> = addresses.iter().copied().filter(is_missing).collect();
    if !missing.is_empty()
        && let Some(found) = look_up(module, &missing)
    {
        shelf.names.extend(missing.into_iter().zip(found));
        kept.store(&shelf);
    }
    addresses.iter().map(|address| shelf.names.get(address).cloned().unwrap_or_default()).collect()
}

/// `None` when the module cannot be read.
fn look_up(module: &Module, addresses: &[u64]) -> Option<Vec<Vec<Symbol>>> {
    // Hostile debug information may reach a corner of the reader that panics; then the module has no names.
    let named = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut chains = Names::open(module)?.all(addresses)?;
        if module.is_go {
            complete(module, addresses, &mut chains);
        }
        Some(chains)
    }));
    named.ok().flatten()
}

/// A Go program that was stripped still knows its functions and lines.
fn complete(module: &Module, addresses: &[u64], chains: &mut [Vec<Symbol>]) -> Option<()> {
    let has_line = |chain: &Vec<Symbol>| chain.first().is_some_and(|symbol| symbol.line.is_some());
    if chains.iter().all(has_line) {
        return None;
    }
    let elf = ElfFile64::<Endianness>::parse(&**module.image.as_deref()?).ok()?;
    let table = Table::open(&elf)?;
    for (address, chain) in addresses.iter().zip(chains).filter(|(_, chain)| !has_line(chain)) {
        let found = table.chain(*address);
        if !found.is_empty() {
            *chain = found;
        }
    }
    Some(())
}

/// A module opened for naming.
struct Names<'a> {
    module: &'a Module,
    /// `None` when its debug information cannot be used; then there are symbols only.
    resolver: Option<Rc<ElfResolver>>,
    symbolizer: Symbolizer,
    source: Source<'static>,
    /// The same without debug information.
    bare: Source<'static>,
    bare_symbolizer: Symbolizer,
    /// Keeps the file open that the source's path leads to.
    _copy: Option<File>,
}

impl<'a> Names<'a> {
    fn open(module: &'a Module) -> Option<Self> {
        let image = module.image.as_deref()?;
        let elf = ElfFile64::<Endianness>::parse(&**image).ok()?;
        let (path, copy) = place(module)?;
        let path = debug_file(module, &elf).unwrap_or(path);
        let resolver = is_bounded(&elf).then(|| ElfResolver::open(&path).ok()).flatten().map(Rc::new);
        let mut symbolizer = Symbolizer::builder().enable_auto_reload(false).build();
        if let Some(resolver) = &resolver {
            symbolizer.register_elf_resolver(&path, Rc::clone(resolver)).ok()?;
        }
        let mut bare = Elf::new(&path);
        bare.debug_syms = false;
        let bare_symbolizer = Symbolizer::builder().enable_auto_reload(false).enable_code_info(false).build();
        let mut elf = Elf::new(path);
        elf.debug_syms = resolver.is_some();
        Some(Self {
            module,
            resolver,
            symbolizer,
            source: Source::from(elf),
            bare: Source::from(bare),
            bare_symbolizer,
            _copy: copy,
        })
    }

    fn all(&self, addresses: &[u64]) -> Option<Vec<Vec<Symbol>>> {
        if let Ok(found) = self.symbolizer.symbolize(&self.source, Input::VirtOffset(addresses)) {
            let has_lines = found.iter().any(has_line);
            let chain = |(address, found): (&u64, &Symbolized<'_>)| {
                let behind = has_lines.then(|| self.behind(*address, found)).flatten();
                behind.unwrap_or_else(|| self.chain(*address, found))
            };
            return Some(addresses.iter().zip(&found).map(chain).collect());
        }
        // One address in a damaged unit spoils the whole batch.
        let one = |address: &u64| {
            let found = self.symbolizer.symbolize_single(&self.source, Input::VirtOffset(*address));
            found.map(|found| self.chain(*address, &found)).unwrap_or_default()
        };
        Some(addresses.iter().map(one).collect())
    }

    /// What an instruction without a line belongs to: compilers that merge loads of several places, or move them out of
    /// the way, give them line 0 of the outermost function. Whoever uses the value stands behind it.
    fn behind(&self, address: u64, found: &Symbolized<'_>) -> Option<Vec<Symbol>> {
        let name = &found.as_sym().filter(|symbol| symbol.inlined.is_empty() && !has_line(found))?.name;
        let next: Vec<u64> = (address..address.checked_add(BEHIND)?).step_by(STEP).skip(1).collect();
        let all = self.symbolizer.symbolize(&self.source, Input::VirtOffset(&next)).ok()?;
        let same = all.iter().take_while(|found| found.as_sym().is_some_and(|symbol| symbol.name == *name));
        same.into_iter().find(|found| has_line(found)).map(|found| self.chain(address, found))
    }

    fn chain(&self, address: u64, found: &Symbolized<'_>) -> Vec<Symbol> {
        let Symbolized::Sym(symbol) = found else { return Vec::new() };
        let language = self.language(address, symbol);
        let (file, line) = source_place(symbol.code_info.as_deref());
        // A symbol without a size names its own first byte only: what follows may be anything.
        let sized = symbol.size.is_some() || symbol.offset == 0;
        let told = Some(readable(&symbol.name)).filter(|name| sized && !name.is_empty());
        // Debug information gives a function in several pieces no size; the symbol table does.
        let function = told.or_else(|| self.in_table(address));
        let function = function.map(|name| self.with_path(address, language, name));
        let outer = Symbol {
            function,
            language: by_file(file.as_deref()).unwrap_or(language),
            file,
            line,
            inlined: false,
        };
        if outer.function.is_none() && outer.file.is_none() {
            return Vec::new();
        }
        let mut chain = vec![outer];
        chain.extend(symbol.inlined.iter().map(|inlined| {
            let (file, line) = source_place(inlined.code_info.as_ref());
            let language = by_file(file.as_deref()).unwrap_or(language);
            let function = Some(readable(&inlined.name)).filter(|name| !name.is_empty());
            Symbol { function, file, line, language, inlined: true }
        }));
        lambda::name_all(&mut chain);
        chain
    }

    /// The name that the symbol table has for all bytes around an address.
    fn in_table(&self, address: u64) -> Option<String> {
        match self.bare_symbolizer.symbolize_single(&self.bare, Input::VirtOffset(address)) {
            Ok(Symbolized::Sym(symbol)) if symbol.size.is_some() && !symbol.name.is_empty() => {
                Some(readable(&symbol.name))
            }
            _ => None,
        }
    }

    /// Debug information for lines only names Rust's functions without their modules; the symbol has both.
    fn with_path(&self, address: u64, language: Language, name: String) -> String {
        if language != Language::Rust || name.contains("::") {
            return name;
        }
        let found = self.bare_symbolizer.symbolize_single(&self.bare, Input::VirtOffset(address));
        match found {
            Ok(Symbolized::Sym(symbol)) => {
                Some(readable(&symbol.name)).filter(|path| path.contains("::")).unwrap_or(name)
            }
            _ => name,
        }
    }

    /// The language of the unit where debug information tells, else what the mangling betrays.
    fn language(&self, address: u64, symbol: &Sym<'_>) -> Language {
        let found = self.resolver.as_ref().and_then(|resolver| {
            resolver.find_sym(address, &FindSymOpts::Basic).ok()?.ok().map(|found| (found.lang, found.name))
        });
        match found {
            Some((SrcLang::Rust, _)) => Language::Rust,
            Some((SrcLang::Cpp, _)) => Language::Cpp,
            Some((_, mangled)) => by_mangling(mangled, self.module.is_go),
            None => by_mangling(&symbol.name, self.module.is_go),
        }
    }
}

/// A name as its author wrote it. Unchanged when it is not mangled.
fn readable(name: &str) -> String {
    if !model::mangled::is_mangled(name) {
        return model::swift::demangled(name).unwrap_or_else(|| name.to_owned());
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    let cpp = cpp_demangle::Symbol::new(name).ok().and_then(|symbol| symbol.demangle().ok());
    cpp.unwrap_or_else(|| own_words(name))
}

/// A name that was not demangled, because its types are beyond the demangler, without those types: `std::swap`.
fn own_words(name: &str) -> String {
    let begin = name.strip_prefix("_Z").unwrap_or_default();
    let (nested, mut rest) = begin.strip_prefix('N').map_or((false, begin), |rest| (true, rest));
    rest = rest.trim_start_matches(['K', 'V', 'r', 'R', 'O']);
    let mut parts: Vec<&str> = Vec::new();
    if let Some(inner) = rest.strip_prefix("St") {
        parts.push("std");
        rest = inner;
    }
    let outer = parts.len();
    while let Some(digits) = rest.find(|letter: char| !letter.is_ascii_digit()).filter(|digits| *digits > 0) {
        let (length, after) = rest.split_at(digits);
        let Some((part, left)) = length.parse().ok().and_then(|length| after.split_at_checked(length)) else {
            break;
        };
        parts.push(part);
        rest = left;
        if !nested {
            break;
        }
    }
    if parts.len() > outer { parts.join("::") } else { name.to_owned() }
}

fn by_mangling(name: &str, is_go: bool) -> Language {
    let hashed =
        |name: &str| name.rfind("17h").is_some_and(|at| name.len() - at == 20 && name.ends_with('E'));
    if name.starts_with("_R") || (name.starts_with("_ZN") && hashed(name)) {
        Language::Rust
    } else if name.starts_with("_Z") {
        Language::Cpp
    } else if name.starts_with("$s") || name.starts_with("_$s") {
        Language::Swift
    } else if is_go && (name.contains('.') || name.starts_with("go:")) {
        Language::Go
    } else {
        Language::Native
    }
}

/// `None` for headers and assembler, which belong to whatever includes them.
fn by_file(file: Option<&str>) -> Option<Language> {
    match file?.rsplit_once('.')?.1 {
        "c" => Some(Language::C),
        "cc" | "cpp" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" | "tcc" => Some(Language::Cpp),
        "rs" => Some(Language::Rust),
        "go" => Some(Language::Go),
        "swift" => Some(Language::Swift),
        _ => None,
    }
}

fn has_line(found: &Symbolized<'_>) -> bool {
    let code = found.as_sym().and_then(|symbol| symbol.code_info.as_deref());
    code.and_then(|code| code.line).is_some_and(|line| line != 0)
}

fn source_place(code: Option<&CodeInfo<'_>>) -> (Option<String>, Option<u32>) {
    let Some(code) = code else { return (None, None) };
    (Some(tidy(&code.to_path())), code.line.filter(|line| *line != 0))
}

/// Without the `.` and `..` that build systems leave in paths. Nothing is looked up.
fn tidy(path: &Path) -> String {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir if tidied.as_os_str().is_empty() => tidied.push("."),
            Component::CurDir => {}
            Component::ParentDir if matches!(tidied.components().next_back(), Some(Component::Normal(_))) => {
                tidied.pop();
            }
            other => tidied.push(other),
        }
    }
    tidied.to_string_lossy().into_owned()
}

/// Where the module's bytes can be opened: its path while that still is the same file, else a copy in memory.
fn place(module: &Module) -> Option<(PathBuf, Option<File>)> {
    use std::os::unix::ffi::OsStrExt;
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(module.path()));
    let same = std::fs::metadata(&path)
        .is_ok_and(|metadata| files::key(module.path().to_vec(), &metadata) == module.key);
    if same {
        return Some((path, None));
    }
    // SAFETY: the name is a C string that lives long enough, and no pointer is kept.
    let descriptor = unsafe { libc::memfd_create(c"module".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return None;
    }
    // SAFETY: the descriptor was opened just now and nobody else owns it.
    let mut copy = unsafe { File::from_raw_fd(descriptor) };
    copy.write_all(module.image.as_deref()?).ok()?;
    Some((PathBuf::from(format!("/proc/self/fd/{}", copy.as_raw_fd())), Some(copy)))
}

/// A file of debug information known by build-id alone; blazesym follows links, but a link may have been stripped.
fn debug_file(module: &Module, elf: &ElfFile64<'_, Endianness>) -> Option<PathBuf> {
    let has_more = [".debug_info", ".zdebug_info", ".gnu_debuglink"]
        .iter()
        .any(|name| elf.section_by_name(name).is_some());
    let (first, rest) = module.build_id().filter(|_| !has_more)?.split_first()?;
    let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(PathBuf::from(format!("/usr/lib/debug/.build-id/{first:02x}/{rest}.debug")))
        .filter(|path| path.is_file())
}

fn is_bounded(elf: &ElfFile64<'_, Endianness>) -> bool {
    let sizes = elf.sections().filter_map(|section| section.compressed_file_range().ok());
    let unpacked = sizes
        .filter(|range| range.format != CompressionFormat::None)
        .fold(0_u64, |sum, range| sum.saturating_add(range.uncompressed_size));
    unpacked <= UNPACKED_LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangling_betrays_the_language() {
        assert_eq!(by_mangling("_ZN4core3fmt5write17h0123456789abcdefE", false), Language::Rust);
        assert_eq!(by_mangling("_RNvCs1234_7mycrate3foo", false), Language::Rust);
        assert_eq!(by_mangling("_ZNSt6vectorIiE9push_backEi", false), Language::Cpp);
        assert_eq!(by_mangling("$s4main3fibyS2iF", false), Language::Swift);
        assert_eq!(by_mangling("main.fib", true), Language::Go);
        assert_eq!(by_mangling("main.fib", false), Language::Native);
        assert_eq!(by_mangling("qsort", false), Language::Native);
    }

    #[test]
    fn paths_lose_their_detours() {
        assert_eq!(tidy(Path::new("/a/b/../c/./d.c")), "/a/c/d.c");
        assert_eq!(tidy(Path::new("../sysdeps/x.S")), "../sysdeps/x.S");
        assert_eq!(tidy(Path::new("./nptl/x.c")), "./nptl/x.c");
    }

    #[test]
    fn a_name_that_reads_as_a_type_stays_a_name() {
        for name in ["f", "i", "Pc", "rd", "Rd", "PKc", "St", "ZN1a1bE", "RNvC1a1b", "int"] {
            assert_eq!(readable(name), name);
        }
        assert_eq!(readable("_Z2rdi"), "rd(int)");
        assert_eq!(readable("_ZN4core3fmt5write17h0123456789abcdefE"), "core::fmt::write");
        assert_eq!(readable("_RNvC6mycrat3foo"), "mycrat::foo");
    }

    #[test]
    fn a_name_beyond_the_demangler_keeps_its_own_words() {
        let swap = "_ZSt4swapIjENSt9enable_ifIXsrSt6__and_IJSt6__not_ISt15__is_tuple_likeIT_EEE5valueEvE4typeERS4_SE_";
        assert_eq!(readable(swap), "std::swap");
        assert_eq!(readable("_ZNK4road5Taste5orderEXsr"), "road::Taste::order");
        assert_eq!(readable("$s4main3fooyyF"), "main.foo()");
        for plain in ["main", "_Z", "_Z9", "_ZN", "_Z99999999999999999999x", "std::swap(int&, int&)", "_Zé1"]
        {
            assert_eq!(readable(plain), plain);
        }
    }
}
