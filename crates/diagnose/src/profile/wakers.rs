//! Who ended a wait: the thread of the tree whose work explains it.
//!
//! A witness comes first. Without one (an ordinary user sees no wakers) it is told by what else is known: the child or
//! thread that ended, the lock's holder, the socket's other end, or the only thread that ran when the wait ended.

use std::cell::Cell;

use model::doctor::Level;
use model::leaf::Charge;
use model::recording::{Object, Recording, Source};

use super::lives::{Absence, Lives};

/// Threads looked at for one wait; in larger crowds "the only one that ran" means nothing.
const CROWD: usize = 256;

/// Threads looked at in all: about a tenth of a second.
const PROBES: u64 = 1_000_000;

/// A main thread that ends this long before its process's last one did not just wait for `exit` to be carried out.
const EXIT: u64 = 1_000_000;

/// The longest time from the news of an end to the end itself. With our events to be taken down too, 0.6 s were measured
/// on a loaded machine.
const TAKEN_DOWN: u64 = 1_000_000_000;

/// Polls are 5 ms apart: who ran during a wait of fewer than four is not known.
const POLLS: u64 = 20_000_000;

/// From the end of what was waited for to the wake, about.
const JUST: u64 = 200_000;

/// Who has been on its CPU for longer than this computes, and need not have anything to say to those who wait.
const NEW: u64 = 2_000_000;

/// Functions of Go's scheduler that a thread without a task waits in.
const SCHEDULERS: [&str; 5] =
    ["runtime.mPark", "runtime.stopm", "runtime.findRunnable", "runtime.schedule", "runtime.notesleep"];

/// Frames from the innermost on in which they stand.
const SCHEDULER_FRAMES: usize = 8;

pub(super) struct Wakers<'a> {
    lives: &'a Lives<'a>,
    processes: Vec<Family>,
    everybody: Vec<u32>,
    /// Ends of all threads in order.
    left: Vec<(u64, u32)>,
    probes: Cell<u64>,
}

/// A process and what came of it.
#[derive(Clone, Default)]
struct Family {
    threads: Vec<u32>,
    main: Option<u32>,
    /// Ends of child processes in order.
    ended: Vec<(u64, u32)>,
    /// Starts of child processes in order.
    born: Vec<(u64, u32)>,
    /// Ends of threads in order.
    left: Vec<(u64, u32)>,
}

impl<'a> Wakers<'a> {
    pub(super) fn of(lives: &'a Lives<'a>) -> Self {
        let recording = lives.recording;
        let mut processes = vec![Family::default(); recording.processes.len()];
        for (index, thread) in (0_u32..).zip(&recording.threads) {
            let Some(family) = processes.get_mut(thread.process as usize) else { continue };
            family.threads.push(index);
            family.left.extend(thread.to.map(|to| (to.as_nanos(), index)));
            let pid = recording.processes.get(thread.process as usize).map(|process| process.pid);
            if family.main.is_none() && pid == Some(thread.tid) {
                family.main = Some(index);
            }
        }
        for (index, process) in (0_u32..).zip(&recording.processes) {
            let Some(parent) = process.parent.and_then(|parent| processes.get_mut(parent as usize)) else {
                continue;
            };
            parent.born.push((process.from.as_nanos(), index));
            parent.ended.extend(process.to.map(|to| (to.as_nanos(), index)));
        }
        for family in &mut processes {
            family.main = family.main.or_else(|| {
                let from = |thread: &u32| lives.life(*thread).map_or(u64::MAX, |life| life.from);
                family.threads.iter().copied().min_by_key(|thread| (from(thread), *thread))
            });
            family.born.sort_unstable();
            family.ended.sort_unstable();
            family.left.sort_unstable();
        }
        let everybody = (0_u32..).zip(&recording.threads).map(|(index, _)| index).collect();
        let mut left: Vec<(u64, u32)> = processes.iter().flat_map(|family| family.left.clone()).collect();
        left.sort_unstable();
        Self { lives, processes, everybody, left, probes: Cell::new(PROBES) }
    }

    pub(super) fn recording(&self) -> &Recording {
        self.lives.recording
    }

    /// The main thread of the first process.
    pub(super) fn first(&self) -> Option<u32> {
        let main = self.processes.first().and_then(|family| family.main);
        main.or_else(|| self.everybody.first().copied())
    }

    /// The threads of the first process.
    pub(super) fn first_process(&self) -> &[u32] {
        self.processes.first().map_or(&self.everybody, |family| &family.threads)
    }

