//! What one time round an innermost loop does to registers and stack slots, and so how addresses move.
//!
//! Each block is followed once, in order, with every value told as a sum over what registers held at the loop's head
//! where that is possible, else as the set of head values it was made from. What a register holds at the jump back then
//! shows how it moves. Stack slots count as registers, so that a debug build is understood like any other.

use std::collections::{BTreeMap, BTreeSet};

use model::machine_code::Architecture;

use crate::graph::{BlockIndex, Graph, Loop};
use crate::instruction::{Flow, Instruction, Lanes, Meaning, Memory, Register, Registers, Work};

/// Where a value can stay from one iteration to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Location {
    Register(Register),
    /// So far from the stack or frame pointer at the loop's head.
    Slot(Register, i64),
}

/// A value, in terms of what was there at the loop's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Linear(BTreeMap<Location, i64>, i64),
    Mixed(Mixture),
}

/// What a value was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mixture {
    needs: BTreeSet<Location>,
    /// Those that went into the address of a load.
    addressed: BTreeSet<Location>,
    loaded: bool,
}

/// The result of following the loop once.
pub(crate) struct Iteration {
    /// Memory outside the stack's slots, by position of the instruction.
    pub(crate) accesses: Vec<(usize, Value)>,
    /// Reads and writes of stack slots, by position of the instruction.
    pub(crate) slots: Vec<(usize, Location, SlotUse)>,
    /// For each conditional jump, whether loaded values decide it.
    pub(crate) branches: Vec<(usize, bool)>,
    /// For each conditional jump, what of the iteration before decides it.
    decided: Vec<(usize, BTreeSet<Location>)>,
    /// Integer arithmetic on loaded values, one element at a time.
    pub(crate) on_loaded: Vec<usize>,
    /// Floating-point arithmetic on one element, and what it needs.
    floats: Vec<(usize, Value)>,
    /// Registers that hold one known number throughout the function.
    constants: BTreeMap<Location, i64>,
    /// What locations hold when the loop goes round; absent: what they held before.
    latch: BTreeMap<Location, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotUse {
    pub(crate) read: bool,
    pub(crate) written: bool,
}

/// How a location moves from one iteration to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    By(i64),
    /// The same each time, but not known here.
    Steady,
    /// It was loaded in the loop.
    Loaded,
    /// It was loaded from where it pointed to itself.
    Chased,
    Unknown,
}

/// Which registers have a fixed meaning.
#[derive(Clone, Copy)]
pub(crate) struct Convention {
    pub(crate) stack: Register,
    /// `None` when this function uses it for something else.
    pub(crate) frame: Option<Register>,
    pub(crate) clobbered: Registers,
}

/// A frame pointer is set up among the first instructions.
const PROLOGUE: usize = 24;

impl Convention {
    pub(crate) fn of(architecture: Architecture, instructions: &[Instruction]) -> Self {
        let (stack, frame, clobbered) = match architecture {
            Architecture::X86_64 => (crate::x86::STACK, crate::x86::FRAME, crate::x86::clobbered()),
            Architecture::Aarch64 => {
                (crate::aarch64::STACK, crate::aarch64::FRAME, crate::aarch64::clobbered())
            }
        };
        let sets_up = |instruction: &Instruction| match &instruction.meaning {
            Meaning::Sum { to, terms, .. } => *to == frame && *terms == [(stack, 1)],
            _ => false,
        };
        let frame = instructions.iter().take(PROLOGUE).any(sets_up).then_some(frame);
        Self { stack, frame, clobbered }
    }
}

type State = BTreeMap<Location, Value>;

impl Iteration {
    pub(crate) fn follow(
        graph: &Graph,
        found: &Loop,
        instructions: &[Instruction],
        convention: Convention,
    ) -> Self {
        let mut iteration = Self {
            accesses: Vec::new(),
            slots: Vec::new(),
            branches: Vec::new(),
            decided: Vec::new(),
            on_loaded: Vec::new(),
            floats: Vec::new(),
            constants: constants(instructions, convention),
            latch: State::new(),
        };
        let mut entering: BTreeMap<BlockIndex, State> = BTreeMap::from([(found.head, at_head())]);
        let mut latch: Option<State> = None;
        for index in graph.in_order(found) {
            let Some(block) = graph.blocks.get(index) else { continue };
            let mut state = entering.remove(&index).unwrap_or_default();
            for at in block.instructions.clone() {
                if let Some(instruction) = instructions.get(at) {
                    iteration.step_over(at, instruction, &mut state, convention);
                }
            }
            for next in block.next.iter().filter(|next| found.blocks.contains(next)) {
                if *next == found.head {
                    latch = Some(joined(latch.take(), &state));
                } else {
                    let known = entering.remove(next);
                    entering.insert(*next, joined(known, &state));
                }
            }
        }
        iteration.latch = latch.unwrap_or_default();
        iteration
    }

