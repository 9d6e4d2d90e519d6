//! The profilers of a sitting: how each is started, what it cost, what it left.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::super::account::{Built, Language, TRUTH, User, is_root, settle};
use super::super::sitting::Sitting;
use crate::process::{cargo, stdout_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Profiler {
    /// Nothing: what the others are held against.
    Nothing,
    /// Nothing again: how far apart equals are.
    Again,
    Slowpath,
    /// As an ordinary user.
    SlowpathUser,
    /// Waits alone, next to no hits.
    SlowpathWaits,
    PerfFramePointers,
    PerfDwarf,
    PerfSwitches,
    /// One event that never comes: what any perf event costs.
    PerfIdle,
    Samply,
    PySpy,
}

impl Profiler {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Again => "nothing again (A/A)",
            Self::Slowpath => "slowpath record",
            Self::SlowpathUser => "slowpath record, an ordinary user",
            Self::SlowpathWaits => "slowpath record, 10 hits a second",
            Self::PerfFramePointers => "perf record, frame pointers",
            Self::PerfDwarf => "perf record, dwarf 8 KiB",
            Self::PerfSwitches => "perf record, sched_switch",
            Self::PerfIdle => "perf stat, one idle event",
            Self::Samply => "samply record",
            Self::PySpy => "py-spy record",
        }
    }
}

/// P3 is at this rate; py-spy counts in whole thousands of its own.
pub(crate) const RATE: &str = "999";

/// What is here.
pub(crate) struct Profilers {
    pub(crate) slowpath: PathBuf,
    usage: PathBuf,
    perf: bool,
    samply: Option<PathBuf>,
    /// What samply is shown in place of `perf_event_paranoid`.
    shown: Option<PathBuf>,
    py_spy: Option<PathBuf>,
    /// Who is not root; `None` when we are such a one ourselves.
    pub(crate) user: Option<User>,
}

/// One run to be made.
pub(crate) struct Order<'a> {
    pub(crate) profiler: Profiler,
    pub(crate) argv: &'a [String],
    pub(crate) folder: &'a Path,
    /// `None`: slowpath at the rate it chooses, the others at [`RATE`].
    pub(crate) rate: Option<&'static str>,
    /// Runtimes name their code for perf, as slowpath asks them by itself; the files stay in /tmp.
    pub(crate) maps: bool,
}

/// One run under a profiler.
pub(crate) struct Turn {
    /// Seconds of the target, the profiler and all they waited for.
    pub(crate) cpu: f64,
    pub(crate) elapsed: f64,
    /// What was printed on standard output.
    pub(crate) stdout: Vec<u8>,
    pub(crate) left: Left,
}

/// Where a turn leaves its files.
pub(crate) struct Left {
    /// slowpath's run folder, or the peer's file.
    pub(crate) output: PathBuf,
    pub(crate) truth: PathBuf,
}

impl Profilers {
    /// Looks for the peers and names in the sitting which there are and which are not.
    pub(crate) fn find(
        sitting: &mut Sitting,
        built: &Built,
        slowpath: &Path,
        samply: Option<&Path>,
    ) -> Result<Self> {
        let version = |program: &Path| -> Result<String> {
            let printed = stdout_of(Command::new(program).arg("--version"))?;
            Ok(String::from_utf8_lossy(&printed).trim().to_owned())
        };
        let peers = sitting.root.join("target/peers");
        let mut found = |name: &str, program: Result<PathBuf>| -> Option<PathBuf> {
            let outcome = program.and_then(|program| Ok((version(&program)?, program)));
            match outcome {
                Ok((version, program)) => {
                    sitting.version(format!("peer {version}"));
                    Some(program)
                }
                Err(error) => {
                    sitting.version(format!("peer {name} is MISSING: {error:#}"));
                    None
                }
            }
        };
        let perf = found("perf", Ok("perf".into())).is_some();
        let samply = found("samply", samply.map_or_else(|| built_samply(&peers), |path| Ok(path.to_owned())));
        let py_spy = found("py-spy", py_spy(&peers.join("venv"), built.python()));
        let shown = samply.as_ref().and_then(|_| shown(&peers));
        if shown.is_some() {
            sitting.version("samply refuses where perf_event_paranoid is above 1, root or not: it is shown a 1 in a mount namespace of its own");
        }
        let user = User::find()?;
        let usage = built.program("usage");
        Ok(Self { slowpath: slowpath.to_owned(), usage, perf, samply, shown, py_spy, user })
    }

