//! A method: its names, its file, the lines of its instructions.

use std::ops::Range;

use super::layout::Layout;
use super::memory::{Memory, number};
use super::numbers::{self, Packed};

/// Larger ones do not come from a class file.
const MOST_BYTES: u64 = 1 << 20;
const LONGEST_NAME: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Method {
    /// With its package, as people write it: `java.util.Map$Entry`.
    pub(super) class: String,
    pub(super) name: String,
    /// Without a folder.
    pub(super) source: Option<String>,
    /// Where its instructions lie.
    pub(super) code: Range<u64>,
    lines: Vec<(u32, u32)>,
}

impl Method {
    /// `None` when there is no method at the address.
    pub(super) fn read(memory: &Memory, layout: &Layout, address: u64) -> Option<Self> {
        let fields = &layout.method;
        let constant = memory.word(address.checked_add(fields.constant.offset)?)?;
        let fixed = memory.bytes(constant, usize::try_from(fields.length).ok()?)?;
        let length = fields.words.of(&fixed)?.checked_mul(8).filter(|length| *length <= MOST_BYTES)?;
        let code_size = fields.code_size.of(&fixed)?;
        let pool_at = fields.pool.of(&fixed)?;
        let pool = memory.bytes(pool_at, usize::try_from(fields.pool_length).ok()?)?;
        let class = fields.class.of(&pool)?;
        let entry = |index: u64| {
            let entry = pool_at.checked_add(fields.pool_length)?.checked_add(index.checked_mul(8)?)?;
            symbol(memory, layout, memory.word(entry)?)
        };
        let name = entry(fields.name.of(&fixed)?)?;
        let class_name = memory.word(class.checked_add(fields.class_name)?)?;
        let class_name = symbol(memory, layout, class_name)?;
        let in_class = || number(&memory.bytes(class.checked_add(fields.class_source?)?, 2)?, 0, 2);
        let source = fields.pool_source.and_then(|field| field.of(&pool)).or_else(in_class);
        let source = source.filter(|index| *index != 0).and_then(entry);
        let begin = constant.checked_add(fields.length)?;
        let code = begin..begin.checked_add(code_size)?;
        let has_lines =
            fields.flags.is_some_and(|(flags, mask)| flags.of(&fixed).is_some_and(|flags| flags & mask != 0));
        let lines = || {
            let rest = length.checked_sub(fields.length)?.checked_sub(code_size)?;
            let bytes = memory.bytes(code.end, usize::try_from(rest).ok()?)?;
            numbers::lines(Packed { packing: layout.packing, bytes: &bytes })
        };
        let lines = has_lines.then(lines).flatten().unwrap_or_default();
        Some(Self { class: spoken(&class_name), name, source, code, lines })
    }

    /// `None` also for what comes before the first instruction.
    pub(super) fn line(&self, instruction: Option<u32>) -> Option<u32> {
        numbers::line_of(&self.lines, instruction?)
    }

    pub(super) fn first_line(&self) -> Option<u32> {
        self.line(Some(0))
    }
}

fn symbol(memory: &Memory, layout: &Layout, address: u64) -> Option<String> {
    let fields = &layout.method;
    let head = memory.bytes(address, usize::try_from(fields.symbol_body).ok()?)?;
    let length = usize::try_from(fields.symbol_length.of(&head)?).ok()?;
    let bytes = memory.bytes(address + fields.symbol_body, length)?;
    let text = String::from_utf8(bytes).ok().filter(|text| (1..=LONGEST_NAME).contains(&text.len()))?;
    (!text.contains(char::is_control)).then_some(text)
}

/// Hidden classes carry their address, which is another one in every run.
fn spoken(class: &str) -> String {
    let hidden = class.find("+0x").or_else(|| class.find("/0x"));
    hidden.and_then(|at| class.get(..at)).unwrap_or(class).replace('/', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_as_people_write_them() {
        assert_eq!(spoken("java/util/Map$Entry"), "java.util.Map$Entry");
        assert_eq!(spoken("Fib$$Lambda$2+0x00007fd0f4001220"), "Fib$$Lambda$2");
        assert_eq!(spoken("a/Fib$$Lambda$2/0x00007fd0f4001220"), "a.Fib$$Lambda$2");
    }
}
