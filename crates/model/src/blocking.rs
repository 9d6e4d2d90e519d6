//! What a wait was for: one table from a system call and the kind of its object to a leaf.
//!
//! Kernel function names drift between versions; names of system calls and kinds of descriptors do not. Names are
//! those of x86-64 and aarch64.

use crate::leaf::Charge;
use crate::recording::{Call, EXPIRED, Object};

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    File,
    Directory,
    Device,
    Socket,
    Pipe,
    Lock,
    Set,
    /// A set without members: nothing but its time limit can end the wait.
    EmptySet,
    Child,
    Event,
    Timer,
    Other,
    Nothing,
}

struct Row {
    calls: &'static [&'static str],
    /// Empty: whatever the object.
    on: &'static [On],
    charge: Charge,
}

const fn row(calls: &'static [&'static str], on: &'static [On], charge: Charge) -> Row {
    Row { calls, on, charge }
}

const READ: &[&str] = &["read", "readv", "pread64", "preadv", "preadv2"];
const WRITE: &[&str] = &["write", "writev", "pwrite64", "pwritev", "pwritev2"];
/// What has no positions, a pipe or a socket, refuses these.
const READ_AT: &[&str] = &["pread64", "preadv", "preadv2"];
const WRITE_AT: &[&str] = &["pwrite64", "pwritev", "pwritev2"];
const MOVE: &[&str] = &["sendfile", "sendfile64", "splice", "tee", "vmsplice", "copy_file_range"];
const POLL: &[&str] =
    &["poll", "ppoll", "ppoll_time64", "select", "_newselect", "pselect6", "pselect6_time64"];
const EPOLL: &[&str] = &[
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
    "io_uring_enter",
    "io_getevents",
    "io_pgetevents",
    "io_pgetevents_time64",
];
const TRANSFER: &[&str] = &[
    "connect",
    "accept",
    "accept4",
    "recvfrom",
    "recvmsg",
    "recvmmsg",
    "recvmmsg_time64",
    "sendto",
    "sendmsg",
    "sendmmsg",
    "shutdown",
];
const LOOK: &[&str] = &[
    "open",
    "openat",
    "openat2",
    "open_by_handle_at",
    "stat",
    "lstat",
    "fstat",
    "newfstat",
    "newfstatat",
    "fstatat64",
    "statx",
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
    "getdents",
    "getdents64",
    "getxattr",
    "lgetxattr",
    "fgetxattr",
    "listxattr",
    "llistxattr",
    "flistxattr",
    "statfs",
    "fstatfs",
    "chdir",
    "fchdir",
    "execve",
    "execveat",
    "readahead",
    "fadvise64",
    "lseek",
    "inotify_add_watch",
    "name_to_handle_at",
    "mount",
    "cachestat",
    "mincore",
];
const CHANGE: &[&str] = &[
    "fsync",
    "fdatasync",
    "sync",
    "syncfs",
    "msync",
    "sync_file_range",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
    "mkdir",
    "mkdirat",
    "rmdir",
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "mknod",
    "mknodat",
    "creat",
    "chmod",
    "fchmod",
    "fchmodat",
    "chown",
    "lchown",
    "fchown",
    "fchownat",
    "utime",
    "utimes",
    "utimensat",
    "futimesat",
    "truncate",
    "ftruncate",
    "fallocate",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "umount2",
];

