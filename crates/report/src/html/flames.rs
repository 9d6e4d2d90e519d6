//! The trees behind the flame graphs as one JSON value: added up here, never more branches than a page can carry.

use std::collections::HashMap;

use model::Nanos;
use model::heap::Heap;
use model::recording::{Frame, Hit, Node, Recording, Source, Weight};
use model::runtime::Sites;
use serde::Serialize;

use super::{Section, Sheet, Told, recording};
use crate::flame::difference::Ground;
use crate::flame::layout::{self, Layout, Placed};
use crate::flame::tree::{self, Direction, Label, Tree};
use crate::flame::{Kind, colour, difference};
use crate::stack::Measure;
use crate::{inert, words};

/// Branches of one tree, the heaviest first. A screen of 2,000 pixels shows fewer.
const BRANCHES: usize = 5_000;

/// Letters of a name; templates may be thousands long.
const LETTERS: usize = 240;

#[derive(Serialize)]
struct Trees {
    labels: Vec<Named>,
    /// Colours of frames and waits, by position.
    fills: Vec<String>,
    views: Vec<View>,
    /// Colours of what changed, and what they mean.
    changes: Vec<(String, String)>,
    /// The view to open with.
    first: usize,
}

/// Name, place, position of its colour, and whether it was inlined.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Named(String, String, u32, u8);

#[derive(Serialize)]
struct View {
    id: &'static str,
    title: &'static str,
    /// What it shows, in words.
    told: String,
    /// `time` in nanoseconds, `bytes`, or the word for what is counted.
    unit: String,
    callees: Branches,
    callers: Branches,
    legend: Vec<(String, String)>,
}

/// Columns of one tree: each branch's parent, label, weight with what it called, weight alone. Parents stand before
/// their children, siblings by name.
#[derive(Serialize)]
struct Branches {
    parent: Vec<u32>,
    label: Vec<u32>,
    total: Vec<u64>,
    own: Vec<u64>,
    /// Weights in the earlier recording. Empty without one.
    before: Vec<u64>,
    /// How the share surely changed, in ten thousandths. Empty likewise.
    changed: Vec<i32>,
    /// Branches that are too light to be here.
    left_out: u64,
    /// The weight of branches that were there before and are gone.
    gone: u64,
}

/// `None` when there is nothing to draw.
pub(super) fn json(sheet: &Sheet) -> Option<String> {
    let mut names = Names::default();
    let mut views = Vec::new();
    if let Some(recording) = recording(sheet) {
        // Without a wait the third view would be the first once more.
        let kinds = KINDS.into_iter().filter(|(kind, ..)| *kind != Kind::Wall || !recording.waits.is_empty());
        for (kind, id, title) in kinds {
            views.extend(view(&mut names, recording, sheet.before, kind, (id, title)));
        }
    }
    if let Some(heap) = &sheet.passes.heap {
        let bytes = allocated(heap);
        views.extend(view(&mut names, &bytes, None, Kind::OnCpu, ("allocation", "Allocation")));
    } else if let Some(sites) = sheet.passes.runtime.as_ref().and_then(|runtime| runtime.sites.as_ref()) {
        let bytes = made(sites);
        views.extend(view(&mut names, &bytes, None, Kind::OnCpu, ("allocation", "Allocation")));
    }
    if views.is_empty() {
        return None;
    }
    let first = views.iter().position(|view| view.id == opening(sheet)).unwrap_or(0);
    let trees =
        Trees { labels: names.labels, fills: names.fills, views, changes: difference::legend(), first };
    serde_json::to_string(&trees).ok()
}

const KINDS: [(Kind, &str, &str); 3] =
    [(Kind::OnCpu, "on-cpu", "On CPU"), (Kind::OffCpu, "off-cpu", "Off CPU"), (Kind::Wall, "wall", "Wall")];

/// The view with most of the program's own time: what others made it wait for a CPU is in no function of it.
fn opening(sheet: &Sheet) -> &'static str {
    let account = match sheet.told {
        Told::Why(answer) => Some(&answer.account),
        Told::Profile(profile) => profile.account.as_ref(),
        _ => None,
    };
    let share = |kind: &str| -> f64 {
        let leaves = account.into_iter().flat_map(|account| &account.leaves);
        leaves.filter(|leaf| leaf.leaf.starts_with(kind)).map(|leaf| leaf.share).sum()
    };
    if share("blocked") > share("on-cpu") { "off-cpu" } else { "on-cpu" }
}

/// The sites of a heap as hits that weigh bytes, so that they are drawn as all other stacks are.
fn allocated(heap: &Heap) -> Recording {
    let mut bytes = Recording::new(Source::Import("heap".to_owned()), Weight::Bytes);
    bytes.modules.clone_from(&heap.modules);
    bytes.frames.clone_from(&heap.frames);
    bytes.nodes.clone_from(&heap.nodes);
    let hit = |site: &model::heap::Site| Hit {
        at: Nanos::ZERO,
        thread: 0,
        stack: site.stack,
        weight: site.bytes.value,
    };
    bytes.hits = heap.sites.iter().map(hit).collect();
    bytes
}

