//! An interval for what one recorded run tells once: the spread of wall time between the timed runs, carried over.

use model::profile::Share;
use model::{Metric, Sample};

use super::Kind;
use super::subject::Subject;
use crate::pool::Pool;
use crate::summary::summary;

/// The ends of the interval of the median wall time, against the median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    low: f64,
    high: f64,
}

impl Spread {
    /// `None` while there are too few runs to bound their median.
    pub(super) fn of(samples: &[Sample]) -> Option<Self> {
        let wall = summary(Metric::Wall, &Pool::of(samples, 0).values(Metric::Wall)?);
        let interval = wall.interval.filter(|interval| interval.low > 0.0 && interval.high > interval.low)?;
        Some(Self { low: interval.low / wall.median, high: interval.high / wall.median })
    }

    /// The share as it may be in another run. What was sampled has an interval of its own.
    pub(super) fn widen(self, share: Share) -> Share {
        if share.low.to_bits() != share.high.to_bits() {
            return share;
        }
        Share { value: share.value, low: share.value * self.low, high: share.value * self.high }
    }

    pub(super) fn note(self, subject: &mut Subject) {
        subject.wall = self.widen(subject.wall);
        // The whole run is the whole run.
        if subject.kind == Kind::Whole {
            return;
        }
        if let Some(metric) = subject.metrics.get_mut("wall").filter(|metric| metric.low.is_none()) {
            metric.low = Some(metric.value * self.low);
            metric.high = Some((metric.value * self.high).min(1.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_once_has_the_spread_of_the_runs_and_what_was_sampled_its_own() {
        let spread = Spread { low: 0.9, high: 1.2 };
        let once = Share { value: 0.5, low: 0.5, high: 0.5 };
        let widened = spread.widen(once);
        assert!((widened.low - 0.45).abs() < 1e-9 && (widened.high - 0.6).abs() < 1e-9);
        let sampled = Share { value: 0.5, low: 0.4, high: 0.55 };
        assert_eq!(spread.widen(sampled), sampled);
        assert_eq!(Spread::of(&[]), None, "no runs bound nothing");
    }

    #[test]
    fn the_whole_run_is_all_of_it() {
        let spread = Spread { low: 0.9, high: 1.2 };
        let wall_of = |kind: Kind| {
            let mut subject = Subject::new(kind, None, Share { value: 1.0, low: 1.0, high: 1.0 });
            subject.number("wall", 1.0, "1", ("recording", "recorder"));
            spread.note(&mut subject);
            subject.metrics.get("wall").and_then(|wall| Some((wall.low?, wall.high?)))
        };
        assert_eq!((wall_of(Kind::Whole), wall_of(Kind::Waiting)), (None, Some((0.9, 1.0))));
    }
}
