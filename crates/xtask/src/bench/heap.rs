//! `cargo xtask bench heap`: what the heap pass costs its target, beside an empty library, heaptrack and memray, and how
//! right its sites are: P5. One target allocates all the time, the others are ordinary.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use model::heap::Heap;
use model::{Bytes, Sample, Stage};
use run::alloc::{self, Watched};
use run::launch::{Layout, environment};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, Slot};
use serde_json::json;
use stats::{Rng, Values};

use super::Options;
use super::sitting::Sitting;
use super::table::{Figure, Table};
use crate::process::{stdout_of, workspace_root};

#[derive(Args)]
pub(crate) struct HeapOptions {
    #[command(flatten)]
    options: Options,
    /// Mean bytes between two samples
    #[arg(long, value_name = "BYTES", default_value_t = alloc::Options::INTERVAL.as_bytes())]
    interval: u64,
    /// Only targets whose name contains one of these
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    target: Vec<String>,
}

/// Sites below this are not held against the goal.
const LARGE: u64 = 1_000_000;
const COST: f64 = 1.05;
const ACCURACY: f64 = 0.05;

pub(crate) fn heap(asked: &HeapOptions) -> Result<()> {
    let root = workspace_root()?;
    let options = &asked.options;
    let mut sitting = Sitting::open(&root, "heap", options)?;
    let folder = root.join("target/bench/programs");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    let mut targets = targets(&root, &folder, options.quick)?;
    targets.retain(|target| {
        asked.target.is_empty() || asked.target.iter().any(|name| target.name.contains(name.as_str()))
    });
    if targets.is_empty() {
        bail!("no target is called so: {}", asked.target.join(", "));
    }
    let watchers = watchers(&root, &folder, options, &mut sitting)?;
    let rig = Rig::open().context("cannot ready the launcher")?;
    let scratch = tempfile::tempdir().context("cannot create a folder for profiles")?;
    let mut rng = Rng::new(options.seed);
    let (mut costs, mut accuracy) = (Costs::default(), Accuracy::default());
    let rounds = options.trials(15, 2);
    'rounds: for round in 0..rounds {
        for target in &targets {
            sitting.progress(round as usize, rounds as usize, target.name);
            let mut order: Vec<&Watcher> = watchers.iter().filter(|watcher| watcher.is_for(target)).collect();
            rng.shuffle(&mut order);
            for watcher in order {
                let turn = watcher.turn(&rig, target, asked.interval, &root, scratch.path())?;
                let error = match (&turn.heap, target.tells_truth) {
                    (Some(heap), true) => accuracy.add(heap, &turn.stdout)?,
                    _ => Vec::new(),
                };
                let cost = turn.heap.as_ref().and_then(|heap| Some(heap.cost?.cpu.as_secs_f64()));
                sitting.keep(
                    &json!({"round": round, "target": target.name, "who": watcher.name(), "cpu": turn.cpu,
                    "collector_cpu": cost, "errors": error, "losses": turn.heap.map(|heap| heap.losses)}),
                )?;
                costs.add((target.name, watcher.name()), round, turn.cpu, cost);
            }
            if sitting.stopped() {
                sitting.cut_short();
                break 'rounds;
            }
        }
    }
    let mut table = Table::default();
    costs.rows(&mut table);
    accuracy.rows(&mut table);
    table.note("CPU of target and children by wait4, fixed work, ratios within a round; slowpath's own thread is apart and, in this build, not optimised unless xtask is");
    sitting.close(table)
}

struct Subject {
    name: &'static str,
    argv: Vec<String>,
    python: bool,
    /// It prints calls and bytes of each function.
    tells_truth: bool,
}

fn targets(root: &Path, folder: &Path, quick: bool) -> Result<Vec<Subject>> {
    let source = root.join("specimens/bench/heap.c");
    let (program, index, large) = (folder.join("heap"), folder.join("index"), folder.join("heaps.c"));
    let mut gcc = Command::new("gcc");
    stdout_of(gcc.args(["-O2", "-g", "-o"]).arg(&program).arg(&source))
        .context("install gcc and libc6-dev")?;
    let mut gcc = Command::new("g++");
    stdout_of(gcc.args(["-O2", "-g", "-o"]).arg(&index).arg(root.join("specimens/bench/index.cc")))
        .context("install g++")?;
    let copies = if quick { 5 } else { 25 };
    fs::write(&large, many_times(&source, copies))
        .with_context(|| format!("cannot write `{}`", large.display()))?;
    let (rounds, words, turns) =
        if quick { ("2000000", "600000", "20") } else { ("10000000", "3000000", "100") };
    let text = |path: &Path| path.display().to_string();
    let compile = |source: &Path| {
        let argv = ["/usr/bin/gcc", "-O2", "-c", "-o", "/dev/null"].map(str::to_owned);
        argv.into_iter().chain([text(source)]).collect()
    };
    let native = |name, argv| Subject { name, argv, python: false, tells_truth: false };
    let mut targets = vec![
        Subject {
            tells_truth: true,
            ..native("C, allocates all the time", vec![text(&program), rounds.to_owned()])
        },
        native("C++, an index of words", vec![text(&index), words.to_owned()]),
        native("gcc, a long file", compile(&large)),
        native("gcc, for 0.07 s", compile(&source)),
    ];
    let python = "/usr/bin/python3";
    if Path::new(python).exists() {
        let script = text(&root.join("specimens/bench/heap.py"));
        targets.push(Subject {
            name: "Python",
            argv: vec![python.to_owned(), script, turns.to_owned()],
            python: true,
            tells_truth: false,
        });
    }
    Ok(targets)
}

