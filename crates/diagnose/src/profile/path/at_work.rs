//! A service that is watched has no end that everything leads to. While its main thread waits for the next request, the
//! program is what those of its threads do that work on one.

use super::super::lives::Absence;
use super::Walk;
use model::leaf::Charge;

/// Threads asked in all: about a tenth of a second.
pub(super) const PROBES: u64 = 2_000_000;

/// Threads that end so close to the main one ended with it.
const DYING: u64 = 10_000_000;

impl Walk<'_> {
    /// Hands the end of an unexplained wait of the watched program's main thread to the thread that worked last.
    /// `false` when none did.
    pub(super) fn at_work(&mut self, thread: u32, absence: &Absence, low: u64, high: u64) -> bool {
        let waits = matches!(absence.charge, Charge::Network | Charge::Poll | Charge::Lock | Charge::Sleep);
        if !waits || !self.scene.watched || Some(thread) != self.scene.first || self.stretches.len() != 1 {
            return false;
        }
        let Some((worker, from, to)) = self.last_at_work(thread, low, high) else { return false };
        if let Some(top) = self.stretches.last_mut() {
            // What lies before is asked again.
            top.at = from;
        }
        self.covers(absence, to, high);
        self.charge(thread, absence, to, high);
        self.explain(worker, from, to, Some((thread, *absence)));
        true
    }

    /// Of the other threads of the process, the one that was last at work, and from when to when.
    fn last_at_work(&mut self, thread: u32, low: u64, high: u64) -> Option<(u32, u64, u64)> {
        let threads = self.wakers.first_process();
        self.watch_left = self.watch_left.checked_sub(threads.len() as u64)?;
        let is_free = |other: &&u32| **other != thread && self.open.get(**other as usize) == Some(&false);
        let works = threads.iter().filter(is_free).filter_map(|other| {
            let (from, to) = self.worked(*other, low, high)?;
            Some((*other, from, to))
        });
        works.max_by_key(|(other, from, to)| (*to, std::cmp::Reverse(*from), std::cmp::Reverse(*other)))
    }

    /// The last span before `high` in which the thread computed, was ready to, or waited for the disk. One that was
    /// started and ended meanwhile is at work all its life.
    fn worked(&self, thread: u32, low: u64, high: u64) -> Option<(u64, u64)> {
        let lives = self.scene.lives;
        let life = lives.life(thread)?;
        let (low, mut to) = (low.max(life.from), high.min(life.to));
        let end = self.scene.first.and_then(|first| lives.life(first)).map_or(0, |main| main.to);
        if life.from > 0 && life.to.saturating_add(DYING) < end {
            return (low < to).then_some((low, to));
        }
        let absences = lives.absences(thread);
        let begun = absences.partition_point(|absence| absence.from < to);
        for absence in absences.iter().take(begun).rev().filter(|absence| !is_work(absence.charge)) {
            if absence.to < to {
                return (low < to).then_some((low.max(absence.to), to));
            }
            to = to.min(absence.from);
            if to <= low {
                return None;
            }
        }
        (low < to).then_some((low, to))
    }
}

fn is_work(charge: Charge) -> bool {
    charge.is_runnable() || matches!(charge, Charge::DiskRead | Charge::DiskWrite | Charge::Fault)
}
