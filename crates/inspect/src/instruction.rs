//! One instruction, told the same way for every architecture: what it reads and writes, where it goes on, and as much
//! of its arithmetic as is needed to follow an address from one iteration to the next.

/// A register, whatever part of it is used: general ones from 0, vector ones from 32, masks from 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Register(u8);

impl Register {
    pub(crate) const FLAGS: Self = Self(127);
    /// Stands in an address of which nothing is known.
    pub(crate) const UNKNOWN: Self = Self(126);

    pub(crate) const fn general(number: u8) -> Self {
        Self(number & 31)
    }

    pub(crate) const fn vector(number: u8) -> Self {
        Self(32 + (number & 31))
    }

    pub(crate) const fn mask(number: u8) -> Self {
        Self(64 + (number & 15))
    }

    pub(crate) const fn is_vector(self) -> bool {
        self.0 >= 32 && self.0 < 64
    }
}

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers(u128);

impl Registers {
    pub(crate) const fn with(self, register: Register) -> Self {
        Self(self.0 | 1 << register.0)
    }

    pub(crate) fn add(&mut self, register: Register) {
        *self = self.with(register);
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Register> {
        (0..128u8).map(Register).filter(move |register| self.0 >> register.0 & 1 == 1)
    }
}

impl FromIterator<Register> for Registers {
    fn from_iter<T: IntoIterator<Item = Register>>(registers: T) -> Self {
        registers.into_iter().fold(Self::default(), Self::with)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) address: u64,
    pub(crate) length: u64,
    pub(crate) text: String,
    pub(crate) flow: Flow,
    pub(crate) work: Work,
    pub(crate) meaning: Meaning,
    pub(crate) reads: Registers,
    /// All written registers, those that `meaning` explains included.
    pub(crate) writes: Registers,
    pub(crate) memory: Option<Memory>,
    /// A base register that moves with the access, and by how much; `None` where that is a register's value.
    pub(crate) moved_base: Option<(Register, Option<i64>)>,
}

impl Instruction {
    pub(crate) const fn end(&self) -> u64 {
        self.address.wrapping_add(self.length)
    }
}

/// Where it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Next,
    Jump(u64),
    /// Through a register or a table.
    JumpAnywhere,
    Branch(u64),
    Call(Callee),
    Return,
    /// A trap: it does not go on.
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    At(u64),
    /// Whatever the word at this address points to.
    Through(u64),
    Anywhere,
    Kernel,
}

/// The kind of work, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Float(Lanes),
    Integer(Lanes),
    /// On integers, one at a time.
    Division,
    /// A conditional move or its like.
    Select,
    /// Padding.
    Nothing,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    One,
    /// All lanes of a register of so many bits; `None` where the processor chooses (SVE).
    Many(Option<u32>),
}

/// What it computes, where that is linear or a move; all else is [`Meaning::Mixed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// `to` = the sum of factor × register, plus the constant.
    Sum { to: Register, terms: Vec<(Register, i64)>, constant: i64 },
    /// `to` = what lies in memory.
    Load { to: Register },
    /// Memory = the register's value, or a constant.
    Store { from: Option<Register> },
    /// Memory += the constant.
    Bump { by: i64 },
    /// Every written register depends on all that is read.
    Mixed,
}

/// An address and what is done there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) terms: Vec<(Register, i64)>,
    pub(crate) constant: i64,
    /// `None` when the instruction does not tell.
    pub(crate) bytes: Option<u32>,
    pub(crate) read: bool,
    pub(crate) written: bool,
    /// One address for each lane, from a vector register.
    pub(crate) gathered: bool,
}
