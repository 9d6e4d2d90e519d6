//! Trials on a child of ours, without perf events.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};

use super::super::text;
use super::child::{Paused, in_child, patiently};
use super::errno::Errno;
use super::{Scene, Seen, as_root};

fn without_child(errno: Errno) -> Seen {
    Seen::no(format!("no child could be made to try it on: fork gives {errno}"), Some("ulimit -u".to_owned()))
}

pub(super) fn ptrace(scene: &Scene) -> Seen {
    let child = match &scene.child {
        Ok(child) => child,
        Err(errno) => return without_child(*errno),
    };
    match stop_and_go(child.pid) {
        Ok(()) => Seen::yes("a child of ours was stopped and let go"),
        Err(errno) => refused(scene, "ptrace", errno),
    }
}

fn stop_and_go(pid: libc::pid_t) -> Result<(), Errno> {
    ptrace_call(libc::PTRACE_SEIZE, pid)?;
    ptrace_call(libc::PTRACE_INTERRUPT, pid)?;
    patiently(pid, libc::__WALL)?;
    ptrace_call(libc::PTRACE_DETACH, pid)
}

fn ptrace_call(request: libc::c_uint, pid: libc::pid_t) -> Result<(), Errno> {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: these requests read and write no memory of ours.
    match unsafe { libc::ptrace(request, pid, none, none) } {
        0 => Ok(()),
        _ => Err(Errno::last()),
    }
}

/// A value whose address is the same in a child that was forked.
static KNOWN: u64 = 0x736c_6f77_7061_7468;

pub(super) fn remote_memory(scene: &Scene) -> Seen {
    let child = match &scene.child {
        Ok(child) => child,
        Err(errno) => return without_child(*errno),
    };
    match read_known(child) {
        Ok(KNOWN_BYTES) => Seen::yes("eight bytes of a child of ours were read"),
        Ok(_) => Seen::no("the bytes read were not those of the child", None),
        Err(errno) => refused(scene, "process_vm_readv", errno),
    }
}

const KNOWN_BYTES: usize = size_of::<u64>();

fn read_known(child: &Paused) -> Result<usize, Errno> {
    let mut value = 0_u64;
    let ours = libc::iovec { iov_base: (&raw mut value).cast(), iov_len: KNOWN_BYTES };
    let theirs = libc::iovec { iov_base: (&raw const KNOWN).cast_mut().cast(), iov_len: KNOWN_BYTES };
    // SAFETY: the kernel writes to `value`, which is as long as said; the other side is another process's memory.
    let read = unsafe { libc::process_vm_readv(child.pid, &raw const ours, 1, &raw const theirs, 1, 0) };
    let read = usize::try_from(read).map_err(|_| Errno::last())?;
    Ok(if value == KNOWN { read } else { 0 })
}

/// Both calls ask the same question of the kernel: may this process look into that one?
fn refused(scene: &Scene, call: &str, errno: Errno) -> Seen {
    let scope = scene.root.read("proc/sys/kernel/yama/ptrace_scope").as_deref().and_then(text::number);
    let sysctl = scope.map_or_else(String::new, |scope| format!("; kernel.yama.ptrace_scope is {scope}"));
    let next = match scope {
        Some(2..) => as_root("sysctl -w kernel.yama.ptrace_scope=1"),
        _ => "start the container with `docker run --cap-add SYS_PTRACE`".to_owned(),
    };
    Seen::no(format!("{call} on a child of ours gives {errno}{sysctl}"), Some(next))
}

pub(super) fn fixed_addresses(_: &Scene) -> Seen {
    // SAFETY: the closure makes two system calls on integers. In a child, because it would hold for later execs.
    let result =
        unsafe { in_child(|| exit_status(libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong))) };
    match result {
        Ok(0) => Seen::yes("personality(ADDR_NO_RANDOMIZE) was granted to a child"),
        Ok(errno) | Err(Errno(errno)) => Seen::no(
            format!("personality(ADDR_NO_RANDOMIZE) gives {}", Errno(errno)),
            Some("start the container with `docker run --security-opt seccomp=unconfined`".to_owned()),
        ),
    }
}

/// Zero when a call went well, else its error number; runs in a child.
fn exit_status(result: libc::c_int) -> libc::c_int {
    match result {
        0.. => 0,
        _ => Errno::last().0,
    }
}

/// A program that ends at once and is everywhere.
const TRUE: &str = "/bin/true";

pub(super) fn memory_file(_: &Scene) -> Seen {
    let Ok(program) = std::fs::read(TRUE) else {
        return Seen::no(format!("there is no readable {TRUE} to try it with"), None);
    };
    match execute(&program) {
        Ok(0) => Seen::yes(format!("a copy of {TRUE} in memory was executed")),
        Ok(status) => Seen::no(format!("a copy of {TRUE} in memory ended with {status}"), None),
        Err((call, errno)) => {
            Seen::no(format!("{call} gives {errno}"), Some(as_root("sysctl -w vm.memfd_noexec=0")))
        }
    }
}

/// What a child returns when it could not execute, beyond the statuses `true` may have.
const NOT_EXECUTED: libc::c_int = 100;

fn execute(program: &[u8]) -> Result<libc::c_int, (&'static str, Errno)> {
    // SAFETY: the name ends with NUL.
    let descriptor = unsafe { libc::memfd_create(c"slowpath-probe".as_ptr(), libc::MFD_CLOEXEC) };
    let descriptor = Errno::check(descriptor).map_err(|errno| ("memfd_create", errno))?;
    // SAFETY: the kernel just opened this descriptor, and nobody else owns it.
    let mut file = unsafe { File::from_raw_fd(descriptor) };
    file.write_all(program).map_err(|error| ("writing the copy", Errno::of(&error)))?;
    let name: CString = c"true".to_owned();
    let arguments = [name.as_ptr(), std::ptr::null()];
    let nothing = [std::ptr::null::<libc::c_char>()];
    let descriptor = file.as_raw_fd();
    let empty: &CStr = c"";
    // SAFETY: one system call; its texts and lists were made before the fork and end with NUL and null.
    let status = unsafe {
        in_child(|| {
            libc::syscall(
                libc::SYS_execveat,
                descriptor,
                empty.as_ptr(),
                arguments.as_ptr(),
                nothing.as_ptr(),
                libc::AT_EMPTY_PATH,
            );
            NOT_EXECUTED + Errno::last().0
        })
    };
    match status {
        Ok(status) if status >= NOT_EXECUTED => Err(("execveat", Errno(status - NOT_EXECUTED))),
        Ok(status) => Ok(status),
        Err(errno) => Err(("fork", errno)),
    }
}
