//! Which further pass the first evidence asks for. A second plan from the first evidence, not a callback.

use std::collections::{HashMap, HashSet};

use model::profile::Place;
use model::recording::{Frame, Language, Owner, Recording};

use super::known::leaf_of;
use super::natives::Natives;
use crate::profile::Study;
use crate::profile::family::Family;
use crate::profile::spots::Spot;

/// From this share of wall time on, the kernel's work for a place is worth knowing call by call.
const KERNEL: f64 = 0.15;

/// Where a package takes most of the time of a place that takes much, less of the kernel's work tells more: a file that is
/// read again and again is parsed each time.
const LITTLE: f64 = 0.015;
const PACKAGES: f64 = 0.6;
const MOST: f64 = 0.3;

/// From this share of wall time on, waits for files and peers are.
const WAITS: f64 = 0.1;

/// Why the calls of the program should be traced; `None` when nothing asks for it.
#[must_use]
pub fn wants_calls(study: &Study) -> Option<String> {
    let profile = &study.profile;
    let wall = profile.wall_s.filter(|wall| *wall > 0.0)?;
    profile.account.as_ref()?;
    let kernel = study.share_in("on-cpu/kernel");
    if kernel >= KERNEL * study.had() {
        return Some(format!("{:.0} % of wall time is the kernel's work", kernel * 100.0));
    }
    let in_packages =
        study.spots.iter().any(|spot| spot.packages >= PACKAGES && spot.wall.value >= MOST * study.had());
    if in_packages && kernel >= LITTLE * study.had() {
        return Some("most of the time is a package's: what does it ask the kernel for?".to_owned());
    }
    let is_transfer = |leaf: &str| {
        matches!(
            leaf,
            "blocked/network" | "blocked/disk-read" | "blocked/disk-write" | "blocked/poll" | "blocked/pipe"
        )
    };
    let waits: f64 = profile
        .waits
        .iter()
        // A wait for the next piece of work that holds everything up is worth knowing, too.
        .filter(|site| is_transfer(leaf_of(site)) && (!site.idle || site.critical_s >= WAITS * wall))
        .map(|site| site.critical_s)
        .sum();
    (waits / wall >= WAITS * study.had())
        .then(|| format!("{:.0} % of wall time waits for files and peers", waits / wall * 100.0))
}

/// From this share of wall time on, what a place allocates is worth knowing block by block.
const HEAP: f64 = 0.08;

/// Why the heap of the program should be watched; `None` when nothing asks for it, or its runtime keeps its own.
#[must_use]
pub fn wants_heap(study: &Study) -> Option<String> {
    let (mut allocator, mut pages) = (0.0, 0.0);
    for spot in study.spots.iter().filter(|spot| spot.place.owner == Owner::Project) {
        if super::whole::is_managed(spot.place.language) || spot.place.language == Language::Unknown {
            continue;
        }
        let memory =
            spot.kernel.iter().filter(|(call, _)| super::facts::kernel_metric(call) == "kernel.memory");
        allocator += spot.wall.value * spot.family(Family::Allocate);
        pages += spot.wall.value * memory.fold(0.0, |sum, (_, share)| sum + share);
    }
    let words = |share: f64, what: &str| format!("{:.0} % of wall time goes into {what}", share * 100.0);
    let least = HEAP * study.had();
    match (allocator >= least, pages >= least) {
        (true, _) => Some(words(allocator, "the allocator")),
        (_, true) => Some(words(pages, "fetching fresh memory")),
        _ => None,
    }
}

/// From this share of wall time on, a place where threads compute side by side may be where they disturb each other.
const TOGETHER: f64 = 0.3;

