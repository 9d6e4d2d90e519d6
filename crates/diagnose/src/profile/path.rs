//! The wall-clock view: what the end of the program waited for, walked backwards from its last moment.
//!
//! On a CPU, time belongs to the function that ran. A wait that a thread of the tree ended is explained by what that
//! thread did meanwhile, which may itself be a wait that a third one ended, and so on. Any other wait is its own
//! reason. Each moment of wall time is charged once, so the leaves add up to it exactly.

mod at_work;
mod by_task;

use super::hash::QuickMap;
use super::lives::{Absence, Life, Seen};
use super::places::Entry;
use super::queue::Rivals;
use super::scene::Scene;
use super::split::Modes;
use super::storm::Factors;
use super::tally::{Parts, Tally};
use super::tasks::Tasks;
use super::thread::{part_modes, pieces, rival_parts};
use super::trail::{Collected, Trail};
use super::wakers::Wakers;
use super::weights::Weights;
use super::words::{Topic, hit_key, hit_words};
use model::leaf::Charge;

/// Changes from one thread of the first process to another while going back to its start. There is one when its main
/// thread ends early, none otherwise.
const ROOTS: usize = 64;

/// The critical path of a recording.
pub(super) struct Path {
    /// Adds up to the wall time.
    pub(super) tally: Tally,
    pub(super) parts: Parts,
    /// For every wait, its nanoseconds on the path, whether its own leaf or its waker explains them.
    pub(super) covered: Vec<u64>,
    /// The same for every stint of a task.
    pub(super) covered_tasks: Vec<u64>,
    /// The hits along the path, by stack.
    pub(super) weights: Weights,
    /// Share of wall time that these hits stand for.
    pub(super) sampled: f64,
    pub(super) trail: Trail,
}

pub(super) fn path(scene: &Scene<'_>, wakers: &Wakers<'_>, tasks: &Tasks, wall: u64) -> Path {
    let mut walk = Walk::new(scene, wakers, tasks);
    walk.walk_back(wall);
    walk.finish(wall)
}

/// A thread whose doings between two moments explain something.
#[derive(Clone, Copy)]
struct Stretch {
    thread: u32,
    low: u64,
    /// Everything from here on is explained.
    at: u64,
    /// The wait that this explains: it is its own reason where the thread was not alive.
    reason: Option<(u32, Absence)>,
    /// The chain of waits that this explains, in the trail.
    behalf: u32,
}

struct Walk<'a> {
    scene: &'a Scene<'a>,
    wakers: &'a Wakers<'a>,
    tasks: &'a Tasks,
    open: Vec<bool>,
    /// For each thread how many of its absences and of its hits are not yet passed: time only goes back.
    ahead: Vec<(usize, usize)>,
    stretches: Vec<Stretch>,
    /// A sound recording needs a few steps a wait; a hostile one is cut off.
    steps_left: usize,
    tally: Tally,
    on_cpu: Vec<u64>,
    covered: Vec<u64>,
    covered_tasks: Vec<u64>,
    /// Tasks that may still be asked what they do.
    probes_left: u64,
    /// Threads that may still be asked whether they work.
    watch_left: u64,
    /// The main task that the walk goes by.
    led: Option<u32>,
    /// How many threads explain each other now.
    depth: usize,
    topics: QuickMap<(Topic, u32), u64>,
    hits: QuickMap<(u32, u32, Entry), f64>,
    modes: Modes,
    weights: Weights,
    preempted: Rivals,
    woken: Rivals,
    trail: Collected,
    /// That of the stretch being explained.
    behalf: u32,
}

impl<'a> Walk<'a> {
    fn new(scene: &'a Scene<'a>, wakers: &'a Wakers<'a>, tasks: &'a Tasks) -> Self {
        let recording = scene.lives.recording;
        Self {
            scene,
            wakers,
            tasks,
            open: vec![false; recording.threads.len()],
            ahead: (0_u32..)
                .zip(&recording.threads)
                .map(|(thread, _)| (scene.lives.absences(thread).len(), scene.lives.hits(thread).len()))
                .collect(),
            stretches: Vec::new(),
            steps_left: 16 * (recording.waits.len() + recording.threads.len()) + 1024,
            tally: Tally::default(),
            on_cpu: vec![0; recording.threads.len()],
            covered: vec![0; recording.waits.len()],
            covered_tasks: vec![0; tasks.stints.len()],
            probes_left: by_task::PROBES,
            watch_left: at_work::PROBES,
            led: None,
            depth: 0,
            topics: QuickMap::default(),
            hits: QuickMap::default(),
            modes: Modes::default(),
            weights: Weights::new(recording.nodes.len()),
            preempted: Rivals::default(),
            woken: Rivals::default(),
            trail: Collected::new(),
            behalf: 0,
        }
    }

