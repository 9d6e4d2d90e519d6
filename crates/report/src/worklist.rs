//! `worklist.md`: what to do in which order, for people.

use model::Unit;
use model::profile::Place;
use model::worklist::{Entry, Opportunity, Row, Worklist};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Side, Table};
use crate::markdown::markdown;
use crate::{inert, number, profile, words};

/// The worklist of a run.
#[must_use]
pub fn worklist_markdown(list: &Worklist) -> String {
    let mut text = String::from("# Worklist\n\n");
    let mut section = |title: &str, note: &str, blocks: Vec<Block>| {
        text.push_str(&format!("## {}\n\n{}\n\n", inert::markdown(title), inert::markdown(note)));
        text.push_str(&markdown(&Document { sections: vec![blocks] }));
        text.push('\n');
    };
    let nothing = |what: &str| vec![Block::Paragraph(Line::of(Ink::Faint, what))];
    section(
        "Opportunities",
        "Score = impact (1 to 5, by share of wall time) × confidence (5: two independent witnesses, 3: one, 1: none) ÷ \
         effort (minutes 1, hours 3, days 5). Worth doing from 2 on.",
        match list.opportunities.is_empty() {
            true => nothing("nothing was found that is worth a change"),
            false => {
                let mut blocks = vec![Block::Table(opportunities(&list.opportunities))];
                blocks.extend(list.opportunities.iter().map(first_step));
                blocks
            }
        },
    );
    section(
        "Hotspots",
        "Where the time is, whatever its cause: on a CPU by share of CPU time, waiting by share of wall time.",
        match list.hotspots.is_empty() {
            true => nothing("nothing was recorded"),
            false => vec![Block::Table(hotspots(&list.hotspots))],
        },
    );
    section(
        "Hypotheses",
        "Every cause that was considered, with the number that decided and the file it lies in.",
        match list.ledger.is_empty() {
            true => nothing("nothing was recorded, so nothing was judged"),
            false => vec![Block::Table(ledger(&list.ledger))],
        },
    );
    text
}

fn opportunities(all: &[Opportunity]) -> Table {
    let columns = vec![
        Column::new("#", Side::Right, Fit::Whole),
        Column::new("cause", Side::Left, Fit::Whole),
        Column::new("where", Side::Left, Fit::Wrap),
        Column::new("share (95 %)", Side::Right, Fit::Whole),
        Column::new("at most", Side::Right, Fit::Whole),
        Column::new("impact", Side::Right, Fit::Whole),
        Column::new("confidence", Side::Right, Fit::Whole),
        Column::new("effort", Side::Left, Fit::Whole),
        Column::new("score", Side::Right, Fit::Whole),
        Column::new("do it", Side::Left, Fit::Whole),
        Column::new("artifacts", Side::Left, Fit::Wrap),
    ];
    let row = |one: &Opportunity| {
        vec![
            Line::plain(one.rank.to_string()),
            Line::plain(format!("{} ({})", one.cause, one.state.word())),
            at(one.place.as_ref()),
            Line::plain(words::extent(&one.share)),
            Line::plain(one.ceiling.map_or_else(|| "–".to_owned(), |ceiling| format!("{ceiling:.1}×"))),
            Line::plain(one.impact.to_string()),
            Line::plain(one.confidence.to_string()),
            Line::plain(one.effort.word()),
            Line::of(Ink::Strong, format!("{:.1}", one.score)),
            Line::plain(if one.act { "yes" } else { "look closer first" }),
            Line::of(Ink::Verbatim, one.artifacts.join(" ")),
        ]
    };
    Table { columns, rows: all.iter().map(row).collect() }
}

fn first_step(one: &Opportunity) -> Block {
    Block::Paragraph(
        Line::of(Ink::Strong, format!("{}. ", one.rank))
            .and(Ink::Plain, format!("{}; then ", one.first_step))
            .and(Ink::Verbatim, &one.verify),
    )
}

fn hotspots(rows: &[Row]) -> Table {
    let columns = vec![
        Column::new("#", Side::Right, Fit::Whole),
        Column::new("where", Side::Left, Fit::Wrap),
        Column::new("kind", Side::Left, Fit::Whole),
        Column::new("what", Side::Left, Fit::Wrap),
        Column::new("share", Side::Right, Fit::Whole),
        Column::new("time", Side::Right, Fit::Whole),
        Column::new("n", Side::Right, Fit::Whole),
        Column::new("artifact", Side::Left, Fit::Wrap),
    ];
    let row = |one: &Row| {
        vec![
            Line::plain(one.rank.to_string()),
            at(one.place.as_ref()),
            Line::plain(&one.category),
            Line::of(Ink::Verbatim, one.what.clone().unwrap_or_default()),
            Line::plain(format!("{:.0} %", one.share * 100.0)),
            Line::plain(
                one.seconds
                    .map_or_else(|| "–".to_owned(), |seconds| number::quantity(seconds, Unit::Seconds)),
            ),
            Line::plain(number::count(one.n)),
            Line::of(Ink::Verbatim, &one.artifact),
        ]
    };
    Table { columns, rows: rows.iter().map(row).collect() }
}

fn ledger(entries: &[Entry]) -> Table {
    let columns = vec![
        Column::new("hypothesis", Side::Left, Fit::Whole),
        Column::new("verdict", Side::Left, Fit::Whole),
        Column::new("number", Side::Left, Fit::Wrap),
        Column::new("where", Side::Left, Fit::Wrap),
        Column::new("evidence", Side::Left, Fit::Wrap),
        Column::new("what would change it", Side::Left, Fit::Wrap),
    ];
    let row = |one: &Entry| {
        let evidence: Vec<String> =
            one.evidence.iter().map(|cited| format!("{} {}", cited.id, cited.artifact)).collect();
        vec![
            Line::plain(&one.hypothesis),
            Line::of(Ink::Strong, one.verdict.word()),
            Line::plain(&one.number),
            at(one.place.as_ref()),
            Line::of(Ink::Verbatim, evidence.join(", ")),
            Line::plain(one.revive.clone().unwrap_or_default()),
        ]
    };
    Table { columns, rows: entries.iter().map(row).collect() }
}

fn at(place: Option<&Place>) -> Line {
    place.map_or_else(Line::default, |place| Line::of(Ink::Verbatim, profile::named(place)))
}
