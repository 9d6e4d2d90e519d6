//! What became of each cause in the whole run, with the number that decided and how much of the run that speaks for.

use std::cmp::Reverse;

use model::answer::{Hypothesis, State};

use super::coverage::HIDES;
use super::facts::Facts;
use super::finding::{Ledger, amount};
use super::judge::{Judged, micros};
use super::{Cause, Condition, Is, Kind};

/// A state with its reason and the evidence behind it.
type Decided = (State, String, Vec<String>);

/// The cause where it came closest to being true; rejected only where it was looked for in all but a twentieth of the run.
pub(super) fn hypothesis(
    cause: &'static Cause,
    all: &[Judged<'_>],
    facts: &Facts,
    ledger: &mut Ledger,
) -> Hypothesis {
    let of_cause: Vec<&Judged<'_>> = all.iter().filter(|judged| judged.cause.id == cause.id).collect();
    let closest = |judged: &&&Judged<'_>| (judged.weight_in_all(), Reverse(micros(judged.share)));
    let best = of_cause.iter().min_by_key(closest).copied();
    let open = best.filter(|best| best.is_open());
    let empty = if open.is_none() { nothing_to_take(cause, best, facts, ledger) } else { None };
    let (state, because, evidence) = match (empty, open, best) {
        (Some(empty), _, _) => empty,
        (None, Some(open), _) => {
            let (because, evidence) = because(open, &of_cause, facts, ledger);
            (open.state, because, evidence)
        }
        (None, None, Some(best)) => closed(best, &of_cause, facts, ledger),
        (None, None, None) => nowhere(cause, facts, ledger),
    };
    Hypothesis {
        id: cause.id.to_owned(),
        class: cause.class.to_owned(),
        state,
        because,
        location: open.and_then(|open| open.subject.place.clone()),
        evidence,
        next: cause
            .next
            .filter(|_| matches!(state, State::Possible | State::Untestable | State::Likely))
            .map(|next| facts.command(next)),
    }
}

/// Rejects a cause whose leaves are as good as empty in an account that closes. A place with a number of its own says more, and
/// one that could not be tested is not done away with.
fn nothing_to_take(
    cause: &Cause,
    best: Option<&Judged<'_>>,
    facts: &Facts,
    ledger: &mut Ledger,
) -> Option<Decided> {
    let leaves = cause.leaves();
    let plain = |judged: &Judged<'_>| {
        let metric = judged.against.and_then(|against| judged.subject.metrics.get(against.metric));
        judged.state == State::Rejected && metric.is_some_and(|metric| metric.unit == "yes")
            || judged.state == State::Untestable && judged.subject.wall.value < HIDES
    };
    if leaves.is_empty() || !best.is_none_or(plain) || facts.coverage.is_empty(&leaves) != Some(true) {
        return None;
    }
    // What hardly waits at all waits in no way.
    let waits = leaves.iter().all(|leaf| leaf.starts_with(BLOCKED));
    let leaves = match waits && facts.coverage.is_empty(&[BLOCKED]) == Some(true) {
        true => vec![BLOCKED],
        false => leaves,
    };
    let time = facts.coverage.time(&leaves);
    let names = names(&leaves);
    let id = ledger.cite_run(&format!("{names} of run"), time, facts.coverage.waits);
    Some((State::Rejected, format!("{names}: {} of wall time", few(time)), vec![id]))
}

/// All leaves of waiting.
const BLOCKED: &str = "blocked";

/// `blocked/network, poll, lock`.
fn names(leaves: &[&str]) -> String {
    let mut group = "";
    let told = leaves.iter().map(|leaf| match leaf.split_once('/') {
        Some((known, rest)) if known == group => rest,
        Some((known, _)) => {
            group = known;
            leaf
        }
        None => leaf,
    });
    told.collect::<Vec<_>>().join(", ")
}

/// A small share, which is told from none.
fn few(share: f64) -> String {
    if share > 0.0 && share < 0.01 { format!("{:.2} %", share * 100.0) } else { amount(share, "1") }
}