    /// From the end of the first process back to its start: in its main thread, or where that has ended in the one
    /// that lived on.
    fn walk_back(&mut self, wall: u64) {
        let mut at = wall;
        for _ in 0..ROOTS {
            let Some((thread, low, high)) = self.root(at) else { break };
            self.lose(high, at);
            self.behalf = 0;
            if !self.lead(thread, low, high) {
                self.explain(thread, low, high, None);
                while self.step() {}
            }
            at = low;
        }
        let first = self.scene.first.and_then(|first| self.scene.lives.life(first));
        if first.is_some_and(|life| life.from == at) {
            self.tally.add(Charge::Starting, self.length(0, at));
        } else {
            self.lose(0, at);
        }
    }

    /// The thread of the first process to explain the time before `at` with, and which part of it.
    fn root(&self, at: u64) -> Option<(u32, u64, u64)> {
        let lives = self.scene.lives;
        let main = self.scene.first.and_then(|first| Some((first, lives.life(first)?)));
        let main = main.filter(|(_, life)| life.from < at && life.from < life.to);
        if let Some((first, life)) = main.filter(|(_, life)| life.to >= at) {
            return Some((self.ender(first, at).unwrap_or(first), life.from, at));
        }
        let alive =
            self.wakers.first_process().iter().filter_map(|thread| Some((*thread, lives.life(*thread)?)));
        let alive = alive.filter(|(_, life)| life.from < at && life.from < life.to);
        // Threads that end together ended because the main one did.
        let is_main = |thread: u32| Some(thread) == self.scene.first;
        let last =
            |(thread, life): &(u32, &Life)| (life.to.min(at), is_main(*thread), std::cmp::Reverse(*thread));
        let (thread, life) = alive.max_by_key(last)?;
        // Back to the main thread as soon as it is alive.
        let low = main.filter(|_| !is_main(thread)).map_or(life.from, |(_, main)| life.from.max(main.to));
        Some((thread, low, life.to.min(at)))
    }

    /// Where a runtime moves its tasks between threads any of them may end the process: it is the one that ran last.
    fn ender(&self, main: u32, at: u64) -> Option<u32> {
        let lives = self.scene.lives;
        let waits =
            |thread: u32| lives.absences(thread).last().is_some_and(|last| last.to >= at && last.from < at);
        let last = lives.absences(main).last()?;
        if !waits(main)
            || !self.wakers.is_scheduler(last)
            || lives.hits(main).last().is_some_and(|hit| hit.at > last.from)
        {
            return None;
        }
        let ran = |thread: &u32| lives.hits(*thread).last().map_or(0, |hit| hit.at);
        let others = self.wakers.first_process().iter().copied().filter(|thread| *thread != main);
        let runs =
            others.filter(|thread| lives.life(*thread).is_some_and(|life| life.to >= at) && !waits(*thread));
        runs.max_by_key(ran).filter(|thread| ran(thread) > last.from)
    }

    fn explain(&mut self, thread: u32, low: u64, at: u64, reason: Option<(u32, Absence)>) {
        if let Some(open) = self.open.get_mut(thread as usize) {
            *open = true;
        }
        self.stretches.push(Stretch { thread, low, at, reason, behalf: self.behalf });
    }

