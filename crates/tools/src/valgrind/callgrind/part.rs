//! The frame of a file: heads, parts, and the totals each part must add up to.

use super::super::cachegrind::equal;
use super::super::geometry::Described;
use super::super::rows::add;
use super::super::text::{Text, fields, whole};
use super::body::Body;
use super::{Event, FORMAT, Part};
use crate::ParseError;

const END: &str = "a `totals:` line";

/// Callgrind itself has at most 24 events; the limit keeps a damaged file from asking for all memory.
const MOST_EVENTS: usize = 64;

/// Whether the text goes on with a line that callgrind, or another program that writes its format, puts after the command.
fn ends_command(rest: &[u8]) -> bool {
    let part = rest.strip_prefix(b"part: ").and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit);
    let others: [&[u8]; 4] = [b"desc:", b"positions:", b"events:", b"event:"];
    part || others.iter().any(|key| rest.starts_with(key))
}

/// Everything of all files so far.
#[derive(Default)]
pub(super) struct Reader<'a> {
    pub(super) creator: Option<&'a [u8]>,
    pub(super) command: Option<&'a [u8]>,
    pub(super) process: Option<u64>,
    pub(super) caches: Described,
    definitions: Vec<Event<'a>>,
    pub(super) events: Vec<Event<'a>>,
    pub(super) totals: Vec<u64>,
    pub(super) parts: Vec<Part>,
    pub(super) body: Body<'a>,
    open: Option<Open>,
    number: Option<u64>,
    thread: Option<u64>,
}

/// A part whose costs are being read.
struct Open {
    summary: Option<Vec<u64>>,
}

impl<'a> Reader<'a> {
    /// Reads one file to its end.
    pub(super) fn read(&mut self, mut text: Text<'a>) -> Result<(), ParseError> {
        self.body.begin_file();
        // What callgrind takes when a file does not say.
        self.body.set_positions(b"line");
        while let Some(first) = text.rest.first() {
            if matches!(first, b'0'..=b'9' | b'+' | b'-' | b'*') {
                let rest = self.open.as_ref().and_then(|_| self.body.cost_line(text.rest));
                text.past(rest.ok_or_else(|| text.refused(END))?);
            } else {
                self.other_line(&mut text)?;
            }
        }
        if self.body.wants_costs() {
            return Err(text.cut("the cost of a call"));
        }
        match self.open {
            Some(Open { summary: None }) => Err(text.cut(END)),
            _ if self.parts.is_empty() && self.open.is_none() => Err(text.cut("an `events:` line")),
            _ => self.close(None, text),
        }
    }

    fn other_line(&mut self, text: &mut Text<'a>) -> Result<(), ParseError> {
        let before = *text;
        let line = text.line(END)?;
        let letters = line.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (key, rest) = line.split_at_checked(letters).unwrap_or_default();
        match rest.split_first() {
            Some((b'=', value)) if self.open.is_some() => {
                self.body.assign(key, value).ok_or_else(|| before.unknown())
            }
            Some((b':', value)) => self.describe(key, value.trim_ascii(), before, text),
            None if line.is_empty() => Ok(()),
            // A comment, as the first line is one.
            _ if line.starts_with(b"#") => Ok(()),
            _ => Err(before.unknown()),
        }
    }

    /// A line `KEY: VALUE`.
    fn describe(
        &mut self,
        key: &[u8],
        value: &'a [u8],
        before: Text<'a>,
        text: &mut Text<'a>,
    ) -> Result<(), ParseError> {
        let unknown = || before.unknown();
        match key {
            b"version" if value != b"1" => {
                let found = format!("version {}", String::from_utf8_lossy(value));
                let known = "`valgrind --tool=callgrind`, format version 1";
                return Err(ParseError::Unsupported { format: FORMAT, found, known });
            }
            b"version" => self.close(None, before)?,
            b"creator" => self.creator = Some(value),
            b"cmd" => self.command = Some(text.command(before, ends_command)?),
            b"pid" => self.process = Some(whole(value).ok_or_else(unknown)?),
            b"part" => {
                self.close(None, before)?;
                self.number = Some(whole(value).ok_or_else(unknown)?);
            }
            b"thread" => self.thread = Some(whole(value).ok_or_else(unknown)?),
            b"desc" => self.caches.take(value),
            b"positions" => self.body.set_positions(value).ok_or_else(unknown)?,
            b"event" => self.definitions.push(definition(value)),
            b"events" => self.open(value, before)?,
            b"summary" => {
                let numbers = self.numbers(value).ok_or_else(unknown)?;
                self.open.as_mut().ok_or_else(unknown)?.summary = Some(numbers);
            }
            b"totals" => {
                let numbers = self.numbers(value).ok_or_else(unknown)?;
                if self.open.is_none() || self.body.wants_costs() {
                    return Err(unknown());
                }
                self.close(Some(numbers), before)?;
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// As many numbers as there are events, or fewer: those left out at the end are zero.
    fn numbers(&self, value: &[u8]) -> Option<Vec<u64>> {
        let numbers = fields(value).map(whole).collect::<Option<Vec<u64>>>()?;
        (1..=self.events.len()).contains(&numbers.len()).then_some(numbers)
    }

    /// A part begins with the names of its events, which must be those of the parts before.
    fn open(&mut self, value: &'a [u8], at: Text<'_>) -> Result<(), ParseError> {
        self.close(None, at)?;
        let definition = |name: &[u8]| self.definitions.iter().find(|one| one.name == name)?.definition;
        let events: Vec<Event<'a>> =
            fields(value).map(|name| Event { name, definition: definition(name) }).collect();
        if events.is_empty() || events.len() > MOST_EVENTS {
            return Err(at.unknown());
        }
        if self.events.is_empty() {
            self.body.widen(events.len());
            self.body.expect(at.rest.len());
            self.totals = vec![0; events.len()];
            self.events = events;
        } else if !self.events.iter().map(|event| event.name).eq(events.iter().map(|event| event.name)) {
            let found = "parts with other events".into();
            return Err(ParseError::Unsupported { format: FORMAT, found, known: "one run" });
        }
        self.body.begin_part();
        self.open = Some(Open { summary: None });
        Ok(())
    }

    /// Holds the open part against its totals, or against its summary when it has none. Nothing is open between parts.
    fn close(&mut self, totals: Option<Vec<u64>>, at: Text<'_>) -> Result<(), ParseError> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        let summary = open.summary;
        let said = totals.or_else(|| summary.clone()).ok_or_else(|| at.cut(END))?;
        self.body.leave().ok_or_else(|| at.unknown())?;
        let names: Vec<&[u8]> = self.events.iter().map(|event| event.name).collect();
        equal(FORMAT, &names, &self.body.sums, &said)?;
        let totals = self.body.sums.clone();
        add(&mut self.totals, &totals).ok_or_else(|| at.unknown())?;
        self.parts.push(Part { number: self.number.take(), thread: self.thread.take(), totals, summary });
        Ok(())
    }
}

/// `NAME = FORMULA : LONG NAME`, with either or both left out.
fn definition(value: &[u8]) -> Event<'_> {
    let end = value.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'=' | b':')).unwrap_or(value.len());
    let (name, rest) = value.split_at_checked(end).unwrap_or((value, b""));
    Event { name, definition: Some(rest.trim_ascii()).filter(|rest| !rest.is_empty()) }
}
