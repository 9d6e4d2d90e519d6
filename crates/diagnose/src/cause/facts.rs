//! Everything measured, as subjects with named metrics.

use std::collections::BTreeMap;

use model::Sample;
use model::calls::Calls;
use model::doctor::Level;
use model::heap::Heap;
use model::machine_code::MachineCode;
use model::manifest::Manifest;
use model::profile::{Place, Share};
use model::recording::{Language, Owner, Recording};
use model::runtime::Runtime;
use model::scale::Scale;
use model::simulated::Simulated;
use model::solo::Solo;
use model::source::{Context, Source};

use super::Kind;
use super::ceiling::Ceilings;
use super::coverage::Coverage;
use super::kernel::Charged;
use super::spread::Spread;
use super::subject::Subject;
use crate::profile::Study;
use crate::profile::family::{self, Family};
use crate::profile::spots::Spot;

pub(super) const RECORDER: (&str, &str) = (model::recording::RECORDING, "recorder");

/// From this share of wall time on, a place is worth naming by what it does.
const GROWING: f64 = 0.1;

/// Of a spot's lines, those with less than this share are not what makes it hot.
const HOT_LINE: f64 = 0.12;

/// What passes found.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    pub manifest: &'a Manifest,
    pub samples: &'a [Sample],
    /// Median wall time of the timed runs.
    pub wall_s: f64,
    pub recording: &'a Recording,
    pub study: &'a Study,
    pub source: Option<&'a Source>,
    pub calls: Option<&'a Calls>,
    pub code: &'a [MachineCode],
    pub heap: Option<&'a Heap>,
    pub solo: Option<&'a Solo>,
    pub runtime: Option<&'a Runtime>,
    pub scaling: Option<&'a Scale>,
    pub simulated: Option<&'a Simulated>,
}

/// Every subject with its metrics.
#[derive(Clone, Debug)]
pub struct Facts {
    pub(super) wall_s: f64,
    /// Share of wall time in which the program was not in a queue for a CPU: what it no longer does it does not queue for.
    pub(super) had: f64,
    pub(super) ceilings: Ceilings,
    pub(super) coverage: Coverage,
    subjects: Vec<Subject>,
    /// Places that compute were looked for, and places that wait.
    pub(super) looked: (bool, bool),
    command: String,
    run: String,
    /// Runs were timed that a change can be held against.
    timed: bool,
    /// The user's sources belong to a project.
    pub(super) project: bool,
}

/// Contexts by file and line.
pub(super) type Contexts<'a> = BTreeMap<(&'a str, u32), &'a Context>;

/// Hits in one place that do not come by chance, however short the run: all of eight are in one that takes two thirds of it.
pub(super) const TOLD: u64 = 8;

