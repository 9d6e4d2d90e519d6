//! The program without running it: the machine code of the loops that a measurement found hot.
//!
//! [`audit`] takes code and where it was seen to cost time. It decodes the hot functions alone, finds their loops, gives
//! each its measured weight, and answers six questions about each innermost hot loop: vector instructions, branches,
//! calls, how memory is walked, spills, alignment. Nothing here starts a process or reads a file.

mod aarch64;
mod audit;
mod callable;
mod code;
mod graph;
mod image;
mod instruction;
mod iteration;
mod lines;
mod optimisation;
mod pattern;
pub mod source;
mod weight;
mod wide;
mod x86;

pub use audit::{Request, audit};
pub use callable::{Wanted, callables};
pub use code::{Code, Function, Piece, Raw, places};
pub use image::{Image, ImageError};
pub use optimisation::is_unoptimised;
pub use weight::Hot;
pub use wide::{Chosen, Wide, wide};
