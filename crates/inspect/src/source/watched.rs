//! The text of a JavaScript file in which functions tell who watches them that they are called.
//!
//! `function area(a, b) { return a * b; }` becomes
//! `function area(a, b) {if(--W[3].next<0)return W[3].call(this,[a,b],(a,b)=>{ return a * b; }); return a * b; }`: a call
//! that is not watched runs what it always ran. Functions that yield are called once and entered often; they stay, and
//! so does what would mean something else when it is written twice, or one call further in. Those that wait only say that
//! they are entered, and what they return: `async()=>{const __slowpath_at=W[3].enter(); return W[3].back(__slowpath_at,(a)); }`.

use model::source::Language;

use super::File;
use super::functions::{name_node, parameters};
use super::grammar::{is_function, shortened};
use super::tree::{At, Tree};

/// What the watch is called in the program.
pub const WATCH: &str = "globalThis.__slowpath";

/// A function that a watch could be put into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watchable {
    pub name: Option<String>,
    /// Where the runtime says that it begins.
    pub line: u32,
    pub parameters: Vec<String>,
    /// It gives variables outside of it a new value: what it gave once need not be what it gives next.
    pub changes: bool,
    /// It gives a promise, and may wait.
    pub is_async: bool,
}

/// A text that is loaded instead of a file's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Laid {
    pub text: String,
    /// For each line, the line of the file that it was.
    pub lines: Vec<u32>,
}

impl Laid {
    /// Adds a piece of the file that begins in this line.
    fn piece(&mut self, text: &str, mut line: u32) {
        for part in text.split_inclusive('\n') {
            self.text.push_str(part);
            if part.ends_with('\n') {
                line += 1;
                self.lines.push(line);
            }
        }
    }
}

/// A JavaScript file and its functions that can be watched.
pub struct Watch<'t> {
    file: File<'t>,
    text: &'t str,
    /// Where lines begin, but for the first.
    begins: Vec<usize>,
    bodies: Vec<Body>,
}

struct Body {
    of: Watchable,
    /// Inside the braces, or a whole expression.
    from: usize,
    to: usize,
    is_expression: bool,
    /// A closure has the receiver of the function around it, a constructor has none at first.
    has_receiver: bool,
    /// What is handed on: its parameters, as far as they have a name.
    given: Vec<String>,
    /// Each parameter is one name.
    is_plain: bool,
    /// What it says before it begins, as `'use strict'`.
    directives: String,
    /// Of a function that waits: what it returns, from where to where.
    returned: Vec<(usize, usize)>,
}

impl<'t> Watch<'t> {
    /// `None` when the file cannot be read as JavaScript as a whole.
    #[must_use]
    pub fn read(text: &'t str) -> Option<Self> {
        let file = File::read(Language::JavaScript, text)?;
        let tree = &file.tree;
        if tree.all().any(|at| tree.kind(at) == "ERROR") {
            return None;
        }
        let functions = tree.all().filter(|at| is_function(tree.kind(*at)));
        let mut bodies: Vec<Body> = functions.filter_map(|at| body(&file, text, at)).collect();
        // A function may stand among the parameters of another.
        bodies.sort_by_key(|body| body.from);
        let begins = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Some(Self { file, text, begins: begins.collect(), bodies })
    }

    /// In the order of the text.
    pub fn functions(&self) -> impl Iterator<Item = &Watchable> {
        self.bodies.iter().map(|body| &body.of)
    }

    /// Whether the file is a module that imports and exports, which is loaded in another way.
    #[must_use]
    pub fn is_module(&self) -> bool {
        let tree = &self.file.tree;
        tree.all().any(|at| matches!(tree.kind(at), "import_statement" | "export_statement"))
    }

