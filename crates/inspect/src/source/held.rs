//! Locks and transactions that are held at a place: by a block around it, or by a call before it in the same function.

use model::source::{Held, Language};

use super::File;
use super::calls::{Call, unquoted};
use super::grammar::{is_call, is_function, is_statement, is_text, shortened, unwrapped};
use super::kinds::Kind;
use super::tree::At;

const MOST_TEXT: usize = 80;

impl File<'_> {
    /// The innermost lock that a statement runs under.
    pub(super) fn lock_at(&self, statement: At) -> Option<Held> {
        let tree = &self.tree;
        for above in tree.ancestors(statement) {
            match tree.kind(above) {
                "with_statement" => {
                    let item = self.with_item(above, |kind| kind == Kind::Lock);
                    if let Some(item) = item.filter(|_| in_body(self, above, statement)) {
                        return Some(self.held(item));
                    }
                }
                "synchronized_statement" if in_body(self, above, statement) => return Some(self.held(above)),
                "method_declaration" if self.is_synchronized(above) => return Some(self.held(above)),
                kind if is_function(kind) => break,
                _ => {}
            }
        }
        self.guard_before(statement).or_else(|| self.taken_before(statement, &takes_lock, &drops_lock))
    }

    /// The transaction that a statement runs in.
    pub(super) fn transaction_at(&self, statement: At) -> Option<Held> {
        let tree = &self.tree;
        for above in tree.ancestors(statement) {
            match tree.kind(above) {
                "with_statement" => {
                    if let Some(item) =
                        self.transaction_item(above).filter(|_| in_body(self, above, statement))
                    {
                        return Some(self.held(item));
                    }
                }
                kind if is_function(kind) => break,
                _ => {}
            }
        }
        let begins = |file: &File<'_>, call: &Call<'_>| file.begins_transaction(call);
        let ends = |file: &File<'_>, call: &Call<'_>| file.ends_transaction(call);
        self.taken_before(statement, &begins, &ends)
    }

    fn held(&self, at: At) -> Held {
        let text = self.tree.text(at);
        let head = text.split('{').next().unwrap_or(text);
        Held { line: self.tree.first_line(at), text: shortened(head, MOST_TEXT) }
    }

    fn with_item(&self, with: At, fits: impl Fn(Kind) -> bool) -> Option<At> {
        let tree = &self.tree;
        let clause = tree.children(with).find(|child| tree.kind(*child) == "with_clause")?;
        tree.children(clause)
            .find(|item| tree.child(*item, "value").is_some_and(|value| fits(self.kind_of(value))))
    }

    /// `with conn:` of an opened connection, `with transaction.atomic():`, `with engine.begin() as c:`.
    fn transaction_item(&self, with: At) -> Option<At> {
        let tree = &self.tree;
        let clause = tree.children(with).find(|child| tree.kind(*child) == "with_clause")?;
        tree.children(clause).find(|item| {
            let Some(value) = tree.child(*item, "value").map(|value| unwrapped(tree, value)) else {
                return false;
            };
            match self.call(value) {
                Some(call) => {
                    matches!(call.tail(), "transaction.atomic")
                        || matches!(call.name, "begin" | "begin_nested" | "transaction")
                }
                None => self.kind_of(value) == Kind::Database,
            }
        })
    }

    fn is_synchronized(&self, method: At) -> bool {
        let modifiers = self.tree.children(method).find(|child| self.tree.kind(*child) == "modifiers");
        modifiers.is_some_and(|modifiers| {
            self.tree.text(modifiers).split_whitespace().any(|word| word == "synchronized")
        })
    }

    /// A guard object of C++ or Rust that was made in a block around the statement and lives to its end.
    fn guard_before(&self, statement: At) -> Option<Held> {
        let tree = &self.tree;
        if !matches!(tree.language, Language::Cpp | Language::Rust) {
            return None;
        }
        let mut inner = statement;
        for above in tree.ancestors(statement) {
            for sibling in tree.children(above).take_while(|sibling| *sibling < inner) {
                if self.is_guard(sibling) && !self.is_dropped(above, sibling, statement) {
                    return Some(self.held(sibling));
                }
            }
            if is_function(tree.kind(above)) {
                return None;
            }
            inner = above;
        }
        None
    }

    fn is_guard(&self, at: At) -> bool {
        let tree = &self.tree;
        match tree.kind(at) {
            "declaration" => {
                let ty = tree.child_text(at, "type");
                ["lock_guard", "unique_lock", "scoped_lock", "shared_lock"]
                    .iter()
                    .any(|guard| ty.contains(guard))
            }
            "let_declaration" => {
                // `let _ = …` drops at once; a guard that is used up in the same expression is dropped there too.
                let mut value = tree.child(at, "value").filter(|_| tree.child_text(at, "pattern") != "_");
                while let Some(call) = value.and_then(|value| self.call(unwrapped(tree, value))) {
                    match (call.receiver, call.name) {
                        (Some(object), "unwrap" | "expect") => value = Some(object),
                        (Some(_), "lock") => return true,
                        (Some(object), "write" | "read") => return self.kind_of(object) == Kind::Lock,
                        _ => return false,
                    }
                }
                false
            }
            _ => false,
        }
    }

    fn is_dropped(&self, block: At, guard: At, statement: At) -> bool {
        let tree = &self.tree;
        let name = tree.child_text(guard, "pattern").trim_start_matches("mut ");
        let calls = tree.inside(block).skip_while(|at| *at <= guard).take_while(|at| *at < statement);
        calls.filter(|at| is_call(tree.kind(*at))).filter_map(|at| self.call(at)).any(|call| {
            let argument = call.arguments.first().map(|at| tree.text(*at)).unwrap_or_default();
            call.name == "drop" && argument == name && !name.is_empty() || call.name == "unlock"
        })
    }

    /// A call before the statement that takes something, and none between that gives it back on the same receiver.
    fn taken_before(
        &self,
        statement: At,
        takes: &dyn Fn(&File<'_>, &Call<'_>) -> bool,
        gives_back: &dyn Fn(&File<'_>, &Call<'_>) -> bool,
    ) -> Option<Held> {
        let tree = &self.tree;
        let function = self.function_around(statement)?;
        let mut held: Vec<(String, At)> = Vec::new();
        for at in tree.inside(function).take_while(|at| *at < statement) {
            let Some(call) = self.call(at) else { continue };
            if takes(self, &call) {
                held.push((self.object_of(&call), at));
            } else if gives_back(self, &call) && !self.at_the_end(at) && !self.leaves_behind(at, statement) {
                let object = self.object_of(&call);
                held.retain(|(taken, _)| *taken != object);
            }
        }
        // Taking is no holding: somewhere behind, or deferred, it must be given back.
        let given_back = |object: &str| {
            let calls = tree.inside(function).filter_map(|at| self.call(at));
            calls
                .filter(|call| call.at > statement || self.at_the_end(call.at))
                .any(|call| gives_back(self, &call) && self.object_of(&call) == object)
        };
        held.into_iter().rev().find(|(object, _)| given_back(object)).map(|(_, at)| self.held(at))
    }

    /// Deferred, or in a `finally`.
    fn at_the_end(&self, at: At) -> bool {
        self.tree
            .ancestors(at)
            .any(|above| matches!(self.tree.kind(above), "defer_statement" | "finally_clause"))
    }

    /// Given back on a path that leaves: `if (bad) { unlock(); return; }` changes nothing for what follows.
    fn leaves_behind(&self, at: At, statement: At) -> bool {
        let tree = &self.tree;
        let Some(own) = tree.ancestors(at).find(|above| is_statement(tree, *above)) else { return false };
        let Some(block) = tree.parent(own) else { return false };
        let around = tree.inside(block).contains(&statement);
        !around
            && tree.inside(block).any(|at| {
                matches!(tree.kind(at), "return_statement" | "continue_statement" | "break_statement")
            })
    }

    fn object_of(&self, call: &Call<'_>) -> String {
        let object = call.receiver.or_else(|| call.arguments.first().copied());
        let text = object.map(|at| self.tree.text(at)).unwrap_or_default();
        text.trim_start_matches('&').to_owned()
    }

    fn sql(&self, call: &Call<'_>) -> Option<String> {
        let first = *call.arguments.first()?;
        is_text(self.tree.kind(first)).then(|| unquoted(self.tree.text(first)).trim().to_ascii_uppercase())
    }

    fn begins_transaction(&self, call: &Call<'_>) -> bool {
        let kind = call.receiver.map(|object| self.kind_of(object)).unwrap_or_default();
        let word = self.sql(call);
        match call.name {
            "setAutoCommit" => call.arguments.first().is_some_and(|at| self.tree.text(*at) == "false"),
            "transaction" | "unchecked_transaction" | "Begin" | "BeginTx" | "beginTransaction" => true,
            "begin" => kind == Kind::Database,
            _ => word.is_some_and(|word| word.starts_with("BEGIN") || word.starts_with("START TRANSACTION")),
        }
    }

    fn ends_transaction(&self, call: &Call<'_>) -> bool {
        let word = self.sql(call);
        matches!(call.name, "commit" | "Commit")
            || word.is_some_and(|word| word.starts_with("COMMIT") || word.starts_with("ROLLBACK"))
    }
}

