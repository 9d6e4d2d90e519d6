//! Threads that do the same kind of work, and how evenly they share it.

use std::collections::{BTreeMap, BTreeSet};

use model::profile::{Place, ThreadAccount};
use model::recording::{Frame, Language, Owner, Recording};

use crate::profile::Study;

/// Threads that began at the same function of the user's.
#[derive(Clone, Debug)]
pub(super) struct Team {
    pub(super) entry: Place,
    /// CPU seconds of each member, most first.
    pub(super) busy: Vec<f64>,
}

impl Team {
    pub(super) fn total(&self) -> f64 {
        self.busy.iter().sum()
    }

    /// The busiest member's part of the team's CPU time.
    pub(super) fn busiest(&self) -> f64 {
        self.busy.first().copied().unwrap_or(0.0) / self.total().max(f64::MIN_POSITIVE)
    }
}

/// Files of libraries that start a thread's or child's work: what the user wrote begins inside of them.
const STARTERS: &[&str] = &[
    "/threading.py",
    "/concurrent/futures/thread.py",
    "/concurrent/futures/process.py",
    "/multiprocessing/process.py",
    "/multiprocessing/pool.py",
];

/// The team that computed most, of those with at least two members.
pub(super) fn team(recording: &Recording, study: &Study) -> Option<Team> {
    let mut all = teams(recording, study);
    all.retain(|team| team.busy.len() >= 2);
    all.into_iter().max_by(|a, b| a.total().total_cmp(&b.total()))
}

fn teams(recording: &Recording, study: &Study) -> Vec<Team> {
    let entries = entries(recording);
    let busy = |thread: &ThreadAccount| {
        let leaves = thread.account.leaves.iter().filter(|leaf| leaf.leaf.starts_with("on-cpu"));
        leaves.fold(0.0, |sum, leaf| sum + leaf.share) * super::whole::length(thread)
    };
    let accounts: BTreeMap<(u32, u32), f64> =
        study.profile.threads.iter().map(|thread| ((thread.pid, thread.tid), busy(thread))).collect();
    let own = super::whole::own_threads(recording);
    let virtual_machine = recording
        .frames
        .iter()
        .any(|frame| matches!(frame.language, Language::Java | Language::JavaScript | Language::Go));
    let has_runtime = |process: &model::recording::Process| process.runtime.is_some() || virtual_machine;
    let mut teams: BTreeMap<(String, Option<String>, Option<u32>), Team> = BTreeMap::new();
    let mut strangers: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (thread, entry) in recording.threads.iter().zip(entries) {
        let Some(process) = recording.processes.get(thread.process as usize) else { continue };
        let Some(busy) = accounts.get(&(process.pid, thread.tid)).copied() else { continue };
        let is_first = thread.tid == process.pid;
        match entry {
            // Children of one parent are a team as threads of one process are.
            // Of a runtime's threads those count that mostly run the user's code.
            Some(entry) if !has_runtime(process) || own.contains(&(process.pid, thread.tid)) => {
                let within = if is_first { process.parent } else { Some(thread.process) };
                let key = (entry.work, entry.place.file.clone(), within);
                let entry = entry.place;
                teams.entry(key).or_insert_with(|| Team { entry, busy: Vec::new() }).busy.push(busy);
            }
            // Runtimes have threads of their own.
            None if !is_first && !has_runtime(process) => {
                strangers.entry(thread.process).or_default().push(busy);
            }
            _ => {}
        }
    }
    // Threads that ended before anybody saw where they were belong to the only team there can be.
    for (process, idle) in strangers {
        let mut of_process = teams.iter_mut().filter(|((_, _, within), _)| *within == Some(process));
        if let (Some((_, team)), None) = (of_process.next(), of_process.next()) {
            team.busy.extend(idle);
        }
    }
    let mut teams: Vec<Team> = teams.into_values().collect();
    for team in &mut teams {
        team.busy.sort_by(|a, b| b.total_cmp(a));
    }
    teams
}

