//! Costs of source lines.
//!
//! There are millions of them, so nothing is looked up while they come: rows are appended, and put in order at the end.

use super::super::hash::Table;
use super::super::rows::Rows;
use super::Line;
use super::names::Names;

/// How far back the same line is looked for. Code that goes to and fro between a few lines is met again and again.
const NEAR: usize = 8;

/// A piece is what a function has of one source file.
pub(super) struct Lines {
    pieces: Table<(u32, Option<u32>), u32>,
    list: Vec<(u32, Option<u32>)>,
    /// Piece and line; the same may come again.
    rows: Rows<(u32, u32)>,
}

impl Default for Lines {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Lines {
    pub(super) fn new(events: usize) -> Self {
        Self { pieces: Table::default(), list: Vec::new(), rows: Rows::new(events) }
    }

    /// `None` when there are too many for 32 bits.
    pub(super) fn piece(&mut self, function: u32, file: Option<u32>) -> Option<u32> {
        let new = u32::try_from(self.list.len()).ok()?;
        let piece = *self.pieces.entry((function, file)).or_insert(new);
        if piece == new {
            self.list.push((function, file));
        }
        Some(piece)
    }

    /// `None` when a sum does not fit 64 bits.
    pub(super) fn add(&mut self, piece: u32, line: u32, counts: &[u64]) -> Option<()> {
        let row = match self.rows.last_of(&(piece, line), NEAR) {
            Some(row) => row,
            None => self.rows.push((piece, line))?,
        };
        self.rows.add(row, counts)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Each line once for each piece, in the order of pieces and lines.
    pub(super) fn finish<'a>(self, names: &Names<'a>, events: usize) -> Rows<Line<'a>> {
        let order = self.order();
        let mut lines: Rows<Line<'a>> = Rows::new(events);
        let mut last = None;
        for row in order {
            let Some(((piece, line), counts)) = self.rows.get(row) else { continue };
            let key = (*piece, *line);
            let place = match last {
                Some((before, place)) if before == key => Some(place),
                _ => lines.push(self.line(key, names)),
            };
            // Parts of totals that were checked, and no more rows than before.
            if let Some(place) = place {
                lines.add_capped(place, counts);
                last = Some((key, place));
            }
        }
        lines
    }

    fn line<'a>(&self, (piece, line): (u32, u32), names: &Names<'a>) -> Line<'a> {
        let (function, file) = self.list.get(piece as usize).copied().unwrap_or_default();
        let file = file.and_then(|file| names.known(file));
        Line { function, file, number: (line != 0).then_some(line) }
    }

    /// Rows by piece, counted into place, and then by line.
    fn order(&self) -> Vec<u32> {
        let mut ends = vec![0_usize; self.list.len() + 1];
        for ((piece, _), _) in self.rows.iter() {
            if let Some(count) = ends.get_mut(*piece as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let mut next = ends.clone();
        let mut order = vec![0; self.rows.len()];
        for (row, ((piece, _), _)) in (0..).zip(self.rows.iter()) {
            if let Some(place) = next.get_mut(*piece as usize) {
                if let Some(room) = order.get_mut(*place) {
                    *room = row;
                }
                *place += 1;
            }
        }
        let line = |row: &u32| self.rows.get(*row).map_or(0, |((_, line), _)| *line);
        for piece in ends.array_windows() {
            let [from, to] = *piece;
            if let Some(rows) = order.get_mut(from..to)
                && !rows.is_sorted_by_key(line)
            {
                rows.sort_unstable_by_key(line);
            }
        }
        order
    }
}
