//! Costs of source lines.
//!
//! There are millions of them, so nothing is looked up while they come: rows are appended, and put in order at the end.

use super::super::hash::Table;
use super::super::rows::Rows;
use super::Line;
use super::names::Names;

/// Lines and pieces that are remembered. Code goes to and fro between a few lines of a few files, so most are met again at once.
const NEAR_LINES: usize = 512;
const NEAR_PIECES: usize = 16;

/// What a function has of one source file: the numbers of both.
type Piece = (u32, Option<u32>);

pub(super) struct Lines {
    pieces: Table<Piece, u32>,
    /// By the last bits of the file's number.
    near_pieces: [Option<(Piece, u32)>; NEAR_PIECES],
    list: Vec<Piece>,
    /// Piece and line; the same may come again.
    rows: Rows<(u32, u32)>,
    /// The last row of a line, by the last bits of both numbers.
    near_lines: Box<[u32; NEAR_LINES]>,
}

impl Default for Lines {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Lines {
    pub(super) fn new(events: usize) -> Self {
        Self {
            pieces: Table::default(),
            near_pieces: [None; NEAR_PIECES],
            list: Vec::new(),
            rows: Rows::new(events),
            near_lines: Box::new([0; NEAR_LINES]),
        }
    }

    /// Makes room for the lines of a file of so many bytes, as far as there is memory: tables that grow by being copied cost as much
    /// as reading them.
    pub(super) fn expect(&mut self, bytes: usize) {
        self.rows.reserve(bytes / 80);
    }

    /// `None` when there are too many for 32 bits.
    pub(super) fn piece(&mut self, function: u32, file: Option<u32>) -> Option<u32> {
        let key = (function, file);
        let near = self.near_pieces.get_mut(file.unwrap_or(0) as usize % NEAR_PIECES)?;
        if let Some((_, piece)) = near.filter(|(other, _)| *other == key) {
            return Some(piece);
        }
        let new = u32::try_from(self.list.len()).ok()?;
        let piece = *self.pieces.entry(key).or_insert(new);
        if piece == new {
            self.list.push(key);
        }
        *near = Some((key, piece));
        Some(piece)
    }

    /// `None` when a sum does not fit 64 bits.
    #[inline]
    pub(super) fn add(&mut self, piece: u32, line: u32, counts: &[u64]) -> Option<()> {
        let place = (line as usize).wrapping_add((piece as usize).wrapping_mul(37)) % NEAR_LINES;
        let near = self.near_lines.get_mut(place)?;
        if self.rows.thing(*near) != Some(&(piece, line)) {
            *near = self.rows.push((piece, line))?;
        }
        self.rows.add(*near, counts)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Each line once for each piece, in the order of pieces and lines. Their counts stay where they are: to copy them would cost as
    /// much as reading them.
    pub(super) fn finish<'a>(mut self, names: &Names<'a>) -> Rows<Line<'a>> {
        let order = self.order();
        let (mut lines, mut places) = (Vec::new(), Vec::new());
        let mut last = None;
        for row in order {
            let Some(key) = self.rows.thing(row).copied() else { continue };
            match last {
                // Parts of totals that were checked.
                Some((before, place)) if before == key => self.rows.merge_capped(place, row),
                _ => {
                    lines.push(self.line(key, names));
                    places.push(row);
                    last = Some((key, row));
                }
            }
        }
        self.rows.taken(lines, places)
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
