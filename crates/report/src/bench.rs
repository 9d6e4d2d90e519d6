//! How fast the commands are, as a document: one command in full, several side by side.

mod several;
mod single;

use model::bench::{Against, Bench, CommandSummary, MetricSummary, Outlier};
use model::{Ended, Metric};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Note, Side, Table};
use crate::inert::TIE;
use crate::{notes, number, suite, words};

/// More outliers than this of one command are counted, not listed.
const LISTED_OUTLIERS: usize = 5;

pub(crate) fn document(bench: &Bench) -> Document {
    let mut document = Document::default();
    match bench.commands.as_slice() {
        [] => document.section(vec![Block::Headline(Line::plain("no command was measured"))]),
        [command] => single::describe(bench, command, &mut document),
        commands => several::describe(bench, commands, &mut document),
    }
    for base in distinct(bench.ratios.iter().map(|ratio| ratio.against.as_str())) {
        document.section(ratios(base, bench.ratios.iter().filter(|ratio| ratio.against == base).collect()));
    }
    document.section(bench.suite.as_ref().map(suite::blocks).unwrap_or_default());
    document.section(notes::titled("warnings", warnings(bench)));
    document.section(notes::titled("outliers", outliers(bench)));
    document.section(notes::gaps(&bench.gaps));
    document.section(notes::origin(bench.run.as_deref(), bench.seed));
    document
}

/// `812 ms (807–821)`; a value that never changed needs no interval.
fn estimate(summary: &MetricSummary) -> String {
    if summary.n > 1 && summary.min == summary.max {
        return format!("{}{TIE}(constant)", number::quantity(summary.median, summary.unit));
    }
    number::estimate(summary.median, words::interval_of(summary), summary.unit)
}

/// Explains values without an interval, if there are any.
fn interval_note<'a>(mut summaries: impl Iterator<Item = &'a MetricSummary>) -> Option<Block> {
    let bare = |summary: &&MetricSummary| {
        summary.interval.is_none() && (summary.n < 2 || summary.min != summary.max)
    };
    let text = |summary: &MetricSummary| format!("where none is shown: {}", number::no_interval(summary.n));
    summaries.find(bare).map(|summary| Block::Paragraph(Line::of(Ink::Faint, text(summary))))
}

fn warnings(bench: &Bench) -> Vec<Note> {
    let several = bench.commands.len() > 1;
    let mut warnings: Vec<Note> =
        bench.warnings.iter().map(|warning| notes::warning(warning, None)).collect();
    for command in &bench.commands {
        let about = several.then_some(command.label.as_str());
        warnings.extend(failure(command, about));
        warnings.extend(command.warnings.iter().map(|warning| notes::warning(warning, about)));
    }
    warnings
}

fn failure(command: &CommandSummary, about: Option<&str>) -> Option<Note> {
    let ended = command.ended.filter(|ended: &Ended| !ended.succeeded())?;
    let text = Line::of(Ink::Verbatim, about.unwrap_or(&command.label));
    Some(Note { text: text.and(Ink::Bad, format!(" ended with {}", words::ended(ended))), next: None })
}

fn outliers(bench: &Bench) -> Vec<Note> {
    let several = bench.commands.len() > 1;
    let mut listed = Vec::new();
    for command in &bench.commands {
        let lead = || match several {
            true => Line::of(Ink::Verbatim, &command.label).and(Ink::Plain, ": "),
            false => Line::default(),
        };
        let shown = command.outliers.iter().take(LISTED_OUTLIERS);
        listed.extend(shown.map(|outlier| Note { text: lead().and(Ink::Plain, told(outlier)), next: None }));
        let more = command.outliers.len().saturating_sub(LISTED_OUTLIERS);
        if more > 0 {
            let text = format!("{more} more; --json lists all");
            listed.push(Note { text: lead().and(Ink::Plain, text), next: None });
        }
    }
    listed
}

fn told(outlier: &Outlier) -> String {
    let value = number::quantity(outlier.value, outlier.metric.unit());
    let times = number::bare(outlier.times_median, None);
    let reason = outlier.reason.as_deref().unwrap_or("nothing else was unusual in that run");
    let metric = words::metric(outlier.metric);
    format!("run {}: {metric} {value}, {times}{TIE}×{TIE}the median; {reason}", outlier.order)
}

/// Each name once, in the order of appearance.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// Each command against one base, one column a metric.
fn ratios(base: &str, ratios: Vec<&Against>) -> Vec<Block> {
    let mut metrics: Vec<Metric> = ratios.iter().map(|ratio| ratio.metric).collect();
    metrics.sort_unstable();
    metrics.dedup();
    let commands = distinct(ratios.iter().map(|ratio| ratio.command.as_str()));
    let mut columns = vec![Column::new("", Side::Left, Fit::Cut)];
    columns.extend(metrics.iter().map(|metric| Column::new(words::metric(*metric), Side::Left, Fit::Whole)));
    columns.push(Column::new("blocks", Side::Right, Fit::Whole));
    let rows = commands.iter().map(|command| ratio_row(&ratios, command, &metrics)).collect();
    let title = Line::of(Ink::Strong, "ratio to ")
        .and(Ink::Verbatim, base)
        .and(Ink::Faint, " (95 % interval over blocks; below 1 is less)");
    vec![Block::Paragraph(title), Block::Table(Table { columns, rows })]
}

fn ratio_row(ratios: &[&Against], command: &str, metrics: &[Metric]) -> Vec<Line> {
    let own: Vec<&Against> = ratios.iter().copied().filter(|ratio| ratio.command == command).collect();
    let cell = |metric: &Metric| {
        let ratio = own.iter().find(|ratio| ratio.metric == *metric);
        ratio.map_or_else(unknown, |ratio| ratio_cell(ratio))
    };
    let blocks = own.iter().map(|ratio| ratio.blocks).min();
    let mut row = vec![Line::of(Ink::Verbatim, command)];
    row.extend(metrics.iter().map(cell));
    row.push(blocks.map_or_else(unknown, |blocks| Line::plain(number::count(blocks.into()))));
    row
}

fn ratio_cell(against: &Against) -> Line {
    let ink = match (against.ratio.low, against.ratio.high) {
        (_, Some(high)) if high < 1.0 => Ink::Good,
        (Some(low), _) if low > 1.0 => Ink::Bad,
        (None, _) | (_, None) => {
            let text = format!("{}{TIE}(too{TIE}few{TIE}blocks)", number::ratio(&against.ratio));
            return Line::plain(text);
        }
        _ => Ink::Plain,
    };
    Line::of(ink, number::ratio(&against.ratio))
}

fn unknown() -> Line {
    Line::of(Ink::Unsure, "unknown")
}
