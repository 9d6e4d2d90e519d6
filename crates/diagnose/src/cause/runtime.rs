//! What the runtime itself says: its collector, and calls that repeat.

use model::profile::{LineCost, Place};
use model::recording::{Frame, Language, Owner};
use model::runtime::{Repeat, Runtime, Step, StepKind, StepPlace};
use model::source::{Context, TraitKind};
use model::{Metric, Nanos, Sample};

use super::facts::{Contexts, Inputs, RECORDER};
use super::subject::Subject;
use crate::pool::Pool;
use crate::profile::family::{self, Family};
use crate::profile::spots::{Spot, is_packaged};

pub(super) const RUNTIME: (&str, &str) = (model::runtime::RUNTIME, "the runtime itself");

/// Who says which calls repeat and grow.
pub(super) fn source_of(runtime: &Runtime) -> (&'static str, &'static str) {
    if runtime.is_native() { (model::runtime::RUNTIME, "its functions, watched") } else { RUNTIME }
}

/// Seconds that functions were watched, less those in which others had the CPU: what calls took is without those, too, but for
/// a few.
pub(super) fn watched(runtime: &Runtime) -> Option<f64> {
    let watched = runtime.watched?.as_secs_f64();
    let wall = runtime.run.wall.as_secs_f64();
    let queued = runtime.run.main_thread.map_or(0.0, |thread| thread.runnable.as_secs_f64());
    Some(if wall > 0.0 { watched * (1.0 - queued / wall).clamp(0.0, 1.0) } else { watched })
}

/// Of the calls of a package's function, with the input and result of an earlier one: as the rule wants it.
pub(super) const SAME: f64 = 0.8;

/// With fewer calls than this, much of what is kept is made once anyway.
const CALLS: u64 = 10;

/// The collector's share of the run, as the runtime counts it.
fn collecting(runtime: &Runtime, samples: &[Sample]) -> Option<f64> {
    let whole = if runtime.collector.beside { Metric::Cpu } else { Metric::Wall };
    let usual = runtime.sites.as_ref().and_then(|_| Pool::of(samples, 0).median(whole));
    let span = runtime.collector.span.map_or(0.0, Nanos::as_secs_f64);
    let whole = whole.of(&runtime.run).map(|own| collected_in(own, usual, span));
    let whole = whole.filter(|whole| *whole > 0.0)?;
    Some((runtime.collector.taken.as_secs_f64() / whole).min(1.0))
}

/// Seconds that the collector's are a part of. A run whose objects were sampled takes longer than others, where the sampling
/// begins and ends: what it collected is compared with those, or with the time from its first collection to its last, where
/// that is longer: what made the program slower in between made its collections slower, too.
fn collected_in(own: f64, usual: Option<f64>, span: f64) -> f64 {
    usual.map_or(own, |usual| own.min(usual.max(span)))
}

/// Of wall time, while the collector lets nothing else run.
const STOPPED: f64 = 0.25;

/// On a busy machine the program waits for a CPU in the middle of a collection, too.
fn was_held_up(run: &Sample) -> bool {
    let waited = run.main_thread.map(|thread| thread.runnable.as_secs_f64());
    waited.zip(Metric::Wall.of(run)).is_none_or(|(waited, wall)| waited > HELD_UP * wall)
}

/// More of its time than this in line for a CPU makes wall times of single steps meaningless.
const HELD_UP: f64 = 0.2;

