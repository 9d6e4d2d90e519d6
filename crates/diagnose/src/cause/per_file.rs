//! How often a place comes back to the same file: who goes through many files, each once, asks for nothing again.

use std::collections::BTreeSet;

use model::calls::{On, Row};

use super::calls::CALLS;
use super::facts::kernel_metric;
use super::subject::Subject;

/// Notes how often each file is looked up and waited for on average, of those that are told apart.
pub(super) fn note(subject: &mut Subject, rows: &[&Row]) {
    let files = |wanted: &dyn Fn(&Row) -> bool| -> BTreeSet<u32> {
        let file = |row: &&Row| match row.on {
            Some(On::File(file)) => Some(file),
            _ => None,
        };
        rows.iter().filter(|row| wanted(row)).filter_map(file).collect()
    };
    let sum = |wanted: &dyn Fn(&Row) -> bool| {
        rows.iter().filter(|row| wanted(row)).map(|row| row.count).sum::<u64>()
    };
    // Beyond a number of files the tracer does not tell them apart.
    let (told, all) = (sum(&|row| is_lookup(row) && matches!(row.on, Some(On::File(_)))), sum(&is_lookup));
    let others = sum(&|row| kernel_metric(&row.call) == "kernel.other");
    let looked_up = files(&is_lookup).len();
    if looked_up > 0 && all > others {
        subject.number("io.per-file", told as f64 / looked_up as f64, "x", CALLS);
    }
    let read = files(&|row| row.call.contains("read") || row.call == "copy_file_range").len();
    if let Some(waits) = subject.value("count").filter(|_| read > 0) {
        subject.number("wait.per-file", waits / read as f64, "x", CALLS);
    }
}

/// A call by which a file is looked for or looked at.
pub(super) fn is_lookup(row: &Row) -> bool {
    matches!(kernel_metric(&row.call), "kernel.files") && row.call != "close"
}

#[cfg(test)]
pub(super) mod tests {
    use model::Nanos;

    use super::super::{Kind, facts::exact};
    use super::*;

    pub(in super::super) fn row(call: &str, file: Option<u32>, count: u64) -> Row {
        Row {
            call: call.to_owned(),
            on: file.map(On::File),
            stack: None,
            count,
            seen: count,
            requested: None,
            bytes: None,
            latency: Nanos::ZERO,
            longest: Nanos::ZERO,
            sizes: Vec::new(),
            errors: Vec::new(),
            sequential: None,
            reread: None,
        }
    }

    fn noted(waits: f64, rows: &[Row]) -> (Option<f64>, Option<f64>) {
        let mut subject = Subject::new(Kind::Waiting, None, exact(1.0));
        subject.number("count", waits, "count", CALLS);
        note(&mut subject, &rows.iter().collect::<Vec<_>>());
        (subject.value("io.per-file"), subject.value("wait.per-file"))
    }

    #[test]
    fn many_files_are_asked_for_once_each_and_one_again_and_again() {
        let tree: Vec<Row> =
            (0..100).flat_map(|file| [row("openat", Some(file), 1), row("read", Some(file), 1)]).collect();
        assert_eq!(noted(150.0, &tree), (Some(1.0), Some(1.5)));
        // Files that others opened do not count: these are the place's own calls.
        let one = [row("newfstatat", Some(7), 900), row("pread64", Some(7), 300)];
        assert_eq!(noted(300.0, &one), (Some(900.0), Some(300.0)));
    }

    #[test]
    fn what_is_not_told_apart_is_unknown() {
        assert_eq!(noted(300.0, &[row("newfstatat", None, 900), row("pread64", None, 300)]), (None, None));
        // Most of its calls look nothing up.
        let asks = [row("openat", Some(1), 2), row("clock_gettime", None, 5000)];
        assert_eq!(noted(3.0, &asks).0, None);
    }
}
