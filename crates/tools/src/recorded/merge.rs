//! Tables of stacks larger than anybody reads: the smallest stacks are counted as their callers.
//!
//! Without this, a file whose stacks are all different would take many times its size at each step to a report.

use model::recording::Node;

/// What a table may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    pub(super) stacks: usize,
    pub(super) frames: usize,
}

/// What was kept of a table of stacks.
pub(super) struct Kept {
    /// For each stack of before: where it is now, or its nearest caller that was kept. `None` when there is none.
    pub(super) places: Vec<Option<u32>>,
    /// The frames that are still in use, by the numbers they had.
    pub(super) frames: Vec<u32>,
}

/// Keeps the heaviest stacks with their callers, and renumbers them and their frames. `own` are the weights of hits in
/// each stack itself.
pub(super) fn keep(nodes: &mut Vec<Node>, own: &[u64], most: Most) -> Kept {
    let heaviest = heaviest(nodes, own);
    let frames = nodes.iter().map(|node| node.frame as usize + 1).max().unwrap_or(0);
    let (mut frame_kept, mut frames_kept) = (vec![false; frames], 0);
    let (mut kept, mut stacks_kept) = (vec![false; nodes.len()], 0);
    for at in heaviest {
        let Some(node) = nodes.get(at as usize) else { continue };
        let outermost_or_called = node.parent.is_none_or(|parent| flag(&kept, parent));
        let known = flag(&frame_kept, node.frame);
        if stacks_kept == most.stacks || !outermost_or_called || (!known && frames_kept == most.frames) {
            continue;
        }
        stacks_kept += 1;
        frames_kept += usize::from(!known);
        set(&mut kept, at);
        set(&mut frame_kept, node.frame);
    }
    let frames: Vec<u32> = (0_u32..).zip(frame_kept).filter(|(_, kept)| *kept).map(|(at, _)| at).collect();
    Kept { places: renumber(nodes, &kept, &frames), frames }
}

/// The stacks by what goes through them. Callers come before what they call.
fn heaviest(nodes: &[Node], own: &[u64]) -> Vec<u32> {
    let mut through = own.to_vec();
    for (at, node) in nodes.iter().enumerate().rev() {
        let weight = through.get(at).copied().unwrap_or(0);
        if let Some(parent) = node.parent.and_then(|parent| through.get_mut(parent as usize)) {
            *parent = parent.saturating_add(weight);
        }
    }
    let mut order: Vec<u32> = (0_u32..).zip(nodes).map(|(at, _)| at).collect();
    let weight = |at: u32| through.get(at as usize).copied().unwrap_or(0);
    order.sort_unstable_by_key(|at| (std::cmp::Reverse(weight(*at)), *at));
    order
}

fn renumber(nodes: &mut Vec<Node>, kept: &[bool], frames: &[u32]) -> Vec<Option<u32>> {
    let mut places: Vec<Option<u32>> = Vec::with_capacity(nodes.len());
    let mut next = 0_u32;
    let mut at = 0_u32;
    nodes.retain_mut(|node| {
        let caller = node.parent.and_then(|parent| places.get(parent as usize).copied().flatten());
        let stays = flag(kept, at);
        at += 1;
        if stays {
            node.parent = caller;
            node.frame = frames.binary_search(&node.frame).map_or(0, |at| u32::try_from(at).unwrap_or(0));
            places.push(Some(next));
            next += 1;
        } else {
            places.push(caller);
        }
        stays
    });
    nodes.shrink_to_fit();
    places
}

fn flag(flags: &[bool], at: u32) -> bool {
    flags.get(at as usize).copied().unwrap_or(false)
}

fn set(flags: &mut [bool], at: u32) {
    if let Some(flag) = flags.get_mut(at as usize) {
        *flag = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<u32>, frame: u32) -> Node {
        Node { parent, frame }
    }

    #[test]
    fn the_smallest_stacks_go_to_their_nearest_caller_that_is_kept() {
        let mut nodes =
            vec![node(None, 0), node(Some(0), 1), node(Some(1), 2), node(Some(0), 3), node(None, 4)];
        let kept = keep(&mut nodes, &[0, 1, 1, 5, 1], Most { stacks: 2, frames: 9 });
        assert_eq!(nodes, [node(None, 0), node(Some(0), 1)]);
        assert_eq!(kept.frames, [0, 3]);
        assert_eq!(kept.places, [Some(0), Some(0), Some(0), Some(1), None]);
    }

    #[test]
    fn frames_are_bounded_and_a_frame_that_is_kept_stands_in_any_stack() {
        let mut nodes = vec![node(None, 0), node(Some(0), 1), node(Some(0), 2), node(Some(1), 0)];
        let kept = keep(&mut nodes, &[0, 9, 2, 1], Most { stacks: 9, frames: 2 });
        assert_eq!(nodes, [node(None, 0), node(Some(0), 1), node(Some(1), 0)]);
        assert_eq!((kept.frames, kept.places), (vec![0, 1], vec![Some(0), Some(1), Some(0), Some(2)]));
    }
}
