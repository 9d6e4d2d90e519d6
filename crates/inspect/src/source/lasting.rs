//! Loops that go on until somebody else ends them: they wait, and look again.

use super::File;
use super::changes::changes_receiver;
use super::grammar::{assignment, is_call, is_function, is_identifier, member, unwrapped};
use super::tree::At;

impl<'t> File<'t> {
    /// Whether a loop awaits, and nothing in it changes what decides whether it goes on.
    pub(super) fn looks_on(&self, of: At) -> bool {
        let tree = &self.tree;
        let endless = tree.kind(of) == "for_statement" && self.over(of).is_none() && self.asks_nothing(of);
        if !endless && !matches!(tree.kind(of), "while_statement" | "do_statement") || !self.awaits_in(of) {
            return false;
        }
        let asked = self.asked_by(of);
        let names: Vec<&str> = asked.iter().flat_map(|at| self.looked_at(*at)).collect();
        let is_asked = |at: At| asked.iter().any(|one| tree.inside(*one).contains(&at));
        !names.is_empty()
            && !self.own_part(of).filter(|at| !is_asked(*at)).any(|at| self.may_change(at, &names))
    }

    /// One statement is all that a function does.
    pub(super) fn is_single(&self, function: At) -> bool {
        let tree = &self.tree;
        let Some(body) = tree.child(function, "body") else { return false };
        let is_block = matches!(tree.kind(body), "statement_block" | "block");
        !is_block || tree.children(body).filter(|at| !tree.kind(*at).contains("comment")).count() == 1
    }

    fn awaits_in(&self, of: At) -> bool {
        let is_await = |at: &At| matches!(self.tree.kind(*at), "await" | "await_expression");
        let function = self.function_around(of);
        self.tree.inside(of).filter(is_await).any(|at| self.function_around(at) == function)
    }

    /// What is inside, without the functions that are written there.
    fn own_part(&self, of: At) -> impl Iterator<Item = At> + '_ {
        let function = self.function_around(of);
        self.tree.inside(of).skip(1).filter(move |at| self.function_around(*at) == function)
    }

    /// It has no condition, or one that is always true.
    fn asks_nothing(&self, of: At) -> bool {
        let tree = &self.tree;
        self.condition(of).is_none_or(|at| {
            let text = tree.text(unwrapped(tree, at)).trim_matches(['(', ')', ';', ' ']);
            matches!(text, "" | "true" | "True" | "1")
        })
    }

    /// The condition of a loop; of one without, the conditions on which it is left.
    fn asked_by(&self, of: At) -> Vec<At> {
        let tree = &self.tree;
        if let Some(condition) = self.condition(of).filter(|_| !self.asks_nothing(of)) {
            return vec![condition];
        }
        let ifs = self.own_part(of).filter(|at| tree.kind(*at) == "if_statement");
        let leaving = ifs.filter(|at| tree.inside(*at).any(|inside| self.leaves(of, inside)));
        leaving.filter_map(|at| tree.child(at, "condition")).collect()
    }

    /// The variables and members that a condition looks at; of what it calls, whose they are.
    fn looked_at(&self, condition: At) -> Vec<&'t str> {
        let tree = &self.tree;
        let whole = |at: At| {
            let is_part = |above: At| member(tree, above).is_some_and(|(object, _)| object == at);
            !tree.parent(at).is_some_and(is_part)
        };
        let mut names = Vec::new();
        for at in tree.inside(condition) {
            let is_called = tree.field(at) == "function"
                && tree.parent(at).is_some_and(|parent| is_call(tree.kind(parent)));
            match member(tree, at) {
                Some((object, _)) if is_called => names.push(tree.text(object)),
                Some(_) if whole(at) => names.push(tree.text(at)),
                None if is_identifier(tree.kind(at)) && whole(at) => names.push(tree.text(at)),
                _ => {}
            }
        }
        names
    }

    /// Whether a node may give one of these another value.
    fn may_change(&self, at: At, names: &[&str]) -> bool {
        let tree = &self.tree;
        let written = match tree.kind(at) {
            "update_expression" => tree.child(at, "argument"),
            "variable_declarator" => tree.child(at, "name"),
            _ => assignment(tree, at).map(|(left, _, _)| left),
        };
        if let Some(written) = written {
            return concerns(tree.text(written), names);
        }
        let Some(call) = self.call(at) else { return false };
        let above = tree.parent(at).map(|parent| tree.kind(parent)).unwrap_or_default();
        let for_its_effect = matches!(above, "expression_statement" | "await_expression" | "await");
        // A function of this file that does one thing, and sets nothing, only has somebody wait.
        let target = self.target(at).filter(|function| is_function(tree.kind(*function)));
        let sets = |function: At| tree.inside(function).any(|inside| assignment(tree, inside).is_some());
        if target.is_some_and(|function| self.is_single(function) && !sets(function)) {
            return false;
        }
        match call.receiver {
            Some(object) => {
                let text = tree.text(object);
                text != "console" && (for_its_effect || changes_receiver(call.name)) && concerns(text, names)
            }
            // A function that is called by its name alone may change whatever it is given, or what all can see.
            None => {
                let given = call.arguments.iter().any(|argument| concerns(tree.text(*argument), names));
                let all = above == "expression_statement" && !tree.text(at).starts_with("await");
                for_its_effect && (given || all)
            }
        }
    }
}

/// Whether what is changed is one of these, a part of it, or what it is a part of.
fn concerns(changed: &str, names: &[&str]) -> bool {
    let is_part = |whole: &str, part: &str| {
        part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '?']))
    };
    names.iter().any(|name| is_part(changed, name) || is_part(name, changed))
}
