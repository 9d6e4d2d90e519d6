//! The control flow of one function: basic blocks, who dominates whom, and natural loops.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::instruction::{Flow, Instruction, Work};

/// Position in [`Graph::blocks`].
pub(crate) type BlockIndex = usize;

pub(crate) struct Graph {
    /// In address order.
    pub(crate) blocks: Vec<Block>,
    /// Outer loops before the loops they hold.
    pub(crate) loops: Vec<Loop>,
    /// Jumps whose targets the code does not name.
    pub(crate) jumps_anywhere: usize,
    /// Loops that were found but are not in `loops`, because there are too many.
    pub(crate) left_out: usize,
}

/// Real functions have a few hundred loops at most; these bound what made-up code costs.
const MOST_LOOPS: usize = 2_000;
const MOST_MEMBERS: usize = 1_000_000;

pub(crate) struct Block {
    /// Positions in the function's instructions.
    pub(crate) instructions: Range<usize>,
    /// Blocks of the same function.
    pub(crate) next: Vec<BlockIndex>,
    /// It can leave the function.
    pub(crate) leaves: bool,
}

impl Block {
    fn is_padding(&self, instructions: &[Instruction]) -> bool {
        let own = instructions.get(self.instructions.clone()).unwrap_or_default();
        own.iter().all(|instruction| instruction.work == Work::Nothing)
    }
}

pub(crate) struct Loop {
    pub(crate) head: BlockIndex,
    /// In address order; the head is among them.
    pub(crate) blocks: BTreeSet<BlockIndex>,
    /// Blocks that jump back to the head.
    pub(crate) latches: Vec<BlockIndex>,
    /// 1 for an outermost loop.
    pub(crate) depth: u32,
    pub(crate) innermost: bool,
}

impl Graph {
    pub(crate) fn of(instructions: &[Instruction]) -> Self {
        let mut blocks = blocks(instructions);
        connect(&mut blocks, instructions);
        let order = Order::of(&blocks, instructions);
        let dominators = spans(&order.dominators(&blocks));
        let (loops, left_out) = loops(&blocks, &order, &dominators);
        let anywhere = |instruction: &&Instruction| instruction.flow == Flow::JumpAnywhere;
        let jumps_anywhere = instructions.iter().filter(anywhere).count();
        Self { blocks, loops, jumps_anywhere, left_out }
    }

    /// The innermost loop's blocks of a loop, in an order in which each comes after all that lead to it.
    pub(crate) fn in_order(&self, found: &Loop) -> Vec<BlockIndex> {
        let mut done = BTreeSet::new();
        let mut order = Vec::new();
        self.finish(found, &mut done, &mut order);
        order.reverse();
        order
    }

    fn finish(&self, found: &Loop, done: &mut BTreeSet<BlockIndex>, order: &mut Vec<BlockIndex>) {
        let mut open = vec![(found.head, 0)];
        done.insert(found.head);
        while let Some((block, at)) = open.pop() {
            let next = self.blocks.get(block).and_then(|block| block.next.get(at)).copied();
            let Some(next) = next else {
                order.push(block);
                continue;
            };
            open.push((block, at + 1));
            if found.blocks.contains(&next) && done.insert(next) {
                open.push((next, 0));
            }
        }
    }
}

/// A block begins at the first instruction, at each target, and behind each instruction that may go elsewhere.
fn blocks(instructions: &[Instruction]) -> Vec<Block> {
    let mut starts: BTreeSet<usize> = BTreeSet::from([0]);
    for (at, instruction) in instructions.iter().enumerate() {
        match instruction.flow {
            Flow::Next | Flow::Call(_) => continue,
            Flow::Jump(target) | Flow::Branch(target) => starts.extend(position(instructions, target)),
            Flow::JumpAnywhere | Flow::Return | Flow::Stop => {}
        }
        starts.insert(at + 1);
    }
    starts.retain(|start| *start < instructions.len());
    let ends = starts.iter().skip(1).copied().chain([instructions.len()]);
    let ranges = starts.iter().copied().zip(ends);
    ranges.map(|(from, to)| Block { instructions: from..to, next: Vec::new(), leaves: false }).collect()
}

/// The instruction that begins at this address. `None` also for an address inside one.
fn position(instructions: &[Instruction], address: u64) -> Option<usize> {
    instructions.binary_search_by_key(&address, |instruction| instruction.address).ok()
}

