//! The recording with nothing left to mistrust: for every thread its life, its absences from the CPU in order and
//! apart, and its hits in order. What did not fit is clipped or left out, and counted.

use std::collections::HashMap;
use std::ops::Range;

use model::leaf::Charge;
use model::recording::{Hit, Recording, Wait, Why};

use super::correction;
use super::places::{Entry, NONE, Places};
use super::queue;
use super::signalled::Signalled;
use super::tally::portion;
use super::voices::Clock;
use super::windows::Windows;

/// Among more threads nobody looks for the one that ran.
const CREW: usize = 64;

/// One span off the CPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Absence {
    pub(super) from: u64,
    pub(super) to: u64,
    /// From here on it waited for a CPU only. Between `from` and `to`.
    pub(super) woken: u64,
    /// Position in [`Recording::waits`].
    pub(super) wait: u32,
    /// As in the recording, [`NONE`] for none. Copied, because a thread's waits lie far apart there.
    pub(super) call: u32,
    pub(super) stack: u32,
    pub(super) by: u32,
    pub(super) holder: u32,
    pub(super) cpu: u32,
    /// A witness saw the wake.
    pub(super) witnessed: bool,
    pub(super) charge: Charge,
    /// Of a wait for Python's own lock: the thread that had it meanwhile, [`NONE`] where that is not known.
    pub(super) interpreter: Option<u32>,
}

/// A moment at which a thread was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) at: u64,
    pub(super) weight: u64,
    /// [`NONE`] for none.
    pub(super) stack: u32,
}

impl Absence {
    /// Time in what it waited for, without the way back to a CPU.
    pub(super) fn blocked(&self) -> u64 {
        if self.charge.is_runnable() { self.to - self.from } else { self.woken - self.from }
    }
}

/// One thread.
#[derive(Clone, Debug)]
pub(super) struct Life {
    pub(super) from: u64,
    pub(super) to: u64,
    /// Time on a CPU as its absences alone tell, before anything was taken from the scheduler.
    pub(super) switched: u64,
    absences: Range<usize>,
    hits: Range<usize>,
}

impl Life {
    pub(super) fn length(&self) -> u64 {
        self.to - self.from
    }
}

/// What could not be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mistrust {
    /// Waits that named no thread, lay outside its life or had no length.
    pub(super) waits_left_out: u64,
    /// Waits that overlapped another of their thread or stuck out of its life.
    pub(super) waits_clipped: u64,
    /// Hits that named no thread.
    pub(super) hits_left_out: u64,
    /// Threads that ended before they began.
    pub(super) threads: u64,
}

pub(super) struct Lives<'a> {
    pub(super) recording: &'a Recording,
    pub(super) lives: Vec<Life>,
    absences: Vec<Absence>,
    /// For each absence, time off the CPU in its thread before it.
    before: Vec<u64>,
    hits: Vec<Seen>,
    pub(super) mistrust: Mistrust,
    /// The last moment of the recording.
    pub(super) end: u64,
    /// The charge of each call.
    pub(super) charges: Vec<Charge>,
    pub(super) windows: Windows,
    pub(super) clock: Clock,
    signalled: Signalled,
}

impl<'a> Lives<'a> {
    pub(super) fn of(recording: &'a Recording, places: &Places<'_>) -> Self {
        let end = end(recording);
        let mut lives = Self {
            recording,
            lives: Vec::with_capacity(recording.threads.len()),
            absences: Vec::new(),
            before: Vec::new(),
            hits: Vec::new(),
            mistrust: Mistrust::default(),
            end,
            charges: charges(recording),
            windows: Windows::of(recording, correction::ended(recording, 0).unwrap_or(end)),
            clock: Clock::of(recording, places),
            signalled: Signalled::of(recording),
        };
        for thread in &recording.threads {
            let from = thread.from.as_nanos();
            let to = thread.to.map_or(end, |to| to.as_nanos());
            lives.mistrust.threads += u64::from(to < from);
            lives.lives.push(Life { from, to: to.max(from), switched: 0, absences: 0..0, hits: 0..0 });
        }
        lives.sort_waits(places);
        lives.sort_hits();
        lives.name_keepers();
        lives
    }

