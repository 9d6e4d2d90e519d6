//! Loops in all their forms: statements, comprehensions, and functions that a library call runs for each element.

use model::source::{ContainerKind, Language, Loop, LoopKind};

use super::File;
use super::calls::Call;
use super::functions::parameters;
use super::grammar::{
    assignment, declared, is_closure, is_comprehension, is_function, is_identifier, is_loop, shortened,
    subscript, unwrapped,
};
use super::kinds::Kind;
use super::tree::At;

/// A loop of at most so many turns does not grow with the input: a handful of cases, the days of a month, the bits of a word.
const FEW: u64 = 64;

const MOST_TEXT: usize = 80;

impl File<'_> {
    /// The loops around a node inside its function, innermost first, as nodes. A loop's own source is outside of it.
    pub(super) fn loops_around(&self, at: At) -> Vec<At> {
        let tree = &self.tree;
        let mut loops = Vec::new();
        let (mut below, mut inner) = (at, at);
        for above in tree.ancestors(at) {
            let kind = tree.kind(above);
            if is_loop(kind) && self.turns(above, inner, below) {
                loops.push(above);
            } else if is_comprehension(kind) {
                loops.extend(self.clauses_around(above, inner));
            } else if is_closure(kind) && self.is_callback(above) {
                if inner_is_body(tree.field(inner)) {
                    loops.push(above);
                }
            } else if is_function(kind) && !self.is_called_here(above) {
                break;
            }
            (below, inner) = (inner, above);
        }
        loops
    }

    /// Whether the part `inner` of a loop runs each time round; `below` is what leads on to the node.
    fn turns(&self, of: At, inner: At, below: At) -> bool {
        let tree = &self.tree;
        match tree.field(inner) {
            "body" | "condition" | "update" | "increment" => true,
            "" if tree.language == Language::Go => match tree.kind(inner) {
                "for_clause" => tree.field(below) != "initializer",
                "range_clause" => tree.field(below) != "right",
                _ => tree.kind(of) == "for_statement",
            },
            _ => false,
        }
    }

    /// The `for` parts of a comprehension that run around a part of it, innermost first.
    fn clauses_around(&self, comprehension: At, inner: At) -> Vec<At> {
        let clauses =
            self.tree.children(comprehension).filter(|child| self.tree.kind(*child) == "for_in_clause");
        let body = self.tree.field(inner) == "body";
        let mut around: Vec<At> = clauses.filter(|clause| body || *clause < inner).collect();
        around.reverse();
        around
    }

    pub(super) fn describe(&self, at: At) -> Loop {
        let tree = &self.tree;
        let kind = tree.kind(at);
        let over = self.over(at);
        let condition = self.condition(at);
        let shown = over.or(condition).map(|shown| shortened(tree.text(unwrapped(tree, shown)), MOST_TEXT));
        let loop_kind = match kind {
            "for_in_clause" => LoopKind::Comprehension,
            _ if is_closure(kind) => LoopKind::Callback,
            "for_statement"
                if tree.language == Language::Go && over.is_none() && self.for_clause(at).is_none() =>
            {
                LoopKind::While
            }
            _ if kind.starts_with("for") || kind == "enhanced_for_statement" => LoopKind::For,
            _ => LoopKind::While,
        };
        Loop {
            kind: loop_kind,
            first_line: tree.first_line(at),
            last_line: tree.last_line(at),
            over: shown.filter(|text| !matches!(text.as_str(), "true" | "True" | "1")),
            container: over.map_or(ContainerKind::Unknown, |over| self.element_source(over).container()),
            binds: self.bound_names(at),
            ends_early: self.ends_early(at),
            chained: self.is_chained(at),
            looks: self.looks_on(at),
            bounded: match over {
                Some(over) => self.is_few(over),
                None => condition.is_some_and(|condition| self.counts_to_few(condition)),
            },
        }
    }

    /// What a loop goes through, without the calls that only number or reverse it.
    pub(super) fn over(&self, at: At) -> Option<At> {
        let tree = &self.tree;
        if is_closure(tree.kind(at)) {
            let call = self.driver(at)?;
            return call.receiver.or_else(|| {
                call.arguments.iter().copied().find(|argument| !is_closure(tree.kind(*argument)))
            });
        }
        if tree.language == Language::Go {
            return tree
                .children(at)
                .find(|child| tree.kind(*child) == "range_clause")
                .and_then(|range| tree.child(range, "right"));
        }
        match tree.kind(at) {
            "enhanced_for_statement" | "for_expression" => tree.child(at, "value"),
            "for_statement" | "for_in_statement" | "for_range_loop" | "for_in_clause" => {
                tree.child(at, "right")
            }
            _ => None,
        }
    }

    fn for_clause(&self, at: At) -> Option<At> {
        self.tree.children(at).find(|child| self.tree.kind(*child) == "for_clause")
    }

    pub(super) fn condition(&self, at: At) -> Option<At> {
        let holder = self.for_clause(at).unwrap_or(at);
        self.tree.child(holder, "condition").or_else(|| {
            let bare = self.tree.language == Language::Go && self.tree.kind(at) == "for_statement";
            self.tree.first_child(at).filter(|child| {
                bare && self.tree.field(*child).is_empty() && !self.tree.kind(*child).ends_with("_clause")
            })
        })
    }

    /// The collection behind `enumerate(xs)`, `xs.iter().rev()`, `range(len(xs))`.
    pub(super) fn collection(&self, at: At) -> At {
        let mut at = unwrapped(&self.tree, at);
        for _ in 0..12 {
            let Some(call) = self.call(at) else { return at };
            let inner = match (call.receiver, call.name) {
                (None, "enumerate" | "reversed" | "range" | "len" | "zip" | "iter" | "map" | "filter") => {
                    call.arguments.first().copied()
                }
                (
                    Some(object),
                    "iter" | "iter_mut" | "into_iter" | "enumerate" | "rev" | "items" | "keys" | "values"
                    | "stream" | "entries" | "entrySet" | "keySet" | "length" | "size" | "skip" | "take"
                    | "copied" | "cloned" | "filter" | "map" | "chars" | "bytes",
                ) => Some(object),
                _ => None,
            };
            match inner {
                Some(inner) => at = unwrapped(&self.tree, inner),
                None => return at,
            }
        }
        at
    }

    /// What a loop goes through, in the words of the source, when that is a collection and not a range of numbers.
    pub(super) fn collection_text(&self, at: At) -> Option<&str> {
        let text = |at: At| self.tree.text(at);
        let measured =
            |text: &str| ["len(", ".len()", ".length", ".size()"].iter().any(|length| text.contains(length));
        let Some(over) = self.over(at) else {
            // `i < xs.size()`: the right side names it.
            let condition = unwrapped(&self.tree, self.condition(at)?);
            return self.tree.child(condition, "right").map(text).filter(|right| measured(right));
        };
        let bare = self.tree.kind(unwrapped(&self.tree, over)) == "range_expression";
        let range = bare || text(over).contains("range(");
        (!range || measured(text(over))).then(|| text(self.collection(over)))
    }

    fn element_source(&self, over: At) -> Kind {
        self.kind_of(self.collection(over))
    }

    /// A literal or range of few elements.
    fn is_few(&self, over: At) -> bool {
        let tree = &self.tree;
        let over = self.single_value(self.collection(over));
        match tree.kind(over) {
            "list" | "tuple" | "set" | "array" | "array_expression" | "dictionary" | "object"
            | "initializer_list" | "array_initializer" => {
                let plain = tree.children(over).all(|child| {
                    !matches!(tree.kind(child), "list_splat" | "spread_element" | "dictionary_splat")
                });
                plain
                    && tree.children(over).count() > 0
                    && tree.children(over).count() as u64 <= FEW
                    && !self.grows(over)
            }
            "composite_literal" => {
                let body = tree.child(over, "body");
                body.is_some_and(|body| {
                    tree.children(body).count() > 0 && tree.children(body).count() as u64 <= FEW
                }) && !self.grows(over)
            }
            "range_expression" => {
                let ends: Vec<At> = tree.children(over).collect();
                ends.last().and_then(|end| self.constant(*end)).is_some_and(|end| end <= FEW)
            }
            "integer" | "int_literal" | "identifier" => self.constant(over).is_some_and(|count| count <= FEW),
            _ => {
                let call = self.call(over).filter(|call| {
                    matches!(
                        call.tail(),
                        "range" | "IntStream.range" | "List.of" | "Arrays.asList" | "Set.of"
                    )
                });
                call.is_some_and(|call| match call.name {
                    "range" => call
                        .arguments
                        .iter()
                        .take(2)
                        .all(|at| self.constant(*at).is_some_and(|count| count <= FEW)),
                    _ => call.arguments.len() > 1,
                })
            }
        }
    }

    /// Whether a literal that a variable begins with is added to somewhere in the file.
    fn grows(&self, literal: At) -> bool {
        let Some(name) = self
            .tree
            .parent(literal)
            .and_then(|holder| self.tree.child_of(holder, &["left", "name", "pattern"]))
        else {
            return false;
        };
        let name = self.tree.text(name);
        ["append", "push", "add", "extend", "insert", "unshift"].iter().any(|method| {
            self.calls_of(method).iter().any(|call| {
                let call = self.call(*call);
                call.and_then(|call| call.receiver).is_some_and(|object| self.tree.text(object) == name)
            })
        })
    }

    /// `i < 8` with a literal or a constant on one side.
    fn counts_to_few(&self, condition: At) -> bool {
        let condition = unwrapped(&self.tree, condition);
        let compares = matches!(self.tree.child_text(condition, "operator"), "<" | "<=" | "!=" | ">" | ">=")
            || matches!(self.tree.child_text(condition, "operators"), "<" | "<=" | "!=" | ">" | ">=");
        let upward = matches!(self.tree.child_text(condition, "operator"), "<" | "<=" | "!=")
            || matches!(self.tree.child_text(condition, "operators"), "<" | "<=" | "!=");
        let sides =
            self.tree.children(condition).filter(|child| !self.tree.field(*child).starts_with("operator"));
        compares
            && upward
            && sides
                .last()
                .and_then(|last| self.constant(last))
                .is_some_and(|count| count <= FEW && count > 0)
    }

    pub(super) fn bound_names(&self, at: At) -> Vec<String> {
        let tree = &self.tree;
        let mut names: Vec<String> = Vec::new();
        let mut add = |name: &str| {
            if !name.is_empty() && name != "_" && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        };
        if is_closure(tree.kind(at)) {
            for parameter in parameters(tree, at) {
                tree.inside(parameter)
                    .filter(|name| is_identifier(tree.kind(*name)))
                    .for_each(|name| add(tree.text(name)));
            }
            return names;
        }
        let range = tree.children(at).find(|child| tree.kind(*child) == "range_clause").unwrap_or(at);
        if let Some(left) = tree.child_of(range, &["left", "pattern", "name"]) {
            tree.inside(left)
                .filter(|name| is_identifier(tree.kind(*name)))
                .for_each(|name| add(tree.text(name)));
        }
        if tree.kind(at) == "for_range_loop"
            && let Some(name) = tree.child(at, "declarator").and_then(|declarator| declared(tree, declarator))
        {
            add(tree.text(name));
        }
        if let Some(pattern) = self
            .condition(at)
            .filter(|at| tree.kind(*at) == "let_condition")
            .and_then(|at| tree.child(at, "pattern"))
        {
            tree.inside(pattern)
                .filter(|name| is_identifier(tree.kind(*name)) && tree.field(*name) != "type")
                .for_each(|name| add(tree.text(name)));
        }
        let holder = self.for_clause(at).unwrap_or(at);
        for part in ["initializer", "init", "update", "increment"]
            .iter()
            .filter_map(|field| tree.child(holder, field))
        {
            for node in tree.inside(part) {
                self.written_here(node).into_iter().for_each(|name| add(tree.text(name)));
            }
        }
        names
    }

    /// The variables that one node gives a value to.
    pub(super) fn written_here(&self, at: At) -> Vec<At> {
        let tree = &self.tree;
        let written = match tree.kind(at) {
            "update_expression" | "inc_statement" | "dec_statement" => {
                tree.children(at).find(|child| tree.field(*child) != "operator")
            }
            "variable_declarator" | "init_declarator" | "let_declaration" | "var_spec" => {
                tree.child_of(at, &["name", "declarator", "pattern"])
            }
            "let_condition" => tree.child(at, "pattern"),
            "as_pattern" => tree.child(at, "alias"),
            _ => assignment(tree, at).map(|(left, _, _)| left),
        };
        let Some(written) = written else { return Vec::new() };
        let mut names = Vec::new();
        for name in tree.inside(written) {
            let index = tree.ancestors(name).take_while(|above| *above >= written).any(|above| {
                subscript(tree, above).is_some_and(|(_, index)| tree.inside(index).contains(&name))
            });
            if is_identifier(tree.kind(name)) && !index {
                names.push(name);
            }
        }
        names
    }

    fn ends_early(&self, at: At) -> bool {
        let tree = &self.tree;
        let consumer = |call: &Call<'_>| {
            matches!(
                call.name,
                "any"
                    | "all"
                    | "next"
                    | "some"
                    | "every"
                    | "find"
                    | "findIndex"
                    | "position"
                    | "anyMatch"
                    | "allMatch"
                    | "noneMatch"
                    | "find_if"
                    | "any_of"
                    | "all_of"
                    | "none_of"
                    | "find_map"
            )
        };
        match tree.kind(at) {
            "for_in_clause" => {
                let list = tree.parent(at).filter(|list| tree.kind(*list) == "generator_expression");
                let call =
                    list.and_then(|list| tree.ancestors(list).take(2).find_map(|above| self.call(above)));
                call.is_some_and(|call| consumer(&call))
            }
            kind if is_closure(kind) => self.driver(at).is_some_and(|call| consumer(&call)),
            _ => tree.inside(at).skip(1).any(|inside| self.leaves(at, inside)),
        }
    }

    pub(super) fn leaves(&self, of: At, at: At) -> bool {
        let tree = &self.tree;
        let between = || tree.ancestors(at).take_while(|above| *above != of);
        match tree.kind(at) {
            "return_statement" | "return_expression" => {
                !is_failure(tree.text(at)) && !between().any(|above| is_function(tree.kind(above)))
            }
            "break_statement" | "break_expression" => !between().any(|above| {
                let kind = tree.kind(above);
                is_function(kind) || is_loop(kind) || kind.contains("switch") || kind == "select_statement"
            }),
            _ => false,
        }
    }
}

/// A return because something went wrong, as Go and Rust write it: what was looked for is not found by that.
fn is_failure(statement: &str) -> bool {
    let last = statement.trim_start_matches("return").rsplit(", ").next().unwrap_or_default();
    let last = last.trim().trim_end_matches(';');
    last == "err"
        || ["Err(", "fmt.Errorf(", "errors.New("]
            .iter()
            .any(|begin| statement.contains(&format!(" {begin}")) || last.starts_with(begin))
}

fn inner_is_body(field: &str) -> bool {
    field == "body"
}
