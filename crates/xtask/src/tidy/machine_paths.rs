//! Paths that exist on one developer's machine only, in files that everybody gets.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;

use super::House;

/// Folders at the top of a file system below which only one machine's files lie.
const TOPS: [&str; 3] = ["work", "root", "farm"];

/// The folder whose next part is a user's name.
const HOMES: &str = "home";

/// One complaint for each line with such a path.
pub(super) fn complaints(house: &House) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for file in house.files.iter().filter(|file| !is_exempt(file)) {
        let bytes = house.bytes(file)?;
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if has_machine_path(line) {
                let place = format!("{}:{}", file.display(), index + 1);
                complaints.push(format!("{place}: a path of one machine"));
            }
        }
    }
    Ok(complaints)
}

/// What a tool wrote is kept as it is, and so is what follows from it; lock files are cargo's.
fn is_exempt(file: &Path) -> bool {
    let captured = file.starts_with("fixtures") && file.file_name() != Some("origin.toml".as_ref());
    captured || file.extension() == Some(OsStr::new("lock"))
}

fn has_machine_path(line: &[u8]) -> bool {
    let mut before = None;
    let mut rest = line;
    while let [byte, after @ ..] = rest {
        if *byte == b'/' && !before.is_some_and(continues_a_path) && is_on_one_machine(after) {
            return true;
        }
        before = Some(*byte);
        rest = after;
    }
    false
}

/// Whether a `/` after this byte is in the middle of a path rather than at its beginning.
fn continues_a_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.'
}

/// Takes the path without its first `/`.
fn is_on_one_machine(path: &[u8]) -> bool {
    let mut parts = path.split(|&byte| byte == b'/');
    let (Some(top), Some(second)) = (parts.next(), parts.next()) else {
        return false;
    };
    if top == HOMES.as_bytes() {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
        return !second.is_empty() && second.iter().all(is_name) && parts.next().is_some();
    }
    TOPS.iter().any(|one| top == one.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written with `~` for the first `/`, so that this file passes its own check.
    fn check(line: &str, wanted: bool) {
        let line = line.replace('~', "/");
        assert_eq!(has_machine_path(line.as_bytes()), wanted, "{line}");
    }

    #[test]
    fn a_path_of_one_machine_is_seen() {
        for line in [
            "~work/main",
            "in `~root/.cargo`",
            "\"~farm/x\"",
            "file:~~work/a",
            "=~home/alice/src",
            "a ~usr/bin ~root/",
        ] {
            check(line, true);
        }
    }

    #[test]
    fn other_paths_pass() {
        for line in [
            "crates/work/x",
            "../root/x",
            "~root",
            "~worker/x",
            "~home/<name>/x",
            "~home/",
            "~home/alice",
            "~usr/bin",
            "sys/fs/cgroup/root/x",
            "",
        ] {
            check(line, false);
        }
    }

    #[test]
    fn only_captured_bytes_and_lock_files_are_exempt() {
        assert!(is_exempt(Path::new("fixtures/perf/6.1/ordinary/input")));
        assert!(is_exempt(Path::new("Cargo.lock")));
        assert!(!is_exempt(Path::new("fixtures/perf/6.1/ordinary/origin.toml")));
        assert!(!is_exempt(Path::new("README.md")));
    }
}
