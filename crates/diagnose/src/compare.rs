//! Samples → did it change? The walk asks [`next`] what to measure; the verdicts are derived again from the samples
//! alone, look by look, so that a stored comparison is judged as the live one was.

use model::bench::Warning;
use model::compare::{
    Comparable, Compare, Difference, Median, MetricVerdict, SCHEMA, Settings, Side, Verdict,
};
use model::manifest::Manifest;
use model::sample::Counted;
use model::{Gap, Metric, Sample, Stage};
use stats::{Judged, Look, Rule, Values};

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

/// What a comparison needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Measure until there are this many blocks.
    Measure(usize),
    /// Repeat a found difference on this many fresh blocks.
    Confirm(usize),
    Done,
}

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
    /// before it grows. In memory the margin itself: builds differ by a page or two without anyone caring, and the
    /// figure is so steady that every one of them would be proven.
    fn rule(&self, metric: Metric) -> Rule {
        let least_effect = if metric == Metric::Rss { self.margin } else { self.margin / 4.0 };
        Rule { margin: self.margin, least_effect }
    }
}

/// What to measure next, given the samples so far.
#[must_use]
pub fn next(samples: &[Sample], judge: &Judge) -> Next {
    let (base, new) = Pool::pair(samples, 0, 1);
    let looks = stats::looks(judge.max_blocks);
    let measured = log_ratios(&base, &new, Metric::Wall, Stage::Measure).len();
    if !log_ratios(&base, &new, Metric::Wall, Stage::Confirm).is_empty() {
        return Next::Done;
    }
    let decisions: Vec<Decision> =
        Metric::JUDGED.iter().filter_map(|metric| decide(&base, &new, *metric, judge, &looks)).collect();
    if let Some(found) = decisions.iter().find(|decision| decision.found()) {
        return Next::Confirm(stats::confirm_blocks(found.at_blocks));
    }
    let open = decisions.is_empty() || decisions.iter().any(|decision| decision.judged == Judged::Undecided);
    match looks.iter().find(|look| look.blocks > measured) {
        Some(look) if open => Next::Measure(look.blocks),
        _ => Next::Done,
    }
}

/// One metric's verdict so far and where it was reached.
struct Decision {
    judged: Judged,
    at_blocks: usize,
    p: Option<f64>,
    /// `None` before fresh blocks were measured, or when nothing was found.
    confirmed: Option<bool>,
    all: Vec<f64>,
}

impl Decision {
    fn found(&self) -> bool {
        matches!(self.judged, Judged::Worse | Judged::Better)
    }

    fn verdict(&self) -> Verdict {
        match (self.judged, self.confirmed) {
            (Judged::Worse, Some(true)) => Verdict::Worse,
            (Judged::Better, Some(true)) => Verdict::Better,
            (Judged::NoChange, _) => Verdict::NoChange,
            _ => Verdict::Inconclusive,
        }
    }
}

/// Replays the looks over the blocks there are; the first that decides stands. `None` without a whole block.
fn decide(
    base: &Pool<'_>,
    new: &Pool<'_>,
    metric: Metric,
    judge: &Judge,
    looks: &[Look],
) -> Option<Decision> {
    let measured = log_ratios(base, new, metric, Stage::Measure);
    let fresh = log_ratios(base, new, metric, Stage::Confirm);
    let mut decision = Decision {
        judged: Judged::Undecided,
        at_blocks: measured.len(),
        p: Values::new(measured.clone()).map(|values| stats::sign_flip(&values, judge.seed).p_two_sided),
        confirmed: None,
        all: measured.iter().chain(&fresh).copied().collect(),
    };
    for look in looks {
        let Some(values) = measured.get(..look.blocks).and_then(|seen| Values::new(seen.to_vec())) else {
            break;
        };
        decision.judged = stats::judge(&values, look, &judge.rule(metric), judge.seed);
        if decision.judged != Judged::Undecided {
            decision.at_blocks = look.blocks;
            break;
        }
    }
    if decision.found() {
        decision.confirmed =
            Values::new(fresh).map(|fresh| stats::confirmed(&fresh, decision.judged, judge.seed));
    }
    (!decision.all.is_empty()).then_some(decision)
}

/// The verdict of one metric on `new` against `base`.
fn metric_verdict(base: &Pool<'_>, new: &Pool<'_>, metric: Metric, judge: &Judge) -> Option<MetricVerdict> {
    let decision = decide(base, new, metric, judge, &stats::looks(judge.max_blocks))?;
    let all = Values::new(decision.all.clone())?;
    let verdict = decision.verdict();
    let needed =
        if verdict == Verdict::Inconclusive { stats::pairs_needed(&all, &judge.rule(metric)) } else { None };
    let pairs = u32::try_from(all.n()).unwrap_or(u32::MAX).saturating_mul(PAIRS_PER_BLOCK);
    Some(MetricVerdict {
        metric,
        ratio: blocks::ratio(&decision.all)?,
        verdict,
        pairs,
        needed,
        needed_s: needed.map(|needed| seconds_for(base, new, needed)),
        detectable: stats::detectable(stats::spread(&all), all.n()),
        p: decision.p,
        confirmed: decision.confirmed,
        source: if metric == Metric::Wall { "clock" } else { "rusage" }.to_owned(),
    })
}

/// What this many more pairs would take, from the mean time of a run of each side.
#[expect(clippy::cast_precision_loss, reason = "an estimate of seconds")]
fn seconds_for(base: &Pool<'_>, new: &Pool<'_>, pairs: u64) -> f64 {
    let mean = |pool: &Pool<'_>| pool.values(Metric::Wall).map_or(0.0, |walls| stats::mean(&walls));
    pairs as f64 * (mean(base) + mean(new))
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
    let label = |arm: usize| manifest.arms.get(arm).map(|arm| arm.label.clone()).unwrap_or_default();
    Compare {
        schema: SCHEMA.to_owned(),
        run: Some(manifest.id.clone()),
        seed: manifest.seed,
        base: side(label(0), &base),
        new: side(label(1), &new),
        verdict: overall.verdict,
        summary: overall::sentence(&overall, &metrics, judge.margin),
        metrics,
        comparable: comparable.0,
        differences: comparable.1,
        margin: judge.margin,
        order: "interleaved".to_owned(),
        control,
        benchmarks: Vec::new(),
        warnings: sitting_warnings(&overall, [(label(0), &base), (label(1), &new)], manifest),
        gaps: gaps.to_vec(),
    }
}

/// CPU time as a share of wall time; `None` without samples.
fn cpu_share(pool: &Pool<'_>) -> Option<f64> {
    Some(pool.median(Metric::Cpu)? / pool.median(Metric::Wall)?)
}

fn side(label: String, pool: &Pool<'_>) -> Side {
    let medians = Metric::TIMED
        .iter()
        .filter_map(|metric| Some(Median { metric: *metric, value: pool.median(*metric)? }));
    Side { label, n: pool.n(), medians: medians.collect() }
}

fn sitting_warnings(overall: &Overall, sides: [(String, &Pool<'_>); 2], manifest: &Manifest) -> Vec<Warning> {
    let of_sides = sides.into_iter().flat_map(|(label, pool)| {
        warnings(pool, &manifest.settings, manifest.seed)
            .into_iter()
            .map(move |warning| Warning { text: format!("{label}: {}", warning.text), ..warning })
    });
    overall.warnings.iter().cloned().chain(of_sides).collect()
}
