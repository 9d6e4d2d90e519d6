//! From the first allocation to the file shared with slowpath: finding the real allocator, the file, a thread's place in
//! it, and what a forked child does anew.

use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::layout::{self, Allocation, Header, Shard};
use crate::python;
use crate::sample::{self, signed, word};
use crate::system::{address_of, anywhere, call, environment, next, numbers, set_counters};
use crate::{HEADERS, REAL};

#[derive(Clone, Copy, PartialEq)]
enum State {
    Unknown,
    Resolving,
    /// The allocator is known; the environment is not there yet.
    Waiting,
    On,
    Off,
}

static mut STATE: State = State::Unknown;
static mut BASE: *mut u8 = null_mut();
/// Where the files go, with its final zero.
static mut FOLDER: [u8; 256] = [0; 256];
static mut FOLDER_LENGTH: usize = 0;
static mut INTERVAL: u64 = 0;
/// The process runs Python, whose frames must be read while the thread stands still.
static mut PYTHON: bool = false;
pub static mut CLOCK: Option<unsafe extern "C" fn(i32, *mut [u64; 2]) -> i32> = None;

pub fn header() -> *mut Header {
    // SAFETY: set before any shard is handed out.
    unsafe { BASE.cast() }
}

pub fn ring() -> *mut u8 {
    // SAFETY: as above.
    unsafe { BASE.add(layout::RING_AT) }
}

/// A place for a thread that has none yet; null while nothing is counted.
#[cold]
#[inline(never)]
pub unsafe fn shard() -> *mut Shard {
    unsafe {
        if STATE == State::Unknown {
            STATE = State::Resolving;
            resolve();
            STATE = State::Waiting;
        }
        if STATE == State::Waiting {
            begin();
        }
        if STATE != State::On {
            return null_mut();
        }
        let taken = word(&raw mut (*header()).threads).fetch_add(1, Ordering::Relaxed) as usize;
        let at = if taken < layout::SHARDS { taken } else { layout::SHARDS - 1 };
        let shard = BASE.add(layout::SHARDS_AT).cast::<Shard>().add(at);
        (*shard).tid = call(numbers::GETTID, [0; 6]) as u32;
        let now = sample::now();
        (*shard).random = (now ^ u64::from((*shard).tid) << 32 ^ shard as u64) | 1;
        // The first numbers of the generator still resemble its seed.
        for _ in 0..8 {
            sample::gap(shard, INTERVAL);
        }
        (*shard).gain = layout::ROOM;
        (*shard).loss = layout::ROOM;
        (*shard).within = Shard::reach(layout::FEW_SITES);
        (*shard).pace.interval = INTERVAL;
        (*shard).pace.since = now;
        (*shard).of_rest.look = u64::MAX;
        sample::begin(shard, &raw mut (*shard).rest);
        python::begin_thread(shard, INTERVAL);
        set_counters(shard, if HEADERS { shard } else { null_mut() });
        shard
    }
}

macro_rules! find {
    ($field:ident, $name:literal, $else:literal) => {
        let found = next($name);
        let found = if found == 0 { address_of!($else) } else { found };
        if found != 0 {
            REAL.$field = core::mem::transmute(found);
        }
    };
}

/// Finds the allocator behind us. The loader may allocate while it looks; that comes from the arena.
unsafe fn resolve() {
    unsafe {
        find!(memalign, c"memalign", "__libc_memalign");
        find!(aligned_alloc, c"aligned_alloc", "__libc_memalign");
        REAL.posix_memalign = core::mem::transmute::<usize, Option<_>>(next(c"posix_memalign"));
        REAL.usable = core::mem::transmute::<usize, Option<_>>(next(c"malloc_usable_size"));
        CLOCK = core::mem::transmute::<usize, Option<_>>(next(c"clock_gettime"));
        let glibc = next(c"__libc_malloc");
        find!(calloc, c"calloc", "__libc_calloc");
        find!(realloc, c"realloc", "__libc_realloc");
        find!(free, c"free", "__libc_free");
        find!(malloc, c"malloc", "__libc_malloc");
        let glibc = glibc == REAL.malloc as usize;
        if let (true, Some(usable)) = (glibc, REAL.usable) {
            let block = (REAL.malloc)(100);
            HEADERS = !block.is_null() && crate::taken_by(block) == usable(block) + size_of::<usize>();
            (REAL.free)(block);
        }
    }
}

