//! The nouns of slowpath: units, what was asked, what was measured, what is answered.
//!
//! No I/O and no verbs live here. Every other crate depends on this one, and it depends on none of ours.

pub mod answer;
pub mod arg;
pub mod bench;
pub mod blocking;
pub mod brief;
pub mod calls;
pub mod compare;
pub mod doctor;
pub mod exit;
pub mod fingerprint;
pub mod gap;
pub mod gate;
pub mod heap;
pub mod leaf;
pub mod machine_code;
pub mod mangled;
pub mod manifest;
pub mod metric;
pub mod native;
pub mod passes;
pub mod performance_map;
pub mod profile;
pub mod recording;
pub mod runtime;
pub mod sample;
pub mod scale;
pub mod scenario;
pub mod scorecard;
pub mod simulated;
pub mod solo;
pub mod source;
pub mod standing;
pub mod suite;
pub mod summary;
pub mod swift;
pub mod target;
pub mod task;
pub mod units;
pub mod verify;
pub mod worklist;

pub use arg::Arg;
pub use exit::Exit;
pub use gap::Gap;
pub use metric::{Metric, Unit};
pub use sample::{Ended, Sample, Stage};
pub use target::{Arm, Target};
pub use units::{Bytes, Count, Hertz, Nanos, Ratio};
