//! What was seen of one function: calls that repeat, and what calls took by how much there was. The same questions, and the same
//! numbers, as the watches in other runtimes have (`hook.py`).

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use model::Nanos;
use model::native::Callable;
use model::runtime::{AtSize, Cost, Over, Repeat};

use super::told::{ENDS, Given, Thing, Told};

/// Calls whose times are kept. Beyond, every other one goes, over and over: those that stay are spread over the whole run.
const TIMED: usize = 4096;

/// Different inputs that are remembered.
const INPUTS: usize = 20_000;

/// Different things that calls are given by turns.
const RECENT: usize = 64;

/// A container gets or loses up to so many from one call to the next, or a quarter.
const STEP: u64 = 8;

/// Calls and lengths that show whether time goes with them, and calls of about one length.
const COSTED: usize = 24;
const LENGTHS: usize = 3;
const ALIKE: usize = 4;

/// Of all calls, where something holds for them but for a few.
const MOSTLY: f64 = 0.8;

/// What takes less, in nanoseconds, is found again about as slowly as it is made; and a stop leaves the caches colder than it found
/// them, which takes a microsecond or two itself.
const WORTH_KEEPING: u64 = 5_000;

/// A call must take at least a stop divided by this: stops differ by about as much, and slow machines have slow ones.
const OF_A_STOP: u64 = 2;

/// Whether it worked, and yes or no: numbers that say little of what was done.
const STATES: std::ops::RangeInclusive<i64> = -1..=1;

/// Different results from which on even small ones say something.
const TELLING: usize = 4;

/// A call that has begun.
#[derive(Debug)]
pub(super) struct Begun {
    input: Option<Input>,
    timed: Option<Extents>,
}

#[derive(Clone, Debug)]
struct Input {
    number: u64,
    /// Objects that are known by their own bytes, as those were.
    objects: Vec<u64>,
}

/// What a call is given, whether that goes on from what an earlier one was given, and for how many calls it has.
#[derive(Clone, Debug)]
struct Extents {
    sizes: Vec<Option<Extent>>,
    again: Vec<bool>,
    turn: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Number(i64),
    Length { id: u64, length: u64 },
    Object,
}

#[derive(Debug)]
struct Timed {
    extents: Extents,
    taken: u64,
    length: Option<u64>,
}

#[derive(Debug, Default)]
pub(super) struct Book {
    /// Calls that were looked at, and about how many there were in all.
    pub(super) looked: u64,
    pub(super) calls: f64,
    taken: u64,
    known: HashMap<u64, u64>,
    same: u64,
    asked: u64,
    results: HashSet<u64>,
    /// For each parameter, what calls were given of late, and which call that began with.
    recent: Vec<VecDeque<(Thing, f64)>>,
    timed: Vec<Timed>,
    /// Of the calls, one in so many is timed.
    stride: u64,
    seen: u64,
}

impl Book {
    /// A call begins, the only one of its thread's or (`inside`) one inside another of the same function.
    pub(super) fn begins(&mut self, given: Vec<Told>, inside: bool) -> Begun {
        self.looked += 1;
        self.calls += 1.0;
        // Without anything given it is called for what it does.
        let known: Option<Vec<u64>> = given.iter().map(|one| one.known).collect();
        let known = known.filter(|all| !all.is_empty());
        let objects = given.iter().filter(|one| one.is_object).filter_map(|one| one.known).collect();
        let input = known.map(|all| Input { number: number(&all), objects });
        let timed = (!inside).then(|| self.extents(given));
        Begun { input, timed }
    }