    fn step_over(&mut self, at: usize, instruction: &Instruction, state: &mut State, convention: Convention) {
        let address = instruction.memory.as_ref().map(|memory| sum(state, &memory.terms, memory.constant));
        let slot = address.as_ref().and_then(|address| slot(address, convention));
        let loaded = instruction
            .memory
            .as_ref()
            .filter(|memory| memory.read)
            .map(|_| slot.map_or_else(|| from_memory(address.as_ref()), |slot| held(state, slot)));
        let mixed = mixed(state, instruction.reads, loaded.as_ref());
        self.note(at, instruction, &mixed);
        if let (Some(memory), Some(address)) = (&instruction.memory, address) {
            self.touch(at, memory, slot, address);
        }
        let stored = stored(instruction, state, slot, &mixed);
        let written = match &instruction.meaning {
            Meaning::Sum { to, terms, constant } => Some((*to, sum(state, terms, *constant))),
            Meaning::Load { to } => loaded.map(|value| (*to, value)),
            _ => None,
        };
        let moved = instruction.moved_base.map(|(base, by)| {
            let value = by.map_or_else(|| Value::Mixed(mixed.clone()), |by| sum(state, &[(base, 1)], by));
            (base, value)
        });
        for register in instruction.writes.iter() {
            state.insert(Location::Register(register), Value::Mixed(mixed.clone()));
        }
        for (register, value) in moved.into_iter().chain(written) {
            state.insert(Location::Register(register), value);
        }
        if let (Some(slot), Some(value)) = (slot, stored) {
            state.insert(slot, value);
        }
        if matches!(instruction.flow, Flow::Call(_)) {
            for register in convention.clobbered.iter() {
                state.insert(Location::Register(register), Value::Mixed(Mixture::default()));
            }
        }
    }

    fn note(&mut self, at: usize, instruction: &Instruction, mixed: &Mixture) {
        if matches!(instruction.flow, Flow::Branch(_)) {
            self.branches.push((at, mixed.loaded));
            self.decided.push((at, mixed.needs.clone()));
        }
        match instruction.work {
            Work::Float(Lanes::One) => self.floats.push((at, Value::Mixed(mixed.clone()))),
            Work::Integer(Lanes::One) | Work::Division if mixed.loaded => self.on_loaded.push(at),
            _ => {}
        }
    }

    fn touch(&mut self, at: usize, memory: &Memory, slot: Option<Location>, address: Value) {
        match slot {
            Some(slot) => self.slots.push((at, slot, SlotUse { read: memory.read, written: memory.written })),
            None => self.accesses.push((at, address)),
        }
    }

    /// How an address moves from one iteration to the next.
    pub(crate) fn moves(&self, address: &Value) -> Step {
        match address {
            Value::Linear(terms, _) => self.steps(terms, &mut BTreeSet::new()),
            Value::Mixed(mixture) if mixture.loaded => Step::Loaded,
            Value::Mixed(_) => Step::Unknown,
        }
    }

    /// The sum of factor × step over the terms.
    fn steps(&self, terms: &BTreeMap<Location, i64>, visiting: &mut BTreeSet<Location>) -> Step {
        terms.iter().fold(Step::By(0), |total, (location, factor)| {
            match (total, self.step(*location, visiting)) {
                (Step::By(total), Step::By(step)) => Step::By(total.wrapping_add(factor.wrapping_mul(step))),
                (Step::Chased, _) | (_, Step::Chased) => Step::Chased,
                (Step::Loaded, _) | (_, Step::Loaded) => Step::Loaded,
                (Step::Unknown, _) | (_, Step::Unknown) => Step::Unknown,
                (Step::Steady, _) | (_, Step::Steady) => Step::Steady,
            }
        })
    }

