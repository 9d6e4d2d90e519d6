//! The specimens that log their own truth, and how they are built.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process::{cargo, follow, stdout_of};

/// One program with one known way to spend its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Specimen {
    pub(crate) name: &'static str,
    pub(crate) language: Language,
    /// The program of `specimens/account`, or a shell's script.
    program: &'static str,
    mode: &'static str,
    /// Whether the log tells the critical path. Where two take turns at work, only the threads' own time is known.
    pub(crate) path: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Rust,
    Go,
    Python,
    Node,
    Java,
    /// A shell that starts C programs.
    Shell,
}

const fn c(name: &'static str, program: &'static str, mode: &'static str) -> Specimen {
    Specimen { name, language: Language::C, program, mode, path: true }
}

const fn twin(name: &'static str, language: Language, mode: &'static str) -> Specimen {
    Specimen { name, language, program: "", mode, path: true }
}

const fn shell(name: &'static str, script: &'static str) -> Specimen {
    Specimen { name, language: Language::Shell, program: script, mode: "", path: true }
}

/// All of them; in a script `@` is the folder of the programs and `%` half of the seconds.
pub(crate) const ALL: [Specimen; 42] = [
    c("user", "cpu", "user"),
    c("kernel-calls", "cpu", "calls"),
    c("kernel-faults", "cpu", "faults"),
    c("user-and-kernel", "cpu", "mixed"),
    c("preempted", "cpu", "preempted"),
    c("woken", "cpu", "woken"),
    c("split-c", "split", "split"),
    c("sleep-once", "nap", "once"),
    c("sleep-often", "nap", "often"),
    c("sleep-half", "nap", "half"),
    c("stopped", "nap", "stopped"),
    c("disk-read-direct", "disk", "direct"),
    c("disk-read-buffered", "disk", "buffered"),
    c("disk-write-records", "disk", "records"),
    c("disk-fault", "disk", "fault"),
    c("lock-sleeping-holder", "lock", "sleeping"),
    c("lock-computing-holder", "lock", "computing"),
    Specimen { path: false, ..c("lock-contended", "lock", "contended") },
    c("lock-turns", "lock", "turns"),
    c("pool-idle", "lock", "pool"),
    c("child-computing", "child", "computing"),
    c("child-sleeping", "child", "sleeping"),
    c("child-piped", "child", "piped"),
    c("network-own-server", "child", "server"),
    c("network-remote", "child", "remote"),
    c("pipe-thread", "ready", "piped"),
    c("poll-thread", "ready", "threads"),
    c("poll-timer", "ready", "timer"),
    c("event-loop", "ready", "loop"),
    Specimen { path: false, ..c("switch-storm", "ready", "storm") },
    shell("shell-sequence", "@/cpu user %; @/nap often %"),
    shell("shell-pipeline", "@/cpu user % | cat; @/cpu calls % | cat"),
    shell("exec-chain", "exec env sh -c 'exec @/nap half %'"),
    twin("split-rust", Language::Rust, "split"),
    twin("split-go", Language::Go, "split"),
    twin("split-python", Language::Python, "split"),
    twin("sleep-python", Language::Python, "sleep"),
    Specimen { path: false, ..twin("interpreter-lock", Language::Python, "gil") },
    twin("split-node", Language::Node, "split"),
    twin("sleep-node", Language::Node, "sleep"),
    twin("split-java", Language::Java, "split"),
    twin("sleep-java", Language::Java, "sleep"),
];

/// The program that fills the two functions `heavy` and `light` with known shares of CPU time, in this language.
pub(crate) fn split(language: Language) -> Option<&'static Specimen> {
    ALL.iter().find(|specimen| specimen.language == language && specimen.name.starts_with("split-"))
}

pub(crate) fn named(name: &str) -> Option<&'static Specimen> {
    ALL.iter().find(|specimen| specimen.name == name)
}

/// The C programs with a truth log, and those that serve the bench.
const LOGGING: [&str; 7] = ["child", "cpu", "disk", "lock", "nap", "ready", "split"];
const SERVING: [&str; 2] = ["deny", "peer"];
/// Of `specimens/bench`: the background load, what is taken from a thread, what a command used.
const SHARED: [&str; 3] = ["load", "taken", "usage"];

