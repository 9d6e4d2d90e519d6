//! Which branches of a tree are wide enough to draw, and where they stand.

use super::tree::{Branch, Tree};

/// The width that "too narrow" is measured at.
pub(crate) const WIDTH: f64 = 1200.0;

/// Frames below a tenth of a pixel are left out.
const PARTS: u64 = 12_000;

/// Browsers refuse pictures of more than about 32,000 pixels; deeper frames are left out.
const DEEPEST: u32 = 1_500;

/// One frame to draw: weights from `start` to `start + total` of the whole.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) branch: Branch,
    /// The branch's position in the tree.
    pub(crate) at: usize,
    pub(crate) start: u64,
}

pub(crate) struct Layout {
    /// Outer frames first.
    pub(crate) placed: Vec<Placed>,
    pub(crate) whole: u64,
    pub(crate) whole_before: u64,
    pub(crate) deepest: u32,
    /// Branches too narrow to draw.
    pub(crate) narrow: u64,
    /// Branches too deep to draw.
    pub(crate) deep: u64,
}

pub(crate) fn layout(tree: &Tree) -> Layout {
    let root = tree.branches.first().copied();
    let (whole, whole_before) = root.map_or((0, 0), |root| (root.total, root.before));
    let mut layout = Layout { placed: Vec::new(), whole, whole_before, deepest: 0, narrow: 0, deep: 0 };
    let mut starts: Vec<Option<u64>> = vec![None; tree.branches.len()];
    for at in ordered(tree, &mut layout) {
        let Some(branch) = tree.branches.get(at).copied() else { continue };
        // The root's parent is the root itself; everyone else begins where the parent's last child ended.
        let start = if at == 0 { Some(0) } else { starts.get(branch.parent as usize).copied().flatten() };
        let Some(start) = start else { continue };
        if let Some(parent) = starts.get_mut(branch.parent as usize).filter(|_| at > 0) {
            *parent = Some(start.saturating_add(branch.total));
        }
        if let Some(own) = starts.get_mut(at) {
            *own = Some(start);
        }
        layout.deepest = layout.deepest.max(branch.depth);
        layout.placed.push(Placed { branch, at, start });
    }
    layout
}

/// Visible branches: parents before their children, siblings by name.
fn ordered(tree: &Tree, layout: &mut Layout) -> Vec<usize> {
    let mut ranks: Vec<usize> = (0..tree.labels.len()).collect();
    ranks.sort_by_key(|at| tree.labels.get(*at).map(|label| (&label.name, label.inlined, label.paint)));
    let mut rank_of = vec![0_usize; ranks.len()];
    for (rank, at) in ranks.into_iter().enumerate() {
        if let Some(slot) = rank_of.get_mut(at) {
            *slot = rank;
        }
    }
    let mut order = Vec::new();
    for (at, branch) in tree.branches.iter().enumerate() {
        if u128::from(branch.total) * u128::from(PARTS) < u128::from(layout.whole) || branch.total == 0 {
            // What was only there before has no width now; it is told apart.
            layout.narrow += u64::from(branch.total > 0);
        } else if branch.depth > DEEPEST {
            layout.deep += 1;
        } else {
            order.push(at);
        }
    }
    order.sort_by_key(|at| {
        tree.branches.get(*at).map(|branch| {
            let rank = rank_of.get(branch.label as usize).copied().unwrap_or(0);
            (if *at == 0 { 0 } else { branch.parent + 1 }, rank)
        })
    });
    order
}

/// Branches that were there before and are gone, each at its outermost frame: how many, and their weight before.
pub(crate) fn gone(tree: &Tree) -> (u64, u64) {
    let alive = |at: u32| tree.branches.get(at as usize).is_some_and(|branch| branch.total > 0);
    let gone = tree.branches.iter().skip(1).filter(|b| b.total == 0 && b.before > 0 && alive(b.parent));
    gone.fold((0, 0), |(count, weight), branch| (count + 1, weight + branch.before))
}
