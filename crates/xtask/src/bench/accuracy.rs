//! `cargo xtask bench accuracy`: R1, R2, R3 and R5, on programs with one known disease and their healthy twins.

mod corpus;
mod packages;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use model::answer::{Answer, Finding, State};
use model::profile::Place;
use serde_json::json;
use stats::Rng;

use super::Options;
use super::account::{Built, Level, User, slowpath};
use super::sitting::Sitting;
use super::table::{Figure, Table, Target};
use crate::process::{follow, workspace_root};
use corpus::{Health, Specimen};

#[derive(Args)]
pub(crate) struct AccuracyOptions {
    #[command(flatten)]
    options: Options,
    /// Only these levels: C is root, A an ordinary user
    #[arg(long, value_name = "LEVEL", value_delimiter = ',')]
    level: Vec<Level>,
    /// Only specimens whose name contains one of these
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Which programs: those the rules were tuned on, those they had not seen, or real packages from the registries
    #[arg(long, value_enum, default_value_t = Corpus::Causes)]
    corpus: Corpus,
    /// Leaves the healthy twins out
    #[arg(long)]
    no_healthy: bool,
    /// Another slowpath than the one built here
    #[arg(long, value_name = "PATH")]
    slowpath: Option<PathBuf>,
    /// Keeps the run folders here, so that they can be judged again (`slowpath report`)
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Corpus {
    Causes,
    Unseen,
    Packages,
}

impl Corpus {
    fn folder(self) -> &'static str {
        match self {
            Self::Causes => "causes",
            Self::Unseen => "unseen",
            Self::Packages => "packages",
        }
    }
}

/// The cause of programs that are well as they are.
const NONE: &str = "none";

/// One answer to be judged.
struct Trial<'a> {
    specimen: &'a Specimen,
    level: Level,
    health: Health,
    answer: Option<Answer>,
}

pub(crate) fn accuracy(asked: &AccuracyOptions) -> Result<()> {
    let root = workspace_root()?;
    let options = &asked.options;
    let mut sitting = Sitting::open(&root, "accuracy", options)?;
    let slowpath = slowpath(&root, asked.slowpath.as_deref())?;
    let programs = root.join("target/bench/programs");
    let built = Built::build_c(&root, &programs.join("account"))?;
    let specimens = corpus::load(&root.join("specimens").join(asked.corpus.folder()), &asked.only)?;
    let user = User::find()?;
    let folder = tempfile::tempdir().context("cannot create a folder for runs")?;
    User::own(user, folder.path())?;
    let levels = if asked.level.is_empty() { vec![Level::C, Level::A] } else { asked.level.clone() };
    let mut units = Vec::new();
    for specimen in &specimens {
        for health in [Health::Sick, Health::Healthy] {
            // A program without a disease is its own healthy twin.
            let sick = health == Health::Sick && specimen.truth.cause != NONE;
            let wanted = sick || (health == Health::Healthy && !asked.no_healthy);
            units.extend(levels.iter().filter(|_| wanted).map(|level| (specimen, *level, health)));
        }
    }
    Rng::new(options.seed).shuffle(&mut units);
    sitting.begin(&built.program("load"))?;
    let mut trials: Vec<Trial<'_>> = Vec::new();
    for (done, (specimen, level, health)) in units.iter().enumerate() {
        sitting.progress(done, units.len(), &format!("{} {health:?} at {}", specimen.name, level.name()));
        let argv = match specimen.build(&programs.join("causes"), *health) {
            Ok(argv) => argv,
            Err(error) => {
                sitting.version(format!("{}: {error:#}", specimen.name));
                continue;
            }
        };
        let mut command = level.command(&slowpath, &built, user);
        command.args(["--json", "--runs", "2", "--warmup", "0", "--out"]).arg(folder.path().join("run"));
        let answer = answer(command.arg("--").args(&argv));
        if let Some(kept) = &asked.keep {
            keep(&folder.path().join("run"), &kept.join(format!("{}-{level:?}-{health:?}", specimen.name)))?;
        }
        let _ = std::fs::remove_dir_all(folder.path().join("run"));
        if sitting.stopped() {
            sitting.cut_short();
            break;
        }
        let first = answer.as_ref().ok().and_then(|answer| answer.findings.first());
        sitting.keep(&json!({
            "specimen": specimen.name, "level": format!("{level:?}"), "health": format!("{health:?}"),
            "wall_s": answer.as_ref().ok().map(|answer| answer.wall.median_s),
            "cpu_s": answer.as_ref().ok().and_then(cpu),
            "first": first, "error": answer.as_ref().err().map(|error| format!("{error:#}")),
        }))?;
        trials.push(Trial { specimen, level: *level, health: *health, answer: answer.ok() });
    }
    sitting.end();
    let detail = format!("{}\n{}", detail(&trials), confusions(&trials));
    println!("{detail}");
    sitting.store("answers.txt", &detail)?;
    sitting.close(table(&trials, &levels))
}

