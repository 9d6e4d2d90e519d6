//! Which container runtime, if any, stands around this process.

use super::root::Root;
use super::text;

/// The runtime's name; `none` outside one, `unnamed` in a process namespace nobody signed, `None` when it cannot
/// be told.
///
/// The order matters. A control group named after a runtime is there only inside it. Processes in all of the
/// kernel's first namespaces are in no container, whatever files lie around: a virtual machine started from an image
/// still has its `/.dockerenv`. Only then do such marks count.
pub(super) fn container(root: &Root) -> Option<String> {
    let namespaces = namespaces(root);
    let name = match (by_group(root), namespaces) {
        (Some(name), _) => name,
        (None, Some(Namespaces::First)) => "none".to_owned(),
        (None, namespaces) => match (by_mark(root), namespaces) {
            (Some(name), _) => name,
            (None, Some(Namespaces::OwnProcesses)) => "unnamed".to_owned(),
            _ => return None,
        },
    };
    Some(name)
}

/// Parts of a control group's path, and the runtime that names its groups so.
const GROUPS: &[(&str, &str)] = &[
    ("kubepods", "kubernetes"),
    ("libpod", "podman"),
    ("docker", "docker"),
    ("containerd", "containerd"),
    ("lxc", "lxc"),
];

fn by_group(root: &Root) -> Option<String> {
    let groups = text::memberships(&root.read("proc/self/cgroup")?)?;
    let (_, name) =
        GROUPS.iter().find(|(part, _)| groups.iter().any(|group| names_container(&group.path, part)))?;
    Some((*name).to_owned())
}

/// `/docker/ID` and `/system.slice/docker-ID.scope` are containers, `/system.slice/docker.service` is the daemon.
fn names_container(path: &str, part: &str) -> bool {
    path.split('/').any(|name| name.starts_with(part) && !name.ends_with(".service"))
}

enum Namespaces {
    /// All are those the kernel made at boot.
    First,
    /// At least the process namespace is another one.
    OwnProcesses,
    Mixed,
}

/// Numbers of the namespaces made at boot, fixed in include/uapi/linux/nsfs.h and before that in proc_ns.h.
const FIRST: &[(&str, &str)] = &[
    ("pid", "pid:[4026531836]"),
    ("uts", "uts:[4026531838]"),
    ("ipc", "ipc:[4026531839]"),
    ("user", "user:[4026531837]"),
    ("cgroup", "cgroup:[4026531835]"),
];

fn namespaces(root: &Root) -> Option<Namespaces> {
    let firsts = FIRST
        .iter()
        .map(|(name, first)| root.link(format!("proc/self/ns/{name}")).map(|link| link == *first))
        .collect::<Option<Vec<bool>>>()?;
    Some(match firsts.as_slice() {
        firsts if firsts.iter().all(|first| *first) => Namespaces::First,
        [false, ..] => Namespaces::OwnProcesses,
        _ => Namespaces::Mixed,
    })
}

fn by_mark(root: &Root) -> Option<String> {
    let named = |bytes: Vec<u8>| text::line(&bytes).map(str::to_owned);
    let signed = root.read("run/systemd/container").and_then(named);
    let signed = signed.or_else(|| {
        let environ = root.read("proc/1/environ")?;
        text::variable(&environ, "container").filter(|name| !name.is_empty()).map(str::to_owned)
    });
    signed
        .or_else(|| (root.holds("run/.containerenv") == Some(true)).then(|| "podman".to_owned()))
        .or_else(|| (root.holds(".dockerenv") == Some(true)).then(|| "docker".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::super::root::made;
    use super::*;

    fn check(files: &[(&str, &str)], first: Option<&[bool]>, wanted: Option<&str>) {
        let (_folder, root) = made::tree(files);
        std::fs::create_dir_all(root.path("proc/self/ns")).unwrap();
        for ((name, number), first) in FIRST.iter().zip(first.unwrap_or_default()) {
            let target = if *first { (*number).to_owned() } else { format!("{name}:[4026532999]") };
            symlink(target, root.path(format!("proc/self/ns/{name}"))).unwrap();
        }
        assert_eq!(container(&root).as_deref(), wanted, "{files:?} {first:?}");
    }

    #[test]
    fn absence_is_claimed_only_where_it_is_known() {
        let all: Option<&[bool]> = Some(&[true; 5]);
        let own: Option<&[bool]> = Some(&[false; 5]);
        check(&[], all, Some("none"));
        check(&[], None, None);
        check(&[], Some(&[true, false, true, true, true]), None);
        check(&[], own, Some("unnamed"));
        check(&[(".dockerenv", "")], all, Some("none"));
        check(&[(".dockerenv", "")], own, Some("docker"));
        check(&[(".dockerenv", "")], None, Some("docker"));
        check(&[("run/.containerenv", "")], own, Some("podman"));
        check(&[("proc/1/environ", "a=b\0container=systemd-nspawn\0")], own, Some("systemd-nspawn"));
        check(&[("run/systemd/container", "lxc\n")], own, Some("lxc"));
        check(&[("proc/self/cgroup", "0::/kubepods.slice/x\n")], all, Some("kubernetes"));
        check(&[("proc/self/cgroup", "4:cpu:/docker/abc\n")], all, Some("docker"));
        check(&[("proc/self/cgroup", "0::/system.slice/docker.service\n")], all, Some("none"));
    }
}
