//! `valgrind --tool=cachegrind`: instructions, cache misses and mispredicted branches of each function and line.
//!
//! Source of the format: "Cachegrind File Format" in valgrind's manual. Checked with 3.19.0, which writes `desc:` lines even
//! without a cache simulation, and 3.24.0, which does not.

use model::{Count, Ratio};

use super::geometry::Described;
use super::rows::{Rows, add};
use super::text::{Text, counts, fields, number, whole};
use crate::ParseError;

pub use super::invocation::instructions as invocation;
pub use super::{Process, ValgrindFailure, valgrind_failure};

const FORMAT: &str = "cachegrind file";
const END: &str = "a `summary:` line";

/// What one process executed. Names are bytes, as the program's files have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cachegrind<'a> {
    /// The command line, its arguments joined by spaces.
    pub command: &'a [u8],
    pub caches: Described,
    /// The names of the counted events; `Ir` is one of them.
    pub events: Vec<&'a [u8]>,
    /// One for each event.
    pub totals: Vec<u64>,
    /// The total of `Ir`.
    pub instructions: Count,
    /// In file order. A function stands once for each source file its code comes from.
    pub functions: Rows<Function<'a>>,
    /// In file order.
    pub lines: Lines,
}

/// The part of a function that comes from one source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function<'a> {
    pub file: &'a [u8],
    pub function: &'a [u8],
}

/// Source lines with their counts, as short as the file has them: most events do not happen on most lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    places: Vec<Place>,
    values: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    function: u32,
    line: u32,
    /// Where its counts begin; they end where the next line's do.
    from: usize,
}

/// One source line of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'l> {
    /// Its place in [`Cachegrind::functions`], which has the file.
    pub function: u32,
    /// `None` for code without debug information.
    pub number: Option<u32>,
    /// In the order of the events; those left out at the end did not happen.
    pub counts: &'l [u64],
}

impl Lines {
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = Line<'_>> {
        let ends = self.places.iter().skip(1).map(|next| next.from).chain([self.values.len()]);
        self.places.iter().zip(ends).map(|(place, end)| Line {
            function: place.function,
            number: (place.line != 0).then_some(place.line),
            counts: self.values.get(place.from..end).unwrap_or_default(),
        })
    }

    fn push(&mut self, function: u32, line: u32, counts: &[u64]) {
        let used = counts.iter().rposition(|count| *count != 0).map_or(0, |last| last + 1);
        self.places.push(Place { function, line, from: self.values.len() });
        self.values.extend(counts.iter().take(used));
    }
}

/// What cachegrind's counts say of memory and branches. `None` for what was not simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misses {
    /// Reads and writes of memory.
    pub accesses: Option<Count>,
    pub first_level: Option<Count>,
    pub last_level: Option<Count>,
    /// Instruction fetches that missed the first level.
    pub fetches: Option<Count>,
    /// Conditional and indirect.
    pub branches: Option<Count>,
    pub mispredicted: Option<Count>,
}

impl Misses {
    /// Misses of the first level among accesses; `None` as well when there was no access.
    #[must_use]
    pub fn first_level_share(&self) -> Option<Ratio> {
        share(self.first_level?, self.accesses?)
    }

    /// Misses of the last level among accesses.
    #[must_use]
    pub fn last_level_share(&self) -> Option<Ratio> {
        share(self.last_level?, self.accesses?)
    }

    #[must_use]
    pub fn mispredicted_share(&self) -> Option<Ratio> {
        share(self.mispredicted?, self.branches?)
    }
}

fn share(part: Count, whole: Count) -> Option<Ratio> {
    (whole.0 != 0).then(|| Ratio(part.as_f64() / whole.as_f64()))
}

impl Cachegrind<'_> {
    /// What one row of counts says of memory and branches.
    #[must_use]
    pub fn misses(&self, counts: &[u64]) -> Misses {
        misses(&self.events, counts)
    }
}

/// Sums of a row of counts, in the order of `events`, which callgrind names in the same way.
pub(super) fn misses(events: &[&[u8]], counts: &[u64]) -> Misses {
    let sum = |wanted: &[&[u8]]| {
        wanted.iter().try_fold(Count(0), |sum, name| {
            let place = events.iter().position(|event| event == name)?;
            // A count left out at the end of a line is zero.
            Some(Count(sum.0.checked_add(counts.get(place).copied().unwrap_or(0))?))
        })
    };
    Misses {
        accesses: sum(&[b"Dr", b"Dw"]),
        first_level: sum(&[b"D1mr", b"D1mw"]),
        last_level: sum(&[b"DLmr", b"DLmw"]),
        fetches: sum(&[b"I1mr"]),
        branches: sum(&[b"Bc", b"Bi"]),
        mispredicted: sum(&[b"Bcm", b"Bim"]),
    }
}

