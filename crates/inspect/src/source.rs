//! Source around the lines where a measurement found time: loops, what the statement does, what is held there.
//!
//! The text is parsed by tree-sitter into one flat table ([`tree`]); everything else walks over that table. What a
//! variable is follows from literals, constructors and declared types ([`bindings`], [`kinds`]), what a call does from
//! tables of well-known libraries ([`library`]). Nothing is guessed from the names of variables.

mod bindings;
mod boxing;
mod callbacks;
mod calls;
mod chains;
mod changes;
mod containers;
mod extremes;
mod functions;
mod grammar;
mod held;
mod kinds;
mod lasting;
mod library;
mod loops;
mod patterns;
mod regex;
mod search;
mod statement;
mod traits;
mod tree;
mod watched;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use model::source::{Callee, Context, Function, Language, Loop, LoopKind, Summary, Trait, TraitKind};

use bindings::Bindings;
use calls::{Call, Imports};
use grammar::{is_call, is_function, is_statement};
use tree::{At, Tree};

pub use watched::{Laid, WATCH, Watch, Watchable};

/// A longer line was put together by a machine: what stands on it says nothing of one place.
const LONGEST_LINE: usize = 2_000;

/// The language of a source file, by the end of its name. `None` for all others.
pub fn language_of(path: &Path) -> Option<Language> {
    Some(match path.extension()?.to_str()? {
        "py" | "pyw" => Language::Python,
        "js" | "mjs" | "cjs" | "jsx" => Language::JavaScript,
        "ts" | "mts" | "cts" => Language::TypeScript,
        "java" => Language::Java,
        "c" => Language::C,
        // A header may be either; C++ reads C too.
        "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" | "ipp" | "inl" => Language::Cpp,
        "rs" => Language::Rust,
        "go" => Language::Go,
        _ => return None,
    })
}

/// What stands around one line, counted from 1. `None` when the file has no such line, is too big, or cannot be parsed
/// in bounded effort.
pub fn context(language: Language, text: &str, line: u32) -> Option<Context> {
    contexts(language, text, &[line]).pop().flatten()
}

/// The same for several lines of one file, which is parsed once.
pub fn contexts(language: Language, text: &str, lines: &[u32]) -> Vec<Option<Context>> {
    match File::read(language, text) {
        Some(file) => lines.iter().map(|line| file.context(*line)).collect(),
        None => vec![None; lines.len()],
    }
}

/// All functions of a file in the order of the text. Empty when the file is too big or cannot be parsed.
pub fn functions(language: Language, text: &str) -> Vec<Summary> {
    let Some(file) = File::read(language, text) else { return Vec::new() };
    let tree = &file.tree;
    let own = tree.all().filter(|at| is_function(tree.kind(*at)) && !file.is_callback(*at));
    own.map(|function| file.summary(function)).collect()
}

/// A parsed file with what is looked up in it again and again.
struct File<'t> {
    tree: Tree<'t>,
    imports: Imports,
    bindings: Bindings,
    functions_by_name: HashMap<&'t str, Vec<At>>,
    calls_by_name: HashMap<&'t str, Vec<At>>,
    /// Names of structures and classes that the file defines.
    structures: HashSet<&'t str>,
    changed: RefCell<HashMap<At, Rc<HashSet<&'t str>>>>,
    /// Of the question that is being answered.
    steps_left: Cell<u32>,
}

impl<'t> File<'t> {
    fn read(language: Language, text: &'t str) -> Option<Self> {
        let tree = Tree::parse(language, text)?;
        let mut file = Self {
            imports: Imports::read(&tree),
            bindings: Bindings::read(&tree),
            tree,
            functions_by_name: HashMap::new(),
            calls_by_name: HashMap::new(),
            structures: HashSet::new(),
            changed: RefCell::default(),
            steps_left: Cell::default(),
        };
        for at in file.tree.all() {
            file.index(at);
        }
        Some(file)
    }