impl Facts {
    #[must_use]
    pub fn of(inputs: &Inputs<'_>) -> Self {
        let contexts: Contexts<'_> = inputs
            .source
            .into_iter()
            .flat_map(|source| &source.places)
            .filter_map(|place| Some(((place.file.as_str(), place.line), place.context.as_ref()?)))
            .collect();
        // Where the samples end at the kernel's door, the traced calls tell whose its time is.
        let charged = super::kernel::charged(inputs);
        let spots = charged.as_ref().map_or(&inputs.study.spots, |charged| &charged.spots);
        // A place that was met a few times in so short a run may have been met by chance.
        let short = inputs.study.is_too_short();
        let told = spots.iter().filter(|spot| !short || spot.n >= TOLD);
        let mut subjects: Vec<Subject> =
            told.map(|spot| computing(spot, inputs, &contexts, charged.as_ref())).collect();
        subjects.extend(super::waiting::subjects(inputs, &contexts));
        subjects.extend(super::threads::subject(inputs));
        subjects.extend(super::pool::subject(inputs));
        super::shell::name_scripts(&mut subjects, inputs.recording);
        let mut whole = super::whole::subject(inputs);
        // Garbage of work that grows faster than its input is that work's.
        let grows = |subject: &&Subject| {
            let known = |name: &str| subject.value(name).is_some_and(|value| value >= 0.5);
            known("source.growth") && subject.wall.value >= GROWING * inputs.study.had()
        };
        let place = whole.instead.get("gc-pressure").or(whole.place.as_ref());
        let is_here = |subject: &&Subject| {
            let same = |one: &Place, other: &Place| one.function == other.function && one.file == other.file;
            place.zip(subject.place.as_ref()).is_some_and(|(one, other)| same(one, other))
        };
        let grown = subjects.iter().filter(grows).any(|subject| is_here(&subject));
        whole.number("collector.growth", f64::from(u8::from(grown)), "yes", RECORDER);
        // On a busy machine the program is judged by the time that it had.
        let had = 1.0 - whole.value("queue.others").unwrap_or(0.0).clamp(0.0, 0.95);
        // So is what the collector takes of it.
        if let Some(collector) = whole.metrics.get_mut("collector") {
            collector.value = (collector.value / had).min(1.0);
        }
        // Memory is given back where it is freed, which is where it could be kept.
        if let Some(frees) = frees(&inputs.study.spots) {
            for subject in &mut subjects {
                subject.instead.insert("page-faults", frees.clone());
            }
        }
        for wall in subjects.iter_mut().filter_map(|subject| subject.metrics.get_mut("wall")) {
            wall.value = (wall.value / had).min(1.0);
            wall.low = wall.low.map(|low| (low / had).min(1.0));
            wall.high = wall.high.map(|high| (high / had).min(1.0));
        }
        if let Some(spread) = Spread::of(inputs.samples) {
            subjects.iter_mut().chain([&mut whole]).for_each(|subject| spread.note(subject));
        }
        super::loops::note(&mut subjects);
        super::sorting::note(&mut subjects, inputs.recording);
        let ceilings = Ceilings::of(inputs);
        subjects.push(whole);
        let looked = (inputs.study.saw_places(), inputs.study.saw_waits());
        let argv = inputs.manifest.arms.first().map(|arm| arm.target.argv.clone()).unwrap_or_default();
        let words: Vec<String> = argv.iter().map(|word| shell_word(&word.lossy())).collect();
        Self {
            wall_s: inputs.wall_s,
            had: inputs.study.had(),
            ceilings,
            coverage: Coverage::of(inputs),
            subjects,
            looked,
            command: words.join(" "),
            run: inputs.manifest.id.clone(),
            timed: !inputs.samples.is_empty(),
            project: inputs.source.is_none_or(|source| source.project),
        }
    }

    /// Nothing but what was seen of a run.
    #[cfg(test)]
    pub(super) fn seen(coverage: Coverage, looked: (bool, bool)) -> Self {
        Self {
            wall_s: 1.0,
            had: 1.0,
            ceilings: Ceilings::default(),
            coverage,
            subjects: Vec::new(),
            looked,
            command: String::new(),
            run: String::new(),
            timed: true,
            project: true,
        }
    }

    pub(super) fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// A command with the target filled in.
    pub(super) fn command(&self, template: &str) -> String {
        template.replace("{command}", &self.command).replace("{run}", &self.run)
    }

    pub(super) fn verify(&self) -> String {
        match self.timed {
            true => format!("slowpath verify {} -- CHANGED COMMAND", self.run),
            false => "watch it again after the change, under the same load".to_owned(),
        }
    }
}

