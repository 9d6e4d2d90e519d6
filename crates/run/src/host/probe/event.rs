//! A perf event, as far as a trial needs it.

use std::mem::offset_of;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use perf_event_open_sys::bindings::{
    PERF_FLAG_FD_CLOEXEC, PERF_FORMAT_TOTAL_TIME_ENABLED, PERF_FORMAT_TOTAL_TIME_RUNNING, perf_event_attr,
    perf_event_mmap_page,
};
use perf_event_open_sys::perf_event_open;

use super::errno::Errno;

/// What an event watches.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// The calling thread.
    Own,
    /// Everything that runs on one CPU.
    Cpu(libc::c_int),
}

/// Whether events inside the kernel count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    Included,
    Excluded,
}

/// Attributes with everything unset but the kind of event.
pub(super) fn attributes(kind: u32, config: u64, kernel: Kernel) -> perf_event_attr {
    let mut attributes = perf_event_attr {
        type_: kind,
        config,
        size: u32::try_from(size_of::<perf_event_attr>()).unwrap_or(0),
        read_format: u64::from(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING),
        ..perf_event_attr::default()
    };
    attributes.set_exclude_hv(1);
    attributes.set_exclude_kernel(u64::from(kernel == Kernel::Excluded));
    attributes
}

/// An open event, counting since it was opened.
pub(super) struct Event(OwnedFd);

impl Event {
    pub(super) fn open(attributes: &perf_event_attr, scope: Scope) -> Result<Self, Errno> {
        let (pid, cpu) = match scope {
            Scope::Own => (0, -1),
            Scope::Cpu(cpu) => (-1, cpu),
        };
        let mut attributes = *attributes;
        // SAFETY: the kernel reads as many bytes of the attributes as their `size` says, and writes only `size`.
        let result =
            unsafe { perf_event_open(&raw mut attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC.into()) };
        let descriptor = Errno::check(result)?;
        // SAFETY: the kernel just opened this descriptor, and nobody else owns it.
        Ok(Self(unsafe { OwnedFd::from_raw_fd(descriptor) }))
    }

    /// How often it happened; `None` when it was never scheduled onto the CPU's counters or cannot be read.
    pub(super) fn count(&self) -> Option<u64> {
        let mut values = [0_u64; 3];
        let wanted = size_of_val(&values);
        // SAFETY: the buffer is `wanted` bytes long, and any bytes are valid numbers.
        let read = unsafe { libc::read(self.0.as_raw_fd(), values.as_mut_ptr().cast(), wanted) };
        let [count, _enabled, running] = values;
        (usize::try_from(read) == Ok(wanted) && running > 0).then_some(count)
    }

    /// A small ring that the event writes its records to.
    pub(super) fn ring(&self) -> Result<Ring, Errno> {
        // SAFETY: sysconf takes an integer.
        let page =
            usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).map_err(|_| Errno(libc::EINVAL))?;
        // One page of bookkeeping and a power of two of pages for records.
        let length = 9 * page;
        // SAFETY: a new mapping at an address of the kernel's choice; the descriptor is open.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                self.0.as_raw_fd(),
                0,
            )
        };
        match NonNull::new(address) {
            Some(address) if address.as_ptr() != libc::MAP_FAILED => Ok(Ring { address, length }),
            _ => Err(Errno::last()),
        }
    }
}

/// The memory an event writes to, unmapped on drop.
pub(super) struct Ring {
    address: NonNull<libc::c_void>,
    length: usize,
}

impl Ring {
    /// Bytes written since it was mapped.
    pub(super) fn written(&self) -> u64 {
        // SAFETY: the first page of the mapping is a perf_event_mmap_page, and the field lies aligned inside it.
        let head = unsafe {
            self.address.byte_add(offset_of!(perf_event_mmap_page, data_head)).cast::<AtomicU64>().as_ref()
        };
        head.load(Ordering::Acquire)
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: exactly the mapping made in `ring`, to which no reference is left.
        unsafe { libc::munmap(self.address.as_ptr(), self.length) };
    }
}
