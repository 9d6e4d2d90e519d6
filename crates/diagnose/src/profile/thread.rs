//! Each thread's life, split so that every nanosecond stands in one leaf.

use model::Nanos;
use model::doctor::Level;
use model::leaf::Charge;
use model::profile::ThreadAccount;
use model::recording::{Recording, Source};

use super::correction::scheduled;
use super::hash::QuickMap;
use super::lives::{Absence, Lives};
use super::places::Entry;
use super::queue::{Cpus, Outside, Rivals};
use super::scene::Scene;
use super::split::nanos_per_weight;
use super::storm::{Factors, Known, Seens, extrapolated};
use super::tally::{Parts, Tally, account, portion, seconds};
use super::words::{Topic, hit_key, hit_words};

/// Parts named in a leaf of one thread.
const PARTS: usize = 6;

/// How one thread spent its life, before user and kernel mode are told apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Time {
    /// Time on a CPU stands at [`Charge::Computing`].
    pub(super) tally: Tally,
    pub(super) slices: Slices,
    pub(super) preempted: Rivals,
    pub(super) woken: Rivals,
    pub(super) factors: Factors,
}

/// What the time between a thread's absences was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slices {
    pub(super) all: u64,
    pub(super) on_cpu: u64,
    /// On a run queue: polls cannot tell this from running.
    pub(super) queued: u64,
    /// Neither: waits that nobody saw.
    pub(super) lost: u64,
}

impl Slices {
    /// A piece of it: on a CPU, queued, lost; exact to the nanosecond.
    pub(super) fn portion(&self, piece: u64) -> (u64, u64, u64) {
        let queued = portion(self.queued, piece, self.all);
        let lost = portion(self.lost, piece, self.all);
        (piece - queued - lost, queued, lost)
    }
}

/// Every thread's time, in the order of the table.
pub(super) fn times(lives: &Lives<'_>, cpus: &Cpus) -> Vec<Time> {
    (0_u32..).zip(&lives.lives).map(|(thread, _)| time(lives, cpus, thread)).collect()
}

fn time(lives: &Lives<'_>, cpus: &Cpus, thread: u32) -> Time {
    let (mut time, mut seens, windows) = (Time::default(), Seens::default(), &lives.windows);
    for absence in lives.absences(thread) {
        let (runnable, blocked) = pieces(absence);
        seens.add(absence.charge, windows.seen(blocked.0, blocked.1), blocked.1 - blocked.0);
        seens.add(Charge::Woken, windows.seen(runnable.0, runnable.1), runnable.1 - runnable.0);
        match absence.charge {
            Charge::Preempted => time.preempted.add(cpus, absence.cpu, blocked.0, blocked.1),
            _ => time.woken.add(cpus, absence.cpu, runnable.0, runnable.1),
        }
    }
    let Some(life) = lives.life(thread) else { return time };
    let known = lives.recording.threads.get(thread as usize);
    let on_cpu = known.and_then(|thread| thread.on_cpu).map(|on_cpu| on_cpu.as_nanos());
    let queued = known.and_then(|thread| thread.queued).map(|queued| queued.as_nanos());
    let scheduled = known.and_then(|thread| scheduled(lives.recording, thread));
    if !windows.always() {
        // Without its end, which is known throughout.
        let watched = windows.seen(life.from, life.to - seens.inside.of(Charge::Ending).min(life.length()));
        let known = Known { life: life.length(), watched, on_cpu, scheduled, queued };
        return in_a_storm(time, &seens, &known);
    }
    time.tally = seens.inside;
    if is_blind(lives.recording) {
        return half_seen(time, life.length(), on_cpu.or_else(|| sampled(lives, thread)));
    }
    if lives.recording.source == Source::Slowpath(Level::D) {
        time = lengthened(time, life.length(), on_cpu);
    }
    closed(time, life.length(), on_cpu.map(|on_cpu| on_cpu.max(scheduled.unwrap_or(0))), queued.unwrap_or(0))
}

/// The runnable and the blocked piece of an absence. What is runnable throughout is its own leaf throughout.
pub(super) fn pieces(absence: &Absence) -> ((u64, u64), (u64, u64)) {
    let woken = if absence.charge.is_runnable() { absence.to } else { absence.woken };
    ((woken, absence.to), (absence.from, woken))
}

/// Between absences a thread is on a CPU; where the exact figure is smaller, the rest is on a queue or lost.
fn closed(mut time: Time, length: u64, on_cpu: Option<u64>, queued: u64) -> Time {
    let all = length - time.tally.sum().min(length);
    let on_cpu = on_cpu.map_or(all, |on_cpu| on_cpu.min(all));
    let known = [Charge::Preempted, Charge::Woken, Charge::Starting];
    let known = known.iter().map(|charge| time.tally.of(*charge)).sum();
    let queued = queued.saturating_sub(known).min(all - on_cpu);
    let lost = all - on_cpu - queued;
    time.slices = Slices { all, on_cpu, queued, lost };
    time.preempted.unknown = time.preempted.unknown.saturating_add(queued);
    time.tally.add(Charge::Computing, on_cpu);
    time.tally.add(Charge::Preempted, queued);
    time.tally.add(Charge::Unaccounted, lost);
    time
}

/// Polls miss short slices; the exact figure takes them back out of the waits.
fn lengthened(mut time: Time, length: u64, on_cpu: Option<u64>) -> Time {
    let off = time.tally.sum();
    let most = length - on_cpu.unwrap_or(0).min(length);
    if off > most {
        time.tally = time.tally.scaled_to(most);
    }
    time
}

fn in_a_storm(mut time: Time, seens: &Seens, known: &Known) -> Time {
    (time.tally, time.factors) = extrapolated(seens, known);
    let all = time.tally.of(Charge::Computing);
    time.slices = Slices { all, on_cpu: all, queued: 0, lost: 0 };
    time
}

