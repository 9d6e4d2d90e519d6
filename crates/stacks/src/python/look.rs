//! One look at one thread.
//!
//! All that the last look found useful (the thread, its pieces of stack, frames elsewhere, code objects) is taken in a
//! single call, which is all that most looks need. Then the chain of frames is walked inside what was taken; only what
//! is new costs further calls.

use super::chain::Thread;
use super::code::{CODE_START, OBJECT_TYPE, Resolved};
use super::memory::{self, Memory, Piece, half_at, word_at};
use super::offsets::{CollectorPlace, Entry, LockPlace, SHIM_OWNER};
use super::reader::Interpreter;
use super::{PyFrame, PyThread, Torn};

/// Beyond this a chain of frames is taken for a circle. CPython's own limit is 1000 unless a program raises it.
pub(crate) const MOST_FRAMES: usize = 10_000;

/// How often the stack is taken until it stands still.
const MOST_TRIES: usize = 8;

/// Looks that must agree on a new outermost frame; a generator is believed only when it has no caller for long.
const SIGHTINGS: u32 = 2;
const GENERATOR_SIGHTINGS: u32 = 64;

/// Frames apart and code objects guessed for the next look, and how many of them may be older than this look: a thread
/// comes back to where it was.
const MOST_GUESSES: usize = 160;
const OLDER_GUESSES: usize = 8;

/// What is taken beyond the used part of the newest piece, for frames that come before the next look.
const SLACK: u64 = 4096;

/// Of the stack of frames, what is taken twice, and what of it may change meanwhile: a dozen frames.
const INNER: u64 = 3072;
const MOVES: u64 = 1536;

/// A piece of the stack of frames begins with: the one before, its size, and how many words of it are used.
pub(crate) const CHUNK_HEADER: usize = 24;
const MOST_CHUNKS: usize = 64;
const LONGEST_CHUNK: u64 = 1 << 20;

/// A frame on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) frame: u64,
    pub(crate) code: u64,
    /// Where it stands; until its code is known, as the frame has it.
    pub(crate) instruction: u64,
    pub(crate) entry: bool,
    pub(crate) generator: bool,
    pub(crate) alive: bool,
    pub(crate) runs: bool,
    pub(crate) tie: Tie,
}

/// How it is known that the next frame has called this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tie {
    /// Both stood still while they were read.
    Sure,
    /// The frame says so, but may have ended while the other was read.
    Told,
    /// It did so before.
    Remembered,
    /// It stands at an instruction that calls, and this one lies where its callee would.
    Guessed,
}

impl Mark {
    pub(crate) fn new(frame: u64, link: &Link) -> Self {
        let Link { code, instruction, entry, generator, alive, runs, .. } = *link;
        Self { frame, code, instruction, entry, generator, alive, runs, tie: Tie::Told }
    }
}

/// Positions of the thread itself, and of what shows whether the innermost frame stood still.
#[derive(Clone, Copy)]
pub(crate) struct Still {
    thread: usize,
    pub(crate) before: usize,
    frame: usize,
    after: usize,
    /// From 3.11: where the outer part of the stack and the second copy of the inner part begin.
    pub(crate) outer: usize,
    pub(crate) again: usize,
    /// The address of that part; zero when the innermost frame lies apart.
    from: u64,
}

/// The words of a frame.
pub(crate) struct Link {
    pub(crate) previous: u64,
    pub(crate) code: u64,
    instruction: u64,
    /// From 3.12 a frame without code stands between two evaluation loops.
    shim: bool,
    entry: bool,
    generator: bool,
    /// Until 3.10: somebody refers to it. Later always true, as what follows.
    alive: bool,
    /// Until 3.10: it runs, or waits for what it called.
    pub(crate) runs: bool,
}

/// What is known of a thread besides its frames.
struct Doing {
    /// Its innermost frame was the same before and after the stack was taken.
    stood: bool,
    still: Still,
    holds_lock: Option<bool>,
    collecting: Option<bool>,
}

