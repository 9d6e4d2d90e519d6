//! Functions by what they cost.
//!
//! A ceiling is about the run where its critical path is known: a function on half of the path's hits, which stand for
//! nine tenths of wall time, can save at most 45 % of it. Otherwise it is about the profile alone.

use std::collections::{HashMap, HashSet};

use model::profile::{Hotspot, LineCost, Place, Share};

use super::path::Path;
use super::places::{BARE, NONE, Places};
use super::split::nanos_per_weight;
use super::weights::Weights;
use crate::cause::naming::enclosing;

/// Functions below both of these shares are left out: at a thousand hits a second for a minute, 0.05 % is 30 hits.
const OWN: f64 = 0.0005;
const TOTAL: f64 = 0.005;

const MOST: usize = 300;
const LINES: usize = 5;

/// Of what takes more than this, nobody can say how little may be left.
const NEARLY_ALL: f64 = 0.98;

/// Half the width of a 95 % interval, in standard errors.
const Z: f64 = 1.959_964;

/// What is summed up for one function.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    own: u64,
    total: u64,
    count: u64,
}

pub(super) fn hotspots(places: &Places<'_>, weights: &Weights, path: Option<&Path>) -> Vec<Hotspot> {
    let sums = sums(places, weights);
    let along = path.map(|path| (path, self::sums(places, &path.weights)));
    let mut order: Vec<(u32, Sums)> = (0_u32..)
        .zip(sums)
        .filter(|(function, _)| !places.is_unseen(*function))
        .filter(|(_, sums)| weights.share(sums.own) >= OWN || weights.share(sums.total) >= TOTAL)
        .collect();
    let place = |function: u32| places.functions.get(function as usize);
    order.sort_by(|one, other| {
        let by_weight = (other.1.own, other.1.total).cmp(&(one.1.own, one.1.total));
        by_weight.then_with(|| place(one.0).cmp(&place(other.0)))
    });
    order.truncate(MOST);
    let details = Details::of(places, weights, &order);
    let hotspot = |(function, sums): &(u32, Sums)| {
        let on_path = along.as_ref().map(|(path, sums)| (*path, sums.get(*function as usize)));
        let lines = details.lines(*function, weights);
        let place = place(*function)?;
        let n = weights.effective_in(&place.language, places.recording.looks);
        // At most: the upper end of what the hits tell.
        let saved = match on_path {
            Some((path, sums)) if path.weights.sum > 0 => {
                let n = path.weights.effective_in(&place.language, places.recording.looks);
                share(path.weights.share(sums.map_or(0, |sums| sums.total)), n).high * path.sampled
            }
            _ => share(weights.share(sums.total), n).high,
        };
        Some(Hotspot {
            place: Place { line: lines.first().map(|cost| cost.line), ..place.clone() },
            own: share(weights.share(sums.own), n),
            total: share(weights.share(sums.total), n),
            n: sums.count,
            seconds: nanos_per_weight(places.recording).map(|nanos| sums.own as f64 * nanos / 1e9),
            ceiling: (saved < NEARLY_ALL).then(|| 1.0 / (1.0 - saved)),
            project: details.project(places, *function),
            lines,
        })
    };
    order.iter().filter_map(hotspot).collect()
}

fn sums(places: &Places<'_>, weights: &Weights) -> Vec<Sums> {
    let mut sums = vec![Sums::default(); places.functions.len()];
    let through = weights.through(places);
    let own = weights.own.iter().zip(&weights.count);
    for (((node, at), through), (own, count)) in (0..).zip(&places.shown).zip(through).zip(own) {
        let Some(view) = places.view(*at) else { continue };
        if let Some(sums) = sums.get_mut(view.function as usize) {
            sums.own = sums.own.saturating_add(*own);
            sums.count += count;
            // Where another stands for it, the total is counted there.
            let counts = view.first && *at == node;
            sums.total = sums.total.saturating_add(if counts { through } else { 0 });
        }
    }
    if let Some(bare) = sums.get_mut(BARE as usize) {
        bare.own = bare.own.saturating_add(weights.bare.0);
        bare.total = bare.total.saturating_add(weights.bare.0);
        bare.count += weights.bare.1;
    }
    sums
}

