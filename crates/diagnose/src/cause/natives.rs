//! Functions without a Python frame, of C, Cython or Rust: which are worth watching, and what the watch says of them.

use std::collections::{BTreeSet, HashMap};

use model::Nanos;
use model::profile::Place;
use model::recording::{Frame, Language, Owner, Recording};
use model::runtime::{Copies, Cost, Native, Runtime};

use super::facts::Inputs;
use super::runtime::{covered, is_at, is_by};
use super::subject::Subject;
use crate::profile::spots::Spot;

/// Of all time on a CPU, below one of them or one line: less is not worth a watch.
const MUCH: f64 = 0.1;

/// Lines and functions that are watched.
const MOST: usize = 12;

/// Of a place's time, in functions without a frame that do the same again, or take longer the more there is: as the rules want it of
/// a whole place.
const PART: f64 = 0.4;

/// Fewer calls say little of the next.
const CALLS: u64 = 10;

/// What is worth watching.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Natives {
    /// Functions of extension modules, each with the module's file.
    pub functions: Vec<(String, String)>,
    /// Lines of the program that extension modules work for, each with its file.
    pub lines: Vec<(String, u32)>,
    /// Lines of anybody's that much of the time is spent at: some may go through what a pattern finds.
    pub rounds: Vec<(String, u32)>,
}

/// Functions and lines that much of the time is spent below.
pub(super) fn worth_watching(recording: &Recording) -> Natives {
    let mut functions: HashMap<(&str, &str), u64> = HashMap::new();
    let mut lines: HashMap<(&str, u32), u64> = HashMap::new();
    let mut rounds: HashMap<(&str, u32), u64> = HashMap::new();
    let mut whole = 0_u64;
    for hit in &recording.hits {
        whole = whole.saturating_add(hit.weight);
        let Some(stack) = hit.stack else { continue };
        let frames: Vec<&Frame> = recording.frames_of(stack).collect();
        let named: BTreeSet<(&str, &str)> = frames
            .iter()
            .filter_map(|frame| Some((extension(recording, frame)?, cython(frame.function.as_deref()?)?)))
            .collect();
        for key in named {
            *functions.entry(key).or_default() += hit.weight;
        }
        let inner = frames.iter().position(|frame| frame.language == Language::Python);
        if let Some(frame) = inner.and_then(|at| frames.get(at))
            && let (Some(file), Some(line)) = (frame.file.as_deref(), frame.line)
        {
            *rounds.entry((file, line)).or_default() += hit.weight;
        }
        let works = |at: usize| frames.iter().take(at).any(|frame| extension(recording, frame).is_some());
        if let Some(at) = inner.filter(|at| works(*at))
            && let Some(frame) = frames.get(at).filter(|frame| frame.owner == Owner::Project)
            && let (Some(file), Some(line)) = (frame.file.as_deref(), frame.line)
        {
            *lines.entry((file, line)).or_default() += hit.weight;
        }
    }
    let least = MUCH * whole.max(1) as f64;
    Natives {
        functions: largest(functions, least, |(file, name)| (file.to_owned(), name.to_owned())),
        lines: largest(lines, least, |(file, line)| (file.to_owned(), line)),
        rounds: largest(rounds, least, |(file, line)| (file.to_owned(), line)),
    }
}

fn largest<K: Ord + Copy, T>(sums: HashMap<K, u64>, least: f64, owned: impl Fn(K) -> T) -> Vec<T> {
    let mut found: Vec<(K, u64)> = sums.into_iter().filter(|(_, weight)| *weight as f64 >= least).collect();
    found.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
    found.into_iter().take(MOST).map(|(key, _)| owned(key)).collect()
}

/// The file of the extension module that a frame runs in.
fn extension<'r>(recording: &'r Recording, frame: &Frame) -> Option<&'r str> {
    let path = recording.modules.get(frame.module? as usize)?.path.as_str();
    let installed = ["/site-packages/", "/dist-packages/", "/lib-dynload/"];
    (path.ends_with(".so") && installed.iter().any(|folder| path.contains(folder))).then_some(path)
}

/// What Python knows a function of Cython's by: `__pyx_pw_`, modules and classes each with their length, a number, and its name.
fn cython(symbol: &str) -> Option<&str> {
    let mut rest = symbol.strip_prefix("__pyx_pw_")?;
    loop {
        let letters = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let number = rest.strip_suffix(letters)?;
        let inner = number.parse::<usize>().ok().and_then(|length| letters.get(length..)?.strip_prefix('_'));
        // Behind what the name lies in comes another number.
        match inner.filter(|inner| inner.starts_with(|letter: char| letter.is_ascii_digit())) {
            Some(inner) => rest = inner,
            None => return Some(letters).filter(|name| !name.is_empty() && !number.is_empty()),
        }
    }
}