impl<M: Memory> Interpreter<M> {
    /// What the thread runs. `None` when it has no frame, or no thread of the kernel is known for it.
    pub(crate) fn look(&mut self, index: usize) -> Result<Option<PyThread>, Torn> {
        let Some(slot) = self.threads.get_mut(index) else { return Ok(None) };
        let mut thread = std::mem::take(slot);
        self.watch_heads = index == 0;
        let seen = self.look_at(&mut thread);
        if let Some(slot) = self.threads.get_mut(index) {
            *slot = thread;
        }
        seen
    }

    fn look_at(&mut self, thread: &mut Thread) -> Result<Option<PyThread>, Torn> {
        let Some(Doing { stood, still, holds_lock, collecting }) = self.take_still(thread)? else {
            return Ok(None);
        };
        let in_pieces = self.offsets.chunk().is_some();
        if in_pieces {
            self.walk(thread)?;
        } else {
            self.walk_objects(thread, still.before)?;
        }
        self.confirm_bottom(thread)?;
        let mut resolved = self.resolve()?;
        if in_pieces {
            self.tie_pieces(thread, &mut resolved, still, stood)?;
        }
        renew_guesses(&mut thread.codes, resolved.iter().map(|code| code.address));
        self.place_instructions(&resolved);
        if !in_pieces && !self.links_hold(&resolved) {
            return Err(Torn::Moved);
        }
        let frames = self.marks.iter().map(|mark| self.frame_of(mark, &resolved));
        let frames = frames.collect::<Option<Vec<_>>>().ok_or(Torn::Moved)?;
        if !in_pieces {
            if !self.callers_call()? {
                return Err(Torn::Moved);
            }
            self.remember_generators();
        }
        let guessed = self.marks.iter().any(|mark| mark.tie == Tie::Guessed);
        thread.settled |= !frames.is_empty();
        Ok(thread.tid.filter(|_| !frames.is_empty()).map(|tid| PyThread {
            tid,
            frames,
            guessed,
            holds_lock,
            collecting,
        }))
    }

    /// Takes everything guessed until it is of one moment. Returns whether the thread held the
    /// lock and whether it collected garbage; `None` when it has no frame.
    fn take_still(&mut self, thread: &mut Thread) -> Result<Option<Doing>, Torn> {
        for _ in 0..MOST_TRIES {
            let mut still = self.take(thread)?;
            let top = self.top(thread, still)?;
            let moved = std::mem::replace(&mut thread.top, top) != top;
            // A loop that is just beginning has no frame for a moment, a thread without frames has none for longer.
            if top == 0 && !moved {
                return Ok(None);
            }
            // Other pieces of the stack may be in use than those guessed.
            let taken = top != 0 && !self.renew_chunks(thread)?;
            let stood = taken && !moved && self.stood_still(thread, still);
            // An object that was not guessed is taken now: whoever waited for one that was would see only those that come often.
            if taken && self.offsets.chunk().is_none() && !self.has_top(thread) {
                still = self.take(thread)?;
            }
            if stood || taken && self.is_whole(thread, still) {
                let holds_lock = self.holds_lock(thread);
                let collecting = self.collects(thread, holds_lock);
                return Ok(Some(Doing { stood, still, holds_lock, collecting }));
            }
        }
        Err(Torn::Moved)
    }

