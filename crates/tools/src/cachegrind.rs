//! `valgrind --tool=cachegrind`, used for one number: the instructions a program executes.
//!
//! Source of the format: "Cachegrind File Format" in valgrind's manual. Checked with 3.19.0, which writes `desc:` lines even
//! without a cache simulation, and 3.24.0, which does not.
//!
//! Each process writes its own file. One that was forked starts with the counts of its parent up to the fork, so adding the files
//! of a program that forks without executing another counts that part once more for each child (seen with both versions).
//! [`Process::seems_forked_from`] tells such a process by its log.

mod count;
mod process;
mod refusal;

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use model::Count;

use crate::ParseError;
use count::Counts;

pub use process::Process;
pub use refusal::{ValgrindFailure, valgrind_failure};

const FORMAT: &str = "cachegrind file";

/// The arguments to put before a program and its own arguments. `out` must be absolute, because the program and its children
/// may change their directory; it then holds `cachegrind.PID` and `valgrind.PID.log` for each process.
#[must_use]
pub fn invocation(valgrind: &Path, out: &Path) -> Vec<OsString> {
    let mut arguments = vec![valgrind.into()];
    // 3.19 simulates caches by default and 3.24 does not; both know the option.
    // No gdb server, because its pipes would stay in /tmp when the target is killed.
    let fixed =
        ["--tool=cachegrind", "--cache-sim=no", "--branch-sim=no", "--trace-children=yes", "--vgdb=no"];
    arguments.extend(fixed.map(OsString::from));
    arguments.push(in_folder("--cachegrind-out-file=", out, "/cachegrind.%p"));
    arguments.push(in_folder("--log-file=", out, "/valgrind.%p.log"));
    arguments.push("--".into());
    arguments
}

/// An option that names a file. Valgrind expands `%p`, and takes `%%` for one `%`.
fn in_folder(option: &str, folder: &Path, file: &str) -> OsString {
    let mut bytes = option.as_bytes().to_vec();
    for byte in folder.as_os_str().as_bytes() {
        bytes.extend(if *byte == b'%' { &b"%%"[..] } else { std::slice::from_ref(byte) });
    }
    bytes.extend(file.bytes());
    OsString::from_vec(bytes)
}

/// What one process executed. Names are bytes, as the program's files have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cachegrind<'a> {
    /// The command line, its arguments joined by spaces.
    pub command: &'a [u8],
    /// The names of the counted events; `Ir` is one of them.
    pub events: Vec<&'a [u8]>,
    pub instructions: Count,
    /// In file order. A function stands once for each source file its code comes from.
    pub functions: Vec<Function<'a>>,
}

/// Instructions executed in the part of a function that comes from one source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function<'a> {
    pub file: &'a [u8],
    pub function: &'a [u8],
    pub instructions: Count,
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
    let (header, mut lines) = header(bytes)?;
    let mut body = Body::new(header.events.len(), header.instructions);
    loop {
        let before = lines;
        // Count lines are nearly all there are, and are read without looking for their end first.
        if let Some(counts) = lines.count_line(&mut body.line)? {
            body.add(counts).ok_or_else(|| before.unknown())?;
            continue;
        }
        let line = lines.line("a `summary:` line")?;
        if let Some(file) = line.strip_prefix(b"fl=") {
            body.file = Some(file);
        } else if let Some(function) = line.strip_prefix(b"fn=") {
            body.enter(function).ok_or_else(|| before.unknown())?;
        } else if let Some(summary) = line.strip_prefix(b"summary:") {
            body.check(summary, &header, before)?;
            break;
        } else if !line.is_empty() && !line.starts_with(b"#") {
            // Empty lines and comments are what cg_annotate passes over, too.
            return Err(before.unknown());
        }
    }
    if !lines.rest.is_empty() {
        return Err(lines.unknown());
    }
    let instructions = body.totals.get(header.instructions).map_or(Count(0), |total| Count(*total));
    Ok(Cachegrind { command: header.command, events: header.events, instructions, functions: body.functions })
}

struct Header<'a> {
    command: &'a [u8],
    events: Vec<&'a [u8]>,
    /// Which of the events is `Ir`.
    instructions: usize,
}

/// `desc:` lines, the command, which has line breaks if its arguments have, and the events.
fn header(bytes: &[u8]) -> Result<(Header<'_>, Lines<'_>), ParseError> {
    let mut lines = Lines { rest: bytes, number: 1 };
    let mut command = None;
    loop {
        let before = lines;
        let line = lines.line("an `events:` line")?;
        if let Some(first) = line.strip_prefix(b"cmd:").filter(|_| command.is_none()) {
            command = Some((before.rest, first.len() + b"cmd:".len()));
        } else if let Some((from, length)) = command {
            let Some(events) = line.strip_prefix(b"events:") else {
                command = Some((from, length + 1 + line.len()));
                continue;
            };
            let events: Vec<&[u8]> =
                events.split(u8::is_ascii_whitespace).filter(|event| !event.is_empty()).collect();
            let instructions = events.iter().position(|event| *event == b"Ir");
            let instructions = instructions.ok_or_else(|| before.unknown())?;
            let command = from.get(..length).unwrap_or_default();
            let command = command.strip_prefix(b"cmd:").unwrap_or(command).trim_ascii_start();
            return Ok((Header { command, events, instructions }, lines));
        } else if line.starts_with(b"# callgrind") || line.starts_with(b"version:") {
            return Err(ParseError::Unsupported {
                format: FORMAT,
                found: "callgrind".into(),
                known: "`valgrind --tool=cachegrind`",
            });
        } else if !line.starts_with(b"desc:") && !line.is_empty() && !line.starts_with(b"#") {
            return Err(before.unknown());
        }
    }
}

