//! Stylesheets, queries, schemas and scripts that are compiled again and again. One takes long enough that much of a short run
//! may be compiling once, so it counts only where it is known to be done more often.

use model::profile::LineCost;
use model::recording::{Frame, Owner, Recording};
use model::source::Context;

use super::facts::{Contexts, Inputs, RECORDER};
use super::naming::place_of;
use super::runtime;
use super::subject::Subject;
use super::whole::below;
use crate::profile::family::{self, Family};
use crate::profile::spots::Spot;

/// Times that the program is seen to come back to it from something else. A few are stacks that were cut.
const TIMES: usize = 10;

/// Notes how much of the place's time goes into compiling what was compiled before, at least. Whoever keeps the first and gives
/// it to all who ask is called often, too, and compiles once.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot, contexts: &Contexts<'_>) {
    let compiling = spot.family(Family::Compile);
    let often = inputs.runtime.and_then(|runtime| runtime::of(runtime, &spot.place)).is_some();
    let once = if often { Some(0.0) } else { outside_loops(spot, contexts) };
    let Some(once) = once.filter(|_| compiling > 0.0) else { return };
    let comes_back = times(inputs.recording) >= TIMES;
    let again = if comes_back { again(compiling, once) } else { 0.0 };
    subject.number("compile.again", again, "1", RECORDER);
}

/// How often a thread was seen to compile, after it was seen in the program's own code without.
fn times(recording: &Recording) -> usize {
    let compiles = |frame: &Frame| {
        let place = place_of(frame, &recording.modules);
        place.is_some_and(|place| family::of(&place) == Some(Family::Compile))
    };
    let compiles = below(recording, compiles);
    let own = below(recording, |frame| frame.owner == Owner::Project);
    let mut away = vec![true; recording.threads.len()];
    let mut times = 0;
    for hit in &recording.hits {
        let (Some(stack), Some(away)) = (hit.stack, away.get_mut(hit.thread as usize)) else { continue };
        let has = |table: &[bool]| table.get(stack as usize) == Some(&true);
        if has(&compiles) {
            times += usize::from(*away);
            *away = false;
        } else if has(&own) {
            *away = true;
        }
    }
    times
}

/// What lines outside of loops took may have been all of it.
fn again(compiling: f64, once: f64) -> f64 {
    (compiling - once).max(0.0)
}

/// Of the place's time, at lines that run once for each call of it. `None` where no line of it stands in a loop, for all that is
/// known.
fn outside_loops(spot: &Spot, contexts: &Contexts<'_>) -> Option<f64> {
    let file = spot.place.file.as_deref()?;
    let turns = |context: &&Context| context.loops.iter().any(|around| !around.bounded);
    let in_loop = |line: &&LineCost| contexts.get(&(file, line.line)).is_some_and(turns);
    let inside: f64 = spot.lines.iter().filter(in_loop).map(|line| line.share).sum();
    (inside > 0.0).then(|| (1.0 - inside).max(0.0))
}

#[cfg(test)]
mod tests {
    use model::Nanos;
    use model::doctor::Level;
    use model::recording::{Hit, Language, Node};

    use super::*;
    use crate::profile::tests::made::Made;

    /// One thread that is hit in turn in these functions, each below `Main.print`.
    fn hits(functions: &[Option<&str>]) -> Recording {
        let mut recording = Made::new(Level::C, 100).0;
        (recording.frames, recording.nodes, recording.hits) = (Vec::new(), Vec::new(), Vec::new());
        let mut stack = |parent: Option<u32>, function: &str, owner: Owner| {
            let frame = recording.frames.len() as u32;
            recording.frames.push(Frame {
                language: Language::Java,
                function: Some(function.to_owned()),
                file: None,
                line: None,
                module: None,
                offset: None,
                is_start: false,
                inlined: false,
                owner,
            });
            recording.nodes.push(Node { parent, frame });
            frame
        };
        let own = stack(None, "Main.print", Owner::Project);
        let cut = stack(None, "libjvm.so", Owner::Library);
        let stacks: Vec<u32> = functions
            .iter()
            .map(|function| function.map_or(cut, |name| stack(Some(own), name, Owner::Library)))
            .collect();
        let hit = |(at, stack): (usize, &u32)| Hit {
            at: Nanos::from_nanos(at as u64),
            thread: 0,
            stack: Some(*stack),
            weight: 1,
        };
        recording.hits = stacks.iter().enumerate().map(hit).collect();
        recording
    }

    #[test]
    fn who_compiles_again_was_somewhere_else_in_between() {
        let compiles = Some("org.apache.xalan.processor.StylesheetHandler.startElement");
        let other = Some("org.apache.xalan.transformer.TransformerImpl.transform");
        assert_eq!(times(&hits(&[compiles, other, compiles, compiles, other, other, compiles])), 3);
        // Kept, however long it takes, and whatever nobody could see.
        assert_eq!(times(&hits(&[other, compiles, None, compiles, None, compiles, other, other])), 1);
        assert_eq!(times(&hits(&[other, other])), 0);
    }

    #[test]
    fn what_may_have_been_done_once_does_not_count() {
        assert_eq!(again(0.75, 0.0), 0.75);
        assert_eq!(again(0.75, 0.25), 0.5);
        assert_eq!(again(0.25, 0.5), 0.0);
    }
}
