//! The account of time: a bar that adds up to the whole, and a line for each leaf with what it is made of.

use model::Unit;
use model::answer::{Account, Check, Leaf, Part};

use crate::document::{Block, Column, Fit, Ink, Line, Side, Table, part};
use crate::number;

/// Parts of a leaf that are named beside it.
const MOST_PARTS: usize = 3;

/// Parts below this share of their leaf say little.
const LEAST_PART: f64 = 0.05;

/// Two witnesses that differ by less agree.
const AGREE: f64 = 0.02;

pub(crate) fn blocks(account: &Account) -> Vec<Block> {
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
    let mut rows: Vec<Vec<Line>> =
        leaves.map(|(at, leaf)| vec![sign(at), share(at), time(leaf.seconds), told(leaf)]).collect();
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
    let mut blocks = vec![Block::Bar(shares), Block::Table(Table { columns, rows }), Block::Paragraph(sum)];
    blocks.extend(account.checks.iter().map(|check| Block::Paragraph(against(check))));
    blocks
}

/// The leaf and its largest parts.
fn told(leaf: &Leaf) -> Line {
    let weighty = |part: &&Part| part.seconds >= LEAST_PART * leaf.seconds;
    let parts: Vec<String> = leaf
        .parts
        .iter()
        .filter(weighty)
        .take(MOST_PARTS)
        .map(|part| format!("{} {}", part.what, number::quantity(part.seconds, Unit::Seconds)))
        .collect();
    let line = Line::plain(&leaf.leaf);
    if parts.is_empty() { line } else { line.and(Ink::Faint, format!(" · {}", parts.join(", "))) }
}

/// Our figure beside another witness's.
pub(crate) fn against(check: &Check) -> Line {
    let ratio = check.ours_s / check.theirs_s;
    let difference =
        if check.theirs_s > 0.0 { format!(" ({})", number::change(ratio)) } else { String::new() };
    let ink = if (ratio - 1.0).abs() > AGREE { Ink::Unsure } else { Ink::Faint };
    let [ours, theirs] = [check.ours_s, check.theirs_s].map(|time| number::quantity(time, Unit::Seconds));
    Line::of(ink, format!("check: {} {ours}, {} says {theirs}{difference}", check.what, check.against))
}

/// Shares as tenths of a percent. When they add up to one, so do the printed ones: what rounding leaves over goes to
/// the largest remainders.
pub(crate) fn tenths(shares: &[f64]) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inert::TIE;

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
