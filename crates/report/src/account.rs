//! The account of time: a bar that adds up to the whole, and a line for each leaf with what it is made of.

use std::borrow::Cow;

use model::Unit;
use model::answer::{Account, Check, Leaf, Part};

use crate::document::{Block, Column, Fit, Ink, Line, Side, Table, part};
use crate::number;

/// Parts of a leaf that are named beside it.
const MOST_PARTS: usize = 3;

/// Parts below this share of their leaf say little.
const LEAST_PART: f64 = 0.05;

/// Leaves below this share of the whole stand together; parts below it are named only where they are a leaf's largest.
const SMALL: f64 = 0.01;

/// Rows above the unaccounted rest: as many as the bar has signs.
const MOST_ROWS: usize = 6;

/// Two witnesses that differ by less agree.
const AGREE: f64 = 0.02;

pub(crate) fn blocks(account: &Account) -> Vec<Block> {
    let (mut large, mut small): (Vec<&Leaf>, Vec<&Leaf>) =
        account.leaves.iter().partition(|leaf| leaf.share.abs() >= SMALL);
    // A sign that stands for two rows would stand for none.
    if large.len() + usize::from(!small.is_empty()) > MOST_ROWS {
        small.splice(..0, large.split_off(MOST_ROWS - 1));
    }
    let alone = if small.len() == 1 { small.pop() } else { None };
    let told: Vec<(f64, f64, Line)> = large
        .into_iter()
        .chain(alone)
        .map(|leaf| (leaf.share, leaf.seconds, of(leaf)))
        .chain(together(&small))
        .collect();
    let shares: Vec<f64> = told.iter().map(|(share, ..)| *share).chain([account.unaccounted]).collect();
    let printed = tenths(&shares);
    let sign = |at: usize| {
        let (sign, ink) = part(at, shares.len());
        Line::of(ink, sign.to_string())
    };
    let share = |at: usize| Line::plain(printed.get(at).cloned().unwrap_or_default());
    let rest = told.len();
    let row = |(at, (_, seconds, line)): (usize, (f64, f64, Line))| {
        vec![sign(at), share(at), Line::plain(number::quantity(seconds, Unit::Seconds)), line]
    };
    let mut rows: Vec<Vec<Line>> = told.into_iter().enumerate().map(row).collect();
    rows.push(vec![sign(rest), share(rest), Line::default(), Line::plain("unaccounted")]);
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("share", Side::Right, Fit::Whole),
        Column::new("time", Side::Right, Fit::Whole),
        Column::new("where the time went", Side::Left, Fit::Wrap),
    ];
    let total = number::percent_to_tenths(shares.iter().sum());
    let wall = length(account);
    let (agree, differ): (Vec<&Check>, Vec<&Check>) =
        account.checks.iter().partition(|check| agrees(check, wall));
    let checked = match differ.as_slice() {
        [] => witnesses(&agree),
        _ => format!("; {} of {} checks agree", agree.len(), account.checks.len()),
    };
    let unit = account.unit.split(", ").next().unwrap_or_default();
    let sum = Line::of(Ink::Faint, format!("sum {total}; {unit}{checked}"));
    let mut blocks = vec![Block::Bar(shares), Block::Table(Table { columns, rows }), Block::Paragraph(sum)];
    blocks.extend(differ.into_iter().map(|check| Block::Paragraph(against(check, wall))));
    blocks
}

/// The leaf and its largest parts.
fn of(leaf: &Leaf) -> Line {
    let whole = leaf.seconds / leaf.share;
    let (rest, named): (Vec<&Part>, Vec<&Part>) = leaf.parts.iter().partition(|part| is_rest(part));
    let weighty = |(at, part): &(usize, &Part)| {
        part.seconds >= LEAST_PART * leaf.seconds && (*at == 0 || part.seconds >= SMALL * whole)
    };
    let parts: Vec<String> = named
        .iter()
        .copied()
        .enumerate()
        .filter(weighty)
        .take(MOST_PARTS)
        .map(|(_, part)| {
            format!("{} {}", brief(leaf, &part.what), number::quantity(part.seconds, Unit::Seconds))
        })
        .collect();
    let line = Line::plain(&leaf.leaf);
    match (parts.as_slice(), rest.first()) {
        ([], None) => line,
        ([], Some(_)) => line.and(Ink::Faint, " · spread over many places, each small"),
        (parts, _) => line.and(Ink::Faint, format!(" · {}", parts.join(", "))),
    }
}

/// Letters of what a thread waited for: a set may have many members.
const LONG: usize = 60;

/// Functions by their path, all else as it begins.
fn brief<'a>(leaf: &Leaf, what: &'a str) -> Cow<'a, str> {
    let is_function = leaf.leaf.starts_with("on-cpu") || FUNCTIONS.contains(&leaf.leaf.as_str());
    match what.char_indices().nth(LONG) {
        _ if is_function => model::brief::brief(what),
        Some((end, _)) => Cow::Owned(format!("{}…", what.get(..end).unwrap_or(what))),
        None => Cow::Borrowed(what),
    }
}

