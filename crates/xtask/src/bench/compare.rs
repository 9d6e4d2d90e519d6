//! `cargo xtask bench compare`: C1 to C4. Every trial of every tool in one random order, so that all see the same minutes.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use model::Metric;
use serde_json::{Value, json};
use stats::Rng;

use super::Options;
use super::alarms;
use super::case::{Case, Kind, cases};
use super::need;
use super::peers::{Peers, PyperfCompared};
use super::programs::Programs;
use super::rules::Sides;
use super::sitting::Sitting;
use super::slowpath::{Compared, Slowpath};
use super::table::Table;
use crate::process::{stdout_of, workspace_root};

/// Runs a side: what every tool gets.
pub(crate) const PAIRS: u32 = 30;

pub(crate) fn compare(options: &Options, peer_every: u32) -> Result<()> {
    let root = workspace_root()?;
    let mut sitting = Sitting::open(&root, "compare", options)?;
    let programs = Programs::build(&root)?;
    let peers = Peers::find(&mut sitting, &programs, options);
    eprintln!("counting the plants' instructions");
    let cases = cases(&programs)?;
    let bench = Bench { slowpath: Slowpath::new(&programs)?, programs, peers, cases };
    let jobs = bench.jobs(options, peer_every);
    sitting.begin(&bench.programs.specimen("load"))?;
    let trials = bench.run(&mut sitting, &jobs)?;
    sitting.end();
    let mut table = Table::default();
    alarms::rows(&mut table, &bench.cases, &trials, &bench.peers);
    need::rows(&mut table, &bench.cases, &trials, options.seed);
    sitting.store("pool.json", &format!("{}\n", pool(&bench.cases, &trials)))?;
    for failure in trials.failed.iter().take(10) {
        table.note(format!("a trial failed and does not count: {failure}"));
    }
    sitting.close(table)
}

struct Bench {
    slowpath: Slowpath,
    programs: Programs,
    peers: Peers,
    cases: Vec<Case>,
}

/// Who measures a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Slowpath,
    /// All runs of base, then all of new, by the bare C loop: the samples for the rules written again.
    Sequence,
    Hyperfine,
    Pyperf,
}

struct Job {
    case: usize,
    by: By,
    seed: u64,
}

/// Everything measured, each with the index of its case.
#[derive(Default)]
pub(crate) struct Trials {
    pub(crate) slowpath: Vec<(usize, Compared)>,
    pub(crate) sequence: Vec<(usize, Timed)>,
    pub(crate) hyperfine: Vec<(usize, Timed)>,
    pub(crate) pyperf: Vec<(usize, PyperfCompared)>,
    pub(crate) failed: Vec<String>,
}

/// The runs of two commands, measured one after the other.
pub(crate) struct Timed {
    pub(crate) wall: Sides,
    pub(crate) cpu: Sides,
    pub(crate) rss: Sides,
    pub(crate) seconds: f64,
}

impl Bench {
    /// 600 A/A and 200 of each effect, spread over their programs; the peers get every n-th, pyperf, which takes
    /// 16 s for each where hyperfine takes 0.6, every 25th of the first.
    fn jobs(&self, options: &Options, peer_every: u32) -> Vec<Job> {
        let all = options.trials(600, 9);
        let mut jobs = Vec::new();
        for (case, Case { kind, .. }) in self.cases.iter().enumerate() {
            let programs = self.cases.iter().filter(|other| other.kind == *kind).count() as u32;
            let wanted = if *kind == Kind::Same { all } else { (all / 3).max(1) }.div_ceil(programs);
            let mut add = |by: By, count: u32| {
                let seeds = (0..count).map(|trial| options.seed.wrapping_mul(1_000_000) + u64::from(trial));
                jobs.extend(seeds.map(|seed| Job { case, by, seed }));
            };
            add(By::Slowpath, wanted);
            add(By::Sequence, wanted.div_ceil(peer_every));
            if self.peers.hyperfine.is_some() {
                add(By::Hyperfine, wanted.div_ceil(peer_every));
            }
            if self.peers.pyperf.is_some() && case == 0 {
                add(By::Pyperf, wanted.div_ceil(25));
            }
        }
        Rng::new(options.seed).shuffle(&mut jobs);
        jobs
    }

    /// A trial that fails is kept as a failure; three in a row are an error.
    fn run(&self, sitting: &mut Sitting, jobs: &[Job]) -> Result<Trials> {
        let mut trials = Trials::default();
        let mut in_a_row = 0;
        for (done, job) in jobs.iter().enumerate() {
            let Some(case) = self.cases.get(job.case) else { continue };
            sitting.progress(
                done,
                jobs.len(),
                &format!("{:?} {} {}", job.by, case.program, case.kind.name()),
            );
            let outcome = self.trial(sitting, job, case, &mut trials);
            if sitting.stopped() {
                sitting.cut_short();
                break;
            }
            match outcome {
                Ok(()) => in_a_row = 0,
                Err(error) if in_a_row == 2 => return Err(error.context("three trials in a row failed")),
                Err(error) => {
                    in_a_row += 1;
                    sitting
                        .keep(&json!({ "failed": format!("{error:#}"), "by": format!("{:?}", job.by) }))?;
                    trials.failed.push(format!("{:?}, {}: {error:#}", job.by, case.program));
                }
            }
        }
        Ok(trials)
    }

