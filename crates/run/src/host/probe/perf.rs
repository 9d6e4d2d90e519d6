//! Trials of perf events on this thread.

use std::hint::black_box;
use std::time::{Duration, Instant};

use perf_event_open_sys::bindings::{
    PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_DUMMY,
    PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_IP, PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER, PERF_SAMPLE_TID,
    PERF_SAMPLE_TIME, PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE, perf_event_attr,
};

use super::super::root::Root;
use super::super::text;
use super::errno::Errno;
use super::event::{Event, Kernel, Scope, attributes};
use super::{Scene, Seen, as_root};

/// How long a record is waited for. One is due after a millisecond; a busy machine may run us later.
const PATIENCE: Duration = Duration::from_millis(100);
/// A sample each millisecond, in the nanoseconds of the CPU clock.
const MILLISECOND: u64 = 1_000_000;

const BASICS: u32 = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

/// Stack pointer, frame pointer and instruction pointer, as arch/*/include/uapi/asm/perf_regs.h numbers them.
#[cfg(target_arch = "x86_64")]
const REGISTERS: u64 = 1 << 6 | 1 << 7 | 1 << 8;
#[cfg(target_arch = "aarch64")]
const REGISTERS: u64 = 1 << 29 | 1 << 30 | 1 << 31 | 1 << 32;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const REGISTERS: u64 = 1;

pub(super) fn user_samples(scene: &Scene) -> Seen {
    let mut attributes = clock(Kernel::Excluded);
    attributes.sample_type |= u64::from(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
    attributes.sample_regs_user = REGISTERS;
    attributes.sample_stack_user = 8192;
    match records(&attributes, spin) {
        Ok(true) => Seen::yes("samples of our own thread came, each with 8 KiB of its stack"),
        Ok(false) => Seen::no("the event was granted, but no sample came within 100 ms", None),
        Err(errno) => refused(&scene.root, "sampling our own thread", errno, Need::Paranoid(2)),
    }
}

pub(super) fn kernel_samples(scene: &Scene) -> Seen {
    let mut attributes = clock(Kernel::Included);
    attributes.sample_type |= u64::from(PERF_SAMPLE_CALLCHAIN);
    match records(&attributes, spin) {
        Ok(true) => Seen::yes("samples with kernel stacks came"),
        Ok(false) => Seen::no("the event was granted, but no sample came within 100 ms", None),
        Err(errno) => refused(&scene.root, "sampling the kernel", errno, Need::Paranoid(1)),
    }
}

fn clock(kernel: Kernel) -> perf_event_attr {
    let mut attributes = attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK.into(), kernel);
    // A period, because a frequency above `kernel.perf_event_max_sample_rate` is refused, and the kernel lowers that
    // limit by itself when it is busy.
    attributes.__bindgen_anon_1.sample_period = MILLISECOND;
    attributes.sample_type = BASICS.into();
    attributes
}

pub(super) fn switch_records(scene: &Scene) -> Seen {
    let mut attributes = attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY.into(), Kernel::Excluded);
    attributes.sample_type = u64::from(PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
    attributes.set_context_switch(1);
    attributes.set_sample_id_all(1);
    match records(&attributes, nap) {
        Ok(true) => Seen::yes("our own sleep was recorded"),
        Ok(false) => Seen::no("the event was granted, but our own sleep was not recorded", None),
        Err(errno) => refused(&scene.root, "recording switches of our own thread", errno, Need::Paranoid(2)),
    }
}

pub(super) fn switch_stacks(scene: &Scene) -> Seen {
    let mut attributes =
        attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES.into(), Kernel::Included);
    attributes.__bindgen_anon_1.sample_period = 1;
    attributes.sample_type = u64::from(BASICS | PERF_SAMPLE_CALLCHAIN);
    match records(&attributes, nap) {
        Ok(true) => Seen::yes("our own sleep came with its kernel stack"),
        Ok(false) => Seen::no("the event was granted, but our own sleep was not seen", None),
        Err(errno) => refused(&scene.root, "stacks at switches of our own thread", errno, Need::Paranoid(1)),
    }
}

