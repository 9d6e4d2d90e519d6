//! Records in the order of time → processes, threads, hits and waits.

mod bounds;
mod endings;
mod faulting;
mod hits;
mod in_call;
mod out_of_sight;
mod waking;

use std::collections::{BTreeMap, HashMap};
use std::time::{SystemTime, UNIX_EPOCH};

use model::recording::{Object, Why};
use stacks::hash::QuickMap;
use stacks::{Mapping, Raw, Tree, Unwinder};

use super::code_names::CodeNames;
use super::copies::Copying;
use super::cut::Cuts;
use super::decode::{Body, Record, Sample};
use super::events::Kind;
use super::generated::GeneratedCode;
use super::goroutines::Goroutines;
use super::look::MappedFiles;
use super::nameless::Nameless;
use super::newborn::Newborns;
use super::pythons::Pythons;
use super::runtimes::written_since;
use super::sight::{Sight, Sights};
use super::subject::{Subject, subject};
use super::syscalls::Syscall;
use super::thread::{InCall, Left, State, Thread};
use super::wakes::Wakes;
use endings::Endings;
use faulting::Faulting;
pub(super) use hits::Stopped;

/// Everything known of the tree so far.
#[derive(Debug)]
pub(super) struct Assembler {
    /// When the program began.
    pub(super) start: Option<u64>,
    pub(super) period: u64,
    /// CPU time between two hits now: in windows they come more often.
    pub(super) apart: u64,
    /// Who lives too short for that.
    pub(super) newborns: Newborns,
    /// Not every birth and end is told: threads of a storm have no events most of the time.
    pub(super) unheard: bool,
    /// Hits in the kernel are told, too.
    pub(super) sees_kernel: bool,
    /// Who wakes whom is told.
    pub(super) sees_wakings: bool,
    pub(super) processes: Vec<Process>,
    pub(super) threads: Vec<Thread>,
    by_pid: QuickMap<u32, u32>,
    by_tid: QuickMap<u32, u32>,
    /// The last thread of a number that has ended.
    ended: QuickMap<u32, u32>,
    /// What processes were called that came before the start and were gone when the living were counted.
    names_before: HashMap<u32, String>,
    pub(super) unwinder: Unwinder,
    pub(super) tree: Tree,
    pub(super) hits: Vec<Hit>,
    /// Pages touched for the first time, by stack.
    pub(super) touches: BTreeMap<u32, u64>,
    faulting: Faulting,
    pub(super) waits: Vec<Wait>,
    endings: Endings,
    pub(super) sights: Sights,
    pub(super) wakes: Wakes,
    pub(super) pythons: Pythons,
    pub(super) code_names: CodeNames,
    pub(super) nameless: Nameless,
    pub(super) goroutines: Goroutines,
    pub(super) copying: Copying,
    /// Where it is asked for.
    pub(super) generated: Option<GeneratedCode>,
    files: MappedFiles,
    pub(super) losses: model::recording::Losses,
    pub(super) cuts: Cuts,
    /// Since the last look somebody was born, loaded a program or left the CPU by itself.
    pub(super) moved: bool,
    /// Leaving the CPU, and calls begun, since the last look at their rates.
    pub(super) switches: u64,
    pub(super) calls_begun: QuickMap<Syscall, u64>,
    /// Some calls are no longer told.
    silenced: bool,
    /// How many threads the scheduler was asked about.
    pub(super) scheduler_turn: usize,
    /// Not all switches are told now.
    blind: bool,
    frames: Vec<Raw>,
}

#[derive(Debug)]
pub(super) struct Process {
    pub(super) pid: u32,
    pub(super) parent: Option<u32>,
    pub(super) name: String,
    pub(super) from: u64,
    pub(super) to: Option<u64>,
    pub(super) program: Option<std::path::PathBuf>,
    pub(super) argv: Vec<std::ffi::OsString>,
    /// Where it worked, when it was a runtime that may leave files there.
    pub(super) folder: Option<std::path::PathBuf>,
    pub(super) runtime: Option<String>,
    pub(super) shows_collector: bool,
    pub(super) loaded: Option<u64>,
    /// Threads that have not ended.
    alive: u32,
    /// It loaded a program that nobody has looked at yet.
    pub(super) fresh: bool,
    /// It ran before it was recorded.
    pub(super) adopted: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) at: u64,
    pub(super) thread: u32,
    /// In the tree of raw stacks.
    pub(super) stack: Option<u32>,
    /// Time on a CPU it stands for.
    pub(super) weight: u64,
    /// In the kernel.
    pub(super) kernel: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    pub(super) thread: u32,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) woken: Option<u64>,
    pub(super) why: Why,
    /// The call, and the place it was made from.
    pub(super) sight: Option<Sight>,
    /// The file a page came from, as a call.
    pub(super) fault: Option<u32>,
    /// A stack of its own, where there is one.
    pub(super) stack: Option<u32>,
    pub(super) by: Option<u32>,
    /// The thread id of who held the lock when it was looked at.
    pub(super) holder: Option<u32>,
    pub(super) cpu: Option<u32>,
}