    /// Takes everything guessed in one call.
    ///
    /// The order matters, because the target runs on: which frame is innermost comes first, then the inner part of the
    /// stack, which changes most, the innermost frame again and which one that is by now; callers stay as long as they wait
    /// for what they called. From 3.11 the inner part is taken once more behind them. Code objects follow the frames that
    /// keep them alive.
    fn take(&mut self, thread: &mut Thread) -> Result<Still, Torn> {
        self.shot.clear();
        let place = self.top_place(thread);
        let before = match self.offsets.chunk() {
            Some(_) => self.shot.want(place, 8),
            None => self.want_objects(thread, place),
        };
        let newest = thread.chunks.first().filter(|newest| holds(newest, thread.top)).copied();
        let inner = newest.map(|newest| {
            let from = thread.top.saturating_sub(INNER).max(newest.address);
            let inner = Piece { address: from, length: newest.length - (from - newest.address) as usize };
            self.shot.want(inner.address, inner.length);
            let outer = Piece {
                address: newest.address,
                length: (from - newest.address) as usize + self.offsets.frame_length(),
            };
            (inner, outer)
        });
        for frame in thread.apart.iter().rev() {
            self.shot.want(*frame, self.offsets.frame_length());
        }
        let frame = self.shot.want(thread.top, self.offsets.frame_length());
        let after = self.shot.want(place, 8);
        let outer = after + 1;
        if let Some((_, outer)) = inner {
            self.shot.want(outer.address, outer.length);
        }
        for chunk in thread.chunks.iter().skip(usize::from(inner.is_some())) {
            self.shot.want(chunk.address, chunk.length);
        }
        let mut again = outer + thread.chunks.len();
        if let Some((inner, _)) = inner {
            again = self.shot.want(inner.address, inner.length);
            for frame in thread.apart.iter().rev() {
                self.shot.want(*frame, self.offsets.frame_length());
            }
        }
        let own = self.shot.want(thread.address, self.offsets.thread_length());
        match self.offsets.lock {
            LockPlace::Runtime { current } => self.shot.want(self.runtime.wrapping_add(current as u64), 8),
            LockPlace::Interpreter { locked, holder, .. } => {
                self.shot.want(thread.lock, locked.max(holder) + 8)
            }
        };
        if let Some(flag) = self.collector_flag(thread) {
            self.shot.want(flag, 8);
        }
        if self.watch_heads {
            self.want_heads();
        }
        for code in &thread.codes {
            self.shot.want(code.wrapping_add(CODE_START), self.offsets.code_length());
        }
        self.shot.take(&self.memory)?;
        if self.watch_heads {
            self.compare_heads();
        }
        let from = inner.map_or(0, |(inner, _)| inner.address);
        Ok(Still { thread: own, before, frame, after, outer, again, from })
    }

    /// Where the innermost frame is noted, as far as the last look knows.
    fn top_place(&self, thread: &Thread) -> u64 {
        match self.offsets.c_frame_current() {
            Some(_) if thread.c_frame == 0 => 0,
            Some(current) => thread.c_frame.wrapping_add(current as u64),
            None => thread.address.wrapping_add(self.offsets.thread_frame as u64),
        }
    }

    /// What the thread said of itself, and its innermost frame.
    fn top(&mut self, thread: &mut Thread, still: Still) -> Result<u64, Torn> {
        let before = self.shot.piece(still.before).and_then(|bytes| word_at(bytes, 0));
        let bytes = self.shot.piece(still.thread).ok_or(Torn::Moved)?;
        if word_at(bytes, self.offsets.thread_interpreter) != Some(thread.state) {
            return Err(Torn::Moved);
        }
        thread.next_seen = word_at(bytes, self.offsets.thread_next).ok_or(Torn::Moved)?;
        let top = word_at(bytes, self.offsets.thread_frame).ok_or(Torn::Moved)?;
        let numbers = self.numbers(bytes).ok_or(Torn::Moved)?;
        self.name_thread(thread, numbers)?;
        match self.offsets.c_frame_current() {
            Some(current) if top != 0 => {
                let guessed = std::mem::replace(&mut thread.c_frame, top) == top;
                let place = top.wrapping_add(current as u64);
                // With a wrong guess nothing was taken of the right one.
                Ok(before
                    .filter(|_| guessed)
                    .map_or_else(|| memory::word(&self.memory, place), |word| Ok(Some(word)))?
                    .unwrap_or(0))
            }
            // The thread itself was taken later than the stack.
            _ => Ok(before.filter(|_| top != 0).unwrap_or(top)),
        }
    }

