//! P3 with little noise: the time that a profiler takes from a thread that only computes, as that thread sees it, and the
//! CPU time that it uses beside it. The CPU time of a program as a whole spreads by more than a profiler costs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use stats::{Rng, Values};

use super::super::account::Built;
use super::super::sitting::Sitting;
use super::super::table::{Figure, Table};
use super::profilers::{Order, Profiler, Profilers};

/// The goal's rate, and one at which the same costs stand out more.
const RATES: [&str; 2] = ["999", "4999"];

const WHO: [Profiler; 4] =
    [Profiler::Nothing, Profiler::Slowpath, Profiler::PerfFramePointers, Profiler::PerfDwarf];

/// By rate and profiler: round and share of the time, for the thread and beside it.
#[derive(Default)]
pub(super) struct Taken {
    shares: BTreeMap<(&'static str, Profiler), Vec<(u32, Share)>>,
    rounds: u32,
}

#[derive(Clone, Copy)]
struct Share {
    taken: f64,
    beside: f64,
}

impl Share {
    fn sum(self) -> f64 {
        self.taken + self.beside
    }
}

impl Taken {
    /// Every profiler at every rate once, in random order.
    pub(super) fn round(
        &mut self,
        sitting: &mut Sitting,
        built: &Built,
        profilers: &Profilers,
        seconds: f64,
        rng: &mut Rng,
        folder: &Path,
    ) -> Result<()> {
        self.rounds += 1;
        let here = WHO.into_iter().filter(|profiler| profilers.has(*profiler));
        let mut order: Vec<_> = here.flat_map(|profiler| RATES.map(|rate| (rate, profiler))).collect();
        rng.shuffle(&mut order);
        for (rate, profiler) in order {
            let of = |seconds: f64| one(built, profilers, (profiler, rate), seconds, folder);
            let share = of(seconds / 4.0).and_then(|short| {
                let (long, time) = (of(seconds)?, seconds * 0.75);
                Ok(Share {
                    taken: (long.taken - short.taken) / time,
                    beside: (long.beside - short.beside) / time,
                })
            });
            let shown = share.as_ref().map(|share| json!([share.taken, share.beside]));
            sitting.keep(&json!({
                "goal": "P3", "target": "taken", "who": profiler.name(), "rate": rate,
                "shares": shown.map_err(|error| format!("{error:#}")).unwrap_or_else(|error| json!(error)),
            }))?;
            if let Ok(share) = share {
                self.shares.entry((rate, profiler)).or_default().push((self.rounds, share));
            }
        }
        Ok(())
    }

    pub(super) fn rows(&self, table: &mut Table) {
        for ((rate, profiler), shares) in &self.shares {
            let nothing = self.of(rate, Profiler::Nothing);
            let beyond = |of: fn(Share) -> f64| paired(shares, nothing, of);
            let (Some(sum), Some(taken), Some(beside)) =
                (beyond(Share::sum), beyond(|share| share.taken), beyond(|share| share.beside))
            else {
                continue;
            };
            if *profiler == Profiler::Nothing {
                continue;
            }
            let what = format!("taken from a thread, and used beside it, at {rate} Hz");
            let figure = Figure { goal: "P3", what: &what, who: profiler.name() };
            let points = |values: &Values| stats::median(values) * 100.0;
            let text = format!("{:.3} % ({:.3} and {:.3})", points(&sum), points(&taken), points(&beside));
            table.value(&figure, text, sum.n() as u64, Some(bounds(&sum)));
            let peer = self.of(rate, Profiler::PerfFramePointers);
            let Some(more) = paired(shares, peer, Share::sum).filter(|_| *profiler == Profiler::Slowpath)
            else {
                continue;
            };
            let what = format!("the same, beyond perf with frame pointers, at {rate} Hz");
            let figure = Figure { goal: "P3", what: &what, who: profiler.name() };
            let text = format!("{:+.3} points", points(&more));
            table.goal(&figure, text, more.n() as u64, &bounds(&more), "<= 0", points(&more) <= 0.0);
        }
    }

    fn of(&self, rate: &'static str, profiler: Profiler) -> &[(u32, Share)] {
        self.shares.get(&(rate, profiler)).map_or(&[], Vec::as_slice)
    }
}

/// Round by round, the one without the other.
fn paired(these: &[(u32, Share)], those: &[(u32, Share)], of: fn(Share) -> f64) -> Option<Values> {
    let other = |round: u32| those.iter().find(|(other, _)| *other == round).map(|(_, share)| of(*share));
    let less = |(round, share): &(u32, Share)| Some(of(*share) - other(*round)?);
    Values::new(these.iter().filter_map(less).collect())
}

fn bounds(values: &Values) -> String {
    let interval = stats::median_interval(values, 0.95);
    let text = |i: stats::Interval| format!("{:+.3} to {:+.3} %", i.low * 100.0, i.high * 100.0);
    interval.map_or_else(|| "too few rounds".to_owned(), text)
}

/// Seconds of one run.
fn one(
    built: &Built,
    profilers: &Profilers,
    (profiler, rate): (Profiler, &'static str),
    seconds: f64,
    folder: &Path,
) -> Result<Share> {
    let argv = [built.program("taken").display().to_string(), seconds.to_string()];
    let turn = profilers.turn(&Order { profiler, argv: &argv, folder, rate: Some(rate), maps: false })?;
    let text = fs::read_to_string(&turn.left.truth).context("the target left no log")?;
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [taken, _, own] = numbers.as_slice() else { anyhow::bail!("unexpected log: `{text}`") };
    ensure!(turn.cpu >= own / 1e6, "the target used more than all");
    Ok(Share { taken: taken / 1e6, beside: turn.cpu - own / 1e6 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_paired_is_of_the_same_round() {
        let share = |taken| Share { taken, beside: 1.0 };
        let these = [(1, share(5.0)), (2, share(7.0)), (4, share(9.0))];
        let those = [(2, share(6.0)), (1, share(1.0)), (3, share(0.0))];
        let differences = paired(&these, &those, Share::sum).unwrap();
        assert_eq!((differences.n(), differences.min(), differences.max()), (2, 1.0, 4.0));
        assert!(paired(&these, &[], Share::sum).is_none());
    }

    #[test]
    fn slowpath_is_held_against_perf_with_frame_pointers() {
        let mut taken = Taken::default();
        for (profiler, cost) in
            [(Profiler::Nothing, 0.001), (Profiler::Slowpath, 0.004), (Profiler::PerfFramePointers, 0.003)]
        {
            let share = Share { taken: cost, beside: 0.001 };
            taken.shares.insert(("999", profiler), (0..8).map(|round| (round, share)).collect());
        }
        let mut table = Table::default();
        taken.rows(&mut table);
        let text = table.text();
        assert!(
            text.contains("0.300 %") && text.contains("+0.100 points") && text.contains("missed"),
            "{text}"
        );
    }
}
