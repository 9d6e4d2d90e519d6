//! criterion's executable, as cargo builds it, and the folder with its results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use run::Recipe;
use tools::saved::Saved;
use tools::suite::criterion::{self, Executable};

use crate::walk::stored;

/// Folders below criterion's that are looked into: group, function, parameter, `new`.
const DEPTH: usize = 5;

/// The executables whose benchmarks a command runs with criterion, built where they are not yet. None when it does not build: the
/// command itself then tells why.
pub(super) fn executables(recipe: &Recipe) -> Vec<(Executable, Vec<u8>)> {
    let all = match criterion::building(&recipe.argv) {
        Some(argv) => printed(recipe, &argv).map(|messages| criterion::executables(&messages)),
        None => Some(vec![Executable { path: recipe.path.clone(), folder: recipe.cwd.clone() }]),
    };
    let read = |one: Executable| fs::read(&one.path).ok().map(|bytes| (one, bytes));
    let all = all.into_iter().flatten().filter_map(read);
    all.filter(|(_, bytes)| criterion::is_criterion(bytes)).collect()
}

/// What a build prints that is started as the target would be. `None` when it fails.
pub(super) fn printed(recipe: &Recipe, argv: &[std::ffi::OsString]) -> Option<Vec<u8>> {
    let mut command = Command::new(&recipe.path);
    command.args(argv.iter().skip(1)).env_clear().envs(recipe.env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stderr(Stdio::null());
    if let Some(cwd) = &recipe.cwd {
        command.current_dir(cwd);
    }
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}

/// Where criterion keeps its results: where it is told to, else beside what was built, else in `target` here or further up.
pub(super) fn results(recipe: &Recipe, executable: Option<&Path>) -> PathBuf {
    let set = |wanted: &str| {
        recipe.env.iter().find(|(name, _)| name == wanted).map(|(_, value)| PathBuf::from(value))
    };
    let here = recipe.cwd.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    if let Some(home) = set("CRITERION_HOME") {
        return here.join(home);
    }
    if let Some(target) = set("CARGO_TARGET_DIR") {
        return here.join(target).join("criterion");
    }
    let built = executable.into_iter().flat_map(Path::ancestors).map(|folder| folder.join("criterion"));
    let above = here.ancestors().map(|folder| folder.join("target/criterion"));
    let found = built.chain(above).find(|folder| folder.is_dir());
    found.unwrap_or_else(|| here.join("target/criterion"))
}

/// What one run wrote: what is younger than its beginning.
pub(super) fn saved(folder: &Path, begun: SystemTime) -> Result<(Saved, Vec<String>), (String, String)> {
    let files = samples(folder, LATEST, begun);
    let artifacts = files.iter().map(|file| file.display().to_string()).collect();
    let none = || {
        let why = format!("no new results lie below {}", folder.display());
        (
            why,
            "`cargo bench` with criterion, and CRITERION_HOME set where its results lie elsewhere".to_owned(),
        )
    };
    joined(&files).map(|saved| (saved, artifacts)).ok_or_else(none)
}

/// All benchmarks in a folder of criterion's, as they were measured last or, after a colon, under the name of a baseline. `None`
/// when it is no such folder.
pub(crate) fn all_saved(name: &Path) -> Option<Saved> {
    let whole = || (name.to_owned(), LATEST.to_owned());
    let named = || {
        let (folder, baseline) = name.to_str()?.rsplit_once(':')?;
        Some((PathBuf::from(folder), baseline.to_owned()))
    };
    let (folder, baseline) = if name.is_dir() { whole() } else { named()? };
    joined(&samples(&folder, &baseline, SystemTime::UNIX_EPOCH))
}

/// The folder of what was measured last.
const LATEST: &str = "new";

fn joined(files: &[PathBuf]) -> Option<Saved> {
    let (read, damaged): (Vec<_>, Vec<_>) =
        files.iter().map(|file| stored::benchmarks(file).ok_or(file)).partition(Result::is_ok);
    let mut all = read.into_iter().flatten();
    let mut first = all.next()?;
    first.benchmarks.extend(all.flat_map(|saved| saved.benchmarks));
    let damaged = damaged.into_iter().filter_map(Result::err);
    first.notes.extend(damaged.map(|file| format!("`{}` cannot be read", file.display())));
    Some(first)
}

/// The files of all benchmarks, in the order in which they were written.
fn samples(folder: &Path, baseline: &str, since: SystemTime) -> Vec<PathBuf> {
    let wanted = Path::new(baseline).join("sample.json");
    let mut found = Vec::new();
    below(folder, DEPTH, &mut |path, written| {
        if path.ends_with(&wanted) && written >= since {
            found.push((written, path));
        }
    });
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

fn below(folder: &Path, depth: usize, each: &mut impl FnMut(PathBuf, SystemTime)) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() && depth > 0 {
            below(&entry.path(), depth - 1, each);
        } else if let Ok(written) = metadata.modified() {
            each(entry.path(), written);
        }
    }
}
