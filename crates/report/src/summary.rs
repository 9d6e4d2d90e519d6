//! `benchmark_report.md`: the run in the order that readers of the original rubric know, with what it lacked.

use model::Unit;
use model::scorecard::{Dimension, Figure, Finding, Location, Scorecard, Severity, SubCheck, Tier};
use model::summary::{HotFunction, Series, Summary};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Note, Side, Table};
use crate::inert::{self, TIE};
use crate::markdown::markdown;
use crate::{notes, number, score, words};

/// The report of a run.
#[must_use]
pub fn summary_markdown(summary: &Summary, card: &Scorecard, findings: &[Finding]) -> String {
    let mut text = String::from("# Benchmark report\n\n");
    let mut section = |title: &str, blocks: Vec<Block>| {
        if !blocks.is_empty() {
            text.push_str(&format!("## {}\n\n", inert::markdown(title)));
            text.push_str(&markdown(&Document { sections: vec![blocks] }));
            text.push('\n');
        }
    };
    section("Run", header(summary, card));
    section("Prerequisites", prerequisites(summary));
    section("Algorithmic Scaling Analysis", scaling(card));
    section("Baseline Comparison", baseline(card));
    section("Rubric Scorecard", scorecard(card));
    section("Findings", found(card, findings));
    section("Hot Functions", hot(&summary.hot_functions));
    section("Prescriptions", prescriptions(card));
    section("Cache Model", caches(summary));
    section("Questions", questions(card));
    section("Samples", samples(&summary.samples));
    section("Not seen", notes::gaps(&summary.errors));
    text
}

fn pairs(rows: Vec<(&str, Line)>) -> Block {
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
    Block::Table(Table {
        columns: vec![
            Column::new("what", Side::Left, Fit::Whole),
            Column::new("value", Side::Left, Fit::Wrap),
        ],
        rows: rows.map(|(name, value)| vec![Line::plain(name), value]).collect(),
    })
}

fn known(text: Option<&str>) -> Line {
    Line::plain(text.unwrap_or("unknown"))
}

fn header(summary: &Summary, card: &Scorecard) -> Vec<Block> {
    let sizes: Vec<String> = summary.sizes.iter().map(|size| number::count(*size)).collect();
    let mut blocks = vec![Block::Headline(score::points(card))];
    blocks.extend(card.notes.iter().map(|note| Block::Paragraph(Line::of(Ink::Strong, note))));
    blocks.push(pairs(vec![
        ("command", Line::of(Ink::Verbatim, &summary.workload)),
        ("run", Line::plain(&summary.run)),
        ("ended", Line::plain(&summary.generated_at)),
        ("root", Line::of(Ink::Verbatim, summary.root.lossy())),
        ("tier", Line::plain(&summary.tier)),
        ("sizes", Line::plain(sizes.join("; "))),
    ]));
    blocks
}

fn prerequisites(summary: &Summary) -> Vec<Block> {
    let environment = &summary.environment;
    let memory = summary.prerequisites.ram_mb.map(|mb| format!("{}{TIE}MiB", number::count(mb)));
    let load = environment.load_avg_1m.map(|load| format!("{load:.2}"));
    let paranoid = summary.prerequisites.perf_paranoid.map(|level| level.to_string());
    let mut rows = vec![
        ("processor", known(environment.cpu_model.as_deref())),
        ("kernel", known(environment.kernel.as_deref())),
        ("governor", known(environment.governor.as_deref())),
        ("threads a core", known(environment.smt.as_deref())),
        ("memory", known(memory.as_deref())),
        ("load before the run", known(load.as_deref())),
        ("perf_event_paranoid", known(paranoid.as_deref())),
        ("Python", Line::plain(environment.python_version.as_deref().unwrap_or_default())),
        (
            "machine",
            Line::plain(match summary.quiet {
                Some(true) => "quiet during the timed runs",
                Some(false) => "busy during the timed runs",
                None => "unknown whether it was quiet",
            }),
        ),
    ];
    let tools: Vec<String> = summary
        .tools
        .iter()
        .map(|(name, version)| format!("{name} {}", version.as_deref().unwrap_or("(version unknown)")))
        .collect();
    rows.push(("tools", Line::plain(tools.join(", "))));
    vec![pairs(rows)]
}

fn scaling(card: &Scorecard) -> Vec<Block> {
    let Some(dimension) = card.dimensions.first() else { return Vec::new() };
    let mut blocks: Vec<Block> = score::stop(card).into_iter().collect();
    let row = |check: &SubCheck| {
        let figure = check.figure.as_ref();
        vec![
            Line::plain(&check.name),
            Line::of(score::ink(check.tier), check.tier.word()),
            Line::plain(figure.map(score::value).unwrap_or_default()),
            Line::plain(figure.and_then(limits).unwrap_or_default()),
            Line::plain(&check.because),
        ]
    };
    blocks.push(Block::Table(Table {
        columns: vec![
            Column::new("sub-check", Side::Left, Fit::Whole),
            Column::new("tier", Side::Left, Fit::Whole),
            Column::new("value", Side::Right, Fit::Whole),
            Column::new("PASS, FAIL", Side::Left, Fit::Whole),
            Column::new("because", Side::Left, Fit::Wrap),
        ],
        rows: dimension.checks.iter().map(row).collect(),
    }));
    blocks
}

