//! What the kernel tells of one process: resource usage, scheduler account, I/O.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;

use model::sample::{Io, MainThread};
use model::{Bytes, Count, Ended, Nanos};

/// The fields of `struct rusage` that Linux fills, each as the kernel gave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) user_micros: u64,
    pub(crate) system_micros: u64,
    pub(crate) peak_rss_kib: u64,
    pub(crate) minor_faults: u64,
    pub(crate) major_faults: u64,
    pub(crate) voluntary_switches: u64,
    pub(crate) involuntary_switches: u64,
}

impl Usage {
    /// The order of `struct rusage` on 64-bit Linux: two timevals, then fourteen longs.
    pub(crate) fn from_words(words: &[u64; 18]) -> Self {
        let [us, uu, ss, su, rss, _, _, _, minor, major, _, _, _, _, _, _, voluntary, involuntary] = *words;
        Self {
            user_micros: us * 1_000_000 + uu,
            system_micros: ss * 1_000_000 + su,
            peak_rss_kib: rss,
            minor_faults: minor,
            major_faults: major,
            voluntary_switches: voluntary,
            involuntary_switches: involuntary,
        }
    }

    pub(crate) fn user(&self) -> Nanos {
        Nanos::from_nanos(self.user_micros * 1_000)
    }

    pub(crate) fn system(&self) -> Nanos {
        Nanos::from_nanos(self.system_micros * 1_000)
    }

    /// What came after `before`. The sum of user and system time is exact; the kernel scales their split anew on each
    /// read and may move a few microseconds from one to the other, so the split is bounded by the sum. Saturating is
    /// harmless for the others: they only grow.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let cpu = |usage: &Self| usage.user_micros + usage.system_micros;
        let total = cpu(self).saturating_sub(cpu(before));
        let system = self.system_micros.saturating_sub(before.system_micros).min(total);
        Self {
            user_micros: total - system,
            system_micros: system,
            peak_rss_kib: self.peak_rss_kib,
            minor_faults: self.minor_faults.saturating_sub(before.minor_faults),
            major_faults: self.major_faults.saturating_sub(before.major_faults),
            voluntary_switches: self.voluntary_switches.saturating_sub(before.voluntary_switches),
            involuntary_switches: self.involuntary_switches.saturating_sub(before.involuntary_switches),
        }
    }
}

/// The scheduler's account of one thread, as `/proc/PID/schedstat` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SchedStat {
    /// For a thread that runs just now, the figure may lag by a tick of the kernel.
    pub(crate) on_cpu: Nanos,
    /// Ready, but waiting for a CPU; brought up to date whenever it gets one.
    pub(crate) runnable: Nanos,
    /// How often it was put on a CPU.
    pub(crate) slices: u64,
}

impl SchedStat {
    /// `None` for anything but three numbers and a newline; a cut number would be another number.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
        let mut fields = line.split(' ').map(|field| field.parse::<u64>().ok());
        let stat = Self {
            on_cpu: Nanos::from_nanos(fields.next()??),
            runnable: Nanos::from_nanos(fields.next()??),
            slices: fields.next()??,
        };
        fields.next().is_none().then_some(stat)
    }

    /// `None` when the thread is gone or the kernel keeps no account.
    pub(crate) fn of_thread(pid: u32, tid: u32) -> Option<Self> {
        Self::parse(&fs::read(format!("/proc/{pid}/task/{tid}/schedstat")).ok()?)
    }

    fn of(pid: i32) -> Option<Self> {
        Self::parse(&fs::read(format!("/proc/{pid}/schedstat")).ok()?)
    }
}

/// The first thread's account since its program was loaded. `None` on kernels without scheduler accounts.
///
/// CPU time used before that comes from `usage`: the scheduler's own file lags by up to a tick for a running task,
/// `getrusage` does not. Time spent ready is brought up to date whenever the task gets a CPU, so its file is exact.
pub(crate) fn main_thread(pid: i32, before: Option<SchedStat>, usage: &Usage) -> Option<MainThread> {
    let (before, after) = (before?, SchedStat::of(pid)?);
    let used = Nanos::from_micros(usage.user_micros + usage.system_micros)?;
    Some(MainThread { on_cpu: after.on_cpu.minus(used)?, runnable: after.runnable.minus(before.runnable)? })
}

