//! Handing the answer over: standard output for it, standard error for everything else.

use std::io::{self, IsTerminal, Write};

use model::Exit;
use model::machine_code::MachineCode;
use model::manifest::{Kind, Manifest};
use model::passes::Passes;
use report::Page;

use crate::cli::{Colour, ShowOptions};
use crate::document::{Document, Form, Parts};
use crate::sitting::Sitting;
use crate::stop::Stop;

/// Width when nobody watches: fits a log, a mail, a code review.
const PLAIN_WIDTH: usize = 100;

/// The page of a run, in its folder.
pub(crate) const PAGE: &str = "report.html";

/// The narrowest and widest page that is written.
const WIDTHS: (usize, usize) = (60, 120);

/// How standard output is.
pub(crate) fn page(show: &ShowOptions) -> Page {
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    Page {
        width: width(terminal),
        colour: match show.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => terminal && !no_colour && !dumb,
        },
        unicode: utf8(),
    }
}

fn width(terminal: bool) -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let width = columns.or_else(|| if terminal { run::terminal_width() } else { None });
    width.unwrap_or(PLAIN_WIDTH).clamp(WIDTHS.0, WIDTHS.1)
}

/// Whether the locale can show more than ASCII. No locale at all is common in CI, whose logs are UTF-8.
fn utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8") || locale == "c" || locale == "posix"
    })
}

/// Prints an answer. A reader that has gone away is no error.
pub(crate) fn print(text: &str) -> Result<(), Stop> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Stop::NotWritten {
            path: "standard output".into(),
            why: error.to_string(),
            next: "the run folder holds the answer too".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Lines for standard error; a path in them may hold anything, and a terminal must not obey it.
pub(crate) fn complain(text: &str) {
    let lines: String = text.lines().map(|line| report::inert_text(line) + "\n").collect();
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// Stores and prints what a sitting concluded, also when it was cut short; the cause of that is returned.
pub(crate) fn finish(
    sitting: &Sitting<'_>,
    document: Option<&Document>,
    outcome: Result<(), Stop>,
    show: &ShowOptions,
    form: Form,
) -> Result<(), Stop> {
    let mut written = sitting.folder().path().to_owned();
    if let Some(document) = document {
        sitting.put("answer.json", document.json().as_bytes())?;
        let parts = Parts {
            manifest: Some(&sitting.manifest),
            samples: &sitting.samples,
            passes: &sitting.passes,
            before: None,
        };
        if let Some(page) = document.html(&parts)
            && sitting.put(PAGE, page.as_bytes())?
        {
            written = sitting.folder().path().join(PAGE);
        }
        let worth_showing = match &outcome {
            Ok(()) | Err(Stop::Interrupted { .. }) => true,
            // A failure is the answer then; what was measured before it is kept in the folder.
            Err(_) => false,
        };
        if worth_showing {
            let audits = audits(&sitting.manifest, &sitting.passes);
            print(&with_audits(document.render(form, &page(show)), &audits, form, &page(show)))?;
        }
    }
    if !show.quiet && form == Form::Text {
        let what = if written.is_dir() { "run folder" } else { "report" };
        complain(&format!("{what}: {}\n", written.display()));
    }
    outcome
}

/// The machine code of the hot loops, where the user asked for it.
pub(crate) fn audits(manifest: &Manifest, passes: &Passes) -> Vec<MachineCode> {
    let asked = manifest.kind == Kind::Why && diagnose::score::tier_of(passes, manifest) == "asm";
    if asked { [&passes.code[..], &passes.generated].concat() } else { Vec::new() }
}

/// A text with the machine code below it. JSON has it in a file of the run folder.
pub(crate) fn with_audits(text: String, audits: &[MachineCode], form: Form, page: &Page) -> String {
    let shown = |audit: &MachineCode| match form {
        Form::Text | Form::Tree => format!("\n{}", report::machine_code_text(audit, page)),
        Form::Markdown => format!("\n{}", report::machine_code_markdown(audit)),
        Form::Json | Form::Csv => String::new(),
    };
    audits.iter().fold(text, |text, audit| text + &shown(audit))
}

/// How a whole command ended: an exit status, or the signal the user sent.
pub(crate) enum End {
    Exit(Exit),
    /// The target's own status, with `--exit-with-target`.
    Target(model::Ended),
}
