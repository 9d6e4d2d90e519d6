//! The scorecard: a row for each dimension with its points, what decided, and what was not measured.

use std::fmt::Write as _;

use model::scorecard::{Dimension, Location, Scorecard, SubCheck, Tier};

use super::verdict::pill;
use super::{Section, Sheet, Told, prose};
use crate::inert;

/// Points of one dimension.
const MOST: u32 = 4;

pub(super) fn section(sheet: &Sheet) -> Option<Section> {
    let Told::Why(answer) = sheet.told else { return None };
    let card = answer.scorecard.as_ref()?;
    Some(Section::new("scorecard", "Scorecard", card.summary.clone(), body(card)))
}

fn body(card: &Scorecard) -> String {
    let mut text = String::new();
    if let Some(band) = &card.band {
        let scaled = if band.scaled { ", scaled to all seven" } else { "" };
        let words = format!("{} · {} of 28 points{scaled}", band.name, band.points);
        let class = match band.name.as_str() {
            "strong" => "good",
            "workable" => "possible",
            _ => "bad",
        };
        let _ = write!(text, "<p>{}</p>", pill(class, &words));
    }
    if let Some(stop) = &card.stop {
        let _ = write!(text, "<p class=\"strong bad\">{}</p>", prose(stop));
    }
    for note in &card.notes {
        let _ = write!(text, "<p class=\"faint\">{}</p>", prose(note));
    }
    let (unmeasured, told): (Vec<&Dimension>, Vec<&Dimension>) =
        card.dimensions.iter().partition(|dimension| dimension.tier == Tier::NotMeasured);
    text.push_str(&table(&told));
    if !unmeasured.is_empty() {
        let names: Vec<&str> = unmeasured.iter().map(|dimension| dimension.name.as_str()).collect();
        let _ = write!(
            text,
            "<details><summary>Not measured, and what would: {}</summary>{}</details>",
            inert::html(&names.join(", ")),
            table(&unmeasured)
        );
    }
    if !card.questions.is_empty() {
        text.push_str("<h3>Questions to ask of the code</h3><ul class=\"notes\">");
        for question in &card.questions {
            let _ = write!(text, "<li>{}</li>", prose(question));
        }
        text.push_str("</ul>");
    }
    text
}

fn table(dimensions: &[&Dimension]) -> String {
    if dimensions.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<div class=\"scroll\"><table class=\"score\"><thead><tr><th scope=\"col\">dimension</th><th scope=\"col\">points</th>\
         <th scope=\"col\">verdict</th><th scope=\"col\">what decided</th></tr></thead><tbody>",
    );
    dimensions.iter().for_each(|dimension| row(&mut text, dimension));
    text + "</tbody></table></div>"
}

fn row(text: &mut String, dimension: &Dimension) {
    let _ = write!(
        text,
        "<tr><th scope=\"row\">{}<small>{}</small></th><td class=\"nw\">{}</td><td class=\"nw\">{}</td><td>{}",
        inert::html(&dimension.name),
        inert::html(&dimension.iso),
        points(dimension.score),
        tier(dimension.tier),
        prose(&dimension.because),
    );
    if let Some(location) = &dimension.location {
        let _ = write!(text, " <span class=\"faint\">{}</span>", inert::html(&place(location)));
    }
    if let Some(prescription) = &dimension.prescription {
        let _ = write!(text, "<p>{}</p>", prose(prescription));
    }
    // The checks below say themselves what they lack.
    for missing in dimension.missing.iter().filter(|_| dimension.checks.is_empty()) {
        let _ = write!(text, "<p class=\"faint\">not measured: {}</p>", prose(missing));
    }
    if !dimension.checks.is_empty() {
        text.push_str("<ul class=\"checks\">");
        dimension.checks.iter().for_each(|check| sub_check(text, check));
        text.push_str("</ul>");
    }
    text.push_str("</td></tr>");
}

fn sub_check(text: &mut String, check: &SubCheck) {
    let _ = write!(
        text,
        "<li>{} <b>{}</b> {}</li>",
        tier(check.tier),
        inert::html(&check.name.replace('_', " ")),
        prose(&check.because)
    );
}

/// Filled and empty points, and the number for whoever cannot see them.
fn points(score: Option<u32>) -> String {
    let Some(score) = score else { return "<span class=\"faint\">–</span>".to_owned() };
    let dots: String = (0..MOST).map(|at| if at < score { '●' } else { '○' }).collect();
    format!("<span class=\"dots\" aria-hidden=\"true\">{dots}</span> {score}/{MOST}")
}

fn tier(tier: Tier) -> String {
    let (class, sign) = match tier {
        Tier::Pass => ("good", "✓"),
        Tier::Warn => ("unsure", "!"),
        Tier::Fail => ("bad", "✗"),
        Tier::NotMeasured | Tier::Noise => ("faint", "?"),
    };
    format!("<b class=\"{class}\">{sign} {}</b>", tier.word())
}

fn place(location: &Location) -> String {
    let name = location.file.as_deref().and_then(|file| file.rsplit('/').next());
    match (name, location.line) {
        (Some(file), Some(line)) => format!("{} ({file}:{line})", location.function),
        (Some(file), None) => format!("{} ({file})", location.function),
        _ => location.function.clone(),
    }
}
