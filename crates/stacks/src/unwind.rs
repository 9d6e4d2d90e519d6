//! Registers and a copy of the stack → the frames of a thread.
//!
//! Frames are undone by the tables that compilers write (CFI); where there are none, by frame pointers: Go, code made at
//! run time. One step looks at one frame only, so tables resume as soon as a stack leaves generated code. Of code that a
//! JVM made, the JVM itself tells names and frames.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use framehop::{CacheNative, FrameAddress, MayAllocateDuringUnwind, Unwinder as _};

use crate::arch::{self, Frame};
use crate::files::{Files, Origin};
use crate::hash::QuickMap;
use crate::jvm::{self, Jvms};
use crate::module::{Module, Rules};
use crate::raw::{Mapping, ModuleId, Raw, Registers};
use crate::space::{Backing, Region, Space, parse_maps};
use crate::steps::{From, Reads, Steps};

/// A copy of 64 KiB holds at most this many frames.
const FRAME_LIMIT: usize = 4096;
/// Rules of addresses seen before are kept in this many tables of 509 rules each.
const CACHES: usize = 16;
/// What is read farther away than any copy reaches was no part of the stack.
const FARTHEST: u64 = 1 << 16;

/// How a stack ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At the first function of its thread.
    Whole,
    /// Before: the copy was too short, or a frame could not be undone.
    Cut,
}

/// The address spaces of many processes, fed with what the kernel tells in the order of time.
pub struct Unwinder {
    files: Files,
    spaces: QuickMap<u32, Space>,
    /// How often any of them changed.
    changes: u64,
    caches: Vec<CacheNative<MayAllocateDuringUnwind>>,
    /// Knows no module: frame pointers only.
    bare: Rules,
    /// Where each frame of the last stack was, as the process counts, and its stack pointer.
    visited: Vec<(u64, u64)>,
    reach: u64,
    scratch: Vec<Raw>,
    steps: Steps,
    jvms: Jvms,
    /// Frames of the last stack that a JVM named: their positions, and what they are, innermost first.
    named: Vec<(usize, Arc<[model::recording::Frame]>)>,
    /// Words of the last stack that those names hang on: address and value.
    words: Vec<(u64, u64)>,
}

impl Default for Unwinder {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Unwinder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Unwinder").field("files", &self.files).finish_non_exhaustive()
    }
}

impl Unwinder {
    #[must_use]
    pub fn new() -> Self {
        Self {
            files: Files::default(),
            spaces: QuickMap::default(),
            changes: 0,
            caches: (0..CACHES).map(|_| CacheNative::new()).collect(),
            bare: Rules::new(),
            visited: Vec::new(),
            reach: 0,
            scratch: Vec::new(),
            steps: Steps::new(),
            jvms: Jvms::default(),
            named: Vec::new(),
            words: Vec::new(),
        }
    }

    /// For a recording of the past: its processes are gone, and their numbers may be others' now.
    #[must_use]
    pub fn of_recording(origin: Origin) -> Self {
        Self { files: Files::of_recording(origin), ..Self::new() }
    }

    /// Takes note of the kernel a recording was made under, before anything else of it. Where another one runs now,
    /// only files of the same build-id are believed.
    pub fn recorded_under(&mut self, release: &str) {
        let running = std::fs::read_to_string("/proc/sys/kernel/osrelease");
        if running.is_ok_and(|running| running.trim() != release) {
            self.files.comes_from_elsewhere();
        }
    }

    /// The files, when all stacks are unwound.
    #[must_use]
    pub fn into_files(self) -> Files {
        self.files
    }

    /// The files seen so far.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Whether any mapping of the process is known.
    #[must_use]
    pub fn knows(&self, pid: u32) -> bool {
        self.spaces.contains_key(&pid)
    }

    /// A piece of a file, or of nothing, came into the process. It replaces what it overlaps.
    pub fn map(&mut self, pid: u32, mapping: &Mapping) {
        if mapping.start >= mapping.end {
            return;
        }
        if !mapping.executable {
            self.unmap(pid, mapping.start, mapping.end);
            return;
        }
        let module = self.files.of_mapping(pid, mapping);
        let backing = self.insert(pid, mapping, module);
        if let Some(backing) = backing.filter(|_| jvm::is_jvm(&mapping.path)) {
            self.jvms.mapped(pid, backing.module, backing.bias);
        }
    }