/// Copies a run folder, over one of the same name; a run that left none is told by its answer.
fn keep(run: &Path, kept: &Path) -> Result<()> {
    let _ = std::fs::remove_dir_all(kept);
    if run.is_dir() {
        std::fs::create_dir_all(kept)?;
        follow(Command::new("cp").arg("-rT").args([run, kept]))?;
    }
    Ok(())
}

fn answer(command: &mut Command) -> Result<Answer> {
    let output = command.output().context("slowpath does not start")?;
    if !output.status.success() {
        bail!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("not an answer")
}

impl Trial<'_> {
    fn first(&self) -> Option<&Finding> {
        self.answer.as_ref()?.findings.first()
    }

    fn is_at_culprit(&self) -> bool {
        let Some(first) = self.first() else { return false };
        let is_culprit =
            |place: &Option<Place>| place.as_ref().is_some_and(|at| self.specimen.is_culprit(at));
        // The call of a package, with the function of the package named beside it.
        is_culprit(&first.location) || self.is_at_caller() && is_culprit(&first.inside)
    }

    fn is_at_caller(&self) -> bool {
        let location = self.first().and_then(|first| first.location.as_ref());
        location.is_some_and(|location| self.specimen.is_caller(location))
    }

    fn has_cause(&self, strictly: bool) -> bool {
        self.first().is_some_and(|first| {
            let other = !strictly && self.specimen.truth.also_cause.contains(&first.cause);
            first.cause == self.specimen.truth.cause || other
        })
    }

    fn has_class(&self) -> bool {
        self.first().is_some_and(|first| {
            first.class == self.specimen.truth.class || self.specimen.truth.also_class.contains(&first.class)
        })
    }
}

