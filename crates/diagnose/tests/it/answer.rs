//! The first answer: how long, and how the first thread spent it.

use diagnose::answer::answer;
use model::answer::Answer;
use model::manifest::Kind;
use model::sample::MainThread;
use model::{Sample, Stage};

use crate::made::{manifest, nanos, sample};

/// The tree's CPU time is the first thread's and `helpers`.
fn answered_with(on_cpu: f64, runnable: f64, helpers: f64) -> Answer {
    let thread = MainThread { on_cpu: nanos(on_cpu), runnable: nanos(runnable) };
    let run = |order| Sample {
        wall: nanos(0.010),
        main_thread: Some(thread),
        user: nanos(on_cpu + helpers),
        system: nanos(0.0),
        ..sample(0, order, Some(order / 2), Stage::Measure)
    };
    answer(
        &manifest(Kind::Why, &["prog"]),
        &(0..8).map(run).collect::<Vec<_>>(),
        &[],
        &model::passes::Passes::default(),
        &[],
    )
    .unwrap()
}

pub(crate) fn answered(on_cpu: f64, runnable: f64) -> Answer {
    answered_with(on_cpu, runnable, 0.0)
}

#[test]
fn the_account_adds_up() {
    for (on_cpu, runnable) in [(0.010, 0.0), (0.004, 0.001), (0.0, 0.0), (0.0101, 0.0001)] {
        let account = answered(on_cpu, runnable).account;
        let share: f64 = account.leaves.iter().map(|leaf| leaf.share).sum();
        assert!((share + account.unaccounted - 1.0).abs() < 1e-9, "{on_cpu} {runnable}: {account:?}");
    }
}

#[test]
fn the_kind_of_problem_is_named_only_where_one_leaf_dominates() {
    assert_eq!(answered(0.009, 0.0).verdict.class.as_deref(), Some("CPU"));
    assert_eq!(answered(0.004, 0.001).verdict.class, None);
    let busy = answered(0.001, 0.009).verdict;
    assert!(busy.class.is_none() && busy.summary.contains("waits for a CPU"), "{busy:?}");
}

#[test]
fn a_first_thread_that_waits_for_its_helpers_computes() {
    let verdict = answered_with(0.001, 0.0, 0.008).verdict;
    assert_eq!(verdict.class.as_deref(), Some("CPU"), "{verdict:?}");
    let waiting = answered_with(0.001, 0.0, 0.001).verdict;
    assert_eq!(waiting.class, None, "{waiting:?}");
}

#[test]
fn without_scheduler_accounts_nothing_is_made_up() {
    let runs: Vec<Sample> = (0..8)
        .map(|order| Sample { main_thread: None, ..sample(0, order, Some(order / 2), Stage::Measure) })
        .collect();
    let answer =
        answer(&manifest(Kind::Why, &["prog"]), &runs, &[], &model::passes::Passes::default(), &[]).unwrap();
    assert!(answer.account.leaves.is_empty());
    assert!((answer.account.unaccounted - 1.0).abs() < 1e-12);
    assert_eq!(answer.verdict.state, "untestable");
}

#[test]
fn no_run_is_no_answer() {
    assert!(
        answer(&manifest(Kind::Why, &["prog"]), &[], &[], &model::passes::Passes::default(), &[]).is_none()
    );
}
