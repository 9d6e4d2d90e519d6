//! x86-64 instructions, decoded by iced-x86.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Formatter, GasFormatter, InstructionInfoFactory, Mnemonic,
    OpAccess, OpKind,
};

use crate::instruction::{Callee, Flow, Instruction, Lanes, Meaning, Memory, Register, Registers, Work};

pub(crate) const STACK: Register = Register::general(4);
pub(crate) const FRAME: Register = Register::general(5);

/// What the System V calling convention lets a callee change: rax, rcx, rdx, rsi, rdi, r8 to r11, all vectors, flags.
pub(crate) fn clobbered() -> Registers {
    let general = [0, 1, 2, 6, 7, 8, 9, 10, 11].map(Register::general);
    general.into_iter().chain((0..32).map(Register::vector)).chain([Register::FLAGS]).collect()
}

/// All instructions of `bytes`, at most `most`. Bytes that are no instruction end a run of one byte and decoding goes on.
pub(crate) fn decode(bytes: &[u8], base: u64, most: usize) -> Vec<Instruction> {
    let mut decoder = Decoder::with_ip(64, bytes, base, DecoderOptions::NONE);
    let mut facts = InstructionInfoFactory::new();
    let mut formatter = GasFormatter::new();
    formatter.options_mut().set_uppercase_hex(false);
    formatter.options_mut().set_space_after_operand_separator(true);
    let mut instructions = Vec::new();
    while decoder.can_decode() && instructions.len() < most {
        let decoded = decoder.decode();
        let mut text = String::new();
        formatter.format(&decoded, &mut text);
        instructions.push(neutral(&decoded, &mut facts, text));
    }
    instructions
}

fn neutral(decoded: &iced_x86::Instruction, facts: &mut InstructionInfoFactory, text: String) -> Instruction {
    let used = facts.info(decoded);
    let mut reads = Registers::default();
    let mut writes = Registers::default();
    for used in used.used_registers() {
        let Some(register) = register(used.register()) else { continue };
        let (read, written) = directions(used.access());
        if read {
            reads.add(register);
        }
        if written {
            writes.add(register);
        }
    }
    if decoded.rflags_read() != 0 {
        reads.add(Register::FLAGS);
    }
    if decoded.rflags_modified() != 0 {
        writes.add(Register::FLAGS);
    }
    let touched = used.used_memory().iter().find(|memory| directions(memory.access()) != (false, false));
    // The return address of a call is nobody's spill.
    let touched = touched.filter(|_| matches!(decoded.flow_control(), FlowControl::Next));
    let memory = touched.map(|memory| {
        let (read, written) = directions(memory.access());
        let named = [(memory.base(), 1), (memory.index(), i64::from(memory.scale()))];
        Memory {
            terms: named.iter().filter_map(|(name, factor)| Some((register(*name)?, *factor))).collect(),
            constant: memory.displacement().cast_signed(),
            bytes: u32::try_from(memory.memory_size().size()).ok().filter(|size| *size > 0),
            read,
            written,
            gathered: memory.index().is_vector_register(),
        }
    });
    Instruction {
        address: decoded.ip(),
        length: decoded.len() as u64,
        text,
        flow: flow(decoded),
        work: work(decoded),
        meaning: meaning(decoded, memory.as_ref()),
        reads,
        writes,
        memory,
        moved_base: match decoded.mnemonic() {
            Mnemonic::Push => Some((STACK, Some(-8))),
            Mnemonic::Pop => Some((STACK, Some(8))),
            _ => None,
        },
    }
}

/// Whether it reads, whether it writes. What may happen counts as happening.
fn directions(access: OpAccess) -> (bool, bool) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write => (false, true),
        // The old value stays when the condition fails.
        OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        OpAccess::None | OpAccess::NoMemAccess => (false, false),
    }
}

fn register(register: iced_x86::Register) -> Option<Register> {
    let number = u8::try_from(register.full_register().number()).ok()?;
    match register {
        name if name.is_gpr() => Some(Register::general(number)),
        name if name.is_vector_register() => Some(Register::vector(number)),
        name if name.is_k() => Some(Register::mask(number)),
        _ => None,
    }
}

fn flow(decoded: &iced_x86::Instruction) -> Flow {
    match decoded.flow_control() {
        FlowControl::Next | FlowControl::Interrupt | FlowControl::XbeginXabortXend => Flow::Next,
        FlowControl::UnconditionalBranch => Flow::Jump(decoded.near_branch_target()),
        FlowControl::ConditionalBranch => Flow::Branch(decoded.near_branch_target()),
        FlowControl::IndirectBranch => Flow::JumpAnywhere,
        FlowControl::Return => Flow::Return,
        FlowControl::Exception => Flow::Stop,
        FlowControl::Call if decoded.op0_kind() == OpKind::NearBranch64 => {
            Flow::Call(Callee::At(decoded.near_branch_target()))
        }
        FlowControl::Call => Flow::Call(Callee::Kernel),
        FlowControl::IndirectCall if decoded.is_ip_rel_memory_operand() => {
            Flow::Call(Callee::Through(decoded.ip_rel_memory_address()))
        }
        FlowControl::IndirectCall => Flow::Call(Callee::Anywhere),
    }
}