/// C that has the same program so many times, under other names.
fn many_times(source: &Path, copies: usize) -> String {
    const NAMES: [&str; 15] = [
        "kept", "bytes", "calls", "sum", "state", "draw", "fill", "use", "node", "text", "record", "buffer",
        "table", "growing", "main",
    ];
    const MACROS: [&str; 3] = ["KEPT", "SITES", "NOINLINE"];
    let mut whole = String::new();
    for copy in 0..copies {
        whole.extend(NAMES.iter().map(|name| format!("#define {name} {name}_{copy}\n")));
        whole.push_str(&format!("#include \"{}\"\n", source.display()));
        whole.extend(NAMES.iter().chain(&MACROS).map(|name| format!("#undef {name}\n")));
    }
    whole
}

enum Watcher {
    Nothing,
    /// A library that only forwards: the floor of all that stand there.
    Forward(PathBuf),
    Slowpath,
    Heaptrack(PathBuf),
    Memray(PathBuf),
}

fn watchers(root: &Path, folder: &Path, options: &Options, sitting: &mut Sitting) -> Result<Vec<Watcher>> {
    let library = folder.join("forward.so");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-shared", "-fPIC", "-fno-builtin", "-Wl,-z,now", "-o"]).arg(&library);
    stdout_of(gcc.arg(root.join("specimens/bench/forward.c"))).context("install gcc and libc6-dev")?;
    let mut watchers = vec![Watcher::Nothing, Watcher::Forward(library), Watcher::Slowpath];
    if options.no_peers {
        return Ok(watchers);
    }
    let heaptrack = PathBuf::from("/usr/bin/heaptrack");
    if heaptrack.exists() {
        sitting.version("heaptrack from Debian");
        watchers.push(Watcher::Heaptrack(heaptrack));
    }
    // python3 -m venv target/peers/memray && target/peers/memray/bin/pip install memray
    let memray = root.join("target/peers/memray/bin/memray");
    if let Ok(version) = stdout_of(Command::new(&memray).arg("--version")) {
        sitting.version(format!("memray {}", String::from_utf8_lossy(&version).trim()));
        watchers.push(Watcher::Memray(memray));
    }
    Ok(watchers)
}

/// What one run used and told.
struct Turn {
    cpu: f64,
    heap: Option<Heap>,
    stdout: Vec<u8>,
}

impl Watcher {
    fn name(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Forward(_) => "empty library",
            Self::Slowpath => "slowpath",
            Self::Heaptrack(_) => "heaptrack",
            Self::Memray(_) => "memray",
        }
    }

    fn is_for(&self, target: &Subject) -> bool {
        match self {
            Self::Nothing | Self::Forward(_) | Self::Slowpath => true,
            Self::Memray(_) => target.python,
            Self::Heaptrack(_) => !target.python,
        }
    }

    fn turn(&self, rig: &Rig, target: &Subject, interval: u64, root: &Path, scratch: &Path) -> Result<Turn> {
        const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };
        let mut recipe = recipe(&self.argv(target, scratch))?;
        if let Self::Forward(library) = self {
            recipe.env.retain(|(name, _)| name != "LD_PRELOAD");
            recipe.env.push(("LD_PRELOAD".into(), library.into()));
        }
        let measured = match self {
            Self::Slowpath => {
                let options =
                    alloc::Options { interval: Bytes::from_bytes(interval), project: root.to_owned() };
                let Watched { measured, heap } = alloc::watch(rig, &recipe, SLOT, &options)?;
                (measured, Some(heap))
            }
            _ => (run::measure(rig, &recipe, SLOT)?, None),
        };
        let (measured, heap) = measured;
        if !measured.sample.ended.succeeded() {
            bail!("`{}` under {} ended with {:?}", target.name, self.name(), measured.sample.ended);
        }
        let stdout = measured.stdout.as_ref().and_then(|stdout| stdout.whole()).unwrap_or_default().to_vec();
        Ok(Turn { cpu: cpu(&measured.sample), heap, stdout })
    }

    fn argv(&self, target: &Subject, scratch: &Path) -> Vec<String> {
        let out = scratch.join("profile").display().to_string();
        let (before, skipped) = match self {
            Self::Nothing | Self::Forward(_) | Self::Slowpath => (Vec::new(), 0),
            Self::Heaptrack(path) => (vec![path.display().to_string(), "-o".into(), out], 0),
            // memray is the interpreter itself.
            Self::Memray(path) => (
                vec![path.display().to_string(), "run".into(), "-q".into(), "-f".into(), "-o".into(), out],
                1,
            ),
        };
        before.into_iter().chain(target.argv.iter().skip(skipped).cloned()).collect()
    }
}

