//! What this process may use: CPUs, quota, memory, and how it is scheduled.

use std::path::{Path, PathBuf};

use model::fingerprint::Limits;

use super::live::Live;
use super::root::Root;
use super::text::{self, Limit, Membership, Mount};

pub(super) fn limits(root: &Root, live: &Live) -> Limits {
    let groups = Groups::of(root);
    let groups = groups.as_ref();
    Limits {
        cpus_allowed: live.cpus_allowed,
        cpu_quota: groups.and_then(|groups| tightest(groups, "cpu", cpu_quota)).map(Limit::word),
        memory_limit: groups.and_then(|groups| tightest(groups, "memory", memory_limit)).map(Limit::word),
        nice: live.nice,
        scheduler: live.scheduler.clone(),
    }
}

/// The control groups this process is in and where their files lie.
pub(super) struct Groups<'a> {
    root: &'a Root,
    memberships: Vec<Membership>,
    mounts: Vec<Mount>,
}

/// A control group's folder and those above it, up to the mount.
pub(super) struct Place {
    pub(super) folder: PathBuf,
    mount: PathBuf,
}

impl<'a> Groups<'a> {
    /// `None` when the kernel does not say which groups these are.
    pub(super) fn of(root: &'a Root) -> Option<Self> {
        let memberships = text::memberships(&root.read("proc/self/cgroup")?)?;
        let mounts = text::mounts(&root.read("proc/self/mountinfo")?)?;
        Some(Self { root, memberships, mounts })
    }

    /// The group in the v2 hierarchy.
    pub(super) fn unified(&self) -> Option<Place> {
        let membership = self.memberships.iter().find(|membership| membership.controllers.is_empty())?;
        let mount = self.mounts.iter().rfind(|mount| mount.kind == "cgroup2")?;
        place(&membership.path, mount)
    }

    /// The group in the v1 hierarchy of this controller.
    fn legacy(&self, controller: &str) -> Option<Place> {
        let has = |names: &[String]| names.iter().any(|name| name == controller);
        let membership = self.memberships.iter().find(|membership| has(&membership.controllers))?;
        let mount = self.mounts.iter().rfind(|mount| mount.kind == "cgroup" && has(&mount.options))?;
        place(&membership.path, mount)
    }

    /// Whether this controller has a v1 hierarchy of its own.
    fn is_legacy(&self, controller: &str) -> bool {
        self.memberships.iter().any(|membership| membership.controllers.iter().any(|name| name == controller))
    }
}

/// `None` when the group lies outside what is mounted here.
fn place(path: &str, mount: &Mount) -> Option<Place> {
    let below = Path::new(path).strip_prefix(&mount.source).ok()?;
    if below.components().any(|part| part == std::path::Component::ParentDir) {
        return None;
    }
    let mount = PathBuf::from(&mount.point);
    Some(Place { folder: mount.join(below), mount })
}

impl Place {
    fn upwards(&self) -> impl Iterator<Item = &Path> {
        self.folder.ancestors().take_while(|folder| folder.starts_with(&self.mount))
    }
}

/// Which files hold a limit differs between the versions.
#[derive(Clone, Copy)]
enum Version {
    Unified,
    Legacy,
}

/// The tightest limit from the group up to the mount; `None` when one of them is there and cannot be read.
fn tightest(
    groups: &Groups,
    controller: &str,
    limit: fn(&Root, &Path, Version) -> Option<Option<Limit>>,
) -> Option<Limit> {
    // A controller is in one version only, so its absence from the other is no limit there.
    let (place, version) = match groups.is_legacy(controller) {
        true => (groups.legacy(controller)?, Version::Legacy),
        false => (groups.unified()?, Version::Unified),
    };
    let mut tightest = Limit::Unlimited;
    for folder in place.upwards() {
        if let Some(here) = limit(groups.root, folder, version)? {
            tightest = tightest.min(here);
        }
    }
    Some(tightest)
}

/// `Some(None)` where the group has no such file: the controller is not switched on there, or it is the top.
fn cpu_quota(root: &Root, folder: &Path, version: Version) -> Option<Option<Limit>> {
    match version {
        Version::Unified => optional(root, &folder.join("cpu.max"), text::cpu_max),
        Version::Legacy => {
            let period = root.read(folder.join("cpu.cfs_period_us")).unwrap_or_default();
            optional(root, &folder.join("cpu.cfs_quota_us"), |quota| text::cfs_quota(quota, &period))
        }
    }
}

fn memory_limit(root: &Root, folder: &Path, version: Version) -> Option<Option<Limit>> {
    match version {
        Version::Unified => optional(root, &folder.join("memory.max"), text::memory_max),
        Version::Legacy => optional(root, &folder.join("memory.limit_in_bytes"), text::memory_limit),
    }
}

fn optional(root: &Root, path: &Path, parse: impl Fn(&[u8]) -> Option<Limit>) -> Option<Option<Limit>> {
    match root.holds(path)? {
        false => Some(None),
        true => parse(&root.read(path)?).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::super::root::made;
    use super::*;

    const UNIFIED: &str = "1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    const LEGACY: &str = "1 0 0:1 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                          2 0 0:2 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                          3 0 0:3 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

    fn check(mounts: &str, groups: &str, files: &[(&str, &str)], wanted: (Option<&str>, Option<&str>)) {
        let (_folder, root) = made::tree(files);
        made::put(&root, "proc/self/mountinfo", mounts);
        made::put(&root, "proc/self/cgroup", groups);
        let read = limits(&root, &Live::default());
        assert_eq!((read.cpu_quota.as_deref(), read.memory_limit.as_deref()), wanted, "{groups:?} {files:?}");
    }

    #[test]
    fn the_tightest_limit_on_the_way_up_counts() {
        let files = [
            ("sys/fs/cgroup/a/b/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/a/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/a/b/memory.max", "1048576\n"),
            ("sys/fs/cgroup/a/memory.max", "4096\n"),
        ];
        check(UNIFIED, "0::/a/b\n", &files, (Some("1500"), Some("4096")));
        check(UNIFIED, "0::/\n", &files, (Some("unlimited"), Some("unlimited")));
    }

    #[test]
    fn both_versions_side_by_side_are_read() {
        let files = [
            ("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "50000\n"),
            ("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ];
        check(LEGACY, "2:memory:/\n1:cpu:/a\n0::/\n", &files, (Some("500"), Some("unlimited")));
    }

    #[test]
    fn a_limit_that_cannot_be_read_is_unknown() {
        check(UNIFIED, "0::/a\n", &[("sys/fs/cgroup/a/cpu.max", "50000 1000")], (None, Some("unlimited")));
        check(UNIFIED, "0::/../outside\n", &[], (None, None));
        check("", "0::/\n", &[], (None, None));
        check("1 0 0:1 / / rw - ext4 a rw\n", "0::/\n", &[], (None, None));
        check(
            LEGACY,
            "1:cpu:/a\n0::/\n",
            &[("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "5\n")],
            (None, Some("unlimited")),
        );
    }

    #[test]
    fn a_group_mounted_by_itself_is_its_own_top() {
        let mounts = "1 0 0:1 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        let files = [("sys/fs/cgroup/cpu.max", "200000 100000\n")];
        check(mounts, "0::/docker/x\n", &files, (Some("2000"), Some("unlimited")));
        check(mounts, "0::/elsewhere\n", &files, (None, None));
    }
}