    /// The frame that was innermost when the stack began to be taken lies in what was taken. A program that does nothing but
    /// call small functions never stands still, and who waits for that sees only its longer ones: the stack is taken as it is.
    /// What was innermost a microsecond before the rest was copied may have ended meanwhile: `pieces` tells.
    /// Where frames are objects of their own, they stay as they were too, and `objects` knows which of them to believe.
    fn is_whole(&self, thread: &Thread, still: Still) -> bool {
        let before = self.shot.piece(still.before).and_then(|bytes| word_at(bytes, 0));
        let in_chunk = || thread.chunks.iter().any(|chunk| holds(chunk, thread.top));
        match self.offsets.chunk() {
            Some(_) => {
                before == Some(thread.top)
                    && in_chunk()
                    && self.has_top(thread)
                    && self.reaches(thread, still)
            }
            None => self.has_top(thread),
        }
    }

    /// Whether all that may have changed was taken twice.
    fn reaches(&self, thread: &Thread, still: Still) -> bool {
        thread.top >= still.from.saturating_add(MOVES)
            || thread.chunks.first().is_some_and(|newest| newest.address == still.from)
    }

    fn has_top(&self, thread: &Thread) -> bool {
        self.shot.bytes(thread.top, self.offsets.frame_length()).is_some()
    }

    /// The innermost frame was the same before and after the stack was taken, and itself did not change.
    fn stood_still(&self, thread: &Thread, still: Still) -> bool {
        let is_top = |index| self.shot.piece(index).and_then(|bytes| word_at(bytes, 0)) == Some(thread.top);
        let ties = |bytes: &[u8]| {
            Some((word_at(bytes, self.offsets.frame_previous)?, word_at(bytes, self.offsets.frame_code)?))
        };
        let length = self.offsets.frame_length();
        // Looked up by address this is the copy inside the stack, unless there is none because the frame is new.
        let first = self.shot.bytes(thread.top, length).and_then(ties);
        is_top(still.before)
            && is_top(still.after)
            && first.is_some()
            && first == self.shot.piece(still.frame).and_then(ties)
    }

    /// A word from what was taken, or read now.
    fn word_now(&self, address: u64) -> Result<u64, Torn> {
        match self.shot.word(address) {
            Some(word) => Ok(word),
            None => memory::word(&self.memory, address)?.ok_or(Torn::Moved),
        }
    }

    /// Follows the pieces of the stack of frames. True when others than those taken are in use.
    fn renew_chunks(&self, thread: &mut Thread) -> Result<bool, Torn> {
        let Some((chunk, top)) = self.offsets.chunk() else { return Ok(false) };
        let newest = self.word_now(thread.address.wrapping_add(chunk as u64))?;
        let top = self.word_now(thread.address.wrapping_add(top as u64))?;
        if let Some(first) = thread.chunks.first_mut().filter(|first| first.address == newest) {
            let size = self.shot.word(newest.wrapping_add(8)).unwrap_or(0);
            first.length = used(newest, top, size);
            return Ok(false);
        }
        thread.chunks.clear();
        let mut address = newest;
        while address != 0 && thread.chunks.len() < MOST_CHUNKS {
            let header = memory::bytes(&self.memory, address, CHUNK_HEADER)?.ok_or(Torn::Moved)?;
            let size = word_at(&header, 8).unwrap_or(0);
            let words = word_at(&header, 16).unwrap_or(0);
            let end = match address == newest {
                true => top,
                false => address.saturating_add(words.saturating_mul(8)).saturating_add(CHUNK_HEADER as u64),
            };
            thread.chunks.push(Piece { address, length: used(address, end, size) });
            address = word_at(&header, 0).unwrap_or(0);
        }
        Ok(newest != 0)
    }

