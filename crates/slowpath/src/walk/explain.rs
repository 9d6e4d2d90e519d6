//! `slowpath explain CAUSE`: the page of a cause, made of the rule that judges it.

use diagnose::cause::{CAUSES, Cause, Condition, Is, explained, words_of};
use model::Exit;
use serde_json::{Value, json};

use crate::cli::Explain;
use crate::show::{self, End};
use crate::stop::Stop;

/// Columns of running text.
const WIDTH: usize = 96;

pub(crate) fn explain(asked: &Explain) -> Result<End, Stop> {
    let text = match &asked.cause {
        None if asked.json => json(&CAUSES.iter().map(|cause| document(cause)).collect::<Vec<_>>()),
        None => list(),
        Some(id) => {
            let cause = explained(id).ok_or_else(|| unknown(id))?;
            if asked.json { json(&document(cause)) } else { page(cause) }
        }
    };
    show::print(&text)?;
    Ok(End::Exit(Exit::Answered))
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).map(|text| text + "\n").unwrap_or_default()
}

/// The nearest name is the best advice.
fn unknown(id: &str) -> Stop {
    let alike = |cause: &&&Cause| cause.id.split('-').any(|word| id.contains(word));
    let next = match CAUSES.iter().find(alike) {
        Some(cause) => format!("`slowpath explain {}`, or `slowpath explain` for all causes", cause.id),
        None => "`slowpath explain` lists all causes".to_owned(),
    };
    Stop::usage(format!("there is no cause `{id}`"), next)
}

fn list() -> String {
    let widest = CAUSES.iter().map(|cause| cause.id.len()).max().unwrap_or(0);
    let line = |cause: &&Cause| format!("  {:widest$}  {:12}  {}\n", cause.id, cause.class, cause.title);
    let lines: String = CAUSES.iter().map(line).collect();
    format!(
        "Causes that slowpath looks for\n\n{lines}\n`slowpath explain CAUSE` tells how each is recognised and mended.\n"
    )
}

fn page(cause: &Cause) -> String {
    let mut text = format!("{}: {} (class {})\n", cause.id, cause.title, cause.class);
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            text.push_str(&format!("\n{title}\n{body}"));
        }
    };
    section("What it is", wrapped(cause.page.what, "  "));
    section("Must hold", conditions(cause.gates));
    section(
        "Speaks for it (one witness makes it likely, two confirm it in your own code from a fifth of wall time on)",
        conditions(cause.supports),
    );
    section("Rules it out", conditions(cause.rejects));
    section("Check it by hand", wrapped(cause.page.by_hand, "  "));
    section("Mend it", cause.fixes.iter().map(fix).collect());
    section("Often taken for it", wrapped(cause.page.confused, "  "));
    text
}

fn fix((language, text): &(&str, &str)) -> String {
    let text = text
        .replace(" (`{what}`)", "")
        .replace("{place}: ", "")
        .replace("{place}", "the function")
        .replace("`{what}`", "that")
        .replace("{what}", "it");
    let lead = if language.is_empty() { String::new() } else { format!("{language}: ") };
    wrapped(&format!("{lead}{text}"), "  ")
}

fn conditions(conditions: &[Condition]) -> String {
    let line = |condition: &Condition| {
        let limit = match condition.is {
            Is::AtLeast(threshold) => format!("at least {}", plain(threshold)),
            Is::AtMost(threshold) => format!("at most {}", plain(threshold)),
        };
        wrapped(&format!("{} ({limit}) [{}]", words_of(condition.metric), condition.witness), "  ")
    };
    conditions.iter().map(line).collect()
}

/// Shares are told as shares, counts as counts.
fn plain(threshold: f64) -> String {
    if threshold.fract() == 0.0 { format!("{threshold}") } else { format!("{threshold:.2}") }
}

/// Lines of at most [`WIDTH`] columns, each after the margin.
fn wrapped(text: &str, margin: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && margin.len() + line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push_str(&format!("{margin}{line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push_str(&format!("{margin}{line}\n"));
    }
    lines
}

fn document(cause: &Cause) -> Value {
    let conditions = |conditions: &[Condition]| -> Vec<Value> {
        conditions
            .iter()
            .map(|condition| {
                let (is, threshold) = match condition.is {
                    Is::AtLeast(threshold) => ("at-least", threshold),
                    Is::AtMost(threshold) => ("at-most", threshold),
                };
                json!({"metric": condition.metric, "is": is, "threshold": threshold, "witness": condition.witness})
            })
            .collect()
    };
    let languages = ["", "c", "c++", "rust", "go", "python", "javascript", "java"];
    let fixes: Vec<Value> = cause
        .fixes
        .iter()
        .map(|(key, text)| match key.split_once(' ') {
            Some((way, language)) => json!({"language": language, "way": way, "text": text}),
            None if languages.contains(key) => json!({"language": key, "text": text}),
            None => json!({"language": "", "way": key, "text": text}),
        })
        .collect();
    json!({
        "id": cause.id, "class": cause.class, "title": cause.title, "what": cause.page.what,
        "gates": conditions(cause.gates), "supports": conditions(cause.supports), "rejects": conditions(cause.rejects),
        "by_hand": cause.page.by_hand, "confused": cause.page.confused, "fixes": fixes,
    })
}
