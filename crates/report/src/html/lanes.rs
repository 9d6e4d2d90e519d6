//! Threads over time: one strip a thread, as wide as the page.

use std::fmt::Write as _;

use super::{Section, Sheet, recording};
use crate::document::Block;
use crate::flame::timeline::{LANE, Lane, lanes};
use crate::profile::threads;
use crate::stack::Measure;
use crate::{inert, words};

/// Strips on the page. Each may have as many rectangles as it has columns.
const MOST: usize = 40;

/// Moments named below the strips.
const TICKS: u64 = 4;

pub(super) fn section(sheet: &Sheet) -> Option<Section> {
    let recording = recording(sheet)?;
    let shown = lanes(recording, MOST);
    if shown.end == 0 || shown.lanes.is_empty() {
        return None;
    }
    let mut note = format!(
        "{} over {} of the recorded run. Height is the share of each moment.",
        words::plural(recording.threads.len() as u64, "thread"),
        Measure::Time.shown(shown.end)
    );
    if shown.left_out > 0 {
        let _ = write!(note, " {} that ran least left out.", words::plural(shown.left_out as u64, "thread"));
    }
    if !recording.watched.is_empty() {
        note.push_str(" Waits were watched part of the time; the rest is blank.");
    }
    let mut body = String::from("<ul class=\"legend\">");
    for (fill, word) in &shown.legend {
        let _ = write!(body, "<li><span class=\"swatch\" style=\"background:{fill}\"></span>{word}</li>");
    }
    body.push_str("</ul><div class=\"lanes\">");
    shown.lanes.iter().for_each(|lane| row(&mut body, lane));
    body.push_str("<div class=\"ticks\" aria-hidden=\"true\">");
    for tick in 0..=TICKS {
        let _ = write!(body, "<span>{}</span>", inert::html(&Measure::Time.shown(shown.end / TICKS * tick)));
    }
    body.push_str("</div></div>");
    if let super::Told::Profile(profile) = sheet.told {
        body.push_str(&super::blocks::all(&threads::blocks(&profile.threads) as &[Block]));
    }
    Some(Section::new("threads", "Threads over time", note, body))
}

fn row(body: &mut String, lane: &Lane) {
    let process = lane.process.as_ref().map_or_else(String::new, |process| format!("process {process}"));
    let told: Vec<&str> = lane.stripes.iter().map(|stripe| stripe.told.as_str()).collect();
    let _ = write!(
        body,
        "<div class=\"lane\"><div class=\"who\" title=\"{}\"><b>{}</b> <span>{}</span></div>\
         <svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">",
        inert::html(&process),
        inert::html(&lane.name),
        lane.tid,
        LANE.0,
        LANE.1,
        inert::html(&told.join("; "))
    );
    for stripe in &lane.stripes {
        let _ = write!(
            body,
            "<path fill=\"{}\" d=\"{}\"><title>{}</title></path>",
            stripe.fill,
            stripe.path,
            inert::html(&stripe.told)
        );
    }
    body.push_str("</svg></div>");
}
