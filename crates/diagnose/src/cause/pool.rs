//! What pools cost: those of processes in packing and unpacking (Python's send each task with all that it needs, as bytes), those
//! of few threads in waiting by turns.

use std::collections::BTreeSet;

use model::profile::WaitSite;
use model::recording::{Frame, Language, Recording};

use super::Kind;
use super::facts::{Inputs, RECORDER, exact};
use super::known::{is_handing_over, is_pool};
use super::subject::Subject;
use super::whole::{hits_below, share_below};

/// The place whose tasks are packed and unpacked. `None` where that costs nothing that shows.
pub(super) fn subject(inputs: &Inputs<'_>) -> Option<Subject> {
    let share = share_below(inputs.recording, is_handing_over);
    let moving = share_moving(inputs.recording);
    // Where little is sent at a time, handing it over costs, not what is sent.
    if moving < MOVING * share || share <= 0.0 {
        return None;
    }
    let wall = share * (inputs.study.share_in("on-cpu") + inputs.study.share_in("runnable"));
    let place = super::threads::user_of(inputs.recording, is_pool)?;
    let mut subject = Subject::new(Kind::Computing, Some(place), exact(wall.min(1.0)));
    subject.number("wall", wall.min(1.0), "1", RECORDER);
    subject.number("pool.packing", share, "1", RECORDER);
    subject.word("way", "pool");
    Some(subject)
}

/// Of the time in which tasks are handed over, that in which what they are given is packed, copied and unpacked.
const MOVING: f64 = 0.3;

/// Share of CPU time in which what is handed over is made into bytes, copied, and made into objects again.
fn share_moving(recording: &Recording) -> f64 {
    let copies = |name: &str| ["memcpy", "memmove", "copy_"].iter().any(|part| name.contains(part));
    let moves = |frame: &Frame| {
        let module = frame.module.and_then(|module| recording.modules.get(module as usize));
        let name = frame.function.as_deref().unwrap_or_default();
        module.is_some_and(|module| module.path.contains("/_pickle."))
            || frame.language != Language::Python && copies(name)
            || name.ends_with("ForkingPickler.dumps")
    };
    let all: u64 = recording.hits.iter().map(|hit| hit.weight).sum();
    let is_moved = |stack: u32| {
        let mut inner =
            recording.frames_of(stack).take_while(|frame| !is_handing_over(frame) || moves(frame));
        inner.any(moves)
    };
    let handed = hits_below(recording, is_handing_over);
    let moved: u64 = handed.filter(|hit| hit.stack.is_some_and(is_moved)).map(|hit| hit.weight).sum();
    moved as f64 / all.max(1) as f64
}

/// So many times at least each thread of a pool asks, one after the other: fewer may be what is left over.
const ROUNDS: f64 = 3.0;

/// Of the run, in which each thread of the pool waits: nearly all of it, so that none is ever without work.
const FULL: f64 = 0.8;

/// Pools that are made for computing have a thread for each CPU; libuv's has so many.
const FEWEST: u32 = 4;

/// Notes a pool made for computing all of whose threads wait for peers all the time, while more stands in line: as many are
/// asked at once as the pool happens to have threads.
pub(super) fn note_full(subject: &mut Subject, inputs: &Inputs<'_>, site: &WaitSite, wall: f64) {
    let computing = inputs.manifest.fingerprint.machine.cpus_present.unwrap_or(1).max(FEWEST);
    let (Some(count), Some(mean)) = (subject.value("count"), subject.value("mean")) else { return };
    let is_own = |name: &str| inputs.recording.threads.iter().any(|thread| thread.name.starts_with(name));
    let Some(pool) = sized_by_default(site, is_own) else { return };
    let Some(rounds) = rounds(site, count, mean * count / wall, computing) else { return };
    if members(inputs, pool) > site.threads {
        return;
    }
    subject.number("pool.rounds", rounds, "x", RECORDER);
    // As far as they can, they ask one after the other.
    if let Some(overlap) = subject.value("peer.overlap") {
        subject.number("peer.overlap", overlap.min(1.0), "x", RECORDER);
    }
    subject.word("way", "pool");
    subject.word("threads", site.threads.to_string());
}

/// How often each thread asks. `None` where the threads are fewer or more than such a pool has, or have time left.
fn rounds(site: &WaitSite, count: f64, waiting: f64, computing: u32) -> Option<f64> {
    let threads = f64::from(site.threads);
    let is_full = waiting >= FULL * threads && (2..=computing).contains(&site.threads);
    (is_full && count >= ROUNDS * threads && site.leaf == "blocked/network").then(|| count / threads)
}

