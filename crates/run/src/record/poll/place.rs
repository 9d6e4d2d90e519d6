//! `/proc/PID/task/TID/syscall`: where a thread that does not run is.

use std::io;

use super::super::syscalls::Syscall;
use super::source::{Room, Source};

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On a CPU or ready for one.
    Running,
    /// Waiting in a system call.
    Call(Call),
    /// Waiting, but in no call: a page is fetched, a signal or tracer stopped it, or it ends.
    Outside { sp: u64, pc: u64 },
    /// We may not know.
    Refused,
    /// The kernel does not tell, or the thread was gone.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) syscall: Syscall,
    pub(crate) args: [u64; 6],
    pub(crate) sp: u64,
    pub(crate) pc: u64,
}

impl Place {
    /// Looked up by the thread's number alone.
    pub(crate) fn of(pid: u32, tid: u32) -> Self {
        Self::told(std::fs::read(format!("/proc/{pid}/task/{tid}/syscall")))
    }

    pub(super) fn read(source: &mut Source, pid: u32, tid: u32, room: &mut Room) -> Self {
        Self::told(source.read(pid, tid, room))
    }

    fn told(text: io::Result<Vec<u8>>) -> Self {
        match text {
            Ok(text) => Self::parse(&text).unwrap_or(Self::Unknown),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Self::Refused,
            Err(_) => Self::Unknown,
        }
    }

    /// `running`, or `-1 sp pc`, or `number arg arg arg arg arg arg sp pc`. `None` for a cut line.
    fn parse(text: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
        if line == "running" {
            return Some(Self::Running);
        }
        let (number, words) = line.split_once(' ')?;
        let words: Option<Vec<u64>> =
            words.split(' ').map(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()).collect();
        match (number, words?.as_slice()) {
            ("-1", &[sp, pc]) => Some(Self::Outside { sp, pc }),
            (number, &[a, b, c, d, e, f, sp, pc]) => {
                let syscall = Syscall(number.parse().ok()?);
                Some(Self::Call(Call { syscall, args: [a, b, c, d, e, f], sp, pc }))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_are_understood() {
        assert_eq!(Place::parse(b"running\n"), Some(Place::Running));
        assert_eq!(Place::parse(b"-1 0x7ffc10 0x40\n"), Some(Place::Outside { sp: 0x7f_fc10, pc: 0x40 }));
        let call =
            Call { syscall: Syscall(202), args: [0x56, 0x89, 0xffff_ffff, 0, 0, 1], sp: 0x7f, pc: 0x41 };
        let line = b"202 0x56 0x89 0xffffffff 0x0 0x0 0x1 0x7f 0x41\n";
        assert_eq!(Place::parse(line), Some(Place::Call(call)));
        for length in 0..line.len() {
            assert_eq!(Place::parse(&line[..length]), None, "{length}");
        }
    }
}
