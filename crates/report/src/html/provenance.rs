//! What could not be seen, what measuring cost, what the numbers depend on, and where the raw files lie.

use std::fmt::Write as _;

use model::Gap;
use model::answer::Overhead;
use model::manifest::{Artifact, Kind, Manifest};
use serde_json::Value;

use super::{Section, Sheet, Told, blocks, prose};
use crate::profile::losses;
use crate::{inert, number, words};

pub(super) fn sections(sheet: &Sheet) -> Vec<Option<Section>> {
    vec![
        Some(unseen(sheet)),
        Some(passes(sheet)),
        sheet.manifest.map(fingerprint),
        sheet.manifest.map(origin),
    ]
}

fn unseen(sheet: &Sheet) -> Section {
    let gaps: &[Gap] = match sheet.told {
        Told::Why(answer) => &answer.gaps,
        Told::Bench(bench) => &bench.gaps,
        Told::Compare(compare) => &compare.gaps,
        Told::Profile(profile) => &profile.gaps,
        Told::Scale(scale) => &scale.gaps,
        Told::Verify(verify) => &verify.gaps,
        Told::Gate(gate) => &gate.gaps,
    };
    let mut body = String::new();
    for gap in gaps {
        let next = gap.next.as_deref().map(super::advice).unwrap_or_default();
        let _ = write!(body, "<li><b>{}</b><p>{}</p>{next}</li>", inert::html(&gap.what), prose(&gap.why));
    }
    if !body.is_empty() {
        body = format!("<ul class=\"gaps\">{body}</ul>");
    }
    if let Told::Profile(profile) = sheet.told {
        body.push_str(&blocks::all(&losses::blocks(profile)));
    }
    if body.is_empty() {
        body.push_str("<p>Nothing that we know of.</p>");
    }
    Section::new("gaps", "What could not be seen", "", body)
}

fn passes(sheet: &Sheet) -> Section {
    let overhead: &[Overhead] = match sheet.told {
        Told::Why(answer) => &answer.overhead,
        Told::Profile(profile) => &profile.overhead,
        _ => &[],
    };
    let mut rows = String::new();
    for pass in sheet.manifest.into_iter().flat_map(|manifest| &manifest.passes) {
        let told = overhead.iter().find(|one| one.pass == pass.pass).map(|one| one.ratio).or(pass.ratio);
        row(&mut rows, &pass.pass, &pass.instrument, Some(pass.runs), told);
    }
    let known = |pass: &str| sheet.manifest.is_some_and(|m| m.passes.iter().any(|one| one.pass == pass));
    for one in overhead.iter().filter(|one| !known(&one.pass)) {
        row(&mut rows, &one.pass, "", None, Some(one.ratio));
    }
    let body = if rows.is_empty() {
        rows
    } else {
        format!(
            "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">pass</th><th scope=\"col\">instrument</th>\
             <th scope=\"col\" class=\"num\">runs</th><th scope=\"col\" class=\"num\">wall time against the baseline</th></tr></thead>\
             <tbody>{rows}</tbody></table></div>"
        )
    };
    Section::new("passes", "What measuring cost", "Timing never comes from an instrumented run.", body)
}

fn row(rows: &mut String, pass: &str, instrument: &str, runs: Option<u32>, ratio: Option<f64>) {
    let told = match (pass, ratio) {
        ("baseline", _) => "–".to_owned(),
        (_, Some(ratio)) => number::change(ratio),
        // What runs nothing costs the target nothing.
        (_, None) if runs == Some(0) => "nothing ran".to_owned(),
        (_, None) => "not measured".to_owned(),
    };
    let _ = write!(
        rows,
        "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td></tr>",
        inert::html(pass),
        inert::html(instrument),
        runs.map_or_else(String::new, |runs| runs.to_string()),
        inert::html(&told),
    );
}

/// Every fact the numbers depend on. What is unknown is said to be.
fn fingerprint(manifest: &Manifest) -> Section {
    let mut body = String::new();
    if let Ok(Value::Object(groups)) = serde_json::to_value(&manifest.fingerprint) {
        for (group, facts) in &groups {
            let mut rows = String::new();
            flattened(&mut rows, "", facts);
            if !rows.is_empty() {
                let _ = write!(
                    body,
                    "<div><h3>{}</h3><dl>{rows}</dl></div>",
                    inert::html(&group.replace('_', " "))
                );
            }
        }
    }
    let body = format!(
        "<details><summary>Machine, system, limits, tools, programs</summary><div class=\"facts\">{body}</div></details>"
    );
    Section::new("fingerprint", "Fingerprint", "What these numbers depend on besides the program.", body)
}

fn flattened(rows: &mut String, name: &str, value: &Value) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name} · {key}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| flattened(rows, &below(key), value)),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                flattened(rows, &below(&(at + 1).to_string()), item);
            }
        }
        other => {
            let text = match other {
                Value::Null => "unknown".to_owned(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let _ = write!(
                rows,
                "<dt>{}</dt><dd{}>{}</dd>",
                inert::html(&name.replace('_', " ")),
                if other.is_null() { " class=\"faint\"" } else { "" },
                inert::html(&text)
            );
        }
    }
}

/// How the run was made, how to make this page again, and the raw files.
fn origin(manifest: &Manifest) -> Section {
    let mut body = String::from("<dl class=\"facts-line\">");
    let facts = [
        ("command", words::command_line(&manifest.argv)),
        ("in", manifest.cwd.lossy()),
        ("started", manifest.started.clone()),
        ("ended", manifest.ended.clone().unwrap_or_else(|| "unknown".to_owned())),
        ("seed", manifest.seed.to_string()),
        ("slowpath", manifest.slowpath.clone()),
    ];
    for (name, value) in facts {
        let _ = write!(body, "<dt>{name}</dt><dd>{}</dd>", inert::html(&value));
    }
    body.push_str("</dl><h3>This page again</h3>");
    body.push_str(&super::command(&format!("slowpath report {} --html", manifest.id)));
    body.push_str("<h3>Raw files</h3><ul class=\"artifacts\">");
    let of_answers: &[&str] = match manifest.kind {
        Kind::Why => &["worklist.md", "performance_map.yaml", "benchmark_report.md"],
        _ => &[],
    };
    for name in ["run.json", "answer.json"].iter().chain(of_answers) {
        let _ = write!(body, "<li><a href=\"./{name}\">{name}</a></li>");
    }
    for artifact in &manifest.artifacts {
        #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
        let size = number::quantity(artifact.bytes as f64, model::Unit::Bytes);
        let _ = write!(
            body,
            "<li>{} <span class=\"faint\">{} · sha256 {}</span></li>",
            link(&artifact.path, &manifest.artifacts),
            inert::html(&size),
            inert::html(&artifact.sha256.chars().take(12).collect::<String>())
        );
    }
    body.push_str("</ul>");
    Section::new("origin", "How it was measured", "Links work while this page lies in its run folder.", body)
}

/// A link to a file beside this page, if the run has it. `./` and escapes leave no room for another scheme.
pub(super) fn link(path: &str, artifacts: &[Artifact]) -> String {
    if !artifacts.iter().any(|artifact| artifact.path == path) {
        return inert::html(path);
    }
    let mut target = String::from("./");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                target.push(char::from(byte))
            }
            other => {
                let _ = write!(target, "%{other:02X}");
            }
        }
    }
    format!("<a href=\"{target}\">{}</a>", inert::html(path))
}
