//! A command whose instructions grow with the square of the size.

use model::Metric;
use model::scale::{
    Bend, Class, Estimate, Fit, Function, Gate, GateVerdict, Likely, Point, Prediction, SCHEMA, Scale,
};

const fn known(value: f64, low: f64, high: f64) -> Estimate {
    Estimate { value, low, high }
}

fn fit(metric: Metric, scale: f64, set: &[Class]) -> Fit {
    let size = |at: u32| 1000 * 2_u64.pow(at);
    let cost = |size: u64| scale * (1e5 + 0.5 * (size as f64).powi(2));
    Fit {
        metric,
        unit: metric.unit(),
        source: if metric == Metric::Cpu { "rusage" } else { "cachegrind" }.to_owned(),
        class: Class::Quadratic,
        set: set
            .iter()
            .map(|class| Likely { class: *class, weight: 1.0 / set.len() as f64, residual: 0.004 })
            .collect(),
        exponent: Some(known(1.99, 1.97, 2.01)),
        base: None,
        residual: 0.004,
        fixed: Some(known(1e5 * scale, 0.0, 2e5 * scale)),
        marginal: Some(known(32_000.0 * scale, 31_000.0 * scale, 33_000.0 * scale)),
        bend: Some(Bend { after: 4000, size: 8000, below: 1.02, above: 1.99 }),
        predictions: vec![Prediction {
            size: 1_000_000,
            cost: known(cost(1_000_000), 0.9 * cost(1_000_000), 1.2 * cost(1_000_000)),
        }],
        points: (0..6)
            .map(|at| Point { size: size(at), cost: cost(size(at)), fitted: cost(size(at)), n: 8 })
            .collect(),
    }
}

pub(crate) fn scale() -> Scale {
    Scale {
        schema: SCHEMA.to_owned(),
        run: Some("20260801T101500Z-7f3a".to_owned()),
        seed: 42,
        command: "./dedup {SIZE}".to_owned(),
        summary: "instructions grow with the square of the size".to_owned(),
        metric: Metric::Instructions,
        class: Class::Quadratic,
        set: vec![Class::Quadratic],
        exponent: Some(known(1.99, 1.97, 2.01)),
        data: Some(known(1.01, 0.98, 1.04)),
        gate: Some(Gate { expected: Class::Linearithmic, verdict: GateVerdict::Broken }),
        fits: vec![
            fit(Metric::Instructions, 1.0, &[Class::Quadratic]),
            fit(Metric::Cpu, 1e-9, &[Class::Quadratic, Class::QuadraticLogarithmic]),
        ],
        functions: vec![Function {
            name: "seen_before".to_owned(),
            file: Some("dedup.c".to_owned()),
            line: Some(41),
            class: Class::Quadratic,
            set: vec![Class::Quadratic],
            exponent: Some(known(2.0, 1.99, 2.01)),
            own: 0.97,
            inclusive: Some(0.97),
        }],
        suite: None,
        warnings: vec![super::warning(
            "narrow-range",
            "the sizes span a factor of 8 only",
            Some("wider sizes"),
        )],
        gaps: vec![super::counters()],
    }
}
