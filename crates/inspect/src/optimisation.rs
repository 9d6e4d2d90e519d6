//! Whether a function was compiled without optimisation, and how that is known.

use model::machine_code::Build;

use crate::code::{Code, Function};
use crate::instruction::{Instruction, Work};
use crate::iteration::Convention;

/// Of fewer instructions no share is worth telling.
const FEWEST: usize = 8;

/// Without optimisation every use of a variable is a load and every change a store: this crate's test functions with a
/// loop have 43 to 62 % of them at -O0, and 0 to 30 % at -O1 to -O3 (gcc 12, x86-64 and aarch64). Between the bounds lie
/// small functions without a loop at -O0, and optimised ones that spill or keep values over a call.
const SURELY_DEBUG: f64 = 0.35;
const SURELY_NOT: f64 = 0.15;

/// How a function was compiled: from its code, and from what the compiler recorded.
#[must_use]
pub fn is_unoptimised(code: &Code<'_>, function: &Function) -> Build {
    let instructions = code.instructions(function).unwrap_or_default();
    build(code, function, &instructions, Convention::of(code.architecture(), &instructions))
}

pub(crate) fn build(
    code: &Code<'_>,
    function: &Function,
    instructions: &[Instruction],
    convention: Convention,
) -> Build {
    // Nobody gives a just-in-time compiler its level.
    if matches!(code, Code::Raw(_)) {
        return Build::default();
    }
    let mut evidence = Vec::new();
    let by_code = by_code(instructions, convention, &mut evidence);
    let producer = code.producer_at(function.range.start);
    let by_producer = producer.as_deref().and_then(|producer| by_producer(producer, &mut evidence));
    let unoptimised = match (by_code, by_producer) {
        // One function may have options of its own, so a contradiction leaves it open.
        (Some(code), Some(producer)) => (code == producer).then_some(code),
        (code, producer) => code.or(producer),
    };
    Build { unoptimised, evidence, producer }
}

fn by_code(instructions: &[Instruction], convention: Convention, evidence: &mut Vec<String>) -> Option<bool> {
    let real = instructions.iter().filter(|instruction| instruction.work != Work::Nothing).count();
    if real < FEWEST {
        return None;
    }
    let on_stack = instructions.iter().filter(|instruction| is_slot(instruction, convention)).count();
    #[expect(clippy::cast_precision_loss, reason = "both are below a million")]
    let share = on_stack as f64 / real as f64;
    evidence.push(format!("{on_stack} of {real} instructions read or write a variable on the stack"));
    match share {
        _ if share >= SURELY_DEBUG => Some(true),
        _ if share <= SURELY_NOT => Some(false),
        _ => None,
    }
}

/// A variable on the stack; saving and restoring registers by `push` and `stp` is not one.
fn is_slot(instruction: &Instruction, convention: Convention) -> bool {
    let Some(memory) = &instruction.memory else { return false };
    let [(base, 1)] = memory.terms.as_slice() else { return false };
    instruction.moved_base.is_none() && (*base == convention.stack || Some(*base) == convention.frame)
}

/// gcc records its options, clang and rustc do not.
fn by_producer(producer: &str, evidence: &mut Vec<String>) -> Option<bool> {
    let options: Vec<&str> = producer.split_whitespace().filter(|word| word.starts_with('-')).collect();
    let level = options.iter().rev().find(|option| option.starts_with("-O"));
    match level {
        Some(level) => {
            evidence.push(format!("the compiler recorded {level}"));
            Some(*level == "-O0")
        }
        None if producer.starts_with("GNU ") && !options.is_empty() => {
            evidence.push("the compiler recorded its options, and no -O is among them".to_owned());
            Some(true)
        }
        None => None,
    }
}
