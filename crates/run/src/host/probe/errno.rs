//! The kernel's reasons, by the names its manual pages use.

use std::fmt;
use std::io;

/// An error number of a system call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Errno(pub(super) i32);

impl Errno {
    /// The reason of the call of this thread that failed last.
    pub(super) fn last() -> Self {
        Self::of(&io::Error::last_os_error())
    }

    /// Zero for an error that no system call gave.
    pub(super) fn of(error: &io::Error) -> Self {
        Self(error.raw_os_error().unwrap_or(0))
    }

    /// The number when a call returned less than zero, else what it returned.
    pub(super) fn check(result: libc::c_int) -> Result<libc::c_int, Self> {
        if result < 0 { Err(Self::last()) } else { Ok(result) }
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(number, _)| *number == self.0) {
            Some((_, name)) => f.write_str(name),
            None => write!(f, "error {}", self.0),
        }
    }
}

const NAMES: &[(i32, &str)] = &[
    (libc::EPERM, "EPERM"),
    (libc::ENOENT, "ENOENT"),
    (libc::ESRCH, "ESRCH"),
    (libc::EIO, "EIO"),
    (libc::E2BIG, "E2BIG"),
    (libc::EBADF, "EBADF"),
    (libc::EAGAIN, "EAGAIN"),
    (libc::ENOMEM, "ENOMEM"),
    (libc::EACCES, "EACCES"),
    (libc::EFAULT, "EFAULT"),
    (libc::EBUSY, "EBUSY"),
    (libc::EEXIST, "EEXIST"),
    (libc::ENODEV, "ENODEV"),
    (libc::ENOTDIR, "ENOTDIR"),
    (libc::EISDIR, "EISDIR"),
    (libc::EINVAL, "EINVAL"),
    (libc::ENFILE, "ENFILE"),
    (libc::EMFILE, "EMFILE"),
    (libc::ENOSPC, "ENOSPC"),
    (libc::EROFS, "EROFS"),
    (libc::ENOSYS, "ENOSYS"),
    (libc::EOVERFLOW, "EOVERFLOW"),
    (libc::EOPNOTSUPP, "EOPNOTSUPP"),
    (libc::ETIMEDOUT, "ETIMEDOUT"),
];
