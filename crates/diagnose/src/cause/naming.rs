//! Functions without a name of their own belong to the function that they are written in, which is what people know.

use std::borrow::Cow;

use model::profile::Place;
use model::recording::{Frame, Module};

/// What compilers hang on the name of a function for what is written inside of it.
const INNER: [&str; 6] = [
    "::{{closure}}",
    ".<locals>.<listcomp>",
    ".<locals>.<genexpr>",
    ".<locals>.<dictcomp>",
    ".<locals>.<setcomp>",
    ".<locals>.<lambda>",
];

/// The place of a frame. `None` where nothing names its function.
pub(super) fn place_of(frame: &Frame, modules: &[Module]) -> Option<Place> {
    let module = frame.module.and_then(|module| modules.get(module as usize));
    Some(Place {
        function: frame.function.clone()?,
        file: frame.file.clone(),
        line: frame.line,
        module: module.map(|module| module.path.clone()),
        language: frame.language,
        owner: frame.owner,
    })
}

/// The function that a closure, a comprehension or a lambda is written in.
pub(crate) fn enclosing(function: &str) -> Cow<'_, str> {
    let mut name = function;
    while let Some(outer) = outer(name) {
        name = outer;
    }
    of_java(name).map_or(Cow::Borrowed(name), Cow::Owned)
}

/// One step outwards. `None` where the name is that of a function.
fn outer(name: &str) -> Option<&str> {
    let outer = INNER.iter().find_map(|inner| name.strip_suffix(inner)).or_else(|| of_rust(name));
    outer.or_else(|| of_go(name)).or_else(|| of_c_plus_plus(name)).filter(|outer| !outer.is_empty())
}

/// `tool::survey::{closure#0}`.
fn of_rust(name: &str) -> Option<&str> {
    let (outer, inner) = name.rsplit_once("::{closure#")?;
    inner.strip_suffix('}').is_some_and(is_number).then_some(outer)
}

/// `main.(*Race).Score.func1`, `main.run.func2.1`, `main.(*Race).Score.gowrap1`.
fn of_go(name: &str) -> Option<&str> {
    let (outer, inner) = name.rsplit_once('.')?;
    let is_inner = ["func", "gowrap"].iter().any(|word| inner.strip_prefix(word).is_some_and(is_number));
    // `main.run.func2.1`: the second number alone is an inner one only behind a first.
    let is_nested = is_number(inner) && outer.rsplit('.').next().is_some_and(|last| last.starts_with("func"));
    ((is_inner || is_nested) && outer.contains('.')).then_some(outer)
}

/// `survey(int)::{lambda(int)#1}::operator()(int) const`, `survey(int)::<lambda(int)>::operator()`.
fn of_c_plus_plus(name: &str) -> Option<&str> {
    let (outer, inner) = name.rsplit_once("::{lambda(").or_else(|| name.rsplit_once("::<lambda("))?;
    (inner.contains('#') || inner.ends_with("::operator()")).then_some(outer)
}

/// `Main$Race.lambda$score$0` is written in `Main$Race.score`.
fn of_java(name: &str) -> Option<String> {
    let (class, method) = name.rsplit_once('.')?;
    let (method, number) = method.strip_prefix("lambda$")?.rsplit_once('$')?;
    // A lambda in a constructor or in an initialiser.
    let method = match method {
        "new" => "<init>",
        "static" => "<clinit>",
        method => method,
    };
    (is_number(number) && !method.is_empty()).then(|| format!("{class}.{method}"))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The place under the name that people know. Its line stays that of the closure.
pub(super) fn named(mut place: Place) -> Place {
    place.function = enclosing(&place.function).into_owned();
    place
}

/// Constructors, destructors and assignments of C++: nobody calls them by name, and whoever copies or drops the value is
/// the one to change.
pub(super) fn is_special_member(function: &str) -> bool {
    let name = function.split('(').next().unwrap_or(function);
    let mut parts = name.rsplit("::");
    let (last, class) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let class = class.split('<').next().unwrap_or(class);
    let last = last.split('<').next().unwrap_or(last);
    !class.is_empty() && (last == class || last.strip_prefix('~') == Some(class) || last == "operator=")
}

#[cfg(test)]
mod tests {
    use super::{enclosing, is_special_member};

    #[test]
    fn what_has_no_name_is_part_of_the_function_it_is_written_in() {
        for (inner, outer) in [
            ("sick::survey::{{closure}}::{{closure}}", "sick::survey"),
            ("sick::survey::{closure#0}", "sick::survey"),
            ("<sick::Built as sick::Part>::cost::{{closure}}", "<sick::Built as sick::Part>::cost"),
            ("main.(*Race).Score.func1", "main.(*Race).Score"),
            ("main.run.func2.1", "main.run"),
            ("main.run.gowrap1", "main.run"),
            ("Main$Race.lambda$score$0", "Main$Race.score"),
            ("Main.lambda$static$1", "Main.<clinit>"),
            ("survey(int)::{lambda(int)#1}::operator()(int) const", "survey(int)"),
            ("Desk.total.<locals>.<genexpr>", "Desk.total"),
        ] {
            assert_eq!(enclosing(inner), outer, "{inner}");
        }
        for own in ["main.func1", "main.main", "parse", "v1.2", "{{closure}}", "Main.lambda", "a::b", ""] {
            assert_eq!(enclosing(own), own, "a name of its own");
        }
    }

    #[test]
    fn what_cpp_calls_by_itself_is_told_from_what_people_call() {
        for special in [
            "Move::Move(int, int)",
            "a::Move::~Move()",
            "Box<int>::Box(Box<int> const&)",
            "M::operator=(M&&)",
        ] {
            assert!(is_special_member(special), "{special}");
        }
        for plain in ["main", "Move::make(int)", "std::sort(int*, int*)", "Search::expand(Search&)", "fold"] {
            assert!(!is_special_member(plain), "{plain}");
        }
    }
}
