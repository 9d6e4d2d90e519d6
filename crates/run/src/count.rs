//! Instructions of one run from the processor's own counter, where there is one.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use model::Count;
use perf::bindings::{
    PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_SW_PAGE_FAULTS, PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE,
};
use perf_event_open_sys as perf;

use crate::RunError;
use crate::measure::{Measured, Recipe, Rig, Slot, measure_with};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Instructions in user space.
    Instructions,
    /// Page faults in user space: works on every machine, so the road can be tested without a processor counter.
    PageFaults,
}

/// One counter of a process and everything it starts.
#[derive(Debug)]
pub struct Counter {
    fd: OwnedFd,
}

impl Counter {
    /// Opens a counter that begins when `pid` loads its program and follows its children.
    ///
    /// # Errors
    /// `NotFound` means this machine has no such counter, `PermissionDenied` that we may not use it.
    pub fn open(event: Event, pid: i32) -> io::Result<Self> {
        let (kind, config) = match event {
            Event::Instructions => (PERF_TYPE_HARDWARE, u64::from(PERF_COUNT_HW_INSTRUCTIONS)),
            Event::PageFaults => (PERF_TYPE_SOFTWARE, u64::from(PERF_COUNT_SW_PAGE_FAULTS)),
        };
        let mut attributes = perf::bindings::perf_event_attr {
            type_: kind,
            config,
            size: u32::try_from(size_of::<perf::bindings::perf_event_attr>()).unwrap_or(0),
            // Time enabled and time running: their quotient shows multiplexing.
            read_format: u64::from(
                perf::bindings::PERF_FORMAT_TOTAL_TIME_ENABLED
                    | perf::bindings::PERF_FORMAT_TOTAL_TIME_RUNNING,
            ),
            ..Default::default()
        };
        attributes.set_disabled(1);
        attributes.set_inherit(1);
        attributes.set_enable_on_exec(1);
        attributes.set_exclude_kernel(1);
        attributes.set_exclude_hv(1);
        // SAFETY: an attribute struct of ours with its size; the result is checked and new.
        unsafe {
            let fd = perf::perf_event_open(
                &raw mut attributes,
                pid,
                -1,
                -1,
                u64::from(perf::bindings::PERF_FLAG_FD_CLOEXEC),
            );
            if fd < 0 { Err(io::Error::last_os_error()) } else { Ok(Self { fd: OwnedFd::from_raw_fd(fd) }) }
        }
    }

    /// The count so far. `None` when the counter shared the hardware with others and did not count all the time:
    /// a scaled count is an estimate, not a count.
    #[must_use]
    pub fn value(&self) -> Option<Count> {
        let mut words = [0u64; 3];
        // SAFETY: three words, as the read format says.
        let bytes = unsafe { libc::read(self.fd.as_raw_fd(), words.as_mut_ptr().cast(), 24) };
        let [value, enabled, running] = words;
        (bytes == 24 && enabled == running && enabled > 0).then_some(Count(value))
    }
}

/// Whether this machine counts the event at all, found by trying it on ourselves.
///
/// # Errors
/// As [`Counter::open`].
pub fn try_event(event: Event) -> io::Result<()> {
    Counter::open(event, 0).map(|_| ())
}

/// Runs the target once and counts.
///
/// # Errors
/// As [`crate::measure`], and when the counter cannot be opened.
pub fn count(
    rig: &Rig,
    recipe: &Recipe,
    slot: Slot,
    event: Event,
) -> Result<(Measured, Option<Count>), RunError> {
    let mut counter = None;
    let measured = measure_with(rig, recipe, slot, None, |pid| counter = Counter::open(event, pid).ok())?;
    Ok((measured, counter.and_then(|counter| counter.value())))
}
