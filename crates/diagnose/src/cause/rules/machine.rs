//! Causes of time on the CPU that lie in how the machine executes it.

use model::worklist::Effort;

use super::super::{Cause, Condition, Kind, Page};
use super::{at_least, at_most, no, yes};

pub(super) static DEBUG_BUILD: Cause = Cause {
    id: "debug-build",
    class: "CPU",
    title: "machine code built without optimisation",
    kinds: &[Kind::Computing],
    gates: &[
        at_least("wall", 0.1, "profile", "it takes a share of wall time that matters"),
        yes("machine.unoptimised", "machine code", "the machine code is not optimised"),
    ],
    supports: &[yes(
        "machine.unoptimised",
        "machine code",
        "every local variable is stored and loaded again at each step",
    )],
    rejects: &[no("machine.unoptimised", "machine code", "the machine code is optimised")],
    part: None,
    special: 9,
    fixes: &[
        ("", "build with optimisation (-O2)"),
        ("c", "build with `-O2` (and `-g`, which costs nothing)"),
        ("c++", "build with `-O2` (and `-g`, which costs nothing)"),
        ("rust", "build with `cargo build --release`"),
    ],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "Without optimisation compilers keep every variable in memory and inline nothing: 2 to 10 times as many instructions.",
        by_hand: "`readelf --debug-dump=info PROGRAM | grep producer` shows the options; `objdump -d` shows a load and a store for each variable.",
        confused: "hot-compute: the same profile, but optimised.",
    },
};

pub(super) static MISSED_VECTORISATION: Cause = Cause {
    id: "missed-vectorisation",
    class: "CPU",
    title: "a loop over numbers that computes one at a time",
    kinds: &[Kind::Computing],
    gates: &[at_least("wall", 0.2, "profile", "it takes a share of wall time that matters")],
    supports: &[yes("machine.scalar-float", "machine code", "the hot loop computes one number at a time")],
    rejects: &[
        no("machine.scalar-float", "machine code", "the hot loop does not compute one number at a time"),
        yes("machine.chase", "machine code", "the loop follows pointers, which no vector instruction can"),
        yes(
            "machine.stride",
            "machine code",
            "the loop jumps over memory, which vector instructions do not help",
        ),
        yes(
            "machine.gather",
            "machine code",
            "each element is fetched from anywhere in more memory than the inner caches hold, so it waits more than it computes",
        ),
        yes("machine.unoptimised", "machine code", "the code is not optimised at all"),
        at_least("kernel", 0.5, "profile", "the kernel does the work"),
        at_least("leaf.special", 0.5, "profile", "most of its time is in libraries"),
        no("machine.blocked", "machine code", "nothing that could be changed blocks vector instructions"),
    ],
    part: None,
    special: 4,
    fixes: &[
        (
            "",
            "{place}: let the compiler use vector instructions: pointers and bounds in locals, `restrict` where they do not overlap, limits looked at after a whole row, `-O3 -march=native`, `-ffast-math` or several accumulators for sums of floating-point numbers",
        ),
        (
            "rust",
            "{place}: iterate over slices of equal length (`zip`, `chunks_exact`), sum into several accumulators, build with `-C target-cpu=native`",
        ),
    ],
    effort: Effort::Hours,
    next: Some("slowpath record --tree -- {command}"),
    page: Page {
        what: "A loop over arrays of numbers that could compute 4 to 16 at once computes one: the compiler could not prove that pointers do not overlap, or may not reorder floating-point sums.",
        by_hand: "`gcc -fopt-info-vec-missed` tells why; `objdump -d` shows `addsd` where `vaddpd` could be.",
        confused: "cache-misses: a loop that waits for memory gains nothing from vectors.",
    },
};

/// Of a thousand instructions. A miss that the second cache answers costs as much as some forty instructions: at so many they
/// take half of the time or more.
const MANY_MISSES: f64 = 25.0;
const MISSES: Condition = at_least(
    "simulated.misses",
    MANY_MISSES,
    "simulated machine",
    "many of its reads and writes find nothing in the first cache",
);

/// At less than this, misses take less than a twentieth of the time wherever they are answered but from memory, and most are.
const FEW_MISSES: f64 = 1.0;
const NO_MISSES: Condition = at_most(
    "simulated.misses",
    FEW_MISSES,
    "simulated machine",
    "nearly all its reads and writes find what they want in the first cache",
);

/// Of a thousand instructions. A wrong guess costs 15 to 20 cycles, in which three instructions each might have been done: at so
/// many a third of the time goes into them.
const MANY_WRONG: f64 = 10.0;
const WRONG: Condition = at_least(
    "simulated.mispredicts",
    MANY_WRONG,
    "simulated machine",
    "many of its branches are guessed wrong",
);

/// At less than this, they take less than a twentieth of the time.
const FEW_WRONG: f64 = 1.0;
const NO_WRONG: Condition = at_most(
    "simulated.mispredicts",
    FEW_WRONG,
    "simulated machine",
    "nearly all its branches are guessed right",
);

