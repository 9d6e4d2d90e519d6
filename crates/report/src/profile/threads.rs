//! Each thread's own time, where there is more than one.

use model::Unit;
use model::profile::ThreadAccount;

use crate::document::{Block, Column, Fit, Ink, Line, Side, Table};
use crate::{number, words};

/// Rows on the page; `--json` has them all.
const MOST: usize = 8;

/// Signs in a thread's bar.
const CELLS: usize = 20;

pub(crate) fn blocks(threads: &[ThreadAccount]) -> Vec<Block> {
    if threads.len() < 2 {
        return Vec::new();
    }
    let columns = vec![
        Column::new("thread", Side::Left, Fit::Cut),
        Column::new("on CPU", Side::Right, Fit::Whole),
        Column::new("waiting", Side::Right, Fit::Whole),
        Column::new("idle", Side::Right, Fit::Whole),
        Column::new("mostly", Side::Left, Fit::Cut),
        Column::new("GIL", Side::Right, Fit::Spare),
        Column::new("its time", Side::Left, Fit::Spare),
    ];
    let rows = threads.iter().take(MOST).map(row).collect();
    let table = Table { columns, rows }.without_empty_columns();
    let mut blocks = vec![Block::Table(table)];
    let more = threads.len().saturating_sub(MOST) as u64;
    if more > 0 {
        let text = format!("{} more: --json", words::plural(more, "thread"));
        blocks.push(Block::Paragraph(Line::of(Ink::Faint, text)));
    }
    blocks
}

fn row(thread: &ThreadAccount) -> Vec<Line> {
    let running = sum(thread, |leaf| leaf.starts_with("on-cpu"));
    let away = sum(thread, |leaf| !leaf.starts_with("on-cpu"));
    let time = |seconds: f64| Line::plain(number::quantity(seconds, Unit::Seconds));
    let name = if thread.name == thread.process || thread.process.is_empty() {
        format!("{} {}", thread.name, thread.tid)
    } else {
        format!("{}/{} {}", thread.process, thread.name, thread.tid)
    };
    vec![
        Line::plain(name),
        time(running),
        // A source without waits does not tell of any.
        if away == 0.0 && thread.account.unaccounted > 0.0 {
            Line::default()
        } else {
            time((away - thread.idle_s).max(0.0))
        },
        if thread.idle_s > 0.0 { time(thread.idle_s) } else { Line::default() },
        Line::of(Ink::Faint, mostly(thread)),
        Line::plain(thread.interpreter_lock.map(number::percent).unwrap_or_default()),
        bar(running, (away - thread.idle_s).max(0.0), thread.idle_s),
    ]
}

/// The leaf it waited in longest.
fn mostly(thread: &ThreadAccount) -> String {
    let waits = thread.account.leaves.iter().filter(|leaf| !leaf.leaf.starts_with("on-cpu"));
    let longest = waits.max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    longest.map(|leaf| leaf.leaf.clone()).unwrap_or_default()
}

fn sum(thread: &ThreadAccount, wanted: impl Fn(&str) -> bool) -> f64 {
    thread.account.leaves.iter().filter(|leaf| wanted(&leaf.leaf)).map(|leaf| leaf.seconds).sum()
}

/// On CPU, waiting, idle, as lengths of one bar.
fn bar(running: f64, waiting: f64, idle: f64) -> Line {
    let whole = running + waiting + idle;
    if !(whole > 0.0 && whole.is_finite()) {
        return Line::default();
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a few cells"
    )]
    let upto = |seconds: f64| (seconds / whole * CELLS as f64).round() as usize;
    let (first, second) = (upto(running), upto(running + waiting));
    Line::of(Ink::Part(0), "█".repeat(first.min(CELLS)))
        .and(Ink::Part(1), "▒".repeat(second.saturating_sub(first).min(CELLS)))
        .and(Ink::Rest, "┄".repeat(CELLS.saturating_sub(second)))
}
