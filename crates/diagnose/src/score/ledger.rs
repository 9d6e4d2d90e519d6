//! The ledger: one line a run, compared with the last and the best line of the same workload, tier, sizes and machine.

use model::Metric;
use model::fingerprint::Fingerprint;
use model::scorecard::{
    LEDGER_SCHEMA, LedgerChange, LedgerEntry, LedgerKey, LedgerMetric, LedgerRegressions, Tier,
};
use model::summary::{Series, Summary};

use super::baseline::{COUNT_MARGIN, LEAST_BYTES, MEMORY_MARGIN, TIME_MARGIN};
use super::tier::rank;

/// The line of a run.
#[must_use]
pub fn entry(summary: &Summary) -> LedgerEntry {
    let metric = |series: &Series| LedgerMetric {
        metric: series.metric,
        size: series.size,
        median: series.median,
        low: series.low,
        high: series.high,
        n: u32::try_from(series.values.len()).unwrap_or(u32::MAX),
    };
    let tier = |word: &str| match word {
        "PASS" => Tier::Pass,
        "WARN" => Tier::Warn,
        "FAIL" => Tier::Fail,
        "N/A (noise)" => Tier::Noise,
        _ => Tier::NotMeasured,
    };
    let dimensions =
        summary.rubric.dimensions.iter().map(|(name, result)| (name.clone(), tier(&result.tier)));
    LedgerEntry {
        schema: LEDGER_SCHEMA.to_owned(),
        key: LedgerKey {
            workload: summary.workload.clone(),
            tier: summary.tier.clone(),
            sizes: summary.sizes.clone(),
            machine: machine(&summary.fingerprint),
        },
        run: summary.run.clone(),
        timestamp_utc: summary.generated_at.clone(),
        rubric_total: summary.rubric.total,
        rubric_max: summary.rubric.max_possible,
        dimensions: dimensions.collect(),
        metrics: summary.samples.iter().map(metric).collect(),
    }
}

/// A hash of what must be equal before two machines' numbers are compared. What is unknown is part of it.
fn machine(print: &Fingerprint) -> String {
    let word = |value: Option<String>| value.unwrap_or_else(|| "?".to_owned());
    let number = |value: Option<u32>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
    let kernel =
        print.system.kernel.as_deref().map(|kernel| kernel.split('.').take(2).collect::<Vec<_>>().join("."));
    let parts = [
        word(print.machine.cpu_model.clone()),
        word(print.machine.cpu_vendor.clone()),
        number(print.machine.cpu_family),
        number(print.machine.cpu_model_number),
        number(print.machine.cpu_stepping),
        word(print.machine.architecture.clone()),
        word(print.machine.hypervisor.clone()),
        number(print.limits.cpus_allowed),
        word(kernel),
        word(print.system.governor.clone()),
        word(print.limits.cpu_quota.clone()),
        word(print.limits.memory_limit.clone()),
    ];
    super::findings::id(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What got worse since the last and since the best entry of the same key. `earlier` is in the order of the file.
#[must_use]
pub fn regressions(earlier: &[LedgerEntry], now: &LedgerEntry, warnings: Vec<String>) -> LedgerRegressions {
    let same: Vec<&LedgerEntry> = earlier.iter().filter(|entry| entry.key == now.key).collect();
    let share = |entry: &LedgerEntry| f64::from(entry.rubric_total) / f64::from(entry.rubric_max.max(1));
    let wall = |entry: &LedgerEntry| {
        let walls =
            entry.metrics.iter().filter(|metric| metric.metric == Metric::Wall).map(|metric| metric.median);
        walls.fold(0.0, |sum, median| sum + median)
    };
    let best = same.iter().max_by(|a, b| share(a).total_cmp(&share(b)).then(wall(b).total_cmp(&wall(a))));
    LedgerRegressions {
        vs_last: same.last().map(|last| worse(last, now)).unwrap_or_default(),
        vs_best: best.map(|best| worse(best, now)).unwrap_or_default(),
        warnings,
        entries: u32::try_from(same.len()).unwrap_or(u32::MAX),
    }
}

/// Counts repeat. Anything else needs an interval on both sides, and memory more than what the kernel's counters lag by.
fn are_apart(before: &LedgerMetric, now: &LedgerMetric) -> bool {
    match (now.metric, before.high, now.low) {
        (Metric::Instructions, ..) => true,
        (Metric::Rss, ..) if now.median - before.median < LEAST_BYTES => false,
        (_, Some(high), Some(low)) => low > high,
        _ => false,
    }
}

/// A median with its unit.
fn told(metric: Metric, median: f64) -> String {
    match metric {
        Metric::Instructions => format!("{median:.0} instructions"),
        Metric::Rss => format!("{median:.0} B"),
        _ => format!("{median:.6} s"),
    }
}

fn worse(before: &LedgerEntry, now: &LedgerEntry) -> Vec<LedgerChange> {
    let tiers = now.dimensions.iter().filter_map(|(name, tier)| {
        let old = before.dimensions.get(name)?;
        (old.score().is_some() && tier.score().is_some() && rank(*tier) > rank(*old)).then(|| LedgerChange {
            run: before.run.clone(),
            what: name.clone(),
            before: old.word().to_owned(),
            now: tier.word().to_owned(),
            ratio: None,
        })
    });
    let metrics = now.metrics.iter().filter_map(|metric| {
        let old = before.metrics.iter().find(|old| old.metric == metric.metric && old.size == metric.size)?;
        let margin = match metric.metric {
            Metric::Instructions => COUNT_MARGIN,
            Metric::Rss => MEMORY_MARGIN,
            _ => TIME_MARGIN,
        };
        let ratio = metric.median / old.median;
        (ratio.is_finite() && ratio > 1.0 + margin && are_apart(old, metric)).then(|| LedgerChange {
            run: before.run.clone(),
            what: match metric.size {
                Some(size) => format!("{} at size {size}", metric.metric.name()),
                None => metric.metric.name().to_owned(),
            },
            before: told(metric.metric, old.median),
            now: told(metric.metric, metric.median),
            ratio: Some(ratio),
        })
    });
    tiers.chain(metrics).collect()
}
