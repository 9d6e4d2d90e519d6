//! Java Flight Recorder: what its allocation samples say.
//!
//! The format has no specification; it is read as OpenJDK writes it (`jdk/jfr/internal/consumer/*.java` and
//! `share/jfr/recorder/` of its source). Checked with files of OpenJDK 17.0.15, format 2.1, against what its own
//! `jfr print` says of them; 2.0 (JDK 9 to 12) has the same layout.
//!
//! A file is a row of chunks, each complete in itself: a header of 68 bytes, then events. An event is its length in bytes,
//! its type and the fields of that type. Whole numbers are written in groups of seven bits, at most nine bytes. Two types are
//! known beforehand: 0 describes all types (one for a chunk, the header says where), 1 holds constants: strings, classes,
//! methods and stacks that events refer to by number, good for their chunk.

mod bytes;
mod constants;
mod metadata;

use std::collections::BTreeMap;

use crate::ParseError;
use bytes::Bytes;
use constants::{Constants, Value};
use metadata::Metadata;

pub(crate) const FORMAT: &str = "flight recording";

/// The event that we ask for, since JDK 16. Its weight is what was allocated in its thread since the last one that was
/// not left out.
const EVENT: &str = "jdk.ObjectAllocationSample";

/// The number that the JVM gives the thread that runs `main`.
const MAIN: u64 = 1;

/// What the samples of a file stand for. Those of the recorder's own code are not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allocations {
    /// The weight of the main thread's first sample, which is in no sum: most of what that thread made before, the
    /// recorder made in it when it began. `None` where the main thread has no sample.
    pub before: Option<u64>,
    pub bytes: u64,
    pub samples: u64,
    /// Each stack once, in the order of its names.
    pub stacks: Vec<Stack>,
}

/// Where objects were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The innermost first. Empty where the sample has no stack.
    pub frames: Vec<Frame>,
    /// Outer frames are missing.
    pub cut: bool,
    pub bytes: u64,
    pub samples: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// With its package: `java.util.ArrayList`.
    pub class: String,
    pub method: String,
    /// `None` for native methods.
    pub line: Option<u32>,
}

/// A settings file that turns on what [`parse`] reads and nothing else. So many samples in a second at most: at some
/// microseconds for a stack that is less than a hundredth of a CPU.
pub const SETTINGS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="slowpath" description="where objects are made" provider="slowpath">
  <event name="jdk.ObjectAllocationSample">
    <setting name="enabled">true</setting>
    <setting name="throttle">1000/s</setting>
    <setting name="stackTrace">true</setting>
  </event>
</configuration>
"#;

/// Options for the JVM, to be split at blanks outside of quotes. The recording lies in the folder, under a name of the JVM's
/// choice. `None` when a path cannot be written so: a comma begins the next setting.
///
/// A level below `error` lets the JVM say on standard output that a recording began, `off` its settings.
#[must_use]
pub fn invocation(settings: &str, folder: &str) -> Option<String> {
    let plain = |path: &str| !path.contains([',', '\'', '"', '\n', '=']);
    (plain(settings) && plain(folder)).then(|| {
        format!(
            "'-XX:StartFlightRecording:filename={folder},settings={settings},dumponexit=true' \
             -Xlog:jfr+startup=error"
        )
    })
}

/// Reads a recording.
///
/// # Errors
/// When it is no flight recording, is cut, or is damaged where it tells of allocations.
pub fn parse(input: &[u8]) -> Result<Allocations, ParseError> {
    if input.is_empty() {
        return Err(ParseError::Empty);
    }
    let mut all = Vec::new();
    let mut rest = input;
    let mut at = 0;
    while !rest.is_empty() {
        let header = Header::parse(rest, at)?;
        let chunk = rest.get(..header.size).ok_or(ParseError::CutAt {
            format: FORMAT,
            byte: input.len(),
            wanted: "the rest of its chunk",
        })?;
        read_chunk(chunk, &header, at, &mut all)?;
        rest = rest.get(header.size..).unwrap_or_default();
        at += header.size;
    }
    Ok(added_up(all))
}

/// A sample: when, in the main thread or another, its weight, its frames, and whether outer ones are missing.
struct Sample {
    at: u64,
    main: bool,
    weight: u64,
    frames: Vec<Frame>,
    cut: bool,
}

