//! `cargo xtask bench sampler`: what recording costs (P3, P4), keeps (P6) and how soon it answers (P9), and whether its
//! shares are those of perf and py-spy.

mod agree;
mod cost;
mod profilers;
mod taken;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;
use stats::{Rng, Values};

use super::Options;
use super::account::{Built, TRUTH, User, slowpath};
use super::sitting::Sitting;
use super::table::{Figure, Table};
use crate::process::{stdout_of, workspace_root};
use agree::Agreement;
use cost::{Costs, Question, questions};
use profilers::{Order, Profiler, Profilers};
use taken::Taken;

#[derive(Args)]
pub(crate) struct SamplerOptions {
    #[command(flatten)]
    options: Options,
    /// Targets of 30 s where the goal says so, and of 10 s elsewhere
    #[arg(long)]
    long: bool,
    /// Only these goals: P3, P4, P9, shares
    #[arg(long, value_name = "GOAL", value_delimiter = ',')]
    only: Vec<String>,
    /// Only the costs of these targets: C, Rust, Python, Node, Java, taken, storm, ordinary
    #[arg(long, value_name = "TARGET", value_delimiter = ',')]
    target: Vec<String>,
    /// The samply to measure beside ours; searched for on the path, else built, when left out
    #[arg(long, value_name = "PATH")]
    samply: Option<PathBuf>,
    /// Another slowpath than the one built here
    #[arg(long, value_name = "PATH")]
    slowpath: Option<PathBuf>,
}

impl SamplerOptions {
    fn wants(&self, goal: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only.eq_ignore_ascii_case(goal))
    }

    fn wants_target(&self, target: &str) -> bool {
        let is_part = |word: &str| self.target.iter().any(|wanted| wanted.eq_ignore_ascii_case(word));
        self.target.is_empty() || target.split(' ').any(is_part)
    }

    /// How long a target of the costs runs.
    fn seconds(&self) -> f64 {
        match (self.long, self.options.quick) {
            (true, _) => 10.0,
            (false, true) => 0.5,
            (false, false) => 2.0,
        }
    }
}

pub(crate) fn sampler(asked: &SamplerOptions) -> Result<()> {
    let root = workspace_root()?;
    let options = &asked.options;
    let mut sitting = Sitting::open(&root, "sampler", options)?;
    let slowpath = slowpath(&root, asked.slowpath.as_deref())?;
    let built = Built::build(&root, &root.join("target/bench/programs/account"))?;
    let profilers = Profilers::find(&mut sitting, &built, &slowpath, asked.samply.as_deref())?;
    let folder = tempfile::tempdir().context("cannot create a folder for profiles")?;
    User::own(profilers.user, folder.path())?;
    let questions = questions(&built, &profilers, asked.seconds());
    let mut units = Vec::new();
    for _ in 0..options.trials(12, 2) {
        units.extend(
            (0..questions.len())
                .filter(|at| {
                    let wants = |one: &Question| asked.wants(one.goal) && asked.wants_target(&one.target);
                    questions.get(*at).is_some_and(wants)
                })
                .map(Unit::Cost),
        );
        units.extend(asked.wants("shares").then_some(Unit::Shares));
        units.extend((asked.wants("P3") && asked.wants_target("taken")).then_some(Unit::Taken));
    }
    units.extend((0..options.trials(3, 1)).filter(|_| asked.wants("P9")).map(|_| Unit::Answer));
    let mut rng = Rng::new(options.seed);
    rng.shuffle(&mut units);
    sitting.begin(&built.program("load"))?;
    let (mut costs, mut agreement, mut answers) =
        (Costs::default(), Agreement::default(), Answers::default());
    let mut taken = Taken::default();
    for (done, unit) in units.iter().enumerate() {
        sitting.progress(done, units.len(), unit.name());
        let outcome = match unit {
            Unit::Cost(at) => questions.get(*at).map_or(Ok(()), |question| {
                costs.round(&mut sitting, &profilers, question, &mut rng, folder.path())
            }),
            Unit::Shares => agreement.round(&mut sitting, &built, &profilers, asked.seconds(), folder.path()),
            Unit::Taken => {
                taken.round(&mut sitting, &built, &profilers, asked.seconds(), &mut rng, folder.path())
            }
            Unit::Answer => answers.round(&mut sitting, &built, &profilers, asked.long, folder.path()),
        };
        if sitting.stopped() {
            sitting.cut_short();
            break;
        }
        outcome?;
    }
    let mut table = Table::default();
    costs.rows(&mut table);
    taken.rows(&mut table);
    answers.rows(&mut table);
    agreement.rows(&mut table);
    sitting.close(table)
}

