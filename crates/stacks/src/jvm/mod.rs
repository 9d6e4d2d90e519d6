//! HotSpot from outside: what the code of a JVM was before it was compiled, and who called it, without an agent in it.
//!
//! `libjvm.so` exports tables of where it keeps its own things (`layout`). With them the memory of the running process is
//! read: which piece of generated code lies at an address and which instructions of which methods it came from, expanded
//! ones too (`code`), what a method is called and its lines (`method`). Interpreted frames hold their method and
//! instruction on the stack. Compiled ones have a known size, so callers are found also where no frame pointer is kept.
//!
//! Names are read while the process lives, at the first look at an address, and kept. The target runs on meanwhile:
//! whatever does not fit together is no name, and the perf map that the JVM writes at its end may still have one.
//! Checked with JDK 17 on x86-64; offsets come from the tables, so that other versions (9 on) read alike. From JDK 23 on
//! compiled code has the names of its outer methods only.

mod code;
mod known;
mod layout;
mod memory;
mod method;
mod numbers;
mod sources;

use std::collections::HashMap;
use std::sync::Arc;

use model::recording::{Frame, Language, Owner};
use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSymbol as _};

use crate::raw::Registers;
pub(crate) use known::Jvms;

use code::{Kind, Pieces, Spot};
use layout::{Layout, Symbols};
use memory::Memory;
use method::Method;
use sources::Sources;

/// Slots of an interpreted frame, from its frame pointer downwards (`frame_x86.hpp`, `frame_aarch64.hpp`).
const METHOD: u64 = 24;
const INSTRUCTION: u64 = if cfg!(target_arch = "aarch64") { 72 } else { 64 };
const CALLER_SP: u64 = 8;

/// Whether a mapped file is the JVM.
pub(crate) fn is_jvm(path: &[u8]) -> bool {
    path.ends_with(b"/libjvm.so")
}

/// One JVM.
#[derive(Debug)]
pub(crate) struct Hotspot {
    memory: Memory,
    layout: Layout,
    pieces: Pieces,
    methods: HashMap<u64, Arc<Method>>,
    sources: Sources,
    /// By address, or the address of an interpreted instruction, and the method there.
    frames: HashMap<(u64, u64), Arc<[Frame]>>,
}

/// A frame in generated code, undone.
#[derive(Clone, Debug)]
pub(crate) struct Undone {
    /// Innermost first. Those expanded into another one come before it.
    pub(crate) frames: Arc<[Frame]>,
    /// `None` when it cannot be told.
    pub(crate) caller: Option<Registers>,
    /// Of an interpreted one, the words of the stack that say which method and instruction it is: return addresses into the
    /// interpreter are the same for all.
    pub(crate) words: Vec<(u64, u64)>,
}

/// Where a frame is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) registers: Registers,
    /// The thread was there itself; otherwise it will return there.
    pub(crate) exact: bool,
    /// The address that says where the frame is.
    pub(crate) lookup: u64,
}

