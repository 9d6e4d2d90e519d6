//! Whether a change did what a finding promised, as a document: the verdict, the promise, the numbers, what is left.

use model::compare::{Comparable, MetricVerdict, Side as Measured, Verdict};
use model::standing::{Standing, Stands};
use model::verify::{Behaviour, Bound, Outcome, Remains, Saving, Verify};
use model::{Metric, Unit};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Note, Side, Table};
use crate::{Page, markdown, notes, number, score, terminal, words};

/// Whether the change did what was promised, as terminal text.
#[must_use]
pub fn verify_text(verify: &Verify, page: &Page) -> String {
    terminal::text(&document(verify), page)
}

/// Whether the change did what was promised, as Markdown.
#[must_use]
pub fn verify_markdown(verify: &Verify) -> String {
    markdown::markdown(&document(verify))
}

pub(crate) fn document(verify: &Verify) -> Document {
    let mut document = Document::default();
    document.section(vec![Block::Headline(headline(verify)), Block::Paragraph(sides(verify))]);
    document.section(notes::titled("promise and outcome", outcome(verify)));
    document.section(metrics(verify));
    document.section(dimensions(&verify.dimensions));
    document.section(notes::warnings(&verify.warnings));
    document.section(notes::gaps(&verify.gaps));
    document.section(notes::origin(Some(&verify.run), verify.seed));
    document
}

fn headline(verify: &Verify) -> Line {
    let (sign, ink) = match verify.verdict {
        Outcome::Accepted => ("✓", Ink::Good),
        Outcome::Refuted => ("✗", Ink::Bad),
        Outcome::Undecided => ("?", Ink::Unsure),
    };
    Line::of(ink, format!("{sign} ")).and(Ink::Plain, &verify.summary)
}

fn sides(verify: &Verify) -> Line {
    let n = |side: &Measured| format!(" ({})", words::plural(side.n.into(), "run"));
    Line::of(Ink::Faint, "old: ")
        .and(Ink::Verbatim, &verify.base.label)
        .and(Ink::Faint, format!("{} · new: ", n(&verify.base)))
        .and(Ink::Verbatim, &verify.new.label)
        .and(Ink::Faint, format!("{} · margin {}", n(&verify.new), number::percent_as_set(verify.margin)))
}

fn outcome(verify: &Verify) -> Vec<Note> {
    let mut points = vec![promise(verify)];
    points.extend(verify.saving.as_ref().map(saving));
    points.push(after(verify));
    points.push(point("output", behaviour(&verify.behaviour)));
    points.extend(verify.tests.as_ref().map(|tests| {
        let text = if tests.ended.succeeded() {
            "pass".to_owned()
        } else {
            format!("fail: {}", words::ended(tests.ended))
        };
        let line = Line::of(Ink::Strong, "tests")
            .and(Ink::Plain, format!(": {text}, "))
            .and(Ink::Verbatim, &tests.command);
        Note { text: line, next: None }
    }));
    points
}

fn point(name: &str, text: String) -> Note {
    Note { text: Line::of(Ink::Strong, name).and(Ink::Plain, format!(": {text}")), next: None }
}

fn promise(verify: &Verify) -> Note {
    let prediction = &verify.prediction;
    let finding = &prediction.finding;
    let (low, high) =
        verify.saving.as_ref().map_or((finding.share.least(), finding.share.most()), |saving| {
            (saving.bound_low, saving.bound_high)
        });
    let from = match prediction.comparable {
        Comparable::Not => " on another machine",
        _ => "",
    };
    point(
        "promise",
        format!(
            "{} ({}); at most {} of wall time, {} of {}, can be saved; judged on {} (run {}{from})",
            finding.summary,
            finding.state.word(),
            number::percent_range(low, high),
            number::range(low * prediction.wall_s, high * prediction.wall_s, Unit::Seconds),
            number::quantity(prediction.wall_s, Unit::Seconds),
            words::metric(prediction.metric),
            prediction.run,
        ),
    )
}

fn saving(saving: &Saving) -> Note {
    let interval = match (saving.low, saving.high) {
        (Some(low), Some(high)) => format!(" ({})", number::percent_range(low, high)),
        _ => String::new(),
    };
    let bound = match saving.bound {
        Bound::Within => "within the bound",
        Bound::Beyond => "more than the bound: the change did more than the finding is about",
        Bound::NotReached => "no saving is proven",
    };
    if saving.share < 0.0 && saving.bound == Bound::NotReached {
        return point(
            "saved",
            format!("nothing: wall time changed by {}", number::change(1.0 - saving.share)),
        );
    }
    point("saved", format!("{}{interval} of wall time, {bound}", number::percent(saving.share)))
}

