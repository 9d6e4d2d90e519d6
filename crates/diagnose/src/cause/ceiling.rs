//! What places cost with all that they call: more than that no change of them can save.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use model::profile::{Place, WaitSite};
use model::recording::{Frame, Owner, Recording};

use super::facts::Inputs;
use super::naming::enclosing;

/// Functions of the user's that were at work together, the innermost first, with the share of wall time in which they were:
/// on a CPU or waiting.
#[derive(Clone, Debug, Default)]
pub(super) struct Ceilings {
    together: Vec<Together>,
    /// Moments that were looked at: shares have an error.
    looks: f64,
}

#[derive(Clone, Debug)]
struct Together {
    names: Vec<String>,
    share: f64,
    computes: bool,
}

impl Together {
    fn is_start(&self) -> bool {
        self.names.first().is_some_and(|name| name == START)
    }
}

/// What a cause costs besides its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Place,
    /// Whoever answers, in threads and callbacks of their own, is asked less.
    Peers,
    /// What is waited for in turn is then waited for at once, wherever that is.
    Waits,
    /// Caches are emptied for whatever else computes.
    All,
}

impl Ceilings {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let profile = &inputs.study.profile;
        let Some(wall) = profile.wall_s.filter(|wall| *wall > 0.0) else { return Self::default() };
        let mut shares: BTreeMap<(Vec<String>, bool), f64> = BTreeMap::new();
        let (seen, hidden) = on_cpu(inputs);
        for (names, share) in computing(inputs.recording) {
            let computes = names.first().is_none_or(|name| name != START);
            *shares.entry((names, computes)).or_default() += share * seen;
        }
        *shares.entry((Vec::new(), true)).or_default() += hidden;
        // A thread that is back from a wait queues for a CPU because it waited.
        let back = |site: &WaitSite| {
            site.queued_s.map_or(0.0, |queued| queued * site.critical_s / (site.seconds * wall))
        };
        let waits = || profile.waits.iter().filter(|site| site.seconds > 0.0 && site.critical_s > 0.0);
        let all: f64 = waits().map(back).sum();
        let part = (inputs.study.share_in("runnable/woken") / all.max(f64::MIN_POSITIVE)).min(1.0);
        for site in waits() {
            let places = if site.stack.is_empty() { site.place.as_slice() } else { &site.stack };
            let own = places.iter().rev().filter(|place| place.owner == Owner::Project);
            let names = known(own.map(|place| place.function.as_str()));
            *shares.entry((names, false)).or_default() += site.critical_s / wall + part * back(site);
        }
        let together = |((names, computes), share)| Together { names, share, computes };
        let looks =
            inputs.recording.seen() as f64 + profile.waits.iter().map(|site| site.count as f64).sum::<f64>();
        Self { together: shares.into_iter().map(together).collect(), looks }
    }

    /// The most that a change of all these places can save, of the time that the program had. `None` where nothing is known
    /// of them.
    ///
    /// What surely stays is what other functions of the user's do or wait for when none of these is at work. What their
    /// callers do themselves may be for their sake, to use and to free what they return; so may the rest: collectors,
    /// compilers and the kernel on nobody's behalf; and what the cause reaches.
    pub(super) fn of_all(&self, places: &[&Place], reach: Reach) -> Option<f64> {
        let places: BTreeSet<Cow<'_, str>> = places.iter().map(|place| enclosing(&place.function)).collect();
        let is_place = |name: &String| places.contains(name.as_str());
        let calls = |names: &Vec<String>| -> BTreeSet<String> {
            let pairs = (1..=FREED).flat_map(|up| names.iter().zip(names.iter().skip(up)));
            pairs.filter(|(callee, _)| is_place(callee)).map(|(_, caller)| caller.clone()).collect()
        };
        let callers: BTreeSet<String> = self.together.iter().flat_map(|one| calls(&one.names)).collect();
        self.together.iter().any(|one| one.names.iter().any(is_place)).then_some(())?;
        let asking = self.together.iter().filter(|one| one.names.iter().any(is_place));
        let began: BTreeSet<&String> = asking.filter_map(|one| one.names.last()).collect();
        let may_go = |one: &Together| {
            one.names.first().is_none_or(|inner| callers.contains(inner))
                || one.names.iter().any(is_place)
                || match reach {
                    Reach::Place => false,
                    Reach::Peers => {
                        one.computes && one.names.last().is_none_or(|outer| !began.contains(outer))
                    }
                    Reach::Waits => !one.computes && !one.is_start(),
                    Reach::All => one.computes,
                }
        };
        let sum = |goes: bool| -> f64 {
            self.together.iter().filter(|one| may_go(one) == goes).map(|one| one.share).sum()
        };
        // Who waits and whoever is waited for are at it at the same time: that time is counted here.
        let all = (sum(true) + sum(false)).min(1.0);
        let stays = sum(false).min((all - sum(true)).max(0.0));
        (all > 0.0).then(|| 1.0 - crate::profile::wilson((stays / all).clamp(0.0, 1.0), self.looks).low)
    }
}

