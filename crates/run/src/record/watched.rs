//! When switches were told. In a storm they are told from time to time; and what comes while a ring is full is lost, so
//! what the rings hold of that time is not believed either.

use std::collections::VecDeque;

use model::Nanos;
use model::recording::Span;

/// What begins or ends a time in which all switches are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A storm: they are not told for a while.
    Pause,
    Resume,
    /// The last record that found room.
    Full,
    Emptied,
}

#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Marks that are younger than the records taken so far, in the order of time.
    to_come: VecDeque<(u64, Mark)>,
    paused: bool,
    /// Rings that are full now.
    full: u32,
    /// When the present time of not watching began.
    blind_since: Option<u64>,
    /// From and to: not watched.
    blind: Vec<(u64, u64)>,
}

impl Watched {
    /// Notes a mark for when the records up to it are taken.
    pub(super) fn mark(&mut self, at: u64, mark: Mark) {
        let place = self.to_come.partition_point(|(known, _)| *known <= at);
        self.to_come.insert(place, (at, mark));
    }

    /// The next moment up to `until` at which watching ended or began, and which of both.
    pub(super) fn change(&mut self, until: u64) -> Option<(u64, bool)> {
        while let Some((at, mark)) = self.to_come.pop_front_if(|(at, _)| *at <= until) {
            match mark {
                Mark::Pause => self.paused = true,
                Mark::Resume => self.paused = false,
                Mark::Full => self.full += 1,
                Mark::Emptied => self.full = self.full.saturating_sub(1),
            }
            let blind = self.paused || self.full > 0;
            match self.blind_since {
                None if blind => {
                    self.blind_since = Some(at);
                    return Some((at, false));
                }
                Some(since) if !blind => {
                    self.blind.push((since, at));
                    self.blind_since = None;
                    return Some((at, true));
                }
                _ => {}
            }
        }
        None
    }

    /// Whether there was any time that was not watched.
    pub(super) fn interrupted(&self) -> bool {
        self.blind_since.is_some() || !self.blind.is_empty()
    }

    /// The times in which all switches are known; none when they always are.
    pub(super) fn spans(mut self, start: u64, end: u64) -> Vec<Span> {
        self.blind.extend(self.blind_since.map(|since| (since, end)));
        if self.blind.is_empty() {
            return Vec::new();
        }
        let mut spans = Vec::new();
        let mut from = start;
        for (blind, sighted) in self.blind.into_iter().chain([(end, end)]) {
            if from < blind.min(end) {
                spans.push(span(start, from, blind.min(end)));
            }
            from = from.max(sighted);
        }
        spans
    }
}

/// Whether all switches between these are known.
pub(super) fn in_one(spans: &[Span], from: Nanos, to: Nanos) -> bool {
    spans.iter().any(|span| span.from <= from && to <= span.to)
}

fn span(start: u64, from: u64, to: u64) -> Span {
    let since = |at: u64| Nanos::from_nanos(at.saturating_sub(start));
    Span { from: since(from), to: since(to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(watched: &mut Watched, until: u64) -> Vec<(u64, bool)> {
        std::iter::from_fn(|| watched.change(until)).collect()
    }

    fn spans(watched: Watched, start: u64, end: u64) -> Vec<(u64, u64)> {
        watched.spans(start, end).iter().map(|span| (span.from.as_nanos(), span.to.as_nanos())).collect()
    }

    #[test]
    fn without_marks_all_was_watched() {
        assert!(spans(Watched::default(), 100, 200).is_empty());
    }

    #[test]
    fn a_mark_counts_when_its_time_has_come() {
        let mut watched = Watched::default();
        watched.mark(50, Mark::Pause);
        assert!(changes(&mut watched, 49).is_empty());
        assert_eq!(changes(&mut watched, 50), [(50, false)]);
        watched.mark(70, Mark::Resume);
        assert_eq!(changes(&mut watched, 100), [(70, true)]);
        assert_eq!(spans(watched, 10, 100), [(0, 40), (60, 90)]);
    }

    #[test]
    fn full_rings_and_a_storm_overlap_and_nothing_is_watched_until_all_have_ended() {
        let mut watched = Watched::default();
        for (at, mark) in [
            (20, Mark::Full),
            (15, Mark::Full),
            (30, Mark::Emptied),
            (31, Mark::Emptied),
            (25, Mark::Pause),
            (40, Mark::Resume),
        ] {
            watched.mark(at, mark);
        }
        assert_eq!(changes(&mut watched, 100), [(15, false), (40, true)]);
        assert!(watched.interrupted());
        assert_eq!(spans(watched, 0, 60), [(0, 15), (40, 60)]);
    }

    #[test]
    fn what_a_storm_interrupts_is_not_in_one_span() {
        let spans = [span(0, 0, 40), span(0, 60, 90)];
        let check = |from, to| in_one(&spans, Nanos::from_nanos(from), Nanos::from_nanos(to));
        assert!(check(5, 40) && check(60, 61));
        assert!(!check(30, 70) && !check(45, 50) && !check(80, 91));
    }

    #[test]
    fn a_recording_that_ends_unwatched_has_no_last_span() {
        let mut watched = Watched::default();
        watched.mark(20, Mark::Pause);
        assert_eq!(changes(&mut watched, 100), [(20, false)]);
        assert_eq!(spans(watched, 0, 60), [(0, 20)]);
    }
}
