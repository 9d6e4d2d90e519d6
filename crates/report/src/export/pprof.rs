//! pprof's `profile.proto`, compressed with gzip, as `go tool pprof` reads it.
//!
//! The messages are written by hand after <https://github.com/google/pprof/blob/main/proto/profile.proto>; checked
//! with the pprof of Go 1.19. Recordings keep a module's own addresses, so each module gets a range of its own in the
//! file's address space.

mod message;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use model::leaf::Charge;
use model::recording::{Recording, StackIndex, Weight};
use prost::Message as _;

use self::message::{Function, Label, Line, Location, Mapping, Profile, Sample, ValueType};
use super::threads::process_of;
use super::{name, shown};
use crate::stack::{self, NO_STACK};
use crate::waiting::pieces;

/// Room between the addresses of two modules.
const MODULE_ROOM: u64 = 1 << 40;

/// Writes the recording: hits as count and weight, waits (where there are any) as count and nanoseconds of their own.
pub fn pprof(recording: &Recording, mut out: impl Write) -> io::Result<()> {
    let profile = Builder::new(recording).profile();
    let mut packed = GzEncoder::new(&mut out, Compression::default());
    packed.write_all(&profile.encode_to_vec())?;
    packed.finish()?;
    out.flush()
}

struct Builder<'a> {
    recording: &'a Recording,
    profile: Profile,
    texts: HashMap<String, i64>,
    functions: HashMap<(i64, i64), u64>,
    /// A physical frame with the frames inlined into it, innermost first.
    locations: HashMap<Vec<u32>, u64>,
}

/// What merges into one sample: thread, stack and, off the CPU, the leaf.
type Key = (u32, Option<StackIndex>, Option<Charge>);

impl<'a> Builder<'a> {
    fn new(recording: &'a Recording) -> Self {
        let mut builder = Self {
            recording,
            profile: Profile::default(),
            texts: HashMap::new(),
            functions: HashMap::new(),
            locations: HashMap::new(),
        };
        // The format wants the empty text first.
        builder.text("");
        builder
    }

    fn profile(mut self) -> Profile {
        self.types();
        self.mappings();
        let waits = !self.recording.waits.is_empty();
        for ((thread, stack, leaf), (count, weight)) in self.sums() {
            let numbers = match leaf {
                None if waits => vec![count, weight, 0, 0],
                None => vec![count, weight],
                Some(_) => vec![0, 0, count, weight],
            };
            let value = numbers.into_iter().map(signed).collect();
            let location_id = self.stack(stack);
            let label = self.labels(thread, leaf);
            self.profile.sample.push(Sample { location_id, value, label });
        }
        self.profile.duration_nanos = self.recording.wall.map_or(0, |wall| signed(wall.as_nanos()));
        self.profile
    }

    fn types(&mut self) {
        let (kind, unit) = match &self.recording.weight {
            Weight::CpuTime => ("cpu", "nanoseconds"),
            Weight::WallTime => ("wall", "nanoseconds"),
            Weight::OffCpuTime => ("off-cpu", "nanoseconds"),
            Weight::Samples if self.recording.period.is_some() => ("cpu", "nanoseconds"),
            Weight::Samples => ("weight", "count"),
            Weight::Bytes => ("space", "bytes"),
            Weight::Other(unit) => (unit.as_str(), "count"),
        };
        let (kind, unit) = (shown(kind), unit.to_owned());
        let mut types = vec![("samples".to_owned(), "count".to_owned()), (kind.clone(), unit.clone())];
        if !self.recording.waits.is_empty() {
            types.push(("waits".to_owned(), "count".to_owned()));
            types.push(("wait".to_owned(), "nanoseconds".to_owned()));
        }
        for (kind, unit) in types {
            let value = self.value_type(&kind, &unit);
            self.profile.sample_type.push(value);
        }
        if let Some(period) = self.recording.period {
            self.profile.period_type = Some(self.value_type("cpu", "nanoseconds"));
            self.profile.period = signed(period.as_nanos());
        }
        self.profile.default_sample_type = self.text(&kind);
    }

