//! Where in the code: cost by line of the user's own files, functions by their own cost, and places that waited.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use model::profile::{Hotspot, WaitSite};
use model::recording::{Owner, Recording};
use model::source::Source;

use super::{Section, Sheet, Told, blocks, recording, width};
use crate::profile::{hotspots, waits, whole};
use crate::stack::{self, Kind, Measure};
use crate::{inert, number, words};

/// Files and lines of each that are shown, the dearest.
const FILES: usize = 8;
const LINES: usize = 24;

/// Lines that cost less than this share say little.
const LEAST: f64 = 0.002;

const HOTSPOTS: usize = 25;
const WAITS: usize = 15;

pub(super) fn sections(sheet: &Sheet) -> Vec<Option<Section>> {
    let (found, waited, unit): (&[Hotspot], &[WaitSite], String) = match sheet.told {
        Told::Why(answer) => (&answer.hotspots, &answer.waits, "CPU time".to_owned()),
        Told::Profile(profile) => (&profile.hotspots, &profile.waits, whole(&profile.weight)),
        _ => return Vec::new(),
    };
    let functions = blocks::all(&hotspots::blocks(found, &unit, HOTSPOTS));
    let waits = blocks::all(&waits::blocks(waited, WAITS));
    vec![
        recording(sheet).map(|recording| source(recording, sheet.passes.source.as_ref(), &unit)),
        Some(Section::new("functions", "Functions by their own cost", "", functions)),
        Some(Section::new(
            "waits",
            "Where it waited",
            "What held the program up or is its own first, all threads together.",
            waits,
        )),
    ]
}

/// What one line costs.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// In the line itself, and in what it called outside the user's own code.
    own: u64,
    /// In it and in what it called, each stack once.
    total: u64,
}

/// A file, what is spent in its lines, and each of them.
type File<'a> = (&'a str, u64, Vec<(u32, Cost)>);

fn source(recording: &Recording, text: Option<&Source>, unit: &str) -> Section {
    let (costs, all) = costs(recording);
    let mut files: Vec<File> = Vec::new();
    for ((file, line), cost) in costs {
        match files.last_mut().filter(|(name, ..)| *name == file) {
            Some((_, own, lines)) => {
                *own = own.saturating_add(cost.own);
                lines.push((line, cost));
            }
            None => files.push((file, cost.own, vec![(line, cost)])),
        }
    }
    files.sort_by_key(|(name, own, _)| (std::cmp::Reverse(*own), *name));
    let measure = Measure::of(recording);
    let shown =
        files.iter().take(FILES).map(|(name, own, lines)| file(name, *own, lines, all, text, &measure));
    let body: String = shown.collect();
    let mut note = format!(
        "Your own files, shares of {unit}. What libraries and the runtime do is spent at the line that called them. The text is there where the source was read."
    );
    if let more @ 1.. = files.len().saturating_sub(FILES) as u64 {
        let _ = write!(note, " {} with less left out.", words::plural(more, "file"));
    }
    Section::new("source", "Cost by line", note, body)
}

fn file(
    name: &str,
    own: u64,
    lines: &[(u32, Cost)],
    all: u64,
    text: Option<&Source>,
    measure: &Measure,
) -> String {
    let share = |weight: u64| ratio(weight, all);
    let mut dearest: Vec<&(u32, Cost)> =
        lines.iter().filter(|(_, cost)| share(cost.total) >= LEAST).collect();
    dearest.sort_by_key(|(line, cost)| (std::cmp::Reverse(cost.own.max(cost.total / 8)), *line));
    dearest.truncate(LINES);
    dearest.sort_by_key(|(line, _)| *line);
    if dearest.is_empty() {
        return String::new();
    }
    let mut body = format!(
        "<div class=\"source\"><h3><code>{}</code> <span>{} spent here, {}</span></h3><div class=\"scroll\">\
         <table><thead><tr><th scope=\"col\" class=\"num\">line</th><th scope=\"col\" class=\"num\">spent here</th>\
         <th scope=\"col\" class=\"num\">with calls</th><th scope=\"col\">source</th></tr></thead><tbody>",
        inert::html(name),
        inert::html(&number::percent(share(own))),
        inert::html(&measure.shown(own)),
    );
    for (line, cost) in dearest {
        let _ = write!(
            body,
            "<tr><th scope=\"row\" class=\"num\">{line}</th><td class=\"num heat\"><i style=\"width:{:.1}%\"></i>{}</td>\
             <td class=\"num\">{}</td><td class=\"code\">{}</td></tr>",
            width(share(cost.own)),
            inert::html(&if cost.own > 0 { number::percent(share(cost.own)) } else { "–".to_owned() }),
            inert::html(&number::percent(share(cost.total))),
            statement(text, name, *line),
        );
    }
    body + "</tbody></table></div></div>"
}

/// The statement at a line, as far as the run kept it.
fn statement(text: Option<&Source>, file: &str, line: u32) -> String {
    let place =
        text.and_then(|text| text.places.iter().find(|place| place.file == file && place.line == line));
    let Some(context) = place.and_then(|place| place.context.as_ref()) else { return String::new() };
    let lines: Vec<String> = context.statement.iter().map(|line| inert::html(line)).collect();
    format!("<pre>{}</pre>", lines.join("\n"))
}

