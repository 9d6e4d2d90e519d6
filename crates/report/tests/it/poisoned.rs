//! Every text of every document is hostile at once, in every form it can take.

use model::machine_code::MachineCode;
use model::passes::Passes;
use report::Page;
use report::html::{Sheet, Told, html};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::hostile::{ACTIVE, NASTY};
use crate::pages::{self, SCRIPT};
use crate::widths::without_colour;
use crate::wire;

/// The value with this text in the place of every string that may be any text. Words of ours (variants) stay.
fn poisoned<T: Serialize + DeserializeOwned>(value: &T, text: &str) -> T {
    let mut tree = serde_json::to_value(value).unwrap();
    let mut paths = Vec::new();
    strings(&tree, String::new(), &mut paths);
    let mut changed = 0;
    for path in paths {
        let place = tree.pointer_mut(&path).unwrap();
        let before = std::mem::replace(place, text.into());
        if T::deserialize(&tree).is_ok() {
            changed += 1;
        } else {
            *tree.pointer_mut(&path).unwrap() = before;
        }
    }
    assert!(changed > 2, "{changed} texts were replaced");
    T::deserialize(&tree).unwrap()
}

fn strings(tree: &Value, path: String, found: &mut Vec<String>) {
    match tree {
        Value::String(_) => found.push(path),
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(at, one)| strings(one, format!("{path}/{at}"), found))
        }
        Value::Object(all) => {
            for (key, one) in all {
                strings(one, format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        _ => {}
    }
}

fn answer(text: &str) -> model::answer::Answer {
    let mut answer = pages::answer();
    answer.scorecard = Some(wire::scorecard());
    answer.simulated = wire::answer_simulated().simulated;
    poisoned(&answer, text)
}

/// A loop with a call, a line and two instructions.
fn machine_code(text: &str) -> MachineCode {
    let source = json!({ "file": "/srv/app/sum.c", "line": 21 });
    let calls = json!({ "at": 4983, "to": "sin", "indirect": false, "each_iteration": true });
    let line =
        |text: &str| json!({ "address": 4976, "text": text, "weight": 5, "share": 0.5, "source": source });
    let audit: MachineCode = serde_json::from_value(json!({
        "schema": "slowpath.machine-code/1", "image": "/srv/app/sum", "architecture": "x86-64", "weight": 10,
        "weight_unit": "samples", "unplaced": 0, "gaps": [{ "what": "some", "why": "unknown", "try": "look" }],
        "functions": [{
            "name": "sum", "from": 4944, "to": 5026, "weight": 10, "share": 1.0, "instructions": 23,
            "build": { "unoptimised": true, "evidence": ["no -O"], "producer": "cc" }, "outside_loops": 0, "gaps": [],
            "loops": [{
                "head": 4976, "depth": 1, "innermost": true, "weight": 10, "share": 1.0, "instructions": 6, "bytes": 19,
                "source": { "file": "/srv/app/sum.c", "from": 21, "to": 22 }, "blockers": [],
                "patterns": [{ "verdict": "bad", "pattern": "calls", "calls": [calls], "at": [], "lines": [source] }],
                "listing": [line("call sin"), line("jne 4976")],
            }],
        }],
    }))
    .unwrap();
    poisoned(&audit, text)
}

/// Everything that is written for a terminal.
fn texts(text: &str, page: &Page) -> Vec<(&'static str, String)> {
    vec![
        ("answer", report::answer_text(&answer(text), page)),
        ("bench", report::bench_text(&poisoned(&wire::single(), text), page)),
        ("benches", report::bench_text(&poisoned(&wire::many(), text), page)),
        ("compare", report::compare_text(&poisoned(&wire::compare(), text), page)),
        ("suite", report::compare_text(&poisoned(&wire::suite(), text), page)),
        ("doctor", report::doctor_text(&poisoned(&wire::doctor(), text), page)),
        ("profile", report::profile_text(&poisoned(&wire::profile(), text), page)),
        ("tree", report::profile_tree(&poisoned(&wire::profile(), text), page)),
        ("scale", report::scale_text(&poisoned(&wire::scale(), text), page)),
        ("verify", report::verify_text(&poisoned(&wire::verify(), text), page)),
        ("gate", report::gate_text(&poisoned(&wire::gate(), text), page)),
        ("machine code", report::machine_code_text(&machine_code(text), page)),
    ]
}

fn markdowns(text: &str) -> Vec<(&'static str, String)> {
    let findings: Vec<_> = wire::findings().iter().map(|one| poisoned(one, text)).collect();
    let (summary, card) = (poisoned(&wire::summary(), text), poisoned(&wire::scorecard(), text));
    vec![
        ("answer", report::answer_markdown(&answer(text))),
        ("bench", report::bench_markdown(&poisoned(&wire::single(), text))),
        ("benches", report::bench_markdown(&poisoned(&wire::many(), text))),
        ("compare", report::compare_markdown(&poisoned(&wire::compare(), text))),
        ("suite", report::compare_markdown(&poisoned(&wire::suite(), text))),
        ("doctor", report::doctor_markdown(&poisoned(&wire::doctor(), text))),
        ("profile", report::profile_markdown(&poisoned(&wire::profile(), text))),
        ("scale", report::scale_markdown(&poisoned(&wire::scale(), text))),
        ("verify", report::verify_markdown(&poisoned(&wire::verify(), text))),
        ("gate", report::gate_markdown(&poisoned(&wire::gate(), text))),
        ("report", report::summary_markdown(&summary, &card, &findings)),
        ("machine code", report::machine_code_markdown(&machine_code(text))),
        ("worklist", report::worklist_markdown(&poisoned(&wire::worklist("total"), text))),
    ]
}

#[test]
fn a_terminal_obeys_no_text_of_any_document() {
    for colour in [false, true] {
        for (what, text) in texts(NASTY, &Page { width: 80, colour, unicode: true }) {
            let text = without_colour(&text);
            assert!(!text.contains(ACTIVE), "{what}: {text}");
            assert!(text.contains("\\u{1b}"), "{what}: the name is still told: {text}");
        }
    }
}

#[test]
fn markdown_shows_every_text_of_any_document() {
    // Tags of our own: code that no fence can hold, and the folded details of a gate's comment.
    let ours = ["<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"];
    for (what, text) in [NASTY, SCRIPT].into_iter().flat_map(markdowns) {
        assert!(
            !text.contains(ACTIVE) && !text.contains("**bold") && !text.contains("[x]("),
            "{what}: {text}"
        );
        let rest = ours.iter().fold(text, |text, tag| text.replace(tag, ""));
        for (at, _) in rest.match_indices('<') {
            let tag = rest[at + 1..].starts_with(|next: char| next.is_alphabetic() || "/!?".contains(next));
            assert!(!tag, "{what}: {}", rest[at..].lines().next().unwrap());
        }
    }
}

#[test]
fn tables_logs_and_maps_keep_every_text_in_its_place() {
    let (answer, gate, map) = (answer(NASTY), poisoned(&wire::gate(), NASTY), poisoned(&wire::map(), NASTY));
    let worklist = poisoned(&wire::worklist("total"), NASTY);
    let written = [
        ("answer.sarif", report::answer_sarif(&answer, &[])),
        ("gate.sarif", report::gate_sarif(&gate, &[])),
        ("answer.json", report::json(&answer)),
        ("worklist.json", report::json(&worklist)),
        ("bench.csv", report::bench_csv(&poisoned(&wire::many(), NASTY))),
        ("profile.csv", report::profile_csv(&poisoned(&wire::profile(), NASTY))),
        ("gate.junit", report::gate_junit(&gate)),
        ("map.yaml", report::yaml(&map)),
        ("scale.svg", report::scale_svg(&poisoned(&wire::scale(), NASTY))),
    ];
    for (what, text) in &written {
        let control = |letter: char| letter.is_control() && letter != '\n';
        assert!(!text.contains(control), "{what}: {text}");
        if !what.ends_with("json") && !what.ends_with("sarif") {
            assert!(!text.contains(ACTIVE), "{what}: {text}");
        }
        match what.rsplit('.').next().unwrap() {
            "json" | "sarif" => drop(serde_json::from_str::<Value>(text).unwrap()),
            "csv" => assert!(text.lines().skip(1).all(|line| !line.starts_with(['=', '+', '@'])), "{text}"),
            "svg" | "junit" => assert!(!text.contains("<img"), "{what}: {text}"),
            _ => {}
        }
    }
}

#[test]
fn no_text_of_any_document_becomes_markup() {
    for text in [NASTY, SCRIPT] {
        let code = vec![machine_code(text)];
        let passes = Passes { code, ..pages::passes(wire::recordings::hostile(text)) };
        let (answer, manifest) = (answer(text), poisoned(&pages::manifest(), text));
        let (bench, compare) = (poisoned(&wire::many(), text), poisoned(&wire::suite(), text));
        let (scale, verify) = (poisoned(&wire::scale(), text), poisoned(&wire::verify(), text));
        let (gate, profile) = (poisoned(&wire::gate(), text), poisoned(&wire::profile(), text));
        for (what, told) in [
            ("why", Told::Why(&answer)),
            ("bench", Told::Bench(&bench)),
            ("compare", Told::Compare(&compare)),
            ("profile", Told::Profile(&profile)),
            ("scale", Told::Scale(&scale)),
            ("verify", Told::Verify(&verify)),
            ("gate", Told::Gate(&gate)),
        ] {
            let samples = pages::samples();
            let sheet =
                Sheet { told, manifest: Some(&manifest), samples: &samples, passes: &passes, before: None };
            let page = html(&sheet);
            pages::is_well_formed(&page).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(!page.contains(ACTIVE) && !page.contains("<img"), "{what}");
            assert_eq!(page.matches("window.owned=1</script>").count(), 0, "{what}");
        }
    }
}
