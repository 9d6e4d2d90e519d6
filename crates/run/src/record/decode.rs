//! Records of our own events, bytes → typed.
//!
//! The layouts follow from the attributes in `events.rs` (`perf_event_open(2)`, kernel headers 6.18): every sample
//! begins with the identifier of its event, every other record ends with thread, time, CPU and identifier.

use stacks::{General, Registers};

use super::events::Fields;
use super::ring::HEADER;

/// One record, in the order of time after sorting.
#[derive(Debug)]
pub(super) struct Record<'a> {
    /// CLOCK_MONOTONIC, nanoseconds.
    pub(super) at: u64,
    pub(super) pid: u32,
    pub(super) tid: u32,
    pub(super) cpu: u32,
    pub(super) body: Body<'a>,
}

#[derive(Debug)]
pub(super) enum Body<'a> {
    /// A sample of one of our events.
    Sample(Sample<'a>),
    Map {
        start: u64,
        length: u64,
        offset: u64,
        path: &'a [u8],
        executable: bool,
    },
    Name {
        name: &'a [u8],
        exec: bool,
    },
    /// A process or thread was made: its own ids are in the record.
    Fork {
        pid: u32,
        tid: u32,
        parent_pid: u32,
    },
    Exit,
    /// It left the CPU; preempted when it could have gone on.
    Out {
        preempted: bool,
    },
    In,
    Lost {
        records: u64,
    },
    Throttled,
}

#[derive(Debug, Default)]
pub(super) struct Sample<'a> {
    /// Which event.
    pub(super) id: u64,
    pub(super) address: u64,
    /// Addresses in the kernel, innermost first, as [`Sample::kernel`] reads them.
    chain: &'a [[u8; 8]],
    pub(super) raw: &'a [u8],
    pub(super) registers: Option<Registers>,
    pub(super) general: Option<General<'a>>,
    pub(super) stack: &'a [u8],
}

/// What a stack is unwound from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caught<'a> {
    pub(super) registers: Registers,
    /// All registers, where they were told.
    pub(super) general: Option<General<'a>>,
    /// The stack from its top on.
    pub(super) bytes: &'a [u8],
}

impl Sample<'_> {
    /// `None` where the thread had no registers of its own.
    pub(super) fn caught(&self) -> Option<Caught<'_>> {
        Some(Caught { registers: self.registers?, general: self.general, bytes: self.stack })
    }

    /// Addresses in the kernel, innermost first.
    pub(super) fn kernel(&self) -> impl Iterator<Item = u64> {
        // Markers between the parts of a chain are the highest addresses of all.
        let addresses = self.chain.iter().map(|bytes| u64::from_ne_bytes(*bytes));
        addresses.filter(|address| *address < u64::MAX - 4095)
    }
}

const MMAP: u32 = 1;
const LOST: u32 = 2;
const COMM: u32 = 3;
const EXIT: u32 = 4;
const THROTTLE: u32 = 5;
const FORK: u32 = 7;
const SAMPLE: u32 = 9;
const MMAP2: u32 = 10;
const LOST_SAMPLES: u32 = 13;
const SWITCH: u32 = 14;
/// The same of a whole CPU. The other thread of it is not needed: it has a record of its own.
const SWITCH_CPU_WIDE: u32 = 15;

const MISC_EXEC: u16 = 1 << 13;
const MISC_SWITCH_OUT: u16 = 1 << 13;
const MISC_SWITCH_PREEMPTED: u16 = 1 << 14;

/// Thread, time, CPU, identifier.
const TRAILER: usize = 32;

/// The first whole record of a ring's bytes, and what follows it.
pub(super) fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = bytes.get(6..8)?.first_chunk().map(|length| u16::from_ne_bytes(*length))?;
    bytes.split_at_checked(usize::from(length).max(HEADER))
}

/// Whether a whole record is of one of our events, and not about the rings or those watched.
pub(super) fn is_sample(bytes: &[u8]) -> bool {
    Cursor(bytes).u32() == Some(SAMPLE)
}

/// When a whole record was made. `None` when it is none.
pub(super) fn time(bytes: &[u8], fields: impl Fn(u64) -> Option<Fields>) -> Option<u64> {
    let body = bytes.get(HEADER..)?;
    if Cursor(bytes).u32()? != SAMPLE {
        let mut trailer = Cursor(body.get(body.len().checked_sub(TRAILER)?..)?);
        trailer.u64()?;
        return trailer.u64();
    }
    let mut at = Cursor(body);
    if fields(at.u64()?)?.ip {
        at.u64()?;
    }
    at.u64()?;
    at.u64()
}

/// One whole record. `None` when it is of a kind we did not ask for.
pub(super) fn record(bytes: &[u8], fields: impl Fn(u64) -> Option<Fields>) -> Option<Record<'_>> {
    let mut header = Cursor(bytes);
    let (kind, misc) = (header.u32()?, header.u16()?);
    let body = bytes.get(HEADER..)?;
    match kind {
        SAMPLE => sample(body, &fields),
        _ => other(kind, misc, body),
    }
}

