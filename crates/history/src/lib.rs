//! Run folders: one folder a run, written so that a reader never sees half of anything.
//!
//! `run.json` and every answer are replaced whole (temporary file, sync, rename); samples are appended a line at a
//! time, and a line without its newline was never finished. So a run killed at any moment can be read up to there,
//! and readers need no lock.

mod error;
mod folder;
mod pack;
mod read;
mod store;

pub use error::StoreError;
pub use folder::RunFolder;
pub use read::{Loaded, load, rest_of_the_run};
pub use store::{Store, new_id};
