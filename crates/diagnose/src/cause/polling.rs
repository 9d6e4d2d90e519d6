//! What sleeping costs: no more than the part of it in which nobody does what it is slept for.

use std::collections::{BTreeMap, BTreeSet};

use model::profile::WaitSite;
use model::recording::{Owner, Recording, Wait, Why};
use model::source::Context;

use super::facts::Contexts;
use super::holding::{Span, joined, overlap, span};
use super::source::goes_through;
use super::waiting::is_at;

/// The part of the sleeps at a site in which no other thread of the tree is busy, or sleeps for a time that it needs: whoever was
/// told at once would have waited for them, too. All of it where nothing tells.
pub(super) fn in_vain(recording: &Recording, site: &WaitSite, contexts: &Contexts<'_>) -> f64 {
    // In a storm of switches only parts of the time are seen, and whoever is not seen to wait looks busy.
    if !recording.watched.is_empty() {
        return 1.0;
    }
    let here = recording.waits.iter().filter(|wait| wait.why == Why::Call);
    let here: Vec<&Wait> = here.filter(|wait| is_at(recording, wait.stack, site)).collect();
    let sleepers: BTreeSet<u32> = here.iter().map(|wait| wait.thread).collect();
    let mut sleeps: Vec<Span> = here.into_iter().map(span).collect();
    joined(&mut sleeps);
    let all: u64 = sleeps.iter().map(|(from, to)| to.saturating_sub(*from)).sum();
    if all == 0 {
        return 1.0;
    }
    let busy = busy(recording, &sleepers, contexts);
    let worked: u64 = sleeps.iter().map(|sleep| within(&busy, *sleep)).sum();
    1.0 - (worked as f64 / all as f64).min(1.0)
}

/// When some thread other than these was busy, or slept for a time that it needs.
fn busy(recording: &Recording, but: &BTreeSet<u32>, contexts: &Contexts<'_>) -> Vec<Span> {
    let mut needed: BTreeMap<u32, bool> = BTreeMap::new();
    let mut away: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    for wait in &recording.waits {
        // Who has lost its CPU, or waits for a page of its own, is at work.
        let works = match wait.why {
            Why::Preempted | Why::NotYetRun | Why::Fault => true,
            _ => wait.stack.is_some_and(|stack| {
                *needed.entry(stack).or_insert_with(|| sleeps_as_needed(recording, wait, stack, contexts))
            }),
        };
        if !works {
            away.entry(wait.thread).or_default().push(span(wait));
        }
    }
    let end = recording.wall.map_or(0, |wall| wall.as_nanos());
    let mut busy = Vec::new();
    for (at, thread) in (0..).zip(&recording.threads).filter(|(at, _)| !but.contains(at)) {
        let mut away = away.remove(&at).unwrap_or_default();
        joined(&mut away);
        let mut since = thread.from.as_nanos();
        for (from, to) in away {
            busy.push((since, from.max(since)));
            since = to.max(since);
        }
        busy.push((since, thread.to.map_or(end, |to| to.as_nanos()).max(since)));
    }
    joined(&mut busy);
    busy
}

/// It sleeps for each of what there is, or once: that takes its time. Who sleeps in a loop that goes on until something happens
/// looks for somebody else's work, and of whom no source is known that may be so.
fn sleeps_as_needed(recording: &Recording, wait: &Wait, stack: u32, contexts: &Contexts<'_>) -> bool {
    let call = wait.call.and_then(|call| recording.calls.get(call as usize));
    if !call.is_some_and(|call| call.name.contains("nanosleep")) {
        return false;
    }
    let own = recording.frames_of(stack).find(|frame| frame.owner == Owner::Project);
    let at = own.and_then(|frame| Some((frame.file.as_deref()?, frame.line?)));
    let context = at.and_then(|at| contexts.get(&at));
    let waits =
        |context: &Context| context.loops.iter().any(|around| !around.bounded) && !goes_through(context);
    context.is_some_and(|context| !waits(context))
}

