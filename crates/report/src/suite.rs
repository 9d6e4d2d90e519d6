//! The benchmarks of a suite, as a section of an answer.

use std::collections::BTreeSet;

use model::suite::{Benchmark, Family, Suite};

use crate::document::{Block, Column, Fit, Ink, Line, Side, Table};
use crate::{number, scale, words};

/// Benchmarks that are shown; all are in the JSON.
const MOST: usize = 20;

pub(crate) fn blocks(suite: &Suite) -> Vec<Block> {
    let (version, count) = (version(suite), named(&suite.benchmarks));
    let shown = named(suite.benchmarks.get(..MOST).unwrap_or(&suite.benchmarks));
    let more = if count > shown { format!(", the first {shown} are shown") } else { String::new() };
    let title = Line::of(Ink::Strong, "benchmarks")
        .and(Ink::Faint, format!(" · {count} by {}{version}{more}", suite.tool));
    let mut blocks = vec![Block::Paragraph(title), Block::Table(series(&suite.benchmarks))];
    if !suite.families.is_empty() {
        blocks.push(Block::Table(families(&suite.families)));
    }
    blocks.extend(suite.notes.iter().map(|note| Block::Paragraph(Line::of(Ink::Faint, note))));
    blocks
}

/// How its families grow, for an answer about growth.
pub(crate) fn grown(suite: &Suite) -> Vec<Block> {
    let (version, count) = (version(suite), named(&suite.benchmarks));
    let sizes: usize = suite.families.iter().map(|family| family.growth.points.len()).sum();
    let title = Line::of(Ink::Strong, "families")
        .and(Ink::Faint, format!(" · {sizes} of {count} benchmarks by {}{version}", suite.tool));
    let notes = suite.notes.iter().map(|note| Block::Paragraph(Line::of(Ink::Faint, note)));
    [Block::Paragraph(title), Block::Table(families(&suite.families))].into_iter().chain(notes).collect()
}

/// Benchmarks with a name of their own; one that has several metrics has a series for each.
fn named(benchmarks: &[Benchmark]) -> usize {
    let names: BTreeSet<&str> = benchmarks.iter().map(|one| one.name.as_str()).collect();
    names.len()
}

fn version(suite: &Suite) -> String {
    suite.version.as_deref().map_or_else(String::new, |version| format!(" {version}"))
}

fn series(benchmarks: &[Benchmark]) -> Table {
    let columns = vec![
        Column::new("benchmark", Side::Left, Fit::Cut),
        Column::new("metric", Side::Left, Fit::Whole),
        Column::new("median (95 %)", Side::Left, Fit::Whole),
        Column::new("each", Side::Left, Fit::Spare),
    ];
    let first = benchmarks.first().map(|one| one.metric);
    let several = benchmarks.iter().any(|one| Some(one.metric) != first);
    let row = |one: &Benchmark| {
        let time = number::estimate_of(one.median, one.low.zip(one.high), one.unit, one.n);
        let metric = if several { words::metric(one.metric) } else { "" };
        vec![
            Line::of(Ink::Verbatim, &one.name),
            Line::plain(metric),
            Line::plain(time),
            Line::plain(&one.each),
        ]
    };
    Table { columns, rows: benchmarks.iter().take(MOST).map(row).collect() }.without_empty_columns()
}

fn families(families: &[Family]) -> Table {
    let columns = vec![
        Column::new("grows with the number in its name", Side::Left, Fit::Cut),
        Column::new("expected", Side::Left, Fit::Whole),
        Column::new("class", Side::Left, Fit::Whole),
        Column::new("exponent (95 %)", Side::Left, Fit::Whole),
        Column::new("or", Side::Left, Fit::Spare),
    ];
    let row = |family: &Family| {
        let growth = &family.growth;
        let others: Vec<&str> = growth.set.iter().skip(1).map(|likely| likely.class.name()).collect();
        vec![
            Line::of(Ink::Verbatim, &family.name),
            family.gate.as_ref().map(scale::verdict).unwrap_or_default(),
            Line::of(Ink::Strong, scale::named(growth)),
            Line::plain(growth.exponent.as_ref().map_or_else(|| "–".to_owned(), scale::bounded)),
            Line::of(Ink::Unsure, others.join(", ")),
        ]
    };
    Table { columns, rows: families.iter().take(MOST).map(row).collect() }.without_empty_columns()
}

#[cfg(test)]
mod tests {
    use model::{Metric, Unit};

    use super::*;

    fn benchmark(name: &str, metric: Metric) -> Benchmark {
        let name = name.to_owned();
        let (unit, each) = (Unit::Seconds, "run".to_owned());
        Benchmark { name, metric, unit, median: 1.0, low: None, high: None, n: 1, each, size: None }
    }

    #[test]
    fn a_metric_is_named_where_there_are_several() {
        let both = [benchmark("a", Metric::Wall), benchmark("a", Metric::Cpu)];
        assert_eq!((series(&both).columns.len(), named(&both)), (4, 1));
        let one = [benchmark("a", Metric::Wall), benchmark("b", Metric::Wall)];
        assert_eq!((series(&one).columns.len(), named(&one)), (3, 2));
    }
}
