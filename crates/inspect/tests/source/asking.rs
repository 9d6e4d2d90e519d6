//! Snippets with a mark at the line that is asked about.

use inspect::source::context;
use model::source::{Context, Language, Trait, TraitKind};

/// The context of the line that holds `@`; the mark itself is removed.
pub(crate) fn ask(language: Language, marked: &str) -> Context {
    let line = marked.lines().position(|line| line.contains('@')).expect("a mark") + 1;
    let text = marked.replace('@', "");
    context(language, &text, u32::try_from(line).unwrap()).expect("a context")
}

pub(crate) fn kinds(context: &Context) -> Vec<TraitKind> {
    context.traits.iter().map(|one| one.kind).collect()
}

pub(crate) fn find(context: &Context, kind: TraitKind) -> Trait {
    let found = context.traits.iter().find(|one| one.kind == kind);
    found.unwrap_or_else(|| panic!("{kind:?} is not in {:#?}", context.traits)).clone()
}

pub(crate) fn lacks(context: &Context, kind: TraitKind) {
    assert!(!kinds(context).contains(&kind), "{kind:?} is in {:#?}", context.traits);
}