    /// The profilers of on-CPU time that are here and read this language.
    pub(crate) fn of(&self, language: Language) -> Vec<Profiler> {
        let mut profilers = vec![Profiler::Nothing, Profiler::Again, Profiler::Slowpath];
        if self.perf {
            profilers.extend([Profiler::PerfFramePointers, Profiler::PerfDwarf]);
        }
        if self.samply.is_some() {
            profilers.push(Profiler::Samply);
        }
        if self.py_spy.is_some() && language == Language::Python {
            profilers.push(Profiler::PySpy);
        }
        profilers
    }

    /// Those of waiting.
    pub(crate) fn of_waits(&self) -> Vec<Profiler> {
        let mut profilers =
            vec![Profiler::Nothing, Profiler::Again, Profiler::Slowpath, Profiler::SlowpathWaits];
        profilers.extend(self.user.map(|_| Profiler::SlowpathUser));
        if self.perf {
            profilers.extend([Profiler::PerfSwitches, Profiler::PerfIdle]);
        }
        profilers
    }

    pub(crate) fn has(&self, profiler: Profiler) -> bool {
        match profiler {
            Profiler::Samply => self.samply.is_some(),
            Profiler::PySpy => self.py_spy.is_some(),
            Profiler::PerfFramePointers
            | Profiler::PerfDwarf
            | Profiler::PerfSwitches
            | Profiler::PerfIdle => self.perf,
            Profiler::SlowpathUser => self.user.is_some(),
            Profiler::Nothing | Profiler::Again | Profiler::Slowpath | Profiler::SlowpathWaits => true,
        }
    }

    /// Runs the target under a profiler, through the program that asks `wait4` what was used.
    pub(crate) fn turn(&self, order: &Order<'_>) -> Result<Turn> {
        let folder = order.folder;
        let left = Left { output: folder.join("profile"), truth: folder.join("truth") };
        let usage = folder.join("usage");
        for file in [&left.output, &left.truth, &usage] {
            let _ = fs::remove_file(file);
        }
        let _ = fs::remove_dir_all(&left.output);
        let mut command = Command::new(&self.usage);
        command.arg(&usage).args(self.prefix(order, &left.output)).args(order.argv);
        command.env(TRUTH, &left.truth).stdin(Stdio::null()).current_dir(folder);
        if order.maps {
            command.env("NODE_OPTIONS", "--perf-basic-prof");
            command.env("JAVA_TOOL_OPTIONS", "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit");
        }
        settle();
        let stdout = stdout_of(&mut command)?;
        let text = fs::read_to_string(&usage).context("no usage was written")?;
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [cpu, elapsed, _] = numbers.as_slice() else { anyhow::bail!("unexpected usage: `{text}`") };
        Ok(Turn { cpu: cpu / 1e6, elapsed: elapsed / 1e6, stdout, left })
    }

