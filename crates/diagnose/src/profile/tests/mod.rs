//! Made recordings with a known truth, and what the profile must say of them.

mod corrections;
mod hostile;
mod idle;
mod made;
mod paths;
mod storms;
mod threads;
mod views;
