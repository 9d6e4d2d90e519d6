//! `cargo xtask bench import`: P8, how fast a recording of perf becomes folded stacks and an answer, beside `perf script`
//! and inferno.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::json;
use stats::{Rng, Values};

use super::Options;
use super::account::{Built, slowpath};
use super::sitting::Sitting;
use super::table::{Figure, Table};
use crate::process::{cargo, follow, stdout_of, workspace_root};

#[derive(Args)]
pub(crate) struct ImportOptions {
    #[command(flatten)]
    options: Options,
    /// The perf.data to read; recorded from a program with debug information when left out
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Builds inferno below target/peers when it is not there
    #[arg(long)]
    peers: bool,
    /// Another slowpath than the one built here
    #[arg(long, value_name = "PATH")]
    slowpath: Option<PathBuf>,
}

pub(crate) fn import(asked: &ImportOptions) -> Result<()> {
    let root = workspace_root()?;
    let options = &asked.options;
    let mut sitting = Sitting::open(&root, "import", options)?;
    let slowpath = slowpath(&root, asked.slowpath.as_deref())?;
    let built = Built::build_c(&root, &root.join("target/bench/programs/account"))?;
    let folder = tempfile::tempdir().context("cannot create a folder for recordings")?;
    let recording = match &asked.file {
        Some(file) => fs::canonicalize(file).with_context(|| format!("cannot read `{}`", file.display()))?,
        None => record(folder.path(), options.quick)?,
    };
    let bench = Bench {
        slowpath,
        inferno: inferno(&mut sitting, asked),
        text: script(&recording, folder.path())?,
        recording,
        folder,
    };
    sitting.version(format!(
        "{}: {} bytes; as text {} bytes",
        bench.recording.display(),
        size(&bench.recording),
        size(&bench.text)
    ));
    let mut order: Vec<Way> = (0..options.trials(7, 1)).flat_map(|_| Way::ALL).collect();
    Rng::new(options.seed).shuffle(&mut order);
    sitting.begin(&built.program("load"))?;
    let mut times: BTreeMap<Way, Vec<Turn>> = BTreeMap::new();
    for (done, way) in order.iter().enumerate() {
        sitting.progress(done, order.len(), way.name());
        if way.needs_inferno() && bench.inferno.is_none() {
            continue;
        }
        let turn = bench.turn(*way);
        if sitting.stopped() {
            sitting.cut_short();
            break;
        }
        match turn {
            Ok(turn) => {
                sitting.keep(&json!({"way": way.name(), "seconds": turn.seconds, "stacks": turn.stacks, "weight": turn.weight}))?;
                times.entry(*way).or_default().push(turn);
            }
            Err(error) => sitting.keep(&json!({"way": way.name(), "error": format!("{error:#}")}))?,
        }
    }
    sitting.close(table(&times, size(&bench.text)))
}

/// A way from a recording to something readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    PerfScript,
    PerfScriptInferno,
    Import,
    ImportFolded,
    Inferno,
    TextImport,
    TextFolded,
}

impl Way {
    const ALL: [Self; 7] = [
        Self::PerfScript,
        Self::PerfScriptInferno,
        Self::Import,
        Self::ImportFolded,
        Self::Inferno,
        Self::TextImport,
        Self::TextFolded,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::PerfScript => "perf.data to text: perf script",
            Self::PerfScriptInferno => "perf.data to folded: perf script, inferno",
            Self::Import => "perf.data to answer: slowpath import",
            Self::ImportFolded => "perf.data to folded: slowpath export",
            Self::Inferno => "text to folded: inferno, one thread",
            Self::TextImport => "text to answer: slowpath import",
            Self::TextFolded => "text to folded: slowpath export",
        }
    }

    fn needs_inferno(self) -> bool {
        matches!(self, Self::PerfScriptInferno | Self::Inferno)
    }
}

struct Turn {
    seconds: f64,
    /// Lines of the folded file and the sum of its counts. `None` for ways that end elsewhere.
    stacks: Option<u64>,
    weight: Option<f64>,
}

struct Bench {
    slowpath: PathBuf,
    inferno: Option<PathBuf>,
    recording: PathBuf,
    text: PathBuf,
    folder: tempfile::TempDir,
}

