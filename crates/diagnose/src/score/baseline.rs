//! A result against an earlier one of the same workload on the same machine.
//!
//! The two were measured at different times, and drift between sittings is in no interval. So instruction counts decide
//! from one part in a hundred on; times only when the whole 99 % interval lies beyond a quarter more (twice as much where
//! the machine was not shown to be quiet in both sittings), after correction for the number of comparisons.

use model::Metric;
use model::compare::{Comparable, Difference, RatioEstimate, Verdict};
use model::fingerprint::Fingerprint;
use model::scorecard::{MetricChange, Regressions, Tier, TierChange};
use model::summary::{Series, Summary};
use stats::Values;

use super::stability;
use super::tier::rank;
use crate::comparable::comparable;

/// Pinned counts repeat to the digit; threads and hash tables move them by a few parts in a thousand.
pub(super) const COUNT_MARGIN: f64 = 0.01;

/// Peak memory repeats to a few pages.
pub(super) const MEMORY_MARGIN: f64 = 0.05;

/// Less is what the kernel's own counters lag by, several times over.
pub(super) const LEAST_BYTES: f64 = 1_048_576.0;

/// What a quiet machine drifts by between sittings, with room to spare.
pub(super) const TIME_MARGIN: f64 = 0.25;

/// A busy neighbour on the same core doubles the CPU time of a program that did not change.
const BUSY_MARGIN: f64 = 1.0;

/// The level at which an interval must clear the margin.
const CONFIDENCE: f64 = 0.99;

/// Share of false claims tolerated over all metrics and sizes.
const FALSE_DISCOVERY: f64 = 0.05;

/// Dimensions that rest on time or samples: one tier lies within their noise, two do not.
pub(crate) const SAMPLED: [&str; 2] = [stability::NAME, super::cpu::NAME];

/// Whether two results may be compared at all.
pub(super) fn matches(base: &Summary, workload: &str, fingerprint: &Fingerprint) -> bool {
    base.workload == workload && comparable(&base.fingerprint, fingerprint).0 != Comparable::Not
}

/// Compares two results.
#[must_use]
pub fn regressions(base: &Summary, new: &Summary) -> Regressions {
    let (mut verdict, mut differences) = comparable(&base.fingerprint, &new.fingerprint);
    let mut refuse = |field: &str, before: String, now: String| {
        verdict = Comparable::Not;
        differences.push(Difference {
            field: field.to_owned(),
            base: Some(before),
            new: Some(now),
            must: true,
        });
    };
    if base.workload != new.workload {
        refuse("workload", base.workload.clone(), new.workload.clone());
    } else if !base.sizes.is_empty()
        && !new.sizes.is_empty()
        && !base.sizes.iter().any(|size| new.sizes.contains(size))
    {
        refuse("sizes", listed(&base.sizes), listed(&new.sizes));
    }
    if verdict == Comparable::Not {
        let named = differences.iter().filter(|difference| difference.must);
        let reasons =
            named.map(|difference| format!("not comparable: another {}", difference.field)).collect();
        return Regressions {
            run: base.run.clone(),
            blocker: false,
            reasons,
            comparable: verdict,
            differences,
            metrics: Vec::new(),
            tiers: Vec::new(),
        };
    }
    let metrics = changes(base, new);
    let tiers = tier_changes(base, new);
    let mut reasons = blockers(&metrics, new);
    reasons.extend(tiers.iter().filter(|change| change.blocks).map(told));
    let blocker = !reasons.is_empty();
    if !blocker {
        reasons = harmless(&metrics, &tiers);
    }
    Regressions { run: base.run.clone(), blocker, reasons, comparable: verdict, differences, metrics, tiers }
}

