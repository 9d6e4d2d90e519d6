//! What `perf script` prints: an event's line, its stack from the innermost frame outwards, an empty line.
//!
//! Checked with perf 6.1: default fields, `-F +pid,+tid`, `-F +srcline`, inlined frames, several events, samples
//! without stacks, `--header` and `--show-*-events`. Other fields may be absent. Which event is taken: the one asked
//! for, else the first in the file; a gap names the others.
//!
//! The file is read once, straight from its bytes. What is kept of it are the tables of the recording, and for each
//! different frame line a reference into the file.

mod event;
mod frame;

use model::recording::{Recording, Weight};
use model::{Gap, Nanos};

use super::error::excerpt;
use super::index::Names;
use super::lines::{Lines, decimal, lossy};
use super::tables::Tables;
use super::{Options, RecordedError, place};

use event::{Event, Kind};

pub(super) const NAME: &str = "perf script text";
const REMEDY: &str = "record longer, and check with `perf script` that samples are there";

/// So many other events are named; a file with more is a hostile one.
const MOST_OTHERS: usize = 100;

/// Whether the text begins with an event's line of perf script.
pub(super) fn recognises(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.find(|line| !line.starts_with(b"#")).is_some_and(|line| Event::of(line).is_some())
}

pub(super) fn parse(bytes: &[u8], options: &Options<'_>) -> Result<Recording, RecordedError> {
    let mut script = Script::new(options, bytes.len());
    let mut lines = Lines::new(bytes, NAME);
    while let Some(line) = lines.next()? {
        script.line(line, lines.number)?;
    }
    script.finish()
}

/// What has been read so far.
struct Script<'a, 'o> {
    tables: Tables,
    names: Names<'a>,
    wanted: Option<&'o str>,
    /// The event that is taken, and the others with their numbers of samples.
    chosen: Option<&'a [u8]>,
    others: Vec<(&'a [u8], u64)>,
    /// The time of the first event of all.
    origin: Option<Nanos>,
    weighted: bool,
    only_threads: bool,
    open: Open,
    sample: Sample<'a>,
    /// Frames of the open sample, innermost first.
    stack: Vec<u32>,
    /// Whether samples end with an empty line, as those with stacks do.
    blank_ends: bool,
}

/// What may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Another event.
    Nothing,
    /// The frames of a sample that is taken.
    Stack,
    /// The source line of a sample of one frame, or another event.
    Single,
    /// The frames of another event's sample.
    Skipped,
}

#[derive(Clone, Copy, Default)]
struct Sample<'a> {
    at: Nanos,
    pid: u32,
    tid: u32,
    comm: &'a [u8],
    weight: u64,
}

impl<'a, 'o> Script<'a, 'o> {
    fn new(options: &Options<'o>, size: usize) -> Self {
        Self {
            tables: Tables::new(NAME, Weight::Samples, size),
            names: Names::new(),
            wanted: options.event,
            chosen: None,
            others: Vec::new(),
            origin: None,
            weighted: true,
            only_threads: false,
            open: Open::Nothing,
            sample: Sample::default(),
            stack: Vec::new(),
            blank_ends: false,
        }
    }

    fn line(&mut self, line: &'a [u8], number: u64) -> Result<(), RecordedError> {
        match line.first() {
            // A frame; the usual case, so it comes first.
            Some(b'\t') if self.open == Open::Stack => self.frame(line, number),
            Some(b'\t') if self.open == Open::Skipped => Ok(()),
            None => self.blank(),
            Some(b'#') => Ok(()),
            Some(_) => self.other(line, number),
        }
    }

    fn frame(&mut self, line: &'a [u8], number: u64) -> Result<(), RecordedError> {
        let text = line.trim_ascii();
        let frame = self.frame_number(text).ok_or_else(|| bad(line, number, "a frame"))??;
        self.stack.push(frame);
        Ok(())
    }

