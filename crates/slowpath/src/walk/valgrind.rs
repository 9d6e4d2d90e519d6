//! The valgrind of this machine: where it lies, and whether its files are understood.

use std::fs;

use inspect::{Chosen, Image, Wide};
use model::Gap;
use run::Recipe;
use run::host::NotFound;
use thiserror::Error;
use tools::valgrind::{Valgrind, ValgrindFailure, Version};

use crate::progress::Progress;

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

/// Why valgrind need not be started on this program: it would end at an instruction of AVX-512. Where the program itself may
/// choose other code, it is only warned of that.
pub(crate) fn foreseen(recipe: &Recipe, what: &str, progress: &mut Progress) -> Option<Gap> {
    let Wide { function, chosen } = wide(recipe)?;
    match chosen {
        Chosen::WhenBuilt => {
            let failure = ValgrindFailure::Foreseen { function };
            Some(Gap::new(what, failure.to_string(), Some(&failure.next_step())))
        }
        Chosen::AtRunTime => {
            progress.say(
                "its machine code has AVX-512 instructions, which valgrind does not know: it may end at one",
            );
            None
        }
    }
}

/// What the program has of AVX-512. It ran before: on a processor without, it met none.
fn wide(recipe: &Recipe) -> Option<Wide> {
    if !knows_avx512() {
        return None;
    }
    let bytes = fs::read(&recipe.path).ok()?;
    inspect::wide(&Image::parse(&bytes).ok()?)
}

#[cfg(target_arch = "x86_64")]
fn knows_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
}

#[cfg(not(target_arch = "x86_64"))]
fn knows_avx512() -> bool {
    false
}
