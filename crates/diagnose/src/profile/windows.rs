//! The parts of time in which waits were recorded, and the time that each part stands for.
//!
//! In a storm waits are recorded from time to time. What lies between two windows was like the nearer ends of both: the
//! first window, which lasted until the storm was noticed, tells little of what came a minute later.

use model::recording::Recording;

use super::storm::Seen;
use super::tally::portion;

/// Disjoint pieces in order. None: always.
pub(super) struct Windows {
    pieces: Vec<Piece>,
    /// From here on everything is known: the program has ended.
    end: u64,
    /// What all pieces stand for.
    sum: u64,
}

/// A part of a window in which every moment stands for as much time.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: u64,
    to: u64,
    stands_for: u64,
    /// What the pieces before this one stand for, and how long they are.
    before: (u64, u64),
}

/// One window and the time beside it that it stands for: how far that reaches into the window, and how much it is.
#[derive(Clone, Copy, Debug)]
struct Window {
    from: u64,
    to: u64,
    left: (u64, u64),
    right: (u64, u64),
}

impl Window {
    fn length(&self) -> u64 {
        self.to - self.from
    }

    /// Cut where the time beside it begins to count.
    fn pieces(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        let (left, right) = (self.from + self.left.0, self.to - self.right.0);
        let cuts = [self.from, left.min(right), left.max(right), self.to];
        let beside = move |(reach, time): (u64, u64), inside: bool, length: u64| {
            if inside { portion(length, time, reach) } else { 0 }
        };
        let ends = [(cuts[0], cuts[1]), (cuts[1], cuts[2]), (cuts[2], cuts[3])];
        let (window, of_right) = (*self, self.right);
        ends.into_iter().filter(|(from, to)| from < to).map(move |(from, to)| {
            let length = to - from;
            let extra = beside(window.left, to <= left, length).saturating_add(beside(
                of_right,
                from >= right,
                length,
            ));
            (from, to, length.saturating_add(extra))
        })
    }
}

impl Windows {
    /// `end`: the end of the program, after which nobody watches.
    pub(super) fn of(recording: &Recording, end: u64) -> Self {
        let mut windows = Self { pieces: Vec::new(), end, sum: 0 };
        let mut length = 0_u64;
        for window in shared_out(disjoint(recording, end), end) {
            for (from, to, stands_for) in window.pieces() {
                windows.pieces.push(Piece { from, to, stands_for, before: (windows.sum, length) });
                windows.sum = windows.sum.saturating_add(stands_for);
                length += to - from;
            }
        }
        windows
    }

    /// Whether waits were recorded throughout.
    pub(super) fn always(&self) -> bool {
        self.pieces.is_empty()
    }

    /// How much time the watched part of this span stands for.
    pub(super) fn length(&self, low: u64, high: u64) -> u64 {
        if self.always() {
            return high.saturating_sub(low);
        }
        let until = |moment: u64| self.until(moment, |piece| piece.stands_for, |piece| piece.before.0);
        let after = |moment: u64| moment.saturating_sub(self.end);
        let inside = |moment: u64| until(moment).min(self.sum).saturating_add(after(moment));
        inside(high).saturating_sub(inside(low))
    }

    /// How much of this span was watched.
    pub(super) fn watched(&self, low: u64, high: u64) -> u64 {
        if self.always() {
            return high.saturating_sub(low);
        }
        let until = |moment: u64| self.until(moment, |piece| piece.to - piece.from, |piece| piece.before.1);
        until(high).saturating_sub(until(low))
    }

    /// How much of this span was watched, and the time outside that it stands for.
    pub(super) fn seen(&self, low: u64, high: u64) -> Seen {
        // After the end everything is known.
        let after = high.saturating_sub(self.end.max(low));
        let inside = if self.always() { high.saturating_sub(low) } else { self.watched(low, high) + after };
        Seen { inside, beside: self.length(low, high).saturating_sub(inside) }
    }

