//! Members of C++ classes that nobody calls by name: who copies or gives up a value is the caller, and the place to change.

use super::places::Places;
use super::spots::walk;

/// Who copies or gives up a value, when `found` is what does that for the value's type.
pub(super) fn asked_for(places: &Places<'_>, found: u32) -> Option<u32> {
    let is_member = |node: u32| is_special(places.name(places.function_of(node)));
    let is_own = |node: u32| places.view(node).is_some_and(|view| view.project == node);
    if !is_member(found) {
        return None;
    }
    walk(places, found).skip(1).find(|node| is_own(*node) && !is_member(*node))
}

/// A destructor, or what copies, moves or assigns one whole value of a class, by its name with its parameters.
pub(crate) fn is_special(name: &str) -> bool {
    let (path, parameters) = name.split_once('(').unwrap_or((name, ""));
    let mut parts = path.rsplit("::");
    let (Some(last), Some(class)) = (parts.next(), parts.next()) else { return false };
    let takes_one = || {
        let one = parameters.split_once(')').map_or("", |(inside, _)| inside);
        let taken = one.strip_suffix(" const&").or_else(|| one.strip_suffix("&&"));
        taken.is_some_and(|taken| taken.rsplit("::").next() == Some(class))
    };
    last.starts_with('~') || (last == class || last == "operator=") && takes_one()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_copies_whole_values_is_told_from_who_makes_them() {
        let special = [
            "archive::Collection::Collection(archive::Collection const&)",
            "archive::Collection::~Collection()",
            "Row::operator=(Row&&)",
        ];
        assert!(special.iter().all(|name| is_special(name)));
        let others = [
            "archive::Collection::Collection(std::string const&)",
            "Row::Row(int)",
            "Row::operator=(int)",
            "plan(Row const&)",
            "main",
        ];
        assert!(!others.iter().any(|name| is_special(name)));
    }
}
