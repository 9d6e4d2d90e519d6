//! Hits added up by stack.

use model::recording::{Language, Looks, Recording};

use super::places::{NONE, Places};

#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// By node, of stacks that end there.
    pub(super) own: Vec<u64>,
    /// Hits, likewise.
    pub(super) count: Vec<u64>,
    /// Weight and number of hits without a stack.
    pub(super) bare: (u64, u64),
    pub(super) sum: u64,
    squares: f64,
    /// Where a hit stands for several moments: how many there are in all.
    moments: Option<u64>,
}

impl Weights {
    pub(super) fn new(nodes: usize) -> Self {
        let (own, count) = (vec![0; nodes], vec![0; nodes]);
        Self { own, count, bare: (0, 0), sum: 0, squares: 0.0, moments: None }
    }

    /// All hits of a recording.
    pub(super) fn of(recording: &Recording) -> Self {
        let mut weights = Self::new(recording.nodes.len());
        recording.hits.iter().for_each(|hit| weights.add(hit.stack.unwrap_or(NONE), hit.weight));
        weights.moments = recording.moments;
        weights.spread();
        weights
    }

    /// Counts by moments instead of hits, each with the same weight.
    fn spread(&mut self) {
        let Some(moments) = self.moments.filter(|_| self.sum > 0) else { return };
        let each = moments as f64 / self.sum as f64;
        let bare = (self.bare.0, &mut self.bare.1);
        let all = self.own.iter().copied().zip(&mut self.count).chain([bare]);
        for (weight, count) in all.filter(|(weight, _)| *weight > 0) {
            *count = (weight as f64 * each).round().max(1.0) as u64;
        }
    }

    /// A stack that is not in the table counts as none.
    pub(super) fn add(&mut self, stack: u32, weight: u64) {
        // Saturating: only a hostile recording has weights that do not fit.
        self.sum = self.sum.saturating_add(weight);
        self.squares += weight as f64 * weight as f64;
        match self.own.get_mut(stack as usize).zip(self.count.get_mut(stack as usize)) {
            Some((own, count)) => {
                *own = own.saturating_add(weight);
                *count += 1;
            }
            None => {
                self.bare.0 = self.bare.0.saturating_add(weight);
                self.bare.1 += 1;
            }
        }
    }

    /// The number of equal hits that would tell as much as these.
    pub(super) fn effective(&self) -> f64 {
        if let Some(moments) = self.moments {
            return moments as f64;
        }
        let sum = self.sum as f64;
        if self.squares > 0.0 { sum * sum / self.squares } else { 0.0 }
    }

    /// The same for what is known of a function in this language: hits that share a look tell no more than one.
    pub(super) fn effective_in(&self, language: &Language, looks: Option<Looks>) -> f64 {
        let shared = looks.filter(|looks| *language == Language::Python && looks.looks < looks.hits);
        self.effective() * shared.map_or(1.0, |Looks { looks, hits }| looks as f64 / hits as f64)
    }

    pub(super) fn share(&self, weight: u64) -> f64 {
        if self.sum == 0 { 0.0 } else { (weight as f64 / self.sum as f64).min(1.0) }
    }

    /// For every node, the weight of all stacks that go through it.
    pub(super) fn through(&self, places: &Places<'_>) -> Vec<u64> {
        let mut through = self.own.clone();
        for index in (0..through.len()).rev() {
            let weight = through.get(index).copied().unwrap_or(0);
            let parent = places.views.get(index).map_or(NONE, |view| view.parent);
            if let Some(parent) = through.get_mut(parent as usize) {
                *parent = parent.saturating_add(weight);
            }
        }
        through
    }
}