    /// It has ended, after so many nanoseconds on a CPU. `after`: what is told of its parameters now.
    pub(super) fn ends(&mut self, begun: Begun, taken: u64, gave: Option<Given>, after: &[Told]) {
        if let Some(extents) = begun.timed {
            self.taken = self.taken.saturating_add(taken);
            self.time(Timed { extents, taken, length: gave.and_then(|gave| gave.length) });
        }
        let (Some(input), Some(gave)) = (begun.input, gave) else { return };
        // What changes an object is not in vain.
        let now: Vec<u64> = after.iter().filter(|one| one.is_object).filter_map(|one| one.known).collect();
        self.asked += 1;
        if self.results.len() < TELLING {
            self.results.insert(gave.known);
        }
        let says =
            gave.number.is_none_or(|number| !STATES.contains(&number)) || self.results.len() >= TELLING;
        if !says || now != input.objects {
            return;
        }
        match self.known.get(&input.number) {
            Some(known) => self.same += u64::from(*known == gave.known),
            None if self.known.len() < INPUTS => {
                self.known.insert(input.number, gave.known);
            }
            None => {}
        }
    }

    /// The median of the last calls, in nanoseconds.
    pub(super) fn lately(&self) -> Option<u64> {
        let mut last: Vec<u64> = self.timed.iter().rev().take(64).map(|one| one.taken).collect();
        last.sort_unstable();
        last.get(last.len() / 2).copied()
    }

