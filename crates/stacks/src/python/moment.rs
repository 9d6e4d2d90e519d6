//! Which function, and often which instruction, a thread ran at the very moment it was hit.
//!
//! A look from outside comes later than the hit, and of a program that does nothing but call small functions it finds the
//! callers too often: what is called has ended before it is copied. The hit itself brings the registers and the stack of that
//! moment, and the evaluation loop has the address of its next instruction in one of them. Which one is the compiler's choice,
//! so it is learnt: of all places that hold addresses of instructions it is the one with the most different ones. While the
//! loop has called something, the register is still what it was, or a place in the loop's own frame tells the function.

use std::collections::HashSet;
use std::ops::Range;

use super::Torn;
use super::code::{CodeId, OBJECT_TYPE};
use super::memory::{self, Memory, word_at};
use super::reader::Interpreter;
use crate::raw::{General, REGISTERS};

/// Words of the loop's frame that may tell: more than any build uses.
const SLOTS: usize = 96;

/// Hits inside the loop after which a register is chosen, and after each so many again, up to the last.
const TURN: u32 = 48;
const LAST_TURN: u32 = 4096;

/// A short program has few hits inside the loop: after so many a register is chosen that led to an instruction in this part
/// of them.
const EARLY: [u32; 3] = [8, 16, 32];
const NEARLY_ALWAYS: f64 = 0.9;

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

/// Where a program's objects can be.
const ADDRESSES: Range<u64> = 0x1_0000..1 << 47;

/// Words that led to no new function are not tried again, until there are so many.
const MOST_TRIED: usize = 1 << 14;

/// Memory is used again for other objects, so after so many attempts each word is tried anew.
const FORGOTTEN: u32 = 16;

/// Who runs, as an evaluation loop sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// The loop itself.
    Itself,
    /// Native code that it called.
    Called,
    /// Another loop, inside what it called: the registers are that one's.
    Another,
}

/// A thread at the moment of a hit, in the evaluation loop or in what that called.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    pub general: General<'a>,
    pub runs: Runs,
    /// The copy of the stack, from the stack pointer of the hit upwards.
    pub stack: &'a [u8],
    /// Where in it the frame of the loop begins.
    pub frame: usize,
}

impl Moment<'_> {
    fn register(&self, register: usize) -> Option<u64> {
        self.general.0.get(register).map(|bytes| u64::from_ne_bytes(*bytes))
    }

    fn slot(&self, slot: usize) -> Option<u64> {
        word_at(self.stack, self.frame.checked_add(slot * 8)?)
    }
}

/// How a build of the interpreter keeps the address of its next instruction.
#[derive(Debug, Default)]
pub struct Habit {
    registers: [Seen; REGISTERS],
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
        let often = if hits < TURN { NEARLY_ALWAYS } else { OFTEN };
        f64::from(self.times) >= f64::from(hits) * often
            && self.instructions.len() >= LEAST.max(self.functions.len() * MORE_THAN_FUNCTIONS)
    }
}

impl Habit {
    /// Learns from a hit. `function` tells whose instruction an address is.
    fn learn(&mut self, moment: &Moment<'_>, function: impl Fn(u64) -> Option<CodeId>) {
        if moment.runs != Runs::Itself || self.hits >= LAST_TURN {
            return;
        }
        let mut any = false;
        for (value, seen) in moment.general.values().into_iter().zip(&mut self.registers) {
            if let Some(function) = function(value) {
                seen.note(value, function);
                any = true;
            }
        }
        // Whose functions are all unknown says nothing about registers.
        if !any {
            return;
        }
        self.hits += 1;
        self.compare(moment, &function);
        if self.hits.is_multiple_of(TURN) || EARLY.contains(&self.hits) {
            self.choose();
        }
    }

    fn compare(&mut self, moment: &Moment<'_>, function: &impl Fn(u64) -> Option<CodeId>) {
        let told = self.register.and_then(|register| moment.register(register));
        let Some(told) = told.and_then(function) else { return };
        self.compared += 1;
        self.slots.resize(SLOTS, 0);
        for (slot, agreed) in self.slots.iter_mut().enumerate() {
            *agreed += u32::from(moment.slot(slot).and_then(function) == Some(told));
        }
    }

    fn choose(&mut self) {
        let hits = self.hits;
        let positions = self.registers.iter().enumerate().filter(|(_, seen)| seen.is_position(hits));
        // One that calls leave alone tells in what is called, too; others may be copies of it that lag behind.
        let chosen = positions
            .max_by_key(|(register, seen)| (General::is_kept(*register), seen.instructions.len()))
            .map(|(register, _)| register);
        if chosen != self.register {
            self.register = chosen;
            self.slots.clear();
            (self.compared, self.slot) = (0, None);
        }
        let least = f64::from(self.compared.max(COMPARED)) * AGREED;
        let best = self.slots.iter().enumerate().max_by_key(|(_, agreed)| **agreed);
        self.slot = best.filter(|(_, agreed)| f64::from(**agreed) >= least).map(|(slot, _)| slot);
    }

