//! A recording, added up: where wall time went, every thread's life, hotspots, waits and the call tree. Pure.

pub mod difference;

mod calls;
mod checks;
mod correction;
pub mod family;
mod hash;
pub mod holders;
mod hotspots;
mod idle;
mod lives;
mod path;
pub(crate) mod places;
mod queue;
mod rows;
mod scene;
mod signalled;
mod special;
mod split;
pub mod spots;
mod storm;
mod tally;
mod tasks;
mod thread;
pub mod trail;
pub(crate) mod voices;
mod waits;
mod wakers;
mod weights;
mod windows;
pub(crate) mod words;

#[cfg(test)]
pub(crate) mod tests;

use model::Nanos;
use model::answer::{Account, AnswerTarget};
use model::doctor::Level;
use model::profile::{Profile, SCHEMA};
use model::recording::{Hit, Language, Recording, Source};

use self::lives::Lives;
use self::path::Path;
use self::places::Places;
use self::scene::Scene;
use self::tasks::Tasks;
use self::wakers::Wakers;
use self::weights::Weights;

pub use self::difference::difference;
pub(crate) use self::hotspots::share as wilson;
pub(crate) use self::places::{is_system_library, name_without_symbols};
pub(crate) use self::special::is_special;

/// Parts named in a leaf of the run's account.
const PARTS: usize = 16;

/// Threads listed. A build may start a hundred thousand; nobody reads further.
const THREADS: usize = 2000;

/// What is known of the run besides its recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// The run's id.
    pub run: String,
    pub target: Option<AnswerTarget>,
    /// CPU time of the whole tree, from rusage. `None` when it was not read; user and system time may still be.
    pub cpu: Option<Nanos>,
    pub user: Option<Nanos>,
    pub system: Option<Nanos>,
    /// Pages that were found without a disk.
    pub faults: Option<u64>,
    /// Share of the machine's CPU time that the hypervisor took during the run.
    pub steal: Option<f64>,
    /// Time that the target's control group was out of its CPU quota, over all CPUs.
    pub throttled: Option<Nanos>,
    /// Medians of the runs without an instrument.
    pub baseline_wall: Option<Nanos>,
    /// The program was watched for a time and has no end of its own.
    pub watched: bool,
    pub baseline_cpu: Option<Nanos>,
}

/// A recording added up, and what the search for causes needs besides.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    pub profile: Profile,
    /// Places of the user's code that compute, by their share of wall time.
    pub spots: Vec<spots::Spot>,
    /// By the function in which tasks wait for a lock: what its holder did meanwhile.
    pub holders: std::collections::BTreeMap<String, holders::Holder>,
    /// The critical path, piece by piece.
    pub trail: trail::Trail,
    /// Share of the time on a CPU of which no stack was seen: nothing is known of what computed there.
    pub unseen: f64,
    /// Stacks on a CPU go down to machine code, so what libraries and interpreters do can be told apart.
    pub native: bool,
}

/// Of wall time: a cause is excluded only where what would show it covered the rest.
const UNSEEN: f64 = 0.05;

/// With fewer hits the share of a function that takes half of the time is known to within 18 points at best.
pub const FEW_HITS: u64 = 30;

/// Of wall time: who computes for less than this is not told by hits in any case.
const COMPUTES: f64 = 0.2;

impl Study {
    /// Whether enough of the run was seen to say that no place computes in a certain way.
    #[must_use]
    pub fn saw_places(&self) -> bool {
        self.profile.hits > 0 && !self.is_too_short() && self.unseen * self.share_in("on-cpu") <= UNSEEN
    }

    /// Whether enough of the run was explained to say that no place waits in a certain way.
    #[must_use]
    pub fn saw_waits(&self) -> bool {
        self.profile.account.as_ref().is_some_and(|account| account.unaccounted <= UNSEEN * self.had())
    }

    /// Whether a run that computes was over before enough was seen of where it does.
    #[must_use]
    pub fn is_too_short(&self) -> bool {
        self.profile.hits < FEW_HITS && self.share_in("on-cpu") >= COMPUTES
    }

    /// Share of wall time in which the program did not wait for a CPU. On a busy machine it is judged by the time that it
    /// had.
    #[must_use]
    pub fn had(&self) -> f64 {
        1.0 - self.share_in("runnable").clamp(0.0, 0.95)
    }

    /// Share of wall time in the leaves of the account that begin so.
    pub(crate) fn share_in(&self, begin: &str) -> f64 {
        let leaves = self.profile.account.iter().flat_map(|account| &account.leaves);
        leaves.filter(|leaf| leaf.leaf.starts_with(begin)).fold(0.0, |sum, leaf| sum + leaf.share)
    }
}

