//! `jit-PID.dump`: code that a runtime made, with its names and, where the runtime tells them, its lines.
//!
//! The form is that of the kernel's `tools/perf/Documentation/jitdump-specification.txt`, version 1. Whoever writes one
//! maps it as if it were code, so that a recorder learns where it lies. Checked with Node 20 and 26 (`--perf-prof`), whose
//! lines need care: V8 counts addresses from an ELF header of 64 bytes that is not there; for unoptimised code it notes
//! places in the bytecode; Node 20 writes freed memory instead of the names of the user's files; and a line may be one of
//! a function that was expanded. What is doubtful is left out: the function then has the line of its declaration.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::generated::{self, Generated};
use crate::perf_map::{self, Line, Maker, PerfMap};

const MAGIC: u32 = 0x4a69_5444;
const VERSION: u32 = 1;
const LOAD: u32 = 0;
const MOVE: u32 = 1;
const LINES: u32 = 2;
/// An entry with this name has the file of the one before.
const SAME_FILE: &[u8] = b"\xff";
/// What V8 adds to the addresses of lines.
const V8_SHIFT: u64 = 0x40;
/// The tiers of V8 whose lines are of machine code.
const V8_OPTIMISED: [&str; 4] = ["JS:*", "JS:+", "LazyCompile:*", "Function:*"];

/// Whether a mapped file is one, by its name.
pub(crate) fn is_dump(path: &[u8]) -> bool {
    number(path).is_some()
}

