//! Records in time order → recording.

use std::collections::HashMap;
use std::io::Cursor;

use linux_perf_data::linux_perf_event_reader::{
    CpuMode, PerfEventType, RawEventRecord, SamplingPolicy, SoftwareCounterType,
};
use linux_perf_data::{AttributeDescription, PerfFile, PerfFileReader, PerfFileRecord};
use model::Nanos;
use model::recording::{Frame, Language, Owner, Recording, Weight};

use super::super::lines::lossy;
use super::super::tables::Tables;
use super::super::{Options, RecordedError, left_out, perf_script};
use super::check::Layout;
use super::fields::Order;
use super::record::{Map, Record, Sample};
use super::space::Spaces;
use super::{Mapping, NAME, Reach, StackCopy, Unwind, unsupported};

const REMEDY: &str = "record longer, and check with `perf script` that samples are there";
/// perf keeps mappings of the kernel under this process.
const KERNEL: u32 = u32::MAX;
/// The kernel's own mapping is named so, with the symbol behind it whose address is the mapping's offset.
const KALLSYMS: &[u8] = b"[kernel.kallsyms]";
/// Values above mark in a callchain where the next addresses lie.
const MARKS: u64 = -4095_i64 as u64;
const MARK_KERNEL: u64 = -128_i64 as u64;
const MARK_USER: u64 = -512_i64 as u64;

pub(super) fn import(
    bytes: &[u8],
    layout: Layout,
    order: Order,
    options: &Options<'_>,
    unwind: Option<&mut dyn Unwind>,
) -> Result<Recording, RecordedError> {
    let reader = match layout {
        Layout::File => PerfFileReader::parse_file(Cursor::new(bytes)),
        Layout::Pipe => PerfFileReader::parse_pipe(Cursor::new(bytes)),
    };
    let PerfFileReader { mut perf_file, mut record_iter } =
        reader.map_err(|error| unsupported(error.to_string()))?;
    let mut import = Import::new(&perf_file, order, options, unwind, bytes.len())?;
    loop {
        let record =
            record_iter.next_record(&mut perf_file).map_err(|error| unsupported(error.to_string()))?;
        match record {
            Some(PerfFileRecord::EventRecord { attr_index, record }) => import.record(attr_index, &record)?,
            // perf's own notes: which ids belong to which event, clocks, ends of rounds.
            Some(PerfFileRecord::UserRecord(_)) => {}
            None => return import.finish(),
        }
    }
}

struct Import<'u> {
    tables: Tables,
    order: Order,
    attributes: Vec<AttributeDescription>,
    names: Vec<String>,
    /// The event asked for; else the first that perf was asked for.
    chosen: usize,
    skipped: Vec<u64>,
    build_ids: HashMap<Vec<u8>, Vec<u8>>,
    release: Option<String>,
    spaces: Spaces,
    unwind: Option<&'u mut dyn Unwind>,
    /// The number of the register that holds the place in the code.
    ip_register: Option<u32>,
    origin: Option<u64>,
    last: u64,
    addresses: Vec<u64>,
    /// Frames of a sample, innermost first.
    frames: Vec<u32>,
    registers: Vec<u64>,
}

