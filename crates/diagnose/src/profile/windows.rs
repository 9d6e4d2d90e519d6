//! The parts of time in which waits were recorded.

use model::recording::Recording;

/// Disjoint spans in order. None: always.
pub(super) struct Windows {
    spans: Vec<(u64, u64)>,
    /// Time inside windows before each.
    before: Vec<u64>,
}

impl Windows {
    pub(super) fn of(recording: &Recording) -> Self {
        let mut watched: Vec<(u64, u64)> =
            recording.watched.iter().map(|span| (span.from.as_nanos(), span.to.as_nanos())).collect();
        watched.sort_unstable();
        let (mut spans, mut before, mut sum): (Vec<(u64, u64)>, Vec<u64>, u64) = (Vec::new(), Vec::new(), 0);
        for (from, to) in watched {
            let from = spans.last().map_or(from, |last| from.max(last.1));
            if from < to {
                spans.push((from, to));
                before.push(sum);
                sum += to - from;
            }
        }
        Self { spans, before }
    }

    /// Whether waits were recorded throughout.
    pub(super) fn always(&self) -> bool {
        self.spans.is_empty()
    }

    /// How much of this span was watched.
    pub(super) fn length(&self, low: u64, high: u64) -> u64 {
        if self.always() {
            return high.saturating_sub(low);
        }
        self.until(high).saturating_sub(self.until(low))
    }

    fn until(&self, moment: u64) -> u64 {
        let Some(last) = self.spans.partition_point(|(from, _)| *from < moment).checked_sub(1) else {
            return 0;
        };
        let before = self.before.get(last).copied().unwrap_or(0);
        before + self.spans.get(last).map_or(0, |(from, to)| moment.min(*to) - from)
    }
}

#[cfg(test)]
mod tests {
    use model::Nanos;
    use model::recording::{Source, Span, Weight};

    use super::*;

    #[test]
    fn overlapping_and_empty_windows_are_counted_once() {
        let mut recording = Recording::new(Source::Import("test".to_owned()), Weight::CpuTime);
        for (from, to) in [(50, 60), (10, 20), (15, 30), (70, 65)] {
            recording.watched.push(Span { from: Nanos::from_nanos(from), to: Nanos::from_nanos(to) });
        }
        let windows = Windows::of(&recording);
        assert_eq!(windows.length(0, 100), 30);
        assert_eq!(windows.length(18, 55), 17);
        assert_eq!(windows.length(60, 100), 0);
    }
}
