//! Causes that lie in memory.

use model::worklist::Effort;

use super::super::{Cause, Kind, Page};
use super::{WORTH, at_least, at_most, yes};

pub(super) static ALLOCATION_CHURN: Cause = Cause {
    id: "allocation-churn",
    class: "Memory",
    title: "allocating and freeing all the time",
    kinds: &[Kind::Computing],
    gates: &[
        WORTH,
        // Allocators take 5 to 10 % of ordinary programs; a quarter of one place's time is its way of working.
        at_least("allocating", 0.25, "profile", "the allocator takes a good part of its time"),
    ],
    supports: &[
        at_least("leaf.allocate", 0.35, "profile", "the allocator takes much of its time"),
        // Most loops allocate something; only counted blocks are a second witness.
        yes("source.allocate", "profile", "the source allocates inside the loop"),
        // A block costs some tens of nanoseconds to make and free: at this rate that is a hundredth of a CPU and more.
        at_least("heap.churn", 200e3, "heap", "its blocks are freed as soon as they are made"),
        // At some tens of bytes an object and some nanoseconds each that is a tenth of the time and more.
        at_least(
            "made.rate",
            300e6,
            "runtime",
            "the runtime's own samples show that it makes objects all the time",
        ),
        yes("source.box", "source", "each step of its loop puts a number into an object of its own"),
    ],
    rejects: &[at_least("kernel.memory", 0.5, "profile", "page faults take more than the allocator")],
    part: Some("allocating"),
    special: 5,
    fixes: &[
        ("", "{place}: reuse one buffer, allocate once outside the loop, or use an arena"),
        ("go", "{place}: reuse buffers (`sync.Pool`, slices with capacity)"),
        ("java", "{place}: avoid boxing, reuse builders and arrays"),
        ("rust", "{place}: reuse one `Vec`/`String` (`clear`), borrow instead of `to_string`/`clone`"),
        ("c++", "{place}: `reserve`, move instead of copy, reuse the container, or a monotonic arena"),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "Memory is asked for and given back for each element; the work between is short.",
        by_hand: "`ltrace -c -e malloc+free`, `valgrind --tool=dhat`: many blocks, short lives.",
        confused: "page-faults (large blocks go back to the kernel each time), gc-pressure (the collector pays).",
    },
};

pub(super) static COPY_VOLUME: Cause = Cause {
    id: "copy-volume",
    class: "Memory",
    title: "copying more than is used",
    kinds: &[Kind::Computing],
    gates: &[WORTH],
    supports: &[
        at_least("leaf.copy", 0.35, "profile", "much of its time is copying memory, in {callee}"),
        at_least("leaf.deep-copy", 0.35, "profile", "much of its time is copying trees of objects"),
        yes("source.copy", "source", "the source copies inside the loop"),
        // Memory moves at some gigabytes a second; with fresh pages for each copy at about one.
        at_least("array.anew", 0.3, "runtime", "{anew}"),
        yes("machine.block-copy", "machine code", "the hot line copies a whole block of memory in each turn"),
        // Tasks that are worth a process of their own compute for longer than they are sent.
        at_least(
            "pool.packing",
            0.3,
            "profile",
            "what its processes are sent is packed and unpacked for long",
        ),
    ],
    rejects: &[
        yes(
            "runtimes",
            "profile",
            "a runtime moves what it looks after, such as objects that outlive a collection",
        ),
        at_least("leaf.search", 0.3, "profile", "the copies come from searching and shifting"),
        // Making and freeing a block takes longer than filling some tens of bytes.
        at_least("heap.small-churn", 200e3, "heap", "its copies are small, and making them takes the time"),
    ],
    part: None,
    special: 5,
    fixes: &[
        ("", "{place}: pass references, views or slices instead of copies"),
        (
            "text",
            "{place} writes objects as text and reads them again to copy them: copy only what is changed, or let the language copy (`structuredClone`, `copy.copy`)",
        ),
        (
            "pool",
            "{place} sends its processes more than they need: what is common once (`initializer=`), only what differs with each task, many tasks at a time (`chunksize=`)",
        ),
        (
            "python",
            "{place}: copy only what is changed (a shallow copy, `memoryview`, immutable objects) instead of `copy.deepcopy` or slices",
        ),
        ("c++", "{place}: take `const &`, move, `std::string_view`, `std::span`"),
        (
            "go",
            "{place}: go through the indices or hold pointers, and give methods of large types a pointer receiver: `range` and calls by value copy the whole element",
        ),
        ("rust", "{place}: borrow (`&str`, `&[T]`) instead of cloning"),
        ("javascript", "{place}: change in place instead of spreading into a new object each time"),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "Large values are copied where a reference would do: by-value parameters, deep copies, slices, spreading objects.",
        by_hand: "Look for `memcpy`/`memmove` in a profile and at who calls them with which sizes.",
        confused: "algorithmic-growth: building a string or list piece by piece copies all of it each time.",
    },
};

