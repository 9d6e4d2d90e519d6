//! Requests to the kernel about traced threads.

use std::io;

use stacks::Registers;

/// Where and with what a stopped thread enters a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) number: u64,
    pub(super) arguments: [u64; 6],
    pub(super) ip: u64,
    pub(super) sp: u64,
}

/// What a wait saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It enters a selected call.
    Enters,
    /// It leaves the call it was let into.
    Leaves,
    /// It made a thread or a process.
    Made,
    /// It became another program.
    Loaded,
    /// A signal is about to reach it.
    Signal(i32),
    /// Stopped by job control, until it is continued.
    Halted,
    /// A stop that means nothing to us.
    Other,
    /// It is gone, with this wait status.
    Gone(i32),
}

/// Begins to trace a stopped process and everything it will start. Without its tracer it ends.
pub(super) fn seize(pid: i32) -> io::Result<()> {
    let options = libc::PTRACE_O_TRACESECCOMP
        | libc::PTRACE_O_TRACESYSGOOD
        | libc::PTRACE_O_TRACEEXEC
        | libc::PTRACE_O_TRACEFORK
        | libc::PTRACE_O_TRACEVFORK
        | libc::PTRACE_O_TRACECLONE
        | libc::PTRACE_O_EXITKILL;
    request(libc::PTRACE_SEIZE, pid, options).then_some(()).ok_or_else(io::Error::last_os_error)
}

/// Waits for any thread traced by the calling one. `None` when there is none left.
pub(super) fn next() -> Option<(i32, Stop)> {
    loop {
        let mut status = 0;
        // Only tasks traced by this thread: the launcher is for others to wait for.
        // SAFETY: an int of ours.
        let tid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        if tid > 0 {
            return Some((tid, stop(status)));
        }
        if io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return None;
        }
    }
}

fn stop(status: i32) -> Stop {
    if !libc::WIFSTOPPED(status) {
        return Stop::Gone(status);
    }
    let signal = libc::WSTOPSIG(status);
    match status >> 16 {
        libc::PTRACE_EVENT_SECCOMP => Stop::Enters,
        libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE => Stop::Made,
        libc::PTRACE_EVENT_EXEC => Stop::Loaded,
        libc::PTRACE_EVENT_STOP if signal != libc::SIGTRAP => Stop::Halted,
        0 if signal == libc::SIGTRAP | 0x80 => Stop::Leaves,
        0 => Stop::Signal(signal),
        _ => Stop::Other,
    }
}

/// Lets a thread go on until something happens to it.
pub(super) fn go(tid: i32, signal: i32) {
    request(libc::PTRACE_CONT, tid, signal);
}

/// Lets a thread go on until its call ends.
pub(super) fn go_through(tid: i32) {
    request(libc::PTRACE_SYSCALL, tid, 0);
}

/// Leaves a thread stopped by job control as it is.
pub(super) fn leave_halted(tid: i32) {
    request(libc::PTRACE_LISTEN, tid, 0);
}

fn request(what: u32, tid: i32, value: i32) -> bool {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: none of these requests takes a pointer; the value travels in the last argument.
    unsafe { libc::ptrace(what, tid, none, libc::c_long::from(value)) == 0 }
}

/// `None` when the thread is gone or not in a call.
pub(super) fn entry(tid: i32) -> Option<Entry> {
    let seen = seen(tid)?;
    (seen.op == libc::PTRACE_SYSCALL_INFO_SECCOMP).then_some(())?;
    // SAFETY: `op` says which part the kernel filled.
    let call = unsafe { seen.u.seccomp };
    Some(Entry {
        number: call.nr,
        arguments: call.args,
        ip: seen.instruction_pointer,
        sp: seen.stack_pointer,
    })
}

/// The result of the call a thread leaves; negative results are error numbers.
pub(super) fn result(tid: i32) -> Option<i64> {
    let seen = seen(tid)?;
    (seen.op == libc::PTRACE_SYSCALL_INFO_EXIT).then_some(())?;
    // SAFETY: `op` says which part the kernel filled.
    Some(unsafe { seen.u.exit }.sval)
}

fn seen(tid: i32) -> Option<libc::ptrace_syscall_info> {
    // SAFETY: all bytes zero is a valid struct of integers.
    let mut seen: libc::ptrace_syscall_info = unsafe { std::mem::zeroed() };
    let room = std::ptr::without_provenance_mut::<libc::c_void>(size_of_val(&seen));
    // SAFETY: the kernel writes at most as many bytes as it is told.
    let written = unsafe { libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, tid, room, &raw mut seen) };
    (written > 0).then_some(seen)
}

/// The registers that unwinding begins with.
pub(super) fn registers(tid: i32) -> Option<Registers> {
    // SAFETY: all bytes zero is a valid struct of integers.
    let mut all: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    let mut place = libc::iovec { iov_base: (&raw mut all).cast(), iov_len: size_of_val(&all) };
    let general = std::ptr::without_provenance_mut::<libc::c_void>(1);
    // SAFETY: the kernel writes at most as many bytes as the place has.
    (unsafe { libc::ptrace(libc::PTRACE_GETREGSET, tid, general, &raw mut place) } == 0).then_some(())?;
    #[cfg(target_arch = "x86_64")]
    return Some(Registers { ip: all.rip, sp: all.rsp, bp: all.rbp, lr: 0 });
    #[cfg(target_arch = "aarch64")]
    return Some(Registers { ip: all.pc, sp: all.sp, bp: *all.regs.get(29)?, lr: *all.regs.get(30)? });
}
