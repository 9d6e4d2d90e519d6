//! User or kernel: which part of a thread's time on a CPU was in which mode.

use model::doctor::Level;
use model::leaf::Charge;
use model::recording::{Recording, Source, Thread, Weight};

use super::Context;
use super::lives::Lives;
use super::places::{Entry, Places};
use super::tally::Tally;

/// Hits that a thread needs for a split of its own: the 95 % interval of a share of thirty is ±18 points, and
/// threads with fewer are pooled.
const ENOUGH: f64 = 30.0;

/// Fewer witnesses than this tell no mode: when all of ten agree, three others of ten may still be of the other.
const FEW: f64 = 10.0;

/// Part of the time in which hits could come that tells of all of it: of lives of five periods, whose last part is not hit.
const MOST: f64 = 0.8;

/// Seconds between two of the kernel's own looks at who runs in which mode, of the slowest common kernel.
const TICK: f64 = 0.004;

/// Seconds that the kernel takes to leave a page fault, with interrupts held off.
const LEAVING: f64 = 50e-9;

/// Of a second: the unit of the kernel's count.
const HUNDREDTH: f64 = 0.01;

/// What a set of hits tells of the mode.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Modes {
    pub(super) user: f64,
    pub(super) kernel: f64,
    pub(super) hits: f64,
    /// What of `user` hits found in threads that live for a period.
    exposed_user: f64,
    /// Nanoseconds on a CPU that the hits stand for.
    pub(super) on_cpu: f64,
    /// Those of them in which a hit could come: a thread is hit when it has used a whole period, not before.
    exposed: f64,
}

impl Modes {
    pub(super) fn add(&mut self, entry: Entry, weight: u64, is_exposed: bool) {
        self.hits += 1.0;
        match entry {
            Entry::User => {
                self.user += weight as f64;
                self.exposed_user += if is_exposed { weight as f64 } else { 0.0 };
            }
            _ => self.kernel += weight as f64,
        }
    }

    fn join(&mut self, other: &Self) {
        self.user += other.user;
        self.exposed_user += other.exposed_user;
        self.kernel += other.kernel;
        self.hits += other.hits;
        self.on_cpu += other.on_cpu;
        self.exposed += other.exposed;
    }
}

/// How the mode can be told.
#[derive(Clone, Copy, Debug)]
enum Witness {
    /// Hits come in both modes, and kernel frames tell which.
    Frames,
    /// Hits come in user mode only, each standing for so many nanoseconds per weight: the rest is the kernel's.
    Remainder { nanos: f64, period: f64 },
    /// Hits do not tell.
    None,
}

pub(super) struct Split {
    witness: Witness,
    /// Share of user mode for each thread.
    user: Vec<Option<f64>>,
    /// Threads whose mode hits do not tell: they ran out of sight.
    hidden: Vec<bool>,
    /// Share of each thread's time on a CPU in which a hit could come.
    exposed: Vec<f64>,
    /// For threads that nobody saw.
    otherwise: Option<f64>,
    /// The kernel's own count is all there is: it is no witness against itself.
    pub(super) counted_alone: bool,
}

