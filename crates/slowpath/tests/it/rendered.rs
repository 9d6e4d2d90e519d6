//! A stored run shown again: the same bytes, from any place, from a folder that lost something, with names that bite.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::place::{Place, is_root};

/// Computes in two places, and waits a little.
const PROGRAM: &str = r#"
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
static volatile uint64_t sink;
__attribute__((noinline)) static void crunch(long rounds) {
    uint64_t state = 1;
    for (long round = 0; round < rounds; round++) state = state * 6364136223846793005ULL + round;
    sink = state;
}
int main(int count, char **words) { (void)count; crunch(atol(words[1])); usleep(20000); }
"#;

/// A place with a run of `slowpath why` in the folder `r`, and what it printed.
fn answered() -> (Place, Vec<u8>) {
    let place = Place::new();
    let source = place.file("work.c", PROGRAM);
    let built = Command::new("gcc")
        .args(["-O1", "-g"])
        .arg(&source)
        .arg("-o")
        .arg(place.path().join("work"))
        .status();
    assert!(built.unwrap().success());
    let ran =
        place.slowpath(["why", "--runs", "3", "--warmup", "1", "--out", "r", "--", "./work", "20000000"]);
    let printed = ran.exits(0).stdout.clone();
    (place, printed)
}

fn copied(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap();
    assert!(done.success());
}

/// What `report` says of a run in each form: text, Markdown, JSON, the map and the page.
fn every_form(place: &Place, run: &str) -> Vec<Vec<u8>> {
    let mut forms: Vec<Vec<u8>> = [None, Some("--markdown"), Some("--json"), Some("--map")]
        .into_iter()
        .map(|form| place.slowpath(["report", run].into_iter().chain(form)).exits(0).stdout)
        .collect();
    place.slowpath(["report", run, "--html", "-o", "page.html"]).exits(0);
    forms.push(fs::read(place.path().join("page.html")).unwrap());
    forms
}

#[test]
fn a_stored_run_is_shown_again_byte_for_byte_also_from_elsewhere() {
    let (place, printed) = answered();
    let run = place.path().join("r");
    let forms = every_form(&place, "r");
    let stored = |name: &str| fs::read(run.join(name)).unwrap();
    assert_eq!(forms[0], printed, "the screen");
    assert_eq!(forms[2], stored("answer.json"));
    assert_eq!(forms[3], stored("performance_map.yaml"));
    assert_eq!(forms[4], stored("report.html"));
    assert_eq!(forms, every_form(&place, "r"));
    // The program and its source are gone, the folder lies elsewhere and nobody may write to it.
    let elsewhere = place.path().parent().unwrap().join("elsewhere");
    copied(&run, &elsewhere);
    for gone in ["work", "work.c"] {
        fs::remove_file(place.path().join(gone)).unwrap();
    }
    assert_eq!(every_form(&place, elsewhere.to_str().unwrap()), forms);
}

#[test]
fn a_folder_that_nobody_may_write_to_is_read_and_the_page_goes_elsewhere() {
    let (place, printed) = answered();
    place.open_to_all();
    let slowpath = place.copy(env!("CARGO_BIN_EXE_slowpath").as_ref(), "slowpath");
    let run = place.path().join("r");
    fs::set_permissions(&run, PermissionsExt::from_mode(0o555)).unwrap();
    fs::set_permissions(run.join("report.html"), PermissionsExt::from_mode(0o444)).unwrap();
    let ordinary = |words: &[&str]| {
        let mut command = Command::new(&slowpath);
        command.args(words);
        place.dress(&mut command);
        if is_root() {
            command.uid(65534).gid(65534);
        }
        place.start(command).end()
    };
    assert_eq!(ordinary(&["report", "r"]).exits(0).stdout, printed);
    ordinary(&["report", "r", "--html"]).complains(2, &["cannot write", "-o FILE"]);
    ordinary(&["report", "r", "--html", "-o", "mine.html"]).exits(0);
    assert_eq!(fs::read(place.path().join("mine.html")).unwrap(), fs::read(run.join("report.html")).unwrap());
    fs::set_permissions(&run, PermissionsExt::from_mode(0o755)).unwrap();
}

