//! Why a thread was off the CPU, in the words of the account's leaves.
//!
//! A recording stores what the kernel said; pictures and exports need one word for each wait. Calls are told apart by
//! what they were made on, not by kernel function names, which drift between versions.

use model::Nanos;
use model::recording::{Object, Recording, Wait, Why};

/// The kind of a wait. Ordered as pictures list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Leaf {
    DiskRead,
    DiskWrite,
    Fault,
    Network,
    Lock,
    Child,
    Pipe,
    Poll,
    Sleep,
    Terminal,
    Woken,
    Preempted,
    Starting,
    Stopped,
    Unaccounted,
}

impl Leaf {
    pub(crate) const ALL: [Self; 15] = [
        Self::DiskRead,
        Self::DiskWrite,
        Self::Fault,
        Self::Network,
        Self::Lock,
        Self::Child,
        Self::Pipe,
        Self::Poll,
        Self::Sleep,
        Self::Terminal,
        Self::Woken,
        Self::Preempted,
        Self::Starting,
        Self::Stopped,
        Self::Unaccounted,
    ];

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::DiskRead => "blocked/disk-read",
            Self::DiskWrite => "blocked/disk-write",
            Self::Fault => "blocked/fault",
            Self::Network => "blocked/network",
            Self::Lock => "blocked/lock",
            Self::Child => "blocked/child",
            Self::Pipe => "blocked/pipe",
            Self::Poll => "blocked/poll",
            Self::Sleep => "blocked/sleep",
            Self::Terminal => "blocked/terminal",
            Self::Woken => "runnable/woken",
            Self::Preempted => "runnable/preempted",
            Self::Starting => "starting",
            Self::Stopped => "stopped",
            Self::Unaccounted => "unaccounted",
        }
    }
}

/// A wait in at most two pieces: blocked until it was woken, then runnable until it ran.
pub(crate) fn pieces(recording: &Recording, wait: &Wait) -> impl Iterator<Item = (Leaf, Nanos, Nanos)> {
    let leaf = leaf(recording, wait);
    let woken = wait.woken.filter(|woken| *woken >= wait.from && *woken <= wait.to && runs_out(leaf));
    let until = woken.unwrap_or(wait.to);
    let blocked = (until > wait.from).then_some((leaf, wait.from, until));
    let queued = (wait.to > until).then_some((Leaf::Woken, until, wait.to));
    blocked.into_iter().chain(queued)
}

/// Whether the wait ends by being woken; who was runnable all along stays in its own leaf.
const fn runs_out(leaf: Leaf) -> bool {
    !matches!(leaf, Leaf::Preempted | Leaf::Starting)
}

fn leaf(recording: &Recording, wait: &Wait) -> Leaf {
    match wait.why {
        Why::Preempted => Leaf::Preempted,
        Why::Fault => Leaf::Fault,
        Why::Stopped => Leaf::Stopped,
        Why::NotYetRun => Leaf::Starting,
        Why::Call | Why::Unknown => called(recording, wait),
    }
}

fn called(recording: &Recording, wait: &Wait) -> Leaf {
    let Some(call) = wait.call.and_then(|call| recording.calls.get(call as usize)) else {
        return Leaf::Unaccounted;
    };
    let object = call.object.and_then(|object| recording.objects.get(object as usize));
    by_call(&call.name).unwrap_or_else(|| by_object(&call.name, object))
}

/// Calls that tell what they wait for, whatever they are made on.
fn by_call(call: &str) -> Option<Leaf> {
    Some(match call {
        "futex" | "futex_wait" | "futex_waitv" | "flock" | "fcntl" | "semop" | "semtimedop" | "munmap"
        | "mprotect" | "brk" | "mremap" | "membarrier" => Leaf::Lock,
        "mmap" | "madvise" | "mlock" => Leaf::Fault,
        "wait4" | "waitid" | "vfork" | "fork" | "clone" | "clone3" | "exit" | "exit_group" => Leaf::Child,
        "nanosleep" | "clock_nanosleep" | "pause" | "rt_sigsuspend" => Leaf::Sleep,
        "sched_yield" => Leaf::Preempted,
        "epoll_wait" | "epoll_pwait" | "epoll_pwait2" | "io_uring_enter" | "io_getevents"
        | "rt_sigtimedwait" => Leaf::Poll,
        "fsync" | "fdatasync" | "sync" | "syncfs" | "sync_file_range" | "msync" | "unlink" | "unlinkat"
        | "rename" | "renameat2" | "mkdir" | "ftruncate" | "fallocate" | "copy_file_range" => Leaf::DiskWrite,
        _ => return None,
    })
}

fn by_object(call: &str, object: Option<&Object>) -> Leaf {
    match object {
        Some(Object::File { .. } | Object::Directory { .. }) if call.contains("write") => Leaf::DiskWrite,
        Some(Object::File { .. } | Object::Directory { .. }) => Leaf::DiskRead,
        Some(Object::Device { .. }) => Leaf::Terminal,
        Some(Object::Socket { .. }) => Leaf::Network,
        Some(Object::Pipe { .. }) => Leaf::Pipe,
        Some(Object::Lock { .. }) => Leaf::Lock,
        Some(Object::Child { .. }) => Leaf::Child,
        Some(Object::Timer) => Leaf::Sleep,
        // Polling nothing is sleeping.
        Some(Object::Set { members }) if members.is_empty() => Leaf::Sleep,
        Some(Object::Set { .. } | Object::Event | Object::Other { .. }) => Leaf::Poll,
        None => without_object(call),
    }
}

fn without_object(call: &str) -> Leaf {
    match call {
        "accept" | "accept4" | "connect" | "recvfrom" | "recvmsg" | "recvmmsg" | "sendto" | "sendmsg"
        | "sendmmsg" => Leaf::Network,
        "poll" | "ppoll" | "select" | "pselect6" => Leaf::Poll,
        "open" | "openat" | "stat" | "newfstatat" | "statx" | "getdents64" | "execve" => Leaf::DiskRead,
        _ => Leaf::Unaccounted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::recording::{Call, Source, Weight};

    fn check(name: &str, object: Option<Object>, wanted: Leaf) {
        let mut recording = Recording::new(Source::Import("test".into()), Weight::CpuTime);
        let place = object.map(|object| {
            recording.objects.push(object);
            0
        });
        recording.calls.push(Call { name: name.to_owned(), object: place, detail: None });
        let wait = Wait {
            thread: 0,
            from: Nanos::ZERO,
            to: Nanos::from_nanos(10),
            woken: Some(Nanos::from_nanos(7)),
            why: Why::Call,
            call: Some(0),
            stack: None,
            by: None,
            holder: None,
            cpu: None,
        };
        let at = Nanos::from_nanos;
        let pieces: Vec<_> = pieces(&recording, &wait).collect();
        assert_eq!(pieces, [(wanted, at(0), at(7)), (Leaf::Woken, at(7), at(10))], "{name}");
    }

    #[test]
    fn a_wait_is_named_by_its_object_then_by_its_call() {
        let file = Object::File { path: "/x".to_owned() };
        check("read", Some(file.clone()), Leaf::DiskRead);
        check("pwrite64", Some(file.clone()), Leaf::DiskWrite);
        check("fsync", Some(file), Leaf::DiskWrite);
        check("read", Some(Object::Pipe { inode: 1 }), Leaf::Pipe);
        check("futex", None, Leaf::Lock);
        check("clock_nanosleep", None, Leaf::Sleep);
        check("frobnicate", None, Leaf::Unaccounted);
    }
}
