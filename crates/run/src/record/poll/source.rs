//! A file of a thread in /proc that is read again and again.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// How many more files may be kept open.
#[derive(Debug)]
pub(super) struct Room(usize);

impl Room {
    /// Half of what the limit allows; the rest of slowpath needs descriptors, too.
    pub(super) fn of_limit() -> Self {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: one struct of our own stack; left as it is on failure.
        unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
        Self(usize::try_from(limit.rlim_cur / 2).unwrap_or(0).min(100_000))
    }

    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self(0)
    }
}

/// Opened at the first read and kept if there is room. A kept file never shows another thread with the same number.
#[derive(Debug)]
pub(super) struct Source {
    name: &'static str,
    kept: Option<File>,
}

impl Source {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, kept: None }
    }

    /// The text; the files read here are shorter than a page.
    ///
    /// # Errors
    /// `ESRCH` or `ENOENT` when the thread is gone, others when it may not be read.
    pub(super) fn read(&mut self, pid: u32, tid: u32, room: &mut Room) -> io::Result<Vec<u8>> {
        if let Some(file) = &self.kept {
            return text_of(file);
        }
        let file = File::open(format!("/proc/{pid}/task/{tid}/{}", self.name))?;
        let text = text_of(&file)?;
        if room.0 > 0 {
            room.0 -= 1;
            self.kept = Some(file);
        }
        Ok(text)
    }

    pub(super) fn close(self, room: &mut Room) {
        room.0 += usize::from(self.kept.is_some());
    }
}

fn text_of(file: &File) -> io::Result<Vec<u8>> {
    let mut buffer = [0; 1024];
    let mut text = Vec::new();
    loop {
        let length = file.read_at(&mut buffer, text.len() as u64)?;
        text.extend_from_slice(buffer.get(..length).unwrap_or_default());
        // Only a list of children is longer, and of the others a second read is saved.
        if length < buffer.len() {
            return Ok(text);
        }
    }
}
