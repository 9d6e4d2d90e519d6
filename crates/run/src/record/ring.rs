//! The memory a CPU's events write their records to, and reading it.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use perf_event_open_sys::bindings::perf_event_mmap_page;

/// Pages of a ring, tried from the largest. An ordinary user is granted half a megabyte for each CPU, and beside that
/// what may be locked: often eight megabytes, in containers next to nothing.
const PAGES: [usize; 7] = [1024, 512, 256, 128, 64, 32, 16];

/// Of all rings together: a machine with many CPUs has smaller ones.
const MOST_PAGES: usize = 16_384;

/// From so many pages on a ring may be read in place.
const ROOMY: usize = 256;

/// A ring without stacks is this part of one with them …
const SMALL: usize = 4;

/// … and at most so many pages, which bounds what a storm costs us: 12,000 switches at once.
const MOST_SMALL: usize = 128;

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
    pub(super) stack: u64,
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
        let rings = large.and_then(|large| Ok((large, all(without, (pages / SMALL).min(MOST_SMALL), 0)?)));
        match rings {
            Ok(rings) => return Ok(rings),
            Err(error) if matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOMEM)) => refusal = error,
            Err(error) => return Err(error),
        }
    }
    Err(refusal)
}

/// Maps a ring for each of these events, which last for a moment: large ones would take longer to make than to use.
pub(super) fn map_each(events: &[BorrowedFd<'_>], stack: u32) -> io::Result<Vec<Ring>> {
    const MOST: usize = 128;
    let mut refusal = io::Error::from(io::ErrorKind::OutOfMemory);
    for pages in PAGES.into_iter().filter(|pages| *pages <= MOST) {
        match events.iter().map(|event| Ring::map(*event, pages, stack)).collect() {
            Ok(rings) => return Ok(rings),
            Err(error) => refusal = error,
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
    pub(super) fn drain(&self, out: &mut Vec<u8>) -> bool {
        let (from, to) = self.positions();
        let Some(published) = self.published(from, to) else {
            self.release(to);
            return true;
        };
        let full = self.bytes() as u64 - (to - from) < FULL;
        published.copy_all(self.stack, out);
        self.release(to);
        full
    }

    /// What the kernel has written since the last time, where that may stay in the ring while it is looked at: there is
    /// room enough besides, and it tells of no program or file, which take a while to look at. Stacks are large, and little
    /// of them is ever read. [`Self::release`] must follow.
    pub(super) fn in_place(&self) -> Option<Published<'_>> {
        let (from, to) = self.positions();
        let published = self.published(from, to)?;
        let roomy = self.pages >= ROOMY && (to - from) as usize <= self.bytes() / 4 * 3;
        (roomy && !published.tells_of_files()).then_some(published)
    }

    /// Gives the room of what was in place back to the kernel.
    pub(super) fn release(&self, to: u64) {
        self.shared().1.store(to, Ordering::Release);
    }

    /// The positions of the kernel and of ours, shared with it.
    fn shared(&self) -> (&AtomicU64, &AtomicU64) {
        // SAFETY: the first page of the mapping is this structure; its positions are shared with the kernel, which
        // publishes `data_head` with a release and wants `data_tail` published likewise.
        unsafe {
            let page = self.base.as_ptr().cast::<perf_event_mmap_page>();
            (AtomicU64::from_ptr(&raw mut (*page).data_head), AtomicU64::from_ptr(&raw mut (*page).data_tail))
        }
    }

    fn positions(&self) -> (u64, u64) {
        let (head, tail) = self.shared();
        (tail.load(Ordering::Relaxed), head.load(Ordering::Acquire))
    }

    /// `None` when the positions disagree. The kernel never runs ahead by more than the ring, so there is nothing to trust.
    fn published(&self, from: u64, to: u64) -> Option<Published<'_>> {
        let size = self.bytes() as u64;
        let length = to.checked_sub(from).filter(|length| *length <= size)?;
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
        Some(Published { pieces, to })
    }
}

/// Copies one record, as [`Ring::drain`] does from a ring whose samples have room for so large a stack.
pub(super) fn copy(record: &[u8], stack: u64, out: &mut Vec<u8>) {
    Published { pieces: [record, &[]], to: 0 }.copy_all(stack, out);
}

/// What the kernel has written since the last time: two pieces where it went over the end of the ring.
#[derive(Debug)]
pub(super) struct Published<'a> {
    pieces: [&'a [u8]; 2],
    /// The kernel's position behind it.
    pub(super) to: u64,
}

/// Kinds of records that tell of a file or a program.
const FILES: [u64; 3] = [
    perf_event_open_sys::bindings::PERF_RECORD_MMAP as u64,
    perf_event_open_sys::bindings::PERF_RECORD_MMAP2 as u64,
    perf_event_open_sys::bindings::PERF_RECORD_COMM as u64,
];

/// The kind of record that may have a stack.
const SAMPLE: u64 = perf_event_open_sys::bindings::PERF_RECORD_SAMPLE as u64;

impl<'a> Published<'a> {
    /// Adds the records that lie in one piece; the one that does not is copied to `crossing`.
    pub(super) fn records(&self, stack: u64, records: &mut Vec<&'a [u8]>, crossing: &mut Vec<u8>) {
        let mut at = 0;
        while let Some((length, kind)) = self.header(at) {
            match self.in_one_piece(at, length) {
                Some(record) => records.push(record),
                None => self.copy_one(at, (length, kind), stack, crossing),
            }
            at += length;
        }
    }

    fn in_one_piece(&self, at: usize, length: usize) -> Option<&'a [u8]> {
        let [first, second] = self.pieces;
        match at.checked_sub(first.len()) {
            Some(at) => second.get(at..at + length),
            None => first.get(at..at + length),
        }
    }

    fn tells_of_files(&self) -> bool {
        let mut at = 0;
        while let Some((length, kind)) = self.header(at) {
            if FILES.contains(&kind) {
                return true;
            }
            at += length;
        }
        false
    }

    /// Length and kind of the record at a position. `None` at the end, and where there is none.
    fn header(&self, at: usize) -> Option<(usize, u64)> {
        let whole: usize = self.pieces.iter().map(|piece| piece.len()).sum();
        // 32 bits of kind, 16 of flags, 16 of length.
        let header = self.word(at)?;
        let length = (header >> 48) as usize;
        (length >= HEADER && length <= whole - at).then_some((length, header & u64::from(u32::MAX)))
    }

    /// Copies every record. Of a stack only what is there: the kernel leaves room for `stack` bytes, tells at the end how
    /// many it has copied, and most stacks are short.
    fn copy_all(&self, stack: u64, out: &mut Vec<u8>) {
        let whole: usize = self.pieces.iter().map(|piece| piece.len()).sum();
        let mut at = 0;
        while let Some((length, kind)) = self.header(at).filter(|_| stack > 0) {
            self.copy_one(at, (length, kind), stack, out);
            at += length;
        }
        self.copy(at, whole - at, out);
    }

    fn copy_one(&self, at: usize, (length, kind): (usize, u64), stack: u64, out: &mut Vec<u8>) {
        if kind != SAMPLE || self.shortened(at, length, stack, out).is_none() {
            self.copy(at, length, out);
        }
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
        let [first, second] = self.pieces;
        let (piece, at) = if at < first.len() { (first, at) } else { (second, at - first.len()) };
        piece.get(at..)?.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes))
    }

    fn copy(&self, at: usize, length: usize, out: &mut Vec<u8>) {
        let [first, second] = self.pieces;
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
            Published { pieces: [first, second], to: 0 }.copy_all(stack, &mut out);
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
    fn records_are_read_in_place_but_the_one_that_crosses_the_end() {
        let (one, two, three) = (record(14, &[1, 2]), record(SAMPLE, &[5, 6]), record(3, &[7]));
        let bytes = [&one[..], &two, &three].concat();
        for cut in (0..=bytes.len()).step_by(8) {
            let (first, second) = bytes.split_at(cut);
            let published = Published { pieces: [first, second], to: 0 };
            let mut crossing = Vec::new();
            let mut found = Vec::new();
            published.records(0, &mut found, &mut crossing);
            let mut found: Vec<Vec<u8>> = found.into_iter().map(<[u8]>::to_vec).collect();
            assert_eq!(
                crossing.is_empty(),
                [0, one.len(), one.len() + two.len(), bytes.len()].contains(&cut)
            );
            found.extend(Some(crossing).filter(|crossing| !crossing.is_empty()));
            found.sort();
            let mut wanted = vec![one.clone(), two.clone(), three.clone()];
            wanted.sort();
            assert_eq!(found, wanted, "{cut}");
            assert!(published.tells_of_files());
        }
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
