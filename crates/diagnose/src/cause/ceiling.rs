//! What places cost with all that they call: more than that no change of them can save.

use std::collections::{BTreeMap, BTreeSet};

use model::profile::Place;
use model::recording::{Owner, Recording};

use super::facts::{Inputs, share_in};

/// Functions of the user's that were at work together, with the share of wall time in which they were: on a CPU or waiting.
#[derive(Clone, Debug, Default)]
pub(super) struct Ceilings {
    together: Vec<(BTreeSet<String>, f64)>,
}

impl Ceilings {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let profile = &inputs.study.profile;
        let on_cpu = share_in(inputs.study, "on-cpu");
        let Some(wall) = profile.wall_s.filter(|wall| *wall > 0.0) else { return Self::default() };
        let mut shares: BTreeMap<BTreeSet<String>, f64> = BTreeMap::new();
        for (names, share) in computing(inputs.recording) {
            *shares.entry(names).or_default() += share * on_cpu;
        }
        for site in &profile.waits {
            let places = site.stack.iter().chain(&site.place);
            let own = places.filter(|place| place.owner == Owner::Project);
            let names = own.map(|place| place.function.clone()).collect();
            *shares.entry(names).or_default() += site.critical_s / wall;
        }
        Self { together: shares.into_iter().collect() }
    }

    /// The most that a change of all these places can save, of the time that the program had. `None` where nothing is known
    /// of them.
    ///
    /// What surely stays is what other functions of the user's do or wait for when none of these is at work. The rest,
    /// collectors, compilers and the kernel on nobody's behalf, may be there for their sake.
    pub(super) fn of_all(&self, places: &[&Place]) -> Option<f64> {
        let here = |names: &BTreeSet<String>| places.iter().any(|place| names.contains(&place.function));
        let sum = |wanted: &dyn Fn(&BTreeSet<String>) -> bool| -> f64 {
            self.together.iter().filter(|(names, _)| wanted(names)).map(|(_, share)| *share).sum()
        };
        self.together.iter().any(|(names, _)| here(names)).then_some(())?;
        let stays = sum(&|names| !names.is_empty() && !here(names));
        let all = sum(&|_| true);
        (all > 0.0).then(|| (1.0 - stays / all).clamp(0.0, 1.0))
    }
}

/// Share of all hits by the functions of the user's in their stacks. What runs before the first of them is a start that no
/// change of them saves.
fn computing(recording: &Recording) -> Vec<(BTreeSet<String>, f64)> {
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
    let names = |stack: u32| -> BTreeSet<String> {
        let own = recording.frames_of(stack).filter(|frame| frame.owner == Owner::Project);
        own.filter_map(|frame| frame.function.clone()).collect()
    };
    let share = |weight: u64| weight as f64 / all.max(1) as f64;
    let found = weights.into_iter().map(|(stack, weight)| (names(stack), share(weight)));
    found.chain([(BTreeSet::from([START.to_owned()]), share(start))]).collect()
}

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
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let together = vec![
            (set(&["main", "slow"]), 0.3),
            (set(&["main", "other"]), 0.1),
            (set(&["main"]), 0.05),
            (set(&[]), 0.05),
        ];
        let ceilings = Ceilings { together };
        let most = |names: &[&str]| {
            let places: Vec<Place> = names.iter().map(|name| place(name)).collect();
            ceilings.of_all(&places.iter().collect::<Vec<_>>())
        };
        assert!((most(&["slow"]).unwrap() - 0.7).abs() < 1e-9, "of the half of wall time that it had");
        assert!((most(&["slow", "other"]).unwrap() - 0.9).abs() < 1e-9);
        assert_eq!(most(&["main"]), Some(1.0));
        assert_eq!(most(&["unseen"]), None);
    }
}
