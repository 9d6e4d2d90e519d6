//! Threads that do the same kind of work, and how evenly they share it.

use std::collections::{BTreeMap, BTreeSet};

use model::Nanos;
use model::profile::{Place, ThreadAccount};
use model::recording::{Frame, Language, Owner, Recording, Thread};

use crate::profile::Study;

/// Threads that began at the same function of the user's.
#[derive(Clone, Debug)]
pub(super) struct Team {
    pub(super) entry: Place,
    /// CPU seconds of each member, most first. Those that lived one after the other are one.
    pub(super) busy: Vec<f64>,
}

/// What one thread computed, and when it lived.
#[derive(Clone, Copy, Debug)]
struct Member {
    busy: f64,
    from: u64,
    to: u64,
}

impl Member {
    /// Without an end, of itself or of the recording, it lives on.
    fn of(thread: &Thread, busy: f64, end: Option<Nanos>) -> Self {
        let from = thread.from.as_nanos();
        Self { busy, from, to: thread.to.or(end).map_or(u64::MAX, Nanos::as_nanos).max(from) }
    }
}

/// With fewer than this alive on average, threads are made one after the other, as a server does for each request: they share no
/// job, and each has what it was asked for.
const TOGETHER: f64 = 1.5;

/// CPU seconds of those that could work at once: whoever begins when another one has ended carries on for it.
fn hands(mut members: Vec<Member>) -> Vec<f64> {
    members.sort_by_key(|member| (member.from, member.to));
    let mut hands: Vec<Member> = Vec::new();
    let (mut lived, mut alive, mut until) = (0_u64, 0_u64, 0_u64);
    for member in &members {
        lived = lived.saturating_add(member.to.saturating_sub(member.from));
        alive = alive.saturating_add(member.to.saturating_sub(until.max(member.from)));
        until = until.max(member.to);
        match hands.iter_mut().find(|hand| hand.to <= member.from) {
            Some(hand) => *hand = Member { busy: hand.busy + member.busy, ..*member },
            None => hands.push(*member),
        }
    }
    let anew = hands.len() < members.len() && (lived as f64) < TOGETHER * alive as f64;
    let busy = hands.iter().map(|hand| hand.busy);
    if anew { vec![busy.sum()] } else { busy.collect() }
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

/// In a file of a library that starts a thread's or child's work.
pub(super) fn is_starter(frame: &Frame) -> bool {
    frame.file.as_deref().is_some_and(|file| STARTERS.iter().any(|starter| file.ends_with(starter)))
}

/// The team that computed most, of those with at least two members.
pub(super) fn team(recording: &Recording, study: &Study) -> Option<Team> {
    let mut all = teams(recording, study);
    all.retain(|team| team.busy.len() >= 2);
    all.into_iter().max_by(|a, b| a.total().total_cmp(&b.total()))
}

/// What members of a team do, in which file, and in which process or as whose children.
type Work = (String, Option<String>, Option<u32>);

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
    let mut teams: BTreeMap<Work, (Place, Vec<Member>)> = BTreeMap::new();
    let mut strangers: BTreeMap<u32, Vec<Member>> = BTreeMap::new();
    for (thread, entry) in recording.threads.iter().zip(entries) {
        let Some(process) = recording.processes.get(thread.process as usize) else { continue };
        let Some(busy) = accounts.get(&(process.pid, thread.tid)).copied() else { continue };
        let is_first = thread.tid == process.pid;
        let member = Member::of(thread, busy, recording.wall);
        match entry {
            // Children of one parent are a team as threads of one process are.
            // Of a runtime's threads those count that mostly run the user's code.
            Some(entry) if !has_runtime(process) || own.contains(&(process.pid, thread.tid)) => {
                let within = if is_first { process.parent } else { Some(thread.process) };
                let key = (entry.work, entry.place.file.clone(), within);
                teams.entry(key).or_insert_with(|| (entry.place, Vec::new())).1.push(member);
            }
            // Runtimes have threads of their own.
            None if !is_first && !has_runtime(process) => {
                strangers.entry(thread.process).or_default().push(member);
            }
            _ => {}
        }
    }
    // Threads that ended before anybody saw where they were belong to the only team there can be.
    for (process, idle) in strangers {
        let mut of_process = teams.iter_mut().filter(|((_, _, within), _)| *within == Some(process));
        if let (Some((_, (_, members))), None) = (of_process.next(), of_process.next()) {
            members.extend(idle);
        }
    }
    let teams = teams.into_values().map(|(entry, members)| {
        let mut busy = hands(members);
        busy.sort_by(|a, b| b.total_cmp(a));
        Team { entry, busy }
    });
    teams.collect()
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
    // From the outermost inwards, behind the last library that starts work.
    let from = frames.iter().position(|frame| is_starter(frame)).unwrap_or(frames.len());
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

#[cfg(test)]
mod tests {
    use super::{Member, hands};

    fn shares(lives: &[(u64, u64, f64)]) -> Vec<f64> {
        hands(lives.iter().map(|&(from, to, busy)| Member { busy, from, to }).collect())
    }

    #[test]
    fn a_thread_for_each_request_is_no_team_that_shares_one_job() {
        let requests: Vec<_> = (0..40).map(|at| (at * 10, at * 10 + 11, 0.01)).collect();
        assert_eq!(shares(&requests).len(), 1, "though each ends a little after the next one begins");
    }

    #[test]
    fn those_that_live_at_once_share_it_though_they_are_made_anew_for_each_step() {
        let steps = (0..10).flat_map(|at| [(at * 10, at * 10 + 9, 0.5), (at * 10, at * 10 + 10, 1.5)]);
        assert_eq!(shares(&steps.collect::<Vec<_>>()), [5.0, 15.0]);
        assert_eq!(shares(&[(0, 90, 1.0), (10, 20, 0.1)]), [1.0, 0.1], "one that ends early is idle");
        assert_eq!(shares(&[(0, 100, 1.0), (5, 100, 2.0), (9, 100, 3.0)]), [1.0, 2.0, 3.0]);
    }
}