pub(super) fn hardware_counters(scene: &Scene) -> Seen {
    let attributes = attributes(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS.into(), Kernel::Excluded);
    let event = match Event::open(&attributes, Scope::Own) {
        Ok(event) => event,
        Err(errno @ Errno(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV)) => {
            let because = format!("perf_event_open gives {errno}: this (virtual) CPU shows no counters");
            return Seen::no(
                because,
                Some("slowpath bench --count, which counts with valgrind instead".to_owned()),
            );
        }
        Err(errno) => return refused(&scene.root, "counting instructions", errno, Need::Paranoid(2)),
    };
    spin();
    match event.count() {
        Some(count) if count > 0 => Seen::yes("instructions of our own thread were counted"),
        _ => Seen::no("the counter was granted, but did not count", None),
    }
}

/// Whether doing `work` again and again makes the event write something.
fn records(attributes: &perf_event_attr, work: fn()) -> Result<bool, Errno> {
    let event = Event::open(attributes, Scope::Own)?;
    let ring = event.ring()?;
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        work();
        if ring.written() > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Some user code, about 100 µs.
pub(super) fn spin() {
    for number in 0..20_000_u32 {
        black_box(number);
    }
}

/// A sleep, so that the thread leaves its CPU.
fn nap() {
    std::thread::sleep(Duration::from_micros(50));
}

/// What it takes to be granted an event.
#[derive(Clone, Copy)]
pub(super) enum Need {
    /// `kernel.perf_event_paranoid` no higher than this.
    Paranoid(i32),
    Root,
}

/// A refusal, with what explains it on this machine.
pub(super) fn refused(root: &Root, what: &str, errno: Errno, need: Need) -> Seen {
    let paranoid = paranoid(root);
    let sysctl = paranoid.map_or_else(
        || "kernel.perf_event_paranoid cannot be read".to_owned(),
        |paranoid| format!("kernel.perf_event_paranoid is {paranoid}"),
    );
    let filtered = is_filtered(root);
    let filter = if filtered { "a seccomp filter is in place, " } else { "" };
    let because = format!("{what}: perf_event_open gives {errno}; {filter}{sysctl}");
    let next = match (errno.0, need) {
        (libc::ENOSYS, _) => None,
        (libc::EPERM, _) if filtered => {
            Some("start the container with `docker run --cap-add PERFMON`, or without its filter".to_owned())
        }
        (libc::EACCES | libc::EPERM, Need::Paranoid(wanted)) => {
            Some(as_root(&format!("sysctl -w kernel.perf_event_paranoid={wanted}")))
        }
        (libc::EACCES | libc::EPERM, Need::Root) => Some("sudo slowpath doctor".to_owned()),
        _ => None,
    };
    Seen::no(because, next)
}

fn paranoid(root: &Root) -> Option<i32> {
    text::line(&root.read("proc/sys/kernel/perf_event_paranoid")?)?.parse().ok()
}

/// Whether system calls of this process pass a filter, as in most containers.
fn is_filtered(root: &Root) -> bool {
    let status = root.read("proc/self/status").unwrap_or_default();
    text::cpu_field(&status, "Seccomp") == Some("2")
}

#[cfg(test)]
mod tests {
    use super::super::super::root::made;
    use super::*;

    #[test]
    fn a_refusal_names_the_reason_and_the_way_out() {
        let files = [("proc/sys/kernel/perf_event_paranoid", "3\n"), ("proc/self/status", "Seccomp:\t0\n")];
        let (_folder, root) = made::tree(&files);
        let seen = refused(&root, "sampling", Errno(libc::EACCES), Need::Paranoid(2));
        assert_eq!(seen.because, "sampling: perf_event_open gives EACCES; kernel.perf_event_paranoid is 3");
        assert!(seen.next.unwrap().ends_with("sysctl -w kernel.perf_event_paranoid=2"));

        made::put(&root, "proc/self/status", "Seccomp:\t2\n");
        let seen = refused(&root, "sampling", Errno(libc::EPERM), Need::Paranoid(2));
        assert!(seen.because.contains("seccomp"), "{}", seen.because);
        assert!(seen.next.unwrap().contains("PERFMON"));

        let (_folder, root) = made::tree(&[]);
        let seen = refused(&root, "sampling", Errno(libc::ENOSYS), Need::Root);
        assert!(seen.because.contains("cannot be read"), "{}", seen.because);
        assert_eq!(seen.next, None);
    }
}
