//! The six questions about a loop, and what kept it scalar.

mod access;
mod alignment;
mod blockers;
mod branches;
mod calls;
mod spills;
mod vector;

use std::collections::BTreeSet;

use model::machine_code::{Found, Pattern, SourceLine, Verdict};

use crate::code::Code;
use crate::graph::{BlockIndex, Graph, Loop};
use crate::instruction::Instruction;
use crate::iteration::Iteration;

pub(crate) use blockers::blockers;

/// An innermost loop with all that is known of it.
pub(crate) struct Scene<'a, 'bytes> {
    pub(crate) code: &'a Code<'bytes>,
    pub(crate) instructions: &'a [Instruction],
    pub(crate) graph: &'a Graph,
    pub(crate) found: &'a Loop,
    pub(crate) iteration: &'a Iteration,
    /// The loop's instructions, in address order.
    pub(crate) positions: &'a [usize],
    pub(crate) machine_bits: Option<u32>,
    pub(crate) unoptimised: bool,
}

/// One answer to each question, always in the same order.
pub(crate) fn all(scene: &Scene<'_, '_>) -> Vec<Pattern> {
    vec![
        vector::pattern(scene),
        branches::pattern(scene),
        calls::pattern(scene),
        access::pattern(scene),
        spills::pattern(scene),
        alignment::pattern(scene),
    ]
}

impl Scene<'_, '_> {
    fn pattern(&self, verdict: Verdict, found: Found, at: Vec<u64>) -> Pattern {
        let lines: BTreeSet<SourceLine> =
            at.iter().filter_map(|address| self.code.line_at(*address)).collect();
        Pattern { verdict, found, lines: lines.into_iter().collect(), at }
    }

    fn loop_instructions(&self) -> impl Iterator<Item = (usize, &Instruction)> {
        self.positions.iter().filter_map(|at| Some((*at, self.instructions.get(*at)?)))
    }

    fn addresses(&self, positions: impl IntoIterator<Item = usize>) -> Vec<u64> {
        let found = positions.into_iter().filter_map(|at| self.instructions.get(at));
        let addresses: BTreeSet<u64> = found.map(|instruction| instruction.address).collect();
        addresses.into_iter().collect()
    }

    fn block_of(&self, position: usize) -> Option<BlockIndex> {
        let mut blocks = self.found.blocks.iter().copied();
        blocks.find(|block| {
            self.graph.blocks.get(*block).is_some_and(|block| block.instructions.contains(&position))
        })
    }

    /// Whether a jump at this place can leave the loop.
    fn leaves(&self, position: usize) -> bool {
        let block = self.block_of(position).and_then(|block| self.graph.blocks.get(block));
        block.is_none_or(|block| {
            block.leaves || block.next.iter().any(|next| !self.found.blocks.contains(next))
        })
    }
}
