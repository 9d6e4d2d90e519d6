//! Recording without perf events: what /proc shows, look by look.
//!
//! Between two looks at a thread the scheduler's account says how long it was on a CPU and how long it waited for one;
//! the rest it was blocked, in the call it was seen in. So the account closes here too; what is missing are native stacks
//! on the CPU, and the order of what happened between two looks.

use std::collections::HashMap;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use model::recording::Why;

use super::assemble::{Assembler, Hit, Wait};
use super::collector::monotonic;
use super::look;
use super::poll::{Event, Place, Poller, Program, Seen};
use super::sight::Sight;
use super::thread::{InCall, Left, State};

pub(super) struct Polled {
    poller: Poller,
    pub(super) assembler: Assembler,
    last: HashMap<u32, Last>,
    /// The last wait booked for each thread.
    told: HashMap<u32, usize>,
    refused: bool,
}

/// A thread when it was last seen.
#[derive(Clone, Copy)]
struct Last {
    at: u64,
    on_cpu: u64,
    queued: u64,
    waits: Option<(Why, Option<Sight>)>,
}

impl Polled {
    /// Begins with the first process, which may be gone before the first look.
    pub(super) fn new(pid: u32, mut assembler: Assembler) -> Self {
        let now = monotonic();
        if assembler.process_index(pid).is_none() {
            let process = assembler.add_process(pid, None, String::new(), now);
            assembler.add_thread(pid, process, now, State::Off { since: now, left: Left::Before });
        }
        Self {
            poller: Poller::new(pid),
            assembler,
            last: HashMap::new(),
            told: HashMap::new(),
            refused: false,
        }
    }

    /// Works until `stop` becomes readable.
    pub(super) fn work(&mut self, stop: BorrowedFd<'_>) {
        let mut events = Vec::new();
        loop {
            self.poller.tick(monotonic(), &mut events);
            for event in events.drain(..) {
                self.take(event);
            }
            look::at_runtimes(&mut self.assembler);
            if sleeps(stop, self.poller.pause()) {
                return;
            }
        }
    }

    /// Whether calls of the target could not be read.
    pub(super) fn refused(&self) -> bool {
        self.refused
    }

    pub(super) fn finish(mut self, end: u64) -> Assembler {
        let open: Vec<(u32, Last)> = self.last.drain().collect();
        for (tid, last) in open {
            let Some(index) = self.assembler.living_thread(tid).filter(|_| last.at < end) else { continue };
            match last.waits {
                Some((why, sight)) => self.tell(index, last.at, end, why, sight),
                // It ran when it was last seen; nobody knows better.
                None => self.ran(index, None, last.at, end - last.at),
            }
        }
        self.assembler
    }

    fn take(&mut self, event: Event) {
        let assembler = &mut self.assembler;
        match event {
            Event::NewProcess { at, pid, parent, program } => {
                assembler.start.get_or_insert(at);
                let parent = parent.and_then(|parent| assembler.process_index(parent));
                if assembler.process_index(pid).is_none() {
                    assembler.add_process(pid, parent, String::new(), at);
                }
                self.program(pid, program);
            }
            Event::NewThread { at, pid, tid, name } => {
                if let (Some(process), None) = (assembler.process_index(pid), assembler.living_thread(tid)) {
                    let index =
                        assembler.add_thread(tid, process, at, State::Off { since: at, left: Left::Before });
                    if let Some(thread) = assembler.threads.get_mut(index as usize) {
                        thread.name = name;
                    }
                }
            }
            Event::Exec { pid, program, .. } => self.program(pid, program),
            Event::Named { tid, name, .. } => {
                if let Some(thread) =
                    assembler.living_thread(tid).and_then(|index| assembler.threads.get_mut(index as usize))
                {
                    thread.name = name;
                }
            }
            Event::Seen(seen) => self.seen(&seen),
            Event::GoneThread { at, pid, tid } => {
                self.last.remove(&tid);
                assembler.exited(pid, tid, at);
            }
            // Its threads went before it.
            Event::GoneProcess { .. } => {}
            Event::CallsRefused { .. } => self.refused = true,
        }
    }

    fn program(&mut self, pid: u32, program: Program) {
        let assembler = &mut self.assembler;
        // What it mapped is read from its list; a process that may not be seen has no stacks.
        let _ = assembler.unwinder.read_maps(pid);
        assembler.pythons.maybe(pid);
        let Some(process) = assembler.process_index(pid) else { return };
        if let Some(process) = assembler.processes.get_mut(process as usize) {
            process.name.clone_from(&program.name);
            process.program = program.file.map(|file| file.as_os_str().to_owned().into());
            process.argv = program.argv.iter().map(|word| word.as_os_str().to_owned()).collect();
        }
        if let Some(first) =
            assembler.living_thread(pid).and_then(|index| assembler.threads.get_mut(index as usize))
        {
            first.name = program.name;
        }
    }