    fn holds_lock(&self, thread: &Thread) -> Option<bool> {
        let holder = match self.offsets.lock {
            LockPlace::Runtime { current } => self.shot.word(self.runtime.wrapping_add(current as u64))?,
            LockPlace::Interpreter { locked, holder, .. } => {
                let bytes = self.shot.bytes(thread.lock, locked.max(holder) + 8)?;
                match half_at(bytes, locked)? {
                    0 => 0,
                    1 => word_at(bytes, holder)?,
                    // Not made yet, or not a lock.
                    _ => return None,
                }
            }
        };
        // Anything else than a thread says that we looked in the wrong place.
        let is_thread = holder == thread.address || self.threads.iter().any(|other| other.address == holder);
        (holder == 0 || is_thread).then_some(holder == thread.address)
    }

    fn collector_flag(&self, thread: &Thread) -> Option<u64> {
        match self.offsets.collecting {
            CollectorPlace::Runtime(flag) => Some(self.runtime.wrapping_add(flag as u64)),
            CollectorPlace::Interpreter(flag) => Some(thread.state.wrapping_add(flag as u64)),
            CollectorPlace::Unknown => None,
        }
    }

    /// Whoever has the lock while the collector works is the one that collects.
    fn collects(&self, thread: &Thread, holds_lock: Option<bool>) -> Option<bool> {
        let word = self.shot.word(self.collector_flag(thread)?)?;
        match word & 0xffff_ffff {
            0 => Some(false),
            1 => holds_lock,
            // Not a flag: we looked in the wrong place.
            _ => None,
        }
    }

    /// Follows the frames from the innermost outwards into `marks`.
    fn walk(&mut self, thread: &mut Thread) -> Result<(), Torn> {
        self.marks.clear();
        let mut apart = Vec::new();
        let mut next = thread.top;
        let mut steps = 0;
        while next != 0 {
            steps += 1;
            if steps > MOST_FRAMES {
                return Err(Torn::Deep { limit: MOST_FRAMES });
            }
            let frame = next;
            let link = self.link(frame)?;
            let chunk = thread.chunks.iter().find(|chunk| holds(chunk, frame));
            match chunk {
                // Inside a piece callees lie above their callers.
                Some(chunk) if holds(chunk, link.previous) && link.previous >= frame => {
                    return Err(Torn::Moved);
                }
                None => apart.push(frame),
                _ => {}
            }
            next = link.previous;
            if !link.shim {
                self.marks.push(Mark::new(frame, &link));
            } else if let Some(called) = self.marks.last_mut() {
                called.entry = true;
            }
        }
        renew_guesses(&mut thread.apart, apart.into_iter());
        Ok(())
    }

    /// A generator that is just being entered or left has no caller for a moment, in which the thread may lose its CPU,
    /// so a chain can end too early. The outermost frame changes rarely: another one must be seen again.
    fn confirm_bottom(&self, thread: &mut Thread) -> Result<(), Torn> {
        let Some(bottom) = self.marks.last() else { return Ok(()) };
        // From 3.12 a frame without code ends the chain, so that the one above it has its entry noted. Until 3.10 so does the
        // last of the free ones, which does not run.
        if !bottom.entry || !bottom.runs {
            return Err(Torn::Moved);
        }
        if bottom.frame != thread.bottom {
            let again = std::mem::replace(&mut thread.doubted_bottom, bottom.frame) == bottom.frame;
            thread.doubts = if again { thread.doubts.saturating_add(1) } else { 1 };
            if thread.doubts < if bottom.generator { GENERATOR_SIGHTINGS } else { SIGHTINGS } {
                return Err(Torn::Moved);
            }
            thread.bottom = bottom.frame;
        }
        thread.doubts = 0;
        Ok(())
    }

