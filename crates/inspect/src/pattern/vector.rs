//! Does arithmetic work on several elements at once?

use model::machine_code::{Found, Pattern, Verdict};

use super::Scene;
use crate::audit::count;
use crate::instruction::{Lanes, Work};

pub(super) fn pattern(scene: &Scene<'_, '_>) -> Pattern {
    let of = |wanted: fn(Work) -> bool| {
        let found = scene.loop_instructions().filter(move |(_, instruction)| wanted(instruction.work));
        found.map(|(at, _)| at).collect::<Vec<usize>>()
    };
    let packed = of(|work| matches!(work, Work::Float(Lanes::Many(_)) | Work::Integer(Lanes::Many(_))));
    let floats = of(|work| work == Work::Float(Lanes::One));
    let integers = &scene.iteration.on_loaded;
    let bits = bits(scene);
    let verdict = match () {
        () if packed.is_empty() && !floats.is_empty() => Verdict::Bad,
        () if packed.is_empty() && !integers.is_empty() => Verdict::Attention,
        () if packed.is_empty() => Verdict::Unknown,
        () if !floats.is_empty() => Verdict::Attention,
        () if bits.zip(scene.machine_bits).is_some_and(|(used, possible)| used < possible) => {
            Verdict::Attention
        }
        () => Verdict::Good,
    };
    let found = Found::Vector {
        packed: count(packed.len()),
        scalar_float: count(floats.len()),
        scalar_integer: count(integers.len()),
        bits,
        machine_bits: scene.machine_bits,
    };
    let told = if !floats.is_empty() {
        floats
    } else if packed.is_empty() {
        integers.clone()
    } else {
        packed
    };
    scene.pattern(verdict, found, scene.addresses(told))
}

/// The widest packed operation. `None` also when the processor chooses the width.
fn bits(scene: &Scene<'_, '_>) -> Option<u32> {
    let widths = scene.loop_instructions().filter_map(|(_, instruction)| match instruction.work {
        Work::Float(Lanes::Many(bits)) | Work::Integer(Lanes::Many(bits)) => bits,
        _ => None,
    });
    widths.max()
}