    /// Explains one more piece. `false` when nothing is left.
    fn step(&mut self) -> bool {
        let Some(mut top) = self.stretches.pop() else { return false };
        self.behalf = top.behalf;
        let Some(life) = self.scene.lives.life(top.thread).filter(|_| top.low < top.at) else {
            self.close(&top);
            return true;
        };
        self.steps_left = self.steps_left.saturating_sub(1);
        let end = top.at;
        if end > life.to || end <= life.from {
            top.at = if end > life.to { top.low.max(life.to) } else { top.low };
            self.stretches.push(top);
            self.unborn(&top, end);
            return true;
        }
        let last = self.last_absence(top.thread, end);
        let floor = top.low.max(life.from);
        match last {
            Some(absence) if absence.to >= end => {
                top.at = floor.max(absence.from);
                self.stretches.push(top);
                self.absent(top.thread, &absence, top.at, end);
            }
            last => {
                top.at = last.map_or(floor, |absence| floor.max(absence.to));
                self.stretches.push(top);
                self.computed(top.thread, top.at, end);
            }
        }
        true
    }

    /// The last absence that began before `end`.
    fn last_absence(&mut self, thread: u32, end: u64) -> Option<Absence> {
        let absences = self.scene.lives.absences(thread);
        let (ahead, _) = self.ahead.get_mut(thread as usize)?;
        loop {
            let last = absences.get(ahead.checked_sub(1)?)?;
            if last.from < end {
                return Some(*last);
            }
            *ahead -= 1;
        }
    }

    fn close(&mut self, stretch: &Stretch) {
        if let Some(open) = self.open.get_mut(stretch.thread as usize) {
            *open = false;
        }
    }

    /// The thread that should explain this was not alive then.
    fn unborn(&mut self, stretch: &Stretch, end: u64) {
        match stretch.reason {
            Some((thread, absence)) => {
                self.behalf = self.trail.outer(stretch.behalf);
                self.charge(thread, &absence, stretch.at, end);
            }
            None => self.lose(stretch.at, end),
        }
    }

    fn absent(&mut self, thread: u32, absence: &Absence, low: u64, high: u64) {
        let (runnable, blocked) = pieces(absence);
        let (queued, back) = (runnable.0.max(low), runnable.1.min(high));
        if queued < back {
            let nanos = self.weighed(thread, |factors| factors.runnable, queued, back);
            self.tally.add(Charge::Woken, nanos);
            self.woken.add(&self.scene.cpus, absence.cpu, queued, back);
        }
        let (low, high) = (blocked.0.max(low), blocked.1.min(high));
        if low >= high {
            return;
        }
        if absence.charge == Charge::Preempted {
            let nanos = self.weighed(thread, |factors| factors.runnable, low, high);
            self.tally.add(Charge::Preempted, nanos);
            self.preempted.add(&self.scene.cpus, absence.cpu, low, high);
            return;
        }
        if self.parked(thread, absence, low, high) {
            return;
        }
        let is_free = |waker: &u32| self.open.get(*waker as usize) == Some(&false);
        let waker = (self.steps_left > 0).then(|| self.wakers.waker(thread, absence)).flatten();
        let waker = waker.filter(is_free);
        if waker.is_none() && self.steps_left > 0 && self.at_work(thread, absence, low, high) {
            return;
        }
        self.covers(absence, low, high);
        match waker {
            Some(waker) => {
                let process = self.process(thread);
                self.behalf = self.trail.behalf(self.behalf, process, absence.stack);
                self.explain(waker, low, high, Some((thread, *absence)));
            }
            None => self.charge(thread, absence, low, high),
        }
    }

    fn covers(&mut self, absence: &Absence, low: u64, high: u64) {
        let nanos = self.length(low, high);
        if let Some(covered) = self.covered.get_mut(absence.wait as usize) {
            *covered = covered.saturating_add(nanos);
        }
    }

    /// The wait is its own reason.
    fn charge(&mut self, thread: u32, absence: &Absence, low: u64, high: u64) {
        let length = match absence.charge {
            // Known throughout.
            Charge::Ending => high - low,
            Charge::Starting => self.weighed(thread, |factors| factors.runnable, low, high),
            _ => self.weighed(thread, |factors| factors.blocked, low, high),
        };
        self.tally.add(absence.charge, length);
        self.trail.waited(self.behalf, self.process(thread), absence, length);
        let topic = Topic::of(absence, self.scene.places);
        let sum = self.topics.entry((topic, self.scene.labels.id(thread))).or_insert(0);
        *sum = sum.saturating_add(length);
    }

