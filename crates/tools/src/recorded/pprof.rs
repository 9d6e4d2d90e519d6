//! pprof's protocol buffer (`proto/profile.proto` of github.com/google/pprof). Checked with Go 1.19.
//!
//! The tables are read first, then sample by sample, so that no more is held than the tables and the recording. Which
//! sample type is taken: the one asked for, else the file's default, else the last. A file that is not packed has no
//! end mark: cut behind its tables, it reads as a whole one.

mod wire;

use std::collections::HashMap;
use std::path::Path;

use model::recording::{Frame, Language, Owner, Recording, Weight};
use model::{Gap, Nanos};
use prost::Message;

use super::lines::lossy;
use super::tables::Tables;
use super::{Options, RecordedError, place};

use wire::{Field, Fields, Function, Location, Mapping, Sample, ValueType};

pub(super) const NAME: &str = "pprof profile";
const REMEDY: &str = "record longer; a CPU profile needs some tenths of a second of work";

/// Compilers expand some tens of functions into each other.
const MOST_INLINED: usize = 1000;

/// The largest number of a profile's field, with room for later ones.
const LAST_FIELD: u32 = 20;

/// Whether the bytes are fields of a profile with a sample type among them. One field may be all there is to see, and
/// then the name has to help.
pub(super) fn recognises(name: &Path, head: &[u8]) -> bool {
    let mut seen = 0_u32;
    for field in Fields::new(head).map_while(Result::ok) {
        if field.number > LAST_FIELD {
            return false;
        }
        let message = field.bytes.filter(|bytes| field.number == wire::SAMPLE_TYPE && !bytes.is_empty());
        if let Some(message) = message {
            return ValueType::decode(message).is_ok_and(|one| one.kind > 0);
        }
        seen += 1;
    }
    let name = name.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    seen > 0 && [".pprof", ".pb", ".pb.gz", ".prof"].iter().any(|usual| name.ends_with(usual))
}

pub(super) fn parse(bytes: &[u8], options: &Options<'_>) -> Result<Recording, RecordedError> {
    let file = File::of(bytes)?;
    let column = file.column(options)?;
    let (weight, factor) = file.unit(column);
    let mut tables = Tables::new(NAME, weight, bytes.len());
    let others = file.others(column);
    if !others.is_empty() {
        let why = format!("only {} was taken, not {}", file.type_name(column), others.join(", "));
        let next = Some("import again and name the sample type");
        tables.recording.gaps.push(Gap::new("other sample types of the file", why, next));
    }
    tables.recording.wall = u64::try_from(file.duration).ok().filter(|wall| *wall > 0).map(Nanos::from_nanos);
    let counts = file.counts();
    let mut reader =
        Reader { file: &file, tables, frames: HashMap::new(), column, factor, counts, moments: 0 };
    for field in Fields::new(bytes) {
        if let Field { number: wire::SAMPLE, bytes: Some(sample), .. } = field? {
            reader.sample(&decoded(sample)?)?;
        }
    }
    let moments = reader.moments;
    let mut recording = reader.tables.finish(REMEDY)?;
    recording.moments = counts.map(|_| moments);
    Ok(recording)
}

fn decoded<M: Message + Default>(bytes: &[u8]) -> Result<M, RecordedError> {
    // prost only says which field it stumbled over.
    M::decode(bytes).map_err(|error| RecordedError::BadValue {
        format: NAME,
        place: "a message",
        found: error.to_string(),
        wanted: "sound",
    })
}

/// The tables of a file.
#[derive(Default)]
struct File<'a> {
    types: Vec<ValueType>,
    mappings: HashMap<u64, Mapping>,
    locations: HashMap<u64, Location>,
    functions: HashMap<u64, Function>,
    strings: Vec<&'a [u8]>,
    default_type: i64,
    duration: i64,
}

