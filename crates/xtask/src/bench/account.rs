//! `cargo xtask bench account`: R4, the account against specimens that log their own truth, at each level.

mod levels;
mod score;
mod specimens;
mod truth;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use model::profile::Profile;
use serde_json::{Value, json};
use stats::{Rng, Values};

use super::Options;
use super::sitting::Sitting;
use super::table::{Figure, Table, Target};
use crate::process::workspace_root;
pub(crate) use levels::{Level, User, is_root};
pub(crate) use score::is_function;
use score::{Miss, POINTS, Score, UNACCOUNTED};
use specimens::{ALL, PEER, Peer};
pub(crate) use specimens::{Built, FOLDER, Language, Specimen, TRUTH, named, settle, slowpath, split};
pub(crate) use truth::Truth;

#[derive(Args)]
pub(crate) struct AccountOptions {
    #[command(flatten)]
    options: Options,
    /// Only these levels
    #[arg(long, value_name = "LEVEL", value_delimiter = ',')]
    level: Vec<Level>,
    /// Only specimens whose name contains one of these
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Another slowpath than the one built here
    #[arg(long, value_name = "PATH")]
    slowpath: Option<PathBuf>,
}

pub(crate) fn account(asked: &AccountOptions) -> Result<()> {
    let root = workspace_root()?;
    let options = &asked.options;
    let mut sitting = Sitting::open(&root, "account", options)?;
    let slowpath = slowpath(&root, asked.slowpath.as_deref())?;
    let built = Built::build(&root, &root.join("target/bench/programs/account"))?;
    for (language, why) in &built.missing {
        sitting.version(format!("no {language:?} specimens: {why}"));
    }
    let user = User::find()?;
    let folder = tempfile::tempdir().context("cannot create a folder for runs")?;
    User::own(user, folder.path())?;
    fs::create_dir_all(sitting.folder.join("documents"))?;
    let bench = Bench {
        slowpath,
        peer: Peer::start(&built)?,
        seconds: if options.quick { 0.5 } else { 1.0 },
        built,
        user,
        folder,
    };
    let mut units = units(asked);
    Rng::new(options.seed).shuffle(&mut units);
    sitting.begin(&bench.built.program("load"))?;
    let mut trials = Vec::new();
    for (done, unit) in units.iter().enumerate() {
        sitting.progress(done, units.len(), &format!("{} at {}", unit.specimen.name, unit.level.name()));
        let outcome = bench.trial(&mut sitting, unit);
        if sitting.stopped() {
            sitting.cut_short();
            break;
        }
        trials.extend(outcome?.map(|outcome| (*unit, outcome)));
    }
    sitting.end();
    let detail = detail(&mut trials);
    println!("{detail}");
    sitting.store("leaves.txt", &detail)?;
    sitting.close(table(&trials))
}

#[derive(Clone, Copy)]
struct Unit {
    specimen: &'static Specimen,
    level: Level,
    trial: u32,
}

/// Each specimen at each level, so many times.
fn units(asked: &AccountOptions) -> Vec<Unit> {
    let wanted = |specimen: &&Specimen| {
        asked.only.is_empty() || asked.only.iter().any(|part| specimen.name.contains(part))
    };
    let possible = |level: &Level| *level != Level::C || is_root();
    let levels: Vec<Level> = if asked.level.is_empty() { Level::ALL.to_vec() } else { asked.level.clone() };
    let mut units = Vec::new();
    for specimen in ALL.iter().filter(wanted) {
        for level in levels.iter().copied().filter(possible) {
            units.extend((0..asked.options.trials(5, 1)).map(|trial| Unit { specimen, level, trial }));
        }
    }
    units
}

struct Bench {
    slowpath: PathBuf,
    built: Built,
    user: Option<User>,
    peer: Peer,
    folder: tempfile::TempDir,
    seconds: f64,
}

/// Without perf events the kernel's ticks tell the mode, 250 a second here: of a second in which four tenths are the
/// kernel's, 95 % of all such counts lie within 6.1 points; of so many times that, within 3.
const LONGER: f64 = 4.0;

/// What came of a trial: an account to be judged, or why there is none.
type Outcome = Result<Score, String>;

