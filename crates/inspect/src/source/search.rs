//! Searches written out as loops.

use super::File;
use super::grammar::{assignment, is_constant, is_identifier, member, subscript, unwrapped};
use super::kinds::Kind;
use super::tree::At;

impl File<'_> {
    /// A loop that compares each element with something and leaves when they are equal: the comparison, and what is
    /// searched.
    pub(super) fn search(&self, of: At) -> Option<(At, Kind)> {
        let tree = &self.tree;
        let body = tree.child(of, "body")?;
        let chain = self.chain_variable(of);
        let mut binds = self.bound_names(of);
        binds.extend(chain.map(str::to_owned));
        let branches =
            tree.inside(body).filter(|at| matches!(tree.kind(*at), "if_statement" | "if_expression"));
        for branch in branches.filter(|at| self.loops_around(*at).first() == Some(&of)) {
            let parts = tree.child(branch, "condition").zip(tree.child(branch, "consequence"));
            let Some((condition, found)) = parts else { continue };
            let leaves = tree.inside(found).any(|at| self.leaves(of, at));
            let bound = |name: &At| {
                is_identifier(tree.kind(*name)) && binds.iter().any(|bound| bound == tree.text(*name))
            };
            let Some(element) = tree.inside(condition).find(bound) else { continue };
            if leaves && self.compares(condition) {
                return self.searched_by(of, condition, element, chain).map(|kind| (condition, kind));
            }
        }
        None
    }

    fn searched_by(&self, of: At, condition: At, element: At, chain: Option<&str>) -> Option<Kind> {
        let tree = &self.tree;
        if chain == Some(tree.text(element)) {
            return Some(Kind::LinkedList);
        }
        let mut above = tree.ancestors(element).take_while(|above| *above > condition);
        let indexed = above.find_map(|above| subscript(tree, above)).map(|(of, _)| of);
        let of = self.over(of).map(|over| self.collection(over)).or(indexed)?;
        Some(self.kind_of(of))
    }

    /// Whether a condition asks for equality.
    fn compares(&self, condition: At) -> bool {
        let tree = &self.tree;
        tree.inside(condition).any(|at| {
            let operator = tree.child_text(at, "operator");
            let equal =
                matches!(operator, "==" | "===") || matches!(tree.child_text(at, "operators"), "==" | "is");
            // A comparison with nothing or with a literal asks for an end or a case, not for one element among many.
            let open = || tree.children(at).all(|side| !is_constant(tree.kind(side)));
            equal && open() || self.call(at).is_some_and(|call| is_equality(call.name))
        })
    }

    /// The variable that a loop moves along a chain: `node = node->next`.
    fn chain_variable(&self, of: At) -> Option<&str> {
        let tree = &self.tree;
        tree.inside(of).find_map(|at| {
            let (left, operator, right) = assignment(tree, at)?;
            let (object, _) = member(tree, unwrapped(tree, right)).filter(|_| operator == "=")?;
            let name = tree.text(unwrapped(tree, left));
            (tree.text(unwrapped(tree, object)) == name).then_some(name)
        })
    }
}

fn is_equality(name: &str) -> bool {
    matches!(
        name,
        "strcmp"
            | "strncmp"
            | "memcmp"
            | "strcasecmp"
            | "equals"
            | "equalsIgnoreCase"
            | "EqualFold"
            | "Equal"
            | "eq"
            | "compare"
    )
}
