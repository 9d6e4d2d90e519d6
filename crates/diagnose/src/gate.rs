//! Measured scenarios → do they keep their budgets and their speed?
//!
//! A budget is broken when the whole interval of the median lies above it, and fresh runs say so again. A change is
//! broken when it is proven, larger than the margin, and survives the correction for the number of questions asked.

mod change;
mod words;

use model::answer::Finding;
use model::bench::Warning;
use model::compare::{Comparable, Difference, MetricVerdict, Verdict};
use model::gate::{
    Against, Asked, AskedScenario, BudgetVerdict, Change, Gate, GateVerdict, SCHEMA, ScenarioVerdict,
};
use model::manifest::Manifest;
use model::sample::Counted;
use model::scenario::Budget;
use model::{Gap, Metric, Sample};
use stats::Values;

use crate::pool::Pool;

/// The runs of one sitting.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    pub manifest: &'a Manifest,
    pub samples: &'a [Sample],
    pub counted: &'a [Counted],
}

/// All that was measured of one scenario.
#[derive(Clone, Debug)]
pub struct Measured<'a> {
    pub asked: &'a AskedScenario,
    /// `None` when it failed.
    pub runs: Option<Runs<'a>>,
    /// Fresh runs, made because the first ones broke something.
    pub again: Option<Runs<'a>>,
    pub findings: Vec<Finding>,
}

impl Measured<'_> {
    /// The arm that holds what is gated: the second where a revision is the first.
    fn arm(runs: &Runs<'_>) -> u32 {
        u32::from(runs.manifest.arms.len() > 1)
    }
}