pub(super) static GC_PRESSURE: Cause = Cause {
    id: "gc-pressure",
    class: "Memory",
    title: "the garbage collector is kept busy",
    kinds: &[Kind::Whole],
    // Below a tenth no tuning of memory shows in wall time.
    gates: &[at_least("collector", 0.1, "profile", "the collector takes a tenth of the time")],
    supports: &[
        at_least("collector", 0.1, "profile", "the collector takes much of the time"),
        at_least("gc.share", 0.1, "runtime", "the runtime itself counts {collections} collections"),
        // Whose garbage it is says nothing of what it costs: no witness beside the profile.
        at_least("gc.maker", 0.3, "profile", "more objects than anywhere else are made at {maker}"),
    ],
    rejects: &[
        yes("collector.growth", "source", "the garbage comes from work that grows faster than its input"),
        // What the profile takes for collecting is then fetching fresh memory.
        at_most("gc.share", 0.03, "runtime", "the runtime itself says that it hardly collects"),
    ],
    part: Some("collector.part"),
    special: 6,
    fixes: &[
        ("", "{place}: make fewer objects that live long enough to be looked at, or give the heap more room"),
        ("python", "{place}: `gc.freeze()` after loading, raise `gc.set_threshold`, fewer container objects"),
        (
            "javascript",
            "{place}: reuse objects and arrays; `--max-semi-space-size` for much short-lived garbage",
        ),
        ("java", "{place}: fewer boxed values and temporary objects, a larger heap (`-Xmx`)"),
        ("go", "{place}: fewer pointers and temporary objects, `GOGC`/`GOMEMLIMIT`"),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "The runtime spends its time finding out which objects are still needed.",
        by_hand: "`node --trace-gc`, `java -Xlog:gc`, `GODEBUG=gctrace=1`, `gc.callbacks` in Python.",
        confused: "allocation-churn: the allocator, not the collector, takes the time.",
    },
};

/// From here on most pages that are ever touched are in use at the peak: memory only grows. A program that uses its
/// memory a second time is well below.
const GROWS: f64 = 0.6;

