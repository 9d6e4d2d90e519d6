//! Programs that the kernel shows to nobody: at the `exec` of a set-user-id program, or of one that may not be read, it takes
//! all events away (`perf_event_exit_task` in its `fs/exec.c`), with the record that comes at the end of a thread.

use model::Gap;
use model::recording::Why;

use super::super::poll::Stat;
use super::super::thread::State;
use super::{Assembler, Wait};

impl Assembler {
    /// The kernel tells nothing more of a thread: it has ended, or loaded such a program.
    pub(super) fn left(&mut self, pid: u32, tid: u32, at: u64) {
        let loaded = self.process_index(pid).and_then(|index| self.processes.get(index as usize)?.loaded);
        let lives = || Stat::of(pid, tid).is_some_and(|stat| !stat.is_ending());
        if pid == tid && loaded.is_some() && lives() {
            self.lose_sight(pid, tid, at);
        } else {
            self.exited(pid, tid, at);
        }
    }

    fn lose_sight(&mut self, pid: u32, tid: u32, at: u64) {
        let index = self.thread_index(pid, tid, at);
        let Some(thread) = self.threads.get_mut(index as usize) else { return };
        thread.settle(at);
        // Nor may anybody look at where it waits.
        (thread.call, thread.outside) = (None, Some(Why::Unknown));
        thread.state = State::Unknown(at);
        thread.out_of_sight.get_or_insert(at);
        self.unwinder.exit(pid);
        self.pythons.forget(pid);
        self.goroutines.forget(pid);
    }

    /// What the threads did that went out of sight: nobody knows, but how long they were on a CPU or ready for one, which the
    /// scheduler told of them.
    pub(in super::super) fn tell_unseen(&mut self, end: u64) {
        for index in 0..super::index(self.threads.len()) {
            let Some(thread) = self.threads.get_mut(index as usize) else { continue };
            let Some(from) = thread.out_of_sight else { continue };
            let to = thread.to.unwrap_or(end).max(from);
            // When it was on a CPU was not told.
            (thread.state, thread.on_cpu_asked) = (State::Unknown(to), None);
            self.waits.retain(|wait| wait.thread != index || wait.from < from);
            self.waits.push(Wait {
                thread: index,
                from,
                to,
                woken: None,
                why: Why::Unknown,
                sight: None,
                fault: None,
                stack: None,
                by: None,
                holder: None,
                cpu: None,
            });
            if let Some(thread) = self.threads.get_mut(index as usize) {
                thread.last_sight = None;
            }
        }
    }

    pub(in super::super) fn unseen_programs(&self) -> Option<Gap> {
        let unseen = self.threads.iter().filter(|thread| thread.out_of_sight.is_some());
        let mut names: Vec<String> = unseen.map(|thread| format!("`{}`", thread.name)).collect();
        names.sort();
        names.dedup();
        // SAFETY: asks for a number.
        let is_root = unsafe { libc::geteuid() == 0 };
        let next = (!is_root).then_some("run it as root: sudo slowpath …");
        let why = "it runs with other privileges than its caller (set-user-id), or may not be read: at its start the \
                   kernel takes events away from such a program";
        (!names.is_empty()).then(|| Gap::new(&format!("what {} did", names.join(", ")), why, next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_lives_on_after_its_events_were_taken_has_not_ended() {
        let pid = std::process::id();
        for (loaded, is_hidden) in [(Some(5), true), (None, false)] {
            let mut assembler = Assembler::new(1000);
            assembler.start = Some(1);
            let process = assembler.add_process(pid, None, "made".to_owned(), 1);
            let index = assembler.add_thread(pid, process, 1, State::On(1));
            assembler.processes[0].loaded = loaded;
            assembler.left(pid, pid, 100);
            assert_eq!(assembler.threads[0].to.is_none(), is_hidden, "{loaded:?}");
            assembler.end(1000);
            assembler.tell_unseen(1000);
            let unknown = assembler.waits.iter().filter(|wait| wait.why == Why::Unknown);
            let spans: Vec<(u32, u64, u64)> = unknown.map(|wait| (wait.thread, wait.from, wait.to)).collect();
            assert_eq!(spans, if is_hidden { vec![(index, 100, 1000)] } else { vec![] }, "{loaded:?}");
            assert_eq!(assembler.unseen_programs().is_some(), is_hidden, "{loaded:?}");
        }
    }
}