impl Bench {
    fn turn(&self, way: Way) -> Result<Turn> {
        let (folded, out) = (self.folder.path().join("folded"), self.folder.path().join("run"));
        let _ = fs::remove_file(&folded);
        let _ = fs::remove_dir_all(&out);
        let began = Instant::now();
        match way {
            Way::PerfScript => drop(script(&self.recording, self.folder.path())?),
            Way::PerfScriptInferno => {
                let text = script(&self.recording, self.folder.path())?;
                self.collapse(&text, &folded)?;
            }
            Way::Inferno => self.collapse(&self.text, &folded)?,
            Way::Import => self.import(&self.recording, &out)?,
            Way::TextImport => self.import(&self.text, &out)?,
            Way::ImportFolded => self.export(&self.recording, &folded)?,
            Way::TextFolded => self.export(&self.text, &folded)?,
        }
        let seconds = began.elapsed().as_secs_f64();
        let (stacks, weight) = match fs::read_to_string(&folded) {
            Ok(text) => {
                let (stacks, weight) = totals(&text);
                (Some(stacks), Some(weight))
            }
            Err(_) => (None, None),
        };
        Ok(Turn { seconds, stacks, weight })
    }

    fn collapse(&self, text: &Path, folded: &Path) -> Result<()> {
        let inferno = self.inferno.as_ref().context("no inferno")?;
        let output = File::create(folded)?;
        let mut command = Command::new(inferno);
        follow(command.args(["--nthreads", "1"]).arg(text).stdout(output).stderr(Stdio::null()))
    }

    fn import(&self, file: &Path, out: &Path) -> Result<()> {
        let mut command = Command::new(&self.slowpath);
        command.arg("import").arg(file).args(["--json", "--out"]).arg(out).current_dir(self.folder.path());
        stdout_of(&mut command).map(drop)
    }

    /// `export` takes another tool's recording as it is, so this is the whole way.
    fn export(&self, file: &Path, folded: &Path) -> Result<()> {
        let mut command = Command::new(&self.slowpath);
        command.arg("export").arg(file).args(["--format", "folded", "-o"]).arg(folded);
        stdout_of(command.current_dir(self.folder.path())).map(drop)
    }
}

/// Lines and the sum of the counts at their ends.
fn totals(folded: &str) -> (u64, f64) {
    let counts = folded.lines().filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok());
    counts.fold((0, 0.0), |(lines, sum), count| (lines + 1, sum + count))
}

fn size(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |metadata| metadata.len())
}

/// Whole stacks of this very program, which carries debug information in a debug build, at work on the simulations.
fn record(folder: &Path, quick: bool) -> Result<PathBuf> {
    let file = folder.join("perf.data");
    let own = env::current_exe().context("cannot find this program")?;
    // perf script asks addr2line for each frame's inlined calls: some 100 stacks a second.
    let rate = if quick { "199" } else { "999" };
    let mut perf = Command::new("perf");
    perf.args(["record", "-q", "-e", "cpu-clock", "-F", rate, "--call-graph", "dwarf,8192", "-o"]).arg(&file);
    perf.arg("--").arg(own).args(["bench", "stats", "--trials", "20"]);
    stdout_of(perf.stdin(Stdio::null())).context("perf is needed, or --file")?;
    ensure!(size(&file) > 0, "perf recorded nothing");
    Ok(file)
}

/// The recording as text, as `perf script` prints it.
fn script(recording: &Path, folder: &Path) -> Result<PathBuf> {
    let text = folder.join("perf.txt");
    let output = File::create(&text).with_context(|| format!("cannot create `{}`", text.display()))?;
    let mut perf = Command::new("perf");
    perf.args(["script", "-i"]).arg(recording).stdout(output).stderr(Stdio::null());
    follow(&mut perf)?;
    Ok(text)
}

