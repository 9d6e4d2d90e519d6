//! `cargo xtask bench valgrind`: P7, how fast large files of callgrind, cachegrind and massif are read, beside valgrind's own viewers.
//!
//! CPU time of processes from their start, reading the file included. Ours is this program in release mode, as slowpath is shipped.

mod annotated;
mod enlarge;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use stats::{Rng, Values};
use tools::valgrind::{cachegrind, callgrind, massif};

use super::Options;
use super::account::Built;
use super::sitting::Sitting;
use super::table::{Figure, Table};
use crate::process::{cargo, follow, stdout_of, workspace_root};

/// What a file has at least.
const SIZE: u64 = 50_000_000;

#[derive(Args)]
pub(crate) struct ValgrindOptions {
    #[command(flatten)]
    options: Options,
    /// Reads one file and prints what it adds up to; what the bench starts itself with
    #[arg(long, hide = true, value_name = "KIND", requires = "file")]
    read: Option<Kind>,
    #[arg(long, hide = true, value_name = "FILE")]
    file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Kind {
    Callgrind,
    Cachegrind,
    Massif,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Callgrind, Self::Cachegrind, Self::Massif];

    fn name(self) -> &'static str {
        match self {
            Self::Callgrind => "callgrind",
            Self::Cachegrind => "cachegrind",
            Self::Massif => "massif",
        }
    }

    /// The viewer's name.
    fn peer(self) -> &'static str {
        self.viewer().first().copied().unwrap_or("none")
    }

    /// The viewer, with options that leave out annotated sources.
    fn viewer(self) -> &'static [&'static str] {
        match self {
            Self::Callgrind => {
                &["callgrind_annotate", "--auto=no", "--inclusive=yes", "--threshold=100", "--show-percs=no"]
            }
            Self::Cachegrind => &["cg_annotate", "--auto=no", "--show-percs=no"],
            Self::Massif => &["ms_print"],
        }
    }

    /// How many times faster ours has to be.
    fn goal(self) -> f64 {
        match self {
            Self::Callgrind => 50.0,
            Self::Cachegrind => 30.0,
            Self::Massif => 10.0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Slowpath,
    Viewer,
}

struct Turn {
    seconds: f64,
    /// What the file adds up to, as each prints it.
    said: Value,
}

pub(crate) fn valgrind(asked: &ValgrindOptions) -> Result<()> {
    if let (Some(kind), Some(file)) = (asked.read, &asked.file) {
        return read(kind, file);
    }
    let root = workspace_root()?;
    let options = &asked.options;
    let mut sitting = Sitting::open(&root, "valgrind", options)?;
    let reader = build(&root)?;
    let built = Built::build_c(&root, &root.join("target/bench/programs/account"))?;
    let folder = root.join("target/bench/programs/valgrind");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    let files = Kind::ALL.map(|kind| (kind, folder.join(format!("{}.out", kind.name()))));
    for (kind, file) in &files {
        generate(*kind, file)?;
        sitting.version(format!("{}: {} bytes", file.display(), size(file)));
    }
    let mut order: Vec<(Kind, Who)> = Vec::new();
    for _ in 0..options.trials(5, 1) {
        order.extend(Kind::ALL.iter().flat_map(|kind| [(*kind, Who::Slowpath), (*kind, Who::Viewer)]));
    }
    Rng::new(options.seed).shuffle(&mut order);
    sitting.begin(&built.program("load"))?;
    let mut turns: BTreeMap<(Kind, Who), Vec<Turn>> = BTreeMap::new();
    for (done, (kind, who)) in order.iter().enumerate() {
        sitting.progress(done, order.len(), kind.name());
        let file = files.iter().find(|(other, _)| other == kind).map(|(_, file)| file).context("no file")?;
        let turn = turn(*kind, *who, file, &reader);
        if sitting.stopped() {
            sitting.cut_short();
            break;
        }
        let turn = turn?;
        sitting.keep(&json!({"kind": kind.name(), "who": format!("{who:?}"), "seconds": turn.seconds, "said": turn.said}))?;
        turns.entry((*kind, *who)).or_default().push(turn);
    }
    sitting.close(table(&turns, &files))
}

/// This program as it reads fastest.
fn build(root: &Path) -> Result<PathBuf> {
    follow(cargo(root).args(["build", "--release", "--quiet", "-p", "xtask"]))?;
    let program = root.join("target/release/xtask");
    ensure!(program.is_file(), "`cargo build` left no `{}`", program.display());
    Ok(program)
}

fn size(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |metadata| metadata.len())
}