    fn seen(&mut self, seen: &Seen) {
        let Some(index) = self.assembler.living_thread(seen.tid) else { return };
        let on_cpu = seen.on_cpu.map_or(0, |time| time.as_nanos());
        let queued = seen.queued.map_or(0, |time| time.as_nanos());
        if let Some(thread) = self.assembler.threads.get_mut(index as usize) {
            thread.scheduler = Some((on_cpu, queued));
        }
        let born = self.assembler.thread(index).map_or(seen.at, |thread| thread.from);
        let last = self.last.get(&seen.tid).copied();
        let last = last.unwrap_or(Last { at: born, on_cpu: 0, queued: 0, waits: None });
        let waits = self.waits(index, seen);
        self.between(index, seen, last, on_cpu, queued, waits);
        self.last.insert(seen.tid, Last { at: seen.at, on_cpu, queued, waits });
    }

    /// Books the time between two looks: blocked first where it was blocked before, else on the CPU first.
    fn between(
        &mut self,
        index: u32,
        seen: &Seen,
        last: Last,
        on_cpu: u64,
        queued: u64,
        waits: Option<(Why, Option<Sight>)>,
    ) {
        let whole = seen.at.saturating_sub(last.at);
        let on = on_cpu.saturating_sub(last.on_cpu).min(whole);
        let ready = queued.saturating_sub(last.queued).min(whole - on);
        let blocked = whole - on - ready;
        let mut at = last.at;
        let cause = last.waits.or(waits).unwrap_or((Why::Unknown, None));
        let mut spans = [(blocked, Some(cause)), (ready, Some((Why::Preempted, None))), (on, None)];
        if last.waits.is_none() {
            spans.reverse();
        }
        for (length, span) in spans {
            match span {
                Some((why, sight)) if length > 0 => {
                    self.tell(index, at, at + length, why, sight);
                }
                None if length > 0 => self.hit(index, seen, at + length / 2, length),
                _ => {}
            }
            at += length;
        }
    }

    /// Books a wait, as one with the wait before where that goes on.
    fn tell(&mut self, index: u32, from: u64, to: u64, why: Why, sight: Option<Sight>) {
        let assembler = &mut self.assembler;
        let told = self.told.get(&index).and_then(|told| assembler.waits.get_mut(*told));
        let witness = |assembler: &Assembler, from| {
            let object = assembler.sights.object_of(sight?.call);
            let process = assembler.thread(index)?.process;
            assembler.wakes.witness(index, process, object, from, to)
        };
        match told {
            Some(told) if told.to == from && told.why == why && told.sight == sight => told.to = to,
            _ => {
                self.told.insert(index, assembler.waits.len());
                assembler.waits.push(wait(index, from, to, why, sight));
            }
        }
        let Some(position) = self.told.get(&index).copied() else { return };
        let from = assembler.waits.get(position).map_or(from, |wait| wait.from);
        if let Some((woken, by)) = witness(assembler, from)
            && let Some(wait) = assembler.waits.get_mut(position)
        {
            (wait.woken, wait.by) = (Some(woken), Some(by));
        }
    }

    fn hit(&mut self, index: u32, seen: &Seen, at: u64, weight: u64) {
        let assembler = &mut self.assembler;
        assembler.pythons.look(&[(seen.pid, seen.tid)], seen.at, &mut assembler.tree);
        let stack = assembler.stack(seen.pid, seen.tid, Some(seen.at), &[], None, &[]);
        self.ran(index, stack, at, weight);
    }

    fn ran(&mut self, index: u32, stack: Option<u32>, at: u64, weight: u64) {
        if let Some(thread) = self.assembler.threads.get_mut(index as usize) {
            thread.on_cpu += weight;
        }
        self.assembler.hits.push(Hit { at, thread: index, stack, weight });
    }

    /// What a thread waits in now. `None` when it runs.
    fn waits(&mut self, index: u32, seen: &Seen) -> Option<(Why, Option<Sight>)> {
        let sight = match seen.place {
            Place::Running => return None,
            Place::Outside { .. } if matches!(seen.state, 'T' | 't') => return Some((Why::Stopped, None)),
            Place::Outside { .. } => return Some((Why::Fault, None)),
            Place::Refused | Place::Unknown => {
                return (seen.state != 'R').then_some((Why::Unknown, None));
            }
            Place::Call(call) => InCall {
                call: call.syscall,
                arguments: call.args,
                registers: stacks::Registers { ip: call.pc, sp: call.sp, bp: 0, lr: 0 },
                busy: 0,
                sight: None,
                holder: None,
            },
        };
        look::at_call(&mut self.assembler, index, sight, seen.at);
        let sight = self.assembler.thread(index).and_then(|thread| thread.last_sight);
        Some((Why::Call, sight))
    }
}

fn wait(thread: u32, from: u64, to: u64, why: Why, sight: Option<Sight>) -> Wait {
    Wait {
        thread,
        from,
        to,
        woken: None,
        why,
        sight,
        fault: None,
        stack: None,
        by: None,
        holder: None,
        cpu: None,
    }
}

/// `true` when it is time to stop.
fn sleeps(stop: BorrowedFd<'_>, pause: Duration) -> bool {
    let mut fd = libc::pollfd { fd: stop.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let time = libc::timespec {
        tv_sec: libc::time_t::try_from(pause.as_secs()).unwrap_or(1),
        tv_nsec: libc::c_long::from(pause.subsec_nanos()),
    };
    // SAFETY: one descriptor of ours, a time that outlives the call, no signal mask.
    let seen = unsafe { libc::ppoll(&raw mut fd, 1, &raw const time, std::ptr::null()) };
    seen > 0
}