    fn step(&self, location: Location, visiting: &mut BTreeSet<Location>) -> Step {
        let (terms, constant) = match self.latch.get(&location) {
            None => return Step::By(0),
            Some(Value::Linear(terms, constant)) => (terms, *constant),
            Some(Value::Mixed(mixture)) if mixture.loaded => {
                let chased = self.reached(&mixture.addressed).contains(&location);
                return if chased { Step::Chased } else { Step::Loaded };
            }
            Some(Value::Mixed(_)) => return Step::Unknown,
        };
        let mut others = terms.clone();
        match others.remove(&location) {
            // Itself plus what does not move: the same distance each time.
            Some(1) if others.keys().all(|other| self.constants.contains_key(other)) => {
                let known = |(other, factor): (&Location, &i64)| {
                    factor.wrapping_mul(self.constants.get(other).copied().unwrap_or(0))
                };
                Step::By(others.iter().map(known).fold(constant, i64::wrapping_add))
            }
            Some(1) if others.keys().all(|other| self.is_fixed(*other)) => Step::Steady,
            Some(_) => Step::Unknown,
            // A copy of others, which moves as they do.
            None if visiting.insert(location) => self.steps(&others, visiting),
            None => Step::Unknown,
        }
    }

    fn is_fixed(&self, location: Location) -> bool {
        self.latch.get(&location).is_none_or(|value| *value == head(location))
    }

    /// All locations whose head values go into these, over any number of iterations.
    fn reached(&self, from: &BTreeSet<Location>) -> BTreeSet<Location> {
        let mut reached = from.clone();
        let mut open: Vec<Location> = from.iter().copied().collect();
        while let Some(location) = open.pop() {
            let needs = match self.latch.get(&location) {
                Some(value) => needs(value),
                None => continue,
            };
            open.extend(needs.into_iter().filter(|need| reached.insert(*need)));
        }
        reached
    }

    /// Conditional jumps that a sum over loaded values decides: what was gathered so far, and what was just loaded.
    pub(crate) fn decided_by_sums(&self) -> Vec<usize> {
        let is_sum = |location: &Location| match self.latch.get(location) {
            Some(made @ Value::Mixed(mixture)) => {
                mixture.loaded
                    && needs(made).contains(location)
                    && !self.reached(&mixture.addressed).contains(location)
            }
            _ => false,
        };
        let found = self.decided.iter().filter(|(_, needs)| needs.iter().any(is_sum));
        found.map(|(at, _)| *at).collect()
    }

    /// Floating-point arithmetic on one element that needs its own result of the iteration before.
    pub(crate) fn carried_floats(&self) -> Vec<usize> {
        let carried = |location: &Location| {
            let kept = match location {
                Location::Register(register) => register.is_vector(),
                Location::Slot(..) => true,
            };
            let made = self.latch.get(location);
            kept && made.is_some_and(|made| matches!(made, Value::Mixed(_)) && needs(made).contains(location))
        };
        let found = self.floats.iter().filter(|(_, value)| needs(value).iter().any(carried));
        found.map(|(at, _)| *at).collect()
    }
}

/// Registers that are written once in the whole function, and with a number.
fn constants(instructions: &[Instruction], convention: Convention) -> BTreeMap<Location, i64> {
    let mut written: BTreeMap<Register, Option<i64>> = BTreeMap::new();
    for instruction in instructions {
        let called = matches!(instruction.flow, Flow::Call(_)).then_some(convention.clobbered);
        let number = match &instruction.meaning {
            Meaning::Sum { terms, constant, .. } if terms.is_empty() => Some(*constant),
            _ => None,
        };
        for register in instruction.writes.iter().chain(called.unwrap_or_default().iter()) {
            written.entry(register).and_modify(|known| *known = None).or_insert(number);
        }
    }
    let known =
        written.into_iter().filter_map(|(register, number)| Some((Location::Register(register), number?)));
    known.collect()
}

/// Nothing has changed yet, and what is not known stays so.
fn at_head() -> State {
    State::from([(Location::Register(Register::UNKNOWN), Value::Mixed(Mixture::default()))])
}

