//! Shorter periods for threads that live no longer than a usual one.
//!
//! A thread is hit when it has used a whole period of CPU time. One that ends before is never hit, and of those that end
//! soon after, all hits are of the same age. So while such threads end in numbers, whoever is born has a period of a
//! quarter to a whole usual one, another at each tick. The kernel lets us choose the period of what will be inherited, and
//! with it, that of the first thread.

/// Short lives in [`WINDOW`] from which on periods are shortened.
const MANY: u64 = 8;

/// In nanoseconds.
const WINDOW: u64 = 100_000_000;

/// Between two choices of a period.
const PAUSE: u64 = 8_000_000;

/// The shortest period is the usual one by this.
const DIVISOR: f64 = 4.0;

#[derive(Debug)]
pub(super) struct Brisk {
    usual: u64,
    /// When counting began, and how many short lives have ended since.
    window: (u64, u64),
    chosen: u64,
    chosen_at: u64,
    random: u64,
}

impl Brisk {
    pub(super) fn new(usual: u64) -> Self {
        Self { usual, window: (0, 0), chosen: usual, chosen_at: 0, random: usual | 1 }
    }

    /// The period for whoever is born next, if it is to be another from now on. `ended`: short lives since the last time.
    pub(super) fn choose(&mut self, now: u64, ended: u64) -> Option<u64> {
        let (since, before) = self.window;
        let count = before + ended;
        let over = now.saturating_sub(since) >= WINDOW;
        self.window = if over { (now, 0) } else { (since, count) };
        let many = count >= MANY || (!over && self.chosen != self.usual);
        if !many && self.chosen == self.usual || many && now.saturating_sub(self.chosen_at) < PAUSE {
            return None;
        }
        self.chosen = if many { self.draw() } else { self.usual };
        self.chosen_at = now;
        Some(self.chosen)
    }

    /// As likely between a quarter and a half as between a half and the whole: then each age is hit alike.
    fn draw(&mut self) -> u64 {
        // Marsaglia's xorshift.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let part = (self.random % 1024) as f64 / 1024.0;
        (self.usual as f64 / DIVISOR.powf(part)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn periods_are_short_while_short_lives_end_and_usual_again_after() {
        let mut brisk = Brisk::new(1000);
        assert_eq!(brisk.choose(500 * MS, 0), None);
        assert_eq!(brisk.choose(502 * MS, MANY - 1), None);
        let first = brisk.choose(504 * MS, 1).unwrap();
        assert!((250..=1000).contains(&first), "{first}");
        assert_eq!(brisk.choose(506 * MS, 9), None);
        let others: Vec<u64> = (52..60).filter_map(|at| brisk.choose(at * 10 * MS, 5)).collect();
        assert!(others.len() == 8 && others.iter().all(|other| (250..=1000).contains(other)), "{others:?}");
        assert!(others.iter().any(|other| *other != first));
        let after: Vec<u64> = (60..100).filter_map(|at| brisk.choose(at * 10 * MS, 0)).collect();
        assert_eq!(after.last(), Some(&1000));
        assert_eq!(brisk.choose(2000 * MS, 1), None);
    }
}
