//! Loops in which each turn asks with what the turn before was told: a page's cursor, a list's next entry.

use std::collections::HashSet;

use super::File;
use super::grammar::{assignment, is_call, is_identifier};
use super::tree::At;

/// How many variables a value may walk through between the answer and the next question.
const HOPS: usize = 6;

impl<'t> File<'t> {
    /// Whether no turn of a loop can begin before the one before has its answer.
    pub(super) fn is_chained(&self, of: At) -> bool {
        self.is_awaited(of) || self.has_cursor(of)
    }

    /// `for await (… of pages())`, `async for … in pages()`: what comes next is known when it has come.
    fn is_awaited(&self, of: At) -> bool {
        let text = self.tree.text(of);
        let awaits = text.starts_with("for await") || text.starts_with("async for");
        awaits && self.over(of).is_some_and(|over| self.call(over).is_some())
    }

    /// `page = ask(cursor); cursor = page.next`, or `while (cursor) cursor = ask(cursor)`.
    fn has_cursor(&self, of: At) -> bool {
        let values = self.values_in(of);
        let condition: HashSet<&str> = self.condition(of).into_iter().flat_map(|at| self.words(at)).collect();
        let set = values.iter().filter(|value| !value.declares).flat_map(|value| &value.names);
        set.copied().any(|cursor| {
            // Sums and lists take themselves, too, but nobody is asked with them.
            let asked = values.iter().filter(|value| {
                let own = value.names.contains(&cursor);
                (!own || condition.contains(cursor)) && self.asks_with(value.at, cursor)
            });
            asked.flat_map(|value| &value.names).any(|answer| leads_to(&values, answer, cursor))
        })
    }

    /// What gets a value in a loop, and from where.
    fn values_in(&self, of: At) -> Vec<Value<'t>> {
        let tree = &self.tree;
        let value = |at: At| {
            let (declares, right) = match assignment(tree, at) {
                // `n += 1` says nothing new.
                Some((_, operator, _)) if !matches!(operator, "=" | ":=") => return None,
                Some((_, operator, right)) => (operator == ":=", right),
                None => (true, tree.child_of(at, &["value", "right"])?),
            };
            let names = self.written_here(at).into_iter().map(|name| tree.text(name)).collect::<Vec<_>>();
            (!names.is_empty()).then_some(Value { names, at: right, declares, from: self.words(right) })
        };
        tree.inside(of).filter_map(value).collect()
    }

    fn words(&self, at: At) -> HashSet<&'t str> {
        let names = self.tree.inside(at).filter(|at| is_identifier(self.tree.kind(*at)));
        names.map(|at| self.tree.text(at)).collect()
    }

    fn asks_with(&self, at: At, name: &str) -> bool {
        let mut calls = self.tree.inside(at).filter(|at| is_call(self.tree.kind(*at)));
        calls.any(|at| {
            let arguments = self.call(at).map(|call| call.arguments).unwrap_or_default();
            arguments.iter().any(|argument| self.words(*argument).contains(name))
        })
    }
}

struct Value<'t> {
    names: Vec<&'t str>,
    at: At,
    /// A variable of this turn, which the next one does not know.
    declares: bool,
    from: HashSet<&'t str>,
}

/// Whether a name's value comes from another's.
fn leads_to(values: &[Value<'_>], answer: &str, cursor: &str) -> bool {
    let mut known: HashSet<&str> = HashSet::from([answer]);
    for _ in 0..HOPS {
        let fed = values.iter().filter(|value| value.from.iter().any(|name| known.contains(name)));
        let fed: Vec<&str> = fed.flat_map(|value| value.names.iter().copied()).collect();
        if fed.contains(&cursor) {
            return true;
        }
        let before = known.len();
        known.extend(fed);
        if known.len() == before {
            return false;
        }
    }
    false
}
