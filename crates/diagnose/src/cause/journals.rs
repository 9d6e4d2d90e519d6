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
    let rows: Vec<&Row> = calls.rows.iter().filter(of_journals).collect();
    let here = || rows.iter().filter(|row| is_from(calls, row, &spot.place));
    let sum = |rows: &mut dyn Iterator<Item = &&Row>| rows.map(|row| row.count).sum::<u64>();
    let made = sum(&mut here().filter(|row| row.call.starts_with("open") && row.errors.is_empty()));
    let asked = sum(&mut here().filter(|row| is_lookup(row) && !row.call.starts_with("open")));
    let in_loop = subject.value("loops").is_some_and(|loops| loops >= 1.0);
    if asked >= QUESTIONS && in_loop && made as f64 <= WRITES * asked as f64 {
        subject.number("source.query", 1.0, "yes", CALLS);
        subject.number("database", 1.0, "yes", CALLS);
    }
}