/// The first row that fits decides.
const ROWS: &[Row] = &[
    row(&["futex", "futex_time64", "futex_wait", "futex_waitv", "futex_requeue"], &[], Charge::Lock),
    // Locks of files and of System V.
    row(&["flock", "fcntl", "fcntl64", "semop", "semtimedop", "semtimedop_time64"], &[], Charge::Lock),
    // Off the CPU in these means another thread holds the lock of the address space.
    row(&["munmap", "mprotect", "pkey_mprotect", "brk", "mremap", "membarrier"], &[], Charge::Lock),
    // The kernel makes or fetches pages ahead of their use.
    row(
        &["mmap", "madvise", "process_madvise", "mlock", "mlock2", "mlockall", "swapon", "swapoff"],
        &[],
        Charge::Fault,
    ),
    row(&["wait4", "waitid", "waitpid"], &[], Charge::Child),
    // The parent of a vfork goes on when its child has executed or ended.
    row(&["vfork", "fork", "clone", "clone3"], &[], Charge::Child),
    // For the rest of its process.
    row(&["exit", "exit_group"], &[], Charge::Ending),
    row(&["nanosleep", "clock_nanosleep", "clock_nanosleep_time64"], &[], Charge::Sleep),
    // Only a signal ends these; a program without children that calls them wants to do nothing.
    row(&["pause", "rt_sigsuspend", "sigsuspend"], &[], Charge::Sleep),
    row(&["rt_sigtimedwait", "rt_sigtimedwait_time64"], &[], Charge::Poll),
    // It stays runnable.
    row(&["sched_yield"], &[], Charge::Preempted),
    row(&["msgrcv", "msgsnd", "mq_timedreceive", "mq_timedsend"], &[], Charge::Pipe),
    row(&["getrandom"], &[], Charge::Terminal),
    // Polling one thing is waiting for that thing; polling nothing is sleeping.
    row(POLL, &[On::EmptySet, On::Timer], Charge::Sleep),
    row(EPOLL, &[On::EmptySet, On::Timer], Charge::Sleep),
    row(POLL, &[On::Socket], Charge::Network),
    row(POLL, &[On::Pipe], Charge::Pipe),
    row(POLL, &[On::Child], Charge::Child),
    row(POLL, &[On::Device], Charge::Terminal),
    row(POLL, &[], Charge::Poll),
    row(EPOLL, &[On::Child], Charge::Child),
    row(EPOLL, &[On::File], Charge::DiskRead),
    row(EPOLL, &[], Charge::Poll),
    row(TRANSFER, &[On::Pipe], Charge::Pipe),
    row(TRANSFER, &[], Charge::Network),
    row(READ, &[On::File, On::Directory], Charge::DiskRead),
    row(WRITE, &[On::File, On::Directory], Charge::DiskWrite),
    row(READ_AT, &[On::Nothing], Charge::DiskRead),
    row(WRITE_AT, &[On::Nothing], Charge::DiskWrite),
    // What is read is fetched first; a copy between files ends with its writes.
    row(&["copy_file_range"], &[], Charge::DiskWrite),
    row(MOVE, &[On::File, On::Directory], Charge::DiskRead),
    row(LOOK, &[On::Pipe], Charge::Pipe),
    row(LOOK, &[On::Device], Charge::Terminal),
    row(LOOK, &[On::Socket], Charge::Network),
    row(LOOK, &[], Charge::DiskRead),
    row(CHANGE, &[], Charge::DiskWrite),
    // Closing writes back what is dirty, or lingers until the peer has taken the rest.
    row(&["close", "close_range"], &[On::File, On::Directory], Charge::DiskWrite),
    row(&["ioctl"], &[On::File, On::Directory], Charge::DiskWrite),
];

/// Where no row names the call: what it was made on tells enough.
const BY_OBJECT: &[(On, Charge)] = &[
    (On::Socket, Charge::Network),
    (On::Pipe, Charge::Pipe),
    (On::Device, Charge::Terminal),
    (On::Lock, Charge::Lock),
    (On::Child, Charge::Child),
    // A timer descriptor is armed by the program itself.
    (On::Timer, Charge::Sleep),
    // Event, inotify and signal descriptors, sets: something else decides when it ends.
    (On::Event, Charge::Poll),
    (On::Set, Charge::Poll),
    (On::Other, Charge::Poll),
];

/// Whether only a signal ends a wait in this call: that a child has ended, say.
#[must_use]
pub fn is_ended_by_signal(call: &str) -> bool {
    matches!(call, "pause" | "rt_sigsuspend" | "sigsuspend")
}

/// The leaf of a wait in this call, as a recording tells of it. One for several things that only its time limit ended is a sleep.
#[must_use]
pub fn charge_of(call: &Call, object: Option<&Object>) -> Charge {
    match charge(&call.name, object) {
        Charge::Poll if call.detail.as_deref() == Some(EXPIRED) => Charge::Sleep,
        charge => charge,
    }
}

/// Whether it is the name of a system call that may wait.
#[must_use]
pub fn is_known(call: &str) -> bool {
    ROWS.iter().any(|row| row.calls.contains(&call))
}

/// Whether a call waits for one of several things.
#[must_use]
pub fn is_poll(call: &str) -> bool {
    POLL.contains(&call) || EPOLL.contains(&call)
}

/// The leaf of a wait in this call. [`Charge::Unaccounted`] when nothing tells what it was for.
#[must_use]
pub fn charge(call: &str, object: Option<&Object>) -> Charge {
    let on = kind(object);
    let row =
        ROWS.iter().find(|row| row.calls.contains(&call) && (row.on.is_empty() || row.on.contains(&on)));
    match row {
        Some(row) => row.charge,
        None => {
            BY_OBJECT.iter().find(|(kind, _)| *kind == on).map_or(Charge::Unaccounted, |(_, charge)| *charge)
        }
    }
}

