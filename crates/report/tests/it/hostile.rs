//! Names, arguments and texts that try to be more than text.

use model::answer::{Answer, Leaf};
use model::bench::Bench;
use model::compare::Compare;
use model::doctor::Doctor;
use model::profile::{CallNode, Profile};
use model::recording::{Language, Owner};
use model::{Arg, Gap};
use report::Page;

use crate::widths::without_colour;
use crate::wire;

/// Terminal escapes, line ends, text direction, Markdown, HTML and a formula in one name.
pub(crate) const NASTY: &str = "=cmd|' /C calc'!A0\u{1b}]0;owned\u{7}\u{1b}[2J\r\n\t\u{202e}txt.exe\u{200b}\u{2028}\u{9b}31m\
    <img src=x onerror=alert(1)>`rm -rf`|a|b\\|**bold**[x](javascript:1)\u{feff}日本語日本語日本語 \",\"";

pub(crate) fn bench() -> Bench {
    let mut bench = wire::many();
    for command in &mut bench.commands {
        command.label = format!("{NASTY}{}", command.label);
        command.argv = vec![Arg::from(NASTY)];
        command.params = [(NASTY.to_owned(), NASTY.to_owned())].into();
        command.warnings = vec![wire::warning(NASTY, NASTY, Some(NASTY))];
        command.outliers = wire::single().commands.remove(0).outliers;
        command.outliers[0].reason = Some(NASTY.to_owned());
    }
    for ratio in &mut bench.ratios {
        ratio.command = format!("{NASTY}{}", ratio.command);
        ratio.against = NASTY.to_owned();
    }
    bench.conditions = vec![NASTY.to_owned()];
    bench.order = NASTY.to_owned();
    bench.run = Some(NASTY.to_owned());
    bench.gaps = vec![Gap::new(NASTY, NASTY, Some(NASTY))];
    bench
}

fn bench_of_one() -> Bench {
    let mut bench = bench();
    bench.commands.truncate(1);
    bench
}

pub(crate) fn compare() -> Compare {
    let mut compare = wire::suite();
    compare.summary = NASTY.to_owned();
    compare.base.label = NASTY.to_owned();
    compare.new.label = NASTY.to_owned();
    compare.metrics = wire::compare().metrics;
    compare.metrics[0].source = NASTY.to_owned();
    compare.differences = wire::inconclusive().differences;
    for difference in &mut compare.differences {
        difference.field = NASTY.to_owned();
        difference.new = Some(NASTY.to_owned());
    }
    for benchmark in &mut compare.benchmarks {
        benchmark.name = format!("{NASTY}{}", benchmark.name);
    }
    compare.warnings = vec![wire::warning(NASTY, NASTY, Some(NASTY))];
    compare.gaps = vec![Gap::new(NASTY, NASTY, Some(NASTY))];
    compare.run = Some(NASTY.to_owned());
    compare
}

pub(crate) fn answer() -> Answer {
    let mut answer = wire::answer();
    answer.target.argv = vec![Arg::from(NASTY); 3];
    answer.verdict.summary = NASTY.to_owned();
    answer.verdict.state = NASTY.to_owned();
    answer.verdict.class = Some(NASTY.to_owned());
    answer.account.unit = NASTY.to_owned();
    answer.account.leaves = (0..9)
        .map(|_| Leaf { leaf: NASTY.to_owned(), seconds: 1.0, share: 0.3, parts: Vec::new() })
        .collect();
    for evidence in &mut answer.evidence {
        (evidence.metric, evidence.source) = (NASTY.to_owned(), NASTY.to_owned());
        (evidence.unit, evidence.artifact) = (NASTY.to_owned(), NASTY.to_owned());
        evidence.id = NASTY.to_owned();
    }
    answer.gaps = vec![Gap::new(NASTY, NASTY, Some(NASTY))];
    answer.overhead[0].pass = NASTY.to_owned();
    answer.run = NASTY.to_owned();
    (answer.hotspots, answer.waits) = (profile().hotspots, profile().waits);
    answer
}

pub(crate) fn doctor() -> Doctor {
    let mut doctor = wire::doctor();
    for probe in &mut doctor.probes {
        (probe.what, probe.gives) = (NASTY.to_owned(), NASTY.to_owned());
        (probe.because, probe.next) = (NASTY.to_owned(), Some(NASTY.to_owned()));
    }
    doctor.fingerprint.machine.cpu_model = Some(NASTY.to_owned());
    doctor.fingerprint.tools = [(NASTY.to_owned(), Some(NASTY.to_owned()))].into();
    if let Some(noise) = &mut doctor.noise {
        (noise.command, noise.run) = (NASTY.to_owned(), NASTY.to_owned());
    }
    doctor
}

