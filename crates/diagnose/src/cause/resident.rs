//! How much memory the program has, and whether it keeps what it fetches.

use model::Metric;
use model::recording::{Language, Resident};

use super::facts::Inputs;
use super::subject::Subject;
use crate::pool::Pool;
use crate::summary::summary;

const SAMPLES: (&str, &str) = (model::manifest::SAMPLES, "kernel, at its end");
const WATCHED: (&str, &str) = (model::recording::RECORDING, "kernel, while it was watched");

const PAGE: f64 = 4096.0;

/// Of a program that ran already nothing else is known than what it had while it was watched.
fn watched<'i>(inputs: &Inputs<'i>) -> Option<&'i Resident> {
    inputs.recording.resident.as_ref().filter(|_| peak(inputs).is_none())
}

/// The median peak of resident memory.
fn peak(inputs: &Inputs<'_>) -> Option<f64> {
    let values = Pool::of(inputs.samples, 0).values(Metric::Rss)?;
    Some(summary(Metric::Rss, &values).median)
}

/// Notes the most memory that it had.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>) {
    if let Some(peak) = peak(inputs) {
        subject.number("memory.peak", peak, "B", SAMPLES);
    } else if let Some(resident) = watched(inputs) {
        subject.number("memory.peak", resident.from.max(resident.to).as_bytes() as f64, "B", WATCHED);
    }
}

/// Notes whether what it fetches is kept, at a place of this language.
pub(super) fn note_fresh(subject: &mut Subject, inputs: &Inputs<'_>, language: Language) {
    let (fresh, from) = match watched(inputs) {
        Some(resident) => (note_gained(subject, resident), WATCHED),
        None => (fresh(inputs), SAMPLES),
    };
    let Some(fresh) = fresh else { return };
    subject.number("memory.fresh", fresh, "1", from);
    // An interpreter's buffers are not the script's to keep.
    if language != Language::Python {
        subject.number("memory.recycled", fresh, "1", from);
    }
}

/// Notes what it had more at the end, as a share of what it touched anew.
fn note_gained(subject: &mut Subject, resident: &Resident) -> Option<f64> {
    let (before, now) = (resident.from.as_bytes(), resident.to.as_bytes());
    let gained = now.saturating_sub(before) as f64;
    subject.number("memory.gained", gained / now.max(1) as f64, "1", WATCHED);
    let words = |bytes: u64| super::finding::amount(bytes as f64, "B");
    subject.word("grown", format!("from {} to {}", words(before), words(now)));
    kept(gained, resident.minor_faults.0)
}

/// Memory at its peak as a share of all pages touched anew: near 1 memory only grows, near 0 it comes and goes.
fn fresh(inputs: &Inputs<'_>) -> Option<f64> {
    let pool = Pool::of(inputs.samples, 0);
    let faults = pool.samples().iter().map(|sample| sample.minor_faults.0).min()?;
    kept(peak(inputs)?, faults)
}

/// `None` where no page was touched anew.
fn kept(bytes: f64, faults: u64) -> Option<f64> {
    (faults > 0).then(|| (bytes / (faults as f64 * PAGE)).min(1.0))
}

#[cfg(test)]
mod tests {
    use model::{Bytes, Count};

    use super::*;
    use crate::cause::Kind;
    use crate::cause::facts::exact;

    /// Shares of what was touched anew and of all memory, of a service that goes from and to so many megabytes.
    fn watched(from: u64, to: u64, faults: u64) -> (Option<f64>, Option<f64>) {
        let bytes = |mega: u64| Bytes::from_bytes(mega << 20);
        let resident = Resident { from: bytes(from), to: bytes(to), minor_faults: Count(faults) };
        let mut subject = Subject::new(Kind::Computing, None, exact(0.1));
        let kept = note_gained(&mut subject, &resident);
        (kept, subject.value("memory.gained"))
    }

    #[test]
    fn a_service_that_keeps_what_it_fetches_grows_and_one_that_gives_it_back_does_not() {
        assert_eq!(watched(100, 200, 25_600), (Some(1.0), Some(0.5)));
        assert_eq!(watched(100, 100, 25_600), (Some(0.0), Some(0.0)));
        assert_eq!(watched(100, 60, 25_600), (Some(0.0), Some(0.0)), "it shrinks");
        assert_eq!(
            watched(100, 100, 0),
            (None, Some(0.0)),
            "it fetches nothing: nothing is kept or given back"
        );
    }
}
