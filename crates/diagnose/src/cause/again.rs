//! What is done again. Each with each, cut in two: what a function goes through, it hands on whole to another that goes through it
//! again. And what a library is asked for anew in each turn of a loop.

use model::source::{Context, Loop, Trait, TraitKind};

use super::source::{SOURCE, names_a_collection, words_of};
use super::subject::Subject;

/// The line by which the caller hands it on.
pub(super) fn goes_again<'a>(caller: &'a Context, callee: &Context) -> Option<&'a str> {
    let (outer, inner) = (innermost(caller)?, innermost(callee)?.over.as_deref()?);
    let over = outer.over.as_deref()?;
    let function = callee.function.as_ref()?;
    let name = function.name.as_deref()?.rsplit(['.', ':']).next()?;
    let lines = caller.statement.iter();
    // What a loop goes through is asked for once, before its first turn.
    if arguments(over, name).is_some() {
        return None;
    }
    let (line, given) = lines.filter_map(|line| Some((line, arguments(line, name)?))).next()?;
    let itself = |name: &&String| matches!(name.as_str(), "self" | "cls" | "this");
    let handed: Vec<(&String, &str)> =
        function.parameters.iter().filter(|name| !itself(name)).zip(given).collect();
    let has = |text: &str, name: &str| words_of(text).any(|word| word == name);
    let whole = handed.iter().any(|(_, given)| has(over, given));
    // Up to where the caller is, or all of it; never what it has just taken out of it.
    let again = |(name, given): &(&String, &str)| {
        let counts = !names_a_collection(inner) && outer.binds.iter().any(|bound| bound == given);
        has(inner, name) && (has(over, given) || counts)
    };
    (whole && handed.iter().any(again)).then_some(line.as_str())
}

fn innermost(context: &Context) -> Option<&Loop> {
    context.loops.iter().rfind(|around| !around.bounded)
}

/// What a call by this name is given, as far as the line goes.
fn arguments<'a>(line: &'a str, name: &str) -> Option<Vec<&'a str>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let called =
        |at: &usize| !line[..*at].ends_with(is_part) && line[at + name.len()..].trim_start().starts_with('(');
    let at = line.match_indices(name).map(|(at, _)| at).find(called)?;
    let rest = line[at + name.len()..].trim_start().strip_prefix('(')?;
    let (mut given, mut depth, mut from) = (Vec::new(), 0_u32, 0);
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ')' | ',' if depth == 0 => {
                given.push(rest[from..at].trim());
                from = at + 1;
                if letter == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    Some(given)
}

/// Whether the text of a call may be that of this function.
pub(super) fn calls(text: &str, function: &str) -> bool {
    let name = function.split('(').next().unwrap_or_default();
    let mut parts = name.rsplit(['.', ':', '$', '#']).filter(|part| !part.is_empty());
    let is_plain = |part: &str| part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let plain = parts.find(|part| is_plain(part) && !matches!(*part, "__init__" | "__call__" | "new"));
    // A function without a name is called by whatever name it was given.
    plain.is_none_or(|name| text.contains(name))
}

/// From this share of a place's time on in what a library does for it, that is what the place does.
const TAKES: f64 = 0.5;

/// Notes that what a library does at a place, which takes most of its time, is asked for in a loop with arguments that do not
/// change: `JSON.parse` of the same file, in a function that nobody calls in a loop.
pub(super) fn note_invariant(subject: &mut Subject, traits: &[(&Trait, bool)]) {
    let does = [(TraitKind::Parse, "leaf.parse"), (TraitKind::Serialise, "leaf.serialise")];
    let again = |kind: TraitKind| {
        let mut here = traits.iter().filter(|(found, _)| found.kind == kind).peekable();
        here.peek().is_some() && here.all(|(found, repeated)| *repeated && found.invariant == Some(true))
    };
    let takes = |leaf: &str| subject.value(leaf).is_some_and(|share| share >= TAKES);
    if does.iter().any(|(kind, leaf)| again(*kind) && takes(leaf)) {
        subject.number("source.invariant", 1.0, "yes", SOURCE);
    }
}