/// The specimens, compiled.
pub(crate) struct Built {
    sources: PathBuf,
    folder: PathBuf,
    python: Option<PathBuf>,
    /// Which languages are not here, and why.
    pub(crate) missing: Vec<(Language, String)>,
}

impl Built {
    /// Compiles the C programs, which is an error when it fails, and the others where their compilers are.
    pub(crate) fn build(root: &Path, folder: &Path) -> Result<Self> {
        let mut built = Self::build_c(root, folder)?;
        let source = |name: &str| root.join("specimens/account").join(name);
        let mut rustc = Command::new("rustc");
        rustc
            .args(["--edition", "2024", "-O", "-g", "-o"])
            .arg(folder.join("twin-rust"))
            .arg(source("twin.rs"));
        let mut go = Command::new("go");
        go.args(["build", "-o"]).arg(folder.join("twin-go")).arg(source("twin.go"));
        let mut javac = Command::new("javac");
        javac.arg("-d").arg(folder).arg(source("Twin.java"));
        let mut node = Command::new("node");
        node.arg("--version");
        for (language, command) in [
            (Language::Rust, &mut rustc),
            (Language::Go, &mut go),
            (Language::Java, &mut javac),
            (Language::Node, &mut node),
        ] {
            if let Err(error) = stdout_of(command) {
                built.missing.push((language, format!("{error:#}")));
            }
        }
        built.python = interpreter();
        if built.python.is_none() {
            built.missing.push((Language::Python, "no python3".to_owned()));
        }
        Ok(built)
    }

    /// Compiles only the C programs, without frame pointers as distributions ship them.
    pub(crate) fn build_c(root: &Path, folder: &Path) -> Result<Self> {
        let sources = root.join("specimens/account");
        fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
        let shared = SHARED.iter().map(|name| (name, root.join("specimens/bench")));
        let own = LOGGING.iter().chain(&SERVING).map(|name| (name, sources.clone()));
        for (name, sources) in own.chain(shared) {
            let mut gcc = Command::new("gcc");
            gcc.args(["-O2", "-g", "-fomit-frame-pointer", "-pthread", "-Wall", "-Wextra", "-Werror", "-o"]);
            gcc.arg(folder.join(name)).arg(sources.join(format!("{name}.c")));
            stdout_of(&mut gcc).context("install gcc and libc6-dev")?;
        }
        Ok(Self { sources, folder: folder.to_owned(), python: None, missing: Vec::new() })
    }

    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn python(&self) -> Option<&Path> {
        self.python.as_deref()
    }

    /// The specimen's command line. `None` when its language is not here.
    pub(crate) fn argv(&self, specimen: &Specimen, seconds: f64) -> Option<Vec<String>> {
        if self.missing.iter().any(|(language, _)| *language == specimen.language) {
            return None;
        }
        let at = |name: &str| self.folder.join(name).display().to_string();
        let script = |name: &str| self.sources.join(name).display().to_string();
        let mut argv = match specimen.language {
            Language::C => vec![at(specimen.program)],
            Language::Rust => vec![at("twin-rust")],
            Language::Go => vec![at("twin-go")],
            Language::Python => vec![self.python.as_ref()?.display().to_string(), script("twin.py")],
            Language::Node => vec!["node".into(), script("twin.js")],
            Language::Java => vec!["java".into(), "-cp".into(), at("."), "Twin".into()],
            Language::Shell => {
                let half = format!("{}", seconds / 2.0);
                let text = specimen.program.replace('@', &self.folder.display().to_string());
                return Some(vec!["/bin/sh".into(), "-c".into(), text.replace('%', &half)]);
            }
        };
        argv.extend([specimen.mode.to_owned(), seconds.to_string()]);
        Some(argv)
    }

    /// The C program with a fixed amount of work and hardly a switch.
    pub(crate) fn argv_of_split(&self, seconds: f64) -> Option<Vec<String>> {
        self.argv(split(Language::C)?, seconds)
    }
}