    /// The file's text in which each function that is given a number tells the watch of that number.
    #[must_use]
    pub fn text(&self, number: &dyn Fn(usize) -> Option<usize>) -> Laid {
        let chosen: Vec<(&Body, usize)> =
            self.bodies.iter().enumerate().filter_map(|(at, body)| Some((body, number(at)?))).collect();
        let mut out = Laid { text: String::new(), lines: vec![1] };
        self.watched(0, self.text.len(), &chosen, &mut out);
        out
    }

    /// A piece of the text as it is.
    fn plain(&self, from: usize, to: usize, out: &mut Laid) {
        let line = 1 + self.begins.partition_point(|begins| *begins <= from);
        out.piece(self.text.get(from..to).unwrap_or_default(), u32::try_from(line).unwrap_or(u32::MAX));
    }

    /// A piece of the text with the watched functions inside it, which lie in the order of the text.
    fn watched(&self, from: usize, to: usize, chosen: &[(&Body, usize)], out: &mut Laid) {
        let (mut done, mut next) = (from, 0);
        while let Some((body, number)) = chosen.get(next) {
            let inner = next + 1;
            let inside = chosen.get(inner..).unwrap_or_default();
            next = inner + inside.iter().take_while(|(other, _)| other.from < body.to).count();
            let inside = chosen.get(inner..next).unwrap_or_default();
            self.plain(done, body.from, out);
            match body.of.is_async {
                true => self.entered(body, *number, inside, out),
                false => {
                    let (before, between, behind) = body.told(*number);
                    out.text.push_str(&before);
                    self.watched(body.from, body.to, inside, out);
                    out.text.push_str(&between);
                    self.plain(body.from, body.to, out);
                    out.text.push_str(behind);
                }
            }
            done = body.to;
        }
        self.plain(done, to, out);
    }

    /// A function that waits, which says that it is entered and what it returns.
    fn entered(&self, body: &Body, number: usize, inside: &[(&Body, usize)], out: &mut Laid) {
        if body.is_expression {
            out.text.push_str(&format!("({WATCH}[{number}].back({WATCH}[{number}].enter(),("));
            self.watched(body.from, body.to, inside, out);
            out.text.push_str(")))");
            return;
        }
        out.text.push_str(&format!("{}const {ENTERED}={WATCH}[{number}].enter();", body.directives));
        let mut done = body.from;
        for (from, to) in &body.returned {
            let within = |from: usize, to: usize| -> Vec<(&Body, usize)> {
                inside.iter().filter(|(one, _)| (from..to).contains(&one.from)).copied().collect()
            };
            self.watched(done, *from, &within(done, *from), out);
            out.text.push_str(&format!("{WATCH}[{number}].back({ENTERED},("));
            self.watched(*from, *to, &within(*from, *to), out);
            out.text.push_str("))");
            done = *to;
        }
        let rest: Vec<(&Body, usize)> = inside.iter().filter(|(one, _)| one.from >= done).copied().collect();
        self.watched(done, body.to, &rest, out);
    }
}

/// What a function that waits remembers having been entered by.
const ENTERED: &str = "__slowpath_at";

impl Body {
    /// What stands before its text with what is watched inside it, between that and its text as it was, and behind.
    fn told(&self, number: usize) -> (String, String, &'static str) {
        let names = self.given.join(",");
        // A body that declares its parameters anew finds them as its own.
        let own = if self.is_plain { names.as_str() } else { "" };
        let receiver = if self.has_receiver { "this" } else { "undefined" };
        let is_due = format!("--{WATCH}[{number}].next<0");
        let call = format!("{WATCH}[{number}].call({receiver},[{names}],({own})=>");
        if self.is_expression {
            return (format!("({is_due}?{call}("), ")):(".to_owned(), "))");
        }
        (format!("{}if({is_due})return {call}{{", self.directives), "});".to_owned(), "")
    }
}