impl Split {
    /// `computing`: each thread's nanoseconds on a CPU.
    pub(super) fn of(lives: &Lives<'_>, places: &Places<'_>, computing: &[u64], context: &Context) -> Self {
        let modes: Vec<Modes> =
            (0_u32..).zip(computing).map(|(thread, nanos)| modes(lives, places, thread, *nanos)).collect();
        let exposed = modes.iter().map(|modes| modes.exposed / modes.on_cpu.max(1.0)).collect();
        let mut all = Modes::default();
        modes.iter().for_each(|modes| all.join(modes));
        let witness = witness(lives.recording, &all);
        let mut few = Modes::default();
        modes.iter().filter(|modes| !witness.suffices(modes)).for_each(|modes| few.join(modes));
        let pool = |pool: &Modes| witness.suffices(pool) && witness.tells_of(pool, pool.on_cpu);
        // Of those that are never hit who is hit tells only where hits come in both modes.
        let everybody = Some(all).filter(|_| matches!(witness, Witness::Frames));
        let pooled = [Some(few), everybody].into_iter().flatten().find(pool);
        let computed = computing.iter().fold(0, |sum: u64, nanos| sum.saturating_add(*nanos));
        let rusage = rusage(context, computed);
        let last_resort = || witness.user(&all).filter(|_| witness.counts(&all) >= FEW);
        let by_polls = matches!(lives.recording.source, Source::Slowpath(Level::D));
        let by_hits = pooled.and_then(|pool| witness.user(&pool));
        let counted_alone = by_polls || by_hits.is_none() && rusage.is_some();
        // What the kernel counted and no thread's own hits tell of is the others'.
        let rest = || {
            let told = modes.iter().filter(|modes| witness.suffices(modes));
            let told: f64 = told.filter_map(|modes| Some(witness.user(modes)? * modes.on_cpu)).sum();
            let user = (rusage? * computed as f64 - told).max(0.0);
            (few.on_cpu > 0.0).then(|| (user / few.on_cpu).min(1.0))
        };
        let otherwise = by_hits.or_else(rest).or(rusage).or_else(last_resort);
        // Polls see a thread running, not in which mode, so the kernel's own count is the better witness there.
        if let (true, Some(rusage)) = (by_polls, rusage) {
            let leaving = leaving(context);
            // Whoever is more in the kernel leaves it more often.
            let less = |user: f64| Some((user - leaving * (1.0 - user) / (1.0 - rusage).max(0.01)).max(0.0));
            let user = lives.recording.threads.iter().map(|thread| less(counted(thread, rusage))).collect();
            let hidden = Vec::new();
            let otherwise = less(rusage);
            return Self { witness: Witness::None, user, hidden, exposed, otherwise, counted_alone };
        }
        let own = |modes: &Modes| if witness.suffices(modes) { witness.user(modes) } else { otherwise };
        let threads = modes.iter().zip(&lives.recording.threads);
        // Who was hidden was not hit, in neither mode.
        let user =
            threads.map(|(modes, thread)| if thread.out_of_sight.is_some() { rusage } else { own(modes) });
        let hidden = lives.recording.threads.iter().map(|thread| thread.out_of_sight.is_some()).collect();
        Self { witness, user: user.collect(), hidden, exposed, otherwise, counted_alone }
    }

    /// Nanoseconds in user mode of a thread that was `nanos` on a CPU. `None` when nothing tells.
    pub(super) fn user(&self, thread: u32, nanos: u64) -> Option<u64> {
        let own = self.user.get(thread as usize).copied().flatten();
        let share = if self.is_hidden(thread) { own? } else { own.or(self.otherwise)? };
        Some(((nanos as f64 * share).round() as u64).min(nanos))
    }

    /// Whether a thread lived so long that a hit was due.
    pub(super) fn is_exposed(&self, thread: u32) -> bool {
        self.exposed.get(thread as usize).is_some_and(|share| *share > 0.0)
    }

    fn is_hidden(&self, thread: u32) -> bool {
        self.hidden.get(thread as usize) == Some(&true)
    }

    /// The same for a stretch through several threads, whose own hits tell more than its threads' averages.
    pub(super) fn user_along(&self, stretch: &Modes, on_cpu: &[u64]) -> Option<u64> {
        // Saturating: in a storm a hostile recording scales threads without bound.
        let sum = on_cpu.iter().fold(0, |sum: u64, nanos| sum.saturating_add(*nanos));
        let exposed = on_cpu.iter().zip(&self.exposed).map(|(nanos, share)| *nanos as f64 * share).sum();
        let stretch = Modes { exposed, ..*stretch };
        let by_thread = (0_u32..).zip(on_cpu).filter(|(_, nanos)| **nanos > 0);
        if self.witness.suffices(&stretch)
            && self.witness.tells_of(&stretch, sum as f64)
            && !by_thread.clone().any(|(thread, _)| self.is_hidden(thread))
            && let Some(share) = self.witness.user(&stretch)
        {
            return Some(((sum as f64 * share).round() as u64).min(sum));
        }
        let mut users = by_thread.map(|(thread, nanos)| self.user(thread, *nanos));
        users.try_fold(0, |sum: u64, user| Some(sum.saturating_add(user?)))
    }

    /// Nanoseconds of an account that hits stand for: those in user mode where no others are seen.
    pub(super) fn stood_for(&self, tally: &Tally) -> u64 {
        match self.witness {
            Witness::Remainder { .. } => tally.of(Charge::User),
            Witness::Frames | Witness::None => {
                let modes = [Charge::User, Charge::Kernel, Charge::Computing];
                modes.iter().map(|charge| tally.of(*charge)).sum()
            }
        }
    }
}

impl Witness {
    fn suffices(self, modes: &Modes) -> bool {
        match self {
            Self::Frames => modes.hits >= ENOUGH,
            Self::Remainder { period, .. } => period > 0.0 && modes.exposed / period >= ENOUGH,
            Self::None => false,
        }
    }

    /// Whether what its hits tell of is most of the time: where most threads end before they are hit, those that are not tell
    /// nothing of them.
    fn tells_of(self, modes: &Modes, on_cpu: f64) -> bool {
        !matches!(self, Self::Remainder { .. }) || modes.exposed >= MOST * on_cpu
    }