fn after(verify: &Verify) -> Note {
    let after = &verify.after;
    let word = match after.state {
        Remains::Gone => "gone",
        Remains::Smaller => "smaller",
        Remains::Remains => "still there",
        Remains::Unknown => "unknown",
    };
    let next = after.next.as_ref().map(|next| format!("; first now: {next}")).unwrap_or_default();
    point("finding", format!("{word}: {}{next}", after.because))
}

fn behaviour(behaviour: &Behaviour) -> String {
    match behaviour {
        Behaviour::Unchecked { why } => format!("not compared: {why}"),
        Behaviour::Same => "the same, in one run of each".to_owned(),
        Behaviour::Unsteady => "not comparable: the old program's own output changes".to_owned(),
        Behaviour::OutputDiffers { .. } => "differs, while the old program repeats itself".to_owned(),
        Behaviour::EndsDifferently { base, new } => {
            format!(
                "the new program ends with {}, the old one with {}",
                words::ended(*new),
                words::ended(*base)
            )
        }
    }
}

fn metrics(verify: &Verify) -> Vec<Block> {
    if verify.metrics.is_empty() {
        return Vec::new();
    }
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("old", Side::Right, Fit::Spare),
        Column::new("new", Side::Right, Fit::Spare),
        Column::new("change", Side::Right, Fit::Whole),
        Column::new("new / old (95 %)", Side::Left, Fit::Whole),
        Column::new("verdict", Side::Left, Fit::Whole),
        Column::new("pairs", Side::Right, Fit::Spare),
    ];
    let rows = verify.metrics.iter().map(|judged| row(verify, judged)).collect();
    vec![Block::Table(Table { columns, rows })]
}

fn row(verify: &Verify, judged: &MetricVerdict) -> Vec<Line> {
    let decides = judged.metric == verify.prediction.metric;
    let name = words::metric(judged.metric);
    vec![
        Line::of(
            if decides { Ink::Strong } else { Ink::Plain },
            if decides { format!("{name} *") } else { name.to_owned() },
        ),
        median(&verify.base, judged.metric),
        median(&verify.new, judged.metric),
        Line::plain(number::change(judged.ratio.value)),
        Line::plain(number::ratio(&judged.ratio)),
        verdict(judged.verdict, verify.harms.contains(&judged.metric)),
        Line::plain(number::count(judged.pairs.into())),
    ]
}

/// The scorecard's dimensions: those held against the earlier run, then those that nobody could.
fn dimensions(all: &[Standing]) -> Vec<Block> {
    let (unchecked, checked): (Vec<&Standing>, Vec<&Standing>) =
        all.iter().partition(|standing| standing.stands == Stands::Unchecked);
    let mut blocks = Vec::new();
    if !checked.is_empty() {
        blocks.push(Block::Table(Table {
            columns: vec![
                Column::new("scorecard", Side::Left, Fit::Whole),
                Column::new("old", Side::Left, Fit::Whole),
                Column::new("new", Side::Left, Fit::Whole),
                Column::new("verdict", Side::Left, Fit::Whole),
                Column::new("because", Side::Left, Fit::Wrap),
            ],
            rows: checked.iter().map(|standing| standing_row(standing)).collect(),
        }));
    }
    if !unchecked.is_empty() {
        let names: Vec<&str> = unchecked.iter().map(|standing| standing.dimension.as_str()).collect();
        let text = format!("not checked for harm: {} (not measured in both programs)", names.join(", "));
        blocks.push(Block::Paragraph(Line::of(Ink::Faint, text)));
    }
    blocks
}

fn standing_row(standing: &Standing) -> Vec<Line> {
    let (sign, ink) = match standing.stands {
        Stands::Better => ("✓", Ink::Good),
        Stands::Same => ("=", Ink::Plain),
        Stands::Worse => ("✗", Ink::Bad),
        Stands::Doubtful | Stands::Uncovered | Stands::Unchecked => ("?", Ink::Unsure),
    };
    vec![
        Line::plain(&standing.dimension),
        Line::of(score::ink(standing.before), standing.before.word()),
        Line::of(score::ink(standing.now), standing.now.word()),
        Line::of(ink, format!("{sign} {}", standing.stands.word()).replace(' ', "\u{a0}")),
        Line::plain(&standing.because),
    ]
}

fn verdict(verdict: Verdict, harm: bool) -> Line {
    let word = if harm { "harmed" } else { words::verdict(verdict) };
    Line::of(
        words::verdict_ink(verdict),
        format!("{} {word}", words::verdict_sign(verdict)).replace(' ', "\u{a0}"),
    )
}

fn median(side: &Measured, metric: Metric) -> Line {
    match side.medians.iter().find(|median| median.metric == metric) {
        Some(median) => Line::plain(number::quantity(median.value, metric.unit())),
        None => Line::of(Ink::Unsure, "unknown"),
    }
}