    /// The thread whose work between `absence.from` and its wake explains the wait. `None`: only its leaf does.
    pub(super) fn waker(&self, thread: u32, absence: &Absence) -> Option<u32> {
        if self.is_scheduler(absence) {
            return self.carrier(thread, absence);
        }
        let by = Some(absence.by).filter(|by| *by != thread && self.lives.life(*by).is_some());
        let object = self.object(absence);
        let found = match absence.charge {
            Charge::Child => by.or_else(|| self.child(thread, absence)),
            // Of threads that end together polls do not tell which was waited for; the word of the lock does.
            Charge::Lock if self.is_polled() => {
                self.noted(thread, absence).or(by).or_else(|| self.holder(thread, absence))
            }
            Charge::Lock => by.or_else(|| self.holder(thread, absence)),
            Charge::Pipe => by.or_else(|| self.other_end(thread, absence)),
            Charge::Network => self.peer(thread, absence, by, object),
            Charge::Poll => match object {
                // A packet's interrupt lands on whoever is running; that is not the one who sent it.
                Some(Object::Set { members }) if members.iter().any(|member| is_remote(member)) => {
                    by.filter(|_| !members.iter().all(|member| is_remote(member)))
                }
                Some(Object::Set { members }) if members.is_empty() => by,
                None => by,
                Some(_) => by.or_else(|| self.only_runner(absence, thread, &self.everybody)),
            },
            _ => None,
        };
        found.filter(|found| *found != thread)
    }

    /// A runtime that moves its own tasks between threads parked this one: its work, if any, went on elsewhere.
    pub(super) fn is_scheduler(&self, absence: &Absence) -> bool {
        let recording = self.lives.recording;
        let mut next = Some(absence.stack);
        for _ in 0..SCHEDULER_FRAMES {
            let Some(node) = next.and_then(|stack| recording.nodes.get(stack as usize)) else { return false };
            let frame = recording.frames.get(node.frame as usize);
            let name = frame.and_then(|frame| frame.function.as_deref()).unwrap_or_default();
            if SCHEDULERS.contains(&name) {
                return true;
            }
            next = node.parent;
        }
        false
    }

    /// The thread of the same process that computed most meanwhile, if one did.
    pub(super) fn carrier(&self, thread: u32, absence: &Absence) -> Option<u32> {
        let length = absence.to.saturating_sub(absence.from);
        let others = self.family(thread)?.threads.iter().copied().filter(|other| *other != thread);
        let computed = others
            .take(CROWD)
            .map(|other| (self.lives.on_cpu_between(other, absence.from, absence.to), other));
        let (most, other) = computed.max_by_key(|(nanos, other)| (*nanos, std::cmp::Reverse(*other)))?;
        (most >= length / 5).then_some(other)
    }

