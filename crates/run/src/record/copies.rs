//! How much of a stack is copied with each hit: much, until it was seen that little is enough.
//!
//! A thread stands while the kernel copies its stack. Behind the end of a short stack the kernel runs into a page that is not
//! there, and records with much room are read from cold memory. So the clocks are opened twice, and the ones with short
//! copies take over where nothing is lost by that. As soon as one stack is cut thereby copies are long again, and it takes twice
//! as many hits as before until they are short: of a long run a handful of stacks are cut, not a share.

use super::events::Copies;

/// Of a stack, in a short copy.
pub(super) const SHORT: u32 = 4096;

/// Of a short copy, what hits may have read before it is used: the rest is for those to come.
const CONTENT: u64 = SHORT as u64 / 2;

/// So many hits one after the other must have read no more, the first time.
const ENOUGH: u32 = 256;

/// With more threads copies stay long: changing them takes about 2 µs for each thread and CPU.
pub(super) const MOST_THREADS: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(super) struct Copying {
    state: State,
    /// Hits in a row that make copies short.
    enough: u32,
    /// To be told once more.
    again: bool,
    /// Hits while copies were short.
    pub(super) short: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// So many hits in a row would have been content with short ones.
    Long {
        content: u32,
    },
    Short,
    /// A stack was cut.
    TooShort,
}

impl Default for Copying {
    fn default() -> Self {
        Self { state: State::Long { content: 0 }, enough: ENOUGH, again: false, short: 0 }
    }
}

impl Copying {
    /// A hit was unwound from a copy of so many bytes, and this is how far it was read.
    pub(super) fn unwound(&mut self, reach: u64, copied: usize) {
        self.short += u64::from(self.state == State::Short);
        match &mut self.state {
            State::Long { content } if reach <= CONTENT => *content = content.saturating_add(1),
            State::Long { content } => *content = 0,
            // A copy that is shorter still ends where the stack does.
            State::Short if reach > copied as u64 && copied == SHORT as usize => self.state = State::TooShort,
            _ => {}
        }
    }

    /// What to change now, if anything. `may` is whether short copies are possible.
    pub(super) fn wanted(&mut self, may: impl FnOnce() -> bool) -> Option<Copies> {
        let changed = match self.state {
            State::Long { content } if content >= self.enough && may() => Some(State::Short),
            State::TooShort => {
                self.enough = self.enough.saturating_mul(2);
                Some(State::Long { content: 0 })
            }
            _ => None,
        };
        self.state = changed.unwrap_or(self.state);
        let again = std::mem::replace(&mut self.again, changed.is_some());
        (again || changed.is_some()).then(|| self.now())
    }

    pub(super) fn now(&self) -> Copies {
        if self.state == State::Short { Copies::Short } else { Copies::Long }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hits that read so far, of copies that are long enough.
    fn hits(copying: &mut Copying, number: u32, reach: u64) {
        (0..number).for_each(|_| copying.unwound(reach, 32 * 1024));
    }

    #[test]
    fn copies_are_short_after_many_hits_that_read_little_and_told_twice() {
        let mut copying = Copying::default();
        hits(&mut copying, ENOUGH - 1, CONTENT);
        assert_eq!(copying.wanted(|| true), None);
        hits(&mut copying, 1, CONTENT + 1);
        hits(&mut copying, ENOUGH, 8);
        assert_eq!(copying.wanted(|| false), None);
        assert_eq!(copying.wanted(|| true), Some(Copies::Short));
        assert_eq!(copying.wanted(|| true), Some(Copies::Short));
        assert_eq!(copying.wanted(|| true), None);
    }

    #[test]
    fn one_stack_that_is_cut_makes_them_long_and_that_holds_longer_each_time() {
        let mut copying = Copying::default();
        hits(&mut copying, ENOUGH, 8);
        assert_eq!(copying.wanted(|| true), Some(Copies::Short));
        // Old ones, the end of a stack, and one that was just enough.
        hits(&mut copying, 9, 9000);
        copying.unwound(800, 792);
        copying.unwound(u64::from(SHORT), SHORT as usize);
        assert_eq!(copying.wanted(|| true), Some(Copies::Short));
        copying.unwound(u64::from(SHORT) + 8, SHORT as usize);
        assert_eq!(copying.wanted(|| true), Some(Copies::Long));
        assert_eq!(copying.wanted(|| true), Some(Copies::Long));
        hits(&mut copying, 2 * ENOUGH - 1, 8);
        assert_eq!(copying.wanted(|| true), None);
        hits(&mut copying, 1, 8);
        assert_eq!(copying.wanted(|| true), Some(Copies::Short));
    }
}