fn head(location: Location) -> Value {
    Value::Linear(BTreeMap::from([(location, 1)]), 0)
}

fn held(state: &State, location: Location) -> Value {
    state.get(&location).cloned().unwrap_or_else(|| head(location))
}

fn needs(value: &Value) -> BTreeSet<Location> {
    match value {
        Value::Linear(terms, _) => terms.keys().copied().collect(),
        Value::Mixed(mixture) => mixture.needs.clone(),
    }
}

/// Factor × register, added up.
fn sum(state: &State, terms: &[(Register, i64)], constant: i64) -> Value {
    let mut total = BTreeMap::new();
    let mut constant = constant;
    for (register, factor) in terms {
        match held(state, Location::Register(*register)) {
            Value::Linear(parts, more) => {
                constant = constant.wrapping_add(more.wrapping_mul(*factor));
                for (location, times) in parts {
                    let slot: &mut i64 = total.entry(location).or_insert(0);
                    *slot = slot.wrapping_add(times.wrapping_mul(*factor));
                }
            }
            Value::Mixed(_) => {
                let registers = terms.iter().map(|(register, _)| *register).collect();
                return Value::Mixed(mixed(state, registers, None));
            }
        }
    }
    total.retain(|_, factor| *factor != 0);
    Value::Linear(total, constant)
}

fn mixed(state: &State, registers: Registers, loaded: Option<&Value>) -> Mixture {
    let mut mixture = Mixture::default();
    for register in registers.iter() {
        mixture.add(&held(state, Location::Register(register)));
    }
    if let Some(loaded) = loaded {
        mixture.add(loaded);
    }
    mixture
}

impl Mixture {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Linear(terms, _) => self.needs.extend(terms.keys()),
            Value::Mixed(other) => {
                self.needs.extend(&other.needs);
                self.addressed.extend(&other.addressed);
                self.loaded |= other.loaded;
            }
        }
    }
}

/// What a load from this address gives.
fn from_memory(address: Option<&Value>) -> Value {
    let mut mixture = Mixture::default();
    if let Some(address) = address {
        mixture.add(address);
    }
    mixture.addressed.extend(&mixture.needs);
    mixture.loaded = true;
    Value::Mixed(mixture)
}

/// The stack slot an address names, when it is at a fixed distance from the stack or frame pointer.
fn slot(address: &Value, convention: Convention) -> Option<Location> {
    let Value::Linear(terms, constant) = address else { return None };
    let mut terms = terms.iter();
    match (terms.next(), terms.next()) {
        (Some((Location::Register(base), 1)), None)
            if *base == convention.stack || Some(*base) == convention.frame =>
        {
            Some(Location::Slot(*base, *constant))
        }
        _ => None,
    }
}

/// What an instruction leaves in a stack slot. `None` when it writes none.
fn stored(
    instruction: &Instruction,
    state: &State,
    slot: Option<Location>,
    mixed: &Mixture,
) -> Option<Value> {
    let memory = instruction.memory.as_ref().filter(|memory| memory.written)?;
    let slot = slot?;
    Some(match &instruction.meaning {
        Meaning::Store { from: Some(from) } => held(state, Location::Register(*from)),
        Meaning::Store { from: None } => Value::Linear(BTreeMap::new(), 0),
        Meaning::Bump { by } => match held(state, slot) {
            Value::Linear(terms, constant) => Value::Linear(terms, constant.wrapping_add(*by)),
            mixed => mixed,
        },
        _ if memory.read => {
            let mut all = mixed.clone();
            all.add(&held(state, slot));
            Value::Mixed(all)
        }
        _ => Value::Mixed(mixed.clone()),
    })
}

/// What holds after either of two ways: what they agree on, else a mixture of both.
fn joined(known: Option<State>, other: &State) -> State {
    let Some(known) = known else { return other.clone() };
    let locations: BTreeSet<Location> = known.keys().chain(other.keys()).copied().collect();
    let both = locations.into_iter().map(|location| {
        let (one, two) = (held(&known, location), held(other, location));
        if one == two {
            return (location, one);
        }
        let mut mixture = Mixture::default();
        mixture.add(&one);
        mixture.add(&two);
        (location, Value::Mixed(mixture))
    });
    both.collect()
}