/// `None` where it cannot be watched without changing what it does.
fn body(file: &File<'_>, text: &str, at: At) -> Option<Body> {
    let tree = &file.tree;
    let kind = tree.kind(at);
    if kind.starts_with("generator") {
        return None;
    }
    let body = tree.child(at, "body")?;
    let bytes = tree.bytes(body);
    let (from, to) = (bytes.start as usize, bytes.end as usize);
    let is_expression = tree.kind(body) != "statement_block";
    let (from, to) = if is_expression { (from, to) } else { (from + 1, brace(tree, text, body)?) };
    let head = text.get(tree.bytes(at).start as usize..from)?;
    let is_closure = kind == "arrow_function";
    let is_async = file.function(at).is_async || is_closure && head.starts_with("async(");
    let name = name_node(tree, at).map(|name| tree.text(name));
    let is_method = kind == "method_definition";
    // `*rows()` of a class is a method with a star before its name.
    if is_method && head.split('(').next().is_some_and(|before| before.contains('*')) {
        return None;
    }
    let bound = parameters(tree, at);
    let list = tree.child_of(at, &["parameters", "parameter"]);
    let is_plain = match list {
        Some(list) if tree.kind(list) == "identifier" => true,
        Some(list) => tree.children(list).all(|one| matches!(tree.kind(one), "identifier" | "comment")),
        None => true,
    };
    // What it binds by taking a parameter apart is bound by `var` a second time, without a value.
    if !is_async && !is_plain && declares(tree, body, list) {
        return None;
    }
    let directives = if is_expression { Vec::new() } else { directives(tree, body) };
    // What only says that it is entered is written once, and called as ever.
    if directives.iter().any(|one| one.contains("use asm")) || !is_async && is_delicate(tree, at) {
        return None;
    }
    let accessor = is_method.then(|| accessor(head)).flatten().unwrap_or_default();
    let is_word = |name: &str| name.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '$'));
    // What a parameter is taken apart into stands for it.
    let given = |parameter: &At| match tree.text(*parameter) {
        name if is_word(name) => name.to_owned(),
        _ => {
            let parts = tree.inside(*parameter).filter(|part| is_name(tree, *part));
            format!("[{}]", parts.map(|part| tree.text(part)).collect::<Vec<&str>>().join(","))
        }
    };
    let given = bound.iter().map(given).collect();
    let names = bound.into_iter().map(|name| tree.text(name)).collect::<Vec<&str>>();
    if names.iter().enumerate().any(|(place, name)| names.iter().take(place).any(|other| other == name)) {
        return None;
    }
    let parameters = names.into_iter().map(|name| shortened(name, 20)).collect();
    Some(Body {
        of: Watchable {
            name: name.map(|name| format!("{accessor}{name}")),
            line: list.map_or_else(|| tree.first_line(at), |list| tree.first_line(list)),
            parameters,
            changes: changes(tree, at),
            is_async,
        },
        from,
        to,
        is_expression,
        has_receiver: !(is_closure || is_method && name.is_some_and(|name| name.contains("constructor"))),
        given,
        is_plain,
        directives: directives.iter().map(|one| format!("{one};")).collect(),
        returned: if is_async { returned(tree, at) } else { Vec::new() },
    })
}

/// What a function returns, in the order of the text, without what functions inside it do.
fn returned(tree: &Tree<'_>, function: At) -> Vec<(usize, usize)> {
    let own = |at: At| tree.ancestors(at).find(|above| is_function(tree.kind(*above))) == Some(function);
    let returns = tree.inside(function).filter(|at| tree.kind(*at) == "return_statement" && own(*at));
    let value = |at: At| tree.children(at).find(|child| tree.kind(*child) != "comment");
    let bytes = |at: At| (tree.bytes(at).start as usize, tree.bytes(at).end as usize);
    returns.filter_map(value).map(bytes).collect()
}

