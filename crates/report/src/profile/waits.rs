//! Places that waited, and whether that held up the program.

use model::Unit;
use model::profile::WaitSite;
use model::recording::Owner;

use super::named;
use crate::document::{Block, Column, Fit, Ink, Line, Side, Table};
use crate::{number, words};

/// A wait is told as holding the program up when this much of it did.
const MATTERS: f64 = 0.01;

/// A place of the user's own is on the stack.
fn is_own(wait: &WaitSite) -> bool {
    wait.stack.iter().chain(&wait.place).any(|place| place.owner == Owner::Project)
}

/// Threads that a runtime made for itself, and the one that only waits for the program's: no code of the user's runs in them.
fn is_runtimes_own(wait: &WaitSite) -> bool {
    const LAUNCHER: &str = "CallJavaMainInNewThread";
    let launches = wait.stack.iter().any(|place| place.function.starts_with(LAUNCHER));
    let in_runtime = wait.stack.iter().chain(&wait.place).any(|place| place.owner == Owner::Runtime);
    !is_own(wait) && (launches || in_runtime && !holds_up(wait))
}

/// What held the program up or is its own comes first, idle threads last.
fn rank(wait: &WaitSite) -> u8 {
    match (is_own(wait) && !wait.idle || holds_up(wait), wait.idle) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    }
}

/// The waits of a runtime's own threads as one row.
fn together(inner: &[&WaitSite]) -> Option<Vec<Line>> {
    let first = inner.first()?;
    if inner.len() == 1 {
        return Some(row(first));
    }
    let places = words::plural(inner.len() as u64, "place");
    Some(vec![
        Line::plain(number::quantity(inner.iter().map(|wait| wait.seconds).sum(), Unit::Seconds)),
        Line::plain(number::count(inner.iter().fold(0, |sum, wait| sum.saturating_add(wait.count)))),
        Line::of(Ink::Faint, format!("{places} of the runtime's own threads")),
        Line::default(),
        Line::of(Ink::Faint, "no"),
    ])
}

fn holds_up(wait: &WaitSite) -> bool {
    wait.critical_s > MATTERS * wait.seconds && wait.critical_s > 0.0
}

/// Longer words for what was waited for, a path mostly, are cut.
const LONG: usize = 64;

/// The waits that matter, the longest first among equals; `--json` has them all.
pub(crate) fn blocks(waits: &[WaitSite], most: usize) -> Vec<Block> {
    // What was over at once is in no sum.
    let waits = waits.iter().filter(|wait| wait.seconds > 0.0);
    let (inner, mut waits): (Vec<&WaitSite>, Vec<&WaitSite>) = waits.partition(|wait| is_runtimes_own(wait));
    // Sorted in place: the longest stay first among equals.
    waits.sort_by_key(|wait| rank(wait));
    if waits.is_empty() && inner.is_empty() {
        return Vec::new();
    }
    let shown = waits.get(..most.min(waits.len())).unwrap_or_default();
    // Who had a lock and which it was stand in the middle: what is not too long is told whole.
    let short = shown.iter().all(|wait| wait.what.as_deref().is_none_or(|what| what.chars().count() <= LONG));
    let columns = vec![
        Column::new("waited", Side::Right, Fit::Whole),
        Column::new("times", Side::Right, Fit::Spare),
        Column::new("for", Side::Left, if short { Fit::Wrap } else { Fit::Cut }),
        Column::new("at", Side::Left, Fit::Cut),
        Column::new("held up", Side::Right, Fit::Whole),
    ];
    let rows = shown.iter().map(|wait| row(wait)).chain(together(&inner)).collect();
    let table = Table { columns, rows }.without_empty_columns();
    let mut blocks = vec![Block::Table(table)];
    let more = waits.len().saturating_sub(most) as u64;
    if more > 0 {
        let text = format!("{} more: --json", words::plural(more, "place"));
        blocks.push(Block::Paragraph(Line::of(Ink::Faint, text)));
    }
    blocks
}

fn row(wait: &WaitSite) -> Vec<Line> {
    let mut cause = Line::plain(&wait.leaf);
    if let Some(what) = wait.what.as_deref().or(wait.call.as_deref()) {
        // `blocked/lock lock 0x10` says it twice.
        let is_lock = wait.leaf == "blocked/lock";
        let what =
            what.strip_prefix("lock ").filter(|rest| is_lock && rest.starts_with("0x")).unwrap_or(what);
        // A task that waits for another task of a library which asks a peer: which one, nobody told.
        let unnamed = wait.leaf == "blocked/network" && wait.what.is_none() && what == "select";
        let what = if unnamed { "a peer that is not known" } else { what };
        cause = cause.and(Ink::Faint, format!(" {what}"));
    }
    vec![
        Line::plain(number::quantity(wait.seconds, Unit::Seconds)),
        Line::plain(number::count(wait.count)),
        cause,
        Line::plain(wait.place.as_ref().map(named).unwrap_or_default()),
        held_up(wait),
    ]
}

/// How long the program as a whole stood still for it.
fn held_up(wait: &WaitSite) -> Line {
    if holds_up(wait) {
        Line::of(Ink::Strong, number::quantity(wait.critical_s, Unit::Seconds))
    } else if wait.idle {
        Line::of(Ink::Faint, "idle")
    } else {
        Line::of(Ink::Faint, "no")
    }
}

#[cfg(test)]
mod tests {
    use model::profile::Place;
    use model::recording::Language;

    use super::*;

    fn site(what: &str, owner: Owner, seconds: f64, critical_s: f64, idle: bool) -> WaitSite {
        let place = Place {
            function: what.to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::Java,
            owner,
        };
        WaitSite {
            leaf: "blocked/lock".to_owned(),
            what: Some(what.to_owned()),
            call: None,
            place: Some(place.clone()),
            stack: vec![place],
            seconds,
            count: 3,
            longest_s: seconds,
            critical_s,
            queued_s: None,
            threads: 1,
            idle,
        }
    }

    #[test]
    fn the_programs_own_come_first_and_a_runtimes_idle_threads_are_one_row() {
        let waits = [
            site("compiler", Owner::Runtime, 9.0, 0.0, false),
            site("cleaner", Owner::Runtime, 8.0, 0.0, true),
            site("pool", Owner::Project, 7.0, 0.0, true),
            site("library", Owner::Library, 6.0, 0.0, false),
            site("monitor", Owner::Project, 0.3, 0.0, false),
            site("loop", Owner::Runtime, 0.2, 0.2, false),
            site("nothing", Owner::Project, 0.0, 0.0, false),
        ];
        let blocks = blocks(&waits, 9);
        let Some(Block::Table(table)) = blocks.first() else { panic!("no table") };
        let text = |line: &Line| line.0.iter().map(|span| span.text.as_str()).collect::<String>();
        let told: Vec<String> = table.rows.iter().map(|row| text(&row[2])).collect();
        assert_eq!(
            told,
            [
                "blocked/lock monitor",
                "blocked/lock loop",
                "blocked/lock library",
                "blocked/lock pool",
                "2 places of the runtime's own threads"
            ]
        );
        assert_eq!(blocks.len(), 1, "nothing more is said to be in --json");
    }
}