/// The slowpath to measure: the given one, or this tree's, built now.
pub(crate) fn slowpath(root: &Path, asked: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = asked {
        return fs::canonicalize(path).with_context(|| format!("cannot find `{}`", path.display()));
    }
    follow(cargo(root).args(["build", "--release", "--quiet", "-p", "slowpath"]))?;
    Ok(root.join("target/release/slowpath"))
}

/// Waits until nobody closes the events of an earlier run any more, which makes the next one's clone and exit wait.
pub(crate) fn settle() {
    for _ in 0..SETTLING {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let closes = |path: &Path| fs::read(path.join("comm")).is_ok_and(|name| name == CLOSER);
        if !processes.into_iter().any(|process| closes(&process.path())) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The name that slowpath gives to such a process.
const CLOSER: &[u8] = b"slowpath-closes\n";

/// Looks at 20 ms until somebody else's are no longer waited for.
const SETTLING: u32 = 50;

/// The interpreter of the system where there is one: a `python3` on the path may be a script that looks for another.
fn interpreter() -> Option<PathBuf> {
    let system = PathBuf::from("/usr/bin/python3");
    if system.is_file() {
        return Some(system);
    }
    let printed =
        stdout_of(Command::new("python3").args(["-c", "import sys; print(sys.executable)"])).ok()?;
    Some(PathBuf::from(String::from_utf8(printed).ok()?.trim_end()))
}

/// What a specimen is told through its environment.
pub(crate) const TRUTH: &str = "SLOWPATH_TRUTH";
pub(crate) const FOLDER: &str = "SLOWPATH_DIR";
pub(crate) const PEER: &str = "SLOWPATH_PEER";

/// A server on loopback outside the measured tree. Ends with its standard input, so also when we are killed.
pub(crate) struct Peer {
    child: Child,
    pub(crate) port: String,
}

/// How long it takes to answer.
const DELAY_MILLIS: &str = "15";

impl Peer {
    pub(crate) fn start(built: &Built) -> Result<Self> {
        let mut command = Command::new(built.program("peer"));
        command.arg(DELAY_MILLIS).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot start the peer")?;
        let mut port = String::new();
        let printed = child.stdout.take().context("the peer has no output")?;
        BufReader::new(printed).read_line(&mut port).context("the peer does not tell its port")?;
        Ok(Self { child, port: port.trim_end().to_owned() })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // One that is gone already is what we want.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::super::truth::Truth;
    use super::*;
    use crate::process::workspace_root;

    #[test]
    fn every_c_specimen_runs_and_its_log_adds_up_to_its_own_wall_time() {
        let folder = tempfile::tempdir().unwrap();
        let built = Built::build_c(&workspace_root().unwrap(), folder.path()).unwrap();
        let peer = Peer::start(&built).unwrap();
        for specimen in
            ALL.iter().filter(|specimen| matches!(specimen.language, Language::C | Language::Shell))
        {
            let log = folder.path().join(specimen.name);
            let run = || {
                let argv = built.argv(specimen, 0.05).unwrap();
                let mut command = Command::new(&argv[0]);
                command.args(&argv[1..]).env(TRUTH, &log).env(FOLDER, folder.path()).env(PEER, &peer.port);
                stdout_of(&mut command).unwrap();
                let truth = Truth::parse(&fs::read_to_string(&log).unwrap()).unwrap();
                (truth.path(0.0).values().sum::<f64>(), truth.wall())
            };
            // Between two notes a busy machine may take the CPU away for a tenth of so short a run, but not each time.
            let runs: Vec<(f64, f64)> = (0..3).map(|_| run()).collect();
            let adds_up = runs.iter().any(|(sum, wall)| (sum - wall).abs() <= 0.05 * wall);
            assert!(adds_up, "{}: {runs:?}", specimen.name);
        }
    }

    #[test]
    fn names_are_unique_and_every_language_has_a_split() {
        let mut names: Vec<&str> = ALL.iter().map(|specimen| specimen.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        let languages =
            [Language::C, Language::Rust, Language::Go, Language::Python, Language::Node, Language::Java];
        assert!(languages.into_iter().all(|language| split(language).is_some()));
    }
}
