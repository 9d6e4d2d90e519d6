//! Stacks merged into one tree of functions, from the outermost frame inwards or from the innermost outwards.

use std::collections::HashMap;

use model::leaf::Charge;
use model::recording::{Frame, Language, Owner, Recording};

use crate::stack::{self, Heap, Kind, NO_STACK, Quick, Weighed};

/// What a frame is called and how it is painted. Lines of one function are one label.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    pub(crate) name: String,
    pub(crate) paint: Paint,
    pub(crate) inlined: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Paint {
    Code(Owner, Language),
    Wait(Charge),
    Root,
}

/// A function in one place of the tree. The parent's position is always smaller than the branch's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) parent: u32,
    pub(crate) label: u32,
    pub(crate) depth: u32,
    /// In it alone.
    pub(crate) own: u64,
    /// In it and below; known after [`Tree::summed`].
    pub(crate) total: u64,
    /// The same in the earlier recording.
    pub(crate) before: u64,
}

/// How stacks are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the program's first function to what it calls.
    #[default]
    Callees,
    /// From the function that ran or waited to who called it.
    Callers,
}

pub(crate) struct Tree {
    pub(crate) labels: Vec<Label>,
    /// Where a label was first seen: file and module, for the details.
    pub(crate) origins: Vec<String>,
    pub(crate) branches: Vec<Branch>,
    label_at: HashMap<Label, u32>,
    branch_at: Quick<(u32, u32), u32>,
}

const ROOT: u32 = 0;

/// Whether weights are those of the earlier recording.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Now,
    Before,
}

impl Tree {
    pub(crate) fn new(
        recording: &Recording,
        weighed: &Weighed,
        before: Option<(&Recording, &Weighed)>,
        direction: Direction,
    ) -> Self {
        let mut tree = Self {
            labels: Vec::new(),
            origins: Vec::new(),
            branches: Vec::new(),
            label_at: HashMap::new(),
            branch_at: Quick::default(),
        };
        let root = Label { name: "all".to_owned(), paint: Paint::Root, inlined: false };
        let label = tree.label(root, String::new);
        tree.branches.push(Branch { parent: ROOT, label, depth: 0, own: 0, total: 0, before: 0 });
        tree.grow(recording, weighed, direction, Side::Now);
        if let Some((earlier, weighed)) = before {
            tree.grow(earlier, weighed, direction, Side::Before);
        }
        tree.summed()
    }

    /// Every branch's sums. Children stand behind their parents, so one pass from the end is enough.
    fn summed(mut self) -> Self {
        for branch in &mut self.branches {
            branch.total = branch.own;
        }
        for at in (1..self.branches.len()).rev() {
            let Some(Branch { parent, total, before, .. }) = self.branches.get(at).copied() else { continue };
            if let Some(parent) = self.branches.get_mut(parent as usize) {
                parent.total = parent.total.saturating_add(total);
                parent.before = parent.before.saturating_add(before);
            }
        }
        self
    }

    fn grow(&mut self, recording: &Recording, weighed: &Weighed, direction: Direction, side: Side) {
        let frames: Vec<u32> = recording.frames.iter().map(|frame| self.frame(recording, frame)).collect();
        match direction {
            Direction::Callees => self.inwards(recording, weighed, &frames, side),
            Direction::Callers => self.outwards(recording, weighed, &frames, side),
        }
    }

    fn inwards(&mut self, recording: &Recording, weighed: &Weighed, frames: &[u32], side: Side) {
        let wanted = wanted(recording, &weighed.stacks);
        let mut places = vec![ROOT; recording.nodes.len()];
        for (at, node) in recording.nodes.iter().enumerate() {
            if !wanted.get(at).copied().unwrap_or(false) {
                continue;
            }
            let parent = node.parent.map(|parent| parent as usize).filter(|parent| *parent < at);
            let parent = parent.and_then(|parent| places.get(parent)).copied().unwrap_or(ROOT);
            let label = self.label_of(frames, node.frame);
            let place = self.descend(parent, label);
            if let Some(slot) = places.get_mut(at) {
                *slot = place;
            }
        }
        for heap in &weighed.stacks {
            let place = heap.stack.and_then(|stack| places.get(stack as usize)).copied();
            let place = place.unwrap_or_else(|| self.bare());
            let place = self.waiting(place, heap.leaf);
            self.add(place, heap.weight, side);
        }
    }

