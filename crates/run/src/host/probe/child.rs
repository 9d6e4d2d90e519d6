//! Children made for a trial.
//!
//! They come from fork(2) without exec(2). This process may have threads, and a lock one of them held stays locked
//! in the child for ever, so the child makes system calls only: it never allocates, prints, unwinds or returns.

use std::time::{Duration, Instant};

use super::errno::Errno;

/// A child that sleeps until it is dropped.
pub(super) struct Paused {
    pub(super) pid: libc::pid_t,
}

impl Paused {
    pub(super) fn start() -> Result<Self, Errno> {
        // SAFETY: the closure only sleeps, which allocates nothing.
        let pid = unsafe {
            fork(|| {
                loop {
                    libc::pause();
                }
            })?
        };
        Ok(Self { pid })
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        // SAFETY: kill takes no pointers; the child is not waited for yet, so the number is still its own.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
        // A dead child can only be reaped.
        let _status = wait(self.pid, 0);
    }
}

/// Runs `work` in a child and returns what it returned, 0 to 255.
///
/// # Safety
///
/// `work` makes system calls only.
pub(super) unsafe fn in_child(work: impl FnOnce() -> libc::c_int) -> Result<libc::c_int, Errno> {
    // SAFETY: the caller promises what `fork` asks for.
    let pid = unsafe { fork(work)? };
    let child = Paused { pid };
    let status = patiently(pid, 0)?;
    // Waited for: there is nothing left to drop.
    std::mem::forget(child);
    match libc::WIFEXITED(status) {
        true => Ok(libc::WEXITSTATUS(status)),
        // Killed by a filter that does not return an error.
        false => Err(Errno(libc::EPERM)),
    }
}

/// # Safety
///
/// `work` makes system calls only.
unsafe fn fork(work: impl FnOnce() -> libc::c_int) -> Result<libc::pid_t, Errno> {
    // SAFETY: the child runs `work`, which by contract is safe after a fork, and leaves by _exit.
    match Errno::check(unsafe { libc::fork() })? {
        0 => {
            // SAFETY: prctl with integers and _exit touch no memory of this process.
            unsafe {
                // If slowpath itself is killed, the child goes with it.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                libc::_exit(work())
            }
        }
        pid => Ok(pid),
    }
}

/// Waits for a change of a child, at most a fifth of a second.
pub(super) fn patiently(pid: libc::pid_t, options: libc::c_int) -> Result<libc::c_int, Errno> {
    let until = Instant::now() + Duration::from_millis(200);
    loop {
        match wait(pid, options | libc::WNOHANG)? {
            Some(status) => return Ok(status),
            None if Instant::now() > until => return Err(Errno(libc::ETIMEDOUT)),
            None => std::thread::sleep(Duration::from_micros(100)),
        }
    }
}

/// `None` when nothing has changed yet.
fn wait(pid: libc::pid_t, options: libc::c_int) -> Result<Option<libc::c_int>, Errno> {
    let mut status = 0;
    loop {
        // SAFETY: `status` is writable for the length of the call.
        match Errno::check(unsafe { libc::waitpid(pid, &raw mut status, options) }) {
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(Some(status)),
            Err(Errno(libc::EINTR)) => {}
            Err(errno) => return Err(errno),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_hands_back_its_number_and_leaves_nothing() {
        // SAFETY: the closure makes no call at all.
        assert_eq!(unsafe { in_child(|| 7) }, Ok(7));
        let child = Paused::start().unwrap();
        let pid = child.pid;
        drop(child);
        assert_eq!(wait(pid, libc::WNOHANG), Err(Errno(libc::ECHILD)));
    }
}