impl Hotspot {
    /// From the bytes of the process's `libjvm.so`; `bias` is where they were loaded.
    ///
    /// `None` when it is no HotSpot, one we cannot read, or has not begun yet.
    pub(crate) fn read(pid: u32, image: &[u8], bias: u64) -> Option<Self> {
        let elf = ElfFile64::<Endianness>::parse(image).ok()?;
        let symbols: Symbols = elf
            .dynamic_symbols()
            .filter(|symbol| symbol.name_bytes().is_ok_and(|name| name.starts_with(b"gHotSpotVM")))
            .filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address().wrapping_add(bias))))
            .collect();
        let memory = Memory::of(pid);
        let layout = Layout::read(&memory, &symbols)?;
        Some(Self {
            memory,
            layout,
            pieces: Pieces::default(),
            methods: HashMap::new(),
            sources: Sources::of(pid),
            frames: HashMap::new(),
        })
    }

    /// The number of the JDK's release.
    fn release(&self) -> u64 {
        self.layout.release
    }

    /// Names a frame and finds its caller. `None` when there is no code of the JVM.
    pub(crate) fn undo(&mut self, at: &At, word: impl Fn(u64) -> Option<u64>) -> Option<Undone> {
        let piece = self.pieces.at(&self.memory, &self.layout, at.lookup)?;
        let (kind, shape) = (piece.kind, Shape { frame: piece.frame, complete: piece.complete });
        let spots = piece.spots(at.lookup);
        let name = piece.name.clone();
        let sought = (kind == Kind::Interpreter && at.registers.bp <= at.registers.sp)
            .then(|| self.sought(at.registers.sp, &word))
            .flatten();
        let at =
            &At { registers: Registers { bp: sought.unwrap_or(at.registers.bp), ..at.registers }, ..*at };
        let frames = match kind {
            Kind::Stub => Arc::new([stub(&name)]),
            Kind::Interpreter => self.interpreted(at, &word),
            Kind::Compiled(_) | Kind::Bridge(_) => self.compiled(at.lookup, &spots),
        };
        let words = match kind {
            Kind::Interpreter => [METHOD, INSTRUCTION]
                .into_iter()
                .filter_map(|below| at.registers.bp.checked_sub(below))
                .filter_map(|slot| Some((slot, word(slot)?)))
                .collect(),
            _ => Vec::new(),
        };
        let steps = Steps { at, word: &word, pieces: &self.pieces };
        let caller = match kind {
            Kind::Interpreter => steps.of_interpreted(),
            Kind::Compiled(_) | Kind::Bridge(_) => steps.of_compiled(shape),
            Kind::Stub => steps.of_stub(shape),
        };
        Some(Undone { frames, caller, words })
    }

    fn compiled(&mut self, address: u64, spots: &[Spot]) -> Arc<[Frame]> {
        let key = (address, spots.first().map_or(0, |spot| spot.method));
        if let Some(known) = self.frames.get(&key) {
            return Arc::clone(known);
        }
        let outermost = spots.len().saturating_sub(1);
        let frames: Arc<[Frame]> = spots
            .iter()
            .enumerate()
            .map(|(depth, spot)| match self.method(spot.method) {
                Some(method) => {
                    let line = method.line(spot.instruction).or_else(|| method.first_line());
                    Frame { inlined: depth < outermost, ..self.frame(&method, line) }
                }
                None => stub("unknown method"),
            })
            .collect();
        self.frames.insert(key, Arc::clone(&frames));
        frames
    }

    fn interpreted(&mut self, at: &At, word: impl Fn(u64) -> Option<u64>) -> Arc<[Frame]> {
        let slot = |below: u64| word(at.registers.bp.checked_sub(below)?);
        let (address, instruction) = (slot(METHOD).unwrap_or(0), slot(INSTRUCTION).unwrap_or(0));
        if let Some(known) = self.frames.get(&(instruction, address)) {
            return Arc::clone(known);
        }
        let Some(method) = self.method_with(address, instruction) else {
            return Arc::new([stub("Interpreter")]);
        };
        let inside = instruction.checked_sub(method.code.start).filter(|_| !method.code.is_empty());
        let line = method.line(inside.and_then(|inside| u32::try_from(inside).ok()));
        let frames: Arc<[Frame]> = Arc::new([self.frame(&method, line)]);
        self.frames.insert((instruction, address), Arc::clone(&frames));
        frames
    }

    /// The frame pointer of an interpreted frame that nobody told, because functions below it neither use nor save it: the
    /// first place above that looks like one.
    fn sought(&mut self, sp: u64, word: impl Fn(u64) -> Option<u64>) -> Option<u64> {
        const REACH: u64 = 2048;
        (sp..sp.checked_add(REACH)?).step_by(8).find(|bp| {
            let outer = word(*bp).filter(|outer| *outer > *bp);
            let back = bp.checked_add(8).and_then(&word).filter(|back| self.pieces.contains(*back));
            let slot = |below: u64| word(bp.checked_sub(below)?);
            let (Some(_), Some(_), Some(method)) = (outer, back, slot(METHOD)) else { return false };
            self.method_with(method, slot(INSTRUCTION).unwrap_or(0)).is_some()
        })
    }

    /// The method at an address if an instruction is its own. A native one has none.
    fn method_with(&mut self, address: u64, instruction: u64) -> Option<Arc<Method>> {
        let fits = |method: &Arc<Method>| method.code.is_empty() || method.code.contains(&instruction);
        if let Some(method) = self.method(address).filter(fits) {
            return Some(method);
        }
        // Another method may lie there now.
        self.methods.remove(&address)?;
        self.method(address).filter(fits)
    }

    fn method(&mut self, address: u64) -> Option<Arc<Method>> {
        if let Some(known) = self.methods.get(&address) {
            return Some(Arc::clone(known));
        }
        let method = Arc::new(Method::read(&self.memory, &self.layout, address)?);
        self.methods.insert(address, Arc::clone(&method));
        Some(method)
    }

    fn frame(&mut self, method: &Method, line: Option<u32>) -> Frame {
        let (file, owner) = self.sources.place(&method.class, method.source.as_deref());
        Frame {
            language: Language::Java,
            function: Some(format!("{}.{}", method.class, method.name)),
            file,
            line,
            module: None,
            offset: None,
            is_start: false,
            inlined: false,
            owner,
        }
    }
}

