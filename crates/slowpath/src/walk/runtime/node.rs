//! Lays ready what Node loads instead of the program's own files, so that calls of its functions can be watched, and what its
//! event loop waits for.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

use inspect::source::{Watch, Watchable};
use model::profile::Place;
use model::recording::Owner;
use serde::Serialize;

use super::packed::{Packed, packed};

const WATCH: Packed = packed!("watch.cjs");
const LOOP: Packed = packed!("loop.cjs");

/// Functions that are watched: of packages those that time goes through, then the program's own.
const MOST: usize = 500;

#[derive(Default, Serialize)]
struct Table {
    /// What is loaded instead of which file.
    files: BTreeMap<String, String>,
    /// Of each line of what is loaded, which line of the file it was.
    lines: BTreeMap<String, Vec<u32>>,
    /// Whether one of them is loaded as a module.
    modules: bool,
    functions: Vec<Watched>,
}

#[derive(Serialize)]
struct Watched {
    function: String,
    file: String,
    line: u32,
    parameters: Vec<String>,
    own: bool,
    changes: bool,
}

/// Variables that make the hook watch these functions, and all others of the program's own in the same files; where the event
/// loop waits, also those that give promises, and the loop.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn lay(functions: &[Place], waits: bool, out: &Path) -> io::Result<Vec<(OsString, OsString)>> {
    let mut env = Vec::new();
    if waits {
        fs::write(out.join("loop.cjs"), LOOP.text()?)?;
        env.push(("SLOWPATH_LOOP".into(), "1".into()));
    }
    env.extend(lay_files(functions, waits, out)?);
    Ok(env)
}

/// `None` when none of the functions can be watched.
fn lay_files(functions: &[Place], waits: bool, out: &Path) -> io::Result<Option<(OsString, OsString)>> {
    let mut table = Table::default();
    let mut files: Vec<&str> = Vec::new();
    for file in functions.iter().filter_map(|place| place.file.as_deref()) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    for file in files {
        let Ok(text) = fs::read_to_string(file) else { continue };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let Some(watch) = Watch::read(text) else { continue };
        let places: Vec<&Place> =
            functions.iter().filter(|place| place.file.as_deref() == Some(file)).collect();
        let first = table.functions.len();
        let known: Vec<&Watchable> = watch.functions().collect();
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, name) in chosen(&known, &places, waits) {
            let (Some(one), true) = (known.get(at), table.functions.len() < MOST) else { break };
            numbers.insert(at, table.functions.len());
            table.functions.push(Watched {
                function: name,
                file: file.to_owned(),
                line: one.line,
                parameters: one.parameters.clone(),
                changes: one.changes,
                own: places.iter().any(|place| place.owner == Owner::Project),
            });
        }
        if table.functions.len() == first {
            continue;
        }
        let laid = out.join(format!("laid.{}.js", table.files.len()));
        let text = watch.text(&|at| numbers.get(&at).copied());
        fs::write(&laid, text.text)?;
        table.lines.insert(file.to_owned(), text.lines);
        table.modules |= watch.is_module() || is_loaded_as_module(Path::new(file));
        table.files.insert(file.to_owned(), laid.to_string_lossy().into_owned());
    }
    if table.functions.is_empty() {
        return Ok(None);
    }
    fs::write(out.join("watch.cjs"), WATCH.text()?)?;
    let path = out.join("watch.table");
    fs::write(&path, serde_json::to_vec(&table)?)?;
    Ok(Some(("SLOWPATH_WATCH".into(), path.into())))
}

/// Which functions of a file are watched, and what the recording calls them: all of the program's own, of a package's those
/// that were asked for and are the only ones that can be meant. Those that wait only where that is asked for.
fn chosen(known: &[&Watchable], places: &[&Place], waits: bool) -> Vec<(usize, String)> {
    let name = |function: &str| function.rsplit('.').next().unwrap_or(function).to_owned();
    let mut found: BTreeMap<usize, String> = BTreeMap::new();
    for place in places {
        let there = |one: &&Watchable| Some(one.line) == place.line;
        let named = |one: &&Watchable| one.name.as_deref() == Some(name(&place.function).as_str());
        let all = || known.iter().copied().enumerate().filter(|(_, one)| there(one));
        let meant: Vec<usize> = all().filter(|(_, one)| named(one)).map(|(at, _)| at).collect();
        // The runtime may know no name of a function, or another one than the text: a constructor goes by the name of its
        // class. A script's own code is no function.
        let unnamed = |one: &Watchable| match place.function.as_str() {
            "(top level)" => false,
            "(anonymous)" => true,
            _ => one.name.as_deref().is_none_or(|name| name == "constructor"),
        };
        let there = || all().filter(|(_, one)| unnamed(one)).map(|(at, _)| at).collect();
        let meant = if meant.is_empty() { there() } else { meant };
        if let [at] = meant.as_slice() {
            found.entry(*at).or_insert_with(|| place.function.clone());
        }
    }
    if places.iter().any(|place| place.owner == Owner::Project) {
        for (at, one) in known.iter().enumerate() {
            let nameless = one.is_async.then(|| "(anonymous)".to_owned());
            if let Some(name) = one.name.clone().or(nameless) {
                found.entry(at).or_insert(name);
            }
        }
    }
    found.retain(|at, _| waits || known.get(*at).is_some_and(|one| !one.is_async));
    found.into_iter().collect()
}

/// Whether a file is a module by its name, or by what the package around it says.
fn is_loaded_as_module(file: &Path) -> bool {
    if file.extension().is_some_and(|extension| extension == "mjs") {
        return true;
    }
    let packages = file.ancestors().skip(1).map(|folder| folder.join("package.json"));
    let said = packages.filter_map(|package| fs::read(package).ok()).next();
    let said = said.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    said.is_some_and(|package| package.get("type").is_some_and(|said| said == "module"))
}
