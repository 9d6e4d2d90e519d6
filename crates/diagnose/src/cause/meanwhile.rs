//! What else is true while a place waits: who waits for it, what it holds, what the wait is made of.

use std::collections::{BTreeMap, BTreeSet};

use model::Sample;
use model::calls::{Calls, On, Row};
use model::profile::WaitSite;
use model::recording::{Object, Owner, Wait, Why};

use super::facts::Inputs;
use super::known::{
    comes_back, is_condition, is_contention, is_event_loop, is_runtimes_own, leaf_of, wants_interpreter,
};
use super::subject::Subject;
use super::waiting::{has_workers, is_at};

const SAMPLES: (&str, &str) = (model::recording::RECORDING, "kernel, of the recorded run");
const WAITS: (&str, &str) = (model::recording::RECORDING, "recorder");

/// An event loop that asks nobody and starts nothing waits for its timers, or for its own workers, whose waits are told.
pub(super) fn note_timer(subject: &mut Subject, inputs: &Inputs<'_>, site: &WaitSite) {
    if let Some(is_timer) = is_timer(inputs, site) {
        subject.number("wait.sleep", f64::from(u8::from(is_timer)), "yes", WAITS);
        subject.number("wait.peer", 0.0, "yes", WAITS);
        subject.number("peer.asking", 0.0, "yes", WAITS);
        subject.number("peer.time", 0.0, "1", WAITS);
    }
}

/// Whether an event loop waits for its timers. `None` where it may wait for somebody, or nobody traced its calls.
pub(super) fn is_timer(inputs: &Inputs<'_>, site: &WaitSite) -> Option<bool> {
    let calls = inputs.calls.filter(|_| leaf_of(site) == "blocked/poll" && is_event_loop(site))?;
    let talks = talks(inputs) == Some(true);
    let is_told = site.what.as_deref().is_some_and(|what| what.contains("ready by"));
    (!talks && calls.processes.len() <= 1)
        .then(|| !is_told && !is_rung(inputs, calls, site) && !has_workers(inputs, site))
}

/// Whether anything was sent to a peer, or came from one. `None` where nobody traced the calls.
pub(super) fn talks(inputs: &Inputs<'_>) -> Option<bool> {
    Some(inputs.calls?.peers.iter().any(|peer| peer.sends + peer.receives > 0))
}

/// Threads that work for an event loop ring it through an event; timers need none. One in so many waits shows that it is so.
const RINGS: u64 = 4;

/// What threads do for a loop takes less than this as a rule, …
const SOON: f64 = 0.005;

/// … or they are seen to be at it for this part of the time that the loop waits.
const AT_IT: f64 = 0.3;

/// Whether the loop is told by its own threads that something is done.
fn is_rung(inputs: &Inputs<'_>, calls: &Calls, site: &WaitSite) -> bool {
    let busy: f64 = inputs.study.profile.threads.iter().map(super::whole::on_cpu).sum();
    if site.seconds > SOON * site.count as f64 && busy < AT_IT * site.seconds {
        return false;
    }
    let counted =
        |is: &dyn Fn(&Row) -> bool| calls.rows.iter().filter(|row| is(row)).map(|row| row.count).sum::<u64>();
    let is_event =
        |on: &On| matches!(on, On::Other(at) if calls.others.get(*at as usize) == Some(&Object::Event));
    let rings = counted(&|row| row.call == "read" && row.on.as_ref().is_some_and(is_event));
    let waits = counted(&|row| row.call.starts_with("epoll_"));
    rings > 0 && rings * RINGS >= waits
}

/// Runtimes with an event loop or tasks of their own wait outside of all code: the function that computes between the
/// waits is the one that asks.
pub(super) fn busiest(inputs: &Inputs<'_>) -> Option<model::profile::Place> {
    let own = inputs.study.profile.hotspots.iter().filter(|hotspot| hotspot.place.owner == Owner::Project);
    // A script's own code loads what it needs, and has asked nobody yet.
    own.max_by(|one, other| {
        let asks = |place: &model::profile::Place| !super::runtime::is_top_level(place);
        let is_larger = one.total.value.total_cmp(&other.total.value);
        let is_larger = is_larger.then(one.own.value.total_cmp(&other.own.value));
        asks(&one.place).cmp(&asks(&other.place)).then(is_larger)
    })
    .map(|hotspot| hotspot.place.clone())
}

/// Where the user's own code waits meanwhile: as long as most of what the wait of another thread holds up.
pub(super) fn held_up(inputs: &Inputs<'_>, critical: f64) -> Option<model::profile::Place> {
    let waits = inputs.study.profile.waits.iter().filter(|site| site.critical_s >= critical / 2.0);
    let own = |site: &&WaitSite| site.place.as_ref().is_some_and(|place| place.owner == Owner::Project);
    let longest = waits.filter(own).max_by(|one, other| one.critical_s.total_cmp(&other.critical_s));
    longest.and_then(|site| site.place.clone())
}