/// Of the time of a place, what one without a frame takes for it. The watched run takes longer than others, but not inside these.
fn part(inputs: &Inputs<'_>, runtime: &Runtime, spot: &Spot, native: &Native) -> Option<f64> {
    let place = covered(runtime, inputs.samples)? * spot.wall.value / inputs.study.had();
    (place > 0.0).then(|| native.taken.as_secs_f64() / place)
}

fn of<'i>(inputs: &Inputs<'i>, spot: &Spot) -> Vec<(&'i Native, f64)> {
    let Some(runtime) = inputs.runtime else { return Vec::new() };
    let own = runtime.natives.iter().filter(|native| native.calls >= CALLS && is_by(&native.by, &spot.place));
    own.filter_map(|native| Some((native, part(inputs, runtime, spot, native)?))).collect()
}

/// Notes whether most of what is done for a place without a frame is the same again.
pub(super) fn note_repeats(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let share = |native: &Native| native.same as f64 / native.calls.max(1) as f64;
    let large = of(inputs, spot).into_iter().filter(|(_, part)| *part >= PART);
    let Some((native, _)) = large.max_by(|(one, _), (other, _)| share(one).total_cmp(&share(other))) else {
        return;
    };
    if subject.value("repeat.same").is_some_and(|known| known >= share(native)) {
        return;
    }
    subject.number("repeat.same", share(native), "1", super::runtime::RUNTIME);
    subject
        .word("repeats", format!("about {} of {} calls of `{}`", native.same, native.calls, native.function));
    if share(native) >= super::runtime::SAME && native.file != native.by.file {
        subject.blame("repeated-work", &place_of(native));
    }
}

/// Costs of what a place has done without a frame, as far as most of its time grows with how much there is.
pub(super) fn growing<'i>(
    inputs: &Inputs<'i>,
    spot: &Spot,
    grows: impl Fn(&'i Cost) -> Option<f64>,
) -> Option<(&'i Cost, f64)> {
    let steepest = |native: &'i Native| {
        let powers = native.costs.iter().filter_map(|cost| Some((cost, grows(cost)?)));
        powers.max_by(|(_, one), (_, other)| one.total_cmp(other))
    };
    let found: Vec<_> =
        of(inputs, spot).into_iter().filter_map(|(native, part)| Some((steepest(native)?, part))).collect();
    let most = found.iter().max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(cost, _)| *cost);
    most.filter(|_| found.iter().map(|(_, part)| part).sum::<f64>() >= PART)
}

/// Bytes a second at which memory is copied into pages that were just fetched for it.
const COPYING: f64 = 1e9;

/// Notes what arrays cost a place that are put together anew for a small change, by itself or by a package that most of its time
/// goes through.
pub(super) fn note_anew(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let Some(runtime) = inputs.runtime else { return };
    let branches = spot.branches.iter().filter(|(_, share)| *share >= PART).map(|(place, _)| place);
    let places: Vec<&Place> = branches.chain(&spot.through).chain([&spot.place]).collect();
    let here = |copies: &&Copies| {
        let is_here = |place: &&Place| is_at(place, &copies.function, &copies.file, copies.line);
        copies.calls >= CALLS && places.iter().any(is_here)
    };
    let share = |copies: &Copies| copies.bytes.as_bytes() as f64 / COPYING / copies.taken.as_secs_f64();
    let found = runtime.copies.iter().filter(here).filter(|copies| copies.taken > Nanos::ZERO);
    let Some(most) = found.max_by(|one, other| share(one).total_cmp(&share(other))) else { return };
    subject.number("array.anew", share(most).min(1.0), "1", super::runtime::RUNTIME);
    let each = most.bytes.as_bytes() as f64 / most.calls as f64 / 1000.0;
    subject.word(
        "anew",
        format!(
            "each call of `{}` puts arrays of {each:.0} kB together anew, almost as they were",
            most.function
        ),
    );
}

fn place_of(native: &Native) -> Place {
    Place {
        function: native.function.clone(),
        file: Some(native.file.clone()),
        line: None,
        module: None,
        language: Language::Native,
        owner: Owner::Library,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_cython_has_its_own_name_behind_those_it_lies_in() {
        assert_eq!(cython("__pyx_pw_8fastavro_7_schema_19parse_schema"), Some("parse_schema"));
        assert_eq!(cython("__pyx_pw_4lxml_5etree_8_Element_33__getitem__"), Some("__getitem__"));
        assert_eq!(cython("__pyx_pw_3one_3abc_def"), Some("abc_def"), "a number, not a length");
        assert_eq!(cython("__pyx_f_4lxml_5etree__findChild"), None);
        assert_eq!(cython("__pyx_pw_"), None);
        assert_eq!(cython("__pyx_pw_99"), None);
    }
}
