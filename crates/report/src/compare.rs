//! Whether something changed, as a document: the verdict, how sure, the numbers, what stands against them.

use model::Metric;
use model::compare::{
    BenchmarkVerdict, Comparable, Compare, Difference, MetricVerdict, Side as Measured, Verdict,
};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Note, Side, Table};
use crate::inert::TIE;
use crate::{notes, number, words};

pub(crate) fn document(compare: &Compare) -> Document {
    let mut document = Document::default();
    document.section(vec![Block::Headline(headline(compare)), Block::Paragraph(sides(compare))]);
    document.section(metrics(compare));
    document.section(notes::titled("how sure", compare.metrics.iter().map(doubt).collect()));
    document.section(control(compare));
    document.section(suite(&compare.benchmarks));
    document.section(comparability(compare));
    document.section(notes::warnings(&compare.warnings));
    document.section(notes::gaps(&compare.gaps));
    document.section(notes::origin(compare.run.as_deref(), compare.seed));
    document
}

/// The summary behind its verdict's sign; the verdict's word is added where the summary does not begin with it.
fn headline(compare: &Compare) -> Line {
    let word = words::verdict(compare.verdict);
    let lead = format!("{} {word}", words::verdict_sign(compare.verdict));
    let summary = compare.summary.trim();
    let spoken = summary.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let rest = if spoken { summary.get(word.len()..).unwrap_or_default() } else { summary };
    let joint = if spoken || rest.is_empty() { "" } else { ": " };
    Line::of(words::verdict_ink(compare.verdict), lead).and(Ink::Plain, format!("{joint}{rest}"))
}

fn sides(compare: &Compare) -> Line {
    let n = |side: &Measured| format!(" (n={})", side.n);
    let facts = format!(" · {} · margin{TIE}{}", compare.order, number::percent_as_set(compare.margin));
    Line::of(Ink::Faint, "base: ")
        .and(Ink::Verbatim, &compare.base.label)
        .and(Ink::Faint, format!("{} · new: ", n(&compare.base)))
        .and(Ink::Verbatim, &compare.new.label)
        .and(Ink::Faint, format!("{}{facts}", n(&compare.new)))
}

fn metrics(compare: &Compare) -> Vec<Block> {
    if compare.metrics.is_empty() {
        return Vec::new();
    }
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("base", Side::Right, Fit::Spare),
        Column::new("new", Side::Right, Fit::Spare),
        Column::new("change", Side::Right, Fit::Whole),
        Column::new("new / base (95 %)", Side::Left, Fit::Whole),
        Column::new("verdict", Side::Left, Fit::Whole),
        Column::new("pairs", Side::Right, Fit::Spare),
    ];
    let rows = compare.metrics.iter().map(|judged| metric_row(compare, judged)).collect();
    vec![Block::Table(Table { columns, rows })]
}

fn metric_row(compare: &Compare, judged: &MetricVerdict) -> Vec<Line> {
    let mut row = vec![
        Line::plain(words::metric(judged.metric)),
        median(&compare.base, judged.metric),
        median(&compare.new, judged.metric),
    ];
    row.extend(change(judged));
    row.push(Line::plain(number::count(judged.pairs.into())));
    row
}

/// Change, ratio and verdict.
fn change(judged: &MetricVerdict) -> [Line; 3] {
    let bare = judged.ratio.low.is_none() || judged.ratio.high.is_none();
    let note = if bare { format!("{TIE}(no{TIE}interval)") } else { String::new() };
    [
        Line::plain(number::change(judged.ratio.value)),
        Line::plain(number::ratio(&judged.ratio)).and(Ink::Faint, note),
        verdict(judged.verdict),
    ]
}

fn verdict(verdict: Verdict) -> Line {
    let text =
        format!("{}{TIE}{}", words::verdict_sign(verdict), words::verdict(verdict)).replace(' ', "\u{a0}");
    Line::of(words::verdict_ink(verdict), text)
}

fn median(side: &Measured, metric: Metric) -> Line {
    match side.medians.iter().find(|median| median.metric == metric) {
        Some(median) => Line::plain(number::quantity(median.value, metric.unit())),
        None => Line::of(Ink::Unsure, "unknown"),
    }
}

/// How sure the verdict on a metric is, and what it rests on.
fn doubt(judged: &MetricVerdict) -> Note {
    let mut facts = Vec::new();
    if judged.verdict == Verdict::Inconclusive {
        facts.push(match judged.needed {
            Some(pairs) => format!("inconclusive: about {}", more_pairs(pairs, judged.needed_s)),
            None => "inconclusive: no number of further pairs is known to decide".to_owned(),
        });
    }
    facts.extend(judged.confirmed.map(|repeated| match repeated {
        true => "confirmed by fresh blocks".to_owned(),
        false => "fresh blocks did not repeat the difference".to_owned(),
    }));
    facts.extend(judged.p.map(|p| format!("p{TIE}{}", number::chance(p))));
    facts.push(match judged.detectable {
        Some(share) => format!("would have seen ±{}", number::percent(share)),
        None => "too few pairs to say which change would have been seen".to_owned(),
    });
    facts.push(format!("{} measured by {}", words::plural(judged.pairs.into(), "pair"), judged.source));
    let metric = Line::of(Ink::Strong, words::metric(judged.metric));
    Note { text: metric.and(Ink::Plain, format!(": {}", facts.join("; "))), next: None }
}

