//! Frames that lie in pieces of a stack: from 3.11.
//!
//! A call puts the callee's frame right behind its caller's, and what has ended stays there until another takes its place
//! (`_PyThreadState_PushFrame` in CPython's `Python/pystate.c`). So the copy of a stack in motion tells by itself who was in use
//! when it was made, while the frame that was innermost before may be left over. Callers are looked at from the outermost
//! inwards: the frames of those who wait follow each other, and each waits where it calls. Where that ends the stack ended,
//! and where the last one calls another, it goes on.
//!
//! The inner part is taken twice; who is the same in both copies has waited in between. From those it is learnt where
//! callers wait and for whom, to tell callees of those who went on from what is left over.

use std::collections::HashMap;

use super::Torn;
use super::chain::Thread;
use super::code::{CODE_START, Identity, Resolved};
use super::look::{CHUNK_HEADER, MOST_FRAMES, Mark, Still, Tie, holds};
use super::memory::{self, Memory};
use super::reader::Interpreter;

/// A place is known when a caller was seen to wait there so often. Of others the instruction tells whether they call.
const SIGHTINGS: u32 = 3;

/// A caller may seem to wait when it came back to where it was. Who is waited for less often than once in so many times is
/// not believed, nor is an instruction that is waited at less often.
const MOST_CALLEES: u32 = 32;
const MOST_CALLS: u32 = 64;

/// Places that call, kept by the addresses of their code and instruction.
const MOST_SITES: usize = 1 << 16;

/// What was seen of calls.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// By code and instruction.
    known: HashMap<(u64, u64), Site>,
    /// How often callers were seen to wait at an instruction, and at any.
    calls: HashMap<u8, u32>,
    waits: u32,
}

#[derive(Debug, Default)]
struct Site {
    /// The instruction there. `None` when it could not be read.
    instruction: Option<u8>,
    /// How often the caller was seen to wait, and for which code.
    waits: u32,
    callees: HashMap<u64, u32>,
}

impl Sites {
    /// Whether callers were seen to wait where this one stands.
    fn is_known(&self, caller: &Mark) -> bool {
        let site = self.known.get(&(caller.code, caller.instruction));
        site.is_some_and(|site| site.waits >= SIGHTINGS)
    }
}

/// The end of the outermost frames looked at so far.
#[derive(Clone, Copy)]
struct End {
    piece: u64,
    frame: u64,
    end: u64,
}

/// What the second copy says of a frame of the first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    /// It stood at the same instruction, and waited in between or came back.
    Same,
    Other,
    /// It was taken once, between the copies, and lies so far out that it waits for those taken twice.
    Between,
    /// It was not taken, or once.
    Unknown,
}

impl<M: Memory> Interpreter<M> {
    /// Makes the frames of the walk those of one moment: leaves out the innermost that had ended, and adds who had been
    /// called instead. `stood`: the innermost frame was the same before and after.
    pub(crate) fn tie_pieces(
        &mut self,
        thread: &Thread,
        resolved: &mut Vec<Resolved>,
        still: Still,
        stood: bool,
    ) -> Result<(), Torn> {
        let mut last: Option<End> = None;
        let mut waits = true;
        let mut torn = 0;
        for index in (0..self.marks.len()).rev() {
            let Some(mark) = self.marks.get(index).copied() else { break };
            let caller = self.marks.get(index + 1).copied();
            let again = caller.map_or(Again::Between, |caller| self.again(&caller, still));
            waits &= match again {
                Again::Same | Again::Between => true,
                Again::Other => false,
                Again::Unknown => stood,
            };
            let code = self.code_of(&mark, resolved).copied();
            let piece =
                thread.chunks.iter().find(|chunk| holds(chunk, mark.frame)).map(|chunk| chunk.address);
            let follows = match (piece, code) {
                (_, None) => false,
                (Some(piece), Some(Resolved { frame: Some(length), .. })) => {
                    let follows = stood || self.follows(last, piece, mark.frame)?;
                    last = Some(End { piece, frame: mark.frame, end: mark.frame.wrapping_add(length) });
                    follows
                }
                _ => true,
            };
            // Who is called by native code may be called at any instruction, and who lies far out waits anyway.
            let is_called = follows
                && match caller.filter(|_| !mark.entry && again != Again::Between) {
                    Some(caller) => self.is_called(&caller, &mark, waits && self.stays(&mark, still))?,
                    None => true,
                };
            if !is_called {
                // Of whom it is not known whether it waits nothing can be told.
                if stood || again == Again::Unknown {
                    return Err(Torn::Moved);
                }
                torn = index + 1;
                break;
            }
        }
        self.marks.drain(..torn);
        let went_on = |mark: &&Mark| self.again(mark, still) == Again::Other;
        if torn == 0 && (stood || self.marks.first().filter(went_on).is_none()) {
            return Ok(());
        }
        self.go_on(thread, resolved, still)?;
        // Who stands where it calls waits for somebody. If it has gone on since, that one was not copied in time.
        let innermost = self.marks.first().filter(|mark| self.sites.is_known(mark));
        match innermost.is_some_and(|mark| self.again(mark, still) == Again::Other) {
            true => Err(Torn::Moved),
            false => Ok(()),
        }
    }

