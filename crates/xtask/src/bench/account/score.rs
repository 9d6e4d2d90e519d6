//! An account against the truth: how many points each leaf is off.

use std::collections::BTreeSet;

use model::answer::Account;
use model::profile::Profile;
use serde_json::{Value, json};

use super::truth::{Leaves, Truth};

/// One leaf, both witnesses, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Miss {
    pub(crate) leaf: String,
    /// Between these, where part of the truth is known only as a sum of several leaves.
    pub(crate) truth: (f64, f64),
    pub(crate) measured: f64,
    /// Of the specimen's wall time, in percent.
    pub(crate) points: f64,
}

/// A document against the log of the same run.
#[derive(Debug)]
pub(crate) struct Score {
    /// The critical path. `None` when the document has no account.
    pub(crate) path: Option<Vec<Miss>>,
    /// Each logged thread.
    pub(crate) threads: Vec<(u32, Vec<Miss>)>,
    /// Threads that were logged and are not in the document.
    pub(crate) unseen: Vec<u32>,
    /// Of the critical path, in percent.
    pub(crate) unaccounted: Option<f64>,
    /// Idle seconds that were called anything else, in points.
    pub(crate) idle: Vec<f64>,
    /// Share of `heavy` among the two functions: truth, measured, hits. `None` when it was not logged or not seen.
    pub(crate) heavy: Option<(f64, f64, u64)>,
    /// Wall time of the document beyond the log: start and end of the program.
    pub(crate) slack: f64,
}

/// What a specimen could not log of the work it waited for.
const UNKNOWN: &str = "unknown";

/// Where either reading of a wait is right, so is each for a part of the waits: tried in so many parts.
const PARTS: u32 = 100;

/// R4.
pub(crate) const POINTS: f64 = 3.0;
pub(crate) const UNACCOUNTED: f64 = 2.0;

impl Score {
    pub(crate) fn of(profile: &Profile, truth: &Truth, scores_path: bool) -> Self {
        let wall = truth.wall();
        let slack = profile.wall_s.map_or(0.0, |measured| (measured - wall).max(0.0));
        let path = profile.account.as_ref().filter(|_| scores_path).map(|account| {
            let read = |part: u32| {
                let mut path = truth.path(f64::from(part) / f64::from(PARTS));
                let unknown = path.remove(UNKNOWN).unwrap_or(0.0);
                // Between two phases a specimen may wait too, and on a busy machine the kernel loses time itself.
                let unlogged = (wall - unknown - path.values().sum::<f64>()).max(0.0);
                misses(&path, &leaves(account), slack + unknown + unlogged, wall)
            };
            let parts = if truth.ambiguous() { PARTS } else { 0 };
            let others = (1..=parts).map(read);
            others.fold(read(0), |best, other| if worst(&other) < worst(&best) { other } else { best })
        });
        let mut score = Self {
            path,
            threads: Vec::new(),
            unseen: Vec::new(),
            unaccounted: profile.account.as_ref().map(|account| account.unaccounted * 100.0),
            idle: Vec::new(),
            heavy: heavy(profile, truth),
            slack,
        };
        for (thread, truth) in &truth.threads {
            let Some(seen) = profile.threads.iter().find(|seen| seen.tid == *thread) else {
                score.unseen.push(*thread);
                continue;
            };
            let life = seen.to.as_secs_f64() - seen.from.as_secs_f64();
            let slack = (life - truth.values().sum::<f64>()).max(0.0);
            score.threads.push((*thread, misses(truth, &leaves(&seen.account), slack, wall)));
        }
        score.idle =
            truth.idle.iter().map(|(thread, seconds)| idle_off(profile, *thread, *seconds, wall)).collect();
        score
    }

    /// Points by which the worst leaf is off, of the critical path or of a thread.
    pub(crate) fn worst(&self) -> f64 {
        self.worst_path().unwrap_or(0.0).max(self.worst_thread())
    }

    pub(crate) fn worst_path(&self) -> Option<f64> {
        self.path.as_deref().map(worst)
    }

    pub(crate) fn worst_thread(&self) -> f64 {
        self.threads.iter().map(|(_, misses)| worst(misses)).fold(0.0, f64::max)
    }

