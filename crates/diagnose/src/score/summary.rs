//! A run as `benchmark_summary.json` tells it.

use std::collections::BTreeMap;

use model::manifest::Manifest;
use model::passes::Passes;
use model::profile::{Hotspot, Place};
use model::recording::Owner;
use model::scorecard::{Dimension, Figure, Location, Scorecard, SubCheck};
use model::simulated::Simulated;
use model::summary::{
    CheckResult, DimensionResult, Environment, HotFunction, Percentiles, Prerequisites, Rubric, SCHEMA,
    Series, Summary,
};
use model::{Arg, Gap, Metric};
use stats::Values;

use super::cost::{Costs, float};
use super::findings::relative;
use super::{Inputs, stability};
use crate::pool::Pool;

/// Hot functions that are named.
const NAMED: usize = 20;

/// Sums a run up. The ledger's part is added by whoever reads the ledger.
#[must_use]
pub fn summary(inputs: &Inputs<'_>, card: &Scorecard) -> Summary {
    let manifest = inputs.manifest;
    let fingerprint = &manifest.fingerprint;
    let simulated = inputs.passes.simulated.as_ref();
    let mut sizes: Vec<u64> = inputs.arms().iter().filter_map(|arm| arm.size).collect();
    sizes.sort_unstable();
    let spreads = stability::spreads(inputs);
    let means = means(inputs);
    let ended = manifest.ended.clone().unwrap_or_else(|| manifest.started.clone());
    let regressions = card.baseline.clone();
    let exponent = inputs.scaling.and_then(|scale| scale.exponent);
    let python = python(inputs.passes);
    Summary {
        schema: SCHEMA.to_owned(),
        complexity_exponent: exponent.map(|exponent| exponent.value),
        deterministic_tier: simulated.is_some_and(|simulated| simulated.totals.is_some())
            || inputs.scaling.is_some_and(|scale| scale.metric == Metric::Instructions),
        generated_at: ended.clone(),
        root: Arg::from(inputs.root().as_str()),
        tier: tier(inputs.passes, manifest),
        rubric: rubric(inputs, card),
        prerequisites: Prerequisites {
            python_ok: python.map(is_known_python),
            valgrind: simulated.is_some_and(|simulated| simulated.totals.is_some()),
            perf_paranoid: manifest.conditions.perf_paranoid,
            governor: fingerprint.system.governor.clone(),
            cache_topology: topology(simulated),
            ram_mb: fingerprint.machine.memory_bytes.map(|bytes| bytes >> 20),
        },
        baseline_regressions: regressions
            .iter()
            .flat_map(|regressions| regressions.tiers.iter().filter(|change| change.drop > 0).cloned())
            .collect(),
        regression_blocker: regressions.as_ref().is_some_and(|regressions| regressions.blocker),
        wall_time_cv: spreads.iter().map(|(_, cv)| *cv).max_by(f64::total_cmp),
        wall_time_cv_by_size: stability::by_size(inputs),
        wall_time_mean: means.iter().find(|(size, _)| size.is_none()).map(|(_, mean)| *mean),
        wall_time_mean_by_size: means
            .iter()
            .filter_map(|(size, mean)| Some((size.as_ref()?.to_string(), *mean)))
            .collect(),
        environment: Environment {
            cpu_model: fingerprint.machine.cpu_model.clone(),
            kernel: fingerprint.system.kernel.clone(),
            governor: fingerprint.system.governor.clone(),
            smt: fingerprint.system.smt.clone(),
            load_avg_1m: manifest.conditions.load_avg_1m,
            python_version: python.map(str::to_owned),
            timestamp_utc: ended,
        },
        wall_time_percentiles: percentiles(inputs),
        tracemalloc_peak_bytes: simulated.and_then(|simulated| Some(simulated.python_heap.as_ref()?.peak)),
        massif_peak_bytes: simulated.and_then(|simulated| simulated.heap.as_ref()?.peak),
        ledger_regressions: None,
        run: manifest.id.clone(),
        slowpath: manifest.slowpath.clone(),
        workload: inputs.workload(),
        command: manifest.arms.first().map(|arm| arm.target.argv.clone()).unwrap_or_default(),
        sizes,
        coverage: card.coverage.clone(),
        band: card.band.clone(),
        stop: card.stop.clone(),
        notes: card.notes.clone(),
        complexity_exponent_interval: exponent.map(|exponent| (exponent.low, exponent.high)),
        complexity_class: inputs.scaling.map(|scale| scale.class.name().to_owned()),
        quiet: stability::all_quiet(inputs),
        samples: series(inputs),
        hot_functions: hot(inputs),
        tools: tools(manifest, simulated),
        errors: errors(inputs),
        regressions,
        fingerprint: fingerprint.clone(),
    }
}

