//! The launcher: a tiny program that starts one target stopped, lets it go, and tells when it ended.
//!
//! Why a program of its own: Linux folds the resident size of whoever calls `exec` into the new program's
//! `ru_maxrss`, so a large spawner hides the peak of every small target. This one is a few pages.
//! It links nothing, allocates nothing and has no thread. `build.rs` compiles it with one `rustc` call;
//! `src/launch.rs` embeds it, starts it once a run, and is the only one to speak to it.
//!
//! Command line: `CONTROL-FD FLAGS PATH ARGV0 ARG…`; the environment is the target's.
//! Messages on the control socket (SOCK_SEQPACKET) are arrays of 64-bit words, the first of which is their kind; the
//! readers in `src/launch.rs` mirror them.

#![no_std]
#![no_main]

use core::arch::asm;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    exit(70)
}

#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(".globl _start", "_start:", "mov rdi, rsp", "and rsp, -16", "call {main}", main = sym main);
#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(".globl _start", "_start:", "mov x0, sp", "bl {main}", main = sym main);

/// Flags in the second argument. Above them stands the descriptor of a file with a filter of system calls, whose every
/// instruction has 8 bytes; 0 when there is none.
const NO_RANDOM_LAYOUT: usize = 1;
const FILTER_SHIFT: usize = 8;
/// Where the filter lies in the shared page, up to its end.
const FILTER_AT: usize = 3072;

const READY: u64 = 1;
const ENDED: u64 = 2;
const REAPED: u64 = 3;
const SWEPT: u64 = 4;
const ACCOUNTED: u64 = 5;

/// The ENDED message, in a page that child and parent share: the child leaves here what it had used up just
/// before `exec`, so that it can be subtracted.
#[repr(C)]
struct Start {
    kind: u64,
    clock: u64,
    end_clock: u64,
    /// Error number of `exec` or of a step before it; 0 when the program was loaded.
    error: u64,
    usage: [u64; 18],
    schedstat_bytes: u64,
    schedstat: [u8; 64],
}

/// The second answer to the request to reap: the launcher's own I/O account before and after, as the kernel writes it.
/// What the target did is in the difference, because the numbers of a child pass to whoever waits for it.
#[repr(C)]
struct Account {
    kind: u64,
    bytes: [u64; 2],
    text: [[u8; 384]; 2],
}

/// Entry with the initial stack: argc, argv…, 0, environment…, 0.
extern "C" fn main(stack: *const usize) -> ! {
    // SAFETY: the kernel lays the initial stack out this way.
    unsafe {
        let argc = *stack;
        let argv = stack.add(1);
        if argc < 4 {
            exit(64);
        }
        let environment = argv.add(argc + 1);
        let control = number(*argv as *const u8);
        let flags = number(*argv.add(1) as *const u8);
        let start = shared_page();
        call(PRCTL, [PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0]);
        call(FCNTL, [control, F_SETFD, FD_CLOEXEC, 0, 0, 0]);
        let mut gate = [0i32; 2];
        if call(PIPE2, [gate.as_mut_ptr() as usize, O_CLOEXEC, 0, 0, 0, 0]) < 0 {
            exit(71);
        }
        // Filters of containers deny `pidfd_open` more often than this, kernels before 5.2 ignore or refuse the flag.
        let mut end = -1i32;
        let mut pid = call(CLONE, [CLONE_PIDFD | SIGCHLD, 0, &raw mut end as usize, 0, 0, 0]);
        if pid < 0 {
            pid = call(CLONE, [SIGCHLD, 0, 0, 0, 0, 0]);
        }
        if pid == 0 {
            child(start, gate, flags, *argv.add(2), argv.add(3) as usize, environment as usize);
        }
        if pid < 0 {
            exit(72);
        }
        parent(start, gate, control, pid as usize, end)
    }
}

