//! Makes the agent that watches calls in a JVM, with the compiler that belongs to it, and tells it which.

use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use model::profile::Place;
use model::recording::{Language, Owner, Recording};

use super::packed::{Packed, packed};

const SOURCE: Packed = packed!("Watch.java");

/// The one class of it that the JVM calls. Every class loader must see it, so it stands on the boot class path.
const MANIFEST: &str = "Premain-Class: slowpath.watch.Watch\nBoot-Class-Path: NAME\n";

/// What an option for the JVM cannot hold, however it is quoted.
const UNQUOTABLE: [char; 2] = ['\'', '\n'];

/// The option that makes the JVM watch these methods, and all others of the program's own classes. The error says in words
/// why it cannot.
pub(super) fn lay(functions: &[Place], recording: &Recording, out: &Path) -> Result<OsString, String> {
    let lines = table(functions);
    if lines.is_empty() {
        return Err("no method of the program is known".to_owned());
    }
    let java = program(recording).ok_or("the JVM's own program is not known")?;
    let agent = agent(&java)?;
    let path = out.join("watch.table");
    let text = format!("{}\n{lines}", out.display());
    fs::write(&path, text).map_err(|error| format!("`{}`: {error}", path.display()))?;
    let option = format!("'-javaagent:{}={}'", agent.display(), path.display());
    if option.trim_matches('\'').contains(UNQUOTABLE) || agent.to_string_lossy().contains('=') {
        return Err(format!("the JVM cannot be told of `{}`", path.display()));
    }
    Ok(option.into())
}

/// A line a method: its class, name and a line of it, whose it is, and what the recording calls it.
fn table(functions: &[Place]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for place in functions.iter().filter(|place| place.language == Language::Java) {
        let (Some((class, method)), Some(file)) = (place.function.rsplit_once('.'), place.file.as_deref())
        else {
            continue;
        };
        let internal = class.replace('.', "/");
        let is_own = place.owner == Owner::Project;
        let fields = if is_own {
            [internal.as_str(), "*", "0", "own", class, file].join("\t")
        } else {
            let line = place.line.unwrap_or(0).to_string();
            [internal.as_str(), method, &line, "package", &place.function, file].join("\t")
        };
        if !fields.contains('\n') && !lines.contains(&fields) {
            lines.push(fields);
        }
    }
    lines.join("\n")
}

fn program(recording: &Recording) -> Option<PathBuf> {
    let is_java = |runtime: &str| runtime == "jvm" || runtime.starts_with("java");
    let process =
        recording.processes.iter().find(|process| process.runtime.as_deref().is_some_and(is_java))?;
    let program = PathBuf::from(process.program.as_ref()?.as_os_str());
    program.canonicalize().ok()
}

/// The agent, made once for each JVM and kept.
fn agent(java: &Path) -> Result<PathBuf, String> {
    let mut hash = BuildHasherDefault::<DefaultHasher>::default().build_hasher();
    hash.write(SOURCE.0);
    hash.write(java.as_os_str().as_encoded_bytes());
    // Another release at the same place cannot load what a later one compiled.
    let release = java.ancestors().nth(2).and_then(|home| fs::read(home.join("release")).ok());
    hash.write(&release.unwrap_or_default());
    let folder = stacks::cache_folder("agents").ok_or("this user has no folder to keep it in")?;
    let name = format!("watch-{:016x}.jar", hash.finish());
    let jar = folder.join(&name);
    if jar.is_file() {
        return Ok(jar);
    }
    let bin = java.parent().ok_or("the JVM has no folder")?;
    let (compiler, packer) = (bin.join("javac"), bin.join("jar"));
    if !compiler.is_file() || !packer.is_file() {
        return Err(format!("there is no `javac` beside `{}`, only a runtime", java.display()));
    }
    let moment = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
    let work = folder.join(format!("{name}.{}.{moment}", std::process::id()));
    let made = make(&compiler, &packer, &work, &name);
    let failed = |error| format!("`{}`: {error}", jar.display());
    let moved = made.and_then(|()| fs::rename(work.join(&name), &jar).map_err(failed));
    let _ = fs::remove_dir_all(&work);
    moved.map(|()| jar)
}

/// Compiles and packs it in a folder of its own. The error is what the tool says first.
fn make(compiler: &Path, packer: &Path, work: &Path, name: &str) -> Result<(), String> {
    let (source, manifest, classes) = (work.join("Watch.java"), work.join("manifest"), work.join("classes"));
    let written = fs::create_dir_all(work)
        .and_then(|()| fs::write(&source, SOURCE.text()?))
        .and_then(|()| fs::write(&manifest, MANIFEST.replace("NAME", name)));
    written.map_err(|error| format!("`{}`: {error}", work.display()))?;
    quietly(Command::new(compiler).args(["-g", "-d"]).arg(&classes).arg(&source))?;
    quietly(
        Command::new(packer).arg("cfm").arg(work.join(name)).arg(manifest).arg("-C").arg(classes).arg("."),
    )
}

fn quietly(command: &mut Command) -> Result<(), String> {
    let tool = command.get_program().to_string_lossy().into_owned();
    // What the user says to his programs is not for this.
    let command = command.env_remove("JAVA_TOOL_OPTIONS").env_remove("JDK_JAVA_OPTIONS").stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("`{tool}`: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{tool}` failed: {}", said.lines().next().unwrap_or("without a word")))
}
