//! How the memory of processes changes that run already: resident pages and first touches, from `/proc/PID/stat` (proc(5)).

use std::collections::BTreeMap;
use std::fs;

use model::recording::Resident;
use model::{Bytes, Count};

/// What the kernel counts of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted {
    /// Up to 128 KiB for each CPU behind: since Linux 6.2 the kernel adds up what each CPU counts now and then.
    resident: u64,
    minor_faults: u64,
}

/// The processes of a tree, each as it was first and last seen.
pub(super) struct Memory {
    page: u64,
    seen: BTreeMap<u32, (Counted, Counted)>,
}

impl Memory {
    pub(super) fn of(pids: impl Iterator<Item = u32>) -> Self {
        // SAFETY: asks for a number.
        let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
        let first = pids.filter_map(|pid| Some((pid, counted(&stat_of(pid)?, page)?)));
        Self { page, seen: first.map(|(pid, now)| (pid, (now, now))).collect() }
    }

    /// Looks again. Of one that has ended, what it had at the last look stays.
    pub(super) fn look(&mut self) {
        for (pid, (_, last)) in &mut self.seen {
            // A process that has ended has no memory, and is not told from one that gave all of it back.
            let now = stat_of(*pid).and_then(|stat| counted(&stat, self.page));
            *last = now.filter(|now| now.resident > 0).unwrap_or(*last);
        }
    }

    /// `None` where nothing could be read.
    pub(super) fn into_resident(self) -> Option<Resident> {
        let sum = |wanted: &dyn Fn(&(Counted, Counted)) -> u64| {
            self.seen.values().map(wanted).fold(0, u64::saturating_add)
        };
        (!self.seen.is_empty()).then(|| Resident {
            from: Bytes::from_bytes(sum(&|(first, _)| first.resident)),
            to: Bytes::from_bytes(sum(&|(_, last)| last.resident)),
            minor_faults: Count(sum(&|(first, last)| last.minor_faults.saturating_sub(first.minor_faults))),
        })
    }
}

fn stat_of(pid: u32) -> Option<Vec<u8>> {
    fs::read(format!("/proc/{pid}/stat")).ok()
}

/// `None` for a cut line. The name in parentheses may hold anything, so fields are counted from the last one.
fn counted(stat: &[u8], page: u64) -> Option<Counted> {
    let stat = stat.strip_suffix(b"\n")?;
    let close = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(close + 1..)?).ok()?;
    // The first of these is the third field of proc(5).
    let number = |field: usize| rest.split_ascii_whitespace().nth(field - 3)?.parse::<u64>().ok();
    Some(Counted { resident: number(24)?.checked_mul(page)?, minor_faults: number(10)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_fetches_and_keeps_is_seen() {
        const MORE: usize = 32 << 20;
        let own = || std::iter::once(std::process::id());
        let mut memory = Memory::of(own());
        let kept = vec![1_u8; MORE];
        memory.look();
        let seen = memory.into_resident().unwrap();
        let grown = seen.to.as_bytes().saturating_sub(seen.from.as_bytes());
        assert!(grown >= MORE as u64 / 2 && seen.minor_faults.0 > 0, "{seen:?}");
        assert_eq!(kept.len(), MORE);
        assert_eq!(Memory::of(std::iter::once(u32::MAX >> 1)).into_resident(), None);
    }

    #[test]
    fn a_cut_line_is_no_number() {
        let line = "7 (a) b) S 1 2 3 4 5 6 10 0 0 0 1 1 0 0 20 0 1 0 99 4096 25 0\n";
        assert_eq!(counted(line.as_bytes(), 4096), Some(Counted { resident: 25 * 4096, minor_faults: 10 }));
        for end in 0..line.len() {
            assert_eq!(counted(&line.as_bytes()[..end], 4096), None);
        }
    }
}
