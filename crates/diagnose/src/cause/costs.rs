//! Calls that take longer the more there is: growth that was measured within one run, whatever the source looks like.

use model::profile::Place;
use model::recording::{Language, Owner};
use model::runtime::{AtSize, Cost, Over, Runtime};

use super::facts::Inputs;
use super::runtime::{hidden, is_at, source_of};
use super::subject::Subject;
use crate::profile::spots::Spot;

/// So much more must there have been for its cost to tell how it grows.
const SPAN: f64 = 8.0;

/// The whole grows with this power of what there is, at least: below, noise of a busy machine and the logarithm of a sort or a
/// tree look the same. As the rule wants it.
const GROWS: f64 = 1.5;

/// The same where each call is given another thing, of which nobody knows how large it is: some come in the order of their size. What
/// goes through all that came before takes as many times as long as there are more of them.
const STRANGE: f64 = 1.7;

/// Of the calls, those that go on from the one before: fewer are of strange things.
const GOING_ON: f64 = 0.8;

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

/// By this power of what there is, at least, the cost of calls must rise over the last sizes where those before tell nothing: the
/// rule wants half a power beside the calls.
const STEADY: f64 = 0.5;

/// And by this power from each to the next: what is compiled meanwhile still hides some of it.
const STEP: f64 = 0.2;

/// So many times as long as the shortest of all calls must the last take then, at least: a busy machine moves medians by less.
const LONGER_AT_END: f64 = 2.0;

/// What rises by more than this power from one size to the next is no steady rise.
const SUDDEN: f64 = 2.0;

/// Calls of about one size whose median a busy machine does not move by much.
const MANY: u64 = 16;

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
    // What a line does with an object of a compiled type is inside of them all.
    let native = super::natives::growing(inputs, spot, |cost| power(cost).filter(|power| *power >= GROWS));
    let native = native.map(|found| (&spot.place, found)).into_iter();
    let Some((place, (cost, power))) = native.chain(inner).chain(callers).next() else { return };
    subject.number("cost.power", power, "", source_of(runtime));
    subject.word("cost", words(cost));
    if *place == spot.place {
        // It takes longer itself, whoever repeats it; but for keys that a function elsewhere gives the same hash.
        let alike = subject.value("hash.compares").is_some_and(|times| times >= super::hash::COMPARED)
            || subject.value("source.weak-hash") == Some(1.0);
        if !alike {
            subject.instead.remove("algorithmic-growth");
        }
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
    let watched = super::runtime::watched(runtime)?;
    let matters = |cost: &&Cost| counts(cost) && cost.taken.as_secs_f64() >= WATCHED * watched;
    let least = if place.language == Language::Python { 0.0 } else { COMPILED };
    let tells = |cost: &&Cost| cost.sizes.last().is_some_and(|last| seconds(last) >= least);
    let of_place = |cost: &&Cost| is_at(place, &cost.function, &cost.file, cost.line);
    let costs = runtime.costs.iter().filter(of_place).filter(matters).filter(tells);
    let warms_up = matches!(place.language, Language::Java | Language::JavaScript);
    let warmed = |cost: &Cost| if warms_up { power_at_end(cost) } else { None };
    let powers = costs.filter_map(|cost| Some((cost, power(cost).or_else(|| warmed(cost))?)));
    let grown = powers.filter(|(cost, power)| enough(cost, *power));
    grown.max_by(|(_, one), (_, other)| one.total_cmp(other))
}

