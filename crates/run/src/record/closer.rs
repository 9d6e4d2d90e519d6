//! Work in a process outside our family, above all closing what is slow to close.
//!
//! The kernel waits about 40 ms when the last descriptor of a tracepoint is closed, and meanwhile no thread on this machine
//! can begin or end that inherits one. A process that nobody waits for closes them, and only while no slowpath records.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What recorders and those who close agree by. Every user can open it, and each machine has one.
const AGREED: &str = "/proc/sys/kernel/perf_event_paranoid";

/// A recorder waits so long for those who are closing, then begins all the same.
const PATIENCE: Duration = Duration::from_secs(2);

/// Who closes waits so long for recorders to end.
const LONG_ENOUGH: Duration = Duration::from_secs(20);

const LOOKS: Duration = Duration::from_millis(5);

/// Held by a recorder: nobody closes tracepoints meanwhile.
#[derive(Debug)]
pub(super) struct Quiet {
    #[expect(dead_code, reason = "held for its drop")]
    file: Option<File>,
}

impl Quiet {
    pub(super) fn begin() -> Self {
        let file = agreement();
        if let Some(file) = &file {
            agreed(file.as_raw_fd(), libc::LOCK_SH, PATIENCE);
        }
        Self { file }
    }
}

/// Waits until the lock is ours, but not longer than `limit`. Returns how long it took. Safe after a fork.
fn agreed(file: RawFd, lock: libc::c_int, limit: Duration) -> Duration {
    let mut waited = Duration::ZERO;
    // SAFETY: an integer and constants.
    while unsafe { libc::flock(file, lock | libc::LOCK_NB) } != 0 && waited < limit {
        std::thread::sleep(LOOKS);
        waited += LOOKS;
    }
    waited
}

/// Closes these when nobody records, one at a time: a recorder who comes meanwhile need not wait for all of them. Safe
/// after a fork, in a process where nothing else uses them.
pub(super) fn close_in_quiet(agreed_by: Option<RawFd>, fds: impl Iterator<Item = RawFd>) {
    let mut patience = LONG_ENOUGH;
    for fd in fds {
        if let Some(file) = agreed_by {
            patience = patience.saturating_sub(agreed(file, libc::LOCK_EX, patience));
        }
        // SAFETY: descriptors of this process, not used again.
        unsafe { libc::close(fd) };
        if let Some(file) = agreed_by {
            // SAFETY: an integer and a constant.
            unsafe { libc::flock(file, libc::LOCK_UN) };
            std::thread::sleep(LOOKS + LOOKS);
        }
    }
}

/// The file to agree by, open for whoever records or is about to close.
pub(super) fn agreement() -> Option<File> {
    File::open(AGREED).ok()
}

/// Closes descriptors at the expense of another process. Rings mapped from them are unmapped by the caller before:
/// a mapping keeps its event open, and whoever ends it last pays.
///
/// Without another process they are closed here, slowly.
pub(crate) fn close_elsewhere(fds: Vec<OwnedFd>) {
    if fds.is_empty() {
        return;
    }
    let Ok((gate, ours)) = io::pipe() else { return };
    let file = agreement();
    let (gate_fd, agreed_by) = (gate.as_raw_fd(), file.as_ref().map(AsRawFd::as_raw_fd));
    let slow: Vec<RawFd> = fds.iter().map(AsRawFd::as_raw_fd).collect();
    let keep = slow.iter().copied().chain([gate_fd]).chain(agreed_by).collect();
    let work = || {
        wait_for_end(gate_fd);
        close_in_quiet(agreed_by, slow.iter().copied());
    };
    // SAFETY: `work` makes system calls only.
    // A failure leaves the closing to the lines below.
    let _ = unsafe { detached(keep, work) };
    // Cheap as long as the other process has them open, which it does until our end of the pipe is closed, or we die.
    drop(fds);
    drop(ours);
}

