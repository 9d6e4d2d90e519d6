//! CPython from outside: what each Python thread runs and who holds the interpreter lock, without stopping anything.
//!
//! [`Interpreter::find`] recognises CPython 3.8 to 3.15 by its mapped files and symbols; [`Interpreter::read`] and
//! [`Interpreter::read_thread`] look at its threads through `process_vm_readv`; [`weave()`] joins a Python stack with
//! the native stack of the same thread. The target runs on meanwhile, so a reading may come out torn. That is noticed
//! (pointers that lead nowhere, code that is none, instructions outside their code), tried once more and then told as
//! [`Torn`]; what is returned is made of real functions only.

mod calls;
mod chain;
mod code;
pub(crate) mod find;
mod lines;
mod look;
pub(crate) mod memory;
mod moment;
mod objects;
mod offsets;
mod pieces;
mod reader;
mod resolve;
#[cfg(test)]
mod tests;
mod tids;
mod weave;

pub use code::{Code, CodeId};
pub use find::EvalCode;
pub(crate) use memory::Snapshot;
pub use memory::{Memory, Piece, Remote, Unreadable};
pub use moment::{Habit, Moment, Running, Runs};
pub use offsets::Offsets;
pub use reader::Interpreter;
pub use weave::{Strand, Woven, weave};

/// Why a process is not read as Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPython {
    /// Also what a program looks like whose libraries are not loaded yet: ask again when it has mapped more.
    #[error("no CPython is loaded in the process")]
    NoInterpreter,
    #[error("process {pid} has ended")]
    Gone { pid: u32 },
    #[error("the memory of process {pid} is not ours to read")]
    Refused { pid: u32 },
    #[error("CPython is loaded, but nothing tells its version")]
    VersionUnknown,
    #[error("Python 3.{minor} cannot be read: only 3.8 and later, while their offset table keeps its order")]
    Unsupported { minor: u8 },
    #[error("Python 3.{minor} without the interpreter lock cannot be read yet")]
    FreeThreaded { minor: u8 },
}

/// Why a reading has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Torn {
    #[error("the stack changed while it was read, twice")]
    Moved,
    #[error("more than {limit} frames, or frames in a circle")]
    Deep { limit: usize },
    #[error("the process has ended")]
    Gone,
    #[error("the kernel does not let us read the process's memory")]
    Refused,
}

impl From<Unreadable> for Torn {
    fn from(cause: Unreadable) -> Self {
        match cause {
            Unreadable::Gone => Self::Gone,
            Unreadable::Refused => Self::Refused,
        }
    }
}

/// All Python threads at nearly one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Those that have a frame.
    pub threads: Vec<PyThread>,
    /// Threads that changed too fast to be read, twice.
    pub torn: u32,
}

impl Reading {
    /// The thread seen with the interpreter lock. `None`: nobody was, or it could not be told.
    #[must_use]
    pub fn holder(&self) -> Option<u32> {
        self.threads.iter().find(|thread| thread.holds_lock == Some(true)).map(|thread| thread.tid)
    }
}

/// One Python thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PyThread {
    /// The kernel's number of the thread.
    pub tid: u32,
    /// Innermost first.
    pub frames: Vec<PyFrame>,
    /// It moved, and of some of the innermost frames it is likely, not known, that they called each other.
    pub guessed: bool,
    /// It had the interpreter lock. `None` when that could not be told.
    pub holds_lock: Option<bool>,
    /// It was collecting garbage. `None` when that could not be told.
    pub collecting: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PyFrame {
    /// Named by [`Interpreter::code`].
    pub code: CodeId,
    /// `None` when the instruction belongs to no line.
    pub line: Option<u32>,
    /// An evaluation loop of its own began here, so a native frame of it exists.
    pub entry: bool,
}
