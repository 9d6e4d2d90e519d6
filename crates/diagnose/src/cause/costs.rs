//! Calls that take longer the more there is: growth that was measured within one run, whatever the source looks like.

use model::profile::Place;
use model::recording::{Language, Owner};
use model::runtime::{AtSize, Cost, Over, Runtime};

use super::facts::Inputs;
use super::runtime::{RUNTIME, hidden, is_at};
use super::subject::Subject;
use crate::profile::spots::Spot;

/// So much more must there have been for its cost to tell how it grows.
const SPAN: f64 = 8.0;

/// The whole grows with this power of what there is, at least: below, noise of a busy machine and the logarithm of a sort or a
/// tree look the same. As the rule wants it.
const GROWS: f64 = 1.5;

/// Of the watched time: less is too little to tell of the rest. Functions that most of a place's time goes through may begin
/// late, or be called more often than is watched.
const WATCHED: f64 = 0.05;

/// A call with most takes so many times as long as one with little, at least: the rest is what each takes anyway.
const LONGER: f64 = 3.0;

/// Seconds that a call of compiled code takes with most there is, at least. Watched now and then, it finds no cache as it left it:
/// that alone takes a microsecond.
const COMPILED: f64 = 5e-6;

/// By this power of what there is, at least, its cost must grow to the end.
const STILL: f64 = 0.3;

/// Of what a call takes anyway, a rise that could be noise.
const LEAST_RISE: f64 = 0.1;

/// A time that falls by more than this from one size to the next goes with something else.
const FALLS: f64 = 0.7;

/// Of the whole rise, between two neighbouring sizes: what grows with the cube of its input rises by seven eighths from half of
/// it on. More is a leap into another state, as when a cache is full, or another phase.
const LEAP: f64 = 0.9;

/// Of a place's time, in a function that grows where the rest does not: with twice as much to do it is most.
const GROWN: f64 = 0.4;

/// By which power of what there is a call's cost rises at most, where it goes through that.
const STEEPEST: f64 = 2.5;

/// Of the rise, what medians of a few calls are off by.
const OFF: f64 = 0.05;

/// Notes whether the function, one that it calls in a package, or one that calls it takes longer the more there is.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let Some(runtime) = inputs.runtime else { return };
    // The innermost one is where it begins: whoever calls it takes longer with it.
    let hidden = hidden(inputs, spot);
    let branches = spot.branches.iter().filter(|(_, part)| *part >= GROWN).map(|(place, _)| place);
    let inner = branches.chain(&spot.through).chain(&hidden).chain([&spot.place]);
    let inner = inner.filter_map(|place| Some((place, steepest(runtime, place, &|_| true)?)));
    // Programs have more to do the longer they run; only who goes through more of the same is to blame for it.
    let goes_through = |cost: &Cost| cost.over == Over::Kept;
    let callers = spot.callers.iter().map(|(place, _)| place);
    let callers = callers.filter_map(|place| Some((place, steepest(runtime, place, &goes_through)?)));
    let Some((place, (cost, power))) = inner.chain(callers).next() else { return };
    subject.number("cost.power", power, "", RUNTIME);
    subject.word("cost", words(cost));
    if *place == spot.place {
        // It takes longer itself, whoever repeats it.
        subject.instead.remove("algorithmic-growth");
        return;
    }
    // Where the source shows it, that is the place.
    if subject.value("source.growth") == Some(1.0) {
        return;
    }
    if place.owner != Owner::Project {
        subject.blame("algorithmic-growth", place);
    } else {
        subject.instead.entry("algorithmic-growth").or_insert_with(|| place.clone());
    }
}

/// Of all that the time of the function at a place might go with, what it grows most with, and by which power.
fn steepest<'r>(
    runtime: &'r Runtime,
    place: &Place,
    counts: &dyn Fn(&Cost) -> bool,
) -> Option<(&'r Cost, f64)> {
    let watched = runtime.watched?.as_secs_f64();
    let matters = |cost: &&Cost| counts(cost) && cost.taken.as_secs_f64() >= WATCHED * watched;
    let least = if place.language == Language::Python { 0.0 } else { COMPILED };
    let tells = |cost: &&Cost| cost.sizes.last().is_some_and(|last| seconds(last) >= least);
    let of_place = |cost: &&Cost| is_at(place, &cost.function, &cost.file, cost.line);
    let costs = runtime.costs.iter().filter(of_place).filter(matters).filter(tells);
    let powers = costs.filter_map(|cost| Some((cost, power(cost)?)));
    powers.filter(|(_, power)| *power >= GROWS).max_by(|(_, one), (_, other)| one.total_cmp(other))
}

/// By which power of what there is all calls together grow. `None` where there was never much more of it, or little of their
/// time goes with it.
fn power(cost: &Cost) -> Option<f64> {
    let (first, middle, last) = ends(cost)?;
    let large = cost.sizes.iter().filter(|at| at.size as f64 * SPAN > last.size as f64);
    let times = large.map(seconds).collect::<Vec<f64>>();
    if times.iter().zip(times.iter().skip(1)).any(|(one, next)| *next < FALLS * one)
        || seconds(last) < LONGER * seconds(first)
    {
        return None;
    }
    let rises =
        cost.sizes.iter().zip(cost.sizes.iter().skip(1)).map(|(one, next)| seconds(next) - seconds(one));
    let leap = rises.fold(0.0, f64::max) > LEAP * (seconds(last) - seconds(first));
    let before = before_last(cost)?;
    if leap && seconds(before) > FALLS * seconds(last) {
        return None;
    }
    // A few calls at the end that met the collector: only what is tried in ever more ways for a longer input rises like that.
    let at_end = (seconds(last) - seconds(before)) / (seconds(last) - seconds(first));
    let steepest = 1.0 - (before.size as f64 / last.size as f64).powf(STEEPEST) + OFF;
    if cost.over != Over::Given && at_end > steepest {
        return None;
    }
    // What each call takes anyway says nothing of the rest.
    let rise = |to: &AtSize| (seconds(to) - seconds(first)).max(LEAST_RISE * seconds(first));
    let more = |to: &AtSize| (to.size - first.size) as f64;
    let lately = (rise(last) / rise(middle)).ln() / (more(last) / more(middle)).ln();
    let whole = (seconds(last) / seconds(first)).ln() / (last.size as f64 / first.size as f64).ln();
    // Tables grow by leaps; what has stopped growing has stopped.
    let of_call = if lately >= STILL { lately.max(whole) } else { lately };
    match cost.over {
        // What is given again is gone through once for each call, of which there are as many as there is of it.
        Over::Kept | Over::Place | Over::Turn => Some(1.0 + of_call),
        Over::Given | Over::Result => Some(of_call),
    }
}

