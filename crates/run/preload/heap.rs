//! The heap library: counts what a program allocates, and samples it. Loaded into the target by `LD_PRELOAD`.
//!
//! It links nothing, allocates nothing and has no thread. Every call is counted by the thread that makes it, exactly, in
//! a file it shares with slowpath, so the numbers survive a crash (`short` is the way of nearly all of them). By chance
//! (each byte alike), an allocation is sampled: registers and a piece of stack go into a ring, which slowpath empties and
//! unwinds. `build.rs` compiles it with one `rustc` call; `src/alloc/` embeds it and is the only one to read what it writes.
//!
//! To count only some allocations of a thread that makes many was rejected: chosen once in `gap` bytes, a site of 1 MB is
//! right to `sqrt(gap / 1 MB)`, so that 5 % in 99 of 100 cases take a gap of 380 bytes, which is nearly every call.

#![no_std]

#[path = "layout.rs"]
#[allow(dead_code, reason = "the other side reads what this one writes")]
mod layout;
#[path = "python.rs"]
mod python;
#[path = "sample.rs"]
mod sample;
#[path = "short.rs"]
mod short;
#[path = "start.rs"]
mod start;
#[path = "system.rs"]
mod system;

use core::arch::{asm, naked_asm};

use layout::Shard;
use system::counters;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// The allocator behind this library. Until it is known, a few blocks come from an arena of our own.
struct Real {
    malloc: unsafe extern "C" fn(usize) -> *mut u8,
    calloc: unsafe extern "C" fn(usize, usize) -> *mut u8,
    realloc: unsafe extern "C" fn(*mut u8, usize) -> *mut u8,
    free: unsafe extern "C" fn(*mut u8),
    memalign: unsafe extern "C" fn(usize, usize) -> *mut u8,
    aligned_alloc: unsafe extern "C" fn(usize, usize) -> *mut u8,
    posix_memalign: Option<unsafe extern "C" fn(*mut *mut u8, usize, usize) -> i32>,
    usable: Option<unsafe extern "C" fn(*mut u8) -> usize>,
}

static mut REAL: Real = Real {
    malloc: start::arena_malloc,
    calloc: start::arena_calloc,
    realloc: start::arena_realloc,
    free: start::arena_free,
    memalign: start::arena_memalign,
    aligned_alloc: start::arena_memalign,
    posix_memalign: None,
    usable: None,
};

/// The allocator is glibc's, whose sizes stand before the blocks.
static mut HEADERS: bool = false;

/// Who called: where the return address lies, and the frame pointer.
#[derive(Clone, Copy)]
struct Caller {
    frame: *const usize,
    bp: usize,
}

// Each entry hands its caller's stack and frame pointer on and jumps, so that no frame of ours lies between.
macro_rules! entry {
    ($name:ident, $target:ident, $stack:literal, $frame:literal) => {
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            naked_asm!(concat!("mov ", $stack, ", rsp"), concat!("mov ", $frame, ", rbp"), "jmp {}", sym $target)
        }
    };
}
entry!(memalign, on_memalign, "rdx", "rcx");
entry!(aligned_alloc, on_aligned_alloc, "rdx", "rcx");
entry!(posix_memalign, on_posix_memalign, "rcx", "r8");
entry!(valloc, on_valloc, "rsi", "rdx");

#[cold]
#[inline(never)]
unsafe extern "C" fn malloc_slowly(size: usize, frame: *const usize, bp: usize) -> *mut u8 {
    unsafe {
        let shard = shard();
        let block = (REAL.malloc)(size);
        taken(shard, block, size, Caller { frame, bp });
        block
    }
}

#[cold]
unsafe extern "C" fn calloc_slowly(number: usize, each: usize, frame: *const usize, bp: usize) -> *mut u8 {
    unsafe {
        let shard = shard();
        let block = (REAL.calloc)(number, each);
        taken(shard, block, number.wrapping_mul(each), Caller { frame, bp });
        block
    }
}

#[cold]
unsafe extern "C" fn realloc_slowly(old: *mut u8, size: usize, frame: *const usize, bp: usize) -> *mut u8 {
    unsafe {
        let shard = shard();
        let caller = Caller { frame, bp };
        if start::is_of_arena(old) {
            let block = start::out_of_arena(old, size);
            taken(shard, block, size, caller);
            return block;
        }
        if sample::may_be_sampled(old) && start::was_early(old) {
            let block = (REAL.realloc)(old, size);
            taken(shard, block, size, caller);
            return block;
        }
        let before = usable(old);
        if sample::may_be_sampled(old) {
            sample::ended(shard, old);
        }
        let block = (REAL.realloc)(old, size);
        // A block that could not grow stays; only its sample is forgotten.
        if !shard.is_null() && (!block.is_null() || size == 0) {
            (*shard).reallocations += u64::from(size != 0);
            (*shard).frees += 1;
            (*shard).pending -= before as i64;
            taken(shard, block, size, caller);
        }
        block
    }
}

