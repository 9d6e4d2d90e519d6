//! Limits and the order of tiers.

use model::scorecard::{Better, Tier};

/// Where PASS and WARN end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    pub(super) limit: f64,
    pub(super) fail: f64,
    pub(super) better: Better,
}

impl Limits {
    pub(super) const fn at_most(limit: f64, fail: f64) -> Self {
        Self { limit, fail, better: Better::Lower }
    }

    pub(super) const fn at_least(limit: f64, fail: f64) -> Self {
        Self { limit, fail, better: Better::Higher }
    }

    pub(super) fn tier(&self, value: f64) -> Tier {
        let beyond = |limit: f64| match self.better {
            Better::Lower => value > limit,
            Better::Higher => value < limit,
        };
        if beyond(self.fail) {
            Tier::Fail
        } else if beyond(self.limit) {
            Tier::Warn
        } else {
            Tier::Pass
        }
    }
}

/// How bad a tier is; what has no points is below all.
pub(crate) const fn rank(tier: Tier) -> u8 {
    match tier {
        Tier::NotMeasured | Tier::Noise => 0,
        Tier::Pass => 1,
        Tier::Warn => 2,
        Tier::Fail => 3,
    }
}

pub(super) fn milder(a: Tier, b: Tier) -> Tier {
    if rank(a) <= rank(b) { a } else { b }
}

pub(super) fn worse(a: Tier, than: Tier) -> bool {
    rank(a) > rank(than)
}