/// CPU time of the process alone, its ended threads included, its children not. Works while it is a zombie.
pub(crate) fn own_cpu(pid: i32) -> Option<Nanos> {
    // The kernel's own encoding of another process's scheduler clock (include/linux/posix-timers.h).
    let clock = (!pid << 3) | 2;
    crate::clock::read(clock)
}

/// What was read in a span by somebody else than the target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign {
    pub(crate) read: u64,
    pub(crate) read_calls: u64,
}

/// What the target and the children it waited for moved, from two `/proc/PID/io` texts of the process that waited for
/// it. `None` when the kernel keeps no such account.
///
/// The target's own file is not read: by then it is a zombie, and newer kernels show a zombie's file to root alone
/// (seen on 6.18.44).
pub(crate) fn io_between(before: &[u8], after: &[u8], foreign: &Foreign) -> Option<Io> {
    let [before, after] = [before, after].map(|text| parse_io(std::str::from_utf8(text).ok()?));
    let (before, after) = (before?, after?);
    let bytes = |of: fn(&Io) -> Bytes, foreign: u64| -> Option<Bytes> {
        let known = of(&before).as_bytes().checked_add(foreign)?;
        Some(Bytes::from_bytes(of(&after).as_bytes().checked_sub(known)?))
    };
    let calls = |of: fn(&Io) -> Count, foreign: u64| -> Option<Count> {
        Some(Count(of(&after).0.checked_sub(of(&before).0.checked_add(foreign)?)?))
    };
    Some(Io {
        read: bytes(|io| io.read, foreign.read)?,
        written: bytes(|io| io.written, 0)?,
        block_read: bytes(|io| io.block_read, 0)?,
        block_written: bytes(|io| io.block_written, 0)?,
        read_calls: calls(|io| io.read_calls, foreign.read_calls)?,
        write_calls: calls(|io| io.write_calls, 0)?,
    })
}

fn parse_io(text: &str) -> Option<Io> {
    let field = |name: &str| -> Option<u64> {
        text.split_inclusive('\n')
            .find_map(|line| line.strip_prefix(name)?.strip_suffix('\n')?.trim().parse().ok())
    };
    Some(Io {
        read: Bytes::from_bytes(field("rchar:")?),
        written: Bytes::from_bytes(field("wchar:")?),
        block_read: Bytes::from_bytes(field("read_bytes:")?),
        block_written: Bytes::from_bytes(field("write_bytes:")?),
        read_calls: Count(field("syscr:")?),
        write_calls: Count(field("syscw:")?),
    })
}

/// How a wait status reads.
pub(crate) fn ended(status: i32) -> Ended {
    if libc::WIFSIGNALED(status) {
        Ended::Signal(libc::WTERMSIG(status))
    } else {
        Ended::Code(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(u8::MAX))
    }
}

/// The living children of `parent`, from /proc. Used only when something was left behind.
pub(crate) fn children(parent: u32) -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| parent_of(*pid) == Some(parent))
        .collect()
}

/// Program and arguments of a process. Empty when it is gone, or has none.
#[must_use]
pub fn command_line(pid: u32) -> Vec<OsString> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    line.strip_suffix(b"\0")
        .map(|line| line.split(|byte| *byte == 0).map(|word| OsString::from_vec(word.to_vec())).collect())
        .unwrap_or_default()
}

/// The process of a thread, and its parent. `None` when it is gone.
pub(crate) fn family(tid: i32) -> Option<(u32, u32)> {
    let status = fs::read_to_string(format!("/proc/{tid}/status")).ok()?;
    let number = |name: &str| {
        status.lines().find_map(|line| line.strip_prefix(name)).and_then(|rest| rest.trim().parse().ok())
    };
    Some((number("Tgid:")?, number("PPid:")?))
}

/// Whether a process lives or has not been reaped.
pub(crate) fn exists(pid: u32) -> bool {
    fs::exists(format!("/proc/{pid}")).unwrap_or(false)
}

/// The most memory this process ever held. `None` where the kernel does not tell.
pub(crate) fn own_peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Makes this process the reaper of what a lost launcher leaves behind.
pub(crate) fn adopt_orphans() {
    // SAFETY: plain call; a kernel that refuses leaves orphans to init, as ever.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
}

