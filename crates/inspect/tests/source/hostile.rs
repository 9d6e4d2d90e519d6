//! Nothing in a file can make reading it fail otherwise than by giving nothing.

use inspect::source::{context, contexts, functions};
use model::source::Language::{self, C, Cpp, Go, Java, JavaScript, Python, Rust, TypeScript};
use proptest::prelude::*;

const ALL: [Language; 8] = [Python, JavaScript, TypeScript, Java, C, Cpp, Rust, Go];

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    for language in ALL {
        for (piece, times) in
            [("(", 100_000), ("[", 100_000), ("{", 100_000), ("f(", 10_000), ("if x {", 5_000)]
        {
            contexts(language, &piece.repeat(times), &[1, 2]);
        }
    }
}

#[test]
fn balanced_deep_nesting_is_no_trouble_either() {
    for language in ALL {
        let text = format!("x = {}1{}\n", "[".repeat(20_000), "]".repeat(20_000));
        contexts(language, &text, &[1]);
    }
}

#[test]
fn files_that_are_too_big_have_no_context() {
    let text = "x = 1\n".repeat(400_000);
    assert_eq!(context(Python, &text, 1), None);
    assert!(functions(Python, &text).is_empty());
}

#[test]
fn a_big_ordinary_file_is_read() {
    let text = "def f(xs):\n    for x in xs:\n        if x in xs:\n            g(x)\n\n".repeat(2_000);
    let found = context(Python, &text, 9_998).unwrap();
    assert_eq!(found.loops.len(), 1);
}

#[test]
fn other_languages_and_noise_are_survived() {
    let noise = include_str!("containers.rs");
    for language in ALL {
        let lines: Vec<u32> = (1..=120).collect();
        contexts(language, noise, &lines);
        functions(language, noise);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn arbitrary_text_never_panics(text in "[a-z(){}\\[\\]=+:;,.\"'\n <>|&*#@$0-9]{0,300}", language in 0_usize..8) {
        let lines: Vec<u32> = (1..=6).collect();
        contexts(ALL[language], &text, &lines);
        functions(ALL[language], &text);
    }
}
