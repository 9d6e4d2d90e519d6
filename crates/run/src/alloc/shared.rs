//! One file that a process shares with us: its counters and its ring.
//!
//! The other side may do anything to it, so every length is checked and nothing that lies there is borrowed.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::mem::offset_of;
use std::os::fd::AsRawFd;
use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

use super::layout::{self, Allocation, Free, Header, Sampling, Shard, Site, Small};

/// The mapping; unmapped when it is dropped.
#[derive(Debug)]
pub(super) struct Shared {
    base: *mut u8,
    tail: u64,
    buffer: Vec<u8>,
}

// SAFETY: the mapping belongs to whoever holds this.
unsafe impl Send for Shared {}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: our own mapping, not used after this.
        unsafe { libc::munmap(self.base.cast(), layout::WHOLE) };
    }
}

/// What a process says of itself.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) pid: u32,
    pub(super) forked_from: Option<u32>,
    pub(super) started: u64,
    pub(super) inherited: i64,
    pub(super) program: Vec<u8>,
    pub(super) arguments: Vec<Vec<u8>>,
    /// Text of its mappings at the start.
    pub(super) maps: Vec<u8>,
}

/// Something from the ring.
pub(super) enum Event<'a> {
    Allocation { record: &'a Allocation, stack: &'a [u8] },
    Free { at: u64, address: u64, tid: u32 },
}

/// Counters as they stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted {
    pub(super) live: i64,
    pub(super) peak: i64,
    pub(super) peak_at: u64,
    pub(super) threads: u64,
    pub(super) lost_samples: u64,
    pub(super) lost_frees: u64,
    pub(super) allocations: u64,
    pub(super) reallocations: u64,
    pub(super) frees: u64,
    pub(super) bytes: u64,
    /// Of `allocations`, small objects of Python, whose classes are not counted.
    pub(super) small: u64,
    pub(super) classes: Vec<u64>,
    /// What each site counted, and whether it was looked at.
    pub(super) sites: HashMap<u64, Keyed>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keyed {
    pub(super) allocations: u64,
    pub(super) bytes: u64,
    pub(super) looked_at: bool,
    /// Of sizes, and how the key tells it; without that the keys of one place are the same.
    pub(super) class: u32,
    pub(super) in_key: u64,
}

impl Keyed {
    /// The place, whatever the size.
    pub(super) fn place(&self, key: u64) -> u64 {
        key ^ self.in_key << layout::CLASS
    }
}

impl Shared {
    /// `None` while the other side has not filled it in.
    pub(super) fn open(file: &File) -> io::Result<Option<Self>> {
        if file.metadata()?.len() < layout::WHOLE as u64 {
            return Ok(None);
        }
        // SAFETY: a new mapping of a file that is long enough.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                layout::WHOLE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_NORESERVE,
                file.as_raw_fd(),
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let shared = Self { base: base.cast(), tail: 0, buffer: Vec::new() };
        let ready = shared.word(offset_of!(Header, magic)).load(Ordering::Acquire) == layout::MAGIC;
        Ok(ready.then_some(shared))
    }

    fn header(&self) -> *mut Header {
        self.base.cast()
    }

