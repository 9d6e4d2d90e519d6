//! A process tree as /proc shows it, look by look: for machines without perf events, and for attaching.
//!
//! A thread that did not run since the last look is where it was, and its scheduler account tells so for the price of
//! one short read; only the others are looked at closely. Files are kept open as far as the limit allows. Looks are
//! spaced so that they take at most a fiftieth of one CPU, with random pauses, so that no periodic program hides.

mod place;
mod source;
mod stat;
mod told;
mod tree;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::time::Duration;

use model::{Arg, Nanos};
pub(crate) use place::{Call, Place};
use source::{Room, Source};
pub(crate) use stat::Stat;
pub(crate) use tree::{Living, tree_of};
use tree::{Paced, descendants, has_children_files, threads_of};

use crate::clock::{monotonic, of_this_thread};
use crate::process::SchedStat;

/// What changed or was seen. `at` is in nanoseconds of the monotonic clock.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    NewProcess {
        at: u64,
        pid: u32,
        parent: Option<u32>,
        program: Program,
    },
    /// The first thread of a process has one, too.
    NewThread {
        at: u64,
        pid: u32,
        tid: u32,
        name: String,
    },
    /// The process loaded another program; its other threads are gone.
    Exec {
        at: u64,
        pid: u32,
        program: Program,
    },
    /// A thread gave itself another name.
    Named {
        at: u64,
        pid: u32,
        tid: u32,
        name: String,
    },
    Seen(Seen),
    GoneThread {
        at: u64,
        pid: u32,
        tid: u32,
    },
    /// It has ended, though it may not have been waited for yet. Its threads are gone with it.
    GoneProcess {
        at: u64,
        pid: u32,
    },
    /// Calls of this process may not be read: another user's, or ptrace is restricted. Told for the first one only.
    CallsRefused {
        at: u64,
        pid: u32,
    },
}

/// What a process runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Program {
    /// The kernel's name of it.
    pub(crate) name: String,
    /// `None` when it may not be read, or it was gone.
    pub(crate) file: Option<Arg>,
    /// Empty when it was gone before its arguments could be read.
    pub(crate) argv: Vec<Arg>,
}

/// One thread at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) at: u64,
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    /// The kernel's letter: R runs or could, S sleeps, D sleeps and cannot be interrupted, T stopped, Z ended.
    pub(crate) state: char,
    pub(crate) place: Place,
    /// Time on a CPU so far; of a thread that runs, as of the last tick of the kernel.
    pub(crate) on_cpu: Option<Nanos>,
    /// Time ready but without a CPU so far, as of the last time it got one.
    pub(crate) queued: Option<Nanos>,
    /// How often it was put on a CPU so far: unchanged means that it did not run since the look before.
    pub(crate) slices: Option<u64>,
    /// CPU time in user and kernel mode so far, in the coarse ticks of the kernel.
    pub(crate) user: Nanos,
    pub(crate) system: Nanos,
    /// The CPU it runs on or ran on last.
    pub(crate) cpu: Option<u32>,
}

const SHORTEST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// One part of CPU time for looking to this many of pausing.
const PAUSES: u32 = 50;

pub(crate) struct Poller {
    first: u32,
    processes: BTreeMap<u32, Process>,
    room: Room,
    told_refusal: bool,
    /// Without these files of the kernel children are found by looking at every process.
    children_files: bool,
    scan: Paced,
    /// Somebody ended, so a number may be in use again: ask everybody for children, once.
    ask_all: bool,
    cost: Duration,
    random: u64,
    /// A tracer tells who was made and who ended.
    told: bool,
    /// Whose turn it is when not all can be asked.
    turn: usize,
}

#[derive(Default)]
struct Process {
    threads: BTreeMap<u32, Thread>,
    /// Where the stack of the program begins: another one after each `exec`. Zero when we may not know.
    stack: u64,
    /// It has ended and is not waited for; kept, so that it is not found anew.
    ended: bool,
}

struct Thread {
    schedstat: Source,
    stat: Source,
    syscall: Source,
    children: Source,
    account: Option<SchedStat>,
    last: Option<Seen>,
    name: String,
}

/// What a look at a thread told.
enum Look {
    Gone,
    /// It did not run.
    Same,
    Moved(Stat),
}

impl Poller {
    /// A poller of this process and all its descendants.
    pub(crate) fn new(pid: u32) -> Self {
        Self {
            first: pid,
            processes: BTreeMap::new(),
            room: Room::of_limit(),
            told_refusal: false,
            children_files: has_children_files(),
            scan: Paced::default(),
            ask_all: false,
            cost: Duration::ZERO,
            random: u64::from(pid) | 1,
            told: false,
            turn: 0,
        }
    }

