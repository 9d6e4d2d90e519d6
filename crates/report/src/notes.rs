//! The end of every report: warnings, what could not be seen, and what makes it repeatable.

use model::Gap;
use model::answer::Overhead;
use model::bench::Warning;

use crate::document::{Block, Ink, Line, Note, Notes};
use crate::number;

/// A section of points, or nothing when there are none.
pub(crate) fn titled(title: &str, notes: Vec<Note>) -> Vec<Block> {
    if notes.is_empty() { Vec::new() } else { vec![Block::Notes(Notes { title: title.to_owned(), notes })] }
}

/// Points below the paragraph they belong to.
pub(crate) fn untitled(notes: Vec<Note>) -> Vec<Block> {
    titled("", notes)
}

/// A warning, with the command it is about if there are several.
pub(crate) fn warning(warning: &Warning, about: Option<&str>) -> Note {
    let lead = match about {
        Some(label) => Line::of(Ink::Verbatim, label).and(Ink::Plain, ": "),
        None => Line::default(),
    };
    let text = lead.and(Ink::Plain, &warning.text).and(Ink::Faint, format!(" [{}]", warning.id));
    Note { text, next: warning.next.clone() }
}

pub(crate) fn warnings(warnings: &[Warning]) -> Vec<Block> {
    titled("warnings", warnings.iter().map(|each| warning(each, None)).collect())
}

pub(crate) fn gaps(gaps: &[Gap]) -> Vec<Block> {
    let note = |gap: &Gap| Note {
        text: Line::of(Ink::Strong, &gap.what).and(Ink::Plain, format!(": {}", gap.why)),
        next: gap.next.clone(),
    };
    titled("not seen", gaps.iter().map(note).collect())
}

/// `run 2026… · seed 42`.
pub(crate) fn origin(run: Option<&str>, seed: u64) -> Vec<Block> {
    let run = run.map(|run| format!("run {run} · ")).unwrap_or_default();
    vec![Block::Paragraph(Line::of(Ink::Faint, format!("{run}seed {seed}")))]
}

/// What our own passes cost the target. The baseline is what they are held against.
pub(crate) fn overhead(passes: &[Overhead]) -> Line {
    let mut costs = String::new();
    for one in passes.iter().filter(|one| one.pass != "baseline") {
        let cost = number::change(one.ratio);
        // `account, CPU time` stands beside `account`.
        let told = match one.pass.split_once(", ") {
            Some((_, what)) if !costs.is_empty() => format!(" ({what} {cost})"),
            _ if costs.is_empty() => format!("{} {cost}", one.pass),
            _ => format!(", {} {cost}", one.pass),
        };
        costs.push_str(&told);
    }
    let costs = match (passes, costs.as_str()) {
        ([], _) => "not measured",
        (_, "") => "none in the timed runs",
        (_, costs) => costs,
    };
    Line::of(Ink::Strong, "overhead").and(Ink::Plain, format!(" {costs}"))
}
