//! Which file a command name starts, found as execvp(3) finds it.

use std::ffi::{CString, OsStr};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a command name starts nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotFound {
    #[error("the command is empty")]
    Empty,
    /// A bare name that no folder of PATH holds.
    #[error("no folder of PATH has `{program}`")]
    NotOnPath { program: String, similar: Vec<String> },
    /// A path to nothing.
    #[error("`{}` does not exist", path.display())]
    Missing { path: PathBuf, similar: Vec<String> },
    /// A path that cannot even be looked at.
    #[error("`{}` cannot be reached: {reason}", path.display())]
    Unreachable { path: PathBuf, reason: String },
    #[error("`{}` is a folder", path.display())]
    Folder { path: PathBuf },
    #[error("`{}` is not executable", path.display())]
    NotExecutable { path: PathBuf },
    /// A script whose first line names a program that is not there.
    #[error("`{}` wants the interpreter `{}`, which does not exist", path.display(), interpreter.display())]
    NoInterpreter { path: PathBuf, interpreter: PathBuf },
}

impl NotFound {
    /// What to do about it, for the `try:` line.
    #[must_use]
    pub fn next(&self) -> String {
        match self {
            Self::Empty => "name the command after `--`".to_owned(),
            Self::NotOnPath { similar, .. } | Self::Missing { similar, .. } if !similar.is_empty() => {
                let names: Vec<String> = similar.iter().map(|name| format!("`{name}`")).collect();
                format!("did you mean {}?", names.join(" or "))
            }
            Self::NotOnPath { program, .. } => {
                format!("install it, or give its path, such as `./{program}`; `--shell` runs shell text")
            }
            Self::Missing { .. } => {
                "check the path; it is taken from the folder the command runs in".to_owned()
            }
            Self::Unreachable { path, .. } => format!("ls -ld '{}'", path.display()),
            Self::Folder { path } => format!("name a file in it: ls '{}'", path.display()),
            Self::NotExecutable { path } => format!("chmod +x '{}'", path.display()),
            Self::NoInterpreter { interpreter, .. } => {
                format!("install `{}`, or correct the script's first line", interpreter.display())
            }
        }
    }
}

/// The absolute path of the file that `program` starts when the target runs in `cwd` (`None`: this process's own).
///
/// A name with a slash is a path; any other is looked for in the folders of `path`, where an empty one is `cwd`.
/// As in execvp, a match that may not be executed is passed over for a later one.
///
/// # Errors
///
/// When nothing is found, or what is found cannot be executed.
pub fn resolve(program: &OsStr, path: &OsStr, cwd: Option<&Path>) -> Result<PathBuf, NotFound> {
    if program.is_empty() {
        return Err(NotFound::Empty);
    }
    let here = |candidate: &Path| {
        let joined = cwd.map_or_else(|| candidate.to_owned(), |cwd| cwd.join(candidate));
        std::path::absolute(&joined).unwrap_or(joined)
    };
    if program.as_bytes().contains(&b'/') {
        return executable(here(Path::new(program))).map_err(with_neighbours);
    }
    let mut refused = None;
    for folder in folders(path) {
        match executable(here(&folder.join(program))) {
            Ok(found) => return Ok(found),
            Err(NotFound::Missing { .. } | NotFound::Unreachable { .. }) => {}
            Err(reason) => refused = refused.or(Some(reason)),
        }
    }
    Err(refused.unwrap_or_else(|| {
        let folders: Vec<PathBuf> = folders(path).map(|folder| here(&folder)).collect();
        NotFound::NotOnPath {
            program: program.to_string_lossy().into_owned(),
            similar: similar(program, &folders),
        }
    }))
}

/// Adds similar names from the same folder, which is listed only once the path is known to lead nowhere.
fn with_neighbours(reason: NotFound) -> NotFound {
    match reason {
        NotFound::Missing { path, .. } => {
            let folder = path.parent().map(Path::to_owned);
            let similar = similar(path.file_name().unwrap_or_default(), folder.as_slice());
            NotFound::Missing { path, similar }
        }
        other => other,
    }
}

fn folders(path: &OsStr) -> impl Iterator<Item = PathBuf> {
    path.as_bytes().split(|byte| *byte == b':').map(|folder| PathBuf::from(OsStr::from_bytes(folder)))
}

fn executable(path: PathBuf) -> Result<PathBuf, NotFound> {
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(NotFound::Missing { path, similar: Vec::new() });
        }
        Err(error) => return Err(NotFound::Unreachable { path, reason: error.to_string() }),
    };
    if metadata.is_dir() {
        return Err(NotFound::Folder { path });
    }
    if !metadata.is_file() || !may_execute(&path) {
        return Err(NotFound::NotExecutable { path });
    }
    match super::program::interpreter(&path) {
        // A relative interpreter depends on the folder of the exec; only exec itself can tell.
        Some(interpreter) if interpreter.is_absolute() && !interpreter.exists() => {
            Err(NotFound::NoInterpreter { path, interpreter })
        }
        _ => Ok(path),
    }
}

/// Whether the kernel would let the effective user execute it.
fn may_execute(path: &Path) -> bool {
    let Ok(path) = CString::new(path.as_os_str().as_bytes()) else {
        return false;
    };
    // SAFETY: `path` ends with NUL and outlives the call.
    unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::X_OK, libc::AT_EACCESS) == 0 }
}