/// Ends every process that became ours when its launcher was killed, and whatever those leave behind in turn.
pub(crate) fn end_adopted() {
    // Each round ends a generation; a tree deeper than this is not a target but an attack.
    for _ in 0..100 {
        let adopted = children(std::process::id());
        if adopted.is_empty() {
            return;
        }
        for pid in adopted {
            // SAFETY: a child of ours that nobody has reaped; the status is not wanted.
            unsafe {
                libc::kill(pid, libc::SIGKILL);
                libc::waitpid(pid, std::ptr::null_mut(), libc::__WALL);
            }
        }
    }
}

fn parent_of(pid: i32) -> Option<u32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything, so the fields are counted from the last one.
    let after = stat.iter().rposition(|byte| *byte == b')')?;
    let fields = std::str::from_utf8(stat.get(after + 1..)?).ok()?;
    fields.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_cpu_time_is_exact_however_the_kernel_splits_it() {
        let usage = |user, system| Usage { user_micros: user, system_micros: system, ..Usage::default() };
        for (before, after, wanted) in [
            (usage(0, 54), usage(833, 0), (779, 0)),
            (usage(54, 0), usage(700, 133), (646, 133)),
            (usage(54, 0), usage(0, 833), (0, 779)),
        ] {
            let since = after.since(&before);
            assert_eq!((since.user_micros, since.system_micros), wanted);
        }
    }

    #[test]
    fn a_cut_schedstat_is_unknown() {
        let whole = b"123 456 7\n";
        let stat = SchedStat::parse(whole).unwrap();
        assert_eq!((stat.on_cpu.as_nanos(), stat.runnable.as_nanos(), stat.slices), (123, 456, 7));
        assert_eq!(SchedStat::parse(b"1 2 3 4\n"), None);
        for length in 0..whole.len() {
            assert_eq!(SchedStat::parse(&whole[..length]), None, "{length}");
        }
    }

    #[test]
    fn our_own_thread_has_an_account_and_one_that_never_was_has_none() {
        let pid = std::process::id();
        // SAFETY: plain call.
        let tid = unsafe { libc::gettid() }.cast_unsigned();
        assert!(SchedStat::of_thread(pid, tid).is_some());
        assert_eq!(SchedStat::of_thread(pid, u32::MAX), None);
    }

    #[test]
    fn cancelled_writes_are_not_mistaken_for_writes() {
        let text = "rchar: 101\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\ncancelled_write_bytes: 7\n";
        let io = parse_io(text).unwrap();
        assert_eq!((io.read.as_bytes(), io.block_written.as_bytes(), io.read_calls.0), (101, 6, 3));
        for length in 0..text.rfind("cancelled").unwrap() {
            assert_eq!(parse_io(&text[..length]), None, "{length}");
        }
    }

    #[test]
    fn what_is_not_the_targets_is_taken_off_and_never_below_zero() {
        let text = |n: u64| {
            format!("rchar: {n}\nwchar: {n}\nsyscr: {n}\nsyscw: {n}\nread_bytes: {n}\nwrite_bytes: {n}\n")
        };
        let (before, after) = (text(5), text(12));
        let between = |foreign| io_between(before.as_bytes(), after.as_bytes(), &foreign);
        let io = between(Foreign { read: 3, read_calls: 2 }).unwrap();
        assert_eq!((io.read.as_bytes(), io.read_calls.0, io.written.as_bytes()), (4, 5, 7));
        assert_eq!(between(Foreign { read: 8, read_calls: 2 }), None);
        assert_eq!(io_between(b"", after.as_bytes(), &Foreign { read: 0, read_calls: 0 }), None);
    }

    #[test]
    fn wait_statuses_are_not_mixed_up() {
        assert_eq!(ended(3 << 8), Ended::Code(3));
        assert_eq!(ended(9), Ended::Signal(9));
    }

    #[test]
    fn our_own_parent_is_found() {
        let parent = std::os::unix::process::parent_id();
        assert_eq!(parent_of(i32::try_from(std::process::id()).unwrap()), Some(parent));
    }
}