pub(crate) fn shell_word(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A place that gives back less than this share of wall time does not do it all the time.
const FREES: f64 = 0.01;

/// The place that spends most time on giving memory back to the kernel.
fn frees(spots: &[Spot]) -> Option<Place> {
    let gives = |call: &str| matches!(call, "munmap" | "brk" | "madvise" | "mremap");
    let share = |spot: &Spot| {
        spot.wall.value
            * spot.kernel.iter().filter(|(call, _)| gives(call)).fold(0.0, |sum, (_, share)| sum + share)
    };
    let most = spots.iter().max_by(|one, other| share(one).total_cmp(&share(other)))?;
    (share(most) >= FREES && most.place.owner == Owner::Project).then(|| most.place.clone())
}

/// Families that have a metric of their own.
const FAMILIES: &[(Family, &str)] = &[
    (Family::Own, "leaf.own"),
    (Family::Allocate, "leaf.allocate"),
    (Family::Collect, "leaf.collect"),
    (Family::Copy, "leaf.copy"),
    (Family::DeepCopy, "leaf.deep-copy"),
    (Family::Hash, "leaf.hash"),
    (Family::Sort, "leaf.sort"),
    (Family::RegexCompile, "leaf.regex-compile"),
    (Family::Compile, "leaf.compile"),
    (Family::RegexMatch, "leaf.regex-match"),
    (Family::Parse, "leaf.parse"),
    (Family::Serialise, "leaf.serialise"),
    (Family::Format, "leaf.format"),
    (Family::Import, "leaf.import"),
    (Family::Exception, "leaf.exception"),
    (Family::Database, "leaf.database"),
    (Family::Spawn, "leaf.spawn"),
    (Family::Log, "leaf.log"),
    (Family::Lock, "leaf.lock"),
    (Family::Reflect, "leaf.reflect"),
];

/// Calls of the kernel by what they are for.
pub(super) fn kernel_metric(call: &str) -> &'static str {
    match call {
        "read" | "write" | "pread" | "pwrite" | "pread64" | "pwrite64" | "readv" | "writev" | "lseek" => {
            "kernel.transfer"
        }
        "open" | "openat" | "close" | "stat" | "fstat" | "lstat" | "fstatat" | "newfstatat" | "statx"
        | "access" | "faccessat" | "faccessat2" | "readlink" | "readlinkat" | "getdents64" | "unlink"
        | "rename" => "kernel.files",
        "page fault" | "mmap" | "munmap" | "brk" | "mremap" | "madvise" | "mprotect" => "kernel.memory",
        "clone" | "clone3" | "fork" | "vfork" | "execve" | "exit_group" | "exit" | "wait4" | "waitid"
        | "waitpid" => "kernel.process",
        "send" | "sendto" | "sendmsg" | "recv" | "recvfrom" | "recvmsg" | "connect" | "accept"
        | "accept4" | "poll" | "epoll_wait" | "epoll_pwait" | "ppoll" | "select" | "shutdown" => {
            "kernel.network"
        }
        "fsync" | "fdatasync" | "sync" | "syncfs" | "sync_file_range" | "msync" => "kernel.flush",
        // Taking turns with other threads.
        "futex" | "sched_yield" | "sched_setaffinity" => "kernel.sync",
        // Whoever was interrupted did not ask for it, and entry code alone tells nothing.
        "interrupt" | "kernel" => "kernel.unknown",
        _ => "kernel.other",
    }
}

/// What libraries did for it.
fn note_families(subject: &mut Subject, spot: &Spot) {
    for (family, name) in FAMILIES {
        subject.share(name, spot.family(*family), spot.n);
    }
    let search = [Family::Scan, Family::Shift, Family::Concatenate].map(|family| spot.family(family));
    // Fresh pages that a copy touches are not walked over.
    let pages = spot.kernel.iter().filter(|(call, _)| kernel_metric(call) == "kernel.memory");
    let pages = pages.fold(0.0, |sum, (_, share)| sum + share);
    let search = (search.iter().sum::<f64>() - pages).max(0.0);
    if spot.place.is_nameless() {
        // Who of code without names compares and searches is not known, nor how often: a sort does so, too.
        subject.share("leaf.own", spot.family(Family::Own) + search, spot.n);
        subject.word("way", "nameless".to_owned());
    } else {
        subject.share("leaf.search", search, spot.n);
    }
    subject.share("leaf.package", spot.packages, spot.n);
    if let Some(package) = &spot.package {
        subject.word("package", super::finding::words(package));
        if family::goes_by_rows(package) {
            subject.word("way", "rows".to_owned());
        } else if spot.packages >= super::rules::external::PACKAGE {
            subject.word("way", "package".to_owned());
        }
    }
    let stand_in = spot.package.iter().chain(&spot.through).find_map(super::known::stand_in);
    subject.number("package.slow", f64::from(u8::from(stand_in.is_some())), "yes", RECORDER);
    if let Some(stand_in) = stand_in {
        subject.word("instead", stand_in);
    }
    subject.share("leaf.special", 1.0 - spot.family(Family::Own), spot.n);
    subject.share("leaf.library", family::COMPUTE.iter().map(|family| spot.family(*family)).sum(), spot.n);
}

