//! What places cost with all that they call: more than that no change of them can save.

use std::collections::{BTreeMap, BTreeSet};

use model::profile::Place;
use model::recording::{Owner, Recording};

use super::facts::Inputs;

/// Functions of the user's that were at work together, with the share of wall time in which they were: on a CPU or waiting.
#[derive(Clone, Debug, Default)]
pub(super) struct Ceilings {
    together: Vec<(BTreeSet<String>, f64)>,
    /// What the runtime spends on everybody's garbage, where that is known.
    collector: Option<f64>,
}

impl Ceilings {
    pub(super) fn of(inputs: &Inputs<'_>, collector: Option<f64>) -> Self {
        let profile = &inputs.study.profile;
        let leaves = profile.account.iter().flat_map(|account| &account.leaves);
        let on_cpu: f64 = leaves.filter(|leaf| leaf.leaf.starts_with("on-cpu")).map(|leaf| leaf.share).sum();
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
        Self { together: shares.into_iter().collect(), collector }
    }

    /// The most that a change of all these places can save. `None` where nothing is known of them.
    pub(super) fn of_all(&self, places: &[&Place]) -> Option<f64> {
        let here = |names: &BTreeSet<String>| places.iter().any(|place| names.contains(&place.function));
        let own: Vec<f64> =
            self.together.iter().filter(|(names, _)| here(names)).map(|(_, share)| *share).collect();
        let managed = places.iter().any(|place| super::whole::is_managed(place.language));
        // Where nobody knows what the collector takes it may be anything, and nothing bounds the gain.
        let garbage = if managed { self.collector.unwrap_or(1.0) } else { 0.0 };
        (!own.is_empty()).then(|| (own.iter().sum::<f64>() + garbage).min(1.0))
    }
}

/// Share of all hits by the functions of the user's in their stacks.
fn computing(recording: &Recording) -> Vec<(BTreeSet<String>, f64)> {
    let mut weights: BTreeMap<u32, u64> = BTreeMap::new();
    let mut all = 0_u64;
    for hit in &recording.hits {
        all = all.saturating_add(hit.weight);
        if let Some(stack) = hit.stack {
            *weights.entry(stack).or_default() += hit.weight;
        }
    }
    let names = |stack: u32| -> BTreeSet<String> {
        let own = recording.frames_of(stack).filter(|frame| frame.owner == Owner::Project);
        own.filter_map(|frame| frame.function.clone()).collect()
    };
    weights.into_iter().map(|(stack, weight)| (names(stack), weight as f64 / all.max(1) as f64)).collect()
}
