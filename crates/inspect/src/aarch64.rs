//! aarch64 instructions, decoded by disarm64.
//!
//! Its printed form uses base names only (`subs xzr, …` for `cmp`) and one grammar for all operands, and is the most
//! complete account of them that it gives; so operands are read from there, and jumps from the bits.

use disarm64::{InsnDisplay, decoder};

use crate::instruction::{Callee, Flow, Instruction, Lanes, Meaning, Memory, Register, Registers, Work};

pub(crate) const STACK: Register = Register::general(31);
pub(crate) const FRAME: Register = Register::general(29);

/// What the calling convention lets a callee change: x0 to x18, x30, vectors but v8 to v15, flags.
pub(crate) fn clobbered() -> Registers {
    let general = (0..19).chain([30]).map(Register::general);
    let vectors = (0..8).chain(16..32).map(Register::vector);
    general.chain(vectors).chain([Register::FLAGS]).collect()
}

/// All whole words of `bytes`, at most `most`. A word that is no instruction stands as `.word`.
pub(crate) fn decode(bytes: &[u8], base: u64, most: usize) -> Vec<Instruction> {
    let (words, _) = bytes.as_chunks::<4>();
    let places = (0..).map(|at: u64| base.wrapping_add(at.wrapping_mul(4)));
    places
        .zip(words)
        .take(most)
        .map(|(address, word)| instruction(address, u32::from_le_bytes(*word)))
        .collect()
}

fn instruction(address: u64, word: u32) -> Instruction {
    let Some(printed) = printed(address, word) else {
        return plain(address, format!(".word {word:#010x}"), Flow::Stop);
    };
    let printed = filled_in(printed, word);
    let mut words = printed.splitn(2, char::is_whitespace);
    let name = words.next().unwrap_or_default().trim();
    let operands = words.next().unwrap_or_default().trim();
    let text = format!("{name:<7} {operands}").trim_end().to_owned();
    let flow = flow(address, word);
    let mut instruction = plain(address, text, flow);
    Parts { name, operands: split(operands) }.tell(&mut instruction);
    instruction
}

/// `None` for words that are no instruction. disarm64 0.2 takes some reserved shifts for instructions and overflows while it
/// prints them.
fn printed(address: u64, word: u32) -> Option<String> {
    let decoded = decoder::decode(word)?;
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| decoded.display_at(address).to_string())).ok()
}

/// disarm64 0.2 leaves the operands of scalable vectors as `:NAME:`. The usual ones are put in from their fields; others
/// stay, and an address among them is one that is not known.
fn filled_in(printed: String, word: u32) -> String {
    if !printed.contains(":SVE_") {
        return printed;
    }
    let field = |low: u32, width: u32| (word >> low) & ((1 << width) - 1);
    let mut text = printed;
    for (name, letter, low, width) in [
        (":SVE_Zd:", "z", 0, 5),
        (":SVE_Zn:", "z", 5, 5),
        (":SVE_Zm_16:", "z", 16, 5),
        (":SVE_Zm_5:", "z", 5, 5),
        (":SVE_Za_16:", "z", 16, 5),
        (":SVE_ZtxN:", "z", 0, 5),
        (":SVE_Pd:", "p", 0, 4),
        (":SVE_Pg3:", "p", 10, 3),
    ] {
        text = text.replace(name, &format!("{letter}{}", field(low, width)));
    }
    let sum = format!("[x{}, x{}", field(5, 5), field(16, 5));
    for shift in 1..4 {
        text = text.replace(&format!(":SVE_ADDR_RX_LSL{shift}:"), &format!("{sum}, lsl #{shift}]"));
    }
    text.replace(":SVE_ADDR_RX:", &format!("{sum}]"))
}

fn plain(address: u64, text: String, flow: Flow) -> Instruction {
    Instruction {
        address,
        length: 4,
        text,
        flow,
        work: Work::Other,
        meaning: Meaning::Mixed,
        reads: Registers::default(),
        writes: Registers::default(),
        memory: None,
        moved_base: None,
    }
}

