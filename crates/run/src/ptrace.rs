//! Requests to the kernel about traced threads. All of them must come from the thread that began to trace.

use std::io;

use stacks::Registers;

use crate::record::syscalls::Syscall;

/// Whatever a traced thread makes is traced as well.
pub(crate) const WHOLE_TREE: i32 =
    libc::PTRACE_O_TRACEFORK | libc::PTRACE_O_TRACEVFORK | libc::PTRACE_O_TRACECLONE;

/// What a program is told of a call that was interrupted.
#[cfg(target_arch = "x86_64")]
const EINTR: i64 = -4;

/// What the kernel keeps for itself (`include/linux/errno.h`): begin the call again, unless a handler runs.
#[cfg(target_arch = "x86_64")]
const ERESTARTNOHAND: i64 = -514;

/// Results that say a call was interrupted while it waited, or would have.
#[cfg(target_arch = "x86_64")]
const INTERRUPTED: [i64; 5] = [EINTR, -512, -513, ERESTARTNOHAND, -516];

/// Where and with what a stopped thread enters a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) number: u64,
    pub(crate) arguments: [u64; 6],
    pub(crate) ip: u64,
    pub(crate) sp: u64,
}

/// What a wait saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It enters a selected call.
    Enters,
    /// It leaves the call it was let into.
    Leaves,
    /// It made a thread or a process.
    Made,
    /// It is asked to stop, or has just begun.
    Trapped,
    /// It is about to end.
    Exits,
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

/// Begins to trace a thread, which goes on meanwhile.
pub(crate) fn seize(tid: i32, options: i32) -> io::Result<()> {
    request(libc::PTRACE_SEIZE, tid, options).then_some(()).ok_or_else(io::Error::last_os_error)
}

/// Asks a thread to stop. One that waits in a call is woken for that.
pub(crate) fn interrupt(tid: i32) -> bool {
    request(libc::PTRACE_INTERRUPT, tid, 0)
}

/// What a wait that may be interrupted came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    Stopped(i32, Stop),
    /// By a signal to the calling thread.
    Interrupted,
    /// No thread is traced any more.
    Nobody,
}

/// Waits for any thread traced by the calling one. `None` when there is none left.
pub(crate) fn next() -> Option<(i32, Stop)> {
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

/// Waits for one traced thread. `None` when it is not there any more.
pub(crate) fn wait_for(tid: i32) -> Option<Stop> {
    loop {
        let mut status = 0;
        // SAFETY: an int of ours.
        let seen = unsafe { libc::waitpid(tid, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        if seen == tid {
            return Some(stop(status));
        }
        if io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return None;
        }
    }
}

/// As [`next`], until a signal comes to the calling thread.
pub(crate) fn next_or_alarm() -> Waited {
    let mut status = 0;
    // SAFETY: an int of ours.
    let tid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
    if tid > 0 {
        return Waited::Stopped(tid, stop(status));
    }
    let interrupted = io::Error::last_os_error().raw_os_error() == Some(libc::EINTR);
    if interrupted { Waited::Interrupted } else { Waited::Nobody }
}

/// As [`next`], until a signal comes to the calling thread. Whoever ended can still be looked at until it is [`taken`].
pub(crate) fn peek() -> Waited {
    // SAFETY: all bytes zero is a valid struct of integers.
    let mut seen: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let wanted = libc::WEXITED | libc::WSTOPPED | libc::WNOWAIT | libc::__WALL | libc::__WNOTHREAD;
    // SAFETY: a struct of ours.
    if unsafe { libc::waitid(libc::P_ALL, 0, &raw mut seen, wanted) } < 0 {
        let interrupted = io::Error::last_os_error().raw_os_error() == Some(libc::EINTR);
        return if interrupted { Waited::Interrupted } else { Waited::Nobody };
    }
    // SAFETY: the kernel has filled the part that belongs to children.
    let (tid, status) = unsafe { (seen.si_pid(), seen.si_status()) };
    let stop = match seen.si_code {
        libc::CLD_EXITED => Stop::Gone(status << 8),
        libc::CLD_KILLED | libc::CLD_DUMPED => Stop::Gone(status),
        _ => stopped(status),
    };
    Waited::Stopped(tid, stop)
}

/// What [`peek`] told of a thread is not told again; who has ended is gone.
pub(crate) fn taken(tid: i32) {
    // SAFETY: no status is wanted.
    unsafe { libc::waitpid(tid, std::ptr::null_mut(), libc::__WALL | libc::__WNOTHREAD | libc::WNOHANG) };
}

fn stop(status: i32) -> Stop {
    if libc::WIFSTOPPED(status) { stopped(status >> 8) } else { Stop::Gone(status) }
}

/// The signal in the low byte, the event above it.
fn stopped(by: i32) -> Stop {
    let signal = by & 0xff;
    match by >> 8 {
        libc::PTRACE_EVENT_SECCOMP => Stop::Enters,
        libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE => Stop::Made,
        libc::PTRACE_EVENT_EXEC => Stop::Loaded,
        libc::PTRACE_EVENT_EXIT => Stop::Exits,
        libc::PTRACE_EVENT_STOP if signal != libc::SIGTRAP => Stop::Halted,
        libc::PTRACE_EVENT_STOP => Stop::Trapped,
        0 if signal == libc::SIGTRAP | 0x80 => Stop::Leaves,
        0 => Stop::Signal(signal),
        _ => Stop::Other,
    }
}

/// The number of the thread or process that a thread at [`Stop::Made`] made.
pub(crate) fn made(tid: i32) -> Option<i32> {
    let mut number: libc::c_ulong = 0;
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: the kernel writes one word of ours.
    let failed = unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, tid, none, &raw mut number) } != 0;
    (!failed).then(|| i32::try_from(number).ok()).flatten()
}

