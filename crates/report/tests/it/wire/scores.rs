//! A scorecard with everything in it: passes, failures, noise, gaps, a baseline.

use std::collections::BTreeMap;

use model::answer::Answer;
use model::compare::{Comparable, RatioEstimate, Verdict};
use model::fingerprint::Fingerprint;
use model::scorecard::{
    Band, Better, Confidence, DIMENSIONS, Dimension, Figure, Finding, FindingEvidence, FindingMetric,
    LEDGER_SCHEMA, LedgerEntry, LedgerKey, LedgerMetric, Lines, Location, MetricChange, Regressions,
    Scorecard, Severity, SubCheck, Tier, TierChange,
};
use model::summary::{
    CheckResult, DimensionResult, Environment, HotFunction, Percentiles, Prerequisites, Rubric, SCHEMA,
    Series, Summary,
};
use model::{Arg, Gap, Metric, Unit};

use super::answer;

fn place() -> Location {
    Location {
        function: "pairs".to_owned(),
        file: Some("/srv/me/lab/quad.c".to_owned()),
        line: Some(14),
        module: None,
        project: true,
    }
}

fn figure(name: &str, value: f64, unit: &str, limit: f64, fail: f64) -> Figure {
    Figure {
        name: name.to_owned(),
        value,
        low: None,
        high: None,
        unit: unit.to_owned(),
        limit: Some(limit),
        fail: Some(fail),
        better: Better::Lower,
        size: Some(4000),
        n: Some(1),
        cost: Some(0.22),
        location: Some(place()),
        artifact: "tier2/cachegrind.out".to_owned(),
        source: "cachegrind 3.19.0".to_owned(),
        command: Some("valgrind --tool=cachegrind ./quad 4000".to_owned()),
    }
}

fn dimension(name: &str, tier: Tier, because: &str, figure: Option<Figure>) -> Dimension {
    let bad = matches!(tier, Tier::Warn | Tier::Fail);
    Dimension {
        name: name.to_owned(),
        score: tier.score(),
        tier,
        iso: "time behaviour".to_owned(),
        because: because.to_owned(),
        figures: figure.into_iter().collect(),
        checks: Vec::new(),
        missing: (tier == Tier::NotMeasured)
            .then(|| "needs a simulated run: `--tier medium`".to_owned())
            .into_iter()
            .collect(),
        location: bad.then(place),
        prescription: bad.then(|| "pairs (quad.c:14): look them up in a hash set".to_owned()),
    }
}

fn sub_check(name: &str, tier: Tier, because: &str, figure: Option<Figure>) -> SubCheck {
    SubCheck {
        name: name.to_owned(),
        tier,
        because: because.to_owned(),
        location: figure.as_ref().map(|_| place()),
        prescription: figure.as_ref().map(|_| "pairs (quad.c:14): look them up in a hash set".to_owned()),
        figure,
    }
}

pub(crate) fn scorecard() -> Scorecard {
    let exponent =
        Figure { low: Some(1.99), high: Some(2.01), ..figure("complexity_exponent", 2.0, "1", 1.1, 1.3) };
    let growth = "instructions grow with the power of 2.00 (1.99–2.01) of the size, n expected";
    let mut scaling = dimension(DIMENSIONS[0], Tier::Fail, growth, Some(exponent.clone()));
    scaling.checks = vec![
        sub_check("complexity_exponent", Tier::Fail, growth, Some(exponent)),
        sub_check("allocation_churn", Tier::NotMeasured, "needs the allocations: `--tier deep`", None),
    ];
    let dimensions = vec![
        scaling,
        dimension(
            DIMENSIONS[1],
            Tier::Noise,
            "wall times differ by 12.1 % (n=6), above the gate of 5 %",
            None,
        ),
        dimension(
            DIMENSIONS[2],
            Tier::Pass,
            "no sign of waste was found",
            Some(figure("top_fn_pct", 53.0, "%", 20.0, 35.0)),
        ),
        dimension(DIMENSIONS[3], Tier::Pass, "`pairs` misses the first-level cache on 0.0 %", None),
        dimension(DIMENSIONS[4], Tier::NotMeasured, "neither simulated nor counted", None),
        dimension(
            DIMENSIONS[5],
            Tier::Warn,
            "`near` mispredicts on 28.9 % of its conditional branches",
            Some(figure("branch_mispred_rate", 28.9, "%", 1.0, 3.0)),
        ),
        dimension(
            DIMENSIONS[6],
            Tier::Pass,
            "1.00 times the baseline's",
            Some(figure("peak_bytes", 1_700_000.0, "B", 1.1, 1.5)),
        ),
    ];
    Scorecard {
        total: 14,
        max: 20,
        coverage: "5 of 7".to_owned(),
        summary: "14/20, 5 of 7 measured".to_owned(),
        band: None,
        stop: Some(format!("STOP: {growth}.")),
        notes: vec!["no band is given: Algorithmic Scaling fails".to_owned()],
        dimensions,
        baseline: Some(regressions()),
        questions: vec!["Complexity: which sizes will users really have?".to_owned()],
    }
}

