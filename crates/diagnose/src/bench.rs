//! Samples → how fast the commands are.

use model::bench::{Against, Bench, CommandSummary, SCHEMA};
use model::compare::Settings;
use model::manifest::Manifest;
use model::sample::Counted;
use model::{Arm, Gap, Metric, Sample};
use stats::Values;

use crate::blocks;
use crate::outlier::outliers;
use crate::pool::Pool;
use crate::summary::summary;
use crate::warning::warnings;

/// Summarises a sitting.
#[must_use]
pub fn bench(manifest: &Manifest, samples: &[Sample], counted: &[Counted], gaps: &[Gap]) -> Bench {
    let pools: Vec<(usize, Pool<'_>)> = (0..manifest.arms.len())
        .map(|arm| (arm, Pool::of(samples, u32::try_from(arm).unwrap_or(u32::MAX))))
        .collect();
    Bench {
        schema: SCHEMA.to_owned(),
        run: Some(manifest.id.clone()),
        seed: manifest.seed,
        order: "interleaved blocks".to_owned(),
        conditions: conditions(&manifest.settings),
        commands: pools
            .iter()
            .zip(&manifest.arms)
            .map(|((index, pool), arm)| command(*index, arm, pool, counted, manifest))
            .collect(),
        ratios: ratios(manifest, samples),
        warnings: Vec::new(),
        suite: None,
        gaps: gaps.to_vec(),
    }
}

fn conditions(settings: &Settings) -> Vec<String> {
    let all = [
        (settings.cold, "cold cache: the page cache was dropped before each run"),
        (settings.captured, "output captured: slowpath read it while the target ran"),
        (settings.ignore_failure, "failed runs count too (--ignore-failure)"),
    ];
    all.iter().filter(|(on, _)| *on).map(|(_, words)| (*words).to_owned()).collect()
}

fn command(
    index: usize,
    arm: &Arm,
    pool: &Pool<'_>,
    counted: &[Counted],
    manifest: &Manifest,
) -> CommandSummary {
    let timed = Metric::TIMED.iter().filter_map(|metric| Some(summary(*metric, &pool.values(*metric)?)));
    let counts = crate::counted::values(counted, index, &manifest.settings, manifest.arms.len());
    CommandSummary {
        label: arm.label.clone(),
        argv: arm.target.argv.clone(),
        params: arm.params.clone(),
        n: pool.n(),
        warm_up: pool.warm_up(),
        ended: pool.samples().last().map(|sample| sample.ended),
        metrics: timed.chain(counts.map(|counts| summary(Metric::Instructions, &counts))).collect(),
        outliers: outliers(pool),
        warnings: warnings(pool, &manifest.settings, manifest.seed)
            .into_iter()
            .chain(crate::counted::wandering(counted, index))
            .collect(),
    }
}

/// Every command against the first, over the blocks they share.
fn ratios(manifest: &Manifest, samples: &[Sample]) -> Vec<Against> {
    let label = |arm: usize| manifest.arms.get(arm).map(|arm| arm.label.clone()).unwrap_or_default();
    (1..manifest.arms.len())
        .flat_map(|arm| Metric::JUDGED.iter().map(move |metric| (arm, *metric)))
        .filter_map(|(arm, metric)| {
            let (first, pool) = Pool::pair(samples, 0, u32::try_from(arm).unwrap_or(u32::MAX));
            let logs = blocks::log_ratios(&first, &pool, metric);
            Some(Against {
                command: label(arm),
                against: label(0),
                metric,
                ratio: blocks::ratio(&logs)?,
                blocks: u32::try_from(logs.len()).unwrap_or(u32::MAX),
            })
        })
        .collect()
}

/// Whether every command's median wall time is known to within `precision` of itself.
#[must_use]
pub fn precise_enough(samples: &[Sample], arms: usize, precision: f64) -> bool {
    (0..arms).all(|arm| {
        let pool = Pool::of(samples, u32::try_from(arm).unwrap_or(u32::MAX));
        pool.values(Metric::Wall)
            .is_some_and(|values| half_width(&values).is_some_and(|width| width <= precision))
    })
}

/// Half the median's 95 % interval as a share of the median.
fn half_width(values: &Values) -> Option<f64> {
    let interval = stats::run_interval(values, 0.95)?;
    Some((interval.high - interval.low) / 2.0 / stats::median(values))
}
