//! What a pool of processes costs in packing and unpacking: Python's send each task with all that it needs, as bytes.

use super::Kind;
use super::facts::{Inputs, RECORDER, exact};
use super::known::{is_handing_over, is_pool};
use super::subject::Subject;
use super::whole::share_below;

/// The place whose tasks are packed and unpacked. `None` where that costs nothing that shows.
pub(super) fn subject(inputs: &Inputs<'_>) -> Option<Subject> {
    let share = share_below(inputs.recording, is_handing_over);
    if share <= 0.0 {
        return None;
    }
    let wall = share * (inputs.study.share_in("on-cpu") + inputs.study.share_in("runnable"));
    let place = super::threads::user_of(inputs.recording, is_pool)?;
    let mut subject = Subject::new(Kind::Computing, Some(place), exact(wall.min(1.0)));
    subject.number("wall", wall.min(1.0), "1", RECORDER);
    subject.number("pool.packing", share, "1", RECORDER);
    subject.word("way", "pool");
    Some(subject)
}
