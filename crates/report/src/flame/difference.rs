//! By how much a frame's share has changed between two recordings, as far as the number of their samples supports it.

use model::recording::Recording;

use super::colour;
use super::tree::Branch;
use crate::stack::Kind;
use crate::waiting::pieces;

/// Half the width of an interval of 99.9 %, in standard errors: of a thousand frames that did not change one is painted.
const Z: f64 = 3.29;

/// From this difference of shares on, a frame has the full colour, in every picture.
const FULL: f64 = 0.1;

/// Differences of the legend.
const STEPS: [f64; 7] = [-0.1, -0.03, -0.01, 0.0, 0.01, 0.03, 0.1];

/// What two recordings' shares rest on: samples of equal weight that would tell as much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    now: f64,
    before: f64,
}

impl Ground {
    pub(crate) fn of(recording: &Recording, before: &Recording, kind: Kind) -> Self {
        Self { now: samples(recording, kind), before: samples(before, kind) }
    }

    /// The part of the difference between two shares that is sure, with its sign. Zero where there may be none.
    pub(crate) fn sure(&self, branch: &Branch, whole: u64, whole_before: u64) -> f64 {
        let (Some(now), Some(before)) =
            (super::share(branch.total, whole), super::share(branch.before, whole_before))
        else {
            return 0.0;
        };
        let (now, before) = (between(now, self.now), between(before, self.before));
        let by = now.value - before.value;
        let (own, other) = match by > 0.0 {
            true => (now.value - now.low, before.high - before.value),
            false => (before.value - before.low, now.high - now.value),
        };
        // The end nearest to zero of Newcombe's interval of a difference.
        (by.abs() - own.hypot(other)).max(0.0).copysign(by)
    }
}

struct Interval {
    low: f64,
    value: f64,
    high: f64,
}

/// Wilson's interval.
fn between(value: f64, n: f64) -> Interval {
    if n <= 0.0 {
        return Interval { low: 0.0, value, high: 1.0 };
    }
    let spread = Z * Z / n;
    let middle = (value + spread / 2.0) / (1.0 + spread);
    let half = Z / (1.0 + spread) * (value * (1.0 - value) / n + spread / (4.0 * n)).max(0.0).sqrt();
    Interval { low: (middle - half).clamp(0.0, value), value, high: (middle + half).clamp(value, 1.0) }
}

/// The colour of a difference that is sure: the root makes small ones visible beside large ones.
pub(crate) fn fill(by: f64) -> String {
    colour::change((by.abs() / FULL).sqrt().min(1.0).copysign(by))
}

/// Colours and what they mean; the same in every picture.
pub(crate) fn legend() -> Vec<(String, String)> {
    let word = |by: f64| {
        let points = (by.abs() * 100.0).round();
        let sign = if by < 0.0 { '−' } else { '+' };
        let end = if by.abs() >= FULL { " points of share or more" } else { "" };
        match by == 0.0 {
            true => "no more than chance (99.9 %)".to_owned(),
            false => format!("{sign}{points:.0}{end}"),
        }
    };
    STEPS.iter().map(|by| (fill(*by), word(*by))).collect()
}

/// Samples of equal weight that tell as much as these: of few long waits not many.
#[expect(clippy::cast_precision_loss, reason = "a number of samples is an estimate")]
fn samples(recording: &Recording, kind: Kind) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    if kind != Kind::OffCpu {
        let weights = recording.hits.iter().map(|hit| hit.weight as f64);
        let own: f64 = weights.clone().sum();
        let each = recording.moments.map(|moments| own * own / moments.max(1) as f64);
        sum += own;
        squares += each.unwrap_or_else(|| weights.map(|weight| weight * weight).sum());
    }
    if kind != Kind::OnCpu {
        for (_, from, to) in recording.waits.iter().flat_map(|wait| pieces(recording, wait)) {
            let length = to.as_nanos().saturating_sub(from.as_nanos()) as f64;
            sum += length;
            squares += length * length;
        }
    }
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sure(now: (u64, u64), before: (u64, u64)) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let ground = Ground { now: now.1 as f64, before: before.1 as f64 };
        let branch = Branch { parent: 0, label: 0, depth: 1, own: 0, total: now.0, before: before.0 };
        ground.sure(&branch, now.1, before.1)
    }

    #[test]
    fn what_two_runs_of_the_same_program_differ_by_is_no_change() {
        assert_eq!(sure((310, 870), (285, 850)), 0.0);
        assert_eq!(sure((3, 870), (0, 850)), 0.0);
        assert_eq!(sure((0, 0), (5, 10)), 0.0, "nothing is known");
    }

    #[test]
    fn a_real_change_is_told_less_its_doubt_and_with_its_sign() {
        let more = sure((600, 1000), (300, 1000));
        assert!((0.2..0.3).contains(&more), "{more}");
        assert!((sure((300, 1000), (600, 1000)) + more).abs() < 1e-9);
        assert!(sure((6000, 10_000), (3000, 10_000)) > more, "more samples, less doubt");
    }

    #[test]
    fn a_colour_means_the_same_in_every_picture() {
        assert_eq!(fill(0.1), fill(0.4));
        assert_ne!(fill(0.01), fill(0.1));
        let words: Vec<String> = legend().into_iter().map(|(_, word)| word).collect();
        assert_eq!(words[0], "−10 points of share or more");
        assert_eq!(words[4..6], ["+1", "+3"]);
    }
}