impl Process {
    /// What it wrote was not written before.
    pub(super) fn has_written_since(&self) -> SystemTime {
        // One that ran already may have written it long ago.
        if self.adopted { UNIX_EPOCH } else { written_since(self.from) }
    }
}

impl Assembler {
    pub(super) fn new(period: u64) -> Self {
        Self {
            start: None,
            period,
            apart: period,
            newborns: Newborns::new(period),
            unheard: false,
            sees_kernel: false,
            sees_wakings: false,
            processes: Vec::new(),
            threads: Vec::new(),
            by_pid: QuickMap::default(),
            by_tid: QuickMap::default(),
            ended: QuickMap::default(),
            names_before: HashMap::new(),
            unwinder: Unwinder::new(),
            tree: Tree::new(),
            hits: Vec::new(),
            touches: BTreeMap::new(),
            faulting: Faulting::default(),
            waits: Vec::new(),
            endings: Endings::default(),
            sights: Sights::new(),
            wakes: Wakes::default(),
            pythons: Pythons::default(),
            code_names: CodeNames::default(),
            nameless: Nameless::default(),
            goroutines: Goroutines::default(),
            copying: Copying::default(),
            generated: None,
            files: MappedFiles::default(),
            losses: model::recording::Losses::default(),
            cuts: Cuts::default(),
            moved: false,
            switches: 0,
            calls_begun: QuickMap::default(),
            silenced: false,
            scheduler_turn: 0,
            blind: false,
            frames: Vec::new(),
        }
    }

    pub(super) fn add_process(&mut self, pid: u32, parent: Option<u32>, name: String, at: u64) -> u32 {
        let index = index(self.processes.len());
        self.processes.push(Process {
            pid,
            parent,
            name,
            from: at,
            to: None,
            program: None,
            argv: Vec::new(),
            folder: None,
            runtime: None,
            shows_collector: false,
            loaded: None,
            alive: 0,
            fresh: false,
            adopted: false,
        });
        self.by_pid.insert(pid, index);
        self.sights.objects.add_process(pid, index);
        index
    }

    pub(super) fn add_thread(&mut self, tid: u32, process: u32, at: u64, state: State) -> u32 {
        let index = index(self.threads.len());
        let name = self.processes.get_mut(process as usize).map(|process| {
            process.alive += 1;
            process.name.clone()
        });
        self.threads.push(Thread::new(tid, process, name.unwrap_or_default(), at, state));
        self.by_tid.insert(tid, index);
        index
    }

    /// Whether there is a runtime whose memory is read while it runs.
    pub(super) fn is_read_from_outside(&self) -> bool {
        let runs = |process: &u32| {
            self.processes.get(*process as usize).is_some_and(|process| process.runtime.is_some())
        };
        self.goroutines.any() || self.by_pid.values().any(runs)
    }

    /// Processes that have not ended: of thousands that have, only the recording knows.
    pub(super) fn living_processes(&self) -> Vec<u32> {
        self.by_pid.values().copied().collect()
    }

    /// Threads that have not ended.
    pub(super) fn living(&self) -> Vec<u32> {
        self.by_tid.values().copied().collect()
    }

    pub(super) fn living_tids(&self) -> Vec<u32> {
        self.by_tid.keys().copied().collect()
    }

    /// With the moments of their births, as far as they are known.
    pub(super) fn living_since(&self) -> impl Iterator<Item = (u32, u64)> {
        let from = |thread: &u32| self.thread(*thread).map_or(0, |thread| thread.from);
        self.by_tid.iter().map(move |(tid, thread)| (*tid, from(thread)))
    }

    pub(super) fn living_thread(&self, tid: u32) -> Option<u32> {
        self.by_tid.get(&tid).copied()
    }

    pub(super) fn process_index(&self, pid: u32) -> Option<u32> {
        self.by_pid.get(&pid).copied()
    }

