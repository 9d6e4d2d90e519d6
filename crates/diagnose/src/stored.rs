//! Stored results against stored results: two sittings, no shared blocks.
//!
//! Drift between the sittings is not in any interval, so a difference is claimed only when the whole 99 % interval
//! lies beyond the margin, and after correction for the number of benchmarks.

use model::Metric;
use model::bench::Warning;
use model::compare::{
    BenchmarkVerdict, Comparable, Compare, Difference, Median, MetricVerdict, RatioEstimate, SCHEMA, Side,
    Verdict,
};
use model::{Gap, manifest::Manifest, sample::Counted, sample::Sample};
use stats::Values;

use crate::pool::Pool;

/// Stored results of one side, from a run folder or another tool's file.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub label: String,
    pub benchmarks: Vec<StoredBenchmark>,
}

/// One benchmark: values by metric, less is better.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBenchmark {
    pub name: String,
    pub series: Vec<(Metric, Vec<f64>)>,
}

/// A run folder's samples as stored results, one benchmark a command.
#[must_use]
pub fn of_run(manifest: &Manifest, samples: &[Sample], counted: &[Counted]) -> Stored {
    let benchmarks = manifest.arms.iter().enumerate().map(|(index, arm)| {
        let pool = Pool::of(samples, u32::try_from(index).unwrap_or(u32::MAX));
        let timed = Metric::JUDGED.iter().map(|metric| (*metric, pool.values(*metric)));
        let counts = crate::counted::values(counted, index, &manifest.settings, manifest.arms.len());
        let series = timed.chain([(Metric::Instructions, counts)]);
        let series = series.filter_map(|(metric, values)| Some((metric, values?.in_order().to_vec())));
        StoredBenchmark { name: arm.label.clone(), series: series.collect() }
    });
    Stored { label: manifest.id.clone(), benchmarks: benchmarks.collect() }
}

/// Why two stored results cannot be put side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmatched {
    /// No benchmark has the same name on both sides.
    NoSharedName { base: Vec<String>, new: Vec<String> },
    /// No metric was measured on both sides.
    NoSharedMetric,
}

/// The level at which an interval must clear the margin.
const CONFIDENCE: f64 = 0.99;

/// Share of false claims tolerated over a suite.
pub(crate) const FALSE_DISCOVERY: f64 = 0.05;

/// Compares two stored results.
///
/// # Errors
/// When they have no benchmark or no metric in common.
pub fn compare(
    base: &Stored,
    new: &Stored,
    margin: f64,
    seed: u64,
    comparable: (Comparable, Vec<Difference>),
    gaps: &[Gap],
) -> Result<Compare, Unmatched> {
    let pairs = matched(base, new)?;
    let mut judged: Vec<(String, Vec<MetricVerdict>)> = pairs
        .iter()
        .map(|(base, new)| (new.name.clone(), verdicts(base, new, margin)))
        .filter(|(_, verdicts)| !verdicts.is_empty())
        .collect();
    correct(&mut judged);
    let (base_first, new_first) = *pairs.first().ok_or(Unmatched::NoSharedMetric)?;
    let metrics = judged.first().map(|(_, verdicts)| verdicts.clone()).ok_or(Unmatched::NoSharedMetric)?;
    let all: Vec<MetricVerdict> = judged.iter().flat_map(|(_, verdicts)| verdicts.clone()).collect();
    let overall = crate::overall::overall(&all, None, None);
    let several = judged.len() > 1;
    Ok(Compare {
        schema: SCHEMA.to_owned(),
        run: None,
        seed,
        base: side(&base.label, base_first),
        new: side(&new.label, new_first),
        verdict: overall.verdict,
        summary: crate::overall::stored_sentence(&overall, &judged, margin),
        metrics: if several { Vec::new() } else { metrics },
        comparable: comparable.0,
        differences: comparable.1,
        margin,
        order: "separate sittings".to_owned(),
        control: None,
        benchmarks: if several { suite(&judged) } else { Vec::new() },
        warnings: vec![Warning {
            id: "separate-sittings".to_owned(),
            text:
                "the two sides were measured at different times; drift between them is not in the intervals"
                    .into(),
            next: Some("measure both in one sitting: `slowpath compare 'BASE' 'NEW'`".to_owned()),
        }],
        gaps: gaps.to_vec(),
    })
}