/// A cause without any subject is excluded where subjects of its kind were looked for.
fn nowhere(cause: &Cause, facts: &Facts, ledger: &mut Ledger) -> Decided {
    let coverage = &facts.coverage;
    let (computes, waits) = (cause.kinds.contains(&Kind::Computing), cause.kinds.contains(&Kind::Waiting));
    let untestable = |because: &str| (State::Untestable, because.to_owned(), Vec::new());
    if waits && !facts.looked.1 {
        return untestable("too little is known of what it waited for");
    }
    let computing = coverage.time(&["on-cpu"]);
    if computes && !facts.looked.0 && computing >= HIDES {
        return untestable("too few stacks on the CPU were seen");
    }
    let hidden = coverage.hidden(cause);
    if hidden >= HIDES {
        return untestable(&format!("what {} of wall time is spent on was not seen", amount(hidden, "1")));
    }
    let (mut told, mut evidence) = (Vec::new(), Vec::new());
    if computes && computing < HIDES {
        told.push(format!("it computes for {} of wall time", few(computing)));
        evidence.push(ledger.cite_run("on-cpu of run", computing, coverage.hits));
    } else if computes {
        told.push("no place computes for 2 % of wall time".to_owned());
        evidence.push(ledger.cite_run("largest computing of run", coverage.busiest, coverage.hits));
    }
    if waits {
        let aside = match coverage.aside {
            aside if aside < 0.01 => String::new(),
            aside => format!(", other than to be asked or of its runtime ({})", amount(aside.min(1.0), "1")),
        };
        told.push(format!("no place waits for 1 % of wall time{aside}"));
        evidence.push(ledger.cite_run("longest wait of run", coverage.longest, coverage.waits));
        if !aside.is_empty() {
            evidence.push(ledger.cite_run("waits to be asked of run", coverage.aside, coverage.waits));
        }
    }
    (State::Rejected, told.join("; "), evidence)
}

/// A cause that no place is open to: rejected, unless it could be where nobody looked.
fn closed(best: &Judged<'_>, of_cause: &[&Judged<'_>], facts: &Facts, ledger: &mut Ledger) -> Decided {
    let (mut because, evidence) = because(best, of_cause, facts, ledger);
    let hidden = hidden(best.cause, of_cause, facts);
    if best.state != State::Rejected || hidden < HIDES {
        return (best.state, because, evidence);
    }
    because.push_str(&format!("; {} of wall time, where it may be, was not seen", amount(hidden, "1")));
    (State::Untestable, because, evidence)
}

/// Share of wall time in which a cause may be and nobody could tell.
fn hidden(cause: &Cause, of_cause: &[&Judged<'_>], facts: &Facts) -> f64 {
    // The run as a whole is one subject, whose number is of all of it.
    if cause.kinds.contains(&Kind::Whole) {
        return 0.0;
    }
    let untested = of_cause.iter().filter(|judged| judged.state == State::Untestable);
    let untested = untested.fold(0.0, |sum, judged| sum + judged.subject.wall.value);
    (facts.coverage.hidden(cause) + untested).min(1.0)
}

/// The number that decided, in words.
fn because(
    judged: &Judged<'_>,
    of_cause: &[&Judged<'_>],
    facts: &Facts,
    ledger: &mut Ledger,
) -> (String, Vec<String>) {
    let decided = judged.against.or_else(|| judged.held.first().copied());
    let Some(condition) = decided else {
        return ("nothing speaks against it, and nothing for it".to_owned(), Vec::new());
    };
    let Some(metric) = judged.subject.metrics.get(condition.metric) else {
        return (format!("{} was not measured", asked(condition.metric)), Vec::new());
    };
    let limit = match condition.is {
        _ if metric.unit == "yes" => extent(judged, of_cause, condition, facts),
        Is::AtLeast(threshold) if !condition.is.holds(metric.value) => {
            format!(", less than {}", amount(threshold, metric.unit))
        }
        Is::AtMost(threshold) if !condition.is.holds(metric.value) => {
            format!(", more than {}", amount(threshold, metric.unit))
        }
        // What speaks against it does so from here on.
        Is::AtLeast(threshold) if judged.against.is_some() => {
            format!(", at least {}", amount(threshold, metric.unit))
        }
        Is::AtMost(threshold) if judged.against.is_some() => {
            format!(", at most {}", amount(threshold, metric.unit))
        }
        _ => String::new(),
    };
    let words = words_of(condition.metric);
    let value = amount(metric.value, metric.unit);
    let mut text = match (metric.unit, limit.is_empty()) {
        ("yes", false) if metric.value >= 0.5 => format!("{words}: so {limit}"),
        ("yes", false) => format!("{words}: not so {limit}"),
        _ => format!("{words}: {value}{limit}"),
    };
    let mut evidence = vec![ledger.cite(judged.subject, condition.metric, metric)];
    // What speaks for it all the same.
    for held in judged.held.iter().filter(|_| judged.state == State::Untestable) {
        if let Some(metric) = judged.subject.metrics.get(held.metric) {
            text.push_str(&format!(", but {}: {}", words_of(held.metric), amount(metric.value, metric.unit)));
            evidence.push(ledger.cite(judged.subject, held.metric, metric));
        }
    }
    (text, evidence)
}

/// How much of the run a yes or no speaks for: the places that answer alike, with their share, and what became of the others.
fn extent(judged: &Judged<'_>, of_cause: &[&Judged<'_>], condition: &Condition, facts: &Facts) -> String {
    if judged.against.is_none() {
        return String::new();
    }
    if judged.subject.kind == Kind::Whole {
        return format!("for {} of wall time", amount(judged.share.min(1.0), "1"));
    }
    let holds = |one: &Judged<'_>| one.subject.value(condition.metric).map(|value| condition.is.holds(value));
    let is_alike = |one: &&&Judged<'_>| holds(one) == holds(judged);
    let sum = |all: &mut dyn Iterator<Item = &&Judged<'_>>| -> (usize, f64) {
        all.fold((0, 0.0), |(n, sum), one| (n + 1, sum + one.subject.wall.value))
    };
    let (places, share) = sum(&mut of_cause.iter().filter(is_alike));
    let rejected = |one: &&&Judged<'_>| one.state == State::Rejected && !is_alike(one);
    let (_, otherwise) = sum(&mut of_cause.iter().filter(rejected));
    let places = match places {
        1 => "the place that takes".to_owned(),
        several => format!("the {several} places that take"),
    };
    let share = share.min(1.0);
    let mut told = format!("at {places} {} of wall time", amount(share, "1"));
    if otherwise >= 0.01 {
        told.push_str(&format!("; {} is excluded by other numbers", amount(otherwise.min(1.0), "1")));
    }
    let small = facts.coverage.time(&judged.cause.leaves())
        - share
        - otherwise
        - hidden(judged.cause, of_cause, facts);
    if small >= 0.01 {
        told.push_str(&format!(
            "; the other {} that it could take is in smaller places or of another kind",
            amount(small, "1")
        ));
    }
    told
}