/// Waits behind the gate, notes where its counters stand, becomes the target.
unsafe fn child(start: *mut Start, gate: [i32; 2], flags: usize, path: usize, argv: usize, environment: usize) -> ! {
    unsafe {
        // Only the parent may hold the gate's other end: when it dies, the read below ends.
        call(CLOSE, [gate[1] as usize, 0, 0, 0, 0, 0]);
        call(SETPGID, [0, 0, 0, 0, 0, 0]);
        call(PRCTL, [PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0]);
        if flags & NO_RANDOM_LAYOUT != 0 {
            let persona = call(PERSONALITY, [0xffff_ffff, 0, 0, 0, 0, 0]);
            call(PERSONALITY, [persona as usize | ADDR_NO_RANDOMIZE, 0, 0, 0, 0, 0]);
        }
        let mut go = 0u8;
        if call(READ, [gate[0] as usize, &raw mut go as usize, 1, 0, 0, 0]) != 1 {
            exit(73);
        }
        let name = c"/proc/thread-self/schedstat".as_ptr() as usize;
        let file = call(OPENAT, [AT_FDCWD, name, O_CLOEXEC, 0, 0, 0]);
        if file >= 0 {
            let text = (&raw mut (*start).schedstat) as usize;
            let bytes = call(READ, [file as usize, text, 64, 0, 0, 0]);
            (*start).schedstat_bytes = if bytes > 0 { bytes as u64 } else { 0 };
            call(CLOSE, [file as usize, 0, 0, 0, 0, 0]);
        }
        let filtered = filter(flags >> FILTER_SHIFT, start as usize + FILTER_AT);
        if filtered < 0 {
            (*start).error = filtered.unsigned_abs() as u64;
            exit(127)
        }
        call(GETRUSAGE, [0, (&raw mut (*start).usage) as usize, 0, 0, 0, 0]);
        (*start).clock = monotonic();
        let error = call(EXECVE, [path, argv, environment, 0, 0, 0]);
        (*start).error = error.unsigned_abs() as u64;
        exit(127)
    }
}

/// Lets a filter decide which calls of the target its tracer sees. Who may not do that to programs that gain privileges
/// gives up gaining any.
unsafe fn filter(file: usize, place: usize) -> isize {
    if file == 0 {
        return 0;
    }
    unsafe {
        let bytes = call(READ, [file, place, 4096 - FILTER_AT, 0, 0, 0]);
        call(CLOSE, [file, 0, 0, 0, 0, 0]);
        if bytes <= 0 {
            return bytes - 1;
        }
        let program = [bytes as usize / 8, place];
        let mut set = call(SECCOMP, [SECCOMP_SET_MODE_FILTER, 0, program.as_ptr() as usize, 0, 0, 0]);
        if set == -EACCES {
            call(PRCTL, [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0]);
            set = call(SECCOMP, [SECCOMP_SET_MODE_FILTER, 0, program.as_ptr() as usize, 0, 0, 0]);
        }
        set
    }
}

/// Tells the pid, opens the gate when told to, and waits for the end of the child or of slowpath.
unsafe fn parent(start: *mut Start, gate: [i32; 2], control: usize, pid: usize, end: i32) -> ! {
    unsafe {
        call(CLOSE, [gate[0] as usize, 0, 0, 0, 0, 0]);
        call(SETPGID, [pid, pid, 0, 0, 0, 0]);
        let end = if end < 0 { call(PIDFD_OPEN, [pid, 0, 0, 0, 0, 0]) } else { end as isize };
        let failed = if end < 0 { end.unsigned_abs() as u64 } else { 0 };
        send(control, &[READY, pid as u64, failed]);
        if hear(control) != b'g' {
            abandon(pid);
        }
        call(WRITE, [gate[1] as usize, c"g".as_ptr() as usize, 1, 0, 0, 0]);
        (*start).end_clock = wait_for_end(control, end as usize, pid);
        (*start).kind = ENDED;
        call(WRITE, [control, start as usize, size_of::<Start>(), 0, 0, 0]);
        obey(control, pid, start.byte_add(2048).cast())
    }
}

/// Returns the clock at the child's end. The control socket has nothing to say meanwhile: if it becomes readable,
/// slowpath is gone, and the target with it.
unsafe fn wait_for_end(control: usize, end: usize, pid: usize) -> u64 {
    unsafe {
        loop {
            let mut watched = [Watched { fd: end as i32, events: 1, seen: 0 }, Watched { fd: control as i32, events: 1, seen: 0 }];
            call(PPOLL, [watched.as_mut_ptr() as usize, 2, 0, 0, 8, 0]);
            let clock = monotonic();
            if watched[0].seen != 0 {
                return clock;
            }
            if watched[1].seen != 0 {
                abandon(pid);
            }
        }
    }
}

