//! Valgrind's instruments: how they are started, and what they write.
//!
//! Each process writes its own file. One that was forked under cachegrind starts with the counts of its parent up to the fork, so
//! adding the files of a program that forks without executing another counts that part once more for each child (seen with 3.19.0
//! and 3.24.0). [`Process::seems_forked_from`] tells such a process by its log.

mod bare;
pub mod cachegrind;
pub mod callgrind;
pub mod costs;
pub mod dhat;
mod frame;
mod geometry;
mod hash;
pub mod held;
pub mod invocation;
pub mod massif;
mod process;
mod refusal;
mod rows;
mod startup;
mod text;
mod version;

pub use bare::without_debug;
pub use frame::Frame;
pub use geometry::{Caches, Described, Geometry, Shape, legal_geometry};
pub use process::Process;
pub use refusal::{ValgrindFailure, valgrind_failure};
pub use rows::{Counts, Rows};
pub use startup::is_startup;
pub use version::{Valgrind, Version};

#[cfg(test)]
mod fixtures;
