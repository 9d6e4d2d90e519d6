//! The file that the preload library and slowpath share, one for each program a process runs.
//!
//! Both sides compile this text. In the file lie, one after the other: [`Header`], the mappings at the start, the ring,
//! and one [`Shard`] for each thread. It is sparse: pages that nobody touched take no memory.

/// First word of a file that is ready to be read; it names the layout.
pub(crate) const MAGIC: u64 = 0x736c_6f77_6865_6105;

/// What the environment variable is called: `INTERVAL:FOLDER`.
pub(crate) const VARIABLE: &str = "SLOWPATH_HEAP";

/// Threads that get counters of their own; later ones share the last.
pub(crate) const SHARDS: usize = 2048;

/// Places in the code that a thread counts exactly.
pub(crate) const SITES: usize = 4096;

/// What of them a thread begins with: a short program has few, and each page that it touches is dearer than they are.
pub(crate) const FEW_SITES: usize = 512;

/// A power of two for each class of size.
pub(crate) const CLASSES: usize = 48;

/// Stands for the place of all small objects of Python; no place in the code has it.
pub(crate) const SMALL_KEY: u64 = 1;

/// A site is looked at once when it has allocated this much, so that every site that matters has a stack.
pub(crate) const LOOKED_AT: u64 = 64 * 1024;

/// Threads settle their live bytes when they took or gave back this much, and hand them in when they differ by more than
/// the second: the peak is right to the sum of both for each thread.
pub(crate) const ROOM: i64 = 48 * 1024;
pub(crate) const HELD_BACK: i64 = 16 * 1024;

/// Of a stack, copied with each sample.
pub(crate) const STACK: usize = 8 * 1024;

pub(crate) const PAGE: usize = 4096;
pub(crate) const MAPS: usize = 128 * 1024;
pub(crate) const RING: usize = 4 * 1024 * 1024;

pub(crate) const MAPS_AT: usize = size_of::<Header>();
pub(crate) const RING_AT: usize = MAPS_AT + MAPS;
pub(crate) const SHARDS_AT: usize = RING_AT + RING;
pub(crate) const WHOLE: usize = SHARDS_AT + SHARDS * size_of::<Shard>();

/// Of the process. Atomic words are only ever touched by atomic operations, from both sides.
#[repr(C, align(4096))]
pub(crate) struct Header {
    pub(crate) magic: u64,
    pub(crate) pid: u32,
    /// The process it was forked from with this program; zero after `exec`.
    pub(crate) forked_from: u32,
    /// CLOCK_MONOTONIC.
    pub(crate) started: u64,
    /// Mean bytes between two samples.
    pub(crate) interval: u64,
    /// Live bytes that were the parent's at the fork.
    pub(crate) inherited: i64,
    /// Bytes of text in the place for mappings.
    pub(crate) maps: u64,
    /// What follows is atomic. Live bytes, less what the threads have not handed in yet.
    pub(crate) live: i64,
    pub(crate) peak: i64,
    pub(crate) peak_at: u64,
    pub(crate) threads: u64,
    /// Bytes ever written to and read from the ring.
    pub(crate) head: u64,
    pub(crate) tail: u64,
    /// Samples and frees that found the ring full, and addresses that found no place in the table.
    pub(crate) lost_samples: u64,
    pub(crate) lost_frees: u64,
    pub(crate) forgotten: u64,
    /// Counted up by slowpath when it has read a record for which a thread may wait.
    pub(crate) answered: u32,
    /// Not zero: threads wait at each sample, so that their Python frames can be read.
    pub(crate) asked: u32,
    /// The program file, as the kernel names it; and its first arguments, each ended by a zero.
    pub(crate) program: [u8; 1024],
    pub(crate) arguments: [u8; 1024],
}

