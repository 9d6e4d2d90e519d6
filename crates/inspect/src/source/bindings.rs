//! What the names of a file hold: every place that gives a name a value, and the kind that all of them agree on.

use std::collections::HashMap;

use model::source::Language;

use super::File;
use super::functions::parameters;
use super::grammar::{
    assignment, declared, is_class, is_comprehension, is_function, is_identifier, is_number, is_text, member,
    unwrapped,
};
use super::kinds::{Kind, of_type};
use super::library;
use super::tree::{At, Tree};

/// How many names are followed from one to the next.
const HOPS: u32 = 6;

/// How many expressions are looked at for one question, so that names which are given values from each other a hundred
/// times cost no more than a glance.
const MOST_STEPS: u32 = 1000;

/// One place that gives a name something.
struct Binding {
    /// The function or class it lies in; `None` at the top level.
    scope: Option<At>,
    class: Option<At>,
    written: Written,
}

enum Written {
    Value(At),
    /// The declared type: its node, and what the declarator adds to it.
    Type {
        at: At,
        declarator: Option<At>,
        value: Option<At>,
    },
    /// A parameter without a type: the function and its number.
    Parameter(At, usize),
    /// Loop variables, unpacked tuples, imports.
    Other,
}

/// Names of variables, and names of members with a dot before them.
#[derive(Default)]
pub(super) struct Bindings(HashMap<String, Vec<Binding>>);

impl Bindings {
    pub(super) fn read(tree: &Tree<'_>) -> Self {
        let mut bindings = Self::default();
        for at in tree.all() {
            bindings.node(tree, at);
        }
        bindings
    }

    fn node(&mut self, tree: &Tree<'_>, at: At) {
        if let Some((left, operator, right)) = assignment(tree, at) {
            return match (tree.child(at, "type"), operator) {
                (Some(ty), _) => {
                    self.add(tree, left, Written::Type { at: ty, declarator: None, value: Some(right) });
                }
                (None, "=" | ":=") => self.pairs(tree, left, right),
                // `x += y` leaves the kind as it was.
                _ => {}
            };
        }
        match tree.kind(at) {
            "assignment" => {
                if let (Some(name), Some(ty)) = (tree.child(at, "left"), tree.child(at, "type")) {
                    self.add(tree, name, Written::Type { at: ty, declarator: None, value: None });
                }
            }
            "variable_declarator"
            | "let_declaration"
            | "var_spec"
            | "const_spec"
            | "field_definition"
            | "public_field_definition"
            | "const_item"
            | "static_item"
            | "resource"
            | "init_declarator"
            | "field_declaration"
            | "declaration"
            | "property_signature" => self.declaration(tree, at),
            "preproc_def" | "enumerator" => {
                if let (Some(name), Some(value)) = (tree.child(at, "name"), tree.child(at, "value")) {
                    self.add(tree, name, Written::Value(value));
                }
            }
            "as_pattern" => {
                let target = tree.child(at, "alias").and_then(|alias| tree.first_child(alias));
                if let (Some(target), Some(value)) = (target, tree.first_child(at)) {
                    self.add(tree, target, Written::Value(value));
                }
            }
            "for_in_clause" | "for_statement" | "for_in_statement" | "range_clause" | "for_expression" => {
                if let Some(left) = tree.child_of(at, &["left", "pattern"]) {
                    self.others(tree, left);
                }
            }
            "enhanced_for_statement" | "for_range_loop" => self.loop_variable(tree, at),
            kind if is_function(kind) => self.parameters(tree, at),
            _ => {}
        }
    }

    fn pairs(&mut self, tree: &Tree<'_>, left: At, right: At) {
        if !matches!(tree.kind(left), "expression_list" | "pattern_list" | "tuple_pattern") {
            return self.add(tree, left, Written::Value(right));
        }
        let names: Vec<At> = tree.children(left).collect();
        let values: Vec<At> = tree.children(right).collect();
        let paired = names.len() == values.len() && tree.kind(right) == "expression_list";
        for (index, name) in names.iter().enumerate() {
            // Go: the first of several results is what the call is named for, the rest is the error.
            let first = index == 0 && tree.language == Language::Go;
            let value = if paired { values.get(index) } else { values.first().filter(|_| first) };
            self.add(tree, *name, value.map_or(Written::Other, |value| Written::Value(*value)));
        }
    }

