//! How the cost grows: a plot for each metric, or for each family of a suite, costs as dots and the model as a line.
//!
//! Places are shares of the plot, so it is as wide as the page and its letters stay letters.

use std::fmt::Write as _;

use model::scale::{Fit, Scale};

use super::{Section, Sheet, Told};
use crate::inert;
use crate::scale::plot::Frame;
use crate::scale::{bounded, cost, named, named_fits, size};

pub(super) fn section(sheet: &Sheet) -> Option<Section> {
    let scale = match sheet.told {
        Told::Scale(scale) => scale,
        Told::Why(answer) => answer.scaling.as_ref()?,
        _ => return None,
    };
    let body: String = named_fits(scale).into_iter().map(|(name, fit)| panel(name, fit)).collect();
    Some(Section::new("growth", "Cost by size", note(scale), format!("<div class=\"panels\">{body}</div>")))
}

fn note(scale: &Scale) -> String {
    match &scale.gate {
        Some(gate) => crate::scale::gate_line(gate).0.iter().map(|span| span.text.as_str()).collect(),
        None => {
            "Both axes logarithmic, except for exponential growth. Dots were measured, the line is the model."
                .to_owned()
        }
    }
}

/// From the edge of the plot to where points may lie, in shares of it.
const EDGE: f64 = 4.0;

fn panel(name: &str, fit: &Fit) -> String {
    let exponent =
        fit.exponent.as_ref().map_or_else(String::new, |known| format!(", exponent {}", bounded(known)));
    let title = format!("{name}: {}{exponent}", named(fit));
    let mut text = format!("<figure class=\"plot\"><figcaption>{}</figcaption>", inert::html(&title));
    let Some(frame) = Frame::of(fit) else { return text + "</figure>" };
    let x = |size: u64| EDGE + frame.x(size) * (100.0 - 2.0 * EDGE);
    let y = |cost: f64| 100.0 - EDGE - frame.y(cost) * (100.0 - 2.0 * EDGE);
    let (low, high) = frame.ends();
    text.push_str("<div class=\"axes\"><div class=\"up\" aria-hidden=\"true\">");
    for value in [high, (low * high).sqrt(), low] {
        let _ = write!(text, "<span>{}</span>", inert::html(&cost(value, fit.unit)));
    }
    let _ = write!(text, "</div><svg role=\"img\" aria-label=\"{}\">", inert::html(&title));
    for pair in fit.points.windows(2) {
        let [a, b] = pair else { continue };
        let ends = [a, b].map(|point| (x(point.size), y(point.fitted.max(f64::MIN_POSITIVE))));
        let [(x1, y1), (x2, y2)] = ends;
        let _ = write!(
            text,
            "<line class=\"model\" x1=\"{x1:.2}%\" y1=\"{y1:.2}%\" x2=\"{x2:.2}%\" y2=\"{y2:.2}%\"/>"
        );
    }
    for point in &fit.points {
        let told = format!("{}: {} (n={})", size(point.size), cost(point.cost, fit.unit), point.n);
        let _ = write!(
            text,
            "<circle cx=\"{:.2}%\" cy=\"{:.2}%\" r=\"5\"><title>{}</title></circle>",
            x(point.size),
            y(point.cost),
            inert::html(&told)
        );
    }
    text.push_str("</svg><div class=\"along\" aria-hidden=\"true\">");
    // Every name would not fit beside its neighbours on a narrow page.
    let middle = fit.points.get(fit.points.len() / 2);
    for point in [fit.points.first(), middle, fit.points.last()].into_iter().flatten() {
        let _ = write!(text, "<span>{}</span>", inert::html(&size(point.size)));
    }
    text + "</div></div></figure>"
}
