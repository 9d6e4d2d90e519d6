//! One command in full: every metric, its tail, and what is zero or unknown.

use model::bench::{Bench, CommandSummary, MetricSummary, Percentile};
use model::{Metric, Unit};

use super::estimate;
use crate::document::{Block, Column, Document, Fit, Ink, Line, Side, Table};
use crate::{number, spark, words};

pub(super) fn describe(bench: &Bench, command: &CommandSummary, document: &mut Document) {
    document.section(heading(bench, command));
    let shown: Vec<&MetricSummary> = command.metrics.iter().filter(|summary| !is_nothing(summary)).collect();
    let mut blocks = vec![Block::Table(table(&shown))];
    blocks.extend(super::interval_note(shown.iter().copied()));
    blocks.extend(nothing(command));
    blocks.extend(unknown(command));
    document.section(blocks);
    document.section(words::summary_of(command, Metric::Wall).and_then(tail).into_iter().collect());
}

fn heading(bench: &Bench, command: &CommandSummary) -> Vec<Block> {
    let headline = Line::of(Ink::Verbatim, &command.label);
    let headline = match words::summary_of(command, Metric::Wall) {
        Some(wall) => {
            let wall = number::estimate_of(wall.median, words::interval_of(wall), wall.unit, wall.n);
            headline.and(Ink::Plain, format!(" takes {wall}"))
        }
        None => headline.and(Ink::Unsure, ": wall time unknown"),
    };
    let mut blocks = vec![Block::Headline(headline)];
    let typed = words::command_line(&command.argv);
    if typed != command.label && !typed.is_empty() {
        blocks.push(Block::Paragraph(Line::of(Ink::Faint, "command: ").and(Ink::Plain, typed)));
    }
    let warm_up = words::plural(command.warm_up.into(), "warm-up run");
    let mut facts = vec![format!("{} after {warm_up}", words::plural(command.n.into(), "run"))];
    facts.extend(command.ended.map(words::ended));
    facts.extend(bench.conditions.iter().cloned());
    facts.extend(command.params.iter().map(|(name, value)| format!("{name} = {value}")));
    blocks.push(Block::Paragraph(Line::of(Ink::Faint, facts.join(" · "))));
    blocks
}

/// Zero in every run, for what is counted rather than timed.
fn is_nothing(summary: &MetricSummary) -> bool {
    summary.unit != Unit::Seconds && summary.min == 0.0 && summary.max == 0.0
}

fn table(shown: &[&MetricSummary]) -> Table {
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("median (95 %)", Side::Left, Fit::Whole),
        Column::new("n", Side::Right, Fit::Whole),
        Column::new("least–most", Side::Left, Fit::Spare),
        Column::new("sd", Side::Left, Fit::Spare),
        Column::new("histogram", Side::Left, Fit::Spare),
    ];
    Table { columns, rows: shown.iter().map(|summary| row(summary)).collect() }.without_empty_columns()
}

fn row(summary: &MetricSummary) -> Vec<Line> {
    let part = matches!(summary.metric, Metric::User | Metric::System);
    let name = if part {
        format!("  {}", words::metric(summary.metric))
    } else {
        words::metric(summary.metric).into()
    };
    let ink = if summary.metric == Metric::Wall { Ink::Strong } else { Ink::Plain };
    let varies = summary.min != summary.max;
    let when = |wanted: bool, text: String| Line::plain(if wanted { text } else { String::new() });
    let spread = summary.standard_deviation.map(|spread| number::quantity(spread, summary.unit));
    vec![
        Line::of(ink, name),
        Line::of(ink, estimate(summary)),
        Line::plain(number::count(summary.n.into())),
        when(varies, number::range(summary.min, summary.max, summary.unit)),
        when(varies, spread.unwrap_or_default()),
        when(summary.unit == Unit::Seconds, spark::histogram(&summary.values)),
    ]
}

fn nothing(command: &CommandSummary) -> Option<Block> {
    let names: Vec<&str> = command
        .metrics
        .iter()
        .filter(|summary| is_nothing(summary))
        .map(|s| words::metric(s.metric))
        .collect();
    let line = Line::of(Ink::Faint, "0 in every run: ").and(Ink::Plain, names.join(", "));
    (!names.is_empty()).then_some(Block::Paragraph(line))
}

fn unknown(command: &CommandSummary) -> Option<Block> {
    let missing = Metric::TIMED.iter().filter(|metric| words::summary_of(command, **metric).is_none());
    let names: Vec<&str> = missing.map(|metric| words::metric(*metric)).collect();
    let line = Line::of(Ink::Unsure, "unknown: ").and(Ink::Plain, names.join(", "));
    (!names.is_empty()).then_some(Block::Paragraph(line))
}

fn tail(wall: &MetricSummary) -> Option<Block> {
    let said: Vec<String> = wall.percentiles.iter().map(|percentile| told(percentile, wall)).collect();
    let line = Line::of(Ink::Faint, "wall percentiles: ").and(Ink::Plain, said.join(" · "));
    (!said.is_empty()).then_some(Block::Paragraph(line))
}

fn told(percentile: &Percentile, wall: &MetricSummary) -> String {
    match percentile {
        Percentile::Solid { p, value, interval } => {
            let interval = interval.map(|bounds| (bounds.low, bounds.high));
            format!("{} {}", super::several::rank(*p), number::estimate(*value, interval, wall.unit))
        }
        Percentile::Bounded { p, upper } => {
            let rank = super::several::rank(*p);
            format!(
                "{rank} ≤ {} (upper bound; n={} gives no {rank})",
                number::quantity(*upper, wall.unit),
                wall.n
            )
        }
        Percentile::MaxOf { p, n, max } => {
            format!("{}: max of {n} is {}", super::several::rank(*p), number::quantity(*max, wall.unit))
        }
    }
}