/// The same of what a runtime sampled: the user's function, and what it called that made most.
fn made(sites: &Sites) -> Recording {
    let mut bytes = Recording::new(Source::Import("runtime".to_owned()), Weight::Bytes);
    for site in &sites.largest {
        let mut stack = None;
        for place in std::iter::once(&site.place).chain(&site.inside) {
            let frame = u32::try_from(bytes.frames.len()).unwrap_or(u32::MAX);
            bytes.frames.push(Frame {
                language: place.language,
                function: Some(place.function.clone()),
                file: place.file.clone(),
                line: place.line,
                module: None,
                offset: None,
                is_start: false,
                inlined: false,
                owner: place.owner,
            });
            let node = u32::try_from(bytes.nodes.len()).unwrap_or(u32::MAX);
            bytes.nodes.push(Node { parent: stack, frame });
            stack = Some(node);
        }
        bytes.hits.push(Hit { at: Nanos::ZERO, thread: 0, stack, weight: site.bytes.as_bytes() });
    }
    bytes
}

fn view(
    names: &mut Names,
    recording: &Recording,
    before: Option<&Recording>,
    kind: Kind,
    (id, title): (&'static str, &'static str),
) -> Option<View> {
    let (callees, measure) = tree::of(recording, before, kind, Direction::Callees);
    let shape = layout::layout(&callees);
    if shape.whole == 0 {
        return None;
    }
    let ground = before.map(|before| Ground::of(recording, before, kind));
    let legend = legend(&callees, &shape);
    let told = told(recording, kind, &measure, shape.whole);
    let callees = names.branches(&callees, &shape, ground);
    let (callers, _) = tree::of(recording, before, kind, Direction::Callers);
    let shape = layout::layout(&callers);
    let callers = names.branches(&callers, &shape, ground);
    let unit = match measure {
        Measure::Time => "time".to_owned(),
        Measure::Bytes => "bytes".to_owned(),
        Measure::Samples => "samples".to_owned(),
        Measure::Other(unit) => inert::terminal(&unit, true),
    };
    Some(View { id, title, told, unit, callees, callers, legend })
}

/// `12.3 s in 12,345 hits`.
fn told(recording: &Recording, kind: Kind, measure: &Measure, whole: u64) -> String {
    let hits = words::plural(recording.seen(), "hit");
    let waits = words::plural(recording.waits.len() as u64, "wait");
    let seen = match (kind, measure) {
        (_, Measure::Bytes) => words::plural(recording.hits.len() as u64, "place"),
        (Kind::OnCpu, _) => hits,
        (Kind::OffCpu, _) => waits,
        (Kind::Wall, _) => format!("{hits} and {waits}"),
    };
    format!("{} in {seen}, all threads", measure.shown(whole)).replace(inert::TIE, " ")
}

/// Colour and meaning of what is painted, heaviest first.
fn legend(tree: &Tree, shape: &Layout) -> Vec<(String, String)> {
    let mut paints: Vec<(tree::Paint, u64)> = Vec::new();
    for placed in shape.placed.iter().skip(1) {
        let Some(label) = tree.labels.get(placed.branch.label as usize) else { continue };
        match paints.iter_mut().find(|(paint, _)| *paint == label.paint) {
            Some((_, sum)) => *sum = sum.saturating_add(placed.branch.own),
            None => paints.push((label.paint, placed.branch.own)),
        }
    }
    paints.sort_by_key(|(paint, weight)| (std::cmp::Reverse(*weight), *paint));
    let mut legend: Vec<(String, String)> = Vec::new();
    for (paint, _) in paints {
        let (swatch, meaning) = (colour::swatch(paint), colour::meaning(paint));
        let room = legend.len() < 8;
        match legend.iter_mut().find(|(known, _)| *known == swatch) {
            // One colour stands once, with all that it means.
            Some((_, known)) if !known.split(" · ").any(|word| word == meaning) => {
                known.push_str(" · ");
                known.push_str(&meaning);
            }
            None if room => legend.push((swatch, meaning)),
            _ => {}
        }
    }
    legend
}

/// The names of all trees, each once.
#[derive(Default)]
struct Names {
    labels: Vec<Named>,
    known: HashMap<Named, u32>,
    fills: Vec<String>,
    painted: HashMap<String, u32>,
}

impl Names {
    fn label(&mut self, label: &Label, origin: &str) -> u32 {
        let fill = self.fill(colour::frame(label));
        let named = Named(short(&label.name), short(origin), fill, u8::from(label.inlined));
        if let Some(at) = self.known.get(&named) {
            return *at;
        }
        let at = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        self.known.insert(named.clone(), at);
        self.labels.push(named);
        at
    }

    fn fill(&mut self, colour: String) -> u32 {
        let next = u32::try_from(self.fills.len()).unwrap_or(u32::MAX);
        let at = *self.painted.entry(colour.clone()).or_insert(next);
        if at == next {
            self.fills.push(colour);
        }
        at
    }