/// The fixed fields of the branch group (Arm ARM, C4.1.65).
fn flow(address: u64, word: u32) -> Flow {
    let target = |low: u32, width: u32| {
        let field = (word >> low) & ((1 << width) - 1);
        // Words, not bytes, with the sign in the field's top bit.
        let words = i64::from((field << (32 - width)).cast_signed() >> (32 - width));
        address.wrapping_add_signed(words.wrapping_mul(4))
    };
    match word {
        _ if word & 0xfc00_0000 == 0x1400_0000 => Flow::Jump(target(0, 26)),
        _ if word & 0xfc00_0000 == 0x9400_0000 => Flow::Call(Callee::At(target(0, 26))),
        _ if word & 0xff00_0000 == 0x5400_0000 => Flow::Branch(target(5, 19)),
        _ if word & 0x7e00_0000 == 0x3400_0000 => Flow::Branch(target(5, 19)),
        _ if word & 0x7e00_0000 == 0x3600_0000 => Flow::Branch(target(5, 14)),
        // `br`, `blr`, `ret` with their variants that authenticate.
        _ if word & 0xfe00_0000 == 0xd600_0000 => match (word >> 21) & 3 {
            0 => Flow::JumpAnywhere,
            1 => Flow::Call(Callee::Anywhere),
            _ => Flow::Return,
        },
        _ if word & 0xffe0_001f == 0xd400_0001 => Flow::Call(Callee::Kernel),
        // `brk`, `hlt`, `udf`.
        _ if word & 0xffe0_0000 == 0xd420_0000 || word & 0xffe0_0000 == 0xd440_0000 || word >> 16 == 0 => {
            Flow::Stop
        }
        _ => Flow::Next,
    }
}

/// The word that an entry of the linkage table jumps through: `adrp x16`, `ldr x17, [x16, …]`, …, `br x17`.
pub(crate) fn jumps_through(bytes: &[u8], base: u64) -> Option<u64> {
    let (words, _) = bytes.as_chunks::<4>();
    let mut page = None;
    for (at, word) in (0u64..).zip(words.iter().take(4)) {
        let word = u32::from_le_bytes(*word);
        if word & 0x9f00_001f == 0x9000_0010 {
            let pages = (u64::from(word >> 5) & 0x7_ffff) << 2 | u64::from(word >> 29) & 3;
            let pages = (pages << 43).cast_signed() >> 43;
            page = Some((base.wrapping_add(at * 4) & !0xfff).wrapping_add_signed(pages.wrapping_mul(4096)));
        }
        if word & 0xffc0_03ff == 0xf940_0211 {
            return Some(page?.wrapping_add((u64::from(word >> 10) & 0xfff) * 8));
        }
    }
    None
}

/// Operands at the commas outside brackets.
fn split(operands: &str) -> Vec<&str> {
    let mut depth = 0i32;
    let mut parts = operands.split(|letter| {
        depth += i32::from(letter == '[' || letter == '{') - i32::from(letter == ']' || letter == '}');
        letter == ',' && depth == 0
    });
    parts.by_ref().map(str::trim).filter(|part| !part.is_empty()).collect()
}

struct Parts<'a> {
    name: &'a str,
    operands: Vec<&'a str>,
}

