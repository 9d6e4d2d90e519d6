//! Spots: the places of the user's code that time on the CPU is spent for, each with what it is spent on.
//!
//! A hit belongs to the innermost frame of the user's own code; what ran below it (an allocator, a regular expression,
//! a copy) is a family of work done for it. So `memcpy` is never a culprit, but the function that makes it hot is.

use std::cmp::Reverse;
use std::collections::HashMap;

use model::profile::{LineCost, Place, Share};
use model::recording::{Language, Owner, is_java_library};

use super::family::Family;
use super::hotspots::share;
use super::path::Path;
use super::places::{Entry, NONE, Places};
use super::rows;
use super::special::asked_for;
use super::weights::Weights;

/// Spots below this share of wall time are not worth a hypothesis.
const LEAST: f64 = 0.02;
const MOST: usize = 24;
const LINES: usize = 6;
const CALLERS: usize = 6;
const LEAVES: usize = 4;

/// A caller that less than this share of a spot's time comes through is not its caller.
const THROUGH: f64 = 0.5;

/// A place of the user's code and what its time on the CPU is.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The function, with its most expensive line.
    pub place: Place,
    /// Of wall time, along the critical path.
    pub wall: Share,
    pub seconds: f64,
    pub n: u64,
    /// Of the spot's own time, largest first.
    pub families: Vec<(Family, f64)>,
    /// Share of the spot's own time in the kernel, by how it was entered: a system call, `page fault`, `interrupt`.
    pub kernel: Vec<(String, f64)>,
    /// Its expensive lines; `share` is of the spot's own time.
    pub lines: Vec<LineCost>,
    /// The user's own functions on the way out, nearest first, each with the line it calls from and the share of the
    /// spot's time that comes through it.
    pub callers: Vec<(Place, f64)>,
    /// The innermost functions, with their share of the spot's time.
    pub leaves: Vec<(Place, f64)>,
    /// Share of the spot's time below code that only starts the program: imports, initialisers.
    pub starting: f64,
    /// Share of the spot's time in packages of others that were installed beside the program.
    pub packages: f64,
    /// The package's function that is called most.
    pub package: Option<Place>,
    /// The innermost function of a package that most of the spot's time goes through, at its most expensive line, and the
    /// share of the spot's time that goes through that line.
    pub inside: Option<(Place, f64)>,
    /// All functions of packages that most of the spot's time goes through, innermost first, each at its most expensive
    /// line.
    pub through: Vec<Place>,
    /// Functions of packages that much of the spot's time goes through, but not most, with how much: where its work divides.
    pub branches: Vec<(Place, f64)>,
    /// Of the time in a database's library, the share that it spends on finding rows.
    pub stepping: Option<f64>,
    /// Share of the spot's time below functions that ask a database for rows, whoever calls them.
    pub asking: f64,
}

impl Spot {
    /// A place that was never seen on a CPU itself.
    #[must_use]
    pub fn bare(place: Place) -> Self {
        Self {
            place,
            wall: Share { value: 0.0, low: 0.0, high: 0.0 },
            seconds: 0.0,
            n: 0,
            families: Vec::new(),
            kernel: Vec::new(),
            lines: Vec::new(),
            callers: Vec::new(),
            leaves: Vec::new(),
            starting: 0.0,
            packages: 0.0,
            package: None,
            inside: None,
            through: Vec::new(),
            branches: Vec::new(),
            stepping: None,
            asking: 0.0,
        }
    }

    #[must_use]
    pub fn family(&self, family: Family) -> f64 {
        self.families.iter().find(|(known, _)| *known == family).map_or(0.0, |(_, share)| *share)
    }

    /// Functions of packages that most or much of the spot's time goes through, innermost first.
    pub fn packages(&self) -> impl Iterator<Item = &Place> {
        self.branches.iter().map(|(place, _)| place).chain(&self.through)
    }

    /// Share of the spot's time in the kernel.
    #[must_use]
    pub fn in_kernel(&self) -> f64 {
        self.kernel.iter().fold(0.0, |sum, (_, share)| sum + share)
    }
}

