//! Small objects of Python: its own allocator cuts them out of arenas, where no `malloc` is seen. Python lets others stand
//! before it (`PyMem_SetAllocator`, PEP 445): they are counted there, and one that is sampled comes from `malloc` instead, as
//! if it were large. Python's own gives such blocks back to `free`, which tells their end, so ends cost nothing.

use core::arch::naked_asm;
use core::mem::{MaybeUninit, offset_of};
use core::ptr::null_mut;

use crate::layout::{self, Shard, Small};
use crate::system::{anywhere, counters};
use crate::{Caller, REAL, sample, shard, start, usable};

/// What Python's allocator cuts out of arenas itself; what is larger it asks `malloc` for.
const SMALL: usize = 512;

/// After so many samples of a thread the next come half as often: a stack of Python costs more than another, as the thread
/// waits until it is read, and the shares of sites are known well by then.
const SAMPLES: u64 = 64;

/// `PyMemAllocatorEx`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Allocator {
    context: *mut u8,
    malloc: unsafe extern "C" fn(*mut u8, usize) -> *mut u8,
    calloc: unsafe extern "C" fn(*mut u8, usize, usize) -> *mut u8,
    realloc: unsafe extern "C" fn(*mut u8, *mut u8, usize) -> *mut u8,
    free: unsafe extern "C" fn(*mut u8, *mut u8),
}

/// `PyObjectArenaAllocator`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Arenas {
    context: *mut u8,
    alloc: unsafe extern "C" fn(*mut u8, usize) -> *mut u8,
    free: unsafe extern "C" fn(*mut u8, *mut u8, usize),
}

/// Python's own. Buffers (`PYMEM_DOMAIN_MEM`) and objects (`PYMEM_DOMAIN_OBJ`) have the same one.
static mut BEHIND: MaybeUninit<Allocator> = MaybeUninit::uninit();
const DOMAINS: [i32; 2] = [1, 2];
static mut ARENAS: MaybeUninit<Arenas> = MaybeUninit::uninit();

fn behind() -> Allocator {
    // SAFETY: our entries are called only after it was set.
    unsafe { (&raw const BEHIND).cast::<Allocator>().read() }
}

/// Stands before Python's allocator. Before the interpreter is initialised, which keeps whom it finds there.
pub unsafe fn begin() {
    unsafe {
        let (get, set) = (anywhere(c"PyMem_GetAllocator"), anywhere(c"PyMem_SetAllocator"));
        // Builds without a global lock have another allocator, which knows no blocks but its own.
        if get == 0 || set == 0 || anywhere(c"_Py_MergeZeroLocalRefcount") != 0 {
            return;
        }
        let get: unsafe extern "C" fn(i32, *mut Allocator) = core::mem::transmute(get);
        let set: unsafe extern "C" fn(i32, *const Allocator) = core::mem::transmute(set);
        let mut found = [MaybeUninit::<Allocator>::uninit(); 2];
        for (domain, found) in DOMAINS.iter().zip(&mut found) {
            get(*domain, found.as_mut_ptr());
        }
        let [buffers, objects] = found.map(|found| found.assume_init());
        // Those that check every block have a context.
        let is_plain = buffers.context.is_null() && objects.context.is_null();
        if !is_plain || buffers.malloc as usize != objects.malloc as usize {
            return;
        }
        (&raw mut BEHIND).cast::<Allocator>().write(objects);
        let ours = Allocator {
            context: null_mut(),
            malloc: core::mem::transmute::<unsafe extern "C" fn(), _>(malloc),
            calloc: core::mem::transmute::<unsafe extern "C" fn(), _>(calloc),
            realloc: core::mem::transmute::<unsafe extern "C" fn(), _>(realloc),
            free: objects.free,
        };
        for domain in DOMAINS {
            set(domain, &raw const ours);
        }
        let (get, set) = (anywhere(c"PyObject_GetArenaAllocator"), anywhere(c"PyObject_SetArenaAllocator"));
        if get == 0 || set == 0 {
            return;
        }
        let get: unsafe extern "C" fn(*mut Arenas) = core::mem::transmute(get);
        let set: unsafe extern "C" fn(*const Arenas) = core::mem::transmute(set);
        get((&raw mut ARENAS).cast());
        let ours = Arenas { context: null_mut(), alloc: arena, free: arena_free };
        set(&raw const ours);
    }
}

/// Readies a thread's counters.
pub unsafe fn begin_thread(shard: *mut Shard, interval: u64) {
    unsafe {
        let small = &raw mut (*shard).small;
        (*small).pace.interval = interval;
        (*small).pace.since = sample::now();
        grant(shard, small);
    }
}

/// Draws when the thread is sampled next.
unsafe fn grant(shard: *mut Shard, small: *mut Small) {
    unsafe {
        (*small).bytes = (*small).bytes.wrapping_add_signed((*small).granted - (*small).left);
        (*small).granted = sample::gap(shard, (*small).pace.interval) as i64;
        (*small).left = (*small).granted;
    }
}

