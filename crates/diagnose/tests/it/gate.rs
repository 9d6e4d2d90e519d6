//! Budgets and baselines on made samples: what breaks, what does not, and what fresh runs take back.

use model::compare::Comparable;
use model::fingerprint::Fingerprint;
use model::gate::{Against, Asked, AskedScenario, Baseline, Gate, GateVerdict, Series};
use model::manifest::{Kind, Manifest};
use model::scenario::Budget;
use model::{Bytes, Metric, Sample, Stage};

use diagnose::gate::{Measured, Runs, gate, wants_again};

use crate::made::{blocks, manifest, nanos, sample};

fn asked(name: &str) -> AskedScenario {
    AskedScenario {
        name: name.to_owned(),
        command: name.to_owned(),
        margin: 0.05,
        budgets: Vec::new(),
        folder: String::new(),
        baseline: None,
        failed: None,
        new: None,
    }
}

/// Runs of one program with this wall time and this memory, and a wobble of a percent.
fn runs(n: u32, seconds: f64, mebibytes: u64) -> Vec<Sample> {
    let run = |order: u32| Sample {
        wall: nanos(seconds * (1.0 + 0.002 * f64::from(order * 7 % 5))),
        peak_rss: Bytes::from_bytes(mebibytes << 20),
        ..sample(0, order, Some(order / 2), Stage::Measure)
    };
    (0..n).map(run).collect()
}

fn series(samples: &[Sample]) -> Vec<Series> {
    let of = |metric: Metric| Series {
        metric,
        values: samples.iter().filter_map(|sample| metric.of(sample)).collect(),
    };
    [Metric::Wall, Metric::Rss].map(of).into()
}

struct Case {
    manifest: Manifest,
    samples: Vec<Sample>,
    again: Option<Vec<Sample>>,
    asked: AskedScenario,
}

impl Case {
    fn alone(samples: Vec<Sample>, asked: AskedScenario) -> Self {
        Self { manifest: manifest(Kind::Bench, &["x"]), samples, again: None, asked }
    }
}

fn judged(against: Against, cases: &[Case]) -> Gate {
    let measured: Vec<Measured<'_>> = cases
        .iter()
        .map(|case| Measured {
            asked: &case.asked,
            runs: Some(Runs { manifest: &case.manifest, samples: &case.samples, counted: &[] }),
            again: case.again.as_ref().map(|again| Runs {
                manifest: &case.manifest,
                samples: again,
                counted: &[],
            }),
            findings: Vec::new(),
        })
        .collect();
    let asked = Asked { baseline: against, scenarios: Vec::new(), warnings: Vec::new() };
    gate(&manifest(Kind::Gate, &[]), &asked, &measured, &[])
}

fn budgeted(limit: f64) -> AskedScenario {
    AskedScenario { budgets: vec![Budget { metric: Metric::Wall, limit }], ..asked("x") }
}

#[test]
fn a_budget_is_broken_only_when_the_whole_interval_is_above_it_twice() {
    let first = judged(Against::Nothing, &[Case::alone(runs(12, 0.010, 8), budgeted(0.005))]);
    assert_eq!(first.verdict, GateVerdict::Broken);
    assert!(wants_again(&first.scenarios[0]));
    let repeated =
        Case { again: Some(runs(12, 0.010, 8)), ..Case::alone(runs(12, 0.010, 8), budgeted(0.005)) };
    let repeated = judged(Against::Nothing, &[repeated]);
    assert_eq!((repeated.verdict, repeated.scenarios[0].repeated), (GateVerdict::Broken, Some(true)));
    assert!(!wants_again(&repeated.scenarios[0]));
    let taken_back =
        Case { again: Some(runs(12, 0.004, 8)), ..Case::alone(runs(12, 0.010, 8), budgeted(0.005)) };
    let taken_back = judged(Against::Nothing, &[taken_back]);
    assert_eq!(
        (taken_back.verdict, taken_back.scenarios[0].repeated),
        (GateVerdict::Inconclusive, Some(false))
    );
    assert_eq!(
        judged(Against::Nothing, &[Case::alone(runs(12, 0.010, 8), budgeted(0.1))]).verdict,
        GateVerdict::Holds
    );
    let between = judged(Against::Nothing, &[Case::alone(runs(12, 0.010, 8), budgeted(0.01003))]);
    assert_eq!(between.verdict, GateVerdict::Inconclusive, "{}", between.summary);
}

#[test]
fn what_was_not_measured_keeps_its_budget_open() {
    let limit = Budget { metric: Metric::Instructions, limit: 1e9 };
    let gate = judged(
        Against::Nothing,
        &[Case::alone(runs(12, 0.010, 8), AskedScenario { budgets: vec![limit], ..asked("x") })],
    );
    assert_eq!(gate.verdict, GateVerdict::Inconclusive);
    assert!(gate.scenarios[0].because[0].contains("not measured"), "{:?}", gate.scenarios[0].because);
}

