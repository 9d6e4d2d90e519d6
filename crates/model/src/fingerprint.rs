//! What a number depends on besides the program: machine, kernel, limits, build, input.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A snapshot of everything that should be equal before two numbers are compared. `None` is unknown, and unknown
/// never equals unknown. Nothing that moves by itself (frequency, bogomips, load) is in here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fingerprint {
    pub machine: Machine,
    pub system: System,
    pub limits: Limits,
    pub tools: BTreeMap<String, Option<String>>,
    /// One entry an arm.
    pub programs: Vec<Program>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    pub cpu_model: Option<String>,
    pub cpu_vendor: Option<String>,
    pub cpu_family: Option<u32>,
    pub cpu_model_number: Option<u32>,
    pub cpu_stepping: Option<u32>,
    pub microcode: Option<String>,
    pub architecture: Option<String>,
    /// Hypervisor name and the machine it presents, `none` on bare metal.
    pub hypervisor: Option<String>,
    pub cpus_present: Option<u32>,
    pub numa_nodes: Option<u32>,
    pub caches: Option<Vec<Cache>>,
    pub memory_bytes: Option<u64>,
    pub swap_bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cache {
    pub level: u32,
    pub kind: String,
    pub bytes: u64,
    pub line_bytes: Option<u32>,
    pub ways: Option<u32>,
    pub shared_by_cpus: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct System {
    pub kernel: Option<String>,
    pub distribution: Option<String>,
    pub libc: Option<String>,
    /// Scaling governors in use, sorted, joined by `,`; `none` where the kernel manages no frequency.
    pub governor: Option<String>,
    /// `on`, `off`, `mixed` between CPUs, or `none` where there is no such switch.
    pub boost: Option<String>,
    /// `on`, `off`, or `none` where cores have one thread.
    pub smt: Option<String>,
    /// Vulnerability mitigations, one line each as the kernel words them, hashed over the sorted list.
    pub mitigations: Option<String>,
    pub transparent_huge_pages: Option<String>,
    pub aslr: Option<String>,
    pub clocksource: Option<String>,
    /// Filesystem type of the working directory.
    pub filesystem: Option<String>,
    /// Container runtime, `none` outside one, `unnamed` in a process namespace of unknown origin.
    pub container: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// CPUs this process may run on.
    pub cpus_allowed: Option<u32>,
    /// CPU quota in thousandths of a CPU, `unlimited` where none is set.
    pub cpu_quota: Option<String>,
    /// Memory limit in bytes, `unlimited` where none is set.
    pub memory_limit: Option<String>,
    pub nice: Option<i32>,
    pub scheduler: Option<String>,
}

/// The executable and its input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Program {
    pub path: Option<String>,
    pub sha256: Option<String>,
    pub bytes: Option<u64>,
    pub build_id: Option<String>,
    pub kind: Option<ProgramKind>,
    /// What runs a script, as its first line says.
    pub interpreter: Option<String>,
    pub has_symbols: Option<bool>,
    pub has_debug_lines: Option<bool>,
    /// `None` when neither most functions set one up nor hardly any.
    pub has_frame_pointers: Option<bool>,
    /// Optimisation level as the compiler recorded it.
    pub optimisation: Option<String>,
    pub statically_linked: Option<bool>,
    /// Set-user-id or set-group-id.
    pub set_user_id: Option<bool>,
    /// Arguments that name readable files, by path, with their SHA-256.
    pub inputs: BTreeMap<String, Option<String>>,
    /// Bytes of the environment handed to the target.
    pub environment_bytes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramKind {
    Elf,
    /// A text file started through an interpreter.
    Script,
    Other,
}