fn inferno(sitting: &mut Sitting, asked: &ImportOptions) -> Option<PathBuf> {
    let folder = sitting.root.join("target/peers");
    let built = folder.join("bin/inferno-collapse-perf");
    // It does not tell its version.
    let answers = |program: &Path| stdout_of(Command::new(program).arg("--help")).ok();
    if answers(&built).is_none() && asked.peers {
        eprintln!("building inferno, once");
        let mut install = cargo(Path::new("."));
        if let Err(error) =
            stdout_of(install.args(["install", "--quiet", "--locked", "inferno", "--root"]).arg(&folder))
        {
            sitting.version(format!("inferno does not build: {error:#}"));
        }
    }
    for program in [built, PathBuf::from("inferno-collapse-perf")] {
        if answers(&program).is_some() {
            sitting.version(format!("peer inferno: {}", program.display()));
            return Some(program);
        }
    }
    sitting.version("peer inferno is MISSING: --peers builds it");
    None
}

fn table(times: &BTreeMap<Way, Vec<Turn>>, text_bytes: u64) -> Table {
    let mut table = Table::default();
    let of = |way: Way| Values::new(times.get(&way)?.iter().map(|turn| turn.seconds).collect());
    for way in Way::ALL {
        let what = way.name();
        let figure =
            Figure { goal: "P8", what, who: if what.contains("slowpath") { "slowpath" } else { "peer" } };
        let Some(seconds) = of(way) else {
            table.value(&figure, "not measured".to_owned(), 0, None);
            continue;
        };
        let middle = stats::median(&seconds);
        let mut text = format!("{middle:.3} s");
        if what.starts_with("text") {
            text += &format!(", {:.0} MB/s", text_bytes as f64 / 1e6 / middle);
        }
        if let Some(turn) = times.get(&way).and_then(|turns| turns.first())
            && let (Some(stacks), Some(weight)) = (turn.stacks, turn.weight)
        {
            text += &format!("; {stacks} stacks, sum {weight:.0}");
        }
        let bounds =
            stats::median_interval(&seconds, 0.95).map(|i| format!("{:.3} to {:.3} s", i.low, i.high));
        let n = seconds.n() as u64;
        let bounds_text = bounds.clone().unwrap_or_else(|| "too few rounds".to_owned());
        match limit(way, &of) {
            Some((limit, wanted)) => table.goal(&figure, text, n, &bounds_text, &wanted, middle <= limit),
            None => table.value(&figure, text, n, bounds),
        }
    }
    table.note("sums of counts are in each tool's own unit: samples, or periods in nanoseconds");
    table
}

/// The most seconds slowpath may take: a tenth of perf script, or as many as inferno.
fn limit(way: Way, of: &impl Fn(Way) -> Option<Values>) -> Option<(f64, String)> {
    match way {
        Way::Import | Way::ImportFolded => {
            let limit = stats::median(&of(Way::PerfScript)?) / 10.0;
            Some((limit, format!("<= {limit:.3} s, a tenth of perf script")))
        }
        Way::TextImport | Way::TextFolded => {
            let limit = stats::median(&of(Way::Inferno)?);
            Some((limit, format!("<= {limit:.3} s, inferno's")))
        }
        Way::PerfScript | Way::PerfScriptInferno | Way::Inferno => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(seconds: f64) -> Vec<Turn> {
        (0..6).map(|_| Turn { seconds, stacks: Some(3), weight: Some(12.0) }).collect()
    }

    #[test]
    fn slowpath_is_held_against_a_tenth_of_perf_script_and_against_inferno() {
        let times = BTreeMap::from([
            (Way::PerfScript, turns(10.0)),
            (Way::ImportFolded, turns(0.9)),
            (Way::Inferno, turns(0.5)),
            (Way::TextFolded, turns(0.6)),
        ]);
        let text = table(&times, 50_000_000).text();
        let line = |name: &str| text.lines().find(|line| line.contains(name)).unwrap().to_owned();
        assert!(line("perf.data to folded: slowpath export").ends_with("met"), "{text}");
        assert!(line("text to folded: slowpath export").ends_with("missed"), "{text}");
        assert!(line("text to folded: inferno").contains("100 MB/s"), "{text}");
        assert!(line("text to answer").contains("not measured"), "{text}");
    }

    #[test]
    fn folded_counts_are_added_and_other_lines_are_not() {
        assert_eq!(totals("a;b 3\na;c d 4\nbroken\n"), (2, 7.0));
    }
}