    fn branches(&mut self, tree: &Tree, shape: &Layout, ground: Option<Ground>) -> Branches {
        let kept = heaviest(&shape.placed);
        let mut columns = Branches {
            parent: Vec::with_capacity(kept.len()),
            label: Vec::with_capacity(kept.len()),
            total: Vec::with_capacity(kept.len()),
            own: Vec::with_capacity(kept.len()),
            before: Vec::new(),
            changed: Vec::new(),
            left_out: shape.narrow + shape.deep + (shape.placed.len() - kept.len()) as u64,
            gone: layout::gone(tree).1,
        };
        // From positions in the whole tree to positions here.
        let mut positions: HashMap<usize, u32> = HashMap::new();
        for (at, placed) in kept.iter().enumerate() {
            let branch = placed.branch;
            positions.insert(placed.at, u32::try_from(at).unwrap_or(u32::MAX));
            columns.parent.push(positions.get(&(branch.parent as usize)).copied().unwrap_or(0));
            let origin = tree.origins.get(branch.label as usize).map_or("", String::as_str);
            let label = tree.labels.get(branch.label as usize).map_or(0, |label| self.label(label, origin));
            columns.label.push(label);
            columns.total.push(branch.total);
            columns.own.push(branch.own);
            if let Some(ground) = ground {
                columns.before.push(branch.before);
                columns.changed.push(parts(ground.sure(&branch, shape.whole, shape.whole_before)));
            }
        }
        columns
    }
}

/// The heaviest branches in the order of the layout. A parent is at least as heavy as its child and less deep, so
/// nobody is left without one.
fn heaviest(placed: &[Placed]) -> Vec<&Placed> {
    let mut order: Vec<usize> = (0..placed.len()).collect();
    let weight = |at: &usize| placed.get(*at).map(|p| (std::cmp::Reverse(p.branch.total), p.branch.depth));
    order.sort_by_key(|at| (weight(at), *at));
    order.truncate(BRANCHES);
    order.sort_unstable();
    order.into_iter().filter_map(|at| placed.get(at)).collect()
}

/// A share in ten thousandths.
#[expect(clippy::cast_possible_truncation, reason = "shares lie between -1 and 1")]
fn parts(share: f64) -> i32 {
    (share * 10_000.0).round() as i32
}

fn short(text: &str) -> String {
    let shown = inert::terminal(text, true).replace(inert::TIE, " ");
    match shown.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", shown.get(..end).unwrap_or_default()),
        None => shown,
    }
}

/// The place where the script draws, and what it is without one.
pub(super) fn section(sheet: &Sheet) -> Section {
    let run = sheet.manifest.map_or("last", |manifest| manifest.id.as_str());
    let without = super::command(&format!("slowpath export {run} --format flame -o flame.svg"));
    let body = format!(
        "<noscript><p>The flame graphs on this page need its script. As a picture of their own:</p>{without}</noscript>\
         <div id=\"flame\" hidden><div class=\"tools\"><div role=\"group\" aria-label=\"View\" id=\"flame-views\"></div>\
         <div role=\"group\" aria-label=\"Order\" id=\"flame-ways\">\
         <button type=\"button\" id=\"flame-reverse\" aria-pressed=\"false\" title=\"Key R\">Callers</button>\
         <button type=\"button\" id=\"flame-flip\" aria-pressed=\"false\" title=\"Key I\">Root below</button>\
         <button type=\"button\" id=\"flame-change\" aria-pressed=\"false\" title=\"Key D\" hidden>Change</button></div>\
         <input type=\"search\" id=\"flame-search\" placeholder=\"Search functions\" aria-label=\"Search functions\" \
         autocomplete=\"off\" spellcheck=\"false\"><button type=\"button\" id=\"flame-reset\" title=\"Key Escape\">Reset</button></div>\
         <p id=\"flame-told\" class=\"faint\"></p><p id=\"flame-found\" role=\"status\"></p>\
         <div id=\"flame-boxes\" tabindex=\"0\" role=\"application\" aria-label=\"Flame graph\" aria-describedby=\"flame-keys\"></div>\
         <p id=\"flame-details\" role=\"status\"></p><ul id=\"flame-legend\" class=\"legend\"></ul>\
         <p id=\"flame-keys\" class=\"faint\">Click or <kbd>Enter</kbd> zooms, arrow keys walk, <kbd>/</kbd> searches, \
         <kbd>R</kbd> turns to callers, <kbd>I</kbd> puts the root below, <kbd>Esc</kbd> resets.</p></div>"
    );
    let note = "Width is weight: how much time, or how many bytes, a function and what it called took.";
    Section::new("flames", "Flame graphs", note, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_between_letters() {
        assert_eq!(short("abc"), "abc");
        assert_eq!(short(&"é".repeat(500)).chars().count(), LETTERS + 1);
    }
}
