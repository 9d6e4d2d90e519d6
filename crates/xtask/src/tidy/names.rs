//! Words that say nothing about a thing, in the names of files and of what the crates define.

use std::path::Path;

use anyhow::Result;

use super::House;

const EMPTY_WORDS: [&str; 7] = ["manager", "helper", "util", "common", "misc", "handler", "imp"];

const DEFINING: [&str; 8] = ["fn", "struct", "enum", "mod", "trait", "type", "union", "macro_rules!"];

/// What may stand before the defining word on its line.
const BEFORE: [&str; 6] = ["pub", "async", "const", "unsafe", "extern", "default"];

/// Complaints about file names everywhere but in what was captured, and about definitions.
pub(super) fn complaints(house: &House) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for file in &house.files {
        complaints.extend(file_complaint(file));
    }
    for file in house.sources() {
        for (index, line) in house.text(file)?.lines().enumerate() {
            let found = definition(line).and_then(definition_complaint);
            complaints.extend(found.map(|text| format!("{}:{}: {text}", file.display(), index + 1)));
        }
    }
    Ok(complaints)
}

fn file_complaint(file: &Path) -> Option<String> {
    if file.starts_with("fixtures") {
        return None;
    }
    let word = empty_word(&file.to_string_lossy())?;
    Some(format!("`{}` has `{word}` in its name", file.display()))
}

/// The kind and the name of what a line begins to define.
fn definition(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace().skip_while(|word| {
        // `pub(crate)` is a `pub`, and `"C"` belongs to the `extern` before it.
        let plain = word.split('(').next().unwrap_or_default();
        BEFORE.contains(&plain) || word.starts_with("\"C")
    });
    let kind = words.next().filter(|word| DEFINING.contains(word))?;
    let rest = words.next()?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let (name, _) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    Some((kind, name))
}

/// A function's name is a sentence, above all in tests, so only its beginning is looked at.
fn definition_complaint((kind, name): (&str, &str)) -> Option<String> {
    if kind == "fn" {
        let accessor = name.starts_with("get_");
        return accessor.then(|| format!("`fn {name}` begins with `get_`"));
    }
    let word = empty_word(name)?;
    Some(format!("`{kind} {name}` has `{word}` in its name"))
}

/// The first empty word among the words of a path, a snake-case or a camel-case name.
fn empty_word(name: &str) -> Option<&'static str> {
    let mut spaced = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            spaced.push(' ');
        }
        match letter.is_alphabetic() {
            true => spaced.extend(letter.to_lowercase()),
            false => spaced.push(' '),
        }
    }
    let words: Vec<_> = spaced.split(' ').collect();
    let used = |empty: &&&str| words.iter().any(|word| word.strip_suffix('s').unwrap_or(word) == **empty);
    EMPTY_WORDS.iter().find(used).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, wanted: Option<&str>) {
        let found = definition(line).and_then(definition_complaint);
        assert_eq!(found.as_deref(), wanted, "{line}");
    }

    #[test]
    fn an_empty_word_in_a_definition_is_named() {
        for (line, wanted) in [
            ("struct RunManager;", "`struct RunManager` has `manager` in its name"),
            ("pub enum Helper {", "`enum Helper` has `helper` in its name"),
            ("pub(crate) mod utils;", "`mod utils` has `util` in its name"),
            ("trait HandlerOf<T> {", "`trait HandlerOf` has `handler` in its name"),
            ("    fn get_name(&self) {", "`fn get_name` begins with `get_`"),
            ("unsafe extern \"C\" fn get_common() {", "`fn get_common` begins with `get_`"),
        ] {
            check(line, Some(wanted));
        }
    }

    #[test]
    fn other_names_pass() {
        for line in [
            "struct Run;",
            "fn budget_left() {",
            "fn gets() {",
            "fn two_that_differ_have_no_common_value() {",
            "struct Import;",
            "mod impact;",
            "// fn get_name",
            "let manager = 1;",
            "impl Simple {",
        ] {
            check(line, None);
        }
    }

    #[test]
    fn an_empty_word_in_a_file_name_is_named() {
        let complaint = |path| file_complaint(Path::new(path));
        assert_eq!(
            complaint("crates/run/src/util.rs").as_deref(),
            Some("`crates/run/src/util.rs` has `util` in its name")
        );
        assert!(complaint("crates/run/src/common/mod.rs").is_some());
        assert!(complaint("docs/test-helpers.md").is_some());
        assert!(complaint("crates/run/src/import.rs").is_none());
        assert!(complaint("fixtures/perf/6.1/common/input").is_none());
    }
}
