//! Who holds a lock, and what it does meanwhile: whether it waits for a peer, or for work.

use std::collections::{BTreeMap, BTreeSet};

use model::profile::WaitSite;
use model::recording::{Frame, Language, Recording, Wait, Why};

use super::calls::is_sync;
use super::facts::{Inputs, kernel_metric};
use super::known::{contends, is_condition, is_contention, leaf_of, names_join, names_permit};
use super::subject::Subject;
use super::waiting::is_at;
use crate::profile::places::call_of;

const WAITS: (&str, &str) = (model::recording::RECORDING, "recorder");

/// Nanoseconds, from and to.
pub(super) type Span = (u64, u64);

/// Notes whether the lock is the kernel's, of the memory that a process has: no source takes it. And whether it is a queue's.
pub(super) fn note_kind(subject: &mut Subject, waits: &[WaitSite], site: &WaitSite) {
    let mapping = site.call.as_deref().is_some_and(|call| kernel_metric(call) == "kernel.memory");
    subject.number("wait.mapping", f64::from(u8::from(mapping)), "yes", WAITS);
    if is_for_work(waits, site) {
        subject.number("wait.idle", 1.0, "yes", WAITS);
    }
}

/// Notes the share of a wait for a peer in which other threads wait for a lock that whoever waits here holds.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, site: &WaitSite) {
    if !matches!(leaf_of(site), "blocked/network" | "blocked/poll") || site.place.is_none() {
        return;
    }
    let recording = inputs.recording;
    let mut here: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    for wait in &recording.waits {
        if wait.why != Why::Preempted && !is_lock(recording, wait) && is_at(recording, wait.stack, site) {
            here.entry(wait.thread).or_default().push(span(wait));
        }
    }
    let all: u64 = here.values().flatten().map(|(from, to)| to.saturating_sub(*from)).sum();
    if all > 0 {
        let held = held(recording, &here);
        subject.number("wait.holding", (held as f64 / all as f64).min(1.0), "1", WAITS);
    }
}

/// Nanoseconds of these waits of threads in which others wait for a lock of theirs.
fn held(recording: &Recording, here: &BTreeMap<u32, Vec<Span>>) -> u64 {
    let mut contended: BTreeMap<u32, bool> = BTreeMap::new();
    let mut held = 0;
    for wait in recording.waits.iter().filter(|wait| is_lock(recording, wait)) {
        let Some(holder) = wait.holder.or(wait.by).filter(|holder| *holder != wait.thread) else { continue };
        let Some(spans) = here.get(&holder) else { continue };
        let (from, to) = span(wait);
        let first = spans.partition_point(|span| span.1 <= from);
        let overlapping = spans.iter().skip(first).take_while(|span| span.0 < to);
        if wait.holder.is_some() {
            // Who waits for a thread to end waits for no lock of it.
            let mut frames = wait.stack.into_iter().flat_map(|stack| recording.frames_of(stack));
            if !frames.any(|frame| frame.function.as_deref().is_some_and(names_join)) {
                held += overlapping.map(|span| overlap(*span, (from, to))).sum::<u64>();
            }
            continue;
        }
        // Locks of Rust and others do not say who holds them: whoever lets one go had it, and has just got its answer.
        // Who is told something was woken by the same means.
        let queues = wait
            .stack
            .is_some_and(|stack| *contended.entry(stack).or_insert_with(|| is_contended(recording, stack)));
        let last = overlapping.last().filter(|_| queues);
        let just = last.filter(|span| to.saturating_sub(span.1) <= span.1.saturating_sub(span.0));
        held += just.map_or(0, |span| overlap(*span, (from, to)));
    }
    held
}

/// Threads that queue for a lock are let in one after the other: so many of them are gone back through.
const DEEPEST: u32 = 32;

/// Waits that are gone through for one place, so that storms take no longer than others: about a tenth of a second.
const STEPS: usize = 4_000_000;

/// What those do meanwhile whom others wait for.
pub(super) struct Meanwhile<'r> {
    recording: &'r Recording,
    /// Of the JVM's locks only the last holder is known, which mostly had queued itself: while it did, whoever let it in counts.
    /// What else it waits for on a word, a set time or news, it waits for itself.
    java: bool,
    /// Stacks that wait for a lock.
    contended: BTreeMap<u32, bool>,
    steps: usize,
}

impl<'r> Meanwhile<'r> {
    pub(super) fn of(recording: &'r Recording, java: bool) -> Self {
        Self { recording, java, contended: BTreeMap::new(), steps: STEPS }
    }