    fn index(&mut self, at: At) {
        let kind = self.tree.kind(at);
        if is_function(kind)
            && let Some(name) = functions::simple_name(&self.tree, at)
        {
            self.functions_by_name.entry(name).or_default().push(at);
        }
        if is_call(kind)
            && let Some(call) = calls::call(&self.tree, &self.imports, at)
        {
            self.calls_by_name.entry(call.name).or_default().push(at);
        }
        if matches!(kind, "struct_specifier" | "class_specifier") && self.tree.child(at, "body").is_some() {
            self.structures.insert(self.tree.child_text(at, "name"));
            let alias = self.tree.parent(at).filter(|parent| self.tree.kind(*parent) == "type_definition");
            self.structures.extend(alias.map(|alias| self.tree.child_text(alias, "declarator")));
        }
    }

    fn call(&self, at: At) -> Option<Call<'t>> {
        calls::call(&self.tree, &self.imports, at)
    }

    /// Calls of that name, whatever they are called on.
    fn calls_of(&self, name: &str) -> &[At] {
        self.calls_by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    fn context(&self, line: u32) -> Option<Context> {
        self.tree.line_text(line).filter(|text| text.len() <= LONGEST_LINE)?;
        let (statements, innermost) = self.statements_on(line);
        let function = self.function_on(line, innermost);
        let damaged = self.tree.all().any(|at| self.tree.kind(at) == "ERROR" && self.tree.covers(at, line));
        let mut traits = self.traits_on(line, &statements);
        let mut callees = self.callees(&statements);
        if let Some(head) = function.filter(|at| self.is_told_by_its_head(*at, line)) {
            let body = self.statements_of(head);
            traits.extend(self.traits_of(&body).into_iter().filter(|one| SEARCHES.contains(&one.kind)));
            callees.extend(self.inlined(&body));
        }
        Some(Context {
            language: self.tree.language,
            line,
            loops: self.loops_at(innermost, function),
            function: function.map(|function| self.function(function)),
            statement: self.lines_of(statements.last().copied(), line),
            traits,
            callees,
            in_lock: innermost.and_then(|at| self.lock_at(at)),
            in_transaction: innermost.and_then(|at| self.transaction_at(at)),
            damaged,
        })
    }

    /// Those on the line itself first: a statement may go over many.
    fn traits_on(&self, line: u32, statements: &[At]) -> Vec<Trait> {
        let mut traits = self.traits_of(statements);
        traits.sort_by_key(|one| one.line != line);
        traits
    }

    /// The function around the statement, or the one whose head is on the line.
    fn function_on(&self, line: u32, statement: Option<At>) -> Option<At> {
        let at = statement?;
        let own =
            |at: At| is_function(self.tree.kind(at)) && !self.is_callback(at) && !self.is_called_here(at);
        let head = self.tree.inside(at).find(|inside| own(*inside) && self.tree.first_line(*inside) == line);
        Some(at).filter(|at| own(*at)).or_else(|| self.function_around(at)).or(head)
    }

    /// Outermost first; recursion of the function around all.
    fn loops_at(&self, statement: Option<At>, function: Option<At>) -> Vec<Loop> {
        let around = statement.map(|at| self.deepest_chain(at).1).unwrap_or_default();
        let recursion =
            function.map(|at| self.function(at)).filter(|function| function.recursive).map(recursion);
        recursion.into_iter().chain(around.iter().rev().map(|at| self.describe(*at))).collect()
    }

    /// The loops around a statement, innermost first; a loop is around its own head.
    fn chain(&self, statement: At) -> Vec<At> {
        self.loop_of(statement).into_iter().chain(self.loops_around(statement)).collect()
    }

    fn summary(&self, function: At) -> Summary {
        let own = self.loops_in(function);
        let depth = own.iter().map(|at| 1 + self.loops_around(*at).len()).max().unwrap_or(0);
        Summary {
            function: self.function(function),
            loop_depth: u32::try_from(depth).unwrap_or(u32::MAX),
            calls: self.calls_in(function),
        }
    }

    /// Loops of a function that are not in a function inside it.
    fn loops_in(&self, function: At) -> Vec<At> {
        let tree = &self.tree;
        let is_loop = |at: &At| {
            let kind = tree.kind(*at);
            grammar::is_loop(kind) || kind == "for_in_clause" || self.is_callback(*at)
        };
        let own = |at: &At| self.function_around(*at) == Some(function);
        tree.inside(function).skip(1).filter(|at| is_loop(at) && own(at)).collect()
    }

    fn callees(&self, statements: &[At]) -> Vec<Callee> {
        let mut callees: Vec<(At, Callee)> = Vec::new();
        for at in statements.iter().flat_map(|statement| self.own_nodes(*statement)) {
            let Some(function) =
                Some(at).filter(|at| is_call(self.tree.kind(*at))).and_then(|at| self.target(at))
            else {
                continue;
            };
            // A recursive call tells nothing that the context does not.
            let own = self.tree.inside(function).contains(&at);
            if own || callees.iter().any(|(known, _)| *known == function) || callees.len() == MOST_CALLEES {
                continue;
            }
            callees.push((function, self.callee(at, function)));
        }
        callees.into_iter().map(|(_, callee)| callee).collect()
    }

    /// V8 names compiled code by the line its function begins in, whatever part of it ran: the line says nothing, and all of
    /// the function may be meant.
    fn is_told_by_its_head(&self, function: At, line: u32) -> bool {
        grammar::is_script(self.tree.language) && self.tree.first_line(function) == line
    }

    /// The statements of a function that are not in a function inside it.
    fn statements_of(&self, function: At) -> Vec<At> {
        let own = |at: &At| is_statement(&self.tree, *at) && self.function_around(*at) == Some(function);
        self.tree.inside(function).skip(1).filter(own).collect()
    }

    /// Functions of the file that a compiler may have put into this code, with the searches in them: those that it calls, and
    /// those that they call. Their loops count from the code's own.
    fn inlined(&self, body: &[At]) -> Vec<Callee> {
        let mut found: Vec<(At, Callee)> = Vec::new();
        let mut level: Vec<(Vec<At>, u32)> = vec![(body.to_vec(), 0)];
        for _ in 0..INLINED_DEEP {
            let mut next = Vec::new();
            for (statements, outside) in level {
                for at in statements.iter().flat_map(|statement| self.own_nodes(*statement)) {
                    let call = Some(at).filter(|at| is_call(self.tree.kind(*at)));
                    let Some(function) = call.and_then(|at| self.target(at)) else { continue };
                    let known = found.iter().any(|(known, _)| *known == function);
                    if known || found.len() == MOST_CALLEES || self.tree.inside(function).contains(&at) {
                        continue;
                    }
                    let mut callee = self.callee(at, function);
                    callee.loop_depth = callee.loop_depth.saturating_add(outside);
                    callee.traits.retain(|one| SEARCHES.contains(&one.kind));
                    next.push((self.statements_of(function), callee.loop_depth));
                    found.push((function, callee));
                }
            }
            level = next;
        }
        found.into_iter().map(|(_, callee)| callee).filter(|callee| !callee.traits.is_empty()).collect()
    }

    fn callee(&self, call: At, function: At) -> Callee {
        let tree = &self.tree;
        let statements = self.statements_of(function);
        let mut traits = self.traits_of(&statements);
        traits.retain(|one| one.kind != TraitKind::Arithmetic);
        traits.sort_by_key(|one| std::cmp::Reverse(one.loop_depth));
        traits.truncate(MOST_TRAITS);
        Callee {
            function: self.function(function),
            line: tree.first_line(call),
            loop_depth: u32::try_from(self.loops_around(call).len()).unwrap_or(u32::MAX),
            loops: self.loops_in(function).into_iter().map(|at| self.describe(at)).collect(),
            traits,
        }
    }
}

/// A statement that calls more functions than this is a table of them.
const MOST_CALLEES: usize = 8;

/// Calls inside calls that V8 still puts into one piece of code, mostly.
const INLINED_DEEP: usize = 3;

/// What goes through all there is, wherever in a function it stands.
const SEARCHES: [TraitKind; 4] =
    [TraitKind::Membership, TraitKind::FrontInsert, TraitKind::Sorting, TraitKind::Extreme];

/// The deepest come first, and these tell what a function spends its time with.
const MOST_TRAITS: usize = 40;

fn recursion(function: Function) -> Loop {
    Loop {
        kind: LoopKind::Recursion,
        first_line: function.first_line,
        last_line: function.last_line,
        over: None,
        container: model::source::ContainerKind::Unknown,
        binds: function.parameters,
        ends_early: false,
        chained: false,
        looks: false,
        bounded: false,
    }
}
