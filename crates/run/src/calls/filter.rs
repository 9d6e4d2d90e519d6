//! The filter that selects the calls a tracer is stopped for; all others run at full speed.
//!
//! A filter cannot be taken off again, and without a tracer the selected calls fail (seccomp(2)): whoever puts it on
//! has to stay.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::FromRawFd;

use super::act::Acts;
use crate::record::syscalls::Syscall;

/// Places in `struct seccomp_data`.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
const FOURTH_ARGUMENT: u32 = 40;

const LOAD: u16 = 0x20;
const IF_EQUAL: u16 = 0x15;
const IF_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;

#[cfg(target_arch = "x86_64")]
const THIS_MACHINE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const THIS_MACHINE: u32 = 0xc000_00b7;

/// One instruction of classic BPF, as the kernel reads it.
type Step = [u8; 8];

fn step(code: u16, yes: u8, no: u8, value: u32) -> Step {
    let ([a, b], [c, d, e, f]) = (code.to_ne_bytes(), value.to_ne_bytes());
    [a, b, yes, no, c, d, e, f]
}

/// The filter as a file to be read by the target before its program is loaded.
pub(super) fn file(acts: &Acts) -> io::Result<File> {
    // SAFETY: a constant name; the result is checked and new.
    let mut file = unsafe {
        let fd = libc::memfd_create(c"slowpath-filter".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        File::from_raw_fd(fd)
    };
    file.write_all(&program(acts).concat())?;
    file.rewind()?;
    Ok(file)
}

fn program(acts: &Acts) -> Vec<Step> {
    let map = Syscall::named("mmap").map_or(u32::MAX, |call| call.0);
    let numbers: Vec<u32> = acts.numbers().filter(|number| *number != map).collect();
    let calls = u8::try_from(numbers.len()).unwrap_or(u8::MAX);
    let mut steps = vec![
        step(LOAD, 0, 0, MACHINE),
        // Numbers of another machine's calls mean something else.
        step(IF_EQUAL, 0, calls.saturating_add(4), THIS_MACHINE),
        step(LOAD, 0, 0, NUMBER),
        // Memory without a file is mapped far more often than files are.
        step(IF_EQUAL, 0, 2, map),
        step(LOAD, 0, 0, FOURTH_ARGUMENT),
        step(IF_ANY_BIT, calls, calls.saturating_add(1), libc::MAP_ANONYMOUS.cast_unsigned()),
    ];
    for (left, number) in (0..calls).rev().zip(&numbers) {
        steps.push(step(IF_EQUAL, left.saturating_add(1), 0, *number));
    }
    steps.push(step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    steps.push(step(RETURN, 0, 0, libc::SECCOMP_RET_TRACE));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel would do.
    fn run(steps: &[Step], machine: u32, number: u32, fourth: u32) -> u32 {
        let (mut at, mut value) = (0, 0);
        loop {
            let [a, b, yes, no, c, d, e, f] = steps[at];
            let k = u32::from_ne_bytes([c, d, e, f]);
            let branch = |so: bool| usize::from(if so { yes } else { no });
            at += 1;
            match u16::from_ne_bytes([a, b]) {
                LOAD => {
                    value = [(NUMBER, number), (MACHINE, machine), (FOURTH_ARGUMENT, fourth)]
                        .into_iter()
                        .find(|(place, _)| *place == k)
                        .unwrap()
                        .1
                }
                IF_EQUAL => at += branch(value == k),
                IF_ANY_BIT => at += branch(value & k != 0),
                _ => return k,
            }
        }
    }

    #[test]
    fn exactly_the_named_calls_stop() {
        let acts = Acts::new();
        let steps = program(&acts);
        // The launcher keeps this much room.
        assert!(steps.len() * 8 < 1024, "{}", steps.len());
        let map = Syscall::named("mmap").unwrap().0;
        for number in (0..600).filter(|number| *number != map) {
            let seen = run(&steps, THIS_MACHINE, number, 0) == libc::SECCOMP_RET_TRACE;
            assert_eq!(seen, acts.of(u64::from(number)).is_some(), "{number}");
            assert_eq!(run(&steps, 3, number, 0), libc::SECCOMP_RET_ALLOW);
        }
        assert_eq!(run(&steps, THIS_MACHINE, map, 2), libc::SECCOMP_RET_TRACE);
        assert_eq!(run(&steps, THIS_MACHINE, map, 0x22), libc::SECCOMP_RET_ALLOW);
    }
}