/// Of a thread. Written by that thread alone.
#[repr(C, align(64))]
pub(crate) struct Shard {
    /// Live bytes not handed in yet are `pending`, and what of [`ROOM`] was taken, less what of it was given back.
    pub(crate) pending: i64,
    /// What of [`ROOM`] is left to allocations and to frees; below zero both are settled.
    pub(crate) gain: i64,
    pub(crate) loss: i64,
    pub(crate) frees: u64,
    pub(crate) reallocations: u64,
    pub(crate) random: u64,
    pub(crate) tid: u32,
    /// The bits of a site's distance from the first that are in use.
    pub(crate) within: u32,
    pub(crate) pace: Pace,
    pub(crate) small: Small,
    /// By class of size, of what found no place in `sites`.
    pub(crate) classes: [u64; CLASSES],
    /// Everything that found no place in `sites`.
    pub(crate) rest: Site,
    pub(crate) of_rest: Sampling,
    pub(crate) sites: [Site; SITES],
    /// Of each site.
    pub(crate) samplings: [Sampling; SITES],
}

/// How often a thread is sampled; of Python's small objects apart.
#[repr(C)]
pub(crate) struct Pace {
    /// Mean bytes between two samples, at the next ones.
    pub(crate) interval: u64,
    /// Samples since, and when that was.
    pub(crate) samples: u64,
    pub(crate) since: u64,
}

/// Small objects of Python, which it cuts out of arenas. Whoever asks for one stands in the same function of the
/// interpreter, so they are one place, and only the stack tells who it was.
#[repr(C)]
pub(crate) struct Small {
    /// A sample is due when these bytes are used up.
    pub(crate) left: i64,
    pub(crate) allocations: u64,
    /// What was left after the last sample, and all bytes up to then.
    pub(crate) granted: i64,
    pub(crate) bytes: u64,
    pub(crate) samples: u64,
    pub(crate) pace: Pace,
}

/// A place in the code, for one class of sizes: where `malloc` returns to and how deep the stack is there.
#[repr(C, align(32))]
pub(crate) struct Site {
    pub(crate) key: u64,
    pub(crate) allocations: u64,
    /// Bytes until a sample is due, which it is when they do not suffice.
    pub(crate) left: u64,
    /// What it will have allocated when nothing is left.
    pub(crate) end: u64,
}

impl Shard {
    /// [`Shard::within`] for so many sites, a power of two.
    pub(crate) const fn reach(sites: usize) -> u32 {
        ((sites - 1) * size_of::<Site>()) as u32
    }
}

impl Site {
    pub(crate) fn bytes(&self) -> u64 {
        self.end.wrapping_sub(self.left)
    }
}

/// When a site is sampled, in bytes that it has allocated by then.
#[repr(C, align(32))]
pub(crate) struct Sampling {
    /// By chance, every byte alike, with this many between two.
    pub(crate) chance: u64,
    pub(crate) interval: u64,
    /// Once, so that every site that matters has a stack. `u64::MAX` afterwards.
    pub(crate) look: u64,
    /// The exponent of a power of two: sizes from that on, up to twice as much; and how the key tells it.
    pub(crate) class: u32,
    pub(crate) in_key: u32,
}

/// Where the class stands in a key, and by how much the return address is turned in it.
pub(crate) const CLASS: u32 = 50;
pub(crate) const TURNED: u32 = 24;

/// Set in a record's first word when it is whole; the rest of that word is its length and its kind.
pub(crate) const WRITTEN: u64 = 1 << 63;
pub(crate) const KIND: u32 = 56;
pub(crate) const LENGTH: u64 = (1 << KIND) - 1;
pub(crate) const SKIP: u64 = 1;
pub(crate) const ALLOCATION: u64 = 2;
pub(crate) const FREE: u64 = 3;

/// Why an allocation is in the ring: by chance, because its site was to be looked at, or both.
pub(crate) const BY_CHANCE: u32 = 1;
pub(crate) const LOOK: u32 = 2;

/// An allocation; the copy of its stack follows.
#[repr(C)]
pub(crate) struct Allocation {
    pub(crate) word: u64,
    pub(crate) at: u64,
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Mean bytes between two samples of its kind.
    pub(crate) interval: u64,
    pub(crate) live: i64,
    pub(crate) key: u64,
    pub(crate) ip: u64,
    pub(crate) sp: u64,
    pub(crate) bp: u64,
    pub(crate) tid: u32,
    pub(crate) why: u32,
    /// Bytes of stack.
    pub(crate) stack: u64,
}

/// The end of a sampled allocation.
#[repr(C)]
pub(crate) struct Free {
    pub(crate) word: u64,
    pub(crate) at: u64,
    pub(crate) address: u64,
    pub(crate) tid: u64,
}
