use model::Metric;
use model::compare::{
    BenchmarkVerdict, Comparable, Compare, Difference, Median, MetricVerdict, RatioEstimate, SCHEMA, Side,
    Verdict,
};

use super::{counters, warning};

fn side(label: &str, n: u32, scale: f64) -> Side {
    let medians = [(Metric::Wall, 0.812 * scale), (Metric::Cpu, 0.79 * scale), (Metric::Rss, 43_200_512.0)];
    let medians = medians.map(|(metric, value)| Median { metric, value });
    Side { label: label.to_owned(), n, medians: medians.into() }
}

fn judged(metric: Metric, verdict: Verdict, value: f64, half: f64) -> MetricVerdict {
    let proven = matches!(verdict, Verdict::Better | Verdict::Worse);
    let open = verdict == Verdict::Inconclusive;
    MetricVerdict {
        metric,
        ratio: RatioEstimate { value, low: Some(value - half), high: Some(value + half) },
        verdict,
        pairs: 30,
        needed: open.then_some(40),
        needed_s: open.then_some(66.0),
        detectable: Some(half * 1.6),
        p: proven.then_some(0.000_12),
        confirmed: proven.then_some(true),
        source: if metric == Metric::Wall { "clock" } else { "rusage" }.to_owned(),
    }
}

/// A clear change for the worse, with a control arm.
pub(crate) fn compare() -> Compare {
    Compare {
        schema: SCHEMA.to_owned(),
        run: Some("20260801T101500Z-7f3a".to_owned()),
        seed: 42,
        base: side("old 1", 30, 1.0),
        new: side("new 1", 30, 1.021),
        verdict: Verdict::Worse,
        summary: "worse: cpu rose by 2.1 % (1.8 to 2.4 %), confirmed by fresh runs".to_owned(),
        metrics: vec![
            judged(Metric::Wall, Verdict::Inconclusive, 1.018, 0.014),
            judged(Metric::Cpu, Verdict::Worse, 1.021, 0.003),
            judged(Metric::Rss, Verdict::NoChange, 1.0, 0.000_4),
        ],
        comparable: Comparable::Fully,
        differences: Vec::new(),
        margin: 0.02,
        order: "interleaved".to_owned(),
        control: Some(vec![
            judged(Metric::Wall, Verdict::NoChange, 1.001, 0.009),
            judged(Metric::Cpu, Verdict::NoChange, 0.9995, 0.002),
        ]),
        benchmarks: Vec::new(),
        warnings: vec![warning(
            "drift",
            "later runs are slower than earlier ones: +1.4 % over the sitting",
            None,
        )],
        gaps: vec![counters()],
    }
}

/// Two stored runs with too few pairs, on machines that differ.
pub(crate) fn inconclusive() -> Compare {
    let mut wall = judged(Metric::Wall, Verdict::Inconclusive, 1.05, 0.2);
    (wall.ratio.low, wall.ratio.high, wall.pairs) = (None, None, 3);
    (wall.detectable, wall.needed, wall.needed_s) = (None, None, None);
    let mut base = side("20260701T080000Z-11aa", 3, 1.0);
    base.medians.clear();
    let difference = |field: &str, base: Option<&str>, new: Option<&str>, must| Difference {
        field: field.to_owned(),
        base: base.map(str::to_owned),
        new: new.map(str::to_owned),
        must,
    };
    Compare {
        verdict: Verdict::Inconclusive,
        summary: "three pairs cannot bound a change of 2 %".to_owned(),
        base,
        new: side("20260801T101500Z-7f3a", 3, 1.05),
        metrics: vec![wall],
        comparable: Comparable::Not,
        differences: vec![
            difference(
                "machine.cpu_model",
                Some("AMD EPYC 7B13 64-Core Processor"),
                Some("Intel Xeon Platinum 8481C"),
                true,
            ),
            difference("system.governor", None, Some("performance"), false),
        ],
        order: "separate sittings".to_owned(),
        control: None,
        warnings: Vec::new(),
        gaps: Vec::new(),
        ..compare()
    }
}

/// A stored suite in an order that is not the one of the table.
pub(crate) fn suite() -> Compare {
    let of = |name: &str, verdict, ratio: f64, half, adjusted_p| BenchmarkVerdict {
        name: name.to_owned(),
        verdict,
        metric: judged(Metric::Wall, verdict, ratio, half),
        adjusted_p,
    };
    Compare {
        metrics: Vec::new(),
        control: None,
        summary: "worse: 2 of 6 benchmarks are slower, parse/large by 31 %".to_owned(),
        order: "same run".to_owned(),
        comparable: Comparable::Advisory,
        benchmarks: vec![
            of("parse/small", Verdict::NoChange, 1.001, 0.004, Some(0.71)),
            of("render/table", Verdict::Better, 0.82, 0.01, Some(0.000_02)),
            of("parse/large", Verdict::Worse, 1.31, 0.02, Some(0.000_01)),
            of(
                "render/a-benchmark-with-a-very-long-name[utf-8-1048576-threads-16]",
                Verdict::Worse,
                1.06,
                0.01,
                Some(0.012),
            ),
            of("io/read", Verdict::Inconclusive, 1.04, 0.09, None),
            of("io/write", Verdict::NoChange, 0.998, 0.01, Some(0.6)),
        ],
        warnings: Vec::new(),
        gaps: Vec::new(),
        ..compare()
    }
}
