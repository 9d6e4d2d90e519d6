//! Numbers that Java puts into objects of their own.

use model::source::{Language, Trait, TraitKind};

use super::File;
use super::calls::Call;
use super::grammar::{assignment, is_identifier, unwrapped};
use super::tree::At;

const BOXES: [&str; 6] = ["Integer", "Long", "Double", "Float", "Short", "Character"];

/// Methods of collections that put something in.
const PUT: [&str; 9] = ["add", "addLast", "set", "put", "offer", "push", "merge", "putIfAbsent", "replace"];

impl File<'_> {
    /// A computed number that is kept in a variable of a boxed type, or put into a collection of them.
    pub(super) fn boxing(&self, at: At) -> Option<Trait> {
        if self.tree.language != Language::Java {
            return None;
        }
        let kept = self.kept_in_a_box(at);
        kept.then(|| self.plain(TraitKind::Boxing, at)).filter(|_| !self.loops_around(at).is_empty())
    }

    /// The same for what a call puts in.
    pub(super) fn boxing_call(&self, call: &Call<'_>) -> Option<Trait> {
        if self.tree.language != Language::Java || !PUT.contains(&call.name) {
            return None;
        }
        let held = self.declared_type(call.receiver?)?;
        let arguments = held.split_once('<')?.1;
        let mut words = arguments.split(|letter: char| !letter.is_alphanumeric());
        let boxes = words.any(|word| BOXES.contains(&word));
        let computed = call.arguments.iter().any(|argument| self.is_computed(*argument));
        (boxes && computed && !self.loops_around(call.at).is_empty())
            .then(|| self.plain(TraitKind::Boxing, call.at))
    }

    fn kept_in_a_box(&self, at: At) -> bool {
        let tree = &self.tree;
        if tree.kind(at) == "variable_declarator" {
            let ty = tree.parent(at).and_then(|outer| tree.child(outer, "type"));
            let value = tree.child(at, "value");
            return ty.is_some_and(|ty| BOXES.contains(&tree.text(ty)))
                && value.is_some_and(|value| self.is_computed(value));
        }
        let Some((left, operator, right)) = assignment(tree, at) else { return false };
        let boxed =
            is_identifier(tree.kind(left)) && self.declared_type(left).is_some_and(|ty| BOXES.contains(&ty));
        boxed && (operator != "=" || self.is_computed(right))
    }

    fn is_computed(&self, at: At) -> bool {
        matches!(self.tree.kind(unwrapped(&self.tree, at)), "binary_expression" | "update_expression")
            && !self.tree.text(at).contains('"')
    }
}
