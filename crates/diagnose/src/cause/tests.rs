//! The rules themselves: ids, metrics, and the duty to reject.

use std::collections::BTreeSet;

use model::answer::State;

use super::Kind;
use super::judge::weigh;
use super::metrics::METRICS;
use super::rules::{CAUSES, explained};
use super::subject::Subject;

#[test]
fn every_metric_of_a_rule_is_one_that_facts_know() {
    let known: BTreeSet<&str> = METRICS.iter().map(|(name, _)| *name).collect();
    for cause in CAUSES {
        for condition in cause.gates.iter().chain(cause.supports).chain(cause.rejects) {
            assert!(known.contains(condition.metric), "{}: {}", cause.id, condition.metric);
        }
        assert!(cause.part.is_none_or(|part| known.contains(part)), "{}", cause.id);
    }
}

#[test]
fn every_cause_can_be_rejected_and_has_a_page_and_a_fix() {
    let mut ids = BTreeSet::new();
    for cause in CAUSES {
        assert!(ids.insert(cause.id), "{} twice", cause.id);
        assert!(!cause.gates.is_empty() || !cause.rejects.is_empty(), "{} cannot be rejected", cause.id);
        assert!(!cause.supports.is_empty(), "{} has no support", cause.id);
        assert!(!cause.fixes.is_empty() && !cause.page.what.is_empty(), "{}", cause.id);
    }
}

/// Metrics that others are made of, or that the chain of an answer cites.
const BUILDING: [&str; 2] = ["loops", "peer.database"];

#[test]
fn every_metric_serves_a_rule_or_the_chain() {
    let named: BTreeSet<&str> = CAUSES
        .iter()
        .flat_map(|cause| cause.gates.iter().chain(cause.supports).chain(cause.rejects))
        .map(|condition| condition.metric)
        .chain(CAUSES.iter().filter_map(|cause| cause.part))
        .collect();
    for (name, _) in METRICS {
        let cited = name.starts_with("leaf.") || name.starts_with("kernel.") || BUILDING.contains(name);
        assert!(cited || named.contains(name), "{name} is noted for nobody");
    }
}

#[test]
fn what_a_runtime_copies_is_no_copying_of_its_programs() {
    let exact = model::profile::Share { value: 0.4, low: 0.4, high: 0.4 };
    let judged = |runtimes: f64| {
        let mut subject = Subject::new(Kind::Computing, None, exact);
        for (name, value) in [("wall", 0.4), ("leaf.copy", 0.8), ("runtimes", runtimes)] {
            subject.number(name, value, "1", ("recording", "recorder"));
        }
        let cause = explained("copy-volume").unwrap();
        weigh(cause, &subject).state
    };
    assert_eq!((judged(0.0), judged(1.0)), (State::Likely, State::Rejected));
}
