//! What to change first, why, and what was ruled out.

use model::Unit;
use model::answer::{Answer, Finding, Hypothesis, Indicator, Reason, State};
use model::profile::Place;

use crate::document::{Block, Ink, Line, Note};
use crate::{notes, number, words};

/// The class of hypotheses that the user wrote.
const ASKED: &str = "Asked";

/// Findings on the screen; `--json` has them all.
const MOST: usize = 3;

/// Causes named as ruled out, the ones people ask about first.
const MOST_RULED_OUT: usize = 5;

/// Ruled out first where they were not: what people suspect.
const SUSPECTED: [&str; 10] = [
    "lock-contention",
    "algorithmic-growth",
    "gc-pressure",
    "allocation-churn",
    "fsync-per-record",
    "serial-calls",
    "polling-sleep",
    "noisy-neighbour",
    "page-faults",
    "debug-build",
];

pub(crate) fn blocks(findings: &[Finding]) -> Vec<Block> {
    let told = std::iter::once(Told::Whole).chain(std::iter::repeat(Told::Brief));
    findings.iter().take(MOST).zip(told).flat_map(|(one, told)| finding(one, told)).collect()
}

/// How much is told of a finding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Whole,
    /// One reason, and what it is worth beside its name.
    Brief,
}

/// The head, what it is worth, why, and what to do.
fn finding(finding: &Finding, told: Told) -> Vec<Block> {
    let place = finding.location.as_ref().map(|place| format!(" at {}", words(place)));
    let mut head = Line::of(Ink::Strong, format!("{}. {}", finding.rank, finding.cause))
        .and(Ink::Plain, format!("{} · ", place.unwrap_or_default()))
        .and(Ink::Strong, finding.state.word());
    let mut why = Vec::new();
    if told == Told::Whole {
        why.push(Note { text: Line::plain(worth(finding)), next: None });
    } else {
        head = head.and(Ink::Plain, format!(" · {}", worth(finding)));
    }
    why.extend(finding.because.iter().take(if told == Told::Whole { MOST } else { 1 }).map(reason));
    match why.last_mut() {
        Some(last) => last.next = Some(finding.prescription.clone()),
        None => why.push(Note { text: Line::plain(&finding.prescription), next: None }),
    }
    let mut blocks = vec![Block::Paragraph(head)];
    blocks.extend(notes::untitled(why));
    blocks
}

/// `86 % (83–89 %) of wall time, 471 ms, at most 8.7× faster`.
fn worth(finding: &Finding) -> String {
    let share = words::extent(&finding.share);
    let seconds = number::quantity(finding.recoverable_s, Unit::Seconds);
    let bound = words::bound(finding).map(|bound| format!(", {bound}")).unwrap_or_default();
    format!("{share} of wall time, {seconds}{bound}")
}

fn reason(reason: &Reason) -> Note {
    let cited = match reason.evidence.as_slice() {
        [] => String::new(),
        cited => format!(" [{}]", cited.join(", ")),
    };
    Note { text: Line::plain(&reason.what).and(Ink::Faint, cited), next: None }
}

/// Why the program may be left as it is.
pub(crate) fn indicators(answer: &Answer) -> Vec<Block> {
    let told = answer.indicators.iter().map(|indicator: &Indicator| Note {
        text: Line::plain(&indicator.because)
            .and(Ink::Faint, format!(" [{}]", indicator.indicator.replace('_', "-"))),
        next: None,
    });
    // A machine that is busy does not make the program's own findings untrue.
    let machine = answer.indicators.iter().all(|indicator| indicator.indicator == "infrastructure_bound");
    let own = machine && answer.findings.iter().any(|finding| finding.location.is_some());
    notes::titled(if own { "what the program cannot change" } else { "nothing to fix here" }, told.collect())
}

/// What the user believed, and what became of it.
pub(crate) fn asked(hypotheses: &[Hypothesis]) -> Vec<Block> {
    let own = hypotheses.iter().filter(|one| one.class == ASKED);
    let told = own.map(|one| Note {
        text: Line::of(Ink::Strong, format!("{} {}", one.id, one.state.word()))
            .and(Ink::Plain, format!(": {}", one.because)),
        next: one.next.clone(),
    });
    notes::titled("asked", told.collect())
}

/// What was measured and excluded, with the number that excludes it.
pub(crate) fn ruled_out(hypotheses: &[Hypothesis]) -> Vec<Block> {
    let rejected = |id: &str| hypotheses.iter().find(|one| one.id == id && one.state == State::Rejected);
    // Causes that one number excludes stand together.
    let mut told: Vec<(Vec<&str>, &str)> = Vec::new();
    for one in SUSPECTED.iter().filter_map(|id| rejected(id)).take(MOST_RULED_OUT) {
        match told.iter_mut().find(|(_, because)| *because == one.because) {
            Some((ids, _)) => ids.push(&one.id),
            None => told.push((vec![&one.id], &one.because)),
        }
    }
    if told.is_empty() {
        return Vec::new();
    }
    let told: Vec<String> =
        told.into_iter().map(|(ids, because)| format!("{} ({because})", ids.join(", "))).collect();
    vec![Block::Paragraph(
        Line::of(Ink::Strong, "ruled out").and(Ink::Plain, format!(": {}", told.join(", "))),
    )]
}

fn words(place: &Place) -> String {
    let function = model::brief::brief(&place.function);
    let name = place.file.as_deref().and_then(|file| file.rsplit('/').next());
    match (name, place.line) {
        (Some(file), Some(line)) => format!("{function} ({file}:{line})"),
        (Some(file), None) => format!("{function} ({file})"),
        _ => function.into_owned(),
    }
}
