//! How long files may be, and that each source file begins by saying what it is.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;

use super::House;

/// The guide asks for about 400; this is where it stops being a matter of taste.
const MOST_LINES: usize = 600;

const MOST_ARCHITECTURE_LINES: usize = 150;

/// Complaints about source files that are too long or do not introduce themselves.
pub(super) fn complaints(house: &House) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for file in house.sources() {
        let found = file_complaints(file, &house.text(file)?);
        complaints.extend(found.iter().map(|text| format!("`{}` {text}", file.display())));
    }
    Ok(complaints)
}

/// Complaints about ARCHITECTURE.md, which one must be able to read in one sitting.
pub(super) fn architecture(house: &House) -> Result<Vec<String>> {
    let text = house.text(Path::new("ARCHITECTURE.md"))?;
    Ok(too_long(&text, MOST_ARCHITECTURE_LINES))
}

fn too_long(text: &str, most: usize) -> Vec<String> {
    let lines = text.lines().count();
    match lines > most {
        true => vec![format!("has {lines} lines, more than {most}")],
        false => Vec::new(),
    }
}

fn file_complaints(file: &Path, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if !text.starts_with("//!") {
        complaints.push("does not begin with a module doc (`//!`)".to_owned());
    }
    let lines = logic_lines(file, text);
    if lines > MOST_LINES {
        complaints.push(format!("has {lines} lines without its tests, more than {MOST_LINES}"));
    }
    complaints
}

/// The lines outside of tests. Relies on rustfmt: an item at the margin ends at a `}` at the
/// margin, or on its own line.
fn logic_lines(file: &Path, text: &str) -> usize {
    if file.iter().any(|part| part == "tests") || file.file_name() == Some(OsStr::new("tests.rs")) {
        return 0;
    }
    let mut count = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match line {
            "#![cfg(test)]" => return 0,
            "#[cfg(test)]" => skip_item(&mut lines),
            _ => count += 1,
        }
    }
    count
}

fn skip_item<'a>(lines: &mut impl Iterator<Item = &'a str>) {
    let last = |line: &&str| {
        let at_margin = !line.starts_with([' ', '#', '/']);
        at_margin && (line.starts_with(['}', ']', ')']) || line.ends_with([';', '}']))
    };
    lines.find(last);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, wanted: &[&str]) {
        assert_eq!(file_complaints(Path::new(path), text), wanted);
    }

    fn file(logic: usize, tests: usize) -> String {
        let logic = "x\n".repeat(logic - 1);
        let tests = "    y\n".repeat(tests);
        format!("//! A file.\n#[cfg(test)]\nuse a::b;\n{logic}#[cfg(test)]\nmod tests {{\n{tests}}}\n")
    }

    #[test]
    fn a_long_file_is_named_but_its_tests_are_free() {
        check("crates/a/src/b.rs", &file(600, 900), &[]);
        let wanted = ["has 601 lines without its tests, more than 600"];
        check("crates/a/src/b.rs", &file(601, 0), &wanted);
        check("crates/a/src/b/tests.rs", &file(601, 0), &[]);
    }

    #[test]
    fn logic_below_the_tests_counts() {
        let text = format!("{}{}", file(400, 10), "z\n".repeat(201));
        let wanted = ["has 601 lines without its tests, more than 600"];
        check("crates/a/src/b.rs", &text, &wanted);
    }

    #[test]
    fn a_file_without_an_introduction_is_named() {
        let wanted = ["does not begin with a module doc (`//!`)"];
        check("crates/a/src/b.rs", "use std::fs;\n", &wanted);
        check("crates/a/src/b.rs", "", &wanted);
    }

    #[test]
    fn the_151st_line_is_one_too_many() {
        assert!(too_long(&"a\n".repeat(150), MOST_ARCHITECTURE_LINES).is_empty());
        assert_eq!(too_long(&"a\n".repeat(151), MOST_ARCHITECTURE_LINES), ["has 151 lines, more than 150"]);
    }
}
