//! Findings as bargains.

use diagnose::worklist::worklist;
use model::answer::{Answer, Finding, State};
use model::profile::Share;
use model::worklist::Effort;

use crate::answer::answered;

fn finding(cause: &str, state: State, share: f64) -> Finding {
    Finding {
        rank: 1,
        id: cause.to_owned(),
        class: "CPU".to_owned(),
        cause: cause.to_owned(),
        state,
        summary: String::new(),
        inside: None,
        location: None,
        share: Share { value: share, low: share, high: share }.into(),
        recoverable_s: share,
        at_most: Some(1.0 / (1.0 - share)),
        with: None,
        because: Vec::new(),
        chain: Vec::new(),
        evidence: vec!["e1".to_owned(), "unknown".to_owned()],
        prescription: "change it".to_owned(),
        verify: "slowpath verify".to_owned(),
    }
}

fn with(findings: Vec<Finding>) -> Answer {
    Answer { findings, ..answered(0.009, 0.0) }
}

#[test]
fn a_sure_and_cheap_change_stands_before_a_larger_and_dear_one() {
    let list = worklist(&with(vec![
        finding("single-thread-bound", State::Likely, 0.6),
        finding("debug-build", State::Confirmed, 0.3),
    ]));
    let told: Vec<(&str, u8, u8, Effort)> = list
        .opportunities
        .iter()
        .map(|one| (one.cause.as_str(), one.impact, one.confidence, one.effort))
        .collect();
    assert_eq!(told, [("debug-build", 4, 5, Effort::Minutes), ("single-thread-bound", 5, 3, Effort::Days)]);
    assert!((list.opportunities[0].score - 20.0).abs() < 1e-9);
    assert_eq!(list.opportunities[0].artifacts, ["tier1/samples.jsonl"]);
}

#[test]
fn a_small_share_is_never_worth_a_change() {
    let list = worklist(&with(vec![finding("debug-build", State::Confirmed, 0.03)]));
    assert!(list.opportunities[0].score >= 2.0 && !list.opportunities[0].act);
}
