//! `.gopclntab`: functions, files and lines of a Go program, which stay in it when everything else is stripped.
//!
//! The runtime needs the table for its own traces, so no linker flag removes it. Layouts of Go 1.18 on; checked with
//! programs of 1.19, 1.21, 1.24, 1.26 and 1.27 for amd64. The forms are those of `runtime/symtab.go`: a header, names,
//! files by unit, tables of values by address, and one record a function. Calls that were expanded into their callers are
//! found through `runtime.firstmoduledata`, whose layout depends on the version; of others it is only known that there are
//! some, and then an address has no line.

mod bytes;
mod image;
#[cfg(test)]
mod tests;

use std::ops::Range;

use model::recording::Language;
use object::Endianness;
use object::read::elf::ElfFile64;

use super::offsets;
use crate::symbols::Symbol;
use bytes::{number, signed, text, value_at, word};
use image::Image;

const SECTIONS: [&str; 2] = [".gopclntab", ".data.rel.ro.gopclntab"];
/// Go 1.18 and 1.19, and all since.
const MAGICS: [u32; 2] = [0xffff_fff0, 0xffff_fff1];
/// Which of a function's tables tells the expanded call at an address, and which block holds the calls.
const CALL_AT: u32 = 2;
const CALLS: u32 = 3;
/// No expanded calls are nested deeper; a damaged table may go in circles.
const DEPTH_LIMIT: usize = 256;

/// The table of one program.
pub(crate) struct Table<'a> {
    image: Image<'a>,
    /// Go 1.20 and later.
    is_late: bool,
    /// Bytes that each step of an address counts for.
    quantum: u64,
    text: u64,
    names: &'a [u8],
    units: &'a [u8],
    files: &'a [u8],
    values: &'a [u8],
    functions: &'a [u8],
    count: usize,
    /// Where blocks of functions begin. `None` when the layout is not known.
    blocks: Option<u64>,
}

/// One function's record.
#[derive(Clone, Copy)]
struct Function<'a> {
    entry: u64,
    record: &'a [u8],
}

/// A call that was expanded: the function called, and an instruction at the place of the call.
struct Call {
    name: String,
    parent: u64,
}

impl<'a> Table<'a> {
    /// `None` when the program has none, or one that is older or newer than what is known.
    pub(crate) fn open(elf: &'a ElfFile64<'a, Endianness>) -> Option<Self> {
        let image = Image::of(elf);
        let (address, bytes) = SECTIONS.iter().find_map(|name| image.section(name))?;
        let magic = MAGICS.iter().position(|magic| number(bytes, 0) == Some(*magic))?;
        let &[0, 0, quantum @ (1 | 2 | 4), 8] = bytes.get(4..8)? else { return None };
        let header = |index: usize| word(bytes, 8 + index * 8);
        let part = |index: usize| bytes.get(usize::try_from(header(index)?).ok()?..);
        let module = image.module(address, address.checked_add(header(3)?)?);
        // Before 1.26 the header has it too; a program that may lie anywhere has zero there.
        let told = header(2).filter(|text| *text != 0);
        let text = module.and_then(|module| image.word(module.text)).or(told)?;
        let minor = image.version().as_deref().and_then(offsets::minor);
        Some(Self {
            is_late: magic > 0,
            quantum: u64::from(quantum),
            text,
            names: part(3)?,
            units: part(4)?,
            files: part(5)?,
            values: part(6)?,
            functions: part(7)?,
            count: usize::try_from(header(0)?).ok()?,
            blocks: module.zip(minor).and_then(|(module, minor)| image.word(module.blocks(minor)?)),
            image,
        })
    }

    /// The addresses of all Go code. `None` when there is none.
    pub(crate) fn code(&self) -> Option<Range<u64>> {
        let end = self.entry(self.count)?;
        self.entry(0).filter(|start| *start < end).map(|start| start..end)
    }

    /// The function at an address and those expanded into it, outer first. Empty where there is none.
    pub(crate) fn chain(&self, address: u64) -> Vec<Symbol> {
        self.function(address).and_then(|function| self.frames(function, address)).unwrap_or_default()
    }

    /// Bytes of the stack that the function at an address has used there, above its return address.
    pub(crate) fn depth(&self, address: u64) -> Option<u64> {
        let function = self.function(address)?;
        u64::try_from(self.value(function, function.number(16), address)?).ok()
    }

