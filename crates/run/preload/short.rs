//! The short ways of `malloc`, `calloc`, `realloc` and `free`: what nearly every call takes. A site that is at home is
//! counted by two words, live bytes by one; all that is unusual is left to the long ways in `heap.rs`, untouched.
//!
//! All but `realloc` are written by hand: they are called so often that a register saved too much can be measured.

use core::arch::naked_asm;
use core::mem::offset_of;

use crate::layout::{CLASS, ROOM, SITES, Shard, Site, TURNED};
use crate::sample::{self, FILTER};
use crate::system::quick;
use crate::{FLAGS, REAL, Real, calloc_slowly, free_slowly, key, malloc_slowly, realloc_slowly, taken_by};

/// Spreads keys over the sites of a shard.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const SITE: u32 = size_of::<Site>().trailing_zeros();
const FIRST: usize = offset_of!(Shard, sites);

// As `count`, and then the new block lives, with nothing but the shard kept over the call. The caller's registers stay as they are until
// then: what leads to `slowly` goes the long way as if nothing had been.
macro_rules! allocate {
    ($(#[$attribute:meta])* $name:ident, $size:literal, [$($begin:literal),*], $real:ident, [$($end:literal),*], $slowly:ident) => {
        #[unsafe(naked)]
        $(#[$attribute])*
        pub unsafe extern "C" fn $name() {
            naked_asm!(
                $($begin,)*
                "mov rax, qword ptr [rip + slowpath_quick@GOTTPOFF]",
                "mov rax, qword ptr fs:[rax]",
                "test rax, rax",
                "jz 4f",
                concat!("lzcnt rdx, ", $size),
                "mov rcx, qword ptr [rsp]",
                "rol rcx, {turned}",
                "shl rdx, {class}",
                "xor rcx, rsp",
                "xor rcx, rdx",
                "movabs rdx, {golden}",
                "imul rdx, rcx",
                "shr rdx, {unused}",
                "and edx, dword ptr [rax + {within}]",
                "cmp qword ptr [rax + rdx + {key}], rcx",
                "jne 2f",
                "1:",
                concat!("sub qword ptr [rax + rdx + {left}], ", $size),
                "jb 3f",
                "inc qword ptr [rax + rdx + {allocations}]",
                "push rax",
                "call qword ptr [rip + {real} + {function}]",
                "pop rcx",
                "test rax, rax",
                "jz 5f",
                "mov rdx, qword ptr [rax - 8]",
                "and rdx, {flags}",
                "sub qword ptr [rcx + {gain}], rdx",
                "js 6f",
                "5:",
                "ret",
                // The other place of the same line.
                "2:",
                "xor edx, {neighbour}",
                "cmp qword ptr [rax + rdx + {key}], rcx",
                "je 1b",
                "jmp 4f",
                // A sample is due: as if it had not been counted.
                "3:",
                concat!("add qword ptr [rax + rdx + {left}], ", $size),
                "4:",
                $($end,)*
                "jmp {slowly}",
                "6:",
                "mov rdi, rcx",
                "mov rsi, rax",
                "jmp {settle}",
                turned = const TURNED,
                class = const CLASS,
                golden = const GOLDEN,
                unused = const 64 - SITES.trailing_zeros() - SITE,
                within = const offset_of!(Shard, within),
                neighbour = const size_of::<Site>(),
                key = const FIRST + offset_of!(Site, key),
                left = const FIRST + offset_of!(Site, left),
                allocations = const FIRST + offset_of!(Site, allocations),
                real = sym REAL,
                function = const offset_of!(Real, $real),
                flags = const !FLAGS as isize,
                gain = const offset_of!(Shard, gain),
                slowly = sym $slowly,
                settle = sym sample::settle_with,
            )
        }
    };
}
allocate!(
    #[unsafe(no_mangle)]
    malloc,
    "rdi",
    [],
    malloc,
    ["mov rsi, rsp", "mov rdx, rbp"],
    malloc_slowly
);
// For ourselves: by its own name `malloc` may be the program's.
allocate!(allocate, "rdi", [], malloc, ["mov rsi, rsp", "mov rdx, rbp"], malloc_slowly);
allocate!(
    #[unsafe(no_mangle)]
    calloc,
    "r8",
    ["mov rax, rdi", "mul rsi", "jo 4f", "mov r8, rax"],
    calloc,
    ["mov rdx, rsp", "mov rcx, rbp"],
    calloc_slowly
);

/// As [`sample::may_be_sampled`], which also sorts out null; then what the block took is lost, and on without a frame.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free() {
    naked_asm!(
        "mov rax, qword ptr [rip + slowpath_quick@GOTTPOFF]",
        "mov rax, qword ptr fs:[rax]",
        "test rax, rax",
        "jz {slowly}",
        "imul ecx, edi, {spread}",
        "lea rsi, [rip + {filter}]",
        "mov edx, ecx",
        "shr edx, {word}",
        "shr ecx, {bit}",
        "mov rdx, qword ptr [rsi + 8 * rdx]",
        "bt rdx, rcx",
        "jc {slowly}",
        "mov rcx, qword ptr [rdi - 8]",
        "inc qword ptr [rax + {frees}]",
        "and rcx, {flags}",
        "sub qword ptr [rax + {loss}], rcx",
        "js 2f",
        "jmp qword ptr [rip + {real} + {free}]",
        "2:",
        "push rdi",
        "mov rdi, rax",
        "call {settle}",
        "pop rdi",
        "jmp qword ptr [rip + {real} + {free}]",
        spread = const sample::SPREAD as i32,
        filter = sym FILTER,
        bit = const sample::BIT,
        word = const sample::BIT + 6,
        flags = const !FLAGS as isize,
        frees = const offset_of!(Shard, frees),
        loss = const offset_of!(Shard, loss),
        real = sym REAL,
        free = const offset_of!(Real, free),
        settle = sym sample::settle,
        slowly = sym free_slowly,
    )
}

/// To grow nothing is to allocate.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc() {
    naked_asm!(
        "test rdi, rdi",
        "jz 2f",
        "mov rdx, rsp",
        "mov rcx, rbp",
        "jmp {}",
        "2:",
        "mov rdi, rsi",
        "jmp {}",
        sym on_realloc,
        sym allocate,
    )
}