fn sample<'a>(body: &'a [u8], fields: &impl Fn(u64) -> Option<Fields>) -> Option<Record<'a>> {
    let mut at = Cursor(body);
    let mut sample = Sample { id: at.u64()?, ..Sample::default() };
    let fields = fields(sample.id)?;
    if fields.ip {
        at.u64()?;
    }
    let (pid, tid, time) = (at.u32()?, at.u32()?, at.u64()?);
    if fields.address {
        sample.address = at.u64()?;
    }
    let (cpu, _) = (at.u32()?, at.u32()?);
    if fields.kernel_chain {
        let length = usize::try_from(at.u64()?).ok()?.min(1024);
        sample.chain = at.take(length * 8)?.as_chunks().0;
    }
    if fields.raw {
        let length = usize::try_from(at.u32()?).ok()?;
        sample.raw = at.take(length)?;
    }
    if fields.registers {
        if fields.general {
            sample.general = registers(&mut at)?.map(General);
            sample.registers = sample.general.map(|general| general.unwound_from());
        } else {
            let told = registers(&mut at)?;
            sample.registers = told.map(|told| super::events::registers(told.map(u64::from_ne_bytes)));
        }
    }
    if fields.stack {
        let room = usize::try_from(at.u64()?).ok()?;
        if room > 0 {
            let stack = at.take(room)?;
            let used = usize::try_from(at.u64()?).ok()?;
            sample.stack = stack.get(..used.min(room))?;
        }
    }
    Some(Record { at: time, pid, tid, cpu, body: Body::Sample(sample) })
}

/// `Some(None)` when the thread has no user registers, as a kernel thread or one that is leaving.
#[expect(clippy::option_option, reason = "the outer one is a record cut short")]
fn registers<'a, const COUNT: usize>(at: &mut Cursor<'a>) -> Option<Option<&'a [[u8; 8]; COUNT]>> {
    const NONE: u64 = 0;
    const OF_32_BITS: u64 = 1;
    let abi = at.u64()?;
    if abi == NONE {
        return Some(None);
    }
    let values = at.take(COUNT * 8)?.as_chunks().0.first_chunk()?;
    Some((abi != OF_32_BITS).then_some(values))
}

fn other(kind: u32, misc: u16, body: &[u8]) -> Option<Record<'_>> {
    let split = body.len().checked_sub(TRAILER)?;
    let (front, trailer) = body.split_at_checked(split)?;
    let mut end = Cursor(trailer);
    let (pid, tid, time, cpu) = (end.u32()?, end.u32()?, end.u64()?, end.u32()?);
    let mut at = Cursor(front);
    let record = |pid, tid, body| Some(Record { at: time, pid, tid, cpu, body });
    match kind {
        MMAP2 | MMAP => {
            let (pid, tid) = (at.u32()?, at.u32()?);
            let (start, length, offset) = (at.u64()?, at.u64()?, at.u64()?);
            // Device, inode and generation, or a build id; then protection and flags.
            let executable = if kind == MMAP2 {
                at.take(24)?;
                let protection = at.u32()?;
                at.u32()?;
                protection & u32::try_from(libc::PROT_EXEC).unwrap_or(4) != 0
            } else {
                true
            };
            record(pid, tid, Body::Map { start, length, offset, path: text(at.0), executable })
        }
        COMM => {
            let (pid, tid) = (at.u32()?, at.u32()?);
            record(pid, tid, Body::Name { name: text(at.0), exec: misc & MISC_EXEC != 0 })
        }
        FORK => {
            let (child, parent_pid, child_tid) = (at.u32()?, at.u32()?, at.u32()?);
            record(pid, tid, Body::Fork { pid: child, tid: child_tid, parent_pid })
        }
        EXIT => {
            let (pid, _, tid) = (at.u32()?, at.u32()?, at.u32()?);
            record(pid, tid, Body::Exit)
        }
        SWITCH | SWITCH_CPU_WIDE if misc & MISC_SWITCH_OUT != 0 => {
            record(pid, tid, Body::Out { preempted: misc & MISC_SWITCH_PREEMPTED != 0 })
        }
        SWITCH | SWITCH_CPU_WIDE => record(pid, tid, Body::In),
        LOST => {
            at.u64()?;
            record(pid, tid, Body::Lost { records: at.u64()? })
        }
        LOST_SAMPLES => record(pid, tid, Body::Lost { records: at.u64()? }),
        THROTTLE => record(pid, tid, Body::Throttled),
        _ => None,
    }
}

/// Up to the first zero.
fn text(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2)?.first_chunk().map(|bytes| u16::from_ne_bytes(*bytes))
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes))
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes))
    }
}