fn kind(object: Option<&Object>) -> On {
    match object {
        None => On::Nothing,
        Some(Object::File { .. }) => On::File,
        Some(Object::Directory { .. }) => On::Directory,
        Some(Object::Device { .. }) => On::Device,
        Some(Object::Socket { .. }) => On::Socket,
        Some(Object::Pipe { .. }) => On::Pipe,
        Some(Object::Lock { .. }) => On::Lock,
        Some(Object::Set { members }) if members.is_empty() => On::EmptySet,
        Some(Object::Set { .. }) => On::Set,
        Some(Object::Child { .. }) => On::Child,
        Some(Object::Event) => On::Event,
        Some(Object::Timer) => On::Timer,
        Some(Object::Other { .. }) => On::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(call: &str, object: Option<Object>, expected: Charge) {
        assert_eq!(charge(call, object.as_ref()), expected, "{call} on {object:?}");
    }

    #[test]
    fn what_only_a_time_limit_ended_was_a_sleep_unless_it_waited_for_one_peer() {
        let set = Object::Set { members: vec!["a".to_owned(), "b".to_owned()] };
        let peer = Object::Socket { family: "udp".to_owned(), peer: None, local_peer: None, inode: 1 };
        for (object, detail, expected) in [
            (&set, Some(EXPIRED), Charge::Sleep),
            (&set, None, Charge::Poll),
            (&peer, Some(EXPIRED), Charge::Network),
        ] {
            let call = Call { name: "poll".to_owned(), object: Some(0), detail: detail.map(str::to_owned) };
            assert_eq!(charge_of(&call, Some(object)), expected, "{object:?} {detail:?}");
        }
    }

    #[test]
    fn a_call_and_its_object_name_the_leaf() {
        let file = || Some(Object::File { path: "/x".into() });
        let device = || Some(Object::Device { path: "/dev/tty".into() });
        let pipe = || Some(Object::Pipe { inode: 7 });
        let socket = || Some(Object::Socket { family: "tcp".into(), peer: None, local_peer: None, inode: 1 });
        let set = |members: &[&str]| {
            Some(Object::Set { members: members.iter().map(|member| (*member).to_owned()).collect() })
        };
        check("read", file(), Charge::DiskRead);
        check("read", device(), Charge::Terminal);
        check("read", pipe(), Charge::Pipe);
        check("read", socket(), Charge::Network);
        check("read", Some(Object::Timer), Charge::Sleep);
        check("read", Some(Object::Event), Charge::Poll);
        check("pread64", None, Charge::DiskRead);
        check("pread64", device(), Charge::Terminal);
        check("write", file(), Charge::DiskWrite);
        check("pwritev2", None, Charge::DiskWrite);
        check("write", pipe(), Charge::Pipe);
        check("fsync", file(), Charge::DiskWrite);
        check("fdatasync", None, Charge::DiskWrite);
        check("msync", None, Charge::DiskWrite);
        check("openat", file(), Charge::DiskRead);
        check("openat", pipe(), Charge::Pipe);
        check("unlink", None, Charge::DiskWrite);
        check("getdents64", None, Charge::DiskRead);
        check("sendfile", socket(), Charge::Network);
        check("sendfile", file(), Charge::DiskRead);
        check("copy_file_range", file(), Charge::DiskWrite);
        check("futex", None, Charge::Lock);
        check("futex_waitv", None, Charge::Lock);
        check("flock", file(), Charge::Lock);
        check("wait4", None, Charge::Child);
        check("vfork", None, Charge::Child);
        check("exit_group", None, Charge::Ending);
        check("clock_nanosleep", None, Charge::Sleep);
        check("poll", set(&[]), Charge::Sleep);
        check("poll", set(&["a", "b"]), Charge::Poll);
        check("poll", socket(), Charge::Network);
        check("epoll_pwait2", set(&["a"]), Charge::Poll);
        check("epoll_wait", set(&[]), Charge::Sleep);
        check("io_uring_enter", None, Charge::Poll);
        check("accept4", socket(), Charge::Network);
        check("msgrcv", None, Charge::Pipe);
        check("sched_yield", None, Charge::Preempted);
        check("ioctl", device(), Charge::Terminal);
        check("close", socket(), Charge::Network);
    }

    #[test]
    fn a_call_nobody_knows_on_nothing_is_unaccounted() {
        check("read", None, Charge::Unaccounted);
        check("frobnicate", None, Charge::Unaccounted);
        check("frobnicate", Some(Object::File { path: "/x".into() }), Charge::Unaccounted);
        check("", None, Charge::Unaccounted);
    }
}
