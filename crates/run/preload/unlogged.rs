//! Loaded by `LD_PRELOAD` into programs whose working directory may not be written: V8's log goes nowhere.
//!
//! V8 opens `isolate-0x…-PID-v8.log` beside the map of its functions that slowpath asks it for, and where that is refused writes
//! it into the program's own output. Nothing in `NODE_OPTIONS` tells it otherwise. It wants a plain file, and does not mind one
//! that takes nothing: the program itself, to be read. All else is opened as it was.

#![no_std]

use core::arch::global_asm;
use core::ffi::{CStr, c_char, c_void};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

// What stands behind ours: glibc has another name for it, other libraries tell what comes next. Weak, so that a program whose
// C library lacks one of them still starts.
global_asm!(
    ".weak _IO_fopen",
    ".weak dlsym",
    ".section .data,\"aw\"",
    ".p2align 3",
    ".hidden unlogged_next",
    ".globl unlogged_next",
    "unlogged_next:",
    ".quad _IO_fopen",
    ".quad dlsym",
    ".text",
);

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
type Find = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

unsafe extern "C" {
    #[link_name = "unlogged_next"]
    static NEXT: [usize; 2];
}

/// The next library that has it.
const BEHIND: isize = -1;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fopen64(path: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: the caller's own arguments, which the C library would read alike.
    unsafe { opened(path, mode) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fopen(path: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: as above.
    unsafe { opened(path, mode) }
}

/// # Safety
/// Both must be what `fopen` takes.
unsafe fn opened(path: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: words that the loader has filled in, zero for what nobody has.
    let [open, find] = unsafe { (&raw const NEXT).read_volatile() };
    let nowhere = (c"/proc/self/exe".as_ptr(), c"r".as_ptr());
    let (path, mode) = if unsafe { is_log(path) } { nowhere } else { (path, mode) };
    let open = match (open, find) {
        (0, 0) => 0,
        (0, find) => {
            // SAFETY: `dlsym`, by its address.
            let find: Find = unsafe { core::mem::transmute::<usize, Find>(find) };
            (unsafe { find(BEHIND as *mut c_void, c"fopen".as_ptr()) }) as usize
        }
        (open, _) => open,
    };
    if open == 0 {
        return core::ptr::null_mut();
    }
    // SAFETY: `fopen` of the C library, by its address.
    let open: Open = unsafe { core::mem::transmute::<usize, Open>(open) };
    unsafe { open(path, mode) }
}

/// # Safety
/// Null, or a C string.
unsafe fn is_log(path: *const c_char) -> bool {
    if path.is_null() {
        return false;
    }
    // SAFETY: checked above.
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    name.starts_with(b"isolate-0x") && name.ends_with(b"-v8.log")
}

