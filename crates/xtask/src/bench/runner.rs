//! `cargo xtask bench runner`: P1, what a run costs beyond the program's own, and P2, how right peak memory is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use model::Metric;
use model::bench::Bench as Answer;
use serde_json::json;
use stats::{Rng, Values};

use super::Options;
use super::compare::read_bare;
use super::memory::{Memory, Question};
use super::peers::{Hyperfine, Peers, Pyperf};
use super::programs::Programs;
use super::sitting::Sitting;
use super::slowpath::Slowpath;
use super::table::{Figure, Table};
use crate::process::{stdout_of, workspace_root};

pub(crate) fn runner(options: &Options) -> Result<()> {
    let root = workspace_root()?;
    let mut sitting = Sitting::open(&root, "runner", options)?;
    let programs = Programs::build(&root)?;
    let peers = Peers::find(&mut sitting, &programs, options);
    let slowpath = Slowpath::new(&programs)?;
    let mut units: Vec<Unit> = (0..options.trials(20, 3)).map(|_| Unit::Round).collect();
    units.extend(Memory::questions(options).into_iter().map(Unit::Memory));
    let mut rng = Rng::new(options.seed);
    rng.shuffle(&mut units);
    sitting.begin(&programs.specimen("load"))?;
    let mut costs = Costs::default();
    let mut memory = Memory::new(&programs, &slowpath, peers.hyperfine.as_ref())?;
    let bench = Bench { programs: &programs, slowpath: &slowpath, peers: &peers };
    for (done, unit) in units.iter().enumerate() {
        sitting.progress(done, units.len(), unit.name());
        let outcome = match unit {
            Unit::Round => bench.round(&mut sitting, &mut costs, &mut rng, options.quick),
            Unit::Memory(question) => memory.ask(&mut sitting, question),
        };
        if sitting.stopped() {
            sitting.cut_short();
            break;
        }
        outcome?;
    }
    let mut table = Table::default();
    costs.rows(&mut table);
    memory.rows(&mut table);
    sitting.close(table)
}

/// What is done without anything else in between; units come in random order.
enum Unit {
    Round,
    Memory(Question),
}

impl Unit {
    fn name(&self) -> &'static str {
        match self {
            Self::Round => "runner cost",
            Self::Memory(_) => "peak memory",
        }
    }
}

/// Runs a tool in each turn; the short turn tells start-up from cost per run.
const RUNS: u32 = 100;
const FEW_RUNS: u32 = 10;

struct Bench<'a> {
    programs: &'a Programs,
    slowpath: &'a Slowpath,
    peers: &'a Peers,
}

/// The runners, the floor first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    Bare,
    Slowpath,
    Hyperfine,
    Pyperf,
}

/// One turn of one runner.
struct Turn {
    runner: Runner,
    runs: u32,
    /// Seconds of each run, as the tool itself reports them.
    walls: Vec<f64>,
    /// For the bare loop: the same from `execve` on.
    from_exec: Vec<f64>,
    cpu: f64,
    elapsed: f64,
}

