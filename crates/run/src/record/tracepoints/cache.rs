//! Numbers found by a trial, kept for the next command.
//!
//! The kernel gives tracepoints their numbers in the order its own parts register, so they belong to a build of it, not
//! to a boot. What the file says is tested before use all the same.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Write as _};
use std::path::Path;

use super::super::syscalls::Syscall;
use super::{Tracepoints, Way};

const TITLE: &str = "slowpath tracepoints 1";

/// What a good file is far below.
const MOST_BYTES: u64 = 64 * 1024;

/// `None` when there is no file, it is cut or damaged, or it is of another kernel.
pub(super) fn load(path: &Path) -> Option<Tracepoints> {
    let mut text = String::new();
    fs::File::open(path).ok()?.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    parse(&text, &kernel()?)
}

/// Replaces the file as a whole.
///
/// # Errors
/// When the folder cannot be made or written.
pub(super) fn store(path: &Path, found: &Tracepoints) -> io::Result<()> {
    let kernel = kernel().ok_or(io::ErrorKind::Unsupported)?;
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    let written = fs::File::create(&draft)
        .and_then(|mut file| file.write_all(render(found, &kernel).as_bytes()))
        .and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // Nothing more can be done about a draft that cannot be removed.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Release and build of the running kernel.
fn kernel() -> Option<String> {
    let part = |name: &str| fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok();
    let (release, version) = (part("osrelease")?, part("version")?);
    Some(format!("{} {} {}", release.trim(), version.trim(), std::env::consts::ARCH))
}

fn render(found: &Tracepoints, kernel: &str) -> String {
    let mut text = format!("{TITLE}\n{kernel}\n");
    for ((enter, call), (exit, _)) in found.enter.iter().zip(&found.exit) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {enter} {exit}", call.0);
    }
    text.push_str("end\n");
    text
}

fn parse(text: &str, kernel: &str) -> Option<Tracepoints> {
    let mut lines = text.strip_suffix("end\n")?.lines();
    if lines.next()? != TITLE || lines.next()? != kernel {
        return None;
    }
    let mut found =
        Tracepoints { enter: Vec::new(), exit: Vec::new(), waking: None, raw_enter: None, way: Way::Cache };
    for line in lines {
        let mut words = line.split(' ');
        let call = Syscall(words.next()?.parse().ok()?);
        found.enter.push((words.next()?.parse().ok()?, call));
        found.exit.push((words.next()?.parse().ok()?, call));
        if words.next().is_some() {
            return None;
        }
    }
    (!found.enter.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "slowpath tracepoints 1\n6.1 #1\n0 839 840\n202 521 522\nend\n";

    #[test]
    fn a_stored_file_is_read_back_and_a_cut_one_is_none() {
        let found = parse(TEXT, "6.1 #1").unwrap();
        assert_eq!(found.enter, [(839, Syscall(0)), (521, Syscall(202))]);
        assert_eq!(found.exit, [(840, Syscall(0)), (522, Syscall(202))]);
        assert_eq!(render(&found, "6.1 #1"), TEXT);
        for length in 0..TEXT.len() {
            assert!(parse(&TEXT[..length], "6.1 #1").is_none(), "{length}");
        }
    }

    #[test]
    fn another_kernel_has_other_numbers() {
        assert!(parse(TEXT, "6.1 #2").is_none());
    }

    #[test]
    fn storing_makes_the_folder_and_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("tracepoints");
        let found = parse(TEXT, "6.1 #1").unwrap();
        store(&path, &found).unwrap();
        assert_eq!(load(&path).unwrap().enter, found.enter);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
