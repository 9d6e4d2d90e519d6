//! The kernel's records that matter, taken apart (`include/uapi/linux/perf_event.h`, Linux 6.18).

use linux_perf_data::linux_perf_event_reader::{
    BranchSampleFormat, PerfEventAttr, ReadFormat, RecordType, SampleFormat,
};

use super::super::RecordedError;
use super::fields::{Fields, List, Order};

const COMM_EXEC: u16 = 1 << 13;
const MMAP_DATA: u16 = 1 << 13;
const MMAP_BUILD_ID: u16 = 1 << 14;
const PROT_EXEC: u32 = 4;

pub(super) enum Record<'a> {
    Sample(Box<Sample<'a>>),
    Map(Map<'a>),
    Named { pid: u32, tid: u32, name: &'a [u8], exec: bool },
    Forked { pid: u32, parent: u32, tid: u32 },
    Ended { pid: u32, tid: u32 },
    Lost(u64),
    Throttled,
    Ignored,
}

/// Code mapped into a process.
pub(super) struct Map<'a> {
    /// `u32::MAX` for the kernel.
    pub(super) pid: u32,
    pub(super) start: u64,
    pub(super) length: u64,
    pub(super) offset: u64,
    pub(super) path: &'a [u8],
    pub(super) build_id: Option<&'a [u8]>,
}

#[derive(Default)]
pub(super) struct Sample<'a> {
    pub(super) ip: Option<u64>,
    pub(super) pid: u32,
    pub(super) tid: u32,
    pub(super) period: Option<u64>,
    pub(super) callchain: Option<List<'a>>,
    /// Values of the registers in the attribute's mask.
    pub(super) registers: Option<List<'a>>,
    pub(super) stack: Option<&'a [u8]>,
}

impl<'a> Record<'a> {
    pub(super) fn of(
        kind: RecordType,
        misc: u16,
        bytes: &'a [u8],
        attr: &PerfEventAttr,
        order: Order,
    ) -> Result<Self, RecordedError> {
        let mut fields = Fields::new(bytes, order);
        Ok(match kind {
            RecordType::SAMPLE => Self::Sample(Box::new(sample(fields, attr)?)),
            RecordType::MMAP | RecordType::MMAP2 => map(fields, misc, kind == RecordType::MMAP2)?,
            RecordType::COMM => Self::Named {
                pid: fields.u32()?,
                tid: fields.u32()?,
                name: fields.text(),
                exec: misc & COMM_EXEC != 0,
            },
            RecordType::FORK | RecordType::EXIT => {
                let (pid, parent) = (fields.u32()?, fields.u32()?);
                let (tid, _parent_tid) = (fields.u32()?, fields.u32()?);
                if kind == RecordType::FORK {
                    Self::Forked { pid, parent, tid }
                } else {
                    Self::Ended { pid, tid }
                }
            }
            RecordType::LOST => Self::Lost(fields.skipped(8)?.u64()?),
            RecordType::LOST_SAMPLES => Self::Lost(fields.u64()?),
            RecordType::THROTTLE => Self::Throttled,
            // Switches, namespaces, BPF programs and the like.
            _ => Self::Ignored,
        })
    }
}

fn map<'a>(mut fields: Fields<'a>, misc: u16, second: bool) -> Result<Record<'a>, RecordedError> {
    let (pid, _tid) = (fields.u32()?, fields.u32()?);
    let (start, length, offset) = (fields.u64()?, fields.u64()?, fields.u64()?);
    let mut build_id = None;
    let mut code = misc & MMAP_DATA == 0;
    if second {
        if misc & MMAP_BUILD_ID == 0 {
            fields.skip(24)?;
        } else {
            let length = usize::from(fields.u8()?);
            fields.skip(3)?;
            build_id = fields.bytes(20)?.get(..length);
        }
        code &= fields.u32()? & PROT_EXEC != 0;
        fields.skip(4)?;
    }
    let path = fields.text();
    Ok(if code { Record::Map(Map { pid, start, length, offset, path, build_id }) } else { Record::Ignored })
}

fn sample<'a>(mut fields: Fields<'a>, attr: &PerfEventAttr) -> Result<Sample<'a>, RecordedError> {
    let has = |what| attr.sample_format.contains(what);
    let mut sample = Sample::default();
    if has(SampleFormat::IDENTIFIER) {
        fields.skip(8)?;
    }
    if has(SampleFormat::IP) {
        sample.ip = Some(fields.u64()?);
    }
    if has(SampleFormat::TID) {
        (sample.pid, sample.tid) = (fields.u32()?, fields.u32()?);
    }
    for skipped in
        [SampleFormat::TIME, SampleFormat::ADDR, SampleFormat::ID, SampleFormat::STREAM_ID, SampleFormat::CPU]
    {
        if has(skipped) {
            fields.skip(8)?;
        }
    }
    if has(SampleFormat::PERIOD) {
        sample.period = Some(fields.u64()?);
    }
    if has(SampleFormat::READ) {
        skip_counts(&mut fields, attr.read_format)?;
    }
    if has(SampleFormat::CALLCHAIN) {
        let length = fields.u64()?;
        sample.callchain = Some(fields.list(length)?);
    }
    if has(SampleFormat::RAW) {
        let length = fields.u32()?;
        fields.skip(length as usize)?;
    }
    if has(SampleFormat::BRANCH_STACK) {
        let length = fields.u64()?;
        if attr.branch_sample_format.contains(BranchSampleFormat::HW_INDEX) {
            fields.skip(8)?;
        }
        fields.list(length.saturating_mul(3))?;
    }
    if has(SampleFormat::REGS_USER) && fields.u64()? != 0 {
        sample.registers = Some(fields.list(u64::from(attr.sample_regs_user.count_ones()))?);
    }
    if has(SampleFormat::STACK_USER) {
        let length = usize::try_from(fields.u64()?).unwrap_or(usize::MAX);
        if length > 0 {
            let stack = fields.bytes(length)?;
            // The kernel says how much of the room it filled.
            let filled = usize::try_from(fields.u64()?).unwrap_or(usize::MAX);
            sample.stack = Some(stack.get(..filled).unwrap_or(stack));
        }
    }
    Ok(sample)
}

/// Counter values that came with a sample.
fn skip_counts(fields: &mut Fields<'_>, format: ReadFormat) -> Result<(), RecordedError> {
    let has = |what| usize::from(format.contains(what));
    // The flag for lost counts (Linux 6.0) is not known to the crate and cannot be told from here.
    let times = has(ReadFormat::TOTAL_TIME_ENABLED) + has(ReadFormat::TOTAL_TIME_RUNNING);
    if format.contains(ReadFormat::GROUP) {
        let values = fields.u64()?;
        fields.skip(8 * times)?;
        fields.list(values.saturating_mul(1 + has(ReadFormat::ID) as u64))?;
        return Ok(());
    }
    fields.skip(8 * (1 + times + has(ReadFormat::ID)))
}