#[derive(Default)]
struct Sums {
    weight: u64,
    count: u64,
    node: u32,
    families: HashMap<Family, u64>,
    kernel: HashMap<String, u64>,
    lines: HashMap<u32, u64>,
    callers: HashMap<u32, Caller>,
    leaves: HashMap<u32, u64>,
    starting: u64,
    stepping: u64,
    asking: u64,
    packages: HashMap<u32, u64>,
    /// Functions of packages by how much goes through them, and where most.
    through: HashMap<u32, Through>,
}

#[derive(Default)]
struct Through {
    weight: u64,
    /// How far out of a stack it lies at least.
    distance: usize,
    /// By line: weight, and a node of it.
    lines: HashMap<Option<u32>, (u64, u32)>,
}

#[derive(Default)]
struct Caller {
    weight: u64,
    /// Weighted distance from the spot.
    distance: f64,
    lines: HashMap<u32, (u64, u32)>,
}

pub(super) fn spots(places: &Places<'_>, path: &Path, wall: f64) -> Vec<Spot> {
    let weights = &path.weights;
    let adopted = adopted(places);
    let starts = Starts::of(places);
    let mut table: HashMap<u32, Sums> = HashMap::new();
    for (node, (own, count)) in (0_u32..).zip(weights.own.iter().zip(&weights.count)) {
        if *own == 0 {
            continue;
        }
        let at = adopted.get(&node).copied().unwrap_or_else(|| owner(places, node));
        let sums = table.entry(places.function_of(at)).or_default();
        sums.add(places, node, at, *own, *count);
        // A script's own code is below nothing; what it imports is.
        if starts.is_start(places, if is_driver(places, at) { node } else { at }) {
            sums.starting = sums.starting.saturating_add(*own);
        }
    }
    let mut spots: Vec<(u32, Sums)> =
        table.into_iter().filter(|(_, sums)| weights.share(sums.weight) * path.sampled >= LEAST).collect();
    spots.sort_by(|one, other| other.1.weight.cmp(&one.1.weight).then(one.0.cmp(&other.0)));
    spots.truncate(MOST);
    spots.into_iter().filter_map(|(_, sums)| sums.finish(places, weights, path.sampled, wall)).collect()
}

/// A hit and a neighbour of it further apart than this may be different work.
const NEAR: u64 = 5_000_000;

/// Stacks that end in the middle, as code written in assembly makes them, and the place of the user's that the same
/// thread was seen at just before or after, where that is mostly the same one.
fn adopted(places: &Places<'_>) -> HashMap<u32, u32> {
    let hits = &places.recording.hits;
    let mut by_thread: HashMap<u32, Vec<(u64, u32)>> = HashMap::new();
    for hit in hits.iter().filter_map(|hit| Some((hit.thread, hit.at.as_nanos(), hit.stack?))) {
        by_thread.entry(hit.0).or_default().push((hit.1, hit.2));
    }
    let mut votes: HashMap<u32, HashMap<u32, (u64, u32)>> = HashMap::new();
    for hits in by_thread.values_mut() {
        hits.sort_unstable();
        let project = |stack: u32| places.view(stack).map(|view| view.project).filter(|node| *node != NONE);
        let mut before: Option<(u64, u32)> = None;
        let mut after: Vec<Option<(u64, u32)>> = vec![None; hits.len()];
        let mut next = None;
        for (slot, (at, stack)) in after.iter_mut().zip(hits.iter()).rev() {
            *slot = next;
            next = project(*stack).map(|node| (*at, node)).or(next);
        }
        for ((at, stack), after) in hits.iter().zip(after) {
            if let Some(node) = project(*stack) {
                before = Some((*at, node));
                continue;
            }
            if !is_cut(places, *stack) {
                continue;
            }
            // Before the first of the user's own code was seen, and after the last, the program starts and ends.
            let (Some(before), Some(after)) = (before, after) else { continue };
            let near = [before, after].into_iter().filter(|(other, _)| other.abs_diff(*at) <= NEAR);
            if let Some((_, node)) = near.min_by_key(|(other, _)| other.abs_diff(*at)) {
                let function = places.function_of(node);
                let vote = votes.entry(*stack).or_default().entry(function).or_insert((0, node));
                vote.0 += 1;
            }
        }
    }
    let winner = |votes: &HashMap<u32, (u64, u32)>| {
        let all: u64 = votes.values().map(|(count, _)| count).sum();
        let (count, node) = votes.values().max_by_key(|(count, node)| (*count, Reverse(*node)))?;
        (count * 2 > all).then_some(*node)
    };
    votes.iter().filter_map(|(stack, votes)| Some((*stack, winner(votes)?))).collect()
}

