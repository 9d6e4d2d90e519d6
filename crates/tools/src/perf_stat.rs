//! `perf stat`: counters of the processor and the kernel.
//!
//! Source of the formats: "CSV FORMAT" and "JSON FORMAT" in perf-stat(1), and `builtin-stat.c`. Checked with 6.1, without a PMU; names of hybrid
//! processors and multiplexed counters are from the manual.
//!
//! A counter that was not counted is unknown: perf exits with success and says `<not supported>` or `<not counted>` in its place.

mod csv;
mod json;

use std::ffi::OsString;
use std::path::Path;

use model::{Nanos, Ratio};

use crate::ParseError;

const FORMAT: &str = "perf stat file";

/// What stands between the fields when [`invocation`] asks for text. Names of events hold commas, but no semicolon.
pub const SEPARATOR: u8 = b';';

/// How perf is asked to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `-j`, which perf knows since 6.0.
    Json,
    /// `-x`.
    Text,
}

/// The arguments to put before a program and its own arguments. The status is then the program's.
#[must_use]
pub fn invocation(perf: &Path, out: &Path, events: &[&str], form: Form) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec![perf.into(), "stat".into()];
    match form {
        Form::Json => arguments.push("-j".into()),
        Form::Text => arguments.extend(["-x".into(), char::from(SEPARATOR).to_string().into()]),
    }
    arguments.extend(["-o".into(), out.into(), "-e".into(), events.join(",").into(), "--".into()]);
    arguments
}

/// All counters, in file order.
#[derive(Clone, Debug, PartialEq)]
pub struct PerfStat {
    pub counters: Vec<Counter>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    pub event: Event,
    /// `None` when it is all that perf watched; else the interval, CPU or thread this row is of, as perf names it.
    pub of: Option<String>,
    pub reading: Reading,
    /// As in `msec`.
    pub unit: Option<String>,
    /// How long it counted; `None` when it did not, or perf does not tell.
    pub counted_for: Option<Nanos>,
    /// The share of the time in which it counted. Below 1 the reading is perf's estimate for the whole time.
    pub running: Option<Ratio>,
    /// The relative deviation among the runs of `-r`.
    pub deviation: Option<Ratio>,
}

/// What became of a counter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    Count(u64),
    /// A time or another quantity that is no whole number, in [`Counter::unit`].
    Amount(f64),
    /// It was opened, but never ran.
    NotCounted,
    /// The machine or the user does not have it.
    NotSupported,
}

/// `cpu_core/cycles/u` or `cycles:u`, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// As perf wrote it.
    pub written: String,
    pub pmu: Option<String>,
    pub name: String,
    /// Such as `u` for user code alone.
    pub modifiers: String,
}

impl Event {
    #[must_use]
    pub fn of(written: &str) -> Self {
        let whole = |pmu: Option<&str>, name: &str, modifiers: &str| Self {
            written: written.into(),
            pmu: pmu.map(str::to_owned),
            name: name.into(),
            modifiers: modifiers.into(),
        };
        if let Some((pmu, rest)) = written.split_once('/')
            && let Some((name, modifiers)) = rest.rsplit_once('/')
            && !pmu.is_empty()
        {
            return whole(Some(pmu), name, modifiers.trim_start_matches(':'));
        }
        match written.rsplit_once(':') {
            // Names of tracepoints have a colon, too: `sched:sched_switch`.
            Some((name, modifiers)) if is_modifiers(modifiers) => whole(None, name, modifiers),
            _ => whole(None, written, ""),
        }
    }
}

/// The letters of "EVENT MODIFIERS" in perf-list(1).
fn is_modifiers(text: &str) -> bool {
    !text.is_empty() && text.len() <= 8 && text.bytes().all(|byte| b"ukhIGHpPSDWebR".contains(&byte))
}

/// A number for one event, from all rows that tell of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    pub value: f64,
    /// The smallest share among the rows.
    pub running: Option<Ratio>,
    /// Whether a row was not counted, as on the cores of a hybrid processor that the program never used.
    pub partial: bool,
}

impl PerfStat {
    /// The rows of an event, whatever PMU or modifiers it has.
    pub fn of<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Counter> {
        self.counters.iter().filter(move |counter| counter.event.name == name)
    }

