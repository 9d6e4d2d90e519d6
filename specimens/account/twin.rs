//! `twin split [SECONDS]`: the Rust twin of split.c; the log is described in truth.h.

use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

fn queued() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').nth(1).unwrap().parse::<f64>().unwrap() / 1e9
}

/// Both at one moment: a thread that lost its CPU between the two reads them again.
fn mark() -> (Instant, f64) {
    loop {
        let (before, wall) = (queued(), Instant::now());
        if before == queued() {
            return (wall, before);
        }
    }
}

fn rounds(mut x: u64, rounds: u64) -> u64 {
    for _ in 0..rounds {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    x
}

#[inline(never)]
fn heavy(x: u64) -> u64 {
    rounds(x, 7_000_000)
}

#[inline(never)]
fn light(x: u64) -> u64 {
    rounds(x, 3_000_000)
}

fn main() {
    let seconds: f64 = std::env::args().nth(2).map_or(1.0, |text| text.parse().unwrap());
    let began = mark();
    let (mut at, mut own) = (began, [0.0; 2]);
    for _ in 0..(seconds * 50.0) as u32 {
        for (seconds, function) in own.iter_mut().zip([heavy, light]) {
            black_box(function(black_box(1)));
            let now = mark();
            *seconds += (now.0 - at.0).as_secs_f64() - (now.1 - at.1);
            at = now;
        }
    }
    let link = fs::read_link("/proc/thread-self").unwrap();
    let thread = link.file_name().unwrap().to_str().unwrap();
    let mut log = format!("{{\"wall\": {:.9}, \"thread\": {thread}}}\n", (at.0 - began.0).as_secs_f64());
    let mut line = |kind: &str, name: &str, seconds: f64| {
        log += &format!("{{\"{kind}\": \"{name}\", \"seconds\": {seconds:.9}, \"thread\": {thread}}}\n");
    };
    line("leaf", "on-cpu", own[0] + own[1]);
    line("leaf", "runnable", at.1 - began.1);
    line("function", "heavy", own[0]);
    line("function", "light", own[1]);
    if let Some(path) = std::env::var_os("SLOWPATH_TRUTH") {
        let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
        file.write_all(log.as_bytes()).unwrap();
    }
}