/// Notes what the collector says of itself, and what of it the program can win back: `meanwhile` is the share of wall time that the
/// profile saw in the program's own threads.
pub(super) fn note_collector(subject: &mut Subject, inputs: &Inputs<'_>, meanwhile: Option<f64>) {
    let Some(runtime) = inputs.runtime.filter(|runtime| !runtime.is_native()) else { return };
    let Some(share) = collecting(runtime, inputs.samples) else { return };
    subject.number("gc.share", share, "1", RUNTIME);
    subject.word("collections", runtime.collector.collections.to_string());
    // An interpreter without symbols hides its collector from the profile; and where it stops the program for so long,
    // it matters little which library made the last object.
    let seen = subject.value("collector");
    let stops = !runtime.collector.beside && share >= STOPPED && !was_held_up(&runtime.run);
    if seen.is_none() || stops && seen < Some(share) {
        subject.number("collector", share, "1", RUNTIME);
    }
    // The profile adds what the heap's growth costs the kernel; the runtime counts its own work alone, by a clock that goes on
    // while others have the CPU.
    let part = if runtime.collector.beside { share } else { share * inputs.study.had() };
    let usual = Pool::of(inputs.samples, 0).median(Metric::Wall).filter(|usual| *usual > 0.0);
    let most = usual.map(|usual| runtime.collector.taken.as_secs_f64() / usual * inputs.study.had());
    let watched = runtime.watched.is_some() && !runtime.collector.beside;
    match meanwhile.zip(most).filter(|_| watched) {
        Some((seen, most)) => subject.number("collector.part", between(seen, part, most), "1", RECORDER),
        None => subject.number("collector.part", part, "1", RUNTIME),
    }
}

/// A run whose functions are watched takes several times as long, and its collector goes through what was learnt, too: its share of
/// that run is too small, and what it took too much for a usual one. In between the profile of the undisturbed run decides.
fn between(seen: f64, of_watched: f64, of_usual: f64) -> f64 {
    seen.min(of_usual).max(of_watched).min(1.0)
}

/// Bytes for each second of CPU time: at 16 bytes a number and some nanoseconds each, a tenth of the time and more.
const BOXED: f64 = 300e6;

/// Notes what the runtime says of its heap: how much of it is in use, and how fast it is used up.
pub(super) fn note_heap(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot, contexts: &Contexts<'_>) {
    let collector = inputs.runtime.map(|runtime| (runtime.collector, &runtime.run));
    let peak = |run: &Sample| Some(run.peak_rss.as_bytes() as f64).filter(|peak| *peak > 0.0);
    let kept = collector.and_then(|(collector, run)| Some(collector.kept? as f64 / peak(run)?));
    if let Some(kept) = kept {
        subject.number("gc.kept", kept.min(1.0), "1", RUNTIME);
    }
    let untold = subject.value("managed") == Some(1.0) && kept.is_none();
    subject.number("heap.untold", f64::from(u8::from(untold)), "yes", RECORDER);
    let cpu = |run: &Sample| Metric::Cpu.of(run).filter(|cpu| *cpu > 0.0);
    let made = collector.and_then(|(collector, run)| Some(collector.allocated? as f64 / cpu(run)?));
    // The JVM's compiled code makes objects in place: no allocator shows in the profile, only the lines that have them made.
    let boxing = if made.is_some_and(|made| made >= BOXED) { boxing(spot, contexts) } else { 0.0 };
    if let Some(allocating) = subject.value("leaf.allocate") {
        subject.share("allocating", allocating.max(boxing), spot.n);
    }
}

/// Share of a place's time at lines that put numbers into objects.
fn boxing(spot: &Spot, contexts: &Contexts<'_>) -> f64 {
    let file = spot.place.file.as_deref().unwrap_or_default();
    let boxes = |context: &&Context| context.traits.iter().any(|found| found.kind == TraitKind::Boxing);
    let lines = spot.lines.iter().filter(|line| contexts.get(&(file, line.line)).is_some_and(boxes));
    lines.map(|line| line.share).sum::<f64>().min(1.0)
}

