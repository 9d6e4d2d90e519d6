//! A loop and the small functions that it calls are one piece of computing, however it is cut up.

use std::collections::BTreeMap;

use super::Kind;
use super::facts::RECORDER;
use super::naming::enclosing;
use super::subject::Subject;

/// Notes at each place that computes what the loop takes that it is, or is a step of.
pub(super) fn note(subjects: &mut [Subject]) {
    let mut loops: BTreeMap<(String, String), f64> = BTreeMap::new();
    for subject in subjects.iter() {
        if let (Some(key), Some(wall)) = (key(subject), subject.value("wall")) {
            *loops.entry(key).or_default() += wall;
        }
    }
    for subject in subjects {
        if let Some(wall) = key(subject).and_then(|key| loops.get(&key).copied()) {
            subject.number("loop", wall.min(1.0), "1", RECORDER);
        }
    }
}

/// The function that has the loop.
fn key(subject: &Subject) -> Option<(String, String)> {
    let place = subject.instead.get("hot-compute").or(subject.place.as_ref())?;
    let file = place.file.clone().unwrap_or_default();
    (subject.kind == Kind::Computing).then(|| (enclosing(&place.function).into_owned(), file))
}

#[cfg(test)]
mod tests {
    use model::profile::Place;
    use model::recording::{Language, Owner};

    use super::*;

    #[test]
    fn the_steps_of_a_loop_are_added_to_it() {
        let place = |function: &str| Place {
            function: function.to_owned(),
            file: Some("mill.cpp".to_owned()),
            line: None,
            module: None,
            language: Language::Cpp,
            owner: Owner::Project,
        };
        let at = |function: &str, wall: f64, owner: Option<&str>| {
            let exact = super::super::facts::exact(wall);
            let mut subject = Subject::new(Kind::Computing, Some(place(function)), exact);
            subject.number("wall", wall, "1", RECORDER);
            if let Some(owner) = owner {
                subject.instead.insert("hot-compute", place(owner));
            }
            subject
        };
        let mut subjects = [
            at("hour", 0.2, None),
            at("Wheel::work", 0.15, Some("hour")),
            at("Stone::work", 0.1, Some("hour")),
            at("other", 0.3, None),
        ];
        note(&mut subjects);
        let loops: Vec<f64> = subjects.iter().filter_map(|subject| subject.value("loop")).collect();
        for (found, wanted) in loops.iter().zip([0.45, 0.45, 0.45, 0.3]) {
            assert!((found - wanted).abs() < 1e-9, "{found} for {wanted}");
        }
        assert_eq!(loops.len(), 4);
    }
}