fn regressions() -> Regressions {
    Regressions {
        run: "20260801T101500Z-7f3a".to_owned(),
        blocker: true,
        reasons: vec![
            "instructions at size 4000 is 30.100 (30.100–30.100) times the baseline's, n=1".to_owned(),
        ],
        comparable: Comparable::Advisory,
        differences: Vec::new(),
        metrics: vec![MetricChange {
            metric: Metric::Instructions,
            size: Some(4000),
            base: 4e6,
            new: 120.4e6,
            ratio: RatioEstimate { value: 30.1, low: Some(30.1), high: Some(30.1) },
            verdict: Verdict::Worse,
            margin: 0.01,
            n: 1,
            source: "cachegrind".to_owned(),
        }],
        tiers: vec![TierChange {
            dimension: DIMENSIONS[5].to_owned(),
            baseline_tier: Tier::Pass,
            current_tier: Tier::Warn,
            drop: 1,
            blocks: true,
        }],
    }
}

/// The same without trouble: all measured, all well.
pub(crate) fn scorecard_well() -> Scorecard {
    let mut card = scorecard();
    for dimension in &mut card.dimensions {
        *dimension = self::dimension(&dimension.name, Tier::Pass, "all is well", None);
    }
    (card.total, card.max, card.stop, card.baseline) = (28, 28, None, None);
    (card.coverage, card.summary) = ("7 of 7".to_owned(), "28/28, 7 of 7 measured".to_owned());
    card.band = Some(Band { name: "strong".to_owned(), points: 28, scaled: false });
    (card.notes, card.questions) = (Vec::new(), Vec::new());
    card
}

pub(crate) fn answer_scored() -> Answer {
    Answer { scorecard: Some(scorecard()), ..answer() }
}

pub(crate) fn findings() -> Vec<Finding> {
    vec![Finding {
        id: "00c5d13f2a9b7e41".to_owned(),
        leaf: "slowpath".to_owned(),
        signal: "PERF".to_owned(),
        severity: Severity::High,
        path: "quad.c".to_owned(),
        location: Lines { line_start: 14, line_end: 14, symbol: "pairs".to_owned() },
        metric: FindingMetric {
            name: "complexity_exponent".to_owned(),
            value: 2.0,
            threshold: 1.1,
            unit: "1".to_owned(),
            better: Better::Lower,
            times: 1.8,
        },
        evidence: FindingEvidence {
            tool: "cachegrind".to_owned(),
            raw: "instructions grow with the power of 2.00 [complexity_exponent = 2.0000 1, n=3]".to_owned(),
            artifact: "tier1/counts.jsonl".to_owned(),
            command: Some("slowpath scale --sizes 1000,2000,4000 -- ./quad {SIZE}".to_owned()),
            run: "20260802T101500Z-9c1d".to_owned(),
        },
        confidence: Confidence::High,
        suggested_action: "pairs (quad.c:14): look them up in a hash set".to_owned(),
        dimension: DIMENSIONS[0].to_owned(),
        tier: Tier::Fail,
    }]
}

pub(crate) fn ledger() -> LedgerEntry {
    LedgerEntry {
        schema: LEDGER_SCHEMA.to_owned(),
        key: LedgerKey {
            workload: "./quad {SIZE}".to_owned(),
            tier: "medium".to_owned(),
            sizes: vec![1000, 4000],
            machine: "0123456789abcdef".to_owned(),
        },
        run: "20260802T101500Z-9c1d".to_owned(),
        timestamp_utc: "2026-08-02T10:16:00Z".to_owned(),
        rubric_total: 14,
        rubric_max: 20,
        dimensions: BTreeMap::from([(DIMENSIONS[0].to_owned(), Tier::Fail)]),
        metrics: vec![LedgerMetric {
            metric: Metric::Wall,
            size: Some(4000),
            median: 0.02,
            low: None,
            high: None,
            n: 3,
        }],
    }
}