/// Reads the environment and makes the file. Without the variable nothing is ever counted.
unsafe fn begin() {
    unsafe {
        let mut entry = environment();
        if entry.is_null() {
            return;
        }
        STATE = State::Off;
        while !(*entry).is_null() && !is_ours(*entry) {
            entry = entry.add(1);
        }
        let usable = REAL.usable;
        if (*entry).is_null() || usable.is_none() {
            return;
        }
        let mut text = (*entry).add(layout::VARIABLE.len() + 1);
        while (*text).is_ascii_digit() {
            INTERVAL = INTERVAL * 10 + u64::from(*text - b'0');
            text = text.add(1);
        }
        while FOLDER_LENGTH < 200 && *text.add(1 + FOLDER_LENGTH) != 0 {
            FOLDER[FOLDER_LENGTH] = *text.add(1 + FOLDER_LENGTH);
            FOLDER_LENGTH += 1;
        }
        PYTHON = anywhere(c"_PyRuntime") != 0;
        let table = map(null(), sample::TABLE, PRIVATE | ANONYMOUS, usize::MAX);
        if INTERVAL == 0 || table.is_null() {
            return;
        }
        call(numbers::MADVISE, [table as usize, sample::TABLE, WIPE_ON_FORK, 0, 0, 0]);
        sample::ADDRESSES = table.cast();
        BASE = make_file(null());
        if BASE.is_null() {
            return;
        }
        tell(0, 0);
        sample::mark(0);
        // Before anything is counted: it may allocate.
        at_fork();
        if PYTHON {
            python::begin();
        }
        STATE = State::On;
    }
}

unsafe fn is_ours(entry: *const u8) -> bool {
    let name = layout::VARIABLE.as_bytes();
    let mut at = 0;
    // SAFETY: ends with a zero, which no name holds.
    unsafe {
        while at < name.len() && *entry.add(at) == name[at] {
            at += 1;
        }
        at == name.len() && *entry.add(at) == b'='
    }
}

const PRIVATE: usize = 2;
const SHARED: usize = 1;
const FIXED: usize = 0x10;
const ANONYMOUS: usize = 0x20;
const NO_RESERVE: usize = 0x4000;
const WIPE_ON_FORK: usize = 18;
const AT_FDCWD: usize = -100isize as usize;
const CLOSE_ON_EXEC: usize = 0o2_000_000;

/// Null when it is refused.
unsafe fn map(at: *const u8, length: usize, flags: usize, file: usize) -> *mut u8 {
    const READ_AND_WRITE: usize = 3;
    let fixed = if at.is_null() { 0 } else { FIXED };
    // SAFETY: new memory, or our own mapping replaced.
    let mapped = unsafe {
        call(numbers::MMAP, [at as usize, length, READ_AND_WRITE, flags | fixed | NO_RESERVE, file, 0])
    };
    if mapped < 0 && mapped > -4096 { null_mut() } else { mapped as *mut u8 }
}