impl<'u> Import<'u> {
    fn new(
        file: &PerfFile,
        order: Order,
        options: &Options<'_>,
        unwind: Option<&'u mut dyn Unwind>,
        size: usize,
    ) -> Result<Self, RecordedError> {
        let attributes = file.event_attributes().to_vec();
        let names: Vec<String> = attributes.iter().map(name_of).collect();
        let wanted = |wanted: &str| {
            let found =
                names.iter().position(|name| perf_script::same_event(name.as_bytes(), wanted.as_bytes()));
            let known = names.clone();
            found.ok_or_else(|| RecordedError::NoSuchEvent { format: NAME, wanted: wanted.to_owned(), known })
        };
        let build_ids = file.build_ids().unwrap_or_default().into_values();
        let mut tables = Tables::new(NAME, Weight::Samples, size);
        // Frames are addresses, of which many will be one function.
        tables.most.frames = tables.most.stacks;
        Ok(Self {
            tables,
            order,
            // perf adds events of its own that count nothing.
            chosen: match options.event {
                Some(name) => wanted(name)?,
                None => attributes.iter().position(|one| !is_dummy(one)).unwrap_or(0),
            },
            skipped: vec![0; attributes.len()],
            attributes,
            names,
            build_ids: build_ids.map(|one| (one.path, one.build_id)).collect(),
            release: file.os_release().ok().flatten().map(str::to_owned),
            spaces: Spaces::default(),
            unwind,
            ip_register: match file.arch() {
                Ok(Some("x86_64" | "i686")) => Some(8),
                Ok(Some("aarch64")) => Some(32),
                _ => None,
            },
            origin: None,
            last: 0,
            addresses: Vec::new(),
            frames: Vec::new(),
            registers: Vec::new(),
        })
    }

    fn record(&mut self, attribute: usize, raw: &RawEventRecord<'_>) -> Result<(), RecordedError> {
        let Some(attr) = self.attributes.get(attribute).map(|one| one.attr) else { return Ok(()) };
        let bytes = raw.data.as_slice();
        let at = self.time(raw.timestamp());
        match Record::of(raw.record_type, raw.misc, &bytes, &attr, self.order)? {
            Record::Sample(sample) => self.sample(attribute, at, CpuMode::from_misc(raw.misc), &sample)?,
            Record::Map(map) => self.map(&map)?,
            Record::Named { pid, tid, name, exec } => {
                let thread = self.tables.thread(pid, tid, at)?;
                self.tables.name(thread, name);
                if exec {
                    self.spaces.forget(pid);
                    if let Some(unwind) = &mut self.unwind {
                        unwind.exec(pid);
                    }
                }
            }
            Record::Forked { pid, parent, tid } => self.forked(pid, parent, tid, at)?,
            Record::Ended { pid, tid } => self.ended(pid, tid, at)?,
            Record::Lost(count) => {
                let records = &mut self.tables.recording.losses.records;
                *records = records.saturating_add(count);
            }
            Record::Throttled => self.tables.recording.losses.throttled += 1,
            Record::Ignored => {}
        }
        Ok(())
    }

    /// Since the first record that has a time; what perf found when it started has none.
    fn time(&mut self, timestamp: Option<u64>) -> Nanos {
        let Some(timestamp) = timestamp.filter(|timestamp| *timestamp > 0) else { return Nanos::ZERO };
        let at = timestamp.saturating_sub(*self.origin.get_or_insert(timestamp));
        self.last = self.last.max(at);
        Nanos::from_nanos(at)
    }

    fn map(&mut self, map: &Map<'_>) -> Result<(), RecordedError> {
        if let Some(unwind) = &mut self.unwind {
            if map.pid != KERNEL {
                unwind.map(&Mapping {
                    pid: map.pid,
                    start: map.start,
                    length: map.length,
                    offset: map.offset,
                    path: map.path,
                    build_id: map.build_id.or_else(|| self.build_ids.get(map.path).map(Vec::as_slice)),
                });
            } else if let Some(symbol) = map.path.strip_prefix(KALLSYMS).filter(|symbol| !symbol.is_empty()) {
                unwind.kernel(self.release.as_deref(), symbol, map.offset);
            }
        }
        let module = match map.path {
            b"//anon" | b"[heap]" | b"[stack]" | b"" => None,
            path if map.pid == KERNEL && path.starts_with(KALLSYMS) => Some(KALLSYMS),
            path => Some(path),
        };
        let module = module.map(|path| self.module(path, map.build_id)).transpose()?;
        self.spaces.map(map.pid, map.start, map.length, map.offset, module);
        Ok(())
    }

    fn module(&mut self, path: &[u8], build_id: Option<&[u8]>) -> Result<u32, RecordedError> {
        let build_id = build_id.or_else(|| self.build_ids.get(path).map(Vec::as_slice)).map(hexadecimal);
        self.tables.module(&lossy(path), build_id)
    }

