//! How much of the run speaks against a cause, and where it could still be.
//!
//! The base is the run and not the leaf that a cause is about: less than a twentieth of wall time that nobody looked at hides
//! nothing worth a change, whatever part of its leaf it is; and of a leaf that is nearly empty nothing need be looked at. So a
//! cause is rejected where all but a twentieth of the run was accounted for and either is time that it cannot take, or lies at
//! places that its rule excludes, or is spread over places too small to be named.

use std::collections::BTreeMap;

use model::profile::WaitSite;

use super::facts::Inputs;
use super::known::{has_machine, is_collector, is_parked, is_pause, listens};
use super::{Cause, Kind};

/// Less than this share of wall time hides nothing that is worth a change.
pub(super) const HIDES: f64 = 0.05;

/// What the waits of a cause can be charged to. A wait that looks like one of another leaf is in both rows: too many leaves reject
/// less, too few would reject what was not seen.
const WAITS: &[(&str, &[&str])] = &[
    ("lock-contention", &["blocked/lock"]),
    ("lock-across-io", &["blocked/lock", "blocked/poll", "blocked/network"]),
    ("swap", &["blocked/fault"]),
    ("polling-sleep", &["blocked/sleep", "blocked/poll", "blocked/lock"]),
    ("spawn-storm", &["blocked/child", "blocked/pipe", "blocked/poll", "starting"]),
    ("fsync-per-record", &["blocked/disk-write", "blocked/disk-read", "blocked/poll", "blocked/lock"]),
    ("random-io", &["blocked/disk-read", "blocked/disk-write", "blocked/fault"]),
    ("cold-cache", &["blocked/disk-read", "blocked/disk-write", "blocked/fault"]),
    (
        "n-plus-one",
        &[
            "blocked/network",
            "blocked/poll",
            "blocked/lock",
            "blocked/pipe",
            "blocked/disk-read",
            "blocked/disk-write",
        ],
    ),
    (
        "slow-query",
        &[
            "blocked/network",
            "blocked/poll",
            "blocked/lock",
            "blocked/pipe",
            "blocked/disk-read",
            "blocked/disk-write",
        ],
    ),
    ("connection-per-request", PEERS),
    ("serial-fan-out", PEERS),
    ("serial-calls", PEERS),
    ("chatty-protocol", PEERS),
    ("slow-peer", PEERS),
    ("dns-stall", PEERS),
];

/// Waiting for a peer, in whatever way.
const PEERS: &[&str] = &["blocked/network", "blocked/poll", "blocked/lock"];

impl Cause {
    /// The leaves of the account that it can take time of, by the beginnings of their names. Empty where the run as a whole is its
    /// subject: its numbers are of all of it.
    pub(super) fn leaves(&self) -> Vec<&'static str> {
        if self.kinds == [Kind::Whole] {
            return Vec::new();
        }
        let waits = WAITS.iter().find(|(id, _)| *id == self.id).map_or(&[][..], |(_, leaves)| leaves);
        let computing = self.kinds.contains(&Kind::Computing).then_some("on-cpu");
        computing.into_iter().chain(waits.iter().copied()).collect()
    }
}

/// What was seen of the run, as shares of wall time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Coverage {
    leaves: BTreeMap<String, f64>,
    /// `None` without an account.
    unaccounted: Option<f64>,
    /// On a CPU, where no stack was seen.
    unseen: f64,
    /// Waits of which nobody knows what they are for.
    unknown: f64,
    /// Waits to be asked for something, and those of a runtime for itself.
    pub(super) aside: f64,
    /// The largest share of a place that computes, and of one that waits and is not set aside.
    pub(super) busiest: f64,
    pub(super) longest: f64,
    /// Hits and waits: what the shares rest on.
    pub(super) hits: u64,
    pub(super) waits: u64,
    /// Of the traced run, until the tracer's time was up.
    traced: Option<f64>,
}