fn held(name: &str, base: &[Sample], fingerprint: Fingerprint) -> AskedScenario {
    AskedScenario {
        baseline: Some(Baseline { name: name.to_owned(), fingerprint, series: series(base) }),
        ..asked(name)
    }
}

fn stored() -> Against {
    Against::Stored { name: "base.json".to_owned() }
}

#[test]
fn a_stored_baseline_breaks_after_fresh_runs_and_a_missing_one_is_new() {
    let base = runs(12, 0.010, 8);
    let worse = || Case::alone(runs(12, 0.012, 8), held("x", &base, Fingerprint::default()));
    let first = judged(stored(), &[worse()]);
    assert_eq!(first.verdict, GateVerdict::Broken, "{:#?}", first.scenarios);
    assert!(wants_again(&first.scenarios[0]));
    let repeated = judged(stored(), &[Case { again: Some(runs(12, 0.012, 8)), ..worse() }]);
    assert_eq!(repeated.verdict, GateVerdict::Broken);
    let taken_back = judged(stored(), &[Case { again: Some(runs(12, 0.010, 8)), ..worse() }]);
    assert_eq!(taken_back.verdict, GateVerdict::Inconclusive);
    let new = judged(stored(), &[Case::alone(base.clone(), asked("x"))]);
    assert_eq!((new.verdict, new.scenarios[0].verdict), (GateVerdict::Holds, GateVerdict::New));
    let same = judged(stored(), &[Case::alone(base.clone(), held("x", &base, Fingerprint::default()))]);
    assert_eq!(same.verdict, GateVerdict::Holds, "{:#?}", same.scenarios);
}

#[test]
fn another_machine_is_not_comparable() {
    let mut other = Fingerprint::default();
    other.machine.cpu_model = Some("another".to_owned());
    let base = runs(12, 0.010, 8);
    let mut case = Case::alone(base.clone(), held("x", &base, other));
    case.manifest.fingerprint.machine.cpu_model = Some("this one".to_owned());
    let gate = judged(stored(), &[case]);
    assert_eq!(
        (gate.verdict, gate.scenarios[0].comparable),
        (GateVerdict::NotComparable, Some(Comparable::Not))
    );
}

/// A revision and the new one in shared blocks.
fn in_turns(cpu: fn(u32) -> f64) -> Case {
    Case {
        manifest: manifest(Kind::Compare, &["base", "new"]),
        samples: blocks(0, 15, cpu, cpu),
        again: None,
        asked: asked("x"),
    }
}

#[test]
fn a_true_regression_survives_the_correction_of_a_large_suite() {
    let against = || Against::Revision { name: "main".to_owned() };
    let mut suite: Vec<Case> = (0..40).map(|_| in_turns(|_| 1.0)).collect();
    suite.push(in_turns(|_| 1.10));
    let gate = judged(against(), &suite);
    assert_eq!(gate.verdict, GateVerdict::Broken, "{}", gate.summary);
    let (last, others) = gate.scenarios.split_last().unwrap();
    assert!(others.iter().all(|one| one.verdict == GateVerdict::Holds), "{}", gate.summary);
    let wall = last.changes.iter().find(|change| change.judged.metric == Metric::Wall).unwrap();
    assert!(wall.adjusted_p.unwrap() < 0.05 && wall.judged.confirmed == Some(true), "{wall:#?}");
    assert!(!wants_again(last), "blocks were confirmed as they were measured");
    // Proven, but smaller than the margin.
    let small = judged(against(), &[in_turns(|_| 1.03)]);
    assert_eq!(small.verdict, GateVerdict::Holds, "{:#?}", small.scenarios);
    assert!(small.scenarios[0].because.iter().any(|text| text.contains("less than the margin")));
}

#[test]
fn too_few_pairs_are_told_as_such() {
    let few = Case { samples: blocks(0, 4, |_| 2.0, |_| 2.0), ..in_turns(|_| 1.0) };
    let gate = judged(Against::Revision { name: "main".to_owned() }, &[few]);
    assert_eq!(gate.verdict, GateVerdict::Inconclusive);
    let because = &gate.scenarios[0].because;
    assert!(because[0].contains("8 pairs cannot prove one"), "{because:?}");
}

#[test]
fn a_scenario_that_failed_breaks_the_gate() {
    let question = AskedScenario { failed: Some("exit status 3".to_owned()), ..asked("x") };
    let measured = [Measured { asked: &question, runs: None, again: None, findings: Vec::new() }];
    let asked = Asked { baseline: Against::Nothing, scenarios: Vec::new(), warnings: Vec::new() };
    let gate = gate(&manifest(Kind::Gate, &[]), &asked, &measured, &[]);
    assert_eq!((gate.verdict, gate.scenarios[0].verdict), (GateVerdict::Broken, GateVerdict::Failed));
}