/// Whether a power is more than chance or the order of things makes.
fn enough(cost: &Cost, power: f64) -> bool {
    let is_strange = cost.over == Over::Turn && (cost.again as f64) < GOING_ON * cost.calls as f64;
    power >= if is_strange { STRANGE } else { GROWS }
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

/// The same for a runtime that compiles what it runs: its first calls take longer, by as much as they have less to do, so what a
/// call with little takes is not known. Then the last sizes tell alone, where they rise steadily and none before took as long.
fn power_at_end(cost: &Cost) -> Option<f64> {
    if !matches!(cost.over, Over::Kept | Over::Place | Over::Turn) {
        return None;
    }
    let last = cost.sizes.last()?;
    let at = cost.sizes.len().checked_sub(3).filter(|at| *at > 0)?;
    let (before, end) = cost.sizes.split_at_checked(at)?;
    let [one, middle, _] = end else { return None };
    let rise = |from: &AtSize, to: &AtSize| {
        (seconds(to) / seconds(from)).ln() / (to.size as f64 / from.size as f64).ln()
    };
    let steps = [rise(one, middle), rise(middle, last)];
    let steady = steps.iter().all(|step| (STEP..=SUDDEN).contains(step));
    let told =
        end.iter().all(|at| at.calls >= MANY) && last.size as f64 >= SPAN * before.first()?.size as f64;
    let longest = before.iter().all(|at| seconds(at) < seconds(last));
    let shortest = cost.sizes.iter().map(seconds).fold(f64::INFINITY, f64::min);
    let longer = seconds(last) >= LONGER_AT_END * shortest;
    let power = rise(one, last);
    (steady && told && longest && longer && power >= STEADY).then_some(1.0 + power)
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
    let Some((least, _, last)) = ends(cost) else { return String::new() };
    // First calls that were not compiled yet say little.
    let late = cost.sizes.iter().rev().nth(2).filter(|_| seconds(last) < LONGER * seconds(least));
    let first = late.unwrap_or(least);
    let longer = format!("{:.0} times as long", seconds(last) / seconds(first));
    let more = format!("{:.0}", last.size as f64 / first.size as f64);
    let name = &cost.function;
    // Debug information that has lines alone knows no names.
    let named = cost.argument.as_ref().map(|name| format!("`{name}`"));
    let argument = named.as_deref().unwrap_or("what it is given");
    match cost.over {
        Over::Kept => {
            format!(
                "`{name}` is given {argument} again and again, and takes {longer} when {more} times as much is in it"
            )
        }
        Over::Place => format!("`{name}` takes {longer} where {argument} is {more} times as far on"),
        Over::Turn => format!("call {} of `{name}` takes {longer} as call {}", last.size, first.size),
        Over::Given => format!("`{name}` takes {longer} for {more} times as much in {argument}"),
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
    fn calls_with_strange_things_must_grow_with_all_that_came_before() {
        let grows = |again: u64, times: &[(u64, u64)]| {
            let cost = Cost { again, ..cost(Over::Turn, times) };
            power(&cost).is_some_and(|power| enough(&cost, power))
        };
        let linear = [(100, 10), (200, 20), (400, 40), (800, 80)];
        assert!(grows(39, &linear) && grows(0, &linear));
        let slower = [(100, 10), (200, 15), (400, 23), (800, 31)];
        assert!(grows(39, &slower) && !grows(0, &slower));
    }

    #[test]
    fn first_calls_that_were_not_compiled_yet_do_not_hide_how_later_ones_grow() {
        let check = |over, calls: u64, times: &[(u64, u64)]| {
            let mut cost = cost(over, times);
            for at in &mut cost.sizes {
                at.calls = calls;
            }
            assert_eq!(power(&cost), None, "{times:?}");
            power_at_end(&cost).map(|power| (power * 10.0).round() / 10.0)
        };
        let union = [(6, 1371), (12, 2008), (24, 2100), (48, 2138), (96, 1884), (192, 2534), (293, 3904)];
        assert_eq!(check(Over::Turn, 40, &union), Some(1.7));
        // Medians of a few calls are anything.
        assert_eq!(check(Over::Turn, 5, &union), None);
        // Compiled for good, and a step up at the end: the machine was busy.
        let stepped = [(6, 1371), (12, 2008), (24, 1100), (48, 900), (96, 884), (192, 890), (293, 1904)];
        assert_eq!(check(Over::Turn, 40, &stepped), None);
        // Up and down by noise.
        let noisy = [(6, 1371), (12, 2008), (24, 1100), (48, 900), (96, 900), (192, 1150), (293, 1500)];
        assert_eq!(check(Over::Turn, 40, &noisy), None);
        // Slower than ever only before it was compiled.
        let warm = [(6, 9371), (12, 6008), (24, 3100), (48, 900), (96, 1884), (192, 2534), (293, 3904)];
        assert_eq!(check(Over::Turn, 40, &warm), None);
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
        let warmed = [(6, 2000), (48, 1800), (96, 1500), (192, 2200), (300, 3000)];
        assert_eq!(words(&cost(Over::Turn, &warmed)), "call 300 of `merge` takes 2 times as long as call 96");
    }
}
