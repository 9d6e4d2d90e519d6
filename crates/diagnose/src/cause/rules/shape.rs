//! Causes that lie in how the work is arranged.

use model::worklist::Effort;

use super::super::{Cause, Kind, Page};
use super::{WORTH, at_least, at_most, yes};

pub(super) static SINGLE_THREAD_BOUND: Cause = Cause {
    id: "single-thread-bound",
    class: "Architecture",
    title: "one thread computes while the others cannot",
    kinds: &[Kind::Whole],
    gates: &[
        at_least("cpus.present", 2.0, "machine", "there is more than one CPU"),
        // One CPU fully used, and no more.
        at_least("cpus", 0.6, "profile", "it computes"),
        at_most("cpus", 1.25, "profile", "it uses one CPU"),
        at_least("threads.team", 2.0, "profile", "it has several threads for its work"),
    ],
    supports: &[
        // What is left to the others is no work worth a thread.
        at_least("threads.one", 0.95, "threads", "one of {count} threads for the same work does all of it"),
        at_most("cpus.used", 1.25, "sharing", "the timed runs use one CPU"),
        at_least(
            "threads.taking-turns",
            2.0,
            "sharing",
            "threads that compute take turns for the interpreter's lock",
        ),
    ],
    rejects: &[
        // With a lock of the interpreter's they take turns, whatever their shares.
        at_most("threads.turns-or-one", 0.5, "threads", "its threads compute side by side"),
    ],
    part: Some("parallel.part"),
    special: 6,
    fixes: &[
        ("", "{place}: hand its work to the idle threads in pieces"),
        (
            "python",
            "{place}: threads share one interpreter lock; use `multiprocessing`/`ProcessPoolExecutor`, or a library that releases the lock",
        ),
        ("javascript", "{place}: move it into a worker thread"),
    ],
    effort: Effort::Days,
    next: None,
    page: Page {
        what: "The machine has several CPUs and the program has several threads, but one thread does all the computing, or they take turns.",
        by_hand: "`top -H`: one thread at 100 %, or all together at 100 %.",
        confused: "hot-compute in a program that never meant to be parallel; lock-contention.",
    },
};

pub(super) static POOR_PARALLELISM: Cause = Cause {
    id: "poor-parallelism",
    class: "Architecture",
    title: "the work is divided unevenly",
    kinds: &[Kind::Whole],
    gates: &[
        at_least("cpus.present", 2.0, "machine", "there is more than one CPU"),
        at_least("threads.team", 2.0, "profile", "several threads share the work"),
        at_least("threads.uneven", 1.4, "profile", "one thread computes much longer than the others"),
    ],
    supports: &[
        // One thread with nearly half as much again as its fair share holds the others up.
        at_least(
            "threads.uneven",
            1.4,
            "threads",
            "one of {count} threads computes much longer than the others",
        ),
        // A fifth of what the CPUs could do for these threads.
        at_least("parallel.part", 0.2, "profile", "CPUs stand idle meanwhile"),
    ],
    rejects: &[
        at_most("parallel.part", 0.1, "profile", "the CPUs are kept busy"),
        at_least("threads.turns-or-one", 0.5, "threads", "the work is not divided at all"),
    ],
    part: Some("parallel.part"),
    special: 4,
    fixes: &[("", "{place}: smaller pieces taken from a common queue, so that nobody finishes early")],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "Threads finish at different times and wait for the one that got most.",
        by_hand: "The timeline of threads: a long tail with one thread.",
        confused: "single-thread-bound, lock-contention.",
    },
};

pub(super) static OVERSUBSCRIPTION: Cause = Cause {
    id: "oversubscription",
    class: "Architecture",
    title: "more threads want to compute than there are CPUs",
    kinds: &[Kind::Whole],
    gates: &[at_least("threads.crowd", 4.0, "profile", "threads that compute outnumber the CPUs fourfold")],
    supports: &[
        at_least("queue.own", 0.15, "profile", "it waits for CPUs that its own threads hold"),
        at_least("threads.switching", 0.15, "profile", "the kernel is busy switching between them"),
        at_least(
            "switches",
            2000.0,
            "kernel",
            "each CPU switches between threads thousands of times a second",
        ),
    ],
    rejects: &[at_most("threads.wanting", 1.5, "profile", "its threads do not want to compute at once")],
    part: Some("queue.part"),
    special: 5,
    fixes: &[("", "{place}: as many computing threads as CPUs")],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "Threads that compute push each other off the CPUs: caches are refilled, whoever holds a lock or is waited for at a barrier may not run.",
        by_hand: "Time in the run queue (`/proc/PID/schedstat`) and involuntary switches.",
        confused: "noisy-neighbour: other programs hold the CPUs.",
    },
};

