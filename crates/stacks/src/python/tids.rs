//! Which thread of the kernel a Python thread is.
//!
//! From 3.11 a thread notes its number itself. Before, only libc's handle is there; the number stands inside what the
//! handle points to. Both are numbers of the target's own PID namespace.

use std::collections::HashMap;
use std::fs;

use super::memory::{self, Memory, Unreadable, half_at};

/// Where libc's thread descriptor holds the kernel's number: glibc on x86-64, on aarch64, then musl on both.
const LIKELY_PLACES: [usize; 4] = [720, 208, 48, 32];

/// Descriptors are longer than this in every libc.
const DESCRIPTOR: usize = 768;

#[derive(Debug, Default)]
pub(crate) struct Tids {
    /// `None` in tests: numbers are believed.
    pid: Option<u32>,
    /// Number in the target's namespace → number in ours.
    tasks: HashMap<u32, u32>,
    /// Where the number was found in a descriptor.
    place: Option<usize>,
}

impl Tids {
    pub(crate) fn of(pid: u32) -> Self {
        Self { pid: Some(pid), ..Self::default() }
    }

    /// The thread's number in our namespace. `None` when it has not begun, or has ended.
    pub(crate) fn resolve<M: Memory>(
        &mut self,
        memory: &M,
        native: Option<u64>,
        handle: u64,
    ) -> Result<Option<u32>, Unreadable> {
        let noted = native.and_then(|native| u32::try_from(native).ok());
        if self.pid.is_none() {
            return Ok(noted.or(Some(1)));
        }
        if let Some(tid) = noted.and_then(|noted| self.tasks.get(&noted)) {
            return Ok(Some(*tid));
        }
        self.list_tasks();
        if let Some(tid) = noted.and_then(|noted| self.tasks.get(&noted)) {
            return Ok(Some(*tid));
        }
        // Some versions keep the parent's number after a fork, so the handle is the second witness.
        self.follow_handle(memory, handle)
    }

    fn follow_handle<M: Memory>(&mut self, memory: &M, handle: u64) -> Result<Option<u32>, Unreadable> {
        let Some(descriptor) = memory::bytes(memory, handle, DESCRIPTOR)? else { return Ok(None) };
        let task_at = |place: usize| self.tasks.get(&half_at(&descriptor, place)?).copied();
        if let Some(place) = self.place {
            return Ok(task_at(place));
        }
        let places = LIKELY_PLACES.into_iter().chain((0..DESCRIPTOR).step_by(4));
        let found = places.into_iter().find_map(|place| Some((place, task_at(place)?)));
        self.place = found.map(|(place, _)| place);
        Ok(found.map(|(_, tid)| tid))
    }

    fn list_tasks(&mut self) {
        self.tasks.clear();
        let Some(pid) = self.pid else { return };
        let Ok(entries) = fs::read_dir(format!("/proc/{pid}/task")) else { return };
        let tids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let nested = number_inside(pid, pid).is_some_and(|inside| inside != pid);
        self.tasks =
            tids.filter_map(|tid| Some((if nested { number_inside(pid, tid)? } else { tid }, tid))).collect();
    }
}

/// The last number of the `NSpid` line: what the thread itself gets from `gettid`.
fn number_inside(pid: u32, tid: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/task/{tid}/status")).ok()?;
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    numbers.split_ascii_whitespace().next_back()?.parse().ok()
}