/// Notes whether the function, or the nearest one that calls it, does the same again: that one's results can be kept.
pub(super) fn note_repeats(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let Some(runtime) = inputs.runtime.filter(|runtime| !runtime.repeats.is_empty()) else { return };
    let hidden = hidden(inputs, spot);
    let own = hidden.iter().chain([&spot.place]).chain(spot.callers.iter().map(|(place, _)| place));
    let places = own.chain(&spot.through);
    let repeats = || places.clone().filter_map(|place| Some((place, of(runtime, place)?)));
    let Some((place, given)) = repeats().max_by(|(_, one), (_, other)| given(one).total_cmp(&given(other)))
    else {
        return;
    };
    // Results of native functions are not compared with those of other inputs.
    if !runtime.is_native() {
        subject.number("repeat.given", self::given(given), "1", RUNTIME);
    }
    subject.word("given", format!("about {} of {} calls of `{}`", given.given, given.calls, given.function));
    if place.owner == Owner::Project && place.function != spot.place.function && self::given(given) >= SAME {
        subject.instead.insert("repeated-work", place.clone());
    }
    let most = repeats().max_by(|(_, one), (_, other)| share(one).total_cmp(&share(other)));
    let most =
        most.filter(|(_, repeat)| share(repeat) >= SAME).or_else(|| divided(runtime, inputs, spot)).or(most);
    let Some((place, repeat)) = most else { return };
    subject.number("repeat.same", share(repeat), "1", source_of(runtime));
    subject
        .word("repeats", format!("about {} of {} calls of `{}`", repeat.same, repeat.calls, repeat.function));
    // What gives the same from other inputs stays the place to change, unless one gets the same inputs too.
    if share(repeat) < SAME {
        return;
    }
    if place.owner != Owner::Project {
        // The package does it again; the place that calls it is still the one to change, or its owner's.
        subject.blame("repeated-work", place);
    } else if place.function != spot.place.function {
        subject.instead.insert("repeated-work", place.clone());
    }
}

/// Notes of a place that works on a database whether what it does again is the database's own work. Where calls with the input and
/// the result of an earlier one lead there, and nobody asks it for anything, the database is a part of what is done again.
pub(super) fn note_pages(subject: &mut Subject) {
    let Some(database) = subject.value("database") else { return };
    let again = subject.value("repeat.same").is_some_and(|same| same >= SAME);
    let asks = subject.value("source.query") != Some(0.0);
    let pages = database == 1.0 && (asks || !again);
    subject.number("database.pages", f64::from(u8::from(pages)), "yes", RECORDER);
}

/// Of the place's time, in compiling patterns that are kept by nobody: as the rule wants it.
const COMPILING: f64 = 0.2;

/// Of the patterns, those that were compiled before: below this each is compiled once.
pub(super) const ONCE: f64 = 0.2;

/// Notes of a place that compiles patterns whether they are the same again: Python's library keeps those that come back soon.
pub(super) fn note_compiled(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let Some(runtime) = inputs.runtime.filter(|_| spot.place.language == Language::Python) else { return };
    let Some(compiling) = subject.value("leaf.regex-compile").filter(|share| *share >= COMPILING) else {
        return;
    };
    let compiles = |repeat: &&Repeat| {
        let file = repeat.file.as_str();
        let is_library = file.ends_with("/re/_compiler.py") || file.ends_with("/sre_compile.py");
        is_library && repeat.function == "compile" && repeat.calls >= CALLS
    };
    let Some(repeat) = runtime.repeats.iter().find(compiles) else { return };
    subject.number("compile.same", share(repeat), "1", RUNTIME);
    // What an object is made ready with, each once, is done before the work begins.
    let makes = std::iter::once(&spot.place).chain(spot.callers.iter().map(|(place, _)| place));
    let is_initialiser = |place: &Place| place.function.rsplit('.').next() == Some("__init__");
    if share(repeat) <= ONCE && makes.take(2).any(is_initialiser) {
        let starting = subject.value("starting").unwrap_or(0.0).max(compiling);
        subject.share("starting", starting, spot.n);
    }
}