pub(super) static POLLING_SLEEP: Cause = Cause {
    id: "polling-sleep",
    class: "Architecture",
    title: "sleeping instead of waiting for the event",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, yes("wait.sleep", "profile", "it sleeps on purpose")],
    supports: &[
        yes("wait.sleep", "profile", "its time is deliberate sleep"),
        yes("source.sleep", "source", "it sleeps in a loop"),
        at_least("count", 5.0, "profile", "it sleeps again and again"),
    ],
    rejects: &[yes("served", "profile", "it sleeps on behalf of somebody who waits for its answer")],
    part: Some("sleep.in-vain"),
    special: 5,
    fixes: &[
        (
            "",
            "{place}: wait for the event itself (condition, future, notification) instead of sleeping and looking again",
        ),
        (
            "package",
            "{place} waits for {package}, which looks from time to time: let the package be told (its variant with notifications, a callback), or have it look more often",
        ),
        (
            "python",
            "{place}: `threading.Event.wait`, `Condition`, `queue.get`, or the future's `result()` instead of `time.sleep` in a loop",
        ),
        ("javascript", "{place}: resolve a promise when it happens instead of a timer"),
        ("java", "{place}: `CountDownLatch`, `BlockingQueue` or `wait/notify` instead of `Thread.sleep`"),
        ("go", "{place}: a channel or `sync.Cond` instead of `time.Sleep`"),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "The program sleeps a fixed time and looks whether something has happened: on average half of each sleep is lost. While another of its threads is busy, or sleeps for each piece of work, nothing is lost: that would be waited for anyway.",
        by_hand: "`strace -c -e clock_nanosleep`, and what the code checks after each sleep.",
        confused: "slow-peer: the sleep is somebody else's, whom the program waits for.",
    },
};

pub(super) static SPAWN_STORM: Cause = Cause {
    id: "spawn-storm",
    class: "Architecture",
    title: "a process or thread started for each item",
    kinds: &[Kind::Waiting, Kind::Computing],
    gates: &[
        WORTH,
        // A script may start a handful of programs; dozens of short ones are a loop.
        at_least("children", 15.0, "profile", "many processes or threads are started"),
        at_least("spawning", 0.15, "profile", "it starts them or waits for them"),
    ],
    supports: &[
        at_least("children", 15.0, "profile", "it starts {children}"),
        yes("source.spawn", "source", "it starts a process in a loop"),
        at_most("children.mean", 0.2, "processes", "each of them lives shortly"),
    ],
    rejects: &[
        yes("wait.sleep", "profile", "it sleeps on purpose"),
        yes("wait.lock", "profile", "it waits for a lock"),
        yes("wait.network", "profile", "it waits for a peer"),
        // A script that starts a handful of others on the way to the program that does the work.
        at_least("children.busiest", 0.5, "processes", "one of them computes more than all others together"),
        // The tracer may see a part of the run only.
        at_least("children.answering", 0.5, "tracer", "each answers a connection that the program makes"),
    ],
    part: None,
    special: 7,
    fixes: &[
        ("", "{place}: call a library instead of a program, or start one process that takes all items"),
        ("threads", "{place}: start a few threads once (a pool) and hand them the items"),
        (
            "threads python",
            "{place}: one `concurrent.futures.ThreadPoolExecutor` for all items, or no threads for so little work",
        ),
        ("threads java", "{place}: one `ExecutorService` (`Executors.newFixedThreadPool`) for all items"),
        ("threads javascript", "{place}: keep a few workers and post each item to one of them"),
        ("threads rust", "{place}: a pool (`rayon`), or a few threads that take items from a channel"),
        (
            "python",
            "{place}: do it in Python (or one long-lived child fed through a pipe) instead of `subprocess` for each item",
        ),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "Starting a process costs 0.5 to 50 ms (interpreters most), a thread 0.02 to 0.1 ms, one with an interpreter of its own (a worker of Node.js) some 30 ms; doing so for each item costs more than the work.",
        by_hand: "`strace -f -c -e execve,clone,clone3,vfork`.",
        confused: "slow children: few of them, each long.",
    },
};
