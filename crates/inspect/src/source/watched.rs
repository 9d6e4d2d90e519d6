//! The text of a JavaScript file in which functions tell who watches them that they are called.
//!
//! `function area(a, b) { return a * b; }` becomes
//! `function area(a, b) {if(--W[3].next<0)return W[3].call(this,[a,b],(a,b)=>{ return a * b; }); return a * b; }`: a call
//! that is not watched runs what it always ran. Functions that wait or yield are called once and entered often; they stay, and
//! so does what would mean something else when it is written twice, or one call further in.

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
}

/// A JavaScript file and its functions that can be watched.
pub struct Watch<'t> {
    file: File<'t>,
    text: &'t str,
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
        Some(Self { file, text, bodies })
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
    pub fn text(&self, number: &dyn Fn(usize) -> Option<usize>) -> String {
        let chosen: Vec<(&Body, usize)> =
            self.bodies.iter().enumerate().filter_map(|(at, body)| Some((body, number(at)?))).collect();
        self.watched(0, self.text.len(), &chosen)
    }

    /// A piece of the text with the watched functions inside it, which lie in the order of the text.
    fn watched(&self, from: usize, to: usize, chosen: &[(&Body, usize)]) -> String {
        let piece = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        let (mut out, mut done, mut next) = (String::new(), from, 0);
        while let Some((body, number)) = chosen.get(next) {
            let inner = next + 1;
            let inside = chosen.get(inner..).unwrap_or_default();
            next = inner + inside.iter().take_while(|(other, _)| other.from < body.to).count();
            let inside = chosen.get(inner..next).unwrap_or_default();
            out.push_str(piece(done, body.from));
            out.push_str(&body.told(
                *number,
                &self.watched(body.from, body.to, inside),
                piece(body.from, body.to),
            ));
            done = body.to;
        }
        out.push_str(piece(done, to));
        out
    }
}

impl Body {
    /// What stands in its place: `watched` is its text with what is watched inside it, `plain` as it was.
    fn told(&self, number: usize, watched: &str, plain: &str) -> String {
        let names = self.given.join(",");
        // A body that declares its parameters anew finds them as its own.
        let own = if self.is_plain { names.as_str() } else { "" };
        let given = format!("[{names}]");
        let receiver = if self.has_receiver { "this" } else { "undefined" };
        let is_due = format!("--{WATCH}[{number}].next<0");
        if self.is_expression {
            return format!(
                "({is_due}?{WATCH}[{number}].call({receiver},{given},({own})=>({watched})):({plain}))"
            );
        }
        let directives = &self.directives;
        format!(
            "{directives}if({is_due})return {WATCH}[{number}].call({receiver},{given},({own})=>{{{watched}}});{plain}"
        )
    }
}

/// `None` where it cannot be watched without changing what it does.
fn body(file: &File<'_>, text: &str, at: At) -> Option<Body> {
    let tree = &file.tree;
    let kind = tree.kind(at);
    if kind.starts_with("generator") || file.function(at).is_async {
        return None;
    }
    let body = tree.child(at, "body")?;
    let bytes = tree.bytes(body);
    let (from, to) = (bytes.start as usize, bytes.end as usize);
    let is_expression = tree.kind(body) != "statement_block";
    let (from, to) = if is_expression { (from, to) } else { (from + 1, brace(tree, text, body)?) };
    let head = text.get(tree.bytes(at).start as usize..from)?;
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
    let is_closure = kind == "arrow_function";
    // What it binds by taking a parameter apart is bound by `var` a second time, without a value.
    if !is_plain && declares(tree, body, list) {
        return None;
    }
    let directives = if is_expression { Vec::new() } else { directives(tree, body) };
    if directives.iter().any(|one| one.contains("use asm")) || is_delicate(tree, at) {
        return None;
    }
    let accessor = is_method.then(|| accessor(head)).flatten().unwrap_or_default();
    let is_word = |name: &str| name.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '$'));
    let names = bound.into_iter().map(|name| tree.text(name)).collect::<Vec<&str>>();
    if names.iter().enumerate().any(|(place, name)| names.iter().take(place).any(|other| other == name)) {
        return None;
    }
    let given = names.iter().map(|name| if is_word(name) { *name } else { "undefined" }.to_owned()).collect();
    let parameters = names.into_iter().map(|name| shortened(name, 20)).collect();
    Some(Body {
        of: Watchable {
            name: name.map(|name| format!("{accessor}{name}")),
            line: list.map_or_else(|| tree.first_line(at), |list| tree.first_line(list)),
            parameters,
            changes: changes(tree, at),
        },
        from,
        to,
        is_expression,
        has_receiver: !(is_closure || is_method && name.is_some_and(|name| name.contains("constructor"))),
        given,
        is_plain,
        directives: directives.iter().map(|one| format!("{one};")).collect(),
    })
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
