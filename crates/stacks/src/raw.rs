//! A stack before it has names.

/// A file with code, in the order they were first mapped. The same file in two processes is one module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub u32);

/// One frame before it has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Raw {
    /// In a mapped file. The address is the file's own (its ELF virtual address), already stepped back into the call
    /// instruction where it is a return address.
    Native {
        module: ModuleId,
        address: u64,
    },
    /// In memory of this process that no file backs: made at run time, or not known. Stepped back likewise.
    Anonymous {
        pid: u32,
        address: u64,
    },
    /// Likewise, of which its process has told the name that it had then: position in the table of labels.
    Labelled {
        label: u32,
    },
    Kernel {
        address: u64,
    },
    /// Already named: position in the table of named frames.
    Named(u32),
}

/// What unwinding starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    pub ip: u64,
    pub sp: u64,
    /// The frame pointer.
    pub bp: u64,
    /// The link register; zero where the architecture has none.
    pub lr: u64,
}

/// How many general registers a thread has.
#[cfg(target_arch = "x86_64")]
pub const REGISTERS: usize = 17;
#[cfg(target_arch = "aarch64")]
pub const REGISTERS: usize = 33;

/// The general registers of a thread as the kernel wrote them, in the order of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct General<'a>(pub &'a [[u8; 8]; REGISTERS]);

impl General<'_> {
    /// In the order of the numbers.
    pub(crate) fn values(&self) -> [u64; REGISTERS] {
        self.0.map(u64::from_ne_bytes)
    }
}

#[cfg(target_arch = "x86_64")]
impl General<'_> {
    /// `ax` to `ip`, then `r8` to `r15`.
    pub const NUMBERS: [u32; REGISTERS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20, 21, 22, 23];

    #[must_use]
    pub fn unwound_from(&self) -> Registers {
        let [_, _, _, _, _, _, bp, sp, ip, ..] = self.values();
        Registers { ip, sp, bp, lr: 0 }
    }

    /// Whether a function leaves the register as it found it: `bx`, `bp`, `r12` to `r15`.
    pub(crate) fn is_kept(register: usize) -> bool {
        matches!(register, 1 | 6 | 13..=16)
    }
}

#[cfg(target_arch = "aarch64")]
impl General<'_> {
    /// `x0` to `x30`, `sp`, `pc`.
    pub const NUMBERS: [u32; REGISTERS] = {
        let mut numbers = [0; REGISTERS];
        let mut number = 0;
        while number < REGISTERS {
            numbers[number] = number as u32;
            number += 1;
        }
        numbers
    };

    #[must_use]
    pub fn unwound_from(&self) -> Registers {
        let [.., bp, lr, sp, ip] = self.values();
        Registers { ip, sp, bp, lr }
    }

    /// Whether a function leaves the register as it found it: `x19` to `x29`.
    pub(crate) fn is_kept(register: usize) -> bool {
        matches!(register, 19..=29)
    }
}

/// A piece of a file in an address space, as the kernel tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub start: u64,
    pub end: u64,
    /// Of the piece inside the file.
    pub offset: u64,
    /// As the kernel names it: a path, `[vdso]`, `//anon`, `/memfd:…`.
    pub path: Vec<u8>,
    pub executable: bool,
}