/// Functions and libraries of pools whose number of threads nobody chose for waiting.
const POOLS: &[&str] =
    &["uv__queue_work", "uv__work", "libuv.so", "rayon_core::", "gomp_thread_start", "libgomp.so"];

/// The pool that calls whoever waits. Java's pool that all share is known by the names of its threads; others like it have as
/// many threads as somebody wanted.
fn sized_by_default(site: &WaitSite, has_thread: impl Fn(&str) -> bool) -> Option<&'static str> {
    const SHARED: (&str, &str) = ("ForkJoinWorkerThread", "ForkJoinPool.co");
    let own = site.place.as_ref()?;
    let outer = || site.stack.iter().take_while(|place| place.function != own.function);
    let calls = |name: &&&str| outer().any(|place| place.function.contains(**name));
    POOLS
        .iter()
        .find(calls)
        .copied()
        .or_else(|| Some(SHARED.0).filter(|name| calls(&name) && has_thread(SHARED.1)))
}

/// Threads of the pool that were seen at anything.
fn members(inputs: &Inputs<'_>, pool: &str) -> u32 {
    let recording = inputs.recording;
    let in_pool: Vec<bool> = {
        let names = |frame: &Frame| frame.function.as_deref().is_some_and(|name| name.contains(pool));
        let module = |frame: &Frame| {
            let module = frame.module.and_then(|module| recording.modules.get(module as usize));
            module.is_some_and(|module| module.path.contains(pool))
        };
        recording.frames.iter().map(|frame| names(frame) || module(frame)).collect()
    };
    let is_in =
        |stack: &u32| recording.path_of(*stack).any(|node| in_pool.get(node.frame as usize) == Some(&true));
    let first = |thread: u32| {
        let thread = recording.threads.get(thread as usize);
        let process = thread.and_then(|thread| recording.processes.get(thread.process as usize));
        thread.zip(process).is_some_and(|(thread, process)| thread.tid == process.pid)
    };
    let stacks: BTreeSet<(u32, u32)> =
        recording.waits.iter().filter_map(|wait| Some((wait.thread, wait.stack?))).collect();
    // Whoever started the pool may stand in its library, too.
    let members: BTreeSet<u32> = stacks
        .iter()
        .filter(|(thread, stack)| !first(*thread) && is_in(stack))
        .map(|(thread, _)| *thread)
        .collect();
    u32::try_from(members.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use model::profile::Place;
    use model::recording::{Language, Owner};

    use super::*;

    fn site(pool: &str, threads: u32) -> WaitSite {
        let place = |function: &str, owner: Owner| Place {
            function: function.to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::C,
            owner,
        };
        let own = place("describe", Owner::Project);
        WaitSite {
            leaf: "blocked/network".to_owned(),
            what: None,
            call: Some("read".to_owned()),
            place: Some(own.clone()),
            stack: vec![place(pool, Owner::Library), own, place("read", Owner::Library)],
            seconds: 7.2,
            count: 80,
            longest_s: 0.1,
            critical_s: 1.8,
            queued_s: None,
            threads,
            idle: false,
        }
    }

    #[test]
    fn pools_that_nobody_sized_for_waiting_are_known() {
        let known = |pool: &str| sized_by_default(&site(pool, 4), |name| name == "ForkJoinPool.co");
        assert_eq!(known("libuv.so.1.0.0 (no symbols)"), Some("libuv.so"));
        assert_eq!(known("rayon_core::registry::ThreadBuilder::run"), Some("rayon_core::"));
        assert_eq!(known("java.util.concurrent.ForkJoinWorkerThread.run"), Some("ForkJoinWorkerThread"));
        assert_eq!(
            known("java.util.concurrent.ThreadPoolExecutor$Worker.run"),
            None,
            "somebody chose its size"
        );
        let own = site("java.util.concurrent.ForkJoinWorkerThread.run", 4);
        assert_eq!(sized_by_default(&own, |_| false), None, "a pool of one's own");
    }

    #[test]
    fn a_pool_is_full_when_all_its_threads_wait_all_the_time() {
        let full = site("libuv.so", 4);
        assert_eq!(rounds(&full, 80.0, 3.9, 4), Some(20.0));
        assert_eq!(rounds(&full, 80.0, 2.0, 4), None, "half of the time they have nothing to do");
        assert_eq!(rounds(&full, 8.0, 3.9, 4), None, "two each are soon over");
        assert_eq!(rounds(&site("libuv.so", 64), 300.0, 60.0, 4), None, "somebody asked for more threads");
        assert_eq!(rounds(&site("libuv.so", 1), 80.0, 1.0, 4), None, "one asks after the other anyway");
    }
}