/// The short way: counted, and on to Python's own without a frame of ours.
#[unsafe(naked)]
unsafe extern "C" fn malloc() {
    naked_asm!(
        "mov rax, qword ptr [rip + slowpath_shard@GOTTPOFF]",
        "mov rax, qword ptr fs:[rax]",
        "test rax, rax",
        "jz 3f",
        "cmp rsi, {small}",
        "ja 2f",
        "inc qword ptr [rax + {allocations}]",
        "sub qword ptr [rax + {left}], rsi",
        "js 4f",
        "2:",
        "jmp qword ptr [rip + {behind} + {malloc}]",
        "3:",
        "mov rdx, rsp",
        "mov rcx, rbp",
        "jmp {slowly}",
        "4:",
        "mov rdi, rsi",
        "mov rsi, rsp",
        "mov rdx, rbp",
        "jmp {sampled}",
        small = const SMALL,
        allocations = const offset_of!(Shard, small.allocations),
        left = const offset_of!(Shard, small.left),
        malloc = const offset_of!(Allocator, malloc),
        behind = sym BEHIND,
        slowly = sym malloc_slowly,
        sampled = sym sampled,
    )
}

macro_rules! entry {
    ($name:ident, $target:ident, $stack:literal, $frame:literal) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(concat!("mov ", $stack, ", rsp"), concat!("mov ", $frame, ", rbp"), "jmp {}", sym $target)
        }
    };
}
entry!(calloc, on_calloc, "rcx", "r8");
entry!(realloc, on_realloc, "rcx", "r8");

#[cold]
unsafe extern "C" fn malloc_slowly(context: *mut u8, size: usize, frame: *const usize, bp: usize) -> *mut u8 {
    unsafe {
        shard();
        if is_due(size) { sampled(size, frame, bp) } else { (behind().malloc)(context, size) }
    }
}

unsafe extern "C" fn on_calloc(
    context: *mut u8,
    number: usize,
    each: usize,
    frame: *const usize,
    bp: usize,
) -> *mut u8 {
    unsafe {
        let size = number.saturating_mul(each);
        if !is_due(size) {
            return (behind().calloc)(context, number, each);
        }
        let block = sampled(size, frame, bp);
        for at in 0..if block.is_null() { 0 } else { size } {
            block.add(at).write_volatile(0);
        }
        block
    }
}

unsafe extern "C" fn on_realloc(
    context: *mut u8,
    old: *mut u8,
    size: usize,
    frame: *const usize,
    bp: usize,
) -> *mut u8 {
    unsafe {
        if old.is_null() {
            return malloc_slowly(context, size, frame, bp);
        }
        let block = (behind().realloc)(context, old, size);
        let shard = counters();
        if shard.is_null() || block.is_null() || size > SMALL {
            return block;
        }
        (*shard).reallocations += 1;
        if !is_due(size) {
            return block;
        }
        // Only Python's own knows how long the old one was, so the sampled one is a copy of what it has made.
        let copy = sampled(size, frame, bp);
        if copy.is_null() {
            return block;
        }
        for at in 0..size {
            copy.add(at).write_volatile(*block.add(at));
        }
        (behind().free)(context, block);
        copy
    }
}

/// Counts a small object. Whether a sample is due; of what is large, or while nothing is counted, never.
#[inline(always)]
unsafe fn is_due(size: usize) -> bool {
    unsafe {
        let shard = counters();
        if shard.is_null() | (size > SMALL) {
            return false;
        }
        (*shard).small.allocations += 1;
        (*shard).small.left -= size as i64;
        (*shard).small.left < 0
    }
}

/// A sampled object, which is counted already.
#[cold]
unsafe extern "C" fn sampled(size: usize, frame: *const usize, bp: usize) -> *mut u8 {
    unsafe {
        let shard = shard();
        let small = &raw mut (*shard).small;
        let interval = (*small).pace.interval;
        (*small).samples += 1;
        let doubled = (*small).samples / SAMPLES;
        let asked = (*start::header()).interval.saturating_mul(1 << if doubled < 32 { doubled } else { 32 });
        sample::keep_pace(&raw mut (*small).pace, asked);
        grant(shard, small);
        let block = (REAL.malloc)(if size == 0 { 1 } else { size });
        if !block.is_null() {
            (*shard).pending += usable(block) as i64;
            let of = sample::Of { key: layout::SMALL_KEY, interval, why: layout::BY_CHANCE };
            sample::record(shard, &of, block, size, Caller { frame, bp });
        }
        block
    }
}

/// What small objects hold are their arenas: how many of them live Python alone knows.
unsafe extern "C" fn arena(_: *mut u8, size: usize) -> *mut u8 {
    unsafe {
        let behind = (&raw const ARENAS).cast::<Arenas>();
        let block = ((*behind).alloc)((*behind).context, size);
        if !block.is_null() {
            hold(size as i64);
        }
        block
    }
}

unsafe extern "C" fn arena_free(_: *mut u8, block: *mut u8, size: usize) {
    unsafe {
        let behind = (&raw const ARENAS).cast::<Arenas>();
        ((*behind).free)((*behind).context, block, size);
        hold(-(size as i64));
    }
}

unsafe fn hold(bytes: i64) {
    unsafe {
        let shard = shard();
        if !shard.is_null() {
            (*shard).pending += bytes;
            sample::settle(shard);
        }
    }
}
