//! Raw stacks, each stored once: a stack is a node that names its innermost frame and the node of its caller.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use model::recording::Frame;

use crate::hash::Quick;
use crate::perf_map::Maker;
use crate::raw::Raw;

/// Beyond this many nodes (0.6 GB) stacks end early and are counted.
const NODE_LIMIT: usize = 1 << 24;
const NONE: u32 = u32::MAX;

/// All stacks seen.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Positions in `nodes` by hash, open addressing; its length is a power of two and at most half of it is used.
    slots: Vec<u32>,
    named: Vec<Frame>,
    named_at: HashMap<Frame, u32>,
    /// Names of generated code, and what made it.
    labels: Vec<(Arc<str>, Option<Maker>)>,
    label_at: HashMap<(Arc<str>, Option<Maker>), u32>,
    shortened: u64,
    limit: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    parent: u32,
    raw: Raw,
}

impl Node {
    fn slot(self, slots: usize) -> usize {
        let mut hash = Quick::default();
        hash.write_u32(self.parent);
        self.raw.hash(&mut hash);
        // Truncation is meant: only the low bits choose a slot.
        hash.finish() as usize & (slots - 1)
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(NODE_LIMIT)
    }

    /// A tree that holds at most `limit` nodes.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            nodes: Vec::new(),
            slots: vec![NONE; 1024],
            named: Vec::new(),
            named_at: HashMap::new(),
            labels: Vec::new(),
            label_at: HashMap::new(),
            shortened: 0,
            limit: limit.min(NODE_LIMIT),
        }
    }

    /// The node of a stack, given innermost frame first as [`crate::Unwinder::unwind`] does. `None` for no frames.
    pub fn intern(&mut self, frames: &[Raw]) -> Option<u32> {
        let mut parent = NONE;
        for raw in frames.iter().rev() {
            match self.node(Node { parent, raw: *raw }) {
                Some(node) => parent = node,
                None => {
                    self.shortened += 1;
                    break;
                }
            }
        }
        (parent != NONE).then_some(parent)
    }

    /// The stack of a frame called from a stack of the tree; that stack itself when the tree is full.
    pub(crate) fn child(&mut self, parent: Option<u32>, raw: Raw) -> Option<u32> {
        let child = self.node(Node { parent: parent.unwrap_or(NONE), raw });
        self.shortened += u64::from(child.is_none());
        child.or(parent)
    }

    /// A frame that has its name already, for [`Raw::Named`].
    pub fn name_frame(&mut self, frame: Frame) -> u32 {
        if let Some(at) = self.named_at.get(&frame) {
            return *at;
        }
        let at = u32::try_from(self.named.len()).unwrap_or(NONE);
        self.named.push(frame.clone());
        self.named_at.insert(frame, at);
        at
    }

    /// The name that a map has for generated code, as a frame.
    pub fn label(&mut self, name: Arc<str>, maker: Option<Maker>) -> Raw {
        let next = u32::try_from(self.labels.len()).unwrap_or(NONE);
        let label = match self.label_at.entry((name, maker)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                self.labels.push(free.key().clone());
                *free.insert(next)
            }
        };
        Raw::Labelled { label }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many stacks lost inner frames because the tree was full.
    #[must_use]
    pub fn shortened(&self) -> u64 {
        self.shortened
    }

    /// Caller and frame of each node; callers come before those they call.
    pub fn nodes(&self) -> impl Iterator<Item = (Option<u32>, Raw)> {
        self.nodes.iter().map(|node| ((node.parent != NONE).then_some(node.parent), node.raw))
    }

    pub(crate) fn named(&self, at: u32) -> Option<&Frame> {
        self.named.get(at as usize)
    }

    pub(crate) fn labelled(&self, at: u32) -> Option<(&str, Option<Maker>)> {
        self.labels.get(at as usize).map(|(name, maker)| (&**name, *maker))
    }

    /// `None` when the tree is full.
    fn node(&mut self, node: Node) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = node.slot(self.slots.len());
        loop {
            let at = *self.slots.get(slot)?;
            if at == NONE {
                break;
            }
            if self.nodes.get(at as usize) == Some(&node) {
                return Some(at);
            }
            slot = (slot + 1) & mask;
        }
        if self.nodes.len() >= self.limit {
            return None;
        }
        let at = u32::try_from(self.nodes.len()).ok()?;
        self.nodes.push(node);
        *self.slots.get_mut(slot)? = at;
        if self.nodes.len() * 2 > self.slots.len() {
            self.grow();
        }
        Some(at)
    }

    fn grow(&mut self) {
        let length = self.slots.len() * 2;
        let mut slots = vec![NONE; length];
        for (at, node) in (0..).zip(&self.nodes) {
            let mut slot = node.slot(length);
            while slots.get(slot).is_some_and(|taken| *taken != NONE) {
                slot = (slot + 1) & (length - 1);
            }
            if let Some(free) = slots.get_mut(slot) {
                *free = at;
            }
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(addresses: &[u64]) -> Vec<Raw> {
        addresses.iter().map(|address| Raw::Kernel { address: *address }).collect()
    }

    #[test]
    fn equal_stacks_are_one_node_and_share_their_callers() {
        let mut tree = Tree::new();
        let long = tree.intern(&kernel(&[3, 2, 1]));
        assert_eq!(tree.intern(&kernel(&[3, 2, 1])), long);
        assert_eq!(tree.len(), 3);
        let other = tree.intern(&kernel(&[4, 2, 1]));
        assert_ne!(other, long);
        assert_eq!(tree.len(), 4);
        assert_eq!(tree.intern(&[]), None);
    }

    #[test]
    fn many_stacks_stay_apart() {
        let mut tree = Tree::new();
        let all: Vec<_> = (0..10_000).map(|at| tree.intern(&kernel(&[at, at / 7]))).collect();
        for (at, node) in (0..10_000).zip(&all) {
            assert_eq!(tree.intern(&kernel(&[at, at / 7])), *node);
        }
        let parents: Vec<_> = tree.nodes().map(|(parent, _)| parent).collect();
        assert!((0..).zip(&parents).all(|(at, parent)| parent.is_none_or(|parent| parent < at)));
    }

    #[test]
    fn a_full_tree_ends_stacks_early_and_says_so() {
        let mut tree = Tree::with_limit(2);
        assert_eq!(tree.intern(&kernel(&[3, 2, 1])), Some(1));
        assert_eq!((tree.len(), tree.shortened()), (2, 1));
    }
}