impl Parts<'_> {
    fn tell(&self, instruction: &mut Instruction) {
        let stores = self.name.starts_with("st");
        let writes_nothing = stores || !matches!(instruction.flow, Flow::Next) || self.compares();
        for (at, operand) in self.operands.iter().enumerate() {
            let written = at == 0 && !writes_nothing || at == 1 && self.name.starts_with("ldp");
            for register in registers(operand) {
                match written {
                    true => instruction.writes.add(register),
                    false => instruction.reads.add(register),
                }
            }
        }
        if self.accumulates() {
            instruction.reads = instruction.writes.iter().chain(instruction.reads.iter()).collect();
        }
        if self.sets_flags() {
            instruction.writes.add(Register::FLAGS);
        }
        if self.reads_flags() {
            instruction.reads.add(Register::FLAGS);
        }
        instruction.work = self.work();
        self.memory(instruction);
        instruction.meaning = self.meaning(instruction.memory.as_ref());
    }

    fn compares(&self) -> bool {
        ["fcmp", "ccm", "fccmp", "prf", "dc", "msr"].iter().any(|name| self.name.starts_with(name))
    }

    fn sets_flags(&self) -> bool {
        let sets = ["adds", "subs", "ands", "bics", "adcs", "sbcs", "ptest"];
        self.compares() || sets.contains(&self.name) || self.name.starts_with("while")
    }

    fn reads_flags(&self) -> bool {
        let reads = ["csel", "csinc", "csinv", "csneg", "fcsel", "adc", "sbc", "ccmp", "ccmn", "fccmp"];
        self.name.starts_with("b.") || reads.contains(&self.name)
    }

    /// The written register is read too.
    fn accumulates(&self) -> bool {
        let names = [
            "fmla", "fmls", "mla", "mls", "smlal", "umlal", "bit", "bif", "bsl", "movk", "bfm", "ins",
            "sdot", "udot",
        ];
        // Lanes without a true predicate keep their value.
        names.contains(&self.name) || self.operands.iter().any(|operand| operand.ends_with("/m"))
    }

    fn work(&self) -> Work {
        let first = self.operands.first().copied().unwrap_or_default();
        let lanes = match first.split_once('.') {
            _ if first.starts_with('z') => Lanes::Many(None),
            Some((_, "8b" | "4h" | "2s" | "1d")) => Lanes::Many(Some(64)),
            Some(_) => Lanes::Many(Some(128)),
            None => Lanes::One,
        };
        let float = [
            "fadd", "fsub", "fmul", "fdiv", "fmadd", "fmsub", "fnmadd", "fnmsub", "fmla", "fmls", "fnmul",
            "fsqrt", "fmin", "fmax", "fabd",
        ];
        let integer = [
            "add", "sub", "mul", "madd", "msub", "mla", "mls", "and", "orr", "eor", "bic", "sml", "uml",
            "smin", "umin", "smax", "umax", "sdot", "udot", "sab", "uab", "ubfm", "sbfm", "lslv", "lsrv",
            "asrv", "shl", "ushr", "sshr",
        ];
        let begins = |names: &[&str]| names.iter().any(|name| self.name.starts_with(name));
        match self.name {
            "nop" => Work::Nothing,
            "udiv" | "sdiv" if lanes == Lanes::One => Work::Division,
            "csel" | "csinc" | "csinv" | "csneg" | "fcsel" | "bsl" | "bit" | "bif" => Work::Select,
            // A move is an `orr` with zero.
            "orr" if self.operands.get(1).is_some_and(|operand| operand.ends_with("zr")) => Work::Other,
            "orr" if self.operands.get(1).is_some() && self.operands.get(1) == self.operands.get(2) => {
                Work::Other
            }
            _ if begins(&float) => Work::Float(lanes),
            _ if begins(&integer) => Work::Integer(lanes),
            _ => Work::Other,
        }
    }

    fn memory(&self, instruction: &mut Instruction) {
        let Some(at) = self.operands.iter().position(|operand| operand.starts_with('[')) else {
            instruction.memory = self.unknown_address();
            return;
        };
        let Some(operand) = self.operands.get(at) else { return };
        let before = operand.ends_with('!');
        let inside = operand.trim_start_matches('[').trim_end_matches('!').trim_end_matches(']');
        let Some((terms, mut constant)) = linear(inside) else { return };
        let base = terms.first().map(|(register, _)| *register);
        if let (true, Some(base)) = (before, base) {
            instruction.moved_base = Some((base, Some(constant)));
        }
        if let (Some(base), Some(step)) = (base, self.operands.get(at + 1)) {
            instruction.moved_base = Some((base, number(step)));
            constant = 0;
        }
        if let Some((base, _)) = instruction.moved_base {
            instruction.reads.add(base);
            instruction.writes.add(base);
        }
        let stores = self.name.starts_with("st");
        let both = ["swp", "cas", "ldadd", "ldset", "ldclr"].iter().any(|name| self.name.starts_with(name));
        instruction.memory = Some(Memory {
            gathered: terms.iter().any(|(register, _)| register.is_vector()),
            terms,
            constant,
            bytes: self.bytes(),
            read: !stores || both,
            written: stores || both,
        });
    }

    /// An address that was not printed.
    fn unknown_address(&self) -> Option<Memory> {
        let stores = self.name.starts_with("st");
        let hidden = self.operands.iter().any(|operand| operand.starts_with(":SVE_ADDR"));
        hidden.then(|| Memory {
            terms: vec![(Register::UNKNOWN, 1)],
            constant: 0,
            bytes: None,
            read: !stores,
            written: stores,
            gathered: false,
        })
    }

    /// How much a load or store moves, by its name and its first register.
    fn bytes(&self) -> Option<u32> {
        let first = self.operands.first()?;
        let pair = if self.name.starts_with("ldp") || self.name.starts_with("stp") { 2 } else { 1 };
        if first.starts_with('{') {
            let count = u32::try_from(first.split(',').count()).ok()?;
            let arrangement = first.split('.').nth(1)?.trim_end_matches(['}', ' ']);
            return match (
                first.trim_start_matches(['{', ' ']).starts_with('z'),
                arrangement.split(',').next()?.trim(),
            ) {
                (true, _) => None,
                (_, "8b" | "4h" | "2s" | "1d") => Some(8 * count),
                _ => Some(16 * count),
            };
        }
        let narrow = self
            .name
            .trim_start_matches("ld")
            .trim_start_matches("st")
            .trim_start_matches(['u', 'a', 'x', 'l']);
        let by_name = match narrow.trim_start_matches(['r', 't']) {
            "b" | "sb" => Some(1),
            "h" | "sh" => Some(2),
            "sw" => Some(4),
            _ => None,
        };
        by_name.or(match first.chars().next()? {
            'w' | 's' => Some(4),
            'x' | 'd' => Some(8),
            'q' => Some(16),
            'h' => Some(2),
            'b' => Some(1),
            _ => None,
        }
        .map(|bytes| bytes * pair))
    }

    fn meaning(&self, memory: Option<&Memory>) -> Meaning {
        if let Some(memory) = memory {
            return self.moved(memory);
        }
        let Some(to) = self.operands.first().and_then(|operand| register(operand)) else {
            return Meaning::Mixed;
        };
        if self.operands.first().is_some_and(|operand| operand.contains('.')) {
            return Meaning::Mixed;
        }
        let rest = self.operands.get(1..).unwrap_or_default().join(",");
        self.sum(&rest).map_or(Meaning::Mixed, |(terms, constant)| Meaning::Sum { to, terms, constant })
    }

    fn moved(&self, memory: &Memory) -> Meaning {
        let pair = self.name.starts_with("ldp") || self.name.starts_with("stp");
        let first = self.operands.first().copied().unwrap_or_default();
        if pair || first.starts_with('{') || memory.gathered || memory.read == memory.written {
            return Meaning::Mixed;
        }
        match (register(first), memory.read) {
            (Some(to), true) => Meaning::Load { to },
            (from, false) => Meaning::Store { from },
            (None, true) => Meaning::Mixed,
        }
    }

    fn sum(&self, rest: &str) -> Option<(Vec<(Register, i64)>, i64)> {
        let (mut terms, constant) = linear(rest)?;
        match self.name {
            "add" | "adds" => Some((terms, constant)),
            "sub" | "subs" => {
                // Only what stands behind the first operand is subtracted.
                let zero = self.operands.get(1).is_some_and(|operand| operand.ends_with("zr"));
                let kept = usize::from(!zero);
                terms.iter_mut().skip(kept).for_each(|(_, factor)| *factor = factor.wrapping_neg());
                Some((terms, constant.wrapping_neg()))
            }
            "orr" if self.operands.get(1).is_some_and(|operand| operand.ends_with("zr")) => {
                Some((terms, constant))
            }
            "adr" | "adrp" => Some((Vec::new(), 0)),
            "movz" => Some((Vec::new(), constant)),
            "fmov" if terms.len() == 1 => Some((terms, 0)),
            "ubfm" | "sbfm" => self.shifted(terms),
            _ => None,
        }
    }

    /// `ubfm x, y, #64-k, #63-k` is a shift to the left by `k`; `#0, #31` is an extension.
    fn shifted(&self, terms: Vec<(Register, i64)>) -> Option<(Vec<(Register, i64)>, i64)> {
        let width = if self.operands.first()?.starts_with('w') { 32 } else { 64 };
        let (rotated, top) = (number(self.operands.get(2)?)?, number(self.operands.get(3)?)?);
        let (register, _) = *terms.first()?;
        match (width - rotated, rotated) {
            (_, 0) if top >= 31 => Some((vec![(register, 1)], 0)),
            (left @ 1..=32, _) if top == width - 1 - left => Some((vec![(register, 1 << left)], 0)),
            _ => None,
        }
    }
}

