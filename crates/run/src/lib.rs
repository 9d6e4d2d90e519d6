//! The only effects on a target: start it stopped, let it go, wait, measure, clean up.
//!
//! `unsafe` lives here (and later in `stacks`), because this crate talks to the kernel. Nothing is judged here.

mod affinity;
pub mod alloc;
pub mod calls;
pub mod cold;
pub mod count;
pub mod functions;
pub mod group;
pub mod host;
pub mod interrupt;
pub mod launch;
pub mod machine;
pub mod measure;
pub mod process;
pub mod record;
pub mod stdio;

mod clock;
mod error;
mod peak;
mod preload;
mod ptrace;
mod terminal;
mod wait;

pub use affinity::on_one_cpu;
pub use error::RunError;
pub use interrupt::Interrupt;
pub use launch::Launcher;
pub use measure::{Measured, Recipe, Rig, Slot, beside, measure, measure_exactly, measure_in_group};
pub use terminal::terminal_width;
