//! What changes from one turn of a loop to the next, and which calls do not depend on it.

use std::collections::HashSet;
use std::rc::Rc;

use super::File;
use super::calls::Call;
use super::functions::parameters;
use super::grammar::{is_call, is_closure, is_comprehension, is_constant, is_identifier, member};
use super::kinds::Kind;
use super::tree::At;

/// How far calls within the file are followed.
const CALLS_DOWN: u32 = 2;

impl<'t> File<'t> {
    /// Whether receiver and arguments of a call stay the same in the innermost loop around it.
    /// `None` outside loops, where the call may change by itself what it works on, and where repeating it is what the loop is for.
    pub(super) fn invariant(&self, call: &Call<'_>) -> Option<bool> {
        let around = self.loops_around(call.at);
        let innermost = around.first().filter(|at| !self.is_benchmark(**at))?;
        let changed = self.changed_in(*innermost);
        let own = self.own_names(call.at);
        for at in self.tree.inside(call.at) {
            let name = self.tree.text(at);
            if is_identifier(self.tree.kind(at))
                && self.is_used(at)
                && changed.contains(name)
                && !own.contains(name)
            {
                return Some(false);
            }
        }
        let inner = self
            .tree
            .inside(call.at)
            .filter(|at| is_call(self.tree.kind(*at)))
            .filter_map(|at| self.call(at));
        for inner in inner {
            if self.may_vary(&inner) {
                return None;
            }
        }
        Some(true)
    }

    /// A loop that repeats what is timed: of Go's `testing` and of Google Benchmark.
    fn is_benchmark(&self, of: At) -> bool {
        let head = self.tree.text(of).split('{').next().unwrap_or_default();
        let named = ["b.N", "b.Loop()", " _ : state"].iter().any(|mark| head.contains(mark));
        named || self.is_for_its_own_sake(of)
    }

    /// A few turns that nothing in the loop tells apart.
    fn is_for_its_own_sake(&self, of: At) -> bool {
        let binds = || self.bound_names(of).iter().all(|name| name.starts_with('_'));
        self.over(of).is_some() && binds() && self.describe(of).bounded
    }