/// The number of the process in its own container, which is part of the name.
fn number(path: &[u8]) -> Option<u32> {
    let name = path.rsplit(|byte| *byte == b'/').next()?;
    let digits = name.strip_prefix(b"jit-")?.strip_suffix(b".dump")?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The dump at a path. `None` when it is gone, was last written before `since`, or is not of the process that its name
/// tells.
pub(crate) fn read(path: &[u8], since: SystemTime) -> Option<PerfMap> {
    let bytes = perf_map::read_since(Path::new(OsStr::from_bytes(path)), since)?;
    parse(&bytes, number(path)?)
}

/// Records up to the first that makes no sense: the last one of a process that was ended is cut as a rule.
fn parse(bytes: &[u8], pid: u32) -> Option<PerfMap> {
    let mut head = Rest(bytes);
    let told = [head.half()?, head.half()?];
    let length = usize::try_from(head.half()?).ok()?;
    let (_machine, _padding, owner) = (head.half()?, head.half()?, head.half()?);
    if told != [MAGIC, VERSION] || owner != pid {
        return None;
    }
    let mut dump = Dump::default();
    let mut rest = Rest(bytes.get(length..)?);
    while let Some((kind, body)) = rest.record() {
        if dump.add(kind, body).is_none() {
            break;
        }
    }
    Some(dump.map())
}

/// Code as it was loaded.
struct Code<'a> {
    start: u64,
    size: u64,
    name: String,
    lines: Vec<(u64, u32, &'a str)>,
}

#[derive(Default)]
struct Dump<'a> {
    codes: Vec<Code<'a>>,
    /// By the code's number, the newest.
    by_number: HashMap<u64, usize>,
    /// Lines come before the code they are of, by its address.
    waiting: HashMap<u64, Vec<(u64, u32, &'a str)>>,
}

impl<'a> Dump<'a> {
    /// `None` when the record is damaged.
    fn add(&mut self, kind: u32, mut body: Rest<'a>) -> Option<()> {
        match kind {
            LOAD => {
                let [_threads, _vma, start, size, number] = body.words()?;
                let name = String::from_utf8_lossy(body.text()?).into_owned();
                let lines = self.waiting.remove(&start).unwrap_or_default();
                self.by_number.insert(number, self.codes.len());
                self.codes.push(Code { start, size, name, lines });
            }
            MOVE => {
                let [_threads, _vma, old, new, size, number] = body.words()?;
                let code = self.codes.get(*self.by_number.get(&number)?).filter(|code| code.start == old);
                if let Some(code) = code {
                    let moved = |at: u64| at.wrapping_sub(old).wrapping_add(new);
                    let lines =
                        code.lines.iter().map(|(at, line, file)| (moved(*at), *line, *file)).collect();
                    let code = Code { start: new, size, name: code.name.clone(), lines };
                    self.by_number.insert(number, self.codes.len());
                    self.codes.push(code);
                }
            }
            LINES => {
                let [start, count] = body.words()?;
                // Lines that make no sense are none; the record's own length tells where the next one begins.
                let lines = lines(&mut body, count).unwrap_or_default();
                self.waiting.insert(start, lines);
            }
            _ => {}
        }
        Some(())
    }

    fn map(self) -> PerfMap {
        let declared = declared(&self.codes);
        let mut map = PerfMap::default();
        for code in &self.codes {
            let Some(end) = code.start.checked_add(code.size).filter(|end| *end > code.start) else {
                continue;
            };
            map.add_lined(code.start, end, code.name.as_str().into(), believed(code, &declared));
        }
        map
    }
}

/// The lines at which functions of each file begin, as far as V8 names them.
fn declared(codes: &[Code<'_>]) -> HashMap<String, BTreeSet<u32>> {
    let mut declared: HashMap<String, BTreeSet<u32>> = HashMap::new();
    for code in codes {
        if let Some(Generated { file: Some(file), line: Some(line), .. }) = scripted(&code.name) {
            declared.entry(file).or_default().insert(line);
        }
    }
    declared
}

fn scripted(name: &str) -> Option<Generated> {
    (Maker::of(name) == Some(Maker::V8)).then(|| generated::decode(name, Some(Maker::V8)))
}

/// The lines of a piece of code that can only be its own.
fn believed(code: &Code<'_>, declared: &HashMap<String, BTreeSet<u32>>) -> Arc<[Line]> {
    let function = scripted(&code.name);
    let shift = if function.is_some() { V8_SHIFT } else { 0 };
    if function.is_some() && !V8_OPTIMISED.iter().any(|tier| code.name.starts_with(tier)) {
        return Arc::default();
    }
    let is_own = |file: &str, line: u32| {
        let Some(function) = &function else { return true };
        let (Some(own), Some(begun)) = (function.file.as_deref(), function.line) else { return false };
        let file = file.strip_prefix("file://").unwrap_or(file);
        let others = declared.get(own);
        // Where another function begins in between, the line may be one of it.
        file == own
            && begun <= line
            && others.is_none_or(|others| !others.iter().any(|other| *other > begun && *other <= line))
    };
    let mut before = code.start;
    let mut believed = Vec::new();
    for (at, line, file) in &code.lines {
        let at = at.wrapping_sub(shift);
        if at < before || at - code.start > code.size {
            return Arc::default();
        }
        before = at;
        let place = is_own(file, *line).then(|| (Arc::from(*file), *line));
        believed.push(Line { at, place });
    }
    believed.into()
}

/// The entries of a record of lines: address, line, file. `None` when they do not fill it.
fn lines<'a>(body: &mut Rest<'a>, count: u64) -> Option<Vec<(u64, u32, &'a str)>> {
    let mut lines = Vec::new();
    let mut file: Option<&str> = None;
    for _ in 0..count {
        let (at, line, _column) = (body.word()?, body.half()?, body.half()?);
        let name = body.text()?;
        if name != SAME_FILE {
            file = Some(std::str::from_utf8(name).ok().filter(|name| !name.is_empty())?);
        }
        lines.push((at, line, file?));
    }
    // Records are filled up to whole words.
    (body.0.len() < 8).then_some(lines)
}

/// What has not been read yet. Dumps have the byte order of the machine that wrote them; only ours is read.
#[derive(Clone, Copy)]
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn half(&mut self) -> Option<u32> {
        self.take().map(u32::from_ne_bytes)
    }

    fn word(&mut self) -> Option<u64> {
        self.take().map(u64::from_ne_bytes)
    }

    fn words<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.word()?;
        }
        Some(words)
    }

    /// Up to the next zero byte.
    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.0.iter().position(|byte| *byte == 0)?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest.get(1..)?;
        Some(text)
    }

    /// The kind and body of the next record. `None` at the end, or when it is cut.
    fn record(&mut self) -> Option<(u32, Self)> {
        let mut head = *self;
        let (kind, size) = (head.half()?, usize::try_from(head.half()?).ok()?);
        let (record, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        record.get(16..).map(|body| (kind, Self(body)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u32, body: &[u8]) -> Vec<u8> {
        let size = u32::try_from(body.len() + 16).unwrap();
        [&kind.to_ne_bytes()[..], &size.to_ne_bytes(), &7_u64.to_ne_bytes(), body].concat()
    }

    fn words(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    fn load(start: u64, size: u64, number: u64, name: &str) -> Vec<u8> {
        let code = vec![0xcc; usize::try_from(size).unwrap()];
        record(LOAD, &[&words(&[9, start, start, size, number])[..], name.as_bytes(), b"\0", &code].concat())
    }

    fn lines(start: u64, entries: &[(u64, u32, &[u8])]) -> Vec<u8> {
        let mut body = words(&[start, entries.len() as u64]);
        for (at, line, file) in entries {
            body.extend([&at.to_ne_bytes()[..], &line.to_ne_bytes(), &[0; 4], file, b"\0"].concat());
        }
        record(LINES, &body)
    }

    fn dump(records: &[Vec<u8>]) -> Vec<u8> {
        let head = [MAGIC, VERSION, 40, 62, 0, 9].iter().flat_map(|half| half.to_ne_bytes());
        head.chain([0; 16]).chain(records.concat()).collect()
    }

    fn line(map: &PerfMap, address: u64) -> Option<(&str, u32)> {
        map.line(address)
    }

    #[test]
    fn code_has_its_name_and_lines_wherever_it_goes() {
        let entries: [(u64, u32, &[u8]); 2] = [(0x1000, 3, b"/a.x"), (0x1008, 4, SAME_FILE)];
        let moved = record(MOVE, &words(&[9, 0, 0x1000, 0x5000, 0x10, 1]));
        let bytes = dump(&[lines(0x1000, &entries), load(0x1000, 0x10, 1, "first"), moved]);
        let map = parse(&bytes, 9).unwrap();
        assert_eq!(
            [map.name(0x1007), map.name(0x1010), map.name(0x500f)],
            [Some("first"), None, Some("first")]
        );
        assert_eq!(line(&map, 0x1007), Some(("/a.x", 3)));
        assert_eq!(line(&map, 0x5008), Some(("/a.x", 4)));
    }

    #[test]
    fn lines_of_v8_are_used_where_they_can_only_be_the_functions_own() {
        let file: &[u8] = b"/fib.js";
        let start = 0x1000;
        let at = |offset: u64| start + V8_SHIFT + offset;
        let entries = [(at(0), 2, file), (at(4), 3, file), (at(8), 21, file), (at(12), 5, b"/other.js")];
        let check = |name: &str, expected: [Option<u32>; 4]| {
            let other = load(0x9000, 0x10, 2, "JS:~other /fib.js:20:1");
            let bytes = dump(&[other, lines(start, &entries), load(start, 0x10, 1, name)]);
            let map = parse(&bytes, 9).unwrap();
            assert_eq!(
                [0, 4, 8, 12].map(|offset| line(&map, start + offset).map(|(_, line)| line)),
                expected
            );
        };
        check("JS:*fib /fib.js:2:1", [Some(2), Some(3), None, None]);
        // Places in the bytecode.
        check("JS:^fib /fib.js:2:1", [None; 4]);
        check("JS:*'other /fib.js:20:1", [None, None, Some(21), None]);
    }

    #[test]
    fn lines_that_make_no_sense_are_none_and_the_name_stays() {
        let freed: &[u8] = b"0\x7f\x01\0\0\0";
        let outside: [(u64, u32, &[u8]); 1] = [(0x9000, 3, b"/a.x")];
        for entries in [lines(0x1000, &[(0x1000, 3, freed), (0x1004, 4, freed)]), lines(0x1000, &outside)] {
            let map = parse(&dump(&[entries, load(0x1000, 0x10, 1, "first")]), 9).unwrap();
            assert_eq!((map.name(0x1004), line(&map, 0x1004)), (Some("first"), None));
        }
    }

    #[test]
    fn a_dump_that_is_cut_anywhere_keeps_its_whole_records() {
        let bytes = dump(&[load(0x1000, 0x10, 1, "first"), load(0x2000, 0x10, 2, "second")]);
        for length in 0..bytes.len() {
            let map = parse(&bytes[..length], 9);
            assert!(map.is_none_or(|map| map.name(0x2000).is_none()), "cut at {length}");
        }
        let map = parse(&bytes, 9).unwrap();
        assert_eq!((map.name(0x1000), map.name(0x2000)), (Some("first"), Some("second")));
    }

    #[test]
    fn a_dump_of_another_process_is_none() {
        assert!(parse(&dump(&[load(0x1000, 0x10, 1, "first")]), 8).is_none());
        assert!(is_dump(b"/tmp/jit-12.dump"));
        assert!(!is_dump(b"/tmp/jit-x.dump") && !is_dump(b"/tmp/jit-12.dump.old"));
    }
}
