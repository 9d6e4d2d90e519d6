//! What the hits of a storm stand for, where threads are hit in windows only.
//!
//! The scheduler counts how long each thread was on a CPU, in windows and between them. Telling a switch makes it longer, and
//! the clock of a thread that switches often falls due at the wrong moments: so in which mode a thread was, the kernel's
//! ticks tell, as they do for all time, and where it was in each, the hits.

use std::collections::HashMap;

use model::Nanos;

use super::assemble::Assembler;
use super::poll::Stat;
use crate::clock::monotonic;
use crate::process::SchedStat;

/// CPU time from which on its ticks tell the mode: thirty of them, 250 a second.
const TICKS: u64 = 120_000_000;

/// Of more threads the scheduler is not asked: a window stands for the time beside it, then.
const MOST: usize = 64;

/// By thread; with [`ALL`], the time of day.
type Asked = HashMap<u32, Used>;

const ALL: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Sampled {
    threads: HashMap<u32, Counted>,
    modes: HashMap<u32, Modes>,
    /// Where the hits of all windows begin, and those of the present or last one. `None` before the first one.
    first: usize,
    hits: Option<usize>,
}

/// What the scheduler has counted of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Used {
    on_cpu: u64,
    slices: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    /// When last asked: at the beginning or the end of a window.
    last: Used,
    /// On a CPU in the present or last window.
    inside: u64,
    /// The same with what lies beside it.
    stands_for: u64,
}

/// User and kernel mode by the kernel's ticks, in the beginning and when last asked.
#[derive(Clone, Copy, Debug)]
struct Modes {
    before: (u64, u64),
    last: (u64, u64),
}

impl Sampled {
    /// Threads are hit in windows only from now on.
    pub(super) fn begin(assembler: &Assembler) -> Self {
        let counted = |last| Counted { last, ..Counted::default() };
        let threads = asked(assembler).into_iter().map(|(thread, last)| (thread, counted(last)));
        let modes = modes(assembler).map(|(thread, now)| (thread, Modes { before: now, last: now }));
        let (threads, modes) = (threads.collect(), modes.collect());
        Self { threads, modes, first: assembler.hits.len(), hits: None }
    }

    /// A window begins. What lies before it is shared with the last one.
    pub(super) fn open(&mut self, assembler: &mut Assembler) {
        let now = asked(assembler);
        let mut next = HashMap::new();
        for (thread, now) in &now {
            let counted = self.threads.entry(*thread).or_default();
            let gap = now.on_cpu.saturating_sub(counted.last.on_cpu);
            let given = if counted.inside > 0 { gap / 2 } else { 0 };
            counted.stands_for = counted.stands_for.saturating_add(given);
            next.insert(*thread, Counted { last: *now, inside: 0, stands_for: gap - given });
        }
        self.settle(assembler, &now);
        (self.threads, self.hits) = (next, Some(assembler.hits.len()));
    }

    /// A window ends. Its hits may still be on their way.
    pub(super) fn close(&mut self, assembler: &Assembler) {
        for (thread, now) in asked(assembler) {
            let Some(counted) = self.threads.get_mut(&thread) else { continue };
            counted.inside = now.on_cpu.saturating_sub(counted.last.on_cpu);
            counted.stands_for = counted.stands_for.saturating_add(counted.inside);
            counted.last = now;
        }
        for (thread, now) in modes(assembler) {
            let born = Modes { before: (0, 0), last: (0, 0) };
            self.modes.entry(thread).or_insert(born).last = now;
        }
    }

    /// How often all threads together came to a CPU, each nanosecond, since the last window ended.
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    pub(super) fn switches(&self, assembler: &Assembler) -> f64 {
        let (mut slices, mut time) = (0, 0);
        for (thread, now) in asked(assembler) {
            let last = self.threads.get(&thread).map_or_else(Used::default, |counted| counted.last);
            slices += now.slices.saturating_sub(last.slices);
            if thread == ALL {
                time = now.on_cpu.saturating_sub(last.on_cpu);
            }
        }
        slices as f64 / time.max(1) as f64
    }

    /// Threads are always hit again, or the recording is over.
    pub(super) fn end(mut self, assembler: &mut Assembler) {
        let now = asked(assembler);
        for (thread, now) in &now {
            if let Some(counted) = self.threads.get_mut(thread) {
                let gap = now.on_cpu.saturating_sub(counted.last.on_cpu);
                counted.stands_for = counted.stands_for.saturating_add(gap);
            }
        }
        self.settle(assembler, &now);
        let sums = sums(assembler, self.first);
        let factors = self.modes.iter().filter_map(|(thread, modes)| {
            let (own, kernel) = sums.get(thread)?;
            Some((*thread, modes.factors(*own, *kernel, assembler.sees_kernel)?))
        });
        multiply(assembler, self.first, &factors.collect());
    }

    /// Multiplies the hits of the last window. Who is gone by `now` gets what the scheduler last told of him.
    fn settle(&mut self, assembler: &mut Assembler, now: &Asked) {
        let Some(first) = self.hits else { return };
        for (thread, counted) in self.threads.iter_mut().filter(|(thread, _)| !now.contains_key(thread)) {
            let told = assembler.thread(*thread).and_then(|thread| thread.scheduler);
            let since = told.map_or(0, |(on_cpu, _)| on_cpu.saturating_sub(counted.last.on_cpu));
            counted.stands_for = counted.stands_for.saturating_add(since);
            if counted.inside == 0 {
                counted.inside = since;
            }
        }
        let all = self.threads.get(&ALL).copied().unwrap_or_default();
        let factor = |thread: &u32, hits: u64| self.threads.get(thread).unwrap_or(&all).factor(hits);
        let factors = sums(assembler, first).into_iter().map(|(thread, (own, kernel))| {
            let factor = factor(&thread, own.saturating_add(kernel));
            (thread, (factor, factor))
        });
        multiply(assembler, first, &factors.collect());
    }
}