    /// `None` when the text is no frame.
    fn frame_number(&mut self, text: &'a [u8]) -> Option<Result<u32, RecordedError>> {
        let end = text.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(text.len());
        let (address, named) = text.split_at_checked(end).filter(|(address, _)| !address.is_empty())?;
        let named = named.strip_prefix(b" ")?;
        // Where nothing names the place, its address does.
        let key = if named.starts_with(b"[unknown]") { text } else { named };
        let tables = &mut self.tables;
        Some(self.names.number(key, || frame::of(tables, address, named)))
    }

    /// An event, a source line, or a blank line that is not empty.
    fn other(&mut self, line: &'a [u8], number: u64) -> Result<(), RecordedError> {
        let indented = line.starts_with(b" ") || line.starts_with(b"\t");
        if indented && line.trim_ascii().is_empty() {
            return self.blank();
        }
        match self.open {
            Open::Stack if indented => {
                // Some versions indent frames by spaces.
                if self.frame_number(line.trim_ascii()).is_some() {
                    return self.frame(line, number);
                }
                return self.source_line(line, number);
            }
            Open::Skipped if indented => return Ok(()),
            _ => {}
        }
        if let Some(event) = Event::of(line) {
            self.close()?;
            return self.event(&event);
        }
        if self.open == Open::Single && indented {
            return self.source_line(line, number);
        }
        Err(bad(line, number, "an event, a frame or the end of a stack"))
    }

    /// `  file.c:12`, the place of the frame before.
    fn source_line(&mut self, line: &'a [u8], number: u64) -> Result<(), RecordedError> {
        let text = lossy(line.trim_ascii());
        let (file, at) = place::with_line(&text);
        let Some(last) = self.stack.last_mut() else {
            return Err(bad(line, number, "an event, a frame or the end of a stack"));
        };
        // `file[1f40]`: nothing but the address is known. `:0`: not even that.
        if at.is_none() || file.is_empty() {
            return Ok(());
        }
        let Some(mut frame) = self.tables.recording.frames.get(*last as usize).cloned() else {
            return Ok(());
        };
        place::put(&mut frame, file, at);
        *last = self.tables.frame(frame)?;
        Ok(())
    }

    fn event(&mut self, event: &Event<'a>) -> Result<(), RecordedError> {
        let at = event.time.unwrap_or_default();
        let rest = match event.kind {
            Kind::Lost(count) => {
                let lost = &mut self.tables.recording.losses.records;
                *lost = lost.saturating_add(count);
                return Ok(());
            }
            Kind::Throttled => {
                self.tables.recording.losses.throttled += 1;
                return Ok(());
            }
            // Mappings, forks and names: the samples repeat what is needed of them.
            Kind::Ignored => return Ok(()),
            Kind::Sample(rest) => rest,
        };
        let origin = *self.origin.get_or_insert(at);
        if !self.takes(event.name) {
            self.open = Open::Skipped;
            return Ok(());
        }
        self.weighted &= event.period.is_some();
        self.only_threads |= event.pid.is_none();
        self.sample = Sample {
            at: Nanos::from_nanos(at.as_nanos().saturating_sub(origin.as_nanos())),
            pid: event.pid.unwrap_or(event.tid),
            tid: event.tid,
            comm: event.comm,
            weight: event.period.unwrap_or(1),
        };
        self.open = Open::Stack;
        // Without stacks the one frame stands in the event's line; of tracepoints it is text.
        if !rest.is_empty()
            && let Some(frame) = self.frame_number(rest)
        {
            self.stack.push(frame?);
            self.open = Open::Single;
        }
        Ok(())
    }

    /// Whether samples of this event are taken; counts them when not.
    fn takes(&mut self, name: &'a [u8]) -> bool {
        if self.chosen == Some(name) {
            return true;
        }
        let matches = self.wanted.is_none_or(|wanted| same_event(name, wanted.as_bytes()));
        if self.chosen.is_none() && matches {
            self.chosen = Some(name);
            return true;
        }
        let named = self.others.len();
        match self.others.iter_mut().find(|(other, _)| *other == name) {
            Some((_, count)) => *count += 1,
            None if named < MOST_OTHERS => self.others.push((name, 1)),
            None => {}
        }
        false
    }