/// Notes what the watched functions of packages take that copy objects: V8 hides small ones in those that call them.
pub(super) fn note_copies(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let Some(runtime) = inputs.runtime else { return };
    let Some(watched) = watched(runtime) else { return };
    // Whose copies they are is known where one place has most of the time.
    if spot.wall.value < HIDES * inputs.study.had() {
        return;
    }
    let whole = watched * (spot.wall.value / inputs.study.had()).min(1.0);
    let copies = |repeat: &&Repeat| {
        let is_here = |place: &&Place| is_at(place, &repeat.function, &repeat.file, repeat.line);
        spot.packages().find(is_here).is_some_and(|place| family::of(place) == Some(Family::DeepCopy))
    };
    let taken = runtime.repeats.iter().filter(copies).filter_map(|repeat| repeat.taken);
    let most = taken.map(|taken| taken.as_secs_f64() / whole.max(f64::MIN_POSITIVE)).fold(0.0, f64::max);
    if subject.value("leaf.deep-copy").is_some_and(|known| most > known) {
        subject.number("leaf.deep-copy", most.min(1.0), "1", RUNTIME);
    }
}

/// Of the place's time, in functions of packages that all do the same again.
const DIVIDED: f64 = 0.6;

/// Where a place's work divides and most of it is in functions of packages that do the same again, each its own: the one with most
/// of it.
fn divided<'s, 'r>(
    runtime: &'r Runtime,
    inputs: &Inputs<'_>,
    spot: &'s Spot,
) -> Option<(&'s Place, &'r Repeat)> {
    let again: Vec<(&Place, f64, &Repeat)> = spot
        .branches
        .iter()
        .filter_map(|(place, part)| Some((place, *part, of(runtime, place)?)))
        .filter(|(_, _, repeat)| share(repeat) >= SAME)
        .collect();
    let is = |frame: &Frame, place: &Place| {
        frame.file == place.file && frame.function.as_deref() == Some(place.function.as_str())
    };
    let recording = inputs.recording;
    let here = super::whole::below(recording, |frame| is(frame, &spot.place));
    let in_vain = super::whole::below(recording, |frame| again.iter().any(|(place, ..)| is(frame, place)));
    let has =
        |table: &[bool], stack: Option<u32>| stack.and_then(|stack| table.get(stack as usize)) == Some(&true);
    let (mut share, mut whole) = (0.0, 0.0);
    for hit in recording.hits.iter().filter(|hit| has(&here, hit.stack)) {
        whole += hit.weight as f64;
        share += if has(&in_vain, hit.stack) { hit.weight as f64 } else { 0.0 };
    }
    let first = again.iter().max_by(|(_, one, _), (_, other, _)| one.total_cmp(other))?;
    (share >= DIVIDED * whole).then_some((first.0, first.2))
}

/// Mean time of a match, in seconds, from which on it may have tried more than one way: a token takes a few microseconds.
const LONG_MATCH: f64 = 20e-6;

/// A match so many times longer than the mean one is another kind of match.
const LONGEST_MATCH: f64 = 100.0;

/// If it takes this much of all, too: whatever interrupts one of many short matches takes a hundred times as long as they do.
/// All of it on a CPU: what waits for one is no match.
const TRIED: f64 = 0.02;

/// So many matches that were timed tell of the others.
const MATCHES: u64 = 1000;

/// Of the place's time, in patterns that go through the rest of a text at each turn: most of it, as the rule wants it.
const AGAIN: f64 = 0.5;

/// Fewer statements are no loop over rows.
const QUERIES: u64 = 100;

/// Of the time in which the profile says that patterns are matched, in matches that were seen: they tell of the rest. The
/// first 200,000 are seen, which of millions are a few hundredths, and a busy machine makes less of them.
const SEEN: f64 = 0.01;

/// Of the statements, those that ask for rows. Who writes asks in between, too.
const READS: f64 = 0.7;

/// Of the place's time in the database itself, where an object mapper takes most of the rest.
const ASKED: f64 = 0.1;

