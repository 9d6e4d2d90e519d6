//! What can be measured on this machine, found by trying it.
//!
//! A sysctl never decides: root at paranoid 2 is granted everything, a container may be refused at −1. Sysctls are
//! read only to explain what was seen. Each trial takes back what it did: children are waited for, descriptors are
//! closed, groups are removed. All of them together take well under a second and a half.

mod child;
mod errno;
mod event;
mod files;
mod groups;
mod perf;
mod process;
mod programs;
mod tracepoint;

use std::collections::BTreeMap;

use model::doctor::{Level, Probe, Works};

use super::root::Root;
use super::versions;
use child::Paused;
use errno::Errno;

/// Tries everything, in the order of the table below.
#[must_use]
pub fn probes() -> (Level, Vec<Probe>) {
    let scene = Scene::set();
    let probes: Vec<Probe> = ROWS.iter().map(|row| row.probe(&scene)).collect();
    (level(&probes), probes)
}

/// Which of the levels of decision 6 in DESIGN.md the trials add up to.
fn level(probes: &[Probe]) -> Level {
    let works = |id: &str| probes.iter().any(|probe| probe.id == id && probe.works == Works::Yes);
    if works("sched-tracepoints") {
        Level::C
    } else if works("perf-context-switch-stacks") {
        Level::B
    } else if works("perf-sampling-user") && works("perf-switch-records") {
        Level::A
    } else {
        Level::D
    }
}

/// What the trials share.
struct Scene {
    root: Root,
    /// A child of ours that does nothing.
    child: Result<Paused, Errno>,
    /// Numbers of tracepoints, where they could be read.
    tracepoints: tracepoint::Numbers,
    tools: BTreeMap<String, Option<String>>,
}

impl Scene {
    fn set() -> Self {
        let root = Root::default();
        Self {
            tracepoints: tracepoint::Numbers::read(&root),
            root,
            child: Paused::start(),
            tools: versions::versions(programs::TOOLS),
        }
    }
}

/// One thing to try.
struct Row {
    id: &'static str,
    what: &'static str,
    gives: &'static str,
    attempt: fn(&Scene) -> Seen,
}

impl Row {
    fn probe(&self, scene: &Scene) -> Probe {
        let seen = (self.attempt)(scene);
        Probe {
            id: self.id.to_owned(),
            what: self.what.to_owned(),
            gives: self.gives.to_owned(),
            works: seen.works,
            because: seen.because,
            next: seen.next,
        }
    }
}

/// What was seen when it was tried.
struct Seen {
    works: Works,
    because: String,
    next: Option<String>,
}

impl Seen {
    fn yes(because: impl Into<String>) -> Self {
        Self { works: Works::Yes, because: because.into(), next: None }
    }

    fn partly(because: impl Into<String>, next: Option<String>) -> Self {
        Self { works: Works::Partly, because: because.into(), next }
    }

    fn no(because: impl Into<String>, next: Option<String>) -> Self {
        Self { works: Works::No, because: because.into(), next }
    }
}

/// A command that only root may run, as this user types it.
fn as_root(command: &str) -> String {
    match is_root() {
        true => command.to_owned(),
        false => format!("sudo {command}"),
    }
}

fn is_root() -> bool {
    // SAFETY: geteuid takes nothing and cannot fail.
    unsafe { libc::geteuid() == 0 }
}

