//! Causes that lie in files.

use model::worklist::Effort;

use super::super::per_file::MANY;
use super::super::{Cause, Kind, Page};
use super::{WORTH, at_least, at_most, yes};

pub(super) static SMALL_IO: Cause = Cause {
    id: "small-io",
    class: "I/O-File",
    title: "data read or written a few bytes at a time",
    kinds: &[Kind::Computing],
    gates: &[
        WORTH,
        // A program that moves data in blocks spends a few hundredths in these calls.
        at_least("io.moving", 0.25, "profile", "moving the data takes a good part of its time"),
    ],
    supports: &[
        at_least("io.moving", 0.3, "profile", "calls that move the data take much of its time"),
        // A call costs about as much as copying 4 KiB.
        at_most("io.bytes", 1024.0, "tracer", "each call moves few bytes"),
        at_least(
            "io.overlapping",
            0.5,
            "tracer",
            "each read begins inside what the one before has read: most of it is read again",
        ),
        yes("source.tiny-transfer", "source", "the source asks for a few bytes at a time"),
        at_least(
            "files.made",
            MANY,
            "profile",
            "{made} files are written, {each} bytes into each on average",
        ),
    ],
    // What a call moves then takes longer than the call.
    rejects: &[
        at_least("io.bytes", 4096.0, "tracer", "each call moves many bytes"),
        at_least("io.exchanges", 0.5, "tracer", "most of it is exchanges with threads, pipes or peers"),
    ],
    part: Some("kernel"),
    special: 7,
    fixes: &[
        ("", "{place}: read and write through a buffer of 64 KiB"),
        ("python", "{place}: leave buffering on (no `buffering=0`), collect and write once"),
        ("javascript", "{place}: a stream or one `readFile`, not `readSync`/`writeSync` of small pieces"),
        ("java", "{place}: `BufferedInputStream`/`BufferedWriter`"),
        ("go", "{place}: `bufio.Reader`/`bufio.Writer`"),
        ("rust", "{place}: `BufReader`/`BufWriter`"),
        (
            "overlapping",
            "{place} reads ahead, throws that away and reads it again, as a buffered reader does at each seek: skip inside the buffer (Rust: `seek_relative`; C: read the few bytes and drop them), or map the file",
        ),
        (
            "files",
            "{place} makes a file for each few bytes: put many pieces into one file (larger chunks, an archive, a database)",
        ),
    ],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "Each system call costs 0.1 to 1 µs before it moves anything; one for each byte or line makes that the whole cost.",
        by_hand: "`strace -c` for the counts, `strace -e read,write` for the sizes.",
        confused: "syscall-storm (calls that move nothing), fsync-per-record (few calls, each waits).",
    },
};

pub(super) static FSYNC_PER_RECORD: Cause = Cause {
    id: "fsync-per-record",
    class: "I/O-File",
    title: "each record flushed to the disk on its own",
    kinds: &[Kind::Waiting, Kind::Computing],
    // Where the disk is fast, handing the data over takes as long as waiting for it.
    gates: &[WORTH, at_least("flushing", 0.25, "profile", "it waits until data is on the disk")],
    supports: &[
        at_least("io.syncs", 16.0, "tracer", "it flushes again and again"),
        // One flush at the end is by design.
        // A flush may wait several times: for the data, and for the journal of the file system.
        at_least("count", 16.0, "profile", "it waits {count} times until data is on the disk"),
        yes("source.sync", "source", "the source flushes in a loop"),
        yes("source.commit", "source", "the source commits in a loop"),
        at_most("io.records", 4.0, "tracer", "a few writes for each flush"),
    ],
    rejects: &[
        at_most("count", 3.0, "profile", "it flushes a few times only"),
        // To set a database up takes about four for each table, by design.
        at_most("io.syncs", 15.0, "tracer", "it flushes a few times only"),
        // A record is a few writes: the pages of a row and of its journal.
        at_least("io.records", 32.0, "tracer", "each flush is for many writes"),
    ],
    part: Some("flushing"),
    special: 8,
    fixes: &[
        ("", "{place}: flush once for many records (group commit)"),
        (
            "synchronous",
            "{place}: the file is open so that each write waits for the disk (`O_SYNC`, `O_DSYNC`): open it without, and flush once for many records",
        ),
        (
            "python",
            "{place}: one transaction for many rows (`with connection:` around the loop, `executemany`), one `os.fsync` at the end",
        ),
    ],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "`fsync` waits until the disk has it: 0.1 to 10 ms each. One for each record makes the disk's latency the program's speed.",
        by_hand: "`strace -c -e fsync,fdatasync`, and the number of records.",
        confused: "small-io (no waiting, only calls).",
    },
};

