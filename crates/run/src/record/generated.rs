//! Machine code that processes make while they run: no file holds it, so it is copied where it is hit.
//!
//! Code at an address may be replaced by newer code, so a page that is hit is copied again at each look, and its
//! neighbours whenever another address is hit. What a piece is called and where it ends, the maps tell at the end.

use std::collections::{BTreeMap, BTreeSet};

use stacks::generated::{decode, is_compiled};
use stacks::{PerfMap, PerfMaps, Raw};

use super::memory::read_memory;

const PAGE: u64 = 4096;

/// Copied before and behind a page that is hit. Few compiled functions are longer than 32 KiB.
const AROUND: u64 = 8;

/// Pages that are kept, 8 MiB.
const MOST_PAGES: usize = 2048;

/// Addresses that are counted. Hot loops have some hundred.
const MOST_ADDRESSES: usize = 100_000;

/// What one process made and ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    pub pid: u32,
    /// Compiled functions that were hit, in address order.
    pub pieces: Vec<Piece>,
    /// Every address that was hit, with the time on a CPU it stands for.
    pub hits: Vec<(u64, u64)>,
    /// Of that, time in code that no compiler made of a function: interpreter, stubs, first drafts.
    pub interpreted: u64,
    /// Of that, time in code that was gone before it could be copied.
    pub missed: u64,
}

/// One function, or what lies around an address that nothing names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// With file and line, as far as its runtime tells them.
    pub name: Option<String>,
    pub start: u64,
    pub bytes: Vec<u8>,
    /// It is longer than what was copied.
    pub cut: bool,
}

/// Hits in generated code, and the pages around them.
#[derive(Debug, Default)]
pub(super) struct GeneratedCode {
    /// By process and address.
    hits: BTreeMap<(u32, u64), u64>,
    /// By process and page.
    pages: BTreeMap<(u32, u64), Vec<u8>>,
    /// To be copied at the next look.
    wanted: BTreeSet<(u32, u64)>,
}

impl GeneratedCode {
    pub(super) fn hit(&mut self, frame: Raw, weight: u64) {
        let Raw::Anonymous { pid, address } = frame else { return };
        let page = address / PAGE;
        self.wanted.insert((pid, page));
        if self.hits.len() >= MOST_ADDRESSES && !self.hits.contains_key(&(pid, address)) {
            return;
        }
        let known = self.hits.entry((pid, address)).or_insert(0);
        if *known == 0 {
            let around = page.saturating_sub(AROUND)..=page.saturating_add(AROUND);
            self.wanted.extend(around.map(|page| (pid, page)));
        }
        *known = known.saturating_add(weight);
    }

    /// Copies what was hit since the last look.
    pub(super) fn look(&mut self) {
        self.look_with(read_memory);
    }

    fn look_with(&mut self, read: impl Fn(u32, u64, &mut [u8]) -> usize) {
        let mut page = vec![0; PAGE as usize];
        for (pid, number) in std::mem::take(&mut self.wanted) {
            let is_new = !self.pages.contains_key(&(pid, number));
            let Some(address) = number.checked_mul(PAGE).filter(|_| !is_new || self.pages.len() < MOST_PAGES)
            else {
                continue;
            };
            if read(pid, address, &mut page) == page.len() {
                self.pages.insert((pid, number), page.clone());
            }
        }
    }

    /// What each process made.
    pub(super) fn told(self, maps: &PerfMaps) -> Vec<Generated> {
        let nothing = PerfMap::default();
        let mut all: Vec<Generated> = Vec::new();
        for ((pid, address), weight) in &self.hits {
            if all.last().is_none_or(|last| last.pid != *pid) {
                let (pieces, hits) = (Vec::new(), Vec::new());
                all.push(Generated { pid: *pid, pieces, hits, interpreted: 0, missed: 0 });
            }
            let Some(process) = all.last_mut() else { continue };
            process.hits.push((*address, *weight));
            let map = maps.map(*pid).unwrap_or(&nothing);
            let (_, name) = map.around(*address);
            if name.is_some_and(|name| !is_compiled(name, map.maker())) {
                process.interpreted = process.interpreted.saturating_add(*weight);
                continue;
            }
            if process.pieces.last().is_some_and(|last| last.holds(*address)) {
                continue;
            }
            match self.piece(*pid, *address, map) {
                Some(piece) => process.pieces.push(piece),
                None => process.missed = process.missed.saturating_add(*weight),
            }
        }
        all
    }

    /// What was copied without a hole around an address, within the bounds of its function. `None`: its page was not.
    fn piece(&self, pid: u32, address: u64, map: &PerfMap) -> Option<Piece> {
        let (bounds, name) = map.around(address);
        let page = address / PAGE;
        let has = |page: &u64| self.pages.contains_key(&(pid, *page));
        let within = |page: &u64| {
            let start = page.saturating_mul(PAGE);
            start < bounds.end && start.saturating_add(PAGE) > bounds.start
        };
        let first = (0..=page).rev().take_while(|page| within(page) && has(page)).last()?;
        let last = (page..=u64::MAX / PAGE).take_while(|page| within(page) && has(page)).last()?;
        let copied = first.saturating_mul(PAGE)..last.saturating_add(1).saturating_mul(PAGE);
        let (start, end) = (bounds.start.max(copied.start), bounds.end.min(copied.end));
        let bytes: Vec<u8> =
            (first..=last).filter_map(|page| self.pages.get(&(pid, page))).flatten().copied().collect();
        let from = usize::try_from(start.checked_sub(copied.start)?).ok()?;
        let to = usize::try_from(end.checked_sub(copied.start)?).ok()?;
        let cut = name.is_some() && (start, end) != (bounds.start, bounds.end);
        let name = name.map(|name| told(name, map));
        Some(Piece { name, start, bytes: bytes.get(from..to)?.to_vec(), cut })
    }
}