fn table(trials: &[Trial<'_>], levels: &[Level]) -> Table {
    let mut table = Table::default();
    for level in levels {
        let who = format!("slowpath, {}", level.name());
        let sick: Vec<&Trial<'_>> =
            trials.iter().filter(|trial| trial.level == *level && trial.health == Health::Sick).collect();
        let healthy: Vec<&Trial<'_>> =
            trials.iter().filter(|trial| trial.level == *level && trial.health == Health::Healthy).collect();
        let count = |of: &dyn Fn(&Trial<'_>) -> bool| sick.iter().filter(|trial| of(trial)).count() as u64;
        let n = sick.len() as u64;
        let mut rate =
            |goal, what, hits, target| table.rate(&Figure { goal, what, who: &who }, hits, n, target);
        rate(
            "R1",
            "the culprit is the first finding",
            count(&|trial| trial.is_at_culprit()),
            Target::AtLeast(0.95),
        );
        let called = count(&|trial| trial.is_at_caller() && !trial.is_at_culprit());
        if called > 0 {
            rate("R1", "instead, the call of the culprit in a package", called, Target::None);
        }
        rate(
            "R2",
            "right cause first, or one that is defensible too",
            count(&|trial| trial.has_cause(false)),
            Target::AtLeast(0.95),
        );
        rate("R2", "right cause first, strictly", count(&|trial| trial.has_cause(true)), Target::None);
        rate("R2", "right class first", count(&|trial| trial.has_class()), Target::AtLeast(0.95));
        let alarms = healthy
            .iter()
            .filter(|trial| trial.first().is_some_and(|first| first.state == State::Confirmed))
            .count() as u64;
        let figure = Figure { goal: "R3", what: "healthy twins with a confirmed first finding", who: &who };
        table.rate(&figure, alarms, healthy.len() as u64, Target::AtMost(0.02));
        let (kept, judged) = bounds(&sick, &healthy);
        let figure = Figure { goal: "R5", what: "saving within the printed bound", who: &who };
        table.rate(&figure, kept, judged, Target::AtLeast(0.95));
    }
    table.note(
        "R5 compares medians of two runs each of twin programs: CPU time of those that compute, wall time of the others",
    );
    table
}

/// Twins whose measured speed-up is not beyond what the sick one's first finding allowed, and how many were judged. A
/// program that computes is judged by its CPU time, which other programs disturb less.
fn bounds(sick: &[&Trial<'_>], healthy: &[&Trial<'_>]) -> (u64, u64) {
    let twins: BTreeMap<&str, &Answer> = healthy
        .iter()
        .filter_map(|trial| Some((trial.specimen.name.as_str(), trial.answer.as_ref()?)))
        .collect();
    let (mut kept, mut judged) = (0, 0);
    for trial in sick.iter().filter(|trial| trial.is_at_culprit()) {
        let (Some(answer), Some(healthy)) = (&trial.answer, twins.get(trial.specimen.name.as_str())) else {
            continue;
        };
        let Some(first) = trial.first() else { continue };
        judged += 1;
        // No bound was printed where all of the time is claimed.
        let bound = first.with.map_or(first.at_most, |with| with.at_most);
        kept += u64::from(bound.is_none_or(|bound| speedup(answer, healthy) <= bound * 1.05));
    }
    (kept, judged)
}

/// From this share of the time that it had on, a program computes.
const COMPUTES: f64 = 0.3;

fn speedup(sick: &Answer, healthy: &Answer) -> f64 {
    let queued = sick.account.leaves.iter().filter(|leaf| leaf.leaf.starts_with("runnable"));
    let had = 1.0 - queued.map(|leaf| leaf.share).sum::<f64>();
    let computes = cpu(sick).is_some_and(|cpu| cpu >= COMPUTES * had * sick.wall.median_s);
    match (cpu(sick), cpu(healthy)) {
        (Some(sick), Some(healthy)) if computes => sick / healthy,
        _ => sick.wall.median_s / healthy.wall.median_s,
    }
}

fn cpu(answer: &Answer) -> Option<f64> {
    answer.evidence.iter().find(|evidence| evidence.metric == "cpu").map(|evidence| evidence.value)
}

/// Every sick program with the truth beside the answer, and each healthy one that got a confirmed finding.
fn detail(trials: &[Trial<'_>]) -> String {
    let mut lines: Vec<String> = trials.iter().filter_map(line).collect();
    lines.sort();
    lines.join("\n") + "\n"
}

/// What was taken for what: a row for each cause that was not always found, with what was said instead.
fn confusions(trials: &[Trial<'_>]) -> String {
    let mut rows: BTreeMap<&str, BTreeMap<String, u32>> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.health == Health::Sick) {
        let said = match trial.first() {
            _ if trial.has_cause(false) => "itself".to_owned(),
            Some(first) => first.cause.clone(),
            None => "nothing".to_owned(),
        };
        *rows.entry(trial.specimen.truth.cause.as_str()).or_default().entry(said).or_default() += 1;
    }
    let mut text = format!("{:24} {:>6}  taken for\n", "cause", "right");
    for (cause, said) in rows {
        let all: u32 = said.values().sum();
        let right = said.get("itself").copied().unwrap_or(0);
        let others: Vec<String> = said
            .iter()
            .filter(|(name, _)| name.as_str() != "itself")
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        text.push_str(&format!("{cause:24} {right:>3}/{all:<3} {}\n", others.join(", ")));
    }
    text
}

fn line(trial: &Trial<'_>) -> Option<String> {
    let first = trial.first();
    let said = first.map_or_else(
        || "no finding".to_owned(),
        |first| {
            let place = first.location.as_ref().map_or("-", |place| place.function.as_str());
            format!("{} {} at {place}, {:.0} %", first.state.word(), first.cause, first.share.value * 100.0)
        },
    );
    let truth = &trial.specimen.truth;
    let head = format!("{:2} {:20}", trial.level.name(), trial.specimen.name);
    match trial.health {
        Health::Sick => {
            let mark = |holds: bool, letter: char| if holds { letter } else { '-' };
            let marks: String = [
                if trial.is_at_culprit() { 'P' } else { mark(trial.is_at_caller(), 'p') },
                mark(trial.has_cause(false), 'C'),
                mark(trial.has_class(), 'K'),
            ]
            .iter()
            .collect();
            Some(format!("{head} {marks} {} at {}: {said}", truth.cause, truth.culprit.function))
        }
        Health::Healthy => {
            first.filter(|first| first.state == State::Confirmed).map(|_| format!("{head} healthy: {said}"))
        }
    }
}