/// Another tool's hits without any wait: off the CPU nothing is known.
fn half_seen(mut time: Time, length: u64, on_cpu: Option<u64>) -> Time {
    let on_cpu = on_cpu.unwrap_or(0).min(length);
    time.slices = Slices { all: length, on_cpu, queued: 0, lost: length - on_cpu };
    time.tally.add(Charge::Computing, on_cpu);
    time.tally.add(Charge::Unaccounted, length - on_cpu);
    time
}

fn is_blind(recording: &Recording) -> bool {
    recording.waits.is_empty() && matches!(recording.source, Source::Import(_))
}

/// Time on a CPU by its hits alone.
fn sampled(lives: &Lives<'_>, thread: u32) -> Option<u64> {
    let nanos = nanos_per_weight(lives.recording)?;
    let hits = lives.hits(thread).iter();
    Some((hits.map(|hit| hit.weight as f64).sum::<f64>() * nanos) as u64)
}

/// Of fewer looks nobody can tell in which part of its time a thread has the interpreter's lock: none in nine may be a quarter.
const LOOKS: u32 = 10;

/// The accounts of all threads, those with most time of their own first.
pub(super) fn accounts(scene: &Scene<'_>, idle: &[bool]) -> Vec<ThreadAccount> {
    let mut accounts: Vec<ThreadAccount> = (0_u32..)
        .zip(&scene.times)
        .filter_map(|(thread, time)| thread_account(scene, thread, time, idle))
        .collect();
    let own = |account: &ThreadAccount| {
        let life = account.to.as_nanos() - account.from.as_nanos();
        seconds(life) - account.idle_s
    };
    accounts.sort_by(|one, other| {
        let by_time = own(other).total_cmp(&own(one));
        by_time.then_with(|| (&one.name, one.pid, one.tid).cmp(&(&other.name, other.pid, other.tid)))
    });
    accounts
}

fn thread_account(scene: &Scene<'_>, index: u32, time: &Time, idle: &[bool]) -> Option<ThreadAccount> {
    let (lives, recording) = (scene.lives, scene.lives.recording);
    let (thread, life) = (recording.threads.get(index as usize)?, lives.life(index)?);
    let process = recording.processes.get(thread.process as usize);
    let mut tally = time.tally;
    let user = scene.split.user(index, tally.of(Charge::Computing));
    part_modes(&mut tally, user);
    let is_idle = |absence: &&Absence| idle.get(absence.wait as usize).copied().unwrap_or(false);
    let idle = lives.absences(index).iter().filter(is_idle).map(|absence| {
        let seen = lives.windows.seen(absence.from, absence.from + absence.blocked());
        seen.weighed(time.factors.blocked)
    });
    let idle = idle.fold(0, u64::saturating_add).min(life.length());
    let looked = thread.interpreter_lock.filter(|lock| lock.looked >= LOOKS);
    Some(ThreadAccount {
        process: process.map_or_else(String::new, |process| process.name.clone()),
        pid: process.map_or(thread.tid, |process| process.pid),
        tid: thread.tid,
        name: thread.name.clone(),
        from: Nanos::from_nanos(life.from),
        to: Nanos::from_nanos(life.to),
        account: account("seconds of the thread's life", &tally, &parts(scene, index, time), PARTS),
        idle_s: seconds(idle),
        interpreter_lock: looked.map(|lock| (f64::from(lock.held) / f64::from(lock.looked)).min(1.0)),
    })
}

/// Moves time on a CPU to the mode it was in.
pub(super) fn part_modes(tally: &mut Tally, user: Option<u64>) {
    let computing = tally.take(Charge::Computing);
    match user {
        Some(user) => {
            tally.add(Charge::User, user.min(computing));
            tally.add(Charge::Kernel, computing - user.min(computing));
        }
        None => tally.add(Charge::Computing, computing),
    }
}

fn parts(scene: &Scene<'_>, index: u32, time: &Time) -> Parts {
    let (lives, places, recording) = (scene.lives, scene.places, scene.lives.recording);
    let mut topics: QuickMap<Topic, u64> = QuickMap::default();
    for absence in lives.absences(index).iter().filter(|absence| !absence.charge.is_runnable()) {
        let sum = topics.entry(Topic::of(absence, places)).or_insert(0);
        *sum = sum.saturating_add(lives.blocked(absence));
    }
    let mut hits: QuickMap<(u32, Entry), f64> = QuickMap::default();
    for hit in lives.hits(index) {
        *hits.entry(hit_key(places, hit.stack)).or_insert(0.0) += hit.weight as f64;
    }
    let mut parts = Parts::default();
    // Sorted, because sums of floating-point numbers depend on their order.
    let mut topics: Vec<(Topic, u64)> = topics.into_iter().collect();
    topics.sort_unstable();
    for (topic, nanos) in topics {
        parts.add(topic.charge, topic.words(recording, places), nanos as f64);
    }
    let mut hits: Vec<_> = hits.into_iter().collect();
    hits.sort_unstable_by_key(|(key, _)| *key);
    for ((function, entry), weight) in hits {
        let (charge, what) = hit_words(places, function, entry);
        parts.add(charge, what, weight);
    }
    rival_parts(&mut parts, time.preempted, time.woken, scene.outside);
    parts
}

pub(super) fn rival_parts(parts: &mut Parts, preempted: Rivals, woken: Rivals, outside: Outside) {
    for (charge, rivals, idle) in [(Charge::Preempted, preempted, 0.0), (Charge::Woken, woken, outside.idle)]
    {
        for (what, weight) in rivals.parts(outside, idle) {
            parts.add(charge, what.to_owned(), weight);
        }
    }
}
