//! Help, man page and completions come from one definition and leave nothing out.

use crate::place::Place;

const SUBCOMMANDS: [&str; 5] = ["why", "bench", "compare", "doctor", "report"];

#[test]
fn short_help_is_shorter_than_long_help() {
    let place = Place::new();
    let lines = |words: &[&str]| place.slowpath(words).exits(0).text().lines().count();
    assert!(lines(&["-h"]) < lines(&["--help"]));
    for name in SUBCOMMANDS {
        assert!(lines(&[name, "-h"]) < lines(&[name, "--help"]), "{name}");
    }
    let version = place.slowpath(["--version"]).exits(0).text();
    assert!(version.starts_with("slowpath "), "{version}");
}

#[test]
fn examples_stand_on_one_line() {
    let place = Place::new();
    for name in SUBCOMMANDS {
        let text = place.slowpath([name, "--help"]).exits(0).text();
        let quotes = |line: &&str| line.contains("slowpath ") && line.matches('\'').count() % 2 == 1;
        assert_eq!(text.lines().find(quotes), None, "{name}: {text}");
    }
}

#[test]
fn every_flag_has_help() {
    let place = Place::new();
    for name in SUBCOMMANDS {
        let text = place.slowpath([name, "-h"]).exits(0).text();
        let lines: Vec<&str> = text.lines().collect();
        let flags: Vec<usize> =
            (0..lines.len()).filter(|at| lines[*at].trim_start().starts_with('-')).collect();
        assert!(flags.len() > 3, "{name}: {text}");
        for at in flags {
            // The words stand two spaces after the flag, or on the next line where the flag is long.
            let words = lines[at].trim_start().split_once("  ").map(|(_, words)| words.trim());
            let words =
                words.filter(|words| !words.is_empty()).or_else(|| lines.get(at + 1).map(|line| line.trim()));
            assert!(
                words.is_some_and(|words| words.len() > 3 && !words.starts_with('-')),
                "{name}: {}",
                lines[at]
            );
        }
    }
}

#[test]
fn no_line_of_help_is_wider_than_a_hundred_columns() {
    let place = Place::new();
    for name in SUBCOMMANDS {
        for line in place.slowpath([name, "--help"]).exits(0).text().lines() {
            assert!(line.chars().count() <= 100, "{name}: {line}");
        }
    }
}

#[test]
fn the_man_page_and_completions_know_every_subcommand() {
    let place = Place::new();
    let man = place.slowpath(["generate", "man"]).exits(0).text();
    for name in SUBCOMMANDS {
        assert!(man.contains(&format!(".SH {}", name.to_uppercase())), "{name}");
    }
    assert!(man.contains("Exit status"), "the table of exit statuses belongs to the page");
    for shell in ["bash", "zsh", "fish"] {
        let text = place.slowpath(["generate", "completions", shell]).exits(0).text();
        assert!(SUBCOMMANDS.iter().all(|name| text.contains(name)), "{shell}");
    }
}
