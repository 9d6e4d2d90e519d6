//! Hits and first touches: where a thread was, with its stack.

use std::time::UNIX_EPOCH;

use model::recording::{Frame, Language, Owner};
use stacks::{End, Raw};

use super::super::decode::{Caught, Sample};
use super::super::events;
use super::super::pythons::Native;
use super::super::syscalls::Syscall;
use super::{Assembler, Hit, Process};
use crate::ptrace::Standing;

/// A thread that a tracer stopped while it ran.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Stopped {
    pub(in super::super) pid: u32,
    pub(in super::super) tid: u32,
    pub(in super::super) at: u64,
    pub(in super::super) standing: Standing,
    /// Where it stands in a call, that was so before it was asked to stop, as far as anybody knows.
    pub(in super::super) may_be_kernel: bool,
}

impl Assembler {
    pub(super) fn hit(&mut self, pid: u32, tid: u32, at: u64, sample: &Sample<'_>, apart: u64) {
        let thread = self.thread_index(pid, tid, at);
        self.runs(thread, at);
        let registers = sample.registers.filter(|_| sample.kernel().next().is_none());
        if let (Some(code), Some(at)) = (&mut self.generated, registers) {
            code.hit(self.unwinder.returning(pid, at.ip.wrapping_add(1)), apart);
        }
        let leaves = self.leaves(pid, sample, apart);
        if leaves.is_some() && !self.sees_kernel {
            return;
        }
        let in_kernel = leaves.is_some() || sample.kernel().next().is_some();
        let leaving = leaves.map(|what| Raw::Named(self.tree.name_frame(leaving(what))));
        let kernel = sample.kernel().map(|address| Raw::Kernel { address }).chain(leaving);
        let stack = self.stack(pid, tid, Some(at), kernel, sample.caught());
        if sample.registers.is_some() {
            self.copying.unwound(self.unwinder.reach(), sample.stack.len());
        }
        self.hits.push(Hit { at, thread, stack, weight: apart, kernel: in_kernel });
    }

    /// The stack of a thread that a tracer stopped, and whether it was in the kernel.
    pub(in super::super) fn stopped(&mut self, stopped: &Stopped, bytes: &[u8]) -> (Option<u32>, bool) {
        let Stopped { pid, tid, at, standing, may_be_kernel } = *stopped;
        let ip = standing.registers.ip;
        let kernel = match standing.call {
            _ if !may_be_kernel => None,
            Some(call) => Some(serving(call)),
            None => self.unwinder.is_behind_call(pid, ip).then(|| leaving("return from a system call")),
        };
        if let (Some(code), None) = (&mut self.generated, &kernel) {
            code.hit(self.unwinder.returning(pid, ip.wrapping_add(1)), self.apart);
        }
        let in_kernel = kernel.is_some();
        let kernel = kernel.map(|frame| Raw::Named(self.tree.name_frame(frame)));
        let caught = Caught { registers: standing.registers, general: None, bytes };
        (self.stack(pid, tid, Some(at), kernel, Some(caught)), in_kernel)
    }

    /// What the kernel is on its way back from, where a hit outside it came at the first moment after.
    fn leaves(&mut self, pid: u32, sample: &Sample<'_>, apart: u64) -> Option<&'static str> {
        let ip = sample.registers?.ip;
        // The kernel holds interrupts off while it leaves a call, so what falls due then comes right behind the call.
        let behind_call = self.unwinder.is_behind_call(pid, ip);
        if sample.kernel().next().is_some() {
            if !behind_call {
                self.faulting.handled(pid, ip, apart);
            }
            return None;
        }
        if behind_call {
            return Some("return from a system call");
        }
        let at_fault =
            self.unwinder.is_repeated(pid, ip) == Some(false) && self.faulting.leaves(pid, ip, apart);
        at_fault.then_some("return from a page fault")
    }

    pub(super) fn touched(&mut self, pid: u32, tid: u32, at: u64, sample: &Sample<'_>) {
        if let Some(registers) = sample.registers {
            self.faulting.touched(pid, registers.ip, events::TOUCHES);
        }
        if let Some(stack) = self.stack(pid, tid, Some(at), [], sample.caught()) {
            *self.touches.entry(stack).or_default() += events::TOUCHES;
        }
    }

    /// Unwinds and stores a stack. `seen` is when a running thread was there, so that its Python frames can be joined;
    /// a blocked one is still there.
    pub(in super::super) fn stack(
        &mut self,
        pid: u32,
        tid: u32,
        seen: Option<u64>,
        kernel: impl IntoIterator<Item = Raw>,
        caught: Option<Caught<'_>>,
    ) -> Option<u32> {
        let mut frames = std::mem::take(&mut self.frames);
        frames.clear();
        let mut cut = None;
        if let Some(Caught { registers, bytes, .. }) = caught {
            self.losses.stacks += 1;
            if self.unwinder.unwind(pid, &registers, bytes, &mut frames) == End::Cut {
                self.losses.cut_stacks += 1;
                cut = Some((self.unwinder.reach(), bytes.len()));
            }
            self.unwinder.name_frames(&mut frames, |frame| self.tree.name_frame(frame));
            if !self.unwinder.files().has_dump(pid) {
                let process = self.by_pid.get(&pid).and_then(|index| self.processes.get(*index as usize));
                let since = || process.map_or(UNIX_EPOCH, Process::has_written_since);
                self.code_names.name((pid, seen), &mut frames, &mut self.tree, since);
            }
            self.nameless.note(&frames, |pid, address| self.unwinder.is_anonymous_code(pid, address));
        }
        let copied = caught.and_then(|caught| Some((caught.general?, caught.bytes)));
        let native = Native { pid, tid, at: seen, frames: &mut frames, unwinder: &self.unwinder, copied };
        self.pythons.weave(native, &mut self.tree);
        let mut kernel = kernel.into_iter().peekable();
        if kernel.peek().is_some() {
            frames.splice(0..0, kernel);
        }
        let stack = self.tree.intern(&frames);
        if let Some((reach, copied)) = cut {
            self.cuts.add(stack, reach, copied);
        }
        self.frames = frames;
        stack
    }
}

/// The kernel on its way back to the program.
fn leaving(what: &str) -> Frame {
    kernel(what.to_owned())
}

/// The kernel's function that serves a call, by the name it has in the kernel.
fn serving(call: Syscall) -> Frame {
    let prefix = if cfg!(target_arch = "x86_64") { "__x64_sys" } else { "__arm64_sys" };
    let name = call.in_tracepoints().map_or_else(|| format!("call {}", call.0), str::to_owned);
    kernel(format!("{prefix}_{name}"))
}

fn kernel(function: String) -> Frame {
    Frame {
        language: Language::Kernel,
        function: Some(function),
        file: None,
        line: None,
        module: None,
        offset: None,
        is_start: false,
        inlined: false,
        owner: Owner::Kernel,
    }
}
