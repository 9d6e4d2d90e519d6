//! `valgrind --tool=callgrind`: functions, lines and calls with their costs.
//!
//! Source of the format: "Callgrind Format Specification" in valgrind's manual. Checked with 3.19.0 and 3.24.0.
//!
//! Callgrind names a function that is entered while it is active already `f'2` (`--separate-recs`). Both are one function here: its
//! self cost is the sum, and its inclusive cost that of `f` alone, which is exactly the cost between its outermost entries and
//! returns, even where functions call each other in circles. In a file without such marks
//! a circle of calls is taken as a whole, because it cannot be told from recursion.

mod body;
mod circles;
mod inclusive;
mod lines;
mod names;
mod part;

use model::Count;

use super::cachegrind::{self, Misses};
use super::geometry::Described;
use super::rows::{Counts, Rows};
use super::text::Text;
use crate::ParseError;
use body::Body;
use part::Reader;

pub use super::invocation::callgrind as invocation;

const FORMAT: &str = "callgrind file";

/// What one process, or one thread of it, executed. Names are bytes, as the program's files have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callgrind<'a> {
    /// What wrote the file, such as `callgrind-3.19.0`.
    pub creator: Option<&'a [u8]>,
    /// The command line, its arguments joined by spaces.
    pub command: Option<&'a [u8]>,
    pub process: Option<u64>,
    pub caches: Described,
    pub events: Vec<Event<'a>>,
    /// One for each event.
    pub totals: Vec<u64>,
    /// In file order. One file has several when threads or dumps were combined.
    pub parts: Vec<Part>,
    /// With their self costs.
    pub functions: Rows<Function<'a>>,
    /// A row for each function: its cost with that of all it calls, counted once for each outermost entry.
    pub inclusive: Counts,
    /// With their self costs; each line once for each function, by function, file and line.
    pub lines: Rows<Line<'a>>,
    /// With the inclusive costs of those calls that were not nested, so that the calls of a function add up to its inclusive cost.
    pub calls: Rows<Call>,
}

/// A counted event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    pub name: &'a [u8],
    /// The rest of its `event:` line: a formula, a longer name, or both.
    pub definition: Option<&'a [u8]>,
}

/// One dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub number: Option<u64>,
    /// `None` when the threads were not told apart.
    pub thread: Option<u64>,
    /// What its lines add up to, one for each event.
    pub totals: Vec<u64>,
    /// What callgrind counted in all: a few events more than the totals, such as the last instructions before the end, which no line
    /// has. `None` when the file does not say.
    pub summary: Option<Vec<u64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// The program or library; `None` when the file does not tell.
    pub object: Option<&'a [u8]>,
    /// The source file; `None` without debug information.
    pub file: Option<&'a [u8]>,
    /// The symbol, or an address where there is none.
    pub name: &'a [u8],
    /// How often it was called, nested calls included.
    pub called: Count,
    /// The circle of functions it belongs to, in a file that does not tell outermost entries apart. Its inclusive cost is then the
    /// circle's, which is the most it can be.
    pub circle: Option<u32>,
}

/// A source line of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its place in [`Callgrind::functions`].
    pub function: u32,
    /// Another file than the function's where code was inlined.
    pub file: Option<&'a [u8]>,
    /// `None` without debug information.
    pub number: Option<u32>,
}

/// All calls of one function by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub caller: u32,
    pub callee: u32,
    pub count: Count,
    /// Those among them that entered a function already active. Their cost is part of the outermost call's.
    pub nested: Count,
}

impl Callgrind<'_> {
    /// What one row of counts says of memory and branches, where a simulation was asked for.
    #[must_use]
    pub fn misses(&self, counts: &[u64]) -> Misses {
        let events: Vec<&[u8]> = self.events.iter().map(|event| event.name).collect();
        cachegrind::misses(&events, counts)
    }
}

/// Reads a whole file. The lines of each part must add up to its totals.
///
/// # Errors
///
/// When the file is cut, has no cost lines, or its sums differ.
pub fn parse(bytes: &[u8]) -> Result<Callgrind<'_>, ParseError> {
    parse_all(&[bytes])
}

/// Reads the files of several threads, dumps or processes and adds them up. Empty ones are passed over: callgrind leaves one behind
/// when it writes a file for each thread.
///
/// # Errors
///
/// When one cannot be read, all are empty, or their events differ.
pub fn parse_all<'a>(files: &[&'a [u8]]) -> Result<Callgrind<'a>, ParseError> {
    let mut reader = Reader::default();
    for bytes in files.iter().filter(|bytes| !bytes.is_empty()) {
        reader.read(Text::new(bytes, FORMAT))?;
    }
    if reader.parts.is_empty() {
        return Err(ParseError::Empty);
    }
    if reader.body.lines.is_empty() {
        return Err(ParseError::NoSamples {
            format: FORMAT,
            remedy: "record a program that executes at least one instruction under valgrind",
        });
    }
    Ok(finish(reader))
}

fn finish(reader: Reader<'_>) -> Callgrind<'_> {
    let Reader { creator, command, process, caches, events, totals, parts, body, .. } = reader;
    let Body { functions, outer, nested, lines, edges, names, .. } = body;
    let folded = inclusive::fold(&functions, outer, nested, edges, &totals);
    let found =
        functions.list.iter().zip(&folded.called).zip(&folded.circles).map(|((one, called), circle)| {
            let name = names.text(one.shown());
            Function {
                object: one.object.and_then(|object| names.known(object)),
                file: one.file.and_then(|file| names.known(file)),
                name,
                called: Count(*called),
                circle: *circle,
            }
        });
    let functions = Rows::of(found.collect(), folded.own);
    let lines = lines.finish(&names);
    Callgrind {
        creator,
        command,
        process,
        caches,
        events,
        totals,
        parts,
        functions,
        inclusive: folded.inclusive,
        lines,
        calls: folded.calls,
    }
}

#[cfg(test)]
mod tests;
