//! Numbers of the tracepoints that tell in which system call a thread waits, and who wakes whom.
//!
//! Root reads them from tracefs. An ordinary user may not, but is allowed to open the tracepoints of system calls by
//! number (`TRACE_EVENT_FL_CAP_ANY`), so a trial finds out which is which, once per kernel build.

mod cache;
mod counter;
mod tracefs;
mod trial;

use std::io;
use std::path::Path;

use thiserror::Error;

use super::syscalls::Syscall;

/// The calls a thread may wait in for long, and a few that show what it does. The trial makes the first one the fewest
/// times and the last one the most.
#[rustfmt::skip]
const WANTED: [&str; 66] = [
    "vfork", "clone", "clone3", "read", "write", "pread64", "pwrite64", "readv", "writev", "preadv", "pwritev", "preadv2", "pwritev2",
    "openat", "fsync", "fdatasync", "sync_file_range", "msync", "fallocate", "ftruncate",
    "futex", "futex_waitv", "clock_nanosleep", "nanosleep",
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2",
    "wait4", "waitid", "accept", "accept4", "connect",
    "recvfrom", "recvmsg", "sendto", "sendmsg", "sendmmsg", "recvmmsg", "flock", "fcntl",
    "rt_sigtimedwait", "rt_sigsuspend", "io_uring_enter", "io_getevents", "io_pgetevents",
    "semop", "semtimedop", "msgrcv", "msgsnd", "splice", "sendfile", "copy_file_range",
    "getdents64", "unlink", "unlinkat", "rename", "renameat", "renameat2", "newfstatat", "statx",
    "open", "pause",
];

/// Which tracepoints there are on this kernel.
#[derive(Clone, Debug)]
pub(crate) struct Tracepoints {
    /// Entries into system calls, by tracepoint number.
    pub(crate) enter: Vec<(u64, Syscall)>,
    /// Returns from system calls.
    pub(crate) exit: Vec<(u64, Syscall)>,
    /// `sched:sched_waking`. `None` where only root may use it, which is where only root may read its number.
    pub(crate) waking: Option<u64>,
    /// `raw_syscalls:sys_enter`, as above.
    pub(crate) raw_enter: Option<u64>,
    #[cfg_attr(not(test), expect(dead_code, reason = "shown where the whole is"))]
    pub(crate) way: Way,
}

/// How the numbers were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Tracefs,
    /// A tracefs that only a child of ours saw for a moment.
    PrivateMount,
    Cache,
    Trial,
}

/// Why there are none.
#[derive(Debug, Error)]
pub(crate) enum NoTracepoints {
    #[error("no tracepoint of a system call is granted")]
    Refused(#[source] io::Error),
    #[error("the tracepoints that are granted count no system call")]
    Silent,
    #[error("the process that tries tracepoints could not be started")]
    NoProcess(#[source] io::Error),
    #[error("the process that tries tracepoints gave no answer")]
    NoAnswer,
}

/// Looks for the numbers: tracefs, then the `cache` file, then a trial of up to half a second, whose result is kept in
/// `cache`. The cache is per user: what it says is tested before it is believed.
///
/// # Errors
/// When an ordinary user is not granted any, or they do not count.
pub(crate) fn find(cache: Option<&Path>) -> Result<Tracepoints, NoTracepoints> {
    if let Some(found) = tracefs::read() {
        return Ok(found);
    }
    find_without_tracefs(cache)
}

fn find_without_tracefs(cache: Option<&Path>) -> Result<Tracepoints, NoTracepoints> {
    if let Some(found) = cache.and_then(cache::load).filter(trial::agrees) {
        return Ok(found);
    }
    let found = trial::find()?;
    if let Some(path) = cache {
        // Without a cache the next command finds them again, more slowly.
        let _ = cache::store(path, &found);
    }
    Ok(found)
}

/// The wanted calls this machine has.
fn wanted() -> impl Iterator<Item = Syscall> {
    WANTED.iter().filter_map(|name| Syscall::named(name))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Instant;

    use super::super::closer::as_nobody;
    use super::*;

    fn is_root() -> bool {
        // SAFETY: plain call.
        unsafe { libc::geteuid() == 0 }
    }

    #[test]
    fn an_ordinary_user_finds_the_numbers_tracefs_tells_root() {
        if !is_root() {
            eprintln!("skipped: tracefs tells the truth to root only");
            return;
        }
        let Some(truth) = tracefs::read() else {
            eprintln!("skipped: no tracefs");
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
        let path = &folder.path().join("tracepoints");
        let started = Instant::now();
        as_nobody(|| {
            let found = find(Some(path)).map_err(|error| format!("{error:?}"))?;
            if found.way != Way::Trial {
                return Err(format!("found by {:?}", found.way));
            }
            let again = find(Some(path)).map_err(|error| format!("{error:?}"))?;
            if (&again.enter, &again.exit, again.way) != (&found.enter, &found.exit, Way::Cache) {
                return Err(format!("{again:?} is not {found:?}"));
            }
            Ok(())
        })
        .unwrap();
        eprintln!("trial and cache took {:?}", started.elapsed());
        let found = cache::load(path).unwrap();
        // A call that waits for a signal may be ended too early to be told on a busy machine; none may be taken for another.
        let rest = |truth: &[(u64, Syscall)], found: &[(u64, Syscall)]| -> Vec<Syscall> {
            assert!(found.iter().all(|one| truth.contains(one)), "{found:?} is not {truth:?}");
            truth.iter().filter(|one| !found.contains(one)).map(|(_, call)| *call).collect()
        };
        let pause = Syscall::named("pause").unwrap();
        for lacks in [rest(&truth.enter, &found.enter), rest(&truth.exit, &found.exit)] {
            assert!(lacks.iter().all(|call| *call == pause), "{lacks:?}");
        }
    }

    #[test]
    fn a_cache_with_wrong_numbers_is_not_believed() {
        let Ok(mut found) = find(None) else {
            eprintln!("skipped: no tracepoints here");
            return;
        };
        assert!(trial::agrees(&found));
        for (number, _) in found.enter.iter_mut().chain(&mut found.exit) {
            *number += 2;
        }
        assert!(!trial::agrees(&found));
    }

    #[test]
    fn every_wanted_call_is_known_by_name_where_it_exists() {
        let known = wanted().count();
        assert!(known >= 55, "{known}");
        #[cfg(target_arch = "x86_64")]
        assert_eq!(known, WANTED.len());
    }
}