/// Why the program should be run on one CPU; `None` when nothing asks for it.
#[must_use]
pub fn wants_solo(recording: &Recording, study: &Study) -> Option<String> {
    let spot = study.spots.first().filter(|spot| spot.wall.value >= TOGETHER * study.had())?;
    let native = matches!(
        spot.place.language,
        Language::Native | Language::C | Language::Cpp | Language::Rust | Language::Go
    );
    // Library work and the kernel's do not write to the program's own variables.
    if !native || spot.family(Family::Own) < 0.5 || spot.in_kernel() >= 0.3 {
        return None;
    }
    let wall = study.profile.wall_s.filter(|wall| *wall > 0.0)?;
    let locks = study.profile.waits.iter().filter(|site| site.leaf == "blocked/lock" && !site.idle);
    let is_join = |site: &&model::profile::WaitSite| site.count <= 4;
    if locks.filter(|site| !is_join(site)).fold(0.0, |sum, site| sum + site.seconds) >= 0.2 * wall {
        return None;
    }
    let team = super::team::team(recording, study)?;
    let second = team.busy.get(1).copied().unwrap_or(0.0);
    (second >= 0.2 * wall).then(|| format!("{} threads compute side by side", team.busy.len()))
}

/// What a runtime is asked, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub language: Language,
    /// Whether calls repeat, besides what the collector takes.
    pub repeats: bool,
    /// Where objects are made: something speaks of the collector, or of making them.
    pub sites: bool,
    /// What the event loop waits for. Of Node.
    pub waits: bool,
    /// Functions that much of its time goes through: of packages and, of Node and the JVM, the program's own.
    pub through: Vec<Place>,
    /// Of Python, functions without a frame and lines that have them work.
    pub natives: Natives,
    pub why: String,
}

/// From this share of wall time on, what a place of Python computes may be the same each time.
const COMPUTES: f64 = 0.2;

/// From this share of wall time on, the collector's own word is wanted beside the profile's.
const COLLECTS: f64 = 0.05;

/// From this share of wall time on that the event loop of Node waits, who has it wait is worth knowing.
const LOOPS: f64 = 0.2;

/// What the program's runtime should be asked; `None` when nothing asks for it.
#[must_use]
pub fn wants_runtime(recording: &Recording, study: &Study) -> Option<Asked> {
    let computing = wants_of_computing(recording, study);
    let Some((why, own)) = waiting_loop(recording, study) else { return computing };
    match computing {
        Some(mut asked) if asked.language == Language::JavaScript => {
            asked.waits = true;
            let more = own.into_iter().filter(|place| !asked.through.contains(place)).collect::<Vec<_>>();
            asked.through.extend(more);
            Some(asked)
        }
        Some(asked) => Some(asked),
        None => {
            let language = Language::JavaScript;
            let natives = Natives::default();
            Some(Asked { language, repeats: false, sites: false, waits: true, through: own, natives, why })
        }
    }
}

/// Why an event loop of Node's should be asked what it waits for, and the program's own functions that it ran.
fn waiting_loop(recording: &Recording, study: &Study) -> Option<(String, Vec<Place>)> {
    let wall = study.profile.wall_s.filter(|wall| *wall > 0.0)?;
    let loops = study.profile.waits.iter().filter(|site| super::known::is_libuv(site));
    let share = loops.map(|site| site.critical_s).sum::<f64>() / wall;
    let is_own = |frame: &&Frame| {
        frame.owner == Owner::Project && frame.language == Language::JavaScript && frame.file.is_some()
    };
    let own = recording.frames.iter().filter(is_own);
    let own: Vec<Place> = own.filter_map(|frame| super::team::place(recording, frame)).collect();
    let why = || format!("its event loop waits for {:.0} % of wall time: for whom?", share * 100.0);
    (share >= LOOPS * study.had() && !own.is_empty()).then(|| (why(), own))
}

