//! Trials of other programs and of the disk.

use std::ffi::CString;
use std::fs::OpenOptions;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::errno::Errno;
use super::{Scene, Seen, as_root};

/// The programs whose versions are asked for.
pub(super) const TOOLS: &[&str] = &["valgrind", "perf", "python3", "node", "java"];

pub(super) fn valgrind(scene: &Scene) -> Seen {
    tool(scene, "valgrind", &Packages { debian: "valgrind", others: "valgrind" })
}

pub(super) fn perf(scene: &Scene) -> Seen {
    tool(scene, "perf", &Packages { debian: "linux-perf", others: "perf" })
}

pub(super) fn python(scene: &Scene) -> Seen {
    tool(scene, "python3", &Packages { debian: "python3", others: "python3" })
}

pub(super) fn node(scene: &Scene) -> Seen {
    tool(scene, "node", &Packages { debian: "nodejs", others: "nodejs" })
}

pub(super) fn java(scene: &Scene) -> Seen {
    tool(scene, "java", &Packages { debian: "default-jre-headless", others: "java-latest-openjdk-headless" })
}

/// What a program's package is called.
struct Packages {
    debian: &'static str,
    others: &'static str,
}

fn tool(scene: &Scene, name: &str, packages: &Packages) -> Seen {
    match scene.tools.get(name) {
        Some(Some(version)) => Seen::yes(version.clone()),
        _ => Seen::no(
            format!("`{name}` did not name its version within 2 s, or is not installed"),
            install(scene, packages),
        ),
    }
}

/// The command of the package manager that is here; `None` when there is none we know.
fn install(scene: &Scene, packages: &Packages) -> Option<String> {
    const MANAGERS: &[(&str, &str)] =
        &[("dnf", "dnf install"), ("apk", "apk add"), ("pacman", "pacman -S"), ("zypper", "zypper install")];
    let here = |name: &str| {
        ["usr/bin", "sbin", "usr/sbin"]
            .iter()
            .any(|folder| scene.root.holds(format!("{folder}/{name}")) == Some(true))
    };
    if here("apt-get") {
        return Some(as_root(&format!("apt-get install {}", packages.debian)));
    }
    let (_, command) = MANAGERS.iter().find(|(name, _)| here(name))?;
    Some(as_root(&format!("{command} {}", packages.others)))
}

pub(super) fn debug_files(scene: &Scene) -> Seen {
    const FOLDER: &str = "usr/lib/debug/.build-id";
    match scene.root.names(FOLDER) {
        Some(names) if !names.is_empty() => Seen::yes(format!("/{FOLDER} has files")),
        _ => {
            let packages = Packages { debian: "libc6-dbg", others: "glibc-debuginfo" };
            Seen::no(format!("/{FOLDER} has none"), install(scene, &packages))
        }
    }
}

/// Room below which a sitting with samples may not fit.
const ROOM: u64 = 100 << 20;

pub(super) fn run_folder(_: &Scene) -> Seen {
    let elsewhere = || Some("slowpath --out DIR with a folder you may write to".to_owned());
    let here = match std::env::current_dir() {
        Ok(here) => here,
        Err(error) => {
            return Seen::no(format!("the working directory is gone: {}", Errno::of(&error)), elsewhere());
        }
    };
    if let Err(errno) = try_writing(&here) {
        return Seen::no(format!("making a file in {} gives {errno}", here.display()), elsewhere());
    }
    match free_bytes(&here) {
        Ok(free) if free < ROOM => Seen::partly(format!("only {} MiB are free", free >> 20), elsewhere()),
        Ok(free) => Seen::yes(format!("{} is writable, {} MiB are free", here.display(), free >> 20)),
        Err(errno) => {
            Seen::partly(format!("{} is writable, but statvfs gives {errno}", here.display()), None)
        }
    }
}

/// A file that never gets a name, or, where the filesystem has none of those, one that is removed at once.
fn try_writing(folder: &Path) -> Result<(), Errno> {
    let unnamed = OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).open(folder);
    match unnamed.as_ref().map_err(Errno::of) {
        Ok(_) => return Ok(()),
        Err(Errno(libc::EOPNOTSUPP | libc::EISDIR | libc::ENOENT)) => {}
        Err(errno) => return Err(errno),
    }
    let path = folder.join(format!(".slowpath-probe-{}", std::process::id()));
    OpenOptions::new().write(true).create_new(true).open(&path).map_err(|error| Errno::of(&error))?;
    std::fs::remove_file(&path).map_err(|error| Errno::of(&error))
}

fn free_bytes(folder: &Path) -> Result<u64, Errno> {
    let folder = CString::new(folder.as_os_str().as_bytes()).map_err(|_| Errno(libc::EINVAL))?;
    let mut filesystem = MaybeUninit::<libc::statvfs>::zeroed();
    // SAFETY: the path ends with NUL, and the structure is writable and as large as statvfs(3) expects.
    Errno::check(unsafe { libc::statvfs(folder.as_ptr(), filesystem.as_mut_ptr()) })?;
    // SAFETY: all-zero bytes are valid numbers, and the call filled them.
    let filesystem = unsafe { filesystem.assume_init() };
    // Saturating: more than 16 EiB free is as good as 16 EiB.
    Ok(filesystem.f_bavail.saturating_mul(filesystem.f_frsize))
}
