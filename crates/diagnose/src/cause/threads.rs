//! Threads that are made again and again, each for a little work.

use std::collections::{BTreeMap, BTreeSet};

use model::Nanos;
use model::profile::Place;
use model::recording::{Frame, Language, Owner, Recording};

use super::Kind;
use super::facts::{Inputs, exact};
use super::known::{is_maker, is_ours};
use super::subject::Subject;

const ACCOUNT: (&str, &str) = (model::recording::RECORDING, "recorder");
const THREADS: (&str, &str) = (model::recording::RECORDING, "kernel, at its end");

/// A program may make a thread for each CPU, or some more; dozens are a loop.
const MANY: usize = 30;

/// A thread that lives for less than this share of the run was not made for the whole of it.
const SHORT: f64 = 0.1;

/// So many times as many as ever lived at once: they are made anew, not kept.
const ANEW: usize = 4;

/// What making them costs, where they are made. `None` where threads live as long as their work.
pub(super) fn subject(inputs: &Inputs<'_>) -> Option<Subject> {
    let recording = inputs.recording;
    let wall = inputs.study.profile.wall_s.unwrap_or(inputs.wall_s);
    let made = Made::of(recording, wall)?;
    let share = cost(inputs, &made.short)?;
    let mut subject = Subject::new(Kind::Computing, user_of(recording, is_maker), exact(share));
    subject.number("wall", share, "1", ACCOUNT);
    subject.number("children", made.short.len() as f64, "count", ACCOUNT);
    subject.word("children", format!("{} threads", made.short.len()));
    subject.number("children.mean", made.mean, "s", THREADS);
    subject.number("spawning", 1.0, "1", ACCOUNT);
    super::calls::note_answered(&mut subject, inputs.calls, made.short.len());
    subject.word("way", "threads");
    Some(subject)
}

struct Made {
    /// Positions of the threads that lived shortly.
    short: BTreeSet<u32>,
    /// Seconds that one lives.
    mean: f64,
}

impl Made {
    fn of(recording: &Recording, wall: f64) -> Option<Self> {
        let mut lives: Vec<(u32, u64, u64)> = Vec::new();
        for (at, thread) in (0..).zip(&recording.threads) {
            let first = recording.processes.get(thread.process as usize).map(|process| process.pid);
            let Some(to) = thread.to.filter(|_| first != Some(thread.tid)) else { continue };
            let life = to.minus(thread.from).unwrap_or(Nanos::ZERO);
            if life.as_secs_f64() < SHORT * wall {
                lives.push((at, thread.from.as_nanos(), to.as_nanos()));
            }
        }
        if lives.len() < MANY || lives.len() < ANEW * at_once(&lives) {
            return None;
        }
        let mean = lives.iter().map(|(_, from, to)| (to - from) as f64 / 1e9).sum::<f64>();
        Some(Self { mean: mean / lives.len() as f64, short: lives.into_iter().map(|(at, ..)| at).collect() })
    }
}

/// How many lived at the same time, at most.
fn at_once(lives: &[(u32, u64, u64)]) -> usize {
    let mut events: Vec<(u64, bool)> =
        lives.iter().flat_map(|(_, from, to)| [(*from, true), (*to, false)]).collect();
    // One ends before the next begins.
    events.sort_unstable();
    let (mut now, mut most) = (0_usize, 0);
    for (_, begins) in events {
        now = if begins { now + 1 } else { now.saturating_sub(1) };
        most = most.max(now);
    }
    most
}

/// Share of wall time that goes into making, beginning and ending them: all that they do outside the code that they were made for,
/// and what is spent on making them.
fn cost(inputs: &Inputs<'_>, short: &BTreeSet<u32>) -> Option<f64> {
    let making = making(inputs.recording, short)?;
    let part = |begin: &str| inputs.study.share_in(begin);
    let wanting = part("on-cpu") + part("runnable");
    let begins = part("starting") + part("ending");
    Some((making * wanting + begins).min(1.0))
}

/// The same of all time on a CPU. `None` where nothing was on one.
fn making(recording: &Recording, short: &BTreeSet<u32>) -> Option<f64> {
    let below = |wanted: &dyn Fn(&Frame) -> bool| super::whole::below(recording, wanted);
    let own = below(&|frame| frame.owner == Owner::Project);
    let works = below(&is_work);
    let python = below(&|frame| frame.language == Language::Python);
    let evaluates = below(&|frame| frame.owner == Owner::Runtime);
    let ours = below(&is_ours);
    let made = below(&is_maker);
    let has = |table: &[bool], stack: Option<u32>| {
        stack.and_then(|stack| table.get(stack as usize).copied()).unwrap_or(false)
    };
    let (mut making, mut all) = (0.0, 0.0);
    for hit in recording.hits.iter().filter(|hit| !has(&ours, hit.stack)) {
        let weight = hit.weight as f64;
        all += weight;
        // An interpreter at work of which nobody saw the function: that may be anybody's.
        let unseen =
            in_python(recording, hit.thread) && has(&evaluates, hit.stack) && !has(&python, hit.stack);
        let begins = !has(&own, hit.stack) && !has(&works, hit.stack) && !unseen;
        let outside = short.contains(&hit.thread) && begins;
        if outside || (has(&made, hit.stack) && has(&own, hit.stack)) {
            making += weight;
        }
    }
    (all > 0.0).then(|| making / all)
}