    /// Moments at which the mode was seen, or would have been.
    fn counts(self, modes: &Modes) -> f64 {
        match self {
            Self::Frames => modes.hits,
            Self::Remainder { period, .. } if period > 0.0 => modes.exposed / period,
            Self::Remainder { .. } | Self::None => 0.0,
        }
    }

    /// The share of user mode, never outside 0 to 1. `None` without a witness.
    fn user(self, modes: &Modes) -> Option<f64> {
        match self {
            Self::Frames => {
                let sum = modes.user + modes.kernel;
                (sum > 0.0).then(|| modes.user / sum)
            }
            // Sampling error may bring hits above the exact time.
            Self::Remainder { nanos, period } => {
                // Where hardly anybody lives for a period, who does is not like the others.
                let enough = modes.exposed >= ENOUGH * period;
                let (user, time) =
                    if enough { (modes.exposed_user, modes.exposed) } else { (modes.user, modes.on_cpu) };
                (time > 0.0).then(|| (user * nanos / time).clamp(0.0, 1.0))
            }
            Self::None => None,
        }
    }
}

fn modes(lives: &Lives<'_>, places: &Places<'_>, thread: u32, nanos: u64) -> Modes {
    let own = lives.recording.threads.get(thread as usize).and_then(|thread| thread.period);
    let period = own.or(lives.recording.period).map(|period| period.as_nanos()).filter(|period| *period > 0);
    // The clock of a thread runs between its switches; what they took themselves the scheduler knows alone.
    let clocked = lives.life(thread).map_or(nanos, |life| life.switched.min(nanos));
    let exposed = period.map_or(clocked, |period| clocked / period * period) as f64;
    let mut modes = Modes { on_cpu: nanos as f64, exposed, ..Modes::default() };
    for hit in lives.hits(thread) {
        modes.add(places.entry_of(hit.stack), hit.weight, exposed > 0.0);
    }
    modes
}

fn witness(recording: &Recording, all: &Modes) -> Witness {
    if all.hits == 0.0 || matches!(recording.weight, Weight::Bytes | Weight::OffCpuTime) {
        return Witness::None;
    }
    let sees_kernel = matches!(recording.source, Source::Slowpath(Level::B | Level::C));
    if sees_kernel || all.kernel > 0.0 {
        return Witness::Frames;
    }
    let Some(nanos) = nanos_per_weight(recording) else { return Witness::None };
    let period = recording.period.map_or(all.user * nanos / all.hits, |period| period.as_nanos() as f64);
    match recording.source {
        Source::Slowpath(_) => Witness::Remainder { nanos, period },
        // Another tool's hits without kernel frames may have had them cut away.
        Source::Import(_) => Witness::None,
    }
}

/// Nanoseconds that one unit of a hit's weight stands for. `None` when weights are not time.
pub(super) fn nanos_per_weight(recording: &Recording) -> Option<f64> {
    match recording.weight {
        Weight::CpuTime | Weight::WallTime | Weight::OffCpuTime => Some(1.0),
        Weight::Samples => recording.period.map(|period| period.as_nanos() as f64),
        Weight::Bytes | Weight::Other(_) => None,
    }
}

/// The share of user mode that the kernel counted for one thread, where that is surely another than the `usual` one: a
/// thread's is told in hundredths of a second.
fn counted(thread: &Thread, usual: f64) -> f64 {
    let (Some(user), Some(system)) = (thread.user, thread.system) else { return usual };
    let sum = user.as_secs_f64() + system.as_secs_f64();
    let own = user.as_secs_f64() / sum;
    if (own - usual).abs() * sum > 2.0 * HUNDREDTH { own } else { usual }
}

/// Of the threads that computed so long together. Children that nobody waited for are not in it: then it tells little. Nor do a
/// few ticks: the kernel divides the exact sum by them, and calls a program all user mode that none of them met in the kernel.
fn rusage(context: &Context, computed: u64) -> Option<f64> {
    let (user, system) = (context.user?.as_secs_f64(), context.system?.as_secs_f64());
    let sum = user + system;
    (sum >= FEW * TICK && sum * 1e9 >= computed as f64 / 2.0).then(|| user / sum)
}

/// The part of the CPU time that the kernel's ticks call the program's because they fall due while a fault is left.
fn leaving(context: &Context) -> f64 {
    let cpu =
        context.user.unwrap_or_default().as_secs_f64() + context.system.unwrap_or_default().as_secs_f64();
    let left = context.faults.unwrap_or(0) as f64 * LEAVING;
    if cpu > 0.0 { (left / cpu).min(1.0) } else { 0.0 }
}
