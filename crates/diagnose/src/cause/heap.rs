//! What the heap pass says of a place.

use std::borrow::Cow;
use std::collections::BTreeMap;

use model::heap::{Heap, Site};
use model::profile::Place;
use model::recording::{Frame, Owner, Recording};

use super::facts::RECORDER;
use super::subject::Subject;
use crate::profile::is_special;

const HEAP: (&str, &str) = (model::heap::HEAP, "allocator hook");

/// Notes what the user's function at a place allocates, itself or through libraries, and who holds memory at the end.
pub(super) fn note(subject: &mut Subject, heap: Option<&Heap>, place: &Place) {
    let Some((heap, totals)) = heap.and_then(|heap| Some((heap, heap.totals.as_ref()?))) else { return };
    let is_here = |site: &&Site| {
        own_frame(heap, site).is_some_and(|own| own.function.as_deref() == Some(place.function.as_str()))
    };
    let (mut blocks, mut bytes, mut churned) = (0.0, 0.0, 0.0);
    for site in heap.sites.iter().filter(is_here) {
        blocks += site.allocations.value as f64;
        bytes += site.bytes.value as f64;
        churned += short(site);
    }
    let wall = heap.wall.map(|wall| wall.as_secs_f64()).filter(|wall| *wall > 0.0);
    if let Some(wall) = wall.filter(|_| blocks > 0.0) {
        subject.number("heap.churn", churned / wall, "/s", HEAP);
        if bytes / blocks <= SMALL {
            subject.number("heap.small-churn", churned / wall, "/s", HEAP);
        }
    }
    // Whoever only gives back what another place has made is not the place to change.
    let frees = blocks <= 0.0 && subject.value("leaf.allocate").is_some_and(|share| share >= FREES);
    if let Some(maker) = most_short(heap).filter(|_| frees) {
        subject.instead.insert("allocation-churn", maker);
    }
    let live = totals.live_at_end.as_bytes().max(totals.peak_live.as_bytes()) as f64;
    let held = |site: &Site| site.live_at_end.value.max(site.at_peak.value) as f64;
    let most = heap.sites.iter().filter(|site| own_frame(heap, site).is_some());
    if let Some(most) = most.max_by(|a, b| held(a).total_cmp(&held(b))).filter(|_| live > 0.0) {
        subject.number("memory.held", (held(most) / live).min(1.0), "1", HEAP);
        if let Some(own) = own_frame(heap, most) {
            subject.word("holder", words(own));
        }
    }
}

/// Bytes of a block that are copied as fast as the block is made.
const SMALL: f64 = 256.0;

/// From this share of its time in the allocator on, a place that makes no block frees those of others.
const FREES: f64 = 0.25;

/// Blocks of a site that are freed as soon as they are made.
fn short(site: &Site) -> f64 {
    site.allocations.value as f64 * site.lifetimes.map_or(0.0, |lives| lives.within_1_milli.0)
}

/// The function that a frame is written in, and its file.
type Function<'a> = (Cow<'a, str>, Option<&'a str>);

/// The user's function that makes most of the blocks that are freed at once.
fn most_short(heap: &Heap) -> Option<Place> {
    let mut sums: BTreeMap<Function<'_>, (f64, &Frame)> = BTreeMap::new();
    for site in &heap.sites {
        let Some(own) = own_frame(heap, site) else { continue };
        let Some(function) = own.function.as_deref() else { continue };
        let sum = sums.entry((super::naming::enclosing(function), own.file.as_deref())).or_insert((0.0, own));
        sum.0 += short(site);
    }
    let most = sums.into_iter().filter(|(_, (blocks, _))| *blocks > 0.0);
    let ((function, _), (_, own)) = most.max_by(|(_, one), (_, other)| one.0.total_cmp(&other.0))?;
    let place = super::naming::place_of(own, &heap.modules)?;
    Some(Place { function: function.into_owned(), ..place })
}

/// Notes for how much of the run memory is fetched at a place: what is loaded once does not grow.
pub(super) fn note_span(subject: &mut Subject, recording: &Recording, place: &Place) {
    if subject.value("kernel.memory").is_none_or(|share| share < FETCHES) {
        return;
    }
    let is_here = |frame: &Frame| {
        frame.owner == Owner::Project && frame.function.as_deref() == Some(place.function.as_str())
    };
    let hits = super::whole::hits_below(recording, is_here).map(|hit| hit.at.as_nanos());
    let span = hits.fold(None, |span: Option<(u64, u64)>, at| {
        Some(span.map_or((at, at), |(from, to)| (from.min(at), to.max(at))))
    });
    let wall = recording.wall.map(|wall| wall.as_nanos()).filter(|wall| *wall > 0);
    if let Some(((from, to), wall)) = span.zip(wall) {
        subject.number("memory.span", ((to - from) as f64 / wall as f64).min(1.0), "1", RECORDER);
    }
}

/// Below this share of its time in fetching memory a place is not asked.
const FETCHES: f64 = 0.15;

/// The innermost frame of the user's own code in the site's stack, who copies a value rather than what copies it.
fn own_frame<'a>(heap: &'a Heap, site: &Site) -> Option<&'a Frame> {
    let stack = site.stack?;
    let own = || heap.frames_of(stack).filter(|frame| frame.owner == Owner::Project);
    let asks = |frame: &&Frame| !frame.function.as_deref().is_some_and(is_special);
    own().find(asks).or_else(|| own().next())
}

fn words(frame: &Frame) -> String {
    let name = frame.function.as_deref().unwrap_or("?");
    let file = frame.file.as_deref().and_then(|file| file.rsplit('/').next());
    match (file, frame.line) {
        (Some(file), Some(line)) => format!("`{name}` ({file}:{line})"),
        _ => format!("`{name}`"),
    }
}
