//! Regular expressions: how much of a place's time goes into matching, and which pattern takes it.

use model::profile::{LineCost, Place};
use model::recording::Language;
use model::source::{Context, Trait, TraitKind};

use super::facts::Contexts;
use super::source::SOURCE;
use super::subject::Subject;
use crate::profile::family::{self, Family};
use crate::profile::spots::Spot;

/// A pattern longer than this is told by its beginning.
const LONGEST: usize = 60;

/// Matchers without names in the profile are told by the lines that call them; V8 names each pattern. Those of Go and Rust
/// never try twice, but for some packages.
pub(super) fn note(subject: &mut Subject, spot: &Spot, contexts: &Contexts<'_>) {
    let tries_again = || {
        let leaves = spot.leaves.iter().map(|(leaf, _)| leaf);
        spot.through.iter().chain(leaves).any(|place| family::backtracks(&place.function))
    };
    let backtracks = !matches!(spot.place.language, Language::Go | Language::Rust) || tries_again();
    let context = |line: &LineCost| contexts.get(&(spot.place.file.as_deref()?, line.line)).copied();
    let matched = |line: &LineCost| context(line).and_then(|context| matches_in(context).next());
    let lines: f64 = spot.lines.iter().filter(|line| matched(line).is_some()).map(|line| line.share).sum();
    let named = spot.family(Family::RegexMatch);
    // A package may match on the place's behalf.
    let package = spot.inside.as_ref().and_then(|(place, share)| {
        let context = contexts.get(&(place.file.as_deref()?, place.line?))?;
        Some((matches_in(context).next()?, *share))
    });
    let lines = lines.max(package.map_or(0.0, |(_, share)| share));
    let lines = if spot.place.language == Language::JavaScript { 0.0 } else { lines };
    subject.share("regex", if backtracks { named.max(lines) } else { named.min(0.3) }, spot.n);
    let written = spot.lines.iter().find_map(matched).or(package.map(|(found, _)| found));
    let written = written.and_then(|found| found.pattern.as_deref());
    let compiled = spot.leaves.iter().find_map(|(leaf, _)| family::pattern_of(&leaf.function));
    if let Some(pattern) = compiled.or(written) {
        subject.word("pattern", format!("the pattern `{}`", shortened(pattern)));
    } else {
        subject.word("pattern", "the pattern".to_owned());
    }
    // Compilers put a function that matches into its callers; the pattern tells where it stands.
    let used = compiled.and_then(|pattern| used(pattern, &spot.place, contexts));
    if let Some((place, found)) = used {
        if found.nested_quantifier == Some(true) {
            subject.number("source.regex-nested", 1.0, "yes", SOURCE);
        }
        subject.instead.insert("regex-backtracking", place);
    }
}

fn matches_in(context: &Context) -> impl Iterator<Item = &Trait> {
    context.traits.iter().filter(|found| found.kind == TraitKind::RegexMatch)
}

/// The only function of the place's file that matches this pattern.
fn used<'a>(pattern: &str, place: &Place, contexts: &Contexts<'a>) -> Option<(Place, &'a Trait)> {
    let file = place.file.as_deref()?;
    let own = contexts.iter().filter(|((known, _), _)| *known == file).map(|(_, context)| *context);
    let mut used = own.filter_map(|context| {
        let found = matches_in(context).find(|found| found.pattern.as_deref() == Some(pattern))?;
        Some((context.function.as_ref()?.name.as_deref()?, found))
    });
    let (function, found) = used.next()?;
    used.all(|(other, _)| other == function)
        .then(|| (Place { function: function.to_owned(), line: Some(found.line), ..place.clone() }, found))
}

fn shortened(pattern: &str) -> String {
    match pattern.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &pattern[..end]),
        None => pattern.to_owned(),
    }
}
