//! Whether frames of a stack in motion that are objects of their own may have called each other: until 3.10.

use super::Torn;
use super::look::{Mark, Tie};
use super::memory::Memory;
use super::reader::Interpreter;

/// Stacks that stood still and show an instruction that calls. One alone may be of a thread that lost its CPU at a bad moment.
const CALL_SIGHTINGS: u32 = 3;

/// Who waits in one place for the same function again and again has called it.
const PAIR_SIGHTINGS: u32 = 16;

/// Callers and what they call, kept by the addresses of their code.
const MOST_PAIRS: usize = 1 << 16;

impl<M: Memory> Interpreter<M> {
    /// Whether every frame may have called the one before it. Where both were seen so before, it may; else the caller must
    /// stand at an instruction that calls: one that was put in the place of another's caller meanwhile stands elsewhere. Which
    /// instructions call is learnt from stacks that stood still; it depends on the version, and instructions are replaced by
    /// faster ones while a program runs.
    ///
    /// Frames that are objects of their own tell who called them even when they have ended and their caller has gone on from
    /// where it called. Only a frame that is used for one function after the other can have taken the place of a caller, and
    /// often stands at an instruction that calls: callers of such frames are learnt only when they are sure.
    pub(crate) fn callers_call(&mut self) -> Result<bool, Torn> {
        let new: Vec<(Mark, Mark)> = self
            .marks
            .windows(2)
            .filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)))
            .filter(|(callee, caller)| !self.pairs.contains(&(caller.code, callee.code)))
            .collect();
        if new.is_empty() {
            return Ok(true);
        }
        self.late.clear();
        for (_, caller) in &new {
            self.late.want(caller.instruction, 1);
        }
        self.late.take(&self.memory)?;
        let instructions: Vec<Option<u8>> =
            (0..new.len()).map(|index| self.late.piece(index)?.first().copied()).collect();
        if self.pairs.len() >= MOST_PAIRS || self.doubted.len() >= MOST_PAIRS {
            self.pairs.clear();
            self.doubted.clear();
        }
        let mut whole = true;
        for ((callee, caller), found) in new.iter().zip(instructions) {
            let sure = callee.tie == Tie::Sure;
            let sightings = found.map(|found| self.calls.entry(found).or_default());
            let calls = sightings.is_some_and(|sightings| {
                *sightings += u32::from(sure);
                *sightings >= CALL_SIGHTINGS
            });
            let seen = self.doubted.entry((caller.code, caller.instruction, callee.code)).or_default();
            *seen += u32::from(sure);
            if calls && sure || *seen >= PAIR_SIGHTINGS {
                self.pairs.insert((caller.code, callee.code));
            } else {
                whole &= sure || self.is_believed(callee, caller);
            }
        }
        Ok(whole)
    }
}
