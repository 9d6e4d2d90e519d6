//! slowpath from outside: real processes, real folders, real signals.

mod answers;
mod place;