    fn time(&mut self, timed: Timed) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride.max(1)) {
            return;
        }
        self.timed.push(timed);
        if self.timed.len() >= TIMED {
            self.stride = self.stride.max(1) * 2;
            let mut at = 0;
            self.timed.retain(|_| {
                at += 1;
                at % 2 == 0
            });
        }
    }

    fn extents(&mut self, given: Vec<Told>) -> Extents {
        self.recent.resize_with(given.len(), VecDeque::new);
        let (mut sizes, mut again, mut first) = (Vec::new(), Vec::new(), self.calls);
        for (recent, told) in self.recent.iter_mut().zip(given) {
            let Some(thing) = told.thing else {
                sizes.push(told.number.map(Extent::Number));
                again.push(false);
                continue;
            };
            let at = recent.iter().position(|(before, _)| before.id == thing.id);
            let before = at.and_then(|at| recent.remove(at));
            let goes = before.filter(|(before, _)| goes_on(before, &thing));
            again.push(goes.is_some());
            let since = goes.map_or(self.calls, |(_, since)| since);
            first = first.min(since);
            sizes.push(Some(
                thing.length.map_or(Extent::Object, |length| Extent::Length { id: thing.id, length }),
            ));
            if recent.len() >= RECENT {
                recent.pop_front();
            }
            recent.push_back((Thing { text: ends_of(&thing.text), ..thing }, since));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count, never below one"
        )]
        let turn = (self.calls - first + 1.0) as u64;
        Extents { sizes, again, turn }
    }

    /// What all its calls took, about.
    fn whole(&self) -> Nanos {
        let mean = self.taken as f64 / self.looked.max(1) as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "nanoseconds of one run")]
        Nanos::from_nanos((mean * self.calls) as u64)
    }

    /// How often it did what it had done. `None` where nothing could be compared, or it is not worth keeping what it gives.
    /// `stop`: what one adds to the time of its thread.
    pub(super) fn repeat(&self, of: &Callable, stop: u64) -> Option<Repeat> {
        // Three of four calls take longer.
        let mut taken: Vec<u64> = self.timed.iter().map(|one| one.taken).collect();
        taken.sort_unstable();
        let least = WORTH_KEEPING.max(stop / OF_A_STOP);
        let worth = taken.get(taken.len() / 4).is_some_and(|taken| *taken >= least);
        (worth && self.asked >= 2).then(|| Repeat {
            function: of.function.clone(),
            file: of.file.clone(),
            line: of.line,
            calls: self.looked,
            same: self.same,
            given: 0,
            taken: Some(self.whole()),
            callers: Vec::new(),
        })
    }

    /// By what of its input its time might go: each with the time at several lengths.
    pub(super) fn costs(&self, of: &Callable) -> Vec<Cost> {
        if self.timed.len() < COSTED {
            return Vec::new();
        }
        let mut costs = Vec::new();
        let mut told = |over: Over, argument: Option<String>, pairs: Vec<(u64, u64)>, again: usize| {
            let sizes = medians(pairs);
            let tells = sizes.len() >= LENGTHS;
            if tells {
                costs.push(Cost {
                    function: of.function.clone(),
                    file: of.file.clone(),
                    line: of.line,
                    calls: self.timed.len() as u64,
                    taken: self.whole(),
                    callers: Vec::new(),
                    over,
                    argument,
                    again: again as u64,
                    sizes,
                });
            }
            tells
        };
        let all = self.timed.len() as f64;
        let kept: Vec<bool> = self.timed.iter().map(|one| one.extents.again.contains(&true)).collect();
        let mut fresh = false;
        for (at, parameter) in of.parameters.iter().enumerate() {
            let name = parameter.name.clone();
            let given = |one: &Timed| one.extents.sizes.get(at).copied().flatten();
            let again = self.timed.iter().filter(|one| one.extents.again.get(at) == Some(&true)).count();
            let sized: Vec<(u64, u64, u64)> = self
                .timed
                .iter()
                .filter_map(|one| {
                    let Extent::Length { id, length } = given(one)? else { return None };
                    Some((id, length, one.taken))
                })
                .collect();
            if sized.len() >= COSTED {
                let whole = again as f64 >= MOSTLY * all && grows(&sized);
                let pairs = sized.iter().map(|(_, length, taken)| (*length, *taken)).collect();
                let over = if whole { Over::Kept } else { Over::Given };
                fresh |= told(over, name.clone(), pairs, again) && !whole;
            }
            let numbers: Vec<(i64, u64, bool)> = self
                .timed
                .iter()
                .zip(&kept)
                .filter_map(|(one, kept)| {
                    let Extent::Number(number) = given(one)? else { return None };
                    Some((number, one.taken, *kept))
                })
                .collect();
            if let Some(in_order) = in_turn(&numbers).filter(|_| !self.gives_more()) {
                let pairs =
                    numbers.iter().map(|(number, taken, _)| (number.unsigned_abs(), *taken)).collect();
                told(Over::Place, name, pairs, in_order);
            }
        }
        let again = kept.iter().filter(|kept| **kept).count();
        // Where each call is given more than the one before, that is why it takes longer.
        if !fresh && again as f64 >= MOSTLY * all {
            let pairs = self.timed.iter().map(|one| (one.extents.turn, one.taken)).collect();
            told(Over::Turn, None, pairs, again);
        }
        let results: Vec<(u64, u64)> =
            self.timed.iter().filter_map(|one| Some((one.length?, one.taken))).collect();
        if results.len() >= COSTED {
            told(Over::Result, None, results, 0);
        }
        costs
    }

    /// Whether later calls give more than earlier ones.
    fn gives_more(&self) -> bool {
        let lengths: Vec<u64> = self.timed.iter().filter_map(|one| one.length).collect();
        let part = lengths.len() / 4;
        let sum = |some: &[u64]| some.iter().fold(0_u64, |sum, one| sum.saturating_add(*one));
        let (first, last) = (lengths.get(..part), lengths.get(lengths.len() - part..));
        part > 0 && first.zip(last).is_some_and(|(first, last)| sum(last) >= sum(first).saturating_mul(2))
    }
}

/// How many calls are given a higher number than the one before, or a lower one, where most are: each place of something is asked
/// for in turn. A number that goes up and down is an amount.
fn in_turn(numbers: &[(i64, u64, bool)]) -> Option<usize> {
    let steps: Vec<std::cmp::Ordering> = numbers
        .iter()
        .zip(numbers.iter().skip(1))
        .filter(|(_, (.., kept))| *kept)
        .map(|((before, ..), (one, ..))| one.cmp(before))
        .collect();
    let count = |wanted| steps.iter().filter(|step| **step == wanted).count();
    let in_order = count(std::cmp::Ordering::Greater).max(count(std::cmp::Ordering::Less));
    let moves = steps.len() - count(std::cmp::Ordering::Equal);
    let is_place =
        numbers.len() >= COSTED && in_order >= COSTED / 2 && in_order as f64 >= MOSTLY * moves as f64;
    is_place.then_some(in_order)
}

