//! Functions of a file: their names, their parameters, and which one a place belongs to.

use std::collections::BTreeSet;

use model::source::{Function, Language};

use super::File;
use super::grammar::{declared, is_call, is_class, is_closure, is_function, shortened};
use super::tree::{At, Tree};

impl File<'_> {
    /// The innermost function around a node that is not the turn of a loop.
    pub(super) fn function_around(&self, at: At) -> Option<At> {
        let own = |above: &At| {
            is_function(self.tree.kind(*above)) && !self.is_callback(*above) && !self.is_called_here(*above)
        };
        self.tree.ancestors(at).find(own)
    }

    /// A function that is called where it is written and runs there, as part of what is around it.
    pub(super) fn is_called_here(&self, closure: At) -> bool {
        let tree = &self.tree;
        if !is_closure(tree.kind(closure)) {
            return false;
        }
        let mut at = closure;
        while let Some(parent) = tree.parent(at) {
            match (tree.kind(parent), tree.field(at)) {
                ("parenthesized_expression", _) => at = parent,
                // The function given to a new promise runs at once.
                ("arguments", _) => {
                    let made = tree.parent(parent).filter(|made| tree.kind(*made) == "new_expression");
                    return made.is_some_and(|made| tree.child_text(made, "constructor") == "Promise");
                }
                ("call_expression" | "call", "function") => {
                    return tree
                        .parent(parent)
                        .is_none_or(|above| !matches!(tree.kind(above), "go_statement" | "defer_statement"));
                }
                _ => return false,
            }
        }
        false
    }

    pub(super) fn function(&self, at: At) -> Function {
        let tree = &self.tree;
        let head = self.head_text(at);
        let is_async = match tree.language {
            Language::Python | Language::Rust | Language::JavaScript | Language::TypeScript => {
                head.split_whitespace().take(4).any(|word| word == "async")
            }
            _ => false,
        };
        Function {
            name: qualified_name(tree, at),
            first_line: tree.first_line(at),
            last_line: tree.last_line(at),
            parameters: parameters(tree, at).into_iter().map(|name| tree.text(name).to_owned()).collect(),
            is_async,
            recursive: self.calls_itself(at),
            single: self.is_single(at),
        }
    }

    fn head_text(&self, at: At) -> &str {
        let end =
            self.tree.child(at, "body").map_or(self.tree.bytes(at).end, |body| self.tree.bytes(body).start);
        self.tree.text_until(at, end)
    }

    fn calls_itself(&self, at: At) -> bool {
        let Some(name) = simple_name(&self.tree, at) else { return false };
        let inside = self.tree.inside(at);
        self.calls_of(name).iter().any(|call| inside.contains(call) && self.target(*call) == Some(at))
    }

    /// The function of this file that a call runs. `None` when there is none, or several that it may be.
    pub(super) fn target(&self, call: At) -> Option<At> {
        let call = self.call(call)?;
        if call.makes || self.imports.knows(call.name) {
            return None;
        }
        let named = self.functions_by_name.get(call.name)?;
        let own = call.receiver.is_some_and(|object| is_self(self.tree.text(object)));
        let fitting = |function: &&At| {
            let class = self.class_around(**function);
            match call.receiver {
                Some(_) if own => class.is_some() && class == self.class_around(call.at),
                Some(_) if is_anybodys(call.name) => false,
                Some(_) => class.is_some() || is_method(&self.tree, **function),
                None => class.is_none() || implicit_receiver(self.tree.language),
            }
        };
        let mut fits = named.iter().filter(fitting);
        match (fits.next(), fits.next()) {
            (Some(one), None) => Some(*one),
            _ => None,
        }
    }

    pub(super) fn class_around(&self, at: At) -> Option<At> {
        self.tree.ancestors(at).find(|above| is_class(self.tree.kind(*above)))
    }

    /// What a function calls, each once.
    pub(super) fn calls_in(&self, function: At) -> Vec<String> {
        let mut calls = BTreeSet::new();
        for at in self.tree.inside(function).filter(|at| is_call(self.tree.kind(*at))) {
            if let Some(call) = self.call(at) {
                let path = call.path.strip_prefix('.').unwrap_or(&call.path);
                calls.insert(shortened(path, 80));
            }
        }
        calls.into_iter().filter(|path| !path.is_empty()).collect()
    }
}

fn is_self(text: &str) -> bool {
    matches!(text, "self" | "this" | "cls")
}

