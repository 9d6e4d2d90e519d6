//! What a pool of processes costs in packing and unpacking: Python's send each task with all that it needs, as bytes.

use model::recording::Recording;

use super::Kind;
use super::facts::{Inputs, RECORDER, exact, share_in};
use super::known::{is_handing_over, is_pool};
use super::subject::Subject;

/// The place whose tasks are packed and unpacked. `None` where that costs nothing that shows.
pub(super) fn subject(inputs: &Inputs<'_>) -> Option<Subject> {
    let share = packing(inputs.recording)?;
    let wall = share * (share_in(inputs.study, "on-cpu") + share_in(inputs.study, "runnable"));
    let place = super::threads::user_of(inputs.recording, is_pool)?;
    let mut subject = Subject::new(Kind::Computing, Some(place), exact(wall.min(1.0)));
    subject.number("wall", wall.min(1.0), "1", RECORDER);
    subject.number("pool.packing", share, "1", RECORDER);
    subject.word("way", "pool");
    Some(subject)
}

/// Share of all time on a CPU in packing and unpacking. `None` without any.
fn packing(recording: &Recording) -> Option<f64> {
    let sum = |weights: &mut dyn Iterator<Item = u64>| weights.fold(0.0, |sum, weight| sum + weight as f64);
    let all = sum(&mut recording.hits.iter().map(|hit| hit.weight));
    let packing = sum(&mut super::whole::hits_below(recording, is_handing_over).map(|hit| hit.weight));
    (packing > 0.0).then(|| packing / all)
}
