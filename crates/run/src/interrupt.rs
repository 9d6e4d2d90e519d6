//! Ctrl-C and its kin as something one can wait for.
//!
//! The handler only stores the signal and writes to an event descriptor; the wait for a target polls that descriptor,
//! so that no signal is lost between a check and a wait.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

static SIGNAL: AtomicI32 = AtomicI32::new(0);
static EVENT: AtomicI32 = AtomicI32::new(-1);

/// The user's wish to stop.
#[derive(Debug)]
pub struct Interrupt {
    event: OwnedFd,
}

impl Interrupt {
    /// Catches SIGINT, SIGTERM and SIGHUP from now on; one that is ignored stays so, as `nohup` wants it.
    ///
    /// # Errors
    /// When the kernel gives no event descriptor.
    pub fn install() -> io::Result<Self> {
        // SAFETY: plain system call; the result is checked.
        let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        EVENT.store(fd, Ordering::SeqCst);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            catch(signal);
        }
        // SAFETY: the descriptor is new and owned by nobody else.
        let event = unsafe { OwnedFd::from_raw_fd(fd) };
        Ok(Self { event })
    }

    /// The signal that arrived, if any.
    #[must_use]
    pub fn raised(&self) -> Option<i32> {
        match SIGNAL.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(signal),
        }
    }

    /// The signal has been heeded: only another one counts from here on.
    pub fn acknowledge(&self) {
        let mut count = 0u64;
        SIGNAL.store(0, Ordering::SeqCst);
        // SAFETY: eight bytes of our own stack; the descriptor does not block.
        unsafe { libc::read(self.event.as_raw_fd(), (&raw mut count).cast(), 8) };
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.event.as_fd()
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        let _ = EVENT.compare_exchange(self.event.as_raw_fd(), -1, Ordering::SeqCst, Ordering::SeqCst);
    }
}

fn catch(signal: i32) {
    // SAFETY: the handler touches atomics and calls `write`, both allowed in a signal handler.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action);
        if action.sa_sigaction == libc::SIG_IGN {
            return;
        }
        action = std::mem::zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

extern "C" fn on_signal(signal: i32) {
    SIGNAL.store(signal, Ordering::SeqCst);
    let one = 1u64;
    // SAFETY: eight bytes of our own stack, as an event descriptor wants them.
    unsafe { libc::write(EVENT.load(Ordering::SeqCst), (&raw const one).cast(), 8) };
}

/// Ends this process by `signal` as if it had not been caught, so that the caller's shell sees the truth.
pub fn die_by(signal: i32) {
    // SAFETY: default disposition, then the signal to ourselves.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}
