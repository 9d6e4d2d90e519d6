//! A perf map that is read while its process goes on: what code at an address was called at a moment.
//!
//! Runtimes free code and put other code at its place, and nothing in the map tells when. But a line is there before its
//! code runs (checked with Node 20, which writes line by line), so each line has a moment by which it was there: when it
//! was read, or somewhat after the last writing where that was longer ago.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::perf_map::{self, Maker, PerfMap, SIZE_LIMIT};

/// Clocks of files advance once in a tick of the kernel, at most so far apart.
const FILE_TICK: Duration = Duration::from_millis(10);

/// Addresses without a name that are kept until a line comes for them.
const MOST_UNNAMED: usize = 100_000;

/// The map of one process as far as it was written.
#[derive(Debug)]
pub struct GrowingMap {
    /// `None` once it is known to grow no more.
    file: Option<File>,
    /// Bytes of the file that were read.
    read: u64,
    /// A line without its end yet.
    rest: Vec<u8>,
    /// Lines that were not there yet at the last moment asked for.
    waiting: VecDeque<Batch>,
    map: PerfMap,
    /// Addresses that had no name when they were asked for, and the first that they got later.
    unnamed: BTreeMap<u64, Option<Arc<str>>>,
}

/// Lines that were there by a moment.
#[derive(Debug)]
struct Batch {
    by: u64,
    lines: Vec<Line>,
}

type Line = (u64, u64, Arc<str>);

/// What a whole map told.
#[derive(Debug)]
pub struct Grown {
    /// The newest names.
    pub map: PerfMap,
    /// Names of addresses that had none when they were asked for.
    pub later: Vec<(u64, Arc<str>)>,
}

impl GrowingMap {
    /// The map of a process that lives, as far as it is written; all of that was there when it was opened. `None` when
    /// there is none, or it was last written before `since`.
    #[must_use]
    pub fn open(pid: u32, since: SystemTime) -> Option<Self> {
        let file = perf_map::places(pid).iter().find_map(|place| perf_map::open_since(place, since))?;
        let mut map = Self::new(Some(file));
        map.read(0);
        map.settle(0);
        Some(map)
    }

    fn new(file: Option<File>) -> Self {
        let (waiting, unnamed) = (VecDeque::new(), BTreeMap::new());
        Self { file, read: 0, rest: Vec::new(), waiting, map: PerfMap::default(), unnamed }
    }

    /// Takes what was added, `now` in nanoseconds. Returns whether anything was.
    pub fn read(&mut self, now: u64) -> bool {
        let mut bytes = Vec::new();
        let Some(by) = self.added(&mut bytes, now).filter(|_| !bytes.is_empty()) else { return false };
        self.take(&bytes, by);
        true
    }

    fn added(&mut self, bytes: &mut Vec<u8>, now: u64) -> Option<u64> {
        let file = self.file.as_mut()?;
        let metadata = file.metadata().ok()?;
        if metadata.len() == self.read || self.read >= SIZE_LIMIT {
            return None;
        }
        if metadata.len() < self.read {
            // Begun anew: the next read is from its beginning.
            use std::io::{Seek, SeekFrom};
            file.seek(SeekFrom::Start(0)).ok()?;
            (self.read, self.rest) = (0, Vec::new());
        }
        let age = metadata.modified().ok().and_then(|written| SystemTime::now().duration_since(written).ok());
        let age = age.unwrap_or_default().saturating_sub(FILE_TICK);
        self.read += file.take(SIZE_LIMIT - self.read).read_to_end(bytes).ok()? as u64;
        Some(now.saturating_sub(u64::try_from(age.as_nanos()).unwrap_or(u64::MAX)))
    }

    fn take(&mut self, bytes: &[u8], by: u64) {
        let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else {
            self.rest.extend_from_slice(bytes);
            return;
        };
        let (whole, rest) = bytes.split_at(end + 1);
        let whole = [std::mem::replace(&mut self.rest, rest.to_vec()).as_slice(), whole].concat();
        let lines = whole.split_inclusive(|byte| *byte == b'\n');
        let lines = lines.filter_map(perf_map::parse_line);
        let lines = lines.map(|(start, end, name)| (start, end, Arc::from(name))).collect();
        self.waiting.push_back(Batch { by, lines });
    }

    /// It is written no more.
    pub fn close(&mut self, now: u64) {
        self.read(now);
        self.file = None;
    }

    /// What code at an address was called at a moment: by the newest line that was there by then, or the first that has
    /// come since. Moments must come in order. `None` while there is neither.
    pub fn name(&mut self, address: u64, at: u64) -> Option<Arc<str>> {
        self.settle(at);
        let later = || self.lines().find(|line| holds(line, address)).map(|(_, _, name)| name);
        let found = self.map.label(address).or_else(later).cloned();
        if found.is_none() && self.unnamed.len() < MOST_UNNAMED {
            self.unnamed.entry(address).or_insert(None);
        }
        found
    }