/// What is done without anything else in between; units come in random order.
enum Unit {
    Cost(usize),
    Shares,
    Taken,
    Answer,
}

impl Unit {
    fn name(&self) -> &'static str {
        match self {
            Self::Cost(_) => "cost",
            Self::Shares => "shares",
            Self::Taken => "taken",
            Self::Answer => "time to answer",
        }
    }
}

/// P9: seconds from the target's end to slowpath's, and of the whole default command against one run.
#[derive(Default)]
struct Answers {
    after: Vec<f64>,
    whole: Vec<(f64, f64)>,
}

const AFTER: f64 = 1.0;

impl Answers {
    fn round(
        &mut self,
        sitting: &mut Sitting,
        built: &Built,
        profilers: &Profilers,
        long: bool,
        folder: &Path,
    ) -> Result<()> {
        let seconds = if long { 30.0 } else { 5.0 };
        let after = after(built, profilers, seconds, folder).map_err(|error| format!("{error:#}"));
        let whole = whole(built, profilers, folder).map_err(|error| format!("{error:#}"));
        sitting.keep(&json!({"after": after, "target_s": seconds, "whole": whole}))?;
        self.after.extend(after);
        self.whole.extend(whole);
        Ok(())
    }

    fn rows(&self, table: &mut Table) {
        let who = "slowpath record";
        if let Some(after) = Values::new(self.after.clone()) {
            let figure = Figure { goal: "P9", what: "from the target's end to the answer", who };
            let text = format!("{:.2} s, at most {:.2} s", stats::median(&after), after.max());
            table.goal(&figure, text, after.n() as u64, "-", "<= 1 s", after.max() <= AFTER);
        }
        let over = self.whole.iter().map(|(whole, bare)| whole - (6.0 * bare + 2.0)).collect();
        if let Some(over) = Values::new(over) {
            let middle = |of: fn(&(f64, f64)) -> f64| {
                Values::new(self.whole.iter().map(of).collect())
                    .map_or(f64::NAN, |values| stats::median(&values))
            };
            let figure =
                Figure { goal: "P9", what: "whole default command of a 1 s program", who: "slowpath -- CMD" };
            let text = format!("{:.2} s; one bare run {:.2} s", middle(|pair| pair.0), middle(|pair| pair.1));
            table.goal(&figure, text, over.n() as u64, "-", "<= 6 x one run + 2 s", over.max() <= 0.0);
        }
    }
}

/// The target writes its log as the last thing it does, so that file's time is its end.
fn after(built: &Built, profilers: &Profilers, seconds: f64, folder: &Path) -> Result<f64> {
    let argv = built.argv_of_split(seconds).context("no C specimen")?;
    let turn = profilers.turn(&Order {
        profiler: Profiler::Slowpath,
        argv: &argv,
        folder,
        rate: None,
        maps: false,
    })?;
    let now = SystemTime::now();
    let ended = std::fs::metadata(&turn.left.truth)
        .and_then(|log| log.modified())
        .context("the target left no log")?;
    Ok(now.duration_since(ended).context("the log is from the future")?.as_secs_f64())
}

fn whole(built: &Built, profilers: &Profilers, folder: &Path) -> Result<(f64, f64)> {
    let argv = built.argv_of_split(1.0).context("no C specimen")?;
    let bare = Order { profiler: Profiler::Nothing, argv: &argv, folder, rate: None, maps: false };
    let bare = profilers.turn(&bare)?.elapsed;
    let out = folder.join("whole");
    let _ = std::fs::remove_dir_all(&out);
    let mut command = Command::new(&profilers.slowpath);
    command.args(["--json", "--quiet", "--out"]).arg(&out).arg("--").args(&argv);
    command.current_dir(folder).stdin(Stdio::null()).env(TRUTH, folder.join("truth"));
    let began = Instant::now();
    stdout_of(&mut command)?;
    Ok((began.elapsed().as_secs_f64(), bare))
}