/// Captures a file and, where a program's own is too small, repeats it under other names. Kept for the next sitting.
fn generate(kind: Kind, file: &Path) -> Result<()> {
    if size(file) >= SIZE {
        return Ok(());
    }
    eprintln!("capturing {}, once", file.display());
    let own = std::env::current_exe().context("cannot find this program")?;
    let captured = file.with_extension("captured");
    let mut command = Command::new("valgrind");
    command.arg(format!("--tool={}", kind.name())).args(["--trace-children=no", "--vgdb=no"]);
    command.arg(format!("--{}-out-file={}", kind.name(), captured.display()));
    let specimen = workspace_root()?.join("fixtures/callgrind/3.19.0/ordinary-python/input");
    match kind {
        // Ourselves at work: a program with debug information, so with many lines.
        Kind::Callgrind | Kind::Cachegrind => {
            command.args([
                "--cache-sim=yes",
                "--branch-sim=yes",
                "--I1=32768,8,64",
                "--D1=32768,8,64",
                "--LL=8388608,16,64",
            ]);
            command.arg(own).args(["bench", "valgrind", "--read", "callgrind", "--file"]).arg(&specimen);
        }
        Kind::Massif => {
            command.args(["--threshold=0", "--detailed-freq=1", "--max-snapshots=100", "--depth=40"]);
            command.args([
                "/usr/bin/python3",
                "-I",
                "-c",
                "import json, re, ast; x = [str(i) for i in range(30000)]",
            ]);
        }
    }
    follow(command.stdout(Stdio::null()).stderr(Stdio::null())).context("valgrind and python3 are needed")?;
    let bytes = fs::read(&captured).with_context(|| format!("cannot read `{}`", captured.display()))?;
    let bytes = match kind {
        Kind::Callgrind | Kind::Cachegrind => enlarge::enlarge(&bytes, SIZE),
        Kind::Massif => bytes,
    };
    fs::write(file, bytes).with_context(|| format!("cannot write `{}`", file.display()))?;
    ensure!(size(file) >= SIZE, "`{}` has only {} bytes", file.display(), size(file));
    Ok(())
}

fn turn(kind: Kind, who: Who, file: &Path, reader: &Path) -> Result<Turn> {
    match who {
        Who::Slowpath => {
            let mut command = Command::new(reader);
            command.args(["bench", "valgrind", "--read", kind.name(), "--file"]).arg(file);
            let said: Value = serde_json::from_slice(&stdout_of(&mut command)?).context("no JSON")?;
            let seconds = said.get("seconds").and_then(Value::as_f64).context("no CPU time")?;
            Ok(Turn { seconds, said })
        }
        Who::Viewer => {
            let (program, arguments) = kind.viewer().split_first().context("no viewer")?;
            let before = children_seconds()?;
            // callgrind_annotate shortens some paths below its working directory, so it works where there are none.
            let elsewhere = file.parent().context("no folder")?;
            let mut command = Command::new(program);
            command.args(arguments).arg(file).current_dir(elsewhere).stderr(Stdio::null());
            let text = stdout_of(&mut command)?;
            let seconds = children_seconds()? - before;
            let text = String::from_utf8_lossy(&text);
            let said = match kind {
                Kind::Callgrind | Kind::Cachegrind => annotated::totals(&text),
                Kind::Massif => annotated::heap(&text),
            };
            Ok(Turn { seconds, said: said.context("the viewer prints another form")? })
        }
    }
}

