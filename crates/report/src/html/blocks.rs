//! Documents of the other encoders as markup: tables, notes and prose, and the sections that are made of them alone.

use std::fmt::Write as _;

use super::{Section, Sheet, Told};
use crate::document::{Block, Column, Document, Fit, Ink, Line, Note, Notes, Side, Table};
use crate::{bench, compare, gate, inert, machine_code, scale, verify};

/// The numbers of a benchmark, a comparison or a growth law, as their reports have them.
pub(super) fn results(sheet: &Sheet) -> Vec<Option<Section>> {
    let (title, document) = match sheet.told {
        Told::Bench(told) => ("Results", bench::document(told)),
        Told::Compare(told) => ("Results", compare::document(told)),
        Told::Scale(told) => ("Numbers behind it", numbers(told)),
        Told::Verify(told) => ("Results", verify::document(told)),
        Told::Gate(told) => ("Scenarios", gate::document(told)),
        Told::Why(_) | Told::Profile(_) => return Vec::new(),
    };
    // The headline stands above all.
    let shown = |block: &&Block| !matches!(block, Block::Headline(_) | Block::Picture(_));
    let sections = document.sections.iter().map(|blocks| blocks.iter().filter(shown));
    let note = match sheet.told {
        Told::Gate(gate) => {
            format!("Each is a run of its own: `slowpath report {}/scenarios/0 --html`.", gate.run)
        }
        _ => String::new(),
    };
    vec![Some(Section::new("results", title, note, sections.flatten().filter(seen).map(block).collect()))]
}

fn numbers(told: &model::scale::Scale) -> Document {
    let mut document = Document::default();
    document.section(vec![Block::Table(scale::fits(told))]);
    document.section(scale::functions(&told.functions));
    document.section(crate::notes::titled("beyond the table", scale::findings(told)));
    document.section(crate::notes::warnings(&told.warnings));
    document
}

pub(super) fn machine_code(sheet: &Sheet) -> Option<Section> {
    let audits =
        sheet.passes.code.iter().chain(&sheet.passes.generated).filter(|audit| !audit.functions.is_empty());
    let body: String = audits.map(|audit| markup(&machine_code::document(audit))).collect();
    let body =
        if body.is_empty() { body } else { format!("<details><summary>Loops</summary>{body}</details>") };
    Some(Section::new("machine-code", "Machine code of hot loops", "Read from the program, not run.", body))
}

/// All of a document but what this page says in places of their own: gaps.
pub(super) fn markup(document: &Document) -> String {
    document.sections.iter().flatten().filter(seen).map(block).collect()
}

fn seen(block: &&Block) -> bool {
    !matches!(block, Block::Notes(notes) if notes.title == "not seen")
}

pub(super) fn all(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect()
}

pub(super) fn block(block: &Block) -> String {
    match block {
        Block::Headline(line) => format!("<p class=\"strong\">{}</p>", self::line(line)),
        Block::Paragraph(line) => format!("<p>{}</p>", self::line(line)),
        Block::Table(table) => self::table(table),
        // The table beside a bar holds the same numbers.
        Block::Bar(_) => String::new(),
        Block::Notes(notes) => self::notes(notes),
        Block::Picture(lines) => {
            let text: Vec<String> = lines.iter().map(line).collect();
            format!("<pre>{}</pre>", text.join("\n"))
        }
    }
}

fn table(table: &Table) -> String {
    let side = |at: usize| match table.columns.get(at) {
        Some(column) if column.side == Side::Right => " class=\"num\"",
        // Names may be long and without a space; numbers and words of ours are never broken.
        Some(Column { fit: Fit::Cut | Fit::Wrap, .. }) => " class=\"any\"",
        _ => " class=\"nw\"",
    };
    let mut text = String::from("<div class=\"scroll\"><table><thead><tr>");
    for (at, column) in table.columns.iter().enumerate() {
        let _ = write!(text, "<th scope=\"col\"{}>{}</th>", side(at), inert::html(&column.title));
    }
    text.push_str("</tr></thead><tbody>");
    for row in &table.rows {
        text.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let _ = write!(text, "<td{}>{}</td>", side(at), line(cell));
        }
        text.push_str("</tr>");
    }
    text + "</tbody></table></div>"
}

fn notes(notes: &Notes) -> String {
    let point = |note: &Note| {
        let next = note.next.as_deref().map(super::advice).unwrap_or_default();
        format!("<li>{}{next}</li>", line(&note.text))
    };
    let points: String = notes.notes.iter().map(point).collect();
    let title = match notes.title.as_str() {
        "" => String::new(),
        title => format!("<h3>{}</h3>", inert::html(title)),
    };
    format!("{title}<ul class=\"notes\">{points}</ul>")
}

pub(super) fn line(line: &Line) -> String {
    let piece = |span: &crate::document::Span| {
        let text = inert::html(&span.text);
        match span.ink {
            Ink::Plain => super::prose(&span.text),
            Ink::Part(_) | Ink::Rest => text,
            Ink::Strong => format!("<b>{text}</b>"),
            Ink::Faint => format!("<span class=\"faint\">{text}</span>"),
            Ink::Good => format!("<b class=\"good\">{text}</b>"),
            Ink::Bad => format!("<b class=\"bad\">{text}</b>"),
            Ink::Unsure => format!("<b class=\"unsure\">{text}</b>"),
            Ink::Verbatim => format!("<code>{text}</code>"),
        }
    };
    line.0.iter().map(piece).collect()
}
