//! `/proc/kallsyms`: the names of the kernel's functions (`proc_kallsyms(5)`).

use std::io::{BufRead, BufReader, Read};

/// The kernel's functions in order of address.
#[derive(Debug, Default)]
pub struct Kallsyms {
    symbols: Vec<Symbol>,
    names: String,
    modules: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Symbol {
    address: u64,
    name: (u32, u32),
    module: Option<u16>,
}

/// No function of the kernel is larger; what lies farther from a symbol is not in it.
const REACH: u64 = 1 << 20;
/// More symbols than this are not a kernel's.
const SYMBOL_LIMIT: usize = 4 << 20;

impl Kallsyms {
    /// Empty when the kernel does not tell addresses to this user (they read as zero), or the file is not there.
    #[must_use]
    pub fn read() -> Self {
        std::fs::File::open("/proc/kallsyms").map(Self::parse).unwrap_or_default()
    }

    /// Reads until the end or the first error of the reader. Lines that are no function's are passed over.
    pub fn parse(reader: impl Read) -> Self {
        let mut table = Self::default();
        let mut reader = BufReader::with_capacity(1 << 16, reader);
        let mut line = Vec::new();
        while table.symbols.len() < SYMBOL_LIMIT
            && reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0)
        {
            if let Ok(text) = std::str::from_utf8(&line) {
                table.add(text);
            }
            line.clear();
        }
        table.symbols.sort_by_key(|symbol| symbol.address);
        table
    }

    fn add(&mut self, line: &str) -> Option<()> {
        let mut fields = line.split_ascii_whitespace();
        let address = u64::from_str_radix(fields.next()?, 16).ok().filter(|address| *address != 0)?;
        if !matches!(fields.next()?, "t" | "T" | "w" | "W") {
            return None;
        }
        let name = fields.next()?;
        let module = fields.next().map(|module| self.module(module));
        let start = u32::try_from(self.names.len()).ok()?;
        self.names.push_str(name);
        let end = u32::try_from(self.names.len()).ok()?;
        self.symbols.push(Symbol { address, name: (start, end), module: module.flatten() });
        Some(())
    }

    /// Symbols of one module stand together, so the last one seen is most likely the same.
    fn module(&mut self, name: &str) -> Option<u16> {
        if let Some(at) = self.modules.iter().rposition(|module| module == name) {
            return u16::try_from(at).ok();
        }
        self.modules.push(name.to_owned());
        u16::try_from(self.modules.len() - 1).ok()
    }

    /// The function at an address, and the kernel module it lies in. `None` when no symbol is near below.
    #[must_use]
    pub fn function(&self, address: u64) -> Option<(&str, Option<&str>)> {
        let after = self.symbols.partition_point(|symbol| symbol.address <= address);
        let symbol = self.symbols.get(after.checked_sub(1)?)?;
        if address - symbol.address >= REACH {
            return None;
        }
        let name = self.names.get(symbol.name.0 as usize..symbol.name.1 as usize)?;
        let module = symbol.module.and_then(|at| self.modules.get(usize::from(at)));
        Some((name, module.map(String::as_str)))
    }

    /// Where a function lies. `None` when there is none of this name.
    #[must_use]
    pub fn address_of(&self, name: &str) -> Option<u64> {
        let named =
            |symbol: &&Symbol| self.names.get(symbol.name.0 as usize..symbol.name.1 as usize) == Some(name);
        self.symbols.iter().find(named).map(|symbol| symbol.address)
    }

    /// The functions of the kernel's own image, without those of modules.
    pub(crate) fn image(&self) -> Self {
        let symbols = self.symbols.iter().filter(|symbol| symbol.module.is_none()).copied().collect();
        Self { symbols, names: self.names.clone(), modules: Vec::new() }
    }

    /// Whether a symbol lies below the address, and one at or above it.
    pub(crate) fn is_between(&self, address: u64) -> bool {
        let (first, last) = (self.symbols.first(), self.symbols.last());
        first.zip(last).is_some_and(|(first, last)| (first.address..=last.address).contains(&address))
    }

    /// Appends its symbols, then all names. Modules are left out.
    pub(crate) fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(self.symbols.len() as u64).to_le_bytes());
        for symbol in &self.symbols {
            bytes.extend_from_slice(&symbol.address.to_le_bytes());
            bytes.extend_from_slice(&symbol.name.0.to_le_bytes());
            bytes.extend_from_slice(&symbol.name.1.to_le_bytes());
        }
        bytes.extend_from_slice(self.names.as_bytes());
    }

    /// The opposite of [`Self::pack`].
    pub(crate) fn unpack(bytes: &[u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(16)?;
        let (symbols, names) = rest.split_at_checked(length)?;
        let (symbols, _) = symbols.as_chunks::<16>();
        let number = |word: u128, at: u32| (word >> at) as u32;
        let symbol = |bytes: &[u8; 16]| {
            let word = u128::from_le_bytes(*bytes);
            Symbol { address: word as u64, name: (number(word, 64), number(word, 96)), module: None }
        };
        let names = String::from_utf8(names.to_vec()).ok()?;
        Some(Self { symbols: symbols.iter().map(symbol).collect(), names, modules: Vec::new() })
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_with_their_module() {
        let text: &[u8] = b"ffffffff81000100 T second\nffffffff81000000 t first\nffffffff81000200 D data\n\
            ffffffffc0000000 t probe\t[e1000]\nbroken\nffffffffc0000010 T cut";
        let table = Kallsyms::parse(text);
        assert_eq!(table.function(0xffff_ffff_8100_0050), Some(("first", None)));
        assert_eq!(table.function(0xffff_ffff_8100_0250), Some(("second", None)));
        assert_eq!(table.function(0xffff_ffff_c000_0001), Some(("probe", Some("[e1000]"))));
        assert_eq!(table.function(0xffff_ffff_9000_0000), None);
        assert_eq!(table.function(1), None);
    }

    #[test]
    fn hidden_addresses_name_nothing() {
        let table = Kallsyms::parse(&b"0000000000000000 T first\n0000000000000000 T second\n"[..]);
        assert!(table.is_empty());
        assert_eq!(table.function(0xffff_ffff_8100_0000), None);
    }
}
