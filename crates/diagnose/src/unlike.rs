//! Runs that differ among themselves: what one recorded run tells need not hold for another.

use model::recording::Recording;
use model::{Gap, Sample};
use stats::Values;

use crate::pool::Pool;

/// From this many times as long on, a run was another: disturbed, or of a program that does not always do the same.
const UNLIKE: f64 = 2.0;

/// Seconds by which runs differ for no reason.
const SHORT: f64 = 0.05;

/// Of so many runs one at either end may be an accident of the machine.
const MANY: usize = 5;

/// What the recorded run says of the usual one is not known when it was unlike the timed runs, or those unlike each other.
pub(crate) fn gap(recording: Option<&Recording>, samples: &[Sample]) -> Option<Gap> {
    told(&walls(samples)?, recording.and_then(|recording| recording.run.as_ref()).map(had))
}

const NEXT: &str = "fix what differs from run to run: a seed, the input, a cache";

fn told(walls: &Values, recorded: Option<f64>) -> Option<Gap> {
    if let Some((least, most)) = spread(walls) {
        let (least, most, n) = (millis(least), millis(most), walls.n());
        let timed =
            format!("the timed runs took {least} to {most} (n={n}), not counting what they queued for a CPU");
        let why = match recorded {
            Some(wall) => format!(
                "{timed}, the recorded one {}: where the time goes is that of one run, and what recording cost cannot be told",
                millis(wall)
            ),
            None => format!("{timed}: no one of them stands for the others"),
        };
        return Some(Gap::new("the usual run", why, Some(NEXT)));
    }
    let (recorded, usual) = (recorded?, stats::median(walls));
    if !differ(recorded, usual) {
        return None;
    }
    let times = format!("the recorded run took {:.1} times as long as the timed ones", recorded / usual);
    Some(if recorded > usual {
        let why = format!("{times}: its waits may not be the program's own");
        Gap::new("the usual run", why, Some("run it again while the machine is quiet"))
    } else {
        Gap::new("the usual run", format!("{times}: it did not do what they did"), Some(NEXT))
    })
}

/// Whether an instrumented run that took so many times as long as the timed ones shows what the instrument cost: none makes a
/// program twice as fast, and where runs differ by far, so does the instrumented one.
pub(crate) fn is_overhead(ratio: f64, samples: &[Sample]) -> bool {
    ratio > 1.0 / UNLIKE && walls(samples).is_none_or(|walls| spread(&walls).is_none())
}

/// The ends of runs that differ by far; of many runs without the first and last.
fn spread(walls: &Values) -> Option<(f64, f64)> {
    let sorted = walls.sorted();
    let inner = if sorted.len() >= MANY { sorted.get(1..sorted.len() - 1)? } else { sorted };
    let (least, most) = (*inner.first()?, *inner.last()?);
    differ(most, least).then_some((walls.min(), walls.max()))
}

fn differ(one: f64, other: f64) -> bool {
    let (less, more) = if one < other { (one, other) } else { (other, one) };
    more >= UNLIKE * less && more - less >= SHORT
}

fn walls(samples: &[Sample]) -> Option<Values> {
    Values::new(Pool::of(samples, 0).samples().iter().map(|sample| had(sample)).collect())
}

/// Wall time without what the first thread queued for a CPU: that is other programs' doing.
fn had(sample: &Sample) -> f64 {
    let queued = sample.main_thread.map_or(0.0, |thread| thread.runnable.as_secs_f64());
    (sample.wall.as_secs_f64() - queued).max(0.0)
}

fn millis(seconds: f64) -> String {
    format!("{:.0} ms", seconds * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap_of(walls: &[f64], recorded: f64) -> String {
        let gap = told(&Values::new(walls.to_vec()).unwrap(), Some(recorded));
        gap.map(|gap| gap.why).unwrap_or_default()
    }

    #[test]
    fn timed_runs_that_differ_by_far_are_told_with_their_figures() {
        let why = gap_of(&[0.026, 0.15, 0.075, 0.026, 0.15, 0.075, 0.026], 0.026);
        assert!(why.starts_with("the timed runs took 26 ms to 150 ms (n=7), "), "{why}");
        assert!(why.contains("the recorded one 26 ms:"), "{why}");
        let alone = told(&Values::new(vec![0.1, 0.3]).unwrap(), None).unwrap().why;
        assert!(alone.ends_with("no one of them stands for the others"), "{alone}");
        assert!(gap_of(&[0.1, 0.3], 0.2).contains("100 ms to 300 ms (n=2)"));
    }

    #[test]
    fn one_run_of_many_that_was_disturbed_is_no_program_that_varies() {
        assert_eq!(gap_of(&[0.1, 0.1, 0.4, 0.1, 0.1], 0.1), "");
        assert_eq!(gap_of(&[0.005, 0.012, 0.006, 0.013, 0.005, 0.012], 0.005), "", "too short to differ");
    }

    #[test]
    fn a_recorded_run_is_unlike_whether_longer_or_shorter() {
        assert!(gap_of(&[0.1, 0.1], 0.3).contains("3.0 times as long"));
        assert!(gap_of(&[0.3, 0.3], 0.1).contains("0.3 times as long"));
        assert_eq!(gap_of(&[0.3, 0.3], 0.2), "");
    }
}
