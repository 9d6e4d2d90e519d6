//! `cargo xtask bench compare --counts`: C5, instruction counts where there is no PMU.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use model::Metric;
use model::compare::Verdict;
use serde_json::json;
use stats::Rng;

use super::Options;
use super::peers::Peers;
use super::plant::{Plant, plants, valgrind_is_here};
use super::programs::{Programs, Target};
use super::sitting::Sitting;
use super::slowpath::{Compared, Slowpath};
use super::table::{Figure, Table, Target as Wanted};
use crate::process::workspace_root;

const EFFECT: f64 = 0.005;
/// Some 1.5 million instructions; CPython takes twenty times that to start.
const SPIN_ROUNDS: u64 = 200_000;
const PYTHON_ROUNDS: u64 = 20_000;

pub(crate) fn counts(options: &Options) -> Result<()> {
    ensure!(valgrind_is_here(), "no valgrind on the path; apt-get install valgrind");
    let root = workspace_root()?;
    let mut sitting = Sitting::open(&root, "counts", options)?;
    let programs = Programs::build(&root)?;
    let peers = Peers::find(&mut sitting, &programs, options);
    let slowpath = Slowpath::new(&programs)?;
    eprintln!("counting the plants' instructions");
    let kinds = kinds(&programs)?;
    let jobs = jobs(&kinds, options);
    sitting.begin(&programs.specimen("load"))?;
    let mut trials: Vec<(Job, Compared)> = Vec::new();
    let mut rng = Rng::new(options.seed);
    for (done, job) in jobs.iter().enumerate() {
        let Some(kind) = kinds.get(job.kind) else { continue };
        sitting.progress(done, jobs.len(), kind.name);
        let new = if job.planted { &kind.plant.new } else { &kind.plant.base };
        // The environment's size differs from trial to trial, or all of them would be one trial told many times.
        let padding = format!("SLOWPATH_BENCH_PADDING={}", "x".repeat(rng.below(4_000)));
        let more = ["--count", "--pairs", "2", "--warmup", "0", "--env", &padding];
        let compared = slowpath.compare(&kind.plant.base, new, job.seed, &more);
        if sitting.stopped() {
            sitting.cut_short();
            break;
        }
        let compared = compared?;
        let counted = compared.metric(Metric::Instructions).cloned();
        sitting.keep(&json!({ "program": kind.name, "planted": job.planted, "instructions": counted, "seconds": compared.seconds }))?;
        trials.push((*job, compared));
    }
    let mut table = Table::default();
    rows(&mut table, &kinds, &trials);
    peer_row(&mut table, &peers, &programs.target("spin", SPIN_ROUNDS));
    sitting.close(table)
}

struct Kind {
    name: &'static str,
    plant: Plant,
}

#[derive(Clone, Copy)]
struct Job {
    kind: usize,
    planted: bool,
    seed: u64,
}

fn kinds(programs: &Programs) -> Result<Vec<Kind>> {
    let one = |plants: Vec<Plant>| plants.into_iter().next().context("nothing was planted");
    let native = one(plants(&|rounds| programs.target("spin", rounds), SPIN_ROUNDS, &[EFFECT])?)?;
    let mut kinds = vec![Kind { name: "native", plant: native }];
    if let Some(spare) = programs.python_loop(0) {
        let python = |rounds| programs.python_loop(rounds).unwrap_or_else(|| spare.clone());
        kinds.push(Kind { name: "CPython", plant: one(plants(&python, PYTHON_ROUNDS, &[EFFECT])?)? });
    }
    Ok(kinds)
}

/// 20 plants and 50 A/A of each kind, in random order.
fn jobs(kinds: &[Kind], options: &Options) -> Vec<Job> {
    let same = options.trials(50, 2);
    let planted = if options.quick { 2 } else { (same * 2).div_ceil(5) };
    let mut jobs = Vec::new();
    for kind in 0..kinds.len() {
        for (planted, count) in [(true, planted), (false, same)] {
            jobs.extend((0..count).map(|seed| Job { kind, planted, seed: u64::from(seed) }));
        }
    }
    Rng::new(options.seed).shuffle(&mut jobs);
    jobs
}

fn rows(table: &mut Table, kinds: &[Kind], trials: &[(Job, Compared)]) {
    let (goal, who) = ("C5", "slowpath compare --count");
    let verdict = |compared: &Compared| compared.verdict(Metric::Instructions);
    for (index, kind) in kinds.iter().enumerate() {
        let own = |planted: bool| {
            let own = trials.iter().filter(move |(job, _)| job.kind == index && job.planted == planted);
            own.map(|(_, compared)| compared).collect::<Vec<_>>()
        };
        let (planted, same) = (own(true), own(false));
        let found =
            planted.iter().filter(|compared| verdict(compared) == Some(Verdict::Worse)).count() as u64;
        let what = format!("{:+.3} % instructions found, {}", kind.plant.effect * 100.0, kind.name);
        table.rate(&Figure { goal, what: &what, who }, found, planted.len() as u64, Wanted::AtLeast(1.0));
        let alarm =
            |compared: &&&Compared| matches!(verdict(compared), Some(Verdict::Worse | Verdict::Better));
        let alarms = same.iter().filter(alarm).count() as u64;
        let what = format!("A/A alarm, instructions, {}", kind.name);
        table.rate(&Figure { goal, what: &what, who }, alarms, same.len() as u64, Wanted::AtMost(0.0));
        let missing =
            trials.iter().filter(|(job, compared)| job.kind == index && verdict(compared).is_none()).count();
        if missing > 0 {
            table.note(format!("{}: {missing} trials gave no count at all", kind.name));
        }
        range(table, kind, &planted, &same);
    }
    if let Some((_, compared)) = trials.first() {
        let source = compared.metric(Metric::Instructions).map_or("nothing", |metric| metric.source.as_str());
        table
            .note(format!("instructions counted by {source}; each trial has an environment of its own size"));
    }
}

/// How far the ratios wander.
fn range(table: &mut Table, kind: &Kind, planted: &[&Compared], same: &[&Compared]) {
    for (what, trials) in [("planted", planted), ("A/A", same)] {
        let ratios = trials.iter().filter_map(|compared| compared.metric(Metric::Instructions));
        let ratios: Vec<f64> = ratios.map(|metric| (metric.ratio.value - 1.0) * 100.0).collect();
        let Some(ratios) = stats::Values::new(ratios) else { continue };
        let text = format!("{:+.4} to {:+.4} %", ratios.min(), ratios.max());
        let what = format!("{what} ratio, range, {}", kind.name);
        table.value(
            &Figure { goal: "C5", what: &what, who: "slowpath compare --count" },
            text,
            ratios.n() as u64,
            None,
        );
    }
}

/// What hyperfine does when asked for instructions here.
fn peer_row(table: &mut Table, peers: &Peers, target: &Target) {
    let Some(hyperfine) = &peers.hyperfine else { return };
    let mut command = Command::new(hyperfine.program());
    command.args(["-N", "--runs", "3", "--metrics", "instructions"]).arg(target.quoted());
    let said = match command.output() {
        Err(error) => error.to_string(),
        Ok(output) => {
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            format!(
                "{}: {}",
                output.status,
                stderr.trim().chars().take_while(|letter| *letter != '\n').take(60).collect::<String>()
            )
        }
    };
    table.value(
        &Figure { goal: "C5", what: "asked for instructions", who: &hyperfine.version },
        said,
        1,
        None,
    );
}