    fn trial(&self, sitting: &mut Sitting, job: &Job, case: &Case, trials: &mut Trials) -> Result<()> {
        let label = |raw: Value| json!({ "by": format!("{:?}", job.by), "program": case.program, "kind": case.kind.name(), "trial": raw });
        match job.by {
            By::Slowpath => {
                let pairs = PAIRS.to_string();
                let compared =
                    self.slowpath.compare(&case.base, &case.new, job.seed, &["--pairs", &pairs])?;
                sitting.keep(&label(compared.raw()))?;
                trials.slowpath.push((job.case, compared));
            }
            By::Sequence => {
                let timed = self.sequence(case)?;
                sitting.keep(&label(timed.raw()))?;
                trials.sequence.push((job.case, timed));
            }
            By::Hyperfine => {
                let timed = self.hyperfine(case, &sitting.folder)?;
                sitting.keep(&label(timed.raw()))?;
                trials.hyperfine.push((job.case, timed));
            }
            By::Pyperf => {
                let pyperf = self.peers.pyperf.as_ref().context("no pyperf")?;
                let compared = pyperf.compare(&case.base, &case.new, PAIRS, &sitting.folder)?;
                let sides = json!({ "base": compared.sides.base, "new": compared.sides.new });
                let raw = json!({ "wall": sides, "says": compared.text, "seconds": compared.seconds });
                sitting.keep(&label(raw))?;
                trials.pyperf.push((job.case, compared));
            }
        }
        Ok(())
    }

    fn sequence(&self, case: &Case) -> Result<Timed> {
        let began = Instant::now();
        let bare = self.programs.specimen("bare");
        let (base, new) =
            (bare_runs(&bare, &case.base.argv, PAIRS)?, bare_runs(&bare, &case.new.argv, PAIRS)?);
        let side = |runs: &[BareRun], of: fn(&BareRun) -> f64| runs.iter().map(of).collect();
        let sides = |of: fn(&BareRun) -> f64| Sides { base: side(&base, of), new: side(&new, of) };
        let seconds = began.elapsed().as_secs_f64();
        Ok(Timed { wall: sides(|run| run.spawn), cpu: sides(|run| run.cpu), rss: Sides::default(), seconds })
    }

    fn hyperfine(&self, case: &Case, folder: &Path) -> Result<Timed> {
        let hyperfine = self.peers.hyperfine.as_ref().context("no hyperfine")?;
        let (measured, seconds) = hyperfine.measure(&[&case.base, &case.new], PAIRS, folder)?;
        let Ok([base, new]) = <[_; 2]>::try_from(measured) else {
            bail!("hyperfine did not measure two commands")
        };
        Ok(Timed {
            wall: Sides { base: base.wall, new: new.wall },
            cpu: Sides { base: base.cpu, new: new.cpu },
            rss: Sides { base: base.rss, new: new.rss },
            seconds,
        })
    }
}

impl Timed {
    fn raw(&self) -> Value {
        let side = |sides: &Sides| json!({ "base": sides.base, "new": sides.new });
        json!({
            "wall": side(&self.wall), "cpu": side(&self.cpu), "rss": side(&self.rss), "seconds": self.seconds,
        })
    }
}

/// One run of the bare loop, in seconds.
pub(crate) struct BareRun {
    /// From before `posix_spawn`; 0 when the run was stamped at `execve` instead.
    pub(crate) spawn: f64,
    pub(crate) exec: f64,
    pub(crate) cpu: f64,
}

fn bare_runs(bare: &Path, argv: &[String], runs: u32) -> Result<Vec<BareRun>> {
    let printed = stdout_of(Command::new(bare).args([&runs.to_string(), "1"]).args(argv))?;
    read_bare(&printed)
}

/// Reads what the bare loop prints: three numbers of nanoseconds a line.
pub(crate) fn read_bare(printed: &[u8]) -> Result<Vec<BareRun>> {
    let text = String::from_utf8_lossy(printed);
    let line = |line: &str| {
        let numbers: Vec<f64> = line.split(' ').filter_map(|word| word.parse::<f64>().ok()).collect();
        let [spawn, exec, cpu] = numbers.as_slice() else {
            bail!("unexpected line of the bare loop: `{line}`")
        };
        Ok(BareRun { spawn: spawn / 1e9, exec: exec / 1e9, cpu: cpu / 1e9 })
    };
    text.lines().map(line).collect()
}

/// The block ratios of all A/A trials by program, for `bench stats`.
fn pool(cases: &[Case], trials: &Trials) -> Value {
    let same = cases.iter().enumerate().filter(|(_, case)| case.kind == Kind::Same);
    let rows = same.map(|(index, case)| {
        let of = |metric: Metric| {
            let own = trials.slowpath.iter().filter(|(case, _)| *case == index);
            own.map(|(_, compared)| compared.blocks(metric)).collect::<Vec<_>>()
        };
        json!({ "program": case.program, "wall": of(Metric::Wall), "cpu": of(Metric::Cpu) })
    });
    json!({ "blocks": rows.collect::<Vec<_>>() })
}
