//! The dearest steps, with what is known of why: findings first, then places with much time of their own.

use model::answer::{Answer, Finding, State};
use model::performance_map::{Bottleneck, Priority, Step, StepType};
use model::profile::Place;

/// Bottlenecks named.
const MOST: usize = 3;

/// A step without a finding is named from this share of its own on.
const WORTH_PCT: f64 = 5.0;

pub(super) fn top(answer: &Answer, steps: &[Step]) -> Vec<Bottleneck> {
    let mut all = Vec::new();
    flatten(steps, &mut all);
    let sure = answer.findings.iter().filter(|finding| finding.state != State::Possible);
    let mut top: Vec<Bottleneck> = sure.take(MOST).filter_map(|finding| found(finding, &all)).collect();
    let mut own: Vec<&Step> =
        all.iter().copied().skip(1).filter(|step| step.self_share_pct >= WORTH_PCT).collect();
    own.sort_by(|one, other| other.self_share_pct.total_cmp(&one.self_share_pct));
    for step in own {
        // A finding covers the steps below its own.
        let covered = top.iter().any(|known| {
            step.id == known.step || (known.step != "1" && step.id.starts_with(&format!("{}.", known.step)))
        });
        if top.len() < MOST && !covered {
            top.push(plain(step));
        }
    }
    top
}

fn flatten<'a>(steps: &'a [Step], all: &mut Vec<&'a Step>) {
    for step in steps {
        all.push(step);
        flatten(&step.children, all);
    }
}

fn found(finding: &Finding, steps: &[&Step]) -> Option<Bottleneck> {
    let share = (finding.share.value * 1e4).round() / 100.0;
    Some(Bottleneck {
        step: step(finding, steps).to_owned(),
        kind: StepType::of_class(&finding.class)?,
        share,
        priority: Priority::of(share),
        description: finding.summary.clone(),
        cause: Some(finding.cause.clone()),
    })
}

/// The step that a finding is about: its place, the wait for a CPU, else the program.
fn step<'a>(finding: &Finding, steps: &[&'a Step]) -> &'a str {
    let place = finding.location.as_ref().and_then(|place| at(place, steps));
    let queue = || {
        let queues = ["cpu-quota", "steal", "noisy-neighbour", "oversubscription"];
        let step = steps.iter().find(|step| step.function == super::steps::QUEUE && step.id.len() == 3)?;
        queues.contains(&finding.cause.as_str()).then_some(step.id.as_str())
    };
    place.or_else(queue).unwrap_or("1")
}

/// The largest step of a place.
fn at<'a>(place: &Place, steps: &[&'a Step]) -> Option<&'a str> {
    let is_it = |step: &&&Step| {
        let file = step.location.as_deref().map(|location| match location.rsplit_once(':') {
            Some((file, line)) if line.bytes().all(|byte| byte.is_ascii_digit()) => file,
            _ => location,
        });
        step.function == place.function && file == place.file.as_deref()
    };
    let largest = |one: &&&Step, other: &&&Step| {
        one.time_share_pct.total_cmp(&other.time_share_pct).then_with(|| other.id.cmp(&one.id))
    };
    steps.iter().filter(is_it).max_by(largest).map(|step| step.id.as_str())
}

fn plain(step: &Step) -> Bottleneck {
    let at = step.location.as_ref().map(|location| format!(" ({location})")).unwrap_or_default();
    let whom = step.service.as_ref().map(|service| format!(", {service}")).unwrap_or_default();
    Bottleneck {
        step: step.id.clone(),
        kind: step.kind,
        share: step.self_share_pct,
        priority: Priority::of(step.self_share_pct),
        description: format!(
            "`{}`{at}{whom}: {:.0} % of wall time is its own; no cause was found",
            step.function, step.self_share_pct
        ),
        cause: None,
    }
}