/// Lets a thread go on until something happens to it.
pub(crate) fn go(tid: i32, signal: i32) {
    request(libc::PTRACE_CONT, tid, signal);
}

/// Lets a thread go on until its call ends.
pub(crate) fn go_through(tid: i32) {
    request(libc::PTRACE_SYSCALL, tid, 0);
}

/// Lets a thread carry out one instruction.
pub(crate) fn step(tid: i32, signal: i32) {
    request(libc::PTRACE_SINGLESTEP, tid, signal);
}

/// Why the signal was sent that a thread at [`Stop::Signal`] is about to get.
pub(crate) fn signal_code(tid: i32) -> Option<i32> {
    // SAFETY: all bytes zero is a valid struct of integers.
    let mut seen: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: the kernel fills one struct of ours.
    let failed = unsafe { libc::ptrace(libc::PTRACE_GETSIGINFO, tid, none, &raw mut seen) } != 0;
    (!failed).then_some(seen.si_code)
}

/// Whether two processes run in the same memory, as after `vfork`. Where the kernel does not compare, they do not.
pub(crate) fn shares_memory(one: i32, other: i32) -> bool {
    const KCMP_VM: libc::c_int = 1;
    // SAFETY: takes numbers only.
    unsafe { libc::syscall(libc::SYS_kcmp, one, other, KCMP_VM, 0, 0) == 0 }
}

/// Leaves a thread stopped by job control as it is.
pub(crate) fn leave_halted(tid: i32) {
    request(libc::PTRACE_LISTEN, tid, 0);
}

fn request(what: u32, tid: i32, value: i32) -> bool {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: none of these requests takes a pointer; the value travels in the last argument.
    unsafe { libc::ptrace(what, tid, none, libc::c_long::from(value)) == 0 }
}