/// Wilson's interval of a share, which stays inside 0 to 1 and is honest for few hits.
pub(crate) fn share(value: f64, n: f64) -> Share {
    if n <= 0.0 {
        return Share { value, low: 0.0, high: 1.0 };
    }
    // Parts added up may come to a hair more than the whole.
    let value = value.min(1.0);
    let spread = Z * Z / n;
    let middle = (value + spread / 2.0) / (1.0 + spread);
    let half = Z / (1.0 + spread) * (value * (1.0 - value) / n + spread / (4.0 * n)).max(0.0).sqrt();
    Share { value, low: (middle - half).clamp(0.0, value), high: (middle + half).clamp(value, 1.0) }
}

/// Lines and callers of the functions shown.
struct Details {
    lines: HashMap<u32, HashMap<u32, u64>>,
    /// The user's own functions on the way out, each with a node that stands for it.
    projects: HashMap<u32, HashMap<u32, (u64, u32)>>,
}

impl Details {
    fn of(places: &Places<'_>, weights: &Weights, order: &[(u32, Sums)]) -> Self {
        let mut details = Self { lines: HashMap::new(), projects: HashMap::new() };
        let wanted: HashSet<u32> = order.iter().map(|(function, _)| *function).collect();
        for (node, own) in places.shown.iter().zip(&weights.own).filter(|(_, own)| **own > 0) {
            if let Some(view) = places.view(*node).filter(|view| wanted.contains(&view.function)) {
                details.add(places, *node, view.function, *own);
            }
        }
        details
    }

    fn add(&mut self, places: &Places<'_>, node: u32, function: u32, weight: u64) {
        if let Some(line) = places.line(node) {
            let sum = self.lines.entry(function).or_default().entry(line).or_insert(0);
            *sum = sum.saturating_add(weight);
        }
        let mut project = places.view(node).map_or(NONE, |view| view.project);
        // What has no name of its own is told by who calls it, too.
        if project == node && is_inner(places.name(function)) {
            let caller = places.view(node).map_or(NONE, |view| view.parent);
            project = places.view(caller).map_or(NONE, |view| view.project);
        }
        if let Some(view) = places.view(project)
            && view.function != function
        {
            let entry =
                self.projects.entry(function).or_default().entry(view.function).or_insert((0, project));
            entry.0 = entry.0.saturating_add(weight);
        }
    }

    fn lines(&self, function: u32, weights: &Weights) -> Vec<LineCost> {
        let mut lines: Vec<(u64, u32)> =
            self.lines.get(&function).into_iter().flatten().map(|(line, weight)| (*weight, *line)).collect();
        lines.sort_unstable_by_key(|(weight, line)| (std::cmp::Reverse(*weight), *line));
        let costs = lines.into_iter().take(LINES);
        costs.map(|(weight, line)| LineCost { line, share: weights.share(weight) }).collect()
    }

    fn project(&self, places: &Places<'_>, function: u32) -> Option<Place> {
        let heaviest = self.projects.get(&function)?.values();
        let by_weight = |(weight, node): &&(u64, u32)| (*weight, std::cmp::Reverse(*node));
        places.place(heaviest.max_by_key(by_weight)?.1)
    }
}

/// A lambda or a closure, which is called by the name of the function that it is written in.
fn is_inner(function: &str) -> bool {
    enclosing(function) != function
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_hits_give_a_wide_interval_that_stays_a_share() {
        let none = share(0.0, 10.0);
        assert!(none.low == 0.0 && none.high > 0.2 && none.high < 0.4, "{none:?}");
        let all = share(1.0, 10.0);
        assert!(all.high == 1.0 && all.low > 0.6 && all.low < 0.8, "{all:?}");
        let half = share(0.5, 10_000.0);
        assert!((half.low - 0.4902).abs() < 1e-3 && (half.high - 0.5098).abs() < 1e-3, "{half:?}");
        assert_eq!((share(0.3, 0.0).low, share(0.3, 0.0).high), (0.0, 1.0));
    }

    #[test]
    fn parts_that_add_up_to_a_hair_more_than_the_whole_are_the_whole() {
        let all = share(1.0 + f64::EPSILON, 400.0);
        assert!(all.value == 1.0 && all.high == 1.0 && all.low > 0.98, "{all:?}");
    }
}