    /// Nanoseconds between two moments in which a thread, or whom it queued for, was blocked, and in which others had its CPU.
    pub(super) fn absent(&mut self, thread: u32, from: u64, to: u64) -> (f64, f64) {
        let (sum, queued) = self.absent_at(thread, from, to, 0);
        (sum as f64, queued as f64)
    }

    fn absent_at(&mut self, thread: u32, from: u64, to: u64, depth: u32) -> (u64, u64) {
        let recording = self.recording;
        // Ordered by their end, so the first that can overlap is found quickly.
        let first = recording.waits.partition_point(|wait| wait.to.as_nanos() <= from);
        let (mut sum, mut queued) = (0, 0);
        for wait in recording.waits.iter().skip(first).take(4096.min(self.steps)) {
            self.steps = self.steps.saturating_sub(1);
            if wait.thread == thread && wait.why == Why::Preempted {
                queued += overlap((wait.from.as_nanos(), wait.to.as_nanos()), (from, to));
            } else if wait.thread == thread && self.java && self.may_queue(wait) {
                let (low, high) = span(wait);
                let before = wait.by.filter(|by| *by != thread && depth < DEEPEST && low < to && high > from);
                let more = before.map(|by| self.absent_at(by, low.max(from), high.min(to), depth + 1));
                sum += more.map_or(0, |(absent, _)| absent);
                queued += more.map_or(0, |(_, queued)| queued);
            } else if wait.thread == thread {
                sum += overlap(span(wait), (from, to));
            }
            if wait.from.as_nanos() > to {
                break;
            }
        }
        (sum, queued)
    }

    /// It waits for a lock, as far as anybody knows: one that nobody looked at may.
    fn may_queue(&mut self, wait: &Wait) -> bool {
        let recording = self.recording;
        let mut contends =
            |stack: u32| *self.contended.entry(stack).or_insert_with(|| is_contended(recording, stack));
        is_lock(recording, wait) && wait.stack.is_none_or(&mut contends)
    }
}

/// What holders of a lock do on a CPU while others wait for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moving {
    /// Part of that time in calls that move data to and from files and peers: the kernel is at work on them, as it is when they
    /// are waited for.
    pub(super) part: f64,
    /// Most of these calls flush to a disk.
    pub(super) flushes: bool,
}

/// Thread, and from and to in nanoseconds.
pub(super) type Held = (u32, u64, u64);

impl Moving {
    pub(super) fn of(recording: &Recording, held: &[Held]) -> Self {
        let calls = |wanted: &dyn Fn(&str) -> bool| {
            let is_call = |frame: &Frame| call_of(frame, &recording.modules).is_some_and(wanted);
            super::whole::below(recording, is_call)
        };
        let moves = |call: &str| {
            matches!(
                kernel_metric(call),
                "kernel.transfer" | "kernel.files" | "kernel.network" | "kernel.flush"
            )
        };
        let (moves, syncs) = (calls(&moves), calls(&is_sync));
        let mut spans: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
        for (thread, from, to) in held {
            spans.entry(*thread).or_default().push((*from, *to));
        }
        for spans in spans.values_mut() {
            joined(spans);
        }
        let is_within = |thread: u32, at: u64| {
            let spans = spans.get(&thread).map_or(&[][..], Vec::as_slice);
            let next = spans.partition_point(|(from, _)| *from <= at);
            let last = next.checked_sub(1).and_then(|last| spans.get(last));
            last.is_some_and(|(_, to)| at < *to)
        };
        let (mut all, mut moving, mut flushing) = (0_u64, 0_u64, 0_u64);
        for hit in recording.hits.iter().filter(|hit| is_within(hit.thread, hit.at.as_nanos())) {
            let is = |known: &[bool]| hit.stack.is_some_and(|stack| known.get(stack as usize) == Some(&true));
            all = all.saturating_add(hit.weight);
            moving = moving.saturating_add(if is(&moves) { hit.weight } else { 0 });
            flushing = flushing.saturating_add(if is(&syncs) { hit.weight } else { 0 });
        }
        let part = moving as f64 / all.max(1) as f64;
        Self { part, flushes: flushing > 0 && flushing >= moving / 2 }
    }
}

/// In their order, those that overlap as one.
pub(super) fn joined(spans: &mut Vec<Span>) {
    spans.sort_unstable();
    spans.dedup_by(|next, one| {
        let overlap = next.0 <= one.1;
        one.1 = if overlap { one.1.max(next.1) } else { one.1 };
        overlap
    });
}