impl Bench<'_> {
    /// Every runner with many and with few runs, in random order.
    fn round(&self, sitting: &mut Sitting, costs: &mut Costs, rng: &mut Rng, quick: bool) -> Result<()> {
        let mut turns = vec![
            (Runner::Bare, RUNS),
            (Runner::Slowpath, RUNS),
            (Runner::Bare, FEW_RUNS),
            (Runner::Slowpath, FEW_RUNS),
        ];
        if self.peers.hyperfine.is_some() {
            turns.extend([(Runner::Hyperfine, RUNS), (Runner::Hyperfine, FEW_RUNS)]);
        }
        if self.peers.pyperf.is_some() {
            // A process of its own for each value: a hundred would take most of the sitting.
            turns
                .extend([(Runner::Pyperf, FEW_RUNS), (Runner::Pyperf, FEW_RUNS / if quick { 5 } else { 2 })]);
        }
        rng.shuffle(&mut turns);
        let mut round = Vec::new();
        for (runner, runs) in turns {
            let turn = self.turn(runner, runs, &sitting.folder)?;
            sitting.keep(&json!({
                "round": costs.rounds.len(), "runner": format!("{runner:?}"), "runs": runs, "walls": turn.walls,
                "from_exec": turn.from_exec, "cpu": turn.cpu, "elapsed": turn.elapsed,
            }))?;
            round.push(turn);
        }
        costs.rounds.push(round);
        costs.names = Names {
            hyperfine: self.peers.hyperfine.as_ref().map(|tool| tool.version.clone()),
            pyperf: self.peers.pyperf.as_ref().map(|tool| tool.version.clone()),
        };
        Ok(())
    }

    fn turn(&self, runner: Runner, runs: u32, folder: &Path) -> Result<Turn> {
        let export = folder.join("export.json");
        let _ = fs::remove_file(&export);
        let noop = self.programs.target("noop", 0);
        let mut command = match runner {
            Runner::Bare => {
                // Half of the runs are stamped at `execve`, so twice as many.
                let mut command = Command::new(self.programs.specimen("bare"));
                command.env("BARE_STAMPED", "1").args([&(2 * runs).to_string(), "1"]).args(&noop.argv);
                command
            }
            Runner::Slowpath => {
                let mut command = self.slowpath.command("bench");
                let runs = runs.to_string();
                command
                    .args(["--runs", &runs, "--warmup", "1", "--out"])
                    .arg(self.slowpath.out())
                    .arg("--")
                    .args(&noop.argv);
                command
            }
            Runner::Hyperfine => {
                self.peers.hyperfine.as_ref().context("no hyperfine")?.command(&[&noop], runs, &export)
            }
            Runner::Pyperf => self.peers.pyperf.as_ref().context("no pyperf")?.command(&noop, runs, &export),
        };
        let used = self.used(&mut command, &folder.join("usage"));
        let _ = fs::remove_dir_all(self.slowpath.out());
        let used = used?;
        let (walls, from_exec) = match runner {
            Runner::Bare => {
                let all = read_bare(&used.stdout)?;
                let positive = |values: Vec<f64>| values.into_iter().filter(|value| *value > 0.0).collect();
                let walls: Vec<f64> = all.iter().map(|run| run.spawn).collect();
                (positive(walls), positive(all.iter().map(|run| run.exec).collect()))
            }
            Runner::Slowpath => (walls_of(&used.stdout)?, Vec::new()),
            Runner::Hyperfine => {
                (Hyperfine::read(&export)?.into_iter().flat_map(|one| one.wall).collect(), Vec::new())
            }
            Runner::Pyperf => (Pyperf::read(&export)?, Vec::new()),
        };
        ensure!(!walls.is_empty(), "{runner:?} reported no runs");
        let runs = if runner == Runner::Bare { 2 * runs } else { runs };
        Ok(Turn { runner, runs, walls, from_exec, cpu: used.cpu, elapsed: used.elapsed })
    }

    /// Runs a command through the C program that asks `wait4` what it and its children used.
    fn used(&self, command: &mut Command, file: &PathBuf) -> Result<Used> {
        let _ = fs::remove_file(file);
        let mut wrapped = Command::new(self.programs.specimen("usage"));
        wrapped.arg(file).arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
        if let Some(folder) = command.get_current_dir() {
            wrapped.current_dir(folder);
        }
        wrapped.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let stdout = stdout_of(&mut wrapped)?;
        let text = fs::read_to_string(file).context("no usage was written")?;
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok()).collect();
        let [cpu, elapsed, _] = numbers.as_slice() else { anyhow::bail!("unexpected usage: `{text}`") };
        Ok(Used { cpu: cpu / 1e6, elapsed: elapsed / 1e6, stdout })
    }
}

struct Used {
    cpu: f64,
    elapsed: f64,
    stdout: Vec<u8>,
}

fn walls_of(printed: &[u8]) -> Result<Vec<f64>> {
    let answer: Answer =
        serde_json::from_slice(printed).context("slowpath's JSON is not of `slowpath.bench/1`")?;
    let metrics = answer.commands.into_iter().flat_map(|command| command.metrics);
    let walls = metrics.into_iter().find(|metric| metric.metric == Metric::Wall);
    walls.map(|walls| walls.values).context("slowpath's JSON has no wall times")
}

#[derive(Default)]
struct Names {
    hyperfine: Option<String>,
    pyperf: Option<String>,
}

/// All turns, round by round.
#[derive(Default)]
struct Costs {
    rounds: Vec<Vec<Turn>>,
    names: Names,
}

/// The goal: p50 within this of the bare loop.
const WITHIN: f64 = 5e-6;

impl Costs {
    fn rows(&self, table: &mut Table) {
        let goal = "P1";
        let pyperf = self.names.pyperf.clone().unwrap_or_default();
        let hyperfine = self.names.hyperfine.clone().unwrap_or_default();
        self.percentiles(table, "bare C: posix_spawn to wait4", &self.all(Runner::Bare, |turn| &turn.walls));
        self.percentiles(table, "bare C: execve to wait4", &self.all(Runner::Bare, |turn| &turn.from_exec));
        self.percentiles(table, "slowpath bench", &self.all(Runner::Slowpath, |turn| &turn.walls));
        self.percentiles(table, &hyperfine, &self.all(Runner::Hyperfine, |turn| &turn.walls));
        self.percentiles(table, &pyperf, &self.all(Runner::Pyperf, |turn| &turn.walls));
        let ours = |turn: &Turn| turn.runner == Runner::Slowpath;
        let spawn: Side = |turn| &turn.walls;
        self.difference(
            table,
            "p50 above bare C, execve to wait4",
            "slowpath bench",
            ours,
            |turn| &turn.from_exec,
            true,
        );
        self.difference(table, "p50 above bare C, posix_spawn to wait4", "slowpath bench", ours, spawn, true);
        if self.names.hyperfine.is_some() {
            self.difference(
                table,
                "p50 above bare C, posix_spawn to wait4",
                &hyperfine,
                |turn| turn.runner == Runner::Hyperfine,
                spawn,
                false,
            );
        }
        for (runner, who) in [
            (Runner::Bare, "bare C"),
            (Runner::Slowpath, "slowpath bench"),
            (Runner::Hyperfine, &hyperfine),
            (Runner::Pyperf, &pyperf),
        ] {
            self.per_run(table, goal, runner, who);
        }
        table.note("slowpath's clock begins at execve in the child, hyperfine's and the bare loop's before the child is made: each is compared with its own kind");
        table.note("cost of one more run: turns of many runs less turns of few, so start-up is left out; start-up stands beside it");
    }