/// Texts that stand alone before all else in a block.
fn directives<'t>(tree: &Tree<'t>, block: At) -> Vec<&'t str> {
    let statements = tree.children(block).filter(|at| tree.kind(*at) != "comment");
    let alone = |at: At| {
        let text = tree.first_child(at).filter(|_| tree.kind(at) == "expression_statement")?;
        (tree.kind(text) == "string" && tree.children(at).count() == 1).then(|| tree.text(text))
    };
    statements.map_while(alone).collect()
}

/// Whether it would mean something else: it looks at how it was called, names what the watch is named by, or has a template
/// that is told apart by where it is written.
fn is_delicate(tree: &Tree<'_>, function: At) -> bool {
    tree.inside(function).any(|at| match tree.kind(at) {
        "identifier" => matches!(tree.text(at), "arguments" | "eval" | "globalThis"),
        "property_identifier" => {
            matches!(tree.text(at), "captureStackTrace" | "prepareStackTrace" | "caller" | "callee")
        }
        "call_expression" => {
            tree.child(at, "arguments").is_some_and(|given| tree.kind(given) == "template_string")
        }
        _ => false,
    })
}

/// Whether a function gives a new value to variables that are not its own.
fn changes(tree: &Tree<'_>, function: At) -> bool {
    let names = |at: At| tree.inside(at).filter(|at| is_name(tree, *at)).map(|at| tree.text(at));
    let mut own: Vec<&str> = Vec::new();
    for at in tree.inside(function) {
        let bound = match tree.kind(at) {
            "variable_declarator" => tree.child(at, "name"),
            "for_in_statement" => tree.child(at, "left"),
            "catch_clause" => tree.child(at, "parameter"),
            kind if is_function(kind) => tree.child_of(at, &["parameters", "parameter"]),
            _ => None,
        };
        own.extend(bound.into_iter().flat_map(names));
    }
    tree.inside(function).any(|at| {
        let changed = match tree.kind(at) {
            "assignment_expression" | "augmented_assignment_expression" => tree.child(at, "left"),
            "update_expression" => tree.child(at, "argument"),
            _ => None,
        };
        changed.is_some_and(|at| tree.kind(at) == "identifier" && !own.contains(&tree.text(at)))
    })
}

fn is_name(tree: &Tree<'_>, at: At) -> bool {
    matches!(tree.kind(at), "identifier" | "shorthand_property_identifier_pattern")
}

/// Where a block is closed. The parser may count a remark behind the brace to it.
fn brace(tree: &Tree<'_>, text: &str, block: At) -> Option<usize> {
    let bytes = |at: At| (tree.bytes(at).start as usize, tree.bytes(at).end as usize);
    let (start, end) = bytes(block);
    let mut from = start + 1;
    for (next, behind) in tree.children(block).map(bytes).chain([(end, end)]) {
        if let Some(at) = text.get(from..next)?.find('}') {
            return Some(from + at);
        }
        from = behind;
    }
    None
}

/// Whether a property is got or set by it.
fn accessor(head: &str) -> Option<&'static str> {
    let mut words = head.split_whitespace().skip_while(|word| *word == "static");
    let first = words.next()?;
    words.next()?;
    [("get", "get "), ("set", "set ")].into_iter().find_map(|(word, told)| (first == word).then_some(told))
}

/// Whether a function declares by `var`, or as a function, what its parameters bind.
fn declares(tree: &Tree<'_>, body: At, list: Option<At>) -> bool {
    let Some(list) = list else { return false };
    let bound: Vec<&str> =
        tree.inside(list).filter(|at| is_name(tree, *at)).map(|at| tree.text(at)).collect();
    let declared = tree.inside(body).filter(|at| {
        let above = tree.ancestors(*at).take(4).take_while(|above| *above > body).find(|above| {
            matches!(
                tree.kind(*above),
                "variable_declaration" | "function_declaration" | "lexical_declaration"
            )
        });
        is_name(tree, *at) && above.is_some_and(|above| tree.kind(above) != "lexical_declaration")
    });
    declared.map(|at| tree.text(at)).any(|name| bound.contains(&name))
}
