//! A table in columns, or, where the page is too narrow for its numbers, row by row.

use super::{Row, layout, settled};
use crate::Page;
use crate::document::{Column, Fit, Ink, Line, Side, Span, Table};
use crate::inert;

const GAP: usize = 2;

/// Names stay this wide as long as another column can be left out instead.
const COMFORTABLE: usize = 24;

/// Columns that can shrink never become narrower than this.
const NARROWEST: usize = 10;

/// A table whose texts are inert.
struct Settled {
    titles: Vec<Line>,
    sides: Vec<Side>,
    fits: Vec<Fit>,
    rows: Vec<Vec<Line>>,
}

pub(super) fn rows(table: &Table, page: &Page) -> Vec<Row> {
    let mut table = settle(table, page);
    loop {
        if let Some(widths) = widths(&table, page.columns()) {
            return in_columns(&table, &widths, page);
        }
        let Some(spare) = table.fits.iter().rposition(|fit| *fit == Fit::Spare) else {
            return stacked(&table, page);
        };
        table.leave_out(spare);
    }
}

fn settle(table: &Table, page: &Page) -> Settled {
    let titles = table.columns.iter().map(|c| settled(&Line::of(Ink::Faint, &c.title), page)).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(|cell| settled(cell, page)).collect()).collect();
    let of = |column: &Column| (column.side, column.fit);
    let (sides, fits) = table.columns.iter().map(of).unzip();
    Settled { titles, sides, fits, rows }
}

impl Settled {
    fn leave_out(&mut self, column: usize) {
        self.titles.remove(column);
        self.sides.remove(column);
        self.fits.remove(column);
        for row in self.rows.iter_mut().filter(|row| column < row.len()) {
            row.remove(column);
        }
    }
}

/// The width of each column, or `None` when the page is too narrow even after shrinking those that can.
fn widths(table: &Settled, columns: usize) -> Option<Vec<usize>> {
    let natural = |at: usize| {
        let cells = table.rows.iter().filter_map(|row| row.get(at)).chain(table.titles.get(at));
        cells.map(|cell| layout::width_of(&cell.0)).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..table.titles.len()).map(natural).collect();
    let total = |widths: &[usize]| 1 + widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    let floor = if table.fits.contains(&Fit::Spare) { COMFORTABLE } else { NARROWEST };
    while total(&widths) > columns {
        let shrinkable = widths.iter_mut().zip(&table.fits);
        let shrinkable =
            shrinkable.filter(|(width, fit)| matches!(fit, Fit::Cut | Fit::Wrap) && **width > floor);
        let (widest, _) = shrinkable.max_by_key(|(width, _)| **width)?;
        *widest -= 1;
    }
    Some(widths)
}

fn in_columns(table: &Settled, widths: &[usize], page: &Page) -> Vec<Row> {
    let titled = table.titles.iter().any(|title| !title.is_empty());
    let titles = titled.then_some(&table.titles);
    titles.into_iter().chain(&table.rows).flat_map(|row| row_in_columns(row, table, widths, page)).collect()
}

fn row_in_columns(row: &[Line], table: &Settled, widths: &[usize], page: &Page) -> Vec<Row> {
    let ellipsis = inert::terminal("…", page.unicode);
    let cells: Vec<Vec<Row>> = row
        .iter()
        .zip(widths)
        .zip(&table.fits)
        .map(|((cell, width), fit)| match fit {
            Fit::Wrap => layout::wrapped(cell, *width),
            Fit::Cut => vec![layout::cut(cell, *width, &ellipsis)],
            Fit::Whole | Fit::Spare => vec![cell.0.clone()],
        })
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    (0..height).map(|at| one_line(&cells, at, table, widths)).collect()
}

fn one_line(cells: &[Vec<Row>], at: usize, table: &Settled, widths: &[usize]) -> Row {
    let blank = |width: usize| Span { text: " ".repeat(width), ink: Ink::Plain };
    let mut line = vec![blank(1)];
    for (place, ((cell, width), side)) in cells.iter().zip(widths).zip(&table.sides).enumerate() {
        let content = cell.get(at).cloned().unwrap_or_default();
        let rest = blank(width.saturating_sub(layout::width_of(&content)));
        if place > 0 {
            line.push(blank(GAP));
        }
        match side {
            Side::Left => {
                line.extend(content);
                line.push(rest);
            }
            Side::Right => {
                line.push(rest);
                line.extend(content);
            }
        }
    }
    line
}

/// Each row as a name and, below it, its other cells with their titles.
fn stacked(table: &Settled, page: &Page) -> Vec<Row> {
    let ellipsis = inert::terminal("…", page.unicode);
    let mut lines = Vec::new();
    for row in &table.rows {
        let name = row.first().cloned().unwrap_or_default();
        let mut line = vec![Span { text: " ".to_owned(), ink: Ink::Plain }];
        line.extend(layout::cut(&name, page.columns() - 1, &ellipsis));
        lines.push(line);
        let items: Vec<Line> =
            row.iter().zip(&table.titles).skip(1).filter_map(|(cell, title)| item(cell, title)).collect();
        for mut line in layout::flowed(&items, page.columns() - 3, "   ") {
            line.insert(0, Span { text: "   ".to_owned(), ink: Ink::Plain });
            lines.push(line);
        }
    }
    lines
}

fn item(cell: &Line, title: &Line) -> Option<Line> {
    let mut spans = title.0.clone();
    if !title.is_empty() {
        spans.push(Span { text: " ".to_owned(), ink: Ink::Plain });
    }
    spans.extend(cell.0.iter().cloned());
    (!cell.is_empty()).then_some(Line(spans))
}
