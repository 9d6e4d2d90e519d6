//! Every cause that was considered with the number that decided it, and the evidence all of it rests on.

use std::fmt::Write as _;

use model::answer::{Evidence, Hypothesis, State};
use model::manifest::Artifact;

use super::findings::Rows;
use super::provenance::link;
use super::verdict::{pill, state_class};
use super::{Section, Sheet, Told, prose};
use crate::{explained, inert, number, profile, words};

const STATES: [State; 5] =
    [State::Confirmed, State::Likely, State::Possible, State::Rejected, State::Untestable];

/// Rows of evidence that stand open.
const OPEN: usize = 12;

pub(super) fn sections(sheet: &Sheet) -> Vec<Option<Section>> {
    let Told::Why(answer) = sheet.told else { return Vec::new() };
    let artifacts = sheet.manifest.map_or(&[][..], |manifest| manifest.artifacts.as_slice());
    let note =
        "Each has an observation that would refute it; what was not measured is untestable, never rejected.";
    let rows = Rows::of(&answer.evidence);
    vec![
        Some(Section::new("hypotheses", "Causes considered", note, causes(&answer.hypotheses, &rows))),
        Some(Section::new("evidence", "Evidence", "", evidence(&answer.evidence, artifacts))),
    ]
}

fn causes(hypotheses: &[Hypothesis], rows: &Rows) -> String {
    if hypotheses.is_empty() {
        return String::new();
    }
    let mut text = filters(hypotheses);
    text.push_str(
        "<div class=\"scroll\"><table class=\"sortable filterable\"><thead><tr><th scope=\"col\">state</th>\
         <th scope=\"col\">cause</th><th scope=\"col\">kind</th><th scope=\"col\">what decided</th>\
         <th scope=\"col\">closest at</th></tr></thead><tbody>",
    );
    // Surest first; within a state as they were judged.
    let mut hypotheses: Vec<&Hypothesis> = hypotheses.iter().collect();
    hypotheses.sort_by_key(|hypothesis| hypothesis.state);
    for hypothesis in hypotheses {
        let word = hypothesis.state.word();
        let place = hypothesis.location.as_ref().map(profile::named).unwrap_or_default();
        let _ = write!(
            text,
            "<tr data-state=\"{word}\"><td data-key=\"{}\">{}</td><th scope=\"row\">{}</th><td>{}</td>\
             <td>{}{}{}</td><td class=\"at\">{}</td></tr>",
            hypothesis.state as u8,
            pill(state_class(word), word),
            inert::html(&hypothesis.id),
            inert::html(&hypothesis.class),
            prose(&hypothesis.because),
            rows.links(&hypothesis.evidence),
            hypothesis.next.as_deref().map(next).unwrap_or_default(),
            inert::html(&place),
        );
    }
    text + "</tbody></table></div>"
}

/// The command that would tell more, small: there may be one in each row.
fn next(command: &str) -> String {
    let told = if words::is_command(command) {
        format!("<code>{}</code>", inert::html(command))
    } else {
        prose(command)
    };
    format!("<p class=\"next\">try: {told}</p>")
}

/// A switch for each state that occurs. Without the script nothing is hidden, so they are not shown.
fn filters(hypotheses: &[Hypothesis]) -> String {
    let mut text = String::from(
        "<div class=\"filters\" role=\"group\" aria-label=\"Show causes by state\" hidden>\
         <button type=\"button\" aria-pressed=\"true\" data-state=\"\">all ",
    );
    let _ = write!(text, "<b>{}</b></button>", hypotheses.len());
    for state in STATES {
        let n = hypotheses.iter().filter(|hypothesis| hypothesis.state == state).count();
        if n > 0 {
            let _ = write!(
                text,
                "<button type=\"button\" aria-pressed=\"false\" data-state=\"{0}\">{0} <b>{n}</b></button>",
                state.word()
            );
        }
    }
    text + "</div>"
}

fn evidence(evidence: &[Evidence], artifacts: &[Artifact]) -> String {
    if evidence.is_empty() {
        return String::new();
    }
    let open = if evidence.len() <= OPEN { " open" } else { "" };
    let mut text = format!(
        "<details{open}><summary>{}</summary><div class=\"scroll\"><table class=\"sortable\"><thead><tr>\
         <th scope=\"col\">id</th><th scope=\"col\">metric</th><th scope=\"col\" class=\"num\">value (95 %)</th>\
         <th scope=\"col\" class=\"num\">n</th><th scope=\"col\">source</th><th scope=\"col\">artifact</th></tr></thead><tbody>",
        words::plural(evidence.len() as u64, "measurement")
    );
    for (at, evidence) in evidence.iter().enumerate() {
        let _ = write!(
            text,
            "<tr id=\"ev-{at}\"><td data-key=\"{at}\">{}</td><th scope=\"row\">{}</th>\
             <td class=\"num\" data-key=\"{}\">{}</td><td class=\"num\">{}</td><td>{}</td><td>{}</td></tr>",
            inert::html(&evidence.id),
            inert::html(&evidence.metric),
            evidence.value,
            inert::html(&explained::value(evidence)),
            inert::html(&number::count(evidence.n.into())),
            inert::html(&evidence.source),
            link(&evidence.artifact, artifacts),
        );
    }
    text + "</tbody></table></div></details>"
}
