//! The system: kernel, libraries and the switches that change how fast the same machine runs.

use std::collections::BTreeSet;
use std::path::Path;

use model::arg::hex_of;
use model::fingerprint::System;
use sha2::{Digest, Sha256};

use super::container::container;
use super::live::Live;
use super::root::Root;
use super::text;

const CPUS: &str = "sys/devices/system/cpu";

/// `folder` is where the target runs.
pub(super) fn system(root: &Root, live: &Live, folder: Option<&Path>) -> System {
    let word = |path: &str| root.read(path).as_deref().and_then(text::line).map(str::to_owned);
    System {
        kernel: word("proc/sys/kernel/osrelease"),
        distribution: distribution(root),
        libc: live.libc.clone(),
        governor: governor(root),
        boost: boost(root),
        smt: smt(root),
        mitigations: mitigations(root),
        transparent_huge_pages: root
            .read("sys/kernel/mm/transparent_hugepage/enabled")
            .as_deref()
            .and_then(text::chosen)
            .map(str::to_owned),
        aslr: word("proc/sys/kernel/randomize_va_space"),
        clocksource: word("sys/devices/system/clocksource/clocksource0/current_clocksource"),
        filesystem: folder.and_then(|folder| filesystem(root, folder)),
        container: container(root),
    }
}

fn distribution(root: &Root) -> Option<String> {
    let bytes = root.read("etc/os-release").or_else(|| root.read("usr/lib/os-release"))?;
    text::release_field(&bytes, "PRETTY_NAME").map(str::to_owned)
}

/// The folders `cpu0`, `cpu1`, …; `None` when they cannot be listed or there are none.
fn cpu_folders(root: &Root) -> Option<Vec<String>> {
    let names = root.names(CPUS)?;
    let numbered = |name: &&str| {
        name.strip_prefix("cpu")
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let folders: Vec<String> = names
        .iter()
        .filter_map(|name| name.to_str())
        .filter(numbered)
        .map(|name| format!("{CPUS}/{name}"))
        .collect();
    (!folders.is_empty()).then_some(folders)
}

/// The governors of all CPUs; `none` only when every CPU is listed and none has one.
fn governor(root: &Root) -> Option<String> {
    let mut governors = BTreeSet::new();
    for folder in cpu_folders(root)? {
        let path = format!("{folder}/cpufreq/scaling_governor");
        // A CPU that is switched off has a folder without a governor.
        if root.holds(&path)? {
            governors.insert(text::line(&root.read(&path)?)?.to_owned());
        }
    }
    match governors.is_empty() {
        true => Some("none".to_owned()),
        false => Some(governors.into_iter().collect::<Vec<_>>().join(",")),
    }
}

fn boost(root: &Root) -> Option<String> {
    let mut seen = BTreeSet::new();
    let pstate = format!("{CPUS}/intel_pstate/no_turbo");
    if root.holds(&pstate)? {
        seen.insert(switch(&root.read(&pstate)?)? == "off");
    }
    let global = format!("{CPUS}/cpufreq/boost");
    if root.holds(&global)? {
        seen.insert(switch(&root.read(&global)?)? == "on");
    }
    // Since Linux 6.11 a driver may have the switch for each CPU apart.
    for folder in cpu_folders(root)? {
        let path = format!("{folder}/cpufreq/boost");
        if root.holds(&path)? {
            seen.insert(switch(&root.read(&path)?)? == "on");
        }
    }
    let word = match seen.into_iter().collect::<Vec<_>>().as_slice() {
        [] => "none",
        [true] => "on",
        [false] => "off",
        _ => "mixed",
    };
    Some(word.to_owned())
}

fn switch(bytes: &[u8]) -> Option<&'static str> {
    match text::line(bytes)? {
        "1" => Some("on"),
        "0" => Some("off"),
        _ => None,
    }
}

/// Whether cores run two threads now; `none` where they cannot.
fn smt(root: &Root) -> Option<String> {
    let control = root.read(format!("{CPUS}/smt/control"))?;
    if matches!(text::line(&control)?, "notsupported" | "notimplemented") {
        return Some("none".to_owned());
    }
    switch(&root.read(format!("{CPUS}/smt/active"))?).map(str::to_owned)
}

/// SHA-256 over `name: words` of each vulnerability; `None` when one of them cannot be read.
fn mitigations(root: &Root) -> Option<String> {
    let folder = format!("{CPUS}/vulnerabilities");
    let mut hash = Sha256::new();
    let names = root.names(&folder)?;
    for name in &names {
        let name = name.to_str()?;
        let bytes = root.read(format!("{folder}/{name}"))?;
        hash.update(format!("{name}: {}\n", text::line(&bytes)?));
    }
    (!names.is_empty()).then(|| hex_of(&hash.finalize()))
}