    fn blank(&mut self) -> Result<(), RecordedError> {
        self.blank_ends |= self.open == Open::Stack;
        self.close()
    }

    /// Ends the open sample.
    fn close(&mut self) -> Result<(), RecordedError> {
        let open = std::mem::replace(&mut self.open, Open::Nothing);
        if open != Open::Stack && open != Open::Single {
            return Ok(());
        }
        let sample = self.sample;
        let stack = self.tables.stack(self.stack.drain(..).rev())?;
        let thread = self.tables.thread(sample.pid, sample.tid, sample.at)?;
        self.tables.name(thread, sample.comm);
        self.tables.hit(sample.at, thread, stack, sample.weight);
        Ok(())
    }

    fn finish(mut self) -> Result<Recording, RecordedError> {
        let unfinished = self.blank_ends || !self.stack.is_empty();
        if self.open == Open::Stack && unfinished {
            return Err(RecordedError::Cut { format: NAME, wanted: "the empty line after the last stack" });
        }
        self.close()?;
        let chosen = match (self.chosen, self.wanted) {
            (None, Some(wanted)) if !self.others.is_empty() => {
                let known = self.others.iter().map(|(name, _)| lossy(name)).collect();
                return Err(RecordedError::NoSuchEvent { format: NAME, wanted: wanted.to_owned(), known });
            }
            (chosen, _) => chosen.unwrap_or_default(),
        };
        let recording = &mut self.tables.recording;
        recording.weight = if self.weighted { weight(chosen) } else { Weight::Samples };
        if !self.weighted || recording.weight == Weight::Samples {
            recording.hits.iter_mut().for_each(|hit| hit.weight = 1);
        }
        if self.only_threads {
            recording.gaps.push(Gap::new(
                "which threads belong to one process",
                "the text names threads only",
                Some("perf script -F +pid,+tid"),
            ));
        }
        if !self.others.is_empty() {
            recording.gaps.push(super::left_out(chosen, &self.others));
        }
        self.tables.finish(REMEDY)
    }
}

/// Whether a user means this event: its name with or without modifiers.
pub(super) fn same_event(name: &[u8], wanted: &[u8]) -> bool {
    name == wanted || bare(name) == wanted
}

fn bare(name: &[u8]) -> &[u8] {
    let end = name.iter().position(|byte| *byte == b':').unwrap_or(name.len());
    name.get(..end).unwrap_or(name)
}

/// The unit of an event's period. A tracepoint (`group:name`) counts itself.
pub(super) fn weight(name: &[u8]) -> Weight {
    match bare(name) {
        b"cpu-clock" | b"task-clock" => Weight::CpuTime,
        b"" => Weight::Samples,
        bare if bare.len() < name.len() && !is_modifier(name, bare) => Weight::Samples,
        bare => Weight::Other(lossy(bare)),
    }
}

/// `cycles:ppp`, unlike `sched:sched_switch`, has only modifiers behind its colon.
fn is_modifier(name: &[u8], bare: &[u8]) -> bool {
    let rest = name.get(bare.len() + 1..).unwrap_or_default();
    rest.iter().all(|byte| b"ukhHGpPSDWe".contains(byte))
}

/// Seconds with six or nine decimals.
fn time(text: &[u8]) -> Option<Nanos> {
    let dot = text.iter().position(|byte| *byte == b'.')?;
    let (seconds, rest) = text.split_at_checked(dot)?;
    let decimals = rest.get(1..)?;
    let places = u32::try_from(decimals.len()).ok().filter(|places| (1..=9).contains(places))?;
    let whole = decimal(seconds)?.checked_mul(1_000_000_000)?;
    let part = decimal(decimals)? * 10_u64.pow(9 - places);
    Some(Nanos::from_nanos(whole.checked_add(part)?))
}

fn bad(line: &[u8], number: u64, wanted: &'static str) -> RecordedError {
    RecordedError::BadLine { format: NAME, line: number, wanted, text: excerpt(line) }
}
