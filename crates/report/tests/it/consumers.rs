//! Exports in the programs they are meant for, where these are installed: `go tool pprof`, and under node the
//! importers of speedscope and of the Firefox Profiler. `cargo xtask test` installs them, the latter in `target/consumers`.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use model::recording::Recording;
use report::export;
use serde_json::Value;

use crate::hostile::NASTY;
use crate::wire::recordings::{MS, clockless, empty, hostile, recording};

/// A file of this export in the test's own folder.
fn written(name: &str, write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Standard output of a command that must succeed. `None` when it is not installed.
fn told(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// What `cargo xtask test` installed, else what npm did for everyone. `None` when neither is there, or node is not.
fn package(name: &str) -> Option<PathBuf> {
    Command::new("node").arg("--version").output().ok().filter(|output| output.status.success())?;
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/consumers/node_modules");
    let folders = [ours, "/usr/lib/node_modules", "/usr/local/lib/node_modules"].map(Path::new);
    folders.into_iter().map(|folder| folder.join(name)).find(|path| path.join("package.json").is_file())
}

/// The rows of `pprof -top`, as function and own weight.
fn top(file: &Path, index: &str) -> Option<(String, Vec<(String, f64)>)> {
    let mut command = Command::new("go");
    command.args(["tool", "pprof", "-top", "-unit=ms", "-nodefraction=0", &format!("-sample_index={index}")]);
    let text = told(command.arg(file).env("HOME", env!("CARGO_TARGET_TMPDIR")))?;
    let row = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let own = fields.first()?.trim_end_matches("ms").parse().ok()?;
        Some((fields.get(5..)?.join(" "), own))
    };
    let rows = text.lines().skip_while(|line| !line.contains("flat%")).skip(1).filter_map(row).collect();
    Some((text, rows))
}

fn own(rows: &[(String, f64)], name: &str) -> f64 {
    rows.iter().filter(|(function, _)| function.starts_with(name)).map(|(_, own)| own).sum()
}

/// Milliseconds of hits whose innermost frame has this name.
fn recorded(recording: &Recording, name: &str) -> f64 {
    let innermost = |stack: u32| recording.frames_of(stack).next().and_then(|frame| frame.function.clone());
    let hits = recording.hits.iter().filter(|hit| hit.stack.and_then(innermost).as_deref() == Some(name));
    hits.map(|hit| hit.weight as f64 / MS as f64).sum()
}

#[test]
fn pprof_reads_the_same_totals() {
    let recording = recording();
    let file = written("job.pb.gz", |out| export::pprof(&recording, out));
    let Some((text, rows)) = top(&file, "cpu") else {
        println!("skipped: go is not installed");
        return;
    };
    assert!(text.contains("of 1200ms total"), "{text}");
    for name in ["is_space", "work", "ksys_read", "parse"] {
        assert_eq!(own(&rows, name), recorded(&recording, name), "{name}: {text}");
    }
    assert!(rows.iter().any(|(name, _)| name == "is_space (inline)"), "{text}");
    let (text, _) = top(&file, "wait").unwrap();
    assert!(text.contains("of 600ms total"), "{text}");
    let tags =
        told(Command::new("go").args(["tool", "pprof", "-tags", "-sample_index=wait"]).arg(&file)).unwrap();
    for tag in ["worker-1", "4101", "blocked/lock", "blocked/disk-read"] {
        assert!(tags.contains(tag), "{tags}");
    }
}

#[test]
fn pprof_takes_every_recording() {
    for (name, recording) in [("clockless", clockless()), ("empty", empty()), ("hostile", hostile(NASTY))] {
        let file = written(&format!("{name}.pb.gz"), |out| export::pprof(&recording, out));
        if told(Command::new("go").args(["tool", "pprof", "-raw"]).arg(file)).is_none() {
            println!("skipped: go is not installed");
        }
    }
}

#[test]
fn speedscope_imports_the_same_totals() {
    let Some(package) = package("speedscope") else {
        println!("skipped: npm package speedscope is not installed");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/speedscope.js");
    let imported = |name: &str, recording: &Recording| -> Value {
        let file = written(&format!("{name}.speedscope.json"), |out| export::speedscope(recording, out));
        let text = told(Command::new("node").arg(&script).arg(&package).arg(file)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let recording = recording();
    let profiles = imported("job", &recording);
    assert_eq!(profiles[0]["weight"], 1000 * MS, "{profiles}");
    assert_eq!(profiles[1]["weight"], 800 * MS, "{profiles}");
    for name in ["is_space", "ksys_read"] {
        assert_eq!(
            profiles[0]["own"][name].as_f64().unwrap() / MS as f64,
            recorded(&recording, name),
            "{profiles}"
        );
    }
    assert_eq!(profiles[0]["own"]["[blocked/disk-read]"], 200 * MS);
    assert_eq!(imported("clockless", &clockless())[0]["weight"], 45);
    imported("empty", &empty());
    imported("hostile", &hostile(NASTY));
}

/// The Firefox Profiler's command line with one file open, ended with the test.
struct Session {
    program: PathBuf,
    folder: PathBuf,
    server: Child,
}

impl Session {
    /// The program's own `load` gives its server half a second to start, which a busy machine does not keep, so the
    /// server is started here and asked until it answers. It is not asked before it has written its last file: whoever
    /// asks earlier takes the session for a dead one and removes the socket, even if that has come up meanwhile.
    fn open(package: &Path, name: &str, recording: &Recording) -> Self {
        let file = written(&format!("{name}.firefox.json"), |out| export::firefox(recording, out));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("firefox-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let program = package.join("dist/profiler-cli.js");
        let mut command = Command::new("node");
        command.arg(&program).arg("--daemon").arg(file).args(["--session", "test"]);
        command.env("PROFILER_CLI_SESSION_DIR", &folder).env("PROFILER_CLI_NO_SYMBOLICATE", "1");
        let server = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut session = Self { program, folder, server };
        let begun = Instant::now();
        let up = session.folder.join("current.txt");
        while !up.exists() || session.ask(&["thread", "list"]).is_none() {
            let alive = session.server.try_wait().unwrap().is_none();
            assert!(alive && begun.elapsed() < Duration::from_secs(60), "{name}: the file was refused");
            std::thread::sleep(Duration::from_millis(10));
        }
        session
    }

    /// What the program answers, or `None` while it is not ready.
    fn ask(&self, arguments: &[&str]) -> Option<String> {
        let mut command = Command::new("node");
        command.arg(&self.program).args(arguments).args(["--session", "test"]);
        let output = command.env("PROFILER_CLI_SESSION_DIR", &self.folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(text)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn the_firefox_profiler_loads_samples_and_markers() {
    let Some(package) = package("@firefox-devtools/profiler-cli") else {
        println!("skipped: npm package @firefox-devtools/profiler-cli is not installed");
        return;
    };
    for (name, recording) in [("empty", empty()), ("clockless", clockless()), ("hostile", hostile(NASTY))] {
        Session::open(&package, name, &recording);
    }
    let session = Session::open(&package, "job", &recording());
    let functions = session.ask(&["thread", "functions", "--thread", "t-0"]).unwrap();
    for name in ["is_space", "ksys_read", "libc.so.6+0x92f40"] {
        assert!(functions.contains(name), "{functions}");
    }
    let markers = session.ask(&["thread", "markers", "--thread", "t-1", "--list"]).unwrap();
    for marker in ["blocked/lock", "runnable/woken", "blocked/network"] {
        assert!(markers.contains(marker), "{markers}");
    }
}