/// Whether most calls are given something that there was less of at another time. Texts were compared already.
fn grows(sized: &[(u64, u64, u64)]) -> bool {
    let mut ends: HashMap<u64, (u64, u64)> = HashMap::new();
    for (id, length, _) in sized {
        let known = ends.entry(*id).or_insert((*length, *length));
        *known = (known.0.min(*length), known.1.max(*length));
    }
    let grown = |(id, ..): &&(u64, u64, u64)| {
        *id == 0 || ends.get(id).is_some_and(|(least, most)| *most >= least.saturating_mul(2))
    };
    sized.iter().filter(grown).count() as f64 >= MOSTLY * sized.len() as f64
}

/// Whether what is given is what was given before: the same object, or a text that has more or less of it. Where one object goes,
/// the next may come; it has other things at its ends, and more or fewer of them.
fn goes_on(before: &Thing, after: &Thing) -> bool {
    let (Some(least), Some(most)) = (before.length.min(after.length), before.length.max(after.length)) else {
        return before.length == after.length;
    };
    if after.id != 0 {
        // Between bursts many calls go unseen: what still begins as it did may have grown by any number.
        let near = most - least <= STEP.max(most / 4);
        return before.first == after.first || near && before.last == after.last;
    }
    if least < 2 * ENDS as u64 {
        return false;
    }
    let end = before.length.and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
    let there = end.checked_sub(ENDS).and_then(|from| after.text.get(from..end));
    let more = before.first == after.first && there.is_some_and(|there| there == before.text);
    more || before.length > after.length && before.last == after.last
}

/// The last bytes of a text, as the next call looks for them.
fn ends_of(text: &[u8]) -> Vec<u8> {
    text.get(text.len().saturating_sub(ENDS)..).unwrap_or_default().to_vec()
}

/// The median time of calls of about one length.
fn medians(pairs: Vec<(u64, u64)>) -> Vec<AtSize> {
    let mut alike: std::collections::BTreeMap<u32, Vec<(u64, u64)>> = std::collections::BTreeMap::new();
    for (length, taken) in pairs.into_iter().filter(|(length, _)| *length > 0) {
        alike.entry(length.ilog2()).or_default().push((taken, length));
    }
    let many = alike.into_values().filter(|calls| calls.len() >= ALIKE);
    let at = |mut calls: Vec<(u64, u64)>| {
        let middle = calls.len() / 2;
        let mut lengths: Vec<u64> = calls.iter().map(|(_, length)| *length).collect();
        lengths.sort_unstable();
        calls.sort_unstable();
        let (size, (taken, _)) = (*lengths.get(middle)?, *calls.get(middle)?);
        Some(AtSize { size, calls: calls.len() as u64, median: Nanos::from_nanos(taken) })
    };
    many.filter_map(at).collect()
}