impl Piece {
    fn holds(&self, address: u64) -> bool {
        address.checked_sub(self.start).is_some_and(|at| at < self.bytes.len() as u64)
    }
}

fn told(name: &str, map: &PerfMap) -> String {
    let found = decode(name, map.maker());
    match (found.file, found.line) {
        (Some(file), Some(line)) => format!("{} ({file}:{line})", found.function),
        (Some(file), None) => format!("{} ({file})", found.function),
        (None, _) => found.function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PID: u32 = 7;

    /// Memory of which pages 16 to 19 are there, each full of its own number.
    fn memory(_: u32, address: u64, buffer: &mut [u8]) -> usize {
        let page = address / PAGE;
        if !(16..20).contains(&page) {
            return 0;
        }
        buffer.fill(page as u8);
        buffer.len()
    }

    fn told_of(addresses: &[u64], map: &str) -> Vec<Generated> {
        let mut code = GeneratedCode::default();
        for address in addresses {
            code.hit(Raw::Anonymous { pid: PID, address: *address }, 1);
        }
        code.look_with(memory);
        let mut maps = PerfMaps::default();
        maps.insert(PID, PerfMap::parse(map.as_bytes()));
        code.told(&maps)
    }

    /// Start, length and whether it is cut, of each piece; then what was missed and what was left alone.
    fn check(addresses: &[u64], map: &str, pieces: &[(u64, usize, bool)], missed: u64, interpreted: u64) {
        let all = told_of(addresses, map);
        let [only] = all.as_slice() else { panic!("{all:?}") };
        let found: Vec<_> =
            only.pieces.iter().map(|piece| (piece.start, piece.bytes.len(), piece.cut)).collect();
        assert_eq!((found.as_slice(), only.missed, only.interpreted), (pieces, missed, interpreted), "{map}");
        assert_eq!(only.hits.len(), addresses.len());
    }

    #[test]
    fn a_function_is_cut_out_of_the_pages_around_its_hits() {
        check(&[0x11004, 0x11ff0], "11000 1100 JS:*f /a.js:1:2\n", &[(0x11000, 0x1100, false)], 0, 0);
        let all = told_of(&[0x11004], "11000 1100 JS:*f /a.js:1:2\n");
        let piece = &all[0].pieces[0];
        assert_eq!(piece.name.as_deref(), Some("f (/a.js:1)"));
        assert_eq!((piece.bytes[0], piece.bytes[0x1000]), (17, 18));
    }

    #[test]
    fn only_what_a_compiler_made_is_looked_at() {
        let map =
            "10000 10 Builtin:Add\n10010 10 JS:~f /a.js:1:2\n10020 10 JS:^f /a.js:1:2\n10030 10 JS:*f a.js\n";
        check(&[0x10001, 0x10011, 0x10021, 0x10031], map, &[(0x10030, 16, false)], 0, 3);
    }

    #[test]
    fn a_hostile_map_bounds_nothing_that_was_not_copied() {
        check(&[0x11004], "0 ffffffffffffffff JS:*all a.js\n", &[(0x10000, 0x4000, true)], 0, 0);
        check(&[0x11004], "11004 0 JS:*none a.js\n", &[(0x10000, 0x4000, false)], 0, 0);
        check(&[0x11004], "ff000 ff JS:*far a.js\n11004 1 JS:*one a.js\n", &[(0x11004, 1, false)], 0, 0);
        let overlapping = "11000 100 JS:*old a.js\n11080 100 JS:*new a.js\n";
        check(&[0x11004, 0x11090], overlapping, &[(0x11000, 0x80, false), (0x11080, 0x100, false)], 0, 0);
        check(&[0, 0x9000, u64::MAX], "9000 10 JS:*gone a.js\n", &[], 3, 0);
        check(&[0xfff0, 0x10004], "ff00 200 JS:*half a.js\n", &[(0x10000, 0x100, true)], 1, 0);
    }

    #[test]
    fn code_that_nothing_names_is_taken_up_to_its_neighbours() {
        check(&[0x11004], "", &[(0x10000, 0x4000, false)], 0, 0);
        check(&[0x11004], "10000 100 JS:*a a.js\n12000 1 JS:*b a.js\n", &[(0x10100, 0x1f00, false)], 0, 0);
    }

    #[test]
    fn a_process_that_is_gone_leaves_its_hits() {
        let mut code = GeneratedCode::default();
        code.hit(Raw::Anonymous { pid: u32::MAX >> 1, address: 0x1000 }, 5);
        code.hit(Raw::Kernel { address: 1 }, 5);
        code.look();
        let all = code.told(&PerfMaps::default());
        assert_eq!((all.len(), all[0].missed, all[0].pieces.len()), (1, 5, 0));
    }

    #[test]
    fn pages_are_bounded_and_those_known_are_renewed() {
        let mut code = GeneratedCode::default();
        for page in 0..5000 {
            code.hit(Raw::Anonymous { pid: PID, address: page * PAGE * 40 }, 1);
        }
        let read = |byte| {
            move |_: u32, _: u64, buffer: &mut [u8]| {
                buffer.fill(byte);
                buffer.len()
            }
        };
        code.look_with(read(1));
        assert_eq!(code.pages.len(), MOST_PAGES);
        code.hit(Raw::Anonymous { pid: PID, address: 0 }, 1);
        code.look_with(read(2));
        assert_eq!(code.pages[&(PID, 0)][0], 2);
        assert_eq!(code.pages[&(PID, 1)][0], 1);
    }
}
