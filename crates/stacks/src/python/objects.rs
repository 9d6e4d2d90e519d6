//! Frames that are objects of their own: until 3.10.
//!
//! A frame whose function has ended stays where it is. One of each function is kept by its code for the next call
//! (`co_zombieframe`) and still points to who called it last; the others go to a list of free ones and point to each other
//! (`frame_dealloc` in CPython's `Objects/frameobject.c`). So a stack in motion can be read as it is: whatever frame was
//! innermost, it tells who called it as long as it is in use or kept, and its callers stay in place while they wait.
//!
//! Which frame is innermost is taken before any of them: a target that writes to what was just read has to wait for it, and
//! would be found more often where it writes. Then all guessed frames are taken twice; whoever is the same in both copies has
//! waited in between.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::Torn;
use super::chain::Thread;
use super::code::{self, CODE_START, Resolved};
use super::look::{Link, MOST_FRAMES, Mark, Tie};
use super::memory::{self, Memory, Piece};
use super::reader::Interpreter;

/// Frames taken twice; those further out are taken once, while these wait.
const MOST_TWICE: usize = 128;

/// Frames taken at all, the others are read one by one.
const MOST_TAKEN: usize = 1 << 12;

/// Frames of earlier looks: how many, and for how many looks they are not forgotten.
const MOST_OLDER: usize = 48;
const OLDEST: u32 = 32;

/// Frames that lie so close together are taken as one piece, until it is so long.
const NEAR: usize = 2048;
const LONGEST_CLUSTER: usize = 1 << 16;

/// Frames of which it is remembered what they were used for.
const MOST_REMEMBERED: usize = 1 << 16;

/// A frame that may be in the next stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    frame: u64,
    /// How far from the outermost it was, and will be again.
    height: usize,
    /// Looks since it was seen.
    age: u32,
}

/// Guessed frames as they are taken, highest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clusters {
    /// Taken twice, and once.
    inner: Vec<Piece>,
    outer: Vec<Piece>,
}

/// What frames were used for.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// The code that a frame was used for; zero when there were several.
    codes: HashMap<u64, u64>,
    /// Who resumed a generator's frame: the caller's frame, and the code of both.
    resumed: HashMap<u64, (u64, [u64; 2])>,
}

/// Where a frame of the walk lies among what was taken. `None`: it was read later.
type Place = Option<usize>;

impl<M: Memory> Interpreter<M> {
    /// Asks for what tells the innermost frame, which is at `place`, and for the guessed ones, those first that change most.
    /// Returns the position of the former.
    pub(crate) fn want_objects(&mut self, thread: &Thread, place: u64) -> usize {
        let Clusters { inner, outer } = &thread.clusters;
        let before = self.shot.want(place, 8);
        self.shot.want(thread.top, self.offsets.frame_length());
        for piece in inner.iter().chain(outer).chain(inner) {
            self.shot.want(piece.address, piece.length);
        }
        before
    }

    /// Follows the frames from the innermost outwards into `marks`. `before` is the position of what told the innermost one.
    ///
    /// Frames as they were first taken are nearest to that moment. Where one of them had just been given back, the second
    /// copies may show it in use again.
    pub(crate) fn walk_objects(&mut self, thread: &mut Thread, before: usize) -> Result<(), Torn> {
        let mut followed = self.follow(thread, before);
        if !followed.as_ref().is_ok_and(|_| self.seems_whole(thread)) {
            self.remember_codes();
            followed = self.follow(thread, before + 2 + thread.clusters.inner.len());
        }
        self.remember_codes();
        self.note_sure(&followed?);
        thread.renew_objects(&self.marks, self.offsets.frame_length());
        Ok(())
    }

    /// Follows the frames as they were taken from a position on.
    fn follow(&mut self, thread: &Thread, from: usize) -> Result<Vec<Place>, Torn> {
        self.marks.clear();
        let mut places: Vec<Place> = Vec::new();
        let (mut next, mut place) = (thread.top, from);
        // A chain that changed while it was walked may lead in a circle: whoever goes round comes back to this one.
        let mut passed = 0;
        while next != 0 {
            let steps = self.marks.len();
            if steps == MOST_FRAMES {
                return Err(Torn::Deep { limit: MOST_FRAMES });
            }
            if next == passed {
                return Err(Torn::Moved);
            }
            if steps.is_power_of_two() {
                passed = next;
            }
            let (link, at) = self.object(next, place)?;
            let mut mark = Mark::new(next, &link);
            if link.previous == 0 && !link.runs && next != thread.bottom {
                // A generator forgets who resumed it when it is left.
                mark.tie = Tie::Remembered;
                next = self.uses.resumed.get(&next).map_or(0, |(caller, _)| *caller);
            } else {
                next = link.previous;
            }
            self.marks.push(mark);
            places.push(at);
            place = at.unwrap_or(place);
        }
        Ok(places)
    }