    /// The word that lies so many bytes from the beginning.
    fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: callers name aligned words of the mapping, which both sides touch by atomic operations alone.
        unsafe { AtomicU64::from_ptr(self.base.add(at).cast()) }
    }

    pub(super) fn told(&self) -> Told {
        // SAFETY: in the mapping; copied before it is looked at.
        let header = unsafe { ptr::read_volatile(self.header()) };
        let maps = usize::try_from(header.maps).unwrap_or(0).min(layout::MAPS);
        let text = |bytes: &[u8]| bytes.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
        let end = header.arguments.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let arguments = header.arguments.get(..end).unwrap_or_default();
        Told {
            pid: header.pid,
            forked_from: (header.forked_from != 0).then_some(header.forked_from),
            started: header.started,
            inherited: header.inherited,
            program: text(&header.program),
            arguments: arguments.split(|byte| *byte == 0).filter(|_| end > 0).map(<[u8]>::to_vec).collect(),
            maps: self.copy(layout::MAPS_AT, maps),
        }
    }

    fn copy(&self, at: usize, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        // SAFETY: callers stay within the mapping.
        unsafe { ptr::copy_nonoverlapping(self.base.add(at), bytes.as_mut_ptr(), length) };
        bytes
    }

    /// Live bytes, less what threads have not handed in.
    pub(super) fn live(&self) -> i64 {
        // SAFETY: an aligned word of the mapping.
        unsafe { AtomicI64::from_ptr(&raw mut (*self.header()).live) }.load(Ordering::Relaxed)
    }

    /// Hands on what the ring holds. `ended`: nobody writes any more, so records without an end are stepped over.
    pub(super) fn drain(&mut self, ended: bool, mut take: impl FnMut(Event<'_>)) {
        let mut buffer = std::mem::take(&mut self.buffer);
        let head = self.word(offset_of!(Header, head)).load(Ordering::Acquire);
        while self.tail < head {
            let at = usize::try_from(self.tail % layout::RING as u64).unwrap_or(0);
            let word = self.word(layout::RING_AT + at).load(Ordering::Acquire);
            let length = usize::try_from(word & layout::LENGTH & !layout::WRITTEN).unwrap_or(usize::MAX);
            let whole = word & layout::WRITTEN != 0;
            if !whole && !ended {
                break;
            }
            if length < 8 || length % 8 != 0 || length > layout::RING - at {
                // Torn: nothing behind it can be found.
                self.tail = head;
                break;
            }
            // Of what is skipped nothing was written but the first word.
            let skipped = (word & !layout::WRITTEN) >> layout::KIND == layout::SKIP;
            let written = if skipped { size_of::<u64>() } else { length };
            buffer.clear();
            buffer.resize(written, 0);
            // SAFETY: within the ring.
            unsafe { ptr::copy_nonoverlapping(self.ring(at), buffer.as_mut_ptr(), written) };
            if whole && let Some(event) = event(&buffer) {
                take(event);
            }
            // SAFETY: within the ring; the other side relies on zeros where it writes next.
            unsafe { ptr::write_bytes(self.ring(at), 0, written) };
            self.tail += length as u64;
            self.word(offset_of!(Header, tail)).store(self.tail, Ordering::Release);
            self.answer();
        }
        self.buffer = buffer;
    }

    /// Lets threads that wait to be looked at go on.
    fn answer(&self) {
        // SAFETY: aligned words of the mapping; the call names one of them and nothing else.
        unsafe {
            if AtomicU32::from_ptr(&raw mut (*self.header()).asked).load(Ordering::Acquire) == 0 {
                return;
            }
            let answered = AtomicU32::from_ptr(&raw mut (*self.header()).answered);
            answered.fetch_add(1, Ordering::Release);
            libc::syscall(libc::SYS_futex, answered.as_ptr(), libc::FUTEX_WAKE, i32::MAX);
        }
    }

    fn ring(&self, at: usize) -> *mut u8 {
        // SAFETY: the ring lies within the mapping, and callers stay below its length.
        unsafe { self.base.add(layout::RING_AT + at) }
    }

    pub(super) fn counted(&self) -> Counted {
        // SAFETY: in the mapping; copied before it is looked at.
        let header = unsafe { ptr::read_volatile(self.header()) };
        let mut counted = Counted {
            live: header.live,
            peak: header.peak,
            peak_at: header.peak_at,
            threads: header.threads,
            lost_samples: header.lost_samples,
            lost_frees: header.lost_frees + header.forgotten,
            classes: vec![0; layout::CLASSES],
            ..Counted::default()
        };
        let shards = usize::try_from(header.threads).unwrap_or(usize::MAX).min(layout::SHARDS);
        for at in 0..shards {
            // SAFETY: one of the shards, which lie within the mapping.
            let shard = unsafe { self.base.add(layout::SHARDS_AT).cast::<Shard>().add(at) };
            counted.add(shard);
        }
        counted.peak = counted.peak.max(counted.live);
        counted
    }
}

