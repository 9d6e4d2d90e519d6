//! What a tracer tells at once, so that looks need not find it: births, programs, ends.

use super::{Look, Place, Poller, Process, Program, Seen, Stat, Thread, Tick, program};
use crate::process::SchedStat;

/// With no more threads than this, all of them are asked whether they run.
const FEW: usize = 16;

impl Poller {
    /// From now on a tracer tells who was made and who ended.
    pub(crate) fn be_told(&mut self) {
        self.told = true;
    }

    /// From now on nobody tells, so looks find them again.
    pub(crate) fn be_told_no_more(&mut self) {
        (self.told, self.ask_all) = (false, true);
    }

    /// A thread of this process has begun; the process as well, when nobody knows of it. A child begins as its parent was.
    pub(crate) fn born(&mut self, pid: u32, tid: u32, parent: u32, name: String) {
        let stack = self.processes.get(&parent).map_or(0, |parent| parent.stack);
        let process = self.processes.entry(pid).or_insert_with(|| Process { stack, ..Process::default() });
        process.ended = false;
        process.threads.entry(tid).or_insert_with(|| Thread::named(name));
    }

    /// The process loaded another program. `None` when it is gone.
    pub(crate) fn loaded(&mut self, pid: u32) -> Option<Program> {
        let stat = Stat::of(pid, pid)?;
        let process = self.processes.entry(pid).or_default();
        process.stack = stat.stack;
        if let Some(first) = process.threads.get_mut(&pid) {
            first.name.clone_from(&stat.name);
            first.last = None;
        }
        Some(program(pid, stat.name))
    }

    /// A look at one thread between those at all.
    pub(crate) fn see(&mut self, pid: u32, tid: u32, now: u64) -> Option<Seen> {
        let mut events = Vec::new();
        let mut tick = Tick { events: &mut events, start: now, began: now, ask_all: false };
        let thread = self.processes.get_mut(&pid)?.threads.get_mut(&tid)?;
        match thread.look(pid, tid, &mut self.room, &mut tick) {
            Look::Gone => None,
            Look::Same | Look::Moved(_) => thread.last,
        }
    }

    /// The threads of a process, where they are so few.
    pub(crate) fn few_threads(&self, pid: u32, most: usize) -> Vec<u32> {
        let threads = self.processes.get(&pid).map(|process| &process.threads);
        let few = threads.filter(|threads| threads.len() <= most);
        few.map(|threads| threads.keys().copied().collect()).unwrap_or_default()
    }

    /// The last look at a thread that has ended and is not waited for yet: as if it had run up to now.
    pub(crate) fn last_look(&mut self, pid: u32, tid: u32, now: u64) -> Option<Seen> {
        self.processes.get_mut(&pid)?.threads.get_mut(&tid)?.last = None;
        let seen = self.see(pid, tid, now)?;
        Some(Seen { state: 'Z', place: Place::Running, ..seen })
    }

    /// A thread is gone, with its process if it was the first one, which the kernel tells last.
    pub(crate) fn ended(&mut self, pid: u32, tid: u32) {
        let Some(process) = self.processes.get_mut(&pid) else { return };
        if let Some(thread) = process.threads.remove(&tid) {
            thread.close(&mut self.room);
        }
        if pid != tid {
            return;
        }
        for (_, thread) in std::mem::take(&mut process.threads) {
            thread.close(&mut self.room);
        }
        process.ended = true;
        // The first one stays known, so that it is not looked for again.
        if pid != self.first {
            self.processes.remove(&pid);
        }
    }

    /// Threads that may run now, `most` at once: others come next time.
    pub(crate) fn may_run(&mut self, most: usize) -> Vec<(u32, u32)> {
        let all = self
            .processes
            .iter()
            .flat_map(|(pid, process)| process.threads.iter().map(move |(tid, thread)| (*pid, *tid, thread)));
        let count = self.processes.values().map(|process| process.threads.len()).sum::<usize>();
        let may = |thread: &Thread| {
            count <= FEW || thread.last.is_none_or(|last| last.place == Place::Running || last.state == 't')
        };
        let found: Vec<(u32, u32)> =
            all.filter(|(.., thread)| may(thread)).map(|(pid, tid, _)| (pid, tid)).collect();
        let begin = self.turn % found.len().max(1);
        let most = most.min(found.len());
        self.turn = begin + most;
        found.iter().cycle().skip(begin).take(most).copied().collect()
    }

    /// How often a thread was put on a CPU so far. `None` when it is gone or nobody counts.
    pub(crate) fn arrivals(&mut self, pid: u32, tid: u32) -> Option<u64> {
        let thread = self.processes.get_mut(&pid)?.threads.get_mut(&tid)?;
        let text = thread.schedstat.read(pid, tid, &mut self.room).ok()?;
        SchedStat::parse(&text).map(|account| account.slices)
    }

    /// Whether a thread is on a CPU now or ready for one.
    pub(crate) fn runs(&mut self, pid: u32, tid: u32) -> bool {
        let thread = self.processes.get_mut(&pid).and_then(|process| process.threads.get_mut(&tid));
        thread.is_some_and(|thread| {
            Place::read(&mut thread.syscall, pid, tid, &mut self.room) == Place::Running
        })
    }
}