/// Threads that wait for answers side by side, from one place, wait longer together than the run takes.
pub(super) fn note_overlap(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64) {
    let longest = awaited(&inputs.study.profile.waits);
    let overlap = (longest / wall).max(subject.value("peer.overlap").unwrap_or(0.0));
    // Where many more queue inside the same function, few are let through at a time: one after the other, as far as they can.
    let (asks, queues) = queued(subject, inputs);
    if queues >= QUEUE * asks && asks > 0.0 {
        subject.number("peer.overlap", overlap.min(1.0), "x", WAITS);
        subject.number("peer.queue", queues / asks, "x", WAITS);
        subject.word("way", "queue".to_owned());
    } else if overlap > 0.0 {
        subject.number("peer.overlap", overlap, "x", WAITS);
    }
}

/// Seconds that threads wait together for answers of all peers, at the function where they do so longest.
fn awaited(waits: &[WaitSite]) -> f64 {
    let asks = |site: &&WaitSite| {
        let listens = site.call.as_deref().is_some_and(|call| call.starts_with("accept"));
        !listens && !site.idle && site.leaf == "blocked/network" && site.count > 1
    };
    // Each peer's waits are a site of their own.
    let mut places: BTreeMap<(&str, Option<&str>), f64> = BTreeMap::new();
    for site in waits.iter().filter(asks) {
        if let Some(place) = site.place.as_ref().filter(|place| place.owner == Owner::Project) {
            *places.entry((place.function.as_str(), place.file.as_deref())).or_default() += site.seconds;
        }
    }
    places.into_values().fold(0.0, f64::max)
}

/// So many times as long as for answers, threads wait to be allowed to ask.
const QUEUE: f64 = 2.0;

/// Seconds that threads wait for answers inside the function that asks, and that they wait there until another of them is done.
fn queued(subject: &Subject, inputs: &Inputs<'_>) -> (f64, f64) {
    let recording = inputs.recording;
    let Some(place) = subject.place.as_ref().filter(|place| place.owner == Owner::Project) else {
        return (0.0, 0.0);
    };
    let is_here = |stack: u32| {
        let function = Some(place.function.as_str());
        let mut frames = recording.frames_of(stack);
        frames.any(|frame| frame.function.as_deref() == function && frame.file == place.file)
    };
    let below: Vec<(&Wait, bool)> = recording
        .waits
        .iter()
        .filter(|wait| wait.why == Why::Call && wait.stack.is_some_and(is_here))
        .map(|wait| {
            let call = wait.call.and_then(|call| recording.calls.get(call as usize));
            (wait, call.is_some_and(|call| call.name.starts_with("futex")))
        })
        .collect();
    let asking: BTreeSet<u32> =
        below.iter().filter(|(_, is_lock)| !is_lock).map(|(wait, _)| wait.thread).collect();
    let length = |wait: &Wait| wait.woken.unwrap_or(wait.to).as_secs_f64() - wait.from.as_secs_f64();
    let by_others = |wait: &Wait| wait.by.is_some_and(|by| by != wait.thread && asking.contains(&by));
    below.iter().fold((0.0, 0.0), |(asks, queues), (wait, is_lock)| match is_lock {
        false => (asks + length(wait), queues),
        true if by_others(wait) => (asks, queues + length(wait)),
        true => (asks, queues),
    })
}

/// Where fewer pages than this part of the waits came from a disk, the others were for who changes the same memory.
const FETCHED: f64 = 0.1;

/// Whether waits like these are for data from a disk.
pub(super) fn is_for_disk(inputs: &Inputs<'_>, site: &WaitSite, count: u64) -> bool {
    let fetched = |run: &Sample| run.major_faults.0 as f64 >= FETCHED * count as f64;
    match site.leaf.as_str() {
        "blocked/disk-read" => true,
        "blocked/fault" => inputs.recording.run.as_ref().is_none_or(fetched),
        _ => false,
    }
}

/// Whether the pages that were waited for came back from swap. The kernel brings neighbours along, so there may be more.
pub(super) fn note_swap(subject: &mut Subject, inputs: &Inputs<'_>) {
    let Some(run) = &inputs.recording.run else { return };
    let swapped = match (run.major_faults.0, run.covariates.swapped_in) {
        // It waited for others that change the same memory, not for pages.
        (0, _) => 0.0,
        (faults, Some(swapped)) => (swapped.0 as f64 / faults as f64).min(1.0),
        (_, None) => return,
    };
    subject.number("swap", swapped, "x", SAMPLES);
}

/// A thread that computes gives the interpreter up after some 5 ms, a little sooner where it waits by itself.
const TURN: std::ops::Range<f64> = 0.001..0.02;

/// Fewer turns than this delay nothing much.
const TURNS: u64 = 20;

/// Whoever computes for less than this part of the time that it waits for the interpreter is held up by others' turns.
const LITTLE: f64 = 0.3;

