//! How a thread leaves its CPU, as the kernel counts in `/proc/PID/task/TID/status`: by itself, to wait, or because others
//! want it. Who left by itself stands in the queue after its wait, who was pushed off stands there instead of running.

use super::Seen;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Turns {
    by_itself: u64,
    pushed_off: u64,
    /// Pushes since the look before, and how often it left by itself since.
    newly: u64,
    left: u64,
    /// It was pushed off when it last left its CPU, as far as this look tells, and the one before.
    is_pushed: bool,
    was_pushed: bool,
    /// Ways back from a wait that were seen without a push, and how long they took together.
    ways: u64,
    way: u64,
}

impl Turns {
    /// Read anew. `stops` are those for a tracer, which count as leaving by itself. `None` when the thread is gone.
    pub(super) fn since(seen: &Seen, waits: bool, stops: u64, before: Option<Self>) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/{}/task/{}/status", seen.pid, seen.tid)).ok()?;
        let read = Self::parse(&text)?;
        let alone = Self { by_itself: read.by_itself.saturating_sub(stops), ..read };
        Some(alone.after(waits, before.unwrap_or_default()))
    }

    fn parse(text: &str) -> Option<Self> {
        let count = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().parse().ok()
        };
        Some(Self {
            by_itself: count("voluntary_ctxt_switches:")?,
            pushed_off: count("nonvoluntary_ctxt_switches:")?,
            ..Self::default()
        })
    }

    /// `waits`: whether it waits now, so that it left by itself at last.
    fn after(self, waits: bool, before: Self) -> Self {
        let newly = self.pushed_off.saturating_sub(before.pushed_off);
        let left = newly > 0 || self.by_itself > before.by_itself;
        Self {
            newly,
            left: self.by_itself.saturating_sub(before.by_itself),
            is_pushed: if left { newly > 0 && !waits } else { before.is_pushed && !waits },
            was_pushed: before.is_pushed,
            ways: before.ways,
            way: before.way,
            ..self
        }
    }

    /// Whether it left its CPU by itself since the look before, of one that has ended, which is once more.
    pub(super) fn has_waited(self) -> bool {
        self.left > 1
    }

    /// Whether it left its CPU by itself since the look before.
    pub(super) fn has_left(self) -> bool {
        self.left > 0
    }

    /// The part of a time in the queue for which it was pushed off, of one that did not wait at the look before and was
    /// put on a CPU so often since.
    pub(super) fn pushed_of(self, ready: u64, arrivals: u64) -> u64 {
        let pushes = self.newly + u64::from(self.was_pushed);
        if pushes == 0 {
            return 0;
        }
        let wakes = arrivals.saturating_sub(pushes);
        let way = self.usual_way().unwrap_or(ready / arrivals.max(1));
        ready.saturating_sub(way.saturating_mul(wakes))
    }

    /// From a wake to a CPU. `None` while none was seen alone.
    fn usual_way(self) -> Option<u64> {
        self.way.checked_div(self.ways)
    }

    /// The same of one that waited at the look before: it stood there once to come back from its wait, as long as it
    /// usually does; while that is not known, as long as for each push.
    pub(super) fn pushed_since_waking(&mut self, ready: u64) -> u64 {
        if self.newly == 0 {
            (self.ways, self.way) = (self.ways + 1, self.way + ready);
            return 0;
        }
        let way = self.usual_way().unwrap_or(ready / (self.newly + 1));
        ready.saturating_sub(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(by_itself: u64, pushed_off: u64) -> Turns {
        Turns { by_itself, pushed_off, ..Turns::default() }
    }

    #[test]
    fn both_counts_are_needed() {
        let text = "Name:\tx\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";
        assert_eq!(Turns::parse(text), Some(turns(12, 3)));
        assert_eq!(Turns::parse("voluntary_ctxt_switches:\t12\n"), None);
        assert_eq!(Turns::parse(""), None);
    }

    #[test]
    fn who_was_pushed_off_before_a_look_stands_in_the_queue_for_that_after_it() {
        let waited = turns(5, 1).after(true, turns(4, 1));
        assert_eq!(waited.pushed_of(100, 1), 0);
        let pushed = turns(5, 2).after(false, waited);
        assert_eq!((pushed.pushed_of(100, 0), pushed.pushed_of(100, 2)), (100, 50));
        let back = turns(6, 2).after(true, pushed);
        assert_eq!(back.pushed_of(100, 1), 100);
        assert_eq!(turns(7, 2).after(true, back).pushed_of(100, 1), 0);
    }

    #[test]
    fn the_way_back_from_a_wait_is_as_long_as_it_was_without_a_push() {
        let mut unknown = turns(1, 1).after(false, turns(1, 0));
        assert_eq!(unknown.pushed_since_waking(100), 50);
        let mut waking = turns(1, 0);
        assert_eq!((waking.pushed_since_waking(10), waking.pushed_since_waking(20)), (0, 0));
        let mut both = turns(1, 1).after(false, waking);
        assert_eq!((both.pushed_since_waking(100), both.pushed_since_waking(5)), (85, 0));
    }
}