/// CPU time of all children that were waited for, in ticks of 10 ms: the viewers take hundreds.
fn children_seconds() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("cannot read /proc/self/stat")?;
    let (_, after) = stat.rsplit_once(')').context("an odd /proc/self/stat")?;
    // cutime and cstime are the fields 16 and 17; the first after the bracket is the third.
    let ticks = after.split_whitespace().skip(13).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? / 100.0)
}

/// Reads a file and says what it adds up to, with the CPU time of this process until then, which has no other thread. What only
/// the comparison needs is not part of it.
fn read(kind: Kind, file: &Path) -> Result<()> {
    let bytes = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let said = match kind {
        Kind::Callgrind => {
            let read = callgrind::parse(&bytes)?;
            // What the viewer shows: functions by their inclusive costs.
            let mut ranked: Vec<u32> = (0..).zip(read.functions.iter()).map(|(place, _)| place).collect();
            ranked.sort_by_key(|place| Reverse(read.inclusive.row(*place).first().copied()));
            let seconds = spent()?;
            // The viewer adds up functions of one file and name, such as those of two libraries; we keep them apart.
            let mut namesakes: HashMap<(Option<&[u8]>, &[u8]), u32> = HashMap::new();
            for (function, _) in read.functions.iter() {
                *namesakes.entry((function.file, function.name)).or_default() += 1;
            }
            let alone = |function: &callgrind::Function<'_>| {
                namesakes.get(&(function.file, function.name)).is_some_and(|count| *count == 1)
            };
            let names = (0..).zip(read.functions.iter());
            let named: Vec<Value> = names
                .filter(|(_, (function, _))| function.called.0 > 0 && alone(function))
                .map(|(place, (function, _))| {
                    let file = String::from_utf8_lossy(function.file.unwrap_or(b"???"));
                    let name = format!("{file}:{}", String::from_utf8_lossy(function.name));
                    json!([name, read.inclusive.row(place).first()])
                })
                .take(2000)
                .collect();
            // The viewer shows what callgrind counted, which is a little more than its lines have.
            let counted = read.parts.first().and_then(|part| part.summary.clone());
            let counted = counted.unwrap_or_else(|| read.totals.clone());
            let unplaced =
                counted.first().zip(read.totals.first()).map(|(all, placed)| all.abs_diff(*placed));
            json!({"totals": counted, "unplaced": unplaced, "rows": read.lines.len(), "inclusive": named,
                "first": ranked.first(), "seconds": seconds})
        }
        Kind::Cachegrind => {
            let read = cachegrind::parse(&bytes)?;
            json!({"totals": read.totals, "rows": read.lines.len(), "seconds": spent()?})
        }
        Kind::Massif => {
            let read = massif::parse(&bytes)?;
            let whole = |one: &massif::Snapshot| one.whole().map_or(0, model::Bytes::as_bytes);
            let sum: u64 = read.snapshots.iter().map(whole).sum();
            json!({"totals": [read.snapshots.len(), sum], "rows": read.nodes.len(), "seconds": spent()?})
        }
    };
    println!("{said}");
    Ok(())
}

/// The CPU time of this process.
fn spent() -> Result<f64> {
    let spent = fs::read_to_string("/proc/self/schedstat").context("cannot read /proc/self/schedstat")?;
    let nanos: u64 = spent.split_whitespace().next().context("an odd schedstat")?.parse()?;
    Ok(nanos as f64 / 1e9)
}

