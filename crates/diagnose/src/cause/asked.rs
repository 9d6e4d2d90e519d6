//! What the user believes, judged like any other hypothesis: on a number, and with what would refute it.

use model::answer::{Answer, Evidence, Hypothesis, State};
use model::scenario::{Asked, Scenario};

use super::finding::amount;

/// The class of a hypothesis that the user wrote.
const CLASS: &str = "Asked";

/// Adds the cost of a unit of work to the evidence and the user's hypotheses to the ledger.
pub(crate) fn add(answer: &mut Answer, scenario: Option<&Scenario>) {
    let Some(scenario) = scenario else { return };
    answer.evidence.extend(per_unit(answer, scenario));
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

/// A number that a hypothesis may name.
struct Known {
    name: String,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
    unit: String,
    evidence: Option<String>,
}

/// All evidence, and the shares of the account by the leaf's name.
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
    let found = known.iter().find(|known| known.name == asked.metric || known.name == of_run);
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

/// Refuted when the whole interval lies beyond a falsifier, confirmed when none of it does.
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
        State::Confirmed
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
    }

    #[test]
    fn what_was_not_measured_is_untestable_and_never_rejected() {
        check(&asked("rows", Some(3.0), None), &[known("wall", 2.0, None)], State::Untestable);
        check(&asked("wall", Some(3.0), None), &[], State::Untestable);
    }
}
