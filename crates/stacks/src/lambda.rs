//! Lambdas of C++ that were expanded into their callers: debug information calls each of them `operator()`.
//!
//! What they were handed to is a template, and its name holds their type: `fold<colsum(const Mat&)::<lambda(double)> >` with
//! GCC, `fold<(lambda at sums.cc:11:40)>` with clang; symbols have `colsum(Mat const&)::{lambda(double)#1}`.

use crate::symbols::Symbol;

const CALLED: &str = "operator()";

/// Gives lambdas in a chain, outer first, the name of their type where their callers tell of one only.
pub(crate) fn name_all(chain: &mut [Symbol]) {
    for at in 1..chain.len() {
        let is_lambda = chain.get(at).is_some_and(|symbol| symbol.function.as_deref() == Some(CALLED));
        if !is_lambda {
            continue;
        }
        let outer = chain.get(..at).unwrap_or_default().iter().rev();
        let told =
            outer.filter_map(|symbol| symbol.function.as_deref()).map(types).find(|types| !types.is_empty());
        if let (Some([only]), Some(symbol)) = (told.as_deref(), chain.get_mut(at)) {
            symbol.function = Some(format!("{only}::{CALLED}"));
        }
    }
}

/// The types of lambdas that a name holds, each once.
fn types(name: &str) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    for (begin, open, close) in [("<lambda(", '<', '>'), ("{lambda(", '{', '}'), ("(lambda at ", '(', ')')] {
        for (at, _) in name.match_indices(begin) {
            let Some(end) = closing(name.get(at..).unwrap_or_default(), open, close) else { continue };
            let from = if open == '(' { at } else { beginning(name, at) };
            let found = name.get(from..at + end).unwrap_or_default().trim_start().to_owned();
            if !types.contains(&found) {
                types.push(found);
            }
        }
    }
    types
}

/// Where the bracket that a text begins with is closed.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at + close.len_utf8());
            }
        }
    }
    None
}

/// Where the template's argument begins that ends in a lambda at `at`.
fn beginning(name: &str, at: usize) -> usize {
    let mut depth = 0_u32;
    for (before, letter) in name.get(..at).unwrap_or_default().char_indices().rev() {
        match letter {
            ')' | '>' | '}' => depth += 1,
            '(' | '<' | '{' | ',' if depth == 0 => return before + 1,
            '(' | '<' | '{' => depth -= 1,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use model::recording::Language;

    use super::*;

    fn innermost(names: &[&str]) -> String {
        let symbol = |name: &&str| Symbol {
            function: Some((*name).to_owned()),
            file: None,
            line: None,
            language: Language::Cpp,
            inlined: true,
        };
        let mut chain: Vec<Symbol> = names.iter().map(symbol).collect();
        name_all(&mut chain);
        chain.pop().and_then(|symbol| symbol.function).unwrap()
    }

    #[test]
    fn a_lambda_is_told_by_the_function_that_it_is_written_in() {
        assert_eq!(
            innermost(&["colsum(Mat const&)", "fold<colsum(const Mat&)::<lambda(double, double)> >", CALLED]),
            "colsum(const Mat&)::<lambda(double, double)>::operator()"
        );
        let sorts =
            "__sort<It<int*, std::vector<int> >, Compare<sorter(std::vector<int>)::<lambda(int, int)> > >";
        let compares = "operator()<It<int*> >";
        assert_eq!(
            innermost(&["sorter(std::vector<int>)", sorts, compares, CALLED]),
            "sorter(std::vector<int>)::<lambda(int, int)>::operator()"
        );
        assert_eq!(
            innermost(&["void fold<colsum(Mat const&)::{lambda(double)#2}>(Mat const&)", CALLED]),
            "colsum(Mat const&)::{lambda(double)#2}::operator()"
        );
        assert_eq!(
            innermost(&["fold<(lambda at sums.cc:11:40)>", CALLED]),
            "(lambda at sums.cc:11:40)::operator()"
        );
    }

    #[test]
    fn where_two_are_handed_over_nobody_can_tell_which_it_is() {
        assert_eq!(innermost(&["both<f()::<lambda(int)>, g()::<lambda(int)> >", CALLED]), CALLED);
        assert_eq!(innermost(&["main", CALLED]), CALLED, "it may be a class of its own");
        assert_eq!(innermost(&["apply<f()::<lambda(", CALLED]), CALLED, "a name that was cut");
        assert_eq!(
            innermost(&["twice<f()::<lambda(int)>, f()::<lambda(int)> >", CALLED]),
            "f()::<lambda(int)>::operator()"
        );
    }
}
