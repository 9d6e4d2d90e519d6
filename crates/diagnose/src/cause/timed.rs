//! Waits for a condition that nobody announces: a time that was set ends them.

use std::collections::BTreeMap;

use model::profile::{Place, WaitSite};
use model::recording::{Owner, Recording, Wait, Why};
use model::source::TraitKind;
use model::task::TaskSpan;

use super::facts::{Contexts, context_of};
use crate::profile::spots::is_packaged;

/// Fewer waits may be alike by chance.
const MANY: usize = 5;

/// So few are enough where they are exact and long: nothing but a clock takes one second three times.
const FEW: usize = 3;

/// Late by less than this part, and …
const EXACT: f64 = 0.01;

/// … at least this long.
const LONG: f64 = 5e7;

/// Shorter ones are the machine's own rhythm.
const LEAST: f64 = 1e6;

/// Timers come late by less than this part of such a wait, unless the machine is busy.
const LATE: f64 = 0.1;

/// So large a part of the waits must be alike and ended by nobody.
const MOST: f64 = 0.6;

/// It waits to be told something by another thread, and as a rule it is the clock that wakes it. `package` is whose function
/// waits, where that is not the user's.
pub(super) fn is_timed(recording: &Recording, site: &WaitSite, package: Option<&Place>) -> bool {
    // Whoever wants Python's own lock looks up every 5 ms, whether it is free.
    if !super::known::is_word(site) || super::known::wants_interpreter(site) {
        return false;
    }
    let passes = |wait: &Wait| {
        package.is_none_or(|package| {
            let mut frames = wait.stack.into_iter().flat_map(|stack| recording.frames_of(stack));
            frames.any(|frame| frame.function.as_deref() == Some(package.function.as_str()))
        })
    };
    let is_here = |wait: &&Wait| {
        wait.why == Why::Call && super::waiting::is_at(recording, wait.stack, site) && passes(wait)
    };
    let waits: Vec<&Wait> = recording.waits.iter().filter(is_here).collect();
    let alone = waits.iter().filter(|wait| wait.by.is_none());
    let lengths: Vec<f64> =
        alone.map(|wait| wait.to.as_nanos().saturating_sub(wait.from.as_nanos()) as f64).collect();
    is_rhythm(&lengths, waits.len())
}

/// A goroutine waits for one of several channels, and the clock's is among them. Where another goroutine has something to do
/// meanwhile it is that which takes the time, not this wait.
pub(super) fn is_tick(site: &WaitSite, contexts: &Contexts<'_>) -> bool {
    let receives =
        site.call.as_deref().is_some_and(|call| call == "select" || call.starts_with("chan receive"));
    // What waits is the innermost function that is not the runtime's.
    let runs = |place: &&Place| place.function.starts_with("runtime.");
    let Some(here) = site.stack.iter().rev().find(|place| !runs(place)).filter(|_| receives) else {
        return false;
    };
    let context =
        context_of(contexts, here).filter(|context| context.language == model::source::Language::Go);
    context.is_some_and(|context| context.traits.iter().any(|found| found.kind == TraitKind::Sleep))
}

/// A look finds that a goroutine sleeps, or waits no longer, this much late at most.
const LOOKED: u64 = 20_000_000;

/// Of the time that is waited for it, what is looked for from time to time is slept for so large a part.
const ASLEEP: f64 = 0.8;

/// The function of a package whose goroutine sleeps as long as this one waits, which goes on when that one has looked.
pub(super) fn sleeper(recording: &Recording, site: &WaitSite) -> Option<Place> {
    if !site.call.as_deref().is_some_and(|call| call.starts_with("chan receive")) {
        return None;
    }
    let length = |span: &TaskSpan| span.to.as_nanos().saturating_sub(span.from.as_nanos());
    let here = |span: &&TaskSpan| super::waiting::is_at(recording, span.stack, site);
    let (mut waited, mut ends) = (0, Vec::new());
    for span in recording.task_spans.iter().filter(here) {
        waited += length(span);
        ends.push(span.to.as_nanos());
    }
    let sleeps = |span: &&TaskSpan| {
        let call = span.call.and_then(|call| recording.calls.get(call as usize));
        call.is_some_and(|call| call.name == "sleep")
    };
    let mut tasks: BTreeMap<u32, Vec<&TaskSpan>> = BTreeMap::new();
    for span in recording.task_spans.iter().filter(sleeps) {
        tasks.entry(span.task).or_default().push(span);
    }
    let followed = |span: &&&TaskSpan| ends.iter().any(|end| span.to.as_nanos().abs_diff(*end) <= LOOKED);
    tasks.into_values().find_map(|spans| {
        let slept: u64 = spans.iter().map(|span| length(span)).sum();
        let regular = spans.iter().filter(followed).count() as f64 >= MOST * spans.len() as f64;
        let stack = spans.first().and_then(|span| span.stack).filter(|_| spans.len() >= FEW && regular)?;
        if (slept as f64) < ASLEEP * waited as f64
            || recording.frames_of(stack).any(|frame| frame.owner == Owner::Project)
        {
            return None;
        }
        let mut places = recording.frames_of(stack).filter_map(|frame| super::team::place(recording, frame));
        places.find(is_packaged)
    })
}

