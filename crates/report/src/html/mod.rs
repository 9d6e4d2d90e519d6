//! One run as one page: a single HTML file that opens from disk, asks nothing of the network and holds no raw samples.
//!
//! Everything but the flame graphs is written here and shows without the script. Text that is not ours goes through
//! [`inert`]; the script reads names from JSON and writes them as text only; the page's policy names its two scripts by
//! hash, so that not even a mistake here would let a third one run.

mod account;
mod blocks;
mod calls;
mod findings;
mod flames;
mod growth;
mod hypotheses;
mod lanes;
mod lines;
mod provenance;
mod runs;
mod scorecard;
mod verdict;

use std::fmt::Write as _;

use model::Sample;
use model::answer::Answer;
use model::bench::Bench;
use model::compare::Compare;
use model::gate::Gate;
use model::manifest::Manifest;
use model::passes::Passes;
use model::profile::Profile;
use model::recording::Recording;
use model::scale::Scale;
use model::verify::Verify;
use sha2::{Digest, Sha256};

use crate::words::Letters;
use crate::{inert, words};

/// What a run concluded.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    Why(&'a Answer),
    Bench(&'a Bench),
    Compare(&'a Compare),
    Profile(&'a Profile),
    Scale(&'a Scale),
    /// The passes are those of the new program.
    Verify(&'a Verify),
    /// Each scenario has a run folder and a page of its own.
    Gate(&'a Gate),
}

/// All that stands on the page.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    pub told: Told<'a>,
    /// `None` for another tool's file, which has no run folder.
    pub manifest: Option<&'a Manifest>,
    pub samples: &'a [Sample],
    pub passes: &'a Passes,
    /// An earlier recording: flame graphs can show what changed since.
    pub before: Option<&'a Recording>,
}

/// A part of the page with a place in its table of contents. Title and note are text, the body is markup.
struct Section {
    id: &'static str,
    title: &'static str,
    note: String,
    body: String,
}

impl Section {
    fn new(id: &'static str, title: &'static str, note: impl Into<String>, body: String) -> Self {
        Self { id, title, note: note.into(), body }
    }
}

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const FLAMES: &str = include_str!("flames.js");

/// The page of a run. The same sheet gives the same bytes.
#[must_use]
pub fn html(sheet: &Sheet) -> String {
    let head = verdict::head(sheet);
    let flames = flames::json(sheet);
    let sections = sections(sheet, flames.is_some());
    let mut page = String::with_capacity(1 << 18);
    opened(&mut page, &head.title);
    page.push_str("<a class=\"skip\" href=\"#main\">Skip to the answer</a>\n");
    verdict::bar(&mut page, sheet);
    contents(&mut page, &sections);
    page.push_str("<main id=\"main\">\n");
    page.push_str(&head.body);
    for section in &sections {
        let _ = write!(
            page,
            "<section id=\"{0}\" aria-labelledby=\"h-{0}\"><header class=\"sh\"><h2 id=\"h-{0}\">{1}</h2>",
            section.id, section.title
        );
        if !section.note.is_empty() {
            let _ = write!(page, "<p class=\"note\">{}</p>", prose(&section.note));
        }
        let _ = write!(page, "</header>\n{}\n</section>\n", section.body);
    }
    page.push_str("</main>\n");
    closed(&mut page, flames.as_deref());
    page
}

/// What the page says after the verdict, in the order of a reader's questions: where did the time go, what to change,
/// show me, how sure, what was not seen, how was it measured.
fn sections(sheet: &Sheet, flames: bool) -> Vec<Section> {
    let mut all: Vec<Option<Section>> = vec![account::section(sheet), findings::section(sheet)];
    all.push(growth::section(sheet));
    all.extend(blocks::results(sheet));
    all.push(flames.then(|| flames::section(sheet)));
    all.push(lanes::section(sheet));
    all.extend(lines::sections(sheet));
    all.push(calls::section(sheet));
    all.push(runs::section(sheet));
    all.push(scorecard::section(sheet));
    all.extend(hypotheses::sections(sheet));
    all.push(blocks::machine_code(sheet));
    all.extend(provenance::sections(sheet));
    let shown = all.into_iter().flatten().filter(|section| !section.body.is_empty());
    shown.map(|section| of_whom(section, sheet)).collect()
}

/// Two programs were run, and only the new one was looked at.
fn of_whom(mut section: Section, sheet: &Sheet) -> Section {
    if matches!(sheet.told, Told::Verify(_)) && ["flames", "threads", "calls"].contains(&section.id) {
        section.note = format!("The new program. {}", section.note);
    }
    section
}

fn opened(page: &mut String, title: &str) {
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src '{}' '{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        hash(SCRIPT),
        hash(FLAMES),
        inert::html(title),
    );
}

fn contents(page: &mut String, sections: &[Section]) {
    page.push_str("<nav id=\"contents\" aria-label=\"Contents\"><ul>");
    page.push_str("<li><a href=\"#verdict\">Verdict</a></li>");
    for section in sections {
        let _ = write!(page, "<li><a href=\"#{}\">{}</a></li>", section.id, section.title);
    }
    page.push_str("</ul></nav>\n");
}

fn closed(page: &mut String, flames: Option<&str>) {
    if let Some(json) = flames {
        let _ =
            writeln!(page, "<script type=\"application/json\" id=\"trees\">{}</script>", inert::script(json));
    }
    let _ = write!(page, "<script>{SCRIPT}</script>\n<script>{FLAMES}</script>\n</body>\n</html>\n");
}

/// A script's name in the page's policy.
fn hash(script: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::from("sha256-");
    for three in Sha256::digest(script.as_bytes()).chunks(3) {
        let bits =
            three.iter().chain([&0, &0]).take(3).fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        for place in 0..4 {
            let digit = DIGITS.get(bits >> (18 - 6 * place) & 63).copied().unwrap_or(b'=');
            text.push(if place > three.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

/// A command to copy.
fn command(text: &str) -> String {
    format!(
        "<div class=\"cmd\"><code>{}</code><button type=\"button\" class=\"copy\">Copy</button></div>",
        inert::html(text)
    )
}

/// What to try: a command to copy, or prose.
fn advice(text: &str) -> String {
    if words::is_command(text) {
        command(text)
    } else {
        format!("<p class=\"next\">try: {}</p>", prose(text))
    }
}

/// Prose in which backticks enclose what is to be read letter by letter.
fn prose(text: &str) -> String {
    let piece = |(letters, piece): (Letters, &str)| match letters {
        // A number and its sign stay on one line.
        Letters::Prose => inert::html(&piece.replace(" %", &format!("{}%", inert::TIE))),
        Letters::Verbatim => format!("<code>{}</code>", inert::html(piece)),
    };
    words::pieces(text).into_iter().map(piece).collect()
}

/// A share as a width: between 0 and 100, whatever the wire says.
fn width(share: f64) -> f64 {
    if share.is_finite() { (share * 100.0).clamp(0.0, 100.0) } else { 0.0 }
}

/// What the recording saw.
fn recording<'a>(sheet: &Sheet<'a>) -> Option<&'a Recording> {
    sheet.passes.recording.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_its_sign_stay_on_one_line() {
        assert_eq!(prose("3 % of `a % b` <i>"), "3&#160;% of <code>a % b</code> &#60;i&#62;");
    }

    #[test]
    fn a_script_is_named_as_browsers_name_it() {
        // From `printf '' | openssl dgst -sha256 -binary | base64`.
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn backticks_come_in_pairs() {
        assert_eq!(prose("a `b<` c"), "a <code>b&#60;</code> c");
        assert_eq!(prose("it`s"), "it`s");
        assert_eq!(prose("`a` and `b"), "<code>a</code> and `b");
        assert_eq!(prose(""), "");
    }

    #[test]
    fn the_scripts_write_text_only() {
        for script in [SCRIPT, FLAMES] {
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http"] {
                assert!(!script.contains(word), "{word}");
            }
            assert!(!script.contains("</"), "a script cannot name the end of its element");
        }
    }
}