    fn frames(&self, function: Function<'a>, address: u64) -> Option<Vec<Symbol>> {
        let outermost = text(self.names, function.number(4)?)?;
        let mut inner = Vec::new();
        let mut at = address;
        let mut is_clear = true;
        while let Some(index) = self.call_at(function, at) {
            let Some(call) = self.call(function, index).filter(|_| inner.len() < DEPTH_LIMIT) else {
                is_clear = false;
                break;
            };
            inner.push(self.symbol(function, at, call.name, true));
            at = function.entry.checked_add(call.parent)?;
        }
        let outermost = if is_clear {
            self.symbol(function, at, outermost, false)
        } else {
            // The place is one of an expanded function whose name is not known.
            inner.clear();
            symbol(outermost, None, None, false)
        };
        Some(std::iter::once(outermost).chain(inner.into_iter().rev()).collect())
    }

    fn symbol(&self, function: Function<'a>, address: u64, name: String, inlined: bool) -> Symbol {
        let line = self.value(function, function.number(24), address);
        let line = line.and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
        let file = self.file(function, address).filter(|file| !file.starts_with('<'));
        symbol(name, line.filter(|_| file.is_some()), file, inlined)
    }

    fn file(&self, function: Function<'a>, address: u64) -> Option<String> {
        let at = self.value(function, function.number(20), address)?;
        let index = usize::try_from(function.number(32)?).ok()?.checked_add(usize::try_from(at).ok()?)?;
        text(self.files, number(self.units, index.checked_mul(4)?)?)
    }

    /// The number of the expanded call that an address belongs to. `None` outside of any.
    fn call_at(&self, function: Function<'a>, address: u64) -> Option<usize> {
        let tables = function.number(28)?;
        let table = (CALL_AT < tables).then(|| function.number(self.length() + 4 * CALL_AT as usize))?;
        usize::try_from(self.value(function, table, address)?).ok()
    }

    fn call(&self, function: Function<'a>, index: usize) -> Option<Call> {
        let (size, name, parent) = if self.is_late { (16, 4, 8) } else { (20, 12, 16) };
        let tables = usize::try_from(function.number(28)?).ok()?;
        let count = *function.record.get(self.length() - 1)?;
        let at = self.length().checked_add(4 * tables.checked_add(CALLS as usize)?)?;
        let block = function.number(at).filter(|block| u32::from(count) > CALLS && *block != u32::MAX)?;
        let start = self.blocks?.checked_add(u64::from(block))?.checked_add((index * size) as u64)?;
        let call = self.image.bytes(start, size)?;
        let parent = u64::try_from(signed(call, parent)?).ok()?;
        let name = text(self.names, number(call, name)?).filter(|name| !name.is_empty())?;
        let holds = |at: u64| self.function(at).is_some_and(|found| found.entry == function.entry);
        holds(function.entry.checked_add(parent)?).then_some(Call { name, parent })
    }

    /// The length of a record before its lists of tables and blocks.
    fn length(&self) -> usize {
        if self.is_late { 44 } else { 40 }
    }

    fn value(&self, function: Function<'a>, table: Option<u32>, address: u64) -> Option<i32> {
        // Nothing begins at zero: that is the mark of no table.
        let table = usize::try_from(table.filter(|table| *table != 0)?).ok()?;
        value_at(self.values.get(table..)?, address.checked_sub(function.entry)? / self.quantum)
    }

    fn entry(&self, index: usize) -> Option<u64> {
        self.text.checked_add(u64::from(number(self.functions, index.checked_mul(8)?)?))
    }

    /// The function whose code holds an address.
    fn function(&self, address: u64) -> Option<Function<'a>> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)? <= address {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let index = low.checked_sub(1)?;
        let record = usize::try_from(number(self.functions, index.checked_mul(8)?.checked_add(4)?)?).ok()?;
        let function = Function { entry: self.entry(index)?, record: self.functions.get(record..)? };
        (address < self.entry(index + 1)?).then_some(function)
    }
}

impl Function<'_> {
    fn number(self, at: usize) -> Option<u32> {
        number(self.record, at)
    }
}

fn symbol(name: String, line: Option<u32>, file: Option<String>, inlined: bool) -> Symbol {
    Symbol { function: Some(name), file, line, language: Language::Go, inlined }
}
