//! Do values go to the stack and come back, and how long is one iteration?

use std::collections::{BTreeMap, BTreeSet};

use model::machine_code::{Found, Pattern, Verdict};

use super::Scene;
use crate::audit::count;

/// A value that goes over the stack takes four to five cycles longer than one in a register. When every tenth
/// instruction or more does so, hardly any way through the loop is without one.
const MANY: usize = 10;

pub(super) fn pattern(scene: &Scene<'_, '_>) -> Pattern {
    let uses = &scene.iteration.slots;
    let places = |wanted: fn(&crate::iteration::SlotUse) -> bool| {
        let found = uses.iter().filter(move |(_, _, one)| wanted(one));
        found.map(|(_, slot, _)| *slot).collect::<BTreeSet<_>>()
    };
    let written = places(|one| one.written);
    let spilled: BTreeSet<_> = places(|one| one.read).intersection(&written).copied().collect();
    let loads = uses.iter().filter(|(_, _, one)| one.read).count();
    let stores = uses.iter().filter(|(_, _, one)| one.written).count();
    let many = (loads + stores) * MANY >= scene.positions.len();
    let verdict = match () {
        () if !spilled.is_empty() && many => Verdict::Bad,
        () if !spilled.is_empty() || loads > 0 && many => Verdict::Attention,
        () => Verdict::Good,
    };
    let found = Found::Spills {
        slots: count(spilled.len()),
        loads: count(loads),
        stores: count(stores),
        instructions: longest_way(scene),
    };
    let at = uses.iter().filter(|(_, slot, _)| spilled.contains(slot)).map(|(at, ..)| *at);
    scene.pattern(verdict, found, scene.addresses(at))
}

/// Instructions on the longest way from the head to a jump back.
fn longest_way(scene: &Scene<'_, '_>) -> u32 {
    let mut before: BTreeMap<usize, usize> = BTreeMap::new();
    let mut longest = 0;
    for index in scene.graph.in_order(scene.found) {
        let Some(block) = scene.graph.blocks.get(index) else { continue };
        let through = before.get(&index).copied().unwrap_or(0) + block.instructions.len();
        for next in block.next.iter().filter(|next| **next != scene.found.head) {
            let slot = before.entry(*next).or_insert(0);
            *slot = through.max(*slot);
        }
        if scene.found.latches.contains(&index) {
            longest = longest.max(through);
        }
    }
    count(longest)
}