/// The address of the word that a jump through fixed memory reads: what the entry of a linkage table does.
pub(crate) fn jumps_through(bytes: &[u8], base: u64) -> Option<u64> {
    let mut decoder = Decoder::with_ip(64, bytes, base, DecoderOptions::NONE);
    // `endbr64` may stand before it.
    for _ in 0..2 {
        let decoded = decoder.decode();
        if decoded.flow_control() == FlowControl::IndirectBranch && decoded.is_ip_rel_memory_operand() {
            return Some(decoded.ip_rel_memory_address());
        }
    }
    None
}

/// Beginnings of names of arithmetic on floating-point numbers, after a `v`.
const FLOAT: [&str; 17] = [
    "add", "sub", "mul", "div", "sqrt", "min", "max", "fmadd", "fmsub", "fnmadd", "fnmsub", "fmaddsub",
    "fmsubadd", "hadd", "hsub", "dp", "rsqrt",
];

/// Beginnings of names of arithmetic on packed integers, after a `v`.
const PACKED_INTEGER: [&str; 14] = [
    "padd", "psub", "pmul", "pmadd", "pmin", "pmax", "pavg", "psad", "pabs", "pand", "por", "pxor", "psll",
    "psr",
];

fn work(decoded: &iced_x86::Instruction) -> Work {
    let name = format!("{:?}", decoded.mnemonic()).to_ascii_lowercase();
    let plain = name.strip_prefix('v').unwrap_or(&name);
    let begins = |names: &[&str]| names.iter().any(|begin| plain.starts_with(begin));
    if zeroes(decoded) {
        return Work::Other;
    }
    match name.as_str() {
        "nop" | "int3" => return Work::Nothing,
        "div" | "idiv" => return Work::Division,
        "add" | "sub" | "imul" | "mul" | "and" | "or" | "xor" | "shl" | "shr" | "sar" | "neg" | "not"
        | "inc" | "dec" | "adc" | "sbb" | "rol" | "ror" => return Work::Integer(Lanes::One),
        _ if name.starts_with("cmov") || name.starts_with("set") => return Work::Select,
        _ => {}
    }
    if name != "dppd" && begins(&FLOAT) && vector_bits(decoded).is_some() {
        let packed = plain.ends_with("ps") || plain.ends_with("pd");
        return Work::Float(if packed { Lanes::Many(vector_bits(decoded)) } else { Lanes::One });
    }
    if begins(&PACKED_INTEGER) {
        return Work::Integer(Lanes::Many(vector_bits(decoded)));
    }
    Work::Other
}

/// The width of the widest vector register among its operands.
fn vector_bits(decoded: &iced_x86::Instruction) -> Option<u32> {
    let operands = (0..decoded.op_count()).map(|at| decoded.op_register(at));
    let vectors = operands.filter(|register| register.is_vector_register());
    vectors.filter_map(|register| u32::try_from(register.size() * 8).ok()).max()
}

/// `xor x, x` and its like: a constant, whatever the register held.
fn zeroes(decoded: &iced_x86::Instruction) -> bool {
    let two = |first, second| {
        let (first, second) = (decoded.op_register(first), decoded.op_register(second));
        first != iced_x86::Register::None && first == second
    };
    match decoded.mnemonic() {
        Mnemonic::Xor | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Xorpd | Mnemonic::Sub => two(0, 1),
        Mnemonic::Vpxor | Mnemonic::Vxorps | Mnemonic::Vxorpd | Mnemonic::Vpxord | Mnemonic::Vpxorq => {
            two(1, 2)
        }
        _ => false,
    }
}

fn meaning(decoded: &iced_x86::Instruction, memory: Option<&Memory>) -> Meaning {
    let Some(operands) = Operands::of(decoded) else {
        return Meaning::Mixed;
    };
    let zero = Meaning::Sum { to: operands.to.unwrap_or(Register::FLAGS), terms: Vec::new(), constant: 0 };
    if zeroes(decoded) && operands.to.is_some() {
        return zero;
    }
    let sum = |terms, constant| operands.to.map(|to| Meaning::Sum { to, terms, constant });
    let to = operands.to.map(|to| (to, 1));
    let meaning = match decoded.mnemonic() {
        Mnemonic::Lea => memory_sum(decoded).and_then(|(terms, constant)| sum(terms, constant)),
        Mnemonic::Inc => operands.plus(to, 1),
        Mnemonic::Dec => operands.plus(to, -1),
        Mnemonic::Add => match operands.from {
            From::Constant(constant) => operands.plus(to, constant),
            From::Register(from) => to.and_then(|to| sum(vec![to, (from, 1)], 0)),
            From::Memory => None,
        },
        Mnemonic::Sub => match operands.from {
            From::Constant(constant) => operands.plus(to, constant.wrapping_neg()),
            From::Register(from) => to.and_then(|to| sum(vec![to, (from, -1)], 0)),
            From::Memory => None,
        },
        Mnemonic::Shl => match (operands.from, to) {
            (From::Constant(by @ 0..=32), Some((register, _))) => sum(vec![(register, 1 << by)], 0),
            _ => None,
        },
        Mnemonic::Push => operands.to.map(|from| Meaning::Store { from: Some(from) }),
        Mnemonic::Pop => operands.to.map(|to| Meaning::Load { to }),
        Mnemonic::Cdqe => sum(vec![(Register::general(0), 1)], 0),
        _ if is_move(decoded.mnemonic()) => operands.moved(memory),
        _ => None,
    };
    meaning.unwrap_or(Meaning::Mixed)
}