/// Returns when the other end of a pipe is closed, or a signal comes. Safe after a fork.
fn wait_for_end(pipe: RawFd) {
    let mut byte = 0_u8;
    // SAFETY: one byte of our own stack.
    unsafe { libc::read(pipe, (&raw mut byte).cast(), 1) };
}

/// The subreaper attribute belongs to the whole process, so one at a time.
static FAMILY: Mutex<()> = Mutex::new(());

/// Runs `work` in a new process that is not our child, in a session of its own, at `/`, with only the descriptors in
/// `keep` open; it exits after `work`. Returns as soon as it has been started.
///
/// # Errors
/// When no process can be made.
///
/// # Safety
/// `work` makes system calls only: other threads of ours may have held a lock that stays locked in the child for ever,
/// so it must not allocate, print or panic.
pub(super) unsafe fn detached(mut keep: Vec<RawFd>, work: impl FnOnce()) -> io::Result<()> {
    keep.sort_unstable();
    let _one = FAMILY.lock().unwrap_or_else(PoisonError::into_inner);
    // An orphan goes to its nearest ancestor that asked for orphans, which would be us. For this moment we do not ask.
    let adopting = adopts_orphans();
    if adopting {
        set_adopting(false);
    }
    // SAFETY: the child below makes system calls only and leaves by _exit.
    let started = match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => leave_family(&keep, work),
        child => reap(child),
    };
    if adopting {
        set_adopting(true);
    }
    started
}

/// The rest of the child's life: the process between us and the one that works ends at once.
fn leave_family(keep: &[RawFd], work: impl FnOnce()) -> ! {
    // SAFETY: system calls on integers and constants; after each fork only the calling thread exists, and nothing here
    // allocates or takes a lock.
    unsafe {
        libc::setsid();
        match libc::fork() {
            -1 => libc::_exit(1),
            0 => {}
            _ => libc::_exit(0),
        }
        libc::chdir(c"/".as_ptr());
        libc::prctl(libc::PR_SET_NAME, c"slowpath-closes".as_ptr());
        close_all_but(keep);
        work();
        libc::_exit(0)
    }
}

/// Waits for the process in between, which has nothing to do but to exit.
fn reap(child: libc::pid_t) -> io::Result<()> {
    let mut status = 0;
    // SAFETY: a child of ours and an integer of our own.
    while unsafe { libc::waitpid(child, &raw mut status, 0) } < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    if status == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::EAGAIN)) }
}

/// Closes every descriptor but the ascending `keep`. Safe after a fork.
fn close_all_but(keep: &[RawFd]) {
    let mut first = 0_u32;
    for fd in keep.iter().filter_map(|fd| u32::try_from(*fd).ok()) {
        if fd > first {
            close_range(first, fd - 1);
        }
        first = fd + 1;
    }
    close_range(first, u32::MAX);
}

/// Kernels before 5.9 have no call for it; there the numbers are tried one by one, as far as they usually go.
fn close_range(first: u32, last: u32) {
    // SAFETY: the descriptors are this child's copies, and nothing in it uses them any more.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
            for fd in first..=last.min(65_535) {
                libc::close(fd.cast_signed());
            }
        }
    }
}

fn adopts_orphans() -> bool {
    let mut answer: libc::c_int = 0;
    // SAFETY: the kernel writes one int of our own stack.
    unsafe { libc::prctl(libc::PR_GET_CHILD_SUBREAPER, &raw mut answer, 0, 0, 0) == 0 && answer != 0 }
}

fn set_adopting(on: bool) {
    // SAFETY: integers only.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, libc::c_ulong::from(on), 0, 0, 0) };
}