/// A function of Python that is run in a thread, other than the library's that begins it: what the thread was made for.
fn is_work(frame: &Frame) -> bool {
    frame.language == Language::Python && !super::team::is_starter(frame)
}

/// The thread belongs to a process of Python.
fn in_python(recording: &Recording, thread: u32) -> bool {
    let process = recording.threads.get(thread as usize).map(|thread| thread.process as usize);
    let process = process.and_then(|process| recording.processes.get(process));
    process
        .and_then(|process| process.runtime.as_deref())
        .is_some_and(|runtime| runtime.starts_with("python"))
}

/// Who calls such functions: the innermost place of the user's outside of them.
pub(super) fn user_of(recording: &Recording, wanted: impl Fn(&Frame) -> bool) -> Option<Place> {
    let made = super::whole::below(recording, &wanted);
    let mut weights: BTreeMap<u32, u64> = BTreeMap::new();
    let hits = recording.hits.iter().map(|hit| (hit.stack, hit.weight));
    let waits = recording.waits.iter().map(|wait| (wait.stack, 1));
    for (stack, weight) in hits.chain(waits).filter_map(|(stack, weight)| Some((stack?, weight))) {
        if !made.get(stack as usize).copied().unwrap_or(false) {
            continue;
        }
        let of = |frame: u32| recording.frames.get(frame as usize);
        let outwards = recording.path_of(stack).skip_while(|node| !of(node.frame).is_some_and(&wanted));
        let own = |frame: &u32| of(*frame).is_some_and(|frame| frame.owner == Owner::Project);
        if let Some(frame) = outwards.map(|node| node.frame).find(own) {
            *weights.entry(frame).or_default() += weight;
        }
    }
    let (frame, _) =
        weights.into_iter().max_by_key(|(frame, weight)| (*weight, std::cmp::Reverse(*frame)))?;
    let frame = recording.frames.get(frame as usize)?;
    super::team::place(recording, frame)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::doctor::Level;
    use model::recording::{Language, Owner};

    use super::{Made, making};
    use crate::profile::tests::made::Made as Hand;

    /// A run of a second with threads that live from and to these milliseconds.
    fn made(lives: impl Iterator<Item = (u64, u64)>) -> Option<(usize, f64)> {
        let mut hand = Hand::new(Level::C, 1000);
        for (tid, (from, to)) in (200..).zip(lives) {
            hand.thread(0, tid, "worker", from, to);
        }
        Made::of(&hand.0, 1.0).map(|made| (made.short.len(), made.mean))
    }

    #[test]
    fn threads_made_one_after_the_other_are_a_storm() {
        let (count, mean) = made((0..40).map(|at| (at * 10, at * 10 + 10))).unwrap();
        assert_eq!(count, 40);
        assert!((mean - 0.01).abs() < 1e-9, "{mean}");
    }

    #[test]
    fn a_pool_is_none_however_large_nor_are_a_few_threads() {
        assert_eq!(made((0..40).map(|_| (10, 60))), None, "all at once");
        assert_eq!(made((0..40).map(|at| (at, 1000))), None, "they stay");
        assert_eq!(made((0..20).map(|at| (at * 10, at * 10 + 10))), None, "no loop");
    }

    /// Of 100 ms in which a short thread of Python was below these functions, the part that making it takes.
    fn of_python(functions: &[&str], file: Option<&str>) -> f64 {
        let mut hand = Hand::new(Level::C, 1000);
        hand.0.processes[0].runtime = Some("python 3.11".to_owned());
        let short = hand.thread(0, 200, "worker", 0, 100);
        let stack = hand.stack(functions);
        hand.hits(short, 0, 100, stack);
        for frame in &mut hand.0.frames {
            match frame.function.as_deref() {
                Some("_PyEval_EvalFrameDefault") => frame.owner = Owner::Runtime,
                Some("run") => (frame.language, frame.file) = (Language::Python, file.map(str::to_owned)),
                _ => {}
            }
        }
        making(&hand.0, &BTreeSet::from([short])).unwrap()
    }

    #[test]
    fn what_a_thread_was_made_for_is_not_what_making_it_costs() {
        let evaluates = "_PyEval_EvalFrameDefault";
        assert_eq!(of_python(&["clone3", "start_thread"], None), 1.0);
        assert_eq!(of_python(&["clone3", "run"], Some("/lib/threading.py")), 1.0, "the library begins it");
        assert_eq!(of_python(&["clone3", "run"], Some("/lib/http/server.py")), 0.0, "that is its work");
        assert_eq!(of_python(&["clone3", evaluates], None), 0.0, "nobody saw whose function that is");
        assert_eq!(of_python(&["clone3", "p:render", evaluates], None), 0.0);
    }
}