/// What the kernel did for it.
fn note_kernel(subject: &mut Subject, spot: &Spot) {
    let of = |name: &str| {
        let calls = spot.kernel.iter().filter(|(call, _)| kernel_metric(call) == name);
        calls.fold(0.0, |sum, (_, share)| sum + share)
    };
    // What a runtime asks of the kernel for its heap and its threads is part of running the code.
    let runtime = match super::whole::is_managed(spot.place.language) {
        true => of("kernel.memory") + of("kernel.sync"),
        false => 0.0,
    };
    subject.share("kernel", (spot.in_kernel() - runtime).max(0.0), spot.n);
    for name in [
        "kernel.transfer",
        "kernel.files",
        "kernel.memory",
        "kernel.process",
        "kernel.network",
        "kernel.other",
        "kernel.flush",
    ] {
        subject.share(name, of(name), spot.n);
    }
    subject.share("kernel.asking", of("kernel.files") + of("kernel.other"), spot.n);
    subject.share("peer.time", of("kernel.network"), spot.n);
    subject.share("flushing", of("kernel.flush"), spot.n);
}

/// What the recording could not see is unknown, not zero.
fn forget_unseen(subject: &mut Subject, spot: &Spot, inputs: &Inputs<'_>, charged: Option<&Charged>) {
    // An ordinary user's samples end where the kernel begins, and polls alone see no native code at all.
    let level = inputs.study.profile.level;
    let hidden = level == Some(Level::A) || level == Some(Level::D) && !inputs.study.native;
    if hidden && charged.is_none() {
        subject.metrics.retain(|name, _| !name.starts_with("kernel") && *name != "peer.time");
    }
    if let Some(charged) = charged {
        charged.mark(subject);
    }
    if !inputs.study.native {
        subject.metrics.retain(|name, _| !name.starts_with("leaf."));
    }
    // What an interpreter without symbols does for its program cannot be told apart.
    if spot.place.language == Language::Python && super::whole::is_opaque(inputs.recording) {
        let collector = super::whole::shows_collector(inputs.recording);
        subject.metrics.retain(|name, _| *name != "leaf.allocate" && (collector || *name != "leaf.collect"));
    }
}

