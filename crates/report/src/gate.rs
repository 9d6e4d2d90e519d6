//! Whether scenarios keep their budgets and their speed: terminal text, a comment for a pull request, and test reports.

mod junit;
mod sarif;

use model::compare::Comparable;
use model::gate::{Against, BudgetVerdict, Change, Gate, GateVerdict, ScenarioVerdict};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Note, Side, Table};
use crate::{Page, inert, markdown, notes, number, terminal, words};

pub use junit::gate_junit;
pub use sarif::{answer_sarif, gate_sarif};

/// Findings that a gate names of a broken scenario; `--json` has them all.
const MOST: usize = 3;

/// Whether the scenarios hold, as terminal text.
#[must_use]
pub fn gate_text(gate: &Gate, page: &Page) -> String {
    terminal::text(&document(gate), page)
}

/// Whether the scenarios hold, as a comment: the verdict and one line a scenario; the numbers are folded away.
#[must_use]
pub fn gate_markdown(gate: &Gate) -> String {
    let details = markdown::markdown(&details(gate));
    format!(
        "{}\n<details>\n<summary>{}</summary>\n\n{details}\n</details>\n",
        markdown::markdown(&head(gate)),
        inert::markdown("numbers, findings and warnings"),
    )
}

pub(crate) fn document(gate: &Gate) -> Document {
    let mut document = head(gate);
    document.sections.extend(details(gate).sections);
    document
}

fn head(gate: &Gate) -> Document {
    let mut document = Document::default();
    let (sign, ink) = look(gate.verdict);
    let headline =
        Line::of(ink, format!("{sign} ")).and(Ink::Plain, format!("performance gate {}", gate.summary));
    document.section(vec![Block::Headline(headline), Block::Paragraph(against(&gate.baseline))]);
    document.section(vec![Block::Table(scenarios(gate))]);
    document
}

fn against(baseline: &Against) -> Line {
    match baseline {
        Against::Nothing => Line::of(Ink::Faint, "against the budgets alone"),
        Against::Stored { name } => {
            Line::of(Ink::Faint, "against the budgets and stored results: ").and(Ink::Verbatim, name)
        }
        Against::Revision { name } => {
            Line::of(Ink::Faint, "against the budgets and a revision measured in turns: ")
                .and(Ink::Verbatim, name)
        }
    }
}

const fn look(verdict: GateVerdict) -> (&'static str, Ink) {
    match verdict {
        GateVerdict::Holds => ("✓", Ink::Good),
        GateVerdict::New => ("+", Ink::Strong),
        GateVerdict::Inconclusive | GateVerdict::NotComparable => ("?", Ink::Unsure),
        GateVerdict::Broken | GateVerdict::Failed => ("✗", Ink::Bad),
    }
}

fn verdict(verdict: GateVerdict) -> Line {
    let (sign, ink) = look(verdict);
    Line::of(ink, format!("{sign} {}", verdict.word()).replace(' ', "\u{a0}"))
}

fn scenarios(gate: &Gate) -> Table {
    let columns = vec![
        Column::new("scenario", Side::Left, Fit::Cut),
        Column::new("verdict", Side::Left, Fit::Whole),
        Column::new("why", Side::Left, Fit::Wrap),
    ];
    let row = |scenario: &ScenarioVerdict| {
        let why = if scenario.because.is_empty() { quiet(scenario) } else { scenario.because.join("; ") };
        vec![Line::of(Ink::Verbatim, &scenario.name), verdict(scenario.verdict), Line::plain(why)]
    };
    Table { columns, rows: gate.scenarios.iter().map(row).collect() }
}

/// What a scenario that holds was found to be.
fn quiet(scenario: &ScenarioVerdict) -> String {
    let changes = scenario.changes.iter().map(|change| {
        format!("{} {}", words::metric(change.judged.metric), number::change(change.judged.ratio.value))
    });
    let kept = scenario.budgets.iter().filter_map(|budget| {
        let value = number::quantity(budget.value?, budget.metric.unit());
        Some(format!(
            "{} {value} of {}",
            words::metric(budget.metric),
            number::quantity(budget.limit, budget.metric.unit())
        ))
    });
    changes.chain(kept).collect::<Vec<_>>().join(", ")
}

