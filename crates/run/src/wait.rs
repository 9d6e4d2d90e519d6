//! Waiting for a target without waking up while it runs.
//!
//! One `poll` without a period: it returns when the target has ended, when the user interrupts, when the time is up,
//! or when a captured stream has something to read.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::{Duration, Instant};

use crate::launch::{Ended, Running};
use crate::stdio::Captured;
use crate::{Interrupt, RunError};

/// Between asking a target to end and ending it.
const GRACE: Duration = Duration::from_millis(500);

/// Why the wait was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Because {
    ItEnded,
    TimeIsUp(Duration),
    Interrupted(i32),
}

/// Waits for the end of the target. When the time is up or the user interrupts, the target is asked to end
/// (SIGTERM, or the user's own signal), then ended.
pub(crate) fn wait(
    running: Running,
    timeout: Option<Duration>,
    interrupt: &Interrupt,
    streams: &mut [&mut Captured],
) -> Result<(Ended, Because), RunError> {
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let mut because = Because::ItEnded;
    match watch(&running, deadline, Some(interrupt), streams)? {
        Seen::End => {}
        Seen::TimeIsUp => because = Because::TimeIsUp(timeout.unwrap_or_default()),
        Seen::Interrupt => because = Because::Interrupted(interrupt.raised().unwrap_or(libc::SIGINT)),
    }
    if because != Because::ItEnded {
        let polite = if let Because::Interrupted(signal) = because { signal } else { libc::SIGTERM };
        running.signal(polite);
        running.signal(libc::SIGCONT);
        if watch(&running, Some(Instant::now() + GRACE), None, streams)? != Seen::End {
            running.signal(libc::SIGKILL);
            watch(&running, None, None, streams)?;
        }
    }
    let ended = running.end()?;
    for stream in streams {
        stream.drain();
    }
    Ok((ended, because))
}

#[derive(PartialEq, Eq)]
enum Seen {
    End,
    TimeIsUp,
    Interrupt,
}

fn watch(
    running: &Running,
    deadline: Option<Instant>,
    interrupt: Option<&Interrupt>,
    streams: &mut [&mut Captured],
) -> Result<Seen, RunError> {
    loop {
        let mut fds = vec![watched(running.fd())];
        fds.extend(interrupt.map(|interrupt| watched(interrupt.fd())));
        fds.extend(streams.iter().filter_map(|stream| stream.fd()).map(watched));
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if !poll(&mut fds, left)? {
            return Ok(Seen::TimeIsUp);
        }
        for stream in streams.iter_mut() {
            stream.drain();
        }
        if fds.first().is_some_and(|end| end.revents != 0) {
            return Ok(Seen::End);
        }
        if interrupt.is_some_and(|interrupt| interrupt.raised().is_some()) {
            return Ok(Seen::Interrupt);
        }
    }
}

fn watched(fd: BorrowedFd<'_>) -> libc::pollfd {
    libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 }
}

/// `false` when the time ran out before anything happened.
fn poll(fds: &mut [libc::pollfd], left: Option<Duration>) -> Result<bool, RunError> {
    let time = left.map(|left| libc::timespec {
        tv_sec: libc::time_t::try_from(left.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::from(left.subsec_nanos()),
    });
    let pointer = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: a slice of ours with its length, a timespec that outlives the call, no signal mask.
    match unsafe { libc::ppoll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, pointer, std::ptr::null()) } {
        0 => Ok(false),
        seen if seen > 0 => Ok(true),
        _ => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(true),
            source => Err(RunError::NoWait { source }),
        },
    }
}