/// Of the place's time at lines that ask for rows again and again: a mapper may take it all, and is asked as often. Where the
/// kernel takes more than a little, rows are written.
const AT_LINES: f64 = 0.5;
const KERNEL: f64 = 0.2;

/// Notes what functions without a frame of their own did for the place: patterns that were matched and statements that were
/// executed, by itself or through a package. The watched run takes longer than others, but not inside these.
pub(super) fn note_steps(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let Some(runtime) = inputs.runtime.filter(|runtime| !runtime.is_native()) else { return };
    let of = |kind: StepKind| {
        runtime.steps.iter().filter(move |step| step.kind == kind && is_by(&step.by, &spot.place))
    };
    let seconds = |step: &Step| step.taken.as_secs_f64();
    let on_cpu = |step: &Step| step.on_cpu.map_or_else(|| seconds(step), |all| all.as_secs_f64());
    let tries = |step: &&Step| {
        let all = on_cpu(step);
        let mean = all / step.calls.max(1) as f64;
        mean >= LONG_MATCH || step.longest.as_secs_f64() >= (TRIED * all).max(LONGEST_MATCH * mean)
    };
    // On a busy machine a run waits for a CPU longer than the next one; what is computed stays the same.
    let computed =
        computed(runtime, inputs).map(|all| all * spot.wall.value / inputs.study.share_in("on-cpu"));
    let covered =
        covered(runtime, inputs.samples).map(|covered| covered * spot.wall.value / inputs.study.had());
    let Some(covered) = covered.or(computed) else { return };
    let share = |taken: f64| (taken / covered).min(1.0);
    let of_computed =
        |taken: f64| (taken / computed.map_or(covered, |computed| covered.min(computed))).min(1.0);
    let matched: u64 = of(StepKind::Match).map(|step| step.calls).sum();
    let seen = of_computed(of(StepKind::Match).map(on_cpu).sum());
    // Matches that nobody saw, as those of an iterator, are not told by the others.
    if matched >= MATCHES && subject.value("regex").is_none_or(|known| seen >= SEEN * known) {
        let any = of(StepKind::Match).any(|step| tries(&step));
        subject.number("regex.tries", f64::from(u8::from(any)), "yes", RUNTIME);
        if let Some(plain) = subject.value("regex").filter(|_| !any) {
            subject.number("regex.plain", plain, "1", RUNTIME);
        }
    }
    let matching = of_computed(of(StepKind::Match).filter(tries).map(on_cpu).sum());
    let again: Option<f64> = of(StepKind::Match).map(|step| Some(step.again?.as_secs_f64())).sum();
    let again = again.map(of_computed);
    if let Some(again) = again {
        subject.number("regex.again", again, "1", RUNTIME);
    }
    if let Some(again) = again.filter(|again| *again >= AGAIN) {
        // It tries one way only, too often.
        subject.number("regex", (matching - again).max(0.0), "1", RUNTIME);
        subject.word("what", "a search that begins again behind each find");
    } else if subject.value("regex").is_some_and(|known| matching > known) {
        subject.number("regex", matching, "1", RUNTIME);
    }
    let of_packages = |kind: StepKind| {
        of(kind).filter(|step| Some(step.inside.file.as_str()) != spot.place.file.as_deref())
    };
    let packages = || of_packages(StepKind::Query);
    let queries: u64 = packages().map(|step| step.calls).sum();
    let in_loop = subject.value("loops").is_some_and(|loops| loops >= 1.0);
    let often = |line: &&LineCost| {
        let here = packages().filter(|step| step.by.line == line.line);
        here.map(|step| step.calls).sum::<u64>() >= QUERIES
    };
    let at_lines: f64 = spot.lines.iter().filter(often).map(|line| line.share).sum();
    let others: u64 = of_packages(StepKind::Statement).map(|step| step.calls).sum();
    let reads = queries as f64 >= READS * (queries + others) as f64;
    let asks =
        share(packages().map(seconds).sum()) >= ASKED || at_lines >= AT_LINES && spot.in_kernel() < KERNEL;
    if queries >= QUERIES && in_loop && reads && asks {
        subject.number("source.query", 1.0, "yes", RUNTIME);
        subject.number("database", 1.0, "yes", RUNTIME);
        subject.share("leaf.database", spot.packages, spot.n);
    }
}