    pub(super) fn life(&self, thread: u32) -> Option<&Life> {
        self.lives.get(thread as usize)
    }

    /// A thread's absences, in order.
    pub(super) fn absences(&self, thread: u32) -> &[Absence] {
        self.life(thread).and_then(|life| self.absences.get(life.absences.clone())).unwrap_or_default()
    }

    /// A thread's hits, in order.
    pub(super) fn hits(&self, thread: u32) -> &[Seen] {
        self.life(thread).and_then(|life| self.hits.get(life.hits.clone())).unwrap_or_default()
    }

    /// Time a thread was on a CPU between two moments, as far as its absences tell.
    pub(super) fn on_cpu_between(&self, thread: u32, low: u64, high: u64) -> u64 {
        let Some(life) = self.life(thread) else { return 0 };
        let (low, high) = (low.max(life.from), high.min(life.to));
        if low >= high {
            return 0;
        }
        let off = |until: u64| {
            let absences = self.absences(thread);
            let index = absences.partition_point(|absence| absence.from < until);
            let Some(last) = index.checked_sub(1) else { return 0 };
            let before = self.before.get(life.absences.start + last).copied().unwrap_or(0);
            before + absences.get(last).map_or(0, |absence| absence.to.min(until) - absence.from)
        };
        (high - low) - (off(high) - off(low))
    }

    fn sort_waits(&mut self, places: &Places<'_>) {
        let (order, starts) =
            by_thread(self.recording.waits.iter().map(|wait| wait.thread), self.recording.threads.len());
        self.mistrust.waits_left_out += (self.recording.waits.len() - order.len()) as u64;
        self.absences.reserve(order.len());
        for thread in 0..self.recording.threads.len() {
            let range =
                starts.get(thread).copied().unwrap_or(0)..starts.get(thread + 1).copied().unwrap_or(0);
            let Some(life) = self.lives.get(thread).cloned() else { continue };
            let start = self.absences.len();
            self.trust(&life, order.get(range).unwrap_or_default(), places);
            self.correct(thread, &life, start);
            let absences = self.absences.get(start..).unwrap_or_default();
            let mut before = 0;
            for absence in absences.iter() {
                self.before.push(before);
                before += absence.to - absence.from;
            }
            let end = self.absences.len();
            if let Some(life) = self.lives.get_mut(thread) {
                life.absences = start..end;
            }
        }
    }

    /// Whoever wakes somebody that wants Python's own lock has had it. Where a time limit ended the wait it was the one other
    /// thread of the process that ran.
    fn name_keepers(&mut self) {
        let process = |thread: u32| self.recording.threads.get(thread as usize).map(|thread| thread.process);
        let mut crews: HashMap<u32, Vec<u32>> = HashMap::new();
        for (index, thread) in (0_u32..).zip(&self.recording.threads) {
            crews.entry(thread.process).or_default().push(index);
        }
        let mut named: Vec<(usize, u32)> = Vec::new();
        for (thread, life) in (0_u32..).zip(&self.lives) {
            for index in life.absences.clone() {
                let wanting = self.absences.get(index).filter(|absence| absence.interpreter.is_some());
                let (Some(absence), Some(own)) = (wanting, process(thread)) else { continue };
                let crew = crews.get(&own).map(Vec::as_slice).unwrap_or_default();
                let by = Some(absence.by).filter(|by| *by != thread && process(*by) == Some(own));
                let keeper = by.or_else(|| self.only_runner(absence, thread, crew));
                named.extend(keeper.map(|keeper| (index, keeper)));
            }
        }
        for (index, keeper) in named {
            if let Some(absence) = self.absences.get_mut(index) {
                absence.interpreter = Some(keeper);
            }
        }
    }

    /// The only one of a small crew that was on a CPU during an absence, as far as that tells.
    fn only_runner(&self, absence: &Absence, thread: u32, crew: &[u32]) -> Option<u32> {
        let others = crew.iter().copied().filter(|other| *other != thread);
        let ran = |other: &u32| self.on_cpu_between(*other, absence.from, absence.woken) > 0;
        let mut running = others.filter(ran).take(2);
        let only = running.next().filter(|_| crew.len() <= CREW)?;
        running.next().is_none().then_some(only)
    }

