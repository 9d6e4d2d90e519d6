//! A thread's Python frames as a look found them, and what they tell of a hit.

use stacks::python::{CodeId, Strand};

/// A thread's Python frames at a moment, innermost first.
#[derive(Debug)]
pub(super) struct Frames {
    /// When it was so, first and last.
    pub(super) since: u64,
    pub(super) at: u64,
    pub(super) strands: Vec<Strand>,
    pub(super) codes: Vec<CodeId>,
    /// How many evaluation loops they run in.
    pub(super) loops: usize,
    /// As [`PyThread`] has it.
    pub(super) guessed: bool,
}

impl Frames {
    /// How far a moment is from the time when it was so.
    pub(super) fn apart(&self, at: u64) -> u64 {
        self.since.saturating_sub(at).max(at.saturating_sub(self.at))
    }

    /// What was at some height above the outermost function, where that is `code` or nothing is known of it.
    pub(super) fn caller(&self, code: Option<CodeId>, height: usize) -> Option<Strand> {
        let at = self.codes.len().checked_sub(height)?;
        let same = code.is_none_or(|code| self.codes.get(at) == Some(&code));
        self.strands.get(at).filter(|_| same).copied()
    }

    /// A function of the innermost loop, whether it was innermost, and its callers.
    pub(super) fn of(&self, code: CodeId) -> Option<Found<'_>> {
        let inner = self.strands.iter().position(|strand| strand.entry).map_or(self.codes.len(), |at| at + 1);
        let at = self.codes.iter().take(inner).position(|found| *found == code)?;
        let (function, callers) = self.strands.get(at..)?.split_first()?;
        Some(Found { function: Some(*function), innermost: at == 0, callers })
    }

    /// Where each function has a loop of its own: what lies below the innermost of so many, where that is its caller, or
    /// where the same function was called there as far as is known; with that function, if it was.
    pub(super) fn below(&self, loops: usize, caller: Option<CodeId>, code: CodeId) -> Option<Found<'_>> {
        let at = (self.loops + 1).checked_sub(loops)?;
        let same = at.checked_sub(1).filter(|above| self.codes.get(*above) == Some(&code));
        let is_below = caller.map_or(same.is_some(), |caller| self.codes.get(at) == Some(&caller));
        let function = same.and_then(|above| self.strands.get(above)).copied();
        let callers = self.strands.get(at..).filter(|_| is_below)?;
        Some(Found { function, innermost: at == 1, callers })
    }
}

/// A function as a look found it.
pub(super) struct Found<'a> {
    /// `None`: only its callers were found.
    pub(super) function: Option<Strand>,
    pub(super) innermost: bool,
    pub(super) callers: &'a [Strand],
}

#[cfg(test)]
mod tests {
    use stacks::Raw;

    use super::*;

    fn frames(since: u64, at: u64) -> Frames {
        Frames { since, at, strands: Vec::new(), codes: Vec::new(), loops: 0, guessed: false }
    }

    #[test]
    fn a_thread_that_left_its_cpu_stands_there_until_the_look() {
        let frames = frames(100, 900);
        assert_eq!([90, 100, 500, 900, 950].map(|at| frames.apart(at)), [10, 0, 0, 0, 50]);
    }

    /// Places of three functions, innermost first, as a look found them.
    fn seen(codes: &[u32]) -> Frames {
        let strand = |code: &u32| Strand { frame: Raw::Named(100 + code), entry: true };
        let strands = codes.iter().map(strand).collect();
        let all = codes.iter().map(|code| CodeId(*code)).collect();
        Frames { since: 0, at: 0, strands, codes: all, loops: codes.len(), guessed: false }
    }

    #[test]
    fn a_caller_that_its_loop_does_not_tell_is_the_one_last_seen_at_that_height() {
        let last = seen(&[5, 2, 1]);
        let height = |codes: &[Option<u32>]| {
            let codes: Vec<_> = codes.iter().map(|code| code.map(CodeId)).collect();
            let found = codes.iter().enumerate().map(|(at, code)| last.caller(*code, codes.len() - at));
            found.map(|strand| strand.map(|strand| strand.frame)).collect::<Vec<_>>()
        };
        let named = |code: u32| Some(Raw::Named(100 + code));
        assert_eq!(height(&[Some(2), None]), [named(2), named(1)]);
        // Another function runs there now: the look knows nothing of it.
        assert_eq!(height(&[Some(3), None]), [None, named(1)]);
        assert_eq!(height(&[None, None, None, None]), [None, named(5), named(2), named(1)]);
    }
}
