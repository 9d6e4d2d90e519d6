//! Samples → did it change? The walk asks [`next`] what to measure; the verdicts are derived again from the samples
//! alone, look by look, so that a stored comparison is judged as the live one was.

use model::bench::Warning;
use model::compare::{
    Comparable, Compare, Difference, Median, MetricVerdict, SCHEMA, Settings, Side, Verdict,
};
use model::manifest::Manifest;
use model::sample::Counted;
use model::{Gap, Metric, Sample};
use stats::{Judged, Rule, Step, Values};

use crate::blocks::{self, log_ratios};
use crate::overall::{self, Overall};
use crate::pool::Pool;
use crate::warning::warnings;

/// Two runs of each side make a block, so a block is two pairs.
pub const PAIRS_PER_BLOCK: u32 = 2;

/// Pairs without a request for more or fewer: the size at which the goals are stated.
pub const DEFAULT_PAIRS: u32 = 30;

/// The arm that holds the base again, with `--control`.
const CONTROL_ARM: u32 = 2;

/// Two of the kernel's counters (anonymous and file pages), each behind by up to 32 pages of 4 KiB: a smaller difference in
/// bytes may be the counters' and not the programs'.
const RSS_RESOLUTION: f64 = 2.0 * 32.0 * 4096.0;

/// How two arms are judged.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    pub max_blocks: usize,
    pub margin: f64,
    pub seed: u64,
}

impl Judge {
    #[must_use]
    pub fn of(settings: &Settings, seed: u64) -> Self {
        let pairs = settings.pairs.unwrap_or(DEFAULT_PAIRS);
        Self {
            max_blocks: usize::try_from(pairs.div_ceil(PAIRS_PER_BLOCK)).unwrap_or(usize::MAX).max(1),
            margin: settings.margin,
            seed,
        }
    }

    /// The smallest change that is claimed. In time a quarter of the margin: what is proven and lasts is worth a word
    /// before it grows. In memory the margin itself, and no less than the kernel's figure can tell apart: builds differ
    /// by a page or two without anyone caring, and the figure is so steady that every one of them would be proven.
    fn rule(&self, metric: Metric, base: &Pool<'_>) -> Rule {
        let least_effect = match (metric, base.median(metric)) {
            (Metric::Rss, Some(bytes)) if bytes > 0.0 => self.margin.max(RSS_RESOLUTION / bytes),
            _ => self.margin / 4.0,
        };
        Rule { margin: self.margin, least_effect }
    }

    pub(crate) fn step(&self, metric: Metric, base: &Pool<'_>, log_ratios: &[f64]) -> Step {
        stats::next_step(log_ratios, self.max_blocks, &self.rule(metric, base), self.seed)
    }
}

/// How many blocks to have before asking again; `None` when the comparison is over: every metric is decided or past its
/// last look, or one is proven to differ.
#[must_use]
pub fn next(samples: &[Sample], judge: &Judge) -> Option<usize> {
    let (base, new) = Pool::pair(samples, 0, 1);
    let steps: Vec<Step> = Metric::JUDGED
        .iter()
        .map(|metric| judge.step(*metric, &base, &log_ratios(&base, &new, *metric)))
        .collect();
    let proven = |step: &Step| matches!(step, Step::Stop { judged: Judged::Worse | Judged::Better, .. });
    if steps.iter().any(proven) {
        return None;
    }
    let wanted = steps.iter().filter_map(|step| match step {
        Step::Measure { blocks } => Some(*blocks),
        Step::Stop { .. } => None,
    });
    wanted.max()
}

/// The verdict of one metric on `new` against `base`. `None` without a whole block.
pub(crate) fn metric_verdict(
    base: &Pool<'_>,
    new: &Pool<'_>,
    metric: Metric,
    judge: &Judge,
) -> Option<MetricVerdict> {
    let logs = log_ratios(base, new, metric);
    let all = Values::new(logs.clone())?;
    let (verdict, at) = match judge.step(metric, base, &logs) {
        Step::Stop { judged, blocks } => (verdict_of(judged), blocks),
        Step::Measure { .. } => (Verdict::Inconclusive, logs.len()),
    };
    let looked = Values::new(logs.iter().take(at).copied().collect())?;
    let needed = match verdict {
        Verdict::Inconclusive => stats::pairs_needed(&all, &judge.rule(metric, base)),
        _ => None,
    };
    Some(MetricVerdict {
        metric,
        ratio: blocks::ratio(&logs)?,
        verdict,
        pairs: u32::try_from(all.n()).unwrap_or(u32::MAX).saturating_mul(PAIRS_PER_BLOCK),
        needed,
        needed_s: needed.and_then(|needed| seconds_for(base, new, needed)),
        detectable: stats::detectable(stats::spread(&all), all.n()),
        p: Some(stats::sign_flip(&looked, judge.seed).p_two_sided),
        confirmed: matches!(verdict, Verdict::Worse | Verdict::Better).then_some(true),
        source: if metric == Metric::Wall { "clock" } else { "rusage" }.to_owned(),
    })
}