/// The threads that queue for a lock of the JVM wait on a word of their own each, and each word is a site: all of them together,
/// which wait for so many seconds. Other sites are as they are.
pub(super) fn queue(recording: &Recording, site: &WaitSite, seconds: f64) -> WaitSite {
    let java = site.stack.iter().any(|place| place.language == Language::Java);
    if !java || !is_contention(site) {
        return site.clone();
    }
    let mut contended: BTreeMap<u32, bool> = BTreeMap::new();
    let here = recording.waits.iter().filter(|wait| {
        let queues = |stack: u32| is_contended(recording, stack) && is_at(recording, Some(stack), site);
        wait.stack.is_some_and(|stack| *contended.entry(stack).or_insert_with(|| queues(stack)))
    });
    let threads: BTreeSet<u32> = here.map(|wait| wait.thread).collect();
    let threads = u32::try_from(threads.len()).unwrap_or(u32::MAX).max(site.threads);
    WaitSite { threads, seconds, ..site.clone() }
}

/// Whether permits are given by threads that never take one, as news that something has happened: then nobody holds them.
pub(super) fn is_signal(recording: &Recording, site: &WaitSite) -> bool {
    if !site.stack.iter().any(|place| names_permit(&place.function)) {
        return false;
    }
    let here = recording.waits.iter().filter(|wait| is_at(recording, wait.stack, site));
    let givers: BTreeSet<u32> = here.filter_map(|wait| wait.by.filter(|by| *by != wait.thread)).collect();
    let waited = recording.waits.iter().map(|wait| (wait.thread, wait.stack));
    let stacks = waited.chain(recording.hits.iter().map(|hit| (hit.thread, hit.stack)));
    let of_givers: BTreeSet<u32> =
        stacks.filter(|(thread, _)| givers.contains(thread)).filter_map(|(_, stack)| stack).collect();
    // Who holds a permit is below the function that takes one, which mostly is the one that waits here, too.
    let takes = |stack: &u32| {
        let mut functions = recording.frames_of(*stack).filter_map(|frame| frame.function.as_deref());
        is_at(recording, Some(*stack), site) || functions.any(names_permit)
    };
    !givers.is_empty() && !of_givers.iter().any(takes)
}

/// Of the time that the lock is held, in which the holder waits to be told something: most of it.
const TOLD: f64 = 0.5;

/// Of such waits, the largest part on the critical path: the program goes on meanwhile.
const CRITICAL: f64 = 0.1;

/// Whether threads queue for the turn to be handed work: one of them waits for it with the lock of the queue in its hands.
fn is_for_work(waits: &[WaitSite], site: &WaitSite) -> bool {
    let Some(place) = site.place.as_ref().filter(|_| site.threads > 1 && is_contention(site)) else {
        return false;
    };
    let is_here = |other: &&WaitSite| {
        let same = other.place.as_ref().is_some_and(|own| own.function == place.function);
        same && other.leaf == "blocked/lock" && is_condition(other) && !is_contention(other)
    };
    let (told, critical) = waits
        .iter()
        .filter(is_here)
        .fold((0.0, 0.0), |sums, other| (sums.0 + other.seconds, sums.1 + other.critical_s));
    // With one in the section, all others wait.
    let held = site.seconds / f64::from(site.threads - 1);
    told >= TOLD * held && critical <= CRITICAL * told
}

/// From the end of a thread to the moment that whoever joins it knows, at most.
const JOINED: u64 = 3_000_000;

/// Another thread of the same process ended when the wait did, and nobody else is known to have ended it.
pub(super) fn ends_with_a_thread(recording: &Recording, wait: &Wait, at: u64) -> bool {
    let process = recording.threads.get(wait.thread as usize).map(|thread| thread.process);
    recording.threads.iter().zip(0..).any(|(other, number)| {
        Some(other.process) == process
            && wait.by.is_none_or(|by| by == number)
            && other.to.is_some_and(|to| to.as_nanos().abs_diff(at) <= JOINED)
    })
}

fn is_contended(recording: &Recording, stack: u32) -> bool {
    let mut functions: Vec<&str> =
        recording.frames_of(stack).filter_map(|frame| frame.function.as_deref()).collect();
    functions.reverse();
    contends(functions.into_iter())
}

fn is_lock(recording: &Recording, wait: &Wait) -> bool {
    let call = wait.call.and_then(|call| recording.calls.get(call as usize));
    call.is_some_and(|call| call.name.starts_with("futex"))
}