fn listed(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn told(change: &TierChange) -> String {
    format!(
        "{} drops from {} to {}",
        change.dimension,
        change.baseline_tier.word(),
        change.current_tier.word()
    )
}

/// Every metric at every size both have.
fn changes(base: &Summary, new: &Summary) -> Vec<MetricChange> {
    let quiet = base.quiet == Some(true) && new.quiet == Some(true);
    let pairs = new.samples.iter().filter_map(|now| {
        let same = |before: &&Series| {
            before.metric == now.metric
                && before.size == now.size
                && (now.metric != Metric::Instructions || before.source == now.source)
        };
        Some((base.samples.iter().find(same)?, now))
    });
    let mut judged: Vec<(MetricChange, f64)> =
        pairs.filter_map(|(before, now)| change(before, now, quiet)).collect();
    let p: Vec<f64> = judged.iter().map(|(_, p)| *p).collect();
    for ((change, _), adjusted) in judged.iter_mut().zip(stats::benjamini_hochberg(&p)) {
        let claims = matches!(change.verdict, Verdict::Worse | Verdict::Better);
        if claims && change.metric != Metric::Instructions && adjusted > FALSE_DISCOVERY {
            change.verdict = Verdict::Inconclusive;
        }
    }
    judged.into_iter().map(|(change, _)| change).collect()
}

/// The change and the chance of it. `None` where a value has no ratio.
fn change(before: &Series, now: &Series, quiet: bool) -> Option<(MetricChange, f64)> {
    let margin = match now.metric {
        Metric::Instructions => COUNT_MARGIN,
        Metric::Rss => MEMORY_MARGIN,
        _ if quiet => TIME_MARGIN,
        _ => BUSY_MARGIN,
    };
    let (base, new) = (Values::new(before.values.clone())?, Values::new(now.values.clone())?);
    let (ratio, strict, p) = if now.metric == Metric::Instructions {
        let value = stats::median(&new) / stats::median(&base);
        let bounds = (new.min() / base.max(), new.max() / base.min());
        (RatioEstimate { value, low: Some(bounds.0), high: Some(bounds.1) }, Some(bounds), 0.0)
    } else {
        let (base, new) = (base.ln()?, new.ln()?);
        let bounds = |confidence| {
            stats::rank_interval(&base, &new, confidence)
                .map(|interval| (interval.low.exp(), interval.high.exp()))
        };
        let printed = bounds(0.95);
        let value = stats::hodges_lehmann_shift(&base, &new).exp();
        let ratio =
            RatioEstimate { value, low: printed.map(|(low, _)| low), high: printed.map(|(_, high)| high) };
        (ratio, bounds(CONFIDENCE), stats::mann_whitney(&base, &new))
    };
    let small = now.metric == Metric::Rss && (now.median - before.median).abs() < LEAST_BYTES;
    let verdict = match strict {
        Some((low, _)) if low > 1.0 + margin && !small => Verdict::Worse,
        Some((_, high)) if high < 1.0 / (1.0 + margin) && !small => Verdict::Better,
        Some((low, high)) if low > 1.0 / (1.0 + margin) && high < 1.0 + margin => Verdict::NoChange,
        _ if small => Verdict::NoChange,
        _ => Verdict::Inconclusive,
    };
    let change = MetricChange {
        metric: now.metric,
        size: now.size,
        base: before.median,
        new: now.median,
        ratio,
        verdict,
        margin,
        n: u32::try_from(base.n().min(new.n())).unwrap_or(u32::MAX),
        source: now.source.clone(),
    };
    Some((change, p))
}

/// Wall time stops a merge when CPU time agrees, or when the program is one that waits.
fn blockers(metrics: &[MetricChange], new: &Summary) -> Vec<String> {
    let median = |metric: Metric, size: Option<u64>| {
        new.samples
            .iter()
            .find(|series| series.metric == metric && series.size == size)
            .map(|series| series.median)
    };
    let waits = |size| match (median(Metric::Cpu, size), median(Metric::Wall, size)) {
        (Some(cpu), Some(wall)) => cpu < 0.5 * wall,
        _ => false,
    };
    let agreed = |size| {
        let mut cpu = metrics.iter().filter(|other| other.metric == Metric::Cpu && other.size == size);
        cpu.any(|other| other.verdict == Verdict::Worse)
    };
    let blocks = |change: &&MetricChange| {
        change.verdict == Verdict::Worse
            && (change.metric != Metric::Wall || agreed(change.size) || waits(change.size))
    };
    metrics.iter().filter(blocks).map(words).collect()
}

fn words(change: &MetricChange) -> String {
    let at = change.size.map(|size| format!(" at size {size}")).unwrap_or_default();
    let interval = change
        .ratio
        .low
        .zip(change.ratio.high)
        .map(|(low, high)| format!(" ({low:.3}–{high:.3})"))
        .unwrap_or_default();
    format!(
        "{}{at} is {:.3}{interval} times the baseline's, n={}",
        change.metric.name(),
        change.ratio.value,
        change.n
    )
}

/// Why nothing stops the merge, where something changed.
fn harmless(metrics: &[MetricChange], tiers: &[TierChange]) -> Vec<String> {
    let unsure =
        metrics.iter().filter(|change| change.verdict == Verdict::Worse || apart(change)).map(|change| {
            format!(
                "{}; not proven against drift between sittings: `slowpath compare` in one sitting would tell",
                words(change)
            )
        });
    let dropped = tiers
        .iter()
        .filter(|change| change.drop > 0)
        .map(|change| format!("{}, which rests on samples: one tier is within their noise", told(change)));
    let told: Vec<String> = unsure.chain(dropped).collect();
    if told.is_empty() { vec!["nothing got worse beyond doubt".to_owned()] } else { told }
}

/// Clearly more than before, though not beyond the margin.
fn apart(change: &MetricChange) -> bool {
    change.verdict == Verdict::Inconclusive && change.ratio.low.is_some_and(|low| low > 1.05)
}

fn tier_changes(base: &Summary, new: &Summary) -> Vec<TierChange> {
    let pairs = model::scorecard::DIMENSIONS.iter().filter_map(|name| {
        let tier =
            |summary: &Summary| summary.rubric.dimensions.get(*name).map(|result| tier_of(&result.tier));
        Some((*name, tier(base)?, tier(new)?))
    });
    pairs
        .filter(|(_, before, now)| before.score().is_some() && now.score().is_some() && before != now)
        .map(|(name, before, now)| {
            let drop = i32::from(rank(now)) - i32::from(rank(before));
            let enough = if SAMPLED.contains(&name) { 2 } else { 1 };
            TierChange {
                dimension: name.to_owned(),
                baseline_tier: before,
                current_tier: now,
                drop,
                blocks: drop >= enough,
            }
        })
        .collect()
}

fn tier_of(word: &str) -> Tier {
    match word {
        "PASS" => Tier::Pass,
        "WARN" => Tier::Warn,
        "FAIL" => Tier::Fail,
        "N/A (noise)" | "noise" => Tier::Noise,
        _ => Tier::NotMeasured,
    }
}