/// `≤ 1.3, > 1.5`.
fn limits(figure: &Figure) -> Option<String> {
    let (pass, fail) = (figure.limit?, figure.fail?);
    if fail > 1e12 {
        return None;
    }
    let short = |limit: f64| number::bare(limit, None);
    Some(match figure.better {
        model::scorecard::Better::Lower => format!("≤{TIE}{}, >{TIE}{}", short(pass), short(fail)),
        model::scorecard::Better::Higher => format!("≥{TIE}{}, <{TIE}{}", short(pass), short(fail)),
    })
}

fn baseline(card: &Scorecard) -> Vec<Block> {
    let Some(regressions) = &card.baseline else { return Vec::new() };
    let mut blocks = vec![score::against(regressions)];
    if !regressions.metrics.is_empty() {
        blocks.push(Block::Table(score::changes(&regressions.metrics)));
    }
    let change = |change: &model::scorecard::TierChange| Note {
        text: Line::plain(format!(
            "{}: {} before, {} now",
            change.dimension,
            change.baseline_tier.word(),
            change.current_tier.word()
        )),
        next: None,
    };
    blocks.extend(notes::titled("tiers that changed", regressions.tiers.iter().map(change).collect()));
    let difference = |difference: &model::compare::Difference| Note {
        text: Line::plain(format!(
            "{}: {} before, {} now",
            difference.field,
            difference.base.as_deref().unwrap_or("unknown"),
            difference.new.as_deref().unwrap_or("unknown")
        )),
        next: None,
    };
    blocks
        .extend(notes::titled("what else differs", regressions.differences.iter().map(difference).collect()));
    blocks
}

fn scorecard(card: &Scorecard) -> Vec<Block> {
    let row = |dimension: &Dimension| {
        vec![
            Line::plain(&dimension.name),
            Line::plain(dimension.score.map_or_else(|| "–".to_owned(), |score| format!("{score}/4"))),
            Line::of(score::ink(dimension.tier), dimension.tier.word()),
            Line::plain(&dimension.iso),
            Line::plain(dimension.figures.first().map(score::value).unwrap_or_default()),
            Line::plain(&dimension.because),
        ]
    };
    let mut blocks = vec![Block::Table(Table {
        columns: vec![
            Column::new("dimension", Side::Left, Fit::Whole),
            Column::new("score", Side::Right, Fit::Whole),
            Column::new("tier", Side::Left, Fit::Whole),
            Column::new("ISO/IEC 25010", Side::Left, Fit::Whole),
            Column::new("figure", Side::Right, Fit::Whole),
            Column::new("because", Side::Left, Fit::Wrap),
        ],
        rows: card.dimensions.iter().map(row).collect(),
    })];
    let missing =
        card.dimensions.iter().filter(|dimension| dimension.tier != Tier::Noise).flat_map(|dimension| {
            dimension.missing.iter().map(|missing| Note {
                text: Line::of(Ink::Strong, &dimension.name).and(Ink::Plain, format!(": {missing}")),
                next: None,
            })
        });
    blocks.extend(notes::titled("not measured", missing.collect()));
    blocks.push(Block::Paragraph(Line::plain(
        "Time behaviour and resource utilisation are two of the three parts of performance efficiency in ISO/IEC 25010; \
         the third, capacity, is covered by none of the dimensions.",
    )));
    blocks
}

fn place(location: &Location) -> String {
    match (&location.file, location.line) {
        (Some(file), Some(line)) => format!("{} ({file}:{line})", location.function),
        (Some(file), None) => format!("{} ({file})", location.function),
        _ => location.function.clone(),
    }
}

/// In the order of the prescriptions: what is to be mended first stands first, whatever the file sorts by.
fn found(card: &Scorecard, findings: &[Finding]) -> Vec<Block> {
    if findings.is_empty() {
        return vec![Block::Paragraph(Line::plain("None of the measured figures misses its limit."))];
    }
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| turn(card, finding));
    let row = |finding: &&Finding| {
        let ink = if finding.severity == Severity::High { Ink::Bad } else { Ink::Unsure };
        let at = match finding.location.line_start {
            0 => finding.path.clone(),
            line => format!("{}:{line}", finding.path),
        };
        vec![
            Line::of(ink, finding.tier.word()),
            Line::plain(&finding.metric.name),
            Line::plain(&finding.location.symbol),
            Line::of(Ink::Verbatim, at),
            Line::plain(&finding.evidence.raw),
            Line::of(Ink::Verbatim, finding.evidence.command.clone().unwrap_or_default()),
            Line::of(Ink::Verbatim, &finding.id),
        ]
    };
    let column = |title: &str| Column::new(title, Side::Left, Fit::Wrap);
    vec![Block::Table(Table {
        columns: ["tier", "metric", "function", "at", "evidence", "again", "id"].map(column).into(),
        rows: sorted.iter().map(row).collect(),
    })]
}

