//! Trials of control groups.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::super::limits;
use super::super::live::Live;
use super::child::Paused;
use super::errno::Errno;
use super::{Scene, Seen, is_root};

/// What accounts for a whole tree of processes.
const WANTED: [&str; 3] = ["cpu", "memory", "io"];

pub(super) fn own_group(scene: &Scene) -> Seen {
    let groups = limits::Groups::of(&scene.root);
    let Some(place) = groups.as_ref().and_then(limits::Groups::unified) else {
        return Seen::no("no cgroup v2 hierarchy is mounted, or our own group lies outside of it", None);
    };
    let ours = scene.root.path(&place.folder);
    let group = ours.join(format!("slowpath-probe-{}", std::process::id()));
    if let Err(error) = fs::create_dir(&group) {
        let because = format!("making a group in {} gives {}", ours.display(), Errno::of(&error));
        return Seen::no(because, delegate());
    }
    let moved = move_a_child(&group);
    let controllers = fs::read_to_string(group.join("cgroup.controllers")).unwrap_or_default();
    let removed = remove(&group);
    match (moved, removed) {
        (Err(errno), _) => {
            Seen::no(format!("a group was made, but moving a child into it gives {errno}"), delegate())
        }
        (_, Err(errno)) => Seen::partly(
            format!("the group {} was made but not removed: {errno}", group.display()),
            Some(format!("rmdir {}", group.display())),
        ),
        (Ok(()), Ok(())) => with_controllers(&controllers),
    }
}

fn with_controllers(controllers: &str) -> Seen {
    let has: Vec<&str> = controllers.split_ascii_whitespace().collect();
    let missing: Vec<&str> = WANTED.into_iter().filter(|wanted| !has.contains(wanted)).collect();
    match missing.is_empty() {
        true => Seen::yes(
            "a group was made, a child moved into it, and it was removed; it has cpu, memory and io",
        ),
        false => Seen::partly(
            format!(
                "a group was made, a child moved into it, and it was removed; CPU time and pressure are counted, but \
                 the controllers {} are not given to it",
                missing.join(", ")
            ),
            None,
        ),
    }
}

fn delegate() -> Option<String> {
    match is_root() {
        true => None,
        false => Some("systemd-run --user --scope -p Delegate=yes slowpath doctor".to_owned()),
    }
}

fn move_a_child(group: &Path) -> Result<(), Errno> {
    let child = Paused::start()?;
    fs::write(group.join("cgroup.procs"), child.pid.to_string()).map_err(|error| Errno::of(&error))
}

/// The group counts its child as gone a moment after we have waited for it.
fn remove(group: &Path) -> Result<(), Errno> {
    let until = Instant::now() + Duration::from_millis(200);
    loop {
        match fs::remove_dir(group) {
            Ok(()) => return Ok(()),
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(Errno::of(&error)),
        }
    }
}

pub(super) fn cpu_quota(scene: &Scene) -> Seen {
    match limits::limits(&scene.root, &Live::default()).cpu_quota.as_deref() {
        None => Seen::no("the control groups above this process cannot be read", None),
        Some("unlimited") => Seen::yes("no quota is set"),
        Some(quota) => Seen::yes(format!("the quota is {quota} thousandths of a CPU")),
    }
}