fn connect(blocks: &mut [Block], instructions: &[Instruction]) {
    let starts: BTreeMap<usize, BlockIndex> =
        blocks.iter().enumerate().map(|(index, block)| (block.instructions.start, index)).collect();
    for block in blocks {
        let Some(last) = instructions.get(block.instructions.end.wrapping_sub(1)) else { continue };
        let behind = starts.get(&block.instructions.end).copied();
        let at = |target| position(instructions, target).and_then(|at| starts.get(&at)).copied();
        let ways: Vec<Option<BlockIndex>> = match last.flow {
            Flow::Next | Flow::Call(_) => vec![behind],
            Flow::Jump(target) => vec![at(target)],
            Flow::Branch(target) => vec![behind, at(target)],
            Flow::JumpAnywhere | Flow::Return => vec![None],
            Flow::Stop => Vec::new(),
        };
        block.leaves = ways.contains(&None);
        block.next = ways.into_iter().flatten().collect();
        block.next.dedup();
    }
}

/// Blocks in reverse postorder from the entry. What only a jump table reaches is begun anew, so that loops there are
/// found too.
struct Order {
    blocks: Vec<BlockIndex>,
    /// Where each block stands in `blocks`, counted from 1: 0 is the root before all beginnings.
    ranks: Vec<usize>,
    beginnings: BTreeSet<BlockIndex>,
    previous: Vec<Vec<BlockIndex>>,
}

impl Order {
    fn of(blocks: &[Block], instructions: &[Instruction]) -> Self {
        let mut lone = vec![true; blocks.len()];
        for next in blocks.iter().flat_map(|block| &block.next) {
            if let Some(slot) = lone.get_mut(*next) {
                *slot = false;
            }
        }
        let lone = (0..blocks.len()).filter(|index| lone.get(*index) == Some(&true));
        let candidates = [0].into_iter().chain(lone).chain(0..blocks.len());
        let mut seen = vec![false; blocks.len()];
        let mut finished = Vec::new();
        let mut beginnings = BTreeSet::new();
        for candidate in candidates {
            // Padding before a loop runs into it, but nobody runs into the padding.
            let padding = blocks.get(candidate).is_none_or(|block| block.is_padding(instructions));
            if !padding && seen.get(candidate) == Some(&false) {
                beginnings.insert(candidate);
                visit(blocks, candidate, &mut seen, &mut finished);
            }
        }
        let mut previous = vec![Vec::new(); blocks.len()];
        for (index, block) in blocks.iter().enumerate().filter(|(index, _)| seen.get(*index) == Some(&true)) {
            for next in &block.next {
                if let Some(list) = previous.get_mut(*next) {
                    list.push(index);
                }
            }
        }
        finished.reverse();
        let mut ranks = vec![0; blocks.len()];
        for (rank, block) in finished.iter().enumerate() {
            if let Some(slot) = ranks.get_mut(*block) {
                *slot = rank + 1;
            }
        }
        Self { blocks: finished, ranks, beginnings, previous }
    }

    /// For each block the rank of the block that dominates it directly; after Cooper, Harvey and Kennedy (2001).
    fn dominators(&self, blocks: &[Block]) -> Vec<usize> {
        let mut direct: Vec<Option<usize>> = vec![None; blocks.len() + 1];
        if let Some(root) = direct.first_mut() {
            *root = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in &self.blocks {
                let found = self.meeting(*block, &direct);
                let slot = self.ranks.get(*block).and_then(|rank| direct.get_mut(*rank));
                if let Some(slot) = slot.filter(|slot| **slot != found) {
                    *slot = found;
                    changed = true;
                }
            }
        }
        direct.into_iter().map(|found| found.unwrap_or(0)).collect()
    }

    fn meeting(&self, block: BlockIndex, direct: &[Option<usize>]) -> Option<usize> {
        let root = self.beginnings.contains(&block).then_some(0);
        let previous = self.previous.get(block).into_iter().flatten();
        let ranks = previous.filter_map(|block| self.ranks.get(*block).copied());
        let known = ranks.filter(|rank| direct.get(*rank).is_some_and(Option::is_some));
        root.into_iter().chain(known).reduce(|mut one, mut other| {
            while one != other {
                let deeper = if one > other { &mut one } else { &mut other };
                *deeper = direct.get(*deeper).copied().flatten().unwrap_or(0);
            }
            one
        })
    }

