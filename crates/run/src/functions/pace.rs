//! When a function is watched: in bursts that are spread over the whole run, so that the program stays what it is.

/// Calls of the first burst of a function, and of each later one.
const FIRST: u32 = 400;
const BURST: u32 = 100;

/// Stops that may be made at once, and in all: a second or less of the target's time.
const EAGER: u64 = 4_000;
pub(super) const MOST: u64 = 50_000;

/// So many times as long as a burst held the target up the function is left alone, for each function that is called.
const PAUSES: u64 = 3;

/// Nanoseconds that the target is held up by a stop beyond what we do meanwhile: it leaves a CPU and comes back to one.
const SWITCHES: u64 = 6_000;

/// A pause is at least this long.
const SHORTEST: u64 = 1_000_000;

/// Calls that take less than this tell neither what is worth keeping nor how they grow. They may grow, so they are looked at now
/// and then.
const SHORT: u64 = 3_000;
const RARELY: u64 = 16;

/// Bursts over the run of each of a few functions at least: 2 % of it, where a call with its two stops takes 20 µs.
const BURSTS: u64 = 10;
const FEW: u64 = 4;

/// How one function is watched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    left: u32,
    stops: u64,
    /// When it is to be watched again. `None` while it is.
    pub(super) again: Option<u64>,
}

/// What all functions together may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    begun: u64,
    /// How long the run is about to take, in nanoseconds.
    expected: u64,
    stops: u64,
    /// What we did at these stops.
    busy: u64,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { left: FIRST, stops: 0, again: None }
    }

    /// A stop of its was dealt with.
    pub(super) fn stopped(&mut self) {
        self.stops += 1;
    }

    /// A call was looked at. Whether the burst is over; then it is watched again at a later time, which is later the more functions
    /// (`active`) have bursts of their own.
    pub(super) fn called(
        &mut self,
        allowance: &Allowance,
        lately: Option<u64>,
        active: u64,
        now: u64,
    ) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return false;
        }
        let held_up = std::mem::take(&mut self.stops).saturating_mul(allowance.one());
        let often = if lately.is_some_and(|taken| taken < SHORT) { RARELY } else { 1 };
        let pause = held_up.saturating_mul(PAUSES * often * active.max(1)).max(SHORTEST);
        let pause = pause.min(allowance.longest_pause(active));
        self.left = BURST;
        self.again = Some(now.saturating_add(pause).max(allowance.next()));
        true
    }
}

impl Allowance {
    pub(super) fn new(begun: u64, expected: u64) -> Self {
        Self { begun, expected: expected.max(1), stops: 0, busy: 0 }
    }

    pub(super) fn spend(&mut self, busy: u64) {
        self.stops += 1;
        self.busy = self.busy.saturating_add(busy);
    }

    pub(super) fn is_spent(&self) -> bool {
        self.stops >= MOST
    }

    /// What a stop takes the target.
    fn one(&self) -> u64 {
        self.busy / self.stops.max(1) + SWITCHES
    }

    /// What grows is short at first: so a function is looked at in each part of the run, where few are.
    fn longest_pause(&self, active: u64) -> u64 {
        (self.expected / BURSTS).saturating_mul(active.div_ceil(FEW).max(1)).max(SHORTEST)
    }

    /// When stops are no further on than the run is.
    fn next(&self) -> u64 {
        let beyond = self.stops.saturating_sub(EAGER);
        self.begun.saturating_add(beyond.saturating_mul(self.expected / (MOST - EAGER)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_spread_over_the_run() {
        let second = 1_000_000_000;
        let (mut pace, mut allowance) = (Pace::new(), Allowance::new(0, second));
        let (mut now, mut bursts) = (0, Vec::new());
        while now < second {
            allowance.spend(5_000);
            pace.stopped();
            now += 11_000;
            if pace.called(&allowance, Some(20_000), 1, now) {
                bursts.push(now);
                now = pace.again.take().unwrap();
            }
        }
        assert!(bursts.len() > 100, "{}", bursts.len());
        assert!(allowance.stops * 11_000 < second / 3, "{allowance:?}");
        assert!(!allowance.is_spent() && *bursts.last().unwrap() > second * 9 / 10);
    }

    #[test]
    fn what_takes_next_to_nothing_is_looked_at_rarely() {
        let allowance = Allowance::new(0, 1_000_000_000);
        let pause = |lately, active| {
            let mut pace = Pace { left: 1, stops: 1000, again: None };
            assert!(pace.called(&allowance, Some(lately), active, 0));
            pace.again.unwrap()
        };
        assert!(pause(100, 1) >= 5 * pause(10_000, 1));
        // Together they take no more than one of them.
        assert_eq!(pause(10_000, 8), 8 * pause(10_000, 1));
        // What may still grow is looked at in each part of the run.
        assert_eq!((pause(100, 1), pause(100, 4), pause(100, 40)), (100_000_000, 100_000_000, 1_000_000_000));
    }
}