    /// What code at an address is called now.
    #[must_use]
    pub fn newest(&self, address: u64) -> Option<Arc<str>> {
        let added = self.lines().rfind(|line| holds(line, address)).map(|(_, _, name)| name);
        added.or_else(|| self.map.label(address)).cloned()
    }

    fn lines(&self) -> impl DoubleEndedIterator<Item = &Line> {
        self.waiting.iter().flat_map(|batch| &batch.lines)
    }
    #[must_use]
    pub fn maker(&self) -> Option<Maker> {
        self.map.maker()
    }

    /// All that it tells when nothing more is written.
    #[must_use]
    pub fn grown(mut self) -> Grown {
        self.close(u64::MAX);
        self.settle(u64::MAX);
        let later = self.unnamed.into_iter().filter_map(|(address, name)| Some((address, name?)));
        Grown { map: self.map, later: later.collect() }
    }

    /// Lets lines come into force that were there by a moment.
    fn settle(&mut self, at: u64) {
        while self.waiting.front().is_some_and(|batch| batch.by <= at) {
            for (start, end, name) in self.waiting.pop_front().into_iter().flat_map(|batch| batch.lines) {
                for (_, later) in self.unnamed.range_mut(start..end).filter(|(_, later)| later.is_none()) {
                    *later = Some(Arc::clone(&name));
                }
                self.map.add(start, end, name);
            }
        }
    }
}

fn holds((start, end, _): &Line, address: u64) -> bool {
    (*start..*end).contains(&address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(batches: &[(u64, &str)]) -> GrowingMap {
        let mut map = GrowingMap::new(None);
        batches.iter().for_each(|(by, text)| map.take(text.as_bytes(), *by));
        map
    }

    #[track_caller]
    fn check(map: &mut GrowingMap, address: u64, at: u64, expected: Option<&str>) {
        assert_eq!(map.name(address, at).as_deref(), expected, "{address:x} at {at}");
    }

    #[test]
    fn code_has_the_name_of_its_time_and_not_that_of_what_took_its_place() {
        let mut map = grown(&[(10, "100 100 old\n"), (20, "180 40 new\n"), (30, "100 100 newest\n")]);
        check(&mut map, 0x190, 10, Some("old"));
        assert_eq!(map.newest(0x190).as_deref(), Some("newest"));
        check(&mut map, 0x190, 19, Some("old"));
        check(&mut map, 0x190, 20, Some("new"));
        check(&mut map, 0x1d0, 29, Some("old"));
        check(&mut map, 0x190, 40, Some("newest"));
    }

    #[test]
    fn where_none_was_there_yet_the_first_that_came_counts() {
        let mut map = grown(&[(20, "100 100 first\n"), (30, "100 100 second\n")]);
        check(&mut map, 0x110, 5, Some("first"));
        // It comes only after it was asked for.
        check(&mut map, 0x510, 6, None);
        map.take(b"500 20 later\n", 40);
        map.take(b"500 20 too late\n", 50);
        let grown = map.grown();
        assert_eq!(grown.later, [(0x510, "later".into())]);
        assert_eq!(grown.map.name(0x510), Some("too late"));
    }

    #[test]
    fn a_line_that_is_read_in_pieces_is_one_line() {
        let mut map = grown(&[(10, "100 10"), (11, "0 na"), (12, "me\n300 1")]);
        check(&mut map, 0x110, 12, Some("name"));
        check(&mut map, 0x300, 12, None);
    }

    #[test]
    fn a_file_is_followed_and_may_begin_anew() {
        use std::io::Write;
        let path = std::env::temp_dir().join(format!("slowpath-growing-{}", std::process::id()));
        let mut file = File::create(&path).unwrap();
        file.write_all(b"100 100 old\n").unwrap();
        let mut map = GrowingMap::new(Some(File::open(&path).unwrap()));
        assert!(map.read(10) && !map.read(11));
        file.write_all(b"100 100 new\n").unwrap();
        assert!(map.read(20));
        check(&mut map, 0x110, 10, Some("old"));
        check(&mut map, 0x110, 20, Some("new"));
        File::create(&path).unwrap().write_all(b"9 1 x\n").unwrap();
        assert!(map.read(30));
        check(&mut map, 0x9, 30, Some("x"));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn lines_of_long_ago_are_not_of_the_moment_they_were_read() {
        let path = std::env::temp_dir().join(format!("slowpath-growing-old-{}", std::process::id()));
        std::fs::write(&path, b"100 100 old\n").unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_millis(500)).unwrap();
        let mut map = GrowingMap::new(Some(File::open(&path).unwrap()));
        map.read(1_000_000_000);
        assert!((400_000_000..520_000_000).contains(&map.waiting[0].by), "{}", map.waiting[0].by);
        std::fs::remove_file(path).unwrap();
    }
}