    fn link(&self, frame: u64) -> Result<Link, Torn> {
        let length = self.offsets.frame_length();
        let link = match self.shot.copy_from(0, frame, length) {
            Some((_, bytes)) => self.parse_link(bytes),
            None => self.parse_link(&memory::bytes(&self.memory, frame, length)?.ok_or(Torn::Moved)?),
        };
        link.ok_or(Torn::Moved)
    }

    /// `None` when it is not a frame.
    pub(crate) fn parse_link(&self, bytes: &[u8]) -> Option<Link> {
        let is_object = self.offsets.chunk().is_none();
        if is_object && word_at(bytes, OBJECT_TYPE)? != self.types.frame {
            return None;
        }
        let (shim, entry) = match self.offsets.entry() {
            Entry::Each => (false, true),
            Entry::Flag(flag) => (false, *bytes.get(flag)? != 0),
            Entry::Shim(owner) => (*bytes.get(owner)? >= SHIM_OWNER, false),
        };
        let instruction = match self.offsets.code_instructions() {
            Some(_) => word_at(bytes, self.offsets.frame_instruction)?,
            None => half_at(bytes, self.offsets.frame_instruction)?.into(),
        };
        Some(Link {
            previous: word_at(bytes, self.offsets.frame_previous)?,
            // From 3.14 the lowest bits say how the reference is counted.
            code: word_at(bytes, self.offsets.frame_code)? & !7,
            instruction,
            shim,
            entry,
            generator: self.offsets.is_generator(bytes)?,
            alive: !is_object || word_at(bytes, 0)? != 0,
            runs: self.offsets.runs(bytes)?,
        })
    }

    /// Until 3.10 a frame counts how far it has come, from 3.11 it points there.
    fn place_instructions(&mut self, resolved: &[Resolved]) {
        if self.offsets.code_instructions().is_some() {
            return;
        }
        // 3.10 counts pairs of bytes.
        let unit = if self.minor() == 10 { 2 } else { 1 };
        for mark in &mut self.marks {
            let Some(code) = resolved.iter().find(|code| code.address == mark.code) else { continue };
            let offset = i64::from((mark.instruction as u32).cast_signed()) * unit;
            mark.instruction = code.start.wrapping_add_signed(offset);
        }
    }

    /// `None` when its instruction is not one of its code: frame and code are of different moments.
    pub(crate) fn frame_of(&self, mark: &Mark, resolved: &[Resolved]) -> Option<PyFrame> {
        let code = resolved.iter().find(|code| code.address == mark.code)?;
        let offset = mark.instruction.wrapping_sub(code.start).cast_signed();
        // Until 3.12 a frame that has not begun stands one instruction before its first.
        if offset < -2 || offset >= code.length.cast_signed() {
            return None;
        }
        let line = self.codes.line(code.id, u32::try_from(offset).ok());
        Some(PyFrame { code: code.id, line, entry: mark.entry })
    }
}

/// What was used now, and the latest of what was used before.
fn renew_guesses(guesses: &mut Vec<u64>, used: impl ExactSizeIterator<Item = u64>) {
    let most = (used.len() + OLDER_GUESSES).min(MOST_GUESSES);
    let old = std::mem::take(guesses);
    guesses.extend(used);
    let now = guesses.len();
    guesses.extend(old);
    let mut index = 0;
    let used = guesses.get(..now).unwrap_or_default().to_vec();
    guesses.retain(|guess| {
        index += 1;
        index <= now || !used.contains(guess)
    });
    guesses.truncate(most);
}

pub(crate) fn holds(chunk: &Piece, frame: u64) -> bool {
    frame.checked_sub(chunk.address).is_some_and(|inside| inside < chunk.length as u64)
}

/// What to take of a piece that is used up to `end`.
fn used(address: u64, end: u64, size: u64) -> usize {
    let size = size.clamp(CHUNK_HEADER as u64, LONGEST_CHUNK);
    let used = end.checked_sub(address).filter(|used| *used <= size).unwrap_or(size);
    usize::try_from((used + SLACK).min(size)).unwrap_or(CHUNK_HEADER)
}
