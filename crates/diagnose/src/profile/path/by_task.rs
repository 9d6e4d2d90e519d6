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
        let (mut at, mut carrier) = (high, thread);
        for position in self.tasks.positions(main).rev() {
            let Some(stint) = self.tasks.stints.get(position).copied() else { break };
            let (from, to) = (stint.from.max(low), stint.to.min(at));
            if from >= to {
                continue;
            }
            if stint.waits() && stint.lasted {
                self.finish_by(carrier, to, at, None);
                self.wait(thread, position, &stint, from, to);
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
        let Some(main) = self.tasks.main(thread).filter(|_| self.wakers.is_scheduler(absence)) else {
            return false;
        };
        let mut at = high;
        while at > low {
            let found = self.tasks.at(main, at - 1).and_then(|at| Some((at, *self.tasks.stints.get(at)?)));
            let from = found.map_or(low, |(_, stint)| stint.from.max(low));
            match found {
                Some((position, stint)) if stint.waits() => self.wait(thread, position, &stint, from, at),
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
    fn wait(&mut self, thread: u32, position: usize, stint: &Stint, low: u64, high: u64) {
        match stint.goal {
            Goal::Leaf(charge) => {
                self.cover(position, self.length(low, high));
                self.leaf(thread, &stint.absence(), charge, low, high);
            }
            Goal::Others | Goal::Work => {
                let many = self.tasks.others(thread).len().min(ASKED) as u64;
                let budget = (self.probes_left / many.max(1)).max(1);
                let slice = SLICE.max((high - low) / budget);
                let mut at = high;
                while at > low {
                    let from = at.saturating_sub(slice).max(low);
                    self.others(thread, position, stint, from, at);
                    at = from;
                }
            }
        }
    }

    /// Who holds a lock computes, or a peer of the same program does; other waits are their own reason.
    fn leaf(&mut self, thread: u32, absence: &Absence, charge: Charge, low: u64, high: u64) {
        match charge {
            Charge::Lock | Charge::Network => self.by_runner(thread, absence, low, high),
            _ => self.charge(thread, absence, low, high),
        }
    }

    /// What the other tasks did while the main one waited for them.
    fn others(&mut self, thread: u32, position: usize, stint: &Stint, low: u64, high: u64) {
        let (tasks, middle) = (self.tasks, low + (high - low) / 2);
        let all = tasks.others(thread);
        self.probes_left = self.probes_left.saturating_sub(all.len().min(ASKED) as u64);
        // Where there are more than can be asked, every so many-th is.
        let asked = all.iter().step_by(all.len().div_ceil(ASKED).max(1));
        let stints = asked.filter_map(|task| tasks.at(*task, middle));
        let team: Vec<(usize, Stint)> = stints
            .filter_map(|at| Some((at, *tasks.stints.get(at)?)))
            .filter(|(_, stint)| !stint.waits() || matches!(stint.goal, Goal::Leaf(_)))
            .collect();
        let length = self.length(low, high);
        let share = length / (team.len() as u64).max(1);
        for (at, _) in team.iter().filter(|(_, stint)| stint.waits()) {
            self.cover(*at, share);
        }
        if team.is_empty() {
            self.cover(position, length);
        }
        let is_busy = team.iter().any(|(_, stint)| !stint.waits());
        match longest_queue(&team) {
            Some((queue, charge)) if !is_busy => self.leaf(thread, &queue.absence(), charge, low, high),
            queue => {
                let waits = queue.map_or(*stint, |(queue, _)| queue);
                self.by_runner(thread, &waits.absence(), low, high);
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
fn longest_queue(team: &[(usize, Stint)]) -> Option<(Stint, Charge)> {
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
    best.map(|(_, stint)| (*stint, stint.charge()))
}