/// The most names looked at for a suggestion; a folder can hold any number.
const MOST_NAMES: usize = 50_000;

/// Up to three names in these folders spelled most like `program`, none farther from it than the first.
fn similar(program: &OsStr, folders: &[PathBuf]) -> Vec<String> {
    let Some(program) = program.to_str() else {
        return Vec::new();
    };
    // One slip in a short name, two in a longer one: two slips turn any three letters into any other command.
    let most = if program.chars().count() < 5 { 1 } else { 2 };
    let entries = folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten().take(MOST_NAMES);
    let mut near: Vec<(usize, String)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let slips = slips(program, &name);
            (slips <= most && slips < name.chars().count() && may_execute(&entry.path()))
                .then_some((slips, name))
        })
        .collect();
    near.sort();
    near.dedup();
    let nearest = near.first().map(|(slips, _)| *slips);
    near.into_iter().filter(|(slips, _)| Some(*slips) == nearest).take(3).map(|(_, name)| name).collect()
}

/// Insertions, deletions, substitutions and swaps of neighbours between two names (optimal string alignment).
fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let mut best =
                (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let neighbours =
                i.checked_sub(1).and_then(|i| a.get(i)).zip(j.checked_sub(1).and_then(|j| b.get(j)));
            if neighbours == Some((y, x)) {
                best = best.min(at(&before, j.saturating_sub(1)) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// `bin1` and `bin2` with an executable `tool` in the second, and things that are none.
    fn folder() -> (tempfile::TempDir, std::ffi::OsString) {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in ["bin1", "bin2", "bin1/dir", "work"] {
            fs::create_dir(at(path)).unwrap();
        }
        let put = |path: &str, text: &str, mode: u32| {
            fs::write(at(path), text).unwrap();
            fs::set_permissions(at(path), fs::Permissions::from_mode(mode)).unwrap();
        };
        put("bin1/tool", "", 0o644);
        put("bin2/tool", "", 0o755);
        put("bin1/plain", "", 0o644);
        put("bin2/script", "#!/no/such/interpreter -x\n", 0o755);
        put("bin2/good", "#!/bin/sh\n", 0o755);
        put("work/local", "", 0o755);
        std::os::unix::fs::symlink("nowhere", at("bin2/dangling")).unwrap();
        let path = std::env::join_paths([at("bin1"), at("bin2")]).unwrap();
        (folder, path)
    }

    #[test]
    fn each_reason_is_told_apart() {
        let (folder, path) = folder();
        let at = |path: &str| folder.path().join(path);
        let find = |program: &str| resolve(OsStr::new(program), &path, Some(&at("work")));
        assert_eq!(find("tool"), Ok(at("bin2/tool")), "one that may not run is passed over");
        assert_eq!(find("good"), Ok(at("bin2/good")));
        assert_eq!(
            find("./local"),
            Ok(at("work/./local")).map(|path: PathBuf| std::path::absolute(path).unwrap())
        );
        assert_eq!(find(""), Err(NotFound::Empty));
        assert_eq!(find("plain"), Err(NotFound::NotExecutable { path: at("bin1/plain") }));
        assert_eq!(find("dir"), Err(NotFound::Folder { path: at("bin1/dir") }));
        assert!(matches!(find("dangling"), Err(NotFound::NotOnPath { .. })));
        assert!(matches!(find("local"), Err(NotFound::NotOnPath { .. })), "the folder itself is not on PATH");
        assert!(matches!(find("../work/nothing"), Err(NotFound::Missing { .. })));
        assert!(matches!(find("./local/below"), Err(NotFound::Missing { .. })));
        assert!(matches!(find("script"), Err(NotFound::NoInterpreter { .. })));
    }

    #[test]
    fn an_empty_folder_in_path_is_the_working_one() {
        let (folder, _) = folder();
        let found = resolve(OsStr::new("local"), OsStr::new("/nowhere:"), Some(&folder.path().join("work")));
        assert_eq!(found, Ok(folder.path().join("work/local")));
    }

    #[test]
    fn a_slip_is_suggested_and_a_stranger_is_not() {
        let (folder, path) = folder();
        let suggested = |program: &str| match resolve(OsStr::new(program), &path, None) {
            Err(NotFound::NotOnPath { similar, .. }) => similar,
            other => panic!("{program}: {other:?}"),
        };
        assert_eq!(suggested("tol"), ["tool"]);
        assert_eq!(suggested("tolo"), ["tool"]);
        assert_eq!(suggested("scirpt"), ["script"]);
        assert_eq!(suggested("plian"), [""; 0], "what cannot run is no suggestion");
        assert_eq!(suggested("zzz"), [""; 0]);
        assert_eq!(suggested("x"), [""; 0]);
        let missing = resolve(OsStr::new("./locl"), &path, Some(&folder.path().join("work"))).unwrap_err();
        assert_eq!(missing.next(), "did you mean `local`?");
    }

    #[test]
    fn slips_are_counted() {
        for (a, b, wanted) in [
            ("ls", "sl", 1),
            ("grep", "grep", 0),
            ("pyhton3", "python3", 1),
            ("cat", "cart", 1),
            ("ab", "cd", 2),
            ("", "a", 1),
        ] {
            assert_eq!(slips(a, b), wanted, "{a} {b}");
            assert_eq!(slips(b, a), wanted, "{b} {a}");
        }
    }
}
