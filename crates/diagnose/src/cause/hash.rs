//! Hash functions of the user's that give many keys the same value: each look-up then goes through a chain.

use model::profile::Place;
use model::recording::{Frame, Owner, Recording};
use model::source::Context;

use super::facts::{Contexts, RECORDER};
use super::source::SOURCE;
use super::subject::Subject;
use crate::profile::family::Family;
use crate::profile::spots::Spot;

/// From this share of a place's time on, its hash tables are what it does.
const LOOKS_UP: f64 = 0.5;

pub(super) fn note(subject: &mut Subject, spot: &Spot, contexts: &Contexts<'_>) {
    if spot.family(Family::Hash) < LOOKS_UP || spot.place.owner != Owner::Project {
        return;
    }
    let weak = contexts.iter().find_map(|((file, line), context)| {
        let name = context.function.as_ref()?.name.as_deref().filter(|name| is_hash(name))?;
        Some((*file, *line, name, weak(context)?))
    });
    subject.number("source.weak-hash", f64::from(u8::from(weak.is_some())), "yes", SOURCE);
    if let Some((file, line, name, what)) = weak {
        subject.word("what", what);
        subject.word("way", "hash");
        let place = Place {
            function: name.to_owned(),
            file: Some(file.to_owned()),
            line: Some(line),
            ..spot.place.clone()
        };
        subject.instead.insert("algorithmic-growth", place);
    }
}

/// So many times as long as they are hashed are keys compared only where many have the same hash: a look-up hashes once and
/// compares about once, at like cost.
pub(super) const COMPARED: f64 = 4.0;

/// Notes whether keys that it looks up are compared for much longer than they are hashed, and which function hashes them.
pub(super) fn note_compares(subject: &mut Subject, spot: &Spot, recording: &Recording) {
    // Whoever goes through a list compares all of it, whatever the hashes are.
    if subject.value("source.growth") == Some(1.0)
        || subject.value("leaf.search").is_some_and(|it| it >= LOOKS_UP)
    {
        return;
    }
    let looked_up = recording.frames.iter().find_map(|frame| Keys::of(recording, frame, &spot.place));
    let Some((keys, ratio)) = looked_up.and_then(|keys| Some((keys, keys.compared(recording)?))) else {
        return;
    };
    subject.number("hash.compares", ratio, "x", RECORDER);
    if let Some(place) = super::team::place(recording, keys.hash).filter(|_| ratio >= COMPARED) {
        subject.word("way", "keys");
        for cause in ["algorithmic-growth", "hot-compute"] {
            subject.instead.insert(cause, place.clone());
        }
    }
}

/// So many steps along a chain for each look-up only many keys with the same hash make. Each step takes the remainder of a
/// hash, as the look-up itself does once. With keys well spread there is at most one step, and where it has to wait for
/// memory it takes some twenty times as long.
pub(super) const CHAINED: f64 = 40.0;

/// Notes how far the look-ups of a place go along the chains of a C++ table.
pub(super) fn note_chain(subject: &mut Subject, spot: &Spot, recording: &Recording) {
    let takes_remainder = |frame: &Frame| {
        frame.function.as_deref().is_some_and(|name| name.contains("_Mod_range_hashing::operator()"))
    };
    if !recording.frames.iter().any(takes_remainder) {
        return;
    }
    let (mut steps, mut looked_up, mut all) = (0.0, 0.0, 0.0);
    let mut key = None;
    for hit in &recording.hits {
        all += hit.weight as f64;
        let Some(stack) = hit.stack else { continue };
        let mut frames = recording.frames_of(stack);
        if !frames.next().is_some_and(takes_remainder) {
            continue;
        }
        let mut walks = false;
        let own = frames.find(|frame| {
            let name = frame.function.as_deref().unwrap_or_default();
            walks |= name.contains("_M_find_before_node");
            key = key.or_else(|| key_of(name));
            frame.owner == Owner::Project
        });
        if own.is_some_and(|frame| frame.function.as_deref() == Some(&spot.place.function)) {
            *(if walks { &mut steps } else { &mut looked_up }) += hit.weight as f64;
        }
    }
    if all == 0.0 || steps < SEEN * all {
        return;
    }
    // What was seen without a hit takes less than one.
    let ratio = steps / f64::max(looked_up, all / recording.hits.len().max(1) as f64);
    subject.number("hash.chain", ratio, "x", RECORDER);
    if ratio >= CHAINED {
        subject.word("way", "chain");
        subject.word("what", key.unwrap_or("its keys"));
    }
}

/// What a C++ table is looked up by: the first of its parameters.
fn key_of(function: &str) -> Option<&str> {
    let parameters = function.split_once("_Hashtable<")?.1;
    let mut depth = 0;
    let end = parameters.find(|letter| {
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        depth == 0 && letter == ','
    });
    end.map(|end| &parameters[..end])
}

/// How the keys of one class are compared and hashed.
#[derive(Clone, Copy)]
struct Keys<'a> {
    eq: &'a Frame,
    hash: &'a Frame,
}

