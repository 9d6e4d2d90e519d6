//! Nanoseconds by leaf, in whole numbers, and the account that is made of them.

use std::collections::BTreeMap;

use model::Nanos;
use model::answer::{Account, Leaf, Part};
use model::leaf::{Charge, LEAVES};

/// Nanoseconds by leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally([u64; LEAVES.len()]);

impl Tally {
    pub(super) fn add(&mut self, charge: Charge, nanos: u64) {
        if let Some(sum) = self.0.get_mut(charge as usize) {
            // Saturating: lives are clipped to 64 bits, so only a hostile recording comes here.
            *sum = sum.saturating_add(nanos);
        }
    }

    pub(super) fn of(&self, charge: Charge) -> u64 {
        self.0.get(charge as usize).copied().unwrap_or(0)
    }

    /// Removes and returns what stands at one leaf.
    pub(super) fn take(&mut self, charge: Charge) -> u64 {
        self.0.get_mut(charge as usize).map_or(0, std::mem::take)
    }

    pub(super) fn sum(&self) -> u64 {
        self.0.iter().fold(0, |sum, nanos| sum.saturating_add(*nanos))
    }

    /// The same composition with another sum, exact to the nanosecond. Nothing known scales to unaccounted.
    pub(super) fn scaled_to(&self, whole: u64) -> Self {
        // Wide, because leaves that each fit may not fit together.
        let sum: u128 = self.0.iter().map(|nanos| u128::from(*nanos)).sum();
        let mut scaled = Self::default();
        for (charge, _, _) in LEAVES {
            let product = u128::from(self.of(charge)) * u128::from(whole);
            scaled
                .add(charge, product.checked_div(sum).and_then(|part| u64::try_from(part).ok()).unwrap_or(0));
        }
        let rest = whole - scaled.sum().min(whole);
        let largest = LEAVES.iter().rev().max_by_key(|(charge, _, _)| self.of(*charge));
        let heir =
            if sum == 0 { Charge::Unaccounted } else { largest.map_or(Charge::Unaccounted, |row| row.0) };
        scaled.add(heir, rest);
        scaled
    }
}

/// `part` of `of`, taken of `whole`, rounded down. Nothing when `of` is nothing.
pub(super) fn portion(part: u64, whole: u64, of: u64) -> u64 {
    if of == 0 {
        return 0;
    }
    let product = u128::from(part.min(of)) * u128::from(whole) / u128::from(of);
    u64::try_from(product).unwrap_or(whole)
}

/// What leaves are made of, as weights: an account scales them to their leaf.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts(BTreeMap<(Charge, String), f64>);

impl Parts {
    pub(super) fn add(&mut self, charge: Charge, what: String, weight: f64) {
        if weight > 0.0 {
            *self.0.entry((charge, what)).or_insert(0.0) += weight;
        }
    }

    /// The parts of one leaf that took `seconds`, largest first, at most `most` and a rest.
    fn of(&self, charge: Charge, seconds: f64, most: usize) -> Vec<Part> {
        let range = self.0.range((charge, String::new())..).take_while(|((other, _), _)| *other == charge);
        let mut parts: Vec<(f64, &str)> = range.map(|((_, what), weight)| (*weight, what.as_str())).collect();
        let sum: f64 = parts.iter().map(|(weight, _)| weight).sum();
        parts.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
        let rest: f64 = parts.iter().skip(most).map(|(weight, _)| weight).sum();
        let left_out = parts.len().saturating_sub(most);
        let scaled = |weight: f64| weight / sum * seconds;
        let named = parts.iter().take(most);
        let mut parts: Vec<Part> =
            named.map(|(weight, what)| Part { what: (*what).to_owned(), seconds: scaled(*weight) }).collect();
        if left_out > 0 {
            parts.push(Part { what: format!("{left_out} more"), seconds: scaled(rest) });
        }
        parts
    }
}

/// The account of `tally`, with at most `most` parts a leaf.
pub(super) fn account(unit: &str, tally: &Tally, parts: &Parts, most: usize) -> Account {
    let whole = seconds(tally.sum());
    let share = |nanos: u64| if whole > 0.0 { seconds(nanos) / whole } else { 0.0 };
    let mut leaves: Vec<(u64, Charge)> = LEAVES
        .iter()
        .map(|(charge, _, _)| (tally.of(*charge), *charge))
        .filter(|(nanos, charge)| *nanos > 0 && *charge != Charge::Unaccounted)
        .collect();
    leaves.sort_by_key(|(nanos, charge)| (std::cmp::Reverse(*nanos), *charge));
    let leaf = |(nanos, charge): (u64, Charge)| Leaf {
        leaf: charge.id().to_owned(),
        seconds: seconds(nanos),
        share: share(nanos),
        parts: parts.of(charge, seconds(nanos), most),
    };
    Account {
        unit: unit.to_owned(),
        leaves: leaves.into_iter().map(leaf).collect(),
        unaccounted: share(tally.of(Charge::Unaccounted)),
        checks: Vec::new(),
    }
}

pub(super) fn seconds(nanos: u64) -> f64 {
    Nanos::from_nanos(nanos).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_keeps_every_nanosecond() {
        let mut tally = Tally::default();
        tally.add(Charge::User, 1);
        tally.add(Charge::Lock, 1);
        tally.add(Charge::Sleep, 1);
        for whole in [0, 1, 2, 100, u64::MAX] {
            assert_eq!(tally.scaled_to(whole).sum(), whole);
        }
        assert_eq!(Tally::default().scaled_to(9).of(Charge::Unaccounted), 9);
        tally.add(Charge::User, u64::MAX);
        tally.add(Charge::Lock, u64::MAX);
        assert_eq!(tally.scaled_to(100).sum(), 100);
    }

    #[test]
    fn parts_add_up_to_their_leaf_and_the_small_ones_are_pooled() {
        let mut parts = Parts::default();
        for (what, weight) in [("a", 4.0), ("b", 3.0), ("c", 2.0), ("d", 1.0)] {
            parts.add(Charge::Lock, what.to_owned(), weight);
        }
        let listed = parts.of(Charge::Lock, 20.0, 2);
        let texts: Vec<(&str, f64)> = listed.iter().map(|part| (part.what.as_str(), part.seconds)).collect();
        assert_eq!(texts, [("a", 8.0), ("b", 6.0), ("2 more", 6.0)]);
    }
}
