//! speedscope's own JSON (file-format-schema.json, version 0.0.1), sampled and evented, as py-spy and others write it.
//!
//! Every profile of the file becomes a thread. They must have one unit; of several units the first is taken, and a gap
//! says so.

use std::fmt;

use model::recording::{Frame, Recording, Weight};
use model::{Gap, Nanos};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::lines::find;
use super::tables::{Tables, named};
use super::{RecordedError, json, place};

pub(super) const NAME: &str = "speedscope JSON";
const REMEDY: &str = "record longer, and check in https://www.speedscope.app that samples are there";

pub(super) fn recognises(head: &[u8]) -> bool {
    let json = head.trim_ascii_start().starts_with(b"{");
    let schema = find(head, b"speedscope.app/file-format-schema.json").is_some();
    json && (schema || (find(head, b"\"shared\"").is_some() && find(head, b"\"frames\"").is_some()))
}

#[derive(Deserialize)]
struct File {
    shared: Shared,
    profiles: Vec<Profile>,
}

#[derive(Deserialize)]
struct Shared {
    frames: Vec<SharedFrame>,
}

#[derive(Deserialize)]
struct SharedFrame {
    name: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    line: Option<f64>,
}

#[derive(Deserialize)]
struct Profile {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    unit: String,
    #[serde(rename = "startValue")]
    start: f64,
    #[serde(default)]
    samples: Option<Stacks>,
    #[serde(default)]
    weights: Vec<f64>,
    #[serde(default)]
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: EventKind,
    frame: u32,
    at: f64,
}

#[derive(Deserialize)]
enum EventKind {
    #[serde(rename = "O")]
    Open,
    #[serde(rename = "C")]
    Close,
}

/// Lists of frames in one list: a list of its own for each would take many times the room.
#[derive(Default)]
struct Stacks {
    frames: Vec<u32>,
    ends: Vec<usize>,
}

impl Stacks {
    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| self.frames.get(start..*end).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Stacks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(StacksVisitor)
    }
}

struct StacksVisitor;

impl<'de> Visitor<'de> for StacksVisitor {
    type Value = Stacks;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of stacks")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Stacks, S::Error> {
        let mut stacks = Stacks::default();
        while list.next_element_seed(Append(&mut stacks.frames))?.is_some() {
            stacks.ends.push(stacks.frames.len());
        }
        Ok(stacks)
    }
}

/// Reads one list of frames onto the end of another.
struct Append<'f>(&'f mut Vec<u32>);

impl<'de> serde::de::DeserializeSeed<'de> for Append<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of frames")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<(), S::Error> {
        while let Some(frame) = list.next_element()? {
            self.0.push(frame);
        }
        Ok(())
    }
}

pub(super) fn parse(bytes: &[u8]) -> Result<Recording, RecordedError> {
    let file: File = json::parse(NAME, bytes)?;
    let unit = file.profiles.first().map(|profile| profile.unit.clone()).unwrap_or_default();
    let (weight, factor) = unit_of(&unit)?;
    let mut tables = Tables::new(NAME, weight, bytes.len());
    let frames = file.shared.frames.into_iter().map(frame);
    let frames = frames.map(|frame| tables.frame(frame)).collect::<Result<Vec<u32>, _>>()?;
    let mut left = 0_u32;
    for (number, profile) in (1_u32..).zip(&file.profiles) {
        if profile.unit != unit {
            left += 1;
            continue;
        }
        Reader { tables: &mut tables, frames: &frames, factor, clocked: unit.ends_with("seconds") }
            .profile(profile, number)?;
    }
    if left > 0 {
        let why = format!("only profiles in {unit} were taken; {left} in other units were not");
        tables.recording.gaps.push(Gap::new("other profiles of the file", why, None));
    }
    tables.finish(REMEDY)
}