fn number(all: &[u64]) -> u64 {
    let mut hasher = DefaultHasher::new();
    all.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use model::native::{Parameter, Shape, Where};

    use super::*;

    fn callable(names: &[&str]) -> Callable {
        let parameter = |name: &&str| Parameter {
            name: Some((*name).to_owned()),
            at: Where::Nowhere,
            shape: Shape::Text,
            counted_by: None,
        };
        Callable {
            function: "merge".to_owned(),
            file: "a.c".to_owned(),
            line: 3,
            module: "/a".to_owned(),
            offset: 0,
            parameters: names.iter().map(parameter).collect(),
            result: None,
        }
    }

    fn object(id: u64, length: Option<u64>) -> Told {
        let thing = Thing { id, length, first: 1, last: 2, text: Vec::new() };
        Told { known: Some(id), is_object: true, thing: Some(thing), ..Told::default() }
    }

    fn plain(known: u64) -> Told {
        Told { known: Some(known), number: i64::try_from(known).ok(), ..Told::default() }
    }

    fn gave(number: i64) -> Option<Given> {
        Some(Given { known: number.cast_unsigned(), number: Some(number), length: None })
    }

    fn call(book: &mut Book, given: &[Told], taken: u64, gave: Option<Given>) {
        let begun = book.begins(given.to_vec(), false);
        book.ends(begun, taken, gave, given);
    }

    #[test]
    fn the_same_input_and_result_are_a_repeat_and_anything_less_is_none() {
        let same = |given: &dyn Fn(u64) -> Vec<Told>, gives: &dyn Fn(u64) -> Option<Given>, taken| {
            let mut book = Book::default();
            for at in 0..20 {
                call(&mut book, &given(at), taken, gives(at));
            }
            book.repeat(&callable(&["text"]), 0).map(|repeat| repeat.same)
        };
        assert_eq!(same(&|_| vec![plain(7)], &|_| gave(4711), 9000), Some(19));
        assert_eq!(same(&|at| vec![plain(at)], &|_| gave(4711), 9000), Some(0));
        assert_eq!(same(&|_| vec![plain(7)], &|at| gave(at.cast_signed() + 5), 9000), Some(0));
        // It says that it worked.
        assert_eq!(same(&|_| vec![plain(7)], &|_| gave(0), 9000), Some(0));
        // Found as quickly as made; nothing given; nothing gave; nothing known.
        assert_eq!(same(&|_| vec![plain(7)], &|_| gave(4711), 300), None);
        assert_eq!(same(&|_| Vec::new(), &|_| gave(4711), 9000), None);
        assert_eq!(same(&|_| vec![plain(7)], &|_| None, 9000), None);
        assert_eq!(same(&|_| vec![plain(7), Told::default()], &|_| gave(4711), 9000), None);
    }

    #[test]
    fn who_changes_an_object_does_not_repeat() {
        let mut book = Book::default();
        for _ in 0..20 {
            let begun = book.begins(vec![plain(7), object(5, None)], false);
            book.ends(begun, 9000, gave(4711), &[plain(7), object(6, None)]);
        }
        assert_eq!(book.repeat(&callable(&["text", "to"]), 0).map(|repeat| repeat.same), Some(0));
    }

    #[test]
    fn time_goes_with_what_is_kept_or_with_the_turn() {
        let mut book = Book::default();
        for at in 1..200 {
            call(&mut book, &[object(5, Some(at))], at * 100, None);
        }
        let costs = book.costs(&callable(&["rows"]));
        let kept = costs.iter().find(|cost| cost.over == Over::Kept).unwrap();
        assert_eq!(kept.argument.as_deref(), Some("rows"));
        let (first, last) = (kept.sizes.first().unwrap(), kept.sizes.last().unwrap());
        assert!(last.median.as_nanos() > 10 * first.median.as_nanos());
        let turn = costs.iter().find(|cost| cost.over == Over::Turn).unwrap();
        assert_eq!(turn.sizes.last().map(|at| at.size), Some(164));

        let mut other = Book::default();
        for at in 1..200 {
            call(&mut other, &[object(at, Some(at % 30 + 1))], at * 100, None);
        }
        let costs = other.costs(&callable(&["rows"]));
        assert!(costs.iter().all(|cost| cost.over == Over::Given), "{costs:?}");
    }

    #[test]
    fn what_is_kept_of_many_calls_is_spread_over_all() {
        let mut book = Book::default();
        for at in 0..100_000 {
            call(&mut book, &[object(5, None)], at, None);
        }
        assert!(book.timed.len() < TIMED && book.timed.len() >= TIMED / 4);
        assert!(book.timed.first().unwrap().taken < 1000 && book.timed.last().unwrap().taken > 99_000);
    }
}