fn computing(
    spot: &Spot,
    inputs: &Inputs<'_>,
    contexts: &Contexts<'_>,
    charged: Option<&Charged>,
) -> Subject {
    let mut subject = Subject::new(Kind::Computing, Some(spot.place.clone()), spot.wall);
    subject.share("wall", spot.wall.value, spot.n);
    if let Some(metric) = subject.metrics.get_mut("wall") {
        (metric.low, metric.high) = (Some(spot.wall.low), Some(spot.wall.high));
    }
    subject.inside = spot.inside.as_ref().map(|(place, _)| place.clone());
    note_families(&mut subject, spot);
    note_kernel(&mut subject, spot);
    // A shell that starts programs on the way to the real one is not the place that computes.
    let spawning = spot.kernel.iter().filter(|(call, _)| kernel_metric(call) == "kernel.process");
    let spawning = spawning.fold(spot.family(Family::Spawn), |sum, (_, share)| sum + share);
    subject.share("spawning", spawning.min(1.0), spot.n);
    forget_unseen(&mut subject, spot, inputs, charged);
    if let Some(transfer) = subject.metrics.get("kernel.transfer").cloned() {
        subject.metrics.insert("io.moving", transfer);
    }
    subject.share("starting", spot.starting, spot.n);
    // What an initialiser has done is the initialiser's to change.
    if let Some((initialiser, _)) =
        spot.callers.iter().find(|(place, _)| place.function.ends_with("<clinit>"))
    {
        subject.instead.insert("startup-dominated", initialiser.clone());
    }
    if let Some(stepping) = spot.stepping {
        subject.share("database.step", stepping, spot.n);
        subject.share("database.long", stepping * spot.family(Family::Database), spot.n);
    }
    let database = spot.family(Family::Database) >= 0.25;
    subject.number("database", f64::from(u8::from(database)), "yes", RECORDER);
    super::whole::note_children(&mut subject, inputs);
    super::resident::note(&mut subject, inputs);
    super::resident::note_fresh(&mut subject, inputs, spot.place.language);
    let managed = super::whole::is_managed(spot.place.language) || super::known::is_jvm(&spot.place);
    let managed = f64::from(u8::from(managed));
    // What a runtime does in its own code, its program cannot do otherwise.
    let runtimes = f64::from(u8::from(spot.place.owner == Owner::Runtime));
    subject.number("runtimes", runtimes, "yes", RECORDER);
    subject.number("managed", managed, "yes", RECORDER);
    if let Some((leaf, share)) = spot.leaves.first().filter(|(leaf, _)| leaf.function != spot.place.function)
    {
        subject.word("callee", format!("`{}` ({:.0} % of it)", leaf.function, share * 100.0));
        // The method decides whether it is handed a copy.
        if leaf.file.as_deref() == Some("<autogenerated>") {
            subject.instead.insert("copy-volume", leaf.clone());
        }
    }
    let own: Vec<&Context> = spot
        .lines
        .iter()
        .filter(|line| line.share >= HOT_LINE)
        .filter_map(|line| contexts.get(&(spot.place.file.as_deref()?, line.line)).copied())
        .collect();
    let callers: Vec<(&Place, &Context)> =
        spot.callers.iter().filter_map(|(place, _)| Some((place, context_of(contexts, place)?))).collect();
    super::source::note(&mut subject, &own, &callers);
    super::source::note_inside(&mut subject, spot, contexts);
    super::mapper::note_lazy_loading(&mut subject, spot, contexts);
    super::handed::note_statements(&mut subject, inputs, spot, &own);
    if let Some((caller, _)) =
        spot.callers.first().filter(|_| super::naming::is_special_member(&spot.place.function))
    {
        for cause in ["copy-volume", "allocation-churn", "hot-compute", "page-faults", "memory-growth"] {
            subject.instead.insert(cause, caller.clone());
        }
    }
    super::pattern::note(&mut subject, spot, contexts);
    super::hash::note(&mut subject, spot, contexts);
    super::hash::note_compares(&mut subject, spot, inputs.recording);
    super::hash::note_chain(&mut subject, spot, inputs.recording);
    super::machine::note(&mut subject, inputs.code, &spot.place, spot.seconds);
    let body = own.iter().find_map(|context| context.function.as_ref());
    let body = body.map(|function| function.first_line..=function.last_line);
    super::simulated::note(&mut subject, inputs.simulated, &spot.place, body);
    super::calls::note_files(&mut subject, inputs.calls, &spot.place);
    super::calls::note_peers(&mut subject, inputs.calls, &spot.place);
    super::calls::note_connecting(&mut subject, inputs.calls, spot);
    super::journals::note(&mut subject, inputs.calls, spot);
    super::heap::note(&mut subject, inputs.heap, &spot.place);
    super::heap::note_span(&mut subject, inputs.recording, &spot.place);
    super::runtime::note_repeats(&mut subject, inputs, spot);
    super::natives::note_repeats(&mut subject, inputs, spot);
    super::runtime::note_compiled(&mut subject, inputs, spot);
    super::runtime::note_copies(&mut subject, inputs, spot);
    super::natives::note_anew(&mut subject, inputs, spot);
    super::runtime::note_compiler(&mut subject, inputs, spot);
    super::compiling::note(&mut subject, inputs, spot, contexts);
    super::runtime::note_steps(&mut subject, inputs, spot);
    super::statements::note(&mut subject, inputs, spot);
    super::costs::note(&mut subject, inputs, spot);
    super::runtime::note_pages(&mut subject);
    super::runtime::note_heap(&mut subject, inputs, spot, contexts);
    super::sites::note_rate(&mut subject, inputs, &spot.place);
    super::sizes::note(&mut subject, inputs, spot);
    if let Some(apart) = super::whole::apart(inputs) {
        subject.number("cpus.apart", apart, "x", (model::solo::SOLO, "runs on one CPU"));
        subject.number(
            "cpus.apart-part",
            (1.0 - 1.0 / apart.max(1.0)).max(0.0),
            "1",
            (model::solo::SOLO, "runs on one CPU"),
        );
    }
    let waits = inputs
        .study
        .profile
        .waits
        .iter()
        .filter(|site| site.leaf == "blocked/lock" && !site.idle && site.count > 4);
    let locked = waits.fold(0.0, |sum, site| sum + site.seconds);
    super::tasks::note(&mut subject, inputs);
    subject.number("locked", locked / inputs.study.profile.wall_s.unwrap_or(1.0), "x", RECORDER);
    subject
}

pub(super) fn context_of<'a>(contexts: &Contexts<'a>, place: &Place) -> Option<&'a Context> {
    let (file, line) = (place.file.as_deref()?, place.line?);
    contexts.iter().find(|((known, at), _)| *known == file && *at == line).map(|(_, context)| *context)
}

/// A share without an interval, for numbers that are counted and not sampled.
pub(super) fn exact(value: f64) -> Share {
    Share { value, low: value, high: value }
}
