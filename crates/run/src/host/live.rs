//! What is asked of the kernel and the CPU by call rather than by file.

use std::ffi::{CStr, OsString};
use std::mem::MaybeUninit;
use std::path::PathBuf;

/// Answers that no made tree can give; tests put their own here.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    pub(super) architecture: Option<String>,
    /// The hypervisor's signature in CPUID leaf 0x4000_0000; `None` off x86 and where there is none.
    pub(super) signature: Option<String>,
    pub(super) libc: Option<String>,
    pub(super) cpus_allowed: Option<u32>,
    pub(super) nice: Option<i32>,
    pub(super) scheduler: Option<String>,
    pub(super) folder: Option<PathBuf>,
    pub(super) path: OsString,
    pub(super) environment: Vec<(OsString, OsString)>,
}

impl Live {
    pub(super) fn ask() -> Self {
        Self {
            architecture: architecture(),
            signature: signature(),
            libc: libc_version(),
            cpus_allowed: cpus_allowed(),
            nice: nice(),
            scheduler: scheduler(),
            folder: std::env::current_dir().ok(),
            path: std::env::var_os("PATH").unwrap_or_default(),
            environment: std::env::vars_os().collect(),
        }
    }
}

fn architecture() -> Option<String> {
    let mut names = MaybeUninit::<libc::utsname>::zeroed();
    // SAFETY: `names` is writable and as large as uname(2) expects.
    if unsafe { libc::uname(names.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: all-zero bytes are a valid utsname, and the kernel filled it.
    let names = unsafe { names.assume_init() };
    // SAFETY: the kernel ends each of the fields with NUL.
    let machine = unsafe { CStr::from_ptr(names.machine.as_ptr()) };
    Some(machine.to_str().ok()?.to_owned())
}

#[cfg(target_arch = "x86_64")]
fn signature() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    /// Bit 31 of ECX in leaf 1: a hypervisor is present (Intel SDM and AMD APM both reserve it for that).
    const HYPERVISOR: u32 = 1 << 31;
    if __cpuid(1).ecx & HYPERVISOR == 0 {
        return None;
    }
    let leaf = __cpuid(0x4000_0000);
    let bytes: Vec<u8> = [leaf.ebx, leaf.ecx, leaf.edx].into_iter().flat_map(u32::to_le_bytes).collect();
    let text = String::from_utf8(bytes).ok()?;
    let text = text.trim_matches(['\0', ' ']);
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(not(target_arch = "x86_64"))]
fn signature() -> Option<String> {
    None
}

/// `glibc 2.36`; `None` for any other library, because none of them says its version.
fn libc_version() -> Option<String> {
    // SAFETY: the name ends with NUL, and dlsym only looks it up. A direct call would not link against musl.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"gnu_get_libc_version".as_ptr()) };
    if symbol.is_null() {
        return None;
    }
    // SAFETY: only glibc has this symbol, with the type gnu_get_libc_version(3) documents.
    let version: extern "C" fn() -> *const libc::c_char = unsafe { std::mem::transmute(symbol) };
    let version = version();
    if version.is_null() {
        return None;
    }
    // SAFETY: glibc returns a constant text that ends with NUL.
    let version = unsafe { CStr::from_ptr(version) };
    Some(format!("glibc {}", version.to_str().ok()?))
}

fn cpus_allowed() -> Option<u32> {
    // The kernel refuses a mask smaller than its own; 8192 is the largest it can be configured for on x86.
    let mut mask = [0_u64; 128];
    // SAFETY: the pointer and the size describe `mask`, which any bytes may fill; pid 0 is this thread.
    let result = unsafe { libc::sched_getaffinity(0, size_of_val(&mask), mask.as_mut_ptr().cast()) };
    let allowed: u32 = mask.iter().map(|word| word.count_ones()).sum();
    (result == 0 && allowed > 0).then_some(allowed)
}

fn nice() -> Option<i32> {
    // SAFETY: errno is this thread's own; −1 is also a valid nice value, so only errno tells an error.
    unsafe { *libc::__errno_location() = 0 };
    // SAFETY: getpriority takes no pointers.
    let nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    (nice != -1 || std::io::Error::last_os_error().raw_os_error() == Some(0)).then_some(nice)
}

fn scheduler() -> Option<String> {
    /// `SCHED_EXT` of Linux 6.12, which libc does not name yet.
    const EXTENSIBLE: i32 = 7;
    // SAFETY: sched_getscheduler takes no pointers.
    let policy = unsafe { libc::sched_getscheduler(0) };
    let name = match policy & !libc::SCHED_RESET_ON_FORK {
        libc::SCHED_OTHER => "other",
        libc::SCHED_FIFO => "fifo",
        libc::SCHED_RR => "round-robin",
        libc::SCHED_BATCH => "batch",
        libc::SCHED_IDLE => "idle",
        libc::SCHED_DEADLINE => "deadline",
        EXTENSIBLE => "extensible",
        _ => return None,
    };
    (policy >= 0).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_knows_where_it_runs() {
        let live = Live::ask();
        assert!(live.architecture.is_some());
        assert!(live.cpus_allowed.is_some_and(|cpus| cpus > 0));
        assert!(live.nice.is_some_and(|nice| (-20..20).contains(&nice)));
        assert!(live.scheduler.is_some());
        #[cfg(target_env = "gnu")]
        assert!(live.libc.unwrap().starts_with("glibc 2."));
    }
}
