//! How the cost grows, as a document: the class, how sure, a plot, the numbers behind it.

mod picture;
pub(crate) mod plot;

use model::scale::{Class, Estimate, Fit, Function, Gate, GateVerdict, Scale};
use model::{Metric, Unit};

use crate::document::{Block, Column, Document, Fit as Room, Ink, Line, Note, Side, Table};
use crate::inert::TIE;
use crate::{notes, number, profile, suite, words};

pub use picture::svg;

pub(crate) fn document(scale: &Scale) -> Document {
    let mut document = Document::default();
    let mut head = vec![Block::Headline(headline(scale)), Block::Paragraph(facts(scale))];
    head.extend(scale.gate.as_ref().map(|gate| Block::Paragraph(gate_line(gate))));
    document.section(head);
    if let Some(leading) = scale.fits.first() {
        document.section(vec![Block::Picture(plot::lines(leading))]);
    }
    document.section(match &scale.suite {
        Some(suite) => suite::grown(suite),
        None => vec![Block::Table(fits(scale))],
    });
    document.section(functions(&scale.functions));
    document.section(notes::titled("beyond the table", findings(scale)));
    document.section(notes::warnings(&scale.warnings));
    document.section(notes::gaps(&scale.gaps));
    document.section(notes::origin(scale.run.as_deref(), scale.seed));
    document
}

fn headline(scale: &Scale) -> Line {
    let rivals = || scale.set.iter().skip(1).map(|class| class.name()).collect::<Vec<_>>().join(", ");
    let line = Line::of(Ink::Strong, format!("{}: {}", class_name(scale), scale.summary));
    if scale.set.len() > 1 {
        line.and(Ink::Unsure, format!("; not told apart from {}", rivals()))
    } else {
        line
    }
}

/// `n^1.58` rather than `n^k` where the exponent is known.
pub(crate) fn class_name(scale: &Scale) -> String {
    scale.fits.first().map_or_else(|| scale.class.name().to_owned(), named)
}

pub(crate) fn named(fit: &Fit) -> String {
    match (fit.class, fit.exponent) {
        (Class::Power, Some(exponent)) => format!("n^{:.2}", exponent.value),
        (Class::Exponential, _) => fit.base.map_or_else(|| "2^n".to_owned(), |base| format!("{base:.2}^n")),
        (class, _) => class.name().to_owned(),
    }
}

fn facts(scale: &Scale) -> Line {
    let line = Line::of(Ink::Verbatim, &scale.command);
    let Some(fit) = scale.fits.first() else { return line };
    let ends = fit.points.first().zip(fit.points.last());
    let sizes = ends.map_or_else(String::new, |(first, last)| {
        let n = words::plural(fit.points.len() as u64, "size");
        format!(" · {n}, {} to {}", size(first.size), size(last.size))
    });
    let exponent =
        fit.exponent.map_or_else(String::new, |exponent| format!(" · exponent{TIE}{}", bounded(&exponent)));
    line.and(Ink::Faint, format!("{sizes}{exponent}"))
}

/// The verdict in one word, for a table.
pub(crate) fn verdict(gate: &Gate) -> Line {
    match gate.verdict {
        GateVerdict::Holds => Line::of(Ink::Good, "✓ holds"),
        GateVerdict::Broken => Line::of(Ink::Bad, "✗ worse"),
        GateVerdict::Inconclusive => Line::of(Ink::Unsure, "? unclear"),
    }
}

pub(crate) fn gate_line(gate: &Gate) -> Line {
    let expected = gate.expected.name();
    match gate.verdict {
        GateVerdict::Holds => {
            Line::of(Ink::Good, "✓ as expected").and(Ink::Plain, format!(": no worse than {expected}"))
        }
        GateVerdict::Broken => Line::of(Ink::Bad, "✗ worse than expected")
            .and(Ink::Plain, format!(": {expected} is excluded by the measurements")),
        GateVerdict::Inconclusive => Line::of(Ink::Unsure, "? inconclusive")
            .and(Ink::Plain, format!(": the measurements do not tell whether it is worse than {expected}")),
    }
}

/// Exponents are sought up to here: an interval that reaches it has no upper end.
const UNBOUNDED: f64 = 8.0;

/// An exponent with its interval.
pub(crate) fn bounded(estimate: &Estimate) -> String {
    if estimate.high >= UNBOUNDED {
        return format!("{}{TIE}({})", number::bare(estimate.value, None), bounds(estimate));
    }
    number::bare(estimate.value, Some((estimate.low, estimate.high)))
}

/// The interval of an exponent alone.
pub(crate) fn bounds(estimate: &Estimate) -> String {
    let [low, high] = [estimate.low, estimate.high].map(|bound| number::bare(bound, None));
    if estimate.high >= UNBOUNDED { format!("≥{TIE}{low}") } else { format!("{low}–{high}") }
}

pub(crate) fn fits(scale: &Scale) -> Table {
    let columns = vec![
        Column::new("", Side::Left, Room::Whole),
        Column::new("class", Side::Left, Room::Whole),
        Column::new("or", Side::Left, Room::Spare),
        Column::new("exponent (95 %)", Side::Left, Room::Whole),
        Column::new("fixed", Side::Right, Room::Whole),
        Column::new(largest_title(scale), Side::Right, Room::Whole),
        Column::new("one more", Side::Right, Room::Spare),
        Column::new("off by", Side::Right, Room::Spare),
        Column::new("n", Side::Right, Room::Spare),
    ];
    Table { columns, rows: scale.fits.iter().map(fit_row).collect() }.without_empty_columns()
}

fn largest_title(scale: &Scale) -> String {
    let last = scale.fits.first().and_then(|fit| fit.points.last());
    last.map_or_else(String::new, |point| format!("at{TIE}{}", size(point.size)))
}