/// The sums so far.
struct Body<'a> {
    line: Counts,
    totals: Vec<u64>,
    /// Which of the events is `Ir`.
    instructions: usize,
    file: Option<&'a [u8]>,
    functions: Vec<Function<'a>>,
}

impl<'a> Body<'a> {
    fn new(events: usize, instructions: usize) -> Self {
        Self {
            line: Counts::new(events),
            totals: vec![0; events],
            instructions,
            file: None,
            functions: Vec::new(),
        }
    }

    /// `None` when no file was named before.
    fn enter(&mut self, function: &'a [u8]) -> Option<()> {
        let file = self.file?;
        self.functions.push(Function { file, function, instructions: Count(0) });
        Some(())
    }

    /// Adds the counts of the line just read. `None` outside a function or when a sum does not fit 64 bits.
    fn add(&mut self, counted: usize) -> Option<()> {
        let counts = self.line.first(counted);
        for (total, count) in self.totals.iter_mut().zip(counts) {
            *total = total.checked_add(*count)?;
        }
        let function = self.functions.last_mut()?;
        let own = counts.get(self.instructions).copied().unwrap_or(0);
        function.instructions.0 = function.instructions.0.checked_add(own)?;
        Some(())
    }

    fn check(&self, summary: &[u8], header: &Header<'_>, at: Lines<'_>) -> Result<(), ParseError> {
        let fields = summary.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        let numbers = fields.map(count::whole).collect::<Option<Vec<u64>>>();
        let numbers = numbers.filter(|numbers| numbers.len() == self.totals.len());
        let numbers = numbers.ok_or_else(|| at.unknown())?;
        for ((total, number), event) in self.totals.iter().zip(&numbers).zip(&header.events) {
            if total != number {
                return Err(ParseError::SumDiffers {
                    format: FORMAT,
                    event: String::from_utf8_lossy(event).into_owned(),
                    lines: *total,
                    summary: *number,
                });
            }
        }
        if self.line.is_unused() {
            return Err(ParseError::NoSamples {
                format: FORMAT,
                remedy: "count a program that executes at least one instruction under valgrind",
            });
        }
        Ok(())
    }
}

/// The text not read yet.
#[derive(Clone, Copy)]
struct Lines<'a> {
    rest: &'a [u8],
    /// Of the line that `rest` begins with, from 1.
    number: usize,
}

impl<'a> Lines<'a> {
    /// The next line, without its end. Without that end it may be cut short.
    fn line(&mut self, wanted: &'static str) -> Result<&'a [u8], ParseError> {
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        let cut = ParseError::Cut { format: FORMAT, line: self.number, wanted };
        let (line, after) = end.and_then(|end| self.rest.split_at_checked(end)).ok_or(cut)?;
        self.rest = after.strip_prefix(b"\n").unwrap_or_default();
        self.number += 1;
        Ok(line)
    }

    /// How many counts the next line has, written to `counts`; `None` when it is no count line.
    fn count_line(&mut self, counts: &mut Counts) -> Result<Option<usize>, ParseError> {
        if !self.rest.first().is_some_and(u8::is_ascii_digit) {
            return Ok(None);
        }
        let (counted, rest) = counts.read(self.rest).ok_or_else(|| {
            let mut whole = *self;
            whole.line("a `summary:` line").err().unwrap_or_else(|| self.unknown())
        })?;
        self.rest = rest;
        self.number += 1;
        Ok(Some(counted))
    }

    fn unknown(&self) -> ParseError {
        let line = self.rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        ParseError::UnknownLine {
            format: FORMAT,
            line: self.number,
            text: String::from_utf8_lossy(line).chars().take(80).collect(),
        }
    }
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
        let own: Vec<u64> = read.functions.iter().map(|function| function.instructions.0).collect();
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
    fn percent_signs_of_the_folder_are_kept() {
        let arguments = invocation(Path::new("/usr/bin/valgrind"), Path::new("/tmp/50% p"));
        let last: Vec<&str> = arguments.iter().rev().take(3).rev().filter_map(|one| one.to_str()).collect();
        assert_eq!(
            last,
            [
                "--cachegrind-out-file=/tmp/50%% p/cachegrind.%p",
                "--log-file=/tmp/50%% p/valgrind.%p.log",
                "--"
            ]
        );
    }
}
