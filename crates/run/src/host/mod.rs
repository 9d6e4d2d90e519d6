//! The machine a target runs on: what its numbers depend on, and what can be measured there.

mod conditions;
mod container;
mod elf;
mod limits;
mod live;
mod machine;
pub mod probe;
mod program;
mod resolve;
mod root;
mod shim;
mod system;
mod text;
mod versions;

use model::Arm;
use model::arg::hex_of;
use model::fingerprint::{Fingerprint, Limits, Machine, System};
use sha2::{Digest, Sha256};

pub use conditions::conditions;
use live::Live;
use program::Hasher;
pub use resolve::{NotFound, resolve};
pub use root::Root;
pub use shim::behind_shim;
pub use versions::version_of;

/// Everything the numbers of these arms depend on, read now. `tools` are asked for their versions, which costs a
/// process each.
#[must_use]
pub fn fingerprint(arms: &[Arm], tools: &[&str]) -> Fingerprint {
    read(&Root::default(), &Live::ask(), arms, tools)
}

/// The same with `/proc`, `/sys` and `/etc` of another tree. What the kernel answers by call is still its own.
#[must_use]
pub fn fingerprint_in(root: &Root, arms: &[Arm], tools: &[&str]) -> Fingerprint {
    read(root, &Live::ask(), arms, tools)
}

fn read(root: &Root, live: &Live, arms: &[Arm], tools: &[&str]) -> Fingerprint {
    let mut hasher = Hasher::default();
    let folder = match arms.first() {
        Some(arm) => program::folder(&arm.target, live),
        None => live.folder.clone(),
    };
    // The mount table has real paths; a folder behind a symbolic link is on the mount it leads to.
    let folder = folder.and_then(|folder| folder.canonicalize().ok());
    Fingerprint {
        machine: machine::machine(root, live),
        system: system::system(root, live, folder.as_deref()),
        limits: limits::limits(root, live),
        tools: versions::versions(tools),
        programs: arms.iter().map(|arm| program::program(&arm.target, live, &mut hasher)).collect(),
    }
}

/// A SHA-256 that stands for the machine, the system and the limits: equal keys, same conditions.
///
/// Equal over re-reads and reboots. An unknown field has a mark of its own, so a field becoming known changes the
/// key.
#[must_use]
pub fn key(fingerprint: &Fingerprint) -> String {
    let mut hash = Sha256::new();
    let parts = machine_part(&fingerprint.machine).into_iter();
    let parts = parts.chain(system_part(&fingerprint.system)).chain(limits_part(&fingerprint.limits));
    for (name, value) in parts {
        // Lengths keep `a` + `bc` from reading as `ab` + `c`.
        let value = value.map_or_else(|| "?".to_owned(), |value| format!("={}:{value}", value.len()));
        hash.update(format!("{name}{value}\n"));
    }
    hex_of(&hash.finalize())
}

