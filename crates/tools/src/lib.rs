//! What other programs write, read into types: bytes in, facts out.
//!
//! Nothing here opens a file, starts a process or reads a clock. A parser returns every number its input holds or an
//! error that names the place; it never returns a part of a cut file as if it were the whole.

pub mod collector;
mod error;
pub mod jfr;
pub mod nvidia;
pub mod perf_stat;
pub mod recorded;
pub mod saved;
pub mod suite;
pub mod valgrind;
pub mod wire;

pub use error::ParseError;
pub use valgrind::cachegrind;

#[cfg(test)]
mod fixtures;