fn fit_row(fit: &Fit) -> Vec<Line> {
    let known = |estimate: &Option<Estimate>| {
        estimate.as_ref().map_or_else(
            || Line::of(Ink::Unsure, "unknown"),
            |known| Line::plain(cost(known.value, fit.unit)),
        )
    };
    let rivals: Vec<&str> = fit.set.iter().skip(1).map(|likely| likely.class.name()).collect();
    vec![
        Line::plain(metric(fit.metric)),
        Line::of(Ink::Strong, tied(&named(fit))),
        Line::plain(tied(&rivals.join(", "))),
        Line::plain(fit.exponent.as_ref().map_or_else(|| "–".to_owned(), bounded)),
        known(&fit.fixed),
        Line::plain(fit.points.last().map_or_else(String::new, |point| cost(point.cost, fit.unit))),
        known(&fit.marginal),
        Line::plain(number::percent(fit.residual)),
        Line::plain(fit.points.iter().map(|point| point.n).min().unwrap_or(0).to_string()),
    ]
}

fn tied(text: &str) -> String {
    text.replace(' ', &TIE.to_string())
}

pub(crate) const fn metric(metric: Metric) -> &'static str {
    match metric {
        Metric::Instructions => "instructions",
        Metric::Wall => "wall time",
        _ => "cpu time",
    }
}

/// All that grows, each with its name: the metrics of a command, the families of a suite.
pub(crate) fn named_fits(scale: &Scale) -> Vec<(&str, &Fit)> {
    match &scale.suite {
        Some(suite) => suite.families.iter().map(|family| (family.name.as_str(), &family.growth)).collect(),
        None => scale.fits.iter().map(|fit| (metric(fit.metric), fit)).collect(),
    }
}

/// Functions on the page; the JSON has all.
const MOST_FUNCTIONS: usize = 6;

pub(crate) fn functions(functions: &[Function]) -> Vec<Block> {
    if functions.is_empty() {
        return Vec::new();
    }
    let columns = vec![
        Column::new("function", Side::Left, Room::Cut),
        Column::new("class", Side::Left, Room::Whole),
        Column::new("exponent (95 %)", Side::Left, Room::Whole),
        Column::new("own", Side::Right, Room::Whole),
        Column::new("with callees", Side::Right, Room::Whole),
        Column::new("where", Side::Left, Room::Spare),
    ];
    let row = |function: &Function| {
        let place =
            function.file.as_deref().map_or_else(String::new, |file| profile::spot(file, function.line));
        vec![
            if function.name == "???" {
                Line::plain("(no symbols)")
            } else {
                Line::of(Ink::Verbatim, &function.name)
            },
            Line::of(Ink::Strong, tied(function.class.name())),
            Line::plain(function.exponent.as_ref().map_or_else(|| "–".to_owned(), bounded)),
            Line::plain(number::percent(function.own)),
            Line::plain(function.inclusive.map_or_else(String::new, number::percent)),
            Line::plain(place),
        ]
    };
    let rows = functions.iter().take(MOST_FUNCTIONS).map(row).collect();
    vec![Block::Table(Table { columns, rows }.without_empty_columns())]
}

/// Bends and predictions.
pub(crate) fn findings(scale: &Scale) -> Vec<Note> {
    let mut all = Vec::new();
    for (name, fit) in named_fits(scale) {
        if let Some(bend) = &fit.bend {
            let text = format!(
                ": the growth changes between {} and {}: exponent {:.2} below, {:.2} above",
                size(bend.after),
                size(bend.size),
                bend.below,
                bend.above
            );
            all.push(Note { text: Line::of(Ink::Strong, name).and(Ink::Plain, text), next: None });
        }
        for prediction in &fit.predictions {
            let known = &prediction.cost;
            let text = format!(
                " at {}: {} ({} to {}) expected",
                size(prediction.size),
                cost(known.value, fit.unit),
                cost(known.low, fit.unit),
                cost(known.high, fit.unit)
            );
            all.push(Note {
                text: Line::of(Ink::Strong, name).and(Ink::Plain, tied(&text).replace(TIE, " ")),
                next: None,
            });
        }
    }
    all
}

/// A size as one would type it: `64k`, `2M`, and what has no such form in full.
pub(crate) fn size(value: u64) -> String {
    match value {
        0 => "0".to_owned(),
        value if value % 1_000_000_000 == 0 => format!("{}G", value / 1_000_000_000),
        value if value % 1_000_000 == 0 => format!("{}M", value / 1_000_000),
        value if value % 1000 == 0 => format!("{}k", value / 1000),
        value => number::count(value),
    }
}

/// A cost with three digits: `812 ms`, `4.31 M`.
pub(crate) fn cost(value: f64, unit: Unit) -> String {
    if unit != Unit::One {
        return number::quantity(value, unit);
    }
    let scales = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (by, name) = scales.into_iter().find(|(by, _)| value >= 0.9995 * by).unwrap_or((1.0, ""));
    let value = value / by;
    let digits = if value >= 99.95 || (name.is_empty() && value.fract() == 0.0) {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    if name.is_empty() { format!("{value:.digits$}") } else { format!("{value:.digits$}{TIE}{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_costs_are_short() {
        assert_eq!([1, 1024, 64_000, 2_000_000].map(size), ["1", "1,024", "64k", "2M"]);
        let shown =
            [0.25, 7.0, 12_345.0, 999_960.0, 4.31e9].map(|value| cost(value, Unit::One).replace(TIE, " "));
        assert_eq!(shown, ["0.25", "7", "12.3 k", "1.00 M", "4.31 G"]);
    }
}
