//! Do loaded values decide where the loop goes?

use model::machine_code::{Found, Pattern, Verdict};

use super::Scene;
use crate::audit::count;
use crate::instruction::Work;

/// Only jumps on loaded values ask for attention: those on counters repeat, and processors learn what repeats. Whether
/// loaded values repeat is not in the code.
pub(super) fn pattern(scene: &Scene<'_, '_>) -> Pattern {
    let inside = || scene.iteration.branches.iter().filter(|(at, _)| !scene.leaves(*at));
    let by_values: Vec<usize> = inside().filter(|(_, loaded)| *loaded).map(|(at, _)| *at).collect();
    let selects: Vec<usize> =
        scene.loop_instructions().filter(|(_, one)| one.work == Work::Select).map(|(at, _)| at).collect();
    let found = Found::Branches {
        by_loaded_values: count(by_values.len()),
        by_registers: count(inside().count() - by_values.len()),
        exits: count(scene.iteration.branches.len() - inside().count()),
        selects: count(selects.len()),
    };
    let verdict = if by_values.is_empty() { Verdict::Good } else { Verdict::Attention };
    let told = if by_values.is_empty() { selects } else { by_values };
    scene.pattern(verdict, found, scene.addresses(told))
}
