//! Why a program is slow, as a document: the verdict, the account of its time, the evidence, what was not seen.

use model::Unit;
use model::answer::{Account, Answer, Evidence, Overhead};

use crate::document::{Block, Column, Document, Fit, Ink, Line, Side, Table, part};
use crate::inert::TIE;
use crate::{notes, number, words};

pub(crate) fn document(answer: &Answer) -> Document {
    let mut document = Document::default();
    document.section(heading(answer));
    document.section(account(&answer.account));
    document.section(evidence(&answer.evidence));
    document.section(notes::gaps(&answer.gaps));
    document.section(closing(answer));
    document
}

fn heading(answer: &Answer) -> Vec<Block> {
    let wall = &answer.wall;
    let time = number::estimate_of(wall.median_s, wall.low_s.zip(wall.high_s), Unit::Seconds, wall.n);
    let target = Line::of(Ink::Verbatim, words::command_line(&answer.target.argv))
        .and(Ink::Plain, format!(" takes {time} · "))
        .and(
            if answer.target.exit.succeeded() { Ink::Faint } else { Ink::Bad },
            words::ended(answer.target.exit),
        );
    let verdict = &answer.verdict;
    let kind: Vec<&str> =
        [&verdict.class, &verdict.cause].into_iter().filter_map(|part| part.as_deref()).collect();
    let kind = if kind.is_empty() { "class unknown".to_owned() } else { kind.join(", ") };
    vec![
        Block::Headline(Line::plain(&verdict.summary)),
        Block::Paragraph(Line::of(Ink::Strong, &verdict.state).and(Ink::Faint, format!(" · {kind}"))),
        Block::Paragraph(target),
    ]
}

fn account(account: &Account) -> Vec<Block> {
    let shares: Vec<f64> =
        account.leaves.iter().map(|leaf| leaf.share).chain([account.unaccounted]).collect();
    let printed = tenths(&shares);
    let sign = |at: usize| {
        let (sign, ink) = part(at, shares.len());
        Line::of(ink, sign.to_string())
    };
    let time = |seconds: f64| Line::plain(number::quantity(seconds, Unit::Seconds));
    let share = |at: usize| Line::plain(printed.get(at).cloned().unwrap_or_default());
    let leaves = account.leaves.iter().enumerate();
    let mut rows: Vec<Vec<Line>> = leaves
        .map(|(at, leaf)| vec![sign(at), share(at), time(leaf.seconds), Line::plain(&leaf.leaf)])
        .collect();
    let rest = account.leaves.len();
    rows.push(vec![sign(rest), share(rest), Line::default(), Line::plain("unaccounted")]);
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("share", Side::Right, Fit::Whole),
        Column::new("time", Side::Right, Fit::Whole),
        Column::new("where the time went", Side::Left, Fit::Wrap),
    ];
    let total = number::percent_to_tenths(shares.iter().sum());
    let sum = Line::of(Ink::Faint, format!("sum {total} of wall time; unit: {}", account.unit));
    vec![Block::Bar(shares), Block::Table(Table { columns, rows }), Block::Paragraph(sum)]
}

/// Shares as tenths of a percent. When they add up to one, so do the printed ones: what rounding leaves over goes to
/// the largest remainders.
fn tenths(shares: &[f64]) -> Vec<String> {
    let mut rounded: Vec<f64> = shares.iter().map(|share| (share * 1000.0).round()).collect();
    let whole = (shares.iter().sum::<f64>() - 1.0).abs() < 0.0005;
    let over = rounded.iter().sum::<f64>() - 1000.0;
    if whole && over.abs() >= 1.0 {
        let remainder =
            |at: &usize| shares.get(*at).zip(rounded.get(*at)).map_or(0.0, |(s, r)| (r - s * 1000.0) * over);
        let mut order: Vec<usize> = (0..rounded.len()).collect();
        order.sort_by(|a, b| remainder(b).total_cmp(&remainder(a)));
        let mut left = over;
        for at in order {
            if let Some(share) = rounded.get_mut(at).filter(|_| left.abs() >= 0.5) {
                *share -= over.signum();
                left -= over.signum();
            }
        }
    }
    rounded.into_iter().map(|tenth| number::percent_to_tenths(tenth / 1000.0)).collect()
}

/// Rows of evidence on the page; the answer is one screen, and `--json` has them all.
const MOST_EVIDENCE: usize = 6;

fn evidence(evidence: &[Evidence]) -> Vec<Block> {
    if evidence.is_empty() {
        return Vec::new();
    }
    let (shown, more) = evidence.split_at(evidence.len().min(MOST_EVIDENCE));
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("evidence", Side::Left, Fit::Cut),
        Column::new("value (95 %)", Side::Left, Fit::Whole),
        Column::new("n", Side::Right, Fit::Whole),
        Column::new("source", Side::Left, Fit::Wrap),
        Column::new("artifact", Side::Left, Fit::Spare),
    ];
    let row = |evidence: &Evidence| {
        vec![
            Line::of(Ink::Faint, &evidence.id),
            Line::plain(&evidence.metric),
            Line::plain(value(evidence)),
            Line::plain(number::count(evidence.n.into())),
            Line::plain(&evidence.source),
            Line::of(Ink::Faint, &evidence.artifact),
        ]
    };
    let mut blocks = vec![Block::Table(Table { columns, rows: shown.iter().map(row).collect() })];
    if let (Some(first), Some(last)) = (more.first(), more.last()) {
        let text = format!("{} to {}: --json", first.id, last.id);
        blocks.push(Block::Paragraph(Line::of(Ink::Faint, text)));
    }
    blocks
}

fn value(evidence: &Evidence) -> String {
    let interval = evidence.low.zip(evidence.high);
    match evidence.unit.as_str() {
        "s" => number::estimate(evidence.value, interval, Unit::Seconds),
        "B" => number::estimate(evidence.value, interval, Unit::Bytes),
        unit => {
            let plain = number::bare(evidence.value, interval);
            if unit.is_empty() || unit == "1" { plain } else { format!("{plain}{TIE}{unit}") }
        }
    }
}

fn closing(answer: &Answer) -> Vec<Block> {
    let told = |overhead: &Overhead| format!("{} {}", overhead.pass, number::change(overhead.ratio));
    let costs: Vec<String> = answer.overhead.iter().map(told).collect();
    let costs = if costs.is_empty() { "not measured".to_owned() } else { costs.join(", ") };
    let line = Line::of(Ink::Strong, "overhead").and(Ink::Plain, format!(" of our passes: {costs}"));
    vec![Block::Paragraph(line), Block::Paragraph(Line::of(Ink::Faint, format!("run {}", answer.run)))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shares: &[f64], wanted: &[&str]) {
        let shown: Vec<String> = tenths(shares).iter().map(|text| text.replace(TIE, " ")).collect();
        assert_eq!(shown, wanted);
    }

    #[test]
    fn printed_shares_add_up_when_the_account_does() {
        check(&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0], &["33.4 %", "33.3 %", "33.3 %"]);
        check(&[0.8215, 0.1715, 0.007], &["82.1 %", "17.2 %", "0.7 %"]);
        check(&[0.5, 0.3], &["50.0 %", "30.0 %"]);
        check(&[1.02, -0.02], &["102.0 %", "-2.0 %"]);
    }
}
