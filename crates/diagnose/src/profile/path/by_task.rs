//! The way back through the tasks of a runtime that schedules its own.
//!
//! The main task leads: time in which it runs is its thread's, and what it waits for is the reason of the rest. Where it
//! waits for other tasks, all of those that have something to do or to wait for share the blame in equal parts.

use model::leaf::Charge;
use model::task::Doing;

use super::super::hash::QuickMap;
use super::super::lives::Absence;
use super::super::places::NONE;
use super::super::tasks::{Goal, Stint};
use super::Walk;

/// Other tasks are asked once for so long: as often as they are looked at.
const SLICE: u64 = 10_000_000;

/// Tasks asked for one slice.
const ASKED: usize = 256;

/// Tasks asked in all: about a tenth of a second.
pub(super) const PROBES: u64 = 2_000_000;

/// Threads that explain each other's waits in turn, at most.
const DEPTH: usize = 16;

impl Walk<'_> {
    /// Walks the root's time by its main task, where it has one. `false` when it has none.
    pub(super) fn lead(&mut self, thread: u32, low: u64, high: u64) -> bool {
        let Some(main) = self.tasks.main(thread) else { return false };
        self.cover_all(thread, main, low, high);
        let (mut at, mut carrier) = (high, thread);
        for position in self.tasks.positions(main).rev() {
            let Some(stint) = self.tasks.stints.get(position).copied() else { break };
            let (from, to) = (stint.from.max(low), stint.to.min(at));
            if from >= to {
                continue;
            }
            if stint.waits() && stint.lasted {
                self.finish_by(carrier, to, at, None);
                self.wait(thread, &stint, from, to);
                at = from;
            } else if stint.thread != NONE {
                self.finish_by(carrier, to, at, None);
                carrier = stint.thread;
                self.finish_by(carrier, from, to, None);
                at = from;
            }
        }
        self.finish_by(thread, low, at, None);
        true
    }

    /// Explains a time by one thread, to the end.
    fn finish_by(&mut self, thread: u32, low: u64, high: u64, reason: Option<(u32, Absence)>) {
        if low >= high {
            return;
        }
        let before = self.stretches.len();
        self.depth += 1;
        self.explain(thread, low, high, reason);
        while self.stretches.len() > before && self.step() {}
        self.depth -= 1;
    }

    /// A thread without a task: its time is explained by the main task. `false` when that tells nothing.
    pub(super) fn parked(&mut self, thread: u32, absence: &Absence, low: u64, high: u64) -> bool {
        if !self.tasks.is_parked(thread, absence, self.wakers) {
            return false;
        }
        let Some(main) = self.tasks.main(thread) else { return false };
        let mut at = high;
        while at > low {
            let found = self.tasks.at(main, at - 1).and_then(|at| Some((at, *self.tasks.stints.get(at)?)));
            let from = found.map_or(low, |(_, stint)| stint.from.max(low));
            match found {
                Some((position, stint)) if stint.waits() => {
                    if self.led != Some(main) {
                        self.cover_stint(thread, position, from, at);
                    }
                    self.wait(thread, &stint, from, at);
                }
                Some((_, stint)) if self.is_free(stint.thread) && stint.doing != Doing::Ready => {
                    self.finish_by(stint.thread, from, at, Some((thread, *absence)));
                }
                _ => self.by_runner(thread, absence, from, at),
            }
            at = from;
        }
        true
    }

    fn is_free(&self, thread: u32) -> bool {
        self.open.get(thread as usize) == Some(&false) && self.depth < DEPTH
    }

    /// Explained by whoever computes meanwhile, else its own reason.
    fn by_runner(&mut self, thread: u32, absence: &Absence, low: u64, high: u64) {
        let piece = Absence { from: low, to: high, woken: high, ..*absence };
        let runner = self.wakers.carrier(thread, &piece).filter(|runner| self.is_free(*runner));
        match runner.filter(|_| self.steps_left > 0) {
            Some(runner) => self.finish_by(runner, low, high, Some((thread, *absence))),
            None => self.charge(thread, absence, low, high),
        }
    }

    /// A wait of the main task. `thread`: any of its process.
    fn wait(&mut self, thread: u32, stint: &Stint, low: u64, high: u64) {
        if let Goal::Leaf(_) = stint.goal {
            self.leaf(thread, stint, low, high);
            return;
        }
        for (from, to) in self.slices(thread, low, high) {
            let team = self.team(thread, stint.goal, from, to);
            let mut busy = team.iter().filter(|(_, stint)| !stint.waits());
            let runner = busy.clone().map(|(_, stint)| stint.thread).find(|thread| self.is_free(*thread));
            match (longest_queue(&team), runner.filter(|_| self.steps_left > 0)) {
                (queue, Some(runner)) => {
                    let reason = queue.unwrap_or(*stint).absence();
                    self.finish_by(runner, from, to, Some((thread, reason)));
                }
                (Some(queue), None) if busy.next().is_none() => self.leaf(thread, &queue, from, to),
                (queue, None) => self.by_runner(thread, &queue.unwrap_or(*stint).absence(), from, to),
            }
        }
    }

    /// Who holds a lock computes, or a peer of the same program does; other waits are their own reason.
    fn leaf(&mut self, thread: u32, stint: &Stint, low: u64, high: u64) {
        match stint.charge() {
            Charge::Lock | Charge::Network => self.by_runner(thread, &stint.absence(), low, high),
            _ => self.charge(thread, &stint.absence(), low, high),
        }
    }

    /// Pieces of a time in which other tasks are asked once, the last first.
    fn slices(&self, thread: u32, low: u64, high: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
        let many = self.tasks.others(thread).len().min(ASKED) as u64;
        let budget = (self.probes_left / many.max(1)).max(1);
        let slice = SLICE.max((high - low) / budget);
        let mut at = high;
        std::iter::from_fn(move || {
            let to = at;
            at = to.saturating_sub(slice).max(low);
            (low < to).then_some((at, to))
        })
    }

    /// The other tasks that have something to do, or wait for something but each other, with their positions. Those that
    /// answer requests count only where the main task waits for requests itself.
    fn team(&mut self, thread: u32, goal: Goal, low: u64, high: u64) -> Vec<(usize, Stint)> {
        let (tasks, middle) = (self.tasks, low + (high - low) / 2);
        let all = tasks.others(thread);
        self.probes_left = self.probes_left.saturating_sub(all.len().min(ASKED) as u64);
        // Where there are more than can be asked, every so many-th is.
        let asked = all.iter().step_by(all.len().div_ceil(ASKED).max(1));
        asked
            .filter_map(|task| tasks.at(*task, middle))
            .filter_map(|at| Some((at, *tasks.stints.get(at)?)))
            .filter(|(_, stint)| !stint.waits() || matches!(stint.goal, Goal::Leaf(_)))
            .filter(|(_, stint)| !stint.served || goal == Goal::Work)
            .collect()
    }

    /// Notes what held the program up while its main task waited, as often as that was seen.
    fn cover_all(&mut self, thread: u32, main: u32, low: u64, high: u64) {
        self.led = Some(main);
        for position in self.tasks.positions(main) {
            self.cover_stint(thread, position, low, high);
        }
    }

    /// The same for one wait of it.
    fn cover_stint(&mut self, thread: u32, position: usize, low: u64, high: u64) {
        let Some(stint) = self.tasks.stints.get(position).copied().filter(Stint::waits) else { return };
        let (low, high) = (stint.from.max(low), stint.to.min(high));
        if low >= high {
            return;
        }
        if let Goal::Leaf(_) = stint.goal {
            self.cover(position, self.length(low, high));
            return;
        }
        for (from, to) in self.slices(thread, low, high) {
            let team = self.team(thread, stint.goal, from, to);
            let length = self.length(from, to);
            if team.is_empty() {
                self.cover(position, length);
            }
            let share = length / (team.len() as u64).max(1);
            for (at, _) in team.iter().filter(|(_, stint)| stint.waits()) {
                self.cover(*at, share);
            }
        }
    }

    fn cover(&mut self, position: usize, nanos: u64) {
        if let Some(covered) = self.covered_tasks.get_mut(position) {
            *covered = covered.saturating_add(nanos);
        }
    }
}

/// The wait that most of the tasks share. `None` when none waits.
fn longest_queue(team: &[(usize, Stint)]) -> Option<Stint> {
    let mut queues: QuickMap<u32, usize> = QuickMap::default();
    let waiting = || team.iter().map(|(_, stint)| stint).filter(|stint| stint.waits());
    waiting().for_each(|stint| *queues.entry(stint.stack).or_insert(0) += 1);
    let mut best: Option<(usize, &Stint)> = None;
    for stint in waiting() {
        let length = queues.get(&stint.stack).copied().unwrap_or(0);
        if best.is_none_or(|(most, _)| length > most) {
            best = Some((length, stint));
        }
    }
    best.map(|(_, stint)| *stint)
}