impl Bench {
    /// `None` when the specimen's language is not here.
    fn trial(&self, sitting: &mut Sitting, unit: &Unit) -> Result<Option<Outcome>> {
        let seconds = self.seconds * if unit.level == Level::D { LONGER } else { 1.0 };
        let Some(argv) = self.built.argv(unit.specimen, seconds) else { return Ok(None) };
        let name = format!("{}-{:?}-{}", unit.specimen.name, unit.level, unit.trial);
        let recorded = self.record(unit.level, &argv, sitting, &name);
        let outcome = recorded.map(|(profile, truth)| Score::of(&profile, &truth, unit.specimen.path));
        let outcome = outcome.map_err(|error| format!("{error:#}"));
        let shown = match &outcome {
            Ok(score) => score.json(),
            Err(error) => Value::String(error.clone()),
        };
        sitting.keep(&json!({
            "specimen": unit.specimen.name, "level": format!("{:?}", unit.level), "trial": unit.trial, "score": shown,
        }))?;
        Ok(Some(outcome))
    }

    /// Runs slowpath as a user does; the document and the log stay with the sitting.
    fn record(
        &self,
        level: Level,
        argv: &[String],
        sitting: &Sitting,
        name: &str,
    ) -> Result<(Profile, Truth)> {
        let (out, log) = (self.folder.path().join("run"), self.folder.path().join("truth"));
        let _ = fs::remove_dir_all(&out);
        let _ = fs::remove_file(&log);
        let mut command = level.command(&self.slowpath, &self.built, self.user);
        command.args(["record", "--json", "--out"]).arg(&out).arg("--").args(argv);
        command.env(TRUTH, &log).env(FOLDER, self.folder.path()).env(PEER, &self.peer.port);
        command.current_dir(self.folder.path()).env("HOME", self.folder.path());
        settle();
        let output = command.output().context("cannot start slowpath")?;
        sitting.store(&format!("documents/{name}.json"), &String::from_utf8_lossy(&output.stdout))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            bail!(
                "slowpath ended with {}: {}",
                output.status,
                why.lines().take(2).collect::<Vec<_>>().join("; ")
            );
        }
        let log = fs::read_to_string(&log).context("the specimen left no log")?;
        sitting.store(&format!("documents/{name}.truth.jsonl"), &log)?;
        let profile: Profile = serde_json::from_slice(&output.stdout)
            .context("slowpath's JSON is not of `slowpath.profile/1`")?;
        match profile.level {
            Some(found) if level.is(found) => Ok((profile, Truth::parse(&log)?)),
            found => bail!("slowpath ran at level {found:?}"),
        }
    }
}

/// Leaves below this share of wall time are left out of the list when they are right.
const WORTH_A_LINE: f64 = 0.5;

/// Every leaf of the critical path, and those of threads that are off, truth beside measurement.
fn detail(trials: &mut [(Unit, Outcome)]) -> String {
    trials.sort_by_key(|(unit, _)| (unit.specimen.name, unit.level, unit.trial));
    let mut text = format!(
        "{:<24}{:<13}{:<8}{:<22}{:>18}{:>10}{:>9}\n",
        "specimen", "level", "view", "leaf", "truth s", "ours s", "points"
    );
    for (unit, outcome) in trials.iter() {
        let head = format!("{:<24}{:<13}", unit.specimen.name, unit.level.name());
        let score = match outcome {
            Ok(score) => score,
            Err(why) => {
                text += &format!("{head}{why}\n");
                continue;
            }
        };
        let of_threads = score.threads.iter().flat_map(|(_, misses)| misses.iter());
        let path = score.path.iter().flatten().map(|miss| ("path", miss));
        let worth = |miss: &&Miss| score.path.is_none() || miss.points > POINTS;
        let misses = path.chain(of_threads.filter(worth).map(|miss| ("thread", miss)));
        for (view, miss) in misses {
            let (low, high) = miss.truth;
            let whole = miss.measured.max(high);
            if miss.points < WORTH_A_LINE && whole < 0.005 {
                continue;
            }
            let truth =
                if high - low < 0.0005 { format!("{low:.3}") } else { format!("{low:.3} to {high:.3}") };
            let off = if miss.points > POINTS { " !" } else { "" };
            let (leaf, ours, points) = (&miss.leaf, miss.measured, miss.points);
            text += &format!("{head}{view:<8}{leaf:<22}{truth:>18}{ours:>10.3}{points:>9.2}{off}\n");
        }
    }
    text
}

