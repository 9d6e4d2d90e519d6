//! What the user believes, judged like any other hypothesis: on a number, and with what would refute it.

use model::Sample;
use model::answer::{Account, Answer, Evidence, Hypothesis, State};
use model::leaf::LEAVES;
use model::profile::Share;
use model::scenario::{Asked, Scenario};

use super::finding::amount;
use super::spread::Spread;
use crate::profile::wilson;

/// The class of a hypothesis that the user wrote.
const CLASS: &str = "Asked";

/// Adds the cost of a unit of work to the evidence and the user's hypotheses to the ledger. `hits` are those of the recorded run;
/// `None` without one.
pub(crate) fn add(answer: &mut Answer, scenario: Option<&Scenario>, samples: &[Sample], hits: Option<u64>) {
    let Some(scenario) = scenario else { return };
    answer.evidence.extend(per_unit(answer, scenario));
    let spread = Spread::of(samples);
    for asked in &scenario.hypotheses {
        let leaf = hits.and_then(|hits| leaf(&answer.account, &asked.metric, hits, spread));
        if let Some(leaf) = leaf.filter(|leaf| answer.evidence.iter().all(|one| one.metric != leaf.metric)) {
            answer.evidence.push(Evidence { id: next_id(&answer.evidence), ..leaf });
        }
    }
    let known = candidates(answer);
    answer.hypotheses.extend(scenario.hypotheses.iter().map(|asked| hypothesis(asked, &known)));
}

/// Wall time divided by the work of a run. `None` when nobody said how much that is.
fn per_unit(answer: &Answer, scenario: &Scenario) -> Option<Evidence> {
    let work = scenario.work.filter(|work| *work > 0.0)?;
    let wall = answer.evidence.iter().find(|evidence| evidence.metric == "wall")?;
    Some(Evidence {
        id: "w1".to_owned(),
        metric: format!("wall per {}", scenario.unit.as_deref().unwrap_or("unit")),
        value: wall.value / work,
        low: wall.low.map(|low| low / work),
        high: wall.high.map(|high| high / work),
        ..wall.clone()
    })
}

/// The share of a leaf of the recorded run's account, or of several that begin so, as evidence. A leaf that an account does not name
/// took nothing but what is unaccounted for.
fn leaf(account: &Account, name: &str, hits: u64, spread: Option<Spread>) -> Option<Evidence> {
    let is_named =
        |leaf: &str| leaf == name || leaf.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    let is_known = LEAVES.iter().any(|(_, leaf, _)| is_named(leaf));
    if !is_known || account.leaves.is_empty() {
        return None;
    }
    let leaves = account.leaves.iter().filter(|leaf| is_named(&leaf.leaf));
    let value = leaves.fold(0.0, |sum, leaf| sum + leaf.share);
    let exact = Share { value, low: value, high: value };
    let share = match spread {
        // Who computes is sampled; so is what was never seen.
        _ if name.starts_with("on-cpu/") || value <= 0.0 => wilson(value, hits as f64),
        Some(spread) => spread.widen(exact),
        None => exact,
    };
    let bounded = share.low < share.high;
    Some(Evidence {
        id: String::new(),
        metric: name.to_owned(),
        value,
        low: bounded.then_some(share.low),
        high: bounded.then(|| (share.high + account.unaccounted).min(1.0)),
        unit: "1".to_owned(),
        n: u32::try_from(hits).unwrap_or(u32::MAX),
        artifact: model::recording::RECORDING.to_owned(),
        source: "recorder, account of the run".to_owned(),
        coverage: Some(1.0 - account.unaccounted),
    })
}

/// The number after the last one.
fn next_id(evidence: &[Evidence]) -> String {
    let numbers = evidence.iter().filter_map(|one| one.id.strip_prefix('e')?.parse::<usize>().ok());
    format!("e{}", numbers.max().unwrap_or(0) + 1)
}

/// A number that a hypothesis may name.
struct Known {
    name: String,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
    unit: String,
    evidence: Option<String>,
}

/// All evidence, and the shares of an account without a recording by the leaf's name.
fn candidates(answer: &Answer) -> Vec<Known> {
    let evidence = answer.evidence.iter().map(|evidence| Known {
        name: evidence.metric.clone(),
        value: evidence.value,
        low: evidence.low,
        high: evidence.high,
        unit: evidence.unit.clone(),
        evidence: Some(evidence.id.clone()),
    });
    let leaves = answer.account.leaves.iter().map(|leaf| Known {
        name: leaf.leaf.clone(),
        value: leaf.share,
        low: None,
        high: None,
        unit: "1".to_owned(),
        evidence: None,
    });
    evidence.chain(leaves).collect()
}