fn added_up(mut samples: Vec<Sample>) -> Allocations {
    let mut all = Allocations::default();
    let in_main = samples.iter().enumerate().filter(|(_, sample)| sample.main);
    let first = in_main.min_by_key(|(_, sample)| sample.at).map(|(place, _)| place);
    all.before = first.map(|first| samples.swap_remove(first).weight);
    let mut sums: BTreeMap<(Vec<Frame>, bool), (u64, u64)> = BTreeMap::new();
    for sample in samples {
        if sample.frames.iter().any(|frame| frame.class.starts_with("jdk.jfr.")) {
            continue;
        }
        let (bytes, count) = sums.entry((sample.frames, sample.cut)).or_default();
        *bytes = bytes.saturating_add(sample.weight);
        *count += 1;
    }
    for ((frames, cut), (bytes, samples)) in sums {
        all.bytes = all.bytes.saturating_add(bytes);
        all.samples = all.samples.saturating_add(samples);
        all.stacks.push(Stack { frames, cut, bytes, samples });
    }
    all
}

struct Header {
    size: usize,
    metadata: usize,
}

const HEADER: usize = 68;

impl Header {
    fn parse(chunk: &[u8], at: usize) -> Result<Self, ParseError> {
        let mut bytes = Bytes::new(chunk, at);
        if bytes.take(4, "its first word")? != b"FLR\0" {
            return Err(bytes.bad("`FLR`, with which a chunk begins"));
        }
        let major = bytes.fixed(2)?;
        let minor = bytes.fixed(2)?;
        if major != 2 {
            let found = format!("version {major}.{minor}");
            return Err(ParseError::Unsupported { format: FORMAT, found, known: "JDK 16 and later" });
        }
        let size = bytes.fixed(8)?;
        let _constants = bytes.fixed(8)?;
        let metadata = bytes.fixed(8)?;
        // When it began, how long it took, and the clock: four numbers that no sum depends on.
        bytes.take(32, "its clock")?;
        let features = bytes.fixed(4)?;
        if features & 1 == 0 {
            let found = "numbers of fixed length".to_owned();
            return Err(ParseError::Unsupported { format: FORMAT, found, known: "JDK 16 and later" });
        }
        let size = usize::try_from(size).ok().filter(|size| *size > HEADER);
        let size = size.ok_or_else(|| bytes.bad("the size of a finished chunk"))?;
        let metadata = usize::try_from(metadata).ok().filter(|place| (HEADER..size).contains(place));
        let metadata = metadata.ok_or_else(|| bytes.bad("the place of its description"))?;
        Ok(Self { size, metadata })
    }
}

/// One event of a chunk, its length and type read.
struct Event<'a> {
    kind: u64,
    body: Bytes<'a>,
}

fn events(chunk: &[u8], at: usize) -> impl Iterator<Item = Result<Event<'_>, ParseError>> {
    let mut place = HEADER;
    std::iter::from_fn(move || {
        let rest = chunk.get(place..).filter(|rest| !rest.is_empty())?;
        let mut bytes = Bytes::new(rest, at + place);
        let mut next = || {
            let size = bytes.size()?;
            let whole = rest.get(..size).filter(|whole| !whole.is_empty());
            let whole = whole.ok_or_else(|| bytes.bad("the length of an event"))?;
            let mut body = Bytes::new(whole, at + place);
            body.number()?;
            let kind = body.number()?;
            Ok((size, Event { kind, body }))
        };
        match next() {
            Ok((size, event)) => {
                place += size;
                Some(Ok(event))
            }
            Err(error) => {
                place = chunk.len();
                Some(Err(error))
            }
        }
    })
}

fn read_chunk(chunk: &[u8], header: &Header, at: usize, samples: &mut Vec<Sample>) -> Result<(), ParseError> {
    let metadata =
        Metadata::parse(Bytes::new(chunk.get(header.metadata..).unwrap_or_default(), at + header.metadata))?;
    let mut constants = Constants::new(&metadata, chunk.len());
    for event in events(chunk, at) {
        let event = event?;
        if event.kind == 1 {
            constants.add(event.body)?;
        }
    }
    // A JVM that does not know the event has none: that is no zero of ours, but its samples are.
    let Some(kind) = metadata.class_named(EVENT) else {
        let found = format!("no {EVENT}");
        return Err(ParseError::Unsupported { format: FORMAT, found, known: "JDK 16 and later" });
    };
    for event in events(chunk, at) {
        let mut event = event?;
        if event.kind != kind {
            continue;
        }
        let value = constants.value(&mut event.body, kind)?;
        let number = |name: &str| value.field(name).and_then(Value::number);
        let (at, weight) = number("startTime")
            .zip(number("weight"))
            .ok_or_else(|| event.body.bad("a sample with its time and weight"))?;
        let stack = constants.stack(value.field("stackTrace"));
        let (frames, cut) = stack.ok_or_else(|| event.body.bad("a stack that the chunk describes"))?;
        let main = constants.thread(value.field("eventThread")) == Some(MAIN);
        samples.push(Sample { at, main, weight, frames, cut });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
