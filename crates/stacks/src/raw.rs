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
