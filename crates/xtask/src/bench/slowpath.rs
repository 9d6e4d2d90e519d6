//! Calling slowpath as a user does: the command, its JSON, its stored samples.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use model::compare::{Compare, MetricVerdict, Verdict};
use model::manifest::SAMPLES;
use model::{Metric, Sample, Stage};
use serde_json::{Value, json};

use super::programs::{Programs, Target};
use super::rules::Sides;

/// The command under test.
pub(crate) struct Slowpath {
    pub(crate) program: PathBuf,
    /// Holds run folders until they are read.
    folder: tempfile::TempDir,
}

/// A comparison's answer with what it measured.
pub(crate) struct Compared {
    pub(crate) answer: Compare,
    pub(crate) samples: Vec<Sample>,
    pub(crate) seconds: f64,
}

impl Slowpath {
    pub(crate) fn new(programs: &Programs) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot create a folder for runs")?;
        Ok(Self { program: programs.slowpath.clone(), folder })
    }

    /// `slowpath compare BASE NEW --json` and further options.
    pub(crate) fn compare(&self, base: &Target, new: &Target, seed: u64, more: &[&str]) -> Result<Compared> {
        let out = self.folder.path().join("run");
        let mut command = self.command("compare");
        command.arg(base.quoted()).arg(new.quoted()).args(["--seed", &seed.to_string()]).args(more);
        command.arg("--out").arg(&out);
        let began = Instant::now();
        let printed = answer_of(&mut command);
        let seconds = began.elapsed().as_secs_f64();
        let samples = fs::read_to_string(out.join(SAMPLES));
        // A folder that stays would refuse the next run, and then that is the error.
        let _ = fs::remove_dir_all(&out);
        let answer =
            serde_json::from_slice(&printed?).context("slowpath's JSON is not of `slowpath.compare/1`")?;
        let samples = samples.context("slowpath left no samples")?;
        let samples = samples.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        Ok(Compared { answer, samples: samples.context("slowpath's samples are not readable")?, seconds })
    }

    /// A subcommand that prints JSON, in the folder for runs.
    pub(crate) fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.args([subcommand, "--json", "--quiet"]).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Where `--out` may point; must not exist before.
    pub(crate) fn out(&self) -> PathBuf {
        self.folder.path().join("run")
    }
}

/// What it prints. A verdict is an answer, also when its exit status is not 0.
fn answer_of(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().context("cannot start slowpath")?;
    match output.status.code() {
        Some(0 | 1 | 5) => Ok(output.stdout),
        _ => {
            bail!("slowpath ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim())
        }
    }
}

impl Compared {
    pub(crate) fn metric(&self, metric: Metric) -> Option<&MetricVerdict> {
        self.answer.metrics.iter().find(|verdict| verdict.metric == metric)
    }

    pub(crate) fn verdict(&self, metric: Metric) -> Option<Verdict> {
        self.metric(metric).map(|metric| metric.verdict)
    }

    /// The most pairs any timed metric was judged by.
    pub(crate) fn pairs(&self) -> u32 {
        self.answer.metrics.iter().map(|metric| metric.pairs).max().unwrap_or(0)
    }

    /// The counted runs of both sides, in the order of measurement.
    pub(crate) fn sides(&self, metric: Metric) -> Sides {
        let of = |arm: u32| {
            let runs =
                self.samples.iter().filter(|sample| sample.arm == arm && sample.stage != Stage::WarmUp);
            runs.filter_map(|sample| value(metric, sample)).collect()
        };
        Sides { base: of(0), new: of(1) }
    }

    /// ln(new / base) of each whole block, in the order of measurement.
    pub(crate) fn blocks(&self, metric: Metric) -> Vec<f64> {
        let counted = self.samples.iter().filter(|sample| sample.stage != Stage::WarmUp);
        let last = counted.clone().filter_map(|sample| sample.block).max();
        let mean = |block: u32, arm: u32| {
            let runs = counted.clone().filter(|sample| sample.block == Some(block) && sample.arm == arm);
            let values: Vec<f64> = runs.filter_map(|sample| value(metric, sample)).collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        let blocks = (0..=last.unwrap_or(0)).map(|block| (mean(block, 1) / mean(block, 0)).ln());
        blocks.filter(|ratio| ratio.is_finite()).collect()
    }

    /// Everything needed to judge it again, in few bytes.
    pub(crate) fn raw(&self) -> Value {
        let runs = self.samples.iter().map(|sample| {
            json!([
                sample.arm,
                sample.block,
                sample.stage,
                sample.wall.as_secs_f64(),
                value(Metric::Cpu, sample),
                value(Metric::Rss, sample),
                sample.exact_peak_rss.map(|peak| peak.as_f64()),
            ])
        });
        json!({
            "seed": self.answer.seed, "verdict": self.answer.verdict, "metrics": self.answer.metrics,
            "seconds": self.seconds, "columns": ["arm", "block", "stage", "wall", "cpu", "rss", "exact_rss"],
            "runs": runs.collect::<Vec<_>>(),
        })
    }
}

fn value(metric: Metric, sample: &Sample) -> Option<f64> {
    match metric {
        Metric::Wall => Some(sample.wall.as_secs_f64()),
        Metric::Cpu => Some(sample.cpu()?.as_secs_f64()),
        Metric::Rss => Some(sample.peak_rss.as_f64()),
        _ => None,
    }
}