fn is_move(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{
        Mov, Movapd, Movaps, Movd, Movdqa, Movdqu, Movq, Movsd, Movss, Movsx, Movsxd, Movupd, Movups, Movzx,
        Vmovapd, Vmovaps, Vmovd, Vmovdqa, Vmovdqu, Vmovq, Vmovsd, Vmovss, Vmovupd, Vmovups,
    };
    #[rustfmt::skip]
    let moves = [
        Mov, Movapd, Movaps, Movd, Movdqa, Movdqu, Movq, Movsd, Movss, Movsx, Movsxd, Movupd, Movups, Movzx,
        Vmovapd, Vmovaps, Vmovd, Vmovdqa, Vmovdqu, Vmovq, Vmovsd, Vmovss, Vmovupd, Vmovups,
    ];
    moves.contains(&mnemonic)
}

fn memory_sum(decoded: &iced_x86::Instruction) -> Option<(Vec<(Register, i64)>, i64)> {
    if decoded.is_ip_rel_memory_operand() {
        return Some((Vec::new(), decoded.ip_rel_memory_address().cast_signed()));
    }
    let scale = i64::from(decoded.memory_index_scale());
    let base = register(decoded.memory_base()).map(|base| (base, 1));
    let index = register(decoded.memory_index()).map(|index| (index, scale));
    Some((base.into_iter().chain(index).collect(), decoded.memory_displacement64().cast_signed()))
}

/// The two operands of a simple instruction.
struct Operands {
    /// `None`: memory.
    to: Option<Register>,
    from: From,
}

#[derive(Clone, Copy)]
enum From {
    Register(Register),
    Constant(i64),
    Memory,
}

impl Operands {
    /// `None` where a part of a register is written, the rest of which stays.
    fn of(decoded: &iced_x86::Instruction) -> Option<Self> {
        let to = match decoded.op0_kind() {
            OpKind::Register => {
                let name = decoded.op0_register();
                let whole = name.is_vector_register() || name.size() >= 4;
                Some(register(name).filter(|_| whole)?)
            }
            OpKind::Memory => None,
            _ if decoded.op_count() == 0 => Some(Register::general(0)),
            _ => return None,
        };
        let from = match decoded.op1_kind() {
            _ if decoded.op_count() < 2 => From::Constant(0),
            OpKind::Register => From::Register(register(decoded.op1_register())?),
            OpKind::Memory => From::Memory,
            OpKind::Immediate8
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32
            | OpKind::Immediate32to64
            | OpKind::Immediate64 => From::Constant(decoded.immediate(1).cast_signed()),
            _ => return None,
        };
        (decoded.op_count() <= 2).then_some(Self { to, from })
    }

    /// `to += constant`, in a register or in memory.
    fn plus(&self, to: Option<(Register, i64)>, constant: i64) -> Option<Meaning> {
        // A 32-bit immediate of a 32-bit operation arrives without its sign.
        let constant = match i32::try_from(constant.wrapping_sub(1 << 32)) {
            Ok(negative) if negative < 0 && constant > i64::from(i32::MAX) => i64::from(negative),
            _ => constant,
        };
        Some(match to {
            Some((register, _)) => Meaning::Sum { to: register, terms: vec![(register, 1)], constant },
            None => Meaning::Bump { by: constant },
        })
    }

    fn moved(&self, memory: Option<&Memory>) -> Option<Meaning> {
        match (self.to, self.from) {
            (Some(to), From::Register(from)) => {
                Some(Meaning::Sum { to, terms: vec![(from, 1)], constant: 0 })
            }
            (Some(to), From::Constant(constant)) => Some(Meaning::Sum { to, terms: Vec::new(), constant }),
            (Some(to), From::Memory) => memory.map(|_| Meaning::Load { to }),
            (None, From::Register(from)) => memory.map(|_| Meaning::Store { from: Some(from) }),
            (None, From::Constant(_)) => memory.map(|_| Meaning::Store { from: None }),
            (None, From::Memory) => None,
        }
    }
}
