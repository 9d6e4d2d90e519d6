//! A real process: its registers and its stack at a moment, taken by ptrace.

use std::io::Read;
use std::process::{Child, Command, Stdio};

use stacks::{End, PerfMaps, Project, Raw, Registers, Resolved, Tree, Unwinder, resolve};

/// Killed when dropped.
pub(crate) struct Tracee {
    child: Child,
    seized: Option<i32>,
}

/// One look at a stopped thread.
pub(crate) struct Look {
    pub(crate) registers: Registers,
    pub(crate) stack: Vec<u8>,
}

impl Tracee {
    /// Starts a program and waits until it has written a byte to its standard output.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut byte = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut byte).unwrap();
        Self { child, seized: None }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Stops a running thread of it, looks, and lets it go on.
    pub(crate) fn look_at(&mut self, tid: u32) -> Look {
        self.stop(tid.cast_signed());
        let look = look(tid.cast_signed());
        // SAFETY: asks the kernel to resume another process; no memory of ours is involved.
        unsafe { libc::ptrace(libc::PTRACE_CONT, tid.cast_signed(), 0, 0) };
        look
    }

    /// Lets its first thread do this many instructions, looks, and leaves it stopped. So every look is at another place,
    /// however busy the machine is.
    pub(crate) fn look_after(&mut self, instructions: usize) -> Look {
        let tid = self.pid().cast_signed();
        if self.seized.is_none() {
            self.stop(tid);
            // SAFETY: as above. A program that stopped itself to wait for us may go on.
            unsafe { libc::kill(tid, libc::SIGCONT) };
        }
        for _ in 0..instructions {
            // SAFETY: as above.
            assert_eq!(unsafe { libc::ptrace(libc::PTRACE_SINGLESTEP, tid, 0, 0) }, 0);
            wait_for_stop(tid);
        }
        look(tid)
    }

    /// Waits until it has ended by itself.
    pub(crate) fn wait(&mut self) {
        assert!(self.child.wait().unwrap().success());
    }

    fn stop(&mut self, tid: i32) {
        if self.seized.is_none() {
            // SAFETY: as above.
            assert_eq!(unsafe { libc::ptrace(libc::PTRACE_SEIZE, tid, 0, 0) }, 0);
            self.seized = Some(tid);
        }
        // SAFETY: as above.
        assert_eq!(unsafe { libc::ptrace(libc::PTRACE_INTERRUPT, tid, 0, 0) }, 0);
        wait_for_stop(tid);
    }
}

fn wait_for_stop(tid: i32) {
    let mut status = 0;
    // SAFETY: the status is written to a local.
    assert_eq!(unsafe { libc::waitpid(tid, &raw mut status, libc::__WALL) }, tid);
    assert!(libc::WIFSTOPPED(status));
}

fn look(tid: i32) -> Look {
    let registers = registers(tid);
    Look { registers, stack: memory(tid, registers.sp, 256 << 10) }
}

impl Drop for Tracee {
    fn drop(&mut self) {
        let _ = self.child.kill();
        // A thread that is looked at has to be collected by us before its process can go.
        if let Some(tid) = self.seized.filter(|tid| tid.cast_unsigned() != self.pid()) {
            // SAFETY: collects a thread that was just killed; nothing is written.
            unsafe { libc::waitpid(tid, std::ptr::null_mut(), libc::__WALL) };
        }
        let _ = self.child.wait();
    }
}

#[cfg(target_arch = "x86_64")]
fn registers(tid: i32) -> Registers {
    // SAFETY: all zeroes is a value of this plain struct, and the kernel fills it.
    let user: libc::user_regs_struct = unsafe {
        let mut user = std::mem::zeroed();
        assert_eq!(libc::ptrace(libc::PTRACE_GETREGS, tid, 0, &raw mut user), 0);
        user
    };
    Registers { ip: user.rip, sp: user.rsp, bp: user.rbp, lr: 0 }
}

/// As much as can be read upwards from an address.
fn memory(tid: i32, start: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    let local = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: length };
    // Page by page, because a piece that ends outside is not read at all.
    let mut pieces = Vec::new();
    let mut at = start;
    while at < start + length as u64 {
        let end = ((at >> 12) + 1) << 12;
        let end = end.min(start + length as u64);
        pieces.push(libc::iovec { iov_base: at as *mut libc::c_void, iov_len: (end - at) as usize });
        at = end;
    }
    // SAFETY: the local piece is the buffer just made; the others are addresses of the other process.
    let read =
        unsafe { libc::process_vm_readv(tid, &raw const local, 1, pieces.as_ptr(), pieces.len() as u64, 0) };
    bytes.truncate(usize::try_from(read).unwrap());
    bytes
}

/// The frames of a look, innermost first, and how they end.
pub(crate) fn unwind(unwinder: &mut Unwinder, pid: u32, look: &Look) -> (Vec<Raw>, End) {
    let mut frames = Vec::new();
    let end = unwinder.unwind(pid, &look.registers, &look.stack, &mut frames);
    (frames, end)
}

/// The functions of stacks, innermost first; `module+offset` where there is no name. Everything is read once for all.
pub(crate) fn all_names(unwinder: &Unwinder, stacks: &[Vec<Raw>], maps: &PerfMaps) -> Vec<Vec<String>> {
    let mut tree = Tree::new();
    let ids: Vec<u32> = stacks.iter().map(|frames| tree.intern(frames).unwrap()).collect();
    let resolved = resolve(&tree, unwinder.files(), maps, &Project::default());
    ids.iter().map(|id| functions(&resolved, resolved.stack_of[*id as usize])).collect()
}

pub(crate) fn names(unwinder: &Unwinder, frames: &[Raw], maps: &PerfMaps) -> Vec<String> {
    all_names(unwinder, &[frames.to_vec()], maps).remove(0)
}

pub(crate) fn functions(resolved: &Resolved, stack: u32) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = Some(stack);
    while let Some(at) = next {
        let node = resolved.nodes[at as usize];
        let frame = &resolved.frames[node.frame as usize];
        let place = || {
            let module = frame.module.map_or("?", |module| &resolved.modules[module as usize].path);
            format!("{module}+{:#x}", frame.offset.unwrap_or(0))
        };
        names.push(frame.function.clone().unwrap_or_else(place));
        next = node.parent;
    }
    names
}

/// Whether the expected names stand in the stack in this order, others between them allowed.
#[track_caller]
pub(crate) fn assert_order(names: &[String], expected: &[&str]) {
    let mut rest = names.iter();
    for wanted in expected {
        assert!(
            rest.any(|name| name == wanted || name.starts_with(&format!("{wanted}("))),
            "{wanted} in {names:#?}"
        );
    }
}
