//! Two recordings, stack by stack: the data of a differential flame graph.

use std::collections::BTreeMap;

use model::profile::Place;
use model::recording::Recording;

use super::places::Places;
use super::weights::Weights;

/// Stacks below this share on both sides are left out.
const SMALLEST: f64 = 0.0005;

/// One stack and its own share of each recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// Outermost first, without lines: the same function on another line is the same.
    pub stack: Vec<Place>,
    pub before: f64,
    pub after: f64,
}

/// Every stack of two recordings with its share in each, those that changed most first.
#[must_use]
pub fn difference(before: &Recording, after: &Recording) -> Vec<Changed> {
    let mut shares: BTreeMap<Vec<Place>, (f64, f64)> = BTreeMap::new();
    for (stack, share) in stacks(before) {
        shares.entry(stack).or_default().0 += share;
    }
    for (stack, share) in stacks(after) {
        shares.entry(stack).or_default().1 += share;
    }
    let large = shares.into_iter().filter(|(_, (before, after))| before.max(*after) >= SMALLEST);
    let mut changed: Vec<Changed> =
        large.map(|(stack, (before, after))| Changed { stack, before, after }).collect();
    let size = |changed: &Changed| (changed.after - changed.before).abs();
    changed.sort_by(|one, other| size(other).total_cmp(&size(one)).then_with(|| one.stack.cmp(&other.stack)));
    changed
}

fn stacks(recording: &Recording) -> Vec<(Vec<Place>, f64)> {
    let places = Places::of(recording);
    let weights = Weights::of(recording);
    let own = (0_u32..).zip(&weights.own).filter(|(_, own)| **own > 0);
    let mut stacks: Vec<(Vec<Place>, f64)> =
        own.map(|(node, own)| (functions(&places, node), weights.share(*own))).collect();
    if weights.bare.0 > 0 {
        stacks.push((places.functions.first().cloned().into_iter().collect(), weights.share(weights.bare.0)));
    }
    stacks
}

fn functions(places: &Places<'_>, innermost: u32) -> Vec<Place> {
    let mut next = innermost;
    let views = std::iter::from_fn(|| {
        let view = places.view(next)?;
        next = view.parent;
        Some(view)
    });
    let mut stack: Vec<Place> =
        views.filter_map(|view| places.functions.get(view.function as usize).cloned()).collect();
    stack.reverse();
    stack
}