fn table(turns: &BTreeMap<(Kind, Who), Vec<Turn>>, files: &[(Kind, PathBuf)]) -> Table {
    let mut table = Table::default();
    let of = |kind: Kind, who: Who| turns.get(&(kind, who)).map(Vec::as_slice).unwrap_or_default();
    for (kind, file) in files {
        let seconds = |who| Values::new(of(*kind, who).iter().map(|turn| turn.seconds).collect());
        let (Some(ours), Some(theirs)) = (seconds(Who::Slowpath), seconds(Who::Viewer)) else {
            table.note(format!("{} was not measured", kind.name()));
            continue;
        };
        let (our_middle, their_middle) = (stats::median(&ours), stats::median(&theirs));
        for (who, middle, values) in [("slowpath", our_middle, &ours), (kind.peer(), their_middle, &theirs)] {
            let what = format!("{} file to answer, CPU time", kind.name());
            let speed = size(file) as f64 / 1e6 / middle;
            let bounds = stats::median_interval(values, 0.95)
                .map(|one| format!("{:.3} to {:.3} s", one.low, one.high));
            let figure = Figure { goal: "P7", what: &what, who };
            table.value(&figure, format!("{middle:.3} s, {speed:.1} MB/s"), values.n() as u64, bounds);
        }
        let what = format!("{}: times faster than {}", kind.name(), kind.peer());
        let figure = Figure { goal: "P7", what: &what, who: "slowpath" };
        let times = their_middle / our_middle;
        let wanted = format!(">= {} x", kind.goal());
        table.goal(&figure, format!("{times:.1} x"), ours.n() as u64, "-", &wanted, times >= kind.goal());
        let (equal, all) = agreeing(of(*kind, Who::Slowpath), of(*kind, Who::Viewer));
        let what = format!("{}: figures equal to the viewer's", kind.name());
        let figure = Figure { goal: "P7", what: &what, who: "slowpath" };
        table.goal(&figure, format!("{equal} of {all}"), all, "-", "all", equal == all && all > 0);
    }
    table
}

/// How many of the figures both print are equal: totals, and inclusive costs of functions by name. The viewer does not tell functions
/// of one name in two libraries apart, so those are left out; and it adds up what callers paid, which may hold the few events that
/// callgrind puts on no line.
fn agreeing(ours: &[Turn], theirs: &[Turn]) -> (u64, u64) {
    let (Some(ours), Some(theirs)) = (ours.first(), theirs.first()) else { return (0, 0) };
    let list =
        |turn: &Turn, key: &str| turn.said.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let totals = list(ours, "totals").into_iter().zip(list(theirs, "totals"));
    let (mut equal, mut all) =
        totals.fold((0, 0), |(equal, all), (one, other)| (equal + u64::from(one == other), all + 1));
    let unplaced = ours.said.get("unplaced").and_then(Value::as_u64).unwrap_or(0);
    let mut named: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for pair in list(ours, "inclusive") {
        if let (Some(name), Some(cost)) =
            (pair.get(0).and_then(Value::as_str), pair.get(1).and_then(Value::as_u64))
        {
            named.entry(name.to_owned()).or_default().push(cost);
        }
    }
    for (name, costs) in named {
        let said = theirs.said.get("inclusive").and_then(|all| all.get(&name)).and_then(Value::as_u64);
        if let (Some(said), [cost]) = (said, costs.as_slice()) {
            equal += u64::from(said.abs_diff(*cost) <= unplaced);
            all += 1;
        }
    }
    (equal, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_figures_are_counted_by_name() {
        let turn = |said: Value| vec![Turn { seconds: 1.0, said }];
        let ours = turn(json!({"totals": [5, 6], "inclusive": [["a.c:f", 3], ["a.c:g", 4], ["a.c:h", 1]]}));
        let theirs = turn(json!({"totals": [5, 7], "inclusive": {"a.c:f": 3, "a.c:g": 5}}));
        assert_eq!(agreeing(&ours, &theirs), (2, 4));
    }

    #[test]
    fn a_slow_reader_misses_the_goal() {
        let turn = |seconds: f64| vec![Turn { seconds, said: json!({"totals": [1]}) }];
        let turns = BTreeMap::from([
            ((Kind::Massif, Who::Slowpath), turn(1.0)),
            ((Kind::Massif, Who::Viewer), turn(9.0)),
        ]);
        let text = table(&turns, &[(Kind::Massif, PathBuf::from("x"))]).text();
        assert!(text.contains("9.0 x") && text.contains("missed"), "{text}");
    }
}