fn recipe(argv: &[String]) -> Result<Recipe> {
    Ok(Recipe {
        path: argv.first().context("no program")?.into(),
        argv: argv.iter().map(Into::into).collect(),
        env: environment([]),
        cwd: None,
        stdin: Input::Null,
        stdout: Output::Capture,
        stderr: Output::Null,
        timeout: None,
        layout: Layout::Random,
    })
}

fn cpu(sample: &Sample) -> f64 {
    sample.user.as_secs_f64() + sample.system.as_secs_f64()
}

/// CPU seconds of target and collector, by round.
type Rounds = BTreeMap<u32, (f64, Option<f64>)>;

/// CPU seconds by target and watcher; ratios are of one round.
#[derive(Default)]
struct Costs {
    turns: BTreeMap<(&'static str, &'static str), Rounds>,
}

impl Costs {
    fn add(&mut self, who: (&'static str, &'static str), round: u32, cpu: f64, own: Option<f64>) {
        self.turns.entry(who).or_default().insert(round, (cpu, own));
    }

    fn rows(&self, table: &mut Table) {
        for ((target, who), turns) in &self.turns {
            let Some(bare) = self.turns.get(&(*target, "nothing")).filter(|_| *who != "nothing") else {
                continue;
            };
            let ratios =
                turns.iter().filter_map(|(round, (cpu, _))| Some(cpu / bare.get(round)?.0)).collect();
            let Some(ratios) = Values::new(ratios) else { continue };
            let what = format!("CPU of {target}, times bare");
            let own = Values::new(turns.values().filter_map(|(_, own)| *own).collect());
            let own =
                own.map_or_else(String::new, |own| format!(", our thread {:.3} s", stats::median(&own)));
            let smallest = turns.values().map(|(cpu, _)| *cpu).fold(f64::INFINITY, f64::min)
                / bare.values().map(|(cpu, _)| *cpu).fold(f64::INFINITY, f64::min);
            let text = format!("{:.3}x, smallest runs {smallest:.3}x{own}", stats::median(&ratios));
            let interval = stats::median_interval(&ratios, 0.95);
            let bounds = interval
                .map_or_else(|| "too few rounds".to_owned(), |i| format!("{:.3} to {:.3}", i.low, i.high));
            let figure = Figure { goal: "P5", what: &what, who };
            let n = ratios.n() as u64;
            if *who == "slowpath" {
                table.goal(&figure, text, n, &bounds, "<= 1.05", stats::median(&ratios) <= COST);
            } else {
                table.value(&figure, text, n, Some(bounds));
            }
        }
    }
}

/// Sites of the C program against what it counted itself.
#[derive(Default)]
struct Accuracy {
    errors: Vec<f64>,
    held: u64,
}

impl Accuracy {
    /// The relative errors of the sites above 1 MB.
    fn add(&mut self, heap: &Heap, printed: &[u8]) -> Result<Vec<(String, f64)>> {
        let printed = std::str::from_utf8(printed).context("the target printed no text")?;
        let mut errors = Vec::new();
        for line in printed.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [name, _, truth] = words[..] else { bail!("not a site: `{line}`") };
            let truth: u64 = truth.parse().with_context(|| format!("not a site: `{line}`"))?;
            if truth < LARGE {
                continue;
            }
            let (mut value, mut low, mut high) = (0, 0, 0);
            for site in &heap.sites {
                let mut frames = site.stack.into_iter().flat_map(|stack| heap.frames_of(stack));
                if frames.any(|frame| frame.function.as_deref() == Some(name)) {
                    value += site.bytes.value;
                    low += site.bytes.low;
                    high += site.bytes.high;
                }
            }
            let error = (value as f64 - truth as f64).abs() / truth as f64;
            self.held += u64::from((low..=high).contains(&truth));
            self.errors.push(error);
            errors.push((name.to_owned(), error));
        }
        Ok(errors)
    }

    fn rows(&self, table: &mut Table) {
        let Some(errors) = Values::new(self.errors.clone()) else { return };
        let figure = Figure { goal: "P5", what: "bytes of sites above 1 MB, off by", who: "slowpath" };
        let text = format!("{:.3} %, at most {:.3} %", stats::median(&errors) * 100.0, errors.max() * 100.0);
        let n = errors.n() as u64;
        table.goal(&figure, text, n, "-", "<= 5 %", errors.max() <= ACCURACY);
        let figure =
            Figure { goal: "P5", what: "sites above 1 MB whose bounds hold the truth", who: "slowpath" };
        table.rate(&figure, self.held, n, super::table::Target::AtLeast(0.95));
    }
}
