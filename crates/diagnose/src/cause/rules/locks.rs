//! Causes that lie in waiting for each other.

use model::worklist::Effort;

use super::super::{Cause, Kind, Page};
use super::{WORTH, at_least, yes};

pub(super) static LOCK_CONTENTION: Cause = Cause {
    id: "lock-contention",
    class: "Lock",
    title: "threads queue for one lock",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, yes("wait.lock", "profile", "it waits for a lock")],
    supports: &[
        // On a machine whose CPUs others hold, a lock waits for them: one witness, not two.
        at_least("holder.perhaps-busy", 0.5, "profile", "whoever holds it computes, as far as it has a CPU"),
        at_least("threads", 2.0, "profile", "several threads wait for it"),
        yes(
            "interpreter.turns",
            "profile",
            "after each call it waits until a computing thread gives the interpreter up",
        ),
        at_least("holder.busy", 0.5, "holder", "whoever holds it computes meanwhile"),
    ],
    rejects: &[
        yes("wait.condition", "profile", "it waits to be told something, not for a lock"),
        yes(
            "wait.mapping",
            "profile",
            "it waits for the kernel's lock of the process's memory, not for one of its own",
        ),
        at_least("wait.join", 0.5, "profile", "it waits for a thread to end"),
        yes("wait.idle", "profile", "it waits for its next piece of work"),
        yes("interpreter-lock", "profile", "it is the interpreter's lock, which all Python code needs"),
        at_least(
            "holder.waits",
            0.6,
            "holder",
            "whoever holds it waits itself, or is in calls for files and peers",
        ),
    ],
    part: None,
    special: 5,
    fixes: &[
        (
            "",
            "{place}: hold {what} for less (compute outside, then lock), divide what it guards, or give each thread its own and merge",
        ),
        (
            "convoy",
            "{place} waits up to 5 ms for the interpreter after each call, because another thread computes: move that one into a process (or lower `sys.setswitchinterval`)",
        ),
        ("python", "{place}: the threads take turns; use processes, or do the work outside the lock"),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "One thread is inside a section that others wait to enter; the more threads, the longer the queue.",
        by_hand: "Stacks of threads in `futex`, `pthread_mutex_lock`, `synchronized`; who holds the lock and what it does.",
        confused: "idle pools (they wait for work on a condition), lock-across-io (the holder waits itself).",
    },
};

pub(super) static LOCK_ACROSS_IO: Cause = Cause {
    id: "lock-across-io",
    class: "Lock",
    title: "a lock held while waiting for something else",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, yes("wait.queue", "profile", "it, or a task of it, waits for a lock")],
    supports: &[
        at_least(
            "holder.waits",
            0.5,
            "holder",
            "whoever holds the lock waits itself meanwhile, or is in calls for files and peers",
        ),
        yes("source.held", "source", "several tasks run, and the source asks peers while it holds a lock"),
        at_least(
            "queue.open",
            4.0,
            "holder",
            "its calls wait for each other: {inside} goes on one at a time, and waits",
        ),
        yes("source.lock", "source", "the source takes a lock by name"),
        at_least("threads", 2.0, "profile", "several threads wait for it"),
    ],
    rejects: &[
        at_least("holder.perhaps-busy", 0.5, "holder", "whoever holds the lock computes"),
        yes("wait.condition", "profile", "it waits to be told something, not for a lock"),
        yes(
            "wait.mapping",
            "profile",
            "it waits for the kernel's lock of the process's memory, not for one of its own",
        ),
        at_least("wait.join", 0.5, "profile", "it waits for a thread to end"),
        yes("wait.idle", "profile", "it waits for its next piece of work"),
        at_least("holder.busy", 0.5, "holder", "whoever holds the lock computes"),
    ],
    part: None,
    special: 6,
    fixes: &[
        ("", "{place}: leave the lock before the slow call and take it again afterwards"),
        (
            "flush",
            "{place} flushes to the disk with the lock in its hands: write under the lock, and flush outside of it, once for all that wait (group commit)",
        ),
        (
            "javascript",
            "{place}: do what waits before the lock is taken or after it, or have a lock for each thing that it guards",
        ),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "A thread takes a lock and then waits for a disk, a peer or a timer; everybody else waits with it.",
        by_hand: "The stack of the holder: it is in a read, an fsync or a sleep, below the function that took the lock.",
        confused: "lock-contention: the holder computes.",
    },
};