    /// As [`Self::map`], for code in a recording of the past: only a file of the same build is believed.
    pub fn map_recorded(&mut self, pid: u32, mapping: &Mapping, build_id: Option<&[u8]>) {
        if mapping.start < mapping.end && !self.files.note_dump(pid, mapping) {
            let module = self.files.recorded(&mapping.path, build_id).ok();
            self.insert(pid, mapping, module);
        }
    }

    fn insert(&mut self, pid: u32, mapping: &Mapping, module: Option<ModuleId>) -> Option<Backing> {
        let backing = module.and_then(|module| {
            let bias = self.files.module(module)?.bias(mapping)?;
            Some(Backing { module, bias })
        });
        let region = Region { start: mapping.start, end: mapping.end, backing };
        self.changes += 1;
        let space = self.spaces.entry(pid).or_default();
        space.insert(region);
        space.version = self.changes;
        backing
    }

    /// The memory is gone, or is no code any more.
    pub fn unmap(&mut self, pid: u32, start: u64, end: u64) {
        if let Some(space) = self.spaces.get_mut(&pid) {
            self.changes += 1;
            space.remove(start, end);
            space.version = self.changes;
        }
    }

    /// A child begins with the mappings of its parent.
    pub fn fork(&mut self, parent: u32, child: u32) {
        if parent != child
            && let Some(space) = self.spaces.get(&parent).cloned()
        {
            self.spaces.insert(child, space);
        }
    }

    /// A process forgets all its mappings when it becomes another program.
    pub fn exec(&mut self, pid: u32) {
        self.jvms.forget(pid);
        self.spaces.insert(pid, Space::default());
    }

    pub fn exit(&mut self, pid: u32) {
        self.jvms.forget(pid);
        self.spaces.remove(&pid);
    }

    /// Takes over the mappings of a running process.
    ///
    /// # Errors
    ///
    /// When the process is gone or is not ours to look at.
    pub fn read_maps(&mut self, pid: u32) -> std::io::Result<()> {
        let text = std::fs::read(format!("/proc/{pid}/maps"))?;
        self.spaces.insert(pid, Space::default());
        let mut is_jvm = false;
        for mapping in parse_maps(&text).filter(|mapping| mapping.executable) {
            is_jvm |= jvm::is_jvm(&mapping.path);
            self.map(pid, &mapping);
        }
        if !is_jvm {
            self.jvms.forget(pid);
        }
        Ok(())
    }