/// What a metric asks, as the subject of a sentence.
fn asked(metric: &str) -> String {
    let words = words_of(metric);
    if super::metrics::is_clause(metric) { format!("whether {words}") } else { words }
}

/// A metric in words.
#[must_use]
pub fn words_of(metric: &str) -> String {
    super::metrics::METRICS
        .iter()
        .find(|(name, _)| *name == metric)
        .map_or_else(|| metric.to_owned(), |(_, words)| (*words).to_owned())
}

#[cfg(test)]
mod tests {
    use model::profile::Share;

    use super::super::coverage::Coverage;
    use super::super::judge::weigh;
    use super::super::rules::CAUSES;
    use super::super::subject::Subject;
    use super::*;

    fn cause(id: &str) -> &'static Cause {
        CAUSES.iter().find(|cause| cause.id == id).expect("a cause")
    }

    /// A place that takes this share, with numbers and plain answers.
    fn subject(kind: Kind, share: f64, numbers: &[(&'static str, f64, &'static str)]) -> Subject {
        let mut subject = Subject::new(kind, None, Share { value: share, low: share, high: share });
        subject.number("wall", share, "1", ("recording", "recorder"));
        for (name, value, unit) in numbers {
            subject.number(name, *value, unit, ("recording", "recorder"));
        }
        subject
    }

    fn told(id: &str, subjects: &[Subject], coverage: Coverage) -> Hypothesis {
        let facts = Facts::seen(coverage.clone(), (true, true));
        let all: Vec<Judged<'_>> = subjects.iter().map(|subject| weigh(cause(id), subject)).collect();
        hypothesis(cause(id), &all, &facts, &mut Ledger::new(1, coverage))
    }

    #[test]
    fn an_empty_leaf_of_an_account_that_closes_excludes_with_its_number() {
        let coverage = || Coverage::made(&[("on-cpu/user", 0.99), ("blocked/lock", 0.004)], 0.001);
        let lock = told("lock-contention", &[], coverage());
        assert_eq!((lock.state, lock.because.as_str()), (State::Rejected, "blocked: 0.40 % of wall time"));
        assert_eq!(lock.evidence, ["e1"]);
        let sleeps = Coverage::made(&[("blocked/sleep", 0.9), ("blocked/lock", 0.004)], 0.001);
        assert_eq!(told("lock-contention", &[], sleeps.clone()).because, "blocked/lock: 0.40 % of wall time");
        assert_eq!(
            told("slow-peer", &[], sleeps).because,
            "blocked/network, poll, lock: 0.40 % of wall time"
        );
        let open = Coverage::made(&[("on-cpu/user", 0.8)], 0.2);
        let hidden = told("lock-contention", &[], open);
        assert_eq!((hidden.state, hidden.evidence.len()), (State::Untestable, 0), "{}", hidden.because);
    }

    #[test]
    fn who_waits_to_be_asked_is_not_said_to_wait_nowhere() {
        let mut coverage = Coverage::made(&[("blocked/network", 1.0)], 0.0);
        coverage.aside = 1.0;
        let serial = told("serial-calls", &[], coverage.clone());
        assert_eq!(serial.state, State::Rejected);
        assert_eq!(
            serial.because,
            "no place waits for 1 % of wall time, other than to be asked or of its runtime (100 %)"
        );
        assert_eq!(serial.evidence.len(), 2);
        assert_eq!(told("lock-contention", &[], coverage).because, "blocked/lock: 0 % of wall time");
    }

    #[test]
    fn what_nobody_looked_at_is_not_excluded_by_what_somebody_did() {
        let asks = subject(Kind::Computing, 0.7, &[("database", 0.0, "yes")]);
        let leaves = [("on-cpu/user", 1.0)];
        let seen = told("n-plus-one", std::slice::from_ref(&asks), Coverage::made(&leaves, 0.0));
        assert_eq!(seen.state, State::Rejected);
        assert!(
            seen.because
                .ends_with("the other 30 % that it could take is in smaller places or of another kind")
        );
        let unseen = told("n-plus-one", &[asks], Coverage::made(&leaves, 0.06));
        assert_eq!(unseen.state, State::Untestable, "{}", unseen.because);
        assert!(unseen.because.ends_with("; 6 % of wall time, where it may be, was not seen"));
    }

    #[test]
    fn a_text_that_shows_no_query_does_not_outweigh_queries_that_were_seen() {
        let numbers: [(&'static str, f64, &'static str); 3] =
            [("database", 1.0, "yes"), ("source.query", 0.0, "yes"), ("peer.alike", 0.97, "1")];
        let coverage = || Coverage::made(&[("on-cpu/user", 1.0)], 0.0);
        let seen = told("n-plus-one", &[subject(Kind::Computing, 0.7, &numbers)], coverage());
        assert_eq!(seen.state, State::Untestable);
        assert!(
            seen.because.contains("not so at the place that takes 70 % of wall time"),
            "{}",
            seen.because
        );
        assert!(seen.because.contains("differ in their values only: 97 %"), "{}", seen.because);
        assert_eq!(seen.evidence.len(), 2);
        let unseen = told("n-plus-one", &[subject(Kind::Computing, 0.7, &numbers[..2])], coverage());
        assert_eq!(unseen.state, State::Rejected, "{}", unseen.because);
    }

    #[test]
    fn what_was_not_measured_is_told_as_a_sentence() {
        let numbers = [("leaf.own", 0.9, "1")];
        let dark = told(
            "cache-misses",
            &[subject(Kind::Computing, 0.7, &numbers)],
            Coverage::made(&[("on-cpu/user", 1.0)], 0.0),
        );
        assert_eq!(dark.state, State::Untestable);
        assert!(dark.because.starts_with("whether the hot l"), "{}", dark.because);
    }

    #[test]
    fn a_plain_no_tells_how_much_of_the_run_it_speaks_for() {
        let waiting = |share: f64, lock: f64| subject(Kind::Waiting, share, &[("wait.lock", lock, "yes")]);
        let told = |subjects: &[Subject], leaf: f64| {
            told("lock-contention", subjects, Coverage::made(&[("blocked/lock", leaf)], 0.0)).because
        };
        assert_eq!(
            told(&[waiting(0.31, 0.0)], 0.31),
            "it waits for a lock: not so at the place that takes 31 % of wall time"
        );
        assert_eq!(
            told(&[waiting(0.3, 0.0), waiting(0.2, 0.0)], 0.5),
            "it waits for a lock: not so at the 2 places that take 50 % of wall time"
        );
    }
}