    fn computed(&mut self, thread: u32, low: u64, high: u64) {
        let length = self.weighed(thread, |factors| factors.on_cpu, low, high);
        if let Some(on_cpu) = self.on_cpu.get_mut(thread as usize) {
            *on_cpu = on_cpu.saturating_add(length);
        }
        let (label, process) = (self.scene.labels.id(thread), self.process(thread));
        while let Some(hit) = self.last_hit(thread, low, high) {
            if self.length(hit.at, hit.at.saturating_add(1)) == 0 {
                continue;
            }
            let (function, entry) = hit_key(self.scene.places, hit.stack);
            *self.hits.entry((label, function, entry)).or_insert(0.0) += hit.weight as f64;
            self.modes.add(entry, hit.weight, self.scene.split.is_exposed(thread));
            self.weights.add(hit.stack, hit.weight);
            self.trail.computed(self.behalf, process, hit.stack, hit.weight);
        }
    }

    /// The last hit from `low` on and before `high` that is not yet passed, and passes it.
    fn last_hit(&mut self, thread: u32, low: u64, high: u64) -> Option<Seen> {
        let hits = self.scene.lives.hits(thread);
        let (_, ahead) = self.ahead.get_mut(thread as usize)?;
        loop {
            let last = *hits.get(ahead.checked_sub(1)?)?;
            if last.at < low {
                return None;
            }
            *ahead -= 1;
            if last.at < high {
                return Some(last);
            }
        }
    }

    fn process(&self, thread: u32) -> u32 {
        self.scene.lives.recording.threads.get(thread as usize).map_or(0, |thread| thread.process)
    }

    fn lose(&mut self, low: u64, high: u64) {
        self.tally.add(Charge::Unaccounted, self.length(low, high));
    }

    fn length(&self, low: u64, high: u64) -> u64 {
        self.scene.lives.windows.length(low, high)
    }

    /// In a storm, the length that the scheduler's figures make of it.
    fn weighed(&self, thread: u32, factor: fn(&Factors) -> f64, low: u64, high: u64) -> u64 {
        let windows = &self.scene.lives.windows;
        let time = self.scene.times.get(thread as usize).filter(|_| !windows.always());
        time.map_or_else(
            || self.length(low, high),
            |time| windows.seen(low, high).weighed(factor(&time.factors)),
        )
    }

    fn finish(mut self, wall: u64) -> Path {
        for (on_cpu, time) in self.on_cpu.iter_mut().zip(&self.scene.times) {
            let (computed, queued, lost) = time.slices.portion(*on_cpu);
            *on_cpu = computed;
            self.preempted.unknown = self.preempted.unknown.saturating_add(queued);
            self.tally.add(Charge::Preempted, queued);
            self.tally.add(Charge::Unaccounted, lost);
            self.tally.add(Charge::Computing, computed);
        }
        self.modes.on_cpu = self.tally.of(Charge::Computing) as f64;
        part_modes(&mut self.tally, self.scene.split.user_along(&self.modes, &self.on_cpu));
        let tally = if self.scene.lives.windows.always() { self.tally } else { self.tally.scaled_to(wall) };
        let parts = self.parts();
        let sampled = self.scene.split.stood_for(&tally) as f64 / wall.max(1) as f64;
        Path {
            trail: self.trail.finish(&tally, sampled),
            sampled,
            tally,
            parts,
            covered: self.covered,
            covered_tasks: self.covered_tasks,
            weights: self.weights,
        }
    }

    fn parts(&mut self) -> Parts {
        let (scene, mut parts) = (self.scene, Parts::default());
        // Sorted, because sums of floating-point numbers depend on their order.
        let mut topics: Vec<_> = std::mem::take(&mut self.topics).into_iter().collect();
        topics.sort_unstable();
        for ((topic, label), nanos) in topics {
            let what = topic.words(scene.lives.recording, scene.places);
            parts.add(topic.charge, scene.labels.attach(what, label), nanos as f64);
        }
        let mut hits: Vec<_> = std::mem::take(&mut self.hits).into_iter().collect();
        hits.sort_unstable_by_key(|(key, _)| *key);
        for ((label, function, entry), weight) in hits {
            let (charge, what) = hit_words(scene.places, function, entry);
            parts.add(charge, scene.labels.attach(what, label), weight);
        }
        rival_parts(&mut parts, self.preempted, self.woken, scene.outside);
        parts
    }
}