const ROWS: &[Row] = &[
    Row {
        id: "perf-sampling-user",
        what: "samples of user code with a copy of the stack",
        gives: "where CPU time goes, function by function",
        attempt: perf::user_samples,
    },
    Row {
        id: "perf-sampling-kernel",
        what: "samples of kernel code with its stack",
        gives: "where time inside system calls goes",
        attempt: perf::kernel_samples,
    },
    Row {
        id: "perf-switch-records",
        what: "a record each time a thread leaves or gets a CPU",
        gives: "when each thread waited, and how long",
        attempt: perf::switch_records,
    },
    Row {
        id: "perf-context-switch-stacks",
        what: "kernel and user stack at each switch away",
        gives: "where and why each thread waited",
        attempt: perf::switch_stacks,
    },
    Row {
        id: "hardware-counters",
        what: "the CPU's own counters",
        gives: "instructions, cycles and cache misses",
        attempt: perf::hardware_counters,
    },
    Row {
        id: "syscall-tracepoints",
        what: "tracepoints of single system calls, own threads only",
        gives: "which call a wait was in, with its arguments, without root",
        attempt: tracepoint::system_calls,
    },
    Row {
        id: "sched-tracepoints",
        what: "scheduler tracepoints of the whole machine",
        gives: "who woke a waiting thread, and who had its CPU",
        attempt: tracepoint::scheduler,
    },
    Row {
        id: "cgroup-v2",
        what: "a control group of our own",
        gives: "CPU, memory and I/O of the target with all its children",
        attempt: groups::own_group,
    },
    Row {
        id: "cgroup-cpu-quota",
        what: "the CPU quota this process is under",
        gives: "whether a run was throttled",
        attempt: groups::cpu_quota,
    },
    Row {
        id: "psi",
        what: "pressure stall figures",
        gives: "whether other programs pressed on CPU, memory or disk during a run",
        attempt: files::pressure,
    },
    Row {
        id: "steal",
        what: "time the hypervisor took",
        gives: "whether a run was slowed from outside the machine",
        attempt: files::steal,
    },
    Row {
        id: "schedstat",
        what: "run-queue delay of a process",
        gives: "how long a run was ready but had no CPU",
        attempt: files::schedstat,
    },
    Row {
        id: "proc-io",
        what: "bytes a process read and wrote",
        gives: "I/O of a run, by system calls and by the block layer",
        attempt: files::io,
    },
    Row {
        id: "frequency",
        what: "the CPU's clock rate",
        gives: "whether a run was slowed by a lower clock",
        attempt: files::frequency,
    },
    Row {
        id: "drop-caches",
        what: "emptying the page cache",
        gives: "runs with a cold cache",
        attempt: files::drop_caches,
    },
    Row {
        id: "ptrace",
        what: "stopping a process of our own",
        gives: "stacks without perf events",
        attempt: process::ptrace,
    },
    Row {
        id: "remote-memory",
        what: "reading the memory of a process of our own",
        gives: "Python frames, and stacks of sleeping threads without perf events",
        attempt: process::remote_memory,
    },
    Row {
        id: "fixed-addresses",
        what: "starting a program without address randomisation",
        gives: "instruction counts that repeat exactly",
        attempt: process::fixed_addresses,
    },
    Row {
        id: "memfd-exec",
        what: "executing a file that exists only in memory",
        gives: "the heap pass without writing to disk",
        attempt: process::memory_file,
    },
    Row {
        id: "valgrind",
        what: "valgrind",
        gives: "instruction counts where the CPU has no counters",
        attempt: programs::valgrind,
    },
    Row {
        id: "perf-tool",
        what: "the perf command",
        gives: "nothing slowpath needs; a second opinion",
        attempt: programs::perf,
    },
    Row { id: "python3", what: "Python", gives: "targets written in it", attempt: programs::python },
    Row { id: "node", what: "Node.js", gives: "targets written for it", attempt: programs::node },
    Row {
        id: "java",
        what: "a Java virtual machine",
        gives: "targets written for it",
        attempt: programs::java,
    },
    Row {
        id: "debug-files",
        what: "separate debug files",
        gives: "names and lines for programs that were stripped",
        attempt: programs::debug_files,
    },
    Row {
        id: "run-folder",
        what: "a place for the run folder",
        gives: "results that can be reported again and compared later",
        attempt: programs::run_folder,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique_kebab_case_and_each_row_says_what_and_why() {
        let ids: BTreeSet<&str> = ROWS.iter().map(|row| row.id).collect();
        assert_eq!(ids.len(), ROWS.len());
        for row in ROWS {
            assert!(
                row.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
                "{}",
                row.id
            );
            assert!(!row.what.is_empty() && !row.gives.is_empty(), "{}", row.id);
        }
    }

    #[test]
    fn the_level_is_the_highest_that_was_seen_to_work() {
        let check = |working: &[&str], wanted: Level| {
            let probes: Vec<Probe> = ROWS
                .iter()
                .map(|row| {
                    let works = if working.contains(&row.id) { Works::Yes } else { Works::No };
                    Row { attempt: |_| Seen::no("", None), ..*row }.untried(works)
                })
                .collect();
            assert_eq!(level(&probes), wanted, "{working:?}");
        };
        check(&[], Level::D);
        check(&["ptrace", "valgrind"], Level::D);
        check(&["perf-sampling-user"], Level::D);
        check(&["perf-sampling-user", "perf-switch-records"], Level::A);
        check(&["perf-sampling-user", "perf-switch-records", "perf-context-switch-stacks"], Level::B);
        check(&["sched-tracepoints"], Level::C);
    }

    impl Row {
        fn untried(&self, works: Works) -> Probe {
            Probe {
                id: self.id.to_owned(),
                what: String::new(),
                gives: String::new(),
                works,
                because: String::new(),
                next: None,
            }
        }
    }
}
