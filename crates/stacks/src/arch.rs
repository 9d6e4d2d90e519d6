//! What differs between processors: registers, frames of signals, calls.

use framehop::UnwindRegsNative;

use crate::raw::Registers;

/// One frame being undone: where it was, and the registers it saw.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) pc: u64,
    /// The thread was at `pc` itself; otherwise it will return there.
    pub(crate) exact: bool,
    pub(crate) registers: UnwindRegsNative,
}

impl Frame {
    /// The address that says where the frame is: inside the call, not behind it.
    pub(crate) fn lookup(&self) -> u64 {
        if self.exact { self.pc } else { self.pc.wrapping_sub(1) }
    }

    pub(crate) fn sp(&self) -> u64 {
        self.registers.sp()
    }

    /// Its registers, where these are all there is to it.
    pub(crate) fn plain(&self) -> Option<Registers> {
        let registers = self.named();
        (Self::first(&registers).registers == self.registers).then_some(registers)
    }

    /// The opposite of [`Self::plain`].
    pub(crate) fn of(registers: &Registers, exact: bool) -> Self {
        Self { exact, ..Self::first(registers) }
    }

    /// A frame must lie above its callee's, or a stack could be walked for ever.
    pub(crate) fn lies_above(&self, callee: &Self) -> bool {
        // Where calls leave no trace on the stack, the innermost function may not have used any.
        let bare_call = cfg!(target_arch = "aarch64") && callee.exact;
        self.sp() > callee.sp() || (bare_call && self.sp() == callee.sp())
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{
    above, after_bare_call, binding, calls_stub, interrupted, is_behind_call, is_binder, is_covered,
    is_repeated, is_signal_return,
};

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{
    above, after_bare_call, binding, calls_stub, interrupted, is_behind_call, is_binder, is_covered,
    is_repeated, is_signal_return,
};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use framehop::{CacheNative, FrameAddress, MayAllocateDuringUnwind, UnwindRegsNative, Unwinder as _};

    use super::{Frame, Registers};
    use crate::module::{Module, Rules};
    use crate::unwind::Stack;

    impl Frame {
        pub(crate) fn first(registers: &Registers) -> Self {
            let Registers { ip, sp, bp, .. } = *registers;
            Self { pc: ip, exact: true, registers: UnwindRegsNative::new(ip, sp, bp) }
        }

        pub(crate) fn bp(&self) -> u64 {
            self.registers.bp()
        }

        pub(crate) fn named(&self) -> Registers {
            Registers { ip: self.pc, sp: self.sp(), bp: self.bp(), lr: 0 }
        }
    }

    /// `mov $15, %rax; syscall`: what the C library makes a signal's frame return to (`rt_sigreturn`).
    const SIGNAL_RETURN: [u8; 9] = [0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05];

    /// `syscall`.
    const SYSTEM_CALL: [u8; 2] = [0x0f, 0x05];

    pub(crate) fn is_behind_call(module: &Module, address: u64) -> bool {
        let before = address.checked_sub(2).and_then(|address| module.code(address, SYSTEM_CALL.len()));
        before == Some(&SYSTEM_CALL)
    }

    /// Whether the instruction is a string operation that repeats itself: it is interrupted in the middle. `None` when its
    /// bytes are not known.
    pub(crate) fn is_repeated(module: &Module, address: u64) -> Option<bool> {
        Some(repeats(*module.code(address, 3)?.first_chunk()?))
    }

    /// `rep` or `repne`, maybe a REX prefix, and one of the string operations.
    fn repeats([prefix, first, second]: [u8; 3]) -> bool {
        let operation = if first & 0xf0 == 0x40 { second } else { first };
        matches!(prefix, 0xf2 | 0xf3) && matches!(operation, 0xa4..=0xa7 | 0xaa..=0xaf)
    }

    pub(crate) fn is_signal_return(module: &Module, address: u64) -> bool {
        module.code(address, SIGNAL_RETURN.len()) == Some(&SIGNAL_RETURN)
    }

    /// The function a signal came upon. The kernel left its registers on the stack (`struct ucontext`).
    pub(crate) fn interrupted(frame: &Frame, stack: &Stack<'_>) -> Option<Option<Frame>> {
        let saved = |offset| stack.word(frame.sp().checked_add(offset)?);
        let (bp, sp, ip) = (saved(120)?, saved(160)?, saved(168)?);
        Some(Some(Frame { pc: ip, exact: true, registers: UnwindRegsNative::new(ip, sp, bp) }))
    }

    /// The caller, when the function has used no stack yet, or has just saved the frame pointer: its return address is
    /// the first or the second word.
    ///
    /// Only believed when a call really stands before that address.
    pub(crate) fn after_bare_call(
        frame: &Frame,
        stack: &Stack<'_>,
        code_before: impl Fn(u64) -> Option<[u8; 7]>,
    ) -> Option<Frame> {
        let bp = frame.registers.bp();
        let first = stack.word(frame.sp())?;
        let (pc, used) = if first == bp { (stack.word(frame.sp().checked_add(8)?)?, 16) } else { (first, 8) };
        if !ends_with_call(code_before(pc)?) {
            return None;
        }
        let registers = UnwindRegsNative::new(pc, frame.sp().checked_add(used)?, bp);
        Some(Frame { pc, exact: false, registers })
    }

    /// The caller of a function that has used so many bytes of the stack; if any, it saved its caller's frame pointer first.
    pub(crate) fn above(frame: &Frame, depth: u64, stack: &Stack<'_>) -> Option<Frame> {
        let end = frame.sp().checked_add(depth)?;
        let pc = stack.word(end).filter(|pc| *pc != 0)?;
        // A pointer above the function's own part is still its caller's: it has not got round to saving it.
        let bp = if depth >= 8 && frame.bp() < end { stack.word(end - 8)? } else { frame.bp() };
        Some(Frame { pc, exact: false, registers: UnwindRegsNative::new(pc, end.checked_add(8)?, bp) })
    }

    /// `mov %rsp, %rbx`: from here on the binder's frame hangs on a register that samples do not hold.
    const BINDER_BEGINS: [u8; 3] = [0x48, 0x89, 0xe3];
    /// `mov %rbx, %rsp; mov (%rsp), %rbx; add $24, %rsp`: and up to here.
    const BINDER_ENDS: [u8; 11] = [0x48, 0x89, 0xdc, 0x48, 0x8b, 0x1c, 0x24, 0x48, 0x83, 0xc4, 0x18];
    const BINDER_LENGTH: usize = 200;
    /// Room for the vector registers that the binder saves.
    const BINDER_STACK: u64 = 16 << 10;

    /// Whether the dynamic linker is looking a function up on its first call (glibc's `_dl_runtime_resolve`).
    pub(crate) fn is_binder(module: &Module, address: u64) -> bool {
        let Some(code) = module.code(address, BINDER_LENGTH).filter(|_| module.is_linker) else {
            return false;
        };
        let end = code.windows(BINDER_ENDS.len()).position(|bytes| bytes == BINDER_ENDS);
        let begin = code.windows(BINDER_BEGINS.len()).position(|bytes| bytes == BINDER_BEGINS);
        end.is_some_and(|end| begin.is_none_or(|begin| begin > end))
    }

    /// The caller of a function being looked up. Above an area of unknown size lie a saved register, the linker's map
    /// of the library, the number of the symbol, and the return address, before which a stub must have been called.
    pub(crate) fn binding(
        frame: &Frame,
        stack: &Stack<'_>,
        calls_stub: impl Fn(u64) -> Option<bool>,
    ) -> Option<Frame> {
        const SYMBOLS: u64 = 1 << 24;
        let mut words = (frame.sp()..frame.sp().checked_add(BINDER_STACK)?).step_by(8);
        words.find_map(|at| {
            let (map, symbol, pc) = (stack.word(at)?, stack.word(at + 8)?, stack.word(at + 16)?);
            let fits = symbol < SYMBOLS && map > SYMBOLS && map % 8 == 0 && calls_stub(pc) == Some(true);
            let registers = UnwindRegsNative::new(pc, at + 24, frame.registers.bp());
            fits.then_some(Frame { pc, exact: false, registers })
        })
    }

    /// Whether a return address follows the call of a stub, which jumps through a table (`jmp *…(%rip)`).
    pub(crate) fn calls_stub(module: &Module, address: u64) -> Option<bool> {
        let [opcode, distance @ ..] = *module.code(address.checked_sub(5)?, 5)?.first_chunk::<5>()?;
        let target = address.checked_add_signed(i64::from(i32::from_le_bytes(distance)))?;
        let stub = module.code(target, 7)?;
        // With and without the marks that guard jumps.
        let stub = stub.strip_prefix(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap_or(stub);
        let stub = stub.strip_prefix(&[0xf2]).unwrap_or(stub);
        Some(opcode == 0xe8 && stub.starts_with(&[0xff, 0x25]))
    }

    /// Direct calls have five bytes; indirect ones (`ff /2`) two, three, four, six or seven.
    fn ends_with_call(code: [u8; 7]) -> bool {
        let [a, b, c, d, e, f, g] = code;
        let indirect = |opcode: u8, operand: u8| opcode == 0xff && (operand >> 3) & 7 == 2;
        c == 0xe8 || indirect(f, g) || indirect(e, f) || indirect(d, e) || indirect(b, c) || indirect(a, b)
    }

    /// Whether the tables hold a rule for the address.
    ///
    /// The unwinder does not say. But what it does where they have none is the only thing it does differently for
    /// innermost frames, so it is asked both ways about a frame made up for the purpose.
    pub(crate) fn is_covered(
        rules: &Rules,
        address: u64,
        cache: &mut CacheNative<MayAllocateDuringUnwind>,
    ) -> bool {
        const SP: u64 = 0x10000;
        const BP: u64 = 0x20000;
        let mut undone = |frame: FrameAddress| {
            let mut registers = UnwindRegsNative::new(address, SP, BP);
            // Every word of the made-up stack is the same.
            let result = rules.unwind_frame(frame, &mut registers, cache, &mut |_| Ok(SP));
            result.is_ok().then(|| registers.sp())
        };
        let innermost = undone(FrameAddress::from_instruction_pointer(address));
        let caller = address.checked_add(1).and_then(FrameAddress::from_return_address).and_then(undone);
        !(innermost == Some(SP + 8) && caller == Some(BP + 16))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn calls_are_told_from_other_code() {
            assert!(ends_with_call([0, 0, 0xe8, 1, 2, 3, 4]));
            // call *%rax; call *0x8(%rax); call *0x10(%rip); call *%r11
            assert!(ends_with_call([0, 0, 0, 0, 0, 0xff, 0xd0]));
            assert!(ends_with_call([0, 0, 0, 0, 0xff, 0x50, 0x08]));
            assert!(ends_with_call([0, 0xff, 0x15, 0x10, 0, 0, 0]));
            assert!(ends_with_call([0, 0, 0, 0, 0x41, 0xff, 0xd3]));
            // jmp *%rax; push; ret
            assert!(!ends_with_call([0, 0, 0, 0, 0, 0xff, 0xe0]));
            assert!(!ends_with_call([0x90; 7]));
        }

        #[test]
        fn repeated_strings_are_told_from_moves_with_the_same_prefix() {
            // rep stos %al; rep movsq
            assert!(repeats([0xf3, 0xaa, 0xc3]) && repeats([0xf3, 0x48, 0xa5]));
            // movdqu; movb $1, (%rax); stos without a prefix
            assert!(
                !repeats([0xf3, 0x0f, 0x7f]) && !repeats([0xc6, 0x00, 0x01]) && !repeats([0xaa, 0xf3, 0xaa])
            );
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use framehop::aarch64::PtrAuthMask;
    use framehop::{CacheNative, MayAllocateDuringUnwind, UnwindRegsNative};

    use super::{Frame, Registers};
    use crate::module::{Module, Rules};
    use crate::unwind::Stack;

    impl Frame {
        pub(crate) fn first(registers: &Registers) -> Self {
            let Registers { ip, sp, bp, lr } = *registers;
            // Return addresses may be signed in their upper bits.
            let mask = PtrAuthMask::new_24_40();
            Self {
                pc: ip,
                exact: true,
                registers: UnwindRegsNative::new_with_ptr_auth_mask(mask, lr, sp, bp),
            }
        }

        pub(crate) fn bp(&self) -> u64 {
            self.registers.fp()
        }

        pub(crate) fn named(&self) -> Registers {
            Registers { ip: self.pc, sp: self.sp(), bp: self.bp(), lr: self.registers.lr() }
        }
    }

    /// `svc #0`.
    const SYSTEM_CALL: [u8; 4] = [0x01, 0x00, 0x00, 0xd4];

    pub(crate) fn is_behind_call(module: &Module, address: u64) -> bool {
        let before = address.checked_sub(4).and_then(|address| module.code(address, SYSTEM_CALL.len()));
        before == Some(&SYSTEM_CALL)
    }

    /// None is interrupted in the middle.
    pub(crate) fn is_repeated(module: &Module, address: u64) -> Option<bool> {
        module.code(address, 4).map(|_| false)
    }

    /// Frames of signals are left to the tables here.
    pub(crate) fn is_signal_return(_module: &Module, _address: u64) -> bool {
        false
    }

    pub(crate) fn interrupted(_frame: &Frame, _stack: &Stack<'_>) -> Option<Option<Frame>> {
        None
    }

    pub(crate) fn calls_stub(_module: &Module, _address: u64) -> Option<bool> {
        None
    }

    /// The tables suffice here.
    pub(crate) fn is_binder(_module: &Module, _address: u64) -> bool {
        false
    }

    pub(crate) fn binding(
        _frame: &Frame,
        _stack: &Stack<'_>,
        _calls_stub: impl Fn(u64) -> Option<bool>,
    ) -> Option<Frame> {
        None
    }

    /// Return addresses lie below a function's own part of the stack here; nobody has tried to find them.
    pub(crate) fn above(_frame: &Frame, _depth: u64, _stack: &Stack<'_>) -> Option<Frame> {
        None
    }

    /// The link register tells; the unwinder looks there itself.
    pub(crate) fn after_bare_call(
        _frame: &Frame,
        _stack: &Stack<'_>,
        _code_before: impl Fn(u64) -> Option<[u8; 7]>,
    ) -> Option<Frame> {
        None
    }

    pub(crate) fn is_covered(
        _rules: &Rules,
        _address: u64,
        _cache: &mut CacheNative<MayAllocateDuringUnwind>,
    ) -> bool {
        true
    }
}
