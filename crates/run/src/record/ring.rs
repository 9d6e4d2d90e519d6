//! The memory a CPU's events write their records to, and reading it.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use perf_event_open_sys::bindings::perf_event_mmap_page;

/// Pages of a ring, tried from the largest. An ordinary user is granted half a megabyte for each CPU and eight more.
const PAGES: [usize; 6] = [512, 256, 128, 64, 32, 16];

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

impl Ring {
    /// Maps the ring of an event, as large as the kernel lets us.
    pub(super) fn map(event: BorrowedFd<'_>) -> io::Result<Self> {
        // SAFETY: sysconf takes an integer.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
        let mut refusal = io::Error::from(io::ErrorKind::OutOfMemory);
        for pages in PAGES {
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
            if base != libc::MAP_FAILED
                && let Some(base) = NonNull::new(base.cast::<u8>())
            {
                return Ok(Self { base, page, pages });
            }
            refusal = io::Error::last_os_error();
            if refusal.raw_os_error() != Some(libc::EPERM) && refusal.raw_os_error() != Some(libc::ENOMEM) {
                break;
            }
        }
        Err(refusal)
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages * self.page
    }

    /// Copies every whole record out and gives their room back to the kernel.
    pub(super) fn drain(&mut self, out: &mut Vec<u8>) {
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
            return;
        };
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
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: our own mapping with its length; nothing refers to it any more.
        unsafe { libc::munmap(self.base.as_ptr().cast(), (self.pages + 1) * self.page) };
    }
}