/// Whether a step was made for the function at a place.
pub(super) fn is_by(by: &StepPlace, place: &Place) -> bool {
    Some(by.file.as_str()) == place.file.as_deref() && plain(&by.function) == plain(&place.function)
}

/// Seconds of an ordinary run that the watched part of this one stands for: after it, the program went on at its usual pace.
pub(super) fn covered(runtime: &Runtime, samples: &[Sample]) -> Option<f64> {
    let usual = Pool::of(samples, 0).median(Metric::Wall)?;
    let after = Metric::Wall.of(&runtime.run)? - runtime.watched?.as_secs_f64();
    Some(usual - after.max(0.0)).filter(|covered| *covered > LEAST_COVERED * usual)
}

/// The same on a CPU, of the process that was watched. `None` where it computes next to nothing.
fn computed(runtime: &Runtime, inputs: &Inputs<'_>) -> Option<f64> {
    let usual = Pool::of(inputs.samples, 0).median(Metric::Cpu)?;
    let after = Metric::Cpu.of(&runtime.run)? - runtime.watched_on_cpu?.as_secs_f64();
    let computed = usual - after.max(0.0);
    (computed > LEAST_COVERED * usual && inputs.study.share_in("on-cpu") > LEAST_COVERED).then_some(computed)
}

/// Less of a run than this is its start.
const LEAST_COVERED: f64 = 0.05;

/// The name of a function, without what it stands in; a generator or a short function inside it is part of it.
fn plain(function: &str) -> &str {
    let own = function.split(".<locals>.<").next().unwrap_or(function);
    own.rsplit('.').next().unwrap_or(own)
}

fn given(repeat: &Repeat) -> f64 {
    repeat.given as f64 / repeat.calls.max(1) as f64
}

fn share(repeat: &Repeat) -> f64 {
    repeat.same as f64 / repeat.calls.max(1) as f64
}

/// The function at a place, if it was called often enough to tell.
pub(super) fn of<'r>(runtime: &'r Runtime, place: &Place) -> Option<&'r Repeat> {
    let is_here =
        |repeat: &&Repeat| repeat.calls >= CALLS && is_at(place, &repeat.function, &repeat.file, repeat.line);
    runtime.repeats.iter().find(is_here)
}

/// Whether a function of the runtime's, which begins at a line, is the one at a place.
pub(super) fn is_at(place: &Place, function: &str, file: &str, line: u32) -> bool {
    let name = |function: &str| function.rsplit('.').next().unwrap_or(function).to_owned();
    // Node's places are where a function begins, others are its most expensive line.
    let begins = place.language != Language::JavaScript || place.line == Some(line);
    place.file.as_deref() == Some(file) && begins && name(function) == name(&place.function)
}

/// Of a place's time, what a function takes that the place hides: most of it.
const HIDES: f64 = 0.5;