type Part = (&'static str, Option<String>);

/// A field as text; `None` stays unknown.
fn word<T: ToString>(value: Option<&T>) -> Option<String> {
    value.map(ToString::to_string)
}

// The three parts take their structures to pieces, so that a new field cannot be forgotten here.

fn machine_part(machine: &Machine) -> Vec<Part> {
    let Machine {
        cpu_model,
        cpu_vendor,
        cpu_family,
        cpu_model_number,
        cpu_stepping,
        microcode,
        architecture,
        hypervisor,
        cpus_present,
        numa_nodes,
        caches,
        memory_bytes,
        swap_bytes,
    } = machine;
    // What the kernel keeps for itself at boot differs by some KiB, so memory counts in whole GiB, rounded up.
    let memory = memory_bytes.map(|bytes| bytes.div_ceil(1 << 30));
    vec![
        ("cpu model", word(cpu_model.as_ref())),
        ("cpu vendor", word(cpu_vendor.as_ref())),
        ("cpu family", word(cpu_family.as_ref())),
        ("cpu model number", word(cpu_model_number.as_ref())),
        ("cpu stepping", word(cpu_stepping.as_ref())),
        ("microcode", word(microcode.as_ref())),
        ("architecture", word(architecture.as_ref())),
        ("hypervisor", word(hypervisor.as_ref())),
        ("cpus present", word(cpus_present.as_ref())),
        ("numa nodes", word(numa_nodes.as_ref())),
        ("caches", caches.as_ref().map(|caches| format!("{caches:?}"))),
        ("memory", word(memory.as_ref())),
        ("swap", word(swap_bytes.as_ref())),
    ]
}

fn system_part(system: &System) -> Vec<Part> {
    let System {
        kernel,
        distribution,
        libc,
        governor,
        boost,
        smt,
        mitigations,
        transparent_huge_pages,
        aslr,
        clocksource,
        filesystem,
        container,
    } = system;
    vec![
        ("kernel", word(kernel.as_ref())),
        ("distribution", word(distribution.as_ref())),
        ("libc", word(libc.as_ref())),
        ("governor", word(governor.as_ref())),
        ("boost", word(boost.as_ref())),
        ("smt", word(smt.as_ref())),
        ("mitigations", word(mitigations.as_ref())),
        ("huge pages", word(transparent_huge_pages.as_ref())),
        ("aslr", word(aslr.as_ref())),
        ("clocksource", word(clocksource.as_ref())),
        ("filesystem", word(filesystem.as_ref())),
        ("container", word(container.as_ref())),
    ]
}

fn limits_part(limits: &Limits) -> Vec<Part> {
    let Limits { cpus_allowed, cpu_quota, memory_limit, nice, scheduler } = limits;
    vec![
        ("cpus allowed", word(cpus_allowed.as_ref())),
        ("cpu quota", word(cpu_quota.as_ref())),
        ("memory limit", word(memory_limit.as_ref())),
        ("nice", word(nice.as_ref())),
        ("scheduler", word(scheduler.as_ref())),
    ]
}

#[cfg(test)]
mod tests {
    use super::root::made;
    use super::*;

    #[test]
    fn twenty_readings_have_one_key() {
        let first = fingerprint(&[], &[]);
        for _ in 0..20 {
            let again = fingerprint(&[], &[]);
            assert_eq!(again, first);
            assert_eq!(key(&again), key(&first));
        }
    }

    const TREE: &[(&str, &str)] = &[
        ("proc/cpuinfo", "model name : A\nstepping : 1\ncpu MHz : 2000.1\nbogomips : 4890.85\nflags : fpu\n"),
        ("proc/meminfo", "MemTotal: 16000000 kB\nSwapTotal: 0 kB\n"),
        ("proc/sys/kernel/osrelease", "6.1.0\n"),
        ("proc/self/cgroup", "0::/a\n"),
        (
            "proc/self/mountinfo",
            "1 0 0:1 / / rw - ext4 a rw\n2 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
        ),
        ("sys/fs/cgroup/a/cpu.max", "max 100000\n"),
        ("sys/fs/cgroup/a/memory.max", "max\n"),
        ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
    ];

    fn key_with(path: &str, text: &str) -> String {
        let (_folder, root) = made::tree(TREE);
        made::put(&root, path, text);
        key(&read(&root, &Live::default(), &[], &[]))
    }

    #[test]
    fn the_key_follows_what_matters_and_nothing_that_moves() {
        let (path, text) = TREE[0];
        let plain = key_with(path, text);
        for (path, text) in [
            ("proc/cpuinfo", "model name : B\nstepping : 1\nflags : fpu\n"),
            ("proc/cpuinfo", "model name : A\nstepping : 2\nflags : fpu\n"),
            ("proc/cpuinfo", "model name : A\nstepping : 1\nflags : fpu hypervisor\n"),
            ("proc/meminfo", "MemTotal: 32000000 kB\nSwapTotal: 0 kB\n"),
            ("proc/meminfo", "MemTotal: 16000000 kB\n"),
            ("proc/sys/kernel/osrelease", "6.2.0\n"),
            ("proc/sys/kernel/osrelease", ""),
            ("sys/fs/cgroup/a/cpu.max", "50000 100000\n"),
            ("sys/fs/cgroup/a/memory.max", "1073741824\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
        ] {
            assert_ne!(key_with(path, text), plain, "{path}: {text:?}");
        }
        for (path, text) in [
            ("proc/cpuinfo", "model name : A\nstepping : 1\ncpu MHz : 3000.7\nbogomips : 1.0\nflags : fpu\n"),
            ("proc/meminfo", "MemTotal: 15999000 kB\nSwapTotal: 0 kB\n"),
            ("proc/loadavg", "9.99 9.99 9.99 1/1 1\n"),
        ] {
            assert_eq!(key_with(path, text), plain, "{path}: {text:?}");
        }
    }

    #[test]
    fn a_field_moved_to_its_neighbour_changes_the_key() {
        let one = Fingerprint {
            machine: Machine { cpu_model: Some("x".to_owned()), ..Machine::default() },
            ..Fingerprint::default()
        };
        let other = Fingerprint {
            machine: Machine { cpu_vendor: Some("x".to_owned()), ..Machine::default() },
            ..Fingerprint::default()
        };
        assert_ne!(key(&one), key(&other));
    }
}