pub(super) static MEMORY_GROWTH: Cause = Cause {
    id: "memory-growth",
    class: "Memory",
    title: "memory that only grows",
    kinds: &[Kind::Computing],
    gates: &[
        WORTH,
        at_least("kernel.memory", 0.15, "profile", "fetching fresh memory takes a part of its time"),
        // Smaller programs pay their start, not their growth.
        at_least("memory.peak", 64e6, "kernel", "it ends with much memory"),
        at_least("memory.fresh", GROWS, "kernel", "what is fetched is kept"),
    ],
    supports: &[
        at_least("kernel.memory", 0.15, "profile", "fetching fresh memory takes much of its time"),
        // What a service warms up to is smaller beside what it has, or over before anybody looks at it.
        at_least("memory.gained", 0.1, "kernel", "while it was watched its resident memory grew, {grown}"),
        at_least("memory.held", 0.5, "heap", "one place holds most of the memory at the end, {holder}"),
    ],
    rejects: &[
        // Heaps grow before anybody looks for garbage: only what a collection left is kept.
        yes("heap.untold", "profile", "a runtime looks after its memory, and does not tell what is in use"),
        // A heap may have doubled since the last collection.
        at_most("gc.kept", 0.35, "runtime", "most of the memory is garbage or free"),
        // What is loaded before the work begins is kept on purpose.
        at_most("memory.span", 0.5, "profile", "it fetches memory in one part of the run only"),
    ],
    part: Some("kernel.memory"),
    special: 6,
    fixes: &[
        (
            "",
            "{place}: keep less: bound caches and histories, process the input in pieces, drop what nobody reads again",
        ),
        (
            "python",
            "{place}: bound what is kept (`functools.lru_cache(maxsize=…)`, `deque(maxlen=…)`), or a generator instead of a list of everything",
        ),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "Everything that was ever made is kept: caches without a bound, histories nobody reads, whole inputs in memory. Each fresh page costs the kernel's time to clear it.",
        by_hand: "Resident memory over time (`ps -o rss`), `tracemalloc` in Python, `valgrind --tool=massif`: who holds the memory at the end?",
        confused: "page-faults: memory is given back and fetched again.",
    },
};

pub(super) static PAGE_FAULTS: Cause = Cause {
    id: "page-faults",
    class: "Memory",
    title: "memory given back to the kernel and fetched again",
    kinds: &[Kind::Computing],
    gates: &[
        WORTH,
        at_least("kernel.memory", 0.15, "profile", "page faults and mapping take a part of its time"),
    ],
    supports: &[
        at_least("kernel.memory", 0.3, "profile", "page faults and mapping take much of its time"),
        // The program touches five times as many fresh pages as it ever has at once.
        at_most("memory.recycled", 0.2, "kernel", "memory is given back and fetched again and again"),
    ],
    rejects: &[
        at_least("memory.fresh", GROWS, "kernel", "memory is fetched once and kept"),
        yes("managed", "profile", "a runtime looks after its memory"),
    ],
    part: Some("kernel.memory"),
    special: 6,
    fixes: &[
        ("", "{place}: keep the buffer and use it again instead of freeing it each time"),
        (
            "c",
            "{place}: keep the buffer, or `mallopt(M_MMAP_THRESHOLD, …)`/`M_TRIM_THRESHOLD` so that large blocks are not given back each time",
        ),
    ],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "Each first touch of a fresh page enters the kernel, which clears it. Programs that free and allocate large blocks pay for all pages each time.",
        by_hand: "`perf stat -e minor-faults` or GNU time: faults × 0.1 to 0.5 µs (4 KiB pages) is what they cost.",
        confused: "allocation-churn (small blocks never leave the process), cold-cache (pages come from a disk).",
    },
};

pub(super) static SWAP: Cause = Cause {
    id: "swap",
    class: "Memory",
    title: "memory read back from swap",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, yes("wait.fault", "profile", "it waits for pages from a disk")],
    supports: &[
        yes("wait.fault", "profile", "it waits for pages from a disk"),
        at_least("swap", 0.5, "kernel", "most of these pages come back from swap"),
    ],
    rejects: &[at_most("swap", 0.1, "kernel", "the pages do not come from swap")],
    part: None,
    special: 7,
    fixes: &[
        (
            "",
            "{place}: use less memory at once, give the machine or its control group more, or `vm.swappiness=1`",
        ),
        ("java", "{place}: a heap that fits (`-Xmx` below the memory there is)"),
    ],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "The machine has less memory than its programs use: pages go out to the disk and are waited for when they are touched again.",
        by_hand: "`vmstat 1`: columns si and so; `VmSwap` in `/proc/PID/status`.",
        confused: "cold-cache (the pages are of a file), page-faults (fresh pages, no disk).",
    },
};