    fn object(&self, absence: &Absence) -> Option<&'a Object> {
        let call = self.lives.recording.calls.get(absence.call as usize)?;
        self.lives.recording.objects.get(call.object? as usize)
    }

    fn family(&self, thread: u32) -> Option<&Family> {
        let thread = self.lives.recording.threads.get(thread as usize)?;
        self.processes.get(thread.process as usize)
    }

    /// The child that ended last during the wait; where none did (`vfork`), the one that began last before its end.
    fn child(&self, thread: u32, absence: &Absence) -> Option<u32> {
        let recording = self.lives.recording;
        let family = self.family(thread)?;
        let asked = match self.object(absence) {
            Some(Object::Child { pid }) => *pid,
            _ => None,
        };
        let is_asked = |process: &u32| {
            let pid = recording.processes.get(*process as usize).map(|process| process.pid);
            asked.is_none() || asked == pid
        };
        let name = recording.calls.get(absence.call as usize).map(|call| call.name.as_str());
        let found = if matches!(name, Some("vfork" | "clone" | "clone3" | "fork")) {
            let end = family.born.partition_point(|(at, _)| *at <= absence.to);
            family.born.get(..end)?.last().map(|(_, process)| *process)
        } else {
            let start = family.ended.partition_point(|(at, _)| *at <= absence.from);
            // Polls find the end of a child somewhat later or sooner than that of the wait for it.
            let late = if self.is_polled() { POLLS } else { 0 };
            let end = family.ended.partition_point(|(at, _)| *at <= absence.to.saturating_add(late));
            let ended = family.ended.get(start..end)?.iter().rev();
            let ended = ended.map(|(_, process)| *process).take(CROWD).find(is_asked);
            let ended = ended.or_else(|| self.alive(family, absence, thread, &is_asked));
            // In a storm a wait is seen in pieces: what ends the last of them ends all.
            let cut = !self.lives.windows.always();
            let later =
                || family.ended.get(end..)?.iter().map(|(_, process)| *process).take(CROWD).find(is_asked);
            ended.or_else(|| later().filter(|_| cut))
        };
        self.last_of(found?)
    }

    /// Where no child ended in a wait for one, because we left before or the waiting process was ended: of those that lived on, the
    /// one that computed most.
    fn alive(
        &self,
        family: &Family,
        absence: &Absence,
        thread: u32,
        is_asked: &dyn Fn(&u32) -> bool,
    ) -> Option<u32> {
        if !self.lives.windows.always() {
            return None;
        }
        let processes = &self.lives.recording.processes;
        let lives_on = |process: &u32| {
            let to = processes.get(*process as usize).and_then(|process| process.to);
            to.is_none_or(|to| to.as_nanos() >= absence.to)
        };
        let born = family.born.partition_point(|(at, _)| *at < absence.to);
        let born = family.born.get(..born)?.iter().rev().map(|(_, process)| *process).take(CROWD);
        let ran = |process: &u32| {
            let threads = self.processes.get(*process as usize).map(|family| &family.threads);
            let threads = threads.into_iter().flatten().filter(|of| **of != thread).take(CROWD);
            threads.map(|of| self.lives.on_cpu_between(*of, absence.from, absence.to)).sum::<u64>()
        };
        born.filter(is_asked)
            .filter(lives_on)
            .max_by_key(|process| (ran(process), std::cmp::Reverse(*process)))
    }

    /// The thread that a process's end depended on.
    fn last_of(&self, process: u32) -> Option<u32> {
        let family = self.processes.get(process as usize)?;
        let to = |thread: u32| self.lives.life(thread).map_or(0, |life| life.to);
        let last = family.left.last().map(|(_, thread)| *thread);
        match (family.main, last) {
            (Some(main), Some(last)) if to(main).saturating_add(EXIT) < to(last) => Some(last),
            (main, last) => main.or(last),
        }
    }

    /// Who a look found in the word of the lock.
    fn noted(&self, thread: u32, absence: &Absence) -> Option<u32> {
        Some(absence.holder).filter(|holder| *holder != thread && self.lives.life(*holder).is_some())
    }

    fn holder(&self, thread: u32, absence: &Absence) -> Option<u32> {
        let holder = self.noted(thread, absence);
        if holder.is_some() || self.saw_nobody(absence) {
            // A witness that saw the wake and no thread of ours saw an end from outside: a time limit, a signal.
            return holder;
        }
        let family = self.family(thread)?;
        Self::joined(family, absence)
            .filter(|joined| *joined != thread)
            .or_else(|| self.only_runner(absence, thread, &family.threads))
            .or_else(|| self.newcomer(absence, thread, &family.threads))
    }

    /// Of several threads that were on a CPU just before the wake, the one that had come there last: who tells others that
    /// something is done has mostly waited for it itself, while those that only compute have been there for long.
    fn newcomer(&self, absence: &Absence, thread: u32, among: &[u32]) -> Option<u32> {
        if self.is_polled() || self.saw_nobody(absence) || !self.afford(among) {
            return None;
        }
        let from = absence.woken.saturating_sub(JUST).max(absence.from);
        let ran = |of: &u32| *of != thread && self.lives.on_cpu_between(*of, from, absence.woken) > 0;
        let came = |of: u32| {
            let absences = self.lives.absences(of);
            let before = absences.partition_point(|one| one.to <= absence.woken);
            let last = absences.get(..before).and_then(<[_]>::last).map(|one| one.to);
            last.or_else(|| self.lives.life(of).map(|life| life.from)).unwrap_or(0)
        };
        let running = among.iter().copied().filter(ran).map(|of| (came(of), of));
        let newest = running.max_by_key(|(came, of)| (*came, std::cmp::Reverse(*of)));
        newest.filter(|(came, _)| absence.woken - came <= NEW).map(|(_, of)| of)
    }

    /// The thread that ended last during the wait, if that was close to the wait's own end.
    fn joined(family: &Family, absence: &Absence) -> Option<u32> {
        let ended = family.left.partition_point(|(at, _)| *at <= absence.to);
        let (at, thread) = family.left.get(..ended)?.last()?;
        let near = ((absence.to - absence.from) / 10).max(EXIT);
        (*at > absence.from && absence.to - at <= near).then_some(*thread)
    }

    fn peer(&self, thread: u32, absence: &Absence, by: Option<u32>, object: Option<&Object>) -> Option<u32> {
        let Some(Object::Socket { family, peer, local_peer, .. }) = object else { return by };
        let process_of = |thread: u32| self.lives.recording.threads.get(thread as usize).map(|of| of.process);
        if let Some(local) = local_peer {
            let is_peer = |by: &u32| process_of(*by) == Some(*local);
            return by.filter(is_peer).or_else(|| self.busiest(*local, thread, absence)).or(by);
        }
        match peer {
            Some(peer) if family != "unix" && !is_loopback(peer) => None,
            None if family == "unix" => by.or_else(|| self.only_runner(absence, thread, &self.everybody)),
            _ => by,
        }
    }

    /// Who was at the other end of a pipe. It also ends with its last writer, which closes it while it is taken down,
    /// when nobody sees it run: where nobody was seen, it is the one that ended last.
    fn other_end(&self, thread: u32, absence: &Absence) -> Option<u32> {
        if self.saw_nobody(absence) || !self.afford(&self.everybody) {
            return None;
        }
        match self.runners(absence, thread, &self.everybody) {
            (None, _) => self.gone_writer(thread, absence),
            (only, false) => only,
            (_, true) => None,
        }
    }

    fn gone_writer(&self, thread: u32, absence: &Absence) -> Option<u32> {
        let process_of = |thread: u32| self.lives.recording.threads.get(thread as usize).map(|of| of.process);
        let before = self.left.partition_point(|(at, _)| *at <= absence.woken);
        let ended = self.left.get(..before)?.iter().rev().take(CROWD);
        let is_near = |at: u64| absence.woken - at <= ((absence.woken - absence.from) / 10).max(TAKEN_DOWN);
        let mut ended = ended.take_while(|(at, _)| *at > absence.from && is_near(*at));
        ended.find(|(_, of)| process_of(*of) != process_of(thread)).map(|(_, of)| *of)
    }

    /// The thread of a process that ran most during the wait. One that is alone need not have run: it was queued, say.
    fn busiest(&self, process: u32, thread: u32, absence: &Absence) -> Option<u32> {
        let threads = self.processes.get(process as usize)?.threads.get(..).filter(|all| self.afford(all))?;
        let ran = |of: u32| self.lives.on_cpu_between(of, absence.from, absence.woken);
        let busiest =
            threads.iter().filter(|of| **of != thread).map(|of| (ran(*of), std::cmp::Reverse(*of))).max()?;
        (busiest.0 > 0 || threads.len() == 1).then_some(busiest.1.0)
    }

    /// The only other thread that was on a CPU just before the wake. `None` when a witness saw the wake.
    fn only_runner(&self, absence: &Absence, thread: u32, among: &[u32]) -> Option<u32> {
        if self.saw_nobody(absence) || !self.afford(among) {
            return None;
        }
        let (only, more) = self.runners(absence, thread, among);
        only.filter(|_| !more)
    }

    /// The first of the threads that were on a CPU just before the wake, and whether there are, or may be, more.
    fn runners(&self, absence: &Absence, thread: u32, among: &[u32]) -> (Option<u32>, bool) {
        // The wake is known to within the time on the run queue, so a moment before it is looked at too.
        let length = absence.woken - absence.from;
        let moment = (length / 20).clamp(50_000, 5_000_000).min(length);
        if self.is_polled() && length < POLLS {
            return (None, true);
        }
        let ran_within = |moment: u64| {
            let from = absence.woken - moment;
            let ran = |of: &&u32| **of != thread && self.lives.on_cpu_between(**of, from, absence.woken) > 0;
            let mut running = among.iter().filter(ran);
            (running.next().copied(), running.next().is_some())
        };
        match ran_within(moment) {
            // Polls do not tell when between two looks somebody ran.
            (None, _) if self.is_polled() => ran_within(length),
            ran => ran,
        }
    }

    /// A witness saw the wake and no thread of ours. Of polls the scheduler tells when a wait ended, not by whom.
    fn saw_nobody(&self, absence: &Absence) -> bool {
        absence.witnessed && !self.is_polled()
    }

    fn is_polled(&self) -> bool {
        matches!(self.lives.recording.source, Source::Slowpath(Level::D))
    }

    fn afford(&self, threads: &[u32]) -> bool {
        let left = self.probes.get();
        self.probes.set(left.saturating_sub(threads.len() as u64));
        threads.len() <= CROWD && left > 0
    }
}

/// Whether a member of a set is a peer on another machine, as far as its text tells: `10.0.0.1:5432`, `[2001:db8::1]:80`.
fn is_remote(member: &str) -> bool {
    let address = member.starts_with(|first: char| first.is_ascii_digit()) || member.starts_with('[');
    address && member.contains(':') && !is_loopback(member)
}

fn is_loopback(peer: &str) -> bool {
    ["127.", "[::1]", "::1", "localhost", "[::ffff:127."].iter().any(|prefix| peer.starts_with(prefix))
}
