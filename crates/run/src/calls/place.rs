//! Stacks of threads that a tracer has stopped.
//!
//! A call from a place seen before has the same instruction and stack pointer, and the same return addresses at the same
//! depths: that is checked with one short read, and only a new place is unwound. Methods that a JVM interprets all return to the
//! same addresses: there the words that tell which ones they are must be the same, too.

use std::collections::{HashMap, HashSet};

use stacks::{End, Raw, Registers, Tree, Unwinder};

use crate::ptrace;
use crate::record::memory::read_memory;
use crate::record::pythons::{Native, Pythons};

/// Of a stack, when it is unwound.
const DEEP: usize = 64 * 1024;

/// Different callers of one place that are remembered.
const VARIANTS: usize = 32;

/// Places that are remembered.
const MOST: usize = 50_000;

/// An interpreter is looked for this often while it starts; nanoseconds.
const RECOGNISE: u64 = 10_000_000;

#[derive(Debug)]
pub(super) struct Places {
    pub(super) unwinder: Unwinder,
    pub(super) tree: Tree,
    pythons: Pythons,
    /// By process, instruction and stack pointer.
    known: HashMap<(u32, u64, u64), Vec<Known>>,
    /// Processes whose mappings have changed since they were read.
    stale: HashSet<u32>,
    recognised: u64,
    pub(super) taken: u64,
    pub(super) cut: u64,
    bytes: Vec<u8>,
}

/// A stack and the words that prove it.
#[derive(Debug)]
struct Known {
    /// Return addresses, and what else names a frame, with how far above the stack pointer they lie, ascending.
    proof: Vec<(usize, u64)>,
    frames: Vec<Raw>,
    stack: Option<u32>,
}

impl Known {
    fn holds(&self, bytes: &[u8]) -> bool {
        self.proof.iter().all(|(at, word)| word_at(bytes, *at) == Some(*word))
    }

    fn extent(&self) -> usize {
        self.proof.last().map_or(0, |(at, _)| at + 8)
    }
}

fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|word| u64::from_ne_bytes(*word))
}

impl Places {
    pub(super) fn new() -> Self {
        Self {
            unwinder: Unwinder::new(),
            tree: Tree::new(),
            pythons: Pythons::default(),
            known: HashMap::new(),
            stale: HashSet::new(),
            recognised: 0,
            taken: 0,
            cut: 0,
            bytes: Vec::new(),
        }
    }

    /// A new program, or a new process without one of its own.
    pub(super) fn begin(&mut self, pid: u32) {
        self.forget(pid);
        self.mapped(pid, true);
        if let Ok(program) = std::fs::read_link(format!("/proc/{pid}/exe")) {
            self.path(pid, program.as_os_str().as_encoded_bytes());
        }
    }

    pub(super) fn forget(&mut self, pid: u32) {
        self.unwinder.exit(pid);
        self.pythons.forget(pid);
        self.stale.remove(&pid);
        self.known.retain(|(of, ..), _| *of != pid);
    }

    /// A file came into its memory, as code or not.
    pub(super) fn mapped(&mut self, pid: u32, code: bool) {
        if code {
            self.stale.insert(pid);
        }
    }

    /// It uses a file of this name.
    pub(super) fn path(&mut self, pid: u32, path: &[u8]) {
        self.pythons.mapped(pid, path);
    }

    /// The stack of a stopped thread, as a node of the tree. `None` when nothing of it could be read.
    pub(super) fn of(&mut self, pid: u32, tid: i32, ip: u64, sp: u64, now: u64) -> Option<u32> {
        self.recognise(now);
        if self.stale.remove(&pid) {
            let _ = self.unwinder.read_maps(pid);
            // Other code may lie at the same addresses.
            self.known.retain(|(of, ..), _| *of != pid);
        }
        let key = (pid, ip, sp);
        if let Some(at) = self.find(key) {
            return self.woven(key, at, tid, now);
        }
        let known = self.unwound(pid, tid, sp)?;
        if self.known.len() > MOST {
            self.known.clear();
        }
        let all = self.known.entry(key).or_default();
        if all.len() >= VARIANTS {
            all.clear();
        }
        all.push(known);
        let at = all.len() - 1;
        self.woven(key, at, tid, now)
    }

    fn find(&mut self, key: (u32, u64, u64)) -> Option<usize> {
        let all = self.known.get(&key)?;
        let extent = all.iter().map(Known::extent).max()?;
        self.bytes.resize(extent, 0);
        let read = read_memory(key.0, key.2, &mut self.bytes);
        self.bytes.truncate(read);
        all.iter().position(|known| known.holds(&self.bytes))
    }

    fn unwound(&mut self, pid: u32, tid: i32, sp: u64) -> Option<Known> {
        let registers = ptrace::registers(tid)?;
        self.bytes.resize(DEEP, 0);
        let read = read_memory(pid, sp, &mut self.bytes);
        self.bytes.truncate(read);
        let mut frames = Vec::new();
        self.taken += 1;
        if self.unwinder.unwind(pid, &registers, &self.bytes, &mut frames) == End::Cut {
            self.cut += 1;
        }
        // Before the proof, which undoes the stack once more. The JVM's list of names, which it writes at its end, has neither
        // interpreted methods nor whose they are.
        self.unwinder.name_frames(&mut frames, |frame| self.tree.name_frame(frame));
        let proof = self.proof(pid, &registers);
        let stack = self.tree.intern(&frames);
        Some(Known { proof, frames, stack })
    }

    /// Where the return addresses lie: each is looked for above the one before.
    fn proof(&mut self, pid: u32, registers: &Registers) -> Vec<(usize, u64)> {
        let mut addresses = Vec::new();
        self.unwinder.addresses(pid, registers, &self.bytes, &mut addresses);
        let mut words = self.bytes.as_chunks::<8>().0.iter().enumerate();
        let mut proof = Vec::new();
        for address in addresses.into_iter().skip(1) {
            let found = words.by_ref().find(|(_, word)| u64::from_ne_bytes(**word) == address);
            let Some((at, _)) = found else { break };
            proof.push((at * 8, address));
        }
        let words = self.unwinder.words().iter().filter_map(|(address, word)| {
            let at = usize::try_from(address.checked_sub(registers.sp)?).ok()?;
            Some((at, *word))
        });
        proof.extend(words);
        proof.sort_unstable();
        proof
    }

    /// With Python's own frames, which may differ where the native ones do not.
    fn woven(&mut self, key: (u32, u64, u64), at: usize, tid: i32, now: u64) -> Option<u32> {
        let known = self.known.get(&key)?.get(at)?;
        let (pid, tid) = (key.0, u32::try_from(tid).ok()?);
        if !self.pythons.knows(pid) {
            return known.stack;
        }
        self.pythons.look_at(pid, tid, now, &mut self.tree);
        let mut frames = known.frames.clone();
        let unwinder = &self.unwinder;
        let native = Native { pid, tid, at: None, frames: &mut frames, unwinder, copied: None };
        self.pythons.weave(native, &mut self.tree);
        self.tree.intern(&frames)
    }

    fn recognise(&mut self, now: u64) {
        if self.pythons.any_unknown() && now.saturating_sub(self.recognised) >= RECOGNISE {
            self.recognised = now;
            self.pythons.recognise();
        }
    }
}
