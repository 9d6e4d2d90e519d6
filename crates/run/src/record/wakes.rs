//! Who ended a wait, from what other threads of the tree did meanwhile.
//!
//! Without privileges nobody tells who woke a thread. But the calls of the tree are seen: who woke the same futex word,
//! wrote to the same pipe, sent from the process at the other end, or ended. The last of them inside the wait is the
//! witness. With privileges the kernel's own record is taken first.

use std::collections::HashMap;

use model::recording::Object;

use super::objects::Objects;
use super::subject::{Subject, subject};
use super::syscalls::Syscall;

/// When, and which thread.
type Deed = (u64, u32);

/// When it was woken, where that is known as well, and by which thread. An end is told at its beginning; whoever waits for
/// it is woken later.
type Witness = (Option<u64>, u32);

/// How long after a deed its waiter may come back and still be taken as woken by it, where nothing else joins the two.
/// Whoever stood in the queue of a loaded machine may come back later by that.
pub(super) const SOON: u64 = 5_000_000;

/// A span off the CPU: whose, from and to, and how long before its end a deed may be that ended it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Away {
    pub(super) thread: u32,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) soon: u64,
}

#[derive(Debug, Default)]
pub(super) struct Wakes {
    words: HashMap<(u32, u64), Deed>,
    pipes: HashMap<u64, Deed>,
    /// What each process sent last over any socket.
    sends: HashMap<u32, Deed>,
    /// Events and the like, which have no number of their own: by process.
    events: HashMap<u32, Deed>,
    /// The last one to something that was gone before it could be looked at.
    unresolved: Option<Deed>,
    children: HashMap<u32, Deed>,
    threads: HashMap<u32, Deed>,
}

impl Wakes {
    /// Notes a call that may end somebody's wait.
    pub(super) fn calls(
        &mut self,
        objects: &mut Objects,
        (pid, process): (u32, u32),
        deed: Deed,
        call: Syscall,
        arguments: &[u64; 6],
    ) {
        match subject(call, arguments) {
            Subject::Word { address, wakes: true, .. } => {
                self.words.insert((process, address), deed);
            }
            Subject::Descriptor(fd) if call.sends() => match objects.of_fd(pid, fd, deed.0) {
                Some(Object::Pipe { inode }) => {
                    self.pipes.insert(inode, deed);
                }
                Some(Object::Socket { .. }) => {
                    self.sends.insert(process, deed);
                }
                Some(Object::Event) => {
                    self.events.insert(process, deed);
                }
                None => self.unresolved = Some(deed),
                Some(_) => {}
            },
            _ => {}
        }
    }

    pub(super) fn child_ended(&mut self, parent: u32, thread: u32, at: u64) {
        self.children.insert(parent, (at, thread));
    }

    pub(super) fn thread_ended(&mut self, process: u32, thread: u32, at: u64) {
        self.threads.insert(process, (at, thread));
    }

    /// Who ended a wait of this process on this object, and when.
    pub(super) fn witness(&self, away: Away, process: u32, object: Option<&Object>) -> Option<Witness> {
        let Away { thread, from, to, soon } = away;
        let inside =
            |deed: Option<&Deed>| deed.copied().filter(|(at, by)| (from..=to).contains(at) && *by != thread);
        let shortly = |deed: Option<&Deed>| inside(deed).filter(|(at, _)| to - at <= soon);
        let deed = |(at, by): Deed| (Some(at), by);
        let end = |(_, by): Deed| (None, by);
        match object? {
            Object::Lock { address, .. } => inside(self.words.get(&(process, *address)))
                .map(deed)
                // Joining a thread is waiting for a word that the kernel itself wakes at the thread's end.
                .or_else(|| shortly(self.threads.get(&process)).map(end)),
            Object::Pipe { inode } => inside(self.pipes.get(inode))
                .or_else(|| shortly(self.unresolved.as_ref()))
                .map(deed)
                .or_else(|| shortly(self.children.get(&process)).map(end)),
            Object::Child { .. } => inside(self.children.get(&process)).map(end),
            Object::Socket { local_peer: Some(peer), .. } => {
                inside(self.sends.get(peer)).or_else(|| shortly(self.unresolved.as_ref())).map(deed)
            }
            Object::Event => inside(self.events.get(&process)).map(deed),
            Object::Set { .. } => [&self.events, &self.sends]
                .iter()
                .filter_map(|deeds| shortly(deeds.get(&process)))
                .chain(self.pipes.values().filter_map(|deed| shortly(Some(deed))))
                .chain(self.sends.values().filter_map(|deed| shortly(Some(deed))))
                .max_by_key(|(at, _)| *at)
                .map(deed),
            _ => None,
        }
    }

    /// Whether a thread that read from something that was gone before anybody looked at it may have been given something
    /// meanwhile: somebody wrote to a pipe or to what was gone too, or a child of these processes ended, which closes its
    /// pipes. And who, when that was the last thing before its wait was over.
    pub(super) fn given(&self, away: Away, families: [Option<u32>; 2]) -> Option<Option<Witness>> {
        let Away { thread, from, to, soon } = away;
        let inside = |deed: &&Deed| (from..=to).contains(&deed.0) && deed.1 != thread;
        let written = self.pipes.values().chain(&self.unresolved).filter(inside).max();
        let of = |family: &u32| self.children.get(family);
        let ended = families.iter().flatten().filter_map(of).filter(inside).max();
        let told = written.map(|(at, by)| (*at, (Some(*at), *by)));
        let (at, witness) = told.or_else(|| ended.map(|(at, by)| (*at, (None, *by))))?;
        Some((to - at <= soon).then_some(witness))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn away(thread: u32, from: u64, to: u64) -> Away {
        Away { thread, from, to, soon: SOON }
    }

    #[test]
    fn what_is_gone_was_a_pipe_when_somebody_wrote_or_ended_meanwhile() {
        let mut wakes = Wakes::default();
        assert_eq!(wakes.given(away(1, 10, 20), [Some(0), None]), None);
        wakes.child_ended(0, 2, 15);
        assert_eq!(wakes.given(away(1, 10, 20), [Some(7), None]), None);
        assert_eq!(wakes.given(away(1, 10, 20), [Some(7), Some(0)]), Some(Some((None, 2))));
        wakes.unresolved = Some((12, 3));
        assert_eq!(wakes.given(away(1, 10, 20), [Some(0), None]), Some(Some((Some(12), 3))));
        assert_eq!(wakes.given(away(1, 10, 20 + SOON), [Some(0), None]), Some(None));
        assert_eq!(wakes.given(away(3, 10, 20), [Some(7), None]), None);
        assert_eq!(wakes.given(away(1, 16, 20), [Some(0), None]), None);
    }

    #[test]
    fn whoever_stood_in_the_queue_comes_back_later() {
        let wakes = Wakes { unresolved: Some((12, 3)), ..Wakes::default() };
        let pipe = Some(&Object::Pipe { inode: 9 });
        let late = away(1, 10, 20 + SOON);
        assert_eq!(wakes.witness(late, 0, pipe), None);
        assert_eq!(wakes.witness(Away { soon: SOON + 8, ..late }, 0, pipe), Some((Some(12), 3)));
    }
}
