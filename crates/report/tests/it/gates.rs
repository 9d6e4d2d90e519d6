//! Gates and verdicts on changes, written for people, reviewers, test reporters and code scanners.

use model::gate::Gate;
use report::Page;
use serde_json::Value;

use crate::wire;

const PAGE: Page = Page { width: 100, colour: false, unicode: true };

fn hostile() -> Gate {
    let mut gate = wire::gate();
    let text = "x</failure>]]>\"'&<script>\u{1b}[31m|`\u{202e}\n# y";
    for scenario in &mut gate.scenarios {
        scenario.name = text.to_owned();
        scenario.command = text.to_owned();
        scenario.because = vec![text.to_owned()];
        for finding in &mut scenario.findings {
            finding.cause = text.to_owned();
            finding.summary = text.to_owned();
            finding.prescription = text.to_owned();
            if let Some(place) = &mut finding.location {
                place.function = text.to_owned();
                place.file = Some(format!("/repo/src/{text}"));
            }
        }
    }
    gate
}

#[test]
fn the_verdict_stands_first_in_every_form() {
    let gate = wire::gate();
    for text in [report::gate_text(&gate, &PAGE), report::gate_markdown(&gate)] {
        let first = text.lines().next().unwrap();
        assert!(first.contains("performance gate broken"), "{first}");
    }
    let verify = wire::verify();
    for text in [report::verify_text(&verify, &PAGE), report::verify_markdown(&verify)] {
        assert!(text.lines().next().unwrap().contains("accepted"), "{text}");
    }
}

#[test]
fn a_comment_folds_its_details_away() {
    let text = report::gate_markdown(&wire::gate());
    let fold = text.find("<details>").unwrap();
    assert!(text[..fold].contains("search-100k") && text[fold..].contains("keep a"), "{text}");
    assert!(text.trim_end().ends_with("</details>"));
}

#[test]
fn hostile_names_leave_no_form() {
    let gate = hostile();
    let texts = [
        report::gate_text(&gate, &PAGE),
        report::gate_markdown(&gate),
        report::gate_junit(&gate),
        report::gate_sarif(&gate, &[]),
    ];
    for text in &texts {
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
    }
    let [_, markdown, junit, sarif] = &texts;
    assert!(!markdown.contains("<script>") && !markdown.contains("\n# y"), "{markdown}");
    assert!(!junit.contains("<script>") && junit.matches("</failure>").count() == 1, "{junit}");
    serde_json::from_str::<Value>(sarif).unwrap();
}

#[test]
fn a_finding_is_a_result_at_its_place_below_the_root() {
    let mut gate = wire::gate();
    if let Some(place) = &mut gate.scenarios[0].findings[0].location {
        (place.file, place.line) = (Some("/repo/src/report file.py".to_owned()), Some(41));
    }
    let log: Value = serde_json::from_str(&report::gate_sarif(&gate, &["/repo/".to_owned()])).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["level"], "error");
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][0]["id"], result["ruleId"]);
    let physical = &result["locations"][0]["physicalLocation"];
    assert_eq!(physical["artifactLocation"]["uri"], "src/report%20file.py");
    assert_eq!(physical["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    assert_eq!(physical["region"]["startLine"], 41);
    // Outside of the roots the path stays whole.
    let log: Value = serde_json::from_str(&report::gate_sarif(&gate, &["/rep".to_owned()])).unwrap();
    let physical = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(physical["artifactLocation"]["uri"], "file:///repo/src/report%20file.py");
}

#[test]
fn tests_are_counted_by_what_became_of_them() {
    let junit = report::gate_junit(&wire::gate());
    assert!(junit.contains("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""), "{junit}");
}
