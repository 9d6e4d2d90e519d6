//! How a thread leaves its CPU, as the kernel counts in `/proc/PID/task/TID/status`: by itself, to wait, or because others
//! want it. Who left by itself stands in the queue after its wait, who was pushed off stands there instead of running.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Turns {
    by_itself: u64,
    pushed_off: u64,
    /// The share of pushes since the look before; while it did not leave, as it was then.
    pushed: f64,
    /// Pushes since the look before.
    newly: u64,
    /// Ways back from a wait that were seen without a push, and how long they took together.
    ways: u64,
    way: u64,
}

impl Turns {
    /// Read anew. `None` when the thread is gone.
    pub(super) fn since(pid: u32, tid: u32, before: Option<Self>) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/status")).ok()?;
        Some(Self::parse(&text)?.after(before.unwrap_or_default()))
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

    #[expect(clippy::cast_precision_loss, reason = "switches of one thread")]
    fn after(self, before: Self) -> Self {
        let by_itself = self.by_itself.saturating_sub(before.by_itself);
        let pushed_off = self.pushed_off.saturating_sub(before.pushed_off);
        let pushed = match by_itself + pushed_off {
            0 => before.pushed,
            all => pushed_off as f64 / all as f64,
        };
        Self { pushed, newly: pushed_off, ways: before.ways, way: before.way, ..self }
    }

    /// The part of a time in the queue for which it was pushed off.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a time between two looks"
    )]
    pub(super) fn pushed_of(self, ready: u64) -> u64 {
        ((ready as f64 * self.pushed) as u64).min(ready)
    }

    /// The same of one that waited at the look before: it stood there once to come back from its wait, as long as it
    /// usually does; while that is not known, as long as for each push.
    pub(super) fn pushed_since_waking(&mut self, ready: u64) -> u64 {
        if self.newly == 0 {
            (self.ways, self.way) = (self.ways + 1, self.way + ready);
            return 0;
        }
        let way = self.way.checked_div(self.ways).unwrap_or(ready / (self.newly + 1));
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
    fn a_thread_that_has_not_left_since_stands_in_the_queue_for_the_same_reason() {
        let waited = turns(5, 1).after(turns(4, 1));
        assert_eq!(waited.pushed_of(100), 0);
        let pushed = turns(5, 2).after(waited);
        assert_eq!(pushed.pushed_of(100), 100);
        assert_eq!(turns(5, 2).after(pushed).pushed_of(100), 100);
        assert_eq!(turns(8, 3).after(pushed).pushed_of(100), 25);
    }

    #[test]
    fn the_way_back_from_a_wait_is_as_long_as_it_was_without_a_push() {
        let mut unknown = turns(1, 1).after(turns(1, 0));
        assert_eq!(unknown.pushed_since_waking(100), 50);
        let mut waking = turns(1, 0);
        assert_eq!((waking.pushed_since_waking(10), waking.pushed_since_waking(20)), (0, 0));
        let mut both = turns(1, 1).after(waking);
        assert_eq!((both.pushed_since_waking(100), both.pushed_since_waking(5)), (85, 0));
    }
}
