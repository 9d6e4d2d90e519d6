//! What a sort compares by, where that is made anew for each comparison.

use std::collections::HashMap;

use model::recording::{Frame, Language, Owner, Recording};

use super::Kind;
use super::naming::place_of;
use super::subject::Subject;
use crate::profile::family::is_sort;

/// Notes how much of each place's time is spent making what a sort compares by: below a comparison of the user's, in
/// another function of the user's. Whoever sorts could have it made once for each element.
pub(super) fn note(subjects: &mut [Subject], recording: &Recording) {
    let states = states(recording);
    if states.iter().all(|state| !state.makes_key) {
        return;
    }
    let mut sums: HashMap<(&str, Option<&str>), Sum<'_>> = HashMap::new();
    for hit in &recording.hits {
        let Some(state) = hit.stack.and_then(|stack| states.get(stack as usize)) else { continue };
        let Some(key) = state.own.and_then(key) else { continue };
        let sum = sums.entry(key).or_default();
        sum.hits += 1;
        sum.all = sum.all.saturating_add(hit.weight);
        if state.makes_key {
            sum.below = sum.below.saturating_add(hit.weight);
            sum.sorter = sum.sorter.or(state.sorter);
        }
    }
    for subject in subjects.iter_mut().filter(|subject| subject.kind == Kind::Computing) {
        let Some(place) = &subject.place else { continue };
        let is_it = |key: &(&str, Option<&str>)| *key == (place.function.as_str(), place.file.as_deref());
        let Some((_, sum)) = sums.iter().find(|(key, _)| is_it(key)) else { continue };
        let share = sum.below as f64 / sum.all.max(1) as f64;
        subject.share("compare.keys", share, sum.hits);
        if let Some(place) =
            sum.sorter.and_then(|frame| place_of(frame, &recording.modules)).filter(|_| share >= MOST)
        {
            subject.word("way", "keys".to_owned());
            subject.instead.insert("repeated-work", place);
        }
    }
}

/// From this share of its time on, a place works for a sort.
const MOST: f64 = 0.5;

#[derive(Default)]
struct Sum<'r> {
    hits: u64,
    all: u64,
    below: u64,
    sorter: Option<&'r Frame>,
}

/// What a stack is about at one of its frames, from the outermost on.
#[derive(Clone, Copy, Debug, Default)]
struct State<'r> {
    /// The innermost function of the user's so far.
    own: Option<&'r Frame>,
    /// Who sorts.
    sorter: Option<&'r Frame>,
    /// The user's function that the sort compares with.
    compares: Option<&'r Frame>,
    /// Another function of the user's works for that.
    makes_key: bool,
}

impl<'r> State<'r> {
    fn then(self, frame: &'r Frame) -> Self {
        if frame.owner != Owner::Project {
            // Python makes its keys once for each element already.
            let sorts = frame.language != Language::Python && frame.function.as_deref().is_some_and(is_sort);
            return match self.own {
                Some(own) if sorts && self.sorter.is_none() && own.language != Language::Python => {
                    Self { sorter: Some(own), ..self }
                }
                _ => self,
            };
        }
        match (self.sorter, self.compares) {
            (Some(_), None) => Self { own: Some(frame), compares: Some(frame), ..self },
            (Some(_), Some(compares)) => Self {
                own: Some(frame),
                makes_key: self.makes_key || frame.function != compares.function,
                ..self
            },
            (None, _) => Self { own: Some(frame), ..self },
        }
    }
}

fn states(recording: &Recording) -> Vec<State<'_>> {
    let mut states: Vec<State<'_>> = Vec::with_capacity(recording.nodes.len());
    for node in &recording.nodes {
        let outer = node.parent.and_then(|parent| states.get(parent as usize).copied()).unwrap_or_default();
        states.push(recording.frames.get(node.frame as usize).map_or(outer, |frame| outer.then(frame)));
    }
    states
}

fn key(frame: &Frame) -> Option<(&str, Option<&str>)> {
    Some((frame.function.as_deref()?, frame.file.as_deref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, owner: Owner) -> Frame {
        Frame {
            language: Language::Cpp,
            function: Some(function.to_owned()),
            file: None,
            line: None,
            module: None,
            offset: None,
            is_start: false,
            inlined: false,
            owner,
        }
    }

    #[test]
    fn a_key_is_what_the_comparison_has_made_by_another_function() {
        let sort = frame("std::__introsort_loop<int>", Owner::Library);
        let [list, compare, key] = ["list", "compare", "key"].map(|name| frame(name, Owner::Project));
        let at = |frames: &[&Frame]| {
            let frames: Vec<Frame> = frames.iter().map(|frame| (*frame).clone()).collect();
            let state = frames.iter().fold(State::default(), State::then);
            state.sorter.filter(|_| state.makes_key).and_then(|frame| frame.function.clone())
        };
        assert_eq!(at(&[&list, &sort, &compare, &key]).as_deref(), Some("list"));
        assert_eq!(at(&[&list, &sort, &compare]), None, "comparing is what a sort is for");
        assert_eq!(at(&[&list, &compare, &key]), None, "nobody sorts");
        assert_eq!(at(&[&sort, &compare, &key]), None, "nobody of the user's sorts");
    }
}