/// After the end: reap the child, sweep what it left behind, leave.
unsafe fn obey(control: usize, pid: usize, account: *mut Account) -> ! {
    unsafe {
        loop {
            match hear(control) {
                b'r' => {
                    let mut told = [0u64; 20];
                    told[0] = REAPED;
                    let status = (&raw mut told[1]) as usize;
                    // Nothing is sent between the two readings, so that only the first of them is to be subtracted.
                    let file = own_account();
                    take_down(file, account, 0);
                    call(WAIT4, [pid, status, 0, (&raw mut told[2]) as usize, 0, 0]);
                    take_down(file, account, 1);
                    (*account).kind = ACCOUNTED;
                    send(control, &told);
                    call(WRITE, [control, account as usize, size_of::<Account>(), 0, 0, 0]);
                }
                b's' => send(control, &[SWEPT, sweep(), 0]),
                b'q' => exit(0),
                _ => abandon(pid),
            }
        }
    }
}

unsafe fn own_account() -> isize {
    // SAFETY: a constant name.
    unsafe { call(OPENAT, [AT_FDCWD, c"/proc/self/io".as_ptr() as usize, O_CLOEXEC, 0, 0, 0]) }
}

/// Reads the account anew; no bytes where there is none.
unsafe fn take_down(file: isize, account: *mut Account, which: usize) {
    unsafe {
        let text = (&raw mut (*account).text[which]) as usize;
        let bytes = call(PREAD64, [file as usize, text, 384, 0, 0, 0]);
        (*account).bytes[which] = if bytes > 0 { bytes as u64 } else { 0 };
    }
}

/// Reaps every ended orphan; 1 when living ones remain, else 0.
unsafe fn sweep() -> u64 {
    unsafe {
        loop {
            let mut status = 0i32;
            let reaped = call(WAIT4, [usize::MAX, &raw mut status as usize, WNOHANG, 0, 0, 0]);
            if reaped == 0 {
                return 1;
            }
            if reaped < 0 {
                return 0;
            }
        }
    }
}

/// Slowpath is gone: nothing of the target may outlive it. Orphans become children of ours, also those that left the
/// group, so ending children until there are none reaches all of them.
unsafe fn abandon(pid: usize) -> ! {
    unsafe {
        call(KILL, [(pid as isize).wrapping_neg() as usize, SIGKILL, 0, 0, 0, 0]);
        loop {
            // Where the kernel does not list children there is nothing to wait for either.
            let wait = if end_children() { 0 } else { WNOHANG };
            let mut status = 0i32;
            if call(WAIT4, [usize::MAX, &raw mut status as usize, wait, 0, 0, 0]) <= 0 {
                exit(74)
            }
        }
    }
}

/// Ends every child; `false` when none is listed.
unsafe fn end_children() -> bool {
    unsafe {
        let name = c"/proc/thread-self/children".as_ptr() as usize;
        let file = call(OPENAT, [AT_FDCWD, name, O_CLOEXEC, 0, 0, 0]);
        if file < 0 {
            return false;
        }
        // Those that do not fit are listed the next time. A larger buffer would want a `memset`, which nobody links.
        let mut text = [0u8; 128];
        let length = call(READ, [file as usize, text.as_mut_ptr() as usize, text.len(), 0, 0, 0]);
        call(CLOSE, [file as usize, 0, 0, 0, 0, 0]);
        let mut child = 0;
        let mut found = false;
        for byte in text.iter().take(if length > 0 { length as usize } else { 0 }) {
            match *byte {
                digit @ b'0'..=b'9' => child = child * 10 + (digit - b'0') as usize,
                // A number without its space may be cut.
                _ => {
                    call(KILL, [child, SIGKILL, 0, 0, 0, 0]);
                    child = 0;
                    found = true;
                }
            }
        }
        found
    }
}

unsafe fn shared_page() -> *mut Start {
    unsafe {
        let page = call(MMAP, [0, 4096, PROT_READ_WRITE, MAP_SHARED_ANONYMOUS, usize::MAX, 0]);
        if page < 0 {
            exit(75);
        }
        page as *mut Start
    }
}

unsafe fn send(control: usize, told: &[u64]) {
    unsafe {
        call(WRITE, [control, told.as_ptr() as usize, told.len() * 8, 0, 0, 0]);
    }
}

/// One command byte; 0 when slowpath is gone.
unsafe fn hear(control: usize) -> u8 {
    let mut byte = 0u8;
    // SAFETY: one byte of our own stack.
    let bytes = unsafe { call(READ, [control, &raw mut byte as usize, 1, 0, 0, 0]) };
    if bytes == 1 { byte } else { 0 }
}

unsafe fn number(mut digits: *const u8) -> usize {
    let mut value = 0;
    // SAFETY: arguments end with a zero byte.
    unsafe {
        while *digits >= b'0' && *digits <= b'9' {
            value = value * 10 + (*digits - b'0') as usize;
            digits = digits.add(1);
        }
    }
    value
}