    /// Looks once at everything and appends what it sees. `now` is the monotonic clock in nanoseconds.
    pub(crate) fn tick(&mut self, now: u64, events: &mut Vec<Event>) {
        let (began, used) = (monotonic(), cpu());
        let mut tick = Tick { events, start: now, began, ask_all: std::mem::take(&mut self.ask_all) };
        self.find_new(&mut tick);
        let mut queue: Vec<u32> = self.processes.keys().rev().copied().collect();
        while let Some(pid) = queue.pop() {
            for child in self.look_at_process(pid, &mut tick) {
                if self.add(child, Some(pid), &mut tick) {
                    queue.push(child);
                }
            }
        }
        self.random ^= now;
        let cost = cpu().saturating_sub(used);
        self.cost = if self.cost.is_zero() { cost } else { (self.cost * 3 + cost) / 4 };
    }

    /// How long to wait before the next look.
    pub(crate) fn pause(&mut self) -> Duration {
        // Marsaglia's xorshift; zero would stay zero.
        self.random = self.random.max(1);
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let pause = (self.cost * PAUSES).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
        let quarters = u32::try_from(self.random % 1024).unwrap_or(0);
        // Between three and five quarters.
        pause * (1536 + quarters) / 2048
    }

    /// The first process, and where the kernel does not list children, all new descendants.
    fn find_new(&mut self, tick: &mut Tick<'_>) {
        if self.processes.is_empty() {
            self.add(self.first, None, tick);
        }
        if !self.children_files && !self.told && self.scan.is_due(tick.start) {
            let roots: Vec<u32> = self.processes.keys().copied().collect();
            let found = self.scan.spend(tick.start, || descendants(&roots));
            for (pid, parent) in found {
                self.add(pid, Some(parent), tick);
            }
        }
    }

    /// Whether it is new and alive.
    fn add(&mut self, pid: u32, parent: Option<u32>, tick: &mut Tick<'_>) -> bool {
        let Entry::Vacant(place) = self.processes.entry(pid) else {
            return false;
        };
        let Some(stat) = Stat::of(pid, pid).filter(|stat| !stat.has_ended()) else {
            return false;
        };
        place.insert(Process { stack: stat.stack, ..Process::default() });
        let parent = parent.or_else(|| self.processes.contains_key(&stat.parent).then_some(stat.parent));
        tick.say(|at| Event::NewProcess { at, pid, parent, program: program(pid, stat.name) });
        true
    }

    /// Looks at every thread and returns the children of those that ran.
    fn look_at_process(&mut self, pid: u32, tick: &mut Tick<'_>) -> Vec<u32> {
        let mut children = Vec::new();
        let Some(process) = self.processes.get_mut(&pid) else {
            return children;
        };
        let threads = tree::thread_count(pid);
        if process.ended {
            if threads.is_none() {
                self.forget(pid);
            }
            return children;
        }
        process.list_threads(pid, threads, &mut self.room, tick);
        let mut over = threads.is_none();
        let mut gone = Vec::new();
        for (tid, thread) in &mut process.threads {
            match thread.look(pid, *tid, &mut self.room, tick) {
                Look::Gone => gone.push(*tid),
                Look::Same if !tick.ask_all || self.told => {}
                Look::Same => children.extend(thread.children(pid, *tid, &mut self.room)),
                Look::Moved(stat) => {
                    over |= *tid == pid && stat.has_ended() && threads == Some(1) && !self.told;
                    if self.children_files && !self.told && !over {
                        children.extend(thread.children(pid, *tid, &mut self.room));
                    }
                    // First what it is, then where it is.
                    thread.tell_changes(pid, *tid, &stat, &mut process.stack, tick);
                    tick.events.extend(thread.last.map(Event::Seen));
                    tick.refusal(pid, thread.last, &mut self.told_refusal);
                }
            }
        }
        over |= gone.contains(&pid);
        for tid in gone {
            process.remove_thread(pid, tid, &mut self.room, tick);
        }
        if over {
            self.end(pid, tick);
        }
        children
    }

    fn end(&mut self, pid: u32, tick: &mut Tick<'_>) {
        if let Some(process) = self.processes.get_mut(&pid) {
            let threads: Vec<u32> = process.threads.keys().copied().collect();
            for tid in threads {
                process.remove_thread(pid, tid, &mut self.room, tick);
            }
            process.ended = true;
        }
        tick.say(|at| Event::GoneProcess { at, pid });
        if tree::thread_count(pid).is_none() {
            self.forget(pid);
        }
    }

    /// Its number may be given to another process from now on.
    fn forget(&mut self, pid: u32) {
        // The first one stays known, so that it is not looked for again.
        if pid != self.first {
            self.processes.remove(&pid);
        }
        self.ask_all = true;
    }
}