    /// Every logged thread seen, within 3 points in each leaf, at most 2 % unaccounted, idle threads known as idle.
    pub(crate) fn passes(&self) -> bool {
        let closed = self.unaccounted.is_some_and(|share| share <= UNACCOUNTED);
        let idle = self.idle.iter().all(|points| *points <= POINTS);
        self.worst() <= POINTS && self.unseen.is_empty() && closed && idle
    }

    pub(crate) fn json(&self) -> Value {
        let leaves = |misses: &[Miss]| misses.iter().map(Miss::json).collect::<Vec<_>>();
        let threads =
            self.threads.iter().map(|(thread, misses)| json!({"thread": thread, "leaves": leaves(misses)}));
        json!({
            "path": self.path.as_deref().map(leaves), "threads": threads.collect::<Vec<_>>(), "unseen": self.unseen,
            "unaccounted_percent": self.unaccounted, "idle_points": self.idle, "heavy": self.heavy,
            "slack_s": self.slack, "worst_points": self.worst(), "passes": self.passes(),
        })
    }
}

impl Miss {
    fn json(&self) -> Value {
        json!({"leaf": self.leaf, "truth_s": [self.truth.0, self.truth.1], "measured_s": self.measured, "points": self.points})
    }
}

pub(crate) fn worst(misses: &[Miss]) -> f64 {
    misses.iter().map(|miss| miss.points).fold(0.0, f64::max)
}

/// What a log calls runnable is the time on a run queue, that before a thread's first instruction among it.
const STARTING: (&str, &str) = ("starting", "runnable/starting");

fn leaves(account: &Account) -> Leaves {
    let mut leaves = Leaves::new();
    for leaf in &account.leaves {
        let name = if leaf.leaf == STARTING.0 { STARTING.1 } else { &leaf.leaf };
        *leaves.entry(name.to_owned()).or_default() += leaf.seconds;
    }
    leaves
}

/// Every leaf that either side names. What the log knows only as a sum may lie in any leaf below it, and the sum is
/// held against their sum. The time outside the log, `slack`, may lie anywhere, so an excess of that much is no miss.
pub(crate) fn misses(truth: &Leaves, measured: &Leaves, slack: f64, wall: f64) -> Vec<Miss> {
    let of = |leaves: &Leaves, leaf: &str| leaves.get(leaf).copied().unwrap_or(0.0);
    let below = |leaves: &Leaves, group: &str| -> f64 {
        leaves
            .iter()
            .filter(|(leaf, _)| parent(leaf) == Some(group) || *leaf == group)
            .map(|(_, seconds)| seconds)
            .sum()
    };
    let groups: BTreeSet<&str> = truth.keys().filter(|leaf| is_group(leaf)).map(String::as_str).collect();
    let single = truth.keys().chain(measured.keys()).map(String::as_str).filter(|leaf| !is_group(leaf));
    let single: BTreeSet<&str> = single.collect();
    let miss = |leaf: &str, (low, high): (f64, f64), measured: f64| {
        let off = if measured < low { low - measured } else { (measured - high - slack).max(0.0) };
        Miss { leaf: leaf.to_owned(), truth: (low, high), measured, points: 100.0 * off / wall }
    };
    let each = single.iter().map(|leaf| {
        let low = of(truth, leaf);
        let unsplit = parent(leaf).map_or(0.0, |group| of(truth, group));
        miss(leaf, (low, low + unsplit), of(measured, leaf))
    });
    let sums = groups.iter().map(|group| {
        let sum = below(truth, group);
        miss(group, (sum, sum), below(measured, group))
    });
    each.chain(sums).collect()
}

/// Those that have leaves below them; `stopped` is one itself.
fn is_group(leaf: &str) -> bool {
    ["on-cpu", "runnable", "blocked"].contains(&leaf)
}

fn parent(leaf: &str) -> Option<&str> {
    leaf.split_once('/').map(|(group, _)| group)
}

/// Idle time that is not called idle, or lies on the critical path, in points.
fn idle_off(profile: &Profile, thread: u32, seconds: f64, wall: f64) -> f64 {
    let seen = profile.threads.iter().find(|seen| seen.tid == thread);
    100.0 * seen.map_or(seconds, |seen| (seconds - seen.idle_s).abs()) / wall
}

