//! The tools measured beside slowpath, found or built; a missing one is named in the table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Options;
use super::programs::{Programs, Target};
use super::rules::Sides;
use super::sitting::Sitting;
use crate::process::{cargo, stdout_of};

pub(crate) struct Peers {
    pub(crate) hyperfine: Option<Hyperfine>,
    pub(crate) pyperf: Option<Pyperf>,
}

impl Peers {
    /// Looks for the peers, builds what is missing, and names in the sitting which versions there are and what is not.
    pub(crate) fn find(sitting: &mut Sitting, programs: &Programs, options: &Options) -> Self {
        if options.no_peers {
            sitting.version("peers: left out by --no-peers");
            return Self { hyperfine: None, pyperf: None };
        }
        let folder = sitting.root.join("target/peers");
        let hyperfine = Hyperfine::find(&folder, options.hyperfine.as_deref());
        let pyperf = Pyperf::find(&folder, programs);
        sitting.version(named("hyperfine", hyperfine.as_ref().map(|tool| tool.version.clone())));
        sitting.version(named("pyperf", pyperf.as_ref().map(|tool| tool.version.clone())));
        Self { hyperfine: hyperfine.ok(), pyperf: pyperf.ok() }
    }
}

fn named(name: &str, version: Result<String, &anyhow::Error>) -> String {
    match version {
        Ok(version) => format!("peer {version}"),
        Err(error) => format!("peer {name} is MISSING: {error:#}"),
    }
}

pub(crate) struct Hyperfine {
    program: PathBuf,
    pub(crate) version: String,
}

/// What hyperfine measured of one command.
#[derive(Default)]
pub(crate) struct Measured {
    pub(crate) wall: Vec<f64>,
    /// Empty for hyperfine 1, which keeps only a mean.
    pub(crate) cpu: Vec<f64>,
    pub(crate) rss: Vec<f64>,
}

/// 2.0.0 states a newer Rust than it needs; 1.20.0 is for where it does not build.
const BUILDS: [&[&str]; 2] =
    [&["--version", "2.0.0", "--locked", "--ignore-rust-version"], &["--version", "1.20.0", "--locked"]];

impl Hyperfine {
    fn find(folder: &Path, asked: Option<&Path>) -> Result<Self> {
        if let Some(path) = asked {
            return Self::at(path).with_context(|| format!("`{}` does not answer", path.display()));
        }
        let built = folder.join("bin/hyperfine");
        if let Ok(found) = Self::at(Path::new("hyperfine")).or_else(|_| Self::at(&built)) {
            return Ok(found);
        }
        eprintln!("building hyperfine, once");
        let mut why = String::new();
        for version in BUILDS {
            let mut install = cargo(Path::new("."));
            install.args(["install", "--quiet", "hyperfine"]).args(version).arg("--root").arg(folder);
            match stdout_of(&mut install) {
                Ok(_) => return Self::at(&built),
                Err(error) => why = error.to_string(),
            }
        }
        bail!("{why}")
    }

    fn at(program: &Path) -> Result<Self> {
        let printed = stdout_of(Command::new(program).arg("--version"))?;
        let version = String::from_utf8_lossy(&printed).trim().to_owned();
        Ok(Self { program: program.to_owned(), version })
    }

