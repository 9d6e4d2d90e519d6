//! The parts of a whole as one bar.

use super::Row;
use crate::Page;
use crate::document::{Ink, Span, part};
use crate::inert;

/// Blue, orange, sky, yellow, violet, grey: apart for colour-blind eyes, on dark and on light.
const HUES: [u8; 6] = [33, 208, 81, 178, 133, 245];

pub(super) fn hue(at: usize) -> u8 {
    HUES.get(at % HUES.len()).copied().unwrap_or(245)
}

pub(super) fn row(shares: &[f64], page: &Page) -> Row {
    let mut row = vec![Span { text: " ".to_owned(), ink: Ink::Plain }];
    for (at, cells) in cells(shares, page.columns() - 2).into_iter().enumerate() {
        let (sign, ink) = part(at, shares.len());
        row.push(Span { text: inert::terminal(&sign.to_string(), page.unicode).repeat(cells), ink });
    }
    row
}

/// How many of the cells each share takes: whole cells that add up to the room when the shares add up to one. What
/// rounding leaves over goes to the largest fractions.
fn cells(shares: &[f64], room: usize) -> Vec<usize> {
    #[expect(clippy::cast_precision_loss, reason = "a terminal is a few hundred columns wide")]
    let exact: Vec<f64> = shares.iter().map(|share| share.clamp(0.0, 1.0) * room as f64).collect();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the room")]
    let mut cells: Vec<usize> = exact.iter().map(|cells| *cells as usize).collect();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a few rooms")]
    let wanted = (exact.iter().sum::<f64>().round() as usize).min(room);
    let mut by_fraction: Vec<usize> = (0..exact.len()).collect();
    let fraction = |at: &usize| exact.get(*at).map_or(0.0, |cells| cells.fract());
    by_fraction.sort_by(|a, b| fraction(b).total_cmp(&fraction(a)));
    let mut left = wanted.saturating_sub(cells.iter().sum());
    for at in by_fraction {
        if let Some(cell) = cells.get_mut(at).filter(|_| left > 0) {
            *cell += 1;
            left -= 1;
        }
    }
    // Shares that add up to more than one must not leave the page.
    let mut free = room;
    for cell in &mut cells {
        *cell = (*cell).min(free);
        free -= *cell;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_long_as_the_shares_say() {
        for (shares, wanted) in [
            (vec![0.5, 0.5], vec![5, 5]),
            (vec![0.34, 0.33, 0.33], vec![4, 3, 3]),
            (vec![0.96, 0.04], vec![10, 0]),
            (vec![0.9, 0.9], vec![9, 1]),
            (vec![-0.1, 1.1], vec![0, 10]),
            (vec![f64::NAN, 0.5], vec![0, 5]),
            (vec![], vec![]),
        ] {
            assert_eq!(cells(&shares, 10), wanted, "{shares:?}");
        }
    }
}
