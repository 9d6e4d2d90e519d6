//! A wire value as YAML, in block style, fields in the order of the type.
//!
//! Written for readers of YAML 1.1 and 1.2 alike, so every text that any of them might take for something else is
//! quoted: PyYAML reads `yes` as a truth value, `0x1` and `1_000` as numbers and `2026-08-01` as a date. Quoted texts are
//! ASCII and letters only; everything else is escaped, so no text can end a line or the quotation.

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::{self, Write};

/// The document, with a newline at the end.
#[must_use]
pub fn yaml<T: Serialize>(document: &T) -> String {
    // The way through JSON keeps the order of fields and needs no second serialiser.
    let tree: Tree = match serde_json::to_string(document).map(|text| serde_json::from_str(&text)) {
        Ok(Ok(tree)) => tree,
        Ok(Err(error)) | Err(error) => unreachable!("wire types are plain records with text keys: {error}"),
    };
    let mut text = String::new();
    block(&mut text, &tree, 0);
    text
}

/// A value with its fields in order.
enum Tree {
    Null,
    Truth(bool),
    Whole(i128),
    Real(f64),
    Text(String),
    List(Vec<Tree>),
    Record(Vec<(String, Tree)>),
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Truth(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Whole(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Whole(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Real(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Tree, A::Error> {
        let mut record = Vec::new();
        while let Some(field) = fields.next_entry()? {
            record.push(field);
        }
        Ok(Tree::Record(record))
    }
}

/// A value that begins on a line of its own, indented by so many levels.
fn block(text: &mut String, tree: &Tree, level: usize) {
    match tree {
        Tree::Record(fields) if !fields.is_empty() => {
            for (at, (name, value)) in fields.iter().enumerate() {
                // After `- ` the first field stands on the same line.
                if at > 0 || !text.ends_with("- ") {
                    indent(text, level);
                }
                scalar(text, name);
                text.push(':');
                below(text, value, level);
            }
        }
        Tree::List(items) if !items.is_empty() => {
            for item in items {
                indent(text, level);
                text.push_str("- ");
                match item {
                    Tree::Record(fields) if !fields.is_empty() => block(text, item, level + 1),
                    Tree::List(inner) if !inner.is_empty() => {
                        // `-` and a newline: the items stand below.
                        text.truncate(text.len() - 1);
                        text.push('\n');
                        block(text, item, level + 1);
                    }
                    _ => line(text, item),
                }
            }
        }
        other => line(text, other),
    }
}

/// The value of a field.
fn below(text: &mut String, value: &Tree, level: usize) {
    let is_block = match value {
        Tree::Record(fields) => !fields.is_empty(),
        Tree::List(items) => !items.is_empty(),
        _ => false,
    };
    if is_block {
        text.push('\n');
        block(text, value, level + 1);
    } else {
        text.push(' ');
        line(text, value);
    }
}

fn indent(text: &mut String, level: usize) {
    text.extend(std::iter::repeat_n("  ", level));
}

/// A value that fits a line.
fn line(text: &mut String, tree: &Tree) {
    match tree {
        Tree::Null => text.push_str("null"),
        Tree::Truth(value) => text.push_str(if *value { "true" } else { "false" }),
        Tree::Whole(value) => text.push_str(&value.to_string()),
        Tree::Real(value) => real(text, *value),
        Tree::Text(value) => scalar(text, value),
        Tree::List(_) => text.push_str("[]"),
        Tree::Record(_) => text.push_str("{}"),
    }
    text.push('\n');
}

/// With a point and without an exponent, because `1e-5` is a text to readers of YAML 1.1.
fn real(text: &mut String, value: f64) {
    let digits = value.to_string();
    let whole = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    text.push_str(&digits);
    if whole {
        text.push_str(".0");
    }
}

fn scalar(text: &mut String, value: &str) {
    if is_plain(value) {
        text.push_str(value);
    } else {
        quote(text, value);
    }
}

/// Texts that mean themselves to every reader: words of letters that begin with one, and are no other value.
fn is_plain(value: &str) -> bool {
    const TAKEN: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let begins = value.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '/');
    let inside = |letter: char| letter.is_ascii_alphanumeric() || "_./-+ ,()%;".contains(letter);
    begins
        && !value.ends_with(' ')
        && value.chars().all(inside)
        && !TAKEN.contains(&value.to_ascii_lowercase().as_str())
}

fn quote(text: &mut String, value: &str) {
    text.push('"');
    for letter in value.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            ' '..='~' => text.push(letter),
            'µ' | '×' | '–' | '…' | '·' | '±' | '≤' | '≥' => text.push(letter),
            // Letters of any script; marks, directions, separators and signs are spelt out.
            _ if letter.is_alphanumeric() => text.push(letter),
            _ => escape(text, u32::from(letter)),
        }
    }
    text.push('"');
}

fn escape(text: &mut String, code: u32) {
    // Writing to a string cannot fail.
    let _ = match code {
        0..=0xff => write!(text, "\\x{code:02X}"),
        0x100..=0xffff => write!(text, "\\u{code:04X}"),
        _ => write!(text, "\\U{code:08X}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(value: &serde_json::Value, expected: &str) {
        assert_eq!(yaml(value), expected);
    }

    #[test]
    fn lists_and_records_nest_by_indentation() {
        check(
            &json!({"a": [1, {"b": null, "c": []}, [true, 1.5]], "d": {"e": {}}}),
            "a:\n  - 1\n  - b: null\n    c: []\n  -\n    - true\n    - 1.5\nd:\n  e: {}\n",
        );
        check(&json!([]), "[]\n");
        check(&json!([[]]), "- []\n");
        check(&json!("x"), "x\n");
    }

    #[test]
    fn texts_that_look_like_something_else_are_quoted() {
        for text in [
            "yes", "No", "0x1", "1_000", "", " a", "a ", "a: b", "# x", "- x", "*a", "!!tag", "~", "1e5",
            "=", "[a",
        ] {
            let shown = yaml(&json!(text));
            assert!(shown.starts_with('"') && shown.ends_with("\"\n"), "{text:?} → {shown}");
        }
        check(
            &json!("a\u{2028}\u{85}\u{7}\u{1f600}\u{feff}é"),
            "\"a\\u2028\\x85\\x07\\U0001F600\\uFEFFé\"\n",
        );
        check(&json!("plain words, 5 % (n 12)"), "plain words, 5 % (n 12)\n");
    }

    #[test]
    fn small_and_large_numbers_have_no_exponent() {
        check(&json!(1e-7), "0.0000001\n");
        check(&json!(2.0), "2.0\n");
        check(&json!(1e21), "1000000000000000000000.0\n");
        check(&json!(-3), "-3\n");
        check(&json!(u64::MAX), "18446744073709551615\n");
    }
}
