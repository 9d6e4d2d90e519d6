//! P2: peak memory against a program that touches a known number of pages, and equal commands against each other.

use std::fs;

use anyhow::{Context, Result};
use model::Metric;
use model::bench::Bench as Answer;
use serde_json::json;
use stats::Values;

use super::Options;
use super::compare::PAIRS;
use super::peers::Hyperfine;
use super::programs::{Programs, Target};
use super::sitting::Sitting;
use super::slowpath::Slowpath;
use super::table::{Figure, Table, Target as Wanted};
use crate::process::stdout_of;

pub(crate) struct Memory<'a> {
    programs: &'a Programs,
    slowpath: &'a Slowpath,
    hyperfine: Option<&'a Hyperfine>,
    sizes: Vec<Sized>,
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

pub(crate) enum Question {
    /// Pages of this many KiB.
    Size(u64),
    /// A command against itself.
    Same { python: bool, seed: u64 },
}

/// What each says of one size, in bytes.
struct Sized {
    kib: u64,
    truth: f64,
    ours: f64,
    theirs: Option<f64>,
}

/// The goal: within 64 KiB or 2 %.
const WITHIN_BYTES: f64 = 64.0 * 1024.0;
const WITHIN_SHARE: f64 = 0.02;
/// A ratio of equal commands that is this far off is a false difference.
const OFF: f64 = 0.02;
const RUNS: u32 = 7;

impl<'a> Memory<'a> {
    /// Twelve sizes from 100 KiB to 500 MiB, and 15 comparisons of each of two commands with itself.
    pub(crate) fn questions(options: &Options) -> Vec<Question> {
        let sizes = (0..12).map(|step| {
            let kib = 100.0 * 5120_f64.powf(f64::from(step) / 11.0);
            Question::Size((kib / 4.0).round() as u64 * 4)
        });
        let same = if options.quick { 2 } else { 15 };
        let pairs = (0..same).flat_map(|seed| [false, true].map(|python| Question::Same { python, seed }));
        sizes.step_by(if options.quick { 4 } else { 1 }).chain(pairs).collect()
    }

    pub(crate) fn new(
        programs: &'a Programs,
        slowpath: &'a Slowpath,
        hyperfine: Option<&'a Hyperfine>,
    ) -> Result<Self> {
        Ok(Self { programs, slowpath, hyperfine, sizes: Vec::new(), ours: Vec::new(), theirs: Vec::new() })
    }

    pub(crate) fn ask(&mut self, sitting: &mut Sitting, question: &Question) -> Result<()> {
        match question {
            Question::Size(kib) => self.size(sitting, *kib),
            Question::Same { python, seed } => self.same(sitting, *python, *seed),
        }
    }

    fn size(&mut self, sitting: &mut Sitting, kib: u64) -> Result<()> {
        let target = self.programs.target("touch", kib);
        let truth = resident(&target)?;
        let ours = self.ours(&target)?;
        let theirs = match self.hyperfine {
            None => None,
            Some(hyperfine) => {
                let (measured, _) = hyperfine.measure(&[&target], RUNS, &sitting.folder)?;
                measured
                    .into_iter()
                    .next()
                    .and_then(|one| Values::new(one.rss))
                    .map(|rss| stats::median(&rss))
            }
        };
        sitting.keep(&json!({ "kib": kib, "truth": truth, "slowpath": ours, "hyperfine": theirs }))?;
        self.sizes.push(Sized { kib, truth, ours, theirs });
        Ok(())
    }

    /// slowpath's printed median of peak memory.
    fn ours(&self, target: &Target) -> Result<f64> {
        let mut command = self.slowpath.command("bench");
        command.args(["--runs", &RUNS.to_string(), "--warmup", "1", "--out"]).arg(self.slowpath.out());
        let printed = stdout_of(command.arg("--").args(&target.argv));
        let _ = fs::remove_dir_all(self.slowpath.out());
        let answer: Answer =
            serde_json::from_slice(&printed?).context("slowpath's JSON is not of `slowpath.bench/1`")?;
        let mut metrics = answer.commands.into_iter().flat_map(|command| command.metrics);
        let rss = metrics
            .find(|metric| metric.metric == Metric::Rss)
            .context("slowpath's JSON has no peak memory")?;
        Ok(rss.median)
    }

