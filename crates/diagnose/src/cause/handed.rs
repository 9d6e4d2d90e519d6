//! Work that an event loop hands to threads of its own piece by piece: where the pieces are small, waking each other is all
//! that both sides do.

use std::collections::BTreeMap;

use model::answer::Leaf;
use model::profile::{Place, WaitSite};
use model::recording::{Frame, Module, Owner};
use model::source::{Context, Function, TraitKind};

use super::facts::{Inputs, RECORDER};
use super::known::{is_event_loop, leaf_of};
use super::source::growing;
use super::subject::Subject;
use crate::profile::spots::Spot;

/// Pieces in each second that the program had, from which on handing over costs: two wakings and two switches each are about 20 µs.
const OFTEN: f64 = 2000.0;

/// Seconds, on average, in which the other thread is done with a piece that is hardly any work.
const SHORT: f64 = 0.0005;

/// Those who work are waited for about as often as they wait for work.
const TURNS: f64 = 0.5;

/// Notes how often pieces are handed over, and what that takes; the place is who waits for them.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64) {
    let profile = &inputs.study.profile;
    let idle = profile.waits.iter().filter(|site| site.idle && site.leaf == "blocked/lock");
    let idle: u64 = idle.map(|site| site.count).sum();
    let sites: Vec<&WaitSite> = profile.waits.iter().filter(|site| !site.idle && is_handed(site)).collect();
    let count: u64 = sites.iter().map(|site| site.count).sum();
    let seconds: f64 = sites.iter().map(|site| site.seconds).sum();
    let rate = count as f64 / (wall * inputs.study.had()).max(f64::MIN_POSITIVE);
    let rung: u64 = sites.iter().filter(|site| is_rung(site)).map(|site| site.count).sum();
    // Who rings is seen, or is known by waiting for work as often.
    let seen = rung.max(idle) as f64 >= TURNS * count as f64;
    let by_turns = rate >= OFTEN && seconds <= SHORT * count as f64 && seen;
    let Some(account) = profile.account.as_ref().filter(|_| by_turns) else {
        // Of a run that was hidden nobody knows.
        if inputs.study.saw_waits() {
            subject.number("kernel.asking", 0.0, "1", RECORDER);
        }
        return;
    };
    let leaf = |name: &str| account.leaves.iter().find(|leaf| leaf.leaf == name);
    let share = |name: &str| leaf(name).map_or(0.0, |leaf| leaf.share);
    let waking = leaf("on-cpu/kernel").map_or(0.0, waking) / wall;
    let computing = share("on-cpu/user") + share("on-cpu/kernel");
    let critical: f64 = sites.iter().map(|site| site.critical_s).sum();
    subject.number("handovers", rate, "/s", RECORDER);
    subject.number("kernel.asking", (waking / computing.max(f64::MIN_POSITIVE)).min(1.0), "1", RECORDER);
    let part = waking + share("runnable/woken") + critical / wall;
    subject.number("kernel", part.min(1.0), "1", RECORDER);
    subject.word("way", "handover".to_owned());
    let main = sites.iter().max_by_key(|site| (is_event_loop(site), site.count));
    let (place, awaits) = busiest(inputs).unzip();
    let told = main.and_then(|main| super::waiting::awaiting(inputs, main));
    let place = if awaits == Some(true) { place } else { told.or(place) };
    if let Some(place) = place {
        subject.instead.insert("syscall-storm", place);
    }
}

/// Fewer statements are no loop over rows.
const STATEMENTS: u64 = 100;

/// A place that has packages do this part of its work has them do it.
const PACKAGES: f64 = 0.5;

/// Notes statements that a mapper hands to a thread of the database's own: the place awaits them one by one.
pub(super) fn note_statements(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot, own: &[&Context]) {
    let recording = inputs.recording;
    if spot.packages < PACKAGES || !own.iter().any(|context| awaits(context)) {
        return;
    }
    let is_database =
        |module: &Module| module.path.rsplit('/').next().is_some_and(|name| name.contains("sqlite"));
    let databases: Vec<bool> = recording.modules.iter().map(is_database).collect();
    let in_database = |stack: u32| {
        let mut modules = recording.frames_of(stack).filter_map(|frame| frame.module);
        modules.any(|module| databases.get(module as usize) == Some(&true))
    };
    let beside = recording.hits.iter().filter(|hit| hit.thread != 0);
    let asked = beside.filter_map(|hit| hit.stack).any(in_database);
    let waits = inputs.study.profile.waits.iter().filter(|site| is_event_loop(site));
    if asked && waits.map(|site| site.count).sum::<u64>() >= STATEMENTS {
        subject.number("source.query", 1.0, "yes", RECORDER);
        subject.number("database", 1.0, "yes", RECORDER);
        subject.share("leaf.database", spot.packages, spot.n);
    }
}