fn hypothesis(asked: &Asked, known: &[Known]) -> Hypothesis {
    let of_run = format!("{} of run", asked.metric);
    let named = |name: &str| known.iter().find(|known| known.name == name);
    let found = named(&asked.metric).or_else(|| named(&of_run));
    let (state, number) = match found {
        None => (State::Untestable, format!("`{}` was not measured", asked.metric)),
        Some(known) => judged(asked, known),
    };
    Hypothesis {
        id: asked.id.clone(),
        class: CLASS.to_owned(),
        state,
        because: format!("{}: {number}", asked.claim),
        location: None,
        evidence: found.and_then(|known| known.evidence.clone()).into_iter().collect(),
        next: found
            .is_none()
            .then(|| "`--json` lists the evidence; `metric` names one of its `metric` fields".to_owned()),
    }
}

/// Refuted when the whole interval lies beyond a falsifier, confirmed when none of it does; likely where there is no interval.
fn judged(asked: &Asked, known: &Known) -> (State, String) {
    let (low, high) = (known.low.unwrap_or(known.value), known.high.unwrap_or(known.value));
    let number = format!("{} is {}{}", known.name, amount(known.value, &known.unit), interval(known));
    let bounds = [
        asked.refuted_below.map(|limit| (high < limit, low >= limit, "below", limit)),
        asked.refuted_above.map(|limit| (low > limit, high <= limit, "above", limit)),
    ];
    let limits: Vec<String> = bounds
        .iter()
        .flatten()
        .map(|(_, _, side, limit)| format!("refuted {side} {}", amount(*limit, &known.unit)))
        .collect();
    let state = if bounds.iter().flatten().any(|bound| bound.0) {
        State::Rejected
    } else if bounds.iter().flatten().all(|bound| bound.1) {
        // One observation may have been another.
        if known.low.is_some() { State::Confirmed } else { State::Likely }
    } else {
        State::Possible
    };
    (state, format!("{number}, {}", limits.join(", ")))
}

fn interval(known: &Known) -> String {
    match (known.low, known.high) {
        (Some(low), Some(high)) => {
            format!(" ({}–{})", amount(low, &known.unit), amount(high, &known.unit))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use model::answer::Leaf;

    use super::*;

    fn known(name: &str, value: f64, spread: Option<f64>) -> Known {
        Known {
            name: name.to_owned(),
            value,
            low: spread.map(|spread| value - spread),
            high: spread.map(|spread| value + spread),
            unit: "s".to_owned(),
            evidence: Some("e1".to_owned()),
        }
    }

    fn asked(metric: &str, below: Option<f64>, above: Option<f64>) -> Asked {
        Asked {
            id: "mine".to_owned(),
            claim: "parsing dominates".to_owned(),
            metric: metric.to_owned(),
            refuted_below: below,
            refuted_above: above,
        }
    }

    #[track_caller]
    fn check(asked: &Asked, known: &[Known], state: State) {
        let judged = hypothesis(asked, known);
        assert_eq!(judged.state, state, "{}", judged.because);
    }

    #[test]
    fn a_number_beyond_the_falsifier_rejects_and_one_within_confirms() {
        let known = [known("wall", 2.0, Some(0.1)), known("cpu of run", 1.0, None)];
        check(&asked("wall", Some(3.0), None), &known, State::Rejected);
        check(&asked("wall", Some(1.0), None), &known, State::Confirmed);
        check(&asked("wall", Some(2.05), None), &known, State::Possible);
        check(&asked("wall", None, Some(1.5)), &known, State::Rejected);
        check(&asked("wall", Some(1.0), Some(3.0)), &known, State::Confirmed);
        check(&asked("cpu", None, Some(0.5)), &known, State::Rejected);
        check(&asked("cpu", None, Some(1.5)), &known, State::Likely);
    }

    #[test]
    fn a_leaf_that_the_account_does_not_name_took_nothing_but_what_is_unaccounted_for() {
        let computing = Leaf { leaf: "on-cpu/user".to_owned(), seconds: 0.9, share: 0.9, parts: Vec::new() };
        let account =
            Account { unit: String::new(), leaves: vec![computing], unaccounted: 0.02, checks: Vec::new() };
        let of = |name: &str| leaf(&account, name, 1000, None);
        let lock = of("blocked/lock").expect("a leaf");
        assert_eq!((lock.value, lock.low), (0.0, Some(0.0)));
        assert!(lock.high.is_some_and(|high| (0.02..0.03).contains(&high)), "{lock:?}");
        let known = Known {
            name: lock.metric,
            low: lock.low,
            high: lock.high,
            unit: "1".to_owned(),
            ..known("", 0.0, None)
        };
        check(&asked("blocked/lock", Some(0.1), None), std::slice::from_ref(&known), State::Rejected);
        check(&asked("blocked/lock", Some(0.01), None), &[known], State::Possible);
        let user = of("on-cpu/user").expect("a leaf");
        assert!(user.low < Some(0.9) && user.high > Some(0.9), "who computes is sampled: {user:?}");
        assert_eq!(of("bananas"), None);
        assert!(of("blocked").is_some(), "all leaves of waiting");
    }

    #[test]
    fn what_was_not_measured_is_untestable_and_never_rejected() {
        check(&asked("rows", Some(3.0), None), &[known("wall", 2.0, None)], State::Untestable);
        check(&asked("wall", Some(3.0), None), &[], State::Untestable);
    }
}