fn in_body(file: &File<'_>, holder: At, statement: At) -> bool {
    file.tree.child(holder, "body").is_some_and(|body| file.tree.inside(body).contains(&statement))
}

fn takes_lock(file: &File<'_>, call: &Call<'_>) -> bool {
    if matches!(
        call.name,
        "pthread_mutex_lock"
            | "pthread_spin_lock"
            | "pthread_rwlock_wrlock"
            | "pthread_rwlock_rdlock"
            | "mtx_lock"
    ) {
        return true;
    }
    let kind = call.receiver.map(|object| file.kind_of(object)).unwrap_or_default();
    match file.tree.language {
        Language::Go => {
            matches!(call.name, "Lock" | "RLock") && call.arguments.is_empty() && call.receiver.is_some()
        }
        Language::Rust => false,
        _ => {
            kind == Kind::Lock
                && matches!(call.name, "lock" | "acquire" | "lockInterruptibly" | "lock_shared")
        }
    }
}

fn drops_lock(file: &File<'_>, call: &Call<'_>) -> bool {
    let plain = matches!(
        call.name,
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "pthread_rwlock_unlock" | "mtx_unlock"
    );
    plain
        || call.receiver.is_some()
            && matches!(call.name, "unlock" | "release" | "Unlock" | "RUnlock" | "unlock_shared")
            && file.tree.language != Language::Rust
}