/// By the share of stacks with the function on them: a runtime may put frames of its own below.
fn heavy(profile: &Profile, truth: &Truth) -> Option<(f64, f64, u64)> {
    let total = |name: &str| -> f64 {
        let named = profile.hotspots.iter().filter(|hotspot| is_function(&hotspot.place.function, name));
        named.map(|hotspot| hotspot.total.value).sum()
    };
    let (heavy, light) = (total("heavy"), total("light"));
    let measured = heavy / (heavy + light);
    let hits = ((heavy + light) * profile.hits as f64).round() as u64;
    measured.is_finite().then_some((truth.share("heavy")?, measured, hits))
}

/// Whether `shown` is the function `name` in some language's dress: `main.heavy`, `twin::heavy`, `Twin.heavy()`.
pub(crate) fn is_function(shown: &str, name: &str) -> bool {
    let mut words = shown.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::answer::Leaf;

    fn made(leaves: &[(&str, f64)]) -> Leaves {
        leaves.iter().map(|(leaf, seconds)| ((*leaf).to_owned(), *seconds)).collect()
    }

    fn check(truth: &[(&str, f64)], measured: &[(&str, f64)], slack: f64, wanted: f64) {
        let misses = misses(&made(truth), &made(measured), slack, 1.0);
        assert!((worst(&misses) - wanted).abs() < 1e-6, "{misses:?}");
    }

    #[test]
    fn a_leaf_is_off_by_its_difference_in_points_of_wall_time() {
        check(
            &[("blocked/sleep", 0.5), ("on-cpu/user", 0.5)],
            &[("blocked/sleep", 0.48), ("on-cpu/user", 0.52)],
            0.0,
            2.0,
        );
        check(&[("blocked/sleep", 1.0)], &[("blocked/sleep", 0.9), ("blocked/lock", 0.1)], 0.0, 10.0);
        check(&[("blocked/sleep", 1.0)], &[], 0.0, 100.0);
    }

    #[test]
    fn what_is_known_as_a_sum_is_held_against_the_sum() {
        let truth = [("on-cpu", 0.4), ("on-cpu/user", 0.2), ("blocked/pipe", 0.4)];
        check(&truth, &[("on-cpu/user", 0.5), ("on-cpu/kernel", 0.1), ("blocked/pipe", 0.4)], 0.0, 0.0);
        check(&truth, &[("on-cpu/user", 0.1), ("on-cpu/kernel", 0.5), ("blocked/pipe", 0.4)], 0.0, 10.0);
        check(&truth, &[("on-cpu/user", 0.3), ("on-cpu/kernel", 0.1), ("blocked/pipe", 0.4)], 0.0, 20.0);
    }

    #[test]
    fn a_thread_that_has_not_begun_is_on_a_run_queue() {
        let leaf =
            |leaf: &str, seconds| Leaf { leaf: leaf.to_owned(), seconds, share: 0.0, parts: Vec::new() };
        let leaves = leaves(&Account {
            unit: String::new(),
            leaves: vec![leaf("starting", 0.1), leaf("runnable/woken", 0.2)],
            unaccounted: 0.0,
            checks: Vec::new(),
        });
        let misses = misses(&made(&[("runnable", 0.3)]), &leaves, 0.0, 1.0);
        assert!(worst(&misses) < 1e-6, "{misses:?}");
    }

    #[test]
    fn time_before_main_may_lie_in_any_leaf_but_is_no_excuse_for_too_little() {
        check(&[("on-cpu/user", 1.0)], &[("on-cpu/user", 1.0), ("on-cpu/kernel", 0.05)], 0.05, 0.0);
        check(&[("on-cpu/user", 1.0)], &[("on-cpu/user", 0.95), ("on-cpu/kernel", 0.05)], 0.05, 5.0);
    }

    #[test]
    fn functions_are_known_in_every_language() {
        for shown in [
            "heavy",
            "main.heavy",
            "twin::heavy",
            "JS:*heavy /x/twin.js:35:15",
            "LTwin;::heavy",
            "heavy (twin.py)",
        ] {
            assert!(is_function(shown, "heavy"), "{shown}");
        }
        assert!(!is_function("heavyweight", "heavy"));
    }
}
