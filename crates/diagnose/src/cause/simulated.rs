//! What valgrind's simulated machine counted at a place: misses and wrong guesses beside instructions, exact and the same each time.
//! It only runs where the user asked for a deeper tier; without it these metrics are not there.

use std::ops::RangeInclusive;

use model::profile::Place;
use model::simulated::{Events, Function, SIMULATED, Simulated};

use super::subject::Subject;

const SOURCE: (&str, &str) = (SIMULATED, "cachegrind");

/// Fewer instructions of a function tell nothing of the rest of it.
const ENOUGH: u64 = 1_000_000;

/// Notes what the place's own instructions cost on the simulated machine; `body` are the lines of its function, where its source is
/// known.
pub(super) fn note(
    subject: &mut Subject,
    simulated: Option<&Simulated>,
    place: &Place,
    body: Option<RangeInclusive<u32>>,
) {
    let is_it = |function: &&Function| is_at(place, function);
    let functions = simulated.iter().flat_map(|simulated| &simulated.functions);
    let own = functions.filter(is_it).map(|function| function.own).reduce(|sum, own| sum.plus(&own));
    let own = own.or_else(|| at_lines(simulated?, place, &body?));
    let Some(own) = own.filter(|own| own.ir >= ENOUGH) else { return };
    if let Some(misses) = misses(&own) {
        subject.number("simulated.misses", per_thousand(misses, own.ir), "per 1000", SOURCE);
    }
    if let Some(wrong) = own.bcm.zip(own.bim).map(|(direct, indirect)| direct.saturating_add(indirect)) {
        subject.number("simulated.mispredicts", per_thousand(wrong, own.ir), "per 1000", SOURCE);
    }
}

/// Valgrind counts a function that the compiler put into its caller with the caller; its lines stay its own. All of them count:
/// the processor is seen a line or two behind the one that missed.
fn at_lines(simulated: &Simulated, place: &Place, body: &RangeInclusive<u32>) -> Option<Events> {
    let file = place.file.as_deref()?;
    let own = simulated.lines.iter().filter(|line| is_same(file, &line.file) && body.contains(&line.line));
    own.map(|line| line.own).reduce(|sum, own| sum.plus(&own))
}

/// Both tell as much of the path as they know.
fn is_same(one: &str, other: &str) -> bool {
    one.ends_with(other) || other.ends_with(one)
}

/// Reads and writes that found nothing in the first cache.
fn misses(own: &Events) -> Option<u64> {
    Some(own.d1mr?.saturating_add(own.d1mw?))
}

fn per_thousand(count: u64, instructions: u64) -> f64 {
    count as f64 * 1000.0 / instructions.max(1) as f64
}

/// Both know the function by its name; where both know its file, that must be the same.
fn is_at(place: &Place, function: &Function) -> bool {
    let same_file = match (place.file.as_deref(), function.file.as_deref()) {
        (Some(one), Some(other)) => is_same(one, other),
        _ => true,
    };
    // Valgrind leaves out what clones and parameters add.
    let own = |name: &str| name.split(['(', '.']).next().unwrap_or(name).to_owned();
    same_file && own(&place.function) == own(&function.name)
}

#[cfg(test)]
mod tests {
    use model::answer::State;
    use model::recording::{Language, Owner};
    use model::simulated::Line;

    use super::super::judge::weigh;
    use super::super::rules::CAUSES;
    use super::super::{Kind, facts::exact};
    use super::*;

    fn counted(name: &str, own: Events) -> Simulated {
        Simulated {
            schema: String::new(),
            size: None,
            instruments: Vec::new(),
            caches: None,
            totals: None,
            functions: vec![Function {
                name: name.to_owned(),
                file: Some("grid.c".to_owned()),
                line: None,
                module: None,
                project: true,
                startup: false,
                own,
                inclusive: None,
                calls: None,
            }],
            others: None,
            lines: Vec::new(),
            edges: Vec::new(),
            calls: None,
            outside: None,
            heap: None,
            counters: Vec::new(),
            python_heap: None,
            gaps: Vec::new(),
        }
    }

    fn subject(name: &str, own: Events, metrics: &[&'static str]) -> Subject {
        let place = Place {
            function: "sums".to_owned(),
            file: Some("/src/grid.c".to_owned()),
            line: None,
            module: None,
            language: Language::C,
            owner: Owner::Project,
        };
        let mut subject = Subject::new(Kind::Computing, Some(place.clone()), exact(0.8));
        for metric in metrics {
            subject.number(metric, 1.0, "yes", ("", "machine code"));
        }
        subject.number("wall", 0.8, "1", ("", "recorder"));
        note(&mut subject, Some(&counted(name, own)), &place, None);
        subject
    }

    fn state(id: &str, subject: &Subject) -> Option<State> {
        CAUSES.iter().find(|cause| cause.id == id).map(|cause| weigh(cause, subject).state)
    }

    #[test]
    fn what_was_put_into_its_caller_is_counted_by_its_lines() {
        let events =
            |missed: u64| Events { ir: 10_000_000, d1mr: Some(missed), d1mw: Some(0), ..Events::default() };
        let mut simulated = counted("main", events(0));
        let line = |line: u32, missed: u64| Line {
            file: "grid.c".to_owned(),
            line,
            function: "main".to_owned(),
            own: events(missed),
        };
        simulated.lines = vec![line(7, 4_000_000), line(8, 2_000_000), line(99, 0)];
        let mut inlined = subject("sums", events(0), &["machine.scattered", "machine.stride"]);
        inlined.metrics.remove("simulated.misses");
        let place = inlined.place.clone().unwrap();
        note(&mut inlined, Some(&simulated), &place, Some(5..=9));
        assert_eq!(inlined.value("simulated.misses"), Some(300.0));
        assert_eq!(state("cache-misses", &inlined), Some(State::Confirmed));
    }

    #[test]
    fn counted_misses_confirm_and_their_lack_rejects() {
        let events =
            |missed: u64| Events { ir: 10_000_000, d1mr: Some(missed), d1mw: Some(0), ..Events::default() };
        let metrics = ["machine.scattered", "machine.stride"];
        assert_eq!(
            state("cache-misses", &subject("sums", events(900_000), &metrics)),
            Some(State::Confirmed)
        );
        assert_eq!(state("cache-misses", &subject("sums", events(5_000), &metrics)), Some(State::Rejected));
        assert_eq!(state("cache-misses", &subject("other", events(5_000), &metrics)), Some(State::Likely));
    }

    #[test]
    fn counted_wrong_guesses_confirm_and_their_lack_rejects() {
        let events =
            |wrong: u64| Events { ir: 10_000_000, bcm: Some(wrong), bim: Some(0), ..Events::default() };
        let state = |own| state("branch-mispredicts", &subject("sums", own, &["machine.branches"]));
        assert_eq!(state(events(500_000)), Some(State::Confirmed));
        assert_eq!(state(events(1_000)), Some(State::Rejected));
        assert_eq!(
            state(Events { ir: 500, ..events(0) }),
            Some(State::Likely),
            "hardly any instruction was counted"
        );
    }
}
