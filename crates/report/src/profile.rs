//! Where the time went, as a document of one screen: the account, hotspots, waits, threads, and what was not seen.

pub(crate) mod hotspots;
pub(crate) mod losses;
pub(crate) mod threads;
mod tree;
pub(crate) mod waits;

use model::Unit;
use model::brief::brief;
use model::profile::{Place, Profile};
use model::recording::Weight;

use crate::document::{Block, Document, Ink, Line};
use crate::{account, notes, number, words};

const MOST_HOTSPOTS: usize = 10;
const MOST_WAITS: usize = 6;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// One screen.
    Screen,
    /// The screen, with the call tree in the place of the hotspots.
    Tree,
}

pub(crate) fn document(profile: &Profile, view: View) -> Document {
    let mut document = Document::default();
    document.section(heading(profile));
    document.section(profile.account.as_ref().map(account::blocks).unwrap_or_default());
    match view {
        View::Screen => {
            document.section(hotspots::blocks(&profile.hotspots, &whole(&profile.weight), MOST_HOTSPOTS))
        }
        View::Tree => document.section(tree::blocks(profile)),
    }
    document.section(waits::blocks(&profile.waits, MOST_WAITS));
    document.section(threads::blocks(&profile.threads));
    document.section(losses::blocks(profile));
    document.section(notes::gaps(&profile.gaps));
    document.section(closing(profile));
    document
}

fn heading(profile: &Profile) -> Vec<Block> {
    let wall = profile.wall_s.map(|wall| format!(" ran {}", number::quantity(wall, Unit::Seconds)));
    let recorder = if profile.level.is_some() { " under the recorder" } else { "" };
    let hits = words::plural(profile.hits, "hit");
    let mut line = match &profile.target {
        Some(target) => Line::of(Ink::Verbatim, words::command_line(&target.argv)),
        None => Line::of(Ink::Strong, &profile.source),
    };
    line = line.and(Ink::Plain, format!("{}{recorder} · {hits}", wall.unwrap_or_default()));
    if let Some(exit) = profile.target.as_ref().and_then(|target| target.exit) {
        let ink = if exit.succeeded() { Ink::Faint } else { Ink::Bad };
        line = line.and(Ink::Plain, " · ").and(ink, words::ended(exit));
    }
    vec![Block::Paragraph(line)]
}

fn closing(profile: &Profile) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !profile.overhead.is_empty() {
        blocks.push(Block::Paragraph(notes::overhead(&profile.overhead)));
    }
    let from = if profile.target.is_some() { String::new() } else { format!(" · from {}", profile.source) };
    blocks.push(Block::Paragraph(Line::of(Ink::Faint, format!("run {}{from}", profile.run))));
    blocks
}

/// What shares are shares of.
pub(crate) fn whole(weight: &Weight) -> String {
    match weight {
        Weight::CpuTime => "CPU time".to_owned(),
        Weight::WallTime => "wall time".to_owned(),
        Weight::OffCpuTime => "time off the CPU".to_owned(),
        Weight::Samples => "samples".to_owned(),
        Weight::Bytes => "bytes".to_owned(),
        Weight::Other(unit) => unit.clone(),
    }
}

/// `parse.c:120`, the file's own name only: the whole path is in `--json`.
pub(crate) fn site(place: &Place) -> Option<String> {
    let file = place.file.as_deref().or(place.module.as_deref())?;
    // A module's lines are not the source's.
    Some(spot(file, place.line.filter(|_| place.file.is_some())))
}

/// A line of a file, by the file's own name.
pub(crate) fn spot(file: &str, line: Option<u32>) -> String {
    let name = file.rsplit('/').find(|part| !part.is_empty()).unwrap_or(file);
    match line {
        Some(line) => format!("{name}:{line}"),
        None => name.to_owned(),
    }
}

/// `parse at parse.c:120`.
pub(crate) fn named(place: &Place) -> String {
    let function = brief(&place.function);
    match site(place) {
        Some(site) => format!("{function} at {site}"),
        None => function.into_owned(),
    }
}