/// One benchmark on each side is a pair whatever the names; otherwise names decide.
fn matched<'a>(
    base: &'a Stored,
    new: &'a Stored,
) -> Result<Vec<(&'a StoredBenchmark, &'a StoredBenchmark)>, Unmatched> {
    if let ([base], [new]) = (base.benchmarks.as_slice(), new.benchmarks.as_slice()) {
        return Ok(vec![(base, new)]);
    }
    let pairs: Vec<_> = base
        .benchmarks
        .iter()
        .filter_map(|base| Some((base, new.benchmarks.iter().find(|new| new.name == base.name)?)))
        .collect();
    let names = |stored: &Stored| stored.benchmarks.iter().map(|benchmark| benchmark.name.clone()).collect();
    if pairs.is_empty() {
        return Err(Unmatched::NoSharedName { base: names(base), new: names(new) });
    }
    Ok(pairs)
}

pub(crate) fn verdicts(base: &StoredBenchmark, new: &StoredBenchmark, margin: f64) -> Vec<MetricVerdict> {
    base.series
        .iter()
        .filter_map(|(metric, base)| {
            let (_, new) = new.series.iter().find(|(name, _)| name == metric)?;
            verdict(*metric, base, new, margin)
        })
        .collect()
}

/// `None` when a value has no logarithm: a zero cannot be a ratio.
fn verdict(metric: Metric, base: &[f64], new: &[f64], margin: f64) -> Option<MetricVerdict> {
    let (base, new) = (Values::new(base.to_vec())?.ln()?, Values::new(new.to_vec())?.ln()?);
    let shift = stats::hodges_lehmann_shift(&base, &new);
    let strict = stats::rank_interval(&base, &new, CONFIDENCE);
    let printed = stats::rank_interval(&base, &new, 0.95);
    let bound = margin.ln_1p();
    let verdict = match strict {
        Some(strict) if strict.low > bound => Verdict::Worse,
        Some(strict) if strict.high < -bound => Verdict::Better,
        Some(strict) if strict.low > -bound && strict.high < bound => Verdict::NoChange,
        _ => Verdict::Inconclusive,
    };
    Some(MetricVerdict {
        metric,
        ratio: RatioEstimate {
            value: shift.exp(),
            low: printed.map(|printed| printed.low.exp()),
            high: printed.map(|printed| printed.high.exp()),
        },
        verdict,
        pairs: u32::try_from(base.n().min(new.n())).unwrap_or(u32::MAX),
        needed: None,
        needed_s: None,
        detectable: None,
        p: Some(stats::mann_whitney(&base, &new)),
        confirmed: None,
        source: "stored results".to_owned(),
    })
}

/// Over a suite some benchmark always looks different: claims that do not survive the correction are withdrawn.
pub(crate) fn correct(judged: &mut [(String, Vec<MetricVerdict>)]) {
    let p: Vec<f64> =
        judged.iter().flat_map(|(_, verdicts)| verdicts.iter().filter_map(|verdict| verdict.p)).collect();
    let adjusted = stats::benjamini_hochberg(&p);
    let all = judged.iter_mut().flat_map(|(_, verdicts)| verdicts.iter_mut());
    for (verdict, adjusted) in all.zip(adjusted) {
        verdict.p = Some(adjusted);
        let claims = matches!(verdict.verdict, Verdict::Worse | Verdict::Better);
        if claims && adjusted > FALSE_DISCOVERY {
            verdict.verdict = Verdict::Inconclusive;
        }
    }
}

fn suite(judged: &[(String, Vec<MetricVerdict>)]) -> Vec<BenchmarkVerdict> {
    judged
        .iter()
        .flat_map(|(name, verdicts)| {
            verdicts.iter().map(|verdict| BenchmarkVerdict {
                name: name.clone(),
                verdict: verdict.verdict,
                adjusted_p: verdict.p,
                metric: verdict.clone(),
            })
        })
        .collect()
}

fn side(label: &str, benchmark: &StoredBenchmark) -> Side {
    let medians = benchmark.series.iter().filter_map(|(metric, values)| {
        Some(Median { metric: *metric, value: stats::median(&Values::new(values.clone())?) })
    });
    let n = benchmark.series.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    Side { label: label.to_owned(), n: u32::try_from(n).unwrap_or(u32::MAX), medians: medians.collect() }
}
