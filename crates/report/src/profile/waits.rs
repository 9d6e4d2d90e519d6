//! Places that waited, and whether that held up the program.

use model::Unit;
use model::profile::WaitSite;

use super::named;
use crate::document::{Block, Column, Fit, Ink, Line, Side, Table};
use crate::{number, words};

/// A wait is told as holding the program up when this much of it did.
const MATTERS: f64 = 0.01;

/// The longest waits; `--json` has them all.
pub(crate) fn blocks(waits: &[WaitSite], most: usize) -> Vec<Block> {
    if waits.is_empty() {
        return Vec::new();
    }
    let columns = vec![
        Column::new("waited", Side::Right, Fit::Whole),
        Column::new("times", Side::Right, Fit::Spare),
        Column::new("for", Side::Left, Fit::Cut),
        Column::new("at", Side::Left, Fit::Cut),
        Column::new("held up", Side::Right, Fit::Whole),
    ];
    let rows = waits.iter().take(most).map(row).collect();
    let table = Table { columns, rows }.without_empty_columns();
    let mut blocks = vec![Block::Table(table)];
    let more = waits.len().saturating_sub(most) as u64;
    if more > 0 {
        let text = format!("{} more: --json", words::plural(more, "place"));
        blocks.push(Block::Paragraph(Line::of(Ink::Faint, text)));
    }
    blocks
}

fn row(wait: &WaitSite) -> Vec<Line> {
    let mut cause = Line::plain(&wait.leaf);
    if let Some(what) = wait.what.as_deref().or(wait.call.as_deref()) {
        cause = cause.and(Ink::Faint, format!(" {what}"));
    }
    vec![
        Line::plain(number::quantity(wait.seconds, Unit::Seconds)),
        Line::plain(number::count(wait.count)),
        cause,
        Line::plain(wait.place.as_ref().map(named).unwrap_or_default()),
        held_up(wait),
    ]
}

/// How long the program as a whole stood still for it.
fn held_up(wait: &WaitSite) -> Line {
    if wait.critical_s > MATTERS * wait.seconds && wait.critical_s > 0.0 {
        Line::of(Ink::Strong, number::quantity(wait.critical_s, Unit::Seconds))
    } else if wait.idle {
        Line::of(Ink::Faint, "idle")
    } else {
        Line::of(Ink::Faint, "no")
    }
}
