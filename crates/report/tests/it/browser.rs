//! The page in a browser: Debian's Chromium, driven by `browser.js` through Playwright, without a network.
//! `cargo xtask test` installs both; without them the tests say that they skip.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::pages::{self, SCRIPT};
use crate::wire::recordings::{changed, random, recording};

const CHROMIUM: &str = "/usr/bin/chromium";

/// `None` when the browser or what drives it is not installed.
fn playwright() -> Option<PathBuf> {
    Command::new("node").arg("--version").output().ok().filter(|output| output.status.success())?;
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/consumers/node_modules/playwright-core");
    let package = PathBuf::from(ours);
    (package.join("package.json").is_file() && Path::new(CHROMIUM).is_file()).then_some(package)
}

/// Writes the page and has the script look at it in this way.
fn look(way: &str, page: &str) {
    let Some(package) = playwright() else {
        println!("skipped: chromium or the npm package playwright-core is not installed");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages").join(way);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("report.html"), page).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/browser.js");
    let run = || {
        let mut node = Command::new("node");
        node.arg(&script).arg(&package).arg(CHROMIUM).arg(way).arg(&folder).output().unwrap()
    };
    // A browser that hardly gets a CPU may be late once; what is wrong with the page is wrong twice.
    let mut output = run();
    if !output.status.success() {
        println!("{way}, first try: {}", String::from_utf8_lossy(&output.stderr));
        output = run();
    }
    println!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{way}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_reader_can_look_zoom_search_turn_sort_and_switch() {
    look("reader", &pages::page(&pages::answer(), changed(), Some(&recording())));
}

#[test]
fn the_keyboard_is_enough() {
    look("keyboard", &pages::page(&pages::answer(), recording(), None));
}

#[test]
fn a_hostile_name_does_nothing_in_a_browser() {
    look("hostile", &pages::hostile_page(SCRIPT));
}

#[test]
fn phones_wide_screens_and_paper_have_room() {
    look("widths", &pages::page(&pages::answer(), recording(), None));
}

#[test]
fn a_large_recording_opens() {
    look("large", &pages::page(&pages::answer(), random(1_000_000), None));
}
