//! Looking at the target through /proc while it runs: who waits where, which program, what the scheduler says.

use std::collections::HashMap;

use model::recording::Why;

use super::assemble::Assembler;
use super::decode::Caught;
use super::limit;
use super::memory::{lock_holder, read_memory};
use super::objects::PRESENT;
use super::poll::{Place, Stat};
use super::subject::{Subject, subject};
use super::thread::{InCall, Left, State};
use crate::clock::monotonic;
use crate::process::SchedStat;

/// A wait this old is worth a look; a younger one is over before the look is.
const OLD: u64 = 1_000_000;

/// Threads looked at in one round, so that thousands of them do not take a CPU of their own.
const AT_ONCE: usize = 64;

/// Of a stack that waits.
const STACK: usize = 32 * 1024;

/// Names the programs that were loaded since the last round.
pub(super) fn at_programs(assembler: &mut Assembler) {
    for index in assembler.living_processes() {
        let Some(process) = assembler.processes.get_mut(index as usize).filter(|process| process.fresh)
        else {
            continue;
        };
        process.fresh = false;
        if let Ok(program) = std::fs::read_link(format!("/proc/{}/exe", process.pid)) {
            let node = program.file_name().is_some_and(|name| name == "node");
            process.folder =
                node.then(|| std::fs::read_link(format!("/proc/{}/cwd", process.pid)).ok()).flatten();
            process.program = Some(program);
        }
        process.argv = crate::process::command_line(process.pid);
        assembler.goroutines.loaded(process.pid);
    }
}

/// Notes which processes turned out to run Python or Java.
pub(super) fn at_runtimes(assembler: &mut Assembler) {
    for index in assembler.living_processes() {
        let process = assembler.processes.get_mut(index as usize);
        if let Some(process) = process.filter(|process| process.runtime.is_none()) {
            let release = assembler.unwinder.java_release(process.pid);
            process.runtime = release.map(|release| format!("java {release}"));
        }
    }
    for found in assembler.pythons.recognised() {
        if let Some(process) = assembler.process_index(found.pid)
            && let Some(process) = assembler.processes.get_mut(process as usize)
        {
            process.runtime = Some(found.version);
            process.shows_collector = found.shows_collector;
        }
    }
}

/// Reads the scheduler's figures of the living threads, of so many at once.
pub(super) fn at_scheduler(assembler: &mut Assembler, now: u64) {
    const MOST: usize = 512;
    let mut living = assembler.living();
    living.sort_unstable();
    // Others come first next time.
    let begin = assembler.scheduler_turn % living.len().max(1);
    assembler.scheduler_turn = begin + MOST.min(living.len());
    for index in living.iter().cycle().skip(begin).take(MOST.min(living.len())) {
        let (Some(pid), Some(tid)) =
            (assembler.pid_of(*index), assembler.thread(*index).map(|thread| thread.tid))
        else {
            continue;
        };
        match (SchedStat::of_thread(pid, tid), assembler.threads.get_mut(*index as usize)) {
            (Some(seen), Some(thread)) => {
                let before = thread.scheduler.map_or(thread.scheduled_before.1, |(_, queued)| queued);
                thread.scheduler = Some((seen.on_cpu.as_nanos(), seen.runnable.as_nanos()));
                thread.asked = monotonic();
                let running = match thread.state {
                    State::On(since) | State::Unknown(since) => thread.asked.saturating_sub(since),
                    State::Off { .. } => 0,
                };
                thread.on_cpu_asked = Some(thread.on_cpu + running);
                assembler.settle_endings(*index, seen.runnable.as_nanos().saturating_sub(before));
            }
            (None, _) => assembler.missed(*index, now),
            (Some(_), None) => {}
        }
    }
}

/// Finds call and stack of the threads that wait and were not looked at yet.
pub(super) fn at_waiting(assembler: &mut Assembler, now: u64) {
    let waiting: Vec<u32> = assembler
        .living()
        .into_iter()
        .filter(|index| worth_a_look(assembler, *index, now))
        .take(AT_ONCE)
        .collect();
    for index in waiting {
        at_thread(assembler, index, now);
    }
}

