//! What a statement does with containers and texts: searching, growing at the front, building anew, copying.

use model::source::{Language, Trait, TraitKind};

use super::File;
use super::calls::Call;
use super::grammar::{
    assignment, is_closure, is_comprehension, is_function, is_identifier, is_script, is_text, member,
    subscript, unwrapped,
};
use super::kinds::Kind;
use super::tree::At;

impl File<'_> {
    /// What a call does with the container it is called on.
    pub(super) fn container_call(&self, call: &Call<'_>, receiver: Kind) -> Option<Trait> {
        let at = call.at;
        if is_length(call) && self.in_condition(at) {
            return Some(self.on(TraitKind::LengthInCondition, at, Kind::Text));
        }
        if self.is_front(call, receiver) {
            return Some(self.on(TraitKind::FrontInsert, at, receiver));
        }
        // Maps that keep an order fill the hole by moving all that come behind it; their other removals are quick.
        let closes = ["shift_remove", "shift_remove_index", "shift_remove_entry", "shift_remove_full"];
        if self.tree.language == Language::Rust && call.receiver.is_some() && closes.contains(&call.name) {
            return Some(self.on(TraitKind::FrontInsert, at, Kind::List));
        }
        if let Some(kind) = self.indexed(call, receiver) {
            return Some(self.on(TraitKind::IndexedLinked, at, kind));
        }
        if let Some(kind) = self.searched(call, receiver) {
            return Some(self.on(TraitKind::Membership, at, kind));
        }
        match (self.tree.language, call.name) {
            (Language::C | Language::Cpp, "strcat" | "strncat") if call.receiver.is_none() => {
                Some(self.on(TraitKind::Concatenation, at, Kind::Text))
            }
            (Language::Python, "copy") if call.receiver.is_some() && call.arguments.is_empty() => {
                Some(self.on(TraitKind::Copy, at, receiver))
            }
            (language, "slice") if is_script(language) && receiver != Kind::Text => {
                Some(self.on(TraitKind::Copy, at, receiver))
            }
            _ => None,
        }
    }

    fn is_front(&self, call: &Call<'_>, receiver: Kind) -> bool {
        let cheap = matches!(
            receiver,
            Kind::Deque | Kind::LinkedList | Kind::Map | Kind::Set | Kind::Text | Kind::Database
        );
        if call.receiver.is_none() || cheap {
            return false;
        }
        let first = call.arguments.first().copied();
        let zero = first.is_some_and(|at| self.tree.text(at) == "0");
        let count = call.arguments.len();
        match (self.tree.language, call.name) {
            (Language::Python, "insert") => zero && count == 2,
            (Language::Python, "pop") => zero && count == 1,
            (Language::JavaScript | Language::TypeScript, "shift") => count == 0,
            (Language::JavaScript | Language::TypeScript, "unshift") => count > 0,
            (Language::JavaScript | Language::TypeScript, "splice") => zero,
            (Language::Java, "add") => zero && count == 2,
            (Language::Java, "remove") => zero && count == 1,
            (Language::Java, "removeFirst" | "addFirst") => receiver == Kind::List,
            (Language::Rust, "insert") => zero && count == 2,
            (Language::Rust, "remove") => zero && count == 1,
            (Language::Rust, "drain") => {
                first.is_some_and(|at| matches!(self.tree.text(at), "..1" | "0..1" | "..=0"))
            }
            (Language::Cpp, "insert" | "erase") => first.and_then(|at| self.call(at)).is_some_and(|first| {
                let object = |at: Option<At>| at.map(|at| self.tree.text(at));
                matches!(first.name, "begin" | "cbegin") && object(first.receiver) == object(call.receiver)
            }),
            _ => false,
        }
    }

    /// Elements taken by number where each step has to be walked.
    fn indexed(&self, call: &Call<'_>, receiver: Kind) -> Option<Kind> {
        match (self.tree.language, call.name) {
            (Language::Java, "get" | "set") if receiver == Kind::LinkedList => Some(Kind::LinkedList),
            (Language::Rust, "nth") => {
                let chain = self.call(unwrapped(&self.tree, call.receiver?))?;
                match chain.name {
                    "chars" | "char_indices" => Some(Kind::Text),
                    "iter" => Some(self.kind_of(chain.receiver?)).filter(|kind| *kind == Kind::LinkedList),
                    _ => None,
                }
            }
            // Libraries whose sequences are chains; GLib's have to be walked to their end for each that is put there.
            (
                Language::C | Language::Cpp,
                "cJSON_GetArrayItem" | "g_list_nth" | "g_list_nth_data" | "g_slist_nth" | "g_slist_nth_data"
                | "g_list_append" | "g_slist_append" | "g_list_last" | "g_slist_last",
            ) => Some(Kind::LinkedList),
            (Language::Cpp, "advance" | "next") if call.receiver.is_none() && call.arguments.len() == 2 => {
                let begin = self.call(*call.arguments.first()?)?;
                Some(self.kind_of(begin.receiver?)).filter(|kind| *kind == Kind::LinkedList)
            }
            _ => None,
        }
    }

    /// What a call searches. `None`: it does not search.
    fn searched(&self, call: &Call<'_>, receiver: Kind) -> Option<Kind> {
        let closure = call.arguments.iter().any(|at| is_closure(self.tree.kind(*at)));
        let container = || self.kind_of(self.collection(call.receiver.unwrap_or(call.at)));
        let searchable = !matches!(receiver, Kind::Database | Kind::Regex | Kind::Http | Kind::File);
        if !searchable {
            return None;
        }
        match (self.tree.language, call.receiver, call.name) {
            (
                Language::JavaScript | Language::TypeScript,
                Some(_),
                "includes" | "indexOf" | "lastIndexOf",
            ) => Some(receiver),
            (
                Language::JavaScript | Language::TypeScript,
                Some(_),
                "find" | "findIndex" | "some" | "findLast" | "every",
            ) if closure => Some(container()),
            (Language::JavaScript | Language::TypeScript, Some(_), "has")
                if matches!(receiver, Kind::Set | Kind::Map) =>
            {
                Some(receiver)
            }
            (Language::Python, Some(_), "index" | "count" | "remove")
                if call.arguments.len() == 1 && receiver != Kind::Set =>
            {
                (call.name != "remove" || receiver == Kind::List).then_some(receiver)
            }
            (Language::Python, Some(_), "find" | "rfind" | "startswith")
                if receiver == Kind::Text && call.name != "startswith" =>
            {
                Some(Kind::Text)
            }
            (Language::Python, None, "any" | "all" | "next") => self.generator_source(call),
            (Language::Java, Some(_), "contains" | "indexOf" | "lastIndexOf") => Some(receiver),
            (Language::Java, Some(_), "containsKey") => Some(Kind::Map),
            (Language::Java, Some(_), "containsValue") => Some(Kind::List),
            (Language::Java, Some(_), "anyMatch" | "noneMatch" | "allMatch") => Some(container()),
            (Language::Rust, Some(_), "contains") => Some(receiver),
            (Language::Rust, Some(_), "contains_key") => Some(Kind::Map),
            (Language::Rust, Some(_), "position" | "any" | "all" | "find" | "rposition" | "find_map")
                if closure =>
            {
                Some(container())
                    .filter(|kind| *kind != Kind::Text || call.name != "find" || receiver != Kind::Text)
            }
            (
                Language::Cpp,
                None,
                "find" | "find_if" | "count" | "count_if" | "any_of" | "none_of" | "all_of" | "contains",
            ) => {
                let begin = call.arguments.first().and_then(|at| self.call(*at))?;
                Some(self.kind_of(begin.receiver?))
            }
            (Language::Cpp, Some(_), "find" | "contains" | "count") => Some(receiver),
            (Language::Go, None, _) | (Language::Go, Some(_), _) => {
                let scans = matches!(
                    call.tail(),
                    "slices.Contains" | "slices.Index" | "slices.ContainsFunc" | "slices.IndexFunc"
                );
                let first = call.arguments.first().copied().filter(|_| scans)?;
                Some(match self.kind_of(first) {
                    // These functions take nothing but slices.
                    Kind::Unknown => Kind::List,
                    kind => kind,
                })
            }
            _ => None,
        }
    }

    fn generator_source(&self, call: &Call<'_>) -> Option<Kind> {
        let generator = call.arguments.first().copied().filter(|at| is_comprehension(self.tree.kind(*at)))?;
        let clause = self.tree.children(generator).find(|child| self.tree.kind(*child) == "for_in_clause")?;
        let over = self.tree.child(clause, "right")?;
        Some(self.kind_of(self.collection(over)))
    }

    /// What an operator, a literal or an assignment does with a container.
    pub(super) fn container_trait(&self, at: At) -> Option<Trait> {
        let tree = &self.tree;
        match tree.kind(at) {
            "comparison_operator" => self.asked_in(at),
            "binary_expression" if is_script(tree.language) && tree.child_text(at, "operator") == "in" => {
                let right = tree.child(at, "right")?;
                Some(self.on(TraitKind::Membership, at, self.kind_of(right)))
            }
            "subscript" => self.sliced(at),
            "delete_statement" => {
                let first = tree
                    .first_child(at)
                    .and_then(|of| subscript(tree, of))
                    .filter(|(_, index)| tree.text(*index) == "0")?;
                let kind = self.kind_of(first.0);
                (kind != Kind::Map && kind != Kind::Deque).then(|| self.on(TraitKind::FrontInsert, at, kind))
            }
            "spread_element" | "dictionary_splat" => self.spread(at),
            _ => self.built_anew(at),
        }
    }

    fn asked_in(&self, at: At) -> Option<Trait> {
        let operator = self.tree.child_text(at, "operators");
        if !matches!(operator, "in" | "not in") {
            return None;
        }
        let right = self.tree.children(at).filter(|child| self.tree.field(*child) != "operators").last()?;
        Some(self.on(TraitKind::Membership, at, self.kind_of(right)))
    }

    /// `xs[1:]` of a list or text copies; `queue[i]` of a deque walks.
    fn sliced(&self, at: At) -> Option<Trait> {
        let (of, index) = subscript(&self.tree, at)?;
        let kind = self.kind_of(of);
        if self.tree.kind(index) == "slice" {
            let written = self.tree.field(at) == "left";
            // `rest = rest[n:]` takes a piece off the front and moves all that is left.
            let text = self.tree.text(index);
            let open = text.matches(':').count() == 1 && text.ends_with(':') && text.len() > 1;
            let rest = open && kind != Kind::Map && self.replaces(at, of);
            let does = if rest { TraitKind::FrontInsert } else { TraitKind::Copy };
            return (!written).then(|| self.on(does, at, kind));
        }
        let end = matches!(self.tree.text(index), "0" | "-1");
        (kind == Kind::Deque && !end).then(|| self.on(TraitKind::IndexedLinked, at, kind))
    }

    /// `[...xs, x]`: a copy, and a concatenation where it replaces `xs` itself.
    fn spread(&self, at: At) -> Option<Trait> {
        let tree = &self.tree;
        let literal = tree
            .parent(at)
            .filter(|parent| matches!(tree.kind(*parent), "array" | "object" | "list" | "dictionary"))?;
        let of = unwrapped(tree, tree.first_child(at)?);
        let kind = match (tree.kind(literal), self.kind_of(of)) {
            ("object", Kind::Unknown) => Kind::Map,
            (_, kind) => kind,
        };
        let does = if self.replaces(literal, of) { TraitKind::Concatenation } else { TraitKind::Copy };
        Some(self.on(does, literal, kind))
    }

    /// Whether an expression becomes the new value of what it was made from: by assignment, or as the next
    /// accumulator of a reduction.
    fn replaces(&self, expression: At, of: At) -> bool {
        let tree = &self.tree;
        let mut below = expression;
        for above in tree.ancestors(expression).take(6) {
            if let Some((left, _, right)) = assignment(tree, above) {
                return tree.inside(right).contains(&expression)
                    && tree.text(unwrapped(tree, left)) == tree.text(of);
            }
            if is_closure(tree.kind(above)) {
                let first = super::functions::parameters(tree, above).first().map(|first| tree.text(*first));
                let reduces = tree
                    .parent(above)
                    .and_then(|list| tree.parent(list))
                    .and_then(|call| self.call(call))
                    .is_some_and(|call| {
                        matches!(call.name, "reduce" | "reduceRight" | "fold" | "accumulate")
                    });
                return reduces && tree.field(below) == "body" && first == Some(tree.text(of));
            }
            let passes = matches!(
                tree.kind(above),
                "parenthesized_expression" | "return_statement" | "statement_block" | "expression_list"
            );
            if !passes {
                return false;
            }
            below = above;
        }
        false
    }

    /// `s += piece`, `acc = acc + x`, `xs = [x] + xs`, `s = f"{s}…"`, `acc = acc.concat(x)` where the old value is copied.
    fn built_anew(&self, at: At) -> Option<Trait> {
        let tree = &self.tree;
        let (left, operator, right) = assignment(tree, at)?;
        let (left, right) = (unwrapped(tree, left), unwrapped(tree, right));
        if !(is_identifier(tree.kind(left))
            || member(tree, left).is_some()
            || subscript(tree, left).is_some())
        {
            return None;
        }
        if is_identifier(tree.kind(left)) && self.begins_anew(at, tree.text(left)) {
            return None;
        }
        if operator == "+=" {
            return self.appended(at, left, right).filter(|_| !self.grows_in_place(left, right));
        }
        if operator != "=" {
            return None;
        }
        let name = tree.text(left);
        let own = |at: At| tree.text(unwrapped(tree, at)) == name;
        if let Some(call) = self.call(right) {
            return self.rebuilt_by_call(at, &call, left);
        }
        let uses_itself = match tree.kind(right) {
            "binary_operator" | "binary_expression" => {
                let sum = matches!(tree.child_text(right, "operator"), "+" | "%");
                sum && tree.inside(right).any(|inside| own(inside) && inside != right)
            }
            "string" | "template_string" => tree.inside(right).any(|inside| {
                matches!(tree.kind(inside), "interpolation" | "template_substitution")
                    && tree.first_child(inside).is_some_and(own)
            }),
            _ => false,
        };
        let kind = match self.kind_of(left) {
            Kind::Unknown | Kind::Null => self.kind_of(right),
            kind => kind,
        };
        if !uses_itself || !matches!(kind, Kind::Text | Kind::List) {
            return None;
        }
        let rightmost = tree.child(right, "right").is_some_and(own);
        let appends = tree.kind(right) == "binary_operator" && tree.child(right, "left").is_some_and(own);
        if kind == Kind::Text && appends && self.grows_in_place(left, right) {
            return None;
        }
        let front = kind == Kind::List && rightmost;
        Some(self.on(if front { TraitKind::FrontInsert } else { TraitKind::Concatenation }, at, kind))
    }

    /// Each turn of the innermost loop gives the variable a first value, so it grows within one turn only.
    fn begins_anew(&self, at: At, name: &str) -> bool {
        let tree = &self.tree;
        let around = self.loops_around(at);
        let Some(body) = around.first().and_then(|around| tree.child(*around, "body")) else { return false };
        // Go's blocks hold one list.
        let body = tree.children(body).find(|child| tree.kind(*child) == "statement_list").unwrap_or(body);
        let named = |at: At| is_identifier(tree.kind(at)) && tree.text(at) == name;
        let sets = |inside: At| {
            let fresh = match assignment(tree, inside) {
                Some((_, operator, right)) => {
                    matches!(operator, "=" | ":=") && !tree.inside(right).any(named)
                }
                None => true,
            };
            fresh && self.written_here(inside).into_iter().any(named)
        };
        // Not in a branch: that may be seldom taken.
        let is_plain = |kind: &str| {
            kind == "expression_statement" || kind.contains("assignment") || kind.ends_with("declaration")
        };
        tree.children(body)
            .take_while(|statement| !tree.inside(*statement).contains(&at))
            .filter(|statement| is_plain(tree.kind(*statement)) && !is_function(tree.kind(*statement)))
            .any(|statement| tree.inside(statement).any(sets))
    }

    /// CPython appends to a text in place where nothing but a local variable of a function has it: `BINARY_OP_INPLACE_ADD_UNICODE` of
    /// 3.11, which wants the next instruction to be `STORE_FAST`, and `unicode_concatenate` before. Attributes, elements, globals,
    /// variables that an inner function sees too, and bytes are copied each time.
    fn grows_in_place(&self, left: At, right: At) -> bool {
        let tree = &self.tree;
        let name = tree.text(left);
        let named = |at: At| is_identifier(tree.kind(at)) && tree.text(at) == name;
        let local = tree.language == Language::Python && is_identifier(tree.kind(left));
        let Some(function) = self.function_around(left).filter(|_| local) else { return false };
        let inside = || tree.inside(function);
        let elsewhere = ["global_statement", "nonlocal_statement"];
        let shares = |at: At| {
            let kind = tree.kind(at);
            let inner = is_function(kind) || is_comprehension(kind);
            (elsewhere.contains(&kind) || inner && at != function) && tree.inside(at).any(named)
        };
        let given = |at: At| assignment(tree, at).filter(|(left, ..)| named(unwrapped(tree, *left)));
        let mut values = inside().filter_map(given).map(|(.., value)| value).chain([right]);
        !inside().any(shares) && !values.any(|value| is_bytes(tree.text(value)))
    }

    fn appended(&self, at: At, left: At, right: At) -> Option<Trait> {
        // Rust and C++ grow texts in place; C has no such operator on texts.
        if matches!(self.tree.language, Language::Rust | Language::Cpp | Language::C) {
            return None;
        }
        let kind = match self.kind_of(left) {
            Kind::Unknown | Kind::Null => self.kind_of(right),
            kind => kind,
        };
        let text = kind == Kind::Text || is_text(self.tree.kind(right)) && kind == Kind::Unknown;
        text.then(|| self.on(TraitKind::Concatenation, at, Kind::Text))
    }

    /// `acc = acc.concat(x)`, `s = format!("{s}{x}")`, `s = fmt.Sprintf("%s%s", s, x)`, `acc = Object.assign({}, acc, x)`.
    fn rebuilt_by_call(&self, at: At, call: &Call<'_>, left: At) -> Option<Trait> {
        let tree = &self.tree;
        let name = tree.text(left);
        let among = || call.arguments.iter().any(|argument| tree.text(unwrapped(tree, *argument)) == name);
        let kind = match (tree.language, call.name) {
            (language, "concat") if is_script(language) || language == Language::Java => {
                call.receiver.is_some_and(|object| tree.text(object) == name).then(|| self.kind_of(left))?
            }
            // `df = pd.concat([df, part])`, `xs = np.append(xs, x)`.
            (Language::Python, "concat" | "concatenate" | "append" | "vstack" | "hstack")
                if call.receiver.is_some() =>
            {
                let mut names = call.arguments.iter().flat_map(|at| tree.inside(*at));
                names.any(|at| tree.text(at) == name).then_some(Kind::List)?
            }
            (Language::Rust, "format") => among().then_some(Kind::Text)?,
            (Language::Go, "Sprintf" | "Sprint") => among().then_some(Kind::Text)?,
            (Language::Java, "format") => among().then_some(Kind::Text)?,
            (language, "assign") if is_script(language) && call.path == "Object.assign" => {
                let fresh = call.arguments.first().is_some_and(|first| tree.text(*first) != name);
                (fresh && among()).then_some(Kind::Map)?
            }
            // `xs = append([]T{x}, xs...)` moves everything.
            (Language::Go, "append") => {
                let behind = call
                    .arguments
                    .get(1)
                    .is_some_and(|second| tree.text(*second).trim_end_matches("...") == name);
                return behind.then(|| self.on(TraitKind::FrontInsert, at, Kind::List));
            }
            _ => return None,
        };
        Some(self.on(TraitKind::Concatenation, at, kind))
    }
}

/// Begins as bytes of Python do, or ends as a text that is made into some.
fn is_bytes(text: &str) -> bool {
    let prefix = text.split(['"', '\'']).next().unwrap_or_default();
    let literal =
        prefix.len() < text.len() && matches!(prefix.to_ascii_lowercase().as_str(), "b" | "br" | "rb");
    literal || text.starts_with("bytes(") || text.contains(".encode(")
}

fn is_length(call: &Call<'_>) -> bool {
    let native = call.receiver.is_none() && matches!(call.name, "strlen" | "wcslen" | "strnlen");
    native
        || call.name == "count"
            && call.path.ends_with(".count")
            && call.arguments.is_empty()
            && call.receiver.is_some()
}