/// Reads a whole file. Its lines must add up to its summary.
///
/// # Errors
///
/// When the file is cut, has no counts, has no `Ir`, or its sums differ.
pub fn parse(bytes: &[u8]) -> Result<Cachegrind<'_>, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    let (header, mut text) = header(bytes)?;
    let mut body = Body::new(header.events.len());
    loop {
        let before = text;
        // Count lines are nearly all there are, and are read without looking for their end first.
        if text.rest.first().is_some_and(u8::is_ascii_digit) {
            text.past(body.count_line(text.rest).ok_or_else(|| before.refused(END))?);
            continue;
        }
        let line = text.line(END)?;
        if let Some(file) = line.strip_prefix(b"fl=") {
            body.file = Some(file);
        } else if let Some(function) = line.strip_prefix(b"fn=") {
            body.enter(function).ok_or_else(|| before.unknown())?;
        } else if let Some(summary) = line.strip_prefix(b"summary:") {
            body.check(summary, &header.events, before)?;
            break;
        } else if !line.is_empty() && !line.starts_with(b"#") {
            // Empty lines and comments are what cg_annotate passes over, too.
            return Err(before.unknown());
        }
    }
    if !text.rest.is_empty() {
        return Err(text.unknown());
    }
    let instructions = body.totals.get(header.instructions).map_or(Count(0), |total| Count(*total));
    let Header { command, caches, events, .. } = header;
    let Body { totals, functions, lines, .. } = body;
    Ok(Cachegrind { command, caches, events, totals, instructions, functions, lines })
}

struct Header<'a> {
    command: &'a [u8],
    caches: Described,
    events: Vec<&'a [u8]>,
    /// Which of the events is `Ir`.
    instructions: usize,
}

/// `desc:` lines, the command, and the events.
fn header(bytes: &[u8]) -> Result<(Header<'_>, Text<'_>), ParseError> {
    let mut text = Text::new(bytes, FORMAT);
    let mut caches = Described::default();
    loop {
        let before = text;
        let line = text.line("an `events:` line")?;
        if line.starts_with(b"cmd:") {
            let command = text.command(before, |rest| rest.starts_with(b"events:"))?;
            let before = text;
            let events = text.line("an `events:` line")?;
            let events: Vec<&[u8]> = fields(events).skip(1).collect();
            let instructions = events.iter().position(|event| *event == b"Ir");
            let instructions = instructions.ok_or_else(|| before.unknown())?;
            return Ok((Header { command, caches, events, instructions }, text));
        } else if line.starts_with(b"# callgrind") || line.starts_with(b"version:") {
            return Err(ParseError::Unsupported {
                format: FORMAT,
                found: "callgrind".into(),
                known: "`valgrind --tool=cachegrind`",
            });
        } else if let Some(described) = line.strip_prefix(b"desc:") {
            caches.take(described);
        } else if !line.is_empty() && !line.starts_with(b"#") {
            return Err(before.unknown());
        }
    }
}

/// The sums so far.
struct Body<'a> {
    /// Room for the counts of a line, used again for each.
    room: Vec<u64>,
    totals: Vec<u64>,
    file: Option<&'a [u8]>,
    function: Option<u32>,
    functions: Rows<Function<'a>>,
    lines: Lines,
}

impl<'a> Body<'a> {
    fn new(events: usize) -> Self {
        Self {
            room: vec![0; events],
            totals: vec![0; events],
            file: None,
            function: None,
            functions: Rows::new(events),
            lines: Lines::default(),
        }
    }

    /// `None` when no file was named before.
    fn enter(&mut self, function: &'a [u8]) -> Option<()> {
        let file = self.file?;
        self.function = Some(self.functions.push(Function { file, function })?);
        Some(())
    }

