//! Addresses → frames: unwinding, symbols, perf maps, the Python reader, stack tables.

mod arch;
pub mod files;
pub mod generated;
mod hash;
pub mod kernel;
pub mod module;
pub mod name;
pub mod owner;
pub mod perf_map;
pub mod python;
pub mod raw;
mod space;
mod symbols;
pub mod tree;
pub mod unwind;

pub use files::Files;
pub use module::Module;
pub use name::{Resolved, resolve};
pub use owner::Project;
pub use perf_map::{PerfMap, PerfMaps};
pub use raw::{Mapping, ModuleId, Raw, Registers};
pub use tree::Tree;
pub use unwind::{End, Unwinder};
