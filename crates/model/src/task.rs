//! Tasks that a runtime schedules itself, as goroutines are: what each was seen doing.
//!
//! A task that waits has no thread, so threads tell nothing of it. A recorder looks at tasks at ticks; what a look finds
//! stands for the time halfway to the looks before and after.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Nanos;
use crate::recording::{StackIndex, ThreadIndex};

/// Position in [`crate::recording::Recording::tasks`].
pub type TaskIndex = u32;

/// One task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Position in [`crate::recording::Recording::processes`].
    pub process: u32,
    /// The runtime's own number of it.
    pub id: u64,
    /// It runs the program's `main`: with it the program ends.
    pub main: bool,
}

/// A span in which a task was seen doing one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSpan {
    pub task: TaskIndex,
    pub from: Nanos,
    pub to: Nanos,
    pub doing: Doing,
    /// The thread that carried it, where one did and could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadIndex>,
    /// Why it waits, in the runtime's words ("chan receive"): position in [`crate::recording::Recording::calls`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// Where it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<StackIndex>,
    /// Looks that found it so.
    pub looks: u32,
    /// Times it left its thread since the look before: waits that began, and with them those that no look saw.
    pub parkings: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    Running,
    /// In a system call.
    Call,
    /// It could go on, had it a thread.
    Ready,
    Waiting,
}