/// The unit of a recording and how many of it one of the file's is.
fn unit_of(unit: &str) -> Result<(Weight, f64), RecordedError> {
    Ok(match unit {
        "nanoseconds" => (Weight::WallTime, 1.0),
        "microseconds" => (Weight::WallTime, 1e3),
        "milliseconds" => (Weight::WallTime, 1e6),
        "seconds" => (Weight::WallTime, 1e9),
        "bytes" => (Weight::Bytes, 1.0),
        "none" => (Weight::Samples, 1.0),
        // A file without profiles has no unit either.
        "" => return Err(RecordedError::NoSamples { format: NAME, remedy: REMEDY }),
        _ => return Err(bad("a profile's unit", unit, "one of speedscope's units")),
    })
}

fn frame(shared: SharedFrame) -> Frame {
    let name = if shared.name.is_empty() { "(anonymous)".to_owned() } else { shared.name };
    let mut frame = named(name);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
    let line = shared.line.filter(|line| (1.0..4e9).contains(line)).map(|line| line as u32);
    place::put(&mut frame, shared.file.as_deref().unwrap_or_default(), line);
    frame
}

struct Reader<'t> {
    tables: &'t mut Tables,
    frames: &'t [u32],
    factor: f64,
    /// Whether values are times, so that a sum of them is a moment.
    clocked: bool,
}