    /// The sum over cores of both kinds, CPUs and intervals. `None` when nothing was counted: that is not zero. Rows with and without
    /// a modifier count the same thing twice, so the first row's modifiers decide.
    #[must_use]
    pub fn total(&self, name: &str) -> Option<Sum> {
        let modifiers = self.of(name).next().map(|counter| counter.event.modifiers.as_str())?;
        let mut sum: Option<Sum> = None;
        let mut partial = false;
        for counter in self.of(name).filter(|counter| counter.event.modifiers == modifiers) {
            let Some(value) = counter.reading.value() else {
                partial = true;
                continue;
            };
            let before = sum.map_or(0.0, |sum| sum.value);
            let running = sum.and_then(|sum| sum.running).into_iter().chain(counter.running);
            let running = running.min_by(|one, other| one.0.total_cmp(&other.0));
            sum = Some(Sum { value: before + value, running, partial: false });
        }
        sum.map(|sum| Sum { partial, ..sum })
    }
}

impl Reading {
    /// `None` for what was not counted.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts above 2^53 do not occur in one run")]
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(count as f64),
            Self::Amount(amount) => Some(amount),
            Self::NotCounted | Self::NotSupported => None,
        }
    }

    /// `None` for text that is neither a number nor one of perf's words.
    fn of(text: &str, unit: Option<&str>) -> Option<Self> {
        match text {
            "<not counted>" => return Some(Self::NotCounted),
            "<not supported>" => return Some(Self::NotSupported),
            _ => {}
        }
        if !text.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        // JSON has six decimals after whole numbers, too.
        let (digits, decimals) = text.split_once('.').unwrap_or((text, ""));
        if unit.is_none() && decimals.bytes().all(|byte| byte == b'0') {
            return digits.parse().ok().map(Self::Count);
        }
        let amount: f64 = text.parse().ok()?;
        amount.is_finite().then_some(Self::Amount(amount))
    }
}

/// Reads what [`invocation`] made perf write.
///
/// # Errors
///
/// When the last line is cut, a line is not understood, or there is no counter.
pub fn parse(bytes: &[u8]) -> Result<PerfStat, ParseError> {
    let first = bytes.split(|byte| *byte == b'\n').find(|line| !is_ignored(line));
    if first.is_some_and(|line| line.starts_with(b"{")) {
        json::parse(bytes)
    } else {
        parse_text(bytes, SEPARATOR)
    }
}

/// Reads what `perf stat -x` wrote with another separator.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_text(bytes: &[u8], separator: u8) -> Result<PerfStat, ParseError> {
    csv::parse(bytes, separator)
}

/// Lines without a counter: the one that says when perf started, and empty ones.
fn is_ignored(line: &[u8]) -> bool {
    line.trim_ascii().is_empty() || line.starts_with(b"#")
}

/// Each line with a counter, numbered from 1. A last line without an end may be cut.
fn counters(
    bytes: &[u8],
    mut counter: impl FnMut(usize, &str) -> Result<Option<Counter>, ParseError>,
) -> Result<PerfStat, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    let mut counters = Vec::new();
    let mut rest = bytes;
    for line in 1.. {
        let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
            if rest.is_empty() {
                break;
            }
            return Err(ParseError::Cut { format: FORMAT, line, wanted: "the end of the line" });
        };
        let (text, after) = rest.split_at_checked(end).unwrap_or_default();
        rest = after.get(1..).unwrap_or_default();
        if !is_ignored(text) {
            let text = str::from_utf8(text).map_err(|_| unknown(line, &String::from_utf8_lossy(text)))?;
            counters.extend(counter(line, text)?);
        }
    }
    if counters.is_empty() {
        let remedy = "name at least one event, and check that perf ended without an error";
        return Err(ParseError::NoSamples { format: FORMAT, remedy });
    }
    Ok(PerfStat { counters })
}

fn unknown(line: usize, text: &str) -> ParseError {
    ParseError::UnknownLine { format: FORMAT, line, text: text.chars().take(80).collect() }
}

/// A counter that did not count has no share of the time, whatever perf writes.
fn running(reading: Reading, percent: Option<f64>) -> Option<Ratio> {
    let percent = percent.filter(|percent| percent.is_finite())?;
    reading.value().map(|_| Ratio(percent / 100.0))
}

fn counted_for(reading: Reading, nanos: Option<u64>) -> Option<Nanos> {
    reading.value().and(nanos).map(Nanos::from_nanos)
}

#[cfg(test)]
mod tests;