    /// The thread a record belongs to; made when it was never heard of, because a record of its birth was lost.
    fn thread_index(&mut self, pid: u32, tid: u32, at: u64) -> u32 {
        if let Some(known) = self.by_tid.get(&tid) {
            return *known;
        }
        let process = self.by_pid.get(&pid).copied().unwrap_or_else(|| self.add_unheard_of(pid, at));
        self.add_thread(tid, process, at, State::Unknown(at))
    }

    pub(super) fn thread(&self, index: u32) -> Option<&Thread> {
        self.threads.get(index as usize)
    }

    pub(super) fn pid_of(&self, thread: u32) -> Option<u32> {
        let process = self.thread(thread)?.process;
        Some(self.processes.get(process as usize)?.pid)
    }

    /// Takes one record. Records must come in the order of time.
    pub(super) fn take(&mut self, record: &Record<'_>, kind: impl Fn(u64) -> Option<Kind>) {
        let (at, pid, tid) = (record.at, record.pid, record.tid);
        match &record.body {
            _ if self.start.is_some_and(|start| at < start) => self.told_before(record),
            Body::Name { name, exec } => self.named(pid, tid, at, name, *exec),
            // Nothing before the program itself is its time.
            _ if self.start.is_none() => {}
            Body::Map { start, length, offset, path, executable } => {
                let mapping = Mapping {
                    start: *start,
                    end: start.saturating_add(*length),
                    offset: *offset,
                    path: path.to_vec(),
                    executable: *executable,
                };
                self.unwinder.map(pid, &mapping);
                self.pythons.mapped(pid, path);
            }
            Body::Fork { pid: child, tid: child_tid, parent_pid } => {
                self.forked(*child, *child_tid, *parent_pid, at)
            }
            Body::Exit => self.left(pid, tid, at),
            Body::Out { preempted } => {
                self.switches += 1;
                self.moved |= !preempted;
                let thread = self.thread_index(pid, tid, at);
                if let Some(thread) = self.threads.get_mut(thread as usize) {
                    thread.leaves(at, *preempted);
                }
            }
            Body::In => self.came_back(pid, tid, at, record.cpu),
            Body::Lost { records } => self.losses.records += records,
            Body::Throttled => self.losses.throttled += 1,
            Body::Sample(sample) => match kind(sample.id) {
                Some(Kind::Clock) if self.newborns.replace(at) => {}
                Some(Kind::Clock) => self.hit(pid, tid, at, sample, self.apart),
                Some(Kind::Newborn) => self.hit(pid, tid, at, sample, self.newborns.period(at)),
                Some(Kind::MajorFault) => self.fault(pid, tid, at, sample),
                Some(Kind::Touches) => self.touched(pid, tid, at, sample),
                Some(Kind::Enter(_) | Kind::AnyEnter) => self.entered(pid, tid, at, sample),
                Some(Kind::Waking) => self.waking(tid, at, sample.raw),
                Some(Kind::Switches) | None => {}
            },
        }
    }

    pub(super) fn named(&mut self, pid: u32, tid: u32, at: u64, name: &[u8], exec: bool) {
        let name = String::from_utf8_lossy(name).into_owned();
        if exec && self.start.is_none() {
            self.start = Some(at);
            let process = self.add_process(pid, None, name.clone(), at);
            self.add_thread(tid, process, at, State::On(at));
        }
        if self.start.is_none() {
            return;
        }
        let thread = self.thread_index(pid, tid, at);
        let process = self.thread(thread).map(|thread| thread.process);
        if let Some(thread) = self.threads.get_mut(thread as usize) {
            thread.name.clone_from(&name);
        }
        if let Some(process) = process.and_then(|process| self.processes.get_mut(process as usize)) {
            if exec {
                process.fresh = true;
                self.moved = true;
                process.runtime = None;
                process.loaded = Some(at);
            }
            if exec || tid == pid {
                process.name = name;
            }
        }
        if exec {
            self.unwinder.exec(pid);
            self.pythons.forget(pid);
            self.code_names.forget(pid);
            self.goroutines.forget(pid);
            self.end_siblings(pid, tid, at);
        }
    }

    /// A program that is loaded ends all other threads of its process.
    fn end_siblings(&mut self, pid: u32, tid: u32, at: u64) {
        let Some(process) = self.process_index(pid) else { return };
        let Some(alone) = self.processes.get_mut(process as usize).filter(|process| process.alive > 1) else {
            return;
        };
        alone.alive = 1;
        for thread in self.threads.iter_mut().filter(|thread| thread.process == process) {
            if thread.tid != tid && thread.to.is_none() {
                thread.settle(at);
                thread.to = Some(at);
            }
        }
    }

