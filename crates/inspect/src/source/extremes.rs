//! The smallest or the largest of all that is left, looked for again and again: a heap would know it.

use model::source::{Language, Trait, TraitKind};

use super::File;
use super::calls::Call;
use super::changes::changes_receiver;
use super::grammar::{is_identifier, is_script, shortened, subscript};
use super::traits::MOST_TEXT;
use super::tree::At;

impl File<'_> {
    /// A call that looks at everything in a container which is there before and after, to find one of it.
    pub(super) fn extreme_call(&self, call: &Call<'_>) -> Option<Trait> {
        let over = self.collection(self.looked_through(call)?);
        self.is_kept(call.at, over).then(|| self.on(TraitKind::Extreme, call.at, self.kind_of(over)))
    }

    /// A loop goes through all that a container has, and one of it is taken out afterwards: found and removed one by one.
    pub(super) fn picking(&self, statement: At) -> Option<Trait> {
        let tree = &self.tree;
        let chain = self.chain(statement);
        let (inner, around) = chain.split_first()?;
        let over = self.collection(self.over(*inner)?);
        let name = tree.text(over);
        if !is_identifier(tree.kind(over)) && !is_own_field(name) {
            return None;
        }
        let function = self.function_around(*inner);
        let end = function.map_or(tree.inside(0).end, |function| tree.inside(function).end);
        let after = tree.inside(*inner).end..end;
        let mut own = after.filter(|at| self.function_around(*at) == function);
        own.any(|at| self.removes_from(at, name)).then(|| Trait {
            text: shortened(tree.text(*inner).lines().next().unwrap_or_default(), MOST_TEXT),
            // The loop itself repeats nothing of it.
            loop_depth: u32::try_from(around.len()).unwrap_or(u32::MAX),
            ..self.on(TraitKind::Extreme, *inner, self.kind_of(over))
        })
    }

    fn removes_from(&self, at: At, name: &str) -> bool {
        let tree = &self.tree;
        if self.deletes_from(at, name) {
            return true;
        }
        let Some(call) = self.call(at) else { return false };
        let takes = matches!(
            call.name,
            "remove" | "discard" | "delete" | "pop" | "splice" | "erase" | "swap_remove" | "removeAt"
        );
        // `delete(m, key)` of Go.
        let from =
            call.receiver.or_else(|| call.arguments.first().copied().filter(|_| call.name == "delete"));
        takes && from.is_some_and(|from| tree.text(from) == name)
    }

    fn looked_through(&self, call: &Call<'_>) -> Option<At> {
        let tree = &self.tree;
        let positional = || {
            let named = |at: &&At| tree.kind(**at) != "keyword_argument";
            let mut given = call.arguments.iter().filter(named).copied();
            given.next().filter(|_| given.next().is_none())
        };
        let is_extreme = matches!(call.name, "min" | "max");
        match (tree.language, call.receiver) {
            (Language::Python, None) if is_extreme => positional(),
            (Language::Python, Some(counted)) if call.name == "most_common" => Some(counted),
            (language, Some(_))
                if is_script(language) && matches!(call.path.as_str(), "Math.min" | "Math.max") =>
            {
                let spread = call.arguments.first().filter(|at| tree.kind(**at) == "spread_element")?;
                tree.children(*spread).next()
            }
            (Language::Java, Some(_))
                if matches!(call.path.as_str(), "Collections.min" | "Collections.max") =>
            {
                call.arguments.first().copied()
            }
            (Language::Java, Some(stream)) if is_extreme && call.arguments.len() == 1 => {
                self.call(stream).map(|_| stream)
            }
            (Language::Rust, Some(steps)) => {
                let by = matches!(call.name, "min_by" | "max_by" | "min_by_key" | "max_by_key");
                let found = by || is_extreme && call.arguments.is_empty();
                self.call(steps).filter(|_| found).map(|_| steps)
            }
            (Language::Cpp, None) if matches!(call.name, "min_element" | "max_element") => {
                self.call(*call.arguments.first()?)?.receiver
            }
            (Language::Go, _) => {
                let scans =
                    matches!(call.tail(), "slices.Min" | "slices.Max" | "slices.MinFunc" | "slices.MaxFunc");
                call.arguments.first().copied().filter(|_| scans)
            }
            _ => None,
        }
    }

    /// An object's own, or a variable that no loop around gives another value, and that loses or gets elements there.
    fn is_kept(&self, at: At, over: At) -> bool {
        let tree = &self.tree;
        let name = tree.text(over);
        if is_own_field(name) {
            return true;
        }
        let around = self.loops_around(at);
        if !is_identifier(tree.kind(over)) || around.is_empty() {
            return false;
        }
        let bound = |of: &At| self.bound_names(*of).iter().any(|bound| *bound == name);
        let is_set = |of: &At| {
            let mut inside = tree.inside(*of);
            inside.any(|at| self.written_here(at).into_iter().any(|written| self.is_whole(written, name)))
        };
        let changes = around.iter().any(|of| tree.inside(*of).any(|at| self.changes_in_place(at, name)));
        changes && !around.iter().any(|of| bound(of) || is_set(of))
    }

    /// The variable itself, not one of its elements.
    fn is_whole(&self, written: At, name: &str) -> bool {
        let tree = &self.tree;
        let element = tree.parent(written).and_then(|parent| subscript(tree, parent));
        tree.text(written) == name && element.is_none_or(|(object, _)| object != written)
    }

    fn changes_in_place(&self, at: At, name: &str) -> bool {
        let tree = &self.tree;
        let called = self.call(at).filter(|call| changes_receiver(call.name)).and_then(|call| call.receiver);
        called.is_some_and(|object| tree.text(object) == name) || self.deletes_from(at, name)
    }

    /// `del left[key]`.
    fn deletes_from(&self, at: At, name: &str) -> bool {
        self.tree.kind(at) == "delete_statement" && self.tree.text(at).contains(&format!("{name}["))
    }
}

/// Something that an object keeps.
fn is_own_field(name: &str) -> bool {
    let own = ["self.", "this.", "this->"].iter().any(|own| name.starts_with(own));
    own && name.chars().all(|letter| letter.is_alphanumeric() || "_.->".contains(letter))
}
