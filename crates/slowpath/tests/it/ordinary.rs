//! What an ordinary user's samples do not show, told all the same; runs that are not ordinary.

use std::process::Command;

use crate::place::{Place, in_some_run};

/// Copies a file byte by byte, and does something with each.
const COPY: &str = r#"#include <fcntl.h>
#include <unistd.h>

static unsigned char next(int file) {
    unsigned char byte = 0;
    if (read(file, &byte, 1) != 1) _exit(0);
    return byte;
}

int main(void) {
    int file = open("/dev/zero", O_RDONLY);
    unsigned sum = 0;
    for (int i = 0; i < 1500000; i++) sum = sum * 31 + next(file);
    return (int)(sum & 1) & 0;
}
"#;

#[test]
fn calls_of_a_few_bytes_are_found_without_the_kernels_samples() {
    let place = Place::new();
    place.file("copy.c", COPY);
    let built = Command::new("gcc")
        .args(["-O1", "-g", "-fno-inline", "-o", "copy", "copy.c"])
        .current_dir(place.path())
        .status();
    assert!(built.unwrap().success(), "install gcc");
    let words = ["why", "--json", "--level", "A", "--runs", "1", "--warmup", "0", "--", "./copy"];
    let answer = place.slowpath(words).exits(0).json();
    let level = answer["gaps"].to_string();
    let found = answer["findings"].as_array().unwrap();
    let small = found.iter().find(|one| one["cause"] == "small-io");
    let small = small.unwrap_or_else(|| panic!("{found:#?}\n{level}"));
    assert_eq!(small["location"]["function"], "next", "{small:#}");
}

/// Fills a fresh block each time, and gives it back.
const FILL: &str = r#"#include <stdlib.h>
#include <string.h>

static unsigned fill(unsigned char value) {
    size_t size = 16 << 20;
    unsigned char *block = malloc(size);
    for (size_t at = 0; at < size; at += 4096) block[at] = value;
    unsigned sum = block[0] + block[size - 4096];
    free(block);
    return sum;
}

int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 150; i++) sum = sum * 31 + fill((unsigned char)i);
    return (int)(sum & 1) & 0;
}
"#;

#[test]
fn who_touches_fresh_pages_is_found_without_the_kernels_samples() {
    let place = Place::new();
    place.file("fill.c", FILL);
    let built = Command::new("gcc")
        .args(["-O1", "-g", "-fno-inline", "-o", "fill", "fill.c"])
        .current_dir(place.path())
        .status();
    assert!(built.unwrap().success(), "install gcc");
    let words = ["why", "--json", "--level", "A", "--runs", "1", "--warmup", "0", "--", "./fill"];
    let answer = place.slowpath(words).exits(0).json();
    let found = answer["findings"].as_array().unwrap();
    let faults = found.iter().find(|one| one["cause"] == "page-faults");
    let faults = faults.unwrap_or_else(|| panic!("{found:#?}\n{:#}", answer["hypotheses"]));
    assert_eq!(faults["location"]["function"], "fill", "{faults:#}");
    assert!(faults["share"]["value"].as_f64().unwrap() > 0.1, "{faults:#}");
}

#[test]
fn a_recorded_run_unlike_the_timed_ones_is_told() {
    let place = Place::new();
    let script =
        "#!/bin/sh\necho >> runs\nif [ $(wc -l < runs) -gt 2 ]; then sleep 0.6; else sleep 0.1; fi\n";
    place.script("work", script);
    let words = ["why", "--json", "--runs", "2", "--warmup", "0", "--", "./work"];
    let answer = place.slowpath(words).exits(0).json();
    let gaps = answer["gaps"].to_string();
    assert!(gaps.contains("the usual run") && gaps.contains("times as long as the timed ones"), "{gaps}");
}

/// Computes, then sleeps.
const HIDDEN: &str = r#"#include <time.h>
#include <unistd.h>

int main(void) {
    volatile unsigned sum = 0;
    while (clock() < CLOCKS_PER_SEC / 5)
        for (int i = 0; i < 9999; i++) sum += i;
    usleep(100000);
    return 0;
}
"#;

#[test]
fn what_the_kernel_hides_of_a_set_user_id_program_is_unknown_and_rules_nothing_out() {
    let place = Place::new();
    place.file("hidden.c", HIDDEN);
    // Only root may make a file another user's.
    let make = "gcc -O1 -o hidden hidden.c && chown nobody hidden && chmod 4755 hidden";
    if !Command::new("sh").args(["-c", make]).current_dir(place.path()).status().unwrap().success() {
        return;
    }
    // Of a run that mostly stood in the queue little is hidden.
    in_some_run(|| hides(&place));
}

fn hides(place: &Place) {
    let words = ["why", "--json", "--runs", "1", "--warmup", "0", "--", "./hidden"];
    let answer = place.slowpath(words).exits(0).json();
    let account = &answer["account"];
    assert!(account["unaccounted"].as_f64().unwrap() > 0.1, "{account:#}");
    let leaves = account["leaves"].as_array().unwrap();
    assert!(leaves.iter().all(|leaf| leaf["leaf"] != "ending"), "{account:#}");
    assert!(answer["gaps"].to_string().contains("what `hidden` did"), "{:#}", answer["gaps"]);
    let hypotheses = answer["hypotheses"].as_array().unwrap();
    let sleeps = hypotheses.iter().find(|one| one["id"] == "polling-sleep").unwrap();
    assert_eq!(sleeps["state"], "untestable", "{sleeps:#}");
}