/// Names that many classes of every library have, so that one of this file need not be meant.
fn is_anybodys(name: &str) -> bool {
    const NAMES: &str = "close get set put add append read write open send recv receive next run start stop join wait flush update \
        remove pop push insert find search match matches keys values items copy clear index count sort size length len contains \
        includes has print println log execute query commit connect acquire release lock unlock submit map filter reduce forEach \
        split replace format encode decode load dump parse stringify toString equals hashCode apply call accept test exec iter clone \
        drop poll emit on init main new from into name value key id reset begin end first last peek enqueue dequeue sum min max \
        Read Write Close Get Set Add Len Less Swap Push Pop Error String Lock Unlock Next Scan Exec Query Do Run Start";
    NAMES.split_whitespace().any(|known| known == name)
}

fn implicit_receiver(language: Language) -> bool {
    matches!(language, Language::Java | Language::Cpp)
}

fn is_method(tree: &Tree<'_>, at: At) -> bool {
    tree.child(at, "receiver").is_some() || tree.language == Language::Cpp
}

/// The name without its class.
pub(super) fn simple_name<'t>(tree: &Tree<'t>, at: At) -> Option<&'t str> {
    let name = name_node(tree, at)?;
    tree.text(name).rsplit("::").next()
}

pub(super) fn name_node(tree: &Tree<'_>, at: At) -> Option<At> {
    if let Some(name) = tree.child(at, "name") {
        return Some(name);
    }
    if !is_closure(tree.kind(at)) {
        return declared(tree, tree.child(at, "declarator")?);
    }
    // `const total = (xs) => …` and `{ total: function () … }` name it from outside.
    let parent = tree.parent(at)?;
    match tree.kind(parent) {
        "variable_declarator" | "field_definition" | "public_field_definition" => {
            tree.child_of(parent, &["name", "property"])
        }
        "pair" => tree.child(parent, "key"),
        "init_declarator" => declared(tree, parent),
        "let_declaration" => tree.child(parent, "pattern"),
        "assignment" => tree.child(parent, "left"),
        // `exports.total = function () …`, `Till.prototype.total = function () …`
        "assignment_expression" => {
            let left = tree.child(parent, "left")?;
            match tree.kind(left) {
                "identifier" => Some(left),
                "member_expression" => tree.child(left, "property"),
                _ => None,
            }
        }
        _ => None,
    }
}

fn qualified_name(tree: &Tree<'_>, at: At) -> Option<String> {
    let name = tree.text(name_node(tree, at)?);
    if let Some(receiver) = tree.child(at, "receiver") {
        let owner = tree.inside(receiver).find(|at| tree.kind(*at) == "type_identifier");
        return Some(owner.map_or(name.to_owned(), |owner| format!("{}.{name}", tree.text(owner))));
    }
    let class = tree.ancestors(at).find(|above| is_class(tree.kind(*above)));
    let owner = class.and_then(|class| tree.child_of(class, &["type", "name"]));
    Some(match owner {
        Some(owner) if tree.language == Language::Rust => format!("{}::{name}", tree.text(owner)),
        Some(owner) if tree.language == Language::Cpp => format!("{}::{name}", tree.text(owner)),
        Some(owner) => format!("{}.{name}", tree.text(owner)),
        None => name.to_owned(),
    })
}

/// The names that the parameters bind, in order; `self` and the like are among them.
pub(super) fn parameters(tree: &Tree<'_>, at: At) -> Vec<At> {
    let list = tree.child_of(at, &["parameters", "parameter"]).or_else(|| {
        let mut declarator = tree.child(at, "declarator")?;
        while tree.child(declarator, "parameters").is_none() {
            declarator = tree.child(declarator, "declarator").or_else(|| tree.first_child(declarator))?;
        }
        tree.child(declarator, "parameters")
    });
    let Some(list) = list else { return Vec::new() };
    if tree.kind(list) == "identifier" {
        return vec![list];
    }
    tree.children(list).flat_map(|parameter| parameter_names(tree, parameter)).collect()
}

fn parameter_names(tree: &Tree<'_>, at: At) -> Vec<At> {
    match tree.kind(at) {
        // What is taken apart at once is one parameter, whatever names it gets: `({ id, price }) => …`, `|(id, price)| …`.
        "identifier"
        | "self_parameter"
        | "object_pattern"
        | "array_pattern"
        | "tuple_pattern"
        | "struct_pattern"
        | "tuple_struct_pattern"
        | "slice_pattern"
        | "reference_pattern" => vec![at],
        "typed_parameter" | "list_splat_pattern" | "dictionary_splat_pattern" | "rest_pattern" => {
            tree.inside(at).find(|name| tree.kind(*name) == "identifier").into_iter().collect()
        }
        // Go lists several names before one type.
        _ => {
            let names: Vec<At> = tree.children(at).filter(|child| tree.field(*child) == "name").collect();
            if !names.is_empty() {
                return names;
            }
            let inner = tree.child_of(at, &["pattern", "left", "declarator"]);
            inner.and_then(|inner| declared(tree, inner).or(Some(inner))).into_iter().collect()
        }
    }
}