/// Concludes a run of `gate`.
#[must_use]
pub fn gate(manifest: &Manifest, asked: &Asked, measured: &[Measured<'_>], gaps: &[Gap]) -> Gate {
    let scenarios = scenarios(&asked.baseline, measured);
    let worst = scenarios.iter().map(|scenario| scenario.verdict).max().unwrap_or(GateVerdict::Holds);
    let verdict = match worst {
        GateVerdict::Failed => GateVerdict::Broken,
        GateVerdict::New => GateVerdict::Holds,
        other => other,
    };
    Gate {
        schema: SCHEMA.to_owned(),
        run: manifest.id.clone(),
        seed: manifest.seed,
        verdict,
        summary: words::summary(verdict, &scenarios),
        warnings: asked.warnings.iter().cloned().chain(drift(&asked.baseline, &scenarios)).collect(),
        baseline: asked.baseline.clone(),
        scenarios,
        gaps: gaps.to_vec(),
    }
}

/// Each scenario's verdict. The changes of all are corrected together, so they are judged together.
pub fn scenarios(against: &Against, measured: &[Measured<'_>]) -> Vec<ScenarioVerdict> {
    let first = change::judged(measured.iter().map(|one| (one.asked, one.runs.as_ref())));
    let again = change::judged(measured.iter().map(|one| (one.asked, one.again.as_ref())));
    measured
        .iter()
        .zip(first.into_iter().zip(again))
        .map(|(one, (first, again))| scenario(against, one, first, &again))
        .collect()
}

fn scenario(
    against: &Against,
    measured: &Measured<'_>,
    mut changes: Vec<Change>,
    again: &[Change],
) -> ScenarioVerdict {
    let asked = measured.asked;
    let (comparable, differences) = comparability(measured);
    let mut budgets: Vec<BudgetVerdict> =
        asked.budgets.iter().map(|limit| budget(limit, measured.runs.as_ref())).collect();
    let mut repeated = None;
    if let Some(fresh) = measured.again.as_ref() {
        let told = broken(&budgets, &changes);
        for budget_verdict in &mut budgets {
            let limit = Budget { metric: budget_verdict.metric, limit: budget_verdict.limit };
            withdraw(&mut budget_verdict.verdict, budget(&limit, Some(fresh)).verdict);
        }
        for change in changes.iter_mut().filter(|change| is_unconfirmed(change)) {
            let other = again.iter().find(|other| other.judged.metric == change.judged.metric);
            withdraw(&mut change.verdict, other.map_or(GateVerdict::Inconclusive, |other| other.verdict));
        }
        repeated = told.then(|| broken(&budgets, &changes));
    }
    let mut this = ScenarioVerdict {
        name: asked.name.clone(),
        command: asked.command.clone(),
        verdict: GateVerdict::Holds,
        because: Vec::new(),
        budgets,
        changes,
        comparable,
        differences,
        repeated,
        findings: measured.findings.clone(),
        n: measured.runs.as_ref().map_or(0, |runs| pool(runs).n()),
        measured_s: measured.runs.as_ref().map_or(0.0, seconds),
    };
    this.verdict = verdict(against, measured, &this);
    this.because = words::because(against, asked, &this);
    this
}

fn broken(budgets: &[BudgetVerdict], changes: &[Change]) -> bool {
    let of_budgets = budgets.iter().map(|budget| budget.verdict);
    of_budgets
        .chain(changes.iter().map(|change| change.verdict))
        .any(|verdict| verdict == GateVerdict::Broken)
}

/// Whether fresh runs are due: something looks broken that no fresh runs have repeated yet.
#[must_use]
pub fn wants_again(scenario: &ScenarioVerdict) -> bool {
    let unconfirmed = scenario.changes.iter().filter(|change| is_unconfirmed(change));
    let verdicts = scenario.budgets.iter().map(|budget| budget.verdict);
    scenario.repeated.is_none()
        && verdicts
            .chain(unconfirmed.map(|change| change.verdict))
            .any(|verdict| verdict == GateVerdict::Broken)
}

/// Shared blocks are confirmed as they are measured, and counts repeat; the rest needs fresh runs.
fn is_unconfirmed(change: &Change) -> bool {
    change.judged.confirmed.is_none() && change.judged.metric != Metric::Instructions
}

/// What fresh runs do not repeat is not claimed.
fn withdraw(verdict: &mut GateVerdict, fresh: GateVerdict) {
    if *verdict == GateVerdict::Broken && fresh != GateVerdict::Broken {
        *verdict = GateVerdict::Inconclusive;
    }
}

fn verdict(against: &Against, measured: &Measured<'_>, scenario: &ScenarioVerdict) -> GateVerdict {
    if measured.runs.is_none() {
        return GateVerdict::Failed;
    }
    if broken(&scenario.budgets, &scenario.changes) {
        return GateVerdict::Broken;
    }
    let of_budgets = scenario.budgets.iter().map(|budget| budget.verdict).max();
    let of_changes = match against {
        _ if scenario.comparable == Some(Comparable::Not) => GateVerdict::NotComparable,
        Against::Stored { .. } if measured.asked.baseline.is_none() => GateVerdict::New,
        Against::Revision { .. } if measured.asked.new.is_some() => GateVerdict::New,
        Against::Nothing if scenario.budgets.is_empty() => GateVerdict::New,
        Against::Nothing => GateVerdict::Holds,
        _ => unchanged(measured, &scenario.changes),
    };
    of_budgets.into_iter().fold(of_changes, GateVerdict::max)
}

/// "Holds" needs a metric that speaks for the program's time, as in any comparison.
fn unchanged(measured: &Measured<'_>, changes: &[Change]) -> GateVerdict {
    let withdrawn =
        changes.iter().any(|change| change.verdict == GateVerdict::Inconclusive && claimed(change));
    let metrics: Vec<MetricVerdict> = changes.iter().map(|change| change.judged.clone()).collect();
    let cpu_share = measured.runs.as_ref().and_then(|runs| crate::compare::cpu_share(&pool(runs)));
    match crate::overall::overall(&metrics, None, cpu_share).verdict {
        _ if withdrawn => GateVerdict::Inconclusive,
        Verdict::Inconclusive => GateVerdict::Inconclusive,
        _ => GateVerdict::Holds,
    }
}

fn claimed(change: &Change) -> bool {
    change.judged.verdict == Verdict::Worse
}

/// A stored baseline comes from a machine of its own; within one sitting there is only one machine.
fn comparability(measured: &Measured<'_>) -> (Option<Comparable>, Vec<Difference>) {
    match (measured.asked.baseline.as_ref(), measured.runs.as_ref()) {
        (Some(base), Some(runs)) => {
            let (comparable, differences) =
                crate::comparable::comparable(&base.fingerprint, &runs.manifest.fingerprint);
            (Some(comparable), differences)
        }
        _ => (None, Vec::new()),
    }
}

/// The median against its limit, by its interval; fewer than six runs have none, and their range stands in.
fn budget(limit: &Budget, runs: Option<&Runs<'_>>) -> BudgetVerdict {
    let values = runs.and_then(|runs| values(runs, limit.metric));
    let Some(values) = values else {
        return BudgetVerdict {
            metric: limit.metric,
            limit: limit.limit,
            value: None,
            low: None,
            high: None,
            n: 0,
            verdict: GateVerdict::Inconclusive,
        };
    };
    let summary = crate::summary::summary(limit.metric, &values);
    let (low, high) = match summary.interval {
        Some(interval) => (interval.low, interval.high),
        None => (summary.min, summary.max),
    };
    let verdict = if low > limit.limit {
        GateVerdict::Broken
    } else if high <= limit.limit {
        GateVerdict::Holds
    } else {
        GateVerdict::Inconclusive
    };
    BudgetVerdict {
        metric: limit.metric,
        limit: limit.limit,
        value: Some(summary.median),
        low: Some(low),
        high: Some(high),
        n: summary.n,
        verdict,
    }
}

fn values(runs: &Runs<'_>, metric: Metric) -> Option<Values> {
    if metric == Metric::Instructions {
        let arms = runs.manifest.arms.len();
        let arm = Measured::arm(runs) as usize;
        return crate::counted::values(runs.counted, arm, &runs.manifest.settings, arms);
    }
    pool(runs).values(metric)
}

fn pool<'a>(runs: &Runs<'a>) -> Pool<'a> {
    Pool::of(runs.samples, Measured::arm(runs))
}

fn seconds(runs: &Runs<'_>) -> f64 {
    runs.samples.iter().map(|sample| sample.wall.as_secs_f64()).sum()
}

fn drift(against: &Against, scenarios: &[ScenarioVerdict]) -> Option<Warning> {
    let compared = scenarios.iter().any(|scenario| !scenario.changes.is_empty());
    (matches!(against, Against::Stored { .. }) && compared).then(|| Warning {
        id: "separate-sittings".to_owned(),
        text: "the baseline was measured at another time; drift since then is not in the intervals"
            .to_owned(),
        next: Some("measure both in turns: `slowpath gate --rev BASE`".to_owned()),
    })
}
