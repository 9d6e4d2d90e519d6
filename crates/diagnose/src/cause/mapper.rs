//! Object mappers: attributes and calls that ask a database for rows, whosever loop it is.

use model::profile::Place;
use model::source::{Context, Trait, TraitKind};

use super::facts::Contexts;
use super::source::{MOVES, SOURCE};
use super::subject::Subject;
use crate::profile::family::{self, Family};
use crate::profile::spots::Spot;

/// Of the place's time below a query, where an object mapper takes most of the rest.
const ASKED_FOR: f64 = 0.1;

/// Attributes and calls of object mappers that ask the database for rows each time, where a loop has them do so.
pub(super) fn note_lazy_loading(subject: &mut Subject, spot: &Spot, contexts: &Contexts<'_>) {
    let lazy = spot.package.as_ref().is_some_and(family::loads_lazily);
    let mapped = spot.packages >= MOVES && spot.asking >= ASKED_FOR && spot.family(Family::Database) < MOVES;
    let repeats =
        subject.value("loops").is_some_and(|loops| loops >= 1.0) || awaits_in_loop(&spot.place, contexts);
    let fetched = fetched(spot);
    if (lazy || mapped) && repeats || fetched.is_some() {
        subject.number("source.query", 1.0, "yes", SOURCE);
        subject.number("database", 1.0, "yes", SOURCE);
        subject.share("leaf.database", fetched.unwrap_or(spot.packages), spot.n);
    }
}

/// The part of a place's time in which a mapper fetches rows one by one, whosever loop asks for them.
fn fetched(spot: &Spot) -> Option<f64> {
    let whole = spot.through.iter().any(family::fetches_a_row).then_some(1.0);
    let part = spot.branches.iter().find(|(place, _)| family::fetches_a_row(place)).map(|(_, part)| *part);
    whole.or(part).filter(|part| *part >= MOVES)
}

/// Whether the function at a place awaits something in a loop. Node's places are where a function begins.
fn awaits_in_loop(place: &Place, contexts: &Contexts<'_>) -> bool {
    let file = place.file.as_deref().unwrap_or_default();
    let is_here = |context: &Context| {
        context.function.as_ref().is_some_and(|function| Some(function.first_line) == place.line)
    };
    let awaits = |found: &Trait| found.kind == TraitKind::Await && found.loop_depth > 0;
    contexts
        .iter()
        .any(|((other, _), context)| *other == file && is_here(context) && context.traits.iter().any(awaits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_an_attribute_fetches_are_asked_for_one_by_one_whosever_loop_it_is() {
        let place = |function: &str, file: &str| Place {
            function: function.to_owned(),
            file: Some(file.to_owned()),
            line: None,
            module: None,
            language: model::recording::Language::Python,
            owner: model::recording::Owner::Library,
        };
        let mapper = "/venv/site-packages/django/db/models/fields/related_descriptors.py";
        let attribute = place("ForwardManyToOneDescriptor.__get__", mapper);
        let mut spot = Spot::bare(place("programme", "driver.py"));
        spot.branches = vec![(attribute.clone(), 0.3)];
        assert_eq!(fetched(&spot), None, "most of its time is for something else");
        spot.branches =
            vec![(place("to_representation", "/rest_framework/fields.py"), 0.9), (attribute, 0.7)];
        assert_eq!(fetched(&spot), Some(0.7));
        spot.branches.clear();
        spot.through = vec![place("QuerySet.__get__", mapper)];
        assert_eq!(fetched(&spot), None, "it may fetch many at once");
    }
}
