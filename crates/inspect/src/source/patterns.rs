//! Where a call matches, and by which pattern.

use model::source::{Language, Trait, TraitKind};

use super::File;
use super::calls::{Call, unquoted};
use super::grammar::is_text;
use super::kinds::Kind;
use super::regex::nested_quantifier;
use super::tree::At;

impl File<'_> {
    /// `iter(scanner.search, None)` of Python: each turn of the loop matches, though nobody calls it there by name.
    pub(super) fn iterated_matcher(&self, call: &Call<'_>) -> Option<Trait> {
        let [first, _] = call.arguments.as_slice() else { return None };
        let method = self.tree.text(*first).rsplit_once('.').map(|(_, name)| name);
        let matches = self.tree.language == Language::Python
            && call.path == "iter"
            && matches!(method, Some("search" | "match"));
        matches.then(|| self.plain(TraitKind::RegexMatch, call.at))
    }

    /// Texts have methods that take a pattern: `s.matches("…")` of Java, `s.replace(/…/, …)` of JavaScript.
    pub(super) fn regex_by_text(&self, call: &Call<'_>, receiver: Kind) -> Option<Trait> {
        call.receiver?;
        let first = *call.arguments.first()?;
        let pattern = match self.tree.language {
            Language::Java
                if receiver == Kind::Text
                    && matches!(call.name, "matches" | "split" | "replaceAll" | "replaceFirst") =>
            {
                true
            }
            Language::JavaScript | Language::TypeScript => {
                matches!(call.name, "match" | "replace" | "search" | "split" | "replaceAll")
                    && self.kind_of(first) == Kind::Regex
            }
            _ => false,
        };
        if !pattern {
            return None;
        }
        let text = self.pattern_text(first);
        let nested_quantifier = text.as_deref().map(nested_quantifier);
        Some(Trait { pattern: text, nested_quantifier, ..self.plain(TraitKind::RegexMatch, call.at) })
    }

    /// The pattern of a compile or match call: written in it, or where its receiver was compiled.
    pub(super) fn pattern(&self, call: &Call<'_>, receiver: Kind) -> Option<String> {
        if receiver == Kind::Regex {
            let made = self.single_value(call.receiver?);
            if self.tree.kind(made) == "regex" {
                return self.pattern_text(made);
            }
            let inner = self.call(made)?;
            // Java's matcher stands between the pattern and the match.
            if inner.name == "matcher" {
                let compiled = self.call(self.single_value(inner.receiver?))?;
                return self.pattern_text(*compiled.arguments.first()?);
            }
            return self.pattern_text(*inner.arguments.first()?);
        }
        let index = match call.name {
            "regcomp" => 1,
            "regex_match" | "regex_search" | "regex_replace" => return self.native_pattern(call),
            _ => 0,
        };
        self.pattern_text(*call.arguments.get(index)?)
    }

    /// `std::regex_match(text, pattern)`: the argument that is a regex, and what it was made from.
    fn native_pattern(&self, call: &Call<'_>) -> Option<String> {
        let regex = call.arguments.iter().copied().find(|at| self.kind_of(*at) == Kind::Regex)?;
        let made = self.single_value(regex);
        let literal = self.tree.inside(made).find(|at| is_text(self.tree.kind(*at)))?;
        self.pattern_text(literal)
    }

    pub(super) fn pattern_text(&self, at: At) -> Option<String> {
        let at = self.single_value(at);
        let tree = &self.tree;
        if tree.kind(at) == "regex" {
            return Some(tree.child_text(at, "pattern").to_owned());
        }
        if !is_text(tree.kind(at)) {
            return self.call(at).filter(|call| call.name == "compile").and_then(|call| {
                let first = *call.arguments.first()?;
                is_text(tree.kind(first)).then(|| plain_pattern(tree.text(first)))
            });
        }
        Some(plain_pattern(tree.text(at)))
    }
}

/// The pattern between the quotes; doubled backslashes of languages without raw strings become single ones.
fn plain_pattern(quoted: &str) -> String {
    let raw = quoted.starts_with(['r', 'R', '`']) || quoted.starts_with("br") || quoted.starts_with("rb");
    let text = unquoted(quoted).trim_end_matches('#').trim_matches('"');
    let text = text
        .strip_prefix('(')
        .filter(|_| quoted.starts_with("R\"("))
        .map_or(text, |inner| inner.strip_suffix(')').unwrap_or(inner));
    if raw { text.to_owned() } else { text.replace("\\\\", "\\") }
}
