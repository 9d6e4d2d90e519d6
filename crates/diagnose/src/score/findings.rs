//! The findings file: one entry for each figure that misses its limit, in the shape other auditing tools read.
//!
//! `evidence` is an object with `tool` and `raw`, as the shared shape of the family has it (the original emitted an empty
//! list). Ids hash leaf, relative path, symbol and metric, so they survive another checkout directory.

use model::scorecard::{
    Better, Confidence, Dimension, Figure, Finding, FindingEvidence, FindingMetric, Lines, Location,
    Scorecard, Severity, Tier,
};

const LEAF: &str = "slowpath";

/// All findings of a scorecard, by path and metric. `root` is the target's working directory.
#[must_use]
pub fn findings(card: &Scorecard, run: &str, root: &str) -> Vec<Finding> {
    let mut all: Vec<Finding> =
        card.dimensions.iter().flat_map(|dimension| of_dimension(dimension, run, root)).collect();
    all.sort_by(|a, b| {
        (&a.path, &a.metric.name, &a.location.symbol).cmp(&(&b.path, &b.metric.name, &b.location.symbol))
    });
    all.dedup_by(|a, b| a.id == b.id);
    all
}

fn of_dimension(dimension: &Dimension, run: &str, root: &str) -> Vec<Finding> {
    if dimension.checks.is_empty() {
        if !matches!(dimension.tier, Tier::Warn | Tier::Fail) {
            return Vec::new();
        }
        let figure = dimension.figures.iter().find(|figure| missed(figure));
        let entry = figure.map(|figure| {
            entry(
                dimension,
                &Missed {
                    tier: dimension.tier,
                    figure,
                    because: &dimension.because,
                    location: dimension.location.as_ref(),
                    prescription: dimension.prescription.as_deref(),
                },
                run,
                root,
            )
        });
        return entry.into_iter().collect();
    }
    let bad = dimension.checks.iter().filter(|check| matches!(check.tier, Tier::Warn | Tier::Fail));
    bad.filter_map(|check| {
        let missed = Missed {
            tier: check.tier,
            figure: check.figure.as_ref()?,
            because: &check.because,
            location: check.location.as_ref(),
            prescription: check.prescription.as_deref(),
        };
        Some(entry(dimension, &missed, run, root))
    })
    .collect()
}

/// A figure that misses its limit, with what is said of it.
struct Missed<'a> {
    tier: Tier,
    figure: &'a Figure,
    because: &'a str,
    location: Option<&'a Location>,
    prescription: Option<&'a str>,
}

fn missed(figure: &Figure) -> bool {
    figure.limit.is_some_and(|limit| match figure.better {
        Better::Lower => figure.value > limit,
        Better::Higher => figure.value < limit,
    })
}

fn entry(dimension: &Dimension, missed: &Missed<'_>, run: &str, root: &str) -> Finding {
    let figure = missed.figure;
    let path = path(missed.location, root);
    let symbol = missed.location.map_or("<workload>", |location| location.function.as_str());
    let line = missed.location.and_then(|location| location.line).unwrap_or(0);
    let limit = figure.limit.unwrap_or(figure.value);
    Finding {
        id: id(&[LEAF, &path, symbol, &figure.name]),
        leaf: LEAF.to_owned(),
        signal: "PERF".to_owned(),
        severity: if missed.tier == Tier::Fail { Severity::High } else { Severity::Medium },
        location: Lines { line_start: line, line_end: line, symbol: symbol.to_owned() },
        path,
        metric: FindingMetric {
            name: figure.name.clone(),
            value: figure.value,
            threshold: limit,
            unit: figure.unit.clone(),
            better: figure.better,
            times: times(figure.value, limit, figure.better),
        },
        evidence: FindingEvidence {
            tool: figure.source.clone(),
            raw: raw(figure, missed.because),
            artifact: figure.artifact.clone(),
            command: figure.command.clone(),
            run: run.to_owned(),
        },
        confidence: confidence(figure),
        suggested_action: missed.prescription.unwrap_or(missed.because).to_owned(),
        dimension: dimension.name.clone(),
        tier: missed.tier,
    }
}

/// How far beyond the limit, the larger the worse, whichever direction is better. A limit of nothing counts the excess.
fn times(value: f64, limit: f64, better: Better) -> f64 {
    let (over, under) = match better {
        Better::Lower => (value, limit),
        Better::Higher => (limit, value),
    };
    if under > 0.0 { over / under } else { 1.0 + over }
}

fn raw(figure: &Figure, because: &str) -> String {
    let interval =
        figure.low.zip(figure.high).map(|(low, high)| format!(" ({low:.3}–{high:.3})")).unwrap_or_default();
    let n = figure.n.map(|n| format!(", n={n}")).unwrap_or_default();
    let size = figure.size.map(|size| format!(", size {size}")).unwrap_or_default();
    let cost = figure.cost.map(|cost| format!(", {:.1} % of the cost", cost * 100.0)).unwrap_or_default();
    let unit = if figure.unit == "1" { String::new() } else { format!(" {}", figure.unit) };
    let value = if figure.value.fract() == 0.0 {
        format!("{:.0}", figure.value)
    } else {
        format!("{:.4}", figure.value)
    };
    format!("{because} [{} = {value}{unit}{interval}{n}{size}{cost}]", figure.name)
}

/// What was counted repeats; an interval that clears the limit is as good.
fn confidence(figure: &Figure) -> Confidence {
    let counted =
        ["cachegrind", "callgrind", "dhat", "valgrind"].iter().any(|tool| figure.source.starts_with(tool));
    let clear = figure
        .limit
        .zip(figure.low)
        .is_some_and(|(limit, low)| figure.better == Better::Lower && low > limit);
    if counted || clear { Confidence::High } else { Confidence::Medium }
}

/// Relative to the working directory; of a file elsewhere its name alone, because where it lies differs by machine.
pub(super) fn path(location: Option<&Location>, root: &str) -> String {
    let Some(file) = location.and_then(|location| location.file.as_deref().or(location.module.as_deref()))
    else {
        return ".".to_owned();
    };
    match below(file, root) {
        Some(rest) => rest.to_owned(),
        None if !file.starts_with('/') => file.trim_start_matches("./").to_owned(),
        None => file.rsplit('/').next().unwrap_or(file).to_owned(),
    }
}

/// What is left of a path below a folder.
fn below<'f>(file: &'f str, root: &str) -> Option<&'f str> {
    file.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'))
}

/// Relative to the working directory; elsewhere the whole path.
pub(super) fn relative(file: &str, root: &str) -> String {
    below(file, root).unwrap_or(file).to_owned()
}

/// FNV-1a over the parts with a bar between them: sixteen hexadecimal digits.
pub(super) fn id(parts: &[&str]) -> String {
    let text = parts.join("|");
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}