pub(crate) fn summary() -> Summary {
    let card = scorecard();
    let result = |dimension: &Dimension| DimensionResult {
        score: dimension.score,
        tier: dimension.tier.contract().to_owned(),
        iso_25010: dimension.iso.clone(),
        because: dimension.because.clone(),
        cv: None,
        cv_by_size: BTreeMap::new(),
        top_fn_pct: None,
        ipc: None,
        worst_pct: None,
        peak_bytes: None,
        baseline_ratio: None,
        source: None,
        sub_checks: dimension
            .checks
            .iter()
            .map(|check| {
                let because = check.because.clone();
                let result = CheckResult {
                    tier: check.tier,
                    k: Some(2.0),
                    ratio: None,
                    peaks: None,
                    path_count: None,
                    because,
                };
                (check.name.clone(), result)
            })
            .collect(),
        missing_sub_checks: Vec::new(),
        missing: Vec::new(),
        location: dimension.location.clone(),
        prescription: dimension.prescription.clone(),
    };
    Summary {
        schema: SCHEMA.to_owned(),
        complexity_exponent: Some(2.0),
        deterministic_tier: true,
        generated_at: "2026-08-02T10:16:00Z".to_owned(),
        root: Arg::from("/srv/me/lab"),
        tier: "medium".to_owned(),
        rubric: Rubric {
            total: card.total,
            max_possible: card.max,
            dimensions: card
                .dimensions
                .iter()
                .map(|dimension| (dimension.name.clone(), result(dimension)))
                .collect(),
        },
        prerequisites: Prerequisites {
            python_ok: Some(true),
            valgrind: true,
            perf_paranoid: Some(2),
            governor: None,
            cache_topology: BTreeMap::from([("D1".to_owned(), "32768,8,64".to_owned())]),
            ram_mb: Some(15_900),
        },
        baseline_regressions: regressions().tiers,
        regression_blocker: true,
        wall_time_cv: Some(12.1),
        wall_time_cv_by_size: BTreeMap::from([("4000".to_owned(), 12.1)]),
        wall_time_mean_by_size: BTreeMap::from([("4000".to_owned(), 0.02)]),
        wall_time_mean: None,
        environment: Environment {
            cpu_model: Some("AMD EPYC".to_owned()),
            kernel: Some("6.18.44".to_owned()),
            governor: None,
            smt: Some("none".to_owned()),
            load_avg_1m: Some(0.42),
            python_version: Some("3.11".to_owned()),
            timestamp_utc: "2026-08-02T10:16:00Z".to_owned(),
        },
        wall_time_percentiles: Some(Percentiles { size: Some(4000), n: 6, p50: 0.02, p95: None, p99: None }),
        tracemalloc_peak_bytes: None,
        massif_peak_bytes: None,
        ledger_regressions: None,
        run: "20260802T101500Z-9c1d".to_owned(),
        slowpath: "0.1.0".to_owned(),
        workload: "./quad {SIZE}".to_owned(),
        command: ["./quad", "4000"].map(Arg::from).into(),
        sizes: vec![1000, 4000],
        coverage: card.coverage.clone(),
        band: None,
        stop: card.stop.clone(),
        notes: card.notes.clone(),
        complexity_exponent_interval: Some((1.99, 2.01)),
        complexity_class: Some("n^2".to_owned()),
        quiet: Some(false),
        samples: vec![Series {
            metric: Metric::Wall,
            unit: Unit::Seconds,
            size: Some(4000),
            source: "monotonic clock".to_owned(),
            median: 0.02,
            low: Some(0.019),
            high: Some(0.022),
            values: vec![0.02, 0.019, 0.022, 0.02, 0.02, 0.021],
        }],
        hot_functions: vec![HotFunction {
            function: "pairs".to_owned(),
            file: Some("/srv/me/lab/quad.c".to_owned()),
            line: Some(14),
            module: None,
            project: true,
            own: 0.53,
            inclusive: Some(1.0),
            of: "instructions".to_owned(),
        }],
        tools: BTreeMap::from([("cachegrind".to_owned(), Some("3.19.0".to_owned()))]),
        errors: vec![Gap::new("hardware counters", "no PMU in this VM", Some("slowpath doctor"))],
        regressions: Some(regressions()),
        fingerprint: Fingerprint::default(),
    }
}