fn monotonic() -> u64 {
    let mut time = [0u64; 2];
    // SAFETY: a timespec of our own stack.
    unsafe { call(CLOCK_GETTIME, [1, time.as_mut_ptr() as usize, 0, 0, 0, 0]) };
    time[0] * 1_000_000_000 + time[1]
}

fn exit(code: usize) -> ! {
    // SAFETY: does not return.
    unsafe { call(EXIT_GROUP, [code, 0, 0, 0, 0, 0]) };
    loop {}
}

#[repr(C)]
struct Watched {
    fd: i32,
    events: i16,
    seen: i16,
}

const SIGKILL: usize = 9;
const SIGCHLD: usize = 17;
const CLONE_PIDFD: usize = 0x1000;
const WNOHANG: usize = 1;
const O_CLOEXEC: usize = 0o2_000_000;
const AT_FDCWD: usize = -100isize as usize;
const F_SETFD: usize = 2;
const FD_CLOEXEC: usize = 1;
const PR_SET_PDEATHSIG: usize = 1;
const PR_SET_CHILD_SUBREAPER: usize = 36;
const PR_SET_NO_NEW_PRIVS: usize = 38;
const SECCOMP_SET_MODE_FILTER: usize = 1;
const EACCES: isize = 13;
const ADDR_NO_RANDOMIZE: usize = 0x0004_0000;
const PROT_READ_WRITE: usize = 3;
const MAP_SHARED_ANONYMOUS: usize = 0x21;

#[cfg(target_arch = "x86_64")]
mod numbers {
    //! arch/x86/entry/syscalls/syscall_64.tbl.
    pub const READ: usize = 0;
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const MMAP: usize = 9;
    pub const PREAD64: usize = 17;
    pub const CLONE: usize = 56;
    pub const EXECVE: usize = 59;
    pub const WAIT4: usize = 61;
    pub const KILL: usize = 62;
    pub const FCNTL: usize = 72;
    pub const GETRUSAGE: usize = 98;
    pub const SETPGID: usize = 109;
    pub const PERSONALITY: usize = 135;
    pub const PRCTL: usize = 157;
    pub const CLOCK_GETTIME: usize = 228;
    pub const EXIT_GROUP: usize = 231;
    pub const OPENAT: usize = 257;
    pub const PPOLL: usize = 271;
    pub const PIPE2: usize = 293;
    pub const SECCOMP: usize = 317;
    pub const PIDFD_OPEN: usize = 434;
}
#[cfg(target_arch = "aarch64")]
mod numbers {
    //! include/uapi/asm-generic/unistd.h.
    pub const FCNTL: usize = 25;
    pub const OPENAT: usize = 56;
    pub const CLOSE: usize = 57;
    pub const PIPE2: usize = 59;
    pub const READ: usize = 63;
    pub const WRITE: usize = 64;
    pub const PREAD64: usize = 67;
    pub const PPOLL: usize = 73;
    pub const PERSONALITY: usize = 92;
    pub const EXIT_GROUP: usize = 94;
    pub const CLOCK_GETTIME: usize = 113;
    pub const KILL: usize = 129;
    pub const SETPGID: usize = 154;
    pub const GETRUSAGE: usize = 165;
    pub const PRCTL: usize = 167;
    pub const CLONE: usize = 220;
    pub const EXECVE: usize = 221;
    pub const MMAP: usize = 222;
    pub const WAIT4: usize = 260;
    pub const SECCOMP: usize = 277;
    pub const PIDFD_OPEN: usize = 434;
}
use numbers::*;

/// One system call; negative results are error numbers.
#[cfg(target_arch = "x86_64")]
unsafe fn call(number: usize, arguments: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: the kernel keeps every register but rax, rcx and r11; what the arguments point at is the caller's proof.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result,
            in("rdi") arguments[0], in("rsi") arguments[1], in("rdx") arguments[2],
            in("r10") arguments[3], in("r8") arguments[4], in("r9") arguments[5],
            lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}

#[cfg(target_arch = "aarch64")]
unsafe fn call(number: usize, arguments: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: the kernel keeps every register but x0; what the arguments point at is the caller's proof.
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") arguments[0] => result,
            in("x1") arguments[1], in("x2") arguments[2], in("x3") arguments[3],
            in("x4") arguments[4], in("x5") arguments[5], options(nostack));
    }
    result
}
