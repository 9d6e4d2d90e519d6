//! Every report against the text it should be. `SLOWPATH_BLESS=1 cargo test -p report` writes the files anew.

use std::fs;
use std::path::Path;

use report::Page;

use crate::{pages, wire};

fn page(width: usize) -> Page {
    Page { width, colour: false, unicode: true }
}

pub(crate) fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(name);
    if std::env::var_os("SLOWPATH_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, text).unwrap();
    }
    let wanted = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(text, wanted, "{name} differs from its expectation");
}

fn check_text(name: &str, render: impl Fn(&Page) -> String) {
    for width in [100, 60] {
        check(&format!("{name}-{width}.txt"), &render(&page(width)));
    }
    let ascii = render(&Page { width: 100, colour: false, unicode: false });
    assert!(ascii.is_ascii(), "{name} without Unicode:\n{ascii}");
}

#[test]
fn benches() {
    for (name, bench) in [
        ("bench-single", wire::single()),
        ("bench-once", wire::once()),
        ("bench-thrice", wire::thrice()),
        ("bench-pair", wire::pair()),
        ("bench-many", wire::many()),
        ("bench-extremes", wire::extremes()),
        ("bench-none", wire::bench(Vec::new())),
    ] {
        check_text(name, |page| report::bench_text(&bench, page));
    }
}

#[test]
fn compares() {
    for (name, compare) in [
        ("compare", wire::compare()),
        ("compare-inconclusive", wire::inconclusive()),
        ("compare-suite", wire::suite()),
    ] {
        check_text(name, |page| report::compare_text(&compare, page));
    }
}

#[test]
fn answers() {
    for (name, answer) in [
        ("answer", wire::answer()),
        ("answer-simulated", wire::answer_simulated()),
        ("answer-once", wire::answer_once()),
        ("answer-recorded", wire::answer_recorded()),
        ("answer-explained", pages::answer()),
    ] {
        check_text(name, |page| report::answer_text(&answer, page));
    }
}

#[test]
fn profiles() {
    for (name, profile) in [("profile", wire::profile()), ("profile-bare", wire::profile_bare())] {
        check_text(name, |page| report::profile_text(&profile, page));
    }
    check("profile-80.txt", &report::profile_text(&wire::profile(), &page(80)));
    check_text("profile-tree", |page| report::profile_tree(&wire::profile(), page));
    check("profile.md.txt", &report::profile_markdown(&wire::profile()));
    check("profile.csv.txt", &report::profile_csv(&wire::profile()));
}

#[test]
fn doctors() {
    for (name, doctor) in [("doctor", wire::doctor()), ("doctor-narrow", wire::doctor_narrow())] {
        check_text(name, |page| report::doctor_text(&doctor, page));
    }
}

#[test]
fn ascii_and_colour() {
    let ascii = Page { width: 100, colour: false, unicode: false };
    check("bench-pair-ascii.txt", &report::bench_text(&wire::pair(), &ascii));
    check("answer-ascii.txt", &report::answer_text(&wire::answer(), &ascii));
    let colour = Page { width: 100, colour: true, unicode: true };
    check("compare-colour.txt", &report::compare_text(&wire::compare(), &colour).replace('\u{1b}', "ESC"));
}

#[test]
fn markdown() {
    check("bench-single.md.txt", &report::bench_markdown(&wire::single()));
    check("bench-pair.md.txt", &report::bench_markdown(&wire::pair()));
    check("compare.md.txt", &report::compare_markdown(&wire::compare()));
    check("answer.md.txt", &report::answer_markdown(&wire::answer()));
    check("doctor.md.txt", &report::doctor_markdown(&wire::doctor()));
}

#[test]
fn csv() {
    check("bench-many.csv.txt", &report::bench_csv(&wire::many()));
    check("bench-once.csv.txt", &report::bench_csv(&wire::once()));
}

#[test]
fn scores() {
    check_text("answer-scored", |page| report::answer_text(&wire::answer_scored(), page));
    let report = report::summary_markdown(&wire::summary(), &wire::scorecard(), &wire::findings());
    check("report.md.txt", &report);
    let well = report::summary_markdown(&wire::summary(), &wire::scorecard_well(), &[]);
    assert!(
        well.contains("None of the measured figures misses its limit") && !well.contains("STOP"),
        "{well}"
    );
}

#[test]
fn findings_stand_in_the_order_of_the_prescriptions() {
    let growth = wire::findings().remove(0);
    let mut branch = growth.clone();
    branch.metric.name = "branch_mispred_rate".to_owned();
    branch.dimension = "Branch Prediction".to_owned();
    // As the file has them, by path and metric.
    let report = report::summary_markdown(&wire::summary(), &wire::scorecard(), &[branch, growth]);
    let (_, findings) = report.split_once("## Findings").unwrap();
    let at = |name: &str| findings.find(name).unwrap();
    assert!(at("complexity_exponent") < at("branch_mispred_rate"), "{findings}");
}

#[test]
fn no_expectation_is_left_over() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 64, "files under tests/expected");
}