    fn forked(&mut self, pid: u32, parent: u32, tid: u32, at: Nanos) -> Result<(), RecordedError> {
        self.spaces.fork(parent, pid);
        if pid != parent
            && let Some(unwind) = &mut self.unwind
        {
            unwind.fork(parent, pid);
        }
        let parent = self.tables.process(parent, Nanos::ZERO)?;
        let thread = self.tables.thread(pid, tid, at)?;
        let process = self.tables.process(pid, at)?;
        let recording = &mut self.tables.recording;
        let name = recording.processes.get(parent as usize).map(|one| one.name.clone()).unwrap_or_default();
        if process != parent
            && let Some(process) = recording.processes.get_mut(process as usize)
        {
            process.parent = Some(parent);
        }
        // Until it names itself it has its parent's name.
        self.tables.name(thread, name.as_bytes());
        Ok(())
    }

    fn ended(&mut self, pid: u32, tid: u32, at: Nanos) -> Result<(), RecordedError> {
        let thread = self.tables.thread(pid, tid, at)?;
        let recording = &mut self.tables.recording;
        let Some(thread) = recording.threads.get_mut(thread as usize) else { return Ok(()) };
        thread.to = Some(at);
        if tid == pid
            && let Some(process) = recording.processes.get_mut(thread.process as usize)
        {
            process.to = Some(at);
        }
        Ok(())
    }

    fn sample(
        &mut self,
        attribute: usize,
        at: Nanos,
        mode: CpuMode,
        sample: &Sample<'_>,
    ) -> Result<(), RecordedError> {
        if self.chosen != attribute {
            if let Some(count) = self.skipped.get_mut(attribute) {
                *count += 1;
            }
            return Ok(());
        }
        self.frames.clear();
        self.callchain(mode, sample)?;
        let thread = self.tables.thread(sample.pid, sample.tid, at)?;
        let stack = self.tables.stack(self.frames.iter().rev().copied())?;
        self.tables.hit(at, thread, stack, sample.period.unwrap_or(0));
        Ok(())
    }

    fn callchain(&mut self, mode: CpuMode, sample: &Sample<'_>) -> Result<(), RecordedError> {
        let mut kernel = matches!(mode, CpuMode::Kernel | CpuMode::GuestKernel);
        let copied = sample.stack.is_some() && sample.registers.is_some();
        let mut user = Vec::new();
        for address in sample.callchain.into_iter().flat_map(super::fields::List::iter) {
            if address >= MARKS {
                kernel = match address {
                    MARK_USER => false,
                    MARK_KERNEL => true,
                    // Of guests and the hypervisor nothing is known; their addresses stay without a module.
                    _ => kernel,
                };
            } else if kernel {
                let innermost = self.frames.is_empty();
                self.frame(KERNEL, if innermost { address } else { address.saturating_sub(1) })?;
            } else {
                user.push(address);
            }
        }
        if copied {
            user = self.walked(mode, sample);
        } else if user.is_empty() && self.frames.is_empty() {
            user.extend(sample.ip);
            if mode == CpuMode::Kernel {
                return user.into_iter().try_for_each(|address| self.frame(KERNEL, address));
            }
        }
        for (position, address) in user.into_iter().enumerate() {
            // Where the thread was, as opposed to where it will return to.
            let innermost = position == 0;
            self.frame(sample.pid, if innermost { address } else { address.saturating_sub(1) })?;
        }
        Ok(())
    }

    /// The addresses of a copied stack.
    fn walked(&mut self, mode: CpuMode, sample: &Sample<'_>) -> Vec<u64> {
        self.registers.clear();
        self.registers.extend(sample.registers.into_iter().flat_map(super::fields::List::iter));
        let mask = self.attributes.get(self.chosen).map_or(0, |one| one.attr.sample_regs_user);
        let copy = StackCopy {
            pid: sample.pid,
            tid: sample.tid,
            mask,
            registers: &self.registers,
            bytes: sample.stack.unwrap_or_default(),
        };
        let mut addresses = std::mem::take(&mut self.addresses);
        addresses.clear();
        let reach = match &mut self.unwind {
            Some(unwind) => unwind.unwind(&copy, &mut addresses),
            None => Reach::Cut,
        };
        if addresses.is_empty() {
            let own = sample.ip.filter(|_| mode == CpuMode::User);
            addresses.extend(own.or_else(|| copy.register(self.ip_register?)));
        }
        if reach == Reach::Cut {
            self.tables.recording.losses.cut_stacks += 1;
        }
        addresses
    }