fn table(trials: &[(Unit, Outcome)]) -> Table {
    let mut table = Table::default();
    for level in Level::ALL {
        for specimen in &ALL {
            let here = trials.iter().filter(|(unit, _)| unit.specimen == specimen && unit.level == level);
            let outcomes: Vec<&Outcome> = here.map(|(_, outcome)| outcome).collect();
            if !outcomes.is_empty() {
                specimen_row(&mut table, specimen, level, &outcomes);
            }
        }
        level_rows(&mut table, level, trials);
    }
    table.note("points: seconds off in a leaf, in percent of the specimen's own wall time; time before and after main() excuses an excess");
    table.note("without perf events specimens run four times as long: in a second the kernel's 250 ticks tell user from kernel mode within 6 points at 95 % only");
    table.note("a wait for a thread of the same program may stand as the wait or as the work waited for, each wait by itself; a wait for a child or an own server is their work");
    table
}

fn specimen_row(table: &mut Table, specimen: &Specimen, level: Level, outcomes: &[&Outcome]) {
    let what = format!("{} at {}", specimen.name, level.name());
    let figure = Figure { goal: "R4", what: &what, who: "slowpath record" };
    let scores: Vec<&Score> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
    let n = outcomes.len() as u64;
    let wanted = format!("{POINTS} points, {UNACCOUNTED} %");
    let Some(points) = Values::new(scores.iter().map(|score| score.worst()).collect()) else {
        table.goal(&figure, "no account".to_owned(), n, "-", &wanted, false);
        return;
    };
    let threads = scores.iter().map(|score| score.worst_thread()).fold(0.0, f64::max);
    let path = scores.iter().filter_map(|score| score.worst_path()).fold(0.0, f64::max);
    let unaccounted = scores.iter().filter_map(|score| score.unaccounted).fold(0.0, f64::max);
    let mut text = format!(
        "off {:.1}, at most {:.1}; path {path:.1}, threads {threads:.1}; unaccounted {unaccounted:.1} %",
        stats::median(&points),
        points.max()
    );
    if let Some(idle) = scores.iter().flat_map(|score| score.idle.iter().copied()).reduce(f64::max) {
        text += &format!("; idle {idle:.1}");
    }
    if let Some((truth, measured, hits)) = scores.iter().find_map(|score| score.heavy) {
        text += &format!("; heavy {:.1} for {:.1} % in {hits} hits", measured * 100.0, truth * 100.0);
    }
    let met = scores.len() == outcomes.len() && scores.iter().all(|score| score.passes());
    table.goal(&figure, text, n, "-", &wanted, met);
}

