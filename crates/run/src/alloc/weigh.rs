//! How much each sample stands for, and how sure that is.
//!
//! Every byte has the same chance to be sampled, so an allocation of `size` bytes is with the chance `1 - exp(-size /
//! interval)`, and stands for one divided by that. Threads also count every place in the code exactly, for each class of
//! sizes (`Keyed`); where a place was looked at, whatever chance did, its exact figures are divided among the stacks seen
//! there. Places that were not looked at are too small for that, and chance alone speaks for them.

use std::collections::{HashMap, HashSet};

use model::heap::Estimate;

use super::collect::{Program, Sampled};

/// 95 of 100.
const NORMAL: f64 = 1.96;

/// What a sample stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighed {
    /// The group it was drawn from: position in [`Weights::groups`].
    group: usize,
    chance: f64,
    pub(super) allocations: f64,
    pub(super) bytes: f64,
}

/// All samples of one place in one program.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Counted exactly. `None` where the place was not looked at.
    exact: Option<(f64, f64)>,
    samples: f64,
    /// Sums of what was chosen by chance, and of what was looked at.
    by_chance: (f64, f64),
    looked_at: (f64, f64),
    /// Sum of the squares of what allocations stand for.
    squares: f64,
}

#[derive(Debug)]
pub(super) struct Weights {
    pub(super) each: Vec<Weighed>,
    groups: Vec<Group>,
}

/// Which figure is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Allocations,
    Bytes,
}

impl Weights {
    #[expect(clippy::cast_precision_loss, reason = "sizes and counts of one run")]
    pub(super) fn new(samples: &[Sampled], programs: &[Program]) -> Self {
        let known = exact(samples, programs);
        let mut places: HashMap<(usize, u64), usize> = HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        let mut each = Vec::with_capacity(samples.len());
        for sample in samples {
            let key = (sample.program, sample.key);
            let group = *places.entry(key).or_insert_with(|| {
                groups.push(Group { exact: known.get(&key).copied(), ..Group::default() });
                groups.len() - 1
            });
            let chance = if sample.by_chance {
                -(-(sample.size as f64) / sample.interval as f64).exp_m1()
            } else {
                1.0
            };
            let weighed =
                Weighed { group, chance, allocations: 1.0 / chance, bytes: sample.size as f64 / chance };
            if let Some(group) = groups.get_mut(group) {
                group.samples += 1.0;
                group.squares += weighed.allocations * weighed.allocations;
                let sum = if sample.by_chance { &mut group.by_chance } else { &mut group.looked_at };
                *sum = (sum.0 + weighed.allocations, sum.1 + weighed.bytes);
            }
            each.push(weighed);
        }
        for (weighed, sample) in each.iter_mut().zip(samples) {
            let Some(group) = groups.get(weighed.group) else { continue };
            let (of_allocations, of_bytes) = group.scale(sample.by_chance);
            weighed.allocations *= of_allocations;
            weighed.bytes *= of_bytes;
        }
        Self { each, groups }
    }

    /// The sum over some samples of a site. `site` are all of its samples, `counts` says which are meant.
    pub(super) fn estimate(&self, site: &[usize], of: Of, counts: impl Fn(usize) -> bool) -> Estimate {
        let mut parts: HashMap<usize, Part> = HashMap::new();
        let mut value = 0.0;
        for sample in site {
            let Some(weighed) = self.each.get(*sample) else { continue };
            let weight = if of == Of::Bytes { weighed.bytes } else { weighed.allocations };
            let part = parts.entry(weighed.group).or_default();
            part.samples += 1.0;
            part.weights += weight;
            if counts(*sample) {
                value += weight;
                part.counted += weight;
                part.spread += (1.0 - weighed.chance) * weight * weight;
            }
        }
        let (mut variance, mut most) = (0.0, 0.0);
        for (group, part) in &parts {
            let Some(group) = self.groups.get(*group) else { continue };
            let (spread, limit) = group.doubt(part, of);
            variance += spread;
            most += limit;
        }
        bounded(value, variance, most)
    }
}

/// The exact figures of places that were looked at, by program and key. A class of sizes too small to have a sample of
/// its own goes to the nearest class of the same place that was looked at.
#[expect(clippy::cast_precision_loss, reason = "counts of one run")]
fn exact(samples: &[Sampled], programs: &[Program]) -> HashMap<(usize, u64), (f64, f64)> {
    let sampled: HashSet<(usize, u64)> = samples.iter().map(|sample| (sample.program, sample.key)).collect();
    let mut exact: HashMap<(usize, u64), (f64, f64)> = HashMap::new();
    for (at, program) in programs.iter().enumerate() {
        let mut looked_at: HashMap<u64, Vec<(u32, u64)>> = HashMap::new();
        for (key, keyed) in program.counted.sites.iter().filter(|(_, keyed)| keyed.looked_at) {
            looked_at.entry(keyed.place(*key)).or_default().push((keyed.class, *key));
        }
        for (key, keyed) in &program.counted.sites {
            let Some(siblings) = looked_at.get(&keyed.place(*key)) else { continue };
            let nearest = siblings.iter().min_by_key(|(class, _)| (class.abs_diff(keyed.class), *class));
            let own = sampled.contains(&(at, *key)).then_some(*key);
            let Some(target) = own.or(nearest.map(|(_, key)| *key)) else { continue };
            let sum = exact.entry((at, target)).or_default();
            *sum = (sum.0 + keyed.allocations as f64, sum.1 + keyed.bytes as f64);
        }
    }
    exact
}

