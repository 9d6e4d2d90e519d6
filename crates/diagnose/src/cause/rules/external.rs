//! Causes outside the program.

use super::super::{Cause, Kind, Page};
use super::{at_least, at_most};

pub(super) static CPU_QUOTA: Cause = Cause {
    id: "cpu-quota",
    class: "External",
    title: "held back by a CPU quota",
    kinds: &[Kind::Whole],
    gates: &[at_least("throttled", 0.05, "kernel", "it was out of its quota")],
    supports: &[at_least("throttled", 0.05, "kernel", "its control group was out of its quota")],
    rejects: &[at_most("throttled", 0.02, "kernel", "it was hardly ever out of its quota")],
    part: Some("throttled"),
    special: 9,
    fixes: &[("", "raise the limit (cpu.max), or use fewer threads at once")],
    next: None,
    page: Page {
        what: "The control group's quota is used up and the kernel stops all its threads until the next period.",
        by_hand: "`cpu.stat`: nr_throttled, throttled_usec.",
        confused: "noisy-neighbour, steal.",
    },
};

pub(super) static STEAL: Cause = Cause {
    id: "steal",
    class: "External",
    title: "the hypervisor gives the CPUs to others",
    kinds: &[Kind::Whole],
    gates: &[at_least("steal", 0.1, "kernel", "the hypervisor took CPU time")],
    supports: &[at_least("steal", 0.1, "kernel", "the hypervisor took CPU time")],
    rejects: &[],
    part: Some("steal"),
    special: 9,
    fixes: &[("", "another machine, or one with CPUs of its own")],
    next: None,
    page: Page {
        what: "The virtual machine was ready to run, but the host ran somebody else.",
        by_hand: "`top`: %st, or /proc/stat.",
        confused: "noisy-neighbour inside the machine.",
    },
};

pub(super) static NOISY_NEIGHBOUR: Cause = Cause {
    id: "noisy-neighbour",
    class: "External",
    title: "other programs hold the CPUs",
    kinds: &[Kind::Whole],
    // A tenth is what a few background tasks of a machine take.
    gates: &[at_least("queue.others", 0.2, "profile", "it waits for CPUs that others hold")],
    supports: &[at_least("queue.others", 0.2, "profile", "it waits for CPUs that others hold")],
    rejects: &[],
    part: Some("queue.others"),
    special: 9,
    fixes: &[("", "measure on a quiet machine; `nice`, cpusets or fewer jobs side by side")],
    next: None,
    page: Page {
        what: "The program is ready to run, but other programs of the machine are on the CPUs.",
        by_hand: "`top` sorted by CPU; run-queue delay in `/proc/PID/schedstat`.",
        confused: "oversubscription: its own threads hold them.",
    },
};