impl Counted {
    /// What hits must be multiplied with that stand for so much by themselves: of a thread that runs the scheduler tells
    /// late, so that it may have been in the window for longer.
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds of one run")]
    fn factor(&self, hits: u64) -> f64 {
        let inside = self.inside.max(hits);
        if self.inside == 0 { 1.0 } else { (self.stands_for as f64 / inside as f64).max(1.0) }
    }
}

impl Modes {
    /// What hits, so much of them in user mode and so much in the kernel, must be multiplied with to be what the ticks tell.
    /// `None` when these are few, or there is nothing to multiply.
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds of one run")]
    fn factors(&self, own: u64, kernel: u64, sees_kernel: bool) -> Option<(f64, f64)> {
        let user = self.last.0.saturating_sub(self.before.0);
        let ticked = user + self.last.1.saturating_sub(self.before.1);
        let share = user as f64 / ticked.max(1) as f64;
        let whole = if sees_kernel { own.saturating_add(kernel) } else { ticked } as f64;
        let of = |part: f64, hits: u64| if hits == 0 { 1.0 } else { whole * part / hits as f64 };
        (ticked >= TICKS && own > 0).then(|| (of(share, own), of(1.0 - share, kernel)))
    }
}

/// The weight of each thread's hits from `first` on, in user mode and in the kernel.
fn sums(assembler: &Assembler, first: usize) -> HashMap<u32, (u64, u64)> {
    let mut sums: HashMap<u32, (u64, u64)> = HashMap::new();
    for hit in assembler.hits.get(first..).unwrap_or_default() {
        let (own, kernel) = sums.entry(hit.thread).or_default();
        *(if hit.kernel { kernel } else { own }) += hit.weight;
    }
    sums
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "nanoseconds of one run, times a positive number"
)]
fn multiply(assembler: &mut Assembler, first: usize, factors: &HashMap<u32, (f64, f64)>) {
    for hit in assembler.hits.get_mut(first..).unwrap_or_default() {
        let (own, kernel) = factors.get(&hit.thread).copied().unwrap_or((1.0, 1.0));
        hit.weight = (hit.weight as f64 * if hit.kernel { kernel } else { own }).round() as u64;
    }
}

/// What the scheduler tells of the living now.
fn asked(assembler: &Assembler) -> Asked {
    let of = |thread: u32, pid: u32, tid: u32| {
        let seen = SchedStat::of_thread(pid, tid)?;
        Some((thread, Used { on_cpu: seen.on_cpu.as_nanos(), slices: seen.slices }))
    };
    let all = (ALL, Used { on_cpu: monotonic(), slices: 0 });
    few(assembler).filter_map(|(thread, pid, tid)| of(thread, pid, tid)).chain([all]).collect()
}

/// User and kernel mode of the living by the kernel's ticks.
fn modes(assembler: &Assembler) -> impl Iterator<Item = (u32, (u64, u64))> {
    let of = |stat: Stat| (stat.user, stat.system);
    let nanos = |(user, system): (Nanos, Nanos)| (user.as_nanos(), system.as_nanos());
    few(assembler).filter_map(move |(thread, pid, tid)| Some((thread, nanos(of(Stat::of(pid, tid)?)))))
}

/// The living with their numbers; none when they are too many.
fn few(assembler: &Assembler) -> impl Iterator<Item = (u32, u32, u32)> {
    let living = Some(assembler.living()).filter(|living| living.len() <= MOST).unwrap_or_default();
    let numbers = |thread: u32| Some((thread, assembler.pid_of(thread)?, assembler.thread(thread)?.tid));
    living.into_iter().filter_map(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_stands_for_what_lies_beside_it_and_never_for_less_than_itself() {
        let factor =
            |inside, stands_for, hits| Counted { last: Used::default(), inside, stands_for }.factor(hits);
        assert!((factor(10, 250, 8) - 25.0).abs() < 1e-9);
        assert!((factor(10, 5, 8) - 1.0).abs() < 1e-9);
        assert!((factor(0, 250, 8) - 1.0).abs() < 1e-9);
        // The scheduler has told of a tenth so far.
        assert!((factor(1, 250, 10) - 25.0).abs() < 1e-9);
    }

    #[track_caller]
    fn check(ticks: (u64, u64), hits: (u64, u64), sees_kernel: bool, expected: Option<(f64, f64)>) {
        let modes = Modes { before: (7, 9), last: (ticks.0 + 7, ticks.1 + 9) };
        let found = modes.factors(hits.0, hits.1, sees_kernel);
        let close = |one: (f64, f64), other: (f64, f64)| {
            (one.0 - other.0).abs() < 1e-6 && (one.1 - other.1).abs() < 1e-6
        };
        assert!(found.zip(expected).map_or(found == expected, |(one, other)| close(one, other)), "{found:?}");
    }

    #[test]
    fn ticks_tell_the_mode_and_hits_the_rest() {
        const MS: u64 = 1_000_000;
        check((700 * MS, 300 * MS), (500 * MS, 500 * MS), true, Some((1.4, 0.6)));
        // Nobody is hit in the kernel.
        check((700 * MS, 300 * MS), (1400 * MS, 0), false, Some((0.5, 1.0)));
        // Few ticks tell nothing, and nothing is made of nothing.
        check((70 * MS, 30 * MS), (50 * MS, 50 * MS), true, None);
        check((700 * MS, 300 * MS), (0, 5), true, None);
    }
}
