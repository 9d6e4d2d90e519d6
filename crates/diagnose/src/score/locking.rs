//! Time spent on taking and giving back locks: a sign of waste that counts can tell on any machine.
//!
//! Threads that fight for a lock show it in their waits only where they really ran side by side. The work of locking is
//! there in any case, and where it is most of what a program does, the lock is taken far too often.

use model::profile::Hotspot;
use model::recording::{Owner, RECORDING};
use model::scorecard::{Better, Figure, Location, Tier};

use super::cost::{Costs, cycles, figure, words};
use super::cpu::{CONCENTRATION, Sign};
use super::tier::milder;
use super::{Inputs, advice};

/// Fewer hits tell no share.
const LEAST_HITS: u64 = 30;

/// Parts of the names of functions that take or give back a lock: glibc, Rust, Go.
const LOCKING: [&str; 8] = [
    "pthread_mutex_",
    "pthread_spin_",
    "pthread_rwlock_",
    "lll_mutex_",
    "lll_lock",
    "mutex::futex::",
    "runtime.lock2",
    "sync.(*Mutex)",
];

/// The share of the work that is locking, where that is worth a word.
pub(super) fn sign(inputs: &Inputs<'_>) -> Option<Sign> {
    let figure = counted(inputs).or_else(|| sampled(inputs))?;
    let tier = CONCENTRATION.tier(figure.value);
    if tier == Tier::Pass {
        return None;
    }
    // A single thread pays for its locks as well, but nobody waits for it.
    let tier = if has_threads(inputs) { tier } else { milder(tier, Tier::Warn) };
    let place = figure.location.as_ref().map_or_else(|| "the locking loop".to_owned(), words);
    let because =
        format!("{:.0} % of the CPU time is taking and giving back locks, in {place}", figure.value);
    Some(Sign { tier, because, prescription: advice::locking(&place), figure })
}

fn is_locking(name: &str) -> bool {
    LOCKING.iter().any(|part| name.contains(part))
}

fn has_threads(inputs: &Inputs<'_>) -> bool {
    inputs.passes.recording.as_ref().is_some_and(|recording| recording.threads.len() > 1)
}

fn judged(figure: Figure) -> Figure {
    Figure { limit: Some(CONCENTRATION.limit), fail: Some(CONCENTRATION.fail), ..figure }
}

/// Of the estimated cycles of a simulated run.
fn counted(inputs: &Inputs<'_>) -> Option<Figure> {
    let costs = Costs::of(inputs)?;
    let all = || costs.simulated.functions.iter().filter(|function| is_locking(&function.name));
    let share = all().map(|function| cycles(&function.own)).fold(0.0, |a, b| a + b) / costs.total;
    let most = all().max_by(|a, b| cycles(&a.own).total_cmp(&cycles(&b.own)))?;
    let location = Some(costs.place(most)).filter(|place| place.project);
    let figure = figure(costs.simulated, &["cachegrind", "callgrind"], "locking", share * 100.0, "%");
    Some(judged(Figure { location, ..figure }))
}

/// Of the hits of the recorded run.
fn sampled(inputs: &Inputs<'_>) -> Option<Figure> {
    let all = || inputs.answer.hotspots.iter().filter(|hotspot| is_locking(&hotspot.place.function));
    let n: u64 = all().map(|hotspot| hotspot.n).sum();
    if n < LEAST_HITS {
        return None;
    }
    let place = |hotspot: &Hotspot| {
        let place = hotspot.project.as_ref()?;
        Some(Location {
            function: place.function.clone(),
            file: place.file.clone(),
            line: place.line,
            module: place.module.clone(),
            project: place.owner == Owner::Project,
        })
    };
    Some(judged(Figure {
        name: "locking".to_owned(),
        value: all().map(|hotspot| hotspot.own.value).fold(0.0, |a, b| a + b) * 100.0,
        low: None,
        high: None,
        unit: "%".to_owned(),
        limit: None,
        fail: None,
        better: Better::Lower,
        size: None,
        n: u32::try_from(n).ok(),
        cost: None,
        location: all().find_map(place),
        artifact: RECORDING.to_owned(),
        source: "recorder".to_owned(),
        command: Some(format!("slowpath record -- {}", inputs.command())),
    }))
}
