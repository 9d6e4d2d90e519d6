//! Which valgrind is here, and what it can do.

use std::fmt;
use std::path::PathBuf;

/// Valgrind as it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valgrind {
    pub path: PathBuf,
    /// `None` when it did not say, or in words that are not understood.
    pub version: Option<Version>,
}

/// The first two numbers of a version: `3.19` of `valgrind-3.19.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

impl Version {
    /// The oldest whose files are understood: before it DHAT wrote text for a terminal.
    pub const OLDEST: Self = Self { major: 3, minor: 15 };

    /// From the first line of `valgrind --version`.
    #[must_use]
    pub fn of(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("valgrind-")?;
        let mut numbers = rest.split(|c: char| !c.is_ascii_digit()).map(str::parse);
        Some(Self { major: numbers.next()?.ok()?, minor: numbers.next()?.ok()? })
    }

    #[must_use]
    pub fn too_old(self) -> bool {
        self < Self::OLDEST
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl Valgrind {
    /// The option that translates each piece of code without following its jumps, which 3.16 renamed.
    ///
    /// Callgrind never follows them. Cachegrind does unless it is told, which takes half as long again for a program with
    /// much code and little work, as an interpreter's start, and since 3.16 also counts instructions that a condition would
    /// have skipped: 0.3 % more in CPython. So both count the same.
    pub(super) fn plain_blocks(&self) -> &'static str {
        let renamed = Version { major: 3, minor: 16 };
        match self.version {
            Some(version) if version < renamed => "--vex-guest-chase-thresh=0",
            _ => "--vex-guest-chase=no",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_ordered() {
        let of = |line: &str| Version::of(line).map(|version| (version.to_string(), version.too_old()));
        for (line, wanted) in [
            ("valgrind-3.19.0", Some(("3.19".to_owned(), false))),
            ("valgrind-3.24.0.GIT\n", Some(("3.24".to_owned(), false))),
            ("valgrind-3.9.0", Some(("3.9".to_owned(), true))),
            ("valgrind-3.14.0", Some(("3.14".to_owned(), true))),
            ("valgrind-4.0", Some(("4.0".to_owned(), false))),
            ("valgrind 3.19", None),
            ("valgrind-", None),
            ("valgrind-3", None),
            ("valgrind-99999999999.1", None),
            ("", None),
        ] {
            assert_eq!(of(line), wanted, "{line}");
        }
    }

    #[test]
    fn an_old_one_is_not_asked_for_what_it_does_not_know() {
        let option = |minor| {
            let version = Some(Version { major: 3, minor });
            Valgrind { path: "valgrind".into(), version }.plain_blocks()
        };
        assert_eq!([option(15), option(16)], ["--vex-guest-chase-thresh=0", "--vex-guest-chase=no"]);
    }
}
