//! Which system calls are seen, and what each of them does to what.

use crate::record::syscalls::Syscall;

/// What a call does. Numbers are positions of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Moves bytes between memory and the descriptor that is its first argument.
    Move {
        way: Way,
        shape: Shape,
        offset: Offset,
    },
    /// Moves bytes from one descriptor to another.
    Copy {
        from: usize,
        to: usize,
    },
    /// Names a file, relative to a folder when there is one.
    Path {
        folder: Option<usize>,
        path: usize,
        purpose: Purpose,
    },
    StatDescriptor,
    Sync,
    Seek,
    /// Anything else with a descriptor: listing a folder, locking, cutting.
    Other,
    Close,
    CloseRange,
    /// Makes its second argument stand for what the first does.
    Replace,
    Connect,
    Accept,
    Map,
    Sleep,
    /// Asks for something that has to do with no descriptor.
    Ask,
    /// Waits for one of several to be ready.
    Ready,
    /// Changes the folder that relative paths begin at.
    Folder,
    /// Something this pass cannot follow.
    Beyond(Beyond),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    In,
    Out,
}

/// How the memory of a call is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Buffer,
    /// A list of buffers.
    Vector,
    /// A `struct msghdr`.
    Header,
    /// Several of them, of which the first is looked at.
    Headers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offset {
    /// The descriptor's own, which moves on.
    Own,
    Argument(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Open,
    Stat,
    Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Beyond {
    IoUring,
    Ptrace,
}

impl Act {
    /// Whether the call is stopped at its end too.
    pub(super) fn has_result(self) -> bool {
        !matches!(
            self,
            Self::Close | Self::CloseRange | Self::Replace | Self::Map | Self::Ready | Self::Beyond(_)
        )
    }

    /// Whether a call may be counted only, without following what it does.
    pub(super) fn may_be_skipped(self) -> bool {
        matches!(
            self,
            Self::Move { .. }
                | Self::Copy { .. }
                | Self::Path { .. }
                | Self::StatDescriptor
                | Self::Sync
                | Self::Seek
                | Self::Other
                | Self::Sleep
                | Self::Ask
                | Self::Ready
        )
    }
}

const fn moves(way: Way, shape: Shape) -> Act {
    Act::Move { way, shape, offset: Offset::Own }
}

const fn moves_at(way: Way, shape: Shape) -> Act {
    Act::Move { way, shape, offset: Offset::Argument(3) }
}

const fn path(purpose: Purpose) -> Act {
    Act::Path { folder: None, path: 0, purpose }
}

const fn path_at(purpose: Purpose) -> Act {
    Act::Path { folder: Some(0), path: 1, purpose }
}

/// Names that a machine does not have are left out there.
const ACTS: [(&str, Act); 84] = [
    ("read", moves(Way::In, Shape::Buffer)),
    ("write", moves(Way::Out, Shape::Buffer)),
    ("pread64", moves_at(Way::In, Shape::Buffer)),
    ("pwrite64", moves_at(Way::Out, Shape::Buffer)),
    ("readv", moves(Way::In, Shape::Vector)),
    ("writev", moves(Way::Out, Shape::Vector)),
    ("preadv", moves_at(Way::In, Shape::Vector)),
    ("pwritev", moves_at(Way::Out, Shape::Vector)),
    ("preadv2", moves_at(Way::In, Shape::Vector)),
    ("pwritev2", moves_at(Way::Out, Shape::Vector)),
    ("recvfrom", moves(Way::In, Shape::Buffer)),
    ("sendto", moves(Way::Out, Shape::Buffer)),
    ("recvmsg", moves(Way::In, Shape::Header)),
    ("sendmsg", moves(Way::Out, Shape::Header)),
    ("recvmmsg", moves(Way::In, Shape::Headers)),
    ("sendmmsg", moves(Way::Out, Shape::Headers)),
    ("sendfile", Act::Copy { from: 1, to: 0 }),
    ("copy_file_range", Act::Copy { from: 0, to: 2 }),
    ("splice", Act::Copy { from: 0, to: 2 }),
    ("open", path(Purpose::Open)),
    ("creat", path(Purpose::Open)),
    ("openat", path_at(Purpose::Open)),
    ("openat2", path_at(Purpose::Open)),
    ("stat", path(Purpose::Stat)),
    ("lstat", path(Purpose::Stat)),
    ("newfstatat", path_at(Purpose::Stat)),
    ("statx", path_at(Purpose::Stat)),
    ("access", path(Purpose::Stat)),
    ("faccessat", path_at(Purpose::Stat)),
    ("faccessat2", path_at(Purpose::Stat)),
    ("readlink", path(Purpose::Stat)),
    ("readlinkat", path_at(Purpose::Stat)),
    ("unlink", path(Purpose::Change)),
    ("unlinkat", path_at(Purpose::Change)),
    ("rename", path(Purpose::Change)),
    ("renameat", path_at(Purpose::Change)),
    ("renameat2", path_at(Purpose::Change)),
    ("mkdir", path(Purpose::Change)),
    ("mkdirat", path_at(Purpose::Change)),
    ("rmdir", path(Purpose::Change)),
    ("truncate", path(Purpose::Change)),
    ("link", path(Purpose::Change)),
    ("linkat", path_at(Purpose::Change)),
    ("fstat", Act::StatDescriptor),
    ("fsync", Act::Sync),
    ("fdatasync", Act::Sync),
    ("sync_file_range", Act::Sync),
    ("syncfs", Act::Sync),
    ("ftruncate", Act::Other),
    ("fallocate", Act::Other),
    ("flock", Act::Other),
    ("getdents64", Act::Other),
    ("lseek", Act::Seek),
    ("close", Act::Close),
    ("close_range", Act::CloseRange),
    ("dup2", Act::Replace),
    ("dup3", Act::Replace),
    ("connect", Act::Connect),
    ("accept", Act::Accept),
    ("accept4", Act::Accept),
    ("mmap", Act::Map),
    ("nanosleep", Act::Sleep),
    ("clock_nanosleep", Act::Sleep),
    ("getrandom", Act::Ask),
    ("getpid", Act::Ask),
    ("gettid", Act::Ask),
    ("getrusage", Act::Ask),
    ("clock_gettime", Act::Ask),
    ("gettimeofday", Act::Ask),
    ("poll", Act::Ready),
    ("ppoll", Act::Ready),
    ("select", Act::Ready),
    ("pselect6", Act::Ready),
    ("epoll_wait", Act::Ready),
    ("epoll_pwait", Act::Ready),
    ("epoll_pwait2", Act::Ready),
    ("chdir", Act::Folder),
    ("fchdir", Act::Folder),
    ("chroot", Act::Folder),
    ("io_setup", Act::Beyond(Beyond::IoUring)),
    ("io_submit", Act::Beyond(Beyond::IoUring)),
    ("io_uring_setup", Act::Beyond(Beyond::IoUring)),
    ("io_uring_enter", Act::Beyond(Beyond::IoUring)),
    ("ptrace", Act::Beyond(Beyond::Ptrace)),
];

/// Acts by the number of their call.
#[derive(Debug)]
pub(super) struct Acts(Vec<Option<(&'static str, Act)>>);

impl Acts {
    pub(super) fn new() -> Self {
        let mut acts = Vec::new();
        for (name, act) in ACTS {
            let Some(at) = Syscall::named(name).and_then(|call| usize::try_from(call.0).ok()) else {
                continue;
            };
            if acts.len() <= at {
                acts.resize(at + 1, None);
            }
            if let Some(slot) = acts.get_mut(at) {
                *slot = Some((name, act));
            }
        }
        Self(acts)
    }

    pub(super) fn of(&self, number: u64) -> Option<(&'static str, Act)> {
        self.0.get(usize::try_from(number).ok()?).copied().flatten()
    }

    /// The numbers of all calls that are seen.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.0).filter_map(|(number, act)| act.is_some().then_some(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_call_of_some_machine_and_stands_once() {
        let mut names: Vec<_> = ACTS.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        #[cfg(target_arch = "x86_64")]
        assert!(names.iter().all(|name| Syscall::named(name).is_some()));
    }

    #[test]
    fn the_descriptor_table_is_never_followed_by_halves() {
        for act in [Act::Close, Act::CloseRange, Act::Replace, Act::Connect, Act::Accept, Act::Folder] {
            assert!(!act.may_be_skipped());
        }
    }
}
