//! The judging of made samples: what is claimed, what is not, and what is said instead.

mod answer;
mod bench;
mod compare;
mod counted;
mod made;
mod stored;