pub(super) fn span(wait: &Wait) -> Span {
    (wait.from.as_nanos(), wait.woken.unwrap_or(wait.to).as_nanos())
}

pub(super) fn overlap(one: Span, other: Span) -> u64 {
    one.1.min(other.1).saturating_sub(one.0.max(other.0))
}

#[cfg(test)]
mod tests {
    use model::doctor::Level;
    use model::profile::Place;
    use model::recording::Owner;

    use super::*;
    use crate::profile::tests::made::Made;

    /// Thread 1 waits for a peer from 10 to 50 ms and wakes thread 0, which stands below this function, at a moment.
    fn held_by(function: &str, woken: u64) -> u64 {
        let mut made = Made::new(Level::C, 200);
        let asks = made.thread(0, 101, "reader", 0, 200);
        made.blocked(asks, 10, 50, "recvfrom", None);
        let stack = made.stack(&["p:reader", function]);
        made.woken(0, 5, woken, "futex", None, asks);
        for wait in made.0.waits.iter_mut().filter(|wait| wait.thread == 0) {
            wait.stack = Some(stack);
        }
        held(&made.0, &BTreeMap::from([(asks, vec![(10_000_000, 50_000_000)])])) / 1_000_000
    }

    #[test]
    fn whoever_lets_a_lock_go_after_its_answer_had_it_meanwhile() {
        assert_eq!(held_by("<std::sys::sync::mutex::futex::Mutex>::lock_contended", 51), 40);
        assert_eq!(held_by("std::sync::mpsc::Receiver<T>::recv", 51), 0, "it is told of an answer");
        assert_eq!(
            held_by("std::sys::sync::mutex::futex::Mutex>::lock_contended", 150),
            0,
            "it held it for more"
        );
    }

    /// A wait of `worker` below this function of the library.
    fn site(function: &str, seconds: f64, critical: f64, threads: u32) -> WaitSite {
        let place = |function: &str, owner: Owner| Place {
            function: function.to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::Rust,
            owner,
        };
        let worker = place("worker", Owner::Project);
        WaitSite {
            leaf: "blocked/lock".to_owned(),
            what: None,
            call: Some("futex".to_owned()),
            place: Some(worker.clone()),
            stack: vec![worker, place(function, Owner::Library)],
            seconds,
            count: 300,
            longest_s: 0.01,
            critical_s: critical,
            queued_s: None,
            threads,
            idle: false,
        }
    }

    #[test]
    fn who_queues_for_the_turn_to_be_handed_work_holds_nobody_up() {
        let lock = site("Mutex>::lock_contended", 5.0, 0.0, 6);
        let turn = site("std::thread::park", 0.9, 0.0, 1);
        assert!(is_for_work(std::slice::from_ref(&turn), &lock));
        assert!(!is_for_work(&[], &lock), "the holder waits for something else");
        assert!(
            !is_for_work(&[site("std::thread::park", 0.2, 0.0, 1)], &lock),
            "it does so for a while only"
        );
        assert!(
            !is_for_work(&[site("std::thread::park", 0.9, 0.8, 1)], &lock),
            "the run waits for its answers"
        );
        assert!(!is_for_work(std::slice::from_ref(&turn), &turn), "that is no lock");
    }

    #[test]
    fn a_holder_that_is_known_holds_it_all_the_time() {
        let mut made = Made::new(Level::C, 200);
        let asks = made.thread(0, 101, "reader", 0, 200);
        made.blocked(0, 20, 150, "futex", None).holder = Some(asks);
        assert_eq!(held(&made.0, &BTreeMap::from([(asks, vec![(10_000_000, 50_000_000)])])), 30_000_000);
    }

    /// Of 100 ms that somebody waits for thread 1, it is below these functions for 90 until thread 2 lets it go on, which sleeps.
    fn absent_below(functions: &[&str], java: bool) -> u64 {
        let mut made = Made::new(Level::C, 200);
        let holder = made.thread(0, 101, "holder", 0, 200);
        let before = made.thread(0, 102, "before", 0, 200);
        let sleep = made.stack(&["p:Gate.pass", "java.lang.Thread.sleep"]);
        made.blocked(before, 20, 60, "futex", None).stack = Some(sleep);
        let stack = made.stack(functions);
        let wait = made.blocked(holder, 10, 100, "futex", None);
        (wait.stack, wait.by) = (Some(stack), Some(before));
        let (absent, queued) = Meanwhile::of(&made.0, java).absent(holder, 10_000_000, 110_000_000);
        assert_eq!(queued, 0.0);
        (absent / 1e6) as u64
    }

