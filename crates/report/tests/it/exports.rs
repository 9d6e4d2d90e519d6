//! Recordings in other tools' formats: what every file must hold, read back with nothing of ours.

use std::io::Read;

use flate2::read::GzDecoder;
use model::recording::Recording;
use report::export::{self, Kind};
use serde_json::Value;

use crate::expected;
use crate::hostile::{ACTIVE, NASTY};
use crate::wire::recordings::{MS, clockless, empty, hostile, random, recording};

fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    bytes
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    String::from_utf8(written(write)).unwrap()
}

fn parsed(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Value {
    serde_json::from_str(&text(write)).unwrap()
}

fn all() -> [Recording; 5] {
    [recording(), clockless(), empty(), hostile(NASTY), random(5_000)]
}

#[test]
fn files_as_expected() {
    let recording = recording();
    for (name, kind) in [("on", Kind::OnCpu), ("off", Kind::OffCpu), ("wall", Kind::Wall)] {
        expected::check(&format!("folded-{name}.txt"), &text(|out| export::folded(&recording, kind, out)));
    }
    expected::check("folded-clockless.txt", &text(|out| export::folded(&clockless(), Kind::Wall, out)));
}

#[test]
fn folded_lines_are_stacks_and_weights_that_add_up() {
    for recording in all() {
        let text = text(|out| export::folded(&recording, Kind::OnCpu, out));
        assert!(!text.contains(ACTIVE), "{text}");
        let sum = text.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap());
        let wanted: u64 = recording.hits.iter().map(|hit| hit.weight).sum();
        assert_eq!(sum.sum::<u64>(), wanted);
    }
    let waited = text(|out| export::folded(&recording(), Kind::OffCpu, out));
    let sum: u64 = waited.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!(sum, 600 * MS);
}

#[test]
fn speedscope_weights_are_the_recorded_time() {
    for recording in all() {
        let file = parsed(|out| export::speedscope(&recording, out));
        let frames = file["shared"]["frames"].as_array().unwrap().len() as u64;
        let profiles = file["profiles"].as_array().unwrap();
        assert!(!profiles.is_empty());
        for profile in profiles {
            let (samples, weights) =
                (profile["samples"].as_array().unwrap(), profile["weights"].as_array().unwrap());
            assert_eq!(samples.len(), weights.len());
            assert!(
                samples
                    .iter()
                    .flat_map(|stack| stack.as_array().unwrap())
                    .all(|at| at.as_u64().unwrap() < frames)
            );
            let sum: u64 = weights.iter().map(|weight| weight.as_u64().unwrap()).sum();
            assert_eq!(profile["endValue"].as_u64().unwrap(), sum);
        }
    }
    let file = parsed(|out| export::speedscope(&recording(), out));
    assert_eq!(file["profiles"][0]["endValue"], 1000 * MS);
    assert_eq!(file["profiles"][1]["endValue"], 800 * MS);
}

#[test]
fn firefox_columns_are_as_long_as_they_say() {
    for recording in all() {
        let file = parsed(|out| export::firefox(&recording, out));
        let shared = &file["shared"];
        let strings = shared["stringArray"].as_array().unwrap().len() as u64;
        let tables = ["sources", "stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols"];
        let threads = file["threads"].as_array().unwrap();
        assert!(!threads.is_empty());
        let of_threads = threads.iter().flat_map(|thread| [&thread["samples"], &thread["markers"]]);
        for table in tables.map(|name| &shared[name]).into_iter().chain(of_threads) {
            let length = table["length"].as_u64().unwrap() as usize;
            for (name, column) in table.as_object().unwrap() {
                if let Some(column) = column.as_array() {
                    assert_eq!(column.len(), length, "{name}");
                }
            }
        }
        for name in shared["funcTable"]["name"].as_array().unwrap() {
            assert!(name.as_u64().unwrap() < strings);
        }
    }
}

#[test]
fn chrome_slices_cover_a_threads_life() {
    for recording in all() {
        let file = parsed(|out| export::chrome(&recording, out));
        for sample in file["samples"].as_array().unwrap() {
            assert!(file["stackFrames"].get(sample["sf"].as_str().unwrap()).is_some());
        }
    }
    let file = parsed(|out| export::chrome(&recording(), out));
    let length = |tid: u64| -> f64 {
        let events = file["traceEvents"].as_array().unwrap().iter();
        let slices = events.filter(|event| event["ph"] == "X" && event["tid"] == tid);
        slices.map(|event| event["dur"].as_f64().unwrap()).sum()
    };
    assert_eq!((length(4100), length(4101)), (1_000_000.0, 800_000.0));
}

#[test]
fn pprof_is_gzip_and_the_same_each_time() {
    for recording in all() {
        let (once, again) =
            (written(|out| export::pprof(&recording, out)), written(|out| export::pprof(&recording, out)));
        assert_eq!(once, again);
        let mut bytes = Vec::new();
        GzDecoder::new(once.as_slice()).read_to_end(&mut bytes).unwrap();
        assert!(!bytes.is_empty());
    }
}

#[test]
fn no_format_passes_on_what_a_screen_would_obey() {
    let nasty = hostile(NASTY);
    for text in [
        text(|out| export::speedscope(&nasty, out)),
        text(|out| export::firefox(&nasty, out)),
        text(|out| export::chrome(&nasty, out)),
        text(|out| export::folded(&nasty, Kind::Wall, out)),
    ] {
        assert!(!text.contains(ACTIVE), "an active character");
    }
}