    /// A frame as it was taken, after the one that it called if possible, or as it is now.
    fn object(&self, frame: u64, after: usize) -> Result<(Link, Place), Torn> {
        let length = self.offsets.frame_length();
        let taken =
            self.shot.copy_from(after, frame, length).or_else(|| self.shot.copy_from(0, frame, length));
        let (link, at) = match taken {
            Some((at, bytes)) => (self.parse_link(bytes), Some(at)),
            None => {
                let bytes = memory::bytes(&self.memory, frame, length)?.ok_or(Torn::Moved)?;
                (self.parse_link(&bytes), None)
            }
        };
        Ok((link.ok_or(Torn::Moved)?, at))
    }

    /// Whether the walk ended where it should and met no frame that was given back, as far as what was taken tells.
    fn seems_whole(&self, thread: &Thread) -> bool {
        let kept = |mark: &Mark| {
            let code = self.shot.bytes(mark.code.wrapping_add(CODE_START), self.offsets.code_length());
            code.is_none_or(|bytes| code::kept_frame(bytes, &self.offsets) == Some(mark.frame))
        };
        self.marks.last().is_some_and(|bottom| bottom.frame == thread.bottom)
            && self.marks.iter().all(|mark| mark.alive || kept(mark))
    }

    /// Notes which frames were surely called by the next: those whose caller was copied while one of its callees waited, and
    /// those that ran when they were copied while their caller waited.
    fn note_sure(&mut self, places: &[Place]) {
        let waits: Vec<_> = places.iter().enumerate().map(|(index, at)| self.waited(index, (*at)?)).collect();
        let mut spans: Vec<&RangeInclusive<usize>> = Vec::new();
        for (index, (wait, at)) in waits.iter().zip(places).enumerate() {
            spans.extend(wait);
            let Some(Some(caller)) = places.get(index + 1) else { continue };
            let Some(mark) = self.marks.get(index).filter(|mark| mark.tie == Tie::Told) else { continue };
            let caller_waits = waits.get(index + 1).and_then(Option::as_ref).zip(*at);
            let throughout = || index == 0 && at.is_some_and(|at| self.ran_until(at) >= Some(*caller));
            let is_sure = spans.iter().any(|span| span.contains(caller))
                || throughout()
                || mark.runs && caller_waits.is_some_and(|(span, at)| span.contains(&at));
            if let Some(mark) = self.marks.get_mut(index).filter(|_| is_sure) {
                mark.tie = Tie::Sure;
            }
        }
    }

    /// The copies between which a frame of the walk ran and stayed the same.
    fn waited(&self, index: usize, first: usize) -> Option<RangeInclusive<usize>> {
        let mark = self.marks.get(index).filter(|mark| mark.runs)?;
        let caller = self.marks.get(index + 1).map_or(0, |caller| caller.frame);
        let (second, bytes) = self.shot.copy_from(first + 1, mark.frame, self.offsets.frame_length())?;
        let link = self.parse_link(bytes)?;
        let same = link.runs && link.code == mark.code && link.previous == caller;
        same.then_some(first..=second)
    }

    /// The last copy of the innermost frame, if in all that came after a place it runs the same function for the same caller. It is
    /// taken before all others, so that its next copy is too early to tell of its caller's.
    fn ran_until(&self, first: usize) -> Option<usize> {
        let innermost = self.marks.first().filter(|mark| mark.runs)?;
        let caller = self.marks.get(1)?.frame;
        let mut last = None;
        let length = self.offsets.frame_length();
        while let Some((at, bytes)) = self.shot.copy_from(last.unwrap_or(first) + 1, innermost.frame, length)
        {
            let link = self.parse_link(bytes)?;
            if !link.runs || link.code != innermost.code || link.previous != caller {
                return None;
            }
            last = Some(at);
        }
        last
    }

    /// Whether each frame tells who called it: it is in use, or kept by its code. Who called another has begun.
    pub(crate) fn links_hold(&self, resolved: &[Resolved]) -> bool {
        self.marks.iter().enumerate().all(|(index, mark)| {
            let Some(code) = resolved.iter().find(|code| code.address == mark.code) else { return false };
            let tells = mark.alive || code.kept == mark.frame || code.kept == 0 && self.is_only(mark);
            tells && (index == 0 || mark.instruction >= code.start)
        })
    }

