//! The call tree: functions in the places where they were called, small branches left out.

use std::collections::HashMap;

use model::profile::{CallNode, Place};
use model::recording::Owner;

use super::places::{BARE, NONE, Places};
use super::weights::Weights;

/// Branches below this share are left out.
const SMALLEST: f64 = 0.005;

/// Deeper calls stay in their caller's total. Readers of JSON commonly stop at 128 levels, of which each call takes two.
const DEPTH: usize = 60;

/// A call to a function that is open this few calls above is folded into it. Further up it is another story: every
/// Python call passes through the interpreter's one loop.
const FOLD: usize = 4;

/// The tree while it is built: nodes with equal functions under one caller are one.
#[derive(Default)]
struct Tree {
    nodes: Vec<Branch>,
    children: HashMap<(u32, u32), u32>,
}

#[derive(Clone, Debug)]
struct Branch {
    parent: u32,
    function: u32,
    own: u64,
    total: u64,
    /// Its lines and their weights decide which one is shown.
    heaviest: (u64, u32),
    children: Vec<u32>,
}

pub(super) fn tree(places: &Places<'_>, weights: &Weights) -> Vec<CallNode> {
    let mut tree = Tree::default();
    let through = weights.through(places);
    let mut of_node = Vec::with_capacity(places.views.len());
    for ((node, view), (own, through)) in (0_u32..).zip(&places.views).zip(weights.own.iter().zip(through)) {
        let caller = of_node.get(view.parent as usize).copied().unwrap_or(NONE);
        let owner = places.functions.get(view.function as usize).map(|place| place.owner);
        let branch = match tree.open(caller, view.function, owner) {
            Some(branch) => branch,
            None => tree.child(caller, view.function),
        };
        of_node.push(branch);
        if let Some(branch) = tree.nodes.get_mut(branch as usize) {
            branch.own = branch.own.saturating_add(*own);
            branch.heaviest = branch.heaviest.max((through, node));
        }
    }
    if weights.bare.0 > 0 {
        let branch = tree.child(NONE, BARE);
        if let Some(branch) = tree.nodes.get_mut(branch as usize) {
            branch.own = branch.own.saturating_add(weights.bare.0);
        }
    }
    tree.add_up();
    let roots: Vec<u32> = (0_u32..)
        .zip(&tree.nodes)
        .filter(|(_, branch)| branch.parent == NONE)
        .map(|(index, _)| index)
        .collect();
    tree.shown(places, weights, &roots, DEPTH)
}

impl Tree {
    /// The nearby caller that this call is folded into.
    fn open(&self, caller: u32, function: u32, owner: Option<Owner>) -> Option<u32> {
        let reach = if owner == Some(Owner::Runtime) { 1 } else { FOLD };
        let mut next = caller;
        for _ in 0..reach {
            let branch = self.nodes.get(next as usize)?;
            if branch.function == function {
                return Some(next);
            }
            next = branch.parent;
        }
        None
    }

    fn child(&mut self, caller: u32, function: u32) -> u32 {
        let next = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let child = *self.children.entry((caller, function)).or_insert(next);
        if child == next {
            let (own, total, heaviest) = (0, 0, (0, NONE));
            self.nodes.push(Branch { parent: caller, function, own, total, heaviest, children: Vec::new() });
            if let Some(caller) = self.nodes.get_mut(caller as usize) {
                caller.children.push(next);
            }
        }
        child
    }

    /// Children come after their callers in the table.
    fn add_up(&mut self) {
        for index in (0..self.nodes.len()).rev() {
            let Some(branch) = self.nodes.get_mut(index) else { continue };
            branch.total = branch.total.saturating_add(branch.own);
            let (total, parent) = (branch.total, branch.parent);
            if let Some(parent) = self.nodes.get_mut(parent as usize) {
                parent.total = parent.total.saturating_add(total);
            }
        }
    }

    fn shown(&self, places: &Places<'_>, weights: &Weights, among: &[u32], depth: usize) -> Vec<CallNode> {
        let Some(below) = depth.checked_sub(1) else { return Vec::new() };
        let large = among.iter().filter_map(|index| self.nodes.get(*index as usize));
        let large = large.filter(|branch| branch.total > 0 && weights.share(branch.total) >= SMALLEST);
        let mut large: Vec<(&Branch, Option<&Place>)> =
            large.map(|branch| (branch, places.functions.get(branch.function as usize))).collect();
        large.sort_by(|one, other| other.0.total.cmp(&one.0.total).then_with(|| one.1.cmp(&other.1)));
        let node = |(branch, place): (&Branch, Option<&Place>)| {
            Some(CallNode {
                place: Place { line: places.line(branch.heaviest.1), ..place?.clone() },
                total: weights.share(branch.total),
                own: weights.share(branch.own),
                children: self.shown(places, weights, &branch.children, below),
            })
        };
        large.into_iter().filter_map(node).collect()
    }
}
