//! The costs and the model as letters: both axes logarithmic, for exponential growth only the upright one.

use model::scale::{Class, Fit};

use super::{cost, size};
use crate::document::{Ink, Line};
use crate::inert::TIE;

const WIDTH: usize = 44;
const HEIGHT: usize = 9;
/// Room for the costs beside the axis.
const MARGIN: usize = 9;

/// Where a point lies: 0 to 1 in both directions.
pub(crate) struct Frame {
    across: (f64, f64),
    up: (f64, f64),
    linear: bool,
}

impl Frame {
    /// `None` without two different points.
    pub(crate) fn of(fit: &Fit) -> Option<Self> {
        let linear = matches!(fit.class, Class::Exponential | Class::Factorial);
        let costs =
            || fit.points.iter().flat_map(|point| [point.cost, point.fitted]).filter(|cost| *cost > 0.0);
        let (least, most) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
        let first = abscissa(fit.points.first()?.size, linear);
        let last = abscissa(fit.points.last()?.size, linear);
        // A cost that hardly changes must not look like a slope: the axis spans at least a factor of two.
        let middle = (least.ln() + most.ln()) / 2.0;
        let half = ((most.ln() - least.ln()) / 2.0).max(0.35);
        let whole = last > first && least.is_finite() && most > 0.0;
        whole.then_some(Self { across: (first, last), up: (middle - half, middle + half), linear })
    }

    pub(crate) fn x(&self, size: u64) -> f64 {
        (abscissa(size, self.linear) - self.across.0) / (self.across.1 - self.across.0)
    }

    pub(crate) fn y(&self, cost: f64) -> f64 {
        ((cost.ln() - self.up.0) / (self.up.1 - self.up.0)).clamp(0.0, 1.0)
    }

    /// The costs at the ends of the upright axis.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.up.0.exp(), self.up.1.exp())
    }
}

fn abscissa(size: u64, linear: bool) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a place in a plot")]
    let size = size as f64;
    if linear { size } else { size.max(1.0).ln() }
}

/// The plot, or nothing where there is nothing to draw.
pub(super) fn lines(fit: &Fit) -> Vec<Line> {
    let Some(frame) = Frame::of(fit) else { return Vec::new() };
    let mut cells = vec![vec![' '; WIDTH]; HEIGHT];
    for pair in fit.points.windows(2) {
        let [a, b] = pair else { continue };
        segment(&mut cells, (frame.x(a.size), frame.y(a.fitted)), (frame.x(b.size), frame.y(b.fitted)));
    }
    for point in &fit.points {
        put(&mut cells, frame.x(point.size), frame.y(point.cost), '•');
    }
    let (low, high) = frame.ends();
    let label = |row: usize| match row {
        0 => cost(high, fit.unit),
        row if row + 1 == HEIGHT => cost(low, fit.unit),
        _ => String::new(),
    };
    let mut lines: Vec<Line> =
        cells.iter().enumerate().map(|(row, cells)| drawn(&label(row), cells)).collect();
    lines.push(Line::of(Ink::Faint, format!("{}└{}", " ".repeat(MARGIN + 1), "─".repeat(WIDTH))));
    let (first, last) = (fit.points.first().map_or(0, |p| p.size), fit.points.last().map_or(0, |p| p.size));
    let (first, last) = (size(first), size(last));
    let gap = WIDTH.saturating_sub(first.chars().count() + last.chars().count());
    lines.push(Line::of(Ink::Faint, format!("{}{first}{}{last}", " ".repeat(MARGIN + 2), " ".repeat(gap))));
    lines
}

fn drawn(label: &str, cells: &[char]) -> Line {
    let label = label.replace(TIE, " ");
    let mut line = Line::of(Ink::Faint, format!("{label:>MARGIN$} │"));
    let drawn = cells.iter().rposition(|cell| *cell != ' ').map_or(0, |last| last + 1);
    let cells = cells.get(..drawn).unwrap_or_default();
    for run in cells.chunk_by(|a, b| (*a == '•') == (*b == '•')) {
        let ink = if run.contains(&'•') { Ink::Strong } else { Ink::Faint };
        line = line.and(ink, run.iter().collect::<String>());
    }
    line
}

fn segment(cells: &mut [Vec<char>], from: (f64, f64), to: (f64, f64)) {
    for step in 0..=WIDTH {
        #[expect(clippy::cast_precision_loss, reason = "a few dozen steps")]
        let share = step as f64 / WIDTH as f64;
        put(cells, from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1), '┄');
    }
}

fn put(cells: &mut [Vec<char>], x: f64, y: f64, letter: char) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "within 0 to 1 times a few dozen"
    )]
    let place = |share: f64, length: usize| (share.clamp(0.0, 1.0) * (length - 1) as f64).round() as usize;
    let row = HEIGHT - 1 - place(y, HEIGHT);
    if let Some(cell) = cells.get_mut(row).and_then(|row| row.get_mut(place(x, WIDTH))) {
        *cell = letter;
    }
}