fn verdict_of(judged: Judged) -> Verdict {
    match judged {
        Judged::Worse => Verdict::Worse,
        Judged::Better => Verdict::Better,
        Judged::NoChange => Verdict::NoChange,
        Judged::Undecided => Verdict::Inconclusive,
    }
}

/// What this many more pairs would take, from the mean time of a run of each side. `None` without runs.
#[expect(clippy::cast_precision_loss, reason = "an estimate of seconds")]
fn seconds_for(base: &Pool<'_>, new: &Pool<'_>, pairs: u64) -> Option<f64> {
    let mean = |pool: &Pool<'_>| pool.values(Metric::Wall).map(|walls| stats::mean(&walls));
    Some(pairs as f64 * (mean(base)? + mean(new)?))
}

/// Judges a whole sitting of base (arm 0), new (arm 1) and perhaps the base again as control (arm 2).
#[must_use]
pub fn compare(
    manifest: &Manifest,
    samples: &[Sample],
    counted: &[Counted],
    comparable: (Comparable, Vec<Difference>),
    gaps: &[Gap],
) -> Compare {
    let judge = Judge::of(&manifest.settings, manifest.seed);
    let (base, new) = Pool::pair(samples, 0, 1);
    let verdicts = |(base, new): &(Pool<'_>, Pool<'_>)| -> Vec<MetricVerdict> {
        Metric::JUDGED.iter().filter_map(|metric| metric_verdict(base, new, *metric, &judge)).collect()
    };
    let control = manifest.settings.control.then(|| verdicts(&Pool::pair(samples, 0, CONTROL_ARM)));
    let mut metrics = verdicts(&(base.clone(), new.clone()));
    metrics.extend(crate::counted::verdict(counted, &manifest.settings, manifest.arms.len()));
    let cpu_share = cpu_share(&base);
    let overall = overall::overall(&metrics, control.as_deref(), cpu_share);
    let counts = |arm: usize| crate::counted::values(counted, arm, &manifest.settings, manifest.arms.len());
    let label = |arm: usize| manifest.arms.get(arm).map(|arm| arm.label.clone()).unwrap_or_default();
    Compare {
        schema: SCHEMA.to_owned(),
        run: Some(manifest.id.clone()),
        seed: manifest.seed,
        base: side(label(0), &base, counts(0)),
        new: side(label(1), &new, counts(1)),
        verdict: overall.verdict,
        summary: overall::sentence(&overall, &metrics, judge.margin),
        metrics,
        comparable: comparable.0,
        differences: comparable.1,
        margin: judge.margin,
        order: "interleaved".to_owned(),
        control,
        benchmarks: Vec::new(),
        warnings: sitting_warnings(&overall, [(label(0), &base), (label(1), &new)], counted, manifest),
        gaps: gaps.to_vec(),
    }
}

/// CPU time as a share of wall time; `None` without samples.
pub(crate) fn cpu_share(pool: &Pool<'_>) -> Option<f64> {
    Some(pool.median(Metric::Cpu)? / pool.median(Metric::Wall)?)
}

fn side(label: String, pool: &Pool<'_>, counts: Option<Values>) -> Side {
    let timed = Metric::TIMED.iter().map(|metric| (*metric, pool.values(*metric)));
    let medians = timed
        .chain([(Metric::Instructions, counts)])
        .filter_map(|(metric, values)| Some(Median { metric, value: stats::median(&values?) }));
    Side { label, n: pool.n(), medians: medians.collect() }
}

fn sitting_warnings(
    overall: &Overall,
    sides: [(String, &Pool<'_>); 2],
    counted: &[Counted],
    manifest: &Manifest,
) -> Vec<Warning> {
    let of_sides = sides.into_iter().enumerate().flat_map(|(arm, (label, pool))| {
        let own = warnings(pool, &manifest.settings, manifest.seed);
        own.into_iter()
            .chain(crate::counted::wandering(counted, arm))
            .map(move |warning| Warning { text: format!("{label}: {}", warning.text), ..warning })
    });
    let few = few_pairs(&manifest.settings);
    overall.warnings.iter().cloned().chain(few).chain(of_sides).collect()
}

/// The first look is the fewest blocks that can prove a difference at all.
pub(crate) fn least_pairs() -> Option<u32> {
    let blocks = stats::looks(DEFAULT_PAIRS as usize).first()?.blocks;
    u32::try_from(blocks).ok()?.checked_mul(PAIRS_PER_BLOCK)
}

fn few_pairs(settings: &Settings) -> Option<Warning> {
    let least = least_pairs()?;
    settings.pairs.filter(|pairs| *pairs < least).map(|pairs| Warning {
        id: "few-pairs".to_owned(),
        text: format!("{pairs} pairs cannot prove a difference, however large"),
        next: Some(format!("`--pairs {least}` or more")),
    })
}
