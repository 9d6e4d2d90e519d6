//! What a reader should know before trusting a number. The advice depends on what the user already passed.

use model::bench::Warning;
use model::compare::Settings;
use model::{Metric, Sample};

use crate::pool::Pool;

/// Above this share of waiting for a CPU the machine was busy with something else: at a tenth, wall time no longer
/// tells the program from its neighbours.
const BUSY: f64 = 0.1;

/// Runs are worth less than half their number when neighbours in time resemble each other this much.
const FEW_EFFECTIVE: f64 = 0.5;

/// The lag-1 autocorrelation of independent runs has a standard error of 1/√n; beyond 2.6 of them chance is below 1 %.
const CLEARLY_ALIKE: f64 = 2.6;

/// A drift over the sitting smaller than this does not change a decision at the default margin.
const DRIFT: f64 = 0.02;

/// Below this the time of a run is mostly loading the program: measured here, a static program that does nothing
/// takes 0.1 to 0.7 ms.
const TINY: f64 = 0.001;

/// The warnings about one command's runs.
#[must_use]
pub fn warnings(pool: &Pool<'_>, settings: &Settings, seed: u64) -> Vec<Warning> {
    let Some(walls) = pool.values(Metric::Wall) else { return Vec::new() };
    let mut all = Vec::new();
    let mut warn = |id: &str, text: String, next: Option<&str>| {
        all.push(Warning { id: id.to_owned(), text, next: next.map(str::to_owned) });
    };
    let failed = pool.samples().iter().filter(|sample| !sample.ended.succeeded()).count();
    if failed > 0 {
        warn(
            "runs-failed",
            format!("{failed} of {} runs ended with a failure and count as asked", pool.n()),
            None,
        );
    }
    let left: u64 = pool.samples().iter().map(|sample| sample.left_behind.0).sum();
    if left > 0 {
        let text =
            format!("it left {left} processes behind; slowpath ended them, their work is not in the times");
        warn("left-behind", text, Some("measure a command that waits for what it starts"));
    }
    if stats::median(&walls) < TINY {
        let text = "runs are shorter than a millisecond: most of it is loading the program".to_owned();
        warn("very-short", text, Some("give it more work, or compare CPU time and `--count`"));
    }
    if let Some(share) = busy(pool.samples()).filter(|share| *share > BUSY) {
        let text = format!(
            "it was ready but waited for a CPU {:.0} % of the time: the machine is busy",
            share * 100.0
        );
        warn("busy-machine", text, Some("trust CPU time over wall time, or quieten the machine"));
    }
    if let Some(trend) =
        stats::trend(&walls).filter(|trend| trend.p < 0.01 && trend.total_share.abs() > DRIFT)
    {
        let text = format!(
            "times drift by {:+.0} % over the sitting (p = {:.3})",
            trend.total_share * 100.0,
            trend.p
        );
        let next = match settings.warm_up {
            None | Some(0) => "more warm-up runs: `--warmup 10`",
            Some(_) => "leave the machine alone, or let it cool; warm-up did not help",
        };
        warn("drift", text, Some(next));
    }
    let alike = stats::lag1(&walls).is_some_and(|lag1| lag1 * f64::from(pool.n()).sqrt() > CLEARLY_ALIKE);
    if alike && stats::effective_n(&walls) < FEW_EFFECTIVE * f64::from(pool.n()) {
        let text = format!(
            "runs resemble their neighbours: {} are worth {:.0}",
            pool.n(),
            stats::effective_n(&walls)
        );
        warn("autocorrelated", text, Some("more runs, spread over more time"));
    }
    if let Some(modes) = stats::bimodality(&walls, seed) {
        let text = format!(
            "two kinds of runs: {:.0} % near {}, the rest near {}",
            modes.share_high * 100.0,
            seconds(modes.high),
            seconds(modes.low)
        );
        warn("two-modes", text, Some("look for what differs between them: `--csv` lists every run"));
    }
    all
}

/// Share of wall time in which the first thread was ready but had no CPU. `None` where the kernel does not tell.
fn busy(samples: &[&Sample]) -> Option<f64> {
    let runnable: Option<f64> =
        samples.iter().map(|sample| Some(sample.main_thread?.runnable.as_secs_f64())).sum();
    let wall: f64 = samples.iter().map(|sample| sample.wall.as_secs_f64()).sum();
    (wall > 0.0).then_some(runnable? / wall)
}

fn seconds(value: f64) -> String {
    if value < 1.0 { format!("{:.3} ms", value * 1e3) } else { format!("{value:.3} s") }
}
