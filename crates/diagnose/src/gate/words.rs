//! Why a scenario holds or breaks, in sentences.

use model::compare::{Comparable, Verdict};
use model::gate::{Against, AskedScenario, BudgetVerdict, Change, GateVerdict, ScenarioVerdict};
use model::{Metric, Unit};

pub(super) fn summary(verdict: GateVerdict, scenarios: &[ScenarioVerdict]) -> String {
    let count = |wanted: GateVerdict| scenarios.iter().filter(|one| one.verdict == wanted).count();
    let all = scenarios.len();
    let counted = [
        GateVerdict::Broken,
        GateVerdict::Failed,
        GateVerdict::NotComparable,
        GateVerdict::Inconclusive,
        GateVerdict::New,
        GateVerdict::Holds,
    ];
    let parts: Vec<String> = counted
        .iter()
        .filter(|wanted| count(**wanted) > 0)
        .map(|wanted| format!("{} {}", count(*wanted), plural(*wanted, count(*wanted))))
        .collect();
    let scenarios = if all == 1 { "1 scenario" } else { &format!("{all} scenarios") };
    format!("{}: {scenarios}, {}", verdict.word(), parts.join(", "))
}

fn plural(verdict: GateVerdict, count: usize) -> &'static str {
    match verdict {
        GateVerdict::Holds if count != 1 => "hold",
        other => other.word(),
    }
}

/// What it would take to tell; nothing where nobody knows.
fn more_pairs(against: &Against, scenario: &ScenarioVerdict) -> String {
    let Against::Revision { .. } = against else { return String::new() };
    let open = scenario
        .changes
        .iter()
        .map(|change| &change.judged)
        .filter(|judged| judged.verdict == Verdict::Inconclusive);
    let pairs = open.clone().map(|judged| judged.pairs).max();
    let least = crate::compare::least_pairs();
    match (
        pairs.zip(least).filter(|(pairs, least)| pairs < least),
        open.filter_map(|judged| judged.needed).min(),
    ) {
        (Some((pairs, least)), _) => {
            format!(": {pairs} pairs cannot prove one, however large; `pairs = {least}` or more can")
        }
        (None, Some(needed)) => format!("; about {needed} more pairs would tell"),
        (None, None) => String::new(),
    }
}

pub(super) fn because(against: &Against, asked: &AskedScenario, scenario: &ScenarioVerdict) -> Vec<String> {
    if let Some(failed) = &asked.failed {
        return vec![failed.clone()];
    }
    let mut because: Vec<String> = scenario.budgets.iter().filter_map(budget).collect();
    because.extend(scenario.changes.iter().filter_map(|one| change(one, asked.margin)));
    match (against, scenario.comparable) {
        (_, Some(Comparable::Not)) => {
            because
                .push("the baseline comes from a machine that must not be compared with this one".to_owned());
        }
        (Against::Revision { .. }, _) if asked.new.is_some() => {
            let why = asked.new.as_deref().unwrap_or_default();
            because.push(format!("the base revision does not have it: {why}"));
        }
        (Against::Stored { .. }, None) => because.push("the baseline does not know it yet".to_owned()),
        (Against::Nothing, _) if scenario.budgets.is_empty() => {
            because.push("it has neither a budget nor a baseline".to_owned());
        }
        _ => {}
    }
    if scenario.verdict == GateVerdict::Inconclusive && because.is_empty() {
        because.push(format!("neither a change nor its absence is proven{}", more_pairs(against, scenario)));
    }
    match scenario.repeated {
        Some(true) => because.push("fresh runs repeated it".to_owned()),
        Some(false) => because.push("fresh runs did not repeat it".to_owned()),
        None => {}
    }
    because
}

/// `None` for a budget that is kept.
fn budget(budget: &BudgetVerdict) -> Option<String> {
    let limit = amount(budget.limit, budget.metric);
    let name = budget.metric.name();
    Some(match (budget.verdict, budget.value) {
        (GateVerdict::Broken, Some(value)) => format!(
            "{name} {}{} exceeds the budget of {limit}",
            amount(value, budget.metric),
            interval(budget)
        ),
        (GateVerdict::Inconclusive, Some(value)) => format!(
            "{name} {}{} may exceed the budget of {limit}",
            amount(value, budget.metric),
            interval(budget)
        ),
        (GateVerdict::Inconclusive, None) => {
            format!("{name} was not measured, so its budget of {limit} is open")
        }
        _ => return None,
    })
}

fn interval(budget: &BudgetVerdict) -> String {
    match (budget.low, budget.high) {
        (Some(low), Some(high)) => {
            format!(" ({}–{}, n={})", amount(low, budget.metric), amount(high, budget.metric), budget.n)
        }
        _ => String::new(),
    }
}

fn change(change: &Change, margin: f64) -> Option<String> {
    let judged = &change.judged;
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let value = percent(judged.ratio.value);
    let told = match (judged.ratio.low, judged.ratio.high) {
        (Some(low), Some(high)) => format!("{value:+.1} % ({:+.1} to {:+.1} %)", percent(low), percent(high)),
        _ => format!("{value:+.1} %"),
    };
    let name = judged.metric.name();
    match (change.verdict, judged.verdict) {
        (GateVerdict::Broken, _) => Some(format!("{name} is worse than the baseline: {told}")),
        (GateVerdict::Inconclusive, Verdict::Worse) => {
            Some(format!("{name} looks worse ({told}), but that is not proven"))
        }
        (_, Verdict::Worse) => {
            Some(format!("{name} is worse by less than the margin of {:.3} %: {told}", margin * 100.0))
        }
        (_, Verdict::Better) => Some(format!("{name} is better: {told}")),
        _ => None,
    }
}

/// A metric's value for a sentence.
fn amount(value: f64, metric: Metric) -> String {
    match metric.unit() {
        Unit::Seconds if value < 1.0 => format!("{:.1} ms", value * 1e3),
        Unit::Seconds => format!("{value:.2} s"),
        Unit::Bytes => format!("{:.1} MiB", value / f64::from(1 << 20)),
        Unit::One if value >= 1e6 => format!("{:.2} M", value / 1e6),
        Unit::One => format!("{value:.0}"),
    }
}
