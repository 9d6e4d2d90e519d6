//! Instruction counts.

use diagnose::counted::{values, verdict, wandering};
use model::compare::Verdict;
use model::sample::Counted;
use model::{Count, Ended};

use crate::made::{arm, nanos, settings};

fn counts(all: &[(u32, u64)]) -> Vec<Counted> {
    all.iter()
        .enumerate()
        .map(|(order, (arm, instructions))| Counted {
            arm: *arm,
            order: u32::try_from(order).unwrap(),
            ended: Ended::Code(0),
            instructions: Count(*instructions),
            source: "cachegrind".to_owned(),
            processes: 1,
            wall: nanos(1.0),
        })
        .collect()
}

fn judged(all: &[(u32, u64)]) -> Verdict {
    verdict(&counts(all), &settings(), 2).unwrap().verdict
}

#[test]
fn exact_counts_decide_by_themselves() {
    assert_eq!(judged(&[(0, 1_000_000), (1, 1_005_000), (0, 1_000_000), (1, 1_005_000)]), Verdict::Worse);
    assert_eq!(judged(&[(0, 1_000_000), (1, 995_000)]), Verdict::Better);
    assert_eq!(judged(&[(0, 1_000_000), (1, 1_000_000)]), Verdict::NoChange);
    assert_eq!(judged(&[(0, 1_000_000), (1, 1_000_500)]), Verdict::NoChange, "less than a thousandth");
}

#[test]
fn counts_that_wander_over_one_another_prove_nothing() {
    assert_eq!(
        judged(&[(0, 1_000_000), (0, 1_060_000), (1, 1_010_000), (1, 1_070_000)]),
        Verdict::Inconclusive
    );
}

#[test]
fn an_uncounted_side_has_no_verdict() {
    assert_eq!(verdict(&counts(&[(0, 5)]), &settings(), 2), None);
}

#[test]
fn start_up_is_subtracted() {
    let mut settings = settings();
    settings.startup = Some(arm("empty"));
    let all = counts(&[(0, 1_100), (1, 1_200), (2, 1_000)]);
    let ratio = verdict(&all, &settings, 2).unwrap().ratio.value;
    assert!((ratio - 2.0).abs() < 1e-12, "{ratio}");
    assert!(
        values(&counts(&[(0, 900), (2, 1_000)]), 0, &settings, 2).is_none(),
        "start-up larger than the whole"
    );
}

#[test]
fn counts_that_do_not_repeat_are_warned_of() {
    let all = counts(&[(0, 1_000_000), (0, 1_000_000), (1, 1_000_000), (1, 1_002_000)]);
    assert_eq!(wandering(&all, 0), None);
    assert_eq!(wandering(&all, 1).unwrap().id, "counts-wander");
}