/// The outermost frame is not where threads begin: something on the way out could not be undone.
fn is_cut(places: &Places<'_>, stack: u32) -> bool {
    const BEGINNINGS: [&str; 12] = [
        "_start",
        "main",
        "clone",
        "start_thread",
        "runtime.goexit",
        "runtime.mstart",
        "runtime.mcall",
        "__libc_start",
        "ret_from_fork",
        "thread_start",
        "runtime.morestack",
        "runtime.systemstack",
    ];
    let outermost = walk(places, stack).last().map(|node| places.name(places.function_of(node)));
    outermost.is_some_and(|name| {
        !BEGINNINGS
            .iter()
            .any(|begin| name.trim_start_matches('_').starts_with(begin.trim_start_matches('_')))
    })
}

/// The node that a stack's time is spent for: the user's own code, else the innermost frame of a package, else the
/// innermost outside the system's libraries.
fn owner(places: &Places<'_>, stack: u32) -> u32 {
    let Some(view) = places.view(stack) else { return stack };
    if view.project != NONE && !is_driver(places, view.project) {
        let found = searcher(places, view.project).unwrap_or(view.project);
        // What the member itself computes was written there.
        return asked_for(places, found).filter(|_| found != stack).unwrap_or(found);
    }
    // What a package does while it is imported is its importer's.
    let inner = walk(places, stack)
        .take_while(|node| *node != view.project)
        .find(|node| is_package(places, *node))
        .filter(|node| view.project == NONE || !is_driver(places, *node));
    let fallback = if view.project != NONE { view.project } else { view.outside };
    inner.unwrap_or(if fallback == NONE { stack } else { fallback })
}

/// Who has a library search, when what was found is only how two elements are compared.
fn searcher(places: &Places<'_>, compares: u32) -> Option<u32> {
    let is_own = |node: &u32| places.view(*node).is_some_and(|view| view.project == *node);
    let mut scans = false;
    let outer = walk(places, compares).skip(1).find(|node| {
        let own = is_own(node);
        scans |= !own && places.family(places.function_of(*node)) == Some(Family::Scan);
        own
    })?;
    scans.then_some(outer)
}

/// Which stacks only start the program.
struct Starts {
    /// The program itself lives in a module that a small script requires, as packages of Node.js do.
    required: bool,
}

impl Starts {
    fn of(places: &Places<'_>) -> Self {
        let own = |stack: &u32| places.view(*stack).is_some_and(|view| view.project != NONE);
        let hits = places.recording.hits.iter();
        let last = hits.filter(|hit| hit.stack.as_ref().is_some_and(own)).max_by_key(|hit| hit.at.as_nanos());
        let last = last.and_then(|hit| hit.stack);
        // From the program's own code outwards: what it requires itself is inside of that.
        let own = last.and_then(|stack| places.view(stack)).map(|view| view.project);
        let required = own.is_some_and(|own| {
            walk(places, own).any(|node| places.name(places.function_of(node)) == "Module.require")
        });
        Self { required }
    }

    fn is_start(&self, places: &Places<'_>, stack: u32) -> bool {
        !self.required && is_starting(places, stack)
    }
}

