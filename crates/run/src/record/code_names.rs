//! Names of the code that processes make, by the maps they write, each as of the moment when it was hit.

use std::collections::HashMap;
use std::time::SystemTime;

use stacks::{GrowingMap, Grown, Raw, Tree};

/// The maps of the processes whose generated code was hit.
#[derive(Debug, Default)]
pub(super) struct CodeNames {
    maps: HashMap<u32, GrowingMap>,
    /// Stacks through generated code of processes that had no map.
    without: HashMap<u32, u32>,
    /// Something was added to one of them at the last look.
    pub(super) grew: bool,
}

impl CodeNames {
    /// Reads what was added to the maps.
    pub(super) fn look(&mut self, now: u64) {
        self.grew = false;
        for map in self.maps.values_mut() {
            self.grew |= map.read(now);
        }
    }

    /// Names what it can of a stack that a process had at a moment. `None`: it still has it. A map is believed that was
    /// written since `since`.
    pub(super) fn name(
        &mut self,
        (pid, at): (u32, Option<u64>),
        frames: &mut [Raw],
        tree: &mut Tree,
        since: impl FnOnce() -> SystemTime,
    ) {
        let mut unnamed = frames.iter_mut().filter(|raw| matches!(raw, Raw::Anonymous { .. })).peekable();
        if unnamed.peek().is_none() {
            return;
        }
        let Some(map) = self.map(pid, since) else { return };
        for raw in unnamed {
            let Raw::Anonymous { address, .. } = *raw else { continue };
            let name = match at {
                Some(at) => map.name(address, at),
                None => map.newest(address),
            };
            if let Some(name) = name {
                *raw = tree.label(name, map.maker());
            }
        }
    }

    fn map(&mut self, pid: u32, since: impl FnOnce() -> SystemTime) -> Option<&mut GrowingMap> {
        if !self.maps.contains_key(&pid) {
            let stacks = self.without.entry(pid).or_insert(0);
            *stacks = stacks.saturating_add(1);
            // Whoever writes one begins with it; to look for it costs as much as some hits.
            let map = stacks.is_power_of_two().then(|| GrowingMap::open(pid, since())).flatten()?;
            self.maps.insert(pid, map);
            self.without.remove(&pid);
        }
        self.maps.get_mut(&pid)
    }

    /// The process runs another program, whose code it will be.
    pub(super) fn forget(&mut self, pid: u32) {
        self.maps.remove(&pid);
        self.without.remove(&pid);
    }

    pub(super) fn ended(&mut self, pid: u32, now: u64) {
        if let Some(map) = self.maps.get_mut(&pid) {
            map.close(now);
        }
        self.without.remove(&pid);
    }

    /// What each map told in the end.
    pub(super) fn grown(self) -> impl Iterator<Item = (u32, Grown)> {
        self.maps.into_iter().map(|(pid, map)| (pid, map.grown()))
    }
}
