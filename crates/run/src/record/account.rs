//! The scheduler's own account of one thread.

use std::fs;

use model::Nanos;

/// `/proc/PID/task/TID/schedstat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    /// For a thread that runs just now, the figure may lag by a tick of the kernel.
    pub(crate) on_cpu: Nanos,
    /// Ready, but waiting for a CPU; brought up to date whenever it gets one.
    pub(crate) queued: Nanos,
    /// How often it was put on a CPU.
    pub(crate) slices: u64,
}

impl Account {
    /// `None` for anything but three numbers and a newline: a cut number would be another number.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
        let mut fields = line.split(' ').map(|field| field.parse::<u64>().ok());
        let account = Self {
            on_cpu: Nanos::from_nanos(fields.next()??),
            queued: Nanos::from_nanos(fields.next()??),
            slices: fields.next()??,
        };
        fields.next().is_none().then_some(account)
    }
}

/// Time on a CPU and time on a run queue since the thread began. `None` when it is gone or the kernel keeps no account.
pub(crate) fn thread_schedstat(pid: u32, tid: u32) -> Option<(Nanos, Nanos)> {
    let account = Account::parse(&fs::read(format!("/proc/{pid}/task/{tid}/schedstat")).ok()?)?;
    Some((account.on_cpu, account.queued))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_account_is_unknown() {
        let whole = b"123 456 7\n";
        let account = Account::parse(whole).unwrap();
        assert_eq!((account.on_cpu.as_nanos(), account.queued.as_nanos(), account.slices), (123, 456, 7));
        for length in 0..whole.len() {
            assert_eq!(Account::parse(&whole[..length]), None, "{length}");
        }
        assert_eq!(Account::parse(b"1 2 3 4\n"), None);
    }

    #[test]
    fn our_own_thread_has_an_account_and_one_that_never_was_has_none() {
        let pid = std::process::id();
        // SAFETY: plain call.
        let tid = unsafe { libc::gettid() }.cast_unsigned();
        assert!(thread_schedstat(pid, tid).is_some());
        assert_eq!(thread_schedstat(pid, u32::MAX), None);
    }
}
