//! The memory a CPU's events write their records to, and reading it.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use perf_event_open_sys::bindings::perf_event_mmap_page;

/// Pages of a ring, tried from the largest. An ordinary user is granted half a megabyte for each CPU, and beside that
/// what may be locked: often eight megabytes, in containers next to nothing.
const PAGES: [usize; 6] = [512, 256, 128, 64, 32, 16];

/// Of all rings together: a machine with many CPUs has smaller ones.
const MOST_PAGES: usize = 16_384;

/// A ring without stacks is this part of one with them. It bounds what a storm costs us: 12,000 switches at once.
const SMALL: usize = 4;

/// Records of switches and calls have no stacks, so one that did not fit found less room than this.
const FULL: u64 = 1024;

/// A header of every record: type, flags, length.
pub(super) const HEADER: usize = 8;

#[derive(Debug)]
pub(super) struct Ring {
    base: NonNull<u8>,
    page: usize,
    pages: usize,
    /// The room for a stack in each of its samples.
    stack: u64,
}

// SAFETY: the mapping is owned by this value alone; only the kernel writes to it besides.
unsafe impl Send for Ring {}

/// Maps a ring for each event with stacks and a small one for each without, as large as the kernel lets us and alike for
/// all CPUs: the one with the smallest would lose most.
pub(super) fn map_all(
    with_stacks: &[BorrowedFd<'_>],
    without: &[BorrowedFd<'_>],
    stack: u32,
) -> io::Result<(Vec<Ring>, Vec<Ring>)> {
    let most = MOST_PAGES / with_stacks.len().max(1);
    let all = |events: &[BorrowedFd<'_>], pages: usize, stack: u32| -> io::Result<Vec<Ring>> {
        events.iter().map(|event| Ring::map(*event, pages, stack)).collect()
    };
    let mut refusal = io::Error::from(io::ErrorKind::OutOfMemory);
    for pages in PAGES.into_iter().filter(|pages| *pages <= most.max(16)) {
        let large = all(with_stacks, pages, stack);
        let rings = large.and_then(|large| Ok((large, all(without, pages / SMALL, 0)?)));
        match rings {
            Ok(rings) => return Ok(rings),
            Err(error) if matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOMEM)) => refusal = error,
            Err(error) => return Err(error),
        }
    }
    Err(refusal)
}

impl Ring {
    fn map(event: BorrowedFd<'_>, pages: usize, stack: u32) -> io::Result<Self> {
        // SAFETY: sysconf takes an integer.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
        // SAFETY: a new shared mapping of an event of ours; the result is checked.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                (pages + 1) * page,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                event.as_raw_fd(),
                0,
            )
        };
        match NonNull::new(base.cast::<u8>()).filter(|_| base != libc::MAP_FAILED) {
            Some(base) => Ok(Self { base, page, pages, stack: stack.into() }),
            None => Err(io::Error::last_os_error()),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages * self.page
    }

    /// Copies every whole record out and gives their room back to the kernel. `true` when there was no room left, so that
    /// records may be lost.
    pub(super) fn drain(&mut self, out: &mut Vec<u8>) -> bool {
        // SAFETY: the first page of the mapping is this structure; its positions are shared with the kernel, which
        // publishes `data_head` with a release and wants `data_tail` published likewise.
        let (head, tail) = unsafe {
            let page = self.base.as_ptr().cast::<perf_event_mmap_page>();
            (AtomicU64::from_ptr(&raw mut (*page).data_head), AtomicU64::from_ptr(&raw mut (*page).data_tail))
        };
        let (from, to) = (tail.load(Ordering::Relaxed), head.load(Ordering::Acquire));
        let size = self.bytes() as u64;
        // The kernel never runs ahead by more than the ring; if these disagree there is nothing to trust.
        let Some(length) = to.checked_sub(from).filter(|length| *length <= size) else {
            tail.store(to, Ordering::Release);
            return true;
        };
        let full = size - length < FULL;
        #[expect(clippy::cast_possible_truncation, reason = "smaller than the ring, which is in memory")]
        let (start, length) = ((from % size) as usize, length as usize);
        let first = length.min(self.bytes() - start);
        // SAFETY: both pieces lie inside the mapping behind its first page, and the kernel does not write to what it
        // has published until `data_tail` moves.
        let pieces = unsafe {
            let ring = self.base.as_ptr().add(self.page);
            [
                std::slice::from_raw_parts(ring.add(start), first),
                std::slice::from_raw_parts(ring, length - first),
            ]
        };
        Published(pieces).copy_all(self.stack, out);
        tail.store(to, Ordering::Release);
        full
    }
}

/// What the kernel has written since the last time: two pieces where it went over the end of the ring.
struct Published<'a>([&'a [u8]; 2]);