pub(super) static CACHE_MISSES: Cause = Cause {
    id: "cache-misses",
    class: "Cache",
    title: "the processor waits for memory",
    kinds: &[Kind::Computing],
    gates: &[
        at_least("wall", 0.2, "profile", "it takes a share of wall time that matters"),
        yes("machine.scattered", "machine code", "the hot loop jumps through memory"),
    ],
    supports: &[
        yes("machine.chase", "machine code", "the hot loop follows pointers from one element to the next"),
        yes(
            "machine.stride",
            "machine code",
            "the hot loop jumps over memory, so each element lies in another cache line",
        ),
        // More than the second-level cache of any processor in use.
        at_least("memory.peak", 16e6, "memory", "what it works on does not fit into the inner caches"),
        MISSES,
    ],
    rejects: &[
        at_least("kernel", 0.5, "profile", "the kernel does the work"),
        at_least("leaf.special", 0.5, "profile", "most of its time is in libraries"),
        yes("machine.unoptimised", "machine code", "the code is not optimised at all"),
        at_least("kernel.memory", 0.3, "profile", "fetching fresh memory takes its time"),
        NO_MISSES,
    ],
    part: None,
    special: 3,
    fixes: &[
        (
            "",
            "{place}: walk memory in the order it lies (swap the loops, block them), keep what is used together side by side, arrays instead of linked nodes",
        ),
        (
            "c++",
            "{place}: walk memory in the order it lies (swap the loops, block them), `std::vector` of values instead of nodes (`list`, `map`, pointers), one vector for each field that is used alone",
        ),
        (
            "rust",
            "{place}: walk memory in the order it lies (swap the loops, `chunks`), `Vec` of values instead of `Box` or `Rc` nodes, one `Vec` for each field that is used alone",
        ),
        (
            "go",
            "{place}: walk memory in the order it lies (swap the loops, block them), slices of values instead of pointers, small types (`int32`) for large tables",
        ),
        (
            "java",
            "{place}: walk memory in the order it lies (swap the loops, block them), arrays of primitives instead of collections of objects",
        ),
    ],
    effort: Effort::Hours,
    next: Some("slowpath why --tier medium -- {command}"),
    page: Page {
        what: "The instructions are few, but each waits for a cache line from memory: columns of a row-major matrix, linked lists, random lookups in a large table.",
        by_hand: "`valgrind --tool=cachegrind --cache-sim=yes`, or `perf stat -e LLC-load-misses` where the processor may be asked.",
        confused: "hot-compute, branch-mispredicts.",
    },
};

pub(super) static BRANCH_MISPREDICTS: Cause = Cause {
    id: "branch-mispredicts",
    class: "Cache",
    title: "branches that the processor cannot foresee",
    kinds: &[Kind::Computing],
    gates: &[
        at_least("wall", 0.2, "profile", "it takes a share of wall time that matters"),
        yes("machine.branches", "machine code", "the hot loop branches on values it has just loaded"),
    ],
    supports: &[
        yes("machine.branches", "machine code", "the hot loop branches on values it has just loaded"),
        WRONG,
    ],
    rejects: &[
        NO_WRONG,
        yes("machine.chase", "machine code", "the loop follows pointers, which costs more"),
        yes("machine.unoptimised", "machine code", "the code is not optimised at all"),
        at_least("kernel", 0.5, "profile", "the kernel does the work"),
        at_least("leaf.special", 0.5, "profile", "most of its time is in libraries"),
        yes("source.growth", "source", "the loop is a search, which a better algorithm spares"),
    ],
    part: None,
    special: 2,
    fixes: &[
        (
            "",
            "{place}: sort or partition the data first, or compute both sides and select (arithmetic instead of `if`)",
        ),
        (
            "rust",
            "{place}: sort or partition the data first (`sort_unstable`, `partition_point`), or arithmetic on the condition (`u64::from(x > y) * value`) instead of `if`",
        ),
        (
            "go",
            "{place}: sort or partition the data first (`slices.Sort`), or a table or arithmetic instead of `if`",
        ),
    ],
    effort: Effort::Hours,
    next: Some("slowpath why --tier medium -- {command}"),
    page: Page {
        what: "An `if` on random data is guessed wrong half of the time, and each wrong guess costs 10 to 20 cycles.",
        by_hand: "Sort the data and run again: if it becomes faster, it was the branch. `valgrind --tool=cachegrind --branch-sim=yes` counts.",
        confused: "cache-misses, hot-compute.",
    },
};

pub(super) static FALSE_SHARING: Cause = Cause {
    id: "false-sharing",
    class: "Cache",
    title: "threads write to the same cache line",
    kinds: &[Kind::Computing],
    gates: &[
        at_least("wall", 0.2, "profile", "it takes a share of wall time that matters"),
        // Below that, caches that are warm on one CPU and clocks that change explain it.
        at_least("cpus.apart", 1.2, "runs", "the same work costs more CPU time on several CPUs than on one"),
    ],
    supports: &[
        at_least("cpus.apart", 1.2, "runs", "the same work costs more CPU time on several CPUs than on one"),
        yes(
            "machine.stores",
            "machine code",
            "the hot loop writes to the same place of memory again and again",
        ),
    ],
    rejects: &[
        at_least("locked", 0.2, "profile", "its threads queue for a lock"),
        at_least("kernel", 0.3, "profile", "the kernel does the work"),
        at_least("leaf.special", 0.5, "profile", "most of its time is in libraries"),
    ],
    part: Some("cpus.apart-part"),
    special: 7,
    fixes: &[
        (
            "",
            "{place}: let each thread count in a variable of its own and write the result once, or keep what different threads write 64 bytes apart (`alignas(64)`)",
        ),
        (
            "rust",
            "{place}: sum into a local variable, or `#[repr(align(64))]` (`crossbeam_utils::CachePadded`)",
        ),
        ("go", "{place}: sum into a local variable, or pad each counter to 64 bytes"),
    ],
    effort: Effort::Minutes,
    next: Some("perf c2c record {command}"),
    page: Page {
        what: "A cache line belongs to one CPU at a time when it is written. Threads that write to neighbouring variables, or to one atomic counter, hand the line back and forth: each write waits as for a miss.",
        by_hand: "`taskset -c 0` makes the program need less CPU time (`perf c2c` names the line where the processor may be asked).",
        confused: "lock-contention (threads sleep), cache-misses (one thread alone has them too).",
    },
};