/// What a site has of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    samples: f64,
    weights: f64,
    /// Of `weights`, what is meant.
    counted: f64,
    spread: f64,
}

impl Group {
    /// By what the weights are multiplied, so that their sums are the exact figures.
    fn scale(&self, by_chance: bool) -> (f64, f64) {
        let Some(exact) = self.exact else { return (1.0, 1.0) };
        let of = |exact: f64, by_chance_sum: f64, looked_at: f64| match by_chance {
            // A look tells one allocation for certain; chance tells what the others are.
            true if by_chance_sum > 0.0 => (exact - looked_at).max(0.0) / by_chance_sum,
            false if by_chance_sum <= 0.0 && looked_at > 0.0 => exact / looked_at,
            _ => 1.0,
        };
        let (chance, looked) = (self.by_chance, self.looked_at);
        (of(exact.0, chance.0, looked.0), of(exact.1, chance.1, looked.1))
    }

    /// Variance of a part, and the most it can be.
    fn doubt(&self, part: &Part, of: Of) -> (f64, f64) {
        let exact = self.exact.map(|exact| if of == Of::Bytes { exact.1 } else { exact.0 });
        let (Some(exact), Some((calls, _))) = (exact, self.exact) else {
            // None counted is not zero: up to about three samples' worth may have been missed.
            let missed = if part.counted > 0.0 { 0.0 } else { part.weights / part.samples.max(1.0) };
            return (part.spread + missed * missed, f64::INFINITY);
        };
        // The share of a part among so many samples, drawn towards the middle by one success and one failure.
        let samples = self.equal_samples();
        let share = (part.counted / exact.max(1.0)).min(1.0);
        let share = (share * samples + 1.0) / (samples + 2.0);
        let unseen = (1.0 - self.samples / calls.max(1.0)).max(0.0);
        (unseen * exact * exact * share * (1.0 - share) / (samples + 2.0), exact)
    }

    /// How many samples that stand for the same tell as much (Kish): a thread that allocates fast is sampled less, so
    /// that later ones stand for more.
    fn equal_samples(&self) -> f64 {
        let sum = self.by_chance.0 + self.looked_at.0;
        if self.squares > 0.0 { sum * sum / self.squares } else { 0.0 }
    }
}

/// Bounds as those of a Poisson count with the same relative spread (Byar's approximation), which unlike the normal ones
/// are right for few samples and never negative.
fn bounded(value: f64, variance: f64, most: f64) -> Estimate {
    let round = |value: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative; saturates"
        )]
        let whole = value.max(0.0).round() as u64;
        whole
    };
    let (low, high) = if variance <= 0.0 {
        (value, value)
    } else if value <= 0.0 {
        (0.0, 3.0 * variance.sqrt())
    } else {
        let n = value * value / variance;
        let factor =
            |n: f64, sign: f64| (1.0 - 1.0 / (9.0 * n) + sign * NORMAL / (3.0 * n.sqrt())).max(0.0).powi(3);
        (value * factor(n, -1.0), value * (n + 1.0) / n * factor(n + 1.0, 1.0))
    };
    let (value, high) = (value.min(most), high.min(most));
    Estimate { value: round(value), low: round(low.min(value)), high: round(high.max(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_few_samples_are_wide_and_of_none_not_zero() {
        let one = bounded(512.0, 512.0 * 512.0, f64::INFINITY);
        assert!(one.low < 60 && one.high > 2_500, "{one:?}");
        let hundred = bounded(51_200.0, 100.0 * 512.0 * 512.0, f64::INFINITY);
        assert!(
            (41_000..43_000).contains(&hundred.low) && (61_000..63_500).contains(&hundred.high),
            "{hundred:?}"
        );
        let none = bounded(0.0, 512.0 * 512.0, f64::INFINITY);
        assert_eq!((none.value, none.low, none.high), (0, 0, 1536));
        let counted = bounded(100.0, 0.0, 100.0);
        assert_eq!((counted.low, counted.high), (100, 100));
    }

    #[test]
    fn a_place_that_was_looked_at_keeps_its_exact_sum() {
        let group = Group {
            exact: Some((100.0, 6_400.0)),
            samples: 3.0,
            by_chance: (60.0, 3_000.0),
            looked_at: (1.0, 64.0),
            squares: 1_801.0,
        };
        let (allocations, bytes) = group.scale(true);
        assert!((allocations * 60.0 + 1.0 - 100.0).abs() < 1e-9);
        assert!((bytes * 3_000.0 + 64.0 - 6_400.0).abs() < 1e-9);
        // Two samples that stand for thirty each; the look adds little.
        assert!((group.equal_samples() - 2.07).abs() < 0.01, "{}", group.equal_samples());
        let unseen = Group { by_chance: (0.0, 0.0), ..group };
        assert!((unseen.scale(false).1 * 64.0 - 6_400.0).abs() < 1e-9);
    }
}
