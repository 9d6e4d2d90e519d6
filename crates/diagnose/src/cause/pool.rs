//! What a pool of processes costs in packing and unpacking: Python's send each task with all that it needs, as bytes.

use model::recording::Recording;

use super::Kind;
use super::facts::{Inputs, exact, share_in};
use super::known::{is_handing_over, is_pool};
use super::subject::Subject;

const ACCOUNT: (&str, &str) = (model::recording::RECORDING, "recorder");

/// The place whose tasks are packed and unpacked. `None` where that costs nothing that shows.
pub(super) fn subject(inputs: &Inputs<'_>) -> Option<Subject> {
    let share = packing(inputs.recording)?;
    let wall = share * (share_in(inputs.study, "on-cpu") + share_in(inputs.study, "runnable"));
    let place = super::threads::user_of(inputs.recording, is_pool)?;
    let mut subject = Subject::new(Kind::Computing, Some(place), exact(wall.min(1.0)));
    subject.number("wall", wall.min(1.0), "1", ACCOUNT);
    subject.number("pool.packing", share, "1", ACCOUNT);
    subject.word("way", "pool");
    Some(subject)
}

/// Share of all time on a CPU in packing and unpacking. `None` without any.
fn packing(recording: &Recording) -> Option<f64> {
    let packs = super::whole::below(recording, is_handing_over);
    let is_packing = |stack: Option<u32>| stack.and_then(|stack| packs.get(stack as usize)) == Some(&true);
    let sum = |packing: bool| {
        let hits = recording.hits.iter().filter(|hit| !packing || is_packing(hit.stack));
        hits.fold(0.0, |sum, hit| sum + hit.weight as f64)
    };
    Some(sum(true) / sum(false)).filter(|share| *share > 0.0)
}
