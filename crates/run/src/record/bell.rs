//! One descriptor that tells when any of many rings is half full.
//!
//! To poll the rings themselves would touch each of them twice each time, two for each CPU.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

#[derive(Debug)]
pub(super) struct Bell(OwnedFd);

impl Bell {
    /// For these events.
    pub(super) fn of<'a>(events: impl Iterator<Item = BorrowedFd<'a>>) -> io::Result<Self> {
        // SAFETY: takes an integer; the result is checked and new.
        let bell = unsafe {
            match libc::epoll_create1(libc::EPOLL_CLOEXEC) {
                -1 => return Err(io::Error::last_os_error()),
                bell => Self(OwnedFd::from_raw_fd(bell)),
            }
        };
        for event in events {
            let mut wanted = libc::epoll_event { events: libc::EPOLLIN as u32, u64: 0 };
            // SAFETY: two descriptors of ours and a structure that outlives the call.
            let added = unsafe {
                libc::epoll_ctl(bell.0.as_raw_fd(), libc::EPOLL_CTL_ADD, event.as_raw_fd(), &raw mut wanted)
            };
            if added < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(bell)
    }

    /// Stops it ringing. `true` when what was watched has ended, and it would go on for ever.
    pub(super) fn answer(&self) -> bool {
        let mut seen = [libc::epoll_event { events: 0, u64: 0 }; 64];
        // SAFETY: room for as many as are asked for.
        let count = unsafe { libc::epoll_wait(self.0.as_raw_fd(), seen.as_mut_ptr(), 64, 0) };
        let over = (libc::EPOLLHUP | libc::EPOLLERR) as u32;
        let ended = |seen: &libc::epoll_event| seen.events & over != 0;
        seen.iter().take(usize::try_from(count).unwrap_or(0)).any(ended)
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn rings(bell: &Bell) -> bool {
        let mut fd = libc::pollfd { fd: bell.as_fd().as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor of ours.
        unsafe { libc::poll(&raw mut fd, 1, 0) > 0 }
    }

    #[test]
    fn it_rings_when_one_of_them_does_and_says_when_it_has_ended() {
        let (first, _writer) = io::pipe().unwrap();
        let (second, mut writer) = io::pipe().unwrap();
        let bell = Bell::of([first.as_fd(), second.as_fd()].into_iter()).unwrap();
        assert!(!rings(&bell));
        writer.write_all(b"x").unwrap();
        assert!(rings(&bell) && !bell.answer());
        drop(writer);
        assert!(rings(&bell) && bell.answer());
    }
}
