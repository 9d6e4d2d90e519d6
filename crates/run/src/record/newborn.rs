//! Threads that end before a first hit: while most of those that end are such, hits come more often, in parts of the time.
//!
//! The clock of a thread falls due when it has used a whole period of CPU time. Of children that live for a tenth of one it
//! never does, nor does it of who makes them: where a thread switches to a child of its own, the kernel has the two change
//! their events, and what had been used of the period ends with the child. 1,500 such children and their parent, 0.3 s in all,
//! had no hit. So hits of the usual period are not taken meanwhile, and short windows have events of their own, which those
//! that are born in them inherit and everybody loses at the end. Each window has a period of its own: one that stayed the same
//! would find all children at the same moment of their lives.

use std::os::fd::OwnedFd;

use super::assemble::Assembler;
use super::events::{Again, Events, online_cpus};
use crate::clock::monotonic;

/// A window lasts so long, more or less: rounds are uneven …
const ON: u64 = 10_000_000;

/// … and begins so long after the one before.
const OF: u64 = 40_000_000;

/// Hits for each life of the usual length.
const HITS: u64 = 8;

/// The shortest period on average: a hit takes 3 to 5 µs, in a fourth of the time 2 %. Who makes a child at each turn is itself
/// on a CPU for less than 0.1 ms between two.
const SHORTEST: u64 = 50_000;

/// So many that ended tell how long they live …
const ENOUGH: u32 = 4;

/// … if that was within this time …
const WITHIN: u64 = 100_000_000;

/// … and they took one in so many of it.
const PART: u64 = 10;

/// Events that are opened for a window, at 10 µs each.
const MOST: usize = 128;

/// What has ended of late.
#[derive(Clone, Copy, Debug, Default)]
struct Ended {
    threads: u32,
    /// CPU time of those that lived for less than two periods, and of the others.
    brief: u64,
    long: u64,
}

#[derive(Debug)]
pub(super) struct Newborns {
    usual: u64,
    ended: Ended,
    /// Since when they are counted.
    since: u64,
    /// CPU time of one that ended, where they are short-lived.
    life: Option<u64>,
    /// Where the hits of windows are the only ones: from and to.
    spans: Vec<(u64, u64)>,
    /// The periods of windows, by when they began.
    periods: Vec<(u64, u64)>,
    window: Option<Window>,
}

#[derive(Debug)]
struct Window {
    /// What its hits stand for begins here.
    begun: u64,
    from: u64,
    /// `None` once it is over.
    events: Option<Vec<OwnedFd>>,
    to: u64,
    /// Its hits and all later ones.
    hits: usize,
}

impl Newborns {
    pub(super) fn new(usual: u64) -> Self {
        Self {
            usual,
            ended: Ended::default(),
            since: 0,
            life: None,
            spans: Vec::new(),
            periods: Vec::new(),
            window: None,
        }
    }

    /// Whether hits of the usual period are not taken at a moment, because there are others.
    pub(super) fn replace(&self, at: u64) -> bool {
        self.spans.last().is_some_and(|(from, _)| *from <= at)
            && self.spans.iter().any(|(from, to)| (*from..*to).contains(&at))
    }

    /// CPU time between two hits of a window.
    pub(super) fn period(&self, at: u64) -> u64 {
        let before = self.periods.partition_point(|(from, _)| *from <= at);
        let last = before.checked_sub(1).and_then(|last| self.periods.get(last));
        last.map_or(self.usual, |(_, period)| *period)
    }

    /// The period of those born at a moment, where it is not the usual one.
    pub(super) fn born_with(&self, at: u64) -> Option<u64> {
        self.replace(at).then(|| self.period(at))
    }

    /// A thread has ended that was so long on a CPU.
    pub(super) fn ended(&mut self, on_cpu: u64) {
        self.ended.threads += 1;
        let sum = if on_cpu < 2 * self.usual { &mut self.ended.brief } else { &mut self.ended.long };
        *sum = sum.saturating_add(on_cpu);
    }

    /// Counts what has ended.
    fn count(&mut self, now: u64) {
        if self.since == 0 {
            self.since = now;
        }
        let Ended { threads, brief, long } = self.ended;
        let time = now.saturating_sub(self.since);
        let are_brief = threads >= ENOUGH && brief > long && brief > time / PART;
        if are_brief {
            self.life = Some(brief / u64::from(threads));
        } else if time >= WITHIN {
            self.life = None;
        }
        if time >= WITHIN {
            (self.ended, self.since) = (Ended::default(), now);
        }
    }

    /// Whether the present window goes on, or the time behind it does. Ends one that is over.
    fn goes_on(&mut self, now: u64) -> bool {
        let Some(window) = &mut self.window else { return false };
        let time = now.saturating_sub(window.from);
        if time >= ON && window.events.is_some() {
            window.to = monotonic();
            window.events = None;
        }
        time < OF
    }