impl Process {
    /// Adds threads that are not known yet. Asked only when their number is not what is known.
    fn list_threads(&mut self, pid: u32, count: Option<usize>, room: &mut Room, tick: &mut Tick<'_>) {
        if count.is_none() || count == Some(self.threads.len()) {
            return;
        }
        let living = threads_of(pid);
        let gone: Vec<u32> = self.threads.keys().filter(|tid| !living.contains(tid)).copied().collect();
        for tid in gone {
            self.remove_thread(pid, tid, room, tick);
        }
        for tid in living {
            if let Entry::Vacant(place) = self.threads.entry(tid)
                && let Some(stat) = Stat::of(pid, tid)
            {
                place.insert(Thread::named(stat.name.clone()));
                tick.say(|at| Event::NewThread { at, pid, tid, name: stat.name });
            }
        }
    }

    fn remove_thread(&mut self, pid: u32, tid: u32, room: &mut Room, tick: &mut Tick<'_>) {
        if let Some(thread) = self.threads.remove(&tid) {
            thread.close(room);
            tick.say(|at| Event::GoneThread { at, pid, tid });
        }
    }
}

impl Thread {
    fn named(name: String) -> Self {
        Self {
            schedstat: Source::new("schedstat"),
            stat: Source::new("stat"),
            syscall: Source::new("syscall"),
            children: Source::new("children"),
            account: None,
            last: None,
            name,
        }
    }

    fn close(self, room: &mut Room) {
        for source in [self.schedstat, self.stat, self.syscall, self.children] {
            source.close(room);
        }
    }

    fn look(&mut self, pid: u32, tid: u32, room: &mut Room, tick: &mut Tick<'_>) -> Look {
        let account = self.schedstat.read(pid, tid, room).ok().and_then(|text| SchedStat::parse(&text));
        let at = tick.at();
        if let Some(last) =
            self.last.filter(|last| account.is_some() && account == self.account && last.sleeps())
        {
            let seen = Seen { at, ..last };
            self.last = Some(seen);
            tick.events.push(Event::Seen(seen));
            return Look::Same;
        }
        let place = Place::read(&mut self.syscall, pid, tid, room);
        let Some(stat) = self.stat.read(pid, tid, room).ok().and_then(|text| Stat::parse(&text)) else {
            return Look::Gone;
        };
        let seen = Seen {
            at,
            pid,
            tid,
            state: stat.state,
            place,
            on_cpu: account.map(|account| account.on_cpu),
            queued: account.map(|account| account.runnable),
            slices: account.map(|account| account.slices),
            user: stat.user,
            system: stat.system,
            cpu: stat.cpu,
        };
        self.account = account;
        self.last = Some(seen);
        Look::Moved(stat)
    }

    fn children(&mut self, pid: u32, tid: u32, room: &mut Room) -> Vec<u32> {
        self.children.read(pid, tid, room).map(|text| tree::numbers(&text)).unwrap_or_default()
    }

    fn tell_changes(&mut self, pid: u32, tid: u32, stat: &Stat, stack: &mut u64, tick: &mut Tick<'_>) {
        let renamed = self.name != stat.name;
        if renamed {
            self.name.clone_from(&stat.name);
        }
        // An ending process has no memory any more, and that is no new program.
        if tid == pid && stat.stack != 0 && stat.stack != *stack {
            *stack = stat.stack;
            tick.say(|at| Event::Exec { at, pid, program: program(pid, stat.name.clone()) });
        } else if renamed {
            tick.say(|at| Event::Named { at, pid, tid, name: stat.name.clone() });
        }
    }
}

impl Seen {
    fn sleeps(&self) -> bool {
        matches!(self.state, 'S' | 'D' | 'T' | 't' | 'I') && self.place != Place::Running
    }
}

/// One look at the whole tree.
struct Tick<'a> {
    events: &'a mut Vec<Event>,
    start: u64,
    began: u64,
    ask_all: bool,
}

impl Tick<'_> {
    /// A look at thousands takes a while, so each has its own time.
    fn at(&self) -> u64 {
        self.start.saturating_add(monotonic().saturating_sub(self.began))
    }

    fn say(&mut self, event: impl FnOnce(u64) -> Event) {
        let at = self.at();
        self.events.push(event(at));
    }

    fn refusal(&mut self, pid: u32, seen: Option<Seen>, told: &mut bool) {
        if !*told && seen.is_some_and(|seen| seen.place == Place::Refused) {
            *told = true;
            self.say(|at| Event::CallsRefused { at, pid });
        }
    }
}

fn program(pid: u32, name: String) -> Program {
    let file = fs::read_link(format!("/proc/{pid}/exe")).ok().map(|path| Arg::from(path.into_os_string()));
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let line = line.strip_suffix(b"\0").unwrap_or(&line);
    let words = line.split(|byte| *byte == 0).filter(|_| !line.is_empty());
    let argv = words.map(|word| Arg::from(std::ffi::OsString::from_vec(word.to_vec()))).collect();
    Program { name, file, argv }
}

/// CPU time of this thread.
fn cpu() -> Duration {
    Duration::from_nanos(of_this_thread().as_nanos())
}

#[cfg(test)]
mod tests;
