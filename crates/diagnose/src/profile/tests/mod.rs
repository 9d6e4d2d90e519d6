//! Made recordings with a known truth, and what the profile must say of them.

mod hostile;
mod idle;
mod made;
mod paths;
mod threads;
mod views;
