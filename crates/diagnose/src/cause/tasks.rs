//! Tasks of an event loop that compute: meanwhile the loop stands still.

use model::profile::Place;
use model::recording::{Frame, Language, Owner, Recording};

use super::facts::Inputs;
use super::known::is_asyncio;
use super::subject::Subject;

/// From this share of a place's time below a task of the loop on, that is what the place is: less may be what a program does
/// before the loop begins.
const MOSTLY: f64 = 0.5;

/// How far a stack, from the outermost function on, has come.
#[derive(Clone, Copy, PartialEq)]
enum Reached {
    Nothing,
    Loop,
    /// The place, which the loop has called.
    Place,
}

/// Says of a place that computes in tasks of an event loop that no other task goes on meanwhile.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>) {
    let own = |place: &&Place| place.language == Language::Python && place.owner == Owner::Project;
    let Some(place) = subject.place.as_ref().filter(own) else { return };
    if !subject.words.contains_key("way") && below_loop(inputs.recording, place) >= MOSTLY {
        subject.word("way", "task");
    }
}

/// Share of the hits below a place's function in which a loop has called it.
fn below_loop(recording: &Recording, place: &Place) -> f64 {
    let is_here = |frame: &Frame| {
        frame.function.as_deref() == Some(place.function.as_str()) && frame.file == place.file
    };
    let mut reached: Vec<Reached> = Vec::with_capacity(recording.nodes.len());
    for node in &recording.nodes {
        let outer = node.parent.and_then(|parent| reached.get(parent as usize).copied());
        let outer = outer.unwrap_or(Reached::Nothing);
        reached.push(match (outer, recording.frames.get(node.frame as usize)) {
            (Reached::Nothing, Some(frame)) if is_asyncio(frame.file.as_deref()) => Reached::Loop,
            (Reached::Loop, Some(frame)) if is_here(frame) => Reached::Place,
            (outer, _) => outer,
        });
    }
    let in_loop = |stack: u32| reached.get(stack as usize) == Some(&Reached::Place);
    let (mut all, mut inside) = (0_u64, 0_u64);
    for hit in super::whole::hits_below(recording, is_here) {
        all = all.saturating_add(hit.weight);
        inside = inside.saturating_add(if hit.stack.is_some_and(in_loop) { hit.weight } else { 0 });
    }
    inside as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use model::doctor::Level;

    use super::*;
    use crate::profile::tests::made::Made;

    /// The share of `digest` that a loop has called, with a hit for 10 ms in each of these stacks.
    fn share(stacks: &[&[&str]]) -> f64 {
        let mut made = Made::new(Level::C, 100);
        for (from, functions) in (0..).step_by(10).zip(stacks) {
            let stack = made.stack(functions);
            made.hits(0, from, from + 10, stack);
        }
        for frame in &mut made.0.frames {
            let of_loop = frame.function.as_deref() == Some("BaseEventLoop._run_once");
            frame.file = Some(if of_loop { "/lib/asyncio/base_events.py" } else { "loop.py" }.to_owned());
        }
        let place = Place {
            function: "digest".to_owned(),
            file: Some("loop.py".to_owned()),
            line: Some(8),
            module: None,
            language: Language::Python,
            owner: Owner::Project,
        };
        below_loop(&made.0, &place)
    }

    #[test]
    fn what_a_loop_has_called_holds_it_up_and_what_runs_the_loop_does_not() {
        let run = "BaseEventLoop._run_once";
        assert_eq!(share(&[&["p:main", run, "p:handle", "p:digest"]]), 1.0);
        assert_eq!(share(&[&["p:main", "p:digest"], &["p:main", run, "p:digest", "p:step"]]), 0.5);
        assert_eq!(share(&[&["p:digest", run]]), 0.0, "it waits for its tasks");
    }
}