fn details(gate: &Gate) -> Document {
    let mut document = Document::default();
    for scenario in &gate.scenarios {
        document.section(numbers(scenario));
        document.section(findings(scenario));
    }
    document.section(notes::warnings(&gate.warnings));
    document.section(notes::gaps(&gate.gaps));
    document.section(notes::origin(Some(&gate.run), gate.seed));
    document
}

fn numbers(scenario: &ScenarioVerdict) -> Vec<Block> {
    let title = Line::of(Ink::Strong, "scenario ")
        .and(Ink::Verbatim, &scenario.name)
        .and(Ink::Faint, format!(": {}, ", words::plural(scenario.n.into(), "run")))
        .and(Ink::Verbatim, &scenario.command)
        .and(Ink::Unsure, advisory(scenario));
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("base", Side::Right, Fit::Spare),
        Column::new("new", Side::Right, Fit::Whole),
        Column::new("limit", Side::Right, Fit::Whole),
        Column::new("new / base (95 %)", Side::Left, Fit::Whole),
        Column::new("p, corrected", Side::Left, Fit::Spare),
        Column::new("verdict", Side::Left, Fit::Whole),
    ];
    let rows: Vec<Vec<Line>> =
        scenario.budgets.iter().map(budget_row).chain(scenario.changes.iter().map(change_row)).collect();
    if rows.is_empty() {
        return vec![Block::Paragraph(title)];
    }
    vec![Block::Paragraph(title), Block::Table(Table { columns, rows }.without_empty_columns())]
}

fn advisory(scenario: &ScenarioVerdict) -> String {
    let fields: Vec<&str> =
        scenario.differences.iter().map(|difference| difference.field.as_str()).take(5).collect();
    match scenario.comparable {
        Some(Comparable::Not) => format!(" · not comparable: {} must be equal", fields.join(", ")),
        Some(Comparable::Advisory) => format!(" · advisory: {} differ or are unknown", fields.join(", ")),
        _ => String::new(),
    }
}

fn budget_row(budget: &BudgetVerdict) -> Vec<Line> {
    let unit = budget.metric.unit();
    let value = match budget.value {
        Some(value) => Line::plain(number::estimate(value, budget.low.zip(budget.high), unit)),
        None => Line::of(Ink::Unsure, "unknown"),
    };
    vec![
        Line::plain(format!("{} budget", words::metric(budget.metric))),
        Line::default(),
        value,
        Line::plain(number::quantity(budget.limit, unit)),
        Line::default(),
        Line::default(),
        verdict(budget.verdict),
    ]
}

fn change_row(change: &Change) -> Vec<Line> {
    let judged = &change.judged;
    let median = |value: Option<f64>| match value {
        Some(value) => Line::plain(number::quantity(value, judged.metric.unit())),
        None => Line::of(Ink::Unsure, "unknown"),
    };
    let p = change.adjusted_p.map(number::chance).unwrap_or_default();
    vec![
        Line::plain(words::metric(judged.metric)),
        median(change.base),
        median(change.new),
        Line::default(),
        Line::plain(number::ratio(&judged.ratio)),
        Line::plain(p.strip_prefix("=\u{a0}").unwrap_or(&p)),
        verdict(change.verdict),
    ]
}

fn findings(scenario: &ScenarioVerdict) -> Vec<Block> {
    let told = scenario.findings.iter().take(MOST).map(|finding| Note {
        text: Line::of(Ink::Strong, &finding.cause)
            .and(Ink::Plain, format!(": {} ({})", finding.summary, finding.state.word())),
        next: Some(finding.prescription.clone()),
    });
    notes::titled(&format!("why {} is slow", scenario.name), told.collect())
}