impl Counted {
    fn add(&mut self, shard: *const Shard) {
        // SAFETY: the caller's shard; each word is copied.
        let (pending, frees, reallocations, within, rest, classes, small, sites, samplings) = unsafe {
            let word = |of: *const i64| of.read_volatile();
            let (gain, loss) = (word(&raw const (*shard).gain), word(&raw const (*shard).loss));
            (
                word(&raw const (*shard).pending).wrapping_add(loss.wrapping_sub(gain)),
                (&raw const (*shard).frees).read_volatile(),
                (&raw const (*shard).reallocations).read_volatile(),
                (&raw const (*shard).within).read_volatile(),
                (&raw const (*shard).rest).read_volatile(),
                (&raw const (*shard).classes).read_volatile(),
                (&raw const (*shard).small).read_volatile(),
                (&raw const (*shard).sites).cast::<Site>(),
                (&raw const (*shard).samplings).cast::<Sampling>(),
            )
        };
        self.live = self.live.saturating_add(pending);
        self.frees += frees;
        self.reallocations += reallocations;
        self.allocations += rest.allocations;
        self.bytes = self.bytes.wrapping_add(rest.bytes());
        for (sum, class) in self.classes.iter_mut().zip(classes) {
            *sum += class;
        }
        self.add_small(&small);
        // The others were never touched: to look would make them.
        let used = usize::try_from(within).unwrap_or(0) / size_of::<Site>() + 1;
        for at in 0..layout::SITES.min(used) {
            // SAFETY: one of the shard's sites.
            let site = unsafe { sites.add(at).read_volatile() };
            if site.key != 0 {
                // SAFETY: as above.
                self.add_site(&site, &unsafe { samplings.add(at).read_volatile() });
            }
        }
    }

    fn add_small(&mut self, small: &Small) {
        let bytes = small.bytes.saturating_add_signed(small.granted.saturating_sub(small.left));
        self.allocations += small.allocations;
        self.bytes += bytes;
        self.small += small.allocations;
        if small.allocations > 0 {
            let keyed = self.sites.entry(layout::SMALL_KEY).or_default();
            keyed.allocations += small.allocations;
            keyed.bytes += bytes;
            keyed.looked_at |= small.samples > 0;
        }
    }

    fn add_site(&mut self, site: &Site, sampling: &Sampling) {
        self.allocations += site.allocations;
        self.bytes = self.bytes.wrapping_add(site.bytes());
        let class = usize::try_from(sampling.class).unwrap_or(usize::MAX).min(layout::CLASSES - 1);
        if let Some(class) = self.classes.get_mut(class) {
            *class += site.allocations;
        }
        let keyed = self.sites.entry(site.key).or_default();
        keyed.allocations += site.allocations;
        keyed.bytes = keyed.bytes.wrapping_add(site.bytes());
        keyed.looked_at |= sampling.look == u64::MAX;
        keyed.class = sampling.class;
        keyed.in_key = u64::from(sampling.in_key);
    }
}

/// `None` for a record that only fills the ring's end, or is none.
fn event(bytes: &[u8]) -> Option<Event<'_>> {
    let word = u64::from_ne_bytes(*bytes.first_chunk()?);
    match (word & !layout::WRITTEN) >> layout::KIND {
        layout::ALLOCATION => {
            let (record, stack) = bytes.split_at_checked(size_of::<Allocation>())?;
            let (_, record, _) = {
                // SAFETY: any bits are an `Allocation`; what is not aligned comes out as no element.
                unsafe { record.align_to::<Allocation>() }
            };
            let record = record.first()?;
            let stack = stack.get(..usize::try_from(record.stack).ok()?)?;
            Some(Event::Allocation { record, stack })
        }
        layout::FREE => {
            let (words, _) = bytes.as_chunks::<8>();
            let word = |at: usize| words.get(at).map(|word| u64::from_ne_bytes(*word));
            const _: () = assert!(size_of::<Free>() == 32);
            Some(Event::Free { at: word(1)?, address: word(2)?, tid: u32::try_from(word(3)?).ok()? })
        }
        _ => None,
    }
}