impl Reader<'_> {
    fn profile(&mut self, profile: &Profile, number: u32) -> Result<(), RecordedError> {
        let (pid, tid) = ids(&profile.name).unwrap_or((0, number));
        let thread = self.tables.thread(pid, tid, Nanos::ZERO)?;
        self.tables.name(thread, profile.name.as_bytes());
        match profile.kind.as_str() {
            "sampled" => self.sampled(profile, thread),
            "evented" => self.evented(profile, thread),
            other => Err(bad("a profile's type", other, "`sampled` or `evented`")),
        }
    }

    fn sampled(&mut self, profile: &Profile, thread: u32) -> Result<(), RecordedError> {
        let none = Stacks::default();
        let stacks = profile.samples.as_ref().unwrap_or(&none);
        if stacks.ends.len() != profile.weights.len() {
            let found = profile.weights.len().to_string();
            return Err(bad("the number of weights", &found, "the number of samples"));
        }
        let mut at = 0;
        for (stack, weight) in stacks.iter().zip(&profile.weights) {
            let weight = self.value(*weight)?;
            let mut node = None;
            for frame in stack {
                node = Some(self.tables.node(node, self.frame(*frame)?)?);
            }
            self.hit(at, thread, node, weight);
            at += if self.clocked { weight } else { 0 };
        }
        Ok(())
    }

    fn evented(&mut self, profile: &Profile, thread: u32) -> Result<(), RecordedError> {
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut before = profile.start;
        for event in &profile.events {
            let weight = self.value(event.at - before)?;
            if let Some((_, node)) = open.last() {
                let at = if self.clocked { self.value(before - profile.start)? } else { 0 };
                self.hit(at, thread, Some(*node), weight);
            }
            before = event.at;
            match event.kind {
                EventKind::Open => {
                    let parent = open.last().map(|(_, node)| *node);
                    open.push((event.frame, self.tables.node(parent, self.frame(event.frame)?)?));
                }
                EventKind::Close => match open.pop() {
                    Some((frame, _)) if frame == event.frame => {}
                    _ => {
                        return Err(bad(
                            "a closing event",
                            &event.frame.to_string(),
                            "the frame opened last",
                        ));
                    }
                },
            }
        }
        if let Some((frame, _)) = open.last() {
            return Err(bad("an opening event", &frame.to_string(), "followed by its closing"));
        }
        Ok(())
    }

    fn hit(&mut self, at: u64, thread: u32, node: Option<u32>, weight: u64) {
        if weight > 0 {
            self.tables.hit(Nanos::from_nanos(at), thread, node, weight);
        }
    }

    fn frame(&self, number: u32) -> Result<u32, RecordedError> {
        let frame = self.frames.get(number as usize).copied();
        frame.ok_or_else(|| bad("a frame's number", &number.to_string(), "one of the shared frames"))
    }

    /// A value in the recording's unit.
    fn value(&self, value: f64) -> Result<u64, RecordedError> {
        let scaled = (value * self.factor).round();
        // A million years; sums of such values still fit.
        if !(0.0..3.2e13 * 1e9 / 1e6).contains(&scaled) {
            return Err(bad("a value", &value.to_string(), "a size or a time that does not go back"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
        Ok(scaled as u64)
    }
}

/// py-spy names profiles `Process 12 Thread 34 "name"` or `Thread 34 "name"`.
fn ids(name: &str) -> Option<(u32, u32)> {
    let number = |text: &str| text.split(' ').next().and_then(|word| word.parse().ok());
    let (before, behind) = name.split_once("Thread ")?;
    let pid = before.strip_prefix("Process ").and_then(number).unwrap_or(0);
    Some((pid, number(behind)?))
}

fn bad(place: &'static str, found: &str, wanted: &'static str) -> RecordedError {
    RecordedError::BadValue { format: NAME, place, found: found.chars().take(80).collect(), wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(profile: &str) -> Result<Recording, RecordedError> {
        let shared = r#"{"frames": [{"name": "main"}, {"name": "leaf", "file": "a.py", "line": 3}]}"#;
        parse(format!(r#"{{"shared": {shared}, "profiles": [{profile}]}}"#).as_bytes())
    }

    #[test]
    fn events_weigh_the_time_until_the_next() {
        let recording = file(
            r#"{"type": "evented", "unit": "milliseconds", "startValue": 5, "endValue": 20, "events": [
            {"type": "O", "frame": 0, "at": 5}, {"type": "O", "frame": 1, "at": 7},
            {"type": "C", "frame": 1, "at": 10}, {"type": "C", "frame": 0, "at": 20}]}"#,
        )
        .unwrap();
        let hits: Vec<_> =
            recording.hits.iter().map(|hit| (hit.at.as_nanos(), hit.stack, hit.weight)).collect();
        assert_eq!(
            hits,
            [(0, Some(0), 2_000_000), (2_000_000, Some(1), 3_000_000), (5_000_000, Some(0), 10_000_000)]
        );
    }

    #[test]
    fn numbers_that_point_nowhere_are_errors() {
        let sampled = |samples: &str, weights: &str| {
            file(&format!(
                r#"{{"type": "sampled", "unit": "none", "startValue": 0, "samples": {samples}, "weights": {weights}}}"#
            ))
        };
        assert!(sampled("[[0, 1]]", "[1]").is_ok());
        for (samples, weights) in [
            ("[[0, 2]]", "[1]"),
            ("[[0]]", "[1, 1]"),
            ("[[0]]", "[-1]"),
            ("[[-1]]", "[1]"),
            ("[[0]]", "[1e300]"),
        ] {
            assert!(sampled(samples, weights).is_err(), "{samples} {weights}");
        }
        assert!(matches!(sampled("[]", "[]"), Err(RecordedError::NoSamples { .. })));
    }

    #[test]
    fn unbalanced_events_are_errors() {
        for events in [
            r#"[{"type": "O", "frame": 0, "at": 1}]"#,
            r#"[{"type": "C", "frame": 0, "at": 1}]"#,
            r#"[{"type": "O", "frame": 0, "at": 1}, {"type": "C", "frame": 1, "at": 2}]"#,
            r#"[{"type": "O", "frame": 0, "at": 3}, {"type": "C", "frame": 0, "at": 2}]"#,
        ] {
            let profile =
                format!(r#"{{"type": "evented", "unit": "none", "startValue": 0, "events": {events}}}"#);
            assert!(file(&profile).is_err(), "{events}");
        }
    }
}
