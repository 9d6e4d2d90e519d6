//! Where the System V convention for x86-64 puts what a function is given and gives. Rust follows it but for what is large.

use model::native::{Parameter, Shape, Where};

/// Registers for integers and pointers, in turn, as DWARF numbers them: rdi, rsi, rdx, rcx, r8, r9.
const INTEGERS: [u16; 6] = [5, 4, 1, 2, 8, 9];

/// The first vector register, and how many take arguments.
const VECTOR: u16 = 17;
const VECTORS: u16 = 8;

/// Larger things do not travel in registers.
const IN_REGISTERS: u32 = 16;

/// The first of them.
const ROOM: u16 = 5;

/// Results: rax and rdx.
const RESULTS: [u16; 2] = [0, 1];

/// Registers of a function of which nothing is known that are looked at. Those behind its last parameter hold anything.
const LOOKED_AT: usize = 3;

/// What a function may be given of which nothing is known: in each register an object or a number. And something that nobody can
/// see, so that no input is ever the same as another.
pub(super) fn untold() -> Vec<Parameter> {
    let parameter = |at: Where, shape: Shape| Parameter { name: None, at, shape, counted_by: None };
    let object = || Shape::Pointer(Box::new(Shape::Unknown { bytes: 0 }));
    let registers = INTEGERS.iter().take(LOOKED_AT).flat_map(|register| {
        let at = || Where::Registers(vec![*register]);
        [parameter(at(), object()), parameter(at(), Shape::Number { bytes: 8, signed: true })]
    });
    std::iter::once(parameter(Where::Nowhere, Shape::Unknown { bytes: 0 })).chain(registers).collect()
}

pub(super) struct Convention {
    integers: usize,
    vectors: u16,
    is_rust: bool,
    /// Something lies where we do not know; what comes after it, too.
    is_lost: bool,
}

impl Convention {
    pub(super) fn new(result: Option<&Shape>, is_rust: bool) -> Self {
        // The caller makes room for it and says first where.
        let has_room = result.is_some_and(|shape| !returns_in_registers(shape));
        // Small objects with a destructor get room, too; nothing here tells which those are.
        let unclear = |shape: &Shape| matches!(shape, Shape::Record { .. } | Shape::Unknown { .. });
        let is_lost = result.is_some_and(|shape| unclear(shape) && returns_in_registers(shape));
        Self { integers: usize::from(has_room), vectors: 0, is_rust, is_lost }
    }

    /// Where the next parameter lies.
    pub(super) fn next(&mut self, shape: &Shape) -> Where {
        if self.is_lost {
            return Where::Nowhere;
        }
        match shape {
            Shape::Float { .. } if self.vectors < VECTORS => {
                self.vectors += 1;
                Where::Registers(vec![VECTOR + self.vectors - 1])
            }
            Shape::Number { .. } | Shape::Text | Shape::Pointer(_) => self.take(1),
            // Made by a constructor: given by where it lies.
            Shape::Sequence(sequence) if sequence.bytes > IN_REGISTERS => self.referred(),
            Shape::Counted { .. } => self.referred(),
            Shape::Sequence(_) => self.take(2),
            _ if shape.bytes() > IN_REGISTERS && self.is_rust => self.referred(),
            // In the caller's frame; what comes after it is not moved by it.
            _ if shape.bytes() > IN_REGISTERS => Where::Nowhere,
            // Which part of it lies where depends on what it is made of.
            _ => {
                self.is_lost = true;
                Where::Nowhere
            }
        }
    }

    fn take(&mut self, count: usize) -> Where {
        let all = INTEGERS.get(self.integers..self.integers + count).map(<[u16]>::to_vec);
        self.integers += if all.is_some() { count } else { 0 };
        all.map_or(Where::Nowhere, Where::Registers)
    }

    fn referred(&mut self) -> Where {
        match self.take(1) {
            Where::Registers(one) => one
                .first()
                .map_or(Where::Nowhere, |register| Where::Memory { register: *register, offset: 0 }),
            other => other,
        }
    }
}

fn returns_in_registers(shape: &Shape) -> bool {
    match shape {
        Shape::Sequence(sequence) => sequence.bytes <= IN_REGISTERS,
        Shape::Counted { .. } => false,
        _ => shape.bytes() <= IN_REGISTERS,
    }
}

/// Where a result lies when its function has ended; in memory, by the registers it began with.
pub(super) fn result(shape: &Shape) -> Where {
    match shape {
        Shape::Float { .. } => Where::Registers(vec![VECTOR]),
        // The caller has made room and said first where. Not every callee gives that back (Rust's do not).
        _ if !returns_in_registers(shape) => Where::Memory { register: ROOM, offset: 0 },
        Shape::Number { bytes: ..=8, .. } | Shape::Text | Shape::Pointer(_) => Where::Registers(vec![0]),
        Shape::Sequence(_) => Where::Registers(RESULTS.to_vec()),
        // Which part of it lies where depends on what it is made of.
        _ => Where::Nowhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBER: Shape = Shape::Number { bytes: 4, signed: true };

    #[test]
    fn arguments_lie_where_the_convention_puts_them() {
        let mut places = Convention::new(None, false);
        assert_eq!(places.next(&NUMBER), Where::Registers(vec![5]));
        assert_eq!(places.next(&Shape::Float { bytes: 8 }), Where::Registers(vec![17]));
        assert_eq!(places.next(&Shape::Text), Where::Registers(vec![4]));
        assert_eq!(places.next(&Shape::Unknown { bytes: 40 }), Where::Nowhere);
        assert_eq!(places.next(&NUMBER), Where::Registers(vec![1]));
        assert_eq!(places.next(&Shape::Plain { bytes: 12 }), Where::Nowhere);
        assert_eq!(places.next(&NUMBER), Where::Nowhere);
    }

    #[test]
    fn a_large_result_takes_the_first_register() {
        let large = Shape::Record { bytes: 24, parts: Vec::new() };
        let mut places = Convention::new(Some(&large), false);
        assert_eq!(places.next(&NUMBER), Where::Registers(vec![4]));
        assert_eq!(result(&large), Where::Memory { register: 5, offset: 0 });
        assert_eq!(result(&NUMBER), Where::Registers(vec![0]));
    }
}