/// Notes a thread of Python that waits a whole turn of a computing thread whenever it comes back from a call.
pub(super) fn note_convoy(subject: &mut Subject, inputs: &Inputs<'_>, site: &WaitSite) {
    let mean = site.seconds / site.count.max(1) as f64;
    if !comes_back(site) || site.count < TURNS || !TURN.contains(&mean) {
        return;
    }
    let recording = inputs.recording;
    let here = recording.waits.iter().filter(|wait| is_at(recording, wait.stack, site));
    let tids: BTreeSet<u32> = here
        .filter_map(|wait| recording.threads.get(wait.thread as usize))
        .map(|thread| thread.tid)
        .collect();
    let threads = || inputs.study.profile.threads.iter();
    let computed: f64 = threads().filter(|thread| tids.contains(&thread.tid)).map(super::whole::on_cpu).sum();
    // Several that compute take turns: that is another trouble.
    let others = threads().filter(|thread| !tids.contains(&thread.tid) && thread.interpreter_lock.is_some());
    let busy = others.filter(|thread| super::whole::on_cpu(thread) >= LITTLE * site.seconds).count();
    if computed < LITTLE * site.seconds && busy <= 1 {
        subject.number("interpreter.turns", 1.0, "yes", WAITS);
        subject.number("interpreter-lock", 0.0, "yes", WAITS);
        subject.number("wait.condition", 0.0, "yes", WAITS);
        subject.word("way", "convoy");
    }
}

/// Other threads wait for whoever sleeps here, once for about each sleep: it plays a device or a server.
pub(super) fn answers_in_process(inputs: &Inputs<'_>, site: &WaitSite) -> bool {
    let recording = inputs.recording;
    let called = |wait: &Wait, name: &str| {
        let call = wait.call.and_then(|call| recording.calls.get(call as usize));
        call.is_some_and(|call| call.name.contains(name))
    };
    let sleeps =
        recording.waits.iter().filter(|wait| called(wait, "nanosleep") && is_at(recording, wait.stack, site));
    let sleepers: BTreeSet<u32> = sleeps.map(|wait| wait.thread).collect();
    // Only who decides how long the run takes is somebody to answer to.
    let is_first = |thread: u32| {
        let thread = recording.threads.get(thread as usize);
        let process = thread.and_then(|thread| recording.processes.get(thread.process as usize));
        thread.zip(process).is_some_and(|(thread, process)| thread.tid == process.pid)
    };
    if sleepers.iter().any(|sleeper| is_first(*sleeper)) {
        return false;
    }
    let woken = |wait: &&Wait| {
        let by = wait.by.is_some_and(|by| sleepers.contains(&by));
        by && called(wait, "futex") && is_first(wait.thread)
    };
    let answered = recording.waits.iter().filter(woken).count() as u64;
    answered >= 5 && answered * 2 >= site.count
}

/// Two threads that tell each other something by turns exchange messages as processes do: the other waits about as often. What
/// runtimes tell themselves, and turns that they have threads take, are no messages of the program's.
pub(super) fn is_exchange(waits: &[WaitSite], site: &WaitSite) -> bool {
    let is_runtimes = |one: &WaitSite| is_runtimes_own(one) || wants_interpreter(one);
    let is_told = |other: &WaitSite| is_condition(other) || other.leaf == "blocked/poll";
    let mut others = waits.iter().filter(|_| !is_runtimes(site));
    others.any(|other| {
        other.stack != site.stack
            && is_told(other)
            && !is_runtimes(other)
            && !is_contention(other)
            && other.count >= site.count / 2
            && other.count / 2 <= site.count
    })
}

/// Where about every write waits for the disk, the file was opened so that it does (`O_SYNC`, `O_DSYNC`): each write is
/// a flush. Writes to other files wait rarely, and then long.
pub(super) fn note_synchronous(subject: &mut Subject, main: &WaitSite, waits: u64, writes: u64) {
    const MANY: u64 = 8;
    let in_write = main.call.as_deref().is_some_and(|call| call.contains("write"));
    if in_write && main.leaf == "blocked/disk-write" && writes >= MANY && waits >= writes / 2 {
        subject.number("flushing", 1.0, "1", WAITS);
        subject.number("io.syncs", writes as f64, "count", WAITS);
        subject.number("io.records", 1.0, "x", WAITS);
        subject.word("way", "synchronous".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use model::profile::Place;
    use model::recording::Language;

    use super::*;

    #[test]
    fn answers_of_different_peers_are_awaited_together() {
        let site = |function: &str, what: &str, call: &str| WaitSite {
            leaf: "blocked/network".to_owned(),
            what: Some(what.to_owned()),
            call: Some(call.to_owned()),
            place: Some(Place {
                function: function.to_owned(),
                file: Some("a.java".to_owned()),
                line: Some(3),
                module: None,
                language: Language::Java,
                owner: Owner::Project,
            }),
            stack: Vec::new(),
            seconds: 0.5,
            count: 4,
            longest_s: 0.25,
            critical_s: 0.1,
            queued_s: None,
            threads: 1,
            idle: false,
        };
        let (one, other) = (site("ask", "10.0.0.1:80", "read"), site("ask", "10.0.0.2:80", "read"));
        assert_eq!(awaited(&[one.clone(), other, site("greet", "10.0.0.1:80", "read")]), 1.0);
        assert_eq!(awaited(&[one, site("ask", "10.0.0.1:80", "accept")]), 0.5);
    }
}
