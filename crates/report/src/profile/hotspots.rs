//! Functions by what they cost themselves.

use model::Unit;
use model::profile::{Hotspot, Share};
use model::recording::Owner;

use super::{named, site};
use crate::document::{Block, Column, Fit, Ink, Line, Side, Table};
use crate::{number, words};

/// The first hotspots, with shares of this whole; `--json` has them all.
pub(crate) fn blocks(hotspots: &[Hotspot], whole: &str, most: usize) -> Vec<Block> {
    if hotspots.is_empty() {
        return Vec::new();
    }
    // What only calls others is seen in the tree.
    let hotspots: Vec<&Hotspot> = hotspots.iter().filter(|hotspot| hotspot.n > 0).collect();
    if hotspots.is_empty() {
        let text = "no function stands out: the cost is spread over many, each too small to name";
        return vec![Block::Paragraph(Line::plain(text))];
    }
    let columns = vec![
        Column::new("own", Side::Right, Fit::Whole),
        Column::new("(95 %)", Side::Left, Fit::Spare),
        Column::new("total", Side::Right, Fit::Whole),
        Column::new("hotspot", Side::Left, Fit::Cut),
        Column::new("called from", Side::Left, Fit::Cut),
        Column::new("at most", Side::Right, Fit::Whole),
    ];
    let rows = hotspots.iter().take(most).map(|hotspot| row(hotspot)).collect();
    let table = Table { columns, rows }.without_empty_columns();
    let mut note = format!("shares of {}", of_what(&hotspots, whole));
    if hotspots.iter().take(most).any(|hotspot| hotspot.ceiling.is_some()) {
        note.push_str("; at most: how much faster without it");
    }
    let more = hotspots.len().saturating_sub(most);
    if more > 0 {
        note.push_str(&format!("; {more} more: --json"));
    }
    vec![Block::Table(table), Block::Paragraph(Line::of(Ink::Faint, note))]
}

/// Fewer hits than these may be of a small part of what ran.
const FEW: f64 = 100.0;

/// `CPU time`; where few hits stand for it: `the 14 ms of CPU time seen in 14 hits`.
fn of_what(hotspots: &[&Hotspot], whole: &str) -> String {
    let first = hotspots.iter().find(|hotspot| hotspot.own.value > 0.0);
    let Some((first, seconds)) = first.and_then(|first| Some((first, first.seconds?))) else {
        return whole.to_owned();
    };
    #[expect(clippy::cast_precision_loss, reason = "a number of hits")]
    let hits = (first.n as f64 / first.own.value).round();
    if hits >= FEW {
        return whole.to_owned();
    }
    let stands = number::quantity(seconds / first.own.value, Unit::Seconds);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a hundred")]
    let hits = words::plural(hits as u64, "hit");
    format!("the {stands} of {whole} seen in {hits}")
}

fn row(hotspot: &Hotspot) -> Vec<Line> {
    vec![
        Line::plain(number::percent(hotspot.own.value)),
        Line::of(Ink::Faint, interval(hotspot.own)),
        Line::plain(number::percent(hotspot.total.value)),
        function(hotspot),
        Line::plain(hotspot.project.as_ref().map(named).unwrap_or_default()),
        Line::plain(hotspot.ceiling.map(ceiling).unwrap_or_default()),
    ]
}

/// The user's own code stands out.
fn function(hotspot: &Hotspot) -> Line {
    let ink = if hotspot.place.owner == Owner::Project { Ink::Strong } else { Ink::Plain };
    let line = Line::of(ink, model::brief::brief(&hotspot.place.function));
    // A module without names stands for its functions.
    match site(&hotspot.place).filter(|site| !hotspot.place.function.starts_with(site.as_str())) {
        Some(site) => line.and(Ink::Faint, format!(" {site}")),
        None => line,
    }
}

fn interval(share: Share) -> String {
    number::percent_range(share.low, share.high)
}

/// `1.8×`.
fn ceiling(times: f64) -> String {
    let digits = if times < 10.0 { 1 } else { 0 };
    // Below this the first decimal would say "not at all".
    if times < 1.05 { format!("{times:.2}×") } else { format!("{times:.digits$}×") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inert::TIE;

    #[test]
    fn ceilings_and_intervals_are_short() {
        for (times, wanted) in [(1.83, "1.8×"), (1.004, "1.00×"), (12.4, "12×")] {
            assert_eq!(ceiling(times), wanted);
        }
        let share = Share { value: 0.2, low: 0.18, high: 0.24 };
        assert_eq!(interval(share).replace(TIE, " "), "18–24 %");
    }
}