/// Adds up a recording. Never fails: what cannot be trusted is clipped or left out, and told as a gap.
#[must_use]
pub fn profile(recording: &Recording, context: &Context) -> Profile {
    study(recording, context).profile
}

/// As [`profile`], with the spots.
#[must_use]
pub fn study(recording: &Recording, context: &Context) -> Study {
    let places = Places::of(recording);
    let lives = Lives::of(recording, &places);
    let wakers = Wakers::of(&lives);
    let scene = Scene::of(&lives, &places, wakers.first(), context);
    let tasks = Tasks::of(recording, &lives, &places);
    // Of hits without a time nobody can tell what the end of the program waited for.
    let wall = recording.wall.filter(|_| recording.has_clock());
    let path = wall.map(|wall| path::path(&scene, &wakers, &tasks, wall.as_nanos()));
    let nowhere = Vec::new();
    let covered = path.as_ref().map_or(&nowhere, |path| &path.covered);
    let covered_tasks = path.as_ref().map_or(&nowhere, |path| &path.covered_tasks);
    let idle = idle::idle(&lives, covered);
    let weights = Weights::of(recording);
    let mut threads = thread::accounts(&scene, &idle);
    let left_out = threads.len().saturating_sub(THREADS);
    threads.truncate(THREADS);
    let mut gaps = checks::gaps(&scene);
    if left_out > 0 {
        gaps.push(model::Gap::new("every thread", format!("{left_out} more threads with less time"), None));
    }
    let (source, level) = source(recording);
    let wall = recording.wall.map_or(0.0, Nanos::as_secs_f64);
    let spots = path.as_ref().map(|path| spots::spots(&places, path, wall)).unwrap_or_default();
    let in_kernel = checks::overhead_in_kernel(&places, &weights);
    gaps.extend(checks::without_stack(&weights));
    let account = path.as_ref().map(|path| account(&scene, path, context));
    gaps.extend(account.as_ref().and_then(|account| checks::adrift(&account.checks, recording)));
    let profile = Profile {
        schema: SCHEMA.to_owned(),
        run: context.run.clone(),
        target: context.target.clone(),
        source,
        level,
        weight: recording.weight.clone(),
        wall_s: recording.wall.map(Nanos::as_secs_f64),
        hits: recording.seen(),
        account,
        threads,
        hotspots: hotspots::hotspots(&places, &weights, path.as_ref()),
        waits: waits::sites(&scene, &wakers, (covered, &idle), (&tasks, covered_tasks)),
        tree: calls::tree(&places, &weights),
        losses: recording.losses,
        overhead: checks::overhead(recording, context).into_iter().chain(in_kernel).collect(),
        gaps,
    };
    let holders = holders::holders(recording, &tasks, &places);
    let trail = path.map(|path| path.trail).unwrap_or_default();
    Study { profile, spots, holders, trail, unseen: unseen(recording), native: native(recording) }
}

#[expect(clippy::cast_precision_loss, reason = "2^53 ns is 104 days")]
fn unseen(recording: &Recording) -> f64 {
    let weight = |is_meant: fn(&Hit) -> bool| {
        let hits = recording.hits.iter().filter(|hit| is_meant(hit));
        hits.fold(0.0, |sum, hit| sum + hit.weight as f64)
    };
    // Who was hidden was not hit.
    let hidden = recording.threads.iter().filter(|thread| thread.out_of_sight.is_some());
    let hidden = hidden.map(|thread| {
        let on_cpu = |nanos: Option<Nanos>| nanos.map_or(0, Nanos::as_nanos);
        on_cpu(thread.scheduler_on_cpu).saturating_sub(on_cpu(thread.on_cpu)) as f64
    });
    let hidden: f64 =
        if matches!(recording.weight, model::recording::Weight::CpuTime) { hidden.sum() } else { 0.0 };
    let all = weight(|_| true) + hidden;
    if all > 0.0 { (weight(|hit| hit.stack.is_none()) + hidden) / all } else { 0.0 }
}

fn native(recording: &Recording) -> bool {
    let innermost = recording.hits.iter().filter_map(|hit| recording.nodes.get(hit.stack? as usize));
    let mut frames = innermost.filter_map(|node| recording.frames.get(node.frame as usize));
    frames.any(|frame| frame.language != Language::Python)
}

fn account(scene: &Scene<'_>, path: &Path, context: &Context) -> Account {
    let account = tally::account("seconds of wall along the critical path", &path.tally, &path.parts, PARTS);
    Account { checks: checks::checks(scene, context), ..account }
}

fn source(recording: &Recording) -> (String, Option<Level>) {
    match &recording.source {
        Source::Slowpath(level) => ("slowpath".to_owned(), Some(*level)),
        Source::Import(format) => (format.clone(), None),
    }
}