fn is_rhythm(lengths: &[f64], all: usize) -> bool {
    let mut sorted = lengths.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(middle) = sorted.get(sorted.len() / 2).copied().filter(|middle| *middle >= LEAST) else {
        return false;
    };
    let within =
        |part: f64| lengths.iter().filter(|length| (*length - middle).abs() <= part * middle).count();
    let (alike, exact) = (within(LATE), within(EXACT));
    (alike >= MANY || exact >= FEW && middle >= LONG) && alike as f64 >= MOST * all as f64
}

#[cfg(test)]
mod tests {
    use model::Nanos;
    use model::recording::{Call, Frame, Language, Node, Source, Weight};
    use model::task::Doing;

    use super::*;

    /// `main.await` receives and another goroutine sleeps, both until these milliseconds.
    fn sleeping(file: &str, owner: Owner, received: &[u64], slept: &[u64]) -> Recording {
        let mut recording = Recording::new(Source::Import("made".to_owned()), Weight::CpuTime);
        for (function, file, owner) in
            [("main.await", "/x/main.go", Owner::Project), ("tail.poll", file, owner)]
        {
            let (function, file) = (Some(function.to_owned()), Some(file.to_owned()));
            let language = Language::Go;
            let frame = Frame {
                language,
                function,
                file,
                line: None,
                module: None,
                offset: None,
                is_start: false,
                inlined: false,
                owner,
            };
            recording.nodes.push(Node { parent: None, frame: recording.frames.len() as u32 });
            recording.frames.push(frame);
        }
        for (task, name, ends) in [(0, "chan receive", received), (1, "sleep", slept)] {
            recording.calls.push(Call { name: name.to_owned(), object: None, detail: None });
            let mut from = 0;
            for to in ends {
                let (begin, end) = (Nanos::from_nanos(from * 1_000_000), Nanos::from_nanos(to * 1_000_000));
                recording.task_spans.push(TaskSpan {
                    task,
                    from: begin,
                    to: end,
                    doing: Doing::Waiting,
                    thread: None,
                    call: Some(task),
                    stack: Some(task),
                    looks: 9,
                    parkings: 1,
                });
                from = *to;
            }
        }
        recording
    }

    fn found(recording: &Recording) -> Option<String> {
        let place = super::super::team::place(recording, &recording.frames[0]);
        let site = WaitSite {
            leaf: "blocked/lock".to_owned(),
            what: None,
            call: Some("chan receive".to_owned()),
            place,
            stack: Vec::new(),
            seconds: 1.0,
            count: 4,
            longest_s: 0.25,
            critical_s: 1.0,
            queued_s: None,
            threads: 1,
            idle: false,
        };
        sleeper(recording, &site).map(|place| place.function)
    }

    #[test]
    fn who_goes_on_when_a_package_has_slept_waits_for_its_next_look() {
        let package = "/go/pkg/mod/tail/polling.go";
        let ends = [250, 500, 750, 1000];
        let late = [251, 509, 752, 1003];
        assert_eq!(found(&sleeping(package, Owner::Library, &late, &ends)).as_deref(), Some("tail.poll"));
        // Its own code, the language's, other times, or hardly any sleep.
        assert_eq!(found(&sleeping(package, Owner::Project, &late, &ends)), None);
        assert_eq!(found(&sleeping("/usr/lib/go/src/time/sleep.go", Owner::Library, &late, &ends)), None);
        assert_eq!(found(&sleeping(package, Owner::Library, &[310, 430, 660, 1100], &ends)), None);
        assert_eq!(found(&sleeping(package, Owner::Library, &late, &[5, 10, 250])), None);
    }

    #[test]
    fn waits_that_the_clock_ends_are_alike() {
        let timed = [20.07, 20.09, 20.1, 183.6, 20.05, 20.1, 20.65].map(|millis| millis * 1e6);
        assert!(is_rhythm(&timed, timed.len()));
        assert!(!is_rhythm(&timed, 20), "others were ended by somebody");
        assert!(!is_rhythm(&timed.map(|nanos| nanos / 1000.0), timed.len()), "too short to tell");
        let told = [3.0, 9.0, 20.0, 31.0, 5.0, 14.0].map(|millis: f64| millis * 1e6);
        assert!(!is_rhythm(&told, told.len()));
        assert!(!is_rhythm(&[], 0));
        let seconds = [1000.4, 1000.1, 1000.3, 0.2].map(|millis| millis * 1e6);
        assert!(is_rhythm(&seconds, seconds.len()));
        assert!(
            !is_rhythm(&seconds.map(|nanos| nanos / 100.0), seconds.len()),
            "three short ones may be chance"
        );
    }
}
