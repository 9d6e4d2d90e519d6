//! Licence expressions: whether an allow list satisfies one.
//!
//! The grammar is SPDX 2.3 annex D without `LicenseRef`, plus the `/` that crates.io once took
//! for `OR`. `AND` binds tighter than `OR`.

use std::iter::Peekable;
use std::vec::IntoIter;

use anyhow::{Result, bail};

/// Whether we may use something under `expression`, given the licences we accept.
/// A licence with an exception is asked for as one text, `A WITH B`.
/// An expression that does not parse is an error, never a yes or a no.
pub(super) fn satisfied(expression: &str, accepted: &[&str]) -> Result<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<_> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: words.into_iter().peekable(), accepted };
    let answer = reader.any_of()?;
    match reader.words.next() {
        None => Ok(answer),
        Some(word) => bail!("unexpected `{word}` in the licence `{expression}`"),
    }
}

struct Reader<'a> {
    words: Peekable<IntoIter<&'a str>>,
    accepted: &'a [&'a str],
}

impl Reader<'_> {
    fn any_of(&mut self) -> Result<bool> {
        let mut answer = self.all_of()?;
        while self.words.next_if_eq(&"OR").is_some() {
            // Not `||`: the right side must be read in any case.
            answer |= self.all_of()?;
        }
        Ok(answer)
    }

    fn all_of(&mut self) -> Result<bool> {
        let mut answer = self.one()?;
        while self.words.next_if_eq(&"AND").is_some() {
            answer &= self.one()?;
        }
        Ok(answer)
    }

    fn one(&mut self) -> Result<bool> {
        if self.words.next_if_eq(&"(").is_some() {
            let answer = self.any_of()?;
            if self.words.next_if_eq(&")").is_none() {
                bail!("a licence expression lacks its `)`");
            }
            return Ok(answer);
        }
        let licence = self.identifier()?;
        if self.words.next_if_eq(&"WITH").is_none() {
            return Ok(self.accepted.contains(&licence.as_str()));
        }
        let excepted = format!("{licence} WITH {}", self.identifier()?);
        Ok(self.accepted.contains(&excepted.as_str()))
    }

    fn identifier(&mut self) -> Result<String> {
        match self.words.next() {
            None => bail!("a licence expression ends where a licence is wanted"),
            Some(word @ ("(" | ")" | "AND" | "OR" | "WITH")) => {
                bail!("a licence expression has `{word}` where a licence is wanted")
            }
            Some(word) => Ok(word.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCEPTED: [&str; 3] = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"];

    fn check(wanted: bool, expressions: &[&str]) {
        for expression in expressions {
            let answer = satisfied(expression, &ACCEPTED).unwrap();
            assert_eq!(answer, wanted, "{expression}");
        }
    }

    #[test]
    fn one_acceptable_way_is_enough() {
        check(
            true,
            &[
                "MIT",
                "MIT OR GPL-3.0-only",
                "GPL-3.0-only OR MIT",
                "MIT/Apache-2.0",
                "GPL-2.0-only/MIT",
                "MIT AND Apache-2.0",
                "(MIT OR GPL-3.0-only) AND Apache-2.0",
                "Apache-2.0 WITH LLVM-exception OR GPL-3.0-only",
                "GPL-3.0-only AND CDDL-1.0 OR MIT",
            ],
        );
    }

    #[test]
    fn no_acceptable_way_is_refused() {
        check(
            false,
            &[
                "CDDL-1.0",
                "MIT AND GPL-3.0-only",
                "GPL-3.0-only AND MIT",
                "MIT AND (GPL-3.0-only OR CDDL-1.0)",
                "MIT AND GPL-3.0-only OR CDDL-1.0",
                "(MIT OR CDDL-1.0) AND GPL-3.0-only",
                "MIT WITH Classpath-exception-2.0",
                "mit",
                "MITX",
            ],
        );
    }

    #[test]
    fn a_broken_expression_is_an_error() {
        for broken in
            ["", "MIT OR", "OR MIT", "(MIT", "MIT)", "MIT Apache-2.0", "MIT WITH", "MIT or Apache-2.0", "()"]
        {
            assert!(satisfied(broken, &ACCEPTED).is_err(), "{broken}");
        }
    }
}