/// Something on the way out loads code or runs before `main`.
fn is_starting(places: &Places<'_>, stack: u32) -> bool {
    walk(places, stack).map(|node| places.function_of(node)).any(|function| {
        matches!(places.family(function), Some(Family::Import | Family::Start))
            || places.name(function).starts_with("_GLOBAL__sub_I_")
            || places.name(function).ends_with(".<clinit>")
            || places.name(function).starts_with("runtime.doInit")
    })
}

/// From a stack outwards.
pub(super) fn walk<'a>(places: &'a Places<'_>, stack: u32) -> impl Iterator<Item = u32> + 'a {
    std::iter::successors(Some(stack), |node| {
        places.view(*node).map(|view| view.parent).filter(|parent| *parent != NONE)
    })
}

/// The outermost code of a script, which only calls: a package below it owns its loops.
fn is_driver(places: &Places<'_>, node: u32) -> bool {
    places
        .functions
        .get(places.function_of(node) as usize)
        .is_some_and(|place| matches!(place.function.as_str(), "<module>" | "(top level)"))
}

/// Code of somebody else that was installed beside the program, not the language's own library.
fn is_package(places: &Places<'_>, node: u32) -> bool {
    places.functions.get(places.function_of(node) as usize).is_some_and(is_packaged)
}

/// A function of what a package manager installed, not of the language's own library.
pub fn is_packaged(place: &Place) -> bool {
    let installed = |file: &str| {
        // Of a module's path `go build -trimpath` leaves its name and version.
        let module = file.ends_with(".go") && file.contains("@v");
        module || PACKAGES.iter().any(|folder| file.contains(folder))
    };
    // Methods have a class; what else runs there is the machine's.
    let is_method = place.language == Language::Java && place.function.contains('.');
    let java = is_method && !is_java_library(&place.function);
    place.owner == Owner::Library && (java || place.file.as_deref().is_some_and(installed))
}

/// Folders that package managers install into.
const PACKAGES: [&str; 7] = [
    "/site-packages/",
    "/dist-packages/",
    "/node_modules/",
    "/registry/src/",
    "/pkg/mod/",
    "/share/gocode/",
    "/.m2/",
];

/// A function of a package that this part of a place's time goes through is what the place's time is spent in.
const INSIDE: f64 = 0.6;

/// From this part on it is one of the things that the place's time is spent in.
const BRANCH: f64 = 0.1;

impl Sums {
    fn add(&mut self, places: &Places<'_>, stack: u32, at: u32, weight: u64, count: u64) {
        let plus = |sum: &mut u64| *sum = sum.saturating_add(weight);
        plus(&mut self.weight);
        (self.node, self.count) = (at, self.count + count);
        let below = walk(places, stack).take_while(|node| *node != at);
        let names: Vec<u32> = below.map(|node| places.function_of(node)).collect();
        // The outermost name that tells is what the work was called for.
        let families: Vec<Family> =
            names.iter().rev().filter_map(|function| places.family(*function)).collect();
        // Whoever throws pays for that, whatever it was called for.
        let thrown = families.iter().find(|family| **family == Family::Exception);
        // Who matches a pattern that is given as text has it compiled first.
        let compiled = families
            .iter()
            .find(|family| **family == Family::RegexCompile)
            .filter(|_| families.first() == Some(&Family::RegexMatch));
        let family = thrown.or(compiled).or(families.first()).copied().unwrap_or(Family::Own);
        plus(self.families.entry(family).or_default());
        let below = walk(places, stack).take_while(|node| *node != at);
        if let Some(package) = below.filter(|node| is_package(places, *node)).last() {
            plus(self.packages.entry(places.function_of(package)).or_default());
        }
        self.add_packages(places, stack, at, weight);
        if names.iter().any(|function| rows::finds_rows(places.name(*function))) {
            plus(&mut self.stepping);
        }
        if names.iter().any(|function| rows::asks_for_rows(places.name(*function))) {
            plus(&mut self.asking);
        }
        if let Some(entry) = entered(places, stack) {
            plus(self.kernel.entry(entry).or_default());
        }
        if let Some(line) = places.line(at) {
            plus(self.lines.entry(line).or_default());
        }
        plus(self.leaves.entry(places.function_of(stack)).or_default());
        self.add_callers(places, at, weight);
    }

