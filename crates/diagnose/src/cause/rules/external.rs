//! Causes outside the program.

use model::worklist::Effort;

use super::super::{Cause, Kind, Page};
use super::{at_least, at_most, yes};

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
    effort: Effort::Minutes,
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
    rejects: &[at_most("steal", 0.05, "kernel", "the hypervisor took hardly any CPU time")],
    part: Some("steal"),
    special: 9,
    fixes: &[("", "another machine, or one with CPUs of its own")],
    effort: Effort::Hours,
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
    rejects: &[at_most("queue.others", 0.1, "profile", "it hardly waits for CPUs that others hold")],
    part: Some("queue.others"),
    special: 9,
    fixes: &[("", "measure on a quiet machine; `nice`, cpusets or fewer jobs side by side")],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "The program is ready to run, but other programs of the machine are on the CPUs.",
        by_hand: "`top` sorted by CPU; run-queue delay in `/proc/PID/schedstat`.",
        confused: "oversubscription: its own threads hold them.",
    },
};

/// With less of its time in a package, what the program does itself is worth as much.
pub(in super::super) const PACKAGE: f64 = 0.6;

/// Whatever else computes in a package is `hot-compute`: the time is the CPU's, whoever wrote the code.
pub(super) static SLOW_THIRD_PARTY: Cause = Cause {
    id: "slow-third-party",
    class: "External",
    title: "a package of others takes the time",
    kinds: &[Kind::Computing],
    gates: &[
        at_least("wall", 0.1, "profile", "it takes a share of wall time that matters"),
        at_least("leaf.package", PACKAGE, "profile", "most of its time is in a package of others"),
        yes("package.slow", "profile", "something does the same much faster"),
    ],
    supports: &[at_least("leaf.package", PACKAGE, "profile", "most of its time is in {package}")],
    rejects: &[
        at_least("regex", 0.5, "profile", "a regular expression does the work"),
        at_least("leaf.database", 0.5, "profile", "a database library does the work"),
        at_least("kernel", 0.5, "profile", "the kernel does the work"),
        // A package that connects so often has been given no connection to keep.
        at_least("peer.connected", 50.0, "tracer", "it connects again and again"),
        yes("source.invariant", "source", "the call repeats with arguments that do not change"),
        yes("source.growth", "source", "the source asks for work that grows faster than its input"),
        yes("source.rebuilt", "source", "it makes the same object anew each time"),
        at_least("cost.power", 1.5, "runtime", "its calls take longer the more there is"),
    ],
    part: Some("leaf.package"),
    special: 1,
    fixes: &[("", "{place}: its time goes into {package}; use {instead}")],
    effort: Effort::Days,
    next: None,
    page: Page {
        what: "The program hands its work to a package that is known for being slow at it, such as a parser in pure Python, and something that does the same much faster is known, too.",
        by_hand: "The call tree (`slowpath record --tree`): which function of the package is called from your line, and what the package's own documents say of speed.",
        confused: "repeated-work (the call repeats for the same input), hot-compute (no stand-in is known), slow-peer (a service that answers late).",
    },
};
