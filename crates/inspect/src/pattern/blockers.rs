//! What kept the compiler from using vector instructions, as far as the code shows.

use model::machine_code::{Access, Blocker, BlockerKind, Direction, Found, Pattern, Walk};

use super::Scene;
use crate::instruction::{Meaning, Work};

/// Empty when the loop is vectorised, when there is nothing to vectorise, and when the code shows no reason.
pub(crate) fn blockers(scene: &Scene<'_, '_>, patterns: &[Pattern]) -> Vec<Blocker> {
    if !is_scalar(patterns) {
        return Vec::new();
    }
    if scene.unoptimised {
        return vec![Blocker { kind: BlockerKind::Unoptimised, at: Vec::new() }];
    }
    let accesses = patterns.iter().find_map(|pattern| match &pattern.found {
        Found::Access { accesses } => Some(accesses.as_slice()),
        _ => None,
    });
    let accesses = accesses.unwrap_or_default();
    let walks = |wanted: fn(Walk) -> bool| -> Vec<u64> {
        accesses.iter().filter(|access| wanted(access.walk)).map(|access| access.at).collect()
    };
    // Base and bound are read anew in each step, so that the walk looks like a gather and the end like an early one.
    let reloaded = reloads(patterns, accesses);
    if !reloaded.is_empty() {
        return vec![Blocker { kind: BlockerKind::PossibleAlias, at: reloaded }];
    }
    let sums = ends_by_sum(scene);
    if !sums.is_empty() && accesses.iter().all(|access| matches!(access.walk, Walk::Unit | Walk::Fixed)) {
        return vec![Blocker { kind: BlockerKind::EndsBySum, at: sums }];
    }
    let wrapping = wrapping_indices(scene, patterns, accesses);
    if !wrapping.is_empty() {
        return vec![Blocker { kind: BlockerKind::WrappingIndex, at: wrapping }];
    }
    let chased = walks(|walk| walk == Walk::Chase);
    let candidates = [
        (BlockerKind::Call, calls(patterns)),
        (BlockerKind::EarlyExit, if chased.is_empty() { early_exits(scene) } else { Vec::new() }),
        (BlockerKind::FloatReduction, scene.addresses(scene.iteration.carried_floats())),
        (BlockerKind::IntegerDivision, divisions(scene)),
        (BlockerKind::Gather, walks(|walk| walk == Walk::Indexed)),
        (BlockerKind::Stride, walks(|walk| matches!(walk, Walk::Stride { .. } | Walk::RuntimeStride))),
        (BlockerKind::DataDependentBranch, data_branches(patterns)),
        (BlockerKind::PointerChasing, chased),
    ];
    let mut found: Vec<Blocker> = candidates
        .into_iter()
        .filter(|(_, at)| !at.is_empty())
        .map(|(kind, at)| Blocker { kind, at })
        .collect();
    if found.is_empty() {
        let at = possible_aliases(accesses);
        found.extend((!at.is_empty()).then_some(Blocker { kind: BlockerKind::PossibleAlias, at }));
    }
    found
}

fn is_scalar(patterns: &[Pattern]) -> bool {
    patterns.iter().any(|pattern| match pattern.found {
        Found::Vector { packed, scalar_float, scalar_integer, .. } => {
            scalar_float > 0 || packed == 0 && scalar_integer > 0
        }
        _ => false,
    })
}

fn calls(patterns: &[Pattern]) -> Vec<u64> {
    let calls = patterns.iter().find(|pattern| matches!(pattern.found, Found::Calls { .. }));
    calls.map(|pattern| pattern.at.clone()).unwrap_or_default()
}

fn data_branches(patterns: &[Pattern]) -> Vec<u64> {
    let found = patterns.iter().find(
        |pattern| matches!(pattern.found, Found::Branches { by_loaded_values, .. } if by_loaded_values > 0),
    );
    found.map(|pattern| pattern.at.clone()).unwrap_or_default()
}

fn early_exits(scene: &Scene<'_, '_>) -> Vec<u64> {
    let exits = scene.iteration.branches.iter().filter(|(at, loaded)| *loaded && scene.leaves(*at));
    scene.addresses(exits.map(|(at, _)| *at))
}

fn ends_by_sum(scene: &Scene<'_, '_>) -> Vec<u64> {
    let exits = scene.iteration.decided_by_sums().into_iter().filter(|at| scene.leaves(*at));
    scene.addresses(exits)
}

fn divisions(scene: &Scene<'_, '_>) -> Vec<u64> {
    let found = scene.loop_instructions().filter(|(_, instruction)| instruction.work == Work::Division);
    scene.addresses(found.map(|(at, _)| at))
}

/// What a plain loop without calls or choices reads in each step from the same place of memory, because the compiler
/// cannot know that its stores leave it as it is.
fn reloads(patterns: &[Pattern], accesses: &[Access]) -> Vec<u64> {
    let is_plain = patterns.iter().all(|pattern| match &pattern.found {
        Found::Branches { by_loaded_values: 0, by_registers: 0, exits: 1, .. } => true,
        Found::Branches { .. } => false,
        Found::Calls { calls } => calls.is_empty(),
        _ => true,
    });
    let mut stores = accesses.iter().filter(|access| access.direction != Direction::Read).peekable();
    let is_walk = |access: &Access| access.direction == Direction::Write && access.walk != Walk::Fixed;
    if !is_plain || stores.peek().is_none() || !stores.all(is_walk) {
        return Vec::new();
    }
    let fixed =
        accesses.iter().filter(|access| access.direction == Direction::Read && access.walk == Walk::Fixed);
    fixed.map(|access| access.at).collect()
}

/// Where each step makes an address of a counter with fewer bits: elements that follow one another for whoever counts that
/// far, but not for a compiler that must let the counter wrap around. A choice between two values it would make without
/// a branch.
fn wrapping_indices(scene: &Scene<'_, '_>, patterns: &[Pattern], accesses: &[Access]) -> Vec<u64> {
    let follow = accesses.iter().all(|access| matches!(access.walk, Walk::Unit | Walk::Fixed));
    let moves =
        |direction| accesses.iter().any(|access| access.walk == Walk::Unit && access.direction == direction);
    if !follow || !moves(Direction::Read) || !calls(patterns).is_empty() || !early_exits(scene).is_empty() {
        return Vec::new();
    }
    let addressed = |register| {
        let mut memories = scene.loop_instructions().filter_map(|(_, one)| one.memory.as_ref());
        memories.any(|memory| memory.terms.iter().any(|(term, _)| *term == register))
    };
    let widened = scene.loop_instructions().filter(|(_, one)| match &one.meaning {
        Meaning::Sum { to, terms, .. } => {
            matches!(terms.as_slice(), [(from, 1)] if from != to) && addressed(*to) && is_narrow(&one.text)
        }
        _ => false,
    });
    scene.addresses(widened.map(|(at, _)| at))
}

/// Whether an instruction of x86 writes the lower half of a register, which clears the upper one.
fn is_narrow(text: &str) -> bool {
    let Some((_, to)) = text.rsplit_once('%') else { return false };
    to.starts_with('e') || to.starts_with('r') && to.ends_with('d')
}

/// Stores through one walk beside loads through another. Of a walk that is not understood nothing is said.
fn possible_aliases(accesses: &[Access]) -> Vec<u64> {
    let stores = accesses.iter().filter(|access| access.direction != Direction::Read);
    let loads = accesses.iter().any(|access| access.direction == Direction::Read);
    stores.filter(|store| loads && store.walk != Walk::Unknown).map(|access| access.at).collect()
}