impl<'a> File<'a> {
    fn of(bytes: &'a [u8]) -> Result<Self, RecordedError> {
        let mut file = Self::default();
        for field in Fields::new(bytes) {
            let field = field?;
            let inner = field.bytes.unwrap_or_default();
            match field.number {
                wire::SAMPLE_TYPE => file.types.push(decoded(inner)?),
                wire::MAPPING => {
                    let mapping: Mapping = decoded(inner)?;
                    file.mappings.insert(mapping.id, mapping);
                }
                wire::LOCATION => {
                    let location: Location = decoded(inner)?;
                    file.locations.insert(location.id, location);
                }
                wire::FUNCTION => {
                    let function: Function = decoded(inner)?;
                    file.functions.insert(function.id, function);
                }
                wire::STRING => file.strings.push(inner),
                wire::DURATION => file.duration = field.value.cast_signed(),
                wire::DEFAULT_TYPE => file.default_type = field.value.cast_signed(),
                // Samples come later; what to drop or keep, comments and the sampling period change nothing here.
                _ => {}
            }
        }
        if file.strings.first().is_some_and(|first| !first.is_empty()) {
            return Err(bad("the first string", &lossy(file.strings.first().unwrap_or(&&b""[..])), "empty"));
        }
        Ok(file)
    }

    fn string(&self, number: i64) -> Result<&'a [u8], RecordedError> {
        let string = usize::try_from(number).ok().and_then(|number| self.strings.get(number).copied());
        string.ok_or_else(|| bad("a string's number", &number.to_string(), "one of the strings"))
    }

    fn type_name(&self, column: usize) -> String {
        let name = self.types.get(column).and_then(|one| self.string(one.kind).ok());
        lossy(name.unwrap_or_default())
    }

    /// The column of values that is taken.
    fn column(&self, options: &Options<'_>) -> Result<usize, RecordedError> {
        for one in &self.types {
            self.string(one.kind)?;
            self.string(one.unit)?;
        }
        let by_name =
            |wanted: &[u8]| self.types.iter().position(|one| self.string(one.kind).ok() == Some(wanted));
        if let Some(wanted) = options.event {
            return by_name(wanted.as_bytes()).ok_or_else(|| RecordedError::NoSuchEvent {
                format: NAME,
                wanted: wanted.to_owned(),
                known: (0..self.types.len()).map(|column| self.type_name(column)).collect(),
            });
        }
        let default = self.string(self.default_type).ok().filter(|name| !name.is_empty()).and_then(by_name);
        let last = self.types.len().checked_sub(1);
        default.or(last).ok_or(RecordedError::NoSamples { format: NAME, remedy: REMEDY })
    }

    /// The column that says how often a stack was seen.
    fn counts(&self) -> Option<usize> {
        (0..self.types.len()).find(|column| matches!(self.type_name(*column).as_str(), "samples" | "sample"))
    }

    fn others(&self, column: usize) -> Vec<String> {
        let all = 0..self.types.len();
        all.filter(|other| *other != column).map(|other| self.type_name(other)).collect()
    }

    /// The recording's unit and how many of it one of the file's is.
    fn unit(&self, column: usize) -> (Weight, u64) {
        let name = self.type_name(column);
        let unit = self.types.get(column).and_then(|one| self.string(one.unit).ok()).unwrap_or_default();
        let factor = match unit {
            b"nanoseconds" | b"ns" => 1,
            b"microseconds" | b"us" => 1_000,
            b"milliseconds" | b"ms" => 1_000_000,
            b"seconds" | b"s" => 1_000_000_000,
            b"bytes" => return (Weight::Bytes, 1),
            _ if name == "samples" || name == "sample" => return (Weight::Samples, 1),
            _ => return (Weight::Other(name), 1),
        };
        let weight = match name.as_str() {
            "cpu" => Weight::CpuTime,
            "wall" => Weight::WallTime,
            "delay" | "block" | "off_cpu" => Weight::OffCpuTime,
            _ => Weight::Other(format!("nanoseconds of {name}")),
        };
        (weight, factor)
    }
}

struct Reader<'f, 'a> {
    file: &'f File<'a>,
    tables: Tables,
    /// The frames of each location, innermost first.
    frames: HashMap<u64, Vec<u32>>,
    column: usize,
    factor: u64,
    counts: Option<usize>,
    /// How often any stack was seen.
    moments: u64,
}