/// The program's own functions that V8 has put into the one at a place, as far as they take most of its time, innermost first:
/// the profile has their time there.
pub(super) fn hidden(inputs: &Inputs<'_>, spot: &Spot) -> Vec<Place> {
    let Some(runtime) = inputs.runtime.filter(|_| spot.place.language == Language::JavaScript) else {
        return Vec::new();
    };
    let Some(watched) = watched(runtime).filter(|_| spot.place.owner == Owner::Project) else {
        return Vec::new();
    };
    let least = HIDES * watched * (spot.wall.value / inputs.study.had()).min(1.0);
    let costs =
        runtime.costs.iter().map(|one| (&one.function, &one.file, one.line, Some(one.taken), &one.callers));
    let repeats =
        runtime.repeats.iter().map(|one| (&one.function, &one.file, one.line, one.taken, &one.callers));
    let all: Vec<_> = costs.chain(repeats).collect();
    // Whoever has more of the time itself is told for it.
    let seen = |place: &Place| {
        let same = |other: &Spot| other.place.file == place.file && other.place.line == place.line;
        inputs.study.spots.iter().any(|other| same(other) && other.wall.value >= spot.wall.value)
    };
    let mut found: Vec<Place> = vec![spot.place.clone()];
    let mut next = 0;
    while let Some(caller) = found.get(next).cloned() {
        next += 1;
        for (function, file, line, taken, callers) in &all {
            let place = Place {
                function: (*function).clone(),
                file: Some((*file).clone()),
                line: Some(*line),
                ..spot.place.clone()
            };
            let called = callers.iter().any(|one| is_at(&caller, &one.function, &one.file, one.line))
                || callers.is_empty() && caller.file.as_deref() == Some(file) && is_top_level(&caller);
            let large = taken.is_some_and(|taken| taken.as_secs_f64() >= least);
            let others = is_packaged(&Place { owner: Owner::Library, ..place.clone() });
            if called && large && !others && !found.contains(&place) && !seen(&place) {
                found.push(place);
            }
        }
    }
    found.into_iter().skip(1).rev().collect()
}

/// A function's part of the run and a place's part in compiling that make more than this together are at it at the same time.
const OVERLAP: f64 = 1.2;

/// Notes who has something compiled, where V8 has put that function into the one at the place.
pub(super) fn note_compiler(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let parts = ["leaf.regex-compile", "leaf.compile"].map(|name| subject.value(name).unwrap_or(0.0));
    let compiling: f64 = parts.iter().sum();
    let Some(runtime) = inputs.runtime.filter(|_| compiling >= COMPILING) else { return };
    let Some(watched) = watched(runtime) else { return };
    let is_it = |place: &Place| {
        let taken = taken(runtime, place).map_or(0.0, |taken| taken.as_secs_f64());
        (taken / watched.max(f64::MIN_POSITIVE)).min(1.0) + compiling >= OVERLAP
    };
    if let Some(place) = hidden(inputs, spot).into_iter().find(is_it) {
        subject.instead.entry("repeated-work").or_insert(place);
    }
}

/// What all calls of the function at a place took.
fn taken(runtime: &Runtime, place: &Place) -> Option<Nanos> {
    let repeat = runtime.repeats.iter().find(|one| is_at(place, &one.function, &one.file, one.line));
    let cost = runtime.costs.iter().find(|one| is_at(place, &one.function, &one.file, one.line));
    repeat.and_then(|repeat| repeat.taken).or_else(|| cost.map(|cost| cost.taken))
}

pub(super) fn is_top_level(place: &Place) -> bool {
    place.function == "(top level)"
}

#[cfg(test)]
mod tests {
    use super::{between, collected_in};

    #[test]
    fn what_a_collector_takes_of_a_watched_run_bounds_what_the_profile_saw() {
        assert_eq!(between(0.36, 0.1, 0.55), 0.36);
        assert_eq!(between(0.7, 0.1, 0.55), 0.55, "it took no more");
        assert_eq!(between(0.02, 0.1, 0.55), 0.1, "it took as much of a longer run");
        assert_eq!(between(0.5, 0.3, 0.2), 0.3, "the watched run was the shorter one");
    }

    #[test]
    fn collections_of_a_slower_run_are_a_part_of_the_time_in_which_they_came() {
        assert_eq!(collected_in(1.56, Some(0.885), 1.39), 1.39);
        assert_eq!(collected_in(1.56, Some(0.885), 0.5), 0.885, "what is sampled began late and ended late");
        assert_eq!(collected_in(0.9, Some(1.0), 1.2), 0.9, "no more than all of it");
        assert_eq!(collected_in(1.2, None, 0.3), 1.2, "nothing was sampled");
    }
}