/// The registers a piece of text names, outside and inside brackets and braces.
fn registers(operand: &str) -> impl Iterator<Item = Register> {
    let words = operand.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    words.filter_map(register)
}

fn register(word: &str) -> Option<Register> {
    let word = word.split(['.', '/', '[']).next()?.trim();
    if word == "sp" || word == "wsp" {
        return Some(STACK);
    }
    let (kind, number) = word.split_at_checked(1)?;
    let number: u8 = number.parse().ok().filter(|number| *number < 32)?;
    match kind {
        "x" | "w" if number < 31 => Some(Register::general(number)),
        "v" | "z" | "q" | "d" | "s" | "h" | "b" => Some(Register::vector(number)),
        "p" if number < 16 => Some(Register::mask(number)),
        _ => None,
    }
}

/// `x1, x2, lsl #3` or `x1, #0x10` as terms and a constant. `None` for a shift to the right.
fn linear(text: &str) -> Option<(Vec<(Register, i64)>, i64)> {
    let mut terms: Vec<(Register, i64)> = Vec::new();
    let mut constant = 0i64;
    for part in text.split(',').map(str::trim) {
        match (register(part), number(part)) {
            (Some(register), _) => terms.push((register, 1)),
            (None, Some(number)) => constant = constant.wrapping_add(number),
            (None, None) => scale(part, &mut terms, &mut constant)?,
        }
    }
    Some((terms, constant))
}

/// `lsl #3`, `sxtw #2`: the last term is shifted; behind a constant, the constant is.
fn scale(part: &str, terms: &mut [(Register, i64)], constant: &mut i64) -> Option<()> {
    let mut words = part.split_whitespace();
    let name = words.next().unwrap_or_default();
    let by = u32::try_from(words.next().and_then(number).unwrap_or(0)).ok().filter(|by| *by <= 48)?;
    match (name, terms.last_mut()) {
        ("lsr" | "asr" | "ror", _) => return None,
        ("lsl" | "sxtw" | "sxtx" | "uxtw" | "uxtx", Some((_, factor))) if *constant == 0 => *factor <<= by,
        ("lsl", _) => *constant <<= by,
        // `xzr`, a condition, a vector's part: nothing to add.
        _ => {}
    }
    Some(())
}

fn number(text: &str) -> Option<i64> {
    let text = text.strip_prefix('#')?;
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?.cast_signed(),
        None => digits.parse::<i64>().ok()?,
    };
    Some(value.wrapping_mul(sign))
}
