//! The machine code of hot loops: for each loop the six answers, what kept it scalar, and its instructions.

use model::machine_code::{
    Access, BlockerKind, CallSite, Found, HotFunction, HotLoop, ListingLine, MachineCode, Pattern, Verdict,
    Walk,
};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Note, Notes, Side, Table};
use crate::number;

pub(crate) fn document(audit: &MachineCode) -> Document {
    let mut document = Document::default();
    document.section(vec![Block::Headline(headline(audit))]);
    for function in &audit.functions {
        document.section(vec![Block::Paragraph(named(function))]);
        for found in function.loops.iter().filter(|found| found.innermost) {
            document.section(blocks(found));
        }
    }
    let gaps = audit.gaps.iter().chain(audit.functions.iter().flat_map(|function| &function.gaps));
    let note = |gap: &model::Gap| Note {
        text: Line::plain(format!("{}: {}", gap.what, gap.why)),
        next: gap.next.clone(),
    };
    let notes: Vec<Note> = gaps.map(note).collect();
    if !notes.is_empty() {
        document.section(vec![Block::Notes(Notes { title: "not seen".to_owned(), notes })]);
    }
    document
}

fn headline(audit: &MachineCode) -> Line {
    let loops = audit.functions.iter().flat_map(|function| &function.loops);
    let loops: Vec<&HotLoop> = loops.filter(|found| found.innermost).collect();
    let poor = |found: &&&HotLoop| found.patterns.iter().any(|pattern| pattern.verdict == Verdict::Bad);
    let text = match loops.as_slice() {
        [] => "no hot loop in ".to_owned(),
        [_] => format!("1 hot loop, {} with a bad pattern, in ", loops.iter().filter(poor).count()),
        all => {
            format!("{} hot loops, {} with a bad pattern, in ", all.len(), loops.iter().filter(poor).count())
        }
    };
    Line::plain(text).and(Ink::Verbatim, &audit.image)
}

fn named(function: &HotFunction) -> Line {
    let name = function.name.clone().unwrap_or_else(|| format!("{:#x}", function.from));
    let share = function.share.map_or_else(String::new, |share| format!(" {}", number::percent(share.0)));
    let line = Line::of(Ink::Verbatim, name).and(Ink::Plain, share);
    match function.build.unoptimised {
        Some(true) => {
            let why = function.build.evidence.join("; ");
            line.and(Ink::Bad, " compiled without optimisation").and(Ink::Faint, format!(" ({why})"))
        }
        _ => line,
    }
}

fn blocks(found: &HotLoop) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(place(found)), Block::Table(answers(found))];
    if !found.blockers.is_empty() {
        let reasons: Vec<&str> = found.blockers.iter().map(|blocker| reason(blocker.kind)).collect();
        blocks.push(Block::Paragraph(Line::plain(format!("kept scalar by: {}", reasons.join("; ")))));
    }
    if !found.listing.is_empty() {
        blocks.push(Block::Table(listing(&found.listing)));
    }
    blocks
}

fn place(found: &HotLoop) -> Line {
    let source = found.source.as_ref().map(|span| match span.from == span.to {
        true => format!("{}:{}", span.file, span.from),
        false => format!("{}:{}-{}", span.file, span.from, span.to),
    });
    let share = found.share.map_or_else(
        || " share not known".to_owned(),
        |share| format!(" {} of the weight", number::percent(share.0)),
    );
    let line = Line::plain(format!("loop at {:#x}{share}, {} instructions", found.head, found.instructions));
    source.map_or(line.clone(), |source| line.and(Ink::Plain, ", ").and(Ink::Verbatim, source))
}

fn answers(found: &HotLoop) -> Table {
    let columns = vec![
        Column::new("pattern", Side::Left, Fit::Whole),
        Column::new("verdict", Side::Left, Fit::Whole),
        Column::new("what stands there", Side::Left, Fit::Wrap),
    ];
    let rows = found.patterns.iter().map(|pattern| {
        let (name, told) = told(pattern);
        vec![Line::plain(name), verdict(pattern.verdict), Line::plain(told)]
    });
    Table { columns, rows: rows.collect() }
}

fn verdict(verdict: Verdict) -> Line {
    match verdict {
        Verdict::Good => Line::of(Ink::Good, "good"),
        Verdict::Attention => Line::of(Ink::Unsure, "attention"),
        Verdict::Bad => Line::of(Ink::Bad, "bad"),
        Verdict::Unknown => Line::of(Ink::Faint, "unknown"),
    }
}

