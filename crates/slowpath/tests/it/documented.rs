//! What README.md and docs/ say holds: commands parse, links lead somewhere, examples run and are explained.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::place::Place;

/// A recorded run of a small program on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(90);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// README.md and every page of docs/, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        docs.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    paths.push(root().join("README.md"));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

/// Lines inside fences, continued ones joined, and code spans outside of them.
fn code(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, part) in text.split("\n```").enumerate() {
        if at % 2 == 1 {
            let body = part.split_once('\n').map_or("", |(_, body)| body);
            found.extend(body.replace("\\\n", " ").lines().map(str::to_owned));
        } else {
            found.extend(part.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")));
        }
    }
    found
}

/// The words of a shell line up to its comment, pipe or redirection, without their quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '#' | '|' | '>' | ';' | '&') if word.is_none() => return words,
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The arguments of every `slowpath …` that a page tells people to type. An ellipsis stands for what they know themselves.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines = code(text).into_iter().filter(|line| !line.contains('…'));
    let words = lines.map(|line| words(line.trim().trim_start_matches("$ ")));
    let ours = words.filter(|words| words.first().is_some_and(|word| word == "slowpath"));
    ours.map(|mut words| words.split_off(1)).filter(|words| !words.is_empty()).collect()
}

#[test]
fn every_documented_command_parses() {
    let place = Place::new();
    let mut seen = 0;
    for (page, text) in pages() {
        for mut arguments in commands(&text) {
            // `--help` ends the parsing after every word before it was understood.
            let end = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
            let wanted = arguments.join(" ");
            arguments.insert(end, "--help".to_owned());
            let ran = place.slowpath(&arguments);
            assert_eq!(ran.code, Some(0), "{}: slowpath {wanted}\n{}", page.display(), ran.stderr);
            seen += 1;
        }
    }
    assert!(seen > 60, "only {seen} commands were found");
}

#[test]
fn every_documented_cause_is_explained() {
    let place = Place::new();
    let causes: Value = place.slowpath(["explain", "--json"]).exits(0).json();
    let count = causes.as_array().map_or(0, Vec::len);
    assert!(count > 30, "{causes}");
    for (page, text) in pages() {
        let explained = commands(&text).into_iter().filter(|words| words[0] == "explain");
        for told in explained.filter(|words| words.get(1).is_none_or(|cause| cause != "CAUSE")) {
            place.slowpath(told).exits(0);
        }
        for (before, _) in text.match_indices(" causes") {
            let number = text[..before].rsplit(|letter: char| !letter.is_ascii_digit()).next().unwrap();
            let told = number.parse().unwrap_or(count);
            assert_eq!(told, count, "{}: `{number} causes`", page.display());
        }
    }
}

#[test]
fn every_link_and_every_named_file_exists() {
    for (page, text) in pages() {
        let folder = page.parent().unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            assert!(folder.join(link).exists(), "{}: {link} does not exist", page.display());
        }
        let named = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "/._-".contains(letter)));
        for name in named.filter(|name| name.starts_with("examples/") || name.starts_with("docs/")) {
            let name = name.trim_end_matches('.');
            assert!(root().join(name).exists(), "{}: {name} does not exist", page.display());
        }
    }
}

#[test]
fn no_page_is_longer_than_one_reads() {
    for (page, text) in pages().iter().filter(|(page, _)| !page.ends_with("README.md")) {
        assert!(text.lines().count() <= 220, "{} is too long", page.display());
    }
}

/// The C program, built as its first line says.
fn columns(place: &Place) -> String {
    let built = place.path().join("columns");
    let source = root().join("examples/columns.c");
    let gcc = Command::new("gcc").args(["-O2", "-g", "-o"]).arg(&built).arg(source).status();
    assert!(gcc.unwrap().success());
    built.to_str().unwrap().to_owned()
}

/// The shipped programs, started as the README does, with the function that their answer must name.
const SHIPPED: [(&[&str], &str); 3] = [
    (&["/usr/bin/python3", "{EXAMPLES}/report.py", "12000"], "customers"),
    (&["node", "{EXAMPLES}/fanout.js", "60"], "oneByOne"),
    (&["{C}", "2000"], "column_sums"),
];

/// Node comes from elsewhere than Debian on many machines, so nobody is told to install it.
fn is_here(program: &str) -> bool {
    let here = program != "node" || Command::new("node").arg("--version").output().is_ok();
    if !here {
        eprintln!("skipped: there is no node");
    }
    here
}

#[test]
fn the_answers_about_the_shipped_programs_name_the_slow_place() {
    let place = Place::new();
    let examples = root().join("examples");
    let built = columns(&place);
    for (words, function) in SHIPPED.into_iter().filter(|(words, _)| is_here(words[0])) {
        let fill =
            |word: &&str| word.replace("{EXAMPLES}", examples.to_str().unwrap()).replace("{C}", &built);
        let words: Vec<String> = words.iter().map(fill).collect();
        let options = ["--json", "--runs", "2", "--warmup", "1", "--"].map(str::to_owned);
        let live = place.start(place.command(options.iter().chain(&words)));
        let answer = live.end_within(PATIENCE).exits(0).json();
        // Which cause it is depends on how much of the run the machine lets us see; the specimens hold that.
        assert!(answer.to_string().contains(function), "{words:?}: {answer:#}");
    }
}

#[test]
fn the_mended_programs_print_what_the_slow_ones_print() {
    let examples = root().join("examples");
    let printed = |words: &[&str]| {
        let output = Command::new(words[0])
            .args(&words[1..])
            .current_dir(&examples)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        assert!(output.status.success() && !output.stdout.is_empty(), "{words:?}");
        output.stdout
    };
    let same = |one: &[&str], other: &[&str]| assert_eq!(printed(one), printed(other), "{one:?}");
    same(&["python3", "report.py", "3000"], &["python3", "report_fixed.py", "3000"]);
    same(&["python3", "dedup.py", "list", "900"], &["python3", "dedup.py", "set", "900"]);
    if is_here("node") {
        same(&["node", "fanout.js", "20"], &["node", "fanout.js", "20", "together"]);
    }
    let place = Place::new();
    let built = columns(&place);
    same(&[&built, "200"], &[&built, "200", "rows"]);
}
