//! Captured recordings against what is expected of them, and what must hold for any bytes.

use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::fixtures::{Fixture, cuts, error_text, have_every_case, of_tools, say_where_they_come_from};

fn all() -> Vec<Fixture> {
    of_tools(std::iter::once("jfr"))
}

fn case(name: &str) -> Vec<u8> {
    all().into_iter().find(|fixture| fixture.case == name).unwrap().input
}

fn dump(input: &[u8]) -> String {
    let read = match parse(input) {
        Ok(read) => read,
        Err(error) => return error_text(&error, &error.next_step()),
    };
    let before = read.before.map_or_else(|| "none".to_owned(), |before| before.to_string());
    let mut text = format!("bytes: {}, samples: {}, before: {before}\n", read.bytes, read.samples);
    for stack in &read.stacks {
        let frame = |frame: &Frame| {
            let line = frame.line.map_or_else(|| "?".to_owned(), |line| line.to_string());
            format!("{}.{}:{line}", frame.class, frame.method)
        };
        let frames: Vec<String> = stack.frames.iter().map(frame).collect();
        let cut = if stack.cut { " …" } else { "" };
        writeln!(text, "{} {} {}{cut}", stack.bytes, stack.samples, frames.join(" < ")).unwrap();
    }
    text
}

#[test]
fn every_fixture_gives_what_is_expected() {
    for fixture in all() {
        fixture.gives(&dump(&fixture.input));
    }
}

#[test]
fn every_fixture_says_where_it_comes_from_and_none_is_missing() {
    say_where_they_come_from(&all());
    have_every_case(&all(), std::iter::once("jfr"));
}

#[test]
fn a_cut_file_is_an_error() {
    let whole = case("ordinary");
    for end in cuts(&whole) {
        assert!(parse(&whole[..end]).is_err(), "at {end}");
    }
}

#[test]
fn chunks_are_added_up_and_a_file_cut_between_them_is_a_shorter_truth() {
    let (one, other) = (case("ordinary"), case("odd-names"));
    let both: Vec<u8> = one.iter().chain(&other).copied().collect();
    let (first, second, sum) = (parse(&one).unwrap(), parse(&other).unwrap(), parse(&both).unwrap());
    // Only one of the two is the first sample of both.
    assert_eq!(sum.samples, first.samples + second.samples + 1);
    let every = |one: &Allocations| one.bytes + one.before.unwrap();
    assert_eq!(every(&sum), every(&first) + every(&second));
    assert_eq!(parse(&both[..one.len()]).unwrap(), first);
    assert!(parse(&both[..one.len() + 100]).is_err());
}

#[test]
fn paths_that_cannot_be_written_as_settings_are_refused() {
    assert!(invocation("/a b/s.jfc", "/a b").unwrap().contains("filename=/a b,"));
    for odd in ["/a,b", "/it's", "/a=b"] {
        assert_eq!(invocation("/s.jfc", odd), None);
    }
}

/// Damages where they hurt: sizes, counts and numbers of types are all over the file.
#[test]
fn a_damaged_file_never_takes_more_values_than_it_has_bytes() {
    let whole = case("ordinary");
    for place in (0..whole.len()).step_by(997) {
        for byte in [0xff, 0x00, 0x7f] {
            let mut input = whole.clone();
            input[place] = byte;
            let _ = parse(&input);
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        header in any::<bool>(),
    ) {
        let mut input = bytes;
        if header {
            input.splice(0..0, [b'F', b'L', b'R', 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0, 70, 0, 0, 0, 0, 0, 0, 0, 68]);
        }
        let _ = parse(&input);
    }
}