    fn add_packages(&mut self, places: &Places<'_>, stack: u32, at: u32, weight: u64) {
        let mut seen = Vec::new();
        let below = walk(places, stack).take_while(|node| *node != at).enumerate();
        for (distance, node) in below.filter(|(_, node)| is_package(places, *node)) {
            let function = places.function_of(node);
            // Recursion is counted once.
            if seen.contains(&function) {
                continue;
            }
            seen.push(function);
            let fresh = || Through { distance, ..Through::default() };
            let through = self.through.entry(function).or_insert_with(fresh);
            through.weight = through.weight.saturating_add(weight);
            through.distance = through.distance.min(distance);
            let line = through.lines.entry(places.line(node)).or_insert((0, node));
            line.0 = line.0.saturating_add(weight);
        }
    }

    /// The functions that most goes through.
    fn most(&self) -> impl Iterator<Item = (&u32, &Through)> {
        self.through.iter().filter(|(_, one)| one.weight as f64 >= INSIDE * self.weight as f64)
    }

    /// Of the functions that most goes through the innermost.
    fn inside(&self, places: &Places<'_>) -> Option<(Place, f64)> {
        let (_, inner) = self.most().min_by_key(|(function, one)| (one.weight, one.distance, **function))?;
        let (weight, node) = inner.lines.values().max_by_key(|(weight, node)| (*weight, Reverse(*node)))?;
        Some((places.place(*node)?, *weight as f64 / self.weight.max(1) as f64))
    }

    fn add_callers(&mut self, places: &Places<'_>, at: u32, weight: u64) {
        let own = places.function_of(at);
        let mut seen = Vec::new();
        for (distance, node) in walk(places, at).skip(1).enumerate() {
            let function = places.function_of(node);
            let is_own =
                places.functions.get(function as usize).is_some_and(|place| place.owner == Owner::Project);
            // Recursion is counted once.
            if !is_own || function == own || seen.contains(&function) {
                continue;
            }
            seen.push(function);
            let caller = self.callers.entry(function).or_default();
            caller.weight = caller.weight.saturating_add(weight);
            caller.distance += distance as f64 * weight as f64;
            let line = caller.lines.entry(places.line(node).unwrap_or(0)).or_insert((0, node));
            line.0 = line.0.saturating_add(weight);
        }
    }

    fn finish(self, places: &Places<'_>, weights: &Weights, sampled: f64, wall: f64) -> Option<Spot> {
        let of = |weight: u64| weight as f64 / self.weight.max(1) as f64;
        let inside = self.inside(places);
        let mut all: Vec<(&u32, &Through)> = self.through.iter().collect();
        // Less goes through the inner one: the outer one does something itself now and then.
        all.sort_by_key(|(function, one)| (one.weight, one.distance, **function));
        let (mut through, mut branches) = (Vec::new(), Vec::new());
        for (_, one) in all.iter().filter(|(_, one)| of(one.weight) >= BRANCH) {
            let most = one.lines.values().max_by_key(|(weight, node)| (*weight, Reverse(*node)));
            let Some(place) = most.and_then(|(_, node)| places.place(*node)) else { continue };
            if of(one.weight) >= INSIDE {
                through.push(place);
            } else {
                branches.push((place, of(one.weight)));
            }
        }
        let lines = largest(self.lines, LINES);
        let place = places.place(self.node)?;
        let first = lines.first().map(|(line, _)| *line);
        let part = weights.share(self.weight);
        let interval = share(part, weights.effective_in(&place.language, places.recording.looks));
        let scaled = |value: f64| (value * sampled).min(1.0);
        let mut callers: Vec<Caller> =
            self.callers.into_values().filter(|caller| of(caller.weight) >= THROUGH).collect();
        let nearness = |caller: &Caller| caller.distance / caller.weight.max(1) as f64;
        callers.sort_by(|one, other| nearness(one).total_cmp(&nearness(other)));
        let callers = callers.iter().take(CALLERS).filter_map(|caller| {
            let (_, node) = caller.lines.values().max_by_key(|(weight, node)| (*weight, Reverse(*node)))?;
            Some((places.place(*node)?, of(caller.weight)))
        });
        Some(Spot {
            place: Place { line: first.or(place.line), ..place },
            wall: Share {
                value: scaled(interval.value),
                low: scaled(interval.low),
                high: scaled(interval.high),
            },
            seconds: scaled(part) * wall,
            n: self.count,
            starting: of(self.starting),
            asking: of(self.asking),
            packages: of(self.packages.values().sum()),
            inside,
            through,
            branches,
            package: largest(self.packages, 1)
                .first()
                .and_then(|(function, _)| places.functions.get(*function as usize).cloned()),
            stepping: self
                .families
                .get(&Family::Database)
                .map(|database| (self.stepping as f64 / (*database).max(1) as f64).min(1.0)),
            families: largest(self.families, usize::MAX)
                .into_iter()
                .map(|(key, weight)| (key, of(weight)))
                .collect(),
            kernel: largest(self.kernel, usize::MAX)
                .into_iter()
                .map(|(key, weight)| (key, of(weight)))
                .collect(),
            lines: lines.into_iter().map(|(line, weight)| LineCost { line, share: of(weight) }).collect(),
            callers: callers.collect(),
            leaves: largest(self.leaves, LEAVES)
                .into_iter()
                .filter_map(|(function, weight)| {
                    Some((places.functions.get(function as usize)?.clone(), of(weight)))
                })
                .collect(),
        })
    }
}