    /// Brings one thread's absences, those from `start` on, in line with what other witnesses know.
    fn correct(&mut self, thread: usize, life: &Life, start: usize) {
        let Some(known) = self.recording.threads.get(thread) else { return };
        let free_from =
            self.absences.get(start..).and_then(<[Absence]>::last).map_or(life.from, |last| last.to);
        self.absences.extend(correction::ending(self.recording, known, free_from, life.to));
        let absences = self.absences.get_mut(start..).unwrap_or_default();
        let off: u64 = absences.iter().map(|absence| absence.to - absence.from).sum();
        if let Some(life) = self.lives.get_mut(thread) {
            life.switched = life.length() - off;
        }
        let mut queued = known.queued.map(|queued| queued.as_nanos());
        if self.windows.always() {
            let on_cpu = correction::scheduled(self.recording, known);
            correction::lengthen(absences, life.length(), on_cpu.unwrap_or(0));
        } else {
            // The figure is of the whole life, the absences of its watched part.
            let watched = self.windows.watched(life.from, life.to);
            queued = queued.map(|queued| portion(watched, queued, life.length()));
        }
        queue::spread(absences, queued);
    }

    /// What the blocked part of an absence stands for: in a storm, also for others that nobody saw.
    pub(super) fn blocked(&self, absence: &Absence) -> u64 {
        self.windows.length(absence.from, absence.from + absence.blocked())
    }

    /// What the way back to a CPU stands for.
    pub(super) fn queued(&self, absence: &Absence) -> u64 {
        self.windows.length(absence.from + absence.blocked(), absence.to)
    }

    /// Appends one thread's waits, in order, apart and inside its life.
    fn trust(&mut self, life: &Life, waits: &[u32], places: &Places<'_>) {
        let start = self.absences.len();
        for index in waits {
            let Some(wait) = self.recording.waits.get(*index as usize) else { continue };
            let (from, to) = (wait.from.as_nanos(), wait.to.as_nanos());
            let mut charge = charge(wait, &self.charges, places);
            let interpreter = charge == Charge::Lock && self.clock.wants_interpreter(self.recording, wait);
            if charge == Charge::Lock && !interpreter && self.clock.ended(wait) {
                charge = Charge::Sleep;
            }
            if charge == Charge::Sleep && self.signalled.is_for_child(self.recording, wait) {
                charge = Charge::Child;
            }
            let woken = wait.woken.map(|woken| woken.as_nanos());
            let woken = woken.filter(|woken| !self.is_mere_end(wait, charge, *woken));
            self.absences.push(Absence {
                from,
                to,
                woken: woken.unwrap_or(to),
                wait: *index,
                call: wait.call.unwrap_or(NONE),
                stack: wait.stack.unwrap_or(NONE),
                by: wait.by.unwrap_or(NONE),
                holder: wait.holder.unwrap_or(NONE),
                cpu: wait.cpu.unwrap_or(NONE),
                witnessed: woken.is_some(),
                charge,
                interpreter: interpreter.then_some(NONE),
            });
        }
        let added = self.absences.get_mut(start..).unwrap_or_default();
        if !added.is_sorted_by_key(|absence| absence.from) {
            added.sort_by_key(|absence| (absence.from, absence.to, absence.wait));
        }
        let (mut free_from, mut clipped) = (life.from, 0);
        for absence in added.iter_mut() {
            let (from, to) = (absence.from.max(free_from), absence.to.min(life.to));
            clipped += u64::from(from < to && (from, to) != (absence.from, absence.to));
            (absence.from, absence.to) = (from, to);
            absence.woken = absence.woken.clamp(from, to.max(from));
            free_from = free_from.max(to);
        }
        let mut kept = start;
        for index in start..self.absences.len() {
            let Some(absence) = self.absences.get(index).copied() else { break };
            if absence.from < absence.to {
                if let Some(slot) = self.absences.get_mut(kept) {
                    *slot = absence;
                }
                kept += 1;
            }
        }
        self.mistrust.waits_left_out += (self.absences.len() - kept) as u64;
        self.mistrust.waits_clipped += clipped;
        self.absences.truncate(kept);
    }

