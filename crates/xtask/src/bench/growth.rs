//! `cargo xtask bench growth`: classes of growth and exponents of programs whose truth is known, beside Google Benchmark's
//! rule: R6 and R7.

mod peer;
mod simulated;
mod specimens;

use anyhow::{Context, Result};
use model::Metric;
use model::manifest::SAMPLES;
use model::scale::{Fit, Scale};
use model::{Sample, Stage};
use serde_json::json;

use super::Options;
use super::programs::Programs;
use super::sitting::Sitting;
use super::slowpath::Slowpath;
use super::table::{Figure, Table, Target};
use crate::process::workspace_root;
use specimens::Specimen;

pub(crate) fn growth(options: &Options) -> Result<()> {
    let root = workspace_root()?;
    let mut sitting = Sitting::open(&root, "growth", options)?;
    let programs = Programs::build(&root)?;
    let slowpath = Slowpath::new(&programs)?;
    let mut specimens = specimens::all(&root, programs.python())?;
    if options.quick {
        specimens = specimens.into_iter().step_by(6).collect();
    }
    sitting.begin(&programs.specimen("load"))?;
    let rounds = options.trials(1, 1);
    let mut trials = Vec::new();
    for round in 0..rounds {
        for (done, specimen) in specimens.iter().enumerate() {
            sitting.progress(done, specimens.len(), &specimen.name);
            let trial = trial(&slowpath, specimen, options.seed + u64::from(round));
            if sitting.stopped() {
                sitting.cut_short();
                break;
            }
            let trial = trial.with_context(|| format!("`{}` has no answer", specimen.name))?;
            sitting.keep(&json!({
                "program": specimen.name, "truth": specimen.class, "answer": trial.answer,
                "peer": { "instructions": trial.peer_counts, "cpu": trial.peer_cpu },
            }))?;
            trials.push((specimen, trial));
        }
    }
    let mut table = Table::default();
    for (metric, least) in [(Metric::Instructions, 28.0 / 30.0), (Metric::Cpu, 24.0 / 30.0)] {
        classes(&mut table, &trials, metric, least);
    }
    exponents(&mut table, &trials);
    simulated::rows(&mut table, options.trials(4_000, 300), options.seed);
    sitting.close(table)
}

/// One program's answer and what the peer's rule says of the same runs.
struct Trial {
    answer: Scale,
    peer_counts: Option<&'static str>,
    peer_cpu: Option<&'static str>,
}

fn trial(slowpath: &Slowpath, specimen: &Specimen, seed: u64) -> Result<Trial> {
    let out = slowpath.out();
    let mut command = slowpath.command("scale");
    command
        .args([
            "--no-functions",
            "--limit",
            "100s",
            "--seed",
            &seed.to_string(),
            "--sizes",
            &specimen.sizes,
            "--out",
        ])
        .arg(&out);
    command.arg("--").args(&specimen.argv).arg("{SIZE}");
    let output = command.output().context("cannot start slowpath")?;
    let samples = std::fs::read_to_string(out.join(SAMPLES));
    // A folder that stays would refuse the next run, and then that is the error.
    let _ = std::fs::remove_dir_all(&out);
    let answer: Scale = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let samples: Vec<Sample> = samples
        .context("slowpath left no samples")?
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let counts = of(&answer, Metric::Instructions)
        .map(|fit| fit.points.iter().map(|p| (p.size as f64, p.cost)).collect::<Vec<_>>());
    let peer_cpu = peer::class(&mean_times(&answer, &samples));
    Ok(Trial { peer_counts: counts.and_then(|counts| peer::class(&counts)), peer_cpu, answer })
}

/// The mean CPU time at each size, as the peer takes it. Arms are in the order of the sizes that were asked for.
fn mean_times(answer: &Scale, samples: &[Sample]) -> Vec<(f64, f64)> {
    let Some(fit) = of(answer, Metric::Cpu) else { return Vec::new() };
    let mut arms: Vec<u32> =
        samples.iter().filter(|sample| sample.stage == Stage::Measure).map(|sample| sample.arm).collect();
    arms.sort_unstable();
    arms.dedup();
    let mean = |arm: u32| {
        let own = samples.iter().filter(|sample| sample.arm == arm && sample.stage == Stage::Measure);
        let times: Vec<f64> = own.filter_map(|sample| Some(sample.cpu()?.as_secs_f64())).collect();
        times.iter().sum::<f64>() / times.len() as f64
    };
    fit.points.iter().zip(arms).map(|(point, arm)| (point.size as f64, mean(arm))).collect()
}

