//! The simulated machine and the growth with the size, as short sections of an answer.

use model::scale::Scale;
use model::simulated::{Events, Function, Glance};

use crate::document::{Block, Column, Fit, Ink, Line, Side, Table};
use crate::inert::TIE;
use crate::{number, profile, scale};

/// The costliest functions, with what they do to caches and branches.
pub(crate) fn blocks(glance: &Glance) -> Vec<Block> {
    let size = glance.size.map_or_else(String::new, |size| format!(", size {}", scale::size(size)));
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let all = scale::cost(glance.totals.ir as f64, model::Unit::One);
    let title = Line::of(Ink::Strong, "simulated machine").and(
        Ink::Faint,
        format!(
            " · valgrind{size}, {all} instructions; misses are of simulated caches, not of this processor's"
        ),
    );
    let columns = vec![
        Column::new("instructions", Side::Right, Fit::Whole),
        Column::new("function", Side::Left, Fit::Cut),
        Column::new("L1 misses", Side::Right, Fit::Whole),
        Column::new("LL misses", Side::Right, Fit::Whole),
        Column::new("mispredicted", Side::Right, Fit::Whole),
        Column::new("calls", Side::Right, Fit::Spare),
        Column::new("where", Side::Left, Fit::Spare),
    ];
    let rows = glance.functions.iter().map(|one| row(one, &glance.totals));
    let rows = rows.chain(glance.outside.as_ref().map(|outside| rest(outside, &glance.totals))).collect();
    vec![Block::Paragraph(title), Block::Table(Table { columns, rows }.without_empty_columns())]
}

fn row(function: &Function, totals: &Events) -> Vec<Line> {
    let place = function.file.as_deref().map_or_else(String::new, |file| profile::spot(file, function.line));
    let mut cells = cells(name(function), &function.own, totals);
    cells.push(Line::plain(function.calls.map_or_else(String::new, number::count)));
    cells.push(Line::plain(place));
    cells
}

/// Valgrind's `???` is code of a file without symbols, or of none.
fn name(function: &Function) -> Line {
    let file = function.module.as_deref().and_then(|module| module.rsplit('/').next());
    match file {
        _ if function.name != "???" => Line::of(Ink::Verbatim, &function.name),
        Some(file) => Line::of(Ink::Verbatim, format!("{file} (no symbols)")),
        None => Line::plain("(no symbols)"),
    }
}

/// Everything below none of the folders that `--source-prefix` names.
fn rest(outside: &Events, totals: &Events) -> Vec<Line> {
    let mut cells = cells(Line::of(Ink::Faint, "(outside the prefixes)"), outside, totals);
    cells.extend([Line::plain(""), Line::plain("")]);
    cells
}

fn cells(name: Line, own: &Events, totals: &Events) -> Vec<Line> {
    let told = |share: Option<f64>| Line::plain(share.map_or_else(String::new, number::percent));
    vec![
        told(share(Some(own.ir), Some(totals.ir))),
        name,
        told(share(sum(own.d1mr, own.d1mw), sum(own.dr, own.dw))),
        told(share(sum(own.dlmr, own.dlmw), sum(own.dr, own.dw))),
        told(share(sum(own.bcm, own.bim), sum(own.bc, own.bi))),
    ]
}

fn sum(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one?.checked_add(other?)
}

/// `None` for what was not simulated, and where there was nothing to miss.
#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 53 bits")]
fn share(part: Option<u64>, whole: Option<u64>) -> Option<f64> {
    let (part, whole) = (part?, whole?);
    (whole != 0).then(|| part as f64 / whole as f64)
}

/// How the cost grows, in two lines and a table of functions.
pub(crate) fn growth(scaling: &Scale) -> Vec<Block> {
    let rivals: Vec<&str> = scaling.set.iter().skip(1).map(|class| class.name()).collect();
    let exponent = scaling
        .exponent
        .as_ref()
        .map_or_else(String::new, |exponent| format!(" · exponent{TIE}{}", scale::bounded(exponent)));
    let title = Line::of(Ink::Strong, format!("growth {}", scale::class_name(scaling)))
        .and(Ink::Plain, format!(": {}", scaling.summary));
    let title = if rivals.is_empty() {
        title
    } else {
        title.and(Ink::Unsure, format!("; not told apart from {}", rivals.join(", ")))
    };
    let mut blocks = vec![Block::Paragraph(title.and(Ink::Faint, exponent))];
    blocks.extend(scaling.gate.as_ref().map(|gate| Block::Paragraph(scale::gate_line(gate))));
    blocks.extend(scale::functions(&scaling.functions));
    blocks
}