/// Leaves whose parts are functions, besides those on a CPU.
const FUNCTIONS: [&str; 2] = ["blocked/sleep", "blocked/fault"];

/// `161 more`, the sum of the parts that are not told.
fn is_rest(part: &Part) -> bool {
    let count = part.what.strip_suffix(" more");
    count.is_some_and(|count| count.chars().all(|letter| letter.is_ascii_digit()))
}

/// The small leaves as one.
fn together(small: &[&Leaf]) -> Option<(f64, f64, Line)> {
    let names: Vec<&str> = small.iter().map(|leaf| leaf.leaf.as_str()).collect();
    let (share, seconds) = (small.iter().map(|leaf| leaf.share), small.iter().map(|leaf| leaf.seconds));
    (!small.is_empty()).then(|| {
        (
            share.sum(),
            seconds.sum(),
            Line::plain("others").and(Ink::Faint, format!(" · {}", names.join(", "))),
        )
    })
}

/// Seconds of the run that the account explains.
pub(crate) fn length(account: &Account) -> f64 {
    account.leaves.iter().map(|leaf| leaf.seconds).sum()
}

/// A difference that is small beside the time in question, or beside the whole run, means nothing.
fn agrees(check: &Check, wall: f64) -> bool {
    (check.ours_s - check.theirs_s).abs() <= AGREE * check.theirs_s.max(wall)
}

/// `; rusage and schedstat agree`.
fn witnesses(agree: &[&Check]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for check in agree {
        let name = check.against.split(" (").next().unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("; {one} agrees"),
        all => format!("; {} agree", all.join(" and ")),
    }
}

/// Our figure beside another witness's, in a run of this length.
pub(crate) fn against(check: &Check, wall: f64) -> Line {
    let ratio = check.ours_s / check.theirs_s;
    let difference =
        if check.theirs_s > 0.0 { format!(" ({})", number::change(ratio)) } else { String::new() };
    let ink = if agrees(check, wall) { Ink::Faint } else { Ink::Unsure };
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
    fn what_a_thread_waited_for_is_no_function_with_a_type_before_it() {
        let leaf = |leaf: &str| Leaf { leaf: leaf.to_owned(), seconds: 1.0, share: 1.0, parts: Vec::new() };
        let set = "socket 127.0.0.1:40118, tcp socket, unix socket /run/a.sock and 1 more";
        let told = brief(&leaf("blocked/poll"), set);
        assert_eq!(told, "socket 127.0.0.1:40118, tcp socket, unix socket /run/a.sock …");
        assert_eq!(brief(&leaf("blocked/pipe"), "pipe from child cat"), "pipe from child cat");
        let long = "void one::two::three(unsigned long, unsigned long, unsigned long, unsigned long)";
        assert_eq!(brief(&leaf("on-cpu/user"), long), "one::two::three");
    }

    #[test]
    fn a_difference_that_is_small_beside_the_run_is_told_without_alarm() {
        let check = Check {
            what: "time on a CPU".into(),
            against: "schedstat".into(),
            ours_s: 0.439,
            theirs_s: 0.449,
        };
        let ink = |wall: f64| against(&check, wall).0.iter().all(|span| matches!(span.ink, Ink::Faint));
        assert!(ink(0.6) && !ink(0.4));
    }

    #[test]
    fn printed_shares_add_up_when_the_account_does() {
        check(&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0], &["33.4 %", "33.3 %", "33.3 %"]);
        check(&[0.8215, 0.1715, 0.007], &["82.1 %", "17.2 %", "0.7 %"]);
        check(&[0.5, 0.3], &["50.0 %", "30.0 %"]);
        check(&[1.02, -0.02], &["102.0 %", "-2.0 %"]);
    }

    #[test]
    fn many_leaves_stand_in_as_many_rows_as_there_are_signs() {
        let leaf = |share: f64| Leaf { leaf: format!("l{share}"), seconds: share, share, parts: Vec::new() };
        for (shares, rows) in [
            (vec![0.9, 0.1], 3),
            (vec![0.5, 0.1, 0.1, 0.1, 0.1, 0.1], 7),
            (vec![0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 7),
            (vec![0.5, 0.1, 0.1, 0.1, 0.1, 0.095, 0.005], 7),
            (vec![0.99, 0.005, 0.005], 3),
        ] {
            let leaves = shares.iter().copied().map(leaf).collect();
            let account = Account { unit: "s".into(), leaves, unaccounted: 0.0, checks: Vec::new() };
            let blocks = blocks(&account);
            let Some(Block::Bar(bar)) = blocks.first() else { panic!("no bar") };
            assert!((bar.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert_eq!(bar.len(), rows, "{shares:?}");
        }
    }
}