    /// Names that get another value or are changed in place inside a loop.
    pub(super) fn changed_in(&self, of: At) -> Rc<HashSet<&'t str>> {
        if let Some(known) = self.changed.borrow().get(&of) {
            return Rc::clone(known);
        }
        let tree = &self.tree;
        let mut changed = HashSet::new();
        // The clause of a comprehension stands beside what it repeats.
        let whole = if tree.kind(of) == "for_in_clause" { tree.parent(of).unwrap_or(of) } else { of };
        for at in tree.inside(whole) {
            changed.extend(self.written_here(at).into_iter().map(|name| tree.text(name)));
            let left = match tree.kind(at) {
                "for_in_clause" | "for_statement" | "for_in_statement" | "range_clause"
                | "for_expression" => tree.child_of(at, &["left", "pattern"]),
                "enhanced_for_statement" => tree.child(at, "name"),
                "for_range_loop" => tree.child(at, "declarator"),
                "delete_statement" => Some(at),
                "reference_expression" if tree.text(at).starts_with("&mut") => Some(at),
                "pointer_expression" | "unary_expression" if tree.text(at).starts_with('&') => Some(at),
                kind if is_closure(kind) => {
                    parameters(tree, at).into_iter().for_each(|name| changed.extend(self.names_in(name)));
                    None
                }
                _ => None,
            };
            if let Some(left) = left {
                changed.extend(self.names_in(left));
            }
            changed.extend(self.changed_by_effect(at));
            if let Some(object) =
                self.call(at).filter(|call| changes_receiver(call.name)).and_then(|call| call.receiver)
            {
                changed.extend(self.root_of(object));
            }
        }
        changed.extend(self.asked_each_time(of));
        let changed = Rc::new(changed);
        self.changed.borrow_mut().insert(of, Rc::clone(&changed));
        changed
    }

    /// `while (step(cursor))`: what the condition of a loop without a counter asks must change, or it would not end.
    fn asked_each_time(&self, of: At) -> Vec<&'t str> {
        let waits = matches!(self.tree.kind(of), "while_statement" | "while_expression" | "do_statement");
        let Some(condition) = self.condition(of).filter(|_| waits) else { return Vec::new() };
        let calls = self.tree.inside(condition).filter(|at| is_call(self.tree.kind(*at)));
        calls.flat_map(|at| self.names_in(at)).collect()
    }

    /// Arguments of a call whose result nobody takes: it was made for what it does, most likely to them.
    fn changed_by_effect(&self, at: At) -> Vec<&'t str> {
        let dropped =
            self.tree.parent(at).is_some_and(|parent| self.tree.kind(parent) == "expression_statement");
        let Some(call) = self.call(at).filter(|call| dropped && !is_outward(call.name)) else {
            return Vec::new();
        };
        call.arguments.iter().flat_map(|argument| self.names_in(*argument)).collect()
    }

    fn names_in(&self, at: At) -> impl Iterator<Item = &'t str> + use<'_, 't> {
        self.tree.inside(at).filter(|at| is_identifier(self.tree.kind(*at))).map(|at| self.tree.text(at))
    }

    /// `a` of `a.b.c`; all of it for other expressions.
    fn root_of(&self, mut at: At) -> Option<&'t str> {
        while let Some((object, _)) = member(&self.tree, at) {
            at = object;
        }
        is_identifier(self.tree.kind(at)).then(|| self.tree.text(at))
    }

    /// Variables that closures and comprehensions inside the expression bring along.
    fn own_names(&self, at: At) -> HashSet<&'t str> {
        let mut own = HashSet::new();
        for inside in self.tree.inside(at) {
            if is_closure(self.tree.kind(inside)) {
                parameters(&self.tree, inside).into_iter().for_each(|name| own.extend(self.names_in(name)));
            }
            if is_comprehension(self.tree.kind(inside)) {
                let clauses =
                    self.tree.children(inside).filter(|child| self.tree.kind(*child) == "for_in_clause");
                clauses
                    .filter_map(|clause| self.tree.child(clause, "left"))
                    .for_each(|left| own.extend(self.names_in(left)));
            }
        }
        own
    }

    /// Whether an identifier is a variable here, not the name of a member or of a keyword argument.
    fn is_used(&self, at: At) -> bool {
        let parent = self.tree.parent(at).map(|parent| self.tree.kind(parent)).unwrap_or_default();
        !matches!(
            (parent, self.tree.field(at)),
            ("keyword_argument" | "method_invocation", "name")
                | ("attribute", "attribute")
                | ("field_access", "field")
                | ("call" | "call_expression", "function")
        )
    }

    /// Whether the same call with the same arguments may give another answer, or is made for its effect.
    fn may_vary(&self, call: &Call<'_>) -> bool {
        if is_stateful(call.name) || changes_receiver(call.name) {
            return true;
        }
        if let Some(function) = self.target(call.at) {
            return self.has_memory(function);
        }
        let kind = call.receiver.map(|object| self.kind_of(object)).unwrap_or_default();
        let stream = matches!(
            kind,
            Kind::File | Kind::Socket | Kind::Process | Kind::Thread | Kind::Builder | Kind::Hash
        );
        // `it.step()` of something unknown is most often called because it does something.
        let blind = call.receiver.is_some()
            && call.arguments.is_empty()
            && kind == Kind::Unknown
            && !is_reading(call.name);
        stream || blind
    }

    /// Whether a function, or one that it calls, writes to anything that outlives it.
    fn has_memory(&self, function: At) -> bool {
        self.writes_beyond(function, CALLS_DOWN)
    }

    fn writes_beyond(&self, function: At, deeper: u32) -> bool {
        let tree = &self.tree;
        let calls = |call: &Call<'_>| {
            let called = self.target(call.at).filter(|called| deeper > 0 && *called != function);
            is_stateful(call.name) || called.is_some_and(|called| self.writes_beyond(called, deeper - 1))
        };
        tree.inside(function).any(|at| match tree.kind(at) {
            "global_statement" | "nonlocal_statement" | "yield" | "yield_expression" => true,
            _ => {
                let written = super::grammar::assignment(tree, at).map(|(left, _, _)| left);
                written.is_some_and(|left| member(tree, left).is_some())
                    || self.written_here(at).into_iter().any(|name| self.outlives(name))
                    || self.call(at).is_some_and(|call| calls(&call))
            }
        })
    }

    /// A call in a loop that could as well stand before it, and whose result is used.
    pub(super) fn is_repeated(&self, call: &Call<'_>) -> bool {
        let tree = &self.tree;
        let constant = call.arguments.iter().all(|at| is_constant(tree.kind(*at)));
        let dropped = tree.parent(call.at).is_some_and(|parent| {
            tree.kind(parent) == "expression_statement" && !tree.text(parent).is_empty()
        });
        let asked = !call.arguments.is_empty() || self.target(call.at).is_some();
        let tail = dropped && tree.language != model::source::Language::Rust;
        asked
            && !tail
            && !call.makes
            && !is_cheap(call.name)
            && !(constant
                && call.receiver.is_none()
                && self.target(call.at).is_none()
                && call.path.is_empty())
    }
}