    #[test]
    fn a_holder_that_sleeps_waits_itself_and_of_one_that_queued_the_one_before_counts() {
        let sleeps = ["p:Gate.pass", "java.lang.Thread.sleep", "JavaThread::sleep(long)"];
        assert_eq!(absent_below(&sleeps, true), 90);
        let waits = ["p:Gate.pass", "java.lang.Object.wait", "ObjectMonitor::wait(long, bool, JavaThread*)"];
        assert_eq!(absent_below(&waits, true), 90);
        let queues = ["p:Gate.pass", "ObjectMonitor::enter(JavaThread*)", "___pthread_cond_wait"];
        assert_eq!(absent_below(&queues, true), 40, "another one had it then, which slept for a while");
        assert_eq!(absent_below(&queues, false), 90, "it is known to hold it");
    }

    /// Thread 0 takes a permit in `desk`, which thread 1 gives that was seen below these functions.
    fn given_by(functions: &[&str]) -> bool {
        let acquire = "java.util.concurrent.Semaphore.acquire";
        let mut made = Made::new(Level::C, 200);
        let giver = made.thread(0, 101, "giver", 0, 200);
        let stack = made.stack(functions);
        made.blocked(giver, 10, 100, "futex", None).stack = Some(stack);
        let stack = made.stack(&["p:desk", acquire, "Unsafe_Park"]);
        let wait = made.blocked(0, 10, 110, "futex", None);
        (wait.stack, wait.by) = (Some(stack), Some(giver));
        let mut desk = site(acquire, 0.1, 0.1, 1);
        if let Some(place) = desk.place.as_mut() {
            place.function = "desk".to_owned();
        }
        is_signal(&made.0, &desk)
    }

    #[test]
    fn permits_of_threads_that_never_take_one_are_signs() {
        assert!(given_by(&["Tailer.run", "java.lang.Thread.sleep"]));
        assert!(!given_by(&["p:desk", "java.lang.Thread.sleep"]), "it holds one meanwhile");
        assert!(!given_by(&["p:other", "java.util.concurrent.Semaphore.acquire"]), "it takes them by turns");
    }

    #[test]
    fn threads_of_a_jvm_queue_on_words_of_their_own() {
        let mut made = Made::new(Level::C, 200);
        let stack = made.stack(&["p:worker", "ObjectMonitor::enter(JavaThread*)"]);
        for at in 0..3 {
            let thread = if at == 0 { 0 } else { made.thread(0, 100 + at, "worker", 0, 200) };
            made.blocked(thread, 10, 100, "futex", None).stack = Some(stack);
        }
        let mut lock = site("ObjectMonitor::enter(JavaThread*)", 0.09, 0.09, 1);
        assert_eq!(queue(&made.0, &lock, 0.27), lock, "a program that is none of Java's");
        for place in &mut lock.stack {
            place.language = Language::Java;
        }
        let all = queue(&made.0, &lock, 0.27);
        assert_eq!((all.threads, all.seconds), (3, 0.27));
    }

    /// What thread 1 does below this function, while thread 0 waits from 10 to 50 ms for a lock of its.
    fn moving_below(function: &str) -> Moving {
        let mut made = Made::new(Level::C, 200);
        let holder = made.thread(0, 101, "writer", 0, 200);
        let held = made.stack(&["p:append", function]);
        made.hits(holder, 10, 50, held);
        // What it does without the lock is another matter.
        let outside = made.stack(&["p:append", "p:compute"]);
        made.hits(holder, 60, 100, outside);
        Moving::of(&made.0, &[(holder, 10_000_000, 30_000_000), (holder, 20_000_000, 50_000_000)])
    }

    #[test]
    fn a_holder_at_work_in_the_kernel_on_files_does_not_compute() {
        assert_eq!(moving_below("k:__x64_sys_fsync"), Moving { part: 1.0, flushes: true });
        assert_eq!(moving_below("k:__x64_sys_write"), Moving { part: 1.0, flushes: false });
        assert_eq!(moving_below("c:__GI___libc_write"), Moving { part: 1.0, flushes: false });
        assert_eq!(moving_below("k:__x64_sys_futex"), Moving::default(), "it lets the lock go");
        assert_eq!(moving_below("p:sum"), Moving::default());
    }
}
