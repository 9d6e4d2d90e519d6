//! Goroutines from outside: what each one waits for and where, without stopping anything.
//!
//! A goroutine that waits has no thread, so no stack of a thread tells of it. Its own stack stands still in the memory
//! of the program, and the runtime keeps a list of all goroutines (`runtime.allgs`). [`Runtime::find`] recognises a Go
//! program by its sections and finds the list by its symbols; [`Runtime::look`] reads it through `process_vm_readv`.
//! The target runs on meanwhile: what is torn (pointers that lead nowhere, frames out of order) is left out, and a
//! goroutine whose number of parkings changed between two readings is shown without its stack.

mod find;
mod look;
mod offsets;
pub(crate) mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use look::Runtime;

/// Why the goroutines of a process are not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotGo {
    #[error("it is no Go program")]
    OtherProgram,
    #[error("process {pid} has ended, or is not ours to read")]
    Unreadable { pid: u32 },
    #[error("its runtime has not begun")]
    TooEarly,
    #[error("its symbols were stripped, so its list of goroutines cannot be found")]
    Stripped,
    #[error("goroutines of {version} cannot be read, only those of Go 1.19 and of 1.21 to 1.27")]
    Unsupported { version: String },
}

/// One goroutine of the user's at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goroutine {
    /// The runtime's own number. The main goroutine is 1.
    pub id: u64,
    pub doing: Doing,
    /// How often it has left its thread, modulo 256: two readings with the same number are of the same wait.
    pub parkings: u8,
    /// Of one that waits, where each of its frames goes on: return addresses, innermost first. Empty when it does not
    /// wait or its stack was torn.
    pub returns: Arc<[u64]>,
}

/// What a goroutine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doing {
    /// On this thread of the kernel's; `None` when it just moved.
    Running { tid: Option<u32> },
    /// In a system call of this thread.
    Call { tid: Option<u32> },
    /// It could go on, had it a thread.
    Ready,
    /// Parked for a reason that [`Runtime::reason`] tells.
    Waiting { reason: u8 },
}

/// The number of the goroutine that runs `main.main`.
pub const MAIN: u64 = 1;