fn wants_of_computing(recording: &Recording, study: &Study) -> Option<Asked> {
    let own = study.spots.iter().filter(|spot| spot.place.owner == Owner::Project);
    // Where an event loop calls a package, none of the program's own code is at hand.
    let called = study.spots.iter().filter(|spot| spot.place.language == Language::JavaScript);
    let largest = |one: &&Spot, other: &&Spot| one.wall.value.total_cmp(&other.wall.value);
    let first = own.chain(called).max_by(largest)?;
    let language = first.place.language;
    let wall = study.profile.wall_s.filter(|wall| *wall > 0.0)?;
    let had = study.had();
    let share = (first.wall.value / had).min(1.0);
    if language == Language::Python && share >= COMPUTES {
        let why = format!("{:.0} % of wall time is one function's: is it the same each time?", share * 100.0);
        let large = study.spots.iter().filter(|spot| spot.wall.value >= COMPUTES / 2.0 * had);
        let through = large.flat_map(|spot| spot.packages().cloned()).collect();
        let natives = super::natives::worth_watching(recording);
        return Some(Asked { language, repeats: true, sites: false, waits: false, through, natives, why });
    }
    let hidden = language == Language::Python
        && super::whole::is_opaque(recording)
        && !super::whole::shows_collector(recording);
    let collecting = (super::collector::Collected::of(recording, study, wall).all() / had).min(1.0);
    let computing = (study.spots.iter().map(|spot| spot.wall.value).sum::<f64>() / had).min(1.0);
    let own = study.spots.iter().filter(|spot| spot.place.owner == Owner::Project);
    let making = own.fold(0.0, |sum, spot| sum + spot.wall.value * spot.family(Family::Allocate)) / had;
    let sites = super::whole::is_managed(language) && (collecting >= COLLECTS || making >= HEAP);
    let through = match language {
        Language::JavaScript | Language::Java if share >= COMPUTES => watched(study, language),
        _ => Vec::new(),
    };
    let repeats = !through.is_empty();
    let natives = Natives::default();
    let asked = |why: String| {
        let (through, natives) = (through.clone(), natives.clone());
        Some(Asked { language, repeats, sites, waits: false, through, natives, why })
    };
    match language {
        Language::Python | Language::JavaScript | Language::Java | Language::Go if collecting >= COLLECTS => {
            asked(format!("{:.0} % of wall time is spent in the collector", collecting * 100.0))
        }
        Language::Python if hidden && share >= COLLECTS => asked("its collector cannot be seen".to_owned()),
        // Beside the program they collect without a trace in its stacks.
        Language::JavaScript | Language::Java | Language::Go if computing >= COMPUTES => asked(format!(
            "{:.0} % of wall time is computing: how much of it is the collector's?",
            computing * 100.0
        )),
        _ => None,
    }
}

/// Functions of Node or a JVM that large places are, go through or are called from, innermost first.
fn watched(study: &Study, language: Language) -> Vec<Place> {
    let large = study.spots.iter().filter(|spot| spot.wall.value >= COMPUTES / 2.0 * study.had());
    let all = large.flat_map(|spot| {
        let callers = spot.callers.iter().map(|(place, _)| place);
        spot.packages().chain([&spot.place]).chain(callers)
    });
    let mut found: Vec<Place> = Vec::new();
    for place in all.filter(|place| place.language == language) {
        if !found.contains(place) {
            found.push(place.clone());
        }
    }
    found
}

/// Functions of a native program whose calls should be watched, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watching {
    pub functions: Vec<Place>,
    pub why: String,
}

/// Of the time on a CPU, below a function: less is no reason to know its calls.
const BELOW: f64 = 0.05;

/// Functions that are watched. Each makes the run a little longer.
const MOST_FUNCTIONS: usize = 24;

/// Which functions of a native program are worth knowing call by call: whether they do the same again, or take longer the more there
/// is. `None` when nothing asks for it.
#[must_use]
pub fn wants_functions(recording: &Recording, study: &Study) -> Option<Watching> {
    let own = study.spots.iter().filter(|spot| spot.place.owner == Owner::Project);
    let first = own.max_by(|one, other| one.wall.value.total_cmp(&other.wall.value))?;
    let share = (first.wall.value / study.had()).min(1.0);
    let computes = first.in_kernel() < 1.0 - PACKAGES && share >= COMPUTES;
    if !is_compiled(first.place.language) || !computes {
        return None;
    }
    let functions = below(recording);
    let why = format!("{:.0} % of wall time is one function's: is it the same each time?", share * 100.0);
    (!functions.is_empty()).then_some(Watching { functions, why })
}

/// Go moves its stacks, so that nobody else may note where a function returns to.
fn is_compiled(language: Language) -> bool {
    matches!(language, Language::C | Language::Cpp | Language::Rust)
}