    pub(super) fn forked(&mut self, pid: u32, tid: u32, parent_pid: u32, at: u64) {
        if self.was_adopted(tid) || self.was_found(tid, at) {
            return;
        }
        self.moved = true;
        let made = State::Off { since: at, left: Left::Made };
        if pid == parent_pid {
            let process = self.by_pid.get(&pid).copied().unwrap_or_else(|| self.add_unheard_of(pid, at));
            self.add_thread(tid, process, at, made);
            return;
        }
        let parent = self.by_pid.get(&parent_pid).copied();
        let like = parent.and_then(|parent| self.processes.get(parent as usize));
        let (name, program, argv, runtime) = like
            .map(|like| (like.name.clone(), like.program.clone(), like.argv.clone(), like.runtime.clone()))
            .unwrap_or_default();
        let process = self.add_process(pid, parent, name, at);
        if let Some(process) = self.processes.get_mut(process as usize) {
            (process.program, process.argv, process.runtime) = (program, argv, runtime);
        }
        self.add_thread(tid, process, at, made);
        self.unwinder.fork(parent_pid, pid);
        self.pythons.forked(parent_pid, pid);
    }

    pub(super) fn exited(&mut self, pid: u32, tid: u32, at: u64) {
        let index = self.thread_index(pid, tid, at);
        if let Some(thread) = self.thread(index)
            && let (State::Off { since, left }, Some(_)) = (thread.state, thread.held)
        {
            // When its wait ended nobody told.
            self.tell_wait(index, since, at, left, None);
        }
        let Some(thread) = self.threads.get_mut(index as usize) else { return };
        thread.settle(at);
        thread.to = Some(at);
        thread.call = None;
        let process = thread.process;
        self.newborns.ended(thread.on_cpu);
        self.by_tid.remove(&tid);
        self.ended.insert(tid, index);
        self.wakes.thread_ended(process, index, at);
        let Some(ended) = self.processes.get_mut(process as usize) else { return };
        ended.alive = ended.alive.saturating_sub(1);
        // The last thread takes the process with it.
        if ended.alive == 0 {
            ended.to = Some(at);
            let parent = ended.parent;
            self.by_pid.remove(&pid);
            self.sights.objects.remove_process(pid);
            self.unwinder.exit(pid);
            self.pythons.forget(pid);
            self.code_names.ended(pid, at);
            self.goroutines.forget(pid);
            if let Some(parent) = parent {
                self.wakes.child_ended(parent, index, at);
            }
        }
    }

    fn entered(&mut self, pid: u32, tid: u32, at: u64, sample: &Sample<'_>) {
        let index = self.thread_index(pid, tid, at);
        let (Some((call, arguments)), Some(registers)) = (call(sample.raw), sample.registers) else { return };
        *self.calls_begun.entry(call).or_default() += 1;
        let process = self.thread(index).map_or(0, |thread| thread.process);
        self.runs(index, at);
        self.wakes.calls(&mut self.sights.objects, (pid, process), (at, index), call, &arguments);
        if let Some(thread) = self.threads.get_mut(index as usize) {
            // Who wakes others does not wait in that call.
            let waits = !matches!(subject(call, &arguments), Subject::Word { wakes: true, .. });
            let call = InCall::told(call, arguments, registers);
            thread.call = waits.then(|| self.sights.begun(pid, call));
        }
    }

    /// It is on a CPU now, as a hit or the beginning of a call shows. If its coming was not told, its wait ended before.
    fn runs(&mut self, index: u32, at: u64) {
        let Some(thread) = self.threads.get_mut(index as usize) else { return };
        match thread.state {
            State::On(_) | State::Unknown(_) => thread.settle(at),
            State::Off { since, left } => {
                thread.state = State::On(at);
                self.tell_wait(index, since, at, left, None);
                self.waited(index, left);
            }
        }
    }

    fn came_back(&mut self, pid: u32, tid: u32, at: u64, cpu: u32) {
        let index = self.thread_index(pid, tid, at);
        let Some(thread) = self.threads.get_mut(index as usize) else { return };
        let Some((from, left)) = thread.comes(at) else { return };
        self.tell_wait(index, from, at, left, Some(cpu));
        self.waited(index, left);
    }

    fn waited(&mut self, index: u32, left: Left) {
        if let Some(thread) = self.threads.get_mut(index as usize) {
            thread.waited(left, !self.silenced);
        }
    }