/// The dimension's place on the card, and the sub-check's in it. What is on no card comes last.
fn turn(card: &Scorecard, finding: &Finding) -> (usize, usize) {
    let at = card.dimensions.iter().position(|dimension| dimension.name == finding.dimension);
    let check = at.and_then(|at| {
        let named =
            |check: &SubCheck| check.figure.as_ref().is_some_and(|figure| figure.name == finding.metric.name);
        card.dimensions.get(at)?.checks.iter().position(named)
    });
    (at.unwrap_or(usize::MAX), check.unwrap_or(usize::MAX))
}

fn hot(functions: &[HotFunction]) -> Vec<Block> {
    let Some(first) = functions.first() else { return Vec::new() };
    let row = |function: &HotFunction| {
        let at = match (&function.file, function.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            _ => function.module.clone().unwrap_or_default(),
        };
        vec![
            Line::plain(&function.function),
            Line::plain(number::percent(function.own)),
            Line::plain(function.inclusive.map(number::percent).unwrap_or_default()),
            Line::of(Ink::Verbatim, at),
            Line::plain(if function.project { "yours" } else { "" }),
        ]
    };
    vec![
        Block::Paragraph(Line::plain(format!("Shares of {}.", first.of))),
        Block::Table(Table {
            columns: vec![
                Column::new("function", Side::Left, Fit::Cut),
                Column::new("own", Side::Right, Fit::Whole),
                Column::new("with callees", Side::Right, Fit::Whole),
                Column::new("at", Side::Left, Fit::Cut),
                Column::new("whose", Side::Left, Fit::Whole),
            ],
            rows: functions.iter().take(10).map(row).collect(),
        }),
    ]
}

/// In the order of the dimensions, which is the order of their worth.
fn prescriptions(card: &Scorecard) -> Vec<Block> {
    let mut told: Vec<Note> = Vec::new();
    let mut add = |name: &str, location: Option<&Location>, text: &Option<String>| {
        if let Some(text) = text {
            let unnamed = |location: &&Location| !text.starts_with(&location.function);
            let at = location.filter(unnamed).map(|location| format!(" at {}", place(location)));
            let at = at.unwrap_or_default();
            let line = Line::of(Ink::Strong, name).and(Ink::Plain, format!("{at}: {text}"));
            told.push(Note { text: line, next: None });
        }
    };
    for dimension in &card.dimensions {
        if dimension.checks.is_empty() {
            add(&dimension.name, dimension.location.as_ref(), &dimension.prescription);
        }
        for check in &dimension.checks {
            add(&check.name, check.location.as_ref(), &check.prescription);
        }
    }
    if told.is_empty() {
        return vec![Block::Paragraph(Line::plain("Nothing of what was measured asks for a change."))];
    }
    notes::titled("one change at a time, in this order", told)
}

fn caches(summary: &Summary) -> Vec<Block> {
    let topology = &summary.prerequisites.cache_topology;
    if topology.is_empty() {
        return vec![Block::Paragraph(Line::plain("No caches were simulated."))];
    }
    let row = |(name, geometry): (&String, &String)| vec![Line::plain(name), Line::plain(geometry)];
    vec![
        Block::Table(Table {
            columns: vec![
                Column::new("cache", Side::Left, Fit::Whole),
                Column::new("bytes, ways, line", Side::Left, Fit::Whole),
            ],
            rows: topology.iter().map(row).collect(),
        }),
        Block::Paragraph(Line::plain(
            "Costs are estimated cycles: one for each instruction, 10 for a miss of the first level, 100 for one of the \
             last, 15 for a mispredicted branch.",
        )),
    ]
}

fn questions(card: &Scorecard) -> Vec<Block> {
    let note = |question: &String| Note { text: Line::plain(question), next: None };
    notes::titled("worth asking before changing anything", card.questions.iter().map(note).collect())
}

fn samples(samples: &[Series]) -> Vec<Block> {
    if samples.is_empty() {
        return Vec::new();
    }
    let row = |series: &Series| {
        let n = u32::try_from(series.values.len()).unwrap_or(u32::MAX);
        let interval = series.low.zip(series.high);
        let value = match series.unit {
            Unit::One => number::estimate(series.median, interval, Unit::One),
            unit => number::estimate(series.median, interval, unit),
        };
        vec![
            Line::plain(words::metric(series.metric)),
            Line::plain(series.size.map(number::count).unwrap_or_default()),
            Line::plain(value),
            Line::plain(number::count(n.into())),
            Line::plain(&series.source),
        ]
    };
    vec![Block::Table(
        Table {
            columns: vec![
                Column::new("metric", Side::Left, Fit::Whole),
                Column::new("size", Side::Right, Fit::Whole),
                Column::new("median (95 %)", Side::Right, Fit::Whole),
                Column::new("n", Side::Right, Fit::Whole),
                Column::new("source", Side::Left, Fit::Whole),
            ],
            rows: samples.iter().map(row).collect(),
        }
        .without_empty_columns(),
    )]
}
