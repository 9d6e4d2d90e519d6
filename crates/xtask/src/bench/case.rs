//! What is compared: equal commands, and planted slowdowns verified by instruction count.

use anyhow::{Context, Result};

use super::plant::{Sized, plants};
use super::programs::{Programs, Target};

/// Two commands and what is true of them.
pub(crate) struct Case {
    pub(crate) program: &'static str,
    pub(crate) kind: Kind,
    pub(crate) base: Target,
    pub(crate) new: Target,
    /// New against base in instructions, as cachegrind counts them; 0 for equal commands.
    pub(crate) effect: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Same,
    /// +1 %.
    One,
    /// +2 %.
    Two,
    /// A hair above the margin of 2 %: so much that start-up, which does not grow, leaves the CPU time above it too.
    Margin,
}

impl Kind {
    pub(crate) const PLANTED: [(Self, f64); 3] =
        [(Self::One, 0.01), (Self::Two, 0.02), (Self::Margin, 0.022)];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Same => "A/A",
            Self::One => "+1 %",
            Self::Two => "+2 %",
            Self::Margin => "+2.2 %",
        }
    }
}

/// About 9 ms of CPU time each, as in the reference's figures, and 3 ms for the hash table.
const SPIN_ROUNDS: u64 = 4_500_000;
const WORDS: u64 = 150_000;
const ELEMENTS: u64 = 60_000;
const PYTHON_ROUNDS: u64 = 2_000;

/// A/A on three kinds of programs, and three effects on two kinds. Needs valgrind, because an effect that is not counted
/// is not a truth.
pub(crate) fn cases(programs: &Programs) -> Result<Vec<Case>> {
    let same = |program: &'static str, target: Target| Case {
        program,
        kind: Kind::Same,
        base: target.clone(),
        new: target,
        effect: 0.0,
    };
    let python = programs.python_loop(PYTHON_ROUNDS).context("python3 is needed: apt-get install python3")?;
    let mut cases = vec![
        same("integer loop", programs.target("spin", SPIN_ROUNDS)),
        same("hash table", programs.target("table", ELEMENTS)),
        same("CPython", python),
    ];
    cases.extend(planted("integer loop", &|rounds| programs.target("spin", rounds), SPIN_ROUNDS)?);
    cases.extend(planted("words", &|rounds| programs.target("words", rounds), WORDS)?);
    Ok(cases)
}

fn planted(program: &'static str, sized: Sized<'_>, size: u64) -> Result<Vec<Case>> {
    let found = plants(sized, size, &Kind::PLANTED.map(|(_, effect)| effect))?;
    let cases = Kind::PLANTED.iter().zip(found).map(|((kind, _), plant)| Case {
        program,
        kind: *kind,
        base: plant.base,
        new: plant.new,
        effect: plant.effect,
    });
    Ok(cases.collect())
}
