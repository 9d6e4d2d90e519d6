//! What a statement does: each call, operator and loop that means something for the time it takes.

use model::source::{Language, Trait, TraitKind};

use super::File;
use super::calls::{Call, unquoted};
use super::grammar::{
    is_call, is_closure, is_comprehension, is_identifier, is_number, is_script, is_text, is_ticking, member,
    shortened, unwrapped,
};
use super::kinds::{Kind, of_type};
use super::library;
use super::regex::nested_quantifier;
use super::tree::At;

pub(super) const MOST_TEXT: usize = 100;

impl File<'_> {
    pub(super) fn traits_of(&self, statements: &[At]) -> Vec<Trait> {
        let mut traits: Vec<Trait> = Vec::new();
        for statement in statements {
            for at in self.own_nodes(*statement) {
                traits.extend(self.traits_at(at));
            }
            traits.extend(self.arithmetic(*statement));
            traits.extend(self.searching(*statement));
            traits.extend(self.inner_loops(*statement));
            traits.extend(self.picking(*statement));
        }
        let mut seen = std::collections::HashSet::new();
        traits.retain(|one| seen.insert((one.kind, one.line, one.text.clone())));
        traits
    }

    pub(super) fn plain(&self, kind: TraitKind, at: At) -> Trait {
        Trait {
            kind,
            line: self.tree.first_line(at),
            text: shortened(self.tree.text(at), MOST_TEXT),
            loop_depth: u32::try_from(self.loops_around(at).len()).unwrap_or(u32::MAX),
            container: None,
            pattern: None,
            nested_quantifier: None,
            bytes: None,
            same_collection: None,
            bounded: None,
            invariant: None,
        }
    }

    pub(super) fn on(&self, kind: TraitKind, at: At, container: Kind) -> Trait {
        Trait { container: Some(container.container()), ..self.plain(kind, at) }
    }

    fn traits_at(&self, at: At) -> Vec<Trait> {
        let tree = &self.tree;
        let kind = tree.kind(at);
        if is_call(kind) {
            return self.call(at).map(|call| self.call_traits(&call)).unwrap_or_default();
        }
        let mut found: Vec<Trait> = self.container_trait(at).into_iter().chain(self.boxing(at)).collect();
        let simple = match kind {
            "await" | "await_expression" => Some(TraitKind::Await),
            "for_in_statement" | "for_statement"
                if ["for await", "async for"].iter().any(|begin| tree.text(at).starts_with(begin)) =>
            {
                Some(TraitKind::Await)
            }
            "raise_statement" | "throw_statement" | "except_clause" | "catch_clause" => {
                Some(TraitKind::Exception)
            }
            "import_statement" | "import_from_statement" => Some(TraitKind::Import),
            "go_statement" => Some(TraitKind::ThreadStart),
            "synchronized_statement" => Some(TraitKind::Lock),
            "array_creation_expression" => Some(TraitKind::Allocate),
            "composite_literal"
                if tree.parent(at).is_some_and(|parent| tree.kind(parent) == "unary_expression") =>
            {
                Some(TraitKind::Allocate)
            }
            "array" | "object" if is_script(tree.language) && !self.loops_around(at).is_empty() => {
                Some(TraitKind::Allocate)
            }
            "with_item" if tree.child(at, "value").is_some_and(|value| self.kind_of(value) == Kind::Lock) => {
                Some(TraitKind::Lock)
            }
            // `for line in file` reads.
            "for_statement"
                if tree.child(at, "right").is_some_and(|over| self.kind_of(over) == Kind::File) =>
            {
                Some(TraitKind::Read)
            }
            // `<-ticker.C`: the clock says when.
            "unary_expression" if is_ticking(tree.language, tree.text(at)) => Some(TraitKind::Sleep),
            "declaration" => return self.made_by_declaration(at),
            "binary_expression"
                if tree.language == Language::Cpp && tree.child_text(at, "operator") == "<<" =>
            {
                return self.streamed(at);
            }
            _ => None,
        };
        found.extend(simple.map(|simple| {
            let head = tree.text(at).lines().next().unwrap_or_default();
            let plain = self.plain(simple, at);
            let loop_depth =
                if simple == TraitKind::Await { self.turns_that_wait(at) } else { plain.loop_depth };
            Trait { text: shortened(head, MOST_TEXT), loop_depth, ..plain }
        }));
        found
    }

    /// Loops whose next turn waits for this one: who runs an asynchronous function for each element has a promise of each at
    /// once, and goes on.
    fn turns_that_wait(&self, at: At) -> u32 {
        let tree = &self.tree;
        // In a fold each turn may await what the one before gives.
        let is_handed_out =
            |closure: At| self.driver(closure).is_some_and(|call| !call.name.starts_with("reduce"));
        let is_asynchronous = |above: &At| {
            tree.kind(*above) == "async_block"
                || is_closure(tree.kind(*above))
                    && tree.text(*above).starts_with("async")
                    && is_handed_out(*above)
        };
        let around = self.loops_around(at);
        let outside = tree.ancestors(at).find(is_asynchronous).map(|apart| {
            let own = around.iter().filter(|one| **one == apart).count();
            self.loops_around(apart).len() + own
        });
        u32::try_from(around.len().saturating_sub(outside.unwrap_or(0))).unwrap_or(u32::MAX)
    }

    fn call_traits(&self, call: &Call<'_>) -> Vec<Trait> {
        let mut found = Vec::new();
        let target = self.target(call.at);
        let receiver = call.receiver.map(|object| self.kind_of(object)).unwrap_or_default();
        let known = library::find(self.tree.language, call, receiver).filter(|_| target.is_none());
        let does = known.and_then(|group| group.does).filter(|does| self.really_does(*does, call));
        if let Some(does) = does.or_else(|| self.queried(call)) {
            found.push(self.known_trait(does, call, receiver));
        }
        if let Some(special) =
            self.container_call(call, receiver).filter(|_| target.is_none() || call.receiver.is_some())
        {
            found.retain(|one| one.kind != special.kind);
            found.push(special);
        }
        found.extend(self.extreme_call(call).filter(|_| target.is_none()));
        found.extend(self.regex_by_text(call, receiver));
        found.extend(self.iterated_matcher(call));
        found.extend(self.boxing_call(call));
        if target.is_some() && self.function_around(call.at) == target {
            found.push(self.plain(TraitKind::Recursion, call.at));
        }
        if let Some(function) = target {
            found.extend(self.copied_arguments(call, function));
        }
        if self.tree.language == Language::Cpp && call.receiver.is_none() && found.is_empty() {
            found.extend(self.copy_made(call));
        }
        if call.makes && found.is_empty() {
            found.push(self.plain(TraitKind::Allocate, call.at));
        }
        let invariant = self.invariant(call);
        for one in &mut found {
            one.invariant = invariant;
        }
        let hoistable = found.iter().all(|one| may_be_hoisted(one.kind))
            && !matches!(receiver, Kind::File | Kind::Socket);
        if invariant == Some(true) && hoistable && self.is_repeated(call) {
            found.push(Trait { invariant, ..self.plain(TraitKind::InvariantCall, call.at) });
        }
        found
    }

    /// Rows of the library that hold only with certain arguments.
    fn really_does(&self, does: TraitKind, call: &Call<'_>) -> bool {
        match does {
            // `list()` makes something new, `set(…)` of a generator too.
            TraitKind::Copy if call.receiver.is_none() && self.tree.language == Language::Python => {
                call.arguments.first().is_some_and(|at| !self.makes_elements(*at))
            }
            TraitKind::Copy if matches!(self.tree.language, Language::C | Language::Cpp) => {
                !self.moves_piece_by_piece(call)
            }
            TraitKind::Commit => call.receiver.is_some(),
            // `db.execute("COMMIT")` asks for nothing.
            TraitKind::Query => !matches!(
                self.first_word(call).as_str(),
                "COMMIT" | "END" | "BEGIN" | "ROLLBACK" | "SAVEPOINT" | "RELEASE" | "CREATE" | "DROP" | "SET"
            ),
            _ => true,
        }
    }

    /// `list(range(n))`, `tuple(x * x for x in xs)`, `bytes(64)`: there was nothing before that it would be a copy of.
    fn makes_elements(&self, argument: At) -> bool {
        let made = self.call(argument);
        let makers = ["range", "map", "filter", "zip", "enumerate"];
        let makes = made.is_some_and(|made| made.receiver.is_none() && makers.contains(&made.name));
        makes || is_comprehension(self.tree.kind(argument)) || self.tree.kind(argument) == "integer"
    }

    /// `memcpy(to + row * width, from + row * width, width)`: each turn another piece, to a place of its own.
    fn moves_piece_by_piece(&self, call: &Call<'_>) -> bool {
        let around = self.loops_around(call.at);
        let (Some(innermost), [to, from, ..]) = (around.first(), call.arguments.as_slice()) else {
            return false;
        };
        let changed = self.changed_in(*innermost);
        let is_piece = |at: &At| {
            let counts =
                |inner: At| is_identifier(self.tree.kind(inner)) && changed.contains(self.tree.text(inner));
            let places = ["binary_expression", "subscript_expression"];
            let mut inside = std::iter::once(*at).chain(self.tree.inside(*at));
            inside.any(|at| places.contains(&self.tree.kind(at)) && self.tree.inside(at).any(counts))
        };
        is_piece(to) && is_piece(from)
    }

    fn known_trait(&self, does: TraitKind, call: &Call<'_>, receiver: Kind) -> Trait {
        let mut one = self.plain(does, call.at);
        match does {
            TraitKind::Copy | TraitKind::Sorting => {
                let of = call
                    .receiver
                    .filter(|_| receiver != Kind::Unknown)
                    .or_else(|| call.arguments.first().copied());
                one.container = Some(of.map(|of| self.kind_of(of)).unwrap_or_default().container());
            }
            TraitKind::Membership => {
                let of = call.arguments.first().map(|at| self.kind_of(*at)).unwrap_or_default();
                let text = call.path.starts_with("str")
                    || call.path.starts_with("mem")
                    || call.path.starts_with("bytes");
                one.container = Some(if text { Kind::Text } else { of }.container());
            }
            TraitKind::RegexCompile | TraitKind::RegexMatch => {
                one.pattern = self.pattern(call, receiver);
                one.nested_quantifier = one.pattern.as_deref().map(nested_quantifier);
            }
            TraitKind::Read | TraitKind::Receive | TraitKind::Write => one.bytes = self.literal_size(call),
            _ => {}
        }
        one
    }

    /// `read(1)`, `fread(p, 1, 1, f)`, `os.read(fd, 16)`: the one literal number among the arguments.
    fn literal_size(&self, call: &Call<'_>) -> Option<u64> {
        let numbers: Vec<u64> = call.arguments.iter().filter_map(|at| self.constant(*at)).collect();
        match (call.name, numbers.as_slice()) {
            ("fread" | "fwrite", [size, count]) => size.checked_mul(*count),
            ("fgetc" | "getc" | "getchar" | "fputc" | "putc" | "ReadByte" | "WriteByte", _) => Some(1),
            (
                "read" | "pread" | "write" | "recv" | "Read" | "send" | "readexactly" | "pwrite",
                [.., last],
            ) => Some(*last),
            _ => None,
        }
    }

    /// A call whose first argument is a sentence of SQL.
    fn queried(&self, call: &Call<'_>) -> Option<TraitKind> {
        if matches!(call.name, "commit" | "Commit") && call.receiver.is_some() && call.arguments.is_empty() {
            return Some(TraitKind::Commit);
        }
        let runs = matches!(
            call.name,
            "execute"
                | "query"
                | "exec"
                | "run"
                | "all"
                | "get"
                | "Exec"
                | "Query"
                | "raw"
                | "sql"
                | "fetch"
                | "fetchrow"
                | "fetchval"
                | "executeQuery"
                | "executeUpdate"
                | "Get"
                | "Select"
                | "one"
                | "each"
                | "batch"
                | "text"
                | "query_row"
                | "query_map"
                | "update"
                | "executemany"
                | "QueryRow"
        );
        let sends = matches!(
            call.name,
            "execute"
                | "executemany"
                | "query"
                | "Query"
                | "QueryRow"
                | "Exec"
                | "executeQuery"
                | "executeUpdate"
        );
        match self.first_word(call).as_str() {
            _ if !runs || call.receiver.is_none() => None,
            "SELECT" | "INSERT" | "UPDATE" | "DELETE" | "WITH" | "REPLACE" | "PRAGMA" | "MERGE" | "CALL" => {
                Some(TraitKind::Query)
            }
            "COMMIT" | "END" => Some(TraitKind::Commit),
            _ => {
                let sends = sends
                    && call.receiver.is_some_and(|receiver| is_connection(self.tree.text(receiver)))
                    && self.really_does(TraitKind::Query, call);
                sends.then_some(TraitKind::Query)
            }
        }
    }

    /// Of the statement among a call's first arguments, in capitals.
    fn first_word(&self, call: &Call<'_>) -> String {
        let values = call.arguments.iter().take(2).map(|at| self.single_value(*at));
        let text =
            values.filter(|at| is_text(self.tree.kind(*at))).map(|at| unquoted(self.tree.text(at))).next();
        let word = text.and_then(|text| text.split_whitespace().next()).unwrap_or_default();
        word.trim_end_matches(';').to_ascii_uppercase()
    }

    /// `std::regex pattern("…")`, `std::lock_guard<std::mutex> guard(lock)`, `std::vector<int> copy = other`.
    fn made_by_declaration(&self, at: At) -> Vec<Trait> {
        let tree = &self.tree;
        let ty = tree.child_text(at, "type");
        if tree.language != Language::Cpp {
            return Vec::new();
        }
        if ["lock_guard", "unique_lock", "scoped_lock", "shared_lock"].iter().any(|guard| ty.contains(guard))
        {
            return vec![self.plain(TraitKind::Lock, at)];
        }
        let kind = of_type(Language::Cpp, ty);
        let declarator = tree.child(at, "declarator");
        let value = declarator.and_then(|declarator| tree.child(declarator, "value"));
        let indirect = declarator.and_then(|at| tree.first_child(at)).is_some_and(|inner| {
            tree.kind(inner).starts_with("reference") || tree.kind(inner).starts_with("pointer")
        });
        let owns =
            matches!(kind, Kind::List | Kind::LinkedList | Kind::Deque | Kind::Set | Kind::Map | Kind::Text)
                && !ty.contains("view")
                && !ty.contains("span");
        match kind {
            Kind::Regex => {
                let literal = value.and_then(|value| tree.inside(value).find(|at| is_text(tree.kind(*at))));
                let pattern = literal.and_then(|literal| self.pattern_text(literal));
                let nested_quantifier = pattern.as_deref().map(nested_quantifier);
                vec![Trait { pattern, nested_quantifier, ..self.plain(TraitKind::RegexCompile, at) }]
            }
            Kind::Thread => vec![self.plain(TraitKind::ThreadStart, at)],
            Kind::File if value.is_some() => vec![self.plain(TraitKind::Open, at)],
            _ if owns && !indirect && value.is_some_and(|value| self.is_place(value)) => {
                vec![self.on(TraitKind::Copy, at, kind)]
            }
            _ if owns && !indirect && !self.loops_around(at).is_empty() => {
                vec![self.on(TraitKind::Allocate, at, kind)]
            }
            _ => Vec::new(),
        }
    }

    /// Something that goes on existing, so that taking its value copies it.
    fn is_place(&self, at: At) -> bool {
        let tree = &self.tree;
        let only = |list: At| tree.children(list).next().filter(|_| tree.children(list).count() == 1);
        let at = if tree.kind(at) == "argument_list" { only(at).unwrap_or(at) } else { at };
        let container = || !matches!(self.kind_of(at), Kind::Number | Kind::Unknown);
        (tree.kind(at) == "identifier" || member(tree, at).is_some()) && container()
    }

    /// `std::string(text)`: a new container with the elements of another.
    fn copy_made(&self, call: &Call<'_>) -> Option<Trait> {
        let callee = self.tree.child(call.at, "function")?;
        let kind = of_type(Language::Cpp, self.tree.text(callee));
        let owns =
            matches!(kind, Kind::List | Kind::LinkedList | Kind::Deque | Kind::Set | Kind::Map | Kind::Text);
        (owns && call.arguments.len() == 1 && !call.name.contains("view"))
            .then(|| self.on(TraitKind::Copy, call.at, kind))
    }

    /// Arguments of C and C++ that are structures or containers taken by value.
    fn copied_arguments(&self, call: &Call<'_>, function: At) -> Option<Trait> {
        let tree = &self.tree;
        if !matches!(tree.language, Language::C | Language::Cpp) {
            return None;
        }
        let parameters = super::functions::parameters(tree, function);
        let by_value = parameters.iter().enumerate().find(|(index, name)| {
            let whole = tree.parent(**name).filter(|whole| tree.kind(*whole) == "parameter_declaration");
            let Some(ty) = whole.and_then(|whole| tree.child(whole, "type")) else { return false };
            let named = tree.text(ty).trim_start_matches("struct ").trim();
            let kind = of_type(tree.language, named);
            let owns = matches!(
                kind,
                Kind::List | Kind::Set | Kind::Map | Kind::Text | Kind::Deque | Kind::LinkedList
            ) && !named.contains("view")
                && !named.contains("span");
            let place = call.arguments.get(*index).is_some_and(|at| {
                matches!(
                    tree.kind(*at),
                    "identifier" | "field_expression" | "pointer_expression" | "subscript_expression"
                )
            });
            place && (self.structures.contains(named) || owns)
        })?;
        let of = call.arguments.get(by_value.0).map(|at| self.kind_of(*at)).unwrap_or_default();
        Some(self.on(TraitKind::Copy, call.at, of))
    }

    /// `std::cout << x << std::endl`: printing, writing, flushing.
    fn streamed(&self, at: At) -> Vec<Trait> {
        let tree = &self.tree;
        let inner = tree.parent(at).is_some_and(|parent| {
            tree.kind(parent) == "binary_expression" && tree.child_text(parent, "operator") == "<<"
        });
        let mut first = at;
        while let Some(left) = tree.child(first, "left").filter(|_| tree.kind(first) == "binary_expression") {
            first = left;
        }
        let prints = matches!(tree.text(first), "std::cout" | "cout" | "std::cerr" | "cerr" | "std::clog");
        let writes = self.kind_of(first) == Kind::File;
        if inner || !(prints || writes) {
            return Vec::new();
        }
        let mut found = vec![self.plain(if prints { TraitKind::Print } else { TraitKind::Write }, at)];
        if tree.inside(at).any(|at| matches!(tree.text(at), "std::endl" | "endl" | "std::flush")) {
            found.push(self.plain(TraitKind::Flush, at));
        }
        found
    }

    /// A search written out as a loop, for the loop's head and for the comparison.
    fn searching(&self, statement: At) -> Option<Trait> {
        let innermost = *self.chain(statement).first()?;
        let (condition, kind) = self.search(innermost)?;
        let own = self.loop_of(statement).is_some() || self.tree.inside(statement).contains(&condition);
        own.then(|| self.on(TraitKind::Membership, condition, kind))
    }

    /// One sign that a statement computes with numbers.
    fn arithmetic(&self, statement: At) -> Option<Trait> {
        let tree = &self.tree;
        let node = self.own_nodes(statement).into_iter().find(|at| {
            let operator = tree.child_text(*at, "operator");
            let computes = matches!(
                operator,
                "*" | "/"
                    | "-"
                    | "%"
                    | "//"
                    | "**"
                    | "<<"
                    | ">>"
                    | "^"
                    | "*="
                    | "-="
                    | "/="
                    | "^="
                    | "|="
                    | "&="
            );
            let adds = matches!(operator, "+" | "+=");
            let sides = || tree.children(*at).filter(|child| tree.field(*child) != "operator");
            let numbers =
                || sides().any(|side| self.kind_of(side) == Kind::Number || is_number(tree.kind(side)));
            let texts =
                || sides().any(|side| matches!(self.kind_of(side), Kind::Text | Kind::List | Kind::Set));
            (computes && sides().count() == 2 && !texts()) || (adds && numbers() && !texts())
        })?;
        Some(self.plain(TraitKind::Arithmetic, node))
    }

    /// Loops inside loops that the statement stands in or holds.
    fn inner_loops(&self, statement: At) -> Option<Trait> {
        let (at, chain) = self.deepest_chain(statement);
        self.inner_loop(at, &chain)
    }

    /// The deepest nesting of loops around a statement or a part of it, innermost first, and that part.
    pub(super) fn deepest_chain(&self, statement: At) -> (At, Vec<At>) {
        let tree = &self.tree;
        let mut deepest = (statement, self.chain(statement));
        for at in self.own_nodes(statement) {
            let callback = is_closure(tree.kind(at)) && self.is_callback(at);
            if callback || tree.kind(at) == "for_in_clause" {
                let holder = if callback { at } else { tree.parent(at).unwrap_or(at) };
                let body = tree.child(holder, "body").unwrap_or(holder);
                // A body of statements has contexts of its own.
                let chain = self.loops_around(body);
                if chain.len() > deepest.1.len() && !(callback && tree.kind(body).ends_with("block")) {
                    deepest = (at, chain);
                }
            }
        }
        deepest
    }

    fn inner_loop(&self, at: At, chain: &[At]) -> Option<Trait> {
        let loops: Vec<_> = chain
            .iter()
            .map(|at| (*at, self.describe(*at)))
            .filter(|(_, described)| described.over.is_some())
            .collect();
        let ((inner, _), outer) = loops.split_first()?;
        if outer.is_empty() {
            return None;
        }
        let own = self.collection_text(*inner);
        let same = own.is_some() && outer.iter().any(|(at, _)| self.collection_text(*at) == own);
        let open = loops.iter().filter(|(_, described)| !described.bounded).count();
        let text = shortened(self.tree.text(*inner).lines().next().unwrap_or_default(), MOST_TEXT);
        Some(Trait {
            text,
            loop_depth: u32::try_from(chain.len()).unwrap_or(u32::MAX),
            same_collection: Some(same),
            bounded: Some(open < 2),
            ..self.plain(TraitKind::InnerLoop, at)
        })
    }

    /// Whether `strlen` and the like stand in the condition of a loop.
    pub(super) fn in_condition(&self, at: At) -> bool {
        let tree = &self.tree;
        let around = self.loops_around(at);
        let condition = around.first().and_then(|innermost| self.condition(*innermost));
        condition.is_some_and(|condition| tree.inside(unwrapped(tree, condition)).contains(&at))
    }
}

/// Work whose result can be kept, as opposed to what is done for its effect.
fn may_be_hoisted(kind: TraitKind) -> bool {
    matches!(
        kind,
        TraitKind::Parse
            | TraitKind::Serialise
            | TraitKind::RegexCompile
            | TraitKind::RegexMatch
            | TraitKind::Sorting
            | TraitKind::Hashing
            | TraitKind::Copy
            | TraitKind::Open
            | TraitKind::Read
            | TraitKind::Query
            | TraitKind::Membership
            | TraitKind::Import
            | TraitKind::LengthInCondition
    )
}

/// What people call a connection to a database, a cursor or a transaction.
fn is_connection(receiver: &str) -> bool {
    let last = receiver.rsplit(['.', '>']).next().unwrap_or(receiver);
    let name = last.trim_matches(|letter: char| !letter.is_alphanumeric()).to_ascii_lowercase();
    matches!(
        name.as_str(),
        "connection"
            | "conn"
            | "con"
            | "cursor"
            | "cur"
            | "db"
            | "database"
            | "session"
            | "tx"
            | "transaction"
    )
}