/// It awaits again and again.
fn awaits(context: &Context) -> bool {
    growing(&context.loops) > 0 && context.traits.iter().any(|found| found.kind == TraitKind::Await)
}

/// A loop waits until one of its own threads has done something: that rings it, through an event or a socket that it made
/// for this, or wakes its one thread.
fn is_handed(site: &WaitSite) -> bool {
    let rings = |what: &str| matches!(what, "unix socket" | "event");
    match (leaf_of(site), site.what.as_deref()) {
        // Short waits have no stack.
        ("blocked/poll", Some(what)) => {
            is_event_loop(site) && (is_rung(site) || rings(what)) || site.stack.is_empty() && is_rung(site)
        }
        ("blocked/lock", _) => site.threads == 1,
        _ => false,
    }
}

/// Another thread of the same program is seen to end it.
fn is_rung(site: &WaitSite) -> bool {
    site.leaf == "blocked/poll" && site.what.as_deref().is_some_and(|what| what.contains("ready by thread"))
}

/// The innermost function of the user's that awaits in a loop, by what it and others do for it there; else any, which does
/// not.
fn busiest(inputs: &Inputs<'_>) -> Option<(Place, bool)> {
    let recording = inputs.recording;
    let contexts = || {
        let places = inputs.source.into_iter().flat_map(|source| &source.places);
        places.filter_map(|place| Some((place.file.as_str(), place.context.as_ref()?)))
    };
    let is_in = |frame: &Frame, file: &str, function: &Function| {
        let lines = function.first_line..=function.last_line;
        frame.file.as_deref() == Some(file) && frame.line.is_some_and(|line| lines.contains(&line))
    };
    let function = |frame: &Frame| {
        let mut known = contexts().filter_map(|(file, context)| Some((file, context.function.as_ref()?)));
        known.find(|(file, function)| is_in(frame, file, function)).map(|(_, function)| function)
    };
    let is_awaiting = |frame: &Frame| {
        let here = |file: &str, context: &Context| {
            context.function.as_ref().is_some_and(|function| is_in(frame, file, function))
        };
        contexts().any(|(file, context)| awaits(context) && here(file, context))
    };
    let mut weights: BTreeMap<&str, (u64, &Frame)> = BTreeMap::new();
    for hit in &recording.hits {
        let mut frames = hit.stack.into_iter().flat_map(|stack| recording.frames_of(stack));
        let own = frames.find(|frame| frame.owner == Owner::Project);
        if let Some((frame, name)) = own.and_then(|frame| Some((frame, frame.function.as_deref()?))) {
            weights.entry(name).or_insert((0, frame)).0 += hit.weight;
        }
    }
    let (_, (_, frame)) =
        weights.into_iter().max_by_key(|(_, (weight, frame))| (is_awaiting(frame), *weight))?;
    let place = super::team::place(recording, frame)?;
    // Compilers name what they make of an asynchronous function by a number.
    let name = function(frame).and_then(|function| function.name.clone());
    let name = name.filter(|_| place.function.starts_with('{'));
    let place = Place { function: name.unwrap_or_else(|| place.function.clone()), ..place };
    Some((place, is_awaiting(frame)))
}

/// Seconds that the kernel wakes others, rings, waits or switches. Nobody tells an ordinary user what it did.
fn waking(kernel: &Leaf) -> f64 {
    const CALLS: [&str; 5] = ["futex", "epoll", "kernel", "sendto", "recvfrom"];
    let is_waking = |what: &str| CALLS.iter().any(|begin| what.starts_with(begin));
    if kernel.parts.is_empty() {
        return kernel.seconds;
    }
    kernel.parts.iter().filter(|part| is_waking(&part.what)).map(|part| part.seconds).sum()
}