    fn same(&mut self, sitting: &mut Sitting, python: bool, seed: u64) -> Result<()> {
        let spin = self.programs.target("spin", 500_000);
        let target = if python { self.programs.python_loop(1_000).unwrap_or(spin) } else { spin };
        let compared = self.slowpath.compare(&target, &target, seed, &["--pairs", &PAIRS.to_string()])?;
        let ours = compared.metric(Metric::Rss).map(|metric| metric.ratio.value - 1.0);
        let mut theirs = None;
        if let Some(hyperfine) = self.hyperfine {
            let (measured, _) = hyperfine.measure(&[&target, &target], PAIRS, &sitting.folder)?;
            let mean = |rss: &[f64]| rss.iter().sum::<f64>() / rss.len() as f64;
            if let [base, new] = measured.as_slice() {
                theirs = Some(mean(&new.rss) / mean(&base.rss) - 1.0);
            }
        }
        sitting.keep(&json!({ "same": target.quoted(), "slowpath": ours, "hyperfine": theirs }))?;
        self.ours.extend(ours);
        self.theirs.extend(theirs);
        Ok(())
    }

    pub(crate) fn rows(&mut self, table: &mut Table) {
        self.sizes.sort_by_key(|size| size.kib);
        let hyperfine = self.hyperfine.map_or("hyperfine (missing)", |tool| tool.version.as_str());
        for size in &self.sizes {
            let what = format!("peak RSS, truth {:.0} KiB", size.truth / 1024.0);
            let figure = Figure { goal: "P2", what: &what, who: "slowpath bench" };
            table.goal(
                &figure,
                off(size.ours, size.truth),
                u64::from(RUNS),
                "-",
                "64 KiB or 2 %",
                within(size.ours, size.truth),
            );
            if let Some(theirs) = size.theirs {
                table.value(
                    &Figure { goal: "P2", what: &what, who: hyperfine },
                    off(theirs, size.truth),
                    u64::from(RUNS),
                    None,
                );
            }
        }
        let n = self.sizes.len() as u64;
        let right = self.sizes.iter().filter(|size| within(size.ours, size.truth)).count() as u64;
        let figure = Figure { goal: "P2", what: "sizes within 64 KiB or 2 %", who: "slowpath bench" };
        table.rate(&figure, right, n, Wanted::AtLeast(1.0));
        let theirs: Vec<bool> =
            self.sizes.iter().filter_map(|size| Some(within(size.theirs?, size.truth))).collect();
        let right = theirs.iter().filter(|right| **right).count() as u64;
        table.rate(
            &Figure { goal: "P2", what: "sizes within 64 KiB or 2 %", who: hyperfine },
            right,
            theirs.len() as u64,
            Wanted::None,
        );
        for (who, ratios, wanted) in
            [("slowpath compare", &self.ours, Wanted::AtMost(0.0)), (hyperfine, &self.theirs, Wanted::None)]
        {
            let hits = ratios.iter().filter(|ratio| ratio.abs() >= OFF).count() as u64;
            table.rate(
                &Figure { goal: "P2", what: "A/A RSS ratio off by 2 % or more", who },
                hits,
                ratios.len() as u64,
                wanted,
            );
            if let Some(ratios) = Values::new(ratios.clone()) {
                let text = format!("{:+.2} to {:+.2} %", ratios.min() * 100.0, ratios.max() * 100.0);
                table.value(
                    &Figure { goal: "P2", what: "A/A RSS ratio, range", who },
                    text,
                    ratios.n() as u64,
                    None,
                );
            }
        }
        table.note("peak RSS truth: /proc/self/smaps_rollup of the same program at its end, which walks its page tables");
    }
}

fn within(said: f64, truth: f64) -> bool {
    let error = (said - truth).abs();
    error <= WITHIN_BYTES || error <= WITHIN_SHARE * truth
}

fn off(said: f64, truth: f64) -> String {
    let error = said - truth;
    format!("{:+.0} KiB, {:+.2} %", error / 1024.0, error / truth * 100.0)
}

/// The resident size at the program's end, which is its largest, as it prints itself.
fn resident(target: &Target) -> Result<f64> {
    let (program, arguments) = target.argv.split_first().context("no program")?;
    let printed = stdout_of(std::process::Command::new(program).args(arguments).arg("report"))?;
    let text = String::from_utf8_lossy(&printed);
    let line = text.lines().find_map(|line| line.strip_prefix("Rss:")).context("smaps_rollup has no Rss")?;
    let kib: f64 =
        line.trim().trim_end_matches("kB").trim().parse().context("smaps_rollup's Rss is not a number")?;
    Ok(kib * 1024.0)
}