/// `None` when the thread is gone or not in a call.
pub(crate) fn entry(tid: i32) -> Option<Entry> {
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
pub(crate) fn result(tid: i32) -> Option<i64> {
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
pub(crate) fn registers(tid: i32) -> Option<Registers> {
    Some(unwound_from(&general(tid)?))
}

#[cfg(target_arch = "x86_64")]
fn unwound_from(all: &libc::user_regs_struct) -> Registers {
    Registers { ip: all.rip, sp: all.rsp, bp: all.rbp, lr: 0 }
}

#[cfg(target_arch = "aarch64")]
fn unwound_from(all: &libc::user_regs_struct) -> Registers {
    let [.., bp, lr] = all.regs;
    Registers { ip: all.pc, sp: all.sp, bp, lr }
}

/// A thread at [`Stop::Trapped`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) registers: Registers,
    /// The call it was in, where the machine tells.
    pub(crate) call: Option<Syscall>,
    /// That call waits, or was about to.
    pub(crate) waits: bool,
}

/// Where a thread at [`Stop::Trapped`] stands. A call that would tell the program of the interruption is begun again
/// instead, unless a handler runs: it was ours, and nobody's business.
#[cfg(target_arch = "x86_64")]
pub(crate) fn standing(tid: i32) -> Option<Standing> {
    let mut all = general(tid)?;
    // The kernel leaves the number of the call there; who comes from no call has -1.
    let call = u32::try_from(all.orig_rax.cast_signed()).ok().map(Syscall);
    let waits = call.is_some() && INTERRUPTED.contains(&all.rax.cast_signed());
    if call.is_some_and(may_begin_again) && all.rax.cast_signed() == EINTR {
        all.rax = ERESTARTNOHAND.cast_unsigned();
        set_general(tid, &mut all);
    }
    Some(Standing { registers: unwound_from(&all), call, waits })
}

/// Where a thread at [`Stop::Trapped`] stands. The kernel has decided already whether its call begins again.
#[cfg(target_arch = "aarch64")]
pub(crate) fn standing(tid: i32) -> Option<Standing> {
    Some(Standing { registers: registers(tid)?, call: None, waits: false })
}

/// Calls that a stop ends though no handler runs (signal(7)), and that did nothing before they waited.
#[cfg(target_arch = "x86_64")]
fn may_begin_again(call: Syscall) -> bool {
    const CALLS: [&str; 16] = [
        "epoll_wait",
        "epoll_pwait",
        "epoll_pwait2",
        "semop",
        "semtimedop",
        "rt_sigtimedwait",
        "msgrcv",
        "msgsnd",
        "io_getevents",
        "io_pgetevents",
        "accept",
        "accept4",
        "recvfrom",
        "recvmsg",
        "recvmmsg",
        "read",
    ];
    call.name().is_some_and(|name| CALLS.contains(&name))
}

pub(crate) fn general(tid: i32) -> Option<libc::user_regs_struct> {
    // SAFETY: all bytes zero is a valid struct of integers.
    let mut all: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    let mut place = libc::iovec { iov_base: (&raw mut all).cast(), iov_len: size_of_val(&all) };
    // SAFETY: the kernel writes at most as many bytes as the place has.
    (unsafe { libc::ptrace(libc::PTRACE_GETREGSET, tid, GENERAL, &raw mut place) } == 0).then_some(all)
}

#[cfg(target_arch = "x86_64")]
pub(crate) fn set_general(tid: i32, all: &mut libc::user_regs_struct) {
    let mut place = libc::iovec { iov_base: std::ptr::from_mut(all).cast(), iov_len: size_of_val(all) };
    // SAFETY: the kernel reads as many bytes as the place has. What it refuses stays as it was.
    unsafe { libc::ptrace(libc::PTRACE_SETREGSET, tid, GENERAL, &raw mut place) };
}

/// The low halves of the first eight vector registers: where floating-point arguments lie.
#[cfg(target_arch = "x86_64")]
pub(crate) fn vectors(tid: i32) -> Option<[u64; 8]> {
    // SAFETY: all bytes zero is a valid struct of integers.
    let mut all: libc::user_fpregs_struct = unsafe { std::mem::zeroed() };
    let mut place = libc::iovec { iov_base: (&raw mut all).cast(), iov_len: size_of_val(&all) };
    // SAFETY: the kernel writes at most as many bytes as the place has.
    let told = unsafe { libc::ptrace(libc::PTRACE_GETREGSET, tid, FLOATING, &raw mut place) } == 0;
    let mut low = [0; 8];
    for (low, [a, b, ..]) in low.iter_mut().zip(all.xmm_space.as_chunks::<4>().0) {
        *low = u64::from(*a) | u64::from(*b) << 32;
    }
    told.then_some(low)
}

/// `NT_PRFPREG`, the registers of floating-point arithmetic.
#[cfg(target_arch = "x86_64")]
const FLOATING: *mut libc::c_void = std::ptr::without_provenance_mut(2);

/// `NT_PRSTATUS`, the registers of every program.
const GENERAL: *mut libc::c_void = std::ptr::without_provenance_mut(1);
