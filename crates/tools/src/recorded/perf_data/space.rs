//! Which code lay where: the mappings of every process while the file is read.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A file mapped as code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    end: u64,
    /// Added to an address it gives the place in the file.
    shift: u64,
    pub(super) module: u32,
}

impl Region {
    pub(super) fn place(&self, address: u64) -> u64 {
        address.wrapping_add(self.shift)
    }
}

/// The mappings of all processes. A child shares its parent's until one of them maps something.
#[derive(Default)]
pub(super) struct Spaces {
    of: HashMap<u32, Rc<BTreeMap<u64, Region>>>,
}

impl Spaces {
    pub(super) fn map(&mut self, pid: u32, start: u64, length: u64, offset: u64, module: Option<u32>) {
        let end = start.saturating_add(length);
        let space = Rc::make_mut(self.of.entry(pid).or_default());
        clear(space, start, end);
        if let Some(module) = module.filter(|_| end > start) {
            space.insert(start, Region { end, shift: offset.wrapping_sub(start), module });
        }
    }

    pub(super) fn fork(&mut self, parent: u32, child: u32) {
        if parent != child
            && let Some(space) = self.of.get(&parent).cloned()
        {
            self.of.insert(child, space);
        }
    }

    pub(super) fn forget(&mut self, pid: u32) {
        self.of.remove(&pid);
    }

    pub(super) fn find(&self, pid: u32, address: u64) -> Option<Region> {
        let (_, region) = self.of.get(&pid)?.range(..=address).next_back()?;
        (address < region.end).then_some(*region)
    }
}

/// Cuts a hole: what was mapped there is gone.
fn clear(space: &mut BTreeMap<u64, Region>, start: u64, end: u64) {
    let before = space.range(..start).next_back().map(|(at, region)| (*at, *region));
    if let Some((at, region)) = before.filter(|(_, region)| region.end > start) {
        space.insert(at, Region { end: start, ..region });
        if region.end > end {
            space.insert(end, region);
        }
    }
    while let Some((at, region)) = space.range(start..end).next().map(|(at, region)| (*at, *region)) {
        space.remove(&at);
        if region.end > end {
            space.insert(end, region);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_mapping_hides_what_lay_there() {
        let mut spaces = Spaces::default();
        spaces.map(1, 100, 100, 0, Some(0));
        spaces.map(1, 120, 30, 1000, Some(1));
        let places = [99, 100, 119, 120, 149, 150, 199, 200];
        let found = places.map(|at| spaces.find(1, at).map(|region| (region.module, region.place(at))));
        let expected = [
            None,
            Some((0, 0)),
            Some((0, 19)),
            Some((1, 1000)),
            Some((1, 1029)),
            Some((0, 50)),
            Some((0, 99)),
            None,
        ];
        assert_eq!(found, expected);
        spaces.map(1, 90, 200, 0, None);
        assert_eq!(places.map(|at| spaces.find(1, at)), [None; 8]);
    }

    #[test]
    fn a_child_begins_with_its_parents_mappings() {
        let mut spaces = Spaces::default();
        spaces.map(1, 100, 100, 0, Some(0));
        spaces.fork(1, 2);
        spaces.map(2, 100, 100, 0, Some(1));
        assert_eq!(spaces.find(1, 150).map(|region| region.module), Some(0));
        assert_eq!(spaces.find(2, 150).map(|region| region.module), Some(1));
        spaces.forget(2);
        assert_eq!(spaces.find(2, 150), None);
    }
}