/// Every file of a run, below its folder.
fn files(run: &Path) -> Vec<PathBuf> {
    let mut open = vec![run.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                open.push(path)
            } else {
                files.push(path.strip_prefix(run).unwrap().to_owned())
            }
        }
    }
    files.sort();
    files
}

/// An answer that names what is missing, or a refusal with a way out.
#[track_caller]
fn is_told(place: &Place, run: &str, file: &Path) {
    let name = file.file_name().unwrap().to_str().unwrap();
    let ran = place.slowpath(["report", run, "--json"]);
    match ran.code {
        Some(0) => {
            let answer = ran.json();
            // What is only written for others is not read again.
            let read = file.starts_with("tier1") || file.starts_with("tier2") || file.starts_with("tier4");
            assert!(!read || answer["gaps"].to_string().contains(name), "{}: {answer:#}", file.display());
        }
        Some(2 | 3) => {
            assert!(ran.stdout.is_empty(), "{ran:?}");
            assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("try: "), "{}", ran.stderr);
        }
        _ => panic!("{}: {ran:?}", file.display()),
    }
    let page = place.slowpath(["report", run, "--html", "-o", "page.html"]);
    assert_eq!(page.code, ran.code, "{page:?}");
}

#[test]
fn a_run_that_lost_a_file_or_half_of_it_says_so() {
    let (place, _) = answered();
    let (run, hurt) = (place.path().join("r"), place.path().join("hurt"));
    let files = files(&run);
    assert!(files.len() > 6, "{files:?}");
    for file in &files {
        copied(&run, &hurt);
        fs::remove_file(hurt.join(file)).unwrap();
        is_told(&place, "hurt", file);
        let bytes = fs::read(run.join(file)).unwrap();
        fs::write(hurt.join(file), &bytes[..bytes.len() / 2]).unwrap();
        is_told(&place, "hurt", file);
        fs::remove_dir_all(&hurt).unwrap();
    }
    // Half of the folder is gone.
    copied(&run, &hurt);
    for tier in ["tier1", "tier2", "tier4"] {
        let _ = fs::remove_dir_all(hurt.join(tier));
    }
    place.slowpath(["report", "hurt"]).complains(3, &["samples.jsonl"]);
}

#[test]
fn a_run_of_a_newer_slowpath_is_refused_by_name() {
    let (place, _) = answered();
    let manifest = place.path().join("r/run.json");
    let mut run: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    run["schema"] = "slowpath.run/99".into();
    fs::write(&manifest, run.to_string()).unwrap();
    for form in [&["report", "r"][..], &["report", "r", "--html"], &["verify", "r", "--", "true"]] {
        place.slowpath(form).complains(2, &["slowpath.run/99"]);
    }
}

/// Terminal escapes, text direction, markup and a formula in one name.
const NASTY: &str = "=cmd|'!A0\u{1b}]0;owned\u{7}\u{1b}[2J\t\u{202e}<img src=x onerror=alert(1)>`x`|a|b\\|**bold**[x](javascript:1)\u{9b}31m: - #\u{feff}";

/// What a terminal or a reader's eye would obey.
const ACTIVE: [char; 7] = ['\u{1b}', '\u{7}', '\r', '\t', '\u{9b}', '\u{202e}', '\u{feff}'];