/// The version of the first Python that the recorded run was in.
fn python(passes: &Passes) -> Option<&str> {
    let processes = passes.recording.iter().flat_map(|recording| &recording.processes);
    let mut versions = processes.filter_map(|process| process.runtime.as_deref()?.strip_prefix("python "));
    versions.next()
}

/// Whether it is at least 3.10, the oldest that the contract takes.
fn is_known_python(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    (parts.next(), parts.next()) >= (Some(3), Some(10))
}

/// How deep the run went, by what it was asked and what it left.
#[must_use]
pub fn tier(passes: &Passes, manifest: &Manifest) -> String {
    let ran = |name: &str| {
        passes
            .simulated
            .as_ref()
            .is_some_and(|simulated| simulated.instruments.iter().any(|instrument| instrument.name == name))
    };
    let asked = manifest.argv.iter().map(Arg::lossy).collect::<Vec<_>>();
    let named = asked.iter().position(|word| word == "--tier").and_then(|at| asked.get(at + 1).cloned());
    let named =
        named.or_else(|| asked.iter().find_map(|word| word.strip_prefix("--tier=").map(str::to_owned)));
    named.filter(|name| ["fast", "medium", "deep", "asm"].contains(&name.as_str())).unwrap_or_else(|| {
        if ran("massif") || ran("dhat") || ran("perf stat") {
            "deep"
        } else if ran("cachegrind") || ran("callgrind") {
            "medium"
        } else {
            "fast"
        }
        .to_owned()
    })
}

fn rubric(inputs: &Inputs<'_>, card: &Scorecard) -> Rubric {
    let result = |dimension: &Dimension| (dimension.name.clone(), result(inputs, dimension));
    Rubric {
        total: card.total,
        max_possible: card.max,
        dimensions: card.dimensions.iter().map(result).collect(),
    }
}

fn result(inputs: &Inputs<'_>, dimension: &Dimension) -> DimensionResult {
    let of = |name: &str| dimension.figures.iter().find(|figure| figure.name == name);
    let value = |name: &str| of(name).map(|figure| figure.value);
    let is_missed =
        matches!(dimension.name.as_str(), "L1 Cache Efficiency" | "Last-Level Cache" | "Branch Prediction");
    let stable = dimension.name == stability::NAME;
    let check = |check: &SubCheck| (check.name.clone(), check_result(check));
    DimensionResult {
        score: dimension.score,
        tier: dimension.tier.contract().to_owned(),
        iso_25010: dimension.iso.clone(),
        because: dimension.because.clone(),
        cv: value("wall_time_cv"),
        cv_by_size: if stable { stability::by_size(inputs) } else { BTreeMap::new() },
        top_fn_pct: value("top_fn_pct"),
        ipc: value("IPC"),
        worst_pct: dimension.figures.first().filter(|_| is_missed).map(|figure| figure.value),
        peak_bytes: value("peak_bytes"),
        baseline_ratio: value("baseline_ratio"),
        source: dimension.figures.first().map(|figure: &Figure| figure.source.clone()),
        missing_sub_checks: dimension
            .checks
            .iter()
            .filter(|check| check.tier.score().is_none())
            .map(|check| check.name.clone())
            .collect(),
        sub_checks: dimension.checks.iter().map(check).collect(),
        missing: dimension.missing.clone(),
        location: dimension
            .location
            .clone()
            .map(|place| Location { file: place.file.map(|file| relative(&file, &inputs.root())), ..place }),
        prescription: dimension.prescription.clone(),
    }
}