/// Nanoseconds of a span in which one of these is under way.
fn within(spans: &[Span], of: Span) -> u64 {
    let first = spans.partition_point(|span| span.1 <= of.0);
    let under_way = spans.iter().skip(first).take_while(|span| span.0 < of.1);
    under_way.map(|span| overlap(*span, of)).sum()
}

#[cfg(test)]
mod tests {
    use model::doctor::Level;
    use model::profile::Place;
    use model::recording::Language;
    use model::source::{ContainerKind, Language as Written, Loop, LoopKind};

    use super::*;
    use crate::profile::tests::made::Made;

    /// Thread 0 sleeps in `look` from 0 to 100 ms.
    fn polling() -> Made {
        let mut made = Made::new(Level::C, 200);
        let stack = made.stack(&["p:look"]);
        made.blocked(0, 0, 100, "clock_nanosleep", None).stack = Some(stack);
        made
    }

    fn share(made: &Made, contexts: &Contexts<'_>) -> f64 {
        let place = Place {
            function: "look".to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::C,
            owner: Owner::Project,
        };
        let site = WaitSite {
            leaf: "blocked/sleep".to_owned(),
            what: None,
            call: Some("clock_nanosleep".to_owned()),
            place: Some(place.clone()),
            stack: vec![place],
            seconds: 0.1,
            count: 1,
            longest_s: 0.1,
            critical_s: 0.1,
            queued_s: None,
            threads: 1,
            idle: false,
        };
        (in_vain(&made.0, &site, contexts) * 100.0).round() / 100.0
    }

    #[test]
    fn while_another_thread_is_busy_nothing_is_slept_in_vain() {
        let mut made = polling();
        assert_eq!(share(&made, &Contexts::new()), 1.0, "nobody else is there to do anything");
        let worker = made.thread(0, 101, "worker", 0, 200);
        made.blocked(worker, 40, 200, "futex", None);
        assert_eq!(share(&made, &Contexts::new()), 0.6, "it waits for its next piece from 40 ms on");
        made.thread(0, 102, "another", 0, 80);
        assert_eq!(share(&made, &Contexts::new()), 0.2);
        made.0.watched.push(model::recording::Span { from: Default::default(), to: Default::default() });
        assert_eq!(share(&made, &Contexts::new()), 1.0, "who waits was seen now and then only");
    }

    /// The same with a thread that sleeps until 70 ms in a loop of this kind, and ends then.
    fn beside(kind: LoopKind, over: Option<&str>) -> f64 {
        let mut made = polling();
        let other = made.thread(0, 101, "producer", 0, 70);
        let stack = made.stack(&["p:produce@12"]);
        made.blocked(other, 0, 70, "clock_nanosleep", None).stack = Some(stack);
        for frame in made.0.frames.iter_mut().filter(|frame| frame.line == Some(12)) {
            frame.file = Some("poll.py".to_owned());
        }
        let around = Loop {
            kind,
            first_line: 11,
            last_line: 13,
            over: over.map(str::to_owned),
            container: ContainerKind::Unknown,
            binds: Vec::new(),
            ends_early: false,
            chained: false,
            looks: false,
            bounded: false,
        };
        let context = Context {
            language: Written::Python,
            line: 12,
            function: None,
            loops: vec![around],
            statement: Vec::new(),
            traits: Vec::new(),
            callees: Vec::new(),
            in_lock: None,
            in_transaction: None,
            damaged: false,
        };
        assert_eq!(share(&made, &Contexts::new()), 1.0, "nobody knows what it sleeps for");
        share(&made, &Contexts::from([(("poll.py", 12), &context)]))
    }

    #[test]
    fn who_sleeps_for_each_piece_of_work_is_at_work_and_who_looks_for_work_is_not() {
        assert_eq!(beside(LoopKind::For, Some("range(8)")), 0.3);
        assert_eq!(beside(LoopKind::While, Some("not ready")), 1.0);
        assert_eq!(beside(LoopKind::For, None), 1.0);
    }
}