/// Where each thread's part of the user's code begins.
fn entries(recording: &Recording) -> Vec<Option<Entry>> {
    let mut entries: Vec<Option<Entry>> = vec![None; recording.threads.len()];
    let hits = recording.hits.iter().map(|hit| (hit.thread, hit.stack));
    let waits = recording.waits.iter().map(|wait| (wait.thread, wait.stack));
    // Of stacks with the same outermost frames only one is walked.
    let mut walked: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (thread, stack) in hits.chain(waits) {
        let (Some(slot), Some(stack)) = (entries.get_mut(thread as usize), stack) else { continue };
        if slot.is_none() && walked.insert((thread, stack)) {
            *slot = entry(recording, stack);
        }
    }
    entries
}

/// Where a thread's part of the user's code begins.
#[derive(Clone)]
struct Entry {
    place: Place,
    /// What it does, by the first function that has a name: all lambdas of a language are called alike.
    work: String,
}

/// What compilers call functions without a name.
const NAMELESS: [&str; 4] = ["{lambda", "operator()", "{{closure}}", "<lambda>"];

/// The place that a frame stands at.
pub(super) fn place(recording: &Recording, frame: &Frame) -> Option<Place> {
    super::naming::place_of(frame, &recording.modules)
}

/// The outermost function of the user's in the threads that wait in such functions, by how long it was seen.
pub(super) fn task_of(recording: &Recording, wanted: impl Fn(&str) -> bool) -> Option<Place> {
    let names = |frame: &Frame| frame.function.as_deref().is_some_and(&wanted);
    let below = super::whole::below(recording, names);
    let is_here = |stack: u32| below.get(stack as usize) == Some(&true);
    let here = recording.waits.iter().filter(|wait| wait.stack.is_some_and(is_here));
    let threads: BTreeSet<u32> = here.map(|wait| wait.thread).collect();
    let mut seen: BTreeMap<&str, (u64, &Frame)> = BTreeMap::new();
    for hit in recording.hits.iter().filter(|hit| threads.contains(&hit.thread)) {
        let frames = hit.stack.into_iter().flat_map(|stack| recording.frames_of(stack));
        // What a compiler made of a lambda has no name that people know.
        let is_named =
            |frame: &&Frame| !frame.function.as_deref().is_some_and(|name| name.contains("$$Lambda"));
        let own = frames.filter(|frame| frame.owner == Owner::Project).filter(is_named).last();
        if let Some((frame, name)) = own.and_then(|frame| Some((frame, frame.function.as_deref()?))) {
            seen.entry(name).or_insert((0, frame)).0 += hit.weight;
        }
    }
    let (_, frame) = seen.into_values().max_by_key(|(weight, _)| *weight)?;
    place(recording, frame)
}

fn entry(recording: &Recording, stack: u32) -> Option<Entry> {
    let frames: Vec<&Frame> = recording.frames_of(stack).collect();
    let starts = |frame: &&Frame| {
        frame.file.as_deref().is_some_and(|file| STARTERS.iter().any(|starter| file.ends_with(starter)))
    };
    // From the outermost inwards, behind the last library that starts work.
    let from = frames.iter().position(starts).unwrap_or(frames.len());
    let own = frames.get(..from)?.iter().rev().filter(|frame| frame.owner == Owner::Project);
    let own: Vec<&&Frame> = own.collect();
    // What a compiler made of a lambda has no name that people know.
    let is_named = |frame: &&&&Frame| frame.function.as_deref().is_some_and(|name| !name.contains("{lambda"));
    let frame = own.iter().find(is_named).or_else(|| own.first())?;
    let place = place(recording, frame)?;
    let mut names = own.iter().filter_map(|frame| frame.function.as_deref());
    let work = names.find(|name| !NAMELESS.iter().any(|nameless| name.contains(nameless)));
    Some(Entry { work: work.unwrap_or(&place.function).to_owned(), place })
}