fn check_result(check: &SubCheck) -> CheckResult {
    let value = check.figure.as_ref().map(|figure| figure.value);
    let only = |names: &[&str]| value.filter(|_| names.contains(&check.name.as_str()));
    CheckResult {
        tier: check.tier,
        k: only(&["complexity_exponent"]),
        ratio: only(&["call_amplification", "data_reuse", "write_amplification"]),
        peaks: only(&["allocation_churn"]),
        path_count: only(&["multiplicative_paths"]),
        because: check.because.clone(),
    }
}

fn topology(simulated: Option<&Simulated>) -> BTreeMap<String, String> {
    let caches = simulated.and_then(|simulated| simulated.caches.as_ref());
    let mut all = BTreeMap::new();
    for (name, cache) in
        caches.iter().flat_map(|caches| [("D1", &caches.d1), ("I1", &caches.i1), ("LL", &caches.ll)])
    {
        all.insert(name.to_owned(), cache.simulated.clone());
        // The simulator takes powers of two alone.
        let real = cache.real.as_ref().filter(|real| **real != cache.simulated);
        all.extend(real.map(|real| (format!("{name} of this machine"), real.clone())));
    }
    all
}

fn means(inputs: &Inputs<'_>) -> Vec<(Option<u64>, f64)> {
    let mean = |arm: super::Arm| {
        let values = Pool::of(inputs.samples, arm.index).values(Metric::Wall)?;
        Some((arm.size, stats::mean(&values)))
    };
    inputs.arms().into_iter().filter_map(mean).collect()
}

/// Of the largest size alone.
fn percentiles(inputs: &Inputs<'_>) -> Option<Percentiles> {
    let arm = inputs.arms().into_iter().max_by_key(|arm| arm.size)?;
    let values = Pool::of(inputs.samples, arm.index).values(Metric::Wall)?;
    let solid = |p: f64| match stats::percentile(&values, p) {
        stats::Percentile::Solid { value, .. } => Some(value),
        stats::Percentile::Bounded { .. } | stats::Percentile::MaxOf { .. } => None,
    };
    Some(Percentiles {
        size: arm.size,
        n: u32::try_from(values.n()).unwrap_or(u32::MAX),
        p50: stats::median(&values),
        p95: solid(0.95),
        p99: solid(0.99),
    })
}

fn series(inputs: &Inputs<'_>) -> Vec<Series> {
    let mut all = Vec::new();
    for arm in inputs.arms() {
        let pool = Pool::of(inputs.samples, arm.index);
        for metric in Metric::JUDGED {
            let source = if metric == Metric::Wall { "monotonic clock" } else { "rusage" };
            all.extend(pool.values(metric).map(|values| one(metric, arm.size, source, &values)));
        }
    }
    let counts =
        inputs.scaling.and_then(|scale| scale.fits.iter().find(|fit| fit.metric == Metric::Instructions));
    for point in counts.iter().flat_map(|fit| &fit.points) {
        let source = counts.map_or("", |fit| fit.source.as_str());
        all.extend(
            Values::new(vec![point.cost])
                .map(|values| one(Metric::Instructions, Some(point.size), source, &values)),
        );
    }
    if let Some(simulated) = inputs.passes.simulated.as_ref()
        && let Some(totals) = simulated.totals
        && !all.iter().any(|series| series.metric == Metric::Instructions && series.size == simulated.size)
    {
        let values = Values::new(vec![float(totals.ir)]);
        all.extend(values.map(|values| one(Metric::Instructions, simulated.size, "cachegrind", &values)));
    }
    all
}

