//! Steps from a frame to its caller that were taken before.
//!
//! A thread that computes is found in the same places again and again. As long as the registers of a frame, the mappings of
//! its process and the few words of the stack that were read are what they were, its caller is, too.

use std::hash::Hasher as _;

use crate::arch::Frame;
use crate::hash::Quick;
use crate::raw::{Raw, Registers};

/// A power of two. A step takes 200 bytes, and only those in use are ever touched.
const SLOTS: usize = 1024;

/// Words of the stack that a usual step reads, at most: the return address and the frame pointer, one of them twice.
const WORDS: usize = 3;

/// What a step hangs on besides the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct From {
    pub(crate) pid: u32,
    /// Of the mappings.
    pub(crate) version: u64,
    pub(crate) exact: bool,
    pub(crate) registers: Registers,
}

/// A frame, and the way on from it.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    from: From,
    reads: Reads,
    /// Where it was, as the process counts.
    pub(crate) address: u64,
    pub(crate) raw: Raw,
    /// It lies in memory that is known as code.
    pub(crate) known: bool,
    /// `Some(None)` at the end of the stack, `None` when it cannot be told.
    pub(crate) caller: Option<Option<(Registers, bool)>>,
}

/// Words of a stack, as they were read. `None` outside the copy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reads {
    words: [(u64, Option<u64>); WORDS],
    /// How many there were; more than fit are only counted.
    count: usize,
}

impl Reads {
    pub(crate) fn add(&mut self, address: u64, word: Option<u64>) {
        if let Some(slot) = self.words.get_mut(self.count) {
            *slot = (address, word);
        }
        self.count += 1;
    }

    fn still(&self, read: impl Fn(u64) -> Option<u64>) -> bool {
        self.words.iter().take(self.count).all(|(address, word)| read(*address) == *word)
    }
}

/// Steps by what they hang on; one that comes to the place of another takes it.
pub(crate) struct Steps {
    slots: Vec<Option<Step>>,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { slots: vec![None; SLOTS] }
    }

    /// The step from here, if it was taken before and `read` finds the stack as it was.
    pub(crate) fn known(&self, from: &From, read: impl Fn(u64) -> Option<u64>) -> Option<&Step> {
        let step = self.slots.get(slot(from))?.as_ref()?;
        (step.from == *from && step.reads.still(read)).then_some(step)
    }

    /// Keeps a step, when that tells all there is to its caller. Returns whether it does.
    pub(crate) fn keep(
        &mut self,
        from: From,
        (address, raw, known): (u64, Raw, bool),
        caller: Option<Option<Frame>>,
        reads: Reads,
    ) -> bool {
        let plain = match caller {
            Some(Some(caller)) => match caller.plain() {
                Some(registers) => Some(Some((registers, caller.exact))),
                None => return false,
            },
            Some(None) => Some(None),
            None => None,
        };
        if let Some(slot) = self.slots.get_mut(slot(&from)).filter(|_| reads.count <= WORDS) {
            *slot = Some(Step { from, reads, address, raw, known, caller: plain });
        }
        true
    }
}

fn slot(from: &From) -> usize {
    let mut hash = Quick::default();
    for word in [u64::from(from.pid), from.registers.ip, from.registers.sp, from.registers.bp] {
        hash.write_u64(word);
    }
    // Truncation is meant: only the low bits choose a slot.
    hash.finish() as usize & (SLOTS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAW: Raw = Raw::Kernel { address: 1 };

    fn from(ip: u64) -> From {
        From { pid: 7, version: 1, exact: true, registers: Registers { ip, sp: 100, bp: 200, lr: 0 } }
    }

    #[test]
    fn a_step_is_known_while_all_that_it_hangs_on_is_the_same() {
        let mut steps = Steps::new();
        let mut reads = Reads::default();
        reads.add(100, Some(5));
        reads.add(108, None);
        assert!(steps.keep(from(1), (1, RAW, true), Some(None), reads));
        let stack = |address| (address == 100).then_some(5);
        assert!(steps.known(&from(1), stack).is_some_and(|step| step.caller == Some(None) && step.known));
        assert!(steps.known(&from(2), stack).is_none());
        assert!(steps.known(&From { version: 2, ..from(1) }, stack).is_none());
        assert!(steps.known(&From { exact: false, ..from(1) }, stack).is_none());
        assert!(steps.known(&from(1), |_| Some(5)).is_none());
        assert!(steps.known(&from(1), |_| None).is_none());
    }

    #[test]
    fn a_step_that_read_much_is_not_kept() {
        let mut steps = Steps::new();
        let mut reads = Reads::default();
        (0..=WORDS as u64).for_each(|at| reads.add(at, None));
        assert!(steps.keep(from(1), (1, RAW, true), None, reads));
        assert!(steps.known(&from(1), |_| None).is_none());
    }
}