    fn outwards(&mut self, recording: &Recording, weighed: &Weighed, frames: &[u32], side: Side) {
        for heap in &weighed.stacks {
            let mut place = self.waiting(ROOT, heap.leaf);
            match heap.stack {
                Some(stack) => {
                    for node in recording.path_of(stack) {
                        let label = self.label_of(frames, node.frame);
                        place = self.descend(place, label);
                    }
                }
                None => {
                    let label = self.unknown();
                    place = self.descend(place, label);
                }
            }
            self.add(place, heap.weight, side);
        }
    }

    fn add(&mut self, place: u32, weight: u64, side: Side) {
        if let Some(branch) = self.branches.get_mut(place as usize) {
            let sum = if side == Side::Now { &mut branch.own } else { &mut branch.before };
            *sum = sum.saturating_add(weight);
        }
    }

    fn bare(&mut self) -> u32 {
        let label = self.unknown();
        self.descend(ROOT, label)
    }

    fn waiting(&mut self, place: u32, leaf: Option<Charge>) -> u32 {
        let Some(leaf) = leaf else { return place };
        let label = Label { name: leaf.id().to_owned(), paint: Paint::Wait(leaf), inlined: false };
        let label = self.label(label, String::new);
        self.descend(place, label)
    }

    fn label_of(&mut self, frames: &[u32], frame: u32) -> u32 {
        frames.get(frame as usize).copied().unwrap_or_else(|| self.unknown())
    }

    fn unknown(&mut self) -> u32 {
        let paint = Paint::Code(Owner::Unknown, Language::Unknown);
        self.label(Label { name: NO_STACK.to_owned(), paint, inlined: false }, String::new)
    }

    fn frame(&mut self, recording: &Recording, frame: &Frame) -> u32 {
        let owner = if frame.language == Language::Kernel { Owner::Kernel } else { frame.owner };
        let paint = Paint::Code(owner, frame.language);
        let label = Label { name: stack::name(recording, frame), paint, inlined: frame.inlined };
        self.label(label, || {
            let place = [frame.file.as_deref(), stack::module(recording, frame)];
            place.into_iter().flatten().collect::<Vec<_>>().join(" in ")
        })
    }

    fn label(&mut self, label: Label, origin: impl FnOnce() -> String) -> u32 {
        if let Some(at) = self.label_at.get(&label) {
            return *at;
        }
        let at = position(self.labels.len());
        self.label_at.insert(label.clone(), at);
        self.labels.push(label);
        self.origins.push(origin());
        at
    }

    fn descend(&mut self, parent: u32, label: u32) -> u32 {
        let next = position(self.branches.len());
        let branches = &mut self.branches;
        *self.branch_at.entry((parent, label)).or_insert_with(|| {
            let depth = branches.get(parent as usize).map_or(0, |branch| branch.depth) + 1;
            branches.push(Branch { parent, label, depth, own: 0, total: 0, before: 0 });
            next
        })
    }
}

/// Which nodes carry weight, themselves or further in.
fn wanted(recording: &Recording, stacks: &[Heap]) -> Vec<bool> {
    let mut wanted = vec![false; recording.nodes.len()];
    for heap in stacks {
        if let Some(slot) = heap.stack.and_then(|stack| wanted.get_mut(stack as usize)) {
            *slot = true;
        }
    }
    for (at, node) in recording.nodes.iter().enumerate().rev() {
        let needed = wanted.get(at).copied().unwrap_or(false);
        let parent = node.parent.map(|parent| parent as usize).filter(|parent| needed && *parent < at);
        if let Some(slot) = parent.and_then(|parent| wanted.get_mut(parent)) {
            *slot = true;
        }
    }
    wanted
}

/// Tables are named by 32 bits throughout; a file with more would be 64 GB.
fn position(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The unit and weights of a recording for a kind, and its earlier twin if there is one.
pub(crate) fn of(
    recording: &Recording,
    before: Option<&Recording>,
    kind: Kind,
    direction: Direction,
) -> (Tree, stack::Measure) {
    let weighed = stack::weigh(recording, kind);
    let earlier = before.map(|before| (before, stack::weigh(before, kind)));
    let earlier = earlier.as_ref().map(|(before, weighed)| (*before, weighed));
    let tree = Tree::new(recording, &weighed, earlier, direction);
    (tree, weighed.measure)
}