#[expect(clippy::cast_precision_loss, reason = "a share with two digits")]
fn ratio(weight: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { weight as f64 / all as f64 }
}

type Lines<'a> = BTreeMap<(&'a str, u32), Cost>;

/// Costs of the lines of the user's own code, and the weight of all hits.
fn costs(recording: &Recording) -> (Lines<'_>, u64) {
    let mut own = vec![0_u64; recording.nodes.len()];
    let mut all = 0_u64;
    for heap in stack::weigh(recording, Kind::OnCpu).stacks {
        all = all.saturating_add(heap.weight);
        if let Some(slot) = heap.stack.and_then(|stack| own.get_mut(stack as usize)) {
            *slot = slot.saturating_add(heap.weight);
        }
    }
    let mut lines: Lines = BTreeMap::new();
    let totals = totals(recording, &own);
    let own = inherited(recording, &own);
    let below = Below::of(recording);
    // Lines that are on the stack of the node we stand on, and how often: only the outermost is counted.
    let mut open: BTreeMap<(&str, u32), u32> = BTreeMap::new();
    below.walk(|at, entered| {
        let Some(key) = line_of(recording, at) else { return };
        let depth = open.entry(key).or_default();
        if !entered {
            *depth = depth.saturating_sub(1);
            return;
        }
        *depth += 1;
        let first = *depth == 1;
        let of = |weights: &[u64]| weights.get(at).copied().unwrap_or(0);
        let cost = lines.entry(key).or_default();
        cost.own = cost.own.saturating_add(of(&own));
        cost.total = cost.total.saturating_add(if first { of(&totals) } else { 0 });
    });
    (lines, all)
}

/// Each node's own weight, moved to the innermost node of the user's own code: what libraries and the runtime do is
/// spent where they were called.
fn inherited(recording: &Recording, own: &[u64]) -> Vec<u64> {
    let mut nearest: Vec<Option<usize>> = Vec::with_capacity(own.len());
    let mut moved = vec![0_u64; own.len()];
    for (at, (node, weight)) in recording.nodes.iter().zip(own).enumerate() {
        let parent = node.parent.map(|parent| parent as usize).filter(|parent| *parent < at);
        let outer = || parent.and_then(|parent| nearest.get(parent)).copied().flatten();
        let here = if line_of(recording, at).is_some() { Some(at) } else { outer() };
        if let Some(sum) = here.and_then(|here| moved.get_mut(here)) {
            *sum = sum.saturating_add(*weight);
        }
        nearest.push(here);
    }
    moved
}

/// The line that a node's frame stands in, for the user's own code.
fn line_of(recording: &Recording, node: usize) -> Option<(&str, u32)> {
    let frame = recording.frames.get(recording.nodes.get(node)?.frame as usize)?;
    let own = frame.owner == Owner::Project;
    frame.file.as_deref().zip(frame.line).filter(|_| own)
}

/// Each node's weight with that of the nodes further in, which stand behind it.
fn totals(recording: &Recording, own: &[u64]) -> Vec<u64> {
    let mut totals = own.to_vec();
    for (at, node) in recording.nodes.iter().enumerate().rev() {
        let weight = totals.get(at).copied().unwrap_or(0);
        let parent = node.parent.map(|parent| parent as usize).filter(|parent| *parent < at);
        if let Some(sum) = parent.and_then(|parent| totals.get_mut(parent)) {
            *sum = sum.saturating_add(weight);
        }
    }
    totals
}

/// The nodes of a recording from the outermost inwards: each node's first child and its next sibling.
struct Below {
    first: Vec<Option<usize>>,
    next: Vec<Option<usize>>,
    roots: Vec<usize>,
}

impl Below {
    fn of(recording: &Recording) -> Self {
        let n = recording.nodes.len();
        let mut below = Self { first: vec![None; n], next: vec![None; n], roots: Vec::new() };
        for (at, node) in recording.nodes.iter().enumerate() {
            match node.parent.map(|parent| parent as usize).filter(|parent| *parent < at) {
                Some(parent) => {
                    let first = below.first.get_mut(parent).and_then(|slot| slot.replace(at));
                    if let Some(slot) = below.next.get_mut(at) {
                        *slot = first;
                    }
                }
                None => below.roots.push(at),
            }
        }
        below
    }

    /// Tells each node when it is entered and when it is left; recursion may be deeper than our own stack.
    fn walk(&self, mut told: impl FnMut(usize, bool)) {
        let mut open: Vec<(usize, bool)> = self.roots.iter().map(|root| (*root, true)).collect();
        while let Some((at, entering)) = open.pop() {
            told(at, entering);
            if !entering {
                continue;
            }
            open.push((at, false));
            let mut child = self.first.get(at).copied().flatten();
            while let Some(inner) = child {
                open.push((inner, true));
                child = self.next.get(inner).copied().flatten();
            }
        }
    }
}