fn more_pairs(pairs: u64, seconds: Option<f64>) -> String {
    let time = seconds.map(|seconds| format!(", {}", number::quantity(seconds, model::Unit::Seconds)));
    let pairs =
        if pairs == 1 { "1 more pair".to_owned() } else { format!("{} more pairs", number::count(pairs)) };
    format!("{pairs}{}", time.unwrap_or_default())
}

fn control(compare: &Compare) -> Vec<Block> {
    let Some(control) = &compare.control else {
        return Vec::new();
    };
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("change", Side::Right, Fit::Whole),
        Column::new("base / base (95 %)", Side::Left, Fit::Whole),
        Column::new("verdict", Side::Left, Fit::Whole),
        Column::new("pairs", Side::Right, Fit::Spare),
    ];
    let row = |judged: &MetricVerdict| {
        let mut row = vec![Line::plain(words::metric(judged.metric))];
        row.extend(change(judged));
        row.push(Line::plain(number::count(judged.pairs.into())));
        row
    };
    let title = Line::of(Ink::Strong, "control").and(Ink::Plain, ": base against itself in the same blocks");
    vec![Block::Paragraph(title), Block::Table(Table { columns, rows: control.iter().map(row).collect() })]
}

/// The benchmarks of a stored suite, worst first.
fn suite(benchmarks: &[BenchmarkVerdict]) -> Vec<Block> {
    if benchmarks.is_empty() {
        return Vec::new();
    }
    let mut ranked: Vec<&BenchmarkVerdict> = benchmarks.iter().collect();
    ranked.sort_by(|a, b| {
        let size = b.metric.ratio.value.total_cmp(&a.metric.ratio.value);
        badness(a.verdict).cmp(&badness(b.verdict)).then(size)
    });
    let columns = vec![
        Column::new("benchmark", Side::Left, Fit::Cut),
        Column::new("metric", Side::Left, Fit::Spare),
        Column::new("change", Side::Right, Fit::Whole),
        Column::new("new / base (95 %)", Side::Left, Fit::Whole),
        Column::new("verdict", Side::Left, Fit::Whole),
        Column::new("pairs", Side::Right, Fit::Spare),
        Column::new("p", Side::Left, Fit::Spare),
    ];
    let rows = ranked.into_iter().map(benchmark_row).collect();
    let title = format!("{}, worst first", words::plural(benchmarks.len() as u64, "benchmark"));
    let note = " (p is corrected for the size of the suite)";
    let title = Line::of(Ink::Strong, title).and(Ink::Faint, note);
    vec![Block::Paragraph(title), Block::Table(Table { columns, rows })]
}

fn benchmark_row(benchmark: &BenchmarkVerdict) -> Vec<Line> {
    let judged = &benchmark.metric;
    let [change, ratio, _] = change(judged);
    let p = benchmark.adjusted_p.map_or_else(|| "unknown".to_owned(), number::chance);
    vec![
        Line::of(Ink::Verbatim, &benchmark.name),
        Line::plain(words::metric(judged.metric)),
        change,
        ratio,
        verdict(benchmark.verdict),
        Line::plain(number::count(judged.pairs.into())),
        Line::plain(p.strip_prefix("=\u{a0}").unwrap_or(&p)),
    ]
}

const fn badness(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Worse => 0,
        Verdict::Inconclusive => 1,
        Verdict::NoChange => 2,
        Verdict::Better => 3,
    }
}

fn comparability(compare: &Compare) -> Vec<Block> {
    let (ink, lead, rest) = match compare.comparable {
        Comparable::Fully => (Ink::Plain, "fully comparable", ": nothing that matters differs"),
        Comparable::Advisory => (Ink::Unsure, "advisory", ": what may matter differs or is unknown"),
        Comparable::Not => (Ink::Bad, "not comparable", ": what must be equal differs"),
    };
    let mut blocks = vec![Block::Paragraph(Line::of(ink, lead).and(Ink::Plain, rest))];
    if compare.differences.is_empty() {
        return blocks;
    }
    let columns = vec![
        Column::new("field", Side::Left, Fit::Cut),
        Column::new("base", Side::Left, Fit::Wrap),
        Column::new("new", Side::Left, Fit::Wrap),
        Column::new("", Side::Left, Fit::Whole),
    ];
    let rows = compare.differences.iter().map(difference_row).collect();
    blocks.push(Block::Table(Table { columns, rows }));
    blocks
}

fn difference_row(difference: &Difference) -> Vec<Line> {
    let side = |value: &Option<String>| match value {
        Some(value) => Line::plain(value),
        None => Line::of(Ink::Unsure, "unknown"),
    };
    let weight =
        if difference.must { Line::of(Ink::Bad, "must be equal") } else { Line::plain("may matter") };
    vec![Line::plain(&difference.field), side(&difference.base), side(&difference.new), weight]
}