fn told(pattern: &Pattern) -> (&'static str, String) {
    match &pattern.found {
        Found::Vector { packed, scalar_float, scalar_integer, bits, machine_bits } => {
            let width = bits.map_or_else(String::new, |bits| format!(" of {bits} bits"));
            let machine = machine_bits.map_or_else(String::new, |bits| format!("; the processor has {bits}"));
            let text = format!(
                "{packed} packed{width}, {scalar_float} scalar floating, {scalar_integer} scalar integer{machine}"
            );
            ("vector", text)
        }
        Found::Branches { by_loaded_values, by_registers, exits, selects } => {
            let text = format!(
                "{by_loaded_values} on loaded values, {by_registers} on registers, {exits} out of the loop; \
                 {selects} conditional moves"
            );
            ("branches", text)
        }
        Found::Calls { calls } => ("calls", listed(calls.iter().map(called), "none")),
        Found::Access { accesses } => ("memory", listed(walks(accesses).into_iter(), "none")),
        Found::Spills { slots, loads, stores, instructions } => {
            let text = format!(
                "{slots} slots spilled, {loads} stack loads, {stores} stack stores; {instructions} instructions an \
                 iteration"
            );
            ("spills", text)
        }
        Found::Alignment { aligned_to, bytes, cache_lines, fewest_lines } => {
            let lines = if *cache_lines == 1 { "cache line" } else { "cache lines" };
            let text = format!(
                "head on a multiple of {aligned_to}; {bytes} bytes in {cache_lines} {lines}, {fewest_lines} needed"
            );
            ("alignment", text)
        }
    }
}

fn listed(texts: impl Iterator<Item = String>, none: &str) -> String {
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { none.to_owned() } else { texts.join("; ") }
}

fn called(call: &CallSite) -> String {
    let name = match (&call.to, call.indirect) {
        (Some(name), _) => name.clone(),
        (None, true) => "through a pointer".to_owned(),
        (None, false) => "a function without a name".to_owned(),
    };
    if call.each_iteration { name } else { format!("{name} (not each time)") }
}

/// Accesses of one kind are told together.
fn walks(accesses: &[Access]) -> Vec<String> {
    let mut kinds: Vec<(String, u64)> = Vec::new();
    for access in accesses {
        let kind = walked(access);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += u64::from(access.instructions),
            None => kinds.push((kind, u64::from(access.instructions))),
        }
    }
    let told = |(kind, count): (String, u64)| match count {
        1 => format!("1 access{kind}"),
        count => format!("{count} accesses{kind}"),
    };
    kinds.into_iter().map(told).collect()
}

fn walked(access: &Access) -> String {
    let bytes = access.bytes.map_or_else(String::new, |bytes| format!(" of {bytes} bytes"));
    let walk = match access.walk {
        Walk::Fixed => "at one place".to_owned(),
        Walk::Unit => "one after the other".to_owned(),
        Walk::Stride { bytes } => format!("{bytes} bytes apart"),
        Walk::RuntimeStride => "a fixed distance apart that only the running program knows".to_owned(),
        Walk::Indexed => "where another load says".to_owned(),
        Walk::Chase => "from pointer to pointer".to_owned(),
        Walk::Unknown => "not known".to_owned(),
    };
    format!("{bytes}, {walk}")
}

const fn reason(kind: BlockerKind) -> &'static str {
    match kind {
        BlockerKind::Unoptimised => "no optimisation",
        BlockerKind::Call => "a call",
        BlockerKind::EarlyExit => "a way out that depends on loaded values",
        BlockerKind::EndsBySum => "a sum that ends the loop in the middle",
        BlockerKind::FloatReduction => {
            "a floating-point sum whose order must stay (in C -fassociative-math lifts that, in Numba fastmath)"
        }
        BlockerKind::PointerChasing => "a chain of pointers",
        BlockerKind::IntegerDivision => "an integer division",
        BlockerKind::Gather => "elements at addresses that were loaded",
        BlockerKind::Stride => "elements that lie apart",
        BlockerKind::PossibleAlias => "stores and loads that may overlap",
        BlockerKind::WrappingIndex => "an index that may wrap around (as wide as an address, it cannot)",
        BlockerKind::DataDependentBranch => "a branch on loaded values",
    }
}

fn listing(lines: &[ListingLine]) -> Table {
    let columns = vec![
        Column::new("share", Side::Right, Fit::Whole),
        Column::new("address", Side::Right, Fit::Whole),
        Column::new("instruction", Side::Left, Fit::Wrap),
        Column::new("line", Side::Right, Fit::Whole),
    ];
    let rows = lines.iter().map(|line| {
        let share = line.share.filter(|share| share.0 > 0.0).map(|share| number::percent(share.0));
        vec![
            Line::plain(share.unwrap_or_default()),
            Line::of(Ink::Faint, format!("{:x}", line.address)),
            Line::of(Ink::Verbatim, &line.text),
            Line::plain(line.source.as_ref().map_or_else(String::new, |source| source.line.to_string())),
        ]
    });
    Table { columns, rows: rows.collect() }.without_empty_columns()
}

#[cfg(test)]
mod tests {
    use model::machine_code::Direction;

    use super::*;

    #[test]
    fn accesses_of_one_kind_are_told_together() {
        let access = |instructions, walk| Access {
            at: 0x1000,
            instructions,
            direction: Direction::Read,
            bytes: Some(8),
            walk,
        };
        let all = [access(1, Walk::Unit), access(1, Walk::Fixed), access(2, Walk::Unit)];
        assert_eq!(
            walks(&all),
            ["3 accesses of 8 bytes, one after the other", "1 access of 8 bytes, at one place"]
        );
    }
}