    /// The function, and the address of its next instruction where that is known. `each`: the loop runs this function alone,
    /// so that its frame tells the function as long as it runs.
    fn next(
        &self,
        moment: &Moment<'_>,
        each: bool,
        function: impl Fn(u64) -> Option<CodeId>,
    ) -> Option<(CodeId, Option<u64>)> {
        let register = self.register?;
        let value = moment.register(register);
        let of_register = value.and_then(&function);
        let of_slot = self.slot.and_then(|slot| moment.slot(slot)).and_then(&function);
        // A loop that has not begun yet has its caller's register, or has called something before it did.
        let is_own = !each || self.slot.is_none() || of_slot == of_register;
        let told = of_register.filter(|_| is_own).map(|function| (function, value));
        match moment.runs {
            Runs::Itself => told,
            Runs::Called if General::is_kept(register) && of_register.is_some() => told,
            // What those who were called have saved of the register cannot be told from what is left over.
            Runs::Called | Runs::Another => of_slot.map(|function| (function, None)),
        }
    }
}

/// What a thread ran at the moment of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    pub code: CodeId,
    /// `None` where the moment does not tell.
    pub line: Option<u32>,
}

impl<M: Memory> Interpreter<M> {
    /// What an evaluation loop ran. `None` while too little is known of the build, or of its functions.
    pub fn running(&mut self, habit: &mut Habit, moment: &Moment<'_>) -> Option<Running> {
        if habit.register.is_some_and(|register| self.is_unknown(moment, register)) {
            self.discover(moment).ok()?;
        }
        let function = |address: u64| self.codes.at(address).map(|code| code.id);
        habit.learn(moment, function);
        let (code, next) = habit.next(moment, self.has_loop_for_each(), function)?;
        let start = next.and_then(|next| self.codes.at(next)).map(|code| code.start);
        // It points behind the instruction that runs.
        let offset =
            next.zip(start).and_then(|(next, start)| u32::try_from((next - start).checked_sub(2)?).ok());
        Some(Running { code, line: offset.and_then(|offset| self.codes.line(code, Some(offset))) })
    }

    fn is_unknown(&self, moment: &Moment<'_>, register: usize) -> bool {
        let value = moment.register(register).filter(|_| moment.runs == Runs::Itself);
        value.is_some_and(|value| self.codes.at(value).is_none())
    }