    fn declaration(&mut self, tree: &Tree<'_>, at: At) {
        let value = tree.child(at, "value");
        let outer =
            tree.parent(at).filter(|_| matches!(tree.kind(at), "variable_declarator" | "init_declarator"));
        let ty = tree.child(at, "type").or_else(|| outer.and_then(|outer| tree.child(outer, "type")));
        let untyped = |ty: &At| matches!(tree.text(*ty), "var" | "auto" | "const auto");
        for declarator in tree
            .children(at)
            .filter(|child| matches!(tree.field(*child), "name" | "declarator" | "pattern" | "property"))
        {
            // Those with a value stand in the table by themselves.
            if matches!(tree.kind(declarator), "init_declarator" | "variable_declarator") {
                continue;
            }
            let name = declared(tree, declarator).unwrap_or(declarator);
            let written = match (ty.filter(|ty| !untyped(ty)), value) {
                (Some(ty), value) => Written::Type { at: ty, declarator: Some(declarator), value },
                (None, Some(value)) => Written::Value(first_of(tree, value)),
                (None, None) => Written::Other,
            };
            self.add(tree, name, written);
        }
    }

    fn loop_variable(&mut self, tree: &Tree<'_>, at: At) {
        let Some(declarator) = tree.child_of(at, &["name", "declarator"]) else { return };
        let name = declared(tree, declarator).unwrap_or(declarator);
        let ty = tree.child(at, "type").filter(|ty| !matches!(tree.text(*ty), "var" | "auto"));
        let typed = ty.map(|at| Written::Type { at, declarator: Some(declarator), value: None });
        self.add(tree, name, typed.unwrap_or(Written::Other));
    }

    fn others(&mut self, tree: &Tree<'_>, pattern: At) {
        for name in tree.inside(pattern).filter(|at| is_identifier(tree.kind(*at))) {
            self.add(tree, name, Written::Other);
        }
    }

    fn parameters(&mut self, tree: &Tree<'_>, function: At) {
        for (index, name) in parameters(tree, function).into_iter().enumerate() {
            let list = |above: &At| matches!(tree.field(*above), "parameters" | "parameter" | "receiver");
            let whole = tree.ancestors(name).take_while(|above| !list(above)).last();
            let ty = whole.and_then(|whole| tree.child(whole, "type"));
            let default = whole.and_then(|whole| tree.child_of(whole, &["value", "right"]));
            let splat = whole.unwrap_or(name);
            let written = match (ty, default) {
                (Some(at), value) => Written::Type { at, declarator: tree.child(splat, "declarator"), value },
                (None, Some(value)) if tree.kind(value) != "none" => Written::Value(value),
                _ if tree.kind(splat) == "list_splat_pattern" => Written::Other,
                _ => Written::Parameter(function, index),
            };
            let binding = Binding { scope: Some(function), class: None, written };
            self.0.entry(tree.text(name).to_owned()).or_default().push(binding);
        }
    }

    fn add(&mut self, tree: &Tree<'_>, name: At, written: Written) {
        let class = tree.ancestors(name).find(|above| is_class(tree.kind(*above)));
        let scope =
            tree.ancestors(name).find(|above| is_function(tree.kind(*above)) || is_class(tree.kind(*above)));
        let in_body = scope.is_some_and(|scope| is_class(tree.kind(scope)));
        let field = in_body || matches!(tree.kind(name), "field_identifier" | "property_identifier");
        let key = match member(tree, name) {
            Some((_, member)) => format!(".{member}"),
            None if field => format!(".{}", tree.text(name)),
            None if is_identifier(tree.kind(name)) => tree.text(name).to_owned(),
            None => return,
        };
        self.0.entry(key).or_default().push(Binding { scope, class, written });
    }
}

/// Go writes even one value as a list.
fn first_of(tree: &Tree<'_>, value: At) -> At {
    if tree.kind(value) == "expression_list" { tree.first_child(value).unwrap_or(value) } else { value }
}

