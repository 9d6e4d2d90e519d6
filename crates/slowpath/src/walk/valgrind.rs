//! The valgrind of this machine: where it lies, and whether its files are understood.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use inspect::{Chosen, Image, Wide};
use model::Gap;
use model::machine_code::SourceLine;
use run::Recipe;
use run::host::NotFound;
use thiserror::Error;
use tools::valgrind::{Valgrind, ValgrindFailure, Version, without_debug};

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

/// What a program without debug information lets simulators not tell, and who would.
pub(crate) fn unread(valgrind: &Valgrind, what: &str) -> Gap {
    let version = valgrind.version.map_or_else(String::new, |version| format!(" {version}"));
    let why = format!(
        "valgrind{version} cannot read the program's debug information; a copy without it was run, whose functions have names and where they begin"
    );
    let next = "valgrind 3.24, or a build with `-gdwarf-4` (Rust: `-C dwarf-version=4`)";
    Gap::new(what, why, Some(next))
}

/// Writes a copy of a program without its debug information into a folder. `None` when the image that valgrind could not read is
/// another file, or has nothing that can be left out.
pub(crate) fn bare_copy(program: &Path, image: Option<&str>, folder: &Path) -> Option<PathBuf> {
    let program = program.canonicalize().ok()?;
    let same = |image: &str| fs::canonicalize(image).is_ok_and(|image| image == program);
    image.is_none_or(same).then_some(())?;
    let bytes = without_debug(&fs::read(&program).ok()?)?;
    fs::create_dir_all(folder).ok()?;
    let copy = folder.join(program.file_name()?);
    fs::write(&copy, bytes).ok()?;
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).ok()?;
    Some(copy)
}

/// Where functions of a program begin in its source, told by our own reader.
pub(crate) fn places(program: &Path, functions: &[&str]) -> Vec<Option<SourceLine>> {
    let Ok(bytes) = fs::read(program) else { return vec![None; functions.len()] };
    Image::parse(&bytes)
        .map_or_else(|_| vec![None; functions.len()], |image| inspect::places(&image, functions))
}

#[cfg(target_arch = "x86_64")]
fn knows_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
}

#[cfg(not(target_arch = "x86_64"))]
fn knows_avx512() -> bool {
    false
}
