//! Every cause that was considered, as a suspicion with its verdict; and what to change where one is confirmed.

use model::answer::{Answer, Evidence, Finding, Hypothesis, State};
use model::performance_map::{Cited, Suspicion, SuspicionVerdict};
use model::profile::Place;

/// Findings one by one, for a cause may be true at several places; then the causes that are no finding.
pub(super) fn stack(answer: &Answer) -> Vec<Suspicion> {
    let found = answer.findings.iter().map(|finding| of_finding(finding, answer));
    let is_found = |id: &str| answer.findings.iter().any(|finding| finding.cause == id);
    let others = answer.hypotheses.iter().filter(|hypothesis| !is_found(&hypothesis.id));
    found.chain(others.map(|hypothesis| of_hypothesis(hypothesis, answer))).collect()
}

/// What the confirmed causes ask for.
pub(super) fn hints(answer: &Answer) -> Vec<String> {
    let confirmed = answer.findings.iter().filter(|finding| finding.state == State::Confirmed);
    confirmed.map(|finding| finding.prescription.clone()).filter(|hint| !hint.is_empty()).collect()
}

fn of_finding(finding: &Finding, answer: &Answer) -> Suspicion {
    let reasons: Vec<&str> = finding.because.iter().map(|reason| reason.what.as_str()).collect();
    Suspicion {
        category: category(&finding.cause).to_owned(),
        cause: finding.cause.clone(),
        location: finding.location.as_ref().and_then(location),
        description: finding.summary.clone(),
        verdict: verdict(finding.state),
        evidence: cited(&finding.evidence, answer),
        verification_note: format!("{}; check a change with `{}`", reasons.join("; "), finding.verify),
    }
}

fn of_hypothesis(hypothesis: &Hypothesis, answer: &Answer) -> Suspicion {
    let cause = crate::cause::explained(&hypothesis.id);
    let next = hypothesis.next.as_ref().map(|next| format!("; to tell more: `{next}`"));
    Suspicion {
        category: category(&hypothesis.id).to_owned(),
        cause: hypothesis.id.clone(),
        location: hypothesis.location.as_ref().and_then(location),
        description: cause.map_or_else(|| hypothesis.id.clone(), |cause| cause.page.what.to_owned()),
        verdict: verdict(hypothesis.state),
        evidence: cited(&hypothesis.evidence, answer),
        verification_note: format!("{}{}", hypothesis.because, next.unwrap_or_default()),
    }
}

fn location(place: &Place) -> Option<String> {
    let file = place.file.as_ref()?;
    Some(place.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")))
}

fn verdict(state: State) -> SuspicionVerdict {
    match state {
        State::Confirmed => SuspicionVerdict::Confirmed,
        State::Likely => SuspicionVerdict::Likely,
        State::Possible => SuspicionVerdict::Possible,
        State::Rejected => SuspicionVerdict::Dismissed,
        State::Untestable => SuspicionVerdict::Untested,
    }
}

fn cited(ids: &[String], answer: &Answer) -> Vec<Cited> {
    let known = |id: &String| answer.evidence.iter().find(|evidence| evidence.id == *id);
    let cite = |evidence: &Evidence| Cited {
        id: evidence.id.clone(),
        metric: evidence.metric.clone(),
        value: evidence.value,
        unit: evidence.unit.clone(),
        samples: evidence.n,
    };
    ids.iter().filter_map(known).map(cite).collect()
}

/// The categories of ln-811's static pass.
fn category(cause: &str) -> &'static str {
    match cause {
        "connection-per-request" | "dns-stall" | "chatty-protocol" => "connection management",
        "n-plus-one" | "slow-query" | "small-io" | "copy-volume" | "cold-cache" | "cache-misses" => {
            "data flow"
        }
        "serial-calls"
        | "serial-fan-out"
        | "polling-sleep"
        | "lock-contention"
        | "lock-across-io"
        | "poor-parallelism"
        | "single-thread-bound"
        | "false-sharing" => "async patterns",
        "allocation-churn" | "memory-growth" | "gc-pressure" | "page-faults" | "spawn-storm"
        | "fsync-per-record" => "resource lifecycle",
        "debug-build" | "cpu-quota" | "oversubscription" => "configuration",
        "repeated-work" | "algorithmic-growth" | "regex-backtracking" | "syscall-storm" => "redundant work",
        "slow-peer" | "startup-dominated" => "architecture",
        _ => "open",
    }
}
