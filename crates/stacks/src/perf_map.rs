//! `/tmp/perf-PID.map`: names that a runtime gives to the code it makes.
//!
//! One line a function: start and size in hexadecimal, then the name up to the end of the line. The form is described in
//! the kernel's `tools/perf/Documentation/jit-interface.txt`; checked with Node 20 (no `0x`) and JDK 17 (with `0x`).

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use model::recording::Language;

use crate::growing_map::Grown;

/// A map that is larger is not read to its end. 2 million functions fit.
pub(crate) const SIZE_LIMIT: u64 = 256 << 20;

/// The names of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerfMap {
    /// By start, not overlapping.
    spans: BTreeMap<u64, Span>,
    maker: Option<Maker>,
    bad_lines: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    end: u64,
    name: Arc<str>,
    lines: Arc<[Line]>,
}

/// From an address on, code is of a place: file and line. `None` where it is of one that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) at: u64,
    pub(crate) place: Option<(Arc<str>, u32)>,
}

/// The runtime that wrote a map, as its names betray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Maker {
    V8,
    Jvm,
    DotNet,
    Python,
    /// LLVM inside the process, by our own list of it.
    Llvm,
}

impl PerfMap {
    /// Never fails: lines that make no sense are counted. So is a last line without its end, whose name may be cut.
    ///
    /// Code is replaced by newer code at the same place, so later lines win over earlier ones. What it was called before,
    /// a [`crate::GrowingMap`] tells.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let mut map = Self::default();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match parse_line(line) {
                Some((start, end, name)) => map.add(start, end, name.into()),
                None => map.bad_lines += 1,
            }
        }
        map
    }

    /// How many lines were none.
    #[must_use]
    pub fn bad_lines(&self) -> usize {
        self.bad_lines
    }

    #[must_use]
    pub fn maker(&self) -> Option<Maker> {
        self.maker
    }

    /// The newest name of the code at an address.
    #[must_use]
    pub fn name(&self, address: u64) -> Option<&str> {
        self.label(address).map(|name| &**name)
    }

    pub(crate) fn label(&self, address: u64) -> Option<&Arc<str>> {
        let (_, span) = self.spans.range(..=address).next_back()?;
        (address < span.end).then_some(&span.name)
    }

    /// Bounds and newest name of the code at an address; where nothing is named, the bounds of the hole.
    #[must_use]
    pub fn around(&self, address: u64) -> (Range<u64>, Option<&str>) {
        let before = self.spans.range(..=address).next_back();
        if let Some((start, span)) = before.filter(|(_, span)| address < span.end) {
            return (*start..span.end, Some(&span.name));
        }
        let after = self.spans.range(address..).next();
        let (start, end) = (before.map_or(0, |(_, span)| span.end), after.map_or(u64::MAX, |(at, _)| *at));
        (start..end, None)
    }

    /// File and line of the code at an address, where its runtime tells.
    pub(crate) fn line(&self, address: u64) -> Option<(&str, u32)> {
        let (_, span) = self.spans.range(..=address).next_back().filter(|(_, span)| address < span.end)?;
        let after = span.lines.partition_point(|line| line.at <= address);
        let (file, line) = span.lines.get(after.checked_sub(1)?)?.place.as_ref()?;
        Some((file, *line))
    }

    pub(crate) fn add(&mut self, start: u64, end: u64, name: Arc<str>) {
        self.add_lined(start, end, name, Arc::default());
    }

    pub(crate) fn add_lined(&mut self, start: u64, end: u64, name: Arc<str>, lines: Arc<[Line]>) {
        self.maker = self.maker.or_else(|| Maker::of(&name));
        self.cut_out(start, end);
        self.spans.insert(start, Span { end, name, lines });
    }

    fn cut_out(&mut self, start: u64, end: u64) {
        let before = self.spans.range(..start).next_back().map(|(at, span)| (*at, span.clone()));
        if let Some((at, span)) = before.filter(|(_, span)| span.end > start) {
            self.spans.insert(at, Span { end: start, ..span.clone() });
            if span.end > end {
                self.spans.insert(end, span);
                return;
            }
        }
        while let Some((at, span)) = self.spans.range(start..end).next().map(|(at, span)| (*at, span.clone()))
        {
            self.spans.remove(&at);
            if span.end > end {
                self.spans.insert(end, span);
            }
        }
    }
}

