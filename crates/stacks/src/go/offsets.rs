//! Where the fields of `runtime.g` and `runtime.m` lie, by the version of Go.
//!
//! Taken from the DWARF of programs built by each version for amd64 (1.19.8, 1.21.13, 1.22.10, 1.23.9, 1.24.11, 1.25.5,
//! 1.26.6, 1.27.3); the structures have no field before these whose size depends on the processor.

/// Offsets in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offsets {
    /// Of the bytes that hold all the fields below.
    pub(crate) length: usize,
    pub(crate) stack_high: usize,
    pub(crate) machine: usize,
    pub(crate) sp: usize,
    pub(crate) pc: usize,
    pub(crate) bp: usize,
    pub(crate) status: usize,
    pub(crate) id: usize,
    pub(crate) reason: usize,
    pub(crate) parkings: usize,
    pub(crate) start: usize,
    /// In `runtime.m`: the kernel's number of the thread.
    pub(crate) tid: usize,
}

/// The row of a version as the program states it: `go1.19.8`, `go1.25.5 X:nocoverageredesign`. `None` when it is not
/// known.
pub(crate) fn of_version(version: &str) -> Option<Offsets> {
    row(minor(version)?)
}

/// Of `go1.19.8` the 19.
pub(super) fn minor(version: &str) -> Option<u32> {
    let (_, after) = version.split_once("go1.")?;
    let digits = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
    after.get(..digits)?.parse().ok()
}

/// By the minor version: the length of a saved register set, and the fields that move.
fn row(minor: u32) -> Option<Offsets> {
    let (gobuf, status, parkings, start) = match minor {
        19 => (56, 144, 189, 312),
        21 => (56, 144, 188, 296),
        22 => (56, 144, 191, 296),
        23 | 24 => (56, 152, 199, 304),
        25 => (48, 144, 191, 296),
        26 | 27 => (48, 144, 191, 304),
        _ => return None,
    };
    let sched = 56;
    Some(Offsets {
        length: start + 8,
        stack_high: 8,
        machine: 48,
        sp: sched,
        pc: sched + 8,
        bp: sched + gobuf - 8,
        status,
        id: status + 8,
        reason: status + 32,
        parkings,
        start,
        tid: gobuf + 16,
    })
}
