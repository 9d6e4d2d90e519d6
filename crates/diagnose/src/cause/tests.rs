//! The rules themselves: ids, metrics, and the duty to reject.

use std::collections::BTreeSet;

use model::answer::State;
use model::profile::Place;
use model::recording::{Language, Owner};

use super::Kind;
use super::facts::exact;
use super::finding::prescription;
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
        assert!(!cause.rejects.is_empty(), "{} cannot be rejected", cause.id);
        assert!(!cause.supports.is_empty(), "{} has no support", cause.id);
        assert!(!cause.fixes.is_empty() && !cause.page.what.is_empty(), "{}", cause.id);
    }
}

#[test]
fn what_is_done_differently_in_each_language_is_told_for_several() {
    const LANGUAGES: [&str; 7] = ["c", "c++", "rust", "go", "python", "javascript", "java"];
    for cause in CAUSES.iter().filter(|cause| matches!(cause.class, "I/O-DB" | "I/O-Network" | "Cache")) {
        // Some are for one protocol: "http python".
        let language = |of: &str| of.rsplit(' ').next().is_some_and(|language| LANGUAGES.contains(&language));
        let told = cause.fixes.iter().filter(|(of, _)| language(of)).count();
        assert!(told >= 2, "{}: {told}", cause.id);
        assert_eq!(cause.fixes.first().map(|(language, _)| *language), Some(""), "{}", cause.id);
    }
}

#[test]
fn a_question_about_what_was_not_measured_is_a_sentence() {
    for (name, words) in METRICS {
        let asks = super::metrics::is_clause(name);
        // A clause has a verb behind its subject; a quantity begins with what is counted.
        let verb = words.split(' ').any(|word| {
            matches!(word, "is" | "are" | "has" | "goes" | "takes" | "waits" | "sleeps" | "asks" | "awaits")
                || word.ends_with('s') && !word.ends_with("ss")
        });
        assert!(!asks || verb, "{name}: {words}");
    }
    assert!(super::metrics::is_clause("machine.scattered"));
    assert!(!super::metrics::is_clause("threads.team") && !super::metrics::is_clause("leaf.own"));
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
fn what_to_do_follows_the_language_that_the_peer_was_asked_in() {
    let told = |id: &str, words: &[(&'static str, &str)]| {
        let place = Place {
            function: "lookup".to_owned(),
            file: Some("app.py".to_owned()),
            line: Some(4),
            module: None,
            language: Language::Python,
            owner: Owner::Project,
        };
        let mut subject = Subject::new(Kind::Waiting, Some(place.clone()), exact(0.8));
        words.iter().for_each(|(name, word)| subject.word(name, *word));
        let cause = CAUSES.iter().find(|cause| cause.id == id).unwrap();
        prescription(&weigh(cause, &subject), Some(&place))
    };
    let connects = |protocol: &str| told("connection-per-request", &[("protocol", protocol)]);
    assert!(connects("database").contains("one connection of the driver"), "{}", connects("database"));
    assert!(connects("http").contains("requests.Session"));
    let hidden = told("connection-per-request", &[]);
    assert!(!hidden.contains("requests.Session") && hidden.contains("keep the connection open"), "{hidden}");
    let slow = told("slow-query", &[("protocol", "database"), ("query", "`SELECT ? FROM t`")]);
    assert!(slow.contains("`EXPLAIN` `SELECT ? FROM t`;"), "{slow}");
    assert!(told("slow-query", &[("protocol", "database")]).contains("`EXPLAIN` the statement"));
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

#[test]
fn calls_that_were_compared_and_never_had_the_input_of_an_earlier_one_repeat_nothing() {
    let state = |same: Option<f64>, compiles: f64| {
        let mut subject = Subject::new(Kind::Computing, None, exact(0.6));
        for (name, value) in [("wall", 0.6), ("source.regex-compile", compiles)] {
            subject.number(name, value, "1", ("source", "source"));
        }
        same.iter().for_each(|same| subject.number("repeat.same", *same, "1", ("runtime", "runtime")));
        weigh(explained("repeated-work").unwrap(), &subject).state
    };
    assert_eq!((state(None, 0.0), state(Some(0.0), 0.0)), (State::Possible, State::Rejected));
    assert_eq!(state(Some(0.0), 1.0), State::Likely, "something else speaks for it");
}
