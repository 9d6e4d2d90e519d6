//! A control group (v2) for a warm-up run: CPU and memory of the whole tree, orphans included. Timed runs go without:
//! loading a program in a group of its own takes about 50 µs longer.
//!
//! Nothing is switched on that was off: a group without controllers still counts CPU time.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use model::sample::Tree;
use model::{Bytes, Nanos};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// The place where groups can be made.
#[derive(Clone, Debug)]
pub struct Groups {
    parent: PathBuf,
}

impl Groups {
    /// Our own group in the v2 hierarchy, if it lets us make children. Found by trying.
    #[must_use]
    pub fn find() -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let found = Self { parent: mount_point(&mounts)?.join(own.trim_start_matches('/')) };
        found.sweep();
        found.make().map(|_| found)
    }

    /// Removes the empty groups of a slowpath that was killed.
    fn sweep(&self) {
        let entries = fs::read_dir(&self.parent).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            if owner(&name.to_string_lossy()).is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
                let _ = fs::remove_dir(entry.path());
            }
        }
    }

    /// A fresh, empty group; removed when dropped.
    #[must_use]
    pub fn make(&self) -> Option<Group> {
        let name = format!("slowpath-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = self.parent.join(name);
        fs::create_dir(&path).ok()?;
        Some(Group { path })
    }
}

/// The process id in a group's name.
fn owner(name: &str) -> Option<&str> {
    let (pid, number) = name.strip_prefix("slowpath-")?.split_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(pid) && digits(number)).then_some(pid)
}

/// The v2 mount: the line whose type after the dash is `cgroup2`, its fifth field.
fn mount_point(mounts: &str) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        after.starts_with("cgroup2 ").then(|| before.split(' ').nth(4).map(PathBuf::from))?
    })
}

/// One run's group.
#[derive(Debug)]
pub struct Group {
    path: PathBuf,
}

impl Group {
    /// Moves a process in. `false` when the kernel refuses.
    pub(crate) fn add(&self, pid: i32) -> bool {
        fs::write(self.path.join("cgroup.procs"), pid.to_string()).is_ok()
    }

    /// Who is still inside.
    pub(crate) fn processes(&self) -> Vec<i32> {
        let text = fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Ends everything that is still inside.
    pub(crate) fn kill(&self) {
        let _ = fs::write(self.path.join("cgroup.kill"), "1");
    }

    pub(crate) fn tree(&self) -> Tree {
        let stat = fs::read_to_string(self.path.join("cpu.stat")).ok();
        let micros = |name: &str| Nanos::from_micros(field(stat.as_deref()?, name)?);
        Tree {
            cpu: micros("usage_usec"),
            throttled: micros("throttled_usec"),
            memory_peak: memory_peak(&self.path),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A group whose last process has just been reaped may be busy for a moment. When the launcher was killed, by
        // the target perhaps, nobody else ends what is still inside.
        for _ in 0..20 {
            match fs::remove_dir(&self.path) {
                Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                    self.kill();
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
                _ => return,
            }
        }
    }
}

/// `None` where the memory controller is not handed to our group.
fn memory_peak(path: &Path) -> Option<Bytes> {
    Some(Bytes::from_bytes(fs::read_to_string(path.join("memory.peak")).ok()?.trim_end().parse().ok()?))
}

fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_groups_have_an_owner() {
        assert_eq!(owner("slowpath-12-3"), Some("12"));
        for other in ["slowpath", "slowpath-12", "slowpath--3", "slowpath-x-3", "user.slice"] {
            assert_eq!(owner(other), None, "{other}");
        }
    }

    #[test]
    fn the_second_hierarchy_is_found_among_the_first() {
        let mounts = "36 25 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      37 25 0:32 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw\n";
        assert_eq!(mount_point(mounts), Some(PathBuf::from("/sys/fs/cgroup/unified")));
        assert_eq!(mount_point("36 25 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"), None);
    }
}
