//! Libraries of ours that the target loads before its own.

use std::ffi::{CStr, OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};

/// What the loader takes libraries from.
const PRELOAD: &str = "LD_PRELOAD";

/// A library that lies in an anonymous file, which a mount without execution does not hinder.
#[derive(Debug)]
pub(crate) struct Library {
    /// Where the target finds it, for as long as this lives.
    pub(crate) path: OsString,
    _image: File,
}

impl Library {
    /// # Errors
    /// Where there is no room, or children may not look into us.
    pub(crate) fn in_memory(name: &CStr, image: &[u8]) -> io::Result<Self> {
        // SAFETY: a question without arguments. Who is not dumpable may not be looked into by its own children.
        if unsafe { libc::prctl(libc::PR_GET_DUMPABLE, 0, 0, 0, 0) } != 1 {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        // SAFETY: a C string; the result is checked and new.
        let mut file = unsafe {
            let fd = libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            File::from_raw_fd(fd)
        };
        file.write_all(image)?;
        let path = OsString::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
        Ok(Self { path, _image: file })
    }
}

/// Has the target load a library before those that the user asks for.
pub(crate) fn before(env: &mut Vec<(OsString, OsString)>, library: &OsStr) {
    let mut all = library.to_owned();
    if let Some((_, users)) = env.iter().find(|(name, _)| name == PRELOAD) {
        all.push(":");
        all.push(users);
    }
    env.retain(|(name, _)| name != PRELOAD);
    env.push((PRELOAD.into(), all));
}
