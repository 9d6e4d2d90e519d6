//! A document as terminal text. No line is wider than the page, and nothing in it moves the cursor.

mod bar;
mod layout;
mod table;

use anstyle::{Ansi256Color, AnsiColor, Style};
use model::answer::Answer;
use model::bench::Bench;
use model::compare::Compare;
use model::doctor::Doctor;
use model::machine_code::MachineCode;
use model::profile::Profile;
use model::scale::Scale;

use crate::document::{Block, Document, Ink, Line, Notes, Span};
use crate::inert::{self, TIE};
use crate::profile::{self, View};
use crate::{Page, bench, compare, doctor, explained, machine_code, scale};

/// How fast the commands are, as terminal text.
#[must_use]
pub fn bench_text(bench: &Bench, page: &Page) -> String {
    text(&bench::document(bench), page)
}

/// Whether it changed, as terminal text.
#[must_use]
pub fn compare_text(compare: &Compare, page: &Page) -> String {
    text(&compare::document(compare), page)
}

/// Why the program is slow, as terminal text.
#[must_use]
pub fn answer_text(answer: &Answer, page: &Page) -> String {
    text(&explained::document(answer), page)
}

/// How the cost grows, as terminal text.
#[must_use]
pub fn scale_text(scale: &Scale, page: &Page) -> String {
    text(&scale::document(scale), page)
}

/// What this machine can measure, as terminal text.
#[must_use]
pub fn doctor_text(doctor: &Doctor, page: &Page) -> String {
    text(&doctor::document(doctor), page)
}

/// What the hot loops' instructions are like, as terminal text.
#[must_use]
pub fn machine_code_text(audit: &MachineCode, page: &Page) -> String {
    text(&machine_code::document(audit), page)
}

/// Where the time went, as terminal text.
#[must_use]
pub fn profile_text(profile: &Profile, page: &Page) -> String {
    text(&profile::document(profile, View::Screen), page)
}

/// Where the time went, call by call, as terminal text.
#[must_use]
pub fn profile_tree(profile: &Profile, page: &Page) -> String {
    text(&profile::document(profile, View::Tree), page)
}

/// A text that a terminal shows and never obeys, on one line.
#[must_use]
pub fn inert_text(text: &str) -> String {
    inert::terminal(text, true)
}

/// One line of the page, laid out: its text is inert.
type Row = Vec<Span>;

pub(crate) fn text(document: &Document, page: &Page) -> String {
    let mut text = String::new();
    for (at, section) in document.sections.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        for row in section.iter().flat_map(|block| rows(block, page)) {
            text.push_str(&painted(&row, page));
            text.push('\n');
        }
    }
    text
}

fn rows(block: &Block, page: &Page) -> Vec<Row> {
    match block {
        Block::Headline(line) => {
            let strong = |span: &Span| Span { text: span.text.clone(), ink: emphasised(span.ink) };
            layout::paragraph(
                &settled(&Line(line.0.iter().map(strong).collect()), page),
                page.columns(),
                " ",
                " ",
            )
        }
        Block::Paragraph(line) => layout::paragraph(&settled(line, page), page.columns(), " ", "   "),
        Block::Table(table) => table::rows(table, page),
        Block::Bar(shares) => vec![bar::row(shares, page)],
        Block::Notes(notes) => note_rows(notes, page),
        Block::Picture(lines) => lines.iter().map(|line| settled(line, page).0).collect(),
    }
}

fn note_rows(notes: &Notes, page: &Page) -> Vec<Row> {
    let mut rows = Vec::new();
    if !notes.title.is_empty() {
        let title = settled(&Line::of(Ink::Strong, &notes.title), page);
        rows.extend(layout::paragraph(&title, page.columns(), " ", " "));
    }
    for note in &notes.notes {
        let point = inert::terminal(" • ", page.unicode);
        rows.extend(layout::paragraph(&settled(&note.text, page), page.columns(), &point, "   "));
        if let Some(next) = &note.next {
            let line = Line::of(Ink::Faint, "try: ").and(Ink::Verbatim, next);
            rows.extend(layout::paragraph(&settled(&line, page), page.columns(), "   ", "        "));
        }
    }
    rows
}

/// The one door for text onto the page. A percent sign stays with its number.
fn settled(line: &Line, page: &Page) -> Line {
    let tied = |text: String| text.replace(" %", &format!("{TIE}%"));
    let settle = |span: &Span| Span { text: tied(inert::terminal(&span.text, page.unicode)), ink: span.ink };
    Line(line.0.iter().map(settle).collect())
}

fn painted(row: &Row, page: &Page) -> String {
    let mut text = String::new();
    for span in row {
        let plain = span.text.replace(TIE, " ");
        let style = style(span.ink);
        if page.colour && style != Style::new() && !plain.trim().is_empty() {
            text.push_str(&format!("{style}{plain}{style:#}"));
        } else {
            text.push_str(&plain);
        }
    }
    text.truncate(text.trim_end_matches(' ').len());
    text
}

const fn emphasised(ink: Ink) -> Ink {
    match ink {
        Ink::Plain => Ink::Strong,
        other => other,
    }
}

/// Blue and orange stay apart for nearly every eye; green and red do not.
fn style(ink: Ink) -> Style {
    let hue = |colour: u8| Style::new().fg_color(Some(Ansi256Color(colour).into()));
    match ink {
        Ink::Plain => Style::new(),
        Ink::Strong | Ink::Verbatim => Style::new().bold(),
        Ink::Faint => Style::new().dimmed(),
        Ink::Good => hue(33).bold(),
        Ink::Bad => hue(208).bold(),
        Ink::Unsure => Style::new().fg_color(Some(AnsiColor::Magenta.into())),
        Ink::Part(at) => hue(bar::hue(at)),
        Ink::Rest => hue(240),
    }
}