pub(crate) fn profile() -> Profile {
    let place = wire::place(NASTY, Some(NASTY), 7, Language::Python, Owner::Project);
    let mut profile = wire::profile();
    for leaf in &mut profile.account.as_mut().unwrap().leaves {
        leaf.leaf = NASTY.to_owned();
        leaf.parts.iter_mut().for_each(|part| part.what = NASTY.to_owned());
    }
    for check in &mut profile.account.as_mut().unwrap().checks {
        (check.what, check.against) = (NASTY.to_owned(), NASTY.to_owned());
    }
    for hotspot in &mut profile.hotspots {
        (hotspot.place, hotspot.project) = (place.clone(), Some(place.clone()));
    }
    for wait in &mut profile.waits {
        (wait.leaf, wait.what, wait.place) = (NASTY.to_owned(), Some(NASTY.to_owned()), Some(place.clone()));
    }
    for thread in &mut profile.threads {
        (thread.process, thread.name) = (NASTY.to_owned(), NASTY.to_owned());
    }
    profile.tree = vec![CallNode { place, total: f64::NAN, own: -1.0, children: profile.tree }];
    profile.gaps = vec![Gap::new(NASTY, NASTY, Some(NASTY))];
    profile.overhead[0].pass = NASTY.to_owned();
    (profile.run, profile.source) = (NASTY.to_owned(), NASTY.to_owned());
    profile
}

pub(crate) const ACTIVE: [char; 9] =
    ['\u{1b}', '\u{7}', '\r', '\t', '\u{9b}', '\u{202e}', '\u{200b}', '\u{2028}', '\u{feff}'];

#[test]
fn a_terminal_only_shows_it() {
    for colour in [false, true] {
        let page = Page { width: 100, colour, unicode: true };
        for text in [
            report::bench_text(&bench(), &page),
            report::bench_text(&bench_of_one(), &page),
            report::compare_text(&compare(), &page),
            report::answer_text(&answer(), &page),
            report::doctor_text(&doctor(), &page),
            report::profile_text(&profile(), &page),
            report::profile_tree(&profile(), &page),
        ] {
            let text = without_colour(&text);
            assert!(!text.contains(ACTIVE), "{text}");
            assert!(text.contains("\\u{1b}"), "the name is still told: {text}");
        }
    }
}

#[test]
fn a_hostile_name_moves_no_line() {
    // Nasty names are as many lines as tame ones of the same width.
    let page = Page { width: 160, colour: false, unicode: true };
    let mut tame = bench();
    let mut nasty = bench();
    for bench in [&mut tame, &mut nasty] {
        bench.commands.iter_mut().for_each(|command| {
            command.warnings.clear();
            command.outliers.clear();
        });
    }
    for command in &mut tame.commands {
        command.label = "x".repeat(200);
    }
    for ratio in &mut tame.ratios {
        ratio.command = format!("{}{}", "x".repeat(200), ratio.command);
    }
    let tables = |bench: &Bench| {
        let text = report::bench_text(bench, &page);
        text.lines()
            .take_while(|line| !line.contains("warnings"))
            .filter(|line| line.ends_with(" 12"))
            .count()
    };
    assert_eq!(tables(&nasty), 12);
    assert_eq!(tables(&tame), 12);
}

#[test]
fn markdown_stays_in_its_cell() {
    for text in [
        report::bench_markdown(&bench()),
        report::bench_markdown(&bench_of_one()),
        report::compare_markdown(&compare()),
        report::answer_markdown(&answer()),
        report::doctor_markdown(&doctor()),
        report::profile_markdown(&profile()),
        report::worklist_markdown(&wire::worklist(NASTY)),
    ] {
        assert!(!text.contains(ACTIVE) && !text.contains("<img") && !text.contains("**bold"), "{text}");
        assert!(!text.contains("[x]("), "{text}");
        let mut columns = None;
        for line in text.lines() {
            if line.starts_with('|') {
                let cells = line.matches('|').count();
                assert_eq!(*columns.get_or_insert(cells), cells, "{line}");
            } else {
                columns = None;
                assert!(!line.contains('|'), "{line}");
            }
        }
    }
}

#[test]
fn csv_stays_in_its_field() {
    let text = report::bench_csv(&bench());
    assert!(!text.contains(ACTIVE), "{text}");
    let rows: Vec<Vec<String>> = text.lines().map(fields).collect();
    assert_eq!(rows.len(), 1 + 12 * 13);
    for row in &rows {
        assert_eq!(row.len(), 12, "{row:?}");
    }
    assert!(rows[1][0].starts_with("'=cmd"), "{:?}", rows[1]);
}

#[test]
fn a_hotspot_stays_in_its_row() {
    let text = report::profile_csv(&profile());
    assert!(!text.contains(ACTIVE), "{text}");
    for row in text.lines() {
        assert_eq!(fields(row).len(), 15, "{row}");
    }
}

/// The fields of one row, as RFC 4180 reads it.
fn fields(row: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for character in row.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().unwrap().push(other),
        }
    }
    assert!(!quoted, "an open quote: {row}");
    fields
}
