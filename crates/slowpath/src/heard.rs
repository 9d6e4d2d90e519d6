//! What a target says when it fails.

use run::stdio::Output;
use run::{Measured, Recipe};

use crate::stop::ended_words;

/// More of a line is not repeated.
const LONGEST: usize = 200;

/// The same target, whose standard error is read where nobody else does.
pub(crate) fn heard(recipe: &Recipe) -> Recipe {
    let mut recipe = recipe.clone();
    if recipe.stderr == Output::Null {
        recipe.stderr = Output::Capture;
    }
    recipe
}

/// The last line that a run said, as far as it was read.
pub(crate) fn last_words(measured: &Measured) -> Option<String> {
    let stream = measured.stderr.as_ref().or(measured.stdout.as_ref())?;
    last_line(stream.tail())
}

/// How a run ended, with the last that it said.
pub(crate) fn words_of(measured: &Measured) -> String {
    let ended = ended_words(measured.sample.ended);
    match last_words(measured) {
        Some(said) => format!("{ended}, and said `{said}`"),
        None => ended,
    }
}

fn last_line(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.trim().chars().take(LONGEST).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_one_that_says_something() {
        assert_eq!(last_line(b"usage: x\nno such day\n\n  \n").as_deref(), Some("no such day"));
        assert_eq!(last_line(b" \n\n"), None);
    }
}