    fn until(&self, moment: u64, whole: impl Fn(&Piece) -> u64, before: impl Fn(&Piece) -> u64) -> u64 {
        let begun = self.pieces.partition_point(|piece| piece.from < moment);
        let Some(last) = begun.checked_sub(1).and_then(|last| self.pieces.get(last)) else { return 0 };
        let part = portion(moment.min(last.to) - last.from, whole(last), last.to - last.from);
        before(last).saturating_add(part)
    }
}

/// The windows in order, apart and before the end.
fn disjoint(recording: &Recording, end: u64) -> Vec<Window> {
    let mut watched: Vec<(u64, u64)> =
        recording.watched.iter().map(|span| (span.from.as_nanos(), span.to.as_nanos().min(end))).collect();
    watched.sort_unstable();
    let mut windows: Vec<Window> = Vec::new();
    for (from, to) in watched {
        let from = windows.last().map_or(from, |last| from.max(last.to));
        if from < to {
            windows.push(Window { from, to, left: (0, 0), right: (0, 0) });
        }
    }
    windows
}

/// Shares out the time between windows: each neighbour speaks for its half with what lies nearest to it.
fn shared_out(mut windows: Vec<Window>, end: u64) -> Vec<Window> {
    let mut begin = 0;
    for index in 0..=windows.len() {
        let left = index.checked_sub(1).and_then(|left| windows.get(left)).copied();
        let right = windows.get(index).copied();
        let gap = right.map_or(end, |right| right.from).saturating_sub(begin);
        let both = left.iter().chain(&right);
        let reach = both.map(Window::length).min().unwrap_or(0).min(gap);
        let to_left = match (left, right) {
            (Some(_), Some(_)) => gap / 2,
            (Some(_), None) => gap,
            (None, _) => 0,
        };
        if let Some(left) = index.checked_sub(1).and_then(|left| windows.get_mut(left)) {
            left.right = (reach, to_left);
        }
        if let Some(right) = windows.get_mut(index) {
            right.left = (reach, gap - to_left);
            begin = right.to;
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use model::Nanos;
    use model::recording::{Source, Span, Weight};

    use super::*;

    fn windows(watched: &[(u64, u64)], end: u64) -> Windows {
        let mut recording = Recording::new(Source::Import("test".to_owned()), Weight::CpuTime);
        for (from, to) in watched {
            recording.watched.push(Span { from: Nanos::from_nanos(*from), to: Nanos::from_nanos(*to) });
        }
        Windows::of(&recording, end)
    }

    #[test]
    fn overlapping_and_empty_windows_are_counted_once() {
        let windows = windows(&[(50, 60), (10, 20), (15, 30), (70, 65)], 100);
        assert_eq!(windows.watched(0, 100), 30);
        assert_eq!(windows.watched(18, 55), 17);
        assert_eq!(windows.watched(60, 100), 0);
    }

    #[test]
    fn windows_stand_for_all_the_time_between_them_and_none_after_the_end() {
        let windows = windows(&[(0, 1000), (1100, 1110), (1210, 1220)], 1300);
        assert_eq!(windows.length(0, 1300), 1300);
        assert_eq!(windows.length(0, 1305), 1305);
        // The long window speaks for its neighbourhood with its last moments only.
        assert_eq!(windows.length(0, 990), 990);
        assert_eq!(windows.length(990, 1000), 10 + 50);
        assert_eq!(windows.length(1000, 1100), 0);
        // Half of the second gap and the whole of the last one.
        assert_eq!(windows.length(1210, 1220), 10 + 50 + 80);
        assert_eq!(windows.length(1210, 1215), 70);
    }

    #[test]
    fn hostile_windows_never_overflow() {
        let windows = windows(&[(0, u64::MAX), (5, 7), (u64::MAX - 1, u64::MAX)], u64::MAX);
        assert_eq!(windows.length(0, u64::MAX), u64::MAX);
    }
}
