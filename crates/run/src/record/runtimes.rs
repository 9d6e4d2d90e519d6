//! Asking runtimes, by environment variables, to tell what their own code is.

use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use model::Gap;
use model::recording::{self, Recording};

use super::assemble::Process;
use crate::clock::monotonic;
use crate::measure::Recipe;
use crate::preload::{Library, before};

/// V8 writes /tmp/perf-PID.map and keeps one native frame for each interpreted one.
const NODE: (&str, &str) = ("NODE_OPTIONS", "--perf-basic-prof --interpreted-frames-native-stack");

/// The JVM keeps frame pointers, notes the line of every instruction it compiles and not only of those it may stop at, and
/// writes the map at its end. Names come from its memory while it runs (`stacks::jvm`); the map is for those that cannot be
/// read. Older ones do not know all of these and would refuse them.
const JAVA: (&str, &str) = (
    "JAVA_TOOL_OPTIONS",
    "-XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:+PreserveFramePointer \
     -XX:+DebugNonSafepoints -XX:+DumpPerfMapAtExit",
);

/// .NET writes the same map. Before its sixth version it knows the second name alone.
const DOTNET: [&str; 2] = ["DOTNET_PerfMapEnabled", "COMPlus_PerfMapEnabled"];

/// Sends V8's log nowhere (`preload/unlogged.rs`).
static UNLOGGED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/unlogged.so"));

/// The recipe with these added to what the user has set.
pub(crate) fn asked(recipe: &Recipe) -> Recipe {
    let log = log(recipe);
    let mut recipe = recipe.clone();
    for (name, options) in [NODE, JAVA].into_iter().filter(|asked| *asked != NODE || log != Log::InOutput) {
        add(&mut recipe.env, name, options);
    }
    if let Log::Nowhere(library) = log {
        before(&mut recipe.env, library);
    }
    // Who asks for one kind of map wants that.
    if !recipe.env.iter().any(|(name, _)| DOTNET.iter().any(|own| name == own)) {
        recipe.env.extend(DOTNET.map(|name| (name.into(), "1".into())));
    }
    recipe
}

/// Where V8's log goes, which it opens in the working directory beside its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Log {
    InFolder,
    /// By this library.
    Nowhere(&'static OsStr),
    /// Where all else is refused, into what the program itself says.
    InOutput,
}

fn log(recipe: &Recipe) -> Log {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    if has_writable_folder(recipe) {
        return Log::InFolder;
    }
    let library = LIBRARY.get_or_init(|| Library::in_memory(c"slowpath-unlogged", UNLOGGED).ok());
    library.as_ref().map_or(Log::InOutput, |library| Log::Nowhere(&library.path))
}

fn has_writable_folder(recipe: &Recipe) -> bool {
    let folder = recipe.cwd.clone().unwrap_or_else(|| PathBuf::from("."));
    let Ok(folder) = CString::new(folder.into_os_string().into_vec()) else { return false };
    // SAFETY: the path is a C string that outlives the call.
    unsafe {
        libc::faccessat(libc::AT_FDCWD, folder.as_ptr(), libc::W_OK | libc::X_OK, libc::AT_EACCESS) == 0
    }
}

/// What is missing where JavaScript has no names.
pub(super) const JAVASCRIPT_NAMES: &str = "names of JavaScript functions";

/// What is missing where Node was not asked.
pub(super) fn unasked(recipe: &Recipe, recording: &Recording) -> Option<Gap> {
    let is_node = |process: &recording::Process| {
        let program = process.program.as_ref().map(|program| Path::new(program.as_os_str()));
        let name = program.and_then(Path::file_name);
        name.is_some_and(|name| name == "node" || name == "nodejs")
    };
    let is_missing = log(recipe) == Log::InOutput && recording.processes.iter().any(is_node);
    is_missing.then(|| {
        let why = "Node would write a log into its working directory, which cannot be written, or else into its output";
        Gap::new(JAVASCRIPT_NAMES, why, Some("run it from a folder that may be written"))
    })
}

fn add(env: &mut Vec<(OsString, OsString)>, name: &str, options: &str) {
    match env.iter_mut().find(|(known, _)| known == name) {
        Some((_, value)) => {
            value.push(" ");
            value.push(options);
        }
        None => env.push((name.into(), options.into())),
    }
}

/// Removes what runtimes wrote because we asked them to: the maps, and the empty log V8 opens beside them.
pub(super) fn tidy(processes: &[Process]) {
    for process in processes {
        tidy_map(process.pid, written_since(process.from));
        if let Some(folder) = &process.folder {
            remove_logs(folder, process.pid);
        }
    }
}

/// Removes the maps of a process; one that is older was written by another, for somebody else.
fn tidy_map(pid: u32, since: SystemTime) {
    // .NET tells in another file which libraries it has loaded.
    for path in [format!("/tmp/perf-{pid}.map"), format!("/tmp/perfinfo-{pid}.map")] {
        let written = std::fs::symlink_metadata(&path).and_then(|metadata| metadata.modified());
        if written.is_ok_and(|written| written >= since) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes what one process wrote, whose folder and beginning are known.
pub(crate) fn tidy_process(pid: u32, from: u64, folder: &Path) {
    tidy_map(pid, written_since(from));
    remove_logs(folder, pid);
}

/// Before this, a process that began at a moment of our clock wrote nothing.
pub(crate) fn written_since(from: u64) -> SystemTime {
    /// Clocks of files lag behind by a tick, and the clock of the day may be set a little.
    const SLACK: Duration = Duration::from_secs(1);
    let age = Duration::from_nanos(monotonic().saturating_sub(from)) + SLACK;
    SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH)
}

fn remove_logs(folder: &Path, pid: u32) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let ending = format!("-{pid}-v8.log");
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours =
            name.to_str().is_some_and(|name| name.starts_with("isolate-0x") && name.ends_with(&ending));
        if ours {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
