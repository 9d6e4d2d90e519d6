//! The valgrind of this machine: where it lies, and whether its files are understood.

use run::host::NotFound;
use thiserror::Error;
use tools::valgrind::{Valgrind, Version};

/// Why nothing can be simulated here.
#[derive(Debug, Error)]
pub(crate) enum Missing {
    #[error("{0}")]
    Absent(NotFound),
    #[error("valgrind {0} is older than {oldest}, the oldest whose files are understood", oldest = Version::OLDEST)]
    TooOld(Version),
}

impl Missing {
    pub(crate) fn next_step(&self) -> &'static str {
        match self {
            Self::Absent(_) => "apt-get install valgrind",
            Self::TooOld(_) => {
                "a newer valgrind: from the distribution's backports, or built from https://valgrind.org"
            }
        }
    }
}

/// Finds valgrind on the path, and asks it for its version.
pub(crate) fn find() -> Result<Valgrind, Missing> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = run::host::resolve("valgrind".as_ref(), &path, None).map_err(Missing::Absent)?;
    let version = path.to_str().and_then(run::host::version_of).and_then(|line| Version::of(&line));
    match version {
        Some(version) if version.too_old() => Err(Missing::TooOld(version)),
        version => Ok(Valgrind { path, version }),
    }
}
