//! Calls in one form for all languages, with names from imports written out.

use std::collections::HashMap;

use model::source::Language;

use super::grammar::{is_call, is_identifier, is_script, is_text, member, unwrapped};
use super::tree::{At, Tree};

/// `receiver.name(arguments)`, `new name(arguments)` or `name!(…)`.
pub(super) struct Call<'t> {
    pub(super) at: At,
    /// Dotted, with the root as imports tell: `json.loads`. Begins with a dot when the receiver is not a plain name.
    pub(super) path: String,
    pub(super) name: &'t str,
    pub(super) receiver: Option<At>,
    pub(super) arguments: Vec<At>,
    /// By `new`.
    pub(super) makes: bool,
}

impl Call<'_> {
    /// The last two parts of the path, which is how classes and modules are named where they are used.
    pub(super) fn tail(&self) -> &str {
        let mut dots = self.path.rmatch_indices('.').skip(1);
        let start = dots.next().map_or(0, |(dot, _)| dot + 1);
        self.path.get(start..).unwrap_or_default()
    }
}

/// Local names of imported things, with their full paths.
#[derive(Default)]
pub(super) struct Imports(HashMap<String, String>);

pub(super) fn call<'t>(tree: &Tree<'t>, imports: &Imports, at: At) -> Option<Call<'t>> {
    let kind = tree.kind(at);
    if !is_call(kind) {
        return None;
    }
    let makes = matches!(kind, "new_expression" | "object_creation_expression");
    let arguments = arguments(tree, at);
    if kind == "method_invocation" {
        let name = tree.child_text(at, "name");
        let receiver = tree.child(at, "object");
        let path = receiver.map_or(name.to_owned(), |object| join(&path(tree, imports, object), name));
        return Some(Call { at, path, name, receiver, arguments, makes });
    }
    let mut callee = tree.child_of(at, &["function", "constructor", "type", "macro"])?;
    if tree.kind(callee) == "generic_function" {
        callee = tree.child(callee, "function")?;
    }
    if let Some((object, name)) = member(tree, callee) {
        let path = join(&path(tree, imports, object), name);
        return Some(Call { at, path, name, receiver: Some(object), arguments, makes });
    }
    let path = path(tree, imports, callee);
    let name = last_name(tree.text(callee));
    Some(Call { at, path, name, receiver: None, arguments, makes })
}

fn arguments(tree: &Tree<'_>, at: At) -> Vec<At> {
    let list = tree.child(at, "arguments").or_else(|| {
        let macros = tree.kind(at) == "macro_invocation";
        tree.children(at).find(|child| macros && tree.kind(*child) == "token_tree")
    });
    match list {
        Some(list) if tree.kind(list) == "generator_expression" => vec![list],
        Some(list) => tree.children(list).filter(|child| !tree.kind(*child).contains("comment")).collect(),
        None => Vec::new(),
    }
}

fn join(object: &str, name: &str) -> String {
    format!("{object}.{name}")
}

/// Empty when the expression is not a chain of names.
fn path(tree: &Tree<'_>, imports: &Imports, at: At) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut at = unwrapped(tree, at);
    while let Some((object, name)) = member(tree, at) {
        names.push(name);
        at = unwrapped(tree, object);
    }
    let kind = tree.kind(at);
    let plain = is_identifier(kind)
        || kind.starts_with("scoped_")
        || kind.ends_with("_type")
        || matches!(kind, "qualified_identifier" | "type_identifier" | "template_function" | "super");
    if !plain {
        return String::new();
    }
    let root = without_generics(tree.text(at));
    let mut path = imports.resolved(&root);
    for name in names.iter().rev() {
        path.push('.');
        path.push_str(name);
    }
    path
}

/// `std::vec<int>::f` becomes `vec.f`: generics and the standard prefix go, every separator is a dot.
fn without_generics(text: &str) -> String {
    let mut depth = 0_u32;
    let mut plain = String::new();
    for letter in text.chars().take(400) {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !letter.is_whitespace() => plain.push(letter),
            _ => {}
        }
    }
    let plain = plain.replace("::", ".").replace("..", ".");
    plain.strip_prefix("std.").map(str::to_owned).unwrap_or(plain)
}

fn last_name(text: &str) -> &str {
    let head = text.split('<').next().unwrap_or_default();
    head.rsplit([':', '.']).next().unwrap_or_default().trim()
}

impl Imports {
    pub(super) fn read(tree: &Tree<'_>) -> Self {
        let mut imports = Self::default();
        for at in tree.all() {
            match (tree.language, tree.kind(at)) {
                (Language::Python, "import_statement") => imports.python(tree, at, ""),
                (Language::Python, "import_from_statement") => {
                    imports.python(tree, at, tree.child_text(at, "module_name"));
                }
                (Language::Go, "import_spec") => imports.go(tree, at),
                (Language::Rust, "use_declaration") => imports.rust(tree, at),
                (language, "import_statement") if is_script(language) => imports.script(tree, at),
                (language, "variable_declarator") if is_script(language) => imports.require(tree, at),
                _ => {}
            }
        }
        imports
    }

