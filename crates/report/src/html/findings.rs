//! What to change, as cards: the place, what it costs, why it is believed, what to do, how to check.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use model::Unit;
use model::answer::{Answer, Evidence, Finding, Reason};
use model::profile::Place;

use super::verdict::{pill, state_class};
use super::{Section, Sheet, Told, prose, width};
use crate::{inert, number, profile, words};

pub(super) fn section(sheet: &Sheet) -> Option<Section> {
    let Told::Why(answer) = sheet.told else { return None };
    let rows = Rows::of(&answer.evidence);
    let body: String = answer.findings.iter().map(|finding| card(finding, &rows)).collect();
    let note = match answer.findings.len() as u64 {
        0 => "No cause was found that a measurement supports.".to_owned(),
        1 => "1 finding.".to_owned(),
        n => format!("{}, by the time they give back at least.", words::plural(n, "finding")),
    };
    let body = if body.is_empty() { nothing(answer) } else { format!("<div class=\"cards\">{body}</div>") };
    Some(Section::new("findings", "What to change", note, body))
}

fn nothing(answer: &Answer) -> String {
    if answer.hypotheses.is_empty() {
        return "<p>Nothing was examined: the causes need a recorded run.</p>".to_owned();
    }
    let examined = words::plural(answer.hypotheses.len() as u64, "cause");
    format!("<p>{examined} examined: see <a href=\"#hypotheses\">all of them</a>.</p>")
}

/// Which row of the evidence table an id is. Ids are text that we may not have written ourselves.
pub(super) struct Rows<'a>(BTreeMap<&'a str, usize>);

impl<'a> Rows<'a> {
    pub(super) fn of(evidence: &'a [Evidence]) -> Self {
        Self(evidence.iter().enumerate().map(|(at, evidence)| (evidence.id.as_str(), at)).collect())
    }

    /// Links to the rows; an id without a row stays text.
    pub(super) fn links(&self, ids: &[String]) -> String {
        let link = |id: &String| match self.0.get(id.as_str()) {
            Some(at) => format!(" <a class=\"ev\" href=\"#ev-{at}\">{}</a>", inert::html(id)),
            None => format!(" <span class=\"ev\">{}</span>", inert::html(id)),
        };
        ids.iter().map(link).collect()
    }
}

fn card(finding: &Finding, rows: &Rows) -> String {
    let word = finding.state.word();
    let mut text = format!(
        "<article class=\"card\" id=\"f-{0}\"><header><span class=\"rank\">{0}</span><h3>{1}</h3>{2}</header>",
        finding.rank,
        inert::html(&finding.cause),
        pill(state_class(word), word),
    );
    if let Some(place) = &finding.location {
        text.push_str(&self::place(place));
    }
    let _ = write!(text, "<p class=\"say\">{}</p>{}", prose(&finding.summary), share(finding));
    reasons(&mut text, "Why we think so", &finding.because, rows, "ul");
    reasons(&mut text, "From symptom to cause", &finding.chain, rows, "ol");
    if !finding.evidence.is_empty() {
        let _ = write!(text, "<p class=\"all-ev\">Evidence:{}</p>", rows.links(&finding.evidence));
    }
    let _ = write!(
        text,
        "<h4>What to do</h4><p>{}</p><h4>Check that it helped</h4>{}</article>",
        prose(&finding.prescription),
        super::command(&finding.verify)
    );
    text
}

/// `parse` and below it `/srv/app/parse.c:120`.
pub(super) fn place(place: &Place) -> String {
    let site = match (&place.file, place.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        (None, _) => profile::site(place).unwrap_or_default(),
    };
    format!(
        "<p class=\"place\"><code>{}</code> <span>{}</span></p>",
        inert::html(&place.function),
        inert::html(&site)
    )
}

/// The share as a bar with its interval, and the same in numbers.
fn share(finding: &Finding) -> String {
    let (value, low, high) = (finding.share.value, finding.share.least(), finding.share.most());
    let bound = words::bound(finding).map_or_else(String::new, |bound| format!(" · {}", inert::html(&bound)));
    let interval = words::interval(&finding.share).map_or_else(String::new, |interval| {
        format!(" <span class=\"faint\">({}, 95 %)</span>", inert::html(&interval))
    });
    format!(
        "<div class=\"share\" aria-hidden=\"true\"><i style=\"width:{:.2}%\"></i>\
         <u style=\"left:{:.2}%;width:{:.2}%\"></u></div>\
         <p class=\"cost\"><b>{}</b> of wall time{interval} · <b>{}</b> to gain{bound}</p>",
        width(value),
        width(low),
        (width(high) - width(low)).max(0.3),
        inert::html(&number::percent(value)),
        inert::html(&number::quantity(finding.recoverable_s, Unit::Seconds)),
    )
}

fn reasons(text: &mut String, title: &str, reasons: &[Reason], rows: &Rows, list: &str) {
    if reasons.is_empty() {
        return;
    }
    let _ = write!(text, "<h4>{title}</h4><{list}>");
    for reason in reasons {
        let _ = write!(text, "<li>{}{}</li>", prose(&reason.what), rows.links(&reason.evidence));
    }
    let _ = write!(text, "</{list}>");
}
