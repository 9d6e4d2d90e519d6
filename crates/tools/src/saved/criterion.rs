//! criterion's `target/criterion/GROUP/ID/new/sample.json`, with the name from `benchmark.json` beside it.
//!
//! Source: `src/analysis/mod.rs` and `SavedSample` in `src/lib.rs` of criterion. Checked with 0.8.2. `times[i]` is what `iters[i]` passes took
//! together; the unit is that of the measurement, nanoseconds unless the benchmark uses one of its own.

use model::Metric;
use serde::Deserialize;

use super::value::{all_checked, common_passes, passes, same_length, seconds};
use super::{Benchmark, Each, Format, Saved, SavedHost, Series, json, with_samples};
use crate::ParseError;

pub(super) const FORMAT: Format = Format {
    name: "criterion sample.json",
    recognises: |bytes| {
        let keys = json::Keys::of(bytes);
        let own = ["sampling_mode", "iters", "full_id", "median_abs_dev"];
        !keys.inside_list && own.iter().any(|key| keys.has(key))
    },
    parse,
};

/// The name of a benchmark whose `benchmark.json` was not given.
pub const UNNAMED: &str = "unnamed";

const REMEDY: &str = "give `sample.json` of the same folder";

#[derive(Deserialize)]
struct Sample {
    sampling_mode: String,
    iters: Vec<f64>,
    times: Vec<f64>,
}

fn parse(bytes: &[u8]) -> Result<Saved, ParseError> {
    let keys = json::Keys::of(bytes);
    if keys.has("full_id") || keys.has("median_abs_dev") {
        // A cut summary is first of all cut.
        json::check(bytes)?;
        return Err(ParseError::NoSamples {
            format: "criterion benchmark.json or estimates.json",
            remedy: REMEDY,
        });
    }
    let sample: Sample = json::parse(FORMAT.name, bytes)?;
    if !["Linear", "Flat", "Auto"].contains(&sample.sampling_mode.as_str()) {
        return Err(ParseError::Unsupported {
            format: FORMAT.name,
            found: format!("sampling_mode {}", sample.sampling_mode),
            known: "criterion with linear or flat sampling",
        });
    }
    let saved = Saved {
        tool: "criterion",
        version: None,
        host: SavedHost::default(),
        benchmarks: vec![benchmark(&sample)?],
        notes: vec!["taken for nanoseconds: the file does not name the unit of its measurement".into()],
    };
    with_samples(saved, FORMAT.name, REMEDY)
}

fn benchmark(sample: &Sample) -> Result<Benchmark, ParseError> {
    same_length(FORMAT.name, "iters", sample.iters.len(), sample.times.len())?;
    let counts = sample.iters.iter().enumerate();
    let counts = counts.map(|(row, count)| passes(FORMAT.name, || format!("iters[{row}]"), *count));
    let counts = counts.collect::<Result<Vec<u64>, ParseError>>()?;
    let means = sample.times.iter().zip(&sample.iters).map(|(time, passes)| time / passes);
    let means = means.map(|mean| seconds(mean, "ns").unwrap_or(f64::NAN));
    let values = all_checked(FORMAT.name, "times", means)?;
    let each = Each::Pass { of: common_passes(counts) };
    Ok(Benchmark {
        name: UNNAMED.into(),
        series: vec![Series { metric: Metric::Wall, values, each }],
        notes: Vec::new(),
    })
}

/// The benchmark's name in the `benchmark.json` that lies beside `sample.json`.
///
/// # Errors
///
/// When the bytes are not such a file.
pub fn name(bytes: &[u8]) -> Result<String, ParseError> {
    #[derive(Deserialize)]
    struct Id {
        full_id: String,
    }
    let id: Id = json::parse("criterion benchmark.json", bytes)?;
    Ok(id.full_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_comes_from_the_file_beside() {
        assert_eq!(name(br#"{"group_id": "g", "full_id": "g/f/5"}"#).unwrap(), "g/f/5");
        assert!(name(b"{}").is_err());
    }

    #[test]
    fn bad_pass_counts_are_errors() {
        for (iters, times) in [("[0.0]", "[1.0]"), ("[1.0]", "[1.0, 2.0]"), ("[]", "[]"), ("[1.5]", "[1]")] {
            let text = format!(r#"{{"sampling_mode": "Flat", "iters": {iters}, "times": {times}}}"#);
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
