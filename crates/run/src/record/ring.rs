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
}

// SAFETY: the mapping is owned by this value alone; only the kernel writes to it besides.
unsafe impl Send for Ring {}

/// Maps a ring for each event with stacks and a small one for each without, as large as the kernel lets us and alike for
/// all CPUs: the one with the smallest would lose most.
pub(super) fn map_all(
    with_stacks: &[BorrowedFd<'_>],
    without: &[BorrowedFd<'_>],
) -> io::Result<(Vec<Ring>, Vec<Ring>)> {
    let most = MOST_PAGES / with_stacks.len().max(1);
    let all = |events: &[BorrowedFd<'_>], pages: usize| -> io::Result<Vec<Ring>> {
        events.iter().map(|event| Ring::map(*event, pages)).collect()
    };
    let mut refusal = io::Error::from(io::ErrorKind::OutOfMemory);
    for pages in PAGES.into_iter().filter(|pages| *pages <= most.max(16)) {
        let rings = all(with_stacks, pages).and_then(|large| Ok((large, all(without, pages / SMALL)?)));
        match rings {
            Ok(rings) => return Ok(rings),
            Err(error) if matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOMEM)) => refusal = error,
            Err(error) => return Err(error),
        }
    }
    Err(refusal)
}

impl Ring {
    fn map(event: BorrowedFd<'_>, pages: usize) -> io::Result<Self> {
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
            Some(base) => Ok(Self { base, page, pages }),
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
        unsafe {
            let ring = self.base.as_ptr().add(self.page);
            out.extend_from_slice(std::slice::from_raw_parts(ring.add(start), first));
            out.extend_from_slice(std::slice::from_raw_parts(ring, length - first));
        }
        tail.store(to, Ordering::Release);
        full
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: our own mapping with its length; nothing refers to it any more.
        unsafe { libc::munmap(self.base.as_ptr().cast(), (self.pages + 1) * self.page) };
    }
}