impl Reader<'_, '_> {
    fn sample(&mut self, sample: &Sample) -> Result<(), RecordedError> {
        if sample.values.len() != self.file.types.len() {
            let found = sample.values.len().to_string();
            return Err(bad("the number of a sample's values", &found, "the number of sample types"));
        }
        let mut node = None;
        for id in sample.locations.iter().rev() {
            if !self.frames.contains_key(id) {
                let frames = self.location(*id)?;
                self.frames.insert(*id, frames);
            }
            for frame in self.frames.get(id).into_iter().flatten().rev() {
                node = Some(self.tables.node(node, *frame)?);
            }
        }
        let value = sample.values.get(self.column).copied().unwrap_or_default();
        let weight = u64::try_from(value).ok().and_then(|value| value.checked_mul(self.factor));
        let weight =
            weight.ok_or_else(|| bad("a value", &value.to_string(), "a size; differences are not read"))?;
        let thread = self.thread(sample)?;
        if weight > 0 {
            self.tables.hit(Nanos::ZERO, thread, node, weight);
            let count = self.counts.and_then(|counts| sample.values.get(counts)).copied();
            let count = count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0);
            self.moments = self.moments.saturating_add(count.max(1));
        }
        Ok(())
    }

    /// The thread that labels name, as some writers do.
    fn thread(&mut self, sample: &Sample) -> Result<u32, RecordedError> {
        let (mut pid, mut tid, mut name) = (0, 0, &b""[..]);
        for label in &sample.labels {
            let number = u32::try_from(label.number).unwrap_or(0);
            match self.file.string(label.key)? {
                b"pid" | b"process_id" => pid = number,
                b"tid" | b"thread_id" | b"thread id" => tid = number,
                b"thread" | b"thread_name" | b"thread name" => name = self.file.string(label.text)?,
                _ => {}
            }
        }
        let thread = self.tables.thread(pid, tid, Nanos::ZERO)?;
        if !name.is_empty() {
            self.tables.name(thread, name);
        }
        Ok(thread)
    }

    fn location(&mut self, id: u64) -> Result<Vec<u32>, RecordedError> {
        let location = self.file.locations.get(&id);
        let location =
            location.ok_or_else(|| bad("a sample's location", &id.to_string(), "one of the locations"))?;
        let (module, offset) = self.module(location)?;
        let plain = Frame {
            language: Language::Native,
            function: None,
            file: None,
            line: None,
            module,
            offset,
            is_start: false,
            inlined: false,
            owner: Owner::Unknown,
        };
        let last = location.lines.len().saturating_sub(1);
        if last > MOST_INLINED {
            return Err(bad("the number of a location's lines", &last.to_string(), "a compiler's"));
        }
        let mut frames = Vec::with_capacity(location.lines.len().max(1));
        for (position, line) in location.lines.iter().enumerate() {
            let id = line.function;
            let function = self.file.functions.get(&id);
            let function =
                function.ok_or_else(|| bad("a line's function", &id.to_string(), "one of the functions"))?;
            let mut frame = plain.clone();
            let name = self.file.string(function.name)?;
            frame.function = (!name.is_empty()).then(|| lossy(name));
            // An address of its own would tell apart what has the same name and line.
            if frame.function.is_some() {
                frame.offset = None;
            }
            let file = lossy(self.file.string(function.file)?);
            place::put(&mut frame, &file, u32::try_from(line.line).ok());
            // All but the outermost were expanded into it.
            frame.inlined = position < last;
            frames.push(self.tables.frame(frame)?);
        }
        if frames.is_empty() {
            frames.push(self.tables.frame(plain)?);
        }
        Ok(frames)
    }

    fn module(&mut self, location: &Location) -> Result<(Option<u32>, Option<u64>), RecordedError> {
        let address = Some(location.address).filter(|address| *address > 0);
        if location.mapping == 0 {
            return Ok((None, address));
        }
        let mapping = self.file.mappings.get(&location.mapping);
        let mapping = mapping.ok_or_else(|| {
            bad("a location's mapping", &location.mapping.to_string(), "one of the mappings")
        })?;
        let path = self.file.string(mapping.file)?;
        if path.is_empty() {
            return Ok((None, address));
        }
        let build_id = Some(lossy(self.file.string(mapping.build_id)?)).filter(|id| !id.is_empty());
        let module = self.tables.module(&lossy(path), build_id)?;
        let offset =
            address.and_then(|address| address.checked_sub(mapping.start)?.checked_add(mapping.offset));
        Ok((Some(module), offset))
    }
}

fn bad(place: &'static str, found: &str, wanted: &'static str) -> RecordedError {
    RecordedError::BadValue { format: NAME, place, found: found.chars().take(80).collect(), wanted }
}