    /// Reads `LINE COUNT COUNT…` and returns the text after it. `None` when it is no such line, stands outside a function, or a sum
    /// does not fit 64 bits.
    fn count_line(&mut self, text: &'a [u8]) -> Option<&'a [u8]> {
        let (line, rest) = number(text)?;
        let (counted, rest) = counts(rest, &mut self.room)?;
        let counts = self.room.get(..counted)?;
        let function = self.function?;
        add(&mut self.totals, counts)?;
        self.functions.add(function, counts)?;
        self.lines.push(function, u32::try_from(line).ok()?, counts);
        Some(rest)
    }

    fn check(&self, summary: &[u8], events: &[&[u8]], at: Text<'_>) -> Result<(), ParseError> {
        let numbers = fields(summary).map(whole).collect::<Option<Vec<u64>>>();
        let numbers = numbers.filter(|numbers| numbers.len() == self.totals.len());
        let numbers = numbers.ok_or_else(|| at.unknown())?;
        equal(FORMAT, events, &self.totals, &numbers)?;
        if self.lines.is_empty() {
            return Err(ParseError::NoSamples {
                format: FORMAT,
                remedy: "count a program that executes at least one instruction under valgrind",
            });
        }
        Ok(())
    }
}

/// Holds the sums of the lines against what the file says they are.
pub(super) fn equal(
    format: &'static str,
    events: &[&[u8]],
    sums: &[u64],
    said: &[u64],
) -> Result<(), ParseError> {
    let said = said.iter().copied().chain(std::iter::repeat(0));
    for ((event, sum), said) in events.iter().zip(sums).zip(said) {
        if *sum != said {
            let event = String::from_utf8_lossy(event).into_owned();
            return Err(ParseError::SumDiffers { format, event, lines: *sum, summary: said });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str =
        "desc: I1 cache: 1 B\ncmd: ./a b\nevents: Ir\nfl=a.c\nfn=main\n1 2\n3 40\nfn=f\n0 8\nsummary: 50\n";

    #[test]
    fn functions_and_total_are_read() {
        let read = parse(SMALL.as_bytes()).unwrap();
        assert_eq!(read.command, b"./a b");
        assert_eq!(read.events, [b"Ir"]);
        assert_eq!(read.instructions, Count(50));
        let own: Vec<u64> = read.functions.iter().map(|(_, counts)| counts[0]).collect();
        assert_eq!(own, [42, 8]);
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        for (from, to) in [
            ("3 40", "3 41"),
            ("3 40", "3 4x"),
            ("3 40", "3 40 1"),
            ("3 40", "3 -40"),
            ("3 40", "3 99999999999999999999"),
            ("3 40", "3 18446744073709551615"),
            ("3 40\n", ""),
            ("fn=main\n", ""),
            ("fl=a.c\n", ""),
            ("fn=main", "what=main"),
            ("summary: 50", "summary: 50 1"),
            ("summary: 50", "summary:"),
            ("summary: 50\n", "summary: 50\nsummary: 50\n"),
            ("summary: 50\n", ""),
            ("events: Ir", "events: Dr"),
            ("cmd: ./a b\n", ""),
        ] {
            let text = SMALL.replace(from, to);
            assert_ne!(text, SMALL);
            assert!(parse(text.as_bytes()).is_err(), "{from} -> {to}");
        }
    }

    #[test]
    fn a_cut_at_any_byte_is_an_error() {
        for end in 0..SMALL.len() {
            assert!(parse(&SMALL.as_bytes()[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn a_line_may_leave_out_its_last_counts() {
        let text = "cmd: a\nevents: Ir Bc\nfl=a\nfn=b\n1 2\n2 3 4\n3 . 5\nsummary: 5 9\n";
        assert_eq!(parse(text.as_bytes()).unwrap().instructions, Count(5));
    }

    #[test]
    fn no_row_is_an_error() {
        let text = "cmd: a\nevents: Ir\nsummary: 0\n";
        assert!(matches!(parse(text.as_bytes()), Err(ParseError::NoSamples { .. })));
    }

    #[test]
    fn a_line_break_in_an_argument_stays_in_the_command() {
        let text = SMALL.replace("./a b", "./a b\nfn=x\n\n1 2");
        assert_eq!(parse(text.as_bytes()).unwrap().command, b"./a b\nfn=x\n\n1 2");
    }

    #[test]
    fn an_argument_cannot_forge_a_total() {
        let text = SMALL.replace("./a b", "./a\nevents: Ir\nfl=x\nfn=y\n1 1\nsummary: 1\n");
        assert!(parse(text.as_bytes()).is_err());
    }

    #[test]
    fn lines_have_their_counts_and_misses_are_derived() {
        let text = "cmd: a\nevents: Ir Dr D1mr DLmr Dw D1mw DLmw\nfl=a\nfn=b\n1 2\n0 3 4 1 . 4 1 1\nsummary: 5 4 1 0 4 1 1\n";
        let read = parse(text.as_bytes()).unwrap();
        let lines: Vec<Line<'_>> = read.lines.iter().collect();
        assert_eq!(lines[0], Line { function: 0, number: Some(1), counts: &[2] });
        assert_eq!((lines[1].number, lines[1].counts.len()), (None, 7));
        let misses = read.misses(lines[1].counts);
        assert_eq!((misses.accesses, misses.first_level), (Some(Count(8)), Some(Count(2))));
        assert_eq!((misses.first_level_share(), misses.branches), (Some(Ratio(0.25)), None));
        assert_eq!(read.misses(lines[0].counts).first_level_share(), None);
    }
}
