//! Why a program is slow, as a document: the verdict, the account of its time, the evidence, what was not seen.

use model::Unit;
use model::answer::{Answer, Evidence};
use model::profile::{Hotspot, WaitSite};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Side, Table};
use crate::inert::TIE;
use crate::profile::{hotspots, waits};
use crate::{account, findings, notes, number, score, simulated, suite, words};

/// The answer is one screen with more to say than a profile.
const MOST_HOTSPOTS: usize = 5;
const MOST_WAITS: usize = 3;

/// Hotspots below this share of CPU time are no news beside a finding.
const LEAST_HOTSPOT: f64 = 0.05;

/// Waits that hold the program up for less of its wall time say little.
const MATTERS: f64 = 0.01;

pub(crate) fn document(answer: &Answer) -> Document {
    let mut document = Document::default();
    document.section(heading(answer));
    document.section(account::blocks(&answer.account));
    document.section(findings::indicators(answer));
    document.section(findings::blocks(&answer.findings));
    document.section(findings::asked(&answer.hypotheses));
    document.section(findings::ruled_out(&answer.hypotheses));
    let few = if answer.findings.is_empty() { (MOST_HOTSPOTS, MOST_WAITS) } else { (3, 2) };
    document.section(hotspots::blocks(&worth_telling(answer), "CPU time", few.0));
    document.section(waits::blocks(&held_up(answer, few.1), few.1));
    document.section(answer.suite.as_ref().map(suite::blocks).unwrap_or_default());
    document.section(answer.scaling.as_ref().map(simulated::growth).unwrap_or_default());
    document.section(answer.simulated.as_ref().map(simulated::blocks).unwrap_or_default());
    // Findings carry their own evidence.
    if answer.findings.is_empty() {
        document.section(evidence(&answer.evidence));
    }
    let (short, long) = match &answer.scorecard {
        Some(card) if score::is_short(card) => (score::blocks(card), Vec::new()),
        Some(card) => (Vec::new(), score::blocks(card)),
        None => (Vec::new(), Vec::new()),
    };
    document.section(long);
    document.section(notes::gaps(&answer.gaps));
    document.section(short.into_iter().chain(closing(answer)).collect());
    document
}

/// Beside findings only the hotspots that weigh something.
fn worth_telling(answer: &Answer) -> Vec<Hotspot> {
    let weighty = |hotspot: &&Hotspot| answer.findings.is_empty() || hotspot.own.value >= LEAST_HOTSPOT;
    answer.hotspots.iter().filter(weighty).cloned().collect()
}

/// The first waits that made the run longer; the others and idle threads are in `--json`.
fn held_up(answer: &Answer, most: usize) -> Vec<WaitSite> {
    let least = MATTERS * answer.wall.median_s;
    let mut waits: Vec<WaitSite> =
        answer.waits.iter().filter(|wait| wait.critical_s >= least).cloned().collect();
    waits.sort_by(|one, other| other.critical_s.total_cmp(&one.critical_s));
    waits.truncate(most);
    waits
}

fn heading(answer: &Answer) -> Vec<Block> {
    let wall = &answer.wall;
    let time = number::estimate_of(wall.median_s, wall.low_s.zip(wall.high_s), Unit::Seconds, wall.n);
    let told = match wall.n {
        0 => format!(" was watched for {}", number::quantity(wall.median_s, Unit::Seconds)),
        _ => format!(" takes {time}"),
    };
    let target = Line::of(Ink::Verbatim, words::command_line(&answer.target.argv)).and(Ink::Plain, told);
    let target = match answer.target.exit {
        Some(exit) => {
            let ink = if exit.succeeded() { Ink::Faint } else { Ink::Bad };
            target.and(Ink::Plain, " · ").and(ink, words::ended(exit))
        }
        None => target,
    };
    let verdict = &answer.verdict;
    let kind: Vec<&str> =
        [&verdict.class, &verdict.cause].into_iter().filter_map(|part| part.as_deref()).collect();
    let kind = if kind.is_empty() { "class unknown".to_owned() } else { kind.join(", ") };
    vec![
        Block::Headline(Line::plain(&verdict.summary)),
        Block::Paragraph(Line::of(Ink::Strong, &verdict.state).and(Ink::Faint, format!(" · {kind}"))),
        Block::Paragraph(target),
    ]
}

/// Rows of evidence on the page; the answer is one screen, and `--json` has them all.
const MOST_EVIDENCE: usize = 6;

fn evidence(evidence: &[Evidence]) -> Vec<Block> {
    if evidence.is_empty() {
        return Vec::new();
    }
    let (shown, more) = evidence.split_at(evidence.len().min(MOST_EVIDENCE));
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("evidence", Side::Left, Fit::Cut),
        Column::new("value (95 %)", Side::Left, Fit::Whole),
        Column::new("n", Side::Right, Fit::Whole),
        Column::new("source", Side::Left, Fit::Wrap),
        Column::new("artifact", Side::Left, Fit::Spare),
    ];
    let row = |evidence: &Evidence| {
        vec![
            Line::of(Ink::Faint, &evidence.id),
            Line::plain(&evidence.metric),
            Line::plain(value(evidence)),
            Line::plain(number::count(evidence.n.into())),
            Line::plain(&evidence.source),
            Line::of(Ink::Faint, &evidence.artifact),
        ]
    };
    let mut blocks = vec![Block::Table(Table { columns, rows: shown.iter().map(row).collect() })];
    if let (Some(first), Some(last)) = (more.first(), more.last()) {
        let text = format!("{} to {}: --json", first.id, last.id);
        blocks.push(Block::Paragraph(Line::of(Ink::Faint, text)));
    }
    blocks
}

pub(crate) fn value(evidence: &Evidence) -> String {
    let interval = evidence.low.zip(evidence.high);
    match evidence.unit.as_str() {
        "s" => number::estimate(evidence.value, interval, Unit::Seconds),
        "B" => number::estimate(evidence.value, interval, Unit::Bytes),
        "yes" => if evidence.value > 0.0 { "yes" } else { "no" }.to_owned(),
        unit => {
            let plain = number::bare(evidence.value, interval);
            if unit.is_empty() || unit == "1" { plain } else { format!("{plain}{TIE}{unit}") }
        }
    }
}

fn closing(answer: &Answer) -> Vec<Block> {
    let cost = notes::overhead(&answer.overhead);
    let next = match answer.findings.first() {
        Some(finding) if words::is_command(&finding.verify) => {
            Line::of(Ink::Faint, "after a change: ").and(Ink::Verbatim, &finding.verify)
        }
        // A program that was watched has no command to hold another against.
        Some(finding) => Line::of(Ink::Faint, format!("run {} · {}", answer.run, finding.verify)),
        None => Line::of(Ink::Faint, format!("run {}", answer.run)),
    };
    vec![Block::Paragraph(cost), Block::Paragraph(next)]
}
