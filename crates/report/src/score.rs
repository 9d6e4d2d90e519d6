//! The scorecard: points with their coverage, what stands in the way, and each dimension with its number.

use model::Unit;
use model::scorecard::{Dimension, Figure, MetricChange, Regressions, Scorecard, Tier};

use crate::document::{Block, Column, Fit, Ink, Line, Note, Side, Table};
use crate::inert::TIE;
use crate::{notes, number, words};

/// Dimensions below which a table says less than the line above it.
const FEW: usize = 4;

/// The section of an answer.
pub(crate) fn blocks(card: &Scorecard) -> Vec<Block> {
    if is_short(card) {
        let line = points(card).and(Ink::Plain, " · `--tier medium --sizes …` measures the others");
        return vec![Block::Paragraph(line)];
    }
    let mut blocks = vec![Block::Paragraph(points(card))];
    blocks.extend(stop(card));
    blocks.extend(card.notes.iter().map(|note| Block::Paragraph(Line::of(Ink::Unsure, note))));
    let told: Vec<&Dimension> =
        card.dimensions.iter().filter(|dimension| dimension.tier != Tier::NotMeasured).collect();
    if !told.is_empty() {
        blocks.push(Block::Table(table(&told)));
    }
    blocks.extend(unmeasured(card));
    blocks.extend(card.baseline.as_ref().map(against));
    blocks
}

/// Whether one line says it all.
pub(crate) fn is_short(card: &Scorecard) -> bool {
    let measured = card.dimensions.iter().filter(|dimension| dimension.score.is_some()).count();
    measured < FEW && card.stop.is_none() && card.baseline.is_none() && wants_a_tier(card)
}

/// Whether a deeper tier would measure more; at that tier, why it did not is worth a table.
fn wants_a_tier(card: &Scorecard) -> bool {
    let mut missing = card.dimensions.iter().flat_map(|dimension| &dimension.missing);
    missing.any(|what| what.contains("`--tier medium`"))
}

/// `scorecard 18/24, 6 of 7 measured · workable (21 of 28, scaled)`.
pub(crate) fn points(card: &Scorecard) -> Line {
    let line = Line::of(Ink::Strong, "scorecard ").and(Ink::Strong, &card.summary);
    match &card.band {
        Some(band) if band.scaled => line.and(
            Ink::Plain,
            format!(" · {} ({}{TIE}of{TIE}28, scaled from what was measured)", band.name, band.points),
        ),
        Some(band) => line.and(Ink::Plain, format!(" · {}", band.name)),
        None => line,
    }
}

pub(crate) fn stop(card: &Scorecard) -> Option<Block> {
    card.stop.as_ref().map(|stop| Block::Paragraph(Line::of(Ink::Bad, stop)))
}

pub(crate) fn table(dimensions: &[&Dimension]) -> Table {
    let row = |dimension: &&Dimension| {
        vec![
            Line::plain(&dimension.name),
            Line::of(ink(dimension.tier), dimension.tier.word()),
            Line::plain(dimension.score.map(|score| format!("{score}/4")).unwrap_or_default()),
            Line::plain(&dimension.because),
        ]
    };
    Table {
        columns: vec![
            Column::new("dimension", Side::Left, Fit::Whole),
            Column::new("", Side::Left, Fit::Whole),
            Column::new("", Side::Right, Fit::Whole),
            Column::new("because", Side::Left, Fit::Wrap),
        ],
        rows: dimensions.iter().map(row).collect(),
    }
}

/// What has no points, in one line.
fn unmeasured(card: &Scorecard) -> Option<Block> {
    let names: Vec<&str> = card
        .dimensions
        .iter()
        .filter(|dimension| dimension.tier == Tier::NotMeasured)
        .map(|dimension| dimension.name.as_str())
        .collect();
    (!names.is_empty())
        .then(|| Block::Paragraph(Line::of(Ink::Faint, format!("not measured: {}", names.join(", ")))))
}

pub(crate) const fn ink(tier: Tier) -> Ink {
    match tier {
        Tier::Pass => Ink::Good,
        Tier::Warn => Ink::Unsure,
        Tier::Fail => Ink::Bad,
        Tier::NotMeasured | Tier::Noise => Ink::Faint,
    }
}

/// The verdict on the baseline, with its reasons.
pub(crate) fn against(regressions: &Regressions) -> Block {
    let title = if regressions.comparable == model::compare::Comparable::Not {
        format!("not comparable with {}", regressions.run)
    } else if regressions.blocker {
        format!("worse than {}", regressions.run)
    } else {
        format!("no proven regression against {}", regressions.run)
    };
    let note = |reason: &String| Note { text: Line::plain(reason), next: None };
    let mut told = notes::titled(&title, regressions.reasons.iter().map(note).collect());
    told.pop().unwrap_or_else(|| Block::Paragraph(Line::plain(title)))
}

/// Metrics by size, now and before.
pub(crate) fn changes(changes: &[MetricChange]) -> Table {
    let row = |change: &MetricChange| {
        let unit = change.metric.unit();
        vec![
            Line::plain(words::metric(change.metric)),
            Line::plain(change.size.map(number::count).unwrap_or_default()),
            Line::plain(number::quantity(change.base, unit)),
            Line::plain(number::quantity(change.new, unit)),
            Line::plain(number::ratio(&change.ratio)),
            Line::of(words::verdict_ink(change.verdict), words::verdict(change.verdict)),
            Line::plain(number::count(change.n.into())),
        ]
    };
    Table {
        columns: vec![
            Column::new("metric", Side::Left, Fit::Whole),
            Column::new("size", Side::Right, Fit::Whole),
            Column::new("baseline", Side::Right, Fit::Whole),
            Column::new("now", Side::Right, Fit::Whole),
            Column::new("ratio (95 %)", Side::Left, Fit::Whole),
            Column::new("verdict", Side::Left, Fit::Whole),
            Column::new("n", Side::Right, Fit::Whole),
        ],
        rows: changes.iter().map(row).collect(),
    }
    .without_empty_columns()
}

/// A figure's value with its unit and interval.
pub(crate) fn value(figure: &Figure) -> String {
    let interval = figure.low.zip(figure.high);
    match figure.unit.as_str() {
        "B" => number::estimate(figure.value, interval, Unit::Bytes),
        "s" => number::estimate(figure.value, interval, Unit::Seconds),
        "1" => number::bare(figure.value, interval),
        unit => format!("{}{TIE}{unit}", number::bare(figure.value, interval)),
    }
}
