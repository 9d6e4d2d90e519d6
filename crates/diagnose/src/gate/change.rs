//! The changes of a whole suite, corrected for the number of questions asked.

use model::compare::{MetricVerdict, Verdict};
use model::gate::{AskedScenario, Baseline, Change, GateVerdict};
use model::{Metric, Sample};
use stats::{Judged, Step, Values};

use super::Runs;
use crate::blocks::log_ratios;
use crate::compare::{Judge, metric_verdict};
use crate::pool::Pool;
use crate::stored::{FALSE_DISCOVERY, StoredBenchmark, correct, of_run, verdicts};

/// The error of all looks of one metric together (`stats/src/sequential.rs`); fresh blocks come on top of it.
const LOOKS: f64 = 0.01;

/// Each scenario's changes, in the order given; none where there is nothing to compare with.
pub(super) fn judged<'a>(
    suite: impl Iterator<Item = (&'a AskedScenario, Option<&'a Runs<'a>>)>,
) -> Vec<Vec<Change>> {
    let mut all: Vec<Vec<Change>> = suite
        .map(|(asked, runs)| match (runs, &asked.baseline) {
            (Some(runs), _) if runs.manifest.arms.len() > 1 => in_turns(runs, asked.margin),
            (Some(runs), Some(baseline)) => since(baseline, runs, asked.margin),
            _ => Vec::new(),
        })
        .collect();
    correct_all(&mut all);
    all
}

/// Base and new in shared blocks: judged as any comparison, counts included.
fn in_turns(runs: &Runs<'_>, margin: f64) -> Vec<Change> {
    let judge = Judge::of(&runs.manifest.settings, runs.manifest.seed);
    let (base, new) = Pool::pair(runs.samples, 0, 1);
    let timed = Metric::JUDGED.iter().filter_map(|metric| {
        let judged = metric_verdict(&base, &new, *metric, &judge)?;
        let p = claim(&log_ratios(&base, &new, *metric), &judge, *metric, &base);
        Some(change(judged, base.median(*metric), new.median(*metric), Some(p), margin))
    });
    let arms = runs.manifest.arms.len();
    let count = |arm| crate::counted::values(runs.counted, arm, &runs.manifest.settings, arms);
    let counted = crate::counted::verdict(runs.counted, &runs.manifest.settings, arms).map(|judged| {
        let median = |arm| count(arm).map(|values| stats::median(&values));
        change(judged, median(0), median(1), None, margin)
    });
    timed.chain(counted).collect()
}

/// The chance that equal programs are claimed to differ this clearly: the looks err with at most [`LOOKS`], and the
/// fresh blocks that confirm are independent of them. 1 where nothing is claimed.
fn claim(logs: &[f64], judge: &Judge, metric: Metric, base: &Pool<'_>) -> f64 {
    let Step::Stop { judged, blocks } = judge.step(metric, base, logs) else { return 1.0 };
    let until = blocks + stats::confirm_blocks(blocks);
    let fresh = logs.get(blocks..until.min(logs.len())).and_then(|fresh| Values::new(fresh.to_vec()));
    let Some(fresh) = fresh else { return 1.0 };
    let flips = stats::sign_flip(&fresh, judge.seed);
    match judged {
        Judged::Worse => LOOKS * flips.p_greater,
        Judged::Better => LOOKS * flips.p_less,
        Judged::NoChange | Judged::Undecided => 1.0,
    }
}

/// Against stored runs: the strict rule of separate sittings.
fn since(baseline: &Baseline, runs: &Runs<'_>, margin: f64) -> Vec<Change> {
    let base = StoredBenchmark {
        name: baseline.name.clone(),
        series: baseline.series.iter().map(|series| (series.metric, series.values.clone())).collect(),
    };
    let samples: Vec<Sample> = runs.samples.to_vec();
    let stored = of_run(runs.manifest, &samples, runs.counted);
    let Some(new) = stored.benchmarks.into_iter().next() else { return Vec::new() };
    let median = |benchmark: &StoredBenchmark, wanted: Metric| {
        let (_, values) = benchmark.series.iter().find(|(metric, _)| *metric == wanted)?;
        Some(stats::median(&Values::new(values.clone())?))
    };
    verdicts(&base, &new, margin)
        .into_iter()
        .map(|judged| {
            let (before, now, p) = (median(&base, judged.metric), median(&new, judged.metric), judged.p);
            change(judged, before, now, p, margin)
        })
        .collect()
}

fn change(judged: MetricVerdict, base: Option<f64>, new: Option<f64>, p: Option<f64>, margin: f64) -> Change {
    let verdict = match judged.verdict {
        Verdict::Worse if judged.ratio.value > 1.0 + margin => GateVerdict::Broken,
        Verdict::Inconclusive => GateVerdict::Inconclusive,
        _ => GateVerdict::Holds,
    };
    Change { judged, base, new, adjusted_p: p, verdict }
}

/// Benjamini and Hochberg over every metric of every scenario: what does not survive is not claimed.
fn correct_all(all: &mut [Vec<Change>]) {
    let mut asked: Vec<(String, Vec<MetricVerdict>)> = all
        .iter()
        .map(|changes| {
            let with_p = |change: &Change| MetricVerdict { p: change.adjusted_p, ..change.judged.clone() };
            (String::new(), changes.iter().filter(|change| change.adjusted_p.is_some()).map(with_p).collect())
        })
        .collect();
    correct(&mut asked);
    for (changes, (_, corrected)) in all.iter_mut().zip(asked) {
        let questions = changes.iter_mut().filter(|change| change.adjusted_p.is_some());
        for (change, corrected) in questions.zip(corrected) {
            change.adjusted_p = corrected.p;
            let survives = corrected.p.is_some_and(|p| p <= FALSE_DISCOVERY);
            if change.verdict == GateVerdict::Broken && !survives {
                change.verdict = GateVerdict::Inconclusive;
            }
        }
    }
}
