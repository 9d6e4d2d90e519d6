//! First instructions of functions that are carried out by changing registers, so that a thread goes on without a step and no
//! other thread runs over a place whose breakpoint is lifted meanwhile.
//!
//! Only those that compilers begin most functions with: `endbr64`, `push`, `sub rsp`, moves between registers. For any other the
//! thread takes one step.

use libc::user_regs_struct;

/// Bytes that are looked at.
pub(super) const LONGEST: usize = 8;

/// What a first instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct First {
    length: u64,
    act: Act,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Nothing,
    /// Puts a register onto the stack.
    Push(u8),
    /// Makes room on the stack.
    Room(i32),
    Move {
        from: u8,
        to: u8,
        /// The lower half; the upper one becomes zero.
        half: bool,
    },
}

/// The arithmetic flags: carry, parity, adjust, zero, sign, overflow.
const FLAGS: u64 = 0x8d5;

impl First {
    /// `None` for an instruction that is not one of these.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let some = |length, act| Some(Self { length, act });
        match *bytes {
            [0xf3, 0x0f, 0x1e, 0xfa, ..] => some(4, Act::Nothing),
            [opcode @ 0x50..=0x57, ..] => some(1, Act::Push(opcode - 0x50)),
            [0x41, opcode @ 0x50..=0x57, ..] => some(2, Act::Push(opcode - 0x50 + 8)),
            [0x48, 0x83, 0xec, room, ..] => some(4, Act::Room(i32::from(room.cast_signed()))),
            [0x48, 0x81, 0xec, a, b, c, d, ..] => some(7, Act::Room(i32::from_le_bytes([a, b, c, d]))),
            [rex @ 0x48..=0x4f, opcode @ (0x89 | 0x8b), both @ 0xc0..=0xff, ..] => {
                let (low, high) = (both & 7 | (rex & 1) << 3, both >> 3 & 7 | (rex & 4) << 1);
                let (from, to) = if opcode == 0x89 { (high, low) } else { (low, high) };
                some(3, Act::Move { from, to, half: false })
            }
            [opcode @ (0x89 | 0x8b), both @ 0xc0..=0xff, ..] => {
                let (low, high) = (both & 7, both >> 3 & 7);
                let (from, to) = if opcode == 0x89 { (high, low) } else { (low, high) };
                some(2, Act::Move { from, to, half: true })
            }
            _ => None,
        }
    }

    /// Carries it out. What has to be written to memory, and where.
    pub(super) fn carry_out(self, all: &mut user_regs_struct) -> Option<(u64, u64)> {
        all.rip = all.rip.wrapping_add(self.length);
        match self.act {
            Act::Nothing => None,
            Act::Push(from) => {
                let value = *register(all, from);
                all.rsp = all.rsp.wrapping_sub(8);
                Some((all.rsp, value))
            }
            Act::Room(room) => {
                let (before, room) = (all.rsp, i64::from(room).cast_unsigned());
                let after = before.wrapping_sub(room);
                all.rsp = after;
                all.eflags = all.eflags & !FLAGS | flags(before, room, after);
                None
            }
            Act::Move { from, to, half } => {
                let value = *register(all, from);
                *register(all, to) = if half { value & 0xffff_ffff } else { value };
                None
            }
        }
    }
}

/// What a subtraction leaves in the flags.
fn flags(before: u64, by: u64, after: u64) -> u64 {
    let bit = |condition: bool, at: u32| u64::from(condition) << at;
    let overflow = (before ^ by) & (before ^ after) >> 63 << 63;
    bit(before < by, 0)
        | bit((after & 0xff).count_ones().is_multiple_of(2), 2)
        | bit((before ^ by ^ after) & 0x10 != 0, 4)
        | bit(after == 0, 6)
        | bit(after >> 63 == 1, 7)
        | bit(overflow >> 63 == 1, 11)
}

/// By the number that instructions use.
fn register(all: &mut user_regs_struct, number: u8) -> &mut u64 {
    match number & 15 {
        0 => &mut all.rax,
        1 => &mut all.rcx,
        2 => &mut all.rdx,
        3 => &mut all.rbx,
        4 => &mut all.rsp,
        5 => &mut all.rbp,
        6 => &mut all.rsi,
        7 => &mut all.rdi,
        8 => &mut all.r8,
        9 => &mut all.r9,
        10 => &mut all.r10,
        11 => &mut all.r11,
        12 => &mut all.r12,
        13 => &mut all.r13,
        14 => &mut all.r14,
        _ => &mut all.r15,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers() -> user_regs_struct {
        // SAFETY: all bytes zero is a valid struct of integers.
        let mut all: user_regs_struct = unsafe { std::mem::zeroed() };
        (all.rip, all.rsp, all.rbp, all.rdi, all.r12) = (0x1000, 0x8000, 0xb0, 0x1_0000_00d1, 0x12);
        all
    }

    fn after(bytes: &[u8]) -> Option<(user_regs_struct, Option<(u64, u64)>)> {
        let mut all = registers();
        let written = First::decode(bytes)?.carry_out(&mut all);
        Some((all, written))
    }

    #[test]
    fn what_functions_begin_with_is_carried_out() {
        let (all, written) = after(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap();
        assert_eq!((all.rip, all.rsp, written), (0x1004, 0x8000, None));
        let (all, written) = after(&[0x55, 0x48]).unwrap();
        assert_eq!((all.rip, all.rsp, written), (0x1001, 0x7ff8, Some((0x7ff8, 0xb0))));
        let (all, written) = after(&[0x41, 0x54]).unwrap();
        assert_eq!((all.rip, written), (0x1002, Some((0x7ff8, 0x12))));
        let (all, written) = after(&[0x48, 0x83, 0xec, 0x18]).unwrap();
        assert_eq!((all.rip, all.rsp, written), (0x1004, 0x7fe8, None));
        let (all, _) = after(&[0x48, 0x81, 0xec, 0x00, 0x01, 0, 0]).unwrap();
        assert_eq!((all.rip, all.rsp), (0x1007, 0x7f00));
        // mov r12, rdi; mov rbp, rsp; mov eax, edi
        let (all, _) = after(&[0x49, 0x89, 0xfc]).unwrap();
        assert_eq!((all.rip, all.r12), (0x1003, 0x1_0000_00d1));
        let (all, _) = after(&[0x48, 0x8b, 0xec]).unwrap();
        assert_eq!(all.rbp, 0x8000);
        let (all, _) = after(&[0x89, 0xf8]).unwrap();
        assert_eq!((all.rip, all.rax), (0x1002, 0xd1));
    }

    #[test]
    fn anything_else_is_left_to_the_processor() {
        for bytes in [&[0xe9_u8, 1, 0, 0, 0][..], &[0x48, 0x8b, 0x07], &[0xc3], &[], &[0x48]] {
            assert_eq!(First::decode(bytes), None, "{bytes:x?}");
        }
    }

    #[test]
    fn flags_are_those_of_a_subtraction() {
        // Zero and even parity; carry, sign, adjust and even parity.
        assert_eq!(flags(8, 8, 0), 0x44);
        assert_eq!(flags(0, 1, u64::MAX), 0x95);
        assert_eq!(flags(1 << 63, 1, (1 << 63) - 1) & 0x800, 0x800);
    }
}