    /// Adds the frames of a stack to `out`, innermost first. `stack` are the bytes from `registers.sp` upwards.
    ///
    /// The innermost frame is always there. Addresses in memory that is not known as code are left out where a cut
    /// stack ends in them: they are data that was taken for a return address.
    pub fn unwind(&mut self, pid: u32, registers: &Registers, stack: &[u8], out: &mut Vec<Raw>) -> End {
        self.visited.clear();
        self.named.clear();
        self.words.clear();
        let nothing = Space::default();
        let (reads, reach) = (RefCell::default(), Cell::new(0));
        let copied = Copied { start: registers.sp, bytes: stack, reach: &reach };
        let mut walk = Walk {
            files: &self.files,
            space: self.spaces.get(&pid).unwrap_or(&nothing),
            caches: &mut self.caches,
            bare: &self.bare,
            visited: &mut self.visited,
            jvms: &mut self.jvms,
            named: &mut self.named,
            words: &mut self.words,
            stack: Stack { copied, reads: &reads },
            steps: &mut self.steps,
        };
        let first = out.len();
        let mut sure = first + 1;
        // Tables of a hostile file may reach a corner of the reader that panics; the stack is then cut.
        let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            walk.frames(pid, Frame::first(registers), out, &mut sure)
        }))
        .unwrap_or(End::Cut);
        if end == End::Cut && !walk.space.is_empty() {
            out.truncate(sure.max(first));
        }
        self.reach = reach.get();
        end
    }

    /// Bytes of the stack that the last one was unwound from, counted from its top. More than were copied, when it was read
    /// behind the copy.
    #[must_use]
    pub fn reach(&self) -> u64 {
        self.reach
    }

    /// The stack pointer of a frame of the last stack, as it was when the frame had called the one before.
    #[must_use]
    pub fn stack_pointer(&self, frame: usize) -> Option<u64> {
        self.visited.get(frame).map(|(_, sp)| *sp)
    }

    /// Puts the names that a JVM gave to frames of the last stack into it; the stack must be as it was then. `name` makes
    /// a [`Raw::Named`] of a frame.
    pub fn name_frames(&self, frames: &mut Vec<Raw>, mut name: impl FnMut(model::recording::Frame) -> u32) {
        let length = frames.len();
        for (at, named) in self.named.iter().rev().filter(|(at, _)| *at < length) {
            frames.splice(at..=at, named.iter().map(|frame| Raw::Named(name(frame.clone()))));
        }
    }

    /// Words of the last stack, besides its return addresses, that its names hang on: where they lie and what they are. Another
    /// stack with the same return addresses has the same names where these are the same.
    #[must_use]
    pub fn words(&self) -> &[(u64, u64)] {
        &self.words
    }

    /// The release of a process's JDK, if it was seen to be one.
    #[must_use]
    pub fn java_release(&self, pid: u32) -> Option<u64> {
        self.jvms.release(pid)
    }

    /// The frame that a return address of the process leads to.
    #[must_use]
    pub fn returning(&self, pid: u32, address: u64) -> Raw {
        let address = address.wrapping_sub(1);
        match self.spaces.get(&pid).and_then(|space| space.find(address)?.backing) {
            Some(Backing { module, bias }) => Raw::Native { module, address: address.wrapping_sub(bias) },
            None => Raw::Anonymous { pid, address },
        }
    }

    /// Whether there is code at this address of the process that no file holds.
    #[must_use]
    pub fn is_anonymous_code(&self, pid: u32, address: u64) -> bool {
        let region = self.spaces.get(&pid).and_then(|space| space.find(address));
        region.is_some_and(|region| region.backing.is_none())
    }

    /// Whether a system call has just ended at this address of the process.
    #[must_use]
    pub fn is_behind_call(&self, pid: u32, address: u64) -> bool {
        self.code_at(pid, address).is_some_and(|(module, address)| arch::is_behind_call(module, address))
    }

    /// Whether the instruction at this address of the process can be interrupted in its middle. `None` when it is not known.
    #[must_use]
    pub fn is_repeated(&self, pid: u32, address: u64) -> Option<bool> {
        let (module, address) = self.code_at(pid, address)?;
        arch::is_repeated(module, address)
    }

    /// The file at an address of the process, and the address in it.
    fn code_at(&self, pid: u32, address: u64) -> Option<(&Module, u64)> {
        let Backing { module, bias } = self.spaces.get(&pid)?.find(address)?.backing?;
        Some((self.files.module(module)?, address.wrapping_sub(bias)))
    }

    /// As [`Self::unwind`], but gives the addresses of the process: the innermost as it is, of every other frame the
    /// byte after the place that names it, which is the return address except where a signal interrupted.
    pub fn addresses(&mut self, pid: u32, registers: &Registers, stack: &[u8], out: &mut Vec<u64>) -> End {
        let mut raw = std::mem::take(&mut self.scratch);
        raw.clear();
        let end = self.unwind(pid, registers, stack, &mut raw);
        let visited = self.visited.iter().take(raw.len());
        out.extend(visited.enumerate().map(|(at, (place, _))| place.wrapping_add(u64::from(at > 0))));
        self.scratch = raw;
        end
    }
}

/// The copy of a stack.
#[derive(Clone, Copy)]
pub(crate) struct Copied<'a> {
    start: u64,
    bytes: &'a [u8],
    /// How far it was read.
    reach: &'a Cell<u64>,
}

/// The same, and what was read of it.
#[derive(Clone, Copy)]
pub(crate) struct Stack<'a> {
    copied: Copied<'a>,
    reads: &'a RefCell<Reads>,
}

impl Stack<'_> {
    pub(crate) fn word(&self, address: u64) -> Option<u64> {
        let word = self.copied.word(address);
        self.reads.borrow_mut().add(address, word);
        word
    }
}