    /// Functions that no look has found are those that end soonest. The loop has their code at hand, or their frame.
    fn discover(&mut self, moment: &Moment<'_>) -> Result<(), Torn> {
        let slots = (0..SLOTS).filter_map(|slot| moment.slot(slot));
        let words = moment.general.values().into_iter().chain(slots);
        let mut new: Vec<u64> =
            words.filter(|word| ADDRESSES.contains(word) && word.is_multiple_of(8)).collect();
        self.discoveries = self.discoveries.wrapping_add(1);
        if self.tried.len() >= MOST_TRIED || self.discoveries.is_multiple_of(FORGOTTEN) {
            self.tried.clear();
        }
        new.retain(|word| self.tried.insert(*word));
        if new.is_empty() {
            return Ok(());
        }
        self.late.clear();
        for word in &new {
            self.late.want(word.wrapping_add(OBJECT_TYPE as u64), 8);
        }
        self.late.take(&self.memory)?;
        let types: Vec<Option<u64>> =
            (0..new.len()).map(|index| self.late.piece(index).and_then(|bytes| word_at(bytes, 0))).collect();
        for (word, found) in new.into_iter().zip(types) {
            let code = match found {
                Some(found) if found == self.types.code => Some(word),
                Some(found) if found == self.types.frame => {
                    // The next function may run in it.
                    self.tried.remove(&word);
                    memory::word(&self.memory, word.wrapping_add(self.offsets.frame_code as u64))?
                }
                _ => None,
            };
            if let Some(code) = code {
                self.resolve_also(code, &mut Vec::new())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four functions of a hundred bytes each.
    fn function(address: u64) -> Option<CodeId> {
        let inside = address.checked_sub(0x1000)?;
        (inside < 0x4000 && inside % 0x1000 < 100).then(|| CodeId(u32::try_from(inside / 0x1000).unwrap()))
    }

    /// The register of the next instruction, and one that a call may change.
    const KEPT: usize = REGISTERS - 1;
    const CHANGED: usize = 0;
    const SLOT: usize = 5;

    /// A hit: the registers as given, the first instruction of the function in a slot, and what callees have saved.
    fn hit(
        registers: &[(usize, u64)],
        slot: u64,
        saved: &[u64],
        runs: Runs,
    ) -> ([[u8; 8]; REGISTERS], Vec<u8>, usize, Runs) {
        let mut general = [[0; 8]; REGISTERS];
        registers.iter().for_each(|(register, value)| general[*register] = value.to_ne_bytes());
        let mut words = saved.to_vec();
        words.extend([0; SLOTS]);
        words[saved.len() + SLOT] = slot;
        (general, words.iter().flat_map(|word| word.to_le_bytes()).collect(), saved.len() * 8, runs)
    }

    fn told(
        habit: &mut Habit,
        hit: &([[u8; 8]; REGISTERS], Vec<u8>, usize, Runs),
    ) -> Option<(u32, Option<u64>)> {
        let (general, stack, frame, runs) = hit;
        let moment = Moment { general: General(general), runs: *runs, stack, frame: *frame };
        habit.learn(&moment, function);
        habit.next(&moment, true, function).map(|(code, next)| (code.0, next))
    }

    /// An interpreter that has its next instruction in `register`, and in another the first of its function.
    fn trained(register: usize) -> Habit {
        let mut habit = Habit::default();
        for turn in 0..u64::from(TURN) * 3 {
            let first = 0x1000 * (1 + turn % 4);
            let next = first + 2 * (turn * 7 % 40);
            told(&mut habit, &hit(&[(register, next), (3, first), (4, 0x9_0000)], first, &[], Runs::Itself));
        }
        habit
    }

    #[test]
    fn the_register_with_the_most_different_instructions_is_believed() {
        let mut habit = trained(KEPT);
        let inside = hit(&[(KEPT, 0x2010), (3, 0x3000)], 0x2000, &[], Runs::Itself);
        assert_eq!(told(&mut habit, &inside), Some((1, Some(0x2010))));
        // At the beginning of the loop it is nothing yet.
        assert_eq!(told(&mut habit, &hit(&[(3, 0x3000)], 0x3000, &[], Runs::Itself)), None);
        // Or still its caller's.
        assert_eq!(told(&mut habit, &hit(&[(KEPT, 0x2010)], 0, &[], Runs::Itself)), None);
        assert_eq!(told(&mut habit, &hit(&[(KEPT, 0x2010)], 0x3000, &[], Runs::Called)), None);
    }

    #[test]
    fn in_what_the_loop_called_the_register_tells_or_the_loop_s_own_frame_the_function_alone() {
        let mut habit = trained(KEPT);
        let called = hit(&[(KEPT, 0x2010)], 0x2000, &[0x3012], Runs::Called);
        assert_eq!(told(&mut habit, &called), Some((1, Some(0x2010))));
        let used = hit(&[(KEPT, 7)], 0x2000, &[0x3012, 0x2014, 9], Runs::Called);
        assert_eq!(told(&mut habit, &used), Some((1, None)));
        assert_eq!(told(&mut habit, &hit(&[(KEPT, 7)], 7, &[0x3012], Runs::Called)), None);
        // A loop inside what it called has the register now.
        let another = hit(&[(KEPT, 0x3010)], 0x2000, &[0x2014], Runs::Another);
        assert_eq!(told(&mut habit, &another), Some((1, None)));
    }

    #[test]
    fn a_register_that_calls_may_change_tells_only_inside_the_loop() {
        let mut habit = trained(CHANGED);
        let inside = hit(&[(CHANGED, 0x2010)], 0x2000, &[], Runs::Itself);
        assert_eq!(told(&mut habit, &inside), Some((1, Some(0x2010))));
        let called = hit(&[(CHANGED, 0x3010)], 0x2000, &[0x2014], Runs::Called);
        assert_eq!(told(&mut habit, &called), Some((1, None)));
    }

    #[test]
    fn a_short_program_s_few_hits_are_enough_where_nearly_all_agree() {
        let hits = |strange: u64| {
            let mut habit = Habit::default();
            for turn in 0..u64::from(EARLY[0]) {
                let next = if turn < strange { 7 } else { 0x1000 * (1 + turn % 2) + 2 * turn };
                told(&mut habit, &hit(&[(KEPT, next), (3, 0x1000 * (1 + turn % 2))], 0, &[], Runs::Itself));
            }
            told(&mut habit, &hit(&[(KEPT, 0x2010)], 0, &[], Runs::Itself))
        };
        assert_eq!(hits(0), Some((1, Some(0x2010))));
        assert_eq!(hits(2), None);
    }

    #[test]
    fn few_hits_and_first_instructions_alone_tell_nothing() {
        let mut habit = Habit::default();
        for turn in 0..u64::from(EARLY[0]) - 1 {
            assert_eq!(told(&mut habit, &hit(&[(KEPT, 0x1000 + 2 * turn)], 0, &[], Runs::Itself)), None);
        }
        let mut habit = Habit::default();
        for turn in 0..u64::from(LAST_TURN) * 2 {
            let first = 0x1000 * (1 + turn % 4);
            assert_eq!(told(&mut habit, &hit(&[(KEPT, first), (3, 0x1010)], first, &[], Runs::Itself)), None);
        }
    }

    #[test]
    fn a_copy_that_is_too_short_tells_nothing_and_panics_nowhere() {
        let mut habit = trained(CHANGED);
        for length in 0..32 {
            let (general, stack, _, _) = hit(&[], 0x2000, &[1, 2], Runs::Called);
            for frame in [0, 8, 16, length, usize::MAX] {
                let moment =
                    Moment { general: General(&general), runs: Runs::Called, stack: &stack[..length], frame };
                habit.learn(&moment, function);
                assert_eq!(habit.next(&moment, false, function), None);
            }
        }
    }
}
