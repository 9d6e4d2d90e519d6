//! A thread in a storm of switches: its waits were seen in parts of the time, the scheduler's figures are of all of it.

use super::tally::{Tally, portion};
use model::leaf::{Charge, LEAVES};

/// A thread that lived shorter may have been asked for the last time long before its end.
const ASKED: u64 = 1_000_000_000;

/// What is known of a thread beside its watched absences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) life: u64,
    /// How much of its life was watched, and what that stands for.
    pub(super) watched: Seen,
    /// Exact.
    pub(super) on_cpu: Option<u64>,
    /// The scheduler's figures as last read.
    pub(super) scheduled: Option<u64>,
    pub(super) queued: Option<u64>,
}

/// Time in windows, and the time outside that it stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) inside: u64,
    pub(super) beside: u64,
}

/// The same by leaf.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seens {
    pub(super) inside: Tally,
    pub(super) beside: Tally,
    /// Between windows: what looks found there, for a thread that no window shows.
    pub(super) outside: Tally,
}

/// By how much the windows under- or overrate each kind of a thread's time beside them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Factors {
    pub(super) on_cpu: f64,
    pub(super) runnable: f64,
    pub(super) blocked: f64,
}

impl Default for Factors {
    fn default() -> Self {
        Self { on_cpu: 1.0, runnable: 1.0, blocked: 1.0 }
    }
}

impl Seen {
    fn sum(self) -> u64 {
        self.inside.saturating_add(self.beside)
    }

    /// What the time beside must be multiplied with to make the sum `whole`.
    fn factor(self, whole: u64) -> f64 {
        if self.beside == 0 { 1.0 } else { whole.saturating_sub(self.inside) as f64 / self.beside as f64 }
    }

    pub(super) fn weighed(self, factor: f64) -> u64 {
        self.inside.saturating_add((self.beside as f64 * factor).round() as u64)
    }
}

impl Seens {
    /// Adds an absence of this length, of which so much was seen.
    pub(super) fn add(&mut self, charge: Charge, seen: Seen, length: u64) {
        self.inside.add(charge, seen.inside);
        self.beside.add(charge, seen.beside);
        self.outside.add(charge, length.saturating_sub(seen.inside));
    }

    fn only(&self, wanted: fn(Charge) -> bool) -> Self {
        Self {
            inside: only(&self.inside, wanted),
            beside: only(&self.beside, wanted),
            outside: only(&self.outside, wanted),
        }
    }

    fn seen(&self) -> Seen {
        Seen { inside: self.inside.sum(), beside: self.beside.sum() }
    }

    /// What was seen stays as it is; what is missing has the composition of what the windows stand for.
    fn filled_up(&self, whole: u64) -> Tally {
        let inside = self.inside.sum();
        if inside >= whole {
            return self.inside.scaled_to(whole);
        }
        let models = [self.beside, self.inside, self.outside];
        let model = models.into_iter().find(|model| model.sum() > 0).unwrap_or_default();
        joined(&self.inside, &model.scaled_to(whole - inside))
    }
}

/// The whole life with the composition of its watched part: time on a CPU and on a queue as the scheduler counted them,
/// the rest as it was blocked in the windows. `absences`: without time on a CPU.
pub(super) fn extrapolated(absences: &Seens, known: &Known) -> (Tally, Factors) {
    let ending = absences.inside.of(Charge::Ending).min(known.life);
    let life = known.life - ending;
    let (runnable, blocked) = (absences.only(Charge::is_runnable), absences.only(is_blocked));
    let off = |of: fn(&Seens) -> u64| of(&runnable).saturating_add(of(&blocked));
    let computed = Seen {
        inside: known.watched.inside.saturating_sub(off(|seens| seens.inside.sum())),
        beside: known.watched.beside.saturating_sub(off(|seens| seens.beside.sum())),
    };
    let by_windows = portion(computed.sum(), life, known.watched.sum());
    let is_fresh = |scheduled: &u64| known.life >= ASKED || *scheduled >= by_windows / 2;
    let scheduled = known.scheduled.filter(is_fresh);
    let on_cpu = known.on_cpu.or(scheduled).unwrap_or(by_windows).min(life);
    let rest = life - on_cpu;
    let (of_queue, of_blocked) = (runnable.seen().sum(), blocked.seen().sum());
    let in_proportion = portion(of_queue, rest, of_queue.saturating_add(of_blocked));
    let queued = known.queued.filter(|_| scheduled.is_some()).unwrap_or(in_proportion);
    // What was seen since the scheduler was asked, it had not counted. Beside waits, telling of them makes queues longer
    // than the scheduler knows them.
    let since = if of_blocked.saturating_add(blocked.outside.sum()) == 0 { runnable.inside.sum() } else { 0 };
    let queued = queued.max(since).min(rest);
    let mut whole = Tally::default();
    whole.add(Charge::Computing, on_cpu);
    whole.add(Charge::Ending, ending);
    // Nobody saw what it was queued for: as for threads that are polled, it could have gone on.
    let queue = if of_queue == 0 { preempted(queued) } else { runnable.filled_up(queued) };
    whole = joined(&joined(&whole, &queue), &blocked.filled_up(rest - queued));
    let factors = Factors {
        on_cpu: computed.factor(on_cpu),
        runnable: runnable.seen().factor(queued),
        blocked: blocked.seen().factor(rest - queued),
    };
    (whole, factors)
}

fn is_blocked(charge: Charge) -> bool {
    !charge.is_runnable() && charge != Charge::Ending
}

fn only(tally: &Tally, wanted: fn(Charge) -> bool) -> Tally {
    let mut only = Tally::default();
    let leaves = LEAVES.iter().map(|(charge, _, _)| *charge).filter(|charge| wanted(*charge));
    leaves.for_each(|charge| only.add(charge, tally.of(charge)));
    only
}

fn joined(one: &Tally, other: &Tally) -> Tally {
    let mut joined = *one;
    LEAVES.iter().for_each(|(charge, _, _)| joined.add(*charge, other.of(*charge)));
    joined
}

fn preempted(nanos: u64) -> Tally {
    let mut tally = Tally::default();
    tally.add(Charge::Preempted, nanos);
    tally
}
