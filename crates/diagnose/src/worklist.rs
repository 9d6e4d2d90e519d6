//! An answer → what to do in which order: findings as bargains, places by time, hypotheses as a ledger.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use model::answer::{Answer, Evidence, Finding, Hypothesis, State};
use model::profile::{Hotspot, WaitSite};
use model::recording::RECORDING;
use model::worklist::{Cited, Effort, Entry, Opportunity, Row, SCHEMA, Worklist};

use crate::cause::explained;

/// Below this score the work is better spent on finding out more.
const ACT: f64 = 2.0;

/// Less than this share of wall time is not worth a change, however cheap: it saves a twentieth at most.
const WORTH: f64 = 0.05;

/// Places in the table.
const MOST: usize = 12;

#[must_use]
pub fn worklist(answer: &Answer) -> Worklist {
    let mut opportunities: Vec<Opportunity> =
        answer.findings.iter().map(|finding| opportunity(finding, &answer.evidence)).collect();
    // Equal scores: what saves more. Findings already stand in that order. What lies outside the program stands last.
    opportunities.sort_by_key(|one| (one.class == "External", Reverse(thousandths(one.score))));
    for (rank, one) in (1..).zip(&mut opportunities) {
        one.rank = rank;
    }
    Worklist {
        schema: SCHEMA.to_owned(),
        run: answer.run.clone(),
        wall_s: answer.wall.median_s,
        opportunities,
        hotspots: hotspots(answer),
        ledger: answer.hypotheses.iter().map(|one| entry(one, &answer.evidence)).collect(),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a score between 0 and 25")]
fn thousandths(score: f64) -> u32 {
    (score * 1000.0) as u32
}

fn opportunity(finding: &Finding, evidence: &[Evidence]) -> Opportunity {
    let impact = match finding.share.value {
        share if share < 0.05 => 1,
        share if share < 0.10 => 2,
        share if share < 0.25 => 3,
        share if share < 0.50 => 4,
        _ => 5,
    };
    let confidence = match finding.state {
        State::Confirmed => 5,
        State::Likely => 3,
        _ => 1,
    };
    let effort = explained(&finding.cause).map_or(Effort::Hours, |cause| cause.effort);
    let score = f64::from(impact) * f64::from(confidence) / f64::from(effort.weight());
    let artifacts: BTreeSet<String> =
        cited(&finding.evidence, evidence).into_iter().map(|cited| cited.artifact).collect();
    Opportunity {
        rank: 0,
        cause: finding.cause.clone(),
        class: finding.class.clone(),
        state: finding.state,
        place: finding.location.clone(),
        share: finding.share,
        ceiling: finding.at_most,
        saves_s: finding.recoverable_s,
        impact,
        confidence,
        effort,
        score,
        act: score >= ACT && finding.share.value >= WORTH,
        first_step: finding.prescription.clone(),
        verify: finding.verify.clone(),
        artifacts: artifacts.into_iter().collect(),
    }
}

fn hotspots(answer: &Answer) -> Vec<Row> {
    let wall = answer.wall.median_s.max(f64::MIN_POSITIVE);
    let on_cpu: f64 = answer
        .account
        .leaves
        .iter()
        .filter(|leaf| leaf.leaf.starts_with("on-cpu"))
        .map(|leaf| leaf.share)
        .sum();
    let computing = answer.hotspots.iter().map(|spot| (spot.own.value * on_cpu, of_hotspot(spot)));
    let waiting = answer.waits.iter().filter(|site| !site.idle && site.critical_s > 0.0);
    let waiting = waiting.map(|site| (site.critical_s / wall, of_wait(site, wall)));
    let mut rows: Vec<(f64, Row)> = computing.chain(waiting).collect();
    rows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    rows.truncate(MOST);
    let ranked = (1..).zip(rows);
    ranked.map(|(rank, (_, row))| Row { rank, ..row }).collect()
}

fn of_hotspot(spot: &Hotspot) -> Row {
    let place = spot.project.as_ref().unwrap_or(&spot.place);
    let callee = spot.project.is_some().then(|| format!("in {}", spot.place.function));
    Row {
        rank: 0,
        place: Some(place.clone()),
        category: "on-cpu".to_owned(),
        what: callee,
        share: spot.own.value,
        seconds: spot.seconds,
        n: spot.n,
        artifact: RECORDING.to_owned(),
    }
}

fn of_wait(site: &WaitSite, wall: f64) -> Row {
    Row {
        rank: 0,
        place: site.place.clone(),
        category: site.leaf.clone(),
        what: site.what.clone().or_else(|| site.call.clone()),
        share: (site.critical_s / wall).min(1.0),
        seconds: Some(site.critical_s),
        n: site.count,
        artifact: RECORDING.to_owned(),
    }
}

fn entry(hypothesis: &Hypothesis, evidence: &[Evidence]) -> Entry {
    let revive = match hypothesis.state {
        State::Rejected => Some("a run in which this number is on the other side of its limit".to_owned()),
        State::Confirmed => None,
        _ => hypothesis.next.clone(),
    };
    Entry {
        hypothesis: hypothesis.id.clone(),
        class: hypothesis.class.clone(),
        verdict: hypothesis.state,
        number: hypothesis.because.clone(),
        place: hypothesis.location.clone(),
        evidence: cited(&hypothesis.evidence, evidence),
        revive,
    }
}

fn cited(ids: &[String], evidence: &[Evidence]) -> Vec<Cited> {
    let known = ids.iter().filter_map(|id| evidence.iter().find(|evidence| evidence.id == *id));
    known.map(|one| Cited { id: one.id.clone(), artifact: one.artifact.clone() }).collect()
}