/// Makes and maps a file of this process. Null when that is refused.
unsafe fn make_file(at: *const u8) -> *mut u8 {
    const FILE_SIZE: usize = 1;
    const CREATE_ANEW: usize = 0o2 | 0o100 | 0o200 | 0o400_000;
    const EXISTS: isize = -17;
    unsafe {
        // A file beyond the limit would be answered by a signal.
        let mut limit = [u64::MAX; 2];
        call(numbers::PRLIMIT64, [0, FILE_SIZE, 0, limit.as_mut_ptr() as usize, 0, 0]);
        if limit[0] < layout::WHOLE as u64 {
            return null_mut();
        }
        let pid = call(numbers::GETPID, [0; 6]) as usize;
        for attempt in 0..1000 {
            let end = number(number(FOLDER_LENGTH, b'/', pid), b'.', attempt);
            FOLDER[end] = 0;
            let path = (&raw const FOLDER) as usize;
            let file = call(numbers::OPENAT, [AT_FDCWD, path, CREATE_ANEW | CLOSE_ON_EXEC, 0o600, 0, 0]);
            if file == EXISTS {
                continue;
            }
            if file < 0 {
                return null_mut();
            }
            let file = file as usize;
            let sized = call(numbers::FTRUNCATE, [file, layout::WHOLE, 0, 0, 0, 0]);
            let mapped = if sized < 0 { null_mut() } else { map(at, layout::WHOLE, SHARED, file) };
            call(numbers::CLOSE, [file, 0, 0, 0, 0, 0]);
            return mapped;
        }
        null_mut()
    }
}

