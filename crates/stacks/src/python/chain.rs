//! The chain of interpreters and threads, which changes rarely: walked once, then only checked.

use super::Torn;
use super::memory::{self, Memory, Piece, word_at};
use super::objects::{Clusters, Guess};
use super::offsets::LockPlace;
use super::reader::Interpreter;

/// More interpreters or threads than this are taken for a circle.
const MOST_STATES: usize = 1 << 10;
const MOST_THREADS: usize = 1 << 14;

/// One interpreter of the process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) address: u64,
    threads_head: u64,
    /// Where its lock is; zero when the lock belongs to the runtime.
    pub(crate) lock: u64,
}

/// One Python thread, and where the last look found what.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub(crate) address: u64,
    /// Its interpreter.
    pub(crate) state: u64,
    pub(crate) lock: u64,
    /// As the chain was walked, and as it was last seen.
    next: u64,
    pub(crate) next_seen: u64,
    pub(crate) numbers: Numbers,
    /// `None` when no thread of the kernel bears its numbers.
    pub(crate) tid: Option<u32>,
    /// It has been seen with a frame, so its numbers are its own.
    pub(crate) settled: bool,
    /// The outermost frame of the last whole look, another one seen since, and how often.
    pub(crate) bottom: u64,
    pub(crate) doubted_bottom: u64,
    pub(crate) doubts: u32,
    /// Guesses for the next look: the record on the C stack, the innermost frame, pieces of the stack of frames, frames apart from them,
    /// code objects.
    pub(crate) c_frame: u64,
    pub(crate) top: u64,
    pub(crate) chunks: Vec<Piece>,
    pub(crate) apart: Vec<u64>,
    /// Until 3.10 all frames, highest first.
    pub(crate) objects: Vec<Guess>,
    pub(crate) clusters: Clusters,
    pub(crate) codes: Vec<u64>,
}

/// What a thread notes of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// libc's handle.
    pub(crate) handle: u64,
    /// The kernel's number, from 3.11.
    pub(crate) native: Option<u64>,
}

impl<M: Memory> Interpreter<M> {
    /// Walks the chain again if its beginning has changed: new threads and interpreters are put in front.
    pub(crate) fn renew_chain(&mut self) -> Result<(), Torn> {
        let settled = self.threads.iter().all(|thread| thread.settled);
        if settled && !self.states.is_empty() && self.heads_hold()? { Ok(()) } else { self.walk_chain() }
    }

    /// The thread still points to the one that came after it.
    pub(crate) fn is_link_whole(&self, index: usize) -> bool {
        self.threads.get(index).is_some_and(|thread| thread.next == thread.next_seen)
    }

    fn heads_hold(&mut self) -> Result<bool, Torn> {
        self.shot.clear();
        self.want_heads();
        self.shot.take(&self.memory)?;
        self.compare_heads();
        Ok(self.heads_held)
    }

    /// Asks for the beginnings of the chain in the next taking.
    pub(crate) fn want_heads(&mut self) {
        self.shot.want(self.runtime.wrapping_add(self.offsets.interpreters_head as u64), 8);
        for state in &self.states {
            self.shot.want(state.address.wrapping_add(self.offsets.threads_head as u64), 8);
        }
    }

    pub(crate) fn compare_heads(&mut self) {
        let first = self.states.first().map_or(0, |state| state.address);
        let head = self.runtime.wrapping_add(self.offsets.interpreters_head as u64);
        let threads_head = |state: &State| state.address.wrapping_add(self.offsets.threads_head as u64);
        self.heads_held = self.shot.word(head) == Some(first)
            && self
                .states
                .iter()
                .all(|state| self.shot.word(threads_head(state)) == Some(state.threads_head));
    }

    pub(crate) fn walk_chain(&mut self) -> Result<(), Torn> {
        let mut old = std::mem::take(&mut self.threads);
        self.states.clear();
        let mut next = self.word(self.runtime, self.offsets.interpreters_head)?;
        while next != 0 {
            if self.states.len() == MOST_STATES {
                return Err(Torn::Moved);
            }
            let state = State {
                address: next,
                threads_head: self.word(next, self.offsets.threads_head)?,
                lock: match self.offsets.lock {
                    LockPlace::Interpreter { pointer, .. } => self.word(next, pointer)?,
                    LockPlace::Runtime { .. } => 0,
                },
            };
            self.states.push(state);
            self.walk_threads(&state, &mut old)?;
            next = self.word(state.address, self.offsets.interpreter_next)?;
        }
        Ok(())
    }

    fn walk_threads(&mut self, state: &State, old: &mut Vec<Thread>) -> Result<(), Torn> {
        let mut address = state.threads_head;
        while address != 0 {
            if self.threads.len() == MOST_THREADS {
                return Err(Torn::Moved);
            }
            let bytes = memory::bytes(&self.memory, address, self.offsets.thread_length())?;
            let bytes = bytes.ok_or(Torn::Moved)?;
            if word_at(&bytes, self.offsets.thread_interpreter) != Some(state.address) {
                return Err(Torn::Moved);
            }
            let known = old.iter().position(|thread| thread.address == address);
            let mut thread = known.map(|known| old.swap_remove(known)).unwrap_or_default();
            (thread.address, thread.state, thread.lock) = (address, state.address, state.lock);
            address = word_at(&bytes, self.offsets.thread_next).ok_or(Torn::Moved)?;
            (thread.next, thread.next_seen) = (address, address);
            let numbers = self.numbers(&bytes).ok_or(Torn::Moved)?;
            self.name_thread(&mut thread, numbers)?;
            self.threads.push(thread);
        }
        Ok(())
    }

    /// What a thread notes of itself.
    pub(crate) fn numbers(&self, bytes: &[u8]) -> Option<Numbers> {
        let native = self.offsets.native_thread_id().and_then(|offset| word_at(bytes, offset));
        Some(Numbers { handle: word_at(bytes, self.offsets.thread_id)?, native })
    }

    /// Finds the thread's number in the kernel, if what it notes of itself is new.
    pub(crate) fn name_thread(&mut self, thread: &mut Thread, numbers: Numbers) -> Result<(), Torn> {
        if thread.numbers != numbers {
            thread.tid = self.tids.resolve(&self.memory, numbers.native, numbers.handle)?;
            thread.numbers = numbers;
        }
        Ok(())
    }

    fn word(&self, address: u64, offset: usize) -> Result<u64, Torn> {
        memory::word(&self.memory, address.wrapping_add(offset as u64))?.ok_or(Torn::Moved)
    }
}