    fn value_type(&mut self, kind: &str, unit: &str) -> ValueType {
        ValueType { r#type: self.text(kind), unit: self.text(unit) }
    }

    /// One range for each module, as long as the largest address seen in it.
    fn mappings(&mut self) {
        let mut reach: BTreeMap<u32, u64> = BTreeMap::new();
        for frame in &self.recording.frames {
            if let (Some(module), Some(offset)) = (frame.module, frame.offset) {
                let most = reach.entry(module).or_default();
                *most = (*most).max(offset);
            }
        }
        for (at, module) in (0_u32..).zip(&self.recording.modules) {
            let start = start_of(at);
            let reach = reach.get(&at).copied().unwrap_or(0).min(MODULE_ROOM - 0x1000);
            let (filename, build_id) = (
                self.text(&shown(&module.path)),
                self.text(&shown(module.build_id.as_deref().unwrap_or(""))),
            );
            self.profile.mapping.push(Mapping {
                id: u64::from(at) + 1,
                memory_start: start,
                memory_limit: start + (reach | 0xfff) + 1,
                file_offset: 0,
                filename,
                build_id,
                has_functions: true,
                has_filenames: true,
                has_line_numbers: true,
                has_inline_frames: true,
            });
        }
    }

    /// Counts and weights of equal hits and equal waits, in a fixed order.
    fn sums(&self) -> BTreeMap<Key, (u64, u64)> {
        let scale = stack::scale(self.recording);
        let mut sums: BTreeMap<Key, (u64, u64)> = BTreeMap::new();
        let mut add = |key: Key, weight: u64| {
            let (count, sum) = sums.entry(key).or_default();
            *count += 1;
            *sum = sum.saturating_add(weight);
        };
        for hit in &self.recording.hits {
            add((hit.thread, hit.stack, None), hit.weight.saturating_mul(scale));
        }
        for wait in &self.recording.waits {
            for (leaf, from, to) in pieces(self.recording, wait) {
                add((wait.thread, wait.stack, Some(leaf)), to.as_nanos().saturating_sub(from.as_nanos()));
            }
        }
        sums
    }

    /// The locations of a stack, innermost first. A location ends with the frame the others were inlined into.
    fn stack(&mut self, stack: Option<StackIndex>) -> Vec<u64> {
        let mut locations = Vec::new();
        let mut open = Vec::new();
        for node in stack.into_iter().flat_map(|stack| self.recording.path_of(stack)) {
            open.push(node.frame);
            let inlined = self.recording.frames.get(node.frame as usize).is_some_and(|frame| frame.inlined);
            if !inlined {
                locations.push(self.location(std::mem::take(&mut open)));
            }
        }
        if !open.is_empty() || locations.is_empty() {
            locations.push(self.location(open));
        }
        locations
    }

    fn location(&mut self, frames: Vec<u32>) -> u64 {
        if let Some(id) = self.locations.get(&frames) {
            return *id;
        }
        let id = self.profile.location.len() as u64 + 1;
        let known: Vec<_> = frames.iter().filter_map(|at| self.recording.frames.get(*at as usize)).collect();
        // The outermost of them is the code that was really there.
        let physical = known.last().copied();
        let module = physical.and_then(|frame| frame.module);
        let module = module.filter(|module| (*module as usize) < self.recording.modules.len());
        let offset = physical.and_then(|frame| frame.offset).unwrap_or(0);
        let address = module.map_or(offset, |at| start_of(at) + offset.min(MODULE_ROOM - 0x1000));
        let mut line: Vec<Line> = known
            .iter()
            .map(|frame| {
                let function_id = self.function(&name(self.recording, frame), frame.file.as_deref());
                Line { function_id, line: frame.line.map_or(0, i64::from) }
            })
            .collect();
        if line.is_empty() {
            line.push(Line { function_id: self.function(NO_STACK, None), line: 0 });
        }
        let mapping_id = module.map_or(0, |at| u64::from(at) + 1);
        self.profile.location.push(Location { id, mapping_id, address, line });
        self.locations.insert(frames, id);
        id
    }

    fn function(&mut self, name: &str, file: Option<&str>) -> u64 {
        let key = (self.text(name), self.text(&shown(file.unwrap_or(""))));
        let functions = &mut self.profile.function;
        *self.functions.entry(key).or_insert_with(|| {
            let id = functions.len() as u64 + 1;
            functions.push(Function { id, name: key.0, system_name: key.0, filename: key.1, start_line: 0 });
            id
        })
    }

    fn labels(&mut self, thread: u32, leaf: Option<Charge>) -> Vec<Label> {
        let mut labels = Vec::new();
        let thread = self.recording.threads.get(thread as usize);
        if let Some(thread) = thread {
            labels.push(self.label("thread", Some(&thread.name), 0));
            labels.push(self.label("tid", None, i64::from(thread.tid)));
        }
        if let Some(process) = process_of(self.recording, thread) {
            labels.push(self.label("process", Some(&process.name), 0));
            labels.push(self.label("pid", None, i64::from(process.pid)));
        }
        if let Some(leaf) = leaf {
            labels.push(self.label("wait", Some(leaf.id()), 0));
        }
        labels
    }

    /// Either a text or a number. An empty text would read as the number nought, so it gets a word.
    fn label(&mut self, key: &str, text: Option<&str>, num: i64) -> Label {
        let text = text.map(|text| if text.is_empty() { "[unnamed]" } else { text });
        Label { key: self.text(key), str: text.map_or(0, |text| self.text(&shown(text))), num, num_unit: 0 }
    }

    fn text(&mut self, text: &str) -> i64 {
        let texts = &mut self.profile.string_table;
        if let Some(at) = self.texts.get(text) {
            return *at;
        }
        let at = signed(texts.len() as u64);
        texts.push(text.to_owned());
        self.texts.insert(text.to_owned(), at);
        at
    }
}

fn start_of(module: u32) -> u64 {
    (u64::from(module) + 1).saturating_mul(MODULE_ROOM).min(u64::MAX - MODULE_ROOM)
}

/// The format counts in signed numbers.
fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
