//! `cargo xtask tidy`: the fences that no compiler watches, each a list of complaints.

mod edges;
mod exit_table;
mod licences;
mod machine_paths;
mod metadata;
mod names;
mod only_in;
mod sizes;
mod spdx;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::generate;
use crate::process::{self, cargo, stdout_of};
use metadata::Package;

/// Prints the complaints about this repository; any is an error.
pub(crate) fn tidy() -> Result<()> {
    tidy_at(&process::workspace_root()?)
}

/// Like [`tidy`], for the repository at `root`.
pub(crate) fn tidy_at(root: &Path) -> Result<()> {
    let complaints = complaints(root)?;
    for complaint in &complaints {
        println!("tidy: {complaint}");
    }
    match complaints.len() {
        0 => Ok(()),
        1 => bail!("the house is not tidy: 1 complaint"),
        several => bail!("the house is not tidy: {several} complaints"),
    }
}

/// What the checks look at.
struct House {
    root: PathBuf,
    packages: Vec<Package>,
    /// Relative paths of all files that git tracks or would track.
    files: Vec<PathBuf>,
}

struct Check {
    name: &'static str,
    complaints: fn(&House) -> Result<Vec<String>>,
}

const CHECKS: [Check; 9] = [
    Check { name: "crate edges", complaints: |house| Ok(edges::complaints(&house.packages)) },
    Check { name: "third parties", complaints: |house| Ok(only_in::complaints(&house.packages)) },
    Check { name: "licences", complaints: |house| Ok(licences::complaints(&house.packages)) },
    Check { name: "names", complaints: names::complaints },
    Check { name: "sizes", complaints: sizes::complaints },
    Check { name: "machine paths", complaints: machine_paths::complaints },
    Check { name: "exit statuses", complaints: exit_table::complaints },
    Check { name: "ARCHITECTURE.md", complaints: sizes::architecture },
    Check { name: "generated files", complaints: |house| generate::complaints(&house.root) },
];

fn complaints(root: &Path) -> Result<Vec<String>> {
    let house = House::look(root)?;
    let mut all = Vec::new();
    for check in &CHECKS {
        // A check that could not be made is a complaint, so that the others are still seen.
        let found = (check.complaints)(&house)
            .unwrap_or_else(|error| vec![format!("could not be checked: {error:#}")]);
        all.extend(found.iter().map(|text| format!("{}: {text}", check.name)));
    }
    Ok(all)
}

impl House {
    fn look(root: &Path) -> Result<Self> {
        let metadata = stdout_of(cargo(root).args(["metadata", "--format-version", "1"]))?;
        Ok(Self { root: root.to_owned(), packages: metadata::packages(&metadata)?, files: files(root)? })
    }

    fn bytes(&self, file: &Path) -> Result<Vec<u8>> {
        fs::read(self.root.join(file)).with_context(|| format!("cannot read `{}`", file.display()))
    }

    fn text(&self, file: &Path) -> Result<String> {
        String::from_utf8(self.bytes(file)?).with_context(|| format!("`{}` is not UTF-8", file.display()))
    }

    /// The Rust files below the `src` of each crate.
    fn sources(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().map(PathBuf::as_path);
        files.filter(|file| {
            let mut parts = file.iter();
            parts.next() == Some(OsStr::new("crates"))
                && parts.nth(1) == Some(OsStr::new("src"))
                && file.extension() == Some(OsStr::new("rs"))
        })
    }
}

fn files(root: &Path) -> Result<Vec<PathBuf>> {
    // In a container the checkout often belongs to another user, which git refuses otherwise.
    let mut trust = OsString::from("safe.directory=");
    trust.push(root);
    let mut git = Command::new("git");
    git.current_dir(root).arg("-c").arg(trust);
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = stdout_of(&mut git)?;
    let names = listed.split(|&byte| byte == 0).map(OsStr::from_bytes);
    // An index still names what was just deleted, and a link is not a text of ours.
    let is_file =
        |path: &PathBuf| fs::symlink_metadata(root.join(path)).is_ok_and(|metadata| metadata.is_file());
    Ok(names.map(PathBuf::from).filter(is_file).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_is_tidy() {
        let root = process::workspace_root().unwrap();
        let complaints = complaints(&root).unwrap();
        assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    }

    #[test]
    fn sources_are_the_rust_files_in_src_of_a_crate() {
        let house = house(&["crates/a/src/b/c.rs", "crates/a/tests/d.rs", "src/e.rs"]);
        let sources: Vec<_> = house.sources().collect();
        assert_eq!(sources, [Path::new("crates/a/src/b/c.rs")]);
    }

    #[test]
    fn new_files_are_listed_and_ignored_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        stdout_of(Command::new("git").arg("init").current_dir(root)).unwrap();
        fs::write(root.join(".gitignore"), "target\n").unwrap();
        fs::write(root.join("target"), "").unwrap();
        fs::write(root.join("new"), "").unwrap();
        let mut listed = files(root).unwrap();
        listed.sort();
        assert_eq!(listed, [Path::new(".gitignore"), Path::new("new")]);
    }

    fn house(files: &[&str]) -> House {
        House { root: PathBuf::new(), packages: Vec::new(), files: files.iter().map(PathBuf::from).collect() }
    }
}