/// The calls with little, with up to half as much as most, and with most.
fn ends(cost: &Cost) -> Option<(&AtSize, &AtSize, &AtSize)> {
    let last = cost.sizes.last()?;
    let told = |at: &&AtSize| at.size > 0 && seconds(at) > 0.0;
    let little = cost.sizes.iter().filter(told).filter(|at| at.size as f64 * SPAN <= last.size as f64);
    // The first calls of all take longer than others.
    let first = little.min_by_key(|at| at.median)?;
    let middle = cost.sizes.iter().rev().find(|at| at.size.saturating_mul(2) <= last.size)?;
    (middle.size > first.size).then_some((first, middle, last))
}

/// The size next to the largest. After a leap it takes as long already.
fn before_last(cost: &Cost) -> Option<&AtSize> {
    cost.sizes.iter().rev().nth(1)
}

fn seconds(at: &AtSize) -> f64 {
    at.median.as_secs_f64()
}

fn words(cost: &Cost) -> String {
    let Some((first, _, last)) = ends(cost) else { return String::new() };
    let longer = format!("{:.0} times as long", seconds(last) / seconds(first));
    let more = format!("{:.0}", last.size as f64 / first.size as f64);
    let (name, argument) = (&cost.function, cost.argument.as_deref().unwrap_or("it"));
    match cost.over {
        Over::Kept => {
            format!(
                "`{name}` is given `{argument}` again and again, and takes {longer} when {more} times as much is in it"
            )
        }
        Over::Place => format!("`{name}` takes {longer} where `{argument}` is {more} times as far on"),
        Over::Turn => format!("call {} of `{name}` takes {longer} as call {}", last.size, first.size),
        Over::Given => format!("`{name}` takes {longer} for {more} times as much in `{argument}`"),
        Over::Result => format!("`{name}` takes {longer} to give {more} times as much"),
    }
}

#[cfg(test)]
mod tests {
    use model::Nanos;

    use super::*;

    fn cost(over: Over, times: &[(u64, u64)]) -> Cost {
        let sizes = times.iter().map(|(size, micros)| AtSize {
            size: *size,
            calls: 9,
            median: Nanos::from_nanos(micros * 1000),
        });
        Cost {
            function: "merge".to_owned(),
            file: "a.py".to_owned(),
            line: 3,
            calls: 40,
            taken: Nanos::from_nanos(1),
            callers: Vec::new(),
            over,
            argument: Some("rows".to_owned()),
            again: 39,
            sizes: sizes.collect(),
        }
    }

    #[test]
    fn what_is_gone_through_at_each_call_is_squared_by_the_calls() {
        let linear = [(100, 10), (200, 20), (400, 40), (800, 80)];
        let check =
            |over, times: &[(u64, u64)]| power(&cost(over, times)).map(|power| (power * 10.0).round() / 10.0);
        assert_eq!(check(Over::Kept, &linear), Some(2.0));
        assert_eq!(check(Over::Turn, &linear), Some(2.0));
        assert_eq!(check(Over::Given, &linear), Some(1.0));
        assert_eq!(check(Over::Given, &[(10, 1), (400, 1600), (800, 6400)]), Some(2.0));
        // Whatever each call takes anyway: a sheet is opened, then gone through up to the row.
        assert_eq!(check(Over::Place, &[(10, 2100), (400, 6000), (800, 10_000)]), Some(2.0));
        // A tree is one step deeper, and nothing else.
        assert!(check(Over::Turn, &[(10, 33), (400, 86), (800, 100)]).is_some_and(|power| power < GROWS));
        assert_eq!(check(Over::Kept, &[(100, 10), (200, 10), (400, 11), (800, 10)]), None);
        // A few calls at the end met the collector.
        assert_eq!(check(Over::Turn, &[(3, 16), (6, 18), (24, 15), (47, 16), (86, 16), (131, 50)]), None);
        // Flat for long, then flat again: another phase of the program.
        assert_eq!(check(Over::Turn, &[(100, 9), (800, 9), (1600, 9), (3200, 85), (6400, 92)]), None);
        // Never much more of it, or the time goes with something else.
        assert_eq!(check(Over::Kept, &[(100, 10), (200, 20), (400, 40)]), None);
        assert_eq!(check(Over::Kept, &[(100, 10), (200, 80), (400, 20), (800, 80)]), None);
    }

    #[test]
    fn words_tell_what_was_compared() {
        let linear = [(100, 10), (200, 20), (400, 40), (800, 80)];
        assert_eq!(
            words(&cost(Over::Kept, &linear)),
            "`merge` is given `rows` again and again, and takes 8 times as long when 8 times as much is in it"
        );
        assert_eq!(
            words(&cost(Over::Turn, &linear)),
            "call 800 of `merge` takes 8 times as long as call 100"
        );
    }
}
