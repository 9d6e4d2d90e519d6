//! The terminal behind standard output and standard input.

/// Columns of the terminal behind standard output; `None` when it is none or does not tell.
#[must_use]
pub fn terminal_width() -> Option<usize> {
    // SAFETY: a winsize of ours, which the kernel fills.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        (libc::ioctl(1, libc::TIOCGWINSZ, &raw mut size) == 0).then_some(size)?
    };
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// The terminal, lent to the target's process group so that the target may read from it.
pub(crate) struct Terminal {
    owner: i32,
}

impl Terminal {
    /// `None` when standard input is no terminal.
    pub(crate) fn lend(pid: i32) -> Option<Self> {
        // SAFETY: plain call on descriptor 0.
        let owner = unsafe { libc::tcgetpgrp(0) };
        (owner > 0 && hand_to(pid)).then_some(Self { owner })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        hand_to(self.owner);
    }
}

/// Taking the terminal back from the background would stop us by SIGTTOU, so that is held off meanwhile.
fn hand_to(group: i32) -> bool {
    // SAFETY: signal sets of ours; the former mask is restored.
    unsafe {
        let mut held: libc::sigset_t = std::mem::zeroed();
        let mut former: libc::sigset_t = std::mem::zeroed();
        libc::sigaddset(&raw mut held, libc::SIGTTOU);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const held, &raw mut former);
        let done = libc::tcsetpgrp(0, group) == 0;
        libc::sigprocmask(libc::SIG_SETMASK, &raw const former, std::ptr::null_mut());
        done
    }
}
