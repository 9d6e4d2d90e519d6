//! One execution of the target and everything measured of it. These are the raw facts: they are stored, and every
//! estimate is derived from them again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{Bytes, Count, Hertz, Nanos};

/// One execution of one arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// Which command, as an index into the manifest's arms.
    pub arm: u32,
    /// Position in the whole sitting, from 1: the line in the samples file. Drift can be plotted.
    pub order: u32,
    /// Which interleaved block; `None` for warm-up.
    pub block: Option<u32>,
    pub stage: Stage,
    pub ended: Ended,
    /// From the last instruction before the program is loaded to the end of its first process.
    #[serde(rename = "wall_ns")]
    pub wall: Nanos,
    /// User time of the target and the children it waited for.
    #[serde(rename = "user_ns")]
    pub user: Nanos,
    /// System time of the target and the children it waited for.
    #[serde(rename = "system_ns")]
    pub system: Nanos,
    /// CPU time of the target's first process alone; the rest of `user` + `system` is its children's.
    #[serde(rename = "own_cpu_ns")]
    pub own_cpu: Option<Nanos>,
    /// Largest resident size of any one process of the target.
    ///
    /// The kernel keeps this figure per CPU and folds it in batches (since Linux 6.2), so it lags behind the truth.
    #[serde(rename = "peak_rss_bytes")]
    pub peak_rss: Bytes,
    /// The same, read exactly at the end of each process; only for warm-up runs, because it takes a tracer.
    #[serde(rename = "exact_peak_rss_bytes")]
    pub exact_peak_rss: Option<Bytes>,
    /// Most memory that any one process had asked for at once, used or not; only for warm-up runs, as above.
    #[serde(default, rename = "peak_mapped_bytes")]
    pub peak_mapped: Option<Bytes>,
    pub minor_faults: Count,
    pub major_faults: Count,
    pub voluntary_switches: Count,
    pub involuntary_switches: Count,
    pub io: Option<Io>,
    /// The first thread's scheduler account.
    pub main_thread: Option<MainThread>,
    /// The whole tree as its own control group saw it; only for warm-up runs, because the group costs time.
    pub tree: Option<Tree>,
    pub covariates: Covariates,
    /// Processes that outlived the target and were ended by us.
    pub left_behind: Count,
    /// SHA-256 of the captured standard output, in hexadecimal.
    pub output: Option<String>,
}

impl Sample {
    /// User and system time together. The sum is exact; the split rests on timer ticks.
    /// `None` when it does not fit, which no real run reaches.
    #[must_use]
    pub fn cpu(&self) -> Option<Nanos> {
        self.user.plus(self.system)
    }
}

/// What a run was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Brings caches to their steady state; never pooled.
    WarmUp,
    Measure,
}

/// How a process ended. The target's own end is data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    Code(u8),
    Signal(i32),
}

impl Ended {
    #[must_use]
    pub const fn succeeded(self) -> bool {
        matches!(self, Self::Code(0))
    }
}

/// Bytes moved by the target and the children it waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Io {
    /// Through read-like system calls, page cache included.
    #[serde(rename = "read_bytes")]
    pub read: Bytes,
    #[serde(rename = "written_bytes")]
    pub written: Bytes,
    /// From and to the storage layer.
    #[serde(rename = "block_read_bytes")]
    pub block_read: Bytes,
    #[serde(rename = "block_written_bytes")]
    pub block_written: Bytes,
    pub read_calls: Count,
    pub write_calls: Count,
}

/// What the scheduler says of the first thread: its wall time is these two and being blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MainThread {
    #[serde(rename = "on_cpu_ns")]
    pub on_cpu: Nanos,
    /// Ready to run, but waiting for a CPU.
    #[serde(rename = "runnable_ns")]
    pub runnable: Nanos,
}

/// Control-group figures of the whole process tree, orphans included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tree {
    #[serde(rename = "cpu_ns")]
    pub cpu: Option<Nanos>,
    /// Peak memory of all processes together, page cache charged to them included.
    #[serde(rename = "memory_peak_bytes")]
    pub memory_peak: Option<Bytes>,
    #[serde(rename = "throttled_ns")]
    pub throttled: Option<Nanos>,
}

/// What else happened on the machine during the run. `None` is unknown, never zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Covariates {
    /// Time the hypervisor gave to others, all CPUs together.
    #[serde(rename = "steal_ns")]
    pub steal: Option<Nanos>,
    /// Time our own control group was held back by its CPU quota.
    #[serde(rename = "throttled_ns")]
    pub throttled: Option<Nanos>,
    /// Time in which some task of the machine waited for a CPU, for I/O, for memory (PSI).
    #[serde(rename = "cpu_pressure_ns")]
    pub cpu_pressure: Option<Nanos>,
    #[serde(rename = "io_pressure_ns")]
    pub io_pressure: Option<Nanos>,
    #[serde(rename = "memory_pressure_ns")]
    pub memory_pressure: Option<Nanos>,
    /// Frequency of the first allowed CPU just after the run.
    #[serde(rename = "frequency_hz")]
    pub frequency: Option<Hertz>,
    /// Tasks running or ready on the machine just before the run, ours included.
    pub runnable_tasks: Option<Count>,
    /// Pages that the machine read back from swap meanwhile.
    #[serde(default)]
    pub swapped_in: Option<Count>,
}

/// One counted execution of one arm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    pub arm: u32,
    pub order: u32,
    pub ended: Ended,
    pub instructions: Count,
    /// `pmu` or `cachegrind`.
    pub source: String,
    /// Processes whose counts were added up.
    pub processes: u32,
    #[serde(rename = "wall_ns")]
    pub wall: Nanos,
}