    /// The command line, without a shell in between.
    pub(crate) fn command(&self, targets: &[&Target], runs: u32, export: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args([
            "-N",
            "--style",
            "none",
            "--warmup",
            "1",
            "--runs",
            &runs.to_string(),
            "--export-json",
        ]);
        command.arg(export).args(targets.iter().map(|target| target.quoted()));
        command.stdin(Stdio::null());
        command
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Measures the targets as hyperfine does, one after the other; with the seconds it took.
    pub(crate) fn measure(
        &self,
        targets: &[&Target],
        runs: u32,
        folder: &Path,
    ) -> Result<(Vec<Measured>, f64)> {
        let export = folder.join("hyperfine.json");
        let began = Instant::now();
        stdout_of(&mut self.command(targets, runs, &export))?;
        let seconds = began.elapsed().as_secs_f64();
        Ok((Self::read(&export)?, seconds))
    }

    /// Reads an export of either form and removes it.
    pub(crate) fn read(export: &Path) -> Result<Vec<Measured>> {
        let bytes = fs::read(export).with_context(|| format!("hyperfine left no `{}`", export.display()))?;
        fs::remove_file(export)?;
        let file: Value = serde_json::from_slice(&bytes).context("hyperfine's export is not JSON")?;
        let results =
            file.get("results").and_then(Value::as_array).context("hyperfine's export has no results")?;
        Ok(results.iter().map(measured).collect())
    }
}

fn measured(result: &Value) -> Measured {
    let numbers = |values: Option<&Value>| -> Vec<f64> {
        values.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let Some(runs) = result.get("measurements").and_then(Value::as_array) else {
        let (wall, rss) = (numbers(result.get("times")), numbers(result.get("memory_usage_byte")));
        return Measured { wall, cpu: Vec::new(), rss };
    };
    let of = |name: &str| {
        let values = runs.iter().filter_map(|run| run.get(name)?.get("value")?.as_f64());
        values.collect::<Vec<_>>()
    };
    Measured { wall: of("time_wall_clock"), cpu: of("time_cpu"), rss: of("memory_peak_resident") }
}

pub(crate) struct Pyperf {
    python: PathBuf,
    pub(crate) version: String,
}

impl Pyperf {
    fn find(folder: &Path, programs: &Programs) -> Result<Self> {
        let venv = folder.join("py");
        let python = venv.join("bin/python");
        if let Ok(found) = Self::at(&python) {
            return Ok(found);
        }
        eprintln!("installing pyperf, once");
        let base = programs.python().context("no python3")?;
        stdout_of(Command::new(base).args(["-m", "venv"]).arg(&venv))?;
        stdout_of(Command::new(&python).args(["-m", "pip", "install", "--quiet", "pyperf"]))?;
        Self::at(&python)
    }

    fn at(python: &Path) -> Result<Self> {
        let mut ask = Command::new(python);
        let printed = stdout_of(ask.args(["-c", "import pyperf; print(pyperf.__version__)"]))?;
        let version = format!("pyperf {}", String::from_utf8_lossy(&printed).trim());
        Ok(Self { python: python.to_owned(), version })
    }

    /// `pyperf command` with one value a process, so that it starts the target as often as the others do.
    pub(crate) fn command(&self, target: &Target, runs: u32, export: &Path) -> Command {
        let mut command = Command::new(&self.python);
        command.args([
            "-m",
            "pyperf",
            "command",
            "--quiet",
            "--values",
            "1",
            "--warmups",
            "0",
            "--loops",
            "1",
        ]);
        command.args(["--processes", &runs.to_string(), "-o"]).arg(export).arg("--").args(&target.argv);
        command.stdin(Stdio::null());
        command
    }

    /// The values of an export, in seconds. The file is removed.
    pub(crate) fn read(export: &Path) -> Result<Vec<f64>> {
        let bytes = fs::read(export).with_context(|| format!("pyperf left no `{}`", export.display()))?;
        fs::remove_file(export)?;
        let file: Value = serde_json::from_slice(&bytes).context("pyperf's export is not JSON")?;
        let mut values = Vec::new();
        for benchmark in file.get("benchmarks").and_then(Value::as_array).into_iter().flatten() {
            for run in benchmark.get("runs").and_then(Value::as_array).into_iter().flatten() {
                values.extend(
                    run.get("values")
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten()
                        .filter_map(Value::as_f64),
                );
            }
        }
        Ok(values)
    }

    /// Measures base and new one after the other and asks `compare_to` whether they differ.
    pub(crate) fn compare(
        &self,
        base: &Target,
        new: &Target,
        runs: u32,
        folder: &Path,
    ) -> Result<PyperfCompared> {
        let began = Instant::now();
        let exports = [folder.join("pyperf-base.json"), folder.join("pyperf-new.json")];
        for (target, export) in [base, new].into_iter().zip(&exports) {
            let _ = fs::remove_file(export);
            stdout_of(&mut self.command(target, runs, export))?;
        }
        let mut ask = Command::new(&self.python);
        let printed = stdout_of(ask.args(["-m", "pyperf", "compare_to"]).args(&exports))?;
        let text = String::from_utf8_lossy(&printed).trim().to_owned();
        let seconds = began.elapsed().as_secs_f64();
        let [base, new] = exports.map(|export| Self::read(&export));
        let different = text.contains("slower") || text.contains("faster");
        Ok(PyperfCompared { sides: Sides { base: base?, new: new? }, different, text, seconds })
    }
}

pub(crate) struct PyperfCompared {
    pub(crate) sides: Sides,
    pub(crate) different: bool,
    pub(crate) text: String,
    pub(crate) seconds: f64,
}