    /// The end of a child is not the wake of its parent: the kernel tells of the end first and takes it down then.
    fn is_mere_end(&self, wait: &Wait, charge: Charge, woken: u64) -> bool {
        let waker = wait.by.and_then(|by| self.life(by));
        charge == Charge::Child && waker.is_some_and(|waker| waker.to == woken)
    }

    fn sort_hits(&mut self) {
        let hits = &self.recording.hits;
        let (order, starts) = by_thread(hits.iter().map(|hit| hit.thread), self.recording.threads.len());
        self.mistrust.hits_left_out = (hits.len() - order.len()) as u64;
        let seen =
            |hit: &Hit| Seen { at: hit.at.as_nanos(), weight: hit.weight, stack: hit.stack.unwrap_or(NONE) };
        self.hits = order.iter().filter_map(|hit| hits.get(*hit as usize)).map(seen).collect();
        for (thread, life) in self.lives.iter_mut().enumerate() {
            life.hits =
                starts.get(thread).copied().unwrap_or(0)..starts.get(thread + 1).copied().unwrap_or(0);
            let own = self.hits.get_mut(life.hits.clone()).unwrap_or_default();
            if !own.is_sorted_by_key(|hit| hit.at) {
                own.sort_by_key(|hit| hit.at);
            }
        }
    }
}

/// The leaf of a wait.
fn charge(wait: &Wait, charges: &[Charge], places: &Places<'_>) -> Charge {
    match wait.why {
        Why::Preempted => Charge::Preempted,
        Why::Fault => Charge::Fault,
        Why::Stopped => Charge::Stopped,
        Why::NotYetRun => Charge::Starting,
        Why::Call | Why::Unknown => match wait.call.and_then(|call| charges.get(call as usize)) {
            Some(charge) => *charge,
            None => charge_by_stack(wait, places),
        },
    }
}

/// Where nobody named the call, the kernel's part of the stack may.
fn charge_by_stack(wait: &Wait, places: &Places<'_>) -> Charge {
    match places.entry_of(wait.stack.unwrap_or(NONE)) {
        Entry::Call(call) => places
            .calls
            .get(call as usize)
            .map_or(Charge::Unaccounted, |name| model::blocking::charge(name, None)),
        Entry::Fault => Charge::Fault,
        Entry::User | Entry::Interrupt | Entry::Recorder | Entry::Kernel => Charge::Unaccounted,
    }
}

fn charges(recording: &Recording) -> Vec<Charge> {
    let object = |call: &model::recording::Call| recording.objects.get(call.object? as usize);
    recording.calls.iter().map(|call| model::blocking::charge_of(call, object(call))).collect()
}

/// The last moment anything tells of.
fn end(recording: &Recording) -> u64 {
    let wall = recording.wall.iter();
    let threads = recording.threads.iter().flat_map(|thread| std::iter::once(&thread.from).chain(&thread.to));
    let processes = recording.processes.iter().flat_map(|process| &process.to);
    // Waits and hits are in time order, unless they are hostile; then their threads clip them.
    let waits = recording.waits.last().map(|wait| &wait.to);
    let hits = recording.hits.last().map(|hit| &hit.at);
    wall.chain(threads).chain(processes).chain(waits).chain(hits).max().map_or(0, |end| end.as_nanos())
}

/// Positions grouped by thread, each group in its old order, and where each group starts. Those of no thread are left
/// out.
fn by_thread(threads: impl Iterator<Item = u32> + Clone, count: usize) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0_usize; count + 1];
    for thread in threads.clone() {
        if (thread as usize) < count
            && let Some(start) = starts.get_mut(thread as usize + 1)
        {
            *start += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut next = starts.clone();
    let mut order = vec![0_u32; sum];
    for (position, thread) in (0_u32..).zip(threads) {
        if (thread as usize) < count
            && let Some(slot) = next.get_mut(thread as usize)
            && let Some(place) = order.get_mut(*slot)
        {
            *place = position;
            *slot += 1;
        }
    }
    (order, starts)
}
