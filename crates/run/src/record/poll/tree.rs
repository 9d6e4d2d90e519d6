//! Who belongs to a process tree.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Instant;

use super::stat::Stat;

/// A process and its threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Living {
    pub(crate) pid: u32,
    /// `None` for the first one.
    pub(crate) parent: Option<u32>,
    pub(crate) threads: Vec<u32>,
}

/// A process and its descendants, parents first. Empty when it is gone.
pub(crate) fn tree_of(pid: u32) -> Vec<Living> {
    let mut tree: Vec<Living> = Vec::new();
    let mut queue = vec![(pid, None)];
    if !has_children_files() {
        queue.extend(descendants(&[pid]).into_iter().map(|(pid, parent)| (pid, Some(parent))));
        queue.reverse();
    }
    while let Some((pid, parent)) = queue.pop() {
        let threads = threads_of(pid);
        if threads.is_empty() || tree.iter().any(|living| living.pid == pid) {
            continue;
        }
        let children = threads.iter().flat_map(|tid| children_of(pid, *tid));
        queue.extend(children.map(|child| (child, Some(pid))));
        tree.push(Living { pid, parent, threads });
    }
    tree
}

/// Whether the kernel lists children (`CONFIG_PROC_CHILDREN`).
pub(super) fn has_children_files() -> bool {
    Path::new("/proc/thread-self/children").exists()
}

/// The children a thread has, zombies included. Empty when it is gone or the kernel has no such list.
pub(super) fn children_of(pid: u32, tid: u32) -> Vec<u32> {
    fs::read(format!("/proc/{pid}/task/{tid}/children")).map(|text| numbers(&text)).unwrap_or_default()
}

pub(super) fn threads_of(pid: u32) -> Vec<u32> {
    let entries = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// How many threads a process has; `None` when it is gone. The kernel adds them to the links of the folder.
pub(super) fn thread_count(pid: u32) -> Option<usize> {
    let links = fs::metadata(format!("/proc/{pid}/task")).ok()?.nlink();
    usize::try_from(links).ok()?.checked_sub(2).filter(|count| *count > 0)
}

pub(super) fn numbers(text: &[u8]) -> Vec<u32> {
    let words = text.split(u8::is_ascii_whitespace);
    words.filter_map(|word| std::str::from_utf8(word).ok()?.parse().ok()).collect()
}

/// All descendants of `roots` with their parents, parents first, from a look at every process of the system.
pub(super) fn descendants(roots: &[u32]) -> Vec<(u32, u32)> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    for pid in entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()) {
        if let Some(stat) = Stat::of(pid, pid) {
            children.entry(stat.parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut queue = roots.to_vec();
    while let Some(parent) = queue.pop() {
        // Removed, so that a tree that changed while we looked has no circle.
        for pid in children.remove(&parent).unwrap_or_default() {
            found.push((pid, parent));
            queue.push(pid);
        }
    }
    found
}

/// Keeps a look at the whole system below a fiftieth of the time.
#[derive(Debug, Default)]
pub(super) struct Paced {
    last: Option<u64>,
    cost: u64,
}

impl Paced {
    pub(super) fn is_due(&self, now: u64) -> bool {
        self.last.is_none_or(|last| now.saturating_sub(last) >= self.cost.saturating_mul(50))
    }

    pub(super) fn spend<T>(&mut self, now: u64, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = work();
        self.last = Some(now);
        self.cost = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        result
    }
}
