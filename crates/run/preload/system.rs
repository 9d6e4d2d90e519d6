//! What the library asks of processor, kernel and loader. Nothing here allocates or touches `errno`.

use core::arch::{asm, global_asm};

use crate::layout::Shard;

// Two words for each thread, at a fixed distance from the thread pointer: a library that is loaded at the start may have
// that, and it costs one load. Symbols that a C library may lack are weak, so that the program still starts.
global_asm!(
    ".section .tbss,\"awT\",@nobits",
    ".p2align 3",
    ".type slowpath_shard,@object",
    ".size slowpath_shard,8",
    "slowpath_shard:",
    ".zero 8",
    ".type slowpath_quick,@object",
    ".size slowpath_quick,8",
    "slowpath_quick:",
    ".zero 8",
    ".text",
    ".weak dlsym",
    ".weak environ",
    ".weak __libc_malloc",
    ".weak __libc_calloc",
    ".weak __libc_realloc",
    ".weak __libc_free",
    ".weak __libc_memalign",
);

macro_rules! thread_word {
    ($word:literal, $instruction:literal, $($operand:tt)*) => {
        asm!(concat!("mov {at}, qword ptr [rip + ", $word, "@GOTTPOFF]"), $instruction, at = out(reg) _, $($operand)*)
    };
}

/// The calling thread's counters; null where it has none yet.
#[inline(always)]
pub fn counters() -> *mut Shard {
    let word: usize;
    // SAFETY: reads this thread's own word.
    unsafe {
        thread_word!("slowpath_shard", "mov {word}, qword ptr fs:[{at}]", word = out(reg) word, options(nostack, preserves_flags))
    };
    word as *mut Shard
}

/// The same, but null too where blocks do not tell their size: what takes the short way needs no other question.
#[inline(always)]
pub fn quick() -> *mut Shard {
    let word: usize;
    // SAFETY: reads this thread's own word.
    unsafe {
        thread_word!("slowpath_quick", "mov {word}, qword ptr fs:[{at}]", word = out(reg) word, options(nostack, preserves_flags))
    };
    word as *mut Shard
}

pub fn set_counters(shard: *mut Shard, quick: *mut Shard) {
    // SAFETY: writes this thread's own words.
    unsafe {
        thread_word!("slowpath_shard", "mov qword ptr fs:[{at}], {word}", word = in(reg) shard, options(nostack, preserves_flags));
        thread_word!("slowpath_quick", "mov qword ptr fs:[{at}], {word}", word = in(reg) quick, options(nostack, preserves_flags));
    };
}

/// Addresses from the table the loader fills; zero where there is no such symbol.
macro_rules! address_of {
    ($symbol:literal) => {{
        let address: usize;
        core::arch::asm!(concat!("mov {}, qword ptr [rip + ", $symbol, "@GOTPCREL]"), out(reg) address, options(nostack, preserves_flags));
        address
    }};
}
pub(crate) use address_of;

/// The next definition of a symbol behind this library; zero where there is none.
pub unsafe fn next(name: &core::ffi::CStr) -> usize {
    const NEXT: usize = usize::MAX;
    // SAFETY: a load from the loader's own table.
    let dlsym = unsafe { address_of!("dlsym") };
    if dlsym == 0 {
        return 0;
    }
    // SAFETY: the C library's own function with its own arguments.
    unsafe {
        let dlsym: extern "C" fn(usize, *const core::ffi::c_char) -> usize = core::mem::transmute(dlsym);
        dlsym(NEXT, name.as_ptr())
    }
}

/// The first definition of a symbol in the program; zero where there is none.
pub unsafe fn anywhere(name: &core::ffi::CStr) -> usize {
    // SAFETY: a load from the loader's own table.
    let dlsym = unsafe { address_of!("dlsym") };
    if dlsym == 0 {
        return 0;
    }
    // SAFETY: as above.
    unsafe {
        let dlsym: extern "C" fn(usize, *const core::ffi::c_char) -> usize = core::mem::transmute(dlsym);
        dlsym(0, name.as_ptr())
    }
}

/// The environment. Null while the C library has not set it yet.
pub fn environment() -> *const *const u8 {
    // SAFETY: a load from the loader's own table.
    let environ = unsafe { address_of!("environ") } as *const *const *const u8;
    if environ.is_null() {
        return core::ptr::null();
    }
    // SAFETY: the C library's own variable.
    unsafe { environ.read_volatile() }
}

pub mod numbers {
    //! arch/x86/entry/syscalls/syscall_64.tbl.
    pub const READ: usize = 0;
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const MMAP: usize = 9;
    pub const MADVISE: usize = 28;
    pub const GETPID: usize = 39;
    pub const FTRUNCATE: usize = 77;
    pub const GETTID: usize = 186;
    pub const FUTEX: usize = 202;
    pub const CLOCK_GETTIME: usize = 228;
    pub const OPENAT: usize = 257;
    pub const READLINKAT: usize = 267;
    pub const PRLIMIT64: usize = 302;
    pub const PROCESS_VM_READV: usize = 310;
}
/// One system call; negative results are error numbers.
pub unsafe fn call(number: usize, arguments: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: the kernel keeps every register but rax, rcx and r11; what the arguments point at is the caller's proof.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result,
            in("rdi") arguments[0], in("rsi") arguments[1], in("rdx") arguments[2],
            in("r10") arguments[3], in("r8") arguments[4], in("r9") arguments[5],
            lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}