unsafe extern "C" fn on_realloc(old: *mut u8, size: usize, frame: *const usize, bp: usize) -> *mut u8 {
    unsafe {
        let shard = quick();
        if shard.is_null() || size == 0 || sample::may_be_sampled(old) || !count(shard, frame, size) {
            return realloc_slowly(old, size, frame, bp);
        }
        let lost = taken_by(old) as i64;
        let block = (REAL.realloc)(old, size);
        if block.is_null() {
            return uncount(shard, frame, size);
        }
        (*shard).reallocations += 1;
        (*shard).frees += 1;
        let gain = (*shard).gain - taken_by(block) as i64 + lost;
        (*shard).gain = gain;
        // Seldom does one shrink; too much is settled like too little.
        if gain as u64 > 2 * ROOM as u64 {
            return sample::settle_with(shard, block);
        }
        block
    }
}

/// Counts an allocation before it is known to succeed: what may well fail is too large to come here. `false`, and nothing
/// is counted, when its site is not at home or a sample is due.
#[inline(always)]
unsafe fn count(shard: *mut Shard, frame: *const usize, size: usize) -> bool {
    unsafe {
        let site = quick_site(shard, key(frame, size));
        if site.is_null() || (*site).left < size as u64 {
            return false;
        }
        (*site).left -= size as u64;
        (*site).allocations += 1;
        true
    }
}

/// A block that could not grow stays.
#[cold]
#[inline(never)]
unsafe fn uncount(shard: *mut Shard, frame: *const usize, size: usize) -> *mut u8 {
    unsafe {
        let site = quick_site(shard, key(frame, size));
        if !site.is_null() {
            (*site).left += size as u64;
            (*site).allocations -= 1;
        }
        core::ptr::null_mut()
    }
}

/// The site of a key in one of the two places where the short ways look; else null.
#[inline(always)]
pub unsafe fn quick_site(shard: *mut Shard, key: u64) -> *mut Site {
    unsafe {
        let home = home(shard, key);
        if (*home).key == key {
            return home;
        }
        let neighbour = (home as usize ^ size_of::<Site>()) as *mut Site;
        if (*neighbour).key == key { neighbour } else { core::ptr::null_mut() }
    }
}

#[inline(always)]
pub unsafe fn home(shard: *mut Shard, key: u64) -> *mut Site {
    let at = key.wrapping_mul(GOLDEN) >> (64 - SITES.trailing_zeros() - SITE);
    // SAFETY: a multiple of a site's size, below that of all.
    unsafe { (&raw mut (*shard).sites).byte_add((at & u64::from((*shard).within)) as usize).cast() }
}
