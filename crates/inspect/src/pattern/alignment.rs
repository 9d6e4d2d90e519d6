//! Does the loop begin where the processor fetches, and does it touch more cache lines than it must?

use std::collections::BTreeSet;

use model::machine_code::{Found, Pattern, Verdict};

use super::Scene;

const CACHE_LINE: u64 = 64;

/// x86 processors fetch 16 or 32 bytes at a time, Arm ones 16 or more.
const FETCH: u64 = 16;

pub(super) fn pattern(scene: &Scene<'_, '_>) -> Pattern {
    let head = scene.graph.blocks.get(scene.found.head);
    let head = head.and_then(|block| scene.instructions.get(block.instructions.start));
    let head = head.map_or(0, |instruction| instruction.address);
    let bytes: u64 = scene.loop_instructions().map(|(_, instruction)| instruction.length).sum();
    let touched = scene.loop_instructions().flat_map(|(_, instruction)| {
        [instruction.address / CACHE_LINE, instruction.end().saturating_sub(1) / CACHE_LINE]
    });
    let cache_lines = touched.collect::<BTreeSet<u64>>().len() as u64;
    let fewest_lines = bytes.div_ceil(CACHE_LINE);
    // A head that is not aligned costs little when the loop takes no further line for it.
    let verdict = match head.is_multiple_of(FETCH) || cache_lines <= fewest_lines {
        true => Verdict::Good,
        false => Verdict::Attention,
    };
    let aligned_to = 1 << head.trailing_zeros().min(CACHE_LINE.trailing_zeros());
    scene.pattern(verdict, Found::Alignment { aligned_to, bytes, cache_lines, fewest_lines }, vec![head])
}