/// Shares of wall time on a CPU: what the hits stand for, and what none of them could see, the kernel as a user may not.
fn on_cpu(inputs: &Inputs<'_>) -> (f64, f64) {
    let (all, kernel) = (inputs.study.share_in("on-cpu"), inputs.study.share_in("on-cpu/kernel"));
    let in_kernel = |frame: &Frame| frame.owner == Owner::Kernel;
    if inputs.recording.frames.iter().any(in_kernel) { (all, 0.0) } else { (all - kernel, kernel) }
}

/// Share of all hits by the functions of the user's in their stacks. What runs before the first of them is a start that no
/// change of them saves.
fn computing(recording: &Recording) -> Vec<(Vec<String>, f64)> {
    let is_own = super::whole::below(recording, |frame| frame.owner == Owner::Project);
    let own =
        |stack: Option<u32>| stack.and_then(|stack| is_own.get(stack as usize).copied()).unwrap_or(false);
    let began = recording.hits.iter().filter(|hit| own(hit.stack)).map(|hit| hit.at).min();
    let mut weights: BTreeMap<u32, u64> = BTreeMap::new();
    let (mut all, mut start) = (0_u64, 0_u64);
    for hit in &recording.hits {
        all = all.saturating_add(hit.weight);
        match hit.stack {
            _ if began.is_some_and(|began| hit.at < began) => start = start.saturating_add(hit.weight),
            Some(stack) => *weights.entry(stack).or_default() += hit.weight,
            None => {}
        }
    }
    let names = |stack: u32| -> Vec<String> {
        let own = recording.frames_of(stack).filter(|frame| frame.owner == Owner::Project);
        known(own.filter_map(|frame| frame.function.as_deref()))
    };
    let share = |weight: u64| weight as f64 / all.max(1) as f64;
    let found = weights.into_iter().map(|(stack, weight)| (names(stack), share(weight)));
    found.chain([(vec![START.to_owned()], share(start))]).collect()
}

/// Functions by the names that people know: a closure is part of the one that it is written in.
fn known<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut known: Vec<String> = names.map(|name| enclosing(name).into_owned()).collect();
    known.dedup();
    known
}

/// What a place makes is often freed when its caller returns, which counts for the caller's caller.
const FREED: usize = 2;

/// No function of the user's is called so.
const START: &str = "<before the first function>";

#[cfg(test)]
mod tests {
    use model::recording::Language;

    use super::*;

    fn place(function: &str) -> Place {
        Place {
            function: function.to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::C,
            owner: Owner::Project,
        }
    }

    #[test]
    fn what_others_do_stays_and_what_nobody_asked_for_may_go() {
        let group = |names: &[&str], share: f64| Together {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            share,
            computes: true,
        };
        let together = vec![
            group(&["slow", "step", "main"], 0.3),
            group(&["step", "main"], 0.02),
            group(&["other", "main"], 0.1),
            group(&["main"], 0.03),
            group(&[], 0.05),
        ];
        let ceilings = Ceilings { together, looks: 1e9 };
        let most = |names: &[&str], reach: Reach| {
            let places: Vec<Place> = names.iter().map(|name| place(name)).collect();
            ceilings.of_all(&places.iter().collect::<Vec<_>>(), reach)
        };
        assert!(
            (most(&["slow"], Reach::Place).unwrap() - 0.80).abs() < 1e-3,
            "of the half of wall time that it had"
        );
        assert!((most(&["other"], Reach::Place).unwrap() - 0.36).abs() < 1e-3, "main calls it");
        assert_eq!(most(&["slow"], Reach::All), Some(1.0));
        assert_eq!(most(&["main"], Reach::Place), Some(1.0));
        assert_eq!(most(&["unseen"], Reach::Place), None);

        let together = vec![group(&["ask", "main"], 0.9), group(&["serve"], 0.8), group(&["main"], 0.05)];
        let asked = Ceilings { together, looks: 1e9 }.of_all(&[&place("ask")], Reach::Place);
        assert!((asked.unwrap() - 0.95).abs() < 1e-3, "who answers does so while the other waits");

        let together =
            vec![group(&["ask", "main"], 0.3), group(&["serve"], 0.5), group(&["draw", "main"], 0.2)];
        let ceilings = Ceilings { together, looks: 1e9 };
        let most = |reach| ceilings.of_all(&[&place("ask")], reach).unwrap();
        assert!((most(Reach::Place) - 0.3).abs() < 1e-3);
        assert!((most(Reach::Peers) - 0.8).abs() < 1e-3, "who serves is asked less, who draws is not");

        let waits = |names: &[&str], share: f64| Together { computes: false, ..group(names, share) };
        let together =
            vec![waits(&["take", "main"], 0.2), waits(&["read", "main"], 0.5), group(&["draw", "main"], 0.3)];
        let ceilings = Ceilings { together, looks: 1e9 };
        let most = |reach| ceilings.of_all(&[&place("take")], reach).unwrap();
        assert!((most(Reach::Place) - 0.2).abs() < 1e-3);
        assert!((most(Reach::Waits) - 0.7).abs() < 1e-3, "who reads in turn may read at once");
    }
}
