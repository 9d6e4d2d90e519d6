//! Hash functions of the user's that give many keys the same value: each look-up then goes through a chain.

use model::profile::Place;
use model::recording::Owner;
use model::source::Context;

use super::facts::Contexts;
use super::source::SOURCE;
use super::subject::Subject;
use crate::profile::family::Family;
use crate::profile::spots::Spot;

/// From this share of a place's time on, its hash tables are what it does.
const LOOKS_UP: f64 = 0.5;

pub(super) fn note(subject: &mut Subject, spot: &Spot, contexts: &Contexts<'_>) {
    if spot.family(Family::Hash) < LOOKS_UP || spot.place.owner != Owner::Project {
        return;
    }
    let weak = contexts.iter().find_map(|((file, line), context)| {
        let name = context.function.as_ref()?.name.as_deref().filter(|name| is_hash(name))?;
        Some((*file, *line, name, weak(context)?))
    });
    subject.number("source.weak-hash", f64::from(u8::from(weak.is_some())), "yes", SOURCE);
    if let Some((file, line, name, what)) = weak {
        subject.word("what", what);
        subject.word("way", "hash");
        let place = Place {
            function: name.to_owned(),
            file: Some(file.to_owned()),
            line: Some(line),
            ..spot.place.clone()
        };
        subject.instead.insert("algorithmic-growth", place);
    }
}

/// By the names that languages ask for.
fn is_hash(function: &str) -> bool {
    let last = function.rsplit(['.', ':']).next().unwrap_or_default();
    matches!(last, "hashCode" | "__hash__" | "hash") || function.contains("hash<") && last == "operator()"
}

/// What a hash function returns, if nothing in it spreads the parts: sums and exclusive ors of coordinates coincide, a
/// product or a shift by a constant does not.
fn weak(context: &Context) -> Option<String> {
    let text = context.statement.join(" ");
    let value = text.trim().strip_prefix("return")?.trim().trim_end_matches(';').trim();
    let spreads = ["*", "<<", ">>", "%", "rotate", "mix", "combine"].iter().any(|sign| value.contains(sign));
    let joins = ["^", "+", "|"].iter().any(|sign| value.contains(sign));
    let is_constant = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    (is_constant || joins && !spreads).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_that_spread_nothing_are_told_from_others() {
        let weak = |statement: &str| {
            let context = Context {
                language: model::source::Language::Cpp,
                line: 1,
                function: None,
                loops: Vec::new(),
                statement: vec![statement.to_owned()],
                traits: Vec::new(),
                callees: Vec::new(),
                in_lock: None,
                in_transaction: None,
                damaged: false,
            };
            weak(&context)
        };
        for text in ["return x ^ y;", "return self.x + self.y", "return 1;", "return h(a.x) ^ h(a.y);"] {
            assert!(weak(text).is_some(), "{text}");
        }
        for text in
            ["return 31 * x + y;", "return x ^ (y << 16);", "return hash((self.x, self.y))", "h ^= x;"]
        {
            assert_eq!(weak(text), None, "{text}");
        }
        assert!(is_hash("std::hash<ants::Spot>::operator()") && is_hash("Spot.hashCode"));
        assert!(!is_hash("Less::operator()") && !is_hash("rehash"));
    }
}
