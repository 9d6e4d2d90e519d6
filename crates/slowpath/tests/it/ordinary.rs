//! What an ordinary user's samples do not show, told all the same.

use std::process::Command;

use crate::place::Place;

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
