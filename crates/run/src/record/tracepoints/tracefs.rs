//! Numbers of tracepoints from tracefs, which tells root only.

use std::ffi::CString;
use std::fs;
use std::io::Read;
use std::os::fd::{AsRawFd, RawFd};
use std::path::Path;

use super::super::closer::detached;
use super::super::syscalls::Syscall;
use super::{Tracepoints, Way, wanted};

const HOME: &str = "/sys/kernel/tracing";

/// From a tracefs that is mounted, or from one that only a child of ours mounts and sees. `None` without the right.
pub(super) fn read() -> Option<Tracepoints> {
    mounted(Path::new(HOME))
        .or_else(|| mounted(Path::new("/sys/kernel/debug/tracing")))
        .or_else(mounted_privately)
}

fn mounted(folder: &Path) -> Option<Tracepoints> {
    let numbers = files().iter().map(|file| number(&fs::read(folder.join(file)).ok()?)).collect();
    sorted_out(numbers, Way::Tracefs)
}

/// The files with the wanted numbers: two of their own, then an entry and a return for each call.
fn files() -> Vec<String> {
    let own = ["sched/sched_waking", "raw_syscalls/sys_enter"];
    let calls = wanted().filter_map(Syscall::in_tracepoints);
    let pairs = calls.flat_map(|call| ["enter", "exit"].map(|side| format!("syscalls/sys_{side}_{call}")));
    own.map(str::to_owned).into_iter().chain(pairs).map(|event| format!("events/{event}/id")).collect()
}

/// `numbers` are in the order of [`files`]. A call without tracepoints is left out; without any there is nothing.
fn sorted_out(numbers: Vec<Option<u64>>, way: Way) -> Option<Tracepoints> {
    let mut numbers = numbers.into_iter();
    let mut next = || numbers.next().flatten();
    let mut found =
        Tracepoints { waking: next(), raw_enter: next(), enter: Vec::new(), exit: Vec::new(), way };
    for call in wanted() {
        if let (Some(enter), Some(exit)) = (next(), next()) {
            found.enter.push((enter, call));
            found.exit.push((exit, call));
        }
    }
    (!found.enter.is_empty()).then_some(found)
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.trim_ascii().parse().ok()
}

/// Nothing changes for the system: the mount is in a namespace of the child's own and goes with it.
fn mounted_privately() -> Option<Tracepoints> {
    // SAFETY: plain call.
    if unsafe { libc::geteuid() } != 0 {
        return None;
    }
    let paths: Vec<CString> =
        files().iter().filter_map(|file| CString::new(format!("{HOME}/{file}")).ok()).collect();
    let (mut reader, writer) = std::io::pipe().ok()?;
    let out = writer.as_raw_fd();
    // SAFETY: `mount_and_copy` makes system calls only.
    unsafe { detached(vec![out], || mount_and_copy(&paths, out)) }.ok()?;
    drop(writer);
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).ok()?;
    sorted_out(bytes.split(|byte| *byte == b'\n').map(number).collect(), Way::PrivateMount)
}

/// Writes a line for each file, an empty one where there is none. Safe after a fork.
fn mount_and_copy(paths: &[CString], out: RawFd) {
    let private = libc::MS_REC | libc::MS_PRIVATE;
    let careful = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    let (none, home, kind) = (std::ptr::null(), c"/sys/kernel/tracing".as_ptr(), c"tracefs".as_ptr());
    // SAFETY: all texts end with NUL, and null is allowed where mount(2) ignores the argument.
    let mounted = unsafe {
        libc::unshare(libc::CLONE_NEWNS) == 0
            && libc::mount(none, c"/".as_ptr(), none, private, std::ptr::null()) == 0
            && libc::mount(kind, home, kind, careful, std::ptr::null()) == 0
    };
    if !mounted {
        return;
    }
    for path in paths {
        let mut line = *b"\n                               ";
        // SAFETY: the path ends with NUL and the buffer is as long as said.
        unsafe {
            let file = libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
            let length = libc::read(file, line.as_mut_ptr().cast(), line.len());
            libc::close(file);
            libc::write(out, line.as_ptr().cast(), usize::try_from(length).unwrap_or(1).max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tracefs_does_not_have_is_left_out() {
        let mut numbers: Vec<Option<u64>> = vec![Some(1), None, Some(10), Some(11), None, Some(13)];
        let found = sorted_out(numbers.clone(), Way::Tracefs).unwrap();
        let first = wanted().next().unwrap();
        assert_eq!((found.enter, found.exit), (vec![(10, first)], vec![(11, first)]));
        assert_eq!((found.waking, found.raw_enter), (Some(1), None));
        numbers.truncate(2);
        assert!(sorted_out(numbers, Way::Tracefs).is_none());
    }

    #[test]
    fn only_a_number_is_a_number() {
        assert_eq!(number(b"521\n"), Some(521));
        assert_eq!(number(b""), None);
        assert_eq!(number(b"\n"), None);
        assert_eq!(number(b"5 1\n"), None);
    }
}