    /// The words before the target's own.
    fn prefix(&self, order: &Order<'_>, output: &Path) -> Vec<String> {
        let output = output.display().to_string();
        let rate = order.rate.unwrap_or(RATE);
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let perf = |more: &[&str]| {
            [words(&["perf", "record", "-q", "-o", &output]), words(more), words(&["--"])].concat()
        };
        match order.profiler {
            Profiler::Nothing | Profiler::Again => Vec::new(),
            Profiler::Slowpath => {
                let program = self.slowpath.display().to_string();
                let paced: &[&str] = if order.rate.is_some() { &["--rate", rate] } else { &[] };
                [words(&[&program, "record", "--json", "--out", &output]), words(paced), words(&["--"])]
                    .concat()
            }
            Profiler::SlowpathUser => {
                let as_user = self.user.into_iter().flat_map(User::prefix);
                let slowpath = Order { profiler: Profiler::Slowpath, ..*order };
                as_user.chain(self.prefix(&slowpath, Path::new(&output))).collect()
            }
            Profiler::SlowpathWaits => {
                let program = self.slowpath.display().to_string();
                words(&[&program, "record", "--json", "--out", &output, "--rate", "10", "--"])
            }
            Profiler::PerfIdle => words(&["perf", "stat", "-e", "dummy", "-o", &output, "--"]),
            Profiler::PerfFramePointers => perf(&["-e", "cpu-clock", "-F", rate, "--call-graph", "fp"]),
            Profiler::PerfDwarf => perf(&["-e", "cpu-clock", "-F", rate, "--call-graph", "dwarf,8192"]),
            Profiler::PerfSwitches => perf(&["-e", "sched:sched_switch", "--call-graph", "fp"]),
            Profiler::Samply => {
                let program = self.samply.as_deref().unwrap_or(Path::new("samply")).display().to_string();
                let shown = self.shown.iter().flat_map(|shown| {
                    words(&["unshare", "--mount", "sh", "-c", SHOW, &shown.display().to_string()])
                });
                let record = words(&[&program, "record", "--save-only", "--rate", RATE, "-o", &output, "--"]);
                shown.chain(record).collect()
            }
            Profiler::PySpy => {
                let program = self.py_spy.as_deref().unwrap_or(Path::new("py-spy")).display().to_string();
                words(&[&program, "record", "-r", "1000", "-f", "raw", "-o", &output, "--"])
            }
        }
    }
}

const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// Hides the setting from a command behind a file; nobody else sees that, and the setting stays as it is.
const SHOW: &str = r#"mount --bind "$0" /proc/sys/kernel/perf_event_paranoid && exec "$@""#;

/// samply reads the setting and gives up, even where it is root and the kernel grants it all: a file with a lower one.
fn shown(peers: &Path) -> Option<PathBuf> {
    let level: i32 = fs::read_to_string(PARANOID).ok()?.trim().parse().ok()?;
    let file = peers.join("perf_event_paranoid");
    (level > 1 && is_root() && fs::write(&file, "1\n").is_ok()).then_some(file)
}

/// samply from the path or the peers' folder, built on first use.
fn built_samply(peers: &Path) -> Result<PathBuf> {
    let program = peers.join("bin/samply");
    if stdout_of(Command::new("samply").arg("--version")).is_ok() {
        return Ok("samply".into());
    }
    if !program.is_file() {
        eprintln!("building samply, once");
        let mut install = cargo(Path::new("."));
        install.args(["install", "--quiet", "--locked", "samply", "--root"]).arg(peers);
        stdout_of(install.arg("--target-dir").arg(peers.join("build")))?;
    }
    ensure!(program.is_file(), "cargo left no `{}`", program.display());
    Ok(program)
}

/// py-spy from the peers' environment, installed on first use.
fn py_spy(environment: &Path, python: Option<&Path>) -> Result<PathBuf> {
    let program = environment.join("bin/py-spy");
    if !program.is_file() {
        eprintln!("installing py-spy, once");
        let python = python.context("no python3")?;
        stdout_of(Command::new(python).args(["-m", "venv"]).arg(environment))?;
        stdout_of(Command::new(environment.join("bin/pip")).args(["install", "--quiet", "py-spy"]))?;
    }
    ensure!(program.is_file(), "pip left no `{}`", program.display());
    Ok(program)
}
