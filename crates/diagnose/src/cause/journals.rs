//! Queries that only the files tell: who asks SQLite outside of a transaction has it look for a journal each time.

use model::calls::{Calls, On, Row};

use super::calls::{CALLS, is_from};
use super::per_file::is_lookup;
use super::subject::Subject;
use crate::profile::spots::Spot;

/// Fewer questions are no loop over rows.
const QUESTIONS: u64 = 100;

/// Of the questions, those that leave a journal: who writes makes one each time.
const WRITES: f64 = 0.2;

/// Notes a place that asks a database again and again, whatever its source calls that.
pub(super) fn note(subject: &mut Subject, calls: Option<&Calls>, spot: &Spot) {
    let Some(calls) = calls else { return };
    let of_journals = |row: &&Row| {
        let Some(On::File(file)) = row.on else { return false };
        calls.files.get(file as usize).is_some_and(|file| file.path.ends_with("-journal"))
    };
    let rows = calls.rows.iter().filter(of_journals).filter(|row| is_from(calls, row, &spot.place));
    let in_loop = subject.value("loops").is_some_and(|loops| loops >= 1.0);
    if in_loop && asks_again(&rows.collect::<Vec<_>>()) {
        subject.number("source.query", 1.0, "yes", CALLS);
        subject.number("database", 1.0, "yes", CALLS);
    }
}

/// Calls on journals by somebody who reads, again and again.
fn asks_again(rows: &[&Row]) -> bool {
    let (opened, looked): (Vec<&Row>, Vec<&Row>) =
        rows.iter().copied().filter(|row| is_lookup(row)).partition(|row| row.call.starts_with("open"));
    let asked: u64 = looked.iter().map(|row| row.count).sum();
    let failed = |row: &Row| row.errors.iter().map(|errors| errors.count).sum::<u64>();
    let made: u64 = opened.iter().map(|row| row.count.saturating_sub(failed(row))).sum();
    asked >= QUESTIONS && made as f64 <= WRITES * asked as f64
}

#[cfg(test)]
mod tests {
    use super::super::per_file::tests::row;
    use super::*;

    #[test]
    fn who_writes_leaves_a_journal_and_who_reads_looks_for_one() {
        let check = |rows: &[Row]| asks_again(&rows.iter().collect::<Vec<_>>());
        assert!(check(&[row("newfstatat", Some(1), 4000), row("openat", Some(1), 5)]));
        assert!(check(&[row("access", Some(1), 100)]));
        assert!(!check(&[row("newfstatat", Some(1), 4000), row("openat", Some(1), 2000)]));
        assert!(!check(&[row("newfstatat", Some(1), 99)]));
        assert!(!check(&[row("pread64", Some(1), 4000)]));
    }
}