/// Writes a sign and a number behind the folder; where it ends.
unsafe fn number(at: usize, sign: u8, value: usize) -> usize {
    let mut digits = 1;
    let mut rest = value;
    while rest >= 10 {
        rest /= 10;
        digits += 1;
    }
    // SAFETY: the folder leaves room for two numbers.
    unsafe {
        FOLDER[at] = sign;
        rest = value;
        for place in (0..digits).rev() {
            FOLDER[at + 1 + place] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
    }
    at + 1 + digits
}

/// Fills the header. The first word comes last: it says that the rest can be read.
unsafe fn tell(forked_from: u32, inherited: i64) {
    unsafe {
        let header = header();
        (*header).pid = call(numbers::GETPID, [0; 6]) as u32;
        (*header).forked_from = forked_from;
        (*header).started = sample::now();
        (*header).interval = INTERVAL;
        (*header).inherited = inherited;
        (*header).asked = u32::from(PYTHON);
        let link = c"/proc/self/exe".as_ptr() as usize;
        let program = (&raw mut (*header).program) as usize;
        call(numbers::READLINKAT, [AT_FDCWD, link, program, 1023, 0, 0]);
        read(c"/proc/self/cmdline", (&raw mut (*header).arguments).cast(), 1023);
        // A forked child has its parent's.
        if forked_from == 0 {
            (*header).maps = read(c"/proc/self/maps", BASE.add(layout::MAPS_AT), layout::MAPS) as u64;
            FIRST_STACK = end_of_stack(BASE.add(layout::MAPS_AT), (*header).maps as usize);
        }
        word(&raw mut (*header).magic).store(layout::MAGIC, Ordering::Release);
    }
}

unsafe fn read(path: &core::ffi::CStr, to: *mut u8, most: usize) -> usize {
    unsafe {
        let file = call(numbers::OPENAT, [AT_FDCWD, path.as_ptr() as usize, CLOSE_ON_EXEC, 0, 0, 0]);
        if file < 0 {
            return 0;
        }
        let mut done = 0;
        while done < most {
            let more = call(numbers::READ, [file as usize, to as usize + done, most - done, 0, 0, 0]);
            if more <= 0 {
                break;
            }
            done += more as usize;
        }
        call(numbers::CLOSE, [file as usize, 0, 0, 0, 0, 0]);
        done
    }
}

unsafe fn at_fork() {
    unsafe {
        let (register, dso) = match next(c"__register_atfork") {
            0 => (next(c"pthread_atfork"), 0),
            glibc => (glibc, 0),
        };
        if register != 0 {
            let register: extern "C" fn(usize, usize, unsafe extern "C" fn(), usize) -> i32 =
                core::mem::transmute(register);
            register(0, 0, forked, dso);
        }
    }
}

/// In a forked child: a file of its own in the same place, or memory that nobody reads.
unsafe extern "C" fn forked() {
    unsafe {
        let header = header();
        let parent = (*header).pid;
        let mut live = signed(&raw mut (*header).live).load(Ordering::Relaxed) + (*header).inherited;
        let threads = word(&raw mut (*header).threads).load(Ordering::Relaxed) as usize;
        for at in 0..if threads < layout::SHARDS { threads } else { layout::SHARDS } {
            live += sample::pending(BASE.add(layout::SHARDS_AT).cast::<Shard>().add(at));
        }
        if make_file(BASE).is_null() && map(BASE, layout::WHOLE, PRIVATE | ANONYMOUS, usize::MAX).is_null() {
            STATE = State::Off;
            set_counters(null_mut(), null_mut());
            return;
        }
        tell(parent, live);
        sample::forget_all();
        special(|address| sample::mark(address));
        set_counters(null_mut(), null_mut());
    }
}

/// Where the stack that the kernel made ends; zero while that is not known.
static mut FIRST_STACK: usize = 0;

/// A limit of this much is usual; below, the kernel leaves free far more than that.
const LONGEST_STACK: usize = 8 << 20;

/// Bytes from an address of the first thread's stack to its end; zero when it is none.
pub fn left_of_first_stack(address: *const u8) -> usize {
    // SAFETY: written before anything is counted.
    let left = unsafe { FIRST_STACK }.wrapping_sub(address as usize);
    if left <= LONGEST_STACK { left } else { 0 }
}

/// Where a line of the text (`proc_pid_maps(5)`) that names the stack says that it ends; zero when none does.
unsafe fn end_of_stack(text: *const u8, length: usize) -> usize {
    let (name, mut line, mut at) = (b"[stack]\n", 0, 0);
    // SAFETY: within the text.
    unsafe {
        while at + name.len() <= length {
            if *text.add(at) == b'\n' {
                line = at + 1;
            }
            let mut same = 0;
            while same < name.len() && *text.add(at + same) == name[same] {
                same += 1;
            }
            if same == name.len() {
                return second_number(text.add(line));
            }
            at += 1;
        }
    }
    0
}

/// Of two hexadecimal numbers with a sign between them and another behind.
unsafe fn second_number(text: *const u8) -> usize {
    let (mut at, mut signs, mut value) = (0, 0, 0);
    // SAFETY: a line of the kernel, which has both.
    unsafe {
        while signs < 2 {
            let letter = *text.add(at);
            match letter {
                b'0'..=b'9' => value = value << 4 | usize::from(letter - b'0'),
                b'a'..=b'f' => value = value << 4 | usize::from(letter - b'a' + 10),
                _ => {
                    signs += 1;
                    value = if signs < 2 { 0 } else { value };
                }
            }
            at += 1;
        }
    }
    value
}

/// Whether threads stand still at each sample.
pub fn waits_for_answers() -> bool {
    // SAFETY: set before any sample is taken.
    unsafe { PYTHON }
}

/// In Python the thread stands still until slowpath has read its frames: outside they would be others a moment later.
pub unsafe fn wait_for_answer(record: *mut Allocation) {
    const WAIT: usize = 0;
    const WRITE_ONLY_WITHOUT_WAITING: usize = 0o1 | 0o4000;
    unsafe {
        if !PYTHON {
            return;
        }
        let (written, at) = ((*record).word, (*record).at);
        let name = b"/bell\0";
        for (place, letter) in name.iter().enumerate() {
            FOLDER[FOLDER_LENGTH + place] = *letter;
        }
        let path = (&raw const FOLDER) as usize;
        let bell =
            call(numbers::OPENAT, [AT_FDCWD, path, WRITE_ONLY_WITHOUT_WAITING | CLOSE_ON_EXEC, 0, 0, 0]);
        if bell < 0 {
            return;
        }
        call(numbers::WRITE, [bell as usize, name.as_ptr() as usize, 1, 0, 0, 0]);
        call(numbers::CLOSE, [bell as usize, 0, 0, 0, 0, 0]);
        let answered = AtomicU32::from_ptr(&raw mut (*header()).answered);
        // Should nobody answer, the program goes on.
        let most = [0u64, 50_000_000];
        loop {
            let seen = answered.load(Ordering::Acquire);
            let still = AtomicU64::from_ptr(&raw mut (*record).word).load(Ordering::Acquire) == written;
            if !still || (*record).at != at {
                return;
            }
            let word = answered.as_ptr() as usize;
            if call(numbers::FUTEX, [word, WAIT, seen as usize, most.as_ptr() as usize, 0, 0]) == -110 {
                return;
            }
        }
    }
}

/// Blocks for the time before the allocator is known; never given back. Each has its size before it.
const ARENA: usize = 16 * 1024;
#[repr(align(16))]
struct Arena(#[allow(dead_code, reason = "reached by address only")] [u8; ARENA]);
static mut ARENA_BYTES: Arena = Arena([0; ARENA]);
static mut ARENA_USED: usize = 0;

pub fn is_of_arena(block: *mut u8) -> bool {
    (block as usize).wrapping_sub((&raw const ARENA_BYTES) as usize) < ARENA
}

pub unsafe extern "C" fn arena_malloc(size: usize) -> *mut u8 {
    unsafe { arena_memalign(16, size) }
}

pub unsafe extern "C" fn arena_calloc(number: usize, each: usize) -> *mut u8 {
    // The arena is zero and nothing comes back to it.
    number.checked_mul(each).map_or(null_mut(), |size| unsafe { arena_malloc(size) })
}

pub unsafe extern "C" fn arena_realloc(old: *mut u8, size: usize) -> *mut u8 {
    unsafe { out_of_arena(old, size) }
}

pub unsafe extern "C" fn arena_free(_: *mut u8) {}

pub unsafe extern "C" fn arena_memalign(alignment: usize, size: usize) -> *mut u8 {
    unsafe {
        let start = (&raw mut ARENA_BYTES) as usize;
        let block = (start + ARENA_USED + 16).next_multiple_of(if alignment < 16 { 16 } else { alignment });
        let end = block.saturating_add(size);
        if end > start + ARENA {
            return null_mut();
        }
        ARENA_USED = end.next_multiple_of(16) - start;
        *(block as *mut usize).sub(1) = size;
        sample::mark(block as u64);
        block as *mut u8
    }
}

/// A block of the arena grows: into the real allocator where that is known.
pub unsafe fn out_of_arena(old: *mut u8, size: usize) -> *mut u8 {
    unsafe {
        let block = (REAL.malloc)(size);
        let before = *old.cast::<usize>().sub(1);
        for at in 0..if block.is_null() {
            0
        } else if before < size {
            before
        } else {
            size
        } {
            block.add(at).write_volatile(*old.add(at));
        }
        block
    }
}

/// Blocks that the loader took before the program began. They are not the program's, nor are their ends.
static mut EARLY: [usize; 32] = [0; 32];

/// Notes a block that was taken while nothing was counted yet.
pub unsafe fn note_early(block: *mut u8) {
    unsafe {
        let waits = STATE == State::Waiting;
        let free = (&raw mut EARLY).cast::<usize>();
        for at in 0..if waits { 32 } else { 0 } {
            if *free.add(at) == 0 {
                *free.add(at) = block as usize;
                sample::mark(block as u64);
                return;
            }
        }
    }
}

/// Whether it is one of them; it is forgotten by this.
pub unsafe fn was_early(block: *mut u8) -> bool {
    let early = (&raw mut EARLY).cast::<usize>();
    for at in 0..32 {
        // SAFETY: one of them; two threads cannot give the same block back.
        unsafe {
            if *early.add(at) == block as usize {
                *early.add(at) = 0;
                return true;
            }
        }
    }
    false
}

/// Calls `each` with every address that must take the long way though it is not sampled. Null is one of them.
fn special(mut each: impl FnMut(u64)) {
    // SAFETY: written before there are threads, or a word at a time.
    unsafe {
        each(0);
        let (start, used) = ((&raw const ARENA_BYTES) as u64, ARENA_USED as u64);
        for at in 0..used / 16 {
            each(start + at * 16);
        }
        for at in 0..32 {
            each(*(&raw const EARLY).cast::<usize>().add(at) as u64);
        }
    }
}

/// Whether the bucket holds one of those.
pub fn is_special(bucket: usize, of: fn(u64) -> usize) -> bool {
    let mut found = false;
    special(|address| found |= of(address) == bucket);
    found
}