fn largest<K: Ord + Clone>(sums: HashMap<K, u64>, most: usize) -> Vec<(K, u64)> {
    let mut sums: Vec<(K, u64)> = sums.into_iter().collect();
    sums.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    sums.truncate(most);
    sums
}

/// The system call that a library function stands for, by the names of the innermost frames outside the kernel.
fn wrapper(places: &Places<'_>, stack: u32) -> Option<&'static str> {
    let outside = walk(places, stack).skip_while(|node| {
        places
            .functions
            .get(places.function_of(*node) as usize)
            .is_some_and(|place| place.owner == Owner::Kernel)
    });
    outside.take(WRAPPERS).find_map(|node| {
        let name = places.name(places.function_of(node));
        let name = name.trim_start_matches("__GI_").trim_start_matches('_').trim_start_matches("libc_");
        let name = name.trim_end_matches("_nocancel").trim_end_matches("_cancel");
        // Go's library names its calls after the kernel's.
        let name = name.strip_prefix("syscall.").unwrap_or(name).to_ascii_lowercase();
        CALLS.iter().copied().find(|call| *call == name || name.strip_suffix("64") == Some(call))
    })
}

/// Frames between a system call and the function that is named after it.
const WRAPPERS: usize = 4;

/// Functions of the C library that are hardly more than a system call.
const CALLS: [&str; 34] = [
    "read",
    "write",
    "pread",
    "pwrite",
    "readv",
    "writev",
    "lseek",
    "open",
    "openat",
    "close",
    "stat",
    "fstat",
    "lstat",
    "fstatat",
    "access",
    "readlink",
    "unlink",
    "rename",
    "send",
    "sendto",
    "sendmsg",
    "recv",
    "recvfrom",
    "recvmsg",
    "connect",
    "accept",
    "poll",
    "mmap",
    "munmap",
    "fork",
    "execve",
    "waitpid",
    "fsync",
    "fdatasync",
];

/// How the kernel was entered, if the stack ends there.
fn entered(places: &Places<'_>, stack: u32) -> Option<String> {
    match places.entry_of(stack) {
        Entry::User => None,
        Entry::Call(call) => places.calls.get(call as usize).cloned(),
        Entry::Fault => Some("page fault".to_owned()),
        Entry::Interrupt => Some("interrupt".to_owned()),
        // The first instructions of a system call tell nothing; the library function that made it does.
        Entry::Recorder | Entry::Kernel => Some(wrapper(places, stack).unwrap_or("kernel").to_owned()),
    }
}