pub(super) fn changes_receiver(name: &str) -> bool {
    matches!(
        name,
        "append"
            | "appendleft"
            | "add"
            | "addAll"
            | "push"
            | "push_back"
            | "push_front"
            | "push_str"
            | "pop"
            | "popleft"
            | "pop_front"
            | "pop_back"
            | "insert"
            | "extend"
            | "remove"
            | "clear"
            | "update"
            | "setdefault"
            | "discard"
            | "sort"
            | "reverse"
            | "put"
            | "set"
            | "delete"
            | "shift"
            | "unshift"
            | "splice"
            | "erase"
            | "emplace"
            | "emplace_back"
            | "resize"
            | "offer"
            | "poll"
            | "enqueue"
            | "dequeue"
            | "retain"
            | "truncate"
            | "drain"
            | "write"
            | "fill"
            | "assign"
            | "swap"
            | "removeFirst"
            | "removeLast"
            | "addFirst"
            | "addLast"
            | "putIfAbsent"
            | "PushBack"
            | "PushFront"
            | "Remove"
            | "store"
            | "fetch_add"
            | "incrementAndGet"
            | "getAndIncrement"
            | "setLength"
            | "entry"
            | "get_mut"
    )
}

/// Calls that only tell the outside, or add their arguments to something else.
fn is_outward(name: &str) -> bool {
    changes_receiver(name)
        || matches!(
            name,
            "print"
                | "println"
                | "printf"
                | "puts"
                | "log"
                | "info"
                | "debug"
                | "warn"
                | "warning"
                | "error"
                | "write"
                | "writeln"
                | "sleep"
                | "usleep"
                | "Println"
                | "Printf"
                | "Sleep"
                | "send"
                | "sendall"
                | "execute"
                | "fprintf"
                | "fputs"
                | "eprintln"
                | "assert"
        )
}

/// Calls that give something else each time, wait, or are made for what they do.
fn is_stateful(name: &str) -> bool {
    matches!(
        name,
        "next"
            | "read"
            | "readline"
            | "readLine"
            | "read_line"
            | "recv"
            | "receive"
            | "accept"
            | "input"
            | "time"
            | "now"
            | "Now"
            | "monotonic"
            | "perf_counter"
            | "nanoTime"
            | "currentTimeMillis"
            | "random"
            | "randint"
            | "choice"
            | "uniform"
            | "rand"
            | "gen"
            | "gen_range"
            | "random_range"
            | "nextInt"
            | "nextDouble"
            | "nextLong"
            | "Intn"
            | "Int"
            | "Float64"
            | "sleep"
            | "Sleep"
            | "wait"
            | "Wait"
            | "take"
            | "getc"
            | "fgetc"
            | "getchar"
            | "fgets"
            | "fread"
            | "getline"
            | "print"
            | "println"
            | "printf"
            | "write"
            | "send"
            | "commit"
            | "acquire"
            | "release"
            | "lock"
            | "unlock"
            | "Lock"
            | "Unlock"
            | "fetchone"
            | "fetchmany"
            | "hasNext"
            | "Scan"
            | "Next"
            | "gets"
            | "clock"
            | "clock_gettime"
            | "uuid4"
            | "randomUUID"
            | "fork"
            | "waitpid"
            | "malloc"
            | "calloc"
            | "strtok"
            | "yield"
            | "step"
            | "tick"
            | "shuffle"
            | "urandom"
            | "sample"
            | "getrandom"
    )
}

/// Methods without arguments that tell about a thing and leave it as it is.
fn is_reading(name: &str) -> bool {
    matches!(
        name,
        "keys"
            | "values"
            | "items"
            | "lower"
            | "upper"
            | "strip"
            | "split"
            | "toLowerCase"
            | "toUpperCase"
            | "trim"
            | "toString"
            | "to_string"
            | "clone"
            | "copy"
            | "size"
            | "length"
            | "len"
            | "to_vec"
            | "iter"
            | "toArray"
            | "toCharArray"
            | "getBytes"
            | "hashCode"
            | "chars"
            | "bytes"
            | "count"
            | "sum"
            | "to_lowercase"
            | "to_owned"
            | "collect"
            | "begin"
            | "end"
            | "c_str"
            | "unwrap"
            | "stream"
            | "isEmpty"
            | "is_empty"
            | "empty"
    )
}

/// Calls whose repetition nobody would ever measure.
fn is_cheap(name: &str) -> bool {
    matches!(
        name,
        "len"
            | "range"
            | "isinstance"
            | "enumerate"
            | "zip"
            | "abs"
            | "ord"
            | "chr"
            | "id"
            | "type"
            | "hasattr"
            | "getattr"
            | "super"
            | "min"
            | "max"
            | "size"
            | "length"
            | "begin"
            | "end"
            | "is_empty"
            | "isEmpty"
            | "unwrap"
            | "Some"
            | "Ok"
            | "Err"
            | "cap"
            | "make"
            | "append"
            | "int"
            | "float"
            | "bool"
            | "Number"
            | "Boolean"
            | "move"
            | "sizeof"
            | "assert"
            | "expect"
            | "get"
            | "at"
            | "charAt"
            | "is_some"
            | "is_none"
            | "vec"
            | "from_millis"
            | "from_secs"
            | "from_micros"
            | "from_nanos"
    )
}