    fn dominates(&self, above: BlockIndex, below: BlockIndex, spans: &[Range<usize>]) -> bool {
        // Rank 0 is the root's: the block is never reached.
        let rank = |block: BlockIndex| self.ranks.get(block).copied().filter(|rank| *rank > 0);
        let span = |block: BlockIndex| rank(block).and_then(|rank| spans.get(rank));
        span(above).zip(span(below)).is_some_and(|(above, below)| above.contains(&below.start))
    }
}

/// For each rank the span of a walk over the tree of dominators that lies below it, so that one comparison tells
/// whether a block dominates another, however deep the tree is.
fn spans(direct: &[usize]) -> Vec<Range<usize>> {
    let mut below = vec![Vec::new(); direct.len()];
    for (rank, above) in direct.iter().enumerate().skip(1) {
        if let Some(list) = below.get_mut(*above) {
            list.push(rank);
        }
    }
    let mut spans = vec![0..0; direct.len()];
    let mut clock = 0;
    let mut open = vec![(0, 0)];
    while let Some((rank, at)) = open.pop() {
        let Some(span) = spans.get_mut(rank) else { continue };
        if at == 0 {
            span.start = clock;
            clock += 1;
        }
        span.end = clock;
        if let Some(next) = below.get(rank).and_then(|list| list.get(at)) {
            open.push((rank, at + 1));
            open.push((*next, 0));
        }
    }
    spans
}

fn visit(blocks: &[Block], from: BlockIndex, seen: &mut [bool], finished: &mut Vec<BlockIndex>) {
    let mut open = vec![(from, 0)];
    mark(seen, from);
    while let Some((block, at)) = open.pop() {
        let Some(next) = blocks.get(block).and_then(|block| block.next.get(at)).copied() else {
            finished.push(block);
            continue;
        };
        open.push((block, at + 1));
        if mark(seen, next) {
            open.push((next, 0));
        }
    }
}

/// Whether it was not marked before.
fn mark(seen: &mut [bool], block: BlockIndex) -> bool {
    seen.get_mut(block).is_some_and(|seen| !std::mem::replace(seen, true))
}

/// A jump to a block that dominates its origin is a loop; jumps to the same head are the same loop. The second answer
/// is how many were left out.
fn loops(blocks: &[Block], order: &Order, dominators: &[Range<usize>]) -> (Vec<Loop>, usize) {
    let mut latches: BTreeMap<BlockIndex, Vec<BlockIndex>> = BTreeMap::new();
    for (index, block) in blocks.iter().enumerate() {
        for next in &block.next {
            if order.dominates(*next, index, dominators) {
                latches.entry(*next).or_default().push(index);
            }
        }
    }
    let all = latches.len();
    // Inner heads come behind outer ones, and inner loops are wanted most.
    let mut heads: Vec<_> = latches.into_iter().collect();
    heads.sort_by_key(|(head, _)| std::cmp::Reverse(order.ranks.get(*head).copied()));
    let mut loops = Vec::new();
    let mut members = 0;
    for (head, latches) in heads.into_iter().take(MOST_LOOPS) {
        let blocks = body(head, &latches, &order.previous);
        members += blocks.len();
        if members > MOST_MEMBERS {
            break;
        }
        loops.push(Loop { head, blocks, latches, depth: 1, innermost: true });
    }
    let left_out = all - loops.len();
    loops.sort_by_key(|found| std::cmp::Reverse(found.blocks.len()));
    nest(&mut loops);
    (loops, left_out)
}

fn body(head: BlockIndex, latches: &[BlockIndex], previous: &[Vec<BlockIndex>]) -> BTreeSet<BlockIndex> {
    let mut blocks = BTreeSet::from([head]);
    let mut open = latches.to_vec();
    while let Some(block) = open.pop() {
        if blocks.insert(block) {
            open.extend(previous.get(block).into_iter().flatten());
        }
    }
    blocks
}

/// Loops come largest first, so what holds a loop stands before it.
fn nest(loops: &mut [Loop]) {
    for at in 0..loops.len() {
        let (before, rest) = loops.split_at_mut(at);
        let Some(inner) = rest.first_mut() else { return };
        for outer in before.iter_mut().filter(|outer| outer.blocks.contains(&inner.head)) {
            outer.innermost = false;
            inner.depth += 1;
        }
    }
}