    /// The path with its root written out.
    fn resolved(&self, path: &str) -> String {
        let (root, rest) = path.split_once('.').map_or((path, None), |(root, rest)| (root, Some(rest)));
        let Some(full) = self.0.get(root) else { return path.to_owned() };
        match rest {
            Some(rest) => format!("{full}.{rest}"),
            None => full.clone(),
        }
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn add(&mut self, local: &str, full: String) {
        self.0.insert(local.to_owned(), full);
    }

    fn python(&mut self, tree: &Tree<'_>, at: At, module: &str) {
        for name in tree.children(at).filter(|child| tree.field(*child) == "name") {
            let aliased = tree.kind(name) == "aliased_import";
            let original = if aliased { tree.child_text(name, "name") } else { tree.text(name) };
            let local = if aliased { tree.child_text(name, "alias") } else { original };
            match module {
                // `import a.b` binds `a`, which already says what it is.
                "" if !aliased => self.add(original.split('.').next().unwrap_or_default(), root(original)),
                "" => self.add(local, original.to_owned()),
                _ => self.add(local, join(module, original)),
            }
        }
    }

    fn go(&mut self, tree: &Tree<'_>, at: At) {
        let path = unquoted(tree.child_text(at, "path"));
        let package = path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path);
        let local = tree.child(at, "name").map_or(package, |name| tree.text(name));
        self.add(local, package.to_owned());
    }

    fn rust(&mut self, tree: &Tree<'_>, at: At) {
        for name in tree.inside(at) {
            let alias = tree.parent(name).filter(|parent| tree.kind(*parent) == "use_as_clause");
            let leaf = match (alias, tree.field(name)) {
                (Some(_), "alias") => true,
                (Some(_), _) => false,
                (None, "path" | "list") => false,
                (None, _) => matches!(tree.kind(name), "identifier" | "scoped_identifier"),
            };
            let nested = tree.parent(name).is_some_and(|parent| tree.kind(parent) == "scoped_identifier");
            if !leaf || nested {
                continue;
            }
            let original = match alias {
                Some(clause) => tree.child_text(clause, "path"),
                None => tree.text(name),
            };
            let mut parts = vec![original.to_owned()];
            for list in tree.ancestors(name).take_while(|above| *above != at) {
                if tree.kind(list) == "scoped_use_list" {
                    parts.push(tree.child_text(list, "path").to_owned());
                }
            }
            parts.reverse();
            let full = without_generics(&parts.join("::"));
            self.add(last_name(tree.text(name)), full);
        }
    }

    fn script(&mut self, tree: &Tree<'_>, at: At) {
        let module = script_module(tree.child_text(at, "source"));
        for name in tree.inside(at) {
            let parent = tree.parent(name).map(|parent| tree.kind(parent)).unwrap_or_default();
            match (tree.kind(name), parent) {
                ("identifier", "import_clause" | "namespace_import") => {
                    self.add(tree.text(name), module.clone())
                }
                ("import_specifier", _) => {
                    let original = tree.child_text(name, "name");
                    let local = tree.child(name, "alias").map_or(original, |alias| tree.text(alias));
                    self.add(local, join(&module, original));
                }
                _ => {}
            }
        }
    }

    /// `const fs = require("fs")`, `const { a, b: c } = require("fs").promises`.
    fn require(&mut self, tree: &Tree<'_>, at: At) {
        let (Some(name), Some(mut value)) = (tree.child(at, "name"), tree.child(at, "value")) else { return };
        let mut behind = String::new();
        while let Some((object, member)) = member(tree, value) {
            behind = format!(".{member}{behind}");
            value = object;
        }
        let required = tree.child_text(value, "function") == "require";
        let Some(module) = tree.child(value, "arguments").and_then(|list| tree.first_child(list)) else {
            return;
        };
        if !required || !is_text(tree.kind(module)) {
            return;
        }
        let module = script_module(tree.text(module)) + &behind;
        if tree.kind(name) == "identifier" {
            return self.add(tree.text(name), module);
        }
        for part in tree.children(name) {
            match tree.kind(part) {
                "shorthand_property_identifier_pattern" => {
                    self.add(tree.text(part), join(&module, tree.text(part)));
                }
                "pair_pattern" => {
                    self.add(tree.child_text(part, "value"), join(&module, tree.child_text(part, "key")));
                }
                _ => {}
            }
        }
    }
}

fn root(path: &str) -> String {
    path.split('.').next().unwrap_or_default().to_owned()
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

pub(super) fn unquoted(text: &str) -> &str {
    let quote = |letter: char| matches!(letter, '"' | '\'' | '`');
    text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '#').trim_matches(quote)
}

/// `node:fs/promises` and `fs/promises` are the same module.
fn script_module(quoted: &str) -> String {
    let module = unquoted_module(quoted);
    module.strip_prefix("node:").unwrap_or(module).replace('/', ".")
}

fn unquoted_module(text: &str) -> &str {
    text.trim_matches(|letter: char| matches!(letter, '"' | '\'' | '`'))
}
