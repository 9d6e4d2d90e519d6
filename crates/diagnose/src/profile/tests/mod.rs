//! Made recordings with a known truth, and what the profile must say of them.

mod corrections;
mod hostile;
mod idle;
pub(crate) mod made;
mod paths;
mod storms;
mod tasks;
mod threads;
mod views;
