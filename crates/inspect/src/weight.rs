//! From what was measured to weight on functions and instructions.

use std::collections::BTreeMap;

use crate::code::{Code, Function, Names};
use crate::instruction::Instruction;

/// Where a measurement saw cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hot {
    /// An instruction, by its address as the image counts.
    Address { address: u64, weight: u64 },
    /// An instruction, by its place in the file.
    Offset { offset: u64, weight: u64 },
    /// A source line: its weight is spread evenly over those of the line's instructions that lie in the most loops. What
    /// a line does before a loop and in it runs mostly in it.
    Line { function: String, file: String, line: u32, weight: u64 },
    /// A whole function: its loops are looked at, but what each costs is not known.
    Function { name: String, weight: u64 },
}

impl Hot {
    const fn weight(&self) -> u64 {
        match self {
            Self::Address { weight, .. }
            | Self::Offset { weight, .. }
            | Self::Line { weight, .. }
            | Self::Function { weight, .. } => *weight,
        }
    }
}

/// What was measured, by function.
#[derive(Default)]
pub(crate) struct Weights<'a> {
    /// By the function's first address.
    functions: BTreeMap<u64, Measured<'a>>,
    pub(crate) total: u64,
    pub(crate) unplaced: u64,
}

pub(crate) struct Measured<'a> {
    pub(crate) function: &'a Function,
    pub(crate) weight: u64,
    at: BTreeMap<u64, u64>,
    lines: Vec<(&'a str, u32, u64)>,
}

impl<'a> Weights<'a> {
    pub(crate) fn place(code: &'a Code<'_>, hot: &'a [Hot]) -> Self {
        let mut weights = Self::default();
        let names = Names::of(code.functions());
        for hot in hot {
            weights.total = weights.total.saturating_add(hot.weight());
            if weights.place_one(code, &names, hot).is_none() {
                weights.unplaced = weights.unplaced.saturating_add(hot.weight());
            }
        }
        weights
    }

    fn place_one(&mut self, code: &'a Code<'_>, names: &Names<'a>, hot: &'a Hot) -> Option<()> {
        match hot {
            Hot::Address { address, weight } => self.at(code, *address, *weight)?,
            Hot::Offset { offset, weight } => self.at(code, code.address_of(*offset)?, *weight)?,
            Hot::Line { function, file, line, weight } => {
                let measured = self.named(names, function, *weight)?;
                measured.lines.push((file, *line, *weight));
            }
            Hot::Function { name, weight } => {
                self.named(names, name, *weight)?;
            }
        }
        Some(())
    }

    fn at(&mut self, code: &'a Code<'_>, address: u64, weight: u64) -> Option<()> {
        let measured = self.add(code.function_at(address)?, weight);
        let slot = measured.at.entry(address).or_insert(0);
        *slot = slot.saturating_add(weight);
        Some(())
    }

    /// Of several functions of one name none is taken: the measurement does not say which.
    fn named(&mut self, names: &Names<'a>, name: &str, weight: u64) -> Option<&mut Measured<'a>> {
        match names.named(name).as_slice() {
            [only] => Some(self.add(only, weight)),
            _ => None,
        }
    }

    fn add(&mut self, function: &'a Function, weight: u64) -> &mut Measured<'a> {
        let measured = self.functions.entry(function.range.start).or_insert_with(|| Measured {
            function,
            weight: 0,
            at: BTreeMap::new(),
            lines: Vec::new(),
        });
        measured.weight = measured.weight.saturating_add(weight);
        measured
    }

    /// Heaviest first.
    pub(crate) fn ranked(&self) -> Vec<&Measured<'a>> {
        let mut ranked: Vec<_> = self.functions.values().collect();
        ranked.sort_by_key(|measured| std::cmp::Reverse(measured.weight));
        ranked
    }
}

impl Measured<'_> {
    /// The weight of each instruction. `None` when only the function as a whole was measured.
    /// `depths` says in how many loops each instruction lies.
    pub(crate) fn by_instruction(
        &self,
        code: &Code<'_>,
        instructions: &[Instruction],
        depths: &[u32],
    ) -> Option<Vec<u64>> {
        if self.at.is_empty() && self.lines.is_empty() {
            return None;
        }
        let mut weights: Vec<u64> = vec![0; instructions.len()];
        for (address, weight) in &self.at {
            // A sample may point into an instruction: a return address does.
            let before = instructions.partition_point(|instruction| instruction.address <= *address);
            add(&mut weights, before.wrapping_sub(1), *weight);
        }
        self.spread_lines(code, instructions, depths, &mut weights);
        Some(weights)
    }

    fn spread_lines(
        &self,
        code: &Code<'_>,
        instructions: &[Instruction],
        depths: &[u32],
        weights: &mut [u64],
    ) {
        if self.lines.is_empty() {
            return;
        }
        let sources: Vec<_> =
            instructions.iter().map(|instruction| code.line_at(instruction.address)).collect();
        for (file, line, weight) in &self.lines {
            let is = |at: &usize| {
                let source = sources.get(*at).and_then(Option::as_ref);
                source.is_some_and(|source| source.line == *line && same_file(&source.file, file))
            };
            let mut at: Vec<usize> = (0..instructions.len()).filter(is).collect();
            let depth = |at: &usize| depths.get(*at).copied().unwrap_or(0);
            let deepest = at.iter().map(depth).max();
            at.retain(|at| Some(depth(at)) == deepest);
            let Some(each) = weight.checked_div(at.len() as u64) else { continue };
            let over = weight % (at.len() as u64).max(1);
            for (rank, at) in (0..).zip(at) {
                add(weights, at, each + u64::from(rank < over));
            }
        }
    }
}

fn add(weights: &mut [u64], at: usize, weight: u64) {
    if let Some(slot) = weights.get_mut(at) {
        *slot = slot.saturating_add(weight);
    }
}

/// Debug information and measurements may name the same file with more or fewer directories before it.
fn same_file(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    ends(one, other) || ends(other, one)
}