fn stub(name: &str) -> Frame {
    Frame {
        language: Language::Java,
        function: Some(name.to_owned()),
        file: None,
        line: None,
        module: None,
        offset: None,
        is_start: false,
        inlined: false,
        owner: Owner::Runtime,
    }
}

/// How a piece of code uses the stack.
#[derive(Clone, Copy, Debug)]
struct Shape {
    frame: u64,
    complete: u64,
}

/// From a frame to its caller's.
struct Steps<'a, W> {
    at: &'a At,
    word: W,
    pieces: &'a Pieces,
}

impl<W: Fn(u64) -> Option<u64>> Steps<'_, W> {
    /// The return address lies in the word below `sp`, and the caller's frame pointer, if `bp` is `None`, below it.
    fn above(&self, sp: u64, bp: Option<u64>) -> Option<Registers> {
        let ip = (self.word)(sp.checked_sub(8)?)?;
        let bp = match bp {
            Some(bp) => bp,
            None => (self.word)(sp.checked_sub(16)?)?,
        };
        Some(Registers { ip, sp, bp, lr: ip })
    }

    /// As [`Self::above`], believed only where it leads into generated code.
    fn above_if_code(&self, sp: Option<u64>, bp: Option<u64>) -> Option<Registers> {
        self.above(sp?, bp).filter(|caller| self.pieces.contains(caller.ip))
    }

    /// By the frame pointer.
    fn chained(&self) -> Option<Registers> {
        self.above(self.at.registers.bp.checked_add(16)?, None)
            .filter(|caller| caller.sp > self.at.registers.sp)
    }

    /// The callee may have been given more stack than its caller knows of; where the caller's really ended is noted.
    fn of_interpreted(&self) -> Option<Registers> {
        let caller = self.chained()?;
        let noted = (self.word)(self.at.registers.bp.checked_sub(CALLER_SP)?);
        let sp = noted.filter(|sp| *sp >= caller.sp && *sp % 8 == 0 && (self.word)(*sp).is_some());
        Some(Registers { sp: sp.unwrap_or(caller.sp), ..caller })
    }

    fn of_compiled(&self, shape: Shape) -> Option<Registers> {
        let Registers { sp, bp, .. } = self.at.registers;
        let whole = sp.checked_add(shape.frame)?;
        if !self.at.exact || bp == whole.wrapping_sub(16) {
            return self.above(whole, None);
        }
        // Its frame is not made yet, or not any more.
        if bp == sp || (self.at.lookup < shape.complete && (self.word)(sp) == Some(bp)) {
            return self.above(sp.checked_add(16)?, None);
        }
        let bare = || self.above_if_code(sp.checked_add(8), Some(bp));
        if self.at.lookup < shape.complete {
            return bare().or_else(|| self.above(sp.checked_add(8)?, Some(bp)));
        }
        // Code that tells the collector what it stored pushes a register meanwhile; its frame pointer still holds.
        let pushed = || {
            let is_near = (sp..=whole).contains(&bp);
            self.chained().filter(|caller| is_near && self.pieces.contains(caller.ip))
        };
        bare()
            .or_else(|| self.above_if_code(Some(whole), None))
            .or_else(pushed)
            .or_else(|| self.above(whole, None))
    }

    fn of_stub(&self, shape: Shape) -> Option<Registers> {
        let Registers { sp, bp, .. } = self.at.registers;
        let whole = sp.checked_add(shape.frame)?;
        if shape.frame > 0 && (!self.at.exact || bp == whole.wrapping_sub(16)) {
            return self.above(whole, None);
        }
        if !self.at.exact {
            return self.chained();
        }
        let bare = self.above_if_code(sp.checked_add(8), Some(bp));
        let pushed = || {
            let is_pushed = bp == sp || (self.word)(sp) == Some(bp);
            is_pushed.then(|| self.above_if_code(sp.checked_add(16), None)).flatten()
        };
        bare.or_else(pushed).or_else(|| self.chained())
    }
}