#[test]
fn a_program_with_hostile_names_is_inert_in_every_output() {
    let place = Place::new();
    // Function and file are named by the program itself; so are its argument and its thread.
    let name = serde_json::to_string(NASTY).unwrap();
    let program = format!(
        "import sys, threading\nNAME = {name}\nprint(NAME)\nprint(NAME, file=sys.stderr)\n\
         def work():\n    total = 0\n    for n in range(1500000):\n        total += n * n\n\
         work.__code__ = work.__code__.replace(co_name=NAME, co_filename=NAME)\n\
         thread = threading.Thread(target=work, name=NAME)\nthread.start()\nthread.join()\n"
    );
    place.file(&format!("{NASTY}.py"), &program);
    let script = format!("./{NASTY}.py");
    let words =
        ["why", "--runs", "3", "--warmup", "1", "--out", "r", "--", "/usr/bin/python3", &script, NASTY];
    let shown = place.slowpath(words).exits(0);
    let mut outputs = vec![("terminal", shown.text()), ("progress", shown.stderr.clone())];
    let report = |words: &[&str]| place.slowpath(["report", "r"].iter().chain(words)).exits(0).text();
    outputs.push(("markdown", report(&["--markdown"])));
    outputs.push(("yaml", report(&["--map"])));
    report(&["--html", "-o", "page.html"]);
    outputs.push(("html", place.read("page.html")));
    for (format, file) in [
        ("flame", "f.svg"),
        ("timeline", "t.svg"),
        ("folded", "f.folded"),
        ("sarif", "s.json"),
        ("speedscope", "s.speedscope.json"),
        ("firefox", "f.json"),
        ("chrome", "c.json"),
        ("ln-811", "l.json"),
        ("worker-summary", "w.json"),
    ] {
        place.slowpath(["export", "r", "--format", format, "-o", file]).exits(0);
        outputs.push((format, place.read(file)));
    }
    place.slowpath(["record", "--out", "p", "--", "/usr/bin/python3", &script, NASTY]).exits(0);
    outputs.push(("csv", place.slowpath(["report", "p", "--csv"]).exits(0).text()));
    // What lies in the run folder for people.
    for file in files(&place.path().join("r")) {
        match file.to_str().unwrap() {
            "worklist.md" => outputs.push(("markdown", place.read("r/worklist.md"))),
            "benchmark_report.md" => outputs.push(("markdown", place.read("r/benchmark_report.md"))),
            name if name.ends_with(".json") => outputs.push(("json", place.read(&format!("r/{name}")))),
            _ => {}
        }
    }
    assert_eq!(outputs.iter().filter(|(form, _)| *form == "markdown").count(), 3);
    for (form, text) in &outputs {
        let json =
            matches!(*form, "json" | "speedscope" | "firefox" | "chrome" | "ln-811" | "worker-summary");
        // JSON tells the name as it is, escaped by its own rules.
        let control = |letter: char| letter.is_control() && !"\n\u{9b}".contains(letter);
        assert!(if json { !text.contains(control) } else { !text.contains(ACTIVE) }, "{form}: {text:?}");
        if matches!(*form, "html" | "markdown" | "flame" | "timeline") {
            assert!(!text.contains("<img"), "{form}");
        }
    }
    assert!(outputs.iter().any(|(form, text)| *form == "html" && text.contains("cmd|")), "it is still told");
    let sarif: Value = serde_json::from_str(&place.read("s.json")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let answer = place.slowpath(["report", "r", "--json"]).exits(0);
    assert!(!answer.text().chars().any(|c| c.is_control() && c != '\n'), "{}", answer.text());
    assert!(answer.json()["target"]["argv"].to_string().contains("owned"));
}

#[test]
fn a_failing_program_cannot_drive_the_terminal_with_its_last_words() {
    let place = Place::new();
    let script = "printf '\\033]0;owned\\007\\033[2J\\tlast words\\n' >&2; exit 3";
    let ran = place.slowpath(["why", "--runs", "1", "--", "sh", "-c", script]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.stderr.contains("last words") && !ran.stderr.contains(ACTIVE), "{:?}", ran.stderr);
    let ran = place.slowpath(["why", "--", &format!("./{NASTY}")]);
    assert!(ran.code == Some(4) && !ran.stderr.contains(ACTIVE), "{:?}", ran.stderr);
    let ran = place.slowpath(["bench", "--runs", "1", "--out", NASTY, "--", "true"]).exits(0);
    assert!(ran.stderr.starts_with("report: ") && !ran.stderr.contains(ACTIVE), "{:?}", ran.stderr);
    for words in [["report", "nowhere\u{1b}"], ["why", NASTY], ["explain", NASTY], ["export", NASTY]] {
        let ran = place.slowpath(words);
        assert!(ran.code == Some(2) && !ran.stderr.contains(ACTIVE), "{words:?}: {:?}", ran.stderr);
    }
}
