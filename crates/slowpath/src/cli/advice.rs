//! What to try when the words of a command line cannot be read.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};

use crate::request::quoted;

/// The way on after a mistake in these words, slowpath's own name left out.
pub(crate) fn next(error: &clap::Error, words: &[OsString]) -> String {
    without_dashes(error, words).unwrap_or_else(|| {
        let first = words.first().and_then(|word| word.to_str()).filter(|word| is_subcommand(word));
        match first {
            Some(name) => format!("`slowpath {name} --help`"),
            None => "`slowpath --help`, or `slowpath SUBCOMMAND --help`".to_owned(),
        }
    })
}

/// A program where a flag was expected: the user left out `--`, or misspelt a subcommand.
fn without_dashes(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let stray =
        [ContextKind::InvalidArg, ContextKind::InvalidSubcommand].into_iter().find_map(|kind| match error
            .get(kind)
        {
            Some(ContextValue::String(text)) if !text.starts_with('-') => Some(text.clone()),
            _ => None,
        })?;
    let at = words.iter().position(|word| word.to_str() == Some(stray.as_str()))?;
    let (before, command) = words.split_at(at);
    let command: Vec<String> = command.iter().filter(|word| *word != "--").map(|word| quoted(word)).collect();
    let before: Vec<String> = before.iter().map(|word| quoted(word)).collect();
    let spelt =
        [&["slowpath".to_owned()], before.as_slice(), &["--".to_owned()], command.as_slice()].concat();
    Some(format!("the program to run stands behind `--`: `{}`", spelt.join(" ")))
}

fn is_subcommand(word: &str) -> bool {
    use clap::CommandFactory as _;
    super::Cli::command().get_subcommands().any(|known| known.get_name() == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser as _;

    #[track_caller]
    fn check(line: &str, wanted: &str) {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = Cli::try_parse_from([OsString::from("slowpath")].iter().chain(&words)).unwrap_err();
        assert!(next(&error, &words).contains(wanted), "{line}: {}", next(&error, &words));
    }

    #[test]
    fn a_program_without_dashes_is_told_where_they_belong() {
        check("python3 report.py 20000", "`slowpath -- python3 report.py 20000`");
        check("--quiet python3 report.py", "`slowpath --quiet -- python3 report.py`");
        check("verify last", "`slowpath verify --help`");
        check("verify last python3 new.py", "`slowpath verify last -- python3 new.py`");
        check("bench --nosuch -- true", "`slowpath bench --help`");
        check("--nosuch", "`slowpath --help`");
    }
}