impl Copied<'_> {
    /// The word at an address. `None` outside the copy.
    fn word(&self, address: u64) -> Option<u64> {
        let at = address.checked_sub(self.start).filter(|at| *at < FARTHEST)?;
        self.reach.set(self.reach.get().max(at + 8));
        let at = usize::try_from(at).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(8)?)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }
}

/// One stack being undone.
struct Walk<'a> {
    files: &'a Files,
    space: &'a Space,
    caches: &'a mut [CacheNative<MayAllocateDuringUnwind>],
    bare: &'a Rules,
    visited: &'a mut Vec<(u64, u64)>,
    jvms: &'a mut Jvms,
    named: &'a mut Vec<(usize, Arc<[model::recording::Frame]>)>,
    words: &'a mut Vec<(u64, u64)>,
    stack: Stack<'a>,
    steps: &'a mut Steps,
}

/// What lies at an address.
#[derive(Clone, Copy)]
struct Place<'a> {
    backing: Option<(Backing, &'a Module)>,
    known: bool,
}

impl<'a> Walk<'a> {
    fn frames(&mut self, pid: u32, mut frame: Frame, out: &mut Vec<Raw>, sure: &mut usize) -> End {
        // What a JVM knows of a frame does not hang on the stack alone.
        let mut remembers = !self.jvms.knows(pid);
        for _ in 0..FRAME_LIMIT {
            let from =
                From { pid, version: self.space.version, exact: frame.exact, registers: frame.named() };
            let copied = self.stack.copied;
            let known = self.steps.known(&from, |address| copied.word(address)).filter(|_| remembers);
            if let Some(step) = known {
                self.visited.push((step.address, frame.sp()));
                out.push(step.raw);
                if step.known {
                    *sure = out.len();
                }
                match &step.caller {
                    Some(Some((registers, exact))) => frame = Frame::of(registers, *exact),
                    Some(None) => return End::Whole,
                    None => return End::Cut,
                }
                continue;
            }
            self.stack.reads.take();
            let signal = !frame.exact && self.is_signal_return(frame.pc);
            // The kernel made the frame of a signal: no call lies before its return address.
            let address = if signal { frame.pc } else { frame.lookup() };
            let place = self.place(address);
            self.visited.push((address, frame.sp()));
            let raw = match place.backing {
                Some((backing, _)) => {
                    Raw::Native { module: backing.module, address: address.wrapping_sub(backing.bias) }
                }
                None => Raw::Anonymous { pid, address },
            };
            out.push(raw);
            if place.known {
                *sure = out.len();
            }
            let generated = place.backing.is_none().then(|| self.generated(pid, &frame)).flatten();
            let caller = match generated {
                Some(undone) => {
                    *sure = out.len();
                    self.named.push((out.len() - 1, undone.frames));
                    self.words.extend(undone.words);
                    undone
                        .caller
                        .map(|caller| called_from(&caller))
                        .filter(|caller| caller.is_none_or(|caller| caller.lies_above(&frame)))
                }
                None if signal => arch::interrupted(&frame, &self.stack),
                None => self.caller(&frame, place),
            };
            let is_first = || {
                place
                    .backing
                    .is_some_and(|(backing, module)| module.is_entry(address.wrapping_sub(backing.bias)))
            };
            let caller = caller.or_else(|| is_first().then_some(None));
            remembers = remembers
                && self.steps.keep(from, (address, raw, place.known), caller, self.stack.reads.take());
            match caller {
                Some(Some(caller)) => frame = caller,
                Some(None) => return End::Whole,
                None => return End::Cut,
            }
        }
        End::Cut
    }

