//! Waits for a condition that nobody announces: a time that was set ends them.

use model::profile::{Place, WaitSite};
use model::recording::{Recording, Wait, Why};
use model::source::TraitKind;

use super::facts::{Contexts, context_of};

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
    if site.leaf != "blocked/lock" {
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
    use super::is_rhythm;

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
