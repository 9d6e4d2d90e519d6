//! What a system call is made on, by its name and arguments.

use model::recording::Object;

use super::syscalls::Syscall;

/// What the arguments of a call name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A descriptor in the first argument.
    Descriptor(i32),
    /// A word of memory; whether the call waits for it or wakes who waits, and whether it waits for some time only.
    Word {
        address: u64,
        wakes: bool,
        timed: bool,
    },
    /// A child, or any.
    Child(Option<u32>),
    /// An array of descriptors to poll: where and how many.
    Polled {
        address: u64,
        length: u64,
    },
    /// A bit for each descriptor: where those to read, to write and those with exceptions are, and how many bits.
    Selected {
        sets: [u64; 3],
        length: u64,
    },
    Nothing,
}

pub(super) fn subject(call: Syscall, arguments: &[u64; 6]) -> Subject {
    let [first, second, third, fourth, fifth, _] = *arguments;
    match call.name().unwrap_or_default() {
        "futex" => {
            let wakes = wakes(second);
            // Those that wake have a number there.
            Subject::Word { address: first, wakes, timed: !wakes && fourth != 0 }
        }
        "futex_wait" => Subject::Word { address: first, wakes: false, timed: fifth != 0 },
        "futex_wake" => Subject::Word { address: first, wakes: true, timed: false },
        "wait4" | "waitid" => Subject::Child(child(call, first, second)),
        "poll" | "ppoll" => Subject::Polled { address: first, length: second },
        "select" | "pselect6" => Subject::Selected { sets: [second, third, fourth], length: first },
        "read" | "write" | "pread64" | "pwrite64" | "readv" | "writev" | "preadv" | "pwritev" | "preadv2"
        | "pwritev2" | "fsync" | "fdatasync" | "sync_file_range" | "fallocate" | "ftruncate"
        | "epoll_wait" | "epoll_pwait" | "epoll_pwait2" | "accept" | "accept4" | "connect" | "recvfrom"
        | "recvmsg" | "recvmmsg" | "sendto" | "sendmsg" | "sendmmsg" | "flock" | "fcntl"
        | "io_uring_enter" | "getdents64" | "ioctl" | "sendfile" | "splice" | "syncfs" | "close"
        | "copy_file_range" | "vmsplice" | "tee" | "lseek" | "fstat" | "fadvise64" | "readahead" => {
            descriptor(first)
        }
        _ => Subject::Nothing,
    }
}

/// Whether a call can wait for such an object: else its descriptor's number means something else by now.
pub(super) fn waits_for(call: Syscall, object: &Object) -> bool {
    // These give and take at once.
    const IDLE: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];
    let is_file = || matches!(object, Object::File { .. } | Object::Directory { .. } | Object::Device { .. });
    match call.name().unwrap_or_default() {
        "accept" | "accept4" | "connect" | "recvfrom" | "recvmsg" | "recvmmsg" | "sendto" | "sendmsg"
        | "sendmmsg" => matches!(object, Object::Socket { .. }),
        "epoll_wait" | "epoll_pwait" | "epoll_pwait2" => matches!(object, Object::Set { .. }),
        "pread64" | "pwrite64" | "preadv" | "pwritev" | "preadv2" | "pwritev2" | "fsync" | "fdatasync"
        | "sync_file_range" | "fallocate" | "ftruncate" | "syncfs" => is_file(),
        "getdents64" => matches!(object, Object::Directory { .. }),
        "read" | "readv" | "write" | "writev" => {
            !matches!(object, Object::Device { path } if IDLE.contains(&path.as_str()))
        }
        _ => true,
    }
}

fn descriptor(argument: u64) -> Subject {
    // The kernel takes an int from the register's low half.
    #[expect(clippy::cast_possible_truncation, reason = "as the kernel does")]
    let descriptor = argument as u32;
    i32::try_from(descriptor).map_or(Subject::Nothing, Subject::Descriptor)
}

/// FUTEX_WAKE, REQUEUE, CMP_REQUEUE, WAKE_OP, UNLOCK_PI, WAKE_BITSET, CMP_REQUEUE_PI.
fn wakes(operation: u64) -> bool {
    const PRIVATE_AND_REALTIME: u64 = 128 | 256;
    matches!(operation & !PRIVATE_AND_REALTIME, 1 | 3 | 4 | 5 | 7 | 10 | 12)
}

fn child(call: Syscall, first: u64, second: u64) -> Option<u32> {
    const ONE_PROCESS: u64 = 1;
    let pid = if call.name() == Some("waitid") { (first == ONE_PROCESS).then_some(second)? } else { first };
    #[expect(clippy::cast_possible_truncation, reason = "as the kernel does")]
    let pid = i32::from_ne_bytes((pid as u32).to_ne_bytes());
    u32::try_from(pid).ok().filter(|pid| *pid > 0)
}

impl Syscall {
    /// Reads or writes what comes next, which is all that a pipe can do.
    pub(super) fn streams(self) -> bool {
        matches!(self.name().unwrap_or_default(), "read" | "readv" | "write" | "writev")
    }

    /// Gives something to whoever reads at the other end.
    pub(super) fn sends(self) -> bool {
        matches!(
            self.name().unwrap_or_default(),
            "write"
                | "writev"
                | "sendto"
                | "sendmsg"
                | "sendmmsg"
                | "sendfile"
                | "splice"
                | "pwrite64"
                | "connect"
                | "shutdown"
                | "close"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, arguments: [u64; 6], wanted: Subject) {
        assert_eq!(subject(Syscall::named(name).unwrap(), &arguments), wanted, "{name}");
    }

    #[test]
    fn a_call_waits_for_what_it_can_be_made_on_only() {
        let file = Object::File { path: "/lib/x.so".to_owned() };
        let device = |path: &str| Object::Device { path: path.to_owned() };
        let socket = Object::Socket { family: "tcp".to_owned(), peer: None, local_peer: None, inode: 1 };
        for (name, object, expected) in [
            ("recvfrom", &file, false),
            ("recvfrom", &socket, true),
            ("fsync", &socket, false),
            ("fsync", &file, true),
            ("read", &socket, true),
            ("read", &device("/dev/null"), false),
            ("read", &device("/dev/pts/1"), true),
            ("ioctl", &socket, true),
        ] {
            assert_eq!(waits_for(Syscall::named(name).unwrap(), object), expected, "{name} {object:?}");
        }
    }

    #[test]
    fn a_call_names_what_it_is_made_on() {
        check("read", [5, 0, 0, 0, 0, 0], Subject::Descriptor(5));
        check("read", [u64::MAX, 0, 0, 0, 0, 0], Subject::Nothing);
        let word = |wakes, timed| Subject::Word { address: 0x1000, wakes, timed };
        check("futex", [0x1000, 128, 0, 0, 0, 0], word(false, false));
        check("futex", [0x1000, 128 | 9, 0, 0x7000, 0, 0], word(false, true));
        check("futex", [0x1000, 129, 0, 0, 0, 0], word(true, false));
        check("futex", [0x1000, 128 | 3, 1, 0x7fff_ffff, 0x2000, 0], word(true, false));
        check("wait4", [u64::MAX, 0, 0, 0, 0, 0], Subject::Child(None));
        check("wait4", [77, 0, 0, 0, 0, 0], Subject::Child(Some(77)));
        check("waitid", [1, 77, 0, 0, 0, 0], Subject::Child(Some(77)));
        check("pselect6", [9, 1, 2, 3, 4, 5], Subject::Selected { sets: [1, 2, 3], length: 9 });
        check("clock_nanosleep", [1, 0, 0, 0, 0, 0], Subject::Nothing);
    }
}