/// The kind of record that may have a stack.
const SAMPLE: u64 = perf_event_open_sys::bindings::PERF_RECORD_SAMPLE as u64;

impl Published<'_> {
    /// Copies every record. Of a stack only what is there: the kernel leaves room for `stack` bytes, tells at the end how
    /// many it has copied, and most stacks are short.
    fn copy_all(&self, stack: u64, out: &mut Vec<u8>) {
        let whole = self.0.iter().map(|piece| piece.len()).sum();
        let mut at = 0;
        while stack > 0 && at < whole {
            // The header: 32 bits of kind, 16 of flags, 16 of length.
            let Some(header) = self.word(at) else { break };
            let length = (header >> 48) as usize;
            if length < HEADER || length > whole - at {
                break;
            }
            if header & u64::from(u32::MAX) != SAMPLE || self.shortened(at, length, stack, out).is_none() {
                self.copy(at, length, out);
            }
            at += length;
        }
        self.copy(at, whole - at, out);
    }

    /// Copies a sample without the room that its stack did not need. `None`, and nothing is copied, when it has no stack.
    fn shortened(&self, at: usize, length: usize, stack: u64, out: &mut Vec<u8>) -> Option<()> {
        let room = usize::try_from(stack).ok()?;
        // The room's size, the room, and how much of it is used.
        let before = length.checked_sub(room + 16).filter(|before| *before >= HEADER)?;
        self.word(at + before).filter(|size| *size == stack)?;
        let used = self.word(at + length - 8).filter(|used| *used <= stack)?;
        let kept = used.next_multiple_of(8);
        let header = self.word(at)? & 0xffff_ffff_ffff | (length as u64 - (stack - kept)) << 48;
        out.extend_from_slice(&header.to_ne_bytes());
        self.copy(at + 8, before - 8, out);
        out.extend_from_slice(&kept.to_ne_bytes());
        self.copy(at + before + 8, usize::try_from(kept).ok()?, out);
        out.extend_from_slice(&used.to_ne_bytes());
        Some(())
    }

    /// Records are multiples of eight bytes, so a word is never in two pieces.
    fn word(&self, at: usize) -> Option<u64> {
        let [first, second] = self.0;
        let (piece, at) = if at < first.len() { (first, at) } else { (second, at - first.len()) };
        piece.get(at..)?.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes))
    }

    fn copy(&self, at: usize, length: usize, out: &mut Vec<u8>) {
        let [first, second] = self.0;
        let split = first.len();
        out.extend_from_slice(first.get(at.min(split)..(at + length).min(split)).unwrap_or_default());
        let (from, to) = (at.max(split) - split, (at + length).max(split) - split);
        out.extend_from_slice(second.get(from..to).unwrap_or_default());
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: our own mapping with its length; nothing refers to it any more.
        unsafe { libc::munmap(self.base.as_ptr().cast(), (self.pages + 1) * self.page) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of this kind with these words behind its header.
    fn record(kind: u64, words: &[u64]) -> Vec<u8> {
        let header = kind | ((words.len() as u64 + 1) * 8) << 48;
        [header].iter().chain(words).flat_map(|word| word.to_ne_bytes()).collect()
    }

    /// However the ring is cut in two, the same is copied.
    fn check(bytes: &[u8], stack: u64, expected: &[u8]) {
        for cut in (0..=bytes.len()).step_by(8) {
            let mut out = Vec::new();
            let (first, second) = bytes.split_at(cut);
            Published([first, second]).copy_all(stack, &mut out);
            assert_eq!(out, expected, "{cut}");
        }
    }

    #[test]
    fn of_a_stack_only_what_is_there_is_copied() {
        let (other, plain) = (record(14, &[1, 2]), record(SAMPLE, &[5]));
        let sample = record(SAMPLE, &[7, 32, 11, 12, 0, 0, 12]);
        let shortened = record(SAMPLE, &[7, 16, 11, 12, 12]);
        let full = record(SAMPLE, &[7, 32, 1, 2, 3, 4, 32]);
        check(
            &[&other[..], &sample, &plain, &full].concat(),
            32,
            &[&other[..], &shortened, &plain, &full].concat(),
        );
        check(&sample, 0, &sample);
    }

    #[test]
    fn what_is_no_record_is_copied_as_it_is() {
        check(&[0; 64], 32, &[0; 64]);
        let cut = &record(SAMPLE, &[7, 32, 11, 12, 0, 0, 12])[..40];
        check(cut, 32, cut);
        let hostile = record(SAMPLE, &[7, 32, 1, 2, 3, 4, u64::MAX]);
        check(&hostile, 32, &hostile);
    }
}