unsafe extern "C" fn on_memalign(alignment: usize, size: usize, frame: *const usize, bp: usize) -> *mut u8 {
    unsafe {
        let shard = shard();
        let block = (REAL.memalign)(alignment, size);
        taken(shard, block, size, Caller { frame, bp });
        block
    }
}

unsafe extern "C" fn on_aligned_alloc(
    alignment: usize,
    size: usize,
    frame: *const usize,
    bp: usize,
) -> *mut u8 {
    unsafe {
        let shard = shard();
        let block = (REAL.aligned_alloc)(alignment, size);
        taken(shard, block, size, Caller { frame, bp });
        block
    }
}

unsafe extern "C" fn on_valloc(size: usize, frame: *const usize, bp: usize) -> *mut u8 {
    unsafe { on_memalign(layout::PAGE, size, frame, bp) }
}

unsafe extern "C" fn on_posix_memalign(
    out: *mut *mut u8,
    alignment: usize,
    size: usize,
    frame: *const usize,
    bp: usize,
) -> i32 {
    const NO_MEMORY: i32 = 12;
    unsafe {
        let shard = shard();
        let Some(real) = REAL.posix_memalign else {
            *out = on_memalign(alignment, size, frame, bp);
            return if (*out).is_null() { NO_MEMORY } else { 0 };
        };
        let error = real(out, alignment, size);
        if error == 0 {
            taken(shard, *out, size, Caller { frame, bp });
        }
        error
    }
}

#[cold]
#[inline(never)]
unsafe extern "C" fn free_slowly(block: *mut u8) {
    unsafe {
        let shard = shard();
        if block.is_null() || (sample::may_be_sampled(block) && !sample::left(shard, block)) {
            return;
        }
        if !shard.is_null() {
            (*shard).frees += 1;
            (*shard).pending -= usable(block) as i64;
            sample::settle(shard);
        }
        (REAL.free)(block);
    }
}

/// The calling thread's counters; null while nothing is counted.
#[inline(always)]
unsafe fn shard() -> *mut Shard {
    let shard = counters();
    // SAFETY: as the caller.
    if shard.is_null() { unsafe { start::shard() } } else { shard }
}

/// Bytes that a block takes.
unsafe fn usable(block: *mut u8) -> usize {
    // SAFETY: a block of the allocator; its own word, or its own function.
    unsafe { if HEADERS { taken_by(block) } else { REAL.usable.map_or(0, |usable| usable(block)) } }
}

/// The flags in glibc's word before a block.
const FLAGS: usize = 7;

/// glibc's word before a block without its flags: the size of it and of what belongs to it.
#[inline(always)]
unsafe fn taken_by(block: *mut u8) -> usize {
    // SAFETY: the allocator's own word.
    unsafe { *block.cast::<usize>().sub(1) & !FLAGS }
}

/// Counts a block.
unsafe fn taken(shard: *mut Shard, block: *mut u8, size: usize, caller: Caller) {
    unsafe {
        if shard.is_null() {
            start::note_early(block);
        }
        if shard.is_null() || block.is_null() {
            return;
        }
        let key = key(caller.frame, size);
        let quick = short::quick_site(shard, key);
        let site = if quick.is_null() { sample::site(shard, key, size) } else { quick };
        (*site).allocations += 1;
        (*shard).pending += usable(block) as i64;
        if (*site).left >= size as u64 {
            (*site).left -= size as u64;
            sample::settle(shard);
        } else {
            sample::due(shard, site, block, size, caller);
        }
    }
}

/// The same place in the code at the same depth of the stack was, nearly always, reached on the same way.
#[inline(always)]
unsafe fn key(frame: *const usize, size: usize) -> u64 {
    // SAFETY: the return address lies on the stack.
    let place = unsafe { (*frame as u64).rotate_left(layout::TURNED) ^ frame as u64 };
    place ^ in_key(size) << layout::CLASS
}

/// A number for each power of two. Processors from before 2013 know the instruction by another name, by which it counts
/// from the other end; both ways it tells them apart.
#[inline(always)]
fn in_key(size: usize) -> u64 {
    let zeros: u64;
    // SAFETY: of any number.
    unsafe { asm!("lzcnt {}, {}", out(reg) zeros, in(reg) size, options(pure, nomem, nostack)) };
    zeros
}