    /// Whether a frame is the only one of its code, as far as was seen: it was kept, and may be in use again since. Where a
    /// function calls itself, others may be in use while this one is free.
    fn is_only(&self, mark: &Mark) -> bool {
        self.uses.codes.get(&mark.frame) == Some(&mark.code)
            && self.marks.iter().filter(|other| other.code == mark.code).count() == 1
    }

    /// Whether a caller that is not sure is believed. A frame that was seen in use for this code, if only just now, and never
    /// for other code, did not take the place of a caller that ended; one that is not in use may be left over from anything. And
    /// who resumed a generator is the same as before.
    pub(crate) fn is_believed(&self, callee: &Mark, caller: &Mark) -> bool {
        match callee.tie {
            Tie::Sure => true,
            Tie::Told | Tie::Guessed => {
                self.uses.codes.get(&caller.frame).is_some_and(|code| *code == caller.code)
            }
            Tie::Remembered => {
                let known = (caller.frame, [callee.code, caller.code]);
                caller.runs && self.uses.resumed.get(&callee.frame) == Some(&known)
            }
        }
    }

    /// Remembers what each frame that runs is used for, also when others of the walk turn out to be of another moment.
    fn remember_codes(&mut self) {
        if self.uses.codes.len() >= MOST_REMEMBERED {
            self.uses.codes.clear();
        }
        for mark in self.marks.iter().filter(|mark| mark.runs) {
            let code = self.uses.codes.entry(mark.frame).or_insert(mark.code);
            *code = if *code == mark.code { mark.code } else { 0 };
        }
    }

    /// Remembers who resumed the generators of a whole look.
    pub(crate) fn remember_generators(&mut self) {
        if self.uses.resumed.len() >= MOST_REMEMBERED {
            self.uses.resumed.clear();
        }
        for pair in self.marks.windows(2) {
            if let [generator, caller] = pair
                && generator.generator
            {
                let codes = [generator.code, caller.code];
                self.uses.resumed.insert(generator.frame, (caller.frame, codes));
            }
        }
    }
}

impl Thread {
    /// Guesses for the next look: this stack, and what was seen before it.
    fn renew_objects(&mut self, marks: &[Mark], length: usize) {
        let mut older = std::mem::take(&mut self.objects);
        let heights = (0..marks.len()).rev();
        self.objects.extend(marks.iter().zip(heights).map(|(mark, height)| Guess {
            frame: mark.frame,
            height,
            age: 0,
        }));
        self.objects.truncate(MOST_TAKEN);
        older.retain_mut(|guess| {
            guess.age += 1;
            guess.age <= OLDEST && !marks.iter().any(|mark| mark.frame == guess.frame)
        });
        older.sort_by_key(|guess| guess.age);
        older.truncate(MOST_OLDER);
        self.objects.extend(older);
        self.objects.sort_by_key(|guess| Reverse(guess.height));
        let (inner, outer) = self.objects.split_at(self.objects.len().min(MOST_TWICE));
        self.clusters = Clusters { inner: clusters(inner, length), outer: clusters(outer, length) };
    }
}

/// Pieces that hold all the frames, ordered by their highest. Many frames lie close together, and a page is read in little
/// more time than a frame.
fn clusters(guesses: &[Guess], length: usize) -> Vec<Piece> {
    let mut guesses = guesses.to_vec();
    guesses.sort_by_key(|guess| guess.frame);
    let mut clusters: Vec<(usize, Piece)> = Vec::new();
    for Guess { frame, height, .. } in guesses {
        if let Some((highest, piece)) = clusters.last_mut()
            && let Ok(inside) = usize::try_from(frame.saturating_sub(piece.address))
            && inside <= (piece.length + NEAR).min(LONGEST_CLUSTER)
        {
            piece.length = piece.length.max(inside + length);
            *highest = height.max(*highest);
        } else {
            clusters.push((height, Piece { address: frame, length }));
        }
    }
    clusters.sort_by_key(|(highest, _)| Reverse(*highest));
    clusters.into_iter().map(|(_, piece)| piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_close_together_are_one_piece_and_the_highest_comes_first() {
        let guess = |frame, height| Guess { frame, height, age: 0 };
        let guesses =
            [guess(90_000, 1), guess(10_400, 9), guess(10_000, 2), guess(12_500, 0), guess(40_000, 5)];
        let expected = [(10_000, 2624), (40_000, 124), (90_000, 124)];
        let expected = expected.map(|(address, length)| Piece { address, length });
        assert_eq!(clusters(&guesses, 124), expected);
        assert_eq!(clusters(&[], 124), []);
    }
}