impl Coverage {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let study = inputs.study;
        let account = study.profile.account.as_ref();
        let mut leaves: BTreeMap<String, f64> = BTreeMap::new();
        for leaf in account.iter().flat_map(|account| &account.leaves) {
            *leaves.entry(leaf.leaf.clone()).or_default() += leaf.share;
        }
        let wall = study.profile.wall_s.filter(|wall| *wall > 0.0).unwrap_or(f64::INFINITY);
        let sum = |wanted: &dyn Fn(&&WaitSite) -> bool| -> f64 {
            let sites = study.profile.waits.iter().filter(wanted);
            sites.map(|site| site.critical_s / wall).sum::<f64>().min(1.0)
        };
        let set_aside = |site: &&WaitSite| is_set_aside(inputs, site);
        let unknown = |site: &&WaitSite| is_unknown(site);
        let named = study.profile.waits.iter().filter(|site| !set_aside(site) && !unknown(site));
        let on_cpu = study.share_in("on-cpu");
        // Of a short run only the places are known that were met often.
        let often = study.spots.iter().filter(|spot| spot.n >= super::facts::TOLD);
        let told: f64 = often.map(|spot| spot.wall.value).sum();
        Self {
            leaves,
            unaccounted: account.map(|account| account.unaccounted),
            unseen: match study.is_too_short() {
                true => (on_cpu - told).max(0.0),
                false => study.unseen * on_cpu,
            },
            unknown: sum(&unknown),
            aside: sum(&|site| set_aside(site) && !unknown(site)),
            busiest: study.spots.iter().map(|spot| spot.wall.value).fold(0.0, f64::max),
            longest: named.map(|site| site.critical_s / wall).fold(0.0, f64::max),
            hits: study.profile.hits,
            waits: study.profile.waits.iter().map(|site| site.count).sum(),
            traced: inputs.calls.and_then(|calls| {
                Some(
                    calls.watched.as_secs_f64()
                        / Some(calls.wall.as_secs_f64()).filter(|wall| *wall > 0.0)?,
                )
            }),
        }
    }

    /// Share of wall time in these leaves.
    pub(super) fn time(&self, leaves: &[&str]) -> f64 {
        let is_one = |leaf: &str| leaves.iter().any(|begin| leaf.starts_with(begin));
        self.leaves.iter().filter(|(leaf, _)| is_one(leaf)).fold(0.0, |sum, (_, share)| sum + share)
    }

    /// Whether these leaves are known to hold too little for any cause. `None` without an account.
    pub(super) fn is_empty(&self, leaves: &[&str]) -> Option<bool> {
        let unaccounted = self.unaccounted?;
        Some(self.time(leaves) + unaccounted < HIDES)
    }

    /// Share of wall time in which a cause could be and nobody looked, before what its rule could not test.
    pub(super) fn hidden(&self, cause: &Cause) -> f64 {
        let computing = if cause.kinds.contains(&Kind::Computing) { self.unseen } else { 0.0 };
        let waiting = if cause.kinds.contains(&Kind::Waiting) {
            self.unaccounted.map_or(1.0, |unaccounted| unaccounted.max(self.unknown))
        } else {
            0.0
        };
        computing + waiting
    }

    /// What the source of a metric saw of the run, or of the part of it that the subject is.
    pub(super) fn by(&self, artifact: &str, kind: Kind) -> Option<f64> {
        match artifact {
            model::recording::RECORDING if kind == Kind::Computing => Some(1.0 - self.unseen),
            model::recording::RECORDING => self.unaccounted.map(|unaccounted| 1.0 - unaccounted),
            // The kernel and the processor count from the first instruction to the last.
            model::manifest::SAMPLES | model::manifest::COUNTS | model::solo::SOLO => Some(1.0),
            model::calls::CALLS => self.traced,
            _ => None,
        }
    }
}

/// With this share of wall time spent computing, parked threads of a task scheduler say nothing.
const COMPUTES: f64 = 0.5;

/// Nobody knows what it waited for: it speaks against no cause.
pub(super) fn is_unknown(site: &WaitSite) -> bool {
    site.leaf == "unaccounted" && site.stack.is_empty()
}

/// A wait that no change of the program shortens: to be asked for something, or of a runtime for itself. A thread without a task,
/// while the tasks run in others, holds nothing up.
pub(super) fn is_set_aside(inputs: &Inputs<'_>, site: &WaitSite) -> bool {
    let computes = || {
        inputs.study.spots.iter().map(|spot| spot.wall.value).sum::<f64>() >= COMPUTES * inputs.study.had()
    };
    is_collector(site)
        || listens(site)
        || is_parked(site) && computes()
        || is_pause(site) && has_machine(&inputs.study.profile.waits)
}

#[cfg(test)]
impl Coverage {
    /// An account with these leaves and nothing else.
    pub(super) fn made(leaves: &[(&str, f64)], unaccounted: f64) -> Self {
        let leaves = leaves.iter().map(|(leaf, share)| ((*leaf).to_owned(), *share)).collect();
        Self { leaves, unaccounted: Some(unaccounted), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::CAUSES;
    use super::*;

    #[test]
    fn every_cause_that_waits_has_leaves_to_be_charged_to_and_each_is_a_leaf() {
        for cause in CAUSES {
            let waits = cause.kinds.contains(&Kind::Waiting);
            let row = WAITS.iter().find(|(id, _)| *id == cause.id);
            assert_eq!(waits, row.is_some(), "{}", cause.id);
        }
        let known = |wanted: &str| model::leaf::LEAVES.iter().any(|(_, id, _)| *id == wanted);
        for leaf in WAITS.iter().flat_map(|(_, leaves)| *leaves) {
            assert!(known(leaf), "{leaf}");
        }
    }

    #[test]
    fn an_account_with_a_hole_says_of_no_leaf_that_it_is_empty() {
        let of = |unaccounted| Coverage::made(&[("on-cpu/user", 0.9), ("blocked/lock", 0.01)], unaccounted);
        assert_eq!(of(0.0).is_empty(&["blocked/lock"]), Some(true));
        assert_eq!(of(0.09).is_empty(&["blocked/lock"]), Some(false));
        assert_eq!(of(0.0).is_empty(&["on-cpu"]), Some(false));
        assert_eq!(Coverage::default().is_empty(&["blocked/lock"]), None);
    }
}