    fn all(&self, runner: Runner, side: impl Fn(&Turn) -> &Vec<f64>) -> Vec<f64> {
        let turns = self.rounds.iter().flatten().filter(|turn| turn.runner == runner);
        turns.flat_map(|turn| side(turn).iter().copied()).collect()
    }

    fn percentiles(&self, table: &mut Table, who: &str, walls: &[f64]) {
        let figure = Figure { goal: "P1", what: "no-op: min / p25 / p50", who };
        let Some(walls) = Values::new(walls.to_vec()) else { return };
        let micros = |p: f64| stats::quantile(&walls, p) * 1e6;
        let text = format!("{:.0} / {:.0} / {:.0} us", micros(0.0), micros(0.25), micros(0.5));
        let bounds = stats::median_interval(&walls, 0.95);
        let bounds =
            bounds.map(|between| format!("p50 {:.1} to {:.1} us", between.low * 1e6, between.high * 1e6));
        table.value(&figure, text, walls.n() as u64, bounds);
    }

    /// The median over rounds of the difference of the rounds' p50, with its bootstrap interval.
    fn difference(
        &self,
        table: &mut Table,
        what: &str,
        who: &str,
        is_tool: impl Fn(&Turn) -> bool,
        bare: Side,
        has_goal: bool,
    ) {
        let p50 = |walls: &[f64]| Values::new(walls.to_vec()).map(|walls| stats::median(&walls));
        let differences = self.rounds.iter().filter_map(|round| {
            let tool = round.iter().find(|turn| is_tool(turn) && turn.runs == RUNS)?;
            let floor = round.iter().find(|turn| turn.runner == Runner::Bare && turn.runs == 2 * RUNS)?;
            Some(p50(&tool.walls)? - p50(bare(floor))?)
        });
        let Some(differences) = Values::new(differences.collect()) else { return };
        let middle =
            |values: &[f64]| Values::new(values.to_vec()).map_or(f64::NAN, |values| stats::median(&values));
        let interval = stats::bootstrap_interval(&differences, middle, 0.95, 2_000, 1);
        let bounds = interval.map_or_else(
            || "too few rounds".to_owned(),
            |i| format!("{:+.1} to {:+.1} us", i.low * 1e6, i.high * 1e6),
        );
        let difference = stats::median(&differences);
        let text = format!("{:+.1} us", difference * 1e6);
        let figure = Figure { goal: "P1", what, who };
        if has_goal {
            table.goal(&figure, text, differences.n() as u64, &bounds, "within 5 us", difference <= WITHIN);
        } else {
            table.value(&figure, text, differences.n() as u64, Some(bounds));
        }
    }

    /// CPU and elapsed time of one more run, and what the tool takes before its first.
    fn per_run(&self, table: &mut Table, goal: &'static str, runner: Runner, who: &str) {
        let costs = self.rounds.iter().filter_map(|round| {
            let own: Vec<&Turn> = round.iter().filter(|turn| turn.runner == runner).collect();
            let most = own.iter().max_by_key(|turn| turn.runs)?;
            let least = own.iter().min_by_key(|turn| turn.runs)?;
            let more = f64::from(most.runs.checked_sub(least.runs).filter(|more| *more > 0)?);
            let (cpu, elapsed) = ((most.cpu - least.cpu) / more, (most.elapsed - least.elapsed) / more);
            Some((cpu, elapsed, least.cpu - f64::from(least.runs) * cpu, most.cpu / f64::from(most.runs)))
        });
        let costs: Vec<_> = costs.collect();
        let middle = |of: fn(&(f64, f64, f64, f64)) -> f64| Values::new(costs.iter().map(of).collect());
        let (Some(cpu), Some(elapsed)) = (middle(|cost| cost.0), middle(|cost| cost.1)) else { return };
        let (Some(start), Some(whole)) = (middle(|cost| cost.2), middle(|cost| cost.3)) else { return };
        let bounds = stats::median_interval(&cpu, 0.95)
            .map(|i| format!("CPU {:.0} to {:.0} us", i.low * 1e6, i.high * 1e6));
        let micros = |values: &Values| stats::median(values) * 1e6;
        let text = format!("CPU {:.0} us, elapsed {:.0} us", micros(&cpu), micros(&elapsed));
        table.value(&Figure { goal, what: "one more run", who }, text, costs.len() as u64, bounds);
        let text = format!("{:.1} ms start-up; {:.0} us/run in all", micros(&start) / 1e3, micros(&whole));
        table.value(&Figure { goal, what: "CPU of tool and children", who }, text, costs.len() as u64, None);
    }
}

/// Which clock of the bare loop a tool is held against.
type Side = fn(&Turn) -> &Vec<f64>;
