//! Addresses → frames: unwinding, symbols, perf maps, the Python and Go readers, stack tables.

mod arch;
mod boot;
pub mod files;
pub mod generated;
pub mod go;
pub mod hash;
mod jit_dump;
pub mod jitted;
mod jvm;
mod kept;
pub mod kernel;
mod mapped;
pub mod module;
pub mod name;
pub mod owner;
pub mod perf_map;
pub mod python;
pub mod raw;
mod recorded;
mod space;
mod steps;
mod symbols;
pub mod tree;
pub mod unwind;

pub use boot::RecordedKernel;
pub use files::{Files, Origin};
pub use kept::cache_folder;
pub use mapped::{Mapped, mapped};
pub use module::Module;
pub use name::{Resolved, resolve};
pub use owner::Project;
pub use perf_map::{PerfMap, PerfMaps};
pub use raw::{General, Mapping, ModuleId, REGISTERS, Raw, Registers};
pub use recorded::{Sources, name_recording};
pub use tree::Tree;
pub use unwind::{End, Unwinder};
