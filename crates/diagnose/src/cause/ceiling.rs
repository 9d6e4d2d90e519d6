//! What a place costs with all that it calls: more than that no change of it can save.

use std::collections::BTreeMap;

use model::profile::Place;
use model::recording::{Owner, Recording};

use super::facts::Inputs;

/// Shares of wall time by function, with all that it calls on a CPU or waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct Ceilings {
    shares: BTreeMap<String, f64>,
    /// What the runtime spends on everybody's garbage.
    collector: f64,
}

impl Ceilings {
    pub(super) fn of(inputs: &Inputs<'_>, collector: f64) -> Self {
        let profile = &inputs.study.profile;
        let leaves = profile.account.iter().flat_map(|account| &account.leaves);
        let on_cpu: f64 = leaves.filter(|leaf| leaf.leaf.starts_with("on-cpu")).map(|leaf| leaf.share).sum();
        let Some(wall) = profile.wall_s.filter(|wall| *wall > 0.0) else { return Self::default() };
        let mut shares = computing(inputs.recording);
        for share in shares.values_mut() {
            *share *= on_cpu;
        }
        for site in &profile.waits {
            let mut seen: Vec<&str> = Vec::new();
            for place in site.stack.iter().chain(&site.place).filter(|place| place.owner == Owner::Project) {
                if !seen.contains(&place.function.as_str()) {
                    seen.push(&place.function);
                    *shares.entry(place.function.clone()).or_default() += site.critical_s / wall;
                }
            }
        }
        Self { shares, collector }
    }

    /// The most that a change of the place can save. `None` where nothing is known of it.
    pub(super) fn at(&self, place: &Place) -> Option<f64> {
        let own = self.shares.get(&place.function)?;
        let garbage = if super::whole::is_managed(place.language) { self.collector } else { 0.0 };
        Some((own + garbage).min(1.0))
    }
}

/// Share of all hits below each function of the user's.
fn computing(recording: &Recording) -> BTreeMap<String, f64> {
    let mut weights: BTreeMap<u32, u64> = BTreeMap::new();
    let mut all = 0_u64;
    for hit in &recording.hits {
        all = all.saturating_add(hit.weight);
        if let Some(stack) = hit.stack {
            *weights.entry(stack).or_default() += hit.weight;
        }
    }
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    for (stack, weight) in weights {
        let own = recording.frames_of(stack).filter(|frame| frame.owner == Owner::Project);
        let mut seen: Vec<&str> = Vec::new();
        for name in own.filter_map(|frame| frame.function.as_deref()) {
            if !seen.contains(&name) {
                seen.push(name);
                *shares.entry(name.to_owned()).or_default() += weight as f64 / all.max(1) as f64;
            }
        }
    }
    shares
}
