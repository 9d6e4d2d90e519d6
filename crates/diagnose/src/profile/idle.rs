//! Waits for work, told from waits that hold up the program.
//!
//! The rule. A thread's waits at one site (the same call from the same stack) are idle when
//! 1. somebody could hand it work there: a condition, a set, a pipe, a socket;
//! 2. it keeps coming back (at least two waits), or one wait lasted until its end: the work never came;
//! 3. most of the time it is blocked, it is blocked there;
//! 4. the program went on meanwhile: at most a tenth of this time lies on the critical path;
//! 5. for locks, it is a condition and not contention: those who wake it do not themselves wait for the same word
//!    (those who share a mutex or a barrier do); where wakers are not seen, or it was woken to die, the names on its stack
//!    must say so.
//!
//! `accept`, or a set with a listening socket, waits for work wherever it lies: nobody has asked for anything yet.

use std::collections::HashMap;

use model::leaf::Charge;
use model::recording::{Object, Recording};

use super::hash::QuickMap;
use super::lives::{Absence, Life, Lives};
use super::places::NONE;
use super::voices::{Voice, Voices};

/// Of the time at a site, the largest part on the critical path.
const CRITICAL: f64 = 0.1;

/// A thread that is killed in its wait takes some ten microseconds to die, more where it waits for a CPU again.
const DYING: u64 = 1_000_000;

/// Time of one thread at one site.
#[derive(Clone, Copy, Default)]
struct Site {
    blocked: u64,
    critical: u64,
    count: u64,
    to_the_end: bool,
}

impl Site {
    fn add(&mut self, blocked: u64, critical: u64, to_the_end: bool) {
        self.blocked = self.blocked.saturating_add(blocked);
        self.critical = self.critical.saturating_add(critical);
        self.count += 1;
        self.to_the_end |= to_the_end;
    }

    fn is_idle(&self, blocked: u64) -> bool {
        let returns = self.count >= 2 || self.to_the_end;
        returns && self.blocked > blocked / 2 && self.critical as f64 <= CRITICAL * self.blocked as f64
    }
}

/// For every wait, whether it was one for work. `covered`: its nanoseconds on the critical path.
pub(super) fn idle(lives: &Lives<'_>, covered: &[u64]) -> Vec<bool> {
    let recording = lives.recording;
    let (names, unasked) = (call_names(recording), unasked(recording));
    let (contended, timed) = (contended(lives), &lives.clock.timed);
    let mut idle = vec![false; recording.waits.len()];
    let mut sites: QuickMap<(u32, u32), Site> = QuickMap::default();
    for (thread, life) in (0_u32..).zip(&lives.lives) {
        sites.clear();
        let mut blocked = 0_u64;
        for absence in lives.absences(thread).iter().filter(|absence| !absence.charge.is_runnable()) {
            let nanos = lives.blocked(absence);
            blocked = blocked.saturating_add(nanos);
            if may_be_handed_work(absence, timed) {
                let critical = covered.get(absence.wait as usize).copied().unwrap_or(0);
                let site = sites.entry(key(absence, &names)).or_default();
                site.add(nanos, critical, is_last(absence, life));
            }
        }
        sites.retain(|_, site| site.is_idle(blocked));
        for absence in lives.absences(thread).iter().filter(|absence| may_be_handed_work(absence, timed)) {
            let waits_for_work = sites.contains_key(&key(absence, &names))
                && (absence.charge != Charge::Lock || is_condition(absence, &contended, &lives.clock.voices));
            let nobody_asked = unasked.get(absence.call as usize) == Some(&true);
            if let Some(idle) = idle.get_mut(absence.wait as usize) {
                *idle = waits_for_work || nobody_asked;
            }
        }
    }
    idle
}

/// Whether the thread ended with this wait: what is woken to die still runs for a moment.
fn is_last(absence: &Absence, life: &Life) -> bool {
    let rest = life.to - absence.to;
    rest <= DYING.min((absence.to - absence.from) / 10)
}

fn may_be_handed_work(absence: &Absence, timed: &[bool]) -> bool {
    match absence.charge {
        Charge::Lock | Charge::Poll | Charge::Pipe | Charge::Network => true,
        // Nobody had work for it in the time that it set itself.
        Charge::Sleep => timed.get(absence.call as usize) == Some(&true),
        _ => false,
    }
}

fn key(absence: &Absence, names: &[u32]) -> (u32, u32) {
    (names.get(absence.call as usize).copied().unwrap_or(NONE), absence.stack)
}

/// The same call on other objects is the same site: sets change their members.
fn call_names(recording: &Recording) -> Vec<u32> {
    let mut known: HashMap<&str, u32> = HashMap::new();
    let numbered = recording.calls.iter().map(|call| {
        let next = u32::try_from(known.len()).unwrap_or(NONE);
        *known.entry(call.name.as_str()).or_insert(next)
    });
    numbered.collect()
}

/// For each lock whose wakers were seen, by its call: whether they mostly wait for it themselves.
fn contended(lives: &Lives<'_>) -> QuickMap<u32, bool> {
    let mut waiters: QuickMap<(u32, u32), ()> = QuickMap::default();
    let mut wakes: QuickMap<(u32, u32), u64> = QuickMap::default();
    for (thread, life) in (0_u32..).zip(&lives.lives) {
        for absence in lives.absences(thread).iter().filter(|absence| absence.charge == Charge::Lock) {
            waiters.insert((absence.call, thread), ());
            // Threads that are killed together are not handed a lock by one another.
            if absence.by != thread && absence.by != NONE && !is_last(absence, life) {
                *wakes.entry((absence.call, absence.by)).or_insert(0) += 1;
            }
        }
    }
    let mut among: QuickMap<u32, (u64, u64)> = QuickMap::default();
    for (wake, count) in wakes {
        let counts = among.entry(wake.0).or_default();
        counts.0 += if waiters.contains_key(&wake) { count } else { 0 };
        counts.1 += count;
    }
    among.into_iter().map(|(call, (own, all))| (call, own * 2 >= all)).collect()
}

fn is_condition(absence: &Absence, contended: &QuickMap<u32, bool>, voices: &Voices) -> bool {
    if absence.holder != NONE {
        return false;
    }
    let Voice { condition, contention, .. } = voices.of_stack(absence.stack);
    match contended.get(&absence.call) {
        Some(true) => false,
        Some(false) => !contention,
        None => condition && !contention,
    }
}

/// The calls that wait for a first request.
fn unasked(recording: &Recording) -> Vec<bool> {
    let listens = |object: Option<&Object>| match object {
        Some(Object::Set { members }) => members.iter().any(|member| member.contains("listen")),
        _ => false,
    };
    let unasked = recording.calls.iter().map(|call| {
        let object = call.object.and_then(|object| recording.objects.get(object as usize));
        matches!(call.name.as_str(), "accept" | "accept4") || listens(object)
    });
    unasked.collect()
}
