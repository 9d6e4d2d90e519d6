//! The exact peak memory of one run, read at the very end of each of its processes.
//!
//! Since Linux 6.2 a process's resident size is kept per CPU and folded in batches, so `ru_maxrss` lags by up to 128 KiB
//! a counter on small machines and more on large ones; a small program can even show 0. `/proc/PID/status` adds the
//! batches up, but must be read while the memory is still there: a tracer stops each process at its exit for that.
//! Tracing is for warm-up runs only; no time is taken from them.

use std::fs;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use model::Bytes;

use crate::ptrace::{self, Stop};

/// Stops where a process ends. Without its tracer the target ends, too.
const OPTIONS: i32 =
    libc::PTRACE_O_TRACEEXIT | libc::PTRACE_O_TRACEFORK | libc::PTRACE_O_TRACEVFORK | libc::PTRACE_O_EXITKILL;

/// The most memory that any one process had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Peak {
    pub(crate) resident: Option<Bytes>,
    /// Asked for, whether it was used or not.
    pub(crate) mapped: Option<Bytes>,
}

/// A tracer at work, on a thread of its own because the kernel ties tracing to one.
pub(crate) struct Tracer {
    thread: JoinHandle<Option<Peak>>,
}

impl Tracer {
    /// Begins to trace a stopped target and everything it will start.
    pub(crate) fn attach(pid: i32) -> Option<Self> {
        let (sender, ready) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("peak".to_owned())
            .spawn(move || {
                let attached = ptrace::seize(pid, OPTIONS).is_ok();
                let _ = sender.send(());
                attached.then(watch)
            })
            .ok()?;
        ready.recv().ok()?;
        Some(Self { thread })
    }

    /// The largest peak of any process, once all of them have ended. `None` when tracing is not allowed here.
    pub(crate) fn peak(self) -> Option<Peak> {
        self.thread.join().ok().flatten()
    }
}

/// Lets every stop pass, looking at the memory of processes about to end.
fn watch() -> Peak {
    let mut peak = Peak::default();
    while let Some((pid, stop)) = ptrace::next() {
        match stop {
            Stop::Exits => {
                let own = high_water(pid).unwrap_or_default();
                peak.resident = peak.resident.max(own.resident);
                peak.mapped = peak.mapped.max(own.mapped);
                ptrace::go(pid, 0);
            }
            Stop::Halted => ptrace::leave_halted(pid),
            Stop::Signal(signal) => ptrace::go(pid, signal),
            Stop::Gone(_) => {}
            _ => ptrace::go(pid, 0),
        }
    }
    peak
}

fn high_water(pid: i32) -> Option<Peak> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    Some(Peak { resident: field(&status, "VmHWM:"), mapped: field(&status, "VmPeak:") })
}

/// `VmHWM:      1234 kB`.
fn field(status: &str, name: &str) -> Option<Bytes> {
    let line =
        status.split_inclusive('\n').find_map(|line| line.strip_prefix(name)?.strip_suffix(" kB\n"))?;
    Bytes::from_kib(line.trim().parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read_whole_or_not_at_all() {
        let status = "Name:\tx\nVmPeak:\t    5678 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 5 kB\n";
        assert_eq!(field(status, "VmHWM:"), Bytes::from_kib(1234));
        assert_eq!(field(status, "VmPeak:"), Bytes::from_kib(5678));
        assert_eq!(field("Name:\tx\nVmHWM:\t    12", "VmHWM:"), None);
        assert_eq!(field("Name:\tx\n", "VmHWM:"), None);
    }
}
