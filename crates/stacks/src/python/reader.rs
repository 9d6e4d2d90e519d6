//! The reader's face: an interpreter found, and what it is asked.

use std::collections::{HashMap, HashSet};

use model::recording::{Frame, Language, Owner};

use super::chain::{State, Thread};
use super::code::{Code, CodeId, Codes};
use super::find::{self, EvalCode, Types};
use super::lines::Table;
use super::look::Mark;
use super::memory::{Memory, Remote, Snapshot};
use super::objects::Uses;
use super::offsets::{self, CollectorPlace, Entry, Offsets};
use super::pieces::Sites;
use super::tids::Tids;
use super::{NotPython, PyFrame, PyThread, Reading, Torn};

/// A running CPython, seen from outside.
#[derive(Debug)]
pub struct Interpreter<M: Memory = Remote> {
    pub(crate) memory: M,
    pub(crate) offsets: Offsets,
    pub(crate) table: Table,
    minor: u8,
    /// Where `_PyRuntime` is in the target.
    pub(crate) runtime: u64,
    pub(crate) types: Types,
    eval: EvalCode,
    /// Interpreters of the process, usually one, and all their threads in the order they are chained.
    pub(crate) states: Vec<State>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) codes: Codes,
    pub(crate) tids: Tids,
    /// Rooms that are used again: what a look takes first, what it still lacked, and the frames it walked.
    pub(crate) shot: Snapshot,
    pub(crate) late: Snapshot,
    pub(crate) marks: Vec<Mark>,
    /// Instructions at which callers of Python functions were seen to stand still, how often, and callers with what they called.
    pub(crate) calls: HashMap<u8, u32>,
    pub(crate) pairs: HashSet<(u64, u64)>,
    /// How often a caller was seen at an instruction below what it may not have called.
    pub(crate) doubted: HashMap<(u64, u64, u64), u32>,
    /// Where callers were seen to wait, and for what, from 3.11.
    pub(crate) sites: Sites,
    /// Words of hits that were looked at for code.
    pub(crate) tried: HashSet<u64>,
    pub(crate) discoveries: u32,
    /// What frames were used for, until 3.10.
    pub(crate) uses: Uses,
    /// Whether the next look also looks at the beginnings of the chain, and whether they were last found unchanged.
    pub(crate) watch_heads: bool,
    pub(crate) heads_held: bool,
}

impl Interpreter {
    /// Looks whether the process is CPython, which, and where.
    ///
    /// For other processes this reads the list of mappings and the exported symbols of the program, no more.
    pub fn find(pid: u32) -> Result<Self, NotPython> {
        let found = find::find(pid)?;
        let mut interpreter =
            Self::at(Remote { pid }, found.minor, found.offsets, found.runtime, found.types);
        interpreter.eval = found.eval;
        interpreter.tids = Tids::of(pid);
        Ok(interpreter)
    }
}

impl<M: Memory> Interpreter<M> {
    /// An interpreter of version 3.`minor` at known addresses of any memory.
    pub(crate) fn at(memory: M, minor: u8, offsets: Offsets, runtime: u64, types: Types) -> Self {
        Self {
            memory,
            offsets,
            table: offsets::line_table(minor),
            minor,
            runtime,
            types,
            eval: EvalCode { path: Vec::new(), ranges: Vec::new() },
            states: Vec::new(),
            threads: Vec::new(),
            codes: Codes::default(),
            tids: Tids::default(),
            shot: Snapshot::default(),
            late: Snapshot::default(),
            calls: HashMap::new(),
            pairs: HashSet::new(),
            doubted: HashMap::new(),
            sites: Sites::default(),
            tried: HashSet::new(),
            discoveries: 0,
            uses: Uses::default(),
            marks: Vec::new(),
            watch_heads: false,
            heads_held: false,
        }
    }

    /// Of version 3.x the x.
    #[must_use]
    pub fn minor(&self) -> u8 {
        self.minor
    }

    /// Whether each function runs in an evaluation loop of its own, rather than in that of its caller.
    #[must_use]
    pub fn has_loop_for_each(&self) -> bool {
        self.offsets.entry() == Entry::Each
    }

    /// Whether its threads tell that they collect garbage.
    #[must_use]
    pub fn shows_collector(&self) -> bool {
        self.offsets.collecting != CollectorPlace::Unknown
    }

    /// Which native code is the evaluation loop.
    #[must_use]
    pub fn eval(&self) -> &EvalCode {
        &self.eval
    }

    /// The code of a frame this interpreter gave. `None` for others'.
    #[must_use]
    pub fn code(&self, id: CodeId) -> Option<&Code> {
        self.codes.code(id)
    }

    /// A frame in the form of recordings. `owner` decides by the file's name whose code it is.
    #[must_use]
    pub fn frame(&self, frame: &PyFrame, owner: impl FnOnce(&str) -> Owner) -> Frame {
        let code = self.code(frame.code);
        Frame {
            language: Language::Python,
            function: code.map(|code| code.name.clone()),
            file: code.map(|code| code.file.clone()),
            line: frame.line,
            module: None,
            offset: None,
            is_start: false,
            inlined: false,
            owner: code.map_or(Owner::Unknown, |code| owner(&code.file)),
        }
    }

    /// Reads all threads. Before the interpreter has started and after it has ended there are none.
    pub fn read(&mut self) -> Result<Reading, Torn> {
        let mut torn = Torn::Moved;
        for _ in 0..2 {
            match self.read_once() {
                Ok(reading) => return Ok(reading),
                Err(fatal @ (Torn::Gone | Torn::Refused)) => return Err(fatal),
                Err(again) => torn = again,
            }
            // Whatever was wrong, the chain of threads is the first to doubt. If it is torn too, the next turn says so.
            if let Err(fatal @ (Torn::Gone | Torn::Refused)) = self.walk_chain() {
                return Err(fatal);
            }
        }
        Err(torn)
    }

    fn read_once(&mut self) -> Result<Reading, Torn> {
        if self.threads.is_empty() {
            self.renew_chain()?;
        }
        let mut reading = Reading::default();
        for index in 0..self.threads.len() {
            match self.look_again(index) {
                Ok(thread) => reading.threads.extend(thread),
                Err(fatal @ (Torn::Gone | Torn::Refused)) => return Err(fatal),
                Err(Torn::Moved | Torn::Deep { .. }) => reading.torn += 1,
            }
            if !self.heads_held || !self.is_link_whole(index) {
                return Err(Torn::Moved);
            }
        }
        Ok(reading)
    }

    /// Reads one thread by the kernel's number of it. `None` when it has no Python frame.
    pub fn read_thread(&mut self, tid: u32) -> Result<Option<PyThread>, Torn> {
        if !self.threads.iter().any(|thread| thread.tid == Some(tid)) {
            self.renew_chain()?;
        }
        for index in 0..self.threads.len() {
            if self.threads.get(index).is_some_and(|thread| thread.tid == Some(tid)) {
                // A thread that has just been made may still bear its parent's number; it has no frame yet.
                let seen = self.look_again(index)?;
                if let Some(thread) = seen.filter(|thread| thread.tid == tid) {
                    return Ok(Some(thread));
                }
            }
        }
        Ok(None)
    }

    /// Looks until what is seen is whole, some times.
    fn look_again(&mut self, index: usize) -> Result<Option<PyThread>, Torn> {
        const MORE: usize = 3;
        let mut seen = self.look(index);
        for _ in 0..MORE {
            if !matches!(seen, Err(Torn::Moved | Torn::Deep { .. })) {
                break;
            }
            seen = self.look(index);
        }
        seen
    }
}