impl File<'_> {
    /// What an expression is, as far as this file tells.
    pub(super) fn kind_of(&self, at: At) -> Kind {
        self.steps_left.set(MOST_STEPS);
        self.kind_within(at, HOPS)
    }

    fn kind_within(&self, at: At, hops: u32) -> Kind {
        let tree = &self.tree;
        let at = unwrapped(tree, at);
        let kind = tree.kind(at);
        let Some((hops, steps)) = hops.checked_sub(1).zip(self.steps_left.get().checked_sub(1)) else {
            return Kind::Unknown;
        };
        self.steps_left.set(steps);
        match kind {
            _ if is_text(kind) => Kind::Text,
            _ if is_number(kind) => Kind::Number,
            "list"
            | "tuple"
            | "list_comprehension"
            | "array"
            | "array_expression"
            | "array_creation_expression"
            | "array_initializer"
            | "slice_type" => Kind::List,
            "set" | "set_comprehension" => Kind::Set,
            "dictionary" | "dictionary_comprehension" | "object" | "map_type" => Kind::Map,
            "regex" => Kind::Regex,
            "none" | "null" | "nil" | "undefined" => Kind::Null,
            "composite_literal"
            | "type_conversion_expression"
            | "cast_expression"
            | "compound_literal_expression" => {
                tree.child(at, "type").map_or(Kind::Unknown, |ty| of_type(tree.language, tree.text(ty)))
            }
            "binary_operator" | "binary_expression" => self.sum(at, hops),
            "slice_expression" => {
                tree.child(at, "operand").map_or(Kind::Unknown, |of| self.kind_within(of, hops))
            }
            "subscript" => self.slice(at, hops),
            "conditional_expression" | "ternary_expression" => {
                let sides = tree.children(at).filter(|child| tree.field(*child) != "condition");
                Kind::agreed(sides.map(|side| self.kind_within(side, hops)))
            }
            _ if is_identifier(kind) => self.variable(at, hops),
            _ if member(tree, at).is_some() => self.member(at, hops),
            _ => self.result(at, hops),
        }
    }

    /// `a + b` is what both are. `"%s" % x` is text.
    fn sum(&self, at: At, hops: u32) -> Kind {
        let (Some(left), Some(right)) = (self.tree.child(at, "left"), self.tree.child(at, "right")) else {
            return Kind::Unknown;
        };
        let left = self.kind_within(left, hops);
        match self.tree.child_text(at, "operator") {
            "+" if left == Kind::Unknown => self.kind_within(right, hops),
            "+" if self.kind_within(right, hops) == Kind::Text => Kind::Text,
            "+" => left,
            "%" | "*" if left == Kind::Text => Kind::Text,
            "-" | "*" | "/" | "%" | "//" | "**" | "<<" | ">>" => {
                if left == Kind::Set {
                    Kind::Set
                } else {
                    Kind::Number
                }
            }
            _ => Kind::Unknown,
        }
    }

    /// A slice is what it was taken from; an element is not known.
    fn slice(&self, at: At, hops: u32) -> Kind {
        let slice = self.tree.children(at).any(|child| self.tree.kind(child) == "slice");
        match self.tree.first_child(at) {
            Some(of) if slice => self.kind_within(of, hops),
            _ => Kind::Unknown,
        }
    }

    fn variable(&self, at: At, hops: u32) -> Kind {
        let tree = &self.tree;
        let name = tree.text(at);
        let found = self.bindings.0.get(name).map(Vec::as_slice).unwrap_or_default();
        let functions = tree.ancestors(at).filter(|above| is_function(tree.kind(*above))).map(Some);
        for scope in functions.chain([None]) {
            let mut here = found.iter().filter(|binding| binding.scope == scope).peekable();
            if here.peek().is_some() {
                return Kind::agreed(here.map(|binding| self.bound_to(binding, name, hops)));
            }
            // The variable of a comprehension is nobody else's.
            if scope.is_some()
                && tree
                    .ancestors(at)
                    .any(|above| is_comprehension(tree.kind(above)) && self.binds(above, name))
            {
                return Kind::Unknown;
            }
        }
        self.members(name, self.class_around(at), hops)
    }

    fn binds(&self, comprehension: At, name: &str) -> bool {
        let clauses =
            self.tree.children(comprehension).filter(|child| self.tree.kind(*child) == "for_in_clause");
        clauses.filter_map(|clause| self.tree.child(clause, "left")).any(|left| {
            self.tree.inside(left).any(|at| self.tree.kind(at) == "identifier" && self.tree.text(at) == name)
        })
    }

    fn member(&self, at: At, hops: u32) -> Kind {
        let Some((object, name)) = member(&self.tree, at) else { return Kind::Unknown };
        let own = matches!(self.tree.text(object), "self" | "this" | "cls" | "(*this)");
        let class = self.class_around(at).filter(|_| own);
        self.members(name, class, hops)
    }

    /// What members of that name are: of the class where it has some, of all classes of the file otherwise.
    fn members(&self, name: &str, class: Option<At>, hops: u32) -> Kind {
        let found = self.bindings.0.get(&format!(".{name}")).map(Vec::as_slice).unwrap_or_default();
        let own: Vec<&Binding> =
            found.iter().filter(|binding| class.is_some() && binding.class == class).collect();
        if own.is_empty() {
            return Kind::agreed(found.iter().map(|binding| self.bound(binding, hops)));
        }
        Kind::agreed(own.into_iter().map(|binding| self.bound(binding, hops)))
    }

    /// `x = x + y` says no more about `x` than its other values do.
    fn bound_to(&self, binding: &Binding, name: &str, hops: u32) -> Kind {
        let kind = self.bound(binding, hops);
        let Written::Value(value) = binding.written else { return kind };
        let itself = |at: At| self.tree.kind(at) == "identifier" && self.tree.text(at) == name;
        if kind == Kind::Unknown && self.tree.inside(value).any(itself) { Kind::Null } else { kind }
    }

    fn bound(&self, binding: &Binding, hops: u32) -> Kind {
        match binding.written {
            Written::Value(value) => self.kind_within(value, hops),
            Written::Type { at, declarator, value } => self.typed(at, declarator, value, hops),
            Written::Parameter(function, index) => self.passed(function, index, hops),
            Written::Other => Kind::Unknown,
        }
    }

    fn typed(&self, ty: At, declarator: Option<At>, value: Option<At>, hops: u32) -> Kind {
        let text = self.tree.text(ty);
        let declarator = declarator.map(|at| self.tree.kind(at)).unwrap_or_default();
        if matches!(self.tree.language, Language::C | Language::Cpp) {
            let indirect = matches!(declarator, "pointer_declarator" | "array_declarator");
            return match (of_type(self.tree.language, text), declarator) {
                _ if text.ends_with("char") && indirect => Kind::Text,
                (_, "array_declarator") => Kind::List,
                (Kind::Number, "pointer_declarator") => Kind::Unknown,
                (_, "function_declarator") if !of_type(self.tree.language, text).is_made() => Kind::Unknown,
                (kind, _) => kind,
            };
        }
        let declared = of_type(self.tree.language, text);
        // A `List` may be a linked one: what was put in says more than the interface.
        let precise = value.map(|value| self.kind_within(value, hops)).unwrap_or_default();
        match (declared, precise) {
            (Kind::List | Kind::Deque, Kind::LinkedList) => Kind::LinkedList,
            (Kind::Unknown, Kind::Null) => Kind::Unknown,
            (Kind::Unknown, precise) => precise,
            (declared, _) => declared,
        }
    }

    /// What all callers in this file pass for a parameter.
    fn passed(&self, function: At, index: usize, hops: u32) -> Kind {
        let Some(hops) = hops.checked_sub(1) else { return Kind::Unknown };
        let Some(name) = super::functions::simple_name(&self.tree, function) else { return Kind::Unknown };
        let first =
            parameters(&self.tree, function).first().map(|first| self.tree.text(*first)).unwrap_or_default();
        let bound = matches!(first.trim_start_matches("&mut ").trim_start_matches('&'), "self" | "cls");
        let Some(index) = index.checked_sub(usize::from(bound)) else { return Kind::Unknown };
        let inside = self.tree.inside(function);
        let calls = self.calls_of(name).iter().filter(|call| !inside.contains(call));
        let calls = calls.filter(|call| self.target(**call) == Some(function));
        Kind::agreed(calls.map(|call| {
            let arguments = self.call(*call).map(|call| call.arguments).unwrap_or_default();
            let keyword =
                arguments.iter().any(|at| matches!(self.tree.kind(*at), "keyword_argument" | "list_splat"));
            arguments.get(index).filter(|_| !keyword).map_or(Kind::Unknown, |at| self.kind_within(*at, hops))
        }))
    }

    /// What a call gives.
    fn result(&self, at: At, hops: u32) -> Kind {
        let Some(call) = self.call(at) else { return Kind::Unknown };
        let language = self.tree.language;
        if call.makes {
            return of_type(
                language,
                self.tree
                    .child_of(at, &["type", "constructor"])
                    .map(|ty| self.tree.text(ty))
                    .unwrap_or_default(),
            );
        }
        if let Some(function) = self.target(at) {
            let ty = self.tree.child_of(function, &["return_type", "type", "result"]);
            return ty.map_or(Kind::Unknown, |ty| of_type(language, self.tree.text(ty)));
        }
        let receiver = call.receiver.map(|object| self.kind_within(object, hops)).unwrap_or_default();
        let known = library::find(language, &call, receiver).map(|entry| entry.gives).unwrap_or_default();
        if known != Kind::Unknown {
            return known;
        }
        match (language, call.name) {
            (Language::Go, "make" | "append" | "new") => {
                let first = call.arguments.first().copied();
                let kind = first.map_or(Kind::Unknown, |first| of_type(language, self.tree.text(first)));
                if kind != Kind::Unknown || call.name != "append" { kind } else { Kind::List }
            }
            (Language::Rust, "collect" | "parse" | "sum" | "into") => {
                let ty = self
                    .tree
                    .child(at, "function")
                    .and_then(|callee| self.tree.child(callee, "type_arguments"));
                ty.map_or(Kind::Unknown, |ty| of_type(language, self.tree.text(ty).trim_matches(['<', '>'])))
            }
            // `Vec::new()`, `HashMap::with_capacity(8)`, `std::vector<int>(8)`, `set()`.
            (
                Language::Rust,
                "new" | "with_capacity" | "from" | "default" | "from_iter" | "open" | "create",
            ) => of_type(language, call.path.rsplit_once('.').map_or("", |(owner, _)| owner)),
            (Language::Python | Language::Cpp, name) if call.receiver.is_none() => of_type(language, name),
            (_, name) if is_same(name) => receiver,
            _ => Kind::Unknown,
        }
    }

    /// Whether a name that is written to is a member without its object, or a variable of the whole file. Python would need
    /// to declare that.
    pub(super) fn outlives(&self, at: At) -> bool {
        let name = self.tree.text(at);
        let bare = matches!(self.tree.language, Language::Java | Language::Cpp);
        let top = |known: &Vec<Binding>| known.iter().any(|one| one.scope.is_none());
        self.tree.language != Language::Python
            && (bare && self.bindings.0.contains_key(&format!(".{name}"))
                || self.bindings.0.get(name).is_some_and(top))
    }

    /// Every place that gives a value to a variable of that name, or to a member where no variable has it.
    fn bindings_of(&self, at: At) -> &[Binding] {
        let name = member(&self.tree, at).map_or(self.tree.text(at), |(_, member)| member);
        let plain = self.bindings.0.get(name).filter(|_| member(&self.tree, at).is_none());
        plain.or_else(|| self.bindings.0.get(&format!(".{name}"))).map(Vec::as_slice).unwrap_or_default()
    }

    /// The type that a variable or member was declared with, as it is written.
    pub(super) fn declared_type(&self, at: At) -> Option<&str> {
        self.bindings_of(at).iter().find_map(|binding| match binding.written {
            Written::Type { at, .. } => Some(self.tree.text(at)),
            _ => None,
        })
    }

    /// The integer that a name or literal stands for, when nothing else is ever put there.
    pub(super) fn constant(&self, at: At) -> Option<u64> {
        let at = unwrapped(&self.tree, at);
        if is_number(self.tree.kind(at)) {
            return number(self.tree.text(at));
        }
        let [one] = self.bindings_of(at) else { return None };
        let (Written::Value(value) | Written::Type { value: Some(value), .. }) = one.written else {
            return None;
        };
        let value = first_of(&self.tree, value);
        let literal = is_number(self.tree.kind(value)) || self.tree.kind(value) == "preproc_arg";
        literal.then(|| number(self.tree.text(value))).flatten()
    }

    /// The value of a name that is bound once in the file, or the expression itself.
    pub(super) fn single_value(&self, at: At) -> At {
        let at = unwrapped(&self.tree, at);
        match self.bindings_of(at) {
            [Binding { written: Written::Value(value) | Written::Type { value: Some(value), .. }, .. }] => {
                unwrapped(&self.tree, first_of(&self.tree, *value))
            }
            _ => at,
        }
    }
}

impl Kind {
    /// Declared with parentheses, as in `std::lock_guard<std::mutex> guard(lock)`, it is still an object.
    fn is_made(self) -> bool {
        !matches!(self, Self::Unknown | Self::Number)
    }
}

/// Calls that give what they were called on, or a view or copy of it.
fn is_same(name: &str) -> bool {
    matches!(
        name,
        "clone"
            | "copy"
            | "unwrap"
            | "expect"
            | "as_ref"
            | "as_mut"
            | "iter"
            | "iter_mut"
            | "into_iter"
            | "borrow"
            | "borrow_mut"
            | "to_owned"
            | "stream"
            | "as_slice"
            | "as_str"
            | "slice"
            | "unwrap_or_default"
            | "concat"
            | "filter"
            | "reverse"
            | "lines"
            | "parallelStream"
            | "cbegin"
            | "begin"
    )
}

fn number(text: &str) -> Option<u64> {
    let plain: String = text.chars().filter(|letter| *letter != '_').collect();
    let digits = plain.trim().trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let plain = plain.trim();
    plain.parse().or_else(|_| digits.parse()).ok()
}