/// Functions that much of the time goes through: the program's own, and those of libraries that it calls, largest first. What was put
/// into its caller by the compiler has no beginning of its own.
fn below(recording: &Recording) -> Vec<Place> {
    let mut sums: HashMap<Key<'_>, (u64, bool, &Frame)> = HashMap::new();
    let mut whole = 0;
    for hit in &recording.hits {
        let Some(stack) = hit.stack else { continue };
        whole += hit.weight;
        let frames: Vec<&Frame> = recording.frames_of(stack).collect();
        let mut seen: HashSet<Key<'_>> = HashSet::new();
        for (at, frame) in frames.iter().enumerate() {
            let by = is_called_by_own(frames.get(at + 1..).unwrap_or_default());
            let key = (frame.function.as_deref(), frame.file.as_deref(), frame.module);
            if may_be_watched(frame) && seen.insert(key) {
                let sum = sums.entry(key).or_insert((0, false, frame));
                sum.0 += hit.weight;
                sum.1 |= by;
            }
        }
    }
    let large = |sum: &(u64, bool, &Frame)| sum.0 as f64 >= BELOW * whole as f64;
    let is_own = |frame: &Frame| frame.owner == Owner::Project;
    let mut found: Vec<_> = sums.into_values().filter(|sum| large(sum) && (is_own(sum.2) || sum.1)).collect();
    found.sort_by_key(|(weight, _, frame)| {
        (!is_own(frame), std::cmp::Reverse(*weight), frame.function.clone(), frame.line)
    });
    let places = found.into_iter().filter_map(|(.., frame)| super::team::place(recording, frame));
    places.take(MOST_FUNCTIONS).collect()
}

/// Whether the machine code that calls belongs to the program, be it that the compiler has put functions of libraries into it, or it
/// into one of theirs.
fn is_called_by_own(callers: &[&Frame]) -> bool {
    let body = callers.iter().position(|frame| !frame.inlined).map_or(callers.len(), |last| last + 1);
    callers.iter().take(body).any(|frame| frame.owner == Owner::Project)
}

/// What tells a function from others.
type Key<'a> = (Option<&'a str>, Option<&'a str>, Option<u32>);

/// A program is called once.
fn may_be_watched(frame: &Frame) -> bool {
    let function = frame.function.as_deref().unwrap_or_default();
    let is_main = function == "main" || frame.language == Language::Rust && function.ends_with("::main");
    let has_place = frame.file.is_some() && frame.module.is_some() && !function.is_empty();
    has_place && !frame.inlined && !is_main && is_compiled(frame.language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_calls_is_the_whole_body_that_the_compiler_made_of_several_functions() {
        let frame = |owner, inlined| Frame {
            language: Language::Rust,
            function: Some("a".to_owned()),
            file: None,
            line: None,
            module: None,
            offset: None,
            is_start: false,
            inlined,
            owner,
        };
        let check = |callers: &[(Owner, bool)], is_own| {
            let frames: Vec<Frame> = callers.iter().map(|(owner, inlined)| frame(*owner, *inlined)).collect();
            assert_eq!(is_called_by_own(&frames.iter().collect::<Vec<_>>()), is_own, "{callers:?}");
        };
        check(&[(Owner::Project, false)], true);
        check(&[(Owner::Library, true), (Owner::Project, true), (Owner::Library, false)], true);
        check(&[(Owner::Library, false), (Owner::Project, false)], false);
        check(&[(Owner::Library, true), (Owner::Library, false), (Owner::Project, false)], false);
        check(&[], false);
    }

    #[test]
    fn only_compiled_functions_with_a_beginning_of_their_own_are_watched() {
        let frame = |language, function: &str, inlined| Frame {
            language,
            function: Some(function.to_owned()),
            file: Some("a.c".to_owned()),
            line: Some(3),
            module: Some(0),
            offset: None,
            is_start: false,
            inlined,
            owner: Owner::Project,
        };
        assert!(may_be_watched(&frame(Language::C, "parse", false)));
        assert!(may_be_watched(&frame(Language::Rust, "harvest::parse", false)));
        assert!(!may_be_watched(&frame(Language::C, "parse", true)));
        assert!(!may_be_watched(&frame(Language::C, "main", false)));
        assert!(!may_be_watched(&frame(Language::Rust, "harvest::main", false)));
        assert!(!may_be_watched(&frame(Language::Go, "main.parse", false)));
        assert!(!may_be_watched(&Frame { file: None, ..frame(Language::C, "parse", false) }));
    }
}
