//! Does the loop call?

use std::collections::BTreeSet;

use model::machine_code::{CallSite, Found, Pattern, Verdict};

use super::Scene;
use crate::graph::BlockIndex;
use crate::instruction::{Callee, Flow, Instruction};

pub(super) fn pattern(scene: &Scene<'_, '_>) -> Pattern {
    let calls: Vec<CallSite> =
        scene.loop_instructions().filter_map(|(at, one)| site(scene, at, one)).collect();
    let verdict = match () {
        () if calls.iter().any(|call| call.each_iteration) => Verdict::Bad,
        () if !calls.is_empty() => Verdict::Attention,
        () => Verdict::Good,
    };
    let at = calls.iter().map(|call| call.at).collect();
    scene.pattern(verdict, Found::Calls { calls }, at)
}

fn site(scene: &Scene<'_, '_>, position: usize, instruction: &Instruction) -> Option<CallSite> {
    let Flow::Call(callee) = instruction.flow else { return None };
    let block = scene.block_of(position)?;
    Some(CallSite {
        at: instruction.address,
        to: scene.code.callee(callee),
        indirect: callee == Callee::Anywhere,
        each_iteration: !avoidable(scene, block),
    })
}

/// Whether some way round the loop does not pass this block.
fn avoidable(scene: &Scene<'_, '_>, avoided: BlockIndex) -> bool {
    let mut seen = BTreeSet::from([avoided]);
    let mut open = vec![scene.found.head];
    while let Some(block) = open.pop() {
        if !seen.insert(block) {
            continue;
        }
        if scene.found.latches.contains(&block) {
            return true;
        }
        let next = scene.graph.blocks.get(block).map(|block| block.next.as_slice()).unwrap_or_default();
        open.extend(next.iter().filter(|next| scene.found.blocks.contains(next)));
    }
    false
}