fn one(metric: Metric, size: Option<u64>, source: &str, values: &Values) -> Series {
    let interval = stats::run_interval(values, 0.95);
    Series {
        metric,
        unit: metric.unit(),
        size,
        source: source.to_owned(),
        median: stats::median(values),
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        values: values.in_order().to_vec(),
    }
}

fn hot(inputs: &Inputs<'_>) -> Vec<HotFunction> {
    let simulated = inputs.passes.simulated.as_ref().filter(|simulated| simulated.totals.is_some());
    // The functions of an interpreter are not the program's: the recorded run names those.
    let interpreted = Costs::of(inputs).is_some_and(|costs| costs.is_mostly_unseen());
    let mut all = match simulated.filter(|_| !interpreted || inputs.answer.hotspots.is_empty()) {
        Some(simulated) => counted(simulated),
        None => sampled(inputs),
    };
    for function in &mut all {
        function.file = function.file.take().map(|file| relative(&file, &inputs.root()));
    }
    all
}

fn counted(simulated: &Simulated) -> Vec<HotFunction> {
    let all = simulated.totals.map_or(1.0, |totals| float(totals.ir).max(1.0));
    let function = |function: &model::simulated::Function| HotFunction {
        function: function.name.clone(),
        file: function.file.clone(),
        line: function.line,
        module: function.module.clone(),
        project: function.project,
        own: float(function.own.ir) / all,
        inclusive: function.inclusive.map(|inclusive| float(inclusive) / all),
        of: "instructions".to_owned(),
    };
    simulated.functions.iter().take(NAMED).map(function).collect()
}

/// The user's functions with what libraries did for them, then what was done for nobody known.
fn sampled(inputs: &Inputs<'_>) -> Vec<HotFunction> {
    let function = |place: &Place, own: f64, inclusive: Option<f64>| HotFunction {
        function: place.function.clone(),
        file: place.file.clone(),
        line: place.line,
        module: place.module.clone(),
        project: place.owner == Owner::Project,
        own,
        inclusive,
        of: "samples".to_owned(),
    };
    let hotspots = &inputs.answer.hotspots;
    let total = |place: &Place| {
        let same = hotspots.iter().find(|hotspot| hotspot.place.function == place.function)?;
        Some(same.total.value)
    };
    let own = super::cpu::spent(inputs);
    let own = own.iter().map(|spent| function(spent.place, spent.share, total(spent.place)));
    let alone = |hotspot: &&Hotspot| hotspot.place.owner != Owner::Project && hotspot.project.is_none();
    let others = hotspots.iter().filter(alone);
    let others = others.map(|hotspot| function(&hotspot.place, hotspot.own.value, Some(hotspot.total.value)));
    own.chain(others).take(NAMED).collect()
}

fn tools(manifest: &Manifest, simulated: Option<&Simulated>) -> BTreeMap<String, Option<String>> {
    let mut tools = manifest.fingerprint.tools.clone();
    tools.insert("slowpath".to_owned(), Some(manifest.slowpath.clone()));
    for instrument in simulated.iter().flat_map(|simulated| &simulated.instruments) {
        tools.insert(instrument.name.clone(), instrument.version.clone());
    }
    tools
}

/// What did not work: what the answer and the simulated runs could not see.
fn errors(inputs: &Inputs<'_>) -> Vec<Gap> {
    let simulated = inputs.passes.simulated.iter().flat_map(|simulated| &simulated.gaps);
    let mut errors: Vec<Gap> = Vec::new();
    for gap in inputs.answer.gaps.iter().chain(simulated) {
        if !errors.contains(gap) {
            errors.push(gap.clone());
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_is_compared_by_its_numbers() {
        for (version, ok) in [("2.7", false), ("3.9", false), ("3.10", true), ("3.14", true), ("4.0", true)] {
            assert_eq!(is_known_python(version), ok, "{version}");
        }
    }
}
