//! Findings as SARIF 2.1.0 (OASIS standard, 27 March 2020), for code scanners: a rule a cause, a result a finding.

use std::collections::BTreeMap;

use model::answer::{Answer, Finding, State};
use model::gate::Gate;
use model::profile::Place;
use serde_json::{Value, json};

use crate::inert;
use crate::json::json as written;

/// The schema that the standard's own site serves.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The findings of a gate's broken scenarios. Files below one of the roots are named relative to it.
#[must_use]
pub fn gate_sarif(gate: &Gate, roots: &[String]) -> String {
    let found = gate
        .scenarios
        .iter()
        .flat_map(|scenario| scenario.findings.iter().map(|finding| (Some(scenario.name.as_str()), finding)));
    written(&log(&found.collect::<Vec<_>>(), &gate.run, roots))
}

/// The findings of one answer. Files below one of the roots are named relative to it.
#[must_use]
pub fn answer_sarif(answer: &Answer, roots: &[String]) -> String {
    let found: Vec<_> = answer.findings.iter().map(|finding| (None, finding)).collect();
    written(&log(&found, &answer.run, roots))
}

fn log(found: &[(Option<&str>, &Finding)], run: &str, roots: &[String]) -> Value {
    let mut causes: BTreeMap<&str, &Finding> = BTreeMap::new();
    for (_, finding) in found {
        causes.entry(&finding.cause).or_insert(finding);
    }
    let index: BTreeMap<&str, usize> = causes.keys().enumerate().map(|(at, cause)| (*cause, at)).collect();
    let rules: Vec<Value> = causes.values().map(|finding| rule(finding)).collect();
    let results: Vec<Value> =
        found.iter().map(|(scenario, finding)| result(*scenario, finding, &index, roots)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "slowpath",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "automationDetails": { "id": format!("slowpath/{}", shown(run)) },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(finding: &Finding) -> Value {
    json!({
        "id": shown(&finding.cause),
        "name": shown(&finding.cause),
        "shortDescription": { "text": format!("{} ({})", shown(&finding.cause), shown(&finding.class)) },
        "help": { "text": format!("slowpath explain {}", shown(&finding.cause)) },
        "properties": { "tags": ["performance", shown(&finding.class)] },
    })
}

fn result(
    scenario: Option<&str>,
    finding: &Finding,
    index: &BTreeMap<&str, usize>,
    roots: &[String],
) -> Value {
    let of = scenario.map(|name| format!(" (scenario {})", shown(name))).unwrap_or_default();
    let text = format!(
        "{}{of}. {}. It takes at least {:.3} s.",
        shown(&finding.summary),
        shown(&finding.prescription),
        finding.recoverable_s
    );
    let mut result = json!({
        "ruleId": shown(&finding.cause),
        "ruleIndex": index.get(finding.cause.as_str()).copied().unwrap_or(0),
        "level": level(finding.state),
        "message": { "text": text },
        "locations": locations(finding.location.as_ref(), roots),
        "properties": { "state": finding.state.word(), "share": finding.share.value },
    });
    if let (Some(fields), Some(key)) = (result.as_object_mut(), fingerprint(scenario, finding)) {
        fields.insert("partialFingerprints".to_owned(), json!({ "slowpath/v1": key }));
    }
    result
}

/// What stays the same when lines move: scenario, cause and function.
fn fingerprint(scenario: Option<&str>, finding: &Finding) -> Option<String> {
    let place = finding.location.as_ref()?;
    Some(format!(
        "{}/{}/{}",
        shown(scenario.unwrap_or_default()),
        shown(&finding.cause),
        shown(&place.function)
    ))
}

const fn level(state: State) -> &'static str {
    match state {
        State::Confirmed => "error",
        State::Likely => "warning",
        State::Possible | State::Rejected | State::Untestable => "note",
    }
}

/// A place without a file has no location a scanner could show.
fn locations(place: Option<&Place>, roots: &[String]) -> Vec<Value> {
    let Some((place, file)) = place.and_then(|place| Some((place, place.file.as_deref()?))) else {
        return Vec::new();
    };
    let file = file.strip_prefix("file://").unwrap_or(file);
    let below = |root: &String| file.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/');
    let relative = roots.iter().find_map(below).unwrap_or(file).trim_start_matches("./");
    let mut physical = json!({ "artifactLocation": { "uri": uri(relative) } });
    if let Some(fields) = physical.as_object_mut() {
        if !relative.starts_with('/')
            && let Some(artifact) = fields.get_mut("artifactLocation").and_then(Value::as_object_mut)
        {
            artifact.insert("uriBaseId".to_owned(), json!("%SRCROOT%"));
        }
        if let Some(line) = place.line.filter(|line| *line > 0) {
            fields.insert("region".to_owned(), json!({ "startLine": line }));
        }
    }
    vec![json!({
        "physicalLocation": physical,
        "logicalLocations": [{ "name": shown(&place.function), "kind": "function" }],
    })]
}

/// A path as a URI reference; whatever has a meaning there is written in percent.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'/'
            | b'.'
            | b'-'
            | b'_'
            | b'~'
            | b'+'
            | b','
            | b'='
            | b'@' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Names are shown by a browser: control characters and text direction marks are spelt out.
fn shown(text: &str) -> String {
    inert::terminal(text, true).replace(inert::TIE, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri_whatever_it_holds() {
        assert_eq!(uri("src/a b#c?.py"), "src/a%20b%23c%3F.py");
        assert_eq!(uri("/tmp/ä.c"), "file:///tmp/%C3%A4.c");
        assert_eq!(uri("a:b\n%"), "a%3Ab%0A%25");
    }
}
