//! Which instruction a thread ran at the very moment it was hit.
//!
//! A look from outside comes later than the hit, and of a program that does nothing but call small functions it finds the
//! callers too often: what is called has ended before it is copied. The hit itself brings the registers and the stack of that
//! moment, and the evaluation loop has the address of its next instruction in one of them. Which one is the compiler's choice,
//! so it is learnt: of all places that hold addresses of instructions it is the one with the most different ones. While the
//! loop has called something, the register is still what it was, or a place in the loop's own frame tells the function.

use std::collections::HashSet;

use super::code::CodeId;
use super::memory::{Memory, word_at};
use super::reader::Interpreter;
use crate::raw::General;

/// Words of the loop's frame that may tell: more than any build uses.
const SLOTS: usize = 96;

/// Hits inside the loop after which a register is chosen, and after each so many again, up to the last.
const TURN: u32 = 48;
const LAST_TURN: u32 = 4096;

/// The register must have led to an instruction in this part of the hits: at its beginning and end the loop has none.
const OFTEN: f64 = 0.75;

/// Different instructions for each function it led to, and at all: a place that holds the first instruction of each function
/// tells no less functions, but no more instructions.
const MORE_THAN_FUNCTIONS: usize = 2;
const LEAST: usize = 6;

/// A place in the frame must have led to the same function as the register this often, in this part of the hits.
const COMPARED: u32 = 32;
const AGREED: f64 = 0.85;

/// Different instructions of one register are counted up to so many.
const MOST_DIFFERENT: usize = 4096;

/// A thread at the moment of a hit, in the evaluation loop or in what that called.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    pub general: &'a General,
    /// The loop itself runs.
    pub inside: bool,
    /// The copy of the stack, from the stack pointer of the hit upwards.
    pub stack: &'a [u8],
    /// Where in it the frame of the loop begins.
    pub frame: usize,
}

impl Moment<'_> {
    fn slot(&self, slot: usize) -> Option<u64> {
        word_at(self.stack, self.frame.checked_add(slot * 8)?)
    }

    /// What those called by the loop have saved, the first first.
    fn saved(&self) -> impl Iterator<Item = u64> {
        (1..=self.frame / 8).filter_map(|words| word_at(self.stack, self.frame - words * 8))
    }
}

/// How a build of the interpreter keeps the address of its next instruction.
#[derive(Debug, Default)]
pub struct Habit {
    registers: [Seen; General::COUNT],
    hits: u32,
    register: Option<usize>,
    /// How often each place in the frame led to the function of the register, of so many hits.
    slots: Vec<u32>,
    compared: u32,
    slot: Option<usize>,
}

#[derive(Debug, Default)]
struct Seen {
    times: u32,
    instructions: HashSet<u64>,
    functions: HashSet<CodeId>,
}

impl Seen {
    fn note(&mut self, instruction: u64, function: CodeId) {
        self.times += 1;
        if self.instructions.len() < MOST_DIFFERENT {
            self.instructions.insert(instruction);
            self.functions.insert(function);
        }
    }

    fn is_position(&self, hits: u32) -> bool {
        f64::from(self.times) >= f64::from(hits) * OFTEN
            && self.instructions.len() >= LEAST.max(self.functions.len() * MORE_THAN_FUNCTIONS)
    }
}

impl Habit {
    /// Learns from a hit. `function` tells whose instruction an address is.
    fn learn(&mut self, moment: &Moment<'_>, function: impl Fn(u64) -> Option<CodeId>) {
        if !moment.inside || self.hits >= LAST_TURN {
            return;
        }
        let mut any = false;
        for (value, seen) in moment.general.0.iter().zip(&mut self.registers) {
            if let Some(function) = function(*value) {
                seen.note(*value, function);
                any = true;
            }
        }
        // Whose functions are all unknown says nothing about registers.
        if !any {
            return;
        }
        self.hits += 1;
        self.compare(moment, &function);
        if self.hits.is_multiple_of(TURN) {
            self.choose();
        }
    }

    fn compare(&mut self, moment: &Moment<'_>, function: &impl Fn(u64) -> Option<CodeId>) {
        let told = self.register.and_then(|register| moment.general.0.get(register));
        let Some(told) = told.and_then(|value| function(*value)) else { return };
        self.compared += 1;
        self.slots.resize(SLOTS, 0);
        for (slot, agreed) in self.slots.iter_mut().enumerate() {
            *agreed += u32::from(moment.slot(slot).and_then(function) == Some(told));
        }
    }

    fn choose(&mut self) {
        let hits = self.hits;
        let chosen = self.registers.iter().enumerate().filter(|(_, seen)| seen.is_position(hits));
        // Of equals the last: those are the ones that a call leaves alone.
        let chosen = chosen.max_by_key(|(_, seen)| seen.instructions.len()).map(|(register, _)| register);
        if chosen != self.register {
            self.register = chosen;
            self.slots.clear();
            (self.compared, self.slot) = (0, None);
        }
        let best = self.slots.iter().enumerate().max_by_key(|(_, agreed)| **agreed);
        let agrees = |agreed: u32| f64::from(agreed) >= f64::from(self.compared) * AGREED;
        self.slot =
            best.filter(|(_, agreed)| self.compared >= COMPARED && agrees(**agreed)).map(|(slot, _)| slot);
    }

    /// The address of the next instruction, and of the function's first one where only that is known.
    fn next(&self, moment: &Moment<'_>, function: impl Fn(u64) -> Option<CodeId>) -> Option<u64> {
        let register = self.register?;
        let value = moment.general.0.get(register).copied().filter(|value| function(*value).is_some());
        if moment.inside {
            return value;
        }
        if General::is_kept(register) && value.is_some() {
            return value;
        }
        let told = moment.slot(self.slot?)?;
        let whose = function(told)?;
        let saved = moment.saved().find(|value| function(*value) == Some(whose));
        Some(saved.filter(|_| General::is_kept(register)).unwrap_or(told))
    }
}

/// What a thread ran at the moment of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    pub code: CodeId,
    pub line: Option<u32>,
}

impl<M: Memory> Interpreter<M> {
    /// What the innermost evaluation loop ran. `None` while too little is known of the build, or of its functions.
    pub fn running(&self, habit: &mut Habit, moment: &Moment<'_>) -> Option<Running> {
        let function = |address: u64| self.codes.at(address).map(|code| code.id);
        habit.learn(moment, function);
        let next = habit.next(moment, function)?;
        let code = self.codes.at(next)?;
        // It points behind the instruction that runs, except at the very first.
        let offset = u32::try_from(next.wrapping_sub(code.start).saturating_sub(2)).ok();
        Some(Running { code: code.id, line: self.codes.line(code.id, offset) })
    }
}