    /// The code of a frame that stands at one of its instructions.
    fn code_of<'a>(&self, mark: &Mark, resolved: &'a [Resolved]) -> Option<&'a Resolved> {
        let code = resolved.iter().find(|code| code.address == mark.code)?;
        self.frame_of(mark, std::slice::from_ref(code)).map(|_| code)
    }

    /// Whether a frame lies behind the last one, or at the beginning of another piece. The first piece leaves a word free.
    fn follows(&self, last: Option<End>, piece: u64, frame: u64) -> Result<bool, Torn> {
        match last.filter(|last| last.piece == piece) {
            Some(last) => Ok(frame == last.end || frame > last.end && self.is_left(last, frame)?),
            None => Ok(frame - piece <= CHUNK_HEADER as u64 + 8),
        }
    }

    /// Whether a frame that is being left lies between the last one and another: what is called while its variables are
    /// cleared has the same caller, but lies behind it.
    fn is_left(&self, last: End, callee: u64) -> Result<bool, Torn> {
        let taken = self.shot.copy_from(0, last.end, self.offsets.frame_length());
        let link = taken.and_then(|(_, bytes)| self.parse_link(bytes));
        let Some(link) = link.filter(|link| link.previous == last.frame) else { return Ok(false) };
        let start = link.code.wrapping_add(CODE_START);
        let bytes = memory::bytes(&self.memory, start, self.offsets.code_length())?.unwrap_or_default();
        let code = Identity::parse(&bytes, &self.offsets, self.types.code);
        Ok(code
            .and_then(|code| code.frame)
            .is_some_and(|length| last.end.checked_add(length) == Some(callee)))
    }

    /// What the second copy says of a frame.
    fn again(&self, mark: &Mark, still: Still) -> Again {
        let length = self.offsets.frame_length();
        let first = self.shot.copy_from(still.before, mark.frame, length);
        if first.is_some_and(|(at, _)| (still.outer..still.again).contains(&at)) {
            return Again::Between;
        }
        let second = self.shot.copy_from(still.again, mark.frame, length);
        let Some((_, second)) = first.and(second) else { return Again::Unknown };
        let link = self.parse_link(second).map(|link| Mark::new(mark.frame, &link));
        match link.is_some_and(|link| (link.code, link.instruction) == (mark.code, mark.instruction)) {
            true => Again::Same,
            false => Again::Other,
        }
    }

    /// Whether a frame was of the same code in both copies, as far as it was taken: who is called meanwhile goes on, but a
    /// caller that came back to where it was has often called another in between.
    fn stays(&self, mark: &Mark, still: Still) -> bool {
        let again = self.shot.copy_from(still.again, mark.frame, self.offsets.frame_length());
        again.is_none_or(|(_, bytes)| self.parse_link(bytes).is_some_and(|link| link.code == mark.code))
    }

    /// Whether a caller stands where it called this one, as far as is known. If it has waited, it does.
    fn is_called(&mut self, caller: &Mark, callee: &Mark, waits: bool) -> Result<bool, Torn> {
        let place = (caller.code, caller.instruction);
        self.note_site(place)?;
        let Sites { known, calls, waits: all } = &mut self.sites;
        let site = known.entry(place).or_default();
        let seen = site.callees.get(&callee.code).copied().unwrap_or(0);
        let sightings = site.instruction.map(|found| calls.entry(found).or_default());
        if waits {
            site.waits = site.waits.saturating_add(1);
            site.callees.insert(callee.code, seen.saturating_add(1));
            *all = all.saturating_add(1);
            sightings.into_iter().for_each(|sightings| *sightings = sightings.saturating_add(1));
            return Ok(true);
        }
        if site.waits >= SIGHTINGS {
            return Ok(seen.saturating_mul(MOST_CALLEES) >= site.waits);
        }
        Ok(sightings.is_some_and(|sightings| sightings.saturating_mul(MOST_CALLS) >= (*all).max(MOST_CALLS)))
    }

    fn note_site(&mut self, place: (u64, u64)) -> Result<(), Torn> {
        if self.sites.known.contains_key(&place) {
            return Ok(());
        }
        let instruction = memory::bytes(&self.memory, self.call_at(place.1), 1)?;
        let instruction = instruction.and_then(|bytes| bytes.first().copied());
        if self.sites.known.len() >= MOST_SITES {
            self.sites.known.clear();
        }
        self.sites.known.insert(place, Site { instruction, ..Site::default() });
        Ok(())
    }

    /// Where the instruction is at which a caller waits: 3.11 and 3.12 stand at the last of what `CALL` keeps behind it.
    fn call_at(&self, instruction: u64) -> u64 {
        match self.minor() {
            11 => instruction.wrapping_sub(8),
            12 => instruction.wrapping_sub(6),
            _ => instruction,
        }
    }

    /// Adds who was called by the innermost frame when the copy was made. What lies behind a frame that has just been
    /// returned to is left over from its last call and looks the same, until the frame's next instruction begins.
    fn go_on(&mut self, thread: &Thread, resolved: &mut Vec<Resolved>, still: Still) -> Result<(), Torn> {
        while let Some(caller) = self.marks.first().copied() {
            let in_piece = thread.chunks.first().is_some_and(|newest| holds(newest, caller.frame));
            let length = self.code_of(&caller, resolved).and_then(|code| code.frame);
            let Some(length) = length.filter(|_| in_piece && self.marks.len() < MOST_FRAMES) else { break };
            let frame = caller.frame.wrapping_add(length);
            let taken = self.shot.copy_from(still.before, frame, self.offsets.frame_length());
            let Some(link) = taken.and_then(|(_, bytes)| self.parse_link(bytes)) else { break };
            let callee = Mark::new(frame, &link);
            let is_frame = link.previous == caller.frame && !callee.entry && !callee.generator;
            if !is_frame || !self.is_called(&caller, &callee, false)? {
                break;
            }
            if !self.resolve_also(callee.code, resolved)? || self.code_of(&callee, resolved).is_none() {
                break;
            }
            let tie = if self.sites.is_known(&caller) { callee.tie } else { Tie::Guessed };
            self.marks.insert(0, Mark { tie, ..callee });
        }
        Ok(())
    }
}
