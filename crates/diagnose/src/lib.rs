//! From samples to answers. Pure: the same samples give the same answer, on any machine, at any time.

pub mod answer;
pub mod bench;
pub mod blocks;
pub mod cause;
pub mod comparable;
pub mod compare;
pub mod counted;
pub mod gate;
pub mod map;
pub mod noise;
pub mod outlier;
pub mod pool;
pub mod profile;
pub mod recorded;
pub mod scale;
pub mod score;
pub mod stored;
pub mod suite;
pub mod summary;
pub mod verify;
pub mod warning;
pub mod worklist;

mod depth;
mod lines;
mod overall;
mod unlike;