    /// Books a span off the CPU.
    fn tell_wait(&mut self, index: u32, from: u64, to: u64, left: Left, cpu: Option<u32>) {
        let Some(thread) = self.threads.get(index as usize) else { return };
        let (call, outside, process, woken) = (thread.call, thread.outside, thread.process, thread.woken);
        let mut wait = Wait {
            thread: index,
            from,
            to,
            woken: woken.map(|(at, _)| at).filter(|at| (from..=to).contains(at)),
            why: Why::Unknown,
            sight: None,
            fault: None,
            stack: None,
            by: woken.and_then(|(_, by)| by).filter(|by| *by != index),
            holder: call.and_then(|call| call.holder),
            cpu,
        };
        match left {
            Left::Preempted => wait.why = Why::Preempted,
            Left::Made => wait.why = Why::NotYetRun,
            // Blocked for long, it would have been seen in its call; blocked or ready for a moment, it does not matter.
            Left::ByItself | Left::Before if outside.is_some() => wait.why = outside.unwrap_or(Why::Unknown),
            Left::Before if call.is_none() => wait.why = Why::Preempted,
            Left::ByItself | Left::Before => {
                if let Some(call) = call {
                    self.in_call(&mut wait, process, &call);
                }
            }
        }
        let open = matches!(wait.why, Why::Unknown | Why::Fault).then_some(self.waits.len());
        if let Some(thread) = self.threads.get_mut(index as usize) {
            thread.open_cause = open;
            if wait.why == Why::Unknown {
                thread.unexplained.push(self.waits.len());
            }
            if wait.why == Why::Call && call.is_some_and(|call| !(self.silenced && call.told)) {
                thread.last_sight = wait.sight;
            }
        }
        self.note_ending(&wait);
        if let Some(call) = call {
            self.note_expired(&mut wait, &call);
        }
        self.waits.push(wait);
    }

    /// The kernel says so after the page has come, so it is the wait before that gets its cause.
    fn fault(&mut self, pid: u32, tid: u32, at: u64, sample: &Sample<'_>) {
        let index = self.thread_index(pid, tid, at);
        let Some(open) = self.thread(index).and_then(|thread| thread.open_cause) else { return };
        let stack = self.stack(pid, tid, None, [], sample.caught());
        let object = self.files.at(pid, sample.address).map(|path| Object::File { path });
        let call = self.sights.call("page fault", object);
        if let Some(wait) = self.waits.get_mut(open) {
            (wait.why, wait.stack, wait.fault) = (Why::Fault, stack, Some(call));
        }
    }

    /// The thread is blocked now, and this is where: for the wait that goes on and for short ones like it.
    pub(super) fn seen_waiting(&mut self, index: u32, call: InCall, sight: Sight, stack: Option<u32>) {
        if let Some(stack) = stack {
            self.sights.learn(sight.place, stack, &call);
        }
        let Some(thread) = self.threads.get_mut(index as usize) else { return };
        thread.call = Some(InCall { sight: Some(sight), ..call });
        // A wait in a call that is told would have been.
        if self.silenced && call.told {
            return;
        }
        thread.last_sight = Some(sight);
        // Waits too short for a look of their own are most likely of the kind that is found by one.
        for wait in thread.unexplained.drain(..) {
            if let Some(wait) = self.waits.get_mut(wait).filter(|wait| wait.why == Why::Unknown) {
                wait.sight = Some(sight);
            }
        }
    }

    /// Calls that are not told any more: who is in one has not said when it ended.
    pub(super) fn forget_calls(&mut self, silenced: impl Fn(Syscall) -> bool) {
        self.silenced = true;
        for thread in &mut self.threads {
            if thread.call.is_some_and(|call| call.sight.is_none() && silenced(call.call)) {
                thread.call = None;
            }
        }
    }
}

/// The call and its arguments behind the record's header. One call's own tracepoint and the one of all calls differ in
/// the width of the number, not in the place of what follows.
fn call(raw: &[u8]) -> Option<(Syscall, [u64; 6])> {
    let number = raw.get(8..12)?.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes))?;
    let mut arguments = [0; 6];
    let given = raw.get(16..)?.as_chunks::<8>().0;
    for (argument, bytes) in arguments.iter_mut().zip(given) {
        *argument = u64::from_ne_bytes(*bytes);
    }
    Some((Syscall(number), arguments))
}

#[expect(clippy::cast_possible_truncation, reason = "four billion threads do not fit a machine")]
pub(super) fn index(length: usize) -> u32 {
    length as u32
}