fn of(answer: &Scale, metric: Metric) -> Option<&Fit> {
    answer.fits.iter().find(|fit| fit.metric == metric)
}

/// The truth of `n^k` is a power that no named class is, such as karatsuba's 1.585. It counts as held only where the set
/// says `n^k`: a set of the powers around it, with an interval that covers it, tells a reader as much, but it is not the
/// truth in the printed set. The exponents have rows of their own.
fn classes(table: &mut Table, trials: &[(&Specimen, Trial)], metric: Metric, least: f64) {
    let (mut right, mut held, mut peer, mut answered, mut members) = (0, 0, 0, 0_u32, 0);
    let mut wrong = Vec::new();
    for (specimen, trial) in trials {
        let said = if metric == Metric::Instructions { trial.peer_counts } else { trial.peer_cpu };
        peer += u64::from(said == Some(specimen.class.as_str()));
        let Some(fit) = of(&trial.answer, metric) else {
            wrong.push(format!("{} has no answer", specimen.name));
            continue;
        };
        answered += 1;
        let inside = fit.set.iter().any(|likely| likely.class.name() == specimen.class);
        right += u64::from(fit.class.name() == specimen.class);
        held += u64::from(inside);
        members += fit.set.len();
        if fit.class.name() != specimen.class {
            let set: Vec<&str> = fit.set.iter().map(|likely| likely.class.name()).collect();
            wrong.push(format!("{} ({}) as {}", specimen.name, specimen.class, set.join(" or ")));
        }
    }
    let n = trials.len() as u64;
    let name = if metric == Metric::Instructions { "instructions" } else { "CPU time" };
    let what = format!("class named, {name}");
    table.rate(&Figure { goal: "R6", what: &what, who: "slowpath scale" }, right, n, Target::AtLeast(least));
    table.rate(&Figure { goal: "R6", what: &what, who: "Google Benchmark's rule" }, peer, n, Target::None);
    let what = format!("truth in the printed set, {name}");
    table.rate(&Figure { goal: "R6", what: &what, who: "slowpath scale" }, held, n, Target::AtLeast(0.95));
    let mean = format!("{:.2}", members as f64 / f64::from(answered.max(1)));
    let what = format!("classes in the set, mean, {name}");
    table.value(&Figure { goal: "R6", what: &what, who: "slowpath scale" }, mean, u64::from(answered), None);
    table.note(format!(
        "{name}, not as the truth: {}",
        if wrong.is_empty() { "none".to_owned() } else { wrong.join("; ") }
    ));
}

/// Intervals of programs that are pure powers.
fn exponents(table: &mut Table, trials: &[(&Specimen, Trial)]) {
    for (metric, name) in [(Metric::Instructions, "instructions"), (Metric::Cpu, "CPU time")] {
        let (mut held, mut n, mut widths, mut missed) = (0, 0, Vec::new(), Vec::new());
        for (specimen, trial) in trials {
            let known = specimen.exponent.zip(of(&trial.answer, metric).and_then(|fit| fit.exponent));
            let Some((truth, found)) = known else { continue };
            n += 1;
            widths.push(found.high - found.low);
            // A truth of three digits is not known better than that.
            if (found.low - 0.001..=found.high + 0.001).contains(&truth) {
                held += 1;
            } else {
                missed.push(format!(
                    "{} ({truth}) {:.3} ({:.3} to {:.3})",
                    specimen.name, found.value, found.low, found.high
                ));
            }
        }
        let what = format!("exponent's interval covers, real {name}");
        table.rate(
            &Figure { goal: "R7", what: &what, who: "slowpath scale" },
            held,
            n,
            Target::Between(0.9, 0.98),
        );
        widths.sort_by(f64::total_cmp);
        let middle =
            widths.get(widths.len() / 2).map_or_else(|| "-".to_owned(), |width| format!("{width:.3}"));
        let what = format!("width of that interval, median, {name}");
        table.value(&Figure { goal: "R7", what: &what, who: "slowpath scale" }, middle, n, None);
        if !missed.is_empty() {
            table.note(format!("intervals of {name} beside the truth: {}", missed.join("; ")));
        }
    }
}
