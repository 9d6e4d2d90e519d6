//! How often a place comes back to the same file: who goes through many files, each once, asks for nothing again. Files that
//! it writes are as many as it likes.

use std::collections::BTreeSet;

use model::calls::{FileUse, On, Row};

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
    let told = sum(&|row| is_asked_for(row) && matches!(row.on, Some(On::File(_))));
    let all = sum(&is_lookup);
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

/// Fewer files are made in no time. The tracer may have seen a part of the run only.
pub(super) const MANY: f64 = 100.0;

/// Making a file costs as much as writing many such blocks.
const SMALL: f64 = 4096.0;

/// Less of its time in opening and closing files is what all cost who write files.
const MAKING: f64 = 0.25;

/// A file that is opened more often than this is one that is written on and on.
const OPENED: u64 = 2;

/// Notes data that is written into many small files: making each of them is part of moving it. That fewer files would do is
/// seen by nobody, so what a call moves is no second witness.
pub(super) fn note_made(subject: &mut Subject, known: &[FileUse], rows: &[&Row]) {
    let (mut files, mut bytes) = (BTreeSet::new(), 0.0);
    for row in rows.iter().filter(|row| row.call.contains("write")) {
        if let (Some(On::File(file)), Some(moved)) = (row.on, row.bytes) {
            files.insert(file);
            bytes += moved as f64 * row.count as f64 / row.seen.max(1) as f64;
        }
    }
    let used = files.iter().filter_map(|file| known.get(*file as usize));
    // What stands for many files of a folder was opened once for each.
    let made: u64 = used
        .map(|file| match file.path.ends_with("/*") {
            true => file.opens,
            false => u64::from(file.opens <= OPENED),
        })
        .sum();
    let making = subject.value("kernel.files").unwrap_or(0.0);
    let made = made as f64;
    if made < MANY || bytes > SMALL * made || making < MAKING {
        return;
    }
    subject.number("files.made", made, "count", CALLS);
    if let Some(moving) = subject.value("io.moving") {
        subject.number("io.moving", (moving + making).min(1.0), "1", CALLS);
    }
    subject.metrics.remove("io.bytes");
    subject.word("way", "files");
    subject.word("made", made.to_string());
    subject.word("each", format!("{:.0}", bytes / made));
}

/// A call by which a file is looked for or looked at.
pub(super) fn is_lookup(row: &Row) -> bool {
    matches!(kernel_metric(&row.call), "kernel.files") && row.call != "close"
}

/// To list a folder takes as many calls as it is long: only what opens it and looks at it asks for it.
fn is_asked_for(row: &Row) -> bool {
    is_lookup(row) && row.call != "getdents64"
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
            overlapping: None,
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
    fn a_folder_is_listed_in_as_many_calls_as_it_is_long() {
        let calls = |folder| {
            [("openat", 1), ("newfstatat", 2), ("getdents64", 6)]
                .map(|(call, count)| row(call, Some(folder), count))
        };
        let tree: Vec<Row> = (0..100).flat_map(calls).collect();
        assert_eq!(noted(0.0, &tree).0, Some(3.0));
    }

    /// What is noted of a place that writes so many bytes into each of some files, in calls that open them and write.
    fn made(count: u32, bytes: u64, opens: u64) -> (Option<f64>, Option<f64>) {
        let (mut files, mut rows) = (Vec::new(), Vec::new());
        for file in 0..count {
            files.push(FileUse { path: format!("/x/{file}"), opens, ..FileUse::default() });
            rows.push(Row { bytes: Some(bytes), ..row("write", Some(file), 1) });
        }
        let mut subject = Subject::new(Kind::Computing, None, exact(1.0));
        subject.number("io.moving", 0.02, "1", CALLS);
        subject.number("kernel.files", 0.8, "1", CALLS);
        note_made(&mut subject, &files, &rows.iter().collect::<Vec<_>>());
        (subject.value("files.made"), subject.value("io.moving").map(|share| (share * 100.0).round()))
    }

    #[test]
    fn making_many_small_files_is_moving_their_data() {
        assert_eq!(made(2000, 400, 1), (Some(2000.0), Some(82.0)));
        assert_eq!(made(2000, 100_000, 1), (None, Some(2.0)), "each holds much");
        assert_eq!(made(20, 400, 1), (None, Some(2.0)), "a few files");
        assert_eq!(made(600, 400, 9), (None, Some(2.0)), "the same files are written on");
    }

    #[test]
    fn what_is_not_told_apart_is_unknown() {
        assert_eq!(noted(300.0, &[row("newfstatat", None, 900), row("pread64", None, 300)]), (None, None));
        // Most of its calls look nothing up.
        let asks = [row("openat", Some(1), 2), row("clock_gettime", None, 5000)];
        assert_eq!(noted(3.0, &asks).0, None);
    }
}