    fn frame(&mut self, pid: u32, address: u64) -> Result<(), RecordedError> {
        let region = self.spaces.find(pid, address);
        let kernel = pid == KERNEL;
        let module = match region {
            Some(region) => Some(region.module),
            None if kernel => Some(self.module(KALLSYMS, None)?),
            None => None,
        };
        // The kernel's own symbols are listed by address.
        let offset = region.filter(|_| !kernel).map_or(address, |region| region.place(address));
        let frame = self.tables.place(unnamed(module, offset, kernel))?;
        self.frames.push(frame);
        Ok(())
    }

    fn finish(mut self) -> Result<Recording, RecordedError> {
        let name = self.names.get(self.chosen).map(String::as_str).unwrap_or_default();
        let policy = self.attributes.get(self.chosen).map(|one| one.attr.sampling_policy);
        let recording = &mut self.tables.recording;
        recording.weight = perf_script::weight(name.as_bytes());
        let constant = match policy {
            Some(SamplingPolicy::Period(period)) => Some(period.get()),
            Some(SamplingPolicy::Frequency(hertz)) if recording.weight == Weight::CpuTime => {
                1_000_000_000_u64.checked_div(hertz)
            }
            _ => None,
        };
        // Without periods in the samples, a constant one stands in for them; without that, samples are counted.
        let told = recording.hits.iter().all(|hit| hit.weight > 0);
        if !told || recording.weight == Weight::Samples {
            if constant.is_none() {
                recording.weight = Weight::Samples;
            }
            let each = constant.filter(|_| recording.weight != Weight::Samples).unwrap_or(1);
            recording.hits.iter_mut().for_each(|hit| hit.weight = each);
        }
        let first = recording.processes.iter().find(|one| one.to.is_some()).and_then(|one| one.to);
        recording.wall = self.origin.map(|_| first.unwrap_or(Nanos::from_nanos(self.last)));
        let others: Vec<(&[u8], u64)> = self
            .names
            .iter()
            .map(String::as_bytes)
            .zip(self.skipped.iter().copied())
            .filter(|(_, count)| *count > 0)
            .collect();
        if recording.hits.is_empty() && !others.is_empty() {
            let known = others.iter().map(|(name, _)| lossy(name)).collect();
            return Err(RecordedError::NoSuchEvent { format: NAME, wanted: name.to_owned(), known });
        }
        if !others.is_empty() {
            recording.gaps.push(left_out(name.as_bytes(), &others));
        }
        self.tables.finish(REMEDY)
    }
}

fn unnamed(module: Option<u32>, offset: u64, kernel: bool) -> Frame {
    Frame {
        language: if kernel { Language::Kernel } else { Language::Native },
        function: None,
        file: None,
        line: None,
        module,
        offset: Some(offset),
        is_start: false,
        inlined: false,
        owner: if kernel { Owner::Kernel } else { Owner::Unknown },
    }
}

fn is_dummy(attribute: &AttributeDescription) -> bool {
    matches!(attribute.attr.type_, PerfEventType::Software(SoftwareCounterType::Dummy))
}

fn name_of(attribute: &AttributeDescription) -> String {
    let known = match attribute.attr.type_ {
        PerfEventType::Software(SoftwareCounterType::CpuClock) => "cpu-clock",
        PerfEventType::Software(SoftwareCounterType::TaskClock) => "task-clock",
        _ => "event",
    };
    attribute.name().filter(|name| !name.is_empty()).unwrap_or(known).to_owned()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