fn worth_a_look(assembler: &Assembler, index: u32, now: u64) -> bool {
    let Some(thread) = assembler.thread(index) else { return false };
    let since = match thread.state {
        State::Off { since, left: Left::ByItself | Left::Before } | State::Unknown(since) => since,
        State::Off { .. } | State::On(_) => return false,
    };
    match thread.call {
        // Nobody told of its call, so a look is all there is.
        None => thread.outside.is_none(),
        Some(call) => call.sight.is_none() && now.saturating_sub(since) >= OLD,
    }
}

fn at_thread(assembler: &mut Assembler, index: u32, now: u64) -> Option<()> {
    let pid = assembler.pid_of(index)?;
    let thread = assembler.thread(index)?;
    let (tid, told) = (thread.tid, thread.call);
    let state = thread.state;
    match Place::of(pid, tid) {
        // If it comes to a CPU next, it stood in the queue; if it leaves one next, it was there.
        Place::Running if matches!(state, State::Unknown(_)) => set_outside(assembler, index, Why::Preempted),
        Place::Running | Place::Refused | Place::Unknown => {}
        // A signal may stop a thread inside a call too.
        Place::Call(_) | Place::Outside { .. } if Stat::of(pid, tid)?.is_stopped() => {
            set_outside(assembler, index, Why::Stopped);
        }
        // Blocked in no call: a page is fetched.
        Place::Outside { .. } => set_outside(assembler, index, Why::Fault),
        // What /proc says is of now; what was told may be over, for nobody tells when a call ends.
        Place::Call(seen) => {
            let seen = assembler.sights.begun(pid, InCall::seen(&seen));
            let call = told.filter(|told| told.call == seen.call).unwrap_or(seen);
            at_call(assembler, index, call, now);
        }
    }
    Some(())
}

/// It waits, but not in a call.
fn set_outside(assembler: &mut Assembler, index: u32, why: Why) {
    if let Some(thread) = assembler.threads.get_mut(index as usize) {
        (thread.call, thread.outside) = (None, Some(why));
    }
}

/// Finds what the call of a thread that waits is made on, its stack if that is not known yet, and who holds the lock.
pub(super) fn at_call(assembler: &mut Assembler, index: u32, call: InCall, now: u64) {
    let (Some(pid), Some(thread)) = (assembler.pid_of(index), assembler.thread(index)) else { return };
    let (tid, process) = (thread.tid, thread.process);
    let sight = assembler.sights.of(pid, process, PRESENT, &call);
    let mut stack = None;
    if assembler.sights.wants(sight.place, &call) {
        let mut bytes = vec![0; STACK];
        let read = read_memory(pid, call.registers.sp, &mut bytes);
        // Still there, so nothing moved while it was read.
        let still = matches!(Place::of(pid, tid), Place::Call(now) if now.sp == call.registers.sp);
        if still && read > 0 {
            bytes.truncate(read);
            assembler.pythons.look_at_waiting(pid, tid, now, &mut assembler.tree);
            let caught = Caught { registers: call.registers, general: None, bytes: &bytes };
            stack = assembler.stack(pid, tid, None, [], Some(caught));
        }
    }
    let holder = match subject(call.call, &call.arguments) {
        Subject::Word { address, wakes: false, .. } => {
            lock_holder(pid, address).filter(|holder| *holder != tid)
        }
        _ => None,
    };
    let limit = limit::read(pid, &call);
    assembler.seen_waiting(index, InCall { holder, limit, ..call }, sight, stack);
}

/// Files by the addresses they are mapped at, for the few faults that had to read from a disk.
#[derive(Debug, Default)]
pub(super) struct MappedFiles {
    /// The range and file of each process's last answer: neighbouring pages are of the same file.
    last: HashMap<u32, (u64, u64, String)>,
}

impl MappedFiles {
    /// The file mapped at an address. `None` when there is none or it cannot be told any more.
    pub(super) fn at(&mut self, pid: u32, address: u64) -> Option<String> {
        if let Some((start, end, path)) = self.last.get(&pid)
            && (*start..*end).contains(&address)
        {
            return Some(path.clone());
        }
        let maps = std::fs::read(format!("/proc/{pid}/maps")).ok()?;
        let found = String::from_utf8_lossy(&maps).lines().find_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let (start, end) = words.next()?.split_once('-')?;
            let (start, end) = (u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?);
            let path = line.find('/').and_then(|at| line.get(at..))?;
            (start..end).contains(&address).then(|| (start, end, path.to_owned()))
        })?;
        let path = found.2.clone();
        self.last.insert(pid, found);
        Some(path)
    }
}