/// Runs `work` as nobody, without capabilities, in a process of its own. The message of a failure comes back.
#[cfg(test)]
pub(crate) fn as_nobody(work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    use std::io::{Read, Write};

    let (mut reader, mut writer) = io::pipe().map_err(|error| error.to_string())?;
    // A lock that another test held now would stay locked in the child.
    let one = FAMILY.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the child uses no other lock of ours (glibc makes malloc usable after fork) and leaves by _exit.
    let child = unsafe { libc::fork() };
    drop(one);
    if child == 0 {
        // SAFETY: plain calls.
        let dropped = unsafe {
            libc::setgroups(0, std::ptr::null()) == 0 && libc::setgid(65534) == 0 && libc::setuid(65534) == 0
        };
        let result = if dropped { work() } else { Err("cannot become nobody".to_owned()) };
        let _ = writer.write_all(result.err().unwrap_or_default().as_bytes());
        // SAFETY: plain call.
        unsafe { libc::_exit(0) };
    }
    drop(writer);
    let mut message = String::new();
    reader.read_to_string(&mut message).map_err(|error| error.to_string())?;
    // SAFETY: a child of ours.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    if message.is_empty() { Ok(()) } else { Err(message) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Read, Write};

    use super::*;

    /// What the other process says about itself.
    fn told(work: fn(RawFd)) -> Vec<u8> {
        let (mut reader, writer) = io::pipe().unwrap();
        let out = writer.as_raw_fd();
        // SAFETY: all works below make system calls only.
        unsafe { detached(vec![out], || work(out)).unwrap() };
        drop(writer);
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn the_other_process_is_neither_our_child_nor_in_our_session_even_when_we_adopt_orphans() {
        set_adopting(true);
        let told = told(|out| {
            // SAFETY: plain calls and a buffer of this stack.
            unsafe {
                let numbers = [libc::getppid(), libc::getsid(0)];
                libc::write(out, numbers.as_ptr().cast(), size_of_val(&numbers));
            }
        });
        let number = |at: usize| i32::from_ne_bytes(told[at..at + 4].try_into().unwrap());
        assert_ne!(number(0).cast_unsigned(), std::process::id());
        // SAFETY: plain call.
        assert_ne!(number(4), unsafe { libc::getsid(0) });
        assert!(adopts_orphans());
        set_adopting(false);
    }

    #[test]
    fn nothing_but_what_is_handed_over_stays_open() {
        let (mut reader, mut bystander) = io::pipe().unwrap();
        let told = told(|out| {
            let is_open = |fd| {
                // SAFETY: asks for flags of a number.
                unsafe { libc::fcntl(fd, libc::F_GETFD) >= 0 }
            };
            let open = (0..200).filter(|fd| is_open(*fd)).count() as u8;
            // SAFETY: a byte of this stack.
            unsafe { libc::write(out, (&raw const open).cast(), 1) };
        });
        assert_eq!(told, [1]);
        bystander.write_all(b"x").unwrap();
        drop(bystander);
        let mut all = String::new();
        reader.read_to_string(&mut all).unwrap();
        assert_eq!(all, "x");
    }

    #[test]
    fn descriptors_are_closed_here_and_later_there() {
        let (mut reader, writer) = io::pipe().unwrap();
        let number = writer.as_raw_fd();
        let link = fs::read_link(format!("/proc/self/fd/{number}")).unwrap();
        close_elsewhere(vec![OwnedFd::from(writer)]);
        // The number may have been given out again, but not for the same pipe's write end.
        let after = fs::read_link(format!("/proc/self/fd/{number}")).ok();
        assert_ne!(after, Some(link));
        // The end of the pipe comes only when the other process is gone, too.
        let mut rest = Vec::new();
        assert_eq!(reader.read_to_end(&mut rest).unwrap(), 0);
    }

    #[test]
    fn nothing_is_closed_while_somebody_records() {
        let ended = |reader: &io::PipeReader, limit: Duration| {
            let mut fd = libc::pollfd { fd: reader.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one descriptor of our own.
            unsafe { libc::poll(&raw mut fd, 1, libc::c_int::try_from(limit.as_millis()).unwrap()) == 1 }
        };
        let quiet = Quiet::begin();
        let (reader, writer) = io::pipe().unwrap();
        close_elsewhere(vec![OwnedFd::from(writer)]);
        assert!(!ended(&reader, Duration::from_millis(200)));
        drop(quiet);
        // Others may record on this machine.
        assert!(ended(&reader, LONG_ENOUGH + Duration::from_secs(10)));
    }
}
