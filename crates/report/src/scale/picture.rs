//! The plot as self-contained SVG: costs as dots, models as lines.

use std::fmt::Write as _;

use model::scale::{Fit, Scale};

use super::plot::Frame;
use super::{bounded, cost, named, named_fits, size};
use crate::inert;

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 520.0;
const HEAD: f64 = 92.0;
const FOOT: f64 = 46.0;
const PAD: f64 = 12.0;
/// Room for the costs beside each panel.
const MARGIN: f64 = 76.0;

const COLOURS: [&str; 2] = ["#1f6fb5", "#d2691e"];

/// Panels side by side.
const COLUMNS: usize = 2;

/// From one row of panels to the next.
const ROW: f64 = HEIGHT - 2.0 * FOOT;

/// A panel for each metric, or for each family of a suite.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "tens of panels")]
pub fn svg(scale: &Scale) -> String {
    let panels = named_fits(scale);
    let height = HEIGHT + ROW * (panels.len().div_ceil(COLUMNS).max(1) - 1) as f64;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" \
         height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n<style>{}{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n",
        include_str!("../flame/flame.css")
    );
    words(&mut text, "title", (PAD, 26.0), "start", &scale.command);
    words(&mut text, "sub", (PAD, 46.0), "start", &scale.summary);
    let each = (WIDTH - PAD) / panels.len().clamp(1, COLUMNS) as f64;
    for ((at, (name, fit)), colour) in panels.into_iter().enumerate().zip(COLOURS.into_iter().cycle()) {
        let (column, row) = ((at % COLUMNS) as f64, (at / COLUMNS) as f64);
        let room = Room { left: PAD + each * column, top: ROW * row, width: each - PAD };
        panel(&mut text, name, fit, colour, &room);
    }
    text.push_str("</svg>\n");
    text
}

const STYLE: &str =
    ".axis{stroke:#b9b5ac;stroke-width:1}.model{fill:none;stroke-width:1.6;stroke-dasharray:5 4}";

/// Where a panel stands.
struct Room {
    left: f64,
    top: f64,
    width: f64,
}

fn panel(text: &mut String, name: &str, fit: &Fit, colour: &str, room: &Room) {
    let (left, width, head) = (room.left, room.width, room.top + HEAD);
    let exponent =
        fit.exponent.as_ref().map_or_else(String::new, |known| format!(", exponent {}", bounded(known)));
    let title = format!("{name}: {}{exponent}", named(fit));
    words(text, "details", (left + MARGIN, head - 18.0), "start", &title);
    let Some(frame) = Frame::of(fit) else { return };
    let (right, bottom) = (left + width, room.top + HEIGHT - FOOT);
    let x = |size: u64| left + MARGIN + 8.0 + frame.x(size) * (width - MARGIN - 24.0);
    let y = |cost: f64| bottom - 8.0 - frame.y(cost) * (bottom - head - 16.0);
    let _ = writeln!(
        text,
        "<path class=\"axis\" fill=\"none\" d=\"M{0:.1} {head} V{bottom:.1} H{right:.1}\"/>",
        left + MARGIN
    );
    let curve: Vec<String> = fit
        .points
        .iter()
        .map(|point| format!("{:.1},{:.1}", x(point.size), y(point.fitted.max(f64::MIN_POSITIVE))))
        .collect();
    let _ = writeln!(text, "<polyline class=\"model\" stroke=\"{colour}\" points=\"{}\"/>", curve.join(" "));
    for point in &fit.points {
        let told = format!("{}: {} (n={})", size(point.size), cost(point.cost, fit.unit), point.n);
        let _ = writeln!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4.5\" fill=\"{colour}\"><title>{}</title></circle>",
            x(point.size),
            y(point.cost),
            inert::xml(&told)
        );
        words(text, "sub", (x(point.size), bottom + 18.0), "middle", &size(point.size));
    }
    let (low, high) = frame.ends();
    for value in [low, (low * high).sqrt(), high] {
        words(text, "sub", (left + MARGIN - 6.0, y(value) + 4.0), "end", &cost(value, fit.unit));
    }
}

fn words(text: &mut String, class: &str, at: (f64, f64), anchor: &str, words: &str) {
    let shown: String = inert::terminal(words, true).chars().take(180).collect();
    let _ = writeln!(
        text,
        "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
        at.0,
        at.1,
        inert::xml(&shown)
    );
}
