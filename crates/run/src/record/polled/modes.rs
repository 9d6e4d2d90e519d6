//! In which mode a thread was on its CPU, as far as the kernel's ticks tell.
//!
//! A tick that falls due while the kernel leaves a call, with interrupts held off, comes at the first instruction behind it
//! and counts as the program's. How often that may have been the calls tell that read and write; others nobody counts.

use std::collections::HashMap;
use std::fs;

use model::Nanos;

/// Nanoseconds that the kernel takes to leave a call: 35 and 75 were seen on two machines.
const LEAVING: u64 = 50;

/// CPU time after which the calls are read anew: one more file for each look would cost as much as another.
const AGAIN: u64 = 20_000_000;

/// By thread.
#[derive(Debug, Default)]
pub(super) struct Modes(HashMap<u32, Read>);

#[derive(Clone, Copy, Debug, Default)]
struct Read {
    on_cpu: u64,
    calls: u64,
    /// The share of kernel mode by the ticks. `None` before the first ones.
    kernel: Option<f64>,
    /// Samples, and those of them in the kernel.
    samples: u32,
    in_kernel: u32,
}

impl Modes {
    /// User and kernel mode of a thread that was so long on a CPU, from what the ticks tell of both.
    pub(super) fn of(
        &mut self,
        (pid, tid): (u32, u32),
        on_cpu: u64,
        (user, system): (Nanos, Nanos),
    ) -> (Nanos, Nanos) {
        let read = self.0.entry(tid).or_default();
        if on_cpu.saturating_sub(read.on_cpu) >= AGAIN {
            // Who may not be asked is taken at the kernel's word.
            let text = fs::read(format!("/proc/{pid}/task/{tid}/io")).unwrap_or_default();
            (read.on_cpu, read.calls) = (on_cpu, calls(&text).unwrap_or(0));
        }
        let (user, system) = parted(user, system, read.calls);
        let sum = user.as_secs_f64() + system.as_secs_f64();
        read.kernel = (sum > 0.0).then(|| system.as_secs_f64() / sum);
        (user, system)
    }

    /// Whether one more sample of a thread may be in the kernel, going by the ticks. A thread that is asked to stop goes on for
    /// some microseconds, and if it makes a call meanwhile it stops there: calls are found more often than they take time.
    pub(super) fn may_be_kernel(&self, tid: u32) -> bool {
        let Some(Read { kernel: Some(share), samples, in_kernel, .. }) = self.0.get(&tid) else {
            return true;
        };
        f64::from(*in_kernel) < share * f64::from(samples + 1) + 0.5
    }

    /// Whether fewer samples of a thread were in the kernel than its ticks, another one included.
    pub(super) fn lacks_kernel(&self, tid: u32) -> bool {
        let Some(Read { kernel: Some(share), samples, in_kernel, .. }) = self.0.get(&tid) else {
            return false;
        };
        f64::from(*in_kernel + 1) <= share * f64::from(samples + 1)
    }

    pub(super) fn sampled(&mut self, tid: u32, kernel: bool) {
        let read = self.0.entry(tid).or_default();
        read.samples += 1;
        read.in_kernel += u32::from(kernel);
    }

    pub(super) fn forget(&mut self, tid: u32) {
        self.0.remove(&tid);
    }
}

fn parted(user: Nanos, system: Nanos, calls: u64) -> (Nanos, Nanos) {
    let leaving = calls.saturating_mul(LEAVING).min(user.as_nanos());
    (
        Nanos::from_nanos(user.as_nanos() - leaving),
        Nanos::from_nanos(system.as_nanos().saturating_add(leaving)),
    )
}

/// Calls that read and write, of `/proc/PID/task/TID/io` as proc(5) describes it. `None` for a cut file.
fn calls(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
    let of = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    Some(of("syscr:")?.saturating_add(of("syscw:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_calls_is_the_kernels_time_and_no_more_than_there_is() {
        let seconds = |seconds: u64| Nanos::from_nanos(seconds * 1_000_000_000);
        let (user, system) = parted(seconds(1), seconds(3), 2_000_000);
        assert_eq!((user.as_nanos(), system.as_nanos()), (900_000_000, 3_100_000_000));
        let (user, system) = parted(seconds(1), seconds(3), u64::MAX);
        assert_eq!((user.as_nanos(), system.as_nanos()), (0, 4_000_000_000));
    }

    #[test]
    fn no_more_samples_are_in_the_kernel_than_the_ticks_tell() {
        let mut modes = Modes::default();
        let second = Nanos::from_nanos(1_000_000_000);
        assert!(modes.may_be_kernel(0));
        modes.of((0, 0), 1, (second, second));
        let kernel = (0..100).filter(|_| {
            let kernel = modes.may_be_kernel(0);
            modes.sampled(0, kernel);
            kernel
        });
        assert!((50..=51).contains(&kernel.count()));
        assert!(!modes.lacks_kernel(0) && !modes.lacks_kernel(1));
        (0..9).for_each(|_| modes.sampled(0, false));
        assert!(modes.lacks_kernel(0));
    }

    #[test]
    fn calls_that_read_and_write_are_counted_and_a_cut_file_is_unknown() {
        let text = b"rchar: 5\nwchar: 6\nsyscr: 7\nsyscw: 8\nread_bytes: 0\n";
        assert_eq!(calls(text), Some(15));
        assert!((0..text.len()).all(|length| calls(&text[..length]).is_none_or(|calls| calls == 15)));
        assert_eq!(calls(b""), None);
    }

    #[test]
    fn our_own_calls_are_counted() {
        let own = (std::process::id(), std::process::id());
        let text = fs::read(format!("/proc/{}/task/{}/io", own.0, own.1)).unwrap_or_default();
        // Some kernels do not count them.
        assert!(text.is_empty() || calls(&text).is_some());
    }
}
