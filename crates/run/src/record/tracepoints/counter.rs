//! A tracepoint that counts for the calling thread, as bare descriptors: used between fork and exit, too.

use perf_event_open_sys::bindings::{
    PERF_FLAG_FD_CLOEXEC, PERF_SAMPLE_RAW, PERF_TYPE_TRACEPOINT, perf_event_attr,
};
use perf_event_open_sys::perf_event_open;

/// Opens the tracepoint with this number for the calling thread and lets it count. The descriptor, or an error number.
///
/// Asking for raw records, though none is ever written, makes the kernel grant an ordinary user system calls only, and
/// those do count; others would be granted and stay silent. Counting instead of sampling keeps the kernel from
/// throttling it.
pub(super) fn open(number: u64) -> Result<libc::c_int, libc::c_int> {
    let mut attributes = perf_event_attr {
        type_: PERF_TYPE_TRACEPOINT,
        config: number,
        size: u32::try_from(size_of::<perf_event_attr>()).unwrap_or(0),
        sample_type: PERF_SAMPLE_RAW.into(),
        ..perf_event_attr::default()
    };
    attributes.set_exclude_kernel(1);
    attributes.set_exclude_hv(1);
    // SAFETY: the kernel reads as many bytes of the attributes as their `size` says.
    let fd = unsafe { perf_event_open(&raw mut attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC.into()) };
    // SAFETY: errno is the calling thread's own.
    if fd < 0 { Err(unsafe { *libc::__errno_location() }) } else { Ok(fd) }
}

/// How often it happened. `None` when it cannot be read.
pub(super) fn count(fd: libc::c_int) -> Option<u64> {
    let mut value = 0_u64;
    // SAFETY: eight bytes of our own stack.
    let length = unsafe { libc::read(fd, (&raw mut value).cast(), 8) };
    (length == 8).then_some(value)
}
