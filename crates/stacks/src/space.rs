//! The address space of one process: which piece of code lies where.

use std::sync::Arc;

use crate::raw::{Mapping, ModuleId};

/// Executable memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// `None` where no file is behind it.
    pub(crate) backing: Option<Backing>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Backing {
    pub(crate) module: ModuleId,
    /// Subtracted from an address it gives the module's own.
    pub(crate) bias: u64,
}

/// Regions in order of address, none overlapping. A forked process shares its parent's until one of the two changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Space {
    regions: Arc<Vec<Region>>,
    /// Spaces of the same version are the same.
    pub(crate) version: u64,
}

impl Space {
    pub(crate) fn find(&self, address: u64) -> Option<&Region> {
        let after = self.regions.partition_point(|region| region.start <= address);
        self.regions.get(after.checked_sub(1)?).filter(|region| address < region.end)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    pub(crate) fn insert(&mut self, region: Region) {
        self.remove(region.start, region.end);
        let regions = Arc::make_mut(&mut self.regions);
        let at = regions.partition_point(|other| other.start < region.start);
        regions.insert(at, region);
    }

    /// Cuts out a range; what lies beside it stays.
    pub(crate) fn remove(&mut self, start: u64, end: u64) {
        let first = self.regions.partition_point(|region| region.end <= start);
        let last = self.regions.partition_point(|region| region.start < end);
        if first >= last {
            return;
        }
        let regions = Arc::make_mut(&mut self.regions);
        let rests: Vec<Region> = regions
            .get(first..last)
            .unwrap_or_default()
            .iter()
            .flat_map(|region| {
                let before = Region { end: region.end.min(start), ..*region };
                let after = Region { start: region.start.max(end), ..*region };
                [before, after]
            })
            .filter(|rest| rest.start < rest.end)
            .collect();
        regions.splice(first..last, rests);
    }
}

/// The mappings in the text of `/proc/PID/maps` (`proc_pid_maps(5)`). Lines that are none are passed over: the kernel
/// writes the file, and a reader that raced with an exit sees it cut.
pub fn parse_maps(text: &[u8]) -> impl Iterator<Item = Mapping> {
    text.split(|byte| *byte == b'\n').filter_map(parse_line)
}

fn parse_line(line: &[u8]) -> Option<Mapping> {
    let mut fields = line.splitn(6, |byte| *byte == b' ');
    let mut next = || std::str::from_utf8(fields.next()?).ok();
    let (start, end) = next()?.split_once('-')?;
    let executable = next()?.as_bytes().get(2) == Some(&b'x');
    let offset = u64::from_str_radix(next()?, 16).ok()?;
    let (_device, _inode) = (next()?, next()?);
    let path = fields.next().unwrap_or_default().trim_ascii_start().to_vec();
    let start = u64::from_str_radix(start, 16).ok()?;
    let end = u64::from_str_radix(end, 16).ok()?;
    (start < end).then_some(Mapping { start, end, offset, path, executable })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(start: u64, end: u64) -> Region {
        Region { start, end, backing: None }
    }

    fn bounds(space: &Space) -> Vec<(u64, u64)> {
        space.regions.iter().map(|region| (region.start, region.end)).collect()
    }

    #[test]
    fn a_new_mapping_replaces_what_it_overlaps_and_leaves_the_rest() {
        let mut space = Space::default();
        space.insert(region(10, 20));
        space.insert(region(30, 40));
        space.insert(region(15, 35));
        assert_eq!(bounds(&space), [(10, 15), (15, 35), (35, 40)]);
        space.insert(region(17, 18));
        assert_eq!(bounds(&space), [(10, 15), (15, 17), (17, 18), (18, 35), (35, 40)]);
        space.remove(0, 100);
        assert!(space.is_empty());
    }

    #[test]
    fn an_address_is_found_in_its_region_only() {
        let mut space = Space::default();
        space.insert(region(10, 20));
        assert!(space.find(9).is_none());
        assert!(space.find(10).is_some());
        assert!(space.find(19).is_some());
        assert!(space.find(20).is_none());
    }

    #[test]
    fn a_child_keeps_its_mappings_when_the_parent_changes() {
        let mut parent = Space::default();
        parent.insert(region(10, 20));
        let child = parent.clone();
        assert!(Arc::ptr_eq(&parent.regions, &child.regions));
        parent.remove(0, 100);
        assert!(child.find(15).is_some());
    }

    #[test]
    fn a_line_of_maps_is_read_with_spaces_in_its_path() {
        let text = b"7f00-8f00 r-xp 00001000 fe:01 123                        /tmp/a b (deleted)\n55-56 rw-p 0 0:0 0 \n7f";
        let maps: Vec<Mapping> = parse_maps(text).collect();
        assert_eq!(maps.len(), 2);
        assert_eq!(maps[0].path, b"/tmp/a b (deleted)");
        assert_eq!((maps[0].start, maps[0].end, maps[0].offset), (0x7f00, 0x8f00, 0x1000));
        assert!(maps[0].executable && !maps[1].executable);
        assert!(maps[1].path.is_empty());
    }
}
