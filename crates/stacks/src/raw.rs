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

/// The general registers of a thread, in the order of the kernel's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct General(pub [u64; Self::COUNT]);

#[cfg(target_arch = "x86_64")]
impl General {
    pub const COUNT: usize = 17;
    /// `ax` to `ip`, then `r8` to `r15`.
    pub const NUMBERS: [u32; Self::COUNT] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20, 21, 22, 23];

    #[must_use]
    pub fn unwound_from(&self) -> Registers {
        let [_, _, _, _, _, _, bp, sp, ip, ..] = self.0;
        Registers { ip, sp, bp, lr: 0 }
    }

    /// Whether a function leaves the register as it found it: `bx`, `bp`, `r12` to `r15`.
    pub(crate) fn is_kept(register: usize) -> bool {
        matches!(register, 1 | 6 | 13..=16)
    }
}

#[cfg(target_arch = "aarch64")]
impl General {
    pub const COUNT: usize = 33;
    /// `x0` to `x30`, `sp`, `pc`.
    pub const NUMBERS: [u32; Self::COUNT] = {
        let mut numbers = [0; Self::COUNT];
        let mut number = 0;
        while number < Self::COUNT {
            numbers[number] = number as u32;
            number += 1;
        }
        numbers
    };

    #[must_use]
    pub fn unwound_from(&self) -> Registers {
        let [.., bp, lr, sp, ip] = self.0;
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