impl<'a> Keys<'a> {
    /// Those that a place compares, itself or by way of the runtime.
    fn of(recording: &'a Recording, eq: &'a Frame, place: &Place) -> Option<Self> {
        const PAIRS: [(&str, &str); 2] = [(".__eq__", ".__hash__"), (".equals", ".hashCode")];
        let function = eq.function.as_deref().filter(|_| eq.owner == Owner::Project)?;
        let (class, hash) = PAIRS.iter().find_map(|(eq, hash)| Some((function.strip_suffix(eq)?, hash)))?;
        let name = format!("{class}{hash}");
        let is_hash = |frame: &&Frame| frame.function.as_deref() == Some(&name) && frame.file == eq.file;
        let keys = Self { eq, hash: recording.frames.iter().find(is_hash)? };
        let (all, here) = keys.weights(recording, place);
        (function == place.function || here >= CALLED * all).then_some(keys)
    }

    /// Time in comparing, and the part of it that this place has done.
    fn weights(&self, recording: &Recording, place: &Place) -> (f64, f64) {
        let caller = |stack: u32| {
            let mut outwards = recording.frames_of(stack).skip_while(|frame| !same(frame, self.eq));
            outwards.find(|frame| frame.owner == Owner::Project && !same(frame, self.eq))
        };
        let is_place = |frame: &Frame| frame.function.as_deref() == Some(&place.function);
        let mut sums = (0.0, 0.0);
        for (stack, weight) in below(recording, self.eq) {
            sums.0 += weight;
            sums.1 += if caller(stack).is_some_and(is_place) { weight } else { 0.0 };
        }
        sums
    }

    /// Time in comparing against time in hashing. `None` where comparing takes too little to matter.
    fn compared(&self, recording: &Recording) -> Option<f64> {
        let of = |frame: &Frame| below(recording, frame).map(|(_, weight)| weight).sum::<f64>();
        let (compared, hashed) = (of(self.eq), of(self.hash));
        let all = recording.hits.iter().map(|hit| hit.weight as f64).sum::<f64>();
        // What was seen without a hit takes less than one.
        let one = all / recording.hits.len().max(1) as f64;
        (all > 0.0 && compared >= SEEN * all).then(|| compared / hashed.max(one))
    }
}

/// From this part of all comparing on, a place is one that looks keys up.
const CALLED: f64 = 0.2;

/// Less than this part of the run in comparing keys is nobody's trouble.
const SEEN: f64 = 0.1;

fn same(one: &Frame, other: &Frame) -> bool {
    one.function == other.function && one.file == other.file
}

/// Stacks with this function in them, each with its weight.
fn below<'a>(recording: &'a Recording, function: &'a Frame) -> impl Iterator<Item = (u32, f64)> + 'a {
    let hits = super::whole::hits_below(recording, |frame| same(frame, function));
    hits.filter_map(|hit| Some((hit.stack?, hit.weight as f64)))
}

/// By the names that languages ask for.
fn is_hash(function: &str) -> bool {
    let last = function.rsplit(['.', ':']).next().unwrap_or_default();
    matches!(last, "hashCode" | "__hash__" | "hash") || function.contains("hash<") && last == "operator()"
}

/// What a hash function returns, if nothing in it spreads the parts: sums and exclusive ors of coordinates coincide, a
/// product or a shift by a constant does not.
fn weak(context: &Context) -> Option<String> {
    let text = context.statement.join(" ");
    let value = text.trim().strip_prefix("return")?.trim().trim_end_matches(';').trim();
    let spreads = ["*", "<<", ">>", "%", "rotate", "mix", "combine"].iter().any(|sign| value.contains(sign));
    let joins = ["^", "+", "|"].iter().any(|sign| value.contains(sign));
    let is_constant = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    (is_constant || joins && !spreads).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_that_spread_nothing_are_told_from_others() {
        let weak = |statement: &str| {
            let context = Context {
                language: model::source::Language::Cpp,
                line: 1,
                function: None,
                loops: Vec::new(),
                statement: vec![statement.to_owned()],
                traits: Vec::new(),
                callees: Vec::new(),
                in_lock: None,
                in_transaction: None,
                damaged: false,
            };
            weak(&context)
        };
        for text in ["return x ^ y;", "return self.x + self.y", "return 1;", "return h(a.x) ^ h(a.y);"] {
            assert!(weak(text).is_some(), "{text}");
        }
        for text in
            ["return 31 * x + y;", "return x ^ (y << 16);", "return hash((self.x, self.y))", "h ^= x;"]
        {
            assert_eq!(weak(text), None, "{text}");
        }
        assert!(is_hash("std::hash<ants::Spot>::operator()") && is_hash("Spot.hashCode"));
        assert!(!is_hash("Less::operator()") && !is_hash("rehash"));
        assert_eq!(
            key_of("std::_Hashtable<std::pair<int, int>, Parcel, std::hash<int> >::count"),
            Some("std::pair<int, int>")
        );
        assert_eq!(key_of("std::_Hashtable<Square"), None);
    }
}
