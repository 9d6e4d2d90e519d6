//! The kernel's clocks.

use model::Nanos;

/// CLOCK_MONOTONIC, which perf events are told to use too; nanoseconds.
pub(crate) fn monotonic() -> u64 {
    read(libc::CLOCK_MONOTONIC).map_or(0, Nanos::as_nanos)
}

/// CLOCK_BOOTTIME, which /proc tells births by; nanoseconds.
pub(crate) fn since_boot() -> u64 {
    read(libc::CLOCK_BOOTTIME).map_or(0, Nanos::as_nanos)
}

/// CPU time of the calling thread.
pub(crate) fn of_this_thread() -> Nanos {
    read(libc::CLOCK_THREAD_CPUTIME_ID).unwrap_or(Nanos::ZERO)
}

/// `None` when the kernel has no such clock.
pub(crate) fn read(clock: libc::clockid_t) -> Option<Nanos> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a timespec of our own stack.
    if unsafe { libc::clock_gettime(clock, &raw mut time) } != 0 {
        return None;
    }
    let (seconds, nanos) = (u64::try_from(time.tv_sec).ok()?, u64::try_from(time.tv_nsec).ok()?);
    Some(Nanos::from_nanos(seconds.checked_mul(1_000_000_000)?.checked_add(nanos)?))
}