impl Maker {
    pub(crate) fn of(name: &str) -> Option<Self> {
        const MARKS: [(&str, Maker); 10] = [
            ("Builtin:", Maker::V8),
            ("BytecodeHandler:", Maker::V8),
            ("JS:", Maker::V8),
            ("LazyCompile:", Maker::V8),
            ("Interpreter", Maker::Jvm),
            ("I2C/C2I adapters", Maker::Jvm),
            ("StubRoutines", Maker::Jvm),
            ("VM_Version stub", Maker::Jvm),
            ("py::", Maker::Python),
            ("jit::", Maker::Llvm),
        ];
        let mark = MARKS.iter().find(|(mark, _)| name.starts_with(mark)).map(|(_, maker)| *maker);
        mark.or_else(|| (name.contains("] ") && name.contains("::")).then_some(Self::DotNet))
    }
}

pub(crate) fn parse_line(line: &[u8]) -> Option<(u64, u64, String)> {
    let line = line.strip_suffix(b"\n")?;
    let mut fields = line.splitn(3, |byte| *byte == b' ');
    let start = hexadecimal(fields.next()?)?;
    let size = hexadecimal(fields.next()?)?;
    let name = String::from_utf8_lossy(fields.next()?.trim_ascii_end()).into_owned();
    let end = start.checked_add(size)?;
    (size > 0 && !name.is_empty()).then_some((start, end, name))
}

fn hexadecimal(field: &[u8]) -> Option<u64> {
    let digits = field.strip_prefix(b"0x").unwrap_or(field);
    let text = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'))?;
    u64::from_str_radix(text, 16).ok()
}

/// The folder for temporary files as a process sees it.
const INNER: &str = "root/tmp";

/// The maps of many processes.
#[derive(Clone, Debug, Default)]
pub struct PerfMaps {
    maps: HashMap<u32, PerfMap>,
    /// Names of addresses that had none when they were hit, by process.
    later: HashMap<(u32, u64), Arc<str>>,
    /// Addresses in generated code, by process.
    nameless: HashMap<(u32, u64), Language>,
}

impl PerfMaps {
    pub fn insert(&mut self, pid: u32, map: PerfMap) {
        self.maps.insert(pid, map);
    }

    /// A map that was followed while its process went on.
    pub fn insert_grown(&mut self, pid: u32, grown: Grown) {
        self.later.extend(grown.later.into_iter().map(|(address, name)| ((pid, address), name)));
        self.insert(pid, grown.map);
    }

    /// Code made at run time lies at an address, of this language; if no map names it, it is all one.
    pub fn insert_nameless(&mut self, pid: u32, address: u64, language: Language) {
        self.nameless.insert((pid, address), language);
    }

    pub(crate) fn nameless(&self, pid: u32, address: u64) -> Option<Language> {
        self.nameless.get(&(pid, address)).copied()
    }

    #[must_use]
    pub fn map(&self, pid: u32) -> Option<&PerfMap> {
        self.maps.get(&pid)
    }

    /// What code at an address is called that had no name yet when it was hit: the first one that it got, where that is
    /// known, else the newest.
    pub(crate) fn name(&self, pid: u32, address: u64) -> Option<&str> {
        let newest = || self.map(pid)?.name(address);
        self.later.get(&(pid, address)).map(|name| &**name).or_else(newest)
    }

