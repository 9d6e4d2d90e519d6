//! The keys of a scenario: which flag each is, how its value is written, and which is meant by a misspelt one.

use crate::cli::parse;
use crate::cli::scale;

/// How a value stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `true` or `false`; `true` gives the flag.
    Switch,
    /// A whole number.
    Number,
    Text,
    /// A text, or numbers in brackets.
    Sizes,
}

/// A key that is also a flag.
pub(crate) struct Key {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// The subcommands that take the flag; empty is all of them.
    pub(crate) only: &'static [&'static str],
    /// What the command line makes of the text.
    pub(super) check: fn(&str) -> Result<(), String>,
}

const fn key(
    name: &'static str,
    shape: Shape,
    only: &'static [&'static str],
    check: fn(&str) -> Result<(), String>,
) -> Key {
    Key { name, shape, only, check }
}

fn anything(text: &str) -> Result<(), String> {
    if text.is_empty() { Err("it is empty".to_owned()) } else { Ok(()) }
}

fn number(text: &str) -> Result<(), String> {
    match text.parse::<u32>() {
        Ok(_) => Ok(()),
        Err(_) => Err("it is a whole number from 0 on".to_owned()),
    }
}

fn positive(text: &str) -> Result<(), String> {
    match text.parse::<u32>() {
        Ok(1..) => Ok(()),
        _ => Err("it is a whole number from 1 on".to_owned()),
    }
}

fn wide(text: &str) -> Result<(), String> {
    text.parse::<u64>().map(drop).map_err(|_| "it is a whole number from 0 on".to_owned())
}

fn duration(text: &str) -> Result<(), String> {
    parse::duration(text).map(drop)
}

fn share(text: &str) -> Result<(), String> {
    parse::share(text).map(drop)
}

fn stream(text: &str) -> Result<(), String> {
    anything(text).and_then(|()| parse::stream(text).map(drop))
}

fn input(text: &str) -> Result<(), String> {
    if text == "capture" { Err("standard input cannot be captured".to_owned()) } else { stream(text) }
}

fn golden(text: &str) -> Result<(), String> {
    anything(text).and_then(|()| parse::golden(text).map(drop))
}

fn sizes(text: &str) -> Result<(), String> {
    scale::sizes(text).map(drop)
}

fn class(text: &str) -> Result<(), String> {
    scale::class(text).map(drop)
}

use Shape::{Number, Sizes, Switch, Text};

/// Every key that is a flag, under the flag's name.
pub(super) const OPTIONS: [Key; 22] = [
    key("shell", Switch, &[], anything),
    key("cwd", Text, &[], anything),
    key("stdin", Text, &[], input),
    key("stdout", Text, &[], stream),
    key("stderr", Text, &[], stream),
    key("timeout", Text, &[], duration),
    key("ignore-failure", Switch, &[], anything),
    key("warmup", Number, &[], number),
    key("cold", Switch, &[], anything),
    key("setup", Text, &[], anything),
    key("prepare", Text, &[], anything),
    key("conclude", Text, &[], anything),
    key("cleanup", Text, &[], anything),
    key("golden", Text, &[], golden),
    key("check", Text, &[], anything),
    key("seed", Number, &[], wide),
    key("runs", Number, &["why", "bench", "scale"], positive),
    key("budget", Text, &["why", "bench"], duration),
    key("precision", Text, &["bench"], share),
    key("sizes", Sizes, &["scale"], sizes),
    key("expected", Text, &["scale"], class),
    key("limit", Text, &["scale"], duration),
];

/// Keys that are no flags.
pub(super) const OTHERS: [&str; 9] =
    ["command", "env", "size", "work", "unit", "margin", "pairs", "budgets", "hypotheses"];

pub(super) fn option(name: &str) -> Option<&'static Key> {
    OPTIONS.iter().find(|key| key.name == name)
}

/// All keys of a scenario.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    OTHERS.iter().copied().chain(OPTIONS.iter().map(|key| key.name))
}

/// The candidate that a misspelt word is closest to; `None` when none is close.
pub(super) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let close = word.chars().count() / 3 + 1;
    candidates
        .map(|known| (distance(word, known), known))
        .filter(|(far, _)| *far <= close)
        .min()
        .map(|(_, known)| known)
}

/// Letters to insert, leave out or change.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(100).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().take(100).enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (known, cell) in other.iter().zip(row.iter_mut().skip(1)) {
            let here = (diagonal + usize::from(*known != letter)).min(*cell + 1).min(left + 1);
            diagonal = *cell;
            *cell = here;
            left = here;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_has_a_nearest_one() {
        for (word, wanted) in [
            ("comand", Some("command")),
            ("time-out", Some("timeout")),
            ("Setup", Some("setup")),
            ("budgts", Some("budgets")),
            ("entirely-different", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, all()), wanted, "{word}");
        }
    }

    #[test]
    fn every_key_has_one_name() {
        let names: std::collections::BTreeSet<&str> = all().collect();
        assert_eq!(names.len(), OPTIONS.len() + OTHERS.len());
    }
}