    fn place(&self, address: u64) -> Place<'a> {
        let region = self.space.find(address);
        let backing = region
            .and_then(|region| region.backing)
            .and_then(|backing| Some((backing, self.files.module(backing.module)?)));
        Place { backing, known: region.is_some() }
    }

    fn is_signal_return(&self, pc: u64) -> bool {
        let Place { backing: Some((backing, module)), .. } = self.place(pc) else { return false };
        arch::is_signal_return(module, pc.wrapping_sub(backing.bias))
    }

    /// What a JVM knows of a frame.
    fn generated(&mut self, pid: u32, frame: &Frame) -> Option<jvm::Undone> {
        let stack = self.stack;
        let registers = Registers { ip: frame.pc, sp: frame.sp(), bp: frame.bp(), lr: 0 };
        let at = jvm::At { registers, exact: frame.exact, lookup: frame.lookup() };
        self.jvms.of(pid, self.files)?.undo(&at, |address| stack.word(address))
    }

    /// The frame of the caller, `Some(None)` at the end of the stack, `None` when it cannot be told.
    fn caller(&mut self, frame: &Frame, place: Place<'a>) -> Option<Option<Frame>> {
        let bias = place.backing.map_or(0, |(backing, _)| backing.bias);
        let address = frame.pc.wrapping_sub(bias);
        if place.backing.is_some_and(|(_, module)| arch::is_binder(module, address)) {
            return Some(Some(arch::binding(frame, &self.stack, |pc| self.calls_stub(pc))?));
        }
        let rules = place
            .backing
            .and_then(|(_, module)| self.rules(frame, module, frame.lookup().wrapping_sub(bias)));
        // Go's own table is exact. It is asked where frame pointers cannot tell: of the innermost function, which may not
        // have saved its caller's yet, and of a thread that waits, of which /proc tells none.
        let unsure = frame.exact || frame.bp() == 0;
        if let Some((_, module)) = place.backing.filter(|_| rules.is_none() && unsure) {
            let depth = module.go_depth(frame.lookup().wrapping_sub(bias));
            if let Some(caller) = depth.and_then(|depth| arch::above(frame, depth, &self.stack)) {
                return Some(Some(caller));
            }
        }
        if rules.is_none() && frame.exact {
            let caller = arch::after_bare_call(frame, &self.stack, |pc| self.code_before(pc));
            if caller.is_some() {
                return Some(caller);
            }
        }
        self.step(rules.unwrap_or(self.bare), frame, address)
    }

    /// The tables that know the address. `None` where frame pointers are the only way.
    fn rules(&mut self, frame: &Frame, module: &'a Module, address: u64) -> Option<&'a Rules> {
        if !module.has_rules || module.is_go_code(address) {
            return None;
        }
        // Frame pointers are the tables' own last resort for every frame but the innermost.
        if !frame.exact && module.more_rules.is_none() {
            return Some(&module.rules);
        }
        let cache = cache_of(self.caches, address)?;
        [Some(&module.rules), module.more_rules.as_ref()]
            .into_iter()
            .flatten()
            .find(|rules| arch::is_covered(rules, address, cache))
    }

    fn step(&mut self, rules: &Rules, frame: &Frame, address: u64) -> Option<Option<Frame>> {
        let place = if frame.exact {
            FrameAddress::from_instruction_pointer(address)
        } else {
            FrameAddress::from_return_address(address)?
        };
        let stack = self.stack;
        let cache = cache_of(self.caches, place.address_for_lookup())?;
        let mut registers = frame.registers;
        let read = &mut |address| stack.word(address).ok_or(());
        let Some(pc) = rules.unwind_frame(place, &mut registers, cache, read).ok()? else {
            return Some(None);
        };
        let caller = Frame { pc, exact: false, registers };
        match pc {
            0 => Some(None),
            _ => caller.lies_above(frame).then_some(Some(caller)),
        }
    }

    fn calls_stub(&self, pc: u64) -> Option<bool> {
        let (backing, module) = self.place(pc.checked_sub(1)?).backing?;
        arch::calls_stub(module, pc.wrapping_sub(backing.bias))
    }

    /// The code that ends at an address, if it is a file's.
    fn code_before(&self, pc: u64) -> Option<[u8; 7]> {
        let (backing, module) = self.place(pc.checked_sub(1)?).backing?;
        module.code(pc.wrapping_sub(backing.bias).checked_sub(7)?, 7)?.try_into().ok()
    }
}

/// A caller, or `None` at the end of a stack.
fn called_from(registers: &Registers) -> Option<Frame> {
    (registers.ip != 0).then(|| Frame { exact: false, ..Frame::first(registers) })
}

/// Each address has its table of remembered rules.
fn cache_of(
    caches: &mut [CacheNative<MayAllocateDuringUnwind>],
    address: u64,
) -> Option<&mut CacheNative<MayAllocateDuringUnwind>> {
    let at = usize::try_from(address >> 4).ok()? % CACHES;
    caches.get_mut(at)
}
