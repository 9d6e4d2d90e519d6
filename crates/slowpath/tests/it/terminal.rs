//! slowpath at a terminal: Ctrl-C, questions of hooks, progress.

use std::process::{Command, Stdio};

use crate::place::{Live, Place, manifest};

/// slowpath in a terminal of its own, which `script` makes; what is typed there comes from us.
fn at_a_terminal(place: &Place, arguments: &[&str]) -> Option<Live> {
    if Command::new("script").arg("--version").output().is_err() {
        println!("skipped: `script` of util-linux is not installed");
        return None;
    }
    let words: Vec<String> = [env!("CARGO_BIN_EXE_slowpath")]
        .iter()
        .chain(arguments)
        .map(|word| format!("'{}'", word.replace('\'', "'\\''")))
        .collect();
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &words.join(" "), "/dev/null"]);
    place.dress(&mut command);
    command.stdin(Stdio::piped()).env("TERM", "xterm").env("SHELL", "/bin/sh");
    Some(place.start(command))
}

#[test]
fn a_typed_interrupt_reaches_whoever_runs() {
    let cases: [&[&str]; 4] = [
        &["bench", "--", "sh", "-c", "touch ready; exec sleep 300"],
        &["bench", "--stdin", "inherit", "--", "sh", "-c", "touch ready; exec sleep 300"],
        &["bench", "--warmup", "0", "--stdin", "inherit", "--", "sh", "-c", "touch ready; exec sleep 300"],
        &["bench", "--setup", "touch ready; exec sleep 300", "--", "true"],
    ];
    for case in cases {
        let place = Place::new();
        let Some(mut live) = at_a_terminal(&place, case) else { return };
        live.until(|| place.path().join("ready").exists());
        live.types("\u{3}");
        let ran = live.end();
        assert_eq!(ran.code, Some(130), "{ran:?}");
        assert!(ran.text().contains("interrupted: "), "{ran:?}");
        place.is_left_by_all();
        assert_eq!(manifest(&place.last_run())["state"], "interrupted", "{case:?}");
    }
}

#[test]
fn a_hook_and_a_target_may_ask_at_the_terminal() {
    let place = Place::new();
    let setup = "touch asked; read answer < /dev/tty; echo $answer > setup-said";
    let target = "touch asked-again; read answer; echo $answer > target-said";
    let options = ["bench", "--runs", "1", "--warmup", "0", "--stdin", "inherit", "--setup", setup];
    let words: Vec<&str> = options.iter().chain(&["--", "sh", "-c", target]).copied().collect();
    let Some(mut live) = at_a_terminal(&place, &words) else { return };
    live.until(|| place.path().join("asked").exists());
    live.types("first\n");
    live.until(|| place.path().join("asked-again").exists());
    live.types("second\n");
    live.end().exits(0);
    assert_eq!(
        (place.read("setup-said").as_str(), place.read("target-said").as_str()),
        ("first\n", "second\n")
    );
}

#[test]
fn progress_is_drawn_on_a_terminal_unless_it_is_to_be_quiet() {
    let place = Place::new();
    for (quiet, drawn) in [(&[][..], true), (&["--quiet"][..], false)] {
        let words: Vec<&str> = ["bench", "--runs", "3", "--color", "never"]
            .iter()
            .chain(quiet)
            .chain(&["--", "sleep", "0.1"])
            .copied()
            .collect();
        let Some(live) = at_a_terminal(&place, &words) else { return };
        let ran = live.end().exits(0);
        assert_eq!(ran.text().contains("\r\u{1b}[K"), drawn, "{ran:?}");
    }
}