/// The type of the mount that `folder` is on, as the kernel names it.
///
/// The mount table rather than statfs(2): one magic number stands for ext2, ext3 and ext4.
fn filesystem(root: &Root, folder: &Path) -> Option<String> {
    let mounts = text::mounts(&root.read("proc/self/mountinfo")?)?;
    // The longest mount point wins; of two on one point the later one covers the earlier.
    let under = mounts.into_iter().filter(|mount| folder.starts_with(&mount.point));
    Some(under.max_by_key(|mount| mount.point.len())?.kind)
}

#[cfg(test)]
mod tests {
    use super::super::root::made;
    use super::*;

    #[test]
    fn an_empty_tree_knows_nothing() {
        let (_folder, root) = made::tree(&[]);
        assert_eq!(system(&root, &Live::default(), Some(Path::new("/"))), System::default());
    }

    #[test]
    fn governors_of_all_cpus_count() {
        let (_folder, root) = made::tree(&[
            ("sys/devices/system/cpu/cpu0/uevent", ""),
            ("sys/devices/system/cpu/cpu1/uevent", ""),
        ]);
        assert_eq!(governor(&root).as_deref(), Some("none"));
        made::put(&root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        assert_eq!(governor(&root).as_deref(), Some("powersave"));
        made::put(&root, "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
        assert_eq!(governor(&root).as_deref(), Some("performance,powersave"));
        made::put(&root, "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "");
        assert_eq!(governor(&root), None);
    }

    #[test]
    fn boost_is_read_from_either_switch() {
        let check = |files: &[(&str, &str)], wanted: Option<&str>| {
            let (_folder, root) = made::tree(&[]);
            for (path, text) in files {
                made::put(&root, &format!("{CPUS}/{path}"), text);
            }
            assert_eq!(boost(&root).as_deref(), wanted, "{files:?}");
        };
        check(&[("cpu0/uevent", "")], Some("none"));
        check(&[("cpu0/uevent", ""), ("cpufreq/boost", "1\n")], Some("on"));
        check(&[("cpu0/uevent", ""), ("cpufreq/boost", "0\n")], Some("off"));
        check(&[("cpu0/uevent", ""), ("intel_pstate/no_turbo", "0\n")], Some("on"));
        check(&[("cpu0/uevent", ""), ("intel_pstate/no_turbo", "1\n")], Some("off"));
        check(&[("cpu0/cpufreq/boost", "1\n"), ("cpu1/cpufreq/boost", "0\n")], Some("mixed"));
        check(&[("cpu0/uevent", ""), ("cpufreq/boost", "1")], None);
        check(&[("cpu0/uevent", ""), ("cpufreq/boost", "2\n")], None);
        check(&[], None);
    }

    #[test]
    fn smt_that_cannot_be_is_not_smt_switched_off() {
        for (control, active, wanted) in [
            ("on\n", "1\n", Some("on")),
            ("off\n", "0\n", Some("off")),
            ("notsupported\n", "0\n", Some("none")),
            ("on\n", "", None),
            ("", "1\n", None),
        ] {
            let files = [
                ("sys/devices/system/cpu/smt/control", control),
                ("sys/devices/system/cpu/smt/active", active),
            ];
            let (_folder, root) = made::tree(&files);
            assert_eq!(smt(&root).as_deref(), wanted, "{control:?} {active:?}");
        }
    }

    #[test]
    fn one_changed_mitigation_changes_the_hash() {
        let path = "sys/devices/system/cpu/vulnerabilities/mds";
        let (_folder, root) = made::tree(&[(path, "Not affected\n")]);
        let before = mitigations(&root).unwrap();
        made::put(&root, path, "Vulnerable\n");
        assert_ne!(mitigations(&root).unwrap(), before);
        made::put(&root, path, "Vulner");
        assert_eq!(mitigations(&root), None);
    }

    #[test]
    fn the_innermost_mount_names_the_filesystem() {
        let table =
            "1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 0:2 / /tmp rw - tmpfs t rw\n3 1 0:3 / /tm rw - xfs t rw\n";
        let (_folder, root) = made::tree(&[("proc/self/mountinfo", table)]);
        assert_eq!(filesystem(&root, Path::new("/tmp/a")).as_deref(), Some("tmpfs"));
        assert_eq!(filesystem(&root, Path::new("/tmpx")).as_deref(), Some("ext4"));
        made::put(&root, "proc/self/mountinfo", table.trim_end());
        assert_eq!(filesystem(&root, Path::new("/tmp/a")), None);
    }
}