/// How many accounts of a level pass, and the middle and the worst of their errors.
fn level_rows(table: &mut Table, level: Level, trials: &[(Unit, Outcome)]) {
    let here: Vec<&Outcome> =
        trials.iter().filter(|(unit, _)| unit.level == level).map(|(_, outcome)| outcome).collect();
    if here.is_empty() {
        return;
    }
    let what = format!("accounts within {POINTS} points and {UNACCOUNTED} % at {}", level.name());
    let passed = here.iter().filter(|outcome| outcome.as_ref().is_ok_and(Score::passes)).count();
    let figure = Figure { goal: "R4", what: &what, who: "slowpath record" };
    table.rate(&figure, passed as u64, here.len() as u64, Target::AtLeast(1.0));
    let scores = here.iter().filter_map(|outcome| outcome.as_ref().ok());
    let worst = Values::new(scores.clone().map(Score::worst).collect());
    let open = Values::new(scores.filter_map(|score| score.unaccounted).collect());
    let (Some(worst), Some(open)) = (worst, open) else { return };
    let what = format!("worst leaf and unaccounted at {}: median, largest", level.name());
    let text = format!(
        "{:.1}, {:.1} points; {:.2}, {:.2} %",
        stats::median(&worst),
        worst.max(),
        stats::median(&open),
        open.max()
    );
    table.value(&Figure { goal: "R4", what: &what, who: "slowpath record" }, text, worst.n() as u64, None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Nanos;
    use model::answer::{Account, Leaf};
    use model::doctor::Level as Found;
    use model::profile::ThreadAccount;
    use model::recording::{Losses, Weight};

    fn account(leaves: &[(&str, f64)], unaccounted: f64) -> Account {
        let leaf = |(leaf, seconds): &(&str, f64)| Leaf {
            leaf: (*leaf).to_owned(),
            seconds: *seconds,
            share: *seconds,
            parts: Vec::new(),
        };
        let leaves = leaves.iter().map(leaf).collect();
        Account { unit: "s".to_owned(), leaves, unaccounted, checks: Vec::new() }
    }

    fn profile(leaves: &[(&str, f64)], unaccounted: f64, idle_s: f64) -> Profile {
        let thread = |tid: u32, account: Account| ThreadAccount {
            process: "x".to_owned(),
            pid: 7,
            tid,
            name: "x".to_owned(),
            from: Nanos::from_nanos(0),
            to: Nanos::from_nanos(1_000_000_000),
            account,
            idle_s,
            interpreter_lock: None,
        };
        Profile {
            schema: model::profile::SCHEMA.to_owned(),
            run: "r".to_owned(),
            target: None,
            source: "slowpath".to_owned(),
            level: Some(Found::C),
            weight: Weight::CpuTime,
            wall_s: Some(1.0),
            hits: 0,
            account: Some(account(leaves, unaccounted)),
            threads: vec![
                thread(7, account(leaves, unaccounted)),
                thread(8, account(&[("blocked/lock", 1.0)], 0.0)),
            ],
            hotspots: Vec::new(),
            waits: Vec::new(),
            tree: Vec::new(),
            losses: Losses::default(),
            overhead: Vec::new(),
            gaps: Vec::new(),
        }
    }

    const LOG: &str = "{\"wall\": 1.0, \"thread\": 7}\n{\"leaf\": \"on-cpu/user\", \"seconds\": 1.0, \"thread\": 7}\n{\"idle\": 1.0, \"thread\": 8}\n";

    fn check(profile: &Profile, passes: bool) {
        let score = Score::of(profile, &Truth::parse(LOG).unwrap(), true);
        assert_eq!(score.passes(), passes, "{score:?}");
    }

    #[test]
    fn an_account_passes_when_leaves_sum_and_idle_threads_are_right() {
        check(&profile(&[("on-cpu/user", 0.98), ("on-cpu/kernel", 0.02)], 0.0, 0.99), true);
        check(&profile(&[("on-cpu/user", 0.96)], 0.04, 0.99), false);
        check(&profile(&[("on-cpu/user", 0.98)], 0.021, 0.99), false);
        check(&profile(&[("on-cpu/user", 1.0)], 0.0, 0.5), false);
    }

    #[test]
    fn a_thread_nobody_saw_is_named() {
        let log = LOG.replace("\"thread\": 7}\n{\"idle", "\"thread\": 9}\n{\"idle");
        let score = Score::of(&profile(&[], 0.0, 1.0), &Truth::parse(&log).unwrap(), true);
        assert_eq!(score.unseen, [9]);
    }

    #[test]
    fn a_failed_trial_is_a_row_that_missed_and_a_line_with_the_reason() {
        let unit = Unit { specimen: named("user").unwrap(), level: Level::A, trial: 0 };
        let good = Score::of(&profile(&[("on-cpu/user", 1.0)], 0.0, 1.0), &Truth::parse(LOG).unwrap(), true);
        let mut trials = vec![(unit, Ok(good)), (Unit { trial: 1, ..unit }, Err("refused".to_owned()))];
        assert!(detail(&mut trials).contains("refused"));
        let text = table(&trials).text();
        assert!(text.contains("1/2 = 50.00 %") && text.contains("missed"), "{text}");
    }
}