pub(super) static COLD_CACHE: Cause = Cause {
    id: "cold-cache",
    class: "I/O-File",
    title: "files read from the disk",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, at_least("wait.disk", 0.5, "profile", "it waits for data from a disk")],
    supports: &[at_least("wait.disk", 0.5, "profile", "it waits for data from a disk")],
    rejects: &[
        at_least("swap", 0.5, "kernel", "the pages come back from swap"),
        at_most("io.sequential", 0.3, "tracer", "the reads jump about in the file"),
    ],
    part: None,
    special: 3,
    fixes: &[("", "{place}: read ahead, read less, keep it in memory; a second run may not wait at all")],
    effort: Effort::Hours,
    next: Some("slowpath bench --cold -- {command}"),
    page: Page {
        what: "The data is not in memory yet and comes from the disk.",
        by_hand: "Run it twice: a fast second run means that the page cache was cold.",
        confused: "random-io: the order of the reads makes them slow.",
    },
};

pub(super) static SYSCALL_STORM: Cause = Cause {
    id: "syscall-storm",
    class: "I/O-File",
    title: "the kernel asked again and again for little",
    kinds: &[Kind::Computing, Kind::Whole],
    gates: &[
        WORTH,
        at_least("kernel.asking", 0.3, "profile", "system calls that move nothing take much of its time"),
    ],
    supports: &[
        at_least("kernel.asking", 0.3, "profile", "system calls that move nothing take much of its time"),
        at_least("io.lookups", 1000.0, "tracer", "files are looked up again and again"),
        at_least("handovers", 2000.0, "profile", "small pieces of work go to another thread and back"),
    ],
    rejects: &[
        yes("database", "profile", "a database library makes the calls"),
        // Who goes through a tree of files opens each, looks at it and closes it.
        at_most("io.per-file", 4.0, "tracer", "it asks for other files each time"),
    ],
    part: Some("kernel"),
    special: 6,
    fixes: &[
        ("", "{place}: ask once and remember the answer"),
        (
            "handover",
            "{place}: each piece wakes another thread and is waited for: hand over larger ones (the file at once, a buffer of 64 KiB, many rows), or do what is short where it is asked for",
        ),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "Looking up files, asking for the time, changing settings: each call is short, their number is not.",
        by_hand: "`strace -c`.",
        confused: "small-io (the calls move data), spawn-storm (the calls make processes).",
    },
};

pub(super) static RANDOM_IO: Cause = Cause {
    id: "random-io",
    class: "I/O-File",
    title: "reads that jump about in a file",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, at_least("wait.disk", 0.5, "profile", "it waits for data from a disk")],
    supports: &[
        // The kernel reads ahead of whoever reads on: with half of the reads elsewhere it hardly helps.
        at_most("io.sequential", 0.5, "tracer", "the reads do not go on where the last one ended"),
        // Reading on waits once for each 128 KiB or more that is read ahead.
        at_least("count", 200.0, "profile", "it waits for the disk {count} times"),
    ],
    rejects: &[
        at_least("io.sequential", 0.7, "tracer", "most reads go on where the last one ended"),
        at_least("swap", 0.5, "kernel", "the pages come back from swap"),
        at_most("count", 50.0, "profile", "it waits for the disk a few times only"),
        // Nothing can be read ahead of a file that is read once.
        at_most("wait.per-file", 4.0, "tracer", "each file is waited for a few times only"),
    ],
    part: None,
    special: 4,
    fixes: &[
        (
            "",
            "{place}: sort the offsets and read in their order, read larger pieces, or keep the file in memory",
        ),
        ("python", "{place}: sort the offsets first, `mmap` with `MADV_WILLNEED`, or read the file once"),
    ],
    effort: Effort::Hours,
    next: Some("slowpath bench --cold -- {command}"),
    page: Page {
        what: "Each read starts elsewhere, so the kernel cannot read ahead and each one waits for the disk by itself.",
        by_hand: "`strace -e pread64,lseek,read` for the offsets; `iostat -x` shows small requests and a busy disk.",
        confused: "cold-cache (the reads go on in order, the file is only not in memory yet), small-io (no waiting, only calls).",
    },
};
