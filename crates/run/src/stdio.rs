//! Where the target's standard streams go.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;

use sha2::{Digest, Sha256};

use crate::RunError;

/// Standard input of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Null,
    Inherit,
    File(PathBuf),
}

/// Standard output or error of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    Null,
    Inherit,
    /// Emptied before each run.
    File(PathBuf),
    /// Read by slowpath while the target runs: all of it is hashed, the last bytes are kept.
    Capture,
}

/// How much of a captured stream is kept. Enough for an error message or a small answer.
pub const KEPT_BYTES: usize = 64 * 1024;

impl Input {
    pub(crate) fn open(&self) -> Result<Stdio, RunError> {
        match self {
            Self::Null => Ok(Stdio::null()),
            Self::Inherit => Ok(Stdio::inherit()),
            Self::File(path) => File::open(path).map(Stdio::from).map_err(|source| RunError::NoStream {
                path: path.clone(),
                stream: "standard input",
                source,
            }),
        }
    }
}

impl Output {
    /// The target's end, and ours when it is captured.
    pub(crate) fn open(&self, stream: &'static str) -> Result<(Stdio, Option<Captured>), RunError> {
        match self {
            Self::Null => Ok((Stdio::null(), None)),
            Self::Inherit => Ok((Stdio::inherit(), None)),
            Self::File(path) => OpenOptions::new()
                .create(true)
                .write(true)
                .truncate(true)
                .open(path)
                .map(|file| (Stdio::from(file), None))
                .map_err(|source| RunError::NoStream { path: path.clone(), stream, source }),
            Self::Capture => {
                let (reader, writer) = pipe().map_err(|source| RunError::NoLauncher { source })?;
                Ok((Stdio::from(writer), Some(Captured::new(reader))))
            }
        }
    }
}

/// What was read of a captured stream.
#[derive(Debug)]
pub struct Captured {
    pipe: File,
    open: bool,
    hash: Sha256,
    total: u64,
    /// A ring would save copies; this one is trimmed when it has doubled.
    tail: Vec<u8>,
}

impl Captured {
    fn new(pipe: OwnedFd) -> Self {
        Self { pipe: File::from(pipe), open: true, hash: Sha256::new(), total: 0, tail: Vec::new() }
    }

    /// `None` once every writer is gone.
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.open.then(|| self.pipe.as_fd())
    }

    /// Reads what is there without waiting.
    pub(crate) fn drain(&mut self) {
        let mut buffer = [0; 64 * 1024];
        loop {
            match self.pipe.read(&mut buffer) {
                Ok(0) => {
                    self.open = false;
                    return;
                }
                Ok(bytes) => self.take(buffer.get(..bytes).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.total += bytes.len() as u64;
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 2 * KEPT_BYTES {
            self.tail.drain(..self.tail.len() - KEPT_BYTES);
        }
    }

    /// SHA-256 of everything read, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> String {
        model::arg::hex_of(&self.hash.clone().finalize())
    }

    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The last bytes, at most [`KEPT_BYTES`].
    #[must_use]
    pub fn tail(&self) -> &[u8] {
        self.tail.get(self.tail.len().saturating_sub(KEPT_BYTES)..).unwrap_or_default()
    }

    /// Everything that was read, when it was little enough to be kept whole.
    #[must_use]
    pub fn whole(&self) -> Option<&[u8]> {
        (self.total == self.tail.len() as u64).then_some(self.tail.as_slice())
    }
}

/// A pipe whose reading end does not block; both ends close on exec.
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: an array of two descriptors, as pipe2 wants; the results are new and ours.
    let (reader, writer) = unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
            return Err(io::Error::last_os_error());
        }
        (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    };
    // SAFETY: our own descriptor.
    if unsafe { libc::fcntl(reader.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((reader, writer))
}