#[cfg(test)]
mod tests {
    use model::source::{ContainerKind, Function, Language, LoopKind};

    use super::*;
    use crate::cause::Kind;
    use crate::cause::facts::exact;

    fn at(name: &str, parameters: &[&str], over: &str, binds: &[&str], statement: &str) -> Context {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Context {
            language: Language::Python,
            line: 2,
            function: Some(Function {
                name: Some(name.to_owned()),
                first_line: 1,
                last_line: 9,
                parameters: owned(parameters),
                is_async: false,
                recursive: false,
                single: false,
            }),
            loops: vec![Loop {
                kind: LoopKind::For,
                first_line: 2,
                last_line: 8,
                over: Some(over.to_owned()),
                container: ContainerKind::Unknown,
                binds: owned(binds),
                ends_early: false,
                chained: false,
                looks: false,
                bounded: false,
            }],
            statement: vec![statement.to_owned()],
            traits: Vec::new(),
            callees: Vec::new(),
            in_lock: None,
            in_transaction: None,
            damaged: false,
        }
    }

    #[test]
    fn what_is_gone_through_again_was_handed_on_whole() {
        let check = |over: &str, binds: &[&str], call: &str, parameters: &[&str], inner: &str| {
            let caller = at("outer", &["all"], over, binds, call);
            goes_again(&caller, &at("Label.fits", parameters, inner, &["i"], "x = 1")).is_some()
        };
        let place = ["pos", "one"];
        assert!(check(
            "enumerate(all)",
            &place,
            "if not fits(all, pos):",
            &["text", "at"],
            "range(at-1, -1, -1)"
        ));
        assert!(check("all", &["one"], "n += self.fits(one, all)", &["self", "one", "others"], "others"));
        // It goes through what the caller took out, or through something else.
        assert!(!check("all", &["one"], "fits(all, one)", &["all", "one"], "one"));
        assert!(!check("all", &["one"], "fits(all, one)", &["all", "one"], "KNOWN"));
        assert!(!check("self.fits(all, n)", &["one"], "for one in self.fits(all, n):", &["all", "n"], "all"));
        assert!(!check("range(9)", &["n"], "fits(all, n)", &["all", "n"], "all"));
        assert!(!check("all", &["one"], "benefits(one, all)", &["one", "all"], "all"));
    }

    #[test]
    fn arguments_are_parted_where_no_bracket_is_open() {
        assert_eq!(arguments("x = f(a, g(b, c), [d, e])", "f"), Some(vec!["a", "g(b, c)", "[d, e]"]));
        assert_eq!(arguments("x = f(a,", "f"), Some(vec!["a"]));
        assert_eq!(arguments("x = if_(a)", "f"), None);
    }

    /// Whether a place that parses for this share of its time, in a call with this said of its arguments, does so in vain.
    fn parses_again(share: f64, repeated: bool, invariant: Option<bool>) -> bool {
        let found = Trait {
            kind: TraitKind::Parse,
            line: 4,
            text: "JSON.parse(fs.readFileSync('conf.json'))".to_owned(),
            loop_depth: 1,
            container: None,
            pattern: None,
            nested_quantifier: None,
            bytes: None,
            same_collection: None,
            bounded: None,
            invariant,
        };
        let mut subject = Subject::new(Kind::Computing, None, exact(0.7));
        subject.number("leaf.parse", share, "1", SOURCE);
        note_invariant(&mut subject, &[(&found, repeated)]);
        subject.value("source.invariant") == Some(1.0)
    }

    #[test]
    fn what_a_library_parses_in_each_turn_from_the_same_arguments_is_parsed_again() {
        assert!(parses_again(0.9, true, Some(true)));
        assert!(!parses_again(0.9, true, Some(false)), "another file in each turn");
        assert!(!parses_again(0.9, true, None) && !parses_again(0.9, false, Some(true)));
        assert!(!parses_again(0.2, true, Some(true)), "something else takes the time");
    }
}