    /// Between a half and one and a half of a part of a life. `None` where the usual period is as good.
    fn wanted(&self, random: u64) -> Option<u64> {
        let mean = (self.life? / HITS).max(SHORTEST);
        (mean < self.usual).then(|| mean / 2 + mean * (random % 1024) / 1024)
    }
}

/// Begins and ends windows as what has ended asks for.
pub(super) fn watch(
    assembler: &mut Assembler,
    events: &mut Events,
    again: Option<&Again>,
    now: u64,
    random: u64,
) {
    assembler.newborns.count(now);
    if assembler.newborns.goes_on(now) {
        return;
    }
    let threads = assembler.living_tids();
    let period = assembler.newborns.wanted(random).filter(|_| threads.len() * online_cpus().len() <= MOST);
    let (Some(period), Some(again)) = (period, again) else { return end(assembler, now) };
    settle(assembler, now);
    let newborns = &mut assembler.newborns;
    newborns.periods.push((now, period));
    if newborns.spans.last().is_none_or(|(_, to)| *to < now) {
        newborns.spans.push((now, u64::MAX));
    }
    let opened = again.newborn(events, &threads, period, assembler.copying.now());
    // Opening them took a while, in which nothing was hit.
    let from = monotonic();
    let hits = assembler.hits.len();
    assembler.newborns.window = Some(Window { begun: now, from, events: Some(opened), to: from, hits });
}

/// Hits of the usual period are taken again.
pub(super) fn end(assembler: &mut Assembler, now: u64) {
    settle(assembler, now);
    if let Some((_, to)) = assembler.newborns.spans.last_mut().filter(|(_, to)| *to == u64::MAX) {
        *to = now;
    }
}

/// The hits of a window stand for the time until the next one begins, too.
fn settle(assembler: &mut Assembler, now: u64) {
    let Some(Window { begun, from, events, to, hits }) = assembler.newborns.window.take() else { return };
    let open = if events.is_some() { now } else { to }.saturating_sub(from).max(1);
    let all = u128::from(now.saturating_sub(begun));
    for hit in assembler.hits.iter_mut().skip(hits).filter(|hit| hit.at >= begun) {
        hit.weight = u64::try_from(u128::from(hit.weight) * all / u128::from(open)).unwrap_or(hit.weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn after(lives: &[u64]) -> Newborns {
        let mut newborns = Newborns::new(MS);
        newborns.count(1);
        lives.iter().for_each(|life| newborns.ended(*life));
        newborns.count(20 * MS);
        newborns
    }

    #[test]
    fn who_ends_before_a_first_hit_makes_hits_come_sooner_never_at_the_same_moment_of_a_life() {
        let newborns = after(&[MS / 2; 20]);
        assert_eq!([0, 512, 1023].map(|random| newborns.wanted(random).unwrap()), [31_250, 62_500, 93_688]);
        assert_eq!(after(&[MS / 10; 40]).wanted(512), Some(SHORTEST));
    }

    #[test]
    fn lives_of_many_periods_a_few_and_those_that_take_little_time_keep_the_usual_one() {
        assert_eq!(after(&[]).wanted(7), None);
        assert_eq!(after(&[MS; 3]).wanted(7), None);
        assert_eq!(after(&[40 * MS; 20]).wanted(7), None);
        assert_eq!(after(&[MS / 100; 20]).wanted(7), None);
        let mixed: Vec<u64> = (0..20).map(|one| if one == 0 { 30 * MS } else { MS / 2 }).collect();
        assert_eq!(after(&mixed).wanted(7), None);
    }

    #[test]
    fn when_no_more_end_the_usual_hits_come_back() {
        let mut newborns = after(&[MS / 2; 40]);
        newborns.count(101 * MS);
        assert!(newborns.wanted(7).is_some(), "the last count still holds");
        newborns.count(202 * MS);
        assert_eq!(newborns.wanted(7), None);
    }

    #[test]
    fn hits_of_a_window_stand_for_the_time_until_the_next() {
        let mut assembler = Assembler::new(MS);
        let hit = |at| super::super::assemble::Hit { at, thread: 0, stack: None, weight: 100, kernel: false };
        assembler.hits = vec![hit(5), hit(1_100), hit(1_900)];
        assembler.newborns.window =
            Some(Window { begun: 1_000, from: 1_000, events: None, to: 2_000, hits: 1 });
        assembler.newborns.spans = vec![(1_000, u64::MAX)];
        end(&mut assembler, 5_000);
        assert_eq!(assembler.hits.iter().map(|hit| hit.weight).collect::<Vec<_>>(), [100, 400, 400]);
        assert_eq!(
            [900, 1_000, 4_999, 5_000].map(|at| assembler.newborns.replace(at)),
            [false, true, true, false]
        );
    }
}
