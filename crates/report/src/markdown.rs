//! A document as GitHub-flavoured Markdown.

use model::answer::Answer;
use model::bench::Bench;
use model::compare::Compare;
use model::doctor::Doctor;
use model::machine_code::MachineCode;
use model::profile::Profile;
use model::scale::Scale;

use crate::document::{Block, Column, Document, Ink, Line, Notes, Side, Span, Table};
use crate::profile::{self, View};
use crate::words::{self, Letters};
use crate::{bench, compare, doctor, explained, inert, machine_code, scale};

/// How fast the commands are, as Markdown.
#[must_use]
pub fn bench_markdown(bench: &Bench) -> String {
    markdown(&bench::document(bench))
}

/// Whether it changed, as Markdown.
#[must_use]
pub fn compare_markdown(compare: &Compare) -> String {
    markdown(&compare::document(compare))
}

/// Why the program is slow, as Markdown.
#[must_use]
pub fn answer_markdown(answer: &Answer) -> String {
    markdown(&explained::document(answer))
}

/// How the cost grows, as Markdown.
#[must_use]
pub fn scale_markdown(scale: &Scale) -> String {
    markdown(&scale::document(scale))
}

/// What this machine can measure, as Markdown.
#[must_use]
pub fn doctor_markdown(doctor: &Doctor) -> String {
    markdown(&doctor::document(doctor))
}

/// Where the time went, as Markdown.
#[must_use]
pub fn profile_markdown(profile: &Profile) -> String {
    markdown(&profile::document(profile, View::Screen))
}

/// What the hot loops' instructions are like, as Markdown.
#[must_use]
pub fn machine_code_markdown(audit: &MachineCode) -> String {
    markdown(&machine_code::document(audit))
}

pub(crate) fn markdown(document: &Document) -> String {
    let blocks: Vec<String> = document.sections.iter().flatten().filter_map(block).collect();
    blocks.join("\n")
}

/// `None` for what Markdown has no form for: the table beside a bar holds the same numbers.
fn block(block: &Block) -> Option<String> {
    match block {
        Block::Headline(line) => {
            let pieces: String = line.0.iter().map(|span| piece(span, Weight::Even)).collect();
            Some(format!("**{}**\n", pieces.trim()))
        }
        Block::Paragraph(line) => Some(format!("{}\n", line_of(line))),
        Block::Table(table) => Some(rows(table)),
        Block::Bar(_) => None,
        Block::Notes(notes) => Some(points(notes)),
        Block::Picture(lines) => Some(fenced(lines)),
    }
}

/// A picture in letters, as code.
fn fenced(lines: &[Line]) -> String {
    let line =
        |line: &Line| line.0.iter().map(|span| inert::terminal(&span.text, true)).collect::<String>() + "\n";
    format!("```\n{}```\n", lines.iter().map(line).collect::<String>().replace(inert::TIE, " "))
}

fn points(notes: &Notes) -> String {
    let mut text = match notes.title.as_str() {
        "" => String::new(),
        title => format!("**{}**\n\n", inert::markdown(title)),
    };
    for note in &notes.notes {
        text.push_str(&format!("- {}", line_of(&note.text)));
        if let Some(next) = &note.next {
            let next = if words::is_command(next) { inert::markdown_code(next) } else { prose(next) };
            text.push_str(&format!("; try: {next}"));
        }
        text.push('\n');
    }
    text
}

fn rows(table: &Table) -> String {
    let title = |column: &Column| inert::markdown(&column.title).trim().to_owned();
    let rule = |column: &Column| if column.side == Side::Right { "---:" } else { ":---" }.to_owned();
    let head = [table.columns.iter().map(title).collect(), table.columns.iter().map(rule).collect()];
    let body = table.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>());
    head.into_iter().chain(body).map(|cells| format!("| {} |\n", cells.join(" | "))).collect()
}

fn cell(line: &Line) -> String {
    let pieces: String = line.0.iter().map(|span| piece(span, Weight::Own)).collect();
    pieces.trim().to_owned()
}

/// A paragraph's text. At the start of a line a sign or a number could make a list, a rule or a heading.
fn line_of(line: &Line) -> String {
    let text = cell(line);
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    if text.starts_with(['-', '+', '=', ':']) || (digits > 0 && rest.starts_with(['.', ')'])) {
        format!("{number}\\{rest}")
    } else {
        text
    }
}

/// Whether a piece of text may be bolder than what surrounds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Own,
    Even,
}

fn piece(span: &Span, weight: Weight) -> String {
    let bold = matches!(span.ink, Ink::Strong | Ink::Good | Ink::Bad | Ink::Unsure) && weight == Weight::Own;
    match span.ink {
        Ink::Verbatim => inert::markdown_code(&span.text),
        _ if bold && !span.text.trim().is_empty() => {
            let inner = inert::markdown(&span.text);
            let (before, after) = (inner.starts_with(' '), inner.ends_with(' '));
            let space = |wanted: bool| if wanted { " " } else { "" };
            format!("{}**{}**{}", space(before), inner.trim(), space(after))
        }
        _ => prose(&span.text),
    }
}

/// Prose in which backticks enclose what is to be read letter by letter.
fn prose(text: &str) -> String {
    let piece = |(letters, piece): (Letters, &str)| match letters {
        Letters::Prose => inert::markdown(piece),
        Letters::Verbatim => inert::markdown_code(piece),
    };
    words::pieces(text).into_iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_stays_a_paragraph() {
        for (text, wanted) in [
            ("- a", "\\- a"),
            ("1. a", "1\\. a"),
            ("12) a", "12\\) a"),
            ("# a", "\\# a"),
            ("=== ", "\\==="),
            ("12 a", "12 a"),
        ] {
            assert_eq!(line_of(&Line::plain(text)), wanted);
        }
    }
}