    /// Reads the map of a process, if it left one. A process in a container writes it under its own root with its own
    /// number; that can be found only while it lives.
    ///
    /// Returns whether there was one. Others may write to `/tmp`: only plain files count. So may an earlier process have
    /// done that had the same number: one last written before `since` is not believed.
    pub fn read(&mut self, pid: u32, since: SystemTime) -> bool {
        let found = places(pid).iter().find_map(|place| read_since(place, since));
        if let Some(bytes) = &found {
            self.insert(pid, PerfMap::parse(bytes));
        }
        found.is_some()
    }

    /// Reads the map that a process of a recording left, if it is no older than the recording: numbers of processes
    /// are used again.
    ///
    /// Returns whether there was one.
    pub(crate) fn read_recorded(&mut self, pid: u32, begun: SystemTime) -> bool {
        let found = read_since(Path::new(&format!("/tmp/perf-{pid}.map")), begun);
        if let Some(bytes) = &found {
            self.insert(pid, PerfMap::parse(bytes));
        }
        found.is_some()
    }
}

/// Where the map of a process may lie.
pub(crate) fn places(pid: u32) -> [PathBuf; 2] {
    let inner = inner_pid(pid).unwrap_or(pid);
    [format!("/proc/{pid}/{INNER}/perf-{inner}.map"), format!("/tmp/perf-{pid}.map")].map(PathBuf::from)
}

/// `None` also when the file was last written before.
pub(crate) fn read_since(place: &Path, since: SystemTime) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open_since(place, since)?.take(SIZE_LIMIT).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// `None` also when the file was last written before.
pub(crate) fn open_since(place: &Path, since: SystemTime) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // A pipe or a link laid there by somebody else must not make us wait or read elsewhere.
    let flags = libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(place).ok()?;
    let metadata = file.metadata().ok()?;
    (metadata.is_file() && metadata.modified().ok()? >= since).then_some(file)
}

/// The number a process has in its own container.
fn inner_pid(pid: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("NSpid:"))?.split_whitespace().next_back()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_code_wins_where_it_lies_over_earlier_code() {
        let map = PerfMap::parse(b"100 100 old\n180 10 new\n0x300 0x10 LFoo;::bar(I)V x\n");
        let named = |address| map.name(address);
        assert_eq!(named(0xff), None);
        assert_eq!(named(0x100), Some("old"));
        assert_eq!(named(0x180), Some("new"));
        assert_eq!(named(0x18f), Some("new"));
        assert_eq!(named(0x190), Some("old"));
        assert_eq!(named(0x200), None);
        assert_eq!(named(0x305), Some("LFoo;::bar(I)V x"));
        assert_eq!(map.bad_lines(), 0);
    }

    #[test]
    fn an_address_lies_in_a_function_or_in_the_hole_between_two() {
        let map = PerfMap::parse(b"100 100 old\n180 10 new\n300 10 last\n");
        assert_eq!(map.around(0x17f), (0x100..0x180, Some("old")));
        assert_eq!(map.around(0x180), (0x180..0x190, Some("new")));
        assert_eq!(map.around(0x200), (0x200..0x300, None));
        assert_eq!(map.around(0xff), (0..0x100, None));
        assert_eq!(map.around(u64::MAX), (0x310..u64::MAX, None));
        assert_eq!(PerfMap::default().around(5), (0..u64::MAX, None));
    }

    #[test]
    fn code_that_covers_several_older_pieces_replaces_them() {
        let map = PerfMap::parse(b"10 10 a\n20 10 b\n30 10 c\n18 20 d\n");
        assert_eq!(
            [0x17, 0x18, 0x2f, 0x37, 0x38].map(|at| map.name(at)),
            [Some("a"), Some("d"), Some("d"), Some("d"), Some("c")]
        );
    }

    #[test]
    fn lines_that_are_none_are_counted() {
        let map = PerfMap::parse(b"zz 10 a\n10 0 b\n10 10\nffffffffffffffff 10 c\n+10 1 e\n10 10 cut");
        assert_eq!(map.bad_lines(), 6);
        assert_eq!(map.name(0x10), None);
    }
}
