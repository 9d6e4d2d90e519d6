//! Several commands side by side.

use model::Metric;
use model::bench::{Bench, CommandSummary, MetricSummary, Percentile};

use super::{estimate, unknown};
use crate::document::{Block, Column, Document, Fit, Ink, Line, Side, Table};
use crate::inert::TIE;
use crate::{number, spark, words};

pub(super) fn describe(bench: &Bench, commands: &[CommandSummary], document: &mut Document) {
    let mut facts = vec![words::plural(commands.len() as u64, "command")];
    facts.push(if bench.order == "unknown" { "order unknown".to_owned() } else { bench.order.clone() });
    facts.extend(bench.conditions.iter().cloned());
    facts.push("medians with 95 % intervals".to_owned());
    let mut blocks = vec![Block::Paragraph(Line::of(Ink::Faint, facts.join(" · ")))];
    blocks.push(Block::Table(overview(commands)));
    let walls = commands.iter().filter_map(|command| words::summary_of(command, Metric::Wall));
    blocks.extend(super::interval_note(walls));
    document.section(blocks);
    document.section(tails(commands));
}

fn overview(commands: &[CommandSummary]) -> Table {
    let columns = vec![
        Column::new("command", Side::Left, Fit::Cut),
        Column::new("wall", Side::Left, Fit::Whole),
        Column::new("histogram", Side::Left, Fit::Spare),
        Column::new("cpu", Side::Left, Fit::Whole),
        Column::new("peak RSS", Side::Right, Fit::Whole),
        Column::new("faults", Side::Right, Fit::Whole),
        Column::new("instructions", Side::Right, Fit::Whole),
        Column::new("n", Side::Right, Fit::Whole),
    ];
    let counted = commands.iter().any(|command| words::summary_of(command, Metric::Instructions).is_some());
    let rows = commands.iter().map(|command| row(command, counted)).collect();
    Table { columns, rows }.without_empty_columns()
}

fn row(command: &CommandSummary, counted: bool) -> Vec<Line> {
    let of = |metric| words::summary_of(command, metric);
    let cell = |metric, text: fn(&MetricSummary) -> String| {
        of(metric).map_or_else(unknown, |s| Line::plain(text(s)))
    };
    let median = |summary: &MetricSummary| number::quantity(summary.median, summary.unit);
    vec![
        Line::of(Ink::Verbatim, &command.label),
        cell(Metric::Wall, estimate),
        Line::plain(of(Metric::Wall).map_or_else(String::new, |wall| spark::histogram(&wall.values))),
        cell(Metric::Cpu, estimate),
        cell(Metric::Rss, median),
        faults(command),
        if counted { cell(Metric::Instructions, median) } else { Line::default() },
        Line::plain(number::count(command.n.into())),
    ]
}

/// Minor faults, and the major ones where there are any.
fn faults(command: &CommandSummary) -> Line {
    let Some(minor) = words::summary_of(command, Metric::MinorFaults) else {
        return unknown();
    };
    let major = words::summary_of(command, Metric::MajorFaults).filter(|major| major.max > 0.0);
    let major =
        major.map(|major| format!("{TIE}+{TIE}{}{TIE}major", number::quantity(major.median, major.unit)));
    Line::plain(number::quantity(minor.median, minor.unit) + &major.unwrap_or_default())
}

/// The slow end of wall time, as far as n supports each percentile.
fn tails(commands: &[CommandSummary]) -> Vec<Block> {
    let walls = || commands.iter().filter_map(|command| words::summary_of(command, Metric::Wall));
    let supported = |percentile: &&Percentile| !matches!(percentile, Percentile::MaxOf { .. });
    let percentiles = walls().flat_map(|wall| wall.percentiles.iter());
    let mut ranks: Vec<f64> = percentiles.filter(supported).map(rank_of).collect();
    ranks.sort_by(f64::total_cmp);
    ranks.dedup();
    if ranks.is_empty() {
        return Vec::new();
    }
    let mut columns = vec![Column::new("wall percentiles", Side::Left, Fit::Cut)];
    columns.extend(ranks.iter().map(|p| Column::new(rank(*p), Side::Left, Fit::Whole)));
    columns.push(Column::new("longest", Side::Right, Fit::Whole));
    let rows: Vec<Vec<Line>> = commands.iter().map(|command| tail_row(command, &ranks)).collect();
    let shown =
        |start: char| rows.iter().flatten().flat_map(|cell| &cell.0).any(|span| span.text.starts_with(start));
    let key = [('≤', "≤: upper bound (95 %)"), ('–', "–: n supports neither this percentile nor a bound")];
    let key: Vec<&str> = key.into_iter().filter(|(sign, _)| shown(*sign)).map(|(_, text)| text).collect();
    let mut blocks = vec![Block::Table(Table { columns, rows })];
    if !key.is_empty() {
        blocks.push(Block::Paragraph(Line::of(Ink::Faint, key.join("; "))));
    }
    blocks
}

fn tail_row(command: &CommandSummary, ranks: &[f64]) -> Vec<Line> {
    let wall = words::summary_of(command, Metric::Wall);
    let at = |p: f64| wall.and_then(|wall| wall.percentiles.iter().find(|each| rank_of(each) == p));
    let mut row = vec![Line::of(Ink::Verbatim, &command.label)];
    row.extend(ranks.iter().map(|p| at(*p).map_or_else(|| Line::plain("–"), percentile)));
    row.push(wall.map_or_else(unknown, |wall| Line::plain(number::quantity(wall.max, wall.unit))));
    row
}

fn percentile(percentile: &Percentile) -> Line {
    let unit = Metric::Wall.unit();
    Line::plain(match percentile {
        Percentile::Solid { value, interval, .. } => {
            number::estimate(*value, interval.map(|bounds| (bounds.low, bounds.high)), unit)
        }
        Percentile::Bounded { upper, .. } => format!("≤{TIE}{}", number::quantity(*upper, unit)),
        Percentile::MaxOf { .. } => "–".to_owned(),
    })
}

const fn rank_of(percentile: &Percentile) -> f64 {
    match percentile {
        Percentile::Solid { p, .. } | Percentile::Bounded { p, .. } | Percentile::MaxOf { p, .. } => *p,
    }
}

/// `p95`, `p99.9`. The wire writes percentiles as shares.
pub(super) fn rank(p: f64) -> String {
    let percent = (p * 100_000.0).round() / 1000.0;
    format!("p{percent}")
}
